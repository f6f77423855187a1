"""The statements of a body -> a block of instructions.

Implements docs/language/7-statements.md. Loops become jumps, and what a loop or a move still has to do is
kept in a slot of the frame, so that a game can be stored and resumed between any two steps.
"""

import re
from typing import Any

from attrs import define, evolve, field

from rulespec.checking.declarations import Routine
from rulespec.checking.domains import declared_type
from rulespec.checking.expressions import type_of
from rulespec.checking.names import local_names
from rulespec.checking.scopes import Scope, bind, silent
from rulespec.checking.statements import check_body
from rulespec.core.types import (
    INT,
    NONE,
    SEAT,
    Indexed,
    Several,
    Type,
    Unknown,
    optional,
    present,
)
from rulespec.lowering.code import (
    Again,
    Assign,
    Block,
    Call,
    Choose,
    Clear,
    Draw,
    Each,
    End,
    Instruction,
    Iterate,
    Jump,
    Move,
    Next,
    Op,
    Origin,
    Return,
    Show,
    Shuffle,
    Target,
    Times,
    Unless,
)
from rulespec.lowering.environment import Env, Frame, Unlowered, blank, new_slot, with_slot
from rulespec.lowering.expressions import (
    convert,
    lower,
    lower_arguments,
    lower_condition,
    lower_elements,
    lower_set,
    lower_to,
)
from rulespec.lowering.origins import documented
from rulespec.source import Span
from rulespec.syntax import nodes

RESULT = "(result)"  # of a call, by a name that nobody can write


@define
class Writer:
    """A block under way: its code so far, and for each loop around the jumps that leave it."""

    env: Env
    result: Type | None
    code: list[Instruction] = field(factory=list)
    exits: list[list[int]] = field(factory=list)


def lower_body(  # noqa: PLR0913, PLR0917 - what a block is, whose it is and what it gives
    scope: Scope,
    body: Any,
    members: dict[str, int],
    name: str,
    origin: Origin,
    params: tuple[nodes.Param, ...] = (),
    result: Type | None = None,
) -> Block:
    """A block from the statements of a rule, a row, a part or a trigger."""
    known = scope.known
    types = {param.name.text: declared_type(known, param.type) for param in params}
    inner = silent(bind(scope, types))
    local = local_names(known.program, body) - types.keys()
    found = check_body(inner, body, result)
    locals_ = {each: found.get(each, NONE) for each in sorted(local)}
    frame = Frame()
    places: dict[str, Op] = {}
    for each, type_ in [*types.items(), *locals_.items()]:
        frame.slots.append((each, type_))
        places[each] = Op("slot", (len(frame.slots) - 1,))
    inner = bind(inner, {each: _may_be_none(type_) for each, type_ in locals_.items()})
    writer = Writer(Env(inner, places, frame, members, origin), result)
    _write(writer, body)
    _emit(writer, Return(None, origin))
    return Block(
        name=name,
        title=origin.rule,
        params=len(params),
        blank=tuple(blank(type_) for _, type_ in frame.slots),
        slots=tuple(frame.slots),
        code=tuple(writer.code),
        scratch=frame.scratch,
        origin=origin,
    )


def _may_be_none(type_: Type) -> Type:
    return type_ if isinstance(type_, Indexed | Several) else optional(type_)


def _emit(writer: Writer, instruction: Instruction) -> int:
    writer.code.append(instruction)
    return len(writer.code) - 1


def _here(writer: Writer) -> int:
    return len(writer.code)


def _land(writer: Writer, jump: int) -> None:
    """Let a jump lead to what is written next."""
    instruction: Any = writer.code[jump]
    part = "exit" if isinstance(instruction, Next | Again) else "to"
    writer.code[jump] = evolve(instruction, **{part: _here(writer)})


# ---- Statements ----------------------------------------------------------------------------------


def _at_line(writer: Writer, node: Any) -> Origin:
    return evolve(writer.env.origin, span=node.span)


def _write(writer: Writer, node: Any) -> None:
    env = writer.env
    match node:
        case nodes.Suite(lines) | nodes.Several(lines):
            for line, origin in documented(lines, env.origin):
                writer.env = evolve(env, origin=origin)
                _write(writer, line)
            writer.env = env
            return
        case nodes.OneLine(statement):
            _write(writer, statement)
            return
        case nodes.Cells(values):
            for value in values:
                if isinstance(value, nodes.Call):
                    _call(writer, value, None, _at_line(writer, value))
            return
        case nodes.Nothing():
            return
    origin = _at_line(writer, node)
    match node:
        case nodes.Perform(call):
            _call(writer, call, None, origin)
        case nodes.Assign():
            _assign(writer, node, origin)
        case nodes.If():
            _if(writer, node, origin)
        case nodes.For():
            _for(writer, node, origin)
        case nodes.Repeat():
            _repeat(writer, node, origin)
        case nodes.Stop():
            writer.exits[-1].append(_emit(writer, Jump(-1, origin)))
        case nodes.End():
            _emit(writer, End(origin))
        case nodes.Return():
            _emit(writer, Return(_given_back(writer, node), origin))
        case nodes.Move(pieces, how, zone):
            slot = new_slot(env, "(move)", None)
            of = lower_set(env, pieces)[0]
            _emit(writer, Move(slot, of, lower(env, zone)[0], how == "under", origin))
        case nodes.Shuffle(zone):
            _emit(writer, Shuffle(lower(env, zone)[0], origin))
        case nodes.Show(pieces, players):
            to = lower_set(env, players)[0]
            _emit(writer, Show(lower_set(env, pieces)[0], to, origin))
        case nodes.Reveal(pieces):
            _emit(writer, Show(lower_set(env, pieces)[0], Op("seats"), origin))
        case nodes.Random(target, options):
            drawn, of_type = _options(env, target, options)
            into = _chosen(env, target, of_type, node.span)
            _emit(writer, Draw(into, drawn, of_type, origin))
        case nodes.Choose() | nodes.MayChoose():
            _choose(writer, node, origin)
        case nodes.Each() | nodes.EachMay():
            _each(writer, node, origin)
        case _:
            raise Unlowered(type(node).__name__)


def _given_back(writer: Writer, node: nodes.Return) -> Op | None:
    if node.value is None:
        return None
    wanted = writer.result if writer.result is not None else Unknown()
    return lower_to(writer.env, node.value, wanted)


def _if(writer: Writer, node: nodes.If, origin: Origin) -> None:
    skip = _emit(writer, Unless(lower_condition(writer.env, node.condition), -1, origin))
    _write(writer, node.body)
    if node.otherwise is None:
        _land(writer, skip)
        return
    leave = _emit(writer, Jump(-1, origin))
    _land(writer, skip)
    _write(writer, node.otherwise.body)
    _land(writer, leave)


def _for(writer: Writer, node: nodes.For, origin: Origin) -> None:
    env = writer.env
    values, of = lower_elements(env, node.values, (node.name.text,))
    rest = new_slot(env, "(for)", Several(of))
    into = new_slot(env, node.name.text, of)
    _emit(writer, Iterate(rest, values, origin))
    head = _emit(writer, Next(rest, into, -1, origin))
    writer.env = with_slot(env, node.name.text, of, into)
    _loop(writer, node.body, head, origin)
    writer.env = env
    _emit(writer, Clear((rest, into), origin))


def _repeat(writer: Writer, node: nodes.Repeat, origin: Origin) -> None:
    if node.times is None:
        head = _here(writer)
        _loop(writer, node.body, head, origin, counted=False)
        return
    count = new_slot(writer.env, "(repeat)", INT)
    _emit(writer, Times(count, lower_to(writer.env, node.times, INT), origin))
    head = _emit(writer, Again(count, -1, origin))
    _loop(writer, node.body, head, origin)
    _emit(writer, Clear((count,), origin))


def _loop(writer: Writer, body: Any, head: int, origin: Origin, *, counted: bool = True) -> None:
    """The body of a loop, back to its head; what leaves it lands behind."""
    writer.exits.append([])
    _write(writer, body)
    _emit(writer, Jump(head, origin))
    if counted:
        _land(writer, head)
    for jump in writer.exits.pop():
        _land(writer, jump)


# ---- Values --------------------------------------------------------------------------------------


def _target(env: Env, name: nodes.Name, indices: tuple[nodes.Expr, ...], given: Type) -> Target:
    """What is given a value: a local, or a state variable."""
    text, known = name.text, env.scope.known
    if text in env.places:
        slot = env.places[text].args[0]
        kept = dict(enumerate(env.frame.slots))[slot][1]
        of = kept if kept is not None else given
        keys: tuple[Op, ...] = ()
        if indices:
            key = present(type_of(env.scope, indices[0]))
            keys = (lower_to(env, indices[0], key),)
            of = kept.of if isinstance(kept, Indexed) else given
        return Target(slot, None, keys, of, text)
    variable = known.program.variables[text].node.node
    domains = [declared_type(known, index) for index in variable.indices]
    keys = tuple(
        lower_to(env, index, domain) for index, domain in zip(indices, domains, strict=True)
    )
    return Target(None, text, keys, declared_type(known, variable.type), text)


def _assign(writer: Writer, node: nodes.Assign, origin: Origin) -> None:
    env = writer.env
    base: nodes.Expr = node.target
    indices: list[nodes.Expr] = []
    while isinstance(base, nodes.At):
        indices.insert(0, base.key)
        base = base.subject
    if not isinstance(base, nodes.Name):
        raise Unlowered("a target that is no name")
    value, routines = node.value, env.scope.known.program.routines
    called = value.function.text if isinstance(value, nodes.Call) else ""
    is_super = called == "super" and _in_procedure(env.scope)
    result = None
    if isinstance(value, nodes.Call) and (
        is_super or (called in routines and routines[called].kind == "procedure")
    ):
        given = _result(env.scope, value)
        result = new_slot(env, RESULT, given)
        _call(writer, value, result, origin)
        value = nodes.Name(RESULT, span=value.span)
        env = with_slot(env, RESULT, given, result)
    if node.operator != "=":
        sign: Any = node.operator[0]
        value = nodes.Sum(node.target, sign, value, span=node.span)
    op, found = lower(env, value)
    target = _target(env, base, tuple(indices), found)
    _emit(writer, Assign(target, convert(env, op, found, _takes(target), value.span), origin))
    if result is not None:
        _emit(writer, Clear((result,), origin))


def _takes(target: Target) -> Type:
    """What a target can be given: a local is `none` as well."""
    return target.type if target.slot is None else optional(target.type)


def _in_procedure(scope: Scope) -> bool:
    return scope.routine is None or scope.routine.kind == "procedure"


def _called(scope: Scope, call: nodes.Call) -> tuple[Routine, int] | None:
    """The procedure that is called, and which version of it; none for `super()` in a trigger."""
    if call.function.text == "super":
        return None if scope.routine is None else (scope.routine, scope.version - 1)
    routine = scope.known.program.routines[call.function.text]
    return routine, len(routine.versions) - 1


def _result(scope: Scope, call: nodes.Call) -> Type:
    called = _called(scope, call)
    node = called[0].versions[called[1]].node if called is not None else None
    if isinstance(node, nodes.Rule) and node.result is not None:
        return declared_type(scope.known, node.result)
    return Unknown()


def block_key(routine: Routine, version: int | None = None) -> str:
    """What the block of a rule is called: by name with its `before` and `after`, by number without."""
    return routine.name if version is None else f"{routine.name}#{version}"


def _call(writer: Writer, call: nodes.Call, into: int | None, origin: Origin) -> None:
    env = writer.env
    _emit(writer, lower_call(env, call, into, origin))


def lower_call(env: Env, call: nodes.Call, into: int | None, origin: Origin) -> Call:
    called = _called(env.scope, call)
    if called is None:
        # In a trigger: the block that this one overrides.
        return Call(f"{env.origin.rule}'", (), into, None, origin)
    routine, version = called
    arguments = lower_arguments(env, routine, version, call.arguments)
    if call.function.text == "super":
        return Call(block_key(routine, version), arguments, into, None, origin)
    return Call(block_key(routine), arguments, into, routine.name, origin)


# ---- Choices -------------------------------------------------------------------------------------


def _options(env: Env, target: nodes.Target, options: nodes.Expr) -> tuple[Op, Type]:
    """The options; in their filter a local goes by its own name."""
    own = target.name.text
    names = () if own in env.scope.known.program.variables else (own,)
    return lower_elements(env, options, names)


def _chosen(env: Env, target: nodes.Target, of: Type, span: Span, *, may: bool = False) -> Target:
    """The target of a choice, with the conversion from what is chosen to what it takes."""
    index = () if target.index is None else (target.index,)
    into = _target(env, target.name, index, of)
    value = chosen = Op("bound", (0,))
    if may and isinstance(of, Several):
        value = Op("or_empty", (chosen,))
    fitting = convert(env, value, optional(of) if may else of, _takes(into), span)
    return into if fitting == chosen else evolve(into, fitting=fitting)


def _prompt(env: Env, text: nodes.Text | None, name: str) -> tuple[str | tuple[Op, Type], ...]:
    if text is None:
        return (f"Choose: {name.replace('_', ' ')}",)
    parts: list[str | tuple[Op, Type]] = []
    for number, part in enumerate(re.split(r"\{(\w+)\}", text.value)):
        if number % 2:
            parts.append(lower(env, nodes.Name(part, span=text.span)))
        elif part:
            parts.append(part)
    return tuple(parts)


def _choose(writer: Writer, node: nodes.Choose | nodes.MayChoose, origin: Origin) -> None:
    player = lower_to(writer.env, node.player, SEAT)
    _emit(writer, Choose(player=player, origin=origin, **_asked(writer.env, node)))


def _each(writer: Writer, node: nodes.Each | nodes.EachMay, origin: Origin) -> None:
    env = writer.env
    name = node.name.text
    players = lower_elements(env, node.players, (name,))[0]
    slot = new_slot(env, "(each)", None)
    seat = new_slot(env, name, SEAT)
    asked = _asked(with_slot(env, name, SEAT, seat), node)
    _emit(writer, Each(slot=slot, seat=seat, players=players, origin=origin, **asked))


def _asked(
    env: Env, node: nodes.Choose | nodes.MayChoose | nodes.Each | nodes.EachMay
) -> dict[str, Any]:
    """What all choices have: the target, the options, and how they are asked for."""
    options, of = _options(env, node.target, node.options)
    may = isinstance(node, nodes.MayChoose | nodes.EachMay)
    decline = node.decline if isinstance(node, nodes.MayChoose | nodes.EachMay) else None
    return {
        "target": _chosen(env, node.target, of, node.span, may=may),
        "options": options,
        "of": of,
        "may": may,
        "prompt": _prompt(env, node.prompt, node.target.name.text),
        "decline": decline.value if decline is not None else "none",
    }

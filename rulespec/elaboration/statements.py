"""The statements of a body -> a block of the core.

Implements docs/language/7-statements.md. The remaining work of a loop or a move is kept in a slot of the frame,
so that a game can be saved and resumed between any two steps.
"""

import re
from collections.abc import Iterator
from typing import Any, TypeAlias, assert_never

from attrs import evolve, frozen

from rulespec.checking.declarations import Routine, local_names
from rulespec.checking.domains import declared_type
from rulespec.checking.scopes import Scope, bind_names, silent
from rulespec.checking.statements import local_types
from rulespec.core import tree, types
from rulespec.core.tree import Body, Op, Origin, Statement
from rulespec.core.types import INT, NONE, POSITION, SEAT, Type, optional, present
from rulespec.elaboration.conversions import convert, element_type
from rulespec.elaboration.environment import (
    Environment,
    FrameLayout,
    Unchecked,
    blank,
    new_slot,
    with_slot,
)
from rulespec.elaboration.expressions import (
    elaborate,
    elaborate_arguments,
    elaborate_condition,
    elaborate_elements,
    elaborate_set,
    elaborate_to,
)
from rulespec.elaboration.operators import add_up
from rulespec.elaboration.origins import explained_statements
from rulespec.source import Span
from rulespec.syntax import nodes


@frozen
class Around:
    """The context of a statement; `result` is the type that the rule returns."""

    env: Environment
    result: Type | None


def elaborate_body(  # noqa: PLR0913, PLR0917 - its body, its slots and what it returns
    scope: Scope,
    body: nodes.Body,
    members: dict[str, int],
    name: str,
    origin: Origin,
    params: tuple[nodes.Param, ...] = (),
    result: Type | None = None,
) -> tree.Block:
    """The block for the statements of a rule, a row, a part or a trigger."""
    known = scope.known
    given = {param.name.text: declared_type(known, param.type) for param in params}
    inner = silent(bind_names(scope, given))
    local = local_names(known.program, body) - given.keys()
    found = local_types(inner, body, result)
    locals_ = {each: found.get(each, NONE) for each in sorted(local)}
    frame = FrameLayout()
    places: dict[str, Op] = {}
    for each, type_ in [*given.items(), *locals_.items()]:
        places[each] = Op("slot", place=len(frame.slots))
        frame.slots.append((each, type_))
    inner = bind_names(inner, {each: _may_be_none(type_) for each, type_ in locals_.items()})
    around = Around(Environment(inner, places, frame, members, origin), result)
    statements = (*_statements(around, body), tree.Return(None, origin))
    return tree.Block(
        name=name,
        title=origin.rule,
        params=len(params),
        blank=tuple(blank(type_) for _, type_ in frame.slots),
        slots=tuple(frame.slots),
        body=statements,
        scratch=frame.scratch,
        origin=origin,
    )


def _may_be_none(type_: Type) -> Type:
    return type_ if isinstance(type_, types.Indexed | types.Several) else optional(type_)


# ---- Statements ----------------------------------------------------------------------------------


def _body(around: Around, node: nodes.Body) -> Body:
    return tuple(_statements(around, node))


def _statements(around: Around, node: nodes.Body) -> Iterator[Statement]:
    match node:
        case nodes.Suite(lines) | nodes.Several(lines):
            env = around.env
            for line, origin in explained_statements(lines, env.origin):
                is_told = origin is not env.origin
                within = evolve(around, env=evolve(env, origin=origin)) if is_told else around
                yield from _statements(within, line)
        case nodes.OneLine(statement):
            yield from _statements(around, statement)
        case nodes.Cells(values):
            for value in values:
                if isinstance(value, nodes.Call):
                    yield elaborate_call(around.env, value, None, _at_line(around.env, value.span))
        case nodes.Doc():
            return
        case _ if isinstance(node, nodes.Statement):
            yield from _statement(around, node)
        case _:
            assert_never(node)


def _at_line(env: Environment, span: Span) -> Origin:
    above = env.origin
    return Origin(above.rule, span, above.cites, above.sentence)


def _statement(around: Around, node: nodes.Statement) -> Iterator[Statement]:
    env = around.env
    origin = _at_line(env, node.span)
    match node:
        case nodes.Perform(call):
            yield elaborate_call(env, call, None, origin)
        case nodes.Assign():
            yield from _assign(env, node, origin)
        case nodes.If(condition, body, otherwise):
            if otherwise is not None and otherwise.body == body:
                # Both branches are the same: neither questions nor clauses tell which one was taken.
                yield from _body(around, body)
                return
            test = elaborate_condition(env, condition)
            then = _body(around, body)
            rest = None if otherwise is None else _body(around, otherwise.body)
            yield tree.If(test, then, rest, origin)
        case nodes.For():
            yield _for(around, node, origin)
        case nodes.Repeat(times, body):
            if times is None:
                yield tree.Repeat(None, None, _body(around, body), origin)
            else:
                left = new_slot(env, "(repeat)", INT)
                number = elaborate_to(env, times, INT)
                yield tree.Repeat(left, number, _body(around, body), origin)
        case nodes.Nothing():
            return
        case nodes.Stop():
            yield tree.Stop(origin)
        case nodes.End():
            yield tree.End(origin)
        case nodes.Return(value):
            wanted = around.result if around.result is not None else types.Unknown()
            given = None if value is None else elaborate_to(env, value, wanted)
            yield tree.Return(given, origin)
        case _ if isinstance(node, Observed):
            yield from _observed(env, node, origin)
        case nodes.Random(target, options):
            drawn = _options(env, target, options)
            of = element_type(drawn.type)
            yield tree.Draw(_chosen(env, target, of, node.span), drawn, of, origin)
        case nodes.Choose(player) | nodes.MayChoose(player):
            asked = elaborate_to(env, player, SEAT)
            alternative = node.alternative if isinstance(node, nodes.Choose) else None
            other = None if alternative is None else _other(env, alternative)
            # A player who takes one of the other options leaves the first target without a value.
            chosen = _asked(env, node, may=alternative is not None)
            yield tree.Choose(player=asked, other=other, origin=origin, **chosen)
        case nodes.Each() | nodes.EachMay():
            yield _each(env, node, origin)
        case _:
            assert_never(node)


Observed: TypeAlias = (
    nodes.Move
    | nodes.Shuffle
    | nodes.Show
    | nodes.Reveal
    | nodes.Announce
    | nodes.Tell
    | nodes.Heading
)


def _observed(env: Environment, node: Observed, origin: Origin) -> Iterator[Statement]:
    """A step that players observe: pieces that move or are shown, and what is told."""
    match node:
        case nodes.Move(pieces, how, zone, position):
            slot = new_slot(env, "(move)", None)
            moved, to = elaborate_set(env, pieces), elaborate(env, zone)
            at = None if position is None else elaborate_to(env, position, POSITION)
            yield tree.Move(slot, moved, to, how == "under", at, origin)
        case nodes.Shuffle(zone):
            yield tree.Shuffle(elaborate(env, zone), origin)
        case nodes.Show(pieces, players):
            yield tree.Show(elaborate_set(env, pieces), elaborate_set(env, players), origin)
        case nodes.Reveal(pieces):
            everybody = Op("seats", type=types.Several(SEAT))
            yield tree.Show(elaborate_set(env, pieces), everybody, origin)
        case nodes.Announce():
            yield from _announce(env, node, origin)
        case nodes.Tell(text, players):
            everybody = Op("seats", type=types.Several(SEAT))
            to = everybody if players is None else elaborate_set(env, players)
            yield tree.Tell(_parts(env, text), to, heading=False, origin=origin)
        case nodes.Heading(text):
            everybody = Op("seats", type=types.Several(SEAT))
            yield tree.Tell(_parts(env, text), everybody, heading=True, origin=origin)
        case _:
            assert_never(node)


def _for(around: Around, node: nodes.For, origin: Origin) -> tree.For:
    env, name = around.env, node.name.text
    values = elaborate_elements(env, node.values, (name,))
    of = element_type(values.type)
    rest = new_slot(env, "(for)", types.Several(of))
    into = new_slot(env, name, of)
    inner = evolve(around, env=with_slot(env, name, of, into))
    return tree.For(rest, into, values, _body(inner, node.body), origin)


# ---- Values --------------------------------------------------------------------------------------


def _target(
    env: Environment, name: nodes.Name, indices: tuple[nodes.Expr, ...], given: Type
) -> tree.Target:
    """The target of an assignment: a local or a state variable."""
    text = name.text
    if text in env.places:
        slot = env.places[text].place
        kept = env.frame.slots[slot][1]
        of = kept if kept is not None else given
        keys: tuple[Op, ...] = ()
        if indices:
            key = elaborate(env, indices[0])
            keys = (convert(env, key, present(key.type), indices[0].span),)
            of = kept.of if isinstance(kept, types.Indexed) else given
        return tree.Target(slot, None, keys, of, text)
    return variable_target(env, text, indices)


def variable_target(env: Environment, name: str, indices: tuple[nodes.Expr, ...]) -> tree.Target:
    known = env.scope.known
    variable = known.program.variables[name].node.node
    domains = [declared_type(known, index) for index in variable.indices]
    keys = tuple(
        elaborate_to(env, index, domain) for index, domain in zip(indices, domains, strict=True)
    )
    return tree.Target(None, name, keys, declared_type(known, variable.type), name)


def indexed(expr: nodes.Expr) -> tuple[nodes.Name, tuple[nodes.Expr, ...]]:
    """The left side of an assignment as its name and its indices."""
    indices: list[nodes.Expr] = []
    while isinstance(expr, nodes.At):
        indices.insert(0, expr.key)
        expr = expr.subject
    if not isinstance(expr, nodes.Name):
        raise Unchecked("a target that is no name")
    return expr, tuple(indices)


def _assign(env: Environment, node: nodes.Assign, origin: Origin) -> Iterator[Statement]:
    base, indices = indexed(node.target)
    value, span = node.value, node.value.span
    called = _procedure(env.scope, value)
    result = None
    if called is not None:
        given = _result(env.scope, called)
        result = new_slot(env, "(result)", given)
        yield elaborate_call(env, called, result, origin)
        op = Op("slot", place=result, type=given)
    else:
        op = elaborate(env, value)
    if node.operator != "=":
        sign: Any = node.operator[0]
        whole = nodes.Sum(node.target, sign, value, span=node.span)
        op, span = add_up(env, whole, elaborate(env, node.target), op), node.span
    target = _target(env, base, indices, op.type)
    yield tree.Assign(target, convert(env, op, _takes(target), span), origin)
    if result is not None:
        yield tree.Clear((result,), origin)


def _announce(env: Environment, node: nodes.Announce, origin: Origin) -> Iterator[Statement]:
    """Assign a local, then tell its value to players."""
    yield from _assign(env, nodes.Assign(node.name, "=", node.value, span=node.span), origin)
    told = elaborate(env, node.name)
    everybody = Op("seats", type=types.Several(SEAT))
    players = everybody if node.players is None else elaborate_set(env, node.players)
    yield tree.Announce(told, players, node.name.text, told.type, origin)


def _parts(env: Environment, text: nodes.Told) -> tuple[str | Op, ...]:
    """The parts of a sentence in order: its texts, and the values in its braces."""
    between = re.split(r"\{[^{}]*\}", text.value)
    parts: list[str | Op] = [between[0]]
    for hole, following in zip(text.holes, between[1:], strict=True):
        value = elaborate(env, hole)
        # For a zone, the sentence shows its contents.
        is_zone = isinstance(value.type, types.Place)
        parts += [elaborate_set(env, hole) if is_zone else value, following]
    return tuple(part for part in parts if part != "")


def _takes(target: tree.Target) -> Type:
    """The type that a target accepts; a local accepts `none` as well."""
    return target.type if target.slot is None else optional(target.type)


def _procedure(scope: Scope, value: nodes.Expr) -> nodes.Call | None:
    """The call of a rule that yields the value, if the value is such a call."""
    if not isinstance(value, nodes.Call):
        return None
    called, routines = value.function.text, scope.known.program.routines
    in_procedure = scope.routine is None or scope.routine.kind == "procedure"
    is_rule = called in routines and routines[called].kind == "procedure"
    return value if is_rule or (called == "super" and in_procedure) else None


def _called(scope: Scope, call: nodes.Call) -> tuple[Routine, int] | None:
    """The called procedure and its version; none for `super()` in a trigger."""
    if call.function.text == "super":
        return None if scope.routine is None else (scope.routine, scope.version - 1)
    routine = scope.known.program.routines[call.function.text]
    return routine, len(routine.versions) - 1


def _result(scope: Scope, call: nodes.Call) -> Type:
    called = _called(scope, call)
    node = called[0].versions[called[1]].node if called is not None else None
    if isinstance(node, nodes.Rule) and node.result is not None:
        return declared_type(scope.known, node.result)
    return types.Unknown()


def block_key(routine: Routine, version: int | None = None) -> str:
    """The key of the block of a rule: its name for the rule with `before` and `after`, with a number for one version alone."""
    return routine.name if version is None else f"{routine.name}#{version}"


def elaborate_call(
    env: Environment, call: nodes.Expr, into: int | None, origin: Origin
) -> tree.Call:
    if not isinstance(call, nodes.Call):
        raise Unchecked("a statement that is no call")
    called = _called(env.scope, call)
    if called is None:
        # In a trigger: the block that this one overrides.
        return tree.Call(f"{env.origin.rule}'", (), into, None, origin)
    routine, version = called
    arguments = elaborate_arguments(env, routine, version, call.arguments)
    if call.function.text == "super":
        return tree.Call(block_key(routine, version), arguments, into, None, origin)
    return tree.Call(block_key(routine), arguments, into, routine.name, origin)


# ---- Choices -------------------------------------------------------------------------------------


def _options(env: Environment, target: nodes.Target, options: nodes.Expr) -> Op:
    """The options; in their filter, the target of the choice names the element."""
    own = target.name.text
    names = () if own in env.scope.known.program.variables else (own,)
    return elaborate_elements(env, options, names)


def _chosen(
    env: Environment, target: nodes.Target, of: Type, span: Span, *, may: bool = False
) -> tree.Target:
    """The target of a choice, with the conversion of the chosen value to its type."""
    index = () if target.index is None else (target.index,)
    into = _target(env, target.name, index, of)
    value = chosen = Op("bound", place=0, type=optional(of) if may else of)
    if may and isinstance(of, types.Several):
        value = Op("or_empty", (chosen,), type=of)
    fitting = convert(env, value, _takes(into), span)
    return into if fitting == chosen else evolve(into, fitting=fitting)


def _prompt(
    env: Environment, text: nodes.Text | None, name: str
) -> tuple[str | tuple[Op, Type], ...]:
    if text is None:
        return (f"Choose: {name.replace('_', ' ')}",)
    parts: list[str | tuple[Op, Type]] = []
    for number, part in enumerate(re.split(r"\{(\w+)\}", text.value)):
        if number % 2:
            op = elaborate(env, nodes.Name(part, span=_hole(text.span, number // 2)))
            parts.append((op, op.type))
        elif part:
            parts.append(part)
    return tuple(parts)


def _hole(text: Span, number: int) -> Span:
    """The span of a name in braces in a prompt."""
    holes = [*re.finditer(r"\{\w+\}", text.source.text[text.start : text.end])]
    if number >= len(holes):
        return text
    return Span(text.source, text.start + holes[number].start(), text.start + holes[number].end())


def _each(env: Environment, node: nodes.Each | nodes.EachMay, origin: Origin) -> tree.Each:
    name = node.name.text
    players = elaborate_elements(env, node.players, (name,))
    slot = new_slot(env, "(each)", None)
    seat = new_slot(env, name, SEAT)
    asked = _asked(with_slot(env, name, SEAT, seat), node)
    return tree.Each(slot=slot, seat=seat, players=players, origin=origin, **asked)


def _other(env: Environment, node: nodes.Alternative) -> tree.Other:
    options = _options(env, node.target, node.options)
    of = element_type(options.type)
    return tree.Other(_chosen(env, node.target, of, node.span, may=True), options, of)


def _asked(
    env: Environment,
    node: nodes.Choose | nodes.MayChoose | nodes.Each | nodes.EachMay,
    *,
    may: bool = False,
) -> dict[str, Any]:
    """The parts that all choices have: the target, the options, and the prompt.

    With `may` the target may become `none` even if nobody can decline.
    """
    options = _options(env, node.target, node.options)
    of = element_type(options.type)
    is_may = isinstance(node, nodes.MayChoose | nodes.EachMay)
    decline = node.decline if isinstance(node, nodes.MayChoose | nodes.EachMay) else None
    return {
        "target": _chosen(env, node.target, of, node.span, may=may or is_may),
        "options": options,
        "of": of,
        "may": is_may,
        "prompt": _prompt(env, node.prompt, node.target.name.text),
        "decline": decline.value if decline is not None else "pass",
    }

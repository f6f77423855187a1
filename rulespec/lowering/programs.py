"""A checked program -> flat code: the one function that lowers all of it."""

import hashlib
from typing import Any

import attrs
from attrs import evolve

from rulespec.checking.attributes import root_scope
from rulespec.checking.declarations import Declarations, Declared
from rulespec.checking.scopes import Scope, bind, silent
from rulespec.core.types import INT, SEAT, Direction, optional
from rulespec.lowering.code import (
    AlwaysRow,
    Block,
    Code,
    ExampleRow,
    Function,
    Op,
    Origin,
    RankRow,
    TriggerRow,
)
from rulespec.lowering.components import (
    lower_attributes,
    lower_enums,
    lower_options,
    lower_pieces,
    lower_variables,
    lower_zones,
    number_members,
)
from rulespec.lowering.environment import Env, Frame
from rulespec.lowering.examples import lower_example
from rulespec.lowering.expressions import lower_condition, lower_to
from rulespec.lowering.origins import documented, origin_of
from rulespec.lowering.routines import lower_function, lower_procedure
from rulespec.lowering.statements import lower_body
from rulespec.source import text_of
from rulespec.syntax import nodes

# A file that is not a whole game yet may have examples all the same.
ANY_NUMBER = nodes.Players(nodes.Integer(1), nodes.Integer(12), None)


def lower_program(program: Declarations) -> Code:
    """The flat code of a program that has passed every check."""
    scope = root_scope(program)
    rows = number_members(scope)
    members = {member.name: number for number, member in enumerate(rows)}
    functions: dict[str, Function] = {}
    blocks: dict[str, Block] = {}
    for routine in program.routines.values():
        if routine.kind == "function":
            functions.update(lower_function(scope, routine, members))
        else:
            blocks.update(lower_procedure(scope, routine, members))
    triggers = _lower_triggers(scope, members, blocks)
    game = program.game.node if program.game is not None else None
    players = program.players.node if program.players is not None else ANY_NUMBER
    return Code(
        title=game.title.value if game is not None else "",
        author=game.author.value if game is not None and game.author is not None else None,
        least_players=players.least.value,
        most_players=(players.most or players.least).value,
        clockwise=players.direction != "counterclockwise",
        members=rows,
        enums=lower_enums(scope, members),
        options=lower_options(scope, members),
        attributes=lower_attributes(scope),
        pieces=lower_pieces(scope, members),
        zones=lower_zones(scope),
        variables=lower_variables(scope, members),
        functions=functions,
        blocks=blocks,
        triggers=triggers,
        always=_lower_always(scope, members),
        ranking=_lower_ranking(scope, members),
    )


def lower_examples(program: Declarations) -> list[tuple[Declared[nodes.Example], ExampleRow]]:
    """The worked examples of a program, each with where it stands."""
    scope = root_scope(program)
    members = {member.name: number for number, member in enumerate(number_members(scope))}
    return [(each, lower_example(scope, each, members)) for each in program.examples]


# [code.fingerprint]
def fingerprint(code: Code) -> str:
    """A name for flat code: equal code has the same, places in the text do not count.

    >>> from rulespec.checking.checks import check_file
    >>> program = check_file("sins.rules").program
    >>> len(fingerprint(lower_program(program.declared)))
    16
    """
    return hashlib.sha256(canonical_text(code).encode()).hexdigest()[:16]


def canonical_text(value: Any) -> str:
    """Flat code as text, the same in every process: sets are sorted, and spans left out."""
    parts: list[str] = []
    _spell(value, parts)
    return "".join(parts)


def _spell(value: Any, parts: list[str]) -> None:
    if isinstance(value, tuple | list):
        parts.append("(")
        for each in value:
            _spell(each, parts)
            parts.append(",")
        parts.append(")")
    elif isinstance(value, frozenset):
        _spell(sorted(value), parts)
    elif isinstance(value, dict):
        _spell([*value.items()], parts)
    elif attrs.has(type(value)):
        parts.append(type(value).__name__)
        _spell([getattr(value, each.name) for each in attrs.fields(type(value)) if each.eq], parts)
    else:
        parts.append(repr(value))


def _env(scope: Scope, members: dict[str, int], origin: Origin) -> Env:
    return Env(silent(scope), {}, Frame(), members, origin)


def _lower_triggers(
    scope: Scope, members: dict[str, int], blocks: dict[str, Block]
) -> tuple[TriggerRow, ...]:
    rows = []
    for name, versions in scope.known.program.triggers.items():
        for older, declared in enumerate(reversed(versions)):
            key = f"when {name}" + "'" * older
            origin = origin_of(declared, key)
            blocks[key] = lower_body(scope, declared.node.body, members, key, origin)
        condition = lower_condition(_env(scope, members, origin), nodes.Name(name))
        rows.append(TriggerRow(condition, f"when {name}", name))
    return tuple(rows)


def _lower_always(scope: Scope, members: dict[str, int]) -> tuple[AlwaysRow, ...]:
    rows = []
    for name, declared in scope.known.program.invariants.items():
        origin = origin_of(declared, f"always {name}")
        env = _env(scope, members, origin)
        condition = lower_condition(env, declared.node.condition)
        rows.append(AlwaysRow(name, condition, env.frame.scratch, origin))
    return tuple(rows)


def _lower_ranking(scope: Scope, members: dict[str, int]) -> tuple[RankRow, ...]:
    declared = scope.known.program.ranking
    if declared is None:
        return ()
    rows = []
    player = declared.node.player.text
    for row, origin in documented(declared.node.criteria, origin_of(declared, "ranking")):
        placed = evolve(origin, span=row.span)
        env = _env(bind(scope, {player: SEAT}), members, placed)
        env = evolve(env, places={player: Op("slot", (0,))})
        order = lower_to(env, row.order, Direction())
        key = lower_to(env, row.key, optional(INT))
        rows.append(RankRow(order, key, env.frame.scratch, text_of(row.key.span), placed))
    return tuple(rows)

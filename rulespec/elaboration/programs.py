"""A checked program -> the core, which every engine begins with."""

from typing import Any, assert_never

from attrs import evolve

from rulespec.checking.attributes import root_scope
from rulespec.checking.declarations import Declarations, Declared
from rulespec.checking.domains import ranked_type
from rulespec.checking.scopes import Scope, bind_names, silent
from rulespec.checking.teams import TEAM, ranking_outcome
from rulespec.core import tree
from rulespec.core.examples import ExampleRow
from rulespec.core.tree import Core, Op, Origin
from rulespec.core.types import INT, SEAT, Direction, optional
from rulespec.core.words import Blurb, Called
from rulespec.elaboration.components import (
    elaborate_attributes,
    elaborate_enums,
    elaborate_options,
    elaborate_pieces,
    elaborate_variables,
    elaborate_zones,
    number_members,
)
from rulespec.elaboration.environment import Environment, FrameLayout
from rulespec.elaboration.examples import elaborate_example
from rulespec.elaboration.expressions import elaborate, elaborate_condition, elaborate_to
from rulespec.elaboration.origins import documented_rows, origin_of
from rulespec.elaboration.routines import elaborate_function, elaborate_procedure
from rulespec.elaboration.statements import elaborate_body
from rulespec.source import Span, text_of
from rulespec.syntax import nodes

# A file may have examples before it is a whole game.
ANY_NUMBER = nodes.Players(nodes.Integer(1), nodes.Integer(12), None)


def elaborate_program(program: Declarations) -> Core[tree.Block]:
    """The core of a program that has passed every check except the information check; cached."""
    if program.core is None:
        program.core = _elaborate(program)
    return program.core


def _elaborate(program: Declarations) -> Core[tree.Block]:
    scope = root_scope(program)
    rows = number_members(scope)
    members = {member.name: number for number, member in enumerate(rows)}
    functions: dict[str, tree.Function] = {}
    blocks: dict[str, tree.Block] = {}
    for routine in program.routines.values():
        if routine.kind == "function":
            functions.update(elaborate_function(scope, routine, members))
        else:
            blocks.update(elaborate_procedure(scope, routine, members))
    triggers = _elaborate_triggers(scope, members, blocks)
    game = program.game.node if program.game is not None else None
    players = program.players.node if program.players is not None else ANY_NUMBER
    return Core(
        title=game.title.value if game is not None else "",
        author=game.author.value if game is not None and game.author is not None else None,
        least_players=players.least.value,
        most_players=(players.most or players.least).value,
        clockwise=players.direction != "counterclockwise",
        members=rows,
        enums=elaborate_enums(scope, members),
        options=elaborate_options(scope, members),
        attributes=elaborate_attributes(scope),
        pieces=elaborate_pieces(scope, members),
        zones=elaborate_zones(scope),
        variables=elaborate_variables(scope, members),
        functions=functions,
        blocks=blocks,
        triggers=triggers,
        always=_elaborate_always(scope, members),
        ranking=_elaborate_ranking(scope, members),
        called={name: _called(each.node.words) for name, each in program.called.items()},
        blurb=_blurb(program),
    )


def _called(words: nodes.Words | nodes.Untold) -> Called:
    match words:
        case nodes.Words(one, several):
            return Called(one.value, several.value if several is not None else None)
        case nodes.Untold():
            return Called(None)
        case _:
            assert_never(words)


def _blurb(program: Declarations) -> Blurb:
    minutes = program.minutes.node if program.minutes is not None else None
    return Blurb(
        about=program.about.node.text.value if program.about is not None else None,
        goal=program.goal.node.text.value if program.goal is not None else None,
        turn=program.turn.node.text.value if program.turn is not None else None,
        minutes=(minutes.least.value, (minutes.most or minutes.least).value) if minutes else None,
        ages=program.ages.node.least.value if program.ages is not None else None,
        advice=tuple(each.node.text.value for each in program.advice),
        credits=tuple(
            (each.node.title.value, each.node.author.value if each.node.author else None)
            for each in program.games
        ),
    )


def elaborate_examples(
    program: Declarations, place: Span | None = None
) -> list[tuple[Declared[nodes.Example], ExampleRow]]:
    """The worked examples of a program, or only the one at a given span, each with its span."""
    scope = root_scope(program)
    members = {member.name: number for number, member in enumerate(number_members(scope))}
    return [
        (each, elaborate_example(scope, each, members))
        for each in program.examples
        if place is None or each.node.span == place
    ]


def _env(scope: Scope, members: dict[str, int], origin: Origin) -> Environment:
    return Environment(silent(scope), {}, FrameLayout(), members, origin)


def _elaborate_triggers(
    scope: Scope, members: dict[str, int], blocks: dict[str, tree.Block]
) -> tuple[tree.TriggerRow, ...]:
    rows = []
    for name, versions in scope.known.program.triggers.items():
        for older, declared in enumerate(reversed(versions)):
            key = f"when {name}" + "'" * older
            origin = origin_of(declared, key)
            blocks[key] = elaborate_body(scope, declared.node.body, members, key, origin)
        condition = elaborate_condition(_env(scope, members, origin), nodes.Name(name))
        rows.append(tree.TriggerRow(condition, f"when {name}", name))
    return tuple(rows)


def _elaborate_always(scope: Scope, members: dict[str, int]) -> tuple[tree.AlwaysRow, ...]:
    rows = []
    for name, declared in scope.known.program.invariants.items():
        origin = origin_of(declared, f"always {name}")
        env = _env(scope, members, origin)
        condition = elaborate_condition(env, declared.node.condition)
        rows.append(tree.AlwaysRow(name, condition, env.frame.scratch, origin))
    return tuple(rows)


def _elaborate_ranking(scope: Scope, members: dict[str, int]) -> tuple[tree.RankRow, ...]:
    declared = scope.known.program.ranking
    if declared is None:
        return ()
    rows = []
    teams, name = scope.known.program.teams, declared.node.player.text
    for row, origin in documented_rows(declared.node.criteria, origin_of(declared, "ranking")):
        env = _ranked_env(scope, members, evolve(origin, span=row.span), name)
        role: Any = ranking_outcome(row)
        if role is None:
            order = elaborate_to(env, row.order, Direction())
            key = elaborate_to(env, row.key, optional(INT))
        else:
            order, key = _most(env), elaborate_condition(env, row.key)
        scratch, title = env.frame.scratch, text_of(row.key.span)
        rows.append(tree.RankRow(order, key, scratch, title, env.origin, role or "score"))
    if teams is not None:
        env = _ranked_env(scope, members, origin_of(teams, "teams"), name)
        team, scratch = env.places[name], env.frame.scratch
        rows.append(tree.RankRow(_most(env), team, scratch, "", env.origin, "team"))
    return tuple(rows)


def _ranked_env(scope: Scope, members: dict[str, int], origin: Origin, name: str) -> Environment:
    """The environment in which a name means the player in slot 0, or that player's team."""
    env = _env(bind_names(scope, {name: SEAT}), members, origin)
    env = evolve(env, places={name: Op("slot", place=0)})
    if scope.known.program.teams is None:
        return env
    team = elaborate(env, nodes.Call(nodes.Name(TEAM), (nodes.Name(name),)))
    inner = _env(bind_names(scope, {name: ranked_type(scope.known)}), members, origin)
    return evolve(inner, places={name: team}, frame=env.frame)


def _most(env: Environment) -> Op:
    return elaborate_to(env, nodes.Name("most"), Direction())

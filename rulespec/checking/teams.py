"""Teams and outcomes -> the function `team` for `teams Side`, and diagnostics for uneven teams and double outcomes."""

from collections.abc import Iterator

from rulespec import codes
from rulespec.checking.builtins import OUTCOMES
from rulespec.checking.declarations import Declarations
from rulespec.checking.scopes import know_enums
from rulespec.diagnostics import Diagnostic, Related
from rulespec.syntax import nodes

TEAM = "team"  # the function that a declaration of teams declares


def team_function(teams: nodes.Teams) -> nodes.Let:
    """`let team(p: Player) = …`; by default, the seats belong to the teams in turn."""
    span = teams.span
    player = teams.player or nodes.Name("p", span=teams.enum.span)
    kind = nodes.NamedType(nodes.Name("Player", span=span), None, span=span)
    value = teams.team or _in_turn(teams.enum, player)
    return nodes.Let(
        nodes.Name(TEAM, span=teams.enum.span),
        (nodes.Param(player, kind, span=span),),
        value,
        span=span,
    )


def _in_turn(enum: nodes.Name, player: nodes.Name) -> nodes.Expr:
    """`least(abs(index(t) - index(p) % #Side) for t in Side)`: the team whose number is that of the seat."""
    span = enum.span

    def call(name: str, argument: nodes.Expr) -> nodes.Expr:
        return nodes.Call(nodes.Name(name, span=span), (argument,), span=span)

    team = nodes.Name("t", span=span)
    seat = nodes.Product(call("index", player), "%", nodes.Count(enum, span=span), span=span)
    distance = nodes.Sum(call("index", team), "-", seat, span=span)
    return nodes.Fold(nodes.Name("least", span=span), call("abs", distance), team, enum, span=span)


def check_outcomes(program: Declarations) -> Iterator[Diagnostic]:
    """Report teams of different sizes, and outcomes that two rows decide."""
    yield from _check_teams(program)
    yield from _check_outcomes(program)


def _check_teams(program: Declarations) -> Iterator[Diagnostic]:
    declared = program.teams
    if declared is None or declared.node.team is not None or program.players is None:
        return
    members, players = know_enums(program).enums.get(declared.node.enum.text), program.players.node
    if not members:
        return
    count = len(members)
    numbers = range(players.least.value, (players.most or players.least).value + 1)
    uneven = [n for n in numbers if n % count]
    if uneven:
        message = f"{uneven[0]} players cannot form {count} teams of the same size"
        hint = f"say who is in which team, as in `teams {declared.node.enum.text} of p = …`, or change `players`"
        yield Diagnostic(codes.UNEVEN_TEAMS, message, declared.node.enum.span, hint=hint)


def ranking_outcome(row: nodes.Criterion) -> str | None:
    """`won` or `drawn`, if that is what a row of a ranking decides."""
    word = row.order.text if isinstance(row.order, nodes.Name) else None
    return word if word in OUTCOMES else None


def _check_outcomes(program: Declarations) -> Iterator[Diagnostic]:
    """Report outcomes that two rows decide."""
    first: dict[str, nodes.Criterion] = {}
    for row in program.ranking.node.criteria if program.ranking is not None else ():
        word = ranking_outcome(row) if isinstance(row, nodes.Criterion) else None
        if word is not None and isinstance(row, nodes.Criterion):
            earlier = first.setdefault(word, row)
            if earlier is not row:
                message = f"`{word}` is decided twice"
                hint = f"join both conditions, as in `{word} | … or …`"
                related = (Related("the first row", earlier.span),)
                yield Diagnostic(codes.REDECLARED, message, row.span, related, hint)

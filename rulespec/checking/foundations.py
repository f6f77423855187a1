"""Declarations -> diagnostics for values that must be known before a game begins, and for rules that the engine calls.

The values of options and components, and the initial values of variables, are computed before any piece is placed;
so they may depend on `players`, on options and, for variables, on `first`, directly or through functions.
"""

from collections.abc import Iterator
from typing import Any

from rulespec import codes
from rulespec.checking.builtins import ENGINE_CALLS
from rulespec.checking.declarations import Declarations, body_of, rule_result, used_names
from rulespec.checking.teams import check_outcomes
from rulespec.diagnostics import Diagnostic
from rulespec.source import Span
from rulespec.syntax import nodes


def check_owners(program: Declarations) -> Iterator[Diagnostic]:
    """Report viewers and counters that a row of a zone or a variable cannot have, as far as the row alone shows it."""
    yield from (each for each, is_sure in _ownerless(program) if is_sure)
    for zone in program.zones.values():
        yield from _check_counters(zone.node)


def lacks_index(program: Declarations, place: Span) -> bool:
    """Whether a place lies in the row of a zone or a variable without an index: one for the table, not for each player."""
    rows: list[Any] = [each.node for each in program.zones.values()]
    rows += [each.node.node for each in program.variables.values()]
    return any(
        not row.indices
        and row.span.source is place.source
        and row.span.start <= place.start < row.span.end
        for row in rows
    )


def _ownerless(program: Declarations) -> Iterator[tuple[Diagnostic, bool]]:
    """Rows that name an owner but have none, and whether that is sure: an unknown type may be a misspelt `Player`."""
    rows: list[tuple[str, Any]] = [
        *(("variable", each.node.node) for each in program.variables.values()),
        *(("zone", each.node) for each in program.zones.values()),
    ]
    for what, row in rows:
        names = [each.name.text for each in row.indices if isinstance(each, nodes.NamedType)]
        is_sure = all(name == "Bool" or name in program.enums for name in names)
        found = _check_viewers(row) if what == "variable" else _check_owner(what, row, row.viewers)
        yield from ((each, is_sure) for each in found)


def check_foundations(program: Declarations) -> Iterator[Diagnostic]:
    """Report values that are needed too early, and rules that the engine cannot call."""
    yield from _check_options(program)
    playing = {*program.zones, *program.variables, "box", "ended"}
    for rows in program.kinds.values():
        for row in rows:
            yield from _too_early(program, row.node, row.node.copies, playing | {"first"})
            for attribute in row.node.attributes:
                if isinstance(attribute, nodes.Fixed):
                    yield from _too_early(program, row.node, attribute.value, playing | {"first"})
    for variable in program.variables.values():
        start = variable.node.node.start
        yield from _too_early(program, variable.node.node, start, playing)
    yield from (each for each, is_sure in _ownerless(program) if not is_sure)
    yield from _check_engine_calls(program)
    yield from check_outcomes(program)


def _check_options(program: Declarations) -> Iterator[Diagnostic]:
    """An option may depend on the options before it, by default and when it is set."""
    later = {*program.options}
    playing = {*program.zones, *program.variables, "box", "first", "ended"}
    for name, option in program.options.items():
        chosen = program.chosen.get(name)
        values = [option.node.default, *([chosen.value] if chosen is not None else [])]
        if option.node.condition is not None:
            values.append(option.node.condition)
        for value in values:
            yield from _too_early(program, option.node, value, playing | later)
        later.remove(name)


def _too_early(
    program: Declarations, node: Any, value: nodes.Expr, unknown: set[str]
) -> Iterator[Diagnostic]:
    own = {attribute.name.text for attribute in getattr(node, "attributes", ())}
    seen: set[str] = set()
    waiting: list[tuple[Any, set[str], nodes.Name | None]] = [(value, own, None)]
    while waiting:
        tree, bound, through = waiting.pop()
        for name in used_names(tree):
            place = through or name
            routine = program.routines.get(name.text)
            if name.text in bound:
                continue
            if name.text in unknown:
                way = f" through `{through.text}`" if through is not None else ""
                message = (
                    f"this must be known before the game begins, but depends on `{name.text}`{way}"
                )
                hint = "use numbers, `players` and options declared before it"
                if isinstance(node, nodes.Option) and name.text == node.name.text:
                    hint = "write `it` for the value of the option"
                yield Diagnostic(codes.TOO_EARLY, message, place.span, hint=hint)
                return
            if routine is not None and routine.kind == "function" and name.text not in seen:
                seen.add(name.text)
                for version in routine.versions:
                    params = {param.name.text for param in version.node.params}
                    waiting.append((body_of(version.node), params, place))


def _check_viewers(variable: nodes.Variable) -> Iterator[Diagnostic]:
    """A variable has no top, and only a variable with the index `Player` has an owner."""
    viewers = variable.viewers
    if viewers is None:
        return
    if viewers.who == "top":
        message = f"`{variable.name.text}` is a variable, and only a pile has a top"
        hint = "write `everyone`, `owner`, `others` or `nobody`"
        yield Diagnostic(codes.WRONG_KIND, message, viewers.span, hint=hint)
    yield from _check_owner("variable", variable, viewers)


def _check_counters(zone: nodes.Zone) -> Iterator[Diagnostic]:
    """Whoever sees into a zone can count it, and everybody sees the height of a pile."""
    counters, viewers, name = zone.counters, zone.viewers.who, zone.name.text
    if counters is None or counters.who == "everyone":
        return
    if counters.who == "top":
        message = f"who counts `{name}` counts all of it, not only the top"
        hint = "write `everyone`, `owner`, `others` or `nobody`"
        yield Diagnostic(codes.WRONG_KIND, message, counters.span, hint=hint)
        return
    if zone.order == "pile":
        message = f"`{name}` is a pile, and everybody sees how high it is"
        hint = "make it a `pool`, or write `everyone`"
        yield Diagnostic(codes.WRONG_KIND, message, counters.span, hint=hint)
    elif viewers not in ("nobody", counters.who):
        who = {"owner": "its owner sees", "others": "the others see"}.get(viewers, "everyone sees")
        message = f"{who} into `{name}`, and so can count what lies there"
        hint = f"write `{viewers if viewers in ('owner', 'others') else 'everyone'}`"
        yield Diagnostic(codes.WRONG_KIND, message, counters.span, hint=hint)
    yield from _check_owner("zone", zone, counters)


def _check_owner(
    what: str, row: nodes.Zone | nodes.Variable, viewers: nodes.Viewers
) -> Iterator[Diagnostic]:
    owned = any(
        isinstance(index, nodes.NamedType) and index.name.text == "Player" for index in row.indices
    )
    if viewers.who in ("owner", "others") and not owned:
        message = (
            f"nobody owns `{row.name.text}`: only a {what} with the index `Player` has an owner"
        )
        hint = f"write `{row.name.text}[Player]`"
        yield Diagnostic(codes.WRONG_KIND, message, viewers.span, hint=hint)


def _check_engine_calls(program: Declarations) -> Iterator[Diagnostic]:
    if program.game is not None and "play" not in program.routines:
        message = "this game has no rule `play`, so nobody can play it yet"
        hint = "write `rule play`, or `use turns` and a `rule turn(p: Player)`"
        span = program.game.node.span
        yield Diagnostic(codes.NO_PLAY, message, span, hint=hint, severity="warning")
    for name in ENGINE_CALLS:
        routine = program.routines.get(name)
        if routine is None:
            continue
        node = routine.versions[-1].node
        if routine.kind != "procedure" or node.params or rule_result(routine) is not None:
            message = (
                f"the game calls `{name}` by itself, so it is a rule without parameters or result"
            )
            yield Diagnostic(codes.WRONG_KIND, message, node.name.span, hint=f"write `rule {name}`")

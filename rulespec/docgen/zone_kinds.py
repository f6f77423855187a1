"""A program -> for each zone, the kinds of pieces that can lie there: as declared, or else those that rules move there."""

from typing import assert_never

from rulespec.checking.declarations import Declarations, routine_parts, walk
from rulespec.syntax import nodes

KindsByZone = dict[str, frozenset[str]]
_NO_KINDS: frozenset[str] = frozenset()


def kinds_by_zone(declared: Declarations) -> KindsByZone:
    """The kinds of each zone, by following all moves until nothing changes."""
    every = frozenset(declared.kinds)
    found: KindsByZone = {
        name: frozenset(kind.text for kind in zone.node.holds)
        for name, zone in declared.zones.items()
    }
    fixed = {name for name, kinds in found.items() if kinds}
    found["box"] = every
    parts = [
        each
        for routine in declared.routines.values()
        for part in routine_parts(routine)
        for each in walk(part.node)
    ]
    moves = [each for each in parts if isinstance(each, nodes.Move)]
    sources = _sources(parts)
    for _ in range(len(declared.zones) + 1):
        before = dict(found)
        for move in moves:
            goal = _base(move.zone)
            kinds = _kinds(declared, found, sources, move.pieces, 0)
            # What is moved to a zone that a rule is given may be moved to any.
            goals = [goal] if goal in declared.zones else [*declared.zones]
            for each in goals:
                if each not in fixed:
                    found[each] |= kinds
        if found == before:
            break
    return {name: kinds or every for name, kinds in found.items()}


def _sources(parts: list[nodes.Node]) -> dict[str, list[nodes.Expr]]:
    """Of every name that is chosen, or given a value, what it may be."""
    found: dict[str, list[nodes.Expr]] = {}
    for each in parts:
        if isinstance(each, nodes.Choice | nodes.Alternative | nodes.Random):
            found.setdefault(each.target.name.text, []).append(each.options)
        elif isinstance(each, nodes.Assign):
            found.setdefault(_base(each.target), []).append(each.value)
        elif isinstance(each, nodes.Let):
            found.setdefault(each.name.text, []).append(each.value)
    return found


def _base(expr: nodes.Expr) -> str:
    """The name of what something is part of."""
    while isinstance(expr, nodes.Selection):
        expr = expr.subject
    return expr.text if isinstance(expr, nodes.Name) else ""


def _kinds(
    declared: Declarations,
    found: KindsByZone,
    sources: dict[str, list[nodes.Expr]],
    expr: nodes.Expr,
    depth: int,
) -> frozenset[str]:
    """The kinds of some pieces, as far as they are known by now."""
    if depth > len(declared.kinds) + 5:
        return frozenset(declared.kinds)

    def go_on(inner: nodes.Expr) -> frozenset[str]:
        return _kinds(declared, found, sources, inner, depth + 1)

    match expr:
        case nodes.Name(name) if name in found:
            return found[name]
        case nodes.Name(name) if name in sources:
            return _NO_KINDS.union(*map(go_on, sources[name]))
        case nodes.At(_, nodes.Name(kind)) if kind in declared.kinds:
            return frozenset({kind})
        case nodes.At(subject) | nodes.Having(subject) | nodes.Where(subject):
            return go_on(subject)
        case nodes.Sum(left, "+", right) | nodes.Conditional(left, _, right):
            return go_on(left) | go_on(right)
        case nodes.Sum(left):
            return go_on(left)
        case nodes.Call(function, (first, *_)) if function.text in ("top", "subsets", "alike"):
            return go_on(first)
        case nodes.Call(function, _) if function.text in sources:
            return go_on(function)
        case _ if isinstance(expr, nodes.OfAKind):
            return frozenset(declared.kinds)
        case _:
            assert_never(expr)

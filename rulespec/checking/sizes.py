"""A set in its scope -> how many elements it has at least, in every game.

Implements docs/language/12-checks.md, "Doubts". Nought means that nothing is known, so every answer is safe:
what is not proved is tested while playing. `choices` tells what is empty in every game.
"""

from typing import assert_never

from attrs import evolve

from rulespec.checking.declarations import Routine, called_name, used_names
from rulespec.checking.domains import builtin_value
from rulespec.checking.evidence import suppose
from rulespec.checking.expressions import routine_scope, table_rows, type_of
from rulespec.checking.scopes import NO_SIZES, Scope, bind, silent
from rulespec.checking.substitution import IT, Effort, of_element, plain, unfold
from rulespec.core.types import (
    SEAT,
    Bool,
    Choice,
    Direction,
    Maybe,
    Number,
    Piece,
    Place,
    Seat,
    Several,
    Type,
    present,
)
from rulespec.syntax import nodes


def least(scope: Scope, expr: nodes.Expr) -> int:
    """How many elements a set has at least."""
    quiet = silent(scope)
    return _least(Effort(), quiet, expr)


def _least(effort: Effort, scope: Scope, expr: nodes.Expr) -> int:
    expr = plain(expr)
    return max(scope.sizes.get(expr, 0), _size(effort, scope, expr))


def _size(effort: Effort, scope: Scope, expr: nodes.Expr) -> int:
    match expr:
        case nodes.Name(text) if text not in scope.names and text in scope.known.enums:
            return len(scope.known.enums[text])
        case nodes.Name("Player") if "Player" not in scope.names:
            return _players(scope)
        case nodes.Name("Bool") if "Bool" not in scope.names:
            return 2
        case nodes.Range(low, high):
            return _range(type_of(scope, low), type_of(scope, high))
        case nodes.List(items):
            return _listed(scope, items)
        case nodes.Where(values, test):
            return _filtered(effort, scope, values, test)
        case nodes.Build(value, name, values):
            return _built(effort, scope, value, name.text, values)
        case nodes.Conditional(value, test, otherwise):
            yes = suppose(effort, scope, test, holds=True)
            no = suppose(effort, scope, test, holds=False)
            return min(_least(effort, yes, value), _least(effort, no, otherwise))
        case nodes.Sum(left, "+", right):
            return max(_least(effort, scope, left), _least(effort, scope, right))
        case nodes.Sum(left, "-", nodes.List(items)) if all(_is_one(scope, each) for each in items):
            return max(0, _least(effort, scope, left) - len(items))
        case nodes.Get(subject, name) if not _is_output(scope, subject):
            return _values(effort, scope, subject, name.text)
        case nodes.Call():
            return _called(effort, scope, expr)
        case nodes.Name() | nodes.Get():
            return _calculated(effort, scope, expr)
        case (
            nodes.Test() | nodes.Calculation() | nodes.Selection() | nodes.Fold() | nodes.Written()
        ):
            return _single(type_of(scope, expr))
        case _:
            assert_never(expr)


def _called(effort: Effort, scope: Scope, expr: nodes.Call) -> int:
    match expr.function.text, expr.arguments:
        case "order", _:
            return _players(scope)
        case "others", _:
            return _players(scope) - 1
        case "subsets", (values, *wanted):
            return _subsets(effort, scope, values, wanted)
        case "top", (values,):
            return min(1, _least(effort, scope, values))
        case "top", (values, number):
            found = type_of(scope, number)
            size = found.low if isinstance(found, Number) else 0
            return max(0, min(size, _least(effort, scope, values)))
        case _:
            return _calculated(effort, scope, expr)


def _calculated(effort: Effort, scope: Scope, expr: nodes.Name | nodes.Call | nodes.Get) -> int:
    """What a function gives, or one output of it."""
    output = expr.name.text if isinstance(expr, nodes.Get) else ""
    text = called_name(expr.subject if isinstance(expr, nodes.Get) else expr)
    routine = scope.known.program.routines.get(text or "") if text not in scope.names else None
    if routine is None or routine.kind != "function":
        return _single(type_of(scope, expr))
    body = unfold(effort, scope.known.program, scope.names, expr)
    if body is not None:
        return _least(effort, scope, body)
    return _smallest_cell(effort, scope, routine, output)


def _single(type_: Type) -> int:
    """One, if this is a value that is never `none` and so a set of one."""
    return int(isinstance(type_, Number | Choice | Bool | Seat | Direction | Piece))


def _players(scope: Scope) -> int:
    players = builtin_value(scope.known, "players")
    return players.low if isinstance(players, Number) else 1


def _is_output(scope: Scope, subject: nodes.Expr) -> bool:
    name = called_name(subject)
    routine = scope.known.program.routines.get(name or "") if name not in scope.names else None
    return routine is not None and isinstance(routine.versions[-1].node, nodes.Table)


# ---- Ranges, lists and filters -------------------------------------------------------------------


def _range(low: Type, high: Type) -> int:
    match low, high:
        case Number(_, first), Number(last, _):
            return max(0, last - first + 1)
        case Choice(enum, domain, a), Choice(other, _, b) if enum == other:
            first, last = max(map(domain.index, a)), min(map(domain.index, b))
            return max(0, last - first + 1)
        case _:
            return 0


def _listed(scope: Scope, items: tuple[nodes.Expr, ...]) -> int:
    """Members and numbers differ; of other elements, unless they may be `none`, one is there at least."""
    types = [type_of(scope, item) for item in items]
    apart = {
        item
        for item in items
        if isinstance(item, nodes.Number)
        or (isinstance(item, nodes.Name) and item.text in scope.known.owners.keys() - scope.names)
    }
    there = any(_single(type_) or isinstance(type_, Several | Place) for type_ in types)
    return max(len(apart), int(there))


def _built(effort: Effort, scope: Scope, value: nodes.Expr, name: str, values: nodes.Expr) -> int:
    inner = of_element(values, name)
    found = type_of(scope, inner)
    match found:
        case Several(of):
            element: Type = of
        case Place(kinds):
            element = Piece(kinds)
        case _:
            return 0
    there = type_of(bind(scope, {name: element}), value)
    kept = _single(there) or isinstance(there, Several | Place)
    return min(1, _least(effort, scope, inner)) if kept else 0


def _filtered(effort: Effort, scope: Scope, values: nodes.Expr, test: nodes.Expr) -> int:
    """`Type where it == t or …` has `t`; `Player where it != p` is short of one."""
    operands = test.operands if isinstance(test, nodes.Or) else (test,)
    if any(_is_in(scope, values, _compared(each, "==")) for each in operands):
        return 1
    operands = test.operands if isinstance(test, nodes.And) else (test,)
    others = [other for each in operands if (other := _compared(each, "!=")) is not None]
    if len(others) == len(operands) and all(_is_one(scope, other) for other in others):
        return max(0, _least(effort, scope, values) - len(operands))
    return _least(effort, scope, values) if test == nodes.Constant("yes") else 0


def _is_one(scope: Scope, expr: nodes.Expr) -> bool:
    """Whether taking this away takes one element at most: a face may be that of many pieces."""
    return _single(present(type_of(scope, expr))) > 0


def _compared(test: nodes.Expr, sign: str) -> nodes.Expr | None:
    """What `it` is compared with."""
    if not isinstance(test, nodes.Compare) or test.relation.sign != sign:
        return None
    left, right = test.left, test.right
    other = right if left == IT else left if right == IT else None
    uses = other is None or any(name.text == IT.text for name in used_names(other))
    return None if uses else other


def _is_in(scope: Scope, values: nodes.Expr, other: nodes.Expr | None) -> bool:
    """Whether a value is surely one of all players, or of all members of an enum."""
    if other is None or not isinstance(values, nodes.Name) or values.text in scope.names:
        return False
    found = type_of(scope, other)
    if isinstance(found, Choice):
        return found.members <= frozenset(scope.known.enums.get(values.text, ()))
    return found == SEAT and values.text == "Player"


# ---- Attributes, families and tables -------------------------------------------------------------


def _values(effort: Effort, scope: Scope, subject: nodes.Expr, name: str) -> int:
    """The values of an attribute: one at least, if every piece there has one."""
    found = type_of(scope, subject)
    attribute = scope.known.attributes.get(name)
    kinds = present(found.of if isinstance(found, Several) else found)
    if attribute is None or attribute.set_valued or not isinstance(kinds, Piece | Place):
        return 0
    types = [attribute.by_kind.get(kind) for kind in kinds.kinds]
    if any(type_ is None or isinstance(type_, Maybe) for type_ in types):
        return 0
    return min(1, _least(effort, scope, subject))


def _subsets(effort: Effort, scope: Scope, values: nodes.Expr, wanted: list[nodes.Expr]) -> int:
    """Sets of a size that the whole has are there; so is the empty set, if any size will do."""
    if not wanted:
        return 1
    if isinstance(wanted[0], nodes.Range):
        low, high = type_of(scope, wanted[0].low), type_of(scope, wanted[0].high)
        if not _range(low, high):
            return 0
    else:
        low = high = type_of(scope, wanted[0])
    if not isinstance(low, Number) or not isinstance(high, Number) or high.low < 0:
        return 0
    return int(max(0, low.high) <= _least(effort, scope, values))


def _smallest_cell(effort: Effort, scope: Scope, routine: Routine, output: str) -> int:
    """The smallest set among the cells of a table, whatever its parameters are."""
    key = (routine.name, output)
    smallest = scope.known.smallest
    if key not in smallest:
        smallest[key] = 0  # for tables that use each other in a circle
        node = routine.versions[-1].node
        outputs = (
            [name.text for name in node.header.outputs] if isinstance(node, nodes.Table) else []
        )
        column = outputs.index(output) if output in outputs else 0
        if outputs and (len(outputs) == 1 or output in outputs) and effort.left > 0:
            last = len(routine.versions) - 1
            inner = routine_scope(evolve(scope, sizes=NO_SIZES), routine, last)
            rows = [row.body for row in table_rows(routine, last)]
            cells = [row.values[column] for row in rows if isinstance(row, nodes.Cells)]
            smallest[key] = min((_least(effort, inner, cell) for cell in cells), default=0)
    return smallest[key]

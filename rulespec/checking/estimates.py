"""An expression in its scope -> what is true of its value in every game: how many elements, whether it holds.

Implements docs/language/12-checks.md, "Doubts" and "Choices". A type says which values are possible; an estimate adds
what only few places need: the least and the most elements of a set, whether a
condition always or never holds, and whether a family has too many sets to list them. Nothing is assumed about
anything else, so every answer is safe: what is not proved is tested during play.
"""

from functools import reduce
from math import comb
from typing import assert_never

from attrs import evolve

from rulespec.checking.declarations import Routine, called_name, table_rows, used_names
from rulespec.checking.domains import builtin_value
from rulespec.checking.expressions import routine_scope, type_of
from rulespec.checking.scopes import UNKNOWN_VALUE, Estimate, Scope, bind_names, silent
from rulespec.checking.size_facts import assume_sizes
from rulespec.checking.substitution import IT, Effort, inline_call, normalized, of_element
from rulespec.core.types import (
    MOST,
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

FEW_PIECES = 12  # of so many, all subsets may be listed


def estimate(scope: Scope, expr: nodes.Expr) -> Estimate:
    """What is known of the value of an expression."""
    return _estimate(Effort(), silent(scope), expr)


def _estimate(effort: Effort, scope: Scope, expr: nodes.Expr) -> Estimate:
    expr = normalized(expr)
    found = _value(effort, scope, expr)
    shown = scope.sizes.get(expr, 0) if scope.sizes else 0
    return found if shown <= found.least else evolve(found, least=shown)


def _value(effort: Effort, scope: Scope, expr: nodes.Expr) -> Estimate:
    match expr:
        case nodes.Constant("none"):
            return Estimate(0, 0)
        case nodes.Constant(word):
            return Estimate(1, 1, word == "yes")
        case nodes.Not(operand):
            holds = _estimate(effort, scope, operand).holds
            return Estimate(1, 1, None if holds is None else not holds)
        case nodes.And(operands) | nodes.Or(operands):
            # One `no` decides an `and`, one `yes` an `or`.
            decides = isinstance(expr, nodes.Or)
            answers = {_estimate(effort, scope, operand).holds for operand in operands}
            undecided = None if None in answers else not decides
            return Estimate(1, 1, decides if decides in answers else undecided)
        case nodes.Compare(left, relation, right):
            holds = _compared(type_of(scope, left), relation.sign, type_of(scope, right))
            return Estimate(1, 1, holds)
        case nodes.Range(low, high):
            return _range(expr, type_of(scope, low), type_of(scope, high))
        case nodes.List(items):
            return Estimate(_listed(scope, items), len(items))
        case nodes.Where(values, test):
            return _filtered(scope, expr, test, _estimate(effort, scope, values))
        case nodes.Build(value, name, values):
            inner = of_element(values, name.text)
            whole = _estimate(effort, scope, inner)
            kept = _is_kept(scope, value, name.text, type_of(scope, inner))
            least = min(1, whole.least) if kept else 0
            return Estimate(least, whole.most, listed=expr if whole.many else None)
        case nodes.Conditional(value, test, otherwise):
            yes = assume_sizes(effort, scope, test, holds=True)
            no = assume_sizes(effort, scope, test, holds=False)
            return _either(_estimate(effort, yes, value), _estimate(effort, no, otherwise))
        case nodes.Sum(left, _, right):
            one, other = _estimate(effort, scope, left), _estimate(effort, scope, right)
            return _combined(scope, expr, one, other)
        case nodes.Get(subject, name) if not _is_output(scope, subject):
            whole = _estimate(effort, scope, subject)
            least = _values(scope, subject, name.text, whole.least)
            return Estimate(least, MOST if whole.most else 0)
        case nodes.At(subject) | nodes.Having(subject):
            most = MOST if _estimate(effort, scope, subject).most else 0
            return Estimate(min(most, _single(type_of(scope, expr))), most)
        case nodes.Call(function, arguments):
            return _builtin(effort, scope, function.text, arguments) or _called(effort, scope, expr)
        case nodes.Name() | nodes.Get():
            return _named(scope, expr) or _called(effort, scope, expr)
        case nodes.Product() | nodes.Count() | nodes.Negative() | nodes.Fold() | nodes.Written():
            return Estimate(_single(type_of(scope, expr)))
        case _:
            assert_never(expr)


def _either(one: Estimate, other: Estimate) -> Estimate:
    """What is true of a value that is one or the other."""
    holds = one.holds if one.holds == other.holds else None
    listed = one.listed if one.listed is not None else other.listed
    least, most = min(one.least, other.least), max(one.most, other.most)
    return Estimate(least, most, holds, one.many or other.many, listed)


def _single(type_: Type) -> int:
    """1, if this is a single value that is never `none`."""
    return int(isinstance(type_, Number | Choice | Bool | Seat | Direction | Piece))


# ---- Names and functions -------------------------------------------------------------------------


def _named(scope: Scope, expr: nodes.Expr) -> Estimate | None:
    """All members of an enum, all players."""
    text = expr.text if isinstance(expr, nodes.Name) else ""
    if text in scope.names:
        return None
    if text in scope.known.enums:
        size = len(scope.known.enums[text])
        return Estimate(size, size)
    if text == "Player":
        return Estimate(*_players(scope))
    return Estimate(2, 2) if text == "Bool" else None


def _players(scope: Scope) -> tuple[int, int]:
    players = builtin_value(scope.known, "players")
    return (players.low, players.high) if isinstance(players, Number) else (1, MOST)


def _builtin(
    effort: Effort, scope: Scope, name: str, arguments: tuple[nodes.Expr, ...]
) -> Estimate | None:
    if name in scope.known.program.routines:
        return None
    match name, arguments:
        case "order", _:
            return Estimate(*_players(scope))
        case "others", _:
            least, most = _players(scope)
            return Estimate(least - 1, most - 1)
        case "subsets" | "alike" | "runs", (values, *wanted):
            return _family(scope, name, _estimate(effort, scope, values), wanted)
        case "top", (values, *wanted):
            whole = _estimate(effort, scope, values)
            found = type_of(scope, wanted[0]) if wanted else Number(1, 1)
            size = found.low if isinstance(found, Number) else 0
            return Estimate(max(0, min(size, whole.least)), MOST if whole.most else 0)
        case _:
            return None


def _called(effort: Effort, scope: Scope, expr: nodes.Name | nodes.Call | nodes.Get) -> Estimate:
    """What is true of the result of a function, or of one output of a table."""
    output = expr.name.text if isinstance(expr, nodes.Get) else ""
    text = called_name(expr.subject if isinstance(expr, nodes.Get) else expr)
    routine = scope.known.program.routines.get(text or "") if text not in scope.names else None
    if routine is None or routine.kind != "function":
        return Estimate(_single(type_of(scope, expr)))
    always = _always(effort, scope, routine, output)
    body = (
        None
        if always.holds is not None
        else inline_call(effort, scope.known.program, scope.names, expr)
    )
    if body is None:
        return always
    here = _estimate(effort, scope, body)
    return evolve(here, least=max(always.least, here.least), most=min(always.most, here.most))


def _always(effort: Effort, scope: Scope, routine: Routine, output: str) -> Estimate:
    """What is true of every result of a function, whatever its arguments are."""
    key = (routine.name, output)
    found = scope.known.estimates
    if key not in found:
        if effort.left <= 0:
            return UNKNOWN_VALUE
        effort.left -= 1
        found[key] = UNKNOWN_VALUE  # for functions that call each other
        last = len(routine.versions) - 1
        inner = routine_scope(scope, routine, last)
        cells = [_estimate(effort, inner, cell) for cell in _cells(routine, output)]
        found[key] = reduce(_either, cells) if cells else UNKNOWN_VALUE
    return found[key]


def _cells(routine: Routine, output: str) -> list[nodes.Expr]:
    """The expressions one of which is the result of a function."""
    node = routine.versions[-1].node
    if isinstance(node, nodes.Let):
        return [] if output else [node.value]
    outputs = [name.text for name in node.header.outputs] if isinstance(node, nodes.Table) else []
    if len(outputs) != 1 and output not in outputs:
        return []
    column = outputs.index(output) if output in outputs else 0
    rows = [row.body for row in table_rows(routine, len(routine.versions) - 1)]
    return [row.values[column] for row in rows if isinstance(row, nodes.Cells)]


def _is_output(scope: Scope, subject: nodes.Expr) -> bool:
    name = called_name(subject)
    routine = scope.known.program.routines.get(name or "") if name not in scope.names else None
    return routine is not None and isinstance(routine.versions[-1].node, nodes.Table)


# ---- Ranges, lists and filters -------------------------------------------------------------------


def _range(expr: nodes.Range, low: Type, high: Type) -> Estimate:
    """The least size in any game; the greatest size only as far as the text alone decides it."""
    match low, high:
        case Number(a, b), Number(c, d):
            # What depends on a name may stand under an `if` for other games.
            most = MOST if used_names(expr) else max(0, d - a + 1)
            return Estimate(max(0, c - b + 1), most)
        case Choice(enum, domain, a), Choice(other, _, b) if enum == other:
            first, last = max(map(domain.index, a)), min(map(domain.index, b))
            return Estimate(max(0, last - first + 1))
        case _:
            return UNKNOWN_VALUE


def _listed(scope: Scope, items: tuple[nodes.Expr, ...]) -> int:
    """Different members and numbers count each; of the other elements, one counts unless it may be `none`."""
    types = [type_of(scope, item) for item in items]
    apart = {
        item
        for item in items
        if isinstance(item, nodes.Number)
        or (isinstance(item, nodes.Name) and item.text in scope.known.owners.keys() - scope.names)
    }
    there = any(_single(type_) or isinstance(type_, Several | Place) for type_ in types)
    return max(len(apart), int(there))


def _combined(scope: Scope, expr: nodes.Sum, one: Estimate, other: Estimate) -> Estimate:
    """Two sets together, one without the other, or what they have in common."""
    many = one.many or other.many
    listed = expr if many else None
    match expr.operator, expr.right:
        case "+", _:
            least, most = max(one.least, other.least), min(MOST, one.most + other.most)
        case "-", nodes.List(items) if all(_is_one(scope, each) for each in items):
            least, most = max(0, one.least - len(items)), one.most
        case "-", right:
            least = _single(type_of(scope, expr))
            most = 0 if expr.left == right and not least else one.most
        case _:
            least, most = 0, min(one.most, other.most)
    return Estimate(least, most, many=many, listed=listed)


def _is_kept(scope: Scope, value: nodes.Expr, name: str, values: Type) -> bool:
    """Whether a value is never `none`, with each of these for the name."""
    match values:
        case Several(of):
            element: Type = of
        case Place(kinds):
            element = Piece(kinds)
        case _:
            return False
    there = type_of(bind_names(scope, {name: element}), value)
    return _single(there) > 0 or isinstance(there, Several | Place)


def _filtered(scope: Scope, expr: nodes.Where, test: nodes.Expr, whole: Estimate) -> Estimate:
    """`Type where it == t or …` contains `t`; `Player where it != p` has one element less."""
    most = 0 if test == nodes.Constant("no") else whole.most
    listed = expr if whole.many else None
    operands = test.operands if isinstance(test, nodes.Or) else (test,)
    others = test.operands if isinstance(test, nodes.And) else (test,)
    taken = [other for each in others if (other := _distinct(each, "!=")) is not None]
    least = whole.least if test == nodes.Constant("yes") else 0
    if any(_is_in(scope, expr.values, _distinct(each, "==")) for each in operands):
        least = 1
    elif len(taken) == len(others) and all(_is_one(scope, other) for other in taken):
        least = max(0, whole.least - len(taken))
    return Estimate(least, most, many=whole.many, listed=listed)


def _is_one(scope: Scope, expr: nodes.Expr) -> bool:
    """Whether this removes at most one element from a set; a face may stand for many pieces."""
    return _single(present(type_of(scope, expr))) > 0


def _distinct(test: nodes.Expr, sign: str) -> nodes.Expr | None:
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


# ---- Attributes and families ---------------------------------------------------------------------


def _values(scope: Scope, subject: nodes.Expr, name: str, pieces: int) -> int:
    """The least number of values of an attribute: 1 if there is a piece and all pieces have the attribute."""
    found = type_of(scope, subject)
    attribute = scope.known.attributes.get(name)
    kinds = present(found.of if isinstance(found, Several) else found)
    if attribute is None or attribute.set_valued or not isinstance(kinds, Piece | Place):
        return 0
    types = [attribute.by_kind.get(kind) for kind in kinds.kinds]
    if any(type_ is None or isinstance(type_, Maybe) for type_ in types):
        return 0
    return min(1, pieces)


def _family(scope: Scope, name: str, whole: Estimate, wanted: list[nodes.Expr]) -> Estimate:
    """A family is not empty if the whole set is large enough; the empty set is a subset of any size."""
    if name != "subsets":
        # Sets that have something in common are few if their size is given.
        many = len(wanted) < 2 and whole.most > FEW_PIECES
        return Estimate(0, 0 if whole.most < 2 else MOST, many=many)
    if not wanted:
        return Estimate(1, many=whole.most > FEW_PIECES)
    sizes, first, spread = wanted[0], wanted[0], Estimate(1)
    low = high = type_of(scope, sizes)
    if isinstance(sizes, nodes.Range):
        first, low, high = sizes.low, type_of(scope, sizes.low), type_of(scope, sizes.high)
        spread = _range(sizes, low, high)
    if not isinstance(low, Number) or not isinstance(high, Number):
        return Estimate(many=whole.most > FEW_PIECES)
    none = spread.most == 0 or (not used_names(first) and low.low > whole.most)
    there = spread.least > 0 and high.low >= 0 and max(0, low.high) <= whole.least
    rest = whole.most
    if low == high and low.low == low.high:
        rest = min(low.low, whole.most - low.low)
    few = 0 <= rest < FEW_PIECES and comb(whole.most, rest) <= 2**FEW_PIECES
    many = not few and whole.most > FEW_PIECES
    return Estimate(int(there), 0 if none else MOST, many=many)


# ---- Conditions ----------------------------------------------------------------------------------


def _compared(left: Type, sign: str, right: Type) -> bool | None:
    """Decide a comparison by the ranges of numbers and enums alone: with `n` in 0..9, `n > 9` never holds.

    Ranges are those of the declarations, so the answer is the same for every number of players and every value of
    an option.
    """
    match sign:
        case "!=" | "not in" | ">=" | ">":
            opposite = {"!=": "==", "not in": "in", ">=": "<", ">": "<="}
            found = _compared(left, opposite[sign], right)
            return None if found is None else not found
        case "in":
            apart = isinstance(right, Several) and _compared(left, "==", right.of) is False
            return False if apart else None
    match left, right:
        case Number(a, b), Number(c, d):
            return _ordered(sign, (a, b), (c, d))
        case Choice(enum, domain, one), Choice(other, _, two) if one and two:
            if sign == "==" and one.isdisjoint(two):
                return False
            if enum == other:
                return _ordered(sign, _places(domain, one), _places(domain, two))
    return None


def _places(domain: tuple[str, ...], members: frozenset[str]) -> tuple[int, int]:
    places = [domain.index(each) for each in members]
    return min(places), max(places)


def _ordered(sign: str, one: tuple[int, int], other: tuple[int, int]) -> bool | None:
    """Compare two intervals: decided if every pair of values compares the same way."""
    (a, b), (c, d) = one, other
    if sign == "==":
        if b < c or d < a:
            return False
        return True if a == b == c == d else None
    if sign == "<":
        return True if b < c else False if a >= d else None
    return True if b <= c else False if a > d else None

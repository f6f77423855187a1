"""The types of the language as data: the possible values of an expression, and how two types join and fit.

Implements docs/language/3-types.md. A type is the set of possible values at a place, so it may be narrower
than any declared type: `Number(3, 3)` contains only 3. The checker computes types, and the core stores them.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from attrs import frozen

from rulespec import limits

LEAST, MOST = limits.LEAST, limits.MOST


@frozen
class Unknown:
    """Any value: after an error that was already reported, or where nothing is known."""


@frozen
class Never:
    """No value: the type of the elements of `[]`, and of `none` apart from `none` itself."""


@frozen
class Bool:
    """`yes` and `no`"""


@frozen
class Number:
    """The whole numbers from `low` to `high`."""

    low: int = LEAST
    high: int = MOST


@frozen
class Choice:
    """Members of an enum: `domain` lists all of them in order, `members` those that are possible here."""

    enum: str
    domain: tuple[str, ...]
    members: frozenset[str]


@frozen
class Seat:
    """A player."""


@frozen
class Direction:
    """`most` and `fewest`"""


@frozen
class Piece:
    """A piece of one of these kinds."""

    kinds: frozenset[str]


@frozen
class Face:
    """The look of a piece, such as `violet 12` or `Halo`; pieces of these kinds may match it."""

    kinds: frozenset[str]


@frozen
class Place:
    """A zone, or the family of zones over `indices`; `name` and `order` are known unless it is a parameter."""

    kinds: frozenset[str]
    indices: "tuple[Type, ...]" = ()
    order: Literal["pile", "pool"] | None = None
    name: str | None = None


@frozen
class Indexed:
    """A variable with one value for each value of its indices."""

    indices: "tuple[Type, ...]"
    of: "Type"


@frozen
class Outputs:
    """The row of a table with several outputs."""

    table: str
    outputs: "tuple[tuple[str, Type], ...]"


@frozen
class Several:
    """A set of values of a type."""

    of: "Type"


@frozen
class Family:
    """A set of sets of values of a type; it is never stored."""

    of: "Type"


@frozen
class Maybe:
    """A value of a type, or `none`."""

    of: "Type"


Type: TypeAlias = (
    Unknown
    | Never
    | Bool
    | Number
    | Choice
    | Seat
    | Direction
    | Piece
    | Face
    | Place
    | Indexed
    | Outputs
    | Several
    | Family
    | Maybe
)
Enums: TypeAlias = Mapping[str, tuple[str, ...]]  # all members of each enum, in order
# Whether a value fits a place, as far as its type tells; if it never does, whether type, range or `none` is why.
Fit: TypeAlias = Literal["fits", "type", "range", "none"]

UNKNOWN = Unknown()
NONE = Maybe(Never())
EMPTY = Several(Never())
BOOL = Bool()
INT = Number()
COUNT = Number(0, MOST)
POSITION = Number(1, MOST)
SEAT = Seat()


def optional(type_: Type) -> Type:
    """The type with `none` added; sets and families have no `none`."""
    if isinstance(type_, Unknown | Maybe | Several | Family | Place | Indexed | Outputs):
        return type_
    return Maybe(type_)


def present(type_: Type) -> Type:
    """The type without `none`."""
    return type_.of if isinstance(type_, Maybe) else type_


def element(type_: Type) -> Type | None:
    """The type of the elements of a value used as a set; nothing if it cannot be one."""
    match type_:
        case Unknown():
            return UNKNOWN
        case Several(of):
            return of
        case Family(of):
            return Several(of)
        case Place(kinds):
            return Piece(kinds)
        case Maybe(of):
            return of
        case Indexed() | Outputs():
            return None
        case _:
            return type_


def set_type(type_: Type) -> Type:
    """A zone as the set of its pieces; other types stay as they are."""
    return Several(Piece(type_.kinds)) if isinstance(type_, Place) else type_


def order_of(type_: Type) -> str:
    """The order of a set of such elements: as formed, or canonical."""
    match present(type_):
        case Piece() | Face():
            return "formed"
        case Choice(enum):
            return enum
        case _:
            return "plain"


def related(one: Choice, other: Choice) -> bool:
    """Whether two enums have members in common."""
    return one.enum == other.enum or not set(one.domain).isdisjoint(other.domain)


# ---- Joins ---------------------------------------------------------------------------------------


def join(one: Type, other: Type, enums: Enums) -> Type | None:
    """The type of a value that has one type or the other; nothing if the two are incompatible."""
    if one == other or isinstance(other, Never):
        return one
    match one, other:
        case (Never(), _):
            return other
        case (Unknown(), _) | (_, Unknown()):
            return UNKNOWN
        case Maybe(Never()), _:
            return optional(other)
        case _, Maybe(Never()):
            return optional(one)
        case Maybe(a), Maybe(b):
            return _wrap(join(a, b, enums))
        case (Maybe(a), b) | (b, Maybe(a)) if element(b) is not None:
            return (
                _join_sets(one, other, enums)
                if isinstance(b, Several | Place)
                else _wrap(join(a, b, enums))
            )
        case Number(a, b), Number(c, d):
            return Number(min(a, c), max(b, d))
        case Choice(), Choice():
            return _join_choices(one, other, enums)
        case Piece(a), Piece(b):
            return Piece(a | b)
        case Face(a), Face(b):
            return Face(a | b)
        case (Face(a), Piece(b)) | (Piece(b), Face(a)):
            return Face(a | b)
        case Place(a, i, o, n), Place(b, j, p, m) if i == j:
            return Place(a | b, i, o if o == p else None, n if n == m else None)
        case Indexed(i, a), Indexed(j, b) if len(i) == len(j):
            of = join(a, b, enums)
            return None if of is None else Indexed(i, of)
        case Family(a), Family(b):
            of = join(a, b, enums)
            return None if of is None else Family(of)
        case (Family(a), Several(Never())) | (Several(Never()), Family(a)):
            return Family(a)
        case (Several() | Place(), _) | (_, Several() | Place()):
            return _join_sets(one, other, enums)
        case _:
            return None


def _wrap(type_: Type | None) -> Type | None:
    return None if type_ is None else optional(type_)


def _join_sets(one: Type, other: Type, enums: Enums) -> Type | None:
    a, b = element(one), element(other)
    if a is None or b is None or isinstance(one, Family) or isinstance(other, Family):
        return None
    of = join(a, b, enums)
    return None if of is None else Several(of)


def _join_choices(one: Choice, other: Choice, enums: Enums) -> Type | None:
    members = one.members | other.members
    for each in (one, other):
        if members <= frozenset(each.domain):
            return Choice(each.enum, each.domain, members)
    for name, domain in enums.items():
        if members <= frozenset(domain):
            return Choice(name, domain, members)
    return None


# ---- Fitting -------------------------------------------------------------------------------------


def fit(value: Type, wanted: Type) -> Fit:
    """Whether a value of one type fits where another type is needed; a value that may fit is tested while playing."""
    match value, wanted:
        case (Unknown(), _) | (_, Unknown()) | (Never(), _):
            return "fits"
        case Place(), Place():
            return _fit_zone(value, wanted)
        case _, Place():
            return "type"
        case Family(a), Family(b):
            return fit(a, b)
        case Family(), _:
            return "type"
        case (Indexed(), _) | (Outputs(), _):
            return "type"
        case _, Several(of):
            inner = element(value)
            return "type" if inner is None else fit(inner, of)
        case (Maybe(Never()), Maybe()):
            return "fits"
        case Maybe(Never()), _:
            return "none"
        case Maybe(a), _:
            return fit(a, present(wanted))
        case _, Maybe(b):
            return fit(value, b)
        case Number(a, b), Number(c, d):
            return "fits" if a <= d and c <= b else "range"
        case Choice(), Choice():
            if not related(value, wanted):
                return "type"
            return "range" if value.members.isdisjoint(wanted.members) else "fits"
        case Piece(a), Piece(b):
            return "type" if a and b and a.isdisjoint(b) else "fits"
        case _:
            return (
                "fits" if type(value) is type(wanted) and not isinstance(value, Several) else "type"
            )


def _fit_zone(value: Place, wanted: Place) -> Fit:
    if len(value.indices) != len(wanted.indices):
        return "type"
    pairs = zip(value.indices, wanted.indices, strict=True)
    return "fits" if all(fit(a, b) == "fits" for a, b in pairs) else "type"


def comparable(one: Type, other: Type) -> bool:
    """Whether two values can be compared: they may be equal, or their types allow comparison."""
    match present(one), present(other):
        case (Unknown() | Never(), _) | (_, Unknown() | Never()):
            return True
        case (Several() | Place() as a, Several() | Place() as b):
            x, y = element(a), element(b)
            return x is not None and y is not None and comparable(x, y)
        case Choice() as a, Choice() as b:
            return related(a, b)
        case Piece(a) | Face(a), Piece(b) | Face(b):
            return not a or not b or not a.isdisjoint(b)
        case (Several() | Place() | Family(), _) | (_, Several() | Place() | Family()):
            return False
        case (Indexed() | Outputs(), _) | (_, Indexed() | Outputs()):
            return False
        case a, b:
            return type(a) is type(b)


# ---- Intervals -----------------------------------------------------------------------------------


def number(low: int, high: int) -> Number:
    """An interval, cut off at the limits of the language's integers."""
    return Number(max(LEAST, min(low, MOST)), max(LEAST, min(high, MOST)))


def calculate(operator: str, a: Number, b: Number) -> Number:
    """The interval of a sum, a difference, a product, a quotient or a remainder.

    If an operand may reach the limits of integers, so may the result.
    """
    match operator:
        case "+":
            low = LEAST if LEAST in (a.low, b.low) else a.low + b.low
            return number(low, MOST if MOST in (a.high, b.high) else a.high + b.high)
        case "-":
            low = LEAST if a.low == LEAST or b.high == MOST else a.low - b.high
            return number(low, MOST if a.high == MOST or b.low == LEAST else a.high - b.low)
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return number(min(corners), max(corners))
        case "/":
            divisors = (max(1, b.low), max(1, b.high))
            quotients = [x // y for x in (a.low, a.high) for y in divisors]
            return number(min(quotients), max(quotients))
        case "%":
            most = max(0, b.high - 1)
            return number(0, min(most, a.high) if a.low >= 0 else most)
        case _:
            return INT

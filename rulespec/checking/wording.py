"""Types and expressions -> their description in the author's words, for messages."""

from collections.abc import Iterable

from rulespec.core import types
from rulespec.core.types import LEAST, MOST, Type, present
from rulespec.source import text_of
from rulespec.syntax import nodes

LONGEST_QUOTED = 150  # characters of an expression in a hint


def written(expr: nodes.Expr) -> str:
    """An expression as its author wrote it, if it is short, in backticks."""
    text = text_of(expr.span)
    if isinstance(expr, nodes.Name):
        text = expr.text
    return f"`{text}`" if 0 < len(text) <= 40 else "this"


def as_written(expr: nodes.Expr) -> str:
    """An expression as its author wrote it, on one line, for use in a hint; dots for one that is very long."""
    text = expr.text if isinstance(expr, nodes.Name) else " ".join(text_of(expr.span).split())
    return text if 0 < len(text) <= LONGEST_QUOTED else "…"


def describe_expression(expr: nodes.Expr, type_: Type) -> str:
    """An expression and what it is: "`foe` is a player"."""
    if isinstance(expr, nodes.Number):
        return f"`{expr.value}` is a number"
    if isinstance(expr, nodes.Constant) and isinstance(type_, types.Bool):
        return f"`{expr.word}` is a `Bool`"
    return f"{written(expr)} is {describe_type(type_)}"


def list_names(names: Iterable[str]) -> str:
    """Names in backticks, with commas."""
    return ", ".join(f"`{name}`" for name in names)


def describe_type(type_: Type) -> str:
    """A type in the author's words, with its article."""
    match type_:
        case types.Unknown():
            return "anything"
        case types.Never():
            return "nothing"
        case types.Bool():
            return "`yes` or `no`"
        case types.Number(low, high):
            return f"the number {low}" if low == high else f"a number{_bounds(low, high)}"
        case types.Choice(enum):
            return _article(enum)
        case types.Seat():
            return "a player"
        case types.Direction():
            return "`most` or `fewest`"
        case types.Piece(kinds):
            return _article(*kinds) if len(kinds) == 1 else "a piece"
        case types.Face():
            return "the look of a piece"
        case types.Place(_, indices):
            return "a family of zones" if indices else "a zone"
        case types.Indexed():
            return "a variable with an index"
        case types.Outputs(table):
            return f"a row of the table `{table}`"
        case types.Several(types.Never()):
            return "an empty set"
        case types.Several(of):
            return f"a set of {_plural(of)}"
        case types.Family(of):
            return f"a set of sets of {_plural(of)}"
        case types.Maybe(types.Never()):
            return "`none`"
        case types.Maybe(of):
            return f"{describe_type(of)} or `none`"


def list_domain(type_: Type) -> str:
    """All values of a type, as far as they can be listed."""
    inner = present(type_)
    if isinstance(inner, types.Several):
        inner = inner.of
    if isinstance(inner, types.Choice):
        possible = [member for member in inner.domain if member in inner.members]
        one_of = "one of " if len(possible) > 1 else ""
        return f"{one_of}{list_names(possible[:8])}{', …' if len(possible) > 8 else ''}"
    return describe_type(type_)


def _bounds(low: int, high: int) -> str:
    if low == LEAST and high == MOST:
        return ""
    if high == MOST:
        return f" from {low} up"
    return f" up to {high}" if low == LEAST else f" from {low} to {high}"


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} `{name}`"


def _plural(type_: Type) -> str:
    match type_:
        case types.Number():
            return "numbers"
        case types.Seat():
            return "players"
        case types.Piece(kinds) | types.Face(kinds):
            return f"`{next(iter(kinds))}`" if len(kinds) == 1 else "pieces"
        case types.Choice(enum):
            return f"`{enum}`"
        case _:
            return "values"

"""Types, expressions and texts -> pieces of a line.

The lower half of the printer: what stands on a line, not which lines there are.
"""

from collections.abc import Iterator
from typing import TypeAlias, assert_never

from rulespec.syntax import nodes
from rulespec.syntax.wrapping import BreakGroup, IfBroken, Piece, Soft, interleave

# ---- Types ---------------------------------------------------------------------------------------


def type_text(type_: nodes.Type) -> str:
    match type_:
        case nodes.OptionalType(of):
            return f"{type_text(of)}?"
        case nodes.SetType(of):
            return f"set {type_text(of)}"
        case nodes.RangeType(low, high):
            return f"{low.value}..{high.value}"
        case nodes.NamedType(name, index):
            return f"{name.text}[{index.text}]" if index else name.text
        case _:
            assert_never(type_)


# ---- Expressions ---------------------------------------------------------------------------------

# The levels of precedence, loosest first, as in the grammar.
WHERE, CHOICE, OR, AND, NOT, COMPARE, RANGE, SUM, PRODUCT, UNARY, POSTFIX = range(11)


LEVELS: dict[type, int] = {
    nodes.Where: WHERE,
    nodes.Conditional: CHOICE,
    nodes.Or: OR,
    nodes.And: AND,
    nodes.Not: NOT,
    nodes.Compare: COMPARE,
    nodes.Range: RANGE,
    nodes.Sum: SUM,
    nodes.Product: PRODUCT,
    nodes.Count: UNARY,
    nodes.Negative: UNARY,
}


def expression(expr: nodes.Expr, level: int = WHERE, *, inside: bool = False) -> Piece:
    """An expression as part of one with this level of precedence.

    Only `inside` of brackets may a line be broken anywhere; outside, before `and`, `or` and `where`.
    What is broken elsewhere gets brackets.
    """
    if LEVELS.get(type(expr), POSTFIX) < level:
        return BreakGroup(("(", BreakGroup((_unbracketed(expr, inside=True),), aligned=True), ")"))
    return _unbracketed(expr, inside=inside)


def inside_brackets(expr: nodes.Expr) -> Piece:
    return expression(expr, inside=True)


Operation: TypeAlias = (
    nodes.Where
    | nodes.Conditional
    | nodes.Or
    | nodes.And
    | nodes.Not
    | nodes.Compare
    | nodes.Range
    | nodes.Sum
    | nodes.Product
    | nodes.Count
    | nodes.Negative
)
Primary: TypeAlias = (
    nodes.Get
    | nodes.At
    | nodes.Having
    | nodes.Call
    | nodes.Fold
    | nodes.Build
    | nodes.List
    | nodes.Face
    | nodes.Described
    | nodes.Name
    | nodes.Constant
    | nodes.Number
)


def _unbracketed(expr: nodes.Expr, *, inside: bool) -> Piece:
    match expr:
        case _ if isinstance(expr, Operation):
            return _operation(expr, inside=inside)
        case _ if isinstance(expr, Primary):
            return _primary(expr, inside=inside)
        case _:
            assert_never(expr)


def _operation(expr: Operation, *, inside: bool) -> Piece:
    """Operands with signs or words between them or before them."""

    def part(operand: nodes.Expr, level: int) -> Piece:
        return expression(operand, level, inside=inside)

    match expr:
        case nodes.Where(values, condition):
            return BreakGroup((part(values, WHERE), Soft(), "where ", part(condition, CHOICE)))
        case nodes.Conditional(value, condition, otherwise):
            choice = (
                *(expression(value, OR, inside=True), Soft()),
                *("if ", expression(condition, OR, inside=True), Soft()),
                *("else ", expression(otherwise, CHOICE, inside=True)),
            )
            return _in_brackets_if_broken(choice, inside=inside)
        case nodes.Or(operands):
            return BreakGroup(interleave([part(each, AND) for each in operands], (Soft(), "or ")))
        case nodes.And(operands):
            return BreakGroup(interleave([part(each, NOT) for each in operands], (Soft(), "and ")))
        case nodes.Not(operand):
            return BreakGroup(("not ", part(operand, NOT)))
        case nodes.Compare(left, relation, right):
            return BreakGroup((part(left, RANGE), f" {relation.sign} ", part(right, RANGE)))
        case nodes.Range(low, high):
            return BreakGroup((part(low, SUM), "..", part(high, SUM)))
        case nodes.Sum():
            return _in_brackets_if_broken(_chain(expr, nodes.Sum, SUM), inside=inside)
        case nodes.Product():
            terms = _chain(expr, nodes.Product, PRODUCT)
            return _in_brackets_if_broken(terms, inside=inside)
        case nodes.Count(operand):
            return BreakGroup(("#", part(operand, UNARY)))
        case nodes.Negative(operand):
            # Two signs in a row would begin a comment.
            return BreakGroup(
                ("-", part(operand, POSTFIX if isinstance(operand, nodes.Negative) else UNARY))
            )
        case _:
            assert_never(expr)


def _primary(expr: Primary, *, inside: bool) -> Piece:
    """What binds closest: names, numbers, calls, lists, and what is written right behind a value."""
    match expr:
        case nodes.Get(subject, name):
            return BreakGroup((expression(subject, POSTFIX, inside=inside), f".{name.text}"))
        case nodes.At(subject, key):
            indexed = expression(subject, POSTFIX, inside=inside)
            return BreakGroup((indexed, "[", inside_brackets(key), "]"))
        case nodes.Having(subject, attribute, value):
            narrowed = expression(subject, POSTFIX, inside=inside)
            return BreakGroup((narrowed, f"[{attribute.text} = ", inside_brackets(value), "]"))
        case nodes.Call(function, arguments):
            listed = commas([inside_brackets(each) for each in arguments])
            return BreakGroup((f"{function.text}(", listed, ")"))
        case nodes.Fold(function, value, name, values):
            loop = _comprehension(value, name, values, function)
            return BreakGroup((f"{function.text}(", loop, ")"))
        case nodes.Build(value, name, values):
            return BreakGroup(("[", _comprehension(value, name, values), "]"))
        case nodes.List(items):
            return BreakGroup(("[", commas([inside_brackets(each) for each in items]), "]"))
        case nodes.Face(words):
            return " ".join(_face_word(each) for each in words)
        case nodes.Described(kind, attributes):
            given = [
                BreakGroup((f"{each.name.text} = ", inside_brackets(each.value)))
                for each in attributes
            ]
            return BreakGroup((f"{kind.text}(", commas([*given]), ")"))
        case nodes.Name(text):
            return text
        case nodes.Constant(word):
            return word
        case nodes.Number(value):
            return str(value)
        case _:
            assert_never(expr)


def _face_word(word: nodes.Name | nodes.Number) -> str:
    return word.text if isinstance(word, nodes.Name) else str(word.value)


def _chain(
    expr: nodes.Expr, operation: type[nodes.Sum] | type[nodes.Product], level: int
) -> tuple[Piece, ...]:
    """The terms of `a + b - c`, each of which may begin a line."""
    if not isinstance(expr, operation):
        return (expression(expr, level + 1, inside=True),)
    last = (Soft(), f"{expr.operator} ", expression(expr.right, level + 1, inside=True))
    return (*_chain(expr.left, operation, level), *last)


def _comprehension(
    value: nodes.Expr, name: nodes.Name, values: nodes.Expr, function: nodes.Name | None = None
) -> Piece:
    """A value and what it is computed for; folds inside one another are written as one."""
    loops: list[Piece] = [f"for {name.text} in ", inside_brackets(values)]
    while isinstance(value, nodes.Fold) and value.function == function and is_joined(value):
        loops += [",", Soft(), f"{value.name.text} in ", inside_brackets(value.values)]
        value = value.value
    return BreakGroup((inside_brackets(value), Soft(), *loops), aligned=True)


def is_joined(fold: nodes.Fold) -> bool:
    """Whether a fold inside another of its kind means the same as one fold over both variables."""
    return fold.function.text in ("sum", "any", "all", "min", "max")


def _in_brackets_if_broken(pieces: tuple[Piece, ...], *, inside: bool) -> BreakGroup:
    if inside:
        return BreakGroup(pieces)
    return BreakGroup((IfBroken("("), BreakGroup(pieces, aligned=True), IfBroken(")")))


def operand(expr: nodes.Expr) -> Piece:
    """A part of a statement. A conditional gets brackets, lest it seem to rule the statement."""
    return expression(expr, OR if isinstance(expr, nodes.Conditional) else WHERE)


# ---- Pieces of lines -----------------------------------------------------------------------------


def quote(text: nodes.Text) -> str:
    return f'"{text.value}"'


def word_pieces(text: nodes.Text) -> list[Piece]:
    """The words of a string, which may go on over several lines."""
    words: list[Piece] = []
    words.extend(quote(text).split(" "))
    return words


def words_together(text: nodes.Text) -> tuple[Piece, ...]:
    return interleave(word_pieces(text), (Soft(),))


def softly(pieces: list[Piece] | list[str]) -> tuple[Piece, ...]:
    """Pieces each of which may begin a new line."""
    return tuple(each for piece in pieces for each in (Soft(), piece))


def commas(pieces: list[Piece]) -> BreakGroup:
    return BreakGroup(interleave(pieces, (",", Soft())), aligned=True, filled=True)


def bracketed(pieces: Iterator[Piece]) -> tuple[Piece, ...]:
    """A list in brackets, or nothing at all."""
    listed = list(pieces)
    return ("(", commas(listed), ")") if listed else ()

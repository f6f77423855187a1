"""Choices that cannot be offered as written: nothing to choose from, families that must be listed, `each`.

Implements docs/language/12-checks.md, "Choices". What may be empty in a game is found while playing;
who may see the options is asked by `visibility`.
"""

from collections.abc import Iterator
from math import comb
from typing import Any, assert_never

from attrs import field, frozen

from rulespec import codes
from rulespec.checking.declarations import Declarations, Routine, called_name, walk
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import text_of
from rulespec.syntax import nodes

FEW_PIECES = 12  # all of whose subsets may be looked at
FAMILIES = frozenset({"subsets", "alike", "runs"})

Choice = nodes.Choice | nodes.Random


@frozen
class Texts:
    """A program, and what has been found out about its expressions, by identity."""

    program: Declarations
    sizes: dict[int, int | None] = field(factory=dict)
    families: dict[int, bool] = field(factory=dict)
    listings: dict[int, nodes.Expr | None] = field(factory=dict)


def check_choices(program: Declarations) -> Iterator[Diagnostic]:
    """All that is wrong with choices, and with what chance decides."""
    texts = Texts(program)
    for body in _bodies(program):
        for node in walk(body):
            if not isinstance(node, Choice):
                continue
            if isinstance(node, nodes.Each | nodes.EachMay):
                yield from _each(node)
            for options in _offered(node):
                yield from _declining(node, options)
                if most(texts, options) == 0:
                    yield _empty(node, options)
                elif (listing := _listed(texts, options)) is not None:
                    yield _must_be_listed(options, listing)


def _offered(node: Choice) -> Iterator[nodes.Expr]:
    yield node.options
    if isinstance(node, nodes.Choose) and node.alternative is not None:
        yield node.alternative.options


def _bodies(program: Declarations) -> Iterator[Any]:
    for routine in program.routines.values():
        if routine.kind == "procedure":
            for part in (*routine.versions, *routine.rows, *routine.before, *routine.after):
                yield part.node
    for versions in program.triggers.values():
        for version in versions:
            yield version.node.body


# ---- Nothing to choose from ----------------------------------------------------------------------


def most(texts: Texts, expr: nodes.Expr) -> int | None:
    """How many elements a set has at most, where the text alone tells; else `None`."""
    if id(expr) not in texts.sizes:
        texts.sizes[id(expr)] = None  # for functions that call each other in a circle
        texts.sizes[id(expr)] = _size(texts, expr)
    return texts.sizes[id(expr)]


def _size(texts: Texts, expr: nodes.Expr) -> int | None:
    program = texts.program
    match expr:
        case nodes.Constant("none"):
            return 0
        case nodes.List(items):
            return len(items)
        case nodes.Range(low, high):
            first, last = constant(low), constant(high)
            return None if first is None or last is None else max(0, last - first + 1)
        case nodes.Name(text) if text in program.enums:
            return len(_members(program, text))
        case nodes.Where(_, nodes.Constant("no")):
            return 0
        case nodes.Where(values, _) | nodes.Build(_, _, values):
            return most(texts, values)
        case nodes.Having(values, _, _) | nodes.Get(values, _) if most(texts, values) == 0:
            return 0
        case nodes.At(values, _) if most(texts, values) == 0:
            return 0
        case nodes.Sum(left, operator, right):
            one, other = most(texts, left), most(texts, right)
            if operator == "+":
                return None if one is None or other is None else one + other
            if operator == "-":
                return 0 if left == right else one
            return min((each for each in (one, other) if each is not None), default=None)
        case nodes.Call(nodes.Name(name), arguments) if name in FAMILIES and arguments:
            return _most_subsets(texts, name, arguments)
        case nodes.Call(nodes.Name("top"), (values, *_)) if most(texts, values) == 0:
            return 0
        case (
            nodes.Name()
            | nodes.Conditional()
            | nodes.Test()
            | nodes.Calculation()
            | nodes.Selection()
            | nodes.Invocation()
            | nodes.Written()
        ):
            sizes = [most(texts, cell) for cell in _cells(program, expr)]
            known = [size for size in sizes if size is not None]
            return max(known) if known and len(known) == len(sizes) else None
        case _:
            assert_never(expr)


def _most_subsets(texts: Texts, name: str, arguments: tuple[nodes.Expr, ...]) -> int | None:
    """Zero if a family has no member: its sets would be larger than what they are taken from."""
    size = most(texts, arguments[0])
    if name != "subsets":
        return 0 if size is not None and size < 2 else None
    if len(arguments) < 2:
        return None
    wanted = arguments[1]
    if isinstance(wanted, nodes.Range) and most(texts, wanted) == 0:
        return 0
    least = constant(wanted.low if isinstance(wanted, nodes.Range) else wanted)
    return 0 if least is not None and size is not None and least > size else None


def constant(expr: nodes.Expr) -> int | None:
    """The number that an expression is in every game, if the text alone tells."""
    match expr:
        case nodes.Number(value):
            return value
        case nodes.Negative(operand):
            number = constant(operand)
            return None if number is None else -number
        case nodes.Sum(left, operator, right) if operator != "&":
            one, other = constant(left), constant(right)
            if one is None or other is None:
                return None
            return one + other if operator == "+" else one - other
        case _ if isinstance(expr, nodes.OfAKind):
            return None
        case _:
            assert_never(expr)


def _members(program: Declarations, enum: str) -> set[str]:
    """The members of an enum, with those of the enums that it includes."""
    found: set[str] = set()
    waiting = [enum]
    while waiting:
        for member in program.enums[waiting.pop()].node.members:
            name = member.name.text
            if name in program.enums and name not in found:
                waiting.append(name)
            found.add(name)
    return found - program.enums.keys()


def _cells(program: Declarations, expr: nodes.Expr) -> list[nodes.Expr]:
    """The expressions of which a value is one: both ways of an `if`, the cells of a function."""
    if isinstance(expr, nodes.Conditional):
        return [expr.value, expr.otherwise]
    output = expr.name.text if isinstance(expr, nodes.Get) else None
    name = called_name(expr.subject if isinstance(expr, nodes.Get) else expr)
    return _function_cells(program.routines.get(name or ""), output)


def _function_cells(routine: Routine | None, output: str | None) -> list[nodes.Expr]:
    if routine is None or routine.kind != "function":
        return []
    node = routine.versions[-1].node
    if isinstance(node, nodes.Let):
        return [node.value] if output is None else []
    if not isinstance(node, nodes.Table):
        return []
    outputs = [name.text for name in node.header.outputs]
    if len(outputs) > 1 and output not in outputs:
        return []
    column = outputs.index(output) if output is not None and output in outputs else 0
    rows = [row for each in routine.rows for row in each.node.rows] + [*node.rows]
    return [
        row.body.values[column]
        for row in rows
        if isinstance(row, nodes.Row)
        and isinstance(row.body, nodes.Cells)
        and column < len(row.body.values)
    ]


def _declining(node: Choice, options: nodes.Expr) -> Iterator[Diagnostic]:
    """`hand[p] + [none]`, where `none` is no option."""
    for each in walk(options):
        if isinstance(each, nodes.List) and nodes.Constant("none") in each.items:
            message = "no set holds `none`, so it is never an option"
            hint = (
                "leave it out, and write `may choose`" if isinstance(node, nodes.Choose) else None
            )
            yield Diagnostic(codes.ALWAYS_NONE, message, each.span, hint=hint)


def _empty(node: Choice, options: nodes.Expr) -> Diagnostic:
    who = "chance" if isinstance(node, nodes.Random) else "the player"
    text = text_of(options.span)
    message = f"{who} has nothing to choose from, `{text}` is always empty"
    return Diagnostic(codes.NO_OPTIONS, message, options.span)


# ---- Families of subsets -------------------------------------------------------------------------


def _listed(texts: Texts, expr: nodes.Expr) -> nodes.Expr | None:
    """What forces the sets of a family to be listed one by one, if the options do."""
    if id(expr) in texts.listings:
        return texts.listings[id(expr)]
    found: nodes.Expr | None = None
    texts.listings[id(expr)] = found
    combined: tuple[nodes.Expr, ...] = ()
    if isinstance(expr, nodes.Where | nodes.Build):
        combined = (expr.values,)
    elif isinstance(expr, nodes.Sum):
        combined = (expr.left, expr.right)
    if any(_is_family(texts, each) for each in combined):
        found = expr
    else:
        inside = (_listed(texts, cell) for cell in _cells(texts.program, expr))
        found = next((each for each in inside if each is not None), None)
    texts.listings[id(expr)] = found
    return found


def _is_family(texts: Texts, expr: nodes.Expr) -> bool:
    if id(expr) in texts.families:
        return texts.families[id(expr)]
    texts.families[id(expr)] = False
    if isinstance(expr, nodes.Call) and expr.function.text in FAMILIES:
        # Sets that have something in common are few if their size is given.
        few = expr.function.text != "subsets" and len(expr.arguments) > 2
        few = few or _are_few(texts, expr.arguments)
        answer = expr.function.text not in texts.program.routines and not few
    elif isinstance(expr, nodes.Where):
        answer = _is_family(texts, expr.values)
    elif isinstance(expr, nodes.Sum):
        answer = _is_family(texts, expr.left) or _is_family(texts, expr.right)
    else:
        answer = any(_is_family(texts, cell) for cell in _cells(texts.program, expr))
    texts.families[id(expr)] = answer
    return answer


def _are_few(texts: Texts, arguments: tuple[nodes.Expr, ...]) -> bool:
    """Whether the text alone tells that there are not many sets, so that all may be looked at."""
    size = most(texts, arguments[0]) if arguments else None
    if size is None:
        return False
    wanted = constant(arguments[1]) if len(arguments) > 1 else None
    if size <= FEW_PIECES:
        return True
    return wanted is not None and wanted >= 0 and comb(size, wanted) <= 2**FEW_PIECES


def _must_be_listed(options: nodes.Expr, listing: nodes.Expr) -> Diagnostic:
    does = "this `where` looks at" if isinstance(listing, nodes.Where) else "this list looks at"
    if isinstance(listing, nodes.Sum):
        plus = listing.operator == "+"
        does = "this `+` puts together" if plus else f"this `{listing.operator}` compares"
    message = f"{does} every set of a family, and there may be very many"
    inside = options.span.start <= listing.span.start < options.span.end
    same = inside and listing.span.source is options.span.source
    related = () if same else (Related("they are options here", options.span),)
    hint = "narrow the pieces before, as in `subsets(S where …, n)`"
    if isinstance(listing, nodes.Sum):
        hint = "let the player choose the kind of set first, by a table of families"
    return Diagnostic(codes.LISTED_FAMILY, message, listing.span, related, hint, "warning")


# ---- Each ----------------------------------------------------------------------------------------


def _each(node: nodes.Each | nodes.EachMay) -> Iterator[Diagnostic]:
    """Everybody's choice has a place of its own: `gift[q]`."""
    name = node.name.text
    target = node.target
    hint = f"write `{target.name.text}[{name}]`"
    if target.index is None:
        message = (
            f"every `{name}` chooses `{target.name.text}`, but it has room for only one choice"
        )
        yield Diagnostic(codes.EACH_INDEX, message, target.span, hint=hint)
    elif not (isinstance(target.index, nodes.Name) and target.index.text == name):
        index = text_of(target.index.span)
        message = f"the choice of each `{name}` goes to `{target.name.text}[{index}]`"
        yield Diagnostic(codes.EACH_INDEX, message, target.span, hint=hint)

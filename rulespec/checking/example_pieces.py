"""The faces in an example that stand for pieces -> faces that no piece has, and more pieces than there are.

Implements docs/language/9-examples.md, "Given" and "Pick". `given` takes the first matching pieces out of
the box, and puts back what the zone held before; so up to the first `when` the place of every piece is known.
"""

from collections import Counter
from typing import assert_never

from attrs import define, field, frozen

from rulespec import codes
from rulespec.checking.expressions import type_of
from rulespec.checking.faces import Word, described_type, described_words, named_face
from rulespec.checking.scopes import Scope, member_type, report, silent
from rulespec.checking.selections import face_kinds, matching_kinds
from rulespec.checking.supply import Supply, find_kinds, find_lots
from rulespec.checking.wording import as_written, describe_expression, list_names, written
from rulespec.core.types import (
    Choice,
    Face,
    Family,
    Indexed,
    Never,
    Outputs,
    Piece,
    Place,
    Several,
    Type,
    Unknown,
    element,
    present,
)
from rulespec.diagnostics import Related
from rulespec.source import Span
from rulespec.syntax import nodes


@define
class Box:
    """How many pieces of each lot have been taken out of the box, and where they lie.

    `used_up` says how many of the first lots that match some words and kinds are empty.
    """

    taken: Counter[int] = field(factory=Counter)
    used_up: dict[tuple[tuple[Word, ...], frozenset[str]], int] = field(factory=dict)
    held: dict[str, Counter[int]] = field(factory=dict)
    laid: dict[str, Span] = field(factory=dict)


@frozen
class Stock:
    """The pieces of an example; `supply` is missing if they cannot be counted."""

    scope: Scope
    supply: Supply | None


@frozen
class Demand:
    """A number of pieces with these words that shall lie in a zone."""

    expr: nodes.Expr
    words: tuple[Word, ...]
    count: int


def check_face(stock: Stock, face: nodes.Expr) -> None:
    """Report a face that no piece has."""
    if isinstance(face, nodes.Face | nodes.Described):
        check_described_pieces(stock, face)


def check_described_pieces(stock: Stock, expr: nodes.Expr) -> None:
    """Report a kind, a member or a face that no piece has."""
    if not stock.scope.known.kinds or not _words(stock.scope, expr) or _misnames(stock.scope, expr):
        return
    if not _exists(stock, expr):
        _tell_no_piece(stock, expr)


def _misnames(scope: Scope, expr: nodes.Expr) -> bool:
    """Report a value in a face that no piece has as its attribute; whether there is one."""
    known = len(scope.faults or ())
    if isinstance(expr, nodes.Described):
        described_type(scope, expr)
    return len(scope.faults or ()) > known


def _exists(stock: Stock, expr: nodes.Expr) -> bool:
    return bool(_kinds_of(stock, expr, _words(stock.scope, expr)))


def _tell_no_piece(stock: Stock, expr: nodes.Expr) -> None:
    message, hint = f"no piece is {written(expr)}", None
    if isinstance(expr, nodes.Face | nodes.Described):
        message = f"there is no piece {written(expr)}"
    if isinstance(expr, nodes.Face):
        hint = named_face(stock.scope.known, expr) or _near_faces(stock, expr)
    report(stock.scope, codes.WRONG_INDEX, message, expr.span, hint)


def _near_faces(stock: Stock, face: nodes.Face) -> str | None:
    """Faces with the same first word, and another number."""
    match face.words:
        case (nodes.Name(text), nodes.Number()) if stock.supply is not None:
            own = stock.supply.fitting.get(text, frozenset())
            numbers = sorted(
                word
                for word, lots in stock.supply.fitting.items()
                if isinstance(word, int) and not own.isdisjoint(lots)
            )
            shown = list_names(f"{text} {number}" for number in numbers[:3])
            return f"there is {shown}{', …' if len(numbers) > 3 else ''}" if numbers else None
        case _:
            return None


def _words(scope: Scope, expr: nodes.Expr) -> tuple[Word, ...] | None:
    """The words of a kind, a member or a face; `None` for any other expression."""
    if isinstance(expr, nodes.Face):
        words = expr.words
        return tuple(word.value if isinstance(word, nodes.Number) else word.text for word in words)
    if isinstance(expr, nodes.Described):
        return described_words(expr)
    if not isinstance(expr, nodes.Name):
        return None
    is_look = expr.text in scope.known.kinds or expr.text in scope.known.owners
    return (expr.text,) if is_look else None


def _lots(stock: Stock, words: tuple[Word, ...], kinds: frozenset[str]) -> list[int]:
    return [] if stock.supply is None else find_lots(stock.supply, words, kinds)


def _kinds_of(stock: Stock, expr: nodes.Expr, words: tuple[Word, ...] | None) -> frozenset[str]:
    """The kinds of the pieces that match an expression with these words."""
    known = stock.scope.known
    if stock.supply is not None and words is not None:
        return find_kinds(stock.supply, words, known.kinds)
    if isinstance(expr, nodes.Face):
        return face_kinds(known, expr)
    if isinstance(expr, nodes.Described):
        return known.kinds & {expr.kind.text}
    if not isinstance(expr, nodes.Name):
        return known.kinds
    if expr.text in known.owners:
        return matching_kinds(known, known.kinds, member_type(known, expr.text))
    return known.kinds & {expr.text}


# ---- Given ---------------------------------------------------------------------------------------


def check_pieces(
    stock: Stock, place: nodes.Expr, zone: Place, value: nodes.Expr
) -> list[Demand] | None:
    """Report pieces that cannot lie in a zone; return what shall lie there, if that can be counted."""
    if isinstance(value, nodes.Product):
        _tell_no_list(stock.scope, value)
        return None
    items = value.items if isinstance(value, nodes.List) else (value,)
    demands: list[Demand] | None = []
    for item in items:
        found = _laid(stock, place, zone, item)
        if found is None or demands is None:
            demands = None
        else:
            demands.append(found)
    return demands


def _laid(stock: Stock, place: nodes.Expr, zone: Place, item: nodes.Expr) -> Demand | None:
    count = 1
    if isinstance(item, nodes.Product):
        atom = _repeated(stock.scope, item)
        if atom is None:
            return None
        count = item.left.value if isinstance(item.left, nodes.Number) else 1
        item = atom
    words = _words(stock.scope, item)
    if words is None:
        _check_calculated(stock, place, zone, item)
        return None
    if _misnames(stock.scope, item):
        return None
    kinds = _kinds_of(stock, item, words)
    if not kinds:
        _tell_no_piece(stock, item)
        return None
    if kinds.isdisjoint(zone.kinds):
        _tell_not_held(stock.scope, place, zone, item, kinds)
        return None
    return Demand(item, words, count)


def _repeated(scope: Scope, product: nodes.Product) -> nodes.Expr | None:
    """`ira` of `3 * ira`"""
    if product.operator == "*" and isinstance(product.left, nodes.Number):
        return product.right
    hint = None
    if product.operator == "*" and isinstance(product.right, nodes.Number):
        hint = f"write `{as_written(product.right)} * {as_written(product.left)}`"
    message = f"{written(product)} does not name pieces: write a number, `*` and the piece"
    report(scope, codes.WRONG_TYPE, message, product.span, hint)
    return None


def _tell_no_list(scope: Scope, product: nodes.Product) -> None:
    message = f"{written(product)} is several pieces, and those need square brackets"
    report(scope, codes.WRONG_TYPE, message, product.span, f"write `[{as_written(product)}]`")


def _check_calculated(stock: Stock, place: nodes.Expr, zone: Place, item: nodes.Expr) -> None:
    scope = stock.scope
    found = type_of(scope, item)
    inner = None if isinstance(item, nodes.List) else element(found)
    match inner:
        case Unknown() | Never():
            return
        case Piece(kinds):
            pass
        case Choice() | Face():
            kinds = matching_kinds(scope.known, scope.known.kinds, inner)
            if not kinds:
                _tell_no_piece(stock, item)
                return
        case _:
            message = f"{written(place)} holds pieces, but {describe_expression(item, found)}"
            kind = min(zone.kinds, default=None)
            hint = f"write kinds, members or faces, as in `[{kind}]`" if kind else None
            report(scope, codes.WRONG_TYPE, message, item.span, hint)
            return
    if kinds and kinds.isdisjoint(zone.kinds):
        _tell_not_held(scope, place, zone, item, kinds)


def _tell_not_held(
    scope: Scope, place: nodes.Expr, zone: Place, item: nodes.Expr, kinds: frozenset[str]
) -> None:
    row = scope.known.program.zones.get(zone.name or "")
    related = (Related("the zone", row.node.span),) if row is not None else ()
    message = f"{written(place)} holds {list_names(sorted(zone.kinds))}, not {written(item)}"
    hint = f"add {list_names(sorted(kinds))} to what it holds"
    report(scope, codes.WRONG_ZONE, message, item.span, hint, related)


# ---- Counting ------------------------------------------------------------------------------------


def take_pieces(stock: Stock, box: Box, zone: Place, key: str, demands: list[Demand]) -> None:
    """Take pieces out of the box, as `given` does, and report if there are not enough."""
    if key in box.held:
        box.taken -= box.held.pop(key)
        box.used_up.clear()
    own: Counter[int] = Counter()
    for demand in demands:
        lots = _lots(stock, demand.words, zone.kinds)
        place = box.used_up.get((demand.words, zone.kinds), 0)
        wanted = demand.count
        while wanted > 0 and place < len(lots):
            lot = lots[place]
            number = min(wanted, _copies(stock, lot) - box.taken[lot])
            box.taken[lot] += number
            own[lot] += number
            wanted -= number
            place += wanted > 0
        box.used_up[demand.words, zone.kinds] = place
        if wanted > 0:
            _tell_too_few(stock, box, demand, lots, demand.count - wanted)
    if demands:
        box.held[key] = own
        box.laid[key] = Span(
            demands[0].expr.span.source, demands[0].expr.span.start, demands[-1].expr.span.end
        )


def check_numbers(stock: Stock, kinds: frozenset[str], demands: list[Demand]) -> None:
    """Report more pieces of one face than the whole box has."""
    needed: Counter[tuple[Word, ...]] = Counter()
    for demand in demands:
        lots = _lots(stock, demand.words, kinds)
        total = sum(_copies(stock, lot) for lot in lots)
        already = needed[demand.words]
        needed[demand.words] += demand.count
        if stock.supply is not None and lots and already <= total < already + demand.count:
            _tell_too_few(stock, Box(), demand, lots, total - already)


def _copies(stock: Stock, lot: int) -> int:
    return 0 if stock.supply is None else stock.supply.lots[lot].copies


def _tell_too_few(stock: Stock, box: Box, demand: Demand, lots: list[int], left: int) -> None:
    name = written(demand.expr)
    total = sum(_copies(stock, lot) for lot in lots)
    here = f"here {'is 1 more' if demand.count == 1 else f'are {demand.count}'}"
    if left == total:
        message = (
            f"there {'is' if total == 1 else 'are'} only {total} {name} in the box, but {here}"
        )
    elif left > 0:
        message = f"only {left} of {total} {name} {'is' if left == 1 else 'are'} left, but {here}"
    else:
        whole = {1: f"the only {name} is", 2: f"both {name} are"}.get(
            total, f"all {total} {name} are"
        )
        message = f"{whole} already used, but {here}"
    hint = None
    if left > 0:
        hint = (
            f"write `{as_written(demand.expr)}`"
            if left == 1
            else f"write `{left} * {as_written(demand.expr)}`"
        )
    related = tuple(
        Related(f"in `{key}`", box.laid[key])
        for key, held in box.held.items()
        if any(held[lot] for lot in lots)
    )
    report(stock.scope, codes.TOO_FEW_PIECES, message, demand.expr.span, hint, related)


# ---- Picks ---------------------------------------------------------------------------------------


def check_pick(stock: Stock, value: nodes.Expr, *, in_list: bool = False) -> None:
    """Report what cannot be an option: several values, or pieces that do not exist."""
    scope = stock.scope
    match value:
        case nodes.List(items):
            for item in items:
                check_pick(stock, item, in_list=True)
        case nodes.Product(left, _, right) if _is_look(type_of(silent(scope), right)):
            atom = _repeated(scope, value)
            words = None if atom is None else _words(scope, atom)
            if not in_list and atom is not None:
                _tell_no_list(scope, value)
            elif words is not None and isinstance(left, nodes.Number):
                check_numbers(stock, scope.known.kinds, [Demand(right, words, left.value)])
        case nodes.Face() | nodes.Described():
            check_face(stock, value)
        case _ if isinstance(value, nodes.OfAKind):
            found = type_of(scope, value)
            if isinstance(found, Indexed | Outputs):
                message = (
                    f"what is picked is one of the options, but {describe_expression(value, found)}"
                )
                hint = f"write `{as_written(value)}[…]`" if isinstance(found, Indexed) else None
                report(scope, codes.WRONG_TYPE, message, value.span, hint)
        case _:
            assert_never(value)


def check_options(stock: Stock, options: nodes.Expr) -> None:
    """Report what cannot be a set of options."""
    check_pick(stock, options)
    if isinstance(options, nodes.List):
        return
    found = type_of(silent(stock.scope), options)
    if not isinstance(found, Several | Family | Place | Unknown | Indexed | Outputs):
        message = f"after `of` come all options, but {describe_expression(options, found)}"
        hint = f"write `of [{as_written(options)}]`"
        report(stock.scope, codes.WRONG_TYPE, message, options.span, hint)


def _is_look(type_: Type) -> bool:
    return isinstance(present(type_), Choice | Face | Piece)


def check_offered(stock: Stock, seats: frozenset[str], pick: nodes.Pick) -> None:
    """Report a pick that is not among the options after it.

    A face may match other words of the same piece, so only values of other types are compared.
    """
    if not isinstance(pick.options, nodes.List):
        return
    offered = [_plain(stock, seats, item) for item in pick.options.items]
    picked = _plain(stock, seats, pick.value)
    if picked not in (None, "a piece") and None not in offered and picked not in offered:
        message = (
            f"`{pick.player.text}` picks {written(pick.value)}, which is not one of the options"
        )
        place = (Related("the options", pick.options.span),)
        hint = f"pick one of them, or add {written(pick.value)}"
        report(stock.scope, codes.NOT_OFFERED, message, pick.value.span, hint, place)


def _plain(stock: Stock, seats: frozenset[str], expr: nodes.Expr) -> str | int | None:
    """A value that is written out: a seat, a number, a word, or something that stands for a piece."""
    known = stock.scope.known
    match expr:
        case nodes.Number(value):
            return value
        case nodes.Constant(word):
            return word
        case nodes.Face() | nodes.Described():
            return "a piece"
        case nodes.Name(text) if text in seats:
            return text
        case nodes.Name(text) if text in known.kinds or text in known.owners:
            return "a piece" if _exists(stock, expr) else text
        case (
            nodes.Name()
            | nodes.Conditional()
            | nodes.Test()
            | nodes.Calculation()
            | nodes.Collection()
            | nodes.Selection()
            | nodes.Invocation()
        ):
            return None
        case _:
            assert_never(expr)

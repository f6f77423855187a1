"""What an example lays out, calls and picks can be so: its seats, its targets, its values, its pieces.

Implements docs/language/9-examples.md. `name_checks` and `type_checks` have looked at every expression by itself; here
an example is looked at as a whole. It is run with its own layer and those below, so what a layer above has
changed says nothing about it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import assert_never

from attrs import define, evolve, field, frozen

from rulespec import codes
from rulespec.checking.attributes import root_scope
from rulespec.checking.constants import ConstantInputs
from rulespec.checking.declarations import Declarations, Declared, rule_result, seat_names, walk
from rulespec.checking.domains import declared_type
from rulespec.checking.example_pieces import (
    Box,
    Stock,
    check_described_pieces,
    check_face,
    check_numbers,
    check_offered,
    check_options,
    check_pick,
    check_pieces,
    take_pieces,
)
from rulespec.checking.expressions import compared_faces, type_of
from rulespec.checking.layers import Layer
from rulespec.checking.scopes import Scope, report, require, seat_players, silent
from rulespec.checking.supply import Supply, count_pieces
from rulespec.checking.visible_layers import (
    deciding_layers,
    find_players,
    is_above,
    knows_components,
)
from rulespec.checking.wording import as_written, describe_expression, describe_type, written
from rulespec.core import types
from rulespec.core.types import SEAT, Type, element, fit
from rulespec.diagnostics import Diagnostic, Related
from rulespec.syntax import nodes

BINDERS = nodes.Build | nodes.Fold


@define
class _Supplies:
    """The layers that declare pieces, and the counted pieces.

    `counted` is keyed by players and options; if the count depends on neither, the first count holds for all games.
    """

    layers: tuple[Layer, ...]
    effort: Counter[str] = field(factory=Counter)
    counted: dict[tuple[int | None, tuple[nodes.Setting, ...]], Supply | None] = field(factory=dict)


@frozen
class _View:
    """An example as its own layer sees it; without a stock if higher layers change what pieces there are."""

    scope: Scope
    example: Declared[nodes.Example]
    seats: tuple[nodes.Name, ...]
    players: nodes.Players | None
    stock: Stock | None


def check_examples(program: Declarations) -> Iterator[Diagnostic]:
    """Report examples that cannot run as written."""
    if not program.examples:
        return
    scope = root_scope(program)
    supplies = _Supplies(deciding_layers(program))
    for example in program.examples:
        faults: list[Diagnostic] = []
        view = _look_at(evolve(scope, faults=faults), example, supplies)
        _check_seats(view)
        _check_steps(view)
        yield from faults


def _look_at(scope: Scope, example: Declared[nodes.Example], supplies: _Supplies) -> _View:
    seats = tuple(seat_names(example.node))
    inner = seat_players(scope, (name.text for name in seats))
    players = find_players(scope.known.program, example)
    number = len(seats) or (players.least.value if players is not None else None)
    stock = None
    if knows_components(scope.known.program, example, supplies.layers):
        supply = _supply(scope, supplies, number, example.node.settings)
        stock = Stock(inner, supply)
    return _View(inner, example, seats, players, stock)


def _supply(
    scope: Scope, supplies: _Supplies, players: int | None, settings: tuple[nodes.Setting, ...]
) -> Supply | None:
    key = (players, settings)
    if supplies.counted and not supplies.effort["asked"]:
        key = next(iter(supplies.counted))
    if key not in supplies.counted:
        known = scope.known
        given = {each.name.text: each.value for each in settings if each.value is not None}
        doubtful = frozenset(known.program.chosen) - given.keys()
        ground = ConstantInputs(known, players, given, doubtful, supplies.effort)
        supplies.counted[key] = count_pieces(ground)
    return supplies.counted[key]


# ---- Seats and results ---------------------------------------------------------------------------


def _check_seats(view: _View) -> None:
    steps = view.example.node.steps
    found = [step for step in steps if isinstance(step, nodes.Seats)]
    if not found:
        return
    first = found[0]
    for another in found[1:]:
        message = "the players of this example are named twice"
        related = (Related("the first time", first.span),)
        report(view.scope, codes.BAD_SEATS, message, another.span, "name them in one step", related)
    if steps[0] is not first:
        message = "the players of an example are named before its other steps"
        hint = "move this line up, below the title"
        report(view.scope, codes.BAD_SEATS, message, first.span, hint)
    if len(found) == 1 and view.players is not None:
        _check_number(view, view.players, first)


def _check_number(view: _View, players: nodes.Players, seats: nodes.Seats) -> None:
    number, least = len(seats.names), players.least.value
    most = players.most.value if players.most is not None else least
    if not least <= number <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        a_player = "player" if allowed == "1" else "players"
        here = f"{number} {'sits' if number == 1 else 'sit'} here"
        message = f"the game is for {allowed} {a_player}, but {here}"
        more = least - number
        hint = f"name {more} more" if more > 0 else f"leave {number - most} of them out"
        related = (Related("who can play", players.span),)
        report(view.scope, codes.BAD_SEATS, message, seats.span, hint, related)


def _check_results(view: _View, step: nodes.Step, called: nodes.Run | None) -> None:
    """Report a `result` without a call before it that returns something."""
    if step.span.source.text.find("result", step.span.start, step.span.end) < 0:
        return  # this avoids a walk through nearly every step
    found = walk(step)
    if any(isinstance(each, BINDERS) and each.name.text == "result" for each in found):
        return  # it is the variable of a comprehension
    for each in found:
        if isinstance(each, nodes.Name) and each.text == "result":
            _check_result(view, each, called)
            return


def _check_result(view: _View, result: nodes.Name, called: nodes.Run | None) -> None:
    if called is None:
        message = "`result` is what a call returned, but nothing was called yet"
        hint = "write a `when` before it"
        report(view.scope, codes.TOO_EARLY, message, result.span, hint)
    elif called.picks and isinstance(called.picks[-1], nodes.Asked):
        message = "`result` is what a call returned, but this call stops at a question"
        related = (Related("it stops here", called.picks[-1].span),)
        hint = "pick an option there, and the call goes on"
        report(view.scope, codes.TOO_EARLY, message, result.span, hint, related)
    elif not _returns(view, called.call):
        rule = called.call.function.text
        message = f"`result` is what a call returned, but `{rule}` returns nothing"
        related = (Related("called here", called.span),)
        report(view.scope, codes.TOO_EARLY, message, result.span, None, related)


def _returns(view: _View, call: nodes.Call) -> bool:
    routine = view.scope.known.program.routines.get(call.function.text)
    return routine is None or rule_result(routine) is not None


# ---- Steps ---------------------------------------------------------------------------------------


def _check_steps(view: _View) -> None:
    box: Box | None = Box()  # as long as the place of every piece is known
    seats = frozenset(name.text for name in view.seats)
    called: nodes.Run | None = None
    for step in view.example.node.steps:
        if isinstance(step, nodes.Seats):
            continue
        _check_results(view, step, called)
        match step:
            case nodes.Given(place, value):
                box = _check_given(view, place, value, box)
            case nodes.Run(call, picks):
                _check_arguments(view, call)
                for pick in picks:
                    if isinstance(pick, nodes.Asked):
                        _check_asked(view, step, pick)
                    if view.stock is not None:
                        _check_pick(view.stock, seats, pick)
                box, called = None, step
            case nodes.Expect(condition):
                if view.stock is not None:
                    _check_expected(view.scope, view.stock, condition)
            case _:
                assert_never(step)


def _check_pick(stock: Stock, seats: frozenset[str], pick: nodes.Pick | nodes.Asked) -> None:
    if pick.options is not None:
        check_options(stock, pick.options)
    if isinstance(pick, nodes.Pick):
        check_pick(stock, pick.value)
        check_offered(stock, seats, pick)


def _check_expected(scope: Scope, stock: Stock, condition: nodes.Expr) -> None:
    """Report faces that are compared with pieces although no piece has them."""
    for each in walk(condition):
        if isinstance(each, nodes.Compare):
            named = compared_faces(scope, each)
            for face in dict.fromkeys(named.faces) if named is not None else ():
                check_described_pieces(stock, face)


def _check_asked(view: _View, run: nodes.Run, asked: nodes.Asked) -> None:
    """Report picks after the question at which the call stops."""
    following = run.picks[run.picks.index(asked) + 1 :]
    if following:
        message = "the call stops where somebody `is asked`, so nothing is picked after it"
        hint = f"write what {asked.player.text} picks, or leave out what follows"
        place = (Related("it stops here", asked.span),)
        report(view.scope, codes.NOT_OFFERED, message, following[0].span, hint, place)
    if asked.player.text not in view.scope.names:
        message = "`chance` is never asked: it draws"
        hint = "name the player who is asked"
        report(view.scope, codes.WRONG_KIND, message, asked.player.span, hint)


def _check_arguments(view: _View, call: nodes.Call) -> None:
    """Report a face as an argument where no piece is wanted; `type_checks` accepts a face for any value."""
    scope = view.scope
    routine = scope.known.program.routines.get(call.function.text)
    params = routine.versions[-1].node.params if routine is not None else ()
    for param, argument in zip(params, call.arguments, strict=False):
        where = f"`{param.name.text}` of `{call.function.text}`"
        place = (Related("the parameter", param.span),)
        _require(scope, argument, declared_type(scope.known, param.type), where, place)
        if view.stock is not None:
            check_face(view.stock, argument)


def _require(
    scope: Scope, expr: nodes.Expr, wanted: Type, where: str, related: tuple[Related, ...] = ()
) -> None:
    found = type_of(scope, expr)
    inner = element(found)
    if isinstance(inner, types.Never):
        require(evolve(scope, in_example=False), expr, found, wanted, where, related)
    elif isinstance(inner, types.Face) and fit(_as_piece(found), wanted) != "fits":
        message = (
            f"{where} is {describe_type(wanted)}, but {describe_expression(expr, _as_piece(found))}"
        )
        alone = isinstance(expr, nodes.List) and len(expr.items) == 1
        hint = f"write `{as_written(expr).strip('[]')}`" if alone else None
        report(scope, codes.WRONG_TYPE, message, expr.span, hint, related)


def _as_piece(type_: Type) -> Type:
    """The type of the pieces that a face stands for."""
    match type_:
        case types.Face(kinds):
            return types.Piece(kinds)
        case types.Several(of):
            return types.Several(_as_piece(of))
        case types.Maybe(of):
            return types.Maybe(_as_piece(of))
        case _:
            return type_


# ---- Given ---------------------------------------------------------------------------------------


def _check_given(view: _View, place: nodes.Expr, value: nodes.Expr, box: Box | None) -> Box | None:
    """Report what is wrong with a step; return what is known about the box after it."""
    program = view.scope.known.program
    name, keys = _spine(place)
    found = type_of(silent(view.scope), place)
    declared = program.variables.get(name.text) or program.zones.get(name.text) if name else None
    if declared is not None and is_above(program, declared.layer, view.example):
        return None
    if name is not None and name.text in program.variables:
        _require(view.scope, value, found, written(place))
        if view.stock is not None:
            check_face(view.stock, value)
        return box
    if name is None or not (name.text in program.zones or name.text == "box"):
        _tell_no_target(view, place, value, name)
        return box
    if name.text == "box":
        message = "all pieces begin in the box, and `given` takes them out of it"
        hint = "name the zone that you want them in"
        report(view.scope, codes.WRONG_ZONE, message, place.span, hint)
        return box
    if not isinstance(found, types.Place) or found.indices:
        _tell_no_zone(view, place, found)
        return None
    if view.stock is None:
        return None
    demands = check_pieces(view.stock, place, found, value)
    key = _key(view, name, keys)
    if demands is None or view.stock.supply is None:
        return None
    if box is None or key is None:
        check_numbers(view.stock, found.kinds, demands)
        return None
    take_pieces(view.stock, box, found, key, demands)
    return box


def _spine(place: nodes.Expr) -> tuple[nodes.Name | None, list[nodes.Expr]]:
    """`hand` and `[Ada]` of `hand[Ada]`"""
    keys: list[nodes.Expr] = []
    while isinstance(place, nodes.At):
        keys.insert(0, place.key)
        place = place.subject
    return (place if isinstance(place, nodes.Name) else None), keys


def _key(view: _View, name: nodes.Name, keys: list[nodes.Expr]) -> str | None:
    """A text that identifies one zone, if the keys are plain."""
    names, owners = view.scope.names, view.scope.known.owners
    words = []
    for key in keys:
        if isinstance(key, nodes.Name) and (key.text in names or key.text in owners):
            words.append(key.text)
        elif isinstance(key, nodes.Number):
            words.append(str(key.value))
        else:
            return None
    return name.text + "".join(f"[{word}]" for word in words)


def _tell_no_target(
    view: _View, place: nodes.Expr, value: nodes.Expr, name: nodes.Name | None
) -> None:
    hint = None
    if name is not None and name.text in view.scope.known.program.options:
        hint = f"write `with {name.text} = {as_written(value)}` after the title of the example"
    elif name is not None and name.text == "first":
        hint = f"name {written(value)} first: `players {as_written(value)}, …`"
    elif name is not None and name.text == "players":
        hint = "name them: `players Ada, Ben`"
    message = f"`given` fills a zone or sets a state variable, but {written(place)} is neither"
    report(view.scope, codes.NOT_ASSIGNED, message, place.span, hint)


def _tell_no_zone(view: _View, place: nodes.Expr, found: Type) -> None:
    if isinstance(found, types.Unknown):
        return
    message = f"{written(place)} is {describe_type(found)}, but one zone is needed"
    hint = None
    if isinstance(found, types.Place):
        seat = view.seats[0].text if view.seats and found.indices[0] == SEAT else "…"
        hint = f"write `{as_written(place)}[{seat}]`"
    elif isinstance(place, nodes.At):
        hint = f"write `given {as_written(place.subject)} = [{as_written(place.key)}]`"
    report(view.scope, codes.WRONG_ZONE, message, place.span, hint)

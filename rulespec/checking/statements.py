"""The statements of a procedure -> the types of its locals; mistakes are reported to the scope.

Implements docs/language/7-statements.md. The checker follows the paths of a body: each statement takes a scope and
returns the scope after it, or `None` if no path goes on. The scope at the head of a loop is widened from walk to walk
until it no longer changes; only the last walk reports mistakes.
"""

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from attrs import evolve

from rulespec import codes
from rulespec.checking.alternatives import decide_either
from rulespec.checking.calls import statements_of
from rulespec.checking.choice_checks import check_choice
from rulespec.checking.dead_branches import warn_dead_branch
from rulespec.checking.declarations import local_names
from rulespec.checking.expressions import condition, element_type_of, narrow_types, type_of
from rulespec.checking.scopes import (
    Scope,
    bind_names,
    doubt,
    forget_facts,
    likely_index,
    report,
    require,
    silent,
    unmentioned,
)
from rulespec.checking.size_facts import (
    common_sizes,
    forget_changed,
    forget_disturbed,
    learn_element,
    learn_from_test,
)
from rulespec.checking.targets import BodyWalk, assign, assign_choice, perform
from rulespec.checking.wording import as_written, describe_expression, describe_type, written
from rulespec.checking.words import check_verb
from rulespec.core import types
from rulespec.core.types import INT, NONE, POSITION, SEAT, UNKNOWN, Type, element, join, present
from rulespec.diagnostics import Diagnostic, Related
from rulespec.syntax import nodes

WIDEN_AFTER = 3  # walks; then the range of a number that still grows becomes unlimited
MOST_WALKS = 12  # then the type of a local that still changes is unknown


def local_types(scope: Scope, body: nodes.Body, result: Type | None = None) -> Mapping[str, Type]:
    """The types of the locals of a body, computed once."""
    found = scope.known.locals.get(id(body))
    return check_body(silent(scope), body, result) if found is None else found[1]


def check_body(scope: Scope, body: nodes.Body, result: Type | None = None) -> dict[str, Type]:
    """The types of the locals of a body, each the join of all its assigned values."""
    local = local_names(scope.known.program, body) - scope.names.keys()
    walk = BodyWalk(result, frozenset(scope.names), local)
    start = bind_names(scope, dict.fromkeys(local, NONE))
    faults, doubts = [] if scope.faults is None else scope.faults, scope.known.doubts
    begin, begin_doubts = len(faults), len(doubts)
    for walk.count in (*range(MOST_WALKS), MOST_WALKS - 1):
        # The mistakes of a walk count only if the scopes at the heads of its loops were final.
        del faults[begin:], doubts[begin_doubts:]
        walk.changed = False
        walk.given.clear()
        _flow(walk, start, body)
        if not walk.changed:
            break
    _tell_once(scope, begin)
    given = {name: type_ for name, (type_, _) in walk.given.items()}
    # The entry keeps the body alive, so no other object gets its id.
    scope.known.locals[id(body)] = body, given
    return given


def _tell_once(scope: Scope, begin: int) -> None:
    """Keep only the first report about each name that is always `none`."""
    if scope.faults is None:
        return
    kept: dict[tuple[str, str, int], Diagnostic] = {}
    for fault in scope.faults[begin:]:
        always_none = fault.code == codes.ALWAYS_NONE
        text = fault.span.source.text[fault.span.start : fault.span.end]
        place = 0 if always_none else fault.span.start
        kept.setdefault((fault.code.number, text if always_none else fault.message, place), fault)
    scope.faults[begin:] = kept.values()


# ---- Paths ---------------------------------------------------------------------------------------


def _flow(walk: BodyWalk, scope: Scope, body: nodes.Body) -> Scope | None:
    now: Scope | None = scope
    for statement in statements_of(body):
        if now is None:
            return None
        now = _follow(walk, now, statement)
        now = None if now is None else forget_facts(now)
    return now


def _follow(walk: BodyWalk, scope: Scope, node: nodes.Statement) -> Scope | None:
    match node:
        case nodes.If(test, body, otherwise):
            condition(scope, test)
            warn_dead_branch(scope, node)
            then = _flow(walk, _assume(scope, test, holds=True), body)
            rest: Scope | None = _assume(scope, test, holds=False)
            if otherwise is not None and rest is not None:
                rest = _flow(walk, rest, otherwise.body)
            return _merge(then, rest)
        case nodes.For(name, values, body):
            of = element_type_of(scope, values, name)
            if isinstance(of, types.Several):
                message = f"{written(values)} is a set of sets, and `for` cannot go through it"
                report(scope, codes.SET_OF_SETS, message, values.span)
            return _loop(walk, scope, node, body, {name.text: of})
        case nodes.Repeat(times, body):
            if times is not None:
                require(scope, times, type_of(scope, times), INT, "how often to repeat")
            return _loop(walk, scope, node, body, {})
        case nodes.Stop():
            if walk.stops:
                walk.stops[-1].append(scope)
            return None
        case nodes.End():
            return None
        case nodes.Return():
            _return(walk, scope, node)
            return None
        case _ if isinstance(node, nodes.Simple):
            return forget_disturbed(_act(walk, scope, node), node)
        case _:
            assert_never(node)


def _assume(scope: Scope, test: nodes.Expr, *, holds: bool) -> Scope:
    """Narrow the types of names, and of variables until the next statement has been carried out."""
    return learn_from_test(narrow_types(scope, test, holds=holds), test, holds=holds)


def _merge(one: Scope | None, other: Scope | None) -> Scope | None:
    """The scope after two paths."""
    if one is None or other is None:
        return one or other
    if one.names == other.names and one.sizes == other.sizes:
        return one
    names = _merge_names(one, one.names, other.names)
    return evolve(one, names=names, sizes=common_sizes(one.sizes, other.sizes))


def _merge_names(
    scope: Scope, one: Mapping[str, Type], other: Mapping[str, Type]
) -> dict[str, Type]:
    merged = dict(one)
    for name, type_ in other.items():
        if name in merged and merged[name] != type_:
            joined = join(merged[name], type_, scope.known.enums)
            merged[name] = UNKNOWN if joined is None else joined
    return merged


def _loop(
    walk: BodyWalk,
    scope: Scope,
    node: nodes.For | nodes.Repeat,
    body: nodes.Body,
    names: dict[str, Type],
) -> Scope | None:
    scope = forget_facts(scope)
    head = forget_changed(scope, body)
    before = walk.heads.get(id(node))
    if before is not None:
        head = evolve(head, names=_merge_names(scope, scope.names, before))
    fixed = walk.fixed
    walk.fixed = fixed | names.keys()
    walk.stops.append([])
    inner = bind_names(head, names)
    if isinstance(node, nodes.For):
        inner = forget_changed(learn_element(inner, node.values, node.name.text), body)
    after = _flow(walk, inner, body)
    left = walk.stops.pop()
    walk.fixed = fixed
    outer = {name: scope.names[name] for name in names if name in scope.names}
    again = head if after is None else _merge(head, _unbound(after, names, outer))
    if again is not None:
        _grow(walk, node, head, again)
    ends = isinstance(node, nodes.For) or node.times is not None
    exit_: Scope | None = again if ends else None
    for each in left:
        exit_ = _merge(exit_, _unbound(each, names, outer))
    return exit_


def _unbound(scope: Scope, names: dict[str, Type], outer: dict[str, Type]) -> Scope:
    """The scope without the variable of a loop, or with its meaning outside of the loop."""
    if not names:
        return scope
    kept = {name: type_ for name, type_ in scope.names.items() if name not in names}
    return evolve(scope, names={**kept, **outer}, sizes=unmentioned(scope.sizes, names))


def _grow(walk: BodyWalk, node: nodes.For | nodes.Repeat, head: Scope, again: Scope) -> None:
    """Store the types at the head of a loop, if they have been widened."""
    if again.names == head.names:
        walk.heads.setdefault(id(node), dict(again.names))
        return
    grown = dict(again.names)
    for name, type_ in grown.items():
        before = head.names.get(name)
        if before != type_ and walk.count >= WIDEN_AFTER:
            grown[name] = _widen(type_) if walk.count < MOST_WALKS - 3 else UNKNOWN
    walk.changed = walk.changed or walk.heads.get(id(node)) != grown
    walk.heads[id(node)] = grown


def _widen(type_: Type) -> Type:
    match type_:
        case types.Number():
            return INT
        case types.Maybe(types.Number()):
            return types.Maybe(INT)
        case types.Several(types.Number()):
            return types.Several(INT)
        case _:
            return type_


# ---- Single statements ---------------------------------------------------------------------------


def _act(walk: BodyWalk, scope: Scope, node: nodes.Simple) -> Scope:
    match node:
        case nodes.Perform(call):
            perform(scope, call)
            return scope
        case nodes.Assign():
            return assign(walk, scope, node)
        case nodes.Move(pieces, _, zone, position):
            _move(scope, pieces, zone)
            if position is not None:
                _insert(scope, pieces, zone, position)
            return scope
        case nodes.Shuffle(zone):
            found = _zone(scope, zone)
            if found is not None and found.order == "pool":
                message = f"{written(zone)} is a pool, which has no order to shuffle"
                hint = "write `pile` in its row of `zones`"
                report(scope, codes.WRONG_ZONE, message, zone.span, hint, _declared(scope, found))
            return scope
        case nodes.Show(pieces, players):
            _pieces(scope, pieces, "show")
            require(
                scope, players, type_of(scope, players), types.Several(SEAT), "what follows `to`"
            )
            return scope
        case nodes.Reveal(pieces):
            _pieces(scope, pieces, "reveal")
            return scope
        case nodes.Announce():
            return _announce(walk, scope, node)
        case nodes.Tell(text, players):
            _holes(scope, text)
            if players is not None:
                told = type_of(scope, players)
                require(scope, players, told, types.Several(SEAT), "what follows `to`")
            return scope
        case nodes.Heading(text):
            _holes(scope, text)
            return scope
        case _ if isinstance(node, Deciding):
            return _decision(walk, scope, node)
        case nodes.Nothing() | nodes.Stop() | nodes.End() | nodes.Return():
            return scope
        case _:
            assert_never(node)


Deciding: TypeAlias = nodes.Random | nodes.Choose | nodes.MayChoose | nodes.Each | nodes.EachMay


def _decision(walk: BodyWalk, scope: Scope, node: Deciding) -> Scope:
    """Check a decision of chance or players; returns the scope in which the target has a value."""
    match node:
        case nodes.Random(target, options):
            check_choice(scope, node, walk.local)
            return assign_choice(walk, scope, target, options, may=False)
        case nodes.Choose(player, target, options) | nodes.MayChoose(player, target, options):
            require(scope, player, type_of(scope, player), SEAT, "the one who chooses")
            check_choice(scope, node, walk.local)
            may = isinstance(node, nodes.MayChoose)
            if isinstance(node, nodes.Choose) and node.alternative is not None:
                return decide_either(walk, scope, node, node.alternative)
            return assign_choice(walk, scope, target, options, may=may)
        case nodes.Each(name, players, target, options) | nodes.EachMay(
            name, players, target, options
        ):
            of = element_type_of(scope, players, name)
            require(scope, players, of, SEAT, "the one who chooses")
            of = SEAT
            inner = learn_element(bind_names(scope, {name.text: of}), players, name.text)
            may = isinstance(node, nodes.EachMay)
            check_choice(inner, node, walk.local)
            outer = {name.text: scope.names[name.text]} if name.text in scope.names else {}
            after = assign_choice(walk, inner, target, options, may=may)
            if (
                target.index is None
            ):  # `check_choice` has reported it, so later uses with an index are right
                after = bind_names(after, {target.name.text: types.Unknown()})
            # If there are no players to choose, no player has passed the filter.
            sizes = unmentioned(scope.sizes, {target.name.text})
            return evolve(_unbound(after, {name.text: of}, outer), sizes=sizes)
        case _:
            assert_never(node)


def _return(walk: BodyWalk, scope: Scope, node: nodes.Return) -> None:
    """Check the value of a `return`; `control_flow` checks whether there must be one."""
    if node.value is not None:
        found = type_of(scope, node.value)
        if walk.result is not None:
            require(scope, node.value, found, walk.result, "the result of the rule")


def _pieces(scope: Scope, expr: nodes.Expr, verb: str) -> frozenset[str] | None:
    """The kinds of the pieces that are moved or shown; `None` if unknown."""
    found = type_of(scope, expr)
    of = element(found)
    match of:
        case types.Piece(kinds):
            return kinds
        case types.Unknown() | types.Never():
            return None
    message = f"`{verb}` needs pieces, but {describe_expression(expr, found)}"
    hint = f"say from where: `box[{as_written(expr)}]`" if isinstance(of, types.Face) else None
    if isinstance(expr, nodes.Get) and written(expr) != "this":
        hint = f"write `{as_written(expr.subject)}[…]` for the pieces themselves"
    report(scope, codes.WRONG_TYPE, message, expr.span, hint)
    return None


def _holes(scope: Scope, text: nodes.Told) -> None:
    """Check that the values in the holes of a sentence can be shown."""
    for place, hole in enumerate(text.holes):
        found = type_of(scope, hole)
        inner = present(found)
        is_seat = inner == SEAT or (isinstance(inner, types.Several) and inner.of == SEAT)
        wrong = check_verb(text, place) if is_seat else None
        if wrong is not None and scope.faults is not None:
            scope.faults.append(wrong)
        if not _can_be_told(found):
            message = f"{written(hole)} is {describe_type(found)}, which a sentence cannot show"
            hint = "use a number, a player, a card, or several of one kind"
            report(scope, codes.NOT_TOLD, message, hole.span, hint)


def _can_be_told(found: Type) -> bool:
    match found:
        case types.Maybe(of) | types.Several(of):
            return _can_be_told(of)
        case types.Family() | types.Indexed():
            return False
        case types.Place(_, indices):
            return not indices
    return True


def _announce(walk: BodyWalk, scope: Scope, node: nodes.Announce) -> Scope:
    name, value, players = node.name, node.value, node.players
    if players is not None:
        require(scope, players, type_of(scope, players), types.Several(SEAT), "what follows `to`")
    variable = scope.known.program.variables.get(name.text)
    if variable is not None and name.text not in walk.fixed:
        message = f"`{name.text}` is a state variable, which everyone sees anyway"
        hint = f"write `{name.text} = {as_written(value)}`, or announce it by another name"
        place = (Related("the variable", variable.node.node.span),)
        report(scope, codes.NOT_ANNOUNCED, message, name.span, hint, place)
        return scope
    given = nodes.Assign(name, "=", value, span=node.span)
    found = type_of(silent(scope), value)
    if _can_be_announced(found):
        after = assign(walk, scope, given)
        found = after.names.get(name.text, UNKNOWN)  # a rule may have given it back
    else:
        type_of(scope, value)
        after = evolve(assign(walk, silent(scope), given), faults=scope.faults)
    if not _can_be_announced(found):
        _tell_not_announced(scope, value, found, players)
    return after


def _tell_not_announced(
    scope: Scope, value: nodes.Expr, found: Type, players: nodes.Expr | None
) -> None:
    message = f"`announce` takes numbers, members, players, `yes` and `no`, but {describe_expression(value, found)}"
    match element(found):
        case types.Piece():
            text = as_written(value)
            to = "…" if players is None else as_written(players)
            hint = f"write `reveal {text}` for all to see it, or `show {text} to {to}`"
        case _:
            hint = "announce one value of it, or a number that is counted in it"
    report(scope, codes.NOT_ANNOUNCED, message, value.span, hint)


def _can_be_announced(found: Type) -> bool:
    """Whether values of a type are plain, so that learning one reveals nothing else."""
    match found:
        case types.Maybe(of) | types.Several(of):
            return _can_be_announced(of)
        case (
            types.Bool()
            | types.Number()
            | types.Choice()
            | types.Seat()
            | types.Direction()
            | types.Never()
            | types.Unknown()
        ):
            return True
        case (
            types.Piece()
            | types.Face()
            | types.Place()
            | types.Indexed()
            | types.Outputs()
            | types.Family()
        ):
            return False
        case _:
            assert_never(found)


def _zone(scope: Scope, expr: nodes.Expr) -> types.Place | None:
    """The type of an expression that must be a single zone."""
    found = type_of(scope, expr)
    match found:
        case types.Place(_, ()):
            return found
        case types.Unknown():
            return None
        case types.Place(_, indices):
            message = f"{written(expr)} is a family of zones, but one zone is needed"
            hint = f"write `{as_written(expr)}[{likely_index(scope, indices)}]`"
            report(scope, codes.WRONG_ZONE, message, expr.span, hint, _declared(scope, found))
        case _:
            message = f"{describe_expression(expr, found)}, not a zone"
            report(scope, codes.WRONG_ZONE, message, expr.span, _meant_index(scope, expr))
    return None


def _meant_index(scope: Scope, expr: nodes.Expr) -> str | None:
    """A hint with the index, where pieces are selected from a whole family of zones."""
    family = type_of(silent(scope), expr.subject) if isinstance(expr, nodes.At) else None
    if not isinstance(expr, nodes.At) or not isinstance(family, types.Place) or not family.indices:
        return None
    return f"its index is {describe_type(family.indices[0])}: write `{as_written(expr.subject)}[…]` with one"


def _declared(scope: Scope, zone: types.Place) -> tuple[Related, ...]:
    row = scope.known.program.zones.get(zone.name or "")
    return (Related("the zone", row.node.span),) if row is not None else ()


def _move(scope: Scope, pieces: nodes.Expr, zone: nodes.Expr) -> None:
    kinds = _pieces(scope, pieces, "move")
    place = _zone(scope, zone)
    if kinds and place is not None and kinds.isdisjoint(place.kinds):
        holds = ", ".join(f"`{kind}`" for kind in sorted(place.kinds))
        moved = ", ".join(f"`{kind}`" for kind in sorted(kinds))
        message = f"{written(zone)} holds {holds}, not {moved}"
        hint = f"add {moved} to what it holds"
        report(scope, codes.WRONG_ZONE, message, pieces.span, hint, _declared(scope, place))
    elif kinds and place is not None and not kinds <= place.kinds:
        holds = ", ".join(f"`{kind}`" for kind in sorted(place.kinds))
        sentence = f"{written(zone)} holds {holds}, but {written(pieces)} may be something else"
        doubt(scope, "zone", sentence, pieces)


def _insert(scope: Scope, pieces: nodes.Expr, zone: nodes.Expr, position: nodes.Expr) -> None:
    """Check `at`, which puts one piece between the others of a pile."""
    found = type_of(silent(scope), pieces)
    if not isinstance(present(found), types.Piece | types.Unknown | types.Never):
        message = f"`at` moves one piece, but {describe_expression(pieces, found)}"
        hint = f"move each to its own position, in a `for` through {written(pieces)}"
        report(scope, codes.WRONG_TYPE, message, pieces.span, hint)
    place = _zone(silent(scope), zone)
    if place is not None and place.order == "pool":
        message = f"{written(zone)} is a pool, where no piece has a position"
        hint = "write `pile` in its row of `zones`"
        report(scope, codes.WRONG_ZONE, message, zone.span, hint, _declared(scope, place))
    require(
        scope, position, type_of(scope, position), POSITION, "a position, which is 1 at the top,"
    )

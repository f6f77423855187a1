"""Keys of values -> whether they are certainly equal, certainly different, or may be either.

The same of places, and of sets of pieces: whether they may overlap.
"""

from rulespec.secrets.check_run import Run
from rulespec.secrets.knowledge import ANYWHERE, Audience, Key, Part, Place, State


def seat_after(run: Run, key: Key, steps: int) -> Key:
    """The seat so many places to the left."""
    base, before = seat_of(key)
    total = before + steps
    if run.core.least_players == run.core.most_players:
        total %= run.core.least_players
    if total == 0:
        return base
    name = "left" if total > 0 else "right"
    if steps == total == (1 if run.core.clockwise else -1):
        name = "next"
    shown = f"{name}(" * abs(total) + base.shown + ")" * abs(total)
    return run.keys.make("turn", base, total, shown=shown)


def are_different(run: Run, state: State, one: Key, other: Key) -> bool:
    """Whether two values are certainly different."""
    if one is other:
        return False
    if one.head == other.head == "literal":
        return True
    pair = frozenset((one, other))
    if pair in run.apart or pair in state.apart:
        return True
    (a, m), (b, n) = seat_of(one), seat_of(other)
    return a is b and all(
        (m - n) % players for players in range(run.core.least_players, run.core.most_players + 1)
    )


def seat_of(key: Key) -> tuple[Key, int]:
    """A seat, as so many places to the left of another one."""
    match key.parts:
        case (Key() as base, int(steps)) if key.head == "turn":
            return base, steps
        case _:
            return key, 0


def are_same(run: Run, state: State, one: Key, other: Key) -> bool:
    """Whether two values are certainly equal."""
    if one is other or frozenset((one, other)) in state.same:
        return True
    if run.core.most_players > 2:
        return False
    (a, _), (b, _) = seat_of(one), seat_of(other)
    for third in {
        a,
        b,
        *(key for pair in run.apart | state.apart if {one, other} & pair for key in pair),
    }:
        if third.head == "literal":
            continue  # `none` is nobody, and so says nothing of two players who differ from it
        if are_different(run, state, third, one) and are_different(run, state, third, other):
            return True
    return False


def includes(run: Run, state: State, audience: Audience, player: Key) -> bool:
    """Whether a player certainly belongs to an audience."""
    return (
        audience.everyone
        or any(are_same(run, state, player, each) for each in audience.players)
        or any(are_different(run, state, player, each) for each in audience.but)
    )


def may_overlap(run: Run, state: State, one: Place, other: Place) -> bool:
    if one.zone != other.zone:
        return ANYWHERE in (one, other)
    return may_be_one(run, state, one.indices, other.indices)


def may_be_one(run: Run, state: State, indices: tuple[Key, ...], others: tuple[Key, ...]) -> bool:
    """Whether indices may lead to one member of a family of zones."""
    for one, other in zip(indices, others, strict=False):
        if are_different(run, state, one, other):
            return False
    return True


def disjoint(run: Run, state: State, one: Part, other: Part) -> bool:
    """Whether two parts certainly have no piece in common."""
    if (other.roots | {other.key}) & one.excludes or (one.roots | {one.key}) & other.excludes:
        return True
    return not any(may_overlap(run, state, a, b) for a in one.places for b in other.places)

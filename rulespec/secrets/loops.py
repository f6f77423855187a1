"""A loop and the state before it -> what holds before each of its turns, and what all turns together tell.

At the head of a loop everything that a turn changes has a key of its own (`phi`), and facts about keys of an
earlier turn are forgotten: so a fact about one turn is never taken for a fact about another.
"""

from typing import TypeVar

from attrs import define, evolve, frozen

from rulespec.core import tree
from rulespec.secrets.check_run import Changes, Run
from rulespec.secrets.comparing import seat_after, seat_of
from rulespec.secrets.computing import hides
from rulespec.secrets.elements import Taken, one_of, own_guard
from rulespec.secrets.facts import contents_key, face_key, faces, forget_newer, teach
from rulespec.secrets.joining import joined, joined_part, keep_contents, untold
from rulespec.secrets.knowledge import (
    EVERYONE,
    NOBODY,
    NOTHING,
    Audience,
    Key,
    Part,
    Place,
    Sources,
    State,
    Value,
    copy_state,
    forget_audience,
    intersect,
    pended,
)
from rulespec.secrets.parts import Env, holds_pieces

Name = TypeVar("Name")  # a slot or the name of a variable


@define
class Loop:
    """A loop that the check follows: `mark` is the newest key before it, `phi` marks what it changes."""

    run: Run
    frame: int
    mark: int
    phi: Key
    decides: Sources
    entry: State


def changes_of(entry: State, head: State, frame: int) -> Changes:
    """What a loop has changed."""
    return Changes(
        frozenset(
            place
            for (owner, place), value in head.slots.items()
            if owner == frame and value is not entry.slots.get((owner, place))
        ),
        frozenset(
            name for name, value in head.variables.items() if value is not entry.variables.get(name)
        ),
        frozenset(zone for zone, writes in head.writes.items() if writes != entry.writes.get(zone)),
        # An index differs when the check walks through the loop again.
        tuple(
            (Place(place.zone), found)
            for place, found in head.sorted.items()
            if found != entry.sorted.get(place)
        ),
    )


def begin_with(loop: Loop, entry: State, changes: Changes) -> State:
    """The state at the head of a loop that will change these."""
    run = loop.run
    head = copy_state(entry)
    head.serial = loop.phi
    block = run.core.blocks[run.calls[-1].name]
    none = Value(run.keys.make("literal", "None"))
    for place in changes.slots:
        slot, type_ = (loop.frame, place), block.slots[place][1]
        first = entry.slots.get(slot, none)
        if type_ is not None and not hides(type_):
            key = _phi(loop, f"slot {slot[0]} {slot[1]}", first)
            head.slots[slot] = Value(key, first.which | loop.decides, first.size | loop.decides)
    for name in changes.variables:
        first = entry.variables.get(name, Value(run.keys.make("variable", name, shown=name)))
        if not first.parts:
            head.variables[name] = Value(_phi(loop, f"variable {name}", first))
    for zone in changes.zones:
        head.writes[zone] = ((None, run.keys.make("stamp", loop.phi, zone)),)
    if changes.zones:
        keep_contents(run, head, (entry,), changes.zones, loop.mark)
    for laid, found in changes.sorted:
        head.sorted[laid] = head.sorted.get(laid, NOTHING) | found
    head.members = {
        place: value for place, value in entry.members.items() if place[0] not in changes.variables
    }
    return head


def _phi(loop: Loop, name: str, first: Value) -> Key:
    return loop.run.keys.make("phi", loop.phi, name, shown=first.key.shown)


def turn_of(env: Env, values: Value, node: tree.For) -> Value:
    """The element whose turn it is."""
    name = env.run.core.blocks[env.run.calls[-1].name].slots[node.into][0]
    element = one_of(env, values, Taken(name, node.values.span))
    return (
        element if values.parts else evolve(element, which=own_guard(env.run, values, element.key))
    )


def widen(loop: Loop, entry: State, head: State, after: State) -> State:
    """The state at the head of a loop: what holds before the first turn and after each turn so far."""
    run, mark = loop.run, loop.mark
    new = copy_state(entry)
    none = Value(run.keys.make("literal", "None"))
    for place in entry.slots.keys() | after.slots.keys():
        if _is_untouched(place, entry.slots, head.slots, after.slots):
            continue
        first = entry.slots.get(place, none)
        name = f"slot {place[0]} {place[1]}"
        ends = Ends(first, head.slots.get(place), after.slots.get(place))
        new.slots[place] = _widen_value(loop, after, ends, name, loop.decides)
    for name in entry.variables.keys() | after.variables.keys():
        if _is_untouched(name, entry.variables, head.variables, after.variables):
            continue
        first = Value(run.keys.make("variable", name, shown=name))
        hidden = loop.decides if holds_pieces(run.variables[name].type) else NOTHING
        last = after.variables.get(name, first)
        ends = Ends(entry.variables.get(name, first), head.variables.get(name), last)
        new.variables[name] = _widen_value(loop, after, ends, f"variable {name}", hidden)
    new.members = {
        place: value
        for place, value in entry.members.items()
        if after.members.get(place) == value and head.members.get(place) == value
    }
    new.known = {
        key: both
        for key, audience in entry.known.items()
        if key in after.known
        and (both := intersect(audience, forget_audience(after.known[key], mark))) != NOBODY
    }
    changed = {
        zone
        for zone in entry.writes.keys() | after.writes.keys()
        if not entry.writes.get(zone) == after.writes.get(zone) == head.writes.get(zone)
    }
    for zone in changed:
        new.writes[zone] = ((None, run.keys.make("stamp", loop.phi, zone)),)
    if changed:
        keep_contents(run, new, (entry, after), changed, mark)
    new.implied = {key: facts for key, facts in entry.implied.items() if key in after.implied}
    new.apart, new.same = entry.apart & after.apart, entry.same & after.same
    new.universal = entry.universal & after.universal
    new.serial = loop.phi
    told = (
        evolve(
            each,
            sources=forget_newer(run, after, each.sources, mark),
            seen=forget_audience(each.seen, mark),
        )
        for each in untold(run, after)
    )
    new.pending = pended((*entry.pending, *told))
    for laid, found in after.sorted.items():
        old = _forgotten_place(laid, mark)
        new.sorted[old] = new.sorted.get(old, NOTHING) | forget_newer(run, after, found, mark)
    return new


def _is_untouched(
    name: Name, entry: dict[Name, Value], head: dict[Name, Value], after: dict[Name, Value]
) -> bool:
    """Whether no turn so far has given this name another value."""
    first = entry.get(name)
    return first is not None and after.get(name) is first is head.get(name, first)


@frozen
class Ends:
    """The values of one name: before a loop, at its head so far, and after a turn."""

    first: Value
    head: Value | None
    last: Value | None


def _widen_value(loop: Loop, after: State, ends: Ends, name: str, decides: Sources) -> Value:
    first, head, last = ends.first, ends.head, ends.last
    if last is None or (last is first and (head is None or head is first)):
        return first
    phi = _phi(loop, name, first)
    run = loop.run
    if head is not None and head.key is phi:
        if last is head:
            return head
        return joined(run, phi, head, _forgotten(loop, after, last, phi), decides)
    if last.key is first.key:
        return (
            first
            if last == first
            else joined(run, first.key, first, _forgotten(loop, after, last, first.key), decides)
        )
    return joined(run, phi, first, _forgotten(loop, after, last, phi), decides)


def _forgotten(loop: Loop, after: State, value: Value, key: Key) -> Value:
    """A value at the end of a turn, without anything that the next turn may not refer to."""
    run, mark = loop.run, loop.mark

    def left(sources: Sources) -> Sources:
        return forget_newer(run, after, sources, mark)

    merged: dict[Key, Part] = {}
    for part in value.parts:
        fresh = part.key.newest > mark
        needs = left(part.needs)
        if fresh:
            needs = left(faces(run, after, part))
        old = Part(
            run.keys.make("old", key) if fresh else part.key,
            frozenset(_forgotten_place(each, mark) for each in part.places),
            left(part.which),
            needs,
            left(part.where),
            EVERYONE if fresh else forget_audience(part.seen, mark),
            part.one,
            part.whole and not fresh,
            frozenset(each for each in part.roots if each.newest <= mark),
            frozenset(each for each in part.excludes if each.newest <= mark),
            part.name,
            part.path,
        )
        merged[old.key] = joined_part(merged[old.key], old) if old.key in merged else old
    return Value(
        value.key,
        left(value.which),
        left(value.size),
        tuple(merged.values()),
        None if value.place is None else _forgotten_place(value.place, mark),
        frozenset(each for each in value.apart if each.newest <= mark),
        None,
        value.everybody,
        value.generic,
    )


def _forgotten_place(place: Place, mark: int) -> Place:
    """A place without newer keys: its indices up to the first that is newer than `mark`."""
    indices: list[Key] = []
    for each in place.indices:
        if each.newest > mark:
            break
        indices.append(each)
    return Place(place.zone, tuple(indices))


def has_settled(before: State, after: State, frame: int, exposed: frozenset[int] | None) -> bool:
    """Whether another turn would begin like the last one, in everything that it reads.

    A way that leaves the loop takes along all that the turn began with. Piles on which pools were laid make only the
    outermost loop take another turn; each loop in it then begins with those that it has laid itself.
    """
    if before is after:
        return True
    slots = {
        slot
        for slot in before.slots.keys() | after.slots.keys()
        if (exposed is None or slot[0] != frame or slot[1] in exposed)
        and before.slots.get(slot) != after.slots.get(slot)
    }
    return (
        not slots
        and before.writes == after.writes
        and before.known == after.known
        and before.variables == after.variables
        and before.members == after.members
        and before.apart == after.apart
        and before.same == after.same
        and after.pending <= before.pending
    )


def lays_more(before: State, after: State) -> bool:
    """Whether a turn has laid pools on piles where none lay when it began."""
    return any(
        not found
        <= before.sorted.get(place, NOTHING) | before.sorted.get(Place(place.zone), NOTHING)
        for place, found in after.sorted.items()
    )


def sum_up(loop: Loop, turn: State, after: State, player: Key, values: Value) -> None:
    """Carry what each turn of a loop over players, or over a set, has told over to all of them."""
    run, mark, before = loop.run, loop.mark, loop.entry
    of = None if values.everybody else values.key
    for key, audience in turn.known.items():
        if (
            key is player
        ):  # everyone knows who the players are, and it says nothing about other values
            continue
        # Any other new part of a key belongs to this turn alone, for example what lay in a zone when it began.
        lasting = _newest_but(key, player) <= mark
        if player in audience.players and key.newest <= mark:
            if of is None:
                teach(run, after, key, EVERYONE)
        elif key.newest == player.newest and lasting and audience.everyone:
            after.universal |= {(player, key, EVERYONE, of)}
        elif key.newest == player.newest and lasting:
            for each in audience.players:
                base, steps = seat_of(each)
                if base is player:
                    own = run.keys.replace(key, player, seat_after(run, player, -steps))
                    only = Audience(players=frozenset({player}))
                    after.universal |= {(player, own, only, of)} if of is None else frozenset()
        if (
            of is not None
            or not audience.everyone
            or key.head != "face"
            or not isinstance(key.parts[0], Key)
        ):
            continue
        inner = key.parts[0]
        if inner.head != "contents" or len(inner.parts) != 3 or inner.parts[1] is not player:
            continue
        zone = str(inner.parts[0])
        if turn.writes.get(zone) == before.writes.get(zone) == after.writes.get(zone):
            teach(run, after, face_key(run, contents_key(run, after, Place(zone))), EVERYONE)


def _newest_but(key: Key, player: Key) -> int:
    """The number of the newest fresh key in a key, not counting that of the player."""
    if key is player or key.newest < player.newest:
        return 0 if key is player else key.newest
    if key.head == "fresh":
        return key.newest
    return max(
        (_newest_but(each, player) for each in key.parts if isinstance(each, Key)), default=0
    )

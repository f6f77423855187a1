"""Values, and who knows them: the data of the information check.

Every value has a `Key`: equal keys are equal values in every game. Whatever is drawn, chosen, moved or assigned anew
gets a fresh key, so a fact about a key never becomes wrong. A `Source` is something hidden that a value depends on.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from attrs import define, evolve, field, frozen

from rulespec.diagnostics import Related
from rulespec.source import Span

# ---- Keys ----------------------------------------------------------------------------------------


class Key:
    """The identity of a value: a fresh number, or an operation with the keys of its operands."""

    __slots__ = ("head", "newest", "number", "parts", "shown")

    def __init__(
        self,
        head: str,
        parts: "tuple[Key | str | int | None, ...]",
        shown: str,
        newest: int,
        number: int,
    ) -> None:
        self.head = head
        self.parts = parts
        self.shown = shown
        self.newest = newest  # the count of the newest fresh key in it
        self.number = number  # higher than the numbers of the keys in it

    def __repr__(self) -> str:
        return self.shown or f"{self.head}{self.parts}"


@define
class Keys:
    """All keys of one check: the same operation with the same operands is the same object."""

    table: dict[tuple[object, ...], Key] = field(factory=dict)
    count: int = 0

    def fresh(self, shown: str) -> Key:
        self.count += 1
        return Key("fresh", (self.count,), shown, self.count, self.count + len(self.table))

    def make(self, head: str, *parts: Key | str | int | None, shown: str = "") -> Key:
        name = (head, *parts)
        found = self.table.get(name)
        if found is None:
            newest = 0
            for part in parts:
                if isinstance(part, Key) and part.newest > newest:
                    newest = part.newest
            number = self.count + len(self.table) + 1
            found = self.table[name] = Key(head, parts, shown, newest, number)
        return found

    def replace(self, key: Key, old: Key, new: Key) -> Key:
        """The key, with one key inside it replaced by another."""
        return self._replace(key, old, new, {old: new})

    def _replace(self, key: Key, old: Key, new: Key, found: dict[Key, Key]) -> Key:
        """The same; `found` keeps earlier answers, because a key may contain another one many times."""
        if key in found:
            return found[key]
        if key.number < old.number or key.head == "fresh":
            return key
        parts = tuple(
            self._replace(part, old, new, found) if isinstance(part, Key) else part
            for part in key.parts
        )
        after = key if parts == key.parts else self.make(key.head, *parts, shown=key.shown)
        found[key] = after
        return after


def contains_key(key: Key, inner: Key) -> bool:
    """Whether a key contains another one."""
    left, looked_at = [key], {key}
    while left:
        each = left.pop()
        if each is inner:
            return True
        for part in each.parts:
            if isinstance(part, Key) and part.number >= inner.number and part not in looked_at:
                looked_at.add(part)
                left.append(part)
    return False


# ---- Who knows -----------------------------------------------------------------------------------


@frozen(cache_hash=True)
class Audience:
    """A set of players who know something: everyone, these `players`, or everyone except one of `but`."""

    everyone: bool = False
    players: frozenset[Key] = frozenset()
    but: frozenset[Key] = frozenset()


NOBODY = Audience()
EVERYONE = Audience(everyone=True)


def unite(one: Audience, other: Audience) -> Audience:
    if one is other or other is NOBODY:
        return one
    if one is NOBODY:
        return other
    if one.everyone or other.everyone:
        return EVERYONE
    players, but = one.players | other.players, one.but | other.but
    if players & but:
        return EVERYONE
    return Audience(players=players, but=but) if players or but else NOBODY


def intersect(one: Audience, other: Audience) -> Audience:
    if one is other:
        return one
    if one.everyone or other.everyone:
        return other if one.everyone else one
    players, but = one.players & other.players, one.but & other.but
    return Audience(players=players, but=but) if players or but else NOBODY


@frozen(cache_hash=True)
class Place:
    """A zone, or the members of a family of zones that these indices select."""

    zone: str
    indices: tuple[Key, ...] = ()


ANYWHERE = Place("")


def first_place(places: frozenset[Place]) -> Place | None:
    """One of several places, always the same one."""
    if len(places) == 1:
        return next(iter(places))
    return min(
        places, key=lambda each: (each.zone, [key.shown for key in each.indices]), default=None
    )


@frozen(cache_hash=True)
class Source:
    """Something hidden. A player knows it if told the value of `key`, or if in `audience` and aware of all `needs`.

    The other fields put it into words: where it was read, through which functions, and where the pieces lie; of a
    `secret`, which is what a hidden variable holds, the place is that variable. A `count` is how many pieces lie in a zone.
    """

    key: Key | None
    audience: Audience
    needs: "frozenset[Source]" = frozenset()
    kind: Literal["face", "choice", "chance", "order", "place", "fact", "secret", "count"] = "face"
    place: Place | None = field(default=None, eq=False)
    name: str | None = field(default=None, eq=False)
    path: tuple[Related, ...] = field(default=(), eq=False)
    span: Span | None = field(default=None, eq=False)
    via: tuple[tuple[str, Span], ...] = field(
        default=(), eq=False
    )  # the functions in which it was read, the innermost first
    whole: Span | None = field(default=None, eq=False)  # the condition for which it was read
    is_value: bool = field(
        default=False, eq=False
    )  # the text at `span` is a value that is not pieces
    newest: int = field(init=False, eq=False, repr=False)

    @newest.default
    def _newest(self) -> int:
        """The number of the newest key in it."""
        newest = 0 if self.key is None else self.key.newest
        for key in (*self.audience.players, *self.audience.but):
            newest = max(newest, key.newest)
        for each in self.needs:
            newest = max(newest, each.newest)
        return newest


Sources = frozenset[Source]
NOTHING: Sources = frozenset()


def gathered(sources: Iterable[Source]) -> Sources:
    """Sources as a set; among equal ones it keeps the one that stands first in the text."""
    found: dict[Source, Source] = {}
    for source in sources:
        before = found.get(source)
        if before is None or in_reading_order(source) < in_reading_order(before):
            found[source] = source
    return frozenset(found.values()) if found else NOTHING


def read_as(reader: Source, source: Source) -> Source:
    """A source that a reader needs, in the words of the reader: where and through which functions it was read."""
    return evolve(
        source,
        span=reader.span or source.span,
        via=reader.via or source.via,
        name=source.name or reader.name,
        path=source.path or reader.path,
        whole=reader.whole or source.whole,
    )


def in_reading_order(source: Source) -> tuple[object, ...]:
    """A sort key: where a source stands in the text, then the words that distinguish it from others there."""
    words = (
        source.kind in ("choice", "chance"),  # where a piece lies says more than who chose it
        source.kind,
        source.name or "",
        "" if source.place is None else shown(source.place),
        _in_text(source.whole),
        not source.is_value,
        tuple((name, *_in_text(span)) for name, span in source.via),
        tuple((related.message, *_in_text(related.span)) for related in source.path),
    )
    return (*_in_text(source.span), *words)


def _in_text(span: Span | None) -> tuple[str, int, int]:
    """A sort key: where a span stands in the text; `None` comes last."""
    return ("~", 0, 0) if span is None else (span.source.name, span.start, span.end)


def shown(place: Place) -> str:
    """A zone as the author writes it."""
    return place.zone + "".join(f"[{key.shown}]" for key in place.indices)


# ---- Values --------------------------------------------------------------------------------------


@frozen
class Part:
    """A set of pieces that is tracked as one: `key` stands for exactly these.

    `which` decides which pieces they are; who knows all `needs` knows their faces. `whole` says that they are all
    pieces of a place. `roots` are the parts from which they were selected.
    """

    key: Key
    places: frozenset[Place]
    which: Sources = NOTHING
    needs: Sources = NOTHING
    where: Sources = NOTHING
    seen: Audience = EVERYONE
    one: bool = False
    whole: bool = False
    roots: frozenset[Key] = frozenset()
    excludes: frozenset[Key] = frozenset()  # parts with which it shares no piece
    name: str | None = field(default=None, eq=False)
    path: tuple[Related, ...] = field(default=(), eq=False)


@frozen
class Value:
    """What the check knows about the value of an expression before the game is played.

    `which` decides the value; for pieces, together with what decides each part. `size` decides how many there are,
    or whether it is none.
    """

    key: Key
    which: Sources = NOTHING
    size: Sources = NOTHING
    parts: tuple[Part, ...] = ()
    place: Place | None = None  # only for a zone
    apart: frozenset[Key] = frozenset()  # players from whom each element differs
    guard: tuple[Key, Sources] | None = (
        None  # the key of an element, and what decides whether that element belongs to the set
    )
    everybody: bool = False  # whether it is the set of all players
    generic: Key | None = None  # for a family of choices, the player whose choice `parts` describe


# ---- States --------------------------------------------------------------------------------------


@frozen
class Call:
    """A rule that is running: its name, whether a mechanism wrote it, and where it is called."""

    name: str
    in_mechanism: bool
    span: Span | None


StepKind: TypeAlias = Literal[
    "variable", "move", "shuffle", "show", "announce", "tell", "random", "order", "ask", "question"
]


@frozen
class Exposure:
    """A public step, and what it reveals to all players except those who see it anyway."""

    kind: StepKind
    name: str
    span: Span
    sources: Sources
    seen: Audience
    calls: tuple[Call, ...] = field(default=(), eq=False)


def pended(exposures: Iterable[Exposure]) -> frozenset[Exposure]:
    """Exposures as a set; equal ones are merged, and each source keeps its first place in the text."""
    found: dict[Exposure, Exposure] = {}
    for each in exposures:
        before = found.get(each)
        if before is None:
            found[each] = each
        elif before.sources is not each.sources:
            both = gathered((*before.sources, *each.sources))
            calls = min(before.calls, each.calls, key=lambda calls: [call.name for call in calls])
            found[each] = evolve(before, sources=both, calls=calls)
    return frozenset(found.values())


Slot = tuple[int, int]  # the frame, and the place in it
Write = tuple[
    tuple[Key, ...] | None, Key
]  # the indices of the changed members of a family, and their new stamp


@define
class State:
    """What holds at one point of a program."""

    slots: dict[Slot, Value] = field(factory=dict)
    variables: dict[str, Value] = field(factory=dict)
    members: dict[tuple[str, tuple[Key, ...]], Value] = field(factory=dict)
    writes: dict[str, tuple[Write, ...]] = field(factory=dict)
    known: dict[Key, Audience] = field(factory=dict)
    implied: dict[tuple[Key, bool], frozenset[tuple[Key, Audience]]] = field(factory=dict)
    apart: frozenset[frozenset[Key]] = frozenset()
    same: frozenset[frozenset[Key]] = frozenset()
    pending: frozenset[Exposure] = frozenset()
    sorted: dict[Place, Sources] = field(
        factory=dict
    )  # piles on which pools were laid in the order of their faces
    # What holds for all players, or all in a set: one of them, a key about that one, who was told it, and the set.
    universal: frozenset[tuple[Key, Key, Audience, Key | None]] = frozenset()
    serial: Key | None = None  # changes whenever a variable changes
    memo: dict[object, tuple[object, Value]] = field(factory=dict)


def copy_state(state: State) -> State:
    return State(
        dict(state.slots),
        dict(state.variables),
        dict(state.members),
        dict(state.writes),
        dict(state.known),
        dict(state.implied),
        state.apart,
        state.same,
        state.pending,
        dict(state.sorted),
        state.universal,
        state.serial,
    )


def forget_audience(audience: Audience, mark: int) -> Audience:
    """The audience without the players whose keys are newer than `mark`."""
    if not audience.players and not audience.but:
        return audience
    players = frozenset(each for each in audience.players if each.newest <= mark)
    but = frozenset(each for each in audience.but if each.newest <= mark)
    if len(players) == len(audience.players) and len(but) == len(audience.but):
        return audience
    return Audience(audience.everyone, players, but)

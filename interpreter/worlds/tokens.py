"""The observations of a player -> the faces that each shuffle must have put at certain places.

A player sees where every piece goes, even without seeing its face: the third piece of a
pile, or a piece from a hand. So this module replays the log with tokens instead of pieces. A token gets its face
when the player first sees it, wherever it has been in the meantime. This shows which faces each shuffle
must have put at which places, and which places are free.

Which token leaves a pool unseen must be guessed. The guess may be wrong, because every resulting past is
played by the rules and compared with the log.
"""

from collections import Counter
from collections.abc import Sequence

from attrs import define

from interpreter.dice import Dice
from interpreter.layout import Layout, insert_position
from interpreter.views import Observation


class PieceToken:
    """A piece whose face may not be known yet."""

    __slots__ = ("face", "piece", "shuffled", "since")

    def __init__(self, face: int | None = None, piece: int | None = None) -> None:
        self.face = face
        self.piece = piece  # the piece, if that is decided
        self.since = 0  # when it came to its present place
        self.shuffled: Shuffled | None = None  # the shuffle it comes from


@define(eq=False)
class Shuffled:
    """A shuffle: what went into it, and what lay where after it, the top first.

    `left` are the faces that went into it and have not been seen since; `unknown` counts pieces without a known face.
    """

    before: list[PieceToken]
    after: list[PieceToken]
    left: Counter[int]
    unknown: int


@define
class Guess:
    """Which pieces must have lain where: the tokens of every shuffle in the log, and the token of every move."""

    shuffles: dict[int, Shuffled]
    moved: dict[int, PieceToken]


class _Table:
    """The zones with tokens in them, as the log is played."""

    def __init__(self, layout: Layout, dice: Dice) -> None:
        self.zones: list[list[PieceToken]] = [[] for _ in layout.zones]
        self.zones[0] = [PieceToken(face, piece) for piece, face in enumerate(layout.faces)]
        self.uncounted = [
            n for n, zone in enumerate(layout.zones) if zone.row.counted_by != "everyone"
        ]
        self.dice = dice
        self.now = 0

    def take(self, zone: int, place: int | None, face: int | None) -> PieceToken:
        """The token that leaves a zone: from a place of a pile, or any of a pool."""
        tokens = self.zones[zone]
        if zone in self.uncounted:
            self.fetch(zone, face)
        if place is not None:
            if face is not None:
                self.see(zone, place, face)
            return tokens.pop(place)
        if face is None:
            return tokens.pop(self.dice.pick(self.strangers(tokens, range(len(tokens)))))
        return tokens.pop(self.find(zone, face, ()))

    def fetch(self, zone: int, face: int | None) -> None:
        """Let a token enter a zone unobserved (not everybody counts it), if no token there can be the one that leaves."""
        if any(
            face is None or face == each.face or _can_be(each, face) for each in self.zones[zone]
        ):
            return
        found = [
            (z, n)
            for z in self.uncounted
            for n, each in enumerate(self.zones[z])
            if face is None or each.face == face or _can_be(each, face)
        ]
        if found:
            z, n = self.dice.pick(found)
            self.zones[zone].append(self.zones[z].pop(n))

    def strangers(self, tokens: Sequence[PieceToken], places: Sequence[int]) -> Sequence[int]:
        """The positions of tokens about which nothing is known, avoiding those that came just now if possible.

        When two players exchange hands, a piece that has just come does not go back.
        """
        settled = [n for n in places if tokens[n].since < self.now]
        if len(settled) < len(places):
            return settled or places
        return [n for n in places if tokens[n].face is None] or places

    def find(self, zone: int, face: int, without: Sequence[PieceToken]) -> int:
        """The place of a token in a pool that has this face, or can have it."""
        tokens = self.zones[zone]
        free = [n for n, each in enumerate(tokens) if each not in without]
        alike = [n for n in free if tokens[n].face == face]
        if alike:
            return alike[0]
        strange = [n for n in self.strangers(tokens, free) if _can_be(tokens[n], face)]
        strange = strange or [n for n in free if _can_be(tokens[n], face)]
        place = self.dice.pick(strange or free)
        self.see(zone, place, face)
        return place

    def see(self, zone: int, place: int, face: int) -> None:
        """The token at a place turns out to have this face."""
        token = self.zones[zone][place]
        if token.face == face:
            return
        if _can_be(token, face):
            _turn(token, face)
            return
        # The guess places all pieces with that face elsewhere: one of them must be here instead.
        elsewhere = [
            (z, n)
            for z, tokens in enumerate(self.zones)
            for n, each in enumerate(tokens)
            if each.face == face or _can_be(each, face)
        ]
        if elsewhere:
            sure = [(z, n) for z, n in elsewhere if self.zones[z][n].face == face]
            z, n = self.dice.pick(sure or elsewhere)
            other = self.zones[z][n]
            self.zones[zone][place], self.zones[z][n] = other, token
            if other.face is None:
                _turn(other, face)


def _can_be(token: PieceToken, face: int) -> bool:
    """Whether a token may turn out to have a face."""
    shuffled = token.shuffled
    if token.face is not None or shuffled is None:
        return False
    return shuffled.left[face] > 0 or (
        shuffled.unknown > 0 and any(_can_be(each, face) for each in shuffled.before)
    )


def _turn(token: PieceToken, face: int) -> None:
    """Set the face of a token that the player now sees."""
    token.face = face
    shuffled = token.shuffled
    if shuffled is None:
        return
    if shuffled.left[face] > 0:
        shuffled.left[face] -= 1
    else:
        shuffled.unknown -= 1
        # The face had gone into the shuffle as well.
        strange = next(each for each in shuffled.before if _can_be(each, face))
        _turn(strange, face)


def guess(layout: Layout, log: Sequence[Observation], dice: Dice) -> Guess:
    """Find which face was where, as far as the log tells; the rest is random or left open."""
    table = _Table(layout, dice)
    shuffles: dict[int, Shuffled] = {}
    moved: dict[int, PieceToken] = {}
    for at, (kind, *data) in enumerate(log):
        if kind != "move":
            table.now = at
        match kind:
            case "move":
                source, left, zone, end, face = data
                token = table.take(source, left, face)
                moved[at] = token
                token.since = table.now
                table.zones[zone].insert(insert_position(end, table.zones[zone]), token)
            case "top":
                table.see(data[0], 0, data[1])
            case "show":
                _show(table, data[0])
            case "shuffle":
                zone, order = data
                shuffles[at] = _shuffle(table, zone)
                for place, face in enumerate(order or ()):
                    table.see(zone, place, face)
    return Guess(shuffles, moved)


def _shuffle(table: _Table, zone: int) -> Shuffled:
    before = table.zones[zone]
    after = [PieceToken() for _ in before]
    left = Counter(each.face for each in before if each.face is not None)
    shuffled = Shuffled(before, after, left, len(before) - left.total())
    for token in after:
        token.shuffled = shuffled
    table.zones[zone] = after[:]
    return shuffled


def _show(table: _Table, shown: Sequence[tuple[int, int | None, int | None]]) -> None:
    seen: list[PieceToken] = []
    for zone, place, face in shown:
        if face is None:
            continue
        if place is None:
            if zone in table.uncounted:
                table.fetch(zone, face)
            place = table.find(zone, face, seen)  # noqa: PLW2901 - a pool has no places
        else:
            table.see(zone, place, face)
        seen.append(table.zones[zone][place])


def arrange(
    layout: Layout, shuffled: Shuffled, pieces: Sequence[int], dice: Dice
) -> tuple[int, ...]:
    """An order of pieces with the required faces at their places, and any others at the free places."""
    supply: dict[int, list[int]] = {}
    for piece in dice.shuffled(pieces):
        supply.setdefault(layout.faces[piece], []).append(piece)
    order: list[int | None] = []
    for token in shuffled.after:
        alike = supply.get(token.face, []) if token.face is not None else []
        order.append(alike.pop() if alike else None)
    rest = dice.shuffled([piece for alike in supply.values() for piece in alike])
    found = tuple(rest.pop() if piece is None else piece for piece in order)
    for token, piece in zip(shuffled.after, found, strict=True):
        token.piece = piece
    return found

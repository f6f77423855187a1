"""The steps of a game -> one record of what happened and what each player observed; everything else follows from it.

Implements docs/language/13-semantics.md, "Observation". `seen by` is the only declaration of visibility; from
it follow what a player sees, what a player who forgets nothing knows, and which steps cannot be taken back because
they told something new.

A set of players is a bit mask, and so is a set of pieces.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from attrs import frozen

from interpreter.actions import Action
from interpreter.errors import LimitReached
from interpreter.layout import Layout
from interpreter.state import FINISH, State
from rulespec import codes
from rulespec.core.tree import Origin
from rulespec.core.types import Piece, Seat, Several, Type, present
from rulespec.limits import MOST_EVENTS


@frozen
class Event:
    """A step that somebody may observe, with the rule that made it.

    `seers` are the players who see the faces of its pieces; the players of `told` learn that it happened.
    `reveals` says whether somebody learnt a fact that they could not know.
    """

    kind: str
    data: tuple[Any, ...]
    seers: int
    told: int
    reveals: bool
    origin: Origin


@frozen
class Filled:
    """A value in a sentence of a `tell`; for each of its pieces, who saw its face at that time."""

    value: Any
    of: Type
    seers: tuple[int, ...]


Parts: TypeAlias = tuple[str | Filled, ...]


class Visibility:
    """Who sees into each zone, who counts it, and who sees the value of each variable: computed once for a table."""

    __slots__ = ("counts", "everyone", "into", "is_all_counted", "layout", "top", "variables")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.everyone = (1 << layout.players) - 1
        self.into: list[int] = []
        self.top: list[bool] = []
        self.counts: list[int] = []
        for zone in layout.zones:
            self.counts.append(self._seeing(zone.row.counted_by, zone.owner))
            self.into.append(self._seeing(zone.row.seen_by, zone.owner))
            self.top.append(zone.row.seen_by == "top")
        self.is_all_counted = all(who == self.everyone for who in self.counts)
        self.variables: list[int] = []
        for row, indices in layout.variables:
            owned = next((n for n, each in enumerate(row.indices) if isinstance(each, Seat)), None)
            owner = None if owned is None else indices[owned]
            self.variables.append(self._seeing(row.seen_by, owner))

    def _seeing(self, seen_by: str, owner: int | None) -> int:
        mine = 0 if owner is None else 1 << owner
        return {
            "everyone": self.everyone,
            "owner": mine,
            "others": self.everyone & ~mine,
            "top": 0,
            "nobody": 0,
        }[seen_by]


# [observe.seers]
def seers(visibility: Visibility, s: State, piece: int) -> int:
    """The players who see a piece where it lies."""
    zone = s.where[piece]
    if visibility.top[zone]:
        return visibility.everyone if s.zones[zone][0] == piece else 0
    return visibility.into[zone]


def sees(visibility: Visibility, s: State, player: int, piece: int) -> bool:
    return bool(seers(visibility, s, piece) >> player & 1)


def mask_of(numbers: tuple[int, ...]) -> int:
    """Pieces, or players, as a mask."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


class Watch:
    """The observations of a game so far.

    `known` are, for each player, the pieces whose faces that player has seen and can still tell where
    they are; `shown` those that a screen still shows, until the player's next choice. `variables` says who saw the
    pieces in a variable when they were assigned. `logs` caches the observations of each player: the number of events,
    the last of them, and what that player observed.
    """

    __slots__ = ("events", "known", "logs", "names", "shown", "variables", "visibility")

    def __init__(self, visibility: Visibility, names: tuple[str, ...] | None = None) -> None:
        self.visibility = visibility
        self.names = names
        self.events: list[Event] = []
        self.known = [0] * visibility.layout.players
        self.shown = [0] * visibility.layout.players
        self.variables: dict[int, tuple[int, ...]] = {}
        self.logs: dict[int, tuple[int, Event, tuple[Any, ...]]] = {}

    def clone(self) -> "Watch":
        new = Watch.__new__(Watch)
        new.visibility = self.visibility
        new.names = self.names
        new.events = self.events[:]
        new.known = self.known[:]
        new.shown = self.shown[:]
        new.variables = self.variables.copy()
        new.logs = self.logs.copy()
        return new

    # [observe.knows]
    def knows(self, s: State, player: int, pieces: tuple[int, ...]) -> bool:
        """Whether a player who forgets nothing can name all these pieces."""
        known = self.known[player]
        return all(
            known >> piece & 1 or sees(self.visibility, s, player, piece) for piece in pieces
        )

    def _learn(self, players: int, piece: int) -> bool:
        """Record that players see a face; returns whether that is new to one of them."""
        new = False
        bit = 1 << piece
        for q in range(len(self.known)):
            if players >> q & 1 and not self.known[q] & bit:
                self.known[q] |= bit
                new = True
        return new

    def _take_for(self, players: int, piece: int, others: tuple[int, ...], zone: int) -> None:
        """Players who see a face in a pool and already know a look-alike there assume that it is that piece."""
        faces = self.visibility.layout.faces
        alike = [each for each in others if each != piece and faces[each] == faces[piece]]
        for masks, of in (
            (self.known, players & ~self.visibility.into[zone]),
            (self.shown, players),
        ):
            for q in range(len(masks) if alike else 0):
                known = next((each for each in alike if masks[q] >> each & 1), None)
                if of >> q & 1 and known is not None and not masks[q] >> piece & 1:
                    masks[q] ^= 1 << known | 1 << piece

    def _forget(self, players: int, pieces: int) -> None:
        for q in range(len(self.known)):
            if players >> q & 1:
                self.known[q] &= ~pieces
                self.shown[q] &= ~pieces

    def _log(  # noqa: PLR0913 - the parts of an event
        self,
        kind: str,
        data: tuple[Any, ...],
        who: int,
        told: int,
        origin: Origin,
        *,
        reveals: bool,
    ) -> None:
        # [fault.events]
        if len(self.events) >= MOST_EVENTS:
            message = f"{MOST_EVENTS:,} things have happened in this game"
            raise LimitReached(codes.TOO_MANY_STEPS, message, origin.span)
        self.events.append(Event(kind, data, who, told, reveals, origin))

    # ---- Steps -----------------------------------------------------------------------------------

    # [observe.move]
    def moved(
        self,
        s: State,
        piece: int,
        before: tuple[int, int, int, tuple[int, ...]],
        zone: int,
        origin: Origin,
    ) -> None:
        """Record a move; `before` is the zone it left, its place there, who saw it, and what lay there."""
        source, place, saw, contents = before
        visibility = self.visibility
        now = seers(visibility, s, piece)
        who = saw | now
        if visibility.layout.is_pool[source]:
            # A piece has left the pool: players who did not see which one no longer know any piece in it.
            self._forget(
                visibility.everyone & ~who & ~visibility.into[source],
                mask_of(contents) | 1 << piece,
            )
            self._take_for(who, piece, contents, source)
        new = self._learn(who & ~saw, piece)
        self._learn(saw, piece)
        if not visibility.is_all_counted:
            # Players who do not count this zone will not notice when it leaves.
            self._forget(visibility.everyone & ~visibility.counts[zone], 1 << piece)
        target = s.zones[zone]
        at = None if visibility.layout.is_pool[zone] else _where(target, piece)
        left = None if visibility.layout.is_pool[source] else place
        told = visibility.counts[source] | visibility.counts[zone]
        self._log("move", (piece, source, left, zone, at), who, told, origin, reveals=new)
        for each in (source, zone):
            self._new_top(s, each, origin)

    # [observe.top]
    def _new_top(self, s: State, zone: int, origin: Origin) -> None:
        """Everybody sees the new top of a zone that shows its top."""
        if self.visibility.top[zone] and s.zones[zone]:
            piece = s.zones[zone][0]
            if self._learn(self.visibility.everyone, piece):
                everyone = self.visibility.everyone
                self._log("top", (piece, zone), everyone, everyone, origin, reveals=True)

    # [observe.show]
    def showed(
        self, s: State, pieces: tuple[int, ...], players: tuple[int, ...], origin: Origin
    ) -> None:
        to = 0
        for q in players:
            to |= 1 << q
        new = False
        for piece in pieces:
            saw = seers(self.visibility, s, piece)
            zone = s.where[piece]
            if self.visibility.layout.is_pool[zone]:
                alike = tuple(each for each in s.zones[zone] if each not in pieces)
                self._take_for(to, piece, alike, zone)
            lasting = to & self.visibility.counts[zone]
            new |= self._learn(lasting & ~saw, piece) or lasting != to
            self._learn(lasting & saw, piece)
            for q in players:
                self.shown[q] |= (lasting >> q & 1) << piece
        layout = self.visibility.layout
        places = tuple(
            (
                s.where[piece],
                None if layout.is_pool[s.where[piece]] else s.zones[s.where[piece]].index(piece),
            )
            for piece in pieces
        )
        told = to | self._counting(s, pieces)
        self._log("show", (pieces, places, players), to, told, origin, reveals=new)

    def _counting(self, s: State, pieces: tuple[int, ...]) -> int:
        """Who counts all the places where pieces lie."""
        counting = self.visibility.everyone
        for piece in pieces:
            counting &= self.visibility.counts[s.where[piece]]
        return counting

    # [observe.announce]
    def announced(
        self, name: str, value: Any, of: Type, players: tuple[int, ...], origin: Origin
    ) -> None:
        """These players learn a value; the others do not even learn that it was announced."""
        told = mask_of(players)
        everyone = told == self.visibility.everyone
        self._log("announce", (name, value, of, players), 0, told, origin, reveals=everyone)

    # [observe.tell]
    def told(
        self,
        s: State,
        parts: Sequence[str | tuple[Any, Type]],
        players: tuple[int, ...],
        origin: Origin,
        *,
        heading: bool,
    ) -> None:
        """Record a sentence: it shows players only the faces that they see anyway."""
        filled: Parts = tuple(
            part if isinstance(part, str) else self._filled(s, *part) for part in parts
        )
        kind, data = ("heading", (filled,)) if heading else ("tell", (filled, players))
        self._log(kind, data, 0, mask_of(players), origin, reveals=False)

    def _filled(self, s: State, value: Any, of: Type) -> Filled:
        who = tuple(
            seers(self.visibility, s, piece) | self._shown(piece) for piece in _pieces(value, of)
        )
        return Filled(value, of, who)

    def _shown(self, piece: int) -> int:
        """The players who have just been shown a piece."""
        return mask_of(tuple(q for q, pieces in enumerate(self.shown) if pieces >> piece & 1))

    # [observe.chose]
    def chose(  # noqa: PLR0913 - who, what, how, and for whose visibility
        self,
        s: State,
        player: int,
        value: Any,
        of: Type,
        statement: Origin,
        *,
        asked: bool,
        seen: int | None = None,
    ) -> None:
        """Record a choice; if `seen` is given, only those players and the chooser learn of it.

        It is 0 while others choose at the same time. Nobody else learns that a player declined.
        """
        # Pieces that `finish` shows stay visible.
        if asked and s.phase != FINISH:
            self.shown[player] = 0
        told = self.visibility.everyone if seen is None else seen | 1 << player
        told = 1 << player if value is None else told
        pieces = _pieces(value, of)
        who = tuple(seers(self.visibility, s, piece) for piece in pieces)
        self._log("chose", (player, value, of, who), 0, told, statement, reveals=False)

    # [observe.publish]
    def published(
        self,
        s: State,
        chosen: tuple[tuple[int, Any], ...],
        of: Type,
        statement: Origin,
        seen: Sequence[int] | None,
    ) -> None:
        """Reveal sealed choices together: for each choice, those who may see it learn its value."""
        everyone = self.visibility.everyone
        for n, (player, value) in enumerate(chosen):
            told = (everyone if seen is None else seen[n]) & ~(1 << player)
            if value is not None and told:
                who = tuple(seers(self.visibility, s, piece) for piece in _pieces(value, of))
                self._log("chose", (player, value, of, who), 0, told, statement, reveals=True)

    # [observe.set]
    def assigned(  # noqa: PLR0913, PLR0917 - what, from what to what, and why
        self, s: State, variable: int, before: Any, value: Any, of: Type, origin: Origin
    ) -> None:
        """Record an assignment. Nobody notices an unchanged value, but whether a hidden piece is the same is a secret.

        Only players who see a hidden variable learn anything of it.
        """
        pieces = _pieces(value, of)
        if value == before and not pieces:
            return
        who = tuple(seers(self.visibility, s, piece) for piece in pieces)
        if holds_pieces(of):
            self.variables[variable] = who
        told = self.visibility.variables[variable]
        self._log("set", (variable, value, of, who), 0, told, origin, reveals=False)

    # [observe.random]
    def drew(self, value: Any, of: Type, origin: Origin, seen: int | None = None) -> None:
        """Record a decision of chance; if `seen` is given, only those players learn of it."""
        told = self.visibility.everyone if seen is None else seen
        told = 0 if holds_pieces(of) else told
        self._log("random", (value, of, ()), 0, told, origin, reveals=bool(told))

    # [observe.shuffle]
    def shuffled(self, s: State, zone: int, origin: Origin) -> None:
        into = self.visibility.into[zone]
        self._forget(self.visibility.everyone & ~into, mask_of(s.zones[zone]))
        self._log(
            "shuffle",
            (zone, s.zones[zone]),
            into,
            self.visibility.everyone,
            origin,
            reveals=bool(into),
        )
        self._new_top(s, zone, origin)


def _where(pile: tuple[int, ...], piece: int) -> int | str:
    """Where a piece lies in a pile: on top, at the bottom, or below a number of other pieces."""
    if pile[0] == piece:
        return "top"
    return "bottom" if pile[-1] == piece else pile.index(piece)


def seers_in(
    visibility: Visibility, s: State, variable: int, pieces: tuple[int, ...]
) -> tuple[int, ...]:
    """For each piece in a variable, who saw it at the assignment; a later look at its face would tell too much."""
    found = None if s.watch is None else s.watch.variables.get(variable)
    if found is None:
        return tuple(seers(visibility, s, piece) for piece in pieces)
    seen: tuple[int, ...] = found
    return seen


def names_of(s: State) -> tuple[str, ...] | None:
    """What the players are called, if the game is watched."""
    return None if s.watch is None else s.watch.names


def holds_pieces(of: Type) -> bool:
    """Whether values of a type are pieces, or sets of them."""
    inner = present(of)
    while isinstance(inner, Several):
        inner = inner.of
    return isinstance(inner, Piece)


def _pieces(value: Any, of: Type) -> tuple[int, ...]:
    """The pieces in a value, if it is a piece or a set of pieces."""
    if value is None or isinstance(value, Action) or not holds_pieces(of):
        return ()
    return value if isinstance(value, tuple) else (value,)

"""Observations of a generated game: the same record that the reference keeps, made of the flat state."""

from typing import Any

from attrs import define

from interpreter.compiled.masks import bits
from interpreter.compiled.places import Places
from interpreter.knowledge import Eyes, Watch, seers
from interpreter.layout import Layout
from rulespec.core.tree import Origin
from rulespec.core.types import Type

State = list[Any]


class _Zones:
    """The zones as the reference has them."""

    __slots__ = ("_layout", "_s")

    def __init__(self, layout: Layout, s: State) -> None:
        self._layout, self._s = layout, s

    def __getitem__(self, z: int) -> tuple[int, ...]:
        return bits(self._s[z]) if self._layout.is_pool[z] else tuple(self._s[z])


class _Where:
    """Of every piece its zone."""

    __slots__ = ("_layout", "_s")

    def __init__(self, layout: Layout, s: State) -> None:
        self._layout, self._s = layout, s

    def __getitem__(self, c: int) -> int:
        for z, is_pool in enumerate(self._layout.is_pool):
            if self._s[z] >> c & 1 if is_pool else c in self._s[z]:
                return z
        raise KeyError(c)


class Seen:
    """A flat state as `knowledge` looks at one."""

    __slots__ = ("phase", "where", "zones")

    def __init__(self, layout: Layout, places: Places, s: State) -> None:
        self.phase = s[places.fields["PHASE"]]
        self.zones = _Zones(layout, s)
        self.where = _Where(layout, s)


@define
class Watching:
    """Who sees what at a table."""

    layout: Layout
    places: Places
    eyes: Eyes

    def _watch(self, s: State) -> Watch | None:
        found: Watch | None = s[self.places.fields["WATCH"]]
        return found

    def _seen(self, s: State) -> Any:
        return Seen(self.layout, self.places, s)

    def knows(self, s: State, seat: int, pieces: tuple[int, ...]) -> bool:
        watch = self._watch(s)
        assert watch is not None  # noqa: S101 - rules that ask this are always watched
        return watch.knows(self._seen(s), seat, pieces)

    def before(self, s: State, c: int, source: int) -> Any:
        """What has to be kept of a move before it is made."""
        if self._watch(s) is None:
            return None
        seen = self._seen(s)
        lies = seen.zones[source]
        return source, lies.index(c), seers(self.eyes, seen, c), lies

    def moved(self, s: State, c: int, before: Any, zone: int, origin: Origin) -> None:
        watch = self._watch(s)
        if watch is not None:
            watch.moved(self._seen(s), c, before, zone, origin)

    def showed(self, s: State, pieces: Any, players: Any, origin: Origin) -> None:
        watch = self._watch(s)
        if watch is not None and pieces:
            watch.showed(self._seen(s), tuple(pieces), players, origin)

    def chose(  # noqa: PLR0913 - who, what, how, and for whose eyes
        self,
        s: State,
        p: int,
        v: Any,
        of: Type,
        origin: Origin,
        *,
        asked: bool,
        alone: bool = False,
    ) -> None:
        watch = self._watch(s)
        if watch is not None:
            watch.chose(self._seen(s), p, v, of, origin, asked=asked, alone=alone)

    def published(self, s: State, chosen: Any, of: Type, origin: Origin) -> None:
        watch = self._watch(s)
        if watch is not None:
            watch.published(self._seen(s), chosen, of, origin)

    def assigned(  # noqa: PLR0913, PLR0917 - what, from what to what, and why
        self, s: State, number: int, before: Any, v: Any, of: Type, origin: Origin
    ) -> None:
        watch = self._watch(s)
        if watch is not None:
            watch.assigned(self._seen(s), number, before, v, of, origin)

    def drew(self, s: State, v: Any, of: Type, origin: Origin) -> None:
        watch = self._watch(s)
        if watch is not None:
            watch.drew(v, of, origin)

    def shuffled(self, s: State, zone: int, origin: Origin) -> None:
        watch = self._watch(s)
        if watch is not None:
            watch.shuffled(self._seen(s), zone, origin)

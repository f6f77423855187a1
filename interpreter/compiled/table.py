"""What generated code asks of the table while it runs: moves that need care, options, triggers.

The quick moves are written out in the generated source; these are for pieces that come from anywhere, and
for moves that a trigger, or somebody, watches.

Short names: `s` state, `c` piece, `z` zone, `m` mask.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import define, field

from interpreter import families
from interpreter.compiled.ceilings import SHARE
from interpreter.compiled.masks import bits, mask
from interpreter.compiled.places import MOST_IN_BYTES, Places
from interpreter.compiled.support import Choices, few_members, misplaced, tire
from interpreter.compiled.watching import Watching
from interpreter.errors import Crash
from interpreter.families import Subsets
from interpreter.layout import Layout
from interpreter.options import Options
from interpreter.state import BLOCK, PLAY
from rulespec.core.tree import Origin
from rulespec.core.types import MOST

State = list[Any]


@define
class Table:
    """One table: its zones, and the triggers of the program."""

    layout: Layout
    places: Places
    watching: Watching
    pile: Callable[[Iterable[int]], Any] = field(init=False)
    bit: tuple[int, ...] = field(init=False)
    holds: tuple[int, ...] = field(init=False)  # of every zone the pieces that may lie in it
    is_pool: list[bool] = field(init=False)
    pools: tuple[int, ...] = field(init=False)
    piles: tuple[int, ...] = field(init=False)
    homes: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = field(init=False)  # of a piece
    copies: int = field(init=False)  # pieces that look like another one
    alike: tuple[int, ...] = field(
        init=False
    )  # of every piece those that look like it, with itself
    # Set by the generated module.
    tests: tuple[Callable[[State], bool], ...] = ()
    blocks: tuple[Any, ...] = ()  # functions, or the frames of blocks that may wait
    costs: tuple[int, ...] = ()  # of these blocks, at most
    zone_triggers: list[tuple[int, ...]] = field(factory=list)  # of the reference

    def __attrs_post_init__(self) -> None:
        layout = self.layout
        count = len(layout.pieces)
        self.pile = bytes if count <= MOST_IN_BYTES else tuple
        self.bit = tuple(1 << c for c in range(count))
        whole = (1 << count) - 1
        self.holds = tuple(whole if each is None else mask(each) for each in layout.holds)
        self.is_pool = layout.is_pool
        self.pools = tuple(z for z, is_pool in enumerate(layout.is_pool) if is_pool)
        self.piles = tuple(z for z, is_pool in enumerate(layout.is_pool) if not is_pool)
        self.homes = tuple(
            (
                tuple(z for z in self.pools if self.holds[z] >> c & 1),
                tuple(z for z in self.piles if self.holds[z] >> c & 1),
            )
            for c in range(count)
        )
        same: dict[int, int] = {}
        for c, face in enumerate(layout.faces):
            same[face] = same.get(face, 0) | 1 << c
        self.alike = tuple(same[face] for face in layout.faces)
        self.copies = mask(c for c, each in enumerate(self.alike) if each & (each - 1))

    # ---- Where pieces lie ------------------------------------------------------------------------

    def zone_of(self, s: State, c: int) -> int:
        """The zone of a piece."""
        b = self.bit[c]
        pools, piles = self.homes[c]
        for z in pools:
            if s[z] & b:
                return z
        for z in piles:
            if c in s[z]:
                return z
        raise Crash(f"piece {c} is nowhere")

    def pieces_in(self, s: State, z: int) -> Any:
        """What lies in a zone, in order."""
        return bits(s[z]) if self.is_pool[z] else tuple(s[z])

    def gathered(self, s: State, zones: Iterable[int]) -> tuple[int, ...]:
        found: list[int] = []
        for z in zones:
            found += bits(s[z]) if self.is_pool[z] else s[z]
        return tuple(found)

    # ---- Moves -----------------------------------------------------------------------------------

    def take(self, s: State, c: int) -> None:
        """Take a piece away from wherever it lies."""
        self.take_from(s, c, self.zone_of(s, c))

    def take_from(self, s: State, c: int, z: int) -> None:
        if self.is_pool[z]:
            s[z] ^= self.bit[c]
        else:
            pile = s[z]
            at = pile.index(c)
            s[z] = pile[:at] + pile[at + 1 :]

    def scoop(self, s: State, m: int) -> None:
        """Take all pieces of a mask away from wherever they lie."""
        for z in self.pools:
            if s[z] & m:
                s[z] &= ~m
        for z in self.piles:
            if s[z] and any(m >> c & 1 for c in s[z]):
                s[z] = self.pile([c for c in s[z] if not m >> c & 1])

    def drop(self, pile: Any, found: Any) -> Any:
        """A pile without some of its pieces."""
        return self.pile([c for c in pile if c not in found])

    def put(self, s: State, c: int, z: int, *, under: bool) -> None:
        """Put a piece, which was taken, on top of a zone or under it."""
        if self.is_pool[z]:
            s[z] |= self.bit[c]
        else:
            s[z] = s[z] + self.pile((c,)) if under else self.pile((c,)) + s[z]

    def in_order(self, found: Any, z: int, *, under: bool) -> Any:
        """Pieces in the order in which they are moved, so that they lie as they were listed."""
        return found if under or self.is_pool[z] else found[::-1]

    def move_all(self, s: State, found: Any, z: int, *, under: bool, origin: Origin) -> None:
        """Move pieces that come from anywhere, while nobody looks."""
        for c in self.in_order(tuple(found), z, under=under):
            if not self.holds[z] >> c & 1:
                misplaced(self.layout, c, z, origin)
            self.take(s, c)
            self.put(s, c, z, under=under)

    def move_one(self, s: State, c: int, z: int, origin: Origin, *, under: bool) -> tuple[int, ...]:
        """Move a piece by the book: who sees it, and which triggers are due after it."""
        if not self.holds[z] >> c & 1:
            misplaced(self.layout, c, z, origin)
        source = self.zone_of(s, c)
        watched: tuple[int, ...] = ()
        if s[self.places.fields["PHASE"]] == PLAY:
            watched = self.zone_triggers[source]
            if self.zone_triggers[z] != watched:
                watched = tuple(sorted({*watched, *self.zone_triggers[z]}))
        before = self.watching.before(s, c, source)
        was = s[source], s[z]
        self.take_from(s, c, source)
        self.put(s, c, z, under=under)
        if before is not None:
            self.watching.moved(s, c, before, z, origin)
        due = [t for t in watched if self.tests[t](s)]
        if not due:
            return ()
        # Which of them held before is asked only now: most often none holds at all.
        now = s[source], s[z]
        s[source], s[z] = was
        found = tuple([t for t in due if not self.tests[t](s)])
        s[source], s[z] = now
        return found

    def move_each(self, s: State, found: Any, z: int, *, under: bool, origin: Origin) -> None:
        """Move pieces one by one; triggers run in between."""
        for c in self.in_order(tuple(found), z, under=under):
            due = self.move_one(s, c, z, origin, under=under)
            if due:
                self.fire(s, due)

    # ---- Triggers --------------------------------------------------------------------------------

    def fire(self, s: State, due: Iterable[int]) -> None:
        """Run the blocks of triggers, the first declared first; none while it runs already."""
        if self.blocks and isinstance(self.blocks[0], list):
            self._push(s, due)
            return
        running = self.places.fields["RUNNING"]
        found = [t for t in due if not s[running] >> t & 1]
        for t in found:
            s[running] |= 1 << t
        left = self.places.fields["LEFT"]
        for t in found:
            s[left] -= self.costs[t]
            if s[left] < 0:
                tire(s, left, self.places.fields["COUNT"], SHARE)
            self.blocks[t](s)
            s[running] &= ~(1 << t)

    def _push(self, s: State, due: Iterable[int]) -> None:
        """Of triggers that may wait the frames are laid on the stack, the first declared on top."""
        stack = s[self.places.fields["STACK"]]
        for t in reversed(tuple(due)):
            frame = self.blocks[t]
            if all(other[BLOCK] != frame[BLOCK] for other in stack):
                stack.append(frame[:])

    def set_back(
        self, s: State, numbers: Sequence[int], values: Sequence[Any], types: Any, origin: Origin
    ) -> None:
        """Set variables back, all at once, and tell of it."""
        first = self.places.zones
        before = [s[first + n] for n in numbers]
        for n, v in zip(numbers, values, strict=True):
            s[first + n] = v
        for n, was, v, of in zip(numbers, before, values, types, strict=True):
            self.watching.assigned(s, n, was, v, of, origin)

    # ---- Options ---------------------------------------------------------------------------------

    def twin(self, s: State, c: int) -> Any:
        """What pieces share that look alike; see `options.twin_of`."""
        z = self.zone_of(s, c)
        return (z, self.layout.faces[c]) if self.is_pool[z] else c

    def twins(self, s: State, elements: Iterable[int]) -> dict[int, Any]:
        """Of pieces what they share with those that look alike; one without a like is its own."""
        elements = tuple(elements)
        faces = self.layout.faces
        seen: dict[int, int] = {}
        for c in elements:
            seen[faces[c]] = seen.get(faces[c], 0) + 1
        return {c: self.twin(s, c) if seen[faces[c]] > 1 else c for c in elements}

    def distinct_pieces(self, s: State, found: Sequence[int]) -> tuple[int, ...]:
        """Pieces without those that look like an earlier one."""
        faces = self.layout.faces
        if not mask(found) & self.copies or len({faces[c] for c in found}) == len(found):
            return tuple(found)
        seen: dict[Any, int] = {}
        for c in found:
            seen.setdefault(self.twin(s, c), c)
        return tuple(seen.values())

    def choices(self, s: State, values: Any, *, pieces: bool) -> Any:
        """The options among a set, or among the members of a family."""
        if isinstance(values, tuple):
            return values
        if isinstance(values, Subsets) and not (pieces and mask(values.elements) & self.copies):
            return Choices(values.elements, values.low, values.high)
        twins = None
        if pieces:
            elements: Iterable[int] = (
                {c for member in values.members for c in member}
                if isinstance(values, families.Listed)
                else values.elements
            )
            twins = self.twins(s, elements)
        few = few_members(values, twins)
        if few is not None:
            return few
        count = families.count(values, twins)
        if count >= MOST:
            raise families.TooMany(f"{count} options")
        return Options(None, values, twins, may=False, size=count)

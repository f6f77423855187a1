"""What a player knows -> imagined worlds on the fast engine, as states in the memory of a module.

Observations go in as numbers. The module plays pasts, compares each observation with the known ones, and walks from one
past to the next; a search can go on from the resulting states. `helpers/pasts.py` does for the module what `past`,
`mending` and `walk` do for the reference, in the same way: whole pasts, played by the rules, visited in proportion to
their probability.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from struct import pack, unpack_from
from threading import Lock
from typing import Any, TypeAlias

from attrs import define, field

from interpreter.chance import MASK
from interpreter.dice import Dice
from interpreter.machine import Machine
from interpreter.state import State
from interpreter.views import Information
from interpreter.wasm.codec import set_bits
from interpreter.wasm.encoding import PAGE
from interpreter.wasm.engine import Wasm
from interpreter.wasm.hosts import Host, Missing, Trapped, make_host
from interpreter.wasm.memory import ACTION, NONE
from interpreter.wasm.program_analysis import Unsupported
from interpreter.wasm.programs import WrittenModule, write_program
from interpreter.wasm.watching import MOST_LOOKED, RANDOM, SHUFFLE, SOUND, THOUGHT, TOLD_SIZE
from interpreter.worlds.sounds import Sound, pack_list, sound_of, sound_of_question
from interpreter.worlds.tokens import guess

KINDS = ("own", "other", "random", "shuffle")
BEGIN, EXTEND, NOTE, KEEP, BACK = range(5)
ROOM = 256  # sites that fit into the memory allocated at first
MOST_CONTINUED = 40  # attempts to continue from an earlier past
MOST_BEGUN = 60  # attempts to find a first past, before the module gives up
PATIENCE_EARLIER = 150  # fruitless changes of an earlier past, before another one is tried
PATIENCE = 400  # fruitless changes of a first past, before a fresh start
MORE_PATIENCE = 60  # added after each failed attempt: most questions are easy, and few are hard
FIRST_STEPS = 60  # of a fresh walk, before it yields its first world
NEXT_STEPS = 20  # the same for a walk that continues
STEPS = 8  # of the walk, from one world to the next
TOO_MUCH, TOO_LONG = 2, 3
GAMES_A_WORLD = 8  # games played out in each world
HORIZON = 60  # choices: beyond that, random play says nothing about the choice at hand
THOUGHT_STEPS = 4  # the same while a player thinks, who needs many worlds
CURIOSITY = 0.5  # the exploration constant of the search
MOST_NODES = 1 << 17

Keep: TypeAlias = Callable[[], tuple[WrittenModule, bytes | None]]


class Unimagined(Exception):  # noqa: N818 - a result, not an error
    """The fast engine found no past; the reference may find one."""


class Imagined:
    """A world in the form of the reference, decoded on demand."""

    def __init__(self, engine: Wasm, content: bytes, sites: list[bytes]) -> None:
        self._engine, self._content, self._sites = engine, content, sites

    @cached_property
    def state(self) -> State:
        engine = self._engine
        playing = engine.put(self._content)
        state = engine.to_reference(playing)
        state.rng = None
        return state

    @cached_property
    def decided(self) -> tuple[tuple[str, Any], ...]:
        return tuple(_decided(self._engine, each) for each in self._sites)


def _decided(engine: Wasm, site: bytes) -> tuple[str, Any]:
    """The decision at a site, in the form of the reference."""
    kind, word = unpack_from("<q", site)[0], unpack_from("<q", site, 56)[0]
    order = engine.written.site_order
    (count,) = unpack_from("<i", site, order)
    listed = None if count < 0 else unpack_from(f"<{count}i", site, order + 4)
    if kind == SHUFFLE:
        return KINDS[kind], listed
    if kind < 2:
        at = engine.written.site - engine.size + engine.written.state.fields["question"][0]
        question = engine.written.questions[unpack_from("<q", site, at)[0]]
        form = question.form
        if form == "list":
            return KINDS[kind], listed
        if form == "small":
            return KINDS[kind], None if word == NONE else tuple(set_bits(word))
        if word >= ACTION >> 1:
            return KINDS[kind], engine.action(question, word)
    if kind == RANDOM:
        form = unpack_from("<q", site, 48)[0]
        if form > 1:
            return KINDS[kind], listed if form == 2 else tuple(set_bits(word))
    return KINDS[kind], None if word == NONE else word


@define(eq=False)
class Mind:
    """One player's module: what that player knows, and a past that explains it."""

    engine: Wasm
    dice: Dice
    known: Information | None = None
    sounds: list[Sound] = field(factory=list)
    is_whole: bool = False
    room: int = 0  # sites that fit
    log_room: int = 0  # observations that fit
    lists: dict[bytes, int] = field(factory=dict)
    _free: tuple[int, int] = (0, 0)
    _rows: tuple[int, ...] = (0, 0, 0)
    work: int = 0
    _imagine: Any = None
    _mend: Any = None
    _wander: Any = None
    _ponder: Any = None
    nodes: int = 0

    def __attrs_post_init__(self) -> None:
        host = self.engine.host
        self._imagine, self._mend = host.function("imagine", 2), host.function("mend", 2)
        self._wander = host.function("wander", 2)
        self._ponder = host.function("ponder", 2)
        self.set("TOLD", self.allocate(2 * TOLD_SIZE))
        self.set("FORCED", self.allocate(8 + 4 * max(64, len(self.machine.layout.pieces))))
        self.work = self.allocate(self.engine.size)
        self.make_room(ROOM)

    @property
    def machine(self) -> Machine:
        return self.engine.machine

    @property
    def worlds(self) -> int:
        """The number of worlds imagined since `begin_thought`."""
        return self.get("WORLDS")

    @property
    def has_points(self) -> bool:
        """Whether the ranking compares anything."""
        return any(row.role == "score" for _, _, row in self.machine.ranking)

    # ---- Memory ----------------------------------------------------------------------------------

    def set(self, cell: str, value: int, place: int = 0) -> None:
        self.engine.host.set_number(self.engine.written.cells[cell] + 8 * place, value)

    def get(self, cell: str, place: int = 0) -> int:
        return self.engine.host.number(self.engine.written.cells[cell] + 8 * place)

    def allocate(self, size: int) -> int:
        """Allocate memory that is never freed."""
        at, end = self._free
        size = -(-size // 16) * 16
        if at + size > end:
            host = self.engine.host
            at = host.size
            host.grow(max(16, -(-size // PAGE)))
            end = host.size
        self._free = at + size, end
        return at

    def make_room(self, count: int) -> None:
        """Allocate memory for so many sites in each of two pasts."""
        if count <= self.room:
            return
        host, rows = self.engine.host, []
        for before in self._rows:
            kept = host.read(before, 4 * self.room) if self.room else b""
            site = self.engine.written.site
            first = self.allocate((count - self.room) * site)
            fresh = range(first, first + (count - self.room) * site, site)
            row = self.allocate(4 * count)
            host.write(row, kept + pack(f"<{len(fresh)}i", *fresh))
            rows.append(row)
        self._rows = tuple(rows)
        self.room = count
        self.set("PAST", rows[0])
        self.set("NEXT", rows[1])
        self.set("KEPT", rows[2])
        self.set("SHUFFLES", self.allocate(16 * count))
        self.set("ROOM_FOR", count)

    def list_at(self, values: Any) -> int:
        content = pack_list(values)
        found = self.lists.get(content)
        if found is None:
            found = self.lists[content] = self.allocate(len(content))
            self.engine.host.write(found, content)
        return found

    # ---- What is known ---------------------------------------------------------------------------

    def learn(self, known: Information) -> bool:
        """Load what the player knows now; return whether it continues what was known before."""
        before = self.known
        goes_on = (
            before is not None
            and (before.player, before.first) == (known.player, known.first)
            and known.log[: len(before.log)] == before.log
        )
        begin = len(self.sounds) if goes_on else 0
        self.known = known
        new = [sound_of(each) for each in known.log[begin:]]
        self.sounds[begin:] = new
        if len(self.sounds) > self.log_room:
            self.log_room, begin = 2 * len(self.sounds) + 64, 0
            self.set("SOUNDS", self.allocate(self.log_room * SOUND))
        at = self.get("SOUNDS")
        rows = b"".join(map(self._row, self.sounds[begin:]))
        self.engine.host.write(at + SOUND * begin, rows)
        self.set("KNOWN", len(self.sounds))
        self.set("WATCH", known.player + 1)
        self.set("FIRST", known.first)
        if known.question is not None:
            for n, number in enumerate(sound_of_question(known.question)):
                self.set("QUESTION", number, n)
        if any(each[0] == "shuffle" for each in known.log[begin:]):
            self.want(begin)
        return goes_on

    def _row(self, sound: Sound) -> bytes:
        lists = self.list_at(()), self.list_at(sound.faces), self.list_at(sound.zones)
        return pack(
            "<Q4q3i4x", sound.number, sound.who, sound.value, sound.face, sound.place, *lists
        )

    def want(self, begin: int = 0) -> None:
        """Guess which faces each shuffle must have put at which places."""
        if self.known is None:
            return
        found = guess(self.machine.layout, self.known.log, self.dice)
        at = self.get("SOUNDS")
        for place, shuffled in found.shuffles.items():
            if place >= begin:
                faces = [-1 if each.face is None else each.face for each in shuffled.after]
                where = self.allocate(4 + 4 * len(faces))
                self.engine.host.write(where, pack_list(faces))
                self.engine.host.write(at + SOUND * place + 40, pack("<i", where))

    # ---- Pasts -----------------------------------------------------------------------------------

    def explain(self, known: Information, goes_on: Callable[[], bool]) -> None:
        """Find a past that explains what is known, starting from the previous past or from scratch."""
        was_whole = self.is_whole
        before = [self.get("KNOWN"), *(self.get("QUESTION", n) for n in range(3))]
        continues = self.learn(known)
        self.set("DICE", self.dice.seed() & MASK)
        self.is_whole = False
        self.make_room(2 * self.get("SITES") + 64 if continues else 2 * self.room // 2)
        begun = 0
        if continues and was_whole:
            self.is_whole = self._extend(before, goes_on)
            begun = 1
        while not self.is_whole and begun < MOST_BEGUN and goes_on():
            if begun:
                self.want()
            self.is_whole = self._find(BEGIN, PATIENCE + MORE_PATIENCE * begun)
            begun += 1
        if not self.is_whole:
            raise Unimagined
        self._imagine(self.work, NOTE)
        self.step(NEXT_STEPS if continues else FIRST_STEPS)

    def _extend(self, before: list[int], goes_on: Callable[[], bool]) -> bool:
        """Continue from the past of the previous question; if it has become impossible, try other pasts of that time."""
        now = [self.get("KNOWN"), *(self.get("QUESTION", n) for n in range(3))]
        self._imagine(self.work, KEEP)
        for tried in range(MOST_CONTINUED):
            if tried:
                self._imagine(self.work, BACK)
                self._ask(before)
                self._imagine(self.work, NOTE)
                self.step(STEPS * tried)
                self._imagine(self.work, KEEP)
                self._ask(now)
            if self._find(EXTEND, PATIENCE_EARLIER + MORE_PATIENCE * tried):
                return True
            if not goes_on():
                break
        return False

    def _ask(self, numbers: list[int]) -> None:
        """Set how many observations count as known, and which question the player is asked."""
        self.set("KNOWN", numbers[0])
        for n, number in enumerate(numbers[1:]):
            self.set("QUESTION", number, n)

    def _find(self, mode: int, patience: int) -> bool:
        try:
            found = self._imagine(self.work, mode)
            if found == 0:
                found = self._mend(self.work, patience)
        except Trapped:
            return False
        if found == TOO_MUCH:
            raise Unimagined
        if found == TOO_LONG:
            self.make_room(2 * self.room)
        return bool(found == 1)

    def step(self, steps: int) -> int:
        """Walk on; return how many steps reached another past."""
        for _ in range(3):
            try:
                return int(self._wander(self.work, steps))
            except Trapped:
                continue
        return 0

    def world(self, steps: int = STEPS) -> Imagined:
        """The world that is reached after so many steps."""
        self.step(steps)
        host, engine = self.engine.host, self.engine
        count, row = self.get("SITES"), self._rows[0]
        where = unpack_from(f"<{count}i", host.read(row, 4 * count))
        sites = [host.read(each, engine.written.site) for each in where]
        return Imagined(engine, host.read(engine.written.past_state, engine.size), sites)

    # ---- Thinking ahead --------------------------------------------------------------------------

    def begin_thought(self, numbers: Sequence[int], *, deep: bool, games: int) -> None:
        """Begin to think about these options of the question; with a search tree if `deep`."""
        cells, host = self.engine.written.cells, self.engine.host
        self.set("SEATS", 0 if self.known is None else self.known.player + 1)
        self.set("CANDIDATES", self.list_at(numbers))
        for name, value in (
            ("DEEP", int(deep)),
            ("HORIZON", HORIZON),
            ("WORLDS", 0),
            ("PLAYED", 0),
        ):
            self.set(name, value)
        self.set("GAMES_LEFT", 0)
        self.set("WORLD_GAMES", GAMES_A_WORLD)
        self.set("WORLD_STEPS", THOUGHT_STEPS)
        host.write(cells["CURIOSITY"], pack("<d", CURIOSITY))
        host.write(cells["LEADS"], bytes(16))
        host.write(cells["BEGUN"], bytes(8 * MOST_LOOKED))
        host.write(cells["TALLIES"], bytes(40 * MOST_LOOKED))
        if deep:
            wanted = 1 << max(10, min(MOST_NODES, 2 * games)).bit_length()
            if wanted > self.nodes:
                self.nodes = wanted
                self.set("NODES", self.allocate(wanted * THOUGHT))
                self.set("ROOM_NODES", wanted)
            host.write(self.get("NODES") & 0xFFFFFFFF, bytes(self.nodes * THOUGHT))
            self.set("NODES_USED", 0)

    def think(self, promising: Sequence[int], games: int) -> None:
        """Play out `games` more games that begin with the promising options, given by their positions in `numbers`."""
        self.set("PROMISING", self.list_at(promising))
        end = self.get("PLAYED") + games
        while (left := end - self.get("PLAYED")) > 0:
            try:
                self._ponder(self.work, left)
            except Trapped:
                if (
                    end - self.get("PLAYED") == left
                ):  # no next world was found: stay in the current one
                    self.set("GAMES_LEFT", GAMES_A_WORLD)

    def tallies(self, count: int) -> list[tuple[float, ...]]:
        """For each option: the number of games, and the sums of their worth, wins, scores and squared worth."""
        content = self.engine.host.read(self.engine.written.cells["TALLIES"], 40 * count)
        return [unpack_from("<5d", content, 40 * n) for n in range(count)]


# ---- Modules -------------------------------------------------------------------------------------

# Keyed by the identity of a machine. The value holds the machine too, so that no other machine can get the same identity.
_MODULES: dict[int, tuple[Machine, tuple[WrittenModule, Host] | None]] = {}
MOST_MODULES = 8
_MAKING = Lock()  # a bot that must answer waits while another thread builds the module


def find_mind(machine: Machine, seed: int, keep: Keep | None = None) -> Mind | None:
    """A mind for one player; None if the game or this machine has no fast engine.

    `keep` builds the module, or takes it from a cache.
    """
    found = find_module(machine, keep)
    if found is None:
        return None
    written, host = found
    return Mind(Wasm(machine, written, host.another()), Dice(seed))


def find_module(machine: Machine, keep: Keep | None = None) -> tuple[WrittenModule, Host] | None:
    """The module in which the players at a table think, built once."""
    key = id(machine)
    with _MAKING:
        if key not in _MODULES:
            while len(_MODULES) >= MOST_MODULES:
                _MODULES.pop(next(iter(_MODULES)))
            _MODULES[key] = machine, _make_module(machine, keep)
        return _MODULES[key][1]


def _make_module(machine: Machine, keep: Keep | None) -> tuple[WrittenModule, Host] | None:
    try:
        written, native = _write(machine) if keep is None else keep()
        return written, make_host(written.content, native)
    except (Unsupported, Missing):
        return None


def forget_minds() -> None:
    """Release all modules, once no mind uses them."""
    _MODULES.clear()


def _write(machine: Machine) -> tuple[WrittenModule, bytes | None]:
    return write_program(machine, watched=True), None

"""The fast engine: a machine and its WebAssembly module -> games, played step by step or as a whole.

It plays the same games as the reference: the same seed and the same choices lead to the same options and results. It
never reports a fault: if it traps, the reference takes the same step, and either raises the fault or goes on.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter import machine as reference
from interpreter.actions import Action
from interpreter.chance import MASK, try_luck
from interpreter.errors import IllegalMove
from interpreter.event_log import Watch
from interpreter.machine import Machine, Result, place_players
from interpreter.options import Decision
from interpreter.state import OVER, State
from interpreter.wasm.codec import Codec, TooLarge
from interpreter.wasm.encoding import PAGE
from interpreter.wasm.frames import QuestionPoint
from interpreter.wasm.hosts import Host, Trapped, make_host
from interpreter.wasm.memory import NONE
from interpreter.wasm.module_games import Finished, Playing
from interpreter.wasm.observing import Shadow, new_shadow
from interpreter.wasm.option_values import action_of, decode_options
from interpreter.wasm.programs import WrittenModule, write_program
from interpreter.wasm.state_conversion import read_state, write_state
from rulespec.core import tree
from rulespec.limits import MOST_CHOICES

BATCH = 512  # games that are played in one call
TOLD = 1 << 16  # bytes for options that are listed at once
LOGGED = 1 << 18  # bytes for what happens between two questions
GROWTH = 64  # pages by which memory grows


class Wasm:
    """A program at a table, as a module."""

    def __init__(
        self,
        machine: Machine,
        written: WrittenModule | None = None,
        host: Host | None = None,
        *,
        recorded: bool = False,
    ) -> None:
        self.machine = machine
        if written is None:
            written = write_program(machine, recorded=recorded)
        self.written = written
        self.recorded = recorded
        self.codec = Codec(machine, written)
        self.host = host = make_host(written.content) if host is None else host
        self.size = written.state.size
        self.players = machine.layout.players
        self.width = 2 + len(machine.ranking) * (self.players + 1)
        self._seeds = written.top
        self._found = self._seeds + 8 * BATCH
        self._told = self._found + 8 * BATCH * self.width
        self._log = self._told + TOLD
        self._whole = self._log + (LOGGED if recorded else 0)
        self._top = self._whole + self.size
        fields = written.state.fields
        self.asked_at, self._asking = fields["asked"][0], fields["question"][0]
        self.free: list[int] = []
        self._copy = host.copy
        self._start, self._step = host.function("start_game", 2), host.function("step", 2)
        self._begin_told, self.step_told = (
            host.function("begin_told", 2),
            host.function("step_told", 2),
        )
        self._play_on, self._list = host.function("play_on", 2), host.function("list_options", 2)
        self.told_of: object = (
            None  # the state of the last told step, for callers that take such steps
        )
        self._rank, self._many = host.function("rank_now", 2), host.function("play_many", 6)
        self._make_room()

    def __repr__(self) -> str:
        return f"<Wasm {self.machine.layout.code.title}, {self.players} players>"

    def __copy__(self) -> "Wasm":
        return self

    def __deepcopy__(self, _memo: Any) -> "Wasm":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _make_again, (self.machine, self.written, self.recorded)

    # ---- Memory ----------------------------------------------------------------------------------

    @property
    def top(self) -> int:
        """The end of the memory that this engine uses before the first state."""
        return self._top

    def _make_room(self) -> None:
        """Allocate more memory for states."""
        first = max(self._top, self.host.size if self.free or self.host.size > self._top else 0)
        self.host.grow(GROWTH + max(0, -(-(self._top - self.host.size) // PAGE)))
        count = (self.host.size - first) // self.size
        self.free += [first + n * self.size for n in reversed(range(count))]

    def _new(self) -> Playing:
        if not self.free:
            self._make_room()
        return Playing(self.free, self.free.pop())

    def _field(self, playing: Playing, name: str) -> int:
        return self.host.number(playing.at + self.written.state.fields[name][0])

    def _restore(self, playing: Playing) -> None:
        """Restore the state before the step that trapped."""
        self.host.copy(playing.at, self.written.backup, self.size)

    # ---- Observations ----------------------------------------------------------------------------

    def watch(self, playing: Playing) -> Watch | None:
        """The observations of the players so far, if this engine records them."""
        return None if playing.shadow is None else playing.shadow.watch

    def _listen(self) -> None:
        """Let the module write records from now on."""
        if self.recorded:
            self.host.set_number(self.written.log, self._log | self._log + LOGGED << 32)

    def _follow(self, playing: Playing) -> None:
        """Read the records of the module."""
        if playing.shadow is not None:
            end = self.host.number(self.written.log) & 0xFFFFFFFF
            playing.shadow.fold(self.host.numbers(self._log, (end - self._log) // 8))
            self.host.set_number(self.written.log, 0)

    def _mute(self) -> None:
        if self.recorded:
            self.host.set_number(self.written.log, 0)

    # ---- States ----------------------------------------------------------------------------------

    def to_reference(self, playing: Playing) -> State:
        """The same moment as a state of the reference, with its pending decision."""
        if playing.state is not None:
            return playing.state.clone()
        s = read_state(self.codec, self.host.read(playing.at, self.size))
        if s.phase != OVER:
            reference.run(self.machine, s)
        if playing.shadow is not None:
            s.watch = playing.shadow.watch.clone()
        return s

    def look(self, playing: Playing) -> State:
        """The state of the reference without its pending decision, which would take a step to compute."""
        if playing.state is not None:
            return playing.state
        return read_state(self.codec, self.host.read(playing.at, self.size))

    def generator(self, playing: Playing) -> int:
        """The state of the random generator: every draw changes it."""
        if playing.state is not None:
            return playing.state.rng or 0
        return self._field(playing, "rng")

    def from_reference(self, state: State) -> Playing:
        """Convert a state of the reference that is at a decision, or over."""
        playing = self._new()
        self._take(playing, state)
        return playing

    def _take(self, playing: Playing, state: State) -> None:
        """Continue with a state of the reference; if this engine cannot store it, the reference keeps it."""
        if self.recorded:
            kept = state.clone()
            kept.watch = Watch(self.machine.visibility) if kept.watch is None else kept.watch
            playing.shadow = Shadow(self.codec, self.written.facts, kept)
        try:
            content = bytes(write_state(self.codec, state))
        except TooLarge:
            playing.state = state.clone()
            playing.state.watch = None if playing.shadow is None else playing.shadow.watch
            playing.state.rng = playing.state.rng or 0
        else:
            playing.state = None
            self.host.write(playing.at, content)
        pending = state.pending
        playing.options = len(pending.options) if isinstance(pending, Decision) else 0

    def put(self, content: bytes) -> Playing:
        """A state from its bytes in the memory of an equal module."""
        playing = self._new()
        self.host.write(playing.at, content)
        playing.options = self._field(playing, "options")
        return playing

    # ---- Step by step ----------------------------------------------------------------------------

    def start(self, seed: int, first: int | None = None) -> Playing:
        """A new game at its first decision."""
        free = self.free
        if not free:
            self._make_room()
        playing = Playing(free, free.pop())
        seed &= MASK
        self.host.set_number(self.written.mail, seed)
        if self.recorded:
            self._listen()
        try:
            playing.options = self._start(playing.at, -1 if first is None else first)
        except Trapped:
            self._mute()
            self._take(playing, reference.start(self.machine, seed, first, watched=self.recorded))
            return playing
        if self.recorded:
            begins = self._field(playing, "first")
            playing.shadow = new_shadow(self.machine, self.codec, self.written.facts, begins)
            self._follow(playing)
        return playing

    def clone(self, playing: Playing) -> Playing:
        new = Playing(self.free, 0)
        self.copy_to(new, playing)
        return new

    def copy_to(self, new: Playing, playing: Playing) -> None:
        """Copy a game to one that has no address yet."""
        free, state = self.free, playing.state
        if not free:
            self._make_room()
        new.free = free
        new.at = at = free.pop()
        new.options = playing.options
        if state is not None:
            new.state = state.clone()
        else:
            new.state = None
            self._copy(at, playing.at, self.size)
        new.shadow = None if playing.shadow is None else playing.shadow.clone()

    def future(self, playing: Playing, seed: int) -> Playing:
        """A copy in which chance follows from another seed."""
        new = self.clone(playing)
        if new.state is not None:
            new.state.rng = seed
        else:
            self.host.set_number(new.at + self.written.state.fields["rng"][0], seed)
        return new

    def count(self, playing: Playing) -> int:
        """How many options there are; none when the game is over."""
        return playing.options

    def player(self, playing: Playing) -> int:
        """Who is asked."""
        if playing.state is not None:
            found: int = playing.state.pending.player
            return found
        return self.host.number(playing.at + self.asked_at)

    def asked(self, playing: Playing) -> tree.Choose | tree.Each:
        """What is asked."""
        if playing.state is not None:
            found: tree.Choose | tree.Each = reference.current_instruction(
                self.machine, playing.state
            )
            return found
        return self._question(playing)[0]

    def _question(self, playing: Playing) -> tuple[tree.Choose | tree.Each, str]:
        found = self.written.questions[self.host.number(playing.at + self._asking)]
        return self.codec.statement(found.block, found.statement), found.form

    def options(self, playing: Playing) -> list[Any]:
        """The values of all options."""
        return [*self._options(playing, 0, self.count(playing))]

    def option(self, playing: Playing, number: int) -> Any:
        """The value of one option."""
        return next(self._options(playing, number, number + 1))

    def _options(self, playing: Playing, begin: int, end: int) -> Iterator[Any]:
        if playing.state is not None:
            yield from playing.state.pending.options[begin:end]
            return
        here, form = self._question(playing)
        words = self._listed(playing, begin, end)
        if words is None:
            yield from self.to_reference(playing).pending.options[begin:end]
        else:
            yield from decode_options(here, form, words)

    def action(self, question: QuestionPoint, word: int) -> Action:
        """The action that a word means, among the options of a question."""
        return action_of(self.codec.statement(question.block, question.statement).other, word)

    def _listed(self, playing: Playing, begin: int, end: int) -> list[int] | None:
        count = self._list_from(playing, begin, end)
        return None if count is None else self.host.numbers(self._told, count)

    def _list_from(self, playing: Playing, begin: int, end: int) -> int | None:
        """How many numbers the module has listed; None if it traps."""
        self.host.set_numbers(self.written.mail + 8, (begin, end, self._told + TOLD))
        try:
            return self._list(playing.at, self._told)
        except Trapped:
            self._restore(playing)
            return None

    def key(self, playing: Playing) -> tuple[int, bytes] | None:
        """A key of a question: its number and its listed options. Equal keys mean equal choices.

        None if only the reference can list them.
        """
        options = playing.options
        if playing.state is not None or not options:
            return None
        count = self._list_from(playing, 0, options)
        if count is None:
            return None
        host = self.host
        return host.number(playing.at + self._asking), host.read(self._told, 8 * count)

    def apply(self, playing: Playing, number: int) -> None:
        """Choose an option, and go on to the next decision or the end."""
        if playing.state is not None:
            self._judge(playing, number)
            return
        if not 0 <= number < playing.options:
            raise IllegalMove(f"there is no option {number}")
        if playing.shadow is not None:
            self._listen()
        try:
            playing.options = self._step(playing.at, number)
        except Trapped:
            self._mute()
            self._restore(playing)
            self._judge(playing, number)
        else:
            if playing.shadow is not None:
                self._follow(playing)

    # ---- Steps that tell -------------------------------------------------------------------------

    # For a game that the module plays, `step_told(playing.at, number)` takes a step and returns the number of options
    # after it; `told` gives the rest. If it traps, `fall_back` takes the step.

    def begin_told(self, playing: Playing, seed: int, first: int | None = None) -> None:
        """Start a new game in an object that has no address yet."""
        free = self.free
        if not free:
            self._make_room()
        playing.free, playing.at = free, free.pop()
        playing.state = playing.shadow = self.told_of = None
        seed &= MASK
        self.host.set_number(self.written.mail, seed)
        try:
            playing.options = self._begin_told(playing.at, -1 if first is None else first)
        except Trapped:
            self._take(playing, reference.start(self.machine, seed, first))

    def take_in(self, playing: Playing, state: State) -> None:
        """Put a state of the reference into a game that has no address yet, or one in this engine."""
        if not playing.at:
            if not self.free:
                self._make_room()
            playing.free, playing.at, playing.shadow = self.free, self.free.pop(), None
        self._take(playing, state)

    def fall_back(self, playing: Playing, number: int) -> None:
        """Let the reference take a step at which the module has trapped."""
        self._restore(playing)
        self._judge(playing, number)

    def tell(self, playing: Playing) -> bool:
        """Let the module repeat what it told at the last step; returns whether it can."""
        if playing.state is not None or not playing.options:
            return False
        self.told_of = None
        try:
            self.step_told(playing.at, -1)
        except Trapped:
            self._restore(playing)
            return False
        self.host.copy(playing.at, self.written.backup, self.size)
        return True

    def told(self) -> list[int]:
        """The report of the last step: the number of the question, who is asked, and the options.

        It lists at most the first `MOST_TOLD` options. For subsets of certain sizes it gives the least and the largest
        size, the number of elements, and the elements; for other sets of pieces, nothing. After the end, it has
        `TERMINAL` in place of who is asked, then who has won, and the rows of the ranking.
        """
        host, at = self.host, self.written.report
        return host.numbers(at + 8, 2 + host.number(at))

    # ---- Whole games -----------------------------------------------------------------------------

    def _judge(self, playing: Playing, number: int) -> None:
        """Let the reference take a step, or raise why it is impossible."""
        state = self.to_reference(playing)
        reference.apply(self.machine, state, number)
        self._take(playing, state)

    def playout(self, playing: Playing, luck: int, most: int) -> None:
        """Let everybody choose at random until the game is over, for at most `most` choices."""
        if most <= 0 or not playing.options:
            return
        if (
            playing.state is None and playing.shadow is None
        ):  # a whole playout has too many events to record
            self.host.set_number(self.written.mail, luck)
            try:
                playing.options = self._play_on(playing.at, most)
            except Trapped:
                self._restore(playing)
            else:
                return
        self._judge_playout(playing, luck, most)

    def _judge_playout(self, playing: Playing, luck: int, most: int) -> None:
        state = self.to_reference(playing)
        while most and isinstance(state.pending, Decision):
            luck, number = try_luck(luck, len(state.pending.options))
            reference.apply(self.machine, state, number)
            most -= 1
        self._take(playing, state)

    def result(self, playing: Playing) -> Result:
        """Places and scores, as the game stands."""
        if playing.state is not None:
            return reference.rank(self.machine, playing.state)
        try:
            self._rank(playing.at, self._told)
        except Trapped:
            return reference.rank(self.machine, self.to_reference(playing))
        return self._ranked(self.host.numbers(self._told + 8, self.width - 2))

    def key_rows(self, playing: Playing) -> list[int] | None:
        """The rows of the ranking: for each, 1 if the highest key wins, and all keys. `None` if the module traps."""
        if playing.state is not None:
            return None
        try:
            self._rank(playing.at, self._told)
        except Trapped:
            return None
        return self.host.numbers(self._told + 8, self.width - 2)

    def ranked(self, end: Finished) -> Result:
        """Places and scores of a whole game."""
        return self._ranked(end.keys)

    def _ranked(self, words: Sequence[int]) -> Result:
        keys: Any = ()
        step = self.players + 1
        for n in range(0, len(words), step):
            values = tuple(None if x == NONE else x for x in words[n + 1 : n + step])
            keys += ((words[n] == 1, values),)
        return place_players(self.machine, keys)

    def games(
        self, seeds: Sequence[int], first: int | None = None, most: int = MOST_CHOICES
    ) -> Iterator[Finished | None]:
        """Whole games in which everybody chooses at random, cut off after a number of choices.

        A game is None if the reference must play it.
        """
        for begin in range(0, len(seeds), BATCH):
            yield from self._batch(seeds[begin : begin + BATCH], first, most)

    def _batch(
        self, seeds: Sequence[int], first: int | None, most: int
    ) -> Iterator[Finished | None]:
        count, at, width = len(seeds), 0, self.width
        self.host.set_numbers(self._seeds, [seed & MASK for seed in seeds])
        self.host.set_numbers(self.written.mail, (0, most))
        stopped = set()
        who = -1 if first is None else first
        while at < count:
            try:
                self._many(self._whole, self._seeds, at, count, who, self._found)
            except Trapped:
                at = self.host.number(self.written.mail)
                stopped.add(at)
                at += 1
            else:
                break
        words = self.host.numbers(self._found, count * width)
        for n in range(count):
            row = words[n * width : (n + 1) * width]
            yield None if n in stopped else Finished(row[0], row[1], tuple(row[2:]))


def _make_again(machine: Machine, written: WrittenModule, recorded: bool) -> Wasm:  # noqa: FBT001 - as it was stored
    """Restore a stored engine: its module is compiled again."""
    return Wasm(machine, written, recorded=recorded)

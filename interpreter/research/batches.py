"""Thousands of games that advance together: arrays of option numbers in, arrays of results out. Needs NumPy, an extra.

All states lie side by side in the memory of the fast engine. One call advances all of them, and NumPy reads the arrays
from the same memory: nothing is copied or listed unless a caller asks for it. Where the fast engine cannot take a step,
the reference takes it; a state that the fast engine cannot hold afterwards stays with the reference.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from interpreter.errors import IllegalMove
from interpreter.research.game_tables import TERMINAL, Table
from interpreter.research.tensors import SlotGroup, encode_state
from interpreter.wasm.encoding import PAGE
from interpreter.wasm.engine import Wasm
from interpreter.wasm.hosts import Trapped
from interpreter.wasm.memory import NONE, form_of
from interpreter.wasm.module_games import Playing
from rulespec.limits import MOST_CHOICES

Numbers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


class NoBatch(ValueError):  # noqa: N818 - the name says what is missing
    """The game has no fast engine, and only the fast engine plays batches."""


class Batch:
    """`count` games, each with its own seed.

    >>> import interpreter
    >>> batch = interpreter.load("kuhn.rules").table(2).batch(3, seed=1)
    >>> batch.counts.tolist(), batch.step([1, 0, 1]).tolist()
    ([2, 2, 2], [2, 2, 2])
    """

    def __init__(self, table: Table, count: int, seed: int = 0) -> None:
        if table.fast is None:
            raise NoBatch("the fast engine cannot play this: see interpreter.engines.why_slow")
        self.table, self.count = table, count
        self.engine: Wasm = table.fast
        host, size = self.engine.host, self.engine.size
        self._width = self.engine.width - 1
        room = count * (size + 16 + 8 * self._width) + 128
        first = max(host.size, self.engine.top)
        host.grow(-(-(first + room - host.size) // PAGE))
        self._first, self._size = first, size
        self._order = first + count * size  # addresses of states: the input of a call
        self._told = self._order + 4 * count
        self._seeds = -(-(self._told + 4 * count) // 8) * 8
        self._ranked = self._seeds + 8 * count
        self._steps = host.function("step_many", 4)
        self._starts = host.function("start_many", 5)
        self._ranks = host.function("rank_many", 4)
        self._beyond: dict[int, Playing] = {}  # states that the reference keeps
        self.addresses = (first + size * np.arange(count)).astype(np.int32)
        self.counts: Numbers = np.zeros(count, np.int32)
        self.seed = seed
        self.reset(seed)

    def __del__(self) -> None:
        if hasattr(self, "addresses"):
            self.engine.free += self.addresses.tolist()

    # ---- Playing ---------------------------------------------------------------------------------

    def reset(self, seed: int, which: Sequence[int] | npt.NDArray[Any] | None = None) -> Numbers:
        """Restart all games, or those in `which`, with consecutive seeds from `seed`; return the option count of each."""
        games = np.arange(self.count) if which is None else np.asarray(which)
        host, count, at = self.engine.host, len(games), 0
        seeds = (np.arange(count, dtype=np.uint64) + np.uint64(seed)).astype(np.uint64)
        for game in [each for each in self._beyond if each in games]:
            del self._beyond[game]
        host.write(self._order, self.addresses[games].tobytes())
        host.write(self._seeds, seeds.tobytes())
        while at < count:
            stopped, begin = False, at
            try:
                self._starts(self._order, self._seeds, self._told, at, count)
            except Trapped:
                stopped = True
            at = host.number(self.engine.written.mail)
            told = host.read(self._told + 4 * begin, 4 * (at - begin))
            self.counts[games[begin:at]] = np.frombuffer(told, np.int32)
            if stopped:
                self._take(int(games[at]), self.engine.start(int(seeds[at])))
                at += 1
        return self.counts

    def step(self, numbers: Any) -> Numbers:
        """Choose an option in each game that is not over; return the new option counts, 0 where a game is over."""
        chosen = np.ascontiguousarray(numbers, np.int32)
        if chosen.shape != (self.count,):
            raise ValueError(f"there are {self.count} games: give one option number for each")
        going = np.flatnonzero(self.counts)
        wrong = going[(chosen[going] < 0) | (chosen[going] >= self.counts[going])]
        if len(wrong):
            game = int(wrong[0])
            raise IllegalMove(
                f"game {game} has no option {chosen[game]}: they are 0 to {self.counts[game] - 1}"
            )
        for game in [each for each in self._beyond if self.counts[each]]:
            self.engine.apply(self._beyond[game], int(chosen[game]))
            self.counts[game] = self._beyond[game].options
        if self._beyond:
            going = np.array([each for each in going if int(each) not in self._beyond], np.int64)
        self._step(going, chosen)
        return self.counts

    def _step(self, going: npt.NDArray[Any], chosen: Numbers) -> None:
        host, count, at = self.engine.host, len(going), 0
        host.write(self._order, self.addresses[going].tobytes())
        host.write(self._told, chosen[going].tobytes())
        while at < count:
            stopped = False
            begin = at
            try:
                self._steps(self._order, self._told, at, count)
            except Trapped:
                stopped = True
            at = host.number(self.engine.written.mail)
            told = host.read(self._told + 4 * begin, 4 * (at - begin))
            self.counts[going[begin:at]] = np.frombuffer(told, np.int32)
            if stopped:
                game = int(going[at])
                playing = self._playing(game)
                host.copy(playing.at, self.engine.written.backup, self._size)
                self.engine.apply(playing, int(chosen[game]))
                self._take(game, playing)
                at += 1

    def _playing(self, game: int) -> Playing:
        """A game as an engine object; its address belongs to the batch, which alone frees it."""
        found = self._beyond.get(game)
        return found or Playing([], int(self.addresses[game]), int(self.counts[game]))

    def _take(self, game: int, playing: Playing) -> None:
        self.counts[game] = playing.options
        if playing.state is not None:
            self._beyond[game] = playing
        elif playing.at != int(self.addresses[game]):
            self.engine.host.copy(int(self.addresses[game]), playing.at, self._size)

    def random_step(self, dice: np.random.Generator) -> Numbers:
        """In each game, the player to move chooses at random."""
        return self.step((dice.random(self.count) * self.counts).astype(np.int32))

    # ---- Looking ---------------------------------------------------------------------------------

    @property
    def over(self) -> Bools:
        """Which games are over."""
        found: Bools = self.counts == 0
        return found

    @property
    def players(self) -> Numbers:
        """The player to move in each game; `TERMINAL` where it is over."""
        found = self._field("asked").astype(np.int32)
        for game, playing in self._beyond.items():
            found[game] = self.engine.player(playing) if playing.options else TERMINAL
        found[self.over] = TERMINAL
        return found

    def _memory(self) -> npt.NDArray[np.uint8]:
        """All states as bytes in the engine's memory, one row each."""
        host = self.engine.host
        content = host.window(self._first, self.count * self._size)
        return np.frombuffer(content, np.uint8).reshape(self.count, self._size)

    def _field(self, name: str) -> npt.NDArray[np.int64]:
        return self._words(self.engine.written.state.fields[name][0], 1)[:, 0]

    def _words(self, at: int, count: int, kind: Any = np.int64) -> npt.NDArray[Any]:
        """The numbers at the same offset in each state."""
        size = np.dtype(kind).itemsize
        rows = self._memory()[:, at : at + size * count]
        return np.ascontiguousarray(rows).view(kind)

    def returns(self, which: Sequence[int] | npt.NDArray[Any] | None = None) -> Floats:
        """The return of each player in all games, or in those in `which`; zero where a game is not over."""
        found: Floats = np.zeros((self.count, self.table.players), np.float32)
        games = np.flatnonzero(self.counts == 0) if which is None else np.asarray(which)
        host, at = self.engine.host, 0
        host.write(self._order, self.addresses[games].tobytes())
        slow = [int(game) for game in games if int(game) in self._beyond] if self._beyond else []
        while at < len(games):
            try:
                self._ranks(self._order, at, len(games), self._ranked)
                break
            except Trapped:
                at = host.number(self.engine.written.mail)
                slow.append(int(games[at]))
                at += 1
        words = np.frombuffer(host.read(self._ranked, 8 * self._width * len(games)), np.int64)
        found[games] = returns_of(self.table, words.reshape(len(games), self._width))
        for game in slow:
            found[game] = self.table.returns(self.engine.result(self._playing(game)))
        return found

    def option_numbers(self, which: Any = None) -> Numbers:
        """For each game (all, or those in `which`) and each action: the option number that `step` takes, or -1.

        A batch chooses a set by its option number; use states to choose it element by element.
        """
        games = np.arange(self.count) if which is None else np.asarray(which)
        stepper = self.table.stepper
        assert stepper is not None  # noqa: S101 - only the fast engine plays in batches
        found: Numbers = np.full((len(games), self.table.actions.size), -1, np.int32)
        for n, game in enumerate(games):
            if self.counts[game]:
                actions = stepper.find(self._playing(int(game)), is_told=False)
                if isinstance(actions, list):
                    found[n, actions] = range(len(actions))
                else:
                    found[n, actions.legal()] = 0
        return found

    def legal_actions_mask(self, which: Any = None) -> Bools:
        """For each game (all, or those in `which`), which actions of the table are legal."""
        found: Bools = self.option_numbers(which) >= 0
        return found

    # ---- Tensors ---------------------------------------------------------------------------------

    def observations(self, players: Any = None) -> Floats:
        """For each game, the observation of the player to move, or of the given players."""
        asked = self.players
        seats = np.maximum(asked if players is None else np.asarray(players), 0)
        seats = np.broadcast_to(seats, (self.count,))
        slots = self.table.observation
        found = np.zeros((self.count, slots.size), np.float32)
        rows = np.arange(self.count)
        for part in slots.parts:
            match part.kind:
                case "seat":
                    found[rows, part.at + seats] = 1
                case "asked":
                    mine = rows[(asked == seats) & (self.counts > 0)]
                    question = self._places[self._field("question")[mine]]
                    found[mine, part.at + question] = 1
                case "first" | "phase":
                    found[rows, part.at + self._field(part.kind)] = 1
                case "seen" | "backs" | "top":
                    self._put_zone(found, part, seats)
                case "value" | "number" | "set":
                    sees = self._seeing(self.table.machine.visibility.variables[part.number], seats)
                    self._put_variable(found, part, sees)
        for game in self._beyond:
            found[game] = self._on_reference(game, int(seats[game]))
        return found

    def _on_reference(self, game: int, player: int) -> list[float]:
        playing = self._beyond[game]
        asked = None
        if playing.options and self.engine.player(playing) == player:
            asked = self.table.actions.place(self.engine.asked(playing))
        return encode_state(self.table.observation, self.engine.look(playing), player, asked)

    @cached_property
    def _places(self) -> npt.NDArray[np.int64]:
        """For each question of the module, its position among the actions."""
        written, codec, actions = self.engine.written, self.engine.codec, self.table.actions
        asked = [codec.statement(each.block, each.statement) for each in written.questions]
        return np.array([actions.place(each) for each in asked], np.int64)

    @staticmethod
    def _seeing(mask: int, seats: npt.NDArray[Any]) -> Bools:
        found: Bools = (mask >> seats & 1).astype(np.bool_)
        return found

    @cached_property
    def _faces(self) -> npt.NDArray[np.int64]:
        return np.array(self.table.machine.layout.faces, np.int64)

    def _lying(self, zone: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """For a pool: which pieces lie in it in each game, and how many."""
        state = self.engine.written.state
        masks = self._memory()[:, state.zones[zone] : state.zones[zone] + 8 * state.words]
        bits = np.unpackbits(masks, axis=1, bitorder="little")[:, : len(self._faces)]
        return bits, bits.sum(axis=1)

    def _piled(self, zone: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """For a pile: its pieces in each game, from the bottom, and how many of the entries are valid."""
        state = self.engine.written.state
        at = state.zones[zone]
        counts = self._words(at, 1, np.int32)[:, 0]
        kind: Any = np.uint16 if state.wide else np.uint8
        return self._words(at + 4, len(self._faces), kind), counts

    def _put_zone(self, found: Floats, part: SlotGroup, seats: npt.NDArray[Any]) -> None:
        visibility, zone = self.table.machine.visibility, part.number
        sees = self._seeing(visibility.into[zone], seats)
        is_pool = self.table.machine.layout.is_pool[zone]
        pieces, counts = self._lying(zone) if is_pool else self._piled(zone)
        if part.kind == "backs":
            top = bool(visibility.top[zone])
            backs = np.maximum(counts - 1, 0) if top else np.where(sees, 0, counts)
            found[:, part.at] = np.where(self._seeing(visibility.counts[zone], seats), backs, 0)
        elif part.kind == "top":
            games = np.flatnonzero((sees | bool(visibility.top[zone])) & (counts > 0))
            tops = pieces[games, counts[games] - 1]
            found[games, part.at + self._slot_of(part)[tops]] = 1
        else:
            games = np.flatnonzero(sees & (counts > 0))
            slot = self._slot_of(part)
            if is_pool:
                game, piece = np.nonzero(pieces[games])
            else:
                lies = np.arange(pieces.shape[1])[None, :] < counts[games, None]
                game, place = np.nonzero(lies)
                piece = pieces[games[game], place]
            np.add.at(found, (games[game], part.at + slot[piece]), 1)

    def _slot_of(self, part: SlotGroup) -> npt.NDArray[np.int64]:
        """For each piece, its slot in a group."""
        return np.array([part.places.get(int(face), -1) for face in self._faces], np.int64)

    def _put_variable(self, found: Floats, part: SlotGroup, sees: Bools) -> None:
        layout = self.table.machine.layout
        row, _ = layout.variables[part.number]
        at, size = self.engine.written.state.variables[row.name]
        at += (part.number - layout.variable_families[row.name].base) * size
        form = form_of(row.type, layout)
        if form == "list":
            self._put_list(found, part, sees, at, size)
            return
        values = self._words(at, 1)[:, 0]
        games = np.flatnonzero(sees & (values != NONE))
        if part.kind == "number":
            found[games, part.at] = 1
            found[games, part.at + 1] = values[games]
        elif part.kind == "set":
            for value, place in part.places.items():
                found[games, part.at + place] = values[games] >> int(value) & 1
        else:
            for value, place in part.places.items():
                found[games, part.at + place] = values[games] == int(value)

    def _put_list(self, found: Floats, part: SlotGroup, sees: Bools, at: int, size: int) -> None:
        words = self._words(at, size // 4, np.int32)
        for game in np.flatnonzero(sees & (words[:, 0] > 0)):
            for value in words[game, 1 : 1 + words[game, 0]]:
                found[game, part.at + part.places[int(value)]] = 1


def returns_of(table: Table, words: npt.NDArray[np.int64]) -> Floats:
    """The returns of each game, from its words: a mask of the winners, then the rows of the ranking."""
    players = table.players
    row = table.score_row
    if row is None:
        won = (words[:, :1] >> np.arange(players) & 1).astype(np.float32)
        count = won.sum(axis=1, keepdims=True)
        if players == 1:
            return 2 * won - 1
        part = np.divide(players - count, count, out=np.zeros_like(count), where=count > 0)
        undecided = (count == 0) | (count == players)
        return np.where(undecided, 0, np.where(won > 0, part, -1)).astype(np.float32)
    at = 1 + row * (players + 1)
    most, values = words[:, at : at + 1] == 1, words[:, at + 1 : at + 1 + players]
    signed = np.where(most, values, -values).astype(np.float64)
    known = values != NONE
    # A player without points comes behind every player with points.
    worst = np.where(known, signed, np.inf).min(axis=1, keepdims=True) - 1
    worst = np.where(np.isinf(worst), 0, worst)
    return np.where(known, signed, worst).astype(np.float32)


class Rollouts:
    """Whole games of random play, thousands in one call."""

    def __init__(self, table: Table, most: int = 4096) -> None:
        if table.fast is None:
            raise NoBatch("the fast engine cannot play this: see interpreter.engines.why_slow")
        self.table, self.most, self.engine = table, most, table.fast
        host, width = table.fast.host, table.fast.width
        first = max(host.size, table.fast.top)
        self._state = first
        self._seeds = first + table.fast.size
        self._found = self._seeds + 8 * most
        host.grow(-(-(self._found + 8 * most * width + PAGE - host.size) // PAGE))
        self._play = host.function("play_many", 6)

    def play(self, seeds: Sequence[int]) -> tuple[npt.NDArray[np.int64], Floats]:
        """For each seed, the number of decisions in its game and the returns of the players."""
        parts = [
            self._part(np.asarray(seeds[at : at + self.most], np.uint64))
            for at in range(0, len(seeds), self.most)
        ]
        return np.concatenate([each[0] for each in parts]), np.concatenate([p[1] for p in parts])

    def _part(self, seeds: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.int64], Floats]:
        host, width, count, at = self.engine.host, self.engine.width, len(seeds), 0
        host.write(self._seeds, seeds.tobytes())
        host.set_numbers(self.engine.written.mail, (0, MOST_CHOICES))
        slow = []
        while at < count:
            try:
                self._play(self._state, self._seeds, at, count, -1, self._found)
                break
            except Trapped:
                at = host.number(self.engine.written.mail)
                slow.append(at)
                at += 1
        words = np.frombuffer(host.read(self._found, 8 * width * count), np.int64)
        rows = words.reshape(count, width).copy()
        returns = returns_of(self.table, rows[:, 1:])
        for n in slow:
            state = self.table.new_initial_state(int(seeds[n]))
            state.rollout(int(seeds[n]))
            rows[n, 0], returns[n] = len(state.history), state.returns()
        return rows[:, 0], returns


def random_returns(table: Table, seeds: Sequence[int]) -> Floats:
    """Play whole games at random, one for each seed, and give the returns of the players in each."""
    return Rollouts(table).play(seeds)[1]

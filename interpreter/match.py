"""The interface for programs: rules that can be played, and a game of them.

A `Game` is a file of rules with its variants and options; a `Match` is one game of it at a table, with all
that its players have observed.

>>> from interpreter.game_loading import load
>>> sins = load("sins.rules")
>>> match = sins.start(players=2, seed=7)
>>> match.decision.prompt
'Which sin do you take?'
>>> match.apply(0)
>>> match.over
False
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from interpreter import chance, machine, stored, transcript
from interpreter.errors import IllegalMove, RuleFault
from interpreter.event_log import Event
from interpreter.flat import Code
from interpreter.hindsight import ChoiceMoment, Learnt, first_observed, keep_moment, learnt_at_once
from interpreter.machine import Machine, Result
from interpreter.options import Decision, Option
from interpreter.state import OVER, SETUP, State
from interpreter.transcript import Choice, Transcript
from interpreter.views import Information, View, information, view
from rulespec.checking.program import Program
from rulespec.core.fingerprints import fingerprint
from rulespec.loading import FileRecord


@frozen
class Texts:
    """The sources of a game: a digest of its text, and the other files that it includes."""

    digest: str
    notes: tuple[FileRecord, ...]


@frozen(eq=False, repr=False)
class Game:
    """Rules that can be played: a checked file with the variants and options that were asked for.

    It is immutable, so a copy is the game itself. A stored game does not contain its engines: they are built again.
    """

    name: str
    variants: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    checked: Program | Callable[[], Program]  # or a function that makes it, as few callers need it
    code: Code
    texts: Texts
    path: Path | None = None
    _machines: dict[int, Machine] = field(factory=dict, init=False, repr=False)
    _found: list[Program] = field(factory=list, init=False, repr=False)

    def __repr__(self) -> str:
        chosen = [*self.variants, *(f"{name}={value}" for name, value in self.settings)]
        return f"<Game {Path(self.name).name}{''.join(f', {each}' for each in chosen)}>"

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, _memo: Mapping[int, Any]) -> "Game":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        from interpreter.research.game_tables import store_game  # noqa: PLC0415 - it may have to be loaded again

        return store_game(self)

    @property
    def program(self) -> Program:
        """The checked file."""
        if isinstance(self.checked, Program):
            return self.checked
        if not self._found:
            self._found.append(self.checked())
        return self._found[0]

    @property
    def players(self) -> Sequence[int]:
        """The numbers of players that the options allow."""
        counts = range(self.code.least_players, self.code.most_players + 1)
        if all(row.allowed is None for row in self.code.options):
            return counts
        return [players for players in counts if machine.allows(self.code, players)]

    def machine(self, players: int) -> Machine:
        """The engine for a number of players, without any record of what is observed.

        >>> from interpreter.machine import apply, start
        >>> from interpreter.game_loading import load
        >>> engine = load("sins.rules").machine(2)
        >>> state = start(engine, seed=7)
        >>> copy = state.clone()
        >>> apply(engine, copy, 0)
        >>> state == copy
        False
        """
        if players not in self._machines:
            self._machines[players] = machine.build_machine(self.code, players)
        return self._machines[players]

    def table(self, players: int | None = None, utility: Any = "points") -> Any:
        """The game for a number of players (the least by default), as research programs use it: docs/research.md.

        >>> import interpreter
        >>> interpreter.load("kuhn.rules").table().num_distinct_actions()
        4
        """
        from interpreter.research.game_tables import find_table  # noqa: PLC0415 - the way back from its engines to a game

        return find_table(self, self.code.least_players if players is None else players, utility)

    def new_initial_state(
        self,
        players: int | None = None,
        seed: int | None = None,
        first: int | None = None,
        utility: Any = "points",
    ) -> Any:
        """A state for programs, played by the fast engine; without a seed, the caller decides chance.

        >>> import interpreter
        >>> state = interpreter.load("sins.rules").new_initial_state(players=2, seed=7)
        >>> state.current_player(), [state.action_to_string(each) for each in state.legal_actions()][:1]
        (1, ['Which sin do you take? Avaritia'])
        """
        return self.table(players, utility).new_initial_state(seed, first)

    def start(
        self,
        players: int | Sequence[str] | None = None,
        seed: int | None = None,
        first: int | None = None,
        *,
        always: bool = False,
    ) -> "Match":
        """A new game; `players` are a number or names, by default the least number allowed.

        Without a seed, a random one is used, and kept in the transcript. With `always`, all invariants of the rules are
        tested after every choice, which takes most of the time.
        """
        if players is None:
            players = self.code.least_players
        names = (
            tuple(f"Player {n + 1}" for n in range(players))
            if isinstance(players, int)
            else tuple(players)
        )
        if len(set(names)) < len(names) or not all(_is_name(name) for name in names):
            raise ValueError(
                "players have different names, without `:` and `,`, not beginning with `#`"
            )
        engine = self.machine(len(names))
        if first is not None and first not in range(len(names)):
            raise ValueError(f"there is no seat {first}")
        seed = chance.fresh_seed() if seed is None else seed
        if not 0 <= seed <= chance.MASK:
            raise ValueError("a seed is a number from 0 to 2⁶⁴ - 1")
        try:
            state = machine.start(engine, seed, first, names=names)
            if always:
                hold_invariants(engine, state)
        except RuleFault as fault:
            fault.record = transcript.write(_record(self, names, first, seed, ()))
            raise
        return Match(self, engine, state, names, seed, first, always)

    def replay(self, record: Transcript, *, always: bool = False) -> "Match":
        """Replay the game of a transcript; an `IllegalMove` if a choice does not fit."""
        first = None if record.first is None else record.players.index(record.first)
        match = self.start(record.players, record.seed, first, always=always)
        for choice in record.choices:
            match.follow(choice)
        return match


def _play_again(  # noqa: PLR0913, PLR0917 - what a match is made from
    game: Game,
    names: tuple[str, ...],
    seed: int,
    first: int | None,
    always: bool,  # noqa: FBT001 - as it was stored
    numbers: tuple[int, ...],
) -> "Match":
    """Restore a stored match by making the same choices again."""
    match = game.start(names, seed, first, always=always)
    for number in numbers:
        match.apply(number)
    return match


def hold_invariants(engine: Machine, state: State) -> None:
    """Test all invariants, which must hold at each question while playing, and at the end."""
    if state.phase != SETUP:
        broken = machine.broken_invariant(engine, state)
        if broken is not None:
            broken.rules = machine.running(engine, state)
            raise broken


def seat_in(player: Any, players: int) -> int:
    """A seat, if there is one."""
    if type(player) is not int or player not in range(players):
        raise ValueError(f"there is no seat {player!r}: they are 0 to {players - 1}")
    return player


def _is_name(name: str) -> bool:
    plain = name.strip() == name and name.isprintable() and not name.startswith("#")
    return bool(name) and plain and not set(name) & set(":,")


@define(eq=False, repr=False)
class Match:
    """One game. `apply` changes it; clone it first to keep it as it is.

    Changing it in place saves needless copies: a search that plays out a thousand games clones only the decisions at
    which it branches.
    """

    game: Game
    engine: Machine
    state: State
    names: tuple[str, ...]
    seed: int
    first: int | None = None  # the first seat, if the caller gave it
    always: bool = False  # whether to test all invariants after each choice
    choices: list[Choice] = field(factory=list)
    marks: list[int] = field(factory=list)  # events so far, at each choice
    moments: list[ChoiceMoment] = field(factory=list)  # just before each choice
    _found: dict[int, Learnt | None] = field(factory=dict)  # choice -> what its consequences taught

    def __repr__(self) -> str:
        now = "over"
        if self.decision is not None:
            now = f"{self.names[self.decision.player]} is asked: {self.decision.prompt}"
        return f"<Match {Path(self.game.name).name}, {len(self.choices)} choices: {now}>"

    @property
    def decision(self) -> Decision | None:
        """The pending decision; None when the game is over."""
        pending = self.state.pending
        return pending if isinstance(pending, Decision) else None

    @property
    def over(self) -> bool:
        return self.state.phase == OVER

    def apply(self, option: int | Option) -> None:
        """Choose an option, by its number or as `decision.listed()` gives it."""
        number: Any = option.number if isinstance(option, Option) else option
        pending = machine.legal(self.state, number)
        chosen = Choice(self.names[pending.player], number, self.text(pending, number))
        self.moments.append(keep_moment(self.state, pending.player, number))
        self.choices.append(chosen)
        self.marks.append(len(self.state.watch.events))
        try:
            machine.apply(self.engine, self.state, number)
            if self.always:
                hold_invariants(self.engine, self.state)
        except RuleFault as fault:
            fault.record = transcript.write(self.transcript())
            raise

    # [transcript.replay]
    def follow(self, choice: Choice) -> None:
        """Choose as a transcript says, and refuse what does not fit."""
        pending = self.decision
        where = f"choice {len(self.choices) + 1}"
        if pending is None:
            raise IllegalMove(f"{where}: the game is over, but {choice.player} chooses again")
        if self.names[pending.player] != choice.player:
            asked = self.names[pending.player]
            raise IllegalMove(f"{where}: {asked} is asked, not {choice.player}")
        if not 0 <= choice.number < len(pending.options):
            count = len(pending.options)
            raise IllegalMove(
                f"{where}: {choice.player} has {count} options, but no number {choice.number}"
            )
        text = self.text(pending, choice.number)
        if choice.text and choice.text != text:
            raise IllegalMove(f"{where}: option {choice.number} is `{text}`, not `{choice.text}`")
        self.apply(choice.number)

    def text(self, decision: Decision, number: int) -> str:
        """The text of an option, with the players by name."""
        return decision.text(number)

    def clone(self) -> "Match":
        """An independent copy."""
        return evolve(
            self,
            state=self.state.clone(),
            choices=self.choices[:],
            marks=self.marks[:],
            moments=self.moments[:],
            found=dict(self._found),
        )

    def __copy__(self) -> "Match":
        return self.clone()

    def __deepcopy__(self, _memo: Mapping[int, Any]) -> "Match":
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        numbers = tuple(choice.number for choice in self.choices)
        return _play_again, (self.game, self.names, self.seed, self.first, self.always, numbers)

    @property
    def events(self) -> list[Event]:
        """All that happened so far, with the rules that made it happen."""
        found: list[Event] = self.state.watch.events
        return found

    def view(self, player: int) -> View:
        """What a screen may show to a player."""
        return view(self.engine, self.state, seat_in(player, len(self.names)))

    def information(self, player: int) -> Information:
        """What a player who forgets nothing knows; bots get this."""
        return information(self.engine, self.state, seat_in(player, len(self.names)))

    def result(self) -> Result:
        """Places, winners and scores, as the game stands."""
        return machine.rank(self.engine, self.state)

    # [undo.limit]
    def learnt(self, number: int) -> Learnt | None:
        """What the player who made a choice has learnt since and could not have derived before, if anything.

        A face that is new to anybody counts as well.
        """
        player = self.moments[number].player
        for each in range(number, len(self.choices)):
            events = self._span(each)
            revealed = next((event for event in events if event.reveals), None)
            if revealed is not None:
                return Learnt(revealed)
            if self.moments[each].player != player:
                found = first_observed(events, player)
            else:
                found = self._at_once(each, events)
            if found is not None:
                return found
        return None

    def _span(self, number: int) -> list[Event]:
        """What happened from a choice up to the next question."""
        return self.events[self.marks[number] : (*self.marks, len(self.events))[number + 1]]

    def _at_once(self, number: int, events: list[Event]) -> Learnt | None:
        if number not in self._found:
            self._found[number] = learnt_at_once(self.engine, self.moments[number], events)
        return self._found[number]

    def undoable(self, players: Collection[int] | None = None) -> int:
        """How many of the last choices can be taken back; if `players` are given, only their knowledge counts."""
        total = len(self.choices)
        for number in range(total - 1, -1, -1):
            counts = players is None or self.moments[number].player in players
            if counts and self.learnt(number) is not None:
                return total - number - 1
        return total

    def undo(self, count: int = 1, players: Collection[int] | None = None) -> None:
        """Take back the last choices, if the players who made them have learnt nothing since."""
        most = self.undoable(players)
        if not 0 <= count <= most:
            raise IllegalMove(f"only {most} choices can be taken back honestly")
        kept = self.choices[: len(self.choices) - count]
        again = self.game.start(self.names, self.seed, self.first, always=self.always)
        for choice in kept:
            again.apply(choice.number)
        self.state, self.choices, self.marks = again.state, again.choices, again.marks
        self.moments, self._found = again.moments, again._found  # noqa: SLF001 - of the same kind

    def transcript(self) -> Transcript:
        """The game so far, to be kept and replayed."""
        return _record(self.game, self.names, self.first, self.seed, tuple(self.choices))

    def to_json(self) -> str:
        """The state as text, without the observations; to keep these, keep the transcript."""
        return stored.to_json(self.engine, self.state)


def _record(
    game: Game,
    names: tuple[str, ...],
    first: int | None,
    seed: int,
    choices: tuple[Choice, ...],
) -> Transcript:
    return Transcript(
        game=game.name,
        fingerprint=fingerprint(game.code),
        variants=game.variants,
        options=game.settings,
        players=names,
        first=None if first is None else names[first],
        seed=seed,
        choices=choices,
    )

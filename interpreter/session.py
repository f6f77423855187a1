"""A game and its seats -> a session: people and bots play it, and it is saved to disk after every choice.

Nothing here depends on a screen. A screen shows `session.match.view(seat)` to the human who holds it, and calls
this object for everything that changes the game. A bot gets what its seat knows and nothing else. Its random seed
follows from the seed of the game, so after `resume` or `undo` the same choices lead to the same game. While a human
waits, the levels think less with every choice.

>>> from interpreter import load
>>> table = begin(load("sins.rules"), [Seat("Ada"), Seat("Ben", "random")], seed=7, keep=False)
>>> while table.asked is not None:
...     if table.is_human(table.asked):
...         table.choose(0)
...     else:
...         advice = table.bot_move()
>>> [table.seats[seat].name for seat in table.match.result().winners]
['Ben']
"""

import hashlib
import shlex
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from interpreter import saves
from interpreter.display_names import MOST_PIECES, Listener
from interpreter.errors import IllegalMove
from interpreter.headings import place_headings
from interpreter.hindsight import Learnt
from interpreter.lines import StoryLine
from interpreter.match import Game, Match
from interpreter.paces import Stopwatch, tell_pace
from interpreter.recorded import replay_command
from interpreter.saves import Keeper, Save
from interpreter.standings import tell_open_scores
from interpreter.story import Entry, Memo, settled_until, tell_event, tell_match
from interpreter.transcript import Transcript
from rulespec import loading

if TYPE_CHECKING:
    from interpreter.bots import Advice, Bot, Progress

HUMAN = "human"
BEST_KIND = "search"  # the bot that is asked for hints
USUAL_LEVEL = "normal"  # of the bots in seats that nobody has taken


def make_bot(word: str, game: Game, players: int, seed: int) -> "Bot":
    """A bot by the word that was typed; it prepares its data only when it is asked."""
    from interpreter import bots  # noqa: PLC0415 - it brings an engine of its own

    return bots.make_bot(word, game, players, seed)


@frozen
class Seat:
    """A player at the table: a human, or a bot by the word that was typed, such as `search:3s`."""

    name: str
    kind: str = HUMAN


@define(eq=False)
class Session:
    """A game, its players, and its save; made by `begin` and by `resuming.resume`.

    `holder` is the human who has the screen, which may show only what that seat may see. If several
    humans play, nobody has it at first. If `passes_to` names a seat, the screen must be handed over
    before it shows anything else.
    """

    match: Match
    seats: tuple[Seat, ...]
    keeper: Keeper | None = None  # the save
    recorder: Keeper | None = None  # what `--record` asked for
    trouble: str | None = None  # why the last attempt to save the game failed
    make_bot: "Callable[[str, Game, int, int], Bot]" = make_bot
    stopwatch: Stopwatch = field(factory=Stopwatch)  # of the people, since this session began
    holder: int | None = field(init=False)
    told: dict[int | None, int] = field(factory=dict)  # the number of events each viewer has read

    memos: dict[int | str | None, Memo] = field(factory=dict)  # the stories of viewers so far

    _head: Transcript = field(init=False)  # of the record: to name the rules takes a while
    _rules: str = field(init=False)  # where they lie
    _timed: "dict[tuple[int, str], Bot]" = field(factory=dict)  # bots that play by the clock

    def __attrs_post_init__(self) -> None:
        self.holder = self._only_human()
        self._head = self.match.transcript()
        self._rules = _lasting(self.match.game)
        self.stopwatch.ask()

    # ---- Who ----

    @property
    def asked(self) -> int | None:
        """The seat that must decide; None when the game is over."""
        decision = self.match.decision
        return None if decision is None else decision.player

    @property
    def over(self) -> bool:
        return self.match.over

    def is_human(self, seat: int) -> bool:
        return self.seats[seat].kind == HUMAN

    @property
    def humans(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(self.seats)) if self.is_human(seat))

    def _only_human(self) -> int | None:
        return self.humans[0] if len(self.humans) == 1 else None

    @property
    def viewer(self) -> int | None:
        """The seat whose view the screen may show: the holder of the screen.

        It is None when the game is over or only bots play: then there is nothing to hide. It is also
        None while several humans play and nobody has taken the screen: then the screen may show only
        what all players see.
        """
        return None if self.over else self.holder

    @property
    def passes_to(self) -> int | None:
        """The human to whom the screen must be handed before the game goes on, if any."""
        asked = self.asked
        if asked is None or not self.is_human(asked) or asked == self.holder:
            return None
        return asked

    def take_screen(self) -> None:
        """Give the screen to the human who is asked; the others must not look."""
        if self.passes_to is not None:
            self.holder = self.passes_to
            self.stopwatch.ask()

    # ---- Choosing ----

    def choose(self, number: int) -> None:
        """A human's choice: the number of an option."""
        if self.asked is not None and not self.is_human(self.asked):
            raise IllegalMove(f"it is {self.seats[self.asked].name} who is asked")
        self._apply(number, by_human=True)

    def bot_move(self, progress: "Progress | None" = None) -> "Advice":
        """Let the bot that is asked think and choose."""
        advice = self.think(progress)
        self.settle(advice)
        return advice

    def think(self, progress: "Progress | None" = None) -> "Advice":
        """What the bot that is asked would choose; changes nothing, so that it can be done in a thread."""
        seat = self._asked_seat()
        if self.is_human(seat):
            raise IllegalMove(f"{self.seats[seat].name} is not a bot")
        from interpreter.bots import hurried  # noqa: PLC0415 - as in `make_bot`

        word = hurried(self.seats[seat].kind, self._waited())
        return self._advice(word, "bot", progress)

    def _waited(self) -> int:
        """How many choices bots have made since the last choice of a human."""
        since = self._since_human()
        return 0 if not self.humans else len(self.match.choices) if since is None else since - 1

    def prepare(self) -> None:
        """Prepare the data that bots need, so that the first one answers soon; can run in a thread."""
        for kind in {seat.kind for seat in self.seats} - {HUMAN}:
            self.make_bot(kind, self.match.game, len(self.seats), 0).prepare()

    def settle(self, advice: "Advice") -> None:
        """Let the bot that is asked make the choice that it has thought of."""
        if self.is_human(self._asked_seat()):
            raise IllegalMove("a human decides here")
        self._apply(advice.choice)

    def hint(self, progress: "Progress | None" = None, word: str | None = None) -> "Advice":
        """What a bot would choose in the place of the player who is asked, with the knowledge of that seat."""
        self._asked_seat()
        return self._advice(word or BEST_KIND, "hint", progress)

    def seek_dangers(self) -> "Callable[[], frozenset[int]]":
        """A function that finds the options which lose the game at once, as far as the player who is asked can know.

        It can be called in a thread while the game goes on.
        """
        from interpreter.bots import find_dangers  # noqa: PLC0415 - as in `make_bot`

        seat = self._asked_seat()
        known = self.match.information(seat)
        seed = _bot_seed(self.match.seed, "danger", seat, len(known.log))
        return partial(find_dangers, self.match.game, len(self.seats), known, seed)

    def _asked_seat(self) -> int:
        if self.asked is None:
            raise IllegalMove("the game is over")
        return self.asked

    def _advice(self, word: str, purpose: str, progress: "Progress | None") -> "Advice":
        from interpreter.bots import remembers  # noqa: PLC0415 - as in `make_bot`

        seat = self._asked_seat()
        known = self.match.information(seat)
        # Every question gets a new bot, so its answer depends only on the seed and its knowledge,
        # and is the same after `resume` and `undo`. The answer of a bot that plays by the clock
        # varies anyway, so it is kept: it saves time by remembering what it has thought of.
        bot = self._timed.get((seat, word))
        if bot is None:
            seed = _bot_seed(self.match.seed, purpose, seat, len(known.log))
            bot = self.make_bot(word, self.match.game, len(self.seats), seed)
            if remembers(word):
                self._timed[seat, word] = bot
        return bot.advise(known, progress)

    def _apply(self, number: int, *, by_human: bool = False) -> None:
        self.match.apply(number)
        if by_human:
            self.stopwatch.answer()
        self.keep()
        self.stopwatch.ask()

    # ---- Taking back ----

    def undo(self) -> int:
        """Take back the last choice of a human and the choices of bots after it; return their number.

        An `IllegalMove` gives the reason if the player who made it has learnt something since.
        """
        count = self._since_human()
        if count is None:
            raise IllegalMove("there is no choice to take back")
        if self.over:
            raise IllegalMove("the game is over, and all cards lie open: nothing is taken back")
        learnt = self.match.learnt(len(self.match.choices) - count)
        if learnt is not None:
            raise IllegalMove(self._why_not(learnt))
        self.match.undo(count, self.humans)
        events = len(self.match.events)
        self.told = {viewer: min(told, events) for viewer, told in self.told.items()}
        self.keep()
        self.stopwatch.ask()
        return count

    @property
    def may_undo(self) -> bool:
        """Whether `undo` is possible."""
        count = None if self.over else self._since_human()
        return count is not None and self.match.learnt(len(self.match.choices) - count) is None

    def _since_human(self) -> int | None:
        """The number of choices since the last choice of a human, including it."""
        people = {self.seats[seat].name for seat in self.humans}
        for count, choice in enumerate(reversed(self.match.choices), 1):
            if choice.player in people:
                return count
        return None

    def _why_not(self, learnt: Learnt) -> str:
        listener = Listener(self.match.engine.layout, self.match.names, self.viewer, MOST_PIECES)
        told = "" if learnt.event is None else tell_event(listener, learnt.event)
        reason = f": {told.removesuffix('.')}" if told else ""
        return f"this cannot be taken back, as something was learnt since{reason}"

    # ---- Seats ----

    def reseat(self, seat: int, kind: str) -> None:
        """Replace the player of a seat."""
        seats = list(self.seats)
        seats[seat] = evolve(seats[seat], kind=kind)
        self.seats = tuple(seats)
        self.holder = self._only_human()

    # ---- Telling ----

    def story(self, viewer: int | None, since: int = 0, until: int | None = None) -> list[Entry]:
        """What happened from one event up to another, as a seat observes it; None sees everything."""
        return tell_match(self.match, viewer, since, until, self.memos.setdefault(viewer, Memo()))

    def since_choice(self, viewer: int | None) -> int:
        """The event with which the last choice of a seat begins; for a viewer who sees everything, the first event."""
        if viewer is None:
            return 0
        name = self.seats[viewer].name
        marks = zip(reversed(self.match.choices), reversed(self.match.marks), strict=True)
        return next((mark for choice, mark in marks if choice.player == name), 0)

    def look_back(self, viewer: int | None) -> int:
        """The first event that a seat may be told of: that of the round before the one being played.

        The rules may require players to remember earlier events. If the rules have no rounds, it is
        the last choice of the seat. A viewer who sees everything may look back to the beginning.
        """
        if viewer is None:
            return 0
        places = place_headings(self.match.events)
        rounds = [index for index, place in places.items() if place.level == 0]
        if not rounds:
            return self.since_choice(viewer)
        return min(self.since_choice(viewer), rounds[-2]) if len(rounds) > 1 else 0

    def news(self, viewer: int | None) -> list[Entry]:
        """What happened since this was last asked for the same viewer.

        Consecutive answers of one player are told together, once their consequences are known.
        """
        since, until = self.told.get(viewer, 0), settled_until(self.match, viewer)
        if until <= since:
            return []
        found = self.story(viewer, since, until)
        end = max((entry.until for entry in found if isinstance(entry, StoryLine)), default=since)
        # A heading is told with the first line below it.
        waiting = [n for n in place_headings(self.match.events) if end <= n < until]
        self.told[viewer] = min([until, *waiting])
        return found

    # ---- Keeping ----

    def save(self) -> Save:
        """The game as a save."""
        record = evolve(self._head, choices=tuple(self.match.choices))
        kinds = tuple(seat.kind for seat in self.seats)
        return Save(record, kinds, self.over, tell_open_scores(self.match))

    def keep(self) -> None:
        """Save the game as it stands; if that fails, the game goes on, and `trouble` says why."""
        save = self.save()
        lasting = evolve(save, record=evolve(save.record, game=self._rules))
        self.trouble = None
        for keeper, content in ((self.keeper, lasting), (self.recorder, save)):
            if keeper is not None:
                try:
                    keeper.keep(content)
                except OSError as error:
                    self.trouble = f"the game cannot be kept in {keeper.path}: {_reason(error)}"
        if self.over and self.keeper is not None:
            saves.forget_old()

    @property
    def pace(self) -> str | None:
        """How long people took for a decision, and the command that simulates it; None after too few decisions."""
        game = self.match.game
        name = self._rules if self.recorder is None else game.name
        words = [name, "--players", str(len(self.seats))]
        words += [word for variant in game.variants for word in ("--variant", variant)]
        words += [word for pair in game.settings for word in ("--set", "=".join(pair))]
        return tell_pace(self.stopwatch, shlex.join(words))

    @property
    def replay_command(self) -> str | None:
        """The command that replays the game; None if it is not saved."""
        kept = self.recorder or self.keeper
        if kept is None or self.trouble is not None:
            return None
        name = self._rules if self.recorder is None else self.match.game.name
        return replay_command(name, kept.path)


def _bot_seed(seed: int, purpose: str, seat: int, observed: int) -> int:
    digest = hashlib.sha256(f"{seed} {purpose} {seat} {observed}".encode()).digest()
    return int.from_bytes(digest[:8])


def _lasting(game: Game) -> str:
    """A name of the rules that works from any folder."""
    path = Path(game.program.entry.name).resolve()
    if not path.is_file():
        return game.name
    shipped = (loading.GAMES.resolve(), (loading.GAMES / "examples").resolve())
    return path.name if path.parent in shipped else str(path)


# ---- Beginning -----------------------------------------------------------------------------------


def begin(  # noqa: PLR0913 - what is known of a game before it begins
    game: Game,
    seats: Sequence[Seat],
    seed: int | None = None,
    first: int | None = None,
    *,
    keep: bool = True,
    record: Path | None = None,
) -> Session:
    """A new game, saved to disk from now on if `keep` is true."""
    match = game.start([seat.name for seat in seats], seed, first, always=True)
    session = Session(match, tuple(seats))
    keep_from_now(session, new_file(session) if keep else None, record)
    return session


def new_file(session: Session) -> Keeper | None:
    """A new file for a game, if one can be made."""
    try:
        return Keeper(saves.new_path(session.match.game.name))
    except OSError as error:
        session.trouble = f"the game cannot be kept: {_reason(error)}"
        return None


def keep_from_now(session: Session, keeper: Keeper | None, record: Path | None) -> None:
    """Save a game with a keeper, and also to the file `record` if there is one."""
    session.keeper = keeper
    session.recorder = None if record is None else Keeper(record, own=False)
    trouble = session.trouble
    session.keep()
    session.trouble = session.trouble or trouble


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()

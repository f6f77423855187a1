"""The table as a program: who is asked, what is answered, and what comes on the screen next."""

import asyncio
import contextlib
import shlex
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import WorkerFailed

from interpreter import saves
from interpreter import session as sessions
from interpreter.display_names import Listener
from interpreter.errors import IllegalMove, RuleFault
from interpreter.results import explain_result
from interpreter.session import Session
from interpreter.shown.audience import tell_waiting
from interpreter.shown.beats import find_beats
from interpreter.shown.hints import DANGER, tell_bot_advice
from interpreter.shown.picture import Scene, set_scene
from interpreter.shown.sights import current_sight, last_lines, past_sight
from rulespec import rendering
from rulespec.cli import FINE, WRONG_RULES, files
from rulespec.cli.table.answer_rows import Opinion, Opinions
from rulespec.cli.table.game_screen import GameScreen
from rulespec.cli.table.loss_warnings import LossWarnings, seek_warnings
from rulespec.cli.table.result_screen import ResultScreen
from rulespec.cli.table.rewind import Rewind, begin_rewind, step_back, step_on
from rulespec.cli.table.styles import DARK, LIGHT, preferred, themes
from rulespec.cli.table.text_screens import Curtain, FaultPage
from rulespec.diagnostics import Diagnostic
from rulespec.english import sentence

if TYPE_CHECKING:
    from interpreter.bots import Advice, Progress

PAUSE = 0.5  # seconds after a move of a bot, and as much again for every two sentences about it
LONGEST_PAUSE = 2.0
PACES = {"slow": 2.5, "normal": 1.0, "fast": 0.4, "no rest": 0.0}  # so many times as long
TICK = 0.1  # seconds between two looks at how far a bot has come


class TableApp(App[int]):
    """A session on a screen."""

    TITLE = "rulespec"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False  # a mouse points at cards, not at letters
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+c,ctrl+q", "leave", show=False, priority=True),
        Binding("p", "pause", show=False),
        Binding("t", "theme", show=False),
        Binding("s", "pace", show=False),
    ]

    session: Session
    scene: Scene

    def __init__(
        self, session: Session | None = None, pause: float = PAUSE, *, warns: bool = False
    ) -> None:
        super().__init__()
        self.warns = warns  # of choices that end the game and lose it
        self._warnings: LossWarnings | None = None
        self.is_seated = False  # there is a session
        self.pause = pause or PAUSE
        self.pace = "normal" if pause else "no rest"
        self.game_screen = GameScreen()
        self.is_asking = False  # there is a question on the screen, and no answer yet
        self.is_passing = False  # whoever has the screen may look until they pass it on
        self._answers: asyncio.Queue[int | None] = asyncio.Queue()
        self._go_on = asyncio.Event()
        self.is_paused = False  # bots wait until somebody wants to see more
        self._share = 0.0  # of a bot's time that is used up
        self._is_leaving = False
        self._hint: asyncio.Task[None] | None = None
        self._wants_hint = False
        self._wants_again = False
        self._read = 0  # events that were on the screen
        self._rewind: Rewind | None = None  # what is looked at again, if anything
        for theme in themes():
            self.register_theme(theme)
        self.theme = preferred()
        if session is not None:
            self.seat(session)

    def seat(self, session: Session) -> None:
        """Sit down to a game."""
        self.session = session
        self.scene = set_scene(session.match, next(iter(session.humans), 0))
        self.is_seated = True

    def get_default_screen(self) -> Screen[Any]:
        """Nothing is drawn before the main screen."""
        return self.game_screen

    def on_mount(self) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            # Whatever ends us, the terminal must be left as it was found.
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                asyncio.get_running_loop().add_signal_handler(number, self.action_leave)

    def on_ready(self) -> None:
        """The screen stands; if it is known what is played, the game may begin."""
        if self.is_seated:
            self.begin()

    def begin(self) -> None:
        """Play the game to which somebody has sat down."""
        self.set_interval(TICK, self._show_progress)
        self.run_worker(asyncio.to_thread(self.session.prepare))
        self.run_worker(self._conduct(), exit_on_error=True)

    # ---- The game ----

    async def _conduct(self) -> None:
        """From the first question to the result, and again."""
        try:
            await self._show_first()
            while True:
                while self.session.asked is not None:
                    await self._one_choice(self.session.asked)
                if await self._finish() == "again":
                    self._begin_again()
                    self._look()
        except RuleFault as fault:
            await self._confess(fault)

    async def _show_first(self) -> None:
        """Show the table before anybody thinks about it."""
        self._look()
        shown = asyncio.Event()
        self.call_after_refresh(shown.set)
        await shown.wait()

    async def _hand_over(self) -> None:
        """Draw a curtain if somebody else is to look at the screen."""
        name = self.session.passes_to
        if name is None:
            return
        await self._close_pages()
        await self._show_outcome(self.session.seats[name].name)
        curtain = Curtain(self.session.seats[name].name)
        await self.push_screen(curtain)
        self.game_screen.blank()
        await curtain.raised.wait()
        # Behind the curtain, so that nobody sees the table of the player before.
        self.session.take_screen()
        self._read = 0
        self._look()
        self.pop_screen()

    async def _show_outcome(self, name: str) -> None:
        """Let whoever has the screen see what came of the own move, until they pass it on."""
        if self.session.holder is None:
            return
        self._look()
        self.game_screen.wait(f"Enter hides this; then pass the screen to {name}", None)
        self._go_on.clear()
        self.is_passing = True
        await self._go_on.wait()
        self.is_passing = False
        await self._close_pages()

    async def _close_pages(self) -> None:
        """Nothing that was opened on the table stays open."""
        while self.screen is not self.game_screen:
            await self.pop_screen()

    def _look(self) -> None:
        """Show the table as it is now; all is new to somebody who is asked.

        Whatever is on the screen is live: a question can be answered as soon as it is seen.
        """
        self._rewind = None
        self.game_screen.pace = self.pace
        is_asked = self.session.asked == self.session.viewer
        sight = current_sight(self.session, self.scene, 0 if is_asked else self._read)
        self.is_asking = sight.offer is not None
        self.game_screen.show(sight)
        self._read = len(self.session.match.events)
        if self.session.trouble is not None:
            self.game_screen.say(self.session.trouble)
        if self.is_asking and self.warns and self._warnings is None:
            self._warnings = seek_warnings(self.session)

    async def _one_choice(self, seat: int) -> None:
        await self._hand_over()
        if self.session.is_human(seat):
            number = await self._answers.get()
            self._warnings = None
            await self._stop_hint()
            if number is None:
                self._take_back()
            elif self._choose(number):
                await self._show_beats()
            if self.session.passes_to is None:
                self._look()
            if self.session.over:
                await self._rest()
            return
        await self._hold()
        self.session.settle(await self._think(self.session.think))
        await self._show_beats()
        # What the next player may see, the one before the screen may not.
        if self.session.passes_to is None:
            self._look()
            await self._rest()

    def _choose(self, number: int) -> bool:
        try:
            self.session.choose(number)
        except IllegalMove as error:
            self.game_screen.say(f"{error}.")
            return False
        return True

    # ---- Beats ----

    async def _show_beats(self) -> None:
        """Show the moments of the last choice one by one, until somebody wants to go on."""
        if not PACES[self.pace]:
            return
        self.is_asking = False
        last = len(self.session.match.choices) - 1
        for beat in find_beats(self.session, self.scene, last):
            sight = past_sight(self.session, self.scene, beat, self._read)
            self.game_screen.show(sight)
            self._read = beat.until
            if await self._rest():
                return

    def action_pace(self) -> None:
        """Rest longer, or less, or not at all."""
        names = [*PACES]
        self.pace = self.game_screen.pace = names[(names.index(self.pace) + 1) % len(names)]
        self.game_screen.say(f"Pace: {self.pace}.")

    def action_past(self, step: int) -> None:
        """Look at the moment before, or at the next one; the game waits for an answer meanwhile."""
        if self._rewind is None:
            if step > 0 or not (self.is_asking or self.session.over):
                return
            self._rewind = begin_rewind(self.session, self.scene)
        beat = step_back(self._rewind) if step < 0 else step_on(self._rewind)
        if beat is not None:
            self.is_asking = False
            sight = past_sight(self.session, self.scene, beat, beat.until, again=True)
            self.game_screen.show(sight)
            self.game_screen.wait("Looking back at what happened", None)
        elif step < 0:
            self._rewind = self._rewind if self._rewind.beats else None
            self.game_screen.say("You may not look back further than this.")
        else:
            self._look()

    def _take_back(self) -> None:
        try:
            self.session.undo()
        except IllegalMove as error:
            self.game_screen.say(sentence(str(error)))
            return
        self._read = 0
        self.game_screen.say("Taken back.")

    async def _hold(self) -> None:
        """Wait while somebody has stopped the bots; each `space` lets one of them choose."""
        if self.is_paused:
            self.game_screen.wait("Paused: space shows one move, p goes on", None)
            self._go_on.clear()
            await self._go_on.wait()

    async def _rest(self) -> bool:
        """Leave time to see what happened; a question waits by itself. Whether somebody wants to go on at once."""
        sight = self.game_screen.sight
        if sight is None or sight.offer is not None:
            return False
        told = len(sight.story) - sight.new
        length = PACES[self.pace] * min(LONGEST_PAUSE, self.pause * (1 + told / 2))
        if not length or not (told or sight.is_past):
            return False
        self._go_on.clear()
        try:
            await asyncio.wait_for(self._go_on.wait(), length)
        except TimeoutError:
            return False
        return True

    async def _finish(self) -> str:
        """The result, and the table as often as somebody wants to see it."""
        await self._close_pages()
        self._read = 0
        self._look()
        match = self.session.match
        to = Listener(match.engine.layout, match.names)
        outcome = await asyncio.to_thread(explain_result, match, to)
        last = last_lines(self.game_screen.sight)
        while True:
            result_screen = ResultScreen(self.scene, match, outcome, last)
            if await self.push_screen_wait(result_screen) == "again":
                return "again"
            self._go_on.clear()
            await self._go_on.wait()
            if self._wants_again:
                self._wants_again = False
                return "again"

    def _begin_again(self) -> None:
        old = self.session
        record = old.recorder.path if old.recorder is not None else None
        keep = old.keeper is not None
        self.session = sessions.begin(old.match.game, old.seats, keep=keep, record=record)
        self._read = 0

    async def _confess(self, fault: RuleFault) -> None:
        """A rule that cannot go on: what is kept is the game before it."""
        diagnostic = rendering.render(Diagnostic(fault.code, fault.message, fault.span))
        kept = "The game is kept as it was before." if self.session.keeper is not None else ""
        page = FaultPage(diagnostic, f"Only the author of the rules can fix this. {kept}")
        await self._close_pages()
        await self.push_screen_wait(page)
        self.exit(WRONG_RULES)

    # ---- Bots ----

    async def _think(self, ask: "Callable[[Progress], Advice]") -> "Advice":
        """Let a bot think in a thread."""
        self.game_screen.wait(tell_waiting(self.session), None)
        try:
            return await asyncio.to_thread(ask, self._progress)
        finally:
            self._share = 0.0

    def _progress(self, share: float) -> bool:
        """Is told, in the thread, how far a bot has come."""
        self._share = share
        return not self._is_leaving and (self._hint is None or self._wants_hint)

    def _show_progress(self) -> None:
        if self._hint is not None:
            self.game_screen.say(f"Thinking about it: {self._share:.0%}")
        elif (
            self._share > 0
            and self.game_screen.sight is not None
            and self.game_screen.sight.offer is None
        ):
            self.game_screen.wait(self.game_screen.waiting, self._share)

    def action_hint(self) -> None:
        """Ask a bot."""
        if (
            self._hint is None
            and self.game_screen.sight is not None
            and self.game_screen.sight.offer is not None
        ):
            self._wants_hint = True
            self._share = 0.0
            self._hint = asyncio.create_task(self._give_hint())

    async def _give_hint(self) -> None:
        try:
            advice = await asyncio.to_thread(self.session.hint, self._progress)
        finally:
            self._hint = None
        if self._wants_hint:
            self.game_screen.say("")
            self.game_screen.think(opinions_of(advice), tell_bot_advice(self.session, advice))

    async def _stop_hint(self) -> None:
        self._wants_hint = False
        if self._hint is not None:
            await self._hint
            self.game_screen.say("")

    # ---- Keys ----

    @on(GameScreen.Answered)
    def on_answered(self, event: GameScreen.Answered) -> None:
        """A player has answered; what would lose the game at once must be meant."""
        if self.is_asking and self._warnings is not None and self._warnings.ask(event.number):
            self.game_screen.say(DANGER)
        else:
            self._answer(event.number)

    def _answer(self, number: int | None) -> None:
        # A key that is pressed twice answers one question, and not the next one, too.
        if self.is_asking:
            self.is_asking = False
            self._answers.put_nowait(number)

    @on(GameScreen.Skipped)
    def on_skipped(self) -> None:
        """Nobody needs to wait, or to look back any longer."""
        if self._rewind is not None:
            self._look()
        else:
            self._go_on.set()

    def action_pause(self) -> None:
        """Stop the bots before their next move, or let them go on."""
        if (
            self.game_screen.sight is None
            or self.game_screen.sight.offer is not None
            or self.session.over
        ):
            return
        if self.is_passing:
            return
        self.is_paused = not self.is_paused
        self.game_screen.say("Paused before the next move." if self.is_paused else "")
        self._go_on.set()

    def action_undo(self) -> None:
        """Take back the last choice."""
        self._answer(None)

    def action_again(self) -> None:
        """Another game, if this one is over."""
        if self.session.over:
            self._wants_again = True
            self._go_on.set()

    def action_theme(self) -> None:
        """Light or dark."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def action_leave(self) -> None:
        """Leave; everything is kept already."""
        self._is_leaving = True
        self.exit(FINE)

    def _fatal_error(self) -> None:
        """Our own bug: Textual would print all that every function knew, which is a whole game."""
        self._close_messages_no_wait()


def opinions_of(advice: "Advice") -> Opinions:
    """What a bot thinks, by option."""
    found = {
        each.number: Opinion(
            each.value if each.won is None else each.won, each.number == advice.choice
        )
        for each in advice.estimates
    }
    return found or {advice.choice: Opinion(None, is_best=True)}


def run(session: Session, *, warns: bool) -> int:
    """Play a session on the whole screen; the exit code."""
    return run_app(TableApp(session, warns=warns))


def run_app(app: TableApp) -> int:
    """The same with any such program."""
    code = app.run()
    if app.is_seated:
        tell_resume(app.session)
    error = app._exception  # noqa: SLF001 - Textual tells it to nobody else
    if error is not None:
        raise error.error if isinstance(error, WorkerFailed) else error
    return FINE if code is None else code


def tell_resume(session: Session) -> None:
    """How to go on another time, once the screen is gone; or how long people took, if it is over."""
    if session.over:
        if session.pace is not None:
            print(f"You took {session.pace}.")
        return
    if session.keeper is None or session.trouble is not None:
        files.complain(session.trouble or "this game is not kept")
        return
    path = session.keeper.path
    which = "" if path.parent == saves.saves_folder() else f" {shlex.quote(str(path))}"
    print(f"The game is saved. To go on type `rulespec play --resume{which}`.")

"""A session -> a game played line by line: what happened, the table, the question, numbered options, and an answer.

For a terminal that cannot show a whole screen, for a pipe, and for a screen reader. It prints only what the human who is
asked may see; all cards are open only if nobody but bots plays, or when the game is over.
"""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.errors import IllegalMove, RuleFault
from interpreter.lines import StoryLine
from interpreter.session import Session
from interpreter.shown.audience import tell_waiting
from interpreter.shown.hints import DANGER, tell_bot_advice
from interpreter.shown.picture import set_scene
from rulespec import rendering
from rulespec.cli import FINE, INTERRUPTED, WRONG_RULES, files, plain_output
from rulespec.cli.fault_reports import running_names
from rulespec.cli.plain_output import PlainTerminal
from rulespec.cli.typed_answers import TypedQuestion, Unclear, ask_typed, understand
from rulespec.diagnostics import Diagnostic
from rulespec.english import sentence

if TYPE_CHECKING:
    from interpreter.bots import Advice

MOST_ESTIMATES = 5  # options of which a hint tells
CURTAIN = 60  # lines

HELP = """\
  a number        choose that option; `#2` is always the second one
  its beginning   the same, if only one option begins like that
  ?               the rule behind the question
  log             what happened since your last choice
  why N           the rule behind line N of the log; `why` lists them all
  table           what lies where
  rules           the goal, a turn, points, and what ends the game
  hint            what a bot would choose in your place
  undo            take your last choice back, if you have learnt nothing since
  save            where the game is kept
  quit            leave; the game is kept"""


class _Left(Exception):  # noqa: N818 - it is no error
    """The input has ended, or somebody has typed `quit`."""


def play_plain(session: Session, *, warns: bool = False) -> int:
    """Play a game to its end, or to the end of input; the exit code."""
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            # What a terminal cannot show is no reason to stop.
            stream.reconfigure(errors="replace")
    is_screen = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    terminal = PlainTerminal(
        session,
        set_scene(session.match),
        is_typed=sys.stdin.isatty(),
        warns=warns,
        is_screen=is_screen,
        is_styled=is_screen and "NO_COLOR" not in os.environ,
    )
    try:
        plain_output.greet(terminal)
        while session.asked is not None:
            plain_output.tell_trouble(terminal)
            _go_on(terminal, session.asked)
        plain_output.tell_end(terminal)
    except _Left:
        plain_output.print_resume(terminal)
        return FINE
    except KeyboardInterrupt:
        # It may have come after a choice and before that was kept.
        session.keep()
        print()
        plain_output.print_resume(terminal)
        return INTERRUPTED
    except RuleFault as fault:
        code = tell_fault(fault)
        plain_output.print_resume(terminal)
        return code
    return FINE


def tell_fault(fault: RuleFault) -> int:
    """Print a fault of the rules with its place; the exit code."""
    sys.stdout.flush()
    notes = [f"in {running_names(fault.rules)}"] if fault.rules else []
    files.print_diagnostics([Diagnostic(fault.code, fault.message, fault.span)], notes)
    print("The rules cannot go on from here; only their author can fix this.", file=sys.stderr)
    return WRONG_RULES


# ---- The game ------------------------------------------------------------------------------------


def _go_on(terminal: PlainTerminal, asked: int) -> None:
    """One choice, of a bot or of a human."""
    session = terminal.session
    if not session.is_human(asked):
        plain_output.tell_news(terminal)
        advice = _think(terminal, session.think, tell_waiting(session))
        session.settle(advice)
        return
    if session.passes_to is not None:
        _hand_over(terminal)
    plain_output.tell_news(terminal)
    plain_output.print_table(terminal)
    _ask(terminal)


def _hand_over(terminal: PlainTerminal) -> None:
    """Pass the screen to another human; nobody sees what is meant for somebody else."""
    session = terminal.session
    seat, holder = session.passes_to, session.holder
    if seat is None:
        return
    name = session.seats[seat].name
    if terminal.is_typed:
        if holder is not None:
            plain_output.tell_news(terminal)
            _read(terminal, f"\n{session.seats[holder].name}, press Enter to hide this. ")
            _draw_curtain(terminal)
        _read(terminal, f"Pass to {name}, then press Enter. ")
    else:
        print(f"\nIt is the turn of {name}.")
    session.take_screen()
    terminal.table = {}


def _draw_curtain(terminal: PlainTerminal) -> None:
    # With what can be scrolled back to, where the terminal can do it.
    print("\033[2J\033[3J\033[H" if terminal.is_screen else "\n" * CURTAIN, end="", flush=True)


def _think(
    terminal: PlainTerminal,
    thinking: "Callable[[Callable[[float], bool]], Advice]",
    who: str = "thinking",
) -> "Advice":
    """Let a bot think, and show its progress."""

    def show(share: float) -> bool:
        if terminal.is_screen:
            print(f"\r\033[K{who} … {share:.0%}", end="", flush=True)
        return True

    try:
        return thinking(show)
    finally:
        if terminal.is_screen:
            print("\r\033[K", end="", flush=True)


# ---- Asking --------------------------------------------------------------------------------------


def _ask(terminal: PlainTerminal) -> None:
    """Ask until a human has chosen, or taken something back."""
    session = terminal.session
    decision = session.match.decision
    if decision is None:
        return
    offer = ask_typed(decision)
    plain_output.tell_offer(terminal, offer)
    warned: set[int] = set()
    while True:
        line = " ".join(_read(terminal, "> ").split())
        if not line:
            plain_output.tell_offer(terminal, offer)
            continue
        if line.casefold() == "undo":
            if _undo(terminal):
                return
            continue
        if _command(terminal, offer, line):
            continue
        try:
            meant = understand(offer, line)
        except Unclear as unclear:
            plain_output.print_wrapped(sentence(str(unclear)))
            continue
        if isinstance(meant, TypedQuestion):
            offer = meant
            plain_output.tell_offer(terminal, offer)
            continue
        if _is_warned(terminal, meant, warned):
            plain_output.print_wrapped(DANGER)
            continue
        session.choose(meant)
        return


def _is_warned(terminal: PlainTerminal, number: int, warned: set[int]) -> bool:
    """Whether to ask for confirmation: once for each option, and only if somebody types."""
    if not (terminal.warns and terminal.is_typed) or number in warned:
        return False
    warned.add(number)
    return number in terminal.session.seek_dangers()()


def _read(terminal: PlainTerminal, prompt: str) -> str:
    try:
        line = input(prompt)
    except (EOFError, OSError, RuntimeError):  # the last two: there is no input, or no more
        print()
        raise _Left from None
    if not terminal.is_typed:
        print(rendering.printable(line))
    return line


def _undo(terminal: PlainTerminal) -> bool:
    try:
        terminal.session.undo()
    except IllegalMove as error:
        plain_output.print_wrapped(sentence(str(error)))
        return False
    print("Taken back.")
    return True


def _command(terminal: PlainTerminal, offer: TypedQuestion, line: str) -> bool:
    """Run a command such as `why` or `log`; whether the line was one."""
    word, _, rest = line.casefold().partition(" ")
    match word:
        case "?":
            plain_output.print_reason(terminal, offer.decision.origin)
        case "help" if not rest:
            print(HELP)
        case "why" if not rest or rest.isdecimal():
            _why(terminal, rest)
        case "table" if not rest:
            plain_output.print_table(terminal, again=True)
        case "rules" if not rest:
            plain_output.tell_game(terminal)
        case "log" if not rest:
            plain_output.tell_log(terminal)
        case "hint" if not rest:
            _hint(terminal, offer)
        case "save" if not rest:
            plain_output.tell_kept(terminal)
        case "quit" | "exit" if not rest:
            raise _Left
        case _:
            return False
    return True


# ---- Words ---------------------------------------------------------------------------------------


def _why(terminal: PlainTerminal, word: str) -> None:
    found = plain_output.recent_story(terminal)
    if word and not 1 <= int(word) <= len(found):
        print(f"  the log has no line {word}; `log` shows it")
        return
    wanted = [int(word)] if word else range(1, len(found) + 1)
    for number in wanted:
        item = found[number - 1]
        plain_output.print_wrapped(item.text, f"  {number:>3}  ", " " * 7)
        for each in item.details if isinstance(item, StoryLine) and word else ():
            plain_output.print_wrapped(each.text, " " * 7 + "· ", " " * 9)
        plain_output.print_reason(terminal, item.origin, " " * 7)


def _hint(terminal: PlainTerminal, offer: TypedQuestion) -> None:
    """What a bot would do, which knows no more than the player."""
    advice = _think(terminal, terminal.session.hint)
    plain_output.print_wrapped(tell_bot_advice(terminal.session, advice), "  ")
    for each in advice.estimates[:MOST_ESTIMATES]:
        share = each.value if each.won is None else each.won
        plain_output.print_wrapped(f"{share:4.0%}  {_named(offer, each.number)}", "    ", " " * 10)
    if advice.games:
        guesses = f", with {advice.worlds:,} guesses at what is hidden" if advice.worlds else ""
        plain_output.print_wrapped(f"(from {advice.games:,} imagined games{guesses})", "  ")


def _named(offer: TypedQuestion, number: int) -> str:
    """An option as the list shows it."""
    text = offer.decision.text(number)
    key = next(
        (item.key for item in offer.items if offer.picked is None and item.value == number), text
    )
    return text if key == text else f"{key} {text}"

"""A game line by line: what happened, the table, the question, numbered options, and an answer.

For a terminal without a whole screen, for a pipe, and for ears. Whatever is printed is what the human who
is asked may see; only where nobody but bots plays, or the game is over, the cards lie open.
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
from rulespec.cli import FINE, INTERRUPTED, WRONG_RULES, files, speech
from rulespec.cli.fault_reports import running_names
from rulespec.cli.speech import Talk
from rulespec.cli.typed_answers import TypedQuestion, Unclear, make_offer, understand
from rulespec.diagnostics import Diagnostic

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
    """There is no more input, or somebody has typed `quit`."""


def play(session: Session, *, warns: bool = False) -> int:
    """Play a game to its end, or to the end of input; the exit code."""
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            # What a terminal cannot show is no reason to stop.
            stream.reconfigure(errors="replace")
    is_screen = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    talk = Talk(
        session,
        set_scene(session.match),
        is_typed=sys.stdin.isatty(),
        warns=warns,
        is_screen=is_screen,
        is_styled=is_screen and "NO_COLOR" not in os.environ,
    )
    try:
        speech.greet(talk)
        while session.asked is not None:
            speech.tell_trouble(talk)
            _go_on(talk, session.asked)
        speech.tell_end(talk)
    except _Left:
        speech.print_resume(talk)
        return FINE
    except KeyboardInterrupt:
        # It may have come after a choice and before that was kept.
        session.keep()
        print()
        speech.print_resume(talk)
        return INTERRUPTED
    except RuleFault as fault:
        code = tell_fault(fault)
        speech.print_resume(talk)
        return code
    return FINE


def tell_fault(fault: RuleFault) -> int:
    """A rule that cannot go on: its author's fault, with its place."""
    sys.stdout.flush()
    notes = [f"in {running_names(fault.rules)}"] if fault.rules else []
    files.print_diagnostics([Diagnostic(fault.code, fault.message, fault.span)], notes)
    print("The rules cannot go on from here; only their author can fix this.", file=sys.stderr)
    return WRONG_RULES


# ---- The game ------------------------------------------------------------------------------------


def _go_on(talk: Talk, asked: int) -> None:
    """One choice, of a bot or of a human."""
    session = talk.session
    if not session.is_human(asked):
        speech.tell_news(talk)
        advice = _think(talk, session.think, tell_waiting(session))
        session.settle(advice)
        return
    if session.passes_to is not None:
        _hand_over(talk)
    speech.tell_news(talk)
    speech.print_table(talk)
    _ask(talk)


def _hand_over(talk: Talk) -> None:
    """The screen goes to another human, and nobody sees what is for somebody else."""
    session = talk.session
    seat, holder = session.passes_to, session.holder
    if seat is None:
        return
    name = session.seats[seat].name
    if talk.is_typed:
        if holder is not None:
            speech.tell_news(talk)
            _read(talk, f"\n{session.seats[holder].name}, press Enter to hide this. ")
            _draw_curtain(talk)
        _read(talk, f"Pass to {name}, then press Enter. ")
    else:
        print(f"\nIt is the turn of {name}.")
    session.take_screen()
    talk.table = {}


def _draw_curtain(talk: Talk) -> None:
    # With what can be scrolled back to, where the terminal can do it.
    print("\033[2J\033[3J\033[H" if talk.is_screen else "\n" * CURTAIN, end="", flush=True)


def _think(
    talk: Talk, thinking: "Callable[[Callable[[float], bool]], Advice]", who: str = "thinking"
) -> "Advice":
    """Let a bot think, and show how far it is."""

    def show(share: float) -> bool:
        if talk.is_screen:
            print(f"\r\033[K{who} … {share:.0%}", end="", flush=True)
        return True

    try:
        return thinking(show)
    finally:
        if talk.is_screen:
            print("\r\033[K", end="", flush=True)


# ---- Asking --------------------------------------------------------------------------------------


def _ask(talk: Talk) -> None:
    """Ask until a human has chosen, or taken something back."""
    session = talk.session
    decision = session.match.decision
    if decision is None:
        return
    offer = make_offer(decision)
    speech.tell_offer(talk, offer)
    warned: set[int] = set()
    while True:
        line = " ".join(_read(talk, "> ").split())
        if not line:
            speech.tell_offer(talk, offer)
            continue
        if line.casefold() == "undo":
            if _undo(talk):
                return
            continue
        if _command(talk, offer, line):
            continue
        try:
            meant = understand(offer, line)
        except Unclear as unclear:
            speech.print_wrapped(speech.sentence(str(unclear)))
            continue
        if isinstance(meant, TypedQuestion):
            offer = meant
            speech.tell_offer(talk, offer)
            continue
        if _is_warned(talk, meant, warned):
            speech.print_wrapped(DANGER)
            continue
        session.choose(meant)
        return


def _is_warned(talk: Talk, number: int, warned: set[int]) -> bool:
    """Whether to ask if that is meant: once, and only somebody who types."""
    if not (talk.warns and talk.is_typed) or number in warned:
        return False
    warned.add(number)
    return number in talk.session.seek_dangers()()


def _read(talk: Talk, prompt: str) -> str:
    try:
        line = input(prompt)
    except (EOFError, OSError, RuntimeError):  # the last two: there is no input, or no more
        print()
        raise _Left from None
    if not talk.is_typed:
        print(rendering.printable(line))
    return line


def _undo(talk: Talk) -> bool:
    try:
        talk.session.undo()
    except IllegalMove as error:
        speech.print_wrapped(speech.sentence(str(error)))
        return False
    print("Taken back.")
    return True


def _command(talk: Talk, offer: TypedQuestion, line: str) -> bool:
    """Do what a word says that is no answer; whether it was such a word."""
    word, _, rest = line.casefold().partition(" ")
    match word:
        case "?":
            speech.print_reason(talk, offer.decision.origin)
        case "help" if not rest:
            print(HELP)
        case "why" if not rest or rest.isdecimal():
            _why(talk, rest)
        case "table" if not rest:
            speech.print_table(talk, again=True)
        case "rules" if not rest:
            speech.tell_game(talk)
        case "log" if not rest:
            speech.tell_log(talk)
        case "hint" if not rest:
            _hint(talk, offer)
        case "save" if not rest:
            speech.tell_kept(talk)
        case "quit" | "exit" if not rest:
            raise _Left
        case _:
            return False
    return True


# ---- Words ---------------------------------------------------------------------------------------


def _why(talk: Talk, word: str) -> None:
    found = speech.recent(talk)
    if word and not 1 <= int(word) <= len(found):
        print(f"  the log has no line {word}; `log` shows it")
        return
    wanted = [int(word)] if word else range(1, len(found) + 1)
    for number in wanted:
        item = found[number - 1]
        speech.print_wrapped(item.text, f"  {number:>3}  ", " " * 7)
        for each in item.details if isinstance(item, StoryLine) and word else ():
            speech.print_wrapped(each.text, " " * 7 + "· ", " " * 9)
        speech.print_reason(talk, item.origin, " " * 7)


def _hint(talk: Talk, offer: TypedQuestion) -> None:
    """What a bot would do, which knows no more than the player."""
    advice = _think(talk, talk.session.hint)
    speech.print_wrapped(tell_bot_advice(talk.session, advice), "  ")
    for each in advice.estimates[:MOST_ESTIMATES]:
        share = each.value if each.won is None else each.won
        speech.print_wrapped(f"{share:4.0%}  {_named(offer, each.number)}", "    ", " " * 10)
    if advice.games:
        guesses = f", with {advice.worlds:,} guesses at what is hidden" if advice.worlds else ""
        speech.print_wrapped(f"(from {advice.games:,} imagined games{guesses})", "  ")


def _named(offer: TypedQuestion, number: int) -> str:
    """An option as it stands in the list."""
    text = offer.decision.text(number)
    key = next(
        (item.key for item in offer.items if offer.picked is None and item.value == number), text
    )
    return text if key == text else f"{key} {text}"

"""A game line by line: what happened, the table, the question, numbered options, and an answer.

For a terminal without a whole screen, for a pipe, and for ears. Whatever is printed is what the human who
is asked may see; only where nobody but bots plays, or the game is over, the cards lie open.
"""

import os
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import define, field

from interpreter import saves
from interpreter.bots import Advice
from interpreter.errors import IllegalMove, RuleFault
from interpreter.machine import Result, Score
from interpreter.session import Session, best_kind
from interpreter.telling import YOU, Listener, Sentence, tell_table
from rulespec import rendering
from rulespec.cli import FINE, INTERRUPTED, WRONG_RULES, files
from rulespec.cli.failures import running
from rulespec.cli.replies import Item, Offer, Unclear, make_offer, thing_text, understand
from rulespec.cli.table.booklet import clauses_of
from rulespec.cli.table.picture import Scene, set_scene
from rulespec.diagnostics import Diagnostic
from rulespec.lowering.code import Origin
from rulespec.source import locate

MOST_ESTIMATES = 5  # options of which a hint tells
MOST_IN_COLUMN = 12  # options that are listed one a line
MOST_ON_TABLE = 60  # different pieces of a zone
CURTAIN = 60  # lines
_BLANK = "\x00"  # where no line is broken
IDLE = {"no", "none", "nothing"}  # what a variable says that says nothing

HELP = """\
  a number        choose that option; `#2` is always the second one
  its beginning   the same, as far as it is clear
  ?               the rule behind the question
  log             what happened since your last choice
  why N           the rule behind line N of the log; `why` tells them all
  table           what lies where
  hint            what a bot would choose in your place
  undo            take your last choice back, if nobody has learnt anything since
  save            where the game is kept
  quit            leave; the game is kept"""


class _Left(Exception):  # noqa: N818 - it is no error
    """There is no more input, or somebody has typed `quit`."""


@define
class _Talk:
    """A session, and how to speak to whoever sits at the terminal."""

    session: Session
    scene: Scene
    typed: bool  # by somebody at a keyboard
    styled: bool
    table: dict[str, str] = field(factory=dict)  # as it was last printed
    trouble: str | None = None  # as it was last told


def play(session: Session) -> int:
    """Play a game to its end, or to the end of input; the exit code."""
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            # What a terminal cannot show is no reason to stop.
            stream.reconfigure(errors="replace")
    can_style = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    styled = can_style and "NO_COLOR" not in os.environ
    talk = _Talk(session, set_scene(session.match), sys.stdin.isatty(), styled)
    try:
        _greet(talk)
        while session.asked is not None:
            _tell_trouble(talk)
            _go_on(talk, session.asked)
        _tell_end(talk)
    except _Left:
        _tell_where(talk)
        return FINE
    except KeyboardInterrupt:
        print()
        _tell_where(talk)
        return INTERRUPTED
    except RuleFault as fault:
        code = tell_fault(fault)
        _tell_where(talk)
        return code
    return FINE


def tell_fault(fault: RuleFault) -> int:
    """A rule that cannot go on: its author's fault, with its place."""
    sys.stdout.flush()
    notes = [f"in {running(fault.rules)}"] if fault.rules else []
    files.tell([Diagnostic(fault.code, fault.message, fault.span)], notes)
    print("The rules cannot go on from here; this is for their author to mend.", file=sys.stderr)
    return WRONG_RULES


# ---- The game ------------------------------------------------------------------------------------


def _go_on(talk: _Talk, asked: int) -> None:
    """One choice, of a bot or of a human."""
    session = talk.session
    if not session.is_human(asked):
        _tell_news(talk)
        advice = _think(talk, session.think)
        session.settle(advice)
        return
    if session.passes_to is not None:
        _hand_over(talk)
    _tell_news(talk)
    _tell_table(talk)
    _ask(talk)


def _greet(talk: _Talk) -> None:
    session = talk.session
    match = session.match
    game = match.game
    chosen = [*game.variants, *(f"{name} = {value}" for name, value in game.settings)]
    print(_bold(talk, game.code.title + (f" with {', '.join(chosen)}" if chosen else "")))
    seats = (
        seat.name if session.is_human(number) else f"{seat.name} ({seat.kind})"
        for number, seat in enumerate(session.seats)
    )
    _print(f"{', '.join(seats)}; seed {match.seed}")
    # What happened before anybody had a choice is to be seen on the table, and `log` tells it.
    setup = match.marks[0] if match.marks else len(match.events)
    for seat in session.humans:
        session.told[seat] = max(setup, session.since_choice(seat))
    if session.humans:
        print("Answer with the number of an option; `help` tells what else you can type.")


def _hand_over(talk: _Talk) -> None:
    """The screen goes to another human, and nobody sees what is for somebody else."""
    session = talk.session
    seat, holder = session.passes_to, session.holder
    if seat is None:
        return
    name = session.seats[seat].name
    if talk.typed:
        if holder is not None:
            _tell_news(talk)
            _read(talk, f"\n{session.seats[holder].name}, press Enter to hide this. ")
            _draw_curtain(talk)
        _read(talk, f"Pass to {name}, then press Enter. ")
    else:
        print(f"\nIt is the turn of {name}.")
    session.take_screen()
    talk.table = {}


def _draw_curtain(talk: _Talk) -> None:
    # With what can be scrolled back to, where the terminal can do it.
    print("\033[2J\033[3J\033[H" if talk.styled else "\n" * CURTAIN, end="", flush=True)


def _think(talk: _Talk, thinking: Callable[[Callable[[float], bool]], Advice]) -> Advice:
    """Let a bot think, and show how far it is."""

    def show(share: float) -> bool:
        if talk.styled:
            print(f"\r\033[Kthinking … {share:.0%}", end="", flush=True)
        return True

    try:
        return thinking(show)
    finally:
        if talk.styled:
            print("\r\033[K", end="", flush=True)


# ---- Asking --------------------------------------------------------------------------------------


def _ask(talk: _Talk) -> None:
    """Ask until a human has chosen, or taken something back."""
    session = talk.session
    decision = session.match.decision
    if decision is None:
        return
    offer = make_offer(decision)
    _tell_offer(talk, offer)
    while True:
        line = " ".join(_read(talk, "> ").split())
        if not line:
            _tell_offer(talk, offer)
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
            _print(f"{_sentence(str(unclear))}")
            continue
        if isinstance(meant, Offer):
            offer = meant
            _tell_offer(talk, offer)
            continue
        session.choose(meant)
        return


def _read(talk: _Talk, prompt: str) -> str:
    try:
        line = input(prompt)
    except (EOFError, OSError, RuntimeError):  # the last two: there is no input, or no more
        print()
        raise _Left from None
    if not talk.typed:
        print(rendering.printable(line))
    return line


def _tell_offer(talk: _Talk, offer: Offer) -> None:
    session = talk.session
    decision = offer.decision
    name = f"{session.seats[decision.player].name}: " if len(session.humans) > 1 else ""
    print()
    for line in textwrap.wrap(f"{name}{_said(talk, decision.prompt)}", _width()):
        print(_bold(talk, line))
    _list(offer.items, is_numeric=offer.is_numeric)
    more = len(decision.options) - len(offer.items)
    if offer.picked is not None:
        _tell_picked(offer)
    elif more:
        print(f"  … {more:,} more: type the number of one")


def _tell_picked(offer: Offer) -> None:
    picked, decision = offer.picked, offer.decision
    if picked is None:
        return
    texts = [thing_text(decision, each) for each in picked.chosen]
    told = f"Picked: {', '.join(texts)}. `back` puts the last one back." if texts else ""
    many = "" if texts else "Pick one by one, or several at once, such as `1 2`."
    done = "`done` takes " + ("these" if texts else "none") + "." if picked.is_complete else ""
    decline = f"`{decision.decline}` declines." if decision.may and not texts else ""
    _print(" ".join(part for part in (told, many, done, decline) if part), "  ")


def _list(items: Sequence[Item], *, is_numeric: bool) -> None:
    """Options one a line, or in columns if there are many; numbers in a row."""
    if is_numeric:
        texts = [
            item.text if item.key == item.text else f"{item.key} {item.text}" for item in items
        ]
        _print(" | ".join(texts), "  ")
        return
    wide = len(str(len(items)))
    texts = [f"{item.key:>{wide}}  {item.text}" for item in items]
    column = max((len(text) for text in texts), default=0) + 3
    across = max(1, (_width() - 2) // column) if len(texts) > MOST_IN_COLUMN else 1
    down = -(-len(texts) // across)
    for row in range(down):
        print("  " + "".join(f"{text:{column}}" for text in texts[row::down]).rstrip())


def _undo(talk: _Talk) -> bool:
    try:
        talk.session.undo()
    except IllegalMove as error:
        _print(_sentence(_said(talk, str(error))))
        return False
    print("Taken back.")
    return True


def _command(talk: _Talk, offer: Offer, line: str) -> bool:
    """Do what a word says that is no answer; whether it was such a word."""
    word, _, rest = line.casefold().partition(" ")
    match word:
        case "?":
            _explain(talk, offer.decision.origin)
        case "help" if not rest:
            print(HELP)
        case "why" if not rest or rest.isdecimal():
            _why(talk, rest)
        case "table" if not rest:
            _tell_table(talk, again=True)
        case "log" if not rest:
            _tell_log(talk)
        case "hint" if not rest:
            _hint(talk, offer)
        case "save" if not rest:
            _tell_kept(talk)
        case "quit" | "exit" if not rest:
            raise _Left
        case _:
            return False
    return True


# ---- Words ---------------------------------------------------------------------------------------


def _explain(talk: _Talk, origin: Origin, indent: str = "  ") -> None:
    """The rule behind something: its sentence with its clauses, or what is said of these elsewhere."""
    if origin.sentence is not None:
        cites = " ".join(f"@{clause}" for clause in origin.cites)
        _print(f"{cites} {origin.sentence}".strip(), indent)
    else:
        for clause in clauses_of(talk.scene.booklet, origin.cites):
            _print(f"@{clause.name} {' '.join(clause.texts) or clause.section}".strip(), indent)
    source, start = origin.span.source, locate(origin.span)[0]
    _print(f"rule {origin.rule}, {Path(source.name).name}:{start.line}", indent)


def _recent(talk: _Talk) -> list[Sentence]:
    """What may be looked up: further back the players have to remember."""
    session = talk.session
    viewer = session.viewer
    return session.sentences(viewer, session.since_choice(viewer))


def _tell_log(talk: _Talk) -> None:
    found = _recent(talk)
    if not found:
        print("  nothing has happened yet")
    for number, sentence in enumerate(found, 1):
        _print(_said(talk, sentence.text), f"  {number:>3}  ", " " * 7)


def _why(talk: _Talk, word: str) -> None:
    found = _recent(talk)
    if word and not 1 <= int(word) <= len(found):
        print(f"  the log has no line {word}; `log` shows it")
        return
    wanted = [int(word)] if word else range(1, len(found) + 1)
    for number in wanted:
        _print(_said(talk, found[number - 1].text), f"  {number:>3}  ", " " * 7)
        _explain(talk, found[number - 1].origin, " " * 7)


def _hint(talk: _Talk, offer: Offer) -> None:
    """What a bot would do, which knows no more than the player."""
    kind = best_kind()
    if kind == "random":
        print("  There is no bot to ask that thinks.")
        return
    advice = _think(talk, talk.session.hint)
    _print(f"{kind} would choose {_named(offer, advice.choice)}", "  ")
    for each in advice.estimates[:MOST_ESTIMATES]:
        _print(f"{each.value:4.0%}  {_named(offer, each.number)}", "    ", " " * 10)
    if advice.games:
        guesses = f", in {advice.worlds:,} guesses what is hidden" if advice.worlds else ""
        _print(f"(games won of {advice.games:,} played out in thought{guesses})", "  ")


def _named(offer: Offer, number: int) -> str:
    """An option as it stands in the list."""
    text = offer.decision.text(number)
    key = next(
        (item.key for item in offer.items if offer.picked is None and item.value == number), text
    )
    return text if key == text else f"{key} {text}"


def _tell_kept(talk: _Talk) -> None:
    session = talk.session
    if session.keeper is None or session.trouble is not None:
        _print(_sentence(session.trouble or "this game is not kept"))
    else:
        print(f"After every choice the game is kept in\n  {session.keeper.path}")
    if session.recorder is not None:
        print(f"and recorded in\n  {session.recorder.path}")


# ---- Telling -------------------------------------------------------------------------------------


def _tell_trouble(talk: _Talk) -> None:
    if talk.session.trouble not in (None, talk.trouble):
        files.complain(talk.session.trouble)
    talk.trouble = talk.session.trouble


def _tell_news(talk: _Talk) -> None:
    """What happened since the viewer last read; nothing as long as nobody has the screen."""
    session = talk.session
    if session.holder is None and session.humans and not session.over:
        return
    for sentence in session.news(session.holder):
        _print(_sentence(_said(talk, sentence.text)), hanging="    ")


def _said(talk: _Talk, text: str) -> str:
    """As people say it: `your hand` and not `hand[You]`."""
    turn = re.fullmatch("active is now (.+)", text)
    if turn is not None:
        return "it is your turn" if turn[1] == YOU else f"it is the turn of {turn[1]}"
    return talk.scene.plain(text)


def _tell_table(talk: _Talk, *, again: bool = False) -> None:
    """What lies where; in the middle of a turn only what is new."""
    session = talk.session
    match = session.match
    to = Listener(match.engine.layout, match.names, session.viewer, MOST_ON_TABLE)
    rows = {
        _said(talk, name): text
        for name, text in tell_table(to, match.engine, match.state)
        if text not in IDLE
    }
    told = rows
    is_own = bool(match.choices) and session.asked is not None
    is_own = is_own and match.choices[-1].player == match.names[session.asked or 0]
    if talk.table and is_own and not again:
        gone = {name: "nothing" for name in talk.table if name not in rows}
        told = {name: text for name, text in rows.items() if talk.table.get(name) != text} | gone
    talk.table = rows
    if told:
        print()
    width = min(max(map(len, told), default=0), 30)
    for name, text in told.items():
        # Lines are broken between pieces, and not within their names.
        whole = ", ".join(each.replace(" ", _BLANK) for each in text.split(", "))
        _print(whole, f"  {name:{width}}  ", " " * (width + 4))


def _tell_end(talk: _Talk) -> None:
    """The last events, the open table, and who has won why."""
    session = talk.session
    match = session.match
    _tell_news(talk)
    _tell_trouble(talk)
    _tell_table(talk, again=True)
    result = match.result()
    names = " and ".join(match.names[seat] for seat in result.winners)
    wins = "win" if len(result.winners) > 1 or names == YOU else "wins"
    print(f"\n{_bold(talk, f'The game is over: {names} {wins}.')}")
    for seat in sorted(range(len(match.names)), key=lambda seat: result.places[seat]):
        scores = ", ".join(
            f"{_title(score)} {'none' if score.value is None else score.value}"
            for score in result.scores[seat]
        )
        _print(f"{result.places[seat]}. {match.names[seat]}: {scores}", "  ", " " * 5)
    _tell_ranking(talk, result)
    kept = session.recorder or session.keeper
    if kept is not None and session.trouble is None:
        print(f"To see it again type `rulespec replay {shlex.quote(str(kept.path))}`.")


def _tell_ranking(talk: _Talk, result: Result) -> None:
    for score in result.scores[0]:
        wins = "most" if score.most_wins else "fewest"
        _print(f"{_title(score)}: the {wins} wins", "  ")
        _explain(talk, score.origin, " " * 5)


def _title(score: Score) -> str:
    """What is counted, without the player for whom it is: `score` and not `score(p)`."""
    return re.sub(r"\(p\)|\[p\]", "", score.title)


def _tell_where(talk: _Talk) -> None:
    """How to go on another time."""
    session = talk.session
    keeper = session.keeper
    if keeper is None or session.trouble is not None:
        files.complain(session.trouble or "this game is not kept")
        return
    is_usual = keeper.path.parent == saves.folder()
    which = "" if is_usual else f" {shlex.quote(str(keeper.path))}"
    print(f"The game is kept. To go on type `rulespec play --resume{which}`.")


# ---- Lines ---------------------------------------------------------------------------------------


def _width() -> int:
    return max(40, min(shutil.get_terminal_size().columns, 100))


def _print(text: str, indent: str = "", hanging: str | None = None) -> None:
    """A text that may be longer than a line."""
    rest = indent if hanging is None else hanging
    filled = textwrap.fill(
        text, _width(), initial_indent=indent, subsequent_indent=rest, break_on_hyphens=False
    )
    print(filled.replace(_BLANK, " ") or indent)


def _bold(talk: _Talk, text: str) -> str:
    return f"\033[1m{text}\033[0m" if talk.styled else text


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"

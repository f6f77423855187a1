"""A session -> printed lines for the player at the terminal, with nothing that this player may not see.

All cards are open only if nobody but bots plays, or when the game is over. Zones and variables have the names that people
use, and no line is wider than the terminal.
"""

import shlex
import shutil
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import assert_never

from attrs import define, field

from interpreter import saves
from interpreter.display_names import Listener
from interpreter.headings import Heading
from interpreter.lines import StoryLine
from interpreter.results import explain_result
from interpreter.session import Session
from interpreter.shown.booklet import clauses_of
from interpreter.shown.picture import Scene
from interpreter.shown.reference import lay_reference, make_reference
from interpreter.shown.result_lines import lay_outcome
from interpreter.story import Entry
from interpreter.tabletop import tell_table as table_rows
from rulespec.cli import files
from rulespec.cli.typed_answers import TypedItem, TypedQuestion, thing_text
from rulespec.core.tree import Origin
from rulespec.english import sentence
from rulespec.source import locate

MOST_IN_COLUMN = 12  # options that are listed one a line
MOST_ON_TABLE = 60  # different pieces of a zone
IDLE = {"no", "none", "nothing"}  # what a variable says that says nothing
_BLANK = "\x00"  # where no line is broken


@define
class PlainTerminal:
    """A session at a terminal that prints line by line: what the terminal can do, and what was printed last."""

    session: Session
    scene: Scene
    is_typed: bool  # somebody types at a keyboard
    is_screen: bool  # lines can be overwritten
    is_styled: bool
    table: dict[str, str] = field(factory=dict)  # as it was last printed
    trouble: str | None = None  # as it was last told
    warns: bool = False  # of choices that end the game and lose it


# ---- The game ------------------------------------------------------------------------------------


def greet(terminal: PlainTerminal) -> None:
    """Print the game, its players and its goal."""
    session = terminal.session
    match = session.match
    game = match.game
    chosen = [*game.variants, *(f"{name} = {value}" for name, value in game.settings)]
    print(_bold(terminal, game.code.title + (f" with {', '.join(chosen)}" if chosen else "")))
    seats = (
        seat.name if session.is_human(number) else f"{seat.name} ({seat.kind})"
        for number, seat in enumerate(session.seats)
    )
    print_wrapped(f"{', '.join(seats)}; seed {match.seed}")
    if game.code.blurb.goal is not None:
        print_wrapped(game.code.blurb.goal)
    # What happened before anybody had a choice is to be seen on the table, and `log` tells it.
    setup = match.marks[0] if match.marks else len(match.events)
    for seat in session.humans:
        session.told[seat] = max(setup, session.since_choice(seat))
    if session.humans:
        print("Answer with the number of an option; `help` shows what else you can type.")


def tell_news(terminal: PlainTerminal) -> None:
    """Print what happened since the viewer last read; nothing while nobody has the screen."""
    session = terminal.session
    if session.holder is None and session.humans and not session.over:
        return
    for each in session.news(session.holder):
        match each:
            case Heading(text=text):
                print(_bold(terminal, text))
            case StoryLine(text=text):
                print_wrapped(text, hanging="    ")
            case _:
                assert_never(each)


def recent_story(terminal: PlainTerminal) -> list[Entry]:
    """The part of the story that a player may look up; what is older the players must remember."""
    session = terminal.session
    viewer = session.viewer
    return session.story(viewer, session.look_back(viewer))


def tell_log(terminal: PlainTerminal) -> None:
    """Print the recent story with a number before each line, for `why N`."""
    found = recent_story(terminal)
    if not found:
        print("  nothing has happened yet")
    for number, each in enumerate(found, 1):
        print_wrapped(each.text, f"  {number:>3}  ", " " * 7)


def print_table(terminal: PlainTerminal, *, again: bool = False) -> None:
    """Print what lies where; in the middle of a turn only what has changed."""
    session = terminal.session
    match = session.match
    to = Listener(match.engine.layout, match.names, session.viewer, MOST_ON_TABLE)
    rows = {
        name: text for name, text in table_rows(to, match.engine, match.state) if text not in IDLE
    }
    told = rows
    is_own = bool(match.choices) and session.asked is not None
    is_own = is_own and match.choices[-1].player == match.names[session.asked or 0]
    if terminal.table and is_own and not again:
        gone = {name: "nothing" for name in terminal.table if name not in rows}
        told = {
            name: text for name, text in rows.items() if terminal.table.get(name) != text
        } | gone
    terminal.table = rows
    if told:
        print()
    width = min(max(map(len, told), default=0), 30)
    for name, text in told.items():
        # Lines are broken between pieces, and not within their names.
        whole = ", ".join(each.replace(" ", _BLANK) for each in text.split(", "))
        print_wrapped(whole, f"  {name:{width}}  ", " " * (width + 4))


def tell_game(terminal: PlainTerminal) -> None:
    """Print what a player should know: goal, turn, points, end."""
    for title, lines in lay_reference(make_reference(terminal.scene)):
        print(f"\n{_bold(terminal, title)}" if title else "")
        for line in lines:
            print_wrapped(line, "  ")


def tell_trouble(terminal: PlainTerminal) -> None:
    """Print once why the game is not saved."""
    if terminal.session.trouble not in (None, terminal.trouble):
        files.complain(terminal.session.trouble)
    terminal.trouble = terminal.session.trouble


# ---- The question --------------------------------------------------------------------------------


def tell_offer(terminal: PlainTerminal, offer: TypedQuestion) -> None:
    """Print the question and its options."""
    session = terminal.session
    decision = offer.decision
    name = f"{session.seats[decision.player].name}: " if len(session.humans) > 1 else ""
    print()
    for line in textwrap.wrap(f"{name}{decision.prompt}", _width()):
        print(_bold(terminal, line))
    _list(offer.items, is_numeric=offer.is_numeric)
    more = len(decision.options) - len(offer.items)
    if offer.picked is not None:
        _tell_picked(offer)
    elif more:
        print(f"  … {more:,} more: type the number of one")


def _tell_picked(offer: TypedQuestion) -> None:
    picked, decision = offer.picked, offer.decision
    if picked is None:
        return
    texts = [thing_text(decision, each) for each in picked.chosen]
    told = f"Picked: {', '.join(texts)}. `back` puts the last one back." if texts else ""
    many = "" if texts else "Pick one by one, or several at once, such as `1 2`."
    done = "`done` takes " + ("these" if texts else "none") + "." if picked.is_complete else ""
    decline = f"`{decision.decline}` declines." if decision.may and not texts else ""
    print_wrapped(" ".join(part for part in (told, many, done, decline) if part), "  ")


def _list(items: Sequence[TypedItem], *, is_numeric: bool) -> None:
    """Print options one a line, or in columns if there are many; numbers in a row."""
    if is_numeric:
        texts = [
            item.text if item.key == item.text else f"{item.key} {item.text}" for item in items
        ]
        print_wrapped(" | ".join(texts), "  ")
        return
    wide = len(str(len(items)))
    texts = [f"{item.key:>{wide}}  {item.text}" for item in items]
    column = max((len(text) for text in texts), default=0) + 3
    across = max(1, (_width() - 2) // column) if len(texts) > MOST_IN_COLUMN else 1
    down = -(-len(texts) // across)
    for row in range(down):
        print("  " + "".join(f"{text:{column}}" for text in texts[row::down]).rstrip())


# ---- Reasons -------------------------------------------------------------------------------------


def print_reason(terminal: PlainTerminal, origin: Origin, indent: str = "  ") -> None:
    """Print the rule behind something: its sentence with its clauses, or else what the rules say of these clauses."""
    if origin.sentence is not None:
        cites = " ".join(f"@{clause}" for clause in origin.cites)
        print_wrapped(f"{cites} {origin.sentence}".strip(), indent)
    else:
        for clause in clauses_of(terminal.scene.booklet, origin.cites):
            print_wrapped(
                f"@{clause.name} {' '.join(clause.texts) or clause.section}".strip(), indent
            )
    source, start = origin.span.source, locate(origin.span)[0]
    print_wrapped(f"rule {origin.rule}, {Path(source.name).name}:{start.line}", indent)


# ---- The end -------------------------------------------------------------------------------------


def tell_end(terminal: PlainTerminal) -> None:
    """Print the last events, the open table, and who won and why."""
    session = terminal.session
    match = session.match
    tell_news(terminal)
    tell_trouble(terminal)
    print_table(terminal, again=True)
    outcome = explain_result(match, Listener(match.engine.layout, match.names))
    headline, *lines = lay_outcome(outcome)
    print(f"\n{_bold(terminal, headline)}")
    for line in lines:
        text = line.lstrip()
        print_wrapped(text, " " * (len(line) - len(text)), " " * 5)
    if session.replay_command is not None:
        print(f"To see it again type `{session.replay_command}`.")
    # What comes through a pipe comes at once.
    if terminal.is_typed and session.pace is not None:
        print_wrapped(f"You took {session.pace}.")


def tell_kept(terminal: PlainTerminal) -> None:
    """Print where the game is saved."""
    session = terminal.session
    if session.keeper is None or session.trouble is not None:
        print_wrapped(sentence(session.trouble or "this game is not kept"))
    else:
        print(f"After every choice the game is kept in\n  {session.keeper.path}")
    if session.recorder is not None:
        print(f"and recorded in\n  {session.recorder.path}")


def print_resume(terminal: PlainTerminal) -> None:
    """Print the command that resumes the game."""
    session = terminal.session
    keeper = session.keeper
    if keeper is None or session.trouble is not None:
        files.complain(session.trouble or "this game is not kept")
        return
    is_usual = keeper.path.parent == saves.saves_folder()
    which = "" if is_usual else f" {shlex.quote(str(keeper.path))}"
    print(f"The game is kept. To go on type `rulespec play --resume{which}`.")


# ---- Lines ---------------------------------------------------------------------------------------


def print_wrapped(text: str, indent: str = "", hanging: str | None = None) -> None:
    """Print a text, wrapped to the width of the terminal."""
    rest = indent if hanging is None else hanging
    filled = textwrap.fill(
        text, _width(), initial_indent=indent, subsequent_indent=rest, break_on_hyphens=False
    )
    print(filled.replace(_BLANK, " ") or indent)


def _bold(terminal: PlainTerminal, text: str) -> str:
    return f"\033[1m{text}\033[0m" if terminal.is_styled else text


def _width() -> int:
    return max(40, min(shutil.get_terminal_size().columns, 100))

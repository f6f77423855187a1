"""The edges of the main screen: its parts and their lines, the first line, the prompt, the last line."""

from collections.abc import Sequence

from attrs import frozen

from interpreter.display_names import YOU
from interpreter.shown.player_aids import Fact
from interpreter.shown.selection import Selection, tell_need
from interpreter.shown.sights import Sight
from rulespec.cli.table.chips import (
    Chip,
    ChipRow,
    Role,
    StyledText,
    chip,
    fit_chip,
    shorten_text,
    wrap_text,
)
from rulespec.cli.table.controls import OfKey

WIDE = 108  # columns from which the story stands beside the table
_BAR = 24  # columns of a bar of progress
_LOW, _HIGH = 24, 32  # lines from which there is more room below the table
_LEAST_WHERE = 8  # columns that are enough to say where the game is

Keys = tuple[tuple[str, str], ...]

# What the last line offers: an action, and the key that does it.
CHOOSE, TAKE, TICK = ("enter", "⏎ choose"), ("enter", "⏎ take"), ("space", "space tick")
WHY, HINT, UNDO = ("why", "? why"), ("app.hint", "h hint"), ("app.undo", "u undo")
STORY, ALL, GAME = ("story", "l story"), ("everything", "v all"), ("game", "g game")
BACK, KEYS, LEAVE = ("app.past(-1)", "b back"), ("keys", "F1 keys"), ("app.leave", "q leave")
FOOT_ASKED: Keys = (CHOOSE, WHY, HINT, UNDO, BACK, GAME, KEYS, LEAVE, STORY, ALL)
FOOT_TICKING: Keys = (TAKE, TICK, WHY, HINT, UNDO, BACK, GAME, KEYS, LEAVE, STORY)
FOOT_WAITING: Keys = (
    ("space", "space go on"),
    ("app.pause", "p pause"),
    WHY,
    STORY,
    GAME,
    KEYS,
    LEAVE,
    ALL,
)
FOOT_PAST: Keys = (
    ("home", "Esc now"),
    BACK,
    ("app.past(1)", "n next"),
    WHY,
    STORY,
    GAME,
    KEYS,
    LEAVE,
)
FOOT_OVER: Keys = (
    ("enter", "⏎ result"),
    WHY,
    BACK,
    STORY,
    ALL,
    GAME,
    ("app.again", "r again"),
    LEAVE,
)


@frozen
class Division:
    """How many lines and columns each part of the screen has; the last column is for a scroll bar."""

    is_wide: bool
    main: int
    side: int
    board: int
    story: int
    prompt: int
    answers: int


def divide(width: int, height: int, board: tuple[int, int], prompt: int, answers: int) -> Division:
    """Give each part its room; of the table the lines are known that it needs, and that it would like.

    >>> divide(80, 24, (8, 10), 1, 4)
    Division(is_wide=False, main=79, side=79, board=10, story=6, prompt=1, answers=5)
    """
    lines = height - 2
    needed = min(answers, max(3, lines // 3))
    # More than is needed now, so that the next question does not move the table.
    shown = max(needed, min(5, lines // 4))
    is_wide = width >= WIDE
    side = max(36, min(60, width // 3)) if is_wide else width
    main = width - side if is_wide else width
    story = 0 if is_wide else max(3, lines // 5)
    least, good = board
    while least > lines - prompt - shown - story and shown > max(1, needed):
        shown -= 1
    if least > lines - prompt - shown - story:
        story = min(3, story)
    room = lines - prompt - shown
    if not is_wide:
        story = max(story, min(room - good, lines // 3))
    return Division(
        is_wide, main - 1, side - 1, room - story, lines if is_wide else story, prompt, shown
    )


def main_width(width: int) -> int:
    """The columns of the table and of the question."""
    return divide(width, 24, (1, 1), 1, 1).main


def lay_head(sight: Sight, width: int) -> list[ChipRow]:
    """The game, how far it has come, and who looks at it."""
    who = chip(_role(sight), "accent")
    title = chip(shorten_text(sight.scene.title, width - who.width - 4), "strong")
    chips = [(1, title)]
    room = width - who.width - title.width - 7
    where = shorten_text(" · ".join(sight.where), room) if room > _LEAST_WHERE else ""
    if where:
        chips.append((title.width + 4, chip(where, "muted")))
    return [ChipRow((*chips, (width - who.width - 1, who)))]


def _role(sight: Sight) -> str:
    if sight.over:
        return "the game is over"
    if sight.viewer is None:
        return "you are watching"
    name = sight.scene.names[sight.viewer]
    turn = sight.picture.turn
    if sight.offer is None and turn is not None and turn != sight.viewer:
        return f"{shorten_text(sight.scene.names[turn], 24)} to move"
    if sight.offer is None:
        return shorten_text(name, 40)
    return "your move" if name == YOU else f"{shorten_text(name, 24)}, your move"


def lay_facts(
    facts: Sequence[Fact], text: str, width: int, lines: int, *, advice: str = ""
) -> list[ChipRow]:
    """What a bot thinks; or a text about what is pointed at, and what should be in sight, as far as there is room."""
    if advice:
        return _lay_text(advice, width, lines, "accent")
    rows = _lay_text(text, width, max(1, lines - 1)) if text else []
    chips: list[tuple[int, Chip]] = []
    x = 1
    for fact in facts:
        body = [StyledText(f"{fact.title} ", "muted")]
        for word, tone in fact.words:
            body += [
                StyledText(word) if tone is None else StyledText(f" {word} ", "tag", tone),
                StyledText("  "),
            ]
        found = Chip(tuple(body[:-1]))
        if chips and x + found.width > width:
            rows.append(ChipRow(tuple(chips)))
            chips, x = [], 1
        chips.append((x, fit_chip(found, width - x)))
        x += found.width + 3
    return [*rows, ChipRow(tuple(chips))][:lines]


def _lay_text(text: str, width: int, lines: int, role: Role = "strong") -> list[ChipRow]:
    found = wrap_text(text, width - 2)
    if len(found) > lines:
        found[lines - 1 :] = [shorten_text(" ".join(found[lines - 1 :]), width - 2)]
    return [ChipRow(((1, chip(line, role)),)) for line in found]


def facts_height(height: int) -> int:
    """The lines for what should be in sight."""
    return 1 if height < _LOW else 2 if height < _HIGH else 3


def lay_question(
    sight: Sight | None, selection: Selection | None, waiting: str, share: float | None, width: int
) -> list[ChipRow]:
    """The question; or while nothing is asked, what is going on."""
    if sight is None:
        return [ChipRow()]
    if sight.offer is not None:
        return lay_prompt(sight, selection, width)
    if sight.over:
        return lay_wait("The game is over.", share)
    if sight.is_past and not waiting and sight.story:
        return lay_wait(shorten_text(sight.story[-1].text, width - 4), share)
    return lay_wait(waiting, share)


def lay_wait(why: str, share: float | None) -> list[ChipRow]:
    """What is going on while nothing is asked."""
    bar = () if share is None else (StyledText(_bar(share), "accent"),)
    return [ChipRow(((1, Chip((StyledText(f"{why}  ", "muted"), *bar))),))]


def lay_prompt(sight: Sight, selection: Selection | None, width: int) -> list[ChipRow]:
    """The question, and what is still needed to answer it."""
    if sight.offer is None:
        return [ChipRow()]
    need = "" if selection is None else tell_need(selection)
    rows = [
        ChipRow(((1, chip(line, "title")),))
        for line in wrap_text(sight.offer.prompt, width - 2)[:3]
    ]
    if not need:
        return rows
    last, found = rows[-1].chips[0][1], chip(need, "muted")
    if last.width + found.width + 4 <= width:
        rows[-1] = ChipRow(((1, last), (width - found.width, found)))
    else:
        rows.append(ChipRow(((1, fit_chip(found, width - 2)),)))
    return rows


def lay_foot(
    sight: Sight | None, selection: Selection | None, message: str, width: int, pace: str = ""
) -> list[ChipRow]:
    """The keys, or a message; and how fast it goes."""
    if message:
        return [ChipRow(((1, chip(shorten_text(message, width - 2), "accent")),))]
    keys = FOOT_WAITING
    speed = Chip((StyledText("s", "accent"), StyledText(f" {pace}", "muted")), OfKey("app.pace"))
    left = width - speed.width - 2 if pace else width
    if sight is not None and sight.is_again:
        keys = FOOT_PAST
    elif sight is not None and sight.over:
        keys = FOOT_OVER
    elif sight is not None and sight.offer is not None:
        keys = FOOT_ASKED if selection is None else FOOT_TICKING
    row = lay_key_row(keys, left)
    return [ChipRow((*row.chips, (left + 1, speed)))] if pace else [row]


def lay_key_row(keys: Keys, width: int) -> ChipRow:
    """Keys in a row, as many as there is room for."""
    chips: list[tuple[int, Chip]] = []
    x = 1
    for action, text in keys:
        name, _, word = text.partition(" ")
        found = Chip((StyledText(name, "accent"), StyledText(f" {word}", "muted")), OfKey(action))
        if x + found.width < width:
            chips.append((x, found))
            x += found.width + 2
    return ChipRow(tuple(chips))


def _bar(share: float) -> str:
    """A bar of progress.

    >>> _bar(0.5)
    '████████████░░░░░░░░░░░░ 50 %'
    """
    full = round(_BAR * min(1.0, max(0.0, share)))
    return f"{'█' * full}{'░' * (_BAR - full)} {round(100 * share)} %"

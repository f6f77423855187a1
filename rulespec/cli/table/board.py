"""A picture of the table -> rows for a screen of some size.

The middle holds what all share; the players sit around it, each always at the same place. On a large screen cards
are tall and things stand apart; on a small one everything moves together, so that as little as possible has to
be scrolled for.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from attrs import define, evolve, frozen

from interpreter.shown.picture import UNCOUNTED, Area, Counter, Group, Picture, Stack
from interpreter.shown.subjects import Mark, Marks, OfCards, OfCounter, OfPlayer, OfZone
from rulespec.cli.table.chips import (
    Chip,
    ChipRow,
    LabelledChips,
    StyledText,
    beside,
    chip,
    flow,
    raise_cards,
    shift,
    width_of,
)

BACK = "▒▒"
LIT, TICKED = "•", "✓"  # before a card that may be chosen, and one that is
TOLD, MOVED = "★", "◂"  # before a card that is spoken of, behind one that has come there
TURN = "▶"  # before the player whose move it is
SLOT = "╌╌"  # an empty zone
_MOST_OF_A_PILE = 3  # different cards of a pile that are shown, unless all are asked for
_LEAST_BOX = 34  # columns of a player who sits beside others
_LEAST_ROUND = 130  # columns from which players sit at the left and the right side as well
_SIDE = 34  # columns of these
_FEW = 2  # other players who sit at the far side together
_SLACK = 5  # lines that must be left over before cards grow again
_MANY = 5  # zones of a family that need the whole width


@frozen
class _Style:
    """How much room there is."""

    is_tall: bool = False
    is_airy: bool = False
    columns: Literal["tall", "flat", "none"] = "flat"
    is_bare: bool = False
    pad: str = ""  # on both sides of a card


_STYLES = (
    _Style(is_tall=True, is_airy=True, columns="tall", pad=" "),
    _Style(is_tall=True, is_airy=True, columns="tall"),
    _Style(is_tall=True, is_airy=True),
    _Style(is_tall=True, is_airy=True, columns="none"),
    _Style(is_airy=True),
    _Style(),
    _Style(columns="none"),
    _Style(columns="none", is_bare=True),
)
_GOOD, _LEAST = _STYLES[5], _STYLES[-1]


def lay_board(  # noqa: PLR0913 - a table, and the room for it
    picture: Picture,
    marks: Marks,
    width: int,
    height: int,
    *,
    everything: bool = False,
    style: int | None = None,
) -> list[ChipRow]:
    """The table in rows; what is empty or idle is left out unless everything is asked for."""
    if style is None:
        style = choose_style(picture, marks, width, height, everything=everything)
    return _spread(_arrange(_BoardView(picture, marks, _STYLES[style], everything), width), height)


def choose_style(  # noqa: PLR0913 - the same
    picture: Picture,
    marks: Marks,
    width: int,
    height: int,
    *,
    everything: bool = False,
    first: int = 0,
) -> int:
    """The first style in which the table has room; who has come to a later one had better stay there."""
    last = len(_STYLES) - 1
    for number in range(first, last):
        parts = _arrange(_BoardView(picture, marks, _STYLES[number], everything), width)
        if sum(map(len, parts)) + 2 * _STYLES[number].is_airy <= height:
            return number
    return last


@define
class DrawnBoard:
    """For which game and room the table was drawn last, and in which style."""

    drawn_for: tuple[object, ...] = ()
    style: int = 0


def lay_steady_board(  # noqa: PLR0913 - what was drawn, and what is to be drawn now
    before: DrawnBoard,
    picture: Picture,
    marks: Marks,
    width: int,
    height: int,
    *,
    everything: bool,
    may_grow: bool,
) -> list[ChipRow]:
    """The table in rows, in the style that it had before if it still fits.

    Cards that were made small stay so for a while: what changes its look at each move is hard to follow.
    """
    if may_grow:
        spare = choose_style(picture, marks, width, height - _SLACK, everything=everything)
        before.style = min(before.style, spare)
    before.style = choose_style(
        picture, marks, width, height, everything=everything, first=before.style
    )
    return lay_board(picture, marks, width, height, everything=everything, style=before.style)


def heights(picture: Picture, width: int, *, everything: bool = False) -> tuple[int, int]:
    """How many lines the table needs, and how many it takes if nothing is left out."""
    least, good = (
        sum(map(len, _arrange(_BoardView(picture, Marks(), style, everything), width)))
        for style in (_LEAST, _GOOD)
    )
    return least, good


@frozen
class _BoardView:
    """What is laid out, and how."""

    picture: Picture
    marks: Marks
    style: _Style
    everything: bool


# The far side, the middle, the near side.
_Parts = tuple[list[ChipRow], list[ChipRow], list[ChipRow]]


def _spread(parts: _Parts, height: int) -> list[ChipRow]:
    """The far side on top, the near side at the bottom, and the middle between them."""
    far, middle, near = parts
    left = max(0, height - len(far) - len(middle) - len(near))
    above = left // 2
    return [*far, *[ChipRow()] * above, *middle, *[ChipRow()] * (left - above), *near]


def _arrange(view: _BoardView, width: int) -> _Parts:
    players = [group for group in view.picture.groups if group.seat is not None]
    *others, home = players
    is_broad = any(g.title and len(g.areas) >= _MANY for g in view.picture.groups if g.seat is None)
    is_round = len(others) > _FEW and width >= _LEAST_ROUND and not is_broad
    far = others[1:-1] if is_round else others
    left = _SIDE + 2 if is_round else 0
    inset = left if len(far) == 1 else 0
    middle = shift(_middle(view, width - 2 * left), left)
    if is_round:
        sides = [
            _centre_lines(_seat(view, group, _SIDE), len(middle))
            for group in (others[0], others[-1])
        ]
        middle = beside(shift(sides[0], 1), middle, shift(sides[1], width - _SIDE))
    top = shift(_far_side(view, far, width - 2 * inset), inset)
    return top, middle, shift(_seat(view, home, width - 1), 1)


def _centre_lines(rows: list[ChipRow], height: int) -> list[ChipRow]:
    return [*[ChipRow()] * max(0, (height - len(rows)) // 2), *rows]


def _far_side(view: _BoardView, groups: Sequence[Group], width: int) -> list[ChipRow]:
    """Players beside each other, as many as have room."""
    rows: list[ChipRow] = []
    count = max(1, min(len(groups), width // _LEAST_BOX))
    lines = -(-len(groups) // count)
    count = -(-len(groups) // lines)
    box = width // count
    for start in range(0, len(groups), count):
        boxes = [_seat(view, group, box - 3) for group in groups[start : start + count]]
        rows += beside(*(shift(each, 1 + n * box) for n, each in enumerate(boxes)))
    return rows


# ---- A player ------------------------------------------------------------------------------------


def _seat(view: _BoardView, group: Group, width: int) -> list[ChipRow]:
    """A player's name and counters, and below them what lies there."""
    seat = group.seat or 0
    about = [LabelledChips((_name(view, seat, group.title),), tuple(_badges(seat, group)))]
    about += [_counter(each) for each in group.counters if view.everything or not each.is_idle]
    zones = [*_zones(view, group.areas)]
    if view.style.is_airy or view.style.is_tall:
        return [
            *flow(about, 0, width, gap=2),
            *flow(zones, 2, width, tall=view.style.is_tall),
        ]
    return flow([*about, *zones], 0, width, gap=2)


def _name(view: _BoardView, seat: int, name: str) -> Chip:
    is_turn = seat == view.picture.turn
    mark = view.marks.seats.get(seat, "")
    sign = TOLD if seat in view.marks.actors else _sign(mark)
    lead = f"{TURN} " if is_turn else ""
    text = f"{sign.strip()}{lead}{name}"
    part = (
        StyledText(f" {text} ", "turn", seat=seat)
        if is_turn
        else StyledText(text, "seat", seat=seat)
    )
    return Chip((part,), OfPlayer(seat), mark)


def _badges(seat: int, group: Group) -> Iterator[Chip]:
    for variable, text in group.badges:
        subject = OfPlayer(seat) if variable is None else OfCounter(variable)
        yield chip(f"({text})", "muted", subject)


def _counter(counter: Counter) -> LabelledChips:
    subject = OfCounter(counter.variable)
    if counter.values:
        values = [
            Chip((StyledText(f" {text} ", "tag", tone),), subject) for text, tone in counter.values
        ]
        return LabelledChips((chip(counter.title, "muted", subject),), tuple(values))
    # What is simply so needs no `yes`.
    value = "" if counter.text == "yes" else f" {counter.text}"
    return LabelledChips(
        (), (Chip((StyledText(counter.title, "muted"), StyledText(value, "strong")), subject),)
    )


# ---- The middle ----------------------------------------------------------------------------------


def _middle(view: _BoardView, width: int) -> list[ChipRow]:
    """What all share, with a line around it if there is room."""
    style = view.style
    inner = width - 6 if style.is_airy else width - 1
    rows: list[ChipRow] = []
    for group in view.picture.groups:
        if group.seat is None:
            found = _shared(view, _filled(view, group) if group.title else group, inner)
            if found and rows and style.is_airy:
                rows.append(ChipRow())
            rows += found
    if not style.is_airy:
        return shift(rows, 1)
    indent = max(0, (inner - width_of(rows)) // 2)
    return _frame(shift(rows, indent), width)


def _filled(view: _BoardView, group: Group) -> Group:
    """Of a family of zones those in which something lies; places of the others would be many."""
    if view.everything:
        return group
    areas = [
        each
        for each in group.areas
        if each.stacks or not each.counted or each.zone in view.marks.zones
    ]
    return evolve(group, areas=tuple(areas))


def _frame(rows: list[ChipRow], width: int) -> list[ChipRow]:
    line = "─" * (width - 4)
    edge = chip("│", "muted")
    body = [
        ChipRow(((1, edge), *shift([row], 3)[0].chips, (width - 2, edge)))
        for row in rows or [ChipRow()]
    ]
    return [
        ChipRow(((1, chip(f"╭{line}╮", "muted")),)),
        *body,
        ChipRow(((1, chip(f"╰{line}╯", "muted")),)),
    ]


def _shared(view: _BoardView, group: Group, width: int) -> list[ChipRow]:
    """Zones and counters that belong to nobody; those of a family behind its name, or as columns."""
    if group.title and view.style.columns != "none":
        columns = _columns(view, group, width)
        if columns:
            return columns
    counters = [_counter(each) for each in group.counters if view.everything or not each.is_idle]
    blocks = [*counters, *_zones(view, group.areas)]
    if not blocks:
        return []
    head = [LabelledChips((chip(group.title, "muted"),))] if group.title else []
    return flow([*head, *blocks], 0, width, tall=view.style.is_tall)


def _columns(view: _BoardView, group: Group, width: int) -> list[ChipRow]:
    """Open piles side by side, each as a column of cards that grows downwards; nothing if they do not fit."""
    areas = [area for area in group.areas if _is_drawn(view, area)]
    if not areas or any(not area.is_pile or _has_backs(area) for area in areas):
        return []
    bands: list[list[list[ChipRow]]] = [[]]
    at = 0
    for area in areas:
        column = _column(view, area)
        wide = width_of(column)
        if wide > width:
            return []
        if at and at + wide > width:
            bands.append([])
            at = 0
        bands[-1].append(shift(column, at))
        at += wide + 2
    return [row for band in bands for row in beside(*band)]


def _column(view: _BoardView, area: Area) -> list[ChipRow]:
    """A pile from its first card downwards."""
    cards = [*_cards(view, area.stacks, area)][::-1]
    head = _head(view, area)
    if area.count > 1:
        head = evolve(head, parts=(*head.parts, StyledText(f" ×{area.count}", "muted")))
    wide = max(each.width for each in (head, *cards))
    lines = [ChipRow(((0, head),))]
    for number, each in enumerate(cards):
        raised = [ChipRow(((0, _pad(each, wide)),))]
        if view.style.columns == "tall":
            raised = raise_cards(raised[0].chips)
        # A card lies on the one before it, and hides all but its upper edge and its middle.
        lines += raised if number == len(cards) - 1 else raised[:2]
    return lines


def _pad(found: Chip, width: int) -> Chip:
    last = found.parts[-1]
    return evolve(
        found,
        parts=(*found.parts[:-1], evolve(last, text=last.text + " " * (width - found.width))),
    )


def _has_backs(area: Area) -> bool:
    return any(stack.text is None for stack in area.stacks)


# ---- Zones ---------------------------------------------------------------------------------------


def _is_drawn(view: _BoardView, area: Area) -> bool:
    """Whether a zone is shown: one that is empty only if it may be chosen, or was not always empty."""
    is_slot = area.zone in view.picture.used and not view.style.is_bare
    is_slot |= not area.counted
    return bool(area.stacks) or view.everything or area.zone in view.marks.zones or is_slot


def _zones(view: _BoardView, areas: Iterable[Area]) -> Iterator[LabelledChips]:
    for area in areas:
        if not _is_drawn(view, area):
            continue
        head = _head(view, area)
        if not area.stacks:
            slot = StyledText(SLOT, "slot") if area.counted else StyledText(UNCOUNTED, "strong")
            yield LabelledChips(
                (), (evolve(head, parts=(*head.parts, StyledText(" ", "muted"), slot)),)
            )
            continue
        yield LabelledChips((head,), tuple(_cards(view, _shown(view, area), area)))


def _head(view: _BoardView, area: Area) -> Chip:
    mark = view.marks.zones.get(area.zone, "")
    sign = _sign(mark).strip()
    parts = [StyledText(f"{sign}{area.title}", "accent" if sign else "muted")]
    if area.seat is not None:
        parts = [StyledText(f"{sign}{area.title}", "seat", seat=area.seat)]
    grown = view.marks.grown.get(area.zone, 0)
    if grown and _has_backs(area):
        parts.append(StyledText(f" {grown:+d}".replace("-", "−"), "good" if grown > 0 else "bad"))
    return Chip(tuple(parts), OfZone(area.zone), mark)


def _shown(view: _BoardView, area: Area) -> tuple[Stack, ...]:
    """All cards; of a large pile the top, and whatever may be chosen from below it."""
    stacks = area.stacks
    if not area.is_pile or view.everything or len(stacks) <= _MOST_OF_A_PILE:
        return stacks
    return (stacks[0], *(each for each in stacks[1:] if _mark(each, view.marks)))


def _cards(view: _BoardView, stacks: tuple[Stack, ...], area: Area) -> Iterator[Chip]:
    for stack in stacks:
        subject = OfCards(stack.zone, stack.faces, area.stacks.index(stack))
        shown = show_stack(stack, view.marks, area.title, view.style.pad)
        yield evolve(shown, subject=subject)
    below = area.count - sum(stack.count for stack in stacks)
    if below:
        yield chip(f"+{below}", "muted", OfZone(area.zone))


def show_stack(stack: Stack, marks: Marks, title: str = "", pad: str = "") -> Chip:
    """Equal cards as one chip: a face with its text, or a back, and how many they are."""
    times = f" ×{stack.count}" if stack.count > 1 else ""
    if stack.text is None:
        text = f" {pad}{BACK}{times}{pad} "
        return Chip((StyledText(text, "back"),), None, marks.zones.get(stack.zone, ""))
    mark = _mark(stack, marks)
    spots = {(stack.zone, face) for face in stack.faces}
    sign = TOLD if spots & marks.told else _sign(mark)
    end = MOVED if spots & marks.moved else " "
    # What the zone is called need not be said on each card.
    text = stack.text.removesuffix(f" ({title})")
    return Chip(
        (StyledText(f"{pad}{sign}{text}{times}{end}{pad}", "face", stack.tone),), None, mark
    )


def _sign(mark: Mark) -> str:
    return {"lit": LIT, "ticked": TICKED}.get(mark, " ")


def _mark(stack: Stack, marks: Marks) -> Mark:
    found = {marks.cards.get((stack.zone, face), "") for face in stack.faces}
    order: tuple[Mark, ...] = ("ticked", "lit", "dim")
    return next((mark for mark in order if mark in found), "")

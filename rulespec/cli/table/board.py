"""A picture of the table -> rows for a screen of some size.

On a large screen cards are tall and groups stand apart; on a small one everything moves together, so that
as little as possible has to be scrolled for.
"""

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from interpreter.shown.picture import Area, Counter, Group, Picture, Stack
from interpreter.shown.subjects import Mark, Marks, OfCards, OfCounter, OfPlayer, OfZone
from rulespec.cli.table.chips import Block, Chip, Part, Row, chip, fit, flow

BACK = "▒▒"
LIT, TICKED = "•", "✓"  # before a card that may be chosen, and one that is
_WIDEST_MARGIN = 14
_MOST_OF_A_PILE = 3  # different cards of a pile that are shown, unless all are asked for


@frozen
class _Style:
    """How much room there is."""

    is_tall: bool = False
    is_airy: bool = False
    is_bare: bool = False


_LARGE, _TALL = _Style(is_tall=True, is_airy=True), _Style(is_tall=True)
_AIRY, _CLOSE, _BARE = _Style(is_airy=True), _Style(), _Style(is_bare=True)


def lay_out(
    picture: Picture, marks: Marks, width: int, height: int, *, everything: bool = False
) -> list[Row]:
    """The table in rows; what is empty or idle is left out unless everything is asked for."""
    rows: list[Row] = []
    for style in (_LARGE, _TALL, _AIRY, _CLOSE, _BARE):
        rows = _arrange(picture, marks, width, style, everything=everything)
        if count_lines(rows) <= height:
            break
    return rows


def count_lines(rows: Iterable[Row]) -> int:
    """How many lines of a screen rows take."""
    return sum(3 if row.is_tall else 1 for row in rows)


def heights(picture: Picture, width: int, *, everything: bool = False) -> tuple[int, int]:
    """How many lines the table needs, and how many it takes if groups stand apart."""
    least, good = (
        count_lines(_arrange(picture, {}, width, style, everything=everything))
        for style in (_BARE, _AIRY)
    )
    return least, good


def _arrange(
    picture: Picture, marks: Marks, width: int, style: _Style, *, everything: bool
) -> list[Row]:
    margin = min(_WIDEST_MARGIN, max(_title(group, picture).width for group in picture.groups)) + 3
    used = {_family(area) for group in picture.groups for area in group.areas if area.stacks}
    rows: list[Row] = [Row()] if style.is_airy else []
    was_shared = True
    for group in picture.groups if everything else _fold(picture.groups):
        is_shared = group.seat is None
        blocks = [*_blocks(group, marks, used, everything=everything, bare=style.is_bare)]
        if is_shared and not blocks:
            continue
        turns = was_shared and not is_shared and not style.is_bare
        if len(rows) > 1 and (style.is_airy or turns):
            rows.append(Row())
        was_shared = is_shared
        found = flow(blocks, margin, width, tall=style.is_tall) or [Row()]
        title = fit(_title(group, picture), _WIDEST_MARGIN)
        rows.append(evolve(found[0], chips=((1, title), *found[0].chips)))
        rows += found[1:]
    return rows


def _fold(groups: tuple[Group, ...]) -> list[Group]:
    """A family of zones that are all empty is told as one empty zone."""
    shared = [group for group in groups if group.seat is None]
    bare = [group for group in shared[1:] if not any(area.stacks for area in group.areas)]
    if not bare:
        return [*groups]
    told = tuple(evolve(group.areas[0], title=group.title) for group in bare)
    first = evolve(shared[0], areas=(*shared[0].areas, *told))
    return [first, *(group for group in groups[1:] if group not in bare)]


def _title(group: Group, picture: Picture) -> Chip:
    if group.seat is None:
        return chip(group.title)
    is_mine = group.seat == picture.viewer
    return Chip((Part(group.title, "accent" if is_mine else "strong"),), OfPlayer(group.seat))


def _family(area: Area) -> str:
    return area.title


def _blocks(
    group: Group, marks: Marks, used: set[str], *, everything: bool, bare: bool
) -> Iterator[Block]:
    badges = tuple(
        chip(f"●{text}", "accent" if number is not None else "muted", _badge(group, number))
        for number, text in group.badges
    )
    if badges:
        yield Block((), badges)
    for counter in group.counters:
        if everything or not counter.is_idle:
            yield _counter(counter)
    empty = []
    for area in group.areas:
        if area.stacks:
            yield _zone(area, marks, everything=everything)
        elif everything or (group.seat is not None and _family(area) in used):
            head = chip(area.title, "muted", OfZone(area.zone))
            yield Block((), (Chip((*head.parts, Part(" –", "muted")), head.subject),))
        elif group.seat is None:
            empty.append(area)
    if empty and not bare:
        texts = [*(f"{area.title}," for area in empty[:-1]), empty[-1].title]
        chips = (
            chip(text, "muted", OfZone(area.zone)) for text, area in zip(texts, empty, strict=True)
        )
        yield Block((chip("empty:", "muted"),), tuple(chips))


def _counter(counter: Counter) -> Block:
    subject = OfCounter(counter.variable)
    if counter.values:
        values = [
            Chip((Part(f" {text} ", "face", tone),), subject) for text, tone in counter.values
        ]
        return Block((chip(counter.title, "muted", subject),), tuple(values))
    # What is simply so needs no `yes`.
    value = "" if counter.text == "yes" else f" {counter.text}"
    return Block((), (Chip((Part(counter.title, "muted"), Part(value, "strong")), subject),))


def _badge(group: Group, variable: int | None) -> OfCounter | OfPlayer | None:
    if variable is not None:
        return OfCounter(variable)
    return OfPlayer(group.seat) if group.seat is not None else None


def _zone(area: Area, marks: Marks, *, everything: bool) -> Block:
    head = chip(area.title, "muted", OfZone(area.zone))
    stacks = area.stacks
    if area.is_pile and not everything and len(stacks) > _MOST_OF_A_PILE:
        # The top, and whatever may be chosen from below it.
        shown = [stacks[0], *(each for each in stacks[1:] if _mark(each, marks))]
        below = area.count - sum(stack.count for stack in shown)
        more = (chip(f"+{below}", "muted", OfZone(area.zone)),) if below else ()
        return Block((head,), (*_cards(tuple(shown), marks), *more))
    return Block((head,), _cards(stacks, marks))


def _cards(stacks: tuple[Stack, ...], marks: Marks) -> tuple[Chip, ...]:
    return tuple(
        evolve(show_stack(stack, marks), subject=OfCards(stack.zone, stack.faces, place))
        for place, stack in enumerate(stacks)
    )


def show_stack(stack: Stack, marks: Marks) -> Chip:
    """Equal cards as one chip: a face with its text, or a back, and how many they are."""
    times = f" ×{stack.count}" if stack.count > 1 else ""
    if stack.text is None:
        return Chip((Part(f" {BACK}{times} ", "back"),))
    mark = _mark(stack, marks)
    pad = {"lit": LIT, "ticked": TICKED}.get(mark, " ")
    return Chip((Part(f"{pad}{stack.text}{times} ", "face", stack.tone),), None, mark)


def _mark(stack: Stack, marks: Marks) -> Mark:
    found = {marks.get((stack.zone, face), "") for face in stack.faces}
    order: tuple[Mark, ...] = ("ticked", "lit", "dim")
    return next((mark for mark in order if mark in found), "")

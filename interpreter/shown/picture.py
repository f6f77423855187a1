"""A player's `View` and the `Scene` -> what a screen draws: groups of zones and counters, with equal cards together.

The `View` holds no secret; the `Scene` is what everybody knows about the game. `board` knows how wide the screen is, and
which cards may be chosen.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import groupby

from attrs import frozen

from interpreter.display_names import family_words, on_table, said, word_for
from interpreter.layout import Layout
from interpreter.match import Match
from interpreter.shown.booklet import Booklet, open_booklet
from interpreter.shown.palette import PLAIN, Palette, Tone, paint
from interpreter.views import CardView, View, ZoneView
from rulespec.checking.program import Program
from rulespec.core.tree import Move, ZoneRow, walk_operations
from rulespec.core.types import Bool, Choice, Maybe, Seat, Several, Type, present

NOTHING = "–"
UNCOUNTED = "?"
BOX = 0  # cards in the box are out of the game
TURN = "active"  # the variable in which the standard turns keep whose turn it is


@frozen(eq=False)
class Scene:
    """What everybody at the table knows: the game, who plays, and the colours."""

    title: str
    program: Program
    layout: Layout
    names: tuple[str, ...]
    palette: Palette
    home: int = 0  # who sits at the near side of the table, for every viewer

    @cached_property
    def middle(self) -> frozenset[str]:
        """Families of zones that lie in the middle although each player has one, such as a trick."""
        return _middle(self.layout)

    @cached_property
    def booklet(self) -> Booklet:
        """What the rules say, read on first use."""
        return open_booklet(self.program)


@frozen
class Stack:
    """Adjacent cards with the same text; or backs, which have neither text nor faces."""

    zone: int
    faces: tuple[int, ...]
    text: str | None
    count: int
    tone: Tone


@frozen
class Area:
    """A zone: its cards, with the top card of a pile first; `seat` is the owner if the zone lies in the middle.

    If it is not `counted`, the viewer does not know how many cards it has, and none is shown.
    """

    zone: int
    title: str
    is_pile: bool
    stacks: tuple[Stack, ...]
    seat: int | None = None
    counted: bool = True

    @property
    def count(self) -> int:
        """How many cards are shown."""
        return sum(stack.count for stack in self.stacks)


@frozen
class Counter:
    """A variable; an idle one has the value `no`, or none."""

    variable: int
    title: str
    text: str
    is_idle: bool
    values: tuple[tuple[str, Tone], ...] = ()  # if it has colours


@frozen
class Group:
    """Things that lie together on the table: those of a player, the zones of a family, or the rest."""

    title: str
    seat: int | None
    badges: tuple[tuple[int | None, str], ...]  # `dealer`, each with its variable
    counters: tuple[Counter, ...]
    areas: tuple[Area, ...]


@frozen
class Picture:
    """The table: the shared things, then the players clockwise, ending with the one at the near side.

    The seating is the same for every viewer. `turn` is the player to move, if the viewer may know; `used` are the zones
    that hold something now, or have held something while a player was asked.
    """

    viewer: int | None
    groups: tuple[Group, ...]
    turn: int | None = None
    used: frozenset[int] = frozenset()


def set_scene(match: Match, home: int = 0) -> Scene:
    """The scene of a match, before anything is seen; `home` sits at the near side of the table."""
    layout = match.engine.layout
    return Scene(layout.code.title, match.game.program, layout, match.names, paint(layout), home)


# ---- The picture ---------------------------------------------------------------------------------


def draw_picture(scene: Scene, view: View, viewer: int | None) -> Picture:
    """The table as this view shows it."""
    layout = scene.layout
    zones = [
        (_owner(scene, n), _area(scene, n, zone))
        for n, zone in enumerate(view.zones)
        if n != BOX and on_table(layout.code, layout.zones[n].row.name)
    ]
    counters: list[tuple[int | None, Counter]] = []
    badges: list[tuple[int, tuple[int | None, str]]] = []
    turn = viewer if view.asked else None
    for number, (row, indices) in enumerate(layout.variables):
        if not on_table(layout.code, row.name):
            continue
        text = view.variables[number].text
        text = NOTHING if text == "none" else text
        seat, title = family_words(layout, scene.names, row, indices)
        if isinstance(present(row.type), Seat) and not indices:
            holder = scene.names.index(text) if text in scene.names else None
            if row.name == TURN:
                turn = holder if turn is None else turn
                continue  # the heading and the mark of the player to move already say so
            if holder is not None:
                badges.append((holder, (number, title)))
                continue
        values = _toned(scene, row.type, text)
        counters.append((seat, Counter(number, title, text, _is_idle(row.type, text), values)))
    if not badges:  # a dealer's badge says more
        badges.append((view.first, (None, "first player")))
    players = [
        Group(
            scene.names[seat],
            seat,
            tuple(badge for holder, badge in badges if holder == seat),
            tuple(counter for owner, counter in counters if owner == seat),
            tuple(area for owner, area in zones if owner == seat),
        )
        for seat in _seating(scene)
    ]
    used = frozenset(area.zone for _, area in zones if area.stacks)
    return Picture(viewer, (*_shared(scene, zones, counters), *players), turn, used)


def _seating(scene: Scene) -> list[int]:
    """The seats clockwise, from the left neighbour of the player at the near side."""
    players = len(scene.names)
    return [(scene.home + 1 + n) % players for n in range(players)]


def _middle(layout: Layout) -> frozenset[str]:
    """Families that all players see and that are emptied all at once, such as the cards of a trick."""
    found = set()
    rows = {row.name: row for row in layout.code.zones}
    for block in layout.code.blocks.values():
        for step in block.code:
            if not isinstance(step, Move) or not _is_owned(rows.get(step.zone.word)):
                continue
            for op in walk_operations(step.pieces):
                row = rows.get(op.operands[0].word) if op.name == "gather" else None
                if row is not None and _is_owned(row) and row.seen_by == "everyone":
                    found.add(row.name)
    return frozenset(found)


def _is_owned(row: ZoneRow | None) -> bool:
    return row is not None and any(isinstance(each, Seat) for each in row.indices)


def _shared(
    scene: Scene,
    zones: Iterable[tuple[int | None, Area]],
    counters: Iterable[tuple[int | None, Counter]],
) -> list[Group]:
    """What has no owner: single zones with the counters, and families of zones."""
    own = [area for owner, area in zones if owner is None]
    alone = [area for area in own if not scene.layout.zones[area.zone].indices]
    common = tuple(counter for owner, counter in counters if owner is None)
    groups = [Group("", None, (), common, tuple(alone))] if alone or common else []
    families: dict[str, list[Area]] = {}
    for area in own:
        if scene.layout.zones[area.zone].indices:
            name = word_for(scene.layout.code, scene.layout.zones[area.zone].row.name)
            families.setdefault(name, []).append(area)
    return [
        *groups,
        *(Group(title, None, (), (), tuple(areas)) for title, areas in families.items()),
    ]


def _owner(scene: Scene, number: int) -> int | None:
    """The player in front of whom a zone lies."""
    zone = scene.layout.zones[number]
    return None if zone.row.name in scene.middle else zone.owner


def _area(scene: Scene, number: int, zone: ZoneView) -> Area:
    found = scene.layout.zones[number]
    _, title = family_words(scene.layout, scene.names, found.row, found.indices)
    if _owner(scene, number) is None and found.indices:
        # The heading of the group already names the family of zones without an owner.
        indices = zip(found.indices, found.row.indices, strict=True)
        title = " ".join(said(scene.layout, each, of, scene.names) for each, of in indices)
    is_pile = zone.order == "pile"
    stacks = _stacks(scene, number, zone.cards, is_pile=is_pile)
    seat = found.owner if found.row.name in scene.middle else None
    return Area(number, title, is_pile, stacks, seat, zone.counted)


def _stacks(
    scene: Scene, zone: int, cards: tuple[CardView, ...], *, is_pile: bool
) -> tuple[Stack, ...]:
    """Group cards with the same text: in a pile, only adjacent ones."""
    if is_pile:
        groups = [list(group) for _, group in groupby(cards, lambda card: card.text)]
    else:
        texts: dict[str | None, list[CardView]] = {}
        for card in cards:
            texts.setdefault(card.text, []).append(card)
        groups = list(texts.values())
    return tuple(_stack(scene, zone, group) for group in groups)


def _stack(scene: Scene, zone: int, cards: list[CardView]) -> Stack:
    faces = tuple(dict.fromkeys(card.face for card in cards if card.face is not None))
    tones = {scene.palette.faces.get(face, PLAIN) for face in faces}
    tone = tones.pop() if len(tones) == 1 else PLAIN
    return Stack(zone, faces, cards[0].text, len(cards), tone)


def _toned(scene: Scene, type_: Type, text: str) -> tuple[tuple[str, Tone], ...]:
    """The values of a variable, if all of them have colours."""
    inner = present(type_)
    of = present(inner.of) if isinstance(inner, Several) else inner
    if not isinstance(of, Choice):
        return ()
    members = scene.layout.code.members
    tones = {members[n].label: tone for n, tone in scene.palette.members.items()}
    words = text.split(", ")
    return tuple((word, tones[word]) for word in words) if tones.keys() >= {*words} else ()


def _is_idle(type_: Type, text: str) -> bool:
    match type_:
        case Bool():
            return text == "no"
        case Maybe():
            return text == NOTHING
        case Several():
            return text == "nothing"
    return False

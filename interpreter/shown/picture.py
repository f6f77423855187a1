"""What a player may see -> what is drawn of it: groups of zones and counters, equal cards together.

Goes in: a `View`, which holds no secret, and the `Scene`, what everybody knows of the game. How wide the screen is,
and which cards may be chosen, is for `board` to know.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

from attrs import frozen

from interpreter.labels import label
from interpreter.layout import Layout
from interpreter.match import Match
from interpreter.naming import YOU
from interpreter.shown.booklet import Booklet, open_booklet
from interpreter.shown.palette import PLAIN, Palette, Tone, paint
from interpreter.views import CardView, View, ZoneView
from rulespec.checking.program import Program
from rulespec.core.types import Bool, Choice, Maybe, Seat, Several, Type, present

BOX = 0  # what is left in it plays no part


@frozen(eq=False)
class Scene:
    """What everybody at the table knows: the game, who plays, and the colours."""

    title: str
    program: Program
    layout: Layout
    names: tuple[str, ...]
    palette: Palette
    spellings: dict[str, str]  # of zones and variables: as the rules write them, and as people say

    @cached_property
    def booklet(self) -> Booklet:
        """What the rules say, read when somebody first asks."""
        return open_booklet(self.program)

    def plain(self, text: str) -> str:
        """A sentence with `hand[Ada]` as `Ada's hand`."""
        if not self.spellings:
            return text
        pattern = "|".join(map(re.escape, self.spellings))
        return re.sub(
            rf"(?<!\w)(?:{pattern})(?![\w\[])", lambda found: self.spellings[found[0]], text
        )


@frozen
class Stack:
    """Cards with the same text that lie together, or backs, which have neither text nor faces."""

    zone: int
    faces: tuple[int, ...]
    text: str | None
    count: int
    tone: Tone


@frozen
class Area:
    """A zone: its cards, of a pile the top one first."""

    zone: int
    title: str
    is_pile: bool
    stacks: tuple[Stack, ...]

    @property
    def count(self) -> int:
        """How many cards there are."""
        return sum(stack.count for stack in self.stacks)


@frozen
class Counter:
    """A variable; one that is idle says `no`, or nothing."""

    variable: int
    title: str
    text: str
    is_idle: bool
    values: tuple[tuple[str, Tone], ...] = ()  # if it has colours


@frozen
class Group:
    """What lies together on the table: a player's things, the zones of a family, or the rest."""

    title: str
    seat: int | None
    badges: tuple[tuple[int | None, str], ...]  # `dealer`, each with its variable
    counters: tuple[Counter, ...]
    areas: tuple[Area, ...]


@frozen
class Picture:
    """The table; the player who looks at it sits at its end."""

    viewer: int | None
    groups: tuple[Group, ...]


def set_scene(match: Match) -> Scene:
    """What everybody knows before anything is seen."""
    layout = match.engine.layout
    code = layout.code
    spellings = {}
    rows: list[tuple[str, tuple[Type, ...], tuple[Any, ...]]] = [
        *((zone.row.name, zone.row.indices, zone.indices) for zone in layout.zones),
        *((row.name, row.indices, indices) for row, indices in layout.variables),
    ]
    for name, types, indices in rows:
        seat, rest = _split(layout, match.names, types, indices)
        written = name + "".join(
            f"[{label(layout, index, type_, match.names)}]"
            for index, type_ in zip(indices, types, strict=True)
        )
        owner = "" if seat is None else f"{_whose(match.names[seat])} "
        said = f"{owner}{_joined(say(name), rest)}"
        if said != written:
            spellings[written] = said
    longest = dict(sorted(spellings.items(), key=lambda pair: -len(pair[0])))
    return Scene(code.title, match.game.program, layout, match.names, paint(layout), longest)


def say(name: str) -> str:
    """A name of the rules as people write it.

    >>> say("out_of_play")
    'out of play'
    """
    return name.replace("_", " ")


def counted(key: str, row: int) -> str:
    """What a row of the ranking counts, in words: the rules write `#hand[p]`, and people `in hand`.

    What has no name is called by what it is for: the points, or the first tie-break.

    >>> keys = "score(p)", "#hand[p]", "#hand[p].suit", "1 if has_passed[p] else 0", "2 * wins[p]"
    >>> [counted(key, row) for row, key in enumerate(keys)]
    ['score', 'in hand', 'kinds of suit', 'has passed', 'tie-break 4']
    >>> counted("1 if #hand[p] > 0 else 0", 0)
    'points'
    """
    title = re.sub(r"\(\w+\)|\[\w+\]", "", key, count=1)
    for pattern, words in _COUNTED:
        title = re.sub(pattern, words, title)
    if re.fullmatch(r"[\w ]+", title) and not title.isdecimal():
        return say(title)
    return f"tie-break {row}" if row else "points"


# What is counted, as the rules write it, and as people say.
_COUNTED = (
    (r"^#\w+\.(\w+)$", r"kinds of \1"),
    (r"^#(\w+)$", r"in \1"),
    (r"^[01] if (\w+) else [01]$", r"\1"),
)


def list_names(names: Sequence[str]) -> str:
    """Names in a row.

    >>> list_names(["Ada", "Ben", "Cleo"])
    'Ada, Ben and Cleo'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def tell_winners(names: Sequence[str]) -> str:
    """Who has won.

    >>> tell_winners(["Ada"]), tell_winners(["You", "Ben"])
    ('Ada wins!', 'You and Ben win!')
    """
    wins = "win" if len(names) > 1 or names[0] == YOU else "wins"
    return f"{list_names(names)} {wins}!"


def _joined(name: str, rest: str) -> str:
    """A family and what its indices say: `column Seas`, but not `hell Hell I`."""
    if rest.casefold().startswith(name.casefold()):
        return rest
    return f"{name} {rest}" if rest else name


def _whose(name: str) -> str:
    if name == YOU:
        return "your"
    return f"{name}'" if name.endswith(("s", "x", "z")) else f"{name}'s"


def _split(
    layout: Layout, names: tuple[str, ...], types: tuple[Type, ...], indices: tuple[Any, ...]
) -> tuple[int | None, str]:
    """Whose a zone or variable is, and what else its indices say."""
    seat, rest = None, []
    for index, type_ in zip(indices, types, strict=True):
        if isinstance(type_, Seat) and seat is None:
            seat = index
        else:
            rest.append(label(layout, index, type_, names))
    return seat, " ".join(rest)


# ---- The picture ---------------------------------------------------------------------------------


def draw(scene: Scene, view: View, viewer: int | None) -> Picture:
    """The table as this view shows it."""
    layout = scene.layout
    zones = [
        (scene.layout.zones[n].owner, _area(scene, n, zone))
        for n, zone in enumerate(view.zones)
        if n != BOX
    ]
    counters: list[tuple[int | None, Counter]] = []
    badges: list[tuple[int, tuple[int | None, str]]] = []
    for number, (row, indices) in enumerate(layout.variables):
        text = view.variables[number].text
        seat, rest = _split(layout, scene.names, row.indices, indices)
        title = _joined(say(row.name), rest)
        if isinstance(present(row.type), Seat) and not indices:
            holder = scene.names.index(text) if text in scene.names else None
            if holder is not None:
                badges.append((holder, (number, title)))
                continue
        values = _toned(scene, row.type, text)
        counters.append((seat, Counter(number, title, text, _is_idle(row.type, text), values)))
    badges.append((view.first, (None, "first")))
    players = [
        Group(
            scene.names[seat],
            seat,
            tuple(badge for holder, badge in badges if holder == seat),
            tuple(counter for owner, counter in counters if owner == seat),
            tuple(area for owner, area in zones if owner == seat),
        )
        for seat in _seating(len(scene.names), viewer)
    ]
    return Picture(viewer, (*_shared(scene, zones, counters), *players))


def _seating(players: int, viewer: int | None) -> list[int]:
    """The others from the left neighbour on, and last whoever looks: nearest to the question."""
    start = 0 if viewer is None else viewer + 1
    return [(start + n) % players for n in range(players)]


def _shared(
    scene: Scene,
    zones: Iterable[tuple[int | None, Area]],
    counters: Iterable[tuple[int | None, Counter]],
) -> list[Group]:
    """What belongs to nobody: single zones with the counters, and families of zones."""
    own = [area for owner, area in zones if owner is None]
    alone = [area for area in own if not scene.layout.zones[area.zone].indices]
    common = tuple(counter for owner, counter in counters if owner is None)
    groups = [Group("", None, (), common, tuple(alone))] if alone or common else []
    families: dict[str, list[Area]] = {}
    for area in own:
        if scene.layout.zones[area.zone].indices:
            families.setdefault(say(scene.layout.zones[area.zone].row.name), []).append(area)
    return [
        *groups,
        *(Group(title, None, (), (), tuple(areas)) for title, areas in families.items()),
    ]


def _area(scene: Scene, number: int, zone: ZoneView) -> Area:
    found = scene.layout.zones[number]
    _, rest = _split(scene.layout, scene.names, found.row.indices, found.indices)
    # Of zones that belong to nobody the family is told beside them all.
    title = rest if found.owner is None and rest else _joined(say(zone.family), rest)
    is_pile = zone.order == "pile"
    return Area(number, title, is_pile, _stacks(scene, number, zone.cards, is_pile=is_pile))


def _stacks(
    scene: Scene, zone: int, cards: tuple[CardView, ...], *, is_pile: bool
) -> tuple[Stack, ...]:
    """Cards with the same text together: in a pile only those that follow one another."""
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
            return text == "none"
        case Several():
            return text == "nothing"
    return False

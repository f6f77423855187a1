"""What people call things: names of the rules -> words for the table.

What the author has said with `called` comes first; otherwise it is the name in words. Nothing here looks at hidden
pieces: whoever asks says which faces the listener may see.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from attrs import frozen

from interpreter.labels import Names, label, piece_label, seat_name
from interpreter.layout import Layout
from rulespec.core import types
from rulespec.core.types import Seat, Type, present

YOU = "You"  # a player of this name is spoken to
CARD = "card"  # what pieces of several kinds are called
COUNTS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)


@frozen
class Listener:
    """For whom something is told: the player, or somebody who sees everything; and what seats are called.

    `most` is how many different pieces are named at once, if a reader would lose patience.
    """

    layout: Layout
    names: Names = None
    player: int | None = None
    most: int | None = None

    def sees(self, players: int) -> bool:
        """Whether the listener is one of these players."""
        return self.player is None or bool(players >> self.player & 1)


# ---- Words ---------------------------------------------------------------------------------------


def words(name: str) -> str:
    """A name of the rules in words.

    >>> words("out_of_play"), words("LastJudgment")
    ('out of play', 'last judgment')
    """
    if "_" in name or not name[:1].isupper():
        return name.replace("_", " ").strip() or name
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()


def plural(noun: str) -> str:
    """Several of a noun, if it is a regular one.

    >>> [plural(each) for each in ("card", "Stone of Forgiveness", "bonus", "penalty", "play")]
    ['cards', 'Stones of Forgiveness', 'bonuses', 'penalties', 'plays']
    """
    head, of, rest = noun.partition(" of ")
    if re.search(r"(s|x|z|ch|sh)$", head):
        head += "es"
    elif re.search(r"[^aeiou]y$", head):
        head = f"{head[:-1]}ies"
    else:
        head += "s"
    return head + of + rest


def a(noun: str) -> str:
    """One of a noun.

    >>> a("card"), a("Ace"), a("one-eyed jack"), a("unit")
    ('a card', 'an Ace', 'a one-eyed jack', 'a unit')
    """
    is_open = re.match(r"[aeio]|u(?!n[ai])|8|1[18]\b", noun.lower()) and not re.match(
        r"one\b|eu|once\b", noun.lower()
    )
    return f"{'an' if is_open else 'a'} {noun}"


def count_of(number: int, noun: str, several: str | None = None) -> str:
    """So many of a noun.

    >>> count_of(1, "card"), count_of(2, "card"), count_of(0, "card"), count_of(13, "penalty")
    ('a card', 'two cards', 'no cards', '13 penalties')
    """
    return a(noun) if number == 1 else f"{in_words(number)} {several or plural(noun)}"


def in_words(number: int) -> str:
    """A number that counts something."""
    return COUNTS[number] if 0 <= number < len(COUNTS) else str(number)


def listed(texts: Sequence[str], last: str = "and") -> str:
    """Texts in a row.

    >>> listed(["Ada", "Ben", "Cleo"]), listed(["Ada"]), listed([])
    ('Ada, Ben and Cleo', 'Ada', 'nothing')
    """
    *most, end = texts or ["nothing"]
    return f"{', '.join(most)} {last} {end}" if most else end


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!', ':', '…')) else '.'}"


# ---- Names ---------------------------------------------------------------------------------------


def called(code: Any, name: str) -> str:
    """What people call something that the rules declare."""
    found = code.called.get(name)
    return words(name) if found is None or found.words is None else found.words


def on_table(code: Any, name: str) -> bool:
    """Whether something is for the table at all: what is called nothing is bookkeeping."""
    found = code.called.get(name)
    return found is None or found.words is not None


def is_you(names: Names, seat: int) -> bool:
    return seat_name(names, seat) == YOU


def who(names: Names, seat: int) -> str:
    """A player in the middle of a sentence: `you`, or `Ben`."""
    return "you" if is_you(names, seat) else seat_name(names, seat)


def whose(names: Names, seat: int) -> str:
    """`your`, `Ben's`, or `Thomas'`."""
    if is_you(names, seat):
        return "your"
    name = seat_name(names, seat)
    return f"{name}'" if name.endswith(("s", "x", "z")) else f"{name}'s"


def family_words(
    layout: Layout, names: Names, row: Any, indices: tuple[Any, ...]
) -> tuple[int | None, str]:
    """Whose a zone or variable is, and what it is called: `(None, "Seas column")`."""
    seat, rest = None, []
    for index, type_ in zip(indices, row.indices, strict=True):
        if isinstance(type_, Seat) and seat is None:
            seat = index
        else:
            rest.append(said(layout, index, type_, names))
    name, of = called(layout.code, row.name), " ".join(rest)
    if not of or of.casefold().startswith(name.casefold()):
        return seat, of or name
    return seat, f"{of} {name}"


def zone_words(layout: Layout, zone: int, names: Names = None) -> str:
    """`your hand`, `Ben's hand`, `the deck`, `the Seas column`."""
    found = layout.zones[zone]
    return _owned(names, *family_words(layout, names, found.row, found.indices))


def variable_words(layout: Layout, variable: int, names: Names = None) -> str:
    row, indices = layout.variables[variable]
    seat, name = family_words(layout, names, row, indices)
    return name if seat is None else _owned(names, seat, name)


def _owned(names: Names, seat: int | None, name: str) -> str:
    if seat is not None:
        return f"{whose(names, seat)} {name}"
    return name if name.casefold().startswith("the ") else f"the {name}"


# ---- Pieces --------------------------------------------------------------------------------------


def noun(code: Any, kinds: Collection[str]) -> tuple[str, str]:
    """What pieces of these kinds are called, unseen: one of them, and several."""
    found = {(called(code, kind), _plural_of(code, kind)) for kind in kinds}
    return found.pop() if len(found) == 1 else (CARD, plural(CARD))


def _plural_of(code: Any, name: str) -> str:
    found = code.called.get(name)
    return plural(called(code, name)) if found is None or found.plural is None else found.plural


def kinds_between(layout: Layout, *zones: int) -> frozenset[str]:
    """The kinds that may lie in all these zones."""
    return frozenset.intersection(*(layout.zones[zone].row.holds for zone in zones))


def is_common(layout: Layout, piece: int) -> bool:
    """Whether its label is a common noun, such as `Last Judgment`, and no value names it."""
    row = layout.pieces[piece].row
    if row.shown_as is not None:
        return all(isinstance(part, str) for part in row.shown_as)
    return not any(over is not None for _, over, _ in row.ranged)


def name_pieces(
    to: Listener, pieces: Iterable[int | None], kinds: Collection[str] | None = None
) -> str:
    """Pieces as a listener is told of them: equal ones together, those that are not seen last.

    None stands for a piece whose face the listener does not see; it is of one of these kinds.
    """
    layout = to.layout
    found = list(pieces)
    seen: Counter[tuple[str, bool]] = Counter(
        (piece_label(layout, each, to.names), is_common(layout, each))
        for each in found
        if each is not None
    )
    shown = [*seen.items()][: to.most]
    texts = [
        count_of(number, text) if common else text if number == 1 else f"{in_words(number)} {text}"
        for (text, common), number in shown
    ]
    one, several = noun(layout.code, layout_kinds(layout) if kinds is None else kinds)
    left = seen.total() - sum(number for _, number in shown)
    if left:
        texts.append(f"{in_words(left)} more")
    backs = sum(each is None for each in found)
    if backs:
        texts.append(f"{count_of(backs, one, several)}")
    return listed(texts)


def layout_kinds(layout: Layout) -> frozenset[str]:
    return frozenset(row.kind for row in layout.code.pieces)


# ---- Values --------------------------------------------------------------------------------------


def said(layout: Layout, value: Any, of: Type, names: Names = None) -> str:
    """A value in the middle of a sentence; players are spoken of, sets are listed."""
    if value is None:
        return "nobody" if isinstance(present(of), Seat) else "nothing"
    if isinstance(value, tuple):
        inner = of.of if isinstance(of, types.Several | types.Family) else of
        return listed([said(layout, each, inner, names) for each in value])
    if isinstance(present(of), Seat):
        return who(names, value)
    return label(layout, value, of, names)

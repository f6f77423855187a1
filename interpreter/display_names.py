"""Names of the rules -> the words that people at the table use for these things.

The author's `word_for` comes first; otherwise the name is split into words. Nothing here looks at hidden pieces: the
caller says which faces the listener may see.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from attrs import frozen

from interpreter.labels import Names, label, piece_label, seat_name, telling_attributes
from interpreter.layout import Layout
from rulespec import english
from rulespec.core import types
from rulespec.core.types import Seat, Type, present
from rulespec.english import count_of, in_words, listed, plural, words

YOU = "You"  # a player of this name is spoken to
CARD = "card"  # a word for pieces of several kinds
MOST_PIECES = 15  # pieces named in one sentence


@frozen
class Listener:
    """The player to whom something is told, or None for somebody who sees everything; and the names of the seats.

    `most` is the largest number of different pieces to name in one sentence.
    """

    layout: Layout
    names: Names = None
    player: int | None = None
    most: int | None = None

    def sees(self, players: int) -> bool:
        """Whether the listener is one of these players."""
        return self.player is None or bool(players >> self.player & 1)

    def hears(self, told: int, chooser: int | None = None) -> bool:
        """Whether the listener is told of something; a secret choice is told to its chooser first."""
        return self.sees(told) and not (self.player is None and _is_opened(told, chooser))

    def knows_question(self, chooser: int) -> bool:
        """Whether the listener knows what a player was asked, and whether there was anything to choose."""
        return self.player in (None, chooser)


@frozen
class Spectator(Listener):
    """Somebody who watches the game and is told what all players are told."""

    def sees(self, players: int) -> bool:
        """Whether all players are among these."""
        return players == (1 << self.layout.players) - 1

    def hears(self, told: int, chooser: int | None = None) -> bool:
        """A secret choice is later shown to everybody but its chooser, who knows it."""
        return self.sees(told | (0 if chooser is None else 1 << chooser))

    def knows_question(self, chooser: int) -> bool:  # noqa: ARG002 - nobody's
        """A spectator does not learn what players are asked."""
        return False


def _is_opened(told: int, chooser: int | None) -> bool:
    return chooser is not None and not told >> chooser & 1


# ---- Names ---------------------------------------------------------------------------------------


def word_for(code: Any, name: str) -> str:
    """The word that people use for something that the rules declare."""
    found = code.called.get(name)
    return words(name) if found is None or found.words is None else found.words


def on_table(code: Any, name: str) -> bool:
    """Whether something is shown at the table; a declaration that gets no words is bookkeeping."""
    found = code.called.get(name)
    return found is None or found.words is not None


def is_you(names: Names, seat: int) -> bool:
    return seat_name(names, seat) == YOU


def who(names: Names, seat: int) -> str:
    """A player in the middle of a sentence: `you`, or `Ben`."""
    return in_sentence(seat_name(names, seat))


def in_sentence(name: str) -> str:
    """A player or a team in the middle of a sentence: `you and Ben`."""
    begins = name == YOU or name.startswith((f"{YOU} and ", f"{YOU}, ", f"{YOU} ("))
    return f"you{name[len(YOU) :]}" if begins else name


def seat_possessive(names: Names, seat: int) -> str:
    """`your`, `Ben's`, or `Thomas'`."""
    if is_you(names, seat):
        return "your"
    return english.possessive(seat_name(names, seat))


def family_words(
    layout: Layout, names: Names, row: Any, indices: tuple[Any, ...]
) -> tuple[int | None, str]:
    """The owner of a zone or variable, and its name: `(None, "Seas column")`."""
    seat, rest = None, []
    for index, type_ in zip(indices, row.indices, strict=True):
        if isinstance(type_, Seat) and seat is None:
            seat = index
        else:
            rest.append(said(layout, index, type_, names))
    name, of = word_for(layout.code, row.name), " ".join(rest)
    if not of or of.casefold().startswith(name.casefold()):
        return seat, of or name
    if of.startswith("the "):  # it is a noun itself and does not belong to another one
        return seat, f"{name} ({of})"
    if len(of) == 1 or of.isdecimal():  # `column a` and `round 12`, like a number
        return seat, f"{name} {of}"
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
        return f"{seat_possessive(names, seat)} {name}"
    return name if name.casefold().startswith("the ") else f"the {name}"


# ---- Pieces --------------------------------------------------------------------------------------


def noun(code: Any, kinds: Collection[str]) -> tuple[str, str]:
    """The nouns for unseen pieces of these kinds: singular and plural."""
    found = {(word_for(code, kind), _plural_of(code, kind)) for kind in kinds}
    return found.pop() if len(found) == 1 else (CARD, plural(CARD))


def _plural_of(code: Any, name: str) -> str:
    found = code.called.get(name)
    return plural(word_for(code, name)) if found is None or found.plural is None else found.plural


def kinds_between(layout: Layout, *zones: int) -> frozenset[str]:
    """The kinds that may lie in all these zones."""
    return frozenset.intersection(*(layout.zones[zone].row.holds for zone in zones))


def is_countable(layout: Layout, piece: int) -> bool:
    """Whether the label of a piece is a common noun, such as `Last Judgment` or `blue seal`, and not a name."""
    row = layout.pieces[piece].row
    if row.shown_as is not None:
        end = row.shown_as[-1]
        return isinstance(end, str) and end[-1:].isalpha()
    return not telling_attributes(layout, piece)


def name_pieces(
    to: Listener, pieces: Iterable[int | None], kinds: Collection[str] | None = None
) -> str:
    """Pieces as a listener is told of them: equal ones together, unseen ones last.

    None stands for a piece whose face the listener does not see; it is of one of these kinds.
    """
    layout = to.layout
    found = list(pieces)
    seen: Counter[tuple[str, bool | None, str | None]] = Counter(
        (piece_words(layout, each, to.names), *_grammar(layout, each))
        for each in found
        if each is not None
    )
    shown = [*seen.items()][: to.most]
    texts = [
        _counted(text, number, several, common=common) for (text, common, several), number in shown
    ]
    left = seen.total() - sum(number for _, number in shown)
    if left:
        texts.append(f"{in_words(left)} more")
    backs = sum(each is None for each in found)
    if backs:
        one, several = noun(layout.code, layout_kinds(layout) if kinds is None else kinds)
        texts.append(count_of(backs, one, several))
    return listed(texts)


def piece_words(layout: Layout, piece: int, names: Names = None) -> str:
    """A piece by its label; if many have no values, by the word for their kind."""
    row = layout.pieces[piece].row
    if row.shown_as is not None or telling_attributes(layout, piece):
        return piece_label(layout, piece, names)
    return word_for(layout.code, row.kind) if _is_one_of_many(layout, piece) else row.kind


def _is_one_of_many(layout: Layout, piece: int) -> bool:
    """Whether other pieces have the same label."""
    row = layout.pieces[piece].row
    if row.shown_as is None or any(not isinstance(part, str) for part in row.shown_as):
        return layout.faces.count(layout.faces[piece]) > 1
    return sum(each.row is row for each in layout.pieces) > 1


def _is_common(layout: Layout, piece: int) -> bool | None:
    """Whether it is one of several pieces that share a common noun; None if it is the only one."""
    if not is_countable(layout, piece):
        return piece_words(layout, piece).isdecimal()
    if _is_one_of_many(layout, piece):
        return True
    # A single piece is shown as its author says, or else it is the one of its kind.
    return None if layout.pieces[piece].row.shown_as is None else False


def _grammar(layout: Layout, piece: int) -> tuple[bool | None, str | None]:
    """Whether a common noun names the piece, and the plural of that noun if the author gives one."""
    row, telling = layout.pieces[piece].row, telling_attributes(layout, piece)
    if row.shown_as is None and len(telling) == 1:
        value = layout.pieces[piece].attributes[telling[0]]
        declared = next(each for each in layout.code.attributes if each.name == telling[0])
        if isinstance(present(declared.type), types.Choice):
            found = layout.code.called.get(layout.code.members[value].name)
            if found is not None and found.plural is not None:
                return True, found.plural
    return _is_common(layout, piece), None


def _counted(text: str, number: int, several: str | None = None, *, common: bool | None) -> str:
    if common is None:
        return text if text.casefold().startswith("the ") else f"the {text}"
    if common:
        return count_of(number, text, several)
    return text if number == 1 else f"{in_words(number)} {text}"


def layout_kinds(layout: Layout) -> frozenset[str]:
    return frozenset(row.kind for row in layout.code.pieces)


# ---- Values --------------------------------------------------------------------------------------


def said(layout: Layout, value: Any, of: Type, names: Names = None) -> str:
    """A value in the middle of a sentence; players are named, sets are listed."""
    if value is None:
        return "nobody" if isinstance(present(of), Seat) else "nothing"
    if isinstance(value, tuple):
        inner = of.of if isinstance(of, types.Several | types.Family) else of
        return listed([said(layout, each, inner, names) for each in value])
    if isinstance(present(of), Seat):
        return who(names, value)
    return label(layout, value, of, names)

"""A sentence -> its words, with the colours of those that name a player or a card."""

import re
from functools import lru_cache

from attrs import frozen

from interpreter.display_names import YOU
from interpreter.labels import piece_label
from interpreter.shown.palette import Tone
from interpreter.shown.picture import Scene


@frozen
class Word:
    """A part of a sentence; it may name a player, or something that has a tone."""

    text: str
    tone: Tone | None = None
    seat: int | None = None


@frozen(eq=False)
class _Names:
    pattern: re.Pattern[str]
    tones: dict[str, Tone]
    seats: dict[str, int]


def find_words(scene: Scene, text: str) -> list[Word]:
    """The parts of a sentence, in order.

    It uses only the text itself, so that a colour never reveals a secret.
    """
    names = _names(scene)
    found: list[Word] = []
    at = 0
    for match in names.pattern.finditer(text):
        if match.start() > at:
            found.append(Word(text[at : match.start()]))
        key = match[0].casefold()
        found.append(Word(match[0], names.tones.get(key), names.seats.get(key)))
        at = match.end()
    return [*found, Word(text[at:])] if at < len(text) else found


@lru_cache(maxsize=8)
def _names(scene: Scene) -> _Names:
    layout, palette = scene.layout, scene.palette
    tones = {
        layout.code.members[number].label.casefold(): tone
        for number, tone in palette.members.items()
    }
    for piece, face in enumerate(layout.faces):
        if face in palette.faces:
            label = piece_label(layout, piece, scene.names).casefold()
            tones.setdefault(label, palette.faces[face])
    seats = {name.casefold(): seat for seat, name in enumerate(scene.names)}
    if YOU in scene.names:
        seats["your"] = scene.names.index(YOU)
    words = sorted((*tones.keys(), *seats.keys()), key=len, reverse=True)
    ends = "|".join(re.escape(word) for word in words if word)
    return _Names(re.compile(rf"(?<!\w)(?:{ends})(?!\w)", re.IGNORECASE), tones, seats)

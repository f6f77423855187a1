"""A sentence of an author with its holes filled -> English: verbs that agree, counted nouns, no doubled articles.

`compose` takes a sequence of texts and holes and does not know the game. `phrase` fills the holes for one listener.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal

from attrs import frozen

from interpreter.display_names import Listener, is_you, name_pieces, said
from interpreter.event_log import Filled, holds_pieces
from interpreter.labels import seat_name
from rulespec.core.types import Maybe, Number, Piece, Seat, Several, Type, present
from rulespec.english import (
    SUBJECT,
    a,
    in_words,
    listed,
    possessive,
    sentence,
    singular,
    they,
    third,
)

_DROPS = re.compile(r"(?:,| and| but| then|, and|, but|, then) $")
_CONDITION = re.compile(
    r"(?:^|[.?!:] )(?:when|if|because|as|while|after|before)\b[^.?!:]*$", re.IGNORECASE
)
_ARTICLE = re.compile(r"\b(?:the|an?|his|her|its|their|your|one|this|that) $", re.IGNORECASE)
_NAMING = re.compile(r"\bthe $", re.IGNORECASE)
_PLURAL_VERBS = ("are", "were", "have", "do", "go", "lie", "remain", "stay", "come")


@frozen
class Hole:
    """The content of a hole: players, pieces, a number, or something else."""

    kind: Literal["players", "pieces", "number", "text"]
    text: str  # in the middle of a sentence
    is_several: bool = False
    is_you: bool = False  # the listener is among the players
    number: int = 0


def compose(parts: Sequence[str | Hole]) -> str:
    """The whole sentence.

    >>> ben, you = Hole("players", "Ben"), Hole("players", "you", is_you=True)
    >>> both = Hole("players", "you and Ben", is_several=True, is_you=True)
    >>> [compose([each, " wins the trick"]) for each in (ben, you, both)]
    ['Ben wins the trick.', 'You win the trick.', 'You and Ben win the trick.']
    >>> compose([ben, " takes a card from ", you, "; ", you, " has none left"])
    'Ben takes a card from you; you have none left.'
    >>> compose([you, " wins the trick, ", you, " cannot pay and ", you, " takes ", you, "'s seal"])
    'You win the trick, cannot pay and take your seal.'
    >>> [compose([each, " takes ", each, "'s card from ", ben, "'s hand"]) for each in (you, ben)]
    ["You take your card from Ben's hand.", 'Ben takes their card from their hand.']
    >>> compose(["Trick 1 · ", you, " leads"])
    'Trick 1 · you lead.'
    >>> card, cards = Hole("pieces", "a card"), Hole("pieces", "two cards", is_several=True)
    >>> compose([ben, "'s turn: ", cards, " is drawn, then the ", card, " is shown"])
    "Ben's turn: two cards are drawn, then the card is shown."
    >>> [compose([Hole("number", str(n), number=n), " black seals are left"]) for n in range(3)]
    ['No black seals are left.', 'A black seal is left.', 'Two black seals are left.']
    >>> one, six = Hole("number", "1", number=1), Hole("number", "6", number=6)
    >>> compose([you, " tells ", ben, " where the ", one, " cards are"])
    'You tell Ben where the 1 cards are.'
    >>> compose([ben, " bids ", one, " times ", six]), compose([ben, " asks ", one, " times"])
    ('Ben bids 1 times 6.', 'Ben asks once.')
    """
    text = ""
    subject: Hole | None = None
    for n, part in enumerate(parts):
        if isinstance(part, str):
            text += part if n == 0 else ""  # others were taken in after the hole before them
            continue
        following = parts[n + 1] if n + 1 < len(parts) else ""
        after = following if isinstance(following, str) else ""
        match part.kind:
            case "players":
                text, after, subject = _player(text, part, after, subject)
            case "pieces":
                text, after = _pieces(text, part, after)
            case "number":
                text, after = _number(text, part, after)
            case "text":
                text += part.text
        text += after
    return sentence(_capitals(text))


def _capitals(text: str) -> str:
    """Capitalize the first word of each sentence, as the text of a hole does not depend on its position."""
    return re.sub(r"(?<=[.?!] )you(r?)\b", lambda found: f"You{found[1]}", text)


def _player(
    text: str, hole: Hole, after: str, subject: Hole | None
) -> tuple[str, str, Hole | None]:
    if re.match(r"['’]s\b", after):
        mine = "their" if hole == subject and not hole.is_you else possessive(hole.text)
        owner = "your" if hole.is_you and not hole.is_several else mine
        return text + owner, after[2:], subject
    found = re.match(r" ([a-z][a-z'-]*)", after)
    many = they(found[1]) if found is not None else None
    if found is None or many is None or not SUBJECT.search(text):
        return text + hole.text, after, subject
    verb = many if hole.is_several or hole.is_you else found[1]
    tail = after[found.end() :]
    if subject == hole and _DROPS.search(text) and not _CONDITION.search(text):
        return text + verb, tail, hole
    return f"{text}{hole.text} {verb}", tail, hole


def _pieces(text: str, hole: Hole, after: str) -> tuple[str, str]:
    name = hole.text
    if _ARTICLE.search(text):
        name = re.sub(r"^(?:an?|one|the) ", "", name)
        if hole.is_several and re.search(r"\ban? $", text):
            text = re.sub(r"\ban? $", "", text)
    return text + name, _agree(after, is_several=hole.is_several) if SUBJECT.search(text) else after


def _agree(after: str, *, is_several: bool) -> str:
    found = re.match(r" ([a-z]+)\b", after)
    if found is None:
        return after
    verb = found[1]
    if is_several:
        verb = they(verb) or verb
    elif verb in _PLURAL_VERBS:
        verb = third(verb)
    return f" {verb}{after[found.end() :]}"


def _number(text: str, hole: Hole, after: str) -> tuple[str, str]:
    """A number up to two words before a plural noun counts it; after `the` it is a name."""
    if _NAMING.search(text) or after == " times ":
        return text + hole.text, after
    if hole.number == 1 and re.match(r" times\b", after):
        return f"{text}once", after.removeprefix(" times")
    found = re.match(r"((?: [\w-]+){0,2}?) ([a-z]+s)\b", after)
    noun = singular(found[2]) if found is not None else None
    between = "" if found is None else found[1].strip()
    if found is None or noun is None or re.search(r"\b(of|to|and|or|in)\b", between):
        return text + hole.text, after
    if hole.number != 1:
        return text + in_words(hole.number), after
    one = f"{between} {noun}".strip()
    tail = _agree(after[found.end() :], is_several=False)
    is_one = _ARTICLE.search(text) or between.startswith("more")
    return text + (f"{'' if _ARTICLE.search(text) else 'one '}{one}" if is_one else a(one)), tail


# ---- Holes ---------------------------------------------------------------------------------------


def phrase(to: Listener, parts: Sequence[str | Filled]) -> str:
    """A sentence as a listener is told it."""
    return compose([each if isinstance(each, str) else _hole(to, each) for each in parts])


def _hole(to: Listener, filled: Filled) -> Hole:
    value, of = filled.value, filled.of
    values = value if isinstance(value, tuple) else () if value is None else (value,)
    inner = _element(of)
    if isinstance(inner, Seat):
        names = to.names
        ordered = sorted(values, key=lambda seat: not is_you(names, seat))
        texts = ["you" if is_you(names, seat) else seat_name(names, seat) for seat in ordered]
        return Hole(
            "players",
            listed(texts) if texts else "nobody",
            is_several=len(values) > 1,
            is_you=any(is_you(names, seat) for seat in values),
        )
    if isinstance(inner, Piece) and holds_pieces(of):
        return Hole("pieces", name_filled(to, filled), is_several=len(values) > 1)
    if isinstance(inner, Number) and isinstance(value, int):
        return Hole("number", str(value).replace("-", "−"), number=value)
    return Hole("text", said(to.layout, value, of, to.names))


def name_filled(to: Listener, filled: Filled) -> str:
    """Name the pieces whose faces the listener saw; the others are only counted."""
    value, inner = filled.value, _element(filled.of)
    pieces: tuple[Any, ...] = (
        value if isinstance(value, tuple) else () if value is None else (value,)
    )
    seen = zip(pieces, filled.seers, strict=True)
    kinds = inner.kinds if isinstance(inner, Piece) else None
    return name_pieces(to, [each if to.sees(who) else None for each, who in seen], kinds)


def _element(of: Type) -> Type:
    inner = present(of)
    while isinstance(inner, Several | Maybe):
        inner = inner.of
    return inner

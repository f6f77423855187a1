"""Answers that no line has told yet, and what followed them -> which of these answers the rest already implies."""

import re
from collections import Counter
from collections.abc import Container, Sequence

from attrs import frozen

from interpreter.answer_sentences import Said, is_amount, reply
from interpreter.display_names import Listener, said, who
from interpreter.event_log import holds_pieces
from interpreter.hearing import Heard
from interpreter.labels import piece_label
from rulespec.core.types import Bool, Choice, Number, Piece, Several, present
from rulespec.english import in_words

_SMALL = frozenset(("the", "and", "with", "for", "card", "cards", "from", "one", "into"))


@frozen
class Doing:
    """Who decided a move, and the answer in which that player said what to do with these pieces."""

    player: int | None
    does: Said | None = None
    answer: Heard | None = None


def find_doing(
    to: Listener, waiting: Sequence[Heard], moved: Sequence[Heard], actor: int | None
) -> Doing:
    """Find the player and the answer that decided what happens to the pieces that are moved or shown."""
    pieces = pieces_in(moved)
    hidden = pieces.total() - sum(_came_openly(to, each) for each in moved)
    together: Counter[int | None] = Counter()
    for each in reversed(waiting):
        player, value, of = each.event.data
        if value is None or not holds_pieces(of):
            continue
        together.update(value)
        if any(_are(found, pieces, hidden) for found in (Counter(value), together)):
            return Doing(player, reply(to, each), each)
    return Doing(actor)


def pieces_in(steps: Sequence[Heard]) -> Counter[int | None]:
    """The pieces that are moved or shown."""
    pieces: Counter[int | None] = Counter()
    for each in steps:
        match each.event.kind:
            case "show":
                pieces.update(each.event.data[0])
            case "move":
                pieces.update(each.event.data[:1])
    return pieces


def _came_openly(to: Listener, step: Heard) -> bool:
    """Whether the step moved a piece that everybody had seen before."""
    if step.event.kind != "move":
        return False
    _, source, _, _, _ = step.event.data
    seen_by: str = to.layout.zones[source].row.seen_by
    return seen_by == "everyone"


def _are(chosen: Counter[int | None], moved: Counter[int | None], hidden: int) -> bool:
    """Whether the chosen pieces may be the moved ones, `hidden` of which nobody could see before.

    A move may show the face of a piece that was hidden when it was chosen.
    """
    seen = +(chosen - Counter({None: chosen[None]}))
    return chosen.total() == moved.total() and chosen[None] <= hidden and not seen - moved


def is_thing(answer: Heard) -> bool:
    """Whether a player chose the pieces that are moved, or their destination."""
    _, value, of = answer.event.data
    inner = present(of)
    inner = present(inner.of) if isinstance(inner, Several) else inner
    return value is not None and isinstance(inner, Choice | Piece)


def is_covered(
    to: Listener,
    answer: Heard,
    spoken: str,
    texts: Sequence[str],
    moved: Container[int | None],
) -> bool:
    """Whether an answer need not be told any more: there was no choice, or the sentences already `spoken` tell it.

    `texts` are those sentences that followed from the answer, `moved` the pieces that they are about.
    """
    player, value, of = answer.event.data
    if not answer.is_free:
        return True
    if value is None:
        return False
    inner = present(of)
    match inner:
        case Bool():
            return bool(value) and any(each.startswith(who(to.names, player)) for each in texts)
        case Number():
            found = {str(value), in_words(value), *(("a", "an") if value == 1 else ())}
            spoken_words = {*re.findall(r"[\w−-]+", " ".join(texts))}
            is_told = bool(found & spoken_words) or (value == 0 and bool(texts))
            return is_amount(answer) and is_told
    if holds_pieces(of):
        left = [each for each in value if each is not None and each not in moved]
        labels = [piece_label(to.layout, each, to.names) for each in left]
        return all(each in spoken for each in labels) and (bool(texts) or None not in value)
    one = inner.of if isinstance(inner, Several) else of
    values = value if isinstance(value, tuple) else (value,)
    return all(is_mentioned(spoken, said(to.layout, each, one, to.names)) for each in values)


def is_mentioned(text: str, label: str) -> bool:
    """Whether a text contains one of the distinctive words of a label.

    >>> is_mentioned("Ben puts two Ira onto the abyss.", "the Abyss of Souls")
    True
    >>> is_mentioned("Ben plays blue 4.", "a run of values")
    False
    """
    spoken = {*re.findall(r"[\w-]+", text.casefold())}
    found = re.findall(r"[\w-]+", label.casefold())
    return any(each in spoken for each in found if each not in _SMALL and len(each) > 2)

"""A passage -> lines: an answer with what it moved, and what followed; beneath each line its events.

Answers in a row that lead to one move are one line. What the author tells stands for the answers that led to it and
for what its rule does.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from interpreter.changes import describe_change, tell_changes
from interpreter.hearing import Heard
from interpreter.knowledge import holds_pieces
from interpreter.labels import piece_label
from interpreter.naming import Listener, kinds_between, name_pieces, said, who, zone_words
from interpreter.passages import Clause, Passage, group
from interpreter.phrasing import phrase
from interpreter.replies import Said, answer_text, reply, sentence_of, tell_of
from interpreter.verbs import (
    describe_moves,
    describe_show,
    tell_moves,
    tell_shown,
)
from rulespec.core.tree import Origin
from rulespec.core.types import Bool, Choice, Number, Piece, Several, present
from rulespec.english import in_words, sentence, words

MOST_SENTENCES = 3  # of one line
_SMALL = frozenset(("the", "and", "with", "for", "card", "cards", "from", "one", "into"))


@frozen
class Detail:
    """An event beneath a line: what happened, and where in the rules that is said."""

    text: str
    origin: Origin


@frozen
class Line:
    """A move, or something told: from event `at` on, up to `until`."""

    text: str
    details: tuple[Detail, ...]
    origin: Origin
    at: int
    until: int


@define
class _Draft:
    """A line that is being written, and the answers that are not told yet."""

    to: Listener
    actor: int | None
    before: str  # what was told of the same player just before
    asked: list[str]  # and what the player was asked
    sentences: list[str] = field(factory=list)
    details: list[Detail] = field(factory=list)
    waiting: list[Heard] = field(factory=list)
    origin: Origin | None = None
    at: int = 0
    until: int = 0
    done: list[Line] = field(factory=list)


def tell_passage(
    to: Listener, passage: Passage, before: str = "", asked: Sequence[str] = ()
) -> list[Line]:
    """The lines of a passage; `before` is what was told of the same player just before it, `asked` what was asked."""
    told = {each.event.origin.rule for each in passage.heard if each.event.kind == "tell"}
    draft = _Draft(to, passage.actor, before, list(asked), at=passage.heard[0].index)
    for clause in group(to.layout, passage.heard):
        kind, first = clause.key[0], clause.heard[0]
        if kind == "tell" or (kind != "chose" and len(draft.sentences) >= MOST_SENTENCES):
            _end(draft, first.index)
        draft.until = max(draft.until, clause.heard[-1].index + 1)
        draft.details += _details(to, clause)
        match kind:
            case "chose":
                draft.waiting.append(first)
            case "tell":
                draft.waiting.clear()
                _write(draft, phrase(to, first.event.data[0]), first.event.origin)
            case _:
                left = [each for each in clause.heard if each.event.origin.rule not in told]
                if left:
                    _tell(draft, Clause(clause.key, left))
    _settle(draft, [])
    _end(draft, draft.until)
    return draft.done


# ---- Writing -------------------------------------------------------------------------------------


def _write(draft: _Draft, text: str, origin: Origin) -> None:
    draft.sentences.append(sentence(text))
    draft.origin = draft.origin or origin


def _end(draft: _Draft, index: int) -> None:
    """The line is written; what was not worth a sentence stands beneath it, or beneath the next one."""
    if draft.origin is not None:
        text = " ".join(draft.sentences)
        found = Line(text, tuple(draft.details), draft.origin, draft.at, draft.until)
        draft.done.append(found)
        draft.before = text
    elif draft.done and draft.details:
        last = draft.done[-1]
        draft.done[-1] = evolve(
            last, details=(*last.details, *draft.details), until=max(last.until, draft.until)
        )
    else:
        return
    draft.sentences, draft.details, draft.origin, draft.at = [], [], None, index


def _tell(draft: _Draft, clause: Clause) -> None:
    """What followed; the answers that it does not tell come first."""
    texts = _texts(draft, clause)
    if texts:
        texts = _settle(draft, texts)
        for text in texts:
            _write(draft, text, clause.heard[0].event.origin)


def _settle(draft: _Draft, texts: list[str]) -> list[str]:
    """Tell the answers that these sentences do not tell; one with the same verb takes the first of them in."""
    spoken = " ".join([draft.before, *draft.sentences, *texts])
    left = []
    for each in draft.waiting:
        is_again = each.event.data[1] is None and each.prompt in draft.asked
        draft.asked.append(each.prompt)
        if not is_again and not _is_covered(draft.to, each, spoken, texts):
            left.append(each)
    draft.waiting.clear()
    for each in left:
        text, does = sentence_of(draft.to, each), reply(draft.to, each)
        if does is not None and not does.rest and each is left[-1] and texts:
            start = " ".join([*text.removesuffix(does.thing).split(), ""])
            if texts[0].startswith(start):
                is_number = isinstance(present(each.event.data[2]), Number)
                if not is_number:
                    texts = [f"{text}: {texts[0].removeprefix(start)}", *texts[1:]]
                continue
        _write(draft, text, each.event.origin)
        draft.sentences = list(dict.fromkeys(draft.sentences))
    return texts


def _doing(draft: _Draft, moved: Sequence[Heard]) -> tuple[int | None, Said | None]:
    """Who said to do what with the very pieces that are moved or shown; else whose decision it was."""
    pieces: Counter[int | None] = Counter()
    for each in moved:
        match each.event.kind:
            case "move":
                pieces[each.event.data[0]] += 1
            case "show":
                pieces.update(each.event.data[0])
    together: Counter[int | None] = Counter()
    for each in reversed(draft.waiting):
        player, value, of = each.event.data
        if value is not None and holds_pieces(of):
            together.update(value)
            if pieces in (Counter(value), together):
                return player, reply(draft.to, each)
    return draft.actor, None


# ---- Answers -------------------------------------------------------------------------------------


def _is_covered(to: Listener, answer: Heard, spoken: str, texts: Sequence[str]) -> bool:
    """Whether an answer need not be told any more: nobody had a choice, or the move says it."""
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
            return bool(found & {*re.findall(r"[\w−-]+", " ".join(texts).lower())})
    if holds_pieces(of):
        labels = [piece_label(to.layout, each, to.names) for each in value if each is not None]
        return all(each in spoken for each in labels) and (bool(texts) or None not in value)
    one = inner.of if isinstance(inner, Several) else of
    values = value if isinstance(value, tuple) else (value,)
    return all(_mentions(spoken, said(to.layout, each, one, to.names)) for each in values)


def _mentions(text: str, label: str) -> bool:
    """Whether one of the words that make a label what it is has been said.

    >>> _mentions("Ben puts two Ira onto the abyss.", "the Abyss of Souls")
    True
    >>> _mentions("Ben plays blue 4.", "a run of values")
    False
    """
    spoken = {*re.findall(r"[\w-]+", text.casefold())}
    found = re.findall(r"[\w-]+", label.casefold())
    return any(each in spoken for each in found if each not in _SMALL and len(each) > 2)


# ---- What followed -------------------------------------------------------------------------------


def _texts(draft: _Draft, clause: Clause) -> list[str]:
    to, first = draft.to, clause.heard[0]
    actor, does = _doing(draft, clause.heard)
    match clause.key[0]:
        case "move":
            is_answer = any(_is_thing(each) for each in draft.waiting)
            return tell_moves(to, clause.heard, actor, does, is_answer=is_answer)
        case "show":
            return tell_shown(to, clause.heard, actor, does)
        case "set":
            return tell_changes(to, clause.heard)
        case "top":
            piece, zone = first.event.data
            return [f"turned up: {name_pieces(to, [piece], kinds_between(to.layout, zone))}"]
        case "announce":
            return [_announced(to, first)]
        case "random":
            value, of, _ = first.event.data
            return (
                [] if holds_pieces(of) else [f"by chance: {said(to.layout, value, of, to.names)}"]
            )
    return []  # a shuffle, or what was told already


def _is_thing(answer: Heard) -> bool:
    """Whether somebody chose what is moved, or where it goes."""
    _, value, of = answer.event.data
    inner = present(of)
    inner = present(inner.of) if isinstance(inner, Several) else inner
    return value is not None and isinstance(inner, Choice | Piece)


def _announced(to: Listener, heard: Heard) -> str:
    name, value, of, players = heard.event.data
    text = f"{words(name)}: {said(to.layout, value, of, to.names)}"
    if len(players) == to.layout.players:
        return text
    return tell_of(to, list(players), "learn", f" this: {text}")


def describe(to: Listener, heard: Heard) -> str:
    """One event, as it stands beneath a line."""
    found = _details(to, Clause((), [heard]))
    return found[0].text if found else ""


# ---- Beneath a line ------------------------------------------------------------------------------


def _details(to: Listener, clause: Clause) -> list[Detail]:
    """What happened, step by step; pieces that went the same way are told together."""
    found: list[Detail] = []
    ways: dict[tuple[Any, ...], list[Heard]] = {}
    for each in clause.heard:
        origin = each.event.origin
        match each.event.kind:
            case "move":
                ways.setdefault(each.event.data[1:4:2], []).append(each)
            case "chose" if not each.is_free:
                pass  # nobody had a choice
            case kind:
                text = _describe(to, each, kind)
                if text:
                    found.append(Detail(sentence(text), origin))
    moves = [Detail(describe_moves(to, way), way[0].event.origin) for way in ways.values()]
    return [*moves, *found]


def _describe(to: Listener, each: Heard, kind: str) -> str:
    data = each.event.data
    match kind:
        case "chose":
            return sentence_of(to, each)
        case "show":
            return describe_show(to, each)
        case "set":
            return describe_change(to, each)
        case "top":
            piece, zone = data
            names = name_pieces(to, [piece], kinds_between(to.layout, zone))
            return f"{names} lies on top of {zone_words(to.layout, zone, to.names)}"
        case "announce":
            return _announced(to, each)
        case "random":
            value, of, _ = data
            return f"chance picks {answer_text(to, (value,) if isinstance(value, int) and holds_pieces(of) else value, of)}"
        case "shuffle":
            return f"{zone_words(to.layout, data[0], to.names)} is shuffled"
    return ""

"""A passage -> lines: an answer with what it moved, and what followed; beneath each line its events.

Answers in a row that lead to one move are one line. What the author tells stands for the answers that led to it and
for what its rule does.
"""

from collections.abc import Container, Sequence

from attrs import define, evolve, field, frozen

from interpreter.answer_sentences import reply, sentence_of
from interpreter.details import Detail, announced, describe_all
from interpreter.display_names import Listener, kinds_between, name_pieces, piece_words, said
from interpreter.event_log import holds_pieces
from interpreter.hearing import Heard
from interpreter.implied_answers import Doing, find_doing, is_covered, is_thing, pieces_in
from interpreter.passages import Passage, StepGroup, group_steps
from interpreter.phrasing import phrase
from interpreter.tellings import find_telling, in_telling_order, is_told_by_author, name_moved
from interpreter.value_changes import tell_changes
from interpreter.verbs import tell_moves, tell_remade, tell_shown, unsaid
from rulespec.core.tree import Origin
from rulespec.core.types import Number, present
from rulespec.english import sentence

MOST_SENTENCES = 3  # in one line
FORCED = "your only choice"


@frozen
class StoryLine:
    """A move, or something told: from event `at` on, up to `until`."""

    text: str
    details: tuple[Detail, ...]
    origin: Origin
    at: int
    until: int


@define
class _Draft:
    """A line that is being written, and the answers that no sentence has told yet."""

    to: Listener
    actor: int | None
    before: str  # what was told of the same player just before
    asked: list[str]  # and what the player was asked
    shuffled: frozenset[int]  # the zones that are shuffled in this passage
    is_forced: bool  # the listener had nothing to choose
    sentences: list[str] = field(factory=list)
    details: list[Detail] = field(factory=list)
    waiting: list[Heard] = field(factory=list)
    origin: Origin | None = None
    at: int = 0
    until: int = 0
    done: list[StoryLine] = field(factory=list)


def tell_passage(
    to: Listener, passage: Passage, before: str = "", asked: Sequence[str] = ()
) -> list[StoryLine]:
    """The lines of a passage; `before` is what was told of the same player just before it, `asked` what was asked."""
    passage = Passage(passage.actor, name_moved(to, passage.heard))
    kinds = [(each.event.kind, each.event) for each in passage.heard]
    telling = find_telling(to, passage.heard)
    shuffled = frozenset(event.data[0] for kind, event in kinds if kind == "shuffle")
    forced = _is_forced(to, passage)
    at = passage.heard[0].index
    draft = _Draft(to, passage.actor, before, list(asked), shuffled, forced, at=at)
    for clause in in_telling_order(group_steps(to.layout, passage.heard)):
        kind, first = clause.key[0], clause.heard[0]
        if kind == "tell" or (kind != "chose" and len(draft.sentences) >= MOST_SENTENCES):
            _end(draft, first.index)
        draft.until = max(draft.until, clause.heard[-1].index + 1)
        draft.details += describe_all(to, clause)
        match kind:
            case "chose":
                draft.waiting += clause.heard
            case "tell":
                draft.waiting.clear()
                _write(draft, phrase(to, first.event.data[0]), first.event.origin)
            case _:
                left = [
                    each for each in clause.heard if not is_told_by_author(to, each.event, telling)
                ]
                for answers, some in _by_player(to, draft, left):
                    _tell(draft, StepGroup(clause.key, some), answers)
    _settle(draft, [])
    _end(draft, draft.until)
    return draft.done


def _is_forced(to: Listener, passage: Passage) -> bool:
    """Whether the listener did this without being asked, because there was only one option."""
    answers = [each for each in passage.heard if each.event.kind == "chose"]
    is_own = to.player is not None and passage.actor == to.player
    # Without any option, the listener did not take the only one.
    took = any(each.event.data[1] is not None for each in answers)
    return is_own and took and not any(each.is_free for each in answers)


def _by_player(
    to: Listener, draft: _Draft, heard: list[Heard]
) -> list[tuple[list[Heard], list[Heard]]]:
    """The answers and what followed them; for each player, if several answered at the same time."""
    players = {each.event.data[0] for each in draft.waiting}
    if len(players) < 2 or any(each.event.kind != "move" for each in heard):
        return [(draft.waiting, heard)] if heard else []
    found: dict[int | None, list[Heard]] = {}
    for each in heard:
        found.setdefault(to.layout.zones[each.event.data[1]].owner, []).append(each)
    return [
        ([each for each in draft.waiting if each.event.data[0] == seat], some)
        for seat, some in found.items()
    ]


# ---- Writing -------------------------------------------------------------------------------------


def _write(draft: _Draft, text: str, origin: Origin) -> None:
    found = sentence(text)
    # A card that is shown on a deck and then placed face up is told as turned up only once.
    is_said = found in draft.sentences or (
        found.startswith("Turned up") and any(found in line.text for line in draft.done)
    )
    if not is_said:
        draft.sentences.append(found)
        draft.origin = draft.origin or origin


def _end(draft: _Draft, index: int) -> None:
    """Finish the line; events without a sentence become details of this line, or of the next one."""
    if draft.origin is not None:
        if draft.is_forced and not draft.done and draft.sentences[0].startswith("You "):
            draft.sentences[0] = f"{draft.sentences[0].removesuffix('.')}, {FORCED}."
        text = " ".join(draft.sentences)
        found = StoryLine(text, tuple(draft.details), draft.origin, draft.at, draft.until)
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


def _tell(draft: _Draft, clause: StepGroup, answers: list[Heard]) -> None:
    """Tell what followed, and those answers that it does not tell: before it, or after it if they came later."""
    actor = answers[0].event.data[0] if answers else draft.actor
    doing = find_doing(draft.to, answers, clause.heard, actor)
    texts = _texts(draft, clause, doing)
    if not texts:
        return
    others = [each for each in draft.waiting if each not in answers]
    postponed: list[Heard] = []
    if doing.answer is not None:
        after = answers[answers.index(doing.answer) + 1 :]
        postponed = [each for each in after if not holds_pieces(each.event.data[2])]
    draft.waiting = [each for each in answers if each not in postponed]
    extra = unsaid(draft.to, clause.heard) if clause.key[0] == "move" else ""
    for text in _settle(draft, texts, extra, pieces_in(clause.heard)):
        if len(draft.sentences) >= MOST_SENTENCES:
            _end(draft, draft.until)
        _write(draft, text, clause.heard[0].event.origin)
    draft.waiting = postponed
    _settle(draft, texts)
    draft.waiting = others


def _settle(
    draft: _Draft, texts: list[str], extra: str = "", moved: Container[int | None] = ()
) -> list[str]:
    """Tell the answers that these sentences do not tell; a sentence with the same verb includes the first of them."""
    spoken = " ".join([draft.before, *draft.sentences, *texts, extra])
    left = []
    for each in draft.waiting:
        is_again = each.event.data[1] is None and each.prompt in draft.asked
        draft.asked.append(each.prompt)
        if not is_again and not is_covered(draft.to, each, spoken, texts, moved):
            left.append(each)
    draft.waiting = []
    for each in left:
        merged = _merged(draft.to, each, texts[0]) if texts and each is left[-1] else None
        if merged is None:
            _write(draft, sentence_of(draft.to, each), each.event.origin)
        else:
            texts = [merged, *texts[1:]]
    return texts


def _merged(to: Listener, answer: Heard, text: str) -> str | None:
    """`Ben plays a run` and `Ben plays Ira 1 and Ira 2` -> `Ben plays a run: Ira 1 and Ira 2`."""
    does = reply(to, answer)
    if does is None or does.rest:
        return None
    whole = sentence_of(to, answer)
    start = f"{whole.removesuffix(does.thing).strip()} "
    if not text.startswith(start):
        return None
    if isinstance(present(answer.event.data[2]), Number):
        return text
    return f"{whole}: {text.removeprefix(start)}"


def _is_said(draft: _Draft, clause: StepGroup) -> bool:
    """Whether the line already names everything that is shown."""
    spoken = " ".join(draft.sentences)
    pieces = [piece for each in clause.heard for piece in each.event.data[0]]
    layout, names = draft.to.layout, draft.to.names
    return all(c is not None and piece_words(layout, c, names) in spoken for c in pieces)


# ---- What followed -------------------------------------------------------------------------------


def _texts(draft: _Draft, clause: StepGroup, doing: Doing) -> list[str]:
    to, first = draft.to, clause.heard[0]
    data = first.event.data
    match clause.key[0]:
        case "move" if data[3] in draft.shuffled:
            return tell_remade(to, clause.heard) if draft.actor is not None else []
        case "move":
            is_answer = any(is_thing(each) for each in draft.waiting)
            return tell_moves(to, clause.heard, doing.player, doing.does, is_answer=is_answer)
        case "show":
            texts = tell_shown(to, clause.heard, doing.player, doing.does)
            return [] if _is_said(draft, clause) else texts
        case "set":
            return tell_changes(to, clause.heard)
        case "top":
            return [f"turned up: {name_pieces(to, data[:1], kinds_between(to.layout, data[1]))}"]
        case "announce":
            return [announced(to, first)]
        case "random":
            value, of, _ = data
            return (
                [] if holds_pieces(of) else [f"by chance: {said(to.layout, value, of, to.names)}"]
            )
    return []  # a shuffle, or what was told already

"""A game under way -> what may be on the screen now, as data.

Everything is made from the `Sight` of whoever looks, which is made from that seat's view. While the screen is
handed over there is nothing to see.
"""

from typing import TypedDict

from interpreter.headings import Heading
from interpreter.lines import StoryLine
from interpreter.session import Session
from interpreter.shown.audience import tell_waiting
from interpreter.shown.beats import find_beats
from interpreter.shown.marked_words import find_words
from interpreter.shown.picture import Area, Counter, Group, Scene
from interpreter.shown.sights import Sight, current_sight, past_sight
from interpreter.story import Entry
from rulespec.playground.open_game import OpenGame
from rulespec.playground.outcomes import result_data
from rulespec.playground.protocol import screen
from rulespec.playground.protocol.screen import Frame
from rulespec.playground.questions import question_data, tone_data


class _Head(TypedDict):
    title: str
    players: list[screen.Seat]
    over: bool


class _TableData(TypedDict):
    where: list[str]
    turn: int | None
    groups: list[screen.Group]
    question: screen.Question | None


def frame_of(open_game: OpenGame) -> Frame:
    """What is shown now; the page has read it then."""
    session = open_game.session
    if session.passes_to is not None:
        open_game.sight, open_game.read = None, 0
        return _curtain(open_game)
    is_asked = session.asked is not None and session.asked == session.viewer
    sight = current_sight(session, open_game.scene, 0 if is_asked else open_game.read)
    open_game.sight, open_game.read = sight, len(session.match.events)
    return {
        **_frame(open_game, sight),
        "waiting": tell_waiting(session) if _is_waiting(session) else None,
        "may_undo": session.may_undo,
        "result": result_data(session, open_game.scene) if session.over else None,
    }


def beats_of(open_game: OpenGame, choices: range, *, wanted: bool) -> list[Frame]:
    """What whoever had the screen sees of these choices, moment by moment; and what came of them, if they pass it on."""
    session, scene, read = open_game.session, open_game.scene, open_game.read
    found: list[Frame] = []
    for number in choices if wanted else ():
        for beat in find_beats(session, scene, number):
            found.append(_frame(open_game, past_sight(session, scene, beat, read)))
            read = beat.until
    if session.passes_to is not None and session.holder is not None:
        found.append(_frame(open_game, current_sight(session, scene, read)))
    return found


def _frame(open_game: OpenGame, sight: Sight) -> Frame:
    """What is seen of a moment; nothing is waited for, and nothing taken back."""
    return {
        **_head(open_game),
        "viewer": sight.viewer,
        "hand_to": None,
        "waiting": None,
        **sight_data(sight),
        "story": [_told(each, open_game.scene) for each in sight.story],
        "fresh": sight.new,
        "may_undo": False,
        "result": None,
    }


def sight_data(sight: Sight) -> _TableData:
    """The table, and the question."""
    question = None
    if sight.decision is not None and sight.offer is not None:
        question = question_data(sight.decision, sight.offer)
    return {
        "where": list(sight.where),
        "turn": sight.picture.turn,
        "groups": [_group(each, sight) for each in sight.picture.groups],
        "question": question,
    }


def _is_waiting(session: Session) -> bool:
    return session.asked is not None and not session.is_human(session.asked)


def _head(open_game: OpenGame) -> _Head:
    seats = open_game.session.seats
    return {
        "title": open_game.scene.title,
        "players": [{"name": each.name, "kind": each.kind} for each in seats],
        "over": open_game.session.over,
    }


def _curtain(open_game: OpenGame) -> Frame:
    """The next player must not see what the last one saw."""
    return {
        **_head(open_game),
        "viewer": None,
        "hand_to": open_game.session.passes_to,
        "waiting": None,
        "where": [],
        "turn": None,
        "groups": [],
        "question": None,
        "story": [],
        "fresh": 0,
        "may_undo": False,
        "result": None,
    }


# ---- The table -----------------------------------------------------------------------------------


def _group(group: Group, sight: Sight) -> screen.Group:
    return {
        "title": group.title,
        "seat": group.seat,
        "badges": [{"text": text, "variable": variable} for variable, text in group.badges],
        "counters": [_counter(each) for each in group.counters],
        "zones": [_zone(each, sight) for each in group.areas],
    }


def _counter(counter: Counter) -> screen.Counter:
    return {
        "variable": counter.variable,
        "title": counter.title,
        "text": counter.text,
        "idle": counter.is_idle,
        "values": [{"text": text, "tone": tone_data(tone)} for text, tone in counter.values],
    }


def _zone(area: Area, sight: Sight) -> screen.Zone:
    marks = sight.marks
    return {
        "zone": area.zone,
        "seat": area.seat,
        "used": area.zone in sight.picture.used,
        "grown": marks.grown.get(area.zone, 0),
        "title": area.title,
        "pile": area.is_pile,
        "count": area.count if area.counted else None,
        "stacks": [
            {
                "text": stack.text,
                "count": stack.count,
                "faces": list(stack.faces),
                "tone": tone_data(stack.tone),
                "moved": any((area.zone, face) in marks.moved for face in stack.faces),
                "told": any((area.zone, face) in marks.told for face in stack.faces),
            }
            for stack in area.stacks
        ],
    }


def _told(item: Entry, scene: Scene) -> screen.Sentence:
    origin = item.origin
    words: list[screen.Word] = [
        {"text": each.text, "tone": tone_data(each.tone) if each.tone else None, "seat": each.seat}
        for each in find_words(scene, item.text)
    ]
    return {
        "text": item.text,
        "words": words,
        "level": item.level if isinstance(item, Heading) else None,
        "details": [each.text for each in item.details] if isinstance(item, StoryLine) else [],
        "cites": list(origin.cites),
        "rule": origin.rule,
    }

"""Events, step by step -> the details beneath a line of the story, for readers who want to know exactly."""

from typing import Any

from attrs import frozen

from interpreter.answer_sentences import answer_text, sentence_of, tell_of
from interpreter.display_names import Listener, kinds_between, name_pieces, said, zone_words
from interpreter.event_log import holds_pieces
from interpreter.hearing import Heard
from interpreter.passages import StepGroup
from interpreter.phrasing import phrase
from interpreter.value_changes import describe_change, is_silent
from interpreter.verbs import describe_moves, describe_show
from rulespec.core.tree import Origin
from rulespec.english import sentence, words


@frozen
class Detail:
    """An event beneath a line: what happened, and which place in the rules says so."""

    text: str
    origin: Origin


def describe_event(to: Listener, heard: Heard) -> str:
    """One event."""
    if heard.event.kind == "tell":
        return phrase(to, heard.event.data[0])
    found = describe_all(to, StepGroup((), [heard]))
    return found[0].text if found else ""


def describe_all(to: Listener, clause: StepGroup) -> list[Detail]:
    """Describe events that are told together; pieces that went the same way are grouped here as well."""
    found: list[Detail] = []
    ways: dict[tuple[Any, ...], list[Heard]] = {}
    for each in clause.heard:
        if each.event.kind == "move":
            ways.setdefault(each.event.data[1:4:2], []).append(each)
        elif not _is_silent(to, each):
            found.append(Detail(sentence(_describe(to, each)), each.event.origin))
    moves = [Detail(describe_moves(to, way), way[0].event.origin) for way in ways.values()]
    return [*moves, *found]


def _is_silent(to: Listener, each: Heard) -> bool:
    """Whether the event adds no detail: there was nothing to choose, to draw or to tell."""
    match each.event.kind:
        case "set":
            return is_silent(to, each)
        case "tell":
            return True  # it is the line itself
        case "random":
            return bool(each.event.data[0] == ())
    return not each.is_free


def _describe(to: Listener, each: Heard) -> str:
    kind, data = each.event.kind, each.event.data
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
            return announced(to, each)
        case "random":
            value, of, _ = data
            is_piece = holds_pieces(of) and not isinstance(value, tuple)
            return f"chance picks {answer_text(to, (value,) if is_piece else value, of)}"
        case "shuffle":
            return f"{zone_words(to.layout, data[0], to.names)} is shuffled"
        case "tell" | "heading":
            return phrase(to, data[0])
    raise AssertionError(kind)


def announced(to: Listener, heard: Heard) -> str:
    """What an announcement tells a player."""
    name, value, of, players = heard.event.data
    text = said(to.layout, value, of, to.names)
    if len(players) == to.layout.players:
        return f"{words(name)}: {text}"
    return tell_of(to, list(players), "learn", f": {words(name)} {text}")

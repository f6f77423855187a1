"""A question and its answer -> a sentence for the story: `Which sin do you take?` and Ira make `Ben takes Ira`."""

import re
from typing import Any

from attrs import frozen

from interpreter.display_names import Listener, is_you, name_pieces, said, seat_possessive, who
from interpreter.event_log import holds_pieces
from interpreter.hearing import Heard
from rulespec.core.types import Bool, Choice, Number, Piece, Seat, Several, Type, present
from rulespec.english import count_of, in_words, listed, singular, they, third

_PREPOSITION = "from|with|to|on|into|onto|against|of|for|in|at|by|under|over|behind|before"
_OBJECT = re.compile(
    r"(?:which|what|whom)\b(?: [\w' -]+?)?? do you ((?!all\b)\w+)(.*)", re.IGNORECASE
)
_AMOUNT = re.compile(r"how (?:many|much) (?:([\w' -]+?) )?do you (\w+)(.*)", re.IGNORECASE)
_AIM = re.compile(
    rf"({_PREPOSITION}) (?:which|what|whom)\b[\w' -]*? do you ((?!all\b)\w+)(.*)", re.IGNORECASE
)
_SPOT = re.compile(rf"where do you (\w+)(?: ({_PREPOSITION}))?", re.IGNORECASE)
_PLACE = re.compile(
    rf"(where|(?:{_PREPOSITION}) which [\w' -]+?) do(?:es)? (.+) (\w+)", re.IGNORECASE
)
_SUBJECT = re.compile(r"(?:who|which (?:\w+)) (\w+s)\b( .+)", re.IGNORECASE)
_ORDER = re.compile(r"([A-Z]\w+)( .*?)?\b(?:which|what|whom)\b(?: \w+)?(.*)")
_DOING = re.compile(r"do(?: next| now| first| this time| again)?")
_NOUN = re.compile(r"(?:the|an?|no|one|two|your|their|[A-Z0-9“]\S*) ")
_IDLE = re.compile(r" (?:next|now|first|this time|again)$")
_ASKING = frozenset(
    ("which", "what", "who", "whom", "whose", "where", "when", "how", "do", "does", "is", "are")
)


@frozen
class Said:
    """What a player does by answering: the verb in the form for `you`, its object, and the rest."""

    verb: str
    thing: str
    rest: str = ""


def reply(to: Listener, heard: Heard) -> Said | None:
    """An answer in the words of its question, if they form a sentence about the player."""
    player, value, of = heard.event.data
    question = heard.prompt.split("?")[0].strip()
    if value is None or isinstance(present(of), Bool) or not question:
        return None
    text = answer_text(to, value, of)
    found = _AMOUNT.fullmatch(question)
    if found is not None and isinstance(value, int):
        noun = found[1] or ""
        amount = str(value) if not noun else _amount(value, noun)
        return _said(found[2], amount, _mine(to, player, found[3]))
    found = _AIM.fullmatch(question)
    if found is not None:
        aim = f"{found[1].lower()} {text}"
        rest = _mine(to, player, found[3]).strip()
        return Said(found[2], rest, f" {aim}") if rest else Said(found[2], aim)
    found = _OBJECT.fullmatch(question)
    if found is not None and _DOING.fullmatch(f"{found[1]}{found[2]}") and _is_phrase(of):
        verb, _, thing = text.partition(" ")  # the label of an action says what the player does
        return Said("are" if verb == "be" else verb, thing)
    if found is not None:
        return _said(found[1], text, _mine(to, player, found[2]))
    found = _SPOT.fullmatch(question)
    if found is not None:
        return Said(found[1], f"{found[2] or 'to'} {text}")
    found = _ORDER.fullmatch(question)
    if found is not None and found[1].lower() not in {*_ASKING, *_PREPOSITION.split("|")}:
        thing = f"{found[2] or ''}{text}{found[3]}".strip()
        return Said(found[1].lower(), _mine(to, player, thing))
    return None


def is_amount(heard: Heard) -> bool:
    """Whether the question asks for a number that says how many."""
    return _AMOUNT.fullmatch(heard.prompt.split("?")[0].strip()) is not None


def _said(verb: str, thing: str, rest: str) -> Said:
    """Move a preposition at the end of a question, as in `look at`, before the object."""
    rest = _IDLE.sub("", rest)
    if rest.strip().lower() in _PREPOSITION.split("|"):
        return Said(verb, f"{rest.strip()} {thing}")
    return Said(verb, thing, rest)


def _amount(number: int, noun: str) -> str:
    if noun.startswith("of "):
        return f"{in_words(number) if number else 'none'} {noun}"
    head, *rest = noun.split(" ", 1)
    one = singular(head)
    return " ".join([count_of(number, one, head) if one else f"{in_words(number)} {head}", *rest])


def _mine(to: Listener, player: int, text: str) -> str:
    """The rest of a question that speaks to the player, rewritten to speak about that player."""
    if is_you(to.names, player):
        return text
    text = re.sub(rf"\b({_PREPOSITION}) you\b", r"\1 them", re.sub(r"\byour\b", "their", text))
    return re.sub(r"\byou\b", "they", text)


def sentence_of(to: Listener, heard: Heard) -> str:
    """An answer as a sentence of its own."""
    player, value, of = heard.event.data
    does = reply(to, heard)
    if does is not None:
        return tell_of(to, [player], does.verb, f" {does.thing}{does.rest}".rstrip())
    question = heard.prompt.split("?")[0].strip()
    found = _PLACE.fullmatch(question)
    if found is not None and value is not None:
        way = "to" if found[1].lower() == "where" else found[1].split()[0].lower()
        subject, verb = found[2], found[3]
        verb = verb if re.search(r"s$|\bcards\b", subject.split()[-1]) else third(verb)
        return f"{subject} {verb} {way} {answer_text(to, value, of)}"
    found = _SUBJECT.fullmatch(question)
    if found is not None and value is not None and they(found[1]) is not None:
        seats = [value] if isinstance(present(of), Seat) else []
        rest = re.sub(r"\byour\b", seat_possessive(to.names, player), found[2])
        if seats:
            return tell_of(to, seats, they(found[1]) or "", rest)
    return _quoted(to, heard)


def _quoted(to: Listener, heard: Heard) -> str:
    player, value, of = heard.event.data
    if value is None or isinstance(present(of), Bool):
        text = f"“{heard.decline or 'no'}”" if value is None else answer_text(to, value, of)
        return tell_of(to, [player], "say", f" {text} to “{_question(heard)}”")
    asked = f": “{_question(heard)}”" if heard.prompt else ""
    text = answer_text(to, value, of)
    if _is_phrase(of) and " " in text and not _NOUN.match(text):
        text = f"“{text}”"  # an action, not a thing
    return tell_of(to, [player], "choose", f" {text}{asked}")


def _is_phrase(of: Type) -> bool:
    return isinstance(present(of), Choice)


def _question(heard: Heard) -> str:
    """What was asked, without the hints that helped to decide."""
    question, mark, _ = heard.prompt.partition("?")
    return f"{question}{mark}"


def answer_text(to: Listener, value: Any, of: Type) -> str:
    """What was chosen, in the middle of a sentence."""
    if value is not None and holds_pieces(of):
        return name_pieces(to, value, kinds_of(of))
    if isinstance(present(of), Number):
        return str(value).replace("-", "−")
    return said(to.layout, value, of, to.names)


def kinds_of(of: Type) -> frozenset[str] | None:
    """The kinds of pieces of a type."""
    inner = present(of)
    while isinstance(inner, Several):
        inner = present(inner.of)
    return inner.kinds if isinstance(inner, Piece) else None


def tell_of(to: Listener, seats: list[int], verb: str, rest: str) -> str:
    """A sentence saying that players do something; the verb is given in the form for `you`.

    With several players and a single thing each has one.
    """
    ordered = sorted(seats, key=lambda seat: not is_you(to.names, seat))
    is_one = len(ordered) == 1 and not is_you(to.names, ordered[0])
    subject = listed([who(to.names, seat) for seat in ordered])
    return f"{subject} {third(verb) if is_one else verb}{rest}"

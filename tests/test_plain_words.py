"""No code in a player's view: whatever screens, logs, questions and results can show reads like English.

Games are played by chance, and at every question all texts are collected that a screen may draw: of the four games, of
their variants and overlays, and of games that were written in a hurry.
"""

import random
import re
from collections.abc import Iterator

import pytest

from interpreter.display_names import Listener
from interpreter.game_loading import load
from interpreter.results import explain_result
from interpreter.session import Seat, Session, begin
from interpreter.shown import explanations
from interpreter.shown.picture import Group, Scene, set_scene
from interpreter.shown.reference import lay_reference, make_reference
from interpreter.shown.result_lines import lay_outcome
from interpreter.shown.sights import Sight, current_sight
from interpreter.shown.subjects import OfCards, OfCounter, OfDone, OfOption, OfPlayer, OfSentence
from interpreter.story import tell_match, write_story
from rulespec.english import they
from story_games import ALL, Told

NAMES = ("You", "Ben", "Cleo", "Dan", "Eve", "Fay")
MOST_QUESTIONS = 40
ASKED_ABOUT = 6  # how often everything in sight is asked about
CODE = re.compile(
    r"[_`{}\[\]]|#|==|\+=|-=|=>|!=|<=|>=|\b[A-Z]{1,2}-A?\d\d\b|(?:^|[:“(] ?)none\b|\bpieces?\b"
    r"|\b(?:an?|the) (?:an?|the) |\b1 (?!goes|lies|counts|less|is\b)[a-z]+s\b|\bthe (?:most|fewest) wins\b",
    re.IGNORECASE,
)
MACHINE = re.compile(
    r" is now (?!empty)|\bdeclines?\b|\bchooses? (?:yes|no)\b|shown to You|\bYou\b$"
)


def faults_in(text: str, where: str = "told") -> list[str]:
    """What nobody would say at a table."""
    found = [each[0] for each in CODE.finditer(text)]
    found += [each[0] for each in MACHINE.finditer(text) if where == "told"]
    verbs = re.findall(r"(?:^|[.?!] )You ([a-z]+s)\b", text)
    return found + [f"You {verb}" for verb in verbs if they(verb) not in (None, verb)]


def in_group(group: Group) -> Iterator[str]:
    yield group.title
    yield from (text for _, text in group.badges)
    for counter in group.counters:
        yield from (counter.title, counter.text)
    for area in group.areas:
        yield area.title
        yield from (stack.text for stack in area.stacks if stack.text is not None)


def in_sight(sight: Sight) -> Iterator[str]:
    """Everything that is drawn."""
    for group in sight.picture.groups:
        yield from in_group(group)
    yield from (each.text for each in sight.story)
    offer = sight.offer
    if offer is not None:
        yield offer.prompt
        yield from (item.text for item in (*offer.items[:50], *filter(None, [offer.decline])))


def asked_about(sight: Sight) -> Iterator[str]:
    """What is said of whatever one can point at; rules are quoted below it, for those who want the formal text."""
    subjects = [OfPlayer(0), OfOption(0), OfDone(), *map(OfSentence, range(len(sight.story)))]
    for group in sight.picture.groups:
        subjects += [OfCounter(each.variable) for each in group.counters]
        for area in group.areas:
            subjects.append(OfCards(area.zone, ()))
            subjects += [OfCards(area.zone, stack.faces) for stack in area.stacks if stack.faces]
    for subject in subjects:
        found = explanations.explain(sight, None, subject)
        if found is not None:
            yield from (found.title, *found.sentences)


def texts_of(told: Told) -> Iterator[tuple[str, str]]:
    """All texts of a game, each with where it is shown."""
    game = load(told.file, told.variants, dict(told.options))
    seats = [Seat(NAMES[0]), *(Seat(name, "random") for name in NAMES[1 : told.players])]
    session = begin(game, seats, told.seed, 0, keep=False)
    scene = set_scene(session.match)
    for title, lines in lay_reference(make_reference(scene)):
        yield from (("reference", line) for line in (title, *lines))
    chance = random.Random(told.seed)  # noqa: S311 - a game needs no secrecy
    questions = 0
    while session.asked is not None and len(session.match.choices) < 1500:
        if session.asked == 0 and questions < MOST_QUESTIONS:
            sight = current_sight(session, scene)
            yield from (("drawn", text) for text in in_sight(sight))
            if questions % (MOST_QUESTIONS // ASKED_ABOUT) == 0:
                yield from (("asked", text) for text in asked_about(sight))
            questions += 1
        session.match.apply(chance.randrange(len(session.match.decision.options)))
    yield from _at_the_end(session, scene)


def _at_the_end(session: Session, scene: Scene) -> Iterator[tuple[str, str]]:
    match = session.match
    for player in (0, 1, None):
        story = write_story(tell_match(match, player), unfolded=True)
        yield from (("told", line) for line in story.splitlines())
        to = Listener(match.engine.layout, match.names, player)
        yield from (("result", line) for line in lay_outcome(explain_result(match, to)))
    if session.over:
        yield from (("drawn", text) for text in in_sight(current_sight(session, scene)))


@pytest.mark.parametrize("told", ALL, ids=lambda told: told.name)
def test_nobody_reads_code(told: Told) -> None:
    texts = dict.fromkeys(texts_of(told))
    wrong = [(where, text) for where, text in texts if faults_in(text, where)]

    assert {where for where, _ in texts} == {"drawn", "asked", "told", "result", "reference"}
    assert len(texts) > 100
    assert not wrong[:10]


@pytest.mark.parametrize(
    "text",
    [
        "out_of_play",
        "reserve[You]",
        "Led is now none",
        "a hidden piece goes to Ben",
        "1 players",
        "the a card",
        "You takes a card.",
        "`front[p]`",
        "It is so by S-19.",
        "the fewest wins",
        "#hand == 0",
    ],
)
def test_code_is_noticed(text: str) -> None:
    assert faults_in(text)

"""Two games that look the same to a player are told alike to that player.

The pairs are those of the judge of secrets: in the second game something is otherwise that the player cannot see. As
far as the player observes the same in both, the stories are the same, with all that stands beneath their lines.
"""

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter import hearing, judge
from interpreter.hearing import Heard
from interpreter.knowledge import Event
from interpreter.layout import Layout
from interpreter.lines import Line
from interpreter.match import load
from interpreter.naming import Listener
from interpreter.options import Decision
from interpreter.pairs import begin
from interpreter.playthroughs import at_random, play
from interpreter.recordings import Recording, record, sight_of
from interpreter.story import tell_story
from interpreter.variations import Luck, draw_variation
from sizes import tries
from story_games import ALL, HURRIED, Told

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay")
MOST_CHOICES = 40


def recording_of(told: Told, seed: int) -> Recording:
    machine = load(told.file, told.variants, dict(told.options)).machine(told.players)
    return record(machine, play(machine, seed, at_random(seed), MOST_CHOICES))


def stories(recording: Recording, player: int, seed: int) -> tuple[list[str], list[str]] | None:
    """What a player is told in two games, as far as they look the same; None if there is no second one."""
    variation = draw_variation(recording, player, Luck(seed))
    if variation is None:
        return None
    sight = sight_of(recording, player)
    second = begin(recording, player, variation, sight.told)
    mark = 0 if second.began < 0 else recording.moments[second.began].mark
    try:
        judge._compare(sight, second)
    except judge._Parted:
        pass
    others = [*recording.events[:mark], *second.state.watch.events]
    seen = [event for event in others if event.told >> player & 1][: second.position]
    mine = [recording.events[n] for n in sight.told[: second.position]]
    questions = {
        position: recording.moments[n].decision
        for position, n in sight.asked.items()
        if position < second.position
    }
    layout = recording.machine.layout
    return tell(layout, player, mine, questions), tell(layout, player, seen, questions)


def tell(
    layout: Layout, player: int, events: list[Event], questions: dict[int, Decision]
) -> list[str]:
    found = []
    for entry in tell_story(Listener(layout, NAMES, player), events, questions):
        found.append(entry.text)
        if isinstance(entry, Line):
            found += [f"  {each.text}" for each in entry.details]
    return found


def differing(told: Told, seeds: range) -> list[tuple[list[str], list[str]]]:
    """Pairs that are not told alike, and there must be pairs."""
    found, count = [], 0
    for seed in seeds:
        recording = recording_of(told, seed)
        for player in range(told.players):
            pair = stories(recording, player, seed)
            count += pair is not None
            if pair is not None and pair[0] != pair[1]:
                found.append(pair)
    assert count
    return found


@settings(max_examples=tries(test=30, check=200), deadline=None)
@given(told=st.sampled_from(ALL), seed=st.integers(0, 10_000), player=st.integers(0, 2))
def test_games_that_look_the_same_are_told_alike(told, seed, player):
    pair = stories(recording_of(told, seed), player, seed)

    assert pair is None or pair[0] == pair[1]


def without_masks(to, event):
    """Hidden faces are told."""
    return real_mask(evolve(to, player=None), event)


def with_forced_answers(to, events, questions, since=0, until=None):
    """That somebody else had no choice is told."""
    heard = real_hear(to, events, questions, since, until)
    return [each if each.index in questions else _not_free(each) for each in heard]


def _not_free(each: Heard) -> Heard:
    return evolve(each, is_free=False) if each.event.kind == "chose" else each


real_mask, real_hear = hearing._masked, hearing.hear
PLANTED = {
    "faces": ("interpreter.hearing._masked", without_masks),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_leaks_are_found(name, monkeypatch):
    where, planted = PLANTED[name]
    monkeypatch.setattr(where, planted)

    assert any(differing(told, range(6)) for told in HURRIED)

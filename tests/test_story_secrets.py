"""Two games that look the same to a player are told alike to that player.

The pairs are those of the judge of secrets: in the second game something is otherwise that the player cannot see. As
far as the player observes the same in both, the stories are the same, with all that stands beneath their lines.
"""

from collections.abc import Iterator
from unittest import mock

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter import hearing, judge, phrasing
from interpreter.display_names import Listener
from interpreter.event_log import Event, Filled
from interpreter.game_loading import load
from interpreter.layout import Layout
from interpreter.lines import StoryLine
from interpreter.options import Decision
from interpreter.playthroughs import at_random, play
from interpreter.recordings import Recording, record, sight_of
from interpreter.second_game import SecondGame, begin_second_game
from interpreter.story import tell_story
from interpreter.variations import Luck, draw_variation
from sizes import some, tries
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
    second = begin_second_game(recording, player, variation, sight.told)
    mark = 0 if second.began < 0 else recording.moments[second.began].mark
    asked = [(moment.mark, moment.decision) for moment in recording.moments]
    others = [each for each in asked if each[0] < mark]

    def noting(go_on):
        def wrapped(pair: SecondGame, *given: int) -> None:
            if isinstance(pair.state.pending, Decision):
                others.append((mark + len(pair.state.watch.events), pair.state.pending))
            go_on(pair, *given)

        return wrapped

    with (
        mock.patch.object(judge, "repeat_decision", noting(judge.repeat_decision)),
        mock.patch.object(judge, "repeat_answer", noting(judge.repeat_answer)),
    ):
        judge.play_second(sight, second)
    events = [*recording.events[:mark], *second.state.watch.events]
    layout = recording.machine.layout
    return (
        tell(layout, player, recording.events, asked, second.position),
        tell(layout, player, events, others, second.position),
    )


def tell(
    layout: Layout,
    player: int,
    events: list[Event],
    asked: list[tuple[int, Decision]],
    most: int,
) -> list[str]:
    """The story of the first events that a player observes."""
    told = [n for n, event in enumerate(events) if event.told >> player & 1][:most]
    end = told[-1] + 1 if told else 0
    story = tell_story(Listener(layout, NAMES, player), events, dict(asked), until=end)
    found = []
    for entry in story:
        found.append(entry.text)
        if isinstance(entry, StoryLine):
            found += [f"  {each.text}" for each in entry.details]
    return found


def differing(told: Told, seeds: range) -> Iterator[tuple[list[str], list[str]]]:
    """Pairs that are not told alike."""
    for seed in seeds:
        recording = recording_of(told, seed)
        for player in range(told.players):
            pair = stories(recording, player, seed)
            if pair is not None and pair[0] != pair[1]:
                yield pair


@settings(max_examples=tries(20, soak=60), deadline=None)
@given(told=st.sampled_from(ALL), seed=st.integers(0, 10_000), player=st.integers(0, 2))
def test_games_that_look_the_same_are_told_alike(told, seed, player):
    pair = stories(recording_of(told, seed), player, seed)

    assert pair is None or pair[0] == pair[1]


@pytest.mark.soak
@settings(max_examples=some(4000), deadline=None)
@given(told=st.sampled_from(ALL), seed=st.integers(0, 10_000), player=st.integers(0, 2))
def test_many_games_that_look_the_same_are_told_alike(told, seed, player):
    pair = stories(recording_of(told, seed), player, seed)

    assert pair is None or pair[0] == pair[1]


def unmasked(to: Listener, event: Event) -> Event:
    """Hidden faces are told."""
    return masked(evolve(to, player=None), event)


def all_named(to: Listener, filled: Filled) -> str:
    """Hidden faces in the holes of sentences are told."""
    return name_filled(evolve(to, player=None), filled)


def _yes(*_: object) -> bool:
    return True


masked, name_filled = hearing._masked, phrasing.name_filled  # noqa: SLF001 - what is replaced
TRICK, *_, TOLD = HURRIED
PLANTED = {
    "faces": (TRICK, "interpreter.hearing._masked", unmasked),
    "holes": (TOLD, "interpreter.phrasing.name_filled", all_named),
    "whether there was a choice": (
        TRICK,
        "interpreter.display_names.Listener.knows_question",
        _yes,
    ),
    "what is declined": (Told("deadlies.rules"), "interpreter.display_names.Listener.hears", _yes),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_leaks_are_found(name, monkeypatch):
    told, where, planted = PLANTED[name]
    monkeypatch.setattr(where, planted)

    assert next(differing(told, range(40)), None) is not None

"""What happened, as people are told it: it reads well, and stays as it was read.

`make accept` writes the stories in `stories/` anew: read them aloud before they are kept.
"""

import itertools
import os
import re

import pytest

from games import from_text
from interpreter.game_loading import load
from interpreter.headings import Heading
from interpreter.lines import StoryLine
from interpreter.session import Seat, begin
from interpreter.story import Entry, Memo, tell_match, write_story
from story_games import ALL, HERE, HURRIED, NEVER, Told, listen, play, texts, write


@pytest.mark.parametrize("told", ALL, ids=lambda told: told.name)
def test_stories_are_as_they_were_written(told: Told):
    path = HERE / f"{told.name}.txt"
    text = write(told)
    if os.environ.get("ACCEPT"):
        path.write_text(text, encoding="utf-8")

    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("told", ALL, ids=lambda told: told.name)
def test_nothing_is_told_that_nobody_would_say(told: Told):
    match = play(told, 200)
    wrong = [
        (pattern, text)
        for player in (0, 1, None)
        for text in texts(listen(match, player))
        for pattern in NEVER
        if re.search(pattern, text)
    ]

    assert wrong == []


@pytest.mark.parametrize("told", ALL, ids=lambda told: told.name)
def test_a_line_is_told_for_a_decision_and_none_for_what_nobody_decides(told: Told):
    match = play(told, 200)
    lines = [entry for entry in listen(match, None) if isinstance(entry, StoryLine)]

    assert len(match.choices) / 4 < len(lines) < 2.5 * len(match.choices) + 5
    setup = [line for line in lines if line.at < match.marks[0]]
    assert len(setup) <= 3


@pytest.mark.parametrize("told", ALL, ids=lambda told: told.name)
def test_a_story_that_is_told_in_parts_tells_of_every_event_once(told: Told):
    match = play(told, 60)
    whole = tell_match(match, 0)
    lines = [each for each in whole if isinstance(each, StoryLine)]
    mine = [
        mark
        for mark, choice in zip(match.marks, match.choices, strict=True)
        if choice.player == "Ada"
    ]
    cut = mine[len(mine) // 2]
    again = [*tell_match(match, 0, until=cut), *tell_match(match, 0, cut)]

    assert all(one.until <= other.at for one, other in itertools.pairwise(lines))
    assert details(again) == details(whole)


def details(story: list[Entry]) -> list[str]:
    return [detail.text for line in story if isinstance(line, StoryLine) for detail in line.details]


# ---- What authors tell ---------------------------------------------------------------------------

LAMPS, TOLD = HURRIED[-2:]


def test_what_an_author_tells_stands_for_what_its_rule_does():
    match = play(TOLD, 4)
    lines = [entry for entry in listen(match, 1) if isinstance(entry, StoryLine)]
    adds = next(line for line in lines if line.text.startswith("Ada adds"))

    assert re.fullmatch(r"Ada adds the (red|blue) \d to their row\.", adds.text)
    assert any(re.match(r"Ada plays ", each.text) for each in adds.details)
    assert not any(
        re.search(r"Ada (plays|draws|puts)", line.text) for line in lines if line is adds
    )
    assert {each.origin.rule for each in adds.details} == {"trick"}


def test_a_hole_says_what_the_listener_sees():
    match = play(TOLD, 8)
    mine, others = ("\n".join(entry.text for entry in listen(match, player)) for player in (0, 1))

    assert re.search(r"You draw (red|blue) \d and have three cards\.", mine)
    assert "Ada draws a leaf and has three cards." in others
    assert not re.search(r"Ada draws (red|blue)", others)


def test_headings_are_numbered_below_the_one_above_and_empty_ones_left_out():
    match = play(TOLD)
    headings = [entry for entry in listen(match, 0) if isinstance(entry, Heading)]

    assert [(each.level, each.text.split(" · ")[0]) for each in headings] == [
        *((0, "Round 1"), (1, "Trick 1"), (1, "Trick 2")),
        *((0, "Round 2"), (1, "Trick 1"), (1, "Trick 2")),
    ]


def test_an_unfolded_story_has_the_events_beneath_its_lines():
    story = listen(play(TOLD, 4), 0)
    folded, unfolded = write_story(story), write_story(story, unfolded=True)

    assert {*folded.split("\n")} < {*unfolded.split("\n")}
    assert "    The deck is shuffled." in unfolded.split("\n")


# ---- Bit by bit ----------------------------------------------------------------------------------


def test_answers_are_news_when_it_is_clear_what_they_lead_to():
    seats = [Seat("You"), Seat("Ben")]
    session = begin(load("sins.rules"), seats, seed=7, first=0, keep=False)
    session.news(0)
    session.choose(0)

    assert session.news(0) == []
    session.choose(0)
    told = [entry.text for entry in session.news(0) if isinstance(entry, StoryLine)]
    assert len(told) == 1
    assert told[0].startswith("You take ")
    session.choose(0)
    assert session.news(0) == []
    session.choose(0)
    assert next(entry.text for entry in session.news(0)).startswith("Ben takes ")


@pytest.mark.parametrize("told", ALL[::3], ids=str)
def test_what_was_told_before_is_told_alike(told: Told):
    """A table tells the growing story again and again, and remembers what it has told."""
    for viewer in (0, None):
        memo = Memo()
        match = play(told)
        for until in range(0, len(match.events), 97):
            found = tell_match(match, viewer, 0, until, memo)
            assert found == tell_match(match, viewer, 0, until)
        assert tell_match(match, viewer, 9, None, memo) == tell_match(match, viewer, 9)


CROWN = """game "Crown"
players 3
pieces  | copies
  Crown | 1
zones           | order | seen by
  stock         | pool  | everyone
  front[Player] | pool  | everyone
rule setup
  move box to stock
rule play
  for p in Player: offer(p)
  end
rule offer(p: Player)
  taken = no
  if #stock > 0: p chooses taken from Bool "Take the crown?"
  if taken: move stock to front[p]
  else: tell "{p} goes without"
"""


@pytest.mark.parametrize("taker", range(3))
def test_what_one_player_does_is_told_though_the_rule_tells_of_the_next_one(taker):
    """One rule serves all: one player takes the crown, and of the others the author tells something."""
    match = from_text(CROWN).start(["Ada", "Ben", "Cleo"], seed=1, first=0)
    while match.decision is not None:
        match.apply(int(match.decision.player == taker))
    text = write_story(tell_match(match, None))

    assert text.count("takes the Crown") == 1
    assert text.count("goes without") == 2


def test_what_is_announced_or_shown_is_never_folded_into_what_an_author_tells():
    text = write_story(listen(play(LAMPS), 1))

    assert re.search(r"tells you where the \w+ lamps are\. Where they are: the \w+ card", text)
    assert re.search(r"Ada calls you a liar\. Your hand \(the first card\): (red|blue) \d", text)


def test_faces_that_come_into_sight_or_lie_open_are_named():
    text = write_story(listen(play(LAMPS), 1))

    assert re.search(r"You light (red|blue) \d\.", text)  # of the own hand, which only others saw
    assert re.search(r"Cleo says yes to “Do you take (red|blue) \d\?”", text)

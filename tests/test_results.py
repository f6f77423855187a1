"""Results as people read them: kept texts, words instead of code, and the same data as text."""

import json
import os
import random
import re
from pathlib import Path

import pytest
from attrs import asdict

from games import TABLES, Table, from_text, shipped
from interpreter.display_names import Listener
from interpreter.examples import run_example
from interpreter.match import Game, Match
from interpreter.results import Outcome, explain_result, explain_state
from interpreter.shown.result_lines import lay_outcome
from interpreter.state import OVER, State
from rulespec.elaboration.programs import elaborate_examples
from sizes import few_alone, tries
from story_games import HURRIED, Told
from story_games import play as play_story

KEPT = Path(__file__).parent / "results"
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay")
# Operators, indices, clause numbers and names of the rules, and words of ours.
CODE = re.compile(
    r"[`#\[\]_{}<>=@|]|\b[A-Z]-A?\d\d\b|\bnone\b|\bpieces?\b|\b1 (?!less)\w+s\b|\(p\)"
)


def play(game: Game, names: tuple[str, ...], seed: int, most: int = 100_000) -> Match:
    match = game.start(names, seed)
    chance = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    while not match.over and len(match.choices) < most:
        match.apply(chance.randrange(len(match.decision.options)))
    return match


def tell(match: Match, player: int | None = None) -> str:
    return text_of(explain_result(match, Listener(match.engine.layout, match.names, player)))


def text_of(outcome: Outcome) -> str:
    return "\n".join([*lay_outcome(outcome), ""])


def assert_kept(name: str, text: str) -> None:
    path = KEPT / f"{name}.txt"
    if os.environ.get("ACCEPT"):
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


# ---- Kept texts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sins", "siegel", "seven7s", "deadlies"])
def test_a_result_reads_as_it_is_kept(name: str) -> None:
    assert_kept(name, tell(play(shipped(f"{name}.rules"), NAMES[:3], 7)))


def test_whoever_plays_is_spoken_to() -> None:
    text = tell(play(shipped("siegel.rules"), ("You", "Ben", "Cleo"), 5))

    assert re.search(r"1  You +38  share the victory with Ben", text)
    assert "shares the victory with you" in text


@pytest.mark.parametrize("name", ["sins", "siegel", "seven7s", "deadlies"])
def test_before_the_end_only_what_is_open_is_told(name: str) -> None:
    match = play(shipped(f"{name}.rules"), NAMES[:3], 7, 110 if name == "siegel" else 25)

    assert not match.over
    assert_kept(f"{name}-before-the-end", tell(match, 0))


def end_of_example(game: Game, title: str) -> tuple[Outcome, State]:
    """The result of a worked example."""
    ended: list[tuple[Outcome, State]] = []
    ((_, row),) = (
        each for each in elaborate_examples(game.program.declared) if title in each[1].title
    )

    def look(step: int, machine: object, state: State) -> None:
        if step == len(row.steps):
            over = state.clone()
            over.phase = OVER
            ended.append((explain_state(machine, over, Listener(machine.layout, row.seats)), over))

    assert run_example(game.code, row, look=look) is None
    return ended[0]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("booklet", "Margherita brings her score down"),
        ("sins-tie", "9 points and six cards each"),
        ("sins-shared", "Two who tie in everything"),
    ],
)
def test_a_worked_example_reads_as_it_is_kept(name: str, title: str) -> None:
    outcome, _ = end_of_example(shipped("sins.rules"), title)

    assert_kept(name, text_of(outcome))


def test_the_criterion_that_broke_a_tie_is_marked() -> None:
    outcome, _ = end_of_example(shipped("sins.rules"), "Margherita brings her score down")

    assert [each.name for each in outcome.standings] == ["Margherita", "Carla", "Bruno"]
    assert outcome.standings[1].note == "two cards break the tie with Bruno, who has one"
    assert [each.seats for each in outcome.criteria] == [(0, 1, 2), (1, 2), ()]
    first = outcome.criteria[0]
    assert first.verdict.notes == ("If it has 7 or fewer, the fewest points win.",)
    (abyss,) = first.verdict.parts
    assert (abyss.title, abyss.value, abyss.columns) == ("points of the Abyss", "−1", ("cards",))
    assert first.accounts[0].columns == ("cards", "Stone")


# ---- Words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", few_alone(TABLES, 6), ids=str)
def test_a_result_is_told_in_words_and_adds_up(table: Table) -> None:
    name, variants, players = table
    for seed in range(tries(1, soak=4)):
        match = play(shipped(name, variants), NAMES[:players], seed)
        outcome = explain_result(match, Listener(match.engine.layout, match.names))
        text = text_of(outcome)

        assert not CODE.findall(text), text
        assert re.match(r"The game is over: .* wins?\.\n\n\S", text)
        result = match.result()
        for each in outcome.standings:
            assert each.place == result.places[each.seat]
            assert each.wins is (each.seat in result.winners)
        for n, criterion in enumerate(outcome.criteria):
            for seat, account in enumerate(criterion.accounts):
                value = result.scores[seat][n].value
                assert account.value == ("nothing" if value is None else number(value))
                if account.entries and account.total == "total":
                    told = sum(int(each.value.replace("−", "-")) for each in account.entries)
                    assert told == value
        assert json.loads(json.dumps(asdict(outcome)))["standings"]


def number(value: int) -> str:
    return str(value).replace("-", "−")


CHOSEN = """
game "Bids"
players 2
state          | type  | start
  bid[Player]  | 0..9  | 3
  seen         | Bool  | no
rule play
  for p in Player
    p chooses bid[p] from 0..9 "How much?"
  bid[first] = 9 - bid[first]
ranking of p
  most | bid[p]
"""


def test_what_was_chosen_is_part_of_the_history_of_a_number() -> None:
    match = from_text(CHOSEN).start(("Ada", "Ben"), 1, 0)
    match.apply(5)
    match.apply(2)

    assert tell(match).splitlines() == [
        "The game is over: Ada wins.",
        "",
        "The highest bid wins.",
        "",
        "Ada             how many  each  bid",
        "  at the start                    3",
        "  set anew             1     2    2",
        "  lowered              1    −1   −1",
        "  total                           4",
        "",
        "Ben             how many  each  bid",
        "  at the start                    3",
        "  set anew             1    −1   −1",
        "  total                           2",
        "",
        "        bid",
        "1  Ada    4  wins",
        "2  Ben    2",
    ]


# ---- Games in a hurry ----------------------------------------------------------------------------


@pytest.mark.parametrize("told", HURRIED, ids=lambda told: told.name)
def test_a_game_without_words_of_its_own_has_a_result_in_words(told: Told) -> None:
    match = play_story(told)
    names = ("You", *NAMES[1 : told.players])
    text = text_of(explain_result(match, Listener(match.engine.layout, names)))

    assert not CODE.findall(text), text
    assert_kept(f"hurried-{told.name}", text)


SECRETS = """
game "Secrets"
players 2
pieces             | copies
  Card(value: 1..6) | 2
zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
state           | type  | start
  total[Player] | 0..99 | 0
rule setup
  move box to deck
  shuffle deck
  for p in Player: move top(deck, 3) to hand[p]
rule score(p: Player)
  announce more = sum(c.value for c in hand[p])
  total[p] = total[p] + more
rule play
  for p in Player: score(p)
  first chooses go_on from Bool "Another round?"
  if go_on
    for p in Player: score(p)
ranking of p
  most | total[p]
"""


def test_what_was_hidden_when_it_was_added_stays_hidden_until_the_end() -> None:
    match = from_text(SECRETS).start(("Ada", "Ben"), 5, 0)

    def accounts() -> list[str | None]:
        to = Listener(match.engine.layout, match.names, 0)
        sheet = explain_result(match, to).criteria[0].sheet
        marks = [mark for each in sheet.rounds for mark in each.marks]
        return [None if mark.account is None else mark.account.value for mark in marks]

    assert accounts() == [None, None]
    match.apply(0)
    assert match.over
    assert accounts() == ["10", "15"]

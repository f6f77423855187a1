"""The judge of secrets: leaks that it must find, by what, and rules in which there is nothing to find.

All are played as if no check had looked at them. What the corpus in `secrets/` calls a leak must be found in
play, but for those that only a look at the rules can find; what it calls harmless must not be.
"""

import json
import re
from pathlib import Path

import pytest

from games import TABLES, Table, engine_of
from interpreter.judge import Leak, judge
from interpreter.leaks import diagnose, side_by_side
from interpreter.machine import Machine, build_machine
from interpreter.playthroughs import random_games
from interpreter.trials import Finding, Wish, try_file
from rulespec import cli
from rulespec.cli.fault_reports import finding_data, tell_finding
from rulespec.source import Source, line_of, locate
from sizes import few, few_alone, tries
from unchecked import nobody_looks, unchecked

FRAME = """\
game "Small"
players 2..2
enum Suit = red, blue
pieces                          | copies
  Card(suit: Suit, value: 1..4) | 1
zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
  row          | pool  | everyone
  stash        | pool  | nobody
state  | type  | start
  mark | Card? | none
  omen | 0..9  | 0
rule setup
  move box to deck
  shuffle deck
  for p in Player: move top(deck, 2) to hand[p]
  move top(deck, 2) to row
rule play
"""
ASK = 'first chooses more from Bool "More?"; if more: omen += 1'
PLAIN = "next(first)"


def program(statements: str) -> Source:
    """A small game; `;` stands between its lines."""
    lines = "".join(f"  {line}\n" for line in statements.split("; "))
    return Source("small.rules", FRAME + lines)


def small(statements: str) -> Machine:
    return build_machine(unchecked(Path("small.rules"), program(statements)), 2)


def leaks(machine: Machine, pairs: int = 200, games: int = 20, seed: int = 1) -> list[Leak]:
    """All leaks that are found in so many pairs."""
    found: list[Leak] = []
    for verdict in judge(machine, random_games(machine, range(1, games + 1)), pairs, seed, None):
        found = verdict.leaks
    return found


# ---- Leaks ---------------------------------------------------------------------------------------

LEAKS = {
    # What lies where: pieces have changed places
    "options": ("question", 'first chooses n from 0..top(deck).value "How many?"; omen = n'),
    "options of a hand": (
        "question",
        f'first chooses n from 0..#hand[{PLAIN}][red] "How many?"; omen = n',
    ),
    "prompt": (
        "question",
        'card = top(deck); first chooses b from Bool "Is it {card}?"; if b: omen = 1',
    ),
    "one option only": (
        "question",
        (
            'first chooses c from hand[first] where it == top(hand[first]) or top(deck).suit == red "Which?"; '
            "move c to row"
        ),
    ),
    "asked": ("asked", f"if top(deck).suit == red; ␣{ASK.replace('; ', '; ␣')}; omen = 5"),
    "asked or over": ("asked", f"if top(deck).suit == blue: end; {ASK}"),
    # What chance has drawn
    "drawn from open cards": (
        "question",
        'random c from row; first chooses n from 0..c.value "How many?"; omen = n',
    ),
    "drawn from a hand": (
        "asked",
        f"random c from hand[{PLAIN}]; if c.suit == red; ␣{ASK.replace('; ', '; ␣')}; omen = 5",
    ),
    # What somebody has chosen face down
    "chosen by another": (
        "question",
        (
            f'{PLAIN} chooses c from hand[{PLAIN}] "Which?"; move c to stash; '
            'first chooses n from 0..c.value "How many?"; omen = n'
        ),
    ),
    # What else a player gets
    "reason": (
        "reason",
        (
            'if top(deck).suit == red; ␣@A-1 "It was red."; ␣move top(deck) to stash; else; '
            f'␣@A-2 "It was blue."; ␣move top(deck) to stash; {ASK}'
        ),
    ),
    # What all are told
    "variable": ("step", f"omen = top(deck).value; {ASK}"),
    "variable or not": ("step", f"if top(deck).suit == red: omen = 9; {ASK}"),
    "number of moves": ("step", f"move hand[{PLAIN}][red] to stash; {ASK}"),
    "place in a pile": ("step", f"move top(deck[red]) to stash; {ASK}"),
    "shuffle": ("step", f"if top(deck).suit == red: shuffle deck; {ASK}"),
    "places that are shown": ("step", f"show top(deck[red]) to {PLAIN}; {ASK}"),
    "shown for another reason": (
        "step",
        f"if top(deck).suit == red: reveal hand[{PLAIN}]; {ASK}",
    ),
    "plain values by chance": ("step", f"random v from hand[{PLAIN}].value; {ASK}; omen = v"),
    "end": ("end", f"{ASK}; if top(deck).suit == red: end; repeat 30: omen = 9 - omen"),
    "fault": (
        "fault",
        (
            f'first chooses b from Bool "Yes?"; random c from hand[{PLAIN}][red]; move c to row; '
            "if b: omen = 1"
        ),
    ),
}


def text_of(statements: str) -> str:
    return statements.replace("␣", "  ")


@pytest.mark.parametrize("title", LEAKS)
def test_a_leak_is_found_by_what_it_gives_away(title: str) -> None:
    what, statements = LEAKS[title]

    assert what in {each.what for each in leaks(small(text_of(statements)), 400)}


HARMLESS = {
    "own hand": 'first chooses c from hand[first] "Which?"; move c to row',
    "a number of cards": f'first chooses n from 0..#hand[{PLAIN}] "How many?"; omen = n',
    "revealed before": 'reveal top(deck); first chooses n from 0..top(deck).value "How many?"; omen = n',
    "shown to the chooser": 'show top(deck) to first; first chooses n from 0..top(deck).value "How many?"; '
    "move top(deck) to row; omen = n",
    "revealed if there is one": f"reveal hand[{PLAIN}][red]; {ASK}",
    "declining": f'{PLAIN} may choose c from hand[{PLAIN}][red] "Which?"; if c != none: move c to row; {ASK}',
    "face down": f'{PLAIN} chooses c from hand[{PLAIN}] "Which?"; move c to stash; {ASK}',
    "secret choices": 'each p in Player chooses bid[p] from 1..3 "Bid?"; omen = bid[first]',
    "drawn unseen": f"random c from hand[{PLAIN}]; move c to stash; {ASK}",
    "drawn and shown": 'random c from row; reveal c; first chooses n from 0..c.value "How many?"; omen = n',
    "a place that was chosen": 'show top(deck, 3) to first; first chooses c from top(deck, 3) "Which?"; '
    "move c to hand[first]",
    "shuffled again": f"move hand[{PLAIN}] to deck; shuffle deck; {ASK}",
    "a hidden piece in a variable": f"random c from deck; mark = c; move top(deck, 3) to row; {ASK}",
    "an open variable": 'omen = max(c.value for c in row); first chooses n from 0..omen "How many?"; omen = n',
}


@pytest.mark.parametrize("title", HARMLESS)
def test_what_tells_nothing_is_not_found(title: str) -> None:
    assert [each.what for each in leaks(small(text_of(HARMLESS[title])))] == []


@pytest.mark.parametrize("table", few_alone(TABLES, 6), ids=str)
def test_the_shipped_games_keep_their_secrets(table: Table) -> None:
    assert leaks(engine_of(table), tries(4, soak=8), tries(2, soak=4), seed=table[2]) == []


def test_the_judge_finds_the_same_each_time() -> None:
    machine = small(text_of(LEAKS["asked"][1]))

    found = [[side_by_side(each) for each in leaks(machine, seed=4)] for _ in range(2)]

    assert found[0] == found[1]
    assert found[0]


# ---- Told ----------------------------------------------------------------------------------------


def try_small(statements: str, wish: Wish) -> list[Finding]:
    with nobody_looks():
        return try_file(Path("small.rules"), program(text_of(statements)), wish).findings


def test_it_is_part_of_the_trial_and_can_be_left_out() -> None:
    statements = LEAKS["options"][1]

    assert [each.diagnostic.code.number for each in try_small(statements, Wish())] == ["RS401"]
    assert try_small(statements, Wish(secrets=0)) == []


def test_a_place_is_told_once() -> None:
    assert len(try_small(LEAKS["variable"][1], Wish(secrets=300))) == 1


@pytest.mark.parametrize(
    ("title", "code", "severity", "line"),
    [
        ("options", "RS401", "error", "first chooses n from 0..top(deck).value"),
        ("asked", "RS402", "error", "first chooses more from Bool"),
        ("reason", "RS402", "error", "move top(deck) to stash"),
        ("variable", "RS403", "warning", "omen = top(deck).value"),
        ("number of moves", "RS403", "warning", "move hand[next(first)][red] to stash"),
        ("fault", "RS403", "error", "random c from hand[next(first)][red]"),
    ],
)
def test_a_finding_names_the_statement(title: str, code: str, severity: str, line: str) -> None:
    what, statements = LEAKS[title]
    found = next(each for each in leaks(small(text_of(statements)), 400) if each.what == what)
    told = diagnose(found)

    assert (told.code.number, told.severity) == (code, severity)
    assert line in line_of(told.span.source, locate(told.span)[0].line)
    assert "Player" in told.message


GOLDEN = """\
error[RS401]: Player 2 is asked something else in a game that looks the same to Player 2
  --> small.rules:20:3
   |
20 |   first chooses n from 0..top(deck).value "How many?"
   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

To Player 2 both look the same, though in the second one blue 1 and red 2 have changed places:

  …
  Dealt: two cards to each player. Turned up: blue 3 and blue 2.

  first game                   │ second game
  ─────────────────────────────┼─────────────────────────────
  Player 2 is asked: How many? │ Player 2 is asked: How many?
    0                          │   0
    1                          │   1
    2                          │

The first game has 2 players and no choice at all:

  rulespec transcript 1
  game small.rules
  version 0
  players Player 1, Player 2
  seed 1

`--save FILE` keeps it, then `rulespec replay FILE` shows it step by step.

"""


def test_the_two_games_are_told_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    (finding,) = try_small(LEAKS["options"][1], Wish())
    tell_finding(finding, None)

    told = re.sub(r"version \w+", "version 0", capsys.readouterr().err)
    assert told == GOLDEN


def test_the_two_games_are_told_to_programs() -> None:
    (finding,) = try_small(LEAKS["options"][1], Wish())
    data = json.loads(json.dumps(finding_data(finding)))

    assert set(data["pair"]) == {"player", "change", "before", "first", "second"}
    assert data["pair"]["first"] != data["pair"]["second"]
    assert data["counterexample"].startswith("rulespec transcript 1")


def test_warnings_fail_no_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.rules"
    file.write_text(program(LEAKS["variable"][1]).text, "utf-8")
    with nobody_looks():
        assert cli.main(["test", str(file)]) == 0
    assert "no errors, 1 warning" in capsys.readouterr().err


# ---- The corpus ----------------------------------------------------------------------------------

CORPUS = Path(__file__).parent / "secrets"
# A pool has an order that tells something of what is in it: what is shown is shown by right, and only a look
# at the rules tells that it was not drawn by chance. Or somebody is asked for all to see. And whatever is announced, or
# drawn by chance, is shown by right as well. And the second game differs from the first one in one choice only, not
# in two that change places. Or whoever adds and subtracts what was told knows what the check takes for a secret.
NOT_IN_PLAY = {
    "asked_each_whose_hand_is_red",
    "counted_announced_then_loop",
    "counted_known_then_moved",
    "counted_owner_of_back",
    "counted_stale",
    "counted_who_chooses",
    "deadlies_covered_search",
    "hidden_announce_to_spy",
    "hidden_drawn_card_above",
    "hidden_in_condition_of_announcement",
    "pool_laid_on_pile",
    "told_row_of_table",
    "two_moved_at_once",
    "pool_least_is_taken",
    "pool_lowest_drawn",
    "pool_lowest_laid_open",
    "pool_lowest_stolen",
    "pool_of_chips_and_cards",
    "pool_slid_under_pile",
    "pool_two_lowest_stolen",
    "red_drawn_above_hidden",
    "sly_asked_elsewhere_in_the_same_words",
    "sly_kept_drawn_from_filtered",
    "sly_plain_rule_announces_to_one",
    "sly_plain_rule_announces_unless_high",
    "sly_plain_trigger_announces_to_one",
}


def corpus(kind: str) -> list[Path]:
    return sorted((CORPUS / kind).glob("*.rules"))


def judged(path: Path, pairs: int | None) -> list[Finding]:
    wish = Wish(secrets=pairs)
    with nobody_looks():
        found = try_file(path, Source(str(path), path.read_text("utf-8")), wish).findings
    return [each for each in found if each.pair is not None]


@pytest.mark.parametrize("path", few(corpus("harmless"), 60), ids=lambda path: path.stem)
def test_harmless_rules_are_not_found(path: Path) -> None:
    assert judged(path, tries(30, soak=60)) == []


@pytest.mark.parametrize(
    "path", corpus("overlays")[:: tries(8, soak=4)], ids=lambda path: path.stem
)
def test_leaks_of_overlays_are_found_in_play(path: Path) -> None:
    code = unchecked(path, Source(str(path), path.read_text("utf-8")))
    machines = [build_machine(code, code.least_players + n) for n in range(3)]
    is_found = any(leaks(machine, 60, 30) for machine in machines)

    assert is_found == (path.stem not in NOT_IN_PLAY)


@pytest.mark.parametrize("path", corpus("leaks")[:: tries(5, soak=3)], ids=lambda path: path.stem)
def test_leaks_are_found_in_play(path: Path) -> None:
    assert (judged(path, 300) != []) == (path.stem not in NOT_IN_PLAY)


@pytest.mark.soak
@pytest.mark.parametrize("path", corpus("leaks"), ids=lambda path: path.stem)
def test_all_leaks_are_found_in_play(path: Path) -> None:
    assert (judged(path, 300) != []) == (path.stem not in NOT_IN_PLAY)

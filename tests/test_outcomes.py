"""Teams, and games that can be lost by all: who wins, on every engine and in every text."""

import pytest

from games import at_random, from_text
from interpreter.bots.worth import Scale, victory
from interpreter.errors import WrongRules
from interpreter.lab.seeded_games import count_games, lay_table
from lockstep import assert_in_step, assert_whole_games, make_fast
from sizes import tries
from test_results import play, tell

CARDS = """
pieces              | copies
  Card(value: 1..8) | 4

zones            | order | seen by
  deck           | pile  | nobody
  hand[Player]   | pool  | owner
  played[Player] | pile  | everyone

rule setup
  move box to deck
  shuffle deck
  for p in Player: move top(deck, 3) to hand[p]
"""
PARTNERS = f"""
game "Partners"
players 4
enum Side = north "North and South", east "East and West"
teams Side
{CARDS}
state         | type  | start
  score[Side] | 0..99 | 0

rule play
  repeat 3
    for p in order(first)
      p chooses c from hand[p]
      score[team(p)] += c.value
      move c to played[p]

ranking of side
  most | score[side]
"""
LONER = PARTNERS.replace("players 4", "players 3").replace(
    "teams Side", "teams Side of p = north if p == first else east"
)
TOGETHER = f"""
game "Together"
players 2..3
{CARDS}
let total = sum(c.value for c in played)

rule play
  for p in order(first)
    p chooses c from hand[p]
    move c to played[p]

"All of you win with ten or more in the middle."
ranking of p
  won | total >= 10
"""
BANK = f"""
game "Bank"
players 2..3
{CARDS}
rule play
  for p in order(first)
    p chooses c from hand[p]
    move c to played[p]

let own(p: Player) = sum(c.value for c in played[p])

ranking of p
  won   | own(p) > top(deck).value
  drawn | own(p) == top(deck).value
"""
GAMES = {"partners": PARTNERS, "loner": LONER, "together": TOGETHER, "bank": BANK}


@pytest.mark.parametrize("name", GAMES)
def test_every_engine_says_who_has_won(name: str) -> None:
    game = from_text(GAMES[name])
    for players in range(game.players[0], game.players[-1] + 1):
        fast = make_fast(game, players)
        for seed in range(tries(4, soak=40)):
            assert assert_in_step(game, players, seed, at_random(seed), fast=fast)
        assert_whole_games(game, players, range(tries(40, soak=400)), fast=fast)


def test_partners_win_together_and_are_named_together() -> None:
    match = play(from_text(PARTNERS), ("Ada", "Ben", "Cleo", "Dan"), 1)
    result = match.result()

    assert result.sides == ((0, 2), (1, 3))
    assert set(result.winners) in ({0, 2}, {1, 3})
    assert sorted(victory(result)) == [0, 0, 1, 1]
    assert tell(match).startswith(
        "The game is over: Ada and Cleo (North and South) win.\n\n"
        if 0 in result.winners
        else "The game is over: Ben and Dan (East and West) win.\n\n"
    )
    assert "victory" not in tell(match)  # partners do not tie
    assert len([line for line in tell(match).split("\n") if line.startswith(("1 ", "2 "))]) == 2


def test_a_team_may_be_one_against_the_others() -> None:
    match = play(from_text(LONER), ("You", "Ben", "Cleo"), 2)

    assert sorted(map(len, match.result().sides)) == [1, 2]
    (pair,) = [side for side in match.result().sides if len(side) == 2]
    assert f"{match.names[pair[0]]} and {match.names[pair[1]]} (East and West)" in tell(match)


def test_the_seats_of_a_team_share_its_victory_in_the_lab() -> None:
    counts = count_games([lay_table(from_text(PARTNERS), 4, ("random",) * 4)], range(400))

    whole = 12 * 400
    wins = [counts["of", 0, f"seat {seat + 1}", "sum"] for seat in range(4)]
    assert wins[0] == wins[2]
    assert wins[1] == wins[3]
    assert sum(wins) == whole
    assert (
        0 < counts["of", 0, "shared", "sum"] < 100
    )  # both teams have as much: that is what is shared


def test_a_game_can_be_lost_by_all() -> None:
    game = from_text(TOGETHER)
    matches = [play(game, ("You", "Ben"), seed) for seed in range(20)]
    lost = [each for each in matches if not each.result().winners]
    won = [each for each in matches if each.result().winners]

    assert lost
    assert won
    assert all(each.result().winners == (0, 1) for each in won)
    assert tell(lost[0]).startswith(
        "The game is over: you and Ben lose.\n\nAll of you win with ten"
    )
    assert tell(won[0]).startswith("The game is over: you and Ben win.\n\n")
    assert victory(lost[0].result()) == [0.0, 0.0]
    scale = Scale()
    assert scale.worth(won[0].result())[0] > scale.worth(lost[0].result())[0]


def test_games_that_nobody_wins_are_counted() -> None:
    game = from_text(TOGETHER)
    counts = count_games([lay_table(game, 2, ("random", "random"))], range(300))
    sums = {name: counts["of", 0, name, "sum"] for name in ("seat 1", "seat 2", "shared", "unwon")}
    lost = sums["unwon"]

    assert 0 < lost < 300
    assert sums["seat 1"] == sums["seat 2"] == 300 - lost  # halves of a victory
    assert sums["shared"] == 300 - lost  # whoever wins, wins together


def test_each_player_can_win_draw_or_lose() -> None:
    game = from_text(BANK)
    ended = set()
    for seed in range(60):
        match = play(game, ("Ada", "Ben", "Cleo"), seed)
        result = match.result()
        ended |= {result.ended(seat) for seat in range(3)}
        for seat in range(3):
            assert (result.ended(seat) == "won") == (seat in result.winners)
        if {result.ended(seat) for seat in range(3)} == {"won", "drawn", "lost"}:
            text = tell(match)
            assert "draws." in text or "draw." in text
            assert any(line.rstrip().endswith("loses") for line in text.split("\n"))

    assert ended == {"won", "drawn", "lost"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("players 4", "players 3..4"), "3 players cannot form 2 teams of the same size"),
        (
            ("most | score[side]", "won | score[side]"),
            "`won` is `yes` or `no`, but `score[side]` is a number",
        ),
        (("most | score[side]", "won | yes\n  won | no"), "`won` is decided twice"),
        (("teams Side", "teams Sides"), "nothing is named `Sides`"),
    ],
)
def test_what_makes_no_sense_is_refused(change: tuple[str, str], message: str) -> None:
    with pytest.raises(WrongRules) as wrong:
        from_text(PARTNERS.replace(*change))
    assert message in str([each.message for each in wrong.value.diagnostics])

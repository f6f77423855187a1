"""The classics play as OpenSpiel does, where OpenSpiel plays the game; `docs/classics.md` says where it does not."""

import pytest

pytest.importorskip("pyspiel")

import spiel
from interpreter.game_loading import load
from sizes import some

# Each game, what it is compared with, and how many play.
PLAYED = [
    ("kuhn.rules", spiel.Kuhn, (2,)),
    ("leduc.rules", spiel.Leduc, (2,)),
    ("hearts.rules", spiel.Hearts, (4,)),
    ("crazy_eights.rules", spiel.CrazyEights, (2, 3, 4, 5)),
    ("go_fish.rules", spiel.GoFish, (2, 3, 4, 5)),
    ("blackjack.rules", spiel.Blackjack, (1,)),
    ("oh_hell.rules", spiel.OhHell, (3, 4, 5, 6, 7)),
    ("spades.rules", spiel.Spades, (4,)),
    ("euchre.rules", spiel.Euchre, (4,)),
    ("bridge.rules", spiel.Bridge, (4,)),
    ("skat.rules", spiel.Skat, (3,)),
    ("cribbage.rules", spiel.Cribbage, (2,)),
    ("gin_rummy.rules", spiel.GinRummy, (2,)),
]
NAMES = [name for name, _, _ in PLAYED]


# What is chosen in a game for each deal in turn.
SETTINGS = {
    "bridge.rules": [
        {"vulnerable": who} for who in ("nobody", "north_and_south", "east_and_west", "everybody")
    ],
}


def compare_deals(
    name: str, beside: type[spiel.Beside], players: tuple[int, ...], deals: int
) -> None:
    games = [load(name, (), settings) for settings in SETTINGS.get(name, [{}])]
    found = seed = 0
    while found < deals:
        table = players[seed % len(players)]
        game = games[seed % len(games)]
        found += spiel.play_beside(beside, game, table, seed, deals - found).deals
        seed += 1


@pytest.mark.parametrize(("name", "beside", "players"), PLAYED, ids=NAMES)
def test_some_deals_are_the_same_as_in_openspiel(name, beside, players) -> None:
    compare_deals(name, beside, players, 12)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "beside", "players"), PLAYED, ids=NAMES)
def test_thousands_of_deals_are_the_same_as_in_openspiel(name, beside, players) -> None:
    compare_deals(name, beside, players, some(40_000))

"""A player for any file: it draws worlds that it must reckon with, plays them out, and does what won most often.

    python examples/search.py sins.rules --games 20

It is given a state only to ask for its own information: what it cannot know is drawn anew for each game that it imagines.
"""

import argparse
from random import Random

import interpreter
from interpreter.research import GameState


def choose(state: GameState, worlds: int, luck: Random) -> int:
    """The action after which whoever is asked does best, in so many worlds."""
    player, actions = state.current_player(), state.legal_actions()
    gains = dict.fromkeys(actions, 0.0)
    for _ in range(worlds):
        world = state.resample_from_infostate(player, luck.getrandbits(62))
        for action in actions:
            future = world.clone()
            future.apply(action)
            future.rollout(luck.getrandbits(62))
            gains[action] += future.returns()[player]
    return max(actions, key=gains.__getitem__)


def play(file: str, games: int, worlds: int, seed: int = 1) -> float:
    """The share of what there is to win that a thinking player wins among random ones, seat after seat."""
    game, luck = interpreter.load(file), Random(seed)
    table = game.table(utility="winning")
    won = 0.0
    for n in range(games):
        seat = n % table.players
        state = table.new_initial_state(seed=seed + n)
        while not state.is_terminal():
            if state.current_player() == seat:
                state.apply(choose(state, worlds, luck))
            else:
                state.apply(luck.choice(state.legal_actions()))
        won += state.returns()[seat] > 0
    return won / games


def main() -> None:
    """Play, and tell how often the thinking player has won."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", default="sins.rules")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--worlds", type=int, default=8)
    arguments = parser.parse_args()
    won = play(arguments.file, arguments.games, arguments.worlds)
    print(f"won {won:.0%} of {arguments.games} games against random players")


if __name__ == "__main__":
    main()

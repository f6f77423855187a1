"""The network of `learner.py` learns against itself; the lab says how certain it is that it plays better.

    python examples/self_play.py kuhn.rules --rounds 10

Both, trained and untrained, play the same deals against random players, and the lab gives the interval of each.
"""

import argparse

from learner import measure, new_network, train

from interpreter.lab.intervals import share


def main() -> None:
    """Train, and compare with the untrained network."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", default="kuhn.rules")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--games", type=int, default=2000)
    arguments = parser.parse_args()
    table, network = train(arguments.file, arguments.rounds, against_itself=True)
    for name, each in (("untrained", new_network(table)), ("trained", network)):
        won, games = measure(table, each, arguments.games)
        found = share(games, won, won, 1, 0.05)
        print(
            f"{name}: {found.value:.1%} of {games} games, from {found.low:.1%} to {found.high:.1%}"
        )


if __name__ == "__main__":
    main()

"""The network of `policy_gradient.py` learns against itself; the lab says how certain it is that it plays better.

    python examples/self_play.py kuhn.rules --rounds 150

Both, trained and untrained, play the same deals against random players, and the lab gives the interval of each.
"""

import argparse

from policy_gradient import Network, measure, train

from interpreter.lab.intervals import share


def main() -> None:
    """Train, and compare with the untrained network."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", default="kuhn.rules")
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--games", type=int, default=2000)
    arguments = parser.parse_args()
    table, network = train(arguments.file, arguments.rounds, against_itself=True)
    for name, each in (("untrained", Network(network.size, network.actions)), ("trained", network)):
        won, games = measure(table, each, arguments.games)
        found = share(games, won, won, 1, 0.05)
        print(
            f"{name}: {found.value:.1%} of {games} games, from {found.low:.1%} to {found.high:.1%}"
        )


if __name__ == "__main__":
    main()

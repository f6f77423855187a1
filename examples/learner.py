"""A small network learns what each action is worth, and is then measured against random players.

    python examples/learner.py sins.rules

Some hundred games are played at once. The network chooses what it thinks is worth most, and now and then something else;
when the games are over, it learns by regression what its actions were worth. Nothing but NumPy is needed.
"""

import argparse
import os
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the arrays are small: threads would only wait

import numpy as np
import numpy.typing as npt
from attrs import Factory, define
from memories import Sights, Sins

import interpreter
from interpreter.research import Table

Array = npt.NDArray[np.float32]
Memory = Sights | Sins
Past = tuple[Array, Array]  # what was done, each as its features; and what came of it

MEMORIES: dict[str, Callable[[Table, int], Memory]] = {"sins.rules": Sins}
WARMTH = 0.05  # how much less an action may be worth and still be tried often
KEPT = 4  # rounds that are learnt from again


@define
class Network:
    """Features of a state and an action -> what that action is worth; two hidden layers, trained by Adam."""

    size: int
    hidden: int = 64
    rate: float = 0.002
    seed: int = 1
    weights: list[Array] = Factory(list)
    means: list[Array] = Factory(list)
    squares: list[Array] = Factory(list)
    steps: int = 0

    def __attrs_post_init__(self) -> None:
        dice = np.random.default_rng(self.seed)
        sizes = (self.size, self.hidden, self.hidden, 1)
        for a, b in pairwise(sizes):
            scale = np.sqrt(2 / a) if b > 1 else 0
            self.weights += [
                (scale * dice.normal(size=(a, b))).astype(np.float32),
                np.zeros(b, np.float32),
            ]
        self.means = [np.zeros_like(each) for each in self.weights]
        self.squares = [np.zeros_like(each) for each in self.weights]

    def layers(self, seen: Array) -> list[Array]:
        """What goes into each layer, and what comes out at last."""
        found, w = [seen], self.weights
        for n in (0, 2):
            found.append(np.maximum(0, found[-1] @ w[n] + w[n + 1]))
        return [*found, found[-1] @ w[4] + w[5]]

    def worth(self, seen: Array) -> Array:
        """What each action is worth."""
        found: Array = self.layers(seen)[-1][:, 0]
        return found

    def learn(self, seen: Array, came: Array) -> None:
        """One step: these actions were worth this."""
        *layers, worth = self.layers(seen)
        slope = (came[:, None] - worth) / len(came)
        slopes: list[Array] = []
        for n in (4, 2, 0):
            entered = layers[n // 2]
            slopes = [entered.T @ slope, slope.sum(axis=0), *slopes]
            slope = slope @ self.weights[n].T * (entered > 0)
        self.steps += 1
        fade = np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for n, each in enumerate(slopes):
            self.means[n] += 0.1 * (each - self.means[n])
            self.squares[n] += 0.001 * (each**2 - self.squares[n])
            self.weights[n] += self.rate * fade * self.means[n] / (np.sqrt(self.squares[n]) + 1e-8)


def make_memory(table: Table, games: int) -> Memory:
    """What the players of so many games keep in mind."""
    return MEMORIES.get(Path(table.game.name).name, Sights)(table, games)


def play(  # noqa: PLR0913 - the last two have a default
    table: Table,
    network: Network,
    games: int,
    seed: int,
    *,
    warmth: float = WARMTH,
    against_itself: bool = False,
) -> tuple[Past, Array]:
    """So many games: what the network did and what came of it, and what it won in each game.

    It has each seat in as many games; the others choose at random, or are the network, too.
    """
    dice = np.random.default_rng(seed)
    batch, memory = table.batch(games, seed * games), make_memory(table, games)
    seats, done, where = np.arange(games) % table.players, [], []
    while not batch.over.all():
        going = np.flatnonzero(~batch.over)
        players, seen = batch.players[going], batch.observations()[going]
        options = batch.option_numbers(going)
        rows, actions = np.nonzero(options >= 0)  # of each game all that may be done
        value = dice.random(len(rows))
        mine = (players == seats[going])[rows] | against_itself
        features = memory.features(going, players, seen, rows[mine], actions[mine])
        # The largest sum is drawn as often as a softmax of the worths would draw it.
        value[mine] = network.worth(features) / warmth + dice.gumbel(size=len(features))
        table_of = np.full(options.shape, -np.inf)
        table_of[rows, actions] = value
        chosen = table_of.argmax(axis=1)
        taken = chosen[rows[mine]] == actions[mine]
        done.append(features[taken])
        where.append(np.stack([going[rows[mine]][taken], players[rows[mine]][taken]]))
        memory.note(going, players, seen, chosen)
        numbers = np.zeros(games, np.int32)
        numbers[going] = options[np.arange(len(going)), chosen]
        batch.step(numbers)
    returns = batch.returns()
    game, player = np.concatenate(where, axis=1)
    return (np.concatenate(done), returns[game, player]), returns[np.arange(games), seats]


def new_network(table: Table, seed: int = 1) -> Network:
    """A network that has learnt nothing."""
    return Network(make_memory(table, 1).size, seed=seed)


def train(  # noqa: PLR0913 - the last four have a default
    file: str,
    rounds: int,
    games: int = 512,
    *,
    against_itself: bool = False,
    seed: int = 1,
    tell: Callable[[str], Any] = lambda _: None,
) -> tuple[Table, Network]:
    """A network that has learnt for so many rounds of so many games."""
    table = interpreter.load(file).table(utility="winning")
    network, past = new_network(table, seed), list[Past]()
    dice = np.random.default_rng(seed)
    for n in range(rounds):
        last, won = play(table, network, games, seed + n, against_itself=against_itself)
        past = [*past, last][-KEPT:]
        done, came = (np.concatenate(each) for each in zip(*past, strict=True))
        for _ in range(4 * len(last[0]) // 512):
            some = dice.integers(len(done), size=512)
            network.learn(done[some], came[some])
        tell(f"round {n + 1}: won {(won > 0).mean():.1%} while learning")
    return table, network


def measure(table: Table, network: Network, games: int, seed: int = 10**6) -> tuple[int, int]:
    """How many of so many games are won against random players, if nothing is tried any more."""
    _, won = play(table, network, games, seed, warmth=0.001)
    return int((won > 0).sum()), games


def main() -> None:
    """Train, and tell how often the network wins."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", default="sins.rules")
    parser.add_argument("--rounds", type=int, default=30)
    arguments = parser.parse_args()
    begun = time.monotonic()
    table, network = train(arguments.file, arguments.rounds, tell=print)
    won, games = measure(table, network, 2000)
    print(f"won {won / games:.1%} of {games} games against random players")
    print(f"after {arguments.rounds} rounds, in {time.monotonic() - begun:.0f} seconds")


if __name__ == "__main__":
    main()

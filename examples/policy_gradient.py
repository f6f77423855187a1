"""A small network learns a game in batches, by policy gradient, and is then measured against random players.

    python examples/policy_gradient.py kuhn.rules --rounds 150

The network has one hidden layer, and is trained with NumPy alone. Half of the games it begins in each seat; the other
players choose at random, or, in `self_play.py`, are the network itself.
"""

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import define, field

import interpreter
from interpreter.research import Table

Array = npt.NDArray[np.float64]


@define
class Network:
    """Observations -> how likely each action is, and what the game is worth."""

    size: int
    actions: int
    hidden: int = 64
    seed: int = 1
    weights: dict[str, Array] = field(factory=dict)
    scale: Array = field(init=False)

    def __attrs_post_init__(self) -> None:
        dice = np.random.default_rng(self.seed)
        self.weights = {
            "in": dice.normal(0, 1 / np.sqrt(self.size), (self.size, self.hidden)),
            "in0": np.zeros(self.hidden),
            "out": dice.normal(0, 0.01, (self.hidden, self.actions)),
            "out0": np.zeros(self.actions),
            "worth": np.zeros((self.hidden, 1)),
            "worth0": np.zeros(1),
        }
        self.scale = np.ones(self.size)

    def think(self, seen: Array, mask: Any) -> tuple[Array, Array, Array]:
        """Of each observation the hidden layer, the shares of actions, and the worth."""
        w = self.weights
        hidden = np.tanh(seen / self.scale @ w["in"] + w["in0"])
        logits = np.where(mask, hidden @ w["out"] + w["out0"], -1e9)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return hidden, shares, (hidden @ w["worth"] + w["worth0"])[:, 0]


@define
class Adam:
    """Steps that are as long as they are sure."""

    rate: float = 0.003
    mean: dict[str, Array] = field(factory=dict)
    square: dict[str, Array] = field(factory=dict)
    steps: int = 0

    def step(self, weights: dict[str, Array], slopes: dict[str, Array]) -> None:
        self.steps += 1
        for name, slope in slopes.items():
            mean = self.mean[name] = 0.9 * self.mean.get(name, 0 * slope) + 0.1 * slope
            square = self.square[name] = 0.999 * self.square.get(name, 0 * slope) + 0.001 * slope**2
            mean = mean / (1 - 0.9**self.steps)
            square = square / (1 - 0.999**self.steps)
            weights[name] += self.rate * mean / (np.sqrt(square) + 1e-8)


def draw(shares: Array, dice: np.random.Generator) -> npt.NDArray[np.int64]:
    """An action for each row of shares."""
    found = (shares.cumsum(axis=1) > dice.random((len(shares), 1))).argmax(axis=1)
    return np.where(shares[np.arange(len(shares)), found] > 0, found, shares.argmax(axis=1))


@define
class Memory:
    """What everybody could see and has to remember: which cards each player took, and which were fed to the Abyss.

    The Sins lets nobody look at what was taken, so an observation does not have it. For other files nothing is kept.
    """

    games: int
    players: int
    centre: dict[str, list[int]]  # of a sin, where its cards at the centre are counted
    sins: dict[int, str]  # of actions that choose a sin, which one
    keeps: frozenset[int]
    feeds: frozenset[int]
    taken: Array = field(init=False)
    chosen: dict[int, tuple[int, float]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.taken = np.zeros((self.games, self.players + 1, len(self.centre)))

    def note(self, game: int, player: int, action: int, seen: Array) -> None:
        """Somebody acts, who sees this."""
        if action in self.sins:
            sin = self.sins[action]
            place = [*self.centre].index(sin)
            self.chosen[game] = place, float(seen[self.centre[sin]].sum())
        elif action in self.keeps | self.feeds and game in self.chosen:
            place, count = self.chosen.pop(game)
            self.taken[game, player if action in self.keeps else self.players, place] += count

    def seen_by(self, games: Any, players: Any) -> Array:
        """What was taken by a player, by all others together, and by the Abyss; and by how much each is chosen."""
        mine = self.taken[games, players]
        abyss = self.taken[games, self.players]
        others = self.taken[games].sum(axis=1) - mine - abyss
        waits = np.zeros_like(mine)
        for n, game in enumerate(games):
            if int(game) in self.chosen:
                place, count = self.chosen[int(game)]
                waits[n, place] = count
        # A number is no quantity here: three cards are good, and four are bad.
        exact = [
            (np.minimum(each, 7)[:, :, None] == np.arange(8)).reshape(len(mine), -1)
            for each in (mine + waits, mine, abyss + waits, abyss, others)
        ]
        return np.concatenate([mine, others, abyss, waits, *exact], axis=1)


def remember(table: Table, games: int) -> Memory:
    """The memory of a table, empty."""
    centre: dict[str, list[int]] = {}
    for n, name in enumerate(table.observation.names()):
        zone, _, card = name.partition(": ")
        if zone == "centre" and "(" not in card and "Judgment" not in card:
            centre.setdefault(card, []).append(n)
    texts = [table.action_to_string(n) for n in range(table.num_distinct_actions())]
    sins = {
        n: text.removeprefix("Which sin do you take? ")
        for n, text in enumerate(texts)
        if text.startswith("Which sin do you take? ")
    }
    places = [n for n, text in enumerate(texts) if text.startswith("Where do the … cards go?")]
    keeps, feeds = frozenset(places[:1]), frozenset(places[1:])
    return Memory(games, table.players, centre, sins, keeps, feeds)


def width(table: Table) -> int:
    """How many numbers the network sees."""
    return table.observation_tensor_size() + 44 * len(remember(table, 1).centre)


def play(
    table: Table, network: Network, games: int, seed: int, *, against_itself: bool
) -> tuple[list[tuple[Any, ...]], Array, npt.NDArray[np.int64]]:
    """So many games: all decisions of the network, what was won in each, and which seat it had."""
    dice = np.random.default_rng(seed)
    batch, memory = table.batch(games, seed * games), remember(table, games)
    seats = np.arange(games) % table.players
    decided = []
    while not batch.over.all():
        asked = batch.players
        going = np.flatnonzero(asked >= 0)
        players = asked[going]
        options = batch.option_numbers(going)
        seen = batch.observations()[going].astype(float)
        full = np.concatenate([seen, memory.seen_by(going, players)], axis=1)
        mask = options >= 0
        actions = draw(mask / mask.sum(axis=1, keepdims=True), dice)
        mine = np.flatnonzero((players == seats[going]) | against_itself)
        if len(mine):
            _, shares, _ = network.think(full[mine], mask[mine])
            actions[mine] = draw(shares, dice)
            decided.append((full[mine], mask[mine], actions[mine], going[mine], players[mine]))
        for n, game in enumerate(going):
            memory.note(int(game), int(players[n]), int(actions[n]), seen[n])
        numbers = np.zeros(games, np.int32)
        numbers[going] = options[np.arange(len(going)), actions]
        batch.step(numbers)
    return decided, batch.returns().astype(float), seats


def learn(network: Network, adam: Adam, decided: list[tuple[Any, ...]], returns: Array) -> None:
    """More of what has won, less of what has lost: by how much, compared with what was expected."""
    seen, mask, actions = (np.concatenate([each[n] for each in decided]) for n in range(3))
    won = np.concatenate([returns[each[3], each[4]] for each in decided])
    w = network.weights
    hidden, shares, worth = network.think(seen, mask)
    gain = won - worth
    push = gain / (gain.std() + 1e-6)
    rows = np.arange(len(actions))
    slope = -shares * push[:, None]
    slope[rows, actions] += push
    # A little curiosity: whoever is too sure learns nothing new.
    sure = np.log(shares + 1e-12) + 1
    slope -= 0.003 * shares * (sure - (shares * sure).sum(axis=1, keepdims=True))
    slope /= len(rows)
    error = gain[:, None] / len(rows)
    back = (slope @ w["out"].T + error @ w["worth"].T) * (1 - hidden**2)
    adam.step(
        w,
        {
            "out": hidden.T @ slope,
            "out0": slope.sum(axis=0),
            "worth": hidden.T @ error,
            "worth0": error.sum(axis=0),
            "in": (seen / network.scale).T @ back,
            "in0": back.sum(axis=0),
        },
    )


def train(
    file: str, rounds: int, games: int = 128, *, against_itself: bool = False, seed: int = 1
) -> tuple[Table, Network]:
    """A network that has learnt for so many rounds of so many games."""
    table = interpreter.load(file).table(utility="winning")
    network = Network(width(table), table.num_distinct_actions(), seed=seed)
    adam = Adam()
    for n in range(rounds):
        decided, returns, _ = play(table, network, games, seed + n, against_itself=against_itself)
        if n == 0:
            network.scale = np.maximum(
                1.0, np.concatenate([each[0] for each in decided]).max(axis=0)
            )
        learn(network, adam, decided, returns)
    return table, network


def measure(table: Table, network: Network, games: int, seed: int = 10**6) -> tuple[int, int]:
    """How many of so many games are won against random players."""
    _, returns, seats = play(table, network, games, seed, against_itself=False)
    return int((returns[np.arange(games), seats] > 0).sum()), games


def main() -> None:
    """Train, and tell how often the network wins."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", default="kuhn.rules")
    parser.add_argument("--rounds", type=int, default=150)
    arguments = parser.parse_args()
    begun = time.monotonic()
    table, network = train(arguments.file, arguments.rounds)
    won, games = measure(table, network, 1000)
    print(f"won {won / games:.1%} of {games} games against random players")
    print(f"after {arguments.rounds} rounds, in {time.monotonic() - begun:.0f} seconds")


if __name__ == "__main__":
    main()

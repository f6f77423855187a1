"""The most that anybody can win against a level, in a game that is small enough to be explored.

    python benchmarks/best_answer.py kuhn.rules leduc.rules --level normal

Every decision of a game for two is listed, the level is asked for each of its own what it does, and the best answer to
that is computed. So a level can win no larger share of games against this one, however strong it is: where the best
answer wins half of them, there is no rung above.
"""

import argparse
from collections import defaultdict
from typing import Any

from attrs import define, field, frozen

import interpreter
from interpreter.bots import make_bot
from interpreter.research import CHANCE, GameState


@frozen
class Node:
    """A moment of the game: an end, or one that chance or a player decides."""

    player: int | None  # who decides; nothing at the end
    known: str  # what that player knows
    odds: tuple[float, ...]  # of chance
    then: tuple["Node", ...]
    won: float  # the part of the victory of the first seat, at the end


@define
class Policy:
    """What a level does at each decision, as shares of several times that it was asked."""

    game: interpreter.Game
    level: str
    times: int
    moments: dict[str, Any] = field(factory=dict)
    shares: dict[str, list[float]] = field(factory=dict)

    def at(self, known: str) -> list[float]:
        """How often it takes each action."""
        if known not in self.shares:
            information, actions = self.moments[known]
            counts = [0.0] * actions
            for n in range(self.times):
                seed = self.times * len(self.shares) + n
                bot = make_bot(self.level, self.game, 2, seed)
                counts[bot.advise(information).choice] += 1 / self.times
            self.shares[known] = counts
        return self.shares[known]


def explore(state: GameState, policy: Policy) -> Node:
    """All that can happen from a state on."""
    if state.is_terminal():
        mine, other = state.returns()
        return Node(None, "", (), (), 1.0 if mine > other else 0.5 if mine == other else 0.0)
    player = state.current_player()
    steps = (
        state.chance_outcomes() if player == CHANCE else [(n, 1.0) for n in state.legal_actions()]
    )
    known = ""
    if player != CHANCE:
        known = state.information_state_string(player)
        policy.moments.setdefault(known, (state.information_state(player), len(steps)))
    then = []
    for action, _ in steps:
        after = state.clone()
        after.apply(action)
        then.append(explore(after, policy))
    return Node(player, known, tuple(odds for _, odds in steps), tuple(then), 0.0)


def best_answer(root: Node, policy: Policy, mine: int) -> float:
    """The share of games that a seat wins if it knows what the level in the other seat does."""
    moments: dict[str, list[tuple[float, Node]]] = defaultdict(list)

    def weights(node: Node) -> tuple[float, ...]:
        return node.odds if node.player == CHANCE else tuple(policy.at(node.known))

    def reach(node: Node, weight: float) -> None:
        if node.player == mine:
            moments[node.known].append((weight, node))
            for each in node.then:
                reach(each, weight)
        elif node.then:
            for part, each in zip(weights(node), node.then, strict=True):
                reach(each, weight * part)

    answers: dict[str, int] = {}

    def answer(known: str) -> int:
        if known not in answers:
            here = moments[known]
            sums = [
                sum(weight * value(node.then[n]) for weight, node in here if weight)
                for n in range(len(here[0][1].then))
            ]
            answers[known] = sums.index(max(sums))
        return answers[known]

    def value(node: Node) -> float:
        if not node.then:
            return node.won if mine == 0 else 1 - node.won
        if node.player == mine:
            return value(node.then[answer(node.known)])
        return sum(
            part * value(each) for part, each in zip(weights(node), node.then, strict=True) if part
        )

    reach(root, 1.0)
    return value(root)


def main() -> None:
    """Explore, and print a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", default=["kuhn.rules", "leduc.rules"])
    parser.add_argument("--level", default="normal")
    parser.add_argument("--times", type=int, default=4, help="the level is asked at each decision")
    chosen = parser.parse_args()
    for file in chosen.files:
        game = interpreter.load(file)
        policy = Policy(game, chosen.level, chosen.times)
        root = explore(game.new_initial_state(players=2, first=0), policy)
        first, second = (best_answer(root, policy, seat) for seat in (0, 1))
        print(
            f"{file:16} the best answer to {chosen.level} wins {(first + second) / 2:6.1%} "
            f"(in the first seat {first:.1%}, in the second {second:.1%}); {len(policy.moments):,} decisions",
            flush=True,
        )


if __name__ == "__main__":
    main()

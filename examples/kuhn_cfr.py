"""Learn to play Kuhn Poker by counterfactual regret minimisation, from the public face alone.

    python examples/kuhn_cfr.py --rounds 1000

The value for whoever begins is -1/18.
"""

import argparse
from collections import defaultdict

import interpreter
from interpreter.research import CHANCE, GameState


class Learner:
    """What is regretted at each information state, and how often each action was taken in all."""

    def __init__(self) -> None:
        self.regrets: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        self.taken: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))

    def shares(self, known: str, actions: list[int]) -> dict[int, float]:
        """How likely each action is now."""
        return _shares({each: max(0.0, self.regrets[known][each]) for each in actions})

    def average(self, known: str, actions: list[int]) -> dict[int, float]:
        """How likely each action is in the long run: what comes close to an equilibrium."""
        return _shares({each: self.taken[known][each] for each in actions})

    def learn(self, state: GameState, reach: tuple[float, float]) -> float:
        """Play all games from a state on; what they are worth to the first seat."""
        if state.is_terminal():
            return state.returns()[0]
        player = state.current_player()
        if player == CHANCE:
            return sum(
                odds * self.learn(after(state, outcome), (reach[0] * odds, reach[1] * odds))
                for outcome, odds in state.chance_outcomes()
            )
        known, actions = state.information_state_string(player), state.legal_actions()
        shares = self.shares(known, actions)
        values = {}
        for action, share in shares.items():
            mine = (reach[0] * share, reach[1]) if player == 0 else (reach[0], reach[1] * share)
            values[action] = self.learn(after(state, action), mine)
        value = sum(shares[each] * values[each] for each in actions)
        sign = 1 if player == 0 else -1
        for action in actions:
            self.regrets[known][action] += reach[1 - player] * sign * (values[action] - value)
            self.taken[known][action] += reach[player] * shares[action]
        return value

    def value(self, state: GameState) -> float:
        """What the game is worth if both play as they have learnt."""
        if state.is_terminal():
            return state.returns()[0]
        player = state.current_player()
        if player == CHANCE:
            steps = state.chance_outcomes()
        else:
            known = state.information_state_string(player)
            steps = [*self.average(known, state.legal_actions()).items()]
        return sum(odds * self.value(after(state, step)) for step, odds in steps)


def _shares(weights: dict[int, float]) -> dict[int, float]:
    total = sum(weights.values())
    if total <= 0:
        return {each: 1 / len(weights) for each in weights}
    return {each: weight / total for each, weight in weights.items()}


def after(state: GameState, action: int) -> GameState:
    """A copy of a state, one action later."""
    new = state.clone()
    new.apply(action)
    return new


def train(rounds: int) -> float:
    """The value for whoever begins, after so many rounds."""
    start = interpreter.load("kuhn.rules").new_initial_state(players=2, first=0)
    learner = Learner()
    for _ in range(rounds):
        learner.learn(start, (1.0, 1.0))
    return learner.value(start)


def main() -> None:
    """Learn, and tell the value."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=1000)
    value = train(parser.parse_args().rounds)
    print(f"worth {value:.4f} to whoever begins; in equilibrium {-1 / 18:.4f}")


if __name__ == "__main__":
    main()

"""The tree of a two-player zero-sum game -> its value, and a strategy that no opponent can exploit much.

The method is counterfactual regret minimisation in its predictive variant PCFR+: both players play the game over and
over, and shift to the options that they regret not having chosen, expecting the same regret once more. The
exploitability is what an opponent who knows the whole strategy could still win; it bounds the error of the value.
"""

from collections.abc import Sequence
from fractions import Fraction

from attrs import define, frozen

from interpreter.verifying.game_trees import CHANCE, END, GameNode, Tree

NARROW = 2.5e-5  # two fractions with denominators up to 100 differ by more than four times this


@frozen(eq=False)
class Equilibrium:
    """Best play in a two-player game: the value for the first seat, and how much the strategy is exploitable."""

    value: float
    exploitability: float  # the mean of what each could gain by deviating
    rounds: int
    play: dict[str, tuple[float, ...]]  # information state -> the probability of each option

    @property
    def fraction(self) -> Fraction | None:
        """The only fraction with a small denominator within the error bound of the value, if there is exactly one."""
        found = Fraction(self.value).limit_denominator(100)
        sure = self.exploitability < NARROW and abs(found - self.value) <= 2 * self.exploitability
        return found if sure else None


@define(eq=False)
class _Solver:
    tree: Tree
    regrets: dict[int, list[float]]
    last: dict[int, list[float]]  # the regrets of the last round alone
    sums: dict[int, list[float]]


def solve(tree: Tree, rounds: int, enough: float) -> Equilibrium:
    """Play `rounds` rounds, or stop once the exploitability is at most `enough`."""
    solver = _Solver(tree, {}, {}, {})
    for node in tree.nodes:
        if node.player >= 0:
            solver.regrets.setdefault(node.known, [0.0] * len(node.steps))
            solver.last.setdefault(node.known, [0.0] * len(node.steps))
            solver.sums.setdefault(node.known, [0.0] * len(node.steps))
    order = [*reversed(range(tree.root + 1))]  # a node comes before its successors
    done, check = 0, 100
    while True:
        for player in (0, 1):
            _train(solver, order, player, done + 1)
        done += 1
        if done >= min(check, rounds):
            gained, value = _judge(solver, order)
            if gained <= enough or done >= rounds:
                break
            check += check // 2
    names = {number: name for name, number in tree.known.items()}
    play = {names[known]: tuple(_shares(sums)) for known, sums in solver.sums.items()}
    return Equilibrium(value, gained, done, play)


def _shares(weights: Sequence[float]) -> list[float]:
    total = sum(weights)
    return [each / total for each in weights] if total > 0 else [1 / len(weights)] * len(weights)


def _train(solver: _Solver, order: Sequence[int], player: int, weight: int) -> None:
    """Update the regrets of one player against the current strategy of the other."""
    nodes = solver.tree.nodes
    now = {
        known: _shares(
            [max(0.0, one + more) for one, more in zip(regrets, solver.last[known], strict=True)]
        )
        for known, regrets in solver.regrets.items()
    }
    mine, others = _reach(nodes, order, player, now)
    values = _values(nodes, player, now)
    learnt: dict[int, list[float]] = {}
    for number in order:
        node = nodes[number]
        if node.player == player:
            regrets = learnt.setdefault(node.known, [0.0] * len(node.steps))
            sums, shares = solver.sums[node.known], now[node.known]
            for n, step in enumerate(node.steps):
                regrets[n] += others[number] * (values[step] - values[number])
                sums[n] += weight * weight * mine[number] * shares[n]
    for known, regrets in learnt.items():
        kept, solver.last[known] = solver.regrets[known], regrets
        for n, regret in enumerate(regrets):
            kept[n] = max(0.0, kept[n] + regret)


Play = dict[int, list[float]]  # information set -> the probability of each option


def _reach(
    nodes: Sequence[GameNode], order: Sequence[int], player: int, play: Play
) -> tuple[list[float], list[float]]:
    """For each node, the probability that the player plays towards it, and that all others (with chance) do."""
    mine, others = [0.0] * len(nodes), [0.0] * len(nodes)
    mine[order[0]] = others[order[0]] = 1.0
    for number in order:
        node = nodes[number]
        if node.player == END:
            continue
        shares = node.odds if node.player == CHANCE else play[node.known]
        for step, share in zip(node.steps, shares, strict=True):
            if node.player == player:
                # Every path to a node has the same choices of the player: perfect recall.
                mine[step] = mine[number] * share
                others[step] += others[number]
            else:
                mine[step] = mine[number]
                others[step] += others[number] * share
    return mine, others


def _values(nodes: Sequence[GameNode], player: int, play: Play) -> list[float]:
    """The expected return of a player at each node, if both follow this strategy."""
    values = [0.0] * len(nodes)
    for number, node in enumerate(nodes):
        if node.player == END:
            values[number] = node.returns[player]
        else:
            shares = node.odds if node.player == CHANCE else play[node.known]
            values[number] = sum(
                share * values[step] for step, share in zip(node.steps, shares, strict=True)
            )
    return values


def _judge(solver: _Solver, order: Sequence[int]) -> tuple[float, float]:
    """The exploitability of the average strategy, and its value for the first seat."""
    nodes, root = solver.tree.nodes, solver.tree.root
    play = {known: _shares(sums) for known, sums in solver.sums.items()}
    best = [_best(nodes, order, player, play)[root] for player in (0, 1)]
    total = _values(nodes, 0, play)[root] + _values(nodes, 1, play)[root]
    return (best[0] + best[1] - total) / 2, _values(nodes, 0, play)[root]


def _best(
    nodes: Sequence[GameNode], order: Sequence[int], player: int, play: Play
) -> dict[int, float]:
    """The value of a player's best response at each node, against the other player's known strategy."""
    _, others = _reach(nodes, order, player, play)
    together: dict[int, list[int]] = {}
    for number in order:
        if nodes[number].player == player:
            together.setdefault(nodes[number].known, []).append(number)
    values: dict[int, float] = {}
    chosen: dict[int, int] = {}

    def value(number: int) -> float:
        if number not in values:
            node = nodes[number]
            if node.player == END:
                values[number] = node.returns[player]
            elif node.player == player:
                values[number] = value(node.steps[choice(node.known)])
            else:
                shares = node.odds if node.player == CHANCE else play[node.known]
                values[number] = sum(
                    share * value(step) for step, share in zip(node.steps, shares, strict=True)
                )
        return values[number]

    def choice(known: int) -> int:
        if known not in chosen:
            same = together[known]
            gains = [
                sum(others[number] * value(nodes[number].steps[n]) for number in same)
                for n in range(len(nodes[same[0]].steps))
            ]
            chosen[known] = max(range(len(gains)), key=gains.__getitem__)
        return chosen[known]

    value(order[0])
    return values

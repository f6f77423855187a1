"""The bot that thinks ahead: Monte-Carlo tree search over what may be true (ISMCTS).

Again and again it imagines a world that explains what it has seen, walks down one tree of what everybody
may do, adds a node to it and plays the rest out at random. The tree is shared by all worlds; in each of
them only the options are looked at that this world has, and how often an option could be taken counts
(Cowling, Powley and Whitehouse, 2012). Everybody is taken to look after themselves.

What the bot itself chooses now is tried in another way. All options are tried equally often, then the
better half of them, and so on until two are left: more is learnt of those that matter in the end, and
they are compared in the same worlds (Pepels, Cazenave, Winands and Lanctot, 2014).
"""

from collections.abc import Hashable
from math import log, sqrt
from typing import Any

from attrs import define, field

from interpreter.bots.advice import Advice, Progress
from interpreter.bots.imagination import (
    Budget,
    Imagination,
    OptionTally,
    PlayoutResult,
    Scale,
    conclude,
    play_out,
)
from interpreter.bots.option_keys import OptionKeys
from interpreter.bots.pondering import how_many, ponder
from interpreter.dice import Dice
from interpreter.engine_protocol import Engine
from interpreter.errors import RuleFault
from interpreter.views import Information
from interpreter.worlds import Mind
from interpreter.worlds.fast import Keep

CURIOSITY = 0.5  # how much is tried that does not look best
MOST_OPTIONS = 60  # that a node looks at; where there are more, a sample at the root, else none


class SearchNode:
    """What may be done at a moment, by what it looks like; and how that went."""

    __slots__ = ("children", "could", "total", "tried")

    def __init__(self) -> None:
        self.children: dict[Hashable, SearchNode] = {}
        self.total = 0.0  # for whoever decided to come here
        self.tried = 0
        self.could = 0  # how often it could have been


@define(eq=False)
class Search:
    """Thinks until its budget is used up."""

    engine: Engine[Any]
    dice: Dice
    games: int | None
    seconds: float | None
    keep: Keep | None = None
    imagination: Imagination = field(init=False)
    keys: OptionKeys = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.imagination = Imagination(self.engine, self.dice, self.keep)
        self.keys = OptionKeys(self.engine)

    def advise(self, known: Information, progress: Progress | None = None) -> Advice:
        """Think for a while."""
        if known.question is None:
            raise ValueError("nothing is asked")
        self.imagination.prepare()
        count = known.question.count
        budget = Budget(self.games, self.seconds, progress)
        self.imagination.recall(known, budget)
        some = range(count)
        numbers = self.dice.some(some, MOST_OPTIONS) if count > MOST_OPTIONS else list(some)
        if not self.imagination.finds:
            return Advice(self.dice.below(count), is_blind=count > 1)
        mind = self.imagination.sampler
        if isinstance(mind, Mind):
            tallies, worlds = ponder(mind, numbers, budget, deep=True)
            return conclude(self.dice, count, tallies, budget.played, worlds)
        root, scale = SearchNode(), Scale()
        tallies = {number: OptionTally() for number in numbers}
        for state in self.imagination.states():
            if not budget.goes_on():
                break
            budget.played += 1
            promising = _promising(root, numbers, budget.used)
            first = min(promising, key=lambda each: _begun(root, each))
            ending = self._simulate(root, state, first, scale)
            if ending is not None:
                tallies[first].add(ending, known.player)
        return conclude(self.dice, count, tallies, budget.played, self.imagination.worlds)

    def _simulate(
        self, root: SearchNode, state: Any, first: int, scale: Scale
    ) -> PlayoutResult | None:
        """One game in thought: down the tree, one step out of it, and on at random."""
        engine, node = self.engine, root
        path: list[tuple[int, SearchNode]] = []
        try:
            while True:
                count = engine.count(state)
                if not count or (node is not root and count > MOST_OPTIONS):
                    break
                if node is root:
                    number = first
                    child = root.children.setdefault(number, SearchNode())
                    child.could += 1
                else:
                    options = {look: n for n, look in enumerate(self.keys.of(state))}
                    key = self._select(node, options)
                    number, child = options[key], node.children[key]
                path.append((engine.player(state), child))
                engine.apply(state, number)
                node = child
                if not child.tried:
                    break
        except RuleFault:
            return None
        ending = play_out(engine, state, self.dice, scale)
        if ending is None:
            return None
        for player, visited in path:
            visited.total += ending.worth[player]
            visited.tried += 1
        return ending

    def _select(self, node: SearchNode, options: dict[Hashable, int]) -> Hashable:
        """What has not been tried yet, or else what promises most."""
        new = [key for key in options if key not in node.children]
        if new:
            key = self.dice.pick(new)
            node.children[key] = SearchNode()
        for each in options:
            if each in node.children:
                node.children[each].could += 1
        if new:
            return key

        def promise(each: Hashable) -> float:
            child = node.children[each]
            if not child.tried:
                return 2.0
            return child.total / child.tried + CURIOSITY * sqrt(log(child.could) / child.tried)

        return max(options, key=promise)


def _begun(root: SearchNode, number: int) -> int:
    """How many games were begun with an option, whether or not they could be played."""
    child = root.children.get(number)
    return 0 if child is None else child.could


def _promising(root: SearchNode, numbers: list[int], used: float) -> list[int]:
    """The options that are still tried after a share of the budget: all, the better half, …, two."""
    left = how_many(len(numbers), used)
    if left >= len(numbers):
        return numbers

    def value(number: int) -> float:
        child = root.children.get(number)
        return child.total / child.tried if child is not None and child.tried else 0.0

    return sorted(numbers, key=value, reverse=True)[:left]

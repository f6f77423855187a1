"""Rules files -> OpenSpiel games: `pip install rulespec[openspiel]`.

Once this module is imported, `pyspiel.load_game("rulespec(file=kuhn.rules)")` gives an ordinary game with explicit
chance. Chance first decides who begins, unless `first` says it; it decides a shuffle card by card.
"""

from typing import Any

import pyspiel

from interpreter.caching import load_kept
from interpreter.research.course import MOST_OUTCOMES
from interpreter.research.game_tables import CHANCE, Table, find_table
from interpreter.research.states import GameState
from rulespec.core import tree

NAME = "rulespec"
LONGEST = 1_000_000  # decisions of a game
LARGEST = 2.0**31  # points
NOBODY = -1

DEFAULTS = {
    "file": "kuhn.rules",
    "players": 0,  # as few as the rules allow
    "variants": "",  # separated by `+`
    "options": "",  # `name:value`, separated by `+`
    "first": NOBODY,
    "utility": "points",
    "zero_sum": False,  # whether returns add up to 0: checked at the end of each game
}


def load_game(file: str, **parameters: Any) -> Any:
    """An OpenSpiel game from a rules file.

    >>> game = load_game("kuhn.rules", first=0, zero_sum=True)
    >>> game.num_players(), game.num_distinct_actions()
    (2, 4)
    """
    return RulesGame({**parameters, "file": file})


def _table(given: dict[str, Any]) -> Table:
    variants = [each for each in given["variants"].split("+") if each]
    pairs = [each.partition(":") for each in given["options"].split("+") if each]
    game = load_kept(given["file"], variants, {name: value for name, _, value in pairs})
    return find_table(game, given["players"] or game.code.least_players, given["utility"])


def _type(least: int, most: int, *, is_zero_sum: bool) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=NAME,
        long_name="A file of rules",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if is_zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
        provides_factored_observation_string=False,
    )


def _most_outcomes(table: Table) -> int:
    """The largest number of outcomes of one chance node."""
    draws = any(isinstance(each, tree.Draw) for b in table.machine.blocks for each in b.code)
    return max(table.players, len(table.machine.layout.pieces), MOST_OUTCOMES if draws else 1)


class NotZeroSum(ValueError):  # noqa: N818 - it says what is wrong
    """The returns do not add up to 0, though the game was loaded with `zero_sum`."""


class RulesGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """A rules file with a number of players, as an OpenSpiel game."""

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(parameters or {})}
        table = self.table = _table(given)
        self.first = None if given["first"] == NOBODY else given["first"]
        wins = table.utility == "winning"
        self.is_zero_sum = given["zero_sum"] or (wins and table.players > 1)
        least, most = (-1.0, max(1.0, table.players - 1.0)) if wins else (-LARGEST, LARGEST)
        info = pyspiel.GameInfo(
            num_distinct_actions=max(1, table.num_distinct_actions()),
            max_chance_outcomes=_most_outcomes(table),
            num_players=table.players,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if self.is_zero_sum else None,
            max_game_length=LONGEST,
        )
        players = table.game.players
        kind = _type(players[0], players[-1], is_zero_sum=self.is_zero_sum)
        super().__init__(kind, info, given)

    def new_initial_state(self) -> "RulesState":
        """A game before anything has happened."""
        return RulesState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "RulesObserver":
        """An observer that shows a state as a player sees it."""
        if params:
            raise ValueError("observers of rulespec take no parameters")
        recalls = iig_obs_type is None or iig_obs_type.perfect_recall
        return RulesObserver(self.table, recalls=recalls)


class RulesState(pyspiel.State):  # type: ignore[misc]  # it has no types
    """An OpenSpiel state that wraps a `GameState`."""

    def __init__(self, game: RulesGame) -> None:
        super().__init__(game)
        self.inner: GameState = game.table.new_initial_state(first=game.first)
        self.is_zero_sum = game.is_zero_sum

    def current_player(self) -> Any:
        player = self.inner.current_player()
        if player >= 0:
            return player
        return pyspiel.PlayerId.CHANCE if player == CHANCE else pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self.inner.legal_actions() if player == self.inner.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The possible outcomes of chance, with their probabilities."""
        return self.inner.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.inner.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance: {action}"
        return self.inner.table.action_to_string(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.inner.is_terminal()

    def returns(self) -> list[float]:
        """The return of each player."""
        found = self.inner.returns()
        if self.is_zero_sum and abs(sum(found)) > 1e-6:
            raise NotZeroSum(f"{found} do not add up to nothing: load the game without zero_sum")
        return found

    def resample_from_infostate(self, player: int, dice: Any) -> "RulesState":
        """A state that the player who is asked cannot tell from this one."""
        new = RulesState(self.get_game())
        found = self.inner.resample_from_infostate(player, int(dice() * (1 << 62)))
        skip = 1 if self.get_game().first is not None else 0
        for number in _actions_of(found, skip):
            new.apply_action(number)
        return new

    def __str__(self) -> str:
        return f"{self.inner!r} {self.inner.history}"


def _actions_of(state: GameState, skip: int) -> list[int]:
    """A history as actions: `history` itself holds option numbers."""
    table = state.table
    again = table.new_initial_state(first=state.history[0] if skip else None)
    found: list[int] = []
    for number in state.history[skip:]:
        if again.is_chance_node():
            found.append(number)
            again.apply(number)
        else:
            found += again.actions_to(number)
            again.choose(number)
    return found


class RulesObserver:
    """What a player sees of a state, as a tensor and as text."""

    def __init__(self, table: Table, *, recalls: bool) -> None:
        import numpy as np  # noqa: PLC0415 - OpenSpiel brings it along

        size = table.information_state_tensor_size() if recalls else table.observation_tensor_size()
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}
        self._recalls = recalls

    def set_from(self, state: RulesState, player: int) -> None:
        """Write what a player sees into `tensor`."""
        inner = state.inner
        ask = inner.information_state_tensor if self._recalls else inner.observation_tensor
        self.tensor[:] = ask(player)

    def string_from(self, state: RulesState, player: int) -> str:
        """What a player sees, as text."""
        if self._recalls:
            return state.inner.information_state_string(player)
        return state.inner.observation_string(player)


pyspiel.register_game(_type(1, 10, is_zero_sum=False), RulesGame)

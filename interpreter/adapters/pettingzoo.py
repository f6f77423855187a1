"""Rules files -> PettingZoo environments: `pip install rulespec[pettingzoo]`.

`env` asks one agent after the other. `parallel_env` asks all agents at once that choose at the same time under the rules;
where only one agent is asked, it ignores the actions of the others, whose masks are empty.
"""

from typing import Any

from pettingzoo import AECEnv, ParallelEnv

from interpreter.adapters.sessions import (
    Observed,
    Seeds,
    action_space,
    describe,
    observation_space,
    observe,
    open_table,
)
from interpreter.errors import IllegalMove
from interpreter.research.states import GameState

METADATA = {"render_modes": ["ansi"], "name": "rulespec", "is_parallelizable": False}


class RulesSeats:
    """What both environments have in common: an agent for each seat, and what it may see and do."""

    state_: GameState

    def __init__(self, file: str, render_mode: str | None = None, **more: Any) -> None:
        super().__init__()
        self.table = open_table(file, **more)
        self.metadata = {**METADATA, "name": f"rulespec_{self.table.game.name}"}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{n}" for n in range(self.table.players)]
        self._spaces = {each: observation_space(self.table) for each in self.possible_agents}
        self._actions = {each: action_space(self.table) for each in self.possible_agents}
        self._seeds = Seeds()

    def observation_space(self, agent: str) -> Any:
        """What an agent may see."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent may do."""
        return self._actions[agent]

    def render(self) -> str | None:
        """The state in words, with all that players see."""
        return describe(self.state_) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class RulesAEC(RulesSeats, AECEnv[str, Observed, int]):  # type: ignore[misc]  # it has no types
    """A game in which agents are asked in turn."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game."""
        self.state_ = self.table.new_initial_state(self._seeds.next(seed))
        del options
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {each: {} for each in self.agents}
        self._settle()

    def _settle(self) -> None:
        if self.state_.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
            for agent, reward in zip(self.possible_agents, self.state_.returns(), strict=True):
                self.rewards[agent] = reward
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.state_.current_player()]

    def observe(self, agent: str) -> Observed:
        """What an agent sees now."""
        return observe(self.state_, self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Apply the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.state_.apply(int(action))  # type: ignore[arg-type]  # only agents that are done pass None
        self._settle()
        self._accumulate_rewards()


class RulesParallel(RulesSeats, ParallelEnv[str, Observed, int]):  # type: ignore[misc]  # it has no types
    """A game in which all that choose at the same time are asked at once."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """A new game."""
        del options
        self.state_ = self.table.new_initial_state(self._seeds.next(seed))
        self.agents = self.possible_agents[:]
        self._ask()
        return self._observed(), {each: {} for each in self.agents}

    def _ask(self) -> None:
        """Set who is asked now: all that choose at the same time, each with a copy of the state at their own turn."""
        self.asked: dict[int, GameState] = {}
        self.chosen: dict[int, int] = {}
        state = self.state_
        if state.is_terminal():
            return
        question = state.question()
        while True:
            self.asked[state.current_player()] = state.clone()
            if not state.is_simultaneous():
                return
            state = state.clone()
            state.choose(0)
            goes_on = not state.is_terminal() and state.is_simultaneous()
            if not goes_on or state.question() != question or state.current_player() in self.asked:
                return

    def _observed(self) -> dict[str, Observed]:
        found = {}
        for player, agent in enumerate(self.possible_agents):
            state = self.asked.get(player)
            found[agent] = observe(self.state_ if state is None else state, player)
            if player in self.chosen:
                found[agent]["action_mask"][:] = 0
        return found

    def step(self, actions: dict[str, int]) -> tuple[Any, ...]:
        """Apply the actions of all agents that are asked."""
        for player, state in self.asked.items():
            if player not in self.chosen:
                before = len(state.history)
                state.apply(int(actions[self.possible_agents[player]]))
                if len(state.history) > before:
                    self.chosen[player] = state.history[before]
        if len(self.chosen) == len(self.asked):
            self._commit()
        over = self.state_.is_terminal()
        rewards = dict(zip(self.possible_agents, self.state_.returns(), strict=True))
        observed = self._observed()
        ended = dict.fromkeys(self.possible_agents, over)
        cut = dict.fromkeys(self.possible_agents, False)
        infos: dict[str, dict[str, Any]] = {each: {} for each in self.possible_agents}
        if over:
            self.agents = []
        return observed, rewards, ended, cut, infos

    def _commit(self) -> None:
        """Apply all choices in the order in which the rules ask for them."""
        while self.chosen and self.state_.current_player() in self.chosen:
            number = self.chosen.pop(self.state_.current_player())
            try:
                self.state_.choose(number)
            except IllegalMove:  # earlier choices changed the question: ask again
                break
        self._ask()


def env(file: str, **more: Any) -> RulesAEC:
    """A game in which agents are asked in turn."""
    return RulesAEC(file, **more)


def parallel_env(file: str, **more: Any) -> RulesParallel:
    """A game in which all that choose at the same time are asked at once."""
    return RulesParallel(file, **more)

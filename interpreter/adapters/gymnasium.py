"""A rules file and a seat -> a Gymnasium environment, with bots on the other seats: `pip install rulespec[gymnasium]`.

The words for bots are those of `rulespec play`: `random`, `greedy`, `search:300`. Each bot gets what its seat knows, and
nothing else. The reward comes at the end. An illegal action raises an error; with `illegal="lose"` it ends the game with
reward -1.
"""

from typing import Any, Literal, SupportsFloat

import gymnasium

from interpreter.adapters.sessions import (
    Observed,
    Seeds,
    action_space,
    describe,
    observation_space,
    observe,
    open_table,
)
from interpreter.bots import Bot, make_bot
from interpreter.chance import below
from interpreter.errors import IllegalMove
from interpreter.research.states import GameState


class RulesEnv(gymnasium.Env[Observed, int]):  # type: ignore[misc]  # it has no types
    """An environment for one agent."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - Gymnasium has it so

    def __init__(
        self,
        file: str,
        seat: int = 0,
        bots: str = "random",
        render_mode: str | None = None,
        illegal: Literal["refuse", "lose"] = "refuse",
        **more: Any,
    ) -> None:
        self.illegal = illegal
        self.table = open_table(file, **more)
        if seat not in range(self.table.players):
            raise ValueError(f"there is no seat {seat}: they are 0 to {self.table.players - 1}")
        self.seat, self.word, self.render_mode = seat, bots, render_mode
        self.observation_space = observation_space(self.table)
        self.action_space = action_space(self.table)
        self._seeds = Seeds()
        make_bot(bots, self.table.game, self.table.players, 0)  # raises if there is no such bot

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Start a game and play up to the agent's first decision; deal again if the agent is never asked."""
        super().reset(seed=seed, options=options)
        while True:
            dealt = self._seeds.next(seed)
            seed = None
            self.state: GameState = self.table.new_initial_state(dealt)
            self._luck = dealt
            self._bots: dict[int, Bot] = {
                player: make_bot(self.word, self.table.game, self.table.players, dealt + player)
                for player in range(self.table.players)
                if player != self.seat and self.word != "random"
            }
            self._let_others_play()
            if not self.state.is_terminal():
                return observe(self.state, self.seat), {}

    def _let_others_play(self) -> None:
        state = self.state
        while not state.is_terminal() and state.current_player() != self.seat:
            player = state.current_player()
            if self.word == "random":
                self._luck, number = below(self._luck, state.option_count())
            else:
                number = self._bots[player].advise(state.information_state(player)).choice
            state.choose(number)

    def step(self, action: int) -> tuple[Observed, SupportsFloat, bool, bool, dict[str, Any]]:
        """Apply the agent's action, and let the others play until it is the agent's turn again."""
        try:
            self.state.apply(int(action))
        except IllegalMove:
            if self.illegal == "refuse":
                raise
            return observe(self.state, self.seat), -1.0, True, False, {}
        self._let_others_play()
        over = self.state.is_terminal()
        return observe(self.state, self.seat), self.state.returns()[self.seat], over, False, {}

    def action_masks(self) -> Any:
        """Which actions are legal, for MaskablePPO."""
        return observe(self.state, self.seat)["action_mask"].astype(bool)

    def render(self) -> Any:
        """The state as text, with the views of all players."""
        return describe(self.state) if self.render_mode == "ansi" else None

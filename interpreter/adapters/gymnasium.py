"""One seat of a game as an environment of Gymnasium, against bots: `pip install rulespec[gymnasium]`.

The other seats are played by bots, by the words that `rulespec play` takes: `random`, `greedy`, `search:300`. They are
given what their seats know, and nothing else. The reward comes at the end. An action that is not legal is refused with an
error; with `illegal="lose"` it ends the game, and the reward is -1.
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
    """A game for one agent."""

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
        make_bot(bots, self.table.game, self.table.players, 0)  # whether there is such a bot

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """A new game, up to the first decision of the agent; one in which it is never asked is dealt again."""
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
        """The agent acts, and the others go on until it is asked again."""
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
        """Which actions are legal: what MaskablePPO asks for."""
        return observe(self.state, self.seat)["action_mask"].astype(bool)

    def render(self) -> Any:
        """The state in words, with all that players see."""
        return describe(self.state) if self.render_mode == "ansi" else None

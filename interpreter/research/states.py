"""A table and some decisions -> a game between two decisions: who is asked, what is legal, what each player knows.

The fast engine plays, and the reference where it cannot. In a state without a seed, the caller decides for chance, one
outcome at a time. Once a caller asks what the players observe, the reference replays the decisions.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from interpreter import chance
from interpreter.errors import IllegalMove
from interpreter.machine import current_instruction, rank
from interpreter.match import seat_in
from interpreter.research.action_space import Growing, Sized, illegal, prompt_of
from interpreter.research.course import Course, drawn_outcome, new_course
from interpreter.research.game_tables import CHANCE, TERMINAL, Table
from interpreter.research.legal_actions import Stepper, find_actions
from interpreter.research.observed_games import (
    Replay,
    begin_replay,
    continue_replay,
    information_text,
    view_text,
)
from interpreter.research.retelling import retell
from interpreter.research.tensors import encode_events, encode_state
from interpreter.state import State
from interpreter.views import Information, View, information, view
from interpreter.wasm.hosts import Trapped
from interpreter.wasm.module_games import Playing
from interpreter.worlds import sampler

VERSION = 1  # of what `serialize` writes


class GameState(Playing):
    """A game between two decisions. `apply` changes it; clone it first to keep it.

    >>> import interpreter
    >>> state = interpreter.load("kuhn.rules").new_initial_state(seed=7)
    >>> state.current_player(), [state.action_to_string(each) for each in state.legal_actions()]
    (1, ['Do you bet? pass', 'Do you bet? bet a chip'])
    >>> state.apply(state.legal_actions()[1])
    >>> state.is_terminal(), state.returns()
    (False, [0.0, 0.0])
    """

    __slots__ = (
        *("_actions", "_course", "_stepper", "_growing", "_observed"),
        *("_before", "_first", "_seed", "history", "table"),
    )

    def __init__(
        self, table: Table, seed: int | None, first: int | None, before: tuple[int, ...] = ()
    ) -> None:
        self.at = self.options = 0
        self.state = self.shadow = None
        self.table = table
        self._seed = seed
        self._first = first  # if it was given
        self._before = before  # what was decided before the seed took effect
        self.history: list[int] = []  # option numbers, and outcomes of chance
        self._actions: list[int] | None = None  # of the options, once a caller has asked
        self._growing: Growing | Sized | None = None  # a set under construction
        self._stepper: Stepper | None = None  # set where the fast engine plays
        self._course: Course | None = None  # the reference's game, at a chance node
        self._observed: Replay | None = None  # a replay with all that players observed

    # ---- Who is asked ----------------------------------------------------------------------------

    def current_player(self) -> int:
        """The seat of the player to move; `CHANCE` at a chance node, `TERMINAL` when the game is over."""
        stepper = self._stepper
        if stepper is not None:
            return stepper.number(self.at + stepper.asked_at) if self.options else TERMINAL
        course = self._course
        if course is None:
            engine, playing = self.table.engine, self._playing
            return engine.player(playing) if engine.count(playing) else TERMINAL
        if course.chance is not None:
            return CHANCE
        return TERMINAL if course.decision is None else course.decision.player

    def is_chance_node(self) -> bool:
        """Whether the caller is to decide for chance."""
        return self._course is not None and self._course.chance is not None

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        if self._stepper is not None:
            return not self.options
        course = self._course
        return not self.option_count() if course is None else course.state.pending is None

    def is_simultaneous(self) -> bool:
        """Whether others choose at the same time, so that nobody learns this choice before all have chosen."""
        return (
            not self.is_chance_node() and not self.is_terminal() and hasattr(self._asked(), "seat")
        )

    def question(self) -> str:
        """The question in the words of the rules, with `…` in place of each value."""
        if self.is_terminal() or self.is_chance_node():
            return ""
        return prompt_of(self._asked())

    # ---- What may be done ------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """The legal actions in ascending order; at a chance node, its outcomes."""
        actions = self._actions or self._find()
        if actions is not None:
            return sorted(actions)
        if self._growing is not None:
            return self._growing.legal()
        return sorted(each for each, _ in self.chance_outcomes()) if self.is_chance_node() else []

    def legal_actions_mask(self) -> list[int]:
        """For every action of the table, 1 if it is legal and 0 if not."""
        mask = [0] * self.table.actions.size
        if not self.is_chance_node():
            for each in self.legal_actions():
                mask[each] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The possible outcomes of chance, with their probabilities."""
        if self._course is None:
            raise IllegalMove("chance has nothing to decide")
        return self._course.outcomes()

    def actions_to(self, number: int) -> list[int]:
        """The actions that choose an option: a single one, or one for each element of a set."""
        actions = self._actions or self._find()
        if actions is not None:
            return [actions[number]]
        growing, found = self._growing, list[int]()
        if growing is None:
            raise IllegalMove("nobody is asked here")
        wanted = growing.set_at(number)
        while True:
            place = len(growing.chosen)
            found.append(wanted[place] if place < len(wanted) else growing.group.all_said)
            grown = growing.choose(found[-1])
            if isinstance(grown, int):
                return found
            growing = grown

    def action_to_string(self, action: int) -> str:
        """An action, or an outcome of chance, in words."""
        if self.is_chance_node():
            return f"chance: {action}"
        return self.table.actions.text(action)

    def option_count(self) -> int:
        """The number of options for `choose`; 0 when the game is over or chance decides."""
        if self._stepper is not None:
            return self.options
        course = self._course
        if course is None:
            return self.table.engine.count(self._playing)
        return 0 if course.decision is None else len(course.decision.options)

    # ---- Going on --------------------------------------------------------------------------------

    def apply(self, action: int) -> None:
        """Apply an action, or an outcome of chance, and advance to the next decision."""
        actions = self._actions or self._find()
        if actions is None:
            self._apply_otherwise(action)
            return
        try:
            number = actions.index(action)
        except ValueError:
            raise illegal(action, sorted(actions)) from None
        if action.__class__ is bool:
            raise illegal(action, sorted(actions))
        self.choose(number)

    def choose(self, number: int) -> None:
        """Choose an option by its number, from 0 on: the fastest way to play."""
        stepper = self._stepper
        if stepper is None:
            self._choose_slowly(number)
            return
        if not 0 <= number < self.options:
            raise IllegalMove(f"there is no option {number}")
        history = self.history
        try:
            self.options = stepper.step(self.at, number)
        except Trapped:
            self._fall_back(number)
        else:
            stepper.engine.told_of = history
        self._actions = self._growing = None
        history.append(number)
        if self._seed is None:
            self._look_for_chance()

    def _fall_back(self, number: int) -> None:
        """The fast engine cannot take this step: the reference takes it."""
        fast = self.table.fast
        assert fast is not None  # noqa: S101 - for the type checker
        fast.told_of = None
        fast.fall_back(self, number)
        self._sit_down()

    def _choose_slowly(self, number: int) -> None:
        if self._course is None:
            self.table.engine.apply(self._playing, number)
            self._sit_down()
        else:
            self._course.choose(number)
        self._actions = self._growing = None
        self.history.append(number)
        if self._course is not None:
            self._settle()
        elif self._seed is None:
            self._look_for_chance()

    def _look_for_chance(self) -> None:
        """Check whether the engine has drawn from its generator, which is zero when the engine gets a state."""
        fast = self.table.fast
        if fast is not None and fast.generator(self) != 0:
            self._give_to_chance()

    def _apply_otherwise(self, action: int) -> None:
        """Apply an outcome of chance, or choose an element of a set."""
        if self._growing is None:
            if not self.is_chance_node():
                raise IllegalMove("the game is over")
            self._decide(action)
            return
        found = self._growing.choose(action)
        if isinstance(found, int):
            self.choose(found)
        else:
            self._growing = found

    def _decide(self, outcome: int) -> None:
        assert self._course is not None  # noqa: S101 - for the type checker
        self._course.decide(outcome)
        self._actions = None
        self.history.append(outcome)
        self._settle()

    def _settle(self) -> None:
        """Hand the game over to the fast engine, if it can play from here."""
        course, fast = self._course, self.table.fast
        if course is not None and course.chance is None and fast is not None:
            fast.told_of = None
            fast.take_in(self, course.state)
            self._course = None
            self._sit_down()

    def _sit_down(self) -> None:
        """Set the stepper, unless the reference keeps the state."""
        self._stepper = self.table.stepper if self.state is None else None

    def _give_to_chance(self) -> None:
        """The engine has drawn something: the reference repeats the step, and stops before the draw."""
        course = self._follow()
        self._course = Course(course.engine, course.state.clone(), course.laid)
        self._course.state.watch = None
        self._stepper = None
        self._settle()

    # ---- What comes of it ------------------------------------------------------------------------

    def returns(self) -> list[float]:
        """The return of each player; 0 before the game is over."""
        if not self.is_terminal():
            return [0.0] * self.table.players
        table, stepper = self.table, self._stepper
        if (
            stepper is not None
            and stepper.row is not None
            and stepper.engine.told_of is self.history
        ):
            found = table.returns_of(stepper.numbers(stepper.row, table.players + 1))
            if found is not None:
                return found
        if self._course is not None:
            return table.returns(rank(table.machine, self._course.state))
        return table.returns_at(self._playing)

    def rollout(self, seed: int, most: int = 1 << 20) -> None:
        """Play at random until the game is over, or for at most `most` choices."""
        self._actions = self._growing = None
        luck = chance.luck_for(seed)
        while most and not self.is_terminal():
            if self.is_chance_node():
                outcomes = self.chance_outcomes()
                luck, number = chance.try_luck(luck, 1 << 30)
                self._decide(drawn_outcome(outcomes, number / (1 << 30)))
            else:
                luck, number = chance.try_luck(luck, self.option_count())
                self.choose(number)
                most -= 1

    # ---- What players know -----------------------------------------------------------------------

    def information_state(self, player: int) -> Information:
        """All that a player who forgets nothing knows."""
        state = self._follow().state
        return information(self.table.machine, state, seat_in(player, self.table.players))

    def information_state_string(self, player: int) -> str:
        """The same as text: equal for two states if the player cannot tell them apart."""
        found = self.information_state(player)
        return information_text(found, () if self._growing is None else self._growing.chosen)

    def observation(self, player: int) -> View:
        """What a screen may show to a player now."""
        state = self._follow().state
        return view(self.table.machine, state, seat_in(player, self.table.players))

    def observation_string(self, player: int) -> str:
        """The same as text, without what the game only tells in words."""
        return view_text(self.observation(player))

    def observation_tensor(self, player: int) -> list[float]:
        """What a player sees now, as numbers; `table.observation` says what each number means."""
        found = self._bare()
        seat_in(player, self.table.players)
        asked = None
        if self.current_player() == player:
            asked = self.table.actions.place(self._asked())
        chosen = () if self._growing is None or asked is None else self._growing.chosen
        return encode_state(self.table.observation, found, player, asked, chosen)

    def information_state_tensor(self, player: int) -> list[float]:
        """The observation tensor, followed by the last events that the player observed, the latest first."""
        events = encode_events(self.table.events, self.information_state(player).log)
        return self.observation_tensor(player) + events

    def resample_from_infostate(self, player: int, seed: int) -> "GameState":
        """A random state that the player cannot tell from this one, drawn with its conditional probability.

        Its past follows the rules, with fair chance and other players who choose at random. The player must be to move.
        """
        if self.current_player() != player:
            raise IllegalMove(f"player {player} is not asked here: resample for the player who is")
        known = self.information_state(player)
        world = sampler(self.table.machine, known, seed).world()
        course, before = retell(self.table.machine, known.first, world.decided)
        future = None if self._seed is None else chance.draw(seed)[1]
        new = GameState(self.table, future, None, tuple(before))
        new.history = before[:]
        if future is not None:
            course.state.rng = future
        new._observed = Replay(course, len(before))
        new._course = Course(course.engine, course.state.clone())
        new._course.state.watch = None
        new._growing = self._growing
        new._enter()
        return new

    # ---- Copies ----------------------------------------------------------------------------------

    def clone(self) -> "GameState":
        """An independent copy."""
        table = self.table
        new = GameState(table, self._seed, self._first, self._before)
        new.history, new._observed = self.history[:], self._observed
        new._actions, new._growing = self._actions, self._growing
        if self._course is not None:
            new._course = self._course.clone()
        elif table.fast is None:
            new.state = table.engine.clone(self.state)
        else:
            table.fast.copy_to(new, self)
            new._stepper = self._stepper
        return new

    __copy__ = clone

    def __deepcopy__(self, _memo: Mapping[int, Any]) -> "GameState":
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return self.table.deserialize, (self.serialize(),)

    def serialize(self) -> str:
        """The state as text; `table.deserialize` reads it."""
        start = {"seed": self._seed, "first": self._first, "before": len(self._before)}
        chosen = () if self._growing is None else self._growing.chosen
        return json.dumps({"version": VERSION, **start, "history": self.history, "chosen": chosen})

    def __repr__(self) -> str:
        player = self.current_player()
        now = {CHANCE: "chance decides", TERMINAL: "over"}.get(
            player, f"player {player} is asked: {self.question()}"
        )
        return f"<GameState {Path(self.table.game.name).name}, {self.table.players} players, after {len(self.history)} decisions: {now}>"

    # ---- Inside ----------------------------------------------------------------------------------

    @property
    def _playing(self) -> Any:
        """The game in the form of its engine."""
        return self.state if self.table.fast is None else self

    def _asked(self) -> Any:
        """The statement that asks the current question."""
        fast = self.table.fast
        if self._course is None and fast is not None:
            return fast.asked(self)
        state = self.state if self._course is None else self._course.state
        assert state is not None  # noqa: S101 - for the type checker
        return current_instruction(self.table.machine, state)

    def _options(self) -> Sequence[Any]:
        if self._course is not None and self._course.decision is not None:
            return list(self._course.decision.options)
        return self.table.engine.options(self._playing)

    def _find(self) -> list[int] | None:
        """The actions of the options; None if nobody is asked, or a set is chosen element by element (in `_growing`)."""
        stepper = self._stepper
        if self._growing is not None:
            return None
        if stepper is not None:
            if not self.options:
                return None
            found = stepper.find(self, stepper.engine.told_of is self.history)
        elif self.option_count():
            group = self.table.actions.group(self._asked())
            found = find_actions(group, self.option_count(), self._options)
        else:
            return None
        if isinstance(found, list):
            self._actions = found
            return found
        self._growing = found
        return None

    def _bare(self) -> State:
        """Zones and variables in the form of the reference, without what comes next."""
        if self._course is not None:
            return self._course.state
        fast = self.table.fast
        found: State | None = self.state if fast is None else fast.look(self)
        assert found is not None  # noqa: S101 - for the type checker
        return found

    def _enter(self) -> None:
        """Load the course into the engine, if a player is asked or the game is over."""
        course = self._course
        if course is not None and course.chance is None:
            if self.table.fast is not None:
                self._settle()
            elif self._seed is not None:
                self.state, self._course = course.state, None

    def _follow(self) -> Course:
        """The same game on the reference, with all observations."""
        replay = self._observed
        if replay is None:
            replay = begin_replay(self.table.machine, self._seed, self._first, self._before)
        self._observed = continue_replay(replay, self.history)
        return self._observed.course


def new_state(table: Table, seed: int | None, first: int | None) -> GameState:
    """A new game."""
    state = GameState(table, seed, first)
    if seed is None:
        state._course = new_course(table.machine, None, first, watched=False)
        state._settle()
    elif table.fast is None:
        state.state = table.engine.start(seed, first)
    else:
        table.fast.begin_told(state, seed, first)
        if state.state is None:
            state._stepper = table.stepper
            table.fast.told_of = state.history
    return state


def resume_state(
    table: Table, seed: int | None, first: int | None, before: tuple[int, ...]
) -> GameState:
    """A game after some decisions; those in `before` were made before the seed took effect."""
    if not before:
        return new_state(table, seed, first)
    state = GameState(table, seed, first, before)
    state.history = [*before]
    course = state._follow()
    state._course = Course(course.engine, course.state.clone())
    state._course.state.watch = None
    state._enter()
    return state

"""The options at a decision -> the action of each option, or a set that is to be chosen element by element.

With each step, the fast engine reports the options as numbers. For most questions a table maps each number to its
action; where there is no such table, the options are listed.
"""

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.research.action_space import ActionGroup, Actions, Growing, Sized, grow
from interpreter.wasm.engine import Wasm
from interpreter.wasm.frames import QuestionPoint
from interpreter.wasm.memory import ACTION, MOST_TOLD, NONE
from interpreter.wasm.module_games import Playing
from rulespec.core.types import Family, Several

FEW = 4  # options
MOST = 1 << 14  # cached lists of few options

Found = list[int] | Growing | Sized


def find_actions(group: ActionGroup, count: int, listed: Callable[[], Sequence[Any]]) -> Found:
    """The legal actions, from the options of a question."""
    return grow(group, count, listed) if group.is_grown else group.actions(listed())


class Stepper:
    """Advances states on the fast engine, and finds their legal actions."""

    __slots__ = (
        *("_actions", "_groups", "_known", "_report", "_tables"),
        *("asked_at", "engine", "number", "numbers", "read", "row", "step"),
    )

    def __init__(self, actions: Actions, engine: Wasm, row: int | None) -> None:
        self._actions, self.engine, self.asked_at = actions, engine, engine.asked_at
        self.step, self.number = engine.step_told, engine.host.number
        self.numbers, self.read = engine.host.numbers, engine.host.read
        self._known: dict[bytes, list[int]] = {}
        self._report = report = engine.written.report
        # Where a reported step leaves the row of the ranking that gives the returns.
        self.row = None if row is None else report + 8 * (4 + row * (engine.players + 1))
        points = engine.written.questions
        asked = [engine.codec.statement(each.block, each.statement) for each in points]
        self._groups = [actions.group(each) for each in asked]
        self._tables = [*map(_action_of, points, self._groups)]

    def find(self, playing: Playing, is_told: bool) -> Found:  # noqa: FBT001 - it is called at each step
        """The legal actions where a player is asked; `is_told` if the last reported step belongs to this state."""
        options = playing.options
        if not is_told and not self.engine.tell(playing):
            return self._list(playing)
        if options > FEW:
            return self._read(playing)
        # Short lists of options often recur: their actions are cached.
        key = self.read(self._report, 24 + 8 * options)
        known = self._known.get(key)
        if known is not None:
            return known
        found = self._read(playing)
        if isinstance(found, list):
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = found
        return found

    def _read(self, playing: Playing) -> Found:
        """The legal actions, from the report of the last step."""
        # The report: how many numbers follow, the question, the player who is asked, and the options.
        options = playing.options
        words = self.numbers(self._report, 3 + (min(MOST_TOLD, options)))
        action_of = self._tables[words[1]]
        if action_of is not None and words[0] == options:
            try:
                return [*map(action_of, words[3:])]
            except KeyError:  # it has no action: `_list` reports that below
                pass
        elif words[0] and self.engine.written.questions[words[1]].is_sized:
            group = self._groups[words[1]]
            low, high, _, *elements = self.engine.told()[2:]
            places = [group.places[each] for each in elements]
            return Sized.of(group, places, low, high, options)
        return self._list(playing)

    def _list(self, playing: Playing) -> Found:
        engine = self.engine
        group = self._actions.group(engine.asked(playing))
        return find_actions(group, playing.options, lambda: engine.options(playing))


def _action_of(point: QuestionPoint, group: ActionGroup) -> Callable[[int], int] | None:
    """A function from each number that the engine reports to its action; None if the number alone does not decide it."""
    if len({*group.places.values()}) < len(group.places) or group.is_grown or point.form == "list":
        return None
    base = group.base
    if isinstance(group.asked.of, Several | Family):
        if point.form != "small":
            return None
        found = {sum(1 << int(x) for x in each): base + n for each, n in group.places.items()}
    else:
        found = {int(each): base + n for each, n in group.places.items()}
    rest = base + len(group.values)
    found |= {ACTION + int(each.value): rest + n for n, each in enumerate(group.others)}
    if group.asked.may:
        found[NONE] = group.declined
    return found.__getitem__

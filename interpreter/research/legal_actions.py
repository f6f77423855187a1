"""What may be done at a decision -> the action of each option, or a set that is to be chosen element by element.

The fast engine tells with each step which options there are, as numbers. Of most questions a table says which action each
number is; where there is none, the options are listed.
"""

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.research.action_space import ActionGroup, Actions, Growing, Sized, grow
from interpreter.wasm.engine import Playing, Wasm
from interpreter.wasm.frames import QuestionPoint
from interpreter.wasm.memory import ACTION, NONE
from rulespec.core.types import Family, Several

Found = list[int] | Growing | Sized


def find_actions(group: ActionGroup, count: int, listed: Callable[[], Sequence[Any]]) -> Found:
    """What may be done, from the options of a question."""
    return grow(group, count, listed) if group.is_grown else group.actions(listed())


class Desk:
    """Where states of the fast engine take their steps, and ask what may be done."""

    __slots__ = ("_actions", "_groups", "_tables", "asked_at", "engine", "number", "step")

    def __init__(self, actions: Actions, engine: Wasm) -> None:
        self._actions, self.engine, self.asked_at = actions, engine, engine.asked_at
        self.step, self.number = engine.step_told, engine.host.number
        points = engine.written.questions
        asked = [engine.codec.statement(each.block, each.statement) for each in points]
        self._groups = [actions.group(each) for each in asked]
        self._tables = [*map(_action_of, points, self._groups)]

    def find(self, playing: Playing, *, is_told: bool) -> Found:
        """What may be done now, where a player is asked; `is_told` if this state has taken the last told step."""
        engine = self.engine
        if is_told or engine.tell(playing):
            words = engine.told()
            asked = words[0]
            table = self._tables[asked]
            del words[:2]
            try:
                if table is not None and len(words) == playing.options:
                    return [*map(table.__getitem__, words)]
                if engine.written.questions[asked].is_sized and words:
                    return self._sized(self._groups[asked], words, playing.options)
            except KeyError:  # it has no action, which is told below
                pass
        group = self._actions.group(engine.asked(playing))
        return find_actions(group, playing.options, lambda: engine.options(playing))

    @staticmethod
    def _sized(group: ActionGroup, words: list[int], count: int) -> Found:
        low, high, _, *elements = words
        return Sized.of(group, [group.places[each] for each in elements], low, high, count)


def _action_of(point: QuestionPoint, group: ActionGroup) -> dict[int, int] | None:
    """Of each number that the engine may tell the action; nothing if it takes more to know that."""
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
    return found | {NONE: group.declined} if group.asked.may else found

"""What may be done at a decision -> the legal actions, and which option each of them is.

What the fast engine lists is remembered: a list that came before is looked up, and nothing is worked out again.
"""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from interpreter.research.action_space import ActionGroup, Actions, Growing, grow
from interpreter.wasm.engine import Playing, Wasm

LONGEST = 2048  # bytes of a list that is remembered
MOST = 1 << 15  # lists that are


@frozen
class LegalActions:
    """The legal actions in ascending order, and of each its option; or a set that is to be chosen step by step."""

    legal: tuple[int, ...]
    numbers: dict[int, int]
    growing: Growing | None = None


def find_legal_actions(
    group: ActionGroup, count: int, listed: Callable[[], Sequence[Any]]
) -> LegalActions:
    """What may be done, from the options of a question."""
    if group.is_grown:
        growing = grow(group, count, listed)
        return LegalActions(tuple(growing.legal()), {}, growing)
    actions = group.actions(listed())
    return LegalActions(tuple(sorted(actions)), {action: n for n, action in enumerate(actions)})


class LegalActionFinder:
    """What may be done in states of the fast engine."""

    def __init__(self, actions: Actions, engine: Wasm) -> None:
        self._actions, self._engine = actions, engine
        self._known: dict[tuple[int, bytes], LegalActions] = {}

    def find(self, playing: Playing) -> LegalActions:
        """What may be done now, where a player is asked."""
        engine = self._engine
        key = engine.key(playing)
        found = None if key is None else self._known.get(key)
        if found is not None:
            return found
        group = self._actions.group(engine.asked(playing))
        found = find_legal_actions(group, engine.count(playing), lambda: engine.options(playing))
        if key is not None and len(key[1]) <= LONGEST:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = found
        return found

"""A state at a decision -> a key for each option, by which a search tree finds it again in other worlds.

Two options have the same key if they look the same to whoever chooses. Keys do not depend on the engine.
"""

from collections.abc import Hashable
from typing import Any

from attrs import define, field

from interpreter.engine_protocol import Engine
from interpreter.views import by_face


@define(eq=False)
class OptionKeys:
    """Makes keys, and keeps those that were made, by question and player: a search asks for the same ones again."""

    engine: Engine[Any]
    known: dict[tuple[int, int], dict[Any, Hashable]] = field(factory=dict)

    def of(self, state: Any) -> list[Hashable]:
        """For each option: who is asked, by which statement, and the faces of its pieces."""
        engine = self.engine
        asked, player = engine.asked(state), engine.player(state)
        start, layout = asked.origin.span.start, engine.machine.layout
        # Origins are those of the rules, and stay as long as the engine does.
        known = self.known.setdefault((id(asked.origin), player), {})
        found = []
        for value in engine.options(state):
            look = known.get(value)
            if look is None:
                look = player, start, by_face(layout, value, asked.of)
                if not isinstance(value, tuple):  # of sets there are too many
                    known[value] = look
            found.append(look)
        return found

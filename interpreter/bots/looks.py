"""What options look like: the same in different worlds, and with every engine."""

from collections.abc import Hashable
from typing import Any

from attrs import define, field

from interpreter.engine import Engine
from interpreter.views import by_face


@define(eq=False)
class Looks:
    """Remembers what a value looks like, by what is asked and who is: pieces are looked at again and again."""

    engine: Engine[Any]
    known: dict[tuple[int, int], dict[Any, Hashable]] = field(factory=dict)

    def of(self, state: Any) -> list[Hashable]:
        """Of each option who is asked where, and its faces."""
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

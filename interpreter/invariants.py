"""The zones and variables that changed -> the `always` that may have been broken since they were last tested.

An invariant reads certain zones and variables. While these are unchanged it still holds, so a run of thousands of
games tests only the invariants whose zones or variables changed.
"""

from attrs import define, field, frozen

from interpreter.dependencies import operations, reads
from interpreter.expressions import Meaning
from interpreter.layout import IndexedFamily, Layout
from interpreter.state import State
from rulespec.core.operations import VARYING
from rulespec.core.tree import Op, Origin

# Operations that vary, but depend only on zones, variables, the phase of the game and constants.
_TRACED = frozenset(
    ("slot", "bound", "all_pieces", "first", "ended", "variable", "contents", "gather")
)


@frozen
class Reads:
    """The numbers of zones and variables on which an expression depends."""

    zones: tuple[int, ...]
    variables: tuple[int, ...]


@frozen
class Invariant:
    """An `always` at a table; `reads` is None if it may depend on anything."""

    name: str
    holds: Meaning
    reads: Reads | None
    origin: Origin


@define
class Held:
    """The last moment at which all invariants held."""

    phase: int = -1
    zones: list[tuple[int, ...]] = field(factory=list)
    variables: list[object] = field(factory=list)

    def note(self, s: State) -> None:
        """Remember that all invariants hold now."""
        self.phase, self.zones, self.variables = s.phase, s.zones[:], s.variables[:]

    def is_same(self, s: State, reads: Reads | None) -> bool:
        """Whether everything an invariant reads is unchanged; never, if its reads are unknown."""
        return (
            reads is not None
            and self.phase == s.phase
            and all(self.zones[n] == s.zones[n] for n in reads.zones)
            and all(self.variables[n] == s.variables[n] for n in reads.variables)
        )


def find_reads(layout: Layout, condition: Op) -> Reads | None:
    """What an expression and all functions that it calls read; None if it may read anything."""
    if any(op.name in VARYING - _TRACED for op in operations(layout.code, condition)):
        return None
    zones, variables = reads(layout.code, condition)
    if zones is None:
        return None
    return Reads(
        _numbers(layout.zone_families, zones), _numbers(layout.variable_families, variables)
    )


def _numbers(families: dict[str, IndexedFamily], names: set[str]) -> tuple[int, ...]:
    found = [families[name] for name in sorted(names)]
    return tuple(n for each in found for n in range(each.base, each.base + each.size))

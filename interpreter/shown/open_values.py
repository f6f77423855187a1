"""Values that the score depends on -> counters on the table, as long as the viewer may know them.

Examples are the joker colour, or the points of the Abyss once it lies open: what everybody at the table would work out
for themselves. Only values with a name for people are shown, and only those that a derivation may reveal.
"""

from collections.abc import Iterator
from functools import lru_cache

from attrs import evolve

from interpreter.derivations import Closed, value_of
from interpreter.deriving import derive
from interpreter.display_names import Listener, on_table, word_for
from interpreter.errors import RuleFault
from interpreter.flat import Code
from interpreter.machine import Machine
from interpreter.shown.picture import NOTHING, Counter, Picture, Scene
from interpreter.state import State
from interpreter.titles import value_text
from rulespec.core.tree import Assign, Function, Op, walk_operations
from rulespec.core.types import Bool, Choice, Direction, Number, present

_READING = frozenset(("contents", "gather", "variable"))
_SHOWN = (Bool, Choice, Direction, Number)


def add_values(
    picture: Picture, scene: Scene, machine: Machine, state: State, to: Listener
) -> Picture:
    """The same table, with these values among the shared things."""
    found = tuple(_counters(scene, machine, state, to))
    place = next((n for n, group in enumerate(picture.groups) if group.seat is None), None)
    if not found or place is None:
        return picture
    groups = list(picture.groups)
    groups[place] = evolve(groups[place], counters=(*groups[place].counters, *found))
    return evolve(picture, groups=tuple(groups))


def function_at(scene: Scene, number: int) -> Function | None:
    """The function behind a counter that shows no variable."""
    place = number - len(scene.layout.variables)
    functions = _functions(scene)
    return functions[place] if 0 <= place < len(functions) else None


def _counters(scene: Scene, machine: Machine, state: State, to: Listener) -> Iterator[Counter]:
    for place, function in enumerate(_functions(scene), len(scene.layout.variables)):
        call = Op("call", word=function.name, type=function.type, span=function.origin.span)
        try:
            found = derive(machine, state, call, to)
        except RuleFault:
            continue
        if isinstance(found, Closed):
            continue
        value = value_of(found)
        text = NOTHING if value is None else value_text(to, value, function.type)
        tone = scene.palette.members.get(value) if _is_member(function, value) else None
        values = () if tone is None else ((text, tone),)
        title = word_for(scene.layout.code, function.name)
        yield Counter(place, title, text, value is None, values)


def _is_member(function: Function, value: object) -> bool:
    return isinstance(present(function.type), Choice) and isinstance(value, int)


@lru_cache(maxsize=8)
def _functions(scene: Scene) -> tuple[Function, ...]:
    """Functions without inputs that have a name for people, depend on the table, and affect the ranking."""
    code = scene.layout.code
    return tuple(
        function
        for name in counting_functions(code)
        if (function := code.functions[name]).params == 0
        and name in code.called
        and on_table(code, name)
        and isinstance(present(function.type), _SHOWN)
        and _reads(code, function)
    )


def _reads(code: Code, function: Function) -> bool:
    """Whether a function depends on what lies on the table."""
    found: dict[str, None] = {function.name: None}
    parts = [*function.inputs, *(row.cell for row in function.rows)]
    for part in parts:
        _collect(code, part, found)
    inside = [code.functions[name] for name in found]
    cells = [op for each in inside for op in (*each.inputs, *(row.cell for row in each.rows))]
    return any(op.name in _READING for cell in cells for op in walk_operations(cell))


def counting_functions(code: Code) -> dict[str, None]:
    """The functions that rank players, or that give players what is ranked."""
    found: dict[str, None] = {}
    for row in code.ranking:
        _collect(code, row.order, found)
        _collect(code, row.key, found)
        if row.key.name == "variable":
            for block in code.blocks.values():
                for step in block.code:
                    if isinstance(step, Assign) and step.target.variable == row.key.word:
                        _collect(code, step.value, found)
    return found


def _collect(code: Code, op: Op, found: dict[str, None]) -> None:
    for each in walk_operations(op):
        if each.name == "call" and each.word in code.functions and each.word not in found:
            found[each.word] = None
            function = code.functions[each.word]
            for part in (*function.inputs, *(row.cell for row in function.rows)):
                _collect(code, part, found)

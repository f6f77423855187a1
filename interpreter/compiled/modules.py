"""Source -> a module that runs: generated code finds here all that it calls."""

import re
from operator import neg
from types import CodeType
from typing import Any

from interpreter import families
from interpreter.compiled import masks, vocabulary
from interpreter.compiled.programs import Source
from interpreter.compiled.table import Table
from interpreter.compiled.writing import Unsupported
from interpreter.families import Listed, Subsets
from interpreter.faults import checked
from interpreter.operations import subsets
from interpreter.state import AT

State = list[Any]
Module = dict[str, Any]


class Declinable:
    """Options that may be declined: behind the last one is none."""

    __slots__ = ("options",)

    def __init__(self, options: Any) -> None:
        self.options = options

    def __len__(self) -> int:
        return len(self.options) + 1

    def __getitem__(self, number: int) -> Any:
        return self.options[number] if number < len(self.options) else None


def code_of(source: Source) -> CodeType:
    """What Python makes of a source; `Unsupported` if it is nested too deeply for Python."""
    if source.code is not None:
        return source.code
    try:
        return compile(fold_places(source.text), "<generated>", "exec")
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise Unsupported("it is nested more deeply than Python allows") from error


_PLACE = re.compile(r"^([A-Z]\w*) = (\d+)\b.*$", re.MULTILINE)
_CHANGE = re.compile(r"(?<=[ :\n])(s\[\w+\]) ([-+|&^])= (.*)$", re.MULTILINE)
_SKIPPED = r"""#.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|"""


def fold_places(text: str) -> str:
    """A source in which the names of places are their numbers: Python would look them up every time.

    It also takes fewer steps to write `s[3] = s[3] | m` than `s[3] |= m`.

    >>> print(fold_places("HAND = 3\\ns[HAND + 1] = 0  # HAND\\ns[HAND] |= m\\n"), end="")
    HAND = 3
    s[3 + 1] = 0  # HAND
    s[3] = s[3] | (m)
    """
    places = dict(_PLACE.findall(text))
    names = "|".join(places)
    pattern = re.compile(rf"^(?:{names}) = .*$|{_SKIPPED}\b(?:{names})\b", re.MULTILINE)
    text = pattern.sub(lambda found: places.get(found[0], found[0]), text)
    return _CHANGE.sub(r"\1 = \1 \2 (\3)", text)


def build_module(source: Source, table: Table) -> Module:
    """Run the source of a module, and give back its names."""
    names: Module = {
        name: getattr(module, name)
        for module in vocabulary.SUPPORT
        for name in dir(module)
        if not name.startswith("_")
    }
    parts: dict[int, Any] = {}
    piled = masks.piled if table.pile is bytes else masks.bits
    names |= {
        "PARTS": parts,
        "CHOSEN": {},
        "FUNCTIONS": {},
        "TABLE": table,
        "LAYOUT": table.layout,
        "BIT": table.bit,
        "FIRST_OF": masks.First(len(table.bit)),
        "PILE": table.pile,
        "PILED": piled,
        "LAID_OUT": masks.LaidOut(piled),
        "NONE": table.pile(()),
        "HOLDS": table.holds,
        "COPIES": table.copies,
        "ALIKE": table.alike,
        "Subsets": Subsets,
        "Listed": Listed,
        "Declinable": Declinable,
        "checked": checked,
        "count_family": families.count,
        "rank_in": families.rank,
        "draw_from": lambda values: table.choices([], values, pieces=False),
    }
    for name in vocabulary.OF_THE_TABLE:
        names[name] = getattr(table, name)
    for name in vocabulary.OF_WHO_WATCHES:
        names[name] = getattr(table.watching, name)
    for name in vocabulary.OF_FAMILIES:
        names[name] = getattr(subsets, name)
    names |= source.values
    names |= _returns(table, parts, source.values["RESULTS"])
    names["winners"] = lambda s: winners(names["ranking"](s))
    exec(code_of(source), names)  # noqa: S102 - our own
    return names


def _returns(table: Table, parts: dict[int, Any], results: dict[int, int]) -> Module:
    """How a block that may wait is left."""
    stack_at, running_at = (table.places.fields[name] for name in ("STACK", "RUNNING"))

    def nothing_left(s: State, f: Any) -> None:
        """All rules are done: whoever runs them sees that there is no frame, and goes on."""

    def resume(s: State) -> Any:
        stack = s[stack_at]
        if not stack:
            return nothing_left
        f = stack[-1]
        return parts[f[AT]]

    def leave(s: State) -> Any:
        stack = s[stack_at]
        stack.pop()
        if not stack:
            return nothing_left
        f = stack[-1]
        return parts[f[AT]]

    def leave_with(s: State, value: Any) -> Any:
        stack = s[stack_at]
        stack.pop()
        if not stack:
            return nothing_left
        f = stack[-1]
        into = results.get(f[AT])
        if into is not None:
            f[into] = value
        return parts[f[AT]]

    def end(s: State) -> Any:
        s[stack_at].clear()
        s[running_at] = 0
        return nothing_left

    return {
        "resume": resume,
        "leave": leave,
        "leave_with": leave_with,
        "leave_trigger": leave,
        "end": end,
    }


def winners(rows: Any) -> tuple[int, ...]:
    """Who is in the first place."""
    places = places_by(rows)
    return tuple(p for p, place in enumerate(places) if place == 1)


def places_by(rows: Any) -> tuple[int, ...]:
    """The places of all players, by the rows of the ranking."""
    if not rows:
        return ()
    keys = _heights(rows[0][1], most=rows[0][0])
    if len(rows) > 1 and len(set(keys)) < len(keys):  # a tie
        columns = [_heights(values, most=most) for most, values in rows]
        keys = list(zip(*columns, strict=True))
    order = sorted(keys)
    return tuple([order.index(mine) + 1 for mine in keys])


def _heights(values: Any, *, most: bool) -> Any:
    """Numbers of which the lowest is the best; what is none is worse than any value."""
    if None in values:
        return [1 << 40 if v is None else -v if most else v for v in values]
    return tuple(map(neg, values)) if most else values

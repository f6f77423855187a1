"""A program being written -> the structures, tables and constants that helpers can name, with their addresses."""

from struct import pack
from typing import TYPE_CHECKING, Any

from interpreter.machine import compares
from interpreter.wasm.memory import ARENA, MOST_TOLD, NONE, TERMINAL
from interpreter.wasm.program_analysis import mask
from rulespec.limits import MOST_LISTED, MOST_WORK

if TYPE_CHECKING:
    from interpreter.wasm.programs import ModuleDraft

MANY = 1 << 40  # families are counted up to here


def describe_memory(p: "ModuleDraft") -> None:
    """Tell helpers where everything lies: structures, tables and constants by name."""
    layout, memory, words = p.layout, p.memory, p.words
    places = 64 * words
    groups = max([1, *(len({*_values(t)}) for t in layout.attributes.values())])
    p.family_list = 48 + 8 * words + 8 * groups + 8 * words * groups
    p.family_size = p.family_list + 4 + 4 * places
    p.unit.structs = {
        "State": p.state.fields,
        "Pool": {"m": (0, "mask")},
        "Word": {"w": (0, "i64")},
        "Pile": {"n": (0, "n32"), "v": (4, "[n16]" if p.state.wide else "[n8]")},
        "List": {"n": (0, "n32"), "v": (4, "[n32]")},
        "Sets": {"n": (0, "n32"), "stride": (4, "n32")},
        "Numbers": {"v": (0, "[i64]")},
        "Words": {"w": (0, "[n32]")},
        "Masks": {"m": (0, "[mask]")},
        "Family": {
            "kind": (0, "i64"), "groups": (8, "i64"), "low": (16, "i64"), "high": (24, "i64"),
            "overlap": (32, "n32"), "alike": (36, "n32"), "of": (40, "i32"), "every": (48, "mask"),
            "value": (48 + 8 * words, "[i64]"), "group": (48 + 8 * words + 8 * groups, "[mask]"),
        },
    }  # fmt: skip
    same: dict[int, int] = {}
    earlier = []
    for c, face in enumerate(layout.faces):
        earlier.append(same.get(face, 0))
        same[face] = same.get(face, 0) | 1 << c
    p.unit.tables = {
        "IS_POOL": (memory.keep(bytes(map(int, layout.is_pool))), "n8"),
        "ZONE_AT": (memory.keep(pack(f"<{len(p.state.zones)}i", *p.state.zones)), "i32"),
        "HELD": (memory.masks_at(p.held_masks, words), "mask"),
        "COPIES": (memory.masks_at([mask(c for c, x in enumerate(earlier) if x)], words), "mask"),
        "EARLIER": (memory.masks_at(earlier, words), "mask"),
        "FACE": (memory.numbers_at(layout.faces), "i64"),
        "SP": (p.sp, "i32"),
        "FUEL": (p.fuel, "i64"),
        "MAIL": (p.mail, "i64"),
        "LOG": (p.log, "i32"),
        **{name: (memory.room(8 * (places + 1)), "i64") for name in ("KEY", "ROOM", "WAYS", "PLACE", "TAKEN")},
        "COLUMNS": (memory.room(8 * words * groups), "mask"),
        "FOUND": (memory.room(8 * words), "mask"),
    }  # fmt: skip
    row = layout.players + 1
    rows, compared = len(p.code.ranking) * row, sum(map(compares, p.code.ranking)) * row
    told = 8 * (3 + max(MOST_TOLD, 3 + len(layout.pieces), 1 + rows))
    report = memory.room(told)
    roles = {each.role: 1 + n * row for n, each in enumerate(p.code.ranking)}
    p.unit.constants = {
        "NONE": NONE, "ZONES": len(layout.zones), "PLAYERS": layout.players, "ROWS": rows,
        "COMPARED": compared, "WON": roles.get("won", 0), "DRAWN": roles.get("drawn", 0),
        "BEFORE": -1, "NOBODY": -1, "ARENA": ARENA, "MANY": MANY, "PLACES": places, "OF": p.family_list,
        "EVERY_PIECE": memory.keep(pack(f"<{places + 1}i", places, *range(places))),
        "SUBSETS": 0, "ALIKE": 1, "RUNS": 2, "MOST_WALKED": 20, "MOST_LISTED": MOST_LISTED,
        "MOST_WORK": MOST_WORK - p.costs.rest_cost(), "WIDE": int(p.state.wide),
        "RANKS": memory.room(8 * (1 + rows)), "REPORT": report, "REPORT_END": report + told,
        "TERMINAL": TERMINAL, "True": 1, "False": 0,
    }  # fmt: skip


def _values(table: Any) -> list[Any]:
    return [each for value in table for each in (value if isinstance(value, tuple) else (value,))]

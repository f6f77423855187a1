"""The statements of a program -> code that compares each observation of one player with what that player knows.

Modules for players that think contain it. Each observation becomes a number: `helpers/watching.py` computes it from
the events, `interpreter.worlds.sounds` from the knowledge of the player. This module writes the code in the rules,
and the data about a table that the helpers need.
"""

import hashlib
from typing import TYPE_CHECKING, Any

from interpreter.event_log import Visibility, holds_pieces
from interpreter.layout import is_hidden, place_in
from interpreter.wasm.emitter import Emitter, WasmValue
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.expressions import E, as_i64, const, get, load, select
from interpreter.wasm.frames import number_statements
from interpreter.wasm.memory import ACTION, list_size
from interpreter.wasm.program_analysis import Unsupported
from rulespec.core import tree
from rulespec.core.tree import Origin
from rulespec.core.types import Place, Several, Type, present

if TYPE_CHECKING:
    from interpreter.wasm.programs import ModuleDraft

# The first number of each kind of observation.
SOUNDS = {
    name: 0x51 + 0x1000003 * n
    for n, name in enumerate(
        (
            "MEMBER",
            "SET",
            "MOVE",
            "SHUFFLE",
            "SHOW",
            "ANNOUNCE",
            "CHOSE",
            "RANDOM",
            "SET_TO",
            "TELL",
        )
    )
}
FACTOR = 0xD6E8FEB86659FD93  # odd, without a pattern
AS_SEEN, AS_FACES, AS_TOLD = range(3)
MOST_OFFERED = (
    400  # options of a question that are looked at; where there are more, the reference imagines
)
TOLD_SIZE = 1 << 18  # bytes for the options of a question
OWN, OTHER, RANDOM, SHUFFLE = range(4)  # kinds of sites
SOUND = 56  # bytes of an observation that is known
MOST_LOOKED = 60  # options that a node of a tree looks at
THOUGHT = 32  # bytes of a node
MOST_DEPTH = 256  # nodes on a way down the tree

# Of a question, in the table ASKS.
ASKS = ("LISTS", "SMALL", "PIECES", "SEALED", "MAY", "STATEMENT", "SIGHT")

# Numbers that the helpers and whoever calls them share, each in a cell of its own.
CELLS = (
    "WATCH", "HEARD", "KNOWN", "DEAD", "CULPRIT", "CULPRIT_KEPT", "UNTOLD", "DICE", "RUN", "HINT", "CHANGED", "SHARED",
    "MADE", "SITES", "LAST", "STUCK", "REACHED", "FROM", "WHOLE", "MENDS", "DRY", "ROOM_FOR", "FIRST", "SWAPS",
    "PERMUTATION_ON", "SWAPPED", "FORCED_NUMBER", "FORCED_WORD", "FOUND_NUMBER", "OPTIONS_NOW", "TURN", "LISTED", "SOUNDS", "PAST", "NEXT", "KEPT",
    "KEPT_SITES", "KEPT_FROM",
    "SHUFFLES", "FORCED", "TOLD", "NODES", "NODES_USED", "ROOM_NODES", "WORLDS", "GAMES_LEFT",
    "WORLD_GAMES", "WORLD_STEPS", "SEATS", "PLAYED", "CANDIDATES", "PROMISING", "DEEP", "HORIZON", "CHILD", "CURIOSITY",
    "DRAWN_AT", "SECRET",
    "LEADS", "BEGUN", "TALLIES",
)  # fmt: skip
ADDRESSES = (
    "SOUNDS",
    "PAST",
    "NEXT",
    "KEPT",
    "SHUFFLES",
    "FORCED",
    "TOLD",
    "NODES",
    "CANDIDATES",
    "PROMISING",
)
FLOATS = ("CURIOSITY", "LEADS", "TALLIES")
PAIRS = {
    "LEADS": 2,
    "BEGUN": MOST_LOOKED,
    "TALLIES": 5 * MOST_LOOKED,
    "SOURCE": 2,
    "COUNTS": 4,
    "QUESTION": 4,
}


def sound_of_text(text: str) -> int:
    """A number for a text."""
    return int.from_bytes(
        hashlib.blake2b(text.encode(), digest_size=8).digest(), "little", signed=True
    )


def sound_of_origin(origin: Origin | tuple[str, int]) -> int:
    """A number for a statement: its rule, and where it stands."""
    rule, start = (
        (origin.rule, origin.span.start) if isinstance(origin, Origin) else (origin[0], origin[1])
    )
    return sound_of_text(f"{rule}:{start}")


def _kind(name: str) -> str:
    return "i32" if name in ADDRESSES else "f64" if name in FLOATS else "i64"


# ---- What helpers know ---------------------------------------------------------------------------


SITE = {
    "kind": (0, "i64"), "at": (8, "i64"), "address": (16, "u64"), "number": (24, "i64"), "count": (32, "i64"),
    "fitting": (40, "i64"), "pieces": (48, "i64"), "word": (56, "i64"), "weight": (64, "f64"), "base": (72, "i64"),
    "run": (80, "i64"), "by": (88, "i64"), "seen": (96, "mask"),
}  # fmt: skip
SOUND_FIELDS = {
    "h": (0, "u64"), "who": (8, "i64"), "value": (16, "i64"), "face": (24, "i64"), "place": (32, "i64"),
    "wanted": (40, "i32"), "faces": (44, "i32"), "zones": (48, "i32"),
}  # fmt: skip
THOUGHT_FIELDS = {
    "key": (0, "u64"), "total": (8, "f64"), "tried": (16, "f64"), "available": (24, "f64"),
}  # fmt: skip


def describe_watching(p: "ModuleDraft") -> None:
    """Give helpers the addresses of all data for watching, except for the questions."""
    visibility = Visibility(p.layout)
    if any(visibility.top):
        raise Unsupported("a zone of which all see the top")
    p.state.fields["shown"] = p.state.room(8 * p.words), "mask"
    p.state.frames = p.state.size
    p.unit.structs |= {"Site": SITE, "Sound": SOUND_FIELDS, "Thought": THOUGHT_FIELDS}
    names = dict.fromkeys((*CELLS, *PAIRS))
    p.cells = {name: p.memory.room(8 * PAIRS.get(name, 1)) for name in names}
    cells = {name: (at, _kind(name)) for name, at in p.cells.items()}
    tables = _watching_tables(p, visibility)
    shared = cells.keys() & tables.keys()
    if shared:
        raise KeyError(f"two tables of one name: {', '.join(sorted(shared))}")
    p.unit.tables |= cells | tables
    p.unit.constants |= _watching_constants(p, visibility)


def _watching_tables(p: "ModuleDraft", visibility: Visibility) -> dict[str, tuple[int, str]]:
    """What the helpers look up about the table, and rows of numbers for their work."""
    layout, memory = p.layout, p.memory
    owners = [0 if z.owner is None else z.owner + 1 for z in layout.zones]
    rooms = (
        ("mask", p.words, ("SAW", "UNSEEN", "LIST_NONE")),
        ("f64", 1, ("FRESH",)),
        ("f64", layout.players, ("WORTHS", "GAINED", "SCORED", "SIGNED")),
        ("i64", MOST_LOOKED, ("KEY_OF", "CHILD_OF")),
        ("i64", 64 * p.words + 1, ("PERMUTATION", "UNDO", "PERMUTATION_KEPT")),
        ("i64", MOST_OFFERED, (
            "OFFERS", "OFFERED_AS", "FIRSTS", "ALIKES", "OPTION_AT", "FITTING", "TO_TRY",
        )),
        ("i32", MOST_DEPTH, ("PATH",)),
        ("i64", MOST_DEPTH, ("WHO",)),
    )  # fmt: skip
    return {
        "INTO": (memory.numbers_at(visibility.into), "i64"),
        "COUNTERS": (memory.numbers_at(visibility.counts), "i64"),
        "SIGHT": (memory.numbers_at([*visibility.variables, 0]), "i64"),
        "OWNER": (memory.numbers_at(owners), "i64"),
        **{name: (memory.room(8 * n), kind) for kind, n, names in rooms for name in names},
    }


def _watching_constants(p: "ModuleDraft", visibility: Visibility) -> dict[str, int]:
    layout = p.layout
    row = layout.players + 1
    first = {x.role: 1 + n * row for n, x in reversed([*enumerate(p.code.ranking)])}
    lists = list_size(max(64, len(layout.pieces)))
    order = SITE["seen"][0] + 8 * p.words
    return {
        **{f"SOUND_{name}": value for name, value in SOUNDS.items()},
        **{f"ASKS_{name}": n for n, name in enumerate(ASKS)},
        "SOUND_FACTOR": FACTOR, "AS_SEEN": AS_SEEN, "AS_FACES": AS_FACES, "AS_TOLD": AS_TOLD, "MOST_OFFERED": MOST_OFFERED, "SOUND": SOUND,
        "OWN": OWN, "OTHER": OTHER, "RANDOM": RANDOM, "SHUFFLE": SHUFFLE, "SITE_ORDER": order,
        "SITE_STATE": -(-(order + lists) // 16) * 16,
        "TOLD_SIZE": TOLD_SIZE, "NO_LIST": p.none_list, "PIECES": len(layout.pieces), "SOON": 12, "NEARBY": 12, "MOST_TRIED": 30,
        "RECENT": 8, "LIST_A": p.memory.room(lists), "LIST_B": p.memory.room(lists), "ASKED": len(ASKS) - 1 + layout.players,
        "EVERYONE": visibility.everyone, "FEW": 2, "SCORE": first.get("score", 0), "TEAM": first.get("team", 0),
        "THOUGHT": THOUGHT, "MOST_LOOKED": MOST_LOOKED,
    }  # fmt: skip


def describe_questions(p: "ModuleDraft") -> None:
    """What is asked where, once all rules are written; and rooms for whole states."""
    rows = [x for question in p.questions for x in _row(p, question)]
    size = p.state.size
    p.unit.tables["ASKS"] = p.memory.numbers_at(rows or [0]), "i64"
    p.unit.constants |= {
        "SITE": p.unit.constants["SITE_STATE"] + size,
        **{name: p.memory.room(size) for name in ("WORLD", "TRIAL", "KEPT_WORLD")},
    }


def _row(p: "ModuleDraft", question: Any) -> list[int]:
    here = [*number_statements(p.code.blocks[question.block].body)][question.statement]
    of = here.of
    inner = present(of)
    is_small = question.form == "small" or (isinstance(inner, Several) and question.form != "list")
    sight = [_sight(p, here, player) for player in range(p.layout.players)]
    return [
        int(question.form == "list"), int(is_small), int(holds_pieces(of)), int(isinstance(here, tree.Each)),
        int(here.may), sound_of_origin(here.origin), *sight,
    ]  # fmt: skip


def _sight(p: "ModuleDraft", here: tree.Choose | tree.Each, player: int) -> int:
    """Who learns what a player chooses here; nobody, if this is unknown at compile time."""
    layout, target = p.layout, here.target
    if target.variable is None or not is_hidden(layout, target.variable):
        return -1
    family, variables = layout.variable_families[target.variable], Visibility(layout).variables
    if isinstance(here, tree.Each):
        return variables[place_in(family, (player,))]
    every = {variables[n] for n in range(family.base, family.base + family.size)}
    return every.pop() if len(every) == 1 else 0


# ---- What is written into rules ------------------------------------------------------------------


def is_watched(p: "ModuleDraft") -> E:
    """Whether a player watches."""
    return load("i32.load", const(p.cells["WATCH"], I32))


def sound_of(g: Emitter, v: WasmValue, type_: Type | None, mode: E | int = AS_SEEN) -> E:
    """A value as one number, its pieces as the player sees them."""
    inner = None if type_ is None else present(type_)
    if isinstance(inner, Place) and inner.indices:
        raise Unsupported("several zones that players observe")
    mode = const(mode) if isinstance(mode, int) else mode
    has_pieces = type_ is not None and holds_pieces(type_)
    match v.form:
        case "number":
            return g.call("look_of", g.s, v.e, mode) if has_pieces else g.w.let(v.e)
        case "truth":
            return g.w.let(as_i64(v.e))
        case "small":
            return g.call("sound_of_small", v.e)
        case "sets" | "family" | "subsets":
            if has_pieces:
                raise Unsupported("sets of sets of pieces that players observe")
            return g.call("sound_of_sets", g.as_sets(v).e)
        case "zones" | "look" | "row" | "indexed":
            raise Unsupported(f"a {v.form} that players observe")
    at = g.as_list(v).e
    return g.call("look_of_list", g.s, at, mode) if has_pieces else g.call("sound_of_list", at)


def write_observation(
    g: Emitter, kind: str, here: Any, values: tuple[tuple[WasmValue, Type | None], ...]
) -> None:
    """Write code that compares an event with the knowledge of the player, if one watches."""
    if kind in ("phase", "set"):  # a variable is told of by `write_setting`
        return
    with g.w.when(is_watched(g.p)), g.forgetting():
        _WRITERS[kind](g, here, values)


def _move(g: Emitter, _here: Any, values: Any) -> None:
    (c, _), (zone, _), *_ = values
    g.run("arrives", g.s, c.e, zone.e)


def _shuffle(g: Emitter, _here: Any, values: Any) -> None:
    g.run("shuffled", g.s, values[0][0].e)


def _show(g: Emitter, _here: Any, values: Any) -> None:
    (pieces, _), (players, _) = values
    g.run("shows", g.s, g.as_list(pieces).e, g.as_list(players).e)


def _announce(g: Emitter, here: Any, values: Any) -> None:
    (value, type_), (players, _) = values
    sound = g.w.let(sound_of(g, value, type_ if type_ is None or not holds_pieces(type_) else None))
    g.run("announces", const(sound_of_text(here.name)), sound, g.as_list(players).e)


def _tell(g: Emitter, here: Any, values: Any) -> None:
    (players, _), *holes = values
    told = as_i64(
        g.call("holds", g.as_list(players).e, load("i64.load", const(g.p.cells["WATCH"], I32)) - 1)
    )
    with g.w.when(told.ne(0)):
        rest = iter(holes)
        h = const(SOUNDS["TELL"] + int(here.heading))
        for part in here.parts:
            if isinstance(part, str):
                h = g.call("blend", h, const(sound_of_text(part)))
            else:
                value, type_ = next(rest)
                h = g.call("blend", h, sound_of(g, value, type_, AS_TOLD))
        g.run("hear", h)


def _is_to_hidden(g: Emitter, here: Any) -> bool:
    variable = here.target.variable
    return variable is not None and is_hidden(g.p.layout, variable)


def _mode_for(g: Emitter, player: E) -> E:
    """How the chosen pieces look to the watcher: the chooser knows them."""
    me = load("i64.load", const(g.p.cells["WATCH"], I32)) - 1
    return select(player.eq(me), const(AS_FACES), const(AS_SEEN))


def _chose(g: Emitter, here: Any, values: Any) -> None:
    (player, _), (value, type_), (asked, _) = values
    sound = g.w.let(sound_of(g, value, type_, _mode_for(g, player.e)))
    hidden = const(int(_is_to_hidden(g, here)))
    where = const(sound_of_origin(here.origin))
    g.run("chooses", g.s, player.e, sound, where, as_i64(asked.e), hidden)


def _acted(g: Emitter, here: Any, values: Any) -> None:
    """An observed action, as its number among the options of a question."""
    (player, _), (value, _), (asked, _) = values
    sound = g.w.let(value.e + const(ACTION))
    hidden = const(int(_is_to_hidden(g, here)))
    where = const(sound_of_origin(here.origin))
    g.run("chooses", g.s, player.e, sound, where, as_i64(asked.e), hidden)


def _sealed(g: Emitter, here: Any, values: Any) -> None:
    (player, _), (value, type_), (asked, _) = values
    sound = g.w.let(sound_of(g, value, type_, _mode_for(g, player.e)))
    g.run("seals", g.s, player.e, sound, const(sound_of_origin(here.origin)), as_i64(asked.e))


def _published(g: Emitter, here: Any, values: Any) -> None:
    (player, _), (value, type_) = values
    sound = g.w.let(sound_of(g, value, type_))
    variable = const(-1)
    if _is_to_hidden(g, here):
        family = g.p.layout.variable_families[here.target.variable]
        variable = player.e * family.strides[0] + family.base
    g.run("opens", player.e, sound, variable)


def _random(g: Emitter, here: Any, values: Any) -> None:
    ((value, type_),) = values
    if type_ is not None and holds_pieces(type_):
        return
    g.run("draws", sound_of(g, value, type_), const(int(_is_to_hidden(g, here))))


_WRITERS = {
    "move": _move, "shuffle": _shuffle, "show": _show, "announce": _announce, "tell": _tell, "chose": _chose,
    "acted": _acted, "sealed": _sealed, "published": _published, "random": _random,
}  # fmt: skip


def before_variable(g: Emitter, old: WasmValue, type_: Type | None) -> E | None:
    """The value of a variable before an assignment, as a number; None if this module does not watch."""
    if not g.p.watched:
        return None
    kept = g.w.local(I64, "before")
    with g.w.when(is_watched(g.p)), g.forgetting():
        if type_ is None or not holds_pieces(type_):
            g.w.set(kept, sound_of(g, old, type_))
    return get(kept)


def write_setting(g: Emitter, variable: E, before: E | None, value: WasmValue, type_: Type) -> None:
    """Write the observation of an assignment; nobody notices an unchanged value, unless it holds pieces."""
    if before is None:
        return
    with g.w.when(is_watched(g.p)), g.forgetting():
        sound = g.w.let(sound_of(g, value, type_))
        is_new = const(1) if holds_pieces(type_) else as_i64(before.ne(sound))
        g.run("sets_to", variable, sound, is_new)

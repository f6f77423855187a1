"""A program at a table -> the source of a Python module, and the data that it refers to.

The module has the functions of the program, its blocks, its triggers and its ranking, and three functions
that an engine calls: `run`, `resume` and `ranking`.
"""

from types import CodeType
from typing import Any

from attrs import evolve, frozen

from interpreter import flat
from interpreter.compiled import operations, vocabulary
from interpreter.compiled.blocks import write_reset
from interpreter.compiled.ceilings import SHARE, Ceilings
from interpreter.compiled.flow import analyse
from interpreter.compiled.forms import mask_slots
from interpreter.compiled.joining import Joined, join, results_of, waits_of
from interpreter.compiled.jumps import Program
from interpreter.compiled.parts import Parts
from interpreter.compiled.places import FIELDS
from interpreter.compiled.scribe import Scope, Scribe
from interpreter.compiled.steps import Site
from interpreter.compiled.wholes import Whole
from interpreter.compiled.writing import Lines, Names, Pool, Text, Unsupported
from interpreter.machine import Machine
from rulespec.core import tree

MOST_KEYS = 400  # characters of keys that are written out for each player


@frozen
class Source:
    """A module: its text, what its names stand for that it does not define itself, and what Python made of it."""

    text: str
    values: dict[str, Any]
    code: CodeType | None = None


def write_program(machine: Machine, *, asks: bool, watched: bool = False) -> Source:
    """The module for a table: with choices that are waited for, or chosen by chance at once."""
    assert operations.MODULES  # noqa: S101 - so that all writers are there
    ceilings = Ceilings(machine)
    if not ceilings.allows:
        raise Unsupported("somebody may wait too long to be asked, which the reference judges")
    names = Names(set(vocabulary.TAKEN) | set(FIELDS))
    w = Scribe(machine, names, Pool(names), Lines())
    flow = analyse(machine, w.known, asks=asks)
    head = _write_places(w)
    program = Program(w, flow, ceilings, watched, asks)
    for n, block in enumerate(w.code.blocks.values()):
        program.numbers[block.name] = n
        program.names[block.name] = names.make(f"do_{block.name}")
    program.joined = join(w.code, flow)
    base = 0
    for name, joined in program.joined.items():
        _blank_masks(w, joined)
        program.bases[name] = base
        base += len(joined.block.code) + 1
    tests = _write_tests(w)
    blocks = _write_blocks(program)
    counts = bool(w.code.triggers) or any("s[LEFT]" in line for line in blocks)
    phases = [*_write_phases(program), *(_write_apply(counts=counts) if asks else [])]
    ranking = _write_ranking(w)
    tables = _write_tables(program)
    text = "\n".join([*head, *w.done.lines, *tests, *blocks, *phases, *ranking, *tables])
    values = {**w.pool.values, "SHARE": SHARE, "TURNS": ceilings.parts, **_waits(program)}
    values["COSTS"] = tuple(ceilings.block(row.block) for row in w.code.triggers)
    return Source(text + "\n", values)


def _blank_masks(w: Scribe, joined: Joined) -> None:
    """An empty set is 0 in a slot that is a mask."""
    blank = list(joined.block.blank)
    for n in mask_slots(w, joined.frames[0].block):
        blank[n] = 0
    joined.block = evolve(joined.block, blank=tuple(blank))


def _waits(program: Program) -> dict[str, Any]:
    """Where the blocks can wait, for `frames`, and where they keep what a call gives back."""
    joined, numbers = program.joined, program.numbers
    places: dict[str, list[int]] = {name: [] for name in joined}
    for name, at in program.parts:
        places[name].append(at)

    def masks(block: flat.Block) -> frozenset[int]:
        return mask_slots(program.w, block)

    chains: dict[int, Any] = {}
    results: dict[int, int] = {}
    for n, base in program.bases.items():
        waits = waits_of(joined[n], places[n], numbers, masks)
        chains[numbers[n]] = {base + at: chain for at, chain in waits.items()}
        results |= {base + at: slot for at, slot in results_of(joined[n]).items()}
    blanks = {numbers[n]: joined[n].block.blank for n in joined}
    return {"CHAINS": chains, "BLANKS": blanks, "RESULTS": results}


def _write_blocks(program: Program) -> list[str]:
    """The functions of all blocks that can be got at."""
    lines: list[str] = []
    for name, joined in program.joined.items():
        if program.flow.phases[name]:
            lines += Parts(program, joined.block).write_all().lines
    for name in ("setup", "play", "finish", *(row.block for row in program.w.code.triggers)):
        if name in program.w.code.blocks and name not in program.flow.waiting:
            program.function(name)
    # The list grows while it is run through.
    for name in program.called:
        lines += Whole(program, program.w.code.blocks[name]).write_all().lines
    return lines


def _write_places(w: Scribe) -> list[str]:
    """The places of a state by name."""
    out = Lines()
    title = w.code.title.replace('"""', "'")
    out.add(
        f'"""{title}, {w.layout.players} players: generated from its rules; do not edit."""',
        "",
        "# Where a state keeps its zones, its variables, and what the engine remembers.",
    )
    for name, family in w.layout.zone_families.items():
        w.zone_names[name] = w.names.make(name.upper())
        out.add(f"{w.zone_names[name]} = {family.base}{_of_how_many(family.size)}")
    for name, family in w.layout.variable_families.items():
        w.variable_names[name] = w.names.make(f"{name}_".upper())
        place = w.places.zones + family.base
        out.add(f"{w.variable_names[name]} = {place}{_of_how_many(family.size)}")
    for name, place in w.places.fields.items():
        out.add(f"{name} = {place}")
    out.add("", "")
    return out.lines


def _of_how_many(size: int) -> str:
    return f"  # and {size - 1} more" if size > 1 else ""


def _write_tests(w: Scribe) -> list[str]:
    out = Lines()
    for t, row in enumerate(w.code.triggers):
        out.add(f"# when {row.name}")
        with out.block(f"def test_{t}(s):"):
            out.add(f"return {w.plain(row.condition, Scope({}))}")
        out.add("", "")
    return out.lines


def _write_phases(program: Program) -> list[str]:
    """Go on to the next phase: what it begins with, or None if it was run already."""
    out = Lines()
    with out.block("def next_phase(s):"):
        out.add('"""Begin the next phase; the part to go on with, if it may wait."""')
        with out.block("if s[PHASE] < 0:"):
            out.add("s[PHASE] = 0")
            _write_rule(program, out, "setup")
        with out.block("elif s[PHASE] == 0:"):
            out.add("s[PHASE] = 1")
            _write_rule(program, out, "play", triggers=range(len(program.w.code.triggers)))
        with out.block("elif s[PHASE] == 1:"):
            if "finish" in program.w.code.blocks:
                out.add("s[PHASE] = 2")
                _write_rule(program, out, "finish")
            else:
                out.add("s[PHASE] = 3")
        with out.block("else:"):
            out.add("s[PHASE] = 3")
    out.add("", "")
    return out.lines


def _write_apply(*, counts: bool) -> list[str]:
    """Choose an option and run on: the one loop of the engine; `counts` if blocks count their steps, too."""
    out = Lines()
    with out.block("def apply(s, number):"):
        out.add('"""Choose an option by its number and run on to the next decision."""')
        with out.block("try:"):
            out.add("o = s[OPTIONS]", "f = s[STACK][-1]")
            out.add("if number < 0: no_option(s, number)")
            if counts:
                out.add("s[LEFT] = SHARE")
            out.add("kind = type(o)")
            with out.block("if kind is tuple:"):
                out.add("v = o[number]")
            with out.block("elif kind is int:"):
                _write_nth(out)
            with out.block("else:"):
                out.add("no_option(s, number)", "v = o[number]")
            out.add("part = CHOSEN[f[1]](s, f, v)")
            with out.block("if part is not None:"):
                out.add("stack = s[STACK]", "left = TURNS")
                with out.block("while part is not None and stack:"):
                    out.add("part = part(s, stack[-1])", "left -= 1", "if left < 0: give_up()")
                out.add("if not stack: go_on(s)")
        with out.block("except IndexError as error:"):
            # Most often there is no such option, or nobody is asked any more.
            out.add("no_option(s, number)", "recover(s, error)")
        with out.block("except Exception as error:"):
            out.add("recover(s, error)")
    out.add("", "")
    return out.lines


def _write_nth(out: Lines) -> None:
    """The piece with a number among those of a mask, counted from whichever end is nearer."""
    out.add("rest = o.bit_count() - number")
    with out.block("if rest < 1:"):
        out.add("no_option(s, number)", "v = None")
    with out.block("elif rest <= number:"):
        out.add("v = o.bit_length() - 1")
        with out.block("while rest > 1:"):
            out.add("o ^= BIT[v]", "v = o.bit_length() - 1", "rest -= 1")
    with out.block("else:"):
        with out.block("while number:"):
            out.add("o &= o - 1", "number -= 1")
        out.add("v = (o & -o).bit_length() - 1")


def _write_rule(program: Program, out: Lines, rule: str, triggers: range = range(0)) -> None:
    w, flow = program.w, program.flow
    block = w.code.blocks.get(rule)
    if block is None:
        return
    site = Site(w, flow, block, out, Scope({}), program.watched)
    write_reset(site, rule, block.origin)
    due = ", ".join(f"({t}, test_{t}(s))" for t in triggers)
    fire = [f"fire(s, [t for t, is_due in ({due},) if is_due])"] if triggers else []
    if len(triggers) == 1:
        fire = ["if test_0(s): fire(s, (0,))"]
    if rule in flow.waiting:
        blank = [repr(each) for each in program.joined[rule].block.blank]
        head = (str(program.numbers[rule]), str(program.bases[rule]))
        out.add(f"s[STACK].append([{', '.join([*head, *blank])}])")
        out.add(*fire)
        out.add("return resume(s)")
    else:
        out.add(*fire, f"{program.names[rule]}(s)")


def _write_ranking(w: Scribe) -> list[str]:
    out = Lines()
    rows = []
    for n, row in enumerate(w.code.ranking):
        players = range(w.layout.players)
        keys = ", ".join(w.plain(row.key, Scope({0: w.literal(p)})) for p in players)
        if len(keys) > MOST_KEYS:
            with out.block(f"def key_{n}(s, a0):"):
                out.add(f"return {w.plain(row.key, Scope({0: Text('a0')}))}")
            out.add("", "")
            keys = ", ".join(f"key_{n}(s, {p})" for p in players)
        rows.append(f"({w.plain(row.order, Scope({}))} == 1, ({keys},)),")
    with out.block("def ranking(s):"):
        out.add('"""Of every row whether the most wins, and the keys of all players."""')
        out.add("return (", *(f"    {row}" for row in rows), ")")
    out.add("", "")
    return out.lines


def _write_tables(program: Program) -> list[str]:
    """Of every place where a frame can wait the part that goes on there."""
    out = Lines()
    numbers = program.numbers
    for name, table in (("PARTS", program.parts), ("CHOSEN", program.chosen)):
        for block in sorted({block for block, _ in table}, key=numbers.__getitem__):
            if block in program.flow.waiting:
                base = program.bases[block]
                places = {
                    base + at: written
                    for (other, at), written in table.items()
                    if other == block and not _is_entrance(program, block, at)
                }
                entries = ", ".join(f"{at}: {places[at]}" for at in sorted(places))
                out.add(f"{name}.update({{{entries}}})")
    for key, name in _plain_functions(program.w).items():
        out.add(f"FUNCTIONS[{key!r}] = {name}")
    triggers = [program.names[row.block] for row in program.w.code.triggers]
    if program.flow.triggers_wait or any(
        row.block in program.flow.waiting for row in program.w.code.triggers
    ):
        triggers = [
            f"[{', '.join(map(repr, [numbers[row.block], program.bases[row.block], *_blank(program, row)]))}]"
            for row in program.w.code.triggers
        ]
    out.add(f"TABLE.blocks = ({''.join(f'{each}, ' for each in triggers)})")
    tests = "".join(f"test_{t}, " for t in range(len(triggers)))
    out.add(f"TABLE.tests = ({tests})", "TABLE.costs = COSTS")
    return out.lines


def _blank(program: Program, row: tree.TriggerRow) -> tuple[Any, ...]:
    return program.joined[row.block].block.blank


def _is_entrance(program: Program, block: str, at: int) -> bool:
    return at == 0 and isinstance(program.w.code.blocks[block].code[0], tree.Enter)


def _plain_functions(w: Scribe) -> dict[str, str]:
    """The functions that are given sets of pieces as the reference has them."""
    return {
        key: text.code
        for (key, forms), text in w.functions.items()
        if all(form == "plain" for form in forms) and key in w.code.functions
    }

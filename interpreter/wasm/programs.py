"""A program for a table -> its WebAssembly module: rules, triggers, ranking, helpers, and the runner of a game."""

from functools import cache
from pathlib import Path
from struct import pack
from typing import Any

from attrs import define, field, frozen

from interpreter.flat import Block, Code
from interpreter.layout import Layout, index_values
from interpreter.machine import Machine
from interpreter.operations.pieces import faces_of
from interpreter.wasm.assembling import encode_body
from interpreter.wasm.calling import write_pick, write_table
from interpreter.wasm.code_listing import show_function
from interpreter.wasm.costs import Costs
from interpreter.wasm.emitter import Emitter, WasmValue
from interpreter.wasm.encoding import I32, I64, PAGE, Module
from interpreter.wasm.expressions import E, Local, as_i32, const, load
from interpreter.wasm.finding import write_taker, write_zone_of
from interpreter.wasm.frames import Frame, QuestionPoint
from interpreter.wasm.function_writer import Writer
from interpreter.wasm.game_runner import write_ranking, write_run
from interpreter.wasm.helper_names import describe_memory
from interpreter.wasm.inlining import inline_calls
from interpreter.wasm.memory import Memory, StateLayout, form_of, lay_out_state
from interpreter.wasm.program_analysis import (
    FINISH,
    PLAY,
    SETUP,
    ProgramFacts,
    Unsupported,
    find_facts,
    mask,
)
from interpreter.wasm.recording import RecordKind
from interpreter.wasm.restricted import TranslationUnit
from interpreter.wasm.rule_functions import RuleFunction
from interpreter.wasm.rule_writer import RuleWriter
from interpreter.wasm.statements import Fn, reachable
from interpreter.wasm.triggers import write_fire, write_test
from interpreter.wasm.watching import describe_questions, describe_watching
from rulespec.core import tree
from rulespec.core.types import (
    LEAST,
    MOST,
    Bool,
    Choice,
    Number,
    Piece,
    Place,
    Seat,
    Type,
)
from rulespec.gc_pause import pause_garbage_collection
from rulespec.limits import MOST_WORK
from rulespec.source import Span

HELPERS = Path(__file__).parent / "helpers"
BEFORE = (
    "sets",
    "zones",
    "chance",
    "subset_numbers",
    "families",
    "pairings",
    "sets_of_sets",
    "ranking",
    "records",
)  # helpers that rules use
WATCHING = ("watching", "replayed_chance")  # the same, in modules for players that think
AFTER = ("games",)  # helpers that use rules
EXPORTS = (
    "play_many",
    "start_game",
    "step",
    "begin_told",
    "step_told",
    "step_many",
    "start_many",
    "rank_many",
    "play_on",
    "list_options",
    "rank_now",
)
THINKING = (
    "past_options",
    "pasts",
    "walking",
    "mending",
    "pondering",
)  # helpers of players that think
WATCHED_EXPORTS = ("imagine", "mend", "wander", "ponder")
MOST_WORDS = 8  # of a mask
MOST_TRIGGERS = 30
# While a bot thinks, limits need not be exact: the real game stayed below them, and they are rough.
IMAGINED_WORK = 16 * MOST_WORK
SMALL = 40  # the most instructions of a function to inline


@frozen
class WrittenModule:
    """A module, and the data that callers need to use it."""

    content: bytes
    state: StateLayout
    top: int  # where free memory begins
    mail: int
    backup: int
    questions: tuple[QuestionPoint, ...]
    frames: dict[str, Frame]
    facts: tuple[RecordKind, ...] = ()  # the kinds of its records
    log: int = 0
    cells: dict[str, int] = field(factory=dict)  # of a module that watches
    site: int = 0  # bytes of a site
    site_order: int = 0  # the offset of a list in a site
    past_state: int = 0  # the address of the state to which the current past leads
    report: int = 0  # the address of the report of each step


@define(eq=False)
class ModuleDraft:
    """A program being written: its facts, its memory, and its functions so far."""

    machine: Machine
    facts: ProgramFacts
    memory: Memory
    state: StateLayout
    unit: TranslationUnit
    words: int
    costs: Costs
    made: dict[str, Fn] = field(factory=dict)
    functions: dict[Any, tuple[Fn, WasmValue]] = field(factory=dict)
    rules: dict[str, RuleFunction] = field(factory=dict)
    pending: list[str] = field(factory=list)
    frames: dict[str, Frame] = field(factory=dict)
    results: dict[str, str] = field(factory=dict)
    questions: list[QuestionPoint] = field(factory=list)
    waiting_triggers: int = 0
    recorded: bool = False
    watched: bool = False  # events are compared with the knowledge of a player
    cells: dict[str, int] = field(factory=dict)
    kinds: list[RecordKind] = field(factory=list)  # of records
    log: int = 0
    none_list: int = 0
    sp: int = 0
    fuel: int = 0
    mail: int = 0
    backup: int = 0
    family_size: int = 0
    family_list: int = 0

    @property
    def layout(self) -> Layout:
        return self.machine.layout

    @property
    def code(self) -> Code:
        return self.machine.layout.code

    # ---- Functions -------------------------------------------------------------------------------

    def helper(self, name: str) -> Fn:
        return self.unit.functions[name]

    def inlined(self) -> list[Fn]:
        """The exported functions and those that they call, after inlining."""
        roots = [self.unit.function(name) for name in self.exports]
        return inline_calls(reachable(roots), {*self.exports}, SMALL)

    @property
    def exports(self) -> tuple[str, ...]:
        return (*EXPORTS, *WATCHED_EXPORTS) if self.watched else EXPORTS

    def rule(self, name: str) -> RuleFunction:
        """The function of a block, which is written at its first call."""
        if name in self.rules:
            return self.rules[name]
        block = self.code.blocks[name]
        waits, leaves = name in self.facts.waiting, name in self.facts.leaving
        forms = tuple(form_of(type_, self.layout) for _, type_ in block.slots[: block.params])
        given = tuple(
            Local(I32 if form == "list" else I64, slot)
            for form, (slot, _) in zip(forms, block.slots, strict=False)
        )
        params = [Local(I32, "s"), Local(I32, "fp"), *([Local(I32, "at")] if waits else [])]
        results = [I32] if leaves else []
        if name in self.results:
            results.append(I32 if self.results[name] == "list" else I64)
        pick = None
        if isinstance(block.body[0], tree.Enter):
            params.append(Local(I32, "row"))
            pick = Fn(
                f"row of {name}", [Local(I32, "s"), *(Local(x.type, x.name) for x in given)], [I32]
            )
        fn = Fn(f"rule {name}", [*params, *given], results)
        self.rules[name] = RuleFunction(block, fn, pick, waits, leaves, forms, given)
        self.pending.append(name)
        return self.rules[name]

    def write_rules(self) -> None:
        while self.pending:
            rule = self.rules[self.pending.pop()]
            enter = rule.block.body[0]
            if isinstance(enter, tree.Enter) and rule.pick is not None:
                write_pick(self, rule.block, enter, rule.pick)
                write_table(self, enter, rule)
                self.frames[rule.block.name] = Frame()
            else:
                writer = RuleWriter(self, rule)
                writer.write()
                self.frames[rule.block.name] = writer.frame.settled()

    def test(self, t: int) -> Fn:
        """Whether the condition of a trigger holds."""
        key = f"condition {t}"
        if key not in self.made:
            self.made[key] = Fn(f"when {self.code.triggers[t].name}", [Local(I32, "s")], [I32])
            write_test(self, t, self.made[key])
        return self.made[key]

    @property
    def fire(self) -> Fn:
        """Run triggers one after the other."""
        if "fire" not in self.made:
            params = [Local(I32, "s"), Local(I32, "fp")]
            if self.waiting_triggers:
                params.append(Local(I32, "at"))
            leaves = any(row.block in self.facts.leaving for row in self.code.triggers)
            self.made["fire"] = Fn("fire", [*params, Local(I32, "due")], [I32] if leaves else [])
            write_fire(self, self.made["fire"])
        return self.made["fire"]

    def taker(self, possible: int) -> Fn:
        """A function that takes a piece out of its zone; it searches only zones that can hold the piece."""
        zones = [z for z, held in enumerate(self.held_masks) if held & possible]
        key = f"take from {zones}"
        if key not in self.made:
            self.made[key] = write_taker(self, zones)
        return self.made[key]

    # ---- What is known ---------------------------------------------------------------------------

    def range_of(self, type_: Type) -> tuple[int | None, int | None]:
        """The least and the greatest number of the values of a type."""
        match type_:
            case Number(low, high):
                return (None if low == LEAST else low), (None if high == MOST else high)
            case Bool():
                return 0, 1
            case Seat():
                return 0, self.layout.players - 1
            case Choice(enum):
                members = self.layout.enums[enum]
                return min(members), max(members)
            case Piece():
                return 0, len(self.layout.pieces) - 1
        return None, None

    def ranks(self, order: str) -> list[int | None] | None:
        """The rank of each member in an order of its own; None if that is the order of the numbers."""
        rank = self.layout.ranks.get(order)
        if rank is None:
            return None
        return [rank.get(m, -1) for m in range(len(self.code.members))]

    def rank_of(self, g: Emitter, ranks: list[int | None], e: E) -> E:
        return g.table(ranks, as_i32(e))

    def zones_in(self, type_: Type) -> int:
        """The number of zones in a family that is known only by its type."""
        count = 1
        for index in type_.indices if isinstance(type_, Place) else ():
            count *= len(index_values(self.layout, index))
        return count

    def zone_value(self, v: WasmValue, type_: Type | None) -> WasmValue:
        """A zone, or several, that a rule got as an argument."""
        if not isinstance(type_, Place):
            return v
        if type_.indices:
            return WasmValue("zones", v.lanes, count=self.zones_in(type_))
        return WasmValue("number", v.lanes, sure=True)

    @property
    def held_masks(self) -> list[int]:
        """For every zone, the pieces that may lie in it."""
        return [self.facts.whole if x is None else mask(x) for x in self.layout.holds]

    def member_looks(self) -> list[int]:
        return [
            mask(faces_of(self.layout, (("member", m),))) for m in range(len(self.code.members))
        ]

    def has_copies(self, of: Piece) -> bool:
        faces = [
            f
            for piece, f in zip(self.layout.pieces, self.layout.faces, strict=True)
            if piece.kind in of.kinds
        ]
        return len(set(faces)) < len(faces)

    def question(self, point: QuestionPoint) -> int:
        self.questions.append(point)
        return len(self.questions) - 1

    def line(self, span: Span) -> str:
        """A place in the rules, with its text."""
        text = span.source.text
        begin, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.start)
        number_ = text.count("\n", 0, span.start) + 1
        return f"{span.source.name}:{number_}: {text[begin : end if end >= 0 else None].strip()}"

    # ---- Cells -----------------------------------------------------------------------------------

    def arena_top(self) -> E:
        return load("i32.load", const(self.sp, I32))

    def set_arena(self, w: Writer, top: E) -> None:
        w.store("i32.store", const(self.sp, I32), top)

    def field(self, s: E, name: str) -> E:
        offset, kind = self.state.fields[name]
        return load({"n32": "i64.load32_s", "i32": "i32.load"}.get(kind, "i64.load"), s, offset)

    def is_running(self, s: E, t: int) -> E:
        running = load("i32.load", s, self.state.fields["running"][0])
        return (running >> t) & 1 if t else running & 1

    def is_pool(self, zone: E) -> E:
        at, _ = self.unit.tables["IS_POOL"]
        return load("i32.load8_u", as_i32(zone), at)


# ---- The whole -----------------------------------------------------------------------------------


@pause_garbage_collection()
def write_program(
    machine: Machine, *, recorded: bool = False, watched: bool = False
) -> WrittenModule:
    """The module of a program for a table; if it is `recorded`, it writes records of what happens.

    If it is `watched`, it compares events with the knowledge of a player, and imagines worlds.
    """
    p = compose_program(machine, recorded=recorded, watched=watched)
    return encode(p, p.inlined())


@pause_garbage_collection()
def show_program(machine: Machine) -> str:
    """The same as text, without inlining: rules first, each line of rules above its code, then helpers."""
    p = compose_program(machine)
    helpers = {id(fn) for fn in p.unit.functions.values()}
    every = reachable([p.unit.function(name) for name in EXPORTS])
    return "\n".join(map(show_function, sorted(every, key=lambda fn: id(fn) in helpers)))


def compose_program(
    machine: Machine, *, recorded: bool = False, watched: bool = False
) -> ModuleDraft:
    """A program with all its functions."""
    p = begin_program(machine)
    p.recorded, p.watched = recorded or watched, watched
    if watched:
        describe_watching(p)
        p.unit.constants["MOST_WORK"] = IMAGINED_WORK
    run = p.unit.declare("run", ["State", "i32"], None)
    rank = p.unit.declare("rank", ["State", "Numbers"], None)
    zone_of = p.unit.declare("zone_of", ["State", "i64"], "i64")
    for name in (*BEFORE, *(WATCHING if watched else ())):
        p.unit.read(helper_text(name), f"helpers/{name}.py")
    write_run(p, run)
    write_ranking(p, rank)
    write_zone_of(p, zone_of)
    p.write_rules()
    p.state.end(frames_size(p))
    p.backup = p.memory.room(p.state.size)
    p.unit.constants |= {"STATE": p.state.size, "BACKUP": p.backup}
    if watched:
        describe_questions(p)
    for name in (*AFTER, *(THINKING if watched else ())):
        p.unit.read(helper_text(name), f"helpers/{name}.py")
    return p


@cache
def helper_text(name: str) -> str:
    return (HELPERS / f"{name}.py").read_text("utf-8")


def begin_program(machine: Machine) -> ModuleDraft:
    """A draft without functions: the facts about a program, and its data."""
    layout = machine.layout
    words = max(1, -(-len(layout.pieces) // 64))
    if words > MOST_WORDS:
        raise Unsupported(f"more than {64 * MOST_WORDS} pieces")
    if len(layout.code.triggers) > MOST_TRIGGERS:
        raise Unsupported(f"more than {MOST_TRIGGERS} triggers")
    facts, state = find_facts(machine), lay_out_state(layout, words)
    p = ModuleDraft(machine, facts, Memory(), state, TranslationUnit(words), words, Costs(facts))
    p.none_list = p.memory.keep(pack("<2i", -1, 0))
    p.sp, p.fuel, p.mail = p.memory.room(16), p.memory.room(16), p.memory.room(64)
    p.log = p.memory.room(16)
    p.waiting_triggers = mask(
        t for t, row in enumerate(layout.code.triggers) if row.block in p.facts.waiting
    )
    p.results = find_results(p)
    describe_memory(p)
    return p


def find_results(p: ModuleDraft) -> dict[str, str]:
    """For each block whose value is used, the form of that value."""
    found: dict[str, str] = {}
    for block in p.code.blocks.values():
        for each in p.facts.reachable(block.body):
            if isinstance(each, tree.Call) and each.into is not None:
                form = form_of(block.slots[each.into][1], p.layout)
                if form not in ("number", "small", "list"):
                    raise Unsupported("a rule that gives a family")
                found[each.block] = form
                rows = p.code.blocks[each.block].body[0]
                if isinstance(rows, tree.Enter):
                    found |= {name: form for _, name in rows.rows}
    return found


def frames_size(p: ModuleDraft) -> int:
    """The size of all frames that can exist at once: the longest chain of calls, and each trigger once."""
    depths: dict[str, int] = {}

    def depth(name: str) -> int:
        if name not in depths:
            depths[name] = 0
            called = _called(p, p.code.blocks[name])
            own = p.frames[name].size if name in p.frames else 0
            depths[name] = own + max([0, *map(depth, called)])
        return depths[name]

    roots = [name for name in (SETUP, PLAY, FINISH) if name in p.code.blocks]
    return max(map(depth, roots)) + 32 + sum(8 + depth(row.block) for row in p.code.triggers)


def _called(p: ModuleDraft, block: Block) -> list[str]:
    found: list[str] = []
    for each in p.facts.reachable(block.body):
        if isinstance(each, tree.Call):
            found.append(each.block)
        elif isinstance(each, tree.Enter):
            found += [name for _, name in each.rows]
    return found


def encode(p: ModuleDraft, fns: list[Fn]) -> WrittenModule:
    """Encode functions as a module, with the data that callers need."""
    module = Module()
    for n, fn in enumerate(fns):
        fn.number = n
        module.functions.append((fn.name, module.type([x.type for x in fn.params], fn.results)))
    module.bodies = [encode_body(fn) for fn in fns]
    module.exports = [(name, p.unit.function(name).number or 0) for name in p.exports]
    module.data = p.memory.data
    top = p.memory.room(0, 64)
    module.pages = top // PAGE + 2
    return WrittenModule(
        module.encode(),
        p.state,
        top,
        p.mail,
        p.backup,
        tuple(p.questions),
        p.frames,
        tuple(p.kinds),
        p.log,
        p.cells,
        *(p.unit.constants.get(name, 0) for name in ("SITE", "SITE_ORDER", "WORLD", "REPORT")),
    )

"""The core keeps what docs/core.md promises, for every shipped game, its variants, and whatever is drawn."""

import doctest
import os
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings

from games import from_text, shipped
from interpreter.flat import Again, Block, Code, Jump, Next, Unless
from interpreter.operations import BUILDERS
from rulespec import loading
from rulespec.checking.layers import stack_layers
from rulespec.core import tree
from rulespec.core.operations import OPERATIONS, Operand
from rulespec.core.printer import print_block, print_core
from rulespec.core.tree import Core, Op, Target
from rulespec.core.types import (
    Bool,
    Choice,
    Direction,
    Face,
    Family,
    Indexed,
    Maybe,
    Never,
    Number,
    Outputs,
    Piece,
    Place,
    Seat,
    Several,
    Type,
    Unknown,
)
from rulespec.elaboration.programs import elaborate_examples, elaborate_program
from rulespec.syntax import nodes
from sizes import tries
from small_programs import programs

PAGE = Path(__file__).parent.parent / "docs/core.md"
SINGLE = {Bool: "truth", Number: "number", Seat: "seat", Piece: "piece", Choice: "", Direction: ""}
SORTS = {Place: "zone", Indexed: "indexed", Outputs: "row", Family: "family", Face: "look"}
DETAILS = ("place", "word", "words", "numbers", "order", "value", "face")
GAMES = [
    (path.name, variants)
    for path in loading.shipped_game_files()
    for variants in [
        (),
        *(
            (each.name.text,)
            for each in stack_layers(path, loading.read(path.name), (), ()).variants
        ),
    ]
]


# ---- Expressions ---------------------------------------------------------------------------------


def fits(type_: Type, wanted: Operand) -> bool:
    """Whether a value of such a type may stand where the table asks for something."""
    if isinstance(type_, Maybe):
        if isinstance(type_.of, Never):
            return wanted.may_be_none or wanted.sort == "set"
        return wanted.may_be_none and fits(type_.of, wanted)
    if isinstance(type_, Unknown | Never) or wanted.sort == "any":
        return True
    if isinstance(type_, Several):
        return wanted.sort == ("look" if isinstance(type_.of, Face) else "set") or (
            # The empty set is also the family without members.
            wanted.sort == "family" and isinstance(type_.of, Never)
        )
    if type(type_) in SINGLE:
        return wanted.sort in ("value", SINGLE[type(type_)])
    return SORTS[type(type_)] == wanted.sort


def faults_of(op: Op, bound: frozenset[int]) -> Iterator[str]:
    """What is wrong with an operation and all below it; `bound` are the elements that are there."""
    row = OPERATIONS[op.name]
    blank = Op("")
    for detail in DETAILS:
        given = getattr(op, detail) != getattr(blank, detail)
        if given and detail not in row.details:
            yield f"{op.name} has a {detail}"
        if not given and detail in row.details and detail not in ("value", "numbers", "words"):
            yield f"{op.name} has no {detail}"
    wanted = [*row.operands]
    while wanted and wanted[-1].many and len(wanted) < len(op.operands):
        wanted.append(wanted[-1])
    least = sum(not (each.many or each.optional) for each in row.operands)
    if not least <= len(op.operands) <= len(wanted):
        yield f"{op.name} has {len(op.operands)} operands"
    for operand, place in zip(op.operands, wanted, strict=False):
        if not fits(operand.type, place):
            yield f"{op.name}: {operand.name} of type {operand.type} as {place}"
    if not fits(op.type, row.gives):
        yield f"{op.name} is {op.type}, and gives {row.gives}"
    if op.name == "bound" and op.place not in bound:
        yield f"nothing is bound at {op.place}"
    inner = bound | {op.place} if row.binds else bound
    for number, operand in enumerate(op.operands):
        last = number == len(op.operands) - 1
        yield from faults_of(operand, inner if last else bound)


# ---- Statements ----------------------------------------------------------------------------------


def expressions(part: Any) -> Iterator[Op]:
    """The outermost operations of anything in the core, however deep."""
    if isinstance(part, Op):
        yield part
    elif isinstance(part, tuple | list):
        for each in part:
            yield from expressions(each)
    elif attrs.has(type(part)) and not isinstance(part, Target):
        for each in attrs.fields(type(part)):
            yield from expressions(getattr(part, each.name))
    elif isinstance(part, Target):
        yield from part.indices


def targets(part: Any) -> Iterator[Target]:
    if isinstance(part, Target):
        yield part
    elif isinstance(part, tuple | list):
        for each in part:
            yield from targets(each)
    elif attrs.has(type(part)):
        for each in attrs.fields(type(part)):
            yield from targets(getattr(part, each.name))


def body_faults(core: Core[tree.Block], block: tree.Block) -> Iterator[str]:
    """What is wrong with the statements of a block."""

    def walk(body: tree.Body, loops: int) -> Iterator[str]:
        for statement in body:
            match statement:
                case tree.If(_, then, otherwise):
                    yield from walk(then, loops)
                    yield from walk(otherwise or (), loops)
                case tree.For(rest, into, _, inner):
                    yield from slot_faults((rest, into))
                    yield from walk(inner, loops + 1)
                case tree.Repeat(left, times, inner):
                    if (left is None) != (times is None):
                        yield "a loop that counts has a number and a slot for it"
                    yield from walk(inner, loops + 1)
                case tree.Stop() if not loops:
                    yield "nothing is left by `stop`"
                case tree.Call(name, arguments, into):
                    if name not in core.blocks:
                        yield f"there is no block {name}"
                    elif len(arguments) != core.blocks[name].params:
                        yield f"{name} is given {len(arguments)} arguments"
                    yield from slot_faults(() if into is None else (into,))
                case tree.Enter(_, rows):
                    yield from (
                        f"there is no block {each}" for _, each in rows if each not in core.blocks
                    )

    def slot_faults(slots: tuple[int, ...]) -> Iterator[str]:
        yield from (f"there is no slot {n}" for n in slots if not 0 <= n < len(block.slots))

    if not (block.body and isinstance(block.body[-1], tree.Return | tree.Enter)):
        yield f"{block.name} does not end with `Return`"
    if len(block.blank) != len(block.slots):
        yield f"{block.name} has {len(block.blank)} first values for {len(block.slots)} slots"
    yield from walk(block.body, 0)
    for target in targets(block.body):
        if (target.slot is None) == (target.variable is None):
            yield f"{target} is a slot and a variable, or neither"
        if target.fitting is not None:
            yield from faults_of(target.fitting, frozenset({0}))
        yield from slot_faults(() if target.slot is None else (target.slot,))
    for op in expressions(block.body):
        yield from faults_of(op, frozenset())
        for each in tree.walk_operations(op):
            if each.name == "slot":
                yield from slot_faults((each.place,))
            if OPERATIONS[each.name].binds and each.place >= block.scratch:
                yield f"{each.name} binds at {each.place}, and there are {block.scratch} places"


def faults(core: Core[tree.Block]) -> Iterator[str]:
    """What is wrong with a core."""
    for block in core.blocks.values():
        yield from (f"{block.name}: {each}" for each in body_faults(core, block))
    rest = [getattr(core, each.name) for each in attrs.fields(Core) if each.name != "blocks"]
    for op in expressions([[*each.values()] if isinstance(each, dict) else each for each in rest]):
        yield from faults_of(op, frozenset())
        for each in tree.walk_operations(op):
            if each.name == "call" and each.word not in core.functions:
                yield f"there is no function {each.word}"
            if each.name == "call" and len(each.operands) != core.functions[each.word].params:
                yield f"{each.word} is given {len(each.operands)} arguments"
    yield from (f"{each} is left of the tree" for each in left_of_the_tree(core))


def left_of_the_tree(part: Any) -> Iterator[Any]:
    if type(part).__module__ == nodes.__name__:
        yield part
    elif isinstance(part, tuple | list | frozenset):
        for each in part:
            yield from left_of_the_tree(each)
    elif isinstance(part, dict):
        yield from left_of_the_tree([*part.items()])
    elif attrs.has(type(part)) and not isinstance(part, tree.Span):
        for each in attrs.fields(type(part)):
            yield from left_of_the_tree(getattr(part, each.name))


def jump_faults(code: Code) -> Iterator[str]:
    """What is wrong with flat code."""
    for block in code.blocks.values():
        assert isinstance(block, Block)
        for here in block.code:
            to = here.to if isinstance(here, Jump | Unless) else 0
            to = here.exit if isinstance(here, Next | Again) else to
            if not 0 <= to < len(block.code):
                yield f"{block.name}: {here} leads nowhere"


@pytest.mark.parametrize(("name", "variants"), GAMES)
def test_the_core_of_shipped_games_keeps_its_promises(name, variants):
    game = shipped(name, variants)
    core = elaborate_program(game.program.declared)

    assert [*faults(core)] == []
    assert [*jump_faults(game.code)] == []
    printed = print_core(core)
    assert all(f"block {name}(" in printed for name in core.blocks)
    assert "{" not in re.sub(r"\w+\{[\w, ]+\}", "", printed)
    examples = [row for _, row in elaborate_examples(game.program.declared)]
    assert [each for op in expressions(examples) for each in faults_of(op, frozenset())] == []


@settings(max_examples=tries(8, soak=20))
@given(programs())
def test_the_core_of_small_programs_keeps_its_promises(text):
    game = from_text(text)

    assert [*faults(elaborate_program(game.program.declared))] == []
    assert [*jump_faults(game.code)] == []


def test_faults_are_found():
    """A core that breaks a promise is noticed: each of these breaks one."""
    one, yes = Op("literal", value=1, type=Number(1, 1)), Op("literal", value=True, type=Bool())
    broken = [
        Op("add", (one,), type=Number()),
        Op("add", (one, yes), type=Number()),
        Op("add", (one, one), type=Bool()),
        Op("add", (one, one), type=Number(), word="x"),
        Op("abs", (Op("slot", place=0, type=Maybe(Number())),), type=Number()),
        Op("option", type=Number()),
        Op("bound", place=0, type=Number()),
        Op("count", (one,), type=Number()),
    ]

    assert [op for op in broken if not [*faults_of(op, frozenset())]] == []


# ---- The table -----------------------------------------------------------------------------------


def test_the_reference_has_every_operation_of_the_table_and_no_other():
    assert BUILDERS.keys() == OPERATIONS.keys()


def test_operations_are_printed_with_all_that_they_have():
    for row in OPERATIONS.values():
        holes = set(re.findall(r"\{(\w+)\}", row.text))
        many = any(each.many or each.optional for each in row.operands)
        operands = set() if many else {str(n) for n in range(len(row.operands))}
        assert holes - {*row.details, *operands} == set(), row.name
        assert operands <= holes, row.name
        assert many == ("…" in row.text), row.name


# ---- The page ------------------------------------------------------------------------------------


def operations_table() -> str:
    lines = ["| operation | operands | data | gives | marks |", "| --- | --- | --- | --- | --- |"]
    for row in OPERATIONS.values():
        operands = " ".join(
            f"[{shown(each)}]" if each.optional else shown(each) for each in row.operands
        )
        marks = " ".join(
            mark
            for mark in ("binds", "fails", "varies", "keeps", "walks", "lists")
            if getattr(row, mark)
        )
        cells = (f"`{row.name}`", operands, " ".join(row.details), shown(row.gives), marks)
        lines.append(f"| {' | '.join(cells)} |".replace("  ", " "))
    return "".join(f"{line}\n" for line in lines)


def shown(operand: Operand) -> str:
    return operand.sort + "?" * operand.may_be_none + r"\*" * operand.many


def test_a_program_that_was_kept_has_the_core_that_was_checked() -> None:
    declared = shipped("seven7s.rules").program.declared
    kept = pickle.loads(pickle.dumps(declared))  # noqa: S301 - made by ourselves

    assert print_core(elaborate_program(kept)) == print_core(elaborate_program(declared))


def test_the_page_shows_the_core_as_it_was_written():
    page = PAGE.read_text("utf-8")
    core = elaborate_program(shipped("sins.rules").program.declared)
    turn = "".join(f"{line}\n" for line in print_block(core, core.blocks["turn"]))
    made = re.sub(
        r'(?s)(```text title="turn of sins.rules"\n).*?```', lambda m: f"{m[1]}{turn}```", page
    )
    made = re.sub(
        r"(?s)(<!-- operations -->\n).*?(<!-- end)",
        lambda m: f"{m[1]}\n{operations_table()}\n{m[2]}",
        made,
    )
    if os.environ.get("ACCEPT"):
        PAGE.write_text(made, "utf-8")
        return

    assert page == made


def test_what_the_page_says_to_python_is_true():
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0

"""Calls of rules, and action tables -> code that computes the arguments and runs the rule or the matching row."""

from typing import TYPE_CHECKING

from interpreter.flat import Block
from interpreter.wasm.assignment import reset_variables
from interpreter.wasm.emitter import EmitScope, Emitter, WasmValue
from interpreter.wasm.encoding import I32
from interpreter.wasm.expressions import E, Local, binary, const, get, load
from interpreter.wasm.memory import capacity, form_of, list_size
from interpreter.wasm.operations.functions import row_test
from interpreter.wasm.rule_functions import WAITING, Part, RuleFunction
from interpreter.wasm.statements import Fn
from rulespec.core import tree

if TYPE_CHECKING:
    from interpreter.wasm.programs import ModuleDraft
    from interpreter.wasm.rule_writer import RuleWriter


def write_call(g: "RuleWriter", here: tree.Call) -> list[Part]:
    """Write a call: compute the arguments, reset variables, then call the rule."""
    called = g.p.rule(here.block)
    triggers = g.p.facts.fires(g.block, here)
    locals_ = [Local(param.type, f"given{n}") for n, param in enumerate(called.given)]
    given = [get(each) for each in locals_]
    row = Local(I32, "row")
    offsets: dict[int, int] = {}
    if triggers:  # they may run before the rule begins
        for n, each in enumerate(here.arguments):
            if called.forms[n] == "list":
                offsets[n] = g.frame.room(list_size(capacity(each.type, g.p.layout)))
                given[n] = g.fp + offsets[n]

    def prepare() -> None:
        for n, each in enumerate(here.arguments):
            v = g.into(g.value(each, g.scope), called.forms[n])
            if n in offsets:
                g.run("copy_list", given[n], v.e)
            else:
                g.w.set(locals_[n], v.e)
        _pick_row(g, here.block, row, given)

    def go() -> None:
        point = g.point(here, "call") if called.waits else 0
        if not triggers:
            g.unless_resuming(
                point - 1 if point else len(g.frame.points), g.fresh(here, prepare_all)
            )
        _enter(g, here, called, row, given, point)

    def prepare_all() -> None:
        prepare()
        number_ = g.numbers[id(here)]
        reset_variables(g, here.resets or "", g.block.name, number_)

    if not triggers:
        return [go]
    if called.waits or g.waits:
        kept = [each for n, each in enumerate(locals_) if n not in offsets]
        g.keep(here, given=kept, row=row, offsets=offsets, forms=called.forms)
    return [*g.changing(here, prepare_all), go]


def _pick_row(g: "RuleWriter", name: str, row: Local, given: list[E]) -> None:
    pick = g.p.rule(name).pick
    if pick is not None:
        g.w.set(row, g.w.call(pick, [g.s, *given])[0])


def _enter(  # noqa: PLR0913, PLR0917 - what is called, and with what
    g: "RuleWriter", here: tree.Call, called: RuleFunction, row: Local, given: list[E], point: int
) -> None:
    w = g.w
    args = [g.s, get(g.next)]
    if called.waits:
        args.append(get(g.at))
    if called.pick is not None:
        args.append(get(row))
    found = w.call(called.fn, [*args, *given])
    if called.waits:
        w.set(g.at, const(0, I32))
    if called.leaves:
        status, *found = found
        with w.when(status):
            g.go_away(status, point)
    if here.into is not None and found:
        kept = g.frame.slots[here.into]
        if kept.local is not None:
            w.set(kept.local, found[0])
        else:
            g.run("copy_list", g.fp + kept.offset, found[0])


# ---- Action tables -------------------------------------------------------------------------------


def write_pick(p: "ModuleDraft", block: Block, enter: tree.Enter, fn: Fn) -> None:
    """Write a function that finds the number of the row that accepts the arguments."""
    g = Emitter(p, fn)
    slots = {
        n: p.zone_value(g.typed(WasmValue(form_of(type_, p.layout), (get(param),)), type_), type_)
        for n, ((_, type_), param) in enumerate(zip(block.slots, fn.params[1:], strict=False))
    }
    scope = EmitScope(slots)
    inputs: list[WasmValue | None] = [g.simple(each, scope) for each in enter.inputs]
    for n, (patterns, _) in enumerate(enter.rows):
        with g.w.when(row_test(g, patterns, inputs)):
            g.w.give_back(const(n, I32))
    g.w.trap()


def write_table(p: "ModuleDraft", enter: tree.Enter, called: RuleFunction) -> None:
    """Write a function that runs one row; its frame stores which one."""
    fn: Fn = called.fn
    g = Emitter(p, fn)
    fp = fn.params[1]
    at = fn.params[2] if called.waits else None
    row = fn.params[3 if called.waits else 2]
    given = fn.params[4 if called.waits else 3 :]
    if at is not None:
        with g.w.when(get(at)):
            g.w.set(row, load("i32.load", get(fp)))
    for n, (_, name) in enumerate(enter.rows):
        inner = p.rule(name)
        with g.w.when(get(row).eq(n)):
            args = [
                g.s,
                get(fp) + 8,
                *([get(at)] if inner.waits and at is not None else []),
                *map(get, given),
            ]
            found = g.w.call(inner.fn, args)
            if called.waits:
                with g.w.when(binary("ge_s", found[0], WAITING)):
                    g.w.store("i32.store", get(fp), const(n, I32))
            if called.leaves and not inner.leaves:
                found = [const(0, I32), *found]
            g.w.give_back(*found)
    g.w.trap()

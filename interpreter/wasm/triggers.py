"""The triggers of a program -> functions that test their conditions, and one that runs those that are due."""

from typing import TYPE_CHECKING

from interpreter.wasm.emitter import EmitScope, Emitter
from interpreter.wasm.encoding import I32
from interpreter.wasm.expressions import Local, const, get, load
from interpreter.wasm.statements import Fn

if TYPE_CHECKING:
    from interpreter.wasm.programs import ModuleDraft


def write_test(p: "ModuleDraft", t: int, fn: Fn) -> None:
    """Write a function that tests the condition of a trigger."""
    g = Emitter(p, fn)
    found = Local(I32, "holds")
    with g.forgetting():
        g.w.note(p.line(p.code.triggers[t].condition.span))
        g.w.set(found, g.truth(p.code.triggers[t].condition, EmitScope()))
        g.charge(const(p.costs.cost(p.code.triggers[t].condition)))
    g.w.give_back(get(found))


def write_fire(p: "ModuleDraft", fn: Fn) -> None:
    """Run the triggers in `due` in the order of declaration; if one waits, the frame stores the rest."""
    g = Emitter(p, fn)
    w, s, fp = g.w, g.s, get(fn.params[1])
    at = fn.params[2] if p.waiting_triggers else None
    due = fn.params[-1]
    running = p.state.fields["running"][0]
    if at is not None:
        with w.when(get(at)):
            w.set(due, load("i32.load", fp))
        with w.otherwise():
            w.store("i32.store", s, load("i32.load", s, running) | get(due), running)
    else:
        w.store("i32.store", s, load("i32.load", s, running) | get(due), running)
    for t, row in enumerate(p.code.triggers):
        rule = p.rule(row.block)
        with w.when(get(due) & (1 << t)):
            args = [s, fp + 8, *([get(at)] if rule.waits and at is not None else [])]
            found = w.call(rule.fn, args)
            if at is not None:
                w.set(at, const(0, I32))
            if rule.leaves:
                with w.when(found[0]):
                    w.store("i32.store", fp, get(due))
                    w.give_back(found[0])
            w.set(due, get(due) & ~(1 << t))
            w.store("i32.store", s, load("i32.load", s, running) & ~(1 << t), running)
    w.give_back(*([const(0, I32)] if fn.results else []))

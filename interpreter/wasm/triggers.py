"""Triggers: their conditions, how they run, and what a move makes them do."""

from typing import TYPE_CHECKING

from interpreter.wasm.encoding import I32
from interpreter.wasm.ir import E, Fn, Local, as_i32, either, get, load, not_, number
from interpreter.wasm.values import Emitter, Scope

if TYPE_CHECKING:
    from interpreter.wasm.programs import Program


def write_test(p: "Program", t: int, fn: Fn) -> None:
    """Whether a condition holds."""
    g = Emitter(p, fn)
    found = Local(I32, "holds")
    with g.forgetting():
        g.w.note(p.line(p.code.triggers[t].condition.span))
        g.w.set(found, g.truth(p.code.triggers[t].condition, Scope()))
        g.charge(number(p.cost(p.code.triggers[t].condition)))
    g.w.give_back(get(found))


def write_fire(p: "Program", fn: Fn) -> None:
    """Run the triggers in `due`, the first declared first; the frame keeps those that are left while one waits."""
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
                w.set(at, number(0, I32))
            if rule.leaves:
                with w.when(found[0]):
                    w.store("i32.store", fp, get(due))
                    w.give_back(found[0])
            w.set(due, get(due) & ~(1 << t))
            w.store("i32.store", s, load("i32.load", s, running) & ~(1 << t), running)
    w.give_back(*([number(0, I32)] if fn.results else []))


def write_move_watched(p: "Program", fn: Fn) -> None:
    """Move one piece; the triggers that hold then and did not before, and are not running."""
    g = Emitter(p, fn)
    w = g.w
    s, c, zone, under = map(get, fn.params)
    masks = p.memory.numbers_at(
        [sum(1 << t for t in each) for each in p.machine.making.zone_triggers]
    )
    source = w.let(g.call("zone_of", s, c))

    def looked_at(z: E) -> E:
        return load("i32.load", as_i32(z) * 8, masks)

    watching = w.let(looked_at(source) | looked_at(zone))
    held, due = Local(I32, "held"), Local(I32, "due")
    w.set(held, number(0, I32))
    w.set(due, number(0, I32))
    every = range(len(p.code.triggers))
    for t in every:
        with w.when(watching & (1 << t)), w.when(w.call(p.test(t), [s])[0]):
            w.set(held, get(held) | (1 << t))
    g.run("move_one", s, c, zone, under)
    running = load("i32.load", s, p.state.fields["running"][0])
    for t in every:
        ready = either(watching & (1 << t), not_((get(held) | running) & (1 << t)), number(0, I32))
        with w.when(ready), w.when(w.call(p.test(t), [s])[0]):
            w.set(due, get(due) | (1 << t))
    w.give_back(get(due))

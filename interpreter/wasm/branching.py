"""`if`, `for` and `repeat` -> code that can also be entered in the middle.

A game may wait inside a branch or a loop. When it resumes, the code goes straight to that place and computes no test
and no set again.
"""

from typing import TYPE_CHECKING

from interpreter.wasm.emitter import WasmValue
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.expressions import Local, as_i64, binary, const, get, load, not_
from interpreter.wasm.masks import is_some, lowest, without_lowest
from interpreter.wasm.memory import CHUNK, capacity, list_size
from interpreter.wasm.program_analysis import Unsupported
from interpreter.wasm.rule_functions import Kept
from interpreter.wasm.statements import Body, Label
from rulespec.core import tree

if TYPE_CHECKING:
    from interpreter.wasm.rule_writer import RuleWriter


def write_if(g: "RuleWriter", here: tree.If) -> None:
    w = g.w
    is_known, value = g.p.facts.known(here.condition)
    if is_known:
        g.sequence(here.body if value else here.otherwise or ())
        return
    first = len(g.frame.points)
    with w.aside() as then:
        g.sequence(here.body)
    middle = len(g.frame.points)
    with w.aside() as otherwise:
        g.sequence(here.otherwise or ())
    test = Local(I32, "test")
    condition = g.fresh(here, lambda: w.set(test, g.truth(here.condition, g.scope)))
    if first == len(g.frame.points):
        condition()
    else:
        with w.when(get(g.at).eq(0)):
            condition()
        with w.otherwise():
            w.set(test, binary("le_s", get(g.at), middle))
    with w.when(get(test)):
        w.extend(then)
    if otherwise:
        with w.otherwise():
            w.extend(otherwise)


def write_for(g: "RuleWriter", here: tree.For) -> None:
    w = g.w
    first = len(g.frame.points)
    with w.aside() as begin:
        g.fresh(here, lambda: _iterate(g, here))()
    done, body = _write_body(g, here)

    def take() -> None:
        _take_next(g, here, done)
        g.charge(const(g.p.costs.turn_cost(here.body)))

    g.unless_resuming(first, lambda: w.extend(begin))
    with w.block(label=done), w.loop("again") as again:
        g.unless_resuming(first, take)
        w.extend(body)
        w.br(again)
    g.clear((here.rest, here.into))


def _write_body(g: "RuleWriter", here: tree.For | tree.Repeat) -> tuple[Label, Body]:
    """The statements of a loop, and the label that leaves it."""
    done = Label("done")
    g.around.append(here)
    g.exits.append(done)
    with g.w.aside() as body:
        g.sequence(here.body)
    g.exits.pop()
    g.around.pop()
    return done, body


def _iterate(g: "RuleWriter", here: tree.For) -> None:
    """Keep the remaining elements: in locals, or in the frame together with how many were taken."""
    w = g.w
    v = g.value(here.values, g.scope)
    if v.form in ("family", "subsets"):
        v = g.as_sets(v)
    if v.form in ("mask", "small"):
        rest = [Local(I64, "rest") for _ in v.lanes]
        lanes = [w.let(e) for e in v.lanes]
        for local, e in zip(rest, lanes, strict=True):
            w.set(local, e)
        g.keep(here, form=v.form, rest=rest)
        return
    taken = Local(I32, "taken")
    g.keep(here, form="sets" if v.form == "sets" else "list", taken=taken)
    w.set(taken, const(0, I32))
    if v.form == "sets":
        offset = g.frame.room(CHUNK)
        g.keep(here, offset=offset)
        g.run("keep_sets", g.fp + offset, v.e, const(CHUNK))
        return
    v = g.as_list(v)
    if v.data:
        address = Local(I32, "rest")
        g.keep(here, address=address, data=v.data)
        w.set(address, v.e)
        return
    offset = g.frame.room(list_size(capacity(here.values.type, g.p.layout)))
    g.keep(here, offset=offset)
    g.run("copy_list", g.fp + offset, v.e)


def _take_next(g: "RuleWriter", here: tree.For, done: Label) -> None:
    w, loop = g.w, g.kept(here)
    into = g.frame.slots[here.into]
    if loop["form"] in ("mask", "small"):
        rest = tuple(map(get, loop["rest"]))
        w.br_if(done, not_(is_some(rest)))
        w.set(_local(into), lowest(rest))
        less = [w.let(e) for e in without_lowest(rest)]
        for local, e in zip(loop["rest"], less, strict=True):
            w.set(local, e)
        return
    at = get(loop["address"]) if "address" in loop else g.fp + loop["offset"]
    taken = loop["taken"]
    w.br_if(done, binary("ge_s", get(taken), load("i32.load", at)))
    if loop["form"] == "sets":
        one = WasmValue("list", (w.let(g.call("member", at, as_i64(get(taken)))),))
        if into.local is not None:
            w.set(into.local, g.into(one, into.form).e)
        else:
            g.run("copy_list", g.fp + into.offset, one.e)
    else:
        w.set(_local(into), load("i64.load32_s", at + get(taken) * 4, 4))
    w.set(taken, get(taken) + 1)


def write_repeat(g: "RuleWriter", here: tree.Repeat) -> None:
    w = g.w
    first = len(g.frame.points)
    left = Local(I64, "left")
    if here.times is not None:
        g.keep(here, left=left)
    done, body = _write_body(g, here)
    times = here.times
    if times is not None:
        begin = g.fresh(here, lambda: w.set(left, g.number(times, g.scope).e))
        g.unless_resuming(first, begin)

    def count_down() -> None:
        if times is not None:
            w.br_if(done, binary("le_s", get(left), 0))
            w.set(left, get(left) - 1)
        g.charge(const(g.p.costs.turn_cost(here.body)))

    with w.block(label=done), w.loop("again") as again:
        g.unless_resuming(first, count_down)
        w.extend(body)
        w.br(again)


def _local(kept: Kept) -> Local:
    if kept.local is None:
        raise Unsupported("a loop over sets that a rule keeps")
    return kept.local

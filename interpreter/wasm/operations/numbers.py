"""Operations of logic, numbers and comparisons -> the code that computes them."""

from collections.abc import Callable

from attrs import evolve

from interpreter.wasm.emitter import EmitScope, Emitter, WasmValue, writer
from interpreter.wasm.encoding import I32
from interpreter.wasm.expressions import (
    E,
    Local,
    as_i64,
    binary,
    const,
    either,
    get,
    load,
    not_,
    select,
)
from interpreter.wasm.masks import has, is_some
from interpreter.wasm.memory import MOST_SMALL, NONE
from interpreter.wasm.program_analysis import Unsupported
from interpreter.wasm.statements import Body
from rulespec.core.tree import Op
from rulespec.core.types import LEAST, MOST

# ---- Logic ---------------------------------------------------------------------------------------


@writer("and", "or")
def _and_or(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    """One operand after the other; what a later one needs is computed only if it counts."""
    found = g.truth(op.operands[0], scope)
    for each in op.operands[1:]:
        with g.w.aside() as before:
            test = g.truth(each, scope)
        decided = const(int(op.name == "or"), I32)
        if not before:
            found = (
                either(found, test, decided) if op.name == "and" else either(found, decided, test)
            )
            continue
        kept = g.w.local(I32, op.name)
        g.w.set(kept, found)
        with g.w.when(get(kept) if op.name == "and" else not_(get(kept))):
            g.w.extend(before)
            g.w.set(kept, test)
        found = get(kept)
    return WasmValue("truth", (found,))


@writer("not")
def _not(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    return WasmValue("truth", (not_(g.truth(op.operands[0], scope)),))


def common_form(values: list[WasmValue]) -> str:
    """A form that values of several forms can have."""
    forms = {v.form for v in values}
    if len(forms) == 1 and not forms & {"pile", "subsets"}:
        return forms.pop()
    if forms <= {"number", "truth"}:
        return "number"
    if forms <= {"perhaps", "single"}:
        return "perhaps"
    if forms & {"sets", "family", "subsets"}:
        return "family" if forms <= {"subsets", "family"} else "sets"
    if forms <= {"small", "single", "perhaps"} and "small" in forms:
        return "small"
    if all(v.form == "small" or is_small(v.literal) for v in values):
        return "small"
    if {v.form for v in values if v.literal != ()} == {"mask"}:
        return "mask"
    return "list"


def is_small(members: tuple[int, ...] | None) -> bool:
    """Whether a known set is one of small numbers in their order."""
    return (
        members is not None
        and list(members) == sorted(set(members))
        and all(0 <= x < MOST_SMALL for x in members)
    )


def span(values: list[WasmValue]) -> tuple[int | None, int | None]:
    """The range of several numbers."""
    lows = [v.low for v in values if v.low is not None]
    highs = [v.high for v in values if v.high is not None]
    low = min(lows) if len(lows) == len(values) else None
    return low, max(highs) if len(highs) == len(values) else None


@writer("if")
def _if(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    is_known, value = g.p.facts.known(op.operands[0])
    if is_known:
        return g.value(op.operands[1 if value else 2], scope)
    test = g.truth(op.operands[0], scope)
    then, other = op.operands[1:]
    return choose_side(g, test, [lambda: g.value(then, scope), lambda: g.value(other, scope)])


def choose_side(g: Emitter, test: E, writes: list[Callable[[], WasmValue]]) -> WasmValue:
    """One of two values; only that one is computed."""
    befores, values = [], []
    for write in writes:
        with g.w.aside() as before:
            values.append(write())
        befores.append(before)
    form = common_form(values)
    if form == "row":
        raise Unsupported("a row of one table or another")
    low, high = span(values)
    turned = in_form(g, form, values, befores)
    sure = all(v.sure for v in turned)
    homes = {v.home for v in turned}
    home = homes.pop() if len(homes) == 1 else None
    made = WasmValue(
        form, (), low, high, sure, home=home, count=turned[0].count, type=turned[0].type
    )
    if form != "mask" and not any(befores):
        return evolve(made, lanes=(either(test, turned[0].e, turned[1].e),))
    kept = [g.w.local(e.type, "either") for e in turned[0].lanes]
    with g.w.when(test):
        g.w.extend(befores[0])
        _set_all(g, kept, turned[0])
    with g.w.otherwise():
        g.w.extend(befores[1])
        _set_all(g, kept, turned[1])
    return evolve(made, lanes=tuple(map(get, kept)))


def in_form(g: Emitter, form: str, values: list[WasmValue], befores: list[Body]) -> list[WasmValue]:
    """Values in one form; what that takes is done after what was written before each."""
    found = []
    for v, before in zip(values, befores, strict=True):
        with g.w.aside() as more:
            found.append(g.into(v, form))
        before.extend(more)
    return found


def _set_all(g: Emitter, kept: list[Local], v: WasmValue) -> None:
    for local, e in zip(kept, v.lanes, strict=True):
        g.w.set(local, e)


# ---- Numbers -------------------------------------------------------------------------------------

_CALCULATE: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "add": ("add", lambda a, b: a + b),
    "subtract": ("sub", lambda a, b: a - b),
    "times": ("mul", lambda a, b: a * b),
}


def outside(e: E) -> E:
    """Whether a number is no `Int`."""
    return binary("gt_u", e - LEAST, MOST - LEAST)


@writer("add", "subtract", "times")
def _calculated(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    a, b = g.number(op.operands[0], scope), g.number(op.operands[1], scope)
    kind, calculate = _CALCULATE[op.name]
    e = binary(kind, a.e, b.e)
    if a.low is not None and a.high is not None and b.low is not None and b.high is not None:
        ends = [calculate(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        if LEAST <= min(ends) <= max(ends) <= MOST:
            return WasmValue("number", (e,), min(ends), max(ends), sure=True)
    e = g.w.let(e)
    g.fault(outside(e))
    return WasmValue("number", (e,), sure=True)


@writer("divide", "modulo")
def _divided(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    a, b = g.simple(op.operands[0], scope).e, g.simple(op.operands[1], scope).e
    g.fault(binary("lt_s", b, 1))
    rest = g.w.let(binary("rem_s", a, b))
    below = binary("lt_s", rest, 0)
    if op.name == "divide":
        return WasmValue("number", (binary("div_s", a, b) - as_i64(below),), sure=True)
    return WasmValue("number", (rest + select(below, b, const(0)),), sure=True)


@writer("abs")
def _abs(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.simple(op.operands[0], scope).e
    e = g.w.let(select(binary("lt_s", v, 0), const(0) - v, v))
    g.fault(binary("gt_s", e, MOST))
    return WasmValue("number", (e,), sure=True)


@writer("min_of_two", "max_of_two")
def _of_two(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    a, b = g.simple(op.operands[0], scope), g.simple(op.operands[1], scope)
    low, high = span([a, b])
    # Of equal ones the first, as in the reference.
    test = binary("le_s" if op.name == "min_of_two" else "ge_s", a.e, b.e)
    return WasmValue("number", (select(test, a.e, b.e),), low, high, sure=True)


# ---- Comparisons ---------------------------------------------------------------------------------


@writer("equal", "same_set")
def _equal(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    inner = scope.in_order() if op.name == "equal" else scope.in_any_order()
    a, b = (g.value(each, inner) for each in op.operands)
    forms = {a.form, b.form}
    if forms <= {"number", "truth"}:
        if forms == {"truth"}:
            return WasmValue("truth", (a.e.eq(b.e),))
        return WasmValue("truth", (as_i64(a.e).eq(as_i64(b.e)),))
    if forms <= {"single", "perhaps"}:
        return WasmValue("truth", (a.e.eq(b.e),))
    if "mask" in forms and op.name == "same_set":
        pairs = zip(g.as_mask(a), g.as_mask(b), strict=True)
        return WasmValue("truth", (not_(is_some(tuple(x ^ y for x, y in pairs))),))
    if "small" in forms and "pile" not in forms:
        return WasmValue("truth", (g.as_small(a).e.eq(g.as_small(b).e),))
    name = "same_list" if op.name == "equal" else "same_set"
    return WasmValue("truth", (g.call(name, g.as_list(a).e, g.as_list(b).e),))


@writer("is_none")
def _is_none(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.value(op.operands[0], scope.in_order())
    match v.form:
        case "number" | "perhaps" | "small":
            return WasmValue("truth", (v.e.eq(NONE),))
        case "list" if v.literal is None:
            return WasmValue("truth", (binary("lt_s", load("i32.load", v.e), 0),))
    return WasmValue("truth", (const(0, I32),))


@writer("empty")
def _empty(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    return WasmValue("truth", (not_(some(g, op.operands[0], scope)),))


def some(g: Emitter, op: Op, scope: EmitScope) -> E:
    """Whether a set has an element."""
    return g.some(g.value(op, scope.in_any_order()))


_SIGNS = {"less": "lt_s", "at_most": "le_s", "greater": "gt_s", "at_least": "ge_s"}


@writer("less", "at_most", "greater", "at_least")
def _ordered(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    left, right = op.operands
    if op.name == "greater" and g.p.facts.known(right) == (True, 0):
        if left.name == "count":
            return WasmValue("truth", (some(g, left.operands[0], scope),))
        if left.name == "count_family":
            v = g.value(left.operands[0], scope)
            if v.form != "sets":
                return WasmValue("truth", (g.call("has_member", g.as_family(v).e),))
    a, b = g.number(left, scope).e, g.number(right, scope).e
    ranks = g.p.ranks(op.order)
    if ranks is not None:
        a, b = g.p.rank_of(g, ranks, a), g.p.rank_of(g, ranks, b)
    return WasmValue("truth", (binary(_SIGNS[op.name], a, b),))


@writer("in")
def _in(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    subject, values = op.operands
    no = const(0, I32)
    if values.name == "numbers" and not g.p.facts.known(values)[0]:
        e = g.simple(subject, scope).e
        low, high = (g.simple(each, scope).e for each in values.operands)
        inside = either(binary("le_s", low, e), binary("le_s", e, high), no)
        return WasmValue("truth", (either(e.ne(NONE), inside, no),))
    left, right = g.simple(subject, scope), g.value(values, scope.in_any_order())
    if right.form == "small" or is_small(right.literal):
        return WasmValue("truth", (g.call("small_has", g.as_small(right).e, left.e),))
    if right.form in ("mask", "pile"):
        inside = has(tuple(map(g.w.let, g.as_mask(right))), left.e)
        return WasmValue("truth", (inside if left.sure else either(left.e.ne(NONE), inside, no),))
    if right.form in ("single", "perhaps"):
        return WasmValue("truth", (either(left.e.ne(NONE), left.e.eq(right.e), no),))
    return WasmValue("truth", (g.call("holds", g.as_list(right).e, left.e),))

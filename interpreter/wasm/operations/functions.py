"""Calls of a `let`, and outputs of tables -> code, inlined if it is small, or data for a table of constants."""

from typing import Any, TypeAlias

from attrs import evolve

from interpreter.wasm.emitter import EmitScope, Emitter, StaticZone, WasmValue, writer
from interpreter.wasm.encoding import I32
from interpreter.wasm.expressions import E, Local, as_i32, binary, const, either, get
from interpreter.wasm.masks import has
from interpreter.wasm.memory import NONE
from interpreter.wasm.operations.numbers import common_form, in_form, span
from interpreter.wasm.program_analysis import Unsupported
from interpreter.wasm.statements import Fn, Return
from rulespec.core.tree import Function, Op, Pattern, walk_operations

MOST_INLINE = 8  # the most operations of a function to inline
MOST_ENTRIES = 300  # of a table that becomes data
PASSED = frozenset(
    ("number", "single", "perhaps", "mask", "look", "small", "list", "sets", "family", "zones", "indexed")
)  # fmt: skip
ADDRESSES = frozenset(("list", "sets", "family"))


@writer("row")
def _row(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    arguments = tuple(g.lets(g.value(each, scope.in_order())) for each in op.operands)
    return WasmValue("row", (), key=op.word, arguments=arguments)


@writer("output")
def _output(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    row = g.value(op.operands[0], scope)
    if row.form != "row":
        raise Unsupported("a row of a table that is not known here", op.span)
    return call_function(g, f"{row.key}.{op.word}", row.arguments, scope)


@writer("output_at")
def _output_at(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    """The output that a member names: each is looked up only if it is the one."""
    row, chosen = g.value(op.operands[0], scope), g.simple(op.operands[1], scope)
    if row.form != "row":
        raise Unsupported("a row of a table that is not known here", op.span)
    values, befores = [], []
    for name in op.words:
        with g.w.aside() as before:
            values.append(call_function(g, f"{row.key}.{name}", row.arguments, scope.in_order()))
        befores.append(before)
    form = common_form(values)
    if form == "mask":
        form = "list"
    turned = in_form(g, form, values, befores)
    kept = g.w.local(turned[0].e.type, "output")
    with g.w.block("found") as found:
        for member, v, before in zip(op.numbers, turned, befores, strict=True):
            with g.w.when(chosen.e.eq(member)):
                g.w.extend(before)
                g.w.set(kept, v.e)
                g.w.br(found)
        g.w.trap()
    low, high = span(values)
    return WasmValue(form, (get(kept),), low, high, all(v.sure for v in values))


@writer("call")
def _call(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    looked_up = _look_up(g, op, scope)
    if looked_up is not None:
        return looked_up
    arguments = tuple(g.lets(g.value(each, scope.in_order())) for each in op.operands)
    return call_function(g, op.word, arguments, scope)


def call_function(
    g: Emitter, key: str, arguments: tuple[WasmValue, ...], scope: EmitScope
) -> WasmValue:
    """The value of a function; small ones are written where they are called."""
    fn = g.p.code.functions[key]
    given = [_passable(g, v) for v in arguments]
    can_pass = all(v.form in PASSED for v in given)
    if not fn.inputs:
        cell = fn.rows[0].cell
        if not can_pass or sum(1 for _ in walk_operations(cell)) <= MOST_INLINE:
            inner = EmitScope(dict(enumerate(given)), ordered=scope.ordered)
            return g.typed(g.value(cell, inner), fn.type)
    if not can_pass:
        raise Unsupported(f"{key} of a row of a table")
    kinds = tuple(
        (v.form, v.low, v.high, v.sure, v.zone is not None and v.zone.is_pool, v.count, v.type)
        for v in given
    )
    if (key, kinds) not in g.p.functions:
        g.p.functions[key, kinds] = _write(g, fn, given)
    made, result = g.p.functions[key, kinds]
    found = g.w.call(made, [g.s, *(e for v in given for e in _lanes(v))])
    if result.form in ADDRESSES:
        g.allocates = True
    return g.typed(evolve(result, lanes=tuple(found)), fn.type)


def _passable(g: Emitter, v: WasmValue) -> WasmValue:
    match v.form:
        case "truth":
            return g.lets(g.into(v, "number"))
        case "pile":
            return g.lets(g.as_list(v))
        case "subsets":
            return g.lets(g.as_family(v))
    return v


def _lanes(v: WasmValue) -> tuple[E, ...]:
    return (*v.lanes, *((v.zone.address,) if v.zone else ()))


def _write(g: Emitter, fn: Function, arguments: list[WasmValue]) -> tuple[Fn, WasmValue]:
    """A function for arguments in these forms, and what its value is like."""
    made = Fn(f"let {fn.name}", [Local(I32, "s")], [])
    made_params = made.params
    slots: dict[int, WasmValue] = {}
    for n, v in enumerate(arguments):
        locals_ = [Local(e.type, f"a{n}") for e in v.lanes]
        made_params += locals_
        zone = None
        if v.zone is not None:
            made_params.append(Local(I32, f"z{n}"))
            zone = StaticZone(get(locals_[0]), get(made_params[-1]), v.zone.is_pool)
        lanes = tuple(map(get, locals_))
        slots[n] = WasmValue(
            v.form, lanes, v.low, v.high, v.sure, zone=zone, count=v.count, type=v.type
        )
    inner, scope = Emitter(g.p, made), EmitScope(slots)
    inner.w.note(g.p.line(fn.origin.span))
    kept = Local(I32, "sp")
    with inner.w.aside() as body:
        result = _rows(inner, fn, scope, kept) if fn.inputs else _cell(inner, fn, scope, kept)
    if _forgets(inner, result.form):
        inner.w.set(kept, g.p.arena_top())
    inner.w.extend(body)
    made.results.extend(e.type for e in result.lanes)
    return made, WasmValue(
        result.form, result.lanes, result.low, result.high, result.sure, count=result.count
    )


def _cell(g: Emitter, fn: Function, scope: EmitScope, kept: Local) -> WasmValue:
    with g.w.aside() as inside:
        result = _settled(g, g.value(fn.rows[0].cell, scope))
    _give(g, [(None, inside, result)], result.form, kept)
    return result


def _settled(g: Emitter, v: WasmValue) -> WasmValue:
    """A value in a form that a function can give back."""
    match v.form:
        case "truth":
            return g.into(v, "number")
        case "pile":
            return g.as_list(v)
        case "subsets":
            return g.as_family(v)
        case "row" | "indexed":
            raise Unsupported("a function that gives a row of a table")
    return v


Cell: TypeAlias = tuple[E | None, list[Any], WasmValue]


def _forgets(g: Emitter, form: str) -> bool:
    """Whether what was made for a value can be forgotten once it is there."""
    return g.allocates and form not in ADDRESSES


def _give(g: Emitter, cells: list[Cell], form: str, kept: Local) -> None:
    """Give back the first value whose test holds; `kept` is where the arena began."""

    def give(before: list[Any], v: WasmValue) -> None:
        g.w.extend(before)
        lanes = v.lanes
        if _forgets(g, form):
            lanes = tuple(map(g.w.let, lanes))
            g.p.set_arena(g.w, get(kept))
        g.w.add(Return(lanes))  # the results are known once all cells are

    for test, before, v in cells:
        if test is None:
            give(before, v)
        else:
            with g.w.when(test):
                give(before, v)


def _rows(g: Emitter, fn: Function, scope: EmitScope, kept: Local) -> WasmValue:
    """The rows of a table in their order; the first that accepts the inputs counts."""
    asked = {n for row in fn.rows for n, pattern in enumerate(row.patterns) if pattern.how != "any"}
    if g.p.facts.may_fail(*fn.inputs):
        asked = set(range(len(fn.inputs)))
    inputs = [g.simple(each, scope) if n in asked else None for n, each in enumerate(fn.inputs)]
    values, befores, tests = [], [], []
    for row in fn.rows:
        with g.w.aside() as before:
            v = _settled(g, g.value(row.cell, scope))
        tests.append(row_test(g, row.patterns, inputs))
        values.append(v)
        befores.append(before)
        if tests[-1].op == "const" and tests[-1].value:
            break
    form = common_form(values)
    turned = in_form(g, form, values, befores)
    _give(g, [*zip(tests, befores, turned, strict=True)], form, kept)
    g.w.trap()
    low, high = span(values)
    return WasmValue(form, turned[0].lanes, low, high, all(v.sure for v in values))


# ---- Tables that become data ---------------------------------------------------------------------


def _look_up(g: Emitter, op: Op, scope: EmitScope) -> WasmValue | None:
    """A table of one small number with known cells: a load."""
    fn = g.p.code.functions[op.word]
    if len(fn.inputs) != 1 or fn.inputs[0].name != "slot" or len(op.operands) != 1:
        return None
    with g.w.aside() as before:
        v = g.value(op.operands[0], scope.in_order())
    if v.form != "number" or not v.sure or v.low is None or v.high is None:
        return None
    if v.high - v.low > MOST_ENTRIES:
        return None
    cells = _cells(g, fn, range(v.low, v.high + 1))
    if cells is None:
        return None
    g.w.extend(before)
    values = [each for each in cells if each is not None]
    is_sure = len(values) == len(cells)
    low, high = (min(values), max(values)) if is_sure else (None, None)
    e = g.table(cells, as_i32(v.e - v.low))
    return g.typed(WasmValue("number", (e,), low, high, is_sure), fn.type)


def _cells(g: Emitter, fn: Function, numbers: range) -> list[int | None] | None:
    found: list[int | None] = []
    for n in numbers:
        row = next((row for row in fn.rows if pattern_accepts(row.patterns[0], n)), None)
        is_known, cell = (False, None) if row is None else g.p.facts.known(row.cell)
        if not is_known or not (cell is None or isinstance(cell, int)):
            return None
        found.append(None if cell is None else int(cell))
    return found


def pattern_accepts(pattern: Pattern, n: int) -> bool:
    """Whether a pattern accepts a number, which is no piece."""
    match pattern.how:
        case "values":
            return n in pattern.values
        case "numbers":
            low, high = pattern.values
            return (low is None or low <= n) and (high is None or n <= high)
        case "alternatives":
            return any(pattern_accepts(each, n) for each in pattern.values)
    return pattern.how == "any"


# ---- Patterns ------------------------------------------------------------------------------------


def row_test(g: Emitter, patterns: tuple[Pattern, ...], inputs: list[WasmValue | None]) -> E:
    """Whether a row of a table accepts its inputs."""
    found = const(1, I32)
    for pattern, v in zip(patterns, inputs, strict=True):
        if pattern.how != "any" and v is not None:
            found = either(found, _test(g, pattern, v), const(0, I32))
    return found


def _test(g: Emitter, pattern: Pattern, v: WasmValue) -> E:
    e = v.e
    match pattern.how:
        case "values":
            tests = [e.eq(NONE if x is None else int(x)) for x in pattern.values]
        case "numbers":
            return _in_range(e, *pattern.values)
        case "kinds":
            inside = has(g.p.unit.mask(g.p.facts.of_kinds(pattern.values)), e)
            return either(e.ne(NONE), inside, const(0, I32))
        case "alternatives":
            tests = [_test(g, each, v) for each in pattern.values]
        case "any":
            return const(1, I32)
    found = tests[0] if tests else const(0, I32)
    for each in tests[1:]:
        found = found | each
    return found


def _in_range(e: E, low: int | None, high: int | None) -> E:
    if low is not None and high is not None:
        return e.eq(low) if low == high else binary("le_u", e - low, high - low)
    if low is not None:
        return binary("ge_s", e, low)
    if high is None:
        return e.ne(NONE)
    return either(e.ne(NONE), binary("le_s", e, high), const(0, I32))

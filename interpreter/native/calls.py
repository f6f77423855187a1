"""Functions of the program -> functions of C, one for each form in which they are given sets.

A table of values that depends on one small number becomes an array; else its rows are tests in their order.
"""

import re

from attrs import evolve

from interpreter.compiled.calls import _accepts as accepts
from interpreter.compiled.writing import Unsupported
from interpreter.native.scribe import Scribe, as_common, as_list, into_form, named, of_type
from interpreter.native.writing import TYPES, Lines, Scope, Text, remark
from rulespec.core.tree import Function, Op, Pattern

MOST_INLINE = 8  # operations of a function that is written where it is called
MOST_ENTRIES = 300  # of a table that is written as an array
_PARAMETERS = {
    "list": "const list *",
    "pile": "const pile *",
    "family": "const family *",
    "mask": "mask ",
}


def call(w: Scribe, key: str, given: tuple[Op, ...], scope: Scope) -> Text:
    """A call of a `let` or of an output of a table."""
    fn = w.code.functions[key]
    looked_up = _look_up(w, fn, given, scope)
    if looked_up is not None:
        return looked_up
    arguments = [named(w.text(each, scope), scope, "a") for each in given]
    forms = tuple((each.form, each.order) for each in arguments)
    if not fn.inputs and (_is_small(fn) or not all(form in _FORMS for form, _ in forms)):
        return _inside(w, fn, arguments, scope)
    found = w.functions.get((key, forms)) or _write(w, fn, forms)
    w.functions[key, forms] = found
    if found.form not in TYPES:
        return _inside(w, fn, arguments, scope)
    code = f"{found.code}({', '.join(['s', *map(_pass, arguments)])})"
    home = _home(w, found.home, arguments)
    if found.form in ("list", "family"):
        return Text(scope.out.declare(found.form, "l", code), found.form, home=home)
    return evolve(found, code=code, home=home)


def _home(w: Scribe, home: str | None, arguments: list[Text]) -> str | None:
    """The zone in which all pieces of a value lie, as whoever calls writes it."""
    if home is None:
        return None
    given = {f"a{n}": each.code for n, each in enumerate(arguments) if each.form == "number"}
    known = {*given, *w.zone_names.values(), "at", "s"}
    if not {*re.findall(r"[A-Za-z_]\w*", home)} <= known:
        return None
    return re.sub(r"\ba\d+\b", lambda name: given[name[0]], home)


_POINTED = ("list", "pile", "family")
_FORMS = ("number", "single", "perhaps", "mask", "list", "pile", "family")


def _pass(text: Text) -> str:
    return f"&{text.code}" if text.form in _POINTED else text.code


def _is_small(fn: Function) -> bool:
    waiting: list[object] = [fn.rows[0].cell]
    count = 0
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting.extend(each)
        elif isinstance(each, Op):
            count += 1
            waiting.extend(each.args)
    return count <= MOST_INLINE


def _inside(w: Scribe, fn: Function, arguments: list[Text], scope: Scope) -> Text:
    """The value of a `let`, written where it is called."""
    if fn.inputs:
        raise Unsupported("a table of families")
    inner = Scope(scope.out, dict(enumerate(arguments)), ordered=scope.ordered)
    return of_type(w.text(fn.rows[0].cell, inner), fn.type, w.layout)


def _look_up(w: Scribe, fn: Function, given: tuple[Op, ...], scope: Scope) -> Text | None:
    """A table of one small number as data."""
    if len(fn.inputs) != 1 or fn.inputs[0] != Op("slot", place=0) or len(given) != 1:
        return None
    bounds = given[0] if given[0].name == "within" else None
    aside = scope.aside()
    value = w.text(given[0] if bounds is None else bounds.args[0], aside)
    low, high = (value.low, value.high) if bounds is None else bounds.args[1:]
    if value.form != "number" or low is None or high is None or high - low > MOST_ENTRIES:
        return None
    cells: list[int | None] = []
    for n in range(low, high + 1):
        row = next((row for row in fn.rows if accepts(row.patterns[0], n)), None)
        is_known, cell = (False, None) if row is None else w.known(row.cell)
        if not is_known or not (cell is None or isinstance(cell, int)):
            return None
        cells.append(cell)
    scope.out.take(aside.out)
    values = [each for each in cells if each is not None]
    least, most = (min(values), max(values)) if len(values) == len(cells) else (None, None)
    table = w.numbers(fn.name.upper(), cells)
    place = w.index(f"{value.code} - {low}" if low else value.code, len(cells))
    return Text(f"{table}[{place}]", low=least, high=most)


# ---- Functions -----------------------------------------------------------------------------------


def _write(w: Scribe, fn: Function, forms: tuple[tuple[str, str | None], ...]) -> Text:
    """Write a function for arguments in these forms; its name, and what its value is like."""
    name = w.names.make(f"let_{fn.name}")
    params, slots = ["state *s"], {}
    for n, (form, order) in enumerate(forms):
        params.append(f"{_PARAMETERS.get(form, 'num ')}a{n}")
        code = f"(*a{n})" if form in _POINTED else f"a{n}"
        slots[n] = Text(code, form, order=order)
    out = Lines(depth=1)
    scope = Scope(out, slots)
    result = _write_rows(w, fn, scope) if fn.inputs else _write_cell(w, fn, scope)
    if result.form not in TYPES:
        return result
    head = f"static {TYPES[result.form]} {name}({', '.join(params)})"
    w.heads.add(f"{head};")
    w.done.add(remark(fn.name))
    with w.done.block(head):
        w.done.lines += out.lines
    w.done.add("")
    return of_type(evolve(result, code=name), fn.type, w.layout)


def _write_cell(w: Scribe, fn: Function, scope: Scope) -> Text:
    body = w.text(fn.rows[0].cell, scope)
    if body.form == "pile":
        body = as_list(body, scope)
    if body.form == "subsets":
        body = into_form(w, body, "family", scope)
    scope.out.add(f"return {body.code};")
    return evolve(body, constant=False, value=None)


def _write_rows(w: Scribe, fn: Function, scope: Scope) -> Text:
    """The rows of a table in their order; an input is computed when the first row asks for it."""
    out = scope.out
    asides = [scope.aside() for _ in fn.rows]
    cells = [w.text(row.cell, aside) for row, aside in zip(fn.rows, asides, strict=True)]
    form = as_common(cells)
    if form not in TYPES:
        raise Unsupported(f"a table of {form}")
    cells = [into_form(w, cell, form, aside) for cell, aside in zip(cells, asides, strict=True)]
    names: list[Text | None] = [None for _ in fn.inputs]
    asked = set(range(len(fn.inputs))) if w.may_fail(*fn.inputs) else set()
    for row, cell, aside in zip(fn.rows, cells, asides, strict=True):
        asked |= {n for n, pattern in enumerate(row.patterns) if pattern.how != "any"}
        for n in sorted(asked):
            if names[n] is None:
                names[n] = named(w.number(fn.inputs[n], scope), scope, "i")
        test = row_test(w, row.patterns, names)
        if not aside.out.lines:
            out.add(f"if ({test}) return {cell.code};" if test else f"return {cell.code};")
        else:
            with out.block(f"if ({test})" if test else ""):
                out.take(aside.out)
                out.add(f"return {cell.code};")
        if not test:
            break
    else:
        out.add("leave(s, FAULT_ROW);")
    homes = {each.home for each in cells}
    return Text("", form, home=homes.pop() if len(homes) == 1 else None)


def row_test(w: Scribe, patterns: tuple[Pattern, ...], inputs: list[Text | None]) -> str:
    """Whether a row of a table accepts its inputs; empty if it always does."""
    tests = [
        _test(w, pattern, text.code)
        for pattern, text in zip(patterns, inputs, strict=True)
        if pattern.how != "any" and text is not None
    ]
    return " && ".join(tests)


def _test(w: Scribe, pattern: Pattern, code: str) -> str:
    match pattern.how:
        case "values":
            tests = [f"{code} == {'NONE' if v is None else int(v)}" for v in pattern.values]
            return tests[0] if len(tests) == 1 else f"({' || '.join(tests)})"
        case "numbers":
            low, high = pattern.values
            if low == high and low is not None:
                return f"{code} == {low}"
            tests = [f"{code} != NONE" if low is None else f"{code} >= {low}"]
            tests += [f"{code} <= {high}"] if high is not None else []
            return " && ".join(tests) if len(tests) == 1 else f"({' && '.join(tests)})"
        case "kinds":
            kinds = frozenset(pattern.values)
            fitting = sum(1 << n for n, each in enumerate(w.layout.pieces) if each.kind in kinds)
            return f"has({w.constant(fitting)}, {code})"
        case "alternatives":
            return f"({' || '.join(_test(w, each, code) for each in pattern.values)})"
        case _:
            return "1"

"""Functions of the program, written once for each form in which they are given sets of pieces.

A table of values becomes a tuple where its input is a small number and its cells are known, else a chain of
tests; its rows are tried in their order.
"""

import re

from attrs import evolve

from interpreter.compiled.scribe import Scope, Scribe, as_listing, as_plain
from interpreter.compiled.support import Bounded
from interpreter.compiled.writing import Text
from interpreter.reading import operations
from rulespec.core.operations import ABOUT_ROWS, ABOUT_ZONES, VARYING
from rulespec.core.tree import Function, Op, Pattern

MOST_INLINE = 120  # characters of a function that is written where it is called
MOST_ENTRIES = 300  # of a table that is written as a tuple
MOST_ROWS, MOST_EXPRESSION = 4, 300  # rows, and characters, of one that is written as an expression
NONE, SOME = (0, 0), (1, None)  # what a key accepts that asks whether there is anything


def call(w: Scribe, key: str, given: tuple[Op, ...], scope: Scope) -> Text:
    """A call of a `let` or of an output of a table."""
    fn = w.code.functions[key]
    looked_up = _look_up(w, fn, given, scope)
    if looked_up is not None:
        return looked_up
    arguments = [_argument(w.text(each, scope)) for each in given]
    if not fn.inputs and all(each.is_cheap for each in arguments):
        inside = Scope(dict(enumerate(arguments)), ordered=scope.ordered, depth=scope.depth)
        body = w.text(fn.rows[0].cell, inside)
        if len(body.code) <= MOST_INLINE:
            return w.typed(body, fn.type)
    if fn.inputs and all(each.is_cheap for each in arguments):
        inside = Scope(dict(enumerate(arguments)), ordered=scope.ordered, depth=scope.depth)
        written_out = _choose_cell(w, fn, inside)
        if written_out is not None:
            return w.typed(written_out, fn.type)
    forms = tuple(each.form for each in arguments)
    found = w.functions.get((key, forms))
    if found is None:
        found = _write(w, fn, forms)
        w.functions[key, forms] = found
    code = _remembered(w, fn, found.code, arguments)
    if code is None:
        code = f"{found.code}({', '.join(['s', *(each.code for each in arguments)])})"
    return evolve(found, code=code, home=_home(found.home, arguments))


def _choose_cell(w: Scribe, fn: Function, scope: Scope) -> Text | None:
    """A table as one expression, if all that its keys ask is whether sets are empty."""
    if w.may_fail(*fn.inputs, *(row.cell for row in fn.rows)) or len(fn.rows) > MOST_ROWS:
        return None
    if not all(each.name == "count" for each in fn.inputs):
        return None
    cells = [as_plain(w.text(row.cell, scope)) for row in fn.rows]
    sets = [as_listing(w.several(each.args[0], scope.loosely()).code) for each in fn.inputs]
    code = ""
    yes: set[str] = set()
    truth: list[str] = []  # of the rows so far, as long as all of them say yes
    empty: set[int] = set()  # what is known to be empty, as an earlier row did not match
    for row, cell in zip(fn.rows, cells, strict=True):
        asked = [(n, each) for n, each in enumerate(row.patterns) if each.how != "any"]
        if any(each.how != "numbers" or each.values not in (NONE, SOME) for _, each in asked):
            return None
        if any(each.values == SOME and n in empty for n, each in asked):
            continue
        open_ = [(n, each.values == SOME) for n, each in asked if n not in empty]
        tests = [sets[n] if some else f"not {sets[n]}" for n, some in open_]
        tests.sort(key=lambda test: " for " in test)  # what takes longer is asked last
        if not tests:
            found = f"({code}{cell.code})"
            if len(found) > MOST_EXPRESSION:
                return None
            is_any = cell.code == "False" and cells[0].code == "True" and len(yes) == 1
            return Text(found, truth=f"({' or '.join(truth)})" if is_any else None)
        code += f"{cell.code} if {' and '.join(tests)} else "
        truth.append(" and ".join(tests))
        yes.add(cell.code)
        if len(open_) == 1 and open_[0][1]:
            empty.add(open_[0][0])
    return None


# What a function may not look at if its values are to be remembered: it depends on parameters and variables alone.
_PASSING = ABOUT_ZONES | ABOUT_ROWS | VARYING - {"slot", "bound", "variable"}
MOST_VARIABLES = 2


def _remembered(w: Scribe, fn: Function, name: str, arguments: list[Text]) -> str | None:
    """A function that depends on few values is computed once for each, and looked up from then on."""
    if not fn.inputs or not arguments or any(each.form != "plain" for each in arguments):
        return None
    key = f"remembered {name}", ()
    if key not in w.functions:
        places = _places_read(w, fn)
        w.functions[key] = Text("")
        if places is not None:
            table = w.names.make(f"{fn.name}_of".upper())
            w.functions[key] = Text(table + "".join(f"[s[{place}]]" for place in places))
            each = "".join(f"{place}, " for place in places)
            w.done.add(f"{table} = Remembered({name}, ({each}), {fn.params})", "", "")
    table = w.functions[key].code
    return table + "".join(f"[{each.code}]" for each in arguments) if table else None


def _places_read(w: Scribe, fn: Function) -> list[str] | None:
    """The variables on which the value of a function depends; nothing if it depends on more than a few."""
    found: set[str] = set()
    for op in operations(w.code, *fn.inputs, *(row.cell for row in fn.rows)):
        if op.name in _PASSING or (op.name == "variable" and op.args[1]):
            return None
        if op.name == "variable":
            found.add(w.variable_names[op.args[0]])
    return sorted(found) if len(found) <= MOST_VARIABLES else None


def _home(home: str | None, arguments: list[Text]) -> str | None:
    """The zone in which all pieces of a value lie, as whoever calls writes it."""
    if home is None:
        return None
    for n, each in enumerate(arguments):
        if re.search(rf"\ba{n}\b", home):
            if not each.is_cheap:
                return None
            home = re.sub(rf"\ba{n}\b", each.code.replace("\\", ""), home)
    return home


def _argument(text: Text) -> Text:
    return text if text.form in ("mask", "bytes") else as_plain(text)


def _look_up(w: Scribe, fn: Function, given: tuple[Op, ...], scope: Scope) -> Text | None:
    """A table of one small number as data."""
    if len(fn.inputs) != 1 or fn.inputs[0] != Op("slot", place=0) or len(given) != 1:
        return None
    bounds = given[0] if given[0].name == "within" else None
    number = given[0] if bounds is None else bounds.args[0]
    value = w.text(number, scope)
    if w.may_be_none(number, value):
        return None
    low, high = (value.low, value.high) if bounds is None else bounds.args[1:]
    if value.form != "plain" or low is None or high is None or high - low > MOST_ENTRIES:
        return None
    table = {}
    for n in range(low, high + 1):
        row = next((row for row in fn.rows if _accepts(row.patterns[0], n)), None)
        is_known, cell = (False, None) if row is None else w.known(row.cell)
        if not is_known:
            return None
        table[n] = cell
    cells = table.values()
    numbers = [each for each in cells if isinstance(each, int)]
    least, most = (min(numbers), max(numbers)) if len(numbers) == len(table) else (None, None)
    if bounds is None and low == 0:
        name = w.pool.keep(fn.name.upper(), tuple(cells))
    elif bounds is None:
        name = w.pool.keep(fn.name.upper(), table)
    else:
        name = w.pool.keep(fn.name.upper(), Bounded(table, low, high, bounds))
    return Text(f"{name}[{value.code}]", low=least, high=most)


def _accepts(pattern: Pattern, value: int) -> bool:
    match pattern.how:
        case "any":
            return True
        case "values":
            return value in pattern.values
        case "numbers":
            low, high = pattern.values
            return (low is None or low <= value) and (high is None or value <= high)
        case "alternatives":
            return any(_accepts(each, value) for each in pattern.values)
        case _:
            return False


def _write(w: Scribe, fn: Function, forms: tuple[str, ...]) -> Text:
    """Write a function for arguments in these forms; its name, and what its value is like."""
    name = w.names.make(fn.name)
    params = [f"a{n}" for n in range(fn.params)]
    scope = Scope(
        {n: Text(each, form) for n, (each, form) in enumerate(zip(params, forms, strict=True))}
    )
    if not fn.inputs:
        body = w.text(fn.rows[0].cell, scope)
        body = body if body.form in ("mask", "bytes") or body.order else as_plain(body)
        w.done.add(f"def {name}({', '.join(['s', *params])}):", f"    return {body.code}", "", "")
        return w.typed(evolve(body, code=name), fn.type)
    inputs = [as_plain(w.text(each, scope)) for each in fn.inputs]
    cells = [w.text(row.cell, scope) for row in fn.rows]
    form = cells[0].form if len({each.form for each in cells}) == 1 else "plain"
    if form not in ("mask", "bytes"):
        cells, form = [as_plain(each) for each in cells], "plain"
    homes = {each.home for each in cells}
    out = w.done
    with out.block(f"def {name}({', '.join(['s', *params])}):"):
        if _write_rows(w, fn, inputs, [each.code for each in cells]):
            out.add(f"no_row({fn.name!r})")
    out.add("", "")
    return w.typed(Text(name, form, home=homes.pop() if len(homes) == 1 else None), fn.type)


def _write_rows(w: Scribe, fn: Function, inputs: list[Text], cells: list[str]) -> bool:
    """The rows of a table in their order; whether it may be that none matches.

    An input is computed when the first row asks for it: most often an early one matches.
    """
    out = w.done
    names: list[Text | None] = [each if each.code.isidentifier() else None for each in inputs]
    asked = set(range(len(inputs))) if w.may_fail(*fn.inputs) else set()
    for row, cell in zip(fn.rows, cells, strict=True):
        asked |= {n for n, pattern in enumerate(row.patterns) if pattern.how != "any"}
        for n in sorted(asked):
            if names[n] is None:
                out.add(f"i{n} = {inputs[n].code}")
                names[n] = evolve(inputs[n], code=f"i{n}")
        test = row_test(w, row.patterns, [each or Text("") for each in names])
        if test == "True":
            out.add(f"return {cell}")
            return False
        out.add(f"if {test}: return {cell}")
    return True


def row_test(w: Scribe, patterns: tuple[Pattern, ...], inputs: list[Text]) -> str:
    """Whether a row of a table accepts its inputs."""
    tests = [
        _test(w, pattern, text)
        for pattern, text in zip(patterns, inputs, strict=True)
        if pattern.how != "any"
    ]
    return " and ".join(tests) or "True"


def _test(w: Scribe, pattern: Pattern, text: Text) -> str:
    code = text.code
    match pattern.how:
        case "values":
            if len(pattern.values) == 1:
                (only,) = pattern.values
                if isinstance(only, bool) and text.code.startswith("i"):
                    return code if only else f"not {code}"
                return f"{code} is None" if only is None else f"{code} == {only!r}"
            return f"{code} in {w.pool.constant(pattern.values)}"
        case "numbers":
            low, high = pattern.values
            if low == high and low is not None:
                return f"{code} == {low}"
            tests = [f"{code} >= {low}"] if low is not None else []
            tests += [f"{code} <= {high}"] if high is not None else []
            if text.low is None:
                tests.insert(0, f"{code} is not None")
            return f"({' and '.join(tests or ['True'])})"
        case "kinds":
            kinds = frozenset(pattern.values)
            fitting = sum(1 << n for n, each in enumerate(w.layout.pieces) if each.kind in kinds)
            return f"has({w.pool.constant(fitting)}, {code})"
        case "alternatives":
            return f"({' or '.join(_test(w, each, text) for each in pattern.values)})"
        case _:
            return "True"

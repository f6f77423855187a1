"""Variables and their new values -> code that assigns them: one variable, or all variables of a rule at once."""

from typing import Any

from interpreter.wasm.emitter import EmitScope, Emitter, WasmValue
from interpreter.wasm.expressions import E, const, load
from interpreter.wasm.memory import form_of
from interpreter.wasm.recording import record
from interpreter.wasm.watching import before_variable, write_setting


def put_value(g: Emitter, address: E, offset: int, form: str, value: WasmValue) -> None:
    """Store a value at an address and an offset."""
    value = g.into(value, form)
    if form == "list":
        g.run("copy_list", address + offset, value.e)
    else:
        g.w.store("i64.store", address, value.e, offset)


def put_variable(g: Emitter, n: int, value: WasmValue) -> None:
    """Assign a value to the variable with this number."""
    layout = g.p.layout
    row = layout.variables[n][0]
    offset, size = g.p.state.variables[row.name]
    at = offset + (n - layout.variable_families[row.name].base) * size
    put_value(g, g.s, at, form_of(row.type, layout), value)


def _variable(g: Emitter, n: int) -> WasmValue:
    """The value of the variable with this number, as stored in the state."""
    layout = g.p.layout
    row = layout.variables[n][0]
    offset, size = g.p.state.variables[row.name]
    at = offset + (n - layout.variable_families[row.name].base) * size
    return kept_value(g.s, at, form_of(row.type, layout))


def kept_value(address: E, offset: int, form: str) -> WasmValue:
    """A value that lies in memory, in the form of a variable."""
    if form in ("number", "small"):
        return WasmValue(form, (load("i64.load", address, offset),))
    return WasmValue(form, (address + offset,))


def reset_variables(g: Emitter, rule: str, block: str, statement: int) -> None:
    """Reset all variables of a rule at once; `statement` is the number of the statement that does so, or -1."""
    layout = g.p.layout
    numbers = layout.resets.get(rule, ())
    values: list[Any] = []
    for n in numbers:
        row = layout.variables[n][0]
        values.append(g.lets(g.into(g.value(row.start, EmitScope()), form_of(row.type, layout))))
    before = [before_variable(g, _variable(g, n), layout.variables[n][0].type) for n in numbers]
    for n, value in zip(numbers, values, strict=True):
        put_variable(g, n, value)
    for n, old, value in zip(numbers, before, values, strict=True):
        type_ = layout.variables[n][0].type
        write_setting(g, const(n), old, value, type_)
        record(g, "set", block, statement, (WasmValue("number", (const(n),)), None), (value, type_))

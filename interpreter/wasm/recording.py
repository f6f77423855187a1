"""A statement and its values -> code that records what happens, in modules that are made to record.

A record is the number of its kind of fact, and then values: a number is a word, a list its length and its elements.
`observing` reads them.
"""

from attrs import frozen

from interpreter.wasm.emitter import Emitter, WasmValue
from interpreter.wasm.encoding import I32
from interpreter.wasm.expressions import as_i64, const, load
from interpreter.wasm.watching import write_observation
from rulespec.core.types import Type


@frozen
class RecordKind:
    """A kind of record: the statement that writes it, by its number in a block or -1, and the forms of its values."""

    kind: str
    block: str
    statement: int
    forms: tuple[tuple[str, Type | None], ...]


def record(
    g: Emitter, kind: str, block: str, statement: int, *values: tuple[WasmValue, Type | None]
) -> None:
    """Write a record, if this module records and the caller wants it."""
    p = g.p
    if not p.recorded:
        return
    if p.watched:
        write_observation(g, kind, getattr(g, "here", None), values)
        return
    with g.w.when(load("i32.load", const(p.log, I32))):
        forms = []
        g.run("log", const(len(p.kinds)))
        for v, type_ in values:
            forms.append((_log(g, v), type_))
    p.kinds.append(RecordKind(kind, block, statement, tuple(forms)))


def _log(g: Emitter, v: WasmValue) -> str:
    """Write a value down; the form in which that was done."""
    match v.form:
        case "number" | "small":
            g.run("log", v.e)
            return v.form
        case "truth":
            g.run("log", as_i64(v.e))
            return "number"
        case "sets" | "family" | "subsets":
            g.run("log_sets", g.as_sets(v).e)
            return "sets"
    with g.forgetting():
        g.run("log_list", g.as_list(v).e)
    return "list"

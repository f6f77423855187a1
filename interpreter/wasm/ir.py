"""The intermediate representation, between flat code and bytes: all that somebody needs who writes functions.

    text in restricted Python ──restricted──┐
                                            ▼
    rules ─────────────Writer──────────▶ functions ──inline_calls──▶ functions ──encode_body──▶ bytes

`expressions` has trees of typed operations, `statements` what consists of them, `writing` the one way to write
functions; `copying` and `inlining` write functions where they are called. `printing.show` is
for people.
"""

from interpreter.wasm.assembling import encode_body
from interpreter.wasm.expressions import (
    E,
    Local,
    as_i32,
    as_i64,
    binary,
    either,
    get,
    load,
    not_,
    number,
    select,
    unary,
    zero,
)
from interpreter.wasm.inlining import inline_calls, size_of
from interpreter.wasm.statements import (
    Block,
    Body,
    Branch,
    BranchIf,
    Call,
    Drop,
    Fn,
    If,
    Label,
    Loop,
    MemoryCopy,
    MemoryFill,
    Note,
    Return,
    Set,
    Statement,
    Store,
    Switch,
    Trap,
    all_statements,
    reachable,
)
from interpreter.wasm.writing import Writer

__all__ = [
    "Block",
    "Body",
    "Branch",
    "BranchIf",
    "Call",
    "Drop",
    "E",
    "Fn",
    "If",
    "Label",
    "Local",
    "Loop",
    "MemoryCopy",
    "MemoryFill",
    "Note",
    "Return",
    "Set",
    "Statement",
    "Store",
    "Switch",
    "Trap",
    "Writer",
    "all_statements",
    "as_i32",
    "as_i64",
    "binary",
    "either",
    "encode_body",
    "get",
    "inline_calls",
    "load",
    "not_",
    "number",
    "reachable",
    "select",
    "size_of",
    "unary",
    "zero",
]

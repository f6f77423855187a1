"""Typed expressions and structured statements, between flat code and bytes: all of it under one name."""

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
from interpreter.wasm.functions import Fn, Label
from interpreter.wasm.inlining import inline_calls, size_of
from interpreter.wasm.writing import Writer

__all__ = [
    "E",
    "Fn",
    "Label",
    "Local",
    "Writer",
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
    "select",
    "size_of",
    "unary",
    "zero",
]

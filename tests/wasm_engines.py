"""Engines that run the bytes that we write: wasmtime if it is installed, and node; and a module made of functions.

A call gives back a list of numbers, or `TRAP`.
"""

import base64
import json
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from interpreter.wasm.assembling import encode_body
from interpreter.wasm.encoding import F64, I32, Module
from interpreter.wasm.statements import Fn, reachable

TRAP = "trap"
_SERVER = """
const lines = require("readline").createInterface({ input: process.stdin });
const told = (x) => (typeof x === "bigint" ? String(x) : Object.is(x, -0) ? "-0.0" : String(x));
lines.on("line", (line) => {
  const { code, name, types, calls } = JSON.parse(line);
  const bytes = Buffer.from(code, "base64");
  const answers = calls.map((args) => {
    const made = new WebAssembly.Instance(new WebAssembly.Module(bytes));
    const given = args.map((x, n) => (types[n] === "i64" ? BigInt(x) : Number(x)));
    try {
      const found = made.exports[name](...given);
      return (found === undefined ? [] : Array.isArray(found) ? found : [found]).map(told);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) return "trap";
      throw error;
    }
  });
  console.log(JSON.stringify(answers));
});
"""


def module(roots: Iterable[Fn], data: Sequence[tuple[int, bytes]] = ()) -> bytes:
    """A module with some functions, which are exported, and those that they call."""
    roots = list(roots)
    made = Module(data=list(data))
    fns = reachable(roots)
    for n, fn in enumerate(fns):
        fn.number = n
        made.functions.append((fn.name, made.type([p.type for p in fn.params], fn.results)))
    made.bodies += [encode_body(fn) for fn in fns]
    made.exports += [(fn.name, fn.number) for fn in roots if fn.number is not None]
    return made.encode()


class Wasmtime:
    def __init__(self) -> None:
        self.lib = pytest.importorskip("wasmtime")
        self.engine = self.lib.Engine()

    def run(self, code: bytes, fn: Fn, calls: Sequence[Sequence[float]]) -> list[Any]:
        made = self.lib.Module(self.engine, code)
        return [self._call(made, fn, args) for args in calls]

    def _call(self, made: Any, fn: Fn, args: Sequence[float]) -> Any:
        store = self.lib.Store(self.engine)
        function = self.lib.Instance(store, made, []).exports(store)[fn.name]
        try:
            found = function(store, *args)
        except self.lib.Trap:
            return TRAP
        return [] if found is None else list(found) if isinstance(found, list) else [found]

    def stop(self) -> None:
        pass


class Node:
    """One process, which is sent modules and calls."""

    def __init__(self) -> None:
        node = shutil.which("node")
        if node is None:
            pytest.skip("node is not installed")
        self.process = subprocess.Popen(
            [node, "-e", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, code: bytes, fn: Fn, calls: Sequence[Sequence[float]]) -> list[Any]:
        types = ["i32" if p.type == I32 else "f64" if p.type == F64 else "i64" for p in fn.params]
        given = [[repr(each).replace("inf", "Infinity") for each in args] for args in calls]
        text = base64.b64encode(code).decode()
        request = {"code": text, "name": fn.name, "types": types, "calls": given}
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return [_numbers(each, fn) for each in json.loads(self.process.stdout.readline())]

    def stop(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def _numbers(answer: Any, fn: Fn) -> Any:
    if answer == TRAP:
        return TRAP
    return [
        float(text.replace("Infinity", "inf")) if type_ == F64 else int(text)
        for text, type_ in zip(answer, fn.results, strict=True)
    ]


ENGINES: dict[str, type[Wasmtime] | type[Node]] = {"wasmtime": Wasmtime, "node": Node}

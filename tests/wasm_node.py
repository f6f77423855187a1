"""A module in V8: node runs it as a browser does, and Python tells it what to do."""

import base64
import json
import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from interpreter.wasm.hosts import Trapped

MASK = (1 << 64) - 1
_SERVER = """
const lines = require("readline").createInterface({ input: process.stdin });
let made, memory;
const answers = {
  load: (code) => {
    made = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(code, "base64"))).exports;
    memory = made.memory;
    return memory.buffer.byteLength;
  },
  grow: (pages) => { memory.grow(pages); return memory.buffer.byteLength; },
  call: (name, args) => {
    try {
      return made[name](...args) ?? 0;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) return "trap";
      throw error;
    }
  },
  read: (at, size) => Buffer.from(memory.buffer, at, size).toString("base64"),
  write: (at, text) => { Buffer.from(text, "base64").copy(Buffer.from(memory.buffer), at); },
  copy: (to, source, size) => { new Uint8Array(memory.buffer).copyWithin(to, source, source + size); },
};
lines.on("line", (line) => {
  const [what, ...given] = JSON.parse(line);
  console.log(JSON.stringify(answers[what](...given) ?? null));
});
"""


class NodeHost:
    """One process with one module."""

    def __init__(self, content: bytes) -> None:
        node = shutil.which("node")
        if node is None:
            pytest.skip("node is not installed")
        self.process = subprocess.Popen(
            [node, "-e", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.size: int = self._ask("load", base64.b64encode(content).decode())

    def _ask(self, *what: Any) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(what), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def stop(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def native(self) -> None:
        """V8 keeps no code for us."""

    def grow(self, pages: int) -> None:
        self.size = self._ask("grow", pages)

    def function(self, name: str, _size: int) -> Callable[..., int]:
        def run(*given: int) -> int:
            found = self._ask("call", name, given)
            if found == "trap":
                raise Trapped
            return int(found)

        return run

    def read(self, at: int, size: int) -> bytes:
        return base64.b64decode(self._ask("read", at, size))

    def write(self, at: int, content: bytes) -> None:
        self._ask("write", at, base64.b64encode(content).decode())

    def copy(self, to: int, source: int, size: int) -> None:
        self._ask("copy", to, source, size)

    def number(self, at: int) -> int:
        return self.numbers(at, 1)[0]

    def set_number(self, at: int, value: int) -> None:
        self.set_numbers(at, [value])

    def numbers(self, at: int, count: int) -> list[int]:
        return [*struct.unpack(f"<{count}q", self.read(at, 8 * count))]

    def set_numbers(self, at: int, values: Sequence[int]) -> None:
        self.write(at, struct.pack(f"<{len(values)}Q", *(v & MASK for v in values)))

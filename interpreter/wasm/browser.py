"""The bytes of a module -> an instance in the engine of the browser, for Pyodide in a worker.

Each call from Python to JavaScript takes about two microseconds, and more if it makes an object. So functions are
looked up once, and a number is read as two halves from an array that views the memory.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.wasm.hosts import Trapped

LOW = (1 << 32) - 1
ALL = (1 << 64) - 1
TWO = struct.Struct("<2i")
ONE = struct.Struct("<Q")


class Instance:
    """A module with its own memory, which JavaScript keeps as long as this object exists."""

    size: int

    def __init__(self, content: bytes) -> None:
        # A worker may compile synchronously, a page may not. Neither may make functions from text.
        from js import WebAssembly  # type: ignore[import-not-found]  # noqa: PLC0415 - Pyodide has it
        from pyodide.ffi import to_js  # type: ignore[import-not-found]  # noqa: PLC0415 - as above

        self._content = content
        module = WebAssembly.Module.new(to_js(content))
        self._exports: Any = WebAssembly.Instance.new(module).exports
        # Pyodide keeps the last method that was called by name, and its object, alive; so call none by name.
        self._grow = self._exports.memory.grow
        self._look()

    def _look(self) -> None:
        """Make arrays that view the memory; they become empty when it grows."""
        from js import Int32Array, Uint8Array  # noqa: PLC0415 - Pyodide has it

        buffer = self._exports.memory.buffer
        content = Uint8Array.new(buffer)
        self.size = content.length
        self._halves: Any = Int32Array.new(buffer)
        self._part, self._copy = content.subarray, content.copyWithin

    def native(self) -> None:
        """`None`: the browser does not hand out native code."""

    def another(self) -> "Instance":
        return Instance(self._content)

    def grow(self, pages: int) -> None:
        self._grow(pages)
        self._look()

    # ---- Memory ----------------------------------------------------------------------------------

    def read(self, at: int, size: int) -> bytes:
        found: bytes = self._part(at, at + size).to_bytes()
        return found

    def window(self, at: int, size: int) -> memoryview:
        return memoryview(self.read(at, size))

    def write(self, at: int, content: bytes) -> None:
        self._part(at, at + len(content)).assign(content)

    def copy(self, to: int, source: int, size: int) -> None:
        self._copy(to, source, source + size)

    def number(self, at: int) -> int:
        """A number at a multiple of four."""
        halves, at = self._halves, at >> 2
        found: int = halves[at + 1] << 32 | halves[at] & LOW
        return found

    def set_number(self, at: int, value: int) -> None:
        """Write 64 bits at a multiple of four; numbers from 2**63 wrap around to negative ones."""
        halves, at = self._halves, at >> 2
        halves[at], halves[at + 1] = TWO.unpack(ONE.pack(value & ALL))

    def numbers(self, at: int, count: int) -> list[int]:
        return [*struct.unpack(f"<{count}q", self.read(at, 8 * count))]

    def set_numbers(self, at: int, values: Sequence[int]) -> None:
        self.write(at, struct.pack(f"<{len(values)}Q", *[value & ALL for value in values]))

    # ---- Functions -------------------------------------------------------------------------------

    def function(self, name: str, _size: int) -> Callable[..., int]:
        """An exported function; one without a result returns 0."""
        from pyodide.ffi import JsException  # noqa: PLC0415 - Pyodide has it

        exported = getattr(self._exports, name)

        def run(*arguments: int) -> int:
            try:
                return exported(*arguments) or 0
            except JsException as error:
                raise Trapped from error

        return run

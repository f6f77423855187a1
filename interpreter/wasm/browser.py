"""A module in the engine of the browser, for Pyodide in a worker."""

import struct
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.wasm.hosts import Trapped

MASK = (1 << 64) - 1


class Instance:
    """A module with a memory of its own, which JavaScript keeps."""

    def __init__(self, content: bytes) -> None:
        import js  # type: ignore[import-not-found]  # noqa: PLC0415 - Pyodide has it
        from pyodide.ffi import to_js  # type: ignore[import-not-found]  # noqa: PLC0415

        self._js = js
        module = js.WebAssembly.Module.new(to_js(content))
        self._instance = js.WebAssembly.Instance.new(module)
        self._memory = self._instance.exports.memory
        self.size = 0
        self._look()

    def _look(self) -> None:
        self._bytes: Any = self._js.Uint8Array.new(self._memory.buffer)
        self.size = self._bytes.length

    def native(self) -> None:
        """The browser keeps no code for us."""

    def grow(self, pages: int) -> None:
        self._memory.grow(pages)
        self._look()

    def function(self, name: str, _size: int) -> Callable[..., int]:
        exported = getattr(self._instance.exports, name)

        def run(*arguments: int) -> int:
            try:
                return exported(*arguments) or 0
            except Exception as error:  # whatever JavaScript calls it
                raise Trapped from error

        return run

    def read(self, at: int, size: int) -> bytes:
        found: bytes = self._bytes.subarray(at, at + size).to_bytes()
        return found

    def write(self, at: int, content: bytes) -> None:
        self._bytes.subarray(at, at + len(content)).assign(content)

    def copy(self, to: int, source: int, size: int) -> None:
        self._bytes.copyWithin(to, source, source + size)

    def number(self, at: int) -> int:
        found: int = struct.unpack("<q", self.read(at, 8))[0]
        return found

    def set_number(self, at: int, value: int) -> None:
        self.write(at, struct.pack("<Q", value & MASK))

    def numbers(self, at: int, count: int) -> list[int]:
        return [*struct.unpack(f"<{count}q", self.read(at, 8 * count))]

    def set_numbers(self, at: int, values: Sequence[int]) -> None:
        self.write(at, struct.pack(f"<{len(values)}Q", *(v & MASK for v in values)))

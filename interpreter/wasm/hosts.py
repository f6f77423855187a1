"""What runs a module: wasmtime in an ordinary Python, the browser's own engine in a page."""

import sys
from collections.abc import Callable, Sequence
from typing import Protocol

from rulespec import logs


class Missing(Exception):  # noqa: N818 - it is no fault
    """Nothing on this machine runs modules."""


class Trapped(Exception):  # noqa: N818 - the reference finds out why
    """A module has stopped: the rules have a fault, or need more than there is."""


class Host(Protocol):
    """A module with a memory of its own. Addresses are those of the module; numbers have 64 bits."""

    size: int  # of its memory, in bytes

    def native(self) -> bytes | None:
        """Native code to keep, if there is any."""

    def another(self) -> "Host":
        """The same module with another memory."""

    def grow(self, pages: int, /) -> None: ...

    def function(self, name: str, size: int, /) -> Callable[..., int]:
        """An exported function of `size` numbers of 32 bits, of which it gives back one; it may be `Trapped`."""

    def read(self, at: int, size: int, /) -> bytes: ...

    def window(self, at: int, size: int, /) -> memoryview:
        """Memory as it is now, for those who only look."""

    def write(self, at: int, content: bytes, /) -> None: ...

    def copy(self, to: int, source: int, size: int, /) -> None: ...

    def number(self, at: int, /) -> int: ...

    def set_number(self, at: int, value: int, /) -> None: ...

    def numbers(self, at: int, count: int, /) -> list[int]: ...

    def set_numbers(self, at: int, values: Sequence[int], /) -> None: ...


def make_host(content: bytes, native: bytes | None = None) -> Host:
    """A module from its bytes, ready to be called; `native` is what `Host.native` gave, from a place that is ours."""
    if sys.platform == "emscripten":
        from interpreter.wasm.browser import Instance as InBrowser  # noqa: PLC0415 - only in a browser

        return InBrowser(content)
    from interpreter.wasm.wasmtime import Compiled, Instance  # noqa: PLC0415 - only where there is one

    if native is not None:
        try:
            return Instance(Compiled(native, native=True))
        except RuntimeError as error:
            logs.inform(f"native code that was kept is made anew: {error}")
    return Instance(Compiled(content))

"""The bytes of a module -> a running instance: in wasmtime, or in a browser in the browser's own engine."""

import sys
from collections.abc import Callable, Sequence
from typing import Protocol

from rulespec import logs


class Missing(Exception):  # noqa: N818 - it is no fault
    """This machine has no engine for modules."""


class Trapped(Exception):  # noqa: N818 - the reference finds out why
    """A module has trapped: the rules have a fault, or need more memory or fuel than there is."""


class Host(Protocol):
    """A module with a memory of its own. Addresses are those of the module; numbers have 64 bits."""

    size: int  # of its memory, in bytes

    def native(self) -> bytes | None:
        """Native code for the cache, if there is any."""

    def another(self) -> "Host":
        """Another instance of the module, with its own memory."""

    def grow(self, pages: int, /) -> None: ...

    def function(self, name: str, size: int, /) -> Callable[..., int]:
        """An exported function that takes `size` numbers of 32 bits and returns one; a call may raise `Trapped`."""

    def read(self, at: int, size: int, /) -> bytes: ...

    def window(self, at: int, size: int, /) -> memoryview:
        """A view of the present memory, for reading."""

    def write(self, at: int, content: bytes, /) -> None: ...

    def copy(self, to: int, source: int, size: int, /) -> None: ...

    def number(self, at: int, /) -> int: ...

    def set_number(self, at: int, value: int, /) -> None: ...

    def numbers(self, at: int, count: int, /) -> list[int]: ...

    def set_numbers(self, at: int, values: Sequence[int], /) -> None: ...


def make_host(content: bytes, native: bytes | None = None) -> Host:
    """An instance of a module; `native` is the result of `Host.native`, from a trusted cache."""
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

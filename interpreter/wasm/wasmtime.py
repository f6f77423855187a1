"""The bytes of a module -> an instance in wasmtime, by a small binding to the C API of the library in its wheel.

It does not import the wheel's own Python, which takes 60 ms, and 40 µs for each call. A call here puts its numbers
into a buffer that is allocated once, and takes a microsecond.
"""

import ctypes
import sys
from collections.abc import Callable, Sequence
from ctypes import (
    POINTER,
    byref,
    c_bool,
    c_char_p,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint64,
    c_void_p,
)
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from interpreter.chance import MASK
from interpreter.wasm.hosts import Missing, Trapped

EXTERN = 64  # bytes, more than any version needs; what is exported begins at 8
OPTIMISED = 1
BRIEF = ("begin_told", "step_told")  # calls so short that they need not release Python's lock


@cache
def library() -> Any:
    """The library of the wheel, with the types of all functions that are used here."""
    found = find_library()
    if found is None:
        raise Missing("the package wasmtime is not installed (pip install wasmtime)")
    try:
        dll = ctypes.CDLL(str(found))
        _declare(dll)
    except (OSError, AttributeError) as error:
        raise Missing(f"wasmtime cannot be used: {error}") from error
    return dll


@cache
def _briefly() -> Any:
    """The same library, for calls that keep Python's lock."""
    return ctypes.PyDLL(str(find_library()))


def find_library() -> Path | None:
    spec = find_spec("wasmtime")
    if spec is None or spec.origin is None:
        return None
    suffix = {"win32": "_wasmtime.dll", "darwin": "_libwasmtime.dylib"}.get(
        sys.platform, "_libwasmtime.so"
    )
    return next(iter(sorted(Path(spec.origin).parent.glob(f"*/{suffix}"))), None)


_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "wasm_config_new": (c_void_p, []),
    "wasmtime_config_parallel_compilation_set": (None, [c_void_p, c_bool]),
    "wasmtime_config_cranelift_opt_level_set": (None, [c_void_p, c_uint8]),
    "wasmtime_config_memory_may_move_set": (None, [c_void_p, c_bool]),
    "wasm_engine_new_with_config": (c_void_p, [c_void_p]),
    "wasmtime_module_new": (c_void_p, [c_void_p, c_char_p, c_size_t, POINTER(c_void_p)]),
    "wasmtime_module_delete": (None, [c_void_p]),
    "wasmtime_module_serialize": (c_void_p, [c_void_p, c_void_p]),
    "wasmtime_module_deserialize": (c_void_p, [c_void_p, c_char_p, c_size_t, POINTER(c_void_p)]),
    "wasm_byte_vec_delete": (None, [c_void_p]),
    "wasmtime_store_new": (c_void_p, [c_void_p, c_void_p, c_void_p]),
    "wasmtime_store_context": (c_void_p, [c_void_p]),
    "wasmtime_store_delete": (None, [c_void_p]),
    "wasmtime_instance_new": (c_void_p, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, POINTER(c_void_p)]),
    "wasmtime_instance_export_get": (c_bool, [c_void_p, c_void_p, c_char_p, c_size_t, c_void_p]),
    "wasmtime_memory_data": (c_void_p, [c_void_p, c_void_p]),
    "wasmtime_memory_data_size": (c_size_t, [c_void_p, c_void_p]),
    "wasmtime_memory_grow": (c_void_p, [c_void_p, c_void_p, c_uint64, POINTER(c_uint64)]),
    "wasm_trap_delete": (None, [c_void_p]),
    "wasmtime_error_message": (None, [c_void_p, c_void_p]),
    "wasmtime_error_delete": (None, [c_void_p]),
}  # fmt: skip


def _declare(dll: Any) -> None:
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(dll, name)
        function.restype, function.argtypes = result, arguments


@cache
def engine() -> int:
    """The one engine of this process."""
    dll = library()
    config = dll.wasm_config_new()
    # A forked child that compiles would wait forever for threads that do not exist in it.
    dll.wasmtime_config_parallel_compilation_set(config, 0)
    dll.wasmtime_config_cranelift_opt_level_set(config, OPTIMISED)
    found: int = dll.wasm_engine_new_with_config(config)
    return found


class _Bytes(ctypes.Structure):
    _fields_ = (("size", c_size_t), ("data", c_void_p))


class Compiled:
    """A module as native code."""

    def __init__(self, content: bytes, *, native: bool = False) -> None:
        self.handle = c_void_p()  # first: there may be no library
        self._dll = dll = library()
        read = dll.wasmtime_module_deserialize if native else dll.wasmtime_module_new
        _check(read(engine(), content, len(content), byref(self.handle)))

    def serialised(self) -> bytes:
        """The native code, to be kept where nobody else can change it."""
        found = _Bytes()
        _check(library().wasmtime_module_serialize(self.handle, byref(found)))
        content = ctypes.string_at(found.data, found.size)
        library().wasm_byte_vec_delete(byref(found))
        return content

    def __del__(self) -> None:
        if self.handle.value:
            self._dll.wasmtime_module_delete(self.handle)


def _check(error: int | None) -> None:
    if error:
        dll, told = library(), _Bytes()
        dll.wasmtime_error_message(error, byref(told))
        text = ctypes.string_at(told.data, told.size).decode("utf-8", "replace")
        dll.wasm_byte_vec_delete(byref(told))
        dll.wasmtime_error_delete(error)
        raise RuntimeError(text)


def _view(memory: Any, form: str) -> memoryview:
    """Memory of ctypes as a `memoryview` of numbers, which Python reads faster."""
    return memoryview(memory).cast("B").cast(form)  # type: ignore[call-overload,no-any-return]  # a form that is known


class Instance:
    """A module with a memory of its own."""

    def __init__(self, module: Compiled) -> None:
        dll = library()
        self._dll, self._module = dll, module
        self._store = c_void_p(dll.wasmtime_store_new(engine(), None, None))
        self.context: int = dll.wasmtime_store_context(self._store)
        self._instance = (c_uint64 * 4)()
        trap = c_void_p()
        _check(
            dll.wasmtime_instance_new(
                self.context, module.handle, None, 0, byref(self._instance), byref(trap)
            )
        )
        if trap.value:
            dll.wasm_trap_delete(trap)
            raise Trapped
        self._exported: list[Any] = []
        self._memory = self._export(b"memory")
        self.base, self.size = 0, 0
        self._bytes = self._words = self._unsigned = memoryview(b"")
        self._look()

    def _export(self, name: bytes) -> Any:
        found = (c_uint8 * EXTERN)()
        if not self._dll.wasmtime_instance_export_get(
            self.context, byref(self._instance), name, len(name), byref(found)
        ):
            raise RuntimeError(f"the module exports no {name.decode()}")
        return found

    def _look(self) -> None:
        memory = ctypes.addressof(self._memory) + 8
        self.base = self._dll.wasmtime_memory_data(self.context, memory)
        self.size = self._dll.wasmtime_memory_data_size(self.context, memory)
        self._bytes = memoryview((c_uint8 * self.size).from_address(self.base)).cast("B")
        self._words, self._unsigned = self._bytes.cast("q"), self._bytes.cast("Q")

    def native(self) -> bytes:
        return self._module.serialised()

    def another(self) -> "Instance":
        return Instance(self._module)

    def grow(self, pages: int) -> None:
        """Grow the memory; addresses in the host may change."""
        before = c_uint64()
        memory = ctypes.addressof(self._memory) + 8
        _check(self._dll.wasmtime_memory_grow(self.context, memory, pages, byref(before)))
        self._look()

    # ---- Memory ----------------------------------------------------------------------------------

    def read(self, at: int, size: int) -> bytes:
        return self._bytes[at : at + size].tobytes()

    def window(self, at: int, size: int) -> memoryview:
        """A view of the present memory, not a copy; release it before the memory grows."""
        return self._bytes[at : at + size]

    def write(self, at: int, content: bytes) -> None:
        ctypes.memmove(self.base + at, content, len(content))

    def copy(self, to: int, source: int, size: int) -> None:
        memory = self._bytes  # a slice of it is taken faster than a function of C is called
        memory[to : to + size] = memory[source : source + size]

    def number(self, at: int) -> int:
        found: int = self._words[at >> 3]  # all numbers of 64 bits lie at multiples of 8
        return found

    def set_number(self, at: int, value: int) -> None:
        """Write 64 bits; a large number counts as a negative one."""
        self._unsigned[at >> 3] = value & MASK

    def numbers(self, at: int, count: int) -> list[int]:
        found: list[int] = self._words[at >> 3 : (at >> 3) + count].tolist()
        return found

    def set_numbers(self, at: int, values: Sequence[int]) -> None:
        words, at = self._unsigned, at >> 3
        for each in values:
            words[at] = each & MASK
            at += 1

    # ---- Functions -------------------------------------------------------------------------------

    def function(self, name: str, size: int) -> Callable[..., int]:
        """An exported function of `size` numbers of 32 bits, of which it gives back one."""
        exported, room, trap = self._export(name.encode()), (c_int64 * (2 * size))(), c_uint64()
        self._exported.append(exported)  # its address is all that calls know
        # The arguments are allocated once and passed unchanged, so ctypes has nothing to convert.
        address = c_void_p.from_param
        given = (
            address(self.context),
            address(ctypes.addressof(exported) + 8),
            address(ctypes.addressof(room)),
            c_size_t.from_param(size),
            address(ctypes.addressof(trap)),
        )
        call = (_briefly() if name in BRIEF else self._dll)["wasmtime_func_call_unchecked"]
        call.restype = c_void_p
        values, stopped = _view(room, "q"), _view(trap, "Q")
        found, forget = _view(room, "i"), self._forget

        def run(*arguments: int) -> int:
            for n, each in enumerate(arguments):
                values[2 * n] = each
            if call(*given) or stopped[0]:
                forget(trap)
            return found[0]

        def run_two(one: int, other: int) -> int:
            values[0] = one
            values[2] = other
            if call(*given) or stopped[0]:
                forget(trap)
            return found[0]

        return run_two if size == 2 else run

    def _forget(self, trap: Any) -> None:
        """Free a trap; its call did not finish."""
        if trap.value:
            self._dll.wasm_trap_delete(trap.value)
            trap.value = 0
        raise Trapped

    def __del__(self) -> None:
        if hasattr(self, "_store"):
            self._dll.wasmtime_store_delete(self._store)

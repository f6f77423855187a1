"""How each operation of the core is written, by name: one module for each of `interpreter.operations`."""

from interpreter.wasm.emitter import WRITERS
from interpreter.wasm.operations import functions, numbers, pieces, sets, subsets, values

# Each of these adds its own when it is imported.
MODULES = (values, numbers, sets, pieces, subsets, functions)

__all__ = ["MODULES", "WRITERS"]

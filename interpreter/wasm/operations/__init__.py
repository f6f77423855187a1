"""An operation of the core -> the code that computes it, by name: one module for each of `interpreter.operations`."""

from interpreter.wasm.emitter import WRITERS
from interpreter.wasm.operations import functions, numbers, pieces, sets, subsets, values

# Each module registers its operations when it is imported.
MODULES = (values, numbers, sets, pieces, subsets, functions)

__all__ = ["MODULES", "WRITERS"]

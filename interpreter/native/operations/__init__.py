"""How each operation of flat code is written in C, by name."""

from interpreter.native.operations import numbers, pieces, sets, subsets, values
from interpreter.native.scribe import WRITERS

# Each of these adds its own when it is imported.
MODULES = (values, numbers, sets, pieces, subsets)

__all__ = ["MODULES", "WRITERS"]

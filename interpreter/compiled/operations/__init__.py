"""How each operation of flat code is written in Python, by name."""

from interpreter.compiled.operations import numbers, pieces, sets, subsets, values
from interpreter.compiled.scribe import WRITERS

# Each of these adds its own when it is imported.
MODULES = (values, numbers, sets, pieces, subsets)

__all__ = ["MODULES", "WRITERS"]

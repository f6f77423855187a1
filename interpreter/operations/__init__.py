"""What each operation of flat code means, by name."""

from interpreter.expressions import BUILDERS
from interpreter.operations import numbers, pieces, sets, subsets, values

# Each of these adds its own when it is imported.
MODULES = (values, numbers, sets, pieces, subsets)

__all__ = ["BUILDERS", "MODULES"]

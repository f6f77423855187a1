"""The result of checking a file: what later stages need and may rely on.

A `Program` has passed every check. Names resolve, values fit or are listed in `doubtful`, tables are complete, every
loop has a way out, and no choice reveals a secret.
"""

from attrs import frozen

from rulespec.checking.declarations import Declarations
from rulespec.checking.doubts import Doubt
from rulespec.source import Source


@frozen
class Program:
    """A checked file with everything on which it builds.

    `doubtful` are the places where a value may leave its range or be `none`, and where there may be nothing to choose
    from; engines test them. `expressions.type_of` finds the type of an expression, in a scope that begins with
    `attributes.root_scope`.
    """

    entry: Source
    declared: Declarations
    doubtful: tuple[Doubt, ...]

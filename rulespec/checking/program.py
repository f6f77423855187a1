"""What checking makes of a file: all that later stages need, and may trust.

A Program has passed every pass. Names resolve, values fit or are named in `doubtful`, tables are complete,
every loop has a way out, and no choice tells a secret.
"""

from attrs import frozen

from rulespec.checking.declarations import Declarations
from rulespec.checking.doubts import Doubt
from rulespec.source import Source


@frozen
class Program:
    """A checked file with all that it stands on.

    `doubtful` are the places where a value may leave its range or be `none`, and where there may be nothing
    to choose from: what is tested when the game is played. The type of an expression is asked of `expressions.type_of`, in a scope that
    `attributes.root_scope` begins.
    """

    entry: Source
    declared: Declarations
    doubtful: tuple[Doubt, ...]

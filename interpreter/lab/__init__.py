"""The variant lab: one program, or several on the same seeds -> many games, counted and judged.

The work is cut into chunks that any `concurrent.futures.Executor` may play. Each chunk gives counts, whose sums do not
depend on how the games were cut into chunks. See docs/lab.md.
"""

from interpreter.lab.chunks import Task, pack
from interpreter.lab.comparison import compare
from interpreter.lab.crews import Crew, local_crew
from interpreter.lab.simulation import simulate
from interpreter.lab.studies import Broken, Study, conduct

__all__ = [
    "Broken",
    "Crew",
    "Study",
    "Task",
    "compare",
    "conduct",
    "local_crew",
    "pack",
    "simulate",
]

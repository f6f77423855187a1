"""The variant lab: many seeded games of one program, or of several on the same seeds, counted and judged.

The work is cut into chunks that any `concurrent.futures.Executor` may play; what comes back are counts,
which add up to the same sums in whatever pieces they were played. See docs/lab.md.
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

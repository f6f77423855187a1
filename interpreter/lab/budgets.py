"""A task of players who think, and a minute -> as many games of it as fit, and their counts.

Where nobody decides anything, nobody thinks, and there are none. The first games tell how fast this machine plays, and
so how many fit. If others begin to use it as well, or games turn out to be longer, it ends in time nevertheless, with
those that are there. Then the number of games is settled: the report names it, and whoever asks for that number plays
the same games on any machine.
"""

import time

from interpreter.lab.chunk_runs import Done
from interpreter.lab.chunks import Task
from interpreter.lab.measures import total_of
from interpreter.lab.studies import Errand, Study, conduct, done_so_far, mark_of, save_study

MINUTE = 52.0  # seconds from the beginning of a study: the rest of the minute is for what cannot be foreseen
LEAST = 20.0  # that are left for players who think, however long everything before them took
TRIAL = 4  # games that show how long one takes
AIM = 0.9  # of the time: what is cut off at its end was played in vain
MOST = 2_000
ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)


def play_in_time(study: Study, task: Task) -> Done:
    """Play as many games as fit into the time, or as many as were settled when this study was begun."""
    mark = mark_of(task)
    if mark not in study.settled:
        begun = time.monotonic()
        left = max(LEAST, MINUTE - (begun - study.begun))
        wanted = _fitting(study, task, begun, left)
        if wanted is not None:
            conduct(study, Errand(task, wanted), begun + left)
        if not study.is_interrupted:
            study.settled[mark] = done_so_far(study, task).games
            save_study(study)
    done = done_so_far(study, task)
    if not _is_decided(task, done):
        return Done()
    return conduct(study, Errand(task, study.settled.get(mark, done.games)))


def _fitting(study: Study, task: Task, begun: float, left: float) -> int | None:
    """How many games fit into the time; nothing, if no more than those that were played to find out."""
    before = done_so_far(study, task).games
    more, spent = 0, 0.0
    # Too few games would mostly tell how long it takes to begin.
    while spent < left / 8 and more < MOST:
        more = min(MOST, max(TRIAL, 2 * more))
        tried = conduct(study, Errand(task, before + more), begun + left)
        if study.is_interrupted or tried.games < before + more or not _is_decided(task, tried):
            return None
        spent = time.monotonic() - begun
    return max(before + more, round_down(before + more * AIM * left / spent))


def _is_decided(task: Task, done: Done) -> bool:
    """Whether anybody has decided anything so far."""
    sides = range(len(task.programs))
    return any(total_of(done.counts, side, "decisions").total for side in sides)


def round_down(number: float) -> int:
    """A number that people like to read, not above the given one.

    >>> [round_down(each) for each in (3.2, 17, 48, 144, 9_000)]
    [3, 15, 40, 120, 2000]
    """
    number = min(MOST, max(1, number))
    power = 1
    while power * 10 <= number:
        power *= 10
    return int(max(power * each for each in ROUND if power * each <= number))

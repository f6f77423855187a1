"""A task for bots that think, and a minute -> the counts of as many games as fit into that minute.

If no game has a decision, nobody thinks, and no more games are played. The first games show how fast this machine plays,
and so how many games fit. If other programs then slow it down, or games turn out to be longer, the run still ends in
time, with the games that are done. The report names the final number of games; a run with that number plays the same
games on any machine.
"""

import time

from interpreter.lab.chunk_runs import Done
from interpreter.lab.chunks import Task
from interpreter.lab.measures import total_of
from interpreter.lab.studies import Errand, Study, conduct, done_so_far, mark_of, save_study

MINUTE = 52.0  # seconds from the start of a study: the rest of the minute is a reserve
LEAST = 20.0  # seconds for bots that think, however long everything before them took
TRIAL = 4  # games to measure how long one takes
AIM = 0.9  # the share of the time to plan for: a game cut off at the deadline is wasted
MOST = 2_000
ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)


def play_in_time(study: Study, task: Task) -> Done:
    """Play as many games as fit into the time, or as many as this study has settled on earlier."""
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
    """How many games fit into the time; None if no more than the trial games fit."""
    before = done_so_far(study, task).games
    more, spent = 0, 0.0
    # With too few games, the measurement would mostly show the start-up time.
    while spent < left / 8 and more < MOST:
        more = min(MOST, max(TRIAL, 2 * more))
        tried = conduct(study, Errand(task, before + more), begun + left)
        if study.is_interrupted or tried.games < before + more or not _is_decided(task, tried):
            return None
        spent = time.monotonic() - begun
    return max(before + more, round_down(before + more * AIM * left / spent))


def _is_decided(task: Task, done: Done) -> bool:
    """Whether any game so far had a decision."""
    sides = range(len(task.programs))
    return any(total_of(done.counts, side, "decisions").total for side in sides)


def round_down(number: float) -> int:
    """The largest round number that is not above the given one.

    >>> [round_down(each) for each in (3.2, 17, 48, 144, 9_000)]
    [3, 15, 40, 120, 2000]
    """
    number = min(MOST, max(1, number))
    power = 1
    while power * 10 <= number:
        power *= 10
    return int(max(power * each for each in ROUND if power * each <= number))

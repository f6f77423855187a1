"""Several tasks, one after another -> the counts of each, optionally stored in a checkpoint file as they grow.

An interrupted run continues from its file, and ends with the same counts as an uninterrupted one. The file ends in a
seal, a digest of its content: a damaged or casually edited file is refused. The seal is no protection against
deliberate forgery.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from interpreter.bots.kinds import untimed
from interpreter.lab import counts as counting
from interpreter.lab.chunk_runs import Broken, Done, begin_run, play_on
from interpreter.lab.chunks import Task
from interpreter.lab.crews import Crew
from rulespec import limits, loading
from rulespec.loading import Unreadable

__all__ = ["Broken", "Errand", "Study", "WrongCheckpoint", "conduct"]

FORMAT = 5
LONGEST_NUMBER = 40  # digits: sums of squares over many games are large
SECONDS = 5.0  # between two writes of a checkpoint


class WrongCheckpoint(ValueError):  # noqa: N818 - it says what is wrong
    """This study cannot continue from the file; the argument says why in a sentence."""


@frozen
class Errand:
    """A task, and the number of games to play."""

    task: Task
    games: int


Told = Callable[[Errand, Done], None]


@define
class Study:
    """The crew, the checkpoint file, and what is done already, by the marks of the tasks."""

    crew: Crew
    path: Path | None = None
    told: Told = lambda _errand, _done: None
    chunk: int | None = None
    done: dict[str, Done] = field(factory=dict)
    settled: dict[str, int] = field(factory=dict)  # numbers of games that the run determined itself
    begun: float = field(factory=time.monotonic)
    written: float = 0.0
    is_interrupted: bool = False
    parts: int = 1  # the number of tasks, as far as known
    part: int = 0  # the number of the current task
    mark: str = ""  # the mark of the task begun last


def mark_of(task: Task) -> str:
    """A key for a task: a digest of everything on which its games depend."""
    programs = "+".join(packed.mark for packed in task.programs)
    seats = ",".join(map(untimed, task.seats))
    return f"{task.kind} {task.players} {seats} {task.seed} {task.longest} {programs}"


def open_study(study: Study) -> None:
    """Read the checkpoint; a missing file is created later."""
    if study.path is None or not os.path.lexists(study.path):
        return
    name = loading.shortened(str(study.path))
    try:
        text = loading.read_file(study.path, limits.LARGEST_CHECKPOINT).decode("utf-8")
        study.done, study.settled = _from_text(text)
    except Unreadable as error:
        raise WrongCheckpoint(f"`{name}` {error}") from error
    except UnicodeDecodeError as error:
        raise WrongCheckpoint(f"`{name}` is not a checkpoint: it is not text") from error
    except WrongCheckpoint as error:
        raise WrongCheckpoint(f"`{name}` {error}; name another file, or delete it") from error


def save_study(study: Study) -> None:
    """Write the checkpoint atomically: the file is complete at every moment, even if the power fails."""
    study.written = time.monotonic()
    if study.path is None:
        return
    beside = study.path.with_name(study.path.name + ".new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(_to_text(study.done, study.settled))
        file.flush()
        os.fsync(file.fileno())
    beside.replace(study.path)


def _to_text(done: dict[str, Done], settled: dict[str, int]) -> str:
    tasks = {mark: [each.games, counting.as_data(each.counts)] for mark, each in done.items()}
    content = json.dumps({"tasks": tasks, "settled": settled}, ensure_ascii=False)
    return f'{{"format": {FORMAT}, "content": {content}, "seal": "{_seal(content)}"}}\n'


def _seal(content: str) -> str:
    return hashlib.sha256(f"rulespec checkpoint {FORMAT} {content}".encode()).hexdigest()


def _from_text(text: str) -> tuple[dict[str, Done], dict[str, int]]:
    """Parse a checkpoint; refuse it unless it is exactly what was written."""
    try:
        data: Any = json.loads(
            text, parse_int=_whole, parse_float=_no_number, parse_constant=_no_number
        )
        kept = data["format"]
        if kept != FORMAT and type(kept) is int:
            raise WrongCheckpoint("was kept by another version of rulespec")
        tasks, settled = data["content"]["tasks"], dict(data["content"]["settled"])
        done = {mark: _done(games, rows) for mark, (games, rows) in tasks.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, WrongCheckpoint):
            raise
        raise WrongCheckpoint("is not a checkpoint of the lab, or was damaged") from error
    if any(type(number) is not int for number in settled.values()):
        raise WrongCheckpoint("is damaged: a number of games is a number")
    if _to_text(done, settled) != text:
        raise WrongCheckpoint("was damaged, or changed after it was kept")
    return done, settled


def _done(games: Any, rows: Any) -> Done:
    if type(games) is not int or games < 0:
        raise WrongCheckpoint("is damaged: games are counted from 0 on")
    for row in rows:
        is_key = len(row) > 1 and all(type(part) in (int, str) for part in row[:-1])
        if not is_key or type(row[-1]) is not int:
            raise WrongCheckpoint("is damaged: a count has a name and a number")
    return Done(games, counting.from_data(rows))


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise WrongCheckpoint("is damaged: one of its numbers is too large")
    return int(digits)


def _no_number(digits: str) -> int:
    raise WrongCheckpoint(f"is damaged: `{digits[:LONGEST_NUMBER]}` is not a count")


def done_so_far(study: Study, task: Task) -> Done:
    """The games of a task that are done."""
    return study.done.get(mark_of(task), Done())


def conduct(study: Study, errand: Errand, deadline: float | None = None) -> Done:
    """Play until an errand is done or the deadline passes; after an interrupt, play nothing more."""
    mark = mark_of(errand.task)
    if mark != study.mark:
        study.mark, study.part = mark, study.part + 1
    done = study.done.get(mark, Done())
    if done.games > errand.games:
        raise WrongCheckpoint(
            f"`{study.path}` already has {done.games:,} games, but only {errand.games:,} are wanted"
        )
    if study.is_interrupted:
        return done

    def hear(now: Done) -> None:
        study.done[mark] = now
        study.told(errand, now)
        if time.monotonic() - study.written > SECONDS:
            save_study(study)

    try:
        run = begin_run(errand.task, study.crew, done, study.chunk)
        play_on(run, errand.games, hear, deadline)
    except KeyboardInterrupt:
        study.is_interrupted = True
    save_study(study)
    return study.done.get(mark, done)

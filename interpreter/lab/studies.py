"""Several tasks, one after another -> the counts of each; kept in a file as they grow, if that is wanted.

A run that was interrupted goes on from its file and ends with the same counts as one that was not.
"""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from interpreter.lab import counts as counting
from interpreter.lab.chunks import Task
from interpreter.lab.crews import Crew
from interpreter.lab.running import Broken, Done, begin_run, play_on

__all__ = ["Broken", "Errand", "Study", "WrongCheckpoint", "conduct"]

FORMAT = 1
SECONDS = 5.0  # between two times that a checkpoint is written


class WrongCheckpoint(ValueError):  # noqa: N818 - it says what is wrong
    """A file from which this study cannot go on; the argument says so in a sentence."""


@frozen
class Errand:
    """A task and how many games of it are wanted."""

    task: Task
    games: int


Told = Callable[[Errand, Done], None]


@define
class Study:
    """Who plays, where it is kept, and what is there already, by the marks of the tasks."""

    crew: Crew
    path: Path | None = None
    told: Told = lambda _errand, _done: None
    chunk: int | None = None
    done: dict[str, Done] = field(factory=dict)
    written: float = 0.0
    is_interrupted: bool = False


def mark_of(task: Task) -> str:
    """What tells one task from another: everything on which its games depend."""
    programs = "+".join(packed.mark for packed in task.programs)
    return f"{task.kind} {task.players} {','.join(task.seats)} {task.seed} {programs}"


def open_study(study: Study) -> None:
    """Read what is there already; a file that is not there yet will be made."""
    if study.path is None or not study.path.exists():
        return
    try:
        data: Any = json.loads(study.path.read_text("utf-8"))
        if data["format"] != FORMAT:
            raise WrongCheckpoint(f"`{study.path}` was kept by another version of rulespec")
        study.done = {
            mark: Done(games, counting.from_data(rows))
            for mark, (games, rows) in data["tasks"].items()
        }
    except (OSError, UnicodeError, ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, WrongCheckpoint):
            raise
        raise WrongCheckpoint(f"`{study.path}` is no checkpoint of the lab") from error


def keep(study: Study) -> None:
    """Write what is there: a file is whole at every moment, even if the power fails."""
    study.written = time.monotonic()
    if study.path is None:
        return
    tasks = {mark: [done.games, counting.as_data(done.counts)] for mark, done in study.done.items()}
    beside = study.path.with_name(study.path.name + ".new")
    with beside.open("w", encoding="utf-8") as file:
        json.dump({"format": FORMAT, "tasks": tasks}, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(study.path)


def conduct(study: Study, errand: Errand) -> Done:
    """Play on until an errand is done, or somebody interrupts: then what is there, and nothing more is played."""
    mark = mark_of(errand.task)
    done = study.done.get(mark, Done())
    if done.games > errand.games:
        raise WrongCheckpoint(
            f"`{study.path}` has {done.games:,} games already, and {errand.games:,} are wanted"
        )
    if study.is_interrupted:
        return done

    def hear(now: Done) -> None:
        study.done[mark] = now
        study.told(errand, now)
        if time.monotonic() - study.written > SECONDS:
            keep(study)

    try:
        run = begin_run(errand.task, study.crew, done, study.chunk)
        play_on(run, errand.games, hear)
    except KeyboardInterrupt:
        study.is_interrupted = True
    keep(study)
    return study.done.get(mark, done)

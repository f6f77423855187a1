"""A task, a number of games and a crew -> the counts of all these games, chunk by chunk.

Chunks are merged in the order of their games, so the counts at any moment are those of the first n games. A worker that
dies costs only time: other workers get its chunks. The size of chunks depends on how long games take, and does not affect
the counts.
"""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait

from attrs import define, field, frozen

from interpreter.lab.chunks import Chunk, Task, Trouble, play_chunk
from interpreter.lab.counts import Counts, add
from interpreter.lab.crews import Crew

SECONDS = 0.5  # the target duration of a chunk
MOST = 20_000  # games in a chunk
FIRST = 1  # game in each of the first chunks, while the duration of a game is unknown
TRIES = 4  # attempts at a chunk before the run fails


@frozen
class Done:
    """The first `games` games of a task, and their counts."""

    games: int = 0
    counts: Counts = field(factory=dict)


class Broken(Exception):  # noqa: N818 - the rules are broken
    """A rule could not go on; the trouble says which."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.diagnostic.message)
        self.trouble = trouble


@frozen
class PendingChunk:
    """The games of a chunk, and how many attempts at it have failed."""

    begin: int
    end: int
    tries: int = 0


@define
class ChunkRun:
    """A run: the merged games, the chunks at workers, and the results that must wait for earlier chunks."""

    task: Task
    crew: Crew
    done: Done
    size: int = FIRST  # of the next chunk
    is_fixed: bool = False
    ahead: int = 0  # where the next new chunk begins
    flying: "dict[Future[Chunk], PendingChunk]" = field(factory=dict)
    waiting: list[PendingChunk] = field(factory=list)  # chunks to submit again
    ready: dict[int, tuple[int, Counts]] = field(factory=dict)


def begin_run(task: Task, crew: Crew, done: Done, chunk: int | None = None) -> ChunkRun:
    """A run that continues from what is done; `chunk` fixes the size of chunks."""
    return ChunkRun(task, crew, done, chunk or FIRST, chunk is not None, done.games)


def play_on(
    run: ChunkRun, games: int, told: Callable[[Done], None], deadline: float | None = None
) -> Done:
    """Play until `games` games are done, and call `told` after each step. Interrupts pass through.

    It stops at the deadline, but not before at least one game is done.
    """
    try:
        while run.done.games < games:
            left = _time_left(run, deadline)
            if left is not None and left <= 0:
                _stop(run)
                break
            _give(run, games)
            finished, _ = wait(run.flying, left, return_when=FIRST_COMPLETED)
            for future in finished:
                # If the executor broke, all its chunks are waiting again.
                if future in run.flying:
                    _take(run, future)
            # `told` comes last, so an interrupt there loses no results.
            if _merge(run):
                told(run.done)
    except BaseException:
        _stop(run)
        raise
    return run.done


def _time_left(run: ChunkRun, deadline: float | None) -> float | None:
    """The seconds that are left; None without a deadline."""
    return deadline - time.monotonic() if deadline is not None and run.done.games else None


def _stop(run: ChunkRun) -> None:
    """Cancel the chunks that no worker has begun, and wait for none."""
    for future in run.flying:
        future.cancel()
    run.crew.stop()


def _give(run: ChunkRun, games: int) -> None:
    """Keep the crew busy, but not so far ahead that results pile up."""
    while len(run.flying) < 2 * run.crew.width and len(run.ready) < 8 * run.crew.width:
        if run.waiting:
            piece = run.waiting.pop()
        elif run.ahead < games:
            piece = PendingChunk(run.ahead, min(games, run.ahead + run.size))
            run.ahead = piece.end
        else:
            return
        run.flying[run.crew.submit(play_chunk, run.task, piece.begin, piece.end)] = piece


def _take(run: ChunkRun, future: "Future[Chunk]") -> None:
    """Take the result of a worker; if the worker died, queue its chunk again."""
    piece = run.flying.pop(future)
    try:
        found = future.result()
    except Exception as error:
        # An error in a game recurs every time; an error in a worker does not.
        if piece.tries + 1 >= TRIES:
            raise
        run.waiting.append(_again(piece))
        if isinstance(error, BrokenExecutor):
            run.waiting += map(_again, run.flying.values())
            run.flying.clear()
            run.crew.dismiss()
        return
    if found.trouble is not None:
        raise Broken(found.trouble)
    run.ready[piece.begin] = (piece.end, found.counts)
    if not run.is_fixed:
        # Approach the target duration, but in bounded steps.
        fitting = int((piece.end - piece.begin) * SECONDS / max(found.seconds, 1e-6))
        run.size = max(1, min(MOST, 4 * run.size, fitting))


def _merge(run: ChunkRun) -> bool:
    """Merge the chunks that directly follow the merged games; return whether there were any."""
    before = run.done.games
    while run.done.games in run.ready:
        end, counts = run.ready.pop(run.done.games)
        run.done = Done(end, add(run.done.counts, counts))
    return run.done.games > before


def _again(piece: PendingChunk) -> PendingChunk:
    return PendingChunk(piece.begin, piece.end, piece.tries + 1)

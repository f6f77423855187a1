"""A number of processes -> a pool that does the work of this one, and never outlives it.

The workers ignore Ctrl-C; this process handles it and ends them. If this process is killed, it cannot end them; so
each worker watches for that, and ends itself.
"""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from threading import Thread

from rulespec import logs


def make_pool(number: int | None) -> ProcessPoolExecutor:
    """A pool of `number` processes, by default one for each core."""
    return ProcessPoolExecutor(number, initializer=_settle_in)


def stop_pool(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool at once, without waiting for their work."""
    # Python 3.14 has a method for this.
    processes = pool._processes or {}  # noqa: SLF001 - see above
    for process in list(processes.values()):
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def working_pool(number: int | None) -> Iterator[ProcessPoolExecutor]:
    """A pool for a `with` statement; an exception ends it without waiting."""
    pool = make_pool(number)
    try:
        yield pool
    except BaseException:
        stop_pool(pool)
        raise
    pool.shutdown()


def _settle_in() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logs.leave_to_parent()
    Thread(target=_outlive_nobody, daemon=True).start()


def _outlive_nobody() -> None:
    """End this process when its parent process is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)

"""An executor -> a crew that plays chunks: local processes by default, or any `concurrent.futures.Executor`."""

import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import Any, ParamSpec, TypeVar

from attrs import define

from interpreter.pools import make_pool, stop_pool

P = ParamSpec("P")
T = TypeVar("T")


@define
class Crew:
    """An executor that can be rebuilt when it breaks, and how many chunks keep it busy."""

    make: Callable[[], Executor]
    width: int
    # We wait for our own processes: otherwise they may report errors when this one ends.
    is_ours: bool = False
    executor: Executor | None = None

    def submit(self, call: Callable[..., T], *arguments: Any) -> "Future[T]":
        """Submit work to the executor, and build one if there is none."""
        if self.executor is None:
            self.executor = self.make()
        try:
            return self.executor.submit(call, *arguments)
        except BrokenExecutor:
            self.dismiss()
            self.executor = self.make()
            return self.executor.submit(call, *arguments)

    def dismiss(self) -> None:
        """Shut the executor down after its current work; the next `submit` builds a new one."""
        if self.executor is not None:
            self.executor.shutdown(wait=self.is_ours)
            self.executor = None

    def stop(self) -> None:
        """Shut the executor down at once, without waiting for its current work."""
        if isinstance(self.executor, ProcessPoolExecutor):
            stop_pool(self.executor)
            self.executor = None
        self.dismiss()


class Alone(Executor):
    """Plays in this process: the work is done when `submit` returns."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Run the call now."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whoever asks for the result is told
            future.set_exception(error)
        return future


def local_crew(jobs: int | None = None) -> Crew:
    """A crew of `jobs` processes, by default one per core; a single job runs in this process."""
    number = jobs or os.cpu_count() or 1
    if number == 1:
        return Crew(Alone, 1)
    return Crew(lambda: make_pool(number), number, is_ours=True)

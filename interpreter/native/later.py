"""C for a table as soon as it pays: what was compiled before at once, else compiled beside those who play much."""

import threading

from attrs import define

from interpreter.compiled.writing import Unsupported
from interpreter.machine import Machine
from interpreter.native.stepping import Stepping, build_stepping, fetch_stepping

MANY = 300  # games played out by Python; then it is worth the time of a compiler


@define(eq=False)
class Later:
    """Looks for C, and has it compiled once many games were played without."""

    machine: Machine
    played: int = 0
    found: Stepping | None = None
    has_looked: bool = False
    is_hopeless: bool = False  # no compiler, or rules that are not written in C
    thread: threading.Thread | None = None

    def look(self) -> Stepping | None:
        """C, if it is there by now."""
        if self.found is not None or self.is_hopeless:
            return self.found
        if not self.has_looked:
            self.has_looked = True
            try:
                self.found = fetch_stepping(self.machine)
            except Unsupported:
                self.is_hopeless = True
        elif self.thread is None and self.played >= MANY:
            self.thread = threading.Thread(target=self._compile)
            self.thread.start()
        return self.found

    def _compile(self) -> None:
        try:
            self.found = build_stepping(self.machine)
        except (Unsupported, OSError):  # a disk that is full, say: Python goes on
            self.is_hopeless = True

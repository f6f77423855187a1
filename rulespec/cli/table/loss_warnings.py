"""A question -> the options that lose the game at once, found in the background while the player thinks."""

import asyncio

from attrs import define, field

from interpreter.session import Session


@define(eq=False)
class LossWarnings:
    """The losing options of one question, once they are known, and those of which the player was warned."""

    finding: "asyncio.Task[frozenset[int]]"
    told: set[int] = field(factory=set)

    def ask(self, number: int) -> bool:
        """Whether to ask for confirmation of an option: once, and only if the search is done."""
        if not self.finding.done() or self.finding.cancelled() or self.finding.exception():
            return False
        if number in self.told or number not in self.finding.result():
            return False
        self.told.add(number)
        return True


def seek_warnings(session: Session) -> LossWarnings:
    """Begin to look for the losing options of the current question."""
    return LossWarnings(asyncio.create_task(asyncio.to_thread(session.seek_dangers())))

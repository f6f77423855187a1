"""Choices that are asked about once more, found while the player thinks."""

import asyncio

from attrs import define, field

from interpreter.session import Session


@define(eq=False)
class Warnings:
    """The dangers of one question, as soon as they are known, and those that were told."""

    finding: "asyncio.Task[frozenset[int]]"
    told: set[int] = field(factory=set)

    def ask(self, number: int) -> bool:
        """Whether to ask about an option: once, and never make anybody wait for it."""
        if not self.finding.done() or self.finding.cancelled() or self.finding.exception():
            return False
        if number in self.told or number not in self.finding.result():
            return False
        self.told.add(number)
        return True


def warn_of(session: Session) -> Warnings:
    """Look for the dangers of the question that is asked now."""
    return Warnings(asyncio.create_task(asyncio.to_thread(session.seek_dangers())))

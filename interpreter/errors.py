"""Exceptions: four ways to stop, each naming whose fault it is.

An illegal choice is the player's, a rule that cannot go on is its author's, a game that runs on without
asking anybody may be nobody's, and what should never happen is ours.
"""

from typing import Any

from rulespec.codes import Code
from rulespec.diagnostics import Diagnostic
from rulespec.rendering import render
from rulespec.source import Span


class WrongRules(ValueError):  # noqa: N818 - the rules are wrong, not this program
    """A file is no game yet; `diagnostics` say what is wrong with it."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("\n".join(render(each) for each in diagnostics))
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[type["WrongRules"], tuple[tuple[Diagnostic, ...]]]:
        """Pickle the diagnostics, so that it can go from one process to another."""
        return WrongRules, (self.diagnostics,)


class WrongOption(ValueError):  # noqa: N818 - it says what is wrong
    """An option has a value that this table does not allow."""


class IllegalMove(ValueError):  # noqa: N818 - it is no error of the program
    """Somebody chose something that is not among the options; nothing has changed."""


class RuleFault(Exception):  # noqa: N818 - as IllegalMove
    """A rule that cannot go on, its author's fault.

    `rules` are the rules that were running, the innermost first; `record` is how to get there again.
    """

    def __init__(self, code: Code, message: str, span: Span) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.rules: tuple[str, ...] = ()
        self.record: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle all fields, not only the message, so that it can go from one process to another."""
        return type(self), (self.code, self.message, self.span), self.__dict__


class LimitReached(RuleFault):
    """The game took so many steps without a question that it may never ask again."""


class Crash(AssertionError):  # noqa: N818 - as IllegalMove
    """A bug of ours."""

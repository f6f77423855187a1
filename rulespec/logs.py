"""A problem that rulespec can work around -> one line of the logger `rulespec`, once for each message.

A warning says what the user can do, and appears on standard error unless the program has set up `logging` itself. Other
lines explain why something takes longer, and appear with `rulespec -v`.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging

_is_parent = True


@cache
def warn(message: str) -> None:
    """Log a problem that the user should fix."""
    if _is_parent:
        _logger().warning(message)


@cache
def inform(message: str) -> None:
    """Log something that needs no action."""
    if _is_parent:
        _logger().info(message)


def leave_to_parent() -> None:
    """Log nothing in this worker process: its parent meets the same problems and logs them."""
    global _is_parent  # noqa: PLW0603 - a process has one parent
    _is_parent = False


@contextmanager
def all_shown() -> Iterator[None]:
    """Show all lines on standard error."""
    import logging  # noqa: PLC0415 - as in `_logger`

    class OnErrors(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            # Looked up each time, because a full-screen program may replace it.
            print(f"rulespec: {record.getMessage()}", file=sys.stderr)  # noqa: T201

    logger, handler = _logger(), OnErrors()
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)


def _logger() -> "logging.Logger":
    # Imported when there is something to log: most commands log nothing.
    import logging  # noqa: PLC0415

    return logging.getLogger("rulespec")

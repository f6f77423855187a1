"""How long the soak is: `make soak` tries all kinds of things in well under an hour, `make soak TIMES=10` ten times as many."""

import os

TIMES = int(os.environ.get("SOAK_TIMES", "1"))


def some(number: int) -> int:
    """A tenth of a number, or as many times that as was asked for."""
    return max(1, number * TIMES // 10)

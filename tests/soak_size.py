"""How long the soak is: `make soak` tries all kinds of things within half an hour or so, `make soak TIMES=20` twenty times as many."""

import os

TIMES = int(os.environ.get("SOAK_TIMES", "1"))


def some(number: int) -> int:
    """A twentieth of a number, or as many times that as was asked for."""
    return max(1, number * TIMES // 20)

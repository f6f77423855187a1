"""How much is tried: a little in `make test`, more in `make check`, and as much as is asked for in the soak.

Every promise is held to in `make test`; what grows is how often. `make soak` tries all kinds of things within
half an hour or so, `make soak TIMES=20` twenty times as many.
"""

import os

CHECKING = os.environ.get("RULESPEC_TRIES") == "check"
TIMES = int(os.environ.get("SOAK_TIMES", "1"))


def tries(test: int, check: int) -> int:
    """How often `make test` tries a thing, or `make check`."""
    return check if CHECKING else test


def some(number: int) -> int:
    """Of what only the soak does: a twentieth of a number, or as many times that as was asked for."""
    return max(1, number * TIMES // 20)

"""How much is tried: a little in `make test` and `make check`, more in the soak, and as much as is asked for.

Every promise is held to in `make test`; what grows is how often. `make soak` tries the same things more often, and
then all kinds of things within half an hour or so, `make soak TIMES=20` twenty times as many.
"""

import os
from collections.abc import Collection
from typing import Any

import pytest

TIMES = int(os.environ.get("SOAK_TIMES", "0"))
SOAKING = TIMES > 0


def tries(usual: int, *, soak: int) -> int:
    """How often a thing is tried, or in the soak."""
    return soak if SOAKING else usual


def few(cases: Collection[Any], usual: int) -> list[Any]:
    """Cases to try: so many of them, well spread, always, and the others in the soak."""
    chosen = {number * len(cases) // usual for number in range(usual)}
    found = []
    for number, case in enumerate(cases):
        given = case if hasattr(case, "marks") else pytest.param(*_values(case))
        marks = given.marks if number in chosen else (*given.marks, pytest.mark.soak)
        found.append(pytest.param(*given.values, marks=marks, id=given.id))
    return found


def _values(case: Any) -> tuple[Any, ...]:
    return case if type(case) is tuple else (case,)


def few_alone(cases: Collection[Any], usual: int) -> list[Any]:
    """As `few`, of cases that are single values, though they may be tuples."""
    return few([case if hasattr(case, "marks") else (case,) for case in cases], usual)


def some(number: int) -> int:
    """Of what only the soak does: a twentieth of a number, or as many times that as was asked for."""
    return max(1, number * max(1, TIMES) // 20)

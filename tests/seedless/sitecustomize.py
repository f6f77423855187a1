"""Found through PYTHONPATH by every command that a test runs: a game that is started without a seed fails."""

import secrets
from typing import NoReturn


def refuse(_below: int) -> NoReturn:
    raise AssertionError("a test has started a game without a seed")


secrets.randbelow = refuse

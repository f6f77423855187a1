"""Parse time of each shipped game, and the start-up of the command, each beside a yardstick.

Seconds differ from machine to machine; the ratios say more. The yardstick of a parse is Python's own
parser on as many characters of Python, that of the start-up an interpreter that does nothing.
"""

import ast
import inspect
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rulespec.loading import MECHANISMS, shipped_games
from rulespec.source import Source
from rulespec.syntax import nodes
from rulespec.syntax.formatter import format_source
from rulespec.syntax.parser import parse

ROUNDS = 15
PARSE_AIM = 50  # milliseconds
START_AIM = 200


def milliseconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The best of several runs: what disturbs a run only makes it longer."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def bench_parsing() -> None:
    python = inspect.getsource(nodes)
    a_character = milliseconds(lambda: ast.parse(python)) / len(python)
    print(f"{'file':18}{'characters':>11}{'parse ms':>10}{'format ms':>11}{'× ast.parse':>13}")
    for path in [*shipped_games(), *sorted(MECHANISMS.glob("*.rules"))]:
        source = Source(path.name, path.read_text("utf-8"))
        size = len(source.text)
        parsing = milliseconds(lambda source=source: parse(source))
        formatting = milliseconds(lambda source=source: format_source(source), 5)
        over = "  over the aim" if parsing > PARSE_AIM else ""
        print(
            f"{path.name:18}{size:11,}{parsing:10.1f}{formatting:11.1f}{parsing / size / a_character:13.1f}{over}"
        )
    print(f"aim: below {PARSE_AIM} ms a game, warm\n")


def bench_start() -> None:
    command = Path(sys.executable).with_name("rulespec")
    rows = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "rulespec --help": [command, "--help"],
        "rulespec check sins.rules": [command, "check", "sins.rules"],
    }
    bare = 0.0
    print(f"{'command':28}{'ms':>8}{'× bare':>9}")
    for name, words in rows.items():
        taken = milliseconds(
            lambda words=words: subprocess.run(words, capture_output=True, check=True)
        )
        bare = bare or taken
        print(f"{name:28}{taken:8.0f}{taken / bare:9.1f}")
    print(f"aim: `rulespec --help` below {START_AIM} ms")


if __name__ == "__main__":
    bench_parsing()
    bench_start()

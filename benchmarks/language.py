"""Time to parse, to format and to check each shipped game, and the start-up of the command, each beside a yardstick.

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

from rulespec.checking.layers import forget_trees, stack_layers
from rulespec.checks import MECHANISM_PASSES, PASSES, check, check_stack
from rulespec.loading import MECHANISMS, shipped_game_files
from rulespec.source import Source
from rulespec.syntax import nodes
from rulespec.syntax.formatter import format_source
from rulespec.syntax.parser import parse

ROUNDS = 15
PARSE_AIM = 50  # milliseconds
CHECK_AIM = 150
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
    heads = ("characters", "parse ms", "× ast.parse", "format ms", "check ms", "+ variants")
    print(f"{'file':18}" + "".join(f"{head:>13}" for head in heads))
    for path in [*shipped_game_files(), *sorted(MECHANISMS.glob("*.rules"))]:
        source = Source(path.name, path.read_text("utf-8"))
        size = len(source.text)
        parsing = milliseconds(lambda source=source: parse(source))
        formatting = milliseconds(lambda source=source: format_source(source), 5)
        checking = milliseconds(lambda path=path, source=source: check_alone(path, source), 7)
        with_all = milliseconds(lambda path=path, source=source: check_all(path, source), 7)
        over = "  over the aim" if parsing > PARSE_AIM or checking > CHECK_AIM else ""
        yardstick = parsing / size / a_character
        print(
            f"{path.name:18}{size:13,}{parsing:13.1f}{yardstick:13.1f}{formatting:13.1f}"
            f"{checking:13.1f}{with_all:13.1f}{over}"
        )
    print(f"aim, warm: parse below {PARSE_AIM} ms, parse and check below {CHECK_AIM} ms a game\n")


def check_alone(path: Path, source: Source) -> None:
    """Parse and check a game without its variants, as if the files had never been seen."""
    forget_trees()
    stack = stack_layers(path, source)
    check_stack(stack, MECHANISM_PASSES if stack.slots else PASSES)


def check_all(path: Path, source: Source) -> None:
    """The same with each of its variants, as the command does."""
    forget_trees()
    check(path, source)


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

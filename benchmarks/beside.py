"""Our engine beside the generated C of an earlier checkout, by turns in one run: `engine.py --beside PATH`.

The last commit with generated C is cda07bb. That checkout plays in a process of its own, which measures itself with its
own `benchmarks/`: one line asks for a measurement, one line answers with seconds of computing.

The same seed is not the same game in both: C drew the choices of random players from a Mersenne Twister, which it
seeded for every game, and ours draws them from a generator of a few instructions. The rules and the length of games are
the same, so the time of a game, all in all, is what is compared.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

TABLES = (("sins", 4), ("seven7s", 4), ("siegel", 4), ("deadlies", 4))
# What is measured, how many times as long as C it may take, and how many games it takes.
WHAT = (
    ("whole game", 1.3, 300),
    ("step", None, 10),
    ("clone", None, 3),
    ("ready, cold", None, 0),
    ("ready, from the cache", None, 0),
)


def measure(whole: Any, stepped: Any, what: str, games: int) -> float:
    """Seconds of computing: for a whole game, for a step or a clone, or to be ready."""
    from measuring import clone_seconds, seconds_for  # noqa: PLC0415 - of either checkout

    decisions: list[int] = []
    match what:
        case "whole game":
            return seconds_for(lambda: whole.play(range(games))) / games
        case "step":
            taken = seconds_for(lambda: decisions.append(stepped.play(range(games))))
            return taken / decisions[0]
        case "clone":
            return clone_seconds(stepped.steps, 0.5, 1, games)
        case "ready, cold":
            return seconds_for(whole.load)
    return seconds_for(whole.again)


# ---- Here ----------------------------------------------------------------------------------------


def compare(checkout: str, names: list[str], rounds: int) -> list[dict[str, Any]]:
    """One row for each game and measurement: the best of some rounds of either, and ours to C."""
    from contenders import stepped, whole  # noqa: PLC0415 - the other process has others

    rows = []
    with other_checkout(checkout) as theirs:
        for table in [each for each in TABLES if each[0] in names]:
            ours = partial(measure, whole(*table), stepped(*table))
            for what, aim, games in WHAT:
                # Short slices, and many of them: some are disturbed by nobody.
                times = 10 * rounds if games else rounds
                pairs = [(ours(what, games), theirs(table, what, games)) for _ in range(times)]
                mine, yours = (min(each) for each in zip(*pairs, strict=True))
                rows.append(
                    {
                        "game": f"{table[0]}, {table[1]} players",
                        "what": what,
                        "wasm_us": round(1e6 * mine, 3),
                        "c_us": round(1e6 * yours, 3),
                        "ratio": round(mine / yours, 3),
                        "aim": aim,
                    }
                )
    return rows


def print_comparison(rows: list[dict[str, Any]]) -> None:
    print(f"\n{'':20}{'beside generated C':26}{'wasm µs':>14}{'C µs':>14}{'ratio':>9}{'most':>9}")
    for row in rows:
        line = f"{row['game']:20}{row['what']:26}{row['wasm_us']:14,.2f}{row['c_us']:14,.2f}"
        said = ""
        if row["aim"] is not None:
            within = row["ratio"] <= row["aim"]
            said = f"{row['aim']:7.1f} ×   {'within the limit' if within else 'BEYOND THE LIMIT'}"
        print(f"{line}{row['ratio']:7.2f} ×{said}")


@contextmanager
def other_checkout(checkout: str) -> Iterator[Callable[..., float]]:
    """What measures in a process of the other checkout, as `measure` does here."""
    folder = Path(checkout).resolve()
    places = os.pathsep.join([str(folder / "benchmarks"), str(folder)])
    with subprocess.Popen(
        [sys.executable, "-P", __file__],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": places},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:

        def listen() -> Any:
            line = process.stdout.readline() if process.stdout else ""
            if not line:
                raise SystemExit("the other checkout has no generated C, or cannot compile it")
            return json.loads(line)

        def ask(*words: Any) -> float:
            print(json.dumps(words), file=process.stdin, flush=True)
            seconds: float = listen()
            return seconds

        listen()
        yield ask


# ---- There ---------------------------------------------------------------------------------------


def serve() -> None:
    """Measure what is asked for, in the checkout that is on the path."""
    from contenders import in_c, stepped_in_c  # noqa: PLC0415 - those of the other checkout

    made: dict[tuple[str, int], Any] = {}
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        (name, players), what, games = json.loads(line)
        if (name, players) not in made:
            made[name, players] = in_c(name, players), stepped_in_c(name, players)
        print(json.dumps(measure(*made[name, players], what, games)), flush=True)


if __name__ == "__main__":
    serve()

"""What it costs the reference machine to keep a record and to store a state, beside playing alone.

Figures are taken side by side in one run, best of several: read the ratios, the machines are noisy.
"""

import time
from collections.abc import Callable
from random import Random
from typing import Any

from interpreter.game_loading import load
from interpreter.machine import Machine, apply, start
from interpreter.state import OVER
from interpreter.stored import from_bytes, from_json, to_bytes, to_json

GAMES = (("sins", 4), ("seven7s", 3), ("siegel", 4), ("deadlies", 4))
ROUNDS = 5


def playthroughs(machine: Machine, seeds: range, *, watched: bool) -> int:
    """Play games with arbitrary, fixed choices; how many decisions that were."""
    count = 0
    for seed in seeds:
        state = start(machine, seed, watched=watched)
        random = Random(seed).random
        while state.phase != OVER:
            apply(machine, state, int(random() * len(state.pending.options)))
            count += 1
    return count


def best(do: Callable[[], Any], times: int) -> float:
    """Seconds that one call takes, the best of some rounds."""
    found = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        for _ in range(times):
            do()
        found.append((time.process_time() - begin) / times)
    return min(found)


def rate(machine: Machine, *, watched: bool) -> float:
    found = []
    for n in range(ROUNDS):
        begin = time.process_time()
        count = playthroughs(machine, range(n * 10, n * 10 + 10), watched=watched)
        found.append(count / (time.process_time() - begin))
    return max(found)


def main() -> None:
    print(
        f"{'':10} {'decisions/s':>12} {'µs each':>8} {'watched':>8} {'clone µs':>9} "
        f"{'to JSON µs':>11} {'from':>6} {'to bytes µs':>12} {'from':>6} {'load ms':>8}"
    )
    for name, players in GAMES:
        file = f"{name}.rules"
        seconds = best(lambda file=file, players=players: load(file).machine(players), 1)
        machine = load(file).machine(players)
        plain, watched = rate(machine, watched=False), rate(machine, watched=True)
        state = start(machine, 1)
        for _ in range(20):
            apply(machine, state, 0)
        text, data = to_json(machine, state), to_bytes(machine, state)
        row = [
            best(state.clone, 2000),
            best(lambda m=machine, s=state: to_json(m, s), 200),
            best(lambda m=machine, t=text: from_json(m, t), 200),
            best(lambda m=machine, s=state: to_bytes(m, s), 200),
            best(lambda m=machine, d=data: from_bytes(m, d), 200),
        ]
        clone, to_text, from_text, to_data, from_data = (each * 1e6 for each in row)
        print(
            f"{name:10} {plain:12,.0f} {1e6 / plain:8.1f} {watched / plain:7.2f}x {clone:9.2f} "
            f"{to_text:11.0f} {from_text:6.0f} {to_data:12.0f} {from_data:6.0f} "
            f"{seconds * 1000:8.0f}"
        )


if __name__ == "__main__":
    main()

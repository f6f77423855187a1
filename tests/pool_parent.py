"""A program with a pool of workers that never come to an end by themselves; it says when they are at work."""

import signal
import sys

from interpreter.pools import make_pool


def work():
    """Say so, and wait for ever; as a worker that is at a long game."""
    sys.stdout.write("at work\n")
    sys.stdout.flush()
    while True:
        signal.pause()


if __name__ == "__main__":
    pool = make_pool(2)
    for _ in range(2):
        pool.submit(work)
    while True:
        signal.pause()

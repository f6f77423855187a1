"""How long it takes from pressing Return to the first whole screen of a game, in a terminal of 80 × 24.

    python benchmarks/first_screen.py sins.rules
    python benchmarks/first_screen.py            # the start screen

The command runs in a pseudo-terminal and is ended as soon as its last line, with the keys, is on the
screen. It is told by the clock and by the processor: on a busy machine only the second says anything of
the program. Byte code is written by a first run that does not count, so everything is warm.
"""

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path
from statistics import median

KEYS = b"leave"  # in the last line of every screen
ROWS, COLUMNS = 24, 80
PATIENCE = 60.0  # seconds
RULESPEC = str(Path(sys.executable).parent / "rulespec")


def first_screen(command: list[str], state: str) -> tuple[float, float]:
    """Seconds by the clock and of the processor, until the whole screen is there."""
    environment = {**os.environ, "TERM": "xterm-256color", "RULESPEC_STATE": state}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    begin = time.monotonic()
    child, terminal = pty.fork()
    if not child:
        os.execvpe(command[0], command, environment)  # noqa: S606 - there is no shell in between
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        shown = b""
        while KEYS not in shown:
            if not select.select([terminal], [], [], PATIENCE)[0]:
                raise TimeoutError(shown.decode("utf-8", "replace"))
            shown += os.read(terminal, 1 << 16)
        return time.monotonic() - begin, _processor_seconds(child)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def _processor_seconds(process: int) -> float:
    """What a process has used so far, as Linux tells it."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure, and print the best and the median."""
    parser = argparse.ArgumentParser(
        description="How long it takes until there is something to play."
    )
    parser.add_argument("file", nargs="?")
    parser.add_argument("--times", type=int, default=9)
    chosen = parser.parse_args()
    # Whoever begins is asked at once: no bot is waited for.
    more = [chosen.file, "--seed", "7", "--first", "You"] if chosen.file else []
    with tempfile.TemporaryDirectory() as state:
        rounds = [first_screen([RULESPEC, "play", *more], state) for _ in range(chosen.times + 1)]
    for name, values in zip(("clock", "processor"), zip(*rounds[1:], strict=True), strict=True):
        print(f"{name:10} best {min(values):.2f} s, median {median(values):.2f} s")


if __name__ == "__main__":
    main()

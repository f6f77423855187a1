"""Take the pictures of the home page: `make pictures`, after `make docs`.

The terminal is drawn by Textual, the playground by Chromium; both show the same moment of the same game.
"""

import asyncio
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "docs" / "assets"
sys.path.insert(0, str(ROOT / "tests"))  # the hands that drive both tables

from interpreter.match import load  # noqa: E402
from interpreter.session import Seat, begin  # noqa: E402
from rulespec.cli.table.app import TableApp  # noqa: E402

MOVES = 9
_FONTS = re.compile(r"@font-face \{.*?\}", re.DOTALL)  # which would be fetched from another host


def draw_terminal() -> str:
    """The table of The Sins after some turns, as SVG that needs nothing else."""
    seats = [Seat("You"), Seat("Ben", "easy"), Seat("Cleo", "easy")]
    app = TableApp(begin(load("sins.rules"), seats, seed=3, keep=False), pause=0)

    async def run() -> str:
        async with app.run_test(size=(110, 34)) as pilot:
            for _ in range(MOVES):
                await pilot.pause(2)
                await pilot.press("enter")
            await pilot.pause(2)
            return str(app.export_screenshot(title="rulespec play sins.rules"))

    return _FONTS.sub("", asyncio.run(run()))


def main() -> None:
    """Write both."""
    (ASSETS / "table.svg").write_text(draw_terminal(), "utf-8")


if __name__ == "__main__":
    main()

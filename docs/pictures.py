"""Take the pictures of the home page: `make pictures`, after `make docs`.

The terminal is drawn by Textual, the playground by Chromium; both play the same game of The Sins.
"""

import asyncio
import base64
import random
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "docs" / "assets"
sys.path.insert(0, str(ROOT / "tests"))  # `browser`, `playground_hands` and `site_pages`

from browser import Browser
from interpreter.game_loading import load
from interpreter.session import Seat, begin
from playground_hands import make_move, open_playground, settle, start_game
from rulespec.cli.table.app import TableApp
from site_pages import serve

TURNS = 4  # each of two choices
# Textual's fonts, which the browser would fetch from another host, and its comments.
_LEFT_OUT = re.compile(r"@font-face \{.*?\}|<!--.*?-->", re.DOTALL)


def draw_terminal() -> str:
    """The table after some turns, as SVG that needs nothing else."""
    seats = [Seat("You"), Seat("Ben", "easy"), Seat("Cleo", "easy")]
    app = TableApp(begin(load("sins.rules"), seats, seed=3, keep=False), pause=0)

    async def play() -> str:
        async with app.run_test(size=(100, 32)) as pilot:
            for _ in range(2 * TURNS):
                while not app.is_asking:
                    await pilot.pause(0.05)
                await pilot.press("enter")
            while not app.is_asking:
                await pilot.pause(0.05)
            await pilot.pause(0.5)
            return str(app.export_screenshot(title="rulespec play sins.rules"))

    return _LEFT_OUT.sub("", asyncio.run(play()))


def photograph_playground(site: Path) -> bytes:
    """The playground after some turns."""
    chance = random.Random(5)  # noqa: S311 - a game needs no secrecy
    with (
        tempfile.TemporaryDirectory() as profile,
        serve(site) as address,
        Browser(Path(profile)) as browser,
    ):
        page = browser.open_page()
        page.prefer("light")
        page.resize(1400, 900)
        open_playground(page, address)
        start_game(page, 3, ["human", "easy", "easy"])
        for _ in range(2 * TURNS):
            make_move(page, chance)
        settle(page)
        taken = page.send("Page.captureScreenshot", format="png")
    return base64.b64decode(taken["data"])


def main() -> None:
    """Write both."""
    (ASSETS / "table.svg").write_text(draw_terminal(), "utf-8")
    (ASSETS / "playground.png").write_bytes(photograph_playground(ROOT / "site"))


if __name__ == "__main__":
    main()

"""The pictures of the story in docs/tutorial/verdict.md are those of its games.

`ACCEPT=1` writes them. What the story shows as text is tested with the other pages, in test_docs.py.
"""

import os
import re
from pathlib import Path

import pytest

from interpreter.game_loading import load
from interpreter.lab import html_report
from interpreter.lab.comparison import Contender, compare
from interpreter.lab.crews import local_crew
from interpreter.lab.plot_styles import DARK, LIGHT, PLOTS
from interpreter.lab.simulation import Plan
from interpreter.lab.studies import Study

FOLDER = Path(__file__).parent.parent / "docs" / "tutorial"
NAMES = {"shares": "Change of shares", "scores": "Scores of all sides"}


@pytest.fixture(scope="module")
def plots():
    sides = [
        Contender("sins", load("sins.rules")),
        Contender("steep_sins", load("steep_sins.rules")),
    ]
    page = html_report.page(compare(sides, Plan(3_000, (3,)), Study(local_crew(1))))
    found = re.findall(r"<svg .*?</svg>", page, re.DOTALL)
    return {
        name: next(each for each in found if f"<title>{title}" in each)
        for name, title in NAMES.items()
    }


def picture(plot, colours):
    """A plot as a file of its own."""
    opening, rest = plot.split(">", 1)
    width, height = map(int, re.findall(r"\d+", opening)[-2:])
    room = f'xmlns="http://www.w3.org/2000/svg" viewBox="-12 -8 {width + 24} {height + 16}" width="{width + 24}"'
    style = f"{PLOTS}svg {{ background: var(--card); {colours} }}"
    return f'<svg {room} role="img"><style>{style}</style>{rest}\n'


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("scheme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_the_pictures_of_the_story_are_those_of_its_games(plots, name, scheme, colours):
    path = FOLDER / f"verdict-{name}-{scheme}.svg"
    drawn = picture(plots[name], colours)
    if os.environ.get("ACCEPT"):
        path.write_text(drawn, "utf-8")

    assert path.name in (FOLDER / "verdict.md").read_text("utf-8")
    assert drawn == path.read_text("utf-8")

"""The table driven by keys, and its screen as text: what a person would do and see."""

import asyncio
import random
import time
from pathlib import Path

from games import shipped
from interpreter.session import Seat, begin
from interpreter.shown.selection import may_tick
from rulespec.cli.table.app import TableApp
from rulespec.cli.table.number_keys import key_of
from rulespec.cli.table.result_screen import ResultScreen
from rulespec.cli.table.text_screens import Curtain, Page

KEPT = Path(__file__).parent / "table_screens"
LONGEST_WAIT = 120  # seconds until something must have happened, on however busy a machine


def table(file, people=("Ada",), bots=("Ben", "Cleo"), *, seed=3, kind="random", **more):
    """An app at a new table, which is not kept on disk; bots do not make us wait, unless a pause is asked for."""
    pause = more.pop("pause", 0)
    game = shipped(file, more.pop("variants", ()))
    seats = [*(Seat(name) for name in people), *(Seat(name, kind) for name in bots)]
    return TableApp(begin(game, seats, seed=seed, keep=False, **more), pause=pause)


def chance(seed):
    """Chance that is always the same."""
    return random.Random(seed)  # noqa: S311 - a game needs no secrecy


def on_screen(app, scenario, size=(80, 24)):
    """Run a scenario with an app and its pilot."""

    async def run():
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            return await scenario(pilot)

    return asyncio.run(run())


def text_of(app):
    """What is on the screen, line by line."""
    strips = app.screen._compositor.render_strips(app.size)  # noqa: SLF001 - there is no other way
    return "\n".join("".join(part.text for part in strip).rstrip() for strip in strips) + "\n"


def _is_waiting(app):
    """Whether somebody must do something."""
    is_shown = isinstance(app.screen, ResultScreen | Curtain | Page)
    return is_shown or app.is_asking or app.is_passing or not app.is_running


async def settle(pilot):
    """Wait until somebody must do something, and everything is drawn."""
    await pilot.pause()
    await until(lambda: _is_waiting(pilot.app))
    await pilot.pause()


async def sit_down(pilot):
    """Wait for the first question, and look at the screen."""
    await settle(pilot)
    if isinstance(pilot.app.screen, Curtain):
        await press(pilot, "enter")


async def until(is_so):
    """Wait until something is so. The limit is for what never comes, not for what comes late."""
    end = time.monotonic() + LONGEST_WAIT
    while not is_so():
        assert time.monotonic() < end, "nothing happens any more"
        await asyncio.sleep(0.001)


async def until_shown(app, text):
    """Wait until a text is on the screen."""
    await until(lambda: text in text_of(app))


async def until_on(app, screen):
    """Wait until such a screen is there, and drawn."""
    await until(lambda: isinstance(app.screen, screen) and app.screen.is_mounted)


async def until_open(app):
    """Wait until the result is there, and keys are meant for it."""
    await until(lambda: isinstance(app.screen, ResultScreen) and app.screen.is_open)


async def press(pilot, *keys):
    """Press keys one by one, and wait until somebody must do something."""
    for key in keys:
        await pilot.press(key)
    await settle(pilot)


async def _hit(app, key):
    """Press a key that must have an effect; much faster than a pilot, who waits for a quiet machine."""

    def state():
        screen = app.game_screen
        ticked = None if screen.selection is None else screen.selection.chosen
        return len(app.session.match.choices), ticked, app.screen, app.session

    before, typed = state(), app.game_screen.typed
    app.simulate_key(key)
    # A number that is complete is taken off at once, and answered a moment later.
    await until(lambda: state() != before or app.game_screen.typed not in ("", typed))
    await until(lambda: _is_waiting(app))


async def answer(pilot, chance):
    """Answer a question by keys alone, at random."""
    screen = pilot.app.game_screen
    offer = screen.sight.offer
    if screen.selection is None:
        place = chance.randrange(offer.count)
        await _number(pilot, key_of(offer, place))
        return
    while not screen.selection.is_complete or (
        screen.selection.growth.more and chance.random() < 0.3
    ):
        lit = [n for n, item in enumerate(offer.items) if may_tick(screen.selection, item.number)]
        await _number(pilot, key_of(offer, chance.choice(lit)))
    await _hit(pilot.app, "enter")


async def _number(pilot, key):
    if not key:  # what is declined among numbers has none
        await press(pilot, "end", "enter")
        return
    for digit in key:
        await _hit(pilot.app, digit)
    if pilot.app.game_screen.typed:
        await _hit(pilot.app, "enter")


async def play_to_the_end(pilot, chance):
    """Answer whatever is asked until the result is shown; how often that was."""
    count = 0
    await settle(pilot)
    while not isinstance(pilot.app.screen, ResultScreen):
        if isinstance(pilot.app.screen, Curtain) or pilot.app.is_passing:
            await _hit(pilot.app, "enter")
        else:
            await answer(pilot, chance)
            count += 1
    return count

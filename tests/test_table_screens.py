"""The table on a screen, driven by keys and clicks; and its main screens as they were looked at and kept.

`ACCEPT=1` writes the screens in `table_screens/` anew.
"""

import os
import threading
import time

import pytest
from textual import events

from games import BRINK, from_text
from interpreter.game_loading import load
from interpreter.saves import BadSave
from interpreter.session import Seat, begin
from interpreter.shown.player_aids import card_description as text_of_card
from interpreter.shown.result_lines import lay_criteria
from interpreter.shown.subjects import OfCards, OfElement
from rulespec.cli import FINE, WRONG_RULES
from rulespec.cli.table.app import TableApp
from rulespec.cli.table.controls import OfLine
from rulespec.cli.table.game_screen import GameScreen
from rulespec.cli.table.lookback import Lookback
from rulespec.cli.table.menu import PLAY, UnfinishedGame, seats_of
from rulespec.cli.table.number_keys import key_of
from rulespec.cli.table.result_screen import ResultScreen
from rulespec.cli.table.start import Games, NamePage, Settings, StartApp
from rulespec.cli.table.text_screens import (
    Curtain,
    FaultPage,
    GamePage,
    KeysPage,
    ReasonPage,
    StoryPage,
)
from sizes import few
from table_screens import (
    KEPT,
    chance,
    on_screen,
    play_to_the_end,
    press,
    settle,
    sit_down,
    table,
    text_of,
    until,
    until_on,
    until_open,
    until_shown,
)

LAST_GAMES = ("deadlies.rules", "seven7s.rules", "siegel.rules", "sins.rules")  # as they are listed


@pytest.fixture(autouse=True)
def _quiet_terminal(monkeypatch):
    """Whatever terminal the tests are run in."""
    for name in ("NO_COLOR", "COLORFGBG"):
        monkeypatch.delenv(name, raising=False)


# ---- Screens that were looked at -----------------------------------------------------------------


def expect_screen(name, app):
    text = text_of(app)
    path = KEPT / f"{name}.txt"
    if os.environ.get("ACCEPT"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


def test_the_table_on_a_small_screen_is_as_it_was_written():
    async def scenario(pilot):
        await settle(pilot)
        for _ in range(3):
            await press(pilot, "1")

        expect_screen("table-80x24", pilot.app)

    on_screen(table("deadlies.rules"), scenario)


def test_the_table_on_a_large_screen_is_as_it_was_written():
    async def scenario(pilot):
        await settle(pilot)
        for _ in range(3):
            await press(pilot, "1")

        expect_screen("table-120x40", pilot.app)

    on_screen(table("deadlies.rules"), scenario, (120, 40))


@pytest.mark.parametrize(
    ("name", "file"), [("columns-200x50", "seven7s.rules"), ("around-200x50", "siegel.rules")]
)
def test_a_very_large_table_with_players_around_it_is_as_it_was_written(name, file):
    async def scenario(pilot):
        await settle(pilot)
        for _ in range(6):
            await press(pilot, "1")

        expect_screen(name, pilot.app)

    on_screen(table(file, bots=("Ben", "Cleo", "Dan")), scenario, (200, 50))


def test_a_table_of_many_cards_is_as_it_was_written():
    async def scenario(pilot):
        await settle(pilot)

        expect_screen("table-many-80x24", pilot.app)

    on_screen(table("siegel.rules", bots=("Ben", "Cleo", "Dan", "Eva")), scenario)


def test_ticking_is_as_it_was_written():
    async def scenario(pilot):
        await begin_to_tick(pilot)

        expect_screen("ticking", pilot.app)

    on_screen(table("deadlies.rules", seed=5, first=0), scenario)


def test_the_curtain_is_as_it_was_written():
    async def scenario(pilot):
        await settle(pilot)

        expect_screen("curtain", pilot.app)

    on_screen(table("sins.rules", ("Ada", "Ben"), (), first=1), scenario)


def test_keys_reasons_and_story_are_as_they_were_written():
    async def scenario(pilot):
        await settle(pilot)
        await press(pilot, "f1")
        expect_screen("keys", pilot.app)
        await press(pilot, "escape", "question_mark")
        expect_screen("reason", pilot.app)
        await press(pilot, "escape", "l")
        expect_screen("story", pilot.app)

    on_screen(table("sins.rules", bots=("Ben",)), scenario)


def test_the_result_is_as_it_was_written():
    async def scenario(pilot):
        await play_to_the_end(pilot, chance(1))
        await until_shown(pilot.app, "r play again")

        expect_screen("result", pilot.app)

    on_screen(table("sins.rules", bots=("Ben",)), scenario)


def test_the_start_is_as_it_was_written():
    async def scenario(pilot):
        expect_screen("start", pilot.app)

    on_screen(StartApp(never), scenario)


def test_a_terminal_that_is_too_small_is_told_so_as_it_was_written():
    async def scenario(pilot):
        await settle(pilot)
        expect_screen("too-small", pilot.app)

        await pilot.press("1", "enter")
        assert pilot.app.session.match.choices == []
        await pilot.resize_terminal(80, 24)
        await until_shown(pilot.app, "Which sin do you take?")
        await press(pilot, "enter")
        assert len(pilot.app.session.match.choices) == 1

    on_screen(table("sins.rules", bots=("Ben",), first=0), scenario, (50, 12))


# ---- Whole games ---------------------------------------------------------------------------------

# Each with a seed of a short game.
ALL = [
    ("sins.rules", (), 11),
    ("sins.rules", ("variant penitenziagite",), 11),
    ("seven7s.rules", (), 11),
    ("deadlies.rules", (), 3),
    ("deadlies.rules", ("variant sixth_player",), 7),
    ("siegel.rules", ("option rounds",), 11),
    ("siegel.rules", ("option rounds", "variant open_tricks"), 11),
]


def never(wish):
    """Nobody sits down."""
    raise AssertionError(wish)


async def fill_in(pilot, file, lines):
    """From the list of games to the game: settings by keys, then Enter."""
    await pilot.press(*["down"] * LAST_GAMES.index(file), "enter")
    await until_on(pilot.app, Settings)
    screen = pilot.app.screen
    await until(lambda: screen.sheet("start").subjects)
    wanted = [*lines, *(f"seat {n}" for n in range(1, 6))]
    for name in wanted:
        sheet = screen.sheet("start")
        if OfLine(name) in sheet.subjects:
            while sheet.pointed != OfLine(name):
                await pilot.press("down" if sheet.subjects.index(OfLine(name)) else "up")
            await pilot.press("right")
            number = int(name[-1]) if name.startswith("seat") else 0
            while number and screen.form.kinds[number] != "easy":
                await pilot.press("right")
            await pilot.press("home")
    assert screen.sheet("start").pointed == OfLine(PLAY)
    await pilot.press("enter")


@pytest.mark.parametrize(
    ("file", "lines", "seed"), few(ALL, 2), ids=lambda each: str(each).replace("'", "")
)
def test_a_whole_game_from_the_start_screen_to_the_result_by_keys(file, lines, seed):
    wishes = []

    def sit_down(choice):
        wishes.append(choice)
        game = load(choice.file, choice.variants, dict(choice.options))
        assert {seat.kind for seat in choice.seats[1:]} == {"easy"}
        seats = [choice.seats[0], *(Seat(seat.name, "random") for seat in choice.seats[1:])]
        return begin(game, seats, seed=seed, keep=False)

    app = StartApp(sit_down, pause=0)

    async def scenario(pilot):
        await fill_in(pilot, file, lines)
        await until_on(app, GameScreen)
        (choice,) = wishes
        assert choice.file.endswith(file)
        assert {f"variant {name}" for name in choice.variants} == {
            line for line in lines if line.startswith("variant")
        }
        assert await play_to_the_end(pilot, chance(2)) > 5
        await until_shown(app, "win")
        await press(pilot, "question_mark")
        await until_on(app, ReasonPage)
        await pilot.press("escape")
        await until_open(app)
        await pilot.press("escape")
        await until_on(app, GameScreen)
        await until_shown(app, "The game is over.")
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ResultScreen)
        await pilot.press("q")

    on_screen(app, scenario)
    assert app.return_value == FINE


@pytest.mark.usefixtures("drawn_seeds")
def test_after_the_result_one_may_play_again_with_other_cards():
    app = table("sins.rules", bots=("Ben",))

    async def scenario(pilot):
        await play_to_the_end(pilot, chance(1))
        before = app.session
        await until_open(app)
        await pilot.press("r")
        await settle(pilot)
        assert app.session is not before
        assert app.session.match.seed != before.match.seed
        assert all(choice.player == "Ben" for choice in app.session.match.choices)
        assert app.screen is app.game_screen

    on_screen(app, scenario)


def test_keys_that_come_too_early_do_not_close_the_result():
    app = table("sins.rules", bots=("Ben",))

    async def scenario(pilot):
        await play_to_the_end(pilot, chance(1))
        result_screen = app.screen
        for key in ("enter", "space", "1", "r", "escape"):
            assert not result_screen.is_open
            app.simulate_key(key)
        await until_open(app)
        await pilot.press("1", "space", "2")
        assert app.screen is result_screen
        await pilot.press("escape")
        await until_on(app, GameScreen)
        await until_shown(app, "The game is over.")
        await pilot.press("enter")
        await until_on(app, ResultScreen)

    on_screen(app, scenario)


def test_a_game_that_is_over_is_looked_back_at_from_choice_to_choice():
    app = table("sins.rules", bots=("Ben",))

    async def scenario(pilot):
        await play_to_the_end(pilot, chance(1))
        count = len(app.session.match.choices)
        first = app.session.match.choices[0]
        await until_open(app)
        await pilot.press("b")
        await until_on(app, Lookback)
        await until_shown(app, f"after {count} of {count} choices")
        await until_shown(app, "Here the game was over.")
        await pilot.press("right")  # there is nothing after the end
        await pilot.press("left")
        await until_shown(app, f"after {count - 1} of {count} choices")
        await pilot.press("home")
        await until_shown(app, f"after 0 of {count} choices")
        await until_shown(app, f"→ {first.text}")
        await until_shown(app, f"{first.player}: Which sin do you take?")
        await pilot.press("pagedown", "right")
        await until_shown(app, f"after 11 of {count} choices")
        await pilot.press("escape")
        await until_on(app, ResultScreen)

    on_screen(app, scenario)


def test_the_own_outcome_is_seen_before_the_curtain_falls():
    app = table("sins.rules", ("Ada", "Ben"), (), first=0)

    async def scenario(pilot):
        await sit_down(pilot)
        await press(pilot, "1")
        await pilot.press("1")
        await until(lambda: app.is_passing)
        await until_shown(app, "Enter hides this; then pass the screen to Ben")
        assert app.game_screen.sight.viewer == 0
        assert app.game_screen.sight.offer is None
        await until_shown(app, "Ada takes")
        await pilot.press("p")
        assert app.is_passing
        await pilot.press("enter")
        await until_on(app, Curtain)
        assert app.game_screen.sight is None

    on_screen(app, scenario)


def test_the_rules_of_a_game_are_read_on_the_start_screen():
    app = StartApp(never)

    async def scenario(pilot):
        await pilot.press("g")
        await until_on(app, GamePage)
        await until_shown(app, "The Deadlies")
        await pilot.press("g")
        await until_on(app, Games)
        await pilot.press("enter")
        await until_on(app, Settings)
        await pilot.press("g")
        await until_on(app, GamePage)

    on_screen(app, scenario)


@pytest.mark.soak
def test_the_whole_result_is_read_by_scrolling():
    app = table("siegel.rules")

    async def scenario(pilot):
        await play_to_the_end(pilot, chance(1))
        await until_shown(app, "The game is over: ")
        seen = text_of(app)
        for _ in range(30):
            await pilot.press("pagedown")
            seen += text_of(app)
        await until_open(app)
        await pilot.press("left")
        return seen, app.screen.outcome

    seen, outcome = on_screen(app, scenario)

    words = " ".join(seen.split())
    assert outcome.ending in words
    for line in (line for block in lay_criteria(outcome) for line in block):
        assert " ".join(line.split()[:4]) in words


def test_bots_alone_play_to_the_end_and_are_watched():
    app = table("seven7s.rules", (), ("Ben", "Cleo"))

    async def scenario(pilot):
        await settle(pilot)
        assert isinstance(app.screen, ResultScreen)

    on_screen(app, scenario)


def test_a_game_at_one_screen_is_played_behind_curtains():
    app = table("sins.rules", ("Ada", "Ben"), ("Cleo",))

    async def scenario(pilot):
        await play_to_the_end(pilot, chance(4))

    on_screen(app, scenario)


# ---- Choosing ------------------------------------------------------------------------------------


async def begin_to_tick(pilot):
    """Cards of one colour, and the first of them."""
    await settle(pilot)
    offer = pilot.app.game_screen.sight.offer
    flush = next(n for n, item in enumerate(offer.items, 1) if "colour" in item.text)
    await press(pilot, str(flush))
    assert pilot.app.game_screen.selection is not None
    await press(pilot, "space")


def test_cards_are_ticked_and_taken():
    app = table("deadlies.rules", seed=5, first=0)

    async def scenario(pilot):
        await begin_to_tick(pilot)
        screen = app.game_screen
        assert len(screen.selection.chosen) == 1
        await pilot.press("enter")  # one card is no answer yet, and stays ticked
        await until_shown(app, "Not yet")
        first = screen.selection.chosen
        assert len(first) == 1
        while not screen.selection.is_complete:
            element = screen.selection.growth.more[0]
            screen.sheet("answers").point_at(OfElement(element))
            before = screen.selection.chosen
            await pilot.press("space")
            await until(lambda before=before: screen.selection.chosen != before)
        await until_shown(app, "take these")
        count = len(screen.selection.chosen)
        assert count > len(first)
        await press(pilot, "enter")
        assert len(app.session.match.choices) == 2
        assert len(app.session.match.choices[-1].text.split(",")) == count

    on_screen(app, scenario)


def test_a_card_that_does_not_go_with_the_others_is_refused_and_says_why():
    app = table("deadlies.rules", seed=5, first=0)

    async def scenario(pilot):
        await begin_to_tick(pilot)
        screen = app.game_screen
        lit = {*screen.selection.growth.more, *screen.selection.chosen}
        dim = next(
            n for n, item in enumerate(screen.sight.offer.items, 1) if item.number not in lit
        )
        before = screen.selection.chosen
        await pilot.press(str(dim))
        await until_shown(app, "? tells why")
        assert screen.selection.chosen == before
        await press(pilot, "question_mark")
        await until_on(app, ReasonPage)
        assert "cannot be chosen" in text_of(app)
        assert "does not go with" in text_of(app)

    on_screen(app, scenario)


def test_numbers_of_two_digits_can_be_typed():
    game = from_text("""
game "Bid"
players 2
enum Bid = a, b, c, d, e, f, g, h, i, j, k, l
rule play
  first chooses bid from Bid "Which?"
  first chooses more from Bid "And then?"
  end
""")
    app = TableApp(begin(game, [Seat("Ada"), Seat("Ben")], seed=1, first=0, keep=False), pause=0)

    async def scenario(pilot):
        await sit_down(pilot)
        await press(pilot, "1")
        assert app.session.match.choices == []
        await press(pilot, "2")
        assert [each.text for each in app.session.match.choices] == ["l"]
        await press(pilot, "1", "enter")
        assert [each.text for each in app.session.match.choices] == ["l", "a"]

    on_screen(app, scenario)


def find(app, text, sheet="board"):
    """Where a text stands in a part of the screen."""
    part = app.game_screen.sheet(sheet)
    for y, line in enumerate(text_of(app).split("\n")):
        x = line.find(text)
        if x >= 0 and part.region.contains(x, y):
            return x, y
    raise AssertionError(f"{text} is not in {sheet}")


def test_a_card_on_the_table_is_chosen_by_a_click():
    app = table("sins.rules", bots=("Ben",), first=0)

    async def scenario(pilot):
        await settle(pilot)
        sin = app.game_screen.sight.offer.items[1].text
        await pilot.click(offset=find(app, f"•{sin}"))
        await settle(pilot)
        assert [each.text for each in app.session.match.choices] == [sin]
        act = app.game_screen.sight.offer.items[1].text
        await pilot.click(offset=find(app, act, "answers"))
        await settle(pilot)
        assert app.session.match.choices[1].text == act

    on_screen(app, scenario)


def test_the_other_button_asks_why_and_a_click_beside_the_page_closes_it():
    app = table("sins.rules", bots=("Ben",), first=0)

    async def scenario(pilot):
        await settle(pilot)
        x, y = find(app, "deck")
        board = app.game_screen.sheet("board")
        x, y = x - board.region.x, y - board.region.y
        # The pilots of older Textuals have one button only.
        board.post_message(
            events.Click(board, x, y, 0, 0, button=3, shift=False, meta=False, ctrl=False)
        )
        await until_shown(app, "Nobody sees what lies here.")
        await pilot.click(offset=(0, 0))
        await until_on(app, GameScreen)
        assert app.session.match.choices == []

    on_screen(app, scenario)


def test_keys_in_the_last_line_can_be_clicked():
    app = table("sins.rules", bots=("Ben",), first=0)

    async def scenario(pilot):
        await settle(pilot)
        await pilot.click("#foot", offset=(text_of(app).split("\n")[-2].index("F1"), 0))
        await until_on(app, KeysPage)

    on_screen(app, scenario)


def test_one_key_opens_what_one_should_know_to_play():
    app = table("sins.rules", bots=("Ben",), first=0)

    async def scenario(pilot):
        await settle(pilot)
        await pilot.press("g")
        await until_on(app, GamePage)
        for text in (
            "Goal",
            "How it is played",
            "Choose a sin that lies at the centre",
            "When the third Last Judgment appears",
        ):
            await until_shown(app, text)
        await pilot.press("g")
        await until_on(app, GameScreen)
        assert app.session.match.choices == []

    on_screen(app, scenario, (100, 50))


def test_arrows_go_from_the_question_to_the_table_and_back():
    app = table("sins.rules", bots=("Ben",), first=0)

    async def scenario(pilot):
        await settle(pilot)
        await pilot.press("up")
        assert app.focused.id == "board"
        await pilot.press("down", "down", "down")
        assert app.focused.id == "answers"
        await pilot.press("up", "up", "tab")
        assert app.focused.id == "story"
        await pilot.press("escape", "right", "enter")
        await settle(pilot)
        assert app.session.match.choices[0].number == 1

    on_screen(app, scenario)


TURNS = """
game "Turns"
players 2
state | type | start
  n   | 0..9 | 0
rule play
  repeat 6
    for p in order(first)
      p chooses number from 1..3 "How many?"
      n = number
"""


@pytest.mark.parametrize("pause", [0, 0.25, 0.5, 1, 60])
def test_a_question_is_answered_as_soon_as_it_is_seen(pause):
    seats = [Seat("Ada"), Seat("Ben", "random")]
    app = TableApp(begin(from_text(TURNS), seats, seed=1, first=1, keep=False), pause=pause)

    async def scenario(_):
        match = app.session.match
        for turn in range(6):
            await until(
                lambda: (
                    app.game_screen.sight is not None and app.game_screen.sight.offer is not None
                )
            )
            count = len(match.choices)
            assert count == 2 * turn + 1
            app.simulate_key("2")
            # A key that is dropped is never heard again.
            await until(lambda count=count: len(match.choices) > count)
            assert match.choices[count].text == "2"

    on_screen(app, scenario)


# ---- Beats ---------------------------------------------------------------------------------------


def lines_in(sight):
    return [entry.text for entry in sight.story]


def rest_for_ever(monkeypatch):
    """Every beat waits until somebody goes on."""
    monkeypatch.setattr("rulespec.cli.table.app.LONGEST_PAUSE", 3600.0)


def test_a_full_trick_rests_with_its_winner_marked_until_somebody_goes_on(monkeypatch):
    rest_for_ever(monkeypatch)
    app = table("siegel.rules", seed=4, pause=3600.0)
    screen = app.game_screen

    async def scenario(pilot):
        await until(lambda: screen.sight is not None)
        while not (screen.sight.is_past and "the trick with" in lines_in(screen.sight)[-1]):
            sight = screen.sight
            if sight.offer is not None:
                app.simulate_key("6" if sight.offer.items[0].text == "red" else "1")
                await until(lambda sight=sight: screen.sight is not sight)
            else:
                app.simulate_key("space")
                await pilot.pause()
        sight = screen.sight
        assert sight.is_past
        assert sight.offer is None
        trick = next(group for group in sight.picture.groups if group.title == "trick")
        assert all(area.stacks for area in trick.areas)
        (spot,) = sight.marks.told
        assert spot[0] in {area.zone for area in trick.areas}
        assert len(sight.marks.actors) == 1
        await until_shown(app, "★")
        count = len(app.session.match.choices)
        app.simulate_key("1")  # nothing is asked
        await pilot.pause()
        assert len(app.session.match.choices) == count
        app.simulate_key("space")
        await until(lambda: app.game_screen.sight is not sight)

    on_screen(app, scenario, (120, 40))


def test_a_key_sets_the_pace_and_the_last_line_says_it():
    app = table("sins.rules", bots=("Ben",), first=0, pause=0.001)

    async def scenario(pilot):
        await settle(pilot)
        for pace in ("normal", "fast", "no rest", "slow", "normal"):
            assert app.pace == pace
            await press(pilot, "escape")
            await until_shown(app, f"s {pace}")
            await press(pilot, "s")

    on_screen(app, scenario)


def test_one_looks_back_as_far_as_the_story_goes_and_returns_to_the_question():
    app = table("siegel.rules", seed=4)

    async def scenario(pilot):
        await settle(pilot)
        await press(pilot, "6")
        for _ in range(3):
            await press(pilot, "1")
        question = app.game_screen.sight.offer
        told = lines_in(app.game_screen.sight)
        for _ in range(4):
            await pilot.press("b")
            await until_shown(app, "Looking back")
            past = app.game_screen.sight
            assert past.offer is None
            assert lines_in(past)[:-1] == told[: len(past.story) - 1]
        await pilot.press("1")  # an answer to nothing
        await pilot.press("n")
        assert app.game_screen.sight.is_past
        await pilot.press("escape")
        await until(lambda: app.game_screen.sight.offer == question)
        assert app.is_asking

    on_screen(app, scenario)


def test_a_line_of_the_story_unfolds_and_folds():
    app = table("sins.rules", bots=("Ben",), first=0)

    async def scenario(pilot):
        await settle(pilot)
        await press(pilot, "1", "1")
        line = app.game_screen.sight.story[-1]
        assert line.details
        story = app.game_screen.sheet("story")
        story.focus()
        await pilot.press("end")
        count = len(story.rows)
        await pilot.press("enter")
        await until(lambda: len(story.rows) > count)
        assert app.game_screen.unfolded == {line.at}
        await pilot.press("enter")
        await until(lambda: len(story.rows) == count)

    on_screen(app, scenario, (120, 40))


def test_what_a_card_does_is_shown_while_it_is_pointed_at():
    app = table("deadlies.rules", seed=5, first=0)

    async def scenario(pilot):
        await settle(pilot)
        board = app.game_screen.sheet("board")
        board.focus()
        card = next(n for n in board.subjects if isinstance(n, OfCards) and n.faces)
        board.point_at(card)
        text = text_of_card(app.scene, card.faces[0])
        await until_shown(app, text[:40])

    on_screen(app, scenario, (120, 40))


def test_seats_stay_where_they_are_when_the_screen_is_passed_on():
    app = table("sins.rules", ("Ada", "Ben"), ("Cleo",), first=0)

    def seats():
        return [
            group.seat for group in app.game_screen.sight.picture.groups if group.seat is not None
        ]

    async def scenario(pilot):
        await sit_down(pilot)
        before, viewer = seats(), app.game_screen.sight.viewer
        await press(pilot, "1", "1")
        await until(lambda: app.is_passing)
        await press(pilot, "enter")
        await sit_down(pilot)
        assert app.game_screen.sight.viewer != viewer
        assert seats() == before

    on_screen(app, scenario)


def test_a_zone_is_chosen_by_a_click_and_every_line_of_a_card_is_the_card():
    app = table("sins.rules", bots=("Ben",), first=0)

    async def scenario(pilot):
        await settle(pilot)
        x, y = find(app, f"•{app.game_screen.sight.offer.items[0].text}")
        await pilot.click(offset=(x, y + 1))
        await until(lambda: len(app.session.match.choices) == 1)
        await until_shown(app, "•Abyss of Souls")
        await pilot.click(offset=find(app, "•Abyss of Souls"))
        await until(lambda: len(app.session.match.choices) > 1)
        assert app.session.match.choices[1].text == "the Abyss of Souls"

    on_screen(app, scenario, (120, 40))


# ---- Undo, hints, leaving ------------------------------------------------------------------------


def test_undo_goes_back_and_refuses_with_a_sentence():
    app = table("sins.rules", bots=("Ben",), first=0)

    async def scenario(pilot):
        await settle(pilot)
        await press(pilot, "u")
        assert "There is no choice to take back." in text_of(app)
        await press(pilot, "1")
        await press(pilot, "u")
        assert app.session.match.choices == []
        assert "Which sin do you take?" in text_of(app)
        await press(pilot, "1", "1")
        await press(pilot, "u")
        assert "cannot be taken back" in text_of(app)
        assert len(app.session.match.choices) > 1

    on_screen(app, scenario)


def test_a_hint_stands_beside_the_options_until_one_is_chosen():
    app = table("sins.rules", bots=("Ben",), first=0)

    async def scenario(pilot):
        await settle(pilot)
        await pilot.press("h")
        await until_shown(app, "A bot would choose")
        await until_shown(app, "★")
        await press(pilot, "1")
        await until(lambda: "★" not in text_of(app))

    on_screen(app, scenario)


@pytest.mark.parametrize("warns", [True, False])
def test_what_loses_the_game_at_once_is_asked_about_once(warns):
    seats = [Seat("Ada"), Seat("Ben", "random")]
    session = begin(from_text(BRINK), seats, seed=3, first=0, keep=False)
    app = TableApp(session, pause=0, warns=warns)

    async def scenario(pilot):
        await settle(pilot)
        offer = app.game_screen.sight.offer
        (yes,) = (key_of(offer, n) for n, item in enumerate(offer.items) if item.text == "yes")
        if warns:
            await until(app._warnings.finding.done)  # noqa: SLF001 - a player would think as long
            await pilot.press(yes)
            await until_shown(app, "Choose it again if you mean it.")
            assert app.session.match.choices == []
            assert app.is_asking
        await pilot.press(yes)
        await until_on(app, ResultScreen)

    on_screen(app, scenario)


def test_a_bot_that_thinks_shows_how_far_it_is_and_can_be_left(monkeypatch):
    app = table("sins.rules", bots=("Ben",), first=1)
    asked = []

    def think(self, progress=None):
        asked.append(self.asked)
        while progress(0.5):
            time.sleep(0.005)
        return self._advice("random", "bot", None)

    monkeypatch.setattr(type(app.session), "think", think)

    async def scenario(pilot):
        await until_shown(app, "Ben is thinking  ████████████░░░░░░░░░░░░ 50 %")
        await pilot.press("q")

    on_screen(app, scenario)

    assert asked == [1]
    assert app.return_value == FINE


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_one_can_leave_at_any_time(key, tmp_path, monkeypatch, capsys):
    from rulespec.cli.table import app as apps  # noqa: PLC0415 - only here

    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path))
    session = begin(load("sins.rules"), [Seat("Ada"), Seat("Ben", "random")], seed=1, first=0)
    app = TableApp(session, pause=0)

    async def scenario(pilot):
        await settle(pilot)
        await press(pilot, "1")
        await pilot.press(key)

    on_screen(app, scenario)
    apps.tell_resume(session)

    assert app.return_value == FINE
    assert len(list((tmp_path / "saves").glob("*.txt"))) == 1
    assert "rulespec play --resume" in capsys.readouterr().out


# ---- Several people at one screen ----------------------------------------------------------------


def hands(app):
    """What each player holds."""
    match = app.session.match
    found = {seat: set() for seat in range(len(match.names))}
    for seat, cards in found.items():
        for zone in match.view(seat).zones:
            if zone.family == "hand" and zone.owner == seat:
                cards.update(card.text for card in zone.cards)
    return found


def test_nothing_is_seen_through_the_curtain():
    app = table("siegel.rules", ("Ada", "Ben", "Cleo"), ())

    async def scenario(pilot):
        await settle(pilot)
        for _ in range(6):
            if isinstance(app.screen, Curtain):
                text = text_of(app)
                assert app.game_screen.sight is None
                assert all(card not in text for cards in hands(app).values() for card in cards)
                await press(pilot, "enter")
            holder = app.session.holder
            own = hands(app)[holder]
            others = set().union(*hands(app).values()) - own
            board = text_of(app)
            assert all(card in board for card in own)
            assert all(f" {card} " not in board for card in others)
            await press(pilot, "2")

    on_screen(app, scenario, (100, 40))


def test_what_somebody_left_open_is_closed_before_the_screen_is_passed(monkeypatch):
    app = table("sins.rules", ("Ada", "Ben"), ("Cleo",), seed=1, first=0)
    go_on = threading.Event()
    think = type(app.session).think

    def wait(self, progress=None):
        go_on.wait()
        return think(self, progress)

    monkeypatch.setattr(type(app.session), "think", wait)

    async def scenario(pilot):
        await sit_down(pilot)
        await press(pilot, "1")
        await pilot.press("1")  # now Cleo thinks, who sits to the right
        try:
            await until(lambda: app.session.asked == 2)
            await pilot.press("l")
            await until_on(app, StoryPage)
        finally:
            go_on.set()
        await until(lambda: app.is_passing)
        assert app.screen is app.game_screen
        await pilot.press("enter")
        await until_on(app, Curtain)
        await press(pilot, "enter")
        assert app.screen is app.game_screen
        assert app.game_screen.sight.viewer == 1

    on_screen(app, scenario)


# ---- Before the game, and while others play -------------------------------------------------------


async def point(pilot, name):
    """Go down to a line of the start screen."""
    sheet = pilot.app.screen.sheet("start")
    await until(lambda: OfLine(name) in sheet.subjects)
    while sheet.pointed != OfLine(name):
        before = sheet.pointed
        await pilot.press("down")
        await until(lambda before=before: sheet.pointed != before)


def test_players_can_be_called_by_other_names():
    app = StartApp(never)

    async def scenario(pilot):
        await pilot.press("enter")
        await until_on(app, Settings)
        form = app.screen
        await point(pilot, "seat 1")
        await pilot.press("n")
        await until_on(app, NamePage)
        await pilot.press("end", "ctrl+u", *"quinta", "enter")
        await until_shown(app, "quinta")
        assert seats_of(form.form)[1].name == "quinta"
        await point(pilot, "seat 2")
        await pilot.press("n")
        await until_on(app, NamePage)
        await pilot.press("end", "ctrl+u", *"Quinta", "enter")
        await until_shown(app, "Nobody can be called Quinta here")
        assert seats_of(form.form)[2].name == "Ben"

    on_screen(app, scenario)


def test_games_that_were_left_are_gone_on_with_from_the_start_screen_as_was_written(tmp_path):
    wishes = []
    unfinished = [
        UnfinishedGame(tmp_path / "kept.txt", "Sins", ("You", "Ada"), 3, "today 09:15", "Round 2"),
        UnfinishedGame(tmp_path / "older.txt", "Sins", ("Ben", "Ada"), 1, "4 May 23:59"),
    ]

    def sit_down(wish):
        wishes.append(wish)
        return table("sins.rules", bots=("Ben",), first=0).session

    app = StartApp(sit_down, unfinished, pause=0)

    async def scenario(pilot):
        await until_shown(app, "You and Ada: Round 2, after 3 choices.")
        expect_screen("start-left", app)
        await pilot.press("down")
        await until_shown(app, "Ben and Ada: after 1 choice.")
        await pilot.press("enter")
        await until_on(app, GameScreen)
        await until_shown(app, "Which sin do you take?")

    on_screen(app, scenario)

    assert wishes == [unfinished[1]]


def test_a_game_that_cannot_go_on_is_told_and_another_one_can_be_chosen(tmp_path):
    def sit_down(_):
        raise BadSave("is damaged")

    left = UnfinishedGame(tmp_path / "kept.txt", "Sins", ("You", "Ada"), 3)
    app = StartApp(sit_down, [left])

    async def scenario(pilot):
        await until_shown(app, "Go on with")
        await pilot.press("enter")
        await until_shown(app, "This game cannot go on: it is damaged.")
        assert not app.is_seated

    on_screen(app, scenario)


def test_bots_can_be_stopped_and_watched_move_by_move():
    app = table("sins.rules", (), ("Ada", "Ben"))
    app.is_paused = True

    async def scenario(pilot):
        choices = app.session.match.choices
        for count in range(4):
            await until_shown(app, "Paused: space shows one move, p goes on")
            assert len(choices) == count
            await pilot.press("space")
            await until(lambda count=count: len(app.session.match.choices) > count)
        await until_shown(app, "Paused: space")
        await pilot.press("p")
        await until_on(app, ResultScreen)

    on_screen(app, scenario)


# ---- What can go wrong ---------------------------------------------------------------------------


def test_a_mistake_in_the_rules_is_shown_and_the_game_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path))
    game = from_text("""
game "Trap"
players 2
state   | type | start
  depth | 0..9 | 0
rule play
  first chooses depth from 1..3 "How deep?"
  first chooses depth from 4..6 "And now?"
always shallow: depth < 2
""")
    app = TableApp(begin(game, [Seat("Ada"), Seat("Ben")], seed=1, first=0), pause=0)

    async def scenario(pilot):
        await sit_down(pilot)
        await press(pilot, "3")
        assert isinstance(app.screen, FaultPage)
        assert "`shallow` does not hold" in text_of(app)
        assert "always shallow: depth < 2" in text_of(app)
        await pilot.press("enter")

    on_screen(app, scenario)
    assert app.return_value == WRONG_RULES
    assert list((tmp_path / "saves").glob("*.txt"))


def test_a_game_that_cannot_be_kept_says_so():
    app = table("sins.rules", bots=("Ben",), first=0)
    app.session.trouble = "the game cannot be kept: no space left on device"

    async def scenario(pilot):
        await settle(pilot)
        assert "no space left on device" in text_of(app)

    on_screen(app, scenario)


def test_colours_are_greys_without_colour_and_nothing_else_changes(monkeypatch):
    async def scenario(pilot):
        await begin_to_tick(pilot)
        strips = pilot.app.screen._compositor.render_strips(pilot.app.size)  # noqa: SLF001 - as above
        colours = set()
        for part in (part for strip in strips for part in strip):
            for colour in (part.style.color, part.style.bgcolor) if part.style else ():
                if colour is not None:
                    colours.add(tuple(colour.get_truecolor()))
        return text_of(pilot.app), colours

    coloured, many = on_screen(table("deadlies.rules", seed=5, first=0), scenario)
    monkeypatch.setenv("NO_COLOR", "1")
    plain, greys = on_screen(table("deadlies.rules", seed=5, first=0), scenario)

    assert plain == coloured
    assert any(len(set(colour)) > 1 for colour in many)
    assert all(len(set(colour)) == 1 for colour in greys)


def test_a_light_terminal_gets_a_light_table(monkeypatch):
    monkeypatch.setenv("COLORFGBG", "0;15")
    app = table("sins.rules", bots=("Ben",), first=0)

    async def scenario(pilot):
        assert app.theme == "rulespec-light"
        await pilot.press("t")
        assert app.theme == "rulespec-dark"

    on_screen(app, scenario)


def test_long_names_and_wide_letters_do_not_break_the_table():
    names = ("Maximiliane Antonia von und zu Hohenstein", "七つの大罪が大好きな人たちの一人")
    app = table("sins.rules", names[:1], names[1:], first=0)

    async def scenario(pilot):
        await settle(pilot)
        for size in ((60, 18), (80, 24), (150, 50)):
            await pilot.resize_terminal(*size)
            for text in ("Which sin do you take?", "Maximiliane", "centre"):
                await until_shown(app, text)
        await press(pilot, "1")

    on_screen(app, scenario)


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (107, 30), (108, 30), (200, 70)])
def test_every_size_shows_the_question_and_the_own_hand(size):
    app = table("deadlies.rules", seed=5, first=0)

    async def scenario(pilot):
        await settle(pilot)
        text = text_of(app)
        assert "What do you play?" in text
        assert "a single card" in text
        assert all(card in text for card in hands(app)[0])

    on_screen(app, scenario, size)


def test_reasons_are_sentences_and_a_key_shows_the_rules_as_they_are_written():
    app = table("sins.rules", first=0)

    async def scenario(pilot):
        await settle(pilot)
        await press(pilot, "question_mark")
        await until_shown(app, "Choose a sin that lies at the centre.")
        assert "p chooses sin" not in text_of(app)
        await press(pilot, "c")
        await until_shown(app, "p chooses sin")

    on_screen(app, scenario, (120, 40))

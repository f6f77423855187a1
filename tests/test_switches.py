"""`games/SWITCHES.md` against the games: every switch has an answer, every option of a game is listed.

A switch is a question of the booklets on which tables may differ; its names are those of the requirements.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from rulespec import loading
from rulespec.catalogue import ShippedGame, read_game
from rulespec.checking.citations import coverage
from rulespec.checks import check_file

LIST = loading.GAMES / "SWITCHES.md"
COLUMNS = ("switch", "clause", "what became of it", "why")
NOT_A_SWITCH = "–"
STRUCK = "struck"

# The switches of the requirements, game by game.
SWITCHES = {
    "sins.rules": """variant_penance stone_optional stone_placement stones_count_in_tiebreak public_counts
        types first_player""",
    "seven7s.rules": """colour_table lg_miss seas_may_take_itself joker_sticky aom_joker_power
        aom_counts_only_aom sideways_counts_for_column ds_end_owner ds_end_victim_draws wild_may_found
        end_on_empty_pile tiebreak_includes_bonus first_player direction""",
    "siegel.rules": """seals rounds saboteur_base allow_zero_bid white_optional white_exhausted
        own_white_if_exhausted black_supply_unlimited public_tricks first_dealer""",
    "deadlies.rules": """gluttony_chain corruption_free_effect corruption_in_hand_counts
        greed_five_excludes_greed greed_corruption_first lust_needs_both public_counts start_malice
        first_player""",
}
every_game = pytest.mark.parametrize("name", SWITCHES)


class Row(NamedTuple):
    """A row of the list: a switch, its clause, what became of it, and why."""

    switch: str
    clause: str
    outcome: str
    why: str


@cache
def tables() -> dict[str, tuple[Row, ...]]:
    """The rows below each heading."""
    found: dict[str, list[Row]] = {}
    heading = ""
    for line in LIST.read_text("utf-8").splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
            assert heading not in found
            found[heading] = []
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            assert len(cells) == len(COLUMNS), line
            if tuple(cells) != COLUMNS and set(cells) != {"---"}:
                found[heading].append(Row(*cells))
    return {heading: tuple(rows) for heading, rows in found.items()}


@cache
def game(name: str) -> ShippedGame:
    return read_game(loading.find_rules(name))


def rows(name: str) -> tuple[Row, ...]:
    return tables()[game(name).title]


def built(name: str, kind: str) -> list[str]:
    """What became an option, or a variant; as it is written behind that word."""
    wanted = f"{kind} "
    return sorted(
        row.outcome.removeprefix(wanted) for row in rows(name) if row.outcome.startswith(wanted)
    )


def test_the_list_has_every_game_and_no_other() -> None:
    shipped = {game(path.name).title for path in loading.shipped_game_files()}

    assert shipped == set(tables())
    assert {path.name for path in loading.shipped_game_files()} == set(SWITCHES)


@every_game
def test_every_switch_is_in_the_list_once(name: str) -> None:
    listed = [row.switch for row in rows(name) if row.switch != NOT_A_SWITCH]

    assert sorted(f"`{switch}`" for switch in SWITCHES[name].split()) == sorted(listed)


@every_game
def test_every_option_is_in_the_list_with_its_default(name: str) -> None:
    options = sorted(f"`{each.name}` = `{each.default}`" for each in game(name).options)

    assert options == built(name, "option")


@every_game
def test_every_variant_is_in_the_list(name: str) -> None:
    assert sorted(f"`{each.name}`" for each in game(name).variants) == built(name, "variant")


@every_game
def test_whatever_is_no_option_and_no_variant_is_struck_and_says_why(name: str) -> None:
    for row in rows(name):
        assert row.why
        assert row.outcome.split()[0] in {"option", "variant", STRUCK}
        assert row.outcome == STRUCK or row.outcome.count("`") in {2, 4}
        assert row.switch != NOT_A_SWITCH or row.outcome != STRUCK


@every_game
def test_every_option_is_used_by_an_example_with_another_value(name: str) -> None:
    # The default needs no `with`; so another value must stand behind one.
    text = loading.read(name).text
    asked = [line for line in text.splitlines() if " with " in line and '"' in line]
    for option in game(name).options:
        values = [line.partition(f"{option.name} = ")[2].split(",")[0] for line in asked]
        assert {value for value in values if value} - {option.default}, option.name


@every_game
def test_the_clauses_in_the_list_are_those_of_the_game(name: str) -> None:
    program = check_file(name).program
    assert program is not None
    clauses = {each.name for part in coverage(program.declared).sections for each in part.clauses}

    assert {row.clause for row in rows(name)} <= clauses


def test_the_list_is_shipped_beside_the_games() -> None:
    assert Path(LIST).is_file()

"""Overlays: what they remove, override and bind anew, played and tested."""

from pathlib import Path

import pytest

from rulespec import cli
from rulespec.checks import check
from rulespec.source import Source

BASE = """
game "Stones"
players 2
use turns
enum Size = small, large
pieces                  | copies
  Stone(size: Size)     | 4
  Card(value = 1)       | 2
  Card(value = 2)       | 3
zones          | order | seen by
  stock        | pool  | everyone
  hand[Player] | pool  | everyone
state       | type  | start
  turns_left | 0..9 | 3
let over = turns_left == 0
when over: end
rule setup
  move box to stock
rule turn(p: Player)
  turns_left -= 1
  bonus(p)
rule bonus(p: Player)
  move top(stock[Stone]) to hand[p]
always few: #hand <= 3
table worth(stones: 0..9)
  stones => worth
  0      => 0
  "Three are many."
  3+     => 5
  1      => 1
  *      => 2
ranking of p
  most | worth(#hand[p])
example "A stone"
  players Ada, Ben
  given stock = [small]
  when bonus(Ada)
  expect hand[Ada] == [small]
"""


@pytest.fixture
def overlay(tmp_path):
    (tmp_path / "base.rules").write_text(BASE, "utf-8")

    def write(text):
        path = tmp_path / "mine.rules"
        path.write_text(f'extends "base.rules"\n{text}', "utf-8")
        return path

    return write


def told(path: Path):
    return check(path, Source(str(path), path.read_text("utf-8"))).diagnostics


def test_the_base_is_fine(overlay):
    assert told(overlay("")) == ()


def test_what_is_removed_is_gone_and_its_name_is_free(overlay):
    path = overlay(
        "remove rule bonus\nrule bonus(p: Player): move top(stock[Card]) to hand[p]\n"
        'example "A card"\n  players Ada, Ben\n  given stock = [Card, small]\n'
        "  when bonus(Ada)\n  expect hand[Ada] == [Card]\n"
    )

    assert told(path) == ()
    assert cli.main(["test", str(path), "--games", "2", "--secrets", "0"]) == 0


def test_what_is_removed_and_still_used_shows_both_places(overlay):
    (found,) = told(overlay("remove rule bonus\n"))

    assert found.code.number == "RS227"
    assert found.span.source.name.endswith("mine.rules")
    assert [each.span.source.name.rpartition("/")[2] for each in found.related] == ["base.rules"]


def test_members_go_with_their_enum(overlay):
    found = told(
        overlay("remove pieces Stone\nremove enum Size\nlet x = small\nalways y: x == x\n")
    )

    assert [each.message for each in found if "small" in each.message] == [
        "`small` is removed, but it is still used"
    ]


def test_a_trigger_and_an_always_are_removed(overlay):
    path = overlay(
        "remove when over\nremove always few\n"
        "override rule turn(p: Player)\n  if turns_left == 0: end\n  super(p)\n"
    )

    assert told(path) == ()
    assert cli.main(["test", str(path), "--games", "2", "--secrets", "0"]) == 0


def test_nothing_is_unused_because_something_was_removed(overlay):
    path = overlay("remove when over\noverride rule turn(p: Player): end\n")

    assert told(path) == ()


def test_single_rows_of_a_table_are_removed_and_the_others_stay(overlay, capsys):
    path = overlay(
        "remove rows worth\n  3+\n  1\n"
        'example "What is left"\n  expect worth(0) == 0 and worth(1) == 2 and worth(5) == 2\n'
    )

    assert told(path) == ()
    assert cli.main(["test", str(path), "--games", "1"]) == 0, capsys.readouterr().out


def test_rows_that_a_file_has_put_before_others_are_removed_by_the_next(overlay, tmp_path, capsys):
    overlay("rows worth\n  1 => 7\n")
    path = tmp_path / "next.rules"
    path.write_text(
        'extends "mine.rules"\nremove rows worth\n  1\nexample "The base"\n  expect worth(1) == 1\n'
    )

    assert told(path) == ()
    assert cli.main(["test", str(path), "--games", "1"]) == 0, capsys.readouterr().out


def test_a_row_of_pieces_is_removed_and_the_others_stay(overlay, capsys):
    path = overlay(
        "remove pieces Card(value = 2)\n"
        'example "Two ones"\n  expect #box[Card] == 2 and #box == 10\n'
    )

    assert told(path) == ()
    assert cli.main(["test", str(path), "--games", "1"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("remove rows worth\n  2+\n", "`worth` has no row with these keys", "did you mean `3+`?"),
        ("remove rows wort\n  1\n", "there is no `table wort`", "did you mean `worth`?"),
        ("remove rows Card\n  1\n", "there is no `table Card`", "write `remove pieces Card(…)`"),
        ("remove rows over\n  1\n", "there is no `table over`", "only rows of a `table` have keys"),
        ("remove pieces Card(value = 3)\n", "`Card` has no such row", "`Card(value = 2)`?"),
        ("remove pieces Crd(value = 1)\n", "there is no `pieces Crd`", "did you mean `Card`?"),
        ("remove pieces Stone(size: Size)\n", "the only row of", "write `remove pieces Stone`"),
        ("remove rows worth\n  *\n", "the table `worth` has no row for", "add `2 => …`"),
    ],
)
def test_a_row_that_is_not_there_is_told(overlay, text, message, hint):
    (found,) = told(overlay(text))

    assert message in found.message
    assert hint in found.hint


def test_two_variants_do_not_remove_the_same_row(overlay):
    path = overlay(
        'variant one "One"\n  remove rows worth\n    1\nvariant two "Two"\n  remove rows worth\n    1\n'
    )
    source = Source(str(path), path.read_text("utf-8"))

    (found, *_) = check(path, source, ("one", "two")).diagnostics

    assert found.message == "the variants `one` and `two` both change `rows worth 1`"


def test_all_rows_of_a_kind_are_removed_and_declared_anew(overlay):
    text = "remove pieces Card\npieces          | copies\n  Card(value = 7) | 1\n"

    assert told(overlay(text)) == ()


def test_a_row_with_a_range_stands_for_the_others(overlay):
    text = "override pieces     | copies\n  Card(value: 1..2) | 1\n"

    assert told(overlay(text)) == ()


def test_rows_that_are_left_out_are_named(overlay):
    (found,) = told(overlay("override pieces   | copies\n  Card(value = 1) | 1\n"))

    assert found.severity == "warning"
    assert "`Card(value = 2)` is gone" in found.message
    assert "remove pieces Card" in found.hint


def test_an_always_that_a_variant_breaks_says_how_to_override_it(overlay, capsys):
    path = overlay(
        'variant rich "Rich"\n  override rule bonus(p: Player): move top(stock, 4) to hand[p]\n'
    )

    assert cli.main(["test", str(path), "--games", "1", "--secrets", "0"]) == 1
    assert (
        "it comes from `base.rules`: if it need not hold in the variant `rich`, write "
        "`override always few: …` or `remove always few` there"
    ) in capsys.readouterr().err


def test_an_always_of_the_game_itself_needs_no_such_hint(overlay, capsys):
    path = overlay("always none_at_all: #hand == 0\n")

    assert cli.main(["test", str(path), "--games", "1", "--secrets", "0"]) == 1
    assert "it comes from" not in capsys.readouterr().err


TRUMPED = """
example "Blue is trump"
  players Ada, Ben, Cleo
  given hand[Ada] = [red 15]
  given hand[Ben] = [blue 1]
  given hand[Cleo] = [red 14]
  when play_trick(Ada)
  expect result == Ben
"""


def test_a_slot_is_bound_anew_and_the_others_stay(tmp_path):
    path = tmp_path / "blue.rules"
    path.write_text(
        f'extends "siegel.rules"\noverride use tricks(trump = blue)\n{TRUMPED}', "utf-8"
    )

    assert told(path) == ()
    assert cli.main(["test", str(path), "--games", "1", "--secrets", "0"]) == 0


def test_a_variant_binds_a_slot_anew(tmp_path):
    path = tmp_path / "blue.rules"
    inside = TRUMPED.replace("\n", "\n  ").rstrip()
    text = f'extends "siegel.rules"\nvariant b "B"\n  override use tricks(trump = blue){inside}\n'
    path.write_text(text, "utf-8")

    assert told(path) == ()
    assert cli.main(["test", str(path), "--games", "1", "--secrets", "0"]) == 0


def test_a_variant_uses_a_mechanism_of_its_own(overlay):
    path = overlay(
        'variant b "B"\n  use dealing\n  zones  | order | seen by\n    deck | pile | nobody\n'
        "  override rule setup\n    move box to deck\n    shuffle deck\n    deal(2)\n"
        "    move deck to stock\n  remove always few\n"
    )

    assert told(path) == ()


def test_a_table_with_several_outputs_is_overridden_with_other_numbers(tmp_path):
    path = tmp_path / "more.rules"
    path.write_text(
        'extends "sins.rules"\noverride table amounts\n  players => sins | stones\n'
        "  2..3    => 4    | 5\n  4..5    => 6    | 9\n",
        "utf-8",
    )

    assert told(path) == ()

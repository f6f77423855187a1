"""What games by strangers had needed of the language, point by point, and where each point is held.

For each point: a program that is accepted, one that is refused, the heading that explains it, where both engines play it
in step, and the words by which generated programs use it. What is settled before there is a core, such as overlays,
faces in examples and lines that go on, is not played by itself; the programs that result from it are.
"""

import re
from pathlib import Path

import pytest
from attrs import frozen

import test_slip_hints
from programs import expectations, split
from test_wasm import FILES

TESTS = Path(__file__).parent
LANGUAGE = TESTS.parent / "docs/language"
GENERATORS = ("small_programs.py", "secret_games.py")
SCENES = ("wasm_games.py", *GENERATORS)  # `test_wasm` plays all that is in them
HEADING = r'\{{ #{0} \}}|<a id="{0}">|^## {1}$'
SETTLED = ""  # nothing of it is left in the core


@frozen
class Point:
    """Where a point is held: each place is a file, and words that stand in it."""

    accepted: tuple[str, str]
    refused: tuple[str, str]  # a file of rejected programs, and the message
    page: str  # of `docs/language`, with its heading
    played: tuple[str, str] | str
    drawn: str  # words of the generators


OUTCOMES, GROUPS = "accepted/outcomes.rules", "accepted/groups.rules"
HIDDEN, COUNTED = "accepted/hidden.rules", "accepted/counted.rules"
TURNS, ROWS = "accepted/order_of_turns.rules", "accepted/rows_and_grids.rules"
OVERLAYS, STATEMENTS = "accepted/overlays.rules", "accepted/statements.rules"
TYPES, NAMES = "rejected_checking/types.rules", "rejected_checking/names.rules"
EXAMPLES, LAYERS = "rejected_checking/examples.rules", "rejected_checking/layers.rules"
LIMITS, CHOICES = "rejected_checking/limits.rules", "rejected_checking/choices.rules"
DECLARATIONS = "slips/declarations.rules"
WASM, MECHANISMS = "wasm_games.py", "test_mechanisms.py"

POINTS = {
    "1 teams that alternate": Point(
        (OUTCOMES, "teams Side"),
        (LIMITS, "3 players cannot form 2 teams of the same size"),
        *("2-heading.md#heading.teams", (OUTCOMES, "lit[Side]"), "teams Side"),
    ),
    "1 teams of which a rule decides": Point(
        (OUTCOMES, "teams Side of p ="),
        (LIMITS, "`won` is decided twice"),
        *("2-heading.md#heading.teams", ("small_programs.py", "team(p)"), "teams Side of p ="),
    ),
    "1 won, lost and drawn": Point(
        (OUTCOMES, "drawn | #lit[side] == 0"),
        (TYPES, "`won` is `yes` or `no`, but `score[p]` is a number from 0 to 9"),
        *("6-rules.md#rule.criterion", ("small_programs.py", "drawn | count == 1"), "won | flag"),
    ),
    "2 hidden variables": Point(
        (HIDDEN, "bid[Player]   | 0..9     | 0     | owner"),
        (NAMES, "nobody owns `bid`: only a variable with the index `Player` has an owner"),
        *("4-components.md#component.seen_by", (HIDDEN, "each q in Player chooses bid[q]")),
        "fate          | 0..9     | 0     | nobody",
    ),
    "2 hidden counts": Point(
        (COUNTED, "purse[Player] | pool  | owner    | owner"),
        (NAMES, "nobody owns `tray`: only a zone with the index `Player` has an owner"),
        *("4-components.md#component.counted_by", (COUNTED, "to fist[p]")),
        "sack[Player] | pool  | owner    | owner",
    ),
    "3 players who are out, extra turns, skipped ones, the other direction": Point(
        (TURNS, "backwards = not backwards"),
        (LAYERS, "`sits_out` is overridden with other parameters"),
        *("mechanisms.md#rotation", (TURNS, "skips = 1"), "again = yes"),
    ),
    "3 mechanisms bound anew": Point(
        (OVERLAYS, "override use tricks(trump = blue)"),
        (LAYERS, "the mechanism `tricks` is used twice"),
        *("10-overlays.md#overlay.mechanisms", SETTLED, SETTLED),
    ),
    "3 a function as suit, and somebody else who chooses": Point(
        (MECHANISMS, "override let chooser(p: Player)"),
        (LAYERS, "the mechanism `tricks` has no slot `trumps`"),
        *("mechanisms.md#tricks", ("test_mechanisms.py", "override let suit_of"), SETTLED),
    ),
    "3 a deck for each player": Point(
        (MECHANISMS, "use decks, turns"),
        (LAYERS, "there is no file `trick.rules` next to this one"),
        *("mechanisms.md#decks", (MECHANISMS, "use decks, turns"), SETTLED),
    ),
    "4 folds over several variables": Point(
        (GROUPS, "for a in groups(cards), b in groups(cards - a)"),
        ("slips/expressions.rules", "a second variable needs no `for`"),
        *("8-expressions.md#expression.more_variables", (GROUPS, "saved(hand[p])")),
        "for c in market, d in market where",
    ),
    "4 names of parts": Point(
        (GROUPS, "with whole = worth(hand[p]), part = whole / 2"),
        (NAMES, "the name `idle` is never used"),
        *("6-rules.md#rule.locals", (GROUPS, "rest(p)"), "with part = n + #market"),
    ),
    "4 no recursion": Point(
        (GROUPS, "let saved(cards: set Card) = max(worth(a + b)"),
        ("rejected_checking/flow.rules", "`best_of` calls itself"),
        *("8-expressions.md#expression.fold", (GROUPS, "saved(hand[p])"), "subsets({one}, 0..1)"),
    ),
    "4 sizes of groups and of runs": Point(
        (GROUPS, "alike(cards, rank, 3..4)"),
        (TYPES, "what `alike` takes as sizes is a set of numbers, but `hearts` is a `Suit`"),
        *("8-expressions.md#built-in-names", (GROUPS, "alike(hand[p], rank, 2)")),
        "#alike(market, suit, 2..3)",
    ),
    "4 runs within a suit": Point(
        (GROUPS, "[runs(cards[suit = s], rank, 3..7) for s in Suit]"),
        (TYPES, "`runs(hand[p][suit = s], rank)` is a family of sets"),
        *("8-expressions.md#expression.build", (GROUPS, "runs_in_suit(hand[p])")),
        "[runs(market[suit = s], value, 2..3) for s in Suit]",
    ),
    "4 families filtered and folded": Point(
        (GROUPS, "subsets(on_top, 2) where sum(c.rank for c in it) % 2 == 0"),
        (CHOICES, "this `where` looks at every set of a family, and there may be very many"),
        *("8-expressions.md#expression.where", (WASM, "best(sum(c.value for c in x) for x in")),
        "sum(#{group} for {group} in {groups})",
    ),
    "5 insert at a place": Point(
        (ROWS, "move top(deck) to row[p] at place"),
        (TYPES, "`hand[first]` is a pool, where no piece has a position"),
        *(
            "7-statements.md#statement.move",
            (ROWS, "at where_it_lay"),
            "move top(deck) to deck at 2",
        ),
    ),
    "5 the place of a card": Point(
        (ROWS, "position(card, row[p])"),
        (TYPES, "`first` is a player, which is never in `row[first]`, a zone"),
        *("8-expressions.md#built-in-names", (WASM, "position(c, row[p])"), "position(it, deck)"),
    ),
    "5 cards that are turned": Point(
        (ROWS, "move down[p][n] to up[p][n]"),
        (TYPES, "`hand` is a family of zones, but one zone is needed"),
        *("4-components.md#component.zone", (ROWS, "turn_up(p, n)"), "'to', 'to', 'to', 'under'"),
    ),
    "5 marks": Point(
        (ROWS, "watered += top(up[p][n])"),
        (TYPES, "`lost` keeps pieces, so it cannot be hidden from anybody"),
        *("4-components.md#component.variable", (ROWS, "it in up[p][1]"), "| set Card | []"),
    ),
    "6 faces by their attributes": Point(
        (OVERLAYS, "hand[first][Card(value = 3)]"),
        (EXAMPLES, "a face names values as they are, but `seven` must be computed"),
        *("8-expressions.md#expression.described", ("small_programs.py", "Card(value = 1)")),
        "#market[Card(value = 1)]",
    ),
    "6 faces in expectations": Point(
        (OVERLAYS, "expect hand[Ada] == [princess, Card(value = 3)]"),
        (EXAMPLES, "there is no piece `Card 0`"),
        *("9-examples.md#example.expect", SETTLED, SETTLED),
    ),
    "6 a call that stops in the middle": Point(
        (OVERLAYS, "Ada is asked of [princess, none]"),
        (EXAMPLES, "the call stops where somebody `is asked`, so nothing is picked after it"),
        *("9-examples.md#example.asked", SETTLED, SETTLED),
    ),
    "6 a pick answers only its question": Point(
        ("test_examples.py", "a pick that a forced question could take"),
        (EXAMPLES, "`Ben` picks `Ada`, which is not one of the options"),
        *("13-semantics.md#example.forced", SETTLED, SETTLED),
    ),
    "7 cards and actions in one question": Point(
        (STATEMENTS, "p chooses card from hand[p], or act from Act where it != keep"),
        (CHOICES, "offers sets, which cannot be options together with others"),
        *("7-statements.md#statement.alternative", (WASM, "or act from Act where")),
        "or also from Suit",
    ),
    "8 lines that go on": Point(
        ("accepted/lines.rules", "  else 2 if #hand[p] > 2"),
        ("rejected/lines.rules", "a line that begins with `or` continues the line above"),
        *("1-lexis.md#lexis.lines", SETTLED, '"  + #market"'),
    ),
    "8 divisors that a test proves": Point(
        (GROUPS, "10 / #hand[p] if #hand[p] > 0 else 0"),
        (TYPES, "`#box` is a number from 0 up, but a divisor must be positive"),
        *("8-expressions.md#expression.product", (GROUPS, "share(p)")),
        "12 / #picked if 3 in picked else 1",
    ),
    "8 options for some tables": Point(
        ("accepted/heading.rules", "option spies: 1..3 where 2 * it < players"),
        (NAMES, "`spies` cannot be 2 with 2 players"),
        *("2-heading.md#heading.option", ("small_programs.py", '"pace"')),
        "option pace: 1..3 where it <= players - 1",
    ),
    "8 reserved names": Point(
        ("accepted/words.rules", "enum Type = order, start, type, table, game"),
        (DECLARATIONS, "`end` is a reserved word and cannot be a name"),
        *("1-lexis.md#lexis.reserved", SETTLED, SETTLED),
    ),
    "8 what is in the order of play": Point(
        ("small_programs.py", "for p in order(first): turn(p)"),
        (CHOICES, "is in the order of the seats, not in the order of play"),
        *("8-expressions.md#expression.sum", (WASM, "for q in order(p)"), "in order(p) where"),
    ),
    "8 many pieces": Point(
        (WASM, '"503 pieces"'),
        (LIMITS, "the box holds 11,819 pieces, but may hold only 10,000"),
        *("limits.md#limits.declarations", (WASM, '"503 pieces"'), "(1, 2, 3, 8)"),
    ),
    "9 rows of pieces that are left out": Point(
        (OVERLAYS, "remove pieces Vice(sin: Sin, hell = I)"),
        (LAYERS, "this replaces all rows of `Vice`"),
        *("2-heading.md#heading.remove_piece", SETTLED, SETTLED),
    ),
    "9 rules and rows that are removed": Point(
        (OVERLAYS, "remove rule bonus"),
        (LAYERS, "`score` is removed, but it is still used"),
        *("10-overlays.md#overlay.removing", SETTLED, SETTLED),
    ),
    "9 an invariant that a variant breaks": Point(
        ("test_overlays.py", "test_an_always_that_a_variant_breaks_says_how_to_override_it"),
        (LAYERS, "there is no `always doomed` to remove"),
        *("10-overlays.md#overlay.removing", SETTLED, SETTLED),
    ),
    "9 options of the game below": Point(
        ("accepted/heading.rules", "option spies"),
        (DECLARATIONS, "an option of the game that this file extends gets its value after `with`"),
        *("2-heading.md#heading.settings", SETTLED, SETTLED),
    ),
    "9 cells of an overlay": Point(
        (OVERLAYS, "rows points"),
        (LAYERS, "`yes` is a `Bool`, but other rows of `stones` give a number"),
        *("10-overlays.md#overlay.adding", SETTLED, SETTLED),
    ),
}
# What people wrote -> the test that types the hint.
SLIPS = {
    "game over": "game over",
    "p moves card to well": "somebody moves",
    "each player draws 3 cards": "each player draws",
    "rule turn": "a rule without its player",
    "from hand": "the hands of all",
    "- comment": "a comment with one hyphen",
    'extends "sins"': "without the ending",
    "a copied header row": "the heading of zones again",
    "Ada has 3 gula": "what somebody has",
    "players 2 to 4": "players from to",
    "remove top(deck)": "removing the top",
    "override saboteur_base = 5": "an option that is overridden",
    "stone_optional = yes": "an option at the margin",
    "whoever has least": "whoever has least",
    "a second `for` in a fold": "a second `for`",
    "a line that begins with `+`": "a line that begins with a plus",
    "a line that begins with `-`": "a line that begins with a minus",
    "a function that calls itself": "a function that calls itself",
}
WARNINGS = ("cards are dealt from `deck`, but nothing shuffles it", "no rule takes a `Stone` out")


def read(name: str) -> str:
    return (TESTS / name).read_text("utf-8")


def messages(name: str) -> list[str]:
    """The messages that the rejected programs of a file draw."""
    return [message for chunk in split(TESTS / name) for _, _, message in expectations(chunk)]


@pytest.mark.parametrize("point", POINTS.values(), ids=POINTS)
def test_each_point_is_held_where_the_table_says(point: Point) -> None:
    file, words = point.accepted
    refused, message = point.refused
    page, heading = point.page.split("#")

    assert words in read(file)
    assert any(message in each for each in messages(refused))
    assert re.search(
        HEADING.format(heading, heading.replace("-", ".")),
        _page(page),
        re.MULTILINE | re.IGNORECASE,
    )


@pytest.mark.parametrize("point", POINTS.values(), ids=POINTS)
def test_each_point_that_is_played_is_played_in_step_and_drawn(point: Point) -> None:
    if isinstance(point.played, tuple):
        file, words = point.played

        assert words in read(file)
        assert file in SCENES or file.startswith("test_") or TESTS / file in FILES
    assert any(point.drawn in read(name) for name in GENERATORS)


def _page(name: str) -> str:
    return (LANGUAGE / name).read_text("utf-8")


def test_all_gaps_have_points() -> None:
    assert {name.split()[0] for name in POINTS} == set("123456789")
    assert sum(isinstance(point.played, tuple) for point in POINTS.values()) > 20


def test_each_slip_has_a_hint_that_is_typed() -> None:
    known = {*test_slip_hints.SLIPS, *test_slip_hints.OVERLAYS}

    assert {*SLIPS.values()} <= known


@pytest.mark.parametrize("warning", WARNINGS)
def test_what_is_forgotten_is_worth_a_warning(warning: str) -> None:
    assert any(warning in each for each in messages("rejected_checking/flow.rules"))

"""What statements and expressions do, each shown by a small game that leaves a trace.

A trace is a number: `trace = trace * 10 + 3` appends the digit 3.
"""

from collections import Counter
from itertools import pairwise

import pytest

from games import at_random, from_text, variable, zone
from interpreter import machine
from interpreter.errors import IllegalMove, LimitReached, RuleFault
from interpreter.examples import run_example
from interpreter.match import Match
from lockstep import assert_in_step, make_fast
from rulespec import codes
from rulespec.elaboration.programs import elaborate_examples

HEAD = """\
game "Small"
players 2..4
enum Suit = clubs, hearts, spades
pieces                          | copies
  Card(suit: Suit, value: 1..3) | 1
  Coin                          | 3
zones          | order | seen by
  a            | pile  | everyone
  b            | pile  | everyone
  heap         | pool  | everyone
  hand[Player] | pool  | owner
state           | type      | start
  trace         | Int       | 0
  flag          | Bool      | no
  mark[Player]  | 0..9      | 0
  wish          | Suit?     | none
  some          | set Piece | []
  numbers       | set 0..20 | []
"""
SETUP = """\
rule setup
  move box[Card] to a
  move box[Coin] to heap
"""


def begin(rules: str, players: int = 2, first: int = 0, variant: str | None = None) -> Match:
    """A game of these rules, with nine cards in the pile `a` and three coins on the heap."""
    setup = "" if "rule setup" in rules else SETUP
    game = from_text(HEAD + setup + rules, (variant,) if variant else ())
    # Whatever is tested here is also a test of the fast engine.
    fast = make_fast(game, players)
    for seed in range(2):
        assert_in_step(game, players, seed, at_random(seed), first, fast)
    return game.start(players, seed=1, first=first, always=True)


def play(body: str, more: str = "", players: int = 2, first: int = 0) -> Match:
    """A game whose `play` is these lines."""
    lines = "".join(f"  {line}\n" for line in body.strip().split("\n"))
    return begin(f"{more}\nrule play\n{lines}", players, first)


def trace(match: Match) -> int:
    assert match.over
    return variable(match, "trace")


def add(*digits: int) -> str:
    """A line that appends digits to the trace."""
    return "; ".join(f"trace = trace * 10 + {digit}" for digit in digits)


# ---- Triggers ------------------------------------------------------------------------------------


def test_a_trigger_fires_between_the_pieces_of_one_move() -> None:
    match = play(
        f"move top(a, 4) to b\n{add(9)}", "let two = #b >= 2\nwhen two: trace = trace * 10 + #b"
    )

    assert trace(match) == 29
    assert len(zone(match, "b")) == 4


def test_a_trigger_that_goes_on_holding_does_not_fire_again() -> None:
    match = play(
        "move top(a, 3) to b\nmove b to a\nmove top(a, 2) to b",
        f"let some_there = #b >= 1\nwhen some_there: {add(1)}",
    )

    assert trace(match) == 11


def test_a_trigger_does_not_fire_while_its_own_block_runs() -> None:
    match = play(
        "move top(a) to b",
        f"""
let odd = #b % 2 == 1
when odd
  {add(1)}
  move top(a) to b
  move top(a) to b
  {add(2)}
""",
    )

    assert trace(match) == 12
    assert len(zone(match, "b")) == 3


def test_of_several_triggers_the_first_declared_runs_first() -> None:
    match = play(
        "flag = yes", f"let one = flag\nlet two = flag\nwhen one: {add(1)}\nwhen two: {add(2)}"
    )

    assert trace(match) == 12


def test_a_block_once_pushed_runs_though_its_condition_has_ceased_to_hold() -> None:
    match = play(
        "flag = yes",
        f"let one = flag\nlet two = flag\nwhen one: flag = no; {add(1)}\nwhen two: {add(2)}",
    )

    assert trace(match) == 12


def test_a_trigger_fired_by_a_block_runs_before_the_rest_of_that_block() -> None:
    match = play(
        "flag = yes",
        f"""
let one = flag
let two = mark[first] == 1
when one
  mark[first] = 1
  {add(1)}
when two: {add(2)}
""",
    )

    assert trace(match) == 21


def test_what_holds_already_fires_when_play_begins_and_before_its_first_step() -> None:
    match = play(add(2), f"let some_there = #a > 0\nwhen some_there: {add(1)}")

    assert trace(match) == 12


def test_there_are_no_triggers_in_setup_and_finish() -> None:
    match = begin(
        f"""
rule setup
  flag = yes
  flag = no
rule play
  {add(1)}
rule finish
  flag = yes
  {add(3)}
let one = flag
when one: {add(2)}
"""
    )

    assert trace(match) == 13


def test_end_in_a_trigger_drops_what_waits() -> None:
    match = play(
        f"move top(a, 4) to b\n{add(1)}",
        f"let two = #b == 2\nwhen two: end\nlet again = #b == 2\nwhen again: {add(2)}",
    )

    assert trace(match) == 0
    assert len(zone(match, "b")) == 2


def test_calling_a_rule_with_state_of_its_own_can_fire_a_trigger_before_the_rule_runs() -> None:
    match = begin(
        f"""
state of turn | type | start
  fresh       | Bool | yes
rule turn
  {add(3)}
  fresh = no
let new = fresh
when new: {add(7)}
rule play
  turn()
  turn()
"""
    )

    assert trace(match) == 7373


def test_choices_made_together_fire_a_trigger_once_and_after_all_of_them() -> None:
    match = play(
        "each q in Player chooses mark[q] from 1..3",
        "let sum_of_marks = sum(mark[q] for q in Player)\n"
        "let any_mark = sum_of_marks > 0\n"
        "when any_mark: trace = trace * 10 + sum_of_marks",
    )
    match.apply(1)
    match.apply(2)

    assert trace(match) == 5


# ---- Loops ---------------------------------------------------------------------------------------


def test_for_runs_over_what_was_there_when_it_began() -> None:
    match = play(
        "move top(a, 2) to b\nfor c in b\n  trace = trace * 10 + c.value\n  move top(a, 2) to b"
    )

    assert trace(match) == 12
    assert len(zone(match, "b")) == 6


def test_a_list_that_is_run_through_keeps_the_order_in_which_it_is_written() -> None:
    match = play("for n in [3, 1, 2] where n != 1: trace = trace * 10 + n")

    assert trace(match) == 32


def test_repeat_with_a_negative_number_does_nothing() -> None:
    match = play(f"repeat #b - 3: {add(1)}\n{add(2)}")

    assert trace(match) == 2


def test_repeat_counts_once_before_it_begins() -> None:
    match = play(f"repeat #b + 2\n  move top(a, 2) to b\n  {add(1)}")

    assert trace(match) == 11


def test_stop_leaves_the_innermost_loop_only() -> None:
    match = play(
        f"for n in 1..2\n  repeat 5\n    {add(1)}\n    if #a > 0: stop\n  trace = trace * 10 + n + 1"
    )

    assert trace(match) == 1213


def test_a_game_that_runs_on_without_asking_is_stopped() -> None:
    rules = (
        "rule play\n  repeat\n    flag = not flag\n    if #a == 0: stop\n    move top(a) under a\n"
    )

    with pytest.raises(LimitReached) as reached:
        begin(rules)

    assert reached.value.code == codes.TOO_MANY_STEPS


# ---- Calls ---------------------------------------------------------------------------------------

HOOKS = f"""
rule turn(n: 0..9) -> 0..9
  {add(2)}
  if n == 1: return 5
  {add(3)}
  return 6
before turn
  {add(1)}
  if n >= 1: return
  {add(8)}
after turn
  {add(4)}
  if n == 1: return
  {add(9)}
"""


@pytest.mark.parametrize(("number", "expected"), [(0, 1823496), (1, 1245), (2, 123496)])
def test_return_leaves_one_part_only_and_the_others_still_run(number: int, expected: int) -> None:
    match = play(f"result_of = turn({number})\ntrace = trace * 10 + result_of", HOOKS)

    assert trace(match) == expected


def test_super_runs_what_was_overridden_and_leaves_hooks_to_the_outside() -> None:
    match = begin(
        f"""
rule turn(n: 0..9)
  trace = trace * 10 + n
before turn
  {add(1)}
rule play
  turn(3)
variant doubled "Doubled"
  override rule turn(n: 0..9)
    super(n + 1)
    super(n + 2)
  after turn
    {add(9)}
""",
        variant="doubled",
    )

    assert trace(match) == 1459


def test_state_of_a_rule_is_reset_when_it_is_called_and_not_by_super() -> None:
    match = begin(
        """
state of turn | type | start
  used        | 0..9 | 0
rule turn
  used += 1
  trace = trace * 10 + used
rule play
  turn()
  turn()
  trace = trace * 10 + used
variant doubled "Doubled"
  override rule turn
    used = 4
    super()
    super()
""",
        variant="doubled",
    )

    assert trace(match) == 56566


def test_state_of_a_rule_is_reset_before_its_before_parts_run() -> None:
    match = begin(
        """
state of turn | type | start
  used        | 0..9 | 0
rule turn: trace = trace * 10 + used
before turn: used += 3
rule play: turn(); turn()
"""
    )

    assert trace(match) == 33


def test_an_action_table_runs_the_first_row_that_matches() -> None:
    match = play(
        "act(1, yes)\nact(2, no)\nact(7, no)\nact(0, no)",
        f"""
table act(n: 0..9, b: Bool)
  n    | b   => does
  1    | yes => {add(1)}
  1, 2 | *   =>
    if b: return
    {add(2)}
  5+   | *   => {add(3)}
  *    | *   => nothing
""",
    )

    assert trace(match) == 123


def test_rows_of_an_overlay_come_before_those_of_the_table() -> None:
    match = begin(
        f"""
table act(n: 0..9)
  n => does
  1 => {add(1)}
  * => {add(2)}
rule play: act(1); act(2); act(3)
variant other "Other"
  rows act
    2 => {add(7)}
""",
        variant="other",
    )

    assert trace(match) == 172


def test_locals_are_kept_from_one_turn_of_a_loop_to_the_next() -> None:
    match = play(
        "for n in 1..3\n  trace = trace * 10 + (0 if last_one == none else last_one)\n  last_one = n"
    )

    assert trace(match) == 12  # the leading zero does not show


# ---- Moves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("move top(a, 3) to b", (0, 1, 2)),
        ("move top(a) to b\nmove top(a, 2) to b", (1, 2, 0)),
        ("move top(a) to b\nmove top(a, 2) under b", (0, 1, 2)),
        ("move top(a, 2) under b\nmove top(a) to b", (2, 0, 1)),
        ("move a[value = 3] to b", (2, 5, 8)),
        ("move [top(a[spades]), top(a)] to b", (6, 0)),
        ("move top(a, 2) to b\nmove top(b) under b", (1, 0)),
        ("move a[spades] to heap\nmove heap[Card] to b", (6, 7, 8)),
        ("move none to b", ()),
        ("move top(a, 3) to b\nmove a[value = 3][hearts] to b", (5, 0, 1, 2)),
        ("move top(a, 3) to b\nmove top(a[hearts]) to b at 1", (3, 0, 1, 2)),
        ("move top(a, 3) to b\nmove top(a[hearts]) to b at 3", (0, 1, 3, 2)),
        ("move top(a, 3) to b\nmove top(a[hearts]) to b at 4", (0, 1, 2, 3)),
        ("move top(a, 3) to b\nmove top(a[hearts]) to b at 99", (0, 1, 2, 3)),
        ("move top(a, 4) to b\nmove top(b) to b at 3", (1, 2, 0, 3)),
        ("move top(a, 4) to b\nmove top(b) to b at position(top(b), b)", (0, 1, 2, 3)),
        ("move top(a, 4) to b\nmove top(b - top(b, 3)) to b at 2", (0, 3, 1, 2)),
        ("move top(a) to b\nmove none to b at 2", (0,)),
    ],
)
def test_pieces_keep_their_order_in_a_pile(statements: str, expected: tuple[int, ...]) -> None:
    match = play(statements)

    assert zone(match, "b") == expected


def test_pools_are_kept_in_canonical_order() -> None:
    match = play("for c in [spades, hearts, clubs]: move a[c] to hand[first]")

    assert zone(match, "hand", 0) == tuple(range(9))


def test_a_piece_that_does_not_belong_into_a_zone_is_a_fault_of_the_rules() -> None:
    rules = """
zones    | order | seen by  | holds
  strict | pool  | everyone | Coin
rule play
  some = a + heap
  for c in some: move c to strict
"""

    with pytest.raises(RuleFault) as fault:
        begin(rules)

    assert fault.value.code == codes.LEAVES_RANGE
    assert fault.value.rules == ("play",)


# ---- Choices -------------------------------------------------------------------------------------


def options(match: Match) -> list[str]:
    assert match.decision is not None
    return [option.text for option in match.decision.listed()]


def test_look_alikes_in_a_pool_are_one_option() -> None:
    match = play("first chooses coin from heap")

    assert trace(match) == 0  # there is one option, which is taken silently


def test_look_alikes_in_a_pile_are_several_options() -> None:
    match = play("move heap to b\nfirst chooses coin from b")

    assert options(match) == ["Coin", "Coin", "Coin"]


def test_look_alikes_in_different_pools_are_different_options() -> None:
    match = play("move top(heap) to hand[first]\nfirst chooses coin from hand[first] + heap")

    assert options(match) == ["Coin", "Coin"]


def test_sets_that_look_alike_are_one_option() -> None:
    match = play("move a[clubs] to heap\nfirst chooses pair_of from subsets(heap, 2)")

    # Two cards, a card and a coin, two coins.
    assert len(options(match)) == 3 + 3 + 1


def test_a_single_option_is_taken_silently_and_still_observed() -> None:
    match = play("first chooses n from 4..4\ntrace = n")

    assert trace(match) == 4
    assert [event.kind for event in match.events].count("chose") == 1


def test_choosing_from_nothing_is_a_fault_of_the_rules() -> None:
    with pytest.raises(RuleFault) as fault:
        play("first chooses c from b")

    assert fault.value.code == codes.NOTHING_TO_CHOOSE


def test_who_may_choose_from_nothing_gets_none_without_being_asked() -> None:
    match = play(f"first may choose c from b\nif c == none: {add(5)}")

    assert trace(match) == 5


def test_who_may_choose_from_one_is_asked() -> None:
    match = play('first may choose n from 4..4 "Four?" or "rather not"\nif n == none: flag = yes')

    assert options(match) == ["4", "rather not"]
    match.apply(1)
    assert match.over
    assert variable(match, "flag") is True


def test_a_decision_says_who_is_asked_and_what() -> None:
    match = play('for p in order(first): p chooses n from 1..2 "{p}, one or two?"', first=1)

    assert match.decision is not None
    assert match.decision.player == 1
    assert match.decision.prompt == "Player 2, one or two?"
    assert not match.decision.simultaneous


def test_sealed_choices_tell_the_others_nothing_before_all_have_chosen() -> None:
    body = "each q in Player chooses mark[q] from 1..3\ntrace = mark[first]"
    chosen = []
    for option in range(3):
        match = play(body, players=3)
        before = match.information(1).log, match.information(2)
        match.apply(option)
        assert match.decision is not None
        assert match.decision.player == 1
        chosen.append((match.information(1), match.information(2), match.view(2)))
        # Whether it is the turn of the second to answer is no news for the third.
        assert before == (match.information(1).log, match.information(2))
        assert not match.view(2).asked

    assert chosen[0] == chosen[1] == chosen[2]


def test_after_sealed_choices_everybody_learns_all_of_them() -> None:
    match = play("each q in [first, next(first)] chooses x[q] from 1..3\ntrace = 9", players=3)
    match.apply(0)
    match.apply(2)

    told = [each for each in match.information(2).log if each[0] == "chose"]
    assert told == [("chose", 0, None, 1), ("chose", 1, None, 3)]


def test_who_was_not_asked_together_with_the_others_has_chosen_nothing() -> None:
    match = play(
        "each q in others(first) chooses x[q] from 1..3\n"
        "if x[first] == none: trace = 7\n"
        "if x[next(first)] == 2: trace = trace * 10 + 2",
        players=3,
    )
    match.apply(1)
    match.apply(0)

    assert trace(match) == 72


PAIR = "subsets(a, 2)"  # 36 of them, so declining is number 36
DECLINED = [
    f"first may choose x from {PAIR}\nmove x to b",
    f"first may choose some from {PAIR}\nmove some to b",
    f"first may choose x[first] from {PAIR}\nmove x[first] to b",
    f"each q in [first] may choose x[q] from {PAIR}\nmove x[first] to b",
    f"each q in [first] may choose x[q] from {PAIR}\nmove x[next(first)] to b",
    f"each q in [first] may choose bunch[q] from {PAIR}\nmove bunch[first] to b",
    f"x = a\nfirst may choose x from {PAIR}\nmove x to b",
]


@pytest.mark.parametrize("body", DECLINED)
def test_who_declines_to_choose_a_set_has_the_empty_set(body: str) -> None:
    more = "state           | type      | start\n  bunch[Player] | set Piece | []"
    match = play(f"{body}\ntrace = 4 + #b", more)
    match.apply(36)

    assert trace(match) == 4
    assert variable(match, "some") == ()


def test_who_was_not_asked_for_a_set_together_with_the_others_has_the_empty_set() -> None:
    match = play(f"each q in [first] chooses x[q] from {PAIR}\ntrace = 1 + #x[next(first)]")
    match.apply(0)

    assert trace(match) == 1


def test_one_value_chosen_into_a_set_is_a_set_of_one() -> None:
    match = play(
        "first chooses numbers from 3..5\ntrace = sum(n for n in numbers)\n"
        "first may choose numbers from 3..5\ntrace = trace * 10 + #numbers\n"
        "random numbers from 7..7\ntrace = trace * 10 + #numbers"
    )
    match.apply(1)
    match.apply(3)

    assert trace(match) == 401
    assert variable(match, "numbers") == (7,)


def test_what_a_rule_gives_back_is_added_to_a_set() -> None:
    match = play(
        "some = top(a, 2)\nsome += bottom()\ntrace = #some\nsome -= bottom()\n"
        "trace = trace * 10 + #some",
        "rule bottom -> set Piece: return a[spades] + top(a)",
    )

    assert trace(match) == 51


def test_declining_is_observed_by_nobody_else() -> None:
    match = play("first may choose n from 1..2\ntrace = 3")
    match.apply(2)

    assert [each[0] for each in match.information(0).log if each[0] == "chose"] == ["chose"]
    assert [each[0] for each in match.information(1).log if each[0] == "chose"] == []


# ---- Expressions ---------------------------------------------------------------------------------

# The pile `a` holds clubs 1, 2, 3, hearts 1, 2, 3, spades 1, 2, 3, in this order.
NUMBERS = [
    ("7 / 2", 3),
    ("(0 - 7) / 2", -4),
    ("(0 - 7) % 3", 2),
    ("#a", 9),
    ("#a[hearts]", 3),
    ("#(a where it.value > 1)", 6),
    ("#a[value = 1..2]", 6),
    ("#a[[clubs, spades]]", 6),
    ("#a[Card]", 9),
    ("#heap[Card]", 0),
    ("#a[wish]", 0),
    ("#hand", 0),
    ("#(a + a)", 9),
    ("#(a & a[clubs])", 3),
    ("#(a - a[clubs])", 6),
    ("#[n % 3 for n in 1..9]", 3),
    ("sum(c.value for c in a)", 18),
    ("sum(c.value for c in b)", 0),
    ("min(3, 2) * 10 + max(3, 2)", 23),
    ("max(c.value for c in a)", 3),
    ("top(a).value", 1),
    ("#top(a, 20)", 9),
    ("#top(b)", 0),
    ("abs(0 - 4)", 4),
    ("index(spades)", 2),
    ("3 if flag else 4", 4),
    ("5 if wish == none else 6", 5),
    ("1 if b == [] else 2", 1),
    ("1 if [2, 1] == [1, 2] else 2", 1),
    ("1 if max(c.value for c in b) == none else 2", 1),
    ("1 if top(b) == none else 2", 1),
    ("1 if top(b).value == none else 2", 1),
    ("1 if clubs < hearts else 2", 1),
    ("#top(a, 2).suit", 1),
    ("1 if top(a).suit in a.suit else 2", 1),
    ("1 if top(a) == clubs 1 else 2", 1),
    ("#subsets(a, 2)", 36),
    ("#subsets(a, 0..1)", 10),
    ("#alike(a, value)", 3 * 4),
    ("#runs(a[clubs], value)", 3),
    ("players", 2),
    # What is run through is not asked for.
    ("sum(1 for q in Player)", 2),
    ("1 if all(#b == 0 for q in Player) else 2", 1),
    ("max(3 for c in a)", 3),
    ("#[1 for q in Player]", 1),
    ("#[a for q in Player]", 1),
    ("#best(1 for q in Player)", 1),
    ("#(a where #b == 0)", 9),
    ("#(subsets(a, 2) where #b == 0)", 36),
]


@pytest.mark.parametrize(("expression", "expected"), NUMBERS)
def test_an_expression_has_its_value(expression: str, expected: int) -> None:
    assert trace(play(f"trace = {expression}")) == expected


# Pieces by number: clubs 0, 1, 2, hearts 3, 4, 5, spades 6, 7, 8.
SETS = [
    ("a[hearts] + a", (3, 4, 5, 0, 1, 2, 6, 7, 8)),
    ("a - a[hearts]", (0, 1, 2, 6, 7, 8)),
    ("a[[spades, clubs]]", (0, 1, 2, 6, 7, 8)),
    ("a[spades] + a[clubs] & a", (6, 7, 8, 0, 1, 2)),
    ("[top(a[spades]), top(a)]", (6, 0)),
    ("top(a[hearts] + a, 4)", (3, 4, 5, 0)),
    ("a where it.value == 2", (1, 4, 7)),
    ("[top(a[s]) for s in [spades, clubs]]", (6, 0)),
    ("[best(c.value for c in a)]", (2,)),
    ("[least(c.value for c in a[spades] + a)]", (6,)),
    ("[best(c.value for c in a[spades] + a)]", (8,)),
    ("[best((c.value if c.suit == hearts else none) for c in a)]", (5,)),
    ("a[clubs 2] + a[spades 1]", (1, 6)),
    ("b", ()),
]


@pytest.mark.parametrize(("expression", "expected"), SETS)
def test_a_set_of_pieces_keeps_the_order_in_which_it_was_formed(
    expression: str, expected: tuple[int, ...]
) -> None:
    match = play(f"some = {expression}\nmove some under b")

    assert zone(match, "b") == expected
    assert variable(match, "some") == expected


def test_other_sets_are_in_canonical_order() -> None:
    match = play("numbers = [7, 3] + [5, 3] + [n * 2 for n in 0..2]")

    assert variable(match, "numbers") == (0, 2, 3, 4, 5, 7)


def test_a_set_that_an_example_gives_is_in_canonical_order() -> None:
    game = from_text(f"""{HEAD}
rule play: nothing
rule run
  for n in numbers: trace = trace * 10 + n
example "in order"
  given numbers = [3, 1]
  when run()
  expect trace == 13
""")
    ((_, example),) = elaborate_examples(game.program.declared)

    assert run_example(game.code, example) is None


def test_an_enum_that_includes_another_has_its_own_order() -> None:
    match = play(
        "for w in Wax: trace = trace * 10 + index(w)\n"
        "if black < clubs and white > spades: flag = yes",
        "enum Wax = black, Suit, white",
    )

    assert trace(match) == 124  # `index` counts in the enum that declares: 0, 0, 1, 2, 4
    assert variable(match, "flag") is True


def test_what_is_none_where_a_value_is_needed_is_a_fault_of_the_rules() -> None:
    with pytest.raises(RuleFault) as fault:
        play("trace = top(b).value")

    assert fault.value.code == codes.NONE_WHILE_PLAYING


def test_a_value_that_leaves_its_range_is_a_fault_of_the_rules() -> None:
    with pytest.raises(RuleFault) as fault:
        play("mark[first] += #a\nmark[first] += 1")

    assert fault.value.code == codes.LEAVES_RANGE


LOT = "zones               | order | seen by\n  lot[Player, Suit] | pool  | everyone"


def test_a_family_with_fewer_indices_than_it_has_is_all_that_is_left_of_it() -> None:
    match = play(
        "for p in Player: move top(a, 1 + index(p)) to lot[p][spades]\n"
        "for p in Player: trace = trace * 10 + #lot[p]\n"
        "trace = trace * 10 + #lot",
        LOT,
        players=3,
    )

    assert trace(match) == 1236


# ---- Seats ---------------------------------------------------------------------------------------

AROUND = "for p in {}: trace = trace * 10 + index(p) + 1"
SEATS = [
    ("clockwise", "order(first)", 2341),
    ("clockwise", "others(first)", 341),
    ("clockwise", "[next(first)]", 3),
    ("clockwise", "[left(first)]", 3),
    ("clockwise", "[right(first)]", 1),
    ("clockwise", "Player", 1234),
    ("counterclockwise", "order(first)", 2143),
    ("counterclockwise", "others(first)", 143),
    ("counterclockwise", "[next(first)]", 1),
    ("counterclockwise", "[left(first)]", 3),
    ("counterclockwise", "[right(first)]", 1),
    ("counterclockwise", "Player", 1234),
]


@pytest.mark.parametrize(("direction", "seats", "expected"), SEATS)
def test_seats_follow_each_other(direction: str, seats: str, expected: int) -> None:
    head = HEAD.replace("players 2..4", f"players 2..4 {direction}")
    game = from_text(f"{head}{SETUP}rule play\n  {AROUND.format(seats)}\n")

    assert trace(game.start(4, seed=1, first=1)) == expected


def test_who_is_first_is_given_or_drawn() -> None:
    game = from_text(f"{HEAD}{SETUP}rule play: trace = index(first)\n")
    drawn = Counter(trace(game.start(4, seed=seed)) for seed in range(400))

    assert [trace(game.start(4, seed=1, first=seat)) for seat in range(4)] == [0, 1, 2, 3]
    assert set(drawn) == {0, 1, 2, 3}
    assert all(60 < count < 140 for count in drawn.values())


# ---- Ranking -------------------------------------------------------------------------------------


def test_players_who_are_tied_share_a_place_and_none_is_worst() -> None:
    match = begin(
        """
rule play
  mark[first] = 4
  mark[next(first)] = 4
  mark[right(first)] = 1
let worth(p: Player) = mark[p] if mark[p] > 1 else none
ranking of p
  most   | worth(p)
  fewest | mark[p]
""",
        players=4,
    )

    assert match.result().places == (1, 1, 3, 4)
    assert match.result().winners == (0, 1)


def test_places_are_counted_on_after_a_tie() -> None:
    match = begin(
        "rule play: mark[first] = 4; mark[next(first)] = 4\nranking of p\n  most | mark[p]\n",
        players=3,
    )

    assert match.result().places == (1, 1, 3)


# ---- Play ----------------------------------------------------------------------------------------


def test_returning_from_play_ends_the_game_and_finish_runs() -> None:
    match = begin(f"rule play: {add(1)}\nrule finish: {add(2)}\n")

    assert trace(match) == 12


def test_end_leaves_all_rules_and_finish_runs() -> None:
    match = begin(
        f"rule turn\n  if #a > 0: end\n  {add(7)}\nrule play\n  {add(1)}\n  turn()\n  {add(8)}\n"
        f"rule finish: {add(2)}\n"
    )

    assert trace(match) == 12


def test_an_invariant_that_fails_is_told_when_somebody_is_asked() -> None:
    rules = "rule play\n  flag = yes\n  first chooses n from 1..2\nalways never: not flag\n"

    with pytest.raises(RuleFault) as fault:
        begin(rules)

    assert fault.value.code == codes.INVARIANT_FAILS


def test_whatever_is_no_option_is_refused() -> None:
    match = play("first chooses n from 1..2\ntrace = n")
    before = match.state.clone()
    for nonsense in (-1, 2, 10**30, "0", None, 1.0, (), [0]):
        with pytest.raises(IllegalMove):
            match.apply(nonsense)  # type: ignore[arg-type]
        with pytest.raises(IllegalMove):
            machine.apply(match.engine, match.state, nonsense)  # type: ignore[arg-type]
        assert before == match.state

    assert match.choices == []


def test_events_name_the_rules_that_made_them() -> None:
    match = play("move top(a) to b\nturn()", "rule turn: shuffle a")

    assert [event.origin.rule for event in match.events][-2:] == ["play", "turn"]


def test_events_are_told_with_the_doc_lines_that_hold_there() -> None:
    match = begin("""
rulebook "Small"
  @A-1..A-3 "All"
@A-1 "One turn."
@A-2 "It is short."
rule play
  trace = 1
  @A-3
  trace = 2
""")

    told = [(each.origin.cites, each.origin.sentence) for each in match.events][-2:]
    assert told == [(("A-1", "A-2"), "One turn. It is short."), (("A-3",), None)]


def test_what_a_mechanism_does_is_told_with_the_doc_lines_before_its_use() -> None:
    match = begin("""
rulebook "Small"
  @A-1 "All"
@A-1 "Turns pass to the left."
use turns
rule turn(p: Player)
  p chooses n from 1..2
  trace = n
  if p != first: end
""")
    match.apply(0)

    of_rule = [each for each in match.events if each.origin.rule == "round"]
    (event,) = [each for each in of_rule if each.kind != "heading"]
    assert event.origin.cites == ("A-1",)
    assert event.origin.sentence == "Turns pass to the left."


def test_events_follow_each_other_in_the_order_of_the_steps() -> None:
    match = play("move top(a, 3) to b")
    moved = [event.data[0] for event in match.events if event.kind == "move"][-3:]

    assert moved == [2, 1, 0]
    assert all(later < earlier for earlier, later in pairwise(moved))

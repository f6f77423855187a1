"""What goes wrong while playing is told with its owner, its place and the way to get there again."""

import pickle
from pathlib import Path

import pytest

from interpreter.errors import IllegalMove, LimitReached, RuleFault
from interpreter.examples import run_example
from interpreter.game_loading import load, load_source
from interpreter.match import Game
from rulespec import codes
from rulespec.cli import WRONG_RULES, main
from rulespec.codes import Code
from rulespec.elaboration.programs import elaborate_examples
from rulespec.source import Source, Span

PLAYING = [code for code in codes.ALL if code.number.startswith("RS9")]
HEADING = 'game "A small game"\nplayers 2\npieces | copies\n  Token | 3\n'


def game_of(text: str) -> Game:
    """A small game around a text; what it lacks to be one is added."""
    whole = HEADING + text.lstrip("\n")
    if "rule play" not in text:
        whole += "rule play\n  nothing\n"
    return load_source(Path("small.rules"), Source("small.rules", whole))


def what_goes_wrong(game: Game) -> Code | None:
    for declared, example in elaborate_examples(game.program.declared):
        failure = run_example(game.code, example)
        if failure is not None:
            assert declared.node.span.source == failure.span.source
            return failure.code
    try:
        match = game.start(seed=1, always=True)
        while not match.over:
            match.apply(0)
    except RuleFault as fault:
        return fault.code
    return None


def test_there_are_codes_for_playing() -> None:
    assert len(PLAYING) >= 7


@pytest.mark.parametrize("code", PLAYING, ids=lambda code: code.number)
def test_the_wrong_text_of_a_code_goes_wrong_with_it(code: Code) -> None:
    assert what_goes_wrong(game_of(code.wrong)) == code


@pytest.mark.parametrize("code", PLAYING, ids=lambda code: code.number)
def test_the_right_text_of_a_code_goes_well(code: Code) -> None:
    assert what_goes_wrong(game_of(code.right)) is None


def test_a_fault_names_the_place_the_rules_and_the_record() -> None:
    game = game_of(
        "state   | type | start\n"
        "  lives | 0..3 | 1\n"
        "rule play\n"
        "  repeat 3\n"
        "    first chooses sure from Bool\n"
        "    lose()\n"
        "    if sure: nothing\n"
        "rule lose\n"
        "  lives -= 1\n"
    )
    match = game.start(seed=4)
    match.apply(1)

    with pytest.raises(RuleFault) as caught:
        match.apply(0)

    fault = caught.value
    assert fault.code == codes.LEAVES_RANGE
    assert "this is -1, but only 0..3 is allowed here" in fault.message
    assert fault.span.source.text[fault.span.start : fault.span.end] == "lives -= 1"
    assert fault.rules == ("lose", "play")
    assert fault.record is not None
    assert fault.record.splitlines()[-2:] == ["Player 1: 1 yes", "Player 1: 0 no"]


@pytest.mark.parametrize(
    ("statement", "number", "code"),
    [
        ("first chooses lives from 0..9", 9, codes.LEAVES_RANGE),
        ("first may choose lives from 0..3", 4, codes.NONE_WHILE_PLAYING),
        ("first chooses spent from subsets(0..9, 2)", 44, codes.LEAVES_RANGE),
        ("first may choose spent from subsets(0..9, 2)", 44, codes.LEAVES_RANGE),
        ("first chooses spent from 0..9", 9, codes.LEAVES_RANGE),
        ("first chooses wish from Suit", 1, codes.LEAVES_RANGE),
        ("each q in [first] chooses mine[q] from 0..9", 9, codes.LEAVES_RANGE),
        ("each q in [first] may choose mine[q] from 0..3", 4, codes.NONE_WHILE_PLAYING),
    ],
)
def test_what_is_chosen_and_does_not_fit_its_target_is_told_at_the_choice(
    statement: str, number: int, code: Code
) -> None:
    game = game_of(f"""
enum Red = hearts
enum Suit = Red, clubs
state          | type      | start
  lives        | 0..3      | 1
  spent        | set 0..3  | []
  wish         | Red?      | none
  mine[Player] | 0..3      | 0
rule play
  {statement}
""")
    match = game.start(seed=1)

    with pytest.raises(RuleFault) as caught:
        match.apply(number)

    fault = caught.value
    assert code == fault.code
    assert fault.span.source.text[fault.span.start : fault.span.end] == statement
    assert [doubt.span.end for doubt in game.program.doubtful] == [fault.span.end]


def test_what_chance_draws_is_tested_like_what_is_assigned() -> None:
    game = game_of(
        "state | type | start\n  lives | 0..3 | 1\nrule play\n  random lives from 3..9\n"
    )
    found = set()
    for seed in range(20):
        try:
            game.start(seed=seed)
        except RuleFault as fault:
            found.add(fault.code)

    assert found == {codes.LEAVES_RANGE}


def test_an_endless_game_reaches_the_limit() -> None:
    game = game_of(codes.TOO_MANY_STEPS.wrong)

    with pytest.raises(LimitReached):
        game.start(seed=1)


@pytest.mark.parametrize("nonsense", [-1, 99, "Ira", None, 1.0, True, (0,)])
def test_what_is_no_option_is_refused_and_changes_nothing(nonsense: object) -> None:
    match = load("sins.rules").start(players=2, seed=7)
    before = match.state.clone()

    with pytest.raises(IllegalMove):
        match.apply(nonsense)

    assert match.state == before
    assert match.choices == []


@pytest.mark.parametrize(
    "code",
    [codes.NOTHING_TO_CHOOSE, codes.LEAVES_RANGE, codes.NONE_WHILE_PLAYING],
    ids=lambda code: code.number,
)
def test_checking_has_noted_where_a_value_may_go_wrong(code: Code) -> None:
    game = game_of(code.wrong)

    with pytest.raises(RuleFault) as caught:
        game.start(seed=1)

    lines = [
        doubt.span.source.text[: doubt.span.start].count("\n") for doubt in game.program.doubtful
    ]
    span = caught.value.span
    assert span.source.text[: span.start].count("\n") in lines


# ---- Before anybody plays ------------------------------------------------------------------------

TOO_FAR = """\
game "Too far"
players 2
let far(step: 0..3) = 2 * step
let further(step: 0..9) = far(step)
pieces                                     | copies
  Token(rank: 1..5, reach = further(rank)) | 1
rule play
  nothing
always reached: all(c.reach > 0 for c in box)
"""


@pytest.mark.parametrize("command", [["test"], ["simulate", "--games", "10"], ["play", "--plain"]])
def test_rules_that_cannot_be_set_up_are_not_our_bug(tmp_path, capsys, command: list[str]):
    path = tmp_path / "far.rules"
    path.write_text(TOO_FAR)

    assert main([*command, str(path)]) == WRONG_RULES

    told = capsys.readouterr().err
    assert "RS903" in told
    assert "far.rules:4:" in told


def test_a_fault_goes_from_one_process_to_another():
    fault = RuleFault(codes.LEAVES_RANGE, "this is 4", Span(Source("x.rules", "4"), 0, 1))
    fault.rules = ("turn",)

    other = pickle.loads(pickle.dumps(fault))  # noqa: S301 - our own

    assert (type(other), vars(other)) == (type(fault), vars(fault))

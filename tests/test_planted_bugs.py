"""Mistakes planted in copies of the shipped games, which pass every check and only show while playing.

Each must be found by `rulespec test`, with its code and its line. A game that goes wrong must be short, and
go wrong in the same way when it is replayed from its transcript.
"""

import pytest
from attrs import frozen

from interpreter import transcript
from interpreter.errors import RuleFault
from interpreter.game_loading import load
from interpreter.trials import Finding, Trial, Wish, try_file
from rulespec import cli, loading
from rulespec.checking.declarations import walk
from rulespec.source import Source, line_of, locate
from rulespec.syntax import nodes
from rulespec.syntax.parser import parse
from sizes import SOAKING, few_alone

USUAL = Wish(games=4, players=3, secrets=0)  # `test_judge` is about secrets


@frozen
class Plant:
    """A mistake: texts of a game and what stands there instead, and what must be said at which line.

    `choices` is how long the game that shows it may be; an example needs none.
    """

    title: str
    file: str
    changes: tuple[tuple[str, str], ...]
    code: str
    line: str
    choices: int | None
    wish: Wish = USUAL


PLANTS = (
    # Examples
    Plant(
        "a row of a table is wrong",
        "sins.rules",
        (("  3     => 6\n", "  3     => 7\n"),),
        "RS907",
        "expect points(0) == 0 and points(1) == 1 and points(2) == 3 and points(3) == 6",
        None,
        Wish(games=0),
    ),
    Plant(
        "the limit of a scoring row is off by one",
        "sins.rules",
        (
            ("  8+          => most", "  9+          => most"),
            ("  ..7         =>", "  ..8         =>"),
        ),
        "RS907",
        "expect abyss_score == 8 and goal == most",
        None,
        Wish(games=0),
    ),
    Plant(
        "the wrong player draws",
        "deadlies.rules",
        (
            (
                'reveals no card"\n      draw(hand[foe], 1)',
                'reveals no card"\n      draw(hand[p], 1)',
            ),
        ),
        "RS907",
        "hand[Bob] == [lust 2, envy 1]",
        None,
        Wish(games=0),
    ),
    # Invariants
    Plant(
        "a card goes to a wrong zone",
        "sins.rules",
        (("  take(p, sin, act)\n", "  take(p, sin, act)\n  move centre[Judgment] to hell[I]\n"),),
        "RS905",
        "always three_judgments",
        4,
    ),
    Plant(
        "one card too many",
        "sins.rules",
        (("  repeat 5 - #centre:", "  repeat 6 - #centre:"),),
        "RS905",
        "always at_most_five",
        2,
    ),
    Plant(
        "two cards are drawn instead of one",
        "seven7s.rules",
        (("  move top(deck) to hand[p]\n", "  move top(deck, 2) to hand[p]\n"),),
        "RS905",
        "always small_hands",
        3,
    ),
    Plant(
        "a counter goes down by one",
        "deadlies.rules",
        (("malice[q] = max(0, malice[q] - 2)", "malice[q] = max(0, malice[q] - 1)"),),
        "RS905",
        "always counters",
        16,
    ),
    Plant(
        "the saboteur pays",
        "siegel.rules",
        (("  if saboteur(p): return\n", ""),),
        "RS905",
        "always saboteur_without_seals",
        12,
    ),
    Plant(
        "a branch that only an option takes",
        "sins.rules",
        (("    move stone to pardons[p]\n", "    move centre[Judgment] to hell[I]\n"),),
        "RS905",
        "always three_judgments",
        5,
    ),
    # Values
    Plant(
        "a range is too small, in a variant",
        "sins.rules",
        (
            (
                "  let last = left(first)\n",
                "  let last = left(first)\n  state           | type | start\n    taken[Player] | 0..1 | 0\n",
            ),
            ("  after turn\n", "  after turn\n    taken[p] += 1\n"),
        ),
        "RS903",
        "taken[p] += 1",
        8,
    ),
    Plant(
        "a piece comes to a zone that does not hold it",
        "sins.rules",
        (("    move centre[sin] to reserve[p]", "    move centre to reserve[p]"),),
        "RS903",
        "move centre to reserve[p]",
        4,
    ),
    Plant(
        "a trick is paid before it is played",
        "siegel.rules",
        (
            ("    leader = play_trick(leader)\n", ""),
            (
                "    pay(leader, colours)\n",
                "    pay(leader, colours)\n    leader = play_trick(leader)\n",
            ),
        ),
        "RS904",
        "colours = payment(led, top(trick[leader]).colour)",
        6,
    ),
    # Flow
    Plant(
        "there is nothing to choose from",
        "sins.rules",
        (
            (
                "p chooses sin from centre.sin ",
                "p chooses sin from centre.sin where #centre[sin] > 1 ",
            ),
        ),
        "RS901",
        "p chooses sin from centre.sin where #centre[sin] > 1",
        2,
    ),
    Plant(
        "a loop never stops",
        "sins.rules",
        (
            (
                "move top(deck) to centre\n",
                "move top(deck) to centre\n  repeat\n    forgiven[p] = []\n    if #forgiven[p] > 0: stop\n",
            ),
        ),
        "RS902",
        "forgiven[p]",
        2,
        Wish(games=1, players=2, secrets=0),
    ),
    Plant(
        "the game ends before it begins",
        "sins.rules",
        (
            ("amounts.stones) to stones\n", "amounts.stones) to stones\n  look()\n"),
            ("move top(deck) to centre\n", "move top(deck) to centre\n  look()\n"),
            ("omit @S-10", "rule look\n  if #centre == 5: end\n\nomit @S-10"),
        ),
        "RS906",
        "if #centre == 5: end",
        0,
    ),
    Plant(
        "a game never ends",
        "sins.rules",
        (
            ("    move centre[sin] to reserve[p]", "    move centre[sin] to centre"),
            ("    move centre[sin] to abyss\n", "    move centre[sin] to centre\n"),
        ),
        "RS902",
        "p chooses",
        4,
        Wish(games=1, players=2, secrets=0),
    ),
)


def plant_in(folder, plant: Plant):
    """A copy of the game with the mistake in it.

    Examples take three times as long as the games, so what shows in a game is looked for without them;
    the soak looks for it in the whole file.
    """
    text = (loading.GAMES / plant.file).read_text("utf-8")
    for right, wrong in plant.changes:
        assert text.count(right) == 1, right
        text = text.replace(right, wrong)
    if plant.choices is not None and not SOAKING:
        text = without_examples(text)
    path = folder / plant.file
    path.write_text(text, "utf-8")
    return path


def without_examples(text: str) -> str:
    parsed = parse(Source("whole.rules", text))
    assert parsed.file is not None
    examples = [each.span for each in walk(parsed.file) if isinstance(each, nodes.Example)]
    assert len(examples) > 10
    for span in reversed(examples):
        text = text[: span.start] + text[span.end :]
    return text


def at_line(finding: Finding) -> str:
    span = finding.diagnostic.span
    return line_of(span.source, locate(span)[0].line).strip()


def find(trial: Trial, plant: Plant) -> Finding:
    # The same mistake may show in an example, too.
    wanted = sorted(
        trial.findings, key=lambda each: (each.example is None) == (plant.choices is None)
    )
    for finding in wanted:
        if finding.diagnostic.code.number == plant.code and plant.line in at_line(finding):
            return finding
    told = [f"{each.diagnostic.code.number} {at_line(each)}" for each in trial.findings]
    raise AssertionError(told)


def test_there_are_plants():
    assert len(PLANTS) >= 10


@pytest.mark.parametrize("plant", few_alone(PLANTS, 4), ids=lambda plant: plant.title)
def test_planted_bugs_are_found(plant, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = plant_in(tmp_path, plant)
    trial = try_file(path, loading.read(str(path)), plant.wish)
    finding = find(trial, plant)

    assert not trial.bugs
    if plant.choices is None:
        assert finding.example is not None
        return
    assert finding.counterexample is not None
    record = transcript.read(transcript.write(finding.counterexample.record))
    assert len(record.choices) <= plant.choices
    game = load(record.game, record.variants, dict(record.options))
    if finding.counterexample.again is not None:
        assert not game.replay(record, always=True).over
        return
    with pytest.raises(RuleFault) as raised:
        game.replay(record, always=True)
    assert plant.code == raised.value.code.number
    assert finding.diagnostic.span.start == raised.value.span.start


@pytest.mark.soak
def test_the_same_game_is_found_every_time(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plant = next(each for each in PLANTS if each.title == "two cards are drawn instead of one")
    path = plant_in(tmp_path, plant)
    source = loading.read(str(path))
    first, second = (try_file(path, source, plant.wish).findings for _ in range(2))

    assert first == second


def test_a_crash_is_confessed_with_its_game(monkeypatch, capsys):
    def broken(*_):
        raise KeyError("oh")

    monkeypatch.setattr("interpreter.playthroughs.rank", broken)

    assert cli.main(["test", "sins.rules", "--games", "1", "--players", "2"]) == cli.OUR_BUG
    told = capsys.readouterr().err
    assert "KeyError: 'oh'" in told
    assert "This is a bug in rulespec" in told
    assert "rulespec transcript 1\ngame sins.rules\n" in told
    assert "seed 1\n\nPlayer " in told

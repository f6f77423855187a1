"""What is told beside a line that does not parse: all that is wrong elsewhere, and nothing that is right there."""

import random
import re
from pathlib import Path

import pytest

from programs import REPEATED, chunks
from rulespec.checks import check
from rulespec.loading import GAMES, decode
from rulespec.source import Source, text_of
from rulespec.starters import TINY
from rulespec.syntax.parser import parse
from sizes import SOAKING

BASES = Path(__file__).parent / "rejected_checking" / "bases" / "x.rules"
NONSENSE = " => | =>"
CHUNKS = dict(chunks("rejected_checking"))
ONE_OF = 1 if SOAKING else 5

# Unrelated mistakes in the tiny game: what stands there, and what it becomes.
PLANTED = (
    ("move box to deck", "move box to dek", "RS201"),
    ("  5      => 3", "", "RS331"),
    ("let score(p: Player)", "let odd = red + 1\nlet score(p: Player)", "RS301"),
    ("most | #won[p]", "most | #wonn[p]", "RS201"),
)
BROKEN = ("fits = card.colour ==", "fits = card.colour = =", "RS139")


def found_in(path: Path, text: str) -> set[tuple[str, str, str]]:
    found = check(path, Source(path.name, text)).diagnostics
    return {(each.code.number, each.message, text_of(each.span)) for each in found}


def damaged(text: str, rng: random.Random) -> str | None:
    """A text in which one line does not parse: with nonsense behind it, or half typed."""
    line = rng.choice(parse(Source("x.rules", text)).lines)
    if rng.random() < 0.5:
        end = line.tokens[-1].end
        changed = text[:end] + NONSENSE + text[end:]
    else:
        token = rng.choice(line.tokens)
        changed = text[: rng.randint(token.start + 1, token.end)] + text[line.tokens[-1].end :]
    return changed if parse(Source("x.rules", changed)).diagnostics else None


def test_five_unrelated_mistakes_are_told_at_once():
    text = TINY.format(title="Five")
    for old, new, _ in (*PLANTED, BROKEN):
        assert old in text
        text = text.replace(old, new, 1)

    told = sorted(code for code, _, _ in found_in(Path("five.rules"), text))

    assert told == sorted(code for *_, code in (*PLANTED, BROKEN))


def test_a_mistake_hides_no_other_one_that_does_not_depend_on_it():
    text = TINY.format(title="Four")
    for old, new, _ in PLANTED:
        text = text.replace(old, new, 1)

    told = sorted(code for code, _, _ in found_in(Path("four.rules"), text))

    assert told == sorted(code for *_, code in PLANTED)


TEN = (
    *("sins", "seven7s", "siegel", "deadlies", "classics/bridge", "classics/gin_rummy"),
    *("classics/cribbage", "classics/euchre", "classics/skat", "classics/go_fish"),
)
SOMETHING_DONE = re.compile(r" +(?:move|shuffle|show|if|for) .*?\b([a-z_]+)[\[(]")


def homes(lines: list[str]) -> list[int]:
    """Of each line where the declaration begins in which it stands."""
    home, found = 0, []
    for number, line in enumerate(lines):
        home = number if line[:1].isalpha() else home
        found.append(home)
    return found


@pytest.mark.parametrize("name", TEN)
def test_four_unknown_names_and_a_damaged_line_are_told_and_nothing_else(name: str):
    path = GAMES / f"{name}.rules"
    text = path.read_text("utf-8")
    rng = random.Random(name)  # noqa: S311 - a sample
    tried = 0
    while tried < (20 if SOAKING else 2):
        lines = text.split("\n")
        home = homes(lines)
        rules = [
            number
            for number, line in enumerate(lines)
            if SOMETHING_DONE.match(line) and lines[home[number]].startswith("rule ")
        ]
        planted = rng.sample(rules, 4)
        for number in planted:
            found = SOMETHING_DONE.match(lines[number])
            assert found is not None
            lines[number] = f"{lines[number][: found.start(1)]}qq_{lines[number][found.start(1) :]}"
        mistakes = found_in(path, "\n".join(lines))
        elsewhere = [
            number
            for number, line in enumerate(lines)
            if re.match(r" +[a-z#]", line)
            and re.match(r"(?:rule|example|table|zones|state)\b", lines[home[number]])
            and home[number] not in [home[each] for each in planted]
        ]
        hit = rng.choice(elsewhere)
        lines[hit] = rng.choice(
            (
                f"{lines[hit]} => |",
                lines[hit].replace("]", "", 1),
                f" {lines[hit]}",
                lines[hit][:-3],
            )
        )
        slips = parse(Source(path.name, "\n".join(lines))).diagnostics
        if len(slips) == 1 and len(mistakes) == len(planted):
            tried += 1
            told = found_in(path, "\n".join(lines))

            assert {each for each in told if each[0] < "RS2"} | mistakes == told, lines[hit]


@pytest.mark.parametrize("line", ["rul", "rule foo(", "let x =", "zones | order", "use", "  move"])
def test_what_is_being_typed_makes_nothing_else_wrong(line: str):
    text = f"{TINY.format(title='Typed')}\n{line}\n"

    codes = {code for code, _, _ in found_in(Path("typed.rules"), text)}

    assert codes
    assert all(code.startswith("RS1") for code in codes)


@pytest.mark.parametrize("place", [*CHUNKS][::ONE_OF])
def test_nothing_is_told_that_vanishes_when_the_line_is_mended(place: str):
    chunk = CHUNKS[place]
    if REPEATED.match(chunk):
        return
    text = re.sub(r" *--!.*", "", decode("x.rules", chunk).text)
    whole = found_in(BASES, text)
    rng = random.Random(place)  # noqa: S311 - a sample
    for _ in range(20 if SOAKING else 2):
        changed = damaged(text, rng)
        if changed is not None:
            new = found_in(BASES, changed) - whole

            assert all(code.startswith("RS1") for code, _, _ in new), (changed, new)


@pytest.mark.parametrize(
    "name", ["sins.rules", "classics/go_fish.rules", "examples/steep_sins.rules"]
)
def test_a_shipped_game_with_one_damaged_line_has_one_mistake(name: str):
    path = GAMES / name
    text = path.read_text("utf-8")
    rng = random.Random(name)  # noqa: S311 - a sample
    for _ in range(50 if SOAKING else 2):
        changed = damaged(text, rng)
        if changed is not None:
            syntax = parse(Source(path.name, changed)).diagnostics

            assert len(found_in(path, changed)) == len(syntax)

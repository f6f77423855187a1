"""Formatting keeps comments and blank lines where they stood, and changes no meaning."""

from hypothesis import given
from hypothesis import strategies as st

from rulespec.loading import GAMES
from rulespec.source import Source
from rulespec.syntax.formatter import format_source
from rulespec.syntax.parser import parse
from rulespec.syntax.scanner import scan

GAMES_TEXTS = [path.read_text("utf-8") for path in sorted(GAMES.rglob("*.rules"))]


def formatted(text: str) -> str:
    result = format_source(Source("x.rules", text))
    assert isinstance(result, str), (text, result)
    return result


def comments(text: str) -> list[str]:
    return [comment.text for comment in scan(Source("x.rules", text)).comments]


@st.composite
def commented_excerpts(draw):
    """Some lines of a game, with comments and blank lines put between and behind them."""
    text = draw(st.sampled_from([each for each in GAMES_TEXTS if each.count("\n") > 50]))
    lines = text.split("\n")
    tops = [n for n, line in enumerate(lines) if line and line[0] not in " @-" and n > 20]
    first = draw(st.integers(0, len(tops) - 2))
    part = lines[tops[first] : tops[min(first + 3, len(tops) - 1)]]
    part.append('omit @X-1 "So that a clause at the end has something to document."')
    in_string = _inside_strings("\n".join(part))
    for number in range(len(part) - 1, -1, -1):
        if number in in_string:
            continue
        kind = draw(st.sampled_from(["", "", "", "before", "behind", "blank"]))
        if kind == "before":
            indent = draw(st.integers(0, 7))
            part.insert(number, " " * indent + f"-- before {number}")
        elif kind == "behind" and part[number] and number + 1 not in in_string:
            # A clause goes on with what stands right behind it.
            gaps = [" ", "   "] if part[number].split()[-1].startswith("@") else [" ", "   ", ""]
            part[number] += draw(st.sampled_from(gaps)) + f"-- behind {number}"
        elif kind == "blank":
            part[number:number] = [""] * draw(st.integers(1, 3))
    return "\n".join(part)


def _inside_strings(text: str) -> set[int]:
    """The numbers of the lines that begin inside a string."""
    inside = set()
    for token in scan(Source("x.rules", text)).tokens:
        if token.kind == "STRING":
            start = text.count("\n", 0, token.start)
            inside |= set(range(start + 1, start + 1 + token.text.count("\n")))
    return inside


@given(commented_excerpts())
def test_comments_survive_in_their_order(text):
    result = formatted(text)

    assert comments(result) == comments(text)
    assert formatted(result) == result
    assert parse(Source("x.rules", result)).file == parse(Source("x.rules", text)).file


@given(commented_excerpts())
def test_comments_stay_between_the_same_lines(text):
    assert _skeleton(text) == _skeleton(formatted(text))


def _skeleton(text: str) -> list[str]:
    """Comments, and for each logical line a mark, in the order of the text."""
    source = Source("x.rules", text)
    parsed = parse(source)
    marks = [(line.tokens[0].start, "line") for line in parsed.lines]
    marks += [(comment.start, comment.text) for comment in parsed.comments]
    return [mark for _, mark in sorted(marks)]


def test_blank_lines_are_kept_but_never_two_nor_at_the_ends():
    text = '\n\ngame "A"\n\n\n\nplayers 2\nrule setup\n\n  end\n\n  stop\n\n\n'

    assert formatted(text) == 'game "A"\n\nplayers 2\nrule setup\n  end\n\n  stop\n'


def test_a_line_with_comments_inside_stays_as_its_author_broke_it():
    text = "enum Act =   keep,  -- so\n           feed -- or so\n"

    assert formatted(text) == "enum Act =   keep,  -- so\n           feed  -- or so\n"


def test_an_empty_file_stays_empty():
    assert [formatted(text) for text in ("", "\n\n", "  \n")] == ["", "", ""]
    assert formatted("\n  -- alone") == "-- alone\n"


def test_long_lines_are_broken_where_a_person_would():
    condition = " and ".join(f"#zone_number_{number} == {number}" for number in range(6))
    text = f"always a: {condition}\n"

    assert formatted(text) == (
        "always a: #zone_number_0 == 0\n"
        "    and #zone_number_1 == 1\n"
        "    and #zone_number_2 == 2\n"
        "    and #zone_number_3 == 3\n"
        "    and #zone_number_4 == 4\n"
        "    and #zone_number_5 == 5\n"
    )


def test_what_cannot_be_broken_gets_brackets():
    names = " + ".join(f"a_rather_long_name_{number}" for number in range(6))

    assert formatted(f"let total = {names}\n") == (
        "let total = (a_rather_long_name_0\n"
        + "".join(f"             + a_rather_long_name_{number}\n" for number in range(1, 5))
        + "             + a_rather_long_name_5)\n"
    )

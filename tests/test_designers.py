"""Mistakes that designers make in a copy of a shipped game: told once, where they are, with something to type."""

import pytest

from mistakes import MISTAKES
from rulespec import loading
from rulespec.checks import check
from rulespec.source import Source, locate
from sizes import few_alone


@pytest.mark.parametrize(
    "mistake", few_alone(MISTAKES, 50), ids=[f"{file}: {new}"[:60] for file, _, new, *_ in MISTAKES]
)
def test_a_designer_is_told_what_to_type(mistake: tuple[str, str, str, str, str, str | None]):
    file, old, new, code, message, hint = mistake
    text = loading.read(file).text
    begin = text.index(old)
    changed = text.replace(old, new, 1)

    (found,) = check(loading.find_rules(file), Source(file, changed)).diagnostics

    assert (code, message, hint) == (found.code.number, found.message, found.hint)
    first, last = (changed.count("\n", 0, at) + 1 for at in (begin, begin + len(new)))
    assert first <= locate(found.span)[0].line <= last

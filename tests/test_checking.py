"""Programs whose meaning must be refused, and planted mistakes in the shipped games."""

import importlib
import os
from pathlib import Path

import pytest
from hypothesis import given

import small_programs
from programs import HERE, accept, assert_draws_what_it_says, chunks, expectations
from rulespec import codes, loading
from rulespec.checking.declarations import Declarations
from rulespec.checks import check
from rulespec.codes import Code
from rulespec.diagnostics import Diagnostic
from rulespec.source import Source, locate
from rulespec.syntax import nodes
from sizes import SOAKING, few_alone

FOLDER = "rejected_checking"
CHUNKS = dict(chunks(FOLDER))
MEANING = [code for code in codes.ALL if code.number[2] in "2345"]
MUTANT_LISTS = sorted(path.stem for path in HERE.glob("mutants_*.py"))
MUTANTS = [
    pytest.param(mutant, id=f"{name}-{number}")
    for name in MUTANT_LISTS
    for number, mutant in enumerate(importlib.import_module(name).MUTANTS)
]
VARIANTS = {
    "sins.rules": ("penitenziagite",),
    "siegel.rules": ("open_tricks",),
    "seven7s.rules": (),
    "deadlies.rules": ("sixth_player", "covered_discard"),
    "my_sins.rules": (),
    "steep_sins.rules": ("penitenziagite",),
    "open_sins.rules": ("penitenziagite",),
    "indulgence.rules": ("penitenziagite",),
}


def diagnose(content: bytes) -> tuple[Diagnostic, ...]:
    source = loading.decode("test.rules", content)
    return check(HERE / FOLDER / "bases" / "test.rules", source).diagnostics


@pytest.mark.skipif("ACCEPT" not in os.environ, reason="only in `make accept`")
def test_expectations_are_written() -> None:
    accept(FOLDER, diagnose)


def test_there_are_rejected_programs_and_mutants() -> None:
    assert len(CHUNKS) >= 60
    assert len(MUTANTS) >= 100


@pytest.mark.parametrize("place", CHUNKS)
def test_a_rejected_program_draws_what_it_says_and_nothing_else(place: str) -> None:
    assert_draws_what_it_says(CHUNKS[place], diagnose)


def test_every_code_is_drawn_by_a_rejected_program() -> None:
    drawn = {code for chunk in CHUNKS.values() for _, code, _ in expectations(chunk)}

    # Their texts are too long for a page; that they draw the codes is tested below.
    long = (codes.LARGE_TABLE, codes.TOO_MANY_VARIANTS, codes.DEEP_CALLS)
    assert {code.number for code in MEANING} <= drawn | {code.number for code in long}


@pytest.mark.parametrize("code", MEANING, ids=lambda code: code.number)
def test_the_wrong_text_of_a_code_draws_it(code: Code) -> None:
    drawn = {each.code.number for each in diagnose((code.wrong * code.repeat).encode())}

    assert drawn == {code.number}


@pytest.mark.parametrize("code", MEANING, ids=lambda code: code.number)
def test_the_right_text_of_a_code_draws_nothing(code: Code) -> None:
    assert diagnose(code.right.encode()) == ()


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("with_variants", [False, True])
def test_shipped_games_check_clean_with_every_variant(name: str, with_variants: bool) -> None:  # noqa: FBT001
    variants = VARIANTS[name] if with_variants else ()

    assert check(loading.find_rules(name), loading.read(name), variants).diagnostics == ()


@pytest.mark.parametrize("path", sorted(loading.MECHANISMS.glob("*.rules")), ids=lambda p: p.stem)
def test_mechanisms_check_clean_by_themselves(path: Path) -> None:
    assert check(path, loading.read(str(path))).diagnostics == ()


@pytest.mark.parametrize("mutant", few_alone(MUTANTS, 50))
def test_a_planted_mistake_is_told_at_its_place(mutant: tuple[str, ...]) -> None:
    name, old, new, code, part = mutant[:5]
    path = loading.find_rules(name)
    text = loading.read(name).text
    assert text.count(old) >= 1, f"{name} has no {old!r} any more"
    place = text.index(old)
    changed = text[:place] + new + text[place + len(old) :]
    source = Source(name, changed)

    drawn = check(path, source).diagnostics
    told = [(each.code.number, each.message) for each in drawn]
    assert any(code == number and part in message for number, message in told), told
    assert all(locate(each.span)[0].line >= 1 for each in drawn)


def _values(program: Declarations, option: nodes.Option) -> list[str]:
    """All values that an option may have."""
    match option.type:
        case nodes.RangeType(low, high):
            return [str(number) for number in range(low.value, high.value + 1)]
        case nodes.NamedType(name) if name.text in program.enums:
            return [member.name.text for member in program.enums[name.text].node.members]
        case _:
            return ["no", "yes"]


@pytest.mark.parametrize("name", [path.name for path in loading.shipped_game_files()])
def test_shipped_games_check_clean_with_every_value_of_every_option(name: str) -> None:
    path, source = loading.find_rules(name), loading.read(name)
    program = check(path, source).program
    assert program is not None
    tried = 0
    for option in program.declared.options.values():
        values = _values(program.declared, option.node)
        # Between the first and the last there are only numbers like these, or other members.
        for value in values if SOAKING else (values[0], values[-1]):
            tried += 1
            found = check(path, source, VARIANTS[name], ((option.node.name.text, value),))
            assert found.diagnostics == (), (option.node.name.text, value)

    assert tried >= 4


@given(small_programs.programs())
def test_small_programs_that_mean_something_are_accepted(text: str) -> None:
    found = check(Path("small.rules"), Source("small.rules", text)).diagnostics

    assert [each for each in found if each.severity == "error"] == [], text


def test_files_that_extend_each_other_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text('extends "b.rules"\n', "utf-8")
    (tmp_path / "b.rules").write_text('extends "a.rules"\n', "utf-8")

    found = check(tmp_path / "a.rules", loading.read(str(tmp_path / "a.rules"))).diagnostics

    assert [each.code for each in found] == [codes.BAD_FILE]
    assert "a.rules extends b.rules extends a.rules" in found[0].message


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.rules").write_text('game "Secret"\n', "utf-8")
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "innocent.rules").symlink_to(tmp_path / "secret.rules")
    (folder / "mine.rules").write_text('extends "innocent.rules"\n', "utf-8")

    found = check(folder / "mine.rules", loading.read(str(folder / "mine.rules"))).diagnostics

    assert [each.code for each in found] == [codes.BAD_FILE]


def test_a_mistake_in_the_base_is_told_in_the_file_that_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "base.rules").write_text("rule setup\n  shuffle dekc\n", "utf-8")
    (tmp_path / "mine.rules").write_text('-- mine\nextends "base.rules"\n', "utf-8")

    (found,) = check(
        tmp_path / "mine.rules", loading.read(str(tmp_path / "mine.rules"))
    ).diagnostics

    assert found.span.source.name.endswith("mine.rules")
    assert locate(found.span)[0].line == 2
    assert found.related[0].span.source.name.endswith("base.rules")


def test_an_override_that_is_misspelt_shows_what_was_meant() -> None:
    text = 'extends "sins.rules"\noverride rule trun(p: Player)\n  super(p)\n'

    (found,) = diagnose(text.encode())

    assert found.hint == "did you mean `turn`?"
    assert found.related[0].span.source.name.endswith("sins.rules")

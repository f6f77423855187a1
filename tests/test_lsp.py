"""The language server, as an editor hears it: a real client over its input and output, on the shipped games."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from lsprotocol import types

from lsp_editor import Editor
from rulespec.highlighting import RulesLexer
from rulespec.loading import GAMES

FOUR = ("sins.rules", "seven7s.rules", "deadlies.rules", "siegel.rules")


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    found = Editor()
    yield found
    found.leave()


def codes(found: list[types.Diagnostic]) -> set[str]:
    return {str(each.code) for each in found}


@pytest.mark.parametrize("name", FOUR)
def test_a_game_is_open_without_a_finding_and_has_an_outline(editor: Editor, name: str):
    uri = editor.open(GAMES / name)
    entries = editor.ask(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, **editor.text(uri))
    folds = editor.ask(types.TEXT_DOCUMENT_FOLDING_RANGE, **editor.text(uri))
    lenses = editor.ask(types.TEXT_DOCUMENT_CODE_LENS, **editor.text(uri))

    assert {"game", "rule", "example", "zones"} <= {each.detail for each in entries}
    named = [each for each in entries if each.detail in ("rule", "enum", "let", "table")]
    assert all(each.name == editor.said(uri, each.selection_range) for each in named)
    assert all(each.start_line < each.end_line for each in folds)
    assert len(folds) > 50
    assert {each.command.title for each in lenses} == {"Play", "Test", "Run"}
    assert not editor.ask(types.TEXT_DOCUMENT_FORMATTING, **editor.text(uri), options=_options())
    assert editor.findings(uri, lambda found: not found) == []


@pytest.mark.parametrize("name", FOUR)
def test_a_game_is_coloured_as_on_the_pages(editor: Editor, name: str):
    uri = editor.open(GAMES / name)
    legend = editor.started.capabilities.semantic_tokens_provider.legend.token_types
    found = editor.ask(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, **editor.text(uri)).data
    text = editor.texts[uri]
    colours: dict[tuple[int, int], tuple[str, str]] = {}
    lines, line, column = text.split("\n"), 0, 0
    for lower, right, length, kind, _ in zip(*[iter(found)] * 5, strict=True):
        line, column = line + lower, right + (0 if lower else column)
        colours[line, column] = lines[line][column : column + length], legend[kind]

    for start, colour, words in RulesLexer().get_tokens_unprocessed(text):
        begun = text[:start]
        place = begun.count("\n"), start - begun.rfind("\n") - 1
        if str(colour).startswith(("Token.Keyword", "Token.Operator.Word")):
            assert colours.pop(place) == (words, "keyword")
        elif str(colour).startswith("Token.Literal.String"):
            assert colours[place][1] == "string"
    assert "keyword" not in {kind for _, kind in colours.values()}
    assert set(legend) <= {kind for _, kind in colours.values()} | {"keyword"}


def _options() -> types.FormattingOptions:
    return types.FormattingOptions(tab_size=2, insert_spaces=True)


@pytest.mark.parametrize(
    ("name", "word", "values", "sentence"),
    [
        ("sins.rules", "points(cards: 0..13)", "It is a number from -6 to 10.", "What the cards"),
        ("sins.rules", "stones          |", "It is a zone", "The Stones that nobody has taken"),
        ("deadlies.rules", "hand[", "", ""),
    ],
)
def test_what_a_name_is_is_shown(editor: Editor, name: str, word: str, values: str, sentence: str):
    uri = editor.open(GAMES / name)
    editor.ask(types.TEXT_DOCUMENT_CODE_ACTION, **_action(editor, uri, word))  # once all is known
    found = editor.ask(types.TEXT_DOCUMENT_HOVER, **editor.at(uri, word))

    assert word.rstrip(" |[").partition("(")[0] in found.contents.value
    assert values in found.contents.value
    assert sentence in found.contents.value


def _action(editor: Editor, uri: str, word: str) -> dict:
    place = editor.at(uri, word)["position"]
    context = types.CodeActionContext(diagnostics=[])
    return {**editor.text(uri), "range": types.Range(place, place), "context": context}


def test_a_clause_is_shown_in_the_words_of_its_list(editor: Editor):
    uri = editor.open(GAMES / "sins.rules")
    found = editor.ask(types.TEXT_DOCUMENT_HOVER, **editor.at(uri, '@S-35 "What'))

    assert "S-" in found.contents.value or "Scoring" in found.contents.value


def test_names_lead_across_files(editor: Editor):
    uri = editor.open(GAMES / "examples" / "my_sins.rules")
    (place,) = editor.ask(types.TEXT_DOCUMENT_DEFINITION, **editor.at(uri, "rows points", 6))
    (file,) = editor.ask(types.TEXT_DOCUMENT_DEFINITION, **editor.at(uri, '"sins.rules"', 3))
    found = editor.ask(
        types.TEXT_DOCUMENT_REFERENCES,
        **editor.at(uri, "rows points", 6),
        context=types.ReferenceContext(include_declaration=True),
    )

    assert place.uri.endswith("games/sins.rules")
    assert file.uri.endswith("games/sins.rules")
    assert {each.uri.rpartition("/")[2] for each in found} >= {"sins.rules", "my_sins.rules"}


def test_mistakes_beside_a_line_that_does_not_parse_are_told(editor: Editor):
    uri = editor.open(GAMES / "siegel.rules")
    editor.type(uri, "  shuffle deck", "  shuffle = deck")
    editor.type(uri, "rule setup", "rule nobody_calls\n  move box to dekc\nrule setup")

    found = editor.findings(uri, lambda found: "RS201" in codes(found))

    assert {str(each.code)[:3] for each in found} == {"RS1", "RS2"}
    editor.close(uri)


def test_words_that_fit_are_offered(editor: Editor):
    uri = editor.open(GAMES / "sins.rules")
    editor.type(uri, "rule setup\n", "rule setup\n  move cen\n")
    found = editor.ask(types.TEXT_DOCUMENT_COMPLETION, **editor.at(uri, "move cen", 8))

    assert "centre" in {each.label for each in found.items}
    assert all(each.label.startswith("cen") for each in found.items)
    editor.close(uri)


def test_a_hint_is_applied(editor: Editor):
    uri = editor.open(GAMES / "sins.rules")
    editor.type(uri, "players 2..5 counterclockwise", "players 2 to 5 counterclockwise")
    (action,) = editor.ask(types.TEXT_DOCUMENT_CODE_ACTION, **_action(editor, uri, "to 5 counter"))
    (edit,) = action.edit.changes[uri]

    assert editor.said(uri, edit.range) == "players 2 to 5"
    assert edit.new_text == "players 2..5"
    editor.close(uri)


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ('extends "sin.rules"', 'extends "sins.rules"'),
        ('extends "sins"', 'extends "sins.rules"'),
        ('game "A"\nuse stes', 'game "A"\nuse sets'),
    ],
)
def test_the_name_of_a_file_is_mended_as_it_is_written(
    editor: Editor, own: Path, line: str, mended: str
):
    uri = editor.open(own / "begun.rules", f"{line}\n")
    (action, *_) = editor.ask(
        types.TEXT_DOCUMENT_CODE_ACTION, **_action(editor, uri, line.rpartition(" ")[2])
    )
    (edit,) = action.edit.changes[uri]

    assert line.replace(editor.said(uri, edit.range), edit.new_text) == mended
    editor.close(uri)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A game and an overlay of it in a folder of an author."""
    shutil.copy(GAMES / "sins.rules", tmp_path / "sins.rules")
    overlay = 'extends "sins.rules"\ngame "Mine"\nrows goal\n  * => 4\n'
    (tmp_path / "mine.rules").write_text(overlay)
    return tmp_path


def test_a_name_is_renamed_in_all_files(editor: Editor, own: Path):
    uri = editor.open(own / "mine.rules")
    edit = editor.ask(types.TEXT_DOCUMENT_RENAME, **editor.at(uri, "rows goal", 6), new_name="aim")
    files = {each.rpartition("/")[2]: edits for each, edits in edit.changes.items()}

    assert set(files) == {"mine.rules", "sins.rules"}
    assert len(files["sins.rules"]) > 1
    with pytest.raises(Exception, match="cannot be a name"):
        editor.ask(types.TEXT_DOCUMENT_RENAME, **editor.at(uri, "rows goal", 6), new_name="if")
    with pytest.raises(Exception, match="with `centre`"):
        editor.ask(types.TEXT_DOCUMENT_RENAME, **editor.at(uri, "rows goal", 6), new_name="centre")
    editor.close(uri)


def test_a_member_is_renamed_together_with_the_columns_that_are_named_like_it(
    editor: Editor, own: Path
):
    file = own / "seven7s.rules"
    shutil.copy(GAMES / "seven7s.rules", file)
    uri = editor.open(file)
    place = editor.at(uri, "=> red | orange", 4)
    (declared,) = editor.ask(types.TEXT_DOCUMENT_DEFINITION, **place)
    edit = editor.ask(types.TEXT_DOCUMENT_RENAME, **place, new_name="crimson")
    lines = editor.texts[uri].split("\n")
    changed = {lines[each.range.start.line] for each in edit.changes[uri]}

    assert lines[declared.range.start.line].startswith("enum Colour")
    assert lines[place["position"].line] in changed
    assert lines[declared.range.start.line] in changed
    editor.close(uri)


def test_an_example_is_run(editor: Editor, own: Path):
    file = own / "small.rules"
    shutil.copy(GAMES / "classics" / "kuhn.rules", file)
    uri = editor.open(file)
    lenses = editor.ask(types.TEXT_DOCUMENT_CODE_LENS, **editor.text(uri))
    example = next(each.command for each in lenses if each.command.title == "Run")
    found = editor.ask(
        types.WORKSPACE_EXECUTE_COMMAND, command=example.command, arguments=example.arguments
    )

    assert found["well"]
    assert "holds" in found["sentence"]
    editor.close(uri)

"""What editors other than the playground's are given: colours, the extension for VS Code, hooks, an action."""

import ctypes
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import rulespec
from rulespec.docgen.textmate import CONSTANTS, SCOPE, textmate_grammar, textmate_text
from rulespec.highlighting import RulesLexer
from rulespec.syntax.scanner import lexis

ROOT = Path(__file__).parent.parent
VSCODE = ROOT / "editors" / "vscode"
TREE_SITTER = ROOT / "editors" / "tree-sitter"


def script(path: Path):
    """A script that lies beside what it writes."""
    found = importlib.util.spec_from_file_location(path.stem, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


write_tree_sitter = script(TREE_SITTER / "write.py")
FILES = sorted(ROOT.glob("games/**/*.rules"))


def test_the_grammar_of_the_extension_is_that_of_the_language():
    assert (VSCODE / "syntaxes" / "rules.tmLanguage.json").read_text("utf-8") == textmate_text()


def test_the_extension_says_what_it_has():
    package = json.loads((VSCODE / "package.json").read_text("utf-8"))
    (grammar,) = package["contributes"]["grammars"]

    assert package["version"] == rulespec.__version__
    assert grammar["scopeName"] == SCOPE
    assert (VSCODE / grammar["path"]).is_file()
    for language in package["contributes"]["languages"]:
        json.loads((VSCODE / language["configuration"]).read_text("utf-8"))


def test_the_extension_is_packed(tmp_path: Path):
    pack = script(VSCODE / "pack.py")
    target = tmp_path / "made" / "rulespec.vsix"
    pack.pack(target, b"// bundled")

    with zipfile.ZipFile(target) as archive:
        names = set(archive.namelist())
        assert archive.read("extension/dist/extension.js") == b"// bundled"
        package = json.loads(archive.read("extension/package.json"))
        assert f"extension/{package['main'].removeprefix('./')}" in names
        assert b'Id="rulespec"' in archive.read("extension.vsixmanifest")


@pytest.fixture(scope="module")
def in_vscode():
    """What the bundled extension does in as much of VS Code as it touches, with a command for the server."""
    bundle = ROOT / ".venv" / "vscode" / "extension.js"
    node = shutil.which("node")
    if node is None or not bundle.is_file():
        pytest.skip("`make vscode` bundles the extension if there is npm")
    pytest.importorskip("pygls")

    def run(command: Path, file: Path) -> dict:
        words = [node, ROOT / "tests" / "in_vscode.cjs", bundle, command, file]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found: dict = json.loads(done.stdout)
        return found

    return run


def test_the_extension_starts_the_server_and_shows_what_it_says(in_vscode, tmp_path: Path):
    file = tmp_path / "begun.rules"
    file.write_text(
        (ROOT / "games/sins.rules").read_text("utf-8").replace("shuffle hell[", "shuffle hel[")
    )
    found = in_vscode(Path(sys.executable).parent / "rulespec", file)
    (first, *_) = found["findings"]
    (terminal,) = found["terminals"]

    assert first["message"].startswith("nothing is named `hel`")
    assert terminal["shellArgs"] == ["play", str(file)]
    assert found["commands"] == ["rulespec.example", "rulespec.test", "rulespec.play"]
    assert any("nothing is named" in each for each in found["said"])
    assert {
        *("CompletionItem", "Hover", "Definition", "Reference", "DocumentSymbol", "CodeActions"),
        *("CodeLens", "DocumentFormattingEdit", "Rename", "FoldingRange", "DocumentSemanticTokens"),
    } <= {*found["providers"]}


def test_without_the_command_the_extension_says_how_it_is_installed(in_vscode, tmp_path: Path):
    found = in_vscode(tmp_path / "nowhere", ROOT / "games/sins.rules")

    assert any('pip install "rulespec[lsp]"' in each for each in found["said"])
    assert found["providers"] == []


# ---- A tree-sitter grammar, compiled as an editor compiles it ----------------------------------------


@pytest.mark.parametrize("name", write_tree_sitter.FILES)
def test_the_tree_sitter_grammar_is_that_of_the_language(name: str):
    assert (TREE_SITTER / name).read_text("utf-8") == write_tree_sitter.FILES[name]()


@pytest.fixture(scope="module")
def tree_colours(tmp_path_factory: pytest.TempPathFactory):
    """What colours a text by the parser that is kept: of each place, in bytes, its name in the query."""
    tree_sitter = pytest.importorskip("tree_sitter")
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    library = tmp_path_factory.mktemp("tree-sitter") / "rules.so"
    source = TREE_SITTER / "src"
    subprocess.run(
        [compiler, "-shared", "-fPIC", f"-I{source}", source / "parser.c", "-o", library],
        check=True,
    )
    make = ctypes.CDLL(str(library)).tree_sitter_rules
    make.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    language = tree_sitter.Language(capsule(make(), b"tree_sitter.Language", None))
    query = tree_sitter.Query(language, (TREE_SITTER / "queries/highlights.scm").read_text("utf-8"))

    def colour(text: str) -> dict[int, str]:
        tree = tree_sitter.Parser(language).parse(text.encode())
        assert not tree.root_node.has_error
        found = tree_sitter.QueryCursor(query).captures(tree.root_node)
        return {node.start_byte: name for name, nodes in found.items() for node in nodes}

    return colour


def test_the_parser_of_tree_sitter_knows_every_word(tree_colours):
    for word in lexis().reserved - CONSTANTS:
        assert tree_colours(f"{word} x\n")[0].startswith("keyword"), word
    assert tree_colours("movement x\n")[0] == "variable"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_tree_sitter_colours_nearly_as_the_automaton(path: Path, tree_colours):
    text = path.read_text("utf-8")
    told = tree_colours(text)
    same = wrong = 0
    for start, colour, word in RulesLexer().get_tokens_unprocessed(text):
        if word[0].isalpha():
            is_keyword = str(colour).startswith(("Token.Keyword", "Token.Operator.Word"))
            scope = told.get(len(text[:start].encode()), "")
            alike = is_keyword == scope.startswith(("keyword", "constant.builtin"))
            same, wrong = same + alike, wrong + (not alike)

    assert wrong <= 1 + same // 500


# ---- A TextMate grammar, run as an editor runs it: line by line, the first pattern that matches ------


def translated(pattern: str) -> re.Pattern[str]:
    """A regular expression of Oniguruma for Python, which has no classes of letters by name."""
    return re.compile(pattern.replace(r"[\p{L}_]", r"[^\W\d]").replace(r"\p{Lu}", "[A-ZÀ-Þ]"))


def scopes(line: str, patterns: list, begin: int, end: int, found: dict[int, str]) -> int:
    """Colour a line from a place on; where a text opens, say so."""
    position = begin
    while position < end:
        hits = [
            (hit.start(), number, hit, each)
            for number, each in enumerate(patterns)
            for hit in [translated(each.get("match") or each["begin"]).search(line, position, end)]
            if hit is not None and hit.end() > hit.start()
        ]
        if not hits:
            return -1
        _, _, hit, each = min(hits, key=lambda one: one[:2])
        if "begin" in each:
            close = line.find('"', hit.end(), end)
            found[hit.start()] = each["name"]
            if close < 0:
                return hit.start()
            position = close + 1
            continue
        for number, capture in each.get("captures", {}).items():
            start, stop = hit.span(int(number))
            if "patterns" in capture:
                scopes(line, capture["patterns"], start, stop, found)
            else:
                text = hit[int(number)]
                found[start + len(text) - len(text.lstrip())] = capture["name"]
        if "name" in each:
            found[hit.start()] = each["name"]
        position = hit.end()
    return -1


def coloured(text: str) -> dict[int, str]:
    found: dict[int, str] = {}
    patterns = textmate_grammar()["patterns"]
    offset, is_open = 0, False
    for line in text.splitlines(keepends=True):
        begin = 0
        if is_open:
            begin = line.find('"') + 1
            is_open = begin == 0
        if not is_open:
            own: dict[int, str] = {}
            is_open = scopes(line, patterns, begin, len(line.rstrip("\n")), own) >= 0
            found |= {offset + start: name for start, name in own.items()}
        offset += len(line)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_regular_expressions_colour_nearly_as_the_automaton(path: Path):
    text = path.read_text("utf-8")[:12_000]
    text = text[: text.rindex("\n\n") + 1] if "\n\n" in text else text
    told = coloured(text)
    same = wrong = 0
    for start, colour, word in RulesLexer().get_tokens_unprocessed(text):
        if word[0].isalpha():
            is_keyword = str(colour).startswith(("Token.Keyword", "Token.Operator.Word"))
            scope = told.get(start, "")
            alike = is_keyword == scope.startswith(("keyword", "constant.language"))
            same, wrong = same + alike, wrong + (not alike)

    assert wrong <= 1 + same // 100

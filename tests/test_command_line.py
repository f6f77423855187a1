"""The commands, as they stand in tests/cli/*.md: what is typed, what is printed, the exit code.

A block ```` ```rules name ```` makes a file; in a block ```` ```console ```` each `$ …` is run in the folder
of these files, and what follows is all that it prints, with `[exit n]` unless n is 0.
`make accept` writes what is printed now.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rulespec import cli

PAGES = sorted(Path(__file__).parent.glob("cli/*.md"))
BLOCK = re.compile(r"^```(rules|console) ?(\S*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Terminal(io.TextIOWrapper):
    """One stream for all that is printed."""

    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        return self.buffer.getvalue().decode()


def run(command: str, monkeypatch: pytest.MonkeyPatch) -> str:
    words, _, given = command.partition(" < ")
    terminal = Terminal()
    if given:
        content = Path(given).read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
        code = cli.main(shlex.split(words)[1:])
    return terminal.text() + (f"[exit {code}]\n" if code else "")


def test_there_are_pages():
    assert len(PAGES) >= 4


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_commands_do_what_the_pages_say(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("RULESPEC_CACHE", "off")  # where it lies would be told

    def replay(block: re.Match[str]) -> str:
        kind, name, text = block.groups()
        if kind == "rules":
            Path(name).write_text(text, "utf-8")
            return block.group()
        commands = [line for line in text.split("\n") if line.startswith("$ ")]
        played = "".join(f"{each}\n{run(each[2:], monkeypatch)}" for each in commands)
        return f"```console\n{played}```"

    page = path.read_text("utf-8")
    played = BLOCK.sub(replay, page)
    if os.environ.get("ACCEPT"):
        path.write_text(played, "utf-8")
        return

    assert page == played


def test_a_bug_of_ours_is_confessed(monkeypatch, capsys):
    def broken(_):
        raise RuntimeError("oh")

    monkeypatch.setattr("rulespec.cli.check.run", broken)

    assert cli.main(["check", "sins.rules"]) == cli.OUR_BUG
    assert "This is a bug in rulespec" in capsys.readouterr().err


def test_whoever_stops_reading_gets_no_traceback():
    command = [sys.executable, "-m", "rulespec", "fmt", "deadlies.rules", "deadlies.rules"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_help_imports_neither_the_parser_nor_lark():
    code = "import sys, rulespec.cli; rulespec.cli.main(['--help']); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    modules = set(loaded.stdout.split())
    assert "rulespec.cli" in modules
    assert not modules & {"lark", "attr", "attrs", "rulespec.syntax.parser", "rulespec.codes"}

"""A code lens that was clicked -> a run of the `rulespec` command, and its result in a sentence.

Games and examples run in a process of their own, so that the server keeps answering whatever they do.
"""

import asyncio
import json
import shlex
import sys
from pathlib import Path
from typing import Any

from attrs import frozen

from rulespec import loading
from rulespec.editing.blocks import blocks_of
from rulespec.editing.outline import lenses
from rulespec.editing.symbols import File
from rulespec.source import Span, locate


@frozen
class CommandResult:
    """Whether all went well, and what to say of it."""

    well: bool
    sentence: str


def play_command(name: str) -> str:
    """What to type in a terminal to play a file."""
    return f"rulespec play {shlex.quote(name)}"


async def run_test(path: Path) -> CommandResult:
    """The examples of a file as it is saved, and random games."""
    found = await _run("test", str(path), "--json")
    if isinstance(found, str):
        return CommandResult(well=False, sentence=found)
    faults = found["diagnostics"]
    if faults:
        return CommandResult(well=False, sentence=f"{path.name}: {faults[0]['message']}")
    file = found["files"][0]
    games = sum(each["games"] for each in file["games"])
    return CommandResult(
        well=True, sentence=f"{path.name}: {file['examples']} examples hold, {games} games ended"
    )


async def run_saved_example(path: Path, title: str) -> CommandResult:
    """One example of a file as it is saved."""
    lines = _lines_of(path, title)
    if lines is None:
        return CommandResult(well=False, sentence=f"the saved file has no example “{title}”")
    found = await _run("test", str(path), "--games", "0", "--secrets", "0", "--json")
    if isinstance(found, str):
        return CommandResult(well=False, sentence=found)
    first, last = lines
    for each in found["diagnostics"]:
        is_inside = first <= each["line"] <= last
        if each["severity"] == "error" and (is_inside or each["code"] != "RS907"):
            return CommandResult(well=False, sentence=f"“{title}”: {each['message']}")
    return CommandResult(well=True, sentence=f"“{title}” holds")


def _lines_of(path: Path, title: str) -> tuple[int, int] | None:
    """The first and the last line of an example, from 1."""
    source = loading.decode(path.name, loading.read_bytes(path))
    file = File(path, source, blocks_of(source.name, source.text))
    for lens in lenses(file):
        if lens.what == "example" and lens.title == title:
            start, end = locate(Span(source, lens.begin, lens.end))
            return start.line, end.line
    return None


async def _run(*words: str) -> Any:
    """What a command prints as JSON; a sentence if it prints none."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "rulespec", *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    try:
        return json.loads(output)
    except ValueError:
        lines = errors.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "the command said nothing"

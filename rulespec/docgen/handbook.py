"""What the project knows about itself -> the generated pages of its handbook.

They are under version control in docs/; `python -m rulespec.docgen` writes them, and a test compares. Only this module of
docgen imports the commands and the engine, which are layers above it; the import contracts name it.
"""

import argparse
from pathlib import Path

import interpreter
import rulespec
from interpreter import bots, machine, options, resuming, session, stored, transcript, views
from interpreter.research import game_tables, states
from rulespec import loading
from rulespec.cli import COMMANDS, command_module
from rulespec.docgen import diagnostics_page
from rulespec.docgen.commands import commands_page
from rulespec.docgen.interface import interface_page, public_names
from rulespec.docgen.mechanisms import mechanisms_page

# Modules besides the two public faces, with what a program that plays has in its hands.
INNER_FACES = (
    (options, ("Decision", "Option", "ChanceNode")),
    (views, ("View", "ZoneView", "CardView", "VariableView", "Question", "Information")),
    (machine, ("Result", "Score", "start", "apply", "decide_chance", "rank")),
    (transcript, ("Transcript", "Choice", "write", "read", "BadTranscript")),
    (stored, ("to_json", "from_json", "to_bytes", "from_bytes", "Unfit")),
    (session, ("Seat", "begin", "Session")),
    (resuming, ("resume", "fitting")),
    (states, ("GameState",)),
    (game_tables, ("Table",)),
    (bots, ("make_bot", "Bot", "Advice", "Estimate", "UnknownBot")),
)


def pages() -> dict[str, str]:
    """The generated pages, by their place in docs/."""
    faces = [(module, public_names(module)) for module in (rulespec, interpreter)]
    return {
        "language/diagnostics.md": diagnostics_page(),
        "language/mechanisms.md": mechanisms_page(
            [loading.decode(path.name, path.read_bytes()) for path in _mechanisms()],
            [loading.read(path.name) for path in loading.shipped_game_files()],
        ),
        "commands.md": commands_page([_command(name) for name in COMMANDS]),
        "interface.md": interface_page([*faces, *INNER_FACES]),
    }


def write_pages(folder: Path) -> None:
    """Write the pages anew."""
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


def _mechanisms() -> list[Path]:
    return sorted(loading.MECHANISMS.glob("*.rules"))


def _command(name: str) -> argparse.ArgumentParser:
    summary = COMMANDS[name]
    command = argparse.ArgumentParser(
        prog=f"rulespec {name}", description=f"{summary[0].upper()}{summary[1:]}."
    )
    command_module(name).configure(command)
    return command

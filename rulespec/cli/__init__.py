"""The command `rulespec`: arguments -> one call of a command -> an exit code.

0 all is well; 1 the rules are wrong; 2 the command was wrong; 70 a bug of ours; 130 interrupted. Each
command is a module with `configure` and `run`, imported only when it is wanted: `--help` must not wait for it.
"""

import argparse
import importlib
import io
import os
import sys
from contextlib import nullcontext
from types import ModuleType
from typing import Any

import rulespec
from rulespec import logs

FINE, WRONG_RULES, WRONG_USAGE, INTERRUPTED, OUR_BUG = 0, 1, 2, 130, 70

# In the order in which an author needs them.
COMMANDS = {
    "play": "play a game in the terminal",
    "games": "list the shipped games",
    "new": "write a file to start from: a tiny game, or changes to another game",
    "check": "find mistakes in a file of rules",
    "test": "run the examples of a file of rules, and random games",
    "verify": "explore all games of a small table, and solve it",
    "mutate": "find changes of the rules that no example would notice",
    "diff": "show how the rules of two files differ",
    "watch": "check, test and simulate a file again whenever it is saved",
    "simulate": "play many games, and report how often each seat wins and what mattered",
    "compare": "measure what another file, variant or option changes, and how certain that is",
    "sweep": "measure what each value of an option changes",
    "compile": "write a file of rules as a WebAssembly module, or show it as text",
    "replay": "show a recorded game step by step",
    "fmt": "print a file of rules in its canonical form",
    "docs": "write the rulebook of a game, as pages for a site or as one page to share",
    "print": "write the cards of a game, to print and cut out",
    "lsp": "answer an editor: a language server",
    "explain": "explain a diagnostic, such as RS101, or a clause, such as @S-35",
}

# A module called `print` would hide the function from this one.
MODULE_NAMES = {"print": "printing"}


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    _print_anything()
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        print("\nrulespec: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever reads our output has seen enough. Python would complain once more at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except Exception as error:  # noqa: BLE001 - the last line of defence, see below
        return _tell_fault(error) or _confess(arguments, error)


def _print_anything() -> None:
    """What a terminal cannot show is replaced: that is no reason to stop when the work is done."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run(arguments: list[str]) -> int:
    wanted = next((word for word in arguments if not word.startswith("-")), None)
    parser = _parser(wanted)
    try:
        chosen = parser.parse_args(arguments)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else WRONG_USAGE
    if chosen.command is None:
        parser.print_help()
        return WRONG_USAGE
    with logs.all_shown() if chosen.is_verbose else nullcontext():
        code: int = chosen.run(chosen)
    sys.stdout.flush()
    return code


class _Command(argparse.ArgumentParser):
    """The arguments of one command: files may stand before, between and behind its options.

    Python can do this for a whole command line, not for one with subcommands, whose parsers it asks for
    `parse_known_args` only.
    """

    _is_inside = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As always, but in two rounds: the options first, then the rest."""
        if self._is_inside:
            return super().parse_known_args(args, namespace)
        self._is_inside = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_inside = False


def _parser(wanted: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rulespec",
        description="Card games as formal, executable rules.",
        epilog="`rulespec COMMAND --help` says more. A FILE may be the name of a shipped game: "
        "`rulespec play sins.rules` works in any folder.",
    )
    parser.add_argument("--version", action="version", version=f"rulespec {rulespec.__version__}")
    parser.add_argument(
        "-v",
        dest="is_verbose",
        action="store_true",
        help="say what goes wrong that a command does without",
    )
    commands = parser.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", parser_class=_Command
    )
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=_sentence(summary))
        if name == wanted:
            module = command_module(name)
            module.configure(command)
            command.set_defaults(run=module.run)
    return parser


def command_module(name: str) -> ModuleType:
    """The module of a command, with `configure` and `run`."""
    return importlib.import_module(f"rulespec.cli.{MODULE_NAMES.get(name, name)}")


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


def _tell_fault(error: Exception) -> int:
    """Rules that cannot even be set up, wherever that shows: not our bug."""
    errors = sys.modules.get("interpreter.errors")  # if it is not there, nothing was played
    if errors is None or not isinstance(error, errors.RuleFault):
        return FINE
    from rulespec.cli import plain  # noqa: PLC0415 - only for this

    return plain.tell_fault(error)


def _confess(arguments: list[str], error: Exception) -> int:
    import traceback  # noqa: PLC0415 - only for this

    traceback.print_exception(error, file=sys.stderr)
    print(
        "\nThis is a bug in rulespec, not in your rules. Please report it with the lines above and "
        f"the command:\n  rulespec {' '.join(arguments)}",
        file=sys.stderr,
    )
    return OUR_BUG

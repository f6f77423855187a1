"""`rulespec compile FILE`: the WebAssembly module of the rules for a table, and every stage on the way to it."""

import argparse
import json
from pathlib import Path

from interpreter.caching import find_kept, load_kept, make_kept
from interpreter.flat_listing import list_flat_code
from interpreter.match import Game
from interpreter.wasm.hosts import Missing
from interpreter.wasm.program_analysis import Unsupported
from interpreter.wasm.programs import EXPORTS, show_program, write_program
from rulespec.cli import FINE, WRONG_RULES, WRONG_USAGE, files
from rulespec.cli.seats import count_players
from rulespec.core.printer import print_core
from rulespec.elaboration.programs import elaborate_program
from rulespec.loading import NotFound
from rulespec.rendering import counted
from rulespec.source import locate
from rulespec.syntax.parser import parse
from rulespec.syntax.tree_listing import list_tree


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_file(command)
    files.add_number(
        command, "--players", "the number of players; the fewest that the game allows by default"
    )
    files.add_rules_options(command)
    stage = command.add_mutually_exclusive_group()
    stage.add_argument(
        "--tree",
        action="store_true",
        help="print the syntax tree of the file, a line for each node",
    )
    stage.add_argument(
        "--core", action="store_true", help="print the core, from which all engines start"
    )
    stage.add_argument(
        "--flat", action="store_true", help="print the flat code that the reference engine runs"
    )
    stage.add_argument(
        "--show", action="store_true", help="print the module as text, with the lines of the rules"
    )
    command.add_argument("--out", type=Path, metavar="FILE", help="write the module to a file")
    command.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Write the module of a table, and show it or print its figures."""
    if arguments.tree:
        return _print_tree(arguments.file)
    try:
        game = load_kept(arguments.file, arguments.variants, dict(arguments.settings))
        if arguments.core:
            print(print_core(elaborate_program(game.program.declared)), end="")
            return FINE
        if arguments.flat:
            print(list_flat_code(game.code), end="")
            return FINE
        players = count_players(game, arguments.players)
        if arguments.show:
            print(show_program(game.machine(players)), end="")
            return FINE
        content = _content(game, players)
        if arguments.out is not None:
            arguments.out.write_bytes(content)
    except Unsupported as reason:
        files.complain(_refusal(game, reason))
        return WRONG_USAGE
    except (NotFound, ValueError, OSError) as error:
        return files.refuse(error)
    _print_figures(game, players, content, as_json=arguments.json)
    return FINE


def _print_tree(name: str) -> int:
    """Print the tree of a file; it only has to parse."""
    try:
        parsed = parse(files.read_rules(name))
    except NotFound as error:
        return files.refuse(error)
    if parsed.file is None:
        files.print_diagnostics(list(parsed.diagnostics))
        return WRONG_RULES
    print(list_tree(parsed.file), end="")
    return FINE


def _content(game: Game, players: int) -> bytes:
    """The bytes of a module; where it can run, it is kept in the cache as well."""
    try:
        return make_kept(game, players).written.content
    except Missing:
        return write_program(game.machine(players)).content


def _refusal(game: Game, reason: Unsupported) -> str:
    text = f"{game.code.title} is played by the reference: the fast engine cannot play {reason}"
    if reason.span is None:
        return text
    where = locate(reason.span)[0]
    return f"{text}, {reason.span.source.name}:{where.line}"


def _print_figures(game: Game, players: int, content: bytes, *, as_json: bool) -> None:
    kept = find_kept(game, players)
    if as_json:
        found = {
            "title": game.code.title,
            "players": players,
            "bytes": len(content),
            "exports": EXPORTS,
            "kept": None if kept is None else str(kept),
        }
        print(json.dumps(found, indent=2))
        return
    print(
        f"{game.code.title}, {counted(players, 'player')}: a WebAssembly module; "
        "`--show` prints it as text, `--out FILE` writes it, `--json` has its size"
    )
    print("not in the cache" if kept is None else f"in the cache: {kept}")

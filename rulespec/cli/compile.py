"""`rulespec compile FILE`: the Python, or the C, that is generated from the rules for a table."""

import argparse

from interpreter.compiled.caching import find_kept, load_kept, write_kept
from interpreter.compiled.programs import Source
from interpreter.compiled.writing import Unsupported
from interpreter.match import Game
from rulespec.cli import FINE, WRONG_USAGE, files
from rulespec.cli.seats import count_players
from rulespec.core.printer import print_core
from rulespec.elaboration.programs import elaborate_program
from rulespec.loading import NotFound
from rulespec.rendering import count


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_file(command)
    files.add_number(
        command, "--players", "the number of players; the fewest that the game allows by default"
    )
    files.add_rules_options(command)
    command.add_argument("--show", action="store_true", help="print the generated source")
    command.add_argument(
        "--playout",
        action="store_true",
        help="use the code that plays a whole random game in one call; step by step by default",
    )
    command.add_argument(
        "--core", action="store_true", help="print the core, from which all engines start"
    )
    command.add_argument(
        "--c", action="store_true", help="use the C code that plays whole games for simulations"
    )


def run(arguments: argparse.Namespace) -> int:
    """Generate, or find what was generated before, and show it or tell about it."""
    try:
        game = load_kept(arguments.file, arguments.variants, dict(arguments.settings))
        if arguments.core:
            print(print_core(elaborate_program(game.program.declared)), end="")
            return FINE
        players = count_players(game, arguments.players)
        if arguments.c:
            return _compile_c(game, players, shows=arguments.show)
        source = write_kept(game, game.machine(players), asks=not arguments.playout)
    except Unsupported as reason:
        files.complain(f"{game.code.title} is not compiled: {reason}")
        return WRONG_USAGE
    except (NotFound, ValueError) as error:
        return files.refuse(error)
    if arguments.show:
        print(source.text, end="")
    else:
        _tell(game, players, source, asks=not arguments.playout)
    return FINE


def _compile_c(game: Game, players: int, *, shows: bool) -> int:
    """Show the C of a table, or tell about it: whether there is any, and whether it is compiled already."""
    from interpreter.native.building import find_kept as find_library  # noqa: PLC0415 - only for this
    from interpreter.native.programs import write_source  # noqa: PLC0415

    try:
        text = write_source(game.machine(players))
    except Unsupported as reason:
        files.complain(f"{game.code.title} is not written in C: {reason}")
        return WRONG_USAGE
    if shows:
        print(text, end="")
        return FINE
    print(
        f"{game.code.title}, {count(players, 'player')}: {text.count(chr(10))} lines of C; `--show` prints them"
    )
    try:
        kept = find_library(text)
    except Unsupported as reason:
        print(f"not compiled: {reason}")
        return FINE
    print("not compiled yet" if kept is None else f"compiled, and kept in {kept}")
    return FINE


def _tell(game: Game, players: int, source: Source, *, asks: bool) -> None:
    lines = source.text.splitlines()
    functions = sum(line.startswith("def ") for line in lines)
    print(
        f"{game.code.title}, {count(players, 'player')}: "
        f"{len(lines)} lines of Python, {functions} functions; `--show` prints them"
    )
    kept = find_kept(game, players, asks=asks)
    print("not kept" if kept is None else f"kept in {kept}")

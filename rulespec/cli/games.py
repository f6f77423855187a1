"""`rulespec games`: what is shipped, and what can be chosen in it."""

import argparse
from collections.abc import Iterator

import attrs

from rulespec.catalogue import ShippedGame, shipped_games, tell_players
from rulespec.cli import FINE, files


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("--json", action="store_true", help="print the list as JSON")


def run(arguments: argparse.Namespace) -> int:
    """List what is shipped."""
    found = shipped_games()
    if arguments.json:
        data = {"games": [attrs.asdict(game) for game in found]}
        files.print_data(data)
    else:
        print("\n\n".join("\n".join(lines) for lines in _listed(found)))
        print(
            "\nTo play one type `rulespec play` and its file, such as `rulespec play sins.rules`."
        )
    return FINE


def _listed(found: list[ShippedGame]) -> Iterator[list[str]]:
    """Game after game; the classics, and what changes another game, under headings of their own."""
    last = ""
    for game in found:
        heading = _heading(game)
        if heading != last:
            yield [heading]
        last = heading
        yield game_lines(game)


def _heading(game: ShippedGame) -> str:
    if game.is_classic:
        return "Classics"
    return "The same, changed" if game.extends else ""


def game_lines(game: ShippedGame) -> list[str]:
    """A game in a few lines."""
    by = f" by {game.author}" if game.author else ""
    lines = [f"{game.file}: {game.title}{by}, {tell_players(game.players)}"]
    if game.about:
        lines.append(f"  {game.about}")
    if game.extends:
        base = game.extends.partition(" ")[0]
        lines.append(f"  builds on {game.extends}; what can be chosen is as in {base}")
        return lines
    for variant in game.variants:
        others = f", {tell_players(variant.players)}" if variant.players != game.players else ""
        lines.append(f"  --variant {variant.name}: {variant.title}{others}")
    for option in game.options:
        lines.append(
            f"  --set {option.name}={'|'.join(option.values)}: {option.default} by default"
        )
        if option.about:
            lines.append(f"      {option.about}")
    return lines

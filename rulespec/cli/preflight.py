"""A game that `compare` is about to measure -> what its examples and a few random games find wrong with it."""

from collections.abc import Iterator

from interpreter.coverage import CoverageTally
from interpreter.match import Game
from interpreter.playthroughs import random_games
from interpreter.trials import Trial, Wish, failing_examples, own_variants, variant_game
from rulespec import loading
from rulespec.rendering import place_name

GAMES = 2  # with each number of players
MOST_TOLD = 3


def preflight_failures(file: str, game: Game) -> tuple[str, ...]:
    """What fails; numbers are told nevertheless, as somebody may change a rule before its examples."""
    found = list(_failing(file, game))
    more = len(found) - MOST_TOLD
    return (
        *found[:MOST_TOLD],
        *([f"{more} more fail: `rulespec test` tells all"] if more > 0 else []),
    )


def _failing(file: str, game: Game) -> Iterator[str]:
    path, source = loading.find_rules(file), loading.read(file)
    trial = Trial(
        path, source, Wish(game.variants, game.settings), lambda _text: None, CoverageTally(source)
    )
    own = set(own_variants(variant_game(trial, (), ())))
    for chosen in ((), *((name,) for name in game.variants if name in own)):
        for finding in failing_examples(trial, chosen):
            where = place_name(finding.diagnostic.span)
            yield f"the example “{finding.example}” fails: {finding.diagnostic.message} ({where})"
    for players in game.players:
        for played in random_games(game.machine(players), range(1, GAMES + 1)):
            fault = played.fault or played.crash
            if fault is not None:
                yield f"a random game of {players} goes wrong: {fault}"
                return

"""A file of rules and its mutants -> which mutants the file's own examples and invariants notice.

A mutant that survives shows a part of the rules that no example and no invariant depends on: an example is missing,
or the part is not needed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from attrs import frozen

from interpreter.coverage import CoverageTally
from interpreter.errors import WrongRules
from interpreter.playthroughs import random_games
from interpreter.pools import working_pool
from interpreter.trials import Trial, Wish, failing_examples, own_variants, variant_game
from rulespec.mutants import Mutant, mutants, mutate
from rulespec.source import Source

GAMES = 3  # of each kind, for the invariants

Fate = Literal["unborn", "killed", "survives"]


@frozen
class MutantResult:
    """Whether a mutant was noticed, and by what."""

    mutant: Mutant
    fate: Fate
    by: str = ""


def try_mutant(path: Path, mutant: Mutant, games: int = GAMES) -> MutantResult:
    """Whether a mutant is no program at all, is noticed, or survives. Examples are tried first."""
    source = mutate(mutant)
    trial = Trial(path, source, Wish(), lambda _text: None, CoverageTally(source))
    try:
        base = variant_game(trial, (), ())
        variants = [(), *((name,) for name in own_variants(base))]
        every = [variant_game(trial, each, ()) for each in variants]
    except WrongRules as wrong:
        return MutantResult(mutant, "unborn", wrong.diagnostics[0].message)
    for each in variants:
        for finding in failing_examples(trial, each):
            return MutantResult(mutant, "killed", f'example "{finding.example}"')
    for game in every:
        for players in game.players:
            for played in random_games(game.machine(players), range(games)):
                found = played.fault or played.crash
                if found is None and played.asked is not None:
                    return MutantResult(mutant, "killed", "a game goes on and on")
                if found is not None:
                    return MutantResult(mutant, "killed", str(found))
    return MutantResult(mutant, "survives")


def try_mutants(
    path: Path, source: Source, every: int = 1, jobs: int | None = None
) -> Iterator[MutantResult]:
    """Try the mutants of a file, or every n-th of them, on several cores; yield results as they finish."""
    chosen = mutants(source)[::every]
    if jobs == 1:
        yield from (try_mutant(path, mutant) for mutant in chosen)
        return
    with working_pool(jobs) as pool:
        yield from pool.map(try_mutant, [path] * len(chosen), chosen, chunksize=4)

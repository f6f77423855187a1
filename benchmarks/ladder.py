"""The ladder of levels: in each game a level plays against the one below it, and how often it wins is given with an interval.

    python benchmarks/ladder.py --seconds 40 --jobs 2
    python benchmarks/ladder.py sins.rules:2 euchre.rules:4 --games 400 --pair hard normal

One side has the higher level, all other sides the one below; the side goes round. A draw counts as half, and a victory
that is shared as a part. What is wanted is 65 % of the games of two sides; where there are more, as many as mean the
same odds against each of the others. A pair ends after so many games, or so many seconds, and says which.

Where luck decides much, no player can win that many games: `best_answer.py` computes the limit for small games. The best
answer to `normal` wins half of the games of Leduc Poker, because only folding loses to a better player.
"""

import argparse
import json
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from itertools import chain, count
from pathlib import Path
from typing import TypeAlias

from attrs import asdict, define, field

from bots import interval
from interpreter.bots import make_bot
from interpreter.bots.worth import victory
from interpreter.game_loading import load
from interpreter.machine import rank
from interpreter.match import Game

TABLES = (
    ("sins.rules", 2), ("siegel.rules", 3), ("seven7s.rules", 2), ("deadlies.rules", 3),
    ("crazy_eights.rules", 2), ("go_fish.rules", 2), ("leduc.rules", 2), ("oh_hell.rules", 3), ("euchre.rules", 4),
)  # fmt: skip
PAIRS = (("normal", "easy"), ("hard", "normal"))
WANTED = 0.65


@cache
def _game(file: str) -> Game:
    return load(file)


def play(file: str, players: int, words: tuple[str, str], seed: int) -> tuple[float, int]:
    """One game: the part of the victory of the higher level, and how many sides there are."""
    game = _game(file)
    match = game.start(players, seed=seed)
    sides = rank(game.machine(players), match.state).sides
    mine = sides[seed % len(sides)]
    bots = [
        make_bot(words[seat not in mine], game, players, seed * players + seat)
        for seat in range(players)
    ]
    while match.decision is not None:
        seat = match.decision.player
        match.apply(bots[seat].advise(match.information(seat)).choice)
    return victory(match.result())[mine[0]], len(sides)


def wanted(sides: int) -> float:
    """The share that means the same odds against each other side as 65 % against one."""
    odds = WANTED / (1 - WANTED) / (sides - 1)
    return odds / (1 + odds)


@define
class Score:
    """The games of a pair so far: how many, the parts of them that the higher level has won, and how many sides there are."""

    games: int = 0
    won: float = 0.0
    sides: int = 2
    missing: list[int] = field(factory=list)  # seeds that were begun, and not played to the end


Kept: TypeAlias = dict[str, Score]


def read(path: Path | None) -> Kept:
    """What earlier runs have counted."""
    if path is None or not path.exists():
        return {}
    return {key: Score(**each) for key, each in json.loads(path.read_text("utf-8")).items()}


def keep(path: Path | None, kept: Kept) -> None:
    """Write it down; the file is whole at every moment."""
    if path is not None:
        beside = path.with_name(path.name + ".new")
        beside.write_text(
            json.dumps({key: asdict(each) for key, each in kept.items()}, indent=1), "utf-8"
        )
        beside.replace(path)


def add_games(  # noqa: PLR0913, PLR0917 - what is played, and how long
    pool: ProcessPoolExecutor,
    table: tuple[str, int],
    words: tuple[str, str],
    score: Score,
    most: int,
    seconds: float,
    jobs: int,
) -> Iterator[Score]:
    """Games until there are enough, or until the time is over. Seeds go on where the last run stopped."""
    started = time.monotonic()
    again = score.missing
    seeds = chain(again, count(score.games + len(again) + 1))
    waiting: dict[Future[tuple[float, int]], int] = {}
    begun: set[int] = set()
    while True:
        while (
            len(waiting) < jobs
            and score.games + len(waiting) < most
            and time.monotonic() - started < seconds
        ):
            seed = next(seeds)
            begun.add(seed)
            waiting[pool.submit(play, *table, words, seed)] = seed
        if not waiting:
            return
        for each in wait(waiting, return_when=FIRST_COMPLETED).done:
            won, score.sides = each.result()
            del waiting[each]
            score.games, score.won = score.games + 1, score.won + won
        # A game that is interrupted is played by the next run, or else short games would count too often.
        left = [seed for seed in again if seed not in begun]
        score.missing = sorted([*waiting.values(), *left])
        yield score


def row(table: tuple[str, int], words: tuple[str, str], score: Score) -> str:
    """How it stands, with what is wanted."""
    file, players = table
    low, high = interval(score.won, score.games)
    least = wanted(score.sides)
    verdict = "reached" if low >= least else "missed" if high < least else "open"
    return (
        f"{file:20} {players} players  {words[0]:>12} against {words[1]:12} "
        f"{score.won / score.games:6.1%} ({low:.1%} to {high:.1%}) of {score.games} games; "
        f"equal {1 / score.sides:.0%}, wanted {least:.0%}: {verdict}"
    )


def main() -> None:
    """Play, and print a row for each game and pair."""
    parser = argparse.ArgumentParser(
        description="How much stronger each level is than the one below."
    )
    parser.add_argument("tables", nargs="*", help="as `sins.rules:2`; usually nine games")
    parser.add_argument("--pair", nargs=2, metavar=("HIGHER", "LOWER"))
    parser.add_argument(
        "--games", type=int, default=400, help="of a pair, with those of earlier runs"
    )
    parser.add_argument("--seconds", type=float, default=1e9, help="of a pair in this run")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file in which games add up over runs")
    chosen = parser.parse_args()
    tables = [
        (name, int(players)) for name, _, players in (each.partition(":") for each in chosen.tables)
    ] or TABLES
    kept = read(chosen.keep)
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for table in tables:
            for words in [tuple(chosen.pair)] if chosen.pair else PAIRS:
                score = kept.setdefault(":".join(map(str, (*table, *words))), Score())
                for _ in add_games(
                    pool, table, words, score, chosen.games, chosen.seconds, chosen.jobs
                ):
                    keep(chosen.keep, kept)
                if score.games:
                    print(row(table, words, score), flush=True)


if __name__ == "__main__":
    main()

"""The ladder of levels: in each game a level plays against the one below it, and how often it wins is given with an interval.

    python benchmarks/ladder.py --seconds 40 --jobs 2
    python benchmarks/ladder.py sins.rules:2 euchre.rules:4 --games 400 --pair hard normal

One side has the higher level, all other sides the one below; the side goes round. A draw counts as half, and a victory
that is shared as a part. What is wanted is 65 % of the games of two sides; where there are more, as many as mean the
same odds against each of the others. A pair ends after so many games, or so many seconds, and says which.
"""

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import cache
from itertools import count

from bots import interval
from interpreter.bots import make_bot
from interpreter.bots.thinking import victory
from interpreter.machine import rank
from interpreter.match import Game, load

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


def many(  # noqa: PLR0913, PLR0917 - what is played, and how long
    pool: ProcessPoolExecutor,
    file: str,
    players: int,
    words: tuple[str, str],
    games: int,
    seconds: float,
    jobs: int,
) -> Iterator[tuple[float, int]]:
    """Games until there are enough, or until the time is over."""
    started, seeds = time.monotonic(), count(1)
    waiting = {
        pool.submit(play, file, players, words, next(seeds)) for _ in range(min(jobs, games))
    }
    begun = len(waiting)
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for each in done:
            yield each.result()
            if begun < games and time.monotonic() - started < seconds:
                waiting.add(pool.submit(play, file, players, words, next(seeds)))
                begun += 1


def main() -> None:
    """Play, and print a row for each game and pair."""
    parser = argparse.ArgumentParser(
        description="How much stronger each level is than the one below."
    )
    parser.add_argument("tables", nargs="*", help="as `sins.rules:2`; usually nine games")
    parser.add_argument("--pair", nargs=2, metavar=("HIGHER", "LOWER"))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=1e9, help="of a pair")
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    tables = [
        (name, int(players)) for name, _, players in (each.partition(":") for each in chosen.tables)
    ] or TABLES
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for file, players in tables:
            for words in [tuple(chosen.pair)] if chosen.pair else PAIRS:
                started = time.monotonic()
                ends = [
                    *many(pool, file, players, words, chosen.games, chosen.seconds, chosen.jobs)
                ]
                won, sides = sum(part for part, _ in ends), ends[0][1]
                low, high = interval(won, len(ends))
                print(
                    f"{file:20} {players} players  {words[0]:>12} against {words[1]:12} "
                    f"{won / len(ends):6.1%} ({low:.1%} to {high:.1%}) of {len(ends)} games; "
                    f"equal {1 / sides:.0%}, wanted {wanted(sides):.0%}; "
                    f"{(time.monotonic() - started) * chosen.jobs / len(ends):.1f} s a game",
                    flush=True,
                )


if __name__ == "__main__":
    main()

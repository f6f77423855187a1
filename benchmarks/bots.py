"""How strong the bots are: many games of one kind of bot against others, with intervals.

    python benchmarks/bots.py siegel.rules search:25 greedy --games 200 --set rounds=1

One seat has the first bot, all others have the second; the seat goes round. A share of victories is given
with its 95 % interval (Wilson) and what it would be if all were equal. Each game is printed as it ends,
and `--from N` goes on where a run was interrupted.
"""

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from math import sqrt

from interpreter.bots import make_bot
from interpreter.game_loading import load
from interpreter.match import Game
from interpreter.views import information


@cache
def _game(file: str, settings: tuple[tuple[str, str], ...]) -> Game:
    return load(file, (), dict(settings))


def play(
    file: str,
    settings: tuple[tuple[str, str], ...],
    words: tuple[str, str],
    players: int,
    seed: int,
) -> tuple[int, float, float, float]:
    """One game: its seed, the part of the victory of the first bot, its longest and its mean thought."""
    game = _game(file, settings)
    mine = seed % players
    match = game.start(players, seed=seed)
    bots = [
        make_bot(words[0] if seat == mine else words[1], game, players, seed * players + seat)
        for seat in range(players)
    ]
    longest = total = 0.0
    count = 0
    while match.decision is not None:
        seat = match.decision.player
        started = time.monotonic()
        advice = bots[seat].advise(information(match.engine, match.state, seat))
        if seat == mine:
            taken = time.monotonic() - started
            longest, total, count = max(longest, taken), total + taken, count + 1
        match.apply(advice.choice)
    winners = match.result().winners
    share = 1 / len(winners) if mine in winners else 0.0
    return seed, share, longest, total / max(count, 1)


def interval(won: float, games: int) -> tuple[float, float]:
    """Wilson's interval for a share, at 95 %."""
    z, share = 1.96, won / games
    middle = share + z * z / (2 * games)
    width = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - width) / (1 + z * z / games), (middle + width) / (1 + z * z / games)


def main() -> None:
    """Play, and say how it stands after each game."""
    parser = argparse.ArgumentParser(description="How strong a bot is against another one.")
    parser.add_argument("file")
    parser.add_argument("bot")
    parser.add_argument("other")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--from", dest="begin", type=int, default=0)
    parser.add_argument("--players", type=int)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    settings = tuple(
        (name, value) for name, _, value in (each.partition("=") for each in chosen.set)
    )
    players = chosen.players or _game(chosen.file, settings).players.start
    won = longest = thought = 0.0
    with ProcessPoolExecutor(chosen.jobs) as pool:
        seeds = range(chosen.begin, chosen.begin + chosen.games)
        words = (chosen.bot, chosen.other)
        jobs = [pool.submit(play, chosen.file, settings, words, players, seed) for seed in seeds]
        for games, job in enumerate(as_completed(jobs), 1):
            seed, share, slowest, mean = job.result()
            won, longest, thought = won + share, max(longest, slowest), thought + mean
            low, high = interval(won, games)
            row = {
                "seed": seed,
                "games": games,
                "share": round(won / games, 3),
                "interval": [round(low, 3), round(high, 3)],
                "equal": round(1 / players, 3),
                "mean_seconds": round(thought / games, 3),
                "longest_seconds": round(longest, 2),
            }
            print(json.dumps(row), flush=True)
    sys.exit(0)


if __name__ == "__main__":
    main()

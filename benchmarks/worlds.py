"""How often a thinking player finds a world that explains what it knows, and how many worlds it imagines in a second.

    python benchmarks/worlds.py go_fish.rules:3 skat.rules:3 --games 4

Players of one level play whole games. A question of a thinking player for which no world is found is one that is
answered by chance; the table says how many there were.
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial

from attrs import define

from interpreter.bots.imagination import Budget, Imagination
from interpreter.bots.kinds import untimed
from interpreter.chance import draw
from interpreter.dice import Dice
from interpreter.game_loading import load
from interpreter.lab.bot_games import seat_bots
from interpreter.match import Game
from interpreter.views import Information
from interpreter.worlds import Mind

GAMES = (
    "sins.rules", "siegel.rules", "seven7s.rules", "deadlies.rules",
    "blackjack.rules", "bridge.rules", "crazy_eights.rules", "cribbage.rules", "euchre.rules", "gin_rummy.rules",
    "go_fish.rules", "hearts.rules", "kuhn.rules", "leduc.rules", "oh_hell.rules", "president.rules", "skat.rules",
    "spades.rules",
)  # fmt: skip
STEPS = 500  # of a walk that is timed


@define
class Found:
    """What was counted in one game, or in several."""

    questions: int = 0
    explained: int = 0
    seconds: float = 0.0  # until the first world of a question
    slowest: float = 0.0
    steps: int = 0
    walked: float = 0.0
    moved: int = 0  # steps that led to another past

    def add(self, other: "Found") -> None:
        self.questions += other.questions
        self.explained += other.explained
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.steps += other.steps
        self.walked += other.walked
        self.moved += other.moved


@cache
def _game(file: str) -> Game:
    return load(file)


def play(file: str, players: int, word: str, longest: int, seed: int) -> Found:
    """One game: what everybody could imagine at each of their questions with several options."""
    game, found = _game(file), Found()
    match = game.start(players, seed, seed % players)
    bots = seat_bots(game, [untimed(word)] * players, seed)
    minds = [Imagination(game, players, Dice(draw(seed + 7 * n)[1])) for n in range(players)]
    while match.decision is not None and len(match.choices) < longest:
        seat = match.decision.player
        known = match.information(seat)
        if len(match.decision.options) > 1:
            _try(minds[seat], known, found)
        match.apply(bots[seat].advise(known).choice)
    return found


def _try(mind: Imagination, known: Information, found: Found) -> None:
    mind.prepare()
    started = time.process_time()
    recalled = mind.recall(known, Budget(None, 60.0))
    taken = time.process_time() - started
    found.questions += 1
    found.explained += recalled is not None
    found.seconds += taken
    found.slowest = max(found.slowest, taken)
    if isinstance(recalled, Mind):
        started = time.process_time()
        found.moved += recalled.step(STEPS)
        found.walked += time.process_time() - started
        found.steps += STEPS


def main() -> None:
    """Play, and print a row for each game."""
    parser = argparse.ArgumentParser(description="How often worlds are found, and how fast.")
    parser.add_argument("tables", nargs="*", help="as `sins.rules:2`; usually every shipped game")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--longest", type=int, default=200, help="choices of a game")
    parser.add_argument("--bot", default="search:30")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for each in chosen.tables or GAMES:
            file, _, players = each.partition(":")
            seats = int(players) if players else _game(file).players.start
            total = Found()
            seeds = range(chosen.seed, chosen.seed + chosen.games)
            one = partial(play, file, seats, chosen.bot, chosen.longest)
            for found in pool.map(one, seeds):
                total.add(found)
            print(
                f"{file:20} {seats} players  {total.explained / max(total.questions, 1):6.1%} of {total.questions:4} questions; "
                f"first world in {1000 * total.seconds / max(total.questions, 1):6.1f} ms, at most {total.slowest:.2f} s; "
                f"{total.steps / max(total.walked, 1e-9):8,.0f} steps/s, {total.moved / max(total.steps, 1):.0%} of them taken",
                flush=True,
            )


if __name__ == "__main__":
    main()

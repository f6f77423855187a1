"""A table and seeds -> what came out of the games: of each game a few whole numbers, and their sums.

The one who begins sits on seat 1, and the others follow in the order of play. If all choose at random, the fast
engine plays many games in one call; if somebody thinks, a game is played with all that the seats observe.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import lcm
from typing import Any, NamedTuple

from attrs import frozen

from interpreter import chance
from interpreter.bots import make_bot
from interpreter.engines import find_fast
from interpreter.lab.counts import Counts, tally
from interpreter.machine import Machine, Result, rank
from interpreter.match import Game
from interpreter.playthroughs import check_length, play_by_reference
from interpreter.views import information
from interpreter.wasm.engine import Wasm
from interpreter.wasm.memory import NONE

RANDOM = "random"
SKILLED = "search:20"  # the bot that stands for skill


class Ending(NamedTuple):
    """How a game ended: who has won, on how many sides, the scores if all have one, and the number of decisions."""

    winners: tuple[int, ...]
    sides: int
    scores: Sequence[int] | None
    decisions: int


# Games by their seeds, one after the other.
Playing = Callable[[Sequence[int]], Iterator[Ending]]


@frozen(eq=False)
class Table:
    """A game for so many, and a way to play it; `order` are the seats in the order of play."""

    game: Game
    players: int
    order: tuple[int, ...]
    play: Playing


def lay_table(game: Game, players: int, seats: tuple[str, ...]) -> Table:
    """The fastest way to play a game for those who sit at the table."""
    order = order_of_play(game, players)
    if any(word != RANDOM for word in seats):
        return Table(game, players, order, _with_bots(game, players, order, seats))
    fast = find_fast(game, players)
    if fast is None:
        return Table(game, players, order, _by_reference(game, players))
    return Table(game, players, order, AtOnce(game.machine(players), fast))


def order_of_play(game: Game, players: int) -> tuple[int, ...]:
    """The seats in the order of play, the first player first."""
    step = 1 if game.code.clockwise else -1
    return tuple(step * n % players for n in range(players))


@frozen
class AtOnce:
    """Games in which all choose at random: many in one call of the fast engine."""

    machine: Machine
    fast: Wasm

    def __call__(self, seeds: Sequence[int]) -> Iterator[Ending]:
        players = range(self.fast.players)
        for seed, end in zip(seeds, self.fast.games(seeds, 0), strict=True):
            if end is None:  # the reference plays it, be it only to tell what is wrong
                state, count = play_by_reference(self.machine, seed, 0)
                yield _ending(rank(self.machine, state), count)
                continue
            winners = tuple([p for p in players if end.winners >> p & 1])
            teams = self._row(end.keys, "team")
            sides = len({teams[p] for p in winners}) if teams else len(winners)
            scores: Sequence[Any] | None = self._row(end.keys, "score")
            if not scores or NONE in scores:
                scores = None
            yield Ending(winners, sides, scores, end.decisions)

    def _row(self, keys: Sequence[int], role: str) -> Sequence[int]:
        """The keys of the first row of the ranking that has this role."""
        width = self.fast.players + 1
        for n, (_, _, row) in enumerate(self.machine.ranking):
            if row.role == role:
                return keys[n * width + 1 : (n + 1) * width]
        return ()


def _ending(result: Result, decisions: int) -> Ending:
    winners = result.winners
    sides = sum(side[0] in winners for side in result.sides)
    return Ending(winners, sides, _scores(result), decisions)


def _one_by_one(play: Callable[[int], tuple[Result, int]]) -> Playing:
    return lambda seeds: (_ending(*play(seed)) for seed in seeds)


def _by_reference(game: Game, players: int) -> Playing:
    """What no fast engine plays."""
    machine = game.machine(players)

    def play(seed: int) -> tuple[Result, int]:
        state, count = play_by_reference(machine, seed, 0)
        return rank(machine, state), count

    return _one_by_one(play)


def _with_bots(game: Game, players: int, order: tuple[int, ...], seats: tuple[str, ...]) -> Playing:
    words = dict(zip(order, seats, strict=True))

    def play(seed: int) -> tuple[Result, int]:
        return play_bots(game, [words[seat] for seat in range(players)], seed)

    return _one_by_one(play)


def play_bots(game: Game, words: Sequence[str], seed: int) -> tuple[Result, int]:
    """A game in which every seat has the bot of its word; the first seat begins."""
    match = game.start(len(words), seed, 0)
    bots = [
        make_bot(word, game, len(words), chance.draw(seed ^ seat + 1)[1])
        for seat, word in enumerate(words)
    ]
    count = 0
    while match.decision is not None:
        check_length(count, match.decision)
        seat = match.decision.player
        match.apply(bots[seat].advise(information(match.engine, match.state, seat)).choice)
        count += 1
    return match.result(), count


# ---- What is counted -----------------------------------------------------------------------------
# Of each game: the part of the victory of each seat, in the order of play, and the numbers after it.

AFTER_SEATS = ("shared", "unwon", "decisions", "score", "winner", "spread")


def whole_victory(players: int) -> int:
    """A victory in parts so small that it can be shared by any number of players."""
    return lcm(*range(1, players + 1))


def measures(players: int) -> tuple[str, ...]:
    """The names of what is counted.

    >>> measures(2)
    ('seat 1', 'seat 2', 'shared', 'unwon', 'decisions', 'score', 'winner', 'spread')
    """
    return (*(f"seat {n + 1}" for n in range(players)), *AFTER_SEATS)


def _scores(result: Result) -> list[int] | None:
    """The first score of the ranking; nothing if somebody has no value in it."""
    values = result.points[1] if result.points is not None else ()
    found = [int(value) for value in values if value is not None]
    return found if found and len(found) == len(values) else None


def count_games(tables: Sequence[Table], seeds: Sequence[int]) -> Counts:
    """Play each seed at every table, and add up: sums, squares, products of pairs, and histograms."""
    players, order = tables[0].players, [table.order for table in tables]
    whole = whole_victory(players)
    width = players + len(AFTER_SEATS)
    sides = range(len(tables))
    pairs = [(i, j) for j in sides for i in range(j)]
    sums = [[0] * width for _ in sides]
    squares = [[0] * width for _ in sides]
    products = [[0] * width for _ in pairs]
    scored: list[Counter[int]] = [Counter() for _ in sides]
    lengths: list[Counter[int]] = [Counter() for _ in sides]
    unscored = [0] * len(tables)
    for ends in zip(*(table.play(seeds) for table in tables), strict=True):
        rows = []
        for side, (winners, winning, scores, decisions) in enumerate(ends):
            part = whole // max(1, len(winners))
            row = [part if seat in winners else 0 for seat in order[side]]
            row += (winning > 1, not winners, decisions)
            if scores is None:
                unscored[side] += 1
                row += (0, 0, 0)
            else:
                best = scores[winners[0]] if winners else 0
                row += (sum(scores), best, max(scores) - min(scores))
                scored[side].update(scores)
            lengths[side][decisions] += 1
            rows.append(row)
            total, square = sums[side], squares[side]
            for m, x in enumerate(row):
                total[m] += x
                square[m] += x * x
        for (i, j), product in zip(pairs, products, strict=True):
            for m, x in enumerate(rows[i]):
                product[m] += x * rows[j][m]
    counts: Counts = {("games",): len(seeds)}
    for side in sides:
        counts[("unscored", side)] = unscored[side]
        counts |= {("sum", side, m): x for m, x in enumerate(sums[side])}
        counts |= {("square", side, m): x for m, x in enumerate(squares[side])}
        counts |= tally(scored[side], "score", side)
        counts |= tally(lengths[side], "decisions", side)
    for (i, j), product in zip(pairs, products, strict=True):
        counts |= {("product", i, j, m): x for m, x in enumerate(product)}
    return counts


def count_skill(table: Table, seeds: Sequence[int], begin: int) -> Counts:
    """One seat thinks and the others do not; which one goes round with the number of the game."""
    players, whole = table.players, whole_victory(table.players)
    total = square = 0
    for number, seed in enumerate(seeds, begin):
        mine = number % players
        words = [SKILLED if seat == mine else RANDOM for seat in range(players)]
        winners = play_bots(table.game, words, seed)[0].winners
        part = whole // max(1, len(winners)) if mine in winners else 0
        total, square = total + part, square + part * part
    return {("games",): len(seeds), ("sum", 0, 0): total, ("square", 0, 0): square}

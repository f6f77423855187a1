"""A table and seeds -> what came out of the games: of each game a few whole numbers, and their sums.

The one who begins sits on seat 1, and the others follow in the order of play. If all choose at random, a
game is one call of generated code, and of many games most are played in C where there is a compiler; if
somebody thinks, it is played with all that the seats observe.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import lcm
from typing import Any, NamedTuple

from attrs import define, frozen

from interpreter import chance
from interpreter.bots import make_bot
from interpreter.compiled import Compiled, compile_game
from interpreter.compiled.judging import play_by_reference
from interpreter.compiled.writing import Unsupported
from interpreter.engines import is_watched
from interpreter.lab.counts import Counts, tally
from interpreter.machine import Machine, Result, apply, rank, start
from interpreter.match import Game
from interpreter.native.engine import Finished, Native, find_native
from interpreter.options import Decision
from interpreter.playthroughs import at_random, check_length
from interpreter.views import information

RANDOM = "random"
SKILLED = "search:20"  # the bot that stands for skill

# Seconds that Python has played when it pays to look for the game in C, and to compile it: about as long as that takes.
BEFORE_LOOKING = 0.05
BEFORE_COMPILING = 1.0
FEW = 10  # games after which it is looked how long they took


class Ending(NamedTuple):
    """How a game ended: who has won, the scores if all have one, and how many decisions were made."""

    winners: tuple[int, ...]
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
    if is_watched(game):
        return Table(game, players, order, _watched(game, players))
    try:
        fast = compile_game(game, players)
    except Unsupported:
        return Table(game, players, order, _by_reference(game, players))
    return Table(game, players, order, AtOnce(game.machine(players), fast))


def order_of_play(game: Game, players: int) -> tuple[int, ...]:
    """The seats in the order of play, the first player first."""
    step = 1 if game.code.clockwise else -1
    return tuple(step * n % players for n in range(players))


@define
class AtOnce:
    """Games in which all choose at random: by generated Python at first, and in C once there are many."""

    machine: Machine
    fast: Compiled
    native: Native | None = None
    spent: float = 0.0  # seconds, by Python
    tried: int = 0  # how hard C was looked for

    def __call__(self, seeds: Sequence[int]) -> Iterator[Ending]:
        done, players = 0, self.fast.players
        while self.native is None and done < len(seeds):
            begin = time.process_time()
            ends = [*map(self.by_python, seeds[done : done + FEW])]
            self.spent += time.process_time() - begin
            done += len(ends)
            yield from ends
            self.look_for_c()
        if self.native is None:
            return
        rest = seeds[done:]
        for seed, end in zip(rest, self.native.games(rest, 0), strict=True):
            # Where C cannot go on Python plays, be it only to tell what is wrong.
            yield self.by_python(seed) if end is None else _ending_in_c(end, players)

    def by_python(self, seed: int) -> Ending:
        end = self.fast.finished(seed, 0)
        return _ending(self.fast.result(end), self.fast.count(end))

    def look_for_c(self) -> None:
        """After a while look for what is compiled already; after a longer one compile it."""
        compiles = self.spent >= BEFORE_COMPILING
        hard = (self.spent >= BEFORE_LOOKING) + compiles
        if hard > self.tried:
            self.tried = hard
            self.native = find_native(self.machine, compiles=compiles)


def _ending_in_c(end: Finished, players: int) -> Ending:
    scores: Sequence[Any] = end.ranking[1 : players + 1]
    has_scores = scores and None not in scores
    return Ending(end.winners, scores if has_scores else None, end.decisions)


def _ending(result: Result, decisions: int) -> Ending:
    return Ending(result.winners, _scores(result), decisions)


def _one_by_one(play: Callable[[int], tuple[Result, int]]) -> Playing:
    return lambda seeds: (_ending(*play(seed)) for seed in seeds)


def _watched(game: Game, players: int) -> Playing:
    machine = game.machine(players)

    def play(seed: int) -> tuple[Result, int]:
        state = start(machine, seed, 0, watched=True)
        choose = at_random(seed)
        count = 0
        while isinstance(state.pending, Decision):
            check_length(count, state.pending)
            apply(machine, state, choose(count, len(state.pending.options)))
            count += 1
        return rank(machine, state), count

    return _one_by_one(play)


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

AFTER_SEATS = ("shared", "decisions", "score", "winner", "spread")


def whole_victory(players: int) -> int:
    """A victory in parts so small that it can be shared by any number of players."""
    return lcm(*range(1, players + 1))


def measures(players: int) -> tuple[str, ...]:
    """The names of what is counted.

    >>> measures(2)
    ('seat 1', 'seat 2', 'shared', 'decisions', 'score', 'winner', 'spread')
    """
    return (*(f"seat {n + 1}" for n in range(players)), *AFTER_SEATS)


def _scores(result: Result) -> list[int] | None:
    """The first row of the ranking; nothing if somebody has no value in it."""
    values = [rows[0].value for rows in result.scores if rows]
    found = [int(value) for value in values if value is not None]
    return found if len(found) == len(result.scores) else None


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
        for side, (winners, scores, decisions) in enumerate(ends):
            part = whole // len(winners)
            row = [part if seat in winners else 0 for seat in order[side]]
            if scores is None:
                unscored[side] += 1
                row += (len(winners) > 1, decisions, 0, 0, 0)
            else:
                best, spread = scores[winners[0]], max(scores) - min(scores)
                row += (len(winners) > 1, decisions, sum(scores), best, spread)
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
        part = whole // len(winners) if mine in winners else 0
        total, square = total + part, square + part * part
    return {("games",): len(seeds), ("sum", 0, 0): total, ("square", 0, 0): square}

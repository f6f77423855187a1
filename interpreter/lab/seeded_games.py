"""A table and seeds -> the results of the games: a few whole numbers for each game, and their sums.

The first player sits on seat 1, and the others follow in the order of play. If all choose at random, the fast engine
plays many games in one call; for bots that think, see `bot_games`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from attrs import frozen

from interpreter.engines import find_fast
from interpreter.lab.bot_games import is_random, play_bots
from interpreter.lab.counts import Counts, tally
from interpreter.lab.measures import Sums, measures, whole_victory
from interpreter.machine import Machine, Result, rank
from interpreter.match import Game
from interpreter.playthroughs import play_by_reference
from interpreter.state import OVER
from interpreter.wasm.engine import Wasm
from interpreter.wasm.memory import NONE
from rulespec.limits import MOST_CHOICES


class Ending(NamedTuple):
    """How a game ended: the winners, the number of winning sides, the scores if all players have one, and the decisions."""

    winners: tuple[int, ...]
    sides: int
    scores: Sequence[int] | None
    decisions: int
    is_cut: bool = False  # whether the game was cut off after too many decisions
    is_slow: bool = False  # the fast engine stopped, and the reference played the game


# Seeds -> the endings of their games, in the same order.
Playing = Callable[[Sequence[int]], Iterator[Ending]]


@frozen(eq=False)
class TableSetup:
    """A game with its players, and a way to play it; `order` holds the seats in the order of play."""

    game: Game
    players: int
    seats: tuple[str, ...]
    order: tuple[int, ...]
    longest: int
    play: Playing


def lay_table(
    game: Game, players: int, seats: tuple[str, ...], longest: int = MOST_CHOICES
) -> TableSetup:
    """The fastest way to play a game with these bots; games are cut off after `longest` choices."""
    order = order_of_play(game, players)
    play: Playing
    if not is_random(seats):
        play = _with_bots(game, order, seats, longest)
    elif (fast := find_fast(game, players)) is not None:
        play = AtOnce(game.machine(players), fast, longest)
    else:
        play = _by_reference(game, players, longest)
    return TableSetup(game, players, seats, order, longest, play)


def order_of_play(game: Game, players: int) -> tuple[int, ...]:
    """The seats in the order of play, the first player first."""
    step = 1 if game.code.clockwise else -1
    return tuple(step * n % players for n in range(players))


@frozen
class AtOnce:
    """Plays games in which all choose at random, many in one call of the fast engine."""

    machine: Machine
    fast: Wasm
    longest: int

    def __call__(self, seeds: Sequence[int]) -> Iterator[Ending]:
        players = range(self.fast.players)
        for seed, end in zip(seeds, self.fast.games(seeds, 0, self.longest), strict=True):
            if end is None:  # the reference replays it, if only to report the error
                yield _play_by_reference(self.machine, seed, self.longest)._replace(is_slow=True)
                continue
            if not end.is_over:
                yield cut_off(end.decisions)
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


def ending_of(result: Result | None, decisions: int) -> Ending:
    """The ending of a game, from its result; a game without a result was cut off."""
    if result is None:
        return cut_off(decisions)
    winners = result.winners
    sides = sum(side[0] in winners for side in result.sides)
    return Ending(winners, sides, _scores(result), decisions)


def cut_off(decisions: int) -> Ending:
    """A game that was not over after so many decisions."""
    return Ending((), 0, None, decisions, is_cut=True)


def _play_by_reference(machine: Machine, seed: int, longest: int) -> Ending:
    state, count = play_by_reference(machine, seed, 0, longest)
    return ending_of(rank(machine, state) if state.phase == OVER else None, count)


def _by_reference(game: Game, players: int, longest: int) -> Playing:
    """A way to play on the reference, for games without a fast engine."""
    machine = game.machine(players)
    return lambda seeds: (_play_by_reference(machine, seed, longest) for seed in seeds)


def _with_bots(game: Game, order: tuple[int, ...], seats: tuple[str, ...], longest: int) -> Playing:
    def play(seed: int) -> Ending:
        played = play_bots(game, words_by_seat(order, seats), seed, longest)
        return ending_of(played.result, len(played.choices))

    return lambda seeds: map(play, seeds)


def words_by_seat(order: Sequence[int], seats: Sequence[str]) -> list[str]:
    """The bots by seat number, from those in the order of play."""
    words = dict(zip(order, seats, strict=True))
    return [words[seat] for seat in range(len(order))]


# ---- What is counted -----------------------------------------------------------------------------


def _scores(result: Result) -> list[int] | None:
    """The first score of the ranking; None if a player has no value in it."""
    values = result.points[1] if result.points is not None else ()
    found = [int(value) for value in values if value is not None]
    return found if found and len(found) == len(values) else None


def row_of(end: Ending, order: Sequence[int], whole: int) -> list[int | None]:
    """The measures of a game, from its ending: the share of the victory of each seat, and the numbers after it."""
    if end.is_cut:
        nothing: list[int | None] = [None] * (len(order) + 2)
        return [*nothing, 1, None, None, None, None]
    winners, scores = end.winners, end.scores
    part = whole // max(1, len(winners))
    row: list[int | None] = [part if seat in winners else 0 for seat in order]
    row += (int(end.sides > 1), int(not winners), 0, end.decisions)
    if scores is None:
        row += (None, None, None)
    else:
        best = scores[winners[0]] if winners else None
        row += (sum(scores), best, max(scores) - min(scores))
    return row


@frozen
class Spreads:
    """The distributions of scores and lengths, for each side."""

    scores: tuple[Counter[int], ...]
    lengths: tuple[Counter[int], ...]

    def add(self, side: int, end: Ending) -> None:
        """Add one game of a side."""
        if end.is_cut:
            return
        self.lengths[side][end.decisions] += 1
        if end.scores is not None:
            self.scores[side].update(end.scores)

    def counts(self) -> Counts:
        """The sums as counts."""
        found: Counts = {}
        for side, (scores, lengths) in enumerate(zip(self.scores, self.lengths, strict=True)):
            found |= tally(scores, "score", side)
            found |= tally(lengths, "decisions", side)
        return found


def new_spreads(sides: int) -> Spreads:
    """Nothing yet."""
    return Spreads(tuple(Counter() for _ in range(sides)), tuple(Counter() for _ in range(sides)))


def count_games(tables: Sequence[TableSetup], seeds: Sequence[int]) -> Counts:
    """Play each seed at every table, and add up the measures of the endings."""
    players = tables[0].players
    whole = whole_victory(players)
    sums = Sums(tuple(each.name for each in measures(players)), len(tables))
    spreads = new_spreads(len(tables))
    slow: Counter[int] = Counter()
    for ends in zip(*(table.play(seeds) for table in tables), strict=True):
        rows = []
        for side, (table, end) in enumerate(zip(tables, ends, strict=True)):
            rows.append(row_of(end, table.order, whole))
            spreads.add(side, end)
            slow[side] += end.is_slow
        sums.add(rows)
    return sums.counts() | spreads.counts() | tally(+slow, "slow")

"""Numbers of each game -> their sums, and from these an estimate of each number and of its changes.

A game is a row of whole numbers, one for each measure; the entry is None where a measure does not apply, such as the
points of a game that nobody scored. The sides of a comparison play the same seeds, so the differences of each side to
the first one are added up as well, seed by seed.
"""

from collections import Counter
from collections.abc import Sequence
from math import lcm, sqrt

from attrs import define, field, frozen

from interpreter.lab import intervals
from interpreter.lab.counts import Counts, tally
from interpreter.lab.intervals import IntervalEstimate

Row = Sequence[int | None]

THOUSAND = 1000  # shares of a game are counted in thousandths


@frozen
class Measure:
    """What is counted in every game, and how many counts make one unit."""

    name: str
    unit: int = 1
    is_share: bool = False


def whole_victory(players: int) -> int:
    """How many parts a victory has, so that any number of players can share it evenly."""
    return lcm(*range(1, players + 1))


def measures(players: int) -> tuple[Measure, ...]:
    """The measures that follow from the result of a game.

    >>> [each.name for each in measures(2)]
    ['seat 1', 'seat 2', 'shared', 'unwon', 'cut', 'decisions', 'score', 'winner', 'spread']
    """
    whole = whole_victory(players)
    return (
        *(Measure(f"seat {n + 1}", whole, is_share=True) for n in range(players)),
        *(Measure(name, is_share=True) for name in ("shared", "unwon", "cut")),
        Measure("decisions"),
        Measure("score", players),
        Measure("winner"),
        Measure("spread"),
    )


def close_measures(players: int) -> tuple[Measure, ...]:
    """The measures that need a close look at a game of players who think.

    `ahead`: the favourite at half-time wins. `decided`: the part of the game after which the winner
    stays the favourite. `matter`: decisions whose options differ in worth. `clear`:
    decisions in which one option is far better than any other.
    """
    return (
        *measures(players),
        Measure("turns"),
        Measure("lead changes"),
        Measure("ahead", whole_victory(players), is_share=True),
        Measure("decided", THOUSAND, is_share=True),
        Measure("matter", THOUSAND, is_share=True),
        Measure("clear", THOUSAND, is_share=True),
    )


@define
class Total:
    """The count of some numbers, their sum and the sum of their squares."""

    n: int = 0
    total: int = 0
    squares: int = 0

    def add(self, x: int) -> None:
        self.n += 1
        self.total += x
        self.squares += x * x


@define
class Sums:
    """The sums over games: each measure of each side, and its difference to the first side."""

    names: tuple[str, ...]
    sides: int
    games: int = 0
    same: Counter[int] = field(
        factory=Counter
    )  # games in which a side played exactly as the first one
    totals: list[list[Total]] = field(factory=list)
    changes: list[list[Total]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.totals = [[Total() for _ in self.names] for _ in range(self.sides)]
        self.changes = [[Total() for _ in self.names] for _ in range(self.sides)]

    def add(self, rows: Sequence[Row]) -> None:
        """Add one seed, as every side played it."""
        self.games += 1
        first = rows[0]
        for side, row in enumerate(rows):
            for total, x in zip(self.totals[side], row, strict=True):
                if x is not None:
                    total.add(x)
            if side:
                self.same[side] += list(row) == list(first)
                for change, x, y in zip(self.changes[side], first, row, strict=True):
                    if x is not None and y is not None:
                        change.add(y - x)

    def counts(self) -> Counts:
        """As counts that add up."""
        found: Counts = {("games",): self.games, **tally(self.same, "same")}
        for side in range(self.sides):
            for kind, totals in (("of", self.totals), ("change", self.changes)):
                if kind == "change" and not side:
                    continue
                for name, each in zip(self.names, totals[side], strict=True):
                    found[kind, side, name, "n"] = each.n
                    found[kind, side, name, "sum"] = each.total
                    found[kind, side, name, "square"] = each.squares
        return found


def total_of(counts: Counts, side: int, name: str, kind: str = "of") -> Total:
    """The sums of a measure; zeros if it was never counted."""
    return Total(*(counts.get((kind, side, name, part), 0) for part in ("n", "sum", "square")))


def mean_value(counts: Counts, side: int, measure: Measure) -> float | None:
    """The mean of a measure."""
    found = total_of(counts, side, measure.name)
    return found.total / found.n / measure.unit if found.n else None


def estimate_measure(
    counts: Counts, side: int, measure: Measure, error: float
) -> IntervalEstimate | None:
    """The estimate of a measure, if it was ever counted."""
    found = total_of(counts, side, measure.name)
    if not found.n:
        return None
    if measure.is_share:
        return intervals.share(found.n, found.total, found.squares, measure.unit, error)
    return intervals.mean(found.n, found.total, found.squares, error, measure.unit)


def difference(
    counts: Counts, side: int, measure: Measure, error: float
) -> IntervalEstimate | None:
    """How much more of a measure a side has than the first one, from pairs of games that both have it."""
    found = total_of(counts, side, measure.name, "change")
    if not found.n:
        return None
    return intervals.mean(found.n, found.total, found.squares, error, measure.unit)


# ---- Intervals that say nothing ------------------------------------------------------------------

WIDEST_SHARE = 0.2  # half-width of a share's interval
WIDEST = 0.5  # half-width of a mean's interval, relative to the size of the numbers


def tells(counts: Counts, sides: Sequence[int], measure: Measure, found: IntervalEstimate) -> bool:
    """Whether an interval says anything: not if it is nearly as wide as the range of possible values."""
    if measure.is_share:
        return found.half <= WIDEST_SHARE
    sizes = [1.0]
    for side in sides:
        each = total_of(counts, side, measure.name)
        if each.n:
            sizes.append(sqrt(each.squares / each.n) / measure.unit)
    return found.half <= WIDEST * max(sizes)

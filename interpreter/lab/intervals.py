"""Counts of games -> estimates with intervals, and how sure they are.

An interval of 95 % is made so that of a hundred such intervals about 95 hold the truth. Several that shall
hold together are each made a little wider: their errors are shared out (Bonferroni).
"""

from math import sqrt
from statistics import NormalDist

from attrs import frozen

USUAL_CONFIDENCE = 0.95


@frozen
class IntervalEstimate:
    """A mean, and the interval in which the truth lies."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """How far the interval reaches to either side."""
        return (self.high - self.low) / 2


def quantile(error: float, freedom: int) -> float:
    """How many standard errors to either side leave out no more than `error` of the cases.

    Student's distribution, by the first terms of its expansion around the normal one, which is good to
    three digits from five games on.

    >>> round(quantile(0.05, 10**9), 3), round(quantile(0.05, 10), 2)
    (1.96, 2.23)
    """
    z = -NormalDist().inv_cdf(error / 2)
    v = max(1, freedom)
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def deviations(games: int, total: int, squares: int) -> float:
    """The sum of the squares of the distances from the mean, computed in whole numbers."""
    return (games * squares - total * total) / games


def share(games: int, total: int, squares: int, whole: int, error: float) -> IntervalEstimate:
    """The mean of parts of something, each from 0 to `whole`, as a share of it: Wilson's interval.

    Parts other than nothing and all, such as shared victories, scatter less than a coin of the same mean
    would. The interval is that of a coin thrown so often that it scatters as little; one more game that
    scatters as much as any could is added, so that few equal games make nobody sure. Without shared
    victories this is Wilson's interval itself.

    >>> found = share(100, 60, 60, 1, 0.05)
    >>> round(found.low, 3), round(found.high, 3)
    (0.502, 0.691)
    """
    p = total / (games * whole)
    spread = p * (1 - p)
    seen = deviations(games, total, squares) / whole**2
    alike = games * (games + 1) * spread / (seen + spread) if spread else games
    z2 = NormalDist().inv_cdf(1 - error / 2) ** 2
    middle = (p + z2 / (2 * alike)) / (1 + z2 / alike)
    half = sqrt(z2 * spread / alike + z2 * z2 / (4 * alike * alike)) / (1 + z2 / alike)
    return IntervalEstimate(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)))


@frozen
class Controls:
    """Numbers of each game whose true mean is nothing, such as luck: their sums, and the sums of their products."""

    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]


@frozen
class Moments:
    """Of a number of each game the sum, the sum of the squares, and the sums of the products with each control."""

    total: float
    squares: float
    products: tuple[float, ...]


def steadied(
    games: int, x: Moments, controls: Controls, error: float, unit: float = 1.0
) -> IntervalEstimate:
    """The mean of x, in units, without the luck that it shares with the controls.

    As `mean`, but with the deviations from the plane through all of them (regression on control variates).

    >>> steadied(4, Moments(8, 18, (6,)), Controls((2,), ((6,),)), 0.05).value
    1.8
    """
    sums = [*controls.sums, x.total]
    products = [[*row, product] for row, product in zip(controls.products, x.products, strict=True)]
    products.append([*x.products, x.squares])
    size = len(sums)
    left = [[games * products[i][j] - sums[i] * sums[j] for j in range(size)] for i in range(size)]
    means = [each / games for each in sums]
    weight, freedom = 1 / games, games - 1
    for i in range(size - 1):
        pivot = left[i][i] / games
        if pivot <= 1e-9 * max(1, products[i][i]):
            continue  # it never varies, or says no more than those before it
        weight += means[i] ** 2 / pivot
        freedom -= 1
        for j in range(i + 1, size):
            slope = left[j][i] / left[i][i]
            means[j] -= slope * means[i]
            left[j] = [a - slope * b for a, b in zip(left[j], left[i], strict=True)]
    value = means[-1] / unit
    scatter = max(0.0, left[-1][-1] / games) / unit**2 + 1
    half = quantile(error, freedom) * sqrt(scatter / max(1, freedom) * weight)
    return IntervalEstimate(value, value - half, value + half)


def mean(games: int, total: int, squares: int, error: float, unit: float = 1.0) -> IntervalEstimate:
    """The mean of whole numbers, in units, by Student's interval.

    One unit is added to what was seen to scatter: if all games came out alike, a rare other one may
    still be missing. With many games it makes no difference.
    """
    value = total / (games * unit)
    scatter = deviations(games, total, squares) / unit**2 + 1
    half = quantile(error, games - 1) * sqrt(scatter / max(1, games - 1) / games)
    return IntervalEstimate(value, value - half, value + half)

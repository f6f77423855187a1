"""Sums over games -> estimates with intervals, and how sure they are.

Of a hundred 95 % intervals, about 95 contain the true value. Intervals that must hold together are each a little wider:
they share the allowed error (Bonferroni).
"""

from math import sqrt
from statistics import NormalDist

from attrs import frozen

USUAL_CONFIDENCE = 0.95


@frozen
class IntervalEstimate:
    """A mean, and its confidence interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of the width of the interval."""
        return (self.high - self.low) / 2


def quantile(error: float, freedom: int) -> float:
    """The two-sided quantile of Student's distribution: how many standard errors leave out a share `error` of the cases.

    It uses the first terms of the expansion around the normal distribution, which are accurate to
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
    """The sum of squared deviations from the mean, computed in whole numbers."""
    return (games * squares - total * total) / games


def share(games: int, total: int, squares: int, whole: int, error: float) -> IntervalEstimate:
    """The mean of values from 0 to `whole`, as a share of `whole`, with Wilson's interval.

    Values other than 0 and `whole`, such as shared victories, scatter less than a coin of the same mean
    would. So this takes the interval of a coin thrown so often that its mean scatters as little. It adds one game that
    scatters as much as possible, so that a few equal games do not look certain. Without shared
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
    """Control variates, whose true mean is 0, such as luck: their sums, and the sums of their products."""

    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]


@frozen
class Moments:
    """The sum of a number over all games, the sum of its squares, and the sums of its products with each control."""

    total: float
    squares: float
    products: tuple[float, ...]


def steadied(
    games: int, x: Moments, controls: Controls, error: float, unit: float = 1.0
) -> IntervalEstimate:
    """The mean of x, in units, without the luck that it shares with the controls.

    Like `mean`, but with the residuals of a regression on the control variates.

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
            continue  # it does not vary, or depends linearly on those before it
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

    The observed deviations are increased by one unit: even if all games came out alike, a rare different one may
    still be missing. With many games this makes no difference.
    """
    value = total / (games * unit)
    scatter = deviations(games, total, squares) / unit**2 + 1
    half = quantile(error, games - 1) * sqrt(scatter / max(1, games - 1) / games)
    return IntervalEstimate(value, value - half, value + half)

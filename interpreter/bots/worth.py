"""The result of a game -> its worth to each player, from 0 to 1, so that bots can compare options."""

from collections.abc import Sequence

from attrs import define

from interpreter.machine import Result

WON = 0.8  # the weight of winning; the rest is the margin


@define
class Scale:
    """The usual size of a lead, learnt from the games that were played out."""

    total: float = 0.0
    games: int = 0

    def worth(self, result: Result) -> tuple[float, ...]:
        """The worth to each player, from 0 to 1: mostly winning, and a little the margin."""
        points = result.points
        best = _points(points) if points is not None else []
        partners = {seat: side for side in result.sides for seat in side}
        # Players who lost together against the game have nobody ahead of them: their points alone count.
        together = not result.winners and len(set(best)) == 1
        leads = [
            each - (0.0 if together else _best_other(best, partners[n]))
            for n, each in enumerate(best)
        ]
        if leads:
            self.total += max(abs(each) for each in leads)
            self.games += 1
        usual = self.total / self.games if self.total else 1.0
        found = []
        for seat, won in enumerate(victory(result)):
            lead = leads[seat] / usual if leads else 0.0
            found.append(WON * won + (1 - WON) * (0.5 + 0.5 * lead / (1 + abs(lead))))
        return tuple(found)


def victory(result: Result) -> list[float]:
    """Each player's share of the victory: the winning sides share it, and a draw is worth half."""
    winners = result.winners
    sides = sum(side[0] in winners for side in result.sides)
    parts = {"won": 1 / max(1, sides), "drawn": 0.5, "lost": 0.0}
    return [parts[result.ended(seat)] for seat in range(len(result.places))]


def _points(row: tuple[bool, Sequence[int | None]]) -> list[float]:
    """The values of one row of the ranking, negated where the least wins."""
    most_wins, values = row
    return [0.0 if each is None else float(each if most_wins else -each) for each in values]


def _best_other(points: Sequence[float], side: Sequence[int]) -> float:
    return max((each for n, each in enumerate(points) if n not in side), default=0.0)

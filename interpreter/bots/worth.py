"""What the result of a game is worth to each player."""

from collections.abc import Sequence

from attrs import define

from interpreter.machine import Result

WON = 0.8  # what winning counts for; the rest is by how much


@define
class Scale:
    """How large a lead usually is: learnt from the games that were played out."""

    total: float = 0.0
    games: int = 0

    def worth(self, result: Result) -> tuple[float, ...]:
        """Of each player, from 0 to 1: winning above all, and a little by how much."""
        points = result.points
        best = _points(points) if points is not None else []
        partners = {seat: side for side in result.sides for seat in side}
        # Those who have lost together against the game are behind nobody: all that they have counts.
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
    """What each player has of the victory: all sides that have won share it, and a draw is worth half."""
    winners = result.winners
    sides = sum(side[0] in winners for side in result.sides)
    parts = {"won": 1 / max(1, sides), "drawn": 0.5, "lost": 0.0}
    return [parts[result.ended(seat)] for seat in range(len(result.places))]


def _points(row: tuple[bool, Sequence[int | None]]) -> list[float]:
    """One row of the ranking, the more the better."""
    most_wins, values = row
    return [0.0 if each is None else float(each if most_wins else -each) for each in values]


def _best_other(points: Sequence[float], side: Sequence[int]) -> float:
    return max((each for n, each in enumerate(points) if n not in side), default=0.0)

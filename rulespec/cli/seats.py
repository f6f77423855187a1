"""Words on the command line -> seats."""

from collections.abc import Sequence

from interpreter.match import Game
from interpreter.seating import WrongSeats
from interpreter.session import Seat
from rulespec.rendering import counted


def read_seats(words: Sequence[str]) -> tuple[Seat, ...]:
    """Seats as they are typed, each a name and who plays it.

    >>> read_seats(["Ben=search:3s"])
    (Seat(name='Ben', kind='search:3s'),)
    """
    seats: list[Seat] = []
    for word in words:
        name, is_given, kind = (part.strip() for part in word.partition("="))
        if not is_given or not name or not kind:
            raise WrongSeats(
                f"`{word}` is not a seat; write a name and who plays it, such as `--seat You=human` or `--seat Ben=normal`"
            )
        if name in {seat.name for seat in seats}:
            raise WrongSeats(f"two seats are called `{name}`; players have different names")
        seats.append(Seat(name, kind))
    return tuple(seats)


def count_players(game: Game, wanted: int | None) -> int:
    """How many sit at a table, as few as the game allows if nothing is said; ValueError if they cannot play it."""
    least, most = game.players[0], game.players[-1]
    if wanted is not None and wanted not in game.players:
        many = counted(least, "player") if least == most else f"{least} to {most} players"
        raise ValueError(f"{game.code.title} is for {many}, not for {wanted}")
    return least if wanted is None else wanted

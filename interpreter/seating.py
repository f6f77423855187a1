"""Names and kinds of players -> the seats of a game, with bots in those that are left."""

from collections.abc import Sequence
from difflib import get_close_matches

from interpreter.display_names import YOU
from interpreter.match import Game
from interpreter.session import HUMAN, USUAL_LEVEL, Seat
from rulespec.catalogue import tell_players
from rulespec.rendering import counted

BOT_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gwen", "Hugo", "Ida", "Jon")


class WrongSeats(ValueError):  # noqa: N818 - it says what is wrong
    """These seats cannot play the game; the argument says why, in a sentence."""


def seat_players(game: Game, wanted: Sequence[Seat], players: int | None) -> tuple[Seat, ...]:
    """The given seats, and bots in the rest; by default, you and bots."""
    least, most = game.players[0], game.players[-1]
    if players is None:
        players = max(least, len(wanted))
    elif players < len(wanted):
        raise WrongSeats(
            f"{counted(len(wanted), 'seat')} are named, for {counted(players, 'player')}"
        )
    if players not in game.players:
        raise WrongSeats(
            f"{game.code.title} is for {tell_players((least, most))}, not for {players}"
        )
    for each in wanted:
        check_kind(game, players, each.kind)
    seats = list(wanted or [Seat(YOU, HUMAN)])
    spare = (name for name in BOT_NAMES if name not in {each.name for each in wanted})
    while len(seats) < players:
        seats.append(Seat(next(spare, f"Bot {len(seats) + 1}"), USUAL_LEVEL))
    return tuple(seats)


def check_kind(game: Game, players: int, kind: str) -> None:
    """Raise `WrongSeats` if a word names no bot."""
    if kind == HUMAN:
        return
    from interpreter.bots import KINDS, LEVELS, UnknownBot, make_bot  # noqa: PLC0415 - nobody else waits for them

    known = [HUMAN, *LEVELS, *KINDS]
    word = kind.partition(":")[0]
    if word not in known:
        near = get_close_matches(word, known, 1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        there = ", ".join(f"`{each}`" for each in known)
        raise WrongSeats(f"`{kind}` cannot play; a seat is one of {there}{hint}")
    try:
        make_bot(kind, game, players, seed=0)
    except UnknownBot as error:
        raise WrongSeats(str(error)) from error


def find_seat(seats: Sequence[Seat], name: str) -> int:
    """The seat of a player, by name."""
    for number, each in enumerate(seats):
        if each.name.casefold() == name.casefold():
            return number
    names = ", ".join(each.name for each in seats)
    raise WrongSeats(f"`{name}` is not a player here; the players are {names}")

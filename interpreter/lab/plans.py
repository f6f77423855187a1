"""What somebody wants to be played -> a plan that can be."""

from attrs import evolve

from interpreter.bots import UnknownBot, is_timed, make_bot
from interpreter.lab.simulation import Plan
from interpreter.match import Game


class WrongPlan(ValueError):  # noqa: N818 - it says what is wrong
    """Games that cannot be played like this; the argument says so in a sentence."""


def settle_plan(wish: Plan, games: list[Game]) -> Plan:
    """A plan that can be played: with every number of players that all games allow, if it names none."""
    seats = wish.seats
    common = [n for n in games[0].players if all(n in game.players for game in games)]
    wanted = wish.players or ((len(seats),) if len(seats) > 1 else tuple(common))
    for n in wanted:
        if n not in common:
            allowed = " or ".join(map(str, common)) or "no number of"
            raise WrongPlan(f"this is for {allowed} players, not for {n}")
    if len(seats) > 1 and set(wanted) != {len(seats)}:
        raise WrongPlan(
            f"{len(seats)} seats are named, for {' and '.join(map(str, wanted))} players"
        )
    if not wanted:
        raise WrongPlan("there is no number of players for which all of these can be played")
    if wish.games < 1:
        raise WrongPlan("at least one game has to be played")
    for word in seats:
        if is_timed(word):
            kind = word.partition(":")[0]
            raise WrongPlan(
                f"`{word}` thinks by the clock, so nobody could repeat its games; write `{kind}:20`"
            )
        try:
            make_bot(word, games[0], wanted[0], seed=0)
        except UnknownBot as error:
            raise WrongPlan(str(error)) from error
    return evolve(wish, players=wanted)

"""What a user wants to play -> a plan that can be played: which tables, which bots, and how many games."""

from collections.abc import Sequence

from attrs import evolve, frozen

from interpreter.bots import UnknownBot, make_bot
from interpreter.bots.kinds import is_timed, untimed
from interpreter.lab import intervals
from interpreter.lab.bot_games import FAST, RANDOM, USUAL, is_random
from interpreter.match import Game
from rulespec.limits import MOST_CHOICES

USUAL_PACE = 8.0  # seconds that people take for a decision


class WrongPlan(ValueError):  # noqa: N818 - it says what is wrong
    """The plan cannot be played; the argument says why in a sentence."""


@frozen
class Plan:
    """What to play: how many games, by whom, and from which seed."""

    games: int
    players: tuple[int, ...]
    seats: tuple[str, ...] = ()  # the bots of one table; without them, all choose at random
    seed: int = 1
    sample: int = 200
    # Games of players who think, besides the quick look at random players; None for as many as fit into a minute.
    thinking: int | None = 0
    thinkers: tuple[int, ...] = ()  # the numbers of players at tables of players who think
    is_free: bool = False  # whether other tables may be chosen for thinking, as the user named no number of players
    skill: int = 0  # deals for each pair of the ladder
    restricted: int = 0  # games that are played again without one thing
    confidence: float = intervals.USUAL_CONFIDENCE
    pace: float = USUAL_PACE
    longest: int = MOST_CHOICES
    left_out: tuple[str, ...] = ()  # sentences about what is left out


@frozen
class Look:
    """One way to look at a table: who sits there, and how many games; without a number, as many as time allows."""

    seats: tuple[str, ...]
    games: int | None

    @property
    def is_quick(self) -> bool:
        """Whether all seats choose at random."""
        return is_random(self.seats)


def looks(plan: Plan, players: int) -> tuple[Look, ...]:
    """The looks at a table: as the plan says, or a quick one and then one with players who think."""
    if plan.seats:
        seats = plan.seats * players if len(plan.seats) == 1 else plan.seats
        return (Look(seats, plan.games),)
    quick = Look((RANDOM,) * players, plan.games)
    if plan.thinking == 0 or players not in plan.thinkers:
        return (quick,)
    return quick, Look((USUAL,) * players, plan.thinking)


def is_asked(plan: Plan, players: int) -> bool:
    """Whether the plan measures skill and `restrictions` at a table with so many players."""
    return bool(plan.seats) or players in plan.thinkers


def restricted_seats(plan: Plan, players: int) -> tuple[str, ...]:
    """The bots that do without things: the named ones, or fast ones."""
    return looks(plan, players)[-1].seats if plan.seats else (FAST,) * players


def settle_plan(wish: Plan, games: Sequence[Game]) -> Plan:
    """A plan that can be played; if it names no number of players, it gets all that every game allows."""
    seats = wish.seats
    common = [n for n in games[0].players if all(n in game.players for game in games)]
    wanted = wish.players or ((len(seats),) if len(seats) > 1 else tuple(common))
    for n in wanted:
        if n not in common:
            raise WrongPlan(_refusal(n, games, common))
    if len(seats) > 1 and set(wanted) != {len(seats)}:
        raise WrongPlan(
            f"{len(seats)} seats are named, for {' and '.join(map(str, wanted))} players"
        )
    if not wanted:
        told = "; ".join(f"{_title(game)} is for {_range(game)}" for game in games)
        raise WrongPlan(
            f"there is no number of players for which all of these can be played: {told}"
        )
    if wish.games < 1:
        raise WrongPlan("at least one game has to be played")
    if wish.longest < 1:
        raise WrongPlan("a game has at least one choice")
    for word in seats:
        _check_bot(word, games[0], wanted[0])
    # If the user names no number, players think at one table only, as that takes long.
    thinkers = wish.thinkers or (wanted if wish.players else (middle_of(wanted),))
    left_out = () if wish.players else _left_out(games, common)
    is_free = not wish.thinkers and not wish.players
    return evolve(wish, players=wanted, thinkers=thinkers, is_free=is_free, left_out=left_out)


def middle_of(numbers: Sequence[int]) -> int:
    """The number in the middle.

    >>> middle_of((2, 3, 4, 5)), middle_of((3, 4, 5))
    (3, 4)
    """
    return numbers[(len(numbers) - 1) // 2]


def _check_bot(word: str, game: Game, players: int) -> None:
    try:
        if is_timed(untimed(word)):
            kind = word.partition(":")[0]
            raise WrongPlan(
                f"`{word}` thinks by the clock, so nobody could repeat its games; write `{kind}:20`"
            )
        make_bot(untimed(word), game, players, seed=0)
    except UnknownBot as error:
        raise WrongPlan(str(error)) from error


def _title(game: Game) -> str:
    """A game with its chosen variants and options, which may allow fewer players.

    >>> from interpreter.game_loading import load
    >>> _title(load("siegel.rules", options={"saboteur_base": 6}))
    '`siegel.rules` with `saboteur_base=6`'
    """
    chosen = [*game.variants, *(f"{name}={value}" for name, value in game.settings)]
    told = " and ".join(f"`{each}`" for each in chosen)
    return f"`{game.name}`" + (f" with {told}" if told else "")


def _range(game: Game) -> str:
    """The numbers of players of a game, in words.

    >>> from interpreter.game_loading import load
    >>> _range(load("sins.rules"))
    '2 to 5 players'
    """
    least, most = game.players[0], game.players[-1]
    if least == most:
        return f"{least} player{'s' if least > 1 else ''}"
    return f"{least} {'or' if most == least + 1 else 'to'} {most} players"


def _refusal(n: int, games: Sequence[Game], common: Sequence[int]) -> str:
    """The message about which of the games do not allow so many players."""
    refusing = {_title(game): game for game in games if n not in game.players}
    if not refusing:
        return f"this is not for {n} players"
    told = "; ".join(
        f"{title} is for {_range(game)}, not for {n}" for title, game in refusing.items()
    )
    if len(games) > 1 and common:
        told += f"; all of them can be played with `--players {common[0]}`"
    return told


def _left_out(games: Sequence[Game], common: Sequence[int]) -> tuple[str, ...]:
    """Sentences on the numbers of players that only some of the games allow."""
    found = []
    every = sorted({n for game in games for n in game.players})
    for n in every:
        if n not in common:
            titles = sorted({_title(game) for game in games if n not in game.players})
            verb = "is" if len(titles) == 1 else "are"
            found.append(
                f"{n} player{'s' if n > 1 else ''} left out: {' and '.join(titles)} {verb} not for {n}"
            )
    return tuple(found)

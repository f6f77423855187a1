"""A game and texts such as `rank = jack, queen` -> the same game with fewer pieces, small enough to explore completely."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from interpreter.layout import Piece
from interpreter.machine import build_machine
from interpreter.match import Game
from rulespec.core.types import Choice, present


class WrongCut(ValueError):  # noqa: N818 - it says what is wrong
    """A text that selects pieces by an attribute or a value that does not exist."""


def cut(game: Game, players: int, wishes: Sequence[str]) -> Game:
    """A game with only the pieces whose attributes have these values; pieces without such an attribute stay."""
    if not wishes:
        return game
    tests = [_test(game, wish) for wish in wishes]
    keep: Callable[[Piece], bool] = lambda piece: all(test(piece) for test in tests)  # noqa: E731
    new = evolve(game)
    new._machines[players] = build_machine(game.code, players, keep=keep)  # noqa: SLF001 - of its own kind
    return new


def _test(game: Game, wish: str) -> Callable[[Piece], bool]:
    name, sign, told = (part.strip() for part in wish.partition("="))
    types = {row.name: present(row.type) for row in game.code.attributes}
    if not sign or name not in types:
        some = ", ".join(sorted(types)) or "none"
        raise WrongCut(f"`{wish}` should be `attribute = value, value`; the attributes are: {some}")
    values = {_value(game, name, types[name], word.strip()) for word in told.split(",")}
    return lambda piece: name not in piece.attributes or piece.attributes[name] in values


def _value(game: Game, name: str, of: Any, word: str) -> Any:
    if isinstance(of, Choice):
        for number, member in enumerate(game.code.members):
            if member.name == word and word in of.domain:
                return number
        raise WrongCut(f"`{word}` is no {name}: they are {', '.join(of.domain)}")
    if not word.lstrip("-").isdigit():
        raise WrongCut(f"`{word}` is not a number, but `{name}` takes numbers")
    return int(word)

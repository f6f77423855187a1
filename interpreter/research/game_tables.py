"""A game and a number of players -> what all their states share: the engine, the actions and the tensor layout.

A table is made once and cached. It is stored as the name of its file, so that a stored state takes few bytes.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal
from weakref import WeakValueDictionary

from interpreter import chance
from interpreter.caching import load_kept
from interpreter.engine_protocol import Engine
from interpreter.engines import Reference, find_fast
from interpreter.machine import Machine, Result
from interpreter.match import Game
from interpreter.research.action_space import Actions, list_actions
from interpreter.research.legal_actions import Stepper
from interpreter.research.tensors import RECENT, Slots, list_event_slots, list_slots
from interpreter.wasm.engine import Wasm
from interpreter.wasm.memory import NONE
from rulespec.core.fingerprints import fingerprint

CHANCE, TERMINAL = -1, -4  # what `current_player` gives if no player is asked; as in OpenSpiel

Utility = Literal["points", "winning"]
UTILITIES: tuple[Utility, ...] = ("points", "winning")


class OtherRules(ValueError):  # noqa: N818 - it says what is wrong
    """The file has changed since a state was stored."""


class Table:
    """A game with a number of players: what a program asks about it before it plays.

    >>> import interpreter
    >>> table = interpreter.load("kuhn.rules").table(2)
    >>> table.num_players, table.num_distinct_actions(), table.is_fast
    (2, 4, True)
    """

    def __init__(self, game: Game, players: int, utility: Utility = "points") -> None:
        if utility not in UTILITIES:
            raise ValueError(f"a utility is {' or '.join(UTILITIES)}, not {utility!r}")
        self.game, self.players, self.utility = game, players, utility
        self.machine: Machine = game.machine(players)
        self.fast: Wasm | None = find_fast(game, players)
        self.engine: Engine[Any] = self.fast or Reference(game, players)

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.players

    @property
    def is_fast(self) -> bool:
        """Whether the fast engine plays; if not, `interpreter.engines.why_slow` says why."""
        return self.fast is not None

    @cached_property
    def actions(self) -> Actions:
        """All actions, by numbers that never change."""
        return list_actions(self.machine)

    @cached_property
    def stepper(self) -> Stepper | None:
        """The stepper by which states advance on the fast engine."""
        return None if self.fast is None else Stepper(self.actions, self.fast, self.score_row)

    def num_distinct_actions(self) -> int:
        """The number of actions at this table."""
        return self.actions.size

    def action_to_string(self, action: int) -> str:
        """An action in words."""
        return self.actions.text(action)

    @cached_property
    def observation(self) -> Slots:
        """What each number of an observation tensor means."""
        return list_slots(self.machine, self.actions)

    @cached_property
    def events(self) -> Slots:
        """What each number of an event means; an information state contains the last events."""
        return list_event_slots(self.machine)

    def observation_tensor_size(self) -> int:
        """The length of an observation tensor."""
        return self.observation.size

    def information_state_tensor_size(self) -> int:
        """The length of an information state tensor."""
        return self.observation.size + RECENT * self.events.size

    # ---- States ----------------------------------------------------------------------------------

    @cached_property
    def _begin(self) -> Any:
        from interpreter.research.states import new_state  # noqa: PLC0415 - a state knows its table

        return new_state

    def new_initial_state(self, seed: int | None = None, first: int | None = None) -> Any:
        """The state at the start; with a seed, the engine draws for chance; without one, the caller decides for it."""
        if first is not None and first not in range(self.players):
            raise ValueError(f"there is no seat {first}: they are 0 to {self.players - 1}")
        if seed is not None and not 0 <= seed <= chance.MASK:
            raise ValueError("a seed is a number from 0 to 2⁶⁴ - 1")
        return self._begin(self, seed, first)

    def deserialize(self, text: str) -> Any:
        """The state from a text that `serialize` wrote."""
        from interpreter.research.stored_states import deserialize  # noqa: PLC0415 - as above

        return deserialize(self, text)

    def batch(self, count: int, seed: int = 0) -> Any:
        """Many games that advance together, with NumPy; they have consecutive seeds from `seed`."""
        from interpreter.research.batches import Batch  # noqa: PLC0415 - NumPy is an extra

        return Batch(self, count, seed)

    @cached_property
    def score_row(self) -> int | None:
        """The row of the ranking that gives the returns; None if the winners alone decide them."""
        if self.utility == "winning":
            return None
        rows = [n for n, (_, _, row) in enumerate(self.machine.ranking) if row.role == "score"]
        return rows[0] if rows else None

    def returns_at(self, playing: Any) -> list[float]:
        """The returns of the players, as a game of the engine stands."""
        rows = None if self.fast is None else self.fast.key_rows(playing)
        found = None
        if rows is not None and self.score_row is not None:
            at = self.score_row * (self.players + 1)
            found = self.returns_of(rows[at : at + self.players + 1])
        return self.returns(self.engine.result(playing)) if found is None else found

    @staticmethod
    def returns_of(row: list[int]) -> list[float] | None:
        """The returns from a row of the ranking; None if a player has no points."""
        if NONE in row:
            return None
        most, *values = row
        return [*map(float, values)] if most == 1 else [float(-each) for each in values]

    def returns(self, result: Result) -> list[float]:
        """The returns of the players: see docs/research.md."""
        if self.utility == "points" and result.points is not None:
            most, values = result.points
            known = [each for each in values if each is not None]
            # A player without points comes behind every player with points.
            worst = (min(known) if most else max(known)) + (-1 if most else 1) if known else 0
            points = [worst if each is None else each for each in values]
            return [float(each if most else -each) for each in points]
        return share_of_winning(result)

    # ---- Kept and copied -------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Table {Path(self.game.name).name}, {self.players} players, {self.utility}>"

    def __copy__(self) -> "Table":
        return self

    def __deepcopy__(self, _memo: Mapping[int, Any]) -> "Table":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return find_table, (self.game, self.players, self.utility)


def share_of_winning(result: Result) -> list[float]:
    """The winners share what the others pay; all get 0 if everybody or nobody has won."""
    count = len(result.places)
    won = [p for p in range(count) if p in result.winners]
    if not won or len(won) == count:
        solo = count == 1 and bool(won)
        return [1.0 if solo else -1.0 if count == 1 and not won else 0.0] * count
    return [(count - len(won)) / len(won) if p in won else -1.0 for p in range(count)]


REMEMBERED: WeakValueDictionary[str, Game] = WeakValueDictionary()  # by the digest of their texts


@lru_cache(maxsize=16)
def find_table(game: Game, players: int, utility: Utility = "points") -> Table:
    """The table of a game, made once."""
    return Table(game, players, utility)


def store_game(game: Game) -> tuple[Any, ...]:
    """A game as the name of its file, if it has one; `open_game` checks that the file is unchanged."""
    if game.path is None or not game.path.is_file():
        kept = game.name, game.variants, game.settings, game.checked, game.code, game.texts
        return Game, (*kept, game.path)
    digest = game.texts.digest
    REMEMBERED[digest] = game
    where = str(game.path.resolve())
    return open_game, (where, game.variants, game.settings, digest, rules_of(game))


@lru_cache(maxsize=64)
def rules_of(game: Game) -> str:
    """A digest of the rules of a game, independent of where their file is."""
    return fingerprint(game.code)


def open_game(
    path: str,
    variants: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    digest: str,
    rules: str,
) -> Game:
    """Open a game that `store_game` stored, perhaps in another process."""
    game = REMEMBERED.get(digest)
    if game is None:
        game = load_kept(Path(path), variants, dict(settings))
        if rules_of(game) != rules:
            raise OtherRules(f"{path} is not what it was when this was stored")
        REMEMBERED[digest] = game
    return game

"""A set of values and a state -> the options of a decision: in order, look-alikes merged, large families not listed.

Implements docs/language/13-semantics.md, "Options". A decision is what the game waits for.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice
from typing import Any

from attrs import field, frozen

from interpreter import families
from interpreter.actions import Action
from interpreter.family_blocks import Listed
from interpreter.labels import Names, label
from interpreter.layout import Layout
from interpreter.state import State
from rulespec.core.tree import Origin
from rulespec.core.types import MOST, Piece, Several, Type


# [options.lazy]
@frozen
class Options(Sequence[Any]):
    """The options of a decision, as a sequence of values.

    They are a tuple, or a family of subsets with the look-alikes among its elements, which can be
    counted and indexed without a list. The `rest` comes after them: actions of another type, and
    last None, which declines.
    """

    values: tuple[Any, ...] | None
    family: families.Family | None
    twins: dict[int, Hashable] | None
    rest: tuple[Any, ...]
    size: int

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return tuple(self[n] for n in range(*number.indices(self.size)))
        if number < 0:
            number += self.size
        if not 0 <= number < self.size:
            raise IndexError(number)
        if number >= self.size - len(self.rest):
            return self.rest[number - self.size]
        if self.values is not None:
            return self.values[number]
        return families.member(_family(self), number, self.twins)

    def __iter__(self) -> Iterator[Any]:
        if self.values is not None:
            yield from self.values
        else:
            yield from families.members(_family(self), self.twins)
        yield from self.rest

    def __contains__(self, value: object) -> bool:
        return option_number(self, value) is not None


def _family(options: Options) -> families.Family:
    if options.family is None:
        raise AssertionError("options without values are a family")
    return options.family


def option_number(options: Options, value: Any) -> int | None:
    """The number of an option, or of the one that looks like it; None if the value is no option."""
    if value is None or isinstance(value, Action):
        return (
            options.size - len(options.rest) + options.rest.index(value)
            if value in options.rest
            else None
        )
    if options.values is not None:
        if isinstance(value, tuple | list | set | frozenset):
            wanted = frozenset(value)
            for number, each in enumerate(options.values):
                if isinstance(each, tuple) and frozenset(each) == wanted:
                    return number
            return None
        for number, each in enumerate(options.values):
            if each == value and type(each) is type(value):
                return number
        twin = (options.twins or {}).get(value)
        if twin is not None:
            for number, each in enumerate(options.values):
                if (options.twins or {}).get(each) == twin:
                    return number
        return None
    if not isinstance(value, tuple | list | set | frozenset):
        return None
    return families.member_number(_family(options), tuple(value), options.twins)


# [options.growth]
def selection_growth(options: Options, chosen: Sequence[int]) -> families.Growth:
    """The possible next cards of a selection made card by card; only for options that are sets."""
    family = options.family
    if family is None:
        family = Listed(tuple(each for each in options.values or () if each is not None))
    return families.growth(family, tuple(chosen), options.twins)


# [options.alike]
def twin_of(layout: Layout, s: State, piece: int) -> Hashable:
    """A key that look-alikes share: the face and the pool; pieces in a pile differ by their place."""
    zone = s.where[piece]
    return (zone, layout.faces[piece]) if layout.is_pool[zone] else piece


# [options.order]
def options_of(
    layout: Layout, s: State, values: Any, of: Type, rest: tuple[Any, ...] = ()
) -> Options:
    """The elements in order, without those that look like an earlier one, and the rest."""
    if isinstance(values, tuple):
        if not isinstance(of, Piece):
            return Options(values, None, None, rest, len(values) + len(rest))
        twins = {piece: twin_of(layout, s, piece) for piece in values}
        seen: dict[Hashable, int] = {}
        for piece, twin in twins.items():
            seen.setdefault(twin, piece)
        kept = tuple(seen.values())
        return Options(kept, None, twins, rest, len(kept) + len(rest))
    inner = of.of if isinstance(of, Several) else of
    alike = None
    if isinstance(inner, Piece):
        pieces = _elements(values)
        alike = {piece: twin_of(layout, s, piece) for piece in pieces}
        if len({*alike.values()}) == len(alike):
            alike = None  # without look-alikes, numbering is far easier
    count = families.count(values, alike)
    if count >= MOST:
        raise families.TooMany(f"{count} options")
    return Options(None, values, alike, rest, count + len(rest))


def _elements(family: families.Family) -> set[int]:
    if isinstance(family, Listed):
        return {piece for member in family.members for piece in member}
    return set(family.elements)


# ---- Decisions -----------------------------------------------------------------------------------


@frozen
class Option:
    """One thing to choose: its number, its value, its text, and the rule that offers it."""

    number: int
    value: Any
    text: str
    origin: Origin = field(repr=False)


@frozen
class Decision:
    """What the game waits for: who decides, what is asked, and the options.

    `simultaneous` choices are collected in secret and published together. If the choice goes to a hidden variable,
    only the chooser and the players in `seen` learn of it.
    """

    player: int
    options: Options
    of: Type
    may: bool
    origin: Origin
    parts: tuple[Any, ...] = field(repr=False)
    decline: str = field(repr=False)
    layout: Layout = field(repr=False, eq=False)
    names: Names = field(default=None, repr=False)
    simultaneous: bool = False
    seen: int | None = None

    @property
    def prompt(self) -> str:
        """What the player is asked."""
        texts = [
            part if isinstance(part, str) else label(self.layout, part[0], part[1], self.names)
            for part in self.parts
        ]
        return "".join(texts)

    def text(self, number: int) -> str:
        """The stable text of an option."""
        return self._text(number, self.options[number])

    def _text(self, number: int, value: Any) -> str:
        if self.may and number == len(self.options) - 1:
            return self.decline
        return label(self.layout, value, self.of, self.names)

    def listed(self, most: int = 1000) -> list[Option]:
        """The options as they are shown, up to a limit."""
        return [
            Option(n, value, self._text(n, value), self.origin)
            for n, value in enumerate(islice(self.options, most))
        ]


@frozen
class ChanceNode:
    """A pending decision of chance: its outcomes, each with its weight out of `total`.

    The outcomes of a shuffle are the orders of a `pile`, all equally likely; they are generated one by
    one, as there may be too many. Only the players in `seen` learn of a value for a hidden variable.
    """

    kind: str  # "random", "shuffle" or "first"
    total: int
    count: int
    outcomes: Callable[[], Iterator[tuple[Any, int]]] = field(repr=False)
    origin: Origin | None
    pile: tuple[int, ...] | None = None
    of: Type | None = None
    seen: int | None = None

    def fits(self, outcome: Any) -> bool:
        """Whether this is a possible outcome; for a pile, any order of its pieces."""
        if self.pile is None:
            return any(value == outcome for value, _ in self.outcomes())
        is_order = isinstance(outcome, tuple) and all(isinstance(c, int) for c in outcome)
        return is_order and sorted(outcome) == sorted(self.pile)


def is_secret(pending: Decision | ChanceNode, player: int) -> bool:
    """Whether a player never learns this decision, because it goes to a variable that the player does not see."""
    if isinstance(pending, Decision) and pending.player == player:
        return False
    return pending.seen is not None and not pending.seen >> player & 1

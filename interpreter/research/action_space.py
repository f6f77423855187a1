"""The questions of a table -> a finite list of actions with fixed numbers, as a policy or a network needs them.

Each question of the rules has its own actions, in the order of the rules: one for each value that a player may choose,
and a last one if the player can decline. Pieces are identified by what they look like: among copies that look alike,
the first action means the copy that is offered first. Where a question has too many sets, a player chooses the pieces
of a set one by one in ascending order, and ends with `that is all` if the set could still grow; as soon as only one set
is possible, it is chosen.

The list depends only on the file, its options and the number of players.
"""

from collections.abc import Callable, Iterator, Sequence
from math import comb
from typing import Any, NamedTuple

from attrs import field, frozen

from interpreter.actions import Action
from interpreter.errors import IllegalMove
from interpreter.labels import label
from interpreter.layout import Layout, index_values
from interpreter.machine import Machine
from rulespec.core import tree
from rulespec.core.types import Bool, Choice, Family, Number, Piece, Seat, Several, Type, present

MOST_SETS = 128  # up to so many sets, each set has its own action
MOST_NUMBERS = 256  # how many values of an unbounded number have actions, from the least
MOST_LISTED = 20_000  # up to so many sets are listed to find those that are still possible

Asked = tree.Choose | tree.Each


class OutsideSpace(IllegalMove):
    """An option that has no action: a number that is too large, or too many sets."""


@frozen(eq=False)
class ActionGroup:
    """The actions of one question: `size` numbers, starting at `base`."""

    asked: Asked
    base: int
    size: int
    kind: str  # `values`, `pieces` or `grown`
    values: tuple[
        Any, ...
    ]  # values that have an action; for kind `grown`, the elements of the sets
    layout: Layout = field(repr=False)
    places: dict[Any, int] = field(repr=False)  # value or piece -> its position in the group
    others: tuple[Action, ...] = ()  # actions for values of another type, after `values`

    @property
    def is_grown(self) -> bool:
        """Whether the elements of a set are chosen one by one."""
        return self.kind == "grown"

    @property
    def all_said(self) -> int:
        """The action that finishes a set."""
        return self.base + len(self.values)

    @property
    def declined(self) -> int:
        """The action that declines."""
        return self.base + self.size - 1

    def actions(self, options: Sequence[Any]) -> list[int]:
        """The action of each option."""
        if self.others:
            own = self._actions([each for each in options if not isinstance(each, Action)])
            first = self.base + len(self.values)
            rest = [each for each in options if isinstance(each, Action)]
            return [*own, *(first + self.others.index(each) for each in rest)]
        return self._actions(options)

    def _actions(self, options: Sequence[Any]) -> list[int]:
        if self.kind == "pieces":
            return self._pieces(options)
        base, places = self.base, self.places
        try:
            if isinstance(self.asked.of, Several | Family):
                return [
                    self.declined if each is None else base + places[frozenset(each)]
                    for each in options
                ]
            return [self.declined if each is None else base + places[each] for each in options]
        except KeyError as error:
            raise OutsideSpace(
                f"{error.args[0]} has no action: choose the option by its number"
            ) from None

    def _pieces(self, options: Sequence[Any]) -> list[int]:
        starts, base = self.places, self.base
        found: list[int] = []
        taken: set[int] = set()
        for each in options:
            if each is None:
                found.append(self.declined)
                continue
            action = base + starts[each]
            while action in taken:  # another piece that looks the same has this action already
                action += 1
            taken.add(action)
            found.append(action)
        return found

    def elements(self, options: Sequence[Any]) -> list[tuple[int, ...]]:
        """For each set, its elements as ascending actions; declining is a single action."""
        found = [tuple(sorted(self._set(each))) for each in options]
        if len({*found}) < len(found) and isinstance(_inner(self.asked.of), Piece):
            # Cards that look alike can lie in different places.
            first = min(self.places)
            found = [
                (self.declined,)
                if each is None
                else tuple(sorted(self.base + piece - first for piece in each))
                for each in options
            ]
        return found

    def _set(self, members: Any) -> Iterator[int]:
        if members is None:
            yield self.declined
            return
        taken: set[int] = set()
        for each in members:
            place = self.places[each]
            while place in taken:
                place += 1
            taken.add(place)
            yield self.base + place

    def text(self, action: int) -> str:
        """The text of an action, without its question."""
        place = action - self.base
        if self.asked.may and action == self.declined:
            return self.asked.decline
        if self.is_grown and action == self.all_said:
            return "that is all"
        if place >= len(self.values) and self.others:
            return label(self.layout, self.others[place - len(self.values)], self.asked.of)
        of = self.asked.of if not self.is_grown else _inner(self.asked.of)
        return label(self.layout, self.values[place], of)


@frozen(eq=False)
class Actions:
    """All actions of a table.

    >>> import interpreter
    >>> actions = interpreter.load("kuhn.rules").table(2).actions
    >>> actions.size, [actions.text(n) for n in range(actions.size)]
    (4, ['Do you bet? pass', 'Do you bet? bet a chip', 'Do you call the bet? fold', 'Do you call the bet? call'])
    """

    groups: tuple[ActionGroup, ...]
    size: int
    _of: dict[int, ActionGroup] = field(repr=False)

    def group(self, asked: Any) -> ActionGroup:
        """The actions of a question."""
        return self._of[id(asked)]

    def place(self, asked: Any) -> int:
        """The number of a question."""
        return self.groups.index(self._of[id(asked)])

    def text(self, action: int) -> str:
        """An action in words: the question and the answer."""
        for group in self.groups:
            if group.base <= action < group.base + group.size:
                return f"{prompt_of(group.asked)} {group.text(action)}"
        raise IllegalMove(f"there is no action {action}: they are 0 to {self.size - 1}")


def prompt_of(asked: Asked) -> str:
    """The text of a question, with `…` in place of each value."""
    return "".join(part if isinstance(part, str) else "…" for part in asked.prompt)


def list_actions(engine: Machine) -> Actions:
    """The actions of all questions, in the order of the rules."""
    groups: list[ActionGroup] = []
    base = 0
    for block in engine.blocks:
        for each in block.code:
            if isinstance(each, Asked):
                groups.append(_group(engine.layout, each, base))
                base += groups[-1].size
    return Actions(tuple(groups), base, {id(group.asked): group for group in groups})


def _group(layout: Layout, asked: Asked, base: int) -> ActionGroup:
    of = asked.of
    inner = _inner(of)
    if isinstance(of, Several | Family):
        elements = _values(layout, inner)
        if not isinstance(inner, Piece) and 1 << len(elements) <= MOST_SETS:
            values = tuple(_subsets(elements))
            places: dict[Any, int] = {frozenset(each): n for n, each in enumerate(values)}
            return ActionGroup(
                asked, base, len(values) + asked.may, "values", values, layout, places
            )
        size = len(elements) + 1 + asked.may
        return ActionGroup(
            asked, base, size, "grown", elements, layout, _starts(layout, inner, elements)
        )
    values = _values(layout, inner)
    kind = "pieces" if isinstance(inner, Piece) else "values"
    starts = _starts(layout, inner, values)
    other = asked.other if isinstance(asked, tree.Choose) else None
    others = () if other is None else tuple(Action(v, other.of) for v in _values(layout, other.of))
    size = len(values) + asked.may + len(others)
    return ActionGroup(asked, base, size, kind, values, layout, starts, others)


def _inner(of: Type) -> Type:
    return present(of.of if isinstance(of, Several | Family) else of)


def _starts(layout: Layout, of: Type, values: tuple[Any, ...]) -> dict[Any, int]:
    """The position of each value; pieces that look alike share the position of the first."""
    if not isinstance(of, Piece):
        return {value: n for n, value in enumerate(values)}
    first: dict[int, int] = {}
    return {piece: first.setdefault(layout.faces[piece], n) for n, piece in enumerate(values)}


def _values(layout: Layout, of: Type) -> tuple[Any, ...]:
    """All values of a type that a player may choose."""
    match of:
        case Piece(kinds):
            return tuple(n for n, each in enumerate(layout.pieces) if each.kind in kinds)
        case Number(low, high):
            low = max(low, 0) if high - low >= MOST_NUMBERS else low
            return tuple(range(low, min(high, low + MOST_NUMBERS - 1) + 1))
        case Seat() | Choice() | Bool():
            return index_values(layout, of)
    raise OutsideSpace(f"a question of this type has no actions: {type(of).__name__}")


def _subsets(elements: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    for mask in range(1 << len(elements)):
        yield tuple(each for n, each in enumerate(elements) if mask >> n & 1)


# ---- Sets, element by element ----------------------------------------------------------------------


@frozen
class Growing:
    """A set under construction: the sets that it can become, as ascending actions, and the elements chosen so far."""

    group: ActionGroup
    sets: tuple[tuple[int, ...], ...]
    numbers: tuple[int, ...]  # the option number of each set
    chosen: tuple[int, ...] = ()

    def set_at(self, number: int) -> tuple[int, ...]:
        """The actions that build the set of an option, from an empty set."""
        return self.sets[number]

    def legal(self) -> list[int]:
        """The actions that lead to one of the sets."""
        at = len(self.chosen)
        found = {each[at] for each in self.sets if len(each) > at}
        if any(len(each) == at for each in self.sets):
            found.add(self.group.all_said)
        return sorted(found)

    def choose(self, action: int) -> "Growing | int":
        """The result of an action: a smaller choice, or the number of the chosen option."""
        at = len(self.chosen)
        ends = action == self.group.all_said
        kept = [
            n
            for n, each in enumerate(self.sets)
            if (len(each) == at if ends else len(each) > at and each[at] == action)
        ]
        if not kept:
            raise illegal(action, self.legal())
        if len(kept) == 1:
            return self.numbers[kept[0]]
        return Growing(
            self.group,
            tuple(self.sets[n] for n in kept),
            tuple(self.numbers[n] for n in kept),
            (*self.chosen, action),
        )


class Sized(NamedTuple):
    """A set under construction, among all sets within a range of sizes: these are counted, never listed."""

    group: ActionGroup
    elements: list[int]  # as actions, in the order of the rules
    ordered: list[int]  # the same, ascending
    low: int
    high: int
    options: int  # the number of options
    chosen: tuple[int, ...] = ()

    @classmethod
    def of(cls, group: ActionGroup, places: list[int], low: int, high: int, count: int) -> "Sized":
        """A choice with no elements so far; `places` gives the elements by their positions in the group."""
        elements = [group.base + each for each in places]
        return cls(group, elements, sorted(elements), max(0, low), min(high, len(elements)), count)

    def legal(self) -> list[int]:
        """The actions that lead to one of the sets."""
        at, found = len(self.chosen), list[int]()
        if at < self.high:
            begin = self.ordered.index(self.chosen[-1]) + 1 if at else 0
            found = self.ordered[begin : len(self.ordered) - max(0, self.low - at - 1)]
        if at >= self.low:
            found.append(self.group.all_said)
        if not at and self.group.asked.may:
            found.append(self.group.declined)
        return found

    def choose(self, action: int) -> "Sized | int":
        """The result of an action: a smaller choice, or the number of the chosen option."""
        legal = self.legal()
        if action not in legal:
            raise illegal(action, legal)
        if action == self.group.all_said:
            return self._number(self.chosen)
        if self.group.asked.may and action == self.group.declined:
            return self.options - 1
        chosen = (*self.chosen, action)
        at, rest = len(chosen), self.ordered[self.ordered.index(action) + 1 :]
        if at < self.low and at + len(rest) == self.low:  # every remaining element is needed
            return self._number((*chosen, *rest))
        if at == self.high or not rest:
            return self._number(chosen)
        return self._replace(chosen=chosen)

    def _number(self, chosen: tuple[int, ...]) -> int:
        """The option number of a set: smaller sets come first, then those with earlier elements."""
        count, size = len(self.elements), len(chosen)
        places = sorted(self.elements.index(each) for each in chosen)
        following = sum(comb(count - 1 - place, size - n) for n, place in enumerate(places))
        smaller = sum(comb(count, each) for each in range(self.low, size))
        return smaller + comb(count, size) - 1 - following

    def set_at(self, number: int) -> tuple[int, ...]:
        """The actions that build the set of an option, from an empty set."""
        count, size = len(self.elements), self.low
        if self.group.asked.may and number == self.options - 1:
            return (self.group.declined,)
        while number >= comb(count, size):
            number -= comb(count, size)
            size += 1
        found: list[int] = []
        for place, each in enumerate(self.elements):
            first = comb(count - place - 1, size - len(found) - 1) if len(found) < size else 0
            if number < first:
                found.append(each)
            else:
                number -= first
        return tuple(sorted(found))


def grow(group: ActionGroup, count: int, listed: Callable[[], Sequence[Any]]) -> Growing:
    """Begin to choose a set, element by element."""
    if count > MOST_LISTED:
        raise OutsideSpace(
            f"there are {count:,} sets here, too many for actions: choose one by its option number"
        )
    return Growing(group, tuple(group.elements(listed())), tuple(range(count)))


def illegal(action: Any, legal: Sequence[int]) -> IllegalMove:
    """The error for an action that is not legal now."""
    some = ", ".join(map(str, legal[:12])) + (", …" if len(legal) > 12 else "")
    return IllegalMove(f"action {action!r} is not legal here: the legal ones are {some}")

"""Records of a game go in; the observations that the reference would keep come out.

A shadow of the state, its zones and variables, follows the records, so that `event_log` can inspect each moment.
"""

from collections.abc import Callable, Iterator
from typing import Any

from attrs import define

from interpreter.actions import Action
from interpreter.event_log import Watch, seers
from interpreter.layout import insert_position, is_hidden, place_in
from interpreter.machine import Machine, blank_state
from interpreter.state import State
from interpreter.wasm.codec import Codec
from interpreter.wasm.memory import NONE
from interpreter.wasm.recording import RecordKind


@define
class Shadow:
    """A game as `event_log` needs it: the places of pieces, variables, the phase; and the observations."""

    codec: Codec
    facts: tuple[RecordKind, ...]
    state: State
    # A decision for a hidden variable; its assignment shows who learns of it.
    waiting: Callable[[int], None] | None = None

    @property
    def watch(self) -> Watch:
        found: Watch = self.state.watch
        return found

    def clone(self) -> "Shadow":
        if self.waiting is not None:
            raise AssertionError("a decision without the variable that it is for")
        return Shadow(self.codec, self.facts, self.state.clone())

    def fold(self, words: list[int]) -> None:
        """Apply records, one after the other."""
        rest = iter(words)
        for number in rest:
            fact = self.facts[number]
            values = [self._value(rest, form, type_) for form, type_ in fact.forms]
            getattr(self, f"_{fact.kind}")(self._statement(fact), *values)

    def _statement(self, fact: RecordKind) -> Any:
        """The source of a record: a statement, or a whole block."""
        if fact.statement < 0:
            return self.codec.blocks[fact.block]
        return self.codec.statement(fact.block, fact.statement)

    def _value(self, rest: Iterator[int], form: str, type_: Any) -> Any:
        word = next(rest)
        match form:
            case "number":
                return self.codec.one(word, type_)
            case "small":
                found = [n for n in range(63) if word >> n & 1]
                return None if word == NONE else self.codec.members(found, type_)
            case "sets":
                return tuple(tuple(next(rest) for _ in range(next(rest))) for _ in range(word))
        return None if word < 0 else self.codec.members([next(rest) for _ in range(word)], type_)

    # ---- Facts -----------------------------------------------------------------------------------

    def _phase(self, _here: Any, phase: int) -> None:
        self.state.phase = phase

    def _move(self, here: Any, c: int, zone: int, position: int | None = None) -> None:
        s, visibility = self.state, self.watch.visibility
        source = s.where[c]
        before = s.zones[source]
        place, saw = before.index(c), seers(visibility, s, c)
        s.zones[source] = before[:place] + before[place + 1 :]
        target = s.zones[zone]
        if visibility.layout.is_pool[zone]:
            s.zones[zone] = tuple(sorted((*target, c)))
        else:
            at = "bottom" if here.under else "top"
            above = insert_position(at if position is None else position - 1, target)
            s.zones[zone] = (*target[:above], c, *target[above:])
        s.where[c] = zone
        self.watch.moved(s, c, (source, place, saw, before), zone, here.origin)

    def _shuffle(self, here: Any, zone: int, order: tuple[int, ...]) -> None:
        self.state.zones[zone] = order
        self.watch.shuffled(self.state, zone, here.origin)

    def _show(self, here: Any, pieces: tuple[int, ...], players: tuple[int, ...]) -> None:
        if pieces:
            self.watch.showed(self.state, pieces, players, here.origin)

    def _announce(self, here: Any, value: Any, players: tuple[int, ...]) -> None:
        self.watch.announced(here.name, value, here.of, players, here.origin)

    def _tell(self, here: Any, players: tuple[int, ...], *holes: Any) -> None:
        rest = iter(holes)
        parts = [part if isinstance(part, str) else (next(rest), part.type) for part in here.parts]
        self.watch.told(self.state, parts, players, here.origin, heading=here.heading)

    def _random(self, here: Any, value: Any) -> None:
        def drew(seen: int | None) -> None:
            self.watch.drew(value, here.of, here.origin, seen)

        self._told(here, drew)

    def _chose(self, here: Any, player: int, value: Any, asked: int) -> None:
        def chose(seen: int | None) -> None:
            self.watch.chose(
                self.state, player, value, here.of, here.origin, asked=bool(asked), seen=seen
            )

        self._told(here, chose)

    def _acted(self, here: Any, player: int, value: Any, asked: int) -> None:
        self._chose(here, player, Action(value, here.other.of), asked)

    def _told(self, here: Any, tell: Callable[[int | None], None]) -> None:
        """Tell a decision now, or when its variable is known."""
        if self._is_hidden(here):
            self.waiting = tell
        else:
            tell(None)

    def _is_hidden(self, here: Any) -> bool:
        variable = here.target.variable
        return variable is not None and is_hidden(self.codec.layout, variable)

    def _sealed(self, here: Any, player: int, value: Any, asked: int) -> None:
        self.watch.chose(self.state, player, value, here.of, here.origin, asked=bool(asked), seen=0)

    def _published(self, here: Any, player: int, value: Any) -> None:
        seen = None
        if self._is_hidden(here):
            family = self.codec.layout.variable_families[here.target.variable]
            seen = [self.watch.visibility.variables[place_in(family, (player,))]]
        self.watch.published(self.state, ((player, value),), here.of, here.origin, seen)

    def _set(self, here: Any, variable: int, value: Any) -> None:
        s = self.state
        if self.waiting is not None:
            self.waiting(self.watch.visibility.variables[variable])
            self.waiting = None
        before, s.variables[variable] = s.variables[variable], value
        type_ = self.codec.layout.variables[variable][0].type
        self.watch.assigned(s, variable, before, value, type_, here.origin)


def new_shadow(machine: Machine, codec: Codec, facts: tuple[RecordKind, ...], first: int) -> Shadow:
    """A game before anything has happened."""
    state = blank_state(machine, first, 0, Watch(machine.visibility))
    return Shadow(codec, facts, state)

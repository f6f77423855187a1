"""A generated engine for a table: to be driven step by step, or to play whole games in one call.

>>> from interpreter.match import load
>>> fast = compile_game(load("sins.rules"), 4)
>>> state = fast.start(seed=7)
>>> fast.count(state)
4
>>> fast.apply(state, 0)
>>> fast.play(seed=7).winners
(1,)

The reference machine is its judge: the same seed and the same choices give the same game.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from interpreter import chance, families
from interpreter.compiled.ceilings import SHARE
from interpreter.compiled.frames import Frames
from interpreter.compiled.judging import play_by_reference
from interpreter.compiled.masks import mask, nth
from interpreter.compiled.modules import Module, build_module, places_by
from interpreter.compiled.places import places_of
from interpreter.compiled.programs import Source, write_program
from interpreter.compiled.shuffling import below
from interpreter.compiled.support import Beyond, Ended, give_up
from interpreter.compiled.table import Table
from interpreter.compiled.watching import Watching
from interpreter.errors import Crash, IllegalMove, RuleFault
from interpreter.knowledge import Watch
from interpreter.machine import Machine, Result, blank_state, start
from interpreter.machine import apply as apply_reference
from interpreter.machine import run as run_reference
from interpreter.match import Game
from interpreter.options import Decision
from interpreter.state import AT, OVER
from interpreter.state import State as Reference
from rulespec import codes
from rulespec.core import tree
from rulespec.limits import MOST_CHOICES

State = list[Any]
BEFORE = -1  # the phase before setup


class Compiled:
    """A program at a table, as generated Python."""

    def __init__(
        self,
        machine: Machine,
        *,
        watched: bool = False,
        write: Callable[..., Source] = write_program,
    ) -> None:
        self.machine = machine
        self._write = write
        self.layout = machine.layout
        self.players = machine.layout.players
        self.watched = watched
        self.table = _table(machine)
        at = self.table.places.fields
        self._phase, self._first, self._rng, self._running = (
            at[name] for name in ("PHASE", "FIRST", "RNG", "RUNNING")
        )
        self._stack, self._options, self._count, self._player = (
            at[name] for name in ("STACK", "OPTIONS", "COUNT", "PLAYER")
        )
        self._left, self._dice, self._watch = (at[name] for name in ("LEFT", "DICE", "WATCH"))
        self.source = write(machine, asks=True, watched=watched)
        module = build_module(self.source, self.table)
        module["go_on"], module["recover"] = self._go_on, self._recover
        module["no_option"] = self._no_option
        self._parts = module["PARTS"]
        self._frames = Frames(machine.blocks, module["CHAINS"], module["BLANKS"])
        # How many options there are; none when the game is over.
        self.count: Callable[[State], int] = itemgetter(self._count)
        self._apply: Callable[[State, int], None] = module["apply"]
        # Choose an option by its number and run on to the next decision.
        self.apply: Callable[[State, int], None] = (
            self._apply_watched if watched else self._applying(module["apply"])
        )
        self._parts_allowed: int = module["TURNS"]
        self._next_phase, self._ranking = module["next_phase"], module["ranking"]
        self._whole: Module | None = None
        self._blanks: dict[int, State] = {}

    # ---- Step by step ----------------------------------------------------------------------------

    def start(
        self, seed: int, first: int | None = None, names: tuple[str, ...] | None = None
    ) -> State:
        """A new game, run up to its first decision."""
        rng, beginner = seed & chance.MASK, first
        if beginner is None:
            rng, beginner = below(rng, self.players)
        s = self.blank(beginner, rng)
        if self.watched:
            s[self._watch] = Watch(self.machine.eyes, names)
        try:
            self._go_on(s)
        except Beyond:
            return self._judged(start(self.machine, seed, first, watched=self.watched, names=names))
        return s

    def _applying(self, run: Callable[[State, int], None]) -> Callable[[State, int], None]:
        """Choose an option by its number and run on to the next decision; what is `Beyond`, the reference judges."""
        stack = self._stack

        def apply(s: State, number: int) -> None:
            before, frames = s[:], s[stack]
            before[stack] = [frames[0][:]] if len(frames) == 1 else [f[:] for f in frames]
            try:
                run(s, number)
            except Beyond:
                self._judge(s, number, before)

        return apply

    def _apply_watched(self, s: State, number: int) -> None:
        """As `apply`, and who watches learns of the choice."""
        before = self.clone(s)
        self._note_choice(s, number)
        try:
            self._apply(s, number)
        except Beyond:
            self._judge(s, number, before)

    def _judge(self, s: State, number: int, before: State) -> None:
        """Choose again as it was before, by the reference."""
        judge = self.to_reference(before)
        judge.watch = before[self._watch]
        run_reference(self.machine, judge)
        apply_reference(self.machine, judge, number)
        s[:] = self._judged(judge)

    def _judged(self, given: Reference) -> State:
        """What the reference has come to, which allows it, as a state of this engine."""
        s = self.from_reference(given)
        s[self._watch] = given.watch
        return s

    def blank(self, first: int, rng: int) -> State:
        """A game before its setup."""
        if first not in self._blanks:
            self._blanks[first] = self.from_reference(blank_state(self.machine, first, 0))
        s = self._blanks[first][:]
        s[self._phase], s[self._rng], s[self._stack] = BEFORE, rng, []
        return s

    def player(self, s: State) -> int:
        """Who is asked."""
        found: int = s[self._player]
        return found

    def option(self, s: State, number: int) -> Any:
        """The value of an option, as the reference has it."""
        options = s[self._options]
        return nth(options, number) if type(options) is int else options[number]

    def options(self, s: State) -> list[Any]:
        """The values of all options."""
        return [self.option(s, number) for number in range(s[self._count])]

    def _go_on(self, s: State) -> None:
        """Run on from one phase to the next, until somebody is asked or the game is over."""
        stack = s[self._stack]
        left = self._parts_allowed
        try:
            while not stack:
                if s[self._phase] == OVER:
                    s[self._count] = 0
                    return
                part = self._next_phase(s)
                while part is not None and stack:
                    part = part(s, stack[-1])
                    left -= 1
                    if left < 0:
                        give_up()
        except Exception as error:  # noqa: BLE001 - told apart there
            self._recover(s, error)

    def _recover(self, s: State, error: Exception) -> None:
        """Go on after `end`; everything else that can happen is a fault."""
        if isinstance(error, Ended):
            s[self._stack].clear()
            s[self._running] = 0
            self._go_on(s)
        elif isinstance(error, RuleFault | Crash | IllegalMove | Beyond):
            raise error
        elif isinstance(error, families.TooMany):
            message = "there are too many options to be listed"
            raise RuleFault(codes.TOO_MANY_STEPS, message, self._here(s).origin.span) from error
        else:
            raise Crash(f"{type(error).__name__}: {error}, in generated code") from error

    def _no_option(self, s: State, number: Any) -> None:
        """Refuse a number that is none of an option."""
        if not s[self._count]:
            raise IllegalMove("the game is over")
        if not 0 <= number < s[self._count]:
            raise IllegalMove(f"there is no option {number}: they are 0 to {s[self._count] - 1}")

    def _here(self, s: State) -> Any:
        """The instruction at which the innermost frame is."""
        return self._frames.instruction(s[self._stack][-1])

    def clone(self, s: State) -> State:
        """An independent copy."""
        new = s[:]
        new[self._stack] = [f[:] for f in s[self._stack]]
        if self.watched:
            new[self._watch] = s[self._watch].clone()
        return new

    def result(self, s: State) -> Result:
        """Places, winners and scores, as the game stands."""
        keys = self._ranking(s)
        return Result(places_by(keys) or (1,) * self.players, keys, self.layout.code.ranking)

    def watch(self, s: State) -> Watch:
        """What was observed so far, if the game is watched."""
        found: Watch = s[self._watch]
        return found

    def future(self, s: State, seed: int) -> State:
        """A copy in which chance follows from another seed."""
        new = self.clone(s)
        new[self._rng] = seed & chance.MASK
        return new

    def asked(self, s: State) -> tree.Choose | tree.Each:
        """The instruction that asks."""
        found: tree.Choose | tree.Each = self._here(s)
        return found

    # ---- Whole games -----------------------------------------------------------------------------

    def playout(self, s: State, luck: int, most: int) -> None:
        """Let everybody try their luck until the game is over, or so many choices later."""
        count, apply, try_luck = self._count, self.apply, chance.try_luck
        while most and s[count]:
            luck, number = try_luck(luck, s[count])
            apply(s, number)
            most -= 1

    def play(self, seed: int, first: int | None = None) -> Result:
        """A whole game in one call, in which everybody chooses at random."""
        return self.result(self.finished(seed, first))

    def finished(self, seed: int, first: int | None = None) -> State:
        """The end of a whole random game; `count` is how many decisions were made."""
        try:
            s = self._finished(seed, first)
        except Beyond:
            s = None
        if s is None or s[self._count] > MOST_CHOICES:
            judge, count = play_by_reference(self.machine, seed, first)
            s = self._judged(judge)
            s[self._count] = count
        return s

    def _finished(self, seed: int, first: int | None) -> State:
        if self._whole is None:
            self._whole = build_module(self._write(self.machine, asks=False), _table(self.machine))
        rng = seed & chance.MASK
        if first is None:
            rng, first = chance.below(rng, self.players)
        s = self.blank(first, rng)
        s[self._count] = 0
        s[self._dice] = chance.shares(seed)
        next_phase = self._whole["next_phase"]
        while s[self._phase] != OVER:
            try:
                next_phase(s)
            except Ended:
                s[self._running] = 0
        return s

    # ---- To and from the reference ---------------------------------------------------------------

    def to_reference(self, s: State) -> Reference:
        """The same state as the reference has it, without what was observed."""
        zones, variables = len(self.layout.zones), len(self.layout.variables)
        found = Reference()
        found.phase, found.first, found.rng = s[self._phase], s[self._first], s[self._rng]
        found.zones = [self.table.pieces_in(s, z) for z in range(zones)]
        found.where = [0] * len(self.layout.pieces)
        for z, pieces in enumerate(found.zones):
            for c in pieces:
                found.where[c] = z
        found.variables = s[zones : zones + variables]
        found.stack = self._frames.split(s[self._stack])
        found.pending = found.watch = None
        return found

    def from_reference(self, given: Reference) -> State:
        """A state of the reference, without what was observed, run on to its decision."""
        pile, is_pool = self.table.pile, self.layout.is_pool
        s: State = [
            mask(pieces) if is_pool[z] else pile(pieces) for z, pieces in enumerate(given.zones)
        ]
        s += given.variables
        s += [None] * (self.table.places.size - len(s))
        s[self._phase], s[self._first], s[self._rng] = given.phase, given.first, given.rng
        s[self._stack] = self._frames.merge(given.stack)
        s[self._running] = s[self._count] = 0
        s[self._left] = SHARE
        if given.stack:
            f = s[self._stack][-1]
            self._parts[f[AT]](s, f)
        return s

    def decision(self, s: State) -> Decision | None:
        """What is asked, with all that a screen shows of it: as the reference asks it."""
        found = self.to_reference(s)
        if found.stack:
            run_reference(self.machine, found)
        pending: Decision | None = found.pending
        return pending

    def _note_choice(self, s: State, number: int) -> None:
        """Who watches learns of a choice."""
        if 0 <= number < s[self._count]:
            here = self._here(s)
            alone = isinstance(here, tree.Each)
            v = self.option(s, number)
            self.table.watching.chose(
                s, s[self._player], v, here.of, here.origin, asked=True, alone=alone
            )


def _table(machine: Machine) -> Table:
    places = places_of(machine.layout)
    table = Table(machine.layout, places, Watching(machine.layout, places, machine.eyes))
    table.zone_triggers = list(machine.making.zone_triggers)
    return table


def compile_game(game: Game, players: int, *, watched: bool = False) -> Compiled:
    """The generated engine of a game for so many players."""
    return Compiled(game.machine(players), watched=watched)

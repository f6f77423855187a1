"""The reference machine: flat code and a number of players -> a machine, and the one loop that runs its games.

Implements docs/language/13-semantics.md, "The machine". A game is a state; the machine changes it from one
decision to the next. It updates the state in place, as most states are never needed again; a caller that wants to
keep a state clones it first, which is cheap.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from attrs import frozen

from interpreter import chance, families, flat
from interpreter.errors import Crash, IllegalMove, LimitReached, RuleFault, WrongOption
from interpreter.event_log import Visibility, Watch
from interpreter.expressions import ExpressionContext, whole
from interpreter.flat import Code
from interpreter.invariants import Held, Invariant, find_reads
from interpreter.layout import Layout, Piece, add_options, add_pieces, begin_layout
from interpreter.operations import BUILDERS
from interpreter.options import ChanceNode, Decision
from interpreter.state import AT, BLOCK, FINISH, OVER, PLAY, SETUP, SLOTS, UNDRAWN, State
from interpreter.step_building import build_answers, build_context, evaluate_early
from interpreter.step_context import Step, StepContext, fire
from interpreter.steps import finish_play, make_step, start_rule
from interpreter.work import Exhausted, bounded, spend, step_weight, too_much
from rulespec import codes
from rulespec.core import tree
from rulespec.limits import MOST_STEPS, MOST_WORK


@frozen(eq=False, repr=False)
class Machine:
    """A program for a number of players, with options. It is immutable: a copy is the machine itself."""

    layout: Layout
    context: StepContext
    steps: list[list[Step]]
    costs: list[list[int]]  # the cost of every instruction, in operations
    blocks: list[flat.Block]
    visibility: Visibility
    answers: list[list[Any]]
    invariants: tuple[Invariant, ...]
    ranking: tuple[tuple[Any, Any, tree.RankRow], ...]

    def __repr__(self) -> str:
        return f"<Machine {self.layout.code.title}, {self.layout.players} players>"

    def __copy__(self) -> "Machine":
        return self

    def __deepcopy__(self, _memo: Mapping[int, Any]) -> "Machine":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return build_machine, (self.layout.code, self.layout.players, self.layout.options)


def allows(code: Code, players: int, options: Mapping[str, Any] | None = None) -> bool:
    """Whether this number of players can play with these options."""
    layout = begin_layout(code, players)
    try:
        add_options(layout, options or {}, evaluate_early(ExpressionContext(layout, BUILDERS)))
    except WrongOption:
        return False
    return True


def build_machine(
    code: Code,
    players: int,
    options: Mapping[str, Any] | None = None,
    reached: set[Any] | None = None,
    keep: Callable[[Piece], bool] | None = None,
) -> Machine:
    """The machine for a number of players; `reached`, if given, collects the parts that run.

    With `keep` there are only the pieces for which it is true: a smaller deck that can be explored completely.
    """
    if not code.least_players <= players <= code.most_players:
        message = f"{code.title} is for {code.least_players} to {code.most_players} players"
        raise ValueError(message)
    layout = begin_layout(code, players)
    expressions = ExpressionContext(layout, BUILDERS, reached=reached)
    evaluate = evaluate_early(expressions)
    add_options(layout, options or {}, evaluate)
    # Functions may have been built before there were any pieces.
    expressions.functions.clear()
    _bare_attributes(layout)
    add_pieces(layout, evaluate, keep)
    expressions.functions.clear()
    blocks = [*code.blocks.values()]
    context = build_context(expressions, blocks)
    steps = [[make_step(context, block, n) for n in range(len(block.code))] for block in blocks]
    if reached is not None:
        steps = [
            [_counted(step, reached, block.name, n) for n, step in enumerate(each)]
            for block, each in zip(blocks, steps, strict=True)
        ]
    machine = Machine(
        layout=layout,
        context=context,
        steps=steps,
        costs=[[step_weight(each) for each in block.code] for block in blocks],
        blocks=blocks,
        visibility=context.visibility,
        answers=build_answers(context, blocks),
        invariants=tuple(
            Invariant(
                row.name,
                whole(expressions, row.condition, SLOTS, row.scratch),
                find_reads(layout, row.condition),
                row.origin,
            )
            for row in code.always
        ),
        ranking=tuple(
            (
                whole(expressions, row.order, SLOTS, row.scratch),
                whole(expressions, row.key, SLOTS + 1, row.scratch),
                row,
            )
            for row in code.ranking
        ),
    )
    expressions.winners = lambda s: winners(machine, s)
    return machine


def _bare_attributes(layout: Layout) -> None:
    """Clear the attributes: tables may compute them, so no piece has any until all pieces exist."""
    layout.attributes = {row.name: () for row in layout.code.attributes}


def _counted(step: Step, reached: set[Any], block: str, number: int) -> Step:
    def counted(s: State, f: list[Any]) -> Any:
        reached.add((block, number))
        return step(s, f)

    return counted


# ---- Games ---------------------------------------------------------------------------------------


def blank_state(machine: Machine, first: int, rng: int | None, watch: Watch | None = None) -> State:
    """All pieces in the box, all variables at their start."""
    layout = machine.layout
    s = State()
    s.phase = SETUP
    s.first = first
    s.zones = [() for _ in layout.zones]
    s.zones[0] = tuple(range(len(layout.pieces)))
    s.where = [0] * len(layout.pieces)
    s.stack = []
    s.rng = rng
    s.pending = None
    s.watch = watch
    s.variables = [None] * len(layout.variables)
    expressions = machine.context.expressions
    values = []
    for row, _ in layout.variables:
        with bounded(s, row.origin.span):
            values.append(whole(expressions, row.start, SLOTS, row.scratch)(s, [0, 0]))
    s.variables = values
    return s


# [machine.start]
def start(
    machine: Machine,
    seed: int | None,
    first: int | None = None,
    *,
    watched: bool = False,
    names: tuple[str, ...] | None = None,
) -> State:
    """A new game, run up to its first decision. Without a seed, the caller decides chance.

    The state records what players observe if `watched` is true or the players have names.
    """
    watch = Watch(machine.visibility, names) if watched or names is not None else None
    rng = None if seed is None else seed & chance.MASK
    if first is None:
        if rng is None:
            s = blank_state(machine, 0, None, watch)
            s.first, s.pending = UNDRAWN, first_node(machine)
            return s
        rng, first = chance.below(rng, machine.layout.players)
    s = blank_state(machine, first, rng, watch)
    _begin(machine, s)
    return s


def first_node(machine: Machine) -> ChanceNode:
    """Chance decides who is first."""
    n = machine.layout.players
    return ChanceNode("first", n, n, lambda: ((seat, 1) for seat in range(n)), None)


def _begin(machine: Machine, s: State) -> None:
    if "setup" in machine.context.blocks:
        start_rule(machine.context, s, "setup")
    run(machine, s)


def run(machine: Machine, s: State, *answer: Any) -> None:
    """Take an answer, then step after step until somebody has to decide or the game is over."""
    s.pending = None
    s.left = MOST_WORK
    try:
        if answer:
            f = s.stack[-1]
            machine.answers[f[BLOCK]][f[AT]](s, f, *answer)
        _run(machine, s)
    except RuleFault as fault:
        if not fault.rules:
            fault.rules = running(machine, s)
        raise
    except families.TooMany as error:
        raise _too_large(machine, s) from error
    except Exhausted:
        raise _too_much(machine, s) from None
    except Exception as error:
        # Any other failure of a checked program is a bug of ours.
        rules = " ← ".join(running(machine, s))
        raise Crash(f"{type(error).__name__}: {error}, in {rules}") from error


# [machine.run]
def _run(machine: Machine, s: State) -> None:
    steps, costs, stack = machine.steps, machine.costs, s.stack
    left = MOST_STEPS
    while True:
        while stack:
            f = stack[-1]
            spend(s, costs[f[BLOCK]][f[AT]])
            waits = steps[f[BLOCK]][f[AT]](s, f)
            if waits is not None:
                s.pending = waits
                return
            left -= 1
            if not left:
                raise _too_long(machine, s)
        if _next_phase(machine, s):
            return


def running(machine: Machine, s: State) -> tuple[str, ...]:
    """The rules that are running, the innermost first."""
    return tuple(machine.blocks[frame[BLOCK]].title for frame in reversed(s.stack))


def current_instruction(machine: Machine, s: State) -> Any:
    """The instruction at which a state stands: that of the innermost rule."""
    frame = s.stack[-1]
    return machine.blocks[frame[BLOCK]].code[frame[AT]]


def advance(machine: Machine, s: State) -> bool:
    """Take a single step, so that a state can be kept between any two; returns whether there may be another."""
    s.pending = None
    s.left = MOST_WORK
    if not s.stack:
        return not _next_phase(machine, s)
    f = s.stack[-1]
    s.pending = machine.steps[f[BLOCK]][f[AT]](s, f)
    return s.pending is None


def _too_large(machine: Machine, s: State) -> RuleFault:
    span = current_instruction(machine, s).origin.span
    fault = RuleFault(codes.TOO_MANY_STEPS, "there are too many options to be listed", span)
    fault.rules = running(machine, s)
    return fault


# [fault.steps]
def _too_long(machine: Machine, s: State) -> LimitReached:
    span = current_instruction(machine, s).origin.span
    message = f"{MOST_STEPS:,} steps have been taken without asking anybody"
    return LimitReached(codes.TOO_MANY_STEPS, message, span)


def _too_much(machine: Machine, s: State) -> LimitReached:
    fault = too_much(current_instruction(machine, s).origin.span)
    fault.rules = running(machine, s)
    return fault


# [machine.phases]
def _next_phase(machine: Machine, s: State) -> bool:
    """Go on to the next phase; return whether the game is over."""
    context = machine.context
    if s.phase == SETUP:
        s.phase = PLAY
        start_rule(context, s, "play")
        every = tuple(range(len(context.tests)))
        fire(context, s, every, (False,) * len(every))
        return False
    if s.phase == PLAY:
        finish_play(context, s)
        return s.phase == OVER
    if s.phase == FINISH:
        s.phase = OVER
    return True


def legal(s: State, number: Any) -> Decision:
    """The pending decision; an `IllegalMove` if the number is none of its options."""
    pending = s.pending
    if not isinstance(pending, Decision):
        raise IllegalMove("the game is over" if s.phase == OVER else "chance decides here")
    if type(number) is not int or not 0 <= number < len(pending.options):
        raise IllegalMove(f"there is no option {number}: they are 0 to {len(pending.options) - 1}")
    return pending


# [machine.apply]
def apply(machine: Machine, s: State, number: Any) -> None:
    """Choose an option by its number and run on to the next decision."""
    pending = legal(s, number)
    run(machine, s, pending.player, pending.options[number])


# [machine.chance]
def decide_chance(machine: Machine, s: State, outcome: Any) -> None:
    """Decide for chance, with one of the outcomes, and run on."""
    pending = s.pending
    if not isinstance(pending, ChanceNode):
        raise IllegalMove("chance has nothing to decide")
    if not pending.fits(outcome):
        raise IllegalMove(f"{outcome!r} is not one of the outcomes")
    if pending.kind == "first":
        s.first = outcome
        s.variables = blank_state(machine, outcome, None).variables
        _begin(machine, s)
        return
    run(machine, s, outcome)


# ---- Results -------------------------------------------------------------------------------------


class Score(NamedTuple):
    """The score of a player in one row of the ranking, and where it comes from."""

    value: int | None
    most_wins: bool
    title: str
    origin: tree.Origin


# For every row of a ranking: whether the highest key wins, and the keys of all players.
Keys: TypeAlias = tuple[tuple[bool, tuple[int | None, ...]], ...]


Ended: TypeAlias = Literal["won", "drawn", "lost"]


class Result:
    """The places (1, 1, 3), who has won, and the scores that decide it."""

    __slots__ = ("_ranking", "keys", "places")

    def __init__(
        self, places: tuple[int, ...], keys: Keys, ranking: tuple[tree.RankRow, ...]
    ) -> None:
        self.places, self.keys, self._ranking = places, keys, ranking

    @property
    def winners(self) -> tuple[int, ...]:
        """The players in first place, except those who drew or lost against the game itself."""
        found = [p for p, place in enumerate(self.places) if place == 1]
        won, drawn = self._row("won"), self._row("drawn")
        if won is not None:
            found = [p for p in found if won[1][p]]
        if drawn is not None:
            found = [p for p in found if not drawn[1][p]]
        return tuple(found)

    def ended(self, player: int) -> Ended:
        """How the game went for a player."""
        if player in self.winners:
            return "won"
        drawn = self._row("drawn")
        return "drawn" if drawn is not None and drawn[1][player] else "lost"

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of every player, as a member of an enum; empty if there are no teams."""
        row = self._row("team")
        return () if row is None else tuple([int(each or 0) for each in row[1]])

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The groups of players who win or lose together: teams, or single players."""
        teams = self.teams or tuple(range(len(self.places)))
        return tuple(
            tuple(p for p, each in enumerate(teams) if each == team)
            for team in dict.fromkeys(teams)
        )

    @property
    def points(self) -> tuple[bool, tuple[int | None, ...]] | None:
        """The first score that is compared: whether the highest wins, and everybody's score."""
        return self._row("score")

    def _row(self, role: str) -> tuple[bool, tuple[int | None, ...]] | None:
        rows = zip(self.keys, self._ranking, strict=True)
        return next((keys for keys, row in rows if row.role == role), None)

    @property
    def scores(self) -> tuple[tuple[Score, ...], ...]:
        """The scores of every player, row by row. They are computed on demand, because playouts seldom need them."""
        rows = [pair for pair in zip(self.keys, self._ranking, strict=True) if compares(pair[1])]
        return tuple(
            tuple(Score(values[p], most, row.title, row.origin) for (most, values), row in rows)
            for p in range(len(self.places))
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def __repr__(self) -> str:
        return f"Result(places={self.places}, keys={self.keys})"

    def _value(self) -> tuple[object, ...]:
        return self.places, self.keys, tuple(row.title for row in self._ranking)


# [machine.ranking]
def rank(machine: Machine, s: State) -> Result:
    """The ranking of the players as the state is now."""
    seats = range(machine.layout.players)
    keys: Keys = ()
    for order, key, row in machine.ranking:
        with bounded(s, row.origin.span):
            keys += ((order(s, [0, 0]) == 1, tuple([key(s, [0, 0, p]) for p in seats])),)
    return place_players(machine, keys)


def place_players(machine: Machine, keys: Keys) -> Result:
    """The place of each player, according to the keys of the ranking."""
    seats, ranking = range(machine.layout.players), tuple(row for _, _, row in machine.ranking)
    compared = [each for each, row in zip(keys, ranking, strict=True) if compares(row)]
    # `none` is worse than any value.
    places = [
        [
            (1, 0) if (value := values[p]) is None else (0, -value if most else value)
            for most, values in compared
        ]
        for p in seats
    ]
    placed = tuple(1 + sum(places[q] < places[p] for q in seats) for p in seats)
    return Result(placed, keys, ranking)


def compares(row: tree.RankRow) -> bool:
    """Whether a row of a ranking compares players, instead of naming their teams."""
    return row.role != "team"


def winners(machine: Machine, s: State) -> tuple[int, ...]:
    """The players who would win now; an expression that asks pays for the work."""
    seats = range(machine.layout.players)
    keys = tuple(
        (order(s, [0, 0]) == 1, tuple([key(s, [0, 0, p]) for p in seats]))
        for order, key, _ in machine.ranking
    )
    return place_players(machine, keys).winners


# [machine.always]
def broken_invariant(machine: Machine, s: State, held: Held | None = None) -> RuleFault | None:
    """The first invariant that does not hold now, if there is one.

    With `held`, the moment at which all of them last held, only those that read something changed are tested.
    """
    for each in machine.invariants:
        if held is not None and held.is_same(s, each.reads):
            continue
        with bounded(s, each.origin.span):
            is_kept = each.holds(s, [0, 0])
        if not is_kept:
            message = f"`{each.name}` does not hold"
            return RuleFault(codes.INVARIANT_FAILS, message, each.origin.span)
    if held is not None:
        held.note(s)
    return None

"""A table -> the tree of all its histories, in the sense of game theory, with equal subtrees merged.

Building the tree also compares all histories that look the same to a player: the player must see the same screen, get
the same question with the same options, hear the same story, and get the same explanation of a result. This proves that
nothing shown to a player depends on anything that the player has not observed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from interpreter.display_names import MOST_PIECES, Listener
from interpreter.machine import Machine, rank
from interpreter.options import Decision, is_secret
from interpreter.research.course import Course, new_course
from interpreter.research.game_tables import Table
from interpreter.results import Outcome, explain_state
from interpreter.state import State
from interpreter.story import Memo, tell_story, write_story
from interpreter.variations import is_same_screen
from interpreter.verifying.exploring import TooManyStates
from interpreter.views import by_face, information

CHANCE, END = -1, -4
MOST_KEPT = 20_000  # cached lines of stories


@frozen(eq=False)
class GameNode:
    """A node: who decides, what they know, and its successors; at an end, the returns."""

    player: int
    known: int = -1  # the number of an information set
    steps: tuple[int, ...] = ()
    odds: tuple[float, ...] = ()
    returns: tuple[float, ...] = ()


@frozen(eq=False)
class Difference:
    """Two histories with equal observations of a player, to whom the game shows different things."""

    player: int
    first: int
    ways: tuple[tuple[int, ...], tuple[int, ...]]
    what: str


@define(eq=False)
class Tree:
    """All histories with one first player: nodes by number, equal nodes merged, successors before predecessors."""

    first: int
    nodes: list[GameNode] = field(factory=list)
    root: int = -1
    histories: int = 0
    known: dict[str, int] = field(factory=dict)
    difference: Difference | None = None

    @property
    def is_zero_sum(self) -> bool:
        """Whether the returns add up to 0 at every end."""
        return all(abs(sum(each.returns)) < 1e-9 for each in self.nodes if each.player == END)


@define(eq=False)
class _Building:
    table: Table
    engine: Machine
    tree: Tree
    most: int
    numbers: dict[Any, int] = field(factory=dict)
    screens: dict[Any, "_Shown"] = field(factory=dict)
    memos: dict[int, Memo] = field(factory=dict)  # for each player, the lines told so far


@frozen(eq=False)
class _Shown:
    """What a player is shown after a history: screen, question, story and result; and the path to it."""

    state: State
    question: Any
    story: str
    result: Outcome | None
    way: tuple[int, ...]


def grow_tree(table: Table, engine: Machine, first: int, most: int) -> Tree:
    """Build the tree of all histories in which one player begins; give up beyond `most`."""
    building = _Building(table, engine, Tree(first), most)
    course = new_course(engine, None, first, watched=True)
    building.tree.root = _visit(building, course, (), {})
    return building.tree


def _visit(
    building: _Building, course: Course, way: tuple[int, ...], asked: Mapping[int, Decision]
) -> int:
    tree = building.tree
    tree.histories += 1
    if tree.histories > building.most:
        raise TooManyStates(building.most)
    if course.chance is not None:
        steps: dict[int, float] = {}
        for outcome, odds in course.outcomes():
            step = _visit(building, _after(course, outcome), (*way, outcome), asked)
            steps[step] = steps.get(step, 0.0) + odds
        if len(steps) == 1:
            return next(iter(steps))
        return _number(
            building,
            ("chance", *sorted(steps.items())),
            GameNode(CHANCE, steps=tuple(steps), odds=tuple(steps.values())),
        )
    _compare(building, course, way, asked)
    decision = course.decision
    if decision is None:
        returns = tuple(building.table.returns(rank(building.engine, course.state)))
        return _number(building, ("end", returns), GameNode(END, returns=returns))
    player = decision.player
    known = _known(tree, building.engine, course.state, player)
    asked = {**asked, len(course.state.watch.events): decision}
    found = tuple(
        _visit(building, _after(course, number), (*way, number), asked)
        for number in range(len(decision.options))
    )
    return _number(building, (player, known, found), GameNode(player, known, found))


def _after(course: Course, number: int) -> Course:
    new = course.clone()
    new.step(number)
    return new


def _number(building: _Building, key: Any, node: GameNode) -> int:
    """The number of a node, shared with any equal node."""
    if key not in building.numbers:
        building.numbers[key] = len(building.tree.nodes)
        building.tree.nodes.append(node)
    return building.numbers[key]


def _known(tree: Tree, engine: Machine, state: State, player: int) -> int:
    found = information(engine, state, player)
    asked = 0 if found.question is None else found.question.origin.span.start
    return tree.known.setdefault(repr((player, found.log, asked)), len(tree.known))


def _compare(
    building: _Building, course: Course, way: tuple[int, ...], asked: Mapping[int, Decision]
) -> None:
    """Compare this history with one that looks the same to a player."""
    tree, engine, state = building.tree, building.engine, course.state
    if tree.difference is not None:
        return
    # Everybody learns who has won, so only ends with the same result are compared.
    result = rank(engine, state) if course.decision is None else None
    for player in range(engine.layout.players):
        if course.decision is not None and is_secret(course.decision, player):
            continue  # nobody else can see whether this player has already made a secret choice
        log = information(engine, state, player).log
        question = _question(course, player)
        to = Listener(engine.layout, None, player, MOST_PIECES)
        here = _Shown(
            state,
            question,
            _story(building, state, to, asked),
            None if result is None else explain_state(engine, state, to),
            way,
        )
        key = player, log, question is None, result
        before = building.screens.get(key)
        if before is None:
            building.screens[key] = evolve(here, state=state.clone())
            continue
        what = _difference(engine, before, here, player)
        if what is not None:
            tree.difference = Difference(player, tree.first, (before.way, way), what)
            return


def _difference(engine: Machine, one: _Shown, other: _Shown, player: int) -> str | None:
    """How what a player is shown differs between two histories."""
    if one.question != other.question:
        return "is asked something else"
    if not is_same_screen(engine, one.state, other.state, player):
        return "sees something else"
    if one.story != other.story:
        return "is told something else"
    return None if one.result == other.result else "gets another explanation of the result"


def _story(building: _Building, state: State, to: Listener, asked: Mapping[int, Decision]) -> str:
    """What a player is told of a game so far."""
    player = to.player or 0
    memo = building.memos.get(player)
    if memo is None or len(memo.lines) > MOST_KEPT:
        memo = building.memos[player] = Memo()
    return write_story(tell_story(to, state.watch.events, asked, memo=memo), unfolded=True)


def _question(course: Course, player: int) -> Sequence[Any] | None:
    """What a player is asked, with the options as they look to the player."""
    decision = course.decision
    if decision is None or decision.player != player:
        return None
    layout = course.engine.layout
    options = tuple(by_face(layout, each, decision.of) for each in decision.options)
    return decision.prompt, decision.origin.span.start, options

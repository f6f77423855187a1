"""Declarations -> the call graph of a program: the bodies that run, their statements, and who calls whom.

`control_flow` and `depths` are based on it. A procedure includes everything that overlays add to it.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias, assert_never

from attrs import field, frozen

from rulespec.checking.declarations import Declarations, Declared, Routine, body_of, child_fields
from rulespec.checking.deeds import deed_of
from rulespec.source import Span
from rulespec.syntax import nodes


@frozen
class FlowStep:
    """A statement, the conditions under which it runs, and the loops around it.

    `conditions` are all expressions around it; `tests` are the conditions of every `if`, with the answer that leads here.
    """

    node: nodes.Statement
    conditions: tuple[nodes.Expr, ...]
    loops: tuple[nodes.For | nodes.Repeat, ...]
    tests: tuple[tuple[nodes.Expr, bool], ...] = ()


@frozen
class DeadStep:
    """A statement that never runs, because a test around it always has the other answer."""

    step: FlowStep
    test: nodes.Expr
    holds: bool  # the answer that the test always has


@frozen
class Body:
    """A body, row, hook or trigger: statements that share their locals, and that `return` leaves."""

    owner: str  # the procedure that it belongs to; of a trigger, `when` and its condition
    title: str  # what its author would call it
    body: nodes.Body
    steps: tuple[FlowStep, ...]
    params: frozenset[str]
    given: frozenset[str]  # the names that it assigns, loop variables included
    rule: nodes.Rule | None = None  # whose body it is
    dead_steps: tuple[DeadStep, ...] = ()  # statements that never run, and are no longer in `steps`


# A set of names, one bit for each name. It is kept for every routine, and a program may have thousands of routines
# that each depend on thousands of names.
Names: TypeAlias = int


@frozen
class WayOut:
    """A way out of a loop: the names that it depends on, and whether it depends on nothing."""

    reads: Names
    sure: bool
    span: Span


@frozen
class Effect:
    """What calling a procedure may do."""

    chooses: bool = False
    changes: Names = 0
    changes_arguments: bool = False
    end: WayOut | None = None


@frozen
class Flow:
    """The call graph: `live` are the bodies that may run, `calls` says where each routine is called."""

    program: Declarations
    parts: tuple[Body, ...]
    live: tuple[Body, ...]
    calls: dict[str, dict[str, Span]]
    bits: dict[str, int] = field(factory=dict)  # the number of every name that was found so far
    masks: dict[int, tuple[Any, Names]] = field(factory=dict)  # of collections of names, by `id`
    reads: dict[str, Names] = field(factory=dict)
    effects: dict[str, Effect] = field(factory=dict)


def find_calls(program: Declarations) -> Flow:
    parts: list[Body] = []
    live: list[Body] = []
    calls: dict[str, dict[str, Span]] = {}
    for name, routine in program.routines.items():
        trees = [function_body(routine)]
        if routine.kind == "procedure":
            replaced, running = _procedure(routine)
            parts += replaced
            live += running
            trees = [(part.body, part.params) for part in running]
        uses = [use for tree, bound in trees for use in uses_of(tree, bound)]
        calls[name] = {use.text: use.span for use in reversed(uses) if use.text in program.routines}
    for name, versions in program.triggers.items():
        running = [_part(f"when {name}", each.node.body, ()) for each in _running(versions)]
        replaced = [_part(f"when {name}", each.node.body, ()) for each in versions]
        parts += replaced[: -len(running)]
        live += running
    return Flow(program, (*parts, *live), tuple(live), calls)


def function_body(routine: Routine) -> tuple[Any, frozenset[str]]:
    """The expressions of a function, and its parameters."""
    trees: list[Any] = [rows.node.rows for rows in routine.rows]
    trees += [body_of(version.node) for version in _running(routine.versions)]
    return tuple(trees), frozenset(each.name.text for each in routine.versions[-1].node.params)


def _running(versions: "list[Declared[Any]]") -> "list[Declared[Any]]":
    """The versions that may run: the last one, and those below as long as each calls `super`."""
    running = [versions[-1]]
    for version in reversed(versions[:-1]):
        if not any(name.text == "super" for name in uses_of(running[-1].node, frozenset())):
            break
        running.append(version)
    return running


def _procedure(routine: Routine) -> tuple[list[Body], list[Body]]:
    """The bodies of a procedure: those that an overlay has replaced, and those that may run."""
    name, params = routine.name, routine.versions[-1].node.params
    replaced: list[Body] = []
    running: list[Body] = []
    inputs: tuple[nodes.Expr, ...] = ()
    oldest = len(routine.versions) - len(_running(routine.versions))
    for number, version in enumerate(routine.versions):
        into = running if number >= oldest else replaced
        match version.node:
            case nodes.Rule(_, _, _, body):
                into.append(_part(name, body, params, rule=version.node))
            case nodes.Table(_, _, header, rows):
                inputs = header.inputs
                into += [
                    _part(name, row.body, params, inputs)
                    for row in rows
                    if isinstance(row, nodes.Row)
                ]
            case nodes.Let():
                pass
            case _:
                assert_never(version.node)
    for added in routine.rows:
        rows = added.node.rows
        running += [
            _part(name, row.body, params, inputs, f"rows {name}")
            for row in rows
            if isinstance(row, nodes.Row)
        ]
    for hook in (*routine.before, *routine.after):
        title = f"{hook.node.side} {name}"
        running.append(_part(name, hook.node.body, params, title=title))
    return replaced, running


def _part(  # noqa: PLR0913, PLR0917 - one argument for each thing that it is made of
    owner: str,
    body: nodes.Body,
    params: tuple[nodes.Param, ...],
    inputs: tuple[nodes.Expr, ...] = (),
    title: str | None = None,
    rule: nodes.Rule | None = None,
) -> Body:
    bound = frozenset(each.name.text for each in params)
    steps = tuple(steps_of(body, inputs, ()))
    given = frozenset(name for each in steps for name in deed_of(each.node).targets)
    return Body(owner, f"`{title or owner}`", body, steps, bound, given, rule)


def statements_of(body: nodes.Body) -> Iterator[nodes.Statement]:
    """The statements of a body, one after the other; an `if` or a loop keeps the statements in it."""
    match body:
        case nodes.Suite(lines) | nodes.Several(lines):
            for line in lines:
                yield from statements_of(line)
        case nodes.OneLine(statement):
            yield from statements_of(statement)
        case nodes.Cells(values):  # of an action table
            for value in values:
                if isinstance(value, nodes.Call):
                    yield nodes.Perform(value, span=value.span)
        case nodes.Doc():
            return
        case _ if isinstance(body, nodes.Statement):
            yield body
        case _:
            assert_never(body)


def steps_of(
    body: nodes.Body,
    conditions: tuple[nodes.Expr, ...],
    loops: tuple[nodes.For | nodes.Repeat, ...],
    tests: tuple[tuple[nodes.Expr, bool], ...] = (),
) -> Iterator[FlowStep]:
    """All statements of a block but its `if`s, which are the conditions of others."""
    for node in statements_of(body):
        match node:
            case nodes.If(condition, then, otherwise):
                around = (*conditions, condition)
                yield from steps_of(then, around, loops, (*tests, (condition, True)))
                if otherwise is not None:
                    rest = otherwise.body
                    yield from steps_of(rest, around, loops, (*tests, (condition, False)))
            case nodes.For(_, values, repeated):
                yield FlowStep(node, conditions, loops, tests)
                yield from steps_of(repeated, (*conditions, values), (*loops, node), tests)
            case nodes.Repeat(times, repeated):
                yield FlowStep(node, conditions, loops, tests)
                inner = conditions if times is None else (*conditions, times)
                yield from steps_of(repeated, inner, (*loops, node), tests)
            case _ if isinstance(node, nodes.Simple):
                yield FlowStep(node, conditions, loops, tests)
            case _:
                assert_never(node)


def uses_of(node: Any, bound: frozenset[str]) -> list[nodes.Name]:
    """The names in a tree that are not bound in it, and no attributes."""
    found: list[nodes.Name] = []
    _collect(node, bound, found)
    return found


def _collect(node: Any, bound: frozenset[str], found: list[nodes.Name]) -> None:
    match node:
        case nodes.Name(text):
            if text not in bound:
                found.append(node)
        case tuple():
            for each in node:
                _collect(each, bound, found)
        case nodes.Get(subject):
            _collect(subject, bound, found)
        case nodes.Having(subject, _, value):
            _collect((subject, value), bound, found)
        case nodes.Call(function, arguments):
            found.append(function)
            takes_attribute = function.text in ("alike", "runs")
            typed = (*arguments[:1], *arguments[2:]) if takes_attribute else arguments
            _collect(typed, bound, found)
        case (
            nodes.Fold(_, inner, name, values)
            | nodes.Build(inner, name, values)
            | nodes.For(name, values, inner)
            | nodes.Each(name, values, inner)
            | nodes.EachMay(name, values, inner)
        ):
            # The filter of the values, too, may call the element by its name.
            while isinstance(values, nodes.Where):
                _collect(values.condition, bound | {name.text}, found)
                values = values.values
            _collect(values, bound, found)
            rest = node.options if isinstance(node, nodes.Each | nodes.EachMay) else ()
            _collect((inner, rest), bound | {name.text}, found)
        case nodes.Face() | nodes.Described() | nodes.Param() | nodes.Key():
            return
        case _:
            for part in child_fields(type(node)):
                _collect(getattr(node, part), bound, found)

"""A scene -> what a player of the printed game has in sight: the goal, a turn, point tables, the end, advice.

All sentences are the author's own. Every screen draws it; nothing here is code.
"""

from collections.abc import Iterator

from attrs import frozen

from interpreter.flat import Code
from interpreter.histories import find_reason
from interpreter.naming import called
from interpreter.shown.booklet import Booklet, note_on
from interpreter.shown.derived import columns
from interpreter.shown.picture import Scene
from interpreter.titles import number_text
from rulespec.checking.declarations import Routine, walk
from rulespec.core.tree import End, Function, Op, Pattern
from rulespec.core.tree import walk as walk_ops
from rulespec.english import sentence
from rulespec.syntax import nodes

_MOST_SENTENCES = 10  # about a turn
_FEW_SENTENCES = 4  # then the rules that it calls are told of, too
_BROKEN = "…"  # a sentence that goes on elsewhere


@frozen
class Points:
    """A table of points: what it counts, what the rules say of it, and its rows."""

    title: str
    about: str | None
    columns: tuple[str, str]
    rows: tuple[tuple[str, str], ...]


@frozen
class Reference:
    """What one should know to play."""

    title: str
    about: str | None
    goal: str | None
    facts: tuple[str, ...]  # `2 to 5 players`, `30 minutes`
    turn: tuple[str, ...]
    points: tuple[Points, ...]
    ending: tuple[str, ...]
    advice: tuple[str, ...]


def make_reference(scene: Scene) -> Reference:
    """The reference of a game, with the variants that are played."""
    code = scene.layout.code
    blurb = code.blurb
    return Reference(
        title=scene.title,
        about=blurb.about,
        goal=blurb.goal,
        facts=tuple(_facts(code)),
        turn=tuple(_turn(scene)),
        points=tuple(_points(scene)),
        ending=tuple(_endings(code)),
        advice=blurb.advice,
    )


def _facts(code: Code) -> Iterator[str]:
    least, most = code.least_players, code.most_players
    yield f"{least} players" if least == most else f"{least} to {most} players"
    if code.blurb.minutes is not None:
        low, high = code.blurb.minutes
        yield f"{low} minutes" if low == high else f"{low} to {high} minutes"
    if code.blurb.ages is not None:
        yield f"from {code.blurb.ages} years on"


# ---- A turn --------------------------------------------------------------------------------------


def _turn(scene: Scene) -> list[str]:
    """The author's sentences about a turn, or whatever the play consists of; then about its parts."""
    routines = scene.program.declared.routines
    waiting = ["turn" if "turn" in routines else "play"]
    known: set[str] = set()
    told: dict[str, None] = {}
    while waiting and len(told) < (_FEW_SENTENCES if known else _MOST_SENTENCES):
        calls: list[str] = []
        for name in waiting:
            known.add(name)
            for found in said_in(scene.booklet, routines[name], calls):
                told[found] = None
        waiting = [
            name
            for name in dict.fromkeys(calls)
            if name not in known and name in routines and routines[name].kind == "procedure"
        ]
    return [*told][:_MOST_SENTENCES]


def said_in(booklet: Booklet, routine: Routine, calls: list[str]) -> Iterator[str]:
    """The sentences above a rule and in it; what it calls is noted."""
    node = routine.versions[-1].node
    for each in walk(node):
        if isinstance(each, nodes.Call):
            calls.append(each.function.text)
        said = note_on(booklet, each.span).sentence
        if said is not None and _BROKEN not in said:
            yield sentence(said)


# ---- Points --------------------------------------------------------------------------------------


def _points(scene: Scene) -> Iterator[Points]:
    """The tables of numbers by which players are ranked."""
    code = scene.layout.code
    found: dict[str, None] = {}
    for row in code.ranking:
        _collect(code, row.key, found)
    for name in found:
        function = code.functions[name]
        rows = tuple(_rows(function))
        if len(rows) > 1:
            yield _table(scene, function, rows)


def _collect(code: Code, op: Op, found: dict[str, None]) -> None:
    for each in walk_ops(op):
        if each.name == "call" and each.word in code.functions and each.word not in found:
            found[each.word] = None
            function = code.functions[each.word]
            for part in (*function.inputs, *(row.cell for row in function.rows)):
                _collect(code, part, found)


def _rows(function: Function) -> list[tuple[str, str]]:
    """Rows with a number for a number, or for some of them; none if it is no such table."""
    rows = []
    for row in function.rows:
        value = constant_of(row.cell)
        key = numbers_of(row.patterns[0]) if len(row.patterns) == 1 else None
        if value is None or key is None:
            return []
        rows.append((key, number_text(value)))
    return rows


def constant_of(op: Op) -> int | None:
    """A number that is written there, with a sign or without."""
    if op.name == "subtract":  # a sign is nothing else: 0 less the number
        numbers = [constant_of(each) for each in op.operands]
        zero, number = (0, *numbers)[-2:]
        return -number if zero == 0 and number is not None else None
    if op.name != "literal" or isinstance(op.value, bool) or not isinstance(op.value, int):
        return None
    return op.value


def numbers_of(pattern: Pattern) -> str | None:
    """`3`, `4 to 6`, `7 or more`"""
    if pattern.how == "values" and all(isinstance(each, int) for each in pattern.values):
        return " or ".join(number_text(each) for each in pattern.values)
    if pattern.how != "numbers":
        return None
    low, high = pattern.values
    if low == high:
        return number_text(low)
    if high is None:
        return f"{number_text(low)} or more"
    return (
        f"up to {number_text(high)}"
        if low is None
        else f"{number_text(low)} to {number_text(high)}"
    )


def _table(scene: Scene, function: Function, rows: tuple[tuple[str, str], ...]) -> Points:
    code = scene.layout.code
    title = called(code, function.name)
    node = scene.program.declared.routines[function.name].versions[-1].node
    params = () if isinstance(node, nodes.Let) else node.params
    said = function.origin.sentence
    return Points(
        title=title,
        about=sentence(said) if said is not None else None,
        columns=(called(code, params[0].name.text) if params else "number", title),
        rows=rows,
    )


# ---- The end -------------------------------------------------------------------------------------


def _endings(code: Code) -> list[str]:
    """What ends the game."""
    found = [
        find_reason(code, block, step.origin).sentence
        for block in code.blocks.values()
        for step in block.code
        if isinstance(step, End)
    ]
    if not any(found):
        found = [code.blocks["play"].origin.sentence]
    return [sentence(each) for each in dict.fromkeys(found) if each is not None]


# ---- As text -------------------------------------------------------------------------------------


def lay_reference(reference: Reference) -> list[tuple[str, list[str]]]:
    """Sections of lines, each with its title; those that have nothing to say are left out."""
    sections = [
        ("", [each for each in (reference.about, ", ".join(reference.facts)) if each]),
        ("Goal", [reference.goal] if reference.goal is not None else []),
        ("How it is played", [*reference.turn]),
        *((each.title.capitalize(), _lay_points(each)) for each in reference.points),
        ("The end", [*reference.ending]),
        ("Advice", [*reference.advice]),
    ]
    return [(title, lines) for title, lines in sections if lines]


def _lay_points(points: Points) -> list[str]:
    about = [points.about] if points.about is not None else []
    return [*about, *columns([(*points.columns, ""), *((*row, "") for row in points.rows)])]

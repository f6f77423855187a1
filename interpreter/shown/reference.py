"""A scene -> the reference card of a printed game: the goal, a turn, cards, points, the end, advice.

All sentences are the author's own. Every screen draws this card; nothing on it is code.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import frozen

from interpreter.display_names import word_for
from interpreter.flat import Code
from interpreter.shown.booklet import Booklet, note_on, said_of_row
from interpreter.shown.open_values import counting_functions
from interpreter.shown.picture import Scene
from interpreter.shown.result_lines import columns
from interpreter.shown.rows_in_force import is_whole, rows_in_force
from interpreter.titles import number_text
from interpreter.value_histories import find_reason
from rulespec.checking.declarations import Routine, walk
from rulespec.core.tree import End, Function, Op, Pattern
from rulespec.core.types import LEAST, Choice, Number, present
from rulespec.english import BROKEN, is_statement, join_broken, listed, sentence
from rulespec.syntax import nodes

_MOST_SENTENCES = 10  # sentences about a turn
_FEW_SENTENCES = 4  # with at most so many, the rules that the turn calls are described too


@frozen
class Points:
    """A table of points: what it counts, what the rules say about it, and its rows."""

    title: str
    about: str | None
    columns: tuple[str, str]
    rows: tuple[tuple[str, str], ...]


@frozen
class ReferenceCard:
    """What a player needs to know."""

    title: str
    about: str | None
    goal: str | None
    facts: tuple[str, ...]  # `2 to 5 players`, `30 minutes`
    turn: tuple[str, ...]
    cards: tuple[str, ...]  # what they do: `Pride: Ask an opponent for a Pride card.`
    scoring: tuple[str, ...]
    points: tuple[Points, ...]
    winning: tuple[str, ...]  # who wins, and what breaks a tie
    ending: tuple[str, ...]
    advice: tuple[str, ...]


def make_reference(scene: Scene) -> ReferenceCard:
    """The reference card of a game, with the chosen variants."""
    code = scene.layout.code
    blurb = code.blurb
    return ReferenceCard(
        title=scene.title,
        about=blurb.about,
        goal=blurb.goal,
        facts=tuple(_facts(code)),
        turn=tuple(_turn(scene)),
        cards=tuple(_cards(scene)),
        scoring=tuple(_scoring(code)),
        points=tuple(_points(scene)),
        winning=tuple(_winning(code)),
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
    """What the author says about a turn; or else the sentences above its rule, or above `play`, and about its parts."""
    said = scene.layout.code.blurb.turn
    if said is not None:
        return [said]
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
    """The sentences above a rule and in it; also append the rules that it calls to `calls`."""
    node = routine.versions[-1].node
    for each in walk(node):
        if isinstance(each, nodes.Call):
            calls.append(each.function.text)
        said = note_on(booklet, each.span).sentence
        if said is not None and BROKEN not in said:
            yield sentence(said)


# ---- Cards ---------------------------------------------------------------------------------------


def _cards(scene: Scene) -> Iterator[str]:
    """What cards do, from the sentences above table rows whose keys are printed on the cards."""
    members = {
        scene.layout.code.members[n].name: scene.layout.code.members[n].label
        for n in _printed(scene)
    }
    tables: dict[str, list[tuple[str, str]]] = {}
    routines = scene.program.declared.routines
    for table, row in scene.booklet.rows.values():
        name, said = _only_key(row), note_on(scene.booklet, row.span).sentence
        is_own = said != note_on(scene.booklet, routines[table].versions[-1].node.span).sentence
        if name in members and said is not None and is_own and BROKEN not in said:
            tables.setdefault(table, []).append((members[name], said_of_row(scene.booklet, row)))
    for rows in tables.values():
        # A sentence that all rows share describes no single row.
        counted = Counter(said for _, said in rows)
        told = [f"{label}: {sentence(said)}" for label, said in rows if counted[said] == 1]
        yield from told if len(told) > 1 else ()


def _printed(scene: Scene) -> set[int]:
    """The members of enums that are printed on cards."""
    layout = scene.layout
    values = [
        value
        for attribute in layout.code.attributes
        if isinstance(present(attribute.type), Choice)
        for value in layout.attributes[attribute.name]
    ]
    return {
        n
        for each in values
        for n in (each if isinstance(each, tuple) else (each,))
        if n is not None
    }


def _only_key(row: nodes.Row) -> str | None:
    """The name that is the only key of a row, if it has just one."""
    found = [pattern for key in row.keys for pattern in key.patterns]
    if len(found) != 1 or not isinstance(found[0], nodes.KeyName) or found[0].last is not None:
        return None
    return found[0].first.text if isinstance(found[0].first, nodes.Name) else None


# ---- Points --------------------------------------------------------------------------------------


def _scoring(code: Code) -> Iterator[str]:
    """What the rules say about scoring, without the notes on tables of numbers, which stand above those tables."""
    told: dict[str, None] = {}
    for name in counting_functions(code):
        function = code.functions[name]
        if len(_rows(code, function)) > 1:
            continue
        # Options are settled when the game begins.
        is_agreed = any(each.name == "option" for each in function.inputs)
        rows = [] if is_agreed else [*_said_of_rows(function)]
        said = _joined([function.origin.sentence, *rows])
        told |= dict.fromkeys(each for each in said if is_statement(each))
    yield from told


def _said_of_rows(function: Function) -> Iterator[str | None]:
    """The sentences above rows, except rows that other rows have partly replaced."""
    left = rows_in_force(function)
    if left is None:
        yield from (row.origin.sentence for row in function.rows)
    else:
        yield from (row.origin.sentence for row, kept in left if is_whole(row, kept))


def _joined(said: Sequence[str | None]) -> list[str]:
    """Sentences, with continued ones joined: `A card is worth …`, `… its number.`"""
    found = join_broken(filter(None, said))
    return [sentence(each) for each in found if BROKEN not in each]


def _winning(code: Code) -> list[str]:
    """What the ranking compares, in order."""
    return _joined([row.origin.sentence for row in code.ranking])


def _points(scene: Scene) -> Iterator[Points]:
    """The tables of numbers among the scoring functions."""
    code = scene.layout.code
    for name in counting_functions(code):
        function = code.functions[name]
        rows = tuple(_rows(code, function))
        if len(rows) > 1:
            yield _table(scene, function, rows)


def _rows(code: Code, function: Function) -> list[tuple[str, str]]:
    """Rows from a number or a word to a number; empty if this is no such table."""
    rows: list[tuple[Pattern, str, str]] = []
    if not function.inputs or not isinstance(present(function.type), Number):
        return []
    for row, patterns in rows_in_force(function) or ():
        value = constant_of(row.cell)
        for each in patterns:
            key = _key(code, function.inputs[0], each)
            if value is None or key is None:
                return []
            rows.append((each, key, number_text(value)))
    if isinstance(present(function.inputs[0].type), Number):
        rows.sort(key=lambda row: LEAST if row[0].values[0] is None else row[0].values[0])
    return [(key, value) for _, key, value in rows]


def _key(code: Code, asked: Op, pattern: Pattern) -> str | None:
    """The key of a row: numbers, or members of an enum."""
    of = present(asked.type)
    if isinstance(of, Choice):
        if pattern.how != "values":
            return None
        return listed([code.members[each].label for each in pattern.values], "or")
    return numbers_of(pattern) if isinstance(of, Number) else None


def constant_of(op: Op) -> int | None:
    """The number that an expression consists of, with or without a sign."""
    if op.name == "subtract":  # a sign is compiled to 0 minus the number
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
    title = word_for(code, function.name)
    node = scene.program.declared.routines[function.name].versions[-1].node
    params = () if isinstance(node, nodes.Let) else node.params
    said = function.origin.sentence
    return Points(
        title=title,
        about=sentence(said) if said is not None else None,
        columns=(word_for(code, params[0].name.text) if params else "number", title),
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


def lay_reference(reference: ReferenceCard) -> list[tuple[str, list[str]]]:
    """Sections of lines, each with its title; empty sections are left out."""
    sections = [
        ("", [each for each in (reference.about, ", ".join(reference.facts)) if each]),
        ("Goal", [reference.goal] if reference.goal is not None else []),
        ("How it is played", [*reference.turn]),
        ("What the cards do", [*reference.cards]),
        ("Scoring", [*reference.scoring]),
        *((each.title.capitalize(), _lay_points(each)) for each in reference.points),
        ("The end", [*reference.ending]),
        ("Who wins", [*reference.winning]),
        ("Advice", [*reference.advice]),
    ]
    return [(title, lines) for title, lines in sections if lines]


def _lay_points(points: Points) -> list[str]:
    about = [points.about] if points.about is not None else []
    return [*about, *columns([(*points.columns, ""), *((*row, "") for row in points.rows)])]

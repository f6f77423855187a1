"""A scene -> what a player of the printed game has in view: trump, point tables, what ends the game, the text of a card.

All of it follows from the declarations and the author's own sentences; none of it is secret. A screen shows it beside
the table during a choice.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import attrs
from attrs import frozen

from interpreter.display_names import word_for
from interpreter.shown.booklet import note_on, rows_about
from interpreter.shown.palette import Tone
from interpreter.shown.picture import Scene
from interpreter.shown.reasons import card_text
from interpreter.shown.reference import constant_of, make_reference, numbers_of, said_in
from interpreter.shown.rows_in_force import rows_in_force
from interpreter.titles import number_text
from rulespec.checking.declarations import walk
from rulespec.core.tree import Function, Op, Pattern
from rulespec.core.tree import walk_operations as walk_ops
from rulespec.core.types import Choice, present
from rulespec.english import BROKEN, has_verb, sentence
from rulespec.syntax import nodes

_MOST_SENTENCES = 2  # sentences about a card
_FEW = 2  # up to so many members are named one by one


@frozen
class Fact:
    """A fact to keep in view: its title, and its words, some in a colour of the game."""

    title: str
    words: tuple[tuple[str, Tone | None], ...]


@lru_cache(maxsize=8)
def list_facts(scene: Scene) -> tuple[Fact, ...]:
    """All facts to keep in view, the most useful first."""
    return (*_bindings(scene), *_settled(scene), *_tables(scene), *_endings(scene))


def _endings(scene: Scene) -> Iterator[Fact]:
    # Special cases come last in the rules, and first here.
    for each in reversed(make_reference(scene).ending):
        yield Fact("end", ((each, None),))


def _bindings(scene: Scene) -> Iterator[Fact]:
    """Members that the game passes to a standard mechanism, such as `trump = red`."""
    members = {member.name: number for number, member in enumerate(scene.layout.code.members)}
    attributes = {row.name for row in scene.layout.code.attributes}
    for file in scene.program.declared.files:
        for node in walk(file):
            if not isinstance(node, nodes.Binding) or not isinstance(node.value, nodes.Name):
                continue
            number = members.get(node.value.text)
            if number is not None and node.value.text not in attributes:
                text = scene.layout.code.members[number].label
                tone = scene.palette.members.get(number)
                yield Fact(word_for(scene.layout.code, node.slot.text), ((text, tone),))


# ---- Tables --------------------------------------------------------------------------------------


def _settled(scene: Scene) -> Iterator[Fact]:
    """Numbers that follow from the player count and the options of this table, such as the highest card."""
    code = scene.layout.code
    defaults = {
        each.word for row in code.options for each in walk_ops(row.default) if each.name == "call"
    }
    for name, function in code.functions.items():
        is_option = [row.cell.name for row in function.rows] == ["option"]
        if function.params or name in defaults or "." in name:
            continue
        if not function.inputs and not is_option:
            continue  # the same number at every table
        inputs = [_given(scene, each) for each in function.inputs]
        row = next((row for row in function.rows if _matches(row.patterns, inputs)), None)
        value = None if row is None or None in inputs else _given(scene, row.cell)
        if isinstance(value, int) and not isinstance(value, bool):
            yield Fact(word_for(code, name), ((number_text(value), None),))


def _given(scene: Scene, op: Op) -> Any:
    """The value of a number or an option at this table; nothing that may change during the game."""
    match op.name:
        case "players":
            return scene.layout.players
        case "option":
            return scene.layout.options.get(op.word)
        case _:
            return constant_of(op)


def _matches(patterns: Sequence[Pattern], inputs: Sequence[Any]) -> bool:
    return all(map(_fits, patterns, inputs))


def _fits(pattern: Pattern, value: Any) -> bool:
    if pattern.how == "any":
        return True
    if pattern.how == "numbers":
        low, high = pattern.values
        return (
            isinstance(value, int)
            and (low is None or low <= value)
            and (high is None or value <= high)
        )
    return pattern.how == "values" and value in pattern.values


def _tables(scene: Scene) -> Iterator[Fact]:
    """Tables from numbers or members to numbers, used while the game is played or scored."""
    code = scene.layout.code
    for name in _called_functions(scene):
        function = code.functions[name]
        words: list[tuple[str, Tone | None]] = []
        for row, patterns in rows_in_force(function) or ():
            value = constant_of(row.cell)
            keys = [_key(scene, each) for each in patterns]
            if value is None or None in keys:
                break
            words += [(f"{key[0]}: {number_text(value)}", key[1]) for key in keys if key]
        else:
            if len(words) > 1 and function.params == 1:
                yield Fact(_title(scene, function), tuple(words))


def _title(scene: Scene, function: Function) -> str:
    code = scene.layout.code
    node = scene.program.declared.routines[function.name].versions[-1].node
    params = () if isinstance(node, nodes.Let) else node.params
    of = word_for(code, params[0].name.text) if params else ""
    title = word_for(code, function.name)
    return f"{title} by {of}" if of else title


def _key(scene: Scene, pattern: Pattern) -> tuple[str, Tone | None] | None:
    """`3`, `7+`, `black`, `red to violet`."""
    is_number = pattern.how == "numbers"
    text = numbers_of(pattern) if is_number else None
    if text is not None:
        return text.replace(" or more", "+"), None
    if pattern.how != "values" or not all(isinstance(each, int) for each in pattern.values):
        return None
    members = scene.layout.code.members
    labels = [members[each].label for each in pattern.values]
    joined = " or ".join(labels) if len(labels) <= _FEW else f"{labels[0]} to {labels[-1]}"
    return joined, scene.palette.members.get(pattern.values[0]) if len(labels) == 1 else None


def _called_functions(scene: Scene) -> list[str]:
    """The functions on which the ranking depends, then those on which a rule depends."""
    code = scene.layout.code
    found: dict[str, None] = {}
    waiting = [row.key for row in code.ranking]
    for block in code.blocks.values():
        for step in block.code:
            values = (getattr(step, field.name) for field in attrs.fields(type(step)))
            waiting += [value for value in values if isinstance(value, Op)]
    while waiting:
        for each in walk_ops(waiting.pop(0)):
            if each.name == "call" and each.word in code.functions and each.word not in found:
                found[each.word] = None
                function = code.functions[each.word]
                waiting += [*function.inputs, *(row.cell for row in function.rows)]
    return [*found]


# ---- Cards ---------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def card_description(scene: Scene, face: int) -> str:
    """What a card does, in a sentence or two of the author; empty if the author says nothing."""
    labels, _ = _words(scene, face)
    told = [*dict.fromkeys(sentence(each) for each in _told_of(scene, face))][:_MOST_SENTENCES]
    if not told or told[0].startswith(tuple(f"{each}: " for each in labels)):
        return " ".join(told)
    return f"{card_text(scene, face)}: {' '.join(told)}"


def _told_of(scene: Scene, face: int) -> Iterator[str]:
    """Sentences above the table rows about a card; or those that begin with one of its words, as `Seas: …`."""
    booklet = scene.booklet
    labels, names = _words(scene, face)
    heads = tuple(f"{each}: " for each in labels)
    found = []
    for routine in scene.program.declared.routines.values():
        about = note_on(booklet, routine.versions[-1].node.span).sentence
        if about is not None and about.startswith(heads):
            found += [about.partition(BROKEN)[0].rstrip(), *said_in(booklet, routine, [])]
    yield from [*rows_about(booklet, names)] or found or _said_of_kind(scene, face)


def _said_of_kind(scene: Scene, face: int) -> Iterator[str]:
    """What the rules say about a kind that has only one face."""
    layout = scene.layout
    piece = layout.pieces[layout.faces.index(face)]
    faces = {layout.faces[n] for n, each in enumerate(layout.pieces) if each.kind == piece.kind}
    said = note_on(scene.booklet, piece.row.origin.span).sentence
    if len(faces) == 1 and said is not None and BROKEN not in said and has_verb(said):
        yield said


def _words(scene: Scene, face: int) -> tuple[set[str], set[str]]:
    """The labels and names of the members of a face, from attributes that have exactly one value."""
    layout = scene.layout
    piece = layout.faces.index(face)
    labels, names = set(), {layout.pieces[piece].kind}
    for attribute in layout.code.attributes:
        if isinstance(present(attribute.type), Choice):
            value = layout.attributes[attribute.name][piece]
            values = value if isinstance(value, tuple) else (value,)
            if len(values) == 1 and values[0] is not None:
                labels.add(layout.code.members[values[0]].label)
                names.add(layout.code.members[values[0]].name)
    return labels, names

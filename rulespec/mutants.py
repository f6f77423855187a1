"""A file of rules -> its mutants: the same file with one thing changed.

If somebody changes a number, a zone, a comparison or a visibility by mistake, an example should fail. Each mutant is a
small edit of the text; `interpreter.mutation` tests whether the examples detect it. Examples and invariants, which
detect changes, and words are not mutated.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from attrs import frozen

from rulespec.checking.declarations import is_action_table, walk
from rulespec.source import Source, Span, text_of
from rulespec.syntax import nodes
from rulespec.syntax.parser import parse

Zones = dict[str, nodes.Zone]
Edit = tuple[int, int, str]  # from, to, and the new text

RELATIONS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
RELATIONS |= {"in": "not in", "not in": "in"}
VIEWERS = {
    "everyone": "nobody",
    "nobody": "everyone",
    "owner": "everyone",
    "others": "everyone",
    "top": "everyone",
}
FUNCTIONS = {"left": "right", "right": "left", "min": "max", "max": "min", "others": "order"}
FOLDS = {"any": "all", "all": "any", "min": "max", "max": "min", "best": "least", "least": "best"}
WORDS = {"most": "fewest", "fewest": "most", "yes": "no", "no": "yes"}
LEFT_ALONE = (
    *(nodes.Example, nodes.Always, nodes.Doc, nodes.Rulebook, nodes.Ruling, nodes.Omit),
    *(nodes.Game, nodes.First, nodes.Extends, nodes.Mechanism, nodes.Players, nodes.Blurb),
)
# Statements that cannot be left out: later ones use their values.
NEEDED = nodes.Choice | nodes.Random | nodes.Announce | nodes.Nothing


@frozen
class Mutant:
    """One change: what it changes, how, and where."""

    what: str
    change: str
    span: Span
    edits: tuple[Edit, ...]


def mutants(source: Source) -> list[Mutant]:
    """All mutants of a file, in the order of its text."""
    file = parse(source).file
    if file is None:
        return []
    zones = _zones(file)
    found = [
        mutant for item in _items(file.items) for mutant in (*_rows(item), *_nodes(item, zones))
    ]
    return sorted(found, key=lambda mutant: (mutant.span.start, mutant.span.end))


def mutate(mutant: Mutant) -> Source:
    """The text with the change made."""
    source = mutant.span.source
    text = source.text
    for start, end, new in sorted(mutant.edits, reverse=True):
        text = text[:start] + new + text[end:]
    return Source(source.name, text)


def _items(items: tuple[Any, ...]) -> Iterator[Any]:
    for item in items:
        if isinstance(item, nodes.Variant):
            yield from _items(item.items)
        elif isinstance(item, nodes.Override):
            yield from _items((item.declaration,))
        elif not isinstance(item, LEFT_ALONE):
            yield item


def _zones(file: nodes.File) -> Zones:
    """The zones that the file declares."""
    return {each.name.text: each for each in walk(file) if isinstance(each, nodes.Zone)}


def _changed(what: str, span: Span, new: str) -> Mutant:
    return Mutant(what, f"`{text_of(span)}` becomes `{new}`", span, ((span.start, span.end, new),))


def _is_talk(node: Any) -> bool:
    """Whether a statement only tells something, or decides what is told: then no game would change."""
    if isinstance(node, nodes.If):
        rest = node.otherwise
        return _is_talk(node.body) and (rest is None or _is_talk(rest.body))
    if isinstance(node, nodes.OneLine):
        return _is_talk(node.statement)
    if isinstance(node, nodes.Several | nodes.Suite):
        lines = node.statements if isinstance(node, nodes.Several) else node.lines
        return all(map(_is_talk, lines))
    return isinstance(node, nodes.Tell | nodes.Heading | nodes.Doc)


def _nodes(item: Any, zones: Zones) -> Iterator[Mutant]:
    talk = {id(part) for node in walk(item) if _is_talk(node) for part in walk(node)}
    for node in walk(item):
        if id(node) in talk:
            continue
        match node:
            case nodes.Number(value):
                yield _changed("a number", node.span, str(value + 1))
            case nodes.KeyNumber(first, last) if last is None or last.value > first.value:
                yield _changed("a key", first.span, str(first.value + 1))
            case nodes.AtLeast(number) | nodes.AtMost(number):
                yield _changed("a key", number.span, str(number.value + 1))
            case nodes.Relation(sign):
                yield _changed("a comparison", node.span, RELATIONS[sign])
            case nodes.Viewers(who):
                yield _changed("a visibility", node.span, VIEWERS[who])
            case nodes.Constant(word) | nodes.Name(word) if word in WORDS:
                yield _changed("a word", node.span, WORDS[word])
            case nodes.Call(function) if function.text in FUNCTIONS:
                yield _changed("a function", function.span, FUNCTIONS[function.text])
            case nodes.Fold(function) if function.text in FOLDS:
                yield _changed("a function", function.span, FOLDS[function.text])
            case nodes.Sum(left, operator, right) | nodes.Product(left, operator, right):
                yield from _operator(left, operator, right)
            case nodes.And(operands) | nodes.Or(operands):
                yield from _junction(node, operands)
            case nodes.If(condition):
                text = condition.span.source.text[condition.span.start : condition.span.end]
                yield _changed("a condition", condition.span, f"not ({text})")
        if isinstance(node, nodes.Move):
            yield from _other_zone(node.zone, zones)
            yield from _other_zone(node.pieces, zones)
            yield from _under(node, zones)
        if isinstance(node, nodes.Announce):
            yield _unannounced(node)
        if isinstance(node, nodes.Simple) and not isinstance(node, NEEDED):
            yield _changed("a statement", node.span, "nothing")


def _unannounced(node: nodes.Announce) -> Mutant:
    """An announcement as an assignment: nobody is told the value."""
    given = f"{text_of(node.name.span)} = {text_of(node.value.span)}"
    return _changed("an announcement", node.span, given)


def _operator(left: Any, operator: str, right: Any) -> Iterator[Mutant]:
    other = {"+": "-", "-": "+", "&": "+", "*": "+", "/": "*", "%": "*"}[operator]
    span = left.span
    at = span.source.text.find(operator, span.end, right.span.start)
    if at >= 0:
        yield _changed("an operator", Span(span.source, at, at + 1), other)


def _junction(node: Any, operands: tuple[Any, ...]) -> Iterator[Mutant]:
    old, new = ("and", "or") if isinstance(node, nodes.And) else ("or", "and")
    span = operands[0].span
    at = span.source.text.find(old, span.end, operands[1].span.start)
    if at >= 0:
        yield _changed("a junction", Span(span.source, at, at + len(old)), new)


def _other_zone(expr: Any, zones: Zones) -> Iterator[Mutant]:
    """The next zone with the same indices."""
    for node in walk(expr):
        if isinstance(node, nodes.Name) and node.text in zones:
            indices = zones[node.text].indices
            alike = [name for name, zone in zones.items() if zone.indices == indices]
            other = alike[(alike.index(node.text) + 1) % len(alike)]
            if other != node.text:
                yield _changed("a zone", node.span, other)
            return


def _under(node: nodes.Move, zones: Zones) -> Iterator[Mutant]:
    """The other end of a pile; a pool has no ends."""
    span = node.span
    names = [each.text for each in walk(node.zone) if isinstance(each, nodes.Name)]
    if not names or names[0] not in zones or zones[names[0]].order == "pool":
        return
    if node.position is not None:
        yield _changed("a place", node.position.span, f"({text_of(node.position.span)}) + 1")
        return
    old, new = (" to ", " under ") if node.how == "to" else (" under ", " to ")
    at = span.source.text.find(old, node.pieces.span.end, node.zone.span.start)
    if at >= 0:
        yield _changed("a place", Span(span.source, at + 1, at + len(old) - 1), new.strip())


def _rows(item: Any) -> Iterator[Mutant]:
    """The results of two neighbouring rows, exchanged."""
    for table in walk(item):
        if not isinstance(table, nodes.Table | nodes.Rows):
            continue
        if isinstance(table, nodes.Table) and is_action_table(table):
            continue
        rows = [row for row in table.rows if isinstance(row, nodes.Row)]
        for one, other in pairwise(rows):
            a, b = one.body.span, other.body.span
            texts = [a.source.text[each.start : each.end] for each in (a, b)]
            if texts[0] != texts[1]:
                edits = ((a.start, a.end, texts[1]), (b.start, b.end, texts[0]))
                change = f"`{texts[0].strip()}` and the row below are exchanged"
                yield Mutant("two rows", change, one.span, edits)

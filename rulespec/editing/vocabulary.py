"""An unfinished text -> the names that it and all below it declare, by what they stand for.

The trees come from the parser, declaration by declaration, which puts stand-ins where a line does not parse, so a mistake costs only
the names that it is about. What a file builds on is found as always, from its heading alone.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, assert_never

from attrs import frozen

from rulespec.checking.builtins import EXAMPLE_VALUES, FOLDS, FUNCTIONS, TYPES, VALUES
from rulespec.checking.declarations import is_action_table, walk
from rulespec.checking.layers import documented, stack_layers
from rulespec.checking.teams import TEAM
from rulespec.editing.blocks import block_at, blocks_of
from rulespec.source import Source, Span, text_of
from rulespec.syntax import nodes
from rulespec.syntax.parser import parse

LONGEST_DETAIL = 72

_EXTENDS = re.compile(r'^extends +"[^"\n]*"', re.MULTILINE)


WordKind: TypeAlias = Literal[
    "keyword",
    "rule",
    "function",
    "table",
    "zone",
    "variable",
    "local",
    "member",
    "enum",
    "attribute",
    "piece",
    "option",
    "variant",
    "type",
    "player",
    "file",
]


@frozen
class KnownWord:
    """A name, what it stands for, how it is declared, and what is said above it."""

    text: str
    kind: WordKind
    detail: str = ""
    about: str = ""


def words_of(path: Path, text: str, offset: int) -> tuple[KnownWord, ...]:
    """The names of a file and of all below; first those of the declaration at a place."""
    blocks = blocks_of(path.name, text)
    around = block_at(blocks, offset)
    declared = [_declared(each.source) for each in blocks if each is not around]
    headings = [heading for lines, _ in declared for heading in lines]
    more_headings, here = _declared(around.source)
    begun = _EXTENDS.search(around.source.text)
    if begun is not None and not more_headings:
        more_headings = (f"{begun[0]}\n",)  # what stands behind it is being written
    below = _below(path, "".join((*headings, *more_headings)))
    others = (word for _, words in declared for word in words)
    found: dict[tuple[str, str], KnownWord] = {}
    for word in (*here, *others, *below, *BUILT_IN):
        if word.text:
            found.setdefault((word.text, word.kind), word)
    return tuple(found.values())


def tree_of(source: Source) -> nodes.File | None:
    """The tree of an unfinished text, with stand-ins in it."""
    return parse(source).mended


@lru_cache(maxsize=4096)
def _declared(source: Source) -> tuple[tuple[str, ...], tuple[KnownWord, ...]]:
    """The lines of a text that name other files, and the names that it declares."""
    tree = tree_of(source)
    if tree is None:
        return (), ()
    headings = tuple(
        f"{text_of(item.span)}\n"
        for item in tree.items
        if isinstance(item, nodes.Extends | nodes.Use)
    )
    return headings, tuple(_words(tree.items))


@lru_cache(maxsize=8)
def _below(path: Path, heading: str) -> tuple[KnownWord, ...]:
    """The names in the files and mechanisms that a heading names."""
    stack = stack_layers(path, Source(path.name, heading))
    found = [word for layer in stack.layers for item in layer.items for word in _of(item)]
    found += [KnownWord(each.name.text, "variant", _title(each)) for each in stack.variants]
    return tuple(found)


def _of(item: Any) -> Iterator[KnownWord]:
    about = " ".join(doc.text.value for doc in item.docs if doc.text is not None)
    return _words_of(item.declaration, about)


def _words(items: Iterable[Any]) -> Iterator[KnownWord]:
    for item, docs in documented(tuple(items)):
        about = " ".join(doc.text.value for doc in docs if doc.text is not None)
        yield from _words_of(item, about)


def _words_of(node: nodes.Override | nodes.Item, about: str) -> Iterator[KnownWord]:
    """The names that a declaration gives to something."""
    match node:
        case nodes.Override(declaration):
            yield from _words_of(declaration, about)
        case nodes.Variant():
            yield KnownWord(node.name.text, "variant", _title(node), about)
            yield from _words(node.items)
        case nodes.Mechanism():
            for slot in node.slots:
                yield KnownWord(slot.name.text, "option", _line(slot.span))
        case nodes.Option():
            yield KnownWord(node.name.text, "option", _line(node.span), about)
        case nodes.Enum():
            yield KnownWord(node.name.text, "enum", _line(node.span), about)
            for member in node.members:
                label = f" “{member.label.value}”" if member.label is not None else ""
                yield KnownWord(member.name.text, "member", f"{node.name.text}{label}")
        case nodes.Rule():
            yield KnownWord(node.name.text, "rule", _heading(node.span), about)
        case nodes.Let():
            yield KnownWord(node.name.text, "function", _line(node.span), about)
        case nodes.Table():
            kind: WordKind = "rule" if is_action_table(node) else "table"
            yield KnownWord(node.name.text, kind, _heading(node.span), about)
            for output in node.header.outputs:
                yield KnownWord(output.text, "attribute", f"of {node.name.text}")
        case nodes.Pieces() | nodes.Zones() | nodes.State():
            yield from _rows(node)
        case nodes.Trigger() | nodes.Hook() | nodes.Rows() | nodes.Always() | nodes.Ranking():
            return
        case nodes.Remove() | nodes.RemoveRows() | nodes.RemovePiece():
            return
        case nodes.Game() | nodes.Extends() | nodes.Use() | nodes.Players() | nodes.First():
            return
        case nodes.Teams(enum):
            yield KnownWord(TEAM, "function", f"{TEAM}(p: Player) -> {enum.text}", about)
        case nodes.Rulebook() | nodes.Ruling() | nodes.Omit() | nodes.Example() | nodes.Blurb():
            return
        case _:
            assert_never(node)


def _rows(node: nodes.Pieces | nodes.Zones | nodes.State) -> Iterator[KnownWord]:
    row: nodes.Piece | nodes.Zone | nodes.Variable
    for row, docs in documented(node.rows):
        about = " ".join(doc.text.value for doc in docs if doc.text is not None)
        match row:
            case nodes.Piece():
                yield KnownWord(row.kind.text, "piece", _line(row.span), about)
                for each in row.attributes:
                    yield KnownWord(each.name.text, "attribute", _line(each.span))
            case nodes.Zone():
                yield KnownWord(row.name.text, "zone", _line(row.span), about)
            case nodes.Variable():
                yield KnownWord(row.name.text, "variable", _line(row.span), about)
            case _:
                assert_never(row)


def _title(node: nodes.Variant) -> str:
    return node.title.value if node.title is not None else "variant"


def _heading(span: Span) -> str:
    """The first line of a declaration that has a block."""
    end = span.source.text.find("\n", span.start, span.end)
    return _line(Span(span.source, span.start, span.end if end < 0 else end))


def _line(span: Span) -> str:
    text = text_of(span)
    return text if len(text) <= LONGEST_DETAIL else f"{text[: LONGEST_DETAIL - 1]}…"


BUILT_IN = (
    *(KnownWord(each, "type", "built in") for each in sorted(TYPES)),
    *(KnownWord(each, "function", "built in") for each in sorted(FUNCTIONS.keys() | FOLDS)),
    *(KnownWord(each, "variable", "built in") for each in sorted(VALUES)),
    *(KnownWord(each, "variable", "built in, in examples") for each in sorted(EXAMPLE_VALUES)),
)


# ---- Around a place ------------------------------------------------------------------------------


def locals_at(tree: nodes.File, offset: int) -> Iterator[KnownWord]:
    """The names that are bound before a place in the same rule, table, example or line."""
    for item in _innermost(tree.items, offset):
        for node in walk(item):
            if node.span.start < offset:
                yield from _bound(node, offset)


def _innermost(items: Iterable[Any], offset: int) -> Iterator[Any]:
    """The declarations around a place; of a variant those in it."""
    started = [each for each in items if each.span.start <= offset]
    for item in started[-1:]:
        if isinstance(item, nodes.Variant):
            yield from _innermost(item.items, offset)
        else:
            yield item


def _bound(node: Any, offset: int) -> Iterator[KnownWord]:
    match node:
        case nodes.Param():
            yield KnownWord(node.name.text, "local", _line(node.span))
        case nodes.For() if offset <= node.span.end + 1:
            yield KnownWord(node.name.text, "local", _heading(node.span))
        case nodes.Fold() | nodes.Build():
            yield KnownWord(node.name.text, "local", _line(node.span))
        case nodes.Each() | nodes.EachMay():
            yield KnownWord(node.name.text, "local", _line(node.span))
            yield KnownWord(node.target.name.text, "local", _line(node.span))
        case nodes.Choose() | nodes.MayChoose() | nodes.Alternative() | nodes.Random():
            yield KnownWord(node.target.name.text, "local", _line(node.span))
        case nodes.Assign(nodes.Name() as name) | nodes.Announce(name):
            yield KnownWord(name.text, "local", _line(node.span))
        case nodes.Ranking():
            yield KnownWord(node.player.text, "local", "the player who is ranked")
        case nodes.Seats():
            for name in node.names:
                yield KnownWord(name.text, "player", _line(node.span))

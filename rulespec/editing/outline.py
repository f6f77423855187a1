"""A text -> its outline, what can be folded, and where something can be done with it."""

from collections.abc import Iterator
from typing import Any, Literal

from attrs import frozen

from rulespec.editing.blocks import DeclarationBlock
from rulespec.editing.symbols import File
from rulespec.source import Span
from rulespec.syntax import nodes


@frozen
class Entry:
    """A declaration, its name, and the rows and declarations in it; places are in the whole text."""

    name: str
    kind: str
    begin: int
    end: int
    name_begin: int
    name_end: int
    inside: "tuple[Entry, ...]" = ()


@frozen
class Lens:
    """Something that can be done with the declaration between two places."""

    begin: int
    end: int
    what: Literal["play", "test", "example"]
    title: str


def outline(file: File) -> list[Entry]:
    """The declarations of a file, with their rows."""
    return [
        entry for block in file.blocks for item in _items(block) for entry in _entry(item, block)
    ]


def _items(block: DeclarationBlock) -> tuple[Any, ...]:
    tree = block.parsed.mended
    unique = {(item.span.start, item.span.end): item for item in (tree.items if tree else ())}
    return tuple(unique.values())


def _entry(node: Any, block: DeclarationBlock) -> Iterator[Entry]:
    kind = type(node).__name__.lower()
    whole = node.span
    if isinstance(node, nodes.Override):
        node, kind = node.declaration, type(node.declaration).__name__.lower()
    name, inside = _name_of(node), _inside(node)
    if name is None:
        return
    text = name.source.text[name.start : name.end]
    if not text.strip():
        return
    yield Entry(
        " ".join(text.strip('"').split()),
        kind,
        *(whole.start + block.begin, whole.end + block.begin),
        *(name.start + block.begin, name.end + block.begin),
        tuple(entry for each in inside for entry in _entry(each, block)),
    )


def _name_of(node: Any) -> Span | None:
    """Where the name of a declaration stands; what has none of its own goes by its first words."""
    if isinstance(node, nodes.Doc | nodes.Omit | nodes.Ruling):
        return None
    for part in ("name", "title", "kind", "condition", "table", "rule"):
        value = getattr(node, part, None)
        if isinstance(value, nodes.Name | nodes.Text):
            return value.span
    text, start = node.span.source.text, node.span.start
    words = text[start : node.span.end].split("\n", 1)[0].split("|")[0].rstrip()
    return Span(node.span.source, start, start + len(words[:60]))


def _inside(node: Any) -> tuple[Any, ...]:
    if isinstance(node, nodes.Variant):
        return node.items
    if isinstance(node, nodes.Pieces | nodes.Zones | nodes.State):
        return node.rows
    return ()


def folds(file: File) -> Iterator[tuple[int, int]]:
    """From where to where a declaration, or a block in it, can be folded; in lines, from 0."""
    lines = file.source.text.split("\n")
    depths = [len(line) - len(line.lstrip()) if line.strip() else -1 for line in lines]
    open_at: list[int] = []
    last = 0
    for number, depth in enumerate([*depths, 0]):
        if depth < 0:
            continue
        while open_at and (number == len(lines) or depths[open_at[-1]] >= depth):
            first = open_at.pop()
            if last > first:
                yield first, last
        if number < len(lines):
            open_at.append(number)
        last = number


def lenses(file: File) -> Iterator[Lens]:
    """Where a game can be played and tested, and an example run."""
    for block in file.blocks:
        for item in _items(block):
            if isinstance(item, nodes.Game):
                yield _lens(item, block, "play")
                yield _lens(item, block, "test")
            for each in item.items if isinstance(item, nodes.Variant) else (item,):
                if isinstance(each, nodes.Example):
                    yield _lens(each, block, "example")


def _lens(
    node: nodes.Game | nodes.Example,
    block: DeclarationBlock,
    what: Literal["play", "test", "example"],
) -> Lens:
    begin, end = node.span.start + block.begin, node.span.end + block.begin
    return Lens(begin, end, what, node.title.value)

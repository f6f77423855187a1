"""A declaration -> the names in it: where each stands, and in what role.

What a name means is decided by `symbols`, which sees all files; here only the tree around it is looked at.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import attrs
from attrs import frozen

from rulespec.editing.blocks import DeclarationBlock
from rulespec.source import Span
from rulespec.syntax import nodes

# What gives a name to all files, to the declaration around it, or a value to something; attributes, which are
# named apart; outputs of tables, which may be named like the members of an enum; and clauses and files.
Role: TypeAlias = Literal[
    "declares",
    "declares member",
    "binds",
    "assigns",
    "asks",
    "declares attribute",
    "declares output",
    "asks attribute",
    "clause",
    "file",
]

_IN_BRACES = re.compile(r"\{(\w+)\}")

# By kind of node, the fields in which names have a role of their own.
_NAMED: tuple[tuple[Role, str, tuple[type, ...]], ...] = (
    ("declares", "name", (nodes.Rule, nodes.Let, nodes.Table, nodes.Enum)),
    ("declares member", "name", (nodes.Member,)),
    ("declares", "name", (nodes.Option, nodes.Zone, nodes.Variable, nodes.Variant, nodes.Always)),
    ("declares", "kind", (nodes.Piece,)),
    ("binds", "name", (nodes.Param, nodes.For, nodes.Fold, nodes.Build, nodes.Each)),
    ("binds", "name", (nodes.EachMay, nodes.Local)),
    ("binds", "player", (nodes.Ranking,)),
    ("binds", "names", (nodes.Seats,)),
    ("assigns", "name", (nodes.Target, nodes.Announce)),
    ("assigns", "target", (nodes.Assign,)),
    ("declares attribute", "name", (nodes.Ranged, nodes.Fixed)),
    ("declares output", "outputs", (nodes.Header,)),
    ("asks attribute", "name", (nodes.Get,)),
    ("asks attribute", "attribute", (nodes.Having,)),
    ("file", "mechanism", (nodes.Used,)),
)
ROLES: dict[type, dict[str, Role]] = {
    kind: {field: role} for role, field, kinds in _NAMED for kind in kinds
}
# In the look of a piece that is described the attributes are only asked for.
DESCRIBED: dict[str, Role] = {"name": "asks attribute"}


@frozen
class Mention:
    """A name, a clause or a file where it stands in a block.

    `item` is the number of the declaration in it, for names that are bound there.
    """

    text: str
    span: Span
    role: Role
    item: int


@lru_cache(maxsize=4096)
def _mentions(tree: nodes.File | None) -> tuple[Mention, ...]:
    found: list[Mention] = []
    number = 0
    for item in tree.items if tree is not None else ():
        if isinstance(item, nodes.Variant):
            found += _inside(attrs.evolve(item, items=()), None, number)
        for part in item.items if isinstance(item, nodes.Variant) else (item,):
            number += 1
            found += _inside(part, None, number)
        number += 1
    # What the parser has taken twice stands once in the text, and what it has made up stands nowhere.
    unique = {(each.span.start, each.span.end): each for each in found if _is_there(each)}
    return tuple(sorted(unique.values(), key=lambda each: each.span.start))


def _is_there(mention: Mention) -> bool:
    span = mention.span
    return bool(mention.text) and mention.text in span.source.text[span.start : span.end]


def mentions_in(block: DeclarationBlock) -> tuple[Mention, ...]:
    """The names in a block, in the order of the text."""
    return _mentions(block.parsed.mended)


def _inside(node: Any, role: Role | None, item: int) -> Iterator[Mention]:
    match node:
        case nodes.Name():
            yield Mention(node.text, node.span, role or "asks", item)
            return
        case nodes.Cite():
            yield Mention(node.first, node.span, "clause", item)
            return
        case nodes.Binding():
            yield from _inside(node.value, None, item)  # the slot is a name of the mechanism
            return
        case nodes.Extends():
            yield Mention(node.path.value, node.path.span, "file", item)
        case nodes.Text():
            yield from _in_braces(node, item)
            return
        case tuple():
            for each in node:
                yield from _inside(each, role, item)
            return
    if not isinstance(node, nodes.Node):
        return
    roles = DESCRIBED if role == "asks attribute" else ROLES.get(type(node), {})
    inner: Role | None = "asks attribute" if isinstance(node, nodes.Described) else None
    for part in attrs.fields(type(node)):
        if part.name != "span":
            value = getattr(node, part.name)
            own = roles.get(part.name)
            if own == "assigns" and not isinstance(value, nodes.Name):
                own = None
            described = inner if part.name == "attributes" else None
            yield from _inside(value, own or described, item)


def _in_braces(text: nodes.Text, item: int) -> Iterator[Mention]:
    """The names in a prompt, or in the look of a piece."""
    span = text.span
    for found in _IN_BRACES.finditer(span.source.text, span.start, span.end):
        place = Span(span.source, found.start(1), found.end(1))
        yield Mention(found[1], place, "asks", item)

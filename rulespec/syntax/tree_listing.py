"""A tree -> a line for each node: the field that holds it, its class, its words and numbers, and where it begins.

For people who work on the language; `rulespec compile FILE --tree` prints it.
"""

from collections.abc import Iterator
from typing import Any

from attrs import fields

from rulespec.source import locate
from rulespec.syntax import nodes


def list_tree(file: nodes.File) -> str:
    """All nodes of a file, each indented below the node that holds it; what is absent is left out.

    >>> print(list_tree(nodes.File((nodes.Game(nodes.Text("The Well"), None),))), end="")
    File 1:1
      items: Game 1:1
        title: Text 'The Well' 1:1
    """
    return "".join(f"{line}\n" for line in _node_lines(file, "", ""))


def _node_lines(node: nodes.Node, field: str, indent: str) -> Iterator[str]:
    parts = [(each.name, getattr(node, each.name)) for each in fields(type(node))]
    inner = [(name, each) for name, value in parts for each in _inner_nodes(value)]
    plain = [repr(value) for name, value in parts if isinstance(value, str | int)]
    start = locate(node.span)[0]
    yield indent + " ".join(
        [
            *([f"{field}:"] if field else []),
            type(node).__name__,
            *plain,
            f"{start.line}:{start.column}",
        ]
    )
    for name, each in inner:
        yield from _node_lines(each, name, f"{indent}  ")


def _inner_nodes(value: Any) -> list[nodes.Node]:
    items = value if isinstance(value, tuple) else (value,)
    return [each for each in items if isinstance(each, nodes.Node)]

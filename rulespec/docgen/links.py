"""A page -> the same page without broken links.

A link to something that the page does not have leads to the page of the game it builds on; if there is none, it becomes
plain text.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from rulespec.docgen.page_elements import Blocks, Link, Page


def settle_links(content: Blocks, places: dict[Page, set[str]], base: str) -> Blocks:
    """Lead links that have no target here to the folder of the base, if there is one."""
    found: Blocks = _settled(content, places, base)
    return found


def link_targets(content: Any) -> Iterator[str]:
    """The ids of all that a link can lead to."""
    if isinstance(content, tuple):
        for each in content:
            yield from link_targets(each)
    elif attrs.has(type(content)):
        for field in attrs.fields(type(content)):
            value = getattr(content, field.name)
            if field.name == "id" and value and not isinstance(content, Link):
                yield value
            yield from link_targets(value)


def _settled(value: Any, places: dict[Page, set[str]], base: str) -> Any:
    if isinstance(value, tuple):
        return tuple(found for each in value for found in _each(each, places, base))
    if not attrs.has(type(value)):
        return value
    fields = [field.name for field in attrs.fields(type(value))]
    inner = {name: getattr(value, name) for name in fields}
    changed = {
        name: _settled(each, places, base)
        for name, each in inner.items()
        if isinstance(each, tuple) or attrs.has(type(each))
    }
    return attrs.evolve(value, **changed) if changed else value


def _each(value: Any, places: dict[Page, set[str]], base: str) -> Iterator[Any]:
    if not isinstance(value, Link) or value.folder or not value.id:
        yield _settled(value, places, base)
    elif value.id in places[value.page]:
        yield value
    elif base:
        yield attrs.evolve(value, folder=base)
    else:
        yield from value.inside

"""A request as JSON text -> its fields, each of the sort that it must be.

Anybody may send anything: a field that is missing or of another sort is refused in a sentence.
"""

import json
import re
from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import frozen

from rulespec import limits
from rulespec.playground.drafts import Draft, file_name

LONGEST = 8_000_000  # characters of a request
MOST_ITEMS = 10_000  # of a list
DEEPEST = 20  # lists and objects in each other

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")

# Hears how far a request is: the share that is done, if that is known, and what is being done.
Tell: TypeAlias = Callable[[float | None, str], None]
Data: TypeAlias = dict[str, Any]


class BadRequest(ValueError):  # noqa: N818 - it says what is wrong
    """Nothing that could be answered; the argument says so in a sentence."""


@frozen
class Request:
    """What is asked for, by the name of the kind."""

    kind: str
    fields: Data

    def has(self, name: str) -> bool:
        """Whether a field was sent."""
        return self.fields.get(name) is not None

    def text(self, name: str) -> str:
        """A field that is a text."""
        return _text(self.fields.get(name), name)

    def number(self, name: str, least: int = 0, most: int = 2**53) -> int:
        """A field that is a whole number in some range."""
        return _number(self.fields.get(name), name, least, most)

    def numbers(self, name: str) -> tuple[int, ...]:
        """A field that is a list of whole numbers; without it there are none."""
        return tuple(_number(each, name, 0, 2**53) for each in _items(self.fields, name))

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that is a list of texts; without it there are none."""
        return tuple(_text(each, name) for each in _items(self.fields, name))

    def parts(self, name: str) -> "tuple[Request, ...]":
        """A field that is a list of things with fields of their own."""
        return tuple(Request(name, _fields(each, name)) for each in _items(self.fields, name))

    def part(self, name: str) -> "Request":
        """A field that has fields of its own."""
        return Request(name, _fields(self.fields.get(name), name))

    def draft(self) -> Draft:
        """The rules that were sent."""
        rules = self.part("rules")
        options = _fields(rules.fields.get("options") or {}, "options")
        return Draft(
            file=file_name(rules.text("file")),
            # As much as is read of a file: the language says that it is too long.
            text=rules.text("text")[: limits.LARGEST_FILE + 1],
            variants=rules.texts("variants"),
            settings=tuple((name, _text(value, name)) for name, value in options.items()),
        )


def read_request(text: str) -> Request:
    """The request that a text is.

    >>> read_request('{"kind": "more", "study": 3}').number("study")
    3
    """
    if len(text) > LONGEST:
        raise BadRequest("this is too long for a request")
    if _depth(text) > DEEPEST:
        raise BadRequest("this is nested too deeply for a request")
    try:
        found = json.loads(text)
    except ValueError as error:
        raise BadRequest("a request is written in JSON, but this is not") from error
    fields = _fields(found, "a request")
    return Request(_text(fields.get("kind"), "kind"), fields)


def _depth(text: str) -> int:
    """How deep a text of JSON is nested. On Pyodide whatever is read too deep ends all of Python.

    >>> _depth('{"kind": "why", "chosen": [1, 2], "text": "[[["}')
    2
    """
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise BadRequest(f"`{name}` must be a text")
    return value


def _number(value: Any, name: str, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadRequest(f"`{name}` must be a whole number from {least} to {most}")
    return value


def _items(fields: Data, name: str) -> list[Any]:
    found = fields.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or len(found) > MOST_ITEMS:
        raise BadRequest(f"`{name}` must be a list")
    return found


def _fields(value: Any, name: str) -> Data:
    if not isinstance(value, dict):
        raise BadRequest(f"`{name}` must be an object with fields")
    return value

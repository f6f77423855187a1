"""The types of `docs/playground/src/protocol.ts` -> whether a value is of such a type.

As much of TypeScript is read as stands there: interfaces, unions, literals, lists, tuples and records.
"""

import marshal
import re
from functools import cache
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

PROTOCOL = Path(__file__).parents[1] / "docs/playground/src/protocol.ts"

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_TOKEN = re.compile(r'\s*("[^"]*"|[A-Za-z_]\w*|\S)')


@frozen
class Plain:
    """`string`, `number`, `boolean` or `unknown`."""

    name: str


@frozen
class Literal:
    """`"rules"`, `true`, `false` or `null`."""

    value: Any


@frozen
class Named:
    """A type that is declared elsewhere."""

    name: str


@frozen
class List:
    """`Span[]`"""

    of: "Type"


@frozen
class Tuple:
    """`[number, number]`"""

    parts: "tuple[Type, ...]"


@frozen
class Record:
    """`Record<string, string>`"""

    of: "Type"


@frozen
class Fields:
    """What stands between braces: of each name its type, and whether it may be left out."""

    fields: "tuple[tuple[str, Type, bool], ...]"


@frozen
class Union:
    """Any of several."""

    members: "tuple[Type, ...]"


Type = Plain | Literal | Named | List | Tuple | Record | Fields | Union
LITERALS = {"true": True, "false": False, "null": None}


@define
class Reader:
    """The tokens of a file, and where it is being read."""

    tokens: list[str]
    at: int = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str | None = None) -> str:
        found = self.peek()
        assert found, "the file ends too early"
        assert wanted in (None, found), f"{wanted} was expected, and not {found}"
        self.at += 1
        return found

    def skip(self, token: str) -> bool:
        if self.peek() == token:
            self.at += 1
            return True
        return False


@cache
def protocol() -> dict[str, Type]:
    """All types by name, but those with parameters."""
    reader = Reader(_TOKEN.findall(_COMMENT.sub("", PROTOCOL.read_text("utf-8"))))
    found: dict[str, Type] = {}
    while reader.peek():
        reader.take("export")
        what, name = reader.take(), reader.take()
        if what == "interface":
            found[name] = _fields(reader)
        elif reader.peek() == "<" or name == "Kind":
            while reader.take() != ";":
                pass
        else:
            reader.take("=")
            found[name] = _type(reader)
            reader.take(";")
    return found


def _fields(reader: Reader) -> Fields:
    reader.take("{")
    found = []
    while not reader.skip("}"):
        name, is_optional = reader.take(), reader.skip("?")
        reader.take(":")
        found.append((name, _type(reader), is_optional))
        if not reader.skip(";"):
            assert reader.peek() == "}"
    return Fields(tuple(found))


def _type(reader: Reader) -> Type:
    reader.skip("|")
    members = [_single(reader)]
    while reader.skip("|"):
        members.append(_single(reader))
    return members[0] if len(members) == 1 else Union(tuple(members))


def _single(reader: Reader) -> Type:
    found = _head(reader)
    while reader.skip("["):
        reader.take("]")
        found = List(found)
    return found


def _head(reader: Reader) -> Type:
    if reader.peek() == "{":
        return _fields(reader)
    word = reader.take()
    if word.startswith('"'):
        return Literal(word[1:-1])
    if word in LITERALS:
        return Literal(LITERALS[word])
    if word in ("string", "number", "boolean", "unknown"):
        return Plain(word)
    if word == "[":
        parts = [_type(reader)]
        while reader.skip(","):
            parts.append(_type(reader))
        reader.take("]")
        return Tuple(tuple(parts))
    if word == "Record":
        for each in ("<", "string", ","):
            reader.take(each)
        found = Record(_type(reader))
        reader.take(">")
        return found
    assert word.isidentifier(), f"{word} is no type"
    return Named(word)


def replies() -> dict[str, str]:
    """Of each kind of request the name of its reply."""
    found = protocol()["Replies"]
    assert isinstance(found, Fields)
    return {kind: of.name for kind, of, _ in found.fields if isinstance(of, Named)}


def requests() -> dict[str, str]:
    """Of each kind of request its own name."""
    found = protocol()["Request"]
    assert isinstance(found, Union)
    names = [each.name for each in found.members if isinstance(each, Named)]
    kinds = {}
    for name in names:
        fields = protocol()[name]
        assert isinstance(fields, Fields)
        kinds |= {
            type_.value: name
            for field_, type_, _ in fields.fields
            if field_ == "kind" and isinstance(type_, Literal)
        }
    return kinds


# ---- Values --------------------------------------------------------------------------------------


@define
class Checker:
    """Compares values with types; `met` are the fields and members that were met, to find what never was."""

    types: dict[str, Type] = field(factory=protocol)
    met: set[tuple[str, str]] = field(factory=set)
    right: set[tuple[str, bytes]] = field(factory=set)  # members of lists, with where they were met

    def wrong(self, value: Any, name: str) -> list[str]:
        """Where a value is not of the type of that name."""
        return self._wrong(value, Named(name), name)

    def _wrong(self, value: Any, type_: Type, where: str) -> list[str]:
        match type_:
            case Named(name):
                found = self.types[name]
                return self._wrong(value, found, name if isinstance(found, Fields) else where)
            case Plain(name):
                return [] if _is_plain(value, name) else [f"{where} is {value!r}, and no {name}"]
            case Literal(wanted):
                same = type(value) is type(wanted) and value == wanted
                return [] if same else [f"{where} is {value!r}, and not {wanted!r}"]
            case Union(members):
                return self._union(value, members, where)
            case _ if not isinstance(value, list | dict):
                return [f"{where} is {value!r}"]
            case List(of):
                if not isinstance(value, list):
                    return [f"{where} is no list"]
                self.met.add((where, "some" if value else "none"))
                return [fault for each in value for fault in self._member(each, of, f"{where}[]")]
            case Tuple(parts):
                if not isinstance(value, list) or len(value) != len(parts):
                    return [f"{where} has not {len(parts)} parts"]
                pairs = zip(value, parts, strict=True)
                return [fault for each, part in pairs for fault in self._wrong(each, part, where)]
            case Record(of):
                if not isinstance(value, dict):
                    return [f"{where} is no record"]
                return [
                    fault
                    for name, each in value.items()
                    for fault in self._wrong(each, of, f"{where}.{name}")
                ]
            case Fields(fields):
                return self._object(value, fields, where)
        raise AssertionError(type_)

    def _member(self, value: Any, type_: Type, where: str) -> list[str]:
        """Of a member of a list, which may come again and again: a story grows by its end."""
        key = where, marshal.dumps(value)
        if key in self.right:
            return []
        faults = self._wrong(value, type_, where)
        if not faults:
            self.right.add(key)
        return faults

    def _union(self, value: Any, members: tuple[Type, ...], where: str) -> list[str]:
        faults: list[str] = []
        before = self.met
        for number, member in enumerate(members):
            self.met = set()
            found = self._wrong(value, member, where)
            met, self.met = self.met, before
            if not found:
                self.met |= {*met, (where, f"member {number}")}
                return []
            faults += found
        return [f"{where} is of no member: {'; '.join(faults[:4])}"]

    def _object(
        self, value: Any, fields: tuple[tuple[str, Type, bool], ...], where: str
    ) -> list[str]:
        if not isinstance(value, dict):
            return [f"{where} has no fields"]
        faults = [
            f"{where}.{name} is not in the protocol"
            for name in value.keys() - {name for name, _, _ in fields}
        ]
        for name, type_, is_optional in fields:
            if name in value:
                self.met.add((where, name))
                faults += self._wrong(value[name], type_, f"{where}.{name}")
            elif not is_optional:
                faults.append(f"{where}.{name} is missing")
        return faults

    def never_met(self, root: str) -> set[tuple[str, str]]:
        """What a value of this type could have had, and none ever did."""
        wanted: set[tuple[str, str]] = set()
        self._want(Named(root), root, wanted, set())
        return wanted - self.met

    def _want(
        self, type_: Type, where: str, wanted: set[tuple[str, str]], entered: set[str]
    ) -> None:
        match type_:
            case Named(name):
                found = self.types[name]
                if isinstance(found, Fields):
                    if name in entered:
                        return
                    entered.add(name)
                    where = name
                self._want(found, where, wanted, entered)
            case List(of):
                wanted.add((where, "some"))
                self._want(of, f"{where}[]", wanted, entered)
            case Union(members):
                for number, member in enumerate(members):
                    wanted.add((where, f"member {number}"))
                    self._want(member, where, wanted, entered)
            case Fields(fields):
                for name, inner, _ in fields:
                    wanted.add((where, name))
                    self._want(inner, f"{where}.{name}", wanted, entered)


def _is_plain(value: Any, name: str) -> bool:
    match name:
        case "unknown":
            return True
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
    return isinstance(value, int | float) and not isinstance(value, bool)

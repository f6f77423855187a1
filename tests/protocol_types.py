"""A value and a type of `typing` -> where the value is not of the type; and which parts of types no value had."""

import marshal
import types
import typing
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

from attrs import define, field

Part = tuple[str, str]  # where, and which field, member of a union, or length of a list


@define
class Checker:
    """Compares values with types; `met` are the parts that some value had."""

    met: set[Part] = field(factory=set)
    right: set[tuple[str, bytes]] = field(factory=set)  # members of lists, with where they were met

    def wrong(self, value: Any, of: Any, where: str = "") -> list[str]:
        """What does not fit, each with its place."""
        if is_typeddict(of):
            return self._fields(value, of)
        inner = get_args(of)
        match get_origin(of):
            case None:
                fits = _is_plain(value, of)
            case typing.Literal:
                self.met.add((where, repr(value)))
                fits = any(type(each) is type(value) and each == value for each in inner)
            case typing.Union | types.UnionType:
                return self._union(value, inner, where)
            case origin if origin is list and isinstance(value, list):
                self.met.add((where, "some" if value else "none"))
                return [x for each in value for x in self._member(each, inner[0], f"{where}[]")]
            case origin if origin is dict and isinstance(value, dict):
                return [x for each in value.values() for x in self.wrong(each, inner[1], where)]
            case origin if origin is tuple and isinstance(value, list) and len(value) == len(inner):
                pairs = zip(value, inner, strict=True)
                return [fault for pair in pairs for fault in self.wrong(*pair, where)]
            case _:
                fits = False
        return [] if fits else [f"{where} is {value!r}, and no {_name(of)}"]

    def _member(self, value: Any, of: Any, where: str) -> list[str]:
        """Of a member of a list, which may come again and again: a story grows by its end."""
        key = where, marshal.dumps(value)
        if key in self.right:
            return []
        faults = self.wrong(value, of, where)
        if not faults:
            self.right.add(key)
        return faults

    def _union(self, value: Any, members: tuple[Any, ...], where: str) -> list[str]:
        faults: list[str] = []
        before = self.met
        for member in members:
            self.met = set()
            found = self.wrong(value, member, where)
            met, self.met = self.met, before
            if not found:
                self.met |= {*met, (where, _name(member))}
                return []
            faults += found
        return [f"{where} is of no member: {'; '.join(faults[:4])}"]

    def _fields(self, value: Any, of: Any) -> list[str]:
        name, fields = of.__name__, _types_of(of)
        if not isinstance(value, dict):
            return [f"{name} has no fields"]
        faults = [f"{name}.{each} is not in the protocol" for each in value.keys() - fields.keys()]
        faults += [f"{name}.{each} is missing" for each in of.__required_keys__ - value.keys()]
        for each in value.keys() & fields.keys():
            self.met.add((name, each))
            faults += self.wrong(value[each], fields[each], f"{name}.{each}")
        return faults

    def never_met(self, of: Any) -> set[Part]:
        """What a value of this type could have had, and none ever did."""
        return _parts(of, "", set()) - self.met


_types_of = cache(get_type_hints)


def _parts(of: Any, where: str, entered: set[Any]) -> set[Part]:
    """All parts of a type, each class once."""
    inner = get_args(of)
    found: set[Part] = set()
    if is_typeddict(of) and of not in entered:
        entered.add(of)
        for name, each in _types_of(of).items():
            found |= {(of.__name__, name)} | _parts(each, f"{of.__name__}.{name}", entered)
    elif get_origin(of) is typing.Literal:
        found = {(where, repr(each)) for each in inner}
    elif get_origin(of) in (typing.Union, types.UnionType):
        found = {(where, _name(each)) for each in inner}
        found = found.union(*(_parts(each, where, entered) for each in inner))
    elif get_origin(of) is list:
        found = {(where, "some")} | _parts(inner[0], f"{where}[]", entered)
    return found


def _name(of: Any) -> str:
    return str(of if get_origin(of) else of.__name__)


def _is_plain(value: Any, of: Any) -> bool:
    return of is Any or type(value) is of or (of is float and type(value) is int)

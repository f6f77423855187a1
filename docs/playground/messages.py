"""The classes of `rulespec.playground.protocol` -> `src/messages.ts`, so that the page is compiled against them.

python docs/playground/messages.py
"""

import ast
import builtins
import inspect
import json
import types
import typing
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType, NoneType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

from rulespec.playground import protocol
from rulespec.playground.backend import KINDS, handler_of

TARGET = Path(__file__).parent / "src/messages.ts"
HEAD = "// Written by `make accept` from the classes of `rulespec.playground.protocol`: change them there.\n"
PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    NoneType: "null",
    Any: "unknown",
}


def modules() -> list[ModuleType]:
    """All modules that declare messages."""
    names = [each.name for each in iter_modules(protocol.__path__)]
    return [import_module(f"{protocol.__name__}.{name}") for name in names]


@cache
def requests() -> dict[str, type]:
    """Of each kind of request its class."""
    classes = [each for module in modules() for each in _classes(module)]
    kinds = {get_args(get_type_hints(each).get("kind")): each for each in classes}
    return {kind: kinds[kind,] for kind in KINDS}


@cache
def replies() -> dict[str, type]:
    """Of each kind of request the class of its reply: what the function returns that answers it."""
    return {kind: get_type_hints(handler_of(kind))["return"] for kind in KINDS}


def typescript() -> str:
    """All messages."""
    declared = [each for module in modules() for each in _declarations(module)]
    union = "".join(f"\n  | {each.__name__}" for each in requests().values())
    lines = "".join(f"  {kind}: {each.__name__};\n" for kind, each in replies().items())
    ends = [
        f"/** What the page may ask for, by `kind`. */\nexport type Request ={union};\n",
        f"/** What comes back for each kind, if all is well. */\nexport interface Replies {{\n{lines}}}\n",
    ]
    return "\n".join([HEAD, *ends, *declared])


def _classes(module: ModuleType) -> list[type]:
    found = [each for each in vars(module).values() if is_typeddict(each)]
    return [each for each in found if each.__module__ == module.__name__]


def _declarations(module: ModuleType) -> Iterator[str]:
    comments = dict(_comments(inspect.getsource(module)))
    unions = {vars(module)[name]: name for owner, name in comments if not owner}
    for each in _classes(module):
        fields = "".join(
            f"{_remark(comments[each.__name__, name], '  ')}"
            f"  {name}{'' if name in each.__required_keys__ else '?'}: {_type(of, unions)};\n"
            for name, of in get_type_hints(each).items()
        )
        yield f"{_remark(each.__doc__)}export interface {each.__name__} {{\n{fields}}}\n"
    for union, name in unions.items():
        yield f"{_remark(comments['', name])}export type {name} = {_type(union, {})};\n"


def _comments(source: str) -> Iterator[tuple[tuple[str, str], str]]:
    """What stands above the fields of classes, and above types that have a name."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        for each in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                owner = node.name if isinstance(node, ast.ClassDef) else ""
                above = takewhile(lambda line: line.startswith("#"), _upwards(lines, each.lineno))
                words = [line.removeprefix("#").strip() for line in above]
                yield (owner, each.target.id), " ".join(reversed(words))


def _upwards(lines: list[str], line: int) -> list[str]:
    return [each.strip() for each in lines[line - 2 :: -1]]


def _remark(text: str | None, indent: str = "") -> str:
    return f"{indent}/** {' '.join(text.split())} */\n" if text else ""


def _type(of: Any, names: dict[Any, str]) -> str:
    """A type in TypeScript."""
    if of in names:
        return names[of]
    inner = [_type(each, names) for each in get_args(of) if not isinstance(each, str | bool)]
    match get_origin(of):
        case None:
            return PLAIN.get(of) or str(of.__name__)
        case typing.Literal:
            return " | ".join(json.dumps(each) for each in get_args(of))
        case typing.Union | types.UnionType:
            return " | ".join(inner)
        case builtins.list:
            return f"({inner[0]})[]" if " | " in inner[0] else f"{inner[0]}[]"
        case builtins.tuple:
            return f"[{', '.join(inner)}]"
        case builtins.dict:
            return f"Record<{', '.join(inner)}>"
    raise TypeError(f"{of} has no word in TypeScript yet: add it here")


if __name__ == "__main__":
    TARGET.write_text(typescript(), "utf-8")

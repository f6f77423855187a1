"""Functions and classes -> the page about them, from their docstrings.

Signatures stand as they are written in the source, so that the page is the same with every Python.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from rulespec.docgen import GENERATED

PLAIN = 72  # characters of a signature that stand on one line


def interface_page(faces: Sequence[tuple[ModuleType, Sequence[str]]]) -> str:
    """The reference of some names of some modules."""
    parts = [
        GENERATED,
        "# Python interface",
        (
            "What programs may rely on, from the docstrings.\n"
            "[From Python](python.md) shows in one go how these are used."
        ),
    ]
    for module, names in faces:
        parts.append(f"## {module.__name__} {{ #{module.__name__} }}")
        parts.append(_first_paragraph(module))
        for name in names:
            parts += _entry(module.__name__, name, getattr(module, name))
    return "\n\n".join(parts) + "\n"


def _first_paragraph(module: ModuleType) -> str:
    told = (inspect.getdoc(module) or "").partition("\n\n")[0]
    return told if told.endswith(".") else f"{told}."


def _entry(module: str, name: str, value: Any) -> Iterator[str]:
    yield f"### {name} {{ #{module}.{name} }}"
    tree = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
    match tree:
        case ast.FunctionDef():
            yield _block(_signature(name, tree))
            # An example calls a function by the name that it has at home.
            yield from (re.sub(rf"\b{tree.name}\b", name, each) for each in _told(value))
        case ast.ClassDef():
            yield _block(_heading(name, tree))
            yield from _told(value)
            yield from _fields(tree)
            yield from _methods(value, tree)
        case _:
            raise TypeError(f"{name} is neither a function nor a class")


# ---- Functions -----------------------------------------------------------------------------------


def _signature(name: str, tree: ast.FunctionDef, *, without_self: bool = False) -> str:
    words = _arguments(tree.args)
    words = words[1:] if without_self else words
    result = f" -> {ast.unparse(tree.returns).strip(_QUOTES)}" if tree.returns else ""
    line = f"{name}({', '.join(words)}){result}"
    if len(line) <= PLAIN:
        return line
    listed = "".join(f"    {word},\n" for word in words)
    return f"{name}(\n{listed}){result}"


_QUOTES = "'\""


def _arguments(arguments: ast.arguments) -> list[str]:
    """Each argument as it is written, with its default."""
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    words = [_argument(one, default) for one, default in zip(plain, defaults, strict=True)]
    if arguments.vararg:
        words.append(f"*{_argument(arguments.vararg, None)}")
    elif arguments.kwonlyargs:
        words.append("*")
    words += [
        _argument(one, default)
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return words


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    type_ = f": {ast.unparse(argument.annotation).strip(_QUOTES)}" if argument.annotation else ""
    return f"{argument.arg}{type_}" + (f" = {ast.unparse(default)}" if default else "")


# ---- Classes -------------------------------------------------------------------------------------


def _heading(name: str, tree: ast.ClassDef) -> str:
    bases = ", ".join(ast.unparse(base) for base in tree.bases)
    return f"class {name}({bases})" if bases else f"class {name}"


def _fields(tree: ast.ClassDef) -> Iterator[str]:
    fields = [
        (each.target.id, ast.unparse(each.annotation).strip(_QUOTES))
        for each in tree.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]
    shown = [(name, type_) for name, type_ in fields if not name.startswith("_")]
    if shown:
        yield "| field | type |\n| --- | --- |\n" + "\n".join(
            f"| `{name}` | {_code_in_table(type_)} |" for name, type_ in shown
        )


def _methods(value: Any, tree: ast.ClassDef) -> Iterator[str]:
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
            is_property = any(ast.unparse(one) == "property" for one in each.decorator_list)
            shown = each.name if is_property else _signature(each.name, each, without_self=True)
            result = f" -> {ast.unparse(each.returns)}" if is_property and each.returns else ""
            yield _block(f"{shown}{result}")
            yield from _told(vars(value)[each.name])


# ---- Texts ---------------------------------------------------------------------------------------


def _told(value: Any) -> Iterator[str]:
    """A docstring, with its examples as code."""
    for part in re.split(r"\n\n+", inspect.getdoc(value) or ""):
        if part:
            yield _block(part) if part.startswith(">>>") else part


def _block(text: str) -> str:
    return f"```python\n{text}\n```"


def _code_in_table(text: str) -> str:
    escaped = text.replace("|", "&#124;")
    return f"<code>{escaped}</code>" if "|" in text else f"`{text}`"


def public_names(module: ModuleType) -> list[str]:
    """What a module offers, if it says so, besides plain values."""
    found: Mapping[str, Any] = {name: getattr(module, name) for name in module.__all__}
    return [
        name for name, value in found.items() if inspect.isclass(value) or inspect.isfunction(value)
    ]

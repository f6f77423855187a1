"""Card games as formal, executable rules: the public face of the language.

>>> import rulespec
>>> rulespec.check("sins.rules").diagnostics
()
>>> rulespec.parse(rulespec.read("sins.rules")).file.items[0].title.value
'7 – The Sins'

Names are imported at their first use, so that the command starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulespec.checks import check_file as check  # noqa: F401 - for type checkers
    from rulespec.diagnostics import Diagnostic as Diagnostic
    from rulespec.loading import read as read
    from rulespec.rendering import render as render
    from rulespec.source import Source as Source
    from rulespec.source import Span as Span
    from rulespec.syntax.formatter import format_source as format_source
    from rulespec.syntax.parser import parse as parse

__version__ = "0.1.0"

_HOMES = {
    "Diagnostic": ("rulespec.diagnostics", "Diagnostic"),
    "Source": ("rulespec.source", "Source"),
    "Span": ("rulespec.source", "Span"),
    "check": ("rulespec.checks", "check_file"),
    "format_source": ("rulespec.syntax.formatter", "format_source"),
    "parse": ("rulespec.syntax.parser", "parse"),
    "read": ("rulespec.loading", "read"),
    "render": ("rulespec.rendering", "render"),
}

__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604 - all of them are strings


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        module, own_name = _HOMES[name]
        return getattr(import_module(module), own_name)
    raise AttributeError(f"module `rulespec` has no `{name}`")

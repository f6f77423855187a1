"""Card games as formal, executable rules: the public face of the language.

>>> import rulespec
>>> parsed = rulespec.parse(rulespec.read("sins.rules"))
>>> parsed.diagnostics
()

Everything is imported when it is first asked for, so that the command starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulespec.diagnostics import Diagnostic as Diagnostic
    from rulespec.loading import read as read
    from rulespec.rendering import render as render
    from rulespec.source import Source as Source
    from rulespec.source import Span as Span
    from rulespec.syntax.formatter import format_source as format_source
    from rulespec.syntax.parser import parse as parse

__version__ = "0.1.0"

_HOMES = {
    "Diagnostic": "rulespec.diagnostics",
    "Source": "rulespec.source",
    "Span": "rulespec.source",
    "format_source": "rulespec.syntax.formatter",
    "parse": "rulespec.syntax.parser",
    "read": "rulespec.loading",
    "render": "rulespec.rendering",
}

__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604 - all of them are strings


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module `rulespec` has no `{name}`")

"""A new Python -> a backend that answers at once: the site ships a snapshot of its memory.

All modules that answer requests are imported, and the game that the page opens with is checked and started once. Its
WebAssembly module is written and then forgotten: a snapshot cannot hold anything of a browser.
"""

import gc
import json
from importlib import import_module
from typing import Any

from interpreter.engines import forget_modules
from rulespec import loading
from rulespec.playground.backend import KINDS, Backend

FIRST = "sins.rules"  # what the page opens with
SEATS = [{"name": "You", "kind": "human"}, {"name": "Ben", "kind": "normal"}]


def warm_up() -> Backend:
    """A new backend in a Python that has imported and played everything once."""
    _rehearse()
    forget_modules()
    gc.collect()
    return Backend()


def _rehearse() -> None:
    for module in sorted(set(KINDS.values())):
        import_module(f"rulespec.playground.{module}")
    rules = {"file": FIRST, "text": loading.read(FIRST).text}
    backend = Backend()
    _ask(backend, {"kind": "hello"})
    _ask(backend, {"kind": "check", "rules": rules})
    begun = {"kind": "start", "rules": {**rules, "variants": [], "options": {}}, "seats": SEATS}
    _ask(backend, {**begun, "seed": "1", "first": 1, "beats": True})
    _ask(backend, {"kind": "cards"})
    _ask(backend, {"kind": "bot", "beats": True})


def _ask(backend: Backend, request: dict[str, Any]) -> None:
    reply = json.loads(backend.answer(json.dumps(request)))
    if not reply["ok"]:
        raise RuntimeError(f"{request['kind']}: {reply['error']}")

"""A desk that is ready before anybody opens the page: the site keeps a snapshot of it.

Everything that answers requests is imported, and the game that the page opens with is checked and begun once. Its
module is written, but runs no more: a snapshot holds nothing of a browser.
"""

import gc
import json
from importlib import import_module
from typing import Any

from interpreter.engines import forget_modules
from rulespec import loading
from rulespec.playground.desk import KINDS, Desk

FIRST = "sins.rules"  # what the page opens with
SEATS = [{"name": "You", "kind": "human"}, {"name": "Ben", "kind": "normal"}]


def warm_up() -> Desk:
    """A new desk in a Python that has done all of it before."""
    _rehearse()
    forget_modules()
    gc.collect()
    return Desk()


def _rehearse() -> None:
    for module in sorted(set(KINDS.values())):
        import_module(f"rulespec.playground.{module}")
    rules = {"file": FIRST, "text": loading.read(FIRST).text}
    desk = Desk()
    _ask(desk, {"kind": "hello"})
    _ask(desk, {"kind": "check", "rules": rules})
    begun = {"kind": "start", "rules": {**rules, "variants": [], "options": {}}, "seats": SEATS}
    _ask(desk, {**begun, "seed": "1", "first": 1, "beats": True})
    _ask(desk, {"kind": "cards"})
    _ask(desk, {"kind": "bot", "beats": True})


def _ask(desk: Desk, request: dict[str, Any]) -> None:
    reply = json.loads(desk.answer(json.dumps(request)))
    if not reply["ok"]:
        raise RuntimeError(f"{request['kind']}: {reply['error']}")

"""A request as JSON text -> the reply as JSON text, whatever happens.

A refusal says whose fault it is: that of the rules, the player, the request, or ours. The module that answers a kind of
request is imported when it is first needed: a page that only checks must not wait for bots.
"""

import json
import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias

from attrs import define, field

from rulespec.playground.backend_state import BackendState, draft_of_request
from rulespec.playground.protocol.basics import Refusal
from rulespec.playground.requests import BadRequest, Request, Tell, read_request

Handler: TypeAlias = Callable[[BackendState, Request, Tell], Mapping[str, object]]

# For each kind of request the module with its `answer_…`.
KINDS = {
    "hello": "menus",
    "games": "menus",
    "overlay": "menus",
    "check": "writing",
    "format": "writing",
    "export": "writing",
    "examples": "examples",
    "complete": "completions",
    "name": "names",
    "places": "names",
    "rename": "names",
    "mend": "fixes",
    "cards": "pictures",
    "reference": "references",
    "resume": "keeping",
    "start": "playing",
    "take": "playing",
    "bot": "playing",
    "tick": "playing",
    "choose": "playing",
    "undo": "playing",
    "leave": "playing",
    "hint": "playing",
    "why": "why_replies",
    "simulate": "studies",
    "compare": "studies",
    "more": "studies",
}


@define
class Backend:
    """Answers requests one by one, and keeps the game that is played."""

    memory: BackendState = field(factory=BackendState)

    def answer(self, text: str, tell: Callable[[str], Any] = lambda _text: None) -> str:
        """The reply to a request; `tell` gets its progress, as JSON text as well."""

        def hear(share: float | None, what: str) -> None:
            tell(json.dumps({"share": share, "text": what}))

        request = None
        try:
            request = read_request(text)
            return json.dumps({"ok": True, **_reply(self.memory, request, hear)}, allow_nan=False)
        except Exception as error:  # noqa: BLE001 - whatever happens, the page must hear of it
            return json.dumps(_refusal(error, self.memory, request))

    def keep(self) -> str | None:
        """The game under way as text, for `recall` in another worker; it must not reach the page."""
        if self.memory.game is None:
            return None
        kept: str | None = import_module("rulespec.playground.keeping").keep(self.memory)
        return kept

    def recall(self, kept: str | None) -> None:
        """What an earlier worker kept: a request to resume goes on with it."""
        self.memory.kept = kept


def _reply(memory: BackendState, request: Request, tell: Tell) -> Mapping[str, object]:
    if request.kind not in KINDS:
        raise BadRequest("nobody knows this kind of request")
    return handler_of(request.kind)(memory, request, tell)


def handler_of(kind: str) -> Handler:
    """The function that answers requests of a kind; it returns the class of their replies."""
    handler: Handler = getattr(
        import_module(f"rulespec.playground.{KINDS[kind]}"), f"answer_{kind}"
    )
    return handler


def _refusal(error: Exception, memory: BackendState, request: Request | None) -> Refusal:
    """Why there is no answer."""
    if isinstance(error, BadRequest) or request is None:
        return _because("request", str(error))
    try:
        module = import_module("rulespec.playground.refusals")
        found: Refusal | None = module.refusal_for(error, draft_of_request(memory, request))
    except BadRequest as bad:
        return _because("request", str(bad))
    except Exception as another:  # noqa: BLE001 - as above
        return _bug(another)
    return found if found is not None else _bug(error)


def _because(fault: Literal["request", "bug"], sentence: str) -> Refusal:
    return {"ok": False, "error": sentence, "fault": fault, "diagnostics": []}


def _bug(error: Exception) -> Refusal:
    """A bug of ours, by its place: what it says itself might tell a secret of the game."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = "".join(f" in {Path(each.filename).name}, line {each.lineno}" for each in last)
    return _because("bug", f"this is a bug in rulespec: {type(error).__name__}{where}")

"""A request to run the examples of the text in the editor -> which hold, for the file and for each of its variants."""

from functools import lru_cache
from typing import Any

from interpreter import trials
from interpreter.coverage import CoverageTally
from interpreter.match import Game
from interpreter.trials import Finding, Trial, Wish
from rulespec.playground.backend_state import BackendState, game_from_draft
from rulespec.playground.diagnostics_data import diagnostics_data
from rulespec.playground.drafts import Draft
from rulespec.playground.places import page_span
from rulespec.playground.protocol.authoring import Example, ExamplesReply
from rulespec.playground.requests import BadRequest, Request, Tell
from rulespec.rendering import counted
from rulespec.source import Span
from rulespec.syntax import nodes


def answer_examples(_memory: BackendState, request: Request, tell: Tell) -> ExamplesReply:
    """Run all of them, or those of the variants that are chosen."""
    draft = request.draft()
    if trials.is_mechanism(draft.source):
        raise BadRequest("this is a mechanism: test a game that uses it")
    plain = Draft(draft.file, draft.text)
    base = game_from_draft(plain, whole=False)
    wanted = _count(base)
    trial = Trial(draft.path, draft.source, Wish(), lambda _text: None, CoverageTally(draft.source))
    trial.games = _games(plain)
    trial.games[(), ()] = base
    chosen = [(name,) for name in draft.variants or trials.own_variants(base)]
    found: list[Example] = []
    for variants in chosen if draft.variants else [(), *chosen]:
        for declared, findings in trials.run_examples(trial, variants):
            found.append(_example(draft, variants, declared.node, findings))
            tell(len(found) / max(wanted, len(found)), found[-1]["title"])
    return {"examples": found, "summary": _summary(found)}


@lru_cache(maxsize=2)
def _games(_draft: Draft) -> dict[Any, Game]:
    """The same rules with what examples ask for: who runs them again need not wait again."""
    return {}


def _count(game: Game) -> int:
    """How many examples a text has, with those of its variants."""
    items = game.program.declared.files[-1].items
    inner = [item for each in items if isinstance(each, nodes.Variant) for item in each.items]
    return sum(isinstance(item, nodes.Example) for item in (*items, *inner))


def _example(
    draft: Draft, variants: tuple[str, ...], node: nodes.Example, findings: list[Finding]
) -> Example:
    running = findings[0].rules if findings else ()
    return {
        "title": node.title.value,
        "variant": variants[0] if variants else None,
        "span": page_span(draft, _heading(node.span)),
        "passed": not findings,
        "diagnostics": diagnostics_data(draft, (each.diagnostic for each in findings)),
        "running": list(running),
    }


def _heading(span: Span) -> Span:
    end = span.source.text.find("\n", span.start, span.end)
    return Span(span.source, span.start, span.end if end < 0 else end)


def _summary(found: list[Example]) -> str:
    passed = sum(each["passed"] for each in found)
    many = counted(len(found), "example")
    hold = "holds" if len(found) == 1 else "hold"
    if not found:
        return "there are no examples"
    return f"{many} {hold}" if passed == len(found) else f"{passed} of {many} hold"

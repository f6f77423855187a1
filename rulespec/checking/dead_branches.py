"""An `if` in its scope -> a warning, if one of its branches can never run.

It reports only what the text of the file itself decides. A condition that never holds because of the number of
players, an option, a slot or an overlay may still be right: it was written for other games.
"""

from rulespec import codes
from rulespec.checking.declarations import Declarations, used_names
from rulespec.checking.estimates import estimate
from rulespec.checking.scopes import Scope
from rulespec.checking.wording import written
from rulespec.diagnostics import Diagnostic, Related
from rulespec.syntax import nodes


def warn_dead_branch(scope: Scope, node: nodes.If) -> None:
    """Warn about a condition that never holds, or that always holds although there is an `else`."""
    if scope.faults is None:
        return
    holds = estimate(scope, node.condition).holds
    if holds is None or (holds and node.otherwise is None):
        return
    if not _is_settled(scope.known.program, node.condition):
        return
    never = node.otherwise if holds and node.otherwise is not None else node.body
    so, what = ("always", "the `else`") if holds else ("never", "its block")
    message = f"{written(node.condition)} {so} holds here, so {what} never runs"
    related = (Related("never runs", never.span),)
    hint = "change the condition, or delete it and what never runs"
    told = Diagnostic(codes.NEVER_DONE, message, node.condition.span, related, hint, "warning")
    scope.faults.append(told)


def _is_settled(program: Declarations, test: nodes.Expr) -> bool:
    """Whether everything that a condition depends on is declared in this file, and this is the only file."""
    if len(program.files) != 1 or program.files[0].span.source != test.span.source:
        return False
    if program.players is not None and program.players.layer.origin != "file":
        return False
    seen: set[str] = set()
    waiting = [name.text for name in used_names(test)]
    while waiting:
        text = waiting.pop()
        if text in seen:
            continue
        seen.add(text)
        layers = [each[text].layer for each in (program.variables, program.enums) if text in each]
        routine = program.routines.get(text)
        if routine is not None:
            layers += [each.layer for each in (*routine.versions, *routine.rows)]
            waiting += [name.text for name in used_names(routine.versions[-1].node)]
        if text in program.options or text == "players" or any(e.origin != "file" for e in layers):
            return False
    return True

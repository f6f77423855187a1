"""The call graph -> diagnostics for chains of calls that are too deep.

A `let` that is nested ten levels deep and calls another one of ten levels reaches twenty levels. Later stages and
engines may follow calls by recursion, so this depth is limited.
"""

from collections.abc import Iterator
from typing import Any

from rulespec import codes
from rulespec.checking.calls import Flow, function_body
from rulespec.checking.declarations import nested
from rulespec.diagnostics import Diagnostic, Related
from rulespec.limits import DEEPEST
from rulespec.source import Span
from rulespec.syntax import nodes

MOST_SHOWN = 3  # calls of a chain


def check_depths(flow: Flow, order: list[str]) -> Iterator[Diagnostic]:
    """Report the first routine of each chain that is too deep; in `order`, callees come before callers."""
    depths: dict[str, int] = {}  # levels of a function, length of the chain of a rule
    through: dict[str, str] = {}  # by which call it is so deep
    bodies: dict[str, list[Any]] = {}
    for part in flow.live:
        bodies.setdefault(part.owner, []).append(part.body)
    for name in order:
        routine = flow.program.routines[name]
        calls = flow.calls[name]
        functions = {each for each in calls if flow.program.routines[each].kind == "function"}
        is_function = routine.kind == "function"
        tree = function_body(routine)[0] if is_function else tuple(bodies.get(name, ()))
        own = reached = 0
        for node, level in nested(tree):
            own = max(own, level)
            called = node.text if isinstance(node, nodes.Name) else ""
            if called in functions and level + depths[called] > reached:
                reached = level + depths[called]
                through[name] = called
        depths[name] = max(own, reached) if is_function else 1
        for other in calls if not is_function else ():
            if other not in functions and depths[other] >= depths[name]:
                depths[name] = depths[other] + 1
                if depths[name] > DEEPEST:
                    through[name], reached = other, depths[name]
        # If the callee is already too deep, it is reported instead.
        if reached > DEEPEST and depths[through[name]] <= DEEPEST:
            yield _too_deep(flow, name, through)


def _too_deep(flow: Flow, name: str, through: dict[str, str]) -> Diagnostic:
    chain: list[tuple[str, str, Span]] = []
    at = name
    while through.get(at) and len(chain) <= MOST_SHOWN:
        chain.append((at, through[at], flow.calls[at][through[at]]))
        at = through[at]
    related = tuple(Related(f"`{one}` calls `{other}`", span) for one, other, span in chain[1:])
    message = f"`{name}` and everything it calls are more than {DEEPEST} levels deep"
    hint = "calculate part of it in a rule, and keep the result in a variable"
    if flow.program.routines[through[name]].kind != "function":
        message = f"`{name}` begins a chain of more than {DEEPEST} rules that call each other"
        hint = "merge several of these rules into one"
    return Diagnostic(codes.DEEP_CALLS, message, chain[0][2], related[:MOST_SHOWN], hint)

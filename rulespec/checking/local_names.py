"""`let f(x) = e with a = …` -> the same function without local names: each stands for its expression.

A value is computed where it is used, and functions change nothing, so a local name can be replaced by its expression.
"""

from collections.abc import Iterator

from attrs import evolve

from rulespec import codes
from rulespec.checking.declarations import used_names
from rulespec.checking.substitution import bound_names, replace_all
from rulespec.diagnostics import Diagnostic, Related
from rulespec.syntax import nodes


def inline_locals(let: nodes.Let) -> tuple[nodes.Let, list[Diagnostic]]:
    """A function with its local names replaced, and the mistakes in them."""
    if not let.locals:
        return let, []
    found = [*_check(let)]
    names: dict[str, nodes.Expr] = {}
    for local in let.locals:
        names[local.name.text] = replace_all(local.value, names)
    return evolve(let, value=replace_all(let.value, names), locals=()), found


def _check(let: nodes.Let) -> Iterator[Diagnostic]:
    taken = {param.name.text: param.name for param in let.params}
    for number, local in enumerate(let.locals):
        name = local.name
        if name.text in taken:
            message = f"`{name.text}` is declared twice"
            related = (Related("the first one", taken[name.text].span),)
            hint = "choose another name"
            yield Diagnostic(codes.REDECLARED, message, name.span, related, hint)
        taken[name.text] = name
        later = (let.value, *(each.value for each in let.locals[number + 1 :]))
        if not any(each.text == name.text for part in later for each in used_names(part)):
            message = f"the name `{name.text}` is never used"
            yield Diagnostic(codes.UNUSED, message, name.span, severity="warning")
        yield from _check_captured(local, later)


def _check_captured(local: nodes.Local, later: tuple[nodes.Expr, ...]) -> Iterator[Diagnostic]:
    """Report a comprehension whose variable would capture a name in the local's expression."""
    used = {each.text for each in used_names(local.value)} - bound_names(local.value)
    for part in later:
        clash = sorted(bound_names(part) & (used | {local.name.text}))
        if clash:
            message = f"`{clash[0]}` means two things here: a variable of a comprehension, and something else"
            hint = f"call the variable something else than `{clash[0]}`"
            yield Diagnostic(codes.REDECLARED, message, local.name.span, hint=hint)
            return

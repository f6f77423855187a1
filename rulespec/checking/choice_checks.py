"""A choice in its scope -> mistakes in its options, and a doubt if there may be nothing to choose from.

Implements docs/language/12-checks.md, "Choices" and "Doubts". A player who `may choose` can decline, so doubts concern
only chance and players who must choose. `secrets` checks who may see the options.
"""

from collections.abc import Container
from typing import assert_never

from rulespec import codes
from rulespec.checking.declarations import walk
from rulespec.checking.estimates import estimate
from rulespec.checking.scopes import Scope, doubt, mentions, report
from rulespec.checking.substitution import of_element
from rulespec.checking.wording import as_written, written
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import text_of
from rulespec.syntax import nodes

ChoiceStatement = nodes.Choice | nodes.Random


def check_choice(scope: Scope, node: ChoiceStatement, local: Container[str]) -> None:
    """Report options that are wrong, and note those that may be empty; a filter may call the target by its name."""
    if scope.faults is None:
        return
    if isinstance(node, nodes.Each | nodes.EachMay):
        _check_index(scope, node)
    there = False
    other = node.alternative if isinstance(node, nodes.Choose) else None
    for each in (node,) if other is None else (node, other):
        own = each.target.name.text if each.target.name.text in local else "it"
        found = estimate(scope, of_element(each.options, own))
        there = there or found.least > 0
        _tell_no_option(scope, node, each.options)
        if found.most == 0:
            who = "chance" if isinstance(node, nodes.Random) else "the player"
            text = text_of(each.options.span)
            message = f"{who} has nothing to choose from, `{text}` is always empty"
            report(scope, codes.NO_OPTIONS, message, each.options.span)
        elif found.listed is not None:
            scope.faults.append(_must_be_listed(each.options, found.listed))
    if not there and not scope.in_example:
        _doubt(scope, node, local)


def _check_index(scope: Scope, node: nodes.Each | nodes.EachMay) -> None:
    """Everybody's choice has a place of its own: `gift[q]`."""
    name, target = node.name.text, node.target
    if target.index == node.name:
        return
    message = f"every `{name}` chooses `{target.name.text}`"
    if target.index is None:
        message += ", but it has room for only one choice"
    else:
        index = text_of(target.index.span)
        message = f"the choice of each `{name}` goes to `{target.name.text}[{index}]`"
    report(scope, codes.EACH_INDEX, message, target.span, f"write `{target.name.text}[{name}]`")


def _tell_no_option(scope: Scope, node: ChoiceStatement, options: nodes.Expr) -> None:
    """`hand[p] + [none]`, where `none` is no option."""
    tested = {id(each.right) for each in walk(options) if isinstance(each, nodes.Compare)}
    for each in walk(options):
        if (
            id(each) not in tested
            and isinstance(each, nodes.List)
            and nodes.Constant("none") in each.items
        ):
            message = "no set holds `none`, so it is never an option"
            chosen = isinstance(node, nodes.Choose)
            hint = "leave it out, and write `may choose`" if chosen else None
            report(scope, codes.ALWAYS_NONE, message, each.span, hint)


def _must_be_listed(options: nodes.Expr, listing: nodes.Expr) -> Diagnostic:
    does = "this `where` looks at" if isinstance(listing, nodes.Where) else "this list looks at"
    if isinstance(listing, nodes.Sum):
        plus = listing.operator == "+"
        does = "this `+` puts together" if plus else f"this `{listing.operator}` compares"
    message = f"{does} every set of a family, and there may be very many"
    inside = options.span.start <= listing.span.start < options.span.end
    same = inside and listing.span.source is options.span.source
    related = () if same else (Related("they are options here", options.span),)
    hint = "narrow the pieces before, as in `subsets(S where …, n)`"
    if isinstance(listing, nodes.Sum):
        hint = "let the player choose the kind of set first, by a table of families"
    return Diagnostic(codes.LISTED_FAMILY, message, listing.span, related, hint, "warning")


# ---- What may be empty ---------------------------------------------------------------------------


def _doubt(scope: Scope, node: ChoiceStatement, local: Container[str]) -> None:
    match node:
        case nodes.MayChoose() | nodes.EachMay():
            return
        case nodes.Random():
            who, instead = "chance", ""
        case nodes.Choose(player):
            who = written(player) if written(player) != "this" else "the player"
            instead = f", or write `{as_written(player)} may choose`" if who != "the player" else ""
        case nodes.Each(name):
            who, instead = f"`{name.text}`", ", or write `may choose`"
        case _:
            assert_never(node)
    what = written(node.options)
    what = "what is offered" if what == "this" else what
    sentence = f"{who} may have nothing to choose from: {what} may be empty"
    target = node.target.name.text
    test = _test(node.options, target if target in local else "it")
    advice = f"test it first: `if {test}`"
    if isinstance(node, nodes.Each) and mentions(node.options, {node.name.text}):
        advice = f"ask only those who have something: `each {node.name.text} in … where {test}`"
    doubt(scope, "empty", sentence, node.options, f"{advice}{instead}")


def _test(options: nodes.Expr, own: str) -> str:
    """What to write before the choice, or instead of it."""
    if written(options) == "this":
        return "#(…) > 0"
    if isinstance(options, nodes.Range):
        return f"{as_written(options.low)} <= {as_written(options.high)}"
    if isinstance(options, nodes.Name | nodes.Selection | nodes.Call):
        return f"#{as_written(options)} > 0"
    if own != "it" and isinstance(options, nodes.Where):
        values, test = options.values, options.condition
        if not isinstance(values, nodes.Where) and mentions(test, {own}):
            return f"any({as_written(test)} for {own} in {as_written(values)})"
    return f"#({as_written(options)}) > 0"

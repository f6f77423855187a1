"""A choice in its scope -> a doubt, if there may be nothing to choose from.

Implements docs/language/12-checks.md, "Doubts". A player who `may choose` declines, so only those who must
choose, and chance, are asked about.
"""

from typing import assert_never

from rulespec.checking.scopes import Scope, doubt, mentions
from rulespec.checking.sizes import least
from rulespec.checking.substitution import of_element
from rulespec.checking.wording import bare, written
from rulespec.syntax import nodes

ChoiceStatement = nodes.Choose | nodes.Each | nodes.Random


def doubt_empty_choice(scope: Scope, node: ChoiceStatement, *, local: bool) -> None:
    """Note options that may be empty; a local may go by its own name in their filter."""
    if scope.faults is None or scope.in_example:
        return
    own = node.target.name.text if local else "it"
    if least(scope, of_element(node.options, own)) > 0:
        return
    match node:
        case nodes.Random():
            who, instead = "chance", ""
        case nodes.Choose(player):
            who = written(player) if written(player) != "this" else "the player"
            instead = f", or write `{bare(player)} may choose`" if who != "the player" else ""
        case nodes.Each(name):
            who, instead = f"`{name.text}`", ", or write `may choose`"
        case _:
            assert_never(node)
    what = written(node.options)
    what = "what is offered" if what == "this" else what
    sentence = f"{who} may have nothing to choose from: {what} may be empty"
    test = _test(node, own)
    advice = f"test it first: `if {test}`"
    if isinstance(node, nodes.Each) and mentions(node.options, {node.name.text}):
        advice = f"ask only those who have something: `each {node.name.text} in … where {test}`"
    doubt(scope, "empty", sentence, node.options, f"{advice}{instead}")


def _test(node: ChoiceStatement, own: str) -> str:
    """What to write before the choice, or instead of it."""
    if written(node.options) == "this":
        return "#(…) > 0"
    options = node.options
    if isinstance(options, nodes.Range):
        return f"{bare(options.low)} <= {bare(options.high)}"
    if isinstance(options, nodes.Name | nodes.Selection | nodes.Call):
        return f"#{bare(options)} > 0"
    if own != "it" and isinstance(options, nodes.Where):
        values, test = options.values, options.condition
        if not isinstance(values, nodes.Where) and mentions(test, {own}):
            return f"any({bare(test)} for {own} in {bare(values)})"
    return f"#({bare(options)}) > 0"

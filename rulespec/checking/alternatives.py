"""A question with options of two types, `p chooses card from hand[p], or act from Act` -> the types of both targets.

Implements docs/language/7-statements.md, "Alternative". The chosen option is assigned to its own target, and the
other target becomes `none`. So both targets must accept `none`, and each option is a single value: players who pick
a hand card by card cannot choose an action instead.
"""

from attrs import evolve

from rulespec import codes
from rulespec.checking.domains import declared_type
from rulespec.checking.expressions import element_type_of, type_of
from rulespec.checking.scopes import Scope, report, require, silent
from rulespec.checking.targets import BodyWalk, assign_choice
from rulespec.checking.wording import as_written, describe_type, written
from rulespec.core import types
from rulespec.core.types import SEAT, Type, present
from rulespec.source import text_of
from rulespec.syntax import nodes


def decide_either(
    walk: BodyWalk, scope: Scope, node: nodes.Choose, other: nodes.Alternative
) -> Scope:
    """`chooses … or …`: one target becomes an element of its options, and the other one `none`."""
    require(scope, node.player, type_of(scope, node.player), SEAT, "the one who chooses")
    for each in (node, other):
        _check_variable(scope, each.target)
    _check_single(scope, node.options, _elements(walk, scope, node))
    _check_action(walk, scope, node, other)
    if node.target.name.text == other.target.name.text:
        name = node.target.name.text
        message = f"`{name}` cannot keep both: afterwards it would not say which of them was chosen"
        hint = f"choose another name after `or`: `, or act from {as_written(other.options)}`"
        report(scope, codes.WRONG_TYPE, message, other.target.span, hint)
        return assign_choice(walk, scope, node.target, node.options, may=True)
    # Neither kind of options knows of the other choice.
    after = assign_choice(walk, scope, node.target, node.options, may=True)
    behind = assign_choice(walk, scope, other.target, other.options, may=True)
    name = other.target.name.text
    return (
        evolve(after, names={**after.names, name: behind.names[name]})
        if name in behind.names
        else after
    )


def _own(walk: BodyWalk, node: nodes.Choose | nodes.Alternative) -> nodes.Name:
    name = node.target.name
    return name if name.text in walk.local else nodes.Name("it", span=name.span)


def _elements(walk: BodyWalk, scope: Scope, node: nodes.Choose | nodes.Alternative) -> Type:
    return element_type_of(silent(scope), node.options, _own(walk, node))


def _check_single(scope: Scope, options: nodes.Expr, found: Type) -> bool:
    """Each option is a single value."""
    inner = present(found)
    if isinstance(inner, types.Several | types.Family):
        message = f"{written(options)} offers sets, which cannot be options together with others"
        hint = "ask first what the player does, and then for the set"
        report(scope, codes.WRONG_TYPE, message, options.span, hint)
        return False
    return True


def _check_action(
    walk: BodyWalk, scope: Scope, node: nodes.Choose, other: nodes.Alternative
) -> None:
    """Pieces stand only before `or`."""
    options, found = other.options, present(_elements(walk, scope, other))
    is_piece = isinstance(found, types.Piece | types.Face)
    if not _check_single(scope, options, found) or not is_piece:
        return
    message = (
        f"what follows `or` is an action, but {written(options)} offers {describe_type(found)}"
    )
    hint = "put all pieces before `or`, joined with `+`"
    if not isinstance(present(_elements(walk, scope, node)), types.Piece):
        ways = [
            f"{as_written(each.target.name)} from {as_written(each.options)}"
            for each in (other, node)
        ]
        hint = f"write `chooses {ways[0]}, or {ways[1]}`"
    report(scope, codes.WRONG_TYPE, message, options.span, hint)


def _check_variable(scope: Scope, target: nodes.Target) -> None:
    """A state variable must accept `none`; it cannot be hidden, because everybody learns what was chosen."""
    variable = scope.known.program.variables.get(target.name.text)
    if variable is None:
        return
    name, node = target.name.text, variable.node.node
    kept = declared_type(scope.known, node.type)
    if not isinstance(kept, types.Maybe | types.Several):
        message = f"`{name}` becomes `none` if the other kind of option is chosen, but it is {describe_type(kept)}"
        hint = f"declare it as `{text_of(node.type.span)}?`, or choose a local and assign it"
        report(scope, codes.WRONG_TYPE, message, target.span, hint)
    if node.viewers is not None and node.viewers.who != "everyone":
        message = f"everybody learns which kind of option was chosen, but `{name}` is hidden"
        hint = f"choose `{name}` in a question of its own"
        report(scope, codes.WRONG_TYPE, message, target.span, hint)

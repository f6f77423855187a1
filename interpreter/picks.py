"""A pick of an example and the options of a question -> the option that the pick means.

Implements docs/language/13-semantics.md, "Picks" and "Options". Values of different types are never the same,
though the state keeps players, members, numbers and pieces as plain numbers.
"""

from collections import Counter
from collections.abc import Hashable
from typing import Any

from interpreter import families
from interpreter.actions import Action, untagged
from interpreter.example_runs import ExampleFails, ExampleRun, evaluate_now, label_now
from interpreter.operations.pieces import pair
from interpreter.options import twin_of
from rulespec.core.examples import PickStep, Wanted
from rulespec.core.types import Piece, Several, Type, Unknown, element


# [example.picks]
def match_option(run: ExampleRun, pick: PickStep, options: list[Any], of: Type) -> int:
    """The one option that a pick means."""
    found = [n for n, value in enumerate(options) if is_meant(run, pick.wanted, value, of)]
    # Chance draws any of some look-alikes; players are offered only one of them.
    if len({_twins(run, options[n], of) for n in found}) == 1:
        return found[0]
    texts = [label_now(run, value, of) for value in options[:12]]
    notes = (f"the options are {', '.join(texts)}",)
    if not found:
        raise ExampleFails(f"`{pick.wanted.text}` is not an option here", pick.span, notes)
    message = f"`{pick.wanted.text}` may be any of {len(found)} options"
    raise ExampleFails(message, pick.span, notes)


# [example.options]
def require_options(run: ExampleRun, wanted: Wanted, options: list[Any], of: Type) -> None:
    """Check that the values after `of` and the options match one to one."""
    if wanted.items is not None:
        expected: list[Any] = [item for number, item in wanted.items for _ in range(number)]
    else:
        values = evaluate_now(run, wanted.value) if wanted.value is not None else ()
        members = values if isinstance(values, tuple) else tuple(families.members(values))
        expected = list(members)
    # Players, members and numbers are all plain numbers in the state, so their types must match, too.
    is_alike = wanted.items is not None or _is_alike(wanted.type, of)
    candidates = [
        [n for n, value in enumerate(options) if _fits(run, each, value, of)] for each in expected
    ]
    if is_alike and len(expected) == len(options) and pair(candidates):
        return
    texts = ", ".join(label_now(run, value, of) for value in options[:20])
    raise ExampleFails(
        f"the options are {texts or 'none at all'}", wanted.span, (f"expected {wanted.text}",)
    )


def _fits(run: ExampleRun, wanted: Any, value: Any, of: Type) -> bool:
    if isinstance(wanted, Wanted):
        return is_meant(run, wanted, value, of)
    value, of = untagged(value, of)
    if isinstance(wanted, tuple) and isinstance(value, tuple):
        return frozenset(wanted) == frozenset(value)
    return bool(wanted == value)


def is_meant(run: ExampleRun, wanted: Wanted, value: Any, of: Type) -> bool:
    """Whether a value is the wanted one: pieces are compared by their faces, other values directly."""
    value, of = untagged(value, of)
    if value is None:
        return (
            wanted.items is None
            and wanted.value is not None
            and evaluate_now(run, wanted.value) is None
        )
    if isinstance(value, tuple):
        inner = of.of if isinstance(of, Several) else of
        if wanted.items is not None:
            items = [item for number, item in wanted.items for _ in range(number)]
            candidates = [
                [n for n, each in enumerate(value) if is_meant(run, item, each, inner)]
                for item in items
            ]
            return len(items) == len(value) and pair(candidates)
        if wanted.value is None or not _is_alike(wanted.type, of):
            return False
        found = evaluate_now(run, wanted.value)
        found = found if isinstance(found, tuple) else () if found is None else (found,)
        return frozenset(found) == frozenset(value)
    if isinstance(of, Piece):
        if wanted.look is not None:
            return value in evaluate_now(run, wanted.look)
        return False
    if wanted.value is None or not _is_alike(wanted.type, of):
        return False
    return bool(evaluate_now(run, wanted.value) == value)


def _twins(run: ExampleRun, value: Any, of: Type) -> Hashable:
    """A key that a value shares with its look-alikes."""
    layout, s = run.machine.layout, run.state
    if isinstance(value, Action):
        return value
    if isinstance(value, tuple) and isinstance(element(of), Piece):
        return frozenset(Counter(twin_of(layout, s, piece) for piece in value).items())
    return twin_of(layout, s, value) if isinstance(of, Piece) and value is not None else value


def _is_alike(one: Type, other: Type) -> bool:
    """Whether both are players, or numbers, or members of enums: values are plain numbers in the state."""
    sorts = [type(_innermost(each)) for each in (one, other)]
    return sorts[0] is sorts[1] or sorts[0] is Unknown


def _innermost(type_: Type) -> Type:
    """The type of what is in a set, or in the sets of a family."""
    inner = element(type_)
    return type_ if inner is None or inner == type_ else _innermost(inner)

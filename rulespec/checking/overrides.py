"""A name in a layer -> whether the layer may declare, override or replace it, with a diagnostic if it may not.

Implements docs/language/10-overlays.md: a plain declaration needs a name that is free, `override` one that is taken.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from itertools import count
from typing import Any

from attrs import frozen

from rulespec import codes
from rulespec.checking.builtins import BUILT_IN
from rulespec.checking.declarations import Declarations, Declared
from rulespec.checking.layers import Layer
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import Span
from rulespec.syntax import nodes
from rulespec.syntax.extending import extends_with


@frozen
class Merge:
    """A merge in progress: what has been declared so far, and where."""

    declared: Declarations
    places: dict[str, nodes.Name]  # by name: its first declaration
    overriders: dict[str, tuple[Layer, Span]]  # by name: the layer that overrode it last, and where
    diagnostics: list[Diagnostic]


def may_declare(
    merge: Merge, layer: Layer, name: nodes.Name, taken: dict[str, Any], *, overrides: bool
) -> bool:
    if overrides:
        return _may_override(merge, layer, name, taken)
    text = name.text
    if text in BUILT_IN:
        message = f"`{text}` has a meaning of its own and cannot be declared"
        free = next(each for each in _names_like(text) if each not in {*BUILT_IN, *merge.places})
        hint = f"write another name, for example `{free}`"
        merge.diagnostics.append(Diagnostic(codes.REDECLARED, message, name.span, hint=hint))
        return False
    if text in merge.places:
        merge.diagnostics.append(_taken(merge, name, layer))
        return False
    merge.places[text] = name
    return True


def _names_like(text: str) -> Iterator[str]:
    """Names to suggest instead of one that cannot be declared: `my_left`, `left_2`, `left_3` and so on."""
    yield f"my_{text}"
    yield from (f"{text}_{number}" for number in count(2))


def _taken(merge: Merge, name: nodes.Name, layer: Layer) -> Diagnostic:
    first = merge.places[name.text]
    here = first.span.source == name.span.source
    message = f"`{name.text}` is declared {'twice' if here else 'already'}"
    again = not here or layer.origin == "variant"
    hint = "write `override` before it to replace that, or choose another name" if again else None
    if layer.origin == "mechanism":
        hint = "rename yours, or write `override` before it"
    hint = _offer_setting(merge, name) or hint
    related = (Related("declared here", first.span),)
    return Diagnostic(codes.REDECLARED, message, name.span, related, hint)


def _offer_setting(merge: Merge, name: nodes.Name) -> str | None:
    """What to write for an option of the game below that only gets another value."""
    line = name.span.source.text[name.span.start :].partition("\n")[0].partition("--")[0]
    value = line.rpartition("=")[2].strip()
    whole = extends_with(name.span.source, name.text, value) if "=" in line else None
    if whole is None or name.text not in merge.declared.options:
        return None
    return f"write `{whole}`"


def _may_override(merge: Merge, layer: Layer, name: nodes.Name, taken: dict[str, Any]) -> bool:
    if name.text in taken:
        return note_override(merge, layer, name.text, name)
    if name.text in merge.places:
        message = f"`{name.text}` is something else, so this cannot override it"
        related = (Related("declared here", merge.places[name.text].span),)
        hint = _offer_setting(merge, name)
        merge.diagnostics.append(Diagnostic(codes.BAD_OVERRIDE, message, name.span, related, hint))
        return False
    merge.diagnostics.append(_overrides_nothing(merge, name, [*taken]))
    return False


def _overrides_nothing(merge: Merge, name: nodes.Name, known: list[str]) -> Diagnostic:
    near = get_close_matches(name.text, known, 1)
    place = merge.places.get(near[0]) if near else None
    related = (Related(f"`{place.text}` is declared here", place.span),) if place else ()
    message = f"there is no `{name.text}` to override"
    hint = f"did you mean `{near[0]}`?" if near else "leave `override` out to declare it"
    return Diagnostic(codes.OVERRIDE_OF_NOTHING, message, name.span, related, hint)


def note_override(merge: Merge, layer: Layer, key: str, place: Any) -> bool:
    before, first = merge.overriders.get(key, (None, None))
    if before is not None and before.origin == layer.origin == "variant" and before is not layer:
        message = f"the variants `{before.title}` and `{layer.title}` both change `{key}`"
        related = tuple(
            Related(f"by `{each.title}`", span)
            for each, span in ((before, first), (layer, place.span))
            if span is not None
        )
        span = layer.place or place.span
        merge.diagnostics.append(Diagnostic(codes.VARIANTS_CLASH, message, span, related))
        return False
    merge.overriders[key] = (layer, place.span)
    return True


def may_replace(  # noqa: PLR0913 - what is asked, of whom, and what is there
    merge: Merge,
    layer: Layer,
    key: str,
    node: Any,
    taken: Declared[Any] | None,
    *,
    overrides: bool,
) -> bool:
    """Whether a layer may declare or override something without a name: `players`, the ranking, a trigger, an invariant."""
    if overrides and taken is None:
        message = f"there is no `{key}` to override"
        hint = "leave `override` out to declare it"
        merge.diagnostics.append(
            Diagnostic(codes.OVERRIDE_OF_NOTHING, message, node.span, hint=hint)
        )
        return False
    if overrides:
        return note_override(merge, layer, key, node)
    if taken is not None:
        related = (Related("declared here", taken.node.span),)
        message = f"`{key}` is declared already"
        hint = "write `override` before it to replace that"
        merge.diagnostics.append(Diagnostic(codes.REDECLARED, message, node.span, related, hint))
        return False
    return True

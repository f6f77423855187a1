"""A mechanism and a `use` of it -> its declarations with the slots bound.

Binding substitutes in the tree, before anything is checked: a name replaces the slot everywhere, any other expression
only where a value can stand. A slot that is not bound keeps its name, and the game declares it.
"""

from typing import Any, TypeVar

import attrs

from rulespec import codes
from rulespec.diagnostics import Diagnostic, Related, did_you_mean
from rulespec.syntax import nodes

Node = TypeVar("Node")


def bind_slots(
    head: nodes.Mechanism, items: tuple[nodes.FileItem, ...], used: nodes.Used
) -> tuple[tuple[nodes.FileItem, ...], list[Diagnostic]]:
    """The declarations of a mechanism with its slots bound, and mistakes in the bindings."""
    slots = {slot.name.text: slot for slot in head.slots}
    bound: dict[str, nodes.Expr] = {
        name: slot.default for name, slot in slots.items() if slot.default is not None
    }
    problems: list[Diagnostic] = []
    seen: dict[str, nodes.Binding] = {}
    for binding in used.bindings:
        name = binding.slot.text
        if name not in slots:
            problems.append(_no_slot(head, binding))
        elif name in seen:
            first = Related("bound here already", seen[name].span)
            message = f"the slot `{name}` is bound twice"
            problems.append(Diagnostic(codes.REDECLARED, message, binding.span, (first,)))
        else:
            seen[name] = binding
            bound[name] = binding.value
    problems += [
        _not_a_name(slots[name], value)
        for name, value in bound.items()
        if not isinstance(value, nodes.Name) and not _takes_value(slots[name])
    ]
    return tuple(substitute_slots(item, bound) for item in items), problems


def _takes_value(slot: nodes.Slot) -> bool:
    return isinstance(slot.kind, nodes.NamedType) and slot.kind.name.text in ("Value", "Int")


def substitute_slots(node: Node, bound: dict[str, nodes.Expr]) -> Node:
    """The tree with the bound names replaced."""
    changes: dict[str, Any] = {}
    for name, holds_name in _parts(type(node)):
        old = getattr(node, name)
        new = _substitute_part(old, bound, only_names=holds_name)
        if new is not old:
            changes[name] = new
    return attrs.evolve(node, **changes) if changes else node  # type: ignore[misc]  # any node


def _substitute_part(part: Any, bound: dict[str, nodes.Expr], *, only_names: bool) -> Any:
    if isinstance(part, nodes.Name):
        value = bound.get(part.text)
        if isinstance(value, nodes.Name):
            return nodes.Name(value.text, span=part.span)
        return part if value is None or only_names else value
    if isinstance(part, tuple):
        new = tuple(_substitute_part(each, bound, only_names=only_names) for each in part)
        return part if all(a is b for a, b in zip(part, new, strict=True)) else new
    if attrs.has(type(part)):
        return substitute_slots(part, bound)
    return part


_PARTS: dict[type, tuple[tuple[str, bool], ...]] = {}  # filled on demand


def _parts(node: type) -> tuple[tuple[str, bool], ...]:
    """The fields that hold nodes, and whether a field holds a name and can hold nothing else."""
    if node not in _PARTS:
        _PARTS[node] = tuple(
            (field.name, "Expr" not in str(field.type))
            for field in attrs.fields(node)
            if field.name != "span" and field.type not in (str, int)
        )
    return _PARTS[node]


def _no_slot(head: nodes.Mechanism, binding: nodes.Binding) -> Diagnostic:
    known = [slot.name.text for slot in head.slots]
    hint = did_you_mean(binding.slot.text, known, f"it has {', '.join(known) or 'none'}")
    message = f"the mechanism `{head.name.text}` has no slot `{binding.slot.text}`"
    return Diagnostic(
        codes.UNKNOWN_NAME,
        message,
        binding.slot.span,
        related=(Related("its slots", head.span),),
        hint=hint,
    )


def _not_a_name(slot: nodes.Slot, value: nodes.Expr) -> Diagnostic:
    message = f"the slot `{slot.name.text}` takes a name, not a calculation"
    place = Related("the slot", slot.span)
    hint = f"write `{value.function.text}`" if isinstance(value, nodes.Call) else None
    return Diagnostic(codes.WRONG_KIND, message, value.span, (place,), hint)

"""Merged declarations -> the same without what mechanisms declare and nothing in the program uses."""

from typing import Any

from rulespec.checking.builtins import ENGINE_CALLS
from rulespec.checking.declarations import Declarations, Declared, routine_parts, used_names
from rulespec.syntax import nodes


def drop_unreached(declared: Declarations) -> None:
    """Drop what stands only in a mechanism and is not reached from the game."""
    parts = _parts_by_name(declared)
    unreached: set[str] = set()
    waiting: list[Any] = _always_there(declared)
    for name, nodes_of_name in parts.items():
        if any(each.layer.origin != "mechanism" for each in nodes_of_name) or name in ENGINE_CALLS:
            waiting.extend(each.node for each in nodes_of_name)
        else:
            unreached.add(name)
    owners = {member.name.text: name for name, enum in declared.enums.items()
              for member in enum.node.members}  # fmt: skip
    _reach(parts, owners, unreached, waiting)
    # Examples are most of a file, and hardly one names what the game does not: so first look at its text.
    words = unreached | {member for member, enum in owners.items() if enum in unreached}
    examples = [each.node for each in declared.examples if _may_name(each, words)]
    _reach(parts, owners, unreached, examples)
    tables: list[dict[str, Any]] = [
        *(declared.enums, declared.options, declared.kinds, declared.zones),
        *(declared.variables, declared.routines),
    ]
    for table in tables:
        for name in unreached & table.keys():
            del table[name]
    for name in unreached & declared.called.keys():
        del declared.called[name]


def _reach(
    parts: dict[str, list[Declared[Any]]],
    owners: dict[str, str],
    unreached: set[str],
    waiting: list[Any],
) -> None:
    """Remove from `unreached` the names that some trees use, directly or through other declarations."""
    while waiting and unreached:
        for used in {name.text for name in used_names(waiting.pop())}:
            for name in (used, owners.get(used, used)):
                if name in unreached:
                    unreached.remove(name)
                    waiting.extend(each.node for each in parts[name])


def _may_name(example: Declared[nodes.Example], words: set[str]) -> bool:
    """Whether an example may use one of these words; in an example of a mechanism, slots may stand for them."""
    span = example.node.span
    text = span.source.text[span.start : span.end]
    return example.layer.origin == "mechanism" or any(word in text for word in words)


def _parts_by_name(declared: Declarations) -> dict[str, list[Declared[Any]]]:
    """The declarations that belong to each name."""
    parts: dict[str, list[Declared[Any]]] = {}
    single: list[dict[str, Any]] = [
        *(declared.enums, declared.options, declared.zones, declared.variables)
    ]
    for table in single:
        parts.update({name: [each] for name, each in table.items()})
    parts.update(declared.kinds)
    for name, routine in declared.routines.items():
        parts[name] = routine_parts(routine)
    return parts


def _always_there(declared: Declarations) -> list[Any]:
    """The trees that run although no name leads to them; without the examples."""
    owned: list[Declared[Any]] = [
        each for versions in declared.triggers.values() for each in versions
    ]
    owned += declared.invariants.values()
    owned += [each for each in (declared.ranking,) if each is not None]
    triggers = [nodes.Name(name) for name in declared.triggers]
    chosen = [chosen.value for chosen in declared.chosen.values()]
    return [*(each.node for each in owned), *triggers, *chosen]

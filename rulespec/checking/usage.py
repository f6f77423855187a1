"""Declarations -> warnings about names that are declared and never used.

An unused name usually means that another name is misspelt. The variable of a loop may be unused.
"""

import re
from collections.abc import Iterator
from typing import Any

from rulespec import codes
from rulespec.checking.builtins import ENGINE_CALLS
from rulespec.checking.declarations import (
    Declarations,
    Routine,
    body_of,
    child_fields,
    used_names,
    walk_once,
)
from rulespec.checking.removals import excused_names
from rulespec.checking.teams import TEAM
from rulespec.diagnostics import Diagnostic
from rulespec.syntax import nodes


def check_unused(program: Declarations) -> Iterator[Diagnostic]:
    """Warn about declarations of the game that nothing uses."""
    unused = _never_mentioned(program)
    tables: list[tuple[str, dict[str, Any]]] = [
        *(("option", program.options), ("zone", program.zones), ("variable", program.variables)),
    ]
    for what, table in tables:
        for name, declared in table.items():
            node = declared.node.node if what == "variable" else declared.node
            if name in unused and declared.layer.origin != "mechanism":
                yield _never_used(what, node.name)
    for routine in program.routines.values():
        version = routine.versions[0]
        if version.layer.origin == "mechanism":
            continue
        if routine.name in unused:
            what = "rule" if routine.kind == "procedure" else "value"
            yield _never_used(what, version.node.name)
        yield from _unused_inside(program, routine)


def _never_mentioned(program: Declarations) -> set[str]:
    """The declared names that occur nowhere else; the examples, which are most of a file, are searched last."""
    declared = (program.options, program.zones, program.variables, program.routines)
    unused = {name for table in declared for name in table}
    unused -= {*ENGINE_CALLS} | program.triggers.keys() | excused_names(program)
    unused -= {each.place.name.text for each in program.removed.values()}
    unused -= {TEAM} if program.teams is not None else set()
    for part in _all_parts(program):
        if not unused:
            break
        unused -= {name.text for name in used_names(part)}
    return unused


def _unused_inside(program: Declarations, routine: Routine) -> Iterator[Diagnostic]:
    """Warn about parameters that no part of a routine reads, and about locals that are only assigned."""
    parts = list(_routine_parts(routine))
    used = {name.text for part in parts for name in _read_names(part)}
    for param in routine.versions[0].node.params:
        if param.name.text not in used:
            yield _never_used("parameter", param.name)
    for part in parts:
        told = set()
        for target in _targets(program, part):
            text = target.text
            if text not in used and text not in program.variables and text not in told:
                told.add(text)
                yield _never_used("name", target)


def _read_names(node: Any) -> Iterator[nodes.Name]:
    """The names in a body whose value is read."""
    match node:
        case nodes.Assign(nodes.Name() as target, operator, value):
            if operator != "=":
                yield target
            yield from _read_names(value)
        case nodes.Target(_, index):
            yield from _read_names(index)
        case nodes.Text(value):
            # A prompt may name a variable.
            yield from (nodes.Name(word) for word in re.findall(r"\{(\w+)\}", value))
        case nodes.Name():
            yield node
        case tuple():
            for each in node:
                yield from _read_names(each)
        case _:
            for part in child_fields(type(node)):
                yield from _read_names(getattr(node, part))


def _targets(program: Declarations, body: Any) -> Iterator[nodes.Name]:
    for node in walk_once(program, body):
        if isinstance(node, nodes.Target):
            yield node.name
        elif isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
            yield node.target


def _routine_parts(routine: Routine) -> Iterator[Any]:
    """The trees of a routine in which names are used."""
    yield from (body_of(version.node) for version in routine.versions)
    yield from (each.node.rows for each in routine.rows)
    yield from (each.node.body for each in (*routine.before, *routine.after))


def _all_parts(program: Declarations) -> Iterator[Any]:
    """All trees in which a name may be used."""
    for option in program.options.values():
        yield option.node.condition
        yield option.node.default
    for rows in program.kinds.values():
        for row in rows:
            yield row.node.attributes
            yield row.node.copies
    for variable in program.variables.values():
        yield variable.node.node.start
        yield variable.node.rule
    for routine in program.routines.values():
        yield from _routine_parts(routine)
    for versions in program.triggers.values():
        yield tuple(version.node.body for version in versions)
    for invariant in program.invariants.values():
        yield invariant.node.condition
    if program.ranking is not None:
        yield program.ranking.node.criteria
    for example in program.examples:
        yield example.node.steps


def _never_used(what: str, name: nodes.Name) -> Diagnostic:
    message = f"the {what} `{name.text}` is never used"
    return Diagnostic(codes.UNUSED, message, name.span, severity="warning")

"""Declarations of `let`, tables and rules -> functions and blocks of the core, one for every version and part.

Implements docs/language/6-rules.md and 5-tables.md.
"""

from typing import Any, assert_never

from attrs import evolve

from rulespec.checking.declarations import Routine, is_action_table
from rulespec.checking.domains import declared_type
from rulespec.checking.expressions import function_type, routine_scope
from rulespec.checking.scopes import Known, Scope, silent
from rulespec.core import tree
from rulespec.core.tree import Op, Origin
from rulespec.core.types import UNKNOWN, Choice, Outputs, Type, present
from rulespec.elaboration.environment import Environment, FrameLayout, blank
from rulespec.elaboration.expressions import CONSTANTS, elaborate, elaborate_to, function_key
from rulespec.elaboration.origins import documented_rows, origin_of
from rulespec.elaboration.statements import block_key, elaborate_body
from rulespec.source import text_of
from rulespec.syntax import nodes

Members = dict[str, int]


# ---- Functions -----------------------------------------------------------------------------------


def elaborate_function(
    scope: Scope, routine: Routine, members: Members
) -> dict[str, tree.Function]:
    """All versions of a function, by key; a table with several outputs becomes a function for each output."""
    found: dict[str, tree.Function] = {}
    for version, declared in enumerate(routine.versions):
        inner = routine_scope(silent(scope), routine, version)
        node = declared.node
        type_ = function_type(scope, routine, version)
        origin = origin_of(declared, routine.name)
        key = function_key(routine, version)
        frame = FrameLayout()
        places = {param.name.text: Op("slot", place=n) for n, param in enumerate(node.params)}
        env = Environment(inner, places, frame, members, origin)
        if isinstance(node, nodes.Let):
            cell = elaborate_to(env, node.value, type_)
            rows: tuple[tree.FunctionRow, ...] = (tree.FunctionRow((), cell, origin),)
            found[key] = tree.Function(
                key, len(node.params), frame.scratch, (), rows, type_, origin
            )
        elif isinstance(node, nodes.Table):
            outputs = dict(type_.outputs) if isinstance(type_, Outputs) else {None: type_}
            for column, (output, of) in enumerate(outputs.items()):
                frame.scratch = 0
                inputs, rows = _value_rows(env, routine, version, column, of)
                name = function_key(routine, version, output)
                params = len(node.params)
                found[name] = tree.Function(name, params, frame.scratch, inputs, rows, of, origin)
    return found


def _value_rows(
    env: Environment, routine: Routine, version: int, column: int, of: Type
) -> tuple[tuple[Op, ...], tuple[tree.FunctionRow, ...]]:
    node = routine.versions[version].node
    inputs = node.header.inputs if isinstance(node, nodes.Table) else ()
    found = tuple(elaborate(env, each) for each in inputs)
    types = [each.type for each in found]
    rows = []
    for row, origin in table_rows(routine, version):
        if isinstance(row.body, nodes.Cells):
            cell = row.body.values[column]
            patterns = row_patterns(env, row, types)
            op = elaborate_to(env, cell, of)
            rows.append(tree.FunctionRow(patterns, op, evolve(origin, span=row.span)))
    return found, tuple(rows)


def table_rows(routine: Routine, version: int) -> list[tuple[nodes.Row, Origin]]:
    """The rows of a table in matching order, each with its doc lines."""
    declared = routine.versions[version]
    added = routine.rows if version == len(routine.versions) - 1 else []
    own = declared.node.rows if isinstance(declared.node, nodes.Table) else ()
    found = [
        row
        for each in added
        for row in documented_rows(each.node.rows, origin_of(each, routine.name))
    ]
    return found + documented_rows(own, origin_of(declared, routine.name))


def row_patterns(env: Environment, row: nodes.Row, types: list[Type]) -> tuple[tree.Pattern, ...]:
    """The patterns of the keys of a row, one for each input."""
    return tuple(_key(env, key, type_) for key, type_ in zip(row.keys, types, strict=True))


def _key(env: Environment, key: nodes.Key, type_: Type) -> tree.Pattern:
    found = [_pattern(env, pattern, type_) for pattern in key.patterns]
    if any(each.how == "any" for each in found):
        return tree.Pattern("any")
    if len(found) == 1:
        return found[0]
    if all(each.how == "kinds" for each in found):
        return tree.Pattern("kinds", tuple(kind for each in found for kind in each.values))
    return tree.Pattern("alternatives", tuple(found))


def _pattern(env: Environment, pattern: nodes.Pattern, type_: Type) -> tree.Pattern:
    known = env.scope.known
    match pattern:
        case nodes.Anything():
            return tree.Pattern("any")
        case nodes.KeyName(name, last):
            if isinstance(name, nodes.Constant):
                return tree.Pattern("values", (CONSTANTS[name.word],))
            if last is not None:
                return tree.Pattern("values", _between(env, present(type_), name.text, last.text))
            if name.text in known.kinds:
                return tree.Pattern("kinds", (name.text,))
            if name.text in ("most", "fewest"):
                return tree.Pattern("values", (1 if name.text == "most" else 0,))
            return tree.Pattern("values", (env.members[name.text],))
        case nodes.KeyNumber(first, last):
            return tree.Pattern("numbers", (first.value, (last or first).value))
        case nodes.AtLeast(number):
            return tree.Pattern("numbers", (number.value, None))
        case nodes.AtMost(number):
            return tree.Pattern("numbers", (None, number.value))
        case _:
            assert_never(pattern)


def _between(env: Environment, type_: Type, first: str, last: str) -> tuple[int, ...]:
    domain = type_.domain if isinstance(type_, Choice) else ()
    if first not in domain or last not in domain:
        domain = env.scope.known.enums[env.scope.known.owners[first]]
    names = domain[domain.index(first) : domain.index(last) + 1]
    return tuple(env.members[name] for name in names)


# ---- Procedures ----------------------------------------------------------------------------------


def elaborate_procedure(scope: Scope, routine: Routine, members: Members) -> dict[str, tree.Block]:
    """The blocks of a rule or action table: its versions, its added parts, and the block that runs all of them."""
    known = scope.known
    found: dict[str, tree.Block] = {}
    for version in range(len(routine.versions)):
        found.update(_version_blocks(scope, routine, version, members))
    last = len(routine.versions) - 1
    whole = block_key(routine, last)
    node = routine.versions[last].node
    if not routine.before and not routine.after:
        body = found.pop(whole)
        found[routine.name] = evolve(body, name=routine.name)
        return found
    parts: list[tuple[str, int | None]] = []
    for side, hooks in (("before", routine.before), ("after", routine.after)):
        if side == "after":
            parts.append((whole, len(node.params)))
        for number, hook in enumerate(hooks):
            key = f"{side} {routine.name}#{number}"
            inner = evolve(routine_scope(silent(scope), routine, last), routine=None, names={})
            origin = origin_of(hook, f"{side} {routine.name}")
            found[key] = elaborate_body(inner, hook.node.body, members, key, origin, node.params)
            parts.append((key, None))
    found[routine.name] = _wrapper(known, routine, node, parts)
    return found


def _wrapper(
    known: Known, routine: Routine, node: Any, parts: list[tuple[str, int | None]]
) -> tree.Block:
    """The block that runs a rule with all its parts: `before`, the body, `after`."""
    origin = origin_of(routine.versions[-1], routine.name)
    slots: list[tuple[str, Type | None]] = [
        (param.name.text, declared_type(known, param.type)) for param in node.params
    ]
    result = node.result if isinstance(node, nodes.Rule) else None
    slots.append(("(result)", None if result is None else declared_type(known, result)))
    *arguments, result_slot = (
        Op("slot", place=n, type=UNKNOWN if type_ is None else type_)
        for n, (_, type_) in enumerate(slots)
    )
    calls = [tree.Call(key, tuple(arguments), into, None, origin) for key, into in parts]
    return tree.Block(
        name=routine.name,
        title=routine.name,
        params=len(node.params),
        blank=tuple(blank(type_) for _, type_ in slots),
        slots=tuple(slots),
        body=(*calls, tree.Return(result_slot, origin)),
        scratch=0,
        origin=origin,
    )


def _version_blocks(
    scope: Scope, routine: Routine, version: int, members: Members
) -> dict[str, tree.Block]:
    declared = routine.versions[version]
    node = declared.node
    key = block_key(routine, version)
    origin = origin_of(declared, routine.name)
    inner = routine_scope(silent(scope), routine, version)
    bare = evolve(inner, names={})
    if isinstance(node, nodes.Rule):
        result = None if node.result is None else declared_type(scope.known, node.result)
        return {key: elaborate_body(bare, node.body, members, key, origin, node.params, result)}
    if not isinstance(node, nodes.Table) or not is_action_table(node):
        raise AssertionError(node)
    frame = FrameLayout()
    for param in node.params:
        frame.slots.append((param.name.text, declared_type(scope.known, param.type)))
    places = {param.name.text: Op("slot", place=n) for n, param in enumerate(node.params)}
    env = Environment(inner, places, frame, members, origin)
    inputs = tuple(elaborate(env, each) for each in node.header.inputs)
    types = [each.type for each in inputs]
    found: dict[str, tree.Block] = {}
    rows = []
    for number, (row, row_origin) in enumerate(table_rows(routine, version)):
        name = f"{key} row {number}"
        title = f"{routine.name}, row {_row_title(row)}"
        placed = evolve(row_origin, rule=title, span=row.span)
        found[name] = elaborate_body(bare, row.body, members, name, placed, node.params)
        rows.append((row_patterns(env, row, types), name))
    found[key] = tree.Block(
        name=key,
        title=routine.name,
        params=len(node.params),
        blank=tuple(blank(type_) for _, type_ in frame.slots),
        slots=tuple(frame.slots),
        body=(tree.Enter(inputs, tuple(rows), origin),),
        scratch=frame.scratch,
        origin=origin,
    )
    return found


def _row_title(row: nodes.Row) -> str:
    return " | ".join(text_of(key.span) for key in row.keys)

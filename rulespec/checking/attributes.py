"""The attributes of all pieces -> the scope of a program, in which every other check begins.

Implements docs/language/4-components.md, "Attributes": an attribute is set-valued if any row gives it a set.
"""

from attrs import evolve

from rulespec.checking.declarations import Declarations, used_names
from rulespec.checking.domains import declared_type
from rulespec.checking.expressions import function_type, type_of
from rulespec.checking.faces import read_attributes
from rulespec.checking.scopes import (
    Attribute,
    Known,
    Scope,
    bind_names,
    dependency_order,
    know_enums,
)
from rulespec.checking.selections import joined_type
from rulespec.checking.size_facts import learn_from_test
from rulespec.core.types import Several, Type, set_type
from rulespec.syntax import nodes

NO_PROGRAM = Declarations()


def root_scope(program: Declarations) -> Scope:
    """The scope of a program in which nothing is bound."""
    if program.root is None:
        # Without the program itself: a cycle of references would stay in memory until the garbage collector runs.
        program.root = evolve(_find_root(program), program=NO_PROGRAM)
    known: Known = program.root
    # All callers share the types; each of them collects doubts of its own.
    return Scope(
        evolve(known, program=program, estimates={}, doubts=[], learn_sizes=learn_from_test), {}
    )


def _find_root(program: Declarations) -> Known:
    known = know_enums(program)
    scope = Scope(known, {})
    # An attribute may be computed by a table that reads another attribute: the second round knows it.
    for _ in range(2):
        found = _find_attributes(scope)
        known.results.clear()
        known.declared.clear()
        known.kinds_by_word.clear()
        known.attributes = found
    _find_results(scope)
    return known


def _find_results(scope: Scope) -> None:
    """Type all functions, each after those that it uses, so that recursion never gets deep."""
    routines = scope.known.program.routines
    uses = {
        name: [
            used.text
            for version in (*routine.versions, *routine.rows)
            for used in used_names(version.node)
            if used.text in routines and used.text != name
        ]
        for name, routine in routines.items()
        if routine.kind == "function"
    }
    for name in dependency_order(uses):
        for version in range(len(routines[name].versions)):
            function_type(scope, routines[name], version)


def _find_attributes(scope: Scope) -> dict[str, Attribute]:
    rows: dict[str, dict[str, list[Type]]] = {}
    read: dict[str, set[str]] = {}
    for kind, pieces in scope.known.program.kinds.items():
        for piece in pieces:
            found_types = attribute_types(scope, piece.node)
            for name, type_ in found_types.items():
                rows.setdefault(name, {}).setdefault(kind, []).append(type_)
            for name in read_attributes(piece.node, found_types):
                read.setdefault(name, set()).add(kind)
    found = {}
    for name, by_kind in rows.items():
        every = [type_ for types in by_kind.values() for type_ in types]
        set_valued = any(isinstance(type_, Several) for type_ in every)
        joined = {
            kind: joined_type(
                scope.known, [_plain(type_) for type_ in types] if set_valued else types
            )
            for kind, types in by_kind.items()
        }
        found[name] = Attribute(joined, set_valued, frozenset(read.get(name, ())))
    return found


def _plain(type_: Type) -> Type:
    return type_.of if isinstance(type_, Several) else type_


def attribute_types(scope: Scope, piece: nodes.Piece) -> dict[str, Type]:
    """The types of the attributes in a row of pieces; each may use those before it."""
    found: dict[str, Type] = {}
    for attribute in piece.attributes:
        if isinstance(attribute, nodes.Ranged):
            type_ = _plain(declared_type(scope.known, attribute.type))
        else:
            type_ = set_type(type_of(bind_names(scope, found), attribute.value))
        found[attribute.name.text] = type_
    return found

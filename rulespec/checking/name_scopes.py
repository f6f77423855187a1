"""The scope of a name: what is declared, and the names that are bound around it."""

from collections.abc import Iterable

from attrs import frozen

from rulespec.checking.builtins import TYPES, VALUES
from rulespec.checking.declarations import Declarations
from rulespec.syntax import nodes


@frozen
class NameScope:
    """What is declared, and the names that are bound around an expression."""

    program: Declarations
    attributes: frozenset[str]
    members: frozenset[str]
    bound: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()  # of these, parameters and names of loops
    in_example: bool = False
    has_super: bool = False


def binding(scope: NameScope, *names: nodes.Name) -> NameScope:
    """The scope in which these are bound, as parameters and names of loops."""
    if not names:
        return scope
    texts = {name.text for name in names}
    # Not `evolve`, which takes three times as long; this is called hundreds of times.
    return NameScope(
        scope.program,
        scope.attributes,
        scope.members,
        scope.bound | texts,
        scope.fixed | texts,
        scope.in_example,
        scope.has_super,
    )


def is_among(text: str, groups: tuple[Iterable[str], ...]) -> bool:
    """Whether a name is in one of these groups."""
    # Not as one set, which would have to be built for every word.
    return any(text in group for group in groups)


def is_known(scope: NameScope, text: str) -> bool:
    """Whether a name stands for a value."""
    return is_among(text, known_names(scope))


def known_names(scope: NameScope) -> tuple[Iterable[str], ...]:
    """All names that may stand for a value."""
    program = scope.program
    components = program.enums, program.options, program.kinds, program.zones
    return (*components, program.variables, program.routines, scope.members, VALUES, TYPES)

"""Attributes and selections: the types of their parts -> the type of the result.

Implements docs/language/8-expressions.md, "Get", "At" and "Having".
"""

from collections.abc import Iterable
from itertools import combinations

from rulespec import codes
from rulespec.checking.faces import may_have, type_of_written, unread_attribute
from rulespec.checking.scopes import Known, Scope, report
from rulespec.checking.wording import (
    as_written,
    describe_expression,
    describe_type,
    list_domain,
    list_names,
    written,
)
from rulespec.core.types import (
    NONE,
    SEAT,
    UNKNOWN,
    Choice,
    Face,
    Indexed,
    Maybe,
    Never,
    Number,
    Outputs,
    Piece,
    Place,
    Several,
    Type,
    Unknown,
    comparable,
    element,
    fit,
    join,
    optional,
    present,
)
from rulespec.diagnostics import Related
from rulespec.syntax import nodes


def join_all(known: Known, types: Iterable[Type]) -> Type | None:
    """The join of these types; `None` if there is none."""
    joined: Type | None = Never()
    for type_ in types:
        if joined is None:
            return None
        joined = join(joined, type_, known.enums)
    return joined


def joined_type(known: Known, types: Iterable[Type]) -> Type:
    """The same; unknown if there is none."""
    joined = join_all(known, types)
    return UNKNOWN if joined is None else joined


# ---- Attributes ----------------------------------------------------------------------------------


def type_of_attribute(scope: Scope, node: nodes.Get, subject: Type) -> Type:
    """`card.colour`, `market.sin`, `amounts.stones`"""
    name = node.name.text
    match subject:
        case Unknown() | Never():
            return UNKNOWN
        case Outputs(table, outputs):
            found = dict(outputs).get(name)
            if found is None:
                message = f"the table `{table}` has no output `{name}`"
                report(
                    scope,
                    codes.NO_ATTRIBUTE,
                    message,
                    node.name.span,
                    f"it has {list_names(dict(outputs))}",
                )
            return found or UNKNOWN
        case Maybe(Never()):
            return NONE
        case Maybe(Piece(kinds)):
            return optional(_attribute(scope, node.name, kinds, node.subject))
        case Piece(kinds):
            return _attribute(scope, node.name, kinds, node.subject)
        case Place(kinds) | Several(Piece(kinds)):
            return Several(_elements(_attribute(scope, node.name, kinds, node.subject)))
        case Several(Never() | Unknown()):
            return subject
        case _:
            message = f"{describe_expression(node.subject, subject)}, and has no `{name}`"
            hint = "only pieces, and tables with several outputs, have something after a dot"
            report(scope, codes.NO_ATTRIBUTE, message, node.name.span, hint)
            return UNKNOWN


def _elements(type_: Type) -> Type:
    inner = element(type_)
    return UNKNOWN if inner is None else inner


def _attribute(scope: Scope, name: nodes.Name, kinds: frozenset[str], subject: nodes.Expr) -> Type:
    """The attribute of a piece of one of these kinds."""
    attribute = scope.known.attributes.get(name.text)
    if attribute is None:
        return UNKNOWN
    values = [type_ for kind, type_ in attribute.by_kind.items() if kind in kinds]
    if not values and kinds:
        whose = (
            f"a {list_names(sorted(kinds))}"
            if len(kinds) == 1
            else f"no piece in {written(subject)}"
        )
        what = "has no" if len(kinds) == 1 else "has a"
        owners = list_names(sorted(attribute.by_kind))
        message = f"{whose} {what} `{name.text}`"
        report(
            scope, codes.NO_ATTRIBUTE, message, name.span, f"{owners} has it" if owners else None
        )
        return UNKNOWN
    joined = join_all(scope.known, values)
    if joined is None:
        report(scope, codes.WRONG_TYPE, _mixed(scope.known, name.text, kinds), name.span)
        return UNKNOWN
    if attribute.set_valued:
        return Several(joined)
    return joined if kinds <= attribute.by_kind.keys() else optional(joined)


def _mixed(known: Known, name: str, kinds: frozenset[str]) -> str:
    """A message with two kinds of pieces whose values of an attribute have no common type."""
    types = {k: type_ for k, type_ in known.attributes[name].by_kind.items() if k in kinds}
    pairs = [*combinations(types, 2)]
    apart = [pair for pair in pairs if join_all(known, [types[k] for k in pair]) is None]
    one, other = (apart or pairs)[0]
    return (
        f"the `{name}` of a `{one}` is {describe_type(types[one])}, but that of a `{other}` is "
        f"{describe_type(types[other])}"
    )


# ---- Selections ----------------------------------------------------------------------------------


def type_of_selection(scope: Scope, node: nodes.At, subject: Type, key: Type) -> Type:
    """`hand[p]`, `market[Judgment]`, `values(type)[colour]`"""
    match subject:
        case Maybe(Never()) if isinstance(node.subject, nodes.Name) and not scope.in_example:
            message = f"{written(node.subject)} can only be `none` here, and holds nothing"
            report(scope, codes.ALWAYS_NONE, message, node.subject.span)
            return UNKNOWN
        case Unknown() | Never() | Maybe(Never() | Unknown()) | Several(Never() | Unknown()):
            return subject if isinstance(subject, Unknown | Several) else UNKNOWN
        case Outputs():
            return _select_output(scope, node, subject, key)
        case Indexed(indices, of):
            _index(scope, node, indices[0], key)
            return Indexed(indices[1:], of) if indices[1:] else of
        case Place(kinds, indices, order, name) if indices and same_sort(indices[0], key):
            _index(scope, node, indices[0], key)
            return Place(kinds, indices[1:], order, name)
        case Place(kinds) | Several(Piece(kinds)) | Piece(kinds) | Maybe(Piece(kinds)):
            indices = subject.indices if isinstance(subject, Place) else ()
            kept = _select_kinds(scope, node, kinds, key, indices)
            return UNKNOWN if kept is None else Several(Piece(kept))
        case _:
            message = (
                f"{describe_expression(node.subject, subject)}, so nothing can be selected from it"
            )
            hint = None
            if isinstance(subject, Several):
                hint = "test with `in`, or filter with `where`"
            elif isinstance(node.subject, nodes.Name):
                variable = scope.known.program.variables.get(node.subject.text)
                name = node.subject.text
                hint = f"begin its row in `state` with `{name}[…]`" if variable else None
            report(scope, codes.WRONG_INDEX, message, node.key.span, hint)
            return UNKNOWN


def same_sort(index: Type, key: Type) -> bool:
    """Whether a key is an index. "If it could be both, it is the index"."""
    match index, present(key):
        case (_, Unknown() | Never()):
            return True
        case Choice() as a, Choice() as b:
            return not set(a.domain).isdisjoint(b.domain)
        case a, b:
            return type(a) is type(b)


def _index(scope: Scope, node: nodes.At, index: Type, key: Type) -> None:
    found = fit(key, index)
    if found == "none":
        message = (
            f"{written(node.key)} can only be `none` here, but the index is {describe_type(index)}"
        )
        report(scope, codes.ALWAYS_NONE, message, node.key.span)
    elif found != "fits":
        message = f"{written(node.subject)} is indexed by {describe_type(index)}, but {describe_expression(node.key, key)}"
        report(scope, codes.WRONG_INDEX, message, node.key.span)


def _select_output(scope: Scope, node: nodes.At, subject: Outputs, key: Type) -> Type:
    """If the outputs of a table are members of an enum, a member selects one."""
    outputs = dict(subject.outputs)
    inner = present(key)
    if isinstance(inner, Unknown | Never):
        return UNKNOWN
    if not isinstance(inner, Choice) or inner.members.isdisjoint(outputs):
        message = f"{written(node.key)} is not one of the outputs {list_names(outputs)}"
        report(scope, codes.WRONG_INDEX, message, node.key.span)
        return UNKNOWN
    missing = [each for each in inner.domain if each in inner.members - outputs.keys()]
    if missing:
        _tell_no_output(scope, node, subject, missing)
        return UNKNOWN
    return joined_type(scope.known, (t for name, t in outputs.items() if name in inner.members))


def _tell_no_output(scope: Scope, node: nodes.At, subject: Outputs, missing: list[str]) -> None:
    """A member may be asked for that no output is named after, as a combination without a row."""
    many = "outputs" if len(missing) > 1 else "an output"
    message = f"the table `{subject.table}` has no output {list_names(missing)}"
    odd = [name for name, _ in subject.outputs if name not in scope.known.owners]
    hint = f"add {many} {list_names(missing)}"
    if len(odd) == len(missing) == 1:
        hint = f"`{odd[0]}` in its first line is not a member: write `{missing[0]}`"
    routine = scope.known.program.routines.get(subject.table)
    table = routine.versions[-1].node if routine is not None else None
    header = (Related("its outputs", table.header.span),) if isinstance(table, nodes.Table) else ()
    report(scope, codes.WRONG_INDEX, message, node.key.span, hint, header)


def _select_kinds(
    scope: Scope, node: nodes.At, kinds: frozenset[str], key: Type, indices: tuple[Type, ...]
) -> frozenset[str] | None:
    """The kinds of which a selection may keep pieces, all of a family if there are indices."""
    inner = present(key)
    if isinstance(inner, Several):
        inner = inner.of
    if isinstance(inner, Unknown | Never):
        return kinds
    if isinstance(inner, Piece | Place):
        return kinds & inner.kinds
    if not isinstance(inner, Choice | Face):
        message = (
            f"pieces are selected by kind, member or face, but {describe_expression(node.key, key)}"
        )
        hint = (
            f"write `[attribute = {as_written(node.key)}]`" if isinstance(inner, Number) else None
        )
        if indices:
            index = describe_type(indices[0])
            message = f"{written(node.subject)} is indexed by {index}, but {describe_expression(node.key, key)}"
            hint = f"write `{as_written(node.subject)}[p]`" if indices[0] == SEAT else None
            if indices[0] == SEAT and isinstance(present(key), Several) and inner == SEAT:
                hint = f"write `{as_written(node.subject)}[q]` inside `for q in {as_written(node.key)}`"
                if node.key == nodes.Name("Player") and not indices[1:]:
                    hint = f"write `{as_written(node.subject)}` for all of them together, or `{as_written(node.subject)}[q]` inside `for q in Player`"
            if isinstance(node.key, nodes.Fold) and node.key.function.text in ("min", "max"):
                word = "least" if node.key.function.text == "min" else "best"
                hint = f"write `{word}(…)` for the player who has it"
        report(scope, codes.WRONG_INDEX, message, node.key.span, hint)
        return None
    kept = matching_kinds(scope.known, kinds, inner)
    if not kept and kinds and not scope.in_example:
        message = f"nothing in {written(node.subject)} can be {written(node.key)}"
        if indices:
            message += f", and it is indexed by {describe_type(indices[0])}"
        holds = f"it holds {list_names(sorted(kinds))}" if len(kinds) < 6 else None
        if (unread := _unread(scope.known, kinds, node.key, inner)) is not None:
            holds = f"write `[{unread} = {as_written(node.key)}]`: a computed attribute goes by its name"
        report(scope, codes.WRONG_INDEX, message, node.key.span, holds)
    return kept or kinds


def _unread(
    known: Known, kinds: frozenset[str], key: nodes.Expr, wanted: Choice | Face
) -> str | None:
    """The attribute that was meant, if it is one that only its name can mean."""
    if isinstance(wanted, Face) or isinstance(key, nodes.List):
        return None
    found = [unread_attribute(known, kinds, word) for word in sorted(wanted.members)]
    return next((name for _, name in filter(None, found)), None)


def matching_kinds(known: Known, kinds: frozenset[str], key: Choice | Face) -> frozenset[str]:
    """The kinds of which a piece may have such a value, or such a face."""
    if isinstance(key, Face):
        return kinds & key.kinds
    return kinds & frozenset().union(*(_kinds_with(known, each) for each in key.members))


def face_kinds(known: Known, face: nodes.Face) -> frozenset[str]:
    """The kinds of which a piece may look like this."""
    kinds = known.kinds
    for word in face.words:
        value = word.text if isinstance(word, nodes.Name) else word.value
        kinds &= _kinds_with(known, value)
    return kinds


def _kinds_with(known: Known, value: str | int) -> frozenset[str]:
    """The kinds that have a word or a number in their face, as far as it means anything."""
    if isinstance(value, str) and value in known.kinds:
        return frozenset({value})
    if isinstance(value, str) and value not in known.owners:
        return known.kinds
    if value not in known.kinds_by_word:
        known.kinds_by_word[value] = frozenset(
            kind
            for attribute in known.attributes.values()
            for kind, type_ in attribute.by_kind.items()
            if kind in attribute.read and may_have(type_, value)
        )
    return known.kinds_by_word[value]


def type_of_having(scope: Scope, node: nodes.Having, subject: Type, value: Type) -> Type:
    """`hand[p][rank = 5]`"""
    match subject:
        case Place(kinds) | Several(Piece(kinds)) | Piece(kinds) | Maybe(Piece(kinds)):
            pass
        case Unknown() | Maybe(Never() | Unknown()) | Several(Never() | Unknown()):
            return subject if isinstance(subject, Several) else UNKNOWN
        case _:
            message = (
                f"{describe_expression(node.subject, subject)}, so nothing can be selected from it"
            )
            report(scope, codes.WRONG_INDEX, message, node.attribute.span)
            return UNKNOWN
    found = _elements(_attribute(scope, node.attribute, kinds, node.subject))
    inner = element(value)
    if inner is None or not comparable(found, inner):
        name = node.attribute.text
        message = (
            f"`{name}` is {describe_type(found)}, but {describe_expression(node.value, value)}"
        )
        report(scope, codes.WRONG_INDEX, message, node.value.span)
    elif _is_literal(scope.known, node.value) and _is_apart(found, inner):
        name = node.attribute.text
        what = f"{written(node.subject)} has {written(node.value)} as `{name}`"
        message = f"nothing in {what}, which is {list_domain(found)}"
        report(scope, codes.WRONG_INDEX, message, node.value.span)
    attribute = scope.known.attributes.get(node.attribute.text)
    kept = kinds if attribute is None else kinds & attribute.by_kind.keys()
    return Several(Piece(kept or kinds))


def _is_literal(known: Known, expr: nodes.Expr) -> bool:
    """Whether a value is written out. Another may come from a slot, and be right in other games."""
    if isinstance(expr, nodes.Range | nodes.List):
        items = (expr.low, expr.high) if isinstance(expr, nodes.Range) else expr.items
        return all(_is_literal(known, item) for item in items)
    return type_of_written(known, expr) is not None


def _is_apart(found: Type, wanted: Type) -> bool:
    """Whether no value of one domain is in the other."""
    match present(found), present(wanted):
        case Number(low, high), Number(least, most):
            return high < least or most < low
        case Choice(_, _, a), Choice(_, _, b):
            return a.isdisjoint(b)
        case _:
            return False

"""Pieces: their attributes, and how they look. A look is a mask of the pieces that have it."""

from typing import Any

from interpreter.compiled.masks import mask
from interpreter.compiled.writing import Unsupported
from interpreter.native.operations.sets import start_list
from interpreter.native.scribe import Scribe, named, running, writer
from interpreter.native.writing import Scope, Text
from interpreter.operations.pieces import faces_of
from rulespec.core.tree import AttributeRow, Op
from rulespec.core.types import Number


def _row(w: Scribe, name: str) -> AttributeRow:
    return next(row for row in w.code.attributes if row.name == name)


@writer("attribute")
def _attribute(w: Scribe, op: Op, scope: Scope) -> Text:
    piece, name = op.args
    row = _row(w, name)
    values = w.layout.attributes[name]
    c = w.simple(piece, scope)
    if row.set_valued:
        table = w.lists(name.upper(), (*values, ()))
        return Text(f"{table}[{c.code} == NONE ? PIECES : {c.code}]", "list", constant=True)
    table = w.numbers(name.upper(), values)
    low = high = None
    if isinstance(row.type, Number) and None not in values:
        low, high = row.type.low, row.type.high
    return Text(f"({c.code} == NONE ? NONE : {table}[{c.code}])", low=low, high=high)


def masks_of(w: Scribe, name: str) -> dict[Any, int]:
    """Of every value of an attribute the pieces that have it."""
    row = _row(w, name)
    found: dict[Any, int] = {}
    for c, value in enumerate(w.layout.attributes[name]):
        for each in value if row.set_valued else (value,):
            if each is not None:
                found[each] = found.get(each, 0) | 1 << c
    return found


@writer("attributes")
def _attributes(w: Scribe, op: Op, scope: Scope) -> Text:
    pieces, name, order = op.args
    if order == "formed":
        raise Unsupported("attributes that are pieces")
    m = w.mask(pieces, scope)
    code = f"{_present(w, name, order)}({m})"
    return Text(scope.out.declare("list", "l", code), "list")


def _present(w: Scribe, name: str, order: str) -> str:
    """A function of a mask that gives the values of an attribute in it: a test for each value."""
    key = "present", name, order
    if key not in w.functions:
        written = w.names.make(f"{name}_in")
        w.functions[key] = Text(written)
        rank = w.layout.ranks.get(order)
        pairs = sorted(
            masks_of(w, name).items(), key=lambda pair: pair[0] if rank is None else rank[pair[0]]
        )
        w.longest = max(w.longest, len(pairs))
        head = f"static list {written}(mask m)"
        w.heads.add(f"{head};")
        with w.done.block(head):
            w.done.add("list l;", "l.n = 0;")
            for value, having in pairs:
                # Without a branch: nobody could foresee it.
                w.done.add(f"l.v[l.n] = {int(value)}; l.n += (m & {w.constant(having)}) != 0;")
            w.done.add("return l;")
        w.done.add("")
    return w.functions[key].code


@writer("having")
def _having(w: Scribe, op: Op, scope: Scope) -> Text:
    over, name, wanted = op.args
    pieces = w.text(over, scope)
    masks = masks_of(w, name)
    is_known, value = w.known(wanted)
    if is_known:
        looks = 0
        for each in value:
            looks |= masks.get(each, 0)
        return _matching(w, pieces, w.constant(looks), scope)
    table = _with_value(w, name, masks)
    return _matching(w, pieces, _any_of(w, wanted, f"{table}({{}})", scope), scope)


def _with_value(w: Scribe, name: str, masks: dict[Any, int]) -> str:
    """A function that gives the pieces with a value of an attribute."""
    key = "with", name
    if key not in w.functions:
        written = w.names.make(f"with_{name}")
        w.functions[key] = Text(written)
        head = f"static mask {written}(num v)"
        w.heads.add(f"{head};")
        with w.done.block(head):
            with w.done.block("switch (v)"):
                for value, having in masks.items():
                    w.done.add(f"case {int(value)}: return {w.constant(having)};")
            w.done.add("return 0;")
        w.done.add("")
    return w.functions[key].code


def _any_of(w: Scribe, op: Op, one: str, scope: Scope) -> str:
    """The pieces that look like one of several values."""
    text = w.text(op, scope.loosely())
    if text.form == "single":
        return one.format(text.code)
    if text.form == "perhaps":
        text = named(text, scope)
        return f"({text.code} == NONE ? 0 : {one.format(text.code)})"
    like = scope.out.declare("mask", "like", "0")
    with running(text, scope) as each:
        scope.out.add(f"{like} |= {one.format(each.code)};")
    return like


def _matching(w: Scribe, pieces: Text, like: str, scope: Scope) -> Text:
    """The pieces that are among others."""
    if pieces.form == "mask":
        return Text(f"({pieces.code} & {like})", "mask", home=pieces.home)
    if not scope.ordered:
        return Text(f"({w.as_mask(pieces)} & {like})", "mask", home=pieces.home)
    among, name = scope.out.declare("mask", "like", like), start_list(scope)
    with running(pieces, scope) as each:
        scope.out.add(f"if (has({among}, {each.code})) add(s, &{name}, {each.code});")
    return Text(name, "list", home=pieces.home)


# ---- Looks ---------------------------------------------------------------------------------------


def look(w: Scribe, op: Op, scope: Scope) -> str:
    """How pieces look, as a mask."""
    match op.name:
        case "look":
            return w.constant(mask(faces_of(w.layout, op.args[0])))
        case "any_look":
            every = [look(w, each, scope) for each in op.args]
            return f"({' | '.join(every)})" if every else "(mask)0"
        case "look_pieces":
            return w.mask(op.args[0], scope)
        case "look_members":
            return _members(w, op.args[0], scope)
    raise Unsupported(f"`{op.name}`")


def _members(w: Scribe, op: Op, scope: Scope) -> str:
    table = [mask(faces_of(w.layout, (("member", m),))) for m in range(len(w.code.members))]
    is_known, value = w.known(op)
    if is_known:
        found = 0
        for each in value:
            found |= table[each]
        return w.constant(found)
    if op.name == "single":
        text = w.number(op.args[0], scope)
        if text.code.isdigit():
            return w.constant(table[int(text.code)])
    name = w.masks("LOOKS", table)
    return _any_of(w, op, f"{name}[at(s, {{}}, {len(table)})]", scope)


@writer("matching")
def _match(w: Scribe, op: Op, scope: Scope) -> Text:
    return _matching(w, w.text(op.args[0], scope), look(w, op.args[1], scope), scope)


@writer("unlike")
def _unlike(w: Scribe, op: Op, scope: Scope) -> Text:
    return _matching(w, w.text(op.args[0], scope), f"~{look(w, op.args[1], scope)}", scope)


@writer("looks")
def _looks(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"has({look(w, op.args[1], scope)}, {w.code_of(op.args[0], scope)})")


@writer("any_looks")
def _any_looks(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"(({w.mask(op.args[0], scope)} & {look(w, op.args[1], scope)}) != 0)")

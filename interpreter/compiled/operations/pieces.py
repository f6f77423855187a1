"""Pieces: their attributes, and how they look. A look is a mask of the pieces that have it."""

from typing import Any

from interpreter.compiled.operations.sets import canonical, run
from interpreter.compiled.scribe import Scope, Scribe, as_mask, as_plain, writer
from interpreter.compiled.support import mask
from interpreter.compiled.writing import Text
from interpreter.operations.pieces import faces_of
from rulespec.checking.values import Number
from rulespec.lowering.code import AttributeRow, Op

MOST_WRITTEN = 16  # values of an attribute that are tested one by one


def _row(w: Scribe, name: str) -> AttributeRow:
    return next(row for row in w.code.attributes if row.name == name)


@writer("attribute")
def _attribute(w: Scribe, op: Op, scope: Scope) -> Text:
    piece, name = op.args
    row = _row(w, name)
    table: dict[int | None, Any] = dict(enumerate(w.layout.attributes[name]))
    table[None] = () if row.set_valued else None
    found = Text(f"{w.pool.keep(name.upper(), table)}[{w.plain(piece, scope)}]")
    if isinstance(row.type, Number) and None not in w.layout.attributes[name]:
        return Text(found.code, low=row.type.low, high=row.type.high)
    return found


def _masks_of(w: Scribe, name: str) -> dict[Any, int]:
    """Of every value of an attribute the pieces that have it."""
    row = _row(w, name)
    found: dict[Any, int] = {}
    for c, value in enumerate(w.layout.attributes[name]):
        for each in value if row.set_valued else (value,):
            if each is not None:
                found[each] = found.get(each, 0) | 1 << c
    return found


def _present(w: Scribe, name: str, order: str, pairs: list[tuple[Any, int]]) -> str:
    """A function of a mask that gives the values of an attribute in it: a test for each value."""
    key = f"present {name}", (order,)
    if key not in w.functions:
        written = w.names.make(f"{name}_in")
        w.functions[key] = Text(written)
        with w.done.block(f"def {written}(m):"):
            w.done.add("o = []")
            for value, having in pairs:
                constant = w.pool.constant(value)
                w.done.add(f"if m & {w.pool.constant(having)}: o.append({constant})")
            w.done.add("return tuple(o)")
        w.done.add("", "")
    return w.functions[key].code


@writer("attributes")
def _attributes(w: Scribe, op: Op, scope: Scope) -> Text:
    pieces, name, order = op.args
    values = w.several(pieces, scope if order == "formed" else scope.loosely())
    if values.form == "mask" and order != "formed":
        rank = w.layout.ranks.get(order)
        key = None if rank is None else (lambda pair: rank[pair[0]])
        pairs = sorted(_masks_of(w, name).items(), key=key)
        if len(pairs) > MOST_WRITTEN:
            table = w.pool.keep(f"WITH_{name.upper()}", tuple(pairs))
            return Text(f"present({table}, {values.code})")
        return Text(f"{_present(w, name, order, pairs)}({values.code})")
    table = w.pool.keep(name.upper(), dict(enumerate(w.layout.attributes[name])))
    c = scope.fresh()
    if _row(w, name).set_valued:
        v = scope.deeper().fresh()
        return Text(canonical(w, order, f"[{v} for {c} in {run(values)} for {v} in {table}[{c}]]"))
    code = f"[{table}[{c}] for {c} in {run(values)} if {table}[{c}] is not None]"
    return Text(canonical(w, order, code))


@writer("having")
def _having(w: Scribe, op: Op, scope: Scope) -> Text:
    over, name, wanted = op.args
    pieces = w.several(over, scope)
    masks = _masks_of(w, name)
    is_known, value = w.known(wanted)
    if is_known:
        looks = 0
        for each in value:
            looks |= masks.get(each, 0)
        like = w.pool.constant(looks)
    else:
        table = w.pool.keep(f"{name.upper()}_MASK", masks)
        text = w.text(wanted, scope.loosely())
        if text.form in ("single", "perhaps"):
            like = f"{table}.get({text.code}, 0)"
        else:
            like = f"any_of_masks({table}, {as_plain(text).code})"
    return _matching(scope, pieces, like)


def _matching(scope: Scope, pieces: Text, like: str) -> Text:
    """The pieces that are among others."""
    if pieces.form == "mask":
        return Text(f"({pieces.code} & {like})", "mask", home=pieces.home)
    c = scope.fresh()
    if like.isidentifier() or like[:1].isdigit():
        code = f"tuple([{c} for {c} in {pieces.code} if {like} >> {c} & 1])"
    else:
        code = f"those({pieces.code}, {like})"
    return Text(code, home=pieces.home)


# ---- Looks ---------------------------------------------------------------------------------------


def look(w: Scribe, op: Op, scope: Scope) -> str:
    """How pieces look, as a mask."""
    match op.name:
        case "look":
            return w.pool.constant(mask(faces_of(w.layout, op.args[0])))
        case "any_look":
            return f"({' | '.join(look(w, each, scope) for each in op.args)})" if op.args else "0"
        case "look_pieces":
            return _grouped(as_mask(w.text(op.args[0], scope.loosely())))
        case "look_members":
            return _members(w, op.args[0], scope)
    raise AssertionError(op.name)


def _members(w: Scribe, op: Op, scope: Scope) -> str:
    table = tuple(mask(faces_of(w.layout, (("member", m),))) for m in range(len(w.code.members)))
    is_known, value = w.known(op)
    if is_known:
        found = 0
        for each in value:
            found |= table[each]
        return w.pool.constant(found)
    name = w.pool.keep("LOOKS", table)
    text = w.text(op, scope.loosely())
    if text.form == "single" and text.code.isdigit():
        return w.pool.constant(table[int(text.code)])
    if text.form == "single":
        return f"{name}[{text.code}]"
    if text.form == "perhaps":
        return f"(0 if {text.code} is None else {name}[{text.code}])"
    return f"any_of_looks({name}, {as_plain(text).code})"


def _grouped(code: str) -> str:
    return f"({code})" if " " in code else code


@writer("matching")
def _match(w: Scribe, op: Op, scope: Scope) -> Text:
    return _matching(scope, w.several(op.args[0], scope), look(w, op.args[1], scope))


@writer("unlike")
def _unlike(w: Scribe, op: Op, scope: Scope) -> Text:
    pieces, like = w.several(op.args[0], scope), look(w, op.args[1], scope)
    if pieces.form == "mask":
        return Text(f"({pieces.code} & ~{like})", "mask", home=pieces.home)
    return Text(f"those({pieces.code}, ~{like})", home=pieces.home)


@writer("looks")
def _looks(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"has({look(w, op.args[1], scope)}, {w.plain(op.args[0], scope)})")


@writer("any_looks")
def _any_looks(w: Scribe, op: Op, scope: Scope) -> Text:
    pieces = w.several(op.args[0], scope.loosely())
    return Text(f"({as_mask(pieces)} & {look(w, op.args[1], scope)} != 0)")


@writer("pair_up")
def _pair_up(w: Scribe, op: Op, scope: Scope) -> Text:
    pieces = w.plain(op.args[0], scope)
    likes = ", ".join(look(w, each, scope) for each in op.args[1])
    return Text(f"pair_up({pieces}, [{likes}])")


@writer("knows")
def _knows(w: Scribe, op: Op, scope: Scope) -> Text:
    seat, pieces = (w.plain(each, scope) for each in op.args)
    return Text(f"knows(s, {seat}, {pieces})")

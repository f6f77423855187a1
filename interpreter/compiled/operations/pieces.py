"""Pieces: their attributes, and how they look. A look is a mask of the pieces that have it."""

from typing import Any

from attrs import evolve

from interpreter.compiled.masks import Having, Present, Union, mask
from interpreter.compiled.operations.sets import canonical, run
from interpreter.compiled.scribe import Scope, Scribe, as_mask, as_plain, writer
from interpreter.compiled.writing import Text
from interpreter.operations.pieces import faces_of
from rulespec.core.tree import AttributeRow, Op
from rulespec.core.types import Number

MOST_RUNS = (
    32  # of pieces with the same value of an attribute, so that what is in a mask can be looked up
)


def _row(w: Scribe, name: str) -> AttributeRow:
    return next(row for row in w.code.attributes if row.name == name)


@writer("attribute")
def _attribute(w: Scribe, op: Op, scope: Scope) -> Text:
    piece, name = op.args
    row = _row(w, name)
    subject = as_plain(w.text(piece, scope.strictly()))
    table: Any = tuple(w.layout.attributes[name])
    if not subject.sure:
        table = {**dict(enumerate(table)), None: () if row.set_valued else None}
    found = Text(f"{w.pool.keep(name.upper(), table)}[{subject.code}]")
    # Of what may be none no range is known: the top of an empty pile has no value.
    is_number = isinstance(row.type, Number) and None not in w.layout.attributes[name]
    if isinstance(row.type, Number) and is_number and subject.sure:
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


def _present(w: Scribe, name: str, m: Text, pairs: list[tuple[Any, int]]) -> str:
    """The values of an attribute in a mask: looked up by the runs of like pieces of which there is one.

    Pieces that look alike lie side by side, so there are far fewer runs than pieces. In each run all bits but
    the highest are added to themselves as they would all be: that carries into the highest one if any is set.
    """
    low = high = 0
    found = []
    for value, having in pairs:
        ends = having & ~(having >> 1)
        low, high = low | having & ~ends, high | ends
        found.append((value, ends))
    # Zones have tables of their own: what is seldom the same twice shall not crowd out what often is.
    key = name, tuple(pairs), (m.home or "").split(" ")[0]
    table = w.pool.keep(f"{name}_in".upper(), Present(tuple(found)), key)
    if not low:
        return f"{table}[{m.code} & {w.pool.constant(high)}]"
    low_code, high_code = w.pool.constant(low), w.pool.constant(high)
    return f"{table}[(({m.code} & {low_code}) + {low_code} | {m.code}) & {high_code}]"


@writer("attributes")
def _attributes(w: Scribe, op: Op, scope: Scope) -> Text:
    pieces, name, order = op.args
    values = w.several(pieces, scope if order == "formed" else scope.loosely())
    if values.form == "mask" and order != "formed":
        rank = w.layout.ranks.get(order)
        key = None if rank is None else (lambda pair: rank[pair[0]])
        whole = -1 if values.reach is None else values.reach
        masks = {value: having & whole for value, having in _masks_of(w, name).items()}
        pairs = sorted([pair for pair in masks.items() if pair[1]], key=key)
        runs = sum((having & ~(having >> 1)).bit_count() for _, having in pairs)
        if runs > MOST_RUNS or _row(w, name).set_valued:
            table = w.pool.keep(f"WITH_{name.upper()}", tuple(pairs))
            return Text(f"present({table}, {values.code})")
        if values.is_cheap:
            return Text(_present(w, name, values, pairs))
        m = scope.fresh("m")
        once = f"({m} := {values.code})"
        return Text(_present(w, name, evolve(values, code=m), pairs).replace(m, once, 1))
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
        table = w.pool.keep(f"{name.upper()}_MASK", Having(masks))
        text = w.text(wanted, scope.loosely())
        if text.form in ("single", "perhaps"):
            like = f"{table}[{text.code}]"
        else:
            union = w.pool.keep(f"ANY_{name.upper()}", Union(masks), tuple(masks.items()))
            like = f"{union}[{as_plain(text).code}]"
    return _matching(scope, pieces, like, None)


def _matching(scope: Scope, pieces: Text, like: str, reach: int | None) -> Text:
    """The pieces that are among others, which are some of those within `reach`, if that is known."""
    if pieces.form == "mask":
        both = pieces.reach if None in (pieces.reach, reach) else pieces.reach & reach  # type: ignore[operator]
        return evolve(pieces, code=f"({pieces.code} & {like})", reach=both)
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
    union = w.pool.keep("ANY_OF", Union(table), table)
    return f"{union}[{as_plain(text).code}]"


def _grouped(code: str) -> str:
    return f"({code})" if " " in code else code


@writer("matching")
def _match(w: Scribe, op: Op, scope: Scope) -> Text:
    pieces, like = w.several(op.args[0], scope), op.args[1]
    return _matching(scope, pieces, look(w, like, scope), _reach(w, like, scope))


def _reach(w: Scribe, op: Op, scope: Scope) -> int | None:
    """All pieces that can look so, if that is known."""
    if op.name == "look":
        return mask(faces_of(w.layout, op.args[0]))
    if op.name != "look_members":
        return None
    is_known, value = w.known(op.args[0])
    members = value if is_known else w.text(op.args[0], scope.loosely()).members
    if members is None:
        return None
    return mask(c for each in members for c in faces_of(w.layout, (("member", each),)))


@writer("unlike")
def _unlike(w: Scribe, op: Op, scope: Scope) -> Text:
    pieces, like = w.several(op.args[0], scope), look(w, op.args[1], scope)
    if pieces.form == "mask":
        return evolve(pieces, code=f"({pieces.code} & ~{like})")
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

"""Sets: made, filtered, counted and folded.

A mask stays a mask as long as its order is that of the numbers, or nobody asks for the order.
"""

import re

from attrs import evolve

from interpreter.compiled.operations.folds import SAFE, counted, extreme, filtered
from interpreter.compiled.scribe import Scope, Scribe, as_listing, as_mask, as_plain, writer
from interpreter.compiled.writing import Text
from rulespec.core.tree import Op

MOST_COUNTED = 100_000  # elements of a set that is no set of pieces


def canonical(w: Scribe, order: str, code: str) -> str:
    """Values as a set: without duplicates, in canonical order or as they come."""
    if order == "formed":
        return f"tuple(dict.fromkeys({code}))"
    rank = w.layout.ranks.get(order)
    if rank is None:
        return f"tuple(sorted(set({code})))"
    return f"tuple(sorted(set({code}), key={w.pool.keep('RANK', rank)}.__getitem__))"


def run(text: Text) -> str:
    """What a loop runs through."""
    return f"bits({text.code})" if text.form == "mask" else text.code


@writer("list")
def _list(w: Scribe, op: Op, scope: Scope) -> Text:
    items, order = op.args
    if not items:
        return Text("()")
    texts = [w.text(each, scope.strictly()) for each in items]
    if len(texts) == 1 and texts[0].form in ("single", "perhaps"):
        return texts[0]
    parts = [each.code if each.form == "single" else f"*{run(as_plain(each))}" for each in texts]
    return Text(canonical(w, order, f"({', '.join(parts)},)"))


def _masks(w: Scribe, op: Op, scope: Scope) -> tuple[Text, Text]:
    left, right = (w.several(each, scope) for each in op.args[:2])
    return left, right


@writer("union")
def _union(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = _masks(w, op, scope)
    home = left.home if left.home == right.home else None
    if left.form == right.form == "mask" and (not scope.ordered or _is_below(left, right)):
        reach = None if left.reach is None or right.reach is None else left.reach | right.reach
        return Text(_united(left.code, right.code, home), "mask", home=home, reach=reach)
    left, right = as_plain(left), as_plain(right)
    return Text(canonical(w, op.args[2], f"{left.code} + {right.code}"), home=home)


def _united(left: str, right: str, home: str | None) -> str:
    """Two masks as one; of the same zone, what they select of it."""
    zone = f"(s[{home}] & "
    one, other = left.removeprefix(zone), right.removeprefix(zone)
    if home is not None and _is_name(one) and _is_name(other):
        return f"{zone}({one[:-1]} | {other[:-1]}))"
    return f"({left} | {right})"


def _is_name(code: str) -> bool:
    """Whether code is a number or something that is looked up, and closes a bracket."""
    return re.fullmatch(r"\w+(\[[\w\[\]]+\])?\)", code) is not None


def _is_below(left: Text, right: Text) -> bool:
    """Whether all pieces that can be in one mask have lower numbers than all in another."""
    if left.reach is None or right.reach is None:
        return False
    return left.reach < (right.reach & -right.reach or left.reach + 1)


@writer("difference")
def _difference(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = w.several(op.args[0], scope), w.several(op.args[1], scope.loosely())
    if left.form == "mask":
        return evolve(left, code=f"({left.code} & ~{_grouped(as_mask(right))})")
    if right.form == "mask":
        name = scope.fresh()
        rest = f"tuple([{name} for {name} in {left.code} if not {right.code} >> {name} & 1])"
        return Text(rest, home=left.home)
    return Text(f"minus({left.code}, {right.code})", home=left.home)


@writer("intersection")
def _intersection(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = w.several(op.args[0], scope), w.several(op.args[1], scope.loosely())
    if left.form == "mask":
        return evolve(left, code=f"({left.code} & {_grouped(as_mask(right))})")
    if right.form == "mask":
        name = scope.fresh()
        rest = f"tuple([{name} for {name} in {left.code} if {right.code} >> {name} & 1])"
        return Text(rest, home=left.home)
    return Text(f"both({left.code}, {right.code})", home=left.home)


def _grouped(code: str) -> str:
    """A mask as part of an expression."""
    is_one = code.startswith("(") or re.fullmatch(r"\w+(\[[^\]]*\])?", code)
    return code if is_one else f"({code})"


@writer("count")
def _count(w: Scribe, op: Op, scope: Scope) -> Text:
    text = w.text(op.args[0], scope.loosely())
    if text.form == "mask":
        return Text(f"{_grouped(text.code)}.bit_count()", low=0, high=len(w.layout.pieces))
    if text.form == "single":
        return Text("1", low=1, high=1)
    if text.form == "perhaps":
        return Text(f"(0 if {text.code} is None else 1)", low=0, high=1)
    return Text(f"len({as_listing(text.code)})", low=0, high=MOST_COUNTED)


@writer("numbers")
def _numbers(w: Scribe, op: Op, scope: Scope) -> Text:
    low, high = (as_plain(w.text(each, scope)) for each in op.args)
    if None not in (low.low, high.high) and high.high - low.low < MOST_COUNTED:  # type: ignore[operator]
        return Text(f"tuple(range({low.code}, {high.code} + 1))")
    return Text(f"numbers({low.code}, {high.code}, {w.op(op)})")


@writer("members_between")
def _members_between(w: Scribe, op: Op, scope: Scope) -> Text:
    low, high = (w.plain(each, scope) for each in op.args[:2])
    members = w.layout.enums[op.args[2]]
    place = w.pool.keep("PLACE", {member: n for n, member in enumerate(members)})
    return Text(f"{w.pool.constant(members)}[{place}[{low}] : {place}[{high}] + 1]")


# ---- Names that run through a set ----------------------------------------------------------------


def bound(w: Scribe, op: Op, scope: Scope, number: int, *, ordered: bool) -> tuple[str, str, Scope]:
    """A set to run through, the name of its elements, and where that name is known."""
    values = w.several(op, scope if ordered else scope.loosely())
    name = scope.fresh()
    return run(values), name, scope.strictly().bind(number, Text(name))


@writer("filter")
def _filter(w: Scribe, op: Op, scope: Scope) -> Text:
    over, number, condition = op.args
    few = filtered(w, op, scope)
    if few is not None:
        return few
    values, name, inner = bound(w, over, scope, number, ordered=scope.ordered)
    test = w.plain(condition, inner)
    return Text(f"tuple([{name} for {name} in {values} if {test}])")


@writer("build")
def _build(w: Scribe, op: Op, scope: Scope) -> Text:
    over, number, item, order = op.args
    values, name, inner = bound(w, over, scope, number, ordered=True)
    value = w.text(item, inner.deeper())
    if value.form == "single":
        return Text(canonical(w, order, f"[{value.code} for {name} in {values}]"))
    each = scope.deeper().fresh()
    code = f"[{each} for {name} in {values} for {each} in {run(as_plain(value))}]"
    return Text(canonical(w, order, code))


@writer("top")
def _top(w: Scribe, op: Op, scope: Scope) -> Text:
    values = w.several(op.args[0], scope.strictly())
    if values.form == "mask" and values.code == f"s[{values.home}]":
        return Text(f"FIRST_OF[{values.code}]", home=values.home)
    if values.form == "mask" and values.code.isidentifier():
        m = values.code
        return Text(f"(({m} & -{m}).bit_length() - 1 if {m} else None)", home=values.home)
    if values.form == "mask":
        m = scope.fresh("m")
        first = f"(({m} & -{m}).bit_length() - 1 if ({m} := {values.code}) else None)"
        return Text(first, home=values.home)
    if values.is_cheap:
        return Text(f"({values.code}[0] if {values.code} else None)", home=values.home)
    return Text(f"first_of({values.code})", home=values.home)


@writer("top_several")
def _top_several(w: Scribe, op: Op, scope: Scope) -> Text:
    values = w.several(op.args[0], scope.strictly())
    count = as_plain(w.text(op.args[1], scope))
    if values.form == "mask":
        return evolve(values, code=f"first_bits({values.code}, {count.code})")
    most = count.code if count.low is not None and count.low >= 0 else f"max(0, {count.code})"
    return evolve(values, code=f"{values.code}[:{most}]")


# ---- Folds ---------------------------------------------------------------------------------------


def _over(w: Scribe, op: Op, scope: Scope, *, ordered: bool = True) -> tuple[str, str, Text]:
    values, name, inner = bound(w, op.args[0], scope, op.args[1], ordered=ordered)
    return values, name, as_plain(w.text(op.args[2], inner))


MOST_UNROLLED = 8  # elements of a set over which a fold is written out


def _unrolled(w: Scribe, op: Op, scope: Scope) -> list[Text] | None:
    """What is folded, for each element of a small set that is known at this table."""
    is_known, values = w.known(op.args[0])
    if not is_known or not 0 < len(values) <= MOST_UNROLLED:
        return None
    return [
        as_plain(w.text(op.args[2], scope.strictly().bind(op.args[1], w.literal(each))))
        for each in values
    ]


@writer("any_of")
def _any_of(w: Scribe, op: Op, scope: Scope) -> Text:
    several = _unrolled(w, op, scope)
    if several is not None:
        return Text(f"({' or '.join(each.code for each in several)})")
    values, name, test = _over(w, op, scope)
    return Text(f"any({test.code} for {name} in {values})")


@writer("all_of")
def _all_of(w: Scribe, op: Op, scope: Scope) -> Text:
    several = _unrolled(w, op, scope)
    if several is not None:
        return Text(f"({' and '.join(each.code for each in several)})")
    values, name, test = _over(w, op, scope)
    return Text(f"all({test.code} for {name} in {values})")


@writer("sum_of")
def _sum_of(w: Scribe, op: Op, scope: Scope) -> Text:
    several = _unrolled(w, op, scope)
    if several is not None and all(_is_small(each) for each in several):
        return Text(f"({' + '.join(each.code for each in several)})")
    by_value = counted(w, op, scope)
    if by_value is not None:
        return by_value
    values, name, value = _over(w, op, scope)
    if _is_small(value):
        return Text(f"sum([{value.code} for {name} in {values}])")
    return Text(f"add_up(({value.code} for {name} in {values}), {w.op(op)})")


def _is_small(value: Text) -> bool:
    """Whether a number is so small that a sum over a set cannot leave `Int`."""
    return (
        value.low is not None
        and value.high is not None
        and max(abs(value.low), abs(value.high)) <= SAFE
    )


def _extreme(name: str, function: str, part: int, quick: str) -> None:
    @writer(name)
    def write(w: Scribe, op: Op, scope: Scope) -> Text:
        rank = w.layout.ranks.get(op.args[3])
        if rank is None and part == ELEMENT:
            return Text(extreme(w, scope, _over(w, op, scope.apart()), sign=quick))
        values, each, key = _over(w, op, scope)
        if rank is None:
            return Text(f"{quick}([{key.code} for {each} in {values}])")
        table = w.pool.keep("RANK", rank)
        return Text(f"{function}([({each}, {key.code}) for {each} in {values}], {table})[{part}]")


def needed_extreme(w: Scribe, op: Op, scope: Scope, fault: str) -> Text | None:
    """The element with the highest or the lowest key where there has to be one, if a function finds it."""
    sign = {"best_of": ">", "least_of": "<"}.get(op.name)
    if sign is None or w.layout.ranks.get(op.args[3]) is not None:
        return None
    over = _over(w, op, scope.apart())
    return Text(extreme(w, scope, over, sign=sign, fault=fault), sure=True)


ELEMENT, KEY = 0, 1
_extreme("min_of", "lowest_of", KEY, "least_of")
_extreme("max_of", "highest_of", KEY, "most_of")
_extreme("best_of", "highest_of", ELEMENT, ">")
_extreme("least_of", "lowest_of", ELEMENT, "<")


def _of_set(name: str, pick: str) -> None:
    @writer(name)
    def write(w: Scribe, op: Op, scope: Scope) -> Text:
        values = as_plain(w.text(op.args[0], scope))
        rank = w.layout.ranks.get(op.args[1])
        key = "" if rank is None else f"key={w.pool.keep('RANK', rank)}.__getitem__, "
        return Text(f"{pick}({values.code}, {key}default=None)")


_of_set("min_of_set", "min")
_of_set("max_of_set", "max")

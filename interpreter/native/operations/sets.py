"""Sets: made, filtered, counted and folded.

A mask stays a mask as long as its order is that of the numbers, or nobody asks for the order.
"""

from interpreter.compiled.operations.folds import SAFE
from interpreter.compiled.writing import Unsupported
from interpreter.native.scribe import Scribe, as_list, named, running, writer
from interpreter.native.writing import Scope, Text
from rulespec.core.tree import Op

MOST_COUNTED = 100_000  # elements of a set that is no set of pieces
MOST_UNROLLED = 8  # elements of a set over which a fold is written out


def start_list(scope: Scope) -> str:
    name = scope.out.declare("list", "l")
    scope.out.add(f"{name}.n = 0;")
    return name


def adding(w: Scribe, order: str, name: str, code: str) -> str:
    """A line that adds an element to a set."""
    if order == "formed":
        return f"add_new(s, &{name}, {code});"
    return f"add_in_order(s, &{name}, {code}, {w.ranks(order) or 'NULL'});"


def _add_all(w: Scribe, order: str, name: str, text: Text, scope: Scope) -> None:
    if text.form == "single":
        scope.out.add(adding(w, order, name, text.code))
    elif text.form == "perhaps":
        text = named(text, scope)
        scope.out.add(f"if ({text.code} != NONE) {adding(w, order, name, text.code)}")
    else:
        with running(text, scope) as each:
            scope.out.add(adding(w, order, name, each.code))


@writer("list")
def _list(w: Scribe, op: Op, scope: Scope) -> Text:
    items, order = op.args
    if not items:
        return w.literal(())
    if len(items) == 1:
        only = w.text(items[0], scope.strictly())
        if only.form in ("single", "perhaps"):
            return only
        items = ()
        name = start_list(scope)
        _add_all(w, order, name, only, scope)
        return Text(name, "list")
    if order == "formed" and not scope.ordered:
        return Text(f"({' | '.join(w.mask(each, scope) for each in items)})", "mask")
    name = start_list(scope)
    for each in items:
        _add_all(w, order, name, w.text(each, scope.strictly()), scope)
    return Text(name, "list")


@writer("union")
def _union(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right, order = op.args
    if order == "formed" and not scope.ordered:
        a, b = w.text(left, scope), w.text(right, scope)
        home = a.home if a.home == b.home else None
        return Text(f"({w.as_mask(a)} | {w.as_mask(b)})", "mask", home=home)
    name = start_list(scope)
    for each in (left, right):
        _add_all(w, order, name, w.text(each, scope), scope)
    return Text(name, "list")


def _kept(w: Scribe, op: Op, scope: Scope, *, inside: bool) -> Text:
    """The elements of a set that are, or are not, in another one."""
    left, right = w.text(op.args[0], scope), w.text(op.args[1], scope.loosely())
    sign = "" if inside else "~"
    if left.form == "mask":
        return Text(f"({left.code} & {sign}{w.as_mask(right)})", "mask", home=left.home)
    if left.form == "pile" and not scope.ordered:
        code = f"({w.as_mask(left)} & {sign}{w.as_mask(right)})"
        return Text(code, "mask", home=left.home)
    if right.form in ("mask", "pile"):
        others = scope.out.declare("mask", "m", w.as_mask(right))
        test = "has({0}, {1})"
    else:
        others = as_list(right, scope).code
        test = "holds(&{0}, {1})"
    name = start_list(scope)
    with running(left, scope) as each:
        holds = test.format(others, each.code)
        scope.out.add(f"if ({holds if inside else f'!{holds}'}) add(s, &{name}, {each.code});")
    return Text(name, "list", home=left.home)


@writer("difference")
def _difference(w: Scribe, op: Op, scope: Scope) -> Text:
    return _kept(w, op, scope, inside=False)


@writer("intersection")
def _intersection(w: Scribe, op: Op, scope: Scope) -> Text:
    return _kept(w, op, scope, inside=True)


@writer("count")
def _count(w: Scribe, op: Op, scope: Scope) -> Text:
    text = w.text(op.args[0], scope.loosely())
    match text.form:
        case "mask":
            return Text(f"bits({text.code})", low=0, high=len(w.layout.pieces))
        case "list" | "pile":
            return Text(f"{text.code}.n", low=0, high=MOST_COUNTED)
        case "single":
            return Text("1", low=1, high=1)
        case "perhaps":
            return Text(f"({text.code} != NONE)", low=0, high=1)
    raise Unsupported(f"how many {text.form}")


@writer("numbers")
def _numbers(w: Scribe, op: Op, scope: Scope) -> Text:
    low, high = (w.simple(each, scope) for each in op.args)
    name = start_list(scope)
    i = scope.out.fresh("i")
    scope.out.add(f"for (num {i} = {low.code}; {i} <= {high.code}; {i}++) add(s, &{name}, {i});")
    return Text(name, "list")


@writer("members_between")
def _members_between(w: Scribe, op: Op, scope: Scope) -> Text:
    members = w.layout.enums[op.args[2]]
    count = len(w.code.members)
    places = [members.index(m) if m in members else -1 for m in range(count)]
    table = w.numbers("PLACE", places)
    low, high = (f"{table}[{w.index(w.code_of(each, scope), count)}]" for each in op.args[:2])
    every, name, i = w.set(members), start_list(scope), scope.out.fresh("i")
    scope.out.add(f"for (num {i} = {low}; {i} <= {high}; {i}++) add(s, &{name}, {every}.v[{i}]);")
    return Text(name, "list")


# ---- Names that run through a set ----------------------------------------------------------------


@writer("filter")
def _filter(w: Scribe, op: Op, scope: Scope) -> Text:
    over, bound, condition = op.args
    values = w.text(over, scope)
    out = scope.out
    if values.form == "mask":
        name = out.declare("mask", "m", "0")
        form, line = "mask", f"{name} |= BIT({{}});"
    else:
        name = start_list(scope)
        form, line = "list", f"add(s, &{name}, {{}});"
    with running(values, scope) as each:
        test = w.code_of(condition, scope.strictly().bind(bound, each))
        out.add(f"if ({test}) {line.format(each.code)}")
    return Text(name, form, home=values.home)


@writer("build")
def _build(w: Scribe, op: Op, scope: Scope) -> Text:
    over, bound, item, order = op.args
    values = w.text(over, scope.strictly())
    name = start_list(scope)
    with running(values, scope) as each:
        value = w.text(item, scope.strictly().bind(bound, each))
        _add_all(w, order, name, value, scope)
    return Text(name, "list")


@writer("top")
def _top(w: Scribe, op: Op, scope: Scope) -> Text:
    values = w.text(op.args[0], scope.strictly())
    match values.form:
        case "mask":
            return Text(f"first_of({values.code})", home=values.home)
        case "pile":
            return Text(f"top_of(&{values.code})", home=values.home)
        case "single" | "perhaps":
            return Text(values.code, home=values.home)
        case "list":
            return Text(f"head_of(&{values.code})", home=values.home)
    raise Unsupported(f"the top of {values.form}")


@writer("top_several")
def _top_several(w: Scribe, op: Op, scope: Scope) -> Text:
    values = w.text(op.args[0], scope.strictly())
    count = w.code_of(op.args[1], scope)
    if values.form == "mask":
        return Text(f"first_bits({values.code}, {count})", "mask", home=values.home)
    every = as_list(values, scope)
    name = scope.out.declare("list", "l", every.code)
    scope.out.add(f"{name}.n = (int32_t)most(0, least({name}.n, {count}));")
    return Text(name, "list", home=values.home)


# ---- Folds ---------------------------------------------------------------------------------------


def _unrolled(w: Scribe, op: Op, scope: Scope) -> list[Text] | None:
    """What is folded, for each element of a small set that is known at this table."""
    is_known, values = w.known(op.args[0])
    if not is_known or not 0 < len(values) <= MOST_UNROLLED:
        return None
    aside = scope.aside()
    found = [
        w.number(op.args[2], aside.strictly().bind(op.args[1], w.literal(each))) for each in values
    ]
    return None if aside.out.lines else found


def _some(name: str, sign: str, *, until: bool) -> None:
    """`any` and `all`: until one element decides."""

    @writer(name)
    def write(w: Scribe, op: Op, scope: Scope) -> Text:
        several = _unrolled(w, op, scope)
        if several is not None:
            return Text(f"({f' {sign} '.join(each.code for each in several)})")
        values = w.text(op.args[0], scope)
        found = scope.out.declare("num", "holds", "0" if until else "1")
        with running(values, scope) as each:
            test = w.code_of(op.args[2], scope.strictly().bind(op.args[1], each))
            test = test if until else f"!{test}"
            scope.out.add(f"if ({test}) {{ {found} = {int(until)}; break; }}")
        return Text(found)


_some("any_of", "||", until=True)
_some("all_of", "&&", until=False)


@writer("sum_of")
def _sum_of(w: Scribe, op: Op, scope: Scope) -> Text:
    several = _unrolled(w, op, scope)
    if several is not None and all(map(_is_small, several)):
        low, high = (sum(getattr(each, end) for each in several) for end in ("low", "high"))
        return Text(f"({' + '.join(each.code for each in several)})", low=low, high=high)
    values = w.text(op.args[0], scope)
    total = scope.out.declare("num", "sum", "0")
    with running(values, scope) as each:
        value = w.number(op.args[2], scope.strictly().bind(op.args[1], each))
        if _is_small(value):
            scope.out.add(f"{total} += {value.code};")
        else:
            scope.out.add(f"{total} = checked(s, {total} + {value.code});")
    return Text(total)


def _is_small(value: Text) -> bool:
    """Whether a number is so small that a sum over a set cannot leave `Int`."""
    return (
        value.low is not None
        and value.high is not None
        and max(abs(value.low), abs(value.high)) <= SAFE
    )


def _extreme(name: str, sign: str, *, element: bool) -> None:
    """The lowest and the highest: of equal ones the first; what is none is skipped."""

    @writer(name)
    def write(w: Scribe, op: Op, scope: Scope) -> Text:
        values = w.text(op.args[0], scope.strictly())
        out, rank = scope.out, w.ranks(op.args[3])
        found, height = out.declare("num", "found", "NONE"), out.declare("num", "height", "NONE")
        with running(values, scope) as each:
            key = named(w.number(op.args[2], scope.strictly().bind(op.args[1], each)), scope, "key")
            at = key.code if rank is None else f"{rank}[{key.code}]"
            out.add(f"if ({key.code} == NONE) continue;")
            with out.block(f"if ({height} == NONE || {at} {sign} {height})"):
                out.add(f"{found} = {each.code if element else key.code};", f"{height} = {at};")
        return Text(found)


_extreme("min_of", "<", element=False)
_extreme("max_of", ">", element=False)
_extreme("best_of", ">", element=True)
_extreme("least_of", "<", element=True)


def _of_set(name: str, sign: str) -> None:
    @writer(name)
    def write(w: Scribe, op: Op, scope: Scope) -> Text:
        values = w.text(op.args[0], scope.strictly())
        out, rank = scope.out, w.ranks(op.args[1])
        found = out.declare("num", "found", "NONE")
        with running(values, scope) as each:
            pair = [each.code, found]
            mine, best = pair if rank is None else [f"{rank}[{code}]" for code in pair]
            out.add(f"if ({found} == NONE || {mine} {sign} {best}) {found} = {each.code};")
        return Text(found)


_of_set("min_of_set", "<")
_of_set("max_of_set", ">")

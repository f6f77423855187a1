"""Literals, variables, zones, seats, and tests that a value fits its place."""

from attrs import evolve

from interpreter.compiled.writing import Unsupported
from interpreter.native.calls import call
from interpreter.native.scribe import (
    Scribe,
    as_list,
    form_of,
    named,
    of_type,
    place_in,
    running,
    writer,
)
from interpreter.native.writing import Scope, Text
from interpreter.operations.values import in_order
from rulespec.core.tree import Op

# ---- Values --------------------------------------------------------------------------------------


@writer("literal")
def _literal(w: Scribe, op: Op, _scope: Scope) -> Text:
    return w.literal(op.args[0])


@writer("slot")
def _slot(_w: Scribe, op: Op, scope: Scope) -> Text:
    found = scope.slots.get(op.args[0])
    if found is None or found.form in ("row", "nothing"):
        raise Unsupported("a row of a table that is kept")
    return found


@writer("bound")
def _bound(_w: Scribe, op: Op, scope: Scope) -> Text:
    return scope.bound[op.args[0]]


@writer("option")
def _option(w: Scribe, op: Op, _scope: Scope) -> Text:
    return w.literal(w.layout.options[op.args[0]])


@writer("players")
def _players(w: Scribe, _op: Op, _scope: Scope) -> Text:
    return w.literal(w.layout.players)


@writer("seats")
def _seats(w: Scribe, _op: Op, _scope: Scope) -> Text:
    return w.literal(tuple(range(w.layout.players)))


@writer("domain")
def _domain(w: Scribe, op: Op, _scope: Scope) -> Text:
    return w.literal(w.layout.enums[op.args[0]])


@writer("all_pieces")
def _all_pieces(w: Scribe, _op: Op, _scope: Scope) -> Text:
    return Text(w.constant((1 << len(w.layout.pieces)) - 1), "mask")


@writer("first")
def _first(w: Scribe, _op: Op, _scope: Scope) -> Text:
    return Text("s->first", low=0, high=w.layout.players - 1)


@writer("ended")
def _ended(_w: Scribe, _op: Op, _scope: Scope) -> Text:
    return Text("(s->phase > PLAY)")


@writer("variable")
def _variable(w: Scribe, op: Op, scope: Scope) -> Text:
    name, indices = op.args
    family = w.layout.variable_families[name]
    row = w.layout.variables[family.base][0]
    text = Text(variable_at(w, name, indices, scope), form_of(row.type))
    return of_type(text, row.type, w.layout)


def variable_at(w: Scribe, name: str, indices: tuple[Op, ...], scope: Scope) -> str:
    """A state variable, to be read or written."""
    family = w.layout.variable_families[name]
    code = f"s->var.{w.variable_names[name]}"
    return f"{code}[{w.place(family, indices, scope)}]" if family.domains else code


@writer("member_of")
def _member_of(w: Scribe, op: Op, scope: Scope) -> Text:
    family, index = op.args
    kept = w.text(family, scope)
    if kept.form != "indexed":
        raise Unsupported("a family that is no local one")
    return Text(f"{kept.code}[{place_in(w, kept.value, w.code_of(index, scope))}]", kept.element)


# ---- Zones ---------------------------------------------------------------------------------------


@writer("zone")
def _zone(w: Scribe, op: Op, scope: Scope) -> Text:
    name, indices = op.args
    family = w.layout.zone_families[name]
    if len(indices) < len(family.domains) or not family.size:
        raise Unsupported("a family of zones that is passed on")
    order = w.layout.zones[family.base].row.order
    place = w.place(family, indices, scope)
    base = w.zone_names[name]
    return Text(base if place == "0" else f"{base} + {place}", order=order)


@writer("contents")
def _contents(w: Scribe, op: Op, scope: Scope) -> Text:
    zone = w.text(op.args[0], scope)
    if zone.form != "number":
        raise Unsupported("zones that are passed on")
    if zone.order == "pool":
        return Text(f"s->pool[{zone.code}]", "mask", home=zone.code)
    if zone.order == "pile":
        return Text(f"s->pile[{zone.code}]", "pile", home=zone.code)
    name = scope.out.declare("list", "l")
    scope.out.add(f"{name}.n = 0;", f"add_zone(s, &{name}, {zone.code});")
    return Text(name, "list", home=zone.code)


@writer("gather")
def _gather(w: Scribe, op: Op, scope: Scope) -> Text:
    zones = op.args[0]
    if zones.name != "zone":
        raise Unsupported("zones that are passed on")
    name, indices = zones.args
    family = w.layout.zone_families[name]
    if not family.size:
        return w.literal(())
    size = family.strides[len(indices) - 1] if indices else family.size
    first = f"{w.zone_names[name]} + {w.place(family, indices, scope)}"
    out, z = scope.out, scope.out.fresh("z")
    head = f"for (num {z} = {first}, last_{z} = {z} + {size}; {z} < last_{z}; {z}++)"
    if not scope.ordered and w.layout.is_pool[family.base]:
        m = out.declare("mask", "m", "0")
        out.add(f"{head} {m} |= s->pool[{z}];")
        return Text(m, "mask")
    found = out.declare("list", "l")
    out.add(f"{found}.n = 0;", f"{head} add_zone(s, &{found}, {z});")
    return Text(found, "list")


# ---- Seats ---------------------------------------------------------------------------------------


@writer("order")
def _order(w: Scribe, op: Op, scope: Scope) -> Text:
    players = w.layout.players
    table = w.lists("ORDER", (in_order(w.layout, p) for p in range(players)))
    code = f"{table}[{w.index(w.code_of(op.args[0], scope), players)}]"
    return Text(code, "list", constant=True)


@writer("others")
def _others(w: Scribe, op: Op, scope: Scope) -> Text:
    players = w.layout.players
    table = w.lists("OTHERS", (in_order(w.layout, p)[1:] for p in range(players)))
    code = f"{table}[{w.index(w.code_of(op.args[0], scope), players)}]"
    return Text(code, "list", constant=True)


def _beside(name: str, step: int) -> None:
    @writer(name)
    def write(w: Scribe, op: Op, scope: Scope) -> Text:
        players = w.layout.players
        by = -step if name == "next" and not w.code.clockwise else step
        seat = w.index(w.code_of(op.args[0], scope), players)
        return Text(f"(({seat} + {by % players}) % {players})", low=0, high=players - 1)


_beside("next", 1)
_beside("left", 1)
_beside("right", -1)


@writer("index")
def _index(w: Scribe, op: Op, scope: Scope) -> Text:
    places = [member.place for member in w.code.members]
    member = w.index(w.code_of(op.args[0], scope), len(places))
    return Text(f"{w.numbers('INDEX', places)}[{member}]", low=0, high=len(places))


# ---- Calls ---------------------------------------------------------------------------------------


@writer("call")
def _call(w: Scribe, op: Op, scope: Scope) -> Text:
    return call(w, op.args[0], op.args[1], scope)


@writer("output")
def _output(w: Scribe, op: Op, scope: Scope) -> Text:
    row, name = op.args
    if row.name != "row":
        raise Unsupported("a row of a table that is kept")
    return call(w, f"{row.args[0]}.{name}", row.args[1], scope)


@writer("output_at")
def _output_at(w: Scribe, op: Op, scope: Scope) -> Text:
    row, member, names = op.args
    if row.name != "row":
        raise Unsupported("a row of a table that is kept")
    chosen = w.simple(member, scope)
    found = scope.out.declare("num", "output")
    with scope.out.block(f"switch ({chosen.code})"):
        for each, name in names:
            with scope.out.block(f"case {each}:"):
                text = call(w, f"{row.args[0]}.{name}", row.args[1], scope)
                if text.form != "number":
                    raise Unsupported("one of several outputs that are sets")
                scope.out.add(f"{found} = {text.code};", "break;")
        scope.out.add("default: leave(s, FAULT_RANGE);")
    return Text(found)


# ---- Conversions and tests -----------------------------------------------------------------------


@writer("single")
def _single(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(w.code_of(op.args[0], scope), "single")


@writer("perhaps")
def _perhaps(w: Scribe, op: Op, scope: Scope) -> Text:
    value = w.number(op.args[0], scope)
    return evolve(value, form="perhaps")


@writer("or_empty")
def _or_empty(w: Scribe, op: Op, scope: Scope) -> Text:
    found = as_list(w.text(op.args[0], scope), scope)
    # A list of none has no element either, but is not the empty list.
    name = scope.out.declare("list", "l", found.code)
    scope.out.add(f"if ({name}.n < 0) {name}.n = 0;")
    return Text(name, "list")


@writer("needed")
def _needed(w: Scribe, op: Op, scope: Scope) -> Text:
    value = w.text(op.args[0], scope)
    if value.form in ("number", "perhaps", "single"):
        return evolve(value, code=f"need(s, {value.code})")
    if value.form == "list" and not value.constant:
        scope.out.add(f"if ({value.code}.n < 0) leave(s, FAULT_NONE);")
    return value


@writer("within")
def _within(w: Scribe, op: Op, scope: Scope) -> Text:
    inner, low, high = op.args
    value = w.number(inner, scope)
    if value.low is not None and value.high is not None and low <= value.low <= value.high <= high:
        return value
    return Text(f"within(s, {value.code}, {low}, {high})", low=low, high=high)


@writer("among")
def _among(w: Scribe, op: Op, scope: Scope) -> Text:
    value = named(w.number(op.args[0], scope), scope)
    scope.out.add(f"if ({value.code} != NONE && !{_is_among(w, op, value)}) leave(s, FAULT_RANGE);")
    return value


def _is_among(w: Scribe, op: Op, value: Text) -> str:
    return f"holds(&{w.set(tuple(sorted(op.args[1])), 'AMONG')}, {value.code})"


@writer("of_kind")
def _of_kind(w: Scribe, op: Op, scope: Scope) -> Text:
    value = named(w.number(op.args[0], scope), scope)
    kinds = of_kinds(w, op.args[1])
    scope.out.add(
        f"if ({value.code} != NONE && !has({kinds}, {value.code})) leave(s, FAULT_RANGE);"
    )
    return value


def of_kinds(w: Scribe, kinds: frozenset[str]) -> str:
    """The pieces of some kinds."""
    return w.constant(sum(1 << n for n, piece in enumerate(w.layout.pieces) if piece.kind in kinds))


@writer("every_within")
def _every_within(w: Scribe, op: Op, scope: Scope) -> Text:
    inner, low, high = op.args
    found = w.list(inner, scope)
    with running(found, scope) as each:
        scope.out.add(f"within(s, {each.code}, {low}, {high});")
    return found


@writer("every_among")
def _every_among(w: Scribe, op: Op, scope: Scope) -> Text:
    found = w.list(op.args[0], scope)
    with running(found, scope) as each:
        scope.out.add(f"if (!{_is_among(w, op, each)}) leave(s, FAULT_RANGE);")
    return found


@writer("every_of_kind")
def _every_of_kind(w: Scribe, op: Op, scope: Scope) -> Text:
    found = w.text(op.args[0], scope)
    if found.form in ("single", "perhaps", "list"):
        found = as_list(found, scope)
    scope.out.add(f"if ({w.as_mask(found)} & ~{of_kinds(w, op.args[1])}) leave(s, FAULT_RANGE);")
    return found

"""Literals, variables, zones, seats, and tests that a value fits its place."""

from attrs import evolve

from interpreter.compiled.calls import call
from interpreter.compiled.masks import bits
from interpreter.compiled.operations.sets import needed_extreme
from interpreter.compiled.scribe import Scope, Scribe, as_plain, writer
from interpreter.compiled.writing import Text, ranged
from interpreter.layout import domain
from interpreter.operations.values import in_order
from rulespec.core.tree import Op

# ---- Values --------------------------------------------------------------------------------------


@writer("literal")
def _literal(w: Scribe, op: Op, _scope: Scope) -> Text:
    return w.literal(op.args[0])


@writer("slot")
def _slot(_w: Scribe, op: Op, scope: Scope) -> Text:
    text = scope.slots[op.args[0]]
    name = scope.facts.names.get(text.code) if scope.named else None
    is_sure = text.sure or text.code in scope.facts.sure
    if name is None and is_sure == text.sure:
        return text
    return evolve(text, code=name or text.code, sure=is_sure)


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
    return Text(w.pool.keep("PIECES", tuple(range(len(w.layout.pieces)))))


@writer("first")
def _first(w: Scribe, _op: Op, _scope: Scope) -> Text:
    return Text(w.field("FIRST"))


@writer("ended")
def _ended(w: Scribe, _op: Op, _scope: Scope) -> Text:
    return Text(f"{w.field('PHASE')} > 1")


@writer("winners")
def _winners(_w: Scribe, _op: Op, _scope: Scope) -> Text:
    return Text("winners(s)")


@writer("variable")
def _variable(w: Scribe, op: Op, scope: Scope) -> Text:
    name, indices = op.args
    family = w.layout.variable_families[name]
    row = w.layout.variables[family.base][0]
    place = w.place(family, w.variable_names[name], indices, scope)
    return w.typed(Text(f"s[{place}]"), row.type)


@writer("member_of")
def _member_of(w: Scribe, op: Op, scope: Scope) -> Text:
    family, index = (w.plain(each, scope) for each in op.args)
    return Text(f"member_of({family}, {index})")


# ---- Zones ---------------------------------------------------------------------------------------


@writer("zone")
def _zone(w: Scribe, op: Op, scope: Scope) -> Text:
    name, indices = op.args
    family = w.layout.zone_families[name]
    order = w.layout.zones[family.base].row.order if family.size else None
    place = w.place(family, w.zone_names[name], indices, scope)
    if len(indices) == len(family.domains):
        return Text(place, order=order)
    if not indices:
        return w.literal(tuple(range(family.base, family.base + family.size)))
    left = family.strides[len(indices) - 1]
    return Text(f"tuple(range({place}, {place} + {left}))")


@writer("zone_of")
def _zone_of(w: Scribe, op: Op, scope: Scope) -> Text:
    family, index, type_ = op.args
    zones, key = w.plain(family, scope), w.plain(index, scope)
    table = {value: n for n, value in enumerate(domain(w.layout, type_))}
    return Text(f"{zones}[{w.pool.keep('PLACE', table)}[{key}]]")


@writer("contents")
def _contents(w: Scribe, op: Op, scope: Scope) -> Text:
    zone = w.text(op.args[0], scope)
    order = zone.order or sole_order(w)
    if order == "pool":
        named = op.args[0].name == "zone"
        reach = w.holds(op.args[0].args[0]) if named else None
        return Text(f"s[{zone.code}]", "mask", home=zone.code, reach=reach)
    if order == "pile":
        return Text(f"s[{zone.code}]", "bytes", home=zone.code)
    return Text(f"pieces_in(s, {zone.code})")


def sole_order(w: Scribe) -> str | None:
    """Of what sort all zones are, if they are all alike."""
    found = {each.row.order for each in w.layout.zones}
    return found.pop() if len(found) == 1 else None


@writer("gather")
def _gather(w: Scribe, op: Op, scope: Scope) -> Text:
    zones = op.args[0]
    if zones.name == "zone" and not zones.args[1]:
        family = w.layout.zone_families[zones.args[0]]
        is_pool = bool(family.size) and w.layout.is_pool[family.base]
        if is_pool and not scope.ordered:
            base = w.zone_names[zones.args[0]]
            every = [f"s[{base} + {n}]" if n else f"s[{base}]" for n in range(family.size)]
            return Text(f"({' | '.join(every)})", "mask")
    return Text(f"gathered(s, {w.plain(zones, scope)})")


# ---- Seats ---------------------------------------------------------------------------------------


@writer("order")
def _order(w: Scribe, op: Op, scope: Scope) -> Text:
    table = tuple(in_order(w.layout, p) for p in range(w.layout.players))
    return Text(f"{w.pool.keep('ORDER', table)}[{w.plain(op.args[0], scope)}]")


@writer("others")
def _others(w: Scribe, op: Op, scope: Scope) -> Text:
    table = tuple(in_order(w.layout, p)[1:] for p in range(w.layout.players))
    return Text(f"{w.pool.keep('OTHERS', table)}[{w.plain(op.args[0], scope)}]")


def _beside(w: Scribe, op: Op, scope: Scope, step: int) -> Text:
    code = f"({w.plain(op.args[0], scope)} + {step % w.layout.players}) % {w.layout.players}"
    return Text(code, sure=True)


@writer("next")
def _next(w: Scribe, op: Op, scope: Scope) -> Text:
    return _beside(w, op, scope, 1 if w.code.clockwise else -1)


@writer("left")
def _left(w: Scribe, op: Op, scope: Scope) -> Text:
    return _beside(w, op, scope, 1)


@writer("right")
def _right(w: Scribe, op: Op, scope: Scope) -> Text:
    return _beside(w, op, scope, -1)


@writer("index")
def _index(w: Scribe, op: Op, scope: Scope) -> Text:
    table = tuple(member.place for member in w.code.members)
    found = f"{w.pool.keep('INDEX', table)}[{w.plain(op.args[0], scope)}]"
    return Text(found, low=0, high=len(table))


# ---- Calls ---------------------------------------------------------------------------------------


@writer("call")
def _call(w: Scribe, op: Op, scope: Scope) -> Text:
    key, given = op.args
    return call(w, key, given, scope)


@writer("row")
def _row(w: Scribe, op: Op, scope: Scope) -> Text:
    key, given = op.args
    return Text(f"({key!r}, [{', '.join(['0', '0', *(w.plain(each, scope) for each in given)])}])")


@writer("output")
def _output(w: Scribe, op: Op, scope: Scope) -> Text:
    row, name = op.args
    if row.name == "row":
        return call(w, f"{row.args[0]}.{name}", row.args[1], scope)
    for key, fn in w.code.functions.items():
        if key.endswith(f".{name}"):
            call(w, key, (Op("literal"),) * fn.params, scope)
    return Text(f"output(s, FUNCTIONS, {w.plain(row, scope)}, {name!r})")


@writer("output_at")
def _output_at(w: Scribe, op: Op, scope: Scope) -> Text:
    row, member, names = op.args
    chosen = w.text(member, scope)
    found = "among({}, {}, LAYOUT, {})".format(
        chosen.code, w.pool.keep("AMONG", frozenset(dict(names))), w.op(op)
    )
    if row.name == "row":
        texts = [
            (each, as_plain(call(w, f"{row.args[0]}.{name}", row.args[1], scope)).code)
            for each, name in names
        ]
        cases = [f"{code} if {chosen.code} == {each} else " for each, code in texts]
        return Text(f"({''.join(cases)}{found})")
    for _, name in names:
        _output(w, Op("output", (row,), word=name), scope)
    table = w.pool.keep("OUTPUTS", dict(names))
    return Text(f"output(s, FUNCTIONS, {w.plain(row, scope)}, {table}[{found}])")


# ---- Conversions and tests -----------------------------------------------------------------------


@writer("single")
def _single(w: Scribe, op: Op, scope: Scope) -> Text:
    value = as_plain(w.text(op.args[0], scope.strictly()))
    return Text(value.code, "single", members=value.members)


@writer("perhaps")
def _perhaps(w: Scribe, op: Op, scope: Scope) -> Text:
    value = w.text(op.args[0], scope)
    return evolve(value, form="single" if value.sure and value.form == "plain" else "perhaps")


@writer("or_empty")
def _or_empty(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"({w.plain(op.args[0], scope)} or ())")


@writer("needed")
def _needed(w: Scribe, op: Op, scope: Scope) -> Text:
    extreme = needed_extreme(w, op.args[0], scope, w.op(op))
    if extreme is not None:
        return extreme
    inner = _sure_attribute(w, op)
    if inner is not None:
        return evolve(w.text(inner, scope), sure=True)
    value = w.text(op.args[0], scope)
    if value.sure:
        return value
    if value.code.startswith("FIRST_OF[s[") and value.form == "plain":
        return evolve(value, code=f"{value.code[:-1]} or missing({w.op(op)})]", sure=True)
    if value.code.endswith(" else None)") and value.form == "plain":
        code = f"{value.code.removesuffix('None)')}missing({w.op(op)}))"
    elif value.is_cheap:
        code = f"({value.code} if {value.code} is not None else missing({w.op(op)}))"
    else:
        code = f"need({value.code}, {w.op(op)})"
    return evolve(value, code=code, sure=True)


def _sure_attribute(w: Scribe, op: Op) -> Op | None:
    """An attribute that is needed, of the first piece of a pool in which all have it: the piece is needed."""
    match op.args[0]:
        case Op(
            "attribute", (Op("top", (Op("contents", (Op("zone", (zone, _)),)),)) as piece, name)
        ):
            values = w.layout.attributes[name]
            if all(values[c] not in (None, ()) for c in bits(w.holds(zone))):
                needed = Op("needed", (piece,), span=op.span)
                return Op("attribute", (needed,), word=name, span=op.span)
    return None


@writer("within")
def _within(w: Scribe, op: Op, scope: Scope) -> Text:
    inner, low, high = op.args
    value = w.text(inner, scope)
    if value.low is not None and value.high is not None and low <= value.low <= value.high <= high:
        return value
    tested = Text(f"within({as_plain(value).code}, {low}, {high}, {w.op(op)})")
    return tested if w.may_be_none(inner, value) else ranged(tested, low, high)


@writer("every_within")
def _every_within(w: Scribe, op: Op, scope: Scope) -> Text:
    inner, low, high = op.args
    return Text(f"every_within({w.plain(inner, scope)}, {low}, {high}, {w.op(op)})")


@writer("among")
def _among(w: Scribe, op: Op, scope: Scope) -> Text:
    allowed = w.pool.keep("AMONG", frozenset(op.args[1]), tuple(sorted(op.args[1])))
    return Text(f"among({w.plain(op.args[0], scope)}, {allowed}, LAYOUT, {w.op(op)})")


@writer("every_among")
def _every_among(w: Scribe, op: Op, scope: Scope) -> Text:
    allowed = w.pool.keep("AMONG", frozenset(op.args[1]), tuple(sorted(op.args[1])))
    return Text(f"every_among({w.plain(op.args[0], scope)}, {allowed}, LAYOUT, {w.op(op)})")


def _of_kinds(w: Scribe, kinds: frozenset[str]) -> str:
    found = sum(1 << n for n, piece in enumerate(w.layout.pieces) if piece.kind in kinds)
    return w.pool.constant(found)


@writer("of_kind")
def _of_kind(w: Scribe, op: Op, scope: Scope) -> Text:
    fitting = _of_kinds(w, op.args[1])
    return Text(f"of_kind({w.plain(op.args[0], scope)}, {fitting}, LAYOUT, {w.op(op)})")


@writer("every_of_kind")
def _every_of_kind(w: Scribe, op: Op, scope: Scope) -> Text:
    fitting = _of_kinds(w, op.args[1])
    return Text(f"every_of_kind({w.plain(op.args[0], scope)}, {fitting}, LAYOUT, {w.op(op)})")

"""Operations on families of subsets -> the code that computes them; a family is listed only if there is no other way."""

from attrs import evolve

from interpreter.operations.subsets import attribute_rank
from interpreter.wasm.emitter import EmitScope, Emitter, WasmValue, writer
from interpreter.wasm.encoding import I32
from interpreter.wasm.expressions import binary, const, select
from interpreter.wasm.memory import NONE, capacity, list_size
from interpreter.wasm.operations.numbers import is_small
from interpreter.wasm.operations.pieces import masks_of
from interpreter.wasm.operations.sets import keep_sets, of_elements
from interpreter.wasm.program_analysis import Unsupported
from rulespec.core.tree import Op
from rulespec.core.types import MOST


@writer("subsets")
def _subsets(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    of = g.value(op.operands[0], scope.in_order())
    if of.form == "small" or is_small(of.literal):
        of = g.lets(g.as_small(of))
    else:
        of = g.lets(of if of.form == "mask" else g.as_list(of))
    if len(op.operands) == 1:
        return WasmValue("subsets", (), of=of, sizes=(const(0), g.w.let(g.count(of))))
    sizes = op.operands[1]
    is_known, value = g.p.facts.known(sizes)
    if is_known:
        wanted = [n for n in value if n >= 0]
        if not wanted:
            return WasmValue("subsets", (), of=of, sizes=(const(1), const(0)))
        if wanted != [*range(wanted[0], wanted[0] + len(wanted))]:
            return _several_sizes(g, of, wanted)
        return WasmValue("subsets", (), of=of, sizes=(const(wanted[0]), const(wanted[-1])))
    if sizes.name == "numbers":
        low, high = (g.simple(each, scope).e for each in sizes.operands)
        return WasmValue("subsets", (), of=of, sizes=(low, high))
    size = g.lets(g.value(sizes, scope))
    if size.form == "single":
        return WasmValue("subsets", (), of=of, sizes=(size.e, size.e))
    if size.form == "perhaps":
        none = size.e.eq(NONE)
        return WasmValue(
            "subsets",
            (),
            of=of,
            sizes=(select(none, const(1), size.e), select(none, const(0), size.e)),
        )
    raise Unsupported("subsets of sizes that are found while playing", op.span)


def _several_sizes(g: Emitter, of: WasmValue, wanted: list[int]) -> WasmValue:
    """Subsets of sizes that are not next to each other, one size after the other."""
    found = None
    for n in wanted:
        more = g.as_sets(WasmValue("subsets", (), of=of, sizes=(const(n), const(n))))
        found = (
            more
            if found is None
            else WasmValue("sets", (g.call("join_sets", found.e, more.e),), fresh=True)
        )
    if found is None:
        raise AssertionError("there is a size")
    return found


@writer("alike", "runs")
def _grouped(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    """Pieces by the values of an attribute, in the order of the values."""
    pieces = g.value(op.operands[0], scope.in_order())
    is_mask = pieces.form == "mask"
    of = g.lets(pieces if is_mask else g.as_list(pieces)).lanes
    masks = masks_of(g, op.word)
    rank = attribute_rank(g.p.layout, op.word) if op.name == "alike" else None
    values = sorted(masks, key=None if rank is None else rank.__getitem__)
    at = g.family_room()
    g.run(
        "grouped_pieces" if is_mask else "grouped",
        at,
        of,
        const(1 if op.name == "alike" else 2),
        const(len(values)),
        const(g.p.memory.numbers_at(values), I32),
        const(g.p.memory.masks_at([masks[v] for v in values], g.p.words), I32),
    )
    return WasmValue("family", (at,))


@writer("count_family")
def _count_family(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.value(op.operands[0], scope)
    match v.form:
        case "subsets" if v.of is not None:
            e = g.call("count_subsets", g.count(v.of), *v.sizes)
        case "family":
            e = g.call("count_family", v.e)
        case _:
            e = g.count(g.as_sets(v))
    e = g.w.let(e)
    g.fault(binary("gt_s", e, MOST))
    return WasmValue("number", (e,), 0, MOST, sure=True)


@writer("in_family")
def _in_family(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    value = g.w.let(g.as_list(g.value(op.operands[0], scope)).e)
    v = g.value(op.operands[1], scope)
    if v.form in ("sets", "list"):
        return WasmValue("truth", (g.call("has_set", g.as_sets(v).e, value),))
    return WasmValue("truth", (g.call("in_family", value, g.as_family(v).e),))


@writer("listed")
def _listed(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    return g.lets(g.as_sets(g.value(op.operands[0], scope)))


@writer("filter_family")
def _filter_family(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    return keep_sets(g, op, g.value(op.operands[0], scope), scope)


@writer("family_of")
def _family_of(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    stride = list_size(max([0, *(capacity(each.type, g.p.layout) for each in op.operands)]))
    g.allocates = True
    at = g.w.let(g.call("new_sets", const(len(op.operands)), const(stride)))
    for each in op.operands:
        with g.forgetting():
            g.run("add_new_set", at, g.as_list(g.value(each, scope)).e)
    return WasmValue("sets", (at,), fresh=True)


@writer("build_family")
def _build_family(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    over, item = op.operands
    v = g.lets(g.value(over, scope.in_order()))
    stride = list_size(capacity(item.type, g.p.layout))
    g.allocates = True
    at = g.w.let(g.call("new_sets", g.count(v), const(stride)))

    def one(each: WasmValue) -> None:
        g.run("add_new_set", at, g.as_list(g.value(item, scope.bind(op.place, each))).e)

    g.each(v, one, g.p.costs.element_cost(op), of_elements(over))
    return WasmValue("sets", (at,), fresh=True)


@writer("union_of_families", "difference_of_families", "intersection_of_families")
def _two_families(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    a, b = (g.w.let(g.as_sets(g.value(each, scope)).e) for each in op.operands)
    g.allocates = True
    if op.name == "union_of_families":
        found = g.call("join_sets", a, b)
    else:
        found = g.call("sift_sets", a, b, const(int(op.name == "intersection_of_families")))
    return evolve(WasmValue("sets", (g.w.let(found),)), fresh=True)

"""Cards dealt round after round -> slices of the pile, one for each player.

    repeat 15
      for p in Player: move top(deck) to hand[p]

Whoever comes n-th gets every piece at which it is their turn; nobody sees in which order.
"""

from interpreter.compiled.moves import is_quiet
from interpreter.compiled.steps import Site
from rulespec.lowering import code as flat
from rulespec.lowering.code import Instruction, Op


def write_deal(site: Site, number: int, loop: tuple[Instruction, ...]) -> bool:
    """Write so many rounds of a loop, if all that it does is to deal; whether it is so."""
    match loop:
        case (flat.Iterate(slot, values), flat.Next(slot_2, into), flat.Move() as move, *rest) if (
            slot == slot_2 and [type(each) for each in rest] == [flat.Jump, flat.Clear, flat.Jump]
        ):
            pass
        case _:
            return False
    w, out = site.w, site.out
    is_known, seats = w.known(values)
    pile = _pile(site, move.pieces)
    if not is_known or pile is None or not is_quiet(site, move):
        return False
    target = w.text(move.zone, site.scope)
    if target.order != "pool" or move.zone.args[1] != (Op("slot", (into,)),):
        return False
    name, n = out.fresh("pile"), out.fresh("n")
    last = number * len(seats)
    out.add(f"{name} = s[{pile}]")
    with out.block(f"for {n}, {site.slot(into)} in enumerate({w.pool.constant(seats)}):"):
        out.add(f"s[{target.code}] |= mask({name}[{n}:{last}:{len(seats)}])")
    out.add(f"s[{pile}] = {name}[{last}:]")
    return True


def _pile(site: Site, op: Op) -> str | None:
    """The pile of which this is the top, if it is one that is known by name."""
    match op:
        case Op("perhaps", (Op("top", (Op("contents", (Op("zone", (_, ())) as zone,)),)),)):
            text = site.w.text(zone, site.scope)
            return text.code if text.order == "pile" else None
    return None

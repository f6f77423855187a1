"""Pieces drawn one by one -> slices of the pile.

    repeat 15
      for p in Player: move top(deck) to hand[p]

    repeat 5 - #centre: move top(deck) to centre

Nobody sees in which order pieces came into a pool, unless a trigger looks at one of them.
"""

from collections.abc import Callable

from interpreter import flat
from interpreter.compiled.moves import fits, is_quiet, watchers
from interpreter.compiled.steps import Site
from interpreter.compiled.writing import Text
from interpreter.flat import Instruction
from rulespec.core import tree
from rulespec.core.tree import Op


def write_deal(site: Site, number: int, loop: tuple[Instruction, ...]) -> bool:
    """Write so many rounds of a loop, if all that it does is to deal; whether it is so."""
    match loop:
        case (flat.Iterate(slot, values), flat.Next(slot_2, into), tree.Move() as move, *rest) if (
            slot == slot_2 and [type(each) for each in rest] == [flat.Jump, tree.Clear, flat.Jump]
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
    if target.order != "pool" or move.zone.args[1] != (Op("slot", place=into),):
        return False
    lies, n, m, c = (out.fresh(name) for name in ("pile", "n", "m", "c"))
    last = number * len(seats)
    out.add(f"{lies} = s[{pile}]")
    with out.block(f"for {n}, {site.slot(into)} in enumerate({w.pool.constant(seats)}):"):
        out.add(f"{m} = s[{target.code}]")
        out.add(f"for {c} in {lies}[{n}:{last}:{len(seats)}]: {m} |= BIT[{c}]")
        out.add(f"s[{target.code}] = {m}")
    out.add(f"s[{pile}] = {lies}[{last}:]")
    return True


def write_drawn(
    site: Site, number: Text, loop: tuple[Instruction, ...], one_by_one: Callable[[str], None]
) -> bool:
    """Write a loop that draws so many pieces into a pool, if it is one; `one_by_one` if a trigger looks."""
    match loop:
        case (tree.Move() as move, flat.Jump()):
            pass
        case _:
            return False
    w, out = site.w, site.out
    pile = _pile(site, move.pieces)
    target = w.text(move.zone, site.scope)
    if pile is None or target.order != "pool" or not target.is_cheap or site.watched:
        return False
    _, relevant, possible = watchers(site, move)
    if not fits(site, move) or relevant == possible:
        return False
    n, lies, m, c = (out.fresh(name) for name in ("n", "pile", "m", "c"))
    out.add(f"{n} = {number.code}")
    with out.block(f"if {n} > 0:"):
        out.add(f"{lies} = s[{pile}]", f"{m} = 0")
        out.add(f"for {c} in {lies}[:{n}]: {m} |= BIT[{c}]")
        if relevant:
            with out.block(f"if {m} & {w.pool.constant(relevant)}:"):
                one_by_one(n)
            out.add("else:")
            out.depth += 1
        out.add(f"s[{pile}] = {lies}[{n}:]", f"s[{target.code}] |= {m}")
        out.depth -= bool(relevant)
    return True


def _pile(site: Site, op: Op) -> str | None:
    """The pile of which this is the top, if it is one that is known by name."""
    match op:
        case Op("perhaps", (Op("top", (Op("contents", (Op("zone", (_, ())) as zone,)),)),)):
            text = site.w.text(zone, site.scope)
            return text.code if text.order == "pile" else None
    return None

"""How the slots of a block keep sets of pieces: as masks, if all that they are given can be written so."""

from attrs import evolve

from interpreter import flat
from interpreter.compiled.scribe import Scope, Scribe
from interpreter.compiled.writing import Text
from interpreter.flat import Block
from rulespec.core import tree
from rulespec.core.types import Piece, Several


def mask_slots(w: Scribe, block: Block) -> frozenset[int]:
    """The slots of a block that are masks."""
    if block.name not in w.masks:
        w.masks[block.name] = _find(w, block)
    return w.masks[block.name]


def as_slot(w: Scribe, block: Block, number: int, code: str) -> Text:
    """A slot as it is read."""
    text = w.typed(Text(code), block.slots[number][1])
    return evolve(text, form="mask", sure=True) if number in mask_slots(w, block) else text


def blank_of(w: Scribe, block: Block, number: int) -> str:
    """What a slot is before anything happens, as it is written."""
    return "0" if number in mask_slots(w, block) else repr(block.blank[number])


def _find(w: Scribe, block: Block) -> frozenset[int]:
    found = {
        n
        for n, (_, type_) in enumerate(block.slots)
        if n >= block.params
        and isinstance(type_, Several)
        and isinstance(type_.of, Piece)
        and block.blank[n] == ()
    }
    given: dict[int, list[tree.Assign]] = {n: [] for n in found}
    for step in block.code:
        match step:
            case tree.Assign(target) if target.slot in found:
                given[target.slot].append(step)
                if target.indices or target.fitting is not None:
                    found.discard(target.slot)
            case tree.Draw(target) | tree.Choose(_, target) | tree.Each(target=target):
                found -= {target.slot}
            case flat.Next(_, into):
                found.discard(into)
            case tree.Call(into=into) if into is not None:
                found.discard(into)
    while True:
        scope = Scope(
            {
                n: evolve(w.typed(Text(f"f{n}"), type_), form="mask" if n in found else "plain")
                for n, (_, type_) in enumerate(block.slots)
            }
        )
        odd = {n for n in found for step in given[n] if w.text(step.value, scope).form != "mask"}
        if not odd:
            return frozenset(found)
        found -= odd

"""Frames of joined blocks, and those of the reference that they stand for: states go to and fro."""

from typing import Any, TypeAlias

from attrs import define, field

from interpreter.compiled.masks import bits, mask
from interpreter.flat import Block, Instruction
from interpreter.state import AT, BLOCK, SLOTS

Frame: TypeAlias = list[Any]
# The frames of the reference, the outermost first: the number of the block, its place, of every slot where that
# is kept, and which of these are masks. A slot that is never used is kept nowhere.
Chain: TypeAlias = tuple[tuple[int, int, tuple[int | None, ...], frozenset[int]], ...]


@define
class Frames:
    """Where the blocks of a generated module can wait."""

    blocks: list[Block]  # of the reference
    chains: dict[int, dict[int, Chain]]  # of every joined block, by place
    blanks: dict[int, tuple[Any, ...]]  # the first values of its slots
    places: dict[tuple[tuple[int, int], ...], int] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for chains in self.chains.values():
            for at, chain in chains.items():
                self.places[tuple((block, place) for block, place, _, _ in chain)] = at

    def instruction(self, f: Frame) -> Instruction:
        """The instruction at which a frame waits."""
        block, place, *_ = self.chains[f[BLOCK]][f[AT]][-1]
        return self.blocks[block].code[place]

    def split(self, stack: list[Frame]) -> list[Frame]:
        """The frames of the reference."""
        found = []
        for f in stack:
            for block, place, slots, masks in self.chains[f[BLOCK]][f[AT]]:
                blank = self.blocks[block].blank
                values = [
                    blank[n] if at is None else bits(f[at]) if at in masks else f[at]
                    for n, at in enumerate(slots)
                ]
                found.append([block, place, *values])
        return found

    def merge(self, stack: list[Frame]) -> list[Frame]:
        """The frames of joined blocks."""
        groups: list[list[Frame]] = []
        for f in stack:
            if f[BLOCK] in self.chains:
                groups.append([])
            groups[-1].append(f)
        found = []
        for group in groups:
            number = group[0][BLOCK]
            at = self.places[tuple((f[BLOCK], f[AT]) for f in group)]
            merged = [number, at, *self.blanks[number]]
            for f, (_, _, slots, masks) in zip(group, self.chains[number][at], strict=True):
                for place, value in zip(slots, f[SLOTS:], strict=True):
                    if place is not None:
                        merged[place] = mask(value) if place in masks else value
            found.append(merged)
        return found

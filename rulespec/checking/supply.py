"""The rows of `pieces` -> how many pieces of each face the box holds, for a number of players and options.

Pieces that look alike are counted, not listed. If a number or an attribute cannot be calculated, there is no supply,
and missing pieces are not reported.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import assert_never

from attrs import field, frozen

from rulespec.checking.attributes import attribute_types
from rulespec.checking.constants import ConstantInputs, NotConstant, Scalar, Value, constant_value
from rulespec.checking.faces import Word, read_attributes
from rulespec.checking.scopes import Scope
from rulespec.syntax import nodes

MOST_LOTS = 10_000


@frozen
class Lot:
    """Pieces that look alike."""

    kind: str
    copies: int


@frozen
class Supply:
    """All pieces in canonical order, and for each word of a face the lots that it matches.

    `found` and `kinds` keep answers: the lots, and the kinds, that match some words.
    """

    lots: tuple[Lot, ...]
    fitting: Mapping[Word, frozenset[int]]
    found: dict[tuple[tuple[Word, ...], frozenset[str]], list[int]] = field(factory=dict)
    kinds: dict[tuple[Word, ...], frozenset[str]] = field(factory=dict)


def count_pieces(ground: ConstantInputs) -> Supply | None:
    """The pieces in the box when a game begins; `None` if they cannot be counted."""
    scope = Scope(ground.known, {})
    lots: list[Lot] = []
    fitting: dict[Word, set[int]] = {}
    try:
        for kind, rows in ground.known.program.kinds.items():
            for row in rows:
                read = read_attributes(row.node, attribute_types(scope, row.node))
                for attributes in _combinations(ground, row.node):
                    copies = constant_value(ground, attributes, row.node.copies)
                    if not isinstance(copies, int) or len(lots) >= MOST_LOTS:
                        return None
                    for word in (kind, *_words(attributes, read)):
                        fitting.setdefault(word, set()).add(len(lots))
                    lots.append(Lot(kind, copies))
    except NotConstant:
        return None
    return Supply(tuple(lots), {word: frozenset(found) for word, found in fitting.items()})


def find_lots(supply: Supply, words: tuple[Word, ...], kinds: frozenset[str]) -> list[int]:
    """The lots of these kinds that match all of these words, in canonical order."""
    if (words, kinds) not in supply.found:
        fitting = sorted((supply.fitting.get(word, frozenset()) for word in words), key=len)
        both = frozenset.intersection(*fitting) if fitting else frozenset[int]()
        lots = supply.lots
        supply.found[words, kinds] = sorted(
            number for number in both if lots[number].kind in kinds and lots[number].copies > 0
        )
    return supply.found[words, kinds]


def find_kinds(supply: Supply, words: tuple[Word, ...], kinds: frozenset[str]) -> frozenset[str]:
    """The kinds, out of all, of which there are pieces with all of these words."""
    if words not in supply.kinds:
        lots = find_lots(supply, words, kinds)
        supply.kinds[words] = frozenset(supply.lots[number].kind for number in lots)
    return supply.kinds[words]


def _combinations(ground: ConstantInputs, row: nodes.Piece) -> Iterator[dict[str, Value]]:
    """The attributes of the pieces of a row; the first ranged one varies slowest."""
    ranged = [each for each in row.attributes if isinstance(each, nodes.Ranged)]
    domains = [_domain(ground, each.type) for each in ranged]
    for chosen in product(*domains):
        values = dict(zip((each.name.text for each in ranged), chosen, strict=True))
        attributes: dict[str, Value] = {}
        for each in row.attributes:
            name = each.name.text
            attributes[name] = (
                values[name]
                if isinstance(each, nodes.Ranged)
                else constant_value(ground, attributes, each.value)
            )
        yield attributes


def _domain(ground: ConstantInputs, type_: nodes.Type) -> tuple[Scalar, ...]:
    match type_:
        case nodes.RangeType(low, high) if high.value - low.value < MOST_LOTS:
            return tuple(range(low.value, high.value + 1))
        case nodes.NamedType(nodes.Name("Bool")):
            return (False, True)
        case nodes.NamedType(name) if name.text in ground.known.enums:
            return tuple(ground.known.enums[name.text])
        case nodes.RangeType() | nodes.NamedType() | nodes.OptionalType() | nodes.SetType():
            raise NotConstant
        case _:
            assert_never(type_)


def _words(attributes: Mapping[str, Value], read: frozenset[str]) -> Iterator[Word]:
    """The words by which pieces with these attributes may be called."""
    for name, value in attributes.items():
        for each in value if isinstance(value, frozenset) else (value,):
            if isinstance(each, str | int):
                yield name, each
                if name in read and not isinstance(each, bool):
                    yield each

"""A text -> what each piece of it is, for editors that colour it: the same colours as on the pages."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from pygments import token as pygments

from rulespec.editing.symbols import File
from rulespec.highlighting import RulesLexer

# As the Language Server Protocol calls them, in which a clause is a decorator.
Kind: TypeAlias = Literal[
    "comment",
    "string",
    "number",
    "decorator",
    "keyword",
    "operator",
    "class",
    "function",
    "variable",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
# The first that fits.
_COLOURS: tuple[tuple[pygments._TokenType, Kind], ...] = (
    (pygments.Comment, "comment"),
    (pygments.String, "string"),
    (pygments.Number, "number"),
    (pygments.Name.Decorator, "decorator"),
    (pygments.Name.Class, "class"),
    (pygments.Name.Function, "function"),
    (pygments.Name, "variable"),
    (pygments.Keyword, "keyword"),
    (pygments.Operator.Word, "keyword"),
    (pygments.Operator, "operator"),
)
Piece: TypeAlias = tuple[int, int, Kind]


def colour_pieces(file: File) -> Iterator[Piece]:
    """Each piece that has a colour: where it begins and ends, and what it is; none goes on in the next line."""
    for block in file.blocks:
        for start, end, kind in _of_block(block.source.text):
            yield start + block.begin, end + block.begin, kind


@lru_cache(maxsize=4096)
def _of_block(text: str) -> tuple[Piece, ...]:
    return tuple(_pieces(text))


def _pieces(text: str) -> Iterator[Piece]:
    for start, colour, words in RulesLexer().get_tokens_unprocessed(text):
        kind = next((kind for token, kind in _COLOURS if colour in token), None)
        place = start
        for line in words.split("\n") if kind is not None else ():
            begin = place + len(line) - len(line.lstrip())
            if line.strip() and kind is not None:
                yield begin, place + len(line.rstrip()), kind
            place += len(line) + 1

"""A name in a text -> what its author should know of it: how it is declared, its values, its sentence, its clauses."""

from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulespec.booklets import read_passages
from rulespec.checking.layers import documented
from rulespec.editing.blocks import block_at
from rulespec.editing.mentions import Mention
from rulespec.editing.symbols import (
    File,
    Occurrence,
    Symbol,
    definitions_of,
    mention_at,
    roles_in,
    symbol_of,
)
from rulespec.editing.text_analysis import TextAnalysis, type_at
from rulespec.editing.vocabulary import BUILT_IN
from rulespec.source import Span, line_of, locate, text_of
from rulespec.syntax import nodes

LONGEST = 200  # characters of a declaration that are shown


@frozen
class Hover:
    """What is said of a name: the text of its declaration, and sentences."""

    span: Span  # of the name, in its block
    begin: int  # of the block
    code: str
    sentences: tuple[str, ...]


def hover(file: File, offset: int, family: list[File], known: TextAnalysis | None) -> Hover | None:
    """What to say of the name at a place; nothing if there is none."""
    found = mention_at(file, offset)
    if found is None:
        return None
    block, mention = found
    symbol = symbol_of(block, mention, roles_in(family))
    places = definitions_of(symbol, mention, family)
    if symbol.kind == "clause":
        code, sentences = "", [*_clause_sentences(mention, places, family)]
    else:
        code, sentences = _told(symbol, places, family)
        if known is not None and known.source == file.source:
            values = type_at(known, mention.text, offset)
            sentences[:0] = [f"It is {values}."] if values is not None else []
    if not code and not sentences:
        return None
    return Hover(mention.span, block.begin, code, tuple(sentences))


def _told(symbol: Symbol, places: list[Occurrence], family: list[File]) -> tuple[str, list[str]]:
    if not places:
        word = next((each for each in BUILT_IN if each.text == symbol.text), None)
        return (f"{symbol.text}", [f"This {word.kind} is {word.detail}."]) if word else ("", [])
    place = places[-1]  # the last one is in force
    if symbol.kind == "file":
        return "", [f"`{place.path.name}`: {_title(place, family)}"]
    sentences = [*_docs(place, family)] if symbol.kind != "local" else []
    if place.path != family[0].path:
        sentences.append(f"Declared in `{place.path.name}`.")
    if len(places) > 1 and symbol.kind == "name":
        sentences.append(f"There are {len(places)} declarations, of which this is the last one.")
    line = line_of(place.span.source, locate(place.span)[0].line)
    return " ".join(line.partition("--")[0].split())[:LONGEST], sentences


def _title(place: Occurrence, family: list[File]) -> str:
    for file in family:
        for block in file.blocks if file.path == place.path else ():
            tree = block.parsed.mended
            for item in tree.items if tree is not None else ():
                if isinstance(item, nodes.Game):
                    return item.title.value
                if isinstance(item, nodes.Mechanism):
                    return "a mechanism"
    return "a file of rules"


def _docs(place: Occurrence, family: list[File]) -> Iterator[str]:
    """The sentence and the clauses above a declaration, or above a row of it."""
    file = next(each for each in family if each.path == place.path)
    block = block_at(file.blocks, place.span.start)
    offset = place.span.start - block.begin
    tree = block.parsed.mended
    items = list(documented(tree.items)) if tree is not None else []
    while items:
        around = [each for each in items if each[0].span.start <= offset < each[0].span.end]
        if not around:
            return
        item, docs = around[0]
        node = item.declaration if isinstance(item, nodes.Override) else item
        if isinstance(node, nodes.Variant):
            items = list(documented(node.items, docs))
        elif isinstance(node, nodes.Pieces | nodes.Zones | nodes.State):
            items = list(documented(node.rows, docs))
        else:
            yield from (doc.text.value for doc in docs if doc.text is not None)
            cites = [text_of(cite.span) for doc in docs for cite in doc.cites]
            if cites:
                yield f"Clauses: {', '.join(cites)}."
            return


def _clause_sentences(
    mention: Mention, places: list[Occurrence], family: list[File]
) -> Iterator[str]:
    passage = next(
        (each for each in (_passage(file.path, mention.text) for file in family) if each), None
    )
    if passage is not None:
        yield passage
    for place in places:
        yield f"{text_of(place.span)} in `{place.path.name}`."


def _passage(path: Path, number: str) -> str | None:
    found = read_passages(path).get(number)
    return f"{found.words} ({found.place})" if found is not None else None

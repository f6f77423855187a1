"""The words of a game -> a table: what each of them is, and where it is used.

Only what people say, and only what an author has put into a sentence of its own.
"""

from collections.abc import Iterator
from typing import assert_never

from attrs import frozen

from rulespec.checking.declarations import used_names
from rulespec.checking.layers import Docs
from rulespec.docgen.book import Book
from rulespec.docgen.entries import BookEntry, with_docs
from rulespec.docgen.page_elements import (
    Block,
    Line,
    Link,
    MarkedText,
    PageTable,
    PlainText,
    Strong,
    join_lines,
    text,
)
from rulespec.docgen.rules import name_in_words, page_title
from rulespec.docgen.sentences import linked
from rulespec.docgen.wording import is_for_people, titled
from rulespec.syntax import nodes

MOST_USES = 6


@frozen
class _Term:
    name: str
    title: str
    meaning: Line
    id: str


def tell_glossary(book: Book) -> tuple[Block, ...]:
    """All words in the order of the alphabet."""
    uses = _uses(book)
    rows = []
    terms = sorted(_terms(book), key=lambda term: (term.title.casefold(), term.name))
    for number, term in enumerate(terms):
        named: Line = (MarkedText("anchor", text(term.title), id=f"term-{number + 1}"),)
        if term.id:
            named = (Link(named, "rulebook", term.id),)
        rows.append(((Strong(named),), term.meaning, _used(book, uses.get(term.name, []))))
    if not rows:
        return ()
    return (PageTable((text("Word"), text("What it is"), text("Used in")), tuple(rows)),)


def _used(book: Book, entries: list[BookEntry]) -> Line:
    links: list[Line] = [
        (Link(text(page_title(book, entry)), "rulebook", entry.id),)
        for entry in entries[:MOST_USES]
    ]
    more = (PlainText(f" and {len(entries) - MOST_USES} more"),) if len(entries) > MOST_USES else ()
    return (*join_lines(links), *more)


def _uses(book: Book) -> dict[str, list[BookEntry]]:
    """Of every name the rules that use it."""
    uses: dict[str, list[BookEntry]] = {}
    kinds = (
        nodes.Rule,
        nodes.Table,
        nodes.Let,
        nodes.Trigger,
        nodes.Hook,
        nodes.Ranking,
        nodes.Rows,
    )
    entries = [*book.entries, *(each for _, _, inner in book.own_variants for each in inner)]
    for entry in entries:
        if isinstance(entry.node, kinds):
            own = getattr(getattr(entry.node, "name", None), "text", "")
            if isinstance(entry.node, nodes.Let) and own not in book.needed:
                continue
            for name in dict.fromkeys(used.text for used in used_names(entry.node)):
                if name != own:
                    uses.setdefault(name, []).append(entry)
    return uses


def _terms(book: Book) -> Iterator[_Term]:
    seen: set[str] = set()
    for entry in book.entries:
        for term in _terms_of(book, entry):
            if term.title not in seen and term.meaning:
                seen.add(term.title)
                yield term


def _terms_of(book: Book, entry: BookEntry) -> Iterator[_Term]:
    """The words of a declaration that somebody has put into a sentence."""
    node: nodes.Item = entry.node
    match node:
        case nodes.Pieces(_, rows):
            for row, docs, _ in with_docs(rows):
                yield _term(book, row.kind.text, docs, entry.id)
        case nodes.Zones(_, _, rows) | nodes.State(_, _, rows):
            for row, docs, _ in with_docs(rows):
                word = row.name.text
                if is_for_people(book.declared, word):
                    yield _term(book, word, docs, f"{entry.id}-{word}")
        case nodes.Let(name) | nodes.Table(name) if name.text in book.needed:
            if is_for_people(book.declared, name.text):
                yield _term(book, name.text, entry.docs, entry.id)
        case nodes.Enum(name):
            yield _term(book, name.text, entry.docs, entry.id)
        case nodes.Let() | nodes.Table() | nodes.Rule() | nodes.Option():
            return  # not what people call anything, or only what they do
        case nodes.Trigger() | nodes.Hook() | nodes.Rows() | nodes.Always() | nodes.Ranking():
            return
        case nodes.Game() | nodes.Extends() | nodes.Mechanism() | nodes.Use() | nodes.Players():
            return
        case nodes.First() | nodes.Rulebook() | nodes.Ruling() | nodes.Omit() | nodes.Example():
            return
        case nodes.Variant() | nodes.Blurb() | nodes.Teams():
            return
        case nodes.Remove() | nodes.RemoveRows() | nodes.RemovePiece():
            return
        case _:
            assert_never(node)


def _term(book: Book, name: str, docs: Docs, id_: str) -> _Term:
    said = " ".join(doc.text.value for doc in docs if doc.text is not None)
    return _Term(name, titled(name_in_words(book, name)), linked(book, said), id_)

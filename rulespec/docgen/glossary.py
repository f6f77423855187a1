"""The words of a game -> a table: what each of them is, and where it is used."""

from collections.abc import Iterator
from typing import Any, assert_never

from attrs import frozen

from rulespec.checking.declarations import used_names
from rulespec.docgen.blocks import Block, Line, Link, Mark, Strong, Table, Text, join, text
from rulespec.docgen.book import Book
from rulespec.docgen.entries import Entry, owned
from rulespec.docgen.rules import title_of
from rulespec.docgen.wording import members, say, titled
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
        named: Line = (Mark("anchor", text(term.title), id=f"term-{number + 1}"),)
        if term.id:
            named = (Link(named, "rulebook", term.id),)
        rows.append(((Strong(named),), term.meaning, _used(uses.get(term.name, []))))
    return (Table((text("Word"), text("What it is"), text("Used in")), tuple(rows)),)


def _used(entries: list[Entry]) -> Line:
    links: list[Line] = [
        (Link(text(title_of(entry)), "rulebook", entry.id),) for entry in entries[:MOST_USES]
    ]
    more = (Text(f" and {len(entries) - MOST_USES} more"),) if len(entries) > MOST_USES else ()
    return (*join(links), *more)


def _uses(book: Book) -> dict[str, list[Entry]]:
    """Of every name the rules that use it."""
    uses: dict[str, list[Entry]] = {}
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
            for name in dict.fromkeys(used.text for used in used_names(entry.node)):
                if name != own:
                    uses.setdefault(name, []).append(entry)
    return uses


def _terms(book: Book) -> Iterator[_Term]:
    seen: set[tuple[str, str]] = set()
    for entry in book.entries:
        for term in _terms_of(book, entry):
            if (term.name, term.title) not in seen:
                seen.add((term.name, term.title))
                yield term


def _terms_of(book: Book, entry: Entry) -> Iterator[_Term]:
    node: nodes.Item = entry.node
    match node:
        case nodes.Enum(name):
            known = members(book.declared, name.text) if name.text in book.declared.enums else []
            listed = ", ".join(book.labels.get(each, say(each)) for each in known)
            yield _Term(name.text, titled(name.text), text(f"one of {listed}"), entry.id)
            for member in node.members:
                if member.name.text not in book.declared.enums:
                    label = member.label.value if member.label else titled(member.name.text)
                    yield _Term(member.name.text, label, text(f"a {say(name.text)}"), entry.id)
        case nodes.Pieces(_, rows):
            for row, docs, under in owned(rows):
                shown = f"a piece, shown as “{row.shown_as.value}”" if row.shown_as else "a piece"
                yield _Term(
                    row.kind.text,
                    titled(row.kind.text),
                    _said(docs or under or entry.docs, shown),
                    entry.id,
                )
        case nodes.Zones(_, rows) | nodes.State(_, rows):
            what = "a zone" if isinstance(node, nodes.Zones) else "kept track of"
            for row, docs, under in owned(rows):
                word, said = row.name.text, _said(docs or under or entry.docs, what)
                yield _Term(word, titled(word), said, f"{entry.id}-{word}")
        case nodes.Let(name) | nodes.Rule(name) | nodes.Table(name) | nodes.Option(name):
            kind = {"let": "a term", "rule": "a rule", "table": "a table", "option": "an option"}
            yield _Term(
                name.text,
                titled(name.text),
                _said(entry.docs, kind[type(node).__name__.lower()]),
                entry.id,
            )
        case nodes.Trigger() | nodes.Hook() | nodes.Rows() | nodes.Always() | nodes.Ranking():
            return
        case nodes.Game() | nodes.Extends() | nodes.Mechanism() | nodes.Use() | nodes.Players():
            return
        case nodes.First() | nodes.Rulebook() | nodes.Ruling() | nodes.Omit() | nodes.Example():
            return
        case nodes.Variant() | nodes.Blurb():
            return
        case _:
            assert_never(node)


def _said(docs: Any, otherwise: str) -> Line:
    said = " ".join(doc.text.value for doc in docs if doc.text is not None)
    return text(f"{otherwise}: {said}" if said else otherwise)

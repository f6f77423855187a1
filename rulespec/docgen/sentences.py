"""Doc lines and blocks of statements -> sentences with their clauses, in the order of the rules.

A sentence appears once, where it stands, together with the questions that players are asked there and links to the
rules that are called.
"""

from typing import assert_never

from attrs import define

from rulespec.checking.declarations import used_names
from rulespec.checking.deeds import deed_of
from rulespec.checking.layers import Docs
from rulespec.docgen.book import Book, ToldClause
from rulespec.docgen.entries import BookEntry, cited_clauses, with_docs
from rulespec.docgen.page_elements import (
    Break,
    Inline,
    Items,
    Line,
    Link,
    ListItem,
    MarkedText,
    PlainText,
    join_lines,
)
from rulespec.docgen.wording import called, prompt_text, titled
from rulespec.syntax import nodes


@define
class SentenceWriter:
    """Writes the sentences of one declaration, and numbers them from 1."""

    book: Book
    id: str
    title: str
    how: str = "doc"
    told: int = 0


def clause_id(clause: str) -> str:
    """Where a clause stands on its page.

    >>> clause_id("S-A07")
    'clause-s-a07'
    """
    return f"clause-{clause.lower()}"


def doc_sentences(writer: SentenceWriter, docs: Docs) -> Line:
    """The sentences of doc lines, and behind them links to their clauses."""
    said: list[Inline] = []
    cited: list[Link] = []
    for doc in docs:
        if doc.text is not None and said:
            said.append(PlainText(" "))
        sentence, clauses = _tell(writer, doc.text.value if doc.text else "", doc.cites)
        said.append(sentence)
        cited += clauses
    return (*said, *_clauses(cited))


def tell_text(writer: SentenceWriter, words: str, cites: tuple[nodes.Cite, ...]) -> Line:
    """One sentence, and behind it links to its clauses."""
    sentence, clauses = _tell(writer, words, cites)
    return (sentence, *_clauses(clauses))


def _tell(
    writer: SentenceWriter, words: str, cites: tuple[nodes.Cite, ...]
) -> tuple[MarkedText, list[Link]]:
    writer.told += 1
    own = f"{writer.id}.{writer.told}"
    for clause in cited_clauses(cites):
        writer.book.tellings.append(ToldClause(clause, writer.how, writer.title, own, words))
    inside = linked(writer.book, words) or (PlainText(""),)
    return MarkedText("sentence", inside, id=own), [_cited(cite) for cite in cites]


def _clauses(cited: list[Link]) -> Line:
    """Clauses behind a sentence: shown when the reader asks for the law."""
    return (
        (MarkedText("clauses", (PlainText(" "), *join_lines([(each,) for each in cited], " "))),)
        if cited
        else ()
    )


def _cited(cite: nodes.Cite) -> Link:
    first = cited_clauses((nodes.Cite(cite.first, None),))[0]
    return Link((PlainText(_shown(cite)),), "clauses", clause_id(first), "rs-clause")


def linked(book: Book, words: str) -> Line:
    """An author's sentence; names of the rules in it lead to what they name, by what people call it."""
    line: list[Inline] = []
    for number, part in enumerate(words.split("`")):
        if number % 2 == 0 or not part.isidentifier():
            line += [PlainText(part)] if part else []
            continue
        variant = next((v for v, _, _ in book.own_variants if v.name.text == part), None)
        title = variant.title.value if variant is not None and variant.title is not None else ""
        entry = book.find(part, nodes.Variant, nodes.Option, nodes.Rule, nodes.Table, nodes.Let)
        named: Line = (PlainText(f"“{title or called(book.declared, part)}”"),)
        line += [Link(named, "rulebook", entry.id)] if entry is not None else named
    return tuple(line)


def _shown(cite: nodes.Cite) -> str:
    # Without its prefix the end of a range is as clear, and shorter.
    return cite.first + (f"–{cite.last.rpartition('-')[2]}" if cite.last else "")


def rulings_on(entries: list[BookEntry]) -> Line:
    """Links to the rulings that follow some entries."""
    ids = [id_ for entry in entries for id_, _ in entry.rulings]
    if not ids:
        return ()
    said = "See the ruling on this" if len(ids) == 1 else f"See the {len(ids)} rulings on this"
    return (Link((PlainText(f"{said}."),), "rulebook", ids[0]),)


# ---- Statements ----------------------------------------------------------------------------------


def tell_block(writer: SentenceWriter, block: nodes.Block) -> tuple[ListItem, ...]:
    """The sentences inside of a block, those of inner blocks below the sentence they belong to."""
    lines = block.lines if isinstance(block, nodes.Suite) else (block.statement,)
    return tell_lines(writer, lines)


def tell_lines(writer: SentenceWriter, lines: tuple[nodes.Line, ...]) -> tuple[ListItem, ...]:
    items: list[ListItem] = []
    group: list[nodes.Line] = []
    docs: Docs = ()
    for line, fresh, _ in with_docs(lines):
        if fresh and (group or docs):
            items += _tell_group(writer, docs, group)
            group = []
        docs = fresh or docs
        group.append(line)
    items += _tell_group(writer, docs, group)
    return tuple(items)


def _tell_group(writer: SentenceWriter, docs: Docs, statements: list[nodes.Line]) -> list[ListItem]:
    """Statements under one sentence, or under none."""
    said = doc_sentences(writer, docs)
    below = [item for each in statements for item in _inner(writer, each)]
    asks = [mark for each in statements for mark in _extras(writer.book, each)]
    if said and all(not each.below and is_bare(each.inside) for each in below):
        # What is asked and called inside belongs to the sentence, which tells when.
        asks += [mark for each in below for mark in each.inside if not isinstance(mark, PlainText)]
        below = []
    asks = list(dict.fromkeys(asks))
    if not said and not asks:
        return below
    line: list[Inline] = [*said]
    for mark in asks:
        line += [PlainText(" "), mark] if line else [mark]
    return [ListItem(tuple(line), (Items(tuple(below)),) if below else ())]


def _inner(writer: SentenceWriter, statement: nodes.Line) -> tuple[ListItem, ...]:
    match statement:
        case nodes.If(condition, body, otherwise):
            when = _agreed(writer.book, condition)
            more = _inner_else(writer, otherwise)
            return (*_under(when, tell_block(writer, body)), *more)
        case nodes.For(_, _, body) | nodes.Repeat(_, body):
            return tell_block(writer, body)
        case nodes.Doc() | nodes.Several():
            return ()
        case _ if isinstance(statement, nodes.Simple):
            return ()
        case _:
            assert_never(statement)


def _inner_else(writer: SentenceWriter, otherwise: nodes.Else | None) -> tuple[ListItem, ...]:
    if otherwise is None:
        return ()
    if isinstance(otherwise.body, nodes.If):
        return _inner(writer, otherwise.body)
    return tell_block(writer, otherwise.body)


def _agreed(book: Book, condition: nodes.Expr) -> Line:
    """The options on which a condition depends: no sentence above may speak of them."""
    names = [each.text for each in used_names(condition) if each.text in book.declared.options]
    links: list[Line] = []
    for name in dict.fromkeys(names):
        entry = book.find(name, nodes.Option)
        words: Line = (PlainText(f"“{called(book.declared, name)}”"),)
        links.append((Link(words, "rulebook", entry.id),) if entry is not None else words)
    return (PlainText("As agreed on "), *join_lines(links), PlainText(": ")) if links else ()


def _under(condition: Line, items: tuple[ListItem, ...]) -> tuple[ListItem, ...]:
    """Items with the condition before the first, unless somebody has put that into words."""
    if not items or not condition or not is_bare(items[0].inside):
        return items
    return (ListItem((*condition, *items[0].inside), items[0].below), *items[1:])


def is_bare(line: Line) -> bool:
    """Whether there is no sentence in a line, nor a condition."""
    return all(isinstance(each, Link) or (isinstance(each, MarkedText) and each.kind in ("ask", "of"))
               or (isinstance(each, PlainText) and not each.text.strip()) for each in line)  # fmt: skip


def _extras(book: Book, statement: nodes.Line) -> list[Inline]:
    """What a statement asks, and links to what it calls; not those inside of other blocks."""
    match statement:
        case nodes.Several(statements):
            return [mark for each in statements for mark in _extras(book, each)]
        case _ if isinstance(statement, nodes.Choice):
            return (
                [MarkedText("ask", (PlainText(prompt_text(statement.prompt.value)),))]
                if statement.prompt
                else []
            )
        case nodes.Doc() | nodes.If() | nodes.For() | nodes.Repeat():
            return []
        case _ if isinstance(statement, nodes.Simple):
            call = deed_of(statement).call
        case _:
            assert_never(statement)
    if call is None:
        return []
    if call.function.text == "super":
        return [MarkedText("of", (PlainText("as before"),))]
    link = link_to(book, call.function.text)
    return [link] if link is not None else []


def link_to(book: Book, name: str) -> Link | None:
    """A link to the rule, or the table, of that name."""
    routine = book.declared.routines.get(name)
    if routine is None:
        return None
    entry = book.find(name, nodes.Rule, nodes.Table, nodes.Let)
    if entry is None:
        return _link_to_mechanism(book, name)
    return Link((PlainText(_title(book, name)),), "rulebook", entry.id, "rs-see")


def _title(book: Book, name: str) -> str:
    return titled(called(book.declared, name))


def _link_to_mechanism(book: Book, name: str) -> Link | None:
    """What a mechanism declares is told where the mechanism is used."""
    title = book.declared.routines[name].versions[-1].layer.title
    for entry in book.entries:
        if isinstance(entry.node, nodes.Use):
            for used in entry.node.mechanisms:
                if used.mechanism.text == title:
                    return Link((PlainText(_title(book, name)),), "rulebook", entry.id, "rs-see")
    return None


def in_a_cell(items: tuple[ListItem, ...]) -> Line:
    """A list as lines of a cell of a table, where no list can stand."""
    line: list[Inline] = []
    for item in items:
        told = [mark for mark in line if isinstance(mark, Link)]
        # A cell is short: a rule is linked once.
        inside = [mark for mark in item.inside if mark not in told]
        if line and not is_bare(tuple(inside)):
            line.append(Break())
        elif line and inside:
            line.append(PlainText(" "))
        line += inside
        for below in item.below:
            if isinstance(below, Items):
                inner = in_a_cell(below.items)
                line += [Break(), *inner] if inner else []
    return tuple(line)

"""What a game is made of -> tables of its pieces, its zones and what is kept track of.

They have three columns at most, so that they can be read on a phone.
"""

from typing import Any, assert_never

from rulespec.docgen import page_elements
from rulespec.docgen.book import CHANGE, Book
from rulespec.docgen.entries import BookEntry, with_docs
from rulespec.docgen.expressions import context_of, say_value
from rulespec.docgen.formal import formal_text
from rulespec.docgen.page_elements import (
    Block,
    Break,
    Callout,
    Formal,
    Line,
    MarkedText,
    PageHeading,
    PageTable,
    Paragraph,
    PlainText,
    Strong,
    text,
    trimmed,
)
from rulespec.docgen.play_data import source_key
from rulespec.docgen.rules import tell_chapter
from rulespec.docgen.sentences import SentenceWriter, doc_sentences, rulings_on
from rulespec.docgen.tables import cell
from rulespec.docgen.wording import called, is_for_people, plural_of, titled, type_words
from rulespec.english import listed
from rulespec.syntax import nodes

SEEN = {
    "everyone": "everyone",
    "owner": "its owner",
    "others": "all but its owner",
    "top": "everyone, the top only",
    "nobody": "nobody",
}


def tell_components(book: Book, entries: list[BookEntry]) -> tuple[Block, ...]:
    """Pieces, zones and variables, each kind in one table; enums that name their attributes first."""
    told: list[Block] = []
    enums = [each for each in entries if isinstance(each.node, nodes.Enum)]
    told += tell_chapter(book, enums, 3)
    for kind, title, id_, show in (
        (nodes.Pieces, "In the box", "all-pieces", _pieces),
        (nodes.Zones, "On the table", "on-the-table", _zones),
        (nodes.State, "Kept track of", "kept-track-of", _state),
    ):
        found = [each for each in entries if isinstance(each.node, kind)]
        if any(_is_shown(book, each.node) for each in found):
            told.append(PageHeading(3, text(title), id_))
        for entry in found:
            told += show(book, entry)
    return tuple(told)


def _is_shown(book: Book, node: nodes.Pieces | nodes.Zones | nodes.State) -> bool:
    """Whether there is something that is for the table."""
    if isinstance(node, nodes.Pieces):
        return True
    rows = [row for row in node.rows if not isinstance(row, nodes.Doc)]
    return any(is_for_people(book.declared, row.name.text) for row in rows)


def _shown(
    book: Book, entry: BookEntry, said: Line, table: PageTable, *below: Paragraph
) -> tuple[Block, ...]:
    """A table, and what is said below it, beside its formal text."""
    node = nodes.Override(entry.node) if entry.overrides else entry.node
    inside: list[Block] = [Paragraph(said)] if said else []
    inside += [table] if table.rows else []
    inside += below
    rulings = rulings_on([entry])
    if rulings:
        inside.append(Paragraph(rulings, "rs-rulings"))
    code = Formal(formal_text(*entry.docs, node), book.opening(CHANGE, entry.node.span))
    return (Callout("rule rs-wide", (Callout("prose", tuple(inside)), code), entry.id),)


def _pieces(book: Book, entry: BookEntry) -> tuple[Block, ...]:
    writer = SentenceWriter(book, entry.id, "In the box")
    context = context_of(book.declared, book.labels)
    said = doc_sentences(writer, entry.docs)
    rows: list[tuple[Line, ...]] = []
    for row, docs, _ in with_docs(entry.node.rows):
        number = book.play_data.pieces.get(source_key(row.span))
        several = any(isinstance(each, nodes.Ranged) for each in row.attributes)
        copies = say_value(context, row.copies) if isinstance(row.copies, nodes.Number) else None
        each = f" ({copies} of each)" if several and copies else ""
        told = text(f"{number}{each}") if number is not None else cell(context, row.copies)
        name = row.shown_as.value if row.shown_as and "{" not in row.shown_as.value else ""
        name = name.removeprefix("the ") or called(book.declared, row.kind.text)
        shown = MarkedText(
            "anchor", text(titled(name)), id=f"{entry.id}-{row.kind.text}-{len(rows)}"
        )
        rows.append(
            (_named(shown, "", _attributes(book, row)), told, doc_sentences(writer, docs)),
        )
    return _shown(book, entry, said, trimmed(("What", "How many", "In words"), rows))


def _kinds(book: Book, kind: str) -> str:
    """`cards`, or `the saboteur` if there is only one."""
    rows = book.declared.kinds[kind]
    number = sum(book.play_data.pieces.get(source_key(row.node.span), 2) for row in rows)
    is_alone = number == 1 and kind not in book.declared.called
    return f"the {called(book.declared, kind)}" if is_alone else plural_of(book.declared, kind)


def in_the_box(book: Book) -> str:
    """How many of what there are in all: `75 cards, 27 seals and 1 saboteur`."""
    numbers: dict[tuple[str, str], int] = {}
    for kind, rows in book.declared.kinds.items():
        words = called(book.declared, kind), plural_of(book.declared, kind)
        for row in rows:
            number = book.play_data.pieces.get(source_key(row.node.span), 0)
            numbers[words] = numbers.get(words, 0) + number
    told = [f"{n} {one if n == 1 else several}" for (one, several), n in numbers.items() if n]
    return listed(told) if told else ""


def _named(name: MarkedText, index: str, more: Line) -> Line:
    """What something is called, and below that what there is to know of it."""
    each = (PlainText(f", one for each {index}"),) if index else ()
    below = (Break(), MarkedText("of", more)) if more else ()
    return (Strong((name,)), *each, *below)


def _attributes(book: Book, row: nodes.Piece) -> Line:
    told: list[Line] = []
    for each in row.attributes:
        match each:
            case nodes.Ranged(name, type_):
                told.append(text(_each(book, called(book.declared, name.text), type_)))
            case nodes.Fixed(_, value) if (
                say_value(context_of(book.declared, book.labels), value) is None
            ):
                continue
            case nodes.Fixed(name, value):
                told.append(
                    (PlainText(f"{called(book.declared, name.text)}: "), *_fixed(book, value))
                )
            case _:
                assert_never(each)
    return page_elements.join_lines(told, "; ")


def _each(book: Book, name: str, type_: nodes.Type) -> str:
    """One piece for each value; the members of enums are told above."""
    if isinstance(type_, nodes.NamedType):
        return f"each {name}"
    return f"each {name}, {type_words(type_, book.labels, book.declared)}"


def _fixed(book: Book, value: nodes.Expr) -> Line:
    if isinstance(value, nodes.Name) and value.text in book.declared.enums:
        return text(f"every {called(book.declared, value.text)}")
    return cell(context_of(book.declared, book.labels), value)


def _zones(book: Book, entry: BookEntry) -> tuple[Block, ...]:
    writer = SentenceWriter(book, entry.id, "On the table")
    said = doc_sentences(writer, entry.docs)
    rows: list[tuple[Line, ...]] = []
    hidden: list[MarkedText] = []
    for row, docs, _ in with_docs(entry.node.rows):
        name = _name(book, entry, row.name.text)
        if not is_for_people(book.declared, row.name.text):
            hidden.append(_bookkeeping_row(name, doc_sentences(writer, docs)))
            continue
        kinds = listed([*dict.fromkeys(_kinds(book, kind.text) for kind in row.holds)])
        pile = "a pile" if row.order == "pile" else ""
        more = " of ".join(part for part in (pile, kinds if row.holds else "") if part)
        named = _named(name, _index(book, row.indices), text(more) if more else ())
        rows.append(
            (
                named,
                text(SEEN[row.viewers.who]),
                text(counted_by_words(row)),
                doc_sentences(writer, docs),
            )
        )
    table = trimmed(("Where", "Seen by", "Counted by", "In words"), rows)
    return _shown(book, entry, said, table, *_bookkeeping(hidden))


def counted_by_words(row: nodes.Zone) -> str:
    """Who knows how many pieces lie in a zone, if not everyone does."""
    who = "everyone" if row.counters is None else row.counters.who
    return SEEN[who] if who != "everyone" else ""


def _name(book: Book, entry: BookEntry, name: str) -> MarkedText:
    words = titled(called(book.declared, name))
    return MarkedText("anchor", text(words), id=f"{entry.id}-{name}")


def _index(book: Book, types: tuple[nodes.Type, ...]) -> str:
    named = [
        called(book.declared, type_.name.text) if isinstance(type_, nodes.NamedType) else "number"
        for type_ in types
    ]
    return " and ".join(named)


def _state(book: Book, entry: BookEntry) -> tuple[Block, ...]:
    writer = SentenceWriter(book, entry.id, "Kept track of")
    said = doc_sentences(writer, entry.docs)
    rows: list[tuple[Line, ...]] = []
    hidden: list[MarkedText] = []
    context = context_of(book.declared, book.labels)
    for row, docs, _ in with_docs(entry.node.rows):
        name = _name(book, entry, row.name.text)
        if not is_for_people(book.declared, row.name.text):
            hidden.append(_bookkeeping_row(name, doc_sentences(writer, docs)))
            continue
        values = text(type_words(row.type, book.labels, book.declared))
        named = _named(name, _index(book, row.indices), values)
        who = "everyone" if row.viewers is None else row.viewers.who
        seen = text(SEEN[who]) if who != "everyone" else ()
        rows.append((named, cell(context, row.start), seen, doc_sentences(writer, docs)))
    rule = called(book.declared, entry.node.rule.text) if entry.node.rule else ""
    note = text(f"Set back at the start of each {rule}.") if rule and rows else ()
    table = trimmed(("What", "At the start", "Seen by", "In words"), rows)
    noted = [Paragraph(note, "rs-note")] if note else []
    return _shown(book, entry, said, table, *_bookkeeping(hidden), *noted)


def _bookkeeping_row(name: MarkedText, said: Line) -> MarkedText:
    return MarkedText("anchor", (*name.inside, PlainText(" "), *said), id=name.id)


def _bookkeeping(hidden: list[MarkedText]) -> list[Paragraph]:
    """What is not for the table: told when the reader asks for the law."""
    return [Paragraph((each,), "rs-law") for each in hidden]


def is_component(book: Book, node: Any) -> bool:
    """Whether a declaration says what the game is made of."""
    if isinstance(node, nodes.Enum):
        return node.name.text in _attribute_enums(book)
    return isinstance(node, nodes.Pieces | nodes.Zones | nodes.State)


def _attribute_enums(book: Book) -> set[str]:
    """Enums that are attributes of pieces or indices of zones."""
    types: list[Any] = [
        each.type
        for rows in book.declared.kinds.values()
        for row in rows
        for each in row.node.attributes
        if isinstance(each, nodes.Ranged)
    ]
    types += [index for zone in book.declared.zones.values() for index in zone.node.indices]
    return {each.name.text for each in types if isinstance(each, nodes.NamedType)}

"""Options, rulings, what was left out, and what always holds -> lists with their clauses."""

from typing import assert_never

from rulespec.docgen.book import Book
from rulespec.docgen.entries import BookEntry, name_of
from rulespec.docgen.expressions import context_of, say_condition, say_value
from rulespec.docgen.formal import formal_text
from rulespec.docgen.page_elements import (
    Block,
    Callout,
    Formal,
    Items,
    Line,
    Link,
    ListItem,
    MarkedText,
    PageTable,
    Paragraph,
    PlainText,
    Strong,
    text,
)
from rulespec.docgen.rules import page_title
from rulespec.docgen.sentences import SentenceWriter, doc_sentences, rulings_on, tell_text
from rulespec.docgen.wording import called, enum_members, say, titled
from rulespec.english import listed, sentence
from rulespec.syntax import nodes


def tell_options(book: Book, entries: list[BookEntry]) -> tuple[Block, ...]:
    """What a table may agree on before it plays; an enum that only an option uses stands with it."""
    rows: list[tuple[Line, ...]] = []
    code: list[str] = []
    said: Line = ()
    for entry in entries:
        node = entry.node
        writer = SentenceWriter(book, entry.id, page_title(book, entry))
        told = doc_sentences(writer, entry.docs)
        code.append(formal_text(*entry.docs, nodes.Override(node) if entry.overrides else node))
        if isinstance(node, nodes.Enum):
            said = (
                *said,
                MarkedText("anchor", told or (PlainText(""),), id=entry.id),
                PlainText(" "),
            )
            continue
        name = MarkedText(
            "anchor", text(titled(called(book.declared, node.name.text))), id=entry.id
        )
        ruled = rulings_on([entry])
        rows.append(
            (
                (Strong((name,)),),
                _values(book, node),
                (*said, *told, *((PlainText(" "), *ruled) if ruled else ())),
            )
        )
        said = ()
    head = (text("What"), text("The usual way, and others"), text("In words"))
    inside = Callout("prose", (PageTable(head, tuple(rows)),))
    return (Callout("rule rs-wide", (inside, Formal("\n".join(code)))),)


def _values(book: Book, option: nodes.Option) -> Line:
    usual = usual_value(book, option)
    match option.type:
        case nodes.NamedType(name, None) if name.text == "Bool":
            values = ["yes", "no"]
        case nodes.NamedType(name, None) if name.text in book.declared.enums:
            values = [book.labels.get(n, say(n)) for n in enum_members(book.declared, name.text)]
        case nodes.RangeType(low, high):
            return (Strong(text(usual)), PlainText(f" ({low.value} to {high.value})"))
        case nodes.NamedType() | nodes.OptionalType() | nodes.SetType():
            values = []
        case _:
            assert_never(option.type)
    rest = [value for value in values if value != usual]
    return (Strong(text(usual)), *((PlainText(f", or {listed(rest, 'or')}"),) if rest else ()))


def usual_value(book: Book, option: nodes.Option) -> str:
    """What is played if nothing else is agreed."""
    chosen = book.declared.chosen.get(option.name.text)
    value = chosen.value if chosen is not None else option.default
    said = say_value(context_of(book.declared, book.labels), value)
    return (said or "it depends").removeprefix("the ")


def tell_rulings(book: Book, entries: list[BookEntry]) -> tuple[Block, ...]:
    """What was decided where the booklet leaves a doubt, by what it is about."""
    groups: dict[str, tuple[Line, list[ListItem]]] = {}
    for entry in entries:
        if not isinstance(entry.node, nodes.Ruling):
            continue
        about = next((e for e in entries if any(id_ == entry.id for id_, _ in e.rulings)), None)
        key = about.id if about is not None else ""
        if key not in groups:
            named: Line = ()
            if about is not None and not isinstance(about.node, nodes.Example | nodes.Variant):
                named = (Strong((Link(text(page_title(book, about)), "rulebook", about.id),)),)
            groups[key] = (named, [])
        writer = SentenceWriter(book, entry.id, "Ruling", "ruling")
        said = tell_text(writer, entry.node.text.value, entry.node.cites)
        groups[key][1].append(ListItem((MarkedText("anchor", said, id=entry.id),)))
    told: list[Block] = []
    for named, items in groups.values():
        if named:
            told.append(Paragraph(named, "rs-about"))
        told.append(Items(tuple(items)))
    return tuple(told)


def tell_omits(book: Book, entries: list[BookEntry]) -> tuple[Block, ...]:
    """Clauses of the booklet that are no rules, each with the reason."""
    items = []
    for entry in entries:
        writer = SentenceWriter(book, entry.id, "Left out", "omit")
        said = tell_text(writer, entry.node.reason.value, entry.node.cites)
        items.append(ListItem((MarkedText("anchor", said, id=entry.id),)))
    return (Items(tuple(items)),)


def tell_invariants(book: Book, entries: list[BookEntry]) -> tuple[Block, ...]:
    """What holds whenever somebody is asked; terms that only this needs stand with it."""
    items: list[ListItem] = []
    code: list[str] = []
    for entry in entries:
        writer = SentenceWriter(book, entry.id, titled(name_of(entry.node)), "doc")
        said = doc_sentences(writer, entry.docs)
        code.append(
            formal_text(*entry.docs, nodes.Override(entry.node) if entry.overrides else entry.node)
        )
        name = MarkedText("term rs-law", text(say(name_of(entry.node))), id=entry.id)
        if said or not items:
            derived = _invariant(book, entry.node) if not said else ()
            items.append(ListItem((*said, *derived, PlainText(" "), name)))
        else:
            last = items[-1]
            items[-1] = ListItem((*last.inside, PlainText(" "), name))
    inside = (Callout("prose", (Items(tuple(items)),)), Formal("\n".join(code)))
    return (Callout("rule", inside),)


def _invariant(book: Book, node: nodes.Always | nodes.Let) -> Line:
    condition = node.condition if isinstance(node, nodes.Always) else node.value
    said = say_condition(context_of(book.declared, book.labels), condition)
    return text(sentence(said)) if said else text("What the formal text says.")

"""What a game is made of -> its facts at a glance, its pieces, its zones and what is kept track of."""

from pathlib import PurePath
from typing import Any

from rulespec.docgen import blocks
from rulespec.docgen.blocks import (
    Block,
    Box,
    Code,
    Formal,
    Heading,
    Line,
    Link,
    Mark,
    Paragraph,
    Strong,
    Table,
    Text,
    text,
)
from rulespec.docgen.book import Book
from rulespec.docgen.entries import Entry, owned
from rulespec.docgen.exhibits import spot
from rulespec.docgen.formal import formal
from rulespec.docgen.rules import seats, tell_chapter
from rulespec.docgen.sentences import Speaker, rulings_on, tell, tell_text
from rulespec.docgen.wording import count, say, titled, type_words, words
from rulespec.syntax import nodes

SEEN = {
    "everyone": "everyone",
    "owner": "its owner",
    "others": "all but its owner",
    "top": "everyone, the top only",
    "nobody": "nobody",
}


def title_of_game(book: Book) -> str:
    """What a game is called."""
    game = book.declared.game
    return game.node.title.value if game is not None else PurePath(book.file).stem


def author_of(book: Book) -> str:
    """Who made it: the author of the lowest file that names one."""
    for entry in book.entries:
        if isinstance(entry.node, nodes.Game) and entry.node.author is not None:
            return entry.node.author.value
    return ""


def tell_glance(book: Book) -> tuple[Block, ...]:
    """The facts that one asks for first, and how the game is won."""
    facts: list[tuple[Line, Line]] = []
    facts += _players(book)
    facts += _first(book)
    if book.exhibits.lengths:
        facts.append((text("Length"), text(_length(book))))
    total = sum(book.exhibits.pieces.values())
    if total:
        facts.append((text("Pieces"), text(str(total))))
    author = author_of(book)
    if author:
        facts.append((text("Author"), text(author)))
    for entry in book.entries:
        if isinstance(entry.node, nodes.Extends):
            facts.append((text("Builds on"), (Code(formal(entry.node).removeprefix("extends ")),)))
    for rulebook in book.declared.rulebooks:
        facts.append((text("Told after"), text(rulebook.node.title.value)))
    command = " ".join(["rulespec play", book.file, *(f"--variant {name}" for name in book.asked)])
    facts.append((text("To play it"), (Code(command),)))
    rows = tuple(((Strong(name),), told) for name, told in facts)
    return (*_goal(book), Box("facts", (Table(((), ()), rows),)))


def _players(book: Book) -> list[tuple[Line, Line]]:
    declared = book.declared.players
    if declared is None:
        return []
    node = declared.node
    way = f", {node.direction}" if node.direction else ""
    said: Line = ()
    for entry in book.entries:
        if isinstance(entry.node, nodes.Players):
            speaker = Speaker(book, entry.id, "Players")
            told = tell(speaker, entry.docs)
            said = (*said, Text(" "), Mark("anchor", told or (Text(""),), id=entry.id))
    return [(text("Players"), (Text(f"{seats(node)}{way}."), *said))]


def _first(book: Book) -> list[tuple[Line, Line]]:
    rows: list[tuple[Line, Line]] = []
    for entry in book.entries:
        if isinstance(entry.node, nodes.First):
            speaker = Speaker(book, entry.id, "Who begins", "first")
            said = (
                *tell(speaker, entry.docs),
                *tell_text(speaker, entry.node.text.value, entry.node.cites),
            )
            rows.append((text("Begins"), (Mark("anchor", said, id=entry.id),)))
    return rows


def _length(book: Book) -> str:
    """Measured, so it says how."""
    lengths = book.exhibits.lengths
    first, *rest = lengths
    told = [f"about {count(first.median, 'decision')} with {count(first.players, 'player')}"]
    told += [f"{each.median} with {each.players}" for each in rest]
    games = sum(each.games for each in lengths)
    least, most = min(each.least for each in lengths), max(each.most for each in lengths)
    spread = f", which took {least} to {most}" if least != most else ""
    return f"{', '.join(told)}. Measured in {count(games, 'game')} played at random{spread}."


def _goal(book: Book) -> tuple[Block, ...]:
    ranking = book.declared.ranking
    if ranking is None:
        return ()
    entry = next((e for e in book.entries if isinstance(e.node, nodes.Ranking)), None)
    docs = ranking.docs
    said = " ".join(doc.text.value for doc in docs if doc.text is not None)
    rows = [fresh for _, fresh, _ in owned(ranking.node.criteria)][:1]
    first = [doc.text.value for fresh in rows for doc in fresh if doc.text is not None]
    words_ = " ".join([*([said] if said else []), *first])
    more = (Text(" "), Link(text("Who wins"), "rulebook", entry.id, "rs-see")) if entry else ()
    return (Paragraph((Strong(text("Goal.")), Text(f" {words_}"), *more), "rs-goal"),)


# ---- Components ----------------------------------------------------------------------------------


def tell_components(book: Book, entries: list[Entry]) -> tuple[Block, ...]:
    """Pieces, zones and variables, each kind in one table; enums that name their attributes first."""
    told: list[Block] = []
    enums = [each for each in entries if isinstance(each.node, nodes.Enum)]
    told += tell_chapter(book, enums, 3)
    for kind, title, id_, show in (
        (nodes.Pieces, "Pieces", "all-pieces", _pieces),
        (nodes.Zones, "On the table", "on-the-table", _zones),
        (nodes.State, "Kept track of", "kept-track-of", _state),
    ):
        found = [each for each in entries if isinstance(each.node, kind)]
        if found:
            told.append(Heading(3, text(title), id_))
        for entry in found:
            told += show(book, entry)
    return tuple(told)


def _shown(entry: Entry, said: Line, table: Table, note: Line = ()) -> tuple[Block, ...]:
    node = nodes.Override(entry.node) if entry.overrides else entry.node
    inside: list[Block] = [Paragraph(said)] if said else []
    inside.append(table)
    if note:
        inside.append(Paragraph(note, "rs-note"))
    rulings = rulings_on([entry])
    if rulings:
        inside.append(Paragraph(rulings, "rs-rulings"))
    code = Formal(formal(*entry.docs, node))
    return (Box("rule rs-wide", (Box("prose", tuple(inside)), code), entry.id),)


def _pieces(book: Book, entry: Entry) -> tuple[Block, ...]:
    speaker = Speaker(book, entry.id, "Pieces")
    said = tell(speaker, entry.docs)
    rows: list[tuple[Line, ...]] = []
    total = 0
    for row, docs, _ in owned(entry.node.rows):
        number = book.exhibits.pieces.get(spot(row.span))
        total += number or 0
        copies = words(row.copies, book.labels)
        several = any(isinstance(each, nodes.Ranged) for each in row.attributes)
        each = (Text(" ("), *copies, Text(" of each)")) if several else ()
        told = (Text(str(number)), *each) if number is not None else copies
        name = (
            row.shown_as.value if row.shown_as and "{" not in row.shown_as.value else row.kind.text
        )
        shown = Mark("anchor", text(titled(name)), id=f"{entry.id}-{row.kind.text}-{len(rows)}")
        rows.append((((Strong((shown,))),), told, _attributes(book, row), tell(speaker, docs)))
    note = text(f"In all: {count(total, 'piece')}.") if total and len(rows) > 1 else ()
    return _shown(entry, said, _trimmed(("Piece", "How many", "Which", "In words"), rows), note)


def _attributes(book: Book, row: nodes.Piece) -> Line:
    told: list[Line] = []
    for each in row.attributes:
        match each:
            case nodes.Ranged(name, type_):
                told.append(text(_each(book, say(name.text), type_)))
            case nodes.Fixed(name, value):
                told.append((Text(f"{say(name.text)}: "), *_fixed(book, value)))
    return blocks.join(told, "; ")


def _each(book: Book, name: str, type_: nodes.Type) -> str:
    """One piece for each value; the members of enums are told above."""
    if isinstance(type_, nodes.NamedType):
        return f"each {name}"
    return f"each {name}, {type_words(type_, book.labels, book.declared)}"


def _fixed(book: Book, value: nodes.Expr) -> Line:
    if isinstance(value, nodes.Name) and value.text in book.declared.enums:
        return text(f"every {say(value.text)}")
    return words(value, book.labels)


def _zones(book: Book, entry: Entry) -> tuple[Block, ...]:
    speaker = Speaker(book, entry.id, "On the table")
    said = tell(speaker, entry.docs)
    rows: list[tuple[Line, ...]] = []
    for row, docs, _ in owned(entry.node.rows):
        each = ", ".join(_index(type_) for type_ in row.indices)
        name: Line = (
            Strong(
                (Mark("anchor", text(titled(row.name.text)), id=f"{entry.id}-{row.name.text}"),)
            ),
        )
        whose = (*name, Text(f", one for each {each}")) if each else name
        kinds = ", ".join(say(kind.text) for kind in row.holds)
        order = "a pile" if row.order == "pile" else "in no order"
        rows.append(
            (
                whose,
                text(SEEN[row.viewers.who]),
                text(order),
                text(kinds) if kinds else (),
                tell(speaker, docs),
            )
        )
    return _shown(entry, said, _trimmed(("Zone", "Seen by", "Lies", "Holds", "In words"), rows))


def _index(type_: nodes.Type) -> str:
    if isinstance(type_, nodes.NamedType):
        return "player" if type_.name.text == "Player" else say(type_.name.text)
    return "number"


def _state(book: Book, entry: Entry) -> tuple[Block, ...]:
    speaker = Speaker(book, entry.id, "Kept track of")
    said = tell(speaker, entry.docs)
    rows: list[tuple[Line, ...]] = []
    for row, docs, _ in owned(entry.node.rows):
        each = ", ".join(_index(type_) for type_ in row.indices)
        name: Line = (
            Strong(
                (Mark("anchor", text(titled(row.name.text)), id=f"{entry.id}-{row.name.text}"),)
            ),
        )
        whose = (*name, Text(f", one for each {each}")) if each else name
        values = text(type_words(row.type, book.labels, book.declared))
        rows.append((whose, values, words(row.start, book.labels), tell(speaker, docs)))
    note = (
        text(f"Set back whenever “{say(entry.node.rule.text)}” begins.") if entry.node.rule else ()
    )
    return _shown(entry, said, _trimmed(("What", "Can be", "At the start", "In words"), rows), note)


def _trimmed(head: tuple[str, ...], rows: list[tuple[Line, ...]]) -> Table:
    """A table without columns in which nothing stands."""
    kept = [n for n in range(len(head)) if any(row[n] for row in rows)]
    return Table(
        tuple(text(head[n]) for n in kept), tuple(tuple(row[n] for n in kept) for row in rows)
    )


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

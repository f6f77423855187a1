"""A game -> the page from which it is learned: what it is about, the table, a turn, the rules in sentences, the points.

It is read once, from top to bottom, and printed; the law, with its clauses, its rulings and its formal text, is a page of
its own. All sentences are the author's, and the drawings come from a game that was played.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from rulespec.checking.declarations import walk
from rulespec.docgen.book import Book, layer_title
from rulespec.docgen.components import SEEN, counted_by_words, in_the_box, is_component
from rulespec.docgen.differences import changing_layers, is_change
from rulespec.docgen.entries import BookEntry, is_in_chapters, name_of, slug, with_docs
from rulespec.docgen.overview import (
    authors_of,
    is_said_here,
    played_with,
    tell_goal,
    tell_opening,
    title_of_game,
)
from rulespec.docgen.page_elements import (
    Block,
    Blocks,
    Break,
    Callout,
    Illustration,
    Items,
    Line,
    Link,
    ListItem,
    MarkedText,
    PageHeading,
    PageTable,
    Paragraph,
    PlainText,
    Strong,
    join_lines,
    plain_text,
    section,
    text,
)
from rulespec.docgen.play_data import (
    SCORING,
    YOUR_TURN,
    CaptionedDrawing,
    Lesson,
    Reminder,
    ScoreSum,
    source_key,
)
from rulespec.docgen.rules import seats
from rulespec.docgen.sentences import SentenceWriter, linked
from rulespec.docgen.tables import rows_table
from rulespec.docgen.wording import called, is_for_people, key_words, titled
from rulespec.docgen.worked_examples import examples_of
from rulespec.english import BROKEN, is_statement, join_broken, sentence
from rulespec.syntax import nodes

MOST_TABLES = 2  # that a worked example adds up
LEAST_ROWS, MOST_ROWS = 3, 7  # of each


def tell_learn(book: Book) -> Blocks:
    """The whole page."""
    # What is told here is no proof that a clause is told: that is the business of the law.
    book = attrs.evolve(book, tellings=[])
    lesson = book.play_data.lesson
    above = [entry for entry in book.entries if entry.layer]
    facts = Paragraph(text(_facts(book)), "rs-facts-line")
    play = book.opening("Play it in the browser")
    page: list[Block] = [*tell_opening(book), facts, *tell_goal(book)]
    page += [Paragraph((play,), "rs-play-now")] if play is not None else []
    if any(is_change(entry.node) for entry in above):
        page += _different(book, above)
    else:
        page += _whole(book, lesson)
        page += section("Variants", "learn-variants", _variants(book))
        page += section("Advice", "learn-advice", _advice(book))
    page.append(Paragraph(_more(), "rs-note"))
    title = PageHeading(1, text(title_of_game(book)), "learn")
    cards = () if lesson is None else (_reference_card(book, lesson),)
    return (title, Callout("learn", tuple(page)), *cards)


def _whole(book: Book, lesson: Lesson | None) -> list[Block]:
    entries = [e for e in book.entries if is_in_chapters(e.node) and _is_told(book, e)]
    setup = next((e.chapter for e in entries if name_of(e.node) == "setup"), None)
    page = section("What you need", "learn-box", _pieces(book, lesson))
    told: list[Block] = []
    for number, chapter in enumerate(book.sections.chapters):
        own = [*_chapter(book, [e for e in entries if e.chapter == number])]
        if number == setup:
            told_first = [*_beginning(book), *own, *_table(lesson)]
            page += section("Setting up", "learn-setup", told_first)
            page += section("Where things lie", "learn-zones", _zones(book))
            page += section("A turn", "learn-turn", _turn(book, lesson))
        elif own:
            told += [PageHeading(2, text(chapter.title), f"learn-{chapter.id}"), *own]
    if setup is None:
        page += section("A turn", "learn-turn", [*_table(lesson), *_turn(book, lesson)])
    page += told
    page += section("An example, added up", "learn-example", _worked(book))
    return page


def _facts(book: Book) -> str:
    declared = book.declared
    facts = [] if declared.players is None else [seats(declared.players.node)]
    if declared.minutes is not None:
        least, most = declared.minutes.node.least, declared.minutes.node.most
        facts.append(f"{least.value}{f' to {most.value}' if most else ''} minutes")
    if declared.ages is not None:
        facts.append(f"{declared.ages.node.least.value} years and up")
    *below, (_, author) = authors_of(book) or [("", "")]
    facts += [f"by {author}"] if author else []
    facts += [f"changes {title}{f', by {who}' if who else ''}" for title, who in below]
    return " · ".join(facts)


def _more() -> Line:
    return (
        PlainText("To settle a dispute: "),
        Link(text("the law"), "rulebook", "top"),
        PlainText(" has every clause, the rulings, worked examples and the formal text."),
    )


# ---- What lies on the table ----------------------------------------------------------------------


def _pieces(book: Book, lesson: Lesson | None) -> Iterator[Block]:
    contents = in_the_box(book)
    if contents:
        yield Paragraph(text(f"{contents}."))
    for entry in book.entries:
        if isinstance(entry.node, nodes.Pieces):
            items = [ListItem(line) for line in _rows(book, entry)]
            if items:
                yield Items(tuple(items))
    if lesson is not None and lesson.pieces:
        yield Illustration(lesson.pieces, "faces")


def _rows(book: Book, entry: BookEntry) -> Iterator[Line]:
    """What is said of the kinds of pieces."""
    for row, docs, _ in with_docs(entry.node.rows):
        said = _said(docs)
        if said:
            number = book.play_data.pieces.get(source_key(row.span))
            name = called(book.declared, row.kind.text)
            many = f" ({number})" if number and number > 1 else ""
            yield (Strong(text(f"{titled(name)}{many}:")), PlainText(" "), *linked(book, said))


def _zones(book: Book) -> Iterator[Block]:
    items: list[ListItem] = []
    for entry in book.entries:
        if not isinstance(entry.node, nodes.Zones):
            continue
        for row, docs, _ in with_docs(entry.node.rows):
            if is_for_people(book.declared, row.name.text):
                name = titled(called(book.declared, row.name.text))
                said = _said(docs)
                counts = f", counted by {counted_by_words(row)}" if counted_by_words(row) else ""
                seen = f"Seen by {SEEN[row.viewers.who]}{counts}."
                words = (*linked(book, said), PlainText(" ")) if said else ()
                items.append(
                    ListItem(
                        (Strong(text(name)), PlainText(": "), *words, MarkedText("of", text(seen)))
                    )
                )
    if items:
        yield Items(tuple(items))


def _table(lesson: Lesson | None) -> Iterator[Block]:
    if lesson is not None:
        yield Illustration(lesson.table, "drawn-table")
        yield Paragraph(
            text(f"The table for {lesson.players} players when the game begins, as you see it."),
            "rs-caption",
        )


def _beginning(book: Book) -> Iterator[Block]:
    """Who plays, which way round, and who begins."""
    said = [
        sentence(each)
        for entry in book.entries
        if isinstance(entry.node, nodes.Players)
        for each in _said_by(entry.docs)
    ]
    firsts = [entry.node for entry in book.entries if isinstance(entry.node, nodes.First)]
    said += [sentence(f"who begins: {each.text.value}") for each in firsts]
    if said:
        yield Paragraph(linked(book, " ".join(said)))


def _turn(book: Book, lesson: Lesson | None) -> Iterator[Block]:
    turn = book.declared.turn
    if turn is not None:
        yield Paragraph(text(turn.node.text.value), "rs-turn")
    drawn: tuple[CaptionedDrawing, ...] = () if lesson is None else lesson.turn
    for each in drawn:
        yield Paragraph(text(each.words), "rs-caption")
        yield Illustration(each.svg, "drawn-table")


# ---- The rules in sentences ----------------------------------------------------------------------


def _is_told(book: Book, entry: BookEntry) -> bool:
    """Whether an entry belongs to the play; what serves an option or a check is for the law."""
    node = entry.node
    if isinstance(node, nodes.Let):
        return node.name.text in book.needed
    return not isinstance(node, nodes.Enum | nodes.First) and not is_component(book, node)


def _chapter(book: Book, entries: list[BookEntry]) -> Iterator[Block]:
    """What a chapter says, a point for each of its rules, and its tables."""
    items: list[ListItem] = []
    known: set[str] = set()
    for entry in entries:
        said = _joined(_sentences(entry))
        if isinstance(entry.node, nodes.Let):
            said = [each for each in said if is_statement(each)]
        new = [each for each in said if each not in known]
        known.update(new)
        if isinstance(entry.node, nodes.Table) and (table := [*_tell_table(book, entry)]):
            if items:
                yield Items(tuple(items))
                items = []
            own = _joined(_said_by(entry.docs))
            if own:
                yield Paragraph(linked(book, " ".join(own)))
            yield from table
        elif name_of(entry.node) == "setup":
            yield Items(tuple(ListItem(linked(book, each)) for each in new), ordered=True)
        elif new:
            items.append(ListItem(linked(book, " ".join(new))))
    if items:
        yield Items(tuple(items))


def _tell_table(book: Book, entry: BookEntry) -> Iterator[Block]:
    """A table of values, or what happens for each of some names; nothing if its sentences must do."""
    if _is_plain(entry.node):
        yield _plain_table(book, entry)
        return
    items: list[ListItem] = []
    rows = [*with_docs(entry.node.rows)]
    for row, docs, _ in rows:
        inner = (each for each in walk(row) if isinstance(each, nodes.Doc))
        said = _joined([*_said_by(docs), *_said_by(inner)])
        if len(row.keys) != 1 or not said or not _is_name(row.keys[0]):
            return
        name = Strong((*key_words(row.keys[0], book.labels), PlainText(":")))
        items.append(ListItem((name, PlainText(" "), *linked(book, " ".join(said)))))
    if len(items) > 1:
        yield Items(tuple(items))


def _is_name(key: nodes.Key) -> bool:
    return all(isinstance(each, nodes.KeyName) for each in key.patterns)


def _is_plain(table: nodes.Table) -> bool:
    """Whether a table can be read without its sentences: it has a value in each cell."""
    rows = [row for row in table.rows if isinstance(row, nodes.Row)]
    values = [row.body.values for row in rows if isinstance(row.body, nodes.Cells)]
    cells = [value for each in values for value in each]
    return len(values) == len(rows) and all(
        isinstance(value, nodes.Number | nodes.Negative | nodes.Name) for value in cells
    )


def _plain_table(book: Book, entry: BookEntry) -> PageTable:
    found = rows_table(SentenceWriter(book, entry.id, ""), entry.node)
    rows = tuple(tuple(_bare(cell) for cell in row) for row in found.rows)
    if any(
        BROKEN in plain_text(row[-1]) for row in rows
    ):  # sentences that are none without the others
        return PageTable(found.head[:-1], tuple(row[:-1] for row in rows))
    return PageTable(found.head, rows)


def _bare(line: Line) -> Line:
    """A line without clauses, and without places of its own: these are on the page of the law."""
    found: list[Any] = []
    for each in line:
        match each:
            case MarkedText(kind="clauses"):
                continue
            case MarkedText(kind="sentence", inside=inside):
                found += _bare(inside)
            case Break():
                found.append(PlainText(" "))
            case _:
                found.append(each)
    return tuple(found)


def _sentences(entry: BookEntry) -> Iterator[str]:
    """What stands above a declaration and inside of it, in the order of the file."""
    yield from _said_by(entry.docs)
    yield from _said_by(each for each in walk(entry.node) if isinstance(each, nodes.Doc))


def _said_by(docs: Iterable[nodes.Doc]) -> Iterator[str]:
    for doc in docs:
        if doc.text is not None and doc.text.value:
            yield doc.text.value


def _said(docs: Iterable[nodes.Doc]) -> str:
    return " ".join(_joined(_said_by(docs)))


def _joined(said: Iterable[str]) -> list[str]:
    return [sentence(each.replace(BROKEN, "").strip()) for each in join_broken(said)]


# ---- An example ----------------------------------------------------------------------------------


def _worked(book: Book) -> list[Block]:
    """The example that adds up most, with its sums."""
    best: tuple[int, str, tuple[ScoreSum, ...]] = (0, "", ())
    lesson = book.play_data.lesson
    counts = lesson is not None and any(each.title == SCORING for each in lesson.reminders)
    for entry in examples_of(book) if counts else ():
        shown = book.play_data.examples.get(source_key(entry.node.span))
        if shown is None or shown.trouble or entry.layer or entry.node.settings:
            continue
        sums = [
            each
            for found in shown.sums.values()
            for each in found
            if LEAST_ROWS <= len(each.rows) <= MOST_ROWS
        ]
        sums = [*{each.title: each for each in sums}.values()]
        many = sum(len(each.rows) for each in sums[:MOST_TABLES])
        if many > best[0]:
            best = many, entry.node.title.value, tuple(sums[:MOST_TABLES])
    many, title, sums_ = best
    if not many:
        return []
    told: list[Block] = [Paragraph(text(sentence(title)))]
    for each in sums_:
        head = (text(titled(each.title)), *map(text, each.columns))
        told.append(PageTable(head, tuple(tuple(map(text, row)) for row in each.rows)))
        told += [Paragraph(text(note), "rs-caption") for note in each.notes]
    return told


# ---- What else -----------------------------------------------------------------------------------


def _different(book: Book, above: list[BookEntry]) -> list[Block]:
    """Of a file that stands on another: what it changes, and where the rest is told."""
    settings = played_with(book)
    told: list[Block] = []
    if settings:
        told.append(Paragraph((Strong(text("Played with.")), PlainText(" "), *settings)))
    for layer, own in changing_layers(above):
        title = f"What is different in {layer_title(book, layer)}"
        changes = [entry for entry in own if is_change(entry.node)]
        told += section(title, f"learn-changes-{slug(layer)}", _chapter(book, changes))
    base = authors_of(book)[0][0] if authors_of(book) else ""
    link = (Link(text(base), "learn", folder=book.base),) if book.base else text(base)
    told.append(Paragraph((PlainText("Everything else is as in "), *link, PlainText("."))))
    return told


def _variants(book: Book) -> Iterator[Block]:
    items: list[ListItem] = []
    for variant, docs, inner in book.own_variants:
        title = variant.title.value if variant.title is not None else titled(variant.name.text)
        entry = next(e for e in book.entries if e.node is variant)
        name = Strong((Link(text(title), "rulebook", entry.id),))
        rules = [each for each in inner if is_in_chapters(each.node)]
        said = " ".join(_joined([*_said_by(docs), *(x for e in rules for x in _sentences(e))]))
        items.append(ListItem((name, PlainText(": "), *linked(book, said)) if said else (name,)))
    if items:
        yield Items(tuple(items))


def _advice(book: Book) -> Iterator[Block]:
    advice = [each.node.text.value for each in book.declared.advice]
    if advice:
        yield Paragraph(text(" ".join(advice)))


def _reference_card(book: Book, lesson: Lesson) -> Callout:
    """What one wants beside the cards, on a page of its own."""
    inside: list[Block] = [PageHeading(2, text("Reference card"), "learn-reference")]
    is_whole = len(book.declared.files) == 1 or is_said_here(book, book.declared.turn)
    for each in lesson.reminders:
        if is_whole or each.title != YOUR_TURN:
            inside += _remind(book, each)
    return Callout("reference-card", tuple(inside))


def _remind(book: Book, reminder: Reminder) -> Iterator[Block]:
    title = (Strong(text(f"{titled(reminder.title)}.")), PlainText(" "))
    if len(reminder.lines) > 1 and not reminder.rows:
        lines = [_key(linked(book, each)) for each in reminder.lines]
        yield Paragraph(title)
        yield Items(tuple(ListItem(line) for line in lines))
    else:
        yield Paragraph((*title, *join_lines([linked(book, each) for each in reminder.lines], " ")))
    if reminder.rows:
        head = tuple(text(titled(each)) for each in reminder.columns)
        yield PageTable(head, tuple(tuple(map(text, row)) for row in reminder.rows))


def _key(line: Line) -> Line:
    """`Pride: Ask an opponent …` with what it is about in front."""
    first = line[0] if line else None
    if isinstance(first, PlainText) and ": " in first.text[:24]:
        key, _, rest = first.text.partition(": ")
        return (Strong(text(f"{key}:")), PlainText(f" {rest}"), *line[1:])
    return line

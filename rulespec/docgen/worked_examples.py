"""Worked examples -> blocks of a page: the table before and after each step, the picks, and whether the example holds.

The examples were run before (`play_data`); an example that was not is shown without a verdict.
"""

from typing import assert_never

from rulespec.docgen.book import Book, layer_title
from rulespec.docgen.entries import BookEntry, cited_clauses
from rulespec.docgen.expressions import context_of, say_condition
from rulespec.docgen.formal import formal_text
from rulespec.docgen.page_elements import (
    Block,
    Break,
    Collapsible,
    Formal,
    Inline,
    Items,
    Line,
    ListItem,
    MarkedText,
    PageHeading,
    PageTable,
    Paragraph,
    PlainText,
    Strong,
    join_lines,
    text,
)
from rulespec.docgen.phrase_context import PhraseContext
from rulespec.docgen.play_data import ExampleRecord, ExampleScene, ZoneContents, source_key
from rulespec.docgen.rules import name_in_words
from rulespec.docgen.sentences import SentenceWriter, tell_text
from rulespec.docgen.tables import cell
from rulespec.docgen.wording import called, titled
from rulespec.rendering import counted
from rulespec.syntax import nodes

MOST_CARDS = 14  # different cards of a zone
MOST_EVENTS = 14  # of a step


def examples_of(book: Book) -> list[BookEntry]:
    """The examples of the file itself and of its variants, in the order of the page.

    Those of a lower file are about that one, and stand on its page.
    """
    own = book.declared.files[-1].span.source
    entries = [*book.entries, *(each for _, _, inner in book.own_variants for each in inner)]
    examples = [
        each
        for each in entries
        if isinstance(each.node, nodes.Example) and each.node.span.source == own
    ]
    return sorted(examples, key=lambda each: _chapter(book, each))


def _chapter(book: Book, entry: BookEntry) -> int:
    """The chapter of the first clause that an example is about."""
    chapters = book.sections.of_clause
    return next(
        (chapters[each] for each in cited_clauses(entry.node.cites) if each in chapters), -1
    )


def tell_examples(book: Book, entries: list[BookEntry]) -> tuple[Block, ...]:
    """All examples by chapter, and numbered."""
    told: list[Block] = []
    before = -1
    for number, entry in enumerate(entries, 1):
        chapter = _chapter(book, entry)
        if chapter != before:
            title = book.sections.chapters[chapter].title
            told.append(PageHeading(3, text(title), f"examples-{chapter + 1}"))
        before = chapter
        told.append(_example(book, entry, number))
    return tuple(told)


def verdicts(book: Book, entries: list[BookEntry]) -> str:
    """How many were run, and how many held."""
    shown = [book.play_data.examples.get(source_key(entry.node.span)) for entry in entries]
    run = [each for each in shown if each is not None]
    held = sum(not each.trouble for each in run)
    if not run:
        return f"{counted(len(entries), 'example')}."
    if held < len(run):
        return f"{held} of {len(run)} hold."
    return f"All {len(run)} were run, and hold." if held > 1 else "It was run, and holds."


def _example(book: Book, entry: BookEntry, number: int) -> Collapsible:
    node = entry.node
    shown = book.play_data.examples.get(source_key(node.span))
    writer = SentenceWriter(book, entry.id, node.title.value, "example")
    mark: list[Inline] = [MarkedText("of", text(f"{number}.")), PlainText(" ")]
    if shown is not None:
        mark += [
            MarkedText(
                "failed" if shown.trouble else "passed", text("✗" if shown.trouble else "✓")
            ),
            PlainText(" "),
        ]
    named = layer_title(book, entry.layer) if entry.layer else ""
    layer = (PlainText(" "), MarkedText("term", text(named))) if named else ()
    summary = (*mark, *tell_text(writer, node.title.value, node.cites), *layer)
    inside: list[Block] = []
    if shown is not None and shown.trouble:
        inside.append(
            Paragraph((Strong(text("It fails: ")), PlainText(shown.trouble)), "rs-trouble")
        )
    inside += _story(book, node, shown)
    inside.append(Formal(formal_text(node)))
    return Collapsible("example", summary, tuple(inside), entry.id)


def _story(book: Book, node: nodes.Example, shown: ExampleRecord | None) -> list[Block]:
    told: list[Block] = []
    context = context_of(book.declared, book.labels)
    for each in node.settings:
        name = called(book.declared, each.name.text)
        value = (PlainText(": "), *cell(context, each.value)) if each.value is not None else ()
        told.append(Paragraph((PlainText(f"Agreed: {name}"), *value, PlainText("."))))
    number = 0
    is_laid = False
    for step in node.steps:
        match step:
            case nodes.Seats(names):
                told.append(
                    Paragraph(text(f"At the table: {', '.join(name.text for name in names)}."))
                )
                continue
            case nodes.Given():
                is_laid = True
            case nodes.Run():
                told += _run(book, step, shown, number)
                is_laid = False
            case nodes.Expect(condition):
                before = _scene(shown, number)
                if is_laid and before is not None:
                    told += _tables(before, None)
                    is_laid = False
                told += _expected(context, condition, shown)
                told += _sums(shown, number)
            case _:
                assert_never(step)
        number += 1
    return _joined(told)


def _scene(shown: ExampleRecord | None, number: int) -> ExampleScene | None:
    scenes = shown.scenes if shown is not None else ()
    return scenes[number] if number < len(scenes) else None


def _run(book: Book, step: nodes.Run, shown: ExampleRecord | None, number: int) -> list[Block]:
    call = step.call
    context = context_of(book.declared, book.labels)
    who = [cell(context, each) for each in call.arguments]
    head: Line = (Strong(text(titled(name_in_words(book, call.function.text)))),)
    if who:
        head = (*head, PlainText(": "), *join_lines(who))
    told: list[Block] = [Paragraph(head)]
    if step.picks:
        told.append(Items(tuple(ListItem(_pick(book, pick)) for pick in step.picks)))
    before, after = _scene(shown, number), _scene(shown, number + 1)
    if before is not None and after is not None:
        told += _tables(before, after)
    return told


def _pick(book: Book, pick: nodes.Pick | nodes.Asked) -> Line:
    who = pick.player.text
    context = context_of(book.declared, book.labels)
    line: Line
    match pick:
        case nodes.Pick(_, nodes.Constant("none")):
            line = text(f"{who} declines")
        case nodes.Pick(_, value):
            line = (PlainText(f"{who} picks "), *cell(context, value))
        case nodes.Asked():
            line = text(f"{who} is asked to choose")
        case _:
            assert_never(pick)
    if pick.options is not None:
        line = (*line, MarkedText("of", (PlainText(" out of "), *cell(context, pick.options))))
    return line


def _expected(
    context: PhraseContext, condition: nodes.Expr, shown: ExampleRecord | None
) -> list[Block]:
    """What must hold, as far as there are words for it; the formal text has all of it."""
    parts = condition.operands if isinstance(condition, nodes.And) else (condition,)
    said = [
        words
        for each in parts
        if not _is_seen(context, each) and (words := say_condition(context, each))
    ]
    sign = "" if shown is None or shown.trouble else "✓ "
    if not said:
        return []
    return [Paragraph((PlainText(f"{sign}Then "), PlainText("; ".join(said))), "rs-expected")]


def _is_seen(context: PhraseContext, condition: nodes.Expr) -> bool:
    """Whether the tables show it: what lies where."""
    if not isinstance(condition, nodes.Compare):
        return False
    left = condition.left
    left = left.operand if isinstance(left, nodes.Count) else left
    while isinstance(left, nodes.At | nodes.Having | nodes.Get):
        left = left.subject
    return isinstance(left, nodes.Name) and (
        left.text in context.declared.zones or left.text == "box"
    )


def _sums(shown: ExampleRecord | None, number: int) -> list[Block]:
    """What is behind the numbers that are expected, added up."""
    told: list[Block] = []
    for each in () if shown is None else shown.sums.get(number, ()):
        head = (text(each.title[:1].upper() + each.title[1:]), *map(text, each.columns))
        told.append(PageTable(head, tuple(tuple(map(text, row)) for row in each.rows)))
        told += [Paragraph(text(note)) for note in each.notes]
    return told


def _joined(told: list[Block]) -> list[Block]:
    """Expectations right after each other as one."""
    joined: list[Block] = []
    for block in told:
        last = joined[-1] if joined else None
        if (
            isinstance(block, Paragraph)
            and isinstance(last, Paragraph)
            and block.kind == last.kind == "rs-expected"
        ):
            joined[-1] = Paragraph((*last.inside, PlainText("; "), *block.inside[1:]), last.kind)
        else:
            joined.append(block)
    return joined


# ---- The table -----------------------------------------------------------------------------------


def _tables(before: ExampleScene, after: ExampleScene | None) -> list[Block]:
    """What lay where, and what lies there now; what is empty both times is left out."""
    rows: list[tuple[Line, ...]] = []
    then = {each.zone: each for each in after.zones} if after is not None else {}
    for zone in before.zones:
        now = then.get(zone.zone)
        if not zone.cards and not (now and now.cards):
            continue
        rows.append(_row(zone, now, after is not None))
    noted = dict(after.noted) if after is not None else {}
    for name, value in before.noted:
        new = noted.get(name, value)
        if after is None:
            rows.append((text(name), text(value)))
        elif new != value:
            rows.append((text(name), text(value), (MarkedText("new", text(new)),)))
    if not rows:
        return []
    head = (
        (text("Where"), text("Before"), text("After"))
        if after is not None
        else (text("Where"), text("What lies there"))
    )
    return [PageTable(head, tuple(rows))]


def _row(zone: ZoneContents, now: ZoneContents | None, has_after: bool) -> tuple[Line, ...]:  # noqa: FBT001 - a column or none
    name: Line = text(zone.zone)
    if not has_after:
        return (name, _cards(zone))
    if now == zone:
        return (name, _cards(zone), (MarkedText("of", text("the same")),))
    return (name, _cards(zone), _cards(now, zone) if now is not None else text("empty"))


def _cards(zone: ZoneContents, before: ZoneContents | None = None) -> Line:
    if not zone.cards:
        return (MarkedText("of", text("empty")),)
    had = {card.text: card.count for card in before.cards} if before is not None else {}
    line: list[Inline] = []
    for card in zone.cards[:MOST_CARDS]:
        many = f" ×{card.count}" if card.count > 1 else ""
        # Where nothing lay before, all is new, and to say so tells nothing.
        more = bool(had) and card.count > had.get(card.text, 0)
        kind = "card rs-fresh" if more else "card"
        line += [MarkedText(kind, text(f"{card.text}{many}"), tone=card.tone), PlainText(" ")]
    left = sum(card.count for card in zone.cards[MOST_CARDS:])
    if left:
        line.append(MarkedText("of", text(f"and {left} more")))
    if zone.is_pile and len(zone.cards) > 1:
        line += [Break(), MarkedText("of", text("top first"))]
    return tuple(line)

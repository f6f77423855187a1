"""Rules, tables, terms and triggers -> their sentences beside their formal text.

A term without a sentence of its own is shown with the one before it, whose sentence is about both.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, assert_never

from rulespec.checking.declarations import is_action_table
from rulespec.checking.teams import ranking_outcome
from rulespec.docgen import page_elements
from rulespec.docgen.book import CHANGE, Book
from rulespec.docgen.charts import can_chart, draw_curve
from rulespec.docgen.derived_sentences import derive_block, has_sentence
from rulespec.docgen.entries import BookEntry, name_of, with_docs
from rulespec.docgen.expressions import context_of, say_condition, say_counted, say_value
from rulespec.docgen.formal import formal_text
from rulespec.docgen.page_elements import (
    Block,
    Callout,
    Formal,
    Illustration,
    Items,
    Line,
    PageHeading,
    Paragraph,
    PlainText,
    Strong,
    join_lines,
    text,
)
from rulespec.docgen.phrase_context import THEY
from rulespec.docgen.sentences import (
    SentenceWriter,
    doc_sentences,
    is_bare,
    rulings_on,
    tell_block,
    tell_text,
)
from rulespec.docgen.tables import rows_table
from rulespec.docgen.wording import called, say, titled
from rulespec.english import is_several, listed
from rulespec.rendering import counted
from rulespec.source import text_of
from rulespec.syntax import nodes

HEADED = (nodes.Rule, nodes.Table, nodes.Ranking)


def page_title(book: Book, entry: BookEntry) -> str:
    """What a declaration is called on the page."""
    node: nodes.Item = entry.node
    name = name_in_words(book, name_of(node))
    match node:
        case nodes.Ranking():
            return "Who wins"
        case nodes.Trigger():
            context = context_of(book.declared, book.labels)
            asked = say_condition(context, nodes.Name(name_of(node)))
            return f"As soon as {asked}" if asked else "At once"
        case nodes.Hook(side):
            return f"{titled(side)} {name}"
        case nodes.Rows():
            return f"More rows of {name}"
        case nodes.Remove():
            return f"Without {name}"
        case nodes.RemoveRows():
            return f"Fewer rows of {name}"
        case nodes.RemovePiece():
            return f"Fewer {name}"
        case nodes.Use(mechanisms):
            return titled(" and ".join(each.mechanism.text for each in mechanisms))
        case nodes.First():
            return "Who begins"
        case nodes.Players():
            return "Players"
        case nodes.Teams():
            return "Teams"
        case nodes.Pieces() | nodes.Zones() | nodes.State():
            return {"Pieces": "In the box", "Zones": "On the table"}.get(
                type(node).__name__, "Kept track of"
            )
        case nodes.Enum() | nodes.Option() | nodes.Table() | nodes.Let() | nodes.Rule():
            return titled(name)
        case nodes.Always() | nodes.Variant() | nodes.Mechanism():
            return titled(name)
        case nodes.Game() | nodes.Extends() | nodes.Rulebook() | nodes.Ruling() | nodes.Omit():
            return titled(name)
        case nodes.Example() | nodes.Blurb():
            return titled(name)
        case _:
            assert_never(node)


def name_in_words(book: Book, name: str) -> str:
    """What people call something, unless they call something else the same."""
    words = called(book.declared, name)
    others = [*book.declared.routines, *book.declared.zones, *book.declared.variables]
    is_alone = all(called(book.declared, each) != words for each in others if each != name)
    return words if name in book.declared.called and is_alone else say(name)


def tell_chapter(
    book: Book,
    entries: list[BookEntry],
    level: int,
    notes: Mapping[str, Line] = MappingProxyType({}),
) -> tuple[Block, ...]:
    """The entries of a chapter, those without words of their own joined to the one before.

    `notes` are told with the entries that have these ids.
    """
    groups: list[list[BookEntry]] = []
    for entry in entries:
        if groups and not entry.docs and not isinstance(entry.node, HEADED) and not entry.overrides:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return tuple(
        block
        for group in groups
        for block in tell_group(
            book, group, level, join_lines([notes[e.id] for e in group if e.id in notes], " ")
        )
    )


def tell_group(
    book: Book, group: list[BookEntry], level: int, note: Line = ()
) -> tuple[Block, ...]:
    """Some entries under one sentence."""
    first = group[0]
    title = page_title(book, first)
    told: list[Block] = []
    if isinstance(first.node, HEADED):
        told.append(PageHeading(level, text(title), first.id))
    writer = SentenceWriter(book, first.id, title)
    prose: list[Block] = []
    said = doc_sentences(writer, first.docs)
    if not isinstance(first.node, HEADED):
        said = (*_lead(book, first), *said)
    if note:
        prose.append(Paragraph(note, "rs-note"))
    wide = False
    inside: list[Block] = []
    for entry in group:
        inner = (
            SentenceWriter(book, entry.id, page_title(book, entry))
            if entry is not first
            else writer
        )
        body, is_wide = _body(inner, entry)
        inside += body
        wide = wide or is_wide
    extras = _bare_extras(inside)
    if extras:
        said, inside = (*said, PlainText(" "), *extras), []
    if said:
        prose.append(Paragraph(said))
    prose += inside
    rulings = rulings_on(group)
    if rulings:
        prose.append(Paragraph(rulings, "rs-rulings"))
    items = [_as_declared(entry) for entry in group]
    code = "\n".join(formal_text(*docs, item) for docs, item in items)
    code += _mechanism_text(book, first)
    # What has no heading of its own is found by its box; the others by empty marks inside.
    own = "" if isinstance(first.node, HEADED) else first.id
    marks = tuple(
        page_elements.MarkedText("anchor", (PlainText(""),), id=entry.id) for entry in group[1:]
    )
    if marks:
        prose.insert(0, Paragraph(marks, "rs-anchors"))
    both = (Callout("prose", tuple(prose)), Formal(code, book.opening(CHANGE, group[0].node.span)))
    kind = "rule rs-wide" if wide else "rule"
    # A term, or a mechanism, that nobody has put into words is told to those who ask for the law.
    silent = all(isinstance(each.node, nodes.Let | nodes.Use) for each in group)
    silent = silent and not any(doc.text for doc in first.docs)
    told.append(Callout(f"{kind} rs-law" if silent else kind, both, own))
    return tuple(told)


def _bare_extras(inside: list[Block]) -> Line:
    """Questions and links that no sentence goes with: they follow the sentence of the rule itself."""
    if len(inside) != 1 or not isinstance(inside[0], Items):
        return ()
    items = inside[0].items
    if not all(is_bare(item.inside) and not item.below for item in items):
        return ()
    return join_lines([item.inside for item in items], " ")


def _lead(book: Book, entry: BookEntry) -> Line:
    """The name of what has no heading."""
    if isinstance(entry.node, nodes.Use):
        mechanisms = entry.node.mechanisms
        names = listed([say(used.mechanism.text) for used in mechanisms])
        several = "s" if len(mechanisms) > 1 else ""
        return (
            page_elements.MarkedText("law", text(f"By the standard mechanism{several} {names}. ")),
        )
    if isinstance(entry.node, nodes.Enum | nodes.Hook | nodes.Rows):
        return ()
    return (Strong(text(f"{page_title(book, entry)}.")), PlainText(" "))


def _as_declared(entry: BookEntry) -> tuple[tuple[nodes.Doc, ...], Any]:
    node = nodes.Override(entry.node) if entry.overrides else entry.node
    return entry.docs, node


# ---- What stands inside --------------------------------------------------------------------------


def _body(writer: SentenceWriter, entry: BookEntry) -> tuple[list[Block], bool]:
    """The sentences inside of an entry, and whether it needs the width of the page."""
    book = writer.book
    node: nodes.Item = entry.node
    match node:
        case nodes.Rule(_, _, _, body) | nodes.Trigger(_, body) | nodes.Hook(_, _, body):
            items = tell_block(writer, body)
            if not has_sentence(entry.docs, body):
                context = context_of(book.declared, book.labels, getattr(node, "params", ()))
                items = derive_block(writer, context, body)
            return ([Items(items, ordered=len(items) > 1)] if items else []), False
        case nodes.Table() as table:
            chart = _chart(book, table)
            wide = is_action_table(table) or bool(chart) or len(table.header.inputs) > 1
            return [rows_table(writer, table), *chart], wide
        case nodes.Rows(table, rows):
            routine = book.declared.routines.get(table.text)
            head = routine.versions[-1].node if routine is not None else None
            shown = [rows_table(writer, head, rows)] if isinstance(head, nodes.Table) else []
            return [*shown], False
        case nodes.Ranking(_, criteria):
            return _ranking(writer, entry, criteria), False
        case nodes.Enum(_, members):
            all_ = join_lines([_member(book, member) for member in members])
            named = (
                Strong(text(f"{titled(called(book.declared, name_of(node)))}:")),
                PlainText(" "),
            )
            return [Paragraph((*named, *all_), "rs-members")], False
        case nodes.First(cites, first):
            return [Paragraph(tell_text(writer, first.value, cites))], False
        case nodes.Players() as players:
            return [Paragraph(text(f"{seats(players)}."))], False
        case nodes.Remove(what):
            dropped = name_in_words(book, name_of(node))
            told = f"{titled(dropped)} does not apply."
            return ([Paragraph(text(told))] if what in ("rule", "table", "when") else []), False
        case nodes.RemoveRows(_, rows):
            keys = listed([f"“{text_of(row.span)}”" for row in rows])
            many = "rows" if len(rows) > 1 else "row"
            return [Paragraph(text(f"Without the {many} for {keys}."))], False
        case nodes.Teams() as teams:
            return [Paragraph(text(say_teams(book, teams)))], False
        case nodes.Let() | nodes.Always() | nodes.Option() | nodes.Use():
            return [], False  # told by their docs, their text, or where they come from
        case nodes.Pieces() | nodes.Zones() | nodes.State():
            return [], False  # told by `components`
        case nodes.RemovePiece():
            return [], False
        case nodes.Game() | nodes.Extends() | nodes.Mechanism() | nodes.Variant():
            return [], False
        case nodes.Rulebook() | nodes.Ruling() | nodes.Omit() | nodes.Example() | nodes.Blurb():
            return [], False
        case _:
            assert_never(node)


def seats(players: nodes.Players) -> str:
    """How many play."""
    least, most = players.least.value, players.most
    return f"{least} to {most.value} players" if most else counted(least, "player")


def say_teams(book: Book, teams: nodes.Teams) -> str:
    """Which teams there are, and who is in which."""
    enum = book.declared.enums[teams.enum.text].node
    named = [book.labels.get(each.name.text, say(each.name.text)) for each in enum.members]
    said = f"{counted(len(named), 'team')}: {'; '.join(named)}."
    if teams.team is None:
        return f"{said} Around the table, the players belong to these teams in turn."
    return said


def _member(book: Book, member: nodes.Member) -> Line:
    name = member.name.text
    if name in book.declared.enums:
        return text(f"every {called(book.declared, name)}")
    return text(book.labels.get(name, say(name)))


def _ranking(
    writer: SentenceWriter, entry: BookEntry, criteria: tuple[nodes.Doc | nodes.Criterion, ...]
) -> list[Block]:
    """What is compared, one after the other; where its author has said it, in these words."""
    rows = [(row, docs) for row, docs, _ in with_docs(criteria)]
    items = []
    for number, (row, docs) in enumerate(rows):
        if number == 0 and entry.docs and not docs:
            continue  # the sentence above has said it
        said = doc_sentences(writer, docs) or text(
            say_criterion(writer.book, entry.node, row, number)
        )
        items.append(page_elements.ListItem(said))
    return [Items(tuple(items), ordered=len(items) > 1)] if items else []


def say_criterion(book: Book, ranking: nodes.Ranking, row: nodes.Criterion, number: int) -> str:
    """`Whoever has the fewest penalty points wins.`"""
    context = context_of(book.declared, book.labels).bind(ranking.player.text, THEY)
    outcome = ranking_outcome(row)
    if outcome is not None:
        condition = say_condition(context, row.key) or "the formal text says so"
        return f"Players {'win only' if outcome == 'won' else 'draw'} if {condition}."
    what = say_counted(context, row.key) or "as the formal text says"
    direct = isinstance(row.order, nodes.Name) and row.order.text in ("most", "fewest")
    order = row.order.text if isinstance(row.order, nodes.Name) and direct else ""
    words = ("most", "fewest") if is_several(what) else ("highest", "lowest")
    how = f"the {words[order == 'fewest']} {what}"
    if not order:
        by = say_value(context, row.order) or "the rules"
        how = f"the {words[0]} or the {words[1]} {what}, as {by} says,"
    return f"Whoever has {how} wins." if number == 0 else f"Among those who tie, whoever has {how}."


def _chart(book: Book, table: nodes.Table) -> list[Block]:
    curve = book.play_data.curves.get(table.name.text, ())
    if not can_chart(curve):
        return []
    declared = book.declared
    axis = called(declared, table.params[0].name.text) if table.params else ""
    title = f"{titled(called(declared, table.name.text))}: what each number of {axis} gives"
    return [Illustration(draw_curve(f"chart-{table.name.text}", title, axis, curve), "chart")]


def _mechanism_text(book: Book, entry: BookEntry) -> str:
    """What a mechanism brings with it, its slots filled."""
    if not isinstance(entry.node, nodes.Use):
        return ""
    titles = {used.mechanism.text for used in entry.node.mechanisms}
    brought = [
        formal_text(version.node)
        for routine in book.declared.routines.values()
        for version in routine.versions
        if version.layer.origin == "mechanism" and version.layer.title in titles
    ]
    return "".join(f"\n\n{each}" for each in brought)

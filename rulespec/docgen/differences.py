"""A variant, or a file that extends another -> what it changes, one by one, beside what it was.

Each change is first told in a table, then in full.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias, assert_never

import attrs

from rulespec.docgen.book import Book, layer_title
from rulespec.docgen.charts import can_chart, draw_curve
from rulespec.docgen.components import SEEN, counted_by_words, tell_components
from rulespec.docgen.entries import BookEntry, name_of, slug, with_docs
from rulespec.docgen.expressions import context_of, say_value
from rulespec.docgen.formal import formal_text
from rulespec.docgen.options_and_rulings import (
    tell_invariants,
    tell_options,
    tell_rulings,
    usual_value,
)
from rulespec.docgen.page_elements import (
    Block,
    Callout,
    CodeText,
    Collapsible,
    Formal,
    Illustration,
    Line,
    Link,
    PageHeading,
    PageTable,
    Paragraph,
    PlainText,
    join_lines,
    text,
)
from rulespec.docgen.rules import name_in_words, page_title, seats, tell_group
from rulespec.docgen.sentences import SentenceWriter, doc_sentences
from rulespec.docgen.wording import called, is_for_people, plural_of, titled
from rulespec.english import listed
from rulespec.rendering import counted
from rulespec.syntax import nodes

# What changes the rules: all that may be overridden, and what adds to others.
SHORT = 60  # signs of a cell
CHANGES: TypeAlias = nodes.Named | nodes.Rows | nodes.Hook | nodes.Use | nodes.First


def tell_variant(
    book: Book,
    variant: nodes.Variant,
    docs: tuple[nodes.Doc, ...],
    entries: list[BookEntry],
    id_: str,
) -> tuple[Block, ...]:
    """A variant: what it is called, what it says, and what it changes."""
    title = variant.title.value if variant.title is not None else titled(variant.name.text)
    said = doc_sentences(SentenceWriter(book, id_, f"Variant {title}"), docs)
    command = f"rulespec play {book.file} --variant {variant.name.text}"
    in_force = variant.name.text in book.variants
    note = [Paragraph(text("It is in force in this game."), "rs-note")] if in_force else []
    return (
        PageHeading(3, text(title), id_),
        *([Paragraph(said)] if said else []),
        *note,
        *tell_differences(book, entries, variant.name.text),
        how_to_play(command, id_),
    )


def tell_differences(book: Book, entries: list[BookEntry], layer: str) -> tuple[Block, ...]:
    """All that some entries change in what is below them."""
    changes = [each for each in entries if isinstance(each.node, CHANGES)]
    told_below = (nodes.Always,)
    rows = [
        row
        for each in changes
        if not isinstance(each.node, told_below)
        for row in _rows(book, each)
    ]
    told: list[Block] = []
    if rows:
        head = (text("Change"), text("Before"), text("Now"))
        told.append(PageTable(head, tuple(rows)))
    told += _curves(book, layer)
    parts = [
        each for each in changes if isinstance(each.node, nodes.Pieces | nodes.Zones | nodes.State)
    ]
    invariants = [each for each in changes if isinstance(each.node, nodes.Always)]
    options = [each for each in changes if isinstance(each.node, nodes.Option)]
    for entry in changes:
        if entry in parts:
            told += [
                each for each in tell_components(book, [entry]) if not isinstance(each, PageHeading)
            ]
        elif isinstance(entry.node, nodes.Let | nodes.Players) and not entry.docs:
            # The table has told it already.
            told.append(
                Callout(
                    "rule",
                    (
                        Formal(
                            formal_text(
                                nodes.Override(entry.node) if entry.overrides else entry.node
                            )
                        ),
                    ),
                    entry.id,
                )
            )
        elif entry not in invariants and entry not in options:
            told += tell_group(book, [entry], 4, _note(book, entry))
    if options:
        told += tell_options(book, options)
    if invariants:
        told.append(Paragraph(text("What always holds then:"), "rs-about"))
        told += tell_invariants(book, invariants)
    if any(isinstance(each.node, nodes.Ruling) for each in entries):
        told.append(Paragraph(text("Rulings on it:"), "rs-about"))
        told += tell_rulings(book, entries)
    return tuple(told)


# ---- In a table ----------------------------------------------------------------------------------


def _rows(book: Book, entry: BookEntry) -> list[tuple[Line, ...]]:
    """What changes, what it was, and what it is now."""
    node: CHANGES = entry.node
    here: Line = (Link(text(_what(book, entry)), "rulebook", entry.id),)
    match node:
        case nodes.Players():
            return [(here, _was(book, entry), text(seats(node)))]
        case nodes.Let():
            now = _let(book, node) or text("replaced" if entry.overrides else "added")
            return [(here, _was(book, entry), now)]
        case nodes.Zones(_, _, rows):
            zones = [row for row in rows if isinstance(row, nodes.Zone)]
            told = [row for row in zones if is_for_people(book.declared, row.name.text)]
            return [_zone(book, entry, row) for row in told]
        case nodes.Pieces(_, rows):
            named = [each.kind.text for each in rows if isinstance(each, nodes.Piece)]
            new = dict.fromkeys(called(book.declared, each) for each in named)
            return [(here, text(""), text(", ".join(new)))]
        case nodes.Option():
            return [(here, _was(book, entry), text(usual_value(book, node)))]
        case nodes.Hook(side, rule):
            when = "begins" if side == "before" else "ends"
            return [
                (
                    here,
                    text(""),
                    text(f"more is done when “{called(book.declared, rule.text)}” {when}"),
                )
            ]
        case nodes.Rows(_, rows):
            number = sum(isinstance(row, nodes.Row) for row in rows)
            comes = "comes" if number == 1 else "come"
            return [(here, text(""), text(f"{counted(number, 'more row')}, which {comes} first"))]
        case nodes.Enum() | nodes.State() | nodes.Table() | nodes.Rule() | nodes.Trigger():
            return [(here, _was(book, entry), text("replaced" if entry.overrides else "added"))]
        case nodes.Always() | nodes.Ranking() | nodes.Use() | nodes.First() | nodes.Teams():
            return [(here, _was(book, entry), text("replaced" if entry.overrides else "added"))]
        case _:
            assert_never(node)


def _what(book: Book, entry: BookEntry) -> str:
    name = name_of(entry.node)
    return titled(name_in_words(book, name)) if name else page_title(book, entry)


def _let(book: Book, node: nodes.Let) -> Line:
    """What a term means, if that can be said in a few words."""
    said = say_value(context_of(book.declared, book.labels, node.params), node.value)
    return text(said.removeprefix("the ")) if said and len(said) <= SHORT else ()


def base_of(book: Book, entry: BookEntry) -> BookEntry | None:
    """What an entry overrides, or adds to."""
    name = name_of(entry.node)
    kinds: tuple[type, ...] = (type(entry.node),)
    if isinstance(entry.node, nodes.Rule | nodes.Table | nodes.Let | nodes.Hook | nodes.Rows):
        kinds = (nodes.Rule, nodes.Table, nodes.Let)
    for each in book.entries:
        if each is entry:
            return None
        if name_of(each.node) == name and isinstance(each.node, kinds) and each is not entry:
            return each
    return None


def _was(book: Book, entry: BookEntry) -> Line:
    base = base_of(book, entry) if entry.overrides else None
    if base is None:
        return ()
    to: Line = (Link(text(page_title(book, base)), "rulebook", base.id),)
    if isinstance(base.node, nodes.Players):
        return text(seats(base.node))
    if isinstance(base.node, nodes.Let):
        return _let(book, base.node) or to
    if isinstance(base.node, nodes.Option):
        return text(usual_value(book, base.node))
    return to


def _zone(book: Book, entry: BookEntry, row: nodes.Zone) -> tuple[Line, ...]:
    here: Line = (Link(text(titled(called(book.declared, row.name.text))), "rulebook", entry.id),)
    was = next(
        (
            each
            for other in book.entries
            if isinstance(other.node, nodes.Zones) and other is not entry
            for each in other.node.rows
            if isinstance(each, nodes.Zone) and each.name.text == row.name.text
        ),
        None,
    )
    return (
        here,
        text(_zone_words(book, was)) if was and entry.overrides else (),
        text(_zone_words(book, row)),
    )


def _zone_words(book: Book, row: nodes.Zone) -> str:
    kinds = listed([*dict.fromkeys(plural_of(book.declared, kind.text) for kind in row.holds)])
    counts = f", counted by {counted_by_words(row)}" if counted_by_words(row) else ""
    return f"seen by {SEEN[row.viewers.who]}{counts}" + (f", for {kinds}" if row.holds else "")


def _note(book: Book, entry: BookEntry) -> Line:
    base = base_of(book, entry)
    if base is None:
        return ()
    link = Link(text(page_title(book, base)), "rulebook", base.id)
    if isinstance(entry.node, nodes.Hook):
        side = " begins." if entry.node.side == "before" else " ends."
        return (PlainText("Added when "), link, PlainText(side))
    if isinstance(entry.node, nodes.Rows):
        return (PlainText("Comes before the rows of "), link, PlainText("."))
    return (PlainText("Replaces "), link, PlainText(".")) if entry.overrides else ()


def _curves(book: Book, layer: str) -> list[Block]:
    """Curves that are not what they were."""
    told: list[Block] = []
    for (name, table), curve in book.play_data.other_curves.items():
        before = book.play_data.curves.get(table, ())
        if name == layer and curve != before and can_chart(curve):
            title = f"{titled(called(book.declared, table))}, with lines where it was otherwise"
            node = book.declared.routines[table].versions[-1].node
            axis = called(book.declared, node.params[0].name.text)
            svg = draw_curve(f"chart-{slug(layer)}-{table}", title, axis, curve, before)
            told.append(Illustration(svg, "chart"))
    return told


def changed_by(book: Book, entry: BookEntry, above: list[BookEntry]) -> Line:
    """Of an entry of a lower file, what a higher one makes of it."""
    links = [
        (Link(text(layer_title(book, each.layer)), "rulebook", each.id),)
        for each in above
        if isinstance(each.node, CHANGES) and base_of(book, each) is entry
        and (each.overrides or isinstance(each.node, nodes.Hook | nodes.Rows))
    ]  # fmt: skip
    return (PlainText("Changed by "), *join_lines(list(links)), PlainText(".")) if links else ()


def remaining(book: Book, above: list[BookEntry]) -> Iterator[BookEntry]:
    """The entries of all files without what a higher one, or a variant in force, replaces."""
    higher = [each for each in above if each.overrides]
    replaced = {id(base_of(book, each)) for each in higher}
    for entry in book.entries:
        if isinstance(entry.node, nodes.Zones | nodes.State) and not entry.overrides:
            others = [each.node for each in higher if type(each.node) is type(entry.node)]
            names = {row.name.text for each in others for row, _, _ in with_docs(each.rows)}
            kept = [
                (*d, row) for row, d, _ in with_docs(entry.node.rows) if row.name.text not in names
            ]
            if kept:
                rows: Any = tuple(each for row in kept for each in row)
                yield attrs.evolve(entry, node=attrs.evolve(entry.node, rows=rows))
        elif id(entry) not in replaced:
            yield entry


def changing_layers(above: list[BookEntry]) -> Iterator[tuple[str, list[BookEntry]]]:
    """The files above the lowest that change something, each with all that it declares."""
    for layer in dict.fromkeys(entry.layer for entry in above):
        own = [entry for entry in above if entry.layer == layer]
        if any(is_change(entry.node) for entry in own):
            yield layer, own


def is_change(node: nodes.Item) -> bool:
    """Whether a declaration changes the rules."""
    return isinstance(node, CHANGES)


def how_to_play(command: str, id_: str) -> Collapsible:
    """The command that plays it, for those who have a terminal."""
    inside: Line = (PlainText("In a terminal: "), CodeText(command))
    return Collapsible(
        "play", text("Play it on your computer"), (Paragraph(inside),), f"{id_}-play"
    )

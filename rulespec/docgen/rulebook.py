"""A game -> its rulebook: the page in the order in which a player needs it."""

from typing import Any

from rulespec.docgen.book import Book, layer_title
from rulespec.docgen.components import is_component, tell_components
from rulespec.docgen.course_of_play import course_of
from rulespec.docgen.diagrams import draw_course
from rulespec.docgen.differences import (
    changed_by,
    changing_layers,
    remaining,
    tell_differences,
    tell_variant,
)
from rulespec.docgen.entries import BookEntry, is_in_chapters, name_of, slug
from rulespec.docgen.glossary import tell_glossary
from rulespec.docgen.options_and_rulings import (
    tell_invariants,
    tell_omits,
    tell_options,
    tell_rulings,
)
from rulespec.docgen.overview import (
    authors_of,
    tell_advice,
    tell_glance,
    tell_opening,
    title_of_game,
)
from rulespec.docgen.page_elements import (
    Block,
    Blocks,
    FormalSwitch,
    Illustration,
    Link,
    PageHeading,
    Paragraph,
    PlainText,
    section,
    text,
)
from rulespec.docgen.rules import tell_chapter
from rulespec.docgen.worked_examples import examples_of, tell_examples, verdicts
from rulespec.syntax import nodes


def tell_rulebook(book: Book) -> Blocks:
    """The whole page."""
    title = title_of_game(book)
    page: list[Block] = [PageHeading(1, text(title), "top")]
    page += tell_opening(book)
    page.append(FormalSwitch())
    page += tell_glance(book)
    above = [entry for entry in book.entries if entry.layer]
    page += _overlays(book, above)
    if book.base:
        page += _elsewhere(book)
        return (*page, *_own(book, above))
    for variant, _, inner in book.own_variants:
        above += inner if variant.name.text in book.variants else []
    base = [entry for entry in remaining(book, above) if not entry.layer]
    page += section(
        "Components",
        "components",
        tell_components(book, [e for e in base if is_component(book, e.node)]),
    )
    page += _chapters(book, base, above)
    page += section("Variants", "variants", _variants(book, base))
    options = [e for e in base if isinstance(e.node, nodes.Option) or _serves_options(book, e.node)]
    page += section(
        "What you may agree on", "options", tell_options(book, options) if options else ()
    )
    page += section("Advice", "advice", tell_advice(book, book.entries))
    page += section("Rulings", "rulings", tell_rulings(book, base))
    omits = [e for e in book.entries if isinstance(e.node, nodes.Omit)]
    omits += [
        e for _, _, inner in book.own_variants for e in inner if isinstance(e.node, nodes.Omit)
    ]
    page += section("Left out", "left-out", tell_omits(book, omits) if omits else ())
    page += _examples(book)
    invariants = [
        e for e in base if isinstance(e.node, nodes.Always) or _serves_invariants(book, e.node)
    ]
    page += section(
        "What always holds", "always", tell_invariants(book, invariants) if invariants else ()
    )
    page += section("Glossary", "glossary", tell_glossary(book))
    return (*page, _clauses())


def _elsewhere(book: Book) -> list[Block]:
    """Where the rules are that stay as they were."""
    link = Link(text(f"the law of {authors_of(book)[0][0]}"), "rulebook", "top", folder=book.base)
    return [Paragraph((PlainText("Everything else is as in "), link, PlainText(".")))]


def _own(book: Book, above: list[BookEntry]) -> list[Block]:
    """What else the files say that stand on another."""
    page = section("Variants", "variants", _variants(book, above))
    page += section("Advice", "advice", tell_advice(book, above))
    omits = [e for e in above if isinstance(e.node, nodes.Omit)]
    page += section("Left out", "left-out", tell_omits(book, omits) if omits else ())
    page += _examples(book)
    return [*page, _clauses()]


def _clauses() -> Paragraph:
    where = (
        PlainText("Where each clause of the booklet is told: "),
        Link(text("the clauses"), "clauses", "clauses"),
        PlainText("."),
    )
    return Paragraph(where, "rs-note")


# ---- Parts ---------------------------------------------------------------------------------------


def _chapters(book: Book, base: list[BookEntry], above: list[BookEntry]) -> list[Block]:
    """The rules by chapter, with the course of the game as a drawing after the setup."""
    told: list[Block] = []
    entries = [e for e in base if is_in_chapters(e.node) and _is_told_here(book, e.node)]
    setup = next((e.chapter for e in entries if name_of(e.node) == "setup"), None)
    drawn = False
    for number, chapter in enumerate(book.sections.chapters):
        own = [entry for entry in entries if entry.chapter == number]
        if setup is None and own and not drawn:
            told += _course(book)
            drawn = True
        if own:
            told.append(PageHeading(2, text(chapter.title), chapter.id))
            notes = {each.id: note for each in own if (note := changed_by(book, each, above))}
            told += tell_chapter(book, own, 3, notes)
        if number == setup:
            told += _course(book)
    return told


def _is_told_here(book: Book, node: Any) -> bool:
    if isinstance(node, nodes.First):
        return False
    if isinstance(node, nodes.Enum):
        return not is_component(book, node) and not _serves_options(book, node)
    return not _serves_invariants(book, node)


def _serves_options(book: Book, node: Any) -> bool:
    """Whether an enum lists the values of an option and nothing else."""
    if not isinstance(node, nodes.Enum):
        return False
    types = [option.node.type for option in book.declared.options.values()]
    names = {each.name.text for each in types if isinstance(each, nodes.NamedType)}
    return node.name.text in names and not is_component(book, node)


def _serves_invariants(book: Book, node: Any) -> bool:
    """Whether the game could be played without a term."""
    return isinstance(node, nodes.Let) and node.name.text not in book.needed


def _course(book: Book) -> list[Block]:
    steps = course_of(book)
    if len(steps) < 2:
        return []
    svg = draw_course(steps, f"{title_of_game(book)}: the course of the game")
    return [PageHeading(2, text("A game at a glance"), "course"), Illustration(svg, "course")]


def _overlays(book: Book, above: list[BookEntry]) -> list[Block]:
    """What each file changes that stands on another."""
    told: list[Block] = []
    for layer, own in changing_layers(above):
        title = f"What is different in {layer_title(book, layer)}"
        told += section(title, f"changes-{slug(layer)}", tell_differences(book, own, layer))
    return told


def _variants(book: Book, entries: list[BookEntry]) -> list[Block]:
    told: list[Block] = []
    for variant, docs, inner in book.own_variants:
        for entry in entries:
            if entry.node is variant:
                told += tell_variant(book, variant, docs, inner, entry.id)
    return told


def _examples(book: Book) -> list[Block]:
    entries = examples_of(book)
    if not entries:
        return []
    said = Paragraph(text(verdicts(book, entries)), "rs-note")
    return section("Worked examples", "examples", (said, *tell_examples(book, entries)))

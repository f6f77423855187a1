"""A program and its play data -> a `Book`: all that the pages of one game are made from.

While pages are written, `sentences` notes here where each clause appears; `traceability` reads these notes at the end.
"""

from pathlib import PurePath
from typing import Any

from attrs import define, field, frozen

from rulespec.booklets import BookletPassage
from rulespec.checking.declarations import Declarations
from rulespec.docgen.entries import (
    BookEntry,
    Sections,
    attach_rulings,
    name_of,
    needed_names,
    read_entries,
    read_sections,
    set_chapters,
)
from rulespec.docgen.page_elements import PlainText, PlaygroundLink
from rulespec.docgen.play_data import PlayData
from rulespec.docgen.wording import Labels, labels_of, titled
from rulespec.english import sentence
from rulespec.source import Span, locate
from rulespec.syntax import nodes

CHANGE = "Change this rule"
# The places of a page that no declaration may have.
CHAPTERS = frozenset(
    (
        *("top", "content", "components", "all-pieces", "on-the-table", "kept-track-of", "course"),
        *("variants", "options", "advice", "rulings", "left-out", "examples", "always"),
        *("glossary", "game-play"),
        *("clauses", "section-others", "all-clauses"),
    )
)


@frozen
class ToldClause:
    """A clause that appears at a place of the page; `how` says as what, such as `ruling`."""

    clause: str
    how: str
    title: str
    id: str
    words: str


@define
class Book:
    """The page of one game, and all that its parts need."""

    file: str  # as it is typed
    about: str
    asked: tuple[str, ...]  # variants for which the reader has to ask
    variants: tuple[str, ...]  # all that are in force
    declared: Declarations
    play_data: PlayData
    labels: Labels
    sections: Sections
    entries: list[BookEntry]  # of the files, in order
    own_variants: list[tuple[nodes.Variant, Any, list[BookEntry]]]  # with docs and entries
    needed: set[str]
    passages: dict[str, BookletPassage] = field(factory=dict)  # what the booklet says
    has_playground: bool = False  # beside the folder of the pages
    base: str = ""  # the folder of the pages that tell what this one does not change
    tellings: list[ToldClause] = field(factory=list)

    def find(self, name: str, *kinds: type) -> BookEntry | None:
        """The entry that declares a name, the last one if it is declared anew."""
        found = [e for e in self.entries if name_of(e.node) == name and isinstance(e.node, kinds)]
        return found[-1] if found else None

    def opening(self, words: str, span: Span | None = None) -> PlaygroundLink | None:
        """Words that open this game in the playground, or the file and the line of a span; None if there is none."""
        if not self.has_playground:
            return None
        if span is None:
            return PlaygroundLink((PlainText(words),), PurePath(self.file).name)
        return PlaygroundLink(
            (PlainText(words),), PurePath(span.source.name).name, locate(span)[0].line
        )


def _chosen_below(declared: Declarations) -> list[str]:
    """The variants that a file asks for when it extends another."""
    return [
        setting.name.text
        for file in declared.files
        for item in file.items
        if isinstance(item, nodes.Extends)
        for setting in item.settings
        if setting.value is None
    ]


def open_book(
    file: str, about: str, variants: tuple[str, ...], declared: Declarations, play_data: PlayData
) -> Book:
    """The book of a program."""
    taken = set(CHAPTERS)
    entries: list[BookEntry] = []
    own: list[tuple[nodes.Variant, Any, list[BookEntry]]] = []
    for number, tree in enumerate(declared.files):
        layer = "" if number == 0 else tree.span.source.name.replace("\\", "/").rpartition("/")[2]
        for entry in read_entries(tree.items, layer, taken):
            if isinstance(entry.node, nodes.Variant):
                variant = entry.node
                inner = read_entries(variant.items, variant.name.text, taken, entry.under)
                own.append((variant, entry.docs, inner))
            entries.append(entry)
    sections = read_sections(declared)
    for each in (entries, *(inner for _, _, inner in own)):
        set_chapters(each, sections, declared)
        attach_rulings(each)
    return Book(
        file=file,
        about=sentence(about) if about else "",
        asked=variants,
        variants=(*variants, *_chosen_below(declared)),
        declared=declared,
        play_data=play_data,
        labels=labels_of(declared),
        sections=sections,
        entries=entries,
        own_variants=own,
        needed=needed_names(declared),
    )


def layer_title(book: Book, layer: str) -> str:
    """What a file or a variant is called."""
    for variant, _, _ in book.own_variants:
        if variant.name.text == layer:
            return variant.title.value if variant.title is not None else titled(layer)
    for each in book.declared.games:
        if each.node.span.source.name.replace("\\", "/").endswith(layer):
            return each.node.title.value
    return titled(layer.removesuffix(".rules"))

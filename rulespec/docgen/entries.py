"""A program -> its declarations one by one, each with its doc lines, its place on the page and its chapter.

A chapter is a section of a rulebook. Where no rulebook is declared, chapters are what happens when: setup,
the course of the game, its end, and who wins.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any, assert_never

from attrs import define, field, frozen

from rulespec.checking.declarations import Declarations, routine_parts, used_names
from rulespec.checking.layers import Docs
from rulespec.syntax import nodes

PHASES = ("Setup", "Course of the game", "End of the game", "Who wins")


@define
class BookEntry:
    """A declaration as it stands in a file or a variant.

    `docs` are the lines right above it, `under` those that hold for it. `layer` is empty for the lowest
    file, and else what its author would call it. `rulings` are the ids of those that follow it.
    """

    node: Any
    overrides: bool
    docs: Docs
    under: Docs
    layer: str
    id: str
    chapter: int = 0
    rulings: list[tuple[str, nodes.Ruling]] = field(factory=list)


@frozen
class Chapter:
    """A part of the rules."""

    title: str
    id: str


def name_of(node: nodes.Item) -> str:
    """The name that a declaration declares, or adds to."""
    match node:
        case nodes.Option(name) | nodes.Enum(name) | nodes.Table(name) | nodes.Let(name):
            return name.text
        case nodes.Rule(name) | nodes.Always(name) | nodes.Variant(name) | nodes.Mechanism(name):
            return name.text
        case nodes.Hook(_, name) | nodes.Rows(name) | nodes.Trigger(name) | nodes.Remove(_, name):
            return name.text
        case nodes.RemoveRows(name) | nodes.RemovePiece(name):
            return name.text
        case nodes.State(rule):
            return rule.text if rule is not None else ""
        case nodes.Pieces() | nodes.Zones() | nodes.Players() | nodes.Ranking() | nodes.First():
            return ""
        case nodes.Game() | nodes.Extends() | nodes.Use() | nodes.Rulebook() | nodes.Teams():
            return ""
        case nodes.Ruling() | nodes.Omit() | nodes.Example() | nodes.Blurb():
            return ""
        case _:
            assert_never(node)


def is_in_chapters(node: nodes.Item) -> bool:
    """Whether a declaration is told in a chapter, and not in a part of the page of its own."""
    match node:
        case nodes.Rule() | nodes.Table() | nodes.Let() | nodes.Trigger() | nodes.Hook():
            return True
        case nodes.Rows() | nodes.Use() | nodes.Ranking() | nodes.Enum() | nodes.First():
            return True
        case nodes.Remove(what):
            return what in ("rule", "table", "let", "when", "enum")
        case nodes.Teams() | nodes.RemoveRows():
            return True
        case nodes.RemovePiece():
            return False
        case nodes.Pieces() | nodes.Zones() | nodes.State() | nodes.Players() | nodes.Option():
            return False
        case nodes.Always() | nodes.Ruling() | nodes.Omit() | nodes.Example():
            return False
        case nodes.Game() | nodes.Extends() | nodes.Mechanism() | nodes.Rulebook():
            return False
        case nodes.Variant() | nodes.Blurb():
            return False
        case _:
            assert_never(node)


def with_docs(items: tuple[Any, ...]) -> Iterator[tuple[Any, Docs, Docs]]:
    """Declarations, rows or statements, each with the doc lines right above it, and with those it is under."""
    docs: Docs = ()
    fresh: Docs = ()
    for item in items:
        if isinstance(item, nodes.Doc):
            fresh = (*fresh, item)
            docs = fresh
        else:
            yield item, fresh, docs
            fresh = ()


# ---- Collecting ----------------------------------------------------------------------------------


def read_entries(
    items: tuple[Any, ...], layer: str, taken: set[str], start: Docs = ()
) -> list[BookEntry]:
    """The declarations of a file or a variant; doc lines above a variant hold for its beginning."""
    entries: list[BookEntry] = []
    for item, docs, under in with_docs(items):
        overrides = isinstance(item, nodes.Override)
        node = item.declaration if overrides else item
        entry = BookEntry(
            node, overrides, docs, under or start, layer, _fresh_id(node, layer, taken)
        )
        entries.append(entry)
    return entries


def _fresh_id(node: nodes.Item, layer: str, taken: set[str]) -> str:
    kind = type(node).__name__.lower()
    if isinstance(node, nodes.Rule | nodes.Table | nodes.Let):
        kind = "rule"
    if isinstance(node, nodes.Hook):
        kind = node.side
    name = name_of(node)
    stem = "-".join(part for part in (layer.removesuffix(".rules"), kind, name) if part)
    stem = slug(stem)
    found, number = stem, 1
    while found in taken:
        number += 1
        found = f"{stem}-{number}"
    taken.add(found)
    return found


def slug(name: str) -> str:
    """A name as part of an address.

    >>> slug("Our game (2)")
    'Our-game--2-'
    """
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in name)


# ---- Chapters ------------------------------------------------------------------------------------


@frozen
class Sections:
    """The sections of all rulebooks, by clause."""

    chapters: tuple[Chapter, ...]
    of_clause: dict[str, int]
    of_rulings: frozenset[int] = frozenset()  # those that nobody would read the rules by


def read_sections(declared: Declarations) -> Sections:
    """The chapters of a game."""
    sections = [each for book in declared.rulebooks for each in book.node.sections]
    if not sections:
        phases = tuple(Chapter(title, f"chapter-{n}") for n, title in enumerate(PHASES, 1))
        return Sections(phases, {})
    chapters = tuple(
        Chapter(each.title.value, f"chapter-{number}") for number, each in enumerate(sections, 1)
    )
    of_clause = {
        clause: number
        for number, each in enumerate(sections)
        for clause in cited_clauses((each.clauses,))
    }
    ruled = {c for ruling in declared.rulings for c in cited_clauses(ruling.node.cites)}
    of_rulings = frozenset(
        number
        for number, each in enumerate(sections)
        if _mostly(cited_clauses((each.clauses,)), ruled)
    )
    return Sections(chapters, of_clause, of_rulings)


def _mostly(clauses: list[str], ruled: set[str]) -> bool:
    return 2 * sum(clause in ruled for clause in clauses) > len(clauses)


def cited_clauses(cites: tuple[nodes.Cite, ...]) -> list[str]:
    """The clauses that are cited, one by one.

    >>> cited_clauses((nodes.Cite("S-30", "S-32"), nodes.Cite("S-A7", None)))
    ['S-30', 'S-31', 'S-32', 'S-A07']
    """
    return list(
        dict.fromkeys(
            name for cite in cites for name in expand_range(cite.first, cite.last or cite.first)
        )
    )


def expand_range(first: str, last: str) -> list[str]:
    """All clauses of a range; a number has two digits at least."""
    stem = first.rstrip("0123456789")
    low, high = int(first[len(stem) :][:9]), int(last[len(last.rstrip("0123456789")) :][:9])
    return [f"{stem}{number:02}" for number in range(low, min(high, low + 1_000) + 1)]


def set_chapters(entries: list[BookEntry], sections: Sections, declared: Declarations) -> None:
    """Put every entry into the chapter of its first clause, or else into that of the entry before it."""
    before = 0
    phases = {} if sections.of_clause else _phases(declared)
    for entry in entries:
        cites = tuple(cite for doc in entry.under for cite in doc.cites)
        if isinstance(entry.node, nodes.First):
            cites = entry.node.cites
        found = [
            chapter
            for clause in cited_clauses(cites)
            if (chapter := sections.of_clause.get(clause)) is not None
            and chapter not in sections.of_rulings
        ]
        if phases:
            before = phases.get(name_of(entry.node), _phase(entry.node, before))
        elif found:
            # What belongs to several chapters goes on where its author was, if it can.
            before = next((chapter for chapter in found if chapter >= before), found[0])
        entry.chapter = before


NOTES = (nodes.Ruling, nodes.Omit, nodes.Always, nodes.Example, nodes.Blurb)
MINOR = (*NOTES, nodes.Let, nodes.Trigger, nodes.Enum, nodes.Use)


def attach_rulings(entries: list[BookEntry]) -> None:
    """Give each ruling to what it follows: a rule of the same chapter, or else whatever there is."""
    for place, entry in enumerate(entries):
        before = [each for each in reversed(entries[:place]) if not isinstance(each.node, NOTES)]
        if isinstance(entry.node, nodes.Ruling) and before:
            _nearest(before).rulings.append((entry.id, entry.node))


def _nearest(before: list[BookEntry]) -> BookEntry:
    chapter = before[0].chapter
    beside = takewhile(lambda each: each.chapter == chapter, before)
    return next((each for each in beside if not isinstance(each.node, MINOR)), before[0])


def _phase(node: nodes.Item, before: int) -> int:
    return (
        3 if isinstance(node, nodes.Ranking) else 2 if isinstance(node, nodes.Trigger) else before
    )


def _phases(declared: Declarations) -> dict[str, int]:
    """Of every routine the first phase of the game that needs it."""
    found: dict[str, int] = {}
    for phase, roots in enumerate((["setup"], ["play"], ["finish", *declared.triggers], [])):
        waiting = [*roots]
        if phase == 3 and declared.ranking is not None:
            waiting = [name.text for name in used_names(declared.ranking.node)]
        while waiting:
            name = waiting.pop()
            routine = declared.routines.get(name)
            if routine is None or name in found:
                continue
            found[name] = phase
            parts = routine_parts(routine)
            waiting += [used.text for part in parts for used in used_names(part.node)]
    return found


def needed_names(declared: Declarations) -> set[str]:
    """All names that the game itself uses, and not only what always holds or an example."""
    found: set[str] = set()
    waiting: list[Any] = [
        *(each.node for versions in declared.triggers.values() for each in versions),
        *(each.node for each in declared.options.values()),
        *(each.node for rows in declared.kinds.values() for each in rows),
        *(each.node.node for each in declared.variables.values()),
        *(each.node for each in (declared.ranking,) if each is not None),
        *(nodes.Name(name) for name in ("setup", "play", "finish", *declared.triggers)),
    ]
    while waiting:
        for used in used_names(waiting.pop()):
            if used.text in found:
                continue
            found.add(used.text)
            routine = declared.routines.get(used.text)
            if routine is not None:
                parts = routine_parts(routine)
                waiting += [part.node for part in parts]
    return found

"""A program -> what its text says: the sentences above each declaration, its source text, its clauses.

Places are spans. The text of a mechanism counts as part of the game.
"""

import re
from collections.abc import Iterator
from typing import Any

from attrs import define, field, frozen

from rulespec.checking.citations import coverage
from rulespec.checking.declarations import child_fields, walk
from rulespec.checking.program import Program
from rulespec.english import BROKEN, join_broken, sentence
from rulespec.source import Span, line_of, locate
from rulespec.syntax import nodes

Place = tuple[str, int]


@frozen
class DocNote:
    """The doc lines above something."""

    sentence: str | None
    cites: tuple[str, ...]


@frozen
class Clause:
    """A clause of a rulebook: its section, and what the rules say about it."""

    name: str
    section: str
    texts: tuple[str, ...]


@define
class Booklet:
    """Everything that can be looked up in a program."""

    notes: dict[Place, DocNote] = field(factory=dict)
    choices: dict[Place, nodes.Choice] = field(factory=dict)
    rows: dict[Place, tuple[str, nodes.Row]] = field(
        factory=dict
    )  # of all tables, with their names
    assigns: list[nodes.Assign] = field(factory=list)
    clauses: dict[str, Clause] = field(factory=dict)


def open_booklet(program: Program) -> Booklet:
    """Read a program once."""
    booklet = Booklet()
    declared = program.declared
    trees: list[Any] = [*declared.files]
    for routine in declared.routines.values():
        parts = (*routine.versions, *routine.before, *routine.after, *routine.rows)
        trees += [part.node for part in parts]
    for tree in trees:
        for node in walk(tree):
            _read(booklet, node)
    for section in coverage(declared).sections:
        for clause in section.clauses:
            texts = dict.fromkeys(
                mention.text
                for mention in clause.mentions
                # `always` conditions are for authors of rules, not for players.
                if mention.text
                and mention.kind in ("doc", "first", "ruling", "omit")
                and not mention.thing.startswith("always")
            )
            booklet.clauses[clause.name] = Clause(clause.name, section.title, tuple(texts))
    return booklet


def _read(booklet: Booklet, node: Any) -> None:
    if isinstance(node, nodes.Choice):
        booklet.choices[_place(node.span)] = node
    if isinstance(node, nodes.Assign):
        booklet.assigns.append(node)
    if isinstance(node, nodes.Table | nodes.Rows):
        name = node.name if isinstance(node, nodes.Table) else node.table
        for row in node.rows:
            if isinstance(row, nodes.Row):
                booklet.rows[_place(row.span)] = name.text, row
    for part in child_fields(type(node)) or ():
        value = getattr(node, part)
        if isinstance(value, tuple) and any(isinstance(each, nodes.Doc) for each in value):
            _annotate(booklet, value)


def _annotate(booklet: Booklet, items: tuple[Any, ...]) -> None:
    """Attach each doc line to everything that follows it, up to the next doc line."""
    docs: list[nodes.Doc] = []
    after_doc = False
    for item in items:
        if isinstance(item, nodes.Doc):
            docs = [*docs, item] if after_doc else [item]
        elif docs:
            told = [doc.text.value for doc in docs if doc.text is not None]
            cites = tuple(dict.fromkeys(_cite(cite) for doc in docs for cite in doc.cites))
            note = DocNote(" ".join(told) or None, cites)
            inner = item.declaration if isinstance(item, nodes.Override) else item
            for place in (_place(item.span), _place(inner.span)):
                booklet.notes[place] = note
            # A note above a table of zones or pieces applies to each row without its own note.
            for row in getattr(inner, "rows", ()):
                booklet.notes.setdefault(_place(row.span), note)
        after_doc = isinstance(item, nodes.Doc)


def _cite(cite: nodes.Cite) -> str:
    return cite.first if cite.last is None else f"{cite.first}..{cite.last}"


def _place(span: Span) -> Place:
    return span.source.name, span.start


def find_choice(booklet: Booklet, span: Span) -> nodes.Choice | None:
    """The statement that asks a question."""
    return booklet.choices.get(_place(span))


def note_on(booklet: Booklet, span: Span) -> DocNote:
    """The doc lines above the text at a span."""
    return booklet.notes.get(_place(span), DocNote(None, ()))


# ---- Clauses -------------------------------------------------------------------------------------

_CLAUSE = re.compile(r"([A-Z]+-[A-Z]?)(\d+)")


def clauses_of(booklet: Booklet, cites: tuple[str, ...]) -> list[Clause]:
    """The cited clauses, one by one."""
    known = booklet.clauses
    names = dict.fromkeys(name for cite in cites for name in _expand(cite))
    return [known.get(name, Clause(name, "", ())) for name in names]


def _expand(cite: str) -> Iterator[str]:
    """`S-30..S-32` as its three clauses.

    >>> list(_expand("S-30..S-32"))
    ['S-30', 'S-31', 'S-32']
    """
    first, _, last = cite.partition("..")
    low, high = _CLAUSE.fullmatch(first), _CLAUSE.fullmatch(last or first)
    if low is None or high is None:
        yield cite
        return
    for number in range(int(low[2]), int(high[2]) + 1):
        yield f"{low[1]}{number:0{len(low[2])}}"


# ---- Words ---------------------------------------------------------------------------------------


def source_text(span: Span) -> str:
    """The source text at a span, without its indentation."""
    start, _ = locate(span)
    margin = len(line_of(span.source, start.line)) - len(line_of(span.source, start.line).lstrip())
    lines = span.source.text[span.start : span.end].rstrip().split("\n")
    return "\n".join([lines[0], *(_dedent(line, margin) for line in lines[1:])])


def _dedent(line: str, margin: int) -> str:
    blanks = len(line) - len(line.lstrip())
    return line[min(margin, blanks) :]


# ---- Rows of tables ------------------------------------------------------------------------------


def rows_about(booklet: Booklet, names: set[str]) -> Iterator[str]:
    """The sentences above rows of tables whose keys are among these names."""
    shared = _shared_sentences(booklet)
    for place, (table, row) in booklet.rows.items():
        note = booklet.notes.get(place)
        if note is None or note.sentence is None or BROKEN in note.sentence:
            continue
        keyed = {
            pattern.first.text
            for key in row.keys
            for pattern in key.patterns
            if isinstance(pattern, nodes.KeyName)
            and pattern.last is None
            and isinstance(pattern.first, nodes.Name)
        }
        if keyed & names and (table, note.sentence) not in shared:
            yield said_of_row(booklet, row)


def said_of_row(booklet: Booklet, row: nodes.Row) -> str:
    """The sentences above a row, and above the statements in it."""
    notes = (note_on(booklet, each.span).sentence for each in walk(row))
    said = join_broken(each for each in notes if each is not None)
    return " ".join(sentence(each) for each in said if BROKEN not in each)


def _shared_sentences(booklet: Booklet) -> set[tuple[str, str]]:
    """Sentences that several rows of a table share: these do not describe a single card."""
    once: set[tuple[str, str]] = set()
    twice: set[tuple[str, str]] = set()
    for place, (table, _) in booklet.rows.items():
        note = booklet.notes.get(place)
        if note is not None and note.sentence is not None:
            key = table, note.sentence
            (twice if key in once else once).add(key)
    return twice

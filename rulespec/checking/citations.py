"""Declarations -> which clauses of the rulebooks they cite, which they forget, and how many are covered.

Implements docs/language/2-heading.md, "Doc line". The files count, not the merged program: a rule in a
variant that nobody has chosen cites its clause as well.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, assert_never

from attrs import frozen

from rulespec import codes
from rulespec.checking.declarations import (
    Declarations,
    Declared,
    child_fields,
    routine_parts,
    used_names,
    walk,
)
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import Source, Span
from rulespec.syntax import nodes

# Not in the language:
LONGEST_RANGE = 1_000  # clauses
MOST_DIGITS = 9  # of the number of a clause; further digits are ignored

MentionKind = Literal["section", "doc", "first", "ruling", "omit", "advice", "example"]
Status = Literal["cited", "ruled", "omitted", "missing"]
Key = tuple[str, str, int]  # `S-A07` is ("S", "A", 7)


@frozen
class ClauseMention:
    """A place where a file names a clause, or a range of them; `thing` is what it documents."""

    kind: MentionKind
    first: str
    last: str | None
    span: Span
    variant: str = ""
    thing: str = ""
    text: str = ""
    keys: tuple[Key, ...] = ()


@frozen
class CitingFile:
    """A file of the program, and all mentions in it."""

    source: Source
    mentions: tuple[ClauseMention, ...]


@frozen
class Clause:
    """A clause of a rulebook, its status, and where files mention it."""

    name: str
    status: Status
    mentions: tuple[ClauseMention, ...]
    reason: str | None = None


@frozen
class SectionCoverage:
    """A section of a rulebook with its clauses in order."""

    title: str
    place: Span
    clauses: tuple[Clause, ...]


@frozen
class Coverage:
    """All sections of all rulebooks of a program, and the number of clauses with each status."""

    sections: tuple[SectionCoverage, ...]
    cited: int
    ruled: int
    omitted: int
    missing: int


# ---- Mentions ------------------------------------------------------------------------------------

HEADED: dict[type, MentionKind] = {
    nodes.First: "first",
    nodes.Ruling: "ruling",
    nodes.Omit: "omit",
    nodes.Advice: "advice",
    nodes.Example: "example",
}


def _texts(program: Declarations) -> list[CitingFile]:
    """The files of a program, the lowest one first; mechanisms cite nothing."""
    return [
        CitingFile(file.span.source, tuple(_in_block(file.items, "", ""))) for file in program.files
    ]


def _in_block(items: tuple[Any, ...], variant: str, thing: str) -> Iterator[ClauseMention]:
    """The clauses in a list of declarations, rows or statements; a doc line documents the next item."""
    docs: list[nodes.Doc] = []
    for item in items:
        if isinstance(item, nodes.Doc):
            docs.append(item)
            continue
        title = thing or _title(item)
        for doc in docs:
            yield from _each("doc", doc.cites, doc.text, variant, title)
        docs = []
        yield from _inside(item, variant, title)


def _inside(node: Any, variant: str, thing: str) -> Iterator[ClauseMention]:
    """The clauses inside of a declaration, a row or a statement."""
    match node:
        case nodes.Override(declaration):
            yield from _inside(declaration, variant, thing)
        case nodes.Variant(name, _, items):
            yield from _in_block(items, name.text, "")
        case nodes.Rulebook(_, sections):
            for section in sections:
                yield from _each("section", (section.clauses,), section.title, variant, thing)
        case (
            nodes.First(cites, text)
            | nodes.Ruling(cites, text)
            | nodes.Omit(cites, text)
            | nodes.Advice(cites, text)
        ):
            yield from _each(HEADED[type(node)], cites, text, variant, "")
        case nodes.Example(cites, title):
            yield from _each("example", cites, title, variant, "")
        case _ if not isinstance(node, nodes.Expr):
            # Any other node may contain doc lines.
            for part in child_fields(type(node)):
                value = getattr(node, part)
                if isinstance(value, tuple):
                    yield from _in_block(value, variant, thing)
                else:
                    yield from _inside(value, variant, thing)


def _each(
    kind: MentionKind,
    cites: tuple[nodes.Cite, ...],
    text: nodes.Text | None,
    variant: str,
    thing: str,
) -> Iterator[ClauseMention]:
    for cite in cites:
        told = text.value if text is not None else ""
        keys = tuple(cited_keys(cite))
        yield ClauseMention(kind, cite.first, cite.last, cite.span, variant, thing, told, keys)


def _title(item: nodes.Override | nodes.Item) -> str:
    """What a declaration is called."""
    word = type(item).__name__.lower()
    match item:
        case nodes.Override(declaration):
            return _title(declaration)
        case nodes.Trigger(name):
            return f"when `{name.text}`"
        case nodes.Hook(side, name):
            return f"`{side} {name.text}`"
        case nodes.Rows(name):
            return f"rows `{name.text}`"
        case nodes.Remove(what, name):
            return f"`remove {what} {name.text}`"
        case nodes.RemoveRows(name):
            return f"`remove rows {name.text}`"
        case nodes.RemovePiece(name):
            return f"`remove pieces {name.text}(…)`"
        case nodes.Option() | nodes.Enum() | nodes.Table() | nodes.Let() | nodes.Rule():
            return f"{word} `{item.name.text}`"
        case nodes.Always() | nodes.Variant() | nodes.Mechanism():
            return f"{word} `{item.name.text}`"
        case nodes.Game() | nodes.Extends() | nodes.Use() | nodes.Players() | nodes.First():
            return f"`{word}`"
        case nodes.Rulebook() | nodes.Ruling() | nodes.Omit() | nodes.Example() | nodes.Blurb():
            return f"`{word}`"
        case nodes.Pieces() | nodes.Zones() | nodes.State() | nodes.Ranking() | nodes.Teams():
            return f"`{word}`"
        case _:
            assert_never(item)


# ---- Clauses -------------------------------------------------------------------------------------

_PARTS = re.compile(r"([A-Z]+)-([A-Z]?)(\d+)")


def _key(name: str) -> Key:
    found = _PARTS.fullmatch(name)
    assert found is not None  # noqa: S101 - the scanner takes no others
    return found[1], found[2], int(found[3][:MOST_DIGITS])


def cited_keys(cite: nodes.Cite) -> list[Key]:
    """The clauses of a range; none if the range is not valid."""
    first = prefix, letter, low = _key(cite.first)
    last = first if cite.last is None else _key(cite.last)
    if last[:2] != (prefix, letter) or not low <= last[2] < low + LONGEST_RANGE:
        return []
    return [(prefix, letter, number) for number in range(low, last[2] + 1)]


def _spell(keys: list[Key]) -> str:
    """Clauses as text, with consecutive ones as ranges: `S-03`, `S-05..S-07`."""
    told: list[str] = []
    start = 0
    for position, (prefix, letter, number) in enumerate(keys, 1):
        follower = (prefix, letter, number + 1)
        if position < len(keys) and keys[position] == follower:
            continue
        first, last = _name(keys[start]), _name(keys[position - 1])
        told.append(f"`{first}`" if first == last else f"`{first}..{last}`")
        start = position
    return ", ".join(told)


def _name(key: Key) -> str:
    return f"{key[0]}-{key[1]}{key[2]:02}"


def check_citations(program: Declarations) -> Iterator[Diagnostic]:
    """Report clauses that no rulebook declares, declared clauses that nobody cites, and rules that cite none."""
    texts = _texts(program)
    declared: dict[Key, ClauseMention] = {}
    unknown: list[Diagnostic] = []
    for text in texts:
        for section in text.mentions:
            if section.kind == "section":
                unknown += _check_range(section)
                yield from _declare(declared, section)
        known_badly = bool(unknown)  # then nobody can say whether a cited clause exists
        for mention in text.mentions:
            if mention.kind != "section" and not known_badly:
                unknown += _check_mention(declared, mention)
        yield from _check_omitted(text)
    yield from unknown
    if texts and not unknown:  # a misspelt clause would also count as not cited
        yield from _check_cited(texts[-1])
    yield from _check_documented(program, texts)


def _declare(declared: dict[Key, ClauseMention], section: ClauseMention) -> Iterator[Diagnostic]:
    keys = section.keys
    twice = [key for key in keys if key in declared]
    if twice:
        message = f"{_spell(twice)} {'is' if len(twice) == 1 else 'are'} declared twice"
        related = (Related("the other section", declared[twice[0]].span),)
        yield Diagnostic(codes.CLAUSE_TWICE, message, section.span, related)
    for key in keys:
        declared.setdefault(key, section)


def _check_range(mention: ClauseMention) -> Iterator[Diagnostic]:
    if mention.last is None or mention.keys:
        return
    written = f"{mention.first}..{mention.last}"
    first, last = _key(mention.first), _key(mention.last)
    hint = None
    if first[:2] != last[:2]:
        message = f"the range `{written}` begins with one kind of clause and ends with another"
        hint = f"write `@{mention.first} @{mention.last}`"
    elif first > last:
        message = f"the range `{written}` goes backwards"
        hint = f"write `@{mention.last}..{mention.first}`"
    else:
        message = f"the range `{written}` is longer than {LONGEST_RANGE:,} clauses"
    yield Diagnostic(codes.UNKNOWN_CLAUSE, message, mention.span, hint=hint)


def _check_mention(
    declared: dict[Key, ClauseMention], mention: ClauseMention
) -> Iterator[Diagnostic]:
    yield from _check_range(mention)
    unknown = [key for key in mention.keys if key not in declared]
    if not unknown or not declared:
        return
    message = f"no rulebook declares the clause{'s' if unknown[1:] else ''} {_spell(unknown)}"
    kind = unknown[0][:2]
    near = sorted(key for key in declared if key[:2] == kind)
    hint = None
    if near:
        hint = f"cite one of {_spell(near)}, or add `@{_name(unknown[0])}` to the rulebook"
    place = declared[near[-1] if near else next(iter(declared))].span
    related = (Related("the clauses that there are", place),)
    yield Diagnostic(codes.UNKNOWN_CLAUSE, message, mention.span, related, hint)


def _check_omitted(text: CitingFile) -> Iterator[Diagnostic]:
    """Report clauses that a layer both cites and omits; a variant may omit what the game cites."""
    cited: dict[tuple[str, Key], ClauseMention] = {}
    for mention in text.mentions:
        if mention.kind in ("doc", "first", "ruling", "advice"):
            for key in mention.keys:
                cited.setdefault((mention.variant, key), mention)
    for mention in text.mentions:
        both = [key for key in mention.keys if (mention.variant, key) in cited]
        if mention.kind == "omit" and both:
            place = cited[mention.variant, both[0]]
            message = f"{_spell(both)} {'is' if len(both) == 1 else 'are'} omitted here, but cited by {place.thing or 'a ruling'}"
            related = tuple(
                Related(f"{_name(key)} is cited", cited[mention.variant, key].span) for key in both
            )
            hint = "delete one of the two"
            yield Diagnostic(codes.CITED_AND_OMITTED, message, mention.span, related, hint)


def _check_cited(text: CitingFile) -> Iterator[Diagnostic]:
    """Report the clauses that a file declares itself and nobody cites."""
    covered = {
        key
        for mention in text.mentions
        if mention.kind not in ("section", "example")
        for key in mention.keys
    }
    for section in text.mentions:
        missing = [key for key in section.keys if key not in covered]
        if section.kind != "section" or not missing:
            continue
        several = len(missing) > 1
        message = f"nothing cites {_spell(missing)} of the section “{section.text}”"
        hint = f'write `@{_name(missing[0])}` before the rule that says it, or `omit @{_name(missing[0])} "why"`'
        if several:
            message += f", {len(missing)} of {len(section.keys)} clauses"
        yield Diagnostic(codes.UNCITED_CLAUSE, message, section.span, hint=hint)


# ---- Rules without a clause ----------------------------------------------------------------------

_BETWEEN = re.compile(r'(?:@[A-Z.\d-]+|"[^"]*"|--[^\n]*|\s|override)*')


def _check_documented(program: Declarations, texts: list[CitingFile]) -> Iterator[Diagnostic]:
    """Report rules and tables that cite no clause and that nothing with a clause calls."""
    asked = {
        text.source.name for text in texts if any(each.kind == "section" for each in text.mentions)
    }
    if not asked:
        return
    explained = _explained(program)
    for routine in program.routines.values():
        for version in routine.versions:
            node = version.node
            if (
                routine.name not in explained
                and version.layer.origin != "mechanism"
                and not isinstance(node, nodes.Let)
                and node.span.source.name in asked
            ):
                what = "rule" if routine.kind == "procedure" else "table"
                message = f"the {what} `{routine.name}` cites no clause, and neither does anything that calls it"
                hint = "write its clause before it: `@` and the clause, and what it says"
                yield Diagnostic(
                    codes.UNDOCUMENTED, message, node.name.span, hint=hint, severity="warning"
                )


def _explained(program: Declarations) -> set[str]:
    """The routines that cite a clause, and all routines that these, or the components, call.

    A `let` or a mechanism takes over the clause of its caller; another rule must cite its own.
    """
    explained: set[str] = set()
    waiting: list[Any] = [row.node for rows in program.kinds.values() for row in rows]
    waiting += [each.node for each in program.options.values()]
    waiting += [each.node.node for each in program.variables.values()]
    waiting += [each.node for each in program.invariants.values()]
    waiting += [each.node.body for versions in program.triggers.values() for each in versions]
    waiting += [nodes.Name(name) for name in program.triggers]
    if program.ranking is not None:
        waiting.append(program.ranking.node)
    for routine in program.routines.values():
        if any(_cites(each) for each in routine_parts(routine)):
            explained.add(routine.name)
            waiting += [each.node for each in routine_parts(routine)]
    while waiting:
        for name in used_names(waiting.pop()):
            called = program.routines.get(name.text)
            if called is not None and called.name not in explained:
                explained.add(called.name)
                first = called.versions[0]
                if isinstance(first.node, nodes.Let) or first.layer.origin == "mechanism":
                    waiting += [each.node for each in routine_parts(called)]
    return explained


def _cites(declared: "Declared[Any]") -> bool:
    return _stands_behind(declared) or any(
        isinstance(each, nodes.Doc) for each in walk(declared.node)
    )


def _stands_behind(declared: Declared[Any]) -> bool:
    """Whether a doc line stands directly before a declaration, and not only before one above it."""
    if not declared.docs:
        return False
    doc, node = declared.docs[-1].span, declared.node.span
    between = node.source.text[doc.end : node.start]
    return doc.source == node.source and _BETWEEN.fullmatch(between) is not None


# ---- Coverage ------------------------------------------------------------------------------------


def coverage(program: Declarations) -> Coverage:
    """The status of every clause of every rulebook."""
    mentions = [each for text in _texts(program) for each in text.mentions]
    by_key: dict[Key, list[ClauseMention]] = {}
    for mention in mentions:
        if mention.kind != "section":
            for key in mention.keys:
                by_key.setdefault(key, []).append(mention)
    sections = tuple(
        SectionCoverage(
            section.text,
            section.span,
            tuple(_clause(key, by_key.get(key, [])) for key in section.keys),
        )
        for section in mentions
        if section.kind == "section"
    )
    count = Counter(clause.status for section in sections for clause in section.clauses)
    return Coverage(sections, count["cited"], count["ruled"], count["omitted"], count["missing"])


def _clause(key: Key, mentions: list[ClauseMention]) -> Clause:
    ways = {each.kind for each in mentions}
    status: Status = "missing"
    if ways & {"doc", "first", "advice"}:
        status = "cited"
    elif "ruling" in ways:
        status = "ruled"
    elif "omit" in ways:
        status = "omitted"
    reason = next((each.text for each in mentions if each.kind == "omit"), None)
    return Clause(_name(key), status, tuple(mentions), reason)

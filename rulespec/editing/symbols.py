"""An offset in a text -> what the name there means, where it is declared, and where it is used.

Names of declarations mean the same in a file, in the files that it extends, and in the mechanisms that it uses;
names of parameters, loops and players only in their declaration.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import frozen

from rulespec import loading
from rulespec.checking.citations import cited_keys
from rulespec.checking.layers import stack_layers
from rulespec.editing.blocks import DeclarationBlock, blocks_of, shift_span
from rulespec.editing.mentions import Mention, Role, mentions_in
from rulespec.source import Source, Span, text_of
from rulespec.syntax import nodes

MOST_FILES = 200  # of a folder that are looked into for files that build on this one

_BUILDS_ON = re.compile(r'^(?:extends +"([^"\n]+)"|(?:override +)?use +(.+))', re.MULTILINE)


GIVING: frozenset[Role] = frozenset({"declares", "declares member"})  # a name to all files
Roles: TypeAlias = dict[str, set[Role]]


@frozen(eq=False)
class File:
    """A file with its text as it is now, and its declarations."""

    path: Path
    source: Source
    blocks: tuple[DeclarationBlock, ...]


@frozen
class Symbol:
    """What a name means; a local one only in one declaration of one block."""

    text: str
    kind: Literal["name", "attribute", "local", "clause", "file"]
    block: DeclarationBlock | None = None
    item: int = 0


@frozen
class Occurrence:
    """A place in a file."""

    path: Path
    span: Span
    declares: bool


def open_file(path: Path, texts: Mapping[Path, str]) -> File:
    """A file as it is being written, or else as it lies on the disk."""
    text = texts.get(path)
    name = loading.shown_name(path)
    source = (
        Source(name, text) if text is not None else loading.decode(name, loading.read_bytes(path))
    )
    return File(path, source, blocks_of(source.name, source.text))


def files_below(file: File, texts: Mapping[Path, str]) -> list[File]:
    """A file, what it extends, and the mechanisms that all of them use."""
    headings = [
        text_of(item.span)
        for block in file.blocks
        if block.parsed.mended is not None
        for item in block.parsed.mended.items
        if isinstance(item, nodes.Extends | nodes.Use)
    ]
    heading = "".join(f"{line}\n" for line in dict.fromkeys(headings))
    with loading.recorded_reads() as notes:
        stack_layers(file.path, Source(file.source.name, heading))
    below = [Path(note.real) for note in notes.values() if note.digest]
    return [file, *(open_file(path, texts) for path in dict.fromkeys(below) if path != file.path)]


def files_around(file: File, texts: Mapping[Path, str]) -> list[File]:
    """The files below, and those in the same folder, or in one below it, that build on one of them."""
    family = {each.path: each for each in files_below(file, texts)}
    folder = file.path.parent
    own = {path for path in family if path.is_relative_to(folder)}
    builds_on = {
        path: _named_in(path, texts)
        for path in dict.fromkeys((*texts, *sorted(folder.rglob("*.rules"))[:MOST_FILES]))
        if path.is_relative_to(folder)
    }
    waiting = [*own]
    while waiting:
        name = waiting.pop().name
        for path, names in builds_on.items():
            if name in names and path not in family:
                waiting.append(path)
                for each in files_below(open_file(path, texts), texts):
                    # This file stays the one that was asked about.
                    family.setdefault(each.path, each)
    return [*family.values()]


def _named_in(path: Path, texts: Mapping[Path, str]) -> set[str]:
    """The names of the files that a file builds on."""
    try:
        text = texts.get(path) or loading.read_bytes(path).decode(errors="replace")
    except loading.NotFound:
        return set()
    return {
        Path(name).name if name else f"{word}.rules"
        for name, words in _BUILDS_ON.findall(text)
        for word in re.findall(r"\w+", words) or [""]
    }


def mention_at(file: File, offset: int) -> tuple[DeclarationBlock, Mention] | None:
    """The name at a place, or one that ends there."""
    for block in file.blocks:
        if block.begin <= offset <= block.end:
            for mention in mentions_in(block):
                if mention.span.start <= offset - block.begin <= mention.span.end:
                    return block, mention
    return None


def roles_in(family: Iterable[File]) -> Roles:
    """In which roles a name stands in some files."""
    roles: Roles = {}
    for file in family:
        for block in file.blocks:
            for mention in mentions_in(block):
                roles.setdefault(mention.text, set()).add(mention.role)
    return roles


def symbol_of(block: DeclarationBlock, mention: Mention, known: Roles) -> Symbol:
    """What a name means among files in which names have these roles."""
    text = mention.text
    if mention.role in ("clause", "file"):
        return Symbol(text, "clause" if mention.role == "clause" else "file")
    declared = known.get(text, set())
    of_member = mention.role == "declares output" and "declares member" in declared
    if mention.role in ("declares attribute", "declares output", "asks attribute"):
        return Symbol(text, "name" if of_member else "attribute")
    local = Symbol(text, "local", block, mention.item)
    own = [each for each in mentions_in(block) if each.item == mention.item and each.text == text]
    roles = {each.role for each in own}
    if mention.role not in GIVING and "binds" in roles:
        return local
    if not GIVING.isdisjoint(declared):
        return Symbol(text, "name")
    if "assigns" in roles:
        return local
    is_attribute = not declared.isdisjoint(("declares attribute", "declares output"))
    return Symbol(text, "attribute" if is_attribute else "name")


def occurrences_of(symbol: Symbol, family: list[File]) -> Iterator[Occurrence]:
    """All occurrences of a symbol, file by file."""
    known = roles_in(family)
    for file in family:
        for block in file.blocks:
            if symbol.block is not None and block is not symbol.block:
                continue
            for mention in mentions_in(block):
                if mention.text == symbol.text and symbol_of(block, mention, known) == symbol:
                    # A column that is named like a member is there for it, and declares nothing.
                    is_column = symbol.kind == "name" and mention.role == "declares output"
                    declares = mention.role.startswith(("declares", "binds")) and not is_column
                    first = symbol.kind == "local" and mention.role == "assigns"
                    span = shift_span(mention.span, file.source, block.begin)
                    yield Occurrence(file.path, span, declares or first)


def definitions_of(symbol: Symbol, mention: Mention, family: list[File]) -> list[Occurrence]:
    """Where it is declared; of a clause its place in the rulebook, of a file its beginning."""
    if symbol.kind == "file":
        names = {symbol.text, f"{symbol.text}.rules"}
        return [
            Occurrence(file.path, Span(file.source, 0, 0), declares=True)
            for file in family
            if file.path.name in {Path(name).name for name in names}
        ]
    if symbol.kind == "clause":
        return [*_clauses(mention, family)]
    found = [each for each in occurrences_of(symbol, family) if each.declares]
    return found[:1] if symbol.kind == "local" else found


def _clauses(mention: Mention, family: list[File]) -> Iterator[Occurrence]:
    first, _, last = text_of(mention.span).removeprefix("@").partition("..")
    wanted = set(cited_keys(nodes.Cite(first, last or None)))
    for file in family:
        for block in file.blocks:
            tree = block.parsed.mended
            for item in tree.items if tree is not None else ():
                for section in item.sections if isinstance(item, nodes.Rulebook) else ():
                    if wanted & set(cited_keys(section.clauses)):
                        span = shift_span(section.span, file.source, block.begin)
                        yield Occurrence(file.path, span, declares=True)

"""A tree with placeholders for lines that do not parse -> the tree without them, and what is unknown because of them.

The remaining tree can be checked like any other file. But a line that does not parse may have declared or used a
name: so its words are recorded, and diagnostics about these words are suppressed.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import attrs
from attrs import evolve, field, frozen

from rulespec.source import Span
from rulespec.syntax import nodes
from rulespec.syntax.word_suggestions import STATEMENTS, nearest

_WORD = re.compile(r"[^\W\d][\w-]*")
# Lines that make a file depend on others, or on which all other lines depend.
FOUNDATIONS = ("extends", "use", "mechanism", "players", "teams", "option")
# Declarations that others know by their first line alone.
BODIES = (nodes.Rule, nodes.Trigger, nodes.Hook)
# Declarations that nothing else refers to, so they can be left out as a whole.
ALONE = (nodes.Example, nodes.Rulebook)
# Declarations whose rows are independent of each other.
ROWS = (nodes.Pieces, nodes.Zones, nodes.State, nodes.Called)
# In these, a row declares its first word and nothing else.
NAMED_ROWS = (nodes.Zones, nodes.State, nodes.Called)
# An indented line that begins so belongs to a rule or an example; it is no declaration with a wrong indentation.
STEADY = frozenset({*STATEMENTS, "given", "expect", "when"})
# Declarations that declare names only in their first line, but are incomplete without their rows.
TABLES = (nodes.Table, nodes.Rows, nodes.Ranking)
PIECES = "any piece"  # the name on which every face of a piece depends
NAMING = 3  # a declaration has its name among so many first words


@frozen
class DamagedRule:
    """A rule with missing lines: its place, the start of the first missing line, and the words from there on."""

    span: Span
    first: int
    words: frozenset[str]


@frozen
class Damage:
    """What is unknown about some files.

    `words` stand in lines that do not parse; those in `declaring` may be declared there, and those in `naming` are
    probably the declared names. Those in `begun` may be only the beginning of a word. `maimed` are rules with missing
    lines. A file is `nameless` if an unreadable line may declare any name, and `hopeless` if the file may extend any
    other one.
    """

    words: frozenset[str] = frozenset()
    declaring: frozenset[str] = frozenset()
    naming: frozenset[str] = frozenset()
    begun: frozenset[str] = frozenset()
    maimed: tuple[DamagedRule, ...] = ()
    mistakes: int = 0
    nameless: bool = False
    hopeless: bool = False


@frozen
class _Found:
    damaged: tuple[Span, ...]
    words: set[str] = field(factory=set)
    declaring: set[str] = field(factory=set)
    naming: set[str] = field(factory=set)
    begun: set[str] = field(factory=set)
    maimed: list[DamagedRule] = field(factory=list)
    inside: list[Span] = field(factory=list)  # damaged lines that declare nothing for others
    giving: list[Span] = field(
        factory=list
    )  # damaged blocks whose lines declare names for all others
    headed: list[Span] = field(factory=list)  # damaged rows of tables
    rows: list[Span] = field(factory=list)  # damaged lines each of which declares its first word


def prune(file: nodes.File, damaged: tuple[Span, ...], mistakes: int) -> tuple[nodes.File, Damage]:
    """The tree of a damaged file without what is damaged."""
    found = _Found(damaged)
    items = tuple(_items(found, file.items))
    for line in damaged:
        _note_line(found, line)
    damage = Damage(
        words=frozenset(found.words),
        declaring=frozenset(found.declaring),
        naming=frozenset(found.naming),
        begun=frozenset(found.begun),
        maimed=tuple(found.maimed),
        mistakes=mistakes,
        nameless=any(_is_nameless(found, line) for line in damaged),
        hopeless=any(_is_foundation(line) for line in damaged if line not in found.inside),
    )
    return evolve(file, items=items), damage


def join_damage(one: Damage, other: Damage) -> Damage:
    """What is unknown about two files together."""
    return Damage(
        one.words | other.words,
        one.declaring | other.declaring,
        one.naming | other.naming,
        one.begun | other.begun,
        (*one.maimed, *other.maimed),
        one.mistakes + other.mistakes,
        one.nameless or other.nameless,
        one.hopeless or other.hopeless,
    )


def words_in(span: Span) -> list[str]:
    """All words of a piece of text, clauses among them."""
    return _WORD.findall(span.source.text, span.start, span.end)


# ---- Lines ---------------------------------------------------------------------------------------


def _note_line(found: _Found, line: Span) -> None:
    words = words_in(line)
    is_steady = not STEADY.isdisjoint(words[:1]) or words[1:2] == ["picks"]
    if line in found.inside and is_steady:
        return
    found.words.update(words)
    if words and line.source.text[: line.end].endswith(words[-1]):
        found.begun.add(words[-1])
    if line in found.rows:
        found.declaring.update(words[:1])
        found.naming.update(words[:1])
        found.begun.update(words[:1] if len(words) == 1 else ())
    elif line not in found.inside:
        found.declaring.update(words)
        found.naming.update(words[:NAMING])
        found.begun.update(words if len(words) <= NAMING else ())
        if words[:1] == ["pieces"]:
            found.naming.add(PIECES)


def _is_nameless(found: _Found, line: Span) -> bool:
    """Whether a line may declare more names than stand in it."""
    if line in found.inside or line in found.headed:
        return False
    inside = any(each.start < line.end and line.start < each.end for each in found.giving)
    if line in found.rows or (_is_indented(line) and not inside):
        return not words_in(line)
    words = [each for each in words_in(line) if each != "override"]
    return len(words) < 2 or words[0] == "enum"


def _is_indented(line: Span) -> bool:
    return line.source.text[: line.start].endswith(" ")


def _is_foundation(line: Span) -> bool:
    """Whether all other lines depend on a line, or may do so once it is typed completely."""
    before = line.source.text[: line.start].rpartition("\n")[2]
    words = [each for each in words_in(line) if each != "override"][:1]
    if before or not words:
        return False
    (word,) = words
    may_become = line.end - line.start == len(word) and any(
        each.startswith(word) for each in (*FOUNDATIONS, "override")
    )
    return may_become or word in FOUNDATIONS or nearest(word, FOUNDATIONS) is not None


# ---- Trees ---------------------------------------------------------------------------------------


def _items(found: _Found, items: Iterable[Any]) -> Iterator[Any]:
    before = None
    for item in items:
        # After a failed attempt the parser may have produced the same line twice.
        if before is not None and item.span == before.span:
            continue
        before = item
        kept = _item(found, item)
        if kept is not None:
            yield kept


def _item(found: _Found, item: Any) -> Any:
    """A declaration without its damaged lines; `None` if too little of it is left."""
    hit = _hits(found, item.span)
    if not hit:
        return item
    if isinstance(item, nodes.Variant | nodes.Pieces):
        found.giving.append(item.span)
    node = item.declaration if isinstance(item, nodes.Override) else item
    whole = hit[0].start > item.span.start
    if whole and isinstance(node, nodes.Variant):
        return evolve(node, items=tuple(_items(found, node.items)))
    if whole and isinstance(node, ALONE):
        found.inside.extend(hit)
        return None
    if whole and isinstance(node, BODIES + ROWS):
        kept = _pruned(found, item)
        if kept is not None:
            if isinstance(node, nodes.Pieces):
                found.naming.add(PIECES)
            if isinstance(node, NAMED_ROWS):
                found.rows.extend(hit)
            if isinstance(node, BODIES):
                rest = words_in(evolve(item.span, start=hit[0].start))
                found.maimed.append(DamagedRule(item.span, hit[0].start, frozenset(rest)))
                found.inside.extend(hit)
            return kept
    if whole and isinstance(node, TABLES):
        found.headed.extend(hit)
    words = words_in(item.span)
    found.words.update(words)
    found.declaring.update(words)
    found.naming.update(words[:NAMING])
    return None


def _pruned(found: _Found, node: Any) -> Any:
    """A node without the damaged lines in it; `None` if its first line is damaged."""
    hit = _hits(found, node.span)
    if not hit:
        return node
    if any(each.start <= node.span.start < each.end for each in hit):
        return None
    changes: dict[str, Any] = {}
    for part in attrs.fields(type(node)):
        value = getattr(node, part.name)
        if isinstance(value, tuple):
            changes[part.name] = tuple(_parts(found, value))
        elif part.name != "span" and isinstance(value, nodes.Node):
            changes[part.name] = kept = _pruned(found, value)
            if kept is None and "None" not in str(part.type):
                return None
    return evolve(node, **changes)


def _parts(found: _Found, parts: tuple[Any, ...]) -> Iterator[Any]:
    before = None
    for part in parts:
        if not isinstance(part, nodes.Node):
            yield part
            continue
        if before is not None and part.span == before.span:
            continue
        before = part
        kept = _pruned(found, part)
        if kept is not None:
            yield kept


def _hits(found: _Found, span: Span) -> list[Span]:
    return [each for each in found.damaged if each.start < span.end and span.start < each.end]

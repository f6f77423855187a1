"""A tree with stand-ins for lines that do not parse -> the tree without them, and what nobody can know then.

What is left can be checked like any other file. But a line that does not parse may have declared a name, or used
one: so the words in it are kept, and what is said about these is not told.
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
# Lines by which a file builds on others, or which all others depend on.
FOUNDATIONS = ("extends", "use", "mechanism", "players", "teams", "option")
# What is known by its first lines, whatever becomes of the others.
BODIES = (nodes.Rule, nodes.Trigger, nodes.Hook)
# What nothing else can ask for, so that it is left out as a whole and nobody misses it.
ALONE = (nodes.Example, nodes.Rulebook)
# What has rows that stand for themselves.
ROWS = (nodes.Pieces, nodes.Zones, nodes.State, nodes.Called)
# Of these a row declares its first word, and nothing else.
NAMED_ROWS = (nodes.Zones, nodes.State, nodes.Called)
# A line that begins so, in a rule or an example, belongs there, and is no declaration that is indented wrongly.
STEADY = frozenset({*STATEMENTS, "given", "expect", "when"})
# What gives no names but those in its first lines, but is not known without its rows.
TABLES = (nodes.Table, nodes.Rows, nodes.Ranking)
PIECES = "any piece"  # what the look of a piece asks for
NAMING = 3  # words at the beginning of a declaration, among which its name is


@frozen
class Maimed:
    """A rule of which lines are missing: where it stands, where the first one begins, and the words from there on."""

    span: Span
    first: int
    words: frozenset[str]


@frozen
class Damage:
    """What is not known of some files.

    `words` stand in lines that do not parse; of these `declaring` may be declared there, and `naming` are
    the names of what is declared there. `begun` may be only the beginning of a word. `maimed` are rules of
    which lines are missing. A file is `nameless` if any name may be
    declared where nobody can read it, and `hopeless` if it may be built on any other one.
    """

    words: frozenset[str] = frozenset()
    declaring: frozenset[str] = frozenset()
    naming: frozenset[str] = frozenset()
    begun: frozenset[str] = frozenset()
    maimed: tuple[Maimed, ...] = ()
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
    maimed: list[Maimed] = field(factory=list)
    inside: list[Span] = field(factory=list)  # damaged lines which declare nothing for others
    giving: list[Span] = field(factory=list)  # damaged blocks whose lines give names to all others
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
    """What is not known of two files."""
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
    """Whether a line is one on which all others depend, or may be one when it is finished."""
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
        # The parser takes a line twice where it has tried two others after it.
        if before is not None and item.span == before.span:
            continue
        before = item
        kept = _item(found, item)
        if kept is not None:
            yield kept


def _item(found: _Found, item: Any) -> Any:
    """A declaration as far as it is known; nothing if too little of it is."""
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
                found.maimed.append(Maimed(item.span, hit[0].start, frozenset(rest)))
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
    """A node without the damaged lines in it; nothing if its first line is one."""
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

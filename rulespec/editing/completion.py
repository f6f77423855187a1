"""A text and a place in it -> the words that could be written there.

The grammar says which keywords fit, and whether a name may stand there and what for; it is asked for the
declaration around the place alone, as declarations come in any order. So mistakes elsewhere do no harm.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulespec import loading
from rulespec.catalogue import shipped_files
from rulespec.editing.blocks import block_at, blocks_of
from rulespec.editing.vocabulary import KnownWord, locals_at, tree_of, words_of
from rulespec.source import Source
from rulespec.syntax.automaton import beginning, expected
from rulespec.syntax.parser import stack_before_last_word
from rulespec.syntax.scanner import Token, lexis, scan

MOST = 500  # words that are offered
LONGEST_BLOCK = 20_000  # characters of a declaration that is looked into

_WORD = re.compile(r"[^\W\d]\w*\Z")
_FILE = re.compile(r'^extends +"(?P<begun>[^"\n]*)\Z', re.MULTILINE)

VALUES = ("zone", "variable", "function", "table", "option", "member", "enum", "type", "piece")
# By a rule of the grammar that a name could begin there: what the name may stand for.
WANTED = {
    "atom": (*VALUES, "local", "player"),
    "perform": ("rule",),
    "call": ("rule", "function", "table"),
    "named_type": ("type", "enum", "piece"),
    "kinds": ("piece",),
    "key_name": ("member", "option"),
    "setting": ("variant", "option"),
    "used": ("mechanism",),
    "pick": ("player",),
    "having": ("attribute",),
}
# By the word or sign before it, where the grammar takes any name.
AFTER = {
    "DOT": ("attribute",),
    "ROWS": ("table", "rule"),
    "BEFORE": ("rule",),
    "AFTER": ("rule",),
    "OF": ("rule",),
    "WHEN": ("zone", "function"),
}
# The same after `override`; otherwise these give a new name.
OVERRIDDEN = {"RULE": ("rule",), "LET": ("function",), "TABLE": ("table", "rule")}


@frozen
class Site:
    """A place: the text of the declaration around it, where that lies, and where the word there begins."""

    text: str
    begin: int
    end: int
    start: int  # of the word


def complete(path: Path, text: str, at: int) -> tuple[int, list[KnownWord]]:
    """Where the word at a place begins, and all that fits there."""
    named = _FILE.search(text, 0, at)
    if named is not None:
        start, found = named.start("begun"), list(_files())
    else:
        site = _site(path.name, text, at)
        start, found = site.start, list(_fitting(path, text, site, at))
    begun = text[start:at].casefold()
    fitting = [each for each in dict.fromkeys(found) if each.text.casefold().startswith(begun)]
    return start, fitting[:MOST]


def _files() -> Iterator[KnownWord]:
    return (KnownWord(path.name, "file", "shipped") for path in shipped_files())


def _site(name: str, text: str, at: int) -> Site:
    word = _WORD.search(text, 0, at)
    start = at if word is None else word.start()
    block = block_at(blocks_of(name, text), start)
    return Site(block.source.text, block.begin, block.end, start)


def _fitting(path: Path, text: str, site: Site, at: int) -> Iterator[KnownWord]:
    before = site.text[: site.start - site.begin]
    if len(site.text) > LONGEST_BLOCK:
        return
    # A word in the place of the one that is being written, so that there is a line.
    trial = Source(path.name, f"{before}x")
    tokens = scan(trial).tokens
    if not tokens or tokens[-1].start != len(before) or tokens[-1].kind != "NAME":
        return  # in a comment, or in a text
    stack = stack_before_last_word(trial)
    if stack is not None:
        spelling = {name: word for word, name in lexis().keywords.items()}
        for kind in sorted(expected(stack) & spelling.keys()):
            yield KnownWord(spelling[kind], "keyword")
        kinds = _kinds(beginning(stack, "NAME"), tokens)
    else:
        kinds = {*VALUES, "rule", "local", "attribute"}
    if "mechanism" in kinds:
        yield from _mechanisms()
    if not kinds:
        return
    inside = site.text[: at - site.begin], site.text[at - site.begin :]
    tree = tree_of(Source(path.name, "".join(inside)))
    own = list(locals_at(tree, site.start - site.begin)) if tree is not None else []
    others = words_of(path, text, site.start)
    for word in (*own, *others):
        # A rule that gives something back may stand where a value does.
        gives = word.kind == "rule" and "->" in word.detail and "function" in kinds
        if (word.kind in kinds or gives) and word.text != text[site.start : at]:
            yield word


def _kinds(rules: frozenset[str], tokens: list[Token]) -> set[str]:
    """What a name may stand for."""
    # Any value may begin with a call, and any set go on with `[suit = hearts]`.
    more = {"call"} | ({"having"} if tokens[-2:-1] and tokens[-2].kind != "LSQB" else set())
    rules = rules - more if "atom" in rules else rules
    found = {kind for rule in rules for kind in WANTED.get(rule, ())}
    if rules == {"name"}:
        before = [lexis().keywords.get(each.text, each.kind) for each in tokens[-3:-1]]
        known = AFTER | OVERRIDDEN if before[:1] == ["OVERRIDE"] else AFTER
        found.update(known.get("".join(before[-1:]), ()))
    return found


def _mechanisms() -> Iterator[KnownWord]:
    for path in sorted(loading.MECHANISMS.glob("*.rules")):
        yield KnownWord(path.stem, "file", "mechanism")

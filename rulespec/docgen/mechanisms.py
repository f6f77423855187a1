"""The files of the standard mechanisms -> the page about them.

A mechanism says for itself what it is for, in the comments below its first line and above each
declaration; slots, signatures and text are those of the file.
"""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from rulespec.docgen import GENERATED
from rulespec.source import Source, text_of
from rulespec.syntax import nodes
from rulespec.syntax.parser import Parsed, parse
from rulespec.syntax.phrases import type_text

# What fills a slot, by the kind that it has.
FILLINGS = {
    "Attr": "an attribute of pieces",
    "Enum": "an enum",
    "Int": "a number",
    "Let": "a value of the game",
    "Rule": "a rule",
    "Table": "a table",
    "Value": "a value",
    "Zone": "a zone",
    "Zone[Player]": "a zone of each player",
}


def mechanisms_page(mechanisms: Sequence[Source], games: Sequence[Source]) -> str:
    """The reference of some mechanisms, with the games that use them."""
    parts = [
        GENERATED,
        "# Standard mechanisms",
        (
            "A mechanism is a part that many games share, written in the language itself.\n"
            "`use turns, sets(kind = Sin)` adds two of them to a game;"
            " [chapter 11](11-mechanisms.md) explains how."
        ),
        (
            "A slot is a part that the game supplies.\n"
            "If the game does not bind a slot, the slot takes its default, or else the declaration of the "
            "game with the same name."
        ),
    ]
    users = {PurePath(game.name).stem: _used(game) for game in games}
    for source in mechanisms:
        parts += _section(source, [game for game, used in users.items() if source.name in used])
    return "\n\n".join(parts) + "\n"


def _used(game: Source) -> set[str]:
    file = parse(game).file
    uses = [item for item in file.items if isinstance(item, nodes.Use)] if file else []
    return {f"{each.mechanism.text}.rules" for use in uses for each in use.mechanisms}


def _section(source: Source, users: list[str]) -> Iterator[str]:
    parsed = parse(source)
    if parsed.file is None:
        raise ValueError(f"{source.name} does not parse")
    head, *declarations = parsed.file.items
    if not isinstance(head, nodes.Mechanism):
        raise TypeError(f"{source.name} is no mechanism")
    yield f"## {head.name.text} {{ #{head.name.text} }}"
    yield " ".join(_comments_below(parsed, head.span.end))
    yield "| slot | is filled with | default |\n| --- | --- | --- |\n" + "\n".join(
        f"| `{slot.name.text}` | {_filling(slot)} | {_default(slot)} |" for slot in head.slots
    )
    yield "| gives | what it is |\n| --- | --- |\n" + "\n".join(
        f"| `{_signature(source, each)}` | {' '.join(_comments_above(parsed, each))} |"
        for each in declarations
    )
    if users:
        named = ", ".join(f"[{game}](../games/{game}/index.md)" for game in users)
        yield f"Used by {named}."
    yield f'??? abstract "The whole of `{source.name}`"'
    yield "\n".join(f"    {line}".rstrip() for line in ["```rules", *_lines(source), "```"])


def _filling(slot: nodes.Slot) -> str:
    kind = type_text(slot.kind)
    return f"{FILLINGS[kind]} (`{kind}`)"


def _default(slot: nodes.Slot) -> str:
    return f"`{text_of(slot.default.span)}`" if slot.default is not None else ""


def _signature(source: Source, declaration: nodes.FileItem) -> str:
    """The first line of a declaration, or the variables of a state, without what they are made of."""
    if isinstance(declaration, nodes.State):
        rows = [row for row in declaration.rows if isinstance(row, nodes.Variable)]
        return ", ".join(f"{row.name.text}: {type_text(row.type)}" for row in rows)
    line = source.text[declaration.span.start : declaration.span.end].split("\n")[0]
    return line.split(" = ")[0].strip()


# ---- Comments ------------------------------------------------------------------------------------


def _comments_below(parsed: Parsed, end: int) -> list[str]:
    """Those on the lines that follow, up to a blank one."""
    told: list[str] = []
    for comment in parsed.comments:
        if comment.start >= end and not _text(parsed, end, comment.start).strip():
            if _text(parsed, end, comment.start).count("\n") > 1:
                break
            told.append(_words(comment.text))
            end = comment.start + len(comment.text)
    return told


def _comments_above(parsed: Parsed, declaration: nodes.FileItem) -> list[str]:
    """Those on the lines right before a declaration."""
    told: list[str] = []
    start = declaration.span.start
    for comment in reversed(parsed.comments):
        end = comment.start + len(comment.text)
        between = _text(parsed, end, start)
        if end <= start and between.strip() == "" and between.count("\n") == 1:
            told.insert(0, _words(comment.text))
            start = comment.start
    return told


def _text(parsed: Parsed, start: int, end: int) -> str:
    """A piece of the text that was parsed."""
    return parsed.file.span.source.text[start:end] if parsed.file else ""


def _words(comment: str) -> str:
    return comment.removeprefix("--").strip()


def _lines(source: Source) -> list[str]:
    return source.text.rstrip("\n").split("\n")

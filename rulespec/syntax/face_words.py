"""Words that mean nothing in the language, in a line that parses all the same -> what to write instead.

Words in a row are read as a face, so most of what is said in plain English ends up in one.
"""

import re

from attrs import evolve

from rulespec import codes
from rulespec.diagnostics import Diagnostic
from rulespec.source import Span, text_of
from rulespec.syntax import nodes
from rulespec.syntax.spoken import say_statement
from rulespec.syntax.word_suggestions import FOREIGN_WORDS, RANKED, WHOEVER

WHOSE = frozenset({"her", "his", "its", "my", "own", "their", "your"})


def check_face_words(node: nodes.Face) -> list[Diagnostic]:
    """What was meant by words in a row that are no face."""
    first = node.words[0]
    texts = [word.text if isinstance(word, nodes.Name) else str(word.value) for word in node.words]
    if _begins_statement(node.span) and say_statement(text_of(node.span)) is not None:
        return []  # `node_checks` tells it
    told = _whoever(texts) or _whose(texts) or _moved(node, texts)
    if told is not None:
        return [Diagnostic(codes.UNKNOWN_WORD, told[0], node.span, hint=told[1])]
    for word, following in zip(node.words[1:], [*node.words[2:], None], strict=True):
        if isinstance(word, nodes.Name) and word.text in FOREIGN_WORDS:
            return [_foreign(first, word, following)]
    if isinstance(first, nodes.Name) and first.text in ("the", "until", "while"):
        return [means_nothing(first.text, first.span)]
    match node.words:
        case (nodes.Name("top"), nodes.Number(number), nodes.Name(zone), *_):
            hint = f"write `top({zone}, {number})`"
            message = "`top` takes its values in brackets"
            return [Diagnostic(codes.INCOMPLETE, message, first.span, hint=hint)]
        case (nodes.Name("all" | "each" | "every"), nodes.Name("player" | "players")):
            message = f"`{text_of(node.span)}` is no set"
            hint = "write `Player` for all players"
            return [Diagnostic(codes.UNKNOWN_WORD, message, node.span, hint=hint)]
        case (nodes.Name(zone), nodes.Name("bottom" | "top" as end)):
            hint = f"write `move … {'under' if end == 'bottom' else 'to'} {zone}`"
            message = "pieces go to the top of a pile by `to`, and to its bottom by `under`"
            return [Diagnostic(codes.UNKNOWN_WORD, message, node.span, hint=hint)]
    return []


def _begins_statement(span: Span) -> bool:
    before = span.source.text[: span.start].rstrip(" ")
    return not before or before[-1] in "\n:;>"


def _whoever(texts: list[str]) -> tuple[str, str] | None:
    """`whoever has least`, `the player with the most cards`"""
    who = next((text for text in texts if text != "the"), "")
    most = next((text for text in texts if text in RANKED), None)
    if who not in WHOEVER or len(texts) < 3 or not {"has", "with"} & {*texts}:
        return None
    what = texts[-1] if most and texts[-1] not in RANKED else "cards"
    counted = "#hand[q]" if what in {"card", "cards"} else f"{what}[q]"
    fold = "best" if most and RANKED[most] == "most" else "least"
    found = f"write `{fold}({counted} for q in Player)` for the player who has {most or 'it'}"
    return (
        f"`{' '.join(texts[: texts.index(most)] if most else texts)}` does not find a player",
        found,
    )


def _whose(texts: list[str]) -> tuple[str, str] | None:
    """`my hand`"""
    if texts[0] not in WHOSE or len(texts) != 2:
        return None
    return f"`{' '.join(texts)}` does not say whose", f"write `{texts[1]}[p]`"


def _moved(node: nodes.Face, texts: list[str]) -> tuple[str, str] | None:
    """`move card from hand to well`, `move card to the bottom of well`, `reveal card to p`"""
    if not {"from", "into", "to"} & {*texts[1:]} and texts[:2] != ["the", "bottom"]:
        return None
    text, start = node.span.source.text, node.span.start
    line = text[text.rfind("\n", 0, start) + 1 : (text + "\n").index("\n", start)]
    deed = re.search(r"\b(move|reveal|shuffle) [^;]*", line.split("--")[0])
    return say_statement(deed[0].strip()) if deed else None


def _foreign(
    first: nodes.Name | nodes.Number, word: nodes.Name, following: nodes.Name | nodes.Number | None
) -> Diagnostic:
    """A foreign word among others, which may tell what was meant."""
    told = means_nothing(word.text, word.span)
    then = following.text if isinstance(following, nodes.Name) else "…"
    if isinstance(first, nodes.Name):
        hint = {
            ("is", "empty"): f"write `#{first.text} == 0`",
            ("of", "bottom"): f"write `under {then}` instead of `to`",
            ("of", "top"): f"write `top({then})`",
        }.get((word.text, then if word.text == "is" else first.text))
        if word.text == "of" and hint is None and then != "…":
            hint = f"write `{first.text}[{then}]` for a zone or variable of a player, `{then}.{first.text}` for an attribute of a card"
        return evolve(told, hint=hint) if hint else told
    return told


def means_nothing(word: str, span: Span) -> Diagnostic:
    """For a foreign word in the middle of a line."""
    message = f"`{word}` means nothing here"
    return Diagnostic(codes.UNKNOWN_WORD, message, span, hint=FOREIGN_WORDS[word])

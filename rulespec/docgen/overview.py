"""A game -> what one asks first: how it is won, how many play, how long it takes, and how to play it."""

from pathlib import PurePath

from rulespec.docgen.blocks import (
    Block,
    Box,
    Code,
    Line,
    Link,
    Mark,
    Paragraph,
    Strong,
    Table,
    Text,
    text,
)
from rulespec.docgen.book import Book
from rulespec.docgen.entries import owned
from rulespec.docgen.formal import formal
from rulespec.docgen.rules import seats
from rulespec.docgen.sentences import Speaker, tell, tell_text
from rulespec.rendering import count
from rulespec.syntax import nodes


def title_of_game(book: Book) -> str:
    """What a game is called."""
    game = book.declared.game
    return game.node.title.value if game is not None else PurePath(book.file).stem


def author_of(book: Book) -> str:
    """Who made it: the author of the lowest file that names one."""
    for entry in book.entries:
        if isinstance(entry.node, nodes.Game) and entry.node.author is not None:
            return entry.node.author.value
    return ""


def tell_glance(book: Book) -> tuple[Block, ...]:
    """The facts that one asks for first, and how the game is won."""
    facts: list[tuple[Line, Line]] = []
    facts += _players(book)
    facts += _first(book)
    if book.exhibits.lengths:
        facts.append((text("Length"), text(_length(book))))
    total = sum(book.exhibits.pieces.values())
    if total:
        facts.append((text("Pieces"), text(str(total))))
    author = author_of(book)
    if author:
        facts.append((text("Author"), text(author)))
    for entry in book.entries:
        if isinstance(entry.node, nodes.Extends):
            facts.append((text("Builds on"), (Code(formal(entry.node).removeprefix("extends ")),)))
    for rulebook in book.declared.rulebooks:
        facts.append((text("Told after"), text(rulebook.node.title.value)))
    command = " ".join(["rulespec play", book.file, *(f"--variant {name}" for name in book.asked)])
    facts.append((text("To play it"), (Code(command),)))
    rows = tuple(((Strong(name),), told) for name, told in facts)
    return (*_goal(book), Box("facts", (Table(((), ()), rows),)))


def _players(book: Book) -> list[tuple[Line, Line]]:
    declared = book.declared.players
    if declared is None:
        return []
    node = declared.node
    way = f", {node.direction}" if node.direction else ""
    said: Line = ()
    for entry in book.entries:
        if isinstance(entry.node, nodes.Players):
            speaker = Speaker(book, entry.id, "Players")
            told = tell(speaker, entry.docs)
            said = (*said, Text(" "), Mark("anchor", told or (Text(""),), id=entry.id))
    return [(text("Players"), (Text(f"{seats(node)}{way}."), *said))]


def _first(book: Book) -> list[tuple[Line, Line]]:
    rows: list[tuple[Line, Line]] = []
    for entry in book.entries:
        if isinstance(entry.node, nodes.First):
            speaker = Speaker(book, entry.id, "Who begins", "first")
            said = (
                *tell(speaker, entry.docs),
                *tell_text(speaker, entry.node.text.value, entry.node.cites),
            )
            rows.append((text("Begins"), (Mark("anchor", said, id=entry.id),)))
    return rows


def _length(book: Book) -> str:
    """Measured, so it says how."""
    lengths = book.exhibits.lengths
    first, *rest = lengths
    told = [f"about {count(first.median, 'decision')} with {count(first.players, 'player')}"]
    told += [f"{each.median} with {each.players}" for each in rest]
    games = sum(each.games for each in lengths)
    least, most = min(each.least for each in lengths), max(each.most for each in lengths)
    spread = f", which took {least} to {most}" if least != most else ""
    return f"{', '.join(told)}. Measured in {count(games, 'game')} played at random{spread}."


def _goal(book: Book) -> tuple[Block, ...]:
    ranking = book.declared.ranking
    if ranking is None:
        return ()
    entry = next((e for e in book.entries if isinstance(e.node, nodes.Ranking)), None)
    docs = ranking.docs
    said = " ".join(doc.text.value for doc in docs if doc.text is not None)
    rows = [fresh for _, fresh, _ in owned(ranking.node.criteria)][:1]
    first = [doc.text.value for fresh in rows for doc in fresh if doc.text is not None]
    words_ = " ".join([*([said] if said else []), *first])
    more = (Text(" "), Link(text("Who wins"), "rulebook", entry.id, "rs-see")) if entry else ()
    return (Paragraph((Strong(text("Goal.")), Text(f" {words_}"), *more), "rs-goal"),)

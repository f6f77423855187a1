"""A game -> the first part of its page: what it is about, how it is won, how many play, how long it takes."""

from pathlib import PurePath
from typing import Any

from rulespec.checking.declarations import Declared
from rulespec.docgen.book import Book, layer_title
from rulespec.docgen.components import in_the_box
from rulespec.docgen.differences import how_to_play
from rulespec.docgen.entries import BookEntry, with_docs
from rulespec.docgen.expressions import context_of, say_value
from rulespec.docgen.page_elements import (
    Block,
    Callout,
    Items,
    Line,
    Link,
    ListItem,
    MarkedText,
    PageTable,
    Paragraph,
    PlainText,
    Strong,
    join_lines,
    text,
)
from rulespec.docgen.rules import page_title, say_criterion, seats
from rulespec.docgen.sentences import SentenceWriter, doc_sentences, tell_text
from rulespec.rendering import counted
from rulespec.syntax import nodes


def title_of_game(book: Book) -> str:
    """What a game is called."""
    game = book.declared.game
    return game.node.title.value if game is not None else PurePath(book.file).stem


def authors_of(book: Book) -> list[tuple[str, str]]:
    """Each file's title and author, the lowest first."""
    found = [entry.node for entry in book.entries if isinstance(entry.node, nodes.Game)]
    return [(each.title.value, each.author.value if each.author else "") for each in found]


def is_said_here(book: Book, declared: Declared[Any] | None) -> bool:
    """Whether the uppermost file says it: what is said of a base may not hold for what builds on it."""
    top = book.declared.files[-1].span.source
    return declared is not None and declared.node.span.source == top


def tell_opening(book: Book) -> tuple[Block, ...]:
    """What happens in the game, and why one wants to play it."""
    about = book.declared.about
    said = about.node.text.value if about is not None and is_said_here(book, about) else book.about
    return (Paragraph(text(said), "rs-about-game"),) if said else ()


def tell_glance(book: Book) -> tuple[Block, ...]:
    """How the game is won, and the facts that one asks for first."""
    facts: list[tuple[Line, Line]] = []
    facts += _players(book)
    facts += _box(book)
    facts += _first(book)
    contents = in_the_box(book)
    if contents:
        facts.append((text("In the box"), text(contents)))
    *below, (_, author) = authors_of(book) or [("", "")]
    if author:
        facts.append((text("Author"), text(author)))
    for title, who in below:
        facts.append((text("Builds on"), text(f"{title}, by {who}" if who else title)))
    if settings := played_with(book):
        facts.append((text("Played with"), settings))
    if book.play_data.lengths:
        facts.append((text("Choices"), text(_length(book))))
    for rulebook in book.declared.rulebooks:
        facts.append((text("Rulebook"), text(rulebook.node.title.value)))
    command = " ".join(["rulespec play", book.file, *(f"--variant {name}" for name in book.asked)])
    rows = tuple(((Strong(name),), told) for name, told in facts)
    return (
        *tell_goal(book),
        Callout("facts", (PageTable(((), ()), rows),)),
        how_to_play(command, "game"),
    )


def _box(book: Book) -> list[tuple[Line, Line]]:
    """What the box says."""
    facts: list[tuple[Line, Line]] = []
    minutes, ages = book.declared.minutes, book.declared.ages
    if minutes is not None:
        most = f" to {minutes.node.most.value}" if minutes.node.most else ""
        facts.append((text("Time"), text(f"{minutes.node.least.value}{most} minutes")))
    if ages is not None:
        facts.append((text("Ages"), text(f"{ages.node.least.value} and up")))
    return facts


def played_with(book: Book) -> Line:
    """The variants and options that a file chooses of what it builds on."""
    told: list[Line] = []
    for entry in book.entries:
        for setting in entry.node.settings if isinstance(entry.node, nodes.Extends) else ():
            there = book.find(setting.name.text, nodes.Variant, nodes.Option)
            title = layer_title(book, setting.name.text)
            if setting.value is not None:
                context = context_of(book.declared, book.labels)
                value = (say_value(context, setting.value) or "").removeprefix("the ")
                title = f"{page_title(book, there) if there else title}: {value}"
            told.append((Link(text(title), "rulebook", there.id),) if there else text(title))
    return join_lines(told)


def tell_advice(book: Book, entries: list[BookEntry]) -> tuple[Block, ...]:
    """What helps a player, and is no rule."""
    items = []
    for entry in entries:
        if isinstance(entry.node, nodes.Advice):
            writer = SentenceWriter(book, entry.id, "Advice", "advice")
            items.append(ListItem(tell_text(writer, entry.node.text.value, entry.node.cites)))
    return (Items(tuple(items)),) if items else ()


def _players(book: Book) -> list[tuple[Line, Line]]:
    declared = book.declared.players
    if declared is None:
        return []
    node = declared.node
    way = f", {node.direction}" if node.direction == "counterclockwise" else ""
    said: Line = ()
    for entry in book.entries:
        if isinstance(entry.node, nodes.Players):
            writer = SentenceWriter(book, entry.id, "Players")
            told = doc_sentences(writer, entry.docs)
            said = (
                *said,
                PlainText(" "),
                MarkedText("anchor", told or (PlainText(""),), id=entry.id),
            )
    numbers = f"{seats(node)}{way}.".replace(" players", "")
    return [(text("Players"), (PlainText(numbers), *said))]


def _first(book: Book) -> list[tuple[Line, Line]]:
    rows: list[tuple[Line, Line]] = []
    for entry in book.entries:
        if isinstance(entry.node, nodes.First):
            writer = SentenceWriter(book, entry.id, "Who begins", "first")
            said = (
                *doc_sentences(writer, entry.docs),
                *tell_text(writer, entry.node.text.value, entry.node.cites),
            )
            rows.append((text("Who begins"), (MarkedText("anchor", said, id=entry.id),)))
    return rows


def _length(book: Book) -> str:
    """Measured, so it says how."""
    lengths = book.play_data.lengths
    first, *rest = lengths
    told = [f"about {first.median} in a game with {counted(first.players, 'player')}"]
    told += [f"{each.median} with {each.players}" for each in rest]
    games = sum(each.games for each in lengths)
    least, most = min(each.least for each in lengths), max(each.most for each in lengths)
    spread = f", which took {least} to {most}" if least != most else ""
    return f"{', '.join(told)}. Measured in {counted(games, 'game')} played at random{spread}."


def tell_goal(book: Book) -> tuple[Block, ...]:
    """How one wins: as the author says it, or else as the ranking does."""
    entry = next((e for e in book.entries if isinstance(e.node, nodes.Ranking)), None)
    goal = book.declared.goal
    if goal is not None:
        said = goal.node.text.value if is_said_here(book, goal) else ""
    else:
        said = _ranked(book)
    if not said:
        return ()
    more = (PlainText(" "), Link(text("Who wins"), "rulebook", entry.id, "rs-see")) if entry else ()
    return (Paragraph((Strong(text("How to win.")), PlainText(f" {said}"), *more), "rs-goal"),)


def _ranked(book: Book) -> str:
    ranking = book.declared.ranking
    if ranking is None:
        return ""
    row, fresh, _ = next(with_docs(ranking.node.criteria))
    docs = (*ranking.docs, *fresh)
    said = " ".join(doc.text.value for doc in docs if doc.text is not None)
    return said or say_criterion(book, ranking.node, row, 0)

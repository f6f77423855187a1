"""Games -> files: the rulebook and the clauses of each, and a list of them; or one page for all of a game."""

from attrs import frozen

from rulespec.docgen import html, markdown
from rulespec.docgen.book import Book
from rulespec.docgen.learn import tell_learn
from rulespec.docgen.links import link_targets, settle_links
from rulespec.docgen.overview import authors_of, title_of_game
from rulespec.docgen.page_elements import (
    Block,
    Blocks,
    Collapsible,
    Line,
    Link,
    Page,
    PageHeading,
    PageTable,
    PlainText,
    Strong,
    text,
)
from rulespec.docgen.rulebook import tell_rulebook
from rulespec.docgen.rules import seats
from rulespec.docgen.traceability import tell_clauses

ASSETS = ("game.css", "game.js")


@frozen
class GamePages:
    """The three pages of a game; `folder` is where they go, and `facts` what the list says of it."""

    folder: str
    title: str
    about: str
    facts: str
    is_overlay: bool
    learn: Blocks
    rulebook: Blocks
    clauses: Blocks


def make_pages(folder: str, book: Book) -> GamePages:
    """The pages of one game."""
    title = title_of_game(book)
    rulebook = tell_rulebook(book)
    players = book.declared.players
    facts = ""
    if players is not None:
        facts = seats(players.node)
    author = next((who for _, who in reversed(authors_of(book)) if who), "")
    about = book.declared.about
    learn, clauses = tell_learn(book), tell_clauses(book, title)
    places: dict[Page, set[str]] = {
        "learn": set(link_targets(learn)),
        "rulebook": set(link_targets(rulebook)),
        "clauses": set(link_targets(clauses)),
    }
    return GamePages(
        folder=folder,
        title=title,
        about=about.node.text.value if about is not None else book.about,
        facts=", ".join(part for part in (f"by {author}" if author else "", facts) if part),
        is_overlay=len(book.declared.files) > 1,
        learn=settle_links(learn, places, book.base),
        rulebook=settle_links(rulebook, places, book.base),
        clauses=settle_links(clauses, places, book.base),
    )


def as_markdown(games: list[GamePages]) -> dict[str, str]:
    """All files by their path in the folder that was asked for."""
    files = {"index.md": markdown.write_markdown("games", _list(games))}
    for game in games:
        # Who searches for a rule wants the page to learn from, and of the game itself.
        share = 0.2 if game.is_overlay else 1
        files[f"{game.folder}/index.md"] = markdown.write_markdown("learn", game.learn, 2 * share)
        files[f"{game.folder}/law.md"] = markdown.write_markdown("rulebook", game.rulebook, share)
        files[f"{game.folder}/clauses.md"] = markdown.write_markdown(
            "clauses", game.clauses, 0.5 * share
        )
    for name in ASSETS:
        files[f"assets/{name}"] = html.asset(name)
    return files


def as_html(game: GamePages) -> str:
    """One page to hand around."""
    title, *lowered = (_lowered(block) for block in game.clauses)
    law = Collapsible("law-clauses", text("Show every clause"), tuple(lowered), "all-clauses")
    rulebook = tuple(_lowered(block) for block in game.rulebook) if game.learn else game.rulebook
    return html.write_html(game.title, (*game.learn, *rulebook, title, law))


def _lowered(block: Block) -> Block:
    """The clauses are a chapter where they are no page of their own."""
    if isinstance(block, PageHeading):
        return PageHeading(block.level + 1, block.inside, block.id)
    return block


def _list(games: list[GamePages]) -> Blocks:
    rows: list[tuple[Line, ...]] = []
    for game in games:
        name: Line = (Strong((Link(text(game.title), "learn", folder=game.folder),)),)
        law: Line = (
            Link(text("law"), "rulebook", folder=game.folder),
            PlainText(", "),
            Link(text("clauses"), "clauses", folder=game.folder),
        )
        rows.append((name, text(game.about), text(game.facts), law))
    head = (
        text("Game"),
        text("What it is about"),
        text("For whom"),
        (PlainText("To settle disputes"),),
    )
    return (PageHeading(1, text("Games"), "games"), PageTable(head, tuple(rows)))

"""All clauses of a game -> where each is told, which examples are about it, and what has used it in play.

What was used was measured: by running every example, and by playing games at random.
"""

from rulespec.docgen.book import Book, ToldClause
from rulespec.docgen.entries import cited_clauses
from rulespec.docgen.page_elements import (
    Block,
    Break,
    CodeText,
    Line,
    Link,
    MarkedText,
    PageHeading,
    PageTable,
    Paragraph,
    PlainText,
    join_lines,
    text,
    trimmed,
)
from rulespec.docgen.sentences import clause_id
from rulespec.docgen.worked_examples import examples_of
from rulespec.rendering import counted

HOW = {"ruling": "Ruling", "omit": "Left out", "first": "Who begins", "advice": "Advice"}


def tell_clauses(book: Book, title: str) -> tuple[Block, ...]:
    """The page of clauses; to be made after the rulebook, which notes where it tells them."""
    told: dict[str, list[ToldClause]] = {}
    for each in book.tellings:
        told.setdefault(each.clause, []).append(each)
    back = Link(text(title), "rulebook", "top")
    intro: Line = (
        PlainText("Every clause of the booklet: where it stands there, what it says, where "),
        back,
        PlainText(" has it, the examples that are about it, and how often it was used in play: "),
        PlainText(_measured(book)),
        PlainText(" Of what is no instruction, such as who sees what, nothing can be measured."),
    )
    page: list[Block] = [
        PageHeading(1, (PlainText(f"{title}: the clauses"),), "clauses"),
        Paragraph(intro),
    ]
    number = 0
    listed: set[str] = set()
    lowest = book.declared.files[0].span.source
    for rulebook in book.declared.rulebooks:
        if book.base and rulebook.node.span.source == lowest:
            continue
        page.append(PageHeading(2, text(rulebook.node.title.value), f"rulebook-{number + 1}"))
        for section in rulebook.node.sections:
            number += 1
            clauses = cited_clauses((section.clauses,))
            listed.update(clauses)
            page.append(PageHeading(3, text(section.title.value), f"section-{number}"))
            page.append(_table(book, clauses, told))
    others = [] if book.base else sorted(clause for clause in told if clause not in listed)
    if others:
        page.append(PageHeading(2, text("Clauses of no rulebook"), "section-others"))
        page.append(_table(book, others, told))
    if not listed and not others:
        page.append(Paragraph(text("The rules of this game cite no clauses.")))
    return tuple(page)


def _measured(book: Book) -> str:
    run = len(book.play_data.examples)
    return f"by {counted(run, 'example')} that were run, and by {counted(book.play_data.games, 'game')} played at random."


def _table(book: Book, clauses: list[str], told: dict[str, list[ToldClause]]) -> PageTable:
    """A row for each clause; what the booklet says stands there if a list of it is shipped."""
    head = ("Clause", "In the booklet", "What it says", "In the rules", "Examples", "Used by")
    rows = [_row(book, clause, told.get(clause, [])) for clause in clauses]
    return trimmed(head, rows)


def _row(book: Book, clause: str, told: list[ToldClause]) -> tuple[Line, ...]:
    name: Line = (MarkedText("anchor", (CodeText(clause),), id=clause_id(clause)),)
    lines: list[Line] = []
    for each in told:
        if each.how != "example":
            link = Link(text(HOW.get(each.how, each.title)), "rulebook", each.id, "rs-see")
            lines.append((PlainText(f"{each.words} "), link) if each.words else (link,))
    said: list[PlainText | Break | Link | MarkedText | CodeText] = []
    for number, line in enumerate(lines):
        if number:
            said.append(Break())
        said += line  # type: ignore[arg-type]  # a line is of these
    examples: list[Line] = [
        (Link(text(str(_number(book, each.id))), "rulebook", each.id.rpartition(".")[0]),)
        for each in told
        if each.how == "example"
    ]
    listed = book.passages.get(clause)
    booklet = (text(listed.place), text(listed.words)) if listed else ((), ())
    used = _used(book, clause)
    return (name, *booklet, tuple(said), join_lines(examples), text(used) if used else ())


def _used(book: Book, clause: str) -> str:
    """By how much of what was played; nothing is said of clauses that are no instructions."""
    shown = book.play_data
    if clause not in shown.measured:
        return ""
    examples = sum(clause in each.clauses for each in shown.examples.values())
    games = shown.used.get(clause, 0)
    told = [counted(examples, "example")] if examples else []
    told += [f"{games} of {shown.games} games"] if games else []
    return ", ".join(told) or "nothing"


def _number(book: Book, id_: str) -> int:
    """The number of an example, counted through the page."""
    own = id_.rpartition(".")[0]
    return [each.id for each in examples_of(book)].index(own) + 1

"""The rules of a program -> the course of a game as steps: loops, questions, actions and branches.

Rules that are called from one place are told there, as far as that stays short; a table of effects is one
step with a way out for each row. `diagrams` draws the steps.
"""

from typing import Literal, assert_never

from attrs import define, field, frozen

from rulespec.checking.declarations import Routine, is_action_table
from rulespec.checking.declarations import walk as walk_nodes
from rulespec.checking.deeds import deed_of
from rulespec.checking.layers import Docs
from rulespec.docgen.book import Book
from rulespec.docgen.entries import with_docs
from rulespec.docgen.expressions import context_of, say_condition
from rulespec.docgen.page_elements import plain_text
from rulespec.docgen.phrase_context import PhraseContext
from rulespec.docgen.rules import name_in_words, page_title
from rulespec.docgen.sentences import link_to
from rulespec.docgen.statements import say_each, say_times
from rulespec.docgen.wording import key_words, prompt_text, say, titled
from rulespec.syntax import nodes

Kind = Literal["phase", "rule", "loop", "ask", "do", "if", "fork", "end"]
DEEPEST = 5  # rules inside of each other
MOST = 70  # steps in all
LONGEST = 86  # signs of a step


@frozen
class CourseStep:
    """Something that happens; what is inside of it happens there."""

    kind: Kind
    text: str
    link: str = ""
    inside: "tuple[CourseStep, ...]" = ()


@define
class _Walk:
    book: Book
    context: PhraseContext  # of the rule that is being told
    told: set[str] = field(factory=set)  # rules that have been told
    depth: int = 0
    steps: int = 0


def course_of(book: Book) -> tuple[CourseStep, ...]:
    """The whole course of a game; nothing if it has no rule to play by."""
    walk = _Walk(book, context_of(book.declared, book.labels))
    steps: list[CourseStep] = []
    if "setup" in book.declared.routines:
        walk.told.add("setup")
        steps.append(CourseStep("phase", "Setup", _id(book, "setup")))
    if "play" not in book.declared.routines:
        return tuple(steps)
    steps += _call(walk, "play", top=True)
    ends = _triggers(book)
    steps += ends
    if "finish" in book.declared.routines:
        inside = _call(walk, "finish", top=True)
        steps.append(CourseStep("phase", "The game ends", _id(book, "finish"), inside))
    if book.declared.ranking is not None:
        entry = next((e for e in book.entries if isinstance(e.node, nodes.Ranking)), None)
        steps.append(CourseStep("end", "Who wins", entry.id if entry else ""))
    return tuple(steps)


def _triggers(book: Book) -> list[CourseStep]:
    """What ends the game whenever its condition comes to hold."""
    steps = []
    for name, versions in book.declared.triggers.items():
        if not any(isinstance(each, nodes.End) for each in walk_nodes(versions[-1].node)):
            continue
        entry = book.find(name, nodes.Trigger)
        sentence = _sentence(versions[-1].docs) or (page_title(book, entry) if entry else say(name))
        steps.append(CourseStep("if", sentence, entry.id if entry else ""))
    return steps


def _id(book: Book, name: str) -> str:
    link = link_to(book, name)
    return link.id if link is not None else ""


# ---- Rules ---------------------------------------------------------------------------------------


def _call(walk: _Walk, name: str, *, top: bool = False) -> tuple[CourseStep, ...]:
    """A call of a rule: told here, or by its name if it has been told or is too deep."""
    routine = walk.book.declared.routines.get(name)
    if routine is None or routine.kind != "procedure":
        return ()
    link = _id(walk.book, name)
    walk.steps += 1
    node = routine.versions[-1].node
    if isinstance(node, nodes.Table):
        return (_fork(walk, routine, node, link),)
    if name in walk.told or walk.depth >= DEEPEST or walk.steps > MOST:
        return (CourseStep("do", _title(walk, name), link),)
    walk.told.add(name)
    walk.depth += 1
    hooks = (*routine.before, *routine.versions[-1:], *routine.after)
    inside: tuple[CourseStep, ...] = ()
    outer, walk.context = (
        walk.context,
        context_of(walk.book.declared, walk.book.labels, node.params),
    )
    for part in hooks:
        if isinstance(part.node, nodes.Rule | nodes.Hook):
            inside += _block(walk, part.node.body)
    walk.depth -= 1
    walk.context = outer
    # A rule without a question is one thing that is done, however many statements it has.
    if not _asks(inside) and not top:
        return (CourseStep("do", _title(walk, name), link),)
    if top or routine.versions[-1].layer.origin == "mechanism":
        return inside
    return (CourseStep("rule", _title(walk, name), link, inside),)


def _title(walk: _Walk, name: str) -> str:
    return titled(name_in_words(walk.book, name))


def _asks(steps: tuple[CourseStep, ...]) -> bool:
    """Whether somebody decides something in these steps, or the game ends."""
    return any(step.kind in ("ask", "fork", "end") or _asks(step.inside) for step in steps)


def _link(steps: tuple[CourseStep, ...]) -> str:
    """Where the first of these steps leads."""
    return next((found for step in steps if (found := step.link or _link(step.inside))), "")


def _fork(walk: _Walk, routine: Routine, table: nodes.Table, link: str) -> CourseStep:
    if not is_action_table(table):
        return CourseStep("do", _title(walk, routine.name), link)
    rows = [row for row in table.rows if isinstance(row, nodes.Row)]
    labels = [
        " and ".join(plain_text(key_words(key, walk.book.labels)) for key in row.keys)
        for row in rows
    ]
    inside = tuple(CourseStep("do", label) for label in labels)
    return CourseStep("fork", _title(walk, routine.name), link, inside)


# ---- Statements ----------------------------------------------------------------------------------


def _block(walk: _Walk, block: nodes.Block) -> tuple[CourseStep, ...]:
    lines = block.lines if isinstance(block, nodes.Suite) else (block.statement,)
    steps: list[CourseStep] = []
    for line, docs, _ in with_docs(lines):
        found = _statement(walk, line)
        sentence = _sentence(docs)
        if sentence and not _asks(found):
            # A sentence tells what happens better than the names of rules.
            found = (CourseStep("do", sentence, _link(found)),)
        elif sentence and len(found) == 1 and found[0].kind == "if":
            found = (CourseStep("if", sentence, "", found[0].inside),)
        steps += found
    return tuple(steps)


def _statement(walk: _Walk, line: nodes.Line) -> tuple[CourseStep, ...]:
    match line:
        case nodes.Several(statements):
            return tuple(step for each in statements for step in _statement(walk, each))
        case nodes.End():
            return (CourseStep("end", "the game ends"),)
        case nodes.For(name, values, body):
            return _loop(walk, _short(say_each(walk.context, name.text, values)), body)
        case nodes.Repeat(times, body):
            return _loop(walk, say_times(walk.context, times, body), body)
        case nodes.If():
            return _if(walk, line)
        case _ if isinstance(line, nodes.Choice):
            prompt = (
                line.prompt.value
                if line.prompt is not None
                else f"Which {say(line.target.name.text)}?"
            )
            return (CourseStep("ask", _short(prompt_text(prompt))),)
        case _ if isinstance(line, nodes.Simple):
            call = deed_of(line).call
            return () if call is None else _call(walk, call.function.text)
        case nodes.Doc():
            return ()
        case _:
            assert_never(line)


def _loop(walk: _Walk, label: str, body: nodes.Block) -> tuple[CourseStep, ...]:
    inside = _block(walk, body)
    if len(inside) == 1 and inside[0].kind == "loop":
        # A loop of nothing but a loop is told in one line.
        return (CourseStep("loop", f"{label}: {inside[0].text}", "", inside[0].inside),)
    return (CourseStep("loop", label, "", inside),) if _asks(inside) else inside


def _if(walk: _Walk, node: nodes.If) -> tuple[CourseStep, ...]:
    inside = _block(walk, node.body)
    steps: list[CourseStep] = []
    if inside:
        asked_ = say_condition(walk.context, node.condition)
        steps.append(
            CourseStep("if", f"if {_short(asked_)}" if asked_ else "in some cases", "", inside)
        )
    if node.otherwise is not None:
        other = node.otherwise.body
        more = _if(walk, other) if isinstance(other, nodes.If) else _block(walk, other)
        if more:
            steps.append(CourseStep("if", "otherwise", "", more))
    return tuple(steps)


def _sentence(docs: Docs) -> str:
    """What doc lines say, cut short."""
    said = " ".join(doc.text.value for doc in docs if doc.text is not None)
    return _short(said)


def _short(words: str) -> str:
    """At most so much, whole sentences if possible.

    >>> _short("Turn up five cards, no more. Then go on " + "and on " * 20)
    'Turn up five cards, no more.'
    """
    if len(words) <= LONGEST:
        return words
    head = words[:LONGEST]
    for sign in (". ", "; ", ": "):
        if head.rfind(sign) > 20:
            return head[: head.rfind(sign)] + ("." if sign == ". " else " …")
    return head.rpartition(" ")[0].rstrip(",") + " …"

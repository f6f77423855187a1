"""A thing that a player points at -> why it is so: sentences, clauses, and quotes from the rules."""

from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from attrs import evolve, frozen

from interpreter.accounts import Account
from interpreter.display_names import (
    Listener,
    noun,
    said,
    variable_words,
    word_for,
    zone_words,
)
from interpreter.headings import Heading
from interpreter.labels import piece_label
from interpreter.lines import StoryLine
from interpreter.machine import Score
from interpreter.options import Decision
from interpreter.results import Criterion, Outcome
from interpreter.sheets import ScoreSheet
from interpreter.shown.booklet import (
    Clause,
    DocNote,
    clauses_of,
    find_choice,
    note_on,
    rows_about,
    said_of_row,
    source_text,
)
from interpreter.shown.offers import Offer
from interpreter.shown.open_values import function_at
from interpreter.shown.picture import UNCOUNTED, Scene
from interpreter.shown.selection import Selection
from interpreter.story import Entry
from interpreter.titles import number_text, ranking_titles
from rulespec import rendering
from rulespec.checking.declarations import used_names
from rulespec.core.tree import Origin
from rulespec.core.types import Choice, present
from rulespec.english import BROKEN, is_statement, listed, sentence
from rulespec.source import Span
from rulespec.syntax import nodes

NOTHING = DocNote(None, ())
_MOST_DEFINITIONS = 4
_MOST_LINES = 14  # lines of a quoted definition
SEEN_BY = {
    "everyone": "Everybody sees what lies here.",
    "owner": "Only its owner sees what lies here.",
    "others": "Everybody but its owner sees what lies here.",
    "top": "Everybody sees the top card, and nobody the others.",
    "nobody": "Nobody sees what lies here.",
}
COUNTED_BY = {
    "everyone": None,
    "owner": "Only its owner knows how many there are.",
    "others": "Its owner does not know how many there are.",
    "nobody": "Nobody knows how many there are.",
}


@frozen
class Quote:
    """A quote from the rules, its place, and the sentence above it."""

    place: str
    text: str
    span: Span
    sentence: str | None = None


@frozen
class Reason:
    """An explanation, read from top to bottom; `accounts` and `sheet` say how a score came about."""

    title: str
    sentences: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    clauses: tuple[Clause, ...] = ()
    accounts: tuple[Account, ...] = ()
    sheet: ScoreSheet | None = None


def _explain(
    scene: Scene,
    title: str,
    sentences: Iterable[str | None],
    quoted: Iterable[tuple[Span, DocNote]],
    cites: Iterable[str],
) -> Reason:
    """Collect everything there is to say, each thing once; beside a definition, only whole sentences."""
    told = tuple(dict.fromkeys(each for each in sentences if each and BROKEN not in each))
    said = {*told}
    quotes: dict[str, Quote] = {}
    all_cites = [*cites]
    for span, note in quoted:
        if span.end > span.start:
            is_new = note.sentence not in said and _is_whole(note.sentence)
            place = rendering.place_name(span)
            quotes.setdefault(
                place, Quote(place, _cut(span), span, note.sentence if is_new else None)
            )
            said |= {note.sentence or ""}
            all_cites += note.cites
    clauses = clauses_of(scene.booklet, tuple(all_cites))
    return Reason(title, told, tuple(quotes.values()), tuple(clauses))


def _is_whole(said: str | None) -> bool:
    return said is not None and BROKEN not in said and is_statement(said)


def _cut(span: Span) -> str:
    lines = source_text(span).split("\n")
    return "\n".join(lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 1], "…"])


# ---- What happened, and what counts --------------------------------------------------------------


def why_told(scene: Scene, item: Entry) -> Reason:
    """Why something happened: its parts, and the rules that caused each part."""
    origins = [item.origin]
    steps: list[str] = []
    match item:
        case StoryLine(details=details):
            steps = [each.text for each in details if each.text != item.text]
            origins += [each.origin for each in details]
        case Heading():
            pass
        case _:
            assert_never(item)
    origins = list({id(each): each for each in origins}.values())[:_MOST_DEFINITIONS]
    notes = [note for each in origins for note in (each.sentence, *_rule_note(scene, each))]
    quoted = [(each.span, DocNote(each.sentence, each.cites)) for each in origins]
    return _explain(scene, item.text, (*steps, *notes), quoted, item.origin.cites)


def _rule_note(scene: Scene, origin: Origin) -> list[str | None]:
    """The sentences above the rule that contains a place."""
    routine = scene.program.declared.routines.get(origin.rule)
    if routine is None:
        return []
    return [note_on(scene.booklet, version.node.span).sentence for version in routine.versions[-1:]]


def why_score(scene: Scene, name: str, score: Score, outcome: Outcome | None = None) -> Reason:
    """Where a score comes from; with an outcome, also how it came about."""
    order = "The most win." if score.most_wins else "The fewest win."
    value = "nothing" if score.value is None else number_text(score.value)
    ranking = scene.program.declared.ranking
    quoted = [(score.origin.span, NOTHING)]
    criteria = ranking.node.criteria if ranking is not None else ()
    rows = [row for row in criteria if isinstance(row, nodes.Criterion)]
    place = 0
    for number, row in enumerate(rows):
        if row.span == score.origin.span:
            place = number
            quoted += _definitions(scene, row.key)
            quoted += _settings(scene, {each.text for each in used_names(row.key)})
    told = (score.origin.sentence or order,)
    if outcome is None:
        title = f"{name}: {ranking_titles(Listener(scene.layout))[place]} {value}"
        return _explain(scene, title, told, quoted, score.origin.cites)
    criterion = outcome.criteria[place]
    found = _explain(scene, f"{name}: {criterion.title} {value}", told, quoted, score.origin.cites)
    own = (criterion.accounts[scene.names.index(name)],) if criterion.sheet is None else ()
    return evolve(
        found,
        accounts=(*_decided(criterion), *own),
        sheet=criterion.sheet,
        sentences=tuple(dict.fromkeys((*found.sentences, *_verdict_notes(criterion)))),
    )


def _decided(criterion: Criterion) -> tuple[Account, ...]:
    """What all scores of a row share: whether the most win, and what is the same for all players."""
    verdict = criterion.verdict
    return (*(() if verdict is None else verdict.parts), *criterion.shared)


def _verdict_notes(criterion: Criterion) -> tuple[str, ...]:
    return () if criterion.verdict is None else criterion.verdict.notes


def _definitions(scene: Scene, expression: Any) -> Iterator[tuple[Span, DocNote]]:
    """The functions that an expression uses, with their notes; then the functions that those use."""
    routines = scene.program.declared.routines
    waiting, known = [expression], set[str]()
    while waiting and len(known) < _MOST_DEFINITIONS:
        for name in used_names(waiting.pop(0)):
            routine = routines.get(name.text)
            if routine is None or routine.kind != "function" or name.text in known:
                continue
            known.add(name.text)
            node = routine.versions[-1].node
            waiting.append(node)
            yield node.span, note_on(scene.booklet, node.span)


def _settings(scene: Scene, names: set[str]) -> Iterator[tuple[Span, DocNote]]:
    """Where variables are declared, and where the rules change them."""
    for name, declared in scene.program.declared.variables.items():
        if name in names:
            span = declared.node.node.span
            yield span, note_on(scene.booklet, span)
    for assign in scene.booklet.assigns:
        target: Any = assign.target
        while isinstance(target, nodes.At):
            target = target.subject
        if target.text in names:
            yield assign.span, note_on(scene.booklet, assign.span)
            yield from _definitions(scene, assign.value)


# ---- What may be chosen --------------------------------------------------------------------------


def why_options(scene: Scene, decision: Decision, title: str, *more: str) -> Reason:
    """Why these are the options: the question, and the rules that define the options."""
    origin = decision.origin
    found = find_choice(scene.booklet, origin.span)
    quoted = [(origin.span, NOTHING)]
    if found is not None:
        quoted += _definitions(scene, found.options)
    notes = (*more, origin.sentence, *_rule_note(scene, origin))
    return _explain(scene, title, notes, quoted, origin.cites)


def why_not(
    scene: Scene, decision: Decision, offer: Offer, ticked: Selection | None, what: str
) -> Reason:
    """Why something cannot be chosen now."""
    if ticked is not None and ticked.chosen:
        texts = [item.text for item in offer.items if item.number in ticked.chosen]
        beside = listed(texts)
        told = f"It does not go with {beside}: no answer has them all."
    else:
        told = "It is not among what may be chosen now."
    return why_options(scene, decision, f"{what} cannot be chosen", f"“{offer.prompt}” {told}")


# ---- What there is -------------------------------------------------------------------------------


def what_zone(scene: Scene, zone: int, count: int | None) -> Reason:
    """What a zone is for; `count` is None if the viewer does not know how many cards lie there."""
    found = scene.layout.zones[zone]
    row = found.row
    note = note_on(scene.booklet, row.origin.span)
    nouns = {noun(scene.layout.code, [kind]) for kind in row.holds}
    one, many = nouns.pop() if len(nouns) == 1 else ("", "")
    about = rows_about(scene.booklet, _members_of(scene, zone))
    cards = "empty" if count == 0 else f"{count} {one if count == 1 else many}".strip()
    cards = UNCOUNTED if count is None else cards
    title = sentence(f"{zone_words(scene.layout, zone, scene.names)}: {cards}").removesuffix(".")
    return _explain(
        scene,
        title,
        (*map(sentence, about), note.sentence, SEEN_BY[row.seen_by], COUNTED_BY[row.counted_by]),
        ((row.origin.span, NOTHING),),
        row.origin.cites or note.cites,
    )


def _members_of(scene: Scene, zone: int) -> set[str]:
    """The members that index a zone, such as the type of a column."""
    found = scene.layout.zones[zone]
    pairs = zip(found.indices, found.row.indices, strict=True)
    members = scene.layout.code.members
    return {members[index].name for index, of in pairs if isinstance(of, Choice)}


def what_counter(scene: Scene, variable: int, text: str) -> Reason:
    """What a counter is for: a variable, or a value that affects the score."""
    function = function_at(scene, variable)
    if function is not None:
        title = f"{word_for(scene.layout.code, function.name)}: {text}"
        origin = function.origin
        return _explain(scene, title, (origin.sentence,), [(origin.span, NOTHING)], origin.cites)
    row, _ = scene.layout.variables[variable]
    note = note_on(scene.booklet, row.origin.span)
    code = scene.layout.code
    reset = f"It begins anew with each {word_for(code, row.rule)}." if row.rule else None
    title = f"{variable_words(scene.layout, variable, scene.names)}: {text}"
    cites = row.origin.cites or note.cites
    quoted = [(row.origin.span, NOTHING), *_settings(scene, {row.name})]
    return _explain(scene, title, (note.sentence, reset), quoted, cites)


def what_card(scene: Scene, face: int) -> Reason:
    """What a card is, and the table rows about it."""
    layout = scene.layout
    number = layout.faces.index(face)
    piece = layout.pieces[number]
    types = {each.name: each.type for each in layout.code.attributes}
    title = piece_label(layout, number, scene.names)
    values = [
        (word_for(layout.code, name), said(layout, value, types[name], scene.names))
        for name, value in piece.attributes.items()
        if value is not None
    ]
    # The title already says the rest.
    more = [f"{name}: {text}" for name, text in values if text not in title]
    told = sentence(", ".join(more)) if more else None
    note = note_on(scene.booklet, piece.row.origin.span)
    rows = [*_rows_about(scene, number)]
    if any(_is_whole(each.sentence) for _, each in rows) and _is_shared(scene, note):
        note = evolve(note, sentence=None)
    quoted = ((piece.row.origin.span, NOTHING), *rows)
    return _explain(scene, title, (told, note.sentence), quoted, note.cites)


def _is_shared(scene: Scene, note: DocNote) -> bool:
    """Whether a note covers several kinds of cards together."""
    rows = {id(each.row): each.row for each in scene.layout.pieces}.values()
    said = [note_on(scene.booklet, row.origin.span).sentence for row in rows]
    return said.count(note.sentence) > 1


def card_text(scene: Scene, face: int) -> str:
    """The name of a card."""
    return piece_label(scene.layout, scene.layout.faces.index(face), scene.names)


def what_player(scene: Scene, seat: int) -> Reason:
    """What the rules say about players."""
    declared = scene.program.declared
    spans = [each.node.span for each in (declared.players, declared.first) if each is not None]
    first = declared.first.node.text.value if declared.first is not None else None
    begins = f"Who begins: {first}." if first else None
    title = f"{scene.names[seat]}, player {seat + 1} of {len(scene.names)}"
    quoted = [(span, note_on(scene.booklet, span)) for span in spans]
    return _explain(scene, title, (begins,), quoted, ())


def _rows_about(scene: Scene, piece: int) -> Iterator[tuple[Span, DocNote]]:
    """Rows of tables that name a member which the piece has."""
    layout = scene.layout
    members = layout.code.members
    names = set()
    for attribute in layout.code.attributes:
        if isinstance(present(attribute.type), Choice):
            value = layout.attributes[attribute.name][piece]
            values = value if isinstance(value, tuple) else (value,)
            if len(values) == 1 and values[0] is not None:
                names.add(members[values[0]].name)
    count = 0
    for _, row in scene.booklet.rows.values():
        keyed = {
            pattern.first.text
            for key in row.keys
            for pattern in key.patterns
            if isinstance(pattern, nodes.KeyName) and isinstance(pattern.first, nodes.Name)
        }
        if keyed & names and count < _MOST_DEFINITIONS:
            count += 1
            note = note_on(scene.booklet, row.span)
            yield row.span, evolve(note, sentence=said_of_row(scene.booklet, row) or None)

"""A game -> the pictures from which a newcomer learns it: pieces, the table at the start, a turn, and what to remember.

They come from a short game, always the same one, played by `You` and by others who choose at random.
"""

import random
from collections.abc import Iterator, Sequence

from attrs import evolve

from interpreter import session as sessions
from interpreter.display_names import YOU
from interpreter.errors import RuleFault
from interpreter.game_loading import why_unplayable
from interpreter.headings import Heading
from interpreter.labels import piece_label
from interpreter.match import Game
from interpreter.session import Seat, Session
from interpreter.shown.audience import listener
from interpreter.shown.beats import find_beats, mark_changes
from interpreter.shown.cards import draw_card, draw_faces, face_of
from interpreter.shown.palette import PLAIN
from interpreter.shown.picture import Scene, draw_picture, set_scene
from interpreter.shown.reference import ReferenceCard, make_reference
from interpreter.shown.sights import used_zones
from interpreter.shown.tableau import draw_table
from interpreter.story import is_told_by
from interpreter.views import view
from rulespec.docgen.play_data import SCORING, YOUR_TURN, CaptionedDrawing, Lesson, Reminder

SEED = 7
MOST_CHOICES = 400  # that are made to find out where cards may lie
MOST_FACES = 7  # of one kind that are drawn
NAMES = (YOU, "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana")
USUAL = 3  # players, if so many can play


def make_lesson(game: Game) -> Lesson | None:
    """What is drawn of a game; nothing if it cannot be played."""
    players = USUAL if USUAL in game.players else min(game.players)
    if why_unplayable(game.program) is not None or players > len(NAMES):
        return None
    seats = [Seat(name, "human" if name == YOU else "random") for name in NAMES[:players]]
    try:
        session = sessions.begin(game, seats, SEED, 0, keep=False)
        scene = set_scene(session.match, 0)
        first = draw_picture(scene, session.match.view(0), 0)
        _play(session)
    except RuleFault:  # which `rulespec test` tells with its place
        return None
    used = used_zones(session)
    return Lesson(
        players=players,
        table=draw_table(evolve(first, used=used), f"The table for {players} players"),
        turn=tuple(_draw_turn(session, scene, used)),
        pieces=_draw_pieces(scene),
        reminders=tuple(_reminders(make_reference(scene))),
    )


def _play(session: Session) -> None:
    """Play to the end, or for long enough."""
    chance = random.Random(SEED)  # noqa: S311 - always the same game
    while (decision := session.match.decision) is not None and len(
        session.match.choices
    ) < MOST_CHOICES:
        session.match.apply(chance.randrange(len(decision.options)))


# ---- A turn --------------------------------------------------------------------------------------


def _draw_turn(session: Session, scene: Scene, used: frozenset[int]) -> Iterator[CaptionedDrawing]:
    """The table before the first turn or trick, and at its end, with what happened in between."""
    match = session.match
    if not match.marks:  # nobody is asked anything
        return
    start, end = _section(session)
    numbers = [n for n, mark in enumerate(match.marks) if start <= mark < end]
    if not numbers:
        return
    if numbers[0]:  # else the table is as it was laid out
        state = match.moments[numbers[0]].state
        before = draw_picture(scene, view(match.engine, state, 0), 0)
        yield CaptionedDrawing(
            "Before:", draw_table(evolve(before, used=used), "The table before it")
        )
    beats = find_beats(session, scene, numbers[-1], last=True)
    told = [each for each in session.story(0, start, end) if not isinstance(each, Heading)]
    if beats:
        # A trick is swept away at once; what it looked like is seen when its winner is told.
        tellings = [each for each in beats if each.marks.told and scene.middle]
        beat = (tellings or beats)[-1]
        marks = mark_changes(listener(session), match.events[start : beat.until])
        said = " ".join(each.text for each in told if is_told_by(each, end))
        picture = evolve(beat.picture, used=used)
        yield CaptionedDrawing(said, draw_table(picture, "At the end of the turn", marks))


def _section(session: Session) -> tuple[int, int]:
    """The events of the first turn: below the innermost heading, or else until somebody else is asked."""
    match = session.match
    headings = [each for each in session.story(0) if isinstance(each, Heading)]
    if headings:
        deepest = max(each.level for each in headings)
        first = next(n for n, each in enumerate(headings) if each.level == deepest)
        later = [each.at for each in headings[first + 1 :]]
        if deepest:
            return headings[first].at, later[0] if later else len(match.events)
    players = [moment.state.pending.player for moment in match.moments]
    change = next((n for n, each in enumerate(players) if each != players[0]), len(players))
    return match.marks[0], (*match.marks, len(match.events))[change]


# ---- Pieces --------------------------------------------------------------------------------------


def _draw_pieces(scene: Scene) -> str:
    """Some of each kind of pieces, those of different colours first, as one drawing."""
    layout = scene.layout
    kinds: dict[str, dict[str, int]] = {}
    for number, piece in enumerate(layout.pieces):
        label = piece_label(layout, number, scene.names)
        kinds.setdefault(piece.row.kind, {}).setdefault(label, layout.faces[number])
    drawn = {
        label: draw_card(face_of(label, scene.palette.faces.get(face, PLAIN)))
        for found in kinds.values()
        for label, face in _spread(scene, found)
    }
    return draw_faces(drawn)


def _spread(scene: Scene, found: dict[str, int]) -> list[tuple[str, int]]:
    """As many as are shown: of each colour one, with different numbers."""
    tones: dict[str, list[tuple[str, int]]] = {}
    for label, face in found.items():
        tone = scene.palette.faces.get(face, PLAIN)
        tones.setdefault(tone.ground, []).append((label, face))
    rows = [*tones.values()]
    if len(rows) == 1:
        return rows[0][:MOST_FACES]
    return [row[place % len(row)] for place, row in enumerate(rows)][:MOST_FACES]


# ---- What to remember ----------------------------------------------------------------------------


def _reminders(reference: ReferenceCard) -> Iterator[Reminder]:
    sections: Sequence[tuple[str, Sequence[str]]] = (
        (YOUR_TURN, reference.turn),
        ("What the cards do", reference.cards),
        (SCORING, reference.scoring),
        ("The end", reference.ending),
        ("Who wins", reference.winning),
    )
    for title, lines in sections:
        if lines:
            yield Reminder(title, tuple(lines))
        if title == SCORING:
            for each in reference.points:
                about = (each.about,) if each.about is not None else ()
                yield Reminder(each.title, about, each.columns, each.rows)

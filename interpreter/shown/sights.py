"""A session -> everything that its screen shows at one moment, as plain data.

A screen draws from this and never looks into the game: a bot may be thinking about it in a thread.
"""

from attrs import evolve, field, frozen

from interpreter.headings import open_headings
from interpreter.lines import StoryLine
from interpreter.options import Decision
from interpreter.session import Session
from interpreter.shown import audience
from interpreter.shown.beats import Beat, find_beats, mark_changes
from interpreter.shown.offers import Offer, make_offer
from interpreter.shown.open_values import add_values
from interpreter.shown.picture import Picture, Scene, draw_picture
from interpreter.shown.subjects import Marks
from interpreter.story import Entry, is_told_by
from rulespec.english import plural


@frozen
class Sight:
    """What is on the table, what happened, and what the viewer is asked."""

    scene: Scene
    picture: Picture
    story: tuple[Entry, ...]
    new: int  # the first entry that was not on the screen before
    viewer: int | None
    decision: Decision | None = None  # only if it is the viewer's
    offer: Offer | None = None
    over: bool = False
    marks: Marks = field(
        factory=Marks
    )  # what has moved since the viewer's last choice, or in this beat
    is_past: bool = False  # whether this is a moment of the current or an earlier move
    is_again: bool = False  # whether somebody has asked to see it again
    where: tuple[str, ...] = ()  # the round, the turn, the trick


def last_lines(sight: Sight | None) -> str:
    """The last lines of the story, if there is a sight."""
    told = sight.story if sight is not None else ()
    return " ".join([each.text for each in told if isinstance(each, StoryLine)][-2:])


def current_sight(session: Session, scene: Scene, read: int = 0) -> Sight:
    """What the person in front of the screen may see now; `read` events were told before."""
    viewer = session.viewer
    story = audience.told_since(session, audience.look_back(session))
    sight = Sight(
        scene=scene,
        picture=_picture(session, scene),
        story=tuple(story),
        new=sum(is_told_by(item, read) for item in story),
        viewer=viewer,
        over=session.over,
        marks=_changes(session),
        where=_where(session, scene, len(session.match.events)),
    )
    decision = session.match.decision
    if decision is None or decision.player != viewer or not session.is_human(decision.player):
        return sight
    offer = make_offer(scene, session.match, decision)
    return evolve(sight, decision=decision, offer=offer)


def past_sight(
    session: Session, scene: Scene, beat: Beat, read: int = 0, *, again: bool = False
) -> Sight:
    """What the viewer saw at a past moment; it asks nothing."""
    since = 0 if session.holder is None else session.look_back(session.holder)
    story = audience.told_until(session, since, beat.until)
    events, until = session.match.events, beat.until
    while until and events[until - 1].kind == "heading":  # it belongs to what comes next
        until -= 1
    return Sight(
        scene=scene,
        picture=evolve(beat.picture, used=beat.picture.used | used_zones(session)),
        story=tuple(story),
        new=sum(is_told_by(item, read) for item in story),
        viewer=session.holder,
        marks=beat.marks,
        is_past=True,
        is_again=again,
        where=_where(session, scene, until),
    )


def look_again(session: Session, scene: Scene, number: int) -> list[Beat] | None:
    """The moments of a choice, by its number, to show again; None if it may no longer be shown."""
    match = session.match
    if not 0 <= number < len(match.marks) or match.marks[number] < audience.look_back(session):
        return None
    found = find_beats(session, scene, number, last=True)
    # The very last moment is the table as it is now.
    return found[:-1] if number == len(match.marks) - 1 else found


def _changes(session: Session) -> Marks:
    """What has moved since the viewer's last choice; for a spectator, in the last move."""
    match = session.match
    if session.over or not match.marks:
        return Marks()
    since = match.marks[-1]
    if session.viewer is not None:
        since = session.since_choice(session.viewer) or match.marks[0]
    return mark_changes(audience.listener(session), match.events[since:])


def _where(session: Session, scene: Scene, until: int) -> tuple[str, ...]:
    """The open headings; a round also names the total, where an option gives it."""
    found = open_headings(audience.listener(session), session.match.events[:until])
    return tuple(_of_how_many(scene, each.text) for each in found)


def _of_how_many(scene: Scene, text: str) -> str:
    """`Round 2` -> `Round 2 of 6`, if there is an option `rounds`."""
    word, _, rest = text.partition(" ")
    number = rest.partition(" ")[0]
    many = scene.layout.options.get(plural(word.casefold()))
    if isinstance(many, bool) or not isinstance(many, int) or not number.isdecimal():
        return text
    return f"{word} {number} of {max(many, int(number))}{rest.removeprefix(number)}"


def used_zones(session: Session) -> frozenset[int]:
    """Zones that were not empty when a player was asked, if all players may count them."""
    visibility = session.match.engine.visibility
    return frozenset(
        number
        for moment in session.match.moments
        for number, zone in enumerate(moment.state.zones)
        if zone and visibility.counts[number] == visibility.everyone
    )


def _picture(session: Session, scene: Scene) -> Picture:
    """The table now, including zones in use that are empty at the moment."""
    picture = draw_picture(scene, audience.visible_view(session), session.viewer)
    turn = None if session.over else picture.turn
    if turn is None and audience.is_clear(session):
        turn = session.asked
    match = session.match
    to = audience.listener(session)
    picture = add_values(picture, scene, match.engine, match.state, to)
    return evolve(picture, turn=turn, used=picture.used | used_zones(session))

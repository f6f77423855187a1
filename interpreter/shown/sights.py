"""A session -> everything that its screen shows at one moment, as plain data.

A screen draws from this and never looks into the game: a bot may be thinking about it in a thread.
"""

from attrs import evolve, frozen

from interpreter.options import Decision
from interpreter.session import Session
from interpreter.shown import audience
from interpreter.shown.offers import Offer, make_offer
from interpreter.shown.picture import Picture, Scene, draw
from interpreter.story import Entry, is_told_by


@frozen
class Sight:
    """What is on the table, what happened, and what is asked of whoever looks."""

    scene: Scene
    picture: Picture
    story: tuple[Entry, ...]
    new: int  # the first of it that was not on the screen before
    viewer: int | None
    decision: Decision | None = None  # only if it is the viewer's
    offer: Offer | None = None
    over: bool = False


def look(session: Session, scene: Scene, read: int = 0) -> Sight:
    """What may be seen now by whoever sits before the screen; `read` events were told before."""
    viewer = session.viewer
    story = audience.told(session, audience.look_back(session))
    sight = Sight(
        scene=scene,
        picture=_picture(session, scene),
        story=tuple(story),
        new=sum(is_told_by(item, read) for item in story),
        viewer=viewer,
        over=session.over,
    )
    decision = session.match.decision
    if decision is None or decision.player != viewer or not session.is_human(decision.player):
        return sight
    offer = make_offer(scene, session.match, decision)
    return evolve(sight, decision=decision, offer=offer)


def _picture(session: Session, scene: Scene) -> Picture:
    """The table now, with the places that are empty at the moment."""
    picture = draw(scene, audience.seen(session), session.viewer)
    turn = None if session.over else picture.turn
    if turn is None and audience.is_clear(session):
        turn = session.asked
    # How many cards lie anywhere is seen by all.
    used = {
        number
        for moment in session.match.moments
        for number, zone in enumerate(moment.state.zones)
        if zone
    }
    return evolve(picture, turn=turn, used=picture.used | used)

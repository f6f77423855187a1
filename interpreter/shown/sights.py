"""A session -> everything that its screen shows at one moment, as plain data.

A screen draws from this and never looks into the game: a bot may be thinking about it in a thread.
"""

from attrs import evolve, frozen

from interpreter.options import Decision
from interpreter.session import Session
from interpreter.shown import audience
from interpreter.shown.offers import Offer, make_offer
from interpreter.shown.picture import Picture, Scene, draw
from interpreter.telling import Sentence


@frozen
class Sight:
    """What is on the table, what happened, and what is asked of whoever looks."""

    scene: Scene
    picture: Picture
    sentences: tuple[Sentence, ...]
    new: int  # the first sentence that was not on the screen before
    viewer: int | None
    decision: Decision | None = None  # only if it is the viewer's
    offer: Offer | None = None
    over: bool = False


def look(session: Session, scene: Scene, read: int = 0) -> Sight:
    """What may be seen now by whoever sits before the screen; `read` events were told before."""
    viewer = session.viewer
    since = audience.look_back(session)
    before = audience.told(session, since, max(since, read))
    after = audience.told(session, max(since, read))
    sight = Sight(
        scene=scene,
        picture=draw(scene, audience.seen(session), viewer),
        sentences=(*before, *after),
        new=len(before),
        viewer=viewer,
        over=session.over,
    )
    decision = session.match.decision
    if decision is None or decision.player != viewer or not session.is_human(decision.player):
        return sight
    offer = make_offer(scene, session.match, decision)
    return evolve(sight, decision=decision, offer=offer)

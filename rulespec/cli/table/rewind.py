"""A game under way -> its earlier moments, one by one, as far back as the player may look."""

from attrs import define, field

from interpreter.session import Session
from interpreter.shown.beats import Beat
from interpreter.shown.picture import Scene
from interpreter.shown.sights import look_again


@define
class Rewind:
    """The moments found so far, the oldest choice among them, and which moment is shown."""

    session: Session
    scene: Scene
    oldest: int
    beats: list[Beat] = field(factory=list)
    place: int = 0


def begin_rewind(session: Session, scene: Scene) -> Rewind:
    """At the present, before anything was looked at."""
    return Rewind(session, scene, len(session.match.choices))


def step_back(rewind: Rewind) -> Beat | None:
    """The moment before; nothing if it may not be seen any more."""
    while rewind.place == 0:
        found = look_again(rewind.session, rewind.scene, rewind.oldest - 1)
        if found is None:
            return None
        rewind.oldest -= 1
        rewind.beats[:0] = found
        rewind.place = len(found)
    rewind.place -= 1
    return rewind.beats[rewind.place]


def step_on(rewind: Rewind) -> Beat | None:
    """The next moment; nothing if that is the present."""
    rewind.place += 1
    return rewind.beats[rewind.place] if rewind.place < len(rewind.beats) else None

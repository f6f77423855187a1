"""Playing. One game at a time is under way.

Whatever is told about it is for the seat in `Frame.viewer`, and holds nothing that this player may not know.
Where several people play, the screen is handed over: as long as `Frame.hand_to` names a seat there is nothing
to see, and `take` says that this player looks now.
"""

from typing import Literal, NotRequired, TypedDict

from rulespec.playground.protocol.basics import Rules
from rulespec.playground.protocol.screen import Frame, Seat


class StartRequest(TypedDict):
    """Begin a game; an older one is forgotten."""

    kind: Literal["start"]
    rules: Rules
    seats: list[Seat]
    # Decimal digits, for tests: whoever knows the seed knows all cards. Leave it out, and
    # one is drawn.
    seed: NotRequired[str]
    # The seat that begins, if chance is not to say.
    first: NotRequired[int]


class TakeRequest(TypedDict):
    """The player in `Frame.hand_to` has the screen now, and the others do not look."""

    kind: Literal["take"]


class BotRequest(TypedDict):
    """If `Frame.waiting` says that bots think: let them choose until something can be seen."""

    kind: Literal["bot"]
    # Whether every moment of it is to be seen.
    beats: NotRequired[bool]


class TickRequest(TypedDict):
    """What may be ticked beside what is ticked, if `Question.ticking`."""

    kind: Literal["tick"]
    # Numbers of items.
    chosen: list[int]


class ChooseRequest(TypedDict):
    """Answer the question: with an item, or with those that are ticked."""

    kind: Literal["choose"]
    # An item, if nothing is ticked; also the one for declining.
    item: NotRequired[int]
    # The ticked items.
    ticked: NotRequired[list[int]]
    # Whether every moment of what follows is to be seen.
    beats: NotRequired[bool]


class UndoRequest(TypedDict):
    """Take back the last choice of a person, and what bots did after it."""

    kind: Literal["undo"]


class FrameReply(TypedDict):
    frame: Frame


class MoveReply(TypedDict):
    # The moments of what was chosen, for whoever had the screen; the last one is the
    # outcome if they must pass it on.
    beats: list[Frame]
    frame: Frame


class LeaveRequest(TypedDict):
    """Take the game off the table."""

    kind: Literal["leave"]


class LeaveReply(TypedDict):
    """Nothing is left to say."""


class ResumeRequest(TypedDict):
    """Go on with the game that an earlier worker of this tab has kept."""

    kind: Literal["resume"]


class ResumeReply(TypedDict):
    # What it is played by; null if there is no such game.
    rules: Rules | None
    # The game as it was left; null if there is none.
    frame: Frame | None
    # Why a game that was kept cannot go on; null if it can, or if there is none.
    lost: str | None

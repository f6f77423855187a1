"""The game under way, as the backend keeps it between requests: with all of its secrets."""

from typing import TYPE_CHECKING

from attrs import define

from rulespec.playground.drafts import Draft

if TYPE_CHECKING:
    from interpreter.session import Session
    from interpreter.shown.picture import Scene
    from interpreter.shown.sights import Sight


@define(eq=False)
class OpenGame:
    """The rules, the session, and what the page showed last.

    `sight` is the last thing that the page was sent; it may ask why something in it is so. After a fault of the rules
    the game is broken, and cannot continue.
    """

    draft: Draft
    session: "Session"
    scene: "Scene"
    sight: "Sight | None" = None
    read: int = 0  # events that were on the screen
    is_broken: bool = False

"""A game under way, as it is kept between requests: with all of its secrets."""

from typing import TYPE_CHECKING

from attrs import define

from rulespec.playground.drafts import Draft

if TYPE_CHECKING:
    from interpreter.session import Session
    from interpreter.shown.picture import Scene
    from interpreter.shown.sights import Sight


@define(eq=False)
class OpenGame:
    """The rules, those who play, and what was last shown of it.

    `sight` is what the page was told last, of which it may ask why. After a rule could not go on the game
    is broken, and nothing more can be done with it.
    """

    draft: Draft
    session: "Session"
    scene: "Scene"
    sight: "Sight | None" = None
    read: int = 0  # events that were on the screen
    is_broken: bool = False

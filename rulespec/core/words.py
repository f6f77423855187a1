"""Words of a program for people: they change no rule."""

from attrs import frozen


@frozen
class Called:
    """What people call something, one of it and several; without words it is not for the table."""

    words: str | None
    plural: str | None = None


@frozen
class Blurb:
    """What a game says of itself: what it is about, how one wins, what one does in a turn, minutes and ages as on the box, advice.

    `credits` are the titles and authors of the game and of those that it is built on, the lowest first.
    """

    about: str | None = None
    goal: str | None = None
    turn: str | None = None
    minutes: tuple[int, int] | None = None
    ages: int | None = None
    advice: tuple[str, ...] = ()
    credits: tuple[tuple[str, str | None], ...] = ()

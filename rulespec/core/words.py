"""The words of a program for people, as data: stories and pages use them, and they change no rule."""

from attrs import frozen


@frozen
class Called:
    """The name of a thing for people, in singular and plural; a thing without words is not mentioned to players."""

    words: str | None
    plural: str | None = None


@frozen
class Blurb:
    """The description of a game: its topic, how to win, what to do in a turn, minutes and ages as on the box, advice.

    `credits` lists the titles and authors of the game and of the games that it builds on, the lowest layer first.
    """

    about: str | None = None
    goal: str | None = None
    turn: str | None = None
    minutes: tuple[int, int] | None = None
    ages: int | None = None
    advice: tuple[str, ...] = ()
    credits: tuple[tuple[str, str | None], ...] = ()

"""What there is: the shipped games, and what can be chosen before a game begins."""

from typing import Literal, TypedDict


class HelloRequest(TypedDict):
    """Ask who is there; this also loads what the editor needs first."""

    kind: Literal["hello"]


class HelloReply(TypedDict):
    # The version of rulespec.
    version: str


class GamesRequest(TypedDict):
    """The shipped games and overlays.

    The reply is always the same, so it may be made when the site is built.
    """

    kind: Literal["games"]


class Variant(TypedDict):
    name: str
    title: str
    # How many play it.
    players: tuple[int, int]
    about: str


class Option(TypedDict):
    name: str
    # The values as they are written; for a number there is one, its range, such as `1..5`.
    values: list[str]
    default: str
    about: str


class Menu(TypedDict):
    """What can be chosen before a game begins."""

    title: str
    author: str | None
    # What stands beside the title, or the rulebook after which it is told.
    about: str
    # The fewest players and the most.
    players: tuple[int, int]
    variants: list[Variant]
    options: list[Option]


class ShippedGame(TypedDict):
    file: str
    # The whole text, for the editor.
    text: str
    # The file that it builds on, if it is an overlay; with what is chosen there.
    extends: str | None
    menu: Menu


class Bot(TypedDict):
    # `random`, `greedy` or `search`; in a seat also with a strength, `search:3s`.
    word: str
    about: str


class PlotStyle(TypedDict):
    # Custom properties by light: `--ink: #1b1d21; …`.
    light: str
    # The same by dark.
    dark: str
    # Rules for the parts of a plot, which use these properties.
    rules: str


class GamesReply(TypedDict):
    games: list[ShippedGame]
    # The kinds of bots, each with a sentence about it.
    bots: list[Bot]
    # Style sheet of the plots: put it on the page once.
    plots: PlotStyle


class OverlayRequest(TypedDict):
    """An overlay of a shipped game that changes nothing yet, and shows what could be changed."""

    kind: Literal["overlay"]
    # The shipped file.
    file: str
    # What the changed game is called.
    title: str


class OverlayReply(TypedDict):
    # A name for the new file.
    file: str
    text: str

"""Counting. A study is played in slices.

So the worker can answer other requests in between, and nobody has to wait for what is not wanted any more: send
`more` until `finished`, or just stop.
"""

from typing import Any, Literal, NotRequired, TypedDict

from rulespec.playground.protocol.basics import Rules


class SimulateRequest(TypedDict):
    """Play many games, and tell what can be said of them."""

    kind: Literal["simulate"]
    rules: Rules
    # With each number of players.
    games: int
    # How many play; every number that the rules allow if it is left out.
    players: NotRequired[list[int]]
    # Who plays, in the order of play; one word stands for all seats; all at random if it is
    # left out.
    seats: NotRequired[list[str]]
    # The same seed gives the same numbers; 1 if it is left out.
    seed: NotRequired[int]
    # Of so many games look at every step, for rules, cards and the lead; 20 if it is left out.
    sample: NotRequired[int]
    # So many games are played again by somebody who never does a thing, for each thing; 0 if it is left out.
    without: NotRequired[int]


class CompareRequest(TypedDict):
    """Play the shipped rules and those in the editor on the same seeds, and tell how they differ."""

    kind: Literal["compare"]
    rules: Rules
    # The shipped file to compare with.
    against: str
    games: int
    players: NotRequired[list[int]]
    seats: NotRequired[list[str]]
    seed: NotRequired[int]
    without: NotRequired[int]


class MoreRequest(TypedDict):
    """Another slice of a study."""

    kind: Literal["more"]
    study: int


class Verdict(TypedDict):
    players: int
    changed: bool
    text: str


class Figure(TypedDict):
    """A plot."""

    # How many play.
    players: int
    title: str
    note: str
    # An `<svg>` of ours, with a title and a description in it.
    svg: str


class Report(TypedDict):
    # As `rulespec simulate` or `rulespec compare` prints it.
    text: str
    # What surely changed, of each number of players; only of a comparison.
    verdicts: list[Verdict]
    figures: list[Figure]
    # The numbers, as `rulespec simulate --json` gives them.
    data: dict[str, Any]


class StudyReply(TypedDict):
    # To ask for more.
    study: int
    finished: bool
    # Games that are played, of all of them.
    done: int
    total: int
    # How far it is: `3 players, 120 of 300 games`.
    text: str
    # What can be said by now: every slice has at least one game.
    report: Report

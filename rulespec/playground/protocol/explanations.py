"""About the game that is played: pictures of its cards, how it goes, why something is so, what a bot would do."""

from typing import Literal, NotRequired, TypeAlias, TypedDict

from rulespec.playground.protocol.basics import Rules, Span
from rulespec.playground.protocol.screen import Tone


class CardsRequest(TypedDict):
    """Pictures of the cards of the game on the table."""

    kind: Literal["cards"]


class CardPicture(TypedDict):
    # As in `Stack.faces`.
    face: int
    # Shown as an image, never as a part of the page.
    svg: str
    # What it does, in the author's words; empty if nothing is said of it.
    does: str


class FactWord(TypedDict):
    text: str
    tone: Tone | None


class Fact(TypedDict):
    """Something to have in sight, such as trump or points."""

    title: str
    words: list[FactWord]


class CardsReply(TypedDict):
    cards: list[CardPicture]
    # The back of a card, as SVG.
    back: str
    facts: list[Fact]


class ReferenceRequest(TypedDict):
    """What one should know to play."""

    kind: Literal["reference"]
    # Without them it is about the game on the table.
    rules: NotRequired[Rules]


class Points(TypedDict):
    """A table of points."""

    title: str
    about: str | None
    columns: tuple[str, str]
    rows: list[tuple[str, str]]


class ReferenceReply(TypedDict):
    title: str
    about: str | None
    goal: str | None
    # `2 to 5 players`, `30 minutes`
    facts: list[str]
    # How it is played, in sentences.
    turn: list[str]
    # What cards do.
    cards: list[str]
    scoring: list[str]
    points: list[Points]
    # Who wins, and what breaks a tie.
    winning: list[str]
    ending: list[str]
    advice: list[str]


class ZoneSubject(TypedDict):
    of: Literal["zone"]
    zone: int


class CardsSubject(TypedDict):
    of: Literal["cards"]
    zone: int
    faces: list[int]


class CounterSubject(TypedDict):
    of: Literal["counter"]
    variable: int


class PlayerSubject(TypedDict):
    of: Literal["player"]
    seat: int


class ItemSubject(TypedDict):
    of: Literal["item"]
    number: int


class QuestionSubject(TypedDict):
    of: Literal["question"]


class SentenceSubject(TypedDict):
    of: Literal["sentence"]
    number: int


class ScoreSubject(TypedDict):
    of: Literal["score"]
    seat: int
    row: int


# What one can point at.
Subject: TypeAlias = (
    ZoneSubject
    | CardsSubject
    | CounterSubject
    | PlayerSubject
    | ItemSubject
    | QuestionSubject
    | SentenceSubject
    | ScoreSubject
)


class WhyRequest(TypedDict):
    """Why something is as it is, or what it is."""

    kind: Literal["why"]
    subject: Subject
    # The items that are ticked.
    chosen: NotRequired[list[int]]


class Quote(TypedDict):
    # `sins.rules:120:3`
    place: str
    text: str
    # What is said above these words.
    sentence: str | None
    # Where they stand.
    span: Span


class Clause(TypedDict):
    name: str
    section: str
    # What the rules say of it.
    texts: list[str]


class WhyReply(TypedDict):
    title: str
    sentences: list[str]
    # Words of the rules.
    quotes: list[Quote]
    # Clauses of the rulebook that are cited.
    clauses: list[Clause]


class HintRequest(TypedDict):
    """What a bot would choose in the place of the viewer, with what that player knows."""

    kind: Literal["hint"]
    # The word of a bot; a search of a second if it is left out.
    bot: NotRequired[str]


class Opinion(TypedDict):
    item: int
    # The share of games won after it.
    share: float
    # In how many games it was tried.
    tried: int


class HintReply(TypedDict):
    # `A bot would choose …`
    text: str
    # The item, if one item is the answer.
    item: int | None
    # The items to tick, if several are.
    ticked: list[int]
    # What it thinks of the items, the best first; none if things are ticked.
    opinions: list[Opinion]

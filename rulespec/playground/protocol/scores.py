"""The result of a game: who wins, and how every score came about."""

from typing import TypedDict


class AccountEntry(TypedDict):
    title: str
    cells: list[str]
    value: str
    note: str | None


class Account(TypedDict):
    """How a number came about: entries that are added up, and what they follow from."""

    title: str
    value: str
    # Above the cells of the entries.
    columns: list[str]
    # Above their values.
    unit: str
    entries: list[AccountEntry]
    # The word before the sum.
    total: str
    notes: list[str]
    parts: list["Account"]


class ScoreMark(TypedDict):
    added: str
    total: str
    leads: bool
    # How what was added came about, if there is anything to say.
    why: Account | None


class ScoreRound(TypedDict):
    title: str
    marks: list[ScoreMark]


class ScoreSheet(TypedDict):
    """Rounds as rows, players as columns, by seat."""

    title: str
    rounds: list[ScoreRound]


class Criterion(TypedDict):
    """Something that is counted, and how what the players have came about."""

    title: str
    # `The most points win.`
    about: str
    # The players whom it had to tell apart; nobody, if there was no tie.
    seats: list[int]
    # What wins, and what else the rules say of it.
    sentences: list[str]
    # What all scores follow from.
    shared: list[Account]
    # Of each seat; nothing if there is a sheet.
    accounts: list[Account]
    sheet: ScoreSheet | None


class ResultRow(TypedDict):
    # The player, or the first one of a team.
    seat: int
    # `Ada`, or `Ada and Cleo (North and South)`
    name: str
    place: int
    # The values as texts; `–` if there is none.
    scores: list[str]
    # What broke a tie, or who shares the victory; where everybody can lose, how it went.
    note: str | None


class Result(TypedDict):
    # The seats that win.
    winners: list[int]
    # `The game is over: Ada and Ben win.`
    text: str
    # Why it ended; null if the rules do not say it in a sentence.
    ending: str | None
    # What is counted, in order.
    criteria: list[Criterion]
    # A row for each player or team, the best first.
    rows: list[ResultRow]
    # The seed, as decimal digits: now it may be told.
    seed: str

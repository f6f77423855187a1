"""A game -> its result and how it came about: why it ended, every score, and who wins by what.

Before the end, it tells only those parts of each score that the listener may know, and nothing about who wins.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, frozen

from interpreter.accounts import Account, make_account
from interpreter.derivations import Closed, Derivation, Plain, value_of
from interpreter.deriving import derive
from interpreter.display_names import Listener, is_you, who
from interpreter.errors import RuleFault
from interpreter.flat import Code
from interpreter.labels import seat_name
from interpreter.layout import place_in
from interpreter.machine import Ended, Machine, Result, compares, rank
from interpreter.match import Match
from interpreter.sheets import ScoreSheet, kept_number, make_history, make_sheet
from interpreter.state import OVER, State
from interpreter.titles import (
    counted_noun,
    derived_type,
    op_title,
    row_title,
    strip,
    title_of,
    value_text,
)
from interpreter.value_histories import NO_PAST, VariableHistory, relive
from interpreter.value_terms import NOT_OPEN, Teller
from rulespec.core.tree import Op, RankRow, Role, walk_operations
from rulespec.english import in_words, is_several, listed, sentence

_EITHER = "Whether the most or the fewest win"
_DETAILS = (
    1  # last rounds told in full during the game; remembering earlier ones is part of playing
)


@frozen
class Criterion:
    """A row of the ranking: the players' values, whether the most or the fewest win, and how all that came about.

    There is an account for each seat; `shared` holds the values on which all of them depend, `notes` the sentences of
    the rules about several. `seats` are the players whom the row compared: all, or those who tied before; one for each
    team. `won` and `drawn` are no counts, so they have a sentence at most.
    """

    role: Role
    title: str
    most_wins: bool | None  # None if the listener may not know
    sentence: str
    seats: tuple[int, ...]
    verdict: Account | None
    accounts: tuple[Account, ...]
    shared: tuple[Account, ...]
    notes: tuple[str, ...]
    sheet: ScoreSheet | None


@frozen
class Standing:
    """The place of a player, or of a team by its first seat; the deciding values, and what broke a tie.

    `ended` says how the game went, if everybody can lose it.
    """

    place: int
    seats: tuple[int, ...]
    name: str
    values: tuple[str, ...]
    wins: bool
    ended: Ended | None
    note: str | None

    @property
    def seat(self) -> int:
        """The player, or the first player of the team."""
        return self.seats[0]


@frozen
class Outcome:
    """Why the game ended, the criteria, and the players from the first to the last place."""

    ending: str | None
    criteria: tuple[Criterion, ...]
    standings: tuple[Standing, ...]


@frozen
class _Table:
    """A game to explain: its state, the history of some variables, and the names of the players."""

    engine: Machine
    state: State
    past: VariableHistory
    names: tuple[str, ...]
    result: Result
    is_over: bool


def explain_result(match: Match, to: Listener) -> Outcome:
    """The result of a game, or how it stands, and how all of it came about."""
    code = match.engine.layout.code
    kept = {op.word for row in code.ranking for op in _named(code, row.key)}
    return explain_state(match.engine, match.state, to, relive(match, to, kept))


def _named(code: Code, op: Op) -> Iterator[Op]:
    """The variables that an expression names, in itself or in a `let` that it calls."""
    for each in walk_operations(op):
        if each.name == "variable":
            yield each
        elif each.name == "call" and len(code.functions[each.word].rows) == 1:
            yield from _named(code, code.functions[each.word].rows[0].cell)


def explain_state(
    engine: Machine, s: State, to: Listener, past: VariableHistory = NO_PAST
) -> Outcome:
    """The same for a state, with the history of its variables."""
    seats = range(engine.layout.players)
    names = tuple(seat_name(to.names, seat) for seat in seats)
    is_over = s.phase == OVER
    result = rank(engine, s.clone()) if is_over else Result((), (), ())
    names = _side_names(engine.layout.code, names, result)
    table = _Table(engine, s, past, names, result, is_over)
    teller = Teller(to)
    ranking = tuple(row for row in engine.layout.code.ranking if compares(row))
    found = [tuple(_find(table, to, row.key, row.scratch, (p,)) for p in seats) for row in ranking]
    criteria = [
        _criterion(table, teller, row, keys) for row, keys in zip(ranking, found, strict=True)
    ]
    if not is_over:
        # Nobody knows yet whether there will be a tie.
        first = next((n for n, each in enumerate(criteria) if each.role == "score"), None)
        shown = (each if n == first else evolve(each, seats=()) for n, each in enumerate(criteria))
        return Outcome(None, tuple(shown), ())
    said = past.ending.sentence if past.ending is not None else None
    return Outcome(
        ending=sentence(said) if said else None,
        criteria=tuple(
            evolve(each, seats=_compared(table, n) if each.role == "score" else ())
            for n, each in enumerate(criteria)
        ),
        standings=tuple(_standings(table, teller, found, criteria)),
    )


def _find(
    table: _Table, to: Listener, op: Op, scratch: int, slots: tuple[int, ...] = ()
) -> Derivation:
    """The derivation of a score; some scores can be told only when the game is over."""
    try:
        return derive(table.engine, table.state, op, to, slots=slots, scratch=scratch)
    except RuleFault:
        if table.is_over:
            raise
        return Closed(op)


def _compared(table: _Table, number: int) -> tuple[int, ...]:
    """The players whom a row of the ranking compares: those who tie in all rows above it."""
    seats = [side[0] for side in table.result.sides]
    scores = table.result.scores
    above = [tuple(score.value for score in scores[seat][:number]) for seat in seats]
    return tuple(
        seat
        for seat, each in zip(seats, above, strict=True)
        if above.count(each) > 1 or _is_first_score(table.engine, number)
    )


def _is_first_score(engine: Machine, number: int) -> bool:
    return all(row.role != "score" for row in engine.layout.code.ranking[:number])


def _side_names(code: Code, names: tuple[str, ...], result: Result) -> tuple[str, ...]:
    """The name of each seat in a result: partners have the names of both, and the name of their team."""
    if not result.teams:
        return names
    found = list(names)
    for side in result.sides:
        team = code.members[result.teams[side[0]]].label
        for seat in side:
            found[seat] = f"{listed([names[each] for each in side])} ({team})"
    return tuple(found)


# ---- Criteria ------------------------------------------------------------------------------------


def _criterion(
    table: _Table, teller: Teller, row: RankRow, keys: Sequence[Derivation]
) -> Criterion:
    if row.role != "score":
        needed = row.origin.sentence or (_needed(teller, row.key) if row.role == "won" else "")
        told = sentence(needed) if needed else ""
        return Criterion(row.role, "", None, told, (), None, (), (), (), None)
    order = _find(table, teller.to, row.order, row.scratch)
    most_wins = None if isinstance(order, Closed) else value_of(order) == 1
    verdict = make_account(teller, "", order)
    if most_wins is None:
        verdict = Account("", NOT_OPEN, notes=(f"{_EITHER} is {NOT_OPEN}.",))
    title = _title(table, teller, row, keys[0])
    sheet = _sheet(table, teller, title, keys, most_wins=bool(most_wins))
    accounts = [
        _account(table, teller, name, key) for name, key in zip(table.names, keys, strict=True)
    ]
    shared = tuple(
        part for part in accounts[0].parts if all(part in each.parts for each in accounts)
    )
    is_first = (
        next(each for each in table.engine.layout.code.ranking if each.role == "score") is row
    )
    tie = "" if is_first else "among those who tie, "
    ordered = _ordered(teller, title, keys[0], most_wins=most_wins)
    is_lost = table.is_over and _all_lose(table)
    said = [note for each in accounts for note in each.notes]
    notes = tuple(dict.fromkeys(note for note in said if said.count(note) > 1))
    return Criterion(
        role=row.role,
        title=title,
        most_wins=most_wins,
        sentence=sentence(row.origin.sentence or f"{tie}{ordered}") if not is_lost else "",
        seats=tuple(range(len(keys))),
        verdict=verdict if verdict.notes or verdict.parts else None,
        accounts=tuple(
            evolve(
                each,
                parts=tuple(part for part in each.parts if part not in shared),
                notes=tuple(note for note in each.notes if note not in notes),
            )
            for each in accounts
        ),
        shared=shared,
        notes=notes,
        sheet=sheet,
    )


def _needed(teller: Teller, key: Op) -> str:
    """The number that wins, as a sentence; empty if the row is not such a condition."""
    if key.name not in ("at_least", "greater") or key.operands[1].name != "literal":
        return ""
    subject, bound = key.operands
    title = op_title(teller.to, subject)
    if title is None or not isinstance(bound.value, int):
        return ""
    number = bound.value + (key.name == "greater")
    if is_several(title):
        return f"whoever has {in_words(number)} {title} or more has won"
    return f"it takes a {title} of {number} or more to win"


def _all_lose(table: _Table) -> bool:
    """Whether nobody has won a cooperative game, so that it does not matter who has more."""
    won = any(row.role == "won" for row in table.engine.layout.code.ranking)
    return won and not table.result.winners


def _title(table: _Table, teller: Teller, row: RankRow, key: Derivation) -> str:
    """The title of a row of the ranking; if two rows would have the same title, with the place of the pieces."""
    ranking = [each for each in table.engine.layout.code.ranking if each.role == "score"]
    place = next(n for n, each in enumerate(ranking) if each is row)
    unnamed = f"tie-break {place}" if place else "points"
    title = title_of(teller.to, key) or row_title(teller.to, key) or unnamed
    others = [each for each in ranking if each is not row]
    if any(op_title(teller.to, each.key) == title for each in others):
        return row_title(teller.to, key) or title
    return title


def _ordered(teller: Teller, title: str, key: Derivation, *, most_wins: bool | None) -> str:
    """What wins, where the rules do not say it in a sentence."""
    if most_wins is None:
        return "what wins is decided in the course of the game"
    noun, most = counted_noun(teller.to, key), "most" if most_wins else "fewest"
    if noun is not None:
        where = "" if title == title_of(teller.to, key) else f" in {title}"
        return f"the {most} {noun[1]}{where} win"
    if strip(key).op.name == "count":
        return f"whoever has the {most} in {title} wins"
    if title.endswith("points"):
        return f"the {most} {title} win"
    return f"the {'highest' if most_wins else 'lowest'} {title} wins"


def _account(table: _Table, teller: Teller, name: str, key: Derivation) -> Account:
    """How a score came about; for a variable, the changes of its value."""
    kept = kept_number(key)
    if kept is None:
        return make_account(teller, name, key)
    number = _number(table, kept)
    changes = [each for each in table.past.changes if each.variable == number]
    starts = table.past.starts[number : number + 1]
    numbers = [*starts, *(each.before for each in changes)]
    if not starts or not all(isinstance(each, int) for each in numbers):
        return make_account(teller, name, key)
    unit = title_of(teller.to, key) or ""
    return make_history(name, unit, starts[0], changes, kept.value)


def _number(table: _Table, kept: Plain) -> int:
    family = table.engine.layout.variable_families[kept.op.word]
    return place_in(family, [value_of(each) for each in kept.parts])


def _sheet(
    table: _Table,
    teller: Teller,
    title: str,
    keys: Sequence[Derivation],
    *,
    most_wins: bool,
) -> ScoreSheet | None:
    kept = [kept_number(each) for each in keys]
    if any(each is None for each in kept):
        return None
    variables = [_number(table, each) for each in kept if each is not None]
    if len(set(variables)) < len(variables):
        return None
    details = None if table.is_over else _DETAILS
    return make_sheet(
        teller, title, table.past.changes, variables, most_wins=most_wins, details=details
    )


# ---- Places --------------------------------------------------------------------------------------


def _standings(
    table: _Table,
    teller: Teller,
    found: Sequence[Sequence[Derivation]],
    criteria: Sequence[Criterion],
) -> list[Standing]:
    result = table.result
    can_lose = any(each.role != "score" for each in criteria)
    sides = sorted(result.sides, key=lambda side: result.places[side[0]])
    return [
        Standing(
            place=1 + sum(result.places[each[0]] < result.places[seat] for each in sides),
            seats=side,
            name=table.names[seat],
            values=tuple(
                value_text(teller.to, value_of(keys[seat]), derived_type(keys[seat]))
                for keys in found
            ),
            wins=seat in result.winners,
            ended=result.ended(seat) if can_lose else None,
            note=_note(table, teller, found, criteria, side),
        )
        for side in sides
        for seat in side[:1]
    ]


def _note(
    table: _Table,
    teller: Teller,
    found: Sequence[Sequence[Derivation]],
    criteria: Sequence[Criterion],
    side: tuple[int, ...],
) -> str | None:
    """What puts a player ahead of others with the same score, or that they share the place."""
    result, seat = table.result, side[0]
    values = [tuple(score.value for score in scores) for scores in result.scores]
    others = [each[0] for each in result.sides if each != side]
    for n in range(1, len(criteria)):
        behind = [
            q
            for q in others
            if values[q][:n] == values[seat][:n]
            and values[q][n] != values[seat][n]
            and result.places[q] > result.places[seat]
        ]
        if behind and (criteria[n].role != "score" or _is_first_score(table.engine, n)):
            return None
        if behind:
            return _broken(table, teller, found[n], criteria[n], seat, behind)
    equal = [q for q in others if values[q] == values[seat]]
    if not equal:
        return None
    if _all_lose(table):
        return None
    names = listed([who(table.names, q) for q in equal])
    if seat not in result.winners:
        return f"level with {names}"
    several = len(side) > 1 or is_you(table.names, seat)
    return f"{'share' if several else 'shares'} the victory with {names}"


def _broken(  # noqa: PLR0913, PLR0917 - who is ahead of whom by what
    table: _Table,
    teller: Teller,
    keys: Sequence[Derivation],
    criterion: Criterion,
    seat: int,
    behind: list[int],
) -> str:
    """`two cards break the tie with Bruno, who has one`"""
    names = listed([who(table.names, q) for q in behind])
    are_teams = any(len(side) > 1 for side in table.result.sides if side[0] in behind)
    has = "have" if are_teams or len(behind) > 1 or names == "you" else "has"
    noun = counted_noun(teller.to, strip(keys[seat]))
    mine, theirs = value_of(keys[seat]), {value_of(keys[q]) for q in behind}
    if noun is not None:
        one, several = noun
        words = f"{in_words(mine)} {one if mine == 1 else several}"
        breaks = "breaks" if mine == 1 else "break"
    else:
        words = f"{criterion.title} {_said(teller, keys[seat])}"
        breaks = "breaks"
    if len(theirs) > 1:
        less = "fewer" if criterion.most_wins else "more"
        other = less
    elif noun is not None:
        (number,) = theirs
        other = in_words(number) if number else f"no {noun[1]}"
    else:
        other = _said(teller, keys[behind[0]])
    return f"{words} {breaks} the tie with {names}, who {has} {other}"


def _said(teller: Teller, found: Derivation) -> str:
    value: Any = value_of(found)
    return value_text(teller.to, value, derived_type(found))

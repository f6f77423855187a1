"""The history of a variable in a game -> how it got its last value: a score sheet, or an account.

If all players are scored in turn, there is a sheet: a row for each round, a column for each player, with what was added
and the running total. Otherwise each player's number has an account: its value at the start, and every change.
"""

from collections.abc import Sequence

from attrs import frozen

from interpreter.accounts import Account, AccountEntry, make_account
from interpreter.derivations import CallDerivation, Closed, Derivation, Plain
from interpreter.titles import number_text, strip
from interpreter.value_histories import ValueChange
from interpreter.value_terms import EACH, MANY, Teller
from rulespec.english import sentence


@frozen
class ScoreMark:
    """The score of a player in a round: the points added, the running total, and why."""

    added: str
    total: str
    leads: bool
    account: Account | None


@frozen
class ScoreRound:
    """A row of a sheet; the marks are in the order of the seats."""

    title: str
    marks: tuple[ScoreMark, ...]


@frozen
class ScoreSheet:
    """The rounds of a game with the scores of all players, and what the rules say about them."""

    title: str
    players: tuple[str, ...]
    rounds: tuple[ScoreRound, ...]
    notes: tuple[str, ...] = ()


def make_sheet(  # noqa: PLR0913 - what, whose, and how to read it
    teller: Teller,
    title: str,
    changes: Sequence[ValueChange],
    variables: Sequence[int],
    *,
    most_wins: bool,
    details: int | None = None,
) -> ScoreSheet | None:
    """The sheet of a variable of all players; None if they are not scored in turn.

    Only the last rounds, up to a given number, say why; without a number, all rounds do.
    """
    rounds = _in_rounds([each for each in changes if each.variable in variables], variables)
    if not rounds or not all(isinstance(each.after, int) for row in rounds for each in row):
        return None
    hidden = 0 if details is None else max(0, len(rounds) - details)
    rows = []
    for number, row in enumerate(rounds):
        best = (max if most_wins else min)(each.after for each in row)
        marks = tuple(
            ScoreMark(
                added=number_text(each.after - each.before),
                total=number_text(each.after),
                leads=each.after == best,
                account=_why(teller, _name(teller, seat), each) if number >= hidden else None,
            )
            for seat, each in enumerate(row)
        )
        rows.append(ScoreRound(f"round {number + 1}", marks))
    names = tuple(_name(teller, seat) for seat in range(len(variables)))
    return ScoreSheet(title, names, tuple(rows), _notes(changes))


def _name(teller: Teller, seat: int) -> str:
    names = teller.to.names
    return names[seat] if names is not None else f"Player {seat + 1}"


def _in_rounds(
    changes: list[ValueChange], variables: Sequence[int]
) -> list[list[ValueChange]] | None:
    """The changes by rounds, those of a round in the order of the seats."""
    size = len(variables)
    if len(changes) % size:
        return None
    place = {variable: seat for seat, variable in enumerate(variables)}
    rounds = []
    for start in range(0, len(changes), size):
        row = sorted(changes[start : start + size], key=lambda each: place[each.variable])
        if [each.variable for each in row] != list(variables):
            return None
        rounds.append(row)
    return rounds


def _why(teller: Teller, title: str, change: ValueChange) -> Account | None:
    """How what was added came about."""
    added = _added(change.why) or change.why
    return None if isinstance(added, Closed) else make_account(teller, title, added)


def _added(why: Derivation) -> Derivation | None:
    """The derivation of `e` in `v += e`."""
    why = strip(why)
    match why:
        case Plain(parts=(old, new)) | Closed(parts=(old, new)) if (
            why.op.name == "add" and strip(old).op.name == "variable"
        ):
            return new
        case _:
            return None


def _notes(changes: Sequence[ValueChange]) -> tuple[str, ...]:
    said = dict.fromkeys(each.origin.sentence for each in changes if each.origin.sentence)
    return tuple(sentence(each) for each in said if each)


def make_history(
    title: str, unit: str, start: int, changes: Sequence[ValueChange], value: int
) -> Account:
    """The account of a number: its value at the start, and every increase and decrease."""
    steps: dict[tuple[str, int], int] = {}
    at = start
    for change in changes:
        if change.before != at:  # a player chose it, or a rule reset it
            _note_step(steps, "set anew", change.before - at)
        by = change.after - change.before
        _note_step(steps, "raised" if by > 0 else "lowered", by)
        at = change.after
    _note_step(steps, "set anew", value - at)
    entries = [AccountEntry("at the start", ("", ""), number_text(start))]
    entries += [
        AccountEntry(name, (str(times), number_text(by)), number_text(times * by))
        for (name, by), times in steps.items()
    ]
    if not steps:
        return Account(title, number_text(value), notes=("It did not change in this game.",))
    columns = (MANY, EACH)
    return Account(title, number_text(value), columns, unit, tuple(entries), notes=_notes(changes))


def _note_step(steps: dict[tuple[str, int], int], name: str, by: int) -> None:
    if by:
        steps[name, by] = steps.get((name, by), 0) + 1


def kept_number(found: Derivation) -> Plain | None:
    """The variable that a value is, possibly through a `let`; None if it is computed."""
    found = strip(found)
    while isinstance(found, CallDerivation):
        found = strip(found.cell)
    if isinstance(found, Plain) and found.op.name == "variable":
        return found if isinstance(found.value, int) and not isinstance(found.value, bool) else None
    return None

"""An account, a score sheet or a whole result -> lines of text, the same wherever text is shown."""

from collections.abc import Iterator, Sequence

from interpreter.accounts import Account, AccountEntry
from interpreter.display_names import YOU, in_sentence
from interpreter.machine import Ended
from interpreter.results import Criterion, Outcome, Standing
from interpreter.sheets import ScoreSheet
from interpreter.value_terms import LIMIT, MANY
from rulespec.english import in_words, listed

INDENT = "  "
_LEADS = "*"


def lay_account(account: Account, *, above: Sequence[str] = ()) -> list[str]:
    """An account as a table with a heading, followed by what the rules say and what it follows from.

    Lines in `above` are not repeated.
    """
    if not account.entries:
        lines = [f"{_head(account.title)}  {account.value}".strip()] if account.title else []
    else:
        lines = _table(account)
    lines += [INDENT + note for note in account.notes if note not in above]
    for part in account.parts:
        lines += [INDENT + line for line in lay_account(part, above=above)]
    return lines


def _head(text: str) -> str:
    """Capitalise a text, unless it quotes the rules."""
    return text[:1].upper() + text[1:] if set(text).isdisjoint("()[]_#") else text


def _table(account: Account) -> list[str]:
    """Lines with numbers in a column, and notes after them."""
    entries = [*account.entries]
    single = len(entries) == 1 and entries[0].value == account.value
    if account.total and not single:
        blank = ("",) * len(account.columns)
        entries.append(AccountEntry(account.total, blank, account.value))
    unit = "" if account.unit.casefold() == account.title.casefold() else account.unit
    head = (_head(account.title), *account.columns, unit, "")
    indent = INDENT if any(head) else ""
    rows = [(indent + each.title, *each.cells, each.value, each.note or "") for each in entries]
    return columns([head, *rows] if any(head) else rows)


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of equally many cells: the first and last aligned left, the others right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    lines = []
    for first, *middle, last in rows:
        cells = [f"{text:>{width}}" for text, width in zip(middle, widths[1:-1], strict=True)]
        lines.append("  ".join([f"{first:{widths[0]}}", *cells, last]).rstrip())
    return lines


# ---- Sheets --------------------------------------------------------------------------------------


def lay_sheet(sheet: ScoreSheet) -> list[str]:
    """Rounds as rows, players as columns: the points added and the new total; a mark shows the leader."""
    if not sheet.rounds:
        return []
    head = [_head(sheet.title)]
    for name in sheet.players:
        head += ["", name]
    rows = [[*head, ""]]
    for each in sheet.rounds:
        row = [INDENT + each.title]
        for mark in each.marks:
            row += [_signed(mark.added), mark.total + (_LEADS if mark.leads else " ")]
        rows.append([*row, ""])
    lines = columns(rows)
    lines.append(f"{INDENT}{_LEADS} leads after this round")
    return [*lines, *_behind(sheet)]


def _signed(text: str) -> str:
    return text if text.startswith("−") else f"+{text}"


def _behind(sheet: ScoreSheet) -> Iterator[str]:
    """What each number consists of, in one line."""
    for each in sheet.rounds:
        for mark in each.marks:
            if mark.account is not None and (mark.account.entries or mark.account.notes):
                yield f"{INDENT}{each.title}, {lay_line(mark.account)}"


def lay_line(account: Account) -> str:
    """An account in a line: `Ada 5: blue seal 2, black seal 3`"""
    parts = [_entry(account, entry) for entry in account.entries]
    limits = [note for note in account.notes if note.startswith(LIMIT)]
    notes = [note.rstrip(".") for note in (limits if parts else account.notes)]
    told = ", ".join([*parts, *(note[:1].lower() + note[1:] for note in notes)])
    return (
        f"{account.title} {account.value}: {told}" if told else f"{account.title} {account.value}"
    )


def _entry(account: Account, entry: AccountEntry) -> str:
    cells = dict(zip(account.columns, entry.cells, strict=True))
    number = int(cells.get(MANY) or 1)
    if entry.several is None:
        return f"{entry.title}{'' if number == 1 else f' ×{number}'} {entry.value}"
    return f"{in_words(number)} {entry.title if number == 1 else entry.several} {entry.value}"


# ---- Results -------------------------------------------------------------------------------------


def lay_outcome(outcome: Outcome) -> list[str]:
    """The whole result: who wins, why the game ended, what counts and how it came about, and the places."""
    blocks = [[line] for line in (tell_winners(outcome), outcome.ending) if line]
    blocks += [*lay_criteria(outcome), lay_places(outcome)]
    return [line for block in blocks if block for line in (*block, "")][:-1]


def lay_criteria(outcome: Outcome) -> list[list[str]]:
    """What counts and how it came about, in blocks of lines."""
    blocks: list[list[str]] = []
    for criterion in outcome.criteria:
        if criterion.role != "score":
            blocks += [[criterion.sentence]] if criterion.sentence and outcome.standings else []
        elif criterion.seats:
            blocks += [each for each in _said_of(criterion) if each not in blocks]
            blocks += _had_by(criterion, has_places=bool(outcome.standings))
    return [block for block in blocks if block]


def _said_of(criterion: Criterion) -> list[list[str]]:
    """What the rules say about a criterion, and what holds for all players."""
    verdict = criterion.verdict
    if verdict is not None:
        blocks = [lay_account(part) for part in verdict.parts]
        blocks.append(list(verdict.notes))
    else:
        blocks = [[criterion.sentence]] if criterion.sentence else []
    shared = [] if criterion.sheet is not None else criterion.shared
    return [*blocks, *(lay_account(part) for part in shared)]


def _had_by(criterion: Criterion, *, has_places: bool) -> list[list[str]]:
    """What the players have, table by table; plain numbers already stand beside the places."""
    if criterion.sheet is not None:
        return [lay_sheet(criterion.sheet)]
    accounts = [criterion.accounts[seat] for seat in criterion.seats]
    if any(each.entries or each.notes or each.parts for each in accounts):
        return [*map(lay_account, accounts), list(criterion.notes)]
    return [] if has_places else [columns([(each.title, each.value, "") for each in accounts])]


def tell_winners(outcome: Outcome) -> str:
    """`The game is over: Ada and Ben win.`; empty if the game is not over."""
    parts = []
    for one, many, ended in (("wins", "win", "won"), ("draws", "draw", "drawn")):
        found = [each for each in outcome.standings if how_it_ended(each) == ended]
        if found:
            parts.append(_who_did(found, one, many))
    if not parts and outcome.standings:
        parts.append(_who_did(outcome.standings, "loses", "lose"))
    return f"The game is over: {', '.join(parts)}." if parts else ""


def how_it_ended(standing: Standing) -> Ended:
    return standing.ended or ("won" if standing.wins else "lost")


def _who_did(found: Sequence[Standing], one: str, many: str) -> str:
    is_one = len(found) == 1 and len(found[0].seats) == 1 and found[0].name != YOU
    said = [in_sentence(each.name) for each in found]
    return f"{listed(said)} {one if is_one else many}"


def lay_places(outcome: Outcome) -> list[str]:
    """The players from first to last, with what counts and what broke a tie."""
    counting = [n for n, each in enumerate(outcome.criteria) if each.seats]
    rows = [["", "", *(outcome.criteria[n].title for n in counting), ""]]
    for each in outcome.standings:
        values = [
            each.values[n] if each.seat in outcome.criteria[n].seats else "" for n in counting
        ]
        rows.append([str(each.place), each.name, *values, tell_standing(each)])
    return _ranked(rows) if outcome.standings else []


def _ranked(rows: list[list[str]]) -> list[str]:
    joined = [[f"{place:2} {name}", *rest] for place, name, *rest in rows]
    return columns(joined)


def tell_standing(standing: Standing) -> str:
    """Whether a player wins, and what broke a tie; losing is mentioned only where everybody can lose."""
    if not standing.wins and standing.ended is None:
        return standing.note or ""
    if standing.note is not None and "the victory" in standing.note:
        return standing.note
    several = standing.name == YOU or len(standing.seats) > 1
    said = {"won": "win", "drawn": "draw", "lost": "lose"}[how_it_ended(standing)]
    said = said if several else f"{said}s"
    return said if standing.note is None else f"{said}: {standing.note}"

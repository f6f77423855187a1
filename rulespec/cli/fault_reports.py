"""What went wrong while playing, told: the place, the rules that were running, and a game that leads there."""

import sys
from itertools import zip_longest
from pathlib import Path
from typing import Any

from attrs import asdict

from interpreter import transcript
from interpreter.accounts import Account
from interpreter.leaks import SideBySide
from interpreter.recorded import replay_command
from interpreter.shown.result_lines import lay_account
from interpreter.transcript import Transcript
from interpreter.trials import Counterexample, Finding
from rulespec import rendering
from rulespec.cli import files
from rulespec.loading import NotFound
from rulespec.rendering import counted

STANDARD_INPUT = "standard input"
MOST_CHOICES = 24  # of a game that are shown


def running_names(rules: tuple[str, ...]) -> str:
    """The rules that were running, the innermost first, as one reads them.

    A table is left out where its row is told, and a rule with parts is told once.

    >>> running_names(("take, row keep", "take", "turn", "turn", "play"))
    'take, row keep ← turn ← play'
    """
    told: list[str] = []
    for rule in rules:
        if not told or (rule != told[-1] and not told[-1].startswith(f"{rule}, row ")):
            told.append(rule)
    return " ← ".join(told)


def tell_finding(finding: Finding, saved: str | None) -> None:
    """Print one finding for people."""
    notes = [f"in {running_names(finding.rules)}"] if finding.rules else []
    # If the place is in a rule, the example is shown as another place.
    if finding.example is not None and not finding.diagnostic.related:
        notes.append(f'example "{finding.example}"')
    files.print_diagnostics([finding.diagnostic], notes)
    if finding.why is not None:
        print(tell_why(finding.why), file=sys.stderr, end="")
    if finding.pair is not None:
        print(_side_by_side(finding.pair), file=sys.stderr)
    if finding.counterexample is not None:
        told = _told(finding.counterexample, saved, is_first=finding.pair is not None)
        print(told, file=sys.stderr)


def tell_why(account: Account) -> str:
    """How what is wrong came about; nothing if there is no more to say than what was compared."""
    lines = lay_account(account)
    if not account.parts and not account.notes:
        return ""
    body = "".join(f"{'  ' + line if line else line}\n" for line in map(rendering.printable, lines))
    return f"How it came about:\n\n{body}\n"


def _side_by_side(pair: SideBySide) -> str:
    """Two games in two columns, after what was the same in both."""
    head = f"To {pair.player} both look the same, though in the second one {pair.change}:"
    before = "".join(f"  {line}\n" for line in ("…", *pair.before))
    rows = list(
        zip_longest(("first game", *pair.first), ("second game", *pair.second), fillvalue="")
    )
    width = max(len(left) for left, _ in rows)
    lines = [rendering.printable(f"  {left:{width}} │ {right}".rstrip()) for left, right in rows]
    lines.insert(1, f"  {'─' * width}─┼─{'─' * max(len(right) for _, right in rows)}")
    body = "\n".join(lines)
    return f"{head}\n\n{before}\n{body}\n"


def _told(found: Counterexample, saved: str | None, *, is_first: bool = False) -> str:
    record = found.record
    made = len(record.choices)
    choices = counted(made, "choice") if made else "no choice at all"
    players = counted(len(record.players), "player")
    head = f"The shortest game found that goes wrong has {players} and {choices}:"
    if is_first:
        head = f"The first game has {players} and {choices}:"
    if found.again is not None:
        head = (
            f"After {choices} the table is as it was after choice {found.again}"
            if found.again
            else f"After {choices} the table is as it was at the start"
        ) + ", and so on without end:"
    body = "".join(
        f"  {line}".rstrip() + "\n" for line in _lines(record, is_kept=saved is not None)
    )
    if saved is not None:
        command = replay_command(record.game, Path(saved))
        tail = f"It is kept in `{saved}`: `{command}` shows it step by step."
    elif record.game == STANDARD_INPUT:
        tail = "To replay it, keep the rules in a file."
    else:
        tail = "`--save FILE` keeps it, then `rulespec replay FILE` shows it step by step."
    return f"{head}\n\n{body}\n{tail}\n"


def _lines(record: Transcript, *, is_kept: bool) -> list[str]:
    """A transcript line by line; of a long one the beginning and the end, as `--save` keeps all of it."""
    lines = transcript.write(record).rstrip().splitlines()
    left_out = len(record.choices) - MOST_CHOICES
    if left_out <= 1:
        return lines
    head = len(lines) - len(record.choices) + MOST_CHOICES // 2
    how = "" if is_kept else "; `--save FILE` keeps them all"
    return [
        *lines[:head],
        f"… {counted(left_out, 'choice')} more{how}",
        *lines[-MOST_CHOICES // 2 :],
    ]


def keep_games(findings: list[Finding], name: str | None, before: int) -> dict[int, str]:
    """Write the games that go wrong to files; of each finding with one, the name of its file.

    The first has the name that was asked for, further ones a number: `wrong.txt`, `wrong-2.txt`.
    """
    kept: dict[int, str] = {}
    for number, finding in enumerate(findings):
        if name is None or finding.counterexample is None:
            continue
        path = Path(name)
        number_of_file = before + len(kept) + 1
        if number_of_file > 1:
            path = path.with_name(f"{path.stem}-{number_of_file}{path.suffix}")
        try:
            path.write_text(transcript.write(finding.counterexample.record), "utf-8")
        except OSError as error:
            raise NotFound(
                f"`{path}` cannot be written: {(error.strerror or '').lower()}"
            ) from error
        kept[number] = str(path)
    return kept


def finding_data(finding: Finding) -> dict[str, Any]:
    """A finding for a program to read."""
    found = finding.counterexample
    return {
        **rendering.diagnostic_json(finding.diagnostic),
        "rules": list(finding.rules),
        "example": finding.example,
        "counterexample": None if found is None else transcript.write(found.record),
        "pair": None if finding.pair is None else asdict(finding.pair),
        "why": None if finding.why is None else asdict(finding.why),
    }

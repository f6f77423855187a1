"""What went wrong while playing, told: the place, the rules that were running, and a game that leads there."""

import sys
from pathlib import Path
from typing import Any

from interpreter import transcript
from interpreter.recorded import replay_command
from interpreter.trials import Counterexample, Finding
from rulespec import rendering
from rulespec.cli import files
from rulespec.loading import NotFound

STANDARD_INPUT = "standard input"


def running(rules: tuple[str, ...]) -> str:
    """The rules that were running, the innermost first, as one reads them.

    A table is left out where its row is told, and a rule with parts is told once.

    >>> running(("take, row keep", "take", "turn", "turn", "play"))
    'take, row keep ← turn ← play'
    """
    told: list[str] = []
    for rule in rules:
        if not told or (rule != told[-1] and not told[-1].startswith(f"{rule}, row ")):
            told.append(rule)
    return " ← ".join(told)


def tell_finding(finding: Finding, saved: str | None) -> None:
    """Print one finding for people."""
    notes = [f"in {running(finding.rules)}"] if finding.rules else []
    # If the place is in a rule, the example is shown as another place.
    if finding.example is not None and not finding.diagnostic.related:
        notes.append(f'example "{finding.example}"')
    files.tell([finding.diagnostic], notes)
    if finding.counterexample is not None:
        print(_told(finding.counterexample, saved), file=sys.stderr)


def _told(found: Counterexample, saved: str | None) -> str:
    record = found.record
    count = len(record.choices)
    choices = "1 choice" if count == 1 else f"{count} choices"
    if count == 0:
        choices = "no choice at all"
    head = (
        f"The shortest game found that goes wrong has {len(record.players)} players and {choices}:"
    )
    if found.again is not None:
        head = (
            f"After {choices} the table is as it was after choice {found.again}"
            if found.again
            else f"After {choices} the table is as it was at the start"
        ) + ", and so on without end:"
    body = "".join(
        f"  {line}".rstrip() + "\n" for line in transcript.write(record).rstrip().splitlines()
    )
    if saved is not None:
        command = replay_command(record.game, Path(saved))
        tail = f"It is kept in `{saved}`: `{command}` shows it step by step."
    elif record.game == STANDARD_INPUT:
        tail = "To replay it, keep the rules in a file."
    else:
        tail = "`--save FILE` keeps it, then `rulespec replay FILE` shows it step by step."
    return f"{head}\n\n{body}\n{tail}\n"


def keep_games(findings: list[Finding], name: str | None, before: int) -> dict[int, str]:
    """Write the games that go wrong to files; of each finding with one, the name of its file.

    The first has the name that was asked for, further ones a number: `wrong.txt`, `wrong-2.txt`.
    """
    kept: dict[int, str] = {}
    for number, finding in enumerate(findings):
        if name is None or finding.counterexample is None:
            continue
        path = Path(name)
        count = before + len(kept) + 1
        if count > 1:
            path = path.with_name(f"{path.stem}-{count}{path.suffix}")
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
        **rendering.as_data(finding.diagnostic),
        "rules": list(finding.rules),
        "example": finding.example,
        "counterexample": None if found is None else transcript.write(found.record),
    }

"""`rulespec test FILE…`: the worked examples of some files, and random games of them."""

import argparse
import sys
import traceback
from pathlib import Path
from typing import Any

from interpreter import coverage, transcript, trials
from interpreter.errors import WrongRules
from interpreter.trials import Bug, Trial, Wish
from rulespec import loading, rendering
from rulespec.cli import FINE, OUR_BUG, WRONG_RULES, WRONG_USAGE, files
from rulespec.cli.fault_reports import finding_data, keep_games, tell_finding
from rulespec.diagnostics import Diagnostic
from rulespec.limits import MOST_CHOICES
from rulespec.loading import NotFound
from rulespec.rendering import counted
from rulespec.source import line_of, locate


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_files(command)
    files.add_rules_options(
        command, "test this variant only", "play the random games with this value of an option"
    )
    files.add_number(
        command,
        "--games",
        f"random games of each variant with each number of players; {trials.GAMES} by default",
        trials.GAMES,
    )
    files.add_number(
        command,
        "--secrets",
        "pairs of games that differ in what a player cannot see, compared for each variant with each "
        "number of players; 0 for none; by default as many as can be played quickly",
    )
    files.add_number(command, "--players", "play the random games with N players only")
    files.add_number(
        command,
        "--longest",
        f"cut a random game off after N choices; {MOST_CHOICES:,} by default",
        MOST_CHOICES,
    )
    files.add_number(command, "--seed", "the seed of the first random game", 1, metavar="S")
    command.add_argument(
        "--save", metavar="TRANSCRIPT", help="write a game that goes wrong to this file"
    )
    command.add_argument(
        "--coverage", action="store_true", help="list the parts of the rules that were not reached"
    )
    command.add_argument("--json", action="store_true", help="print the results as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Try every file, and sum up."""
    wish = Wish(
        variants=tuple(arguments.variants),
        settings=tuple(arguments.settings),
        games=arguments.games,
        players=arguments.players,
        seed=arguments.seed,
        coverage=arguments.coverage,
        secrets=arguments.secrets,
        longest=arguments.longest,
    )
    done: list[Trial] = []
    wrong: list[Diagnostic] = []
    saved: list[str] = []
    failed = 0
    refused = False
    for name in arguments.files:
        try:
            trial = _try(name, wish)
            kept = keep_games(trial.findings, arguments.save, len(saved))
        except WrongRules as error:
            wrong += error.diagnostics
            failed += 1
            if not arguments.json:
                files.print_diagnostics(list(error.diagnostics))
        except (NotFound, ValueError) as error:
            files.complain(error)
            refused = True
        else:
            done.append(trial)
            saved += kept.values()
            if not arguments.json:
                _tell(trial, kept)
    bugs = [bug for trial in done for bug in trial.bugs]
    if arguments.json:
        errors = _count_errors(done, wrong)
        files.print_diagnostics_data(wrong, errors=errors, files=[_data(trial) for trial in done])
    elif done or wrong:
        print(_summary(done, failed, wrong), file=sys.stderr)
    if bugs:
        _confess(bugs[0])
        return OUR_BUG
    if refused:
        return WRONG_USAGE
    return WRONG_RULES if wrong or _count_errors(done, wrong) else FINE


def _try(name: str, wish: Wish) -> Trial:
    source = files.read_rules(name)
    path = Path(name) if name == files.STANDARD_INPUT else loading.find_rules(name)
    if not sys.stderr.isatty():
        return trials.try_file(path, source, wish)
    try:
        return trials.try_file(path, source, wish, lambda text: _overwrite(f"{path.name}: {text}"))
    finally:
        _overwrite("")


def _overwrite(text: str) -> None:
    """One line on a terminal, written over again and again."""
    print(f"\r\033[K{text[:78]}", end="", file=sys.stderr, flush=True)


# ---- Telling -------------------------------------------------------------------------------------


def _tell(trial: Trial, kept: dict[int, str]) -> None:
    for number, finding in enumerate(trial.findings):
        tell_finding(finding, kept.get(number))
    failed = {finding.example for finding in trial.findings} - {None}
    print(rendering.printable(trial.source.name))
    if trial.examples:
        some = f"{trial.examples - len(failed)} of " if failed else ""
        hold = "hold" if trial.examples > 1 else "holds"
        print(f"  {some}{counted(trial.examples, 'example')} {hold}")
    groups: dict[tuple[tuple[str, ...], bool], list[trials.GameSeries]] = {}
    for series in trial.series:
        others = series.settings != trial.wish.settings
        groups.setdefault((series.variants, others), []).append(series)
    for (variants, others), group in groups.items():
        print(f"  {_games(group, variants, others=others)}")
    note = trials.left_out_note(trial)
    if note is not None:
        print(f"  {note}")
    if trial.wish.coverage:
        _tell_coverage(trial)


def _games(group: list[trials.GameSeries], variants: tuple[str, ...], *, others: bool) -> str:
    of = f" of {', '.join(variants)}" if variants else ""
    games = counted(sum(each.games for each in group), "game")
    cut_off = sum(each.cut_off for each in group)
    if cut_off:
        games += f" ({cut_off} cut off, as they were too long)"
    if others:
        return f"{games}{of} with other options"
    least, most = min(each.players for each in group), max(each.players for each in group)
    seats = counted(least, "player") if least == most else f"{least} to {most} players"
    return f"{games}{of} with {seats}"


def _tell_coverage(trial: Trial) -> None:
    """How much was reached, and what was not."""
    found = coverage.summarize_coverage(trial.tally)
    rows = [
        ("rules", *found.counts["rule"]),
        ("statements", *found.counts["statement"]),
        ("table rows", *found.counts["row"]),
        ("clauses", *found.clauses),
    ]
    print("  reached by examples and games:")
    for title, reached, total in rows:
        print(f"    {title:10} {reached:4} of {total:4}")
    if found.missed:
        print("  not reached:")
    for part in found.missed:
        start = locate(part.span)[0]
        text = line_of(part.span.source, start.line)[start.column - 1 :]
        cites = "".join(f" @{clause}" for clause in part.cites)
        print(f"    {rendering.place_name(part.span)}: {rendering.printable(text)}{cites}")
    if found.missed_clauses:
        print(f"  clauses not reached: {', '.join(found.missed_clauses)}")


def _summary(done: list[Trial], failed: int, wrong: list[Diagnostic]) -> str:
    examples = sum(trial.examples for trial in done)
    games = sum(series.games for trial in done for series in trial.series)
    errors = _count_errors(done, wrong)
    if not done:
        return rendering.summary(failed, errors)
    files_read = len(done) + failed
    told = [counted(files_read, "file"), counted(examples, "example"), counted(games, "game")]
    warnings = sum(len(trial.findings) for trial in done) - _count_errors(done, [])
    told += [counted(errors, "error") if errors else "no errors"]
    return ", ".join([*told, counted(warnings, "warning")] if warnings else told)


def _count_errors(done: list[Trial], wrong: list[Diagnostic]) -> int:
    found = [finding.diagnostic for trial in done for finding in trial.findings]
    return sum(each.severity == "error" for each in (*found, *wrong))


def _data(trial: Trial) -> dict[str, Any]:
    found: dict[str, Any] = {
        "file": trial.source.name,
        "examples": trial.examples,
        "games": [
            {
                "variants": list(each.variants),
                "options": dict(each.settings),
                "players": each.players,
                "games": each.games,
                "choices": each.choices,
                "pairs": each.pairs,
                "cut_off": each.cut_off,
            }
            for each in trial.series
        ],
        "left_out": trial.left_out,
        "failures": [finding_data(each) for each in trial.findings],
    }
    if trial.wish.coverage:
        report = coverage.summarize_coverage(trial.tally)
        missed = [
            {"kind": part.kind, "cites": list(part.cites), **rendering.span_data(part.span)}
            for part in report.missed
        ]
        found["coverage"] = {**coverage.coverage_data(report), "missed": missed}
    return found


def _confess(bug: Bug) -> None:
    traceback.print_exception(bug.error, file=sys.stderr)
    print(
        "\nThis is a bug in rulespec, not in your rules. Please report it with the lines above and "
        f"the game that led to it:\n\n{transcript.write(bug.record)}",
        file=sys.stderr,
    )

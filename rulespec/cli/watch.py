"""`rulespec watch FILE`: on every save check, test and simulate again, on one screen."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from attrs import define, field

from interpreter.errors import WrongRules
from interpreter.game_loading import load
from interpreter.lab.chunk_runs import Broken, Done
from interpreter.lab.comparison import Contender, compare
from interpreter.lab.crews import Crew, local_crew
from interpreter.lab.plans import Plan
from interpreter.lab.simulation import simulate
from interpreter.lab.studies import Errand, Study
from interpreter.lab.texts import measure_name, percent, signed
from interpreter.match import Game
from interpreter.trials import Wish, left_out_note, try_file
from rulespec import loading
from rulespec.checking.layers import stack_layers
from rulespec.cli import FINE, files
from rulespec.cli.fault_reports import tell_finding
from rulespec.core.fingerprints import fingerprint
from rulespec.loading import NotFound
from rulespec.rendering import counted

SECONDS = 0.3  # between two looks at the files
USUAL_GAMES = 300
TRIAL_GAMES = 3  # of each kind, for the invariants

Stamps = dict[Path, int]


class Saved(Exception):  # noqa: N818 - it is news, and no error
    """A file was saved while we were busy with what it was."""


@define
class FileWatch:
    """What is watched, and what it was when it last could be played."""

    file: str
    games: int
    crew: Crew
    stamps: Stamps = field(factory=dict)
    before: Game | None = None


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_file(command)
    files.add_number(
        command,
        "--games",
        f"games with each number of players; {USUAL_GAMES} by default",
        USUAL_GAMES,
    )
    files.add_jobs(command)
    command.add_argument("--once", action="store_true", help="run once, and do not wait for a save")


def run(arguments: argparse.Namespace) -> int:
    """Look, wait for a save, and look again; until somebody interrupts."""
    watch = FileWatch(arguments.file, max(1, arguments.games), local_crew(arguments.jobs))
    try:
        while True:
            watch.stamps = stamps_of(paths_of(watch.file))
            try:
                run_checks(watch)
            except Saved:
                continue
            if arguments.once:
                return FINE
            print("\nwaiting for the next save; Ctrl-C ends", flush=True)
            while stamps_of(watch.stamps) == watch.stamps:
                time.sleep(SECONDS)
    except KeyboardInterrupt:
        return FINE
    finally:
        watch.crew.dismiss()


def paths_of(name: str) -> list[Path]:
    """The file, and those that it stands on."""
    try:
        path = loading.find_rules(name)
        stack = stack_layers(path, loading.read(name))
    except NotFound:
        return [Path(name)]
    below = {*(Path(file.span.source.name) for file in stack.files), *map(Path, stack.places)}
    return [path, *sorted(below - {path})]


def stamps_of(paths: Iterable[Path]) -> Stamps:
    """When files were changed last; of one that is not there, never."""
    stamps: Stamps = {}
    for path in paths:
        try:
            stamps[path] = path.stat().st_mtime_ns
        except OSError:
            stamps[path] = 0
    return stamps


def run_checks(watch: FileWatch) -> None:
    """All that can be said of the rules as they are now."""
    if sys.stdout.isatty():
        print("\x1b[2J\x1b[3J\x1b[H", end="")
    print(f"{watch.file} at {time.strftime('%H:%M:%S')}" if sys.stdout.isatty() else watch.file)
    try:
        game = load(watch.file)
        if not _test(watch.file):
            return
        _simulate(watch, game)
    except NotFound as error:
        files.complain(error)
    except WrongRules as wrong:
        files.print_diagnostics(list(wrong.diagnostics))
    except Broken as broken:
        files.print_diagnostics([broken.trouble.diagnostic])
    except OSError as error:
        # An editor that saves may have taken the file away for a moment.
        files.complain(os.strerror(error.errno) if error.errno else error)


def _test(name: str) -> bool:
    """Run the examples and a few games; whether all is well."""
    path, source = loading.find_rules(name), loading.read(name)
    trial = try_file(path, source, Wish(games=TRIAL_GAMES, secrets=0))
    for finding in trial.findings:
        tell_finding(finding, None)
    for bug in trial.bugs:
        raise bug.error
    games = sum(series.games for series in trial.series)
    failed = len(trial.findings)
    fine = "no errors" if not failed else counted(failed, "error")
    print(f"  {trial.examples} examples and {games} games: {fine}", flush=True)
    note = left_out_note(trial)
    if note is not None:
        print(f"  {note}", flush=True)
    return not failed


def _simulate(watch: FileWatch, game: Game) -> None:
    """What a small sample is like, and what it says about the change since the last save."""
    study = Study(watch.crew, told=_interruption(watch))
    plan = Plan(watch.games, tuple(game.players), sample=0)
    report = simulate(game, plan, study)
    if study.is_interrupted:
        raise KeyboardInterrupt
    for table in report["tables"]:
        print("\n".join(_told(table)), flush=True)
    before, watch.before = watch.before, game
    if before is None or fingerprint(before.code) == fingerprint(game.code):
        return
    common = tuple(n for n in game.players if n in before.players)
    sides = [Contender("before", before), Contender("now", game)]
    found = compare(sides, Plan(watch.games, common), study)
    if study.is_interrupted:
        raise KeyboardInterrupt
    print("\nsince the last save:")
    for table in found["tables"]:
        print(
            f"  {counted(table['players'], 'player')}: {table['differences'][0]['verdict']}",
            flush=True,
        )


def _interruption(watch: FileWatch) -> Callable[[Errand, Done], None]:
    """Stops what is being played as soon as a file was saved."""

    def tell(_errand: Errand, _done: Done) -> None:
        if stamps_of(watch.stamps) != watch.stamps:
            raise Saved

    return tell


def _told(table: dict[str, Any]) -> list[str]:
    """A table in two lines."""
    seats = "  ".join(
        f"{percent(each['mean'])} ± {100 * (each['high'] - each['low']) / 2:.1f}"
        for each in table["seats"]
    )
    means = [
        f"{measure_name(name)} {signed(format(table[name]['mean'], '.1f'))}"
        for name in ("decisions", "score", "winner", "spread")
        if table[name]
    ]
    return [
        f"  {counted(table['players'], 'player')}, wins by seat: {seats}",
        f"    {', '.join(means)}",
    ]

"""What the commands of the lab share: their arguments, a bar while they play, and ways to tell what came out."""

import argparse
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from attrs import evolve

from interpreter.engines import why_slow
from interpreter.errors import WrongRules
from interpreter.lab import html_report, rows, texts
from interpreter.lab.chunk_runs import Broken
from interpreter.lab.clusters import NoCluster, cluster_crew
from interpreter.lab.crews import Crew, local_crew
from interpreter.lab.plans import USUAL_PACE, Plan, WrongPlan, settle_plan
from interpreter.lab.studies import Study, WrongCheckpoint, open_study
from interpreter.match import Game
from rulespec.cli import FINE, INTERRUPTED, WRONG_RULES, WRONG_USAGE, files
from rulespec.cli.fault_reports import running_names
from rulespec.cli.progress import Bar
from rulespec.limits import MOST_CHOICES
from rulespec.loading import NotFound

FINDING = 1_000  # games in which `rulespec test` looks for what went wrong here


def add_arguments(command: argparse.ArgumentParser, games: int, what: str) -> None:
    """What is played, by whom and how it is told."""
    files.add_number(command, "--games", f"{what}; {games:,} by default", games)
    command.add_argument(
        "--players",
        type=numbers,
        metavar="N",
        help="the number of players: `3`, `2..5` or `2,4`; every number that the game allows by default",
    )
    command.add_argument(
        "--seat",
        type=_words,
        action="extend",
        default=[],
        metavar="BOT",
        dest="seats",
        help="a player, in the order of play: `random`, `easy`, `normal`, `hard`, `greedy` or `search:20`, or "
        "several at once, `random,normal`; a single bot takes all seats; by default there is a quick look "
        "at random players, and then a verdict by normal ones",
    )
    # As it was called before.
    command.add_argument(
        "--seats", type=_words, action="extend", default=[], help=argparse.SUPPRESS
    )
    files.add_number(
        command,
        "--seed",
        "the same seed gives the same numbers, on any number of cores; 1 by default",
        1,
        metavar="S",
    )
    add_questions(command)
    files.add_jobs(command)
    command.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on the workers of the Dask scheduler at this address, such as `tcp://10.0.0.1:8786`",
    )
    command.add_argument(
        "--checkpoint",
        type=Path,
        metavar="FILE",
        help="save progress to this file, and continue from it",
    )
    command.add_argument("--json", action="store_true", help="print the results as JSON")
    command.add_argument(
        "--csv", action="store_true", help="print the results as comma-separated values"
    )
    command.add_argument(
        "--html", type=Path, metavar="FILE", help="also write a page with plots to this file"
    )


def add_questions(command: argparse.ArgumentParser) -> None:
    """Games of players who think, and what is asked of them."""
    files.add_number(
        command,
        "--thinking",
        "games of normal players; by default as many as fit into about a minute; 0 for none",
    )
    files.add_number(
        command,
        "--skill",
        "play N deals with one stronger player, each again with seats exchanged: hard among normal players, "
        "and normal among easy ones",
        0,
    )
    files.add_number(
        command,
        "--without",
        "play N games, and again without each card, answer and rule of one player: what is each worth?",
        0,
    )
    command.add_argument(
        "--pace",
        type=pace,
        default=USUAL_PACE,
        metavar="SECONDS",
        help=f"how long people take for a decision, such as at your table; {USUAL_PACE:g} by default",
    )
    files.add_number(
        command,
        "--longest",
        f"cut a game off after N choices; {MOST_CHOICES:,} by default",
        MOST_CHOICES,
    )


def pace(word: str) -> float:
    """Seconds as an argument."""
    try:
        found = float(word)
    except ValueError:
        found = 0.0
    if not 0 < found < 10_000:
        raise argparse.ArgumentTypeError(f"`{word}` is no number of seconds; write `8`")
    return found


def numbers(word: str) -> tuple[int, ...]:
    """Numbers of players as an argument.

    >>> numbers("2..5"), numbers("2,4")
    ((2, 3, 4, 5), (2, 4))
    """
    low, is_range, high = word.partition("..")
    if is_range:
        least, most = files.whole_number(low), files.whole_number(high)
        if least > most or most > 1_000:
            raise argparse.ArgumentTypeError(f"`{word}` is not a range; write `2..5`")
        return tuple(range(least, most + 1))
    return tuple(sorted({files.whole_number(each) for each in word.split(",")}))


def _words(word: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in word.split(","))


def plan_of(arguments: argparse.Namespace, games: list[Game], **more: Any) -> Plan:
    """The plan for these games that the arguments ask for."""
    wish = Plan(
        games=arguments.games,
        players=arguments.players or (),
        seats=tuple(arguments.seats),
        seed=arguments.seed,
        thinking=arguments.thinking,
        skill=arguments.skill,
        restricted=arguments.without,
        pace=arguments.pace,
        longest=arguments.longest,
        **more,
    )
    plan = settle_plan(wish, games)
    if arguments.cluster is None and tell_slow(games, plan.players[0]) and plan.thinking is None:
        files.note("so only random players play; `--thinking 20` asks for games of normal ones")
        return evolve(plan, thinking=0)
    return plan


def tell_slow(games: list[Game], players: int) -> bool:
    """Say it once of a game if it takes long, and why; whether there is one."""
    slow = {game.code.title: why_slow(game, players) for game in games}
    for title, reason in slow.items():
        if reason is not None:
            files.note(f"{title} is played by the slower reference engine: {reason}")
    return any(reason is not None for reason in slow.values())


def crew_of(arguments: argparse.Namespace) -> Crew:
    """Who plays: the workers of a cluster, or the cores of this machine."""
    if arguments.cluster is not None:
        return cluster_crew(arguments.cluster)
    return local_crew(arguments.jobs)


# ---- From beginning to end -----------------------------------------------------------------------


def attempt(arguments: argparse.Namespace, work: Callable[[Study], dict[str, Any]]) -> int:
    """Do the work, tell what came out, and what went wrong if it did."""
    bar = Bar() if sys.stderr.isatty() else None
    before = _heed_the_end()
    try:
        study = Study(crew_of(arguments), arguments.checkpoint)
    except NoCluster as error:
        files.complain(error)
        return WRONG_USAGE
    if bar is not None:
        study.told = partial(bar.tell, study)
    try:
        open_study(study)
        report = work(study)
        if bar is not None:
            bar.clear()
        _deliver(arguments, report)
    except (NotFound, WrongPlan, WrongCheckpoint) as error:
        files.complain(error)
        return WRONG_USAGE
    except OSError as error:
        name = f"`{error.filename}` " if error.filename else "it "
        files.complain(f"{name}cannot be written: {(error.strerror or str(error)).lower()}")
        return WRONG_USAGE
    except WrongRules as wrong:
        files.print_diagnostics(list(wrong.diagnostics))
        return WRONG_RULES
    except Broken as broken:
        trouble = broken.trouble
        notes = [f"in {running_names(trouble.rules)}"] if trouble.rules else []
        # A rare mistake needs as many games as were played here to be met again.
        words = f"rulespec test {arguments.file} --games {max(FINDING, arguments.games)}"
        files.print_diagnostics(
            [trouble.diagnostic],
            [*notes, f"`{words}` looks for a short game, and `--save FILE` keeps it"],
        )
        return WRONG_RULES
    finally:
        study.crew.dismiss()
        if before is not None:
            signal.signal(signal.SIGTERM, before)
    return INTERRUPTED if study.is_interrupted else FINE


def _heed_the_end() -> Any:
    """Take a polite request to end as Ctrl-C: what is there is told and kept. What it meant before."""
    if current_thread() is not main_thread():
        return None

    def interrupt(_number: int, _frame: Any) -> None:
        raise KeyboardInterrupt

    return signal.signal(signal.SIGTERM, interrupt)


def _deliver(arguments: argparse.Namespace, report: dict[str, Any]) -> None:
    if arguments.html is not None:
        arguments.html.write_text(html_report.page(report), "utf-8")
    if arguments.json:
        files.print_data(report)
    else:
        print(rows.rows(report) if arguments.csv else texts.report_text(report), end="")

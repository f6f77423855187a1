"""What the commands of the lab share: their arguments, a bar while they play, and ways to tell what came out."""

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define

from interpreter.engines import why_slow
from interpreter.lab import intervals, pages, texts
from interpreter.lab.clusters import NoCluster, cluster_crew
from interpreter.lab.counts import Counts
from interpreter.lab.crews import Crew, local_crew
from interpreter.lab.plans import WrongPlan, settle_plan
from interpreter.lab.playing import RANDOM, SKILLED, whole_victory
from interpreter.lab.running import Broken, Done
from interpreter.lab.simulation import Plan
from interpreter.lab.studies import Errand, Study, WrongCheckpoint, open_study
from interpreter.match import Game, WrongRules
from rulespec.cli import FINE, INTERRUPTED, WRONG_RULES, WRONG_USAGE, files
from rulespec.cli.failures import running
from rulespec.loading import NotFound
from rulespec.rendering import count

FINDING = 1_000  # games in which `rulespec test` looks for what went wrong here
BAR = 24  # characters
SECONDS = 0.2  # between two times that the bar is drawn


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
        help="a player, in the order of play: `random`, `greedy` or `search:20`, or several at once, "
        "`random,search:20`; a single bot takes all seats; random by default",
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
        arguments.games,
        arguments.players or (),
        tuple(arguments.seats) or (RANDOM,),
        arguments.seed,
        **more,
    )
    plan = settle_plan(wish, games)
    if arguments.cluster is None:
        tell_slow(games, plan.players[0])
    return plan


def tell_slow(games: list[Game], players: int) -> None:
    """Say it once of a game if it takes long, and why."""
    slow = {game.code.title: why_slow(game, players) for game in games}
    for title, reason in slow.items():
        if reason is not None:
            files.note(f"{title} is played by the slower reference engine: {reason}")


def crew_of(arguments: argparse.Namespace) -> Crew:
    """Who plays: the workers of a cluster, or the cores of this machine."""
    if arguments.cluster is not None:
        return cluster_crew(arguments.cluster)
    return local_crew(arguments.jobs)


# ---- While it runs -------------------------------------------------------------------------------


@define
class Bar:
    """How far a run is, and what can be said already; drawn anew on the same line of a terminal."""

    drawn: float = 0.0
    began: float = 0.0
    before: int = 0
    errand: Errand | None = None

    def tell(self, errand: Errand, done: Done) -> None:
        """Draw the bar, if it is time to."""
        now = time.monotonic()
        if self.errand != errand:
            self.errand, self.began, self.before = errand, now, done.games
        if now - self.drawn >= SECONDS:
            self.drawn = now
            rate = (done.games - self.before) / max(now - self.began, 1e-6)
            # A line that does not fit would be drawn below itself again and again.
            text = bar_text(errand, done, rate)[: shutil.get_terminal_size().columns - 1]
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Leave nothing behind."""
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def bar_text(errand: Errand, done: Done, rate: float) -> str:
    """The bar and the estimate, in one line."""
    task = errand.task
    full = BAR * done.games // errand.games
    what = {"games": "", "sample": "sample, ", "skill": f"{SKILLED}, "}[task.kind]
    text = (
        f"{count(task.players, 'player')} {'█' * full}{'░' * (BAR - full)} {what}{done.games:,} of "
        f"{errand.games:,}"
    )
    if rate:
        text += f", {rate:,.0f} a second"
    if task.kind == "games":
        text += f"; {_first_seat(done.counts, task.players, len(task.programs))}"
    return text


def _first_seat(counts: Counts, players: int, sides: int) -> str:
    """How often seat 1 wins, of each program."""
    whole = whole_victory(players)
    told = []
    for side in range(sides):
        total, squares = counts["sum", side, 0], counts["square", side, 0]
        found = intervals.share(counts[("games",)], total, squares, whole, 0.05)
        told.append(f"{100 * found.value:.1f} ± {100 * found.half:.1f} %")
    return f"seat 1 wins {', '.join(told)}"


# ---- From beginning to end -----------------------------------------------------------------------


def attempt(arguments: argparse.Namespace, work: Callable[[Study], dict[str, Any]]) -> int:
    """Do the work, tell what came out, and what went wrong if it did."""
    bar = Bar() if sys.stderr.isatty() else None
    try:
        study = Study(crew_of(arguments), arguments.checkpoint)
    except NoCluster as error:
        files.complain(error)
        return WRONG_USAGE
    if bar is not None:
        study.told = bar.tell
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
        files.tell(list(wrong.diagnostics))
        return WRONG_RULES
    except Broken as broken:
        trouble = broken.trouble
        notes = [f"in {running(trouble.rules)}"] if trouble.rules else []
        # A rare mistake needs as many games as were played here to be met again.
        words = f"rulespec test {arguments.file} --games {max(FINDING, arguments.games)}"
        files.tell(
            [trouble.diagnostic],
            [*notes, f"`{words}` looks for a short game, and `--save FILE` keeps it"],
        )
        return WRONG_RULES
    finally:
        study.crew.dismiss()
    return INTERRUPTED if study.is_interrupted else FINE


def _deliver(arguments: argparse.Namespace, report: dict[str, Any]) -> None:
    if arguments.html is not None:
        arguments.html.write_text(pages.page(report), "utf-8")
    if arguments.json:
        files.print_data(report)
    else:
        print(texts.rows(report) if arguments.csv else texts.text(report), end="")

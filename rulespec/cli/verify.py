"""`rulespec verify FILE`: all games of a small table, explored to the end: what is proven, and what goes wrong."""

import argparse
import sys
from typing import Any

from interpreter.errors import WrongRules
from interpreter.game_loading import load
from interpreter.match import Game
from interpreter.verifying import verification
from interpreter.verifying.cutting import WrongCut, cut
from interpreter.verifying.verification import ShortestCounterexample, Solution, VerificationReport
from rulespec import rendering
from rulespec.cli import FINE, WRONG_RULES, WRONG_USAGE, files
from rulespec.cli.fault_reports import running_names
from rulespec.diagnostics import Diagnostic
from rulespec.loading import NotFound
from rulespec.rendering import counted

MOST_PLAY = 40  # information sets whose play is shown


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_file(command)
    files.add_rules_options(command)
    files.add_number(command, "--players", "how many play; as few as allowed by default")
    command.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="ATTRIBUTE=VALUES",
        help="use only the pieces with these values, such as --only rank=jack,queen; may be given several times",
    )
    files.add_number(
        command,
        "--states",
        f"give up if there are more states; {verification.STATES:,} by default",
        verification.STATES,
    )
    files.add_number(
        command,
        "--rounds",
        "solve a game for two in at most N rounds; 0 for not at all; "
        f"{verification.ROUNDS:,} by default",
        verification.ROUNDS,
    )
    command.add_argument("--play", action="store_true", help="print how the game is best played")
    command.add_argument(
        "--save", metavar="TRANSCRIPT", help="write a game that goes wrong to this file"
    )
    command.add_argument("--json", action="store_true", help="print the results as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Explore, and tell."""
    try:
        game = load(arguments.file, arguments.variants, dict(arguments.settings))
        players = arguments.players or game.code.least_players
        game = cut(game, players, arguments.only)
        report = verification.verify(game, players, arguments.states, arguments.rounds)
    except (WrongRules, NotFound) as error:
        return files.refuse(error)
    except WrongCut as error:
        files.complain(error)
        return WRONG_USAGE
    except ValueError as error:
        files.complain(error)
        return WRONG_USAGE
    saved = _save(report, arguments.save)
    if arguments.json:
        files.print_data(_data(report))
    else:
        _tell(game, report, saved, play=arguments.play)
    if report.too_many is not None:
        return WRONG_USAGE
    return WRONG_RULES if any(map(_is_wrong, report.wrong)) else FINE


def _is_wrong(each: ShortestCounterexample) -> bool:
    return each.found is None or each.found.what != "circle"


def _save(report: VerificationReport, path: str | None) -> bool:
    """Write the first game that goes wrong to a file, if there is one."""
    records = [each.record for each in report.wrong if each.record is not None]
    if path is None or not records:
        return False
    try:
        with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - as it is written
            file.write(records[0])
    except OSError as error:
        files.complain_unwritten(path, error)
        return False
    return True


# ---- Telling -------------------------------------------------------------------------------------


def _tell(game: Game, report: VerificationReport, saved: bool, *, play: bool) -> None:  # noqa: FBT001 - one of two
    if report.too_many is not None:
        print(f"Nothing is proven: {report.too_many}.", file=sys.stderr)
        print("Use fewer pieces (--only), or allow more states (--states).", file=sys.stderr)
        return
    for each in report.wrong:
        _tell_wrong(each)
    if saved:
        print("The first of these games was saved.", file=sys.stderr)
    print(f"{rendering.printable(game.name)}, {counted(report.players, 'player')}")
    for line in _proven(game, report):
        print(f"  {line}")
    for solution in report.solutions:
        _tell_solution(solution, play=play)


def _proven(game: Game, report: VerificationReport) -> list[str]:
    explored = report.explored
    if explored is None:
        return []
    whats = {each.found.what for each in report.wrong if each.found is not None}
    lines = [f"{counted(explored.states, 'state')}, {counted(explored.ends, 'end')}: all there are"]
    if "fault" not in whats:
        lines.append("proven: the rules can always go on")
    always = len(game.code.always)
    if always and not whats & {"fault", "always"}:
        lines.append(
            f"proven: {counted(always, 'invariant')} always {'hold' if always > 1 else 'holds'}"
        )
    if explored.longest is not None:
        lines.append("proven: every game ends")
    elif "circle" in whats:
        lines.append("proven: from each state a game can end")
    if report.histories is None:
        lines.append(
            "not proven: what players see, as there are too many histories, or not all end"
        )
    elif not any(each.difference for each in report.wrong):
        lines.append(
            f"proven: a player who has observed the same sees and is told the same, in {report.histories:,} histories"
        )
    return lines


def _tell_wrong(each: ShortestCounterexample) -> None:
    found = each.found
    if found is not None and found.fault is not None:
        fault = found.fault
        notes = [f"in {running_names(fault.rules)}"] if fault.rules else []
        files.print_diagnostics([Diagnostic(fault.code, fault.message, fault.span)], notes)
    elif found is not None and found.what == "stuck":
        print(f"error: from {counted(found.states, 'state')} no game ends", file=sys.stderr)
    elif found is not None:
        print(
            f"warning: a game may go on for ever: {counted(found.states, 'state')} lead back to each other",
            file=sys.stderr,
        )
    elif each.difference is not None:
        who = f"Player {each.difference.player + 1}"
        print(f"error: {who} {each.difference.what} in a game that looks the same", file=sys.stderr)
    print("\nA shortest game that leads there:\n", file=sys.stderr)
    for line in each.lines:
        print(f"  {line}", file=sys.stderr)
    if each.others:
        print("\nAnd the other game:\n", file=sys.stderr)
        for line in each.others:
            print(f"  {line}", file=sys.stderr)
    if each.record is not None:
        print("\nAs a transcript, for rulespec replay:\n", file=sys.stderr)
        print("".join(f"  {line}\n" for line in each.record.splitlines()), file=sys.stderr)


def _tell_solution(solution: Solution, *, play: bool) -> None:
    found = solution.equilibrium
    fraction = found.fraction
    exact = "" if fraction is None else f" ({fraction})"
    print(
        f"  if Player {solution.first + 1} begins, the game is worth {round(found.value, 5) + 0.0:.5f}{exact} to Player 1;"
        f" exploitability {found.exploitability:.1g}, {solution.sets} information sets"
    )
    if play:
        for known, shares in list(found.play.items())[:MOST_PLAY]:
            print(f"    {' '.join(f'{share:.3f}' for share in shares)}  {known}")


def _data(report: VerificationReport) -> dict[str, Any]:
    explored = report.explored
    return {
        "players": report.players,
        "complete": explored is not None,
        "states": None if explored is None else explored.states,
        "ends": None if explored is None else explored.ends,
        "every_game_ends": explored is not None and explored.longest is not None,
        "histories": report.histories,
        "zero_sum": report.is_zero_sum,
        "wrong": [
            {
                "what": "secret" if each.found is None else each.found.what,
                "message": None
                if each.found is None or each.found.fault is None
                else each.found.fault.message,
                "lines": list(each.lines),
                "others": list(each.others),
                "transcript": each.record,
            }
            for each in report.wrong
        ],
        "solutions": [
            {
                "first": each.first,
                "value": each.equilibrium.value,
                "fraction": None
                if each.equilibrium.fraction is None
                else str(each.equilibrium.fraction),
                "exploitability": each.equilibrium.exploitability,
                "play": {known: list(shares) for known, shares in each.equilibrium.play.items()},
            }
            for each in report.solutions
        ],
    }

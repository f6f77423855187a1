"""`rulespec replay TRANSCRIPT`: a recorded game, step by step."""

import argparse
import sys
from pathlib import Path
from typing import Any, assert_never

from attrs import asdict, define, evolve, field

from interpreter import machine, transcript
from interpreter.accounts import Account
from interpreter.details import Detail
from interpreter.display_names import MOST_PIECES, Listener
from interpreter.errors import IllegalMove, RuleFault
from interpreter.headings import Heading
from interpreter.lines import StoryLine
from interpreter.match import Game, Match
from interpreter.recorded import load_rules
from interpreter.results import Outcome, explain_result
from interpreter.shown.result_lines import lay_outcome, lay_places, tell_winners
from interpreter.story import Entry, questions_of, tell_story
from interpreter.tabletop import tell_table
from interpreter.transcript import BadTranscript, Transcript
from interpreter.value_terms import Teller
from interpreter.verdicts import explain_fault
from rulespec import limits, loading, rendering
from rulespec.cli import FINE, WRONG_RULES, WRONG_USAGE, files
from rulespec.cli.fault_reports import running_names, tell_why
from rulespec.core.fingerprints import fingerprint
from rulespec.core.tree import Origin
from rulespec.diagnostics import Diagnostic
from rulespec.loading import NotFound, Unreadable

MOST_OPTIONS = 12  # that are listed of one choice


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "transcript", metavar="TRANSCRIPT", help="a recorded game, or `-` for standard input"
    )
    command.add_argument(
        "rules",
        nargs="?",
        metavar="FILE",
        help="the rules, if they are not shipped and not in the folder of the transcript",
    )
    command.add_argument(
        "--as",
        dest="player",
        metavar="PLAYER",
        help="show only what this player sees",
    )
    files.add_number(command, "--until", "stop after N choices")
    command.add_argument(
        "--why",
        action="store_true",
        help="show the rules behind each step, and how the result was reached",
    )
    command.add_argument("--json", action="store_true", help="print the steps as JSON")


@define
class _Step:
    """A choice as it is shown, and what followed from it."""

    player: str | None = None
    prompt: str | None = None
    options: list[str] = field(factory=list)
    count: int = 0
    happened: list[Entry] = field(factory=list)


@define
class _Replay:
    """A game under way, as one player sees it or as nobody does."""

    record: Transcript
    game: Game
    viewer: int | None = None
    most: int | None = None  # pieces that are named at once
    match: Match | None = None
    steps: list[_Step] = field(factory=list)
    fault: RuleFault | None = None
    departs: str | None = None


def run(arguments: argparse.Namespace) -> int:
    """Read, replay and show."""
    try:
        record = transcript.read(_read(arguments.transcript))
        game = _load(record, arguments.transcript, arguments.rules)
        most = None if arguments.json else MOST_PIECES
        replay = _Replay(record, game, _viewer(record, arguments.player), most)
        _play(replay, arguments.until)
    except BadTranscript as error:
        files.complain(f"{arguments.transcript}: {error}")
        return WRONG_USAGE
    except (NotFound, ValueError) as error:
        return files.refuse(error)
    changed = record.fingerprint not in ("", fingerprint(game.code))
    if arguments.json:
        data = {**_data(replay, why=arguments.why), "changed": changed}
        files.print_data(data)
    else:
        if changed:
            print("note: the rules have changed since this game was recorded", file=sys.stderr)
        _show(replay, why=arguments.why)
    if replay.departs is not None:
        files.complain(f"{arguments.transcript}: {replay.departs}")
    return WRONG_RULES if replay.fault is not None or replay.departs is not None else FINE


def _read(name: str) -> str:
    try:
        if name == files.STANDARD_INPUT:
            content = files.read_input(limits.LARGEST_TRANSCRIPT)
        else:
            content = loading.read_file(Path(name), limits.LARGEST_TRANSCRIPT)
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotFound(
            f"`{loading.shortened(name)}` is not a transcript: it is not text"
        ) from error
    except Unreadable as error:
        raise NotFound(f"`{loading.shortened(name)}` {error}") from error


def _load(record: Transcript, name: str, rules: str | None) -> Game:
    """The rules of a game: those that were named, or those that the transcript may name."""
    try:
        return load_rules(record, Path(name), rules)
    except NotFound as error:
        if rules is not None:
            raise
        hint = f"`rulespec replay {loading.shortened(name)} FILE` shows the game with another file of rules"
        raise NotFound(f"{error}; {hint}") from error


def _viewer(record: Transcript, wanted: str | None) -> int | None:
    if wanted is None:
        return None
    for seat, name in enumerate(record.players):
        if wanted.casefold() in (name.casefold(), str(seat + 1)):
            return seat
    raise NotFound(f"`{wanted}` does not play here; the players are {', '.join(record.players)}")


# ---- Playing -------------------------------------------------------------------------------------


def _play(replay: _Replay, until: int | None) -> None:
    record = replay.record
    first = None if record.first is None else record.players.index(record.first)
    told = 0
    step = _Step()
    try:
        match = replay.match = replay.game.start(record.players, record.seed, first, always=True)
        for choice in record.choices[:until]:
            told = _note(replay, match, step, told)
            step = _ask(replay, match)
            match.follow(choice)
    except RuleFault as fault:
        replay.fault = fault
        if replay.match is not None and not fault.rules:
            fault.rules = machine.running(replay.match.engine, replay.match.state)
    except IllegalMove as error:
        replay.departs = str(error)
    if replay.match is not None and (replay.departs is None or not replay.steps):
        _note(replay, replay.match, step, told)


def _listener(replay: _Replay, match: Match) -> Listener:
    return Listener(match.engine.layout, match.names, replay.viewer, replay.most)


def _note(replay: _Replay, match: Match, step: _Step, told: int) -> int:
    """Keep a step.

    What a player observes of the choices of others belongs to the own choice before: that somebody
    else was asked at all may be a secret.
    """
    questions = questions_of(match)
    happened = tell_story(_listener(replay, match), match.events, questions, told)
    if step.player is None and replay.steps:
        replay.steps[-1].happened += happened
    else:
        step.happened = happened
        replay.steps.append(step)
    return len(match.events)


def _ask(replay: _Replay, match: Match) -> _Step:
    """What is asked, as far as the viewer may know it."""
    decision = match.decision
    if decision is None:
        return _Step()
    if replay.viewer not in (None, decision.player):
        return _Step()
    name = match.names[decision.player]
    listed = [option.text for option in decision.listed(MOST_OPTIONS)]
    return _Step(name, decision.prompt, listed, len(decision.options))


# ---- Showing -------------------------------------------------------------------------------------


def _show(replay: _Replay, *, why: bool) -> None:
    record = replay.record
    chosen = [*record.variants, *(f"{name} = {value}" for name, value in record.options)]
    print(replay.game.code.title + (f" with {', '.join(chosen)}" if chosen else ""))
    print(f"{', '.join(record.players)}; seed {record.seed}")
    for number, step in enumerate(replay.steps):
        print(f"\n{_heading(number, step)}")
        if step.options:
            more = step.count - len(step.options)
            listed = " | ".join(step.options) + (f" | … {more:,} more" if more else "")
            print(f"   options: {listed}")
        for item in step.happened:
            _show_item(item, why=why)
    if replay.match is not None and replay.departs is None:
        _show_table(replay, replay.match, why=why)
    if replay.fault is not None:
        print(flush=True)
        fault = replay.fault
        notes = [f"in {running_names(fault.rules)}"] if fault.rules else []
        files.print_diagnostics([Diagnostic(fault.code, fault.message, fault.span)], notes)
        account = _why_at_fault(replay)
        if why and account is not None:
            print(tell_why(account), file=sys.stderr, end="")


def _why_at_fault(replay: _Replay) -> Account | None:
    """How an invariant came to fail, as far as the viewer may know."""
    match = replay.match
    if match is None or replay.fault is None:
        return None
    teller = Teller(_listener(replay, match), quotes=replay.viewer is None)
    return explain_fault(match.engine, match.state, replay.fault, teller)


def _heading(number: int, step: _Step) -> str:
    if number == 0:
        return "Before the first choice:"
    return f"{number}. {step.player} is asked: {step.prompt}"


def _show_item(item: Entry, *, why: bool) -> None:
    """What happened, and if somebody asks why, all that it consists of."""
    match item:
        case Heading(text=text):
            print(f"   {text}")
        case StoryLine(text=text, details=details):
            print(f"   {text}{f'   ({_source(item.origin)})' if why else ''}")
            for each in details if why else ():
                print(f"      {each.text}   ({_source(each.origin)})")
        case _:
            assert_never(item)


def _source(origin: Origin) -> str:
    cites = "".join(f" @{clause}" for clause in origin.cites)
    return f"{origin.rule}{cites}, {rendering.place_name(origin.span)}"


def _show_table(replay: _Replay, match: Match, *, why: bool) -> None:
    rows = tell_table(_listener(replay, match), match.engine, match.state)
    width = max((len(name) for name, _ in rows), default=0)
    print("\nThe table:")
    for name, text in rows:
        print(f"   {name:{width}}  {text}")
    if replay.fault is not None:
        return
    if not match.over:
        decision = match.decision
        seen = decision is not None and replay.viewer in (None, decision.player)
        asked = f": {match.names[decision.player]} is asked" if decision and seen else ""
        print(f"\nThe game is not over{asked}.")
        if why:
            print("\n".join(["", *lay_outcome(_outcome(replay, match))]))
        return
    outcome = _outcome(replay, match)
    print(f"\n{tell_winners(outcome)}")
    told = lay_outcome(outcome)[1:] if why else lay_places(outcome)
    print("\n".join(told))


def _outcome(replay: _Replay, match: Match) -> Outcome:
    """The result and how it came about; all pieces are named."""
    return explain_result(match, evolve(_listener(replay, match), most=None))


def _data(replay: _Replay, *, why: bool) -> dict[str, Any]:
    record, match = replay.record, replay.match
    data: dict[str, Any] = {
        "title": replay.game.code.title,
        "game": record.game,
        "variants": list(record.variants),
        "options": dict(record.options),
        "players": list(record.players),
        "seed": record.seed,
        "as": None if replay.viewer is None else record.players[replay.viewer],
        "steps": [_step_data(step) for step in replay.steps],
        "departs": replay.departs,
        "fault": None,
        "table": None,
        "places": None,
        "why": None,
    }
    if replay.fault is not None:
        fault = replay.fault
        told = rendering.diagnostic_json(Diagnostic(fault.code, fault.message, fault.span))
        data["fault"] = {**told, "rules": list(fault.rules)}
    if match is not None and replay.departs is None:
        data["table"] = dict(tell_table(_listener(replay, match), match.engine, match.state))
        if match.over and replay.fault is None:
            data["places"] = dict(zip(match.names, match.result().places, strict=True))
        if why and replay.fault is None:
            data["why"] = asdict(_outcome(replay, match))
    return data


def _step_data(step: _Step) -> dict[str, Any]:
    return {
        "player": step.player,
        "prompt": step.prompt,
        "options": step.options,
        "count": step.count,
        "happened": [
            {**_told_data(each), "details": _details(each), "level": _level(each)}
            for each in step.happened
        ],
    }


def _details(item: Entry) -> list[dict[str, Any]]:
    return [_told_data(each) for each in item.details] if isinstance(item, StoryLine) else []


def _level(item: Entry) -> int | None:
    return item.level if isinstance(item, Heading) else None


def _told_data(told: Entry | Detail) -> dict[str, Any]:
    origin = told.origin
    return {
        "text": told.text,
        "rule": origin.rule,
        "cites": list(origin.cites),
        **rendering.span_data(origin.span),
    }

"""Rules in the editor -> many games of them, counted: alone, or beside the shipped rules on the same seeds.

A study is played in slices of about a second. What is told between them is made with more confidence than
the report at the end: whoever may look again and again, and stop at any time, would otherwise see changes
where there are none (the rule of Haybittle and Peto).
"""

import time
from collections.abc import Callable, Iterator
from pathlib import PurePath

from attrs import evolve

from interpreter.bots.kinds import is_timed, untimed
from interpreter.errors import WrongRules
from interpreter.lab import texts
from interpreter.lab.bot_games import is_random
from interpreter.lab.chunk_runs import Broken, Done
from interpreter.lab.comparison import Contender, compare
from interpreter.lab.crews import local_crew
from interpreter.lab.figures import comparison_figures, simulated
from interpreter.lab.intervals import USUAL_CONFIDENCE
from interpreter.lab.plans import Plan, WrongPlan, settle_plan
from interpreter.lab.simulation import simulate
from interpreter.lab.studies import Errand, Study
from interpreter.match import Game
from rulespec import loading
from rulespec.catalogue import read_game, shipped_files
from rulespec.playground.backend_state import BackendState, game_from_draft
from rulespec.playground.drafts import Draft
from rulespec.playground.protocol.counting import Figure, Report, StudyReply, Verdict
from rulespec.playground.requests import BadRequest, Data, Request, Tell
from rulespec.playground.study_runs import StudyRun
from rulespec.rendering import counted

SECONDS = 1.0  # of a slice
MOST_GAMES = 100_000
MOST_WITHOUT = 1_000  # games that are played again without each thing
MOST_THOUGHT = 200  # games that a bot may play in its head for one decision
MOST_KEPT = 4  # studies that can be gone on with
USUAL_SAMPLE = 20
THINKS = "search:20"  # for one who thinks, in a browser
HOW = {"close": ", looked at closely", "restricted": ", again without each thing"}
LOOKING = 0.999  # the confidence of what is told before the end


def answer_simulate(memory: BackendState, request: Request, tell: Tell) -> StudyReply:
    """Begin to play many games."""
    draft = request.draft()
    game = game_from_draft(draft)
    sample = request.number("sample", 0, 1_000) if request.has("sample") else USUAL_SAMPLE
    plan = evolve(_plan(request, [game]), sample=sample)

    def work(plan: Plan, study: Study) -> Data:
        return simulate(game, plan, study)

    return _play(memory, _begin(memory, draft, plan, work), tell)


def answer_compare(memory: BackendState, request: Request, tell: Tell) -> StudyReply:
    """Begin to play the shipped rules and those in the editor side by side."""
    draft = request.draft()
    shipped, edited = _shipped(request.text("against"), draft), game_from_draft(draft)
    plan = _plan(request, [shipped, edited])
    one, other = PurePath(shipped.name).stem, PurePath(draft.file).stem
    if one == other:
        one, other = "shipped", "edited"
    contenders = Contender(one, shipped), Contender(other, edited)

    def work(plan: Plan, study: Study) -> Data:
        return compare(contenders, plan, study)

    return _play(memory, _begin(memory, draft, plan, work), tell)


def answer_more(memory: BackendState, request: Request, tell: Tell) -> StudyReply:
    """Another slice."""
    run = memory.study_runs.get(request.number("study"))
    if run is None:
        raise BadRequest("this study was cancelled; begin another one")
    return _play(memory, run, tell)


# ---- What is to be played ------------------------------------------------------------------------


def _plan(request: Request, games: list[Game]) -> Plan:
    # The word alone would think by the clock, and nobody could repeat its games.
    seats = tuple(THINKS if word == "search" else word for word in request.texts("seats"))
    wish = Plan(
        games=request.number("games", 1, MOST_GAMES),
        players=tuple(sorted(set(request.numbers("players")))),
        seats=seats,
        seed=request.number("seed") if request.has("seed") else 1,
        restricted=request.number("without", 0, MOST_WITHOUT) if request.has("without") else 0,
    )
    try:
        plan = settle_plan(wish, games)
    except WrongPlan as error:
        raise BadRequest(str(error)) from error
    for word in seats:
        strength = untimed(word).partition(":")[2]
        if not is_timed(untimed(word)) and strength and int(strength) > MOST_THOUGHT:
            raise BadRequest(f"`{word}` thinks too long here; use at most {MOST_THOUGHT} games")
    return plan


def _shipped(file: str, draft: Draft) -> Game:
    """A shipped game, with those variants and options of the draft that it has as well."""
    path = {path.name: path for path in shipped_files()}.get(file)
    if path is None:
        raise BadRequest("this file is not shipped")
    known = read_game(path)
    variants = {each.name for each in known.variants}
    options = {each.name for each in known.options}
    like = Draft(
        file=path.name,
        text=loading.read(str(path)).text,
        variants=tuple(each for each in draft.variants if each in variants),
        settings=tuple(each for each in draft.settings if each[0] in options),
    )
    try:
        return game_from_draft(like)
    except WrongRules as wrong:
        first = wrong.diagnostics[0].message
        raise BadRequest(f"`{file}` cannot be played like this: {first}") from wrong


def _begin(
    memory: BackendState, draft: Draft, plan: Plan, work: Callable[[Plan, Study], Data]
) -> StudyRun:
    memory.begun += 1
    run = StudyRun(memory.begun, draft, plan, Study(local_crew(1)), work)
    memory.study_runs[run.number] = run
    for number in sorted(memory.study_runs)[:-MOST_KEPT]:
        del memory.study_runs[number]
    return run


# ---- A slice -------------------------------------------------------------------------------------


def _play(memory: BackendState, run: StudyRun, tell: Tell) -> StudyReply:
    """Play on for a while, and tell what can be said by then."""
    end = time.monotonic() + SECONDS
    study, plan = run.study, run.plan
    total = (plan.games + plan.restricted) * len(plan.players)

    def hear(errand: Errand, done: Done) -> None:
        task = errand.task
        run.played[task.kind, task.players] = done.games
        how = HOW.get(task.kind, "")
        many = f"{done.games:,} of {errand.games:,} games"
        run.text = f"{counted(task.players, 'player')}{how}, {many}"
        tell(_done(run) / total, run.text)
        if time.monotonic() > end:
            # As if somebody had pressed Ctrl-C: what is there is kept, and can be gone on with.
            raise KeyboardInterrupt

    study.told, study.is_interrupted = hear, False
    try:
        found = run.work(evolve(plan, confidence=LOOKING), study)
        if not study.is_interrupted:
            found = run.work(evolve(plan, confidence=USUAL_CONFIDENCE), study)
    except Broken:
        del memory.study_runs[run.number]
        raise
    return {
        "study": run.number,
        "finished": not study.is_interrupted,
        "done": _done(run),
        "total": total,
        "text": run.text,
        # A slice ends when games have come back, so there is always something to tell.
        "report": _report(found),
    }


def _done(run: StudyRun) -> int:
    # Games of players who think are all looked at closely; of others a few are, besides the rest.
    kinds = "games" if is_random(run.plan.seats) else "close", "restricted"
    return sum(games for (each, _), games in run.played.items() if each in kinds)


def _report(found: Data) -> Report:
    return {
        # The page says itself how far it is.
        "text": texts.report_text({**found, "interrupted": False}),
        "verdicts": list(_verdicts(found)),
        "figures": list(_figures(found)),
        "data": found,
    }


def _verdicts(found: Data) -> Iterator[Verdict]:
    for table in found["tables"]:
        if "verdict" in table:
            said = " ".join(table["verdict"])
            yield {"players": table["players"], "changed": False, "text": said}
        for side in table.get("differences", ()):
            changed = any(row["changed"] for row in side["measures"])
            yield {"players": table["players"], "changed": changed, "text": side["verdict"]}


def _figures(found: Data) -> Iterator[Figure]:
    draw = simulated if found["report"] == "simulate" else comparison_figures
    for table in found["tables"]:
        for each in draw(table):
            yield {
                "players": table["players"],
                "title": each.title,
                "note": each.note,
                "svg": each.svg,
            }

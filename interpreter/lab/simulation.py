"""A game and a plan -> a report on its tables, as plain data for people and programs alike.

For each number of players and each kind of players, the report says how often each seat wins, with scores, length and
shared victories from all games; what mattered in the games examined closely; and the worth of skill and of each thing
that players do.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from attrs import frozen

from interpreter.display_names import Listener
from interpreter.lab.bot_games import LADDER
from interpreter.lab.budgets import play_in_time
from interpreter.lab.chunk_runs import Done
from interpreter.lab.chunks import Kind, Packed, Task, pack
from interpreter.lab.conclusions import findings
from interpreter.lab.counts import Counts, value_counts
from interpreter.lab.intervals import IntervalEstimate
from interpreter.lab.measures import (
    Measure,
    close_measures,
    estimate_measure,
    measures,
    tells,
    total_of,
)
from interpreter.lab.plans import Look, Plan, WrongPlan, is_asked, looks, restricted_seats
from interpreter.lab.player_names import describe_players, describe_thinking
from interpreter.lab.restrictions import restricted_data
from interpreter.lab.samples import sample_data
from interpreter.lab.skill import skill_measures
from interpreter.lab.studies import Errand, Study, conduct, done_so_far
from interpreter.match import Game
from interpreter.titles import ranking_titles

Data = dict[str, Any]

ENDS = ("shared", "unwon", "cut", "decisions", "score", "winner", "spread")
TRIED = 20  # games: if none of them ends, the run stops


@frozen(eq=False)
class SimulatedTable:
    """A look at a table: the programs to play there, and the study that plays and stores their games."""

    programs: tuple[Packed, ...]
    plan: Plan
    look: Look
    study: Study

    @property
    def players(self) -> int:
        return len(self.look.seats)


def simulate(game: Game, plan: Plan, study: Study) -> Data:
    """Play, and report; an interrupted run reports what it has."""
    packed = pack(game)
    study.parts = task_count(plan)
    tables = []
    for scene in scenes_of((packed,), plan, study):
        done = play_look(scene)
        if done.games:
            tables.append(_table(scene, game, done))
    return {
        "report": "simulate",
        **describe_rules(game),
        "seed": plan.seed,
        "confidence": plan.confidence,
        "pace": plan.pace,
        "longest": plan.longest,
        "left_out": list(plan.left_out),
        "interrupted": study.is_interrupted,
        "tables": tables,
    }


def describe_rules(game: Game) -> Data:
    """Which rules were played."""
    return {
        "game": game.code.title,
        "file": game.name,
        "variants": list(game.variants),
        "options": dict(game.settings),
    }


# ---- What is played ------------------------------------------------------------------------------


def scenes_of(programs: tuple[Packed, ...], plan: Plan, study: Study) -> list[SimulatedTable]:
    """All looks at all tables, the quick ones first: players who think get the remaining time."""
    found = [
        SimulatedTable(programs, plan, look, study)
        for players in plan.players
        for look in looks(plan, players)
    ]
    return sorted(found, key=lambda scene: not scene.look.is_quick)


def play_look(scene: SimulatedTable) -> Done:
    """All games of one look at a table."""
    task, games = task_of(scene), scene.look.games
    if games is None:
        return play_in_time(scene.study, task)
    refuse_endless(scene, task, games)
    return conduct(scene.study, Errand(task, games))


def task_count(plan: Plan) -> int:
    """The approximate number of tasks in a plan."""
    found = 0
    for players in plan.players:
        every = looks(plan, players)
        found += len(every) + (1 if plan.sample and every[0].is_quick else 0)
        if is_asked(plan, players):
            found += (len(ladder()) if plan.skill else 0) + (1 if plan.restricted else 0)
    return found


def task_of(scene: SimulatedTable) -> Task:
    """The task of a look; if players think, every game is examined closely."""
    kind: Kind = "games" if scene.look.is_quick else "close"
    plan = scene.plan
    return Task(kind, scene.programs, scene.players, scene.look.seats, plan.seed, plan.longest)


def refuse_endless(scene: SimulatedTable, task: Task, games: int) -> None:
    """Refuse to go on if the first games of random players had no end."""
    if task.kind != "games" or done_so_far(scene.study, task).games > TRIED:
        return
    done = conduct(scene.study, Errand(task, min(TRIED, games)))
    for side in range(len(task.programs)):
        found = total_of(done.counts, side, "cut")
        if done.games >= TRIED and found.total == done.games:
            which = "" if len(task.programs) == 1 else f" of side {side + 1}"
            raise WrongPlan(
                f"none of the first {done.games} games{which} was over after {task.longest:,} choices "
                f"of random players; `--longest {10 * task.longest}` waits longer, and "
                "`rulespec test` looks for a game that cannot end"
            )


def play_more(scene: SimulatedTable, kind: Kind, seats: tuple[str, ...], games: int) -> Done:
    """Play separate games for a further question."""
    if not games:
        return Done()
    plan = scene.plan
    task = Task(kind, scene.programs, scene.players, seats, plan.seed, plan.longest)
    return conduct(scene.study, Errand(task, games))


def ladder() -> tuple[tuple[str, str], ...]:
    """Each pair of neighbouring levels, the stronger first."""
    return tuple(pairwise(LADDER))


# ---- What is told --------------------------------------------------------------------------------


def _table(scene: SimulatedTable, game: Game, done: Done) -> Data:
    plan, look, players = scene.plan, scene.look, scene.players
    error = 1 - plan.confidence
    found = table_data(done.counts, 0, look, plan.pace, error)
    if found["score"]:
        place = [row.role for row in game.code.ranking].index("score")
        titles = ranking_titles(Listener(game.machine(players).layout))
        found["score"]["title"] = titles[place]
    close = done
    if look.is_quick:
        close = play_more(scene, "close", look.seats, min(plan.sample, plan.games))
    if close.games:
        found["sample"] = sample_data(close.counts, 0, players, game, error)
    if look == looks(plan, players)[-1] and is_asked(plan, players):
        found |= _questions(scene)
    found["verdict"] = findings(found)
    return found


def _questions(scene: SimulatedTable) -> Data:
    """The answers that need separate games: the worth of skill, and of each thing that players do."""
    plan, players = scene.plan, scene.players
    error = 1 - plan.confidence
    found: Data = {}
    duels = []
    for pair in ladder():
        done = play_more(scene, "duels", pair, plan.skill)
        if done.games:
            duels.append(skill_data(done.counts, 0, players, pair, error))
    if duels:
        found["skill"] = duels
    seats = restricted_seats(plan, players)
    done = play_more(scene, "restricted", seats, plan.restricted)
    if done.games:
        who = describe_players(seats)
        found["restricted"] = restricted_data(done.counts, players, error, who)
    return found


def interval_data(found: IntervalEstimate) -> Data:
    """A mean and its interval."""
    return {"mean": found.value, "low": found.low, "high": found.high}


def measured(counts: Counts, side: int, measure: Measure, error: float) -> Data:
    """The estimate of a measure, and whether its interval says anything; empty if it never applied."""
    found = estimate_measure(counts, side, measure, error)
    if found is None:
        return {}
    return {**interval_data(found), "tells": tells(counts, (side,), measure, found)}


def table_data(counts: Counts, side: int, look: Look, pace: float, error: float) -> Data:
    """The results of all games of one program at one table."""
    players = len(look.seats)
    every = measures(players) if look.is_quick else close_measures(players)
    by_name = {each.name: measured(counts, side, each, error) for each in every}
    found: Data = {
        "players": players,
        "games": counts[("games",)],
        "who": describe_players(look.seats),
        "about": describe_thinking(look.seats, counts[("games",)] if look.games is None else None),
        "is_quick": look.is_quick,
        # Games that nobody wins do not count towards the equal share.
        "equal": (1 - by_name["unwon"].get("mean", 0.0)) / players,
        "seats": [
            {"seat": m + 1, "bot": word, **by_name[f"seat {m + 1}"]}
            for m, word in enumerate(look.seats)
        ],
        **{name: by_name[name] for name in ENDS},
        "close": {each.name: by_name[each.name] for each in every[players + len(ENDS) :]},
    }
    ended = total_of(counts, side, "decisions").n
    found["cut_off"] = found["games"] - ended
    # Games at which the fast engine stopped, and the reference played: the same games, only slower.
    found["slow"] = counts.get(("slow", side), 0)
    found["unscored"] = ended - total_of(counts, side, "score").n
    for name in ("decisions", "score"):
        if found[name]:
            found[name] |= spread_data(value_counts(counts, name, side))
    if found["decisions"]:
        found["minutes"] = minutes(found["decisions"], pace)
    return found


def minutes(decisions: Data, pace: float) -> Data:
    """How long a game takes people, if each decision takes so many seconds."""
    factor = pace / 60
    return {
        "pace": pace,
        **{name: decisions[name] * factor for name in ("mean", "low", "high")},
        "tells": decisions["tells"],
        "quarters": [factor * each for each in decisions["quarters"]],
    }


def spread_data(found: list[tuple[int, int]]) -> Data:
    """A distribution: its range, its quartiles, and all values."""
    total = sum(count for _, count in found)
    below = 0
    quarters: list[int] = []
    for value, count in found:
        below += count
        while len(quarters) < 3 and 4 * below >= total * (len(quarters) + 1):
            quarters.append(value)
    return {
        "least": found[0][0],
        "quarters": quarters,
        "most": found[-1][0],
        "histogram": [list(row) for row in found],
    }


def skill_data(counts: Counts, side: int, players: int, pair: Sequence[str], error: float) -> Data:
    """How often a stronger player wins, and who wins a deal twice."""
    every = {each.name: each for each in skill_measures(players)}
    return {
        "stronger": pair[0],
        "weaker": pair[1],
        "deals": counts[("games",)],
        "equal": 1 / players,
        **{
            name: measured(counts, side, every[key], error)
            for name, key in (("wins", "stronger"), ("both", "both"), ("deal", "deal"))
        },
    }

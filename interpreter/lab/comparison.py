"""Several programs on the same seeds -> how they differ, and how sure each difference is.

All differences are between pairs of games with the same seed. All intervals of a report hold together: they share the
allowed error. A change is reported only if its interval excludes zero.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from attrs import evolve, frozen

from interpreter.lab.chunk_runs import Done
from interpreter.lab.chunks import pack
from interpreter.lab.counts import Counts, counts_under
from interpreter.lab.measures import Measure, close_measures, difference, measures
from interpreter.lab.paired_differences import difference_rows, verdict
from interpreter.lab.plans import Look, Plan, is_asked, looks, middle_of, restricted_seats
from interpreter.lab.player_names import describe_players
from interpreter.lab.restrictions import restricted_rows
from interpreter.lab.simulation import (
    Data,
    SimulatedTable,
    describe_rules,
    ladder,
    play_look,
    play_more,
    refuse_endless,
    scenes_of,
    skill_data,
    table_data,
    task_count,
    task_of,
)
from interpreter.lab.skill import skill_measures
from interpreter.lab.studies import Errand, Study, conduct, mark_of
from interpreter.match import Game

FIRST_LOOK = 1_000  # games before the first check whether they are enough
FIRST_SHARE = 0.1  # the share of the allowed error that the first check spends
MARGIN = 1.1  # a factor on the number of games that seem needed


@frozen
class Contender:
    """A program of a comparison, with a distinct name, and the known doubts about it."""

    name: str
    game: Game
    doubts: tuple[str, ...] = ()


def compare(
    contenders: Sequence[Contender], plan: Plan, study: Study, until: float | None = None
) -> Data:
    """Play all programs on the same seeds, and report how each differs from the first."""
    packed = tuple(pack(each.game) for each in contenders)
    study.parts = task_count(evolve(plan, sample=0))
    quick, slow = _split(scenes_of(packed, plan, study))
    families = _families(plan, len(contenders))
    played = [(scene, *_play(scene, until, families)) for scene in quick]
    if plan.is_free:
        plan = _where_it_matters(plan, [(scene.players, done) for scene, done, _ in played])
        families = _families(plan, len(contenders))
        _, slow = _split(scenes_of(packed, plan, study))
    played += [(scene, *_play(scene, until, families)) for scene in slow]
    tables = []
    for scene, done, error in played:
        if not done.games:
            continue
        found = _table(scene, contenders, done, error)
        if scene.look == looks(plan, scene.players)[-1] and is_asked(plan, scene.players):
            _ask_more(scene, found, _error_of(scene, families))
        for each in found["differences"]:
            each["verdict"] = verdict(found, each)
        tables.append(found)
    return {
        "report": "compare",
        "contenders": [
            {"name": each.name, **describe_rules(each.game), "doubts": list(each.doubts)}
            for each in contenders
        ],
        "seed": plan.seed,
        "confidence": plan.confidence,
        "families": {each["who"]: families[each["who"]] for each in tables},
        "until": until,
        "pace": plan.pace,
        "longest": plan.longest,
        "left_out": list(plan.left_out),
        "interrupted": study.is_interrupted,
        "tables": tables,
    }


def _split(scenes: Sequence[SimulatedTable]) -> tuple[list[SimulatedTable], list[SimulatedTable]]:
    """The quick looks, and the looks at players who think."""
    quick = [scene for scene in scenes if scene.look.is_quick]
    return quick, [scene for scene in scenes if not scene.look.is_quick]


def _play(
    scene: SimulatedTable, until: float | None, families: Mapping[str, int]
) -> tuple[Done, float]:
    """All games of a look, and the error that each of its intervals may have."""
    error = _error_of(scene, families)
    if until is not None and scene.look == looks(scene.plan, scene.players)[0]:
        return _play_until(scene, until, error)
    return play_look(scene), error


def _error_of(scene: SimulatedTable, families: Mapping[str, int]) -> float:
    return (1 - scene.plan.confidence) / families[describe_players(scene.look.seats)]


def _where_it_matters(plan: Plan, quick: Sequence[tuple[int, Done]]) -> Plan:
    """Let players think only at tables where the sides differ; a rule change may concern some tables only."""
    numbers = [players for players, done in quick if not all(_same_games(done.counts))]
    return evolve(plan, thinkers=(middle_of(numbers),)) if numbers else plan


def _same_games(counts: Counts) -> Iterator[bool]:
    """For each side but the first, whether it played every game exactly as the first one did."""
    games = counts.get(("games",), 0)
    return (same == games for same in counts_under(counts, "same").values())


def _families(plan: Plan, sides: int) -> dict[str, int]:
    """How many intervals hold together, by who played; those of `restrictions` are separate families."""
    found: dict[str, int] = {}
    for players in plan.players:
        every = looks(plan, players)
        for look in every:
            size = len(_measures(look, players))
            if plan.skill and look is every[-1] and is_asked(plan, players):
                size += len(ladder()) * len(skill_measures(players))
            name = describe_players(look.seats)
            found[name] = found.get(name, 0) + size * (sides - 1)
    return found


def _measures(look: Look, players: int) -> tuple[Measure, ...]:
    return measures(players) if look.is_quick else close_measures(players)


# ---- How long ------------------------------------------------------------------------------------


def error_at(look: int) -> float:
    """The part of the allowed error that a check may spend, by its number; all parts add up to at most 1.

    >>> error_at(1), error_at(2), round(sum(map(error_at, range(1, 60))), 9)
    (0.1, 0.45, 1.0)
    """
    return FIRST_SHARE if look == 1 else (1 - FIRST_SHARE) / 2 ** (look - 1)


def _play_until(scene: SimulatedTable, until: float, error: float) -> tuple[Done, float]:
    """Play until every difference of shares is known within `until`; also return the error spent at that check.

    Checking after every game would find differences by chance. So it checks at a few sizes only, each chosen by what
    the last check found missing, and each check spends its own part of the allowed error.
    """
    task, most, settled = task_of(scene), scene.plan.games, scene.study.settled
    refuse_endless(scene, task, most)
    name = f"{mark_of(task)} until {until:g} {most} {error:.9g} look"
    size, look = min(most, FIRST_LOOK), 1
    while True:
        # A run that continues from its checkpoint checks at the same sizes as before.
        if f"{name} {look + 1}" in settled:
            look += 1
            size = settled[f"{name} {look}"]
            continue
        done = conduct(scene.study, Errand(task, size))
        spent = error * error_at(look)
        if done.games < size or size >= most:
            return done, spent
        widest = _widest(done.counts, task.players, len(task.programs), spent)
        if widest <= until:
            return done, spent
        look += 1
        next_widest = _widest(done.counts, task.players, len(task.programs), error * error_at(look))
        size = min(most, ceil(size * max(1.2, MARGIN * (next_widest / until) ** 2)))
        settled[f"{name} {look}"] = size


def _widest(counts: Counts, players: int, sides: int, error: float) -> float:
    found = [
        difference(counts, side, measure, error)
        for side in range(1, sides)
        for measure in measures(players)
        if measure.is_share
    ]
    return max((each.half for each in found if each is not None), default=1.0)


# ---- What differs --------------------------------------------------------------------------------


def _table(
    scene: SimulatedTable, contenders: Sequence[Contender], done: Done, error: float
) -> Data:
    counts, look = done.counts, scene.look
    every = _measures(look, scene.players)
    sides = [
        {"name": each.name, **table_data(counts, side, look, scene.plan.pace, error)}
        for side, each in enumerate(contenders)
    ]
    return {
        **{name: sides[0][name] for name in ("players", "who", "about", "is_quick", "equal")},
        "games": done.games,
        "sides": sides,
        "differences": [
            {
                "name": each.name,
                "measures": difference_rows(counts, every, side, error),
                "same": counts["same", side],
            }
            for side, each in enumerate(contenders[1:], 1)
        ],
    }


def _ask_more(scene: SimulatedTable, found: Data, error: float) -> None:
    """Add the questions that need separate games: the worth of skill, and of each thing that players do."""
    plan, players = scene.plan, scene.players
    for pair in ladder():
        done = play_more(scene, "duels", pair, plan.skill)
        if not done.games:
            continue
        for side, each in enumerate(found["sides"]):
            told = skill_data(done.counts, side, players, pair, error)
            each.setdefault("skill", []).append(told)
        every, of = skill_measures(players), " against ".join(pair)
        for side, each in enumerate(found["differences"], 1):
            each["measures"] += difference_rows(done.counts, every, side, error, of)
    seats = restricted_seats(plan, players)
    done = play_more(scene, "restricted", seats, plan.restricted)
    if done.games:
        for side, each in enumerate(found["differences"], 1):
            rows = restricted_rows(done.counts, players, side, 1 - plan.confidence)
            games = done.counts.get(("pairs", side), 0)
            each["restricted"] = {"games": games, "who": describe_players(seats), "things": rows}


def any_change(report: Data) -> bool:
    """Whether the report says that anything changed."""
    return any(
        measure["changed"]
        for table in report["tables"]
        for side in table["differences"]
        for measure in side["measures"]
    )

"""Games, examined closely -> counts of what mattered in them.

The reference machine replays a game choice by choice. Between decisions, this module observes turns, options and the
lead; rules and rows of tables by the places that the machine reached; cards by who got them, who parted with them and
who had them at the end. The fast engine tells the favourite at a moment, by playing the rest out at random a few times.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from attrs import define, field, frozen

from interpreter.bots.worth import victory
from interpreter.engine_protocol import Engine
from interpreter.engines import make_engine
from interpreter.errors import RuleFault
from interpreter.lab.bot_games import Played, is_random, play_bots
from interpreter.lab.counts import Counts, tally
from interpreter.lab.measures import THOUSAND, Sums, close_measures, whole_victory
from interpreter.lab.rule_parts import Part, Place, parts_of
from interpreter.lab.seeded_games import (
    TableSetup,
    ending_of,
    new_spreads,
    row_of,
    words_by_seat,
)
from interpreter.labels import piece_label
from interpreter.machine import Machine, Result, apply, build_machine, rank, start
from interpreter.match import Game
from interpreter.options import Decision
from interpreter.playthroughs import Chooser, at_random, following
from interpreter.state import OVER, SETUP, State

BOX = "box"
DEEDS = ("got", "played", "kept")  # what a player can do with a card
ANY = ""  # the name for "any card at all"
MOMENTS = 9  # at which the favourite is determined: after each tenth of a game
ROLLED = 24  # games played out at each moment
FURTHEST = 400  # choices in each of these games


@frozen(eq=False)
class Bench:
    """A machine that records what it reaches, and a plain one; and the parts of the rules at each place."""

    machine: Machine
    plain: Machine
    reached: set[Place]
    built: frozenset[Place]  # places reached while the machine was built: what is printed on cards
    parts: dict[Place, tuple[Part, ...]]
    names: tuple[str, ...]  # the name of every piece
    engine: Engine[Any]


@define
class Notes:
    """The sums of one side over its games."""

    options: Counter[int] = field(factory=Counter)
    parts: Counter[Part] = field(factory=Counter)
    moved: Counter[str] = field(factory=Counter)
    there: Counter[str] = field(factory=Counter)  # games in which a card was not always in the box
    held: Counter[tuple[str, str]] = field(factory=Counter)  # players who did this with a card
    excess: Counter[tuple[str, str]] = field(
        factory=Counter
    )  # their victories above the equal share
    squares: Counter[tuple[str, str]] = field(
        factory=Counter
    )  # the sums of the squared excess per game
    blind: int = 0  # decisions at which a bot found no world and chose at random


@define
class Seen:
    """The observations of one game."""

    choices: list[int] = field(factory=list)
    options: list[int] = field(factory=list)  # the number of options at each choice
    mover: int | None = None
    turns: int = 0
    changes: int = 0  # of the lead
    leaders: tuple[int, ...] | None = None
    is_ranked: bool = True  # whether the ranking is defined before the end
    moved: set[int] = field(factory=set)
    there: set[int] = field(factory=set)
    deeds: set[tuple[str, int, str]] = field(factory=set)  # the deed, the player and the card
    result: Result | None = None


@lru_cache(maxsize=32)
def _bench(game: Game, players: int) -> Bench:
    reached: set[Place] = set()
    machine = build_machine(game.code, players, reached=reached)
    layout = machine.layout
    return Bench(
        machine=machine,
        plain=game.machine(players),
        reached=reached,
        built=frozenset(reached),
        parts=parts_of(game.code),
        names=tuple(piece_label(layout, piece) for piece in range(len(layout.pieces))),
        engine=make_engine(game, players),
    )


# ---- Many games ----------------------------------------------------------------------------------


def count_closely(tables: Sequence[TableSetup], seeds: Sequence[int]) -> Counts:
    """Play each seed at every table, examine the games closely, and add up what they show."""
    players = tables[0].players
    whole = whole_victory(players)
    benches = [_bench(table.game, players) for table in tables]
    notes = [Notes() for _ in tables]
    sums = Sums(tuple(each.name for each in close_measures(players)), len(tables))
    spreads = new_spreads(len(tables))
    for seed in seeds:
        rows = []
        for side, (table, bench) in enumerate(zip(tables, benches, strict=True)):
            played, seen = _play(table, bench, seed)
            end = ending_of(seen.result, len(seen.choices))
            # Suspense means nothing among players who choose at random.
            ahead, decided = _suspense(bench, seed, seen, whole) if played else (None, None)
            rows.append(
                (
                    *row_of(end, table.order, whole),
                    seen.turns,
                    seen.changes if seen.is_ranked and seen.leaders is not None else None,
                    ahead,
                    decided,
                    *_judged(played),
                )
            )
            spreads.add(side, end)
            _note(bench, seen, notes[side])
            notes[side].blind += played.blind if played else 0
        sums.add(rows)
    counts = sums.counts() | spreads.counts()
    for side, (bench, each) in enumerate(zip(benches, notes, strict=True)):
        counts |= _noted(bench, each, side)
    return counts


def _play(table: TableSetup, bench: Bench, seed: int) -> tuple[Played | None, Seen]:
    """A game, and what was observed in it."""
    bench.reached.clear()
    bench.reached.update(bench.built)
    if is_random(table.seats):
        return None, watch(bench, seed, at_random(seed), table.longest)
    words = words_by_seat(table.order, table.seats)
    played = play_bots(table.game, words, seed, table.longest)
    return played, watch(bench, seed, following(played.choices), len(played.choices))


def _judged(played: Played | None) -> tuple[int | None, int | None]:
    """The shares of decisions that mattered, and of those with one far better option, in thousandths."""
    if played is None or not played.judged:
        return None, None
    count = len(played.judged)
    matter = sum(each.matters for each in played.judged)
    clear = sum(each.is_clear for each in played.judged)
    return THOUSAND * matter // count, THOUSAND * clear // count


def _note(bench: Bench, seen: Seen, notes: Notes) -> None:
    """Add what was observed in a game to the notes."""
    notes.options.update(seen.options)
    notes.parts.update({part for place in bench.reached for part in bench.parts[place]})
    notes.moved.update({bench.names[piece] for piece in seen.moved})
    notes.there.update({bench.names[piece] for piece in seen.there})
    if seen.result is None:
        return
    players, winners = bench.machine.layout.players, seen.result.winners
    whole = whole_victory(players)
    part = whole // max(1, len(winners))
    excess: Counter[tuple[str, str]] = Counter()
    done = {(deed, player, ANY) for deed, player, _ in seen.deeds}
    for deed, player, name in seen.deeds | done:
        notes.held[deed, name] += 1
        excess[deed, name] += players * (part if player in winners else 0) - whole
    notes.excess.update(excess)
    notes.squares.update({key: number * number for key, number in excess.items()})


def _noted(bench: Bench, notes: Notes, side: int) -> Counts:
    """The notes as counts; they include what never occurred."""
    counts = tally(notes.options, "options", side)
    if notes.blind:
        counts["blind", side] = notes.blind
    counts |= {
        ("part", side, *part): notes.parts[part] for parts in bench.parts.values() for part in parts
    }
    for name in bench.names:
        counts |= {
            ("moved", side, name): notes.moved[name],
            ("there", side, name): notes.there[name],
        }
    for name in (ANY, *bench.names):
        for deed in DEEDS:
            counts |= {
                ("held", side, deed, name): notes.held[deed, name],
                ("excess", side, deed, name): notes.excess[deed, name],
                ("squares", side, deed, name): notes.squares[deed, name],
            }
    return counts


# ---- One game ------------------------------------------------------------------------------------


def watch(bench: Bench, seed: int, choose: Chooser, longest: int) -> Seen:
    """Play one game, and look at the table before and after each decision."""
    machine, seen = bench.machine, Seen()
    state = start(machine, seed, 0)
    where = state.where[:]
    _look(bench, where, where, seen)
    while isinstance(state.pending, Decision) and len(seen.choices) < longest:
        asked = state.pending
        if asked.player != seen.mover:
            seen.mover, seen.turns = asked.player, seen.turns + 1
            _look_for_leader(bench, state, seen)
        in_setup = state.phase == SETUP
        number = choose(len(seen.choices), len(asked.options))
        seen.choices.append(number)
        seen.options.append(len(asked.options))
        apply(machine, state, number)
        if state.where != where:
            _look(bench, where, state.where, seen, in_setup=in_setup)
            where = state.where[:]
    if state.phase == OVER:
        seen.result = rank(machine, state)
    owners = [zone.owner for zone in machine.layout.zones]
    for piece, zone in enumerate(state.where):
        owner = owners[zone]
        if owner is not None:
            seen.deeds.add(("kept", owner, bench.names[piece]))
    return seen


def _look(
    bench: Bench,
    before: Sequence[int],
    after: Sequence[int],
    seen: Seen,
    *,
    in_setup: bool = True,
) -> None:
    """Record which cards have moved, and who got them or parted with them."""
    zones, names = bench.machine.layout.zones, bench.names
    is_first = before is after
    for piece, zone in enumerate(after):
        if not is_first and before[piece] == zone:
            continue
        if not is_first and not in_setup:
            seen.moved.add(piece)
        if zones[zone].row.name != BOX:
            seen.there.add(piece)
        to, source = zones[zone].owner, zones[before[piece]].owner
        if to is not None and (is_first or to != source):
            seen.deeds.add(("got", to, names[piece]))
        if source is not None and to != source and not in_setup:
            seen.deeds.add(("played", source, names[piece]))


def _look_for_leader(bench: Bench, state: State, seen: Seen) -> None:
    """Record who would win if the game were over now, unless the ranking is defined only at the end."""
    if not seen.is_ranked or state.phase == SETUP:
        return
    try:
        now = rank(bench.plain, state).winners
    except RuleFault:
        seen.is_ranked = False
        return
    seen.changes += seen.leaders is not None and now != seen.leaders
    seen.leaders = now


# ---- Suspense ------------------------------------------------------------------------------------


def _suspense(bench: Bench, seed: int, seen: Seen, whole: int) -> tuple[int | None, int | None]:
    """The half-time favourite's share of the victory, and the part of the game after which it was decided."""
    if seen.result is None or not seen.result.winners or len(seen.choices) <= MOMENTS:
        return None, None
    favourites = _favourites(bench, seed, seen.choices)
    winners = seen.result.winners
    middle = favourites[MOMENTS // 2]
    ahead = None
    if middle is not None:
        ahead = whole // len(winners) if middle in winners else 0
    moment = MOMENTS
    while moment and favourites[moment - 1] in winners:
        moment -= 1
    return ahead, THOUSAND * (moment + 1) // (MOMENTS + 1)


def _favourites(bench: Bench, seed: int, choices: Sequence[int]) -> list[int | None]:
    """After each tenth of a game, the player who wins most if the rest is played at random; None for a tie."""
    engine = bench.engine
    state = engine.start(seed, 0)
    stops = {len(choices) * n // (MOMENTS + 1) for n in range(1, MOMENTS + 1)}
    found: list[int | None] = []
    for n, number in enumerate(choices):
        if n in stops:
            found.append(_favourite(engine, state, seed + n))
        engine.apply(state, number)
    return found


def _favourite(engine: Engine[Any], state: Any, seed: int) -> int | None:
    won = [0.0] * engine.machine.layout.players
    for n in range(ROLLED):
        future = engine.future(state, seed + (n << 20))
        try:
            engine.playout(future, seed ^ n << 32, FURTHEST)
            parts = victory(engine.result(future))
        except RuleFault:
            return None
        won = [a + b for a, b in zip(won, parts, strict=True)]
    best = max(won)
    return won.index(best) if won.count(best) == 1 else None

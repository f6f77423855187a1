"""A few games played step by step on the reference machine -> what mattered in them.

Turns, options and the lead are looked at between decisions; rules and rows of tables by what the machine
reached; cards by whether they moved after setup, and with whom they were at the end. All choose at random.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from attrs import define, field, frozen

from interpreter.errors import RuleFault
from interpreter.flat import Code
from interpreter.lab.counts import Counts, tally
from interpreter.lab.playing import whole_victory
from interpreter.labels import piece_label
from interpreter.machine import Machine, apply, build_machine, rank, start
from interpreter.match import Game
from interpreter.options import Decision
from interpreter.playthroughs import at_random, check_length
from interpreter.state import SETUP, State
from rulespec.core.tree import Origin
from rulespec.source import locate, text_of

Place = tuple[str, int]  # a block or function, and an instruction or a row of it
Part = tuple[str, str, int, str]  # rule or row, file, line, and what it is called

LONGEST_NAME = 60  # of a row, which is called by its text


@frozen(eq=False)
class Bench:
    """A machine that notes what it reaches, and one that does not; of each place its parts of the rules."""

    machine: Machine
    plain: Machine
    reached: set[Place]
    built: frozenset[Place]  # reached when the table was laid: what is printed on cards
    parts: dict[Place, tuple[Part, ...]]
    names: tuple[str, ...]  # of every piece how it is called


@define
class Sums:
    """What is added up, game by game."""

    turns: Counter[int] = field(factory=Counter)
    options: Counter[int] = field(factory=Counter)
    changes: Counter[int] = field(factory=Counter)  # of the lead
    leaderless: int = 0  # games in which the ranking cannot be told before the end
    parts: Counter[Part] = field(factory=Counter)
    moved: Counter[str] = field(factory=Counter)
    held: Counter[str] = field(factory=Counter)
    excess: Counter[str] = field(
        factory=Counter
    )  # victories of those who hold it, above their part
    squares: Counter[str] = field(factory=Counter)  # of the same, game by game


def count_sample(game: Game, players: int, seeds: Sequence[int]) -> Counts:
    """Play the seeds step by step, and add up what mattered."""
    bench = _bench(game, players)
    sums = Sums()
    for seed in seeds:
        bench.reached.clear()
        bench.reached.update(bench.built)
        _play(bench, seed, sums)
        sums.parts.update({part for place in bench.reached for part in bench.parts[place]})
    counts: Counts = {("games",): len(seeds), ("leaderless",): sums.leaderless}
    counts |= tally(sums.turns, "turns")
    counts |= tally(sums.options, "options")
    counts |= tally(sums.changes, "changes")
    # What never mattered is told as well.
    counts |= {
        ("part", *part): sums.parts[part] for parts in bench.parts.values() for part in parts
    }
    for name in bench.names:
        counts |= {("moved", name): sums.moved[name], ("held", name): sums.held[name]}
        counts |= {("excess", name): sums.excess[name], ("squares", name): sums.squares[name]}
    return counts


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
    )


def parts_of(code: Code) -> dict[Place, tuple[Part, ...]]:
    """Of every place that a machine can reach, the rule and the row to which it belongs."""
    found: dict[Place, tuple[Part, ...]] = {}
    for block in code.blocks.values():
        kind = "row" if " row " in block.name else "rule"
        part = _part(kind, block.origin, block.origin.rule)
        found |= {(block.name, n): (part,) for n in range(len(block.code))}
    for function in code.functions.values():
        # A `let` only gives a name to what is used elsewhere.
        if not function.inputs:
            found |= {(function.name, n): () for n in range(len(function.rows))}
            continue
        rule = _part("rule", function.origin, function.origin.rule)
        for n, row in enumerate(function.rows):
            text = " ".join(text_of(row.origin.span).split())[:LONGEST_NAME]
            named = _part("row", row.origin, f"{function.origin.rule}: {text}")
            found[function.name, n] = (rule, named)
    return found


def _part(kind: str, origin: Origin, name: str) -> Part:
    return kind, origin.span.source.name, locate(origin.span)[0].line, name


def _play(bench: Bench, seed: int, sums: Sums) -> None:
    """One game at random, with a look at the table before each decision."""
    machine = bench.machine
    state = start(machine, seed, 0)
    choose = at_random(seed)
    decisions = turns = changes = 0
    mover: int | None = None
    leaders: tuple[int, ...] | None = None
    is_ranked = True
    where = state.where[:]
    moved: set[int] = set()
    while isinstance(state.pending, Decision):
        asked = state.pending
        check_length(decisions, asked)
        if asked.player != mover:
            mover, turns = asked.player, turns + 1
            if is_ranked and state.phase != SETUP:
                now = _leaders(bench, state)
                changes += leaders is not None and now != leaders
                leaders, is_ranked = now, now is not None
        in_setup = state.phase == SETUP
        sums.options[len(asked.options)] += 1
        apply(machine, state, choose(decisions, len(asked.options)))
        decisions += 1
        if state.where != where:
            if not in_setup:
                moved |= {n for n, zone in enumerate(state.where) if zone != where[n]}
            where = state.where[:]
    sums.turns[turns] += 1
    if is_ranked and leaders is not None:
        sums.changes[changes] += 1
    else:
        sums.leaderless += 1
    _count_cards(bench, state, moved, sums)


def _leaders(bench: Bench, state: State) -> tuple[int, ...] | None:
    """Who would win if the game were over now; nobody can tell if the ranking needs its end."""
    try:
        return rank(bench.plain, state).winners
    except RuleFault:
        return None


def _count_cards(bench: Bench, state: State, moved: set[int], sums: Sums) -> None:
    """Cards by name: whether one moved, how many ended with a player, and how much more these won."""
    layout = bench.machine.layout
    winners = rank(bench.machine, state).winners
    whole = whole_victory(layout.players)
    part = whole // max(1, len(winners))
    sums.moved.update({bench.names[piece] for piece in moved})
    excess: Counter[str] = Counter()
    for piece, zone in enumerate(state.where):
        owner = layout.zones[zone].owner
        if owner is not None:
            sums.held[bench.names[piece]] += 1
            won = part if owner in winners else 0
            excess[bench.names[piece]] += layout.players * won - whole
    sums.excess.update(excess)
    sums.squares.update({name: number * number for name, number in excess.items()})

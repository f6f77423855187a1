"""Games that are played again by somebody who never does one thing -> what each thing is worth.

A game is played, and one seat of it is looked at. For each thing that this seat did, such as playing a card or
answering `yes`, the game is played again from the first time that it did so: now the player takes the best option
without it, then and whenever it is asked again, unless there is no other. What the player did not do in the first
game cannot be missed in it. So one game tells of all things at once, and the difference is not blurred by other deals.

All these differences are to the same first game. Its luck would shift all of them together, so it is taken out: over
many games, whoever is looked at wins as much as the others at the table, because chance says which seat it is.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from attrs import frozen

from interpreter import chance
from interpreter.actions import untagged
from interpreter.bots import Advice
from interpreter.event_log import holds_pieces
from interpreter.lab.bot_games import advise, seat_bots
from interpreter.lab.counts import Counts
from interpreter.lab.measures import whole_victory
from interpreter.lab.rule_parts import Place, parts_of
from interpreter.lab.seeded_games import TableSetup, words_by_seat
from interpreter.labels import label, piece_label
from interpreter.machine import Machine, Result, apply, build_machine
from interpreter.match import Game, Match
from interpreter.options import Decision
from rulespec.core.types import Bool, Choice, Number, Several, present

Thing = tuple[str, str]  # a kind, and what it is called: what a player could do without

MOST_OPTIONS = 30  # of a decision whose rules are told apart: each option takes a step
LONGEST_PROMPT = 48


@frozen(eq=False)
class RuleTracker:
    """A machine that notes which rules it reaches."""

    machine: Machine
    reached: set[Place]
    names: dict[Place, str]  # of what stands in a rule


@frozen
class Tried:
    """Of each thing that a seat did, how its victory and its points change without it; and its luck in the first game.

    That is how much more of the victory it had than the others at the table, times their number.
    """

    lost: dict[Thing, tuple[int, int]]
    luck: int


@lru_cache(maxsize=16)
def _rules(game: Game, players: int) -> RuleTracker:
    reached: set[Place] = set()
    machine = build_machine(game.code, players, reached=reached)
    names = {
        place: name
        for place, parts in parts_of(game.code).items()
        for kind, _, _, name in parts
        if kind == "rule" and place[0] in game.code.blocks
    }
    return RuleTracker(machine, reached, names)


def count_restricted(tables: Sequence[TableSetup], seeds: Sequence[int]) -> Counts:
    """Play each seed at every table, and again without each thing that one seat did."""
    counts: Counter[Any] = Counter()
    for seed in seeds:
        found = [_games(table, seed) for table in tables]
        for side, tried in enumerate(found):
            counts[("ended", side)] += tried is not None
            if tried is None:
                continue
            _add(counts, ("luck", side), tried.luck)
            for thing, (won, points) in tried.lost.items():
                _add(counts, ("without", side, *thing), won)
                counts[("without", side, *thing, "luck")] += won * tried.luck
                counts[("points", side, *thing)] += points
        first = found[0]
        for side, tried in enumerate(found[1:], 1):
            if tried is None or first is None:
                continue
            counts[("pairs", side)] += 1
            for thing in {*tried.lost, *first.lost}:
                change = tried.lost.get(thing, (0, 0))[0] - first.lost.get(thing, (0, 0))[0]
                _add(counts, ("change", side, *thing), change)
    return {("games",): len(seeds), **counts}


def _add(counts: Counter[Any], key: tuple[Any, ...], x: int) -> None:
    counts[(*key, "n")] += 1
    counts[(*key, "sum")] += x
    counts[(*key, "square")] += x * x


def _games(table: TableSetup, seed: int) -> Tried | None:
    """A game with and without each thing that a seat did; nothing if one of these games has no end."""
    words = words_by_seat(table.order, table.seats)
    mine = table.order[seed % table.players]
    match = table.game.start(len(words), seed, 0)
    bots = seat_bots(table.game, words, seed)
    forks: dict[Thing, tuple[Match, Advice]] = {}
    while match.decision is not None:
        if len(match.choices) >= table.longest:
            return None
        seat = match.decision.player
        advice = advise(bots[seat], match)
        if seat == mine and len(match.decision.options) > 1:
            here = match.clone()
            for thing in _done_by(table, here, advice.choice):
                forks.setdefault(thing, (here, advice))
        match.apply(advice.choice)
    base = _worth(match.result(), mine)
    lost = {}
    for n, (thing, (here, advice)) in enumerate(forks.items()):
        result = _again(table, here.clone(), thing, advice, chance.draw(seed + n)[1])
        if result is None:
            return None
        won, points = _worth(result, mine)
        lost[thing] = won - base[0], points - base[1]
    return Tried(lost, table.players * base[0] - _given(match.result()))


def _given(result: Result) -> int:
    """The whole victory, or nothing if nobody wins."""
    return whole_victory(len(result.places)) if result.winners else 0


def _worth(result: Result, seat: int) -> tuple[int, int]:
    """The part of a victory, and the points, the more the better."""
    winners = result.winners
    whole = whole_victory(len(result.places))
    won = whole // max(1, len(winners)) if seat in winners else 0
    row = result.points
    value = row[1][seat] if row is not None else None
    return won, 0 if row is None or value is None else (int(value) if row[0] else -int(value))


def _again(
    table: TableSetup, match: Match, thing: Thing, first: Advice, seed: int
) -> Result | None:
    """The rest of a game, in which the one who is asked never does a thing."""
    decision = match.decision
    if decision is None:
        raise ValueError("nothing is asked")
    words = words_by_seat(table.order, table.seats)
    mine, bots = decision.player, seat_bots(table.game, words, seed)
    advice: Advice | None = first
    while match.decision is not None:
        if len(match.choices) >= table.longest:
            return None
        seat = match.decision.player
        advice = advice or advise(bots[seat], match)
        match.apply(_without(table, match, advice, thing) if seat == mine else advice.choice)
        advice = None
    return match.result()


def _without(table: TableSetup, match: Match, advice: Advice, thing: Thing) -> int:
    """The best option without a thing; the best of all, if there is none without it."""
    decision = match.decision
    if decision is None:
        raise ValueError("nothing is asked")
    if not _does(table, match, advice.choice, thing):
        return advice.choice
    ranked = [each.number for each in advice.estimates]
    others = [*ranked, *(n for n in range(len(decision.options)) if n not in ranked)]
    for number in others[:MOST_OPTIONS]:
        if not _does(table, match, number, thing):
            return number
    return advice.choice


# ---- What an option does -------------------------------------------------------------------------


def _done_by(table: TableSetup, match: Match, number: int) -> set[Thing]:
    """The things that a player does by taking an option, of those that could be left."""
    decision = match.decision
    if decision is None or len(decision.options) < 2:
        return set()
    found = set(_answers(match, decision, number))
    if len(decision.options) <= MOST_OPTIONS:
        reached = [_reached(table, match, n) for n in range(len(decision.options))]
        always = set.intersection(*reached)
        found |= {("rule", rule) for rule in reached[number] - always}
    return found


def _does(table: TableSetup, match: Match, number: int, thing: Thing) -> bool:
    """Whether a player does a thing by taking an option."""
    decision = match.decision
    if decision is None:
        return False
    if thing[0] == "rule":
        return thing[1] in _reached(table, match, number)
    return thing in _answers(match, decision, number)


def _answers(match: Match, decision: Decision, number: int) -> Iterator[Thing]:
    """A card that is chosen, or what is answered to a question."""
    layout, value, of = match.engine.layout, decision.options[number], decision.of
    prompt = decision.prompt[:LONGEST_PROMPT]
    if value is None:
        yield "answer", f"{prompt} {decision.text(number)}"
        return
    value, of = untagged(value, of)
    # Of several that are chosen at once, each is a thing of its own.
    each_of = of.of if isinstance(of, Several) else of
    every = value if isinstance(value, tuple) else (value,)
    if holds_pieces(of):
        for name in {piece_label(layout, piece) for piece in every}:
            yield "card", name
    elif isinstance(present(each_of), Bool | Choice | Number):
        for one in every:
            yield "answer", f"{prompt} {label(layout, one, each_of)}"


def _reached(table: TableSetup, match: Match, number: int) -> set[str]:
    """The rules that run if an option is taken, until somebody is asked again."""
    rules = _rules(table.game, table.players)
    state = match.state.clone()
    state.watch = None
    rules.reached.clear()
    apply(rules.machine, state, number)
    return {rules.names[place] for place in rules.reached if place in rules.names}

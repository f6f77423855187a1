"""A table and seeds -> what each thing that players do is worth: games replayed by a player who never does that thing.

The lab plays a game, and looks at one seat. For each thing that this seat did, such as playing a card or answering
`yes`, it plays the game again from the first time the seat did it: now the player takes the best option without the
thing, then and whenever asked again, unless there is no other option. A player cannot miss a thing that they did not do
in the first game. So one game tells about all things at once, and other deals do not blur the difference.

It counts the share of the victory, and the lead in points over the others, which varies much less by chance. All these
differences are to the same first game, whose luck would shift all of them together. So the lab counts that luck as well,
and `restrictions` takes it out: chance chooses the seat, so over many games that seat wins as much as the others at the
table, and its mean lead is 0.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from attrs import frozen

from interpreter import chance
from interpreter.actions import untagged
from interpreter.bots import Advice
from interpreter.dice import Dice
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

Thing = tuple[str, str]  # a kind and a name: something that a player could do without

# Above this, the rules behind options are not told apart, as each option takes a step.
MOST_OPTIONS = 30
LONGEST_PROMPT = 48


@frozen(eq=False)
class RuleTracker:
    """A machine that records which rules it reaches."""

    machine: Machine
    reached: set[Place]
    names: dict[Place, str]  # the names of the rules


@frozen
class Worth:
    """The result of a game for one seat, in whole numbers; the more the better.

    `won` is the share of the victory; `lead` is how far the points are above the average of the others, times their
    number, or None if a player has no points.
    """

    won: int
    lead: int | None


@frozen
class Tried:
    """How the result of a seat changes without each thing that it did, and how lucky it was in the first game.

    `luck` is how much more of the victory and of the points the seat had than the others at the table, times the
    number of players: over many games, its mean is 0.
    """

    changes: dict[Thing, Worth]
    luck: Worth


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
    """Play each seed at every table, and replay it without each thing that one seat did."""
    counts: Counter[Any] = Counter()
    for seed in seeds:
        found = [_games(table, seed) for table in tables]
        for side, tried in enumerate(found):
            counts[("ended", side)] += tried is not None
            if tried is not None:
                _count_luck(counts, ("luck", side), tried.luck)
                for thing, worth in tried.changes.items():
                    _count_change(counts, ("without", side, *thing), worth, tried.luck)
        first = found[0]
        for side, tried in enumerate(found[1:], 1):
            if tried is None or first is None:
                continue
            counts[("pairs", side)] += 1
            luck = _less(tried.luck, first.luck)
            _count_luck(counts, ("luck of pairs", side), luck)
            for thing in {*tried.changes, *first.changes}:
                now, before = (each.changes.get(thing, Worth(0, 0)) for each in (tried, first))
                _count_change(counts, ("change", side, *thing), _less(now, before), luck)
    return {("games",): len(seeds), **counts}


def _less(one: Worth, other: Worth) -> Worth:
    """The first worth minus the second."""
    lead = None if one.lead is None or other.lead is None else one.lead - other.lead
    return Worth(one.won - other.won, lead)


def _count_luck(counts: Counter[Any], key: tuple[Any, ...], luck: Worth) -> None:
    """Add luck to the sums: both kinds, their squares and their product."""
    lead = luck.lead or 0
    for name, x in (
        ("won", luck.won),
        ("lead", lead),
        ("won won", luck.won**2),
        ("won lead", luck.won * lead),
        ("lead lead", lead**2),
    ):
        counts[(*key, name)] += x


def _count_change(counts: Counter[Any], key: tuple[Any, ...], change: Worth, luck: Worth) -> None:
    """Add a change to the sums: its value, its square, and its products with luck; also count the game and its luck."""
    y, z = luck.won, luck.lead or 0
    counts[(*key, "n")] += 1
    counts[(*key, "n won")] += y
    counts[(*key, "n lead")] += z
    for name, x in (("won", change.won), ("lead", change.lead)):
        if x is None:
            counts[(*key, "no points")] += 1
            continue
        counts[(*key, name, "sum")] += x
        counts[(*key, name, "square")] += x * x
        counts[(*key, name, "won")] += x * y
        counts[(*key, name, "lead")] += x * z


def _games(table: TableSetup, seed: int) -> Tried | None:
    """A game with and without each thing that a seat did; None if one of these games has no end."""
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
    base = worth_of(match.result(), mine)
    changes = {}
    for n, (thing, (here, advice)) in enumerate(forks.items()):
        result = _again(table, here.clone(), thing, advice, chance.draw(seed + n)[1])
        if result is None:
            return None
        changes[thing] = _less(worth_of(result, mine), base)
    return Tried(changes, _luck(match.result(), base))


def worth_of(result: Result, seat: int) -> Worth:
    """The share of the victory, and the lead over the others, as `Worth` defines them."""
    winners = result.winners
    won = whole_victory(len(result.places)) // len(winners) if seat in winners else 0
    row = result.points
    if row is None:
        return Worth(won, None)
    most, points = row
    known = [int(value) for value in points if value is not None]
    if len(known) < len(points):
        return Worth(won, None)
    mine = int(points[seat] or 0)
    # A solo player has nobody to lead over: the points themselves count.
    lead = len(known) * mine - sum(known) if len(known) > 1 else mine
    return Worth(won, lead if most else -lead)


def _luck(result: Result, worth: Worth) -> Worth:
    """How much more a seat had than the others; 0 for a solo player."""
    players = len(result.places)
    if players == 1:
        return Worth(0, 0)
    whole = whole_victory(players) if result.winners else 0
    return Worth(players * worth.won - whole, worth.lead)


def _again(
    table: TableSetup, match: Match, thing: Thing, first: Advice, seed: int
) -> Result | None:
    """Play the rest of a game, in which the player to move never does a thing."""
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
    rest = [n for n in range(len(decision.options)) if n not in ranked]
    # The options that the bot did not consider follow in random order.
    others = [*ranked, *Dice(match.seed + len(match.choices)).shuffled(rest)]
    for number in others[:MOST_OPTIONS]:
        if not _does(table, match, number, thing):
            return number
    return advice.choice


# ---- What an option does -------------------------------------------------------------------------


def _done_by(table: TableSetup, match: Match, number: int) -> set[Thing]:
    """The things that a player does by choosing an option and could avoid by choosing another."""
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
    """Whether a player does a thing by choosing an option."""
    decision = match.decision
    if decision is None:
        return False
    if thing[0] == "rule":
        return thing[1] in _reached(table, match, number)
    return thing in _answers(match, decision, number)


def _answers(match: Match, decision: Decision, number: int) -> Iterator[Thing]:
    """The card that an option chooses, or the answer that it gives."""
    layout, value, of = match.engine.layout, decision.options[number], decision.of
    prompt = decision.prompt[:LONGEST_PROMPT]
    if value is None:
        yield "answer", f"{prompt} {decision.text(number)}"
        return
    value, of = untagged(value, of)
    # If an option chooses several, each of them is a separate thing.
    each_of = of.of if isinstance(of, Several) else of
    every = value if isinstance(value, tuple) else (value,)
    if holds_pieces(of):
        for name in {piece_label(layout, piece) for piece in every}:
            yield "card", name
    elif isinstance(present(each_of), Bool | Choice | Number):
        for one in every:
            yield "answer", f"{prompt} {label(layout, one, each_of)}"


def _reached(table: TableSetup, match: Match, number: int) -> set[str]:
    """The rules that run after an option, until a player is asked again."""
    rules = _rules(table.game, table.players)
    state = match.state.clone()
    state.watch = None
    rules.reached.clear()
    apply(rules.machine, state, number)
    return {rules.names[place] for place in rules.reached if place in rules.names}

"""7 – The Sins: the engine with `sins.rules` and the plain model, side by side.

The model in models/sins.py was written from the rulebooks and the ledger, without a look at the rules
file. Here both play the same games: the same options at each decision, the same table after it, the same
scores and winners. Then the arithmetic of the ledger's section 6, held against tables of the engine.
"""

import random
from collections import Counter
from functools import cache
from itertools import pairwise, product
from math import ceil, comb
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.game_loading import load
from interpreter.machine import apply, decide_chance, rank, start
from interpreter.options import ChanceNode
from models.sins import (
    ABYSS,
    COPIES,
    HELLS,
    LAST_JUDGMENT,
    PENANCE,
    PLACE,
    RESERVE,
    SINS,
    STONE,
    STONES,
    TAKE,
    TYPES,
    Deal,
    Rules,
    Sins,
    blocks_of,
    deal_faults,
    placements_of,
    points_of,
    score_of,
    selections_of,
    winners_of,
)
from rulespec.core.types import Choice, Family, Maybe, Piece, Several
from sizes import some

# ---- How the rules file calls what the model has: all names are here -------------------------------

FILE = "sins.rules"
VARIANT = "penitenziagite"
STONE_OPTIONAL = {"stone_optional": True}
PLACEMENT_OPTIONAL = {"stone_placement": "optional"}
PICKED_BY_TASTE = {"sins_picked": "by_taste"}
STONES_IN_TIES = {"stones_break_ties": True}

CENTRE_ZONE, PILE_ZONE, ABYSS_ZONE, SUPPLY_ZONE = "centre", "deck", "abyss", "stones"
RESERVE_ZONES, STONE_ZONES = "reserve", "pardons"  # of each player
SCAFFOLDS = ("hell", "penance")  # empty once the game is set up; those that there are
SINS_VARIABLE = "sins"
PLACED_VARIABLES, ACTIVE_VARIABLE = "forgiven", "active"

SIN_ENUM, ACT_ENUM, STONE_KIND = "Sin", "Act", "Stone"
NAMES_OF_SINS = {name.lower(): name for name in SINS}
NAMES_OF_HELLS = {name: name for name in HELLS}
NAMES_OF_ACTS = {"keep": RESERVE, "feed": ABYSS}
SCORE_ROW, CARDS_ROW, TYPES_ROW = 0, 1, 2  # of the ranking

# Of each kind of card what the model calls it, given the names of its attributes.
CARDS = {
    "Vice": lambda of: (NAMES_OF_SINS[of["sin"]], NAMES_OF_HELLS[of["hell"]]),
    "Judgment": lambda of: (LAST_JUDGMENT, NAMES_OF_HELLS[of["hell"]]),
    "Penance": lambda of: (NAMES_OF_SINS[of["sin"]], PENANCE),
}


# ---- The table of either side, in the words of the model -------------------------------------------


class Table(NamedTuple):
    """All that lies on the table; the order counts in the pile alone."""

    active: int | None
    pile: tuple
    centre: Counter
    abyss: Counter
    supply: int
    reserves: tuple
    stones: tuple
    placed: tuple


def table_of_model(model):
    decision = model.decision()
    return Table(
        decision[0] if decision and decision[1] != PLACE else None,
        tuple(model.pile),
        Counter(model.centre),
        Counter(model.abyss),
        model.supply,
        tuple(Counter(reserve) for reserve in model.reserves),
        tuple(model.stones),
        tuple(model.placed),
    )


@cache
def game_with(rules):
    """The rules file with its variant and options."""
    options = {}
    if rules.stone_optional:
        options |= STONE_OPTIONAL
    if not rules.placement_mandatory:
        options |= PLACEMENT_OPTIONAL
    if rules.picked_by_taste:
        options |= PICKED_BY_TASTE
    if rules.stones_in_ties:
        options |= STONES_IN_TIES
    variants = [VARIANT] if rules.variant else []
    return load(FILE, variants, options)


class Engine:
    """The machine for a table, and how its states are read."""

    def __init__(self, players, game):
        self.players = players
        self.game = game
        self.machine = game.machine(players)
        self.layout = self.machine.layout
        self.cards = [self._card(piece) for piece in self.layout.pieces]

    def name(self, member):
        return self.layout.code.members[member].name

    def sin(self, member):
        return NAMES_OF_SINS[self.name(member)]

    def _card(self, piece):
        if piece.kind == STONE_KIND:
            return STONE_KIND
        return CARDS[piece.kind]({key: self.name(at) for key, at in piece.attributes.items()})

    # -- Reading

    def zone(self, state, name, seat=0):
        return tuple(
            self.cards[piece] for piece in state.zones[self.layout.zone_families[name].base + seat]
        )

    def variable(self, state, name, seat=0):
        return state.variables[self.layout.variable_families[name].base + seat]

    def table(self, state):
        seats = range(self.players)
        asked = state.pending and self.question(state.pending)
        return Table(
            self.variable(state, ACTIVE_VARIABLE) if asked and asked != PLACE else None,
            self.zone(state, PILE_ZONE),
            Counter(self.zone(state, CENTRE_ZONE)),
            Counter(self.zone(state, ABYSS_ZONE)),
            len(self.zone(state, SUPPLY_ZONE)),
            tuple(Counter(self.zone(state, RESERVE_ZONES, seat)) for seat in seats),
            tuple(len(self.zone(state, STONE_ZONES, seat)) for seat in seats),
            tuple(
                frozenset(map(self.sin, self.variable(state, PLACED_VARIABLES, seat)))
                for seat in seats
            ),
        )

    def deal(self, state):
        """What chance has done, read at the first decision."""
        seats = range(self.players)
        for name in SCAFFOLDS:
            family = self.layout.zone_families.get(name)
            assert family is None or not any(state.zones[family.base : family.base + family.size])
        assert not self.zone(state, ABYSS_ZONE)
        reserves = [self.zone(state, RESERVE_ZONES, seat) for seat in seats]
        assert [len(reserve) for reserve in reserves] == [1] * self.players
        return Deal(
            tuple(map(self.sin, self.variable(state, SINS_VARIABLE))),
            tuple(card for (card,) in reserves),
            self.zone(state, CENTRE_ZONE),
            self.zone(state, PILE_ZONE),
        )

    # -- Deciding

    def question(self, pending):
        """What is asked, told by the type of the options and not by the words."""
        match pending.of:
            case Choice(enum) if enum in (SIN_ENUM, ACT_ENUM):
                return TAKE
            case Piece() | Maybe(Piece()):
                return STONE
            case Several(Choice(enum)) | Family(Choice(enum)) if enum == SIN_ENUM:
                return PLACE
        raise AssertionError(pending)

    def options(self, state):
        """The options as the model calls them, with the numbers to be chosen one after the other.

        The rules ask for the sin first and then what to do with it, and do not ask for the only sin.
        """
        pending = state.pending
        asked = self.question(pending)
        if asked == STONE:
            return {value is not None: (n,) for n, value in enumerate(pending.options)}
        if asked == PLACE:
            sets = [frozenset(map(self.sin, value)) for value in pending.options]
            return {each: (n,) for n, each in enumerate(sets)}
        if pending.of.enum == ACT_ENUM:
            (sin,) = {name for name, _ in self.zone(state, CENTRE_ZONE)} - {LAST_JUDGMENT}
            return self._acts(pending, sin)
        found = {}
        for number, member in enumerate(pending.options):
            then = state.clone()
            apply(self.machine, then, number)
            assert then.pending.player == pending.player
            acts = self._acts(then.pending, self.sin(member))
            found |= {option: (number, *path) for option, path in acts.items()}
        return found

    def _acts(self, pending, sin):
        assert pending.of.enum == ACT_ENUM
        return {
            (sin, NAMES_OF_ACTS[self.name(member)]): (number,)
            for number, member in enumerate(pending.options)
        }

    def choose(self, state, path):
        for number in path:
            apply(self.machine, state, number)


@cache
def engine_at(players, rules):
    return Engine(players, game_with(rules))


# ---- Ways to play ----------------------------------------------------------------------------------


def at_random(_model, options, _chance):
    return options


def greedy(model, options, _chance):
    """The most cards that there are: a short game."""
    if model.asking != TAKE:
        return options
    counts = Counter(name for name, _ in model.centre)
    most = max(counts[sin] for sin, _ in options)
    return [option for option in options if counts[option[0]] == most]


def modest(model, options, _chance):
    """The fewest cards that there are: a long game."""
    if model.asking != TAKE:
        return options
    counts = Counter(name for name, _ in model.centre)
    fewest = min(counts[sin] for sin, _ in options)
    return [option for option in options if counts[option[0]] == fewest]


def feeding(model, options, chance):
    """Nearly all to the Abyss: the stones run out."""
    if model.asking != TAKE or chance.random() < 0.1:
        return options
    return [option for option in options if option[1] == ABYSS]


def keeping(model, options, chance):
    """Nearly all to the reserves: large numbers of a type."""
    if model.asking != TAKE or chance.random() < 0.1:
        return options
    return [option for option in options if option[1] == RESERVE]


def collecting(model, options, _chance):
    """What one has most of already: six of a type, seven, and more."""
    if model.asking != TAKE:
        return options
    held = model.counts(model.active)
    most = max(held[sin] for sin, _ in options)
    return [option for option in options if held[option[0]] == most]


POLICIES = (at_random, at_random, greedy, modest, feeding, keeping, collecting)


# ---- Side by side ----------------------------------------------------------------------------------


class Played(NamedTuple):
    """A game that was played on both sides, with the engine's table at each decision."""

    engine: Engine
    model: Sins
    state: object  # of the engine, at its end
    moments: list  # (what is asked, the number of options, table)


def take_what_is_forced(model):
    """The engine does not ask when there is one answer; the model does."""
    while model.decision() and len(model.options()) == 1:
        (option,) = model.options()
        model.apply(option)


def play(players, rules, seed, policy=at_random):
    """A game in lockstep; fails where the two sides differ."""
    try:
        return _play(engine_at(players, rules), rules, seed, policy)
    except AssertionError as error:
        error.add_note(f"play({players}, {rules}, {seed}, {policy.__name__})")
        raise


def _play(engine, rules, seed, policy):
    chance = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    state = start(engine.machine, seed)
    picked = pick_sins(engine, state, chance) if rules.picked_by_taste else None
    deal = engine.deal(state)
    assert deal_faults(deal, variant=rules.variant) == []
    assert picked is None or picked == frozenset(deal.sins)
    model = Sins(deal, first=state.first, rules=rules)
    moments = []
    while True:
        take_what_is_forced(model)
        table = engine.table(state)
        assert table == table_of_model(model)
        if state.pending is None or model.decision() is None:
            break
        assert (state.pending.player, engine.question(state.pending)) == model.decision()
        paths = engine.options(state)
        assert set(paths) == model.options()
        moments.append((model.asking, len(paths), table))
        option = chance.choice(policy(model, named(paths), chance))
        engine.choose(state, paths[option])
        model.apply(option)
    assert state.pending is None
    assert model.decision() is None
    moments.append((None, 0, table))
    assert_same_result(engine, model, state)
    return Played(engine, model, state, moments)


def pick_sins(engine, state, chance):
    """The first player picks the sins before anything is dealt; if there is nothing to pick, nobody does."""
    selections = selections_of(engine.players)
    if len(selections) == 1:
        return None
    assert state.pending.player == state.first
    offered = {
        frozenset(map(engine.sin, value)): n for n, value in enumerate(state.pending.options)
    }
    assert set(offered) == selections
    assert not any(engine.zone(state, name) for name in (CENTRE_ZONE, PILE_ZONE, RESERVE_ZONES))
    picked = chance.choice(named(offered))
    apply(engine.machine, state, offered[picked])
    return picked


def named(options):
    """The options in an order that depends on nothing else."""
    return sorted(options, key=lambda each: sorted(each) if isinstance(each, frozenset) else each)


def assert_same_result(engine, model, state):
    result = rank(engine.machine, state)
    seats = range(engine.players)
    assert {row[SCORE_ROW].most_wins for row in result.scores} == {model.most_wins()}
    assert [row[SCORE_ROW].value for row in result.scores] == model.scores()
    assert [row[CARDS_ROW].value for row in result.scores] == model.cards_in_ties()
    assert [row[TYPES_ROW].value for row in result.scores] == [len(model.counts(s)) for s in seats]
    assert all(row[n].most_wins for row in result.scores for n in (CARDS_ROW, TYPES_ROW))
    assert set(result.winners) == model.winners()


# Tables at which the sins are dealt by chance alone: they can be dealt from outside.
DEALT_RULES = (
    *(Rules(*each) for each in product((False, True), repeat=3)),
    Rules(stones_in_ties=True),
    Rules(variant=True, stones_in_ties=True, placement_mandatory=False),
)
ALL_RULES = (
    *DEALT_RULES,
    Rules(picked_by_taste=True),
    Rules(variant=True, picked_by_taste=True, stones_in_ties=True),
)
COUNTS = tuple(TYPES)
at_every_table = pytest.mark.parametrize("variant", [False, True], ids=["standard", "variant"])
for_every_count = pytest.mark.parametrize("players", COUNTS)

FEW, MANY = 7, 700  # games at a table with the same options: one, and a hundred, of every policy


def play_many(players, variant, games):
    for rules in ALL_RULES:
        if rules.variant == variant:
            for seed in range(games):
                play(players, rules, seed, POLICIES[seed % len(POLICIES)])


@for_every_count
@at_every_table
def test_model_and_engine_play_the_same_games(players, variant):
    play_many(players, variant, FEW)


@pytest.mark.soak
@for_every_count
@at_every_table
def test_model_and_engine_play_the_same_games_for_long(players, variant):
    play_many(players, variant, some(MANY))


# ---- The model and the worked examples of the rulebooks --------------------------------------------

MARGHERITA = Counter(Invidia=2, Acedia=4, Luxuria=3, Ira=1)


def test_the_model_scores_as_the_rulebooks_do():
    assert score_of(Counter(Invidia=6, Gula=2, Acedia=1, Ira=1)) == -1  # S-EX2
    scores = {
        "Luxuria Acedia": 0,  # S-EX3
        "Luxuria Ira": 4,
        "Invidia Luxuria": 5,
        "Acedia Ira": 9,
        "Invidia Acedia": 10,
        "Invidia Ira": 14,  # S-EX4
    }
    placed = {frozenset(types.split()): score for types, score in scores.items()}
    assert {each: score_of(MARGHERITA, each) for each in placements_of(MARGHERITA, 2)} == placed
    assert score_of(MARGHERITA) == 9
    curve = [0, 1, 3, 6, -1, -3, -6, 10, 10, 10, 10, 10, 10, 10]  # S-EX6
    assert [points_of(cards) for cards in range(14)] == curve


def test_the_model_places_no_more_stones_than_types():
    everywhere = frozenset(MARGHERITA)
    assert placements_of(MARGHERITA, 9) == {everywhere}
    assert placements_of(MARGHERITA, 0) == {frozenset()}
    assert len(placements_of(MARGHERITA, 3, mandatory=False)) == 1 + 4 + 6 + 4


def test_the_model_breaks_ties_as_the_rulebooks_do():
    assert winners_of([3, 5, 5], [9, 4, 4], [1, 2, 3], most_wins=True) == {2}
    assert winners_of([3, 3, 5], [4, 5, 9], [4, 2, 5], most_wins=False) == {1}
    assert winners_of([3, 3, 5], [5, 5, 9], [2, 2, 5], most_wins=False) == {0, 1}


def test_the_model_takes_the_turn_of_the_rulebooks():
    # S-EX1
    centre = ["Invidia", "Invidia", "Ira", "Ira", "Acedia"]
    pile = ["Ira", LAST_JUDGMENT, "Gula"]
    model = Sins(
        Deal((), [("Gula", "I")] * 2, [(name, "I") for name in centre], [(n, "I") for n in pile])
    )
    assert model.options() == set(product(["Invidia", "Ira", "Acedia"], [RESERVE, ABYSS]))
    with pytest.raises(ValueError, match="no option"):
        model.apply((LAST_JUDGMENT, RESERVE))
    model.apply(("Invidia", RESERVE))
    assert model.counts(0) == Counter(Gula=1, Invidia=2)
    assert Counter(name for name, _ in model.centre) == {"Ira": 3, "Acedia": 1, LAST_JUDGMENT: 1}
    assert model.decision() == (1, TAKE)
    assert model.options() == set(product(["Ira", "Acedia"], [RESERVE, ABYSS]))


# ---- Chance ----------------------------------------------------------------------------------------

DEALS = 1000  # a place is missed by all of them once in 10²⁰ tries


def test_every_deal_can_happen():
    # S-03, S-06, S-12, S-51, S-A19: one deal shows no bias, a thousand show where nothing is mixed.
    engine = engine_at(2, Rules(variant=True))
    seen = {}
    for seed in range(DEALS):
        state = start(engine.machine, seed)
        deal = engine.deal(state)
        found = {
            "first": state.first,
            "sins": frozenset(deal.sins),
            "secret": deal.secrets[0],
            "other secret": deal.secrets[1],
        }
        for back, names in blocks_of(deal.pile):
            found[back, "top"] = names[0]
            found[back, "bottom"] = names[-1]
            if back != PENANCE:
                found[back, LAST_JUDGMENT] = names.index(LAST_JUDGMENT)
        for key, value in found.items():
            seen.setdefault(key, Counter())[value] += 1
    kinds = {key: len(counts) for key, counts in seen.items()}
    assert kinds == {
        "first": 2,
        "sins": comb(7, 4),
        "secret": 7,
        "other secret": 7,
        **{(back, end): 8 for back in HELLS for end in ("top", "bottom")},
        **{(PENANCE, end): 7 for end in ("top", "bottom")},
        ("I", LAST_JUDGMENT): 18,
        ("II", LAST_JUDGMENT): 13,
        ("III", LAST_JUDGMENT): 9,
    }
    for back in HELLS:
        places = seen[back, LAST_JUDGMENT]
        mean = DEALS / len(places)
        assert all(mean / 2 < count < mean * 2 for count in places.values())


# ---- Scoring, also of tables to which few games lead -----------------------------------------------


@settings(max_examples=150)
@given(
    players=st.sampled_from(COUNTS),
    crowd=st.sampled_from([0.1, 0.3, 1.0]),
    spread=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_model_and_engine_score_any_table_alike(players, crowd, spread, seed):
    # Few cards make ties; a type that all goes to one place makes twelve cards and a stone.
    engine = engine_at(players, Rules(variant=True))
    chance = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    state = start(engine.machine, seed=0)
    places = [*range(players), ABYSS]
    heaps = {place: [] for place in places}
    favourites = {sin: chance.choice(places) for sin in SINS}
    for piece, card in enumerate(engine.cards):
        if card != STONE_KIND and card[0] != LAST_JUDGMENT and chance.random() < crowd:
            heaps[chance.choice(places) if spread else favourites[card[0]]].append(piece)
    counts = {place: Counter(engine.cards[each][0] for each in heaps[place]) for place in places}
    members = {engine.sin(member): member for member in engine.layout.enums[SIN_ENUM]}
    reserves = engine.layout.zone_families[RESERVE_ZONES].base
    forgiven = engine.layout.variable_families[PLACED_VARIABLES].base
    state.zones[engine.layout.zone_families[ABYSS_ZONE].base] = tuple(heaps[ABYSS])
    placed = []
    for seat in range(players):
        stones = chance.randrange(2 * players)
        placed.append(chance.choice(named(placements_of(counts[seat], stones))))
        state.zones[reserves + seat] = tuple(heaps[seat])
        state.variables[forgiven + seat] = tuple(sorted(members[sin] for sin in placed[seat]))
    most_wins = score_of(counts[ABYSS]) > 7
    scores = [score_of(counts[seat], placed[seat]) for seat in range(players)]
    cards = [counts[seat].total() for seat in range(players)]
    types = [len(counts[seat]) for seat in range(players)]
    result = rank(engine.machine, state)
    assert [[score.value for score in row] for row in result.scores] == [
        [*row] for row in zip(scores, cards, types, strict=True)
    ]
    assert {row[SCORE_ROW].most_wins for row in result.scores} == {most_wins}
    assert set(result.winners) == winners_of(scores, cards, types, most_wins=most_wins)


# ---- What lies open --------------------------------------------------------------------------------


@for_every_count
@at_every_table
def test_screens_show_the_centre_and_hide_all_else_to_the_end(players, variant):
    # S-08: one's first card, until one has chosen. S-26..S-29: nothing else before the end.
    engine = engine_at(players, Rules(variant))
    chance = random.Random(players)  # noqa: S311 - a game needs no secrecy
    match = engine.game.start(players, seed=players)
    have_chosen = set()
    while True:
        pending = match.decision
        opened = pending is None or engine.question(pending) == PLACE
        for seat in range(players):
            for zone in match.view(seat).zones:
                faces = sum(card.face is not None for card in zone.cards)
                if zone.family == CENTRE_ZONE or (
                    opened and zone.family in (RESERVE_ZONES, ABYSS_ZONE)
                ):
                    assert faces == len(zone.cards)
                elif zone.family == RESERVE_ZONES:
                    assert faces == (zone.owner == seat and seat not in have_chosen)
                elif zone.family in (PILE_ZONE, ABYSS_ZONE):
                    assert faces == 0
        if pending is None:
            return
        have_chosen.add(pending.player)
        match.apply(chance.randrange(len(pending.options)))


# ---- What holds in every game: section 6 of the ledger ---------------------------------------------


@st.composite
def played_games(draw, variants=(False, True), refusals=(False, True)):
    rules = Rules(
        draw(st.sampled_from(variants)), draw(st.sampled_from(refusals)), draw(st.booleans())
    )
    policy = draw(st.sampled_from(POLICIES[1:]))
    return play(draw(st.sampled_from(COUNTS)), rules, draw(st.integers(0, 2**64 - 1)), policy)


def tables_of(game, asked=None):
    """The tables at each decision, or at each of one sort; without a sort the last one too."""
    return [table for question, _, table in game.moments if asked is None or question == asked]


def types_of(game):
    return len(game.engine.variable(game.state, SINS_VARIABLE))


def turns_of(game):
    return len(tables_of(game, TAKE))


def judgments_in(cards):
    return sum(count for (name, _), count in Counter(cards).items() if name == LAST_JUDGMENT)


def shortest(types):
    return ceil(8 * types / 5)


few_games = settings(max_examples=15)


@for_every_count
@at_every_table
def test_the_setup_has_the_sizes_of_the_ledger(players, variant):
    engine = engine_at(players, Rules(variant))
    types = players + 2
    for seed in range(20):
        state = start(engine.machine, seed)
        deal, table = engine.deal(state), engine.table(state)
        assert len(deal.sins) == types == TYPES[players]
        assert len(table.pile) == (11 * types if variant else 10 * types)
        per_type = sum(COPIES.values())
        assert per_type * types - players - 5 + len(HELLS) == 10 * types
        assert judgments_in(table.centre) == 0
        assert sum(table.centre.values()) == 5
        assert table.supply == STONES[players] == 2 * players
        assert table.stones == (0,) * players


@few_games
@given(game=played_games())
def test_a_game_is_as_long_as_its_cards_allow(game):
    players, types = game.engine.players, types_of(game)
    after_the_third = players - 1 if game.model.rules.variant else 0
    assert shortest(types) <= turns_of(game) <= 10 * types + after_the_third
    # The third Last Judgment lies at place 8T to 10T of the pile.
    pile = game.moments[0][2].pile
    places = [n for n, (name, _) in enumerate(pile, 1) if name == LAST_JUDGMENT]
    assert 8 * types <= places[2] <= 10 * types


@few_games
@given(game=played_games())
def test_scores_lie_within_their_bounds(game):
    types = types_of(game)
    for row in rank(game.engine.machine, game.state).scores:
        assert -6 * types <= row[SCORE_ROW].value <= 10 * types
        assert 1 <= row[TYPES_ROW].value <= min(types, row[CARDS_ROW].value)
    assert -6 * types <= game.model.abyss_score() <= 10 * types


@few_games
@given(game=played_games(variants=(False,)))
def test_only_one_player_has_seven_of_a_type_without_the_variant(game):
    last = tables_of(game)[-1]
    for sin in SINS:
        counts = [
            sum(count for (name, _), count in reserve.items() if name == sin) + (sin in placed)
            for reserve, placed in zip(last.reserves, last.placed, strict=True)
        ]
        assert sum(count >= 7 for count in counts) <= 1


@few_games
@given(game=played_games())
def test_stones_are_conserved(game):
    for table in tables_of(game):
        assert table.supply + sum(table.stones) == 2 * game.engine.players


@few_games
@given(game=played_games(refusals=(False,)))
def test_every_feeding_of_the_abyss_gives_a_stone_while_there_are_any(game):
    fed = 0
    tables = tables_of(game)
    for before, after in pairwise(tables):
        fed += sum(after.abyss.values()) > sum(before.abyss.values())
        assert sum(after.stones) == min(fed, 2 * game.engine.players)


@few_games
@given(game=played_games())
def test_cards_of_each_type_are_conserved(game):
    each = 12 if game.model.rules.variant else 11
    for table in tables_of(game):
        everywhere = sum(table.reserves, table.centre + table.abyss + Counter(table.pile))
        counts = Counter()
        for (name, _), count in everywhere.items():
            counts[name] += count
        assert counts.pop(LAST_JUDGMENT) == 3
        assert [*counts.values()] == [each] * types_of(game)


@few_games
@given(game=played_games())
def test_reserves_and_the_abyss_never_shrink(game):
    tables = tables_of(game)
    assert all(reserve for reserve in tables[0].reserves)
    for before, after in pairwise(tables):
        assert before.abyss <= after.abyss
        assert all(a <= b for a, b in zip(before.reserves, after.reserves, strict=True))


@few_games
@given(game=played_games())
def test_last_judgments_appear_in_the_order_of_their_backs(game):
    for table in tables_of(game):
        seen = {back for name, back in table.centre if name == LAST_JUDGMENT}
        assert seen == set(HELLS[: len(seen)])
        assert judgments_in(table.centre) + judgments_in(table.pile) == 3
    assert judgments_in(tables_of(game)[-1].centre) == 3


@few_games
@given(game=played_games())
def test_five_cards_lie_at_the_centre_before_every_turn(game):
    for table in tables_of(game, TAKE):
        judgments = judgments_in(table.centre)
        assert sum(table.centre.values()) == 5
        assert judgments <= (3 if game.model.rules.variant else 2)
        assert 5 - judgments >= (2 if game.model.rules.variant else 3)


@few_games
@given(game=played_games())
def test_there_are_two_options_for_each_type_at_the_centre(game):
    for asked, options, table in game.moments:
        if asked == TAKE:
            types = {name for name, _ in table.centre} - {LAST_JUDGMENT}
            assert options == 2 * len(types)
            assert 2 <= options <= 10


@few_games
@given(game=played_games(variants=(True,)))
def test_in_the_variant_everybody_has_as_many_turns(game):
    players = game.engine.players
    assert turns_of(game) % players == 0
    turns = Counter(table.active for table in tables_of(game, TAKE))
    assert [*turns.values()] == [turns_of(game) // players] * players
    assert game.model.turns_of == [turns[seat] for seat in range(players)]


@few_games
@given(game=played_games(variants=(True,)))
def test_in_the_variant_the_penance_cards_are_enough(game):
    left = sum(back == PENANCE for _, back in tables_of(game)[-1].pile)
    assert types_of(game) - left <= game.engine.players + 1


@few_games
@given(game=played_games())
def test_winners_agree_in_all_criteria(game):
    result = rank(game.engine.machine, game.state)
    assert result.winners
    criteria = {tuple(score.value for score in result.scores[seat]) for seat in result.winners}
    assert len(criteria) == 1


# ---- Nothing depends on names or on seats ----------------------------------------------------------


@few_games
@given(game=played_games(), data=st.data())
def test_scoring_does_not_depend_on_seats(game, data):
    engine, players = game.engine, game.engine.players
    order = data.draw(st.permutations(range(players)))
    state = game.state.clone()
    for family, names, values in (
        (engine.layout.zone_families, (RESERVE_ZONES, STONE_ZONES), "zones"),
        (engine.layout.variable_families, (PLACED_VARIABLES,), "variables"),
    ):
        for name in names:
            base = family[name].base
            old = getattr(game.state, values)
            getattr(state, values)[base : base + players] = [old[base + seat] for seat in order]
    before, after = rank(engine.machine, game.state), rank(engine.machine, state)
    assert after.places == tuple(before.places[seat] for seat in order)
    assert after.scores == tuple(before.scores[seat] for seat in order)


@few_games
@given(
    players=st.sampled_from(COUNTS),
    rules=st.sampled_from(DEALT_RULES),
    seed=st.integers(0, 2**64 - 1),
    numbers=st.lists(st.integers(0, 999), min_size=1),
)
def test_whoever_is_first_it_is_the_same_game_turned_round_the_table(players, rules, seed, numbers):
    engine = engine_at(players, rules)
    results = []
    for first in range(players):
        state = start(engine.machine, seed, first)
        turn = 0
        while state.pending is not None:
            apply(engine.machine, state, numbers[turn % len(numbers)] % len(state.pending.options))
            turn += 1
        scores = rank(engine.machine, state).scores
        results.append((turn, [scores[(first + n) % players] for n in range(players)]))
    assert all(result == results[0] for result in results)


def shuffled(things, chance):
    things = list(things)
    chance.shuffle(things)
    return tuple(things)


def dealt_by(engine, decide):
    """A game set up from outside: `decide` answers each question to chance."""
    state = start(engine.machine, seed=None)
    while isinstance(state.pending, ChanceNode):
        decide_chance(engine.machine, state, decide(state))
    return state


def renamed(engine, sins):
    """Of each piece its like, once the sins have other names."""
    names = dict(zip(SINS, sins, strict=True))
    likes = {}
    for piece, card in enumerate(engine.cards):
        likes.setdefault(card, []).append(piece)
    found = []
    for piece, card in enumerate(engine.cards):
        like = card if card == STONE_KIND else (names.get(card[0], card[0]), card[1])
        found.append(likes[like][likes[card].index(piece)])
    return names, found


@few_games
@given(
    players=st.sampled_from(COUNTS),
    rules=st.sampled_from(DEALT_RULES),
    sins=st.permutations(SINS),
    seed=st.integers(0, 2**32),
)
def test_a_game_is_the_same_when_the_sins_change_their_names(players, rules, sins, seed):
    engine = engine_at(players, rules)
    names, likes = renamed(engine, sins)
    members = {engine.sin(member): member for member in engine.layout.enums[SIN_ENUM]}
    chance = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    outcomes = []

    def by_chance(state):
        pending = state.pending
        if pending.kind == "shuffle":
            # The first outcome is one order of what is shuffled.
            outcome = shuffled(next(pending.outcomes())[0], chance)
        else:
            outcome = chance.choice([value for value, _ in pending.outcomes()])
        outcomes.append(outcome)
        return outcome

    def by_other_names(state):
        outcome = next(given_outcomes)
        match state.pending.kind:
            case "shuffle":
                return tuple(likes[piece] for piece in outcome)
            case "random":
                return tuple(sorted(members[names[engine.sin(member)]] for member in outcome))
            case _:
                return outcome

    def other(option):
        match option:
            case frozenset():
                return frozenset(names[sin] for sin in option)
            case (sin, where):
                return names[sin], where
            case _:
                return option

    one = dealt_by(engine, by_chance)
    given_outcomes = iter(outcomes)
    two = dealt_by(engine, by_other_names)
    while one.pending is not None:
        ours, theirs = engine.options(one), engine.options(two)
        assert one.pending.player == two.pending.player
        assert {other(option) for option in ours} == set(theirs)
        option = chance.choice(named(ours))
        engine.choose(one, ours[option])
        engine.choose(two, theirs[other(option)])
    assert two.pending is None
    assert rank(engine.machine, one) == rank(engine.machine, two)

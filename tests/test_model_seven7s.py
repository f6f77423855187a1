"""Seven7s twice: the shipped rules and the model in `models/seven7s.py`, side by side.

Chance is decided from outside, so that its outcomes are compared like the options of a player. Both sides
must ask the same player for the same things, lie alike after each answer, and rank alike at the end.
"""

import random
from collections import Counter
from functools import cache
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import at_random, decisions
from interpreter.actions import untagged
from interpreter.game_loading import load, load_source
from interpreter.machine import Machine, apply, decide_chance, rank, start
from interpreter.match import Game
from interpreter.options import ChanceNode, Decision
from interpreter.state import State
from interpreter.views import information
from models.seven7s import (
    AGES,
    CHANCE,
    COLORS,
    COLOURS,
    GODS,
    HAND,
    SEAS,
    SINS,
    TYPES,
    VIRTUES,
    WONDERS,
    Card,
    Seven7s,
    all_cards,
    cyclic_table,
)
from rulespec import loading
from rulespec.core.types import Choice, Piece, present
from rulespec.source import Source
from sizes import some, tries

# ---- What the rules call it ------------------------------------------------------------------------

FILE = "seven7s.rules"
PLAYERS = (2, 3, 4)
NAMES = {
    "ages": AGES,
    "colours": COLORS,
    "sins": SINS,
    "virtues": VIRTUES,
    "gods": GODS,
    "seas": SEAS,
    "wonders": WONDERS,
} | {colour: colour for colour in COLOURS}
DECK, HANDS, COLUMNS, CROSSWISE = "deck", "hand", "column", "crosswise"
BONUSES, ASIDE, LOOKED_AT = "bonus", "out_of_play", "peek"

# The rulings of the ledger: as the model says them, and as an option of the rules.
SETTINGS = {
    "lg_miss=top": ({"lg_miss": "top"}, {"gods_miss": "on_top"}),
    "lg_miss=bottom": ({"lg_miss": "bottom"}, {"gods_miss": "at_bottom"}),
    "ds_end_owner=victim": ({"ds_end_owner": "victim"}, {"stolen_seventh": "robbed"}),
    "ds_end_owner=nobody": ({"ds_end_owner": "nobody"}, {"stolen_seventh": "no_one"}),
} | {
    f"{name}={value}": ({name: value}, {option: value})
    for name, option, value in (
        ("seas_may_take_itself", "seas_may_take_itself", True),
        ("aom_joker_power", "ages_joker_power", False),
        ("aom_counts_only_aom", "only_ages_disable", True),
        ("joker_sticky", "joker_stays", True),
        ("sideways_counts_for_column", "seventh_counts", True),
        ("ds_end_victim_draws", "robbed_draws", True),
        ("end_on_empty_pile", "empty_deck_ends", True),
        ("tiebreak_includes_bonus", "bonus_breaks_ties", True),
    )
}
DEFAULT = "default"
# Several at once, as it takes a while to load the rules.
TOGETHER = (
    ("lg_miss=top", "aom_joker_power=False", "sideways_counts_for_column=True"),
    ("lg_miss=bottom", "seas_may_take_itself=True", "aom_counts_only_aom=True"),
    ("joker_sticky=True", "ds_end_owner=victim", "tiebreak_includes_bonus=True"),
    ("joker_sticky=True", "sideways_counts_for_column=True", "ds_end_victim_draws=True"),
    ("ds_end_owner=nobody", "end_on_empty_pile=True", "sideways_counts_for_column=True"),
)
# Games of `slow_path` that end because nobody has a card left (V-A31): players and seed.
STUCK = ((2, 40), (3, 235), (4, 215))


def compared_variables(model: Seven7s) -> dict:
    """The variables of the rules that the model has too."""
    # The rules give up drawing when Seas has taken its card, the model before.
    catches = model.decision() is not None and model.decision()[1] == "catch"
    return {
        "active": model.active,
        "draws": model.draws_at_end or catches,
        "last_colour": model.last_colour,
        "full_column": model.full_column(),
        "scorer": model.sideways_owner,
    }


# ---- Reading the engine ----------------------------------------------------------------------------


def rulings_of(setting: str) -> tuple[dict, dict]:
    """What a setting, or several joined by commas, tells the model and the rules."""
    told: tuple[dict, dict] = ({}, {})
    for name in setting.split(", ") if setting != DEFAULT else ():
        for all_of, more in zip(told, SETTINGS[name], strict=True):
            all_of.update(more)
    return told


@cache
def engine_of(setting: str, players: int) -> Machine:
    return game_of(setting).machine(players)


@cache
def game_of(setting: str) -> Game:
    return load(FILE, (), rulings_of(setting)[1])


@cache
def cards_of(engine: Machine) -> tuple[Card, ...]:
    """Every piece as a card."""
    return tuple(
        Card(
            named(engine, piece.attributes["type"]),
            piece.attributes["value"],
            named(engine, piece.attributes["colour"]),
        )
        for piece in engine.layout.pieces
    )


def named(engine: Machine, member: int) -> str:
    return NAMES[engine.layout.code.members[member].name]


def described(engine: Machine, value, of):
    value, of = untagged(value, of)
    if isinstance(of, Piece):
        return cards_of(engine)[value]
    return named(engine, value) if isinstance(of, Choice) else value


def index_of(engine: Machine, zone) -> int | str | None:
    """Whose zone it is, or of which type."""
    if zone.owner is not None:
        return zone.owner
    return named(engine, zone.indices[0]) if zone.indices else None


def table_of_engine(engine: Machine, s: State) -> dict:
    """All that lies somewhere: piles from the top, pools in any order."""
    cards = cards_of(engine)
    return {
        (zone.row.name, index_of(engine, zone)): lying(
            [cards[piece] for piece in contents], ordered=zone.row.order == "pile"
        )
        for zone, contents in zip(engine.layout.zones, s.zones, strict=True)
        if contents
    }


def table_of_model(model: Seven7s) -> dict:
    """The same, where the rules would have it."""
    about = model.decision()[1] if model.decision() else None
    looked = model.looks[-1] if about == "put_back" else 0
    found = {
        (DECK, None): lying(model.pile[looked:], ordered=True),
        (LOOKED_AT, model.active): lying(model.pile[:looked]),
    }
    for player in range(model.players):
        # The rules leave a stolen card in the hand until it is placed.
        stolen = [model.stolen] if model.stolen and player == model.victim else []
        found[HANDS, player] = lying(model.hands[player] + stolen)
        found[BONUSES, player] = lying(model.bonuses[player])
    found[CROSSWISE, None] = lying([model.sideways] if model.sideways else [])
    found[ASIDE, None] = lying(model.aside)
    for kind, column in model.columns.items():
        below = [card for card in column if card != model.sideways]
        found[COLUMNS, kind] = lying(below[::-1], ordered=True)
    return {zone: cards for zone, cards in found.items() if cards}


def lying(cards, *, ordered=False):
    return tuple(cards) if ordered else tuple(sorted(cards))


def variables_of(engine: Machine, s: State, names) -> dict:
    found = {}
    for name in names:
        family = engine.layout.variable_families[name]
        value, (row, _) = s.variables[family.base], engine.layout.variables[family.base]
        is_member = value is not None and isinstance(present(row.type), Choice)
        found[name] = named(engine, value) if is_member else value
    return found


# ---- Cutting decisions alike -----------------------------------------------------------------------
# A path is one answer of the model as the rules cut it: steps, each with who takes it and what is chosen.
# The rules ask at a step only if there is more than one way on.


def paths(model: Seven7s) -> dict:
    """Of every path what the model is told at its end."""
    player, about = model.decision()
    match about:
        case "play":
            return {tuple((player, part) for part in each): (each,) for each in model.options()}
        case "look":
            return looking(model, player)
        case "put_back":  # the rules lay the lowest card first
            return {
                tuple((player, card) for card in reversed(order)): (order,)
                for order in model.options()
            }
        case _:
            return {((player, each),): (each,) for each in model.options()}


def looking(model: Seven7s, player: int) -> dict:
    """Hand after hand: how many cards, and which ones chance shows; the deck takes what is left."""
    foes = [(player + step) % model.players for step in range(1, model.players)]
    found = {}
    for split in model.options():
        hands = [combinations(model.hands[foe], split[foe]) for foe in foes]
        for shown in product(*hands):
            path = []
            for foe, cards in zip(foes, shown, strict=True):
                path += [(player, split[foe]), (CHANCE, frozenset(cards))]
            found[tuple(path)] = (split, frozenset(card for cards in shown for card in cards))
    return found


def any_path(rng: random.Random, _model, ways: list) -> tuple:
    """Uniform at each step."""
    depth = 0
    while len(ways) > 1:
        step = rng.choice(list(dict.fromkeys(path[depth] for path in ways)))
        ways = [path for path in ways if path[depth] == step]
        depth += 1
    return ways[0]


def slow_path(rng: random.Random, model: Seven7s, ways: list) -> tuple:
    """Fill the columns evenly, waste the deck by wrong guesses: reaches empty decks and hands."""

    def price(path) -> float:
        chosen = path[-1][1] if path else None
        match model.decision()[1]:
            case "play" | "place":
                size = len(model.columns.get(chosen, ()))
                return 100 if size == 6 else size - 5 * (chosen == GODS)
            case "announce":
                return chosen in model.pile[0]
            case "catch":
                return chosen != GODS
            case _:
                return 0

    least = min(map(price, ways))
    return any_path(rng, model, [path for path in ways if price(path) == least])


# ---- Side by side ----------------------------------------------------------------------------------


def begin(engine: Machine, rng: random.Random, order=None) -> State:
    """A game that chance has set up from outside."""
    s = start(engine, None, watched=True)
    decide_chance(engine, s, rng.randrange(engine.layout.players))
    assert s.pending.kind == "shuffle"
    cards = order or shuffled(rng, sorted(cards_of(engine)))
    decide_chance(engine, s, tuple(cards_of(engine).index(card) for card in cards))
    return s


def shuffled(rng: random.Random, cards: list) -> list:
    rng.shuffle(cards)
    return cards


def model_of(engine: Machine, s: State, **rulings) -> Seven7s:
    """The model of a game that has just begun."""
    lies = table_of_engine(engine, s)
    players = engine.layout.players
    (founder,) = (kind for zone, kind in lies if zone == COLUMNS)
    order = [card for player in range(players) for card in lies[HANDS, player]]
    return Seven7s(
        players, [*order, *lies[COLUMNS, founder], *lies[DECK, None]], s.first, **rulings
    )


def take_step(engine: Machine, s: State, ways: list, step) -> None:
    """The engine must ask for exactly these ways on; then it is told one."""
    pending = s.pending
    (who,) = {player for player, _ in ways}
    if who == CHANCE:
        assert isinstance(pending, ChanceNode)
        outcomes = {}
        for value, weight in pending.outcomes():
            cards = cards_of(engine)
            several = isinstance(value, tuple)
            shown = frozenset(cards[each] for each in value) if several else cards[value]
            outcomes[who, shown] = value
            assert weight == 1  # as likely as any other
        assert outcomes.keys() == set(ways)
        decide_chance(engine, s, outcomes[step])
    else:
        assert isinstance(pending, Decision)
        numbers = {
            (pending.player, described(engine, value, pending.of)): number
            for number, value in enumerate(pending.options)
        }
        assert numbers.keys() == set(ways)
        assert len(numbers) == len(pending.options)
        apply(engine, s, numbers[step])


def answer(engine: Machine, s: State, model: Seven7s, policy, rng) -> int:
    """One decision of the model, in as many steps as the rules cut it into; how many were asked."""
    known = paths(model)
    ways = list(known)
    chosen = policy(rng, model, ways)
    asked = 0
    for depth, step in enumerate(chosen):
        on = list(dict.fromkeys(path[depth] for path in ways))
        if len(on) > 1:
            take_step(engine, s, on, step)
            asked += 1
        ways = [path for path in ways if path[depth] == step]
    for option in known[chosen]:
        model.apply(option)
    return asked


def is_forced(model: Seven7s) -> bool:
    return len(paths(model)) == 1


def assert_alike(engine: Machine, s: State, model: Seven7s) -> None:
    assert table_of_engine(engine, s) == table_of_model(model)
    expected = compared_variables(model)
    assert variables_of(engine, s, expected) == expected


def assert_ranked_alike(engine: Machine, s: State, model: Seven7s) -> None:
    result = rank(engine, s)
    for player in range(model.players):
        values = tuple(score.value for score in result.scores[player])
        assert values == model.score(player)
    assert result.places == model.places_taken()
    assert result.winners == model.winners()


def assert_looker_alone_learnt(engine: Machine, s: State, model: Seven7s, before) -> None:
    """V-48."""
    looker, seen, known = before
    numbers = {card: piece for piece, card in enumerate(cards_of(engine))}
    shown = tuple(numbers[card] for _, card in model.seen[seen:])
    assert {player for player, _ in model.seen[seen:]} <= {looker}
    assert s.watch.knows(s, looker, shown)
    for player in range(model.players):
        if player != looker:
            assert not s.watch.known[player] & ~known[player]


def side_by_side(setting: str, players: int, seed: int, policy=any_path, engine=None) -> Counter:
    """A whole game in both; what happened in it."""
    engine = engine or engine_of(setting, players)
    rng = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    s = begin(engine, rng)
    model = model_of(engine, s, **rulings_of(setting)[0])
    tally = Counter(games=1)
    looked = None
    while True:
        while not model.over and is_forced(model):
            about = model.decision()[1]
            tally[f"forced {about}"] += 1
            if about != "put_back":
                looked = None  # the engine has gone on, and more was learnt
            answer(engine, s, model, policy, rng)
        assert_alike(engine, s, model)
        # The ranking as things are can be compared at any time; while a stolen card is on its way it is
        # in nobody's hand, and the rules count it still.
        if model.over or (tally["answers"] % 10 == 0 and not model.stolen):
            assert_ranked_alike(engine, s, model)
        about = model.decision()[1] if model.decision() else None
        if looked and about != "put_back":
            assert_looker_alone_learnt(engine, s, model, looked)
            looked = None
        if model.over:
            break
        if about == "look":
            looked = (model.active, len(model.seen), list(s.watch.known))
        tally[about] += 1
        tally["answers"] += 1
        tally["steps"] += answer(engine, s, model, policy, rng)
    assert s.pending is None
    if setting == DEFAULT:
        assert_ends_well(engine, s, table_of_engine(engine, s), short=True)
    tally["empty decks"] += not model.pile
    tally["empty hands"] += not all(model.hands)
    tally["stuck"] += model.sideways is None
    tally["shared"] += len(model.winners()) > 1
    tally["turns"] += model.turns
    return tally


def many(setting: str, players: int, games: int, policy=any_path, begin_at=0) -> Counter:
    tally = Counter()
    for seed in range(begin_at, begin_at + games):
        tally += side_by_side(setting, players, seed, policy)
    return tally


# ---- They play alike -------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_model_and_rules_play_alike(players):
    tally = many(DEFAULT, players, tries(25, soak=60))
    assert {"play", "steal", "place", "announce", "catch", "look", "put_back"} <= tally.keys()


@pytest.mark.parametrize("players", PLAYERS)
def test_model_and_rules_play_alike_when_the_deck_runs_out(players):
    assert many(DEFAULT, players, 20, slow_path)["empty decks"]


@pytest.mark.parametrize(("players", "seed"), STUCK)
def test_model_and_rules_play_alike_until_nobody_has_a_card(players, seed):
    assert side_by_side(DEFAULT, players, seed, slow_path)["stuck"]


@pytest.mark.parametrize("together", TOGETHER)
def test_model_and_rules_play_alike_under_other_rulings(together):
    setting = ", ".join(together)
    for players in PLAYERS:
        many(setting, players, 8)
        many(setting, players, 4, slow_path)


def test_model_and_rules_play_alike_with_other_printed_values():
    for seed in range(2):
        square = latin_square(seed)
        engine = game_with(square).machine(2 + seed)
        assert set(cards_of(engine)) == set(all_cards(square))
        for game in range(5):
            side_by_side(DEFAULT, 2 + seed, game, engine=engine)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("players", PLAYERS)
def test_model_and_rules_play_thousands_of_games_alike(players, chunk):
    tally = many(DEFAULT, players, some(500), begin_at=500 * chunk)
    tally += many(DEFAULT, players, some(250), slow_path, begin_at=250 * chunk)
    print(players, dict(tally))  # noqa: T201 - figures for who asks with `-s`
    assert tally["empty decks"]


@pytest.mark.soak
@pytest.mark.parametrize("setting", SETTINGS)
def test_model_and_rules_play_alike_under_every_other_ruling(setting):
    tally = Counter()
    for players in PLAYERS:
        tally += many(setting, players, some(80))
        tally += many(setting, players, some(40), slow_path)
    print(setting, dict(tally))  # noqa: T201 - as above


def latin_square(seed: int) -> dict:
    """Another table of values, with all that the ledger knows of it but the colour of one card."""
    rng = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    rows, columns, values = (shuffled(rng, list(range(7))) for _ in range(3))
    return {
        (kind, colour): 1 + values[(rows[t] + columns[c]) % 7]
        for t, kind in enumerate(TYPES)
        for c, colour in enumerate(COLOURS)
    }


def game_with(square: dict) -> Game:
    """The shipped rules with the values of another copy, put in as they tell it."""
    text = f'extends "{FILE}"\n\noverride table values(type: Type)\n'
    text += "  type => " + " | ".join(COLOURS) + "\n"
    for name, kind in NAMES.items():
        if kind in TYPES:
            text += f"  {name} => " + " | ".join(str(square[kind, c]) for c in COLOURS) + "\n"
    name = "my_copy.rules"
    return load_source(loading.find_rules(FILE).with_name(name), Source(name, text))


# ---- What a player learns --------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_the_order_of_cards_that_go_back_stays_a_secret(players):
    engine = engine_of(DEFAULT, players)
    found = 0
    for seed in range(10):
        rng = random.Random(seed)  # noqa: S311 - a game needs no secrecy
        s = begin(engine, rng)
        model = model_of(engine, s)
        while not model.over and found < 3:
            if model.decision()[1] == "put_back" and not is_forced(model):
                found += 1
                looker = model.active
                knowledge = []
                for number in range(2):
                    other = s.clone()
                    apply(engine, other, number)
                    while isinstance(other.pending, Decision) and other.pending.player == looker:
                        apply(engine, other, 0)
                    others = [p for p in range(players) if p != looker]
                    knowledge.append([information(engine, other, p).log for p in others])
                assert knowledge[0] == knowledge[1]
            answer(engine, s, model, any_path, rng)
    assert found


# ---- What holds in every game: section 6 of the ledger ---------------------------------------------


def test_every_type_and_every_colour_has_each_value_once():
    cards = cards_of(engine_of(DEFAULT, 2))
    assert set(cards) == set(all_cards(cyclic_table()))
    assert len(cards) == 49
    for one, other in combinations(range(3), 2):
        assert len({(card[one], card[other]) for card in cards}) == 49
    for kind in TYPES:
        assert sum(card.value for card in cards if card.type == kind) == 28
    for colour in COLOURS:
        assert sum(card.value for card in cards if card.colour == colour) == 28


@pytest.mark.parametrize(("players", "left"), [(2, 42), (3, 39), (4, 36)])
def test_a_game_begins_with_full_hands_and_one_column(players, left):
    engine = engine_of(DEFAULT, players)
    lies = table_of_engine(engine, start(engine, 7))
    assert len(lies[DECK, None]) == left
    assert [len(lies[HANDS, player]) for player in range(players)] == [HAND] * players
    (founder,) = (zone for zone in lies if zone[0] == COLUMNS)
    assert [card.type for card in lies[founder]] == [founder[1]]
    assert len(lies) == players + 2


def columns_in(lies: dict) -> dict:
    return {kind: cards for (zone, kind), cards in lies.items() if zone == COLUMNS}


def joker_in(lies: dict) -> str | None:
    colours = [c.colour for c in columns_in(lies).get(COLORS, ()) if c.type != AGES]
    return colours[0] if colours else None


def assert_lies_well(lies: dict, before: dict) -> None:
    everything = [card for cards in lies.values() for card in cards]
    assert len(everything) == len(set(everything)) == 49  # V-I1
    columns = columns_in(lies)
    for kind, cards in columns.items():
        assert len(cards) <= 6  # V-I2
        assert cards[-1].type == kind  # V-I4
        for card in cards:  # V-I5
            known = card.type in (kind, AGES) or card in columns_in(before).get(kind, ())
            assert known or card.colour == joker_in(before)
    colours = [card.colour for card in columns.get(COLORS, ()) if card.type == COLORS]
    assert joker_in(lies) == (colours[0] if colours else None)  # V-I7


def assert_ends_well(engine: Machine, s: State, lies: dict, *, short: bool) -> None:
    players = range(engine.layout.players)
    ends = variables_of(engine, s, ["active", "scorer", "full_column"])
    if (CROSSWISE, None) in lies:
        assert len(lies[CROSSWISE, None]) == 1
        assert ends["scorer"] == ends["active"]  # V-I10
        assert len(columns_in(lies)[ends["full_column"]]) == 6  # V-I2
    else:  # 6.2
        removed = [zone for zone in lies if zone[0] in (BONUSES, ASIDE)]
        assert sum(len(lies[zone]) for zone in removed) >= 7
        assert not any((HANDS, p) in lies for p in players)
    ages = len(columns_in(lies).get(AGES, ()))
    assert ages <= 6  # V-I9
    valued = []
    for p, scores in enumerate(rank(engine, s).scores):  # 6.4
        bonus = 2 * len(lies.get((BONUSES, p), ()))
        assert bonus <= scores[0].value <= 3 * (7 - ages) + bonus
        valued.append(len(lies.get((HANDS, p), ())) + (p == ends["scorer"]))
    if not short:  # at most one player, robbed at the end, has fewer
        fewest, *others = sorted(valued)
        assert fewest >= 2
        assert others == [3] * (len(players) - 1)


@settings(max_examples=tries(25, soak=60))
@given(st.sampled_from(PLAYERS), st.integers(0, 2**64 - 1), st.integers())
def test_cards_lie_well_in_every_game(players, seed, choices):
    engine = engine_of(DEFAULT, players)
    s = start(engine, seed)
    lies = table_of_engine(engine, s)
    # Whether hands may have fewer than three cards: the deck has been empty, or Seas has found nothing.
    short = False
    for s in decisions(engine, s, at_random(choices)):  # noqa: B020 - the same state
        before, lies = lies, table_of_engine(engine, s)
        assert_lies_well(lies, before)
        short |= (DECK, None) not in lies or len(columns_in(lies).get(SEAS, ())) > 1
        active = variables_of(engine, s, ["active"])["active"]
        for p in range(players):  # V-I3
            held = len(lies.get((HANDS, p), ()))
            assert held <= 3
            assert held == 3 or short or p == active or s.pending is None
    assert s.pending is None
    assert_ends_well(engine, s, lies, short=short)


def new_model(players: int, rng: random.Random, **rulings) -> Seven7s:
    return Seven7s(players, shuffled(rng, all_cards(cyclic_table())), **rulings)


def plays_of(model: Seven7s, rng: random.Random, policy) -> list:
    """A whole game of the model: of every play what was decided in it, and how the columns grew."""
    decided, sizes = [], []
    while not model.over:
        about = model.decision()[1]
        if about == "play":
            decided.append(set())
            sizes.append(sum(map(len, model.columns.values())))
        decided[-1].add(about)
        known = paths(model)
        for option in known[policy(rng, model, list(known))]:
            model.apply(option)
    sizes.append(sum(map(len, model.columns.values())))
    return [(what, to - of) for what, (of, to) in zip(decided, pairwise(sizes), strict=True)]


@pytest.mark.parametrize("policy", [any_path, slow_path])
@pytest.mark.parametrize("players", PLAYERS)
def test_columns_grow_by_one_card_two_or_none_in_a_play(players, policy):  # V-I8
    rng = random.Random(players)  # noqa: S311 - a game needs no secrecy
    for _ in range(10):
        for what, growth in plays_of(new_model(players, rng), rng, policy):
            assert growth == (0 if "catch" in what else 2 if "steal" in what else 1)


def test_a_short_deck_means_no_fewer_looks():  # V-A28, V-A37
    looks = Counter()
    for players in PLAYERS:
        rng = random.Random(players)  # noqa: S311 - a game needs no secrecy
        for _ in range(40):
            model = new_model(players, rng)
            while not model.over:
                if model.decision()[1] == "look":
                    hidden = len(model.pile) + sum(map(len, model.hands))
                    hidden -= len(model.hands[model.active])
                    assert {sum(split) for split in model.options()} == {min(3, hidden)}
                    looks[len(model.pile) < 3] += 1
                known = paths(model)
                for option in known[slow_path(rng, model, list(known))]:
                    model.apply(option)
    assert looks[True]
    assert looks[False]


@pytest.mark.parametrize("policy", [any_path, slow_path])
@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_is_short_unless_seas_may_take_itself(players, policy):  # 6.3
    rng = random.Random(players)  # noqa: S311 - a game needs no secrecy
    for _ in range(10):
        model = new_model(players, rng)
        assert len(plays_of(model, rng, policy)) <= 48


def test_the_shortest_game_has_one_turn():  # 6.3
    engine = engine_of(DEFAULT, 2)
    rng = random.Random(7)  # noqa: S311 - a game needs no secrecy
    virtues = [card for card in cards_of(engine) if card.type == VIRTUES]
    rest = [card for card in cards_of(engine) if card.type not in (VIRTUES, COLORS)]
    last = [card for card in cards_of(engine) if card.type == COLORS]
    s = begin(engine, rng, [*virtues[:3], *rest[:3], *virtues[3:], *rest[3:], *last])
    model = model_of(engine, s)

    def in_a_row(_rng, _model, ways: list) -> tuple:
        return next(way for way in ways if way[1][1] == VIRTUES)

    while not model.over:
        answer(engine, s, model, in_a_row, rng)
    assert_alike(engine, s, model)
    assert_ranked_alike(engine, s, model)
    assert (model.turns, len(model.columns[VIRTUES])) == (1, 7)


@given(st.sampled_from(PLAYERS), st.integers(0, 2**32), st.permutations(COLOURS))
@settings(max_examples=30)
def test_other_colours_would_score_the_same(players, seed, permuted):  # V-I11
    rng = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    model = new_model(players, rng)
    plays_of(model, rng, any_path)
    before = [model.score(player) for player in range(players)]
    new = dict(zip(COLOURS, permuted, strict=True))

    def recoloured(cards):
        return [card._replace(colour=new[card.colour]) for card in cards]

    model.hands = [recoloured(hand) for hand in model.hands]
    model.columns = {kind: recoloured(column) for kind, column in model.columns.items()}
    if model.sideways:
        (model.sideways,) = recoloured([model.sideways])
    assert [model.score(player) for player in range(players)] == before


# ---- The model alone: worked examples of the rulebook ----------------------------------------------


def card_of(colour: str, value: int) -> Card:
    (card,) = (c for c in all_cards(cyclic_table()) if (c.colour, c.value) == (colour, value))
    return card


def cards_of_type(kind: str) -> list[Card]:
    return [card for card in all_cards(cyclic_table()) if card.type == kind]


def test_the_model_scores_the_example_of_the_rulebook():  # V-EX3
    model = Seven7s(2, all_cards(cyclic_table()))
    model.columns = {AGES: cards_of_type(AGES)[:2], COLORS: [card_of("blue", 3)]}
    model.hands[0] = [card_of("violet", 5), card_of("red", 4), card_of("green", 7)]
    model.hands[1] = [card_of("orange", 5), card_of("red", 2), card_of("blue", 6)]
    assert [model.score(player).points for player in range(2)] == [9, 12]
    assert model.winners() == (1,)
    model.bonuses[0] = [card_of("red", 7), card_of("red", 6)]
    assert [model.score(player).points for player in range(2)] == [13, 12]


@pytest.mark.parametrize("disabled", range(7))
def test_the_model_disables_the_highest_values(disabled):  # V-EX4
    model = Seven7s(2, all_cards(cyclic_table()))
    model.columns = {AGES: cards_of_type(AGES)[:disabled], COLORS: [card_of("blue", 3)]}
    for card in all_cards(cyclic_table()):
        plain = card.value if card.value <= 7 - disabled else 0
        assert model.worth(card) == (7 - disabled if card.colour == "blue" else plain)

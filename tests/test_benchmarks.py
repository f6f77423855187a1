"""What the engine is measured against plays the same games: the hand-written ones, and the bench itself.

The classes play in lockstep with the reference machine, which has the dice. The fused playouts have dice of
their own: over many games with fixed seeds they must look like those of the class.
"""

import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, pvariance

import pytest
from attrs import evolve

import interpreter
import ladder
from beside import other_checkout
from best_answer import Policy, best_answer, explore
from contenders import CLASS, FUSED, IN_WASM, REFERENCE, Contender, Steps
from engine import LIMITS
from handwritten import siegel, sins
from interpreter.actions import Action
from interpreter.game_loading import load
from interpreter.machine import apply, rank, start
from measuring import Figures, own_size, race, ratio, seconds_by_tenth, state_at, step_seconds
from rulespec.core.types import Choice, Piece, Seat, present
from sizes import some, tries

ROOT = Path(__file__).parent.parent

# ---- The reference machine in the words of the classes ---------------------------------------------


class Table:
    """The reference machine for some players, and how its states are read."""

    file: str

    def __init__(self, players):
        self.players = players
        self.machine = load(self.file).machine(players)
        self.layout = self.machine.layout

    def zone(self, state, name, seat=0):
        family = self.layout.zone_families[name]
        return [self.layout.pieces[each] for each in state.zones[family.base + seat]]

    def variable(self, state, name, seat=0):
        return state.variables[self.layout.variable_families[name].base + seat]

    def place(self, enum, member):
        """Which one of its enum a member is."""
        return self.layout.enums[enum].index(member)


class SinsTable(Table):
    file = "sins.rules"
    tables = (2, 3, 4, 5)

    def sin(self, piece):
        if piece.kind == "Judgment":
            return sins.JUDGMENT
        return self.place("Sin", piece.attributes["sin"])

    def cards(self, state, name, seat=0):
        return [self.sin(piece) for piece in self.zone(state, name, seat)]

    def begin(self, state):
        """The same game by hand, told what chance has done."""
        secrets = [self.cards(state, "reserve", seat)[0] for seat in range(self.players)]
        deck = self.cards(state, "deck")[::-1]
        return sins.Sins(state.first, secrets, self.cards(state, "centre"), deck)

    def ask(self, pending):
        """What is asked, and the options."""
        match pending.of:
            case Choice("Sin"):
                return sins.SIN, [self.place("Sin", each) for each in pending.options]
            case Choice("Act"):
                return sins.ACT, [self.place("Act", each) for each in pending.options]
        chosen = [tuple(self.place("Sin", each) for each in some) for some in pending.options]
        return sins.FORGIVEN, chosen

    def look(self, state):
        seats = range(self.players)
        count = [
            Counter(self.cards(state, *zone))
            for zone in [("abyss",), *(("reserve", seat) for seat in seats)]
        ]
        return {
            "deck": self.cards(state, "deck"),
            "centre": Counter(self.cards(state, "centre")),
            "cards": [[each[sin] for sin in sins.SINS] for each in count],
            "stones": len(self.zone(state, "stones")),
            "pardons": [len(self.zone(state, "pardons", seat)) for seat in seats],
        }

    @staticmethod
    def look_by_hand(game):
        return {
            "deck": game.deck[::-1],
            "centre": Counter(game.centre),
            "cards": [game.abyss, *game.reserves],
            "stones": game.stones,
            "pardons": game.pardons,
        }

    @staticmethod
    def scores_by_hand(result):
        return [list(row) for row in result.scores]


class SiegelTable(Table):
    file = "siegel.rules"
    tables = (3, 4, 5)

    def face(self, piece):
        return self.place("Colour", piece.attributes["colour"]), piece.attributes["value"]

    def hands(self, state):
        return [[*map(self.face, self.zone(state, "hand", p))] for p in range(self.players)]

    def begin(self, state):
        def deal_alike(deck):
            hands = self.hands(state)
            dealt = [card for cards in zip(*hands, strict=True) for card in cards]
            assert sorted(dealt) == sorted(deck)
            deck[:] = dealt

        return siegel.Siegel(self.players, state.first, deal_alike)

    def ask(self, pending):
        match present(pending.of):
            case Choice("Colour"):
                return siegel.WISH, [self.wish(each) for each in pending.options]
            case Seat():
                return siegel.HOLDER, list(pending.options)
            case Piece(kinds) if kinds == {"Card"}:
                return siegel.CARD, [
                    self.face(self.layout.pieces[each]) for each in pending.options
                ]
        pieces = [self.layout.pieces[each] for each in pending.options]
        return siegel.PAYMENT, [self.place("Wax", piece.attributes["wax"]) for piece in pieces]

    def wish(self, option):
        if isinstance(option, Action):
            return siegel.SABOTAGE + self.place("Word", option.value)
        return self.place("Colour", option)

    def seals(self, state, name, seat=0):
        pieces = [piece for piece in self.zone(state, name, seat) if piece.kind == "Seal"]
        found = Counter(self.place("Wax", piece.attributes["wax"]) for piece in pieces)
        return [found[wax] for wax in range(7)]

    def look(self, state):
        seats = range(self.players)
        found = {
            "dealer": self.variable(state, "dealer"),
            "penalties": [self.variable(state, "penalty", seat) for seat in seats],
        }
        if state.pending is None:  # the table has been cleared
            return found
        fronts = [self.zone(state, "front", seat) for seat in seats]
        takers = [p for p in seats if any(piece.kind == "Saboteur" for piece in fronts[p])]
        return found | {
            "hands": self.hands(state),
            "trick": {p: [*map(self.face, self.zone(state, "trick", p))] for p in seats},
            "seals": [self.seals(state, "stock"), *(self.seals(state, "front", p) for p in seats)],
            "saboteur": takers[0] if takers else siegel.NOBODY,
        }

    @staticmethod
    def look_by_hand(game):
        found = {"dealer": game.dealer, "penalties": game.penalties}
        if game.over:
            return found
        played = dict(game.trick)
        return found | {
            "hands": game.hands,
            "trick": {p: [played[p]] if p in played else [] for p in range(game.players)},
            "seals": [game.stock, *game.fronts],
            "saboteur": game.saboteur,
        }

    @staticmethod
    def scores_by_hand(result):
        return [[each] for each in result.penalties]


TABLES = [(kind, players) for kind in (SinsTable, SiegelTable) for players in kind.tables]
by_table = pytest.mark.parametrize(("kind", "players"), TABLES)


@cache
def table(kind, players):
    return kind(players)


# ---- The classes in lockstep -----------------------------------------------------------------------


def lockstep(t, seed):
    """One game twice: the same questions, options, tables and scores. What was asked, and how often."""
    chance = Random(seed)  # noqa: S311 - a game needs no secrecy
    asked = Counter()
    state = start(t.machine, seed)
    game = t.begin(state)
    while state.pending is not None:
        kind, options = t.ask(state.pending)
        assert (state.pending.player, kind) == (game.player, game.question)
        assert options == game.options
        assert len(options) > 1
        assert t.look(state) == t.look_by_hand(game)
        if chance.random() < 0.05:
            go_astray(game.clone(), chance)
        number = chance.randrange(len(options))
        apply(t.machine, state, number)
        game.apply(game.options[number])
        asked[kind] += 1
    assert game.over
    assert t.look(state) == t.look_by_hand(game)
    expected, result = rank(t.machine, state), game.result()
    assert result.places == list(expected.places)
    assert t.scores_by_hand(result) == [[row.value for row in rows] for rows in expected.scores]
    return asked


def go_astray(copy, chance):
    """Play on with a copy: what it was copied from must not notice."""
    copy.shuffle = chance.shuffle
    for _ in range(20):
        if not copy.over:
            copy.apply(chance.choice(copy.options))


@by_table
def test_the_class_asks_and_scores_as_the_reference_does(kind, players):
    games, questions = (tries(20, soak=60), 3) if kind is SinsTable else (15, 4)
    asked = Counter()
    for seed in range(games):
        asked += lockstep(table(kind, players), seed)

    assert len(asked) == questions


@pytest.mark.soak
@by_table
def test_the_class_asks_and_scores_as_the_reference_does_in_thousands_of_games(kind, players):
    for seed in range(1000, 1000 + some(3000 if kind is SinsTable else 1000)):
        lockstep(table(kind, players), seed)


@pytest.mark.parametrize("players", SinsTable.tables)
def test_the_class_deals_what_the_setup_of_the_reference_could_deal(players):
    t = table(SinsTable, players)
    for seed in range(20):
        state = start(t.machine, seed)
        game = sins.Sins.deal(players, Random(seed))  # noqa: S311
        expected = hells(t.cards(state, "deck"))
        found = hells(game.deck[::-1])

        assert [len(each) for each in found] == [len(each) for each in expected]
        assert [each.count(sins.JUDGMENT) for each in found] == [1, 1, 1]
        assert [sorted(Counter(each).values()) for each in found[1:]] == [
            sorted(Counter(each).values()) for each in expected[1:]
        ]
        dealt = Counter(game.deck + game.centre)
        for reserve in game.reserves:
            dealt += Counter({sin: n for sin, n in enumerate(reserve) if n})
        del dealt[sins.JUDGMENT]
        assert list(dealt.values()) == [11] * sins.KINDS[players]


def hells(deck):
    """A deck, the top first, in three parts: Hell III and II have two and three cards of each sin."""
    kinds = len(set(deck) - {sins.JUDGMENT})
    third = 2 * kinds + 1
    second = third + 3 * kinds + 1
    return deck[:-second], deck[-second:-third], deck[-third:]


# ---- The playouts, with the same random numbers as the class --------------------------------------


class Recorder:
    """Random numbers that can be drawn a second time."""

    def __init__(self, seed):
        self.source = Random(seed)  # noqa: S311 - a game needs no secrecy
        self.drawn = []

    def __call__(self):
        self.drawn.append(self.source.random())
        return self.drawn[-1]


class Again:
    """The same numbers once more."""

    def __init__(self, recorder):
        self.left = iter(recorder.drawn)

    def below(self, n):
        return int(next(self.left) * n)

    def pick(self, options):
        return options[self.below(len(options))]

    def used_up(self):
        return next(self.left, None) is None


class DrawnDeck:
    """Three Hells that are shuffled as they are drawn, the first one without its Last Judgment yet."""

    def __init__(self, players, again):
        kinds = range(sins.KINDS[players])
        self.hells = [[sin for sin in kinds for _ in range(n)] for n in sins.COPIES]
        self.again = again

    def pop(self):
        if not self.hells[0]:
            del self.hells[0]
        cards = self.hells[0]
        number = self.again.below(len(cards))
        # The last one takes the place of the card that is drawn.
        cards[number], cards[-1] = cards[-1], cards[number]
        return cards.pop()

    def add_judgments(self):
        for cards in self.hells:
            cards.append(sins.JUDGMENT)


def sins_again(players, again):
    """The game of the class that the numbers of a playout tell: how many choices, and its result."""
    first = again.below(players)
    deck = DrawnDeck(players, again)
    secrets = [deck.pop() for _ in range(players)]
    centre = [deck.pop() for _ in range(sins.CENTRE)]
    deck.add_judgments()
    game = sins.Sins(first, secrets, centre, [])
    game.deck = deck
    choices = 0
    while not game.over:
        game.apply(again.pick(game.options))
        choices += 1
    return choices, game.result()


def siegel_again(players, again, rounds):
    def rank_of(option):
        """Red is the last of the colours, then comes white; cards go by their value."""
        if isinstance(option, tuple):
            return option[1]
        return (option - 1) % 5 if option < siegel.WHITE else option

    ordered = [*range(siegel.YELLOW, siegel.VIOLET + 1), siegel.RED]
    cards = [(c, value) for c in ordered for value in range(1, siegel.HIGHEST[players] + 1)]

    def shuffle(deck):
        for left in range(len(cards), siegel.HAND, -1):
            number = again.below(left)
            cards[number], cards[left - 1] = cards[left - 1], cards[number]
        hands = [cards[15 * p : 15 * p + 15] for p in range(players)]
        deck[:] = [card for row in zip(*hands, strict=True) for card in row]

    game = siegel.Siegel(players, again.below(players), shuffle, rounds)
    choices = 0
    while not game.over:
        options = game.options
        follows = game.question == siegel.CARD and game.trick
        if follows and {card[0] for card in options} == {game.trick[0][1][0]}:
            options = sorted(options, key=rank_of)
        elif game.question == siegel.WISH:
            words = [each for each in options if each in {siegel.SABOTAGE, siegel.ENOUGH}]
            options = [*sorted(options[: -len(words)], key=rank_of), *words]
        elif game.question == siegel.PAYMENT:
            options = sorted(options, key=rank_of)
        game.apply(again.pick(options))
        choices += 1
    return choices, game.result()


def same_numbers(kind, players, seed):
    recorder = Recorder(seed)
    if kind is SinsTable:
        found = sins.playout(players, recorder)
        again = Again(recorder)
        expected = sins_again(players, again)
    else:
        rounds = seed % 3 + 1
        found = siegel.playout(players, recorder, rounds)
        again = Again(recorder)
        expected = siegel_again(players, again, rounds)

    assert found == expected
    assert again.used_up()


@by_table
def test_a_playout_is_the_game_of_the_class_with_the_same_random_numbers(kind, players):
    for seed in range(tries(100, soak=300)):
        same_numbers(kind, players, seed)


@pytest.mark.soak
@by_table
def test_a_playout_is_the_game_of_the_class_in_thousands_of_games(kind, players):
    for seed in range(1000, 1000 + some(10_000)):
        same_numbers(kind, players, seed)


# ---- The playouts, with dice of their own ----------------------------------------------------------


def play_class(kind, players, random):
    if kind is SinsTable:
        game = sins.Sins.deal(players, random)
    else:
        game = siegel.Siegel(players, random.randrange(players), random.shuffle, rounds=1)
    choices = 0
    while not game.over:
        game.apply(random.choice(game.options))
        choices += 1
    return choices, game.result()


def play_fused(kind, players, random):
    if kind is SinsTable:
        return sins.playout(players, random.random)
    return siegel.playout(players, random.random, rounds=1)


def numbers_of(game):
    """What is compared of a game: its length, and of each seat the victory and the points."""
    choices, (places, scores) = game
    points = [score[0] if isinstance(score, tuple) else score for score in scores]
    return [choices, *(place == 1 for place in places), *points]


def means(play, kind, players, games, seed):
    """The mean of each number over many games, and the error of the mean."""
    random = Random(seed)  # noqa: S311 - a game needs no secrecy
    columns = zip(*(numbers_of(play(kind, players, random)) for _ in range(games)), strict=True)
    return [(fmean(each), sqrt(pvariance(each) / games)) for each in columns]


@by_table
def test_playouts_are_as_long_and_end_as_the_games_of_the_class(kind, players):
    by_class = means(play_class, kind, players, 1000, seed=1)
    fused = means(play_fused, kind, players, 3000, seed=2)

    for (mean, error), (other, other_error) in zip(by_class, fused, strict=True):
        assert abs(mean - other) < 4 * sqrt(error**2 + other_error**2)


# ---- The bench -------------------------------------------------------------------------------------


def counting_steps(applied):
    """A game of thirty decisions between two options; a state is a list of one number."""

    def apply(state, number):
        applied.append(number)
        state[0] += 1

    return Steps(lambda _seed: [0], lambda state: 2 if state[0] < 30 else 0, apply, list.copy)


def test_contenders_are_measured_by_turns():
    order = []

    def player(name):
        def play(seeds):
            order.append(name)
            return 3 * len(seeds)

        return play

    contenders = [Contender("g", name, player(name)) for name in "AB"]
    contenders.append(Contender("g", "C", None, note="not built"))
    found = race(contenders, rounds=3, seconds=0.0)

    assert order[-6:] == ["A", "B", "A", "B", "A", "B"]
    assert list(found) == ["g: A", "g: B"]
    assert all(len(each.seconds) == 3 and each.length == 3 for each in found.values())


def test_a_ratio_is_the_median_of_those_within_a_round():
    one = Figures(games=10, decisions=100, seconds=[1.0, 2.0, 1.0])
    other = Figures(games=20, decisions=100, seconds=[2.0, 8.0, 3.0])

    assert ratio(one, other) == 3.0
    assert one.each == 0.01
    assert one.length == 10


def test_each_tenth_takes_its_part_of_the_choices():
    applied = []
    found = seconds_by_tenth(counting_steps(applied), games=2, rounds=3)

    assert len(found) == 10
    # Played once to learn the choices, then in every round.
    assert len(applied) == 2 * 30 * (1 + 3)


def test_a_state_is_found_at_any_share_of_a_game():
    steps = counting_steps([])

    assert [state_at(steps, share, seed=1)[0] for share in (0.0, 0.5, 1.0)] == [0, 15, 30]


def test_the_size_of_a_state_leaves_out_what_is_shared():
    common = [str(n) * 50 for n in range(50)]
    one, other = [common, "a" * 1000], [common, "b" * 10]

    assert own_size(one, other) == sys.getsizeof(one) + sys.getsizeof("a" * 1000)


def test_steps_are_taken_with_and_without_copies():
    applied = []

    assert step_seconds(counting_steps(applied), rounds=3, games=2) >= 0
    assert step_seconds(counting_steps(applied), rounds=3, games=2, copies=True) >= 0
    # Played once to learn the choices, then in every round.
    assert len(applied) == 2 * (2 * 30 * (1 + 3))


def test_the_bench_of_one_game_gives_its_rows_and_its_aims():
    words = ["--game", "sins", "--rounds", "1", "--seconds", "0.01", "--json"]
    command = [sys.executable, ROOT / "benchmarks/engine.py", *words]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)

    rows = {row["engine"]: row for row in found["rows"]}
    assert [*rows] == [REFERENCE, *IN_WASM, CLASS, FUSED]
    assert all(70 < row["decisions_per_game"] < 90 for row in rows.values())
    # Where sources were changed just now, nothing is kept.
    assert all(rows[name][key] for name, key, _, _ in LIMITS if key != "load_again_ms")
    assert [each["aim"] for each in found["ratios"]] == [10.0, 1.0, 3.0]
    assert [row["module_bytes"] > 1000 for row in found["making"]] == [True]
    assert all(len(row["us_by_tenth"]) == 10 for row in found["growth"])


def test_another_checkout_is_measured_with_its_own_bench(tmp_path):
    bench = tmp_path / "benchmarks"
    bench.mkdir()
    row = "type('Row', (), {'steps': None})"
    (bench / "contenders.py").write_text(f"in_c = stepped_in_c = lambda *table: {row}", "utf-8")
    clone = "clone_seconds = lambda steps, share, rounds, games: 2.0 * games"
    (bench / "measuring.py").write_text(f"seconds_for = None; {clone}", "utf-8")

    with other_checkout(str(tmp_path)) as measure:
        assert measure(("sins", 4), "clone", 3) == 6.0


def test_a_checkout_without_generated_code_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="no generated C"), other_checkout(str(tmp_path)):
        pass


def test_games_of_the_ladder_add_up_over_runs(tmp_path):
    def run(path, *, games):
        kept = ladder.read(path)
        score = kept.setdefault("kuhn", ladder.Score())
        with ThreadPoolExecutor(1) as pool:
            for _ in ladder.add_games(
                pool, ("kuhn.rules", 2), ("easy", "random"), score, games, 1e9, 3
            ):
                ladder.keep(path, kept)
        return ladder.read(path)["kuhn"]

    parts, whole = tmp_path / "parts", tmp_path / "whole"
    first = run(parts, games=4)
    kept = {"kuhn": evolve(first, missing=[2])}  # cut off while it played
    kept["kuhn"].games, kept["kuhn"].won = (
        3,
        first.won - ladder.play("kuhn.rules", 2, ("easy", "random"), 2)[0],
    )
    ladder.keep(parts, kept)

    assert run(parts, games=9) == run(whole, games=9)
    assert "of 9 games; equal 50%, wanted 65%" in ladder.row(
        ("kuhn.rules", 2), ("a", "b"), run(whole, games=9)
    )


def test_the_best_answer_wins_what_a_policy_leaves_to_it():
    game = interpreter.load("kuhn.rules")
    folding, calling = (Policy(game, "random", 1) for _ in range(2))
    for policy, always in ((folding, 0), (calling, 1)):
        root = explore(game.new_initial_state(players=2, first=0), policy)
        for known, (_, actions) in policy.moments.items():
            policy.shares[known] = [float(n == always) for n in range(actions)]

    # Whoever never bets folds to every bet; whoever always bets or calls leaves all to the cards.
    assert best_answer(root, folding, 0) == best_answer(root, folding, 1) == 1.0
    assert best_answer(root, calling, 0) == best_answer(root, calling, 1) == 0.5

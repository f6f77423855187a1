"""The Deadlies: the engine with the shipped rules beside the model of `models/deadlies.py`.

Both play the same games: chance is the engine's and is given to the model, every question must be
the same with the same options, and after every answer all cards and counters must be in the same
places. The tables below are all that ties the model's words to those of the rules file.
"""

import random
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, combinations, count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.game_loading import load
from interpreter.labels import label, piece_label
from interpreter.machine import Machine, apply, rank, run, start
from interpreter.match import Game
from interpreter.options import Decision
from interpreter.state import State
from models import deadlies as model
from models.deadlies import CORRUPTION, HALO, PILE, PURITY, SINS, Card, Deadlies, Play, Switches
from rulespec.core.types import Choice, Piece, Several, present
from sizes import some, tries

# ---- The rules file and the model -------------------------------------------------------------------

RULES = "deadlies.rules"
VARIANTS = {3: (), 4: (), 5: (), 6: ("sixth_player",)}

# A switch of the model, and the option of the rules file that says the same.
OPTIONS = {
    "sequential": ("gluttony_chain", "sequential"),
    "corruption_free_effect": ("corruption_free_effect", True),
    "corruption_in_hand_counts": ("corruption_in_hand_counts", False),
    "greed_five_excludes_greed": ("greed_five_excludes_greed", True),
    "lust_needs_both": ("lust_needs_both", True),
}

# Zones: in order, as a set, and one of each player.
PILES = {"deck": "draw_pile"}
PLACES = {"discard": "discards", "edge": "edge", "played": "played", "earlier": "earlier"}
OWN_PLACES = {"hand": "hands", "front": "front", "dealt": "dealt"}
EMPTY_PLACES = ("box",)
OWN_COUNTERS = {"malice": "malice"}
COUNTERS = {"active": "active"}

# The engine asks step by step what is one answer of the model.
STEPS_OF_A_PLAY = {
    "What do you play?": "meld",
    "Which cards do you play?": "cards",
    "Which of them on top? Only its effect counts.": "top",
    "Which colour does Corruption have?": "effect",
}
SINGLE, FLUSH = "a single card", "cards of one colour"
MATCH, RUN = "cards of one value", "a run of values"

# All other questions, with what the model says instead of an option's value.
QUESTIONS: dict[str, tuple[str, dict[Any, Any]]] = {
    "Whom do you ask for a Pride card?": ("pride target", {}),
    "Do you reveal a Pride card, if you have one?": ("pride answer", {}),
    "Which Pride card do you reveal?": ("pride reveal", {}),
    "Deal another card? Two of one sin: you take all. Five cards: discard your hand.": (
        "greed",
        {False: "stop", True: "go on"},
    ),
    "With whom do you swap hands?": ("envy", {}),
    "Whom do you tempt to discard a card together with you?": ("lust target", {}),
    "Do you agree that each of you may discard a card?": ("lust answer", {False: "a", True: "b"}),
    "Which card do you discard?": ("lust card", {}),
    "From whom do you steal a card?": ("gluttony", {None: "draw"}),
    "Who feels your Wrath?": ("wrath target", {}),
    "Which card do you discard to strike back?": ("wrath", {}),
}

EFFECTS = (*SINS, "Purity", "Halo")

HUGE = 2_000  # runs of a hand; more are counted and sampled
MOST_DECISIONS = 20_000


@cache
def game_of(variants: tuple[str, ...], switch: str | None) -> Game:
    return load(RULES, variants, dict([OPTIONS[switch]] if switch else []))


def switches_of(switch: str | None) -> Switches:
    default = Switches()
    return Switches(**({switch: not getattr(default, switch)} if switch else {}))


def offered() -> list[str | None]:
    """The switches that the rules file has, and none of them."""
    there = {row.name for row in game_of((), None).code.options}
    return [None, *(switch for switch, (name, _) in OPTIONS.items() if name in there)]


Candidate = tuple[str, Play | None]
UNLISTED: list[Candidate] = [(RUN, None)]


class Counting(Deadlies):
    """The model, with a note of what happens seldom."""

    def check_malice(self, me: int) -> None:
        self.notes: Counter[str]
        empty = [p for p in range(self.players) if not self.hands[p]]
        super().check_malice(me)
        self.notes["several hands empty"] += len(empty) > 1
        self.notes["another's hand empty"] += bool(set(empty) - {me})
        self.notes["several at 0"] += (
            sum(self.malice[p] == 0 for p in empty) > 1 and self.winner is None
        )
        self.notes["nothing to draw"] += any(not hand for hand in self.hands)


# ---- Two games side by side -------------------------------------------------------------------------


class Table:
    """A game of the engine, in the words of the model."""

    def __init__(self, players: int, switch: str | None, seed: int) -> None:
        self.players = players
        self.engine: Machine = game_of(VARIANTS[players], switch).machine(players)
        self.layout = self.engine.layout
        named = {str(card): card for card in (*PILE, HALO)}
        pieces = range(len(self.layout.pieces))
        self.cards: list[Card] = [
            named[piece_label(self.layout, piece).removeprefix("the ")] for piece in pieces
        ]
        self.zones = {(zone.row.name, *zone.indices): n for n, zone in enumerate(self.layout.zones)}
        self.variables = {(row.name, *at): n for n, (row, at) in enumerate(self.layout.variables)}
        self.random = random.Random(seed)  # noqa: S311 - a game needs no secrecy
        self.state: State = start(self.engine, seed, watched=True)

    def zone(self, *name: Any) -> list[Card]:
        return [self.cards[piece] for piece in self.state.zones[self.zones[name]]]

    def of_all(self, name: str) -> list[list[Card]]:
        return [self.zone(name, player) for player in range(self.players)]

    def variable(self, *name: Any) -> Any:
        return self.state.variables[self.variables[name]]

    def spoken(self, decision: Decision, value: Any) -> Any:
        match present(decision.of):
            case _ if value is None:
                return None
            case Piece():
                return self.cards[value]
            case Several():
                return frozenset(self.cards[piece] for piece in value)
            case Choice() as of:
                return label(self.layout, value, of)
            case _:
                return value

    def values(self, decision: Decision) -> list[Any]:
        """All options, each of them once."""
        values = [self.spoken(decision, value) for value in decision.options]
        assert len(values) == len(set(values))
        return values

    def kind(self, decision: Decision) -> str:
        prompt = decision.prompt
        return "play" if prompt in STEPS_OF_A_PLAY else QUESTIONS[prompt][0]


class Lockstep(Table):
    """A game of the engine and the same game of the model."""

    def __init__(self, players: int, switch: str | None, seed: int) -> None:
        super().__init__(players, switch, seed)
        self.heard = len(self.state.watch.events)
        self.shuffles: deque[list[Card]] = deque()
        self.stolen: deque[Card] = deque()
        self.model = self.dealt_like(switches_of(switch))
        self.candidates: list[Candidate] | None = None
        self.seen = self.model.notes = Counter()
        self.settle()

    def dealt_like(self, switches: Switches) -> Counting:
        """The model with the hands and the deck that the engine has dealt."""
        first = self.state.first
        order = [(first + step) % self.players for step in range(self.players)]
        deck = [card for player in order for card in self.zone("hand", player)]
        deck += self.zone("deck")
        return Counting(self.players, first, deck, self.reshuffled, self.robbed, switches)

    def hear(self) -> None:
        """Keep what chance has decided in the engine."""
        events = self.state.watch.events
        for event in events[self.heard :]:
            if event.kind == "shuffle" and event.data[1]:
                self.shuffles.append([self.cards[piece] for piece in event.data[1]])
            if event.kind == "random":
                self.stolen.append(self.cards[event.data[0]])
        self.heard = len(events)

    def reshuffled(self, discards: set[Card]) -> list[Card]:
        order = self.shuffles.popleft()
        assert set(order) == discards
        self.seen["reshuffle"] += 1
        return order

    def robbed(self, hand: set[Card]) -> Card:
        card = self.stolen.popleft()
        assert card in hand
        return card

    # -- one decision --

    def step(self) -> None:
        """Check the question, choose one of its options at random, and compare what has come of it."""
        decision: Decision = self.state.pending
        assert self.model.decision() is not None, f"only the engine asks {decision.prompt}"
        if decision.player in self.model.waiting:
            self.model.turn_to(decision.player)
        player, kind = self.model.decision()
        assert (decision.player, self.kind(decision)) == (player, kind)
        self.seen[kind] += 1
        if kind == "play":
            self.step_of_play(decision)
        else:
            words = QUESTIONS[decision.prompt][1]
            values = [words.get(value, value) for value in self.values(decision)]
            assert set(values) == self.model.options(), kind
            number = self.random.randrange(len(values))
            self.choose(number)
            self.model.apply(values[number])
            self.settle()

    def choose(self, number: int) -> None:
        apply(self.engine, self.state, number)
        self.hear()

    def step_of_play(self, decision: Decision) -> None:
        """Part of a play: the engine must ask what the plays that are left differ in."""
        depth = 1
        if self.candidates is None:
            self.candidates = self.plays_by_meld(self.model.hands[decision.player])
            # Now and then the cards of every kind of meld are compared, or all tops and effects, too.
            depth = self.random.choices((1, 2, 9), (80, 17, 3))[0]
        if self.candidates == UNLISTED:
            number = self.step_of_unlisted(decision)
        else:
            self.compare_tree(self.state, self.candidates, depth)
            number = self.random.randrange(len(decision.options))
            self.candidates = narrowed(self.candidates, *self.answer(decision, number))
        self.choose(number)
        self.settle()

    def plays_by_meld(self, hand: set[Card]) -> list[Candidate]:
        """All the plays of a hand, once for each kind of meld that they are (D-A12)."""
        huge = model.count_runs(hand) > HUGE
        melds = {
            SINGLE: model.single(hand),
            FLUSH: model.same_colour(hand, self.model.switches),
            MATCH: model.same_value(hand),
            RUN: () if huge else model.runs(hand),
        }
        listed = [(meld, play) for meld, plays in melds.items() for play in plays]
        return [*listed, *UNLISTED] if huge else listed

    def answer(self, decision: Decision, number: int) -> tuple[str, Any]:
        return STEPS_OF_A_PLAY[decision.prompt], self.spoken(decision, decision.options[number])

    def compare_tree(self, state: State, candidates: list[Candidate], depth: int) -> None:
        """The options of this step and of so many after it, whatever is chosen."""
        decision = state.pending
        asked = isinstance(decision, Decision) and STEPS_OF_A_PLAY.get(decision.prompt)
        if len({play for _, play in candidates}) == 1:
            return  # nothing is left to ask, or the runs are not listed
        assert asked, f"{candidates} are not asked for"
        values = self.values(decision)
        assert set(values) == {feature(each, asked) for each in candidates}, asked
        self.seen["options of plays"] += len(values)
        for number, value in enumerate(values if depth > 1 else ()):
            after = state.clone()
            after.watch = None
            apply(self.engine, after, number)
            self.compare_tree(after, narrowed(candidates, asked, value), depth - 1)

    def step_of_unlisted(self, decision: Decision) -> int:
        """Which of a great many runs: counted, and some of them looked at."""
        hand = self.model.hands[decision.player]
        assert len(decision.options) == model.count_runs(hand)
        for _ in range(50):
            number = self.random.randrange(len(decision.options))
            cards = self.spoken(decision, decision.options[number])
            plays = [play for play in model.runs(set(cards)) if play.cards == cards]
            assert plays
            assert all(model.is_playable(play, hand, self.model.switches) for play in plays)
        self.candidates = [(RUN, play) for play in plays]
        self.seen["unlisted runs"] += 1
        return number

    def settle(self) -> None:
        """Let the model take what is forced, as the engine has; if nothing is half said compare all."""
        if self.candidates is not None:
            plays = {play for _, play in self.candidates}
            if len(plays) > 1 or None in plays:
                return
            self.candidates = None
            self.model.apply(*plays)
        while self.model.decision() is not None and len(options := self.few_options()) == 1:
            self.model.apply(*options)
        if not self.half_said():
            self.compare()

    def half_said(self) -> bool:
        """Whether the engine has taken the only card of a hand, Corruption, and asks for its colour."""
        decision = self.state.pending
        return decision is not None and STEPS_OF_A_PLAY.get(decision.prompt) == "effect"

    def few_options(self) -> set[Any]:
        """The options, if that may be a single one."""
        player, kind = self.model.decision()
        many = kind == "play" and len(self.model.hands[player]) > 1
        return set() if many else self.model.options()

    def compare(self) -> None:
        """Everything in the same place, and chance used up by both."""
        assert not self.shuffles
        assert not self.stolen
        for name, its in PILES.items():
            assert self.zone(name) == getattr(self.model, its), name
        for name, its in PLACES.items():
            assert set(self.zone(name)) == getattr(self.model, its), name
        for name, its in OWN_PLACES.items():
            for player in range(self.players):
                assert set(self.zone(name, player)) == set(getattr(self.model, its)[player]), name
        for name in EMPTY_PLACES:
            assert not self.zone(name)
        for name, its in OWN_COUNTERS.items():
            for player in range(self.players):
                assert self.variable(name, player) == getattr(self.model, its)[player], name
        over = self.model.decision() is None
        assert over == (self.state.pending is None)
        if over:
            assert rank(self.engine, self.state).winners == (self.model.winner,)
        else:
            for name, its in COUNTERS.items():
                assert self.variable(name) == getattr(self.model, its), name

    # -- other positions than the first --

    def rearrange(self, *, scarce: bool) -> None:
        """At the first question: a late position, or one in which hardly a card is left to draw."""
        game, chance = self.model, self.random
        if STEPS_OF_A_PLAY.get(self.state.pending.prompt) != "meld":
            return
        pool = [*PILE, HALO]
        chance.shuffle(pool)
        game.malice = [chance.choice((0, 2, 2, 4)) for _ in game.malice]
        for place in (*game.hands, game.edge):
            place.clear()
        for player in range(self.players):
            game.hands[player].add(pool.pop())
            if player != game.active and chance.random() < 0.4:
                game.front[player] |= set([card for card in pool if card.kind == "Sloth"][:1])
                pool = [card for card in pool if card not in game.front[player]]
        rich = chance.sample(game.hands, chance.randint(1, self.players))
        for _ in range(max(0, len(pool) - chance.randrange(4)) if scarce else chance.randrange(6)):
            chance.choice(rich).add(pool.pop())
        if HALO in pool:
            pool.remove(HALO)
            game.edge.add(HALO)
        cut = chance.randrange(len(pool) + 1)
        game.draw_pile, game.discards = pool[:cut], set(pool[cut:])
        self.put_down()
        self.settle()

    def put_down(self) -> None:
        """The engine's position as the model's."""
        pieces = {card: piece for piece, card in enumerate(self.cards)}
        places = {(name,): getattr(self.model, its) for name, its in (PILES | PLACES).items()}
        for name, its in OWN_PLACES.items():
            places |= {(name, p): getattr(self.model, its)[p] for p in range(self.players)}
        for name, cards in places.items():
            zone = self.zones[name]
            found = [pieces[card] for card in cards]
            self.state.zones[zone] = tuple(sorted(found) if self.layout.is_pool[zone] else found)
            for piece in found:
                self.state.where[piece] = zone
        for name, its in OWN_COUNTERS.items():
            for player in range(self.players):
                at = self.variables[name, player]
                self.state.variables[at] = getattr(self.model, its)[player]
        run(self.engine, self.state)
        self.hear()


def feature(candidate: Candidate, name: str) -> Any:
    meld, play = candidate
    return meld if name == "meld" else getattr(play, name)


def narrowed(candidates: list[Candidate], name: str, value: Any) -> list[Candidate]:
    return [each for each in candidates if feature(each, name) == value]


# ---- The same games ---------------------------------------------------------------------------------


def play(players: int, switch: str | None, seed: int, position: str) -> Counter[str]:
    """A game from the deal, from a late position, or for a while with hardly a card to draw."""
    table = Lockstep(players, switch, seed)
    if position != "first":
        table.rearrange(scarce=position == "scarce")
    most = 25 if position == "scarce" else MOST_DECISIONS
    while table.state.pending is not None and table.seen["decisions"] < most:
        table.step()
        table.seen["decisions"] += 1
    assert table.seen["decisions"] < MOST_DECISIONS
    table.seen["games"] += 1
    return table.seen


def play_all(players: int, switch: str | None, games: dict[str, int]) -> Counter[str]:
    seen: Counter[str] = Counter()
    for position, many in games.items():
        for seed in range(many):
            try:
                seen += play(players, switch, seed, position)
            except Exception as error:
                message = f"play({players}, {switch!r}, {seed}, {position!r})"
                raise AssertionError(message) from error
    return seen


@pytest.mark.parametrize("players", VARIANTS)
def test_engine_and_model_play_the_same_games(players: int) -> None:
    games = {"first": tries(4, soak=8), "late": tries(30, soak=60), "scarce": 4}
    seen = play_all(players, None, games)
    kinds = {kind for kind, _ in QUESTIONS.values()}
    assert seen.keys() >= {"play", *kinds, "reshuffle", "another's hand empty"}


@pytest.mark.parametrize("switch", offered()[1:])
def test_engine_and_model_play_the_same_games_with_every_option(switch: str) -> None:
    for players in (3, 4, 5):
        play_all(players, switch, {"first": 1, "late": tries(4, soak=8), "scarce": 1})


@pytest.mark.soak
@pytest.mark.parametrize("switch", offered())
@pytest.mark.parametrize("players", VARIANTS)
def test_engine_and_model_play_thousands_of_games(players: int, switch: str | None) -> None:
    seen = play_all(players, switch, {"first": some(90), "late": some(180), "scarce": some(30)})
    print(players, switch, dict(seen))  # noqa: T201 - shown with -s


# ---- Where they differ ------------------------------------------------------------------------------


def placed(hands: dict[int, set[Card]], malice: dict[int, int], deck: Iterable[Card]) -> Lockstep:
    """Three players, numbered from the active one; number 2 has all that is named nowhere."""
    table = next(t for t in (Lockstep(3, None, seed) for seed in count()) if t.state.first == 0)
    game = table.model
    named = {*chain.from_iterable(hands.values()), *deck}
    game.hands = [hands.get(player, set()) for player in range(3)]
    game.hands[2] |= {*PILE, HALO} - named
    game.edge, game.draw_pile, game.discards = set(), list(deck), set()
    game.malice = [malice.get(player, 6) for player in range(3)]
    return table


def say(table: Lockstep, *texts: str) -> None:
    """Answer the engine's questions by the texts of options."""
    for text in texts:
        decision = table.state.pending
        table.choose([decision.text(n) for n in range(len(decision.options))].index(text))


def test_a_wrath_card_that_is_all_there_is_to_draw_ends_the_exchange() -> None:
    mine, other = Card("Wrath", 1), Card("Wrath", 2)
    table = placed({0: {mine, Card("Lust", 5)}, 1: {other}}, {}, [])
    table.put_down()
    say(table, str(mine), "Player 2", str(other))
    assert set(table.zone("hand", 0)) == {Card("Lust", 5), other}
    assert table.variable("malice", 1) == 4


# ---- What always holds (ledger, 6) ------------------------------------------------------------------

ALL_PLACES = (*PILES, *PLACES, *EMPTY_PLACES)
PLACES_OF_THE_HALO = {"edge", "hand", "played"}
PURITY_TAKES = "D-61"
tables = st.tuples(st.sampled_from(sorted(VARIANTS)), st.sampled_from(offered()))
seeds = st.integers(0, 2**32)


def decisions(table: Table) -> Iterator[Decision]:
    """The decisions of a game that is played at random, to its end."""
    for _ in range(MOST_DECISIONS):
        decision = table.state.pending
        if decision is None:
            return
        yield decision
        apply(table.engine, table.state, table.random.randrange(len(decision.options)))
    raise AssertionError("the game does not end")


def test_a_hand_and_the_deck_have_the_sizes_of_the_rulebook() -> None:
    for players, malice, deck in (3, 6, 32), (4, 6, 26), (5, 6, 20), (6, 4, 26):
        table = Table(players, None, seed=players)
        assert len(table.zone("deck")) == deck
        for player, hand in enumerate(table.of_all("hand")):
            assert len(hand) == malice + (player == table.state.first)
            assert table.variable("malice", player) == malice


@settings(max_examples=8)
@given(tables, seeds)
def test_no_card_is_lost_and_the_halo_is_never_in_a_pile(which: Any, seed: int) -> None:
    table = Table(*which, seed)
    halo = table.cards.index(HALO)
    for _ in decisions(table):
        lying = [table.zone(name) for name in ALL_PLACES]
        lying += [hand for name in OWN_PLACES for hand in table.of_all(name)]
        cards = [card for zone in lying for card in zone]
        assert len(cards) == 52
        assert set(cards) == {*PILE, HALO}
    active = table.state.first
    for event in table.state.watch.events:
        if event.kind == "set" and event.data[0] == table.variables["active",]:
            active = event.data[1]
        if event.kind == "move" and event.data[0] == halo:
            zone = event.data[3]
            assert table.layout.zones[zone].row.name in PLACES_OF_THE_HALO  # D-I1, D-26
            assert PURITY_TAKES not in event.origin.cites or zone == table.zones["hand", active]


@settings(max_examples=8)
@given(tables, seeds)
def test_malice_only_goes_down_by_2_and_one_player_wins_with_0_and_no_card(
    which: Any, seed: int
) -> None:
    table = Table(*which, seed)
    malice = {table.variables["malice", p]: table.variable("malice", p) for p in range(which[0])}
    for _ in decisions(table):
        pass
    for event in table.state.watch.events:
        if event.kind == "set" and event.data[0] in malice:
            assert event.data[1] == max(0, malice[event.data[0]] - 2)  # D-I2
            malice[event.data[0]] = event.data[1]
    done = [
        player
        for player, hand in enumerate(table.of_all("hand"))
        if not hand and table.variable("malice", player) == 0
    ]
    assert len(done) == 1  # D-I6
    assert rank(table.engine, table.state).winners == (*done,)


@settings(max_examples=8)
@given(tables, seeds)
def test_whoever_gets_no_help_needs_a_round_for_every_empty_hand_but_the_first(
    which: Any, seed: int
) -> None:
    players = which[0]
    table = Table(*which, seed)
    owner = {table.variables["malice", p]: p for p in range(players)}
    most = table.variable("malice", 0)
    for _ in decisions(table):
        pass
    active, turns = table.state.first, 1
    helped = set()
    for event in table.state.watch.events:
        if event.kind == "set" and event.data[0] == table.variables["active",]:
            active, turns = event.data[1], turns + 1
        elif event.kind == "set" and event.data[0] in owner and owner[event.data[0]] != active:
            helped.add(owner[event.data[0]])
    (winner,) = rank(table.engine, table.state).winners
    assert winner in helped or turns > players * (most // 2 - 1)  # 6.4


@settings(max_examples=8)
@given(st.sampled_from(sorted(VARIANTS)), seeds)
def test_at_every_decision_hands_and_fronts_are_as_they_must_be(players: int, seed: int) -> None:
    table = Table(players, None, seed)
    before, striker = None, None
    for decision in decisions(table):
        fronts = table.of_all("front")
        assert all(len(front) <= 1 for front in fronts)  # D-I4
        assert all(card.kind in ("Sloth", "Corruption") for front in fronts for card in front)
        assert not fronts[table.variable("active")]
        kind = table.kind(decision)
        if STEPS_OF_A_PLAY.get(decision.prompt) == "meld" and not table.zone("earlier"):
            assert all(table.of_all("hand"))  # D-I3
        if kind == "greed":
            dealt = [card for cards in table.of_all("dealt") for card in cards]
            others = [card.kind for card in dealt if card.kind != "Greed"]
            assert len(dealt) <= 4  # D-I9
            assert 2 <= len(others) == len(set(others))
            assert CORRUPTION not in dealt or not set(others) - {"Corruption", "Purity"}
        if kind == before == "wrath":
            assert decision.player != striker  # D-I10
        before, striker = kind, decision.player


# ---- What may be played (ledger, 4 and 6.2) ---------------------------------------------------------

hands = st.sets(st.sampled_from((*PILE, HALO)), min_size=1, max_size=6) | st.sets(
    st.sampled_from([card for card in PILE if card.kind in ("Lust", "Corruption", "Purity")]),
    min_size=1,
    max_size=7,
)
all_switches = st.sampled_from([switches_of(None), switches_of("corruption_free_effect")])


def test_the_hand_of_the_rulebook_has_22_sets_and_40_plays() -> None:
    pink = {Card("Lust", value) for value in (1, 2, 5, 7)}
    found = model.plays(pink | {Card("Greed", 3), Card("Sloth", 3)}, Switches())
    assert len({play.cards for play in found}) == 22
    assert len(found) == 40


@settings(max_examples=40)
@given(hands, all_switches)
def test_what_may_be_played_is_what_the_three_rules_allow(
    hand: set[Card], switches: Switches
) -> None:
    """The list against the question, over all subsets."""
    sets = chain.from_iterable(combinations(hand, size) for size in range(1, len(hand) + 1))
    tried = (Play(frozenset(s), top, effect) for s in sets for top in s for effect in EFFECTS)
    assert model.plays(hand, switches) == {
        play for play in tried if model.is_playable(play, hand, switches)
    }


@given(hands, all_switches)
def test_purity_and_the_halo_have_their_effects_only_alone(
    hand: set[Card], switches: Switches
) -> None:
    for play in model.plays(hand, switches):
        assert len(play.cards) == 1 or play.effect in SINS  # D-I7
        assert len(play.cards) <= 9  # D-A51
        assert play.top not in (PURITY, HALO) or play.effect == play.top.kind


@given(hands, all_switches, st.permutations(SINS))
def test_another_name_for_a_sin_changes_nothing(
    hand: set[Card], switches: Switches, names: list[str]
) -> None:
    other = dict(zip(SINS, names, strict=True))

    def renamed(card: Card) -> Card:
        return Card(other.get(card.kind, card.kind), card.value)

    there = model.plays({renamed(card) for card in hand}, switches)
    here = model.plays(hand, switches)
    assert there == {
        Play(frozenset(map(renamed, cards)), renamed(top), other.get(effect, effect))
        for cards, top, effect in here
    }  # D-I11

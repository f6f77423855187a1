"""The Deadlies: the engine with the shipped rules beside the model of `models/deadlies.py`.

Both play the same games: chance is the engine's and is given to the model, every question must be
the same with the same options, and after every answer all cards and counters must be in the same
places. The tables below are all that ties the model's words to those of the rules file.
"""

import random
from collections import Counter, deque
from functools import cache
from typing import Any

from interpreter.labels import label, piece_label
from interpreter.machine import Machine, apply, rank, run, start
from interpreter.match import Game, load
from interpreter.options import Decision
from interpreter.state import State
from models import deadlies as model
from models.deadlies import HALO, PILE, Card, Deadlies, Play, Switches
from rulespec.checking.values import Choice, Piece, Several, present

# ---- The rules file and the model -------------------------------------------------------------------

RULES = "deadlies.rules"
VARIANTS = {3: (), 4: (), 5: (), 6: ("sixth_player",)}

# A switch of the model, and the option of the rules file that says the same.
OPTIONS = {
    "single_check": ("gluttony_chain", "single_check"),
    "corruption_free_effect": ("corruption_free_effect", True),
    "corruption_in_hand_counts": ("corruption_in_hand_counts", False),
    "greed_five_excludes_greed": ("greed_five_excludes_greed", True),
    "corruption_first_is_harmless": ("greed_corruption_first", "harmless"),
    "lust_needs_both": ("lust_needs_both", True),
}

# Zones: in order, as a set, and one of each player.
PILES = {"deck": "draw_pile"}
PLACES = {"discard": "discards", "edge": "edge", "played": "played"}
OWN_PLACES = {"hand": "hands", "front": "front", "dealt": "dealt"}
EMPTY_PLACES = ("box",)
OWN_COUNTERS = {"malice": "malice"}
COUNTERS = {"active": "active"}

# The engine asks step by step what is one answer of the model.
STEPS_OF_A_PLAY = {
    "What do you play?": "meld",
    "Which cards?": "cards",
    "Which of them on top?": "top",
    "Which colour is it?": "effect",
}
SINGLE, FLUSH, MATCH, RUN = "a single card", "cards of one suit", "cards of one rank", "a run"

# All other questions, with what the model says instead of an option's value.
QUESTIONS: dict[str, tuple[str, dict[Any, Any]]] = {
    "Whom do you ask for Pride?": ("pride target", {}),
    "Reveal a Pride card?": ("pride reveal", {}),
    "Go on?": ("greed", {False: "stop", True: "go on"}),
    "Swap hands with whom?": ("envy", {}),
    "Whom do you tempt?": ("lust target", {}),
    "May each of you discard a card?": ("lust answer", {False: "a", True: "b"}),
    "Discard which card?": ("lust card", {}),
    "Steal from whom?": ("gluttony", {None: "draw"}),
    "Who feels your wrath?": ("wrath target", {}),
    "Strike back?": ("wrath", {}),
}

HUGE = 5_000  # runs of a hand; more are counted and sampled
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


# ---- Two games side by side -------------------------------------------------------------------------


class Lockstep:
    """A game of the engine and the same game of the model."""

    def __init__(self, players: int, switch: str | None, seed: int) -> None:
        self.players = players
        self.engine: Machine = game_of(VARIANTS[players], switch).machine(players)
        self.layout = self.engine.layout
        named = {str(card): card for card in (*PILE, HALO)}
        pieces = range(len(self.layout.pieces))
        self.cards: list[Card] = [named[piece_label(self.layout, piece)] for piece in pieces]
        self.zones = {(zone.row.name, *zone.indices): n for n, zone in enumerate(self.layout.zones)}
        self.variables = {(row.name, *at): n for n, (row, at) in enumerate(self.layout.variables)}
        self.random = random.Random(seed)  # noqa: S311 - a game needs no secrecy
        self.state: State = start(self.engine, seed, watched=True)
        self.heard = len(self.state.watch.events)
        self.shuffles: deque[list[Card]] = deque()
        self.stolen: deque[Card] = deque()
        self.model = self.dealt_like(players, switches_of(switch))
        self.candidates: list[tuple[str, Play]] | None = None
        self.seen: Counter[str] = Counter()
        self.settle()

    def dealt_like(self, players: int, switches: Switches) -> Deadlies:
        """The model with the hands and the deck that the engine has dealt."""
        first = self.state.first
        order = [(first + step) % players for step in range(players)]
        deck = [card for player in order for card in self.zone("hand", player)]
        deck += self.zone("deck")
        return Deadlies(players, first, deck, self.reshuffled, self.robbed, switches)

    # -- the engine in the words of the model --

    def zone(self, *name: Any) -> list[Card]:
        return [self.cards[piece] for piece in self.state.zones[self.zones[name]]]

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
        player, kind = self.model.decision()
        assert (decision.player, self.kind(decision)) == (player, kind), (
            f"{decision.player} {decision.prompt} {player} {kind} {self.model.hands} {self.model.active}"
        )
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

    def kind(self, decision: Decision) -> str:
        prompt = decision.prompt
        return "play" if prompt in STEPS_OF_A_PLAY else QUESTIONS[prompt][0]

    def choose(self, number: int) -> None:
        apply(self.engine, self.state, number)
        self.hear()

    def step_of_play(self, decision: Decision) -> None:
        """Part of a play: the engine must ask what the plays that are left differ in."""
        if self.candidates is None:
            self.candidates = self.plays_by_meld(self.model.hands[decision.player])
            # Now and then all sets of cards are compared, and also all tops and effects.
            depth = self.random.choices((1, 2, 9), (80, 17, 3))[0]
            self.compare_tree(self.state, self.candidates, depth)
        if self.candidates == UNLISTED:
            number = self.step_of_unlisted(decision)
        else:
            number = self.random.randrange(len(decision.options))
            self.compare_tree(self.state, self.candidates, 1)
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
        for _ in range(len(pool) - chance.randrange(4) if scarce else chance.randrange(6)):
            chance.choice(game.hands).add(pool.pop())
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


# ---- Games ------------------------------------------------------------------------------------------


def play(players: int, switch: str | None, seed: int, position: str = "first") -> Lockstep:
    table = Lockstep(players, switch, seed)
    if position != "first":
        table.rearrange(scarce=position == "scarce")
    most = 60 if position == "scarce" else MOST_DECISIONS
    decisions = 0
    trace = table.trace = deque(maxlen=8)
    while table.state.pending is not None and decisions < most:
        d = table.state.pending
        trace.append(
            (
                d.player,
                d.prompt,
                [[str(c) for c in h] for h in table.model.hands],
                "F",
                [[str(c) for c in h] for h in table.model.front],
                "dis",
                [*map(str, table.model.discards)],
                len(table.model.draw_pile),
                "mal",
                table.model.malice[:],
                "dry",
                set(table.model.dry),
                "played",
                [*map(str, table.model.played)],
                "stv",
                [table.variable("starved", p) for p in range(players)],
            )
        )
        try:
            table.step()
        except Exception:
            for x in trace:
                print(*x)
            print(
                table.model.decision(),
                [[str(c) for c in h] for h in table.model.hands],
                [*map(str, table.model.discards)],
                *[
                    n[0] + str(n[1:]) + "=" + ",".join(map(str, table.zone(*n)))
                    for n in table.zones
                ],
                table.model.malice,
                table.model.dry,
            )
            raise
        decisions += 1
    table.seen["games"] += 1
    table.seen["decisions"] += decisions
    assert decisions < MOST_DECISIONS
    return table

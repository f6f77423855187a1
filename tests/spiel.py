"""Our classics beside those of OpenSpiel: the same deal, the same options at every decision, the same returns.

Chance is decided from outside. Whenever our game shuffles, a new deal of OpenSpiel begins with the same order of the
cards, so a game of ours is compared with as many games of OpenSpiel as it has deals. `docs/classics.md` says where
OpenSpiel plays by other rules; an adapter that has to know about it cites that page.
"""

import itertools
import math
import random
from typing import Any, ClassVar

import pyspiel  # type: ignore[import-not-found]  # an extra

from interpreter import machine
from interpreter.actions import Action
from interpreter.match import Game
from interpreter.options import ChanceNode, Decision
from interpreter.state import State


class Table:
    """A game of ours, and how to look into it."""

    def __init__(self, game: Game, players: int) -> None:
        self.engine = game.machine(players)
        self.players = players
        self.state: State = machine.start(self.engine, None)

    def variable(self, name: str, *indices: int) -> Any:
        family = self.engine.layout.variable_families[name]
        return self.state.variables[_place(family, indices)]

    def zone(self, name: str, *indices: int) -> tuple[int, ...]:
        return self.state.zones[_place(self.engine.layout.zone_families[name], indices)]

    def member(self, value: int | None) -> str | None:
        return None if value is None else self.engine.layout.code.members[value].name

    def attribute(self, piece: int, name: str) -> int:
        """Which member of its enum an attribute is."""
        return self.number(self.engine.layout.pieces[piece].attributes[name])

    def number(self, member: int) -> int:
        """The place of a member in its enum."""
        return next(
            members.index(member)
            for members in self.engine.layout.enums.values()
            if member in members
        )

    def key(self, row: int = 0) -> tuple[Any, ...]:
        """What the players are ranked by."""
        return machine.rank(self.engine, self.state).keys[row][1]


def _place(family: Any, indices: tuple[int, ...]) -> int:
    offset = sum(
        values.index(index) * stride
        for values, index, stride in zip(family.domains, indices, family.strides, strict=True)
    )
    return family.base + offset


class Beside:
    """A game of OpenSpiel beside one of ours."""

    name: ClassVar[str]
    first: ClassVar[int | None] = None  # the seat that begins, if it cannot be any
    parameters: ClassVar[dict[str, Any]] = {}

    def __init__(self, table: Table) -> None:
        self.table = table
        self.deals = 0
        self.decisions = 0
        self.spiel: Any = None
        self.deck: list[int] = []  # the cards that OpenSpiel has not dealt

    # ---- What an adapter says ----

    def seat(self, player: int) -> int:
        """Which player of OpenSpiel sits in a seat."""
        return (player - self.table.state.first) % self.table.players

    def card(self, piece: int) -> int:
        return self.table.attribute(piece, "rank") * 4 + self.table.attribute(piece, "suit")

    def given(self) -> dict[str, Any]:
        return self.parameters

    def deal(self) -> None:
        """Make OpenSpiel deal the cards of `deck`."""

    def actions(self, value: Any) -> tuple[int, ...]:
        """The actions of OpenSpiel for an option: usually one."""
        raise NotImplementedError

    def legal(self) -> set[int]:
        return set(self.spiel.legal_actions())

    def chance(self) -> int:
        """What OpenSpiel draws in the middle of a deal."""
        return self.card(self.deck.pop(0))

    def points(self) -> list[float]:
        """What each seat has now."""
        raise NotImplementedError

    def returns(self, gained: list[float]) -> list[float]:
        """What OpenSpiel should return to each seat that has gained so much."""
        return gained

    # ---- Step by step ----

    def shuffled(self, order: tuple[int, ...]) -> None:
        """A pile has been shuffled: a new deal begins."""
        if self.spiel is not None:
            self.close()
        self.deck = list(order)
        self.before = self.points() if self.deals else [0.0] * self.table.players
        self.spiel = pyspiel.load_game(self.name, self.given()).new_initial_state()
        self.deal()
        self.deals += 1

    def deal_out(self, hands: list[list[int]]) -> None:
        """One card after the other to each player of OpenSpiel; the hands are in the order of our seats."""
        seats = sorted(range(self.table.players), key=self.seat)
        for number in range(len(hands[0])):
            for seat in seats:
                self.spiel.apply_action(self.card(hands[seat][number]))

    def take_hands(self, start: int, size: int) -> list[list[int]]:
        """The hands that our game deals, so many cards at a time, beginning with a seat."""
        hands: list[list[int]] = [[] for _ in range(self.table.players)]
        for number in range(self.table.players):
            hands[(start + number) % self.table.players] = self.deck[:size]
            del self.deck[:size]
        return hands

    def settle(self) -> None:
        """Let OpenSpiel go on as long as nobody has a choice."""
        while not self.spiel.is_terminal():
            if self.spiel.is_chance_node():
                self.spiel.apply_action(self.chance())
            elif len(self.legal()) == 1:
                self.advance(*self.legal())
            else:
                return

    def decide(self, decision: Decision, luck: random.Random) -> int:
        """Compare the options, and choose one in both games."""
        self.settle()
        self.decisions += 1
        assert not self.spiel.is_terminal(), decision.prompt
        assert self.spiel.current_player() == self.seat(decision.player), decision.prompt
        self.compare(decision)
        number = self.pick(decision, luck)
        self.choose(decision.options[number])
        return number

    def pick(self, decision: Decision, luck: random.Random) -> int:
        """One of the options that both games have."""
        return luck.randrange(len(decision.options))

    def compare(self, decision: Decision) -> None:
        ours = [self.actions(value) for value in decision.options]
        assert {each[0] for each in ours} == self.legal(), decision.prompt

    def choose(self, value: Any) -> None:
        for action in self.actions(value):
            self.advance(action)

    def advance(self, action: int) -> None:
        """Somebody acts in OpenSpiel."""
        self.spiel.apply_action(action)

    def close(self) -> None:
        """A deal is over in both games, with the same returns."""
        self.settle()
        assert self.spiel.is_terminal()
        gained = [now - then for now, then in zip(self.points(), self.before, strict=True)]
        wanted = self.returns(gained)
        found = self.spiel.returns()
        assert [found[self.seat(p)] for p in range(len(wanted))] == wanted


def play_beside(
    beside: type[Beside], game: Game, players: int, seed: int, most: int = 20
) -> Beside:
    """Play a game of ours, or its first deals, beside OpenSpiel; what was compared."""
    luck = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    table = Table(game, players)
    adapter = beside(table)
    while table.state.pending is not None:
        pending = table.state.pending
        if isinstance(pending, ChanceNode):
            if pending.pile is None:
                first = luck.randrange(pending.count) if beside.first is None else beside.first
                machine.decide_chance(table.engine, table.state, first)
                continue
            if adapter.deals == most:
                adapter.close()
                return adapter
            order = tuple(luck.sample(pending.pile, len(pending.pile)))
            adapter.shuffled(order)
            machine.decide_chance(table.engine, table.state, order)
        else:
            number = adapter.decide(pending, luck)
            machine.apply(table.engine, table.state, number)
    adapter.close()
    return adapter


# ---- Poker ---------------------------------------------------------------------------------------


class Kuhn(Beside):
    name = "kuhn_poker"

    def card(self, piece: int) -> int:
        return self.table.attribute(piece, "rank")

    def actions(self, value: Any) -> tuple[int, ...]:
        return ({"pass": 0, "fold": 0, "bet": 1, "call": 1}[self.table.member(value) or ""],)

    def points(self) -> list[float]:
        return list(self.table.key())


class Leduc(Kuhn):
    name = "leduc_poker"

    def card(self, piece: int) -> int:
        return self.table.attribute(piece, "rank") * 2 + self.table.attribute(piece, "suit")

    def actions(self, value: Any) -> tuple[int, ...]:
        return ({"fold": 0, "call": 1, "raise": 2}[self.table.member(value) or ""],)


# ---- Shedding, fishing, and the bank -------------------------------------------------------------

DRAW, PASS, NAME_SUIT = 52, 53, 54


class CrazyEights(Beside):
    """In OpenSpiel most cards count oddly, and it takes one pass more to end the game."""

    name = "crazy_eights"

    def given(self) -> dict[str, Any]:
        return {"players": self.table.players, "max_turns": 10_000}

    def shuffled(self, order: tuple[int, ...]) -> None:
        if self.deals:  # an 8 was turned up, and goes back
            self.spiel.apply_action(self.card(self.deck[0]))
            self.deck = list(order)
        else:
            super().shuffled(order)

    def deal(self) -> None:
        self.spiel.apply_action(52 + self.table.players - 1)  # the dealer: player 0 begins
        hands = self.take_hands(self.table.state.first, 7 if self.table.players == 2 else 5)
        self.deal_out(hands)

    def compare(self, decision: Decision) -> None:
        self.naming = decision.prompt.startswith("Which suit")
        self.declining = PASS if PASS in self.legal() else DRAW
        super().compare(decision)

    def actions(self, value: Any) -> tuple[int, ...]:
        if isinstance(value, Action):
            return (self.declining,)
        return (NAME_SUIT + self.table.number(value) if self.naming else self.card(value),)

    def points(self) -> list[float]:
        cards = [
            [self.card(c) for c in self.table.zone("hand", p)] for p in range(self.table.players)
        ]
        return [-sum(map(self.counted, hand)) for hand in cards]

    def counted(self, card: int) -> int:
        """What a card counts in OpenSpiel."""
        rank = card // 4
        return 50 if rank == 6 else 10 if rank >= 9 else card + 2

    def close(self) -> None:
        self.settle()
        while not self.spiel.is_terminal():
            self.spiel.apply_action(PASS)
        super().close()


class GoFish(Beside):
    name = "go_fish"

    def card(self, piece: int) -> int:
        return self.table.attribute(piece, "rank")

    def given(self) -> dict[str, Any]:
        return {"players": self.table.players}

    def deal(self) -> None:
        self.asked: Any = None
        hands = self.take_hands(self.table.state.first, 7 if self.table.players == 2 else 5)
        for seat in sorted(range(self.table.players), key=self.seat):
            for piece in hands[seat]:
                self.spiel.apply_action(self.card(piece))

    def asks(self) -> dict[int, set[int]]:
        """Who can be asked for which ranks."""
        found: dict[int, set[int]] = {}
        for action in self.legal():
            found.setdefault(action // 13, set()).add(action % 13)
        return found

    def compare(self, decision: Decision) -> None:
        asks = self.asks()
        if decision.prompt.startswith("Whom"):
            assert {self.seat(value) for value in decision.options} == set(asks)
        else:
            if self.asked is None:
                [self.asked] = asks
            ranks = {self.table.number(value) for value in decision.options}
            assert ranks == asks[self.asked]
        self.is_rank = not decision.prompt.startswith("Whom")

    def choose(self, value: Any) -> None:
        if not self.is_rank:
            self.asked = self.seat(value)
            ranks = self.asks()[self.asked]
            if len(ranks) > 1:
                return
            [rank] = ranks
        else:
            rank = self.table.number(value)
        self.advance(self.asked * 13 + rank)
        self.asked = None

    def points(self) -> list[float]:
        books = self.table.key()
        winners = books.count(max(books))
        if winners == len(books):
            return [0.0] * len(books)
        return [
            1 / winners if each == max(books) else -1 / (len(books) - winners) for each in books
        ]


class Blackjack(Beside):
    name = "blackjack"

    def card(self, piece: int) -> int:
        return self.table.attribute(piece, "suit") * 13 + self.table.attribute(piece, "rank")

    def actions(self, value: Any) -> tuple[int, ...]:
        return (self.table.number(value),)

    def points(self) -> list[float]:
        won, drawn = self.table.key(0)[0], self.table.key(1)[0]
        return [1 if won else 0 if drawn else -1]


# ---- Tricks --------------------------------------------------------------------------------------


class Hearts(Beside):
    name = "hearts"

    def seat(self, player: int) -> int:
        return player

    def deal(self) -> None:
        directions = {"kept": 0, "to_the_left": 1, "across": 2, "to_the_right": 3}
        self.spiel.apply_action(directions[self.table.member(self.table.variable("passing")) or ""])
        self.deal_out(self.take_hands(self.table.variable("dealer") + 1, 13))

    def compare(self, decision: Decision) -> None:
        if decision.simultaneous:
            assert len(decision.options) == math.comb(13, 3)
            ours = set(itertools.chain.from_iterable(decision.options))
            assert {self.card(piece) for piece in ours} == self.legal()
        else:
            super().compare(decision)

    def actions(self, value: Any) -> tuple[int, ...]:
        pieces = value if isinstance(value, tuple) else (value,)
        return tuple(self.card(piece) for piece in pieces)

    def points(self) -> list[float]:
        return [self.table.variable("score", p) for p in range(4)]

    def returns(self, gained: list[float]) -> list[float]:
        return [26 - each for each in gained]


class OhHell(Beside):
    name = "oh_hell"

    def seat(self, player: int) -> int:
        return player

    def given(self) -> dict[str, Any]:
        return {"players": self.table.players, "num_tricks_fixed": self.table.variable("cards")}

    def deal(self) -> None:
        dealer, cards = self.table.variable("dealer"), self.table.variable("cards")
        self.spiel.apply_action(cards)
        self.spiel.apply_action(dealer)
        self.deal_out(self.take_hands(dealer + 1, cards))

    def compare(self, decision: Decision) -> None:
        self.bidding = decision.prompt.startswith("How many")
        super().compare(decision)

    def actions(self, value: Any) -> tuple[int, ...]:
        return (52 + value if self.bidding else self.card(value),)

    def points(self) -> list[float]:
        return [self.table.variable("score", p) for p in range(self.table.players)]


class Partners(Beside):
    """Two against two."""

    def side(self, player: int) -> int:
        return self.table.engine.layout.enums["Side"][player % 2]

    def points(self) -> list[float]:
        return [self.table.variable("score", self.side(p)) for p in range(4)]


class Spades(Partners):
    name = "spades"

    def card(self, piece: int) -> int:
        return self.table.attribute(piece, "suit") * 13 + self.table.attribute(piece, "rank")

    def seat(self, player: int) -> int:
        return (player - self.dealer - 1) % 4

    def deal(self) -> None:
        self.dealer = self.table.variable("dealer")
        # It takes the last digit of a score for the bags.
        bags = [self.table.variable("bags", self.side(p)) for p in range(4)]
        self.spiel.set_current_scores([bags[(self.dealer + 1) % 4], bags[self.dealer]])
        hands = self.take_hands(self.dealer + 1, 13)
        self.hands = {self.seat(p): {*map(self.card, hands[p])} for p in range(4)}
        self.played: list[int] = []
        self.deal_out(hands)

    def legal(self) -> set[int]:
        """OpenSpiel forgets that spades are broken."""
        leads = self.played and len(self.played) % 4 == 0
        if leads and any(card // 13 == 3 for card in self.played):
            return self.hands[self.spiel.current_player()]
        return super().legal()

    def advance(self, action: int) -> None:
        if action < 52:
            self.hands[self.spiel.current_player()].remove(action)
            self.played.append(action)
        super().advance(action)

    def compare(self, decision: Decision) -> None:
        self.bidding = decision.prompt.startswith("How many")
        super().compare(decision)

    def actions(self, value: Any) -> tuple[int, ...]:
        return (52 + value if self.bidding else self.card(value),)


class Euchre(Partners):
    name = "euchre"

    def seat(self, player: int) -> int:
        return player

    def deal(self) -> None:
        dealer = self.table.variable("dealer")
        self.spiel.apply_action(dealer)
        hands = self.take_hands(dealer + 1, 5)
        for number, seat in itertools.product(range(5), range(4)):
            self.spiel.apply_action(self.card(hands[(dealer + seat) % 4][number]))

    def compare(self, decision: Decision) -> None:
        self.asked = decision.prompt
        super().compare(decision)

    def actions(self, value: Any) -> tuple[int, ...]:
        if value is None:
            return (24,)
        if self.asked.startswith("Which card"):
            return (self.card(value),)
        return ((29 if self.asked.startswith("How") else 25) + self.table.number(value),)

    def returns(self, gained: list[float]) -> list[float]:
        """What one side gains, the other one loses."""
        return [points - gained[(player + 1) % 4] for player, points in enumerate(gained)]


class Bridge(Partners):
    name = "bridge"

    def given(self) -> dict[str, Any]:
        vulnerable = self.table.member(self.table.engine.layout.options["vulnerable"])
        sides = ("north_and_south", "east_and_west")
        dealers, others = sides if self.table.state.first % 2 == 0 else reversed(sides)
        return {
            "use_double_dummy_result": False,
            "dealer_vul": vulnerable in {dealers, "everybody"},
            "non_dealer_vul": vulnerable in {others, "everybody"},
        }

    def deal(self) -> None:
        self.deal_out(self.take_hands(self.table.state.first, 13))

    def compare(self, decision: Decision) -> None:
        self.bidding = decision.prompt.startswith("What do you call")
        super().compare(decision)

    def actions(self, value: Any) -> tuple[int, ...]:
        return (52 + self.table.number(value) if self.bidding else self.card(value),)


class Skat(Beside):
    """OpenSpiel has no bidding to speak of, so what our players have bid is told to it at the end."""

    name = "skat"

    def seat(self, player: int) -> int:
        return (player - self.dealer - 1) % 3

    def card(self, piece: int) -> int:
        return self.table.attribute(piece, "suit") * 8 + self.table.attribute(piece, "rank")

    def deal(self) -> None:
        self.dealer = self.table.variable("dealer")
        self.put: list[int] = []
        self.declared = False
        hands = self.take_hands(self.dealer + 1, 10)
        self.skat = [self.card(piece) for piece in self.deck]
        players = sorted(hands, key=lambda hand: self.seat(hands.index(hand)))
        first, second, third = ([self.card(piece) for piece in hand] for hand in players)
        for start, end in ((0, 3), (3, 7), (7, 10)):
            dealt = [*first[start:end], *second[start:end], *third[start:end]]
            for card in dealt + (self.skat if start == 0 else []):
                self.spiel.apply_action(card)

    def settle(self) -> None:
        if self.declared:
            super().settle()

    def decide(self, decision: Decision, luck: random.Random) -> int:
        if decision.prompt.startswith("Which card "):
            return super().decide(decision, luck)
        number = luck.randrange(len(decision.options))
        if decision.prompt.startswith(("Do you bid", "Do you hold")) and luck.random() < 0.5:
            number = 0  # or else they would bid too high
        value = decision.options[number]
        if decision.prompt.startswith("Which two"):
            self.put = [self.card(piece) for piece in value]
        if decision.prompt.startswith("What do you play"):
            self.declare(decision.player, self.table.number(value))
        return number

    def declare(self, player: int, contract: int) -> None:
        for _ in range(self.seat(player)):
            self.spiel.apply_action(32)
        self.spiel.apply_action(33 + contract)
        held = self.legal()
        assert len(held) == 12
        for card in self.put or self.skat:
            assert card in held
            self.spiel.apply_action(card)
        self.declared = True

    def actions(self, value: Any) -> tuple[int, ...]:
        return (self.card(value),)

    def close(self) -> None:
        """OpenSpiel returns card points, and for a Null something of its own."""
        declarer = self.table.variable("declarer")
        if not self.declared:
            for _ in range(3):
                self.spiel.apply_action(32)
            assert self.spiel.returns() == [0, 0, 0]
            return
        self.settle()
        assert self.spiel.is_terminal()
        points = self.table.variable("points")
        if self.table.member(self.table.variable("contract")) == "null_game":
            points = 30 if self.table.variable("tricks") else 90
        for player in range(3):
            wanted = (points - 60) / 120 if player == declarer else (60 - points) / 240
            assert self.spiel.returns()[self.seat(player)] == wanted

    def points(self) -> list[float]:
        return [0.0] * 3


# ---- Counting cards ------------------------------------------------------------------------------


class Cribbage(Beside):
    """OpenSpiel plays the whole match, counts a flush of four in the crib, and counts on after 121 points."""

    name = "cribbage"
    first = 0

    def seat(self, player: int) -> int:
        return player

    def card(self, piece: int) -> int:
        return self.table.attribute(piece, "suit") * 13 + self.table.attribute(piece, "rank")

    def given(self) -> dict[str, Any]:
        return {"players": 2, "winner_bonus_reward": 0.0}

    def shuffled(self, order: tuple[int, ...]) -> None:
        if self.spiel is None:
            self.more = [0, 0]  # what OpenSpiel has counted for a flush in the crib
            self.crib: list[int] = []
            self.spiel = pyspiel.load_game(self.name, self.given()).new_initial_state()
        else:
            self.settle()
            self.note_flush()
        self.dealer = self.table.variable("dealer")
        self.deck = list(order)
        hands = self.take_hands(self.dealer + 1, 6)
        self.starter = self.deck[0]
        self.deck = [*hands[0], *hands[1], self.starter]
        self.crib = []
        self.deals += 1

    def note_flush(self) -> None:
        suits = {card // 13 for card in self.crib}
        if len(suits) == 1 and self.card(self.starter) // 13 not in suits:
            self.more[self.dealer] += 4

    def settle(self) -> None:
        """Between two deals OpenSpiel waits for cards."""
        while self.deck or not self.spiel.is_chance_node():
            if self.spiel.is_terminal():
                return
            if self.spiel.is_chance_node():
                self.spiel.apply_action(self.chance())
            elif len(self.legal()) == 1:
                self.advance(*self.legal())
            else:
                return

    def decide(self, decision: Decision, luck: random.Random) -> int:
        self.settle()
        if any(self.more) and self.spiel.is_terminal():
            # It is over there, by a flush that does not count.
            return luck.randrange(len(decision.options))
        return super().decide(decision, luck)

    def compare(self, decision: Decision) -> None:
        ours = {self.actions(value)[0] for value in decision.options}
        assert ours == self.legal(), decision.prompt
        found = [score - more for score, more in zip(self.spiel.returns(), self.more, strict=True)]
        assert found == [self.table.variable("score", p) for p in range(2)]

    def actions(self, value: Any) -> tuple[int, ...]:
        if not isinstance(value, tuple):
            return (self.card(value),)
        low, high = sorted(map(self.card, value), key=lambda card: (card % 13, card // 13))
        return (52 + 52 * low + high,)

    def choose(self, value: Any) -> None:
        if isinstance(value, tuple):
            self.crib += map(self.card, value)
        super().choose(value)

    def close(self) -> None:
        self.settle()
        scores = [self.table.variable("score", p) for p in range(2)]
        if any(self.more) or 121 not in scores:  # it has ended earlier, or we stop in the middle
            return
        assert self.spiel.is_terminal()
        for ours, theirs in zip(scores, self.spiel.returns(), strict=True):
            assert ours <= theirs
        assert self.spiel.returns()[scores.index(121)] >= 121


class GinRummy(Beside):
    """OpenSpiel offers the last upcard before a draw, reckons some melds short, and has no undercut by equal deadwood."""

    name = "gin_rummy"
    UPCARD, STOCK, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56

    def seat(self, player: int) -> int:
        return (player - self.dealer - 1) % 2

    def card(self, piece: int) -> int:
        return self.table.attribute(piece, "suit") * 13 + self.table.attribute(piece, "rank")

    def deal(self) -> None:
        self.dealer = self.table.variable("dealer")
        self.taken: int | None = None
        self.knocker: int | None = None
        self.melds: list[list[int]] = []
        self.laid_off: list[int] = []
        self.draws = 0  # of upcards
        hands = self.take_hands(self.dealer + 1, 10)
        for piece in (*hands[1 - self.dealer], *hands[self.dealer], self.deck.pop(0)):
            self.spiel.apply_action(self.card(piece))

    def legal(self) -> set[int]:
        """Without the card that was just taken: to discard that one again is not allowed here."""
        return set(self.spiel.legal_actions()) - {self.taken}

    def advance(self, action: int) -> None:
        if action in (self.UPCARD, self.STOCK):
            self.taken = None
            self.draws += action == self.UPCARD
        super().advance(action)

    def decide(self, decision: Decision, luck: random.Random) -> int:
        number = luck.randrange(len(decision.options))
        prompt = decision.prompt
        if prompt == "Where do you lay it off?":  # OpenSpiel does not ask
            return number
        if prompt == "Which card do you lay off?":
            self.settle()
            return self.lay_off(decision, luck)
        if self.spiel.is_terminal():  # after fifty upcards OpenSpiel plays no longer
            return number
        number = super().decide(decision, luck)
        if isinstance(decision.options[number], Action):
            self.knocker = decision.player
        return number

    def compare(self, decision: Decision) -> None:
        theirs = self.legal()
        ours = {self.actions(value)[0] for value in decision.options}
        if self.KNOCK in theirs - ours:
            # To discard the card that was taken would be the only way.
            knocked = self.spiel.child(self.KNOCK)
            assert knocked.legal_actions() == [self.taken]
        assert ours - {self.KNOCK} == theirs - {self.KNOCK}, decision.prompt

    def pick(self, decision: Decision, luck: random.Random) -> int:
        """Any option, but a knock only where OpenSpiel sees it."""
        known = [
            number
            for number, value in enumerate(decision.options)
            if not isinstance(value, Action) or self.KNOCK in self.legal()
        ]
        self.short += len(known) < len(decision.options)
        return luck.choice(known)

    short = 0  # how often OpenSpiel has not seen that one may knock

    def actions(self, value: Any) -> tuple[int, ...]:
        if isinstance(value, Action):
            return (self.KNOCK,)
        if isinstance(value, tuple):
            return (self.MELDS + self.meld(sorted(map(self.card, value))),)
        if value is None:
            return (self.PASS if self.PASS in self.legal() else self.STOCK,)
        return (self.UPCARD if self.UPCARD in self.legal() else self.card(value),)

    def meld(self, cards: list[int]) -> int:
        """The number of a meld."""
        suits, low = {card // 13 for card in cards}, cards[0] % 13
        if len(suits) == 1:
            before = {3: 0, 4: 44, 5: 84}[len(cards)]
            return 65 + before + (cards[0] // 13) * (14 - len(cards)) + low
        return low * 5 + min({0, 1, 2, 3, 4} - suits)

    def choose(self, value: Any) -> None:
        action = self.actions(value)[0]
        super().choose(value)
        self.taken = self.card(value) if action == self.UPCARD else self.taken

    def lay_off(self, decision: Decision, luck: random.Random) -> int:
        """Choose what both games offer."""
        theirs = set() if self.spiel.is_terminal() else {each for each in self.legal() if each < 52}
        hand = set(map(self.card, self.table.zone("hand", decision.player)))
        if not self.melds:
            laid = [self.table.zone("laid", place) for place in self.places()]
            self.melds = [sorted(map(self.card, pieces)) for pieces in laid if pieces]
        fitting = {card for meld in self.melds for card in self.extending(meld)} & hand
        assert theirs in (fitting, set()), decision.prompt
        both = [
            number
            for number, value in enumerate(decision.options)
            if value is None or self.card(value) in theirs
        ]
        number = luck.choice(both)
        value = decision.options[number]
        if value is not None:
            self.laid_off.append(self.card(value))
        if theirs:
            self.choose(value)
        return number

    def places(self) -> tuple[int, ...]:
        return self.table.engine.layout.zone_families["laid"].domains[0]

    def extending(self, meld: list[int]) -> set[int]:
        """What OpenSpiel lets one lay off at a meld."""
        if meld[0] // 13 != meld[-1] // 13:
            missing = {0, 1, 2, 3} - {card // 13 for card in meld}
            return {13 * suit + meld[0] % 13 for suit in missing}

        def ends(cards: list[int]) -> set[int]:
            low, high = min(cards), max(cards)
            return {low - 1} - {-1, 12, 25, 38} | {high + 1} - {13, 26, 39, 52}

        return ends([*meld, *(ends(meld) & set(self.laid_off))])

    def points(self) -> list[float]:
        return [float(self.table.variable("score", player)) for player in range(2)]

    def close(self) -> None:
        """Without questions of ours OpenSpiel lets the second player lay off, and meld; the best melds count."""
        self.settle()
        if not self.spiel.is_terminal() and "Phase: Wall" in str(self.spiel):
            self.advance(self.PASS)
        if not self.spiel.is_terminal() and self.PASS in self.legal() and self.knocker is not None:
            self.spiel = self.best(self.spiel)
        assert self.spiel.is_terminal()
        gained = [now - then for now, then in zip(self.points(), self.before, strict=True)]
        theirs = [self.spiel.returns()[self.seat(player)] for player in range(2)]
        if self.knocker is not None and theirs == [0, 0]:  # equal deadwood
            assert gained == [25 * (player != self.knocker) for player in range(2)]
        elif self.draws < 50:
            assert theirs == [gained[0] - gained[1], gained[1] - gained[0]]

    def best(self, state: Any) -> Any:
        """How it ends if the second player does not lay off any more, and melds in the best way."""
        if state.is_terminal():
            return state
        player = state.current_player()
        melding = [each for each in state.legal_actions() if each >= self.PASS]
        return max(
            (self.best(state.child(action)) for action in melding),
            key=lambda end: end.returns()[player],
        )

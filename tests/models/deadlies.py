"""The Deadlies, from its French rulebook and its ledger (`D-nn` are the ledger's clauses).

The model is a plain class around plain state. `decision()` tells who has to answer what,
`options()` what may be answered, `apply()` answers and runs to the next decision or to the end.
Chance comes from outside: the order of the deck, every reshuffle and every stolen card are given.
A decision with a single option is a decision here; who drives the model skips it as he likes.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from itertools import chain, combinations, product
from math import prod
from typing import Any, NamedTuple

# ---- The cards (D-04..D-07) ------------------------------------------------------------------------


class Card(NamedTuple):
    kind: str
    value: int | None

    def __str__(self) -> str:
        return f"{self.kind} {self.value}" if self.kind in SINS else self.kind


SINS = ("Pride", "Greed", "Envy", "Lust", "Gluttony", "Sloth", "Wrath")
CORRUPTION = Card("Corruption", 8)
PURITY = Card("Purity", 0)
HALO = Card("Halo", None)
NUMBERED = tuple(Card(sin, value) for sin in SINS for value in range(1, 8))
PILE = (*NUMBERED, CORRUPTION, PURITY)  # all that is ever shuffled: 51 cards

# ---- What the rulebook leaves open, with the ledger's defaults --------------------------------------


@dataclass(frozen=True)
class Switches:
    sequential: bool = False  # D-A01: every play of a chain of Gluttony is a turn of its own
    corruption_free_effect: bool = False  # D-A05
    corruption_in_hand_counts: bool = True  # D-A06
    greed_five_excludes_greed: bool = False  # D-A18
    lust_needs_both: bool = False  # D-A30


# ---- Phase 1: what may be played --------------------------------------------------------------------


class Play(NamedTuple):
    """Cards put down in one pile, the one on top, and the effect that it has."""

    cards: frozenset[Card]
    top: Card
    effect: str


def effects(card: Card) -> tuple[str, ...]:
    """What a card can do where no set binds its colour: Corruption is any sin (D-57)."""
    return SINS if card == CORRUPTION else (card.kind,)


def subsets(cards: Iterable[Card]) -> Iterable[tuple[Card, ...]]:
    """All the choices of two or more of these cards."""
    cards = tuple(cards)
    return chain.from_iterable(combinations(cards, size) for size in range(2, len(cards) + 1))


def single(hand: set[Card]) -> Iterable[Play]:
    """Any card alone (D-14)."""
    for card in hand:
        for effect in effects(card):
            yield Play(frozenset([card]), card, effect)


def same_colour(hand: set[Card], switches: Switches) -> Iterable[Play]:
    """D-16, with Corruption as one of the colour (D-A04); on top it is of that colour (D-A05)."""
    for sin in SINS:
        for cards in subsets(card for card in hand if card.kind == sin or card == CORRUPTION):
            for top in cards:
                free = top == CORRUPTION and switches.corruption_free_effect
                for effect in SINS if free else (sin,):
                    yield Play(frozenset(cards), top, effect)


def same_value(hand: set[Card]) -> Iterable[Play]:
    """D-17; 0 and 8 are on one card each (D-A07, D-A09)."""
    for value in range(1, 8):
        for cards in subsets(card for card in hand if card.value == value):
            for top in cards:
                yield Play(frozenset(cards), top, top.kind)


def runs(hand: set[Card]) -> Iterable[Play]:
    """D-18, from 0 to 8 (D-19), the highest on top (D-21)."""
    for low, high in combinations(range(9), 2):
        steps = [[card for card in hand if card.value == v] for v in range(low, high + 1)]
        for cards in product(*steps):
            for effect in effects(cards[-1]):
                yield Play(frozenset(cards), cards[-1], effect)


def plays(hand: set[Card], switches: Switches) -> set[Play]:
    """All that may be played from a hand: any one card, or several under one of three rules (D-14, D-15)."""
    return {*single(hand), *same_colour(hand, switches), *same_value(hand), *runs(hand)}


def count_runs(hand: set[Card]) -> int:
    """How many sets of cards are runs; for hands with too many to list them."""
    of_value = [sum(card.value == value for card in hand) for value in range(9)]
    return sum(prod(of_value[low : high + 1]) for low, high in combinations(range(9), 2))


def is_playable(play: Play, hand: set[Card], switches: Switches) -> bool:
    """The same rules as a question about one pile of cards, with no list made."""
    cards, top, effect = play
    if not cards or not cards <= hand or top not in cards or effect not in effects(top):
        return False
    if len(cards) == 1:
        return True
    if HALO in cards:  # D-60, D-A11
        return False
    values = sorted(card.value or 0 for card in cards)
    if values == list(range(values[0], values[0] + len(values))) and top.value == values[-1]:
        return True
    sins = {card.kind for card in cards if card != CORRUPTION}
    if len(sins) == 1 and sins <= set(SINS):
        return top != CORRUPTION or switches.corruption_free_effect or {effect} == sins
    return len(set(values)) == 1


# ---- The game ---------------------------------------------------------------------------------------


class Question(NamedTuple):
    player: int
    kind: str
    options: tuple[Any, ...] | None  # None: all the plays of his hand, made only when asked for


Asking = Generator[Question, Any, Any]


@dataclass
class Deadlies:
    """A game of 3 to 6 players, numbered clockwise from 0 (D-01, D-69).

    `deck` lists the 51 cards from the top: first the hand of the first player, then the hands of
    the others clockwise, then the draw pile. `reshuffle` orders a discard pile (D-R2), `steal`
    picks a card of a hand (D-R4).
    """

    players: int
    first: int
    deck: list[Card]
    reshuffle: Callable[[set[Card]], list[Card]]
    steal: Callable[[set[Card]], Card]
    switches: Switches = field(default_factory=Switches)

    def __post_init__(self) -> None:
        start = 4 if self.players == 6 else 6  # D-02, D-69
        self.malice = [start] * self.players
        self.hands: list[set[Card]] = [set() for _ in range(self.players)]
        self.draw_pile = list(self.deck)
        self.discards: set[Card] = set()
        self.edge: set[Card] = {HALO}  # D-04
        self.played: set[Card] = set()  # in front of the active player until phase 3 (D-A26)
        self.earlier: set[Card] = set()  # the same, of earlier plays of a chain (D-A01)
        self.front: list[set[Card]] = [
            set() for _ in range(self.players)
        ]  # Sloth that stays (D-50)
        self.dealt: list[list[Card]] = [[] for _ in range(self.players)]  # by Greed (D-A53)
        self.active = self.first
        self.turns = 0
        self.winner: int | None = None
        self.waiting: dict[int, Question] = {}  # who has still to answer in secret
        for player in self.clockwise(self.first):  # D-08, D-10, D-A43
            self.draw(player, start + (player == self.first))
        self.course = self.game()
        self.question: Question | None = next(self.course, None)

    # -- to be driven --

    def decision(self) -> tuple[int, str] | None:
        """Who has to decide, and what kind of decision it is; None when the game is over."""
        return self.question and (self.question.player, self.question.kind)

    def options(self) -> set[Any]:
        if self.question.options is None:
            return plays(self.hands[self.question.player], self.switches)
        return set(self.question.options)

    def is_option(self, option: Any) -> bool:
        if self.question.options is None:
            return is_playable(option, self.hands[self.question.player], self.switches)
        return option in self.question.options

    def apply(self, option: Any) -> None:
        if not self.is_option(option):
            raise ValueError(f"{option} is no answer to {self.question}")
        try:
            self.question = self.course.send(option)
        except StopIteration:
            self.question = None

    def turn_to(self, player: int) -> None:
        """Of several who answer in secret, ask this one next; it is all one who is the first."""
        self.question = self.waiting[player]

    def in_secret(self, questions: Iterable[Question]) -> Asking:
        """All the answers, of which none is shown before the last is given (D-42, D-A31)."""
        answers = {}
        self.waiting = {question.player: question for question in questions}
        while self.waiting:
            answer = yield next(iter(self.waiting.values()))
            player = self.question.player
            answers[player] = answer
            del self.waiting[player]
        return answers

    # -- moving cards --

    def clockwise(self, start: int) -> list[int]:
        """All players from `start` to the left (D-13)."""
        return [(start + step) % self.players for step in range(self.players)]

    def opponents(self, player: int) -> list[int]:
        return self.clockwise(player)[1:]

    def next_card(self) -> Card | None:
        """The top of the draw pile, which the discards renew when it is empty (D-23, D-A25)."""
        if not self.draw_pile and self.discards:
            self.draw_pile = list(self.reshuffle(set(self.discards)))
            self.discards.clear()
        return self.draw_pile.pop(0) if self.draw_pile else None

    def draw(self, player: int, count: int) -> None:
        for _ in range(count):
            card = self.next_card()
            if card is not None:
                self.hands[player].add(card)

    def discard(self, cards: set[Card]) -> None:
        """Empty a place onto the discards; the Halo goes to the edge of the table (D-26)."""
        self.edge |= cards & {HALO}
        self.discards |= cards - {HALO}
        cards.clear()

    def discard_one(self, player: int, card: Card) -> None:
        self.hands[player].remove(card)
        self.discard({card})

    def counting_as(self, player: int, sin: str) -> list[Card]:
        """The cards of a hand that pass for a sin outside phase 1 (D-A06)."""
        joker = {CORRUPTION} if self.switches.corruption_in_hand_counts else set()
        return [card for card in self.hands[player] if card.kind == sin or card in joker]

    # -- the turn (D-11..D-13) --

    def game(self) -> Asking:
        while self.winner is None:
            yield from self.turn(self.active)

    def turn(self, me: int) -> Asking:
        self.turns += 1
        self.discard(self.front[me])  # D-52
        again = yield from self.play_and_apply(me)
        while again and not self.switches.sequential:  # D-47, D-48, D-A01
            self.earlier |= self.played
            self.played.clear()
            again = yield from self.play_and_apply(me)
        self.discard(self.earlier)  # D-24
        self.discard(self.played)
        self.check_malice(me)
        if not again:
            self.active = self.opponents(me)[0]

    def play_and_apply(self, me: int) -> Asking:
        """Phases 1 and 2, which Gluttony repeats; without a card in hand there are none (D-A02)."""
        if not self.hands[me]:
            return False
        play = yield Question(me, "play", None)
        self.hands[me] -= play.cards
        self.played |= play.cards
        again = bool((yield from self.EFFECTS[play.effect](self, me)))  # D-22
        if play.effect == "Sloth":  # D-25, D-50, D-A36
            self.played.remove(play.top)
            self.front[me].add(play.top)
        return again

    def check_malice(self, me: int) -> None:
        """Phase 4 (D-63..D-68)."""
        empty = [p for p in self.clockwise(me) if not self.hands[p]]  # D-63, D-A27
        for player in empty:
            self.malice[player] = max(0, self.malice[player] - 2)  # D-A40
        at_zero = [player for player in empty if self.malice[player] == 0]
        if len(at_zero) == 1:  # D-65, D-67, D-A38, D-A41
            self.winner = at_zero[0]
            return
        for player in empty:  # D-64, D-66, D-A28
            self.draw(player, self.malice[player] or 1)

    # -- phase 2: the effects --

    def pride(self, me: int) -> Asking:
        target = yield Question(me, "pride target", tuple(self.opponents(me)))  # D-27
        willing = yield Question(target, "pride answer", (False, True))  # D-27, with one or without
        cards = self.counting_as(target, "Pride")
        if willing and cards:
            yield Question(target, "pride reveal", tuple(cards))  # D-A47
        self.draw(me if willing and cards else target, 1)  # D-28, D-29, D-A46

    def greed(self, me: int) -> Asking:
        dealt: list[Card] = []
        takers = self.opponents(me)
        while (card := self.next_card()) is not None:  # D-30, D-A22
            self.dealt[takers[len(dealt) % len(takers)]].append(card)  # D-A21
            dealt.append(card)
            others = [card for card in dealt if card.kind != "Greed"]  # D-A20
            if self.clashes(others):  # D-32, before D-33 (D-A23)
                self.take_dealt(dict.fromkeys(takers, me))
                return
            counted = others if self.switches.greed_five_excludes_greed else dealt  # D-A18
            if len(counted) == 5:  # D-33
                self.take_dealt({taker: taker for taker in takers})
                self.discard(self.hands[me])
                return
            if len(others) >= 2 and (self.draw_pile or self.discards):  # D-31, D-A22
                answer = yield Question(me, "greed", ("stop", "go on"))
                if answer == "stop":
                    break
        self.take_dealt({taker: taker for taker in takers})  # D-A17

    def clashes(self, others: list[Card]) -> bool:
        """Whether two cards other than Greed, in the order dealt, are of one colour (D-32)."""
        colours = [card.kind for card in others if card.kind in SINS]
        if len(set(colours)) < len(colours):
            return True
        # D-35: Corruption is equal to a colour that lies there, D-A19: or to one that comes after it.
        return CORRUPTION in others and bool(colours)

    def take_dealt(self, takers: dict[int, int]) -> None:
        for place, player in takers.items():
            self.hands[player].update(self.dealt[place])
            self.dealt[place].clear()

    def envy(self, me: int) -> Asking:
        self.draw(me, 2)  # D-36
        if any(card.kind == "Envy" or card == CORRUPTION for card in self.hands[me]):  # D-38
            return
        other = yield Question(me, "envy", (None, *self.opponents(me)))  # D-37, D-A49
        if other is not None:
            self.hands[me], self.hands[other] = self.hands[other], self.hands[me]

    def lust(self, me: int) -> Asking:
        target = yield Question(me, "lust target", tuple(self.opponents(me)))  # D-39
        if (yield Question(target, "lust answer", ("a", "b"))) == "a":  # D-40
            return
        chosen = yield from self.in_secret(
            Question(player, "lust card", (None, *(self.hands[player] - {HALO})))  # D-41, D-45
            for player in (me, target)
        )
        lustful = {p for p in chosen if chosen[p] in self.counting_as(p, "Lust")}
        if self.switches.lust_needs_both and None in chosen.values():  # D-A30
            lustful = set()
        for player, card in chosen.items():
            if card is not None:
                self.discard_one(player, card)  # at once (D-A52)
        if target in lustful:
            self.draw(me, 3)  # D-43, first (D-A29)
        if me in lustful:
            self.draw(target, 3)  # D-44

    def gluttony(self, me: int) -> Asking:
        victims = [player for player in self.opponents(me) if self.hands[player]]  # D-A03
        victim = yield Question(me, "gluttony", ("draw", *victims))  # D-46
        if victim == "draw":
            self.draw(me, 3)
        else:
            card = self.steal(set(self.hands[victim]))
            self.hands[victim].remove(card)
            self.hands[me].add(card)
        return True  # D-47, D-48

    def sloth(self, me: int) -> Asking:
        for player in self.opponents(me):  # D-51, D-A28
            if self.front[player]:
                self.draw(player, 1)
        yield from ()

    def wrath(self, me: int) -> Asking:
        target = yield Question(me, "wrath target", tuple(self.opponents(me)))
        self.draw(target, 2)  # D-53
        striker, struck = target, me
        while True:  # D-54, D-55
            weapons = self.counting_as(striker, "Wrath")
            card = yield Question(striker, "wrath", (None, *weapons))
            if card is None:
                return
            self.discard_one(striker, card)
            is_alone = len(self.draw_pile) + len(self.discards) == 1
            self.draw(struck, 2)
            if is_alone:  # D-A34: the same card would go round for ever
                return
            striker, struck = struck, striker

    def halo(self, me: int) -> Asking:
        self.discard(self.hands[me])  # D-58
        yield from ()

    def purity(self, me: int) -> Asking:
        for place in (self.edge, *self.hands):  # D-61, D-A13, D-A14
            place.discard(HALO)
        self.hands[me].add(HALO)
        yield from ()

    EFFECTS = {  # noqa: RUF012
        "Pride": pride,
        "Greed": greed,
        "Envy": envy,
        "Lust": lust,
        "Gluttony": gluttony,
        "Sloth": sloth,
        "Wrath": wrath,
        "Halo": halo,
        "Purity": purity,
    }

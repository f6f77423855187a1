"""Die Sieben Siegel by hand, twice: a class as one would write it from the rulebook, and a fused playout.

Both play the base game and ask what `games/siegel.rules` asks: seal after seal or the saboteur, from whom, which
card, with which seal. What has one answer only is not asked. `tests/test_benchmarks.py` holds the class to the
reference machine decision by decision, and the playout to the class by its statistics.

Seats are numbered clockwise, in the order of play. Tricks that were won matter to nobody and are not kept.
"""

from collections.abc import Callable
from typing import NamedTuple

Card = tuple[int, int]  # its colour and its value

COLOURS = RED, YELLOW, GREEN, BLUE, VIOLET = range(5)
WHITE, BLACK = 5, 6
TRUMP = RED
SEALS = (5, 3, 3, 3, 3, 4, 6)
COSTS = (2, 2, 2, 2, 2, 4, 3)
HIGHEST = {3: 9, 4: 12, 5: 15}
HAND = 15
ROUNDS = {3: 6, 4: 4, 5: 5}
SABOTEUR_BASE = 4

WISH, HOLDER, CARD, PAYMENT = range(4)  # what is asked
SABOTAGE, ENOUGH = 7, 8  # what can be said instead of a colour
NOBODY = -1


class Result(NamedTuple):
    """The place of each player, and their penalty points."""

    places: list[int]
    penalties: list[int]


# ---- The class -------------------------------------------------------------------------------------


class Siegel:
    """A game: `player` answers `question` with one of the `options`; when it is over there are none."""

    def __init__(
        self,
        players: int,
        first: int,
        shuffle: Callable[[list[Card]], None],
        rounds: int | None = None,
    ) -> None:
        """A new game; `first` deals first, and `shuffle` puts the deck of each round into an order."""
        self.players = players
        self.shuffle = shuffle
        self.rounds = ROUNDS[players] if rounds is None else rounds
        self.dealer = first
        self.penalties = [0] * players
        self.player = first
        self.question = WISH
        self.options: list[int] | list[Card] = []
        self.wish = RED
        self._start_round()

    @property
    def over(self) -> bool:
        return not self.options

    def clone(self) -> "Siegel":
        """A copy that goes its own way; only the source of chance for the next deals is shared."""
        new = Siegel.__new__(Siegel)
        new.players = self.players
        new.shuffle = self.shuffle
        new.rounds = self.rounds
        new.dealer = self.dealer
        new.penalties = self.penalties[:]
        new.player = self.player
        new.question = self.question
        new.options = self.options
        new.wish = self.wish
        new.hands = [hand[:] for hand in self.hands]
        new.stock = self.stock[:]
        new.fronts = [front[:] for front in self.fronts]
        new.saboteur = self.saboteur
        new.trick = self.trick[:]
        return new

    def apply(self, option: int | Card) -> None:
        """Choose one of the options, and go on to the next question."""
        self._choose(option)
        while len(self.options) == 1:
            self._choose(self.options[0])

    def _choose(self, option: int | Card) -> None:
        if isinstance(option, tuple):
            self._play(option)
        elif self.question == WISH:
            if option == SABOTAGE:
                self.saboteur = self.player
            if option in {SABOTAGE, ENOUGH}:
                self._end_prediction()
            else:
                self._take_seal(option)
        elif self.question == HOLDER:
            self._take_from(option)
        else:
            self._move(option, self.fronts[self.player], self.stock)
            self._end_trick()

    def _left(self, player: int) -> int:
        return (player + 1) % self.players

    @staticmethod
    def _move(seal: int, source: list[int], target: list[int]) -> None:
        source[seal] -= 1
        target[seal] += 1

    # -- Deal and prediction

    def _start_round(self) -> None:
        deck = [
            (colour, value) for colour in COLOURS for value in range(1, HIGHEST[self.players] + 1)
        ]
        self.shuffle(deck)
        self.hands = [deck[player :: self.players] for player in range(self.players)]
        self.stock = list(SEALS)
        self.fronts = [[0] * len(SEALS) for _ in range(self.players)]
        self.saboteur = NOBODY
        self.trick: list[tuple[int, Card]] = []
        self._ask_for_prediction(self._left(self.dealer))

    def _ask_for_prediction(self, player: int) -> None:
        self.player = player
        self._ask_for_wish()

    def _end_prediction(self) -> None:
        if self.player == self.dealer:
            self._ask_for_card(self._left(self.dealer))
        else:
            self._ask_for_prediction(self._left(self.player))

    def _ask_for_wish(self) -> None:
        self.question = WISH
        colours = [colour for colour in COLOURS if self._is_available(colour)]
        free = self.saboteur == NOBODY and not any(self.fronts[self.player])
        self.options = [*colours, *([SABOTAGE] if free else []), ENOUGH]

    def _is_available(self, colour: int) -> bool:
        return self.stock[colour] > 0 or (self.stock[WHITE] > 0 and bool(self._holders(colour)))

    def _holders(self, colour: int) -> list[int]:
        others = [(self.player + n) % self.players for n in range(1, self.players)]
        return [player for player in others if self.fronts[player][colour]]

    def _take_seal(self, colour: int) -> None:
        if self.stock[colour]:
            self._move(colour, self.stock, self.fronts[self.player])
            self._ask_for_wish()
        else:
            self.wish = colour
            self.question = HOLDER
            self.options = self._holders(colour)

    def _take_from(self, holder: int) -> None:
        self._move(self.wish, self.fronts[holder], self.fronts[self.player])
        self._move(WHITE, self.stock, self.fronts[holder])
        self._ask_for_wish()

    # -- Tricks

    def _ask_for_card(self, player: int) -> None:
        self.player = player
        self.question = CARD
        hand = self.hands[player]
        if self.trick:
            led = self.trick[0][1][0]
            self.options = [card for card in hand if card[0] == led] or hand[:]
        else:
            self.options = hand[:]

    def _play(self, card: Card) -> None:
        self.hands[self.player].remove(card)
        self.trick.append((self.player, card))
        if len(self.trick) < self.players:
            self._ask_for_card(self._left(self.player))
        else:
            self._settle_trick()

    def _settle_trick(self) -> None:
        led = self.trick[0][1][0]
        trumps = [(card, player) for player, card in self.trick if card[0] == TRUMP]
        followers = [(card, player) for player, card in self.trick if card[0] == led]
        _, self.player = max(trumps or followers)
        colours = [TRUMP, led] if trumps and led != TRUMP else [led]
        self.trick = []
        if self.player == self.saboteur:
            self._end_trick()
            return
        front = self.fronts[self.player]
        self.question = PAYMENT
        self.options = [seal for seal in [*colours, WHITE] if front[seal]]
        if not self.options:
            if self.stock[BLACK]:
                self._move(BLACK, self.stock, front)
            self._end_trick()

    def _end_trick(self) -> None:
        if self.hands[self.player]:
            self._ask_for_card(self.player)
        else:
            self._end_round()

    # -- Scores

    def _points(self, player: int) -> int:
        if player == self.saboteur:
            return max(0, SABOTEUR_BASE - sum(front[BLACK] for front in self.fronts))
        return sum(cost * number for cost, number in zip(COSTS, self.fronts[player], strict=True))

    def _end_round(self) -> None:
        for player in range(self.players):
            self.penalties[player] += self._points(player)
        self.dealer = self._left(self.dealer)
        self.rounds -= 1
        if self.rounds:
            self._start_round()
        else:
            self.options = []

    def result(self) -> Result:
        """Who has won, and why."""
        places = [1 + sum(other < own for other in self.penalties) for own in self.penalties]
        return Result(places, self.penalties)


# ---- The playout -----------------------------------------------------------------------------------

# Here red comes last of the colours, so that the higher card of a trick wins: a card is 16 · colour + value,
# with values from 0. The cards of a colour in a hand are a set of 15 bits.
RED_CARD = 64
FIELD = (1 << 15) - 1
BITS = tuple(1 << n for n in range(80))
MEMBERS: list[tuple[int, ...]] = [()]
for _set in range(1, FIELD + 1):
    MEMBERS.append(((_set & -_set).bit_length() - 1, *MEMBERS[_set & (_set - 1)]))
DECKS = {
    players: [16 * colour + value for colour in COLOURS for value in range(highest)]
    for players, highest in HIGHEST.items()
}
# All others in the order of play, from each seat on.
OTHERS = {
    players: [[(seat + n) % players for n in range(1, players)] for seat in range(players)]
    for players in HIGHEST
}
RED_LAST = (3, 3, 3, 3, 5)  # seals of each colour


def playout(
    players: int, random: Callable[[], float], rounds: int | None = None
) -> tuple[int, Result]:
    """A whole game with random choices: how many there were, and how it ended.

    Every choice is made where the game asks for it, so that any other policy could take its place.
    """
    deck = DECKS[players][:]
    size = len(deck)
    all_others = OTHERS[players]
    dealer = int(random() * players)
    penalties = [0] * players
    choices = 0
    for _ in range(ROUNDS[players] if rounds is None else rounds):
        # The cards that are left for the first hand need no order.
        for i in range(size - 1, HAND - 1, -1):
            j = int(random() * (i + 1))
            card = deck[j]
            deck[j] = deck[i]
            deck[i] = card
        hands = [deck[i : i + 15] for i in range(0, size, 15)]
        suits: list[int] = []
        for hand in hands:
            bits = sum([BITS[card] for card in hand])
            suits += (
                bits & FIELD,
                bits >> 16 & FIELD,
                bits >> 32 & FIELD,
                bits >> 48 & FIELD,
                bits >> 64,
            )
        stock = [3, 3, 3, 3, 5]
        in_stock = 31
        white = 4
        black = 6
        fronts = [0] * (7 * players)
        saboteur = NOBODY
        for p in (*all_others[dealer], dealer):
            words = 2 if saboteur < 0 else 1  # instead of a colour: the saboteur, and enough
            whole = 0  # the colours of which p has all seals
            while True:
                wishes = MEMBERS[in_stock | 31 ^ whole if white else in_stock]
                n = len(wishes)
                if n + words == 1:
                    break
                choices += 1
                i = int(random() * (n + words))
                if i >= n:
                    if i == n and words > 1:
                        saboteur = p
                    break
                words = 1
                c = wishes[i]
                if stock[c]:
                    stock[c] -= 1
                    if not stock[c]:
                        in_stock ^= BITS[c]
                else:
                    holders = [q for q in all_others[p] if fronts[7 * q + c]]
                    n = len(holders)
                    if n > 1:
                        q = holders[int(random() * n)]
                        choices += 1
                    else:
                        q = holders[0]
                    fronts[7 * q + c] -= 1
                    fronts[7 * q + 5] += 1
                    white -= 1
                n = fronts[7 * p + c] + 1
                fronts[7 * p + c] = n
                if n == RED_LAST[c]:
                    whole |= BITS[c]
        winner = all_others[dealer][0]
        for left in range(15, 0, -1):
            others = all_others[winner]
            if left > 1:
                best = hands[winner].pop(int(random() * left))
                choices += 1
            else:
                best = hands[winner].pop()
            led = best >> 4
            suits[5 * winner + led] ^= BITS[best & 15]
            for p in others:
                field = suits[5 * p + led]
                if field:
                    values = MEMBERS[field]
                    n = len(values)
                    if n > 1:
                        value = values[int(random() * n)]
                        choices += 1
                    else:
                        value = values[0]
                    suits[5 * p + led] = field ^ BITS[value]
                    card = led << 4 | value
                    hands[p].remove(card)
                    if card > best:
                        best = card
                        winner = p
                else:
                    if left > 1:
                        card = hands[p].pop(int(random() * left))
                        choices += 1
                    else:
                        card = hands[p].pop()
                    suits[5 * p + (card >> 4)] ^= BITS[card & 15]
                    if card > best and card >= RED_CARD:
                        best = card
                        winner = p
            if winner == saboteur:
                continue
            i = 7 * winner
            seals = [led] if fronts[i + led] else []
            if best >= RED_CARD and led != 4 and fronts[i + 4]:
                seals.append(4)
            if fronts[i + 5]:
                seals.append(5)
            n = len(seals)
            if n > 1:
                fronts[i + seals[int(random() * n)]] -= 1
                choices += 1
            elif n:
                fronts[i + seals[0]] -= 1
            elif black:
                black -= 1
                fronts[i + 6] += 1
        for p in range(players):
            if p == saboteur:
                if black > 2:
                    penalties[p] += black - 2
            else:
                i = 7 * p
                coloured = sum(fronts[i : i + 5])
                penalties[p] += 2 * coloured + 4 * fronts[i + 5] + 3 * fronts[i + 6]
        dealer = all_others[dealer][0]
    order = sorted(penalties)
    return choices, Result([order.index(each) + 1 for each in penalties], penalties)

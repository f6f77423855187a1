"""Die Sieben Siegel, a second opinion: the game in plain Python.

Written from the rulebook and its ledger alone; `G-..` are the ledger's clauses.
Seats are 0, 1, 2 .. clockwise, so the left neighbour of a seat is the next one.
A card is a pair (colour, value); a seal is the name of its colour.
The one source of chance, the deal of each round, comes from outside:

    game = Siegel(4, first_dealer=3)
    while not game.over:
        game.deal(hands)
        while game.decision():
            game.apply(choose(game.options()))
"""

from collections import Counter

# ---- Data ------------------------------------------------------------------------------------------

TRUMP = "red"  # G-24
COLOURS = ("red", "yellow", "green", "blue", "violet")
WHITE = "white"
BLACK = "black"

SEALS = {"red": 5, "yellow": 3, "green": 3, "blue": 3, "violet": 3, WHITE: 4, BLACK: 6}  # G-A01
TOP_VALUE = {3: 9, 4: 12, 5: 15}  # G-01, G-02
HAND = 15  # G-04
PENALTY = {**dict.fromkeys(COLOURS, 2), BLACK: 3, WHITE: 4}  # G-37, G-38, G-39
SABOTEUR_BASE = 4  # G-40; 5 or 6 by agreement: G-47, G-A18

# What the ledger leaves to a table, each at its default.
SWITCHES = {
    "allow_zero_bid": True,  # G-A02
    "own_white_if_exhausted": False,  # G-A04
    "take_without_replacement": False,  # G-A05
    "white_optional": False,  # G-A09
    "base_for_all": False,  # G-A18: not for three players only
    "open_end": False,  # G-A19: another round as long as the next dealer says so
}

# What a player says that is not a colour, a card or a seat.
KEEP = "keep"  # a white seal: G-A09
MORE, ENOUGH = "more", "enough"  # G-A19
SABOTEUR = "saboteur"
DONE = "done"

# What there is to decide, in the order of a round.
SEAL = "seal"  # G-C1, G-C2: a colour, or DONE; instead of the first one SABOTEUR
HOLDER = "holder"  # G-C3: the seat that gives the seal up
CARD = "card"  # G-C4, G-C5: a card of the hand
PAYMENT = "payment"  # G-C6: the seal that goes back
ANOTHER = "another round"  # G-C7, after the last round that was agreed: MORE or ENOUGH


def deck(players):
    """The cards in use: the higher values stay in the box (G-02, G-03)."""
    return [(colour, value) for colour in COLOURS for value in range(1, TOP_VALUE[players] + 1)]


def default_rounds(players):
    """One round a player, twice as many with three (G-A19)."""
    return 2 * players if players == 3 else players


def follows(hand, led):
    """The cards one may add to a trick, or lead with when nothing is led (G-20, G-22, G-23)."""
    of_the_colour = [card for card in hand if card[0] == led]
    return of_the_colour or list(hand)


def winner(trick):
    """Who wins a trick of (seat, card) pairs, first the lead (G-25, G-26)."""
    led = trick[0][1][0]
    colours = {card[0] for _, card in trick}
    wins = TRUMP if TRUMP in colours else led
    return max((card[1], seat) for seat, card in trick if card[0] == wins)[1]


def trick_colours(trick):
    """The colours of seal that pay for a trick, white aside.

    The led colour; red too if the lead was trumped, and then it was the winner
    who trumped it: the highest red wins (G-30, G-31, G-A13, G-A14).
    """
    led = trick[0][1][0]
    trumped = any(card[0] == TRUMP for _, card in trick)
    return {led, TRUMP} if trumped else {led}


# ---- The game --------------------------------------------------------------------------------------


class Siegel:
    """A whole game. Nothing is hidden from who looks at its fields."""

    def __init__(
        self, players, *, first_dealer, rounds=None, saboteur_base=SABOTEUR_BASE, **switches
    ):
        unknown = switches.keys() - SWITCHES.keys()
        if unknown:
            raise ValueError(unknown)
        self.switches = SWITCHES | switches
        self.players = players
        self.rounds = default_rounds(players) if rounds is None else rounds  # G-45
        # G-47: three players may agree on it, others have to say so (G-A18).
        raised = players == 3 or self.switches["base_for_all"]
        self.saboteur_base = saboteur_base if raised else SABOTEUR_BASE
        self.stopped = False  # with an open end: somebody has had enough
        self.dealer = first_dealer  # G-A20
        self.played_rounds = 0
        self.penalties = [0] * players
        self.clear_table()

    def clear_table(self):
        """All seals and the saboteur in the middle (G-06, G-43)."""
        self.stock = Counter(SEALS)
        self.seals = [Counter() for _ in range(self.players)]
        self.saboteur = None
        self.hands = [set() for _ in range(self.players)]
        self.trick = []
        self.won = [[] for _ in range(self.players)]
        self.task = None  # what is to be decided; nothing before a deal and after the last round
        self.seat = None  # who decides it
        self.wanted = None  # the colour to be taken from another player
        self.colours = set()  # what the last trick is paid with

    @property
    def over(self):
        if self.switches["open_end"]:
            return self.stopped
        return self.played_rounds == self.rounds

    # -- Deal ----------------------------------------------------------------------------------------

    def deal(self, hands):
        """Start a round with these hands, one per seat (G-04, G-44)."""
        assert self.task is None
        assert not self.over
        assert all(len(hand) == HAND for hand in hands)
        assert sorted(card for hand in hands for card in hand) == sorted(deck(self.players))
        self.clear_table()
        self.hands = [set(hand) for hand in hands]
        self._ask_bidder(self._left(self.dealer))  # G-07

    # -- Decisions -----------------------------------------------------------------------------------

    def decision(self):
        """Who decides what, or None: the game waits for a deal, or is over."""
        return None if self.task is None else (self.seat, self.task)

    def options(self):
        """What can be decided. A single option is offered too."""
        match self.task:
            case "seal":
                colours = [colour for colour in COLOURS if self._can_take(colour)]
                done = [DONE] if self._may_be_done() or not colours else []
                return [*colours, *self._role(), *done]
            case "holder":
                return self._holders(self.wanted)
            case "card":
                led = self.trick[0][1][0] if self.trick else None
                return sorted(follows(self.hands[self.seat], led))
            case "payment":
                return self._payments()
            case "another round":
                return [ENOUGH, MORE]
        return []

    def apply(self, option):
        """Carry out one of the options."""
        assert option in self.options()
        match self.task:
            case "seal" if option == SABOTEUR:
                self.saboteur = self.seat
                self._bid_made()  # G-16, G-A33
            case "seal" if option == DONE:
                self._bid_made()  # G-A24
            case "seal":
                self._want(option)
            case "holder":
                self._rob(option)
            case "card":
                self._play(option)
            case "payment" if option == KEEP:
                self._take_black()  # G-A09
            case "payment":
                self._move_seal(option, self.seals[self.seat], self.stock)  # G-29
                self._trick_done()
            case "another round":
                self.stopped = option == ENOUGH
                self.task = self.seat = None

    # -- Prediction ----------------------------------------------------------------------------------

    def _ask_bidder(self, seat):
        self.seat = seat
        self.task = SEAL

    def _role(self):
        """The saboteur, as long as nobody has it, for who has not begun to predict (G-08, G-11)."""
        begun = self.seals[self.seat].total() > 0
        return [SABOTEUR] if self.saboteur is None and not begun else []

    def _bid_made(self):
        if self.seat == self.dealer:  # everybody has bid once (G-07)
            self._ask_for_card(self._left(self.dealer))  # G-20
        else:
            self._ask_bidder(self._left(self.seat))

    def _holders(self, colour):
        """From whom the bidder could take a seal (G-14; more than once: G-A08)."""
        return [
            seat
            for seat in range(self.players)
            if seat != self.seat and self.seals[seat][colour] > 0
        ]

    def _may_be_done(self):
        """A prediction may be empty, unless that is ruled out: G-A02."""
        return self.switches["allow_zero_bid"] or self.seals[self.seat].total() > 0

    def _can_take(self, colour):
        """From the stock; or from another, as long as a white makes up for it."""
        if self.stock[colour] > 0:
            return True
        if self._holders(colour):
            return self.stock[WHITE] > 0 or self.switches["take_without_replacement"]  # G-A05
        return self.stock[WHITE] > 0 and self.switches["own_white_if_exhausted"]  # G-A04

    def _want(self, colour):
        if self.stock[colour] > 0:  # first of all the stock (G-09, G-A06)
            self._move_seal(colour, self.stock, self.seals[self.seat])
        elif self._holders(colour):
            self.wanted = colour
            self.task = HOLDER
        else:
            self._move_seal(WHITE, self.stock, self.seals[self.seat])  # G-A04

    def _rob(self, holder):
        self._move_seal(self.wanted, self.seals[holder], self.seals[self.seat])  # G-14
        if self.stock[WHITE] > 0:  # none left: G-A05
            self._move_seal(WHITE, self.stock, self.seals[holder])  # G-15
        self.wanted = None
        self.task = SEAL

    # -- Tricks --------------------------------------------------------------------------------------

    def _ask_for_card(self, seat):
        self.seat = seat
        self.task = CARD

    def _play(self, card):
        self.hands[self.seat].remove(card)
        self.trick.append((self.seat, card))
        if len(self.trick) < self.players:
            self._ask_for_card(self._left(self.seat))  # G-21
        else:
            self._settle_trick()

    def _settle_trick(self):
        """Who wins it takes the cards (G-27), then pays a seal or takes a black one (G-17, G-29)."""
        self.seat = winner(self.trick)
        self.won[self.seat].append([card for _, card in self.trick])
        self.colours = trick_colours(self.trick)
        self.trick = []
        if self.seat == self.saboteur:
            self._trick_done()
        elif self._payments():
            self.task = PAYMENT
        else:
            self._take_black()

    def _take_black(self):
        if self.stock[BLACK] > 0:  # none left: lucky (G-34, G-A15)
            self._move_seal(BLACK, self.stock, self.seals[self.seat])  # G-33, G-A12
        self._trick_done()

    def _payments(self):
        """Seals the winner can return: of a colour of the trick, or white (G-32, G-A09..G-A11)."""
        accepted = [*sorted(self.colours), WHITE]
        found = [seal for seal in accepted if self.seals[self.seat][seal] > 0]
        return [*found, KEEP] if found == [WHITE] and self.switches["white_optional"] else found

    def _trick_done(self):
        if self.hands[self.seat]:
            self._ask_for_card(self.seat)  # G-28
        else:
            self._score_round()  # G-35

    # -- Scores --------------------------------------------------------------------------------------

    def round_penalty(self, seat):
        """What the seals in front of a player cost (G-36..G-39), or the saboteur's part."""
        if seat == self.saboteur:
            blacks = sum(seals[BLACK] for seals in self.seals)  # G-A16; his own are none
            return max(0, self.saboteur_base - blacks)  # G-40, G-41
        return sum(PENALTY[seal] * count for seal, count in self.seals[seat].items())

    def _score_round(self):
        """The table stays as it is until the next deal, to be looked at."""
        for seat in range(self.players):
            self.penalties[seat] += self.round_penalty(seat)  # G-42
        self.played_rounds += 1
        self.dealer = self._left(self.dealer)  # G-44
        self.task = self.seat = None
        if self.switches["open_end"] and self.played_rounds >= self.rounds:  # G-A19
            self.seat, self.task = self.dealer, ANOTHER

    def ranking(self):
        """Place of each seat, 1 for the fewest points; equals share a place (G-46, G-A21)."""
        return [1 + sum(other < own for other in self.penalties) for own in self.penalties]

    # -- Small things --------------------------------------------------------------------------------

    def _left(self, seat):
        return (seat + 1) % self.players

    @staticmethod
    def _move_seal(seal, source, target):
        assert source[seal] > 0
        source[seal] -= 1
        target[seal] += 1

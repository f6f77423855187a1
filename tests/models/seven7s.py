"""Seven7s as plain Python: a second opinion, written from the rulebook and its ledger.

`V-nn` are clauses of the ledger, `V-Cn` its choice points, `V-Rn` chance, `V-Ann` its rulings.

Chance stays outside: the shuffled cards are handed in, and where a hidden hand is reached into, the model
asks CHANCE which cards came out. All else is asked of a seat. Piles and columns are lists; the top of the
draw pile is its first card, the top of a column its last one.
"""

from itertools import combinations, permutations, product
from typing import Any, NamedTuple

AGES, COLORS, SINS, VIRTUES, GODS, SEAS, WONDERS = TYPES = (
    "Ages of Man",
    "Colors",
    "Deadly Sins",
    "Holy Virtues",
    "Lucky Gods",
    "Seas",
    "Wonders",
)
COLOURS = ("red", "orange", "yellow", "green", "blue", "indigo", "violet")
VALUES = range(1, 8)

HAND = 3  # V-02, V-13
FULL = 7  # V-38
LOOKS = 3  # V-36
BONUS = 2  # V-33
CHANCE = -1  # decides where no seat does

# The rulings that the ledger leaves open, each at its default.
RULINGS = {
    "lg_miss": "aside",  # V-A16: or "top", "bottom"
    "seas_may_take_itself": False,  # V-A14: the game need not end otherwise
    "joker_sticky": False,  # V-A12
    "aom_joker_power": True,  # V-A08
    "aom_counts_only_aom": False,  # V-A09
    "sideways_counts_for_column": False,  # V-A22
    "ds_end_owner": "active",  # V-A21: or "victim", "nobody"
    "ds_end_victim_draws": False,  # V-A21
    "end_on_empty_pile": False,  # V-A30
    "tiebreak_includes_bonus": False,  # V-A33
}


class Card(NamedTuple):
    type: str
    value: int
    colour: str


class Question(NamedTuple):
    """Who has to decide, what about, and between which answers."""

    player: int
    about: str
    options: tuple[Any, ...]


class Score(NamedTuple):
    points: int
    lowest: int | None  # the lowest card that is not worth nothing: V-44


def cyclic_table():
    """The ledger's stand-in for the printed cards: which value a type has in a colour."""
    return {
        (kind, COLOURS[(t + value) % 7]): value for t, kind in enumerate(TYPES) for value in VALUES
    }


def all_cards(table):
    return [Card(kind, value, colour) for (kind, colour), value in table.items()]


class Seven7s:
    """A game in progress.

    `cards` are all 49 in the order of the shuffled pile: three for seat 0, three for seat 1 and so on, then
    the card that founds the first column, then the draw pile (V-02 to V-04). Seats follow each other
    clockwise (V-A01).
    """

    def __init__(self, players, cards, first=0, **rulings):
        unknown = rulings.keys() - RULINGS.keys()
        if unknown or players not in range(2, 5):  # V-01
            raise ValueError(players, unknown)
        self.rulings = RULINGS | rulings
        self.players = players
        cards = list(cards)
        self.hands = [cards[HAND * p : HAND * (p + 1)] for p in range(players)]
        founder, *self.pile = cards[HAND * players :]
        self.columns = {}
        self.bonuses = [[] for _ in range(players)]
        self.aside = []
        self.last_colour = None  # of the last Colors card put into its column, for `joker_sticky`
        self.active = first
        self.turns = 1
        self.draws_at_end = True
        self.sideways = None
        self.sideways_owner = None
        self.over = False
        self.victim = None  # of Deadly Sins
        self.stolen = None
        self.looks = ()  # of Wonders: how many cards of each hand, and of the pile last
        self.seen = []  # (viewer, card) for every hidden card looked at: V-48
        self.question = None
        self._put(founder, founder.type)  # V-A03: it has no power, yet it lies in its column
        self._ask_for_play()

    # ---- What is asked -------------------------------------------------------------------------------

    def decision(self):
        """The seat (or CHANCE) that has to decide and what about; None when the game is over."""
        return None if self.over else (self.question.player, self.question.about)

    def options(self):
        return () if self.over else self.question.options

    def apply(self, option):
        if option not in self.options():
            raise ValueError(option)
        about = self.question.about
        self.question = None
        getattr(self, f"_{about}")(option)

    def _ask(self, about, options, player=None):
        self.question = Question(self.active if player is None else player, about, tuple(options))

    # ---- Reading the table ---------------------------------------------------------------------------

    def joker(self):
        """The wild colour, if there is one: V-18, V-16, V-A04, V-A12."""
        if self.rulings["joker_sticky"]:
            return self.last_colour
        colours = [c.colour for c in self.members(COLORS) if c.type != AGES]
        return colours[-1] if colours else None

    def members(self, kind):
        """The cards that count as lying in a column; the crosswise one does not: V-40, V-A22."""
        column = self.columns.get(kind, [])
        if self.rulings["sideways_counts_for_column"]:
            return column
        return [c for c in column if c != self.sideways]

    def full_column(self):
        """The column on which a card lies crosswise: V-39."""
        return next((kind for kind, column in self.columns.items() if len(column) == FULL), None)

    def places(self, card):
        """The columns a card may go to: V-08 to V-10, V-14, V-19, V-A05."""
        own = {card.type}
        if card.type == AGES or card.colour == self.joker():
            return sorted(own | self.columns.keys())
        return sorted(own)

    def opponents(self):
        return [p for p in range(self.players) if p != self.active]

    # ---- Turns: V-07 to V-13 -------------------------------------------------------------------------

    def _ask_for_play(self):
        """V-C1 and V-C2 in one: a card of the hand and its column."""
        hand = self.hands[self.active]
        if hand:
            self._ask("play", ((card, place) for card in hand for place in self.places(card)))
        else:
            self._end_turn()  # V-A25, V-A30

    def _play(self, option):
        card, place = option
        # V-A36: whether it is wild is seen while the card leaves the hand.
        wild = card.colour == self.joker() and (
            card.type != AGES or self.rulings["aom_joker_power"]  # V-A08
        )
        self.hands[self.active].remove(card)
        if self._put(card, place):
            self._end(card, self.active)
        elif place == card.type or wild:  # V-12, V-15, V-19
            self._use_power(place)
        else:
            self._end_turn()

    def _put(self, card, place):
        """Lay a card into a column or found it; whether it is the seventh there."""
        column = self.columns.setdefault(place, [])
        column.append(card)
        seventh = len(column) == FULL
        if place == card.type == COLORS and (
            not seventh or self.rulings["sideways_counts_for_column"]
        ):
            self.last_colour = card.colour
        return seventh

    def _use_power(self, place):
        match place:
            case "Deadly Sins":
                self._ask_for_victim()
            case "Holy Virtues":
                self._draw(self.active)  # V-28, V-A24
                self._ask_for_play()  # V-29, V-A26
            case "Lucky Gods":
                self._ask_for_announcement()
            case "Seas":
                self._ask_for_catch()
            case "Wonders":
                self._ask_for_looks()
            case _:  # Ages of Man and Colors are read from their columns
                self._end_turn()

    def _draw(self, player):
        if self.pile:  # V-A30
            self.hands[player].append(self.pile.pop(0))

    def _end_turn(self):
        if self.draws_at_end:  # V-13, V-35
            while self.pile and len(self.hands[self.active]) < HAND:
                self._draw(self.active)
        stuck = not any(self.hands)  # V-A31
        if stuck or (not self.pile and self.rulings["end_on_empty_pile"]):
            self._end(None, None)
            return
        self.draws_at_end = True
        self.active = (self.active + 1) % self.players
        self.turns += 1
        self._ask_for_play()

    def _end(self, card, owner):
        """V-38 to V-40: at once, the card crosswise and without power."""
        self.sideways, self.sideways_owner = card, owner
        self.over = True

    # ---- Deadly Sins: V-21 to V-27 -------------------------------------------------------------------

    def _ask_for_victim(self):
        victims = [p for p in self.opponents() if self.hands[p]]
        if victims:
            self._ask("victim", victims)  # V-C4
        else:
            self._end_turn()  # V-A19

    def _victim(self, player):
        self.victim = player
        self._ask("steal", self.hands[player], CHANCE)  # V-R2

    def _steal(self, card):
        places = self.places(card)
        self.hands[self.victim].remove(card)
        self.stolen = card
        self._ask("place", places)  # V-C5, V-A20; one place only unless it is wild

    def _place(self, place):
        card, victim = self.stolen, self.victim
        self.stolen = self.victim = None
        if self._put(card, place):  # V-A21
            if self.rulings["ds_end_victim_draws"]:
                self._draw(victim)
            owners = {"active": self.active, "victim": victim, "nobody": None}
            self._end(card, owners[self.rulings["ds_end_owner"]])
        else:
            self._draw(victim)  # V-27, V-A39
            self._end_turn()

    # ---- Lucky Gods: V-30 to V-32 --------------------------------------------------------------------

    def _ask_for_announcement(self):
        if self.pile:
            self._ask("announce", (*VALUES, *COLOURS))  # V-C7
        else:
            self._end_turn()  # V-A17

    def _announce(self, guess):
        card = self.pile.pop(0)
        if guess in (card.value, card.colour):
            self.bonuses[self.active].append(card)
        elif self.rulings["lg_miss"] == "aside":
            self.aside.append(card)
        elif self.rulings["lg_miss"] == "top":
            self.pile.insert(0, card)
        else:
            self.pile.append(card)
        self._end_turn()

    # ---- Seas: V-34, V-35 ----------------------------------------------------------------------------

    def _ask_for_catch(self):
        self.draws_at_end = False  # V-A15, V-A27
        columns = sorted(self.columns)
        if not self.rulings["seas_may_take_itself"]:
            columns.remove(SEAS)  # the card just played lies on top of it
        if columns:
            self._ask("catch", columns)  # V-C8
        else:
            self._end_turn()

    def _catch(self, place):
        self.hands[self.active].append(self.columns[place].pop())
        if not self.columns[place]:
            del self.columns[place]  # V-A13
        self._end_turn()

    # ---- Wonders: V-36, V-37 -------------------------------------------------------------------------

    def _ask_for_looks(self):
        """V-C9: how many cards of each hand by seat, and of the pile: three if there are, V-A28, V-A37."""
        there = [0 if p == self.active else len(hand) for p, hand in enumerate(self.hands)]
        there.append(len(self.pile))
        looks = min(LOOKS, sum(there))
        splits = product(*(range(min(looks, each) + 1) for each in there))
        self._ask("look", (split for split in splits if sum(split) == looks))

    def _look(self, split):
        self.looks = split
        seen = [combinations(hand, split[p]) for p, hand in enumerate(self.hands)]
        each = (frozenset(card for part in parts for card in part) for parts in product(*seen))
        self._ask("see", each, CHANCE)  # V-R3, V-A29

    def _see(self, cards):
        top = self.pile[: self.looks[-1]]
        self.seen.extend((self.active, card) for card in (*cards, *top))
        self._ask("put_back", permutations(top))  # V-C10: the first one on top

    def _put_back(self, order):
        self.pile[: len(order)] = order
        self._end_turn()

    # ---- Scoring: V-41 to V-45 -----------------------------------------------------------------------

    def highest(self):
        """The highest value that still counts: V-17, V-A09."""
        ages = self.members(AGES)
        if self.rulings["aom_counts_only_aom"]:
            ages = [card for card in ages if card.type == AGES]
        return 7 - len(ages)

    def worth(self, card):
        """V-43."""
        highest = self.highest()
        if card.colour == self.joker():
            return highest  # V-20
        return card.value if card.value <= highest else 0

    def valued(self, player):
        """The cards a player counts: V-42."""
        crosswise = [self.sideways] if self.sideways and self.sideways_owner == player else []
        return self.hands[player] + crosswise

    def score(self, player):
        worths = [self.worth(card) for card in self.valued(player)]
        bonuses = [BONUS] * len(self.bonuses[player])
        tie_break = worths + bonuses if self.rulings["tiebreak_includes_bonus"] else worths
        return Score(
            sum(worths) + sum(bonuses),
            min((worth for worth in tie_break if worth), default=None),  # V-A32, V-A33
        )

    def places_taken(self):
        """The place of every seat, shared ones alike: 1, 1, 3."""
        keys = []
        for player in range(self.players):
            points, lowest = self.score(player)
            keys.append((-points, lowest or FULL + 1))  # V-A34
        return tuple(1 + sum(other < key for other in keys) for key in keys)

    def winners(self):
        places = self.places_taken()
        return tuple(p for p in range(self.players) if places[p] == 1)

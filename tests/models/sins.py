"""7 – The Sins in plain Python, from the rulebooks (French, English) and the ledger alone.

Clause ids (S-..) are those of the ledger, section 2; S-A.. are its rulings, section 5.
All chance comes in from outside: `Sins` is given a finished deal (`deal_faults` says whether the
setup could have led to it), then asks: `decision()` says who decides what, `options()` what may be
chosen, `apply(option)` goes on. Score cards (S-10, S-50) are reminders and have no state here.
"""

from collections import Counter
from itertools import combinations
from typing import NamedTuple

# ---- The printed material --------------------------------------------------------------------------

SINS = ("Superbia", "Avaritia", "Luxuria", "Invidia", "Ira", "Acedia", "Gula")
LAST_JUDGMENT = "Last Judgment"

# A card is a pair (name, back). The back of a penance card is not told; it is always below all others.
HELLS = ("I", "II", "III")
PENANCE = "penance"
COPIES = {"I": 6, "II": 3, "III": 2}  # of each sin, by back
CENTRE_SIZE = 5

TYPES = {2: 4, 3: 5, 4: 6, 5: 7}  # S-02, by number of players
STONES = {2: 4, 3: 6, 4: 8, 5: 10}  # S-14, by number of players

POINTS = {0: 0, 1: 1, 2: 3, 3: 6, 4: -1, 5: -3, 6: -6}  # S-35
POINTS_OF_SEVEN_OR_MORE = 10
ABYSS_LIMIT = 7  # S-38: above it the most points win

# What is decided (section 3).
TAKE, STONE, PLACE = "take cards", "take a stone or not", "place stones"
# Where the cards go.
RESERVE, ABYSS = "reserve", "abyss"


# ---- Scoring ---------------------------------------------------------------------------------------


def points_of(cards):
    """S-35: what so many cards of one type are worth."""
    return POINTS.get(cards, POINTS_OF_SEVEN_OR_MORE)


def score_of(counts, stones_on=()):
    """S-42, S-45: the sum over the types held; a stone adds one card to its type."""
    return sum(points_of(cards + (sin in stones_on)) for sin, cards in counts.items() if cards)


def placements_of(counts, stones, *, mandatory=True):
    """S-40..S-44, S-A04: the sets of types on which a player may put his stones."""
    held = sorted(sin for sin, cards in counts.items() if cards)
    most = min(stones, len(held))
    least = most if mandatory else 0
    return {
        frozenset(types)
        for how_many in range(least, most + 1)
        for types in combinations(held, how_many)
    }


def winners_of(scores, cards, types, *, most_wins):
    """S-38, S-39, S-46..S-48: the set of winners, given three numbers for each player."""
    best = max(scores) if most_wins else min(scores)
    left = [player for player in range(len(scores)) if scores[player] == best]
    most_cards = max(cards[player] for player in left)  # S-A08: in both directions
    left = [player for player in left if cards[player] == most_cards]
    most_types = max(types[player] for player in left)
    return {player for player in left if types[player] == most_types}


# ---- Setup -----------------------------------------------------------------------------------------


class Rules(NamedTuple):
    """Which of the rules are used: the variant (S-49) and the ledger's option switches."""

    variant: bool = False
    stone_optional: bool = False
    placement_mandatory: bool = True
    picked_by_taste: bool = False  # S-03, S-A21: the first player picks the sins for all
    stones_in_ties: bool = False  # S-A07


STANDARD = Rules()


class Deal(NamedTuple):
    """What the setup left to chance and taste."""

    sins: tuple  # S-03
    secrets: tuple  # one card for each seat, S-07
    centre: tuple  # S-11
    pile: tuple  # from the top, S-13


def selections_of(players):
    """S-02, S-03: the sets of sins with which so many can play."""
    return {frozenset(sins) for sins in combinations(SINS, TYPES[players])}


def blocks_of(pile):
    """The draw pile cut by backs, from the top: a list of (back, names)."""
    blocks = []
    for name, back in pile:
        if not blocks or blocks[-1][0] != back:
            blocks.append((back, []))
        blocks[-1][1].append(name)
    return blocks


def deal_faults(deal, *, variant=False):
    """All reasons why this deal cannot come from the setup (S-01..S-15, S-51, S-52)."""
    sins, secrets, centre, pile = deal
    players = len(secrets)  # S-07
    if players not in TYPES:
        return [f"S-01: {players} players"]
    faults = []
    if len(set(sins)) != len(sins) or len(sins) != TYPES[players]:
        faults.append(f"S-02: {len(sins)} types")
    if not set(sins) <= set(SINS):
        faults.append("S-03: unknown types")
    if len(centre) != CENTRE_SIZE:
        faults.append("S-11: five cards in the centre")
    if any(name not in sins or back != "I" for name, back in [*secrets, *centre]):
        faults.append("S-07, S-11: secret cards and centre are sins of Hell I")
    blocks = blocks_of(pile)
    expected = [*HELLS, PENANCE] if variant else [*HELLS]
    if [back for back, _ in blocks] != expected:
        faults.append("S-13, S-52: the order of the blocks")
    for back, names in blocks:
        judgments = 0 if back == PENANCE else 1
        if names.count(LAST_JUDGMENT) != judgments:
            faults.append(f"S-12: {names.count(LAST_JUDGMENT)} Last Judgments in block {back}")
    everything = Counter([*secrets, *centre, *pile])
    for sin in sins:
        for back, copies in COPIES.items():
            if everything[sin, back] != copies:
                faults.append(f"S-05: {everything[sin, back]} cards {sin} {back}")
        if everything[sin, PENANCE] != int(variant):
            faults.append(f"S-51: {everything[sin, PENANCE]} penance cards {sin}")
    if {name for name, _ in everything} != {*sins, LAST_JUDGMENT}:
        faults.append("S-04: a type that is not in play")
    return faults


# ---- The game --------------------------------------------------------------------------------------


class Sins:
    """One game. Seats are numbered clockwise, so the left neighbour of seat s is s + 1."""

    def __init__(self, deal, *, first=0, rules=STANDARD):
        self.players = len(deal.secrets)
        self.first = first
        self.rules = rules

        self.centre = list(deal.centre)  # S-11
        self.pile = list(deal.pile)  # S-13
        self.reserves = [[card] for card in deal.secrets]  # S-09
        self.abyss = []  # S-15
        self.supply = STONES[self.players]  # S-14
        self.stones = [0] * self.players
        self.placed = [frozenset()] * self.players

        self.active = first  # S-16, S-A19
        self.asking = TAKE
        self.turns = 0
        self.turns_of = [0] * self.players
        self.abyss_actions = 0
        self.third_judgment_on_turn = None
        self.over = False

    # -- Neighbours: play goes counter-clockwise, to the right (S-17)

    def left_of(self, seat):
        return (seat + 1) % self.players

    def right_of(self, seat):
        return (seat - 1) % self.players

    def seats_in_turn_order(self):
        seats = [self.first]
        while len(seats) < self.players:
            seats.append(self.right_of(seats[-1]))
        return seats

    # -- What lies where

    def judgments(self):
        return sum(name == LAST_JUDGMENT for name, _ in self.centre)

    def types_in_centre(self):
        return {name for name, _ in self.centre} - {LAST_JUDGMENT}  # S-24

    def counts(self, seat):
        return Counter(name for name, _ in self.reserves[seat])  # S-A14: penance cards too

    def abyss_counts(self):
        return Counter(name for name, _ in self.abyss)

    # -- Deciding

    def decision(self):
        """Who decides what: (seat, TAKE | STONE | PLACE), or None when all is over."""
        return None if self.over else (self.active, self.asking)

    def options(self):
        """TAKE: pairs (sin, RESERVE | ABYSS); STONE: True, False; PLACE: sets of sins."""
        if self.over:
            return set()
        if self.asking == TAKE:  # S-18, S-23, S-C3
            return {(sin, where) for sin in self.types_in_centre() for where in (RESERVE, ABYSS)}
        if self.asking == STONE:  # S-A03 with stone_optional
            return {True, False}
        return placements_of(
            self.counts(self.active),
            self.stones[self.active],
            mandatory=self.rules.placement_mandatory,
        )

    def apply(self, option):
        if option not in self.options():
            raise ValueError(f"{option} is no option of {self.decision()}")
        if self.asking == TAKE:
            self.take(*option)
        elif self.asking == STONE:
            self.take_stone(option)
        else:
            self.placed[self.active] = option
            self.ask_for_placements(after=self.active)

    # -- A turn

    def take(self, sin, where):
        taken = [card for card in self.centre if card[0] == sin]  # S-A23: all of them
        self.centre = [card for card in self.centre if card[0] != sin]
        if where == RESERVE:
            self.reserves[self.active] += taken  # S-19
            self.end_turn()
            return
        self.abyss += taken  # S-20
        self.abyss_actions += 1
        if self.supply == 0:
            self.end_turn()  # S-22
        elif self.rules.stone_optional:
            self.asking = STONE
        else:
            self.take_stone(wanted=True)  # S-21

    def take_stone(self, wanted):
        if wanted:
            self.supply -= 1
            self.stones[self.active] += 1
        self.end_turn()

    def end_turn(self):
        self.turns += 1
        self.turns_of[self.active] += 1
        # S-53, S-A15: the left neighbour of the first player closes the round.
        may_end_here = not self.rules.variant or self.active == self.left_of(self.first)
        # S-30, S-32: Last Judgments count among the five. S-A13: a pile that ran out stays empty.
        while len(self.centre) < CENTRE_SIZE and self.pile:
            card = self.pile.pop(0)
            self.centre.append(card)
            if card[0] == LAST_JUDGMENT and self.judgments() == len(HELLS):
                self.third_judgment_on_turn = self.turns
                if may_end_here:  # S-33, S-54, S-A01: at once
                    self.end_play()
                    return
        if self.judgments() == len(HELLS) and may_end_here:  # S-53
            self.end_play()
            return
        self.active = self.right_of(self.active)  # S-17
        self.asking = TAKE
        if not self.types_in_centre():
            raise AssertionError("S-A12, S-A13: cannot happen")

    # -- The end

    def end_play(self):
        self.ask_for_placements(after=None)

    def ask_for_placements(self, after):
        """S-40, S-A05: the players with stones, in turn order from the first player."""
        order = self.seats_in_turn_order()
        waiting = order if after is None else order[order.index(after) + 1 :]
        for seat in waiting:
            if self.stones[seat]:
                self.active, self.asking = seat, PLACE
                return
        self.over = True

    def abyss_score(self):
        return score_of(self.abyss_counts())  # S-36, S-37

    def most_wins(self):
        return self.abyss_score() > ABYSS_LIMIT  # S-38, S-39

    def scores(self):
        return [score_of(self.counts(seat), self.placed[seat]) for seat in range(self.players)]

    def cards_in_ties(self):
        """S-46, S-A07: cards, and not stones unless that is agreed; those in excess never (S-44)."""
        stones = [len(placed) if self.rules.stones_in_ties else 0 for placed in self.placed]
        return [len(reserve) + more for reserve, more in zip(self.reserves, stones, strict=True)]

    def winners(self):
        """S-46..S-48."""
        return winners_of(
            self.scores(),
            self.cards_in_ties(),
            [len(self.counts(seat)) for seat in range(self.players)],
            most_wins=self.most_wins(),
        )

"""7 – The Sins by hand, twice: a class as one would write it from the rulebook, and a fused playout.

Both play the base game and ask what `games/sins.rules` asks: first the sin, then what becomes of its cards,
at the end where the Stones go. What has one answer only is not asked. `tests/test_benchmarks.py` holds the
class to the reference machine decision by decision, and the playout to the class by its statistics.

Seats are numbered clockwise and play goes to the right, so seat p is followed by p - 1.
"""

from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import NamedTuple

SINS = range(7)
JUDGMENT = 7
COPIES = (6, 3, 2)  # of each sin, in Hell I, II and III
KINDS = {2: 4, 3: 5, 4: 6, 5: 7}  # sins in the game, by number of players
STONES = {2: 4, 3: 6, 4: 8, 5: 10}
CENTRE = 5
LAST_JUDGMENTS = 3
POINTS = (0, 1, 3, 6, -1, -3, -6, 10, 10, 10, 10, 10, 10)  # for so many cards of one sin
LIMIT = 7  # when the Abyss has more points the most win, otherwise the fewest

KEEP, FEED = range(2)
SIN, ACT, FORGIVEN = range(3)  # what is asked


class Result(NamedTuple):
    """The place of each player, and what it follows from: score, cards and different sins."""

    places: list[int]
    scores: list[tuple[int, int, int]]


# ---- The class -------------------------------------------------------------------------------------


class Sins:
    """A game: `player` answers `question` with one of the `options`; when it is over there are none."""

    def __init__(self, first: int, secrets: list[int], centre: list[int], deck: list[int]) -> None:
        """A game with these cards: one for each seat, those at the centre, the top of the deck last."""
        self.players = len(secrets)
        self.first = first
        self.deck = list(deck)
        self.centre = list(centre)
        self.reserves = [[0] * len(SINS) for _ in secrets]
        for player, sin in enumerate(secrets):
            self.reserves[player][sin] = 1
        self.abyss = [0] * len(SINS)
        self.stones = STONES[self.players]
        self.pardons = [0] * self.players
        self.forgiven: list[tuple[int, ...]] = [()] * self.players
        self.player = first
        self.question = SIN
        self.sin = 0
        self.options: list[int] | list[tuple[int, ...]] = []
        self._ask_for_sin()
        self._skip_single_options()

    @classmethod
    def deal(cls, players: int, random: Random) -> "Sins":
        """A new game, as the setup has it."""
        sins = random.sample(SINS, KINDS[players])
        hells = [[sin for sin in sins for _ in range(copies)] for copies in COPIES]
        random.shuffle(hells[0])
        secrets = [hells[0].pop() for _ in range(players)]
        centre = [hells[0].pop() for _ in range(CENTRE)]
        for hell in hells:
            hell.append(JUDGMENT)
            random.shuffle(hell)
        deck = hells[2] + hells[1] + hells[0]
        return cls(random.randrange(players), secrets, centre, deck)

    @property
    def over(self) -> bool:
        return not self.options

    def clone(self) -> "Sins":
        """An independent copy."""
        new = Sins.__new__(Sins)
        new.players = self.players
        new.first = self.first
        new.deck = self.deck[:]
        new.centre = self.centre[:]
        new.reserves = [reserve[:] for reserve in self.reserves]
        new.abyss = self.abyss[:]
        new.stones = self.stones
        new.pardons = self.pardons[:]
        new.forgiven = self.forgiven[:]
        new.player = self.player
        new.question = self.question
        new.sin = self.sin
        new.options = self.options
        return new

    def apply(self, option: int | tuple[int, ...]) -> None:
        """Choose one of the options, and go on to the next question."""
        self._choose(option)
        self._skip_single_options()

    def _skip_single_options(self) -> None:
        while len(self.options) == 1:
            self._choose(self.options[0])

    def _choose(self, option: int | tuple[int, ...]) -> None:
        if isinstance(option, tuple):
            self.forgiven[self.player] = option
            self._place_stones(self._next())
        elif self.question == SIN:
            self.sin = option
            self.question = ACT
            self.options = [KEEP, FEED]
        else:
            self._take(option)

    def _next(self) -> int:
        return (self.player - 1) % self.players

    def _ask_for_sin(self) -> None:
        self.question = SIN
        self.options = sorted(set(self.centre) - {JUDGMENT})

    def _take(self, act: int) -> None:
        taken = self.centre.count(self.sin)
        self.centre = [card for card in self.centre if card != self.sin]
        if act == KEEP:
            self.reserves[self.player][self.sin] += taken
        else:
            self.abyss[self.sin] += taken
            if self.stones:
                self.stones -= 1
                self.pardons[self.player] += 1
        while len(self.centre) < CENTRE:
            self.centre.append(self.deck.pop())
            if self.centre.count(JUDGMENT) == LAST_JUDGMENTS:
                self._place_stones(self.first)
                return
        self.player = self._next()
        self._ask_for_sin()

    def _place_stones(self, player: int) -> None:
        """Ask a player for the sins that get a Stone; the game is over when all have been asked."""
        if self.question == FORGIVEN and player == self.first:
            self.options = []
            return
        self.question = FORGIVEN
        self.player = player
        held = [sin for sin in SINS if self.reserves[player][sin]]
        self.options = list(combinations(held, min(self.pardons[player], len(held))))

    def result(self) -> Result:
        """Who has won, and why."""
        abyss = sum(POINTS[cards] for cards in self.abyss)
        sign = -1 if abyss > LIMIT else 1
        scores = []
        for reserve, forgiven in zip(self.reserves, self.forgiven, strict=True):
            points = sum(POINTS[reserve[sin] + (sin in forgiven)] for sin in SINS)
            scores.append((points, sum(reserve), sum(cards > 0 for cards in reserve)))
        keys = [(sign * points, -cards, -sins) for points, cards, sins in scores]
        return Result([1 + sum(other < key for other in keys) for key in keys], scores)


# ---- The playout -----------------------------------------------------------------------------------

# Cards of a player, and of the Abyss, are counts of 4 bits each in one number; a sin among others is a bit.
SHIFTS = tuple(4 * sin for sin in SINS)
BITS = tuple(1 << sin for sin in SINS)
# The sins of a set; the points and the cards of two counts.
MEMBERS = tuple(tuple(sin for sin in SINS if each >> sin & 1) for each in range(128))
PAIR_POINTS = tuple(
    (*POINTS, 10, 10, 10)[n & 15] + (*POINTS, 10, 10, 10)[n >> 4] for n in range(256)
)
PAIR_CARDS = tuple((n & 15) + (n >> 4) for n in range(256))
# By a set of sins and a number of Stones: all that these can add to the counts.
PLACEMENTS = tuple(
    tuple(
        tuple(
            sum(1 << 4 * sin for sin in some)
            for some in combinations(members, min(n, len(members)))
        )
        for n in range(11)
    )
    for members in MEMBERS
)
PILES = {
    players: tuple(
        [sin for sin in range(kinds) for _ in range(copies)] for copies in reversed(COPIES)
    )
    for players, kinds in KINDS.items()
}
# From each seat on, all in the order of play.
ORDERS = {
    players: [[(seat - n) % players for n in range(players)] for seat in range(players)]
    for players in KINDS
}


def playout(players: int, random: Callable[[], float]) -> tuple[int, Result]:
    """A whole game with random choices: how many there were, and how it ended.

    Every choice is made where the game asks for it, so that any other policy could take its place. Cards
    are shuffled as they are turned up. Sins differ in name only: the first ones are always in the game.
    """
    first = p = int(random() * players)
    last = players - 1
    *piles, pile = PILES[players]
    pile = pile[:]
    left = len(pile)
    reserves, held = [], []
    for _ in range(players):
        i = int(random() * left)
        left -= 1
        sin = pile[i]
        pile[i] = pile[left]
        reserves.append(1 << SHIFTS[sin])
        held.append(BITS[sin])
    centre = [0] * 7
    present = 0
    for _ in range(5):
        i = int(random() * left)
        left -= 1
        sin = pile[i]
        pile[i] = pile[left]
        centre[sin] += 1
        present |= BITS[sin]
    pile[left] = 7
    left += 1
    abyss = judgments = 0
    stones = STONES[players]
    pardons = [0] * players
    choices = 0
    while judgments < 3:
        sins = MEMBERS[present]
        n = len(sins)
        if n > 1:
            sin = sins[int(random() * n)]
            choices += 2
        else:
            sin = sins[0]
            choices += 1
        n = centre[sin]
        centre[sin] = 0
        present ^= BITS[sin]
        if random() < 0.5:
            reserves[p] += n << SHIFTS[sin]
            held[p] |= BITS[sin]
        else:
            abyss += n << SHIFTS[sin]
            if stones:
                stones -= 1
                pardons[p] += 1
        p = p - 1 if p else last
        while n:
            i = int(random() * left)
            left -= 1
            sin = pile[i]
            pile[i] = pile[left]
            if sin < 7:
                centre[sin] += 1
                present |= BITS[sin]
            else:
                judgments += 1
                if judgments == 3:
                    break
            if not left:
                pile = [*piles.pop(), 7]
                left = len(pile)
            n -= 1
    # The third Last Judgment lies at the centre.
    scores = [(0, 0, 0)] * players
    for p in ORDERS[players][first]:
        cards = reserves[p]
        kinds = held[p]
        number = PAIR_CARDS[cards & 255] + PAIR_CARDS[cards >> 8 & 255]
        number += PAIR_CARDS[cards >> 16 & 255] + PAIR_CARDS[cards >> 24]
        if pardons[p]:
            ways = PLACEMENTS[kinds][pardons[p]]
            n = len(ways)
            if n > 1:
                cards += ways[int(random() * n)]
                choices += 1
            else:
                cards += ways[0]
        points = PAIR_POINTS[cards & 255] + PAIR_POINTS[cards >> 8 & 255]
        points += PAIR_POINTS[cards >> 16 & 255] + PAIR_POINTS[cards >> 24]
        scores[p] = (points, number, kinds.bit_count())
    points = PAIR_POINTS[abyss & 255] + PAIR_POINTS[abyss >> 8 & 255]
    points += PAIR_POINTS[abyss >> 16 & 255] + PAIR_POINTS[abyss >> 24]
    # One number is compared faster than three: neither cards nor sins reach 128.
    if points > 7:
        keys = [-(points << 14) - (number << 7) - kinds for points, number, kinds in scores]
    else:
        keys = [(points << 14) - (number << 7) - kinds for points, number, kinds in scores]
    order = sorted(keys)
    return choices, Result([order.index(key) + 1 for key in keys], scores)

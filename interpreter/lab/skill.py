"""Each deal twice, with a stronger and a weaker player in exchanged seats -> how much skill decides, and how much the cards.

One player is stronger than all others at the table. In the second game of a deal, that player sits one seat further on.
If skill decides, the stronger player wins both games; if the deal decides, the same seat wins both.
"""

from collections.abc import Sequence

from interpreter.lab.bot_games import play_bots
from interpreter.lab.counts import Counts
from interpreter.lab.measures import Measure, Sums, whole_victory
from interpreter.lab.seeded_games import TableSetup, words_by_seat


def skill_measures(players: int) -> tuple[Measure, ...]:
    """The measures of two games of a deal: how many the stronger player wins, and who wins both."""
    whole = whole_victory(players)
    return (
        Measure("stronger", 2 * whole, is_share=True),
        Measure("both", whole * whole, is_share=True),
        Measure("deal", whole * whole, is_share=True),
    )


def count_duels(tables: Sequence[TableSetup], seeds: Sequence[int]) -> Counts:
    """Play two games of each deal at every table; the seats name the stronger player and the weaker one."""
    players = tables[0].players
    sums = Sums(tuple(each.name for each in skill_measures(players)), len(tables))
    for seed in seeds:
        sums.add([_duel(table, seed) for table in tables])
    return sums.counts()


def _duel(table: TableSetup, seed: int) -> list[int | None]:
    players, whole = table.players, whole_victory(table.players)
    stronger, weaker = table.seats
    parts = []
    mine = []
    for n in range(2):
        chair = (seed + n) % players
        words = [weaker] * players
        words[chair] = stronger
        played = play_bots(table.game, words_by_seat(table.order, words), seed, table.longest)
        if played.result is None:
            return [None, None, None]
        winners = played.result.winners
        part = whole // max(1, len(winners))
        parts.append([part if seat in winners else 0 for seat in table.order])
        mine.append(parts[-1][chair])
    same = sum(one * other for one, other in zip(*parts, strict=True))
    return [sum(mine), mine[0] * mine[1], same]

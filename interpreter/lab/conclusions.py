"""A table of a report -> sentences for a designer, which claim no more than the numbers support.

Every sentence is about the bots that played, and the first one names them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from rulespec.rendering import counted

Data = dict[str, Any]

DEEDS = {"got": "gets", "played": "plays", "kept": "ends with"}
SELDOM = 0.1  # a card or rule that matters in a smaller share of games is mentioned
MOST_NAMED = 4
LOPSIDED = 0.9  # if the half-time favourite wins more of the games, there is a runaway leader


def spoken_percent(share: float) -> str:
    """A share in rounded percent.

    >>> spoken_percent(0.331)
    '33 %'
    """
    return f"{100 * share:.0f} %"


def between(found: Data) -> str:
    """The ends of an interval of shares."""
    return f"{100 * found['low']:.0f} to {spoken_percent(found['high'])}"


def findings(table: Data) -> list[str]:
    """The verdict on a table: seats, length, suspense, decisions and cards."""
    who, games = table["who"], f"{table['games']:,} games"
    said = [f"Among {who}, {_seats(table)} ({games})."]
    said += [*_length(table), *_suspense(table), *_decisions(table), *_skill(table)]
    if "sample" in table:
        said += [*_blind(table["sample"]), *_cards(table["sample"])]
    if "restricted" in table:
        said += [*_restricted(table["restricted"])]
    return said


def slow_note(table: Data, name: str = "") -> str | None:
    """In how many games the fast engine stopped, if it did, and what that means."""
    if not table["slow"]:
        return None
    of = f" of {name}" if name else ""
    return (
        f"In {table['slow']:,} of {table['games']:,} games{of} the fast engine stopped, because a step can be too "
        "much work for it, by an upper bound, or does not fit into its memory; the slower reference engine "
        "played them, with the same results."
    )


def _seats(table: Data) -> str:
    seats = [seat for seat in table["seats"] if "mean" in seat]
    if not seats:
        return "no game had an end"
    equal = table["equal"]
    if len(seats) == 1:
        return f"a game is won in {spoken_percent(seats[0]['mean'])} of the cases ({between(seats[0])})"
    if len({seat["bot"] for seat in table["seats"]}) > 1:
        return ", ".join(
            f"{seat['bot']} on seat {seat['seat']} wins {spoken_percent(seat['mean'])}"
            for seat in seats
        )
    uneven = [seat for seat in seats if not seat["low"] <= equal <= seat["high"]]
    if uneven:
        return "; ".join(
            f"seat {seat['seat']} surely wins {'more' if seat['mean'] > equal else 'less'} than its share, "
            f"{spoken_percent(seat['mean'])} instead of {spoken_percent(equal)}"
            for seat in uneven
        )
    most = max(max(seat["high"] - equal, equal - seat["low"]) for seat in seats)
    if most > 0.2:
        return "these games are too few to tell whether the seats are fair"
    return f"no seat surely has an edge; if one has, it is at most {100 * most:.0f} points"


def _length(table: Data) -> Iterator[str]:
    unwon = table["unwon"]
    if len(table["seats"]) > 1 and unwon and unwon["mean"] and unwon["tells"]:
        yield f"Nobody wins {spoken_percent(unwon['mean'])} of the games ({between(unwon)})."
    if table["cut_off"]:
        which = f"{counted(table['cut_off'], 'game')} of {table['games']:,}"
        yield f"{which} had no end after the most choices that were allowed: they are left out of all other numbers."
    if table["decisions"]:
        minutes = table["minutes"]
        low, high = minutes["quarters"][0], minutes["quarters"][-1]
        if minutes["mean"] < 1:
            yield f"A game has {table['decisions']['mean']:.2g} decisions, which takes less than a minute."
            return
        yield (
            f"A game has {table['decisions']['mean']:.0f} decisions, about {minutes['mean']:.0f} minutes at "
            f"{minutes['pace']:g} seconds each; half of the games take {low:.0f} to {high:.0f}."
        )


def _suspense(table: Data) -> Iterator[str]:
    ahead, decided = table["close"].get("ahead"), table["close"].get("decided")
    if ahead and ahead["tells"]:
        wins = f"Whoever is the favourite at half-time wins {spoken_percent(ahead['mean'])} ({between(ahead)})"
        nobody = f"{spoken_percent(table['equal'])} if that meant nothing"
        runaway = ": a runaway leader" if ahead["low"] > LOPSIDED else ""
        yield f"{wins}, {nobody}{runaway}."
    if decided and decided["tells"]:
        yield (
            f"On average the winner is the favourite for good after {spoken_percent(decided['mean'])} "
            f"of a game ({between(decided)})."
        )


def _decisions(table: Data) -> Iterator[str]:
    matter, clear = table["close"].get("matter"), table["close"].get("clear")
    if matter and clear and matter["tells"]:
        yield (
            f"{spoken_percent(matter['mean'])} of the decisions matter as far as these players can see "
            f"({between(matter)}); in {spoken_percent(clear['mean'])} one option is far better than any other."
        )


def _blind(sample: Data) -> Iterator[str]:
    if sample["blind"]:
        share = "less than 1 %" if sample["blind"] < 0.01 else spoken_percent(sample["blind"])
        yield (
            f"At {share} of the decisions a player who thinks chose by chance: no deal was found "
            "that explains what that player had seen."
        )


def _skill(table: Data) -> Iterator[str]:
    for each in table.get("skill", ()):
        wins, deal = each["wins"], each["deal"]
        if not wins or not wins["tells"]:
            continue
        yield (
            f"One {each['stronger']} player among {each['weaker']} ones wins {spoken_percent(wins['mean'])} "
            f"({between(wins)}), {spoken_percent(each['equal'])} if skill were worth nothing; if they change seats "
            f"and get the same deal again, the same seat wins both games in {spoken_percent(deal['mean'])} "
            f"({between(deal)})."
        )


def named(names: Sequence[str]) -> str:
    """The first few names, and how many more there are.

    >>> named(["a", "b", "c", "d", "e", "f"])
    'a, b, c, d and 2 more'
    """
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _cards(sample: Data) -> Iterator[str]:
    if sample["dead"]:
        yield f"Never moved, though in play: {named(sample['dead'])}."
    for deed, verb in deeds_of(sample):
        sure = [card for card in sample["cards"] if card[deed].get("matters")]
        if not sure:
            continue
        good = sorted(sure, key=lambda card: -card[deed]["won"])
        told = [
            f"{card['name']} ({spoken_percent(card[deed]['won'])})"
            for card in (good if len(good) <= MOST_NAMED else (*good[:2], *good[-2:]))
        ]
        yield (
            f"Who {verb} one of these surely wins more or less often than with any card, "
            f"{spoken_percent(sample['usual'][deed])}: {', '.join(told)}."
        )


def deeds_of(sample: Data) -> list[tuple[str, str]]:
    """What players do with cards; reported once if they play every card that they get."""
    is_same = all(card["got"] == card["played"] for card in sample["cards"])
    return [(deed, verb) for deed, verb in DEEDS.items() if deed != "got" or not is_same]


def _restricted(found: Data) -> Iterator[str]:
    """What players surely miss, and what they are surely better off without, the most costly first."""
    begin, games = f"Among {found['who']}, ", f"({found['games']:,} games)"
    sure = [each for each in found["things"] if each["matters"]]
    worse = [each for each in sure if _is_missed(each)]
    better = [each for each in reversed(sure) if not _is_missed(each)]
    if worse:
        told = named([thing_worth(each) for each in worse])
        yield f"{begin}who never does one of these is surely worse off: {told} {games}."
    if better:
        told = named([thing_worth(each) for each in better])
        yield f"{begin}who never does one of these is surely better off: {told} {games}."
    if not sure:
        yield f"{begin}no single card, answer or rule is surely missed by a player who does without it {games}."


def is_known(thing: Data) -> bool:
    """Whether the data tells what a player loses without a thing."""
    return bool(thing["tells"] or thing["lead"].get("tells"))


def _is_missed(thing: Data) -> bool:
    """Whether a player is surely worse off without a thing; if victories and points disagree, victories count."""
    if not thing["low"] <= 0 <= thing["high"]:
        return bool(thing["mean"] < 0)
    return bool(thing["lead"]["mean"] < 0)


def thing_worth(thing: Data) -> str:
    """A thing that a player does without, and what that changes.

    >>> thing_worth({"kind": "card", "name": "8", "mean": -0.12, "lead": {"mean": -3.21}})
    'card 8 (−12 points of victories, lead −3.2)'
    """
    lead = f", lead {thing['lead']['mean']:+.1f}" if thing["lead"] else ""
    told = f"{100 * thing['mean']:+.0f} points of victories{lead}".replace("-", "−")
    return f"{thing_name(thing)} ({told})"


def thing_name(thing: Data) -> str:
    """A thing that a player does without, in words.

    >>> thing_name({"kind": "card", "name": "Stone"}), thing_name({"kind": "answer", "name": "Draw? yes"})
    ('card Stone', '“Draw? yes”')
    """
    name = thing["name"]
    return f"“{name}”" if thing["kind"] == "answer" else f"{thing['kind']} {name}"

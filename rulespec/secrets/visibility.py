"""The declaration of a zone or a variable -> who sees into it, who counts it, who notices a change."""

from rulespec.core.types import Seat
from rulespec.secrets.check_run import Run
from rulespec.secrets.knowledge import EVERYONE, NOBODY, Audience, Key, Place


def who_sees(run: Run, place: Place) -> Audience:
    """Who sees the pieces in a place, according to its declaration."""
    zone = run.zones.get(place.zone)
    if zone is None:
        return NOBODY
    if place.zone in run.plain:  # a player who knows how many there are knows all of them
        return who_counts(run, place)
    match zone.seen_by:
        case "everyone":
            return EVERYONE
        case "nobody" | "top":
            return NOBODY
        case "owner" | "others":
            for index, key in zip(zone.indices, place.indices, strict=False):
                if isinstance(index, Seat):
                    only = frozenset({key})
                    return Audience(players=only) if zone.seen_by == "owner" else Audience(but=only)
            return NOBODY


def who_counts(run: Run, place: Place) -> Audience:
    """Who certainly knows how many pieces lie in a place, and notices when one comes or leaves."""
    return _counting(run, place, NOBODY)


def who_may_notice(run: Run, place: Place) -> Audience:
    """Who may notice when a piece comes to a place or leaves it."""
    return _counting(run, place, EVERYONE)


def _counting(run: Run, place: Place, unclear: Audience) -> Audience:
    """Who counts a place, according to its declaration; or somebody else, if it is unclear which place it is."""
    if not run.uncounted:
        return EVERYONE
    zone = run.zones.get(place.zone)
    if zone is None:
        return unclear
    if place.zone not in run.uncounted:
        return EVERYONE
    if zone.counted_by == "nobody":
        return NOBODY
    for index, key in zip(zone.indices, place.indices, strict=False):
        if isinstance(index, Seat):
            only = frozenset({key})
            return Audience(players=only) if zone.counted_by == "owner" else Audience(but=only)
    return unclear


def who_sees_variable(run: Run, name: str, keys: tuple[Key, ...]) -> Audience:
    """Who sees a variable, as its declaration says; of a family without all its indices nobody sees the whole."""
    row = run.variables[name]
    if row.seen_by == "everyone":
        return EVERYONE
    if row.seen_by == "nobody" or len(keys) < len(row.indices):
        return NOBODY
    owners = [key for index, key in zip(row.indices, keys, strict=True) if isinstance(index, Seat)]
    only = frozenset(owners[:1])
    return Audience(players=only) if row.seen_by == "owner" else Audience(but=only)

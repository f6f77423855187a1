"""A set of options and the ticks so far -> a selection: what is ticked, and what may be ticked next.

A family of sets may have billions of members, and is never listed: `selection_growth` tells by which elements a
selection can grow towards one of them.
"""

from collections.abc import Hashable

from attrs import evolve, frozen

from interpreter.families import Growth, Subsets
from interpreter.options import Options, option_number, selection_growth


@frozen(eq=False)
class Selection:
    """What has been ticked, in that order, and how the selection can grow."""

    options: Options
    chosen: tuple[int, ...]
    growth: Growth

    @property
    def is_complete(self) -> bool:
        """Whether the ticked elements form an answer."""
        return self.growth.complete


def empty_selection(options: Options) -> Selection:
    """A selection with nothing ticked."""
    return Selection(options, (), selection_growth(options, ()))


def tickable_elements(options: Options) -> tuple[int, ...]:
    """All elements that can be ticked, in order."""
    if options.family is None:
        sets = [each for each in options.values or () if each is not None]
        return tuple(dict.fromkeys(element for each in sets for element in each))
    members = getattr(options.family, "members", None)
    if members is not None:
        return tuple(dict.fromkeys(element for each in members for element in each))
    return tuple(options.family.elements)  # type: ignore[union-attr] # all others have elements


def is_set_choice(options: Options) -> bool:
    """Whether the options are sets, of which at least one has several elements."""
    if options.family is None:
        return any(isinstance(each, tuple) and len(each) > 1 for each in options.values or ())
    if isinstance(options.family, Subsets):
        low, high = max(options.family.low, 0), options.family.high
        return min(high, len(options.family.elements)) > 1 or low == 0
    members = getattr(options.family, "members", None)
    return members is None or any(len(each) != 1 for each in members)


def may_tick(selection: Selection, element: int) -> bool:
    """Whether the selection can grow by an element, or by one that looks like it."""
    return element not in selection.chosen and _like(selection, element) is not None


def _key(selection: Selection, element: int) -> Hashable:
    key = (selection.options.twins or {}).get(element)
    return element if key is None else key


def _like(selection: Selection, element: int) -> int | None:
    more = selection.growth.more
    if element in more:
        return element
    key = _key(selection, element)
    return next((each for each in more if _key(selection, each) == key), None)


def toggle(selection: Selection, element: int) -> Selection | None:
    """Tick or untick an element; None if it does not go with the elements already ticked."""
    if element in selection.chosen:
        chosen = tuple(each for each in selection.chosen if each != element)
    elif may_tick(selection, element):
        # Any look-alike may be ticked, as nobody can tell them apart.
        chosen = (*selection.chosen, element)
    else:
        return None
    return evolve(selection, chosen=chosen, growth=selection_growth(selection.options, chosen))


def chosen_option(selection: Selection) -> int | None:
    """The number of the option that the ticked elements form, if they form one."""
    return option_number(selection.options, selection.chosen) if selection.is_complete else None


def tell_need(selection: Selection) -> str:
    """What the player still has to do, in a few words."""
    count = len(selection.chosen)
    has_more = bool(selection.growth.more)
    if selection.is_complete:
        taken = (
            "Enter takes none" if count == 0 else f"Enter takes {'it' if count == 1 else 'these'}"
        )
        return f"{taken}, or tick more" if has_more else taken
    family = selection.options.family
    if isinstance(family, Subsets):
        low, high = max(family.low, 0), min(family.high, len(family.elements))
        if count:
            return f"tick {low - count} more"
        return f"tick {low}" if low == high else f"tick {low} to {high}"
    return "tick another that goes with it" if count else "tick what you take"

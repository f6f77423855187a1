"""A game -> lines with the contents of zones and the values of variables, as a listener sees them."""

from interpreter.display_names import Listener, name_pieces, on_table, variable_words, zone_words
from interpreter.labels import Names, label
from interpreter.layout import Layout
from interpreter.machine import Machine
from interpreter.state import State
from interpreter.views import view

BOX = 0  # pieces that stay in it are not in the game


def tell_table(to: Listener, machine: Machine, state: State) -> list[tuple[str, str]]:
    """Names and contents of zones and variables, without empty zones, the box and bookkeeping."""
    layout, names = to.layout, to.names
    code = layout.code
    if to.player is not None:
        seen = view(machine, state, to.player)
        pieces = {face: piece for piece, face in enumerate(layout.faces)}
        zones: list[list[int | None]] = [
            [None if card.face is None else pieces[card.face] for card in each.cards]
            for each in seen.zones
        ]
        uncounted = {n for n, each in enumerate(seen.zones) if not each.counted}
        values = [each.text for each in seen.variables]
    else:
        uncounted = set()
        zones = [list(each) for each in state.zones]
        values = [
            label(layout, value, row.type, names)
            for (row, _), value in zip(layout.variables, state.variables, strict=True)
        ]
    rows = [
        (
            _title(layout, zone, names),
            "?" if zone in uncounted else name_pieces(to, found, layout.zones[zone].row.holds),
        )
        for zone, found in enumerate(zones)
        if (found or zone in uncounted)
        and zone != BOX
        and on_table(code, layout.zones[zone].row.name)
    ]
    return rows + [
        (variable_words(layout, n, names), values[n])
        for n, (row, _) in enumerate(layout.variables)
        if on_table(code, row.name)
    ]


def _title(layout: Layout, zone: int, names: Names) -> str:
    return zone_words(layout, zone, names).removeprefix("the ")

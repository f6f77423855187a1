"""Where a state keeps what: one flat list, which a slice copies.

Zones come first, so that the number of a zone is its place; then the variables; then what the engine itself
remembers. A pool is a mask of its pieces, a pile is bytes (or a tuple, if there are more than 256 pieces), the
top first; variables and the slots of frames are as in the reference.
"""

from attrs import define, field

from interpreter.layout import Layout

# What the engine remembers, behind zones and variables.
FIELDS = (
    "PHASE",
    "FIRST",
    "RNG",
    "RUNNING",  # triggers whose blocks have begun, as bits
    "STACK",  # frames, as in the reference
    "OPTIONS",  # of the decision that is waited for
    "COUNT",  # how many these are; 0 when the game is over
    "PLAYER",
    "LEFT",  # steps until nobody has been asked for too long
    "SEEN",  # decisions when that was last looked at
    "DICE",  # of a playout
    "WATCH",  # the observations, if somebody wants them
)
MOST_IN_BYTES = 256


@define
class Places:
    """The places of a table."""

    zones: int
    variables: int
    fields: dict[str, int] = field(factory=dict)

    @property
    def size(self) -> int:
        return self.zones + self.variables + len(FIELDS)


def places_of(layout: Layout) -> Places:
    zones, variables = len(layout.zones), len(layout.variables)
    return Places(zones, variables, {name: zones + variables + n for n, name in enumerate(FIELDS)})

"""What may be true, as far as a player knows: whole states, drawn from the player's information alone."""

from interpreter.worlds.fast import Mind, find_mind, forget_minds
from interpreter.worlds.sampler import (
    NoWorld,
    Sampler,
    World,
    sampler,
    sampler_of_reference,
)

__all__ = [
    "Mind",
    "NoWorld",
    "Sampler",
    "World",
    "find_mind",
    "forget_minds",
    "sampler",
    "sampler_of_reference",
]

"""A player's information -> whole states that may be the true one, drawn from that information alone."""

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

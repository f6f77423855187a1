"""What may be true, as far as a player knows: whole states, drawn from the player's information alone."""

from interpreter.worlds.sampler import NoWorld, Sampler, World, sampler

__all__ = ["NoWorld", "Sampler", "World", "sampler"]

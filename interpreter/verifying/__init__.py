"""A small game -> what holds in all of its states, and how it is best played, by exhaustive search."""

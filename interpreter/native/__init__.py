"""Whole random games in C, generated from the same flat code as the Python engine's."""

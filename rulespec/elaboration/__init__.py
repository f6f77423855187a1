"""A checked program -> flat code, which the engine runs."""

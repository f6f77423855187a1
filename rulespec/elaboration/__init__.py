"""A checked program -> the core, which every engine runs."""

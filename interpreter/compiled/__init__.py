"""A faster engine, generated from the same flat code: Python source for one table, run as it is."""

from interpreter.compiled.engine import Compiled, compile_game

__all__ = ["Compiled", "compile_game"]

"""The limits on what a file of rules may ask for, each under its name.

A file may come from a stranger, so reading, checking and playing it are all bounded, with the same limits in every
engine. docs/language/limits.md lists the same numbers; a test compares the two.
"""

import sys

# ---- Text ----------------------------------------------------------------------------------------

LARGEST_FILE = 2_000_000  # bytes to read: four for each character of the longest text
LONGEST_TEXT = 300_000  # characters
LONGEST_NAME = 60
MOST_DIGITS = 9
MOST_MISTAKES = 50  # diagnostics of one file
# Levels of nested nodes, and of expressions with the functions that they call: low enough for recursive code.
# In a browser the stack is smaller, and an overflow ends the whole of Python.
DEEPEST = 40 if sys.platform == "emscripten" else 100

# ---- Declarations --------------------------------------------------------------------------------

DEEPEST_CHAIN = 20  # files that extend each other
MOST_VARIANTS = 30  # of one file: each is checked and run
MOST_PLAYERS = 100
MOST_PIECES = 10_000
MOST_MEMBERS = 1_000  # of an enum
MOST_PLACES = 10_000  # zones, or places of variables
MOST_CELLS = 10_000  # of a table
MOST_SETS = 2**31 - 1  # of a family
LARGEST_SET = 4_096  # values of which a variable may hold a set
MOST_FOLLOWED = 50_000  # operations and statements that the information check follows

# ---- Playing -------------------------------------------------------------------------------------

LEAST, MOST = -(2**31), 2**31 - 1  # of numbers
MOST_STEPS = 100_000  # between two questions
MOST_WORK = 10_000_000  # operations between two questions
MOST_LISTED = 100_000  # members of a family, or numbers of a range, that an engine lists
MOST_CHOICES = 20_000  # of one game
MOST_EVENTS = 1_000_000  # that players observe in one game
MOST_PLAYED = 30_000_000  # operations of one game that `test` plays
MOST_TRIED = 100_000_000  # of all its games

# ---- Stored things, in bytes ---------------------------------------------------------------------

LARGEST_TRANSCRIPT = 8_000_000  # and of a save
LARGEST_STATE = 4_000_000
LARGEST_CHECKPOINT = 32_000_000  # of a study

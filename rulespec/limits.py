"""What a file of rules may ask for: every limit by its name.

A file may come from a stranger, so whatever it asks for is bounded: in reading, in checking and in playing,
and by every engine alike. docs/language/limits.md tells the same numbers; a test compares the two.
"""

import sys

# ---- Text ----------------------------------------------------------------------------------------

LARGEST_FILE = 2_000_000  # bytes that are read: four for each character that a text may have
LONGEST_TEXT = 300_000  # characters
LONGEST_NAME = 60
MOST_DIGITS = 9
MOST_MISTAKES = 50  # that are told of one file
# Levels of nested nodes, and of expressions with all that they call: whoever walks them may do so by recursion.
# In a browser there is less room for it, and whoever takes more of it ends all of Python.
DEEPEST = 40 if sys.platform == "emscripten" else 100

# ---- Declarations --------------------------------------------------------------------------------

DEEPEST_CHAIN = 20  # files that extend each other
MOST_VARIANTS = 30  # of one file: each is checked and tried
MOST_PLAYERS = 100
MOST_PIECES = 10_000
MOST_MEMBERS = 1_000  # of an enum
MOST_PLACES = 10_000  # zones, or places of variables
MOST_CELLS = 10_000  # of a table
MOST_SETS = 2**31 - 1  # of a family
LARGEST_SET = 4_096  # values of which a variable may hold a set
MOST_FOLLOWED = 50_000  # operations and statements, call by call, that are looked at for leaks

# ---- Playing -------------------------------------------------------------------------------------

LEAST, MOST = -(2**31), 2**31 - 1  # of numbers
MOST_STEPS = 100_000  # without asking anybody
MOST_WORK = 10_000_000  # operations, without asking anybody
MOST_LISTED = 100_000  # members of a family, or numbers of a range, that have to be listed
MOST_CHOICES = 20_000  # of one game
MOST_EVENTS = 1_000_000  # that players observe in one game
MOST_PLAYED = 30_000_000  # operations of one game that `test` plays
MOST_TRIED = 100_000_000  # of all its games

# ---- Stored things, in bytes ---------------------------------------------------------------------

LARGEST_TRANSCRIPT = 8_000_000  # and of a save
LARGEST_STATE = 4_000_000
LARGEST_CHECKPOINT = 32_000_000  # of a study

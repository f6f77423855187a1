"""Every diagnostic code: its title, why it is an error, a wrong and a right text.

Codes are public and are never reused. The first digit says which stage finds the mistake: 1 syntax,
2 names, 3 types, 4 information, 5 flow, 9 while playing. Their texts are in `codes.txt`, where `-` marks the
wrong lines and `+` the right ones. `rulespec explain` and the reference page print them; a test checks that
`wrong` draws the code and `right` does not.
"""

import re
from pathlib import Path

from attrs import frozen


@frozen
class Code:
    """One kind of mistake. `wrong` draws the code if it is repeated `repeat` times."""

    number: str
    title: str
    why: str
    wrong: str
    right: str
    repeat: int = 1


# Wrong texts that are too long for `codes.txt`.
_MADE = {
    "RS112": f"let n = {'(1 + ' * 100}1{')' * 100}\n",
    "RS296": "table half(n: 0..5000)\n  n => half\n"
    + "".join(f"  {n} => {n // 2}\n" for n in range(5001))
    + "always fine: half(2) == 1\n",
    "RS297": "".join(f"variant v{n}\n  let n{n} = 1\n" for n in range(31)),
    "RS406": "".join(f"rule r{n}\n" + f"  r{n + 1}()\n" * 4 for n in range(9))
    + "zones  | order | seen by\n  deck | pile  | nobody\nrule r9\n  shuffle deck\nrule play\n  r0()\n",
    "RS507": "let n0 = 1\n"
    + "".join(f"let n{n} = n{n - 1} + 1\n" for n in range(1, 60))
    + "always fine: n59 == 60\n",
}
# How often a wrong text must be repeated to draw its code.
_REPEATED = {"RS111": 20_000, "RS113": 60}
# The code and title, why it is an error, the wrong text, the right text.
_ENTRY = re.compile(r"(RS\d+) (.+)\n((?:  .+\n)+)((?:-.*\n)*)((?:\+.*\n)+)")


def _read() -> dict[str, Code]:
    found = {}
    for entry in _ENTRY.finditer(Path(__file__).with_suffix(".txt").read_text("utf-8")):
        number, title, reason, *samples = entry.groups()
        why = reason.strip().replace("\n  ", " ")
        wrong, right = (_sample(each) for each in samples)
        wrong, repeat = _MADE.get(number, wrong), _REPEATED.get(number, 1)
        found[number] = Code(number, title, why, wrong, right, repeat)
    return found


def _sample(text: str) -> str:
    """A text without its `-` and `+`; escapes such as `\\u0009` stand for characters that an editor does not show."""
    plain = re.sub(r"^[-+] ?", "", text, flags=re.MULTILINE).strip("\n") + "\n"
    return re.sub(r"\\u([0-9a-f]{4})", lambda hexadecimal: chr(int(hexadecimal[1], 16)), plain)


BY_NUMBER = _read()
_code = BY_NUMBER.__getitem__


# ---- RS100: text ----------------------------------------------------------------------------------

UNEXPECTED = _code("RS101")
NOT_UTF8 = _code("RS102")
INVISIBLE = _code("RS103")
STRAY_SIGN = _code("RS104")
TAB = _code("RS105")
OPEN_STRING = _code("RS106")
BAD_CLAUSE = _code("RS107")
BAD_NUMBER = _code("RS108")
RESERVED = _code("RS109")
TOO_LONG = _code("RS111")
TOO_DEEP = _code("RS112")
TOO_MANY = _code("RS113")

# ---- RS120: lines and blocks ----------------------------------------------------------------------

UNEVEN = _code("RS121")
TOO_FAR_IN = _code("RS122")
NO_BLOCK = _code("RS123")
OPEN_BRACKET = _code("RS124")
WRONG_BRACKET = _code("RS125")
NOT_CONTINUED = _code("RS126")

# ---- RS130: declarations and rows -----------------------------------------------------------------

UNKNOWN_WORD = _code("RS131")
WRONG_PLACE = _code("RS132")
WRONG_CELLS = _code("RS133")
WRONG_HEADING = _code("RS134")
NO_ARROW = _code("RS135")
IDLE_DOC = _code("RS136")
IDLE_STATEMENT = _code("RS137")
NOT_A_TARGET = _code("RS138")
EQUALS = _code("RS139")
CHAIN = _code("RS140")
NOT_ONE_LINE = _code("RS141")
ELSE_ALONE = _code("RS142")
INCOMPLETE = _code("RS143")
NO_COMMA = _code("RS144")
NO_ITEM = _code("RS145")
COLON_AND_BLOCK = _code("RS146")
BAD_KEY = _code("RS147")
BAD_HOLE = _code("RS148")

# ---- RS200: names ---------------------------------------------------------------------------------

UNKNOWN_NAME = _code("RS201")
REDECLARED = _code("RS202")
UNUSED = _code("RS203")
WRONG_KIND = _code("RS204")
NOT_ASSIGNED = _code("RS205")
TOO_EARLY = _code("RS206")
NO_PLAY = _code("RS207")

# ---- RS220: layers --------------------------------------------------------------------------------

OVERRIDE_OF_NOTHING = _code("RS221")
BAD_OVERRIDE = _code("RS222")
UNKNOWN_VARIANT = _code("RS223")
VARIANTS_CLASH = _code("RS224")
LONELY_SUPER = _code("RS225")
ROWS_LEFT_OUT = _code("RS226")
STILL_USED = _code("RS227")
BAD_FILE = _code("RS231")

# ---- RS250: clauses -------------------------------------------------------------------------------

UNKNOWN_CLAUSE = _code("RS251")
UNCITED_CLAUSE = _code("RS252")
CITED_AND_OMITTED = _code("RS253")
UNDOCUMENTED = _code("RS254")
CLAUSE_TWICE = _code("RS255")

# ---- RS270: words --------------------------------------------------------------------------------

NOT_TOLD = _code("RS271")
WRONG_VERB = _code("RS272")
CALLED_ALIKE = _code("RS273")

# ---- RS290: limits of what a file may ask for -----------------------------------------------------

TOO_MANY_PIECES = _code("RS291")
LARGE_DOMAIN = _code("RS292")
TOO_MANY_PLACES = _code("RS293")
BAD_PLAYERS = _code("RS294")
LARGE_FAMILY = _code("RS295")
LARGE_TABLE = _code("RS296")
TOO_MANY_VARIANTS = _code("RS297")
UNEVEN_TEAMS = _code("RS298")
OPTION_NOT_ALLOWED = _code("RS299")

# ---- RS300: types ---------------------------------------------------------------------------------

WRONG_TYPE = _code("RS301")
WRONG_ARGUMENTS = _code("RS302")
OUT_OF_RANGE = _code("RS303")
NO_ATTRIBUTE = _code("RS304")
WRONG_ZONE = _code("RS305")
WRONG_INDEX = _code("RS306")
ALWAYS_NONE = _code("RS307")
SET_OF_SETS = _code("RS308")
BAD_DIVISOR = _code("RS309")
NOT_ANNOUNCED = _code("RS310")
LOST_ORDER = _code("RS311")

# ---- RS330: tables --------------------------------------------------------------------------------

NO_ROW = _code("RS331")
NEVER_REACHED = _code("RS332")
WRONG_ROW = _code("RS333")
WRONG_KEY = _code("RS334")
MIXED_CELLS = _code("RS335")

# ---- RS350: choices -------------------------------------------------------------------------------

NO_OPTIONS = _code("RS351")
LISTED_FAMILY = _code("RS352")
EACH_INDEX = _code("RS353")

# ---- RS370: examples ------------------------------------------------------------------------------

BAD_SEATS = _code("RS371")
TOO_FEW_PIECES = _code("RS372")
NOT_OFFERED = _code("RS373")

# ---- RS400: information ---------------------------------------------------------------------------

HIDDEN_OPTIONS = _code("RS401")
HIDDEN_REASON = _code("RS402")
PUBLIC_SECRET = _code("RS403")
TOLD_BY_ACCIDENT = _code("RS404")
ORDER_OF_POOL = _code("RS405")
UNCHECKED_SECRETS = _code("RS406")

# ---- RS500: flow ----------------------------------------------------------------------------------

RECURSION = _code("RS501")
ENDLESS_LOOP = _code("RS502")
STOP_OUTSIDE_LOOP = _code("RS503")
NEVER_DONE = _code("RS504")
END_OUTSIDE_PLAY = _code("RS505")
BAD_RETURN = _code("RS506")
DEEP_CALLS = _code("RS507")
UNSHUFFLED = _code("RS508")
LEFT_IN_BOX = _code("RS509")

# ---- RS900: while playing -------------------------------------------------------------------------

NOTHING_TO_CHOOSE = _code("RS901")
TOO_MANY_STEPS = _code("RS902")
LEAVES_RANGE = _code("RS903")
NONE_WHILE_PLAYING = _code("RS904")
INVARIANT_FAILS = _code("RS905")
END_TOO_EARLY = _code("RS906")
EXAMPLE_FAILS = _code("RS907")

SHOWN_LINES, SHOWN_COLUMNS = 12, 100


def shortened_example(sample: str) -> list[str]:
    """The lines of a wrong or right text, shortened if it is very long."""
    lines = sample.strip("\n").split("\n")
    cut = [
        line if len(line) <= SHOWN_COLUMNS else line[: SHOWN_COLUMNS - 1] + "…" for line in lines
    ]
    return cut if len(cut) <= SHOWN_LINES else [*cut[: SHOWN_LINES - 1], "…"]


ALL = tuple(BY_NUMBER.values())

"""Texts that a stranger might send: random bytes, soups of tokens, mutated games.

Made from a number, so that a failure can be made again.
"""

import random
from functools import cache

from rulespec.loading import GAMES, MECHANISMS
from rulespec.syntax.scanner import FOREIGN, lexis

SIGNS = [
    *lexis().signs,
    *FOREIGN,
    '"',
    "'",
    "\t",
    "@",
    "@S-1",
    "@S-1..S-9",
    "\x00",
    "\u202e",
    "é",
    "🂡",
]


def hostile_bytes(number: int) -> bytes:
    """The text with this number."""
    chance = random.Random(number)  # noqa: S311 - no secret depends on it
    make = (_bytes, _soup, _mutated, _mutated, _mutated, _deep)[number % 6]
    return make(chance)


def _bytes(chance: random.Random) -> bytes:
    return chance.randbytes(chance.randrange(400))


def _soup(chance: random.Random) -> bytes:
    words = [*lexis().keywords, *SIGNS, "x", "Player", "0", "12", '"so"', "\n", "\n  ", "\n    "]
    return " ".join(chance.choices(words, k=chance.randrange(120))).encode()


def _deep(chance: random.Random) -> bytes:
    """Nesting of every kind, and much more of one thing than anybody needs."""
    count = chance.choice([20, 99, 101, 3000])
    opening, closing = chance.choice(
        [("(", ")"), ("[", "]"), ("f(", ")"), ("x[", "]"), ("not ", ""), ("-", ""), ("#", "")]
    )
    kind = chance.randrange(4)
    if kind == 0:
        return f"let n = {opening * count}1{closing * count}".encode()
    if kind == 1:
        joint = chance.choice([" + ", " * ", ".a", "[a]", " and ", " if a else ", " where ", ", "])
        return f"let n = {joint.join(['a'] * count)}".encode()
    if kind == 2:
        lines = [
            f"{' ' * depth}{chance.choice(['if a', 'repeat'])}" for depth in range(min(count, 300))
        ]
        return "\n".join(["rule r", *(f" {line}" for line in lines)]).encode()
    return (chance.choice(['"', "(", "@", "--", " ", "9", "a", "\n", "| "]) * count).encode()


@cache
def _games() -> list[list[str]]:
    paths = sorted([*GAMES.rglob("*.rules"), *MECHANISMS.glob("*.rules")])
    return [path.read_text("utf-8").split("\n") for path in paths]


def _mutated(chance: random.Random) -> bytes:
    """A part of a shipped game with a few lines or words deleted, doubled, exchanged or moved."""
    game = chance.choice(_games())
    start = chance.randrange(len(game))
    lines = game[start : start + chance.choice([5, 20, 60])]
    for _ in range(chance.randint(1, 4)):
        chance.choice([_mutate_lines, _mutate_words])(chance, lines)
    return "\n".join(lines).encode()


def _mutate_lines(chance: random.Random, lines: list[str]) -> None:
    _mutate(chance, lines)
    if lines and chance.random() < 0.3:
        here = chance.randrange(len(lines))
        lines[here] = chance.choice([" ", "   ", "\t"]) + lines[here]


def _mutate_words(chance: random.Random, lines: list[str]) -> None:
    if lines:
        here = chance.randrange(len(lines))
        words = lines[here].split(" ")
        _mutate(chance, words)
        lines[here] = " ".join(words)


def _mutate(chance: random.Random, parts: list[str]) -> None:
    if not parts:
        return
    one, other = chance.randrange(len(parts)), chance.randrange(len(parts))
    match chance.randrange(4):
        case 0:
            del parts[one]
        case 1:
            parts.insert(other, parts[one])
        case 2:
            parts[one], parts[other] = parts[other], parts[one]
        case _:
            parts[one] = chance.choice([*SIGNS, "x", "12", "if", "end", "rule"])

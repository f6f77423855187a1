"""grammar.lark -> the tables of an LALR automaton.

Lark makes the tables, which takes most of a second; so they are kept beside the grammar, as plain
data, with the fingerprint of the grammar they were made from. Tables that do not fit the grammar
are not used but made anew. `make accept` writes them; a test compares.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, Literal

from attrs import asdict, frozen

HERE = Path(__file__).parent

# One part of a production that the tree keeps: the number of a symbol, with a `+` where that symbol
# is a list to be spread; or None for an optional part that is missing.
Part = tuple[int, Literal["", "+"]] | None


@frozen
class Terminal:
    """A kind of token. A `word` is a keyword; a `reserved` one is no name anywhere."""

    name: str
    pattern: str
    role: Literal["word", "sign", "class"]
    reserved: bool


@frozen
class Production:
    """One alternative of a rule: what it makes, of how many symbols, and which of them it keeps.

    A `passing` one makes nothing, but passes on what it keeps.
    """

    rule: str
    passing: bool
    size: int
    parts: tuple[Part, ...]


@frozen
class Tables:
    """The automaton: in each state, by symbol, the next state, or `~n` to reduce production n."""

    terminals: tuple[Terminal, ...]
    productions: tuple[Production, ...]
    states: tuple[dict[str, int], ...]
    start: int
    accepting: int


@cache
def load_tables() -> Tables:
    """The tables of the grammar that stands beside this module."""
    grammar = (HERE / "grammar.lark").read_text("utf-8")
    kept = HERE / "tables.json"
    if kept.is_file():
        stored = json.loads(kept.read_text("utf-8"))
        if stored["grammar"] == grammar_fingerprint(grammar):
            return _unpack(stored)
    return build(grammar)


def grammar_fingerprint(grammar: str) -> str:
    """What tells one grammar from another."""
    return hashlib.sha256(grammar.encode()).hexdigest()


def build(grammar: str, *, strict: bool = False) -> Tables:
    """The tables of a grammar, made by Lark; `strict` also refuses terminals that overlap."""
    from lark import Lark  # noqa: PLC0415 - rarely needed, and slow to import
    from lark.grammar import Rule  # noqa: PLC0415
    from lark.lexer import TerminalDef  # noqa: PLC0415

    lark = Lark(grammar, parser="lalr", start="file", strict=strict, maybe_placeholders=True)
    data, memo = lark.memo_serialize([TerminalDef, Rule])
    automaton = data["parser"]["parser"]
    rules = [key for key, value in memo.items() if value["__type__"] == "Rule"]
    numbers = {key: number for number, key in enumerate(rules)}
    states = {
        state: {
            automaton["tokens"][symbol]: ~numbers[target["@"]] if reduces else target
            for symbol, (reduces, target) in actions.items()
        }
        for state, actions in automaton["states"].items()
    }
    order = _reading_order(states, automaton["start_states"]["file"])
    return Tables(
        terminals=tuple(
            _terminal(value)
            for value in memo.values()
            if value["__type__"] == "TerminalDef" and not value["name"].startswith("__IGNORE")
        ),
        productions=tuple(_production(memo[key]) for key in rules),
        states=tuple(
            {
                symbol: action if action < 0 else order[action]
                for symbol, action in sorted(states[state].items())
            }
            for state in order
        ),
        start=order[automaton["start_states"]["file"]],
        accepting=order[automaton["end_states"]["file"]],
    )


def _reading_order(states: dict[int, dict[str, int]], start: int) -> dict[int, int]:
    """New numbers for the states, in the order in which they are reached from the start.

    Lark numbers them differently in each run, and the stored tables should not change without need.
    """
    order = {start: 0}
    waiting = [start]
    for state in waiting:
        for _, action in sorted(states[state].items()):
            if action >= 0 and action not in order:
                order[action] = len(order)
                waiting.append(action)
    return order


def _terminal(definition: dict[str, Any]) -> Terminal:
    pattern = definition["pattern"]
    is_class = pattern["__type__"] == "PatternRE"
    is_word = pattern["value"].isalpha()
    return Terminal(
        name=definition["name"],
        pattern=pattern["value"],
        role="class" if is_class else "word" if is_word else "sign",
        reserved=definition["priority"] > 0,
    )


def _production(rule: dict[str, Any]) -> Production:
    expansion = rule["expansion"]
    # Lark marks with True where an optional part is missing, and with False every symbol there is.
    marks = rule["options"]["empty_indices"] or [False] * len(expansion)
    parts: list[Part] = []
    position = 0
    for is_missing in marks:
        if is_missing:
            parts.append(None)
            continue
        symbol = expansion[position]
        if not symbol.get("filter_out"):
            parts.append((position, "+" if symbol["name"].startswith("__") else ""))
        position += 1
    return Production(
        rule=rule["origin"]["name"],
        passing=rule["options"]["expand1"],
        size=len(expansion),
        parts=tuple(parts),
    )


def store_tables() -> None:
    """Make the tables anew and keep them beside the grammar."""
    grammar = (HERE / "grammar.lark").read_text("utf-8")
    (HERE / "tables.json").write_text(tables_text(build(grammar, strict=True), grammar), "utf-8")


# ---- The stored form: actions of a state as `symbol number, action` pairs, end to end -------------


def tables_text(tables: Tables, grammar: str) -> str:
    """The tables as text to store."""
    symbols = sorted({symbol for state in tables.states for symbol in state})
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    stored = asdict(tables) | {
        "grammar": grammar_fingerprint(grammar),
        "symbols": symbols,
        "states": [
            [part for symbol, action in state.items() for part in (numbers[symbol], action)]
            for state in tables.states
        ],
    }
    return json.dumps(stored, separators=(",", ":")) + "\n"


def _unpack(stored: dict[str, Any]) -> Tables:
    symbols = stored["symbols"]
    return Tables(
        terminals=tuple(Terminal(**terminal) for terminal in stored["terminals"]),
        productions=tuple(
            Production(
                production["rule"],
                production["passing"],
                production["size"],
                tuple(part and (part[0], part[1]) for part in production["parts"]),
            )
            for production in stored["productions"]
        ),
        states=tuple(
            dict(zip((symbols[n] for n in flat[::2]), flat[1::2], strict=True))
            for flat in stored["states"]
        ),
        start=stored["start"],
        accepting=stored["accepting"],
    )

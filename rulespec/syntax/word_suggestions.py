"""A word that an author has typed -> the word or the line of this language that was meant.

The tables list words of other languages and of the spoken one, each with what to write instead. `node_checks` and
`slips` make diagnostics of them.
"""

from collections.abc import Iterable
from difflib import get_close_matches

# Words of other languages, and of the spoken one, that read as if they belonged here.
FOREIGN_WORDS = {
    "between": "write `in 1..5`",
    "contains": "write `card in deck`",
    "do": "leave `do` out",
    "elif": "write `else if`",
    "elseif": "write `else if`",
    "elsif": "write `else if`",
    "equals": "write `==`",
    "except": "write `-` to take some away",
    "has": "write `card in deck`",
    "is": "write `==`, or `!=` for `is not`, or `in` for `is in`",
    "minus": "write `-`",
    "mod": "write `%`",
    "of": "write `card.value` for a value of a card, `#deck` for how many cards it has",
    "notin": "write `not in`",
    "otherwise": "write `else`",
    "plus": "write `+`",
    "the": "leave `the` out",
    "then": "leave `then` out; a statement on the same line follows `:`",
    "times": "leave `times` out",
    "unless": "write `if not`",
    "until": "write `repeat`, and inside it `if …: stop`",
    "while": "write `repeat`, and inside it `if not …: stop`",
    "without": "write `-` to take some away",
}
# Such words at the beginning of a line.
FOREIGN_LEADS = FOREIGN_WORDS | {
    "add": "write `score[p] += 1`",
    "break": "write `stop`",
    "call": "leave `call` out",
    "continue": "put the rest of the loop into an `if`",
    "case": "write a `table` with a row for each case",
    "const": "write `let`",
    **dict.fromkeys(("delete", "disable", "drop"), "write `remove`"),
    **dict.fromkeys(("change", "modify", "redefine", "replace"), "write `override`"),
    "def": "write `rule`, or `let` for a value",
    "fn": "write `rule`, or `let` for a value",
    "foreach": "write `for x in …`",
    "func": "write `rule`, or `let` for a value",
    "function": "write `rule`, or `let` for a value",
    "import": "write `use` for a mechanism, `extends` for a game",
    "loop": "write `repeat`",
    "on": "write `when`",
    "print": 'write `tell "{p} draws a card"`',
    "say": 'write `tell "{p} draws a card"`',
    "procedure": "write `rule`",
    "put": "write `move … to …`",
    "set": "leave `set` out",
    "switch": "write a `table` with a row for each case",
    "var": "leave `var` out; declare what the game must remember with `state`",
}
# What is done at a table, and is told here by `move`; a rule may be named so, too.
DEEDS = {
    **dict.fromkeys(("deal", "draw", "take"), "write `move top(deck, 3) to hand[p]`"),
    **dict.fromkeys(("give", "lay", "place"), "write `move … to …`"),
    "discard": "write `move … to discard`",
    **dict.fromkeys(
        ("exchange", "swap"), "give one set a name, as in `mine = hand[p]`, and `move` both"
    ),
}
WHOEVER = frozenset({"player", "who", "whoever"})
# What ranks players, in other words.
RANKED = {
    **dict.fromkeys(("best", "highest", "max", "maximum", "more", "most"), "most"),
    **dict.fromkeys(("fewest", "least", "less", "lowest", "min", "minimum"), "fewest"),
}
CHOOSING = frozenset({"choose", "chooses", "pick", "picks"})
FOREIGN_KEYS = frozenset({"otherwise", "default", "_"})

# The words that begin a declaration, as an author may write them inside a rule.
DECLARING = frozenset(
    {
        *(
            "about",
            "advice",
            "ages",
            "always",
            "called",
            "enum",
            "example",
            "extends",
            "game",
            "goal",
        ),
        *("let", "mechanism", "minutes", "option", "override", "pieces", "players", "ranking"),
        "remove",
        *("rows", "rule", "rulebook", "state", "table", "teams", "turn", "use", "variant", "zones"),
    }
)
# The words that begin a statement. All of them are reserved.
STATEMENTS = (
    *("move", "shuffle", "random", "show", "reveal", "announce"),
    *("tell", "heading", "each"),
    *("stop", "end", "nothing", "return"),
    *("if", "for", "repeat", "else"),
)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The word that somebody meant who typed this one.

    >>> nearest("shuffel", STATEMENTS), nearest("deal", STATEMENTS)
    ('shuffle', None)
    """
    alike = [each for each in known if abs(len(each) - len(word)) <= 1]
    near = get_close_matches(word.lower(), alike, 1)
    return near[0] if near else None


def leading_hint(word: str, known: Iterable[str]) -> str | None:
    """What to write instead of a line that begins with this word."""
    near = nearest(word, known)
    return FOREIGN_LEADS.get(word) or (f"did you mean `{near}`?" if near else None)


def statement_hint(word: str) -> str:
    """What to write instead of a statement that begins with this word."""
    called = f"`{word}(…)` to call a rule"
    if word in DEEDS:
        return f"{DEEDS[word]}, or {called}"
    return leading_hint(word, STATEMENTS) or f"write {called}"

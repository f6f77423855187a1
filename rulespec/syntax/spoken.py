"""What people say at a table -> the statement that does it.

Goes in: the words of a statement as they were typed. Comes out: what is wrong with it, and what to write.
"""

import re

# What somebody does, and the statement that does it to what follows.
DONE = {"moves": "move", "reveals": "reveal", "shows": "show", "shuffles": "shuffle"}
DRAWN = frozenset({"draw", "draws", "get", "gets", "receive", "receives", "take", "takes"})
LAID = frozenset({"discards", "gives", "lays", "places", "plays", "puts"})
ALL = frozenset({"all", "each", "every", "everyone", "everybody"})
PLAYERS = frozenset({"player", "players"})
OVER = frozenset({"over", "ends", "is", "finished"})


def say_statement(text: str) -> tuple[str, str] | None:
    """What to say of a statement in the words of the table, and what to write instead.

    >>> say_statement("p moves card to well")
    ('a statement does not say who does it', 'write `move card to well`')
    >>> say_statement("each player draws 3 cards")[1]
    'write `for p in Player: move top(deck, 3) to hand[p]`'
    """
    words = re.findall(r"\w+|[^\w\s]", text)
    if len(words) < 2:
        return None
    if words[0] == "the":
        words, text = words[1:], text.partition(" ")[2]
    if words[0] == "game" and words[1] in OVER:
        return "a game is over by `end`", "write `end`"
    if words[0] == "remove" and _is_value(words[1:]):
        what = re.split(r"\s+from\b", text.partition(" ")[2])[0].strip()
        return "pieces are moved away, and not removed", f"write `move {what} to box`"
    everybody = words[0] in ALL
    verb = words[2] if everybody and words[1] in PLAYERS and words[2:] else words[1]
    done = _done(verb, text)
    if done is None:
        return None
    if everybody:
        return "what each player does is a loop", f"write `for p in Player: {done}`"
    return "a statement does not say who does it", f"write `{done}`"


def _is_value(words: list[str]) -> bool:
    """Not `rule turn` or `when doomed`, which a declaration removes."""
    return len(words) != 2 or not all(word.isidentifier() for word in words)


def _done(verb: str, text: str) -> str | None:
    """The statement for a verb; what it is done to stands behind the verb."""
    rest = re.split(rf"\b{re.escape(verb)}\b", text, maxsplit=1)[-1].strip()
    if verb in DONE:
        return f"{DONE[verb]} {rest}"
    if verb in DRAWN:
        number = re.match(r"(\d+)\b", rest)
        many = f", {number[1]}" if number and number[1] != "1" else ""
        return f"move top(deck{many}) to hand[p]"
    return "move … to …" if verb in LAID else None

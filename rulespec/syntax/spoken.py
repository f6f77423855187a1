"""What people say at a table -> the statement that does it.

Goes in: the words of a statement as they were typed. Comes out: what is wrong with it, and what to write.
"""

import re

# What somebody does, and the statement that does it to what follows.
DONE = {"moves": "move", "reveals": "reveal", "shows": "show", "shuffles": "shuffle"}
DRAWN = frozenset({"deal", "draw", "draws", "get", "gets", "receive", "receives", "take", "takes"})
GIVEN = frozenset({"give", "gives"})
LAID = frozenset(
    {"lay", "lays", "place", "places", "play", "plays", "put", "puts", "throw", "throws"}
)
GONE = frozenset({"discard", "discards"})
REMOVED = frozenset({"delete", "deletes", "remove", "removes"})
COMES = frozenset({"comes", "goes", "go", "moves"})
OVER = re.compile(
    r"(game ?over|finish|game( is)? (over|ends?|finished|stops)|(end|stop|finish)( the)? game)",
    re.IGNORECASE,
)
EVERYBODY = re.compile(
    r"(for )?(each|every|all)( of the)? (players?|p|q)\b[:,]?(?! in)|(everyone|everybody)\b"
    r"|(for )?(each|every|all) (?P<name>\w+) in (?P<set>[\w()]+)[:,]?",
    re.IGNORECASE,
)
TO = r"(?:back to|on top of|into|onto|to|in|on)"
UNDER = r"(?:(?:at|to|on) the bottom of|below|beneath|underneath|under)"
PLACE = re.compile(rf"(?:^|\s)(?:(?P<under>{UNDER})|(?P<to>{TO}))\s+(?:the )?(?P<zone>\w+\S*)$")
NUMBER = re.compile(
    r"(?:the top )?(\d+|a|an|one|two|three|four|five|six|seven|the top)\b ?(cards?|tiles?|tokens?|pieces?)?"
)
# Whole statements: how they are said, what is wrong, and what to write.
SCORED = "points are a variable, and change by `+=` and `-=`"
PHRASES = tuple(
    (re.compile(said), message, written)
    for said, message, written in (
        (
            r"(\w+) (?:scores?|gains?|gets?|receives?|wins?) (\d+)(?: points?)?",
            SCORED,
            r"score[\1] += \2",
        ),
        (r"(\w+) (?:loses?|pays?) (\d+)(?: points?)?", SCORED, r"score[\1] -= \2"),
        (r"add (\S+)(?: points?)? to (\S+)", SCORED, r"\2 += \1"),
        (r"increase (\S+) by (\S+)", SCORED, r"\1 += \2"),
        (r"(?:decrease|reduce) (\S+) by (\S+)", SCORED, r"\1 -= \2"),
        (
            r"(\w+) (?:wins|loses|has won|has lost)",
            "who wins is said by `ranking`, once the game is over",
            "end",
        ),
        (
            r"(\w+) (?:looks|peeks) at (.+)",
            "what somebody looks at is shown to them",
            r"show \2 to \1",
        ),
        (r"reveal (.+) to (\S+)", "`reveal` shows pieces to everybody", r"show \1 to \2"),
        (
            r"shuffle (\S+) into (\S+)",
            "`shuffle` takes one pile, and moves nothing",
            r"move \1 to \2; shuffle \2",
        ),
        (
            r"roll (?:a |the )?(?:die|dice)",
            "chance picks one of some values",
            "random die from 1..6",
        ),
        (r"(?:flip|turn over) (.+)", "pieces are shown to everybody by `reveal`", r"reveal \1"),
        (
            r"turn (.+?) (?:over|face up|up)",
            "pieces are shown to everybody by `reveal`",
            r"reveal \1",
        ),
        (
            r"(\w+) (?:choses|chose|selects|select) (.+)",
            "a choice is written `chooses`",
            r"\1 chooses \2",
        ),
    )
)
NO_SUBJECT = "a statement does not say who does it"
A_MOVE = "pieces go from one place to another by `move`"
ALREADY = frozenset({"move", "show", "reveal", "shuffle", "tell", "announce"})


def say_statement(text: str) -> tuple[str, str] | None:
    """What to say of a statement in the words of the table, and what to write instead.

    >>> say_statement("p moves card to well")
    ('a statement does not say who does it', 'write `move card to well`')
    >>> say_statement("each player draws 3 cards")[1]
    'write `for p in Player: move top(deck, 3) to hand[p]`'
    >>> say_statement("put card on well")[1]
    'write `move card to well`, or `put(…)` to call a rule'
    """
    text = " ".join(text.split()).removeprefix("the ")
    if OVER.fullmatch(text):
        return "a game is over by `end`", "write `end`"
    phrase = _phrase(text)
    if phrase is not None:
        return phrase[0], f"write `{phrase[1]}`"
    everybody = EVERYBODY.match(text)
    if everybody is not None:
        return _say_loop(everybody, text[everybody.end() :].strip())
    words = re.findall(r"\w+|[^\w\s]", text)
    if len(words) < 2 or not words[0].isidentifier() or words[1] in ("(", "[", ".", "=", ":"):
        return None
    if words[0] == "foreach":
        return "a loop begins with `for`", f"write `for {text.partition(' ')[2]}`"
    if words[0] == "move":
        return _say_move(text)
    if words[0] == "remove" and not _is_value(words[1:]):
        return None
    return _say_deed(words[0], text, bare=True) or _say_deed(words[1], text, bare=False)


def _phrase(text: str) -> tuple[str, str] | None:
    """What is wrong with a whole statement that is known, and what to write."""
    for said, message, written in PHRASES:
        found = said.fullmatch(text)
        if found is not None:
            return message, found.expand(written)
    return None


def _say_deed(verb: str, text: str, *, bare: bool) -> tuple[str, str] | None:
    """What somebody does with pieces, or what is done with them."""
    rest = re.split(rf"\b{re.escape(verb)}\b", text, maxsplit=1)[-1].strip()
    done = _done(verb, text, bare=bare)
    if done is None or (bare and (rest in ("p", "q") or re.match(r"[pq],", rest))):
        return None  # which is more like a call
    if not bare:
        return (A_MOVE if verb in COMES - {"moves"} else NO_SUBJECT), f"write `{done}`"
    if verb in REMOVED:
        return "pieces are moved away, and not removed", f"write `{done}`"
    return A_MOVE, f"write `{done}`, or `{verb}(…)` to call a rule"


def _say_loop(everybody: re.Match[str], rest: str) -> tuple[str, str] | None:
    """What each player does."""
    name, values = everybody["name"] or "p", everybody["set"] or "Player"
    verb = re.match(r"\w+", rest)
    if verb is None or {"chooses", "choose"} & {*rest.split()}:
        return None
    phrase = _phrase(f"{name} {rest}")
    done = rest if verb[0] in ALREADY else _done(verb[0], rest, bare=False)
    if phrase is not None:
        done = phrase[1]
    if done is None:
        return None
    done = done.replace("hand[p]", f"hand[{name}]")
    return "what each player does is a loop", f"write `for {name} in {values}: {done}`"


def _say_move(text: str) -> tuple[str, str] | None:
    """A `move` that says where pieces come from, or where they go in other words."""
    place = PLACE.search(text)
    if place is None:
        return None
    what, _, source = text[len("move ") : place.start()].strip().partition(" from ")
    if not source and f" {place['to'] or place['under']} " in (" to ", " under "):
        return None
    done = f"move {_pieces(what, source)} {_whither(place)}"
    if source:
        return "`move` finds pieces wherever they are, without `from`", f"write `{done}`"
    return "where pieces go is said by `to` or `under`", f"write `{done}`"


def _is_value(words: list[str]) -> bool:
    """Not `rule turn` or `when doomed`, which a declaration removes."""
    return len(words) != 2 or not all(word.isidentifier() for word in words)


def _done(verb: str, text: str, *, bare: bool) -> str | None:
    """The statement for a verb; what it is done to stands behind the verb."""
    rest = re.split(rf"\b{re.escape(verb)}\b", text, maxsplit=1)[-1].strip()
    thing = re.split(rf"\b{re.escape(verb)}\b", text, maxsplit=1)[0].strip()
    if verb in DONE and not (verb == "moves" and PLACE.match(rest)):
        return f"{DONE[verb]} {rest}"
    if verb == "move" and not bare:
        return f"move {rest}"
    place = PLACE.search(rest)
    what = rest[: place.start()].strip() if place else rest
    what, _, source = what.partition(" from ")
    if verb in COMES and not bare:
        return f"move {_pieces(thing, '')} {_whither(place)}" if place else None
    if verb in DRAWN:
        if what.startswith("from "):
            what, source = "", what.removeprefix("from ")
        whose = place["zone"] if place and verb == "deal" and place["to"] == "to" else "p"
        to_each = re.search(r"\b(to|for) (each|every|all)\b.*", rest)
        if to_each or (verb == "deal" and place is None):
            what = what.removesuffix(to_each[0]).strip() if to_each else what
            return f"for p in Player: move {_pieces(what, source)} to hand[p]"
        return f"move {_pieces(what, source)} to {_hand_of(whose)}"
    if verb in GIVEN and place:
        return f"move {_pieces(what, source)} to {_hand_of(place['zone'])}"
    if verb in REMOVED:
        return f"move {_pieces(what, source)} to box"
    if verb in GONE | GIVEN | LAID:
        end = "to discard" if verb in GONE else "to …"
        return f"move {_pieces(what, source)} {_whither(place) if place else end}"
    return None


def _hand_of(whose: str) -> str:
    """The hand of a player, or the zone itself if somebody has written one."""
    return whose if "[" in whose else f"hand[{whose}]"


def _whither(place: re.Match[str]) -> str:
    return f"{'under' if place['under'] else 'to'} {place['zone']}"


def _pieces(what: str, source: str) -> str:
    """`2 cards` of a pile as the language has them."""
    pile = source.removeprefix("the ") or "deck"
    what = what.removeprefix("the ")
    if what in ("", "card", "cards") and not source and what != "card":
        return f"top({pile})"
    if re.fullmatch(r"all( the)? (cards|pieces)|everything", what):
        return pile
    number = NUMBER.fullmatch(what)
    if number is None:
        return what or f"top({pile})"
    words = ("two", "three", "four", "five", "six", "seven")
    many = f"{words.index(number[1]) + 2}" if number[1] in words else number[1]
    return f"top({pile}, {many})" if many.isdigit() and many != "1" else f"top({pile})"

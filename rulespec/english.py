"""Plain English: forms of verbs and nouns, and words in a row.

Nothing here knows a game. The checker uses it to test whether an author's sentence will read well; the story uses it to
fill in that sentence.
"""

import re
from collections.abc import Iterable, Sequence

COUNTS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
IRREGULAR = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}
_PLURALS = {"are": "is", "were": "was", "have": "has", "do": "does", "go": "goes"}
_NO_PLURALS = frozenset(
    {"this", "his", "its", "points'", "less", "plus", "minus", "is", "was", "has", "as"}
)

# After these a player may be the subject of what follows.
SUBJECT = re.compile(
    r"(?:^|[.?!:;,·] | and | but | then | so | when | if | because | that )$", re.IGNORECASE
)


# ---- Nouns ---------------------------------------------------------------------------------------


def words(name: str) -> str:
    """An identifier of the rules as words.

    >>> words("out_of_play"), words("LastJudgment")
    ('out of play', 'last judgment')
    """
    if "_" in name or not name[:1].isupper():
        return name.replace("_", " ").strip() or name
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()


def plural(noun: str) -> str:
    """The plural of a regular noun.

    >>> [plural(each) for each in ("card", "Stone of Forgiveness", "bonus", "penalty", "play")]
    ['cards', 'Stones of Forgiveness', 'bonuses', 'penalties', 'plays']
    """
    head, of, rest = noun.partition(" of ")
    if re.search(r"(s|x|z|ch|sh)$", head):
        head += "es"
    elif re.search(r"[^aeiou]y$", head):
        head = f"{head[:-1]}ies"
    else:
        head += "s"
    return head + of + rest


def singular(noun: str) -> str | None:
    """The singular of a regular plural; None for other words.

    >>> [singular(each) for each in ("cards", "penalties", "boxes", "plays", "this", "red")]
    ['card', 'penalty', 'box', 'play', None, None]
    """
    if noun in _NO_PLURALS or not re.search(r"[a-z]{2,}s$", noun) or noun.endswith(("ss", "us")):
        return None
    if re.search(r"[^aeiou]ies$", noun):
        return f"{noun[:-3]}y"
    if re.search(r"(s|x|z|ch|sh)es$", noun):
        return noun[:-2]
    return noun[:-1]


def is_several(noun: str) -> bool:
    """Whether a noun phrase is plural; only its head counts, not what follows `of` or says where.

    >>> [is_several(each) for each in ("penalty points", "tricks won", "Malice", "deck of cards")]
    [True, True, False, False]
    """
    head = re.split(r" (?:of|with|in|for|at|to|on|that|from|beside) ", noun)[0]
    return any(singular(word.lower()) is not None for word in head.split()[-2:])


def a(noun: str) -> str:
    """A noun with its indefinite article.

    >>> a("card"), a("Ace"), a("one-eyed jack"), a("unit")
    ('a card', 'an Ace', 'a one-eyed jack', 'a unit')
    """
    is_open = re.match(r"[aeio]|u(?!n[ai])|8|1[18]\b", noun.lower()) and not re.match(
        r"one\b|eu|once\b", noun.lower()
    )
    return f"{'an' if is_open else 'a'} {noun}"


def count_of(number: int, noun: str, several: str | None = None) -> str:
    """A number of things, in words.

    >>> count_of(1, "card"), count_of(2, "card"), count_of(0, "card"), count_of(13, "penalty")
    ('a card', 'two cards', 'no cards', '13 penalties')
    """
    return a(noun) if number == 1 else f"{in_words(number)} {several or plural(noun)}"


def in_words(number: int) -> str:
    """A number as a word, up to twelve."""
    if number < 0:
        return f"−{-number}"
    return COUNTS[number] if number < len(COUNTS) else str(number)


def possessive(name: str) -> str:
    """`Ben's`, or `Thomas'`."""
    return f"{name}'" if name.endswith(("s", "x", "z")) else f"{name}'s"


# ---- Verbs ---------------------------------------------------------------------------------------


def they(verb: str) -> str | None:
    """A verb in the third person singular -> its form for `they` and `you`; None for other words.

    >>> [they(each) for each in ("wins", "is", "has", "passes", "carries", "plays", "the")]
    ['win', 'are', 'have', 'pass', 'carry', 'play', None]
    >>> [they(each) for each in ("cannot", "must", "doesn't", "chooses")]
    ['cannot', 'must', "don't", 'choose']
    """
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb in {"cannot", "can", "must", "may", "will", "would", "could", "should"}:
        return verb
    if verb.endswith("n't") and verb[:-3] in IRREGULAR:
        return f"{IRREGULAR[verb[:-3]]}n't"
    if not re.fullmatch(r"[a-z-]{2,}s", verb) or verb.endswith("ss"):
        return None
    if re.search(r"[^aeiou]ies$", verb) and len(verb) > 4:
        return f"{verb[:-3]}y"
    if re.search(r"(ss|x|zz|ch|sh|o)es$", verb):
        return verb[:-2]
    return verb[:-1]


def third(verb: str) -> str:
    """The inverse of `they`: the third person singular.

    >>> [third(each) for each in ("win", "are", "have", "pass", "carry", "play", "go", "must")]
    ['wins', 'is', 'has', 'passes', 'carries', 'plays', 'goes', 'must']
    """
    if verb in _PLURALS:
        return _PLURALS[verb]
    if they(verb) == verb:
        return verb
    if re.search(r"(s|x|zz|ch|sh|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


# ---- Sentences -----------------------------------------------------------------------------------


def listed(texts: Sequence[str], last: str = "and") -> str:
    """Texts as a list in a sentence.

    >>> listed(["Ada", "Ben", "Cleo"]), listed(["Ada"]), listed([])
    ('Ada, Ben and Cleo', 'Ada', 'nothing')
    """
    *most, end = texts or ["nothing"]
    return f"{', '.join(most)} {last} {end}" if most else end


def sentence(text: str) -> str:
    """A text with a capital letter and a full stop.

    >>> sentence("ben wins"), sentence("Who?"), sentence("he says “why?”")
    ('Ben wins.', 'Who?', 'He says “why?”')
    """
    is_done = text.endswith((".", "?", "!", ":", "…", "?”", ".”", "!”"))
    return f"{text[:1].upper()}{text[1:]}{'' if is_done else '.'}"


# ---- Broken sentences ----------------------------------------------------------------------------

BROKEN = "…"  # marks a sentence that continues in the next one


def join_broken(said: Iterable[str]) -> list[str]:
    """Sentences without duplicates; one that breaks off with `…` continues in the next.

    >>> join_broken(["A card is worth …", "… its number, …", "… or nothing.", "That is all."])
    ['A card is worth its number, or nothing.', 'That is all.']
    """
    found: list[str] = []
    for each in dict.fromkeys(said):
        if found and found[-1].endswith((BROKEN, ";", ",")):
            start = found[-1].removesuffix(BROKEN).rstrip()
            found[-1] = f"{start} {each.removeprefix(BROKEN).lstrip()}"
        else:
            found.append(each)
    return found


# ---- Statements ----------------------------------------------------------------------------------

_NAMING = ("the ", "your ", "those ", "a player's ")
_ASKING = ("how ", "with how ", "which ", "what ", "whether ", "who ")
_INSERTED = re.compile(
    r",| (?:(?:of|for|in|with|from|to|by|on) )?(?:who|that|whom|whose|which|where)\b"
)
_SAYING = frozenset(
    [
        "am",
        "are",
        "be",
        "begin",
        "begins",
        "bring",
        "brings",
        "can",
        "cannot",
        "come",
        "comes",
        "cost",
        "costs",
        "count",
        "counts",
        "decide",
        "decides",
        "disable",
        "disables",
        "do",
        "does",
        "draw",
        "draws",
        "end",
        "ends",
        "fit",
        "fits",
        "get",
        "gets",
        "go",
        "goes",
        "has",
        "have",
        "is",
        "lie",
        "lies",
        "lose",
        "loses",
        "may",
        "must",
        "need",
        "needs",
        "pay",
        "pays",
        "play",
        "plays",
        "score",
        "scores",
        "set",
        "sets",
        "stay",
        "stays",
        "take",
        "takes",
        "was",
        "were",
        "will",
        "win",
        "wins",
    ]
)


def has_verb(text: str) -> bool:
    """Whether a sentence contains one of the verbs that are usual in rules.

    >>> has_verb("Ten Stones of Forgiveness."), has_verb("Corruption, of value 8, is of all colours.")
    (False, True)
    """
    return not _SAYING.isdisjoint(re.findall(r"\w+", text.lower()))


def is_statement(text: str) -> bool:
    """Whether a text is a full sentence, and not only the name of a definition.

    >>> [is_statement(each) for each in ("The sins of which you have a card.", "How many cards you have: those there.")]
    [False, False]
    >>> [is_statement(each) for each in ("A wild card fits all columns.", "The fewest points win.")]
    [True, True]
    """
    head = re.split(r"[:;.]", text.strip().lower(), maxsplit=1)[0]
    if head.startswith(_ASKING):
        return False
    if not head.startswith(_NAMING):
        return True
    return not _SAYING.isdisjoint(_INSERTED.split(head, maxsplit=1)[0].split())

"""The context in which an expression becomes English: the words of the game, and what each name stands for.

`expressions` does the work, with `noun_phrases` for places and pieces and with `terms` for calls. These modules call each
other, so a context carries the two functions that all of them need.
"""

from collections.abc import Callable, Mapping

import attrs
from attrs import frozen

from rulespec import english
from rulespec.checking.declarations import Declarations
from rulespec.docgen.wording import CARD, Labels, called
from rulespec.english import is_several
from rulespec.syntax import nodes


class NoWordsError(Exception):
    """There is no natural phrase for this expression; the author's sentence or the formal text must do."""


@frozen
class Bound:
    """What a name stands for here: `you` and `your`, or `the foe` and `the foe's`; `of` is its type."""

    text: str
    own: str
    of: str = ""


YOU = Bound("you", "your", "Player")
THEY = Bound("they", "their", "Player")
IT = Bound("it", "its")


@frozen
class PhraseContext:
    """What is declared, what the names of one rule stand for, and the functions for its parts."""

    declared: Declarations
    labels: Labels
    bound: Mapping[str, Bound]
    say: "Callable[[PhraseContext, nodes.Expr], str]"  # what it gives
    ask: "Callable[[PhraseContext, nodes.Expr], str]"  # what it asks
    depth: int = 0

    def bind(self, name: str, to: Bound) -> "PhraseContext":
        """The same with one more name."""
        return attrs.evolve(self, bound={**self.bound, name: to})


def bind_params(declared: Declarations, params: tuple[nodes.Param, ...]) -> dict[str, Bound]:
    """What parameters stand for: the first player is spoken to."""
    bound: dict[str, Bound] = {}
    for param in params:
        of = type_name(param.type)
        if of == "Player" and YOU not in bound.values():
            bound[param.name.text] = YOU
        else:
            bound[param.name.text] = _bound_as(declared, param.name.text, of)
    return bound


def type_name(type_: nodes.Type) -> str:
    """The name of a type, if it has one."""
    inner = type_.of if isinstance(type_, nodes.OptionalType) else type_
    return inner.name.text if isinstance(inner, nodes.NamedType) else ""


def _bound_as(declared: Declarations, name: str, of: str) -> Bound:
    """What a name that a rule has for something stands for; a letter is told by its type."""
    if len(name) > 1:
        text = f"the {called(declared, name)}"
    elif of == "Player":
        text = "the other player"
    elif of in declared.enums:
        text = f"that {called(declared, of)}"
    elif of in declared.kinds:
        text = f"the {called(declared, of)}"
    else:
        text = f"the {CARD}" if of == "Piece" else "that number"
    return Bound(text, english.possessive(text), of)


def owner(context: PhraseContext, key: nodes.Expr) -> Bound:
    """Whose something is: `your`, `the foe's`."""
    if isinstance(key, nodes.Name) and key.text in context.bound:
        return context.bound[key.text]
    text = context.say(context, key)
    return Bound(text, english.possessive(text), "Player")


# ---- Articles and verbs --------------------------------------------------------------------------


def the(words: str) -> str:
    """With its article, once."""
    return words if words.casefold().startswith("the ") else f"the {words}"


def without_article(text: str) -> str:
    """Without its article."""
    return text.removeprefix("the ").removeprefix("The ")


def verb(subject: str, one: str, several: str) -> str:
    """`is` or `are`, `has` or `have`."""
    many = (
        subject in ("you", "they")
        or subject.startswith("all ")
        or is_several(without_article(subject))
    )
    single = subject.startswith(("every ", "each ", "no ")) and "'" not in subject
    return several if many and not single else one


# ---- NounPhrase --------------------------------------------------------------------------------------


@frozen
class NounPhrase:
    """A noun with what qualifies it: `black`, `seal`, `seals`, ` of that colour`, and where these are, or whose."""

    one: str
    several: str
    place: str = ""  # `the stock`, `your hand`; nothing for players and members
    owner: Bound | None = None
    before: str = ""
    after: str = ""
    kinds: tuple[str, ...] = ()
    whole: bool = True  # all that lies there
    pile: bool = False


def is_owned(found: NounPhrase) -> bool:
    """Whether one has these things, rather than a place where they lie: seals, Stones, tricks won."""
    return found.owner is not None and is_several(found.place.removeprefix(found.owner.own))


def _words(found: NounPhrase, *, one: bool = False) -> str:
    word = found.one if one else found.several
    return f"{found.before} {word}{found.after}".strip()


def definite_phrase(found: NounPhrase) -> str:
    """`your hand`, `the black seals in the stock`, `your black seals`."""
    if found.whole and found.place:
        return found.place
    if found.owner is not None and is_owned(found):
        return f"{found.owner.own} {_words(found)}"
    place = f" in {found.place}" if found.place else ""
    return f"the {_words(found)}{place}"


def counted_phrase(found: NounPhrase) -> str:
    """The phrase that follows `the number of`."""
    if is_owned(found):
        return definite_phrase(found)
    place = f" in {found.place}" if found.place else ""
    return f"{_words(found)}{place}"


def amount_clause(found: NounPhrase, sign: str, number: int) -> str:
    """A clause about their number: `your hand is empty`, `you have 3 black seals or more`."""
    empty = (sign in ("==", "<=") and number == 0) or (sign == "<" and number == 1)
    some = (sign in (">", "!=") and number == 0) or (sign == ">=" and number == 1)
    owned = is_owned(found)
    if found.whole and found.place and not owned and (empty or some):
        is_ = verb(found.place, "is", "are")
        return f"{found.place} {is_} {'empty' if empty else 'not empty'}"
    many = "no" if empty else ""
    if not empty and not some:
        least, most = number + (sign == ">"), number - (sign == "<")
        many = {"==": str(number), "!=": f"not {number}"}.get(sign, "")
        many = many or (f"{least} or more" if sign in (">", ">=") else f"at most {most}")
    one = some or empty or many == "1"
    what = _words(found, one=one)
    what = f"{many} {what}" if many else english.a(what).replace("an other ", "another ")
    if owned and found.owner is not None:
        who = found.owner.text
        return f"{who} {verb(who, 'has', 'have')} {what}"
    place = f" in {found.place}" if found.place else ""
    return f"there {'is' if one else 'are'} {what}{place}"

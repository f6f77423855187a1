"""Zones, players and members, and what is picked out of them -> things, in words."""

from typing import assert_never

import attrs

from rulespec import english
from rulespec.checking.declarations import Declarations, member_names
from rulespec.docgen.holdings import holdings_of
from rulespec.docgen.voices import (
    IT,
    THEY,
    Bound,
    NoWordsError,
    Things,
    Voice,
    owner,
    the,
    type_name,
)
from rulespec.docgen.wording import CARD, called, is_for_people, members, plural_of
from rulespec.syntax import nodes


def things(voice: Voice, expr: nodes.Expr) -> Things:
    """Things that lie somewhere, or players, or members: what can be counted."""
    declared = voice.declared
    match expr:
        case nodes.Name("Player"):
            return Things("player", "players")
        case nodes.Name("box"):
            return _zone(voice, "box", "the box")
        case nodes.Name(name) if name in voice.bound:
            raise NoWordsError
        case nodes.Name(name) if name in declared.enums:
            return Things(called(declared, name), plural_of(declared, name))
        case nodes.Name(name) if name in declared.zones:
            return _zone(voice, name, _family(declared, name))
        case nodes.At(nodes.Name(name), key) if _is_index(voice, name, key):
            return _indexed(voice, name, key)
        case nodes.At(subject, key):
            return _filtered(voice, things(voice, subject), key)
        case nodes.Having(subject, attribute, value):
            found = things(voice, subject)
            word = called(declared, attribute.text)
            said = word if _is_chosen(voice, value) else f"{word} {voice.say(voice, value)}"
            after = f" of that {said}" if said == word else f" with {said}"
            return attrs.evolve(found, after=found.after + after, whole=False)
        case nodes.Where(values, condition):
            return _where(voice, things(voice, values), condition)
        case nodes.Get(subject, attribute):
            found = things(voice, subject)
            word, several = called(declared, attribute.text), plural_of(declared, attribute.text)
            return attrs.evolve(found, one=word, several=several, before="", after="", whole=False)
        case nodes.Call(function, _) if function.text == "others":
            return Things("other player", "other players")
        case nodes.Call(function, _) if function.text == "order":
            return Things("player", "players")
        case _ if isinstance(expr, nodes.OfAKind):
            raise NoWordsError
        case _:
            assert_never(expr)


def _family(declared: Declarations, name: str) -> str:
    """A zone, or all zones of a family: `everybody's hand`."""
    word = called(declared, name)
    indices = declared.zones[name].node.indices
    if not indices:
        return the(word)
    return f"everybody's {word}" if type_name(indices[0]) == "Player" else f"every {word}"


def _is_chosen(voice: Voice, expr: nodes.Expr) -> bool:
    """Whether this is a name that a rule has for what was chosen."""
    known = voice.declared.routines.keys() | voice.declared.variables.keys()
    name = expr.text if isinstance(expr, nodes.Name) else ""
    return name != "" and name not in known | voice.declared.options.keys()


def _where(voice: Voice, found: Things, condition: nodes.Expr) -> Things:
    """`the other players who have a red seal`, `the colours for which …`"""
    players = found.several.endswith("players")
    asked = voice.ask(voice.bind("it", THEY if players else IT), condition)
    if asked.startswith("their "):
        after = f" whose {asked.removeprefix('their ')}"
    elif asked.startswith("they "):
        after = f" who {asked.removeprefix('they ')}"
    else:
        after = f" for whom {asked}" if players else f" for which {asked}"
    return attrs.evolve(found, after=found.after + after, whole=False)


# ---- Zones ---------------------------------------------------------------------------------------


def _zone(voice: Voice, name: str, place: str, of: Bound | None = None) -> Things:
    declared = voice.declared
    if not is_for_people(declared, name):
        raise NoWordsError
    zone = declared.zones.get(name)
    holds = tuple(each.text for each in zone.node.holds) if zone is not None else ()
    kinds = holds or tuple(declared.kinds)
    if not holds and name != "box" and len({called(declared, each) for each in kinds}) > 1:
        kinds = tuple(sorted(holdings_of(declared)[name]))
    one, several = kind_words(declared, kinds)
    is_pile = zone is not None and zone.node.order == "pile"
    return Things(one, several, place, of, kinds=kinds, pile=is_pile)


def kind_words(declared: Declarations, kinds: tuple[str, ...]) -> tuple[str, str]:
    """What things of these kinds are called: one of them, and several."""
    found = {(called(declared, each), plural_of(declared, each)) for each in kinds}
    return found.pop() if len(found) == 1 else (CARD, english.plural(CARD))


def _is_index(voice: Voice, name: str, key: nodes.Expr) -> bool:
    """Whether a key says whose, or which, zone of a family it is; else it picks out of all of them."""
    zone = voice.declared.zones.get(name)
    if zone is None or name in voice.bound or len(zone.node.indices) != 1:
        return False
    index = zone.node.indices[0]
    of = index.name.text if isinstance(index, nodes.NamedType) else ""
    if isinstance(key, nodes.Name) and key.text not in voice.bound:
        known = key.text in voice.declared.kinds or key.text in member_names(voice.declared)
        return (of in voice.declared.enums and key.text in members(voice.declared, of)) or not known
    return True


def _indexed(voice: Voice, name: str, key: nodes.Expr) -> Things:
    word = called(voice.declared, name)
    index = voice.declared.zones[name].node.indices[0]
    if isinstance(index, nodes.NamedType) and index.name.text == "Player":
        whose = owner(voice, key)
        return _zone(voice, name, f"{whose.own} {word}", whose)
    of = voice.say(voice, key)
    place = of if of.casefold().startswith(word.casefold()) else f"{of} {word}"
    if of.startswith(("the ", "that ")) or of == "it":
        place = f"{word} of {of}"
    return _zone(voice, name, the(place))


# ---- Picking -------------------------------------------------------------------------------------


def _filtered(voice: Voice, found: Things, key: nodes.Expr) -> Things:
    """Those of one kind, or with one value."""
    declared = voice.declared
    name = key.text if isinstance(key, nodes.Name) else ""
    if name in declared.kinds:
        one, several = kind_words(declared, (name,))
        return attrs.evolve(found, one=one, several=several, kinds=(name,), whole=False)
    is_member = name in member_names(declared) and name not in voice.bound
    of = voice.bound[name].of if name in voice.bound else ""
    kinds = tuple(each for each in found.kinds if _fits(declared, each, name if is_member else of))
    one, several = kind_words(declared, kinds) if kinds else (found.one, found.several)
    found = attrs.evolve(found, one=one, several=several, kinds=kinds or found.kinds, whole=False)
    said = voice.say(voice, key)
    if is_member:
        return attrs.evolve(found, before=f"{found.before} {said}".strip())
    return attrs.evolve(found, after=f"{found.after} of {said}")


def _fits(declared: Declarations, kind: str, value: str) -> bool:
    """Whether a kind of piece has an attribute with such values: a member, or an enum."""
    for row in declared.kinds[kind]:
        for each in row.node.attributes:
            if isinstance(each, nodes.Fixed):
                if isinstance(each.value, nodes.Name) and each.value.text == value:
                    return True
            elif isinstance(each.type, nodes.NamedType) and each.type.name.text in declared.enums:
                enum = each.type.name.text
                inner = {member.name.text for member in declared.enums[enum].node.members}
                if value == enum or value in inner or value in members(declared, enum):
                    return True
    return False

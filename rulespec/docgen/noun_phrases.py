"""Expressions for zones, players and members, and for parts of them -> noun phrases."""

from typing import assert_never

import attrs

from rulespec import english
from rulespec.checking.declarations import Declarations, member_names
from rulespec.docgen.phrase_context import (
    IT,
    THEY,
    Bound,
    NounPhrase,
    NoWordsError,
    PhraseContext,
    owner,
    the,
    type_name,
)
from rulespec.docgen.wording import CARD, called, enum_members, is_for_people, plural_of
from rulespec.docgen.zone_kinds import kinds_by_zone
from rulespec.syntax import nodes


def noun_phrase(context: PhraseContext, expr: nodes.Expr) -> NounPhrase:
    """NounPhrase that lie somewhere, or players, or members: what can be counted."""
    declared = context.declared
    match expr:
        case nodes.Name("Player"):
            return NounPhrase("player", "players")
        case nodes.Name("box"):
            return _zone(context, "box", "the box")
        case nodes.Name(name) if name in context.bound:
            raise NoWordsError
        case nodes.Name(name) if name in declared.enums:
            return NounPhrase(called(declared, name), plural_of(declared, name))
        case nodes.Name(name) if name in declared.zones:
            return _zone(context, name, _family(declared, name))
        case nodes.At(nodes.Name(name), key) if _is_index(context, name, key):
            return _indexed(context, name, key)
        case nodes.At(subject, key):
            return _filtered(context, noun_phrase(context, subject), key)
        case nodes.Having(subject, attribute, value):
            found = noun_phrase(context, subject)
            word = called(declared, attribute.text)
            said = word if _is_chosen(context, value) else f"{word} {context.say(context, value)}"
            after = f" of that {said}" if said == word else f" with {said}"
            return attrs.evolve(found, after=found.after + after, whole=False)
        case nodes.Where(values, condition):
            return _where(context, noun_phrase(context, values), condition)
        case nodes.Get(subject, attribute):
            found = noun_phrase(context, subject)
            word, several = called(declared, attribute.text), plural_of(declared, attribute.text)
            return attrs.evolve(found, one=word, several=several, before="", after="", whole=False)
        case nodes.Call(function, _) if function.text == "others":
            return NounPhrase("other player", "other players")
        case nodes.Call(function, _) if function.text == "order":
            return NounPhrase("player", "players")
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


def _is_chosen(context: PhraseContext, expr: nodes.Expr) -> bool:
    """Whether this is a name that a rule has for what was chosen."""
    known = context.declared.routines.keys() | context.declared.variables.keys()
    name = expr.text if isinstance(expr, nodes.Name) else ""
    return name != "" and name not in known | context.declared.options.keys()


def _where(context: PhraseContext, found: NounPhrase, condition: nodes.Expr) -> NounPhrase:
    """`the other players who have a red seal`, `the colours for which …`"""
    players = found.several.endswith("players")
    asked = context.ask(context.bind("it", THEY if players else IT), condition)
    if asked.startswith("their "):
        after = f" whose {asked.removeprefix('their ')}"
    elif asked.startswith("they "):
        after = f" who {asked.removeprefix('they ')}"
    else:
        after = f" for whom {asked}" if players else f" for which {asked}"
    return attrs.evolve(found, after=found.after + after, whole=False)


# ---- Zones ---------------------------------------------------------------------------------------


def _zone(context: PhraseContext, name: str, place: str, of: Bound | None = None) -> NounPhrase:
    declared = context.declared
    if not is_for_people(declared, name):
        raise NoWordsError
    zone = declared.zones.get(name)
    holds = tuple(each.text for each in zone.node.holds) if zone is not None else ()
    kinds = holds or tuple(declared.kinds)
    if not holds and name != "box" and len({called(declared, each) for each in kinds}) > 1:
        kinds = tuple(sorted(kinds_by_zone(declared)[name]))
    one, several = kind_words(declared, kinds)
    is_pile = zone is not None and zone.node.order == "pile"
    return NounPhrase(one, several, place, of, kinds=kinds, pile=is_pile)


def kind_words(declared: Declarations, kinds: tuple[str, ...]) -> tuple[str, str]:
    """What things of these kinds are called: one of them, and several."""
    found = {(called(declared, each), plural_of(declared, each)) for each in kinds}
    return found.pop() if len(found) == 1 else (CARD, english.plural(CARD))


def _is_index(context: PhraseContext, name: str, key: nodes.Expr) -> bool:
    """Whether a key says whose, or which, zone of a family it is; else it picks out of all of them."""
    zone = context.declared.zones.get(name)
    if zone is None or name in context.bound or len(zone.node.indices) != 1:
        return False
    index = zone.node.indices[0]
    of = index.name.text if isinstance(index, nodes.NamedType) else ""
    if isinstance(key, nodes.Name) and key.text not in context.bound:
        known = key.text in context.declared.kinds or key.text in member_names(context.declared)
        return (
            of in context.declared.enums and key.text in enum_members(context.declared, of)
        ) or not known
    return True


def _indexed(context: PhraseContext, name: str, key: nodes.Expr) -> NounPhrase:
    word = called(context.declared, name)
    index = context.declared.zones[name].node.indices[0]
    if isinstance(index, nodes.NamedType) and index.name.text == "Player":
        whose = owner(context, key)
        return _zone(context, name, f"{whose.own} {word}", whose)
    of = context.say(context, key)
    place = of if of.casefold().startswith(word.casefold()) else f"{of} {word}"
    if of.startswith(("the ", "that ")) or of == "it":
        place = f"{word} of {of}"
    return _zone(context, name, the(place))


# ---- Picking -------------------------------------------------------------------------------------


def _filtered(context: PhraseContext, found: NounPhrase, key: nodes.Expr) -> NounPhrase:
    """Those of one kind, or with one value."""
    declared = context.declared
    name = key.text if isinstance(key, nodes.Name) else ""
    if name in declared.kinds:
        one, several = kind_words(declared, (name,))
        return attrs.evolve(found, one=one, several=several, kinds=(name,), whole=False)
    is_member = name in member_names(declared) and name not in context.bound
    of = context.bound[name].of if name in context.bound else ""
    kinds = tuple(each for each in found.kinds if _fits(declared, each, name if is_member else of))
    one, several = kind_words(declared, kinds) if kinds else (found.one, found.several)
    found = attrs.evolve(found, one=one, several=several, kinds=kinds or found.kinds, whole=False)
    said = context.say(context, key)
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
                if value == enum or value in inner or value in enum_members(declared, enum):
                    return True
    return False

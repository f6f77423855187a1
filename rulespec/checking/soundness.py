"""A program with mistakes -> the part of it that depends on none of them, so that it can be checked further.

A declaration with a mistake is left out, and so is everything that refers to it. A rule keeps its parameters and its
result, but loses its body. So a diagnostic about the rest would also appear without the mistakes; except for those
about something that is missing, which may be in the part that is left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import evolve, field, frozen

from rulespec import codes
from rulespec.checking.builtins import BUILT_IN
from rulespec.checking.damage import PIECES, Damage, words_in
from rulespec.checking.declarations import (
    Declarations,
    Declared,
    Routine,
    Stored,
    routine_parts,
    walk,
)
from rulespec.diagnostics import Diagnostic
from rulespec.source import Span
from rulespec.syntax import nodes

NO_DAMAGE = Damage()
# Diagnostics about something that is missing, or is only done elsewhere, and about totals.
ABSENCES = frozenset(
    {
        *(codes.UNUSED, codes.NO_PLAY, codes.UNCITED_CLAUSE, codes.UNDOCUMENTED),
        *(codes.ENDLESS_LOOP, codes.NEVER_DONE, codes.END_OUTSIDE_PLAY, codes.ROWS_LEFT_OUT),
        *(codes.TOO_MANY_PIECES, codes.TOO_MANY_PLACES),
    }
)
MISSING = frozenset({codes.UNKNOWN_NAME, codes.OVERRIDE_OF_NOTHING, codes.BAD_OVERRIDE})


@frozen
class NamedDeclaration:
    """A declaration: the names that it declares, those that it uses, and its places."""

    names: frozenset[str]
    asks: frozenset[str]
    spans: tuple[Span, ...]
    rule: bool = False  # of which others use only the first line


@frozen
class SoundPart:
    """What can be checked further, and what is wrong or damaged."""

    declared: Declarations
    damage: Damage
    left_out: tuple[Span, ...] = field(default=())


def tell_sure(found: Iterable[Diagnostic], sound: SoundPart) -> Iterator[Diagnostic]:
    """The diagnostics that would also appear if no line were damaged."""
    for each in found:
        if each.code not in ABSENCES and _is_sure(each, sound):
            yield each


def _is_sure(found: Diagnostic, sound: SoundPart) -> bool:
    span, damage = found.span, sound.damage
    if any(_overlap(span, place) for place in sound.left_out):
        return False
    if damage is NO_DAMAGE:
        return True
    about = {*_words_before(span), *words_in(span), *_quoted(found.message)}
    for rule in damage.maimed:
        # A called name is no local, so a damaged line cannot have assigned it.
        is_late = span.start > rule.first and not _is_called(found)
        if _overlap(span, rule.span) and (is_late or not about.isdisjoint(rule.words)):
            return False
    if damage.nameless and found.code in MISSING:
        return False
    if not about.isdisjoint(damage.words):
        return False
    return not any(word.startswith(begun) for begun in damage.begun for word in about)


def _is_called(found: Diagnostic) -> bool:
    return found.code in MISSING and found.span.source.text.startswith("(", found.span.end)


def _words_before(span: Span) -> list[str]:
    """The words before an attribute: those in front of the dot."""
    text = span.source.text
    if text[: span.start].endswith("."):
        line = text.rfind("\n", 0, span.start) + 1
        return words_in(Span(span.source, line, span.start))
    return []


def _quoted(message: str) -> list[str]:
    return message.split("`")[1::2]


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end and one.source == other.source


# ---- What is left --------------------------------------------------------------------------------


def sound_part(
    declared: Declarations, damage: Damage | None, wrong: Iterable[Span], *, to_names: bool = False
) -> SoundPart | None:
    """The part of a program that depends on no mistake at these places, and on no damage; `None` if that is unknown.

    With `to_names`, declarations that use a damaged one stay, because the meaning of their other names is known.
    """
    wrong = list(wrong)
    damage = damage or NO_DAMAGE
    if damage.hopeless:
        return None
    if not wrong and damage is NO_DAMAGE:
        return SoundPart(declared, damage)
    parts = list(_parts(declared))
    shown = NO_DAMAGE if to_names else damage
    maimed = [Span(rule.span.source, rule.first, rule.span.end) for rule in shown.maimed]
    hit = [each for each in parts if _is_hit(each, (*wrong, *maimed))]
    for place in wrong:
        if not any(_is_hit(each, (place,)) for each in hit):
            about = [each for each in parts if not each.names.isdisjoint(words_in(place))]
            if not about:
                return None  # a mistake outside of all declarations may concern all of them
            hit += about
    known = {name for part in parts for name in part.names}
    doubtful = ({*shown.declaring} - known | {*shown.naming}) - BUILT_IN
    doubtful |= {name for part in hit if not part.rule for name in part.names}
    asking: dict[str, list[NamedDeclaration]] = {}
    for part in parts:
        for name in part.asks:
            asking.setdefault(name, []).append(part)
    cut = {id(part): part for part in hit}
    ahead = [*doubtful]
    while ahead:
        for part in asking.get(ahead.pop(), ()):
            if id(part) in cut:
                continue
            cut[id(part)] = part
            new = set() if part.rule else {*part.names} - doubtful
            doubtful |= new
            ahead += new
    spans = tuple(span for part in cut.values() for span in part.spans)
    return SoundPart(_without(declared, frozenset(spans)), damage, spans)


def _is_hit(part: NamedDeclaration, places: tuple[Span, ...]) -> bool:
    return any(_overlap(own, each) for own in part.spans for each in places)


def _parts(declared: Declarations) -> Iterator[NamedDeclaration]:
    for name, enum in declared.enums.items():
        members = (member.name.text for member in enum.node.members)
        yield _part([enum], name, *members)
    tables: tuple[dict[str, Any], ...] = (declared.options, declared.zones, declared.variables)
    for table in tables:
        for name, owned in table.items():
            yield _part([owned], name)
    for name, rows in declared.kinds.items():
        own = (each.name.text for row in rows for each in row.node.attributes)
        yield _part(rows, PIECES, name, *own)
    for name, routine in declared.routines.items():
        yield from _routine(name, routine)
    for name, versions in declared.triggers.items():
        yield _part(versions, f"when {name}")
    for name, invariant in declared.invariants.items():
        yield _part([invariant], f"always {name}")
    if declared.ranking is not None:
        yield _part([declared.ranking], "ranking")
    for example in declared.examples:
        yield _part([example])
    for naming in declared.called.values():
        yield _part([naming])


def _routine(name: str, routine: Routine) -> Iterator[NamedDeclaration]:
    versions = routine.versions
    rule = all(isinstance(each.node, nodes.Rule) for each in versions)
    if not rule:
        outputs = [
            output.text
            for each in versions
            if isinstance(each.node, nodes.Table)
            for output in each.node.header.outputs
        ]
        yield _part(routine_parts(routine), name, *outputs)
        return
    heads = [each.node for each in versions if isinstance(each.node, nodes.Rule)]
    asked = _asked((each.name, each.params, each.result) for each in heads)
    yield NamedDeclaration(frozenset({name}), asked, tuple(map(_head, heads)))
    yield evolve(_part([*versions, *routine.before, *routine.after], name), rule=True)


def _head(rule: nodes.Rule) -> Span:
    return Span(rule.span.source, rule.span.start, rule.body.span.start)


def _part(owned: Sequence[Declared[Any]], *names: str) -> NamedDeclaration:
    trees = [_tree(each) for each in owned]
    rules = [each.node.rule for each in owned if isinstance(each.node, Stored)]
    return NamedDeclaration(
        frozenset(names), _asked((*trees, *rules)), tuple(each.span for each in trees)
    )


def _tree(owned: Declared[Any]) -> Any:
    return owned.node.node if isinstance(owned.node, Stored) else owned.node


def _asked(trees: Iterable[Any]) -> frozenset[str]:
    """The names that some trees use, without those that are bound in them."""
    found: set[str] = set()
    bound: set[str] = set()
    for node in walk(tuple(trees)):
        match node:
            case nodes.Name():
                found.update((node.text, PIECES) if node.text in ("box", "Piece") else (node.text,))
            case nodes.Face() | nodes.Described() | nodes.Having() | nodes.Zone():
                found.add(PIECES)
            case nodes.Param(name) | nodes.For(name) | nodes.Ranking(name):
                bound.add(name.text)
            case nodes.Fold(name=name) | nodes.Build(name=name):
                bound.add(name.text)
            case nodes.Seats(names):
                bound.update(name.text for name in names)
    return frozenset(found - bound)


# ---- Leaving out ---------------------------------------------------------------------------------


def _without(declared: Declarations, cut: frozenset[Span]) -> Declarations:
    """The program without the declarations at these places; of rules, only the bodies are removed."""

    def stays(owned: Declared[Any]) -> bool:
        return _tree(owned).span not in cut

    def keep(table: dict[str, Any]) -> dict[str, Any]:
        return {name: each for name, each in table.items() if stays(each)}

    def keep_all(table: dict[str, Any]) -> dict[str, Any]:
        return {name: each for name, each in table.items() if all(map(stays, each))}

    routines = {}
    for name, routine in declared.routines.items():
        owned = routine_parts(routine)
        if all(map(stays, owned)):
            routines[name] = routine
        elif all(
            isinstance(each.node, nodes.Rule) and _head(each.node) not in cut
            for each in routine.versions
        ):
            routines[name] = Routine(name, routine.kind, list(map(_hollow, routine.versions)))
    ranking = declared.ranking
    return evolve(
        declared,
        enums=keep(declared.enums),
        options=keep(declared.options),
        zones=keep(declared.zones),
        variables=keep(declared.variables),
        kinds=keep_all(declared.kinds),
        routines=routines,
        triggers=keep_all(declared.triggers),
        invariants=keep(declared.invariants),
        called=keep(declared.called),
        examples=[each for each in declared.examples if stays(each)],
        ranking=ranking if ranking is not None and stays(ranking) else None,
    )


def _hollow(owned: Declared[Any]) -> Declared[Any]:
    """A rule with an empty body."""
    body = nodes.OneLine(nodes.Nothing(span=owned.node.span), span=owned.node.span)
    return evolve(owned, node=evolve(owned.node, body=body))

"""An unknown name -> the diagnostic, with a hint at what was probably meant.

Words of other languages, and of people at a table, are listed here; similar names come from those that could stand in
the same place.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache

from rulespec import codes, loading
from rulespec.checking.builtins import FOLDS, FUNCTIONS
from rulespec.checking.declarations import Declarations, called_name, walk
from rulespec.checking.wording import as_written
from rulespec.diagnostics import Diagnostic, Related, did_you_mean
from rulespec.source import Span, text_of
from rulespec.syntax import nodes
from rulespec.syntax.parser import parse
from rulespec.syntax.word_suggestions import RANKED

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# What other languages call the values and the types of this one.
VALUES = {"true": "yes", "false": "no", "null": "none", "nil": "none"} | {
    word: str(number) for number, word in enumerate(NUMBERS)
}
TYPES = {
    **dict.fromkeys(("bool", "boolean"), "Bool"),
    "players": "Player",
}
# Functions that are a sign here.
COUNTS = frozenset({"count", "len", "length", "number", "size"})
ORDERS = ("most", "fewest")


def unknown(what: str, name: nodes.Name, known: list[str], hint: str | None = None) -> Diagnostic:
    """A diagnostic for an unknown name; the hint is the given one, or a similar name."""
    text = name.text
    message = f"no {what} is named `{text}`" if what else f"nothing is named `{text}`"
    instead = (TYPES if what == "type" else VALUES).get(text.lower())
    if instead is not None:
        hint = f"write `{instead}`"
    elif what == "type" and text.lower() in ("number", "integer", "int"):
        hint = "write a range, such as `0..99`"
    elif hint is None:
        hint = did_you_mean(text, known)
    return Diagnostic(codes.UNKNOWN_NAME, message, name.span, hint=hint)


def unknown_order(name: nodes.Name, known: list[str]) -> Diagnostic:
    """A diagnostic for the first column of a ranking, which nearly always is `most` or `fewest`."""
    near = get_close_matches(name.text, known, 1, 0.8)
    meant = RANKED.get(name.text)
    hint = f"write `{meant}`" if meant is not None else "write `most` or `fewest`"
    return unknown("", name, [] if meant else known, None if near and not meant else hint)


def unknown_value(
    program: Declarations, name: nodes.Name, known: list[str], attributes: frozenset[str]
) -> Diagnostic:
    """A diagnostic for an unknown value; rules are not suggested, and attributes only after a piece."""
    rules = {each.name for each in program.routines.values() if each.kind == "procedure"}
    known = [each for each in known if each not in rules]
    hint = None
    if name.text in ("pass", "skip", "decline"):
        hint = f'write `p may choose card from … "Which card?" or "{name.text}"`, and below it what is done then'
    elif name.text in attributes:
        hint = f"say which piece: `card.{name.text}`, or `… where it.{name.text} …` among many"
    return unknown("", name, known, hint)


def not_an_attribute(function: str, argument: nodes.Expr) -> Diagnostic:
    """Something computed, where `alike` and `runs` take an attribute by its name."""
    message = f"`{function}` takes the name of an attribute here"
    hint = (
        f"write `{argument.name.text}`"
        if isinstance(argument, nodes.Get)
        else f"write `height = {as_written(argument)}` in the row of `pieces`, and `height` here"
    )
    return Diagnostic(codes.WRONG_TYPE, message, argument.span, hint=hint)


def unknown_hole(program: Declarations, name: str, span: Span, known: list[str]) -> Diagnostic:
    """What stands in the braces of a question, and is no name of a value."""
    routine, zone = program.routines.get(name), program.zones.get(name)
    is_value = routine is not None and routine.kind == "function"
    of_pieces = zone is not None and not zone.node.indices
    value = f"top({name})" if of_pieces else name
    hint = f"write `shown = {value}` on a line before, and `{{shown}}` here"
    if name.isidentifier():
        place = nodes.Name(name, span=span)
        return unknown("variable", place, known, hint if is_value or of_pieces else None)
    message = f"the braces of a question hold the name of a value, and not `{name}`"
    return Diagnostic(codes.UNKNOWN_NAME, message, span, hint=hint)


def unknown_member(name: nodes.Name, members: list[str]) -> Diagnostic:
    """A member of one enum."""
    listed = ", ".join(f"`{member}`" for member in members)
    return unknown("member", name, members, did_you_mean(name.text, members, f"it may be {listed}"))


def no_comment(face: nodes.Face) -> Diagnostic:
    """Words behind a single `-` that mean nothing."""
    text = text_of(face.span)
    message = f"nothing is named `{text}`, and `-` does not begin a comment"
    return Diagnostic(codes.UNKNOWN_NAME, message, face.span, hint=f"write `-- {text}`")


def missing_parameter(
    program: Declarations, rule: nodes.Rule, found: list[Diagnostic]
) -> Iterator[Diagnostic]:
    """The diagnostics about names in a rule; an undeclared player is reported once, as a missing parameter."""
    players = _used_as_players(program, rule)
    told: set[str] = set()
    for each in found:
        text = text_of(each.span)
        is_unknown = each.code is codes.UNKNOWN_NAME and each.hint is None and text in players
        uses = [other.span for other in found if is_unknown and text_of(other.span) == text]
        if not uses or (rule.params and len(uses) == 1):
            yield each
        elif text not in told:
            told.add(text)
            name = rule.name.text
            params = ", ".join([*(text_of(param.span) for param in rule.params), f"{text}: Player"])
            message = f"`{name}` uses `{text}`, but nothing says who `{text}` is"
            related = (Related("used here", uses[0]),)
            hint = f"write `rule {name}({params})`"
            yield Diagnostic(codes.UNKNOWN_NAME, message, rule.name.span, related, hint)


def _used_as_players(program: Declarations, rule: nodes.Rule) -> set[str]:
    """The names that are used as players: they choose, or are an index of something that belongs to a player."""
    rows = {name: each.node.indices for name, each in program.zones.items()}
    rows |= {name: each.node.node.indices for name, each in program.variables.items()}
    owned = {
        name
        for name, indices in rows.items()
        if indices and isinstance(indices[0], nodes.NamedType) and indices[0].name.text == "Player"
    }
    found: set[str] = set()
    for node in walk(rule.body):
        if isinstance(node, nodes.Choose | nodes.MayChoose) and isinstance(node.player, nodes.Name):
            found.add(node.player.text)
        elif isinstance(node, nodes.At) and called_name(node.subject) in owned:
            found |= {node.key.text} if isinstance(node.key, nodes.Name) else set()
    return found


def unknown_attribute(
    program: Declarations, subject: nodes.Expr, name: nodes.Name, known: list[str]
) -> Diagnostic:
    """A diagnostic for an unknown attribute, which may be a function or something with an index."""
    whose = subject.text if isinstance(subject, nodes.Name) else "…"
    hint = None
    if name.text in COUNTS:
        hint = f"write `#{text_of(subject.span)}`"
    elif name.text in FUNCTIONS:
        hint = f"write `{name.text}({whose})`"
    elif name.text in program.zones or name.text in program.variables:
        hint = f"write `{name.text}[{whose}]`"
    return unknown("attribute", name, known, hint)


def meant_enums(program: Declarations) -> Iterator[Diagnostic]:
    """Members that bear the name of an enum in the plural, or in small or large letters."""
    enums = {name.lower(): name for name in program.enums}
    for enum in program.enums.values():
        for member in enum.node.members:
            text = member.name.text
            near = enums.get(text.lower()) or enums.get(text.lower().removesuffix("s"))
            if text[:1].isupper() and text not in program.enums and near is not None:
                yield unknown("enum", member.name, [], f"write `{near}` for all its members")


def not_called(program: Declarations, name: nodes.Name, wanted: str) -> Diagnostic | None:
    """A diagnostic for a known name that cannot be called here, or not like this."""
    text, hint = name.text, None
    if text in FOLDS and wanted == "function":
        message, hint = f"`{text}` goes through a set", f"write `{text}(… for c in …)`"
    elif text in FUNCTIONS or text in FOLDS:
        message = f"`{text}` gives a value and does nothing else"
    elif text in program.zones or text in program.variables:
        message, hint = f"`{text}` takes its index in square brackets", f"write `{text}[…]`"
    else:
        return None
    return Diagnostic(codes.WRONG_KIND, message, name.span, hint=hint)


def unknown_routine(wanted: str, name: nodes.Name, known: list[str]) -> Diagnostic:
    """A rule or a function, perhaps one of a mechanism that is not used."""
    kind = "rule" if wanted == "procedure" else "function"
    hint = None
    if name.text in COUNTS:
        hint = "count with `#`, as in `#deck`"
    elif name.text in ("empty", "is_empty"):
        hint = "count with `#`, as in `#deck == 0`"
    elif (name.text, kind) in _offered():
        hint = f"write `use {_offered()[name.text, kind]}`, a mechanism that has it"
    return unknown(kind, name, known, hint)


@cache
def _offered() -> dict[tuple[str, str], str]:
    """The rules and functions of the shipped mechanisms, each with the mechanism."""
    found: dict[tuple[str, str], str] = {}
    for path in sorted(loading.MECHANISMS.glob("*.rules")):
        file = parse(loading.read(str(path))).file
        for item in file.items if file is not None else ():
            if isinstance(item, nodes.Rule | nodes.Let | nodes.Table):
                kind = "rule" if isinstance(item, nodes.Rule) else "function"
                found.setdefault((item.name.text, kind), path.stem)
    return found

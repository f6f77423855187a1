"""A leak -> a diagnostic: who would learn what, by which way, and what to write instead."""

import re
from typing import assert_never

from attrs import evolve, frozen

from rulespec import codes
from rulespec.core import tree
from rulespec.core.tree import Op
from rulespec.diagnostics import Diagnostic, Related
from rulespec.secrets.check_run import Run
from rulespec.secrets.facts import knowers, knows
from rulespec.secrets.knowledge import (
    Call,
    Exposure,
    Key,
    Place,
    Source,
    State,
    in_reading_order,
    read_as,
    shown,
    unite,
)
from rulespec.secrets.parts import holds_pieces
from rulespec.secrets.visibility import who_sees
from rulespec.source import Span, text_of

UNSEEN = {
    "owner": "which only its owner sees",
    "others": "which its owner does not see",
    "nobody": "which nobody sees",
    "top": "where only the top is seen",
}


SECRET = {
    "owner": "only its owner sees `{}`",
    "others": "its owner does not see `{}`",
    "nobody": "nobody sees `{}`",
}
UNCOUNTED = {
    "owner": "only its owner counts `{}`",
    "others": "its owner does not count `{}`",
    "nobody": "nobody counts `{}`",
}
SEEING = {"owner": "its owner sees", "others": "the others see"}


@frozen
class Choice:
    """A choice under test: who chooses, and the calls that lead to it."""

    node: tree.Choose | tree.Each
    chooser: str
    player: Key
    calls: tuple[Call, ...]


# ---- Choices -------------------------------------------------------------------------------------


@frozen
class Told:
    """What a chooser would learn from the options, from their faces, from the prompt, and from being asked."""

    decides: list[Source]
    offered: list[Source]
    prompts: list[tuple[Op, list[Source]]]
    reasons: list[Source]


def report_choice(run: Run, state: State, choice: Choice, told: Told) -> None:
    """Report what the options, the prompt, and being asked tell the chooser."""
    node, who = choice.node, choice.chooser

    def leak(
        code: codes.Code, message: str, span: Span, read: Source, other: str = ""
    ) -> Diagnostic:
        span = span if is_somewhere(span) else node.origin.span
        hint = _own_zone(run, choice, read) or _remedy(run, choice, read) + other
        return _placed(Diagnostic(code, message, span, hint=hint), choice.calls, read)

    by_chance = _by_chance(choice)
    if told.decides:
        read = _first(run, state, told.decides, choice.player)
        message = f"the options depend on {_unseen(run, read, choice)}"
        _report(run, leak(codes.HIDDEN_OPTIONS, message, node.options.span, read, by_chance))
    elif told.offered:
        read = _first(run, state, told.offered, choice.player)
        lies = _lies(run, read, choice)
        unseen = f"the pieces in {lies.removeprefix('it lies in ')}"
        if not lies.startswith("it lies in "):
            offered = text_of(node.options.span) or node.target.name
            unseen = f"`{offered}` without seeing it: {lies}"
        message = f"`{who}` is offered {unseen}"
        _report(run, leak(codes.HIDDEN_OPTIONS, message, node.options.span, read, by_chance))
    for named, found in told.prompts:
        read = _first(run, state, found, choice.player)
        shows = f"the prompt shows `{text_of(named.span).strip('{}') or _text(read)}`"
        message = f"{shows}, which `{who}` cannot see: {_lies(run, read, choice)}"
        silent = ", or leave it out of the prompt"
        _report(run, leak(codes.HIDDEN_OPTIONS, message, named.span, read, silent))
    if told.reasons:
        read = _first(run, state, told.reasons, choice.player)
        # Report a condition once, not for every choice under it.
        place = (read.span, who)
        if place not in run.found:
            message = f"whether `{who}` is asked depends on {_unseen(run, read, choice)}"
            run.found[place] = leak(codes.HIDDEN_REASON, message, node.origin.span, read)


def _first(run: Run, state: State, sources: list[Source], player: Key | None) -> Source:
    """The source to report: the first in the text, traced back to one that can be put into words."""
    first = min(sources, key=in_reading_order)
    return _in_words(run, state, first, player)


def _in_words(run: Run, state: State, source: Source, player: Key | None) -> Source:
    """A source that says where something hidden lies, instead of what was computed from it."""

    def unknown(each: Source) -> bool:
        if player is None:
            return not knowers(run, state, frozenset({each})).everyone
        return not knows(run, state, each, player)

    if source.kind in ("secret", "count"):
        return source
    visible = source.place is None or who_sees(run, source.place).everyone
    if source.kind == "face" and not visible:
        return source
    for each in sorted(filter(unknown, source.needs), key=in_reading_order):
        found = _in_words(run, state, each, player)
        if found.place is not None or found.kind != "face":
            return read_as(source, found)
    return source


def _report(run: Run, diagnostic: Diagnostic) -> None:
    place = (diagnostic.code.number, diagnostic.span.source.name, diagnostic.span.start)
    run.found.setdefault(place, diagnostic)


# ---- Public steps --------------------------------------------------------------------------------


def report_exposures(run: Run, state: State) -> None:
    """Report public steps that reveal what not everyone knows by now."""
    told = []
    for each in state.pending:
        hidden = [
            source
            for source in each.sources
            if not unite(each.seen, knowers(run, state, frozenset({source}))).everyone
        ]
        if hidden:
            told.append((each, _first(run, state, hidden, None)))
    told.sort(key=lambda pair: (pair[0].span.start, pair[0].kind, in_reading_order(pair[1])))
    for each, read in told:
        _report_exposure(run, each, read)


def _report_exposure(run: Run, each: Exposure, read: Source) -> None:
    """Keep one finding for each place: the one that stands first in the text, in whatever order they are found.

    Everything in one rule that depends on the same hidden variable is one finding.
    """
    found = _exposed(run, each, read)
    place: object = (found.code.number, found.span.source.name, found.span.start)
    if read.kind == "secret" and read.place is not None:
        place = ("root", each.calls[-1].name if each.calls else "", read.place.zone)
    calls = [(call.name, -1 if call.span is None else call.span.start) for call in each.calls]
    rank = (found.span.start, each.span.start, each.kind, in_reading_order(read), calls)
    if place not in run.ranks or rank < run.ranks[place]:
        run.ranks[place] = rank
        run.found[place] = found


def _exposed(run: Run, each: Exposure, read: Source) -> Diagnostic:
    what, lies = _read(read), _lies(run, read)
    hint = _openly(run, read)
    code = codes.TOLD_BY_ACCIDENT
    match each.kind:
        case "variable":
            code = codes.PUBLIC_SECRET
            seen = SEEING.get(run.variables[each.name].seen_by, "everyone sees")
            message = f"{seen} the variable `{each.name}`, and its value depends on {what}: {lies}"
            hint = f"{_openly(run, read)}, or keep it in a local"
        case "move":
            message = f"everyone sees what moves here, and that depends on {what}: {lies}"
        case "shuffle":
            message = f"everyone sees that `{each.name}` is shuffled here, and that depends on {what}: {lies}"
        case "show":
            hint = _openly(run, read, places=True)
            message = f"everyone sees what is shown here, and that depends on {what}: {lies}"
        case "announce":
            message = (
                f"whether, and to whom, `{each.name}` is announced here depends on {what}: {lies}"
            )
        case "tell":
            message = f"what is told here depends on {what}: {lies}"
        case "random":
            message = f"everyone learns `{each.name}`, and it is drawn from {what}: {lies}"
            hint = "draw a piece instead, and show it to the players it concerns"
        case "question":
            message = f"everyone hears what is asked here, and that depends on {what}: {lies}"
            hint = f"ask the same question in every case, or {_openly(run, read)}"
        case "ask":
            message = (
                f"everyone learns who chooses `{each.name}`, and that depends on {what}: {lies}"
            )
        case "order":
            code = codes.ORDER_OF_POOL
            message = f"the first piece of {what} is always the lowest one, and here everyone learns it: {lies}"
            hint = "a pool has no order: let somebody choose, or draw with `random x from …`"
            if all(source.kind == "order" and not source.needs for source in each.sources):
                # It was laid on a pile.
                hint = "shuffle the pile, or let somebody put the pieces on it one by one"
        case _:
            assert_never(each.kind)
    found = Diagnostic(code, message, each.span, hint=hint, severity="warning")
    return _placed(found, each.calls, read)


# ---- Words ---------------------------------------------------------------------------------------


def is_somewhere(span: Span) -> bool:
    """Whether a span belongs to the source text. Generated code, such as the test of a trigger, has none."""
    return bool(span.source.text)


def _text(read: Source) -> str:
    if read.span is not None and is_somewhere(read.span):
        return text_of(read.span)
    return shown(read.place) if read.place is not None else "something hidden"


def _is_shuffled(read: Source) -> bool:
    """Whether a shuffle decided where pieces lie."""
    return read.kind == "place" and read.place is not None


def _read(read: Source) -> str:
    """The text that reads the faces, and the function in which it stands."""
    if read.place is not None and _is_shuffled(read):
        return f"the order of `{shown(read.place)}`"
    inside = f" in `{read.via[0][0]}`" if read.via else ""
    return f"`{_text(read)}`{inside}"


def _unseen(run: Run, read: Source, choice: Choice) -> str:
    """What a chooser cannot know, and why."""
    who, lies = choice.chooser, _lies(run, read, choice)
    if read.kind in ("chance", "choice") and read.name is not None:
        decided = (
            "it was drawn at random"
            if read.kind == "chance"
            else "only the player who chose it can"
        )
        return f"which piece `{read.name}` is, and `{who}` cannot know that: {decided}"
    return f"{_read(read)}, which `{who}` cannot see: {lies}"


def _lies(run: Run, read: Source, chooser: Choice | None = None) -> str:
    """Where the pieces lie, and who sees them there."""
    if read.kind == "chance":
        return f"nobody knows which `{read.name}` is, because it was drawn at random"
    if read.kind == "choice":
        return f"only the player who chose `{read.name}` knows which it is"
    if read.kind == "secret" and read.place is not None:
        name = shown(read.place)
        if len(read.place.indices) < len(run.variables[read.place.zone].indices):
            return f"nobody sees all of `{name}`"
        seen = SECRET[run.variables[read.place.zone].seen_by]
        return f"{seen.format(name)}{_another(read.place, chooser)}"
    if read.kind == "fact" and read.place is None:
        return "not everybody was told what it depends on"
    if read.place is None or read.place.zone not in run.zones:
        return "nobody knows where all pieces lie"
    zone = run.zones[read.place.zone]
    if read.kind == "count":
        if len(read.place.indices) < len(zone.indices):
            return f"nobody counts all of `{shown(read.place)}`"
        counted = UNCOUNTED.get(zone.counted_by, UNCOUNTED["nobody"])
        return f"{counted.format(shown(read.place))}{_another(read.place, chooser)}"
    if zone.seen_by == "everyone":
        piece = f"`{read.name}`" if read.name else "it"
        return f"all see `{shown(read.place)}`, but not which piece in it {piece} is"
    seen = UNSEEN.get(zone.seen_by, UNSEEN["nobody"])
    if len(read.place.indices) < len(zone.indices) and zone.seen_by in ("owner", "others"):
        seen = "which nobody sees in full"
    piece = f"`{read.name}` lies" if read.name else "it lies"
    return f"{piece} in `{shown(read.place)}`, {seen}{_another(read.place, chooser)}"


def _another(place: Place, chooser: Choice | None) -> str:
    """Words saying that two players with the same name in different rules are not the same player."""
    if chooser is not None and any(
        key.shown == chooser.chooser and key is not chooser.player for key in place.indices
    ):
        return f"; that `{chooser.chooser}` is another player"
    return ""


def _own_zone(run: Run, choice: Choice, read: Source) -> str | None:
    """Words saying that a chooser sees only one of the zones when the rule reads `hand` of all players."""
    zone = run.zones.get(read.place.zone) if read.place is not None else None
    if zone is None or zone.seen_by != "owner" or read.place is None or read.place.indices:
        return None
    if text_of(choice.node.options.span) != read.place.zone or len(zone.indices) != 1:
        return None
    own = f"{read.place.zone}[{choice.chooser}]"
    return f"write `{own}`: `{read.place.zone}` alone is that of all players together"


def _remedy(run: Run, choice: Choice, read: Source) -> str:
    """What to write before: announce what was asked, or show what was read."""
    fact = _fact(read)
    if fact is not None and re.search(rf"\b{choice.node.target.name}\b", fact):
        fact = None  # the condition names the option, which nothing before the choice can
    zone = run.zones.get(read.place.zone) if read.place is not None else None
    own = f"{read.place.zone}[{choice.chooser}]" if read.place is not None else ""
    if zone is not None and zone.seen_by == "others" and own == text_of(choice.node.options.span):
        # A hand that only the others see: its owner chooses a position.
        return (
            f"let `{choice.chooser}` choose a position, `{choice.chooser} chooses place from 1..#{own}`:"
            f" the card there is `top({own} - top({own}, place - 1))`"
        )
    if fact is None:
        return f"write `{_showing(read, choice.chooser)}` before it"
    return f"write `announce {_new_name(run)} = {fact}` before it"


def _showing(read: Source, chooser: str) -> str:
    """The statement that shows a chooser the pieces that were read, or all players those of each player."""
    pieces = _pieces(read)
    each = re.fullmatch(r"\w+\[(\w+)\]", pieces) if read.name and _is_bound(read) else None
    if each is not None:
        return f"for {each.group(1)} in Player: reveal {pieces}"
    return f"show {pieces} to {chooser}"


def _by_chance(choice: Choice) -> str:
    """Words that leave the choice to chance, if the options are pieces."""
    target, options = choice.node.target.name, text_of(choice.node.options.span)
    if not options or not holds_pieces(choice.node.of):
        return ""
    return f", or let chance choose: `random {target} from {options}`"


def _openly(run: Run, read: Source, *, places: bool = False) -> str:
    """How to tell everyone in time: announce a fact or how many there are, or show the pieces themselves."""
    if _is_shuffled(read):
        return f"do it before `{_text(read)}`"
    fact = _fact(read)
    if places and fact is None:  # announcing how many there are is not enough
        return f"write `reveal {_pieces(read)}` instead"
    if fact is None and read.kind == "face" and read.span is not None and not _is_bound(read):
        fact = _size_of(_text(read))
    if fact is not None:
        return f"say it openly before: `announce {_new_name(run)} = {fact}`"
    if read.kind == "count" and read.place is not None and len(read.place.indices) == 1:
        of_each = f"for q in Player: announce {_new_name(run)} = #{read.place.zone}[q]"
        return f"say it openly before: `{of_each}`"
    return f"write `reveal {_pieces(read)}` before it"


def _new_name(run: Run) -> str:
    """A name for what is announced that no rule uses for something else."""
    taken = {name for block in run.core.blocks.values() for name, _ in block.slots} | {
        *run.variables
    }
    return next(
        name for name in ("told", "said", "announced", "what_was_told") if name not in taken
    )


def _fact(read: Source) -> str | None:
    """A value that could be announced where the leak is and tells no more than needed."""
    if read.kind == "secret" and read.place is not None and not read.place.indices:
        return (
            read.place.zone
        )  # everything that depends on it starts here, and it is in scope everywhere
    if read.kind == "count" and read.place is not None and not read.via:
        return None if _is_bound(read) else f"#{shown(read.place)}"
    if read.via:
        name, place = read.via[-1]
        return text_of(place) or name
    if read.whole is not None:
        return text_of(read.whole) or None
    return _text(read) if read.is_value and not _is_bound(read) else None


def _size_of(text: str) -> str:
    """The expression for the size of a set, given the text of the set."""
    depth = 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == " " and depth == 0:
            return f"#({text})"
    return f"#{text}"


def _pieces(read: Source) -> str:
    """The pieces that were read."""
    if read.name is not None:
        return _member_at_start(_text(read), read.name) or read.name
    if read.place is not None and (read.span is None or _is_bound(read)):
        return shown(read.place)
    return _text(read)


def _member_at_start(text: str, name: str) -> str:
    """The member of a family at the start of a text: `bid[next(p)]` of `bid[next(p)].value`; empty if there is none."""
    depth = 0
    for place in range(len(name), len(text) if text.startswith(f"{name}[") else 0):
        depth += (text[place] == "[") - (text[place] == "]")
        if depth == 0 and not text.startswith("[", place + 1):
            return text[: place + 1]
    return ""


def _is_bound(read: Source) -> bool:
    """Whether the text that was read names an element that is bound only there."""
    keys = [] if read.key is None else [read.key]
    keys += read.place.indices if read.place is not None else ()
    return any(_has_element(key) for key in keys)


def _has_element(key: Key) -> bool:
    left, looked_at = [key], {key}
    while left:
        each = left.pop()
        if each.head == "element":
            return True
        inner = {part for part in each.parts if isinstance(part, Key)} - looked_at
        looked_at |= inner
        left += inner
    return False


def _placed(found: Diagnostic, calls: tuple[Call, ...], read: Source) -> Diagnostic:
    """The diagnostic, at the place where the author of the game can fix it, with the path of the secret."""
    span, message = found.span, found.message
    related = [*read.path]
    related += [
        Related(f"through `{name}`", place)
        for name, place in reversed(read.via)
        if is_somewhere(place)
    ]
    if (
        read.span is not None
        and is_somewhere(read.span)
        and not (span.source is read.span.source and span.start <= read.span.start < span.end)
    ):
        what = "its face" if read.kind == "face" else "it"
        happens = "it is shuffled here" if _is_shuffled(read) else f"{what} is read here"
        related.append(Related(happens, read.span))
    told = span
    if calls and calls[-1].in_mechanism:
        for call in reversed(calls):
            if not call.in_mechanism:
                break
            told = call.span or told
    if told is not span:
        related.append(Related("it happens here", span))
        message = f"in `{calls[-1].name}`, {message}"
    return evolve(found, message=message, span=told, related=tuple(related))

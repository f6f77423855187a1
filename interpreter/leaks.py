"""A leak -> its report: a diagnostic, and the two games side by side.

An author should see at once who learns something, from which statement, and how the two games differ that looked the
same to this player.
"""

from bisect import bisect_right

from attrs import evolve, frozen

from interpreter.display_names import Listener
from interpreter.errors import RuleFault
from interpreter.event_log import Event
from interpreter.judge import Item, Leak, What
from interpreter.labels import seat_name, zone_name
from interpreter.layout import Layout
from interpreter.playthroughs import Playthrough
from interpreter.recordings import sight_of
from interpreter.silences import Over
from interpreter.story import tell_event, tell_story
from interpreter.variations import tell_variation
from interpreter.views import Question, View
from rulespec import codes
from rulespec.codes import Code
from rulespec.diagnostics import Diagnostic, Severity
from rulespec.source import Span

MOST_BEFORE = 5  # sentences about what was the same in both games
MOST_OPTIONS = 10  # options of a question up to which all are shown

CODES: dict[What, Code] = {
    "question": codes.HIDDEN_OPTIONS,
    "screen": codes.HIDDEN_OPTIONS,
    "asked": codes.HIDDEN_REASON,
    "reason": codes.HIDDEN_REASON,
    "step": codes.PUBLIC_SECRET,
    "end": codes.PUBLIC_SECRET,
    "fault": codes.PUBLIC_SECRET,
}
MESSAGES: dict[What, str] = {
    "question": "{name} is asked something else in a game that looks the same to {name}",
    "screen": "the screen of {name} shows something else in a game that looks the same to {name}",
    "asked": "{name} is asked this in only one of two games that look the same to {name}",
    "reason": "the reason for this is different in a game that looks the same to {name}",
    "step": "this lets {name} tell two games apart that look the same to {name} until then",
    "end": "only one of two games that look the same to {name} until then ends here",
    "fault": "the rules cannot go on in only one of two games that look the same to {name}",
}


@frozen
class SideBySide:
    """Two games as a player observes them: the last steps that are the same, and the first that differ."""

    player: str
    change: str  # what differs in the second game although the player cannot see it
    before: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]


def diagnose(leak: Leak) -> Diagnostic:
    """The diagnostic: what is wrong, and where."""
    message = MESSAGES[leak.what].format(name=seat_name(None, leak.player))
    # A step that everybody sees may be meant to tell something; a secret must change no question.
    is_error = leak.what not in {"step", "end"}
    severity: Severity = "error" if is_error else "warning"
    return Diagnostic(CODES[leak.what], message, span_of(leak), severity=severity)


def span_of(leak: Leak) -> Span:
    """The statement that gives something away."""
    match leak.culprit:
        case Event(origin=origin) | Question(origin=origin):
            return origin.span
        case RuleFault():
            return leak.culprit.span
        case View():
            return _last_step(leak)
        case Over():
            for other in (leak.first, leak.second):
                if isinstance(other, Event | Question):
                    return other.origin.span
            return _last_step(leak)


def _last_step(leak: Leak) -> Span:
    """What the player observed last in both games, or the start of the game."""
    sight = sight_of(leak.recording, leak.player)
    if leak.position:
        return sight.event(leak.position - 1).origin.span
    return leak.recording.machine.layout.code.blocks["play"].origin.span


def game_up_to(leak: Leak) -> Playthrough:
    """The first game, up to the point where the two games diverge."""
    recording, sight = leak.recording, sight_of(leak.recording, leak.player)
    made = sight.asked.get(leak.position)
    if made is None:
        marks = [moment.mark for moment in recording.moments]
        is_last = leak.position >= len(sight.told)
        made = bisect_right(marks, len(recording.events) if is_last else sight.told[leak.position])
    return evolve(recording.played, choices=recording.played.choices[:made])


# ---- Side by side --------------------------------------------------------------------------------


def side_by_side(leak: Leak) -> SideBySide:
    """The two games as the player observes them."""
    recording, sight = leak.recording, sight_of(leak.recording, leak.player)
    to = Listener(recording.machine.layout, None, leak.player, most=8)
    end = sight.told[leak.position] if leak.position < len(sight.told) else len(recording.events)
    questions = {moment.mark: moment.decision for moment in recording.moments}
    before = tell_story(to, recording.events, questions, until=end)
    first, second = _told(to, leak.first), _told(to, leak.second)
    if isinstance(leak.first, View) and isinstance(leak.second, View):
        first, second = _screens(leak.first, leak.second)
    elif first == second:
        first, second = _closer(to.layout, leak.first), _closer(to.layout, leak.second)
    elif max(len(first), len(second)) > MOST_OPTIONS:
        first, second = _only_other(first, second), _only_other(second, first)
    return SideBySide(
        seat_name(None, leak.player),
        tell_variation(recording, leak.variation, leak.outcome),
        tuple(each.text for each in before[-MOST_BEFORE:]),
        first,
        second,
    )


def _told(to: Listener, item: Item) -> tuple[str, ...]:
    match item:
        case Event():
            text = tell_event(to, item)
            return (text,) if text else ()
        case Question(prompt=prompt, options=options):
            name = seat_name(None, to.player or 0)
            return f"{name} is asked: {prompt}", *(f"  {text}" for _, text in options)
        case RuleFault():
            return (f"the rules cannot go on: {item.message}",)
        case Over():
            return ("the game is over",)
        case View():
            return ()


def _only_other(lines: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The beginning of a long list, and the lines that the other list lacks."""
    kept = [line for line in lines[1:] if line not in others][:MOST_OPTIONS]
    rest = len(lines) - 1 - len(kept)
    return lines[0], *kept, f"  … {rest} more" if rest else ""


def _closer(layout: Layout, item: Item) -> tuple[str, ...]:
    """For two steps that sound the same, words that tell them apart: their places, or what the rules say."""
    match item:
        case Event(kind="move", data=(_, source, left, _, _)) if left is not None:
            return (f"place {left + 1} of {zone_name(layout, source)} is taken",)
        case Event(kind="show", data=(_, places, _)):
            found = sorted((zone, place or 0) for zone, place in places)
            return tuple(
                f"place {place + 1} of {zone_name(layout, zone)} is shown" for zone, place in found
            )
        case Event(origin=origin) | Question(origin=origin):
            cites = " ".join(f"@{clause}" for clause in origin.cites)
            return (f"{origin.rule}: {cites} {origin.sentence or ''}".strip(),)
    return ()


def _screens(one: View, other: View) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How two screens differ."""
    lines: list[tuple[str, ...]] = []
    for here, there in ((one, other), (other, one)):
        zones = [
            f"{zone.name}: {', '.join(card.text or '▢' for card in zone.cards)}"
            for zone, elsewhere in zip(here.zones, there.zones, strict=True)
            if zone != elsewhere
        ]
        variables = [
            f"{each.name}: {each.text}"
            for each, elsewhere in zip(here.variables, there.variables, strict=True)
            if each != elsewhere
        ]
        lines.append((*zones, *variables) or (f"phase {here.phase}",))
    return lines[0], lines[1]

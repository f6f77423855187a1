"""A game that was played -> what a player could learn by it without being shown.

Implements docs/language/13-semantics.md, "Secrets that are tried". A second game is played in which something
that the player cannot see is otherwise. As long as it looks the same to the player, the player must be asked
the same and see the same; and where the two part, they must part at something that is made to be seen.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal, TypeAlias

from attrs import define, frozen

from interpreter.errors import LimitReached, RuleFault
from interpreter.knowledge import Event
from interpreter.machine import Machine, apply
from interpreter.options import Decision
from interpreter.pairs import Second, answer, begin, go_on, new_events
from interpreter.playthroughs import Playthrough
from interpreter.recordings import Recording, Sight, record, sight_of
from interpreter.state import OVER, State
from interpreter.variations import Luck, Variation, draw_variation, is_same_screen
from interpreter.views import Question, View, by_face, observed, question_of, view

AHEAD = 20  # questions that are compared after the one up to which nothing should show
MOST_OPTIONS = 1000  # of a question that are compared
MOST_SILENT = 4  # decisions of others in a row of which the player is told nothing
LOOK_AHEAD = 20  # observations in which a step is looked for that only comes later

# What differs: the options or the prompt, being asked at all, the screen, the explanation of a step, a
# step that all are told of, the end of the game, or that the rules cannot go on.
What: TypeAlias = Literal["question", "asked", "screen", "reason", "step", "end", "fault"]


@frozen
class Over:
    """Nothing more happens: the game is over."""


Item: TypeAlias = Question | Event | Over | RuleFault | View


@frozen(eq=False)
class Leak:
    """Two games that looked the same to a player, and what the player then gets in each of them."""

    what: What
    player: int
    recording: Recording
    variation: Variation
    outcome: Any
    position: int  # how much the player had observed in both
    first: Item
    second: Item


class _Parted(Exception):  # noqa: N818 - it is no error
    """The two games part; with a leak, or openly."""

    def __init__(self, leak: Leak | None = None) -> None:
        super().__init__()
        self.leak = leak


@define
class Verdict:
    """What was found, how many pairs were compared for it and how much work that was."""

    leaks: list[Leak]
    pairs: int = 0
    work: int = 0


def judge(
    machine: Machine, games: Iterator[Playthrough], pairs: int, seed: int, most: int | None
) -> Iterator[Verdict]:
    """Compare so many pairs of games, and say after each what came out; not after too much work."""
    luck = Luck(seed)
    verdict = Verdict([])
    recordings: list[Recording] = []
    for n in range(pairs):
        # Half of the pairs begin with a game that was not looked at yet.
        played = next(games, None) if n % 2 == 0 else None
        if played is not None:
            recordings.append(record(machine, played))
            verdict.work += recordings[-1].work
        if not recordings:
            return
        recording = recordings[-1] if played is not None else luck.pick(recordings)
        leak, work = compare(recording, n % machine.layout.players, luck)
        verdict.pairs += 1
        verdict.work += work
        if leak is not None:
            verdict.leaks.append(leak)
        yield verdict
        if most is not None and verdict.work > most:
            return


def compare(recording: Recording, player: int, luck: Luck) -> tuple[Leak | None, int]:
    """Play one pair, with the eyes of a player; a leak if there is one, and the work."""
    variation = draw_variation(recording, player, luck)
    if variation is None:
        return None, 0
    sight = sight_of(recording, player)
    second = begin(recording, player, variation, sight.told)
    try:
        _compare(sight, second)
    except _Parted as parted:
        return parted.leak, second.work
    return None, second.work


def _compare(sight: Sight, second: Second) -> None:
    """Play on for as long as the two look the same; what parts them is raised."""
    s = second.state
    left = second.variation.far - second.began + AHEAD
    is_answer = False
    while True:
        _compare_events(sight, second, is_answer=is_answer)
        is_answer = False
        if s.phase == OVER:
            _compare_end(sight, second)
            return
        try:
            if not isinstance(s.pending, Decision):
                go_on(second)
            elif left == 0:
                return
            elif s.pending.player == second.player:
                number = _compare_questions(sight, second, s.pending)
                is_answer = True
                answer(second, number)
            else:
                _compare_screens(sight, second)
                go_on(second)
        except LimitReached:
            return
        except RuleFault as fault:
            _compare_events(sight, second, is_answer=is_answer)
            if second.position >= len(sight.told) and not sight.recording.over:
                return
            raise _part(sight, second, "fault", _next_item(sight, second.position), fault) from None
        left -= 1


def _part(sight: Sight, second: Second, what: What, here: Item, there: Item) -> _Parted:
    if not second.varied:
        raise AssertionError("two games differ before there is a difference between them")
    return _Parted(
        Leak(
            what,
            second.player,
            sight.recording,
            second.variation,
            second.outcome,
            second.position,
            here,
            there,
        )
    )


def _next_item(sight: Sight, position: int) -> Item:
    """What the player gets in the first game after so many observations."""
    if position in sight.asked:
        decision = sight.recording.moments[sight.asked[position]].decision
        return question_of(sight.recording.machine, decision)
    return sight.event(position) if position < len(sight.told) else Over()


# ---- Events --------------------------------------------------------------------------------------


def _compare_events(sight: Sight, second: Second, *, is_answer: bool) -> None:
    """What has happened in the second game, one by one."""
    layout, player = sight.recording.machine.layout, second.player
    events = [each for each in new_events(second) if each.told >> player & 1]
    for n, event in enumerate(events):
        position = second.position
        if position in sight.asked and not (is_answer and n == 0):
            _not_asked(sight, second, event)
        if position >= len(sight.told) and not sight.recording.over:
            raise _Parted
        if position >= len(sight.told):
            _happens_alone(sight, second, Over(), event)
        there = observed(layout, event, player)
        before = sight.event(position)
        if sight.observation(position) != there:
            _differ(sight, second, before, events[n:])
        if before.origin != event.origin:
            raise _part(sight, second, "reason", before, event)
        second.position += 1
        second.waits.clear()


def _differ(sight: Sight, second: Second, here: Event, events: list[Event]) -> None:
    """Two steps that do not look the same to the player."""
    there, player = events[0], second.player
    if _is_own(here, player) and _is_own(there, player) and here.origin == there.origin:
        raise _part(sight, second, "question", here, there)
    if _is_own(here, player) or _is_own(there, player):
        raise _part(sight, second, "asked", here, there)
    if "chose" in {here.kind, there.kind} or _shows_faces(sight, here, there, player):
        raise _Parted
    suspects = _suspects(sight, second, here, events)
    if all(_discloses(each, player) for each in suspects):
        raise _Parted
    _happens_alone(sight, second, here, there)


def _is_own(event: Event, player: int) -> bool:
    return event.kind == "chose" and bool(event.data[0] == player)


def _discloses(event: Event, player: int) -> bool:
    """Whether a step is made to show something to a player, or is somebody else's own decision."""
    return event.kind in {"top", "chose"} or bool(event.seers >> player & 1)


def _shows_faces(sight: Sight, here: Event, there: Event, player: int) -> bool:
    """Whether both show faces to the player, and other ones."""
    if here.kind != there.kind or not (_discloses(here, player) and _discloses(there, player)):
        return False
    layout = sight.recording.machine.layout
    return _faces(layout.faces, here) != _faces(layout.faces, there)


def _faces(faces: list[int], event: Event) -> list[int]:
    pieces = event.data[1] if event.kind == "shuffle" else event.data[0]
    return [faces[c] for c in (pieces if isinstance(pieces, tuple) else (pieces,))]


def _suspects(sight: Sight, second: Second, here: Event, events: list[Event]) -> list[Event]:
    """The steps by which two games part: what happens in only one of them, or both if they stand for each other."""
    position = second.position
    later = [sight.event(n) for n in range(position, min(position + LOOK_AHEAD, len(sight.told)))]
    comes_here = _first_with(later, events[0])
    comes_there = _first_with(events, here)
    if comes_here is not None and comes_there is None:
        return later[:comes_here]
    if comes_there is not None and comes_here is None:
        return events[:comes_there]
    return [here, events[0]]


def _first_with(events: list[Event], wanted: Event) -> int | None:
    return next((n for n, each in enumerate(events) if each.origin is wanted.origin), None)


def _happens_alone(sight: Sight, second: Second, here: Event | Over, there: Event | Over) -> None:
    """A step that all are told of is made in one game and not in the other; unless others decided so."""
    events = [each for each in (here, there) if isinstance(each, Event)]
    if any(each.kind == "chose" for each in events):
        raise _Parted
    if all(_discloses(each, second.player) for each in events) and len(events) == 2:
        raise _Parted
    if _can_come(sight, second.waits, second.player, here):
        raise _Parted
    if _can_come(sight, _first_waits(sight, second.position), second.player, there):
        raise _Parted
    what: What = "step" if len(events) == 2 else "end"
    raise _part(sight, second, what, here, there)


def _compare_end(sight: Sight, second: Second) -> None:
    position = second.position
    if position in sight.asked:
        _not_asked(sight, second, Over())
    if position < len(sight.told):
        _happens_alone(sight, second, sight.event(position), Over())


# ---- Questions -----------------------------------------------------------------------------------


def _compare_questions(sight: Sight, second: Second, pending: Decision) -> int:
    """The player is asked in the second game; what was answered in the first one."""
    machine, position = sight.recording.machine, second.position
    number = sight.asked.get(position)
    if number is None and position >= len(sight.told) and not sight.recording.over:
        raise _Parted
    if number is None:
        _asked_alone(sight, second, question_of(machine, pending))
        raise AssertionError("they part")
    moment = sight.recording.moments[number]
    if not _is_same_question(machine, moment.decision, pending):
        here, there = question_of(machine, moment.decision), question_of(machine, pending)
        what: What = "question" if here.origin == there.origin else "asked"
        raise _part(sight, second, what, here, there)
    _same_screen(sight, second, moment.state)
    return sight.recording.played.choices[number]


def _is_same_question(machine: Machine, here: Decision, there: Decision) -> bool:
    """Whether two questions look the same: texts are compared by what they are made of, as that is quicker."""
    if here.origin != there.origin or len(here.options) != len(there.options):
        return False
    layout = machine.layout
    options = (
        tuple(by_face(layout, value, each.of) for value in islice(each.options, MOST_OPTIONS))
        for each in (here, there)
    )
    return here.prompt == there.prompt and next(options) == next(options)


def _asked_alone(sight: Sight, second: Second, question: Question) -> None:
    """The player is asked in the second game, and not in the first one."""
    here = _next_item(sight, second.position)
    if isinstance(here, Event) and _is_own(here, second.player):
        what: What = "question" if here.origin == question.origin else "asked"
        raise _part(sight, second, what, here, question)
    waits = _first_waits(sight, second.position)
    if _can_come(sight, waits, second.player, question):
        raise _Parted
    raise _part(sight, second, "asked", here, question)


def _not_asked(sight: Sight, second: Second, there: Event | Over) -> None:
    """The player is asked in the first game; in the second one something else happens."""
    here = _next_item(sight, second.position)
    if isinstance(there, Event) and isinstance(here, Question) and _is_own(there, second.player):
        what: What = "question" if here.origin == there.origin else "asked"
        raise _part(sight, second, what, here, there)
    if _can_come(sight, second.waits, second.player, here):
        raise _Parted
    raise _part(sight, second, "asked", here, there)


def _compare_screens(sight: Sight, second: Second) -> None:
    """While others are asked the player sees the same in both games, if there is such a moment in the first."""
    if second.waits or not second.varied:
        return
    found = sight.others.get(second.position)
    if found:
        _same_screen(sight, second, sight.recording.moments[found[0]].state)


def _same_screen(sight: Sight, second: Second, state: State) -> None:
    machine, player = sight.recording.machine, second.player
    if is_same_screen(machine, state, second.state, player):
        return
    here, there = view(machine, state, player), view(machine, second.state, player)
    if here != there:
        raise _part(sight, second, "screen", here, there)


# ---- What others may decide in silence -----------------------------------------------------------


def _first_waits(sight: Sight, position: int) -> list[State]:
    moments = sight.recording.moments
    return [moments[n].state for n in sight.others.get(position, [])]


def _can_come(sight: Sight, waits: list[State], player: int, wanted: Item) -> bool:
    """Whether others could have decided, without a word to the player, so that this comes next."""
    machine = sight.recording.machine
    return any(_leads_to(machine, state, player, wanted, MOST_SILENT) for state in waits)


def _leads_to(machine: Machine, s: State, player: int, wanted: Item, depth: int) -> bool:
    pending = s.pending
    if not isinstance(pending, Decision) or depth == 0:
        return False
    last = len(pending.options) - 1
    numbers = {0, last} if pending.simultaneous else {last} if pending.may else set()
    for number in sorted(numbers):
        ahead = s.clone()
        ahead.watch.events = []
        ahead.rng = 0 if ahead.rng is None else ahead.rng
        try:
            apply(machine, ahead, number)
        except RuleFault:
            continue
        if _comes_next(machine, ahead, player, wanted) or (
            not _told(ahead, player) and _leads_to(machine, ahead, player, wanted, depth - 1)
        ):
            return True
    return False


def _told(s: State, player: int) -> list[Event]:
    return [each for each in s.watch.events if each.told >> player & 1]


def _comes_next(machine: Machine, s: State, player: int, wanted: Item) -> bool:
    told = _told(s, player)
    match wanted:
        case Event():
            layout = machine.layout
            return bool(told) and observed(layout, told[0], player) == observed(
                layout, wanted, player
            )
        case Question():
            mine = isinstance(s.pending, Decision) and s.pending.player == player
            return not told and mine and question_of(machine, s.pending) == wanted
        case Over():
            return not told and s.phase == OVER
    return False

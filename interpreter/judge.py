"""A game that was played -> what a player could learn from it although nothing showed it.

Implements docs/language/13-semantics.md, "Secrets that are tried". A second game is played in which something
that the player cannot see is different. As long as both look the same to the player, the player must be asked the
same and see the same. Where they part, they must part at something that is meant to be seen.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal, NoReturn, TypeAlias

from attrs import define, field, frozen

from interpreter import chance
from interpreter.actions import untagged
from interpreter.amounts import tells_amount
from interpreter.disclosures import (
    announces_alone,
    are_turns,
    asks,
    comes_later,
    find,
    is_elsewhere,
    is_laid_open_next,
    is_open,
    is_others,
    is_outcome,
    is_told_next,
    key,
    lies_elsewhere,
    on_ways_apart,
    shows_faces,
)
from interpreter.errors import LimitReached, RuleFault
from interpreter.event_log import Event
from interpreter.hearing import words_asked
from interpreter.layout import Layout
from interpreter.machine import Machine
from interpreter.options import Decision
from interpreter.pairs import Second, answer, begin, go_on, new_events
from interpreter.playthroughs import Playthrough
from interpreter.recordings import Recording, Sight, record, sight_of
from interpreter.silences import Over, Step, can_come
from interpreter.state import OVER, State
from interpreter.variations import (
    Luck,
    Variation,
    draw_variation,
    is_same_screen,
)
from interpreter.views import View, by_face, observed, question_of, view
from rulespec.core.types import present

AHEAD = 20  # questions to compare after the one up to which nothing should show
MOST_OPTIONS = 1000  # options of a question to compare
LOOK_AHEAD = 20  # observations in which to look for a step that comes later
# What differs: the options or the prompt, being asked at all, the screen, the explanation of a step, a
# step that all are told of, the end of the game, or that the rules cannot go on.
What: TypeAlias = Literal["question", "asked", "screen", "reason", "step", "end", "fault"]
Item: TypeAlias = Step | RuleFault | View


@frozen(eq=False)
class Leak:
    """Two games that looked the same to a player, and what the player then observes in each of them."""

    what: What
    player: int
    recording: Recording
    variation: Variation
    outcome: Any
    position: int  # how much the player had observed in both
    first: Item
    second: Item
    culprit: Item  # the step of theirs that gives something away


class _Parted(Exception):  # noqa: N818 - it is no error
    """The two games part; with a leak, or openly."""

    def __init__(self, leak: Leak | None = None) -> None:
        super().__init__()
        self.leak = leak


@define
class Verdict:
    """What was found, how many pairs of games were compared, and how much work that took."""

    leaks: list[Leak] = field(factory=list)
    pairs: int = 0
    work: int = 0


def judge(
    machine: Machine, games: Iterator[Playthrough], pairs: int, seed: int, most: int | None
) -> Iterator[Verdict]:
    """Compare so many pairs of games, and say after each what came out; not after too much work."""
    luck = Luck(seed & chance.MASK)
    verdict = Verdict()
    recordings: list[Recording] = []
    for n in range(pairs):
        # Half of the pairs start with a game that has not been compared yet.
        fresh = (each for each in games if each.choices or each.over)
        new = next(fresh, None) if n % 2 == 0 else None
        if new is not None:
            recordings.append(record(machine, new))
            verdict.work += recordings[-1].work
        if not recordings:
            return
        recording = recordings[-1] if new is not None else luck.pick(recordings)
        player = n % machine.layout.players
        variation = draw_variation(recording, player, luck)
        if variation is None:
            continue
        leak, work = compare(recording, player, variation)
        verdict.pairs += 1
        verdict.work += work
        if leak is not None:
            verdict.leaks.append(leak)
        yield verdict
        if most is not None and verdict.work > most:
            return


def compare(recording: Recording, player: int, variation: Variation) -> tuple[Leak | None, int]:
    """Play one pair, with the eyes of a player; a leak if there is one, and the work."""
    sight = sight_of(recording, player)
    second = begin(recording, player, variation, sight.told)
    return play_second(sight, second), second.work


def play_second(sight: Sight, second: Second) -> Leak | None:
    """Play the second game for as long as it looks like the first one; a leak if that is how they part."""
    try:
        _compare(sight, second)
    except _Parted as parted:
        return parted.leak
    return None


def _compare(sight: Sight, second: Second) -> None:
    """Play on as long as the two games look the same; raises what parts them."""
    s = second.state
    left = second.variation.far - second.began + AHEAD
    is_answer = False
    while True:
        _compare_events(sight, second, is_answer=is_answer)
        is_answer = False
        if s.phase == OVER:
            is_end = second.position >= len(sight.told) and second.position not in sight.asked
            if not is_end:
                _differ(sight, second, [])
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
            if _ends_here(sight, second.position):
                return
            here = _steps_here(sight, second.position)[0]
            raise _part(sight, second, "fault", here, fault, fault) from None
        left -= 1


def _part(  # noqa: PLR0913, PLR0917 - the two games, and what each of them has
    sight: Sight, second: Second, what: What, here: Item, there: Item, culprit: Item | None = None
) -> _Parted:
    """The games part by a leak; the culprit is what gives the secret away, if not what the first one has."""
    if (
        not second.varied
    ):  # the second game could not be played like the first one, so it shows nothing
        return _Parted()
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
            here if culprit is None else culprit,
        )
    )


# ---- What happens --------------------------------------------------------------------------------


def _compare_events(sight: Sight, second: Second, *, is_answer: bool) -> None:
    """Compare the new events of the second game one by one."""
    layout, player = sight.recording.machine.layout, second.player
    events = [each for each in new_events(second) if each.told >> player & 1]
    for n, event in enumerate(events):
        position = second.position
        answers = is_answer and n == 0
        if _ends_here(sight, position):
            raise _Parted
        if (position in sight.asked and not answers) or position >= len(sight.told):
            _differ(sight, second, events[n:])
        before = sight.event(position)
        seen = sight.observation(position) == observed(layout, event, player)
        if not seen or _sort_of(before) is not _sort_of(event):
            _differ(sight, second, events[n:])
        is_same = before.origin is event.origin
        if not is_same and is_others(event, player) and _is_asked_apart(sight, before, event):
            second.asked_apart = True
        elif not is_same and _reason(layout, before) != _reason(layout, event):
            raise _part(sight, second, "reason", before, event)
        second.position += 1
        second.waits.clear()


def _sort_of(event: Event) -> type | None:
    """The sort of value that was chosen: a number may just be the number of something else."""
    return type(present(untagged(*event.data[1:3])[1])) if event.kind == "chose" else None


def _reason(layout: Layout, event: Event) -> tuple[Any, ...]:
    """The explanation of a step: its place in the rulebook and, for an answer, the question."""
    asked = words_asked(layout, event.origin) if event.kind == "chose" else ""
    return event.origin.cites, event.origin.sentence, asked


def _is_asked_apart(sight: Sight, here: Step, there: Step) -> bool:
    """Whether two choices do not stand on two ways of one test, both of which ask, nor are one that asks one of two."""
    if isinstance(here, Over) or isinstance(there, Over):
        return False
    if here.origin is there.origin:  # several players are asked in turn
        deeds, asked = sight.recording.deeds, id(here.origin)
        return len({who for _, statement, who in deeds if statement == asked}) > 1
    return not on_ways_apart(sight, here, there)


def _ends_here(sight: Sight, position: int) -> bool:
    """Whether the first game was cut off here, so that it is unknown what would have followed."""
    return position >= len(sight.told) and not sight.recording.over


def _compare_questions(sight: Sight, second: Second, pending: Decision) -> int:
    """Compare a question in the second game with that of the first; returns the answer of the first game."""
    machine, position = sight.recording.machine, second.position
    number = sight.asked.get(position)
    if number is None:
        if _ends_here(sight, position):
            raise _Parted
        _differ(sight, second, [])
    moment = sight.recording.moments[sight.asked[position]]
    if not _is_same_question(machine, moment.decision, pending):
        _differ(sight, second, [])
    _same_screen(sight, second, moment.state)
    return sight.recording.played.choices[sight.asked[position]]


def _is_same_question(machine: Machine, here: Decision, there: Decision) -> bool:
    """Whether two questions look the same: texts are compared by what they are made of, as that is quicker."""
    if here.origin is not there.origin or len(here.options) != len(there.options):
        return False
    layout = machine.layout
    options = (
        tuple(by_face(layout, value, each.of) for value in islice(each.options, MOST_OPTIONS))
        for each in (here, there)
    )
    return here.prompt == there.prompt and next(options) == next(options)


def _compare_screens(sight: Sight, second: Second) -> None:
    """While others are asked, compare the player's screens, if the first game has such a moment."""
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


# ---- Where two games part ------------------------------------------------------------------------


def _differ(sight: Sight, second: Second, events: list[Event]) -> NoReturn:
    """The player gets something else next: whether that is made to be seen, or others decided it, or it is a leak."""
    player = second.player
    position, waits = second.position, [*second.waits]
    zones = [*second.state.zones]
    here, there = _steps_here(sight, position), _steps_there(sight, second, events)
    second.position = position
    one, other = here[0], there[0]
    if tells_amount(sight, second, one, other):
        raise _Parted
    if key(one, player) == key(other, player):
        for mine, steps in ((one, there), (other, here)):
            # It comes in both games, after something that is there to be seen.
            n = comes_later(sight, steps, mine, player)
            if n and (is_open(second, steps[0]) or is_told_next(sight, second, steps[:n])):
                raise _Parted
        if is_laid_open_next(sight, second, here, there):
            raise _Parted
        _differ_in_content(sight, second, one, other)
    if announces_alone(sight, here, there, player) or announces_alone(sight, there, here, player):
        raise _Parted
    comes_here, comes_there = find(here, other, player), find(there, one, player)
    suspects: list[Step] = [one, other]
    far = LOOK_AHEAD + len(here) + len(there)
    first, then = (far if n is None else n for n in (comes_here, comes_there))
    if first < then:
        suspects = [one]  # it is an additional step
    elif then < first:
        suspects = [other]
    if all(is_open(second, each) for each in suspects):
        raise _Parted
    # Two ways that one of them tells apart; or both come in both games, and either may be in addition.
    either = first == then or max(first, then) < far or on_ways_apart(sight, one, other)
    if either and any(is_open(second, each) for each in (one, other)):
        raise _Parted
    # What comes in addition is told by one of its steps; if both come later, either may be in addition.
    added = [steps[:n] for steps, n in ((here, first), (there, then)) if n < far]
    if any(is_told_next(sight, second, each) for each in added):
        raise _Parted
    ways = ((here, other), (there, one))
    if any(is_told_next(sight, second, *each) for each in ways):
        raise _Parted
    both = ((one, zones), (other, sight.zones(position)))
    if any(suspects == [step] and lies_elsewhere(sight, step, lie) for step, lie in both):
        raise _Parted
    asking = [each for each in suspects if asks(each, player)]
    others = [each for each in suspects if is_others(each, player)]
    if others and (not asking or _is_asked_apart(sight, *suspects)):
        raise _Parted  # somebody else was asked, and has told it by the choice
    if are_turns(sight, one, other):
        raise _Parted  # one of two has a turn in which somebody is asked, and the other had none
    first_waits = _first_waits(sight, position)
    comings = (
        (one in suspects and asks(one, player), waits, one),
        (other in suspects and asks(other, player), first_waits, other),
    )
    for is_asked, states, wanted in comings:
        if (is_asked or not asking) and can_come(sight.recording.machine, states, player, wanted):
            raise _Parted
    if not asking and second.asked_apart:
        raise _Parted
    ending = [each for each in suspects if isinstance(each, Over)]
    hiding = [each for each in suspects if not is_open(second, each)]
    what: What = "asked" if asking else "end" if ending else "step"
    raise _part(sight, second, what, one, other, (asking or ending or hiding)[0])


def _differ_in_content(sight: Sight, second: Second, here: Step, there: Step) -> NoReturn:
    """The same statement shows the player something different."""
    player = second.player
    if isinstance(here, Event) and here.kind == "announce":
        raise _Parted
    if asks(here, player):
        raise _part(sight, second, "question", here, there)
    if not isinstance(here, Event) or not isinstance(there, Event):
        raise _Parted  # both are over
    others = second.asked_apart or is_others(here, player)
    if others or shows_faces(sight, here, there, player):
        raise _Parted
    if is_open(second, here) and is_open(second, there):
        raise _Parted
    if is_outcome(sight, second, here, there) or is_elsewhere(sight, second, here, there):
        raise _Parted
    waits = _first_waits(sight, second.position)
    if can_come(sight.recording.machine, second.waits, player, here) or can_come(
        sight.recording.machine, waits, player, there
    ):
        raise _Parted
    raise _part(sight, second, "step", here, there)


def _steps_here(sight: Sight, position: int) -> list[Step]:
    """The next steps of the first game."""
    steps: list[Step] = []
    machine = sight.recording.machine
    for n in range(position, min(position + LOOK_AHEAD, len(sight.told))):
        if n in sight.asked:
            decision = sight.recording.moments[sight.asked[n]].decision
            steps.append(question_of(machine, decision))
        steps.append(sight.event(n))
    return steps if len(steps) >= LOOK_AHEAD else [*steps, Over()]


def _steps_there(sight: Sight, second: Second, events: list[Event]) -> list[Step]:
    """The next steps of the second game, which is played on until the player is asked."""
    s, player = second.state, second.player
    steps: list[Step] = [*events]
    try:
        while len(steps) < LOOK_AHEAD and s.pending is not None:
            pending = s.pending
            if isinstance(pending, Decision) and pending.player == player:
                return [*steps, question_of(sight.recording.machine, pending)]
            go_on(second)
            steps += [each for each in new_events(second) if each.told >> player & 1]
    except RuleFault:
        return steps or [Over()]
    return [*steps, Over()] if s.phase == OVER else steps


def _first_waits(sight: Sight, position: int) -> list[State]:
    return [sight.recording.moments[n].state for n in sight.others.get(position, [])]

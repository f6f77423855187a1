"""A game that was played -> what a player could learn from it although nothing showed it.

Implements docs/language/13-semantics.md, "Secrets that are tried". A second game is played in which something
that the player cannot see is different. As long as both look the same to the player, the player must be asked the
same and see the same. If they diverge, they must diverge at something that is meant to be seen.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal, TypeAlias

from attrs import define, field, frozen

from interpreter import chance
from interpreter.actions import untagged
from interpreter.amounts import tells_amount
from interpreter.disclosures import (
    announces_alone,
    are_separate_turns,
    asks,
    in_different_branches,
    is_choice_of_another,
    is_laid_open_next,
    is_made_to_be_seen,
    is_revealed_next,
    is_told_next,
    position_of_step,
    shows_absent_pieces,
    shows_faces,
    step_key,
    steps_until_same,
    tells_only_outcome,
    tells_only_place,
)
from interpreter.errors import LimitReached, RuleFault
from interpreter.event_log import Event
from interpreter.hearing import words_asked
from interpreter.layout import Layout
from interpreter.machine import Machine
from interpreter.options import Decision
from interpreter.playthroughs import Playthrough
from interpreter.recordings import Recording, Sight, record, sight_of
from interpreter.second_game import (
    SecondGame,
    begin_second_game,
    new_events,
    repeat_answer,
    repeat_decision,
)
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

AHEAD = 20  # questions to compare after the last one at which no difference should show
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


@frozen
class _Parting:
    """The end of a comparison: the two games diverge, by a leak or openly."""

    leak: Leak | None


OPENLY = _Parting(None)


@define
class Verdict:
    """What was found, how many pairs of games were compared, and how much work that took."""

    leaks: list[Leak] = field(factory=list)
    pairs: int = 0
    work: int = 0


def judge(
    machine: Machine, games: Iterator[Playthrough], pairs: int, seed: int, most: int | None
) -> Iterator[Verdict]:
    """Compare pairs of games, up to a number of pairs and a limit of work; yield the result of each."""
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
        leak, work = compare_pair(recording, player, variation)
        verdict.pairs += 1
        verdict.work += work
        if leak is not None:
            verdict.leaks.append(leak)
        yield verdict
        if most is not None and verdict.work > most:
            return


def compare_pair(
    recording: Recording, player: int, variation: Variation
) -> tuple[Leak | None, int]:
    """Play one pair of games from the viewpoint of a player; return a leak if there is one, and the work."""
    sight = sight_of(recording, player)
    second = begin_second_game(recording, player, variation, sight.told)
    return play_second(sight, second), second.work


def play_second(sight: Sight, second: SecondGame) -> Leak | None:
    """Play the second game as long as it looks like the first one; return the leak if they diverge by one."""
    s = second.state
    left = second.variation.far - second.began + AHEAD
    is_answer = False
    while True:
        parting = _compare_events(sight, second, is_answer=is_answer)
        is_answer = False
        if parting is not None:
            return parting.leak
        if s.phase == OVER:
            is_end = second.position >= len(sight.told) and second.position not in sight.asked
            return None if is_end else _differ(sight, second, [])
        try:
            if not isinstance(s.pending, Decision):
                repeat_decision(second)
            elif left == 0:
                return None
            elif s.pending.player == second.player:
                parting = _compare_questions(sight, second, s.pending)
                if parting is not None:
                    return parting.leak
                is_answer = True
                number = sight.asked[second.position]
                repeat_answer(second, sight.recording.played.choices[number])
            else:
                parting = _compare_screens(sight, second)
                if parting is not None:
                    return parting.leak
                repeat_decision(second)
        except LimitReached:
            return None
        except RuleFault as fault:
            return _judge_fault(sight, second, fault, is_answer=is_answer)
        left -= 1


def _judge_fault(
    sight: Sight, second: SecondGame, fault: RuleFault, *, is_answer: bool
) -> Leak | None:
    """The rules cannot go on in the second game."""
    parting = _compare_events(sight, second, is_answer=is_answer)
    if parting is not None:
        return parting.leak
    if _ends_here(sight, second.position):
        return None
    return _leak(sight, second, "fault", _steps_here(sight, second.position)[0], fault, fault)


def _leak(  # noqa: PLR0913, PLR0917 - the two games, and what each of them has
    sight: Sight,
    second: SecondGame,
    what: What,
    here: Item,
    there: Item,
    culprit: Item | None = None,
) -> Leak | None:
    """Report that the games diverge by a leak; the culprit gives the secret away, by default the first game's step.

    None if the second game could not follow the first one, so that it proves nothing.
    """
    if not second.varied:
        return None
    return Leak(
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


# ---- What happens --------------------------------------------------------------------------------


def _compare_events(sight: Sight, second: SecondGame, *, is_answer: bool) -> _Parting | None:
    """Compare the new events of the second game one by one; None while both games look the same."""
    layout, player = sight.recording.machine.layout, second.player
    events = [each for each in new_events(second) if each.told >> player & 1]
    for n, event in enumerate(events):
        position = second.position
        answers = is_answer and n == 0
        if _ends_here(sight, position):
            return OPENLY
        if (position in sight.asked and not answers) or position >= len(sight.told):
            return _Parting(_differ(sight, second, events[n:]))
        before = sight.event(position)
        seen = sight.observation(position) == observed(layout, event, player)
        if not seen or _sort_of(before) is not _sort_of(event):
            return _Parting(_differ(sight, second, events[n:]))
        is_same = before.origin is event.origin
        if (
            not is_same
            and is_choice_of_another(event, player)
            and _is_asked_apart(sight, before, event)
        ):
            second.asked_apart = True
        elif not is_same and _reason(layout, before) != _reason(layout, event):
            return _Parting(_leak(sight, second, "reason", before, event))
        second.position += 1
        second.waits.clear()
    return None


def _sort_of(event: Event) -> type | None:
    """The type of the chosen value, as pieces, members and seats are also numbers."""
    return type(present(untagged(*event.data[1:3])[1])) if event.kind == "chose" else None


def _reason(layout: Layout, event: Event) -> tuple[Any, ...]:
    """The explanation of a step: its place in the rulebook and, for an answer, the question."""
    asked = words_asked(layout, event.origin) if event.kind == "chose" else ""
    return event.origin.cites, event.origin.sentence, asked


def _is_asked_apart(sight: Sight, here: Step, there: Step) -> bool:
    """Whether two choices are separate questions: asked of several players in turn, or not in branches of one test."""
    if isinstance(here, Over) or isinstance(there, Over):
        return False
    if here.origin is there.origin:  # several players are asked in turn
        decisions, asked = sight.recording.decisions, id(here.origin)
        return len({who for _, statement, who in decisions if statement == asked}) > 1
    return not in_different_branches(sight, here, there)


def _ends_here(sight: Sight, position: int) -> bool:
    """Whether the first game was cut off here, so that it is unknown what would have followed."""
    return position >= len(sight.told) and not sight.recording.over


def _compare_questions(sight: Sight, second: SecondGame, pending: Decision) -> _Parting | None:
    """Compare a question in the second game with that of the first; None if both are the same."""
    machine, position = sight.recording.machine, second.position
    number = sight.asked.get(position)
    if number is None:
        if _ends_here(sight, position):
            return OPENLY
        return _Parting(_differ(sight, second, []))
    moment = sight.recording.moments[number]
    if not _is_same_question(machine, moment.decision, pending):
        return _Parting(_differ(sight, second, []))
    return _same_screen(sight, second, moment.state)


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


def _compare_screens(sight: Sight, second: SecondGame) -> _Parting | None:
    """While others are asked, compare the player's screens, if the first game has such a moment."""
    if second.waits or not second.varied:
        return None
    found = sight.others.get(second.position)
    if not found:
        return None
    return _same_screen(sight, second, sight.recording.moments[found[0]].state)


def _same_screen(sight: Sight, second: SecondGame, state: State) -> _Parting | None:
    machine, player = sight.recording.machine, second.player
    if is_same_screen(machine, state, second.state, player):
        return None
    here, there = view(machine, state, player), view(machine, second.state, player)
    return None if here == there else _Parting(_leak(sight, second, "screen", here, there))


# ---- Where two games diverge ---------------------------------------------------------------------


@frozen
class _Divergence:
    """What the player observes next in each of two games; their first steps differ."""

    here: list[Step]
    there: list[Step]
    suspects: list[Step]  # the first steps, or the additional one
    added: list[list[Step]]  # the steps of one game before the other one's first step
    either: bool  # whether each of the first steps may be what comes in addition


def _differ(sight: Sight, second: SecondGame, events: list[Event]) -> Leak | None:
    """The player observes different next steps: a leak, unless they are meant to be seen, or others decided it."""
    player = second.player
    position, waits = second.position, [*second.waits]
    zones = [*second.state.zones]
    here, there = _steps_here(sight, position), _steps_there(sight, second, events)
    second.position = position
    one, other = here[0], there[0]
    if tells_amount(sight, second, one, other):
        return None
    if step_key(one, player) == step_key(other, player):
        return _differ_in_content(sight, second, here, there)
    if announces_alone(sight, here, there, player) or announces_alone(sight, there, here, player):
        return None
    d = _divergence(sight, here, there)
    if is_laid_open_next(sight, second, here, there, d.suspects):
        return None
    if _is_disclosed(sight, second, d, zones) or _is_up_to_others(sight, second, d, waits):
        return None
    asking = [each for each in d.suspects if asks(each, player)]
    ending = [each for each in d.suspects if isinstance(each, Over)]
    hiding = [each for each in d.suspects if not is_made_to_be_seen(second, each)]
    what: What = "asked" if asking else "end" if ending else "step"
    return _leak(sight, second, what, one, other, (asking or ending or hiding)[0])


def _differ_in_content(
    sight: Sight, second: SecondGame, here: list[Step], there: list[Step]
) -> Leak | None:
    """The same statement shows the player something different."""
    player, one, other = second.player, here[0], there[0]
    for mine, steps in ((one, there), (other, here)):
        # Both games have the step, after one that is meant to be seen.
        n = steps_until_same(sight, steps, mine, player)
        if n and (is_made_to_be_seen(second, steps[0]) or is_told_next(sight, second, steps[:n])):
            return None
    if is_revealed_next(sight, second, here, there):
        return None
    if is_laid_open_next(sight, second, here, there, [one, other]):
        return None
    if isinstance(one, Event) and one.kind == "announce":
        return None
    if asks(one, player):
        return _leak(sight, second, "question", one, other)
    if not isinstance(one, Event) or not isinstance(other, Event):
        return None  # both are over
    by_others = second.asked_apart or is_choice_of_another(one, player)
    if by_others or shows_faces(sight, one, other, player):
        return None
    if is_made_to_be_seen(second, one) and is_made_to_be_seen(second, other):
        return None
    if tells_only_outcome(sight, second, one, other) or tells_only_place(sight, second, one, other):
        return None
    waits = ((second.waits, one), (_first_waits(sight, second.position), other))
    if any(can_come(sight.recording.machine, states, player, wanted) for states, wanted in waits):
        return None
    return _leak(sight, second, "step", one, other)


def _divergence(sight: Sight, here: list[Step], there: list[Step]) -> _Divergence:
    """Which first step is additional: the one that the other game's first step follows sooner."""
    one, other = here[0], there[0]
    far = LOOK_AHEAD + len(here) + len(there)
    comes_here, comes_there = (
        position_of_step(here, other, sight.player),
        position_of_step(there, one, sight.player),
    )
    first, then = (far if n is None else n for n in (comes_here, comes_there))
    return _Divergence(
        here,
        there,
        [one] if first < then else [other] if then < first else [one, other],
        [steps[:n] for steps, n in ((here, first), (there, then)) if n < far],
        # Either one step tells two branches apart, or both games have both steps and either may be additional.
        first == then or max(first, then) < far or in_different_branches(sight, one, other),
    )


def _is_disclosed(
    sight: Sight, second: SecondGame, d: _Divergence, zones: list[tuple[int, ...]]
) -> bool:
    """Whether a step that only one game has openly shows the difference; `zones` are those of the second game."""
    one, other = d.here[0], d.there[0]
    if all(is_made_to_be_seen(second, each) for each in d.suspects):
        return True
    if d.either and any(is_made_to_be_seen(second, each) for each in (one, other)):
        return True
    # One of the additional steps shows the difference; if both first steps come later, either may be additional.
    if any(is_told_next(sight, second, each) for each in d.added):
        return True
    if any(is_told_next(sight, second, *each) for each in ((d.here, other), (d.there, one))):
        return True
    both = ((one, zones), (other, sight.zones(second.position)))
    return any(d.suspects == [step] and shows_absent_pieces(sight, step, lie) for step, lie in both)


def _is_up_to_others(sight: Sight, second: SecondGame, d: _Divergence, waits: list[State]) -> bool:
    """Whether what others chose, or that they were asked, leads to the different step."""
    player, one, other = second.player, d.here[0], d.there[0]
    asking = [each for each in d.suspects if asks(each, player)]
    chosen = [each for each in d.suspects if is_choice_of_another(each, player)]
    if chosen and (not asking or _is_asked_apart(sight, *d.suspects)):
        return True  # somebody else was asked, and the choice showed it
    if are_separate_turns(sight, one, other):
        return True  # one player has a turn with a question, and the other player had none
    comings = (
        (one in d.suspects and asks(one, player), waits, one),
        (other in d.suspects and asks(other, player), _first_waits(sight, second.position), other),
    )
    for is_asked, states, wanted in comings:
        if (is_asked or not asking) and can_come(sight.recording.machine, states, player, wanted):
            return True
    return not asking and second.asked_apart


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


def _steps_there(sight: Sight, second: SecondGame, events: list[Event]) -> list[Step]:
    """The next steps of the second game, which is played on until the player is asked."""
    s, player = second.state, second.player
    steps: list[Step] = [*events]
    try:
        while len(steps) < LOOK_AHEAD and s.pending is not None:
            pending = s.pending
            if isinstance(pending, Decision) and pending.player == player:
                return [*steps, question_of(sight.recording.machine, pending)]
            repeat_decision(second)
            steps += [each for each in new_events(second) if each.told >> player & 1]
    except RuleFault:
        return steps or [Over()]
    return [*steps, Over()] if s.phase == OVER else steps


def _first_waits(sight: Sight, position: int) -> list[State]:
    return [sight.recording.moments[n].state for n in sight.others.get(position, [])]

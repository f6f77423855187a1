"""A game that was played -> what a player could learn by it without being shown.

Implements docs/language/13-semantics.md, "Secrets that are tried". A second game is played in which something
that the player cannot see is otherwise. As long as it looks the same to the player, the player must be asked
the same and see the same; and where the two part, they must part at something that is made to be seen.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Literal, NoReturn, TypeAlias

from attrs import define, field, frozen

from interpreter import chance
from interpreter.actions import plain
from interpreter.errors import LimitReached, RuleFault
from interpreter.hearing import words_asked
from interpreter.knowledge import Event, holds_pieces
from interpreter.layout import Layout
from interpreter.machine import Machine
from interpreter.options import Decision
from interpreter.pairs import Second, answer, begin, go_on, new_events
from interpreter.playthroughs import Playthrough
from interpreter.recordings import Recording, Sight, record, sight_of, value_of
from interpreter.silences import Over, Step, can_come
from interpreter.state import OVER, State
from interpreter.variations import (
    NO_PIECE,
    Luck,
    Variation,
    decides_pieces,
    draw_variation,
    is_same_screen,
    pieces_of,
    pieces_told,
)
from interpreter.views import Question, View, by_face, observed, question_of, view
from interpreter.ways import are_ways_apart
from rulespec.core.types import present

AHEAD = 20  # questions that are compared after the one up to which nothing should show
MOST_OPTIONS = 1000  # of a question that are compared
LOOK_AHEAD = 20  # observations in which a step is looked for that only comes later
FEW = 4  # statements of one game only, among which something is told openly
# What differs: the options or the prompt, being asked at all, the screen, the explanation of a step, a
# step that all are told of, the end of the game, or that the rules cannot go on.
What: TypeAlias = Literal["question", "asked", "screen", "reason", "step", "end", "fault"]
Item: TypeAlias = Step | RuleFault | View


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
    culprit: Item  # the one of them that gives something away


class _Parted(Exception):  # noqa: N818 - it is no error
    """The two games part; with a leak, or openly."""

    def __init__(self, leak: Leak | None = None) -> None:
        super().__init__()
        self.leak = leak


@define
class Verdict:
    """What was found, how many pairs were compared for it and how much work that was."""

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
        # Half of the pairs begin with a game that was not looked at yet.
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
    """Play on for as long as the two look the same; what parts them is raised."""
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
    if not second.varied:  # it could not be played as the first one was, so it shows nothing
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
    """What has happened in the second game, one by one."""
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
        if not is_same and _is_others(event, player) and _is_asked_apart(sight, before, event):
            second.asked_apart = True
        elif not is_same and _reason(layout, before) != _reason(layout, event):
            raise _part(sight, second, "reason", before, event)
        second.position += 1
        second.waits.clear()


def _sort_of(event: Event) -> type | None:
    """What sort of value was chosen: a number may be no more than the number of something else."""
    return type(present(plain(*event.data[1:3])[1])) if event.kind == "chose" else None


def _reason(layout: Layout, event: Event) -> tuple[Any, ...]:
    """What is said of a step to whoever asks why: by the rulebook, and of an answer what was asked."""
    asked = words_asked(layout, event.origin) if event.kind == "chose" else ""
    return event.origin.cites, event.origin.sentence, asked


def _is_asked_apart(sight: Sight, here: Step, there: Step) -> bool:
    """Whether two choices do not stand on two ways of one test, both of which ask, nor are one that asks one of two."""
    if isinstance(here, Over) or isinstance(there, Over):
        return False
    if here.origin is there.origin:  # several are asked in turn
        deeds, asked = sight.recording.deeds, id(here.origin)
        return len({who for _, statement, who in deeds if statement == asked}) > 1
    return not _are_ways_apart(sight, here, there)


def _are_ways_apart(sight: Sight, here: Step, there: Step) -> bool:
    if isinstance(here, Over) or isinstance(there, Over):
        return False
    return are_ways_apart(sight.recording.machine.layout.code, here.origin, there.origin)


def _ends_here(sight: Sight, position: int) -> bool:
    """Whether the first game was cut off here, so that nobody knows what would have followed."""
    return position >= len(sight.told) and not sight.recording.over


def _compare_questions(sight: Sight, second: Second, pending: Decision) -> int:
    """The player is asked in the second game; what was answered in the first one."""
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


# ---- Where two games part ------------------------------------------------------------------------


def _differ(sight: Sight, second: Second, events: list[Event]) -> NoReturn:
    """The player gets something else next: whether that is made to be seen, or others decided it, or it is a leak."""
    player = second.player
    position, waits = second.position, [*second.waits]
    zones = [*second.state.zones]
    here, there = _steps_here(sight, position), _steps_there(sight, second, events)
    second.position = position
    one, other = here[0], there[0]
    if _key(one, player) == _key(other, player):
        for mine, steps in ((one, there), (other, here)):
            # It comes in both games, after something that is there to be seen.
            n = _comes_later(sight, steps, mine, player)
            if n and (_is_open(second, steps[0]) or _is_told_next(sight, second, steps[:n])):
                raise _Parted
        if _is_laid_open_next(sight, here, there):
            raise _Parted
        _differ_in_content(sight, second, one, other)
    comes_here, comes_there = _find(here, there, player), _find(there, here, player)
    suspects: list[Step] = [one, other]
    far = LOOK_AHEAD + len(here) + len(there)
    first, then = (far if n is None else n for n in (comes_here, comes_there))
    if first < then:
        suspects = [one]  # it comes in addition
    elif then < first:
        suspects = [other]
    if all(_is_open(second, each) for each in suspects):
        raise _Parted
    # Two ways that one of them tells apart; or both come in both games, and either may be in addition.
    either = first == then or max(first, then) < far or _are_ways_apart(sight, one, other)
    if either and any(_is_open(second, each) for each in (one, other)):
        raise _Parted
    # What comes in addition is told by one of its steps; if both come later, either may be in addition.
    added = [steps[:n] for steps, n in ((here, first), (there, then)) if n < far]
    if any(_is_told_next(sight, second, each) for each in added):
        raise _Parted
    ways = ((here, other), (there, one))
    if any(_is_told_next(sight, second, *each) for each in ways):
        raise _Parted
    both = ((one, zones), (other, sight.zones(position)))
    if any(suspects == [step] and _lies_elsewhere(sight, step, lie) for step, lie in both):
        raise _Parted
    asks = any(_asks(each, player) for each in suspects)
    others = [each for each in suspects if _is_others(each, player)]
    if others and (not asks or _is_asked_apart(sight, *suspects)):
        raise _Parted  # somebody else was asked, and has told it by the choice
    first_waits = _first_waits(sight, position)
    comings = (
        (one in suspects and _asks(one, player), waits, one),
        (other in suspects and _asks(other, player), first_waits, other),
    )
    for is_asked, states, wanted in comings:
        if (is_asked or not asks) and can_come(sight.recording.machine, states, player, wanted):
            raise _Parted
    if not asks and second.asked_apart:
        raise _Parted
    asking = [each for each in suspects if _asks(each, player)]
    ending = [each for each in suspects if isinstance(each, Over)]
    hiding = [each for each in suspects if not _is_open(second, each)]
    what: What = "asked" if asking else "end" if ending else "step"
    raise _part(sight, second, what, one, other, (asking or ending or hiding)[0])


def _differ_in_content(sight: Sight, second: Second, here: Step, there: Step) -> NoReturn:
    """The same statement gives the player something else."""
    player = second.player
    if isinstance(here, Event) and here.kind == "announce":
        raise _Parted
    if _asks(here, player):
        raise _part(sight, second, "question", here, there)
    if not isinstance(here, Event) or not isinstance(there, Event):
        raise _Parted  # both are over
    others = second.asked_apart or _is_others(here, player)
    if others or _shows_faces(sight, here, there, player):
        raise _Parted
    if _is_open(second, here) and _is_open(second, there):
        raise _Parted
    if _is_outcome(sight, second, here, there) or _is_elsewhere(sight, second, here, there):
        raise _Parted
    waits = _first_waits(sight, second.position)
    if can_come(sight.recording.machine, second.waits, player, here) or can_come(
        sight.recording.machine, waits, player, there
    ):
        raise _Parted
    raise _part(sight, second, "step", here, there)


def _steps_here(sight: Sight, position: int) -> list[Step]:
    """What comes next in the first game."""
    steps: list[Step] = []
    machine = sight.recording.machine
    for n in range(position, min(position + LOOK_AHEAD, len(sight.told))):
        if n in sight.asked:
            decision = sight.recording.moments[sight.asked[n]].decision
            steps.append(question_of(machine, decision))
        steps.append(sight.event(n))
    return steps if len(steps) >= LOOK_AHEAD else [*steps, Over()]


def _steps_there(sight: Sight, second: Second, events: list[Event]) -> list[Step]:
    """What comes next in the second game, which is played on until the player is asked."""
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


def _key(step: Step, player: int) -> tuple[Any, ...]:
    """What makes two steps the same: the statement; whether the player was asked or had no choice."""
    match step:
        case Question(origin=origin):
            return "asked", id(origin)
        case Event(kind=kind, origin=origin):
            if _is_others(step, player):
                return kind, id(origin), step.data[0]
            return "asked" if _asks(step, player) else kind, id(origin)
        case Over():
            return ("over",)


def _find(steps: list[Step], others: list[Step], player: int) -> int | None:
    """Where the first of the other steps comes, and after it the second one, unless that is cut off."""
    keys = [(_key(each, player), _aim(each)) for each in steps]
    wanted = [(_key(each, player), _aim(each)) for each in others[:2]]
    return next((n for n in range(len(keys)) if keys[n : n + 2] == wanted[: len(keys) - n]), None)


def _aim(step: Step) -> Any:
    """To whom something is shown, where it is moved, which variable is set, what is told beside pieces."""
    match step:
        case Event(kind="show", data=(*_, players)):
            return players
        case Event(kind="move", data=(_, _, _, zone, _)):
            return zone
        case Event(kind="set", data=(variable, *_)):
            return variable
        case Event(kind="tell" | "heading", data=(parts, *_)):
            return [each for each in parts if isinstance(each, str) or not holds_pieces(each.of)]
    return None


def _comes_later(sight: Sight, steps: list[Step], wanted: Step, player: int) -> int:
    """After how many steps a player observes just this; 0 if it does not come."""
    layout = sight.recording.machine.layout
    if isinstance(wanted, Event):
        look = observed(layout, wanted, player)
        for n, each in enumerate(steps):
            if n and isinstance(each, Event) and observed(layout, each, player) == look:
                return n
    return 0


def _asks(step: Step, player: int) -> bool:
    """Whether a player is asked, or would be if there were several options."""
    return isinstance(step, Question) or (
        isinstance(step, Event) and step.kind == "chose" and bool(step.data[0] == player)
    )


def _is_others(step: Step, player: int) -> bool:
    """Whether somebody else has decided it."""
    return isinstance(step, Event) and step.kind == "chose" and bool(step.data[0] != player)


def _is_told_next(
    sight: Sight, second: Second, steps: list[Step], other: Step | None = None
) -> bool:
    """Whether of steps that only one game has one is made to be seen, before the player is asked.

    With a step of the `other` way of a test it must tell their own way from that.
    """
    statements: set[int] = set()
    for each in steps:
        statements.add(0 if isinstance(each, Over) else id(each.origin))
        if len(statements) > FEW or _asks(each, second.player):
            return False
        is_seen = _is_others(each, second.player) or _is_open(second, each)
        if is_seen and (other is None or _are_ways_apart(sight, each, other)):
            return True
    return False


def _is_laid_open_next(sight: Sight, here: list[Step], there: list[Step]) -> bool:
    """Whether chance has drawn a plain value, and the cards that allowed it are shown before the player is asked."""
    if not isinstance(here[0], Event) or here[0].kind != "random":
        return False
    for one, other in islice(zip(here, there, strict=False), 1, FEW):
        same = _key(one, sight.player) == _key(other, sight.player)
        if not (same and isinstance(one, Event) and isinstance(other, Event)):
            return False
        if _asks(one, sight.player):
            return False
        if one.kind == "show" and _shows_faces(sight, one, other, sight.player):
            return True
    return False


def _lies_elsewhere(sight: Sight, step: Step, zones: Sequence[Sequence[int]]) -> bool:
    """Whether pieces are shown that do not lie there in the other game: then it may have nothing to show."""
    if not isinstance(step, Event) or step.kind != "show" or not step.seers >> sight.player & 1:
        return False
    faces = sight.recording.machine.layout.faces
    pieces, places, _ = step.data
    return any(
        faces[piece] not in {faces[each] for each in zones[zone]}
        for piece, (zone, _) in zip(pieces, places, strict=True)
    )


def _is_open(second: Second, step: Step) -> bool:
    """Whether a step that only one game has is there to show just what is otherwise in the other."""
    if isinstance(step, Event) and step.kind == "announce":
        return True
    if not isinstance(step, Event) or not step.seers >> second.player & 1:
        return False
    varied = {*second.places}
    decided = second.recording.events[second.variation.event]
    before, after = pieces_of(value_of(decided)), pieces_of(second.outcome)
    if decided.kind == "shuffle":
        varied.update(c for c, d in zip(before, after, strict=True) if c != d)
    elif decides_pieces(decided):
        varied.update(before, after)
    if step.kind == "move":  # or one that looks like it
        faces = second.recording.machine.layout.faces
        return faces[step.data[0]] in {faces[c] for c in varied}
    return not varied.isdisjoint(pieces_told(step))


def _shows_faces(sight: Sight, here: Event, there: Event, player: int) -> bool:
    """Whether both show faces to the player, and other ones, that did not all lie open before."""
    both = here.seers & there.seers & 1 << player
    lay_open = all(_lay_open(sight, each, player) for each in (here, there))
    return bool(both) and not lay_open and _faces(sight, here) != _faces(sight, there)


def _faces(sight: Sight, event: Event) -> list[int]:
    faces = sight.recording.machine.layout.faces
    return [-1 if c == NO_PIECE else faces[c] for c in pieces_told(event)]


def _lay_open(sight: Sight, event: Event, player: int) -> bool:
    """Whether the player saw into the zones in which the pieces of a step lay."""
    zones = [event.data[1]] if event.kind == "move" else []
    if event.kind == "show":
        zones = [zone for zone, _ in event.data[1]]
    into = sight.recording.machine.eyes.into
    return bool(zones) and all(into[zone] >> player & 1 for zone in zones)


def _is_outcome(sight: Sight, second: Second, here: Event, there: Event) -> bool:
    """Whether the steps tell of nothing but what somebody, or chance, has chosen: at which place it lay, say."""
    decided = sight.recording.events[second.variation.event]
    both = ((sight.recording.events, here), (second.state.watch.events, there))
    before, after = (_chosen(events, step, second.player) for events, step in both)
    if decided.kind != "shuffle" and decides_pieces(decided):
        before.update(pieces_of(value_of(decided)))
        after.update(pieces_of(second.outcome))
    is_chosen = before.issuperset(pieces_told(here)) and after.issuperset(pieces_told(there))
    return is_chosen and _aim(here) == _aim(there)


def _chosen(events: list[Event], step: Event, player: int) -> set[int]:
    """The pieces that somebody else, or chance, has chosen last before a step."""
    chosen: set[int] = set()
    for each in events:
        if each is step:
            break
        if _is_others(each, player):
            chosen = {*pieces_of(each.data[1])} if holds_pieces(each.data[2]) else set()
        elif each.kind == "random" and holds_pieces(each.data[1]):
            chosen = {*pieces_of(each.data[0])}
    return chosen


def _is_elsewhere(sight: Sight, second: Second, here: Event, there: Event) -> bool:
    """Whether it is only told where a piece was that the player sees, or that somebody or chance has chosen."""
    open_to = here.seers & there.seers & 1 << second.player
    if not open_to and sight.recording.events[second.variation.event].kind == "shuffle":
        return False
    if here.kind == there.kind == "move":
        if here.data[:4] == there.data[:4] and here.data[4] != there.data[4]:
            return _are_twins(sight, second)
        others = open_to and _faces(sight, here) != _faces(sight, there)
        return not others and bool(here.data[3:] == there.data[3:])
    return here.kind == "show" and bool(open_to) and pieces_told(here) == pieces_told(there)


def _are_twins(sight: Sight, second: Second) -> bool:
    """Whether somebody else, or chance, picked another piece that looks the same: beside which one lies is told."""
    decided = sight.recording.events[second.variation.event]
    if decided.kind == "shuffle" or not decides_pieces(decided):
        return False  # what lies where is no choice
    look = sight.recording.machine.layout.faces.__getitem__
    before, after = pieces_of(value_of(decided)), pieces_of(second.outcome)
    return sorted(map(look, before)) == sorted(map(look, after))


def _first_waits(sight: Sight, position: int) -> list[State]:
    return [sight.recording.moments[n].state for n in sight.others.get(position, [])]

"""What a player observes next in each of two games -> whether the step that differs is meant to be seen.

The judge uses it, so that a step that rightly shows the difference is no leak. It finds which steps both games share,
which come in one game only, and which of these openly show what is different.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from interpreter.branches import are_in_different_branches, asks_in_turn
from interpreter.event_log import Event, holds_pieces
from interpreter.recordings import Sight, decided_value
from interpreter.second_game import SecondGame
from interpreter.silences import Over, Step
from interpreter.variations import NO_PIECE, as_pieces, decides_pieces, pieces_told
from interpreter.views import Question, observed

FEW = 4  # statements of one game only, one of which must show something openly


def in_different_branches(sight: Sight, here: Step, there: Step) -> bool:
    if isinstance(here, Over) or isinstance(there, Over):
        return False
    return are_in_different_branches(sight.recording.machine.layout.code, here.origin, there.origin)


def are_separate_turns(sight: Sight, here: Step, there: Step) -> bool:
    """Whether the same statement asks two players, each in a turn of their own."""
    if isinstance(here, Over) or isinstance(there, Over) or here.origin is not there.origin:
        return False
    apart = is_choice_of_another(here, sight.player) or is_choice_of_another(there, sight.player)
    return apart and asks_in_turn(sight.recording.machine.layout.code, here.origin)


def step_key(step: Step, player: int) -> tuple[Any, ...]:
    """The key of a step: equal keys mean the same step. It is the statement, and whether the player was asked."""
    match step:
        case Question(origin=origin):
            return "asked", id(origin)
        case Event(kind=kind, origin=origin):
            if is_choice_of_another(step, player):
                return kind, id(origin), step.data[0]
            return "asked" if asks(step, player) else kind, id(origin)
        case Over():
            return ("over",)


def position_of_step(steps: list[Step], wanted: Step, player: int) -> int | None:
    """The position of a step among others."""
    named = _named(wanted, player)
    return next((n for n, each in enumerate(steps) if _named(each, player) == named), None)


def announces_alone(sight: Sight, here: list[Step], there: list[Step], player: int) -> bool:
    """Whether the first step of this game announces something that the other game does not announce, or only elsewhere.

    If both announce it, it tells the games apart only if it stands in one branch of a test, and the other game's step
    in another branch. Otherwise this game skipped the other game's first step, and the announcement does not show that.
    """
    first = here[0]
    if not isinstance(first, Event) or first.kind != "announce":
        return False
    n = position_of_step(there, first, player)
    if n is None:
        return True
    names, others = ([_named(each, player) for each in steps] for steps in (here, there))
    return names[:2] != others[n : n + 2] and in_different_branches(sight, first, there[0])


def _named(step: Step, player: int) -> tuple[Any, ...]:
    return *step_key(step, player), _target_of(step)


def _target_of(step: Step) -> Any:
    """What a step does, apart from its pieces: who sees it, where pieces go, which variable it sets, what it tells."""
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


def steps_until_same(sight: Sight, steps: list[Step], wanted: Step, player: int) -> int:
    """The number of steps before a player observes exactly this step; 0 if it never comes."""
    layout = sight.recording.machine.layout
    if isinstance(wanted, Event):
        look = observed(layout, wanted, player)
        for n, each in enumerate(steps):
            if n and isinstance(each, Event) and observed(layout, each, player) == look:
                return n
    return 0


def asks(step: Step, player: int) -> bool:
    """Whether a player is asked, or would be if there were several options."""
    return isinstance(step, Question) or (
        isinstance(step, Event) and step.kind == "chose" and bool(step.data[0] == player)
    )


def is_choice_of_another(step: Step, player: int) -> bool:
    """Whether another player decided this step."""
    return isinstance(step, Event) and step.kind == "chose" and bool(step.data[0] != player)


def is_told_next(
    sight: Sight, second: SecondGame, steps: list[Step], other: Step | None = None
) -> bool:
    """Whether one of the steps that only this game has openly shows something before the player is asked.

    If a step of the `other` branch of a test is given, it must tell the two branches apart.
    """
    statements: set[int] = set()
    for each in steps:
        statements.add(0 if isinstance(each, Over) else id(each.origin))
        if len(statements) > FEW or asks(each, second.player):
            return False
        is_seen = is_choice_of_another(each, second.player) or is_made_to_be_seen(second, each)
        if is_seen and (other is None or in_different_branches(sight, each, other)):
            return True
    return False


def is_revealed_next(sight: Sight, second: SecondGame, here: list[Step], there: list[Step]) -> bool:
    """Whether the cause of a step is shown to the player before the player is asked.

    Chance has drawn a plain value, and cards that have it are shown; or somebody else is shown something, and then the
    player is shown what differs between the games.
    """
    steps = [each for each in (here[0], there[0]) if isinstance(each, Event)]
    is_drawn = all(each.kind == "random" for each in steps)
    is_shown = all(each.kind == "show" and not each.seers >> sight.player & 1 for each in steps)
    if len(steps) < 2 or not (is_drawn or is_shown):
        return False
    for one, other in islice(zip(here, there, strict=False), 1, FEW):
        same = step_key(one, sight.player) == step_key(other, sight.player)
        if not (same and isinstance(one, Event) and isinstance(other, Event)):
            return False
        if asks(one, sight.player):
            return False
        if one.kind == "show" and shows_faces(sight, one, other, sight.player):
            if is_shown:
                return is_made_to_be_seen(second, one) and is_made_to_be_seen(second, other)
            return all(
                _has_value(sight, shown, value.data[0])
                for shown, value in zip((one, other), steps, strict=True)
            )
    return False


def is_laid_open_next(
    sight: Sight, second: SecondGame, here: list[Step], there: list[Step], suspects: list[Step]
) -> bool:
    """Whether a later statement soon shows the cause of the suspected steps: both games have it, with different faces.

    Points are counted, for example, and then the card is laid down.
    """
    one, other = (_first_shown(second, steps) for steps in (here, there))
    if one is None or other is None or one.origin is not other.origin:
        return False
    if any(isinstance(each, Over) or each.origin is one.origin for each in suspects):
        return False
    return shows_faces(sight, one, other, second.player)


def _first_shown(second: SecondGame, steps: list[Step]) -> Event | None:
    """The first of a few steps that openly moves or shows pieces; None if somebody is asked before it."""
    statements: set[int] = set()
    for each in steps:
        if not isinstance(each, Event) or each.kind == "chose" or len(statements) > FEW:
            return None
        if each.kind in ("move", "show") and is_made_to_be_seen(second, each):
            return each
        statements.add(id(each.origin))
    return None


def _has_value(sight: Sight, shown: Event, value: Any) -> bool:
    """Whether one of the shown pieces has an attribute with this value."""
    attributes = sight.recording.machine.layout.attributes.values()
    return any(each[c] == value for each in attributes for c in pieces_told(shown) if c != NO_PIECE)


def shows_absent_pieces(sight: Sight, step: Step, zones: Sequence[Sequence[int]]) -> bool:
    """Whether the step shows pieces that are not in that zone in the other game, which may thus have nothing to show."""
    if not isinstance(step, Event) or step.kind != "show" or not step.seers >> sight.player & 1:
        return False
    faces = sight.recording.machine.layout.faces
    pieces, places, _ = step.data
    return any(
        faces[piece] not in {faces[each] for each in zones[zone]}
        for piece, (zone, _) in zip(pieces, places, strict=True)
    )


def is_made_to_be_seen(second: SecondGame, step: Step) -> bool:
    """Whether a step that only one game has openly shows exactly what differs in the other."""
    if isinstance(step, Event) and step.kind == "announce":
        return True
    if not isinstance(step, Event) or not step.seers >> second.player & 1:
        return False
    varied = {*second.places}
    decided = second.recording.events[second.variation.event]
    before, after = as_pieces(decided_value(decided)), as_pieces(second.outcome)
    if decided.kind == "shuffle":
        varied.update(c for c, d in zip(before, after, strict=True) if c != d)
    elif decides_pieces(decided):
        varied.update(before, after)
    if step.kind == "move":  # or a piece that looks like it
        faces = second.recording.machine.layout.faces
        return faces[step.data[0]] in {faces[c] for c in varied}
    return not varied.isdisjoint(pieces_told(step))


def shows_faces(sight: Sight, here: Event, there: Event, player: int) -> bool:
    """Whether both events show the player different faces that were not all visible before."""
    both = here.seers & there.seers & 1 << player
    lay_open = all(_lay_open(sight, each, player) for each in (here, there))
    return bool(both) and not lay_open and _faces(sight, here) != _faces(sight, there)


def _faces(sight: Sight, event: Event) -> list[int]:
    faces = sight.recording.machine.layout.faces
    return [-1 if c == NO_PIECE else faces[c] for c in pieces_told(event)]


def _lay_open(sight: Sight, event: Event, player: int) -> bool:
    """Whether the player saw into the zones where the pieces of a step lay."""
    zones = [event.data[1]] if event.kind == "move" else []
    if event.kind == "show":
        zones = [zone for zone, _ in event.data[1]]
    into = sight.recording.machine.visibility.into
    return bool(zones) and all(into[zone] >> player & 1 for zone in zones)


def tells_only_outcome(sight: Sight, second: SecondGame, here: Event, there: Event) -> bool:
    """Whether the steps only tell what a player or chance has chosen, for example its place in a zone."""
    decided = sight.recording.events[second.variation.event]
    both = ((sight.recording.events, here), (second.state.watch.events, there))
    before, after = (_chosen(events, step, second.player) for events, step in both)
    if decided.kind != "shuffle" and decides_pieces(decided):
        before.update(as_pieces(decided_value(decided)))
        after.update(as_pieces(second.outcome))
    is_chosen = before.issuperset(pieces_told(here)) and after.issuperset(pieces_told(there))
    return is_chosen and _target_of(here) == _target_of(there)


def _chosen(events: list[Event], step: Event, player: int) -> set[int]:
    """The pieces that another player or chance chose last before a step."""
    chosen: set[int] = set()
    for each in events:
        if each is step:
            break
        if is_choice_of_another(each, player):
            chosen = {*as_pieces(each.data[1])} if holds_pieces(each.data[2]) else set()
        elif each.kind == "random" and holds_pieces(each.data[1]):
            chosen = {*as_pieces(each.data[0])}
    return chosen


def tells_only_place(sight: Sight, second: SecondGame, here: Event, there: Event) -> bool:
    """Whether the steps differ only in the place of a piece that the player sees, or that somebody or chance chose."""
    open_to = here.seers & there.seers & 1 << second.player
    if not open_to and sight.recording.events[second.variation.event].kind == "shuffle":
        return False
    if here.kind == there.kind == "move":
        if here.data[:4] == there.data[:4] and here.data[4] != there.data[4]:
            return _are_twins(sight, second)
        others = open_to and _faces(sight, here) != _faces(sight, there)
        return not others and bool(here.data[3:] == there.data[3:])
    return here.kind == "show" and bool(open_to) and pieces_told(here) == pieces_told(there)


def _are_twins(sight: Sight, second: SecondGame) -> bool:
    """Whether somebody else, or chance, picked a different piece with the same look; only its place tells them apart."""
    decided = sight.recording.events[second.variation.event]
    if decided.kind == "shuffle" or not decides_pieces(decided):
        return False  # where a piece lies is not a choice
    look = sight.recording.machine.layout.faces.__getitem__
    before, after = as_pieces(decided_value(decided)), as_pieces(second.outcome)
    return sorted(map(look, before)) == sorted(map(look, after))

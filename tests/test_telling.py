"""Sentences about events tell a player what that player observes, and nothing else."""

import pytest
from attrs import evolve

from interpreter import match, playthroughs
from interpreter.knowledge import Event
from interpreter.naming import Listener
from interpreter.telling import tell
from rulespec import loading

GAMES = [path.name for path in loading.shipped_games()]


def play(name: str, choices: int) -> match.Match:
    game = match.load(name)
    played = game.start(seed=3)
    choose = playthroughs.at_random(3)
    while played.decision is not None and len(played.choices) < choices:
        played.apply(choose(len(played.choices), len(played.decision.options)))
    return played


def disguise(event: Event, player: int, pieces: int) -> Event:
    """The same event, with other pieces wherever the player does not see them."""

    def other(piece: int, *, seen: bool) -> int:
        return piece if seen else (piece + 7) % pieces

    sees = bool(event.seers >> player & 1)
    data = event.data
    match event.kind:
        case "move":
            data = (other(data[0], seen=sees), *data[1:])
        case "show":
            data = (tuple(other(piece, seen=sees) for piece in data[0]), *data[1:])
        case "shuffle":
            data = (data[0], tuple(other(piece, seen=sees) for piece in data[1]))
        case "chose" | "set":
            who, value, of, seers = data
            # Whoever chooses knows what; only pieces have somebody who sees them.
            knows = event.kind == "chose" and who == player
            seen = [knows or bool(each >> player & 1) for each in seers]
            if seers and isinstance(value, tuple):
                pairs = zip(value, seen, strict=True)
                value = tuple(other(piece, seen=is_seen) for piece, is_seen in pairs)
            elif seers:
                value = other(value, seen=seen[0])
            data = (who, value, of, seers)
    return evolve(event, data=data)


def test_there_are_games():
    assert len(GAMES) >= 4


@pytest.mark.parametrize("name", GAMES)
def test_a_player_is_told_nothing_of_what_is_hidden(name):
    played = play(name, 60)
    layout = played.engine.layout
    changed = 0
    for player in range(layout.players):
        to = Listener(layout, played.names, player)
        disguised = [disguise(event, player, len(layout.pieces)) for event in played.events]
        changed += sum(a != b for a, b in zip(disguised, played.events, strict=True))

        assert tell(to, played.events) == tell(to, disguised)
    assert changed > 10


@pytest.mark.parametrize("name", GAMES)
def test_every_event_is_told_to_somebody_who_sees_everything(name):
    played = play(name, 60)
    told = tell(Listener(played.engine.layout, played.names), played.events)

    assert not any("hidden" in sentence.text for sentence in told)
    assert {each.origin.rule for each in told} == {each.origin.rule for each in played.events}

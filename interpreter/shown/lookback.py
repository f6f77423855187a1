"""A finished game -> the open table at any of its choices, and what was chosen there."""

from attrs import evolve, frozen

from interpreter.match import Match
from interpreter.shown.audience import open_view
from interpreter.shown.picture import Picture, Scene, draw_picture
from interpreter.story import tell_match


@frozen
class Moment:
    """The table after a number of choices: what the last one led to, who was asked next, and the answer."""

    number: int
    count: int  # of all choices
    picture: Picture
    told: tuple[str, ...]
    question: str  # empty at the end
    answer: str


def look_at(match: Match, scene: Scene, number: int) -> Moment:
    """The table after `number` choices. Refused before the end of a game, as it would show hidden cards."""
    if not match.over:
        raise ValueError("the game is not over: only a finished game can be looked back at")
    record = match.transcript()
    then = match.game.replay(evolve(record, choices=record.choices[:number]))
    since = then.marks[-1] if then.marks else 0
    question, answer = "", ""
    if then.decision is not None and number < len(record.choices):
        chosen = record.choices[number]
        question = f"{chosen.player}: {then.decision.prompt}"
        answer = then.decision.text(chosen.number)
    return Moment(
        number=number,
        count=len(record.choices),
        picture=draw_picture(scene, open_view(then), None),
        told=tuple(each.text for each in tell_match(then, None, since)),
        question=question,
        answer=answer,
    )

"""What a bot thinks of a question -> a sentence that says what it would choose, and why."""

from typing import TYPE_CHECKING

from interpreter.naming import Listener
from interpreter.options import Decision
from interpreter.session import Session
from interpreter.titles import ranking_titles

if TYPE_CHECKING:
    from interpreter.bots import Advice
    from interpreter.bots.advice import Estimate

CLEAR = 0.03  # of the games: less is luck
CLEAR_POINTS = 0.5

DANGER = "This ends the game, and you do not win. Choose it again if you mean it."


def tell_advice(session: Session, advice: "Advice") -> str:
    """What a bot would choose in the place of whoever is asked, and what speaks for it."""
    decision = session.match.decision
    if decision is None:
        return ""
    told = f"A bot would choose: {decision.text(advice.choice)}"
    best = next((each for each in advice.estimates if each.number == advice.choice), None)
    if best is None or best.won is None:
        return f"{told}."
    others = [each for each in advice.estimates if each.number != advice.choice]
    return f"{told}. {_why(session, decision, best, others[0] if others else None)}"


def _why(session: Session, decision: Decision, best: "Estimate", next_: "Estimate | None") -> str:
    """By what the best option differs from the next one: games won, and where these are alike what counts."""
    won = f"You are ahead in {_hundred(best.won)} of 100 imagined games"
    if next_ is None or next_.won is None or best.won is None:
        return f"{won}."
    other = f"“{decision.text(next_.number)}”"
    if abs(best.won - next_.won) >= CLEAR:
        return f"{won}, after {other} in {_hundred(next_.won)}."
    if best.points is not None and next_.points is not None:
        match = session.match
        (title, *_) = ranking_titles(Listener(match.engine.layout, match.names))
        if abs(best.points - next_.points) >= CLEAR_POINTS:
            return (
                f"You end with {best.points:.1f} {title} on average, "
                f"after {other} with {next_.points:.1f}."
            )
    return f"{other} is about as good."


def _hundred(share: float | None) -> str:
    return "0" if share is None else f"{100 * share:.0f}"

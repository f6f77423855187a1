"""A bot's advice on a question -> a sentence that says what the bot would choose, and why."""

from math import hypot, sqrt
from typing import TYPE_CHECKING

from interpreter.display_names import Listener
from interpreter.options import Decision
from interpreter.session import Session
from interpreter.titles import ranking_titles

if TYPE_CHECKING:
    from interpreter.bots import Advice
    from interpreter.bots.advice import Estimate

CLEAR = 0.03  # the share of games below which a difference counts as luck
CLEAR_POINTS = 0.5

SHALLOW = (
    "It has looked one decision ahead only: there is no module in which to think about this game."
)
BLIND = "This is by chance: it has found nothing the others can hold that explains all that you have seen."

DANGER = "This ends the game, and you do not win. Choose it again if you mean it."


def tell_bot_advice(session: Session, advice: "Advice") -> str:
    """What a bot would choose in the player's place, and what speaks for it."""
    decision = session.match.decision
    if decision is None:
        return ""
    told = f"A bot would choose: {decision.text(advice.choice)}"
    if advice.is_blind:
        return f"{told}. {BLIND}"
    best = next((each for each in advice.estimates if each.number == advice.choice), None)
    if best is None or best.won is None:
        return f"{told}."
    others = [each for each in advice.estimates if each.number != advice.choice]
    why = _why(session, decision, best, others)
    return f"{told}. {why} {SHALLOW}" if advice.is_shallow else f"{told}. {why}"


def _why(session: Session, decision: Decision, best: "Estimate", others: "list[Estimate]") -> str:
    """How the best option differs from the next and from the worst: in games won, and in the average score."""
    won = f"You are ahead in {_hundred(best.won)} of 100 imagined games"
    known = [each for each in others if each.won is not None]
    if not known:
        return f"{won}."
    next_, worst = known[0], known[-1]
    other = f"“{decision.text(next_.number)}”"
    is_won = _is_clear(best, next_)
    found = [f"{won}, and in {_hundred(next_.won)} after {other}."] if is_won else []
    place = _first_score(session)
    if place is not None and _speaks_for(session, place, best, next_):
        match = session.match
        title = ranking_titles(Listener(match.engine.layout, match.names))[place]
        found.append(
            f"You end with {best.points:.1f} {title} on average, "
            f"and with {next_.points:.1f} {'otherwise' if is_won else f'after {other}'}."
        )
    if not found:
        found.append(f"{won}; {other} is about as good.")
    if len(known) > 1 and _is_clear(best, worst):
        name = decision.text(worst.number)
        found.append(f"The worst is “{name}”: ahead in {_hundred(worst.won)} of 100.")
    return " ".join(found)


def _speaks_for(session: Session, place: int, best: "Estimate", other: "Estimate") -> bool:
    """Whether the first row of the ranking is better after one option, by a clear margin that is not luck.

    This is never so where the game itself decides whether the most or the least wins: an average of
    points then speaks neither for nor against an option.
    """
    order = session.match.engine.layout.code.ranking[place].order
    if best.points is None or other.points is None or order.name != "literal":
        return False
    more = best.points - other.points
    is_sure = best.value - other.value >= 2 * hypot(best.error, other.error)
    return is_sure and (more if order.value == 1 else -more) >= CLEAR_POINTS


def _first_score(session: Session) -> int | None:
    """The first row of the ranking that holds points; rows of teams or winners do not."""
    rows = session.match.engine.layout.code.ranking
    return next((n for n, row in enumerate(rows) if row.role == "score"), None)


def _is_clear(one: "Estimate", other: "Estimate") -> bool:
    """Whether one option wins more games than another, and more than luck explains in so many."""
    if one.won is None or other.won is None:
        return False
    luck = sqrt(
        sum(x * (1 - x) / max(n, 1) for x, n in ((one.won, one.tried), (other.won, other.tried)))
    )
    return abs(one.won - other.won) >= max(CLEAR, 2 * luck)


def _hundred(share: float | None) -> str:
    return "0" if share is None else f"{100 * share:.0f}"

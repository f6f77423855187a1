"""A game -> how it stands, in a few words that all players may read: the round, and the open scores."""

from interpreter.display_names import Spectator, on_table
from interpreter.headings import open_headings
from interpreter.layout import is_hidden, place_in
from interpreter.match import Match
from interpreter.titles import number_text
from rulespec.core.tree import Op


def tell_open_scores(match: Match) -> str:
    """`Round 2, trick 3; You 4, Ada 7`; empty if the rules have neither headings nor open scores.

    >>> from interpreter.game_loading import load
    >>> tell_open_scores(load("deadlies.rules").start(["Ada", "Ben", "Cleo"], seed=7, first=0))
    "Round 1, Ada's turn; Ada 6, Ben 6, Cleo 6"
    """
    scores = [f"{name} {score}" for name, score in zip(match.names, _scores(match), strict=False)]
    return "; ".join(part for part in (", ".join(_headings(match)), ", ".join(scores)) if part)


def _headings(match: Match) -> list[str]:
    """The headings that are open, from the outermost to the innermost."""
    to = Spectator(match.engine.layout, match.names, None)
    first, *others = [each.text for each in open_headings(to, match.events)] or [""]
    return [first, *(_go_on(match, each) for each in others)]


def _go_on(match: Match, text: str) -> str:
    """A heading in the middle of a line: a name keeps its capital."""
    return text if text.startswith(match.names) else f"{text[:1].lower()}{text[1:]}"


def _scores(match: Match) -> list[str]:
    """Each player's value in the first row of the ranking, if it is an open number on the table."""
    layout = match.engine.layout
    key = next((row.key for row in layout.code.ranking if row.role == "score"), None)
    if key is None or key.name != "variable" or not on_table(layout.code, key.word):
        return []
    if not _is_own(key) or is_hidden(layout, key.word):
        return []
    family = layout.variable_families[key.word]
    values = [match.state.variables[place_in(family, [seat])] for seat in range(len(match.names))]
    return [number_text(each) for each in values if isinstance(each, int)]


def _is_own(key: Op) -> bool:
    """Whether a variable belongs to the player who is ranked."""
    return len(key.operands) == 1 and key.operands[0].name == "slot"

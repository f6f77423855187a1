"""A table of a report -> plots with their titles, to stand in any page."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from interpreter.lab import plots
from interpreter.lab.plots import Axis, Mark
from interpreter.lab.texts import measure_name, more, percent
from rulespec.rendering import count

Data = dict[str, Any]

MOST_CARDS = 24  # in a plot


@frozen
class Figure:
    """A plot as SVG, what it is called, and a few words about it."""

    title: str
    note: str
    svg: str


def simulated(table: Data) -> Iterator[Figure]:
    """What one table of `rulespec simulate` came to."""
    players, many = table["players"], f"{table['games']:,} games"
    marks = [
        Mark(
            f"seat {each['seat']}, {each['bot']}",
            each["mean"],
            each["low"],
            each["high"],
            percent(each["mean"]),
        )
        for each in table["seats"]
    ]
    yield Figure(
        "Who wins",
        f"share of victories by seat, {many}; a shared victory counts in parts",
        plots.intervals(
            f"Share of victories by seat, {count(players, 'player')}",
            "; ".join(f"{mark.label}: {mark.text}" for mark in marks),
            marks,
            Axis("share of victories, in percent", 100),
            (table["equal"], "equal"),
        ),
    )
    if table["score"]:
        yield Figure("Scores", f"of all seats: {table['score']['title']}", _spread(table, "score"))
    yield Figure("Length", "decisions in a game", _spread(table, "decisions"))
    if "sample" in table:
        yield from _cards(table)


def _cards(table: Data) -> Iterator[Figure]:
    """Cards that do not move in every game, and what those win who have one at the end."""
    players, sample = table["players"], table["sample"]
    there = [card for card in sample["cards"] if card["moved"] or card["held"]]
    seldom = sorted((card for card in there if card["moved"] < 1), key=lambda card: card["moved"])
    always = len(there) - len(seldom)
    if seldom:
        shown = seldom[:MOST_CARDS]
        yield Figure(
            "Cards in play",
            f"in how many of {sample['games']:,} sampled games one of them moved after setup"
            + (f"; {always} more kinds always did" if always else "")
            + (f"; the {MOST_CARDS} least of {len(seldom)}" if len(shown) < len(seldom) else ""),
            plots.bars(
                f"How often cards moved, {count(players, 'player')}",
                "; ".join(f"{card['name']} {percent(card['moved'])}" for card in shown),
                [(card["name"], card["moved"], percent(card["moved"])) for card in shown],
                "share of the sampled games",
            ),
        )
    held = sorted((card for card in there if "won" in card), key=lambda card: -card["won"])
    if len(held) > MOST_CARDS:
        held = held[: MOST_CARDS // 2] + held[-MOST_CARDS // 2 :]
    if held:
        yield Figure(
            "Cards and victory",
            "what those win who have it at the end; these intervals hold together",
            plots.intervals(
                f"Victories of those who hold a card at the end, {count(players, 'player')}",
                "; ".join(f"{card['name']} {percent(card['won'])}" for card in held),
                [
                    Mark(
                        card["name"],
                        card["won"],
                        card["low"],
                        card["high"],
                        percent(card["won"]),
                        "sure" if card["matters"] else "same",
                    )
                    for card in held
                ],
                Axis("share of victories, in percent", 100),
                (table["equal"], "equal"),
            ),
        )


def _spread(table: Data, name: str) -> str:
    found = table[name]
    low, middle, high = found["quarters"]
    return plots.histogram(
        f"{'Scores' if name == 'score' else 'Decisions in a game'}, {count(table['players'], 'player')}",
        f"From {found['least']} to {found['most']}, half of them from {low} to {high}, "
        f"as many below {middle} as above.",
        [("", found["histogram"])],
        "score" if name == "score" else "decisions",
    )


def compared(table: Data) -> Iterator[Figure]:
    """How the sides of one table of `rulespec compare` differ."""
    for side in table["differences"]:
        yield _forest(table, side, shares=True)
        yield _forest(table, side, shares=False)
    for name, title, axis in (
        ("score", "Scores", "score"),
        ("decisions", "Length", "decisions"),
    ):
        series = [(side["name"], side[name]["histogram"]) for side in table["sides"] if side[name]]
        if series:
            yield Figure(
                title,
                "how they are spread",
                plots.histogram(
                    f"{title} of all sides, {count(table['players'], 'player')}",
                    "; ".join(
                        f"{side['name']}: mean {side[name]['mean']:.2f}"
                        for side in table["sides"]
                        if side[name]
                    ),
                    series,
                    axis,
                ),
            )


def _forest(table: Data, side: Data, *, shares: bool) -> Figure:
    factor = 100 if shares else 1
    rows = [row for row in side["measures"] if row["is_share"] == shares]
    marks = [
        Mark(
            measure_name(row["measure"]),
            row["mean"],
            row["low"],
            row["high"],
            more(factor * row["mean"]),
            "sure" if row["changed"] else "same",
        )
        for row in rows
    ]
    title = "Change of shares" if shares else "Change of length and scores"
    return Figure(
        f"{title}: {side['name']}",
        "points of a hundred" if shares else "decisions, and points of the game",
        plots.intervals(
            f"{title}, {count(table['players'], 'player')}",
            "; ".join(f"{mark.label}: {mark.text}" for mark in marks),
            marks,
            Axis("points" if shares else "difference", factor),
            (0.0, "no change"),
        ),
    )

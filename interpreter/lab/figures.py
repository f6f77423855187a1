"""A table of a report -> plots with their titles, to embed in any page."""

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from interpreter.lab import plots
from interpreter.lab.conclusions import deeds_of, is_known, thing_name
from interpreter.lab.plots import Axis, PlotMark
from interpreter.lab.texts import NAMES, measure_name, more, percent
from rulespec.rendering import counted

Data = dict[str, Any]

MOST_CARDS = 24  # in a plot
LEAST_SPREAD = 20  # games needed to show a distribution


@frozen
class PlotFigure:
    """A plot as SVG, with its title and a short note."""

    title: str
    note: str
    svg: str


def simulated(table: Data) -> Iterator[PlotFigure]:
    """The plots of one table of `rulespec simulate`."""
    who = f"{table['games']:,} games of {table['who']}"
    if not table["decisions"]:
        return
    seats = [(f"seat {each['seat']}, {each['bot']}", each) for each in table["seats"]]
    if all(each["tells"] for _, each in seats):
        yield _forest_of(
            "Who wins",
            f"share of victories by seat, {who}; a shared victory counts in parts",
            seats,
            (table["equal"], "equal"),
        )
    is_spread = table["games"] >= LEAST_SPREAD
    if table["score"] and is_spread:
        yield PlotFigure(
            "Scores", f"of all seats: {table['score']['title']}; {who}", _spread(table, "score")
        )
    if is_spread:
        yield PlotFigure("Length", f"decisions in a game; {who}", _spread(table, "decisions"))
    shares = [
        (NAMES[name], found)
        for name, found in table["close"].items()
        if found and found["tells"] and name not in ("turns", "lead changes")
    ]
    if shares:
        yield _forest_of(
            "Suspense and decisions",
            f"{who}; the favourite is whoever wins most if the rest is played at random",
            shares,
            (0.5, "half"),
        )
    duels = [
        (f"{each['stronger']} among {each['weaker']}: {text}", each[name])
        for each in table.get("skill", ())
        for name, text in (("wins", "wins"), ("deal", "same seat"))
        if each[name] and each[name]["tells"]
    ]
    if duels:
        note = "the same deals twice, with seats exchanged: what the stronger player wins, and how often a seat wins both"
        yield _forest_of("Skill and the deal", note, duels, (table["equal"], "equal"))
    if table.get("restricted", {}).get("things"):
        yield from _things(table["restricted"])
    if "sample" in table:
        yield from _cards(table)


def _forest_of(
    title: str, note: str, rows: Sequence[tuple[str, Data]], reference: tuple[float, str]
) -> PlotFigure:
    """Shares with their intervals."""
    marks = [
        PlotMark(label, each["mean"], each["low"], each["high"], percent(each["mean"]))
        for label, each in rows
        if "mean" in each
    ]
    about = "; ".join(f"{mark.label}: {mark.text}" for mark in marks)
    axis = Axis("share, in percent", 100)
    return PlotFigure(title, note, plots.intervals(title, about, marks, axis, reference))


def _things(found: Data) -> Iterator[PlotFigure]:
    """What players lose who never do a thing, in victories and in their lead in points."""
    every = [each for each in found["things"] if is_known(each)]
    note = f"in those of {found['games']:,} games of {found['who']} in which they would do it; "
    if len(every) > MOST_CARDS:
        note += f"the {MOST_CARDS // 2} worst and best of {len(every)}; "
        every = [*every[: MOST_CARDS // 2], *every[-MOST_CARDS // 2 :]]
    for title, axis, rows in (
        ("victories", Axis("points of victories", 100), [(each, each) for each in every]),
        ("lead", Axis("points ahead of the others"), [(e, e["lead"]) for e in every if e["lead"]]),
    ):
        marks = [
            PlotMark(
                thing_name(thing),
                each["mean"],
                each["low"],
                each["high"],
                more(axis.scale * each["mean"]),
                "same" if each["low"] <= 0 <= each["high"] else "sure",
            )
            for thing, each in rows
            if each["tells"]
        ]
        if marks:
            yield PlotFigure(
                f"Doing without: {title}",
                f"what players win or lose who never do it, {note}these intervals hold together",
                plots.intervals(
                    f"Doing without: {title}",
                    "; ".join(f"{mark.label}: {mark.text}" for mark in marks),
                    marks,
                    axis,
                    (0.0, "as good"),
                ),
            )


def _cards(table: Data) -> Iterator[PlotFigure]:
    """Cards that do not move in every game, and how often players with a card at the end win."""
    players, sample = table["players"], table["sample"]
    there = sample["cards"]
    seldom = sorted((card for card in there if card["moved"] < 1), key=lambda card: card["moved"])
    always = len(there) - len(seldom)
    if seldom:
        shown = seldom[:MOST_CARDS]
        yield PlotFigure(
            "Cards in play",
            f"in how many of {sample['games']:,} games one of them moved after setup"
            + (f"; {always} more kinds always did" if always else "")
            + (f"; the {MOST_CARDS} least of {len(seldom)}" if len(shown) < len(seldom) else ""),
            plots.bars(
                f"How often cards moved, {counted(players, 'player')}",
                "; ".join(f"{card['name']} {percent(card['moved'])}" for card in shown),
                [(card["name"], card["moved"], percent(card["moved"])) for card in shown],
                "share of these games",
            ),
        )
    for deed, verb in deeds_of(sample):
        held = [card for card in there if "won" in card[deed]]
        # Plot only what differs.
        if any(card[deed]["matters"] for card in held):
            yield _victories(table, held, deed, verb)


def _victories(table: Data, cards: Sequence[Data], deed: str, verb: str) -> PlotFigure:
    """How often players win who do something with a card."""
    held = sorted(cards, key=lambda card: -card[deed]["won"])
    if len(held) > MOST_CARDS:
        held = held[: MOST_CARDS // 2] + held[-MOST_CARDS // 2 :]
    marks = [
        PlotMark(
            card["name"],
            card[deed]["won"],
            card[deed]["low"],
            card[deed]["high"],
            percent(card[deed]["won"]),
            "sure" if card[deed]["matters"] else "same",
        )
        for card in held
    ]
    usual = table["sample"]["usual"][deed]
    return PlotFigure(
        f"Who {verb} a card",
        f"what they win, {table['who']}; these intervals hold together",
        plots.intervals(
            f"Victories of those who have a card ({verb} it), {counted(table['players'], 'player')}",
            "; ".join(f"{mark.label} {mark.text}" for mark in marks),
            marks,
            Axis("share of victories, in percent", 100),
            (usual, "with any card"),
        ),
    )


def _spread(table: Data, name: str) -> str:
    found = table[name]
    low, middle, high = found["quarters"]
    return plots.histogram(
        f"{'Scores' if name == 'score' else 'Decisions in a game'}, {counted(table['players'], 'player')}",
        f"From {found['least']} to {found['most']}, half of them from {low} to {high}, "
        f"as many below {middle} as above.",
        [("", found["histogram"])],
        "score" if name == "score" else "decisions",
    )


def comparison_figures(table: Data) -> Iterator[PlotFigure]:
    """The plots of how the sides of one table of `rulespec compare` differ."""
    for side in table["differences"]:
        for shares in (True, False):
            if any(row["is_share"] == shares and row["tells"] for row in side["measures"]):
                yield _forest(table, side, shares=shares)
    for name, title, axis in (
        ("score", "Scores", "score"),
        ("decisions", "Length", "decisions"),
    ):
        series = [(side["name"], side[name]["histogram"]) for side in table["sides"] if side[name]]
        if series and table["games"] >= LEAST_SPREAD:
            yield PlotFigure(
                title,
                f"how they are spread; {table['who']}",
                plots.histogram(
                    f"{title} of all sides, {counted(table['players'], 'player')}",
                    "; ".join(
                        f"{side['name']}: mean {side[name]['mean']:.2f}"
                        for side in table["sides"]
                        if side[name]
                    ),
                    series,
                    axis,
                ),
            )


def _forest(table: Data, side: Data, *, shares: bool) -> PlotFigure:
    factor = 100 if shares else 1
    rows = [row for row in side["measures"] if row["is_share"] == shares and row["tells"]]
    marks = [
        PlotMark(
            measure_name(row["measure"], row.get("of", "")),
            row["mean"],
            row["low"],
            row["high"],
            more(factor * row["mean"]),
            "sure" if row["changed"] else "same",
        )
        for row in rows
    ]
    title = "Change of shares" if shares else "Change of length and scores"
    return PlotFigure(
        f"{title}: {side['name']}",
        f"{'points of a hundred' if shares else 'decisions, and points of the game'}; {table['who']}",
        plots.intervals(
            f"{title}, {counted(table['players'], 'player')}",
            "; ".join(f"{mark.label}: {mark.text}" for mark in marks),
            marks,
            Axis("points" if shares else "difference", factor),
            (0.0, "no change"),
        ),
    )

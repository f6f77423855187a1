"""Roles of parts -> colours on the screen, for dark and light terminals.

Whatever a colour says is said by a sign or by the text as well: `NO_COLOR` turns all of it into greys.
"""

import os

from attrs import frozen
from rich.style import Style
from textual.theme import Theme

from interpreter.shown.palette import PLAIN
from interpreter.shown.subjects import Mark
from rulespec.cli.table.chips import Role, StyledText

POINTER = "▸"


@frozen
class Scheme:
    """The colours of one theme."""

    name: str
    is_dark: bool
    felt: str  # the table
    pane: str  # where the question stands
    paper: str  # stories and pages
    bar: str  # the first and the last line
    text: str
    muted: str
    strong: str
    accent: str
    good: str
    bad: str
    back: str  # of a card
    back_ink: str
    seats: tuple[str, ...]  # the players, by their inks


DARK = Scheme(
    name="rulespec-dark",
    is_dark=True,
    felt="#14261f",
    pane="#2a2d30",
    paper="#1a1c1e",
    bar="#0b0d0f",
    text="#d9dedb",
    muted="#93a19b",
    strong="#ffffff",
    accent="#ffc65c",
    good="#8be28f",
    bad="#ff9c86",
    back="#40566b",
    back_ink="#c9dcee",
    seats=("#7cc4ff", "#ffb27a", "#9be39b", "#e3b5ff", "#ffe27a", "#7fe3d8", "#ff9fb8"),
)
LIGHT = Scheme(
    name="rulespec-light",
    is_dark=False,
    felt="#d7e8de",
    pane="#eceae4",
    paper="#f8f7f3",
    bar="#cfd6d2",
    text="#22282a",
    muted="#57635e",
    strong="#000000",
    accent="#8a4b00",
    good="#0b6623",
    bad="#a3260f",
    back="#7d94aa",
    back_ink="#10202e",
    seats=("#00508f", "#8a3c00", "#0b6623", "#6a2a8f", "#6b5300", "#00605a", "#9a1440"),
)
SCHEMES = {scheme.name: scheme for scheme in (DARK, LIGHT)}


def themes() -> list[Theme]:
    """The schemes as Textual knows them."""
    return [
        Theme(
            name=scheme.name,
            primary=scheme.accent,
            background=scheme.paper,
            surface=scheme.pane,
            panel=scheme.bar,
            foreground=scheme.text,
            dark=scheme.is_dark,
            variables={
                "felt": scheme.felt,
                "pane": scheme.pane,
                "paper": scheme.paper,
                "bar": scheme.bar,
                "scrollbar": scheme.muted,
                "scrollbar-background": scheme.paper,
                "scrollbar-corner-color": scheme.paper,
            },
        )
        for scheme in SCHEMES.values()
    ]


def preferred() -> str:
    """The theme for this terminal, as far as it tells its background."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT.name if ground in ("7", "15") else DARK.name


def mix(one: str, other: str, share: float) -> str:
    """So much of one colour, the rest of another.

    >>> mix("#ffffff", "#000000", 0.5)
    '#808080'
    """
    pairs = ((int(one[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def style_of(scheme: Scheme, part: StyledText, mark: Mark, ground: str, *, pointed: bool) -> Style:
    """How a part of a chip is shown on some ground."""
    if part.role in ("face", "tag"):
        tone = part.tone or PLAIN
        if mark == "dim":
            faded = mix(tone.ground, ground, 0.3)
            return Style(color=scheme.muted, bgcolor=faded, bold=pointed, underline=pointed)
        lit = mark in ("lit", "ticked") or pointed
        return Style(color=tone.ink, bgcolor=tone.ground, bold=lit, underline=pointed)
    if part.role == "back":
        return Style(color=scheme.back_ink, bgcolor=scheme.back, bold=pointed, underline=pointed)
    if pointed or part.role == "turn":
        return Style(color=ground, bgcolor=scheme.accent, bold=True, underline=pointed)
    if part.seat is not None:
        ink = scheme.seats[part.seat % len(scheme.seats)]
        return Style(color=ink, bgcolor=ground, bold=True, reverse=mark in ("lit", "ticked"))
    if mark == "dim":
        return Style(color=scheme.muted, bgcolor=ground)
    bold = part.role in ("strong", "title", "accent", "good", "bad")
    return Style(color=ink_of(scheme, part.role), bgcolor=ground, bold=bold)


def ink_of(scheme: Scheme, role: Role) -> str:
    """The colour of text that stands on no card."""
    match role:
        case "muted" | "slot":
            return scheme.muted
        case "strong":
            return scheme.strong
        case "title" | "accent":
            return scheme.accent
        case "good":
            return scheme.good
        case "bad":
            return scheme.bad
    return scheme.text


def card_ground(scheme: Scheme, part: StyledText, mark: Mark, ground: str) -> str | None:
    """The colour of the card that a part stands on, if it does."""
    if part.role == "back":
        return scheme.back
    if part.role != "face":
        return None
    tone = part.tone or PLAIN
    return mix(tone.ground, ground, 0.3) if mark == "dim" else tone.ground

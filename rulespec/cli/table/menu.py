"""A file of rules -> a form with all that can be set before a game: variants, options, players, who plays each seat.

A form is changed line by line and ends as a `GameSetup`. Every line has a sensible default.
"""

import re
from pathlib import Path
from typing import TypeVar

from attrs import evolve, field, frozen
from rich.cells import set_cell_size

from interpreter.bots import LEVELS
from interpreter.display_names import YOU
from interpreter.seating import BOT_NAMES
from interpreter.session import HUMAN, USUAL_LEVEL, Seat
from rulespec.catalogue import OptionOf, ShippedGame, VariantOf, read_game, tell_players
from rulespec.cli.table.chips import Chip, ChipRow, StyledText, chip, shorten_text, wrap_text
from rulespec.cli.table.controls import OfLine
from rulespec.english import sentence, words

Value = TypeVar("Value")
PLAY = "play"
_MOST_VALUES = 50  # of an option that is a range
_LABEL = 24  # columns of what has a name, and
_SENTENCE = 52  # at most of what is told in a sentence
_VALUE = 24  # at least of what it is now
_SIGNS = ",:=#"  # with a meaning where names are kept
LONGEST_NAME = 24


@frozen
class UnfinishedGame:
    """A saved game that is not over: where it is saved, and what the start screen says of it."""

    path: Path
    title: str
    players: tuple[str, ...]
    choices: int
    when: str = ""
    standing: str = ""


@frozen
class GameSetup:
    """What somebody wants to play, and with whom."""

    file: str
    variants: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seats: tuple[Seat, ...]


@frozen
class Form:
    """A game, and the values chosen for it so far."""

    path: Path
    game: ShippedGame
    players: int
    kinds: tuple[str, ...]  # of all seats that there may be
    names: dict[int, str] = field(factory=dict)  # of seats, where somebody has chosen one
    variants: frozenset[str] = frozenset()
    options: dict[str, str] = field(factory=dict)  # those that are not as usual


@frozen
class MenuLine:
    """A line of the form: its label, its value, and a sentence about it."""

    name: str
    label: str
    value: str
    about: str = ""
    section: str = ""


def open_form(path: Path) -> Form:
    """A game as it is usually played: you, and bots."""
    game = read_game(path)
    most = max(game.players[1], *(variant.players[1] for variant in game.variants), 1)
    kinds = (HUMAN, *[USUAL_LEVEL] * (most - 1))
    return Form(path, game, game.players[0], kinds)


def players_of(form: Form) -> range:
    """How many can play, with the variants that are chosen."""
    low, high = form.game.players
    for variant in form.game.variants:
        if variant.name in form.variants and variant.players != form.game.players:
            low, high = variant.players
    return range(low, high + 1)


def option_values(option: OptionOf) -> tuple[str, ...]:
    """All values of an option, the usual one among them.

    >>> option_values(OptionOf("rounds", ("1..3",), "usual_rounds", ""))
    ('usual_rounds', '1', '2', '3')
    """
    found: list[str] = []
    for value in option.values:
        low, is_range, high = value.partition("..")
        if is_range and low.isdecimal() and high.isdecimal():
            found += [str(n) for n in range(int(low), min(int(high), int(low) + _MOST_VALUES) + 1)]
        else:
            found.append(value)
    return tuple(found) if option.default in found else (option.default, *found)


def seats_of(form: Form) -> tuple[Seat, ...]:
    """Who sits where; a single human is spoken to."""
    kinds = form.kinds[: form.players]
    spare = (name for name in BOT_NAMES if name not in form.names.values())
    alone = kinds.count(HUMAN) == 1
    seats = []
    for n, kind in enumerate(kinds):
        usual = YOU if alone and kind == HUMAN else next(spare, f"Player {n + 1}")
        seats.append(Seat(form.names.get(n, usual), kind))
    return tuple(seats)


def rename_player(form: Form, seat: int, name: str) -> Form:
    """The form with another name for a player; without one, the usual name.

    A name that somebody else has, or may get, is refused: the form stays as it is.
    """
    name = "".join(letter for letter in name if letter.isprintable() and letter not in _SIGNS)
    name = " ".join(name.split())[:LONGEST_NAME]
    others = {number: each for number, each in form.names.items() if number != seat}
    changed = evolve(form, names={**others, seat: name} if name else others)
    names = [each.name.casefold() for each in seats_of(changed)]
    is_fine = len({*names}) == len(names) and name.casefold() != YOU.casefold()
    return changed if is_fine else form


def form_lines(form: Form) -> list[MenuLine]:
    """The lines of the form; the first one begins the game."""
    game, many = form.game, players_of(form)
    lines = [MenuLine(PLAY, "Play", "", game.blurb or game.about)]
    numbers = tell_players((many[0], many[-1]))
    lines.append(MenuLine("players", "Players", str(form.players), f"{numbers.capitalize()}."))
    lines += [
        MenuLine(f"seat {number}", f"  {seat.name}", *_tell_kind(seat))
        for number, seat in enumerate(seats_of(form))
    ]
    lines += [_variant_line(form, each) for each in game.variants]
    lines += [_option_line(form, each) for each in game.options]
    return lines


def _variant_line(form: Form, variant: VariantOf) -> MenuLine:
    value = "yes" if variant.name in form.variants else "no"
    about = [sentence(variant.about)] if variant.about else []
    if variant.players != form.game.players:
        about.append(f"For {tell_players(variant.players)}.")
    title = variant.title if variant.title != variant.name else words(variant.name).capitalize()
    return MenuLine(f"variant {variant.name}", title, value, " ".join(about), "Variants")


def _option_line(form: Form, option: OptionOf) -> MenuLine:
    value = form.options.get(option.name, option.default)
    told = [sentence(option.about)] if option.about else []
    if value != option.default:
        told.append(f"Now: {option_text(option, value)}.")
    about = " ".join([*told, f"Usually: {option_text(option, option.default)}."])
    label = tell_question(option)
    return MenuLine(
        f"option {option.name}", label, option_text(option, value), about, "What you may agree on"
    )


def tell_question(option: OptionOf) -> str:
    """What an option settles, by the first sentence that the rules have about it; or else its name.

    >>> tell_question(OptionOf("x", ("yes", "no"), "no", "Whether a prediction may be empty. So we play."))
    'A prediction may be empty'
    >>> tell_question(OptionOf("open_end", ("yes", "no"), "no", ""))
    'Open end'
    """
    first = re.split(r"(?<=[.?!]) ", option.about)[0].removesuffix(".")
    if option.values == ("yes", "no"):
        first = first.removeprefix("Whether ")
    found = first or words(option.name)
    return found[:1].upper() + found[1:]


def option_text(option: OptionOf, value: str) -> str:
    """A value of an option in words."""
    return dict(option.labels).get(value, words(value))


def _tell_kind(seat: Seat) -> tuple[str, str]:
    """Who plays a seat, and what that means."""
    value = "human" if seat.kind == HUMAN else f"{seat.kind} bot"
    plays = "play" if seat.name == YOU else "plays"
    means = LEVELS.get(seat.kind, f"{plays} at this screen")
    return value, f"{seat.name} {means}; n changes the name"


def change_line(form: Form, name: str, step: int) -> Form:
    """The form with another value in a line: the next one, or the one before."""
    word, _, rest = name.partition(" ")
    match word:
        case "players":
            return evolve(form, players=_turn(form.players, [*players_of(form)], step))
        case "seat":
            kinds = [*form.kinds]
            kinds[int(rest)] = _turn(kinds[int(rest)], [HUMAN, *LEVELS], step)
            return evolve(form, kinds=tuple(kinds))
        case "variant":
            changed = evolve(form, variants=form.variants ^ {rest})
            many = players_of(changed)
            return evolve(changed, players=min(max(form.players, many[0]), many[-1]))
        case "option":
            option = next(each for each in form.game.options if each.name == rest)
            now = form.options.get(rest, option.default)
            value = _turn(now, [*option_values(option)], step)
            kept = {key: each for key, each in form.options.items() if key != rest}
            return evolve(form, options=kept if value == option.default else {**kept, rest: value})
    return form


def _turn(now: Value, values: list[Value], step: int) -> Value:
    place = values.index(now) if now in values else 0
    return values[(place + step) % len(values)]


def finish_setup(form: Form) -> GameSetup:
    """The setup that the form describes now."""
    variants = tuple(each.name for each in form.game.variants if each.name in form.variants)
    return GameSetup(str(form.path), variants, tuple(form.options.items()), seats_of(form))


# ---- Rows ----------------------------------------------------------------------------------------


def lay_form(form: Form, width: int) -> list[ChipRow]:
    """The form as a page; what belongs together stands below a title."""
    rows = [ChipRow()]
    section = ""
    for line in form_lines(form):
        if line.name == PLAY:
            rows += [ChipRow(((2, chip(" Play ", "strong", OfLine(PLAY))),)), ChipRow()]
            continue
        if line.section != section:
            section = line.section
            rows += [ChipRow(), ChipRow(((2, chip(section, "muted")),))]
        rows += _lay_line(line, width)
    return rows


def _lay_line(line: MenuLine, width: int) -> list[ChipRow]:
    """What it is called, in as many rows as that needs, and behind the first of them what it is now."""
    wide = max(_LABEL, min(_SENTENCE, width - _VALUE - 8)) if line.section else _LABEL
    first, *rest = wrap_text(line.label, wide) if line.section else [shorten_text(line.label, wide)]
    parts = (
        StyledText(set_cell_size(first, wide) + " "),
        StyledText("◂ ", "muted"),
        StyledText(shorten_text(line.value, width - wide - 8), "strong"),
        StyledText(" ▸", "muted"),
    )
    below = [ChipRow(((2, chip(each)),)) for each in rest]
    return [ChipRow(((2, Chip(parts, OfLine(line.name))),)), *below]

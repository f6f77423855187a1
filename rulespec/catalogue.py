"""Files of rules -> their titles, players, variants and options; the list of shipped games.

Menus show these before anybody has chosen a game, so the files are parsed but not checked.
"""

from pathlib import Path
from typing import Any

from attrs import frozen

from rulespec import loading
from rulespec.checking.layers import LayerStack, stack_layers
from rulespec.rendering import counted
from rulespec.source import Source, text_of
from rulespec.syntax import nodes
from rulespec.syntax.scanner import scan


@frozen
class OptionOf:
    """An option of a game: its values as a user types them, and its default.

    `labels` are the words that the rules give to some of the values.
    """

    name: str
    values: tuple[str, ...]
    default: str
    about: str
    labels: tuple[tuple[str, str], ...] = ()


@frozen
class VariantOf:
    """A variant of a game, and its numbers of players if they differ from the game's."""

    name: str
    title: str
    players: tuple[int, int]
    about: str


@frozen
class ShippedGame:
    """A game that comes with rulespec, as its file describes it."""

    file: str
    title: str
    author: str | None
    players: tuple[int, int]
    about: str
    extends: str | None
    variants: tuple[VariantOf, ...]
    options: tuple[OptionOf, ...]
    blurb: str = ""  # its `about` text for players
    is_classic: bool = False  # whether it is one of the classics


def tell_players(players: tuple[int, int]) -> str:
    """The number of players in words.

    >>> tell_players((2, 5)), tell_players((6, 6))
    ('2 to 5 players', '6 players')
    """
    least, most = players
    return counted(least, "player") if least == most else f"{least} to {most} players"


def shipped_files() -> list[Path]:
    """The shipped files: games, then classics, then overlays that show how to change a game."""
    overlays = sorted((loading.GAMES / "examples").glob("*.rules"))
    return [*loading.shipped_game_files(), *loading.shipped_classics(), *overlays]


def shipped_games() -> list[ShippedGame]:
    """All shipped games, parsed but not checked."""
    return [read_game(path) for path in shipped_files()]


def read_game(path: Path, source: Source | None = None) -> ShippedGame:
    """What a file says about its game; `source` is its text, if the caller has read it already.

    >>> game = read_game(loading.find_rules("sins.rules"))
    >>> game.title, game.players, [variant.name for variant in game.variants]
    ('7 – The Sins', (2, 5), ['penitenziagite'])
    >>> game.options[0].name, game.options[0].values, game.options[0].default
    ('sins_picked', ('at_random', 'by_taste'), 'at_random')
    """
    stack = stack_layers(path, source or loading.read(str(path)))
    declared = [_plain(item.declaration) for layer in stack.layers for item in layer.items]
    titles = [item for item in declared if isinstance(item, nodes.Game)]
    numbers = [item for item in declared if isinstance(item, nodes.Players)]
    players = _players(numbers[-1]) if numbers else (1, 1)
    authors = [item.author.value for item in titles if item.author is not None]
    return ShippedGame(
        file=path.name,
        title=titles[-1].title.value if titles else path.stem,
        author=authors[-1] if authors else None,
        players=players,
        about=_about(stack),
        extends=_base(stack),
        variants=tuple(_variant(stack, each, players) for each in stack.variants),
        options=tuple(
            _option(stack, item, declared) for item in declared if isinstance(item, nodes.Option)
        ),
        blurb=" ".join(_blurb(declared).split()),
        is_classic=path.parent == loading.CLASSICS,
    )


def _blurb(declared: list[Any]) -> str:
    """The `about` text of the game, from the topmost file that has one, or else how to win."""
    abouts = [item.text.value for item in declared if isinstance(item, nodes.About)]
    goals = [item.text.value for item in declared if isinstance(item, nodes.Goal)]
    return (abouts or goals or [""])[-1]


def _plain(node: Any) -> Any:
    """A declaration without the word `override`."""
    return node.declaration if isinstance(node, nodes.Override) else node


def _players(node: nodes.Players) -> tuple[int, int]:
    return node.least.value, (node.most or node.least).value


def _about(stack: LayerStack) -> str:
    """The comment after the title, or else the name of the rulebook."""
    for item in stack.files[-1].items:
        if isinstance(item, nodes.Game):
            for comment in scan(stack.entry).comments:
                between = stack.entry.text[item.span.start : comment.start]
                if item.span.start < comment.start and "\n" not in between:
                    return comment.text.removeprefix("--").strip()
        if isinstance(item, nodes.Rulebook):
            return f"after {item.title.value}"
    return ""


def _base(stack: LayerStack) -> str | None:
    for item in stack.files[-1].items:
        if isinstance(item, nodes.Extends):
            chosen = ", ".join(text_of(each.span) for each in item.settings)
            return item.path.value + (f" with {chosen}" if chosen else "")
    return None


def _variant(stack: LayerStack, node: nodes.Variant, players: tuple[int, int]) -> VariantOf:
    numbers = [item for item in map(_plain, node.items) if isinstance(item, nodes.Players)]
    return VariantOf(
        name=node.name.text,
        title=node.title.value if node.title is not None else node.name.text,
        players=_players(numbers[-1]) if numbers else players,
        about=_documented(stack, node),
    )


def _option(stack: LayerStack, node: nodes.Option, declared: list[Any]) -> OptionOf:
    chosen = [text_of(each.value.span) for each in stack.chosen if each.name.text == node.name.text]
    return OptionOf(
        name=node.name.text,
        values=_values(node.type, declared),
        default=chosen[-1] if chosen else text_of(node.default.span),
        about=_documented(stack, node),
        labels=_labels(node.type, declared),
    )


def _labels(node: nodes.Type, declared: list[Any]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (member.name.text, member.label.value)
        for item in declared
        if isinstance(item, nodes.Enum)
        and isinstance(node, nodes.NamedType)
        and item.name.text == node.name.text
        for member in item.members
        if member.label is not None
    )


def _values(node: nodes.Type, declared: list[Any]) -> tuple[str, ...]:
    if isinstance(node, nodes.NamedType):
        if node.name.text == "Bool":
            return ("yes", "no")
        for item in declared:
            if isinstance(item, nodes.Enum) and item.name.text == node.name.text:
                return tuple(member.name.text for member in item.members)
    return (text_of(node.span),)


def _documented(stack: LayerStack, node: nodes.Option | nodes.Variant) -> str:
    """The sentence of the doc line above a declaration, if it documents this declaration.

    A doc line documents everything that follows it; an enum may stand between it and its option.
    """
    for file in stack.files:
        sentence = ""
        for item in file.items:
            if isinstance(item, nodes.Doc):
                sentence = " ".join(item.text.value.split()) if item.text is not None else ""
            elif item == node and item.span == node.span:
                return sentence
            elif not isinstance(item, nodes.Enum):
                sentence = ""
    return ""

"""A game -> the data that only playing it can tell: examples that were run, random games, curves.

`rulespec.docgen` puts this data on pages; it cannot play a game itself.
"""

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

from interpreter.accounts import Account
from interpreter.coverage import Reached
from interpreter.display_names import on_table, said, variable_words, zone_words
from interpreter.errors import RuleFault, WrongRules
from interpreter.examples import run_example, work_out
from interpreter.expressions import whole
from interpreter.game_loading import load_source, why_unplayable
from interpreter.lab.bot_games import RANDOM
from interpreter.lab.seeded_games import lay_table
from interpreter.labels import Names, piece_label
from interpreter.layout import Layout
from interpreter.machine import Machine, blank_state, build_machine
from interpreter.match import Game
from interpreter.playthroughs import random_games
from interpreter.shown.palette import Palette, paint
from interpreter.state import SLOTS, State
from interpreter.trials import own_variants
from rulespec.checking.declarations import Declared, used_names
from rulespec.cli.lessons import make_lesson
from rulespec.core.examples import ExampleRow
from rulespec.core.tree import Op, Origin
from rulespec.core.types import Number
from rulespec.docgen.entries import expand_range
from rulespec.docgen.play_data import (
    Card,
    Curve,
    ExampleRecord,
    ExampleScene,
    GameLength,
    PlayData,
    ScoreSum,
    SourceKey,
    ZoneContents,
    source_key,
)
from rulespec.elaboration.programs import elaborate_examples
from rulespec.source import Source, text_of
from rulespec.syntax import nodes

GAMES = 3  # with each number of players, to see which clauses are used
MEASURED = 200  # with the fewest and with the most players: enough to know how long a game is
MOST_VALUES = 40  # of a curve
MOST_SUMS = 4  # behind one line of an example


def collect_play_data(path: Path, source: Source, game: Game) -> PlayData:
    """All data that playing a game gives."""
    examples: dict[SourceKey, ExampleRecord] = {}
    other_curves: dict[tuple[str, str], Curve] = {}
    chain = _curves_of_files(game)
    for layer, found in chain[1:]:
        other_curves |= {(layer, table): curve for table, curve in found.items()}
    examples |= _run_examples(path, source, ())
    for name in own_variants(load_part(path, source, ())):
        with_it = load_part(path, source, (name,))
        examples |= _run_examples(path, source, (name,))
        other_curves |= {(name, table): curve for table, curve in curves_of(with_it).items()}
    lengths, games, used = _play(game)
    return PlayData(
        pieces=_pieces(game),
        lengths=lengths,
        examples=examples,
        games=games,
        used=used,
        measured=frozenset().union(*_clauses_by_part(game).values()),
        curves=chain[0][1],
        other_curves=other_curves,
        lesson=make_lesson(game),
    )


def _pieces(game: Game) -> dict[SourceKey, int]:
    """How many pieces of each row there are."""
    layout = game.machine(game.code.least_players).layout
    return Counter(source_key(piece.row.origin.span) for piece in layout.pieces)


# ---- Clauses -------------------------------------------------------------------------------------


@cache
def _clauses_by_part(game: Game) -> dict[tuple[str, int], frozenset[str]]:
    """Of every instruction and every row, as `interpreter.coverage` counts them, the clauses it cites."""
    found: dict[tuple[str, int], frozenset[str]] = {}
    for block in game.code.blocks.values():
        own = _names(block.origin)
        for number, instruction in enumerate(block.code):
            found[block.name, number] = own | _names(instruction.origin)
    for function in game.code.functions.values():
        own = _names(function.origin)
        for number, row in enumerate(function.rows):
            found[function.name, number] = own | _names(row.origin)
    return found


def _names(origin: Origin) -> frozenset[str]:
    ranges = (cite.partition("..") for cite in origin.cites)
    return frozenset(
        name for first, _, last in ranges for name in expand_range(first, last or first)
    )


def _clauses(game: Game, reached: Reached) -> frozenset[str]:
    """The clauses of what was reached."""
    parts = _clauses_by_part(game)
    return frozenset().union(*(parts.get(part, ()) for part in reached))


# ---- Games ---------------------------------------------------------------------------------------


def _play(game: Game) -> tuple[tuple[GameLength, ...], int, Counter[str]]:
    """Games at random with every number of players: how long they are, and which clauses they use."""
    lengths: list[GameLength] = []
    used: Counter[str] = Counter()
    games = 0
    if why_unplayable(game.program) is not None:
        return (), 0, used
    for players in game.players:
        reached: Reached = set()
        machine = build_machine(game.code, players, None, reached)
        for _ in random_games(machine, range(1, GAMES + 1)):
            games += 1
            used.update(_clauses(game, reached))
            reached.clear()
        if players in (game.players[0], game.players[-1]):
            lengths += _measure(game, players)
    return tuple(lengths), games, used


def _measure(game: Game, players: int) -> Iterator[GameLength]:
    """How long a game is; nothing if the rules fail."""
    play = lay_table(game, players, (RANDOM,) * players).play
    with suppress(RuleFault):
        choices = [each.decisions for each in play(range(1, MEASURED + 1))]
        middle = round(statistics.median(choices))
        yield GameLength(players, len(choices), min(choices), middle, max(choices))


# ---- Examples ------------------------------------------------------------------------------------


# A page for each variant shows the same examples, and many examples ask for the same options. No file changes in one run.
@lru_cache(maxsize=32)
def load_part(
    path: Path, source: Source, variants: tuple[str, ...], options: tuple[tuple[str, str], ...] = ()
) -> Game:
    """A game, or a part of one, that may have been loaded before."""
    return load_source(path, source, variants, dict(options), whole=False)


@lru_cache(maxsize=32)
def _run_examples(
    path: Path, source: Source, variants: tuple[str, ...]
) -> Mapping[SourceKey, ExampleRecord]:
    """The examples of a file, or those of the variant that was chosen."""
    game = load_part(path, source, variants)
    return {
        source_key(declared.node.span): _show(path, source, game, declared, row)
        for declared, row in elaborate_examples(game.program.declared)
        if declared.node.span.source == source
        and (declared.layer.origin == "variant" or not variants)
    }


def _show(
    path: Path, source: Source, game: Game, declared: Declared[nodes.Example], row: ExampleRow
) -> ExampleRecord:
    asked = declared.node.settings
    if asked:
        names = [each.name.text for each in asked if each.value is None]
        values = tuple((each.name.text, text_of(each.value.span)) for each in asked if each.value)
        try:
            game = load_part(path, source, (*game.variants, *names), values)
        except WrongRules as wrong:
            return ExampleRecord(wrong.diagnostics[0].message, (), frozenset())
        ((_, row),) = elaborate_examples(game.program.declared, declared.node.span)
    scenes: list[ExampleScene] = []
    sums: dict[int, tuple[ScoreSum, ...]] = {}
    palette: list[Palette] = []

    def look(number: int, machine: Machine, state: State) -> None:
        if not palette:
            palette.append(paint(machine.layout))
        scenes.append(_scene(machine.layout, palette[0], state, row.seats or None))
        if number < len(row.steps):
            found = work_out(machine, state, row, number)
            sums[number] = tuple(map(_sum, found[:MOST_SUMS]))

    reached: Reached = set()
    failure = run_example(game.code, row, reached=reached, look=look)
    trouble = "" if failure is None else "; ".join((failure.message, *failure.notes))
    told = {number: found for number, found in sums.items() if found and failure is None}
    return ExampleRecord(trouble, _without_idle(scenes), _clauses(game, reached), told)


def _sum(account: Account) -> ScoreSum:
    """An account for the page."""
    rows = [(each.title, *each.cells, each.value, each.note or "") for each in account.entries]
    if len(rows) > 1:
        rows.append((account.total, *[""] * len(account.columns), account.value, ""))
    columns = (*account.columns, account.unit, "")
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return ScoreSum(account.title, columns, tuple(rows), account.notes)


def _scene(layout: Layout, palette: Palette, state: State, names: Names) -> ExampleScene:
    zones = []
    for number, pieces in enumerate(state.zones):
        found = layout.zones[number]
        if number == 0 or not on_table(layout.code, found.row.name):
            continue  # what is left in the box plays no part, and bookkeeping is nobody's business
        is_pile = not layout.is_pool[number]
        title = zone_words(layout, number, names)
        zones.append(ZoneContents(title, is_pile, _cards(layout, palette, pieces, names)))
    noted = tuple(
        (variable_words(layout, number, names), said(layout, value, row.type, names))
        for number, ((row, _), value) in enumerate(
            zip(layout.variables, state.variables, strict=True)
        )
        if on_table(layout.code, row.name)
    )
    return ExampleScene(tuple(zones), noted)


def _cards(
    layout: Layout, palette: Palette, pieces: tuple[int, ...], names: Names
) -> tuple[Card, ...]:
    """Equal pieces that lie beside each other together; of a pile the top is first."""
    cards: list[Card] = []
    for piece in pieces:
        tone = palette.faces.get(layout.faces[piece])
        card = Card(piece_label(layout, piece, names), 1, (tone.ground, tone.ink) if tone else None)
        if cards and cards[-1].text == card.text:
            cards[-1] = Card(card.text, cards[-1].count + 1, card.tone)
        else:
            cards.append(card)
    return tuple(cards)


def _without_idle(scenes: list[ExampleScene]) -> tuple[ExampleScene, ...]:
    """The scenes without variables that never change, which tell nothing."""
    if not scenes:
        return ()
    start = dict(scenes[0].noted)
    moving = {name for scene in scenes for name, value in scene.noted if value != start[name]}
    return tuple(
        ExampleScene(scene.zones, tuple(pair for pair in scene.noted if pair[0] in moving))
        for scene in scenes
    )


# ---- Curves --------------------------------------------------------------------------------------


def curves_of(game: Game) -> dict[str, Curve]:
    """Of tables from one number to another, all values; not of those that look at the table."""
    found: dict[str, Curve] = {}
    declared = game.program.declared
    machine = game.machine(game.code.least_players)
    state = blank_state(machine, 0, 1)
    for name, routine in declared.routines.items():
        function = game.code.functions.get(name)
        node = routine.versions[-1].node
        if function is None or not isinstance(node, nodes.Table) or len(node.params) != 1:
            continue
        domain = node.params[0].type
        if not isinstance(domain, nodes.RangeType) or not isinstance(function.type, Number):
            continue
        low, high = domain.low.value, domain.high.value
        parts = [*(each.node.rows for each in routine.rows), node.rows, node.header.inputs]
        names = {used.text for part in parts for used in used_names(part)}
        if high - low >= MOST_VALUES or names - {node.params[0].name.text, "min", "max", "abs"}:
            continue
        found[name] = tuple(
            (number, _value(machine, state, name, number)) for number in range(low, high + 1)
        )
    return found


def _value(machine: Machine, state: State, name: str, number: int) -> int:
    call = Op("call", (Op("literal", value=number),), word=name)
    scratch = machine.layout.code.functions[name].scratch
    value: int = whole(machine.context.expressions, call, SLOTS, scratch)(state, [0, 0])
    return value


def _curves_of_files(game: Game) -> list[tuple[str, dict[str, Curve]]]:
    """The curves of each file of a chain, the lowest first: what a file changes is seen beside it."""
    found = []
    for file in game.program.declared.files[:-1]:
        source = file.span.source
        below = load_source(Path(source.name), source, whole=False)
        found.append((Path(source.name).name, curves_of(below)))
    entry = game.program.entry.name
    return [*found, (Path(entry).name, curves_of(game))]

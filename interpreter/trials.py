"""A file of rules -> the results of testing everything it promises: worked examples, random games, and secrets.

Implements docs/language/9-examples.md: an example belongs to the layer in which it stands, and is run with
that layer and those below it. Of games the base and each variant of the file are played with every number
of players, and the base also with each other value of each option. Some of these games are compared with
others that look the same to a player.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from interpreter.accounts import Account
from interpreter.coverage import CoverageTally, Reached, count_reached
from interpreter.errors import RuleFault, WrongRules
from interpreter.examples import ExampleFailure, run_example
from interpreter.game_loading import load_source, why_unplayable
from interpreter.judge import Leak, Verdict, judge
from interpreter.leaks import SideBySide, diagnose, game_up_to, side_by_side, span_of
from interpreter.machine import Machine, allows, apply, build_machine, start
from interpreter.match import Game
from interpreter.playthroughs import Place, Playthrough, fault_key, is_endless, random_games
from interpreter.shrinking import Shrunk, record_of, shrink
from interpreter.transcript import Transcript
from interpreter.verdicts import author_of, explain_fault
from rulespec import codes, loading
from rulespec.checking.declarations import Declared
from rulespec.core.examples import ExampleRow
from rulespec.core.tree import OptionRow
from rulespec.core.types import Bool, Number
from rulespec.core.types import Choice as Member
from rulespec.diagnostics import Diagnostic, Related
from rulespec.elaboration.programs import elaborate_examples
from rulespec.limits import MOST_CHOICES, MOST_TRIED
from rulespec.rendering import counted
from rulespec.source import Source, Span, text_of
from rulespec.syntax import nodes
from rulespec.syntax.parser import parse

Settings = tuple[tuple[str, str], ...]

GAMES = 20  # games of each kind: a shipped game is tried in about ten seconds
PAIRS = 200  # pairs of each kind to compare, if their games are short
ENOUGH = 3  # stop after this many games if all were cut off
LEAST_WORK = 30_000  # operations that the comparison may always spend


@frozen
class Wish:
    """What to try; without variants or settings, everything that the file offers."""

    variants: tuple[str, ...] = ()
    settings: Settings = ()
    games: int = GAMES
    players: int | None = None
    seed: int = 1
    coverage: bool = False
    longest: int = MOST_CHOICES  # choices, after which a game is cut off
    secrets: int | None = None  # pairs of games of each kind; without a number as many as are quick


@frozen
class Counterexample:
    """A game that goes wrong, to replay; if it repeats a state, `again` is the choice after which that occurred first."""

    record: Transcript
    again: int | None


@frozen
class Finding:
    """A mistake, the rules that were running, and how to reproduce it."""

    diagnostic: Diagnostic
    rules: tuple[str, ...] = ()
    example: str | None = None
    counterexample: Counterexample | None = None
    pair: SideBySide | None = None  # two games that a player could not tell apart
    why: Account | None = None  # how the wrong value came about


@frozen
class Bug:
    """A bug of ours, with the game in which it shows."""

    error: Exception
    record: Transcript


@frozen
class GameSeries:
    """Games that were played: their rules, the number of players, and the total number of choices."""

    variants: tuple[str, ...]
    settings: Settings
    players: int
    games: int
    choices: int
    pairs: int
    cut_off: int = 0  # games that had not come to an end


@define
class Trial:
    """The results so far."""

    path: Path
    source: Source
    wish: Wish
    progress: Callable[[str], None]
    tally: CoverageTally
    examples: int = 0
    series: list[GameSeries] = field(factory=list)
    findings: list[Finding] = field(factory=list)
    bugs: list[Bug] = field(factory=list)
    seen: set[Place] = field(factory=set)
    is_endless: bool = False
    work: int = 0  # operations of all games
    left_out: int = 0  # games that were not played, because the others took so long
    games: dict[tuple[tuple[str, ...], Settings], Game] = field(factory=dict)


def try_file(
    path: Path, source: Source, wish: Wish, progress: Callable[[str], None] = lambda _text: None
) -> Trial:
    """Try everything; raises WrongRules if the file is no game yet, ValueError if nothing can be tried."""
    if is_mechanism(source):
        raise ValueError(f"`{path.name}` is a mechanism: test a game that uses it")
    trial = Trial(path, source, wish, progress, CoverageTally(source))
    base = variant_game(trial, wish.variants, wish.settings)
    lacking = why_unplayable(base.program)
    if lacking is not None and not base.program.declared.examples:
        raise WrongRules((lacking,))
    if lacking is not None:
        wish = evolve(wish, games=0)
    own = tuple((name,) for name in own_variants(base))
    variants = (wish.variants,) if wish.variants else ((), *own)
    playable = {
        n for chosen in variants for n in variant_game(trial, chosen, wish.settings).players
    }
    if wish.players is not None and wish.players not in playable:
        counts = f"{min(playable)} to {max(playable)}"
        raise ValueError(f"`{path.name}` is for {counts} players, not for {wish.players}")
    for chosen in [(name,) for name in wish.variants] or variants:
        trial.findings += failing_examples(trial, chosen)
    for chosen in variants if wish.games else ():
        _try_games(trial, chosen, wish.settings)
    if wish.games and not wish.settings and not wish.variants:
        _try_options(trial, base)
    return trial


def is_mechanism(source: Source) -> bool:
    """Whether a file is no game, but a part for games."""
    file = parse(source).file
    return file is not None and any(isinstance(item, nodes.Mechanism) for item in file.items)


def variant_game(trial: Trial, variants: tuple[str, ...], settings: Settings) -> Game:
    key = (variants, settings)
    if key not in trial.games:
        game = load_source(trial.path, trial.source, variants, dict(settings), whole=False)
        is_shipped = trial.path in loading.shipped_game_files()
        # A shipped game is found by its name alone, so its transcripts are good in every folder.
        trial.games[key] = evolve(game, name=trial.path.name) if is_shipped else game
    return trial.games[key]


def own_variants(game: Game) -> Iterator[str]:
    for item in game.program.declared.files[-1].items:
        if isinstance(item, nodes.Variant):
            yield item.name.text


def left_out_note(trial: Trial) -> str | None:
    """What to tell of games that were left out. That is no mistake: long games are no worse than short ones."""
    if not trial.left_out:
        return None
    tried = sum(each.games for each in trial.series)
    more = f"{counted(trial.left_out, 'more game')} {'was' if trial.left_out == 1 else 'were'}"
    told = (
        f"stopped after {counted(tried, 'game')} of {trial.work:,} operations: {more} left out, "
        "which is no error"
    )
    fewer = trial.wish.games * tried // (tried + trial.left_out)
    if not 0 < fewer < trial.wish.games:
        return told
    return f"{told}; `--games {fewer}` plays fewer of each kind, and so more kinds"


# ---- Examples ------------------------------------------------------------------------------------


def failing_examples(trial: Trial, variants: tuple[str, ...]) -> Iterator[Finding]:
    """The failing examples of the file itself, or of a chosen variant."""
    for _, findings in run_examples(trial, variants):
        yield from findings


def run_examples(
    trial: Trial, variants: tuple[str, ...]
) -> Iterator[tuple[Declared[nodes.Example], list[Finding]]]:
    """All those examples, each with its failure, if any."""
    game = variant_game(trial, variants, ())
    for declared, row in elaborate_examples(game.program.declared):
        if declared.node.span.source != trial.source:
            continue
        if variants and declared.layer.origin != "variant":
            continue
        trial.progress(f"example {trial.examples + 1}")
        trial.examples += 1
        try:
            failure = _run(trial, game, declared, row)
        except WrongRules as wrong:
            yield declared, [Finding(each, example=row.title) for each in wrong.diagnostics]
            continue
        yield declared, [] if failure is None else [_failing_example(failure)]


def _run(
    trial: Trial, game: Game, declared: Declared[nodes.Example], row: ExampleRow
) -> ExampleFailure | None:
    """Run an example, with what it asks for by `with`."""
    asked = declared.node.settings
    if asked:
        names = [each.name.text for each in asked if each.value is None]
        values = [
            (each.name.text, text_of(each.value.span)) for each in asked if each.value is not None
        ]
        game = variant_game(trial, (*game.variants, *names), tuple(values))
        ((_, row),) = elaborate_examples(game.program.declared, declared.node.span)
    reached: Reached | None = set() if trial.wish.coverage else None
    try:
        failure = run_example(game.code, row, reached=reached)
    except Exception as error:
        error.add_note(f"in {row.origin.rule}")
        raise
    _count(trial, game, reached)
    return failure


def _count(trial: Trial, game: Game, reached: Reached | None) -> None:
    if reached is not None:
        count_reached(trial.tally, game.code, reached)


def _failing_example(failure: ExampleFailure) -> Finding:
    """The place of a failure, and the name of the example if that place is in a rule."""
    origin, span = failure.example.origin, failure.span
    inside = span.source == origin.span.source and origin.span.start <= span.start < origin.span.end
    related = () if inside else (Related("in this example", _first_line(origin.span)),)
    message = "; ".join((failure.message, *failure.notes))
    diagnostic = Diagnostic(failure.code, message, span, related)
    return Finding(diagnostic, failure.rules, failure.example.title, why=failure.why)


def _first_line(span: Span) -> Span:
    end = span.source.text.find("\n", span.start, span.end)
    return span if end < 0 else evolve(span, end=end)


# ---- Games ---------------------------------------------------------------------------------------


def _try_games(trial: Trial, variants: tuple[str, ...], settings: Settings) -> None:
    game = variant_game(trial, variants, settings)
    for players in game.players:
        if trial.wish.players in (None, players):
            _play_series(trial, game, players, trial.wish.games)


def _try_options(trial: Trial, game: Game) -> None:
    """Try each other value of each option: a few games, with the numbers of players in turn."""
    counts = [n for n in game.players if trial.wish.players in (None, n)]
    defaults = game.machine(game.code.least_players).layout.options
    tried = 0
    for row in game.code.options:
        for value, text in _values(game, row):
            fitting = [n for n in counts if allows(game.code, n, {row.name: value})]
            if value == defaults[row.name] or not fitting:
                continue
            players = fitting[tried % len(fitting)]
            tried += 1
            number = -(-trial.wish.games // 5)
            options = ((row.name, value, text),)
            _play_series(trial, game, players, number, options)


def _values(game: Game, row: OptionRow) -> list[tuple[Any, str]]:
    """The values of an option with their texts; for a range, its ends."""
    match row.type:
        case Bool():
            return [(False, "no"), (True, "yes")]
        case Member(enum):
            members = next(each.members for each in game.code.enums if each.name == enum)
            return [(member, game.code.members[member].name) for member in members]
        case Number(low, high):
            if row.allowed is None:
                return [(low, str(low)), (high, str(high))]
            allowed = [n for n in range(low, high + 1) if _is_allowed(game, row.name, n)]
            return [(n, str(n)) for n in dict.fromkeys((*allowed[:1], *allowed[-1:]))]
    return []


def _is_allowed(game: Game, option: str, value: int) -> bool:
    return any(allows(game.code, players, {option: value}) for players in game.players)


def _play_series(
    trial: Trial,
    game: Game,
    players: int,
    number: int,
    options: tuple[tuple[str, Any, str], ...] = (),
) -> None:
    """Play random games of one kind, up to the first that goes wrong or does not end."""
    if trial.is_endless:
        return
    if trial.work > MOST_TRIED:
        trial.left_out += number
        return
    settings = (*game.settings, *((name, text) for name, _, text in options))
    reached: Reached | None = set() if trial.wish.coverage else None
    machine = build_machine(game.code, players, {name: v for name, v, _ in options}, reached)
    trial.progress(" ".join((*game.variants, *map("=".join, settings), counted(players, "player"))))
    choices = games = work = cut_off = too_long = 0
    whole: list[Playthrough] = []
    seeds = range(trial.wish.seed, trial.wish.seed + number)
    for played in random_games(machine, seeds, trial.wish.longest):
        games += 1
        choices += len(played.choices)
        trial.work += played.work
        work += played.work
        whole.append(played)
        if played.fault is not None or played.crash is not None:
            if played.fault is None or fault_key(played.fault) not in trial.seen:
                _note(trial, variant_game(trial, game.variants, settings), played)
            break
        cut_off += played.asked is not None
        too_long += len(played.choices) >= trial.wish.longest and played.asked is not None
        if too_long == games == ENOUGH:
            trial.is_endless = True
            trial.findings.append(_too_long(game, played, games))
            break
        if trial.work > MOST_TRIED:
            trial.left_out += number - games
            break
    _count(trial, game, reached)
    pairs = 0
    if not trial.is_endless:
        kind = variant_game(trial, game.variants, settings)
        pairs = _judge_secrets(trial, kind, machine, whole, work)
    series = GameSeries(game.variants, settings, players, games, choices, pairs, cut_off)
    trial.series.append(series)


# [secrets.tried]
def _judge_secrets(
    trial: Trial, game: Game, machine: Machine, games: list[Playthrough], work: int
) -> int:
    """Compare some of the games with others that look the same to a player; return the number of pairs."""
    wished = trial.wish.secrets
    pairs = PAIRS if wished is None else wished
    most = max(LEAST_WORK, work * 3 // 5) if wished is None else None
    verdict = Verdict()
    for verdict in judge(machine, iter(games), pairs, trial.wish.seed, most):
        for leak in verdict.leaks:
            span = span_of(leak)
            place = (leak.what, span.source.name, span.start, span.end)
            if place not in trial.seen:
                trial.seen.add(place)
                trial.findings.append(_leaking(game, leak))
        verdict.leaks.clear()
    return verdict.pairs


def _leaking(game: Game, leak: Leak) -> Finding:
    record = record_of(game, game_up_to(leak))
    return Finding(
        diagnose(leak),
        counterexample=Counterexample(record, None),
        pair=side_by_side(leak),
    )


# [fault.trial]
def _too_long(game: Game, played: Playthrough, games: int) -> Finding:
    """Report that none of the first games came to an end; whether any would is unknown."""
    count = len(played.choices)
    message = f"none of the first {games} random games was over after {count:,} choices"
    hint = f"if games are that long, `--longest {10 * count}` plays on"
    span = _first_line(game.code.blocks["play"].origin.span)
    return Finding(Diagnostic(codes.TOO_MANY_STEPS, message, span, hint=hint))


def _note(trial: Trial, game: Game, played: Playthrough) -> None:
    """Keep what went wrong."""
    if played.crash is not None:
        trial.bugs.append(Bug(played.crash, record_of(game, played)))
    if played.fault is None:
        return
    trial.seen.add(fault_key(played.fault))
    trial.is_endless = is_endless(played.fault)
    trial.progress("looking for a shorter game")
    trial.findings.append(_finding(game, shrink(game, played)))


def _finding(game: Game, shrunk: Shrunk) -> Finding:
    fault = shrunk.game.fault
    if fault is None:
        raise AssertionError("a game without a fault is no counterexample")
    span = fault.span if fault.code != codes.TOO_MANY_STEPS else _first_line(fault.span)
    return Finding(
        Diagnostic(fault.code, fault.message, span, hint=_override_hint(game, fault)),
        fault.rules,
        counterexample=Counterexample(record_of(game, shrunk.game), shrunk.again),
        why=_why(game, shrunk.game, fault),
    )


def _override_hint(game: Game, fault: RuleFault) -> str | None:
    """A hint for an `always` of a layer below: where it comes from, and how a layer above can change it."""
    if fault.code != codes.INVARIANT_FAILS:
        return None
    for name, declared in game.program.declared.invariants.items():
        source = declared.node.span.source.name
        is_below = source != game.name or game.variants
        if declared.node.span != fault.span or declared.layer.origin == "variant" or not is_below:
            continue
        where = f"the variant `{game.variants[-1]}`" if game.variants else "your file"
        base = declared.layer.title
        return (
            f"it comes from `{base}`: if it need not hold in {where}, write"
            f" `override always {name}: …` or `remove always {name}` there"
        )
    return None


def _why(game: Game, played: Playthrough, fault: RuleFault) -> Account | None:
    """How an invariant came to fail, in the last state of the game."""
    machine = game.machine(played.players)
    state = None
    try:
        state = start(machine, played.seed, watched=True)
        for number in played.choices:
            apply(machine, state, number)
    except RuleFault:
        return None
    return explain_fault(machine, state, fault, author_of(machine, None))

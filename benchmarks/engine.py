"""How fast our engines play, beside the same games by hand and games of others: `make bench`.

    python benchmarks/engine.py --rounds 9 --seconds 0.5 --json
    git worktree add ../old cda07bb && python benchmarks/engine.py --beside ../old

All rows are measured side by side in one run, by turns. Seconds differ from machine to machine and from minute
to minute; the ratios are the result. A game is played from the setup to the result, with random choices.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from attrs import frozen

import beside
from contenders import (
    CLASS,
    FUSED,
    REFERENCE,
    SHIPPED,
    STEPPED,
    WHOLE,
    Contender,
    all_contenders,
    reference,
    shipped,
    stepped,
)
from interpreter.machine import build_machine
from interpreter.wasm.hosts import make_host
from interpreter.wasm.programs import write_program
from measuring import (
    Figures,
    best_seconds,
    clone_seconds,
    own_size,
    race,
    ratio,
    seconds_by_tenth,
    state_at,
    step_seconds,
)

# What the fast engine aims at: so many times as fast, at most so many microseconds and milliseconds.
# That whole games take at most 1.3 times as long as generated C is seen beside that alone: `--beside`.
RATIOS = (
    (STEPPED, REFERENCE, 10.0),
    (STEPPED, CLASS, 1.0),
    (WHOLE, FUSED, 3.0),
)
LIMITS = (
    (STEPPED, "step_us", "µs for a step", 1.5),
    (STEPPED, "clone_us", "µs for a clone", 1.0),
    (WHOLE, "load_ms", "ms to be ready, cold", 200.0),
    (WHOLE, "load_again_ms", "ms to be ready, from the cache", 20.0),
)
STEPPING = (REFERENCE, STEPPED, CLASS)  # several games at once, and copies that go on

LONG = (("rounds", 20),)  # a long game of siegel


@frozen
class Comparison:
    """One ratio beside its aim."""

    game: str
    one: str
    other: str
    aim: float
    ratio: float | None  # None: one of them is not there

    @property
    def verdict(self) -> str:
        return verdict(self.ratio, self.aim, most=False)


def verdict(value: float | None, aim: float, *, most: bool) -> str:
    """Whether an aim is reached; `most` if it is a limit that should not be passed."""
    if value is None:
        return "not measured"
    if most:
        return "within the limit" if value <= aim else "BEYOND THE LIMIT"
    return "over the aim" if value >= aim else "UNDER THE AIM"


# ---- Measuring -------------------------------------------------------------------------------------


def measure(contenders: Sequence[Contender], rounds: int, seconds: float) -> dict[str, Figures]:
    """All columns of all rows."""
    found = race(contenders, rounds, seconds)
    _lend_lengths(contenders, found)
    for each in contenders:
        figures = found.get(each.title)
        if figures is None:
            continue
        if each.steps is not None:
            figures.clone = clone_seconds(each.steps, 0.5, 4 * rounds)
            figures.size = each.size
            if each.name in STEPPING:
                figures.step = step_seconds(each.steps, rounds)
                figures.both = step_seconds(each.steps, rounds, copies=True)
            if each.sized:
                figures.size = own_size(state_at(each.steps, 0.5, 1), state_at(each.steps, 0.5, 2))
        if each.load is not None:
            figures.load = best_seconds(each.load, rounds)
        if each.again is not None:
            figures.again = best_seconds(each.again, rounds)
    return found


def _lend_lengths(contenders: Sequence[Contender], found: dict[str, Figures]) -> None:
    """Who does not count decisions plays as long games as the others at that table do on average."""
    for each in contenders:
        figures = found.get(each.title)
        if figures is not None and not figures.decisions:
            table = [c for c in contenders if c.game == each.game]
            rows = [found[c.title] for c in table if c.title in found]
            counted = [row for row in rows if row.decisions]
            most = max(counted, key=lambda row: row.games)
            figures.decisions = round(most.length * figures.games)


def compare(found: dict[str, Figures]) -> list[Comparison]:
    """The ratios that are asked for, of every game that has both sides."""
    rows = []
    for name, players in SHIPPED:
        game = f"{name}, {players} players"
        for one, other, aim in RATIOS:
            mine, yours = found.get(f"{game}: {one}"), found.get(f"{game}: {other}")
            if yours is not None:
                value = None if mine is None else ratio(mine, yours)
                rows.append(Comparison(game, one, other, aim, value))
    return rows


def making(names: Sequence[str], rounds: int) -> list[dict[str, Any]]:
    """What it takes to get the fast engine ready, from a game that was read and checked, part by part."""
    found = []
    for name, players in [each for each in SHIPPED if each[0] in names]:
        code = shipped(name).code
        machine = build_machine(code, players)
        content = write_program(machine).content
        parts = {
            "lower_ms": partial(build_machine, code, players),
            "emit_ms": partial(write_program, machine),
            "compile_ms": partial(make_host, content),
        }
        row = {key: _scaled(best_seconds(work, rounds), 1e3) for key, work in parts.items()}
        native = len(make_host(content).native() or b"")
        sizes = {"module_bytes": len(content), "native_bytes": native}
        found.append({"game": f"{name}, {players} players", **row, **sizes})
    return found


def growing(names: Sequence[str], rounds: int, games: int) -> list[dict[str, Any]]:
    """Costs from the beginning of a game to its end: they must not grow with its length."""
    tables = [*((name, players, ()) for name, players in SHIPPED), ("siegel", 4, LONG)]
    found = []
    for name, players, settings in [each for each in tables if each[0] in names]:
        table = name, players, settings
        for each in (reference(*table), stepped(*table)):
            if each.steps is None:
                continue
            tenths = seconds_by_tenth(each.steps, games, rounds)
            clones = [clone_seconds(each.steps, share, rounds, 5) for share in (0.0, 0.5, 0.99)]
            title = each.game + "".join(f", {key} {value}" for key, value in settings)
            found.append(
                {
                    "game": title,
                    "engine": each.name,
                    "us_by_tenth": [round(1e6 * value, 3) for value in tenths],
                    "second_half_to_first": round(sum(tenths[5:]) / sum(tenths[:5]), 3),
                    "clone_us": [round(1e6 * value, 3) for value in clones],
                }
            )
    return found


# ---- Telling ---------------------------------------------------------------------------------------


def row_of(contender: Contender, figures: Figures | None) -> dict[str, Any]:
    """A row as plain data."""
    row: dict[str, Any] = {"game": contender.game, "engine": contender.name, "note": contender.note}
    if figures is None:
        return row
    return row | {
        "decisions_per_second": round(1 / figures.each),
        "us_per_decision": round(1e6 * figures.each, 3),
        "decisions_per_game": round(figures.length, 2),
        "us_per_game": round(1e6 * figures.each * figures.length, 1),
        "step_us": _scaled(figures.step, 1e6),
        "clone_us": _scaled(figures.clone, 1e6),
        "both_us": _scaled(figures.both, 1e6),
        "load_ms": _scaled(figures.load, 1e3),
        "load_again_ms": _scaled(figures.again, 1e3),
        "state_bytes": figures.size,
    }


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else round(value * factor, 3)


COLUMNS = (
    ("decisions/s", "decisions_per_second", "{:,.0f}", 12),
    ("µs each", "us_per_decision", "{:.2f}", 9),
    ("µs a game", "us_per_game", "{:,.0f}", 11),
    ("step µs", "step_us", "{:.2f}", 9),
    ("clone µs", "clone_us", "{:.2f}", 10),
    ("both µs", "both_us", "{:.2f}", 9),
    ("load ms", "load_ms", "{:.0f}", 9),
    ("cached", "load_again_ms", "{:.0f}", 8),
    ("bytes", "state_bytes", "{:,}", 9),
)


def print_rows(rows: Iterable[dict[str, Any]]) -> None:
    print(f"{'':24}" + "".join(f"{head:>{width}}" for head, _, _, width in COLUMNS))
    game = ""
    for row in rows:
        if row["game"] != game:
            game = row["game"]
            print(game)
        cells = []
        for _, key, form, width in COLUMNS:
            value = row.get(key)
            cells.append(f"{'-' if value is None else form.format(value):>{width}}")
        line = "".join(cells) if "us_per_decision" in row else ""
        print(f"  {row['engine']:22}{line}" + (f"   {row['note']}" if row["note"] else ""))


def print_aims(comparisons: Sequence[Comparison], rows: Sequence[dict[str, Any]]) -> None:
    """Ratios first, then the limits."""
    print(f"\n{'':20}{'':42}{'ratio':>9}{'aim':>9}")
    for each in comparisons:
        value = "-" if each.ratio is None else f"{each.ratio:.2f} ×"
        title = f"{each.one} / {each.other}"
        print(f"{each.game:20}{title:42}{value:>9}{each.aim:>7.1f} ×   {each.verdict}")
    for engine, key, title, aim in LIMITS:
        for row in [each for each in rows if each["engine"] == engine]:
            found: float | None = row.get(key)
            shown = "-" if found is None else f"{found:.2f}"
            said = verdict(found, aim, most=True)
            print(f"{row['game']:20}{title:42}{shown:>9}{aim:>7.1f}     {said}")


def print_making(rows: Iterable[dict[str, Any]]) -> None:
    print("\nms from a game that was checked to an engine, and bytes of the module")
    heads = ("lower", "emit", "compile", "together", "module", "native")
    print(f"{'':22}" + "".join(f"{each:>10}" for each in heads))
    for row in rows:
        times = [row[key] for key in ("lower_ms", "emit_ms", "compile_ms")]
        cells = "".join(f"{value:10.1f}" for value in [*times, sum(times)])
        print(f"{row['game']:22}{cells}{row['module_bytes']:10,}{row['native_bytes']:10,}")


def print_growth(rows: Iterable[dict[str, Any]]) -> None:
    print(
        "\nµs a decision, by tenth of the game (2nd/1st: the second half beside the first); µs a clone"
    )
    print(
        f"{'':22}{'':20}"
        + "".join(f"{n + 1:>7}" for n in range(10))
        + "  2nd/1st   begin  middle   end"
    )
    for row in rows:
        tenths = "".join(f"{value:7.1f}" for value in row["us_by_tenth"])
        clones = "".join(f"{value:7.2f}" for value in row["clone_us"])
        title = row["game"].replace(" players", "")
        print(f"{title:22}{row['engine']:20}{tenths}{row['second_half_to_first']:9.2f}{clones}")


def main() -> None:
    """Measure everything, and print it."""
    parser = argparse.ArgumentParser(description="How fast the engines play, side by side.")
    parser.add_argument("--rounds", type=int, default=7, help="how often each is measured")
    parser.add_argument("--seconds", type=float, default=0.25, help="for each, in each round")
    parser.add_argument("--game", action="append", help="only this game of ours, and no other")
    parser.add_argument("--json", action="store_true", help="print data and no tables")
    parser.add_argument(
        "--beside",
        metavar="PATH",
        help="only compare with the generated C of an earlier checkout, by turns; cda07bb is the last one that has it",
    )
    chosen = parser.parse_args()
    names = chosen.game or [name for name, _ in SHIPPED]
    if chosen.beside:
        table = beside.compare(chosen.beside, names, chosen.rounds)
        print(json.dumps(table, indent=1)) if chosen.json else beside.print_comparison(table)
        return
    contenders = all_contenders(names, others=not chosen.game)
    found = measure(contenders, chosen.rounds, chosen.seconds)
    rows = [row_of(each, found.get(each.title)) for each in contenders]
    comparisons = compare(found)
    made = making(names, chosen.rounds)
    growth = growing(names, max(2, chosen.rounds // 2), max(2, round(40 * chosen.seconds)))
    if chosen.json:
        ratios = [
            {
                "game": each.game,
                "ratio_of": each.one,
                "to": each.other,
                "ratio": None if each.ratio is None else round(each.ratio, 3),
                "aim": each.aim,
                "verdict": each.verdict,
            }
            for each in comparisons
        ]
        told = {"rows": rows, "ratios": ratios, "making": made, "growth": growth}
        print(json.dumps(told, indent=1))
        return
    print_rows(rows)
    print_aims(comparisons, rows)
    print_making(made)
    print_growth(growth)


if __name__ == "__main__":
    main()

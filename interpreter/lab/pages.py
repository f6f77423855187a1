"""A report as data -> one page of HTML with its plots, which needs no other file and no network."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from interpreter.lab.figures import Figure, compared, simulated
from interpreter.lab.styles import DARK, LIGHT, PLOTS
from interpreter.lab.texts import measure_name, more, parts_of, percent, rules_name, signed
from rulespec.rendering import count

Data = dict[str, Any]

STYLE = f"""
:root {{ color-scheme: light dark; {LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ {DARK} }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; max-width: 1400px; padding: 1.5rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }}
h1 {{ font-size: 1.7rem; margin: 0; }} h2 {{ font-size: 1.3rem; margin: 2.5rem 0 .5rem; }}
p {{ max-width: 75ch; }} .soft {{ color: var(--soft); }}
.verdict {{ border-left: 4px solid var(--sure); padding: .4rem 0 .4rem 1rem; font-size: 1.05rem; }}
.verdict.same {{ border-color: var(--same); }}
.plots {{ columns: 2 28rem; column-gap: 1rem; }}
figure {{ break-inside: avoid; margin: 0 0 1rem; padding: 1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .5rem; min-width: 0; }}
figcaption {{ font-weight: 600; margin-bottom: .5rem; }}
figcaption small {{ display: block; font-weight: 400; color: var(--soft); }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }}
th, td {{ text-align: right; padding: .2rem .7rem; border-bottom: 1px solid var(--line); }}
th:first-child, td:first-child {{ text-align: left; }} td.wide {{ text-align: left; }}
.scroll {{ overflow-x: auto; }}
{PLOTS}"""


def page(report: Data) -> str:
    """The whole page."""
    body = _simulated(report) if report["report"] == "simulate" else _compared(report)
    lines = "\n".join(body)
    title = report.get("game") or " and ".join(each["name"] for each in report["contenders"])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}: {report['report']}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{lines}\n</main>\n</body>\n</html>\n"
    )


def _figure(title: str, note: str, plot: str) -> str:
    small = f"<small>{escape(note)}</small>" if note else ""
    return f"<figure><figcaption>{escape(title)}{small}</figcaption>{plot}</figure>"


def _drawn(figure: Figure) -> str:
    return _figure(figure.title, figure.note, figure.svg)


def _plots(figures: Iterable[str]) -> str:
    return f'<div class="plots">{"".join(figures)}</div>'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(each)}</th>' for each in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        f'<div class="scroll"><table><thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _ends(low: float, high: float, digits: int = 2) -> str:
    return signed(f"{low:.{digits}f} to {high:.{digits}f}")


def _interrupted(report: Data) -> Iterator[str]:
    if report["interrupted"]:
        yield "<p><strong>Interrupted: these are the results so far.</strong></p>"


# ---- simulate ------------------------------------------------------------------------------------


def _simulated(report: Data) -> Iterator[str]:
    yield f"<h1>{escape(report['game'])}</h1>"
    yield (
        f'<p class="soft">{escape(rules_name(report))}, seed {report["seed"]}. Seat 1 begins, the '
        "others follow in the order of play. Lines to both sides of a dot are intervals of "
        f"{100 * report['confidence']:g} %.</p>"
    )
    yield from _interrupted(report)
    for table in report["tables"]:
        yield f"<h2>{count(table['players'], 'player')}, {count(table['games'], 'game')}</h2>"
        yield _plots([*map(_drawn, simulated(table)), _numbers(table)])
    yield from _parts(report)


def _numbers(table: Data) -> str:
    rows = [
        [
            f"wins, seat {each['seat']}",
            percent(each["mean"]),
            _ends(100 * each["low"], 100 * each["high"]),
        ]
        for each in table["seats"]
    ]
    for name in ("shared", "unwon"):
        found = table[name]
        if name == "shared" or found["mean"]:
            ends = _ends(100 * found["low"], 100 * found["high"])
            rows.append([measure_name(name), percent(found["mean"]), ends])
    for name in ("decisions", "score", "winner", "spread"):
        if table[name]:
            found = table[name]
            mean = signed(f"{found['mean']:.2f}")
            rows.append([measure_name(name), mean, _ends(found["low"], found["high"])])
    if "sample" in table:
        sample = table["sample"]
        note = f"sample of {sample['games']:,} games"
        rows.append(["turns", f"{sample['turns']:.1f}", note])
        rows.append(["options per decision", f"{sample['options']:.2f}", note])
        rows.append(["decisions with only one option", percent(sample["forced"]), note])
        if sample["lead_changes"] is not None:
            rows.append(["lead changes", f"{sample['lead_changes']:.1f}", note])
    if "skill" in table:
        skill = table["skill"]
        name = f"wins of {skill['bot']} among random players, {skill['games']:,} games"
        ends = _ends(100 * skill["low"], 100 * skill["high"])
        rows.append([name, percent(skill["mean"]), ends])
    return _figure("All numbers", "", _table(["", "mean", "interval"], rows))


def _parts(report: Data) -> Iterator[str]:
    found = parts_of(report)
    if not found:
        return
    counts = [table["players"] for table in report["tables"] if "sample" in table]
    yield "<h2>How often rules and rows were used</h2>"
    yield '<p class="soft">In how many of the sampled games, by number of players.</p>'
    yield _table(
        ["rule or row", "where", *(count(n, "player") for n in counts)],
        [
            [part["name"], f"{Path(part['file']).name}:{part['line']}"]
            + [percent(shares[n]) if n in shares else "" for n in counts]
            for part, shares in found
        ],
    )


# ---- compare -------------------------------------------------------------------------------------


def _compared(report: Data) -> Iterator[str]:
    names = [each["name"] for each in report["contenders"]]
    yield f"<h1>{escape(names[0])} against {escape(', '.join(names[1:]))}</h1>"
    told = "; ".join(f"{each['name']}: {rules_name(each)}" for each in report["contenders"])
    yield f'<p class="soft">{escape(told)}.</p>'
    yield (
        f'<p class="soft">Pairs of games on the same seeds, seed {report["seed"]}. Seat 1 begins. '
        f"All {report['intervals']} intervals hold together with {100 * report['confidence']:g} % "
        "(Bonferroni): what stands out surely changed.</p>"
    )
    yield from _interrupted(report)
    for table in report["tables"]:
        yield f"<h2>{count(table['players'], 'player')}, {table['games']:,} pairs of games</h2>"
        for side in table["differences"]:
            changed = any(row["changed"] for row in side["measures"])
            yield (
                f'<p class="verdict{"" if changed else " same"}">'
                f"<strong>{escape(side['name'])}:</strong> {escape(side['verdict'])}</p>"
            )
        tables = (_difference_table(table, side) for side in table["differences"])
        yield _plots([*map(_drawn, compared(table)), *tables])


def _difference_table(table: Data, side: Data) -> str:
    rows = []
    for row in side["measures"]:
        factor, unit = (100, " %") if row["is_share"] else (1, "")
        rows.append(
            [
                measure_name(row["measure"]),
                signed(f"{factor * row['before']:.2f}{unit}"),
                signed(f"{factor * row['after']:.2f}{unit}"),
                more(factor * row["mean"]),
                f"{more(factor * row['low'])} to {more(factor * row['high'])}",
                "changed" if row["changed"] else "",
            ]
        )
    head = ["", table["sides"][0]["name"], side["name"], "difference", "interval", ""]
    return _figure(f"All numbers: {side['name']}", "", _table(head, rows))

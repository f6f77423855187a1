"""A report as data -> one HTML page with its plots, which needs no other file and no network."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from interpreter.lab.conclusions import slow_note, thing_name
from interpreter.lab.figures import PlotFigure, comparison_figures, simulated
from interpreter.lab.plot_styles import DARK, LIGHT, PLOTS
from interpreter.lab.texts import (
    NAMES,
    TOO_FEW,
    ends,
    families,
    measure_name,
    more,
    part_lines,
    percent,
    rules_name,
    signed,
    title,
)
from rulespec.rendering import counted

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
.verdict h2 {{ margin: .2rem 0; font-size: 1.15rem; }} .verdict p {{ margin: .3rem 0; }}
.verdict li {{ margin: .2rem 0; }} .verdict ul {{ margin: .3rem 0; padding-left: 1.2rem; max-width: 75ch; }}
.doubt {{ color: var(--sure); }}
@media print {{ :root {{ color-scheme: light; {LIGHT} --page: #ffffff; }}
  body {{ max-width: none; padding: 0; }} details {{ display: none; }} }}
.plots {{ columns: 2 28rem; column-gap: 1rem; }}
figure {{ break-inside: avoid; margin: 0 0 1rem; padding: 1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .5rem; min-width: 0; }}
figcaption {{ font-weight: 600; margin-bottom: .5rem; }}
figcaption small {{ display: block; font-weight: 400; color: var(--soft); }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }}
th, td {{ text-align: right; padding: .2rem .7rem; border-bottom: 1px solid var(--line); }}
th, td {{ white-space: nowrap; }} th {{ font-weight: 600; }}
th:first-child {{ text-align: left; white-space: normal; min-width: 9rem; }} tbody th {{ font-weight: 400; }}
.scroll {{ overflow-x: auto; }} .scroll svg {{ min-width: 30rem; }}
@media print {{ .scroll svg {{ min-width: 0; }} .scroll {{ overflow: visible; }} }}
{PLOTS}"""


def page(report: Data) -> str:
    """The whole page."""
    body = _simulated(report) if report["report"] == "simulate" else _compared(report)
    lines = "\n".join(body)
    name = report.get("game") or " and ".join(each["name"] for each in report["contenders"])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(name)}: {report['report']}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{lines}\n</main>\n</body>\n</html>\n"
    )


def _figure(title: str, note: str, plot: str) -> str:
    small = f"<small>{escape(note)}</small>" if note else ""
    return (
        f"<figure><figcaption>{escape(title)}{small}</figcaption>"
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(title)}">{plot}</div></figure>'
    )


def _drawn(figure: PlotFigure) -> str:
    return _figure(figure.title, figure.note, figure.svg)


def _plots(figures: Iterable[str]) -> str:
    return f'<div class="plots">{"".join(figures)}</div>'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(each)}</th>' for each in head)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _how(report: Data) -> Iterator[str]:
    """What was played, by whom, and how sure the results are."""
    if report["interrupted"]:
        yield "<p><strong>Interrupted: these are the results so far.</strong></p>"
    shown = {table["who"]: table["about"] for table in report["tables"]}
    played = "; ".join(
        f"{who}, {', '.join(_size(table) for table in report['tables'] if table['who'] == who)} ({about})"
        for who, about in shown.items()
    )
    if report["report"] == "compare":
        hold = (
            f"{families(report)} hold together with {100 * report['confidence']:g} % (Bonferroni)"
        )
        what = "Pairs of games on the same seeds"
    else:
        hold = f"Each interval holds with {100 * report['confidence']:g} %"
        what = "Games"
    told = [
        f"{what}: {played}",
        f"Seed {report['seed']}. Seat 1 begins, the others follow in the order of play",
        f"{hold}; lines to both sides of a dot are intervals",
        f"Minutes are those of people who take {report['pace']:g} seconds for a decision",
        *report["left_out"],
    ]
    yield f'<p class="soft">{escape(". ".join(told))}.</p>'
    for table in report["tables"]:
        for side in table.get("sides", (table,)):
            note = slow_note(side, side.get("name", ""))
            if note is not None:
                yield f'<p class="soft">{counted(table["players"], "player")}: {escape(note)}</p>'


def _size(table: Data) -> str:
    return f"{table['games']:,} with {counted(table['players'], 'player')}"


# ---- simulate ------------------------------------------------------------------------------------


def _simulated(report: Data) -> Iterator[str]:
    yield f"<h1>{escape(report['game'])}</h1>"
    yield f'<p class="soft">{escape(rules_name(report))}</p>'
    for table in report["tables"]:
        if not table["is_quick"]:
            yield _verdict(title(table), table["verdict"], same=False)
    quick = [table for table in report["tables"] if table["is_quick"]]
    if quick:
        yield _quick_verdicts(quick)
    yield from _how(report)
    for table in _best_first(report["tables"]):
        yield f"<h2>{escape(title(table))}</h2>"
        yield _plots([*map(_drawn, simulated(table)), _numbers(table)])
    yield from _parts(report)


def _best_first(tables: Sequence[Data]) -> list[Data]:
    """The tables of players who think, before those of a quick look."""
    return sorted(tables, key=lambda table: table["is_quick"])


def _quick_verdicts(tables: Sequence[Data]) -> str:
    """The verdicts of the quick looks at all numbers of players, in one place."""
    begin = f"Among {tables[0]['who']}, "  # the head says so already
    said = [_capital(" ".join(table["verdict"]).removeprefix(begin)) for table in tables]
    lines = "".join(
        f"<li><strong>{escape(counted(table['players'], 'player'))}:</strong> {escape(each)}</li>"
        for table, each in zip(tables, said, strict=True)
    )
    return (
        f'<section class="verdict same"><h2>{escape(_capital(tables[0]["who"]))}</h2>'
        f"<p>{escape(_capital(tables[0]['about']))}.</p><ul>{lines}</ul></section>"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _verdict(head: str, said: Sequence[str], *, same: bool) -> str:
    lines = "".join(f"<li>{escape(each)}</li>" for each in said[1:])
    return (
        f'<section class="verdict{" same" if same else ""}"><h2>{escape(head)}</h2>'
        f"<p>{escape(said[0])}</p>{f'<ul>{lines}</ul>' if lines else ''}</section>"
    )


def _numbers(table: Data) -> str:
    rows = [
        [f"wins, seat {each['seat']}", percent(each["mean"]), ends(each, 100)]
        for each in table["seats"]
        if "mean" in each
    ]
    for name in ("shared", "unwon", "cut"):
        found = table[name]
        if found and (name == "shared" or found["mean"]):
            rows.append([measure_name(name), percent(found["mean"]), ends(found, 100)])
    for name in ("decisions", "minutes", "score", "winner", "spread"):
        if table.get(name):
            found = table[name]
            rows.append([measure_name(name), signed(f"{found['mean']:.2f}"), ends(found)])
    for name, found in table["close"].items():
        if found and name not in ("turns", "lead changes"):
            rows.append([NAMES[name], percent(found["mean"]), ends(found, 100)])
    if "sample" in table:
        sample = table["sample"]
        note = f"{sample['games']:,} games"
        rows.append(["turns", f"{sample['turns']:.1f}", note])
        rows.append(["options per decision", f"{sample['options']:.2f}", note])
        rows.append(["decisions with only one option", percent(sample["forced"]), note])
        if sample["lead_changes"] is not None:
            rows.append(["lead changes", f"{sample['lead_changes']:.1f}", note])
    for each in table.get("skill", ()):
        of = f"{each['stronger']} among {each['weaker']} players"
        for name, key in (("stronger", "wins"), ("both", "both"), ("deal", "deal")):
            if each[key]:
                told = ends(each[key], 100)
                rows.append([measure_name(name, of), percent(each[key]["mean"]), told])
    return _figure("All numbers", "", _table(["", "mean", "interval"], rows))


def _parts(report: Data) -> Iterator[str]:
    found = part_lines(report)
    if not found:
        return
    columns = list(dict.fromkeys(key for _, shares in found for key in shares))
    yield "<details><summary>How often rules and rows were used</summary>"
    yield '<p class="soft">In how many of the games that were looked at closely.</p>'
    yield '<div class="scroll" tabindex="0" role="group" aria-label="Rules and rows">'
    yield _table(
        ["rule or row", "where", *(f"{counted(n, 'player')}, {who}" for n, who in columns)],
        [
            [part["name"], f"{Path(part['file']).name}:{part['line']}"]
            + [percent(shares[key]) if key in shares else "" for key in columns]
            for part, shares in found
        ],
    )
    yield "</div></details>"


# ---- compare -------------------------------------------------------------------------------------


def _compared(report: Data) -> Iterator[str]:
    names = [each["name"] for each in report["contenders"]]
    yield f"<h1>{escape(names[0])} against {escape(', '.join(names[1:]))}</h1>"
    told = "; ".join(f"{each['name']}: {rules_name(each)}" for each in report["contenders"])
    yield f'<p class="soft">{escape(told)}</p>'
    for each in report["contenders"]:
        for doubt in each["doubts"]:
            yield f'<p class="doubt"><strong>{escape(each["name"])}:</strong> {escape(doubt)}</p>'
    for table in _best_first(report["tables"]):
        for side in table["differences"]:
            changed = any(row["changed"] for row in side["measures"])
            said = [f"{side['name']}: {side['verdict']}" if len(names) > 2 else side["verdict"]]
            yield _verdict(title(table), said, same=not changed)
    yield from _how(report)
    for table in _best_first(report["tables"]):
        yield f"<h2>{escape(title(table))}</h2>"
        tables = (_difference_table(table, side) for side in table["differences"])
        without = (
            _without_table(side)
            for side in table["differences"]
            if any(
                row["tells"] or row["changed"]
                for row in side.get("restricted", {}).get("things", ())
            )
        )
        yield _plots([*map(_drawn, comparison_figures(table)), *tables, *without])


def _difference_table(table: Data, side: Data) -> str:
    rows = []
    for row in side["measures"]:
        factor, unit = (100, " %") if row["is_share"] else (1, "")
        if row["tells"]:
            change = more(factor * row["mean"])
            interval = f"{more(factor * row['low'])} to {more(factor * row['high'])}"
        else:
            change, interval = "", TOO_FEW
        rows.append(
            [
                measure_name(row["measure"], row.get("of", "")),
                signed(f"{factor * row['before']:.2f}{unit}"),
                signed(f"{factor * row['after']:.2f}{unit}"),
                change,
                interval,
                "changed" if row["changed"] else "",
            ]
        )
    head = ["", table["sides"][0]["name"], side["name"], "difference", "interval", ""]
    return _figure(f"All numbers: {side['name']}", "", _table(head, rows))


def _without_table(side: Data) -> str:
    rows = [
        [
            thing_name(row),
            *(more(100 * row[name]) for name in ("before", "after")),
            more(100 * row["mean"]) if row["tells"] else "",
            f"{more(100 * row['low'])} to {more(100 * row['high'])}" if row["tells"] else TOO_FEW,
            "changed" if row["changed"] else "",
        ]
        for row in side["restricted"]["things"]
        if row["tells"] or row["changed"]
    ]
    head = ["", "before", "after", "difference", "interval", ""]
    found = side["restricted"]
    note = (
        f"what {found['who']} win or lose in a game who never do it, in points of victories; "
        f"{found['games']:,} pairs of games; these intervals hold together"
    )
    return _figure(f"Doing without: {side['name']}", note, _table(head, rows))

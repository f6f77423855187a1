"""A rule of the grammar -> a railroad diagram.

Whoever follows the rails from left to right, and never turns sharply, spells what the rule allows.
Colours are left to the style sheet of the page, so that a diagram is readable on light and on dark.

A `lark` block of a page is shown as its diagrams with the lines below, which say the same to whoever
reads with the ears. `mkdocs.yml` names `show_block` for this.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, assert_never

from attrs import frozen

from rulespec.docgen.notation import (
    Alternatives,
    Concatenation,
    Keyword,
    OptionalPart,
    Part,
    Repetition,
    RuleReference,
    TokenKind,
    read_rules,
)

CHARACTER = 8.0  # the width of one, in the fixed-width letters of the style sheet
PADDING = 9.0
HALF = 12.0  # of the height of a box
GAP = 10.0  # between boxes, and between rails
BEND = 8.0  # the radius of curves
WIDEST = 640.0  # a longer row goes on in the next one

# What the reader sees for tokens that have no spelling of their own.
KINDS = {
    "_NL": "end of line",
    "_INDENT": "indent",
    "_DEDENT": "dedent",
    "CITE": "clause",
    "INT": "digits",
    "NAME": "word",
    "STRING": "text in quotes",
}


@frozen
class Drawing:
    """What is to be drawn on a rail: how wide it is, how far it reaches up and down, and how to do it."""

    width: float
    up: float
    down: float
    draw: Callable[[float, float], Iterator[str]]


def draw_rule(name: str, rule: Part, targets: Mapping[str, str]) -> str:
    """The diagram of a rule as SVG; `targets` has the addresses of other rules."""
    rows = _rows(rule, targets)
    width = max(row.width for row in rows) + 4 * GAP
    drawn: list[str] = []
    y = GAP / 2
    for number, row in enumerate(rows):
        y += row.up
        drawn += _begin(y) if number == 0 else []
        drawn += [_line(GAP, y, GAP)] if number else []
        drawn += row.draw(2 * GAP, y)
        end = 2 * GAP + row.width
        if number + 1 < len(rows):
            down = row.down + 2 * GAP + rows[number + 1].up
            drawn += _next_row(end, y, row.down + GAP, down)
            y += row.down + 2 * GAP
        else:
            drawn += [_line(end, y, GAP), *_end(end + GAP, y)]
            y += row.down
    height = y + GAP / 2
    title = f"Syntax of {name.replace('_', ' ')}"
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return (
        f'<svg class="railroad" role="group" aria-label="{title}" {size}>'
        f"<title>{title}</title>{''.join(drawn)}</svg>"
    )


def _rows(rule: Part, targets: Mapping[str, str]) -> list[Drawing]:
    """A rule in as many rows as it needs."""
    parts = list(rule.parts) if isinstance(rule, Concatenation) else [rule]
    drawings = [_drawing(part, targets) for part in parts]
    rows: list[list[Drawing]] = [[]]
    for each in drawings:
        if rows[-1] and sum(one.width + GAP for one in rows[-1]) + each.width > WIDEST:
            rows.append([])
        rows[-1].append(each)
    return [_series(row) for row in rows]


# ---- Parts ---------------------------------------------------------------------------------------


def _drawing(part: Part, targets: Mapping[str, str]) -> Drawing:
    match part:
        case Keyword(text):
            return _box(text, "word")
        case TokenKind(name):
            return _box(KINDS[name], "kind")
        case RuleReference(rule):
            return _box(rule.replace("_", " "), "rule", targets.get(rule))
        case Concatenation(parts):
            return _series([_drawing(each, targets) for each in parts])
        case Alternatives(parts):
            return _choice([_drawing(each, targets) for each in parts])
        case OptionalPart(inner):
            return _maybe(_drawing(inner, targets))
        case Repetition(inner, between):
            back = None if between is None else _drawing(between, targets)
            return _loop(_drawing(inner, targets), back)
        case _:
            assert_never(part)


def _box(text: str, kind: str, target: str | None = None) -> Drawing:
    width = len(text) * CHARACTER + 2 * PADDING

    def draw(x: float, y: float) -> Iterator[str]:
        round_ = f' rx="{HALF:g}"' if kind == "word" else ""
        yield f'<a href="{html.escape(target)}">' if target else ""
        yield f'<g class="{kind}"><rect x="{x:g}" y="{y - HALF:g}" width="{width:g}" '
        yield f'height="{2 * HALF:g}"{round_}/><text x="{x + width / 2:g}" y="{y + 4:g}">'
        yield f"{html.escape(text)}</text></g>"
        yield "</a>" if target else ""

    return Drawing(width, HALF, HALF, draw)


def _series(parts: list[Drawing]) -> Drawing:
    def draw(x: float, y: float) -> Iterator[str]:
        for number, part in enumerate(parts):
            if number:
                yield _line(x, y, GAP)
                x += GAP
            yield from part.draw(x, y)
            x += part.width

    return Drawing(
        width=sum(part.width for part in parts) + GAP * (len(parts) - 1),
        up=max(part.up for part in parts),
        down=max(part.down for part in parts),
        draw=draw,
    )


def _choice(parts: list[Drawing]) -> Drawing:
    """The first one on the rail, the others below it."""
    inner = max(part.width for part in parts)
    depths = [0.0]
    for above, part in pairwise(parts):
        depths.append(depths[-1] + above.down + GAP + part.up)

    def draw(x: float, y: float) -> Iterator[str]:
        for part, depth in zip(parts, depths, strict=True):
            yield from _branch(x, y, depth)
            yield from part.draw(x + 2 * BEND, y + depth)
            yield _line(x + 2 * BEND + part.width, y + depth, inner - part.width)
            yield from _merge(x + 2 * BEND + inner, y, depth)

    return Drawing(inner + 4 * BEND, parts[0].up, depths[-1] + parts[-1].down, draw)


def _maybe(part: Drawing) -> Drawing:
    """It on the rail, and a way around above it."""
    rise = -(part.up + GAP)

    def draw(x: float, y: float) -> Iterator[str]:
        yield _line(x, y, 2 * BEND)
        yield from part.draw(x + 2 * BEND, y)
        yield _line(x + 2 * BEND + part.width, y, 2 * BEND)
        yield from _branch(x, y, rise)
        yield _line(x + 2 * BEND, y + rise, part.width)
        yield from _merge(x + 2 * BEND + part.width, y, rise)

    return Drawing(part.width + 4 * BEND, part.up + GAP, part.down, draw)


def _loop(part: Drawing, between: Drawing | None) -> Drawing:
    """It on the rail, and a way back below it."""
    inner = max(part.width, between.width if between else 0)
    fall = part.down + GAP + (between.up if between else 0)

    def draw(x: float, y: float) -> Iterator[str]:
        yield _line(x, y, 2 * BEND)
        yield from part.draw(x + 2 * BEND, y)
        right = x + 2 * BEND + inner
        yield _line(x + 2 * BEND + part.width, y, inner - part.width + 2 * BEND)
        side = f"v{fall - 2 * BEND:g}"
        yield _path(
            f"M{right:g} {y:g}q{BEND:g} 0 {BEND:g} {BEND:g}{side}q0 {BEND:g} -{BEND:g} {BEND:g}"
        )
        left = x + 2 * BEND
        yield _path(
            f"M{left:g} {y:g}q-{BEND:g} 0 -{BEND:g} {BEND:g}{side}q0 {BEND:g} {BEND:g} {BEND:g}"
        )
        width = between.width if between else 0
        start = left + (inner - width) / 2
        yield _line(left, y + fall, start - left)
        yield from between.draw(start, y + fall) if between else ()
        yield _line(start + width, y + fall, right - start - width)
        # The only rails that are followed to the left say so.
        yield f'<path class="arrow" d="M{left:g} {y + fall:g}l6 -4v8z"/>'

    down = fall + (between.down if between else GAP / 2)
    return Drawing(inner + 4 * BEND, part.up, down, draw)


# ---- Rails ---------------------------------------------------------------------------------------


def _path(data: str) -> str:
    return f'<path d="{data}"/>'


def _line(x: float, y: float, length: float) -> str:
    return _path(f"M{x:g} {y:g}h{length:g}") if length > 0 else ""


def _branch(x: float, y: float, depth: float) -> Iterator[str]:
    """From the rail to one that lies deeper, or higher."""
    if depth == 0:
        yield _line(x, y, 2 * BEND)
        return
    bend = BEND if depth > 0 else -BEND
    side = f"v{depth - 2 * bend:g}"
    yield _path(f"M{x:g} {y:g}q{BEND:g} 0 {BEND:g} {bend:g}{side}q0 {bend:g} {BEND:g} {bend:g}")


def _merge(x: float, y: float, depth: float) -> Iterator[str]:
    """From a rail that lies deeper, or higher, back to the first one."""
    if depth == 0:
        yield _line(x, y, 2 * BEND)
        return
    bend = BEND if depth > 0 else -BEND
    side = f"v{2 * bend - depth:g}"
    yield _path(
        f"M{x:g} {y + depth:g}q{BEND:g} 0 {BEND:g} {-bend:g}{side}q0 {-bend:g} {BEND:g} {-bend:g}"
    )


def _begin(y: float) -> list[str]:
    return [_path(f"M2 {y - 6:g}v12M2 {y:g}h{2 * GAP - 2:g}")]


def _end(x: float, y: float) -> list[str]:
    return [_path(f"M{x:g} {y:g}h{GAP - 2:g}M{x + GAP - 2:g} {y - 6:g}v12")]


def _next_row(x: float, y: float, between: float, down: float) -> list[str]:
    """From the end of a row to the beginning of the one below."""
    turn = f"q{BEND:g} 0 {BEND:g} {BEND:g}"
    first = f"v{between - 2 * BEND:g}q0 {BEND:g} -{BEND:g} {BEND:g}"
    back = f"H{GAP:g}q-{BEND:g} 0 -{BEND:g} {BEND:g}"
    rest = f"v{down - between - 2 * BEND:g}q0 {BEND:g} {BEND:g} {BEND:g}"
    return [_path(f"M{x:g} {y:g}{turn}{first}{back}{rest}")]


# ---- On a page -----------------------------------------------------------------------------------

CHAPTERS = Path("docs/language")
_ID = re.compile(r'\{ #(\w+\.\w+) \}$|^<a id="(\w+\.\w+)"></a>$')
_RULE_LINE = re.compile(r"^\??([a-z_]+):")


@cache
def addresses() -> dict[str, str]:
    """Where each rule is described, as seen from a chapter of the reference."""
    found: dict[str, str] = {}
    for page in sorted(CHAPTERS.glob("[0-9]*.md")):
        identifier, in_grammar = "", False
        for line in page.read_text("utf-8").splitlines():
            if line.startswith("```"):
                in_grammar = line == "```lark"
            elif heading := _ID.search(line):
                identifier = heading[1] or heading[2]
            elif in_grammar and (rule := _RULE_LINE.match(line)):
                found[rule[1]] = f"../{page.stem}/#{identifier}"
    return found


def show_block(source: str, *_: Any, **__: Any) -> str:
    """A block of grammar as part of a page."""
    rules = read_rules(source)
    diagrams = "".join(
        (f"<figcaption><code>{name}</code></figcaption>" if len(rules) > 1 else "")
        + f'<div class="railroad-scroll">{draw_rule(name, rule, addresses())}</div>'
        for name, rule in rules.items()
    )
    lines = html.escape(source.strip("\n"))
    return (
        f'<figure class="grammar" data-search-exclude>{diagrams}'
        f"<pre><code>{lines}</code></pre></figure>"
    )

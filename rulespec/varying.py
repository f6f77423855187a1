"""The name of a number in the rules -> its span in the text, so that `rulespec sweep` can try other numbers there.

`points[4]` is the cell of a table in the row with that key, `fines[3].stones` is one of several outputs. `limit` is the
number of a `let`, the start value of a variable, or the copies of a kind of piece. If a name fits several places,
`limit#2` is the second one.
"""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from rulespec.checking.declarations import walk
from rulespec.source import Source, Span, text_of
from rulespec.syntax import nodes

MOST_VALUES = 50
MOST_NAMED = 12
_TARGET = re.compile(
    r"(?P<name>[^\W\d]\w*)(?:\[(?P<key>[^\]]*)\])?(?:\.(?P<output>\w+))?(?:#(?P<nth>\d+))?"
)
_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")


class NoPlace(ValueError):  # noqa: N818 - it says what is wrong
    """The target does not name exactly one number; the argument is a sentence that says why."""


@frozen
class NumberSite:
    """A number in the text: its span, its name as a target, and its present text."""

    name: str
    span: Span

    @property
    def text(self) -> str:
        return text_of(self.span)


def parse_variation(word: str) -> tuple[str, tuple[str, ...]]:
    """The target and the values to try.

    >>> parse_variation("points[4]=-1..2"), parse_variation("limit=3,10")
    (('points[4]', ('-1', '0', '1', '2')), ('limit', ('3', '10')))
    """
    target, is_given, text = word.rpartition("=")
    found = _RANGE.fullmatch(text.replace(" ", ""))
    if not is_given or not target:
        raise NoPlace(f"`{word}` has no values; write `points[4]=-1..4` or `limit=3,5`")
    if found is not None:
        low, high = int(found[1]), int(found[2])
        if not low < high or high - low >= MOST_VALUES:
            raise NoPlace(f"`{text}` is no range of 2 to {MOST_VALUES} numbers; write `-1..4`")
        return target.strip(), tuple(map(str, range(low, high + 1)))
    values = tuple(dict.fromkeys(each.strip() for each in text.split(",")))
    if len(values) < 2 or not all(values):
        raise NoPlace(f"`{word}` has one value only; write `{target}=3,5`, or a range `3..5`")
    return target.strip(), values


def find_site(files: Sequence[nodes.File], target: str) -> NumberSite:
    """The one place that a target names; the last declaration counts."""
    found = _TARGET.fullmatch(target.replace(" ", ""))
    if found is None:
        raise NoPlace(f"`{target}` names nothing in the rules; write `points[4]` or `limit`")
    every: list[NumberSite] = []
    for file in reversed(files):
        every = [site for item in _items(file.items) for site in _sites(item, found["name"])]
        if every:
            break
    if not every:
        raise NoPlace(
            f"there is no table, `let`, state or kind of piece `{found['name']}` with a number to vary"
        )
    name = found["name"]
    if found["key"] is not None:
        name += f"[{_tidy(found['key'])}]"
    if found["output"] is not None:
        name += f".{found['output']}"
    fitting = [site for site in every if site.name == name] or [
        site for site in every if site.name.partition(".")[0] == name
    ]
    if found["nth"] is not None and 0 < int(found["nth"]) <= len(fitting):
        return fitting[int(found["nth"]) - 1]
    if len(fitting) == 1 and found["nth"] is None:
        return fitting[0]
    told = ", ".join(_names(fitting or every))
    raise NoPlace(f"`{target}` is not one number in the rules; there are {told}")


def _names(sites: Sequence[NumberSite]) -> list[str]:
    """The target for each place, and the present text."""
    names = [site.name for site in sites]
    seen: dict[str, int] = {}
    found = []
    for site in sites:
        seen[site.name] = seen.get(site.name, 0) + 1
        nth = f"#{seen[site.name]}" if names.count(site.name) > 1 else ""
        found.append(f"`{site.name}{nth}` (now {site.text})")
    return found[:MOST_NAMED]


def edit(site: NumberSite, value: str) -> Source:
    """The text with another value at one place."""
    source, span = site.span.source, site.span
    # A cell keeps its width if possible, so that the columns of the table stay aligned.
    padded = value.ljust(span.end - span.start)
    return Source(source.name, source.text[: span.start] + padded + source.text[span.end :])


# ---- Places --------------------------------------------------------------------------------------


def _items(items: Sequence[nodes.Node]) -> Iterator[nodes.Node]:
    for item in items:
        match item:
            case nodes.Variant():
                yield from _items(item.items)
            case nodes.Override(declaration):
                yield declaration
            case _:
                yield item


def _sites(item: nodes.Node, name: str) -> Iterator[NumberSite]:
    match item:
        case nodes.Table() if item.name.text == name:
            yield from _cells(item)
        case nodes.Let() if item.name.text == name:
            for node in walk(item.value):
                if isinstance(node, nodes.Number):
                    yield NumberSite(name, node.span)
        case nodes.State():
            for row in item.rows:
                if isinstance(row, nodes.Variable) and row.name.text == name:
                    yield NumberSite(name, row.start.span)
        case nodes.Pieces():
            for piece in item.rows:
                if isinstance(piece, nodes.Piece) and piece.kind.text == name:
                    yield NumberSite(name, piece.copies.span)


def _cells(table: nodes.Table) -> Iterator[NumberSite]:
    outputs = [each.text for each in table.header.outputs]
    for row in table.rows:
        if not isinstance(row, nodes.Row) or not isinstance(row.body, nodes.Cells):
            continue
        key = _tidy(",".join(text_of(each.span) for each in row.keys))
        for cell, output in zip(row.body.values, outputs, strict=False):
            more = f".{output}" if len(row.body.values) > 1 else ""
            yield NumberSite(f"{table.name.text}[{key}]{more}", cell.span)


def _tidy(key: str) -> str:
    """A key in the form for comparison: commas between columns, no spaces."""
    return key.replace(" ", "").replace("|", ",")

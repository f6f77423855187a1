"""Nodes -> the one canonical text.

Every logical line of a file is one printed line, so that comments find their way back (`formatter`).
The columns of a table are aligned; lines longer than WIDTH are wrapped. Parsing undoes printing.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias, assert_never

from rulespec.syntax import nodes
from rulespec.syntax.phrases import (
    bracketed,
    commas,
    expression,
    inside_brackets,
    operand,
    quote,
    softly,
    type_text,
    word_pieces,
    words_together,
)
from rulespec.syntax.wrapping import BreakGroup, Piece, Soft, flat, interleave, wrap

WIDTH = 100
TOLERANCE = 8  # a line a little too long is better than a last word alone on the next one
STEP = 2  # columns of indentation for each level
HANGING = 4  # columns by which a line that continues another one is indented


class Printed(NamedTuple):
    """One logical line: how deep it stands, and its text, which may be wrapped."""

    level: int
    text: str


Lines: TypeAlias = Iterator[Printed]


def print_file(file: nodes.File) -> str:
    """The canonical text of a tree.

    >>> print_file(nodes.File((nodes.Game(nodes.Text("The Well"), None),)))
    'game "The Well"\\n'
    """
    return "".join(" " * (STEP * level) + text + "\n" for level, text in print_lines(file))


def print_lines(file: nodes.File) -> Lines:
    """The logical lines of a tree, one for each of the text that it came from."""
    for item in file.items:
        yield from _item(item, 0)


def _line(level: int, *pieces: Piece, start: str = "") -> Printed:
    """A line whose `start` is set already, as in the columns of a table."""
    indent = STEP * level
    line = BreakGroup(pieces, filled=True)
    whole = flat(line)
    if indent + len(start) + len(whole) <= WIDTH + TOLERANCE:
        return Printed(level, start + whole)
    text = wrap(line, column=indent + len(start), margin=indent + HANGING, width=WIDTH)
    return Printed(level, start + text)


# ---- Declarations --------------------------------------------------------------------------------


def _item(item: nodes.FileItem, level: int, before: str = "") -> Lines:
    match item:
        case nodes.Doc():
            yield _doc(item, level)
        case nodes.Override(declaration):
            yield from _item(declaration, level, "override ")
        case nodes.Game(title, author):
            by = (" by", *softly(word_pieces(author))) if author else ()
            yield _line(level, "game", *softly(word_pieces(title)), *by)
        case (
            nodes.About()
            | nodes.Goal()
            | nodes.Turn()
            | nodes.Minutes()
            | nodes.Ages()
            | nodes.Advice()
            | nodes.Called()
        ):
            yield from _blurb(item, level)
        case _ if isinstance(item, Layering):
            yield from _layering(item, level)
        case nodes.Use(mechanisms):
            yield _line(level, f"{before}use ", commas([_used(each) for each in mechanisms]))
        case nodes.Players(least, most, direction):
            upto = f"..{most.value}" if most else ""
            way = f" {direction}" if direction else ""
            yield _line(level, f"{before}players {least.value}{upto}{way}")
        case nodes.Teams(enum, player, team):
            of = (
                ()
                if player is None or team is None
                else (f" of {player.text} = ", expression(team))
            )
            yield _line(level, f"{before}teams {enum.text}", *of)
        case nodes.First(cites, text):
            yield _line(level, *_cited("first", cites, text))
        case nodes.Ruling(cites, text):
            yield _line(level, *_cited("ruling", cites, text))
        case nodes.Omit(cites, text):
            yield _line(level, *_cited("omit", cites, text))
        case nodes.Rulebook(title, sections):
            yield _line(level, f"rulebook {quote(title)}")
            rows = [[_cite(each.clauses), quote(each.title)] for each in sections]
            yield from _table(rows, level + 1, separator=" ")
        case nodes.Option(name, type_, where, default):
            of = (" where ", expression(where)) if where is not None else ()
            head = f"{before}option {name.text}: {type_text(type_)}"
            yield _line(level, head, *of, " = ", expression(default))
        case nodes.Enum(name, members):
            listed = commas([_member(each) for each in members])
            yield _line(level, f"{before}enum {name.text} = ", listed)
        case nodes.Pieces() | nodes.Zones() | nodes.State():
            yield from _components(item, level, before)
        case _ if isinstance(item, Routine):
            yield from _routine(item, level, before)
        case nodes.Always(name, condition):
            yield _line(level, f"{before}always {name.text}: ", expression(condition))
        case nodes.Ranking(player, criteria):
            yield _line(level, f"{before}ranking of {player.text}")
            yield from _criteria(criteria, level + 1)
        case nodes.Variant(name, title, items):
            yield _line(level, f"variant {name.text}{f' {quote(title)}' if title else ''}")
            for each in items:
                yield from _item(each, level + 1)
        case nodes.Example(cites, title, settings, steps):
            yield _line(level, *_cited("example", cites, title), *_with(settings))
            for step in steps:
                yield from _step(step, level + 1)
        case _:
            assert_never(item)


Layering: TypeAlias = (
    nodes.Extends | nodes.Mechanism | nodes.Remove | nodes.RemoveRows | nodes.RemovePiece
)
Routine: TypeAlias = nodes.Table | nodes.Rows | nodes.Let | nodes.Rule | nodes.Trigger | nodes.Hook


def _layering(item: Layering, level: int) -> Lines:
    """What a file stands on, and what it takes away from that."""
    match item:
        case nodes.Extends(path, settings):
            yield _line(level, f"extends {quote(path)}", *_with(settings))
        case nodes.Mechanism(name, slots):
            yield _line(level, f"mechanism {name.text}", *bracketed(map(_slot, slots)))
        case nodes.Remove(what, name):
            yield _line(level, f"remove {what} {name.text}")
        case nodes.RemoveRows(name, removed):
            yield _line(level, f"remove rows {name.text}")
            yield from _table([[_key(key) for key in row.keys] for row in removed], level + 1)
        case nodes.RemovePiece(name, attributes):
            yield _line(
                level, f"remove pieces {name.text}", *bracketed(map(_attribute, attributes))
            )
        case _:
            assert_never(item)


def _routine(item: Routine, level: int, before: str) -> Lines:
    """Tables, functions and rules, and what is added to them."""
    match item:
        case nodes.Table(name, params, header, rows):
            yield _line(level, f"{before}table {name.text}", *bracketed(map(_param, params)))
            yield from _table_rows(header, rows, level + 1)
        case nodes.Rows(table, rows):
            yield _line(level, f"rows {table.text}")
            yield from _table_rows(None, rows, level + 1)
        case nodes.Let(name, params, value, locals_):
            signature = (f"{before}let {name.text}", *bracketed(map(_param, params)), " = ")
            yield _line(level, *signature, expression(value), *_locals(locals_))
        case nodes.Rule(name, params, result, body):
            arrow = f" -> {type_text(result)}" if result else ""
            signature = (f"{before}rule {name.text}", *bracketed(map(_param, params)), arrow)
            yield from _with_block(signature, body, level)
        case nodes.Trigger(condition, body):
            yield from _with_block((f"{before}when {condition.text}",), body, level)
        case nodes.Hook(side, rule, body):
            yield from _with_block((f"{side} {rule.text}",), body, level)
        case _:
            assert_never(item)


def _blurb(
    item: nodes.About
    | nodes.Goal
    | nodes.Turn
    | nodes.Minutes
    | nodes.Ages
    | nodes.Advice
    | nodes.Called,
    level: int,
) -> Lines:
    """What is said about a game, for people."""
    match item:
        case nodes.About(text):
            yield _line(level, "about", *softly(word_pieces(text)))
        case nodes.Goal(text):
            yield _line(level, "goal", *softly(word_pieces(text)))
        case nodes.Turn(text):
            yield _line(level, "turn", *softly(word_pieces(text)))
        case nodes.Minutes(least, most):
            yield _line(level, f"minutes {least.value}{f'..{most.value}' if most else ''}")
        case nodes.Ages(least):
            yield _line(level, f"ages {least.value}+")
        case nodes.Advice(cites, text):
            yield _line(level, *_cited("advice", cites, text))
        case nodes.Called(namings):
            yield _line(level, "called")
            naming = [[", ".join(name.text for name in each.names), _called(each.words)]
                      for each in namings]  # fmt: skip
            yield from _table(naming, level + 1, separator=" ")
        case _:
            assert_never(item)


def _locals(locals_: tuple[nodes.Local, ...]) -> tuple[Piece, ...]:
    if not locals_:
        return ()
    named: list[Piece] = [
        BreakGroup((f"{each.name.text} = ", inside_brackets(each.value))) for each in locals_
    ]
    return (Soft(), BreakGroup(("with ", commas(named))))


def _called(called: nodes.Words | nodes.Untold) -> str:
    match called:
        case nodes.Words(one, several):
            return f"{quote(one)}, {quote(several)}" if several else quote(one)
        case nodes.Untold():
            return "untold"
        case _:
            assert_never(called)


def _doc(doc: nodes.Doc, level: int) -> Printed:
    cites = " ".join(_cite(each) for each in doc.cites)
    if not cites and doc.text:
        first, *others = word_pieces(doc.text)
        return _line(level, first, *softly(others))
    return _line(level, cites, *(softly(word_pieces(doc.text)) if doc.text else ()))


def _cited(keyword: str, cites: tuple[nodes.Cite, ...], text: nodes.Text) -> tuple[Piece, ...]:
    start = " ".join([keyword, *(_cite(each) for each in cites)])
    return (start, *softly(word_pieces(text)))


def _cite(cite: nodes.Cite) -> str:
    return f"@{cite.first}..{cite.last}" if cite.last else f"@{cite.first}"


def _with(settings: tuple[nodes.Setting, ...]) -> tuple[Piece, ...]:
    if not settings:
        return ()
    return (" with ", commas([_binding(each.name, each.value) for each in settings]))


def _slot(slot: nodes.Slot) -> Piece:
    typed = f"{slot.name.text}: {type_text(slot.kind)}"
    return BreakGroup((f"{typed} = ", inside_brackets(slot.default))) if slot.default else typed


def _used(used: nodes.Used) -> Piece:
    bindings = [_binding(each.slot, each.value) for each in used.bindings]
    return BreakGroup((used.mechanism.text, *bracketed(iter(bindings))))


def _binding(name: nodes.Name, value: nodes.Expr | None) -> Piece:
    return BreakGroup((f"{name.text} = ", expression(value))) if value else name.text


def _member(member: nodes.Member) -> Piece:
    return f"{member.name.text} {quote(member.label)}" if member.label else member.name.text


def _param(param: nodes.Param) -> Piece:
    return f"{param.name.text}: {type_text(param.type)}"


def _step(step: nodes.Step, level: int) -> Lines:
    match step:
        case nodes.Seats(names):
            yield _line(level, "players ", commas([name.text for name in names]))
        case nodes.Given(place, value):
            yield _line(level, "given ", expression(place), " = ", expression(value))
        case nodes.Run(call, picks):
            yield _line(level, "when ", expression(call))
            for pick in picks:
                yield _pick(pick, level + 1)
        case nodes.Expect(condition):
            yield _line(level, "expect ", expression(condition))
        case _:
            assert_never(step)


def _pick(pick: nodes.Pick | nodes.Asked, level: int) -> Printed:
    of = (" of ", expression(pick.options)) if pick.options else ()
    match pick:
        case nodes.Pick(player, value):
            return _line(level, f"{player.text} picks ", expression(value), *of)
        case nodes.Asked(player):
            return _line(level, f"{player.text} is asked", *of)
        case _:
            assert_never(pick)


# ---- Tables --------------------------------------------------------------------------------------

Row: TypeAlias = "list[Piece] | nodes.Doc"


def _components(item: nodes.Pieces | nodes.Zones | nodes.State, level: int, before: str) -> Lines:
    match item:
        case nodes.Pieces(shown_as, rows):
            heading = ["pieces", "copies", *(["shown as"] if shown_as else [])]
        case nodes.Zones(counted_by, holds, rows):
            heading = ["zones", "order", "seen by", *(["counted by"] if counted_by else [])]
            heading += ["holds"] if holds else []
        case nodes.State(rule, seen_by, rows):
            heading = [f"state of {rule.text}" if rule else "state", "type", "start"]
            heading += ["seen by"] if seen_by else []
        case _:
            assert_never(item)
    heading[0] = before + heading[0]
    yield from _table([_component(row) for row in rows], level + 1, heading=heading)


def _component(row: nodes.Doc | nodes.Piece | nodes.Zone | nodes.Variable) -> Row:
    match row:
        case nodes.Doc():
            return row
        case nodes.Piece(kind, attributes, copies, shown_as):
            named = BreakGroup((kind.text, *bracketed(map(_attribute, attributes))))
            return [named, expression(copies), *([quote(shown_as)] if shown_as else [])]
        case nodes.Zone(name, indices, order, viewers, counters, kinds):
            more: list[Piece] = [counters.who] if counters is not None else []
            more += [", ".join(kind.text for kind in kinds)] if kinds else []
            return [name.text + _indices(indices), order, viewers.who, *more]
        case nodes.Variable(name, indices, type_, start, viewers):
            seen: list[Piece] = [viewers.who] if viewers is not None else []
            return [name.text + _indices(indices), type_text(type_), expression(start), *seen]
        case _:
            assert_never(row)


def _attribute(attribute: nodes.Ranged | nodes.Fixed) -> Piece:
    match attribute:
        case nodes.Ranged(name, type_):
            return f"{name.text}: {type_text(type_)}"
        case nodes.Fixed(name, value):
            return _binding(name, value)
        case _:
            assert_never(attribute)


def _indices(indices: tuple[nodes.Type, ...]) -> str:
    return f"[{', '.join(type_text(each) for each in indices)}]" if indices else ""


def _criteria(criteria: tuple[nodes.Doc | nodes.Criterion, ...], level: int) -> Lines:
    rows: list[Row] = [
        each if isinstance(each, nodes.Doc) else [expression(each.order), expression(each.key)]
        for each in criteria
    ]
    yield from _table(rows, level)


def _table(
    rows: list[Row] | list[list[str]],
    level: int,
    *,
    heading: list[str] | None = None,
    separator: str = " | ",
) -> Lines:
    """Rows with their columns below each other; the heading, if any, stands one level further out."""
    texts = [[flat(cell) for cell in row] for row in rows if isinstance(row, list)]
    outer = [heading] if heading else []
    widths = _column_widths([*texts, *outer])
    if heading:
        # The first column of the heading begins further left than that of the rows.
        widths[0] = max(len(heading[0]) - STEP, *_column_widths(texts)[:1], 0)
        first = heading[0].ljust(widths[0] + STEP)
        yield Printed(level - 1, separator.join([first, *_padded(heading, widths)[1:]]).rstrip())
    for row in rows:
        if isinstance(row, nodes.Doc):
            yield _doc(row, level)
        else:
            cells = _padded([flat(cell) for cell in row[:-1]], widths, last_too=True)
            start = "".join(cell + separator for cell in cells)
            yield _line(level, row[-1], start=start)


def _column_widths(rows: list[list[str]]) -> list[int]:
    """How wide each column must be; cells wider than a page stand out."""
    columns = max((len(row) for row in rows), default=0)
    return [
        max((len(row[n]) for row in rows if n < len(row) and len(row[n]) <= WIDTH), default=0)
        for n in range(columns)
    ]


def _padded(cells: list[str], widths: list[int], *, last_too: bool = False) -> list[str]:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=False)]
    return padded if last_too else [*padded[:-1], cells[-1]]


def _table_rows(
    header: nodes.Header | None, rows: tuple[nodes.Doc | nodes.Row, ...], level: int
) -> Lines:
    """The rows of a table of rules: keys on the left of `=>`, cells on its right."""
    keys = [[_key(key) for key in row.keys] for row in rows if isinstance(row, nodes.Row)]
    cells = [
        [flat(expression(value)) for value in row.body.values]
        for row in rows
        if isinstance(row, nodes.Row) and isinstance(row.body, nodes.Cells)
    ]
    if header:
        keys.append([flat(expression(each)) for each in header.inputs])
        cells.append([each.text for each in header.outputs])
    key_widths, cell_widths = _column_widths(keys), _column_widths(cells)
    if header:
        yield _line(
            level,
            " | ".join(_padded([each.text for each in header.outputs], cell_widths)),
            start=" | ".join(_padded(keys[-1], key_widths, last_too=True)) + " => ",
        )
    for row in rows:
        if isinstance(row, nodes.Doc):
            yield _doc(row, level)
            continue
        texts = [_key(key) for key in row.keys]
        start = " | ".join(_padded(texts, key_widths, last_too=True)) + " =>"
        match row.body:
            case nodes.Suite():
                yield Printed(level, start)
                yield from _block_lines(row.body, level + 1)
            case nodes.Cells(values):
                padded = _padded(
                    [flat(expression(each)) for each in values[:-1]], cell_widths, last_too=True
                )
                before = "".join(f"{cell} | " for cell in padded)
                yield _line(level, expression(values[-1]), start=f"{start} {before}")
            case _ if isinstance(row.body, nodes.Action | nodes.Several):
                yield _line(level, *_simple(row.body), start=f"{start} ")
            case _:
                assert_never(row.body)


def _key(key: nodes.Key) -> str:
    return ", ".join(_pattern(each) for each in key.patterns)


def _pattern(pattern: nodes.Pattern) -> str:
    match pattern:
        case nodes.Anything():
            return "*"
        case nodes.KeyName(first, last):
            word = first.text if isinstance(first, nodes.Name) else first.word
            return f"{word}..{last.text}" if last else word
        case nodes.KeyNumber(low, high):
            return f"{low.value}..{high.value}" if high else str(low.value)
        case nodes.AtLeast(number):
            return f"{number.value}+"
        case nodes.AtMost(number):
            return f"..{number.value}"
        case _:
            assert_never(pattern)


# ---- Statements ----------------------------------------------------------------------------------


def _with_block(opening: tuple[Piece, ...], body: nodes.Block, level: int) -> Lines:
    match body:
        case nodes.Suite():
            yield _line(level, *opening)
            yield from _block_lines(body, level + 1)
        case nodes.OneLine(statement):
            yield _line(level, *opening, ": ", *_simple(statement))
        case _:
            assert_never(body)


def _block_lines(suite: nodes.Suite, level: int) -> Lines:
    for line in suite.lines:
        match line:
            case nodes.Doc():
                yield _doc(line, level)
            case nodes.If():
                yield from _if(line, level, "if ")
            case nodes.For(name, values, body):
                opening = (f"for {name.text} in ", operand(values))
                yield from _with_block(opening, body, level)
            case nodes.Repeat(times, body):
                opening = ("repeat ", operand(times)) if times else ("repeat", "")
                yield from _with_block(opening, body, level)
            case _ if isinstance(line, nodes.Simple | nodes.Several):
                yield _line(level, *_simple(line))
            case _:
                assert_never(line)


def _if(node: nodes.If, level: int, keyword: str) -> Lines:
    yield from _with_block((keyword, expression(node.condition)), node.body, level)
    if node.otherwise is None:
        return
    rest = node.otherwise.body
    if isinstance(rest, nodes.If):
        yield from _if(rest, level, "else if ")
    else:
        yield from _with_block(("else",), rest, level)


def _simple(statement: nodes.Simple | nodes.Several) -> tuple[Piece, ...]:
    match statement:
        case nodes.Several(statements):
            return interleave([BreakGroup(_simple(each)) for each in statements], ("; ",))
        case nodes.Perform(call):
            return (expression(call),)
        case nodes.Move(pieces, how, zone, position):
            at = () if position is None else (" at ", operand(position))
            return ("move ", operand(pieces), f" {how} ", operand(zone), *at)
        case nodes.Shuffle(zone):
            return ("shuffle ", operand(zone))
        case nodes.Random(target, options):
            return (f"random {_target(target)} from ", operand(options))
        case nodes.Show(pieces, players):
            return ("show ", operand(pieces), " to ", operand(players))
        case nodes.Reveal(pieces):
            return ("reveal ", operand(pieces))
        case nodes.Announce(name, value, players):
            given = f"announce {name.text} = "
            if players is None:
                return (given, expression(value))
            return (given, operand(value), " to ", operand(players))
        case nodes.Tell(text, players):
            told = ("tell", *softly(word_pieces(nodes.Text(text.value))))
            return (*told, " to ", operand(players)) if players else told
        case nodes.Heading(text):
            return ("heading", *softly(word_pieces(nodes.Text(text.value))))
        case nodes.Choose(player, target, options, alternative, prompt):
            chooser: tuple[Piece, ...] = (operand(player), " chooses ")
            if alternative:
                chooser = (*chooser, f"{_target(target)} from ", operand(options), ", or ")
                target, options = alternative.target, alternative.options
            return _choice(chooser, target, options, prompt, None)
        case nodes.MayChoose(player, target, options, prompt, decline):
            chooser = (operand(player), " may choose ")
            return _choice(chooser, target, options, prompt, decline)
        case nodes.Each(name, players, target, options, prompt):
            chooser = (f"each {name.text} in ", operand(players), " chooses ")
            return _choice(chooser, target, options, prompt, None)
        case nodes.EachMay(name, players, target, options, prompt, decline):
            chooser = (f"each {name.text} in ", operand(players), " may choose ")
            return _choice(chooser, target, options, prompt, decline)
        case nodes.Assign(target, operator, value):
            return (expression(target), f" {operator} ", expression(value))
        case nodes.Return(value):
            return ("return ", expression(value)) if value else ("return",)
        case nodes.Stop():
            return ("stop",)
        case nodes.End():
            return ("end",)
        case nodes.Nothing():
            return ("nothing",)
        case _:
            assert_never(statement)


def _choice(
    chooser: tuple[Piece, ...],
    target: nodes.Target,
    options: nodes.Expr,
    prompt: nodes.Text | None,
    decline: nodes.Text | None,
) -> tuple[Piece, ...]:
    texts: list[Piece] = []
    if prompt:
        texts.append(BreakGroup(words_together(prompt), filled=True))
    if decline:
        texts.append(BreakGroup(("or ", *words_together(decline)), filled=True))
    return (*chooser, f"{_target(target)} from ", operand(options), *softly(texts))


def _target(target: nodes.Target) -> str:
    return target.name.text + (f"[{flat(expression(target.index))}]" if target.index else "")

"""Nodes -> the one canonical text.

Every logical line of a file is one printed line, so that comments find their way back (`formatter`).
The columns of a table are aligned; lines longer than WIDTH are wrapped. Parsing undoes printing.
"""

from typing import TypeAlias, assert_never

from rulespec.syntax import nodes
from rulespec.syntax.line_layout import (
    STEP,
    Lines,
    PrintedLine,
    Row,
    cite_text,
    cited_text,
    column_widths,
    padded_cells,
    print_doc,
    print_line,
    print_rows,
)
from rulespec.syntax.phrases import (
    bracketed,
    commas,
    expression,
    inside_brackets,
    quote,
    softly,
    type_text,
    word_pieces,
)
from rulespec.syntax.statement_printer import print_suite, print_with_block, simple_pieces
from rulespec.syntax.wrapping import BreakGroup, Piece, Soft, flat


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


# ---- Declarations --------------------------------------------------------------------------------


def _item(item: nodes.FileItem, level: int, before: str = "") -> Lines:
    match item:
        case nodes.Doc():
            yield print_doc(item, level)
        case nodes.Override(declaration):
            yield from _item(declaration, level, "override ")
        case nodes.Game(title, author):
            by = (" by", *softly(word_pieces(author))) if author else ()
            yield print_line(level, "game", *softly(word_pieces(title)), *by)
        case _ if isinstance(item, Blurb):
            yield from _blurb(item, level)
        case _ if isinstance(item, OfRulebook):
            yield from _of_rulebook(item, level)
        case _ if isinstance(item, Layering):
            yield from _layering(item, level)
        case nodes.Use(mechanisms):
            yield print_line(level, f"{before}use ", commas([_used(each) for each in mechanisms]))
        case nodes.Players(least, most, direction):
            upto = f"..{most.value}" if most else ""
            way = f" {direction}" if direction else ""
            yield print_line(level, f"{before}players {least.value}{upto}{way}")
        case nodes.Teams(enum, player, team):
            of = (
                ()
                if player is None or team is None
                else (f" of {player.text} = ", expression(team))
            )
            yield print_line(level, f"{before}teams {enum.text}", *of)
        case nodes.Option(name, type_, where, default):
            of = (" where ", expression(where)) if where is not None else ()
            head = f"{before}option {name.text}: {type_text(type_)}"
            yield print_line(level, head, *of, " = ", expression(default))
        case nodes.Enum(name, members):
            listed = commas([_member(each) for each in members])
            yield print_line(level, f"{before}enum {name.text} = ", listed)
        case nodes.Pieces() | nodes.Zones() | nodes.State():
            yield from _components(item, level, before)
        case _ if isinstance(item, Routine):
            yield from _routine(item, level, before)
        case nodes.Always(name, condition):
            yield print_line(level, f"{before}always {name.text}: ", expression(condition))
        case nodes.Ranking(player, criteria):
            yield print_line(level, f"{before}ranking of {player.text}")
            yield from _criteria(criteria, level + 1)
        case nodes.Variant(name, title, items):
            yield print_line(level, f"variant {name.text}{f' {quote(title)}' if title else ''}")
            for each in items:
                yield from _item(each, level + 1)
        case nodes.Example(cites, title, settings, steps):
            yield print_line(level, *cited_text("example", cites, title), *_with(settings))
            for step in steps:
                yield from _step(step, level + 1)
        case _:
            assert_never(item)


Blurb: TypeAlias = (
    nodes.About | nodes.Goal | nodes.Turn | nodes.Minutes | nodes.Ages | nodes.Advice | nodes.Called
)
OfRulebook: TypeAlias = nodes.First | nodes.Ruling | nodes.Omit | nodes.Rulebook
Layering: TypeAlias = (
    nodes.Extends | nodes.Mechanism | nodes.Remove | nodes.RemoveRows | nodes.RemovePiece
)
Routine: TypeAlias = nodes.Table | nodes.Rows | nodes.Let | nodes.Rule | nodes.Trigger | nodes.Hook


def _layering(item: Layering, level: int) -> Lines:
    """What a file stands on, and what it takes away from that."""
    match item:
        case nodes.Extends(path, settings):
            yield print_line(level, f"extends {quote(path)}", *_with(settings))
        case nodes.Mechanism(name, slots):
            yield print_line(level, f"mechanism {name.text}", *bracketed(map(_slot, slots)))
        case nodes.Remove(what, name):
            yield print_line(level, f"remove {what} {name.text}")
        case nodes.RemoveRows(name, removed):
            yield print_line(level, f"remove rows {name.text}")
            yield from print_rows([[_key(key) for key in row.keys] for row in removed], level + 1)
        case nodes.RemovePiece(name, attributes):
            yield print_line(
                level, f"remove pieces {name.text}", *bracketed(map(_attribute, attributes))
            )
        case _:
            assert_never(item)


def _routine(item: Routine, level: int, before: str) -> Lines:
    """Tables, functions and rules, and what is added to them."""
    match item:
        case nodes.Table(name, params, header, rows):
            yield print_line(level, f"{before}table {name.text}", *bracketed(map(_param, params)))
            yield from _table_rows(header, rows, level + 1)
        case nodes.Rows(table, rows):
            yield print_line(level, f"rows {table.text}")
            yield from _table_rows(None, rows, level + 1)
        case nodes.Let(name, params, value, locals_):
            signature = (f"{before}let {name.text}", *bracketed(map(_param, params)), " = ")
            yield print_line(level, *signature, expression(value), *_locals(locals_))
        case nodes.Rule(name, params, result, body):
            arrow = f" -> {type_text(result)}" if result else ""
            signature = (f"{before}rule {name.text}", *bracketed(map(_param, params)), arrow)
            yield from print_with_block(signature, body, level)
        case nodes.Trigger(condition, body):
            yield from print_with_block((f"{before}when {condition.text}",), body, level)
        case nodes.Hook(side, rule, body):
            yield from print_with_block((f"{side} {rule.text}",), body, level)
        case _:
            assert_never(item)


def _blurb(item: Blurb, level: int) -> Lines:
    """What is said about a game, for people."""
    match item:
        case nodes.About(text):
            yield print_line(level, "about", *softly(word_pieces(text)))
        case nodes.Goal(text):
            yield print_line(level, "goal", *softly(word_pieces(text)))
        case nodes.Turn(text):
            yield print_line(level, "turn", *softly(word_pieces(text)))
        case nodes.Minutes(least, most):
            yield print_line(level, f"minutes {least.value}{f'..{most.value}' if most else ''}")
        case nodes.Ages(least):
            yield print_line(level, f"ages {least.value}+")
        case nodes.Advice(cites, text):
            yield print_line(level, *cited_text("advice", cites, text))
        case nodes.Called(namings):
            yield print_line(level, "called")
            naming = [[", ".join(name.text for name in each.names), _called(each.words)]
                      for each in namings]  # fmt: skip
            yield from print_rows(naming, level + 1, separator=" ")
        case _:
            assert_never(item)


def _of_rulebook(item: OfRulebook, level: int) -> Lines:
    """What refers to the clauses of a printed rulebook."""
    match item:
        case nodes.First(cites, text):
            yield print_line(level, *cited_text("first", cites, text))
        case nodes.Ruling(cites, text):
            yield print_line(level, *cited_text("ruling", cites, text))
        case nodes.Omit(cites, text):
            yield print_line(level, *cited_text("omit", cites, text))
        case nodes.Rulebook(title, sections):
            yield print_line(level, f"rulebook {quote(title)}")
            rows = [[cite_text(each.clauses), quote(each.title)] for each in sections]
            yield from print_rows(rows, level + 1, separator=" ")
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
            yield print_line(level, "players ", commas([name.text for name in names]))
        case nodes.Given(place, value):
            yield print_line(level, "given ", expression(place), " = ", expression(value))
        case nodes.Run(call, picks):
            yield print_line(level, "when ", expression(call))
            for pick in picks:
                yield _pick(pick, level + 1)
        case nodes.Expect(condition):
            yield print_line(level, "expect ", expression(condition))
        case _:
            assert_never(step)


def _pick(pick: nodes.Pick | nodes.Asked, level: int) -> PrintedLine:
    of = (" of ", expression(pick.options)) if pick.options else ()
    match pick:
        case nodes.Pick(player, value):
            return print_line(level, f"{player.text} picks ", expression(value), *of)
        case nodes.Asked(player):
            return print_line(level, f"{player.text} is asked", *of)
        case _:
            assert_never(pick)


# ---- Tables --------------------------------------------------------------------------------------


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
    yield from print_rows([_component(row) for row in rows], level + 1, heading=heading)


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
    yield from print_rows(rows, level)


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
    key_widths, cell_widths = column_widths(keys), column_widths(cells)
    if header:
        yield print_line(
            level,
            " | ".join(padded_cells([each.text for each in header.outputs], cell_widths)),
            start=" | ".join(padded_cells(keys[-1], key_widths, last_too=True)) + " => ",
        )
    for row in rows:
        if isinstance(row, nodes.Doc):
            yield print_doc(row, level)
            continue
        texts = [_key(key) for key in row.keys]
        start = " | ".join(padded_cells(texts, key_widths, last_too=True)) + " =>"
        match row.body:
            case nodes.Suite():
                yield PrintedLine(level, start)
                yield from print_suite(row.body, level + 1)
            case nodes.Cells(values):
                padded = padded_cells(
                    [flat(expression(each)) for each in values[:-1]], cell_widths, last_too=True
                )
                before = "".join(f"{cell} | " for cell in padded)
                yield print_line(level, expression(values[-1]), start=f"{start} {before}")
            case _ if isinstance(row.body, nodes.Action | nodes.Several):
                yield print_line(level, *simple_pieces(row.body), start=f"{start} ")
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

"""Statements -> printed lines of the canonical text; the blocks of rules, hooks, triggers and table rows."""

from typing import assert_never

from rulespec.syntax import nodes
from rulespec.syntax.line_layout import Lines, print_doc, print_line
from rulespec.syntax.phrases import expression, operand, softly, word_pieces, words_together
from rulespec.syntax.wrapping import BreakGroup, Piece, flat, interleave


def print_with_block(opening: tuple[Piece, ...], body: nodes.Block, level: int) -> Lines:
    match body:
        case nodes.Suite():
            yield print_line(level, *opening)
            yield from print_suite(body, level + 1)
        case nodes.OneLine(statement):
            yield print_line(level, *opening, ": ", *simple_pieces(statement))
        case _:
            assert_never(body)


def print_suite(suite: nodes.Suite, level: int) -> Lines:
    for line in suite.lines:
        match line:
            case nodes.Doc():
                yield print_doc(line, level)
            case nodes.If():
                yield from _if(line, level, "if ")
            case nodes.For(name, values, body):
                opening = (f"for {name.text} in ", operand(values))
                yield from print_with_block(opening, body, level)
            case nodes.Repeat(times, body):
                opening = ("repeat ", operand(times)) if times else ("repeat", "")
                yield from print_with_block(opening, body, level)
            case _ if isinstance(line, nodes.Simple | nodes.Several):
                yield print_line(level, *simple_pieces(line))
            case _:
                assert_never(line)


def _if(node: nodes.If, level: int, keyword: str) -> Lines:
    yield from print_with_block((keyword, expression(node.condition)), node.body, level)
    if node.otherwise is None:
        return
    rest = node.otherwise.body
    if isinstance(rest, nodes.If):
        yield from _if(rest, level, "else if ")
    else:
        yield from print_with_block(("else",), rest, level)


def simple_pieces(statement: nodes.Simple | nodes.Several) -> tuple[Piece, ...]:
    match statement:
        case nodes.Several(statements):
            return interleave([BreakGroup(simple_pieces(each)) for each in statements], ("; ",))
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

"""Tokens -> nodes: the LALR automaton that runs the tables of the grammar.

Lark makes the tables and could run them; this runs them itself, for two reasons. After a mistake the
parser must go back to the beginning of a line and try another one in its place. And a name that
stands alone passes through fourteen levels of precedence, which is the better half of all the work
unless the whole passage is remembered.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from attrs import define, fields

from rulespec.diagnostics import Diagnostic
from rulespec.limits import DEEPEST
from rulespec.source import Source, Span
from rulespec.syntax import node_checks, nodes, parse_tables
from rulespec.syntax.scanner import Token, lexis, scan

TALLEST = 2000  # symbols that wait to become a node

Make = Callable[[Sequence[Any], Span], Any]
Check = Callable[[Any], list[Diagnostic]]

# A symbol that waits to become part of a node: its state, its value, where its text starts, how deep
# its nodes are nested, and the symbol below it.
Symbol: TypeAlias = tuple[int, Any, int, int, Any]


# Reducing a production: its rule, how many symbols to pop, what to make of them, whether that is a node,
# and a check that sees what the grammar could not say. Where there is nothing to make, the one symbol
# stays as it is and only its name changes.
Step: TypeAlias = tuple[str, int, Make | None, bool, Check | None]


class TooDeep(Exception):  # noqa: N818 - a limit, not an error of ours
    """The tree has grown deeper than anybody may walk it."""


class Passages(dict[tuple[int, int, str], int]):
    """Where chains of renamings end: from a state, on another one, before a kind of token; found when first asked for."""

    def __missing__(self, passage: tuple[int, int, str]) -> int:
        end = self[passage] = _passage_end(*passage)
        return end


class ParserMachine(NamedTuple):
    """The tables made ready to run.

    `leaves` has for each state what a token makes by itself, if that is all that can become of it
    there.
    """

    states: tuple[dict[str, int], ...]
    steps: tuple[Step, ...]
    leaves: tuple[tuple[str, Make] | None, ...]
    keywords: dict[str, str]
    start: int
    accepting: int
    passages: Passages


@define
class ParseStack:
    """Where a parse stands: its topmost symbol, where the text of that ends, and how many there are.

    No symbol is ever changed, so whoever keeps the topmost one has remembered the whole parse.
    """

    source: Source
    top: Symbol
    end: int
    height: int
    diagnostics: list[Diagnostic]


def new_stack(source: Source) -> ParseStack:
    """A parse that has not begun."""
    return ParseStack(source, (machine().start, None, 0, 0, None), 0, 1, [])


def copy_stack(stack: ParseStack) -> ParseStack:
    """The same parse, to be taken up again from here; diagnostics go to the same list."""
    return ParseStack(stack.source, stack.top, stack.end, stack.height, stack.diagnostics)


def feed(stack: ParseStack, tokens: Iterable[Token]) -> int:
    """Take tokens as long as they fit here, and tell how many did."""
    states, steps, leaves, keywords, _, accepting, passages = machine()
    source, top, end, height = stack.source, stack.top, stack.end, stack.height
    taken = 0
    try:
        for kind, text, token_start, token_end, _ in tokens:
            if kind == "NAME" and text in keywords and _fits(top, keywords[text]):
                kind = keywords[text]  # noqa: PLW2901 - what the name is here
            while True:
                state, value, start, depth, below = top
                action = states[state].get(kind)
                if action is None:
                    return taken
                if action >= 0:
                    break
                rule, size, make, makes_node, check = steps[~action]
                if make is None:
                    top = (passages[below[0], state, kind], value, start, depth, below)
                    continue
                values: Sequence[Any] = (value,)
                if size > 1:
                    values = [value]
                    for _ in range(size - 1):
                        _, value, start, own_depth, below = below
                        values.append(value)
                        if own_depth > depth:  # noqa: PLR1730 - `max` takes longer than all the rest
                            depth = own_depth
                    values.reverse()
                elif size == 0:  # as only the empty file is
                    values, start, depth, below = (), end, 0, top
                height += 1 - size
                if makes_node:
                    depth += 1
                    if depth > DEEPEST:
                        raise TooDeep
                    value = make(values, Span(source, start, end))
                    if check is not None:
                        stack.diagnostics.extend(check(value))
                else:
                    value = make(values, nodes.NOWHERE)
                state = states[below[0]][rule]
                top = (state, value, start, depth, below)
                if state == accepting:
                    return taken + 1
            if height > TALLEST:
                raise TooDeep
            leaf = leaves[action]
            if leaf is None:
                top = (action, text, token_start, 0, top)
            else:
                rule, make = leaf
                value = make((text,), Span(source, token_start, token_end))
                top = (states[state][rule], value, token_start, 1, top)
            end = token_end
            height += 1
            taken += 1
    finally:
        stack.top, stack.end, stack.height = top, end, height
    return taken


def accepts(stack: ParseStack, kind: str) -> bool:
    """Whether a token of this kind would fit here."""
    return _fits(stack.top, kind)


def expected(stack: ParseStack) -> frozenset[str]:
    """The kinds of token that would fit here."""
    row = machine().states[stack.top[0]]
    return frozenset(kind for kind in row if _is_terminal(kind) and accepts(stack, kind))


def beginning(stack: ParseStack, kind: str) -> frozenset[str]:
    """The rules of the grammar that a token of this kind could begin here."""
    top = stack.top
    states, steps, _, _, _, accepting, _ = machine()
    while top[0] != accepting:
        action = states[top[0]].get(kind)
        if action is None:
            return frozenset()
        if action >= 0:
            return frozenset(each for each in states[top[0]] if not _is_terminal(each))
        rule, size, _, _, _ = steps[~action]
        for _ in range(size):
            top = top[4]
        top = (states[top[0]][rule], None, 0, 0, top)
    return frozenset()


def _is_terminal(symbol: str) -> bool:
    return symbol.strip("_$").isupper()


def _fits(top: Symbol, kind: str) -> bool:
    states, steps, _, _, _, accepting, _ = machine()
    while top[0] != accepting:
        action = states[top[0]].get(kind)
        if action is None or action >= 0:
            return action is not None
        rule, size, _, _, _ = steps[~action]
        for _ in range(size):
            top = top[4]
        top = (states[top[0]][rule], None, 0, 0, top)
    return True


def _passage_end(below: int, state: int, kind: str) -> int:
    states, steps = machine().states, machine().steps
    while True:
        action = states[state].get(kind)
        if action is None or action >= 0:
            return state
        rule, _, make, _, _ = steps[~action]
        if make is not None:
            return state
        state = states[below][rule]


# ---- From productions to steps -------------------------------------------------------------------


@cache
def machine() -> ParserMachine:
    """The automaton of the grammar."""
    made = parse_tables.load_tables()
    steps = tuple(_step(production) for production in made.productions)
    return ParserMachine(
        states=made.states,
        steps=steps,
        leaves=tuple(_leaf(row, steps) for row in made.states),
        keywords=lexis().keywords,
        start=made.start,
        accepting=made.accepting,
        passages=Passages(),
    )


def node_name(rule: str) -> str:
    """The class that a rule of the grammar makes.

    >>> node_name("may_choose")
    'MayChoose'
    """
    return rule.title().replace("_", "")


NODES: dict[str, type[Any]] = {
    name: each
    for name, each in vars(nodes).items()
    if isinstance(each, type) and issubclass(each, nodes.Node) and not each.__subclasses__()
}


def _step(production: parse_tables.Production) -> Step:
    rule, size, parts = production.rule, production.size, production.parts
    node = NODES.get(node_name(rule))
    if rule in LEAVES:
        return rule, size, LEAVES[rule], True, node_checks.CHECKS.get(node) if node else None
    if rule.startswith("__"):
        return rule, size, _make_list(parts), False, None
    if production.passing:
        (position,) = (part[0] for part in parts if part)
        return rule, size, None if size == 1 else _make_same(position), False, None
    if node is None:
        return rule, size, _make_tuple(parts), False, None
    make = _make_variadic if _is_variadic(node) else _make_node
    return rule, size, make(node, parts), True, node_checks.CHECKS.get(node)


def _leaf(row: dict[str, int], steps: tuple[Step, ...]) -> tuple[str, Make] | None:
    """What the token before a state becomes, whatever comes after it."""
    actions = set(row.values())
    if len(actions) > 1 or max(actions, default=0) >= 0:
        return None
    rule, size, make, _, _ = steps[~actions.pop()]
    return (rule, make) if make is not None and size == 1 and rule in LEAVES else None


def _is_variadic(node: type[Any]) -> bool:
    """Whether all parts of the rule are the one field of its class."""
    own = [each for each in fields(node) if each.name != "span"]
    return len(own) == 1 and str(own[0].type).startswith("tuple")


def _make_same(position: int) -> Make:
    return lambda values, _: values[position]


def _make_list(parts: tuple[parse_tables.Part, ...]) -> Make:
    match parts:
        case ((0, "+"), (position, "")):
            return _extend(position)
    keep = _keep(parts)
    return lambda values, _: list(keep(values))


def _extend(position: int) -> Make:
    def extend(values: Sequence[Any], _: Span) -> Any:
        # In place, or a long file would cost its square. Only a parse with mistakes sees an item
        # twice, and no tree is made of that.
        items = values[0]
        items.append(values[position])
        return items

    return extend


def _make_tuple(parts: tuple[parse_tables.Part, ...]) -> Make:
    keep = _keep(parts)
    return lambda values, _: tuple(keep(values))


def _make_variadic(node: type[Any], parts: tuple[parse_tables.Part, ...]) -> Make:
    keep, build = _keep(parts), _builder(node)
    return lambda values, span: build((tuple(keep(values)),), span)


def _make_node(node: type[Any], parts: tuple[parse_tables.Part, ...]) -> Make:
    # An alternative with fewer parts than the class has fields lacks the first ones.
    parts = (None,) * (len(fields(node)) - 1 - len(parts)) + parts
    if all(part is not None and part[1] == "" for part in parts):
        return _builder(node, [part[0] for part in parts if part])
    # A list that is missing altogether is an empty one.
    own = [each for each in fields(node) if each.name != "span"]
    missing = [() if str(each.type).startswith("tuple") else None for each in own]
    keep, build = _keep(parts, missing), _builder(node)
    return lambda values, span: build(keep(values), span)


def _builder(node: type[Any], positions: Sequence[int] | None = None) -> Make:
    """What makes a node of the values of its fields, as `node(*values, span=span)` would.

    `positions` are those of the fields among the values, if not all of them are fields. The values go right
    into the slots. attrs has to get past its own guard against changes, for which it takes twice as long, and
    a file has tens of thousands of nodes.
    """
    put_span, *puts = [getattr(node, each.name).__set__ for each in fields(node)]
    placed = list(zip(puts, range(len(puts)) if positions is None else positions, strict=True))
    new = object.__new__
    if len(placed) == 1:  # as in names and numbers, which most nodes are
        ((put_value, place),) = placed

        def build_one(values: Sequence[Any], span: Span) -> Any:
            made = new(node)
            put_value(made, values[place])
            put_span(made, span)
            return made

        return build_one

    def build(values: Sequence[Any], span: Span) -> Any:
        made = new(node)
        for put, place in placed:
            put(made, values[place])
        put_span(made, span)
        return made

    return build


def _keep(
    parts: tuple[parse_tables.Part, ...], missing: Sequence[object] = ()
) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """What picks the kept parts out of all the symbols of a production."""
    match parts:
        case ((position, ""),):
            return lambda values: (values[position],)
        case ((position, "+"),):
            return itemgetter(position)
        case ((first, ""), (others, "+")):
            return lambda values: (values[first], *values[others])

    def keep(values: Sequence[Any]) -> list[Any]:
        kept: list[Any] = []
        for number, part in enumerate(parts):
            if part is None:
                kept.append(missing[number])
            elif part[1] == "+":
                kept.extend(values[part[0]])
            else:
                kept.append(values[part[0]])
        return kept

    return keep


def _cite(values: Sequence[Any], span: Span) -> nodes.Cite:
    first, _, last = values[0].removeprefix("@").partition("..")
    return nodes.Cite(first, last or None, span=span)


def _converted(node: type[Any], convert: Callable[[Sequence[str]], object]) -> Make:
    build = _builder(node)
    return lambda values, span: build((convert(values),), span)


def _told(values: Sequence[Any], span: Span) -> nodes.Told:
    """A sentence with the expressions in its braces, each where it stands in the text."""
    written = values[0]
    inside = [found.span(1) for found in re.finditer(r"\{([^{}]*)\}", written)]
    holes = tuple(_hole(span, *place) for place in inside)
    return nodes.Told(" ".join(written[1:-1].split()), holes, span=span)


def _hole(text: Span, first: int, last: int) -> nodes.Expr:
    """The expression in a hole, read as if it stood in an `always`; a name without text if it is none."""
    start, end = text.start + first, text.start + last
    scanned = scan(Source("", text.source.text[start:end]))
    place = Span(text.source, start, end)
    stack = new_stack(text.source)
    before = [Token("NAME", word, start, start, -1) for word in ("always", "hole")]
    inside = (
        each._replace(start=start + each.start, end=start + each.end) for each in scanned.tokens
    )
    tokens = [*before, Token("COLON", ":", start, start, -1), *inside]
    whole = [*tokens, Token("_NL", "", end, end, -1), Token("$END", "", end, end, -1)]
    if not scanned.diagnostics and not scanned.comments and feed(stack, whole) == len(whole):
        found = stack.top[1].items[0].condition
        return found if not stack.diagnostics else nodes.Name("", span=place)
    return nodes.Name("", span=place)


def _fold(values: Sequence[Any], span: Span) -> nodes.Fold:
    """`sum(e for x in a, y in b)` is the sum over `x` of the sums over `y`."""
    function, value, name, first = (values[place] for place in (0, 2, 4, 6))
    further: list[tuple[nodes.Name, nodes.Expr]] = values[7] if isinstance(values[7], list) else []
    for each, inner in reversed(further):
        value = nodes.Fold(function, value, each, inner, span=span)
    return nodes.Fold(function, value, name, first, span=span)


LEAVES: dict[str, Make] = {
    "told": _told,
    "fold": _fold,
    "name": _builder(nodes.Name),
    "text": _converted(nodes.Text, lambda values: " ".join(values[0][1:-1].split())),
    "cite": _cite,
    "integer": _converted(nodes.Integer, lambda values: int("".join(values))),
    "number": _converted(nodes.Number, lambda values: int(values[0])),
    "constant": _builder(nodes.Constant),
    "relation": _converted(nodes.Relation, " ".join),  # `not in` is two words
}

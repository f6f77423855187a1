"""Tokens -> nodes: the LALR automaton that runs the tables of the grammar.

Lark makes the tables and could run them; this runs them itself, for two reasons. After a mistake the
parser must go back to the beginning of a line and try another one in its place. And a name that
stands alone passes through fourteen levels of precedence, which is the better half of all the work
unless the whole passage is remembered.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from attrs import define, fields

from rulespec.diagnostics import Diagnostic
from rulespec.source import Source, Span
from rulespec.syntax import nodes, shape, tables
from rulespec.syntax.scanner import Token, lexis

TALLEST = 2000  # symbols that wait to become a node
DEEPEST = 100  # levels of nested nodes: whoever walks a tree may do so by recursion

Make = Callable[[list[Any], Span], Any]


class TooDeep(Exception):  # noqa: N818 - a limit, not an error of ours
    """The tree has grown deeper than anybody may walk it."""


class Step(NamedTuple):
    """Reducing a production: pop `size` symbols, push what `make` makes of them.

    Without `make` the one symbol stays as it is and only its name changes. `check` sees what the
    grammar could not say.
    """

    rule: str
    size: int
    make: Make | None
    makes_node: bool = False
    check: Callable[[Any], list[Diagnostic]] | None = None


class Machine(NamedTuple):
    """The tables made ready to run; `passages` remembers where chains of renamings end."""

    states: tuple[dict[str, int], ...]
    steps: tuple[Step, ...]
    keywords: dict[str, str]
    start: int
    accepting: int
    passages: dict[tuple[int, int, str], int]


@define
class Stack:
    """Where a parse stands: for each symbol its state, value, extent in the text and depth."""

    source: Source
    states: list[int]
    values: list[Any]
    starts: list[int]
    ends: list[int]
    depths: list[int]
    diagnostics: list[Diagnostic]


def new_stack(source: Source) -> Stack:
    """A parse that has not begun."""
    return Stack(source, [machine().start], [], [], [], [], [])


def copy_stack(stack: Stack) -> Stack:
    """The same parse, to be taken up again from here; diagnostics go to the same list."""
    return Stack(
        stack.source,
        stack.states.copy(),
        stack.values.copy(),
        stack.starts.copy(),
        stack.ends.copy(),
        stack.depths.copy(),
        stack.diagnostics,
    )


def feed(stack: Stack, token: Token) -> bool:
    """Take one token. If it does not fit here, the answer is False and the token is not taken."""
    states, steps, keywords, _, accepting, passages = machine()
    kind = token.kind
    if kind == "NAME":
        keyword = keywords.get(token.text)
        if keyword is not None and accepts(stack, keyword):
            kind = keyword
    own_states, values, starts, ends = stack.states, stack.values, stack.starts, stack.ends
    while True:
        state = own_states[-1]
        action = states[state].get(kind)
        if action is None:
            return False
        if action >= 0:
            if len(own_states) > TALLEST:
                raise TooDeep
            own_states.append(action)
            values.append(token.text)
            starts.append(token.start)
            ends.append(token.end)
            stack.depths.append(0)
            return True
        step = steps[~action]
        if step.make is None:
            passage = (own_states[-2], state, kind)
            last = passages.get(passage)
            if last is None:
                last = passages[passage] = _passage_end(*passage)
            own_states[-1] = last
            continue
        _reduce(stack, token, step)
        own_states.append(states[own_states[-1]][step.rule])
        if own_states[-1] == accepting:
            return True


def accepts(stack: Stack, kind: str) -> bool:
    """Whether a token of this kind would fit here."""
    states, steps = machine().states, machine().steps
    action = states[stack.states[-1]].get(kind)
    if action is None or action >= 0:
        return action is not None
    trial = stack.states.copy()
    while True:
        action = states[trial[-1]].get(kind)
        if action is None or action >= 0:
            return action is not None
        step = steps[~action]
        del trial[len(trial) - step.size :]
        trial.append(states[trial[-1]][step.rule])
        if trial[-1] == machine().accepting:
            return True


def expected(stack: Stack) -> frozenset[str]:
    """The kinds of token that would fit here."""
    row = machine().states[stack.states[-1]]
    return frozenset(kind for kind in row if _is_terminal(kind) and accepts(stack, kind))


def _is_terminal(symbol: str) -> bool:
    return symbol.strip("_$").isupper()


def _passage_end(below: int, state: int, kind: str) -> int:
    states, steps = machine().states, machine().steps
    while True:
        action = states[state].get(kind)
        if action is None or action >= 0 or steps[~action].make is not None:
            return state
        state = states[below][steps[~action].rule]


def _reduce(stack: Stack, token: Token, step: Step) -> None:
    size, make, values, depths = step.size, step.make, stack.values, stack.depths
    assert make is not None  # noqa: S101 - a mere change of name is no work
    if size == 1:
        del stack.states[-1]
        depth = depths[-1]
        value = values[-1] = make(values[-1:], Span(stack.source, stack.starts[-1], stack.ends[-1]))
    elif size == 0:
        depth = 0
        value = make([], Span(stack.source, token.start, token.start))
        values.append(value)
        stack.starts.append(token.start)
        stack.ends.append(token.start)
        depths.append(depth)
    else:
        depth = max(depths[-size:])
        value = make(values[-size:], Span(stack.source, stack.starts[-size], stack.ends[-1]))
        values[-size:] = (value,)
        stack.ends[-size] = stack.ends[-1]
        others = 1 - size
        del stack.states[-size:], stack.starts[others:], stack.ends[others:], depths[others:]
    if step.makes_node:
        depth += 1
        if depth > DEEPEST:
            raise TooDeep
        if step.check is not None:
            stack.diagnostics.extend(step.check(value))
    depths[-1] = depth


# ---- From productions to steps -------------------------------------------------------------------


@cache
def machine() -> Machine:
    """The automaton of the grammar."""
    made = tables.load()
    return Machine(
        states=made.states,
        steps=tuple(_step(production) for production in made.productions),
        keywords=lexis().keywords,
        start=made.start,
        accepting=made.accepting,
        passages={},
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
    if isinstance(each, type) and each.__module__ == nodes.__name__
}


def _step(production: tables.Production) -> Step:
    rule, size, parts = production.rule, production.size, production.parts
    node = NODES.get(node_name(rule))
    if rule in LEAVES:
        return Step(rule, size, LEAVES[rule], makes_node=True)
    if rule.startswith("__"):
        return Step(rule, size, _make_list(parts))
    if production.passing:
        (position,) = (part[0] for part in parts if part)
        return Step(rule, size, None if size == 1 else _make_same(position))
    if node is None:
        return Step(rule, size, _make_tuple(parts))
    make = _make_variadic if _is_variadic(node) else _make_node
    return Step(rule, size, make(node, parts), makes_node=True, check=shape.CHECKS.get(node))


def _is_variadic(node: type[Any]) -> bool:
    """Whether all parts of the rule are the one field of its class."""
    own = [each for each in fields(node) if each.name != "span"]
    return len(own) == 1 and str(own[0].type).startswith("tuple")


def _make_same(position: int) -> Make:
    return lambda values, _: values[position]


def _make_list(parts: tuple[tables.Part, ...]) -> Make:
    keep = _keep(parts)
    match parts:
        case ((0, "+"), (position, "")):
            return lambda values, _: _extended(values[0], values[position])
    return lambda values, _: keep(values)


def _extended(items: list[Any], item: Any) -> list[Any]:
    # In place, or a long file would cost its square. Only a parse with mistakes sees an item twice,
    # and no tree is made of that.
    items.append(item)
    return items


def _make_tuple(parts: tuple[tables.Part, ...]) -> Make:
    keep = _keep(parts)
    return lambda values, _: tuple(keep(values))


def _make_variadic(node: type[Any], parts: tuple[tables.Part, ...]) -> Make:
    keep = _keep(parts)
    return lambda values, span: node(tuple(keep(values)), span=span)


def _make_node(node: type[Any], parts: tuple[tables.Part, ...]) -> Make:
    # A list that is missing altogether is an empty one.
    own = [each for each in fields(node) if each.name != "span"]
    missing = [() if str(each.type).startswith("tuple") else None for each in own]
    keep = _keep(parts, missing)
    return lambda values, span: node(*keep(values), span=span)


def _keep(
    parts: tuple[tables.Part, ...], missing: Sequence[object] = ()
) -> Callable[[list[Any]], list[Any]]:
    """What picks the kept parts out of all the symbols of a production."""
    if all(part is not None and part[1] == "" for part in parts):
        positions = [part[0] for part in parts if part]
        return lambda values: [values[position] for position in positions]

    def keep(values: list[Any]) -> list[Any]:
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


def _cite(values: list[Any], span: Span) -> nodes.Cite:
    first, _, last = values[0].removeprefix("@").partition("..")
    return nodes.Cite(first, last or None, span=span)


def _integer(values: list[Any], span: Span) -> nodes.Integer:
    return nodes.Integer(int("".join(values)), span=span)


def _relation(values: list[Any], span: Span) -> nodes.Relation:
    sign: Any = " ".join(values)  # `not in` is two words
    return nodes.Relation(sign, span=span)


LEAVES: dict[str, Make] = {
    "name": lambda values, span: nodes.Name(values[0], span=span),
    "text": lambda values, span: nodes.Text(" ".join(values[0][1:-1].split()), span=span),
    "cite": _cite,
    "integer": _integer,
    "number": lambda values, span: nodes.Number(int(values[0]), span=span),
    "constant": lambda values, span: nodes.Constant(values[0], span=span),
    "relation": _relation,
}

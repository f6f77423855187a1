"""The core -> text for authors of engines: one line for each statement, operations in the notation of the table."""

import re
from collections.abc import Iterator
from typing import Any, assert_never

from rulespec.core import tree, types
from rulespec.core.operations import OPERATIONS, Value
from rulespec.core.tree import Block, Body, Core, Op, Target
from rulespec.core.types import Type, element, present


def print_core(core: Core[Block]) -> str:
    """All functions and blocks of a program."""
    lines: list[str] = []
    for fn in core.functions.values():
        inputs = ", ".join(_op(core, None, each) for each in fn.inputs)
        lines += [f"function {fn.name}({fn.params}): {print_type(fn.type)}"]
        for row in fn.rows:
            keys = _keys(core, fn.inputs, row.patterns)
            cell = _op(core, None, row.cell)
            lines.append(f"  {inputs} matches {keys} => {cell}" if keys else f"  {cell}")
    for block in core.blocks.values():
        lines += ["", *print_block(core, block)]
    return "".join(f"{line}\n" for line in lines).lstrip()


def print_block(core: Core[Block], block: Block) -> Iterator[str]:
    """A block as lines: its head with the slots, and its statements."""
    yield print_block_head(block)
    yield from _body(core, block, block.body, "  ")


def print_statement(core: Core[Any], block: Any, statement: tree.Statement) -> Iterator[str]:
    """A statement of a block, as lines; the code of the block may have another form."""
    return _body(core, block, (statement,), "")


def print_operation(core: Core[Any], block: Any, op: Op) -> str:
    """An expression of a block, with slots by their names."""
    return _op(core, block, op)


def print_block_head(block: Any) -> str:
    """The name of a block, its parameters and its other slots."""
    slots = [
        f"{name}: {'…' if type_ is None else print_type(type_)}" for name, type_ in block.slots
    ]
    params, local = slots[: block.params], slots[block.params :]
    return f"block {block.name}({', '.join(params)})" + (
        f" keeps {', '.join(local)}" if local else ""
    )


def _body(core: Core[Block], block: Block, body: Body, indent: str) -> Iterator[str]:
    def say(op: Op | None) -> str:
        return "nothing" if op is None else _op(core, block, op)

    deeper = indent + "  "
    for each in body:
        match each:
            case tree.Assign(target, value):
                yield f"{indent}{_target(core, block, target)} = {say(value)}"
            case tree.If(condition, then, otherwise):
                yield f"{indent}if {say(condition)}"
                yield from _body(core, block, then, deeper)
                if otherwise is not None:
                    yield f"{indent}else"
                    yield from _body(core, block, otherwise, deeper)
            case tree.For(_, into, values, inner):
                yield f"{indent}for {block.slots[into][0]} in {say(values)}"
                yield from _body(core, block, inner, deeper)
            case tree.Repeat(_, times, inner):
                yield f"{indent}repeat" + ("" if times is None else f" {say(times)}")
                yield from _body(core, block, inner, deeper)
            case tree.Move(_, pieces, zone, under, position):
                at = "" if position is None else f" at {say(position)}"
                yield f"{indent}move {say(pieces)} {'under' if under else 'to'} {say(zone)}{at}"
            case tree.Shuffle(zone):
                yield f"{indent}shuffle {say(zone)}"
            case tree.Show(pieces, players):
                yield f"{indent}show {say(pieces)} to {say(players)}"
            case tree.Announce(value, players):
                yield f"{indent}announce {say(value)} to {say(players)}"
            case tree.Tell(parts, players, heading):
                text = "".join(
                    each if isinstance(each, str) else f"‹{say(each)}›" for each in parts
                )
                yield f'{indent}{"heading" if heading else "tell"} "{text}" to {say(players)}'
            case tree.Draw(target, values):
                yield f"{indent}random {_target(core, block, target)} from {say(values)}"
            case tree.Choose() | tree.Each():
                yield indent + _choice(core, block, each)
            case tree.Call(name, arguments, into):
                given = "" if into is None else f"{block.slots[into][0]} = "
                yield f"{indent}{given}call {name}({', '.join(say(arg) for arg in arguments)})"
            case tree.Enter(inputs, rows):
                yield f"{indent}enter {', '.join(say(each) for each in inputs)}"
                for patterns, name in rows:
                    yield f"{deeper}{_keys(core, inputs, patterns)} => {name}"
            case tree.Return(value):
                yield f"{indent}return" + ("" if value is None else f" {say(value)}")
            case tree.Clear(slots):
                yield f"{indent}clear {', '.join(block.slots[n][0] for n in slots)}"
            case tree.Stop() | tree.End():
                yield indent + type(each).__name__.lower()
            case _:
                assert_never(each)


def _choice(core: Core[Block], block: Block, node: tree.Choose | tree.Each) -> str:
    """A choice on one line: who chooses what."""
    verb = "may choose" if node.may else "chooses"
    chosen = f"{_target(core, block, node.target)} from {_op(core, block, node.options)}"
    if isinstance(node, tree.Each):
        who = f"each {block.slots[node.seat][0]} in {_op(core, block, node.players)}"
        return f"{who} {verb} {chosen}"
    line = f"{_op(core, block, node.player)} {verb} {chosen}"
    if node.other is not None:
        also = _target(core, block, node.other.target)
        line += f", or {also} from {_op(core, block, node.other.options)}"
    return line


def _target(core: Core[Block], block: Block, target: Target) -> str:
    indices = ", ".join(_op(core, block, each) for each in target.indices)
    return f"{target.name}[{indices}]" if indices else target.name


def _op(core: Core[Block], block: Block | None, op: Op) -> str:
    parts = [_op(core, block, each) for each in op.operands]
    place = str(op.place)
    if op.name == "slot":
        place = f"a{op.place}" if block is None else block.slots[op.place][0]
    values = {
        "place": place,
        "word": op.word,
        "words": ", ".join(op.words),
        "numbers": "..".join(map(str, op.numbers)) if "within" in op.name else str(op.numbers),
        "value": _value(core, op.value, element(op.type)),
        "face": " ".join(_word(core, each) for each in op.face),
        **{str(n): f"({each})" if " " in each else each for n, each in enumerate(parts)},
    }
    text = re.sub(r"\{(\w+)\}", lambda hole: values[hole[1]], OPERATIONS[op.name].text)
    return text.replace("[…]", "" if not parts else "[…]").replace("…", ", ".join(parts))


def _value(core: Core[Block], value: Value, of: Type | None) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_value(core, each, of) for each in value)}]"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return core.members[value].name if isinstance(of, types.Choice) else str(value)


def _word(core: Core[Block], word: tuple[str, str | int]) -> str:
    how, value = word
    if how.startswith("="):
        of = next((row.type for row in core.attributes if row.name == how[1:]), None)
        return f"{how[1:]} = {value if isinstance(value, str) else _value(core, value, of)}"
    return core.members[value].name if how == "member" and isinstance(value, int) else str(value)


def _keys(core: Core[Block], inputs: tuple[Op, ...], patterns: tuple[tree.Pattern, ...]) -> str:
    pairs = zip(inputs, patterns, strict=True)
    return " | ".join(_pattern(core, pattern, present(op.type)) for op, pattern in pairs)


def _pattern(core: Core[Block], pattern: tree.Pattern, of: Type) -> str:
    match pattern.how:
        case "any":
            return "*"
        case "numbers":
            low, high = ("" if each is None else str(each) for each in pattern.values)
            return low if low == high else f"{low}..{high}"
        case "alternatives":
            return ", ".join(_pattern(core, each, of) for each in pattern.values)
        case "values":
            return ", ".join(_value(core, each, of) for each in pattern.values)
        case "kinds":
            return ", ".join(pattern.values)


def print_type(type_: Type) -> str:
    """A type as text; it may be narrower than any declared type: `0..3?`, `set Card`, `Suit{red, blue}`."""
    match type_:
        case types.Unknown():
            return "anything"
        case types.Never():
            return "nothing"
        case types.Bool():
            return "Bool"
        case types.Number():
            return "Int" if type_ == types.Number() else f"{type_.low}..{type_.high}"
        case types.Choice(enum, domain, members):
            chosen = ", ".join(each for each in domain if each in members)
            return enum if len(members) == len(domain) else f"{enum}{{{chosen}}}"
        case types.Seat():
            return "Player"
        case types.Direction():
            return "Order"
        case types.Piece(kinds):
            return " | ".join(sorted(kinds))
        case types.Face(kinds):
            return f"face of {' | '.join(sorted(kinds))}"
        case types.Place(_, indices):
            return "".join(["Zone", *(f"[{print_type(each)}]" for each in indices)])
        case types.Indexed(indices, of):
            return "".join([print_type(of), *(f"[{print_type(each)}]" for each in indices)])
        case types.Outputs(table):
            return f"row of {table}"
        case types.Several(of):
            return f"set {print_type(of)}"
        case types.Family(of):
            return f"sets of {print_type(of)}"
        case types.Maybe(of):
            return f"{print_type(of)}?"
        case _:
            assert_never(type_)

"""Two statements of a program -> whether they stand in different branches of one test.

They do if control cannot flow from one to the other within one turn of a loop. The judge needs this: a player who
cannot tell two such statements apart cannot tell the branches apart. It also tells whether a statement asks all
players in turn.
"""

from interpreter.flat import Again, Block, Code, Instruction, Iterate, Jump, Next, Unless
from rulespec.core import tree
from rulespec.core.tree import Op, Origin


def are_in_different_branches(code: Code, one: Origin, other: Origin) -> bool:
    """Whether, wherever both statements stand, different branches of one test or table lead to them."""
    found = False
    for block in code.blocks.values():
        ones, others = (_places(code, block, each) for each in (one, other))
        for a, first in ones:
            for b, second in others:
                if a == b and first == second:
                    continue  # both stand in a rule that is called here; that rule is checked on its own
                if a != b and (_leads(block, a, b) or _leads(block, b, a)):
                    return False
                found = True
    return found


def _places(code: Code, block: Block, wanted: Origin) -> list[tuple[int, str]]:
    """The instructions of a block that are the statement or call a rule which contains it, each with that rule."""
    return [
        (n, name)
        for n, each in enumerate(block.code)
        for name in ("", *_called(each))
        if (_holds(code, name, wanted, frozenset()) if name else each.origin is wanted)
    ]


def _holds(code: Code, name: str, wanted: Origin, above: frozenset[str]) -> bool:
    """Whether a rule, or one that it calls, contains the statement."""
    return name not in above and any(
        each.origin is wanted
        or any(_holds(code, inner, wanted, above | {name}) for inner in _called(each))
        for each in code.blocks[name].code
    )


def _called(each: Instruction) -> tuple[str, ...]:
    if isinstance(each, tree.Call):
        return (each.block,)
    return tuple(name for _, name in each.rows) if isinstance(each, tree.Enter) else ()


def _leads(block: Block, here: int, there: int) -> bool:
    """Whether control can flow forwards from one instruction to another."""
    reached = {here}
    for n in range(here, there):
        if n in reached:
            reached.update(_next(block.code, n))
    return there in reached


def _next(code: tuple[Instruction, ...], n: int) -> tuple[int, ...]:
    """The successors of an instruction; a jump back to a loop counts as leaving the loop."""
    each = code[n]
    if isinstance(each, Jump) and each.to <= n:
        each = code[each.to]
        return (each.exit,) if isinstance(each, Next | Again) else ()
    if isinstance(each, Jump):
        return (each.to,)
    if isinstance(each, Unless):
        return n + 1, each.to
    if isinstance(each, Next | Again):
        return n + 1, each.exit
    return () if isinstance(each, tree.Return | tree.End) else (n + 1,)


def asks_in_turn(code: Code, wanted: Origin) -> bool:
    """Whether a statement asks the player who has the turn, in a seat order that everybody knows."""
    asking = [
        _has_turn(code, block, each.player, frozenset())
        for block in code.blocks.values()
        for each in block.code
        if isinstance(each, tree.Choose) and each.origin is wanted
    ]
    return bool(asking) and all(asking)


def _has_turn(code: Code, block: Block, player: Op, above: frozenset[str]) -> bool:
    """Whether an expression is the player who has the turn: in a loop here, or in all rules that call this one."""
    if player.name != "slot" or block.name in above:
        return False
    if player.place >= block.params:
        loops = {
            each.slot for each in block.code if isinstance(each, Next) and each.into == player.place
        }
        begun = [
            each.values for each in block.code if isinstance(each, Iterate) and each.slot in loops
        ]
        return bool(begun) and all(map(_is_seating, begun))
    calls = [
        (caller, each.arguments[player.place] if isinstance(each, tree.Call) else player)
        for caller in code.blocks.values()
        for each in caller.code
        if block.name in _called(each)
    ]
    inside = above | {block.name}
    return bool(calls) and all(_has_turn(code, caller, given, inside) for caller, given in calls)


def _is_seating(values: Op) -> bool:
    """Whether these are all players, beginning with the first one, or in the order of the seats."""
    return values.name == "seats" or (values.name == "order" and values.operands[0].name == "first")

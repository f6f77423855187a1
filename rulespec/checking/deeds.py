"""A statement -> what it does, whatever its values are: what it reads, moves, assigns and calls; whether the next one is reached.

Passes that need no more than this ask here; so a new statement is described in one place.
"""

from typing import assert_never

from attrs import frozen

from rulespec.syntax import nodes


@frozen
class Deed:
    """What a statement does. `reads` are the expressions in it that bind no names."""

    reads: tuple[nodes.Expr, ...] = ()
    moves: tuple[nodes.Expr, ...] = ()  # pieces that leave their place, and zones that change
    targets: tuple[str, ...] = ()  # the names that it assigns
    call: nodes.Call | None = None
    goes_on: bool = True  # whether the next statement is reached


def deed_of(node: nodes.Statement) -> Deed:
    """What a statement does by itself; for an `if` or a loop, without the statements in it."""
    match node:
        case nodes.Move(pieces, _, zone, position):
            read = () if position is None else (position,)
            return Deed((pieces, zone, *read), moves=(pieces, zone))
        case nodes.Shuffle(zone):
            return Deed((zone,), moves=(zone,))
        case nodes.Show(pieces, players):
            return Deed((pieces, players))
        case nodes.Reveal(pieces):
            return Deed((pieces,))
        case nodes.Announce(name, value, players):
            read = () if players is None else (players,)
            return Deed(read, targets=(name.text,), call=_made_by(value))
        case nodes.Tell(text, players):
            return Deed(text.holes if players is None else (*text.holes, players))
        case nodes.Heading(text):
            return Deed(text.holes)
        case nodes.Perform(call):
            return Deed(call=call)
        case nodes.Assign(target, _, value):
            return Deed(targets=(_name_of(target),), call=_made_by(value))
        case nodes.Random(target):
            return Deed(targets=(target.name.text,))
        case nodes.Choose(target=target, alternative=nodes.Alternative(target=other)):
            return Deed(targets=(target.name.text, other.name.text))
        case nodes.Choose() | nodes.MayChoose() | nodes.Each() | nodes.EachMay():
            return Deed(targets=(node.target.name.text,))
        case nodes.Return(value):
            return Deed(() if value is None else (value,), goes_on=False)
        case nodes.Stop() | nodes.End():
            return Deed(goes_on=False)
        case nodes.Nothing() | nodes.If() | nodes.Repeat():
            return Deed()
        case nodes.For(name):
            return Deed(targets=(name.text,))
        case _:
            assert_never(node)


def _made_by(value: nodes.Expr) -> nodes.Call | None:
    return value if isinstance(value, nodes.Call) else None


def _name_of(target: nodes.Expr) -> str:
    while isinstance(target, nodes.At):
        target = target.subject
    return target.text if isinstance(target, nodes.Name) else ""

"""A block that may wait, and all that only it calls -> one block.

Rules call each other, but most are called from one place only. Such a rule is laid out where it is called, and
its slots behind those of its caller: then no frame is made for it, and to return is to go on. Nothing calls
itself, so one set of slots is enough.

The reference has a frame for each rule that waits. Which these are follows from the place; see `frames`.
"""

from collections.abc import Callable, Container, Iterable
from typing import Any

from attrs import define, evolve, field, frozen

from interpreter import flat
from interpreter.compiled.flow import Flow, changed_slots, idle_slots
from interpreter.compiled.frames import Chain
from interpreter.flat import Block, Code
from interpreter.state import SLOTS
from rulespec.core import tree
from rulespec.core.tree import Op, Origin, Pattern

# ---- What stands for a call ------------------------------------------------------------------------


@frozen
class Begin:
    """Set the variables of a rule back, give its slots their first values, and go on with it."""

    call: tree.Call
    frame: int
    origin: Origin


@frozen
class Select:
    """Go on with the row of an action table that matches; `after` is where all of them end."""

    inputs: tuple[Op, ...]
    rows: tuple[tuple[tuple[Pattern, ...], int, int], ...]  # patterns, where it goes on, its frame
    table: str
    after: int
    origin: Origin


@frozen
class Back:
    """Give a value back to the caller, into a slot of its frame, if it wants one."""

    value: Op | None
    into: int | None
    origin: Origin


# ---- Joined blocks ---------------------------------------------------------------------------------


@frozen
class Frame:
    """One of the rules that were joined: where its slots are, and by whom it was called.

    A parameter that never changes has no slot of its own if what it was given is one of the caller's.
    """

    block: Block
    slots: tuple[int, ...]
    size: int  # of all slots so far
    caller: int | None  # the number of that frame
    returns: int = 0  # where the caller goes on, as the reference counts


@define
class Joined:
    """A block with all that only it calls. Its instructions are numbered anew."""

    block: Block
    frames: list[Frame] = field(factory=list)
    owners: list[int] = field(factory=list)  # of every instruction its frame
    places: list[int] = field(
        factory=list
    )  # of every instruction its place, as the reference counts

    def label(self, at: int) -> str:
        """A name for what begins at an instruction."""
        name = self.frames[self.owners[at]].block.name
        return f"{name}_{self.places[at]}" if self.places[at] else name

    def chain(self, at: int) -> list[tuple[Frame, int]]:
        """The frames that the reference has while this waits, the outermost first, each with its place."""
        found = []
        number: int | None = self.owners[at]
        place = self.places[at]
        while number is not None:
            frame = self.frames[number]
            found.append((frame, place))
            number, place = frame.caller, frame.returns
        return found[::-1]


def join(code: Code, flow: Flow) -> dict[str, Joined]:
    """All blocks that may wait and are not part of another, by name."""
    return {
        name: _join(code, flow, block)
        for name, block in code.blocks.items()
        if name in flow.waiting and not _is_part(code, flow, name)
    }


def _is_part(code: Code, flow: Flow, name: str) -> bool:
    """Whether a block is laid out where it is called."""
    first = code.blocks[name].code[0]
    place = flow.caller.get(first.rows[0][1] if isinstance(first, tree.Enter) else name)
    if place is None:
        return False
    block, at = place
    call = code.blocks[block].code[at]
    assert isinstance(call, tree.Call)  # noqa: S101 - `flow` says so
    return _can_join(code, flow, block, at, call)


def _can_join(code: Code, flow: Flow, block: str, at: int, call: tree.Call) -> bool:
    if flow.triggers_wait or call.block not in flow.waiting or at not in flow.reached[block]:
        return False
    target = code.blocks[call.block]
    first = target.code[0]
    if isinstance(first, tree.Enter):
        # The row would have to be found before triggers run that look at what is set back.
        return not call.resets and all(flow.caller.get(row) == (block, at) for _, row in first.rows)
    return flow.caller.get(call.block) == (block, at)


@define
class _Layout:
    """A joined block as it grows."""

    code: Code
    flow: Flow
    joined: Joined
    out: list[Any] = field(factory=list)
    at: dict[tuple[int, int], int] = field(factory=dict)  # of a frame and a place, the new one

    def add(self, frame: int, place: int, step: Any) -> None:
        self.out.append(step)
        self.joined.owners.append(frame)
        self.joined.places.append(place)


def _join(code: Code, flow: Flow, block: Block) -> Joined:
    count = len(block.slots)
    joined = Joined(block, [Frame(block, tuple(range(count)), count, None)])
    made = _Layout(code, flow, joined)
    _lay_out(made, 0, None)
    for n, (step, owner) in enumerate(zip(made.out, joined.owners, strict=True)):
        made.out[n] = _led(made, step, owner)
    more = max(each.size for each in joined.frames) - count
    joined.block = evolve(
        block,
        code=tuple(made.out),
        blank=(*block.blank, *[None] * more),
        slots=(*block.slots, *[("", None)] * more),
    )
    return joined


def _lay_out(made: _Layout, number: int, into: int | None) -> None:
    """Add the code of a frame; `into` is where its caller wants its value."""
    frame = made.joined.frames[number]
    for at, step in enumerate(frame.block.code):
        made.at[number, at] = len(made.out)
        if isinstance(step, tree.Call) and _can_join(
            made.code, made.flow, frame.block.name, at, step
        ):
            _lay_out_call(made, number, at, step)
        elif isinstance(step, tree.Return) and frame.caller is not None:
            made.add(number, at, Back(step.value, into, step.origin))
            made.add(number, at, _Leave(frame.caller, frame.returns, step.origin))
        else:
            made.add(number, at, step)


def _lay_out_call(made: _Layout, caller: int, at: int, call: tree.Call) -> None:
    frames = made.joined.frames
    target = made.code.blocks[call.block]
    number = len(frames)
    first = target.code[0]
    names = [name for _, name in first.rows] if isinstance(first, tree.Enter) else []
    rows = [made.code.blocks[name] for name in names]
    changed = {n for each in (target, *rows) for n in changed_slots(each)}
    slots = _place_slots(frames[caller], target, call.arguments, changed)
    frames.append(Frame(target, slots, _size(frames[caller], slots), caller, at + 1))
    made.add(caller, at, Begin(call, number, call.origin))
    if not isinstance(first, tree.Enter):
        _lay_out(made, number, call.into)
        return
    place = len(made.out)
    made.add(number, 0, first)
    found = []
    for (patterns, _), block in zip(first.rows, rows, strict=True):
        more = len(block.slots) - len(slots)
        size = frames[number].size
        own = (*slots, *range(size, size + more))
        frames.append(Frame(block, own, size + more, caller, at + 1))
        found.append((patterns, len(made.out), len(frames) - 1))
        _lay_out(made, len(frames) - 1, call.into)
    made.out[place] = Select(first.inputs, tuple(found), target.name, len(made.out), first.origin)


def _place_slots(
    caller: Frame, target: Block, given: tuple[Op, ...], changed: set[int]
) -> tuple[int, ...]:
    found = []
    free = caller.size
    for n in range(len(target.slots)):
        if n < len(given) and given[n].name == "slot" and n not in changed:
            found.append(caller.slots[given[n].args[0]])
        else:
            found.append(free)
            free += 1
    return tuple(found)


def _size(caller: Frame, slots: tuple[int, ...]) -> int:
    return max(caller.size, *(each + 1 for each in slots), 0)


@frozen
class _Leave:
    """A jump to where the caller goes on, before that has a number."""

    frame: int
    place: int
    origin: Origin


def _led(made: _Layout, step: Any, owner: int) -> Any:
    """An instruction whose jumps lead to where things are now."""
    match step:
        case _Leave(frame, place, origin):
            return flat.Jump(made.at[frame, place], origin)
        case flat.Jump() | flat.Unless():
            return evolve(step, to=made.at[owner, step.to])
        case flat.Next() | flat.Again():
            return evolve(step, exit=made.at[owner, step.exit])
    return step


# ---- Where a joined block waits --------------------------------------------------------------------


def waits_of(
    joined: Joined,
    places: Iterable[int],
    numbers: dict[str, int],
    masks: Callable[[Block], Container[int]],
) -> dict[int, Chain]:
    """Of every place where a joined block can wait the frames that the reference has there.

    `masks` tells which slots of a block are kept as masks.
    """
    found = {}
    for at in places:
        chain = []
        kept: set[int] = set()  # places that are masks; a parameter may be one of them
        for frame, place in joined.chain(at):
            idle = idle_slots(frame.block) if len(joined.frames) > 1 else set()
            slots = [None if n in idle else SLOTS + each for n, each in enumerate(frame.slots)]
            own = masks(frame.block)
            kept |= {SLOTS + each for n, each in enumerate(frame.slots) if n in own}
            chain.append(
                (numbers[frame.block.name], place, tuple(slots), frozenset(kept & {*slots}))
            )
        found[at] = tuple(chain)
    return found


def results_of(joined: Joined) -> dict[int, int]:
    """Of every place to which a call comes back, and whose value is wanted, where that is kept."""
    return {
        at + 1: SLOTS + joined.frames[owner].slots[step.into]
        for at, (step, owner) in enumerate(zip(joined.block.code, joined.owners, strict=True))
        if isinstance(step, tree.Call) and step.into is not None
    }

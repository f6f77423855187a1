"""A state of this engine at a decision -> the same state of the reference, and back.

The engines can so take over games from each other. A frame of the reference is a block, a position in its code, and
slots. Here a frame is a part of the state: the point at which the rule waits, and its slots. `frames.Frame` maps one
to the other.
"""

from collections.abc import Iterator
from struct import pack_into, unpack_from
from typing import Any

from attrs import define

from interpreter.flat import Block
from interpreter.machine import current_instruction
from interpreter.options import Decision
from interpreter.state import AT, BLOCK, OVER, PLAY, SLOTS, State
from interpreter.wasm.codec import (
    Codec,
    TooLarge,
    read_list,
    read_sets,
    set_bits,
    write_list,
    write_sets,
)
from interpreter.wasm.frames import Cell
from interpreter.wasm.game_runner import BEGUN, HOLDING, RESET
from interpreter.wasm.memory import capacity, form_of
from rulespec.core import tree
from rulespec.core.types import Several, Type, element

# ---- To the reference ----------------------------------------------------------------------------


def read_state(codec: Codec, content: bytes) -> State:
    """The state of the reference for these bytes, still without its pending decision."""
    layout, places = codec.layout, codec.written.state
    s = State()
    head = {name: unpack_from("<q", content, at)[0] for name, (at, _) in places.fields.items()}
    s.phase, s.first = head["phase"], head["first"]
    s.rng = head["rng"] & ((1 << 64) - 1)
    s.zones = [_read_zone(codec, content, n) for n in range(len(layout.zones))]
    s.where = [0] * len(layout.pieces)
    for n, zone in enumerate(s.zones):
        for c in zone:
            s.where[c] = n
    s.variables = []
    for n, (row, _) in enumerate(layout.variables):
        at, size = places.variables[row.name]
        here = at + (n - layout.variable_families[row.name].base) * size
        s.variables.append(codec.read(here, content, row.type, form_of(row.type, layout)))
    s.stack, s.pending, s.watch = [], None, None
    if s.phase != OVER:
        _Reader(codec, content, s.stack).read_root(s.phase, head)
    return s


def _read_zone(codec: Codec, content: bytes, n: int) -> tuple[int, ...]:
    places = codec.written.state
    at = places.zones[n]
    if codec.layout.is_pool[n]:
        return tuple(_bits_of(content, at, places.words))
    (count,) = unpack_from("<i", content, at)
    pieces = unpack_from(f"<{count}{'H' if places.wide else 'B'}", content, at + 4)
    return tuple(reversed(pieces))


def _bits_of(content: Any, at: int, words: int) -> Iterator[int]:
    for k, word in enumerate(unpack_from(f"<{words}Q", content, at)):
        for n in set_bits(word):
            yield 64 * k + n


@define
class _Reader:
    """Reads frames, from the first rule to the one in which somebody is asked."""

    codec: Codec
    content: bytes
    stack: list[list[Any]]

    def number(self, at: int) -> int:
        found: int = unpack_from("<i", self.content, at)[0]
        return found

    def push(self, name: str, at: int, slots: Any) -> None:
        numbers = self.codec.machine.context.blocks
        self.stack.append([numbers[name], at, *slots])

    def read_root(self, phase: int, head: dict[str, int]) -> None:
        name = ("setup", "play", "finish")[phase]
        fp = self.codec.written.state.frames
        triggers = self.codec.layout.code.triggers
        if phase != PLAY or not triggers or head["stage"] == BEGUN:
            self.read_rule(name, fp)
            return
        block = self.first_row(name)
        self.push(block, 0, self.codec.blank(block))
        if head["stage"] == HOLDING:
            self.push_triggers(head["later"])
        self.read_triggers(fp)

    def first_row(self, name: str) -> str:
        if isinstance(self.codec.blocks[name].body[0], tree.Enter):
            raise TooLarge
        return name

    def push_triggers(self, due: int) -> None:
        triggers = self.codec.layout.code.triggers
        for t in reversed(range(len(triggers))):
            if due >> t & 1:
                self.push(triggers[t].block, 0, self.codec.blank(triggers[t].block))

    def read_triggers(self, fp: int) -> None:
        """Triggers that are left; the first of them has begun."""
        due = self.number(fp)
        first = due & -due
        self.push_triggers(due & ~first)
        name = self.codec.layout.code.triggers[first.bit_length() - 1].block
        self.read_rule(name, fp + 8)

    def read_rule(self, name: str, fp: int) -> None:
        enter = self.codec.blocks[name].body[0]
        if isinstance(enter, tree.Enter):
            self.read_rule(enter.rows[self.number(fp)][1], fp + 8)
            return
        block, frame = self.codec.blocks[name], self.codec.frame(name)
        point = frame.points[self.number(fp) - 1]
        slots = [*self.codec.blank(name)]
        for n, kept in frame.slots.items():
            slots[n] = self.codec.read(fp + kept.offset, self.content, kept.type, kept.form)
        for loop in point.loops:
            self.read_loop(self.codec.statement(name, loop), frame.loops.get(loop), fp, slots)
        here = self.codec.statement(name, point.statement)
        own = frame.loops.get(point.statement, {})
        at = self.codec.place(block, here)
        following = fp + frame.size
        match point.kind, here:
            case "ask", _:
                if isinstance(here, tree.Each):
                    slots[here.slot] = self.read_each(own, here, fp)
                self.push(name, at, slots)
            case "call", tree.Call(called):
                self.push(name, at + 1, slots)
                self.read_rule(called, following)
            case "fire", tree.Move():
                rest = self.read_move(own, fp)
                slots[here.slot] = rest
                self.push(name, at if rest is not None else at + 1, slots)
                self.read_triggers(following)
            case "fire", _:
                self.push(name, at + 1, slots)
                if isinstance(here, tree.Call):
                    self.read_given(own, here, fp)
                self.read_triggers(following)

    def cell(self, cell: Cell, fp: int) -> int:
        found: int = unpack_from("<q" if cell.wide else "<i", self.content, fp + cell.offset)[0]
        return found

    def read_loop(self, here: Any, kept: dict[str, Any] | None, fp: int, slots: list[Any]) -> None:
        if kept is None:
            return
        if isinstance(here, tree.Repeat):
            if here.left is not None:
                slots[here.left] = self.cell(kept["left"], fp)
            return
        if kept["form"] in ("mask", "small"):
            lanes = [self.cell(each, fp) for each in kept["rest"]]
            found = [64 * k + n for k, lane in enumerate(lanes) for n in set_bits(lane)]
            slots[here.rest] = self.codec.members(found, _set_type(here))
            return
        taken = self.cell(kept["taken"], fp)
        if kept["form"] == "sets":
            slots[here.rest] = read_sets(self.content, fp + kept["offset"])[taken:]
            return
        if "address" in kept:
            address = self.cell(kept["address"], fp)
            every = next(members for at, members in kept["data"] if at == address)
        else:
            every = read_list(self.content, fp + kept["offset"]) or ()
        slots[here.rest] = self.codec.members(every[taken:], _set_type(here))

    def read_each(self, kept: dict[str, Any], here: tree.Each, fp: int) -> Any:
        players = read_list(self.content, fp + kept["players"]) or ()
        answered = self.cell(kept["answered"], fp)
        chosen = tuple(
            (
                p,
                self.codec.read(
                    fp + kept["answers"] + n * kept["size"], self.content, here.of, kept["form"]
                ),
            )
            for n, p in enumerate(players[:answered])
        )
        return players[answered:], chosen

    def read_move(self, kept: dict[str, Any], fp: int) -> Any:
        if not kept:  # one piece, which was moved
            return None
        every = read_list(self.content, fp + kept["rest"]) or ()
        rest = every[self.cell(kept["moved"], fp) :]
        return (self.cell(kept["zone"], fp), rest) if rest else None

    def read_given(self, kept: dict[str, Any], here: tree.Call, fp: int) -> None:
        """Read a call whose rule has not begun because triggers run first."""
        name = here.block
        enter = self.codec.blocks[name].body[0]
        if isinstance(enter, tree.Enter):
            name = enter.rows[self.cell(kept["row"], fp)][1]
        block = self.codec.blocks[name]
        slots = [*self.codec.blank(name)]
        for n, at in enumerate(given_places(kept, here, fp)):
            slots[n] = self.codec.read(at, self.content, block.slots[n][1], kept["forms"][n])
        self.push(name, 0, slots)


def given_places(kept: dict[str, Any], here: tree.Call, fp: int) -> list[int]:
    """The offsets of the arguments of a rule that was called but has not begun."""
    cells = iter(kept["given"])
    return [
        fp + (kept["offsets"][n] if n in kept["offsets"] else next(cells).offset)
        for n in range(len(here.arguments))
    ]


def _set_type(here: tree.For) -> Type:
    of = element(here.values.type)
    return here.values.type if of is None else Several(of)


# ---- From the reference --------------------------------------------------------------------------


def write_state(codec: Codec, s: State) -> bytearray:
    """The bytes of a state of the reference that is at a decision, or over."""
    layout, places = codec.layout, codec.written.state
    content = bytearray(places.size)
    head = dict.fromkeys(places.fields, 0)
    head |= {"phase": s.phase, "first": s.first, "chosen": -1, "stage": BEGUN}
    for n, zone in enumerate(s.zones):
        _write_zone(codec, content, n, zone)
    for n, (row, _) in enumerate(layout.variables):
        at, size = places.variables[row.name]
        here = at + (n - layout.variable_families[row.name].base) * size
        codec.write(here, content, row.type, form_of(row.type, layout), s.variables[n])
    triggers = {
        codec.machine.context.blocks[row.block]: t for t, row in enumerate(layout.code.triggers)
    }
    for frame in s.stack:
        if frame[BLOCK] in triggers:
            head["running"] |= 1 << triggers[frame[BLOCK]]
    if s.stack:
        _Writer(codec, content, s.stack, triggers, head).write_root(s.phase)
    if isinstance(s.pending, Decision):
        head["options"], head["asked"] = len(s.pending.options), s.pending.player
        head["question"] = _question(codec, s)
    for name, (at, _) in places.fields.items():
        pack_into("<q", content, at, head[name])
    pack_into("<Q", content, places.fields["rng"][0], s.rng or 0)
    return content


def _question(codec: Codec, s: State) -> int:
    here = current_instruction(codec.machine, s)
    for n, question in enumerate(codec.written.questions):
        if codec.statement(question.block, question.statement) is here:
            return n
    raise TooLarge


def _write_zone(codec: Codec, content: bytearray, n: int, zone: tuple[int, ...]) -> None:
    places = codec.written.state
    at = places.zones[n]
    if codec.layout.is_pool[n]:
        every = sum(1 << c for c in zone)
        words = [every >> 64 * k & (1 << 64) - 1 for k in range(places.words)]
        pack_into(f"<{places.words}Q", content, at, *words)
    else:
        kind = "H" if places.wide else "B"
        pack_into(f"<i{len(zone)}{kind}", content, at, len(zone), *reversed(zone))


@define
class _Writer:
    """Writes frames, from the first rule to the one in which somebody is asked."""

    codec: Codec
    content: bytearray
    stack: list[list[Any]]
    triggers: dict[int, int]
    head: dict[str, int]

    def name(self, i: int) -> str:
        found: str = self.codec.machine.blocks[self.stack[i][BLOCK]].name
        return found

    def is_trigger(self, i: int) -> bool:
        return i < len(self.stack) and self.stack[i][BLOCK] in self.triggers

    def is_new(self, i: int) -> bool:
        """Whether a rule has been called, but has not begun."""
        frame = self.stack[i]
        block = self.codec.machine.blocks[frame[BLOCK]]
        return bool(
            frame[AT] == 0
            and frame[SLOTS + block.params :] == self.codec.blank(block.name)[block.params :]
        )

    def write_root(self, phase: int) -> None:
        name = ("setup", "play", "finish")[phase]
        fp = self.codec.written.state.frames
        if phase == PLAY and self.is_trigger(1) and self.is_new(0):
            self.write_start(fp)
        else:
            self.write_rule(name, 0, fp)

    def write_start(self, fp: int) -> None:
        """Write the triggers that run before `play`: those that held from the start are above those that fired."""
        i, batches = 1, [0]
        last = len(self.triggers)
        while True:
            t = self.triggers[self.stack[i][BLOCK]]
            if t > last:
                batches.append(0)
            batches[-1] |= 1 << t
            last = t
            if not self.is_new(i) or not self.is_trigger(i + 1):
                break
            i += 1
        self.head["stage"] = HOLDING if len(batches) > 1 else RESET
        self.head["later"] = batches[0]
        self.head["due"] = batches[-1]
        pack_into("<i", self.content, fp, batches[-1])
        self.write_rule(self.name(i), i, fp + 8)

    def write_triggers(self, i: int, fp: int) -> None:
        due = 0
        while True:
            due |= 1 << self.triggers[self.stack[i][BLOCK]]
            if not self.is_new(i) or not self.is_trigger(i + 1):
                break
            i += 1
        pack_into("<i", self.content, fp, due)
        self.write_rule(self.name(i), i, fp + 8)

    def write_rule(self, called: str, i: int, fp: int) -> None:
        """The frame of a rule, and all that follow; of an action table a row was called."""
        enter = self.codec.blocks[called].body[0]
        name = self.name(i)
        if isinstance(enter, tree.Enter):
            pack_into("<i", self.content, fp, [row for _, row in enter.rows].index(name))
            fp += 8
        block, frame, values = self.codec.blocks[name], self.codec.frame(name), self.stack[i]
        kind, here = self.find_point(block, i)
        for n, kept in frame.slots.items():
            self.codec.write(
                fp + kept.offset, self.content, kept.type, kept.form, values[SLOTS + n]
            )
        number, point = next(
            (n, each)
            for n, each in enumerate(frame.points, 1)
            if each.kind == kind and self.codec.statement(name, each.statement) is here
        )
        pack_into("<i", self.content, fp, number)
        for loop in point.loops:
            self.write_loop(self.codec.statement(name, loop), frame.loops.get(loop), fp, values)
        self.write_own(frame.loops.get(point.statement, {}), kind, here, i, fp)
        following = fp + frame.size
        if kind == "call":
            self.write_rule(here.block, i + 1, following)
        elif kind == "fire":
            skip = 2 if isinstance(here, tree.Call) else 1
            self.write_triggers(i + skip, following)

    def find_point(self, block: Block, i: int) -> tuple[str, Any]:
        values = self.stack[i]
        at = values[AT]
        if i == len(self.stack) - 1:
            return "ask", block.code[at]
        here = block.code[at] if at < len(block.code) else None
        if self.is_trigger(i + 1):
            if isinstance(here, tree.Move) and values[SLOTS + here.slot] is not None:
                return "fire", here
            return "fire", block.code[at - 1]
        if self.is_trigger(i + 2) and self.is_new(i + 1):
            return "fire", block.code[at - 1]
        return "call", block.code[at - 1]

    def write_own(self, kept: dict[str, Any], kind: str, here: Any, i: int, fp: int) -> None:
        """Write the stored values of the statement at which a rule waits."""
        values = self.stack[i]
        if kind == "ask" and isinstance(here, tree.Each):
            self.write_each(kept, here, fp, values)
        elif kind == "fire" and isinstance(here, tree.Move) and kept:
            zone, rest = values[SLOTS + here.slot] or (0, ())
            write_list(self.content, fp + kept["rest"], rest, len(self.codec.layout.pieces))
            self.put(kept["moved"], fp, 0)
            self.put(kept["zone"], fp, zone)
        elif kind == "fire" and isinstance(here, tree.Call):
            self.write_given(kept, here, i, fp)

    def put(self, cell: Cell, fp: int, number: int) -> None:
        pack_into("<q" if cell.wide else "<i", self.content, fp + cell.offset, number)

    def write_loop(
        self, here: Any, kept: dict[str, Any] | None, fp: int, values: list[Any]
    ) -> None:
        if kept is None:
            return
        if isinstance(here, tree.Repeat):
            if here.left is not None:
                self.put(kept["left"], fp, values[SLOTS + here.left])
            return
        rest = values[SLOTS + here.rest]
        if kept["form"] in ("mask", "small"):
            every = sum(1 << int(v) for v in rest)
            for k, cell in enumerate(kept["rest"]):
                word = every >> 64 * k & (1 << 64) - 1
                self.put(cell, fp, word - (1 << 64) if word >> 63 else word)
            return
        self.put(kept["taken"], fp, 0)
        if kept["form"] == "sets":
            write_sets(self.content, fp + kept["offset"], rest)
        elif "address" in kept:
            address, taken = _suffix(kept["data"], tuple(map(int, rest)))
            self.put(kept["address"], fp, address)
            self.put(kept["taken"], fp, taken)
        else:
            most = capacity(here.values.type, self.codec.layout)
            write_list(self.content, fp + kept["offset"], rest, most)

    def write_each(self, kept: dict[str, Any], here: tree.Each, fp: int, values: list[Any]) -> None:
        waiting, chosen = values[SLOTS + here.slot]
        players = (*(p for p, _ in chosen), *waiting)
        write_list(self.content, fp + kept["players"], players, self.codec.layout.players)
        self.put(kept["answered"], fp, len(chosen))
        for n, (_, value) in enumerate(chosen):
            at = fp + kept["answers"] + n * kept["size"]
            self.codec.write(at, self.content, here.of, kept["form"], value)

    def write_given(self, kept: dict[str, Any], here: tree.Call, i: int, fp: int) -> None:
        name, values = self.name(i + 1), self.stack[i + 1]
        enter = self.codec.blocks[here.block].body[0]
        if isinstance(enter, tree.Enter):
            self.put(kept["row"], fp, [row for _, row in enter.rows].index(name))
        for n, at in enumerate(given_places(kept, here, fp)):
            type_ = self.codec.blocks[name].slots[n][1]
            self.codec.write(at, self.content, type_, kept["forms"][n], values[SLOTS + n])


def _suffix(data: Any, rest: tuple[int, ...]) -> tuple[int, int]:
    """The list that has this end, and the number of elements before it."""
    for address, members in data:
        if members[len(members) - len(rest) :] == rest:
            return address, len(members) - len(rest)
    raise TooLarge

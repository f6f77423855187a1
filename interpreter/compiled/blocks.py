"""An instruction of flat code -> lines of Python, in a block that waits or in one that never does.

What moves, stores and draws is written the same in both; see `steps`. How a block is called and left, and how
somebody is asked, is up to `wholes` and `parts`.
"""

from abc import abstractmethod

from attrs import define

from interpreter import flat
from interpreter.compiled.jumps import Writer
from interpreter.compiled.moves import write_move
from interpreter.compiled.scribe import Scope, Scribe, as_plain
from interpreter.compiled.steps import (
    Site,
    guess_slot,
    write_draw,
    write_fire,
    write_held,
    write_show,
    write_shuffle,
    write_store,
)
from interpreter.compiled.writing import Text, Unsupported
from interpreter.flat import Instruction
from rulespec.core import tree
from rulespec.core.tree import Op


@define
class BlockWriter(Writer):
    """Writes the instructions of a block."""

    def write(self, at: int, here: Instruction) -> bool:
        """One instruction; whether the next one follows."""
        w, out, site = self.w, self.out, self.site
        match here:
            case tree.Assign(target, value, origin):
                guess_slot(site, target, value)
                is_mask = target.slot is not None and site.scope.slots[target.slot].form == "mask"
                text = w.text(value, site.scope if is_mask else site.scope.strictly())
                text = text if is_mask else as_plain(text)
                name = self.named(target)
                write_store(site, target, text.code, origin, sure=text.sure, name=name)
            case flat.Iterate(slot, values):
                out.add(f"{self.slot(slot)} = {w.plain(values, site.scope)}")
            case flat.Times(slot, number):
                out.add(f"{self.slot(slot)} = {w.plain(number, site.scope)}")
            case tree.Clear(slots):
                self.clear(slots)
            case tree.Move():
                return self.move(at, here)
            case tree.Shuffle():
                write_shuffle(site, here)
            case tree.Show():
                write_show(site, here)
            case tree.Tell(parts):  # who wants the story plays on the reference
                risky = [each for each in parts if not isinstance(each, str) and w.may_fail(each)]
                out.add(*(w.plain(each, site.scope) for each in risky))
            case tree.Announce():
                raise Unsupported("`announce`")
            case tree.Draw():
                write_draw(site, here)
            case tree.End(origin):
                if not site.only_in_play:
                    out.add(f"if s[PHASE] != 1: end_too_early({site.origin(origin)})")
                out.add("return end(s)" if site.ends else "raise Ended")
                return False
            case tree.Choose():
                return self.choose(at, here)
            case tree.Each():
                return self.each(at, here)
            case tree.Call():
                return self.call(at, here)
            case tree.Enter():
                return self.enter(here)
            case tree.Return(value):
                self.give_back(value)
                return False
            case _:
                raise AssertionError(here)
        return True

    def named(self, target: tree.Target) -> str:
        """A local for what a target is given, if it is a slot and takes the value as it is."""
        if target.slot is None or target.indices or target.fitting is not None:
            return ""
        return self.at_hand(target.slot) or ""

    def move(self, at: int, here: tree.Move) -> bool:  # noqa: ARG002 - `parts` needs it
        write_move(self.site, here)
        return True

    @abstractmethod
    def clear(self, slots: tuple[int, ...]) -> None:
        """See `wholes` and `parts`."""

    @abstractmethod
    def choose(self, at: int, here: tree.Choose) -> bool:
        """See `wholes` and `parts`."""

    @abstractmethod
    def each(self, at: int, here: tree.Each) -> bool:
        """See `wholes` and `parts`."""

    @abstractmethod
    def call(self, at: int, here: tree.Call) -> bool:
        """See `wholes` and `parts`."""

    @abstractmethod
    def enter(self, here: tree.Enter) -> bool:
        """See `wholes` and `parts`."""

    @abstractmethod
    def give_back(self, value: Op | None) -> None:
        """See `wholes` and `parts`."""

    def reset(self, here: tree.Call) -> tuple[tuple[int, ...], str]:
        """Set the variables of a rule back; the triggers that look at them, and which of them held."""
        return write_reset(self.site, here.resets or "", here.origin)

    def publish(self, here: tree.Each) -> None:
        """All have chosen: now everybody learns of it, and the values are given at once."""
        site, out, target = self.site, self.out, here.target
        if self.program.watched:
            out.add(f"published(s, chosen, {site.type(here.of)}, {site.origin(here.origin)})")
        if target.fitting is not None:
            fitted = self.w.plain(target.fitting, Scope({}, {0: Text("v")}))
            out.add(f"chosen = tuple([(p, {fitted}) for p, v in chosen])")
        if target.slot is not None:
            out.add(f"{self.slot(target.slot)} = tuple(sorted(chosen))")
            return
        name = target.variable or ""
        triggers = self.flow.variables[name] if site.in_play else ()
        held = write_held(site, triggers)
        base = self.w.variable_names[name]
        with out.block("for p, v in chosen:"):
            if self.program.watched:
                out.add(f"was, s[{base} + p] = s[{base} + p], v")
                number = self.w.layout.variable_families[name].base
                out.add(
                    f"assigned(s, {number} + p, was, v, {site.type(target.type)}, "
                    f"{site.origin(here.origin)})"
                )
            else:
                out.add(f"s[{base} + p] = v")
        write_fire(site, triggers, held)


def write_reset(site: Site, rule: str, origin: tree.Origin) -> tuple[tuple[int, ...], str]:
    """Set the variables of a rule back, all at once."""
    w, out = site.w, site.out
    numbers = w.layout.resets.get(rule, ())
    if not numbers:
        return (), ""
    rows = [w.layout.variables[n][0] for n in numbers]
    triggers: tuple[int, ...] = ()
    if site.in_play:
        triggers = tuple(sorted({t for row in rows for t in site.flow.variables[row.name]}))
    held = write_held(site, triggers)
    values = [w.plain(row.start, Scope({})) for row in rows]
    if site.watched:
        places = ", ".join(str(n) for n in numbers)
        types = w.pool.keep("TYPES", tuple(row.type for row in rows))
        out.add(f"set_back(s, ({places},), ({', '.join(values)},), {types}, {site.origin(origin)})")
    else:
        names = [f"s[{_variable(w, n)}]" for n in numbers]
        known = all(w.known(row.start)[0] for row in rows)
        if known or len(names) == 1:
            for name, value in zip(names, values, strict=True):
                out.add(f"{name} = {value}")
        else:
            out.add(f"{', '.join(names)} = {', '.join(values)}")
    return triggers, held


def _variable(w: Scribe, number: int) -> str:
    row, _ = w.layout.variables[number]
    offset = number - w.layout.variable_families[row.name].base
    name = w.variable_names[row.name]
    return f"{name} + {offset}" if offset else name

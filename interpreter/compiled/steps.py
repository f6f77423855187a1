"""Instructions that change something -> lines of Python.

A change that a trigger may look at is followed by a test, unless the pieces that are moved make no difference
to it. If the game is `watched`, every change is also told.
"""

import re
from ast import literal_eval
from collections.abc import Iterable

from attrs import define, field

from interpreter.compiled.facts import Facts
from interpreter.compiled.flow import PLAY, Flow
from interpreter.compiled.operations.folds import filtered
from interpreter.compiled.scribe import Scope, Scribe, as_listing, as_plain
from interpreter.compiled.support import choices_among
from interpreter.compiled.writing import Lines, Text
from interpreter.flat import Block
from interpreter.layout import Layout
from rulespec.core import tree
from rulespec.core.tree import Op, Origin, Target
from rulespec.core.types import Piece, Several, Type, present


@define
class Site:
    """Where lines are written: a block, how its slots are written, and for what sort of engine."""

    w: Scribe
    flow: Flow
    block: Block
    out: Lines
    scope: Scope
    watched: bool
    guesses: dict[int, str] = field(factory=dict)  # of slots the zone from which a piece was chosen
    names: dict[str, str] = field(factory=dict)  # under which slots may be at hand
    ends: bool = False  # whether all rules are left at once by what is given back here
    chosen: int | None = None  # the slot of a piece that was chosen just now: there it still lies

    def origin(self, origin: Origin) -> str:
        key = (origin.rule, origin.span.source.name, origin.span.start, origin.span.end)
        return self.w.pool.keep("ORIGIN", origin, key)

    def type(self, of: Type) -> str:
        return self.w.pool.keep("TYPE", of)

    def slot(self, number: int) -> str:
        return self.scope.slots[number].code

    @property
    def facts(self) -> Facts:
        return self.scope.facts

    @property
    def in_play(self) -> bool:
        """Whether triggers may look at what this block does."""
        return PLAY in self.flow.phases[self.block.name]

    @property
    def only_in_play(self) -> bool:
        return self.flow.phases[self.block.name] == {PLAY}


# ---- Values --------------------------------------------------------------------------------------


def write_store(  # noqa: PLR0913 - what, to what, why, and what is known of it
    site: Site, target: Target, value: str, origin: Origin, *, sure: bool = False, name: str = ""
) -> None:
    """Give a target its value: a slot silently, a variable for all to see.

    `sure` if it is not none; `name` is a local that shall hold it, too.
    """
    w, out = site.w, site.out
    if target.fitting is not None:
        fitted = w.plain(target.fitting, Scope({}, {0: Text("v")}))
        if value != "v":
            out.add(f"v = {value}")
        value = fitted
    if target.slot is not None:
        slot = site.slot(target.slot)
        if target.indices:
            (index,) = target.indices
            value = f"with_member({slot}, {w.plain(index, site.scope)}, {value})"
        out.add(f"{slot} = {name} = {value}" if name else f"{slot} = {value}")
        known = name or (value if value in site.names.values() else None)
        site.facts.learn(slot, sure=sure and not target.indices, name=known)
        return
    name = target.variable or ""
    family = w.layout.variable_families[name]
    place = w.place(family, w.variable_names[name], target.indices, site.scope)
    triggers = site.flow.variables[name] if site.in_play else ()
    if not site.watched and not triggers:
        out.add(f"s[{place}] = {value}")
        return
    out.add(f"v = {value}", f"n = {place}")
    held = write_held(site, triggers)
    if site.watched:
        first = w.places.zones
        out.add("was, s[n] = s[n], v")
        out.add(
            f"assigned(s, n - {first}, was, v, {site.type(target.type)}, {site.origin(origin)})"
        )
    else:
        out.add("s[n] = v")
    write_fire(site, triggers, held)


def write_held(site: Site, triggers: Iterable[int]) -> str:
    """Which triggers hold before a change."""
    triggers = tuple(triggers)
    if not triggers:
        return ""
    tests = ", ".join(f"test_{t}(s)" for t in triggers)
    held = site.out.fresh("held")
    if site.only_in_play:
        site.out.add(f"{held} = ({tests},)")
    else:
        site.out.add(f"{held} = ({tests},) if s[PHASE] == 1 else ({'True, ' * len(triggers)})")
    return held


def write_fire(site: Site, triggers: Iterable[int], held: str) -> None:
    """Run the triggers that hold now and did not before."""
    triggers = tuple(triggers)
    if not triggers:
        return
    if len(triggers) == 1:
        (t,) = triggers
        with site.out.block(f"if not {held}[0] and test_{t}(s):"):
            write_due(site, t)
        return
    due = ", ".join(f"({t}, not {held}[{n}] and test_{t}(s))" for n, t in enumerate(triggers))
    site.out.add(f"fire(s, [t for t, is_due in ({due}) if is_due])")


def write_due(site: Site, t: int) -> None:
    """Run a trigger that is due; one that only ends the game is left like a rule, where that can be."""
    block = site.w.code.blocks[site.w.code.triggers[t].block]
    is_end = isinstance(block.code[0], tree.End)
    site.out.add("return end(s)" if is_end and site.ends else f"fire(s, ({t},))")


def write_shuffle(site: Site, step: tree.Shuffle) -> None:
    """`shuffle Z`"""
    w, out = site.w, site.out
    zone = w.text(step.zone, site.scope)
    names = [step.zone.args[0]] if step.zone.name == "zone" else list(site.flow.zones)
    triggers = tuple(sorted({t for name in names for t in site.flow.zones[name]}))
    triggers = triggers if site.in_play else ()
    held = write_held(site, triggers)
    z = out.fresh("zone")
    out.add(f"{z} = {zone.code}")
    out.add(f"s[RNG], order = shuffle(s[RNG], s[{z}])", f"s[{z}] = PILE(order)")
    if site.watched:
        out.add(f"shuffled(s, {z}, {site.origin(step.origin)})")
    write_fire(site, triggers, held)


def write_show(site: Site, step: tree.Show) -> None:
    """`show X to P`: only who watches sees anything."""
    w, out = site.w, site.out
    if site.watched:
        pieces, players = (w.plain(each, site.scope) for each in (step.pieces, step.players))
        out.add(f"showed(s, {pieces}, {players}, {site.origin(step.origin)})")
    elif w.may_fail(step.pieces, step.players):
        out.add(w.plain(step.pieces, site.scope), w.plain(step.players, site.scope))


# ---- Chance and choices --------------------------------------------------------------------------


def write_draw(site: Site, step: tree.Draw) -> None:
    """`random x from S`"""
    w, out = site.w, site.out
    values = w.text(step.values, site.scope)
    if values.form == "subsets" and re.fullmatch(r"[\d, ()]+", values.code):
        options = choices_among(*literal_eval(f"({values.code})"))
        out.add(f"found = {w.pool.keep('OPTIONS_OF', options, values.code)}")
    elif values.form == "subsets":
        out.add(f"found = choices_among({values.code})")
    else:
        out.add(f"found = draw_from({as_plain(values).code})")
    out.add("count = len(found)")
    out.add(f"if not count: nothing({site.origin(step.origin)})")
    out.add("s[RNG], number = below(s[RNG], count)", "v = found[number]")
    if site.watched:
        out.add(f"drew(s, v, {site.type(step.of)}, {site.origin(step.origin)})")
    write_store(site, step.target, "v", step.origin, sure=True)


@define
class Options:
    """The options of a choice, in `o`, and how they are counted and taken."""

    count: str
    first: str
    one: str  # of a number `n`
    kept: str  # for whoever is asked
    known: int | None = None  # how many there are at this table, always


def write_options(site: Site, op: Op, of: Type, *, may: bool) -> Options:
    """Put the options of a choice into `o`; look-alikes are one option."""
    w, out = site.w, site.out
    is_known, value = w.known(op)
    if is_known and isinstance(value, tuple) and not isinstance(of, Piece):
        found = w.pool.constant((*value, None) if may else value)
        count = len(value) + may
        if count > 1:
            return Options(str(count), f"{found}[0]", f"{found}[n]", found, count)
    if may and op.name == "filter" and not isinstance(of, Piece | Several):
        few = filtered(w, op, site.scope, more=(None,))
        if few is not None:
            out.add(f"o = {few.code}")
            return Options("len(o)", "o[0]", "o[n]", "o")
    text = w.text(op, site.scope)
    more = " + 1" if may else ""
    if isinstance(of, Piece):
        copies = _has_copies(w.layout, of)
        if text.form == "mask":
            code = f"first_alike({text.code}, COPIES, ALIKE)" if copies else text.code
            out.add(f"o = {code}")
            first = "(o & -o).bit_length() - 1"
            return Options(f"o.bit_count(){more}", first, "nth(o, n)", "o")
        plain = as_plain(text).code
        found = f"distinct_pieces(s, {plain})" if copies else plain
    elif isinstance(of, Several):
        has_pieces = isinstance(present(of.of), Piece)
        if text.form == "subsets" and not has_pieces:
            out.add(f"o = choices_among({text.code})")
        else:
            out.add(f"o = choices(s, {as_plain(text).code}, pieces={has_pieces})")
        if not may:
            return Options("len(o)", "o[0]", "o[n]", "o")
        return Options(
            "len(o) + 1",
            "o[0] if len(o) else None",
            "o[n] if n < len(o) else None",
            "Declinable(o)",
        )
    else:
        found = as_plain(text).code
    out.add(f"o = (*{as_listing(found)}, None)" if may else f"o = {found}")
    return Options("len(o)", "o[0]", "o[n]", "o")


def _has_copies(layout: Layout, of: Piece) -> bool:
    faces = [
        face
        for piece, face in zip(layout.pieces, layout.faces, strict=True)
        if piece.kind in of.kinds
    ]
    return len(set(faces)) < len(faces)


def guess_home(site: Site, step: tree.Choose) -> None:
    """Remember from which zone a piece is chosen: that is where it will most likely be taken."""
    if isinstance(step.of, Piece) and step.target.slot is not None and not step.target.indices:
        guess_slot(site, step.target, step.options)


def guess_slot(site: Site, target: Target, op: Op) -> None:
    """Remember of a slot from which pool its pieces come, if that can be seen."""
    if target.slot is None or target.indices:
        return
    home = site.guesses.get(op.args[0]) if op.name == "slot" else None
    if op.name != "slot":
        home = site.w.text(op, site.scope.apart()).home
    if home is not None and _is_pool_code(site, home):
        site.guesses[target.slot] = home
    else:
        site.guesses.pop(target.slot, None)


def _is_pool_code(site: Site, home: str) -> bool:
    layout = site.w.layout
    for name, written in site.w.zone_names.items():
        if home.split(" ", maxsplit=1)[0] == written:
            return layout.is_pool[layout.zone_families[name].base]
    return False

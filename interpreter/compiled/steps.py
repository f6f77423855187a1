"""Instructions that change something -> lines of Python.

A change that a trigger may look at is followed by a test, unless the pieces that are moved make no difference
to it. If the game is `watched`, every change is also told.
"""

from collections.abc import Iterable

from attrs import define, field

from interpreter.compiled.flow import PLAY, Flow
from interpreter.compiled.scribe import Scope, Scribe, as_listing, as_plain
from interpreter.compiled.support import mask
from interpreter.compiled.writing import Lines, Text
from interpreter.layout import Layout
from interpreter.operations.pieces import faces_of
from rulespec.checking.values import Choice, Piece, Several, Type, present
from rulespec.lowering import code as flat
from rulespec.lowering.code import Block, Op, Origin, Target


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

    def origin(self, origin: Origin) -> str:
        key = (origin.rule, origin.span.source.name, origin.span.start, origin.span.end)
        return self.w.pool.keep("ORIGIN", origin, key)

    def type(self, of: Type) -> str:
        return self.w.pool.keep("TYPE", of)

    def slot(self, number: int) -> str:
        return self.scope.slots[number].code

    @property
    def in_play(self) -> bool:
        """Whether triggers may look at what this block does."""
        return PLAY in self.flow.phases[self.block.name]

    @property
    def only_in_play(self) -> bool:
        return self.flow.phases[self.block.name] == {PLAY}


# ---- Values --------------------------------------------------------------------------------------


def write_store(site: Site, target: Target, value: str, origin: Origin) -> None:
    """Give a target its value: a slot silently, a variable for all to see."""
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
        out.add(f"{slot} = {value}")
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
            site.out.add(f"fire(s, ({t},))")
        return
    due = ", ".join(f"({t}, not {held}[{n}] and test_{t}(s))" for n, t in enumerate(triggers))
    site.out.add(f"fire(s, [t for t, is_due in ({due}) if is_due])")


# ---- Pieces --------------------------------------------------------------------------------------


def families_of(op: Op) -> list[str] | None:
    """The families of zones in which the pieces of a set can lie; None if nobody knows."""
    found: list[str] = []
    waiting: list[object] = [op]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting.extend(each)
        elif isinstance(each, Op):
            if each.name in ("contents", "gather"):
                if each.args[0].name != "zone":
                    return None
                found.append(each.args[0].args[0])
            elif each.name in ("slot", "bound", "call", "variable", "all_pieces", "output"):
                return None
            elif each.name in ("perhaps", "single", "needed", "top", "list") or each.name in (
                "matching",
                "unlike",
                "having",
                "difference",
                "top_several",
            ):
                waiting.append(each.args[0])
            elif each.name in ("union", "intersection"):
                waiting.extend(each.args[:2])
            elif each.name == "filter":
                waiting.append(each.args[0])
            else:
                return None
    return found


def _triggers(site: Site, sources: list[str] | None, zone: Op) -> tuple[int, ...]:
    """The triggers that may look at a move."""
    if not site.in_play:
        return ()
    flow = site.flow
    touched = list(flow.zones) if sources is None else sources
    targets = [zone.args[0]] if zone.name == "zone" else list(flow.zones)
    return tuple(sorted({t for name in (*touched, *targets) for t in flow.zones[name]}))


def potential(site: Site, op: Op) -> int:
    """All pieces that can ever be in a set, as a mask."""
    w, layout = site.w, site.w.layout
    match op.name:
        case "contents" | "gather" if op.args[0].name == "zone":
            return w.holds(op.args[0].args[0])
        case "matching":
            return potential(site, op.args[0]) & potential_look(site, op.args[1])
        case (
            "top" | "perhaps" | "single" | "needed" | "top_several" | "filter" | "difference"
            | "having" | "unlike" | "intersection"
        ):  # fmt: skip
            return potential(site, op.args[0])
        case "union":
            return potential(site, op.args[0]) | potential(site, op.args[1])
        case "slot":
            of = site.block.slots[op.args[0]][1]
            of = None if of is None else present(of)
            of = of.of if isinstance(of, Several) else of
            if isinstance(of, Piece):
                return _of_kinds(layout, of.kinds)
    return (1 << len(layout.pieces)) - 1


def _of_kinds(layout: Layout, kinds: frozenset[str]) -> int:
    return mask(c for c, piece in enumerate(layout.pieces) if piece.kind in kinds)


def potential_look(site: Site, op: Op) -> int:
    """All pieces that can look so."""
    layout = site.w.layout
    if op.name == "look":
        return mask(faces_of(layout, op.args[0]))
    if op.name == "look_members":
        members = _members_of(site, op.args[0])
        return mask(c for m in members for c in faces_of(layout, (("member", m),)))
    return (1 << len(layout.pieces)) - 1


def _members_of(site: Site, op: Op) -> Iterable[int]:
    """The members that can be in a set."""
    is_known, value = site.w.known(op)
    if is_known:
        return value  # type: ignore[no-any-return]
    while op.name in ("single", "perhaps", "needed"):
        op = op.args[0]
    of: Type | None = None
    if op.name == "slot":
        of = site.block.slots[op.args[0]][1]
    elif op.name == "variable":
        family = site.w.layout.variable_families[op.args[0]]
        of = site.w.layout.variables[family.base][0].type
    of = None if of is None else present(of)
    of = of.of if isinstance(of, Several) else of
    if isinstance(of, Choice):
        return site.w.layout.enums[of.enum]
    return range(len(site.w.code.members))


def write_move(site: Site, step: flat.Move) -> None:
    """`move X to Z`"""
    w, out, scope = site.w, site.out, site.scope
    sources = families_of(step.pieces)
    triggers = _triggers(site, sources, step.zone)
    possible = potential(site, step.pieces)
    relevant = 0
    for t in triggers:
        relevant |= site.flow.relevant[t] & possible
    target = w.text(step.zone, scope)
    whole = (1 << len(w.layout.pieces)) - 1
    is_safe = step.zone.name == "zone" and not possible & ~w.holds(step.zone.args[0])
    if site.watched or relevant == possible & whole != 0:
        found = w.plain(step.pieces, scope)
        out.add(
            f"move_each(s, {found}, {target.code}, under={step.under}, "
            f"origin={site.origin(step.origin)})"
        )
        return
    is_pool = target.order == "pool"
    pieces = w.text(step.pieces, scope.loosely() if is_pool and not relevant else scope)
    move = _Quick(site, step, target, pieces, relevant, is_safe, triggers if relevant else ())
    if not target.order or not _write_quick(move):
        found = as_plain(w.text(step.pieces, scope)).code
        how = "move_each" if relevant else "move_all"
        out.add(
            f"{how}(s, {found}, {target.code}, under={step.under}, "
            f"origin={site.origin(step.origin)})"
        )


@define
class _Quick:
    """A move that may be written out."""

    site: Site
    step: flat.Move
    target: Text
    pieces: Text
    relevant: int
    is_safe: bool
    triggers: tuple[int, ...]  # that may look at it

    def simple(self, code: str, name: str) -> str:
        """A name for what is used several times."""
        if Text(code).is_cheap and "[" not in code:
            return code
        if all(part.isidentifier() or part.isdigit() for part in code.split(" + ")):
            return code
        found = self.site.out.fresh(name)
        self.site.out.add(f"{found} = {code}")
        return found

    def guard(self, m: str, found: str) -> bool:
        """Lines before the move itself; whether that is one step deeper now."""
        out, site = self.site.out, self.site
        origin = site.origin(self.step.origin)
        tests = []
        if self.relevant:
            tests.append(f"{m} & {site.w.pool.constant(self.relevant)}")
        if not self.is_safe:
            tests.append(f"{m} & ~HOLDS[{self.target.code}]")
        if not tests:
            return False
        with out.block(f"if {' or '.join(tests)}:"):
            how = "move_each" if self.relevant else "move_all"
            out.add(
                f"{how}(s, {found}, {self.target.code}, under={self.step.under}, origin={origin})"
            )
        out.add("else:")
        out.depth += 1
        return True


def _write_quick(move: _Quick) -> bool:
    """Write a move as an assignment or two, if that can be done."""
    pieces, op = move.pieces, move.step.pieces
    if op.name == "gather" and op.args[0].name == "zone" and _move_gathered(move):
        return True
    if pieces.form == "mask":
        return _move_mask(move)
    if pieces.form in ("perhaps", "single"):
        return _move_piece(move, op)
    if move.relevant or pieces.home is None or not move.is_safe:
        return False
    return _move_several(move)


def _move_mask(move: _Quick) -> bool:
    """Pieces of a pool, or of several, at once."""
    out, pieces = move.site.out, move.pieces
    home = None if pieces.home is None else move.simple(pieces.home, "home")
    m = out.fresh("m")
    out.add(f"{m} = {pieces.code.replace(f's[{pieces.home}]', f's[{home}]')}")
    target = move.simple(move.target.code, "zone")
    deeper = move.guard(m, f"bits({m})")
    if home is None:
        out.add(f"scoop(s, {m})")
    else:
        out.add(f"s[{home}] ^= {m}")
    if move.target.order == "pool":
        out.add(f"s[{target}] |= {m}")
    else:
        found = f"PILED({m})"
        out.add(f"s[{target}] = {_joined(f's[{target}]', found, under=move.step.under)}")
    out.depth -= deeper
    return True


def _move_gathered(move: _Quick) -> bool:
    """All that lies in a family of zones."""
    site, out, zones = move.site, move.site.out, move.step.pieces.args[0]
    name, indices = zones.args
    zone = move.step.zone
    if indices or move.relevant or not move.is_safe or zone.name != "zone" or zone.args[0] == name:
        return False
    layout = site.w.layout
    family = layout.zone_families[name]
    base = site.w.zone_names[name]
    every = [f"s[{base} + {n}]" if n else f"s[{base}]" for n in range(family.size)]
    is_pool = layout.is_pool[family.base]
    target = move.simple(move.target.code, "zone")
    if is_pool and move.target.order == "pool":
        out.add(f"s[{target}] |= {' | '.join(every)}")
    elif is_pool:
        found = " + ".join(f"PILED({each})" for each in every)
        out.add(f"s[{target}] = {_joined(f's[{target}]', found, under=move.step.under)}")
    else:
        found = f"gathered(s, {site.w.plain(zones, site.scope)})"
        if move.target.order == "pool":
            out.add(f"s[{target}] |= mask({found})")
        else:
            joined = _joined(f"s[{target}]", f"PILE({found})", under=move.step.under)
            out.add(f"s[{target}] = {joined}")
    out.add(f"{' = '.join(every)} = {0 if is_pool else 'NONE'}")
    return True


def _joined(pile: str, found: str, *, under: bool) -> str:
    return f"{pile} + {found}" if under else f"{found} + {pile}"


def _move_piece(move: _Quick, op: Op) -> bool:
    """One piece, or none."""
    site, out, pieces = move.site, move.site.out, move.pieces
    inner = op.args[0]
    c = out.fresh("c")
    pile = _top_of_pile(site, op)
    if pile is not None:
        home = move.simple(pile.code, "home")
        lies = out.fresh("pile")
        out.add(f"{lies} = s[{home}]")
        head = f"if {lies}:"
        first, take = f"{lies}[0]", [f"s[{home}] = {lies}[1:]"]
    else:
        guess = pieces.home
        if guess is None and inner.name in ("slot", "needed"):
            slot = inner if inner.name == "slot" else inner.args[0]
            guess = site.guesses.get(slot.args[0]) if slot.name == "slot" else None
        out.add(f"{c} = {pieces.code}")
        head = f"if {c} is not None:" if pieces.form == "perhaps" else ""
        first = c
        take = []
        if pieces.home is not None:
            home = move.simple(pieces.home, "home")
            if not _is_pool(site, inner):
                return _give_up(move, c, head)
            take = [f"s[{home}] ^= BIT[{c}]"]
        elif guess is not None:
            home = move.simple(guess, "home")
            take = [f"if s[{home}] & BIT[{c}]: s[{home}] ^= BIT[{c}]", f"else: take(s, {c})"]
        else:
            take = [f"take(s, {c})"]
    target = move.simple(move.target.code, "zone")
    if head:
        out.add(head)
        out.depth += 1
    if first != c:
        out.add(f"{c} = {first}")
    held = _write_due(move, c)
    deeper = move.guard(f"BIT[{c}]", f"({c},)")
    out.add(*take)
    if move.target.order == "pool":
        out.add(f"s[{target}] |= BIT[{c}]")
    else:
        out.add(f"s[{target}] = {_joined(f's[{target}]', f'PILE(({c},))', under=move.step.under)}")
    if held:
        (t,) = move.triggers
        with out.block(f"if {held} and test_{t}(s):"):
            out.add(f"fire(s, ({t},))")
    out.depth -= deeper
    if head:
        out.depth -= 1
    return True


def _write_due(move: _Quick, c: str) -> str:
    """Before one piece is moved at which one trigger may look: whether that may become due."""
    if len(move.triggers) != 1 or not move.site.only_in_play:
        return ""
    (t,) = move.triggers
    held = move.site.out.fresh("due")
    relevant = move.site.w.pool.constant(move.relevant)
    move.site.out.add(f"{held} = BIT[{c}] & {relevant} and not test_{t}(s)")
    move.relevant = 0
    return held


def _give_up(move: _Quick, c: str, head: str) -> bool:
    how = "move_each" if move.relevant else "move_all"
    origin = move.site.origin(move.step.origin)
    call = f"{how}(s, ({c},), {move.target.code}, under={move.step.under}, origin={origin})"
    move.site.out.add(f"{head} {call}" if head else call)
    return True


def _is_pool(site: Site, op: Op) -> bool:
    """Whether pieces that are selected from one zone lie in a pool."""
    names = families_of(op)
    layout = site.w.layout
    return names is not None and all(
        layout.is_pool[layout.zone_families[name].base] for name in names
    )


def _top_of_pile(site: Site, op: Op) -> Text | None:
    """The pile of which this is the top, if it is."""
    inner = op.args[0]
    if inner.name == "top" and inner.args[0].name == "contents":
        zone = site.w.text(inner.args[0].args[0], site.scope)
        return zone if zone.order == "pile" else None
    return None


def _move_several(move: _Quick) -> bool:
    """Pieces of one pile: all of them, the first few, or some."""
    site, out, pieces, op = move.site, move.site.out, move.pieces, move.step.pieces
    home = move.simple(pieces.home or "", "home")
    found = out.fresh("found")
    if _is_pool(site, op):
        out.add(f"{found} = {pieces.code}")
        out.add(f"s[{home}] &= ~mask({found})")
    elif op.name == "contents":
        out.add(f"{found} = s[{home}]", f"s[{home}] = NONE")
    elif op.name == "top_several" and op.args[0].name == "contents":
        out.add(f"{found} = {pieces.code}")
        out.add(f"s[{home}] = s[{home}][len({found}):]")
    else:
        out.add(f"{found} = {as_plain(pieces).code}")
        out.add(f"s[{home}] = drop(s[{home}], {found})")
    target = move.simple(move.target.code, "zone")
    if move.target.order == "pool":
        out.add(f"s[{target}] |= mask({found})")
    else:
        made = found if op.name in ("contents", "top_several") else f"PILE({found})"
        out.add(f"s[{target}] = {_joined(f's[{target}]', made, under=move.step.under)}")
    return True


def write_shuffle(site: Site, step: flat.Shuffle) -> None:
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


def write_show(site: Site, step: flat.Show) -> None:
    """`show X to P`: only who watches sees anything."""
    w, out = site.w, site.out
    if site.watched:
        pieces, players = (w.plain(each, site.scope) for each in (step.pieces, step.players))
        out.add(f"showed(s, {pieces}, {players}, {site.origin(step.origin)})")
    elif w.may_fail((step.pieces, step.players)):
        out.add(w.plain(step.pieces, site.scope), w.plain(step.players, site.scope))


# ---- Chance and choices --------------------------------------------------------------------------


def write_draw(site: Site, step: flat.Draw) -> None:
    """`random x from S`"""
    w, out = site.w, site.out
    values = w.text(step.values, site.scope)
    if values.form == "subsets":
        out.add(f"found = choices_among({values.code})")
    else:
        out.add(f"found = draw_from({as_plain(values).code})")
    out.add("count = len(found)")
    out.add(f"if not count: nothing({site.origin(step.origin)})")
    out.add("s[RNG], number = below(s[RNG], count)", "v = found[number]")
    if site.watched:
        out.add(f"drew(s, v, {site.type(step.of)}, {site.origin(step.origin)})")
    write_store(site, step.target, "v", step.origin)


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


def guess_home(site: Site, step: flat.Choose) -> None:
    """Remember from which zone a piece is chosen: that is where it will most likely be taken."""
    if isinstance(step.of, Piece) and step.target.slot is not None and not step.target.indices:
        guess_slot(site, step.target, step.options)


def guess_slot(site: Site, target: Target, op: Op) -> None:
    """Remember of a slot from which pool its pieces come, if that can be seen."""
    if target.slot is None or target.indices:
        return
    home = site.guesses.get(op.args[0]) if op.name == "slot" else None
    if op.name != "slot":
        home = site.w.text(op, site.scope).home
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

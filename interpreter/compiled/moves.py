"""`move X to Z` -> lines of Python: an assignment or two, where it is known where the pieces lie."""

from collections.abc import Iterable

from attrs import define

from interpreter.compiled.masks import mask
from interpreter.compiled.scribe import as_plain
from interpreter.compiled.steps import Site, write_due
from interpreter.compiled.writing import Text
from interpreter.layout import Layout
from interpreter.operations.pieces import faces_of
from rulespec.core import tree
from rulespec.core.tree import Op
from rulespec.core.types import Choice, Piece, Several, Type, present


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


def watchers(site: Site, step: tree.Move) -> tuple[tuple[int, ...], int, int]:
    """The triggers that may look at a move, the pieces at which they look, and all that it can move."""
    possible = potential(site, step.pieces)
    triggers = _triggers(site, families_of(step.pieces), step.zone)
    relevant = 0
    for t in triggers:
        relevant |= site.flow.relevant[t] & possible
    return triggers, relevant, possible


def fits(site: Site, step: tree.Move) -> bool:
    """Whether all pieces that a move can move may lie where they are moved."""
    possible = potential(site, step.pieces)
    return step.zone.name == "zone" and not possible & ~site.w.holds(step.zone.args[0])


def is_quiet(site: Site, step: tree.Move) -> bool:
    """Whether a move can neither fail nor be noticed."""
    return not site.watched and fits(site, step) and not watchers(site, step)[1]


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


def write_move(site: Site, step: tree.Move) -> None:
    """`move X to Z`"""
    w, out, scope = site.w, site.out, site.scope
    triggers, relevant, possible = watchers(site, step)
    target = w.text(step.zone, scope)
    whole = (1 << len(w.layout.pieces)) - 1
    is_safe = fits(site, step)
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
    step: tree.Move
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
        return _move_first(move, op) or _move_piece(move, op)
    if move.relevant or pieces.home is None or not move.is_safe:
        return False
    return _move_several(move)


def _move_mask(move: _Quick) -> bool:
    """Pieces of a pool, or of several, at once."""
    out, pieces = move.site.out, move.pieces
    home = None if pieces.home is None else move.simple(pieces.home, "home")
    m = out.fresh("m")
    out.add(f"{m} = {pieces.code.replace(f's[{pieces.home}]', f's[{home}]')}")
    target = move.target.code
    if move.target.order != "pool":
        target = move.simple(target, "zone")
    deeper = move.guard(m, f"bits({m})")
    if home is None:
        out.add(f"scoop(s, {m})")
    else:
        out.add(f"s[{home}] ^= {m}")
    if move.target.order == "pool":
        out.add(f"s[{target}] |= {m}")
    else:
        # Before anybody plays the same pieces are laid out again and again.
        found = f"PILED({m})" if move.site.in_play else f"LAID_OUT[{m}]"
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
        if pieces.code.isidentifier() and pieces.form == "single":
            c = pieces.code
        else:
            out.add(f"{c} = {pieces.code}")
        head = f"if {c} is not None:" if pieces.form == "perhaps" else ""
        first = c
        take = []
        if pieces.home is not None:
            home = move.simple(pieces.home, "home")
            if not _is_pool(site, inner):
                return _give_up(move, c, head)
            take = [f"s[{home}] ^= BIT[{c}]"]
        elif guess is not None and site.chosen is not None and _is_slot(inner, site.chosen):
            take = [f"s[{guess}] ^= BIT[{c}]"]
        elif guess is not None:
            home = move.simple(guess, "home")
            take = [f"if s[{home}] & BIT[{c}]: s[{home}] ^= BIT[{c}]", f"else: take(s, {c})"]
        else:
            take = [f"take(s, {c})"]
    target = move.target.code
    if move.target.order != "pool":
        target = move.simple(target, "zone")
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
            write_due(site, t)
    out.depth -= deeper
    if head:
        out.depth -= 1
    return True


def _move_first(move: _Quick, op: Op) -> bool:
    """The first piece of some of a pool, if nobody looks: its bit alone is moved."""
    site, inner = move.site, op.args[0]
    if op.name != "perhaps" or inner.name != "top" or move.relevant or not move.is_safe:
        return False
    found = site.w.several(inner.args[0], site.scope.strictly())
    if found.form != "mask" or found.home is None or move.target.order != "pool":
        return False
    out = site.out
    home = move.simple(found.home, "home")
    m = out.fresh("m")
    out.add(f"{m} = {found.code.replace(f's[{found.home}]', f's[{home}]')}")
    with out.block(f"if {m}:"):
        out.add(f"{m} &= -{m}", f"s[{home}] ^= {m}", f"s[{move.target.code}] |= {m}")
    return True


def _is_slot(op: Op, number: int) -> bool:
    slot = op.args[0] if op.name == "needed" else op
    return slot == Op("slot", place=number)


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

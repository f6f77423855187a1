"""Moves, shuffles and triggers -> lines of C.

A move that a trigger may look at is made piece by piece, with its conditions tested before and after.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from attrs import define, field

from interpreter.compiled.flow import PLAY, Flow
from interpreter.compiled.moves import families_of, potential
from interpreter.compiled.writing import Unsupported
from interpreter.flat import Block
from interpreter.native.scribe import Scribe, as_list, named, running
from interpreter.native.writing import Scope, Text
from rulespec.core import tree
from rulespec.core.tree import Op


@define
class Site:
    """Where lines are written: a block, and what is known about it."""

    scribe: Scribe
    flow: Flow
    block: Block
    guesses: dict[int, str] = field(factory=dict)  # of slots the zone from which a piece was chosen

    @property
    def w(self) -> "Scribe":
        """As `steps` of generated Python calls what knows the table."""
        return self.scribe.knower  # type: ignore[return-value]

    @property
    def in_play(self) -> bool:
        return PLAY in self.flow.phases[self.block.name]

    @property
    def only_in_play(self) -> bool:
        return self.flow.phases[self.block.name] == {PLAY}


# ---- Triggers ------------------------------------------------------------------------------------


def watch(site: Site, triggers: Iterable[int], scope: Scope) -> tuple[str, str]:
    """Which triggers hold before a change; the lines for that, and what is needed to fire them."""
    found = sum(1 << t for t in set(triggers))
    if not found or not site.in_play:
        return "", ""
    watched = str(found) if site.only_in_play else f"(s->phase == PLAY ? {found} : 0)"
    return watched, scope.out.declare("unsigned", "held", f"holding(s, {watched})")


def fire(watched: tuple[str, str], scope: Scope) -> None:
    """Run the triggers that hold now and did not before."""
    which, held = watched
    if which:
        scope.out.add(f"fire(s, holding(s, {which}) & ~{held});")


# ---- Moves ---------------------------------------------------------------------------------------


def write_move(site: Site, step: tree.Move, scope: Scope) -> None:
    """`move X to Z`"""
    w = site.scribe
    zone = w.text(step.zone, scope)
    if zone.form != "number":
        raise Unsupported("a move to one of several zones")
    possible = potential(site, step.pieces)  # type: ignore[arg-type]  # it reads no more than there is
    relevant = 0
    for t in _triggers(site, step):
        relevant |= site.flow.relevant[t] & possible
    is_safe = step.zone.name == "zone" and not possible & ~w.knower.holds(step.zone.args[0])
    is_pool = zone.order == "pool"
    if is_pool and not relevant and _is_top_of_pile(site, step.pieces):
        pile = w.text(step.pieces.args[0], scope)
        _move_top(_Move(site, step, zone, pile, scope, is_safe))
        return
    pieces = w.text(step.pieces, scope.loosely() if is_pool and not relevant else scope)
    move = _Move(site, step, zone, pieces, scope, is_safe)
    if relevant:
        _move_watched(move, relevant)
    elif pieces.form == "mask" and zone.order is not None:
        _move_mask(move)
    elif pieces.form in ("perhaps", "single"):
        _move_piece(move)
    elif step.pieces.name == "contents" and pieces.form == "pile" and zone.order is not None:
        _move_pile(move)
    else:
        _move_each(move)


@define
class _Move:
    """A move to be written."""

    site: Site
    step: tree.Move
    zone: Text
    pieces: Text
    scope: Scope
    is_safe: bool

    @property
    def under(self) -> int:
        return int(self.step.under)

    def fit(self, m: str) -> None:
        """Whether the pieces may lie there, unless that is certain."""
        if not self.is_safe:
            self.scope.out.add(f"fit(s, {m}, {self.zone.code});")

    def put(self, c: str) -> str:
        match self.zone.order:
            case "pool":
                return f"s->pool[{self.zone.code}] |= BIT({c});"
            case "pile":
                return f"put_{'under' if self.under else 'on'}(&s->pile[{self.zone.code}], {c});"
            case _:
                return f"put(s, {c}, {self.zone.code}, {self.under});"


def _triggers(site: Site, step: tree.Move) -> list[int]:
    """The triggers that may look at a move."""
    if not site.in_play:
        return []
    zones = site.flow.zones
    sources = families_of(step.pieces)
    touched = list(zones) if sources is None else sources
    targets = [step.zone.args[0]] if step.zone.name == "zone" else list(zones)
    return sorted({t for name in (*touched, *targets) for t in zones[name]})


def _move_mask(move: _Move) -> None:
    """Pieces of a pool, or of several, at once."""
    out, home = move.scope.out, move.pieces.home
    m = out.declare("mask", "m", move.pieces.code)
    move.fit(m)
    if _is_gathered(move):
        out.add(_empty(move))
    elif home is not None and _is_pool(move.site, move.step.pieces):
        out.add(f"s->pool[{home}] ^= {m};")
    else:
        out.add(f"scoop(s, {m});")
    if move.zone.order == "pool":
        out.add(f"s->pool[{move.zone.code}] |= {m};")
        return
    if move.under:
        with running(Text(m, "mask"), move.scope, "c") as c:
            out.add(move.put(c.code))
        return
    found = out.declare("list", "l", f"of_mask({m})")
    i = out.fresh("i")
    out.add(f"for (int {i} = {found}.n; {i}-- > 0;) {move.put(f'{found}.v[{i}]')}")


def _is_pool(site: Site, op: Op) -> bool:
    """Whether pieces that are selected from one zone lie in a pool."""
    names = families_of(op)
    layout = site.scribe.layout
    return bool(names) and all(
        layout.is_pool[layout.zone_families[name].base] for name in names or ()
    )


def _is_top_of_pile(site: Site, op: Op) -> bool:
    is_top = op.name == "top_several" and op.args[0].name == "contents"
    return is_top and op.args[0].args[0].name == "zone" and not _is_pool(site, op)


def _inner(op: Op) -> Op:
    """What a piece is that is moved, without the tests around it."""
    while op.name in ("perhaps", "single", "needed"):
        op = op.args[0]
    return op


def _take(move: _Move, c: str, *, alone: bool) -> str:
    """A line that takes a piece away from where it lies; `alone` if nothing happens before that."""
    op, home = _inner(move.step.pieces), move.pieces.home
    if home is not None and _is_pool(move.site, op):
        return f"s->pool[{home}] ^= BIT({c});" if alone else f"take(s, {c}, {home});"
    if home is not None and alone and op.name == "top" and op.args[0].name == "contents":
        return f"s->pile[{home}].n--;"
    if home is not None and alone:
        return f"take_from(s, {c}, {home});"
    guess = move.site.guesses.get(op.args[0]) if op.name == "slot" else None
    if guess is not None:
        return f"take(s, {c}, {guess});"
    return f"take_from(s, {c}, zone_of(s, {c}));"


def _move_piece(move: _Move) -> None:
    """One piece, or none."""
    with _in_turn(move) as c:
        move.scope.out.add(_take(move, c, alone=True), move.put(c))


def _move_top(move: _Move) -> None:
    """The first few of a pile to a pool."""
    out, home = move.scope.out, move.pieces.home
    count = move.site.scribe.code_of(move.step.pieces.args[1], move.scope)
    left = out.declare("num", "left", f"least({count}, s->pile[{home}].n)")
    with out.block(f"while ({left}-- > 0)"):
        c = out.declare("num", "c", f"top_of(&s->pile[{home}])")
        move.fit(f"BIT({c})")
        out.add(f"s->pile[{home}].n--;", move.put(c))


def _move_pile(move: _Move) -> None:
    """All that lies in a pile, to another zone."""
    out, scope = move.scope.out, move.scope
    found = out.declare("pile", "moved", move.pieces.code)
    move.fit(f"mask_of_pile(&{found})")
    out.add(f"{move.pieces.code}.n = 0;")
    i = out.fresh("i")
    if move.under:
        with running(Text(found, "pile"), scope, "c") as c:
            out.add(move.put(c.code))
    else:
        head = f"for (int {i} = 0; {i} < {found}.n; {i}++)"
        out.add(f"{head} {move.put(f'{found}.v[{i}]')}")


def _move_each(move: _Move) -> None:
    """Pieces one by one, from wherever they lie."""
    out = move.scope.out
    if _is_gathered(move):
        out.add(_empty(move))
        with _in_turn(move) as c:
            out.add(move.put(c))
        return
    with _in_turn(move) as c:
        out.add(_take(move, c, alone=True), move.put(c))


def _is_gathered(move: _Move) -> bool:
    """Whether all that lies in a family of zones goes elsewhere."""
    op, zone = move.step.pieces, move.step.zone
    if op.name != "gather" or op.args[0].name != "zone" or op.args[0].args[1]:
        return False
    return zone.name == "zone" and zone.args[0] != op.args[0].args[0]


def _empty(move: _Move) -> str:
    w, name = move.site.scribe, move.step.pieces.args[0].args[0]
    return f"empty(s, {w.zone_names[name]}, {w.layout.zone_families[name].size});"


def _move_watched(move: _Move, relevant: int) -> None:
    """Pieces one by one; triggers run in between, if a piece makes a difference to one."""
    w, out = move.site.scribe, move.scope.out
    z = out.declare("num", "z", move.zone.code)
    alone = move.pieces.form in ("perhaps", "single")
    with _in_turn(move) as c:
        line = f"move_watched(s, {c}, {z}, {move.under});"
        if relevant == (1 << len(w.layout.pieces)) - 1:
            out.add(line)
        else:
            out.add(f"if (has({w.constant(relevant)}, {c})) {line}")
            out.add(f"else {{ {_take(move, c, alone=alone)} {move.put(c)} }}")


@contextmanager
def _in_turn(move: _Move) -> Iterator[str]:
    """The pieces in the order in which they are moved, so that they lie as they were listed."""
    out, pieces = move.scope.out, move.pieces
    if pieces.form in ("perhaps", "single"):
        c = named(pieces, move.scope, "c").code
        with out.block(f"if ({c} != NONE)"):
            move.fit(f"BIT({c})")
            yield c
        return
    found = as_list(pieces, move.scope).code
    if found.startswith("s->"):  # it may change while they are moved
        found = out.declare("list", "l", found)
    i = out.fresh("i")
    place = i
    if move.zone.order is None and not move.under:
        place = f"IS_POOL[{move.zone.code}] ? {i} : {found}.n - 1 - {i}"
    elif move.zone.order == "pile" and not move.under:
        place = f"{found}.n - 1 - {i}"
    with out.block(f"for (int {i} = 0; {i} < {found}.n; {i}++)"):
        c = out.declare("num", "c", f"{found}.v[{place}]")
        move.fit(f"BIT({c})")
        yield c


def write_shuffle(site: Site, step: tree.Shuffle, scope: Scope) -> None:
    """`shuffle Z`"""
    zone = site.scribe.text(step.zone, scope)
    names = [step.zone.args[0]] if step.zone.name == "zone" else list(site.flow.zones)
    watched = watch(site, [t for name in names for t in site.flow.zones[name]], scope)
    scope.out.add(f"shuffle(s, &s->pile[{zone.code}]);")
    fire(watched, scope)

"""Choices and draws -> lines of C: the options, and one of them by chance.

In a playout nobody is asked: a player's choice is a throw of the dice, a draw one of the game's own chance.
"""

from interpreter.layout import Layout
from interpreter.native.scribe import Scribe, as_list, into_form
from interpreter.native.writing import Scope, Text
from rulespec.core.tree import Op
from rulespec.core.types import Piece, Several, Type, present


def write_pick(w: Scribe, op: Op, of: Type, scope: Scope, *, may: bool) -> Text:
    """One of the options, which look-alikes share."""
    options, out = w.text(op, scope.strictly()), scope.out
    ask = int(may)
    if isinstance(of, Piece):
        copies = _has_copies(w.layout, of)
        if options.form == "mask":
            code = f"first_alike({options.code})" if copies else options.code
            return Text(out.declare("num", "v", f"pick_piece(s, {code}, {ask})"))
        found = as_list(options, scope)
        if copies:
            found = Text(out.declare("list", "o", f"distinct(s, &{found.code})"), "list")
        return Text(out.declare("num", "v", f"pick_value(s, &{found.code}, {ask})"))
    if isinstance(of, Several):
        return _pick_set(w, options, of, scope, ask)
    found = as_list(options, scope)
    return Text(out.declare("num", "v", f"pick_value(s, &{found.code}, {ask})"))


def _pick_set(w: Scribe, options: Text, of: Several, scope: Scope, ask: int) -> Text:
    out = scope.out
    element = present(of.of)
    may_look_alike = isinstance(element, Piece) and _has_copies(w.layout, element)
    if options.form == "subsets" and not may_look_alike:
        low, high = options.sizes
        code = f"pick_subset(s, &{options.code}, {low}, {high}, {ask})"
        return Text(out.declare("list", "v", code), "list")
    family = into_form(w, options, "family", scope)
    code = f"pick_member(s, &{family.code}, {int(may_look_alike)}, {ask})"
    return Text(out.declare("list", "v", code), "list")


def write_draw(w: Scribe, op: Op, scope: Scope) -> Text:
    """A value that chance takes from a set."""
    values, out = w.text(op, scope.strictly()), scope.out
    if values.form == "mask":
        return Text(out.declare("num", "v", f"draw_piece(s, {values.code})"))
    if values.form == "subsets":
        low, high = values.sizes
        code = f"draw_subset(s, &{values.code}, {low}, {high})"
        return Text(out.declare("list", "v", code), "list")
    if values.form == "family":
        return Text(out.declare("list", "v", f"draw_member(s, &{values.code})"), "list")
    found = as_list(values, scope)
    return Text(out.declare("num", "v", f"draw_value(s, &{found.code})"))


def _has_copies(layout: Layout, of: Piece) -> bool:
    faces = [
        face
        for piece, face in zip(layout.pieces, layout.faces, strict=True)
        if piece.kind in of.kinds
    ]
    return len(set(faces)) < len(faces)

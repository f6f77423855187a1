"""Which functions are written where they are called."""

from typing import Any

from interpreter.wasm.copying import all_statements, paste
from interpreter.wasm.expressions import E
from interpreter.wasm.functions import Fn

MOST_ONCE = 4000  # a function that is called once, and larger than that, stays one


def size_of(x: Any, most: int) -> int:
    """How many instructions a part has, about; not all are counted if there are more than `most`."""
    count, waiting = 0, [x]
    while waiting and count <= most:
        each = waiting.pop()
        if isinstance(each, E):
            count += 1
            waiting.extend(each.args)
        elif isinstance(each, list | tuple):
            count += 1
            waiting.extend(each)
    return count


def inline_calls(fns: list[Fn], kept: set[str], small: int) -> list[Fn]:
    """Write functions where they are called, if that is one place or they are small; those that are left."""
    calls: dict[Fn, int] = {}
    for fn in fns:
        for s in all_statements(fn.body):
            if s[0] == "call":
                calls[s[2]] = calls.get(s[2], 0) + 1
    done: dict[Fn, bool] = {}

    def visit(fn: Fn) -> bool:
        """Whether it is written where it is called."""
        if fn not in done:
            done[fn] = False
            fn.body, fn.facts = rewrite(fn, fn.body), None
            if fn.name not in kept:
                most = MOST_ONCE if calls.get(fn) == 1 else small
                done[fn] = size_of(fn.body, most) <= most
        return done[fn]

    def rewrite(fn: Fn, body: list[Any]) -> list[Any]:
        out: list[Any] = []
        for s in body:
            if s[0] == "call" and visit(s[2]):
                paste(out, s[2], s[3], s[1])
            else:
                out.append(
                    tuple(
                        rewrite(fn, x)
                        if isinstance(x, list) and x and isinstance(x[0], tuple)
                        else x
                        for x in s
                    )
                )
        return out

    for fn in fns:
        visit(fn)
    used = {s[2] for fn in fns if not done[fn] for s in all_statements(fn.body) if s[0] == "call"}
    return [fn for fn in fns if not done[fn] and (fn in used or fn.name in kept)]

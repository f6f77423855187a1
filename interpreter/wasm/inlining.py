"""The functions of a module -> fewer functions: small ones, and those called at one place, are inlined.

This saves the cost of calls, and lets engines optimise larger bodies.
"""

from collections import Counter
from typing import Any

from attrs import define, field

from interpreter.wasm.copying import facts_of, move_body, operands, paste
from interpreter.wasm.expressions import E
from interpreter.wasm.statements import Block, Body, Call, Fn, If, Loop, all_statements

MOST_ONCE = 4000  # instructions; a larger function stays, even if it is called at one place


def size_of(body: Body, most: int) -> int:
    """The approximate number of instructions of a body; counting stops soon after `most`."""
    count = 0
    for s in all_statements(body):
        count += 1
        waiting: list[Any] = list(operands(s))
        while waiting:
            e = waiting.pop()
            if type(e) is E:
                count += 1
                if not e.is_simple:
                    waiting += e.args
        if count > most:
            break
    return count


def inline_calls(fns: list[Fn], kept: set[str], small: int) -> list[Fn]:
    """Inline functions, except those `kept` by name; return the functions that are left.

    A function is inlined if it has at most `small` instructions, or is called at one place; bodies change in place.
    """
    pass_ = _Inlining(kept, small)
    for fn in fns:
        pass_.calls.update(s.fn for s in all_statements(fn.body) if isinstance(s, Call))
    left = [fn for fn in fns if not pass_.goes(fn)]
    used = {s.fn for fn in left for s in all_statements(fn.body) if isinstance(s, Call)}
    return [fn for fn in left if fn in used or fn.name in kept]


@define
class _Inlining:
    kept: set[str]
    small: int
    calls: Counter[Fn] = field(factory=Counter)
    done: dict[Fn, bool] = field(factory=dict)
    sizes: dict[Fn, int] = field(factory=dict)

    def goes(self, fn: Fn) -> bool:
        """Whether a function is inlined; calls in its own body are inlined first."""
        if fn not in self.done:
            self.done[fn] = False  # in case it calls itself
            most = MOST_ONCE if self.calls[fn] == 1 else self.small
            self.sizes[fn] = 0 if fn.name in self.kept else size_of(fn.body, most)
            may_go = fn.name not in self.kept and self.sizes[fn] <= most
            facts = facts_of(fn) if may_go else None
            fn.body = self.rewrite(fn, fn.body)
            fn.facts = facts
            self.done[fn] = may_go and self.sizes[fn] <= most
        return self.done[fn]

    def rewrite(self, fn: Fn, body: Body) -> Body:
        out: Body = []
        for s in body:
            match s:
                case Call() if self.goes(s.fn):
                    self.sizes[fn] += self.sizes[s.fn]
                    write = move_body if self.calls[s.fn] == 1 else paste
                    write(out, s.fn, s.args, s.found)
                case If():
                    out.append(If(s.test, self.rewrite(fn, s.then), self.rewrite(fn, s.other)))
                case Block():
                    out.append(Block(s.label, self.rewrite(fn, s.body)))
                case Loop():
                    out.append(Loop(s.label, self.rewrite(fn, s.body)))
                case _:
                    out.append(s)
        return out

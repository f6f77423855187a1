"""The body of a function, written where it is called."""

from collections.abc import Iterator
from typing import Any

from interpreter.wasm.expressions import E, Local, get, zero
from interpreter.wasm.functions import Fn, Label


def paste(out: list[Any], fn: Fn, args: list[E], found: list[Local]) -> None:
    """Write the body of a function where it is called."""
    if fn.facts is None:
        changed: set[Local] = set()
        returns = 0
        for s in all_statements(fn.body):
            if s[0] == "set":
                changed.add(s[1])
            elif s[0] == "call":
                changed.update(s[1])
            elif s[0] == "return":
                returns += 1
        ends_so = bool(fn.body) and fn.body[-1][0] == "return" and returns == 1
        fn.facts = changed, _unset(fn), ends_so
    changed, unset, ends_so = fn.facts
    known: dict[Local, E] = {}
    for param, arg in zip(fn.params, args, strict=True):
        if arg.is_simple and param not in changed:
            known[param] = arg
        else:
            local = Local(param.type, param.name)
            out.append(("set", local, arg))
            known[param] = get(local)
    body = fn.body
    for local in unset:  # it begins at 0, as it does in a function of its own
        known[local] = get(Local(local.type, local.name))
        out.append(("set", known[local].args[0], zero(local.type)))
    if ends_so:
        copy = _Copy(known, found, None)
        out.extend(copy.statements(body[:-1]))
        for local, value in zip(found, body[-1][1], strict=True):
            out.append(("set", local, copy.expr(value)))
        return
    leave = Label(fn.name)
    copy = _Copy(known, found, leave)
    out.append(("block", leave, copy.statements(body)))


def all_statements(body: list[Any]) -> Iterator[Any]:
    for s in body:
        yield s
        for part in s:
            if isinstance(part, list) and part and isinstance(part[0], tuple):
                yield from all_statements(part)


def _locals(x: Any) -> list[Local]:
    """All locals in a part of a statement."""
    found, waiting = [], [x]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Local):
            found.append(each)
        elif isinstance(each, E):
            if each.op != "const":
                waiting.extend(each.args)
        elif isinstance(each, list | tuple):
            waiting.extend(each)
    return found


def _unset(fn: Fn) -> list[Local]:
    """The locals that may be read before they are set."""
    seen, found = set(fn.params), {}
    for s in fn.body:
        if s[0] in ("set", "call"):
            for each in _locals(s[2:]):
                if each not in seen:
                    found[each] = True
            seen.update(_locals(s[1]))
        else:
            found.update((each, True) for each in _locals(s[1:]) if each not in seen)
    return list(found)


class _Copy:
    """A body once more, with other locals; to return is to leave the block around it."""

    def __init__(self, known: dict[Local, E], found: list[Local], leave: Label | None) -> None:
        self.known, self.found, self.leave = known, found, leave
        self.labels: dict[Label, Label] = {}

    def expr(self, e: E) -> E:
        if e.op == "const":
            return e
        if e.op == "get":
            return self.known.setdefault(e.args[0], get(Local(e.type, e.args[0].name)))
        return E(e.op, e.type, tuple(self.expr(a) if isinstance(a, E) else a for a in e.args))

    def statements(self, body: list[Any]) -> list[Any]:
        found: list[Any] = []
        for s in body:
            if s[0] == "return":
                found += [
                    ("set", local, self.expr(v)) for local, v in zip(self.found, s[1], strict=True)
                ]
                found.append(("br", self.leave))
            else:
                found.append((s[0], *map(self.part, s[1:])))
        return found

    def part(self, x: Any) -> Any:
        if isinstance(x, E):
            return self.expr(x)
        if isinstance(x, Local):
            return self.known.setdefault(x, get(Local(x.type, x.name))).args[0]
        if isinstance(x, Label):
            return self.labels.setdefault(x, Label(x.name))
        if isinstance(x, list):
            return (
                self.statements(x) if x and isinstance(x[0], tuple) else [self.part(p) for p in x]
            )
        return x

"""A call -> the body of the called function, with locals and labels of its own.

`paste` takes a function, its operands and the locals for its results, and adds statements to a body. The
writer does this at once for `inline` functions, and `inlining` later for others.
"""

from collections.abc import Callable
from typing import Any

from interpreter.wasm import statements as st
from interpreter.wasm.expressions import E, Local, const, get
from interpreter.wasm.statements import Body, Fn, InlineFacts, Label, Statement, all_statements


def paste(out: Body, fn: Fn, args: tuple[E, ...], found: tuple[Local, ...]) -> None:
    """Write the body of a function where it is called."""
    facts = facts_of(fn)
    known: dict[Local, E] = {}
    for param, arg in zip(fn.params, args, strict=True):
        keeps = arg.op == "const" or (arg.op == "get" and arg.args[0] not in found)
        if keeps and param not in facts.changed:
            known[param] = arg
        else:
            local = Local(param.type, param.name)
            out.append(st.Set(local, arg))
            known[param] = get(local)
    for local in facts.unset:  # set it to 0 each time, as a call would
        fresh = Local(local.type, local.name)
        known[local] = get(fresh)
        out.append(st.Set(fresh, const(0, local.type)))
    body = fn.body
    leave = Label(fn.name)
    copy = _Copy(known, found, leave)
    inner = copy.statements(body)
    if inner and isinstance(inner[-1], st.Branch) and inner[-1].label is leave:
        inner.pop()
    inner = _closed(inner, fn)
    if facts.is_straight:
        out += inner
    else:
        out.append(st.Block(leave, inner))


def move_body(out: Body, fn: Fn, args: tuple[E, ...], found: tuple[Local, ...]) -> None:
    """Like `paste`, for a function whose only call this is: its own statements are used instead of a copy."""
    facts = facts_of(fn)
    out += [st.Set(param, arg) for param, arg in zip(fn.params, args, strict=True)]
    out += [st.Set(local, const(0, local.type)) for local in facts.unset]
    if facts.is_straight:
        body = _closed(list(fn.body), fn)
        if body and isinstance(body[-1], st.Return):
            body[-1:] = _given(body[-1], found)
        out += body
    else:
        leave = Label(fn.name)
        out.append(st.Block(leave, _closed(_leaving(fn.body, found, leave), fn)))


def _given(s: st.Return, found: tuple[Local, ...]) -> Body:
    """Assign the returned values to the locals `found`."""
    return [st.Set(local, value) for local, value in zip(found, s.values, strict=True)]


def _leaving(body: Body, found: tuple[Local, ...], leave: Label) -> Body:
    """A body that leaves a block instead of returning."""
    out: Body = []
    for s in body:
        match s:
            case st.Return():
                out += _given(s, found)
                out.append(st.Branch(leave))
            case st.If():
                then, other = _leaving(s.then, found, leave), _leaving(s.other, found, leave)
                out.append(st.If(s.test, then, other))
            case st.Block():
                out.append(st.Block(s.label, _leaving(s.body, found, leave)))
            case st.Loop():
                out.append(st.Loop(s.label, _leaving(s.body, found, leave)))
            case _:
                out.append(s)
    return out


def _closed(body: Body, fn: Fn) -> Body:
    """A body that traps at its end if it has to return a value."""
    if fn.results and not (fn.body and isinstance(fn.body[-1], st.Return)):
        body.append(st.Trap())
    return body


# ---- Facts about a body ---------------------------------------------------------------------------


def facts_of(fn: Fn) -> InlineFacts:
    """The facts about a body that inlining needs. They remain true when calls in it are inlined."""
    if fn.facts is None:
        fn.facts = _facts(fn)
    return fn.facts


def _facts(fn: Fn) -> InlineFacts:
    changed: set[Local] = set()
    returns = 0
    for s in all_statements(fn.body):
        if isinstance(s, st.Set):
            changed.add(s.local)
        elif isinstance(s, st.Call):
            changed.update(s.found)
        elif isinstance(s, st.Return):
            returns += 1
    is_straight = returns == 0 or (returns == 1 and isinstance(fn.body[-1], st.Return))
    return InlineFacts(frozenset(changed), _Flow(fn).unset(), is_straight)


class _Flow:
    """Follows all paths through a body, to find locals that may be read before they are set.

    A set of locals is a number with a bit for each local that is certainly set. None means that the place is
    unreachable.
    """

    def __init__(self, fn: Fn) -> None:
        self.fn = fn
        self.bits: dict[Local, int] = {}
        self.found: dict[Local, None] = {}
        self.arriving: dict[
            Label, int
        ] = {}  # label -> the locals that are set on all branches to it

    def unset(self) -> tuple[Local, ...]:
        seen = 0
        for param in self.fn.params:
            seen |= self.bit(param)
        self.follow(self.fn.body, seen)
        return tuple(self.found)

    def bit(self, local: Local) -> int:
        return self.bits.setdefault(local, 1 << len(self.bits))

    def reads(self, values: tuple[E, ...], seen: int) -> None:
        waiting: list[Any] = list(values)
        while waiting:
            e = waiting.pop()
            if type(e) is E and e.op != "const":
                if e.op != "get":
                    waiting += e.args
                elif not seen & self.bit(e.args[0]):
                    self.found[e.args[0]] = None

    def arrive(self, label: Label, seen: int) -> None:
        self.arriving[label] = self.arriving.get(label, seen) & seen

    def follow(self, body: Body, start: int) -> int | None:
        """The locals that are set at the end of a body, if its end is reached."""
        seen: int | None = start
        for s in body:
            if seen is None:
                break
            self.reads(operands(s), seen)
            match s:
                case st.Set():
                    seen |= self.bit(s.local)
                case st.Call():
                    for local in s.found:
                        seen |= self.bit(local)
                case st.If():
                    seen = _both(self.follow(s.then, seen), self.follow(s.other, seen))
                case st.Block():
                    seen = _both(self.follow(s.body, seen), self.arriving.get(s.label))
                case st.Loop():
                    seen = self.follow(s.body, seen)
                case st.BranchIf():
                    self.arrive(s.label, seen)
                case st.Branch() | st.Switch():
                    for label in (s.label,) if isinstance(s, st.Branch) else (*s.labels, s.other):
                        self.arrive(label, seen)
                    seen = None
                case st.Return() | st.Trap():
                    seen = None
                case _:
                    pass
        return seen


def _both(a: int | None, b: int | None) -> int | None:
    """The locals that are set where two paths meet."""
    if a is None or b is None:
        return b if a is None else a
    return a & b


_OPERANDS: dict[type[Statement], Callable[[Any], tuple[E, ...]]] = {
    st.Set: lambda s: (s.value,),
    st.Store: lambda s: (s.address, s.value),
    st.If: lambda s: (s.test,),
    st.BranchIf: lambda s: (s.test,),
    st.Switch: lambda s: (s.value,),
    st.Return: lambda s: s.values,
    st.Call: lambda s: s.args,
    st.MemoryCopy: lambda s: (s.to, s.source, s.size),
    st.MemoryFill: lambda s: (s.to, s.byte, s.size),
    st.Drop: lambda s: (s.value,),
}


def operands(s: Statement) -> tuple[E, ...]:
    """The expressions of a statement itself, in the order in which they are computed."""
    given = _OPERANDS.get(type(s))
    return given(s) if given else ()


# ---- Copies ---------------------------------------------------------------------------------------


class _Copy:
    """A copy of a body. `known` maps its locals to their replacements; a return leaves the enclosing block."""

    def __init__(self, known: dict[Local, E], found: tuple[Local, ...], leave: Label) -> None:
        self.known, self.found, self.leave = known, found, leave
        self.labels: dict[Label, Label] = {}

    def expr(self, e: E) -> E:
        if e.op == "get":
            local = e.args[0]
            found = self.known.get(local)
            if found is None:
                found = self.known[local] = get(Local(local.type, local.name))
            return found
        if e.op == "const":
            return e
        copied = [self.expr(each) if type(each) is E else each for each in e.args]
        return E(e.op, e.type, tuple(copied))

    def local(self, local: Local) -> Local:
        """The replacement of a local that is set here; it is not an operand of the call, as those are never set."""
        found: Local = self.expr(get(local)).args[0]
        return found

    def label(self, label: Label) -> Label:
        return self.labels.setdefault(label, Label(label.name))

    def statements(self, body: Body) -> Body:
        out: Body = []
        for s in body:
            if isinstance(s, st.Return):
                pairs = zip(self.found, s.values, strict=True)
                out += [st.Set(local, self.expr(value)) for local, value in pairs]
                out.append(st.Branch(self.leave))
            else:
                out.append(self.statement(s))
        return out

    def statement(self, s: Statement) -> Statement:  # the most frequent ones first
        match s:
            case st.Set():
                return st.Set(self.local(s.local), self.expr(s.value))
            case st.If():
                return st.If(self.expr(s.test), self.statements(s.then), self.statements(s.other))
            case st.Block():
                return st.Block(self.label(s.label), self.statements(s.body))
            case st.Loop():
                return st.Loop(self.label(s.label), self.statements(s.body))
            case st.Store():
                return st.Store(s.op, self.expr(s.address), s.offset, self.expr(s.value))
            case st.BranchIf():
                return st.BranchIf(self.label(s.label), self.expr(s.test))
            case st.Branch():
                return st.Branch(self.label(s.label))
            case st.Call():
                found = tuple(map(self.local, s.found))
                return st.Call(found, s.fn, tuple(map(self.expr, s.args)))
            case st.Switch():
                labels = tuple(map(self.label, s.labels))
                return st.Switch(self.expr(s.value), labels, self.label(s.other))
            case st.MemoryCopy():
                return st.MemoryCopy(*map(self.expr, operands(s)))
            case st.MemoryFill():
                return st.MemoryFill(*map(self.expr, operands(s)))
            case st.Drop():
                return st.Drop(self.expr(s.value))
            case st.Return() | st.Trap() | st.Note():
                return s

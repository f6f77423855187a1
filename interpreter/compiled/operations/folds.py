"""Folds over sets that are more than an expression: a function of their own, or a few counts."""

import re
from collections import Counter

from attrs import evolve

from interpreter.compiled.masks import bits
from interpreter.compiled.scribe import Scope, Scribe
from interpreter.compiled.writing import Text
from interpreter.reading import operations
from rulespec.core.operations import BINDING, VARYING
from rulespec.core.tree import Op, walk
from rulespec.core.types import LEAST, MOST

SAFE = 20_000  # numbers so small that their sum over a set cannot leave `Int`
MOST_FILTERED = 6  # values whose subsets are kept
# A table of remembered values by what is the same for all elements: variables.
_TABLE = re.compile(r"\b[A-Z]\w*_OF(?:\[s\[\w+\]\])+(?=\[)")
MOST_VALUES = 5  # different numbers in a sum that are counted one by one


def extreme(
    w: Scribe, scope: Scope, over: tuple[str, str, Text], *, sign: str, fault: str = ""
) -> str:
    """The first element with the highest or the lowest key: a call of a function that looks for it.

    It runs `over` values, and has a name for each and a key. If there has to be one, not to find it is a `fault`.
    """
    values, each, key = over
    known = f"{sign} {values} {key.code} {fault}", ()
    if known not in w.functions:
        name = w.names.make("with_most" if sign == ">" else "with_least")
        names = _locals(scope, f"{values} {key.code}", each)
        w.functions[known] = Text(f"{name}({', '.join(names)})")
        out = w.done
        with out.block(f"def {name}({', '.join(names)}):"):
            code = key.code
            for n, table in enumerate(dict.fromkeys(_TABLE.findall(code))):
                out.add(f"table_{n} = {table}")
                code = code.replace(table, f"table_{n}")
            out.add("found = None", f"most = {LEAST - 1 if sign == '>' else MOST + 1}")
            with out.block(f"for {each} in {values}:"):
                out.add(f"key = {code}")
                is_sure = key.sure or key.low is not None
                test = "" if is_sure else "key is not None and "
                with out.block(f"if {test}key {sign} most:"):
                    out.add(f"found, most = {each}, key")
            if fault:
                out.add(f"if found is None: missing({fault})")
            out.add("return found")
        out.add("", "")
    return w.functions[known].code


def filtered(w: Scribe, op: Op, scope: Scope, *, more: tuple[None, ...] = ()) -> Text | None:
    """Those of a few known values that pass a test; `more` stands behind them.

    A function finds out which of them pass, and looks all of these up at once.
    """
    is_known, values = w.known(op.args[0])
    if not is_known or not 1 < len(values) <= MOST_FILTERED:
        return None
    inner = scope.strictly().apart()
    tests = [w.truth(op.args[2], inner.bind(op.args[1], w.literal(each))) for each in values]
    known = f"some {' '.join(tests)} {more}", ()
    if known not in w.functions:
        name = w.names.make("some_of")
        names = _locals(scope, " ".join(tests))
        w.functions[known] = Text(f"{name}({', '.join(names)})")
        table = tuple(
            (*(v for n, v in enumerate(values) if which >> n & 1), *more)
            for which in range(1 << len(values))
        )
        out = w.done
        with out.block(f"def {name}({', '.join(names)}):"):
            out.add("which = 0")
            for name_, place in _often(tests):
                out.add(f"{name_} = {place}")
                tests = [test.replace(place, name_) for test in tests]
            for n, test in enumerate(tests):
                out.add(f"if {test}: which |= {1 << n}")
            out.add(f"return {w.pool.keep('SUBSETS', table)}[which]")
        out.add("", "")
    return w.functions[known]


def _often(tests: list[str]) -> list[tuple[str, str]]:
    """Zones and variables at which several tests look, with a name for what is there."""
    seen = Counter(place for test in tests for place in {*re.findall(r"s\[\w+\]", test)})
    often = [place for place, times in seen.items() if times > 1]
    return [(f"there_{n}", place) for n, place in enumerate(sorted(often))]


def _locals(scope: Scope, code: str, each: str = "") -> list[str]:
    """What code needs that is known only where it stands."""
    known = {text.code for text in (*scope.slots.values(), *scope.bound.values())} | {"f"}
    words = set(re.findall(r"[A-Za-z_]\w*", code)) - {each}
    return ["s", *sorted(known & words)]


def counted(w: Scribe, op: Op, scope: Scope) -> Text | None:
    """The sum of what each piece of a mask is worth, if that follows from the piece and is one of few numbers."""
    over, number, item = op.args[:3]
    pieces = w.several(over, scope.loosely())
    if pieces.form != "mask" or pieces.reach is None:
        return None
    if not _looks_only_at(w, item, number):
        return None
    worth: dict[int, int] = {}
    for c in bits(pieces.reach):
        value = w.evaluate(_put(item, number, c))
        if not isinstance(value, int) or abs(value) > SAFE or len(worth) > MOST_VALUES:
            return None
        worth[value] = worth.get(value, 0) | 1 << c
    m = pieces.code if pieces.is_cheap else scope.fresh("m")
    terms = []
    for value, having in worth.items():
        count = f"({m} & {w.pool.constant(having)}).bit_count()"
        terms.append(count if value == 1 else f"{value} * {count}")
    code = " + ".join(terms) or "0"
    if m != pieces.code:
        code = code.replace(m, f"({m} := {pieces.code})", 1)
    size = pieces.reach.bit_count()
    return Text(f"({code})", low=min(0, *worth) * size, high=max(0, *worth) * size)


def _looks_only_at(w: Scribe, op: Op, number: int) -> bool:
    """Whether an expression depends on nothing but one element of a set."""
    if any(
        each.name == "slot" or (each.name == "bound" and each.place != number) for each in walk(op)
    ):
        return False
    vary = VARYING - {"slot", "bound"} | BINDING
    return not any(each.name in vary for each in operations(w.code, op))


def _put(op: Op, number: int, value: int) -> Op:
    """An expression in which an element of a set is this one."""
    if op.name == "bound" and op.place == number:
        return Op("literal", value=value, type=op.type, span=op.span)
    return evolve(op, operands=tuple(_put(each, number, value) for each in op.operands))

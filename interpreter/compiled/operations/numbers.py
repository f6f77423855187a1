"""Logic, numbers and comparisons."""

from interpreter.compiled.scribe import Scope, Scribe, as_plain, writer
from interpreter.compiled.writing import Text
from rulespec.core.tree import Op
from rulespec.core.types import LEAST, MOST

# ---- Logic ---------------------------------------------------------------------------------------


@writer("and")
def _and(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"({' and '.join(w.plain(each, scope) for each in op.args)})")


@writer("or")
def _or(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"({' or '.join(w.plain(each, scope) for each in op.args)})")


@writer("not")
def _not(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"(not {w.plain(op.args[0], scope)})")


@writer("if")
def _if(w: Scribe, op: Op, scope: Scope) -> Text:
    is_known, value = w.known(op.args[0])
    if is_known:
        return w.text(op.args[1 if value else 2], scope)
    test = w.plain(op.args[0], scope)
    yes, no = (w.text(each, scope) for each in op.args[1:])
    if yes.form != no.form:
        yes, no = as_plain(yes), as_plain(no)
    low, high = _span((yes, no))
    order = yes.order if yes.order == no.order else None
    home = yes.home if yes.home == no.home else None
    if yes.form == "mask" and test == f"({yes.code} != 0)":
        return Text(f"({yes.code} or {no.code})", "mask", home=home)
    return Text(f"({yes.code} if {test} else {no.code})", yes.form, low, high, order, home)


# ---- Numbers -------------------------------------------------------------------------------------


def _span(texts: tuple[Text, ...]) -> tuple[int | None, int | None]:
    lows = [each.low for each in texts if each.low is not None]
    highs = [each.high for each in texts if each.high is not None]
    low = min(lows) if len(lows) == len(texts) else None
    high = max(highs) if len(highs) == len(texts) else None
    return low, high


def _checked(w: Scribe, op: Op, code: str, low: int | None, high: int | None) -> Text:
    """A number, tested unless it cannot leave `Int`."""
    if low is not None and high is not None and LEAST <= low <= high <= MOST:
        return Text(f"({code})", low=low, high=high)
    return Text(f"checked({code}, {w.op(op)})")


def _both(w: Scribe, op: Op, scope: Scope) -> tuple[Text, Text]:
    left, right = (as_plain(w.text(each, scope)) for each in op.args[:2])
    return left, right


@writer("add")
def _add(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = _both(w, op, scope)
    low = high = None
    if None not in (left.low, left.high, right.low, right.high):
        low, high = left.low + right.low, left.high + right.high  # type: ignore[operator]
    return _checked(w, op, f"{left.code} + {right.code}", low, high)


@writer("subtract")
def _subtract(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = _both(w, op, scope)
    low = high = None
    if None not in (left.low, left.high, right.low, right.high):
        low, high = left.low - right.high, left.high - right.low  # type: ignore[operator]
    return _checked(w, op, f"{left.code} - {right.code}", low, high)


@writer("times")
def _times(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = _both(w, op, scope)
    low = high = None
    if None not in (left.low, left.high, right.low, right.high):
        ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]  # type: ignore[operator]
        low, high = min(ends), max(ends)
    return _checked(w, op, f"{left.code} * {right.code}", low, high)


@writer("divide")
def _divide(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = _both(w, op, scope)
    return Text(f"({left.code} // positive({right.code}, {w.op(op)}))")


@writer("modulo")
def _modulo(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = _both(w, op, scope)
    return Text(f"({left.code} % positive({right.code}, {w.op(op)}))")


@writer("abs")
def _abs(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"checked(abs({w.plain(op.args[0], scope)}), {w.op(op)})")


def _of_two(w: Scribe, op: Op, scope: Scope, name: str) -> Text:
    left, right = _both(w, op, scope)
    low, high = _span((left, right))
    return Text(f"{name}({left.code}, {right.code})", low=low, high=high)


@writer("min_of_two")
def _min_of_two(w: Scribe, op: Op, scope: Scope) -> Text:
    return _of_two(w, op, scope, "min")


@writer("max_of_two")
def _max_of_two(w: Scribe, op: Op, scope: Scope) -> Text:
    return _of_two(w, op, scope, "max")


# ---- Comparisons ---------------------------------------------------------------------------------


@writer("equal")
def _equal(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = (w.plain(each, scope) for each in op.args)
    return Text(f"({left} == {right})")


@writer("is_none")
def _is_none(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"({w.plain(op.args[0], scope)} is None)")


@writer("empty")
def _empty(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"(not {w.several(op.args[0], scope.loosely()).code})")


@writer("same_set")
def _same_set(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = (w.several(each, scope.loosely()) for each in op.args)
    if left.form == right.form == "mask":
        return Text(f"({left.code} == {right.code})")
    left, right = as_plain(left), as_plain(right)
    return Text(f"(set({left.code}) == set({right.code}))")


SIGNS = {"less": "<", "at_most": "<=", "greater": ">", "at_least": ">="}


def _ordered(name: str, sign: str) -> None:
    @writer(name)
    def write(w: Scribe, op: Op, scope: Scope) -> Text:
        left, right = (w.plain(each, scope) for each in op.args[:2])
        rank = w.layout.ranks.get(op.args[2])
        if rank is None:
            if sign == ">" and right == "0" and op.args[0].name == "count":
                return _more_than_none(w, op.args[0], scope)
            if sign == ">" and right == "0" and op.args[0].name == "count_family":
                return Text(f"is_some({w.plain(op.args[0].args[0], scope)}, {w.op(op.args[0])})")
            return Text(f"({left} {sign} {right})")
        table = w.pool.keep("RANK", rank)
        return Text(f"({table}[{left}] {sign} {table}[{right}])")


def _more_than_none(w: Scribe, count: Op, scope: Scope) -> Text:
    found = w.several(count.args[0], scope.loosely())
    return Text(f"({found.code} != 0)" if found.form == "mask" else f"(len({found.code}) > 0)")


for _name, _sign in SIGNS.items():
    _ordered(_name, _sign)


@writer("in")
def _in(w: Scribe, op: Op, scope: Scope) -> Text:
    subject, values = op.args
    left = as_plain(w.text(subject, scope))
    if values.name == "numbers":
        low, high = (w.plain(each, scope) for each in values.args)
        if left.is_cheap:
            return Text(f"({left.code} is not None and {low} <= {left.code} <= {high})")
        return Text(f"between({left.code}, {low}, {high})")
    right = w.several(values, scope.loosely())
    if right.form == "mask":
        return Text(f"has({right.code}, {left.code})")
    return Text(f"({left.code} in {right.code})")

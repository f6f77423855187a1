"""Logic, numbers and comparisons."""

from interpreter.compiled.writing import Unsupported
from interpreter.native.scribe import Scribe, as_common, as_list, into_form, named, writer
from interpreter.native.writing import TYPES, Scope, Text
from rulespec.core.tree import Op
from rulespec.core.types import LEAST, MOST

# ---- Logic ---------------------------------------------------------------------------------------


def _joined(w: Scribe, op: Op, scope: Scope, sign: str) -> Text:
    """Conditions one after the other; lines that a later one needs are run only if it counts."""
    parts: list[str] = []
    for each in op.args:
        aside = scope.aside()
        code = w.code_of(each, aside)
        if not aside.out.lines:
            parts.append(code)
            continue
        name = scope.out.declare(
            "num", "holds", f" {sign} ".join(parts) or ("1" if sign == "&&" else "0")
        )
        with scope.out.block(f"if ({name})" if sign == "&&" else f"if (!{name})"):
            scope.out.take(aside.out)
            scope.out.add(f"{name} = {code};")
        parts = [name]
    return Text(f"({f' {sign} '.join(parts)})" if len(parts) > 1 else parts[0])


@writer("and")
def _and(w: Scribe, op: Op, scope: Scope) -> Text:
    return _joined(w, op, scope, "&&")


@writer("or")
def _or(w: Scribe, op: Op, scope: Scope) -> Text:
    return _joined(w, op, scope, "||")


@writer("not")
def _not(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"!{w.code_of(op.args[0], scope)}")


@writer("if")
def _if(w: Scribe, op: Op, scope: Scope) -> Text:
    is_known, value = w.known(op.args[0])
    if is_known:
        return w.text(op.args[1 if value else 2], scope)
    test = w.code_of(op.args[0], scope)
    sides = [scope.aside(), scope.aside()]
    texts = [w.text(each, aside) for each, aside in zip(op.args[1:], sides, strict=True)]
    form = as_common(texts)
    if form not in TYPES:
        raise Unsupported(f"one of two {form}")
    texts = [into_form(w, text, form, aside) for text, aside in zip(texts, sides, strict=True)]
    low, high = _span(texts)
    home = texts[0].home if texts[0].home == texts[1].home else None
    if form != "list" and not any(aside.out.lines for aside in sides):
        code = f"({test} ? {texts[0].code} : {texts[1].code})"
        return Text(code, form, low, high, home=home)
    name = scope.out.declare(TYPES[form], "either")
    for head, aside, text in zip((f"if ({test})", "else"), sides, texts, strict=True):
        with scope.out.block(head):
            scope.out.take(aside.out)
            scope.out.add(f"{name} = {text.code};")
    return Text(name, form, low, high, home=home)


# ---- Numbers -------------------------------------------------------------------------------------


def _span(texts: list[Text]) -> tuple[int | None, int | None]:
    lows = [each.low for each in texts if each.low is not None]
    highs = [each.high for each in texts if each.high is not None]
    low = min(lows) if len(lows) == len(texts) else None
    high = max(highs) if len(highs) == len(texts) else None
    return low, high


def _checked(code: str, ends: list[int] | None) -> Text:
    """A number, tested unless it cannot leave `Int`."""
    if ends is not None and LEAST <= min(ends) <= max(ends) <= MOST:
        return Text(f"({code})", low=min(ends), high=max(ends))
    return Text(f"checked(s, {code})")


def _both(w: Scribe, op: Op, scope: Scope) -> tuple[Text, Text]:
    left, right = (w.number(each, scope) for each in op.args[:2])
    return left, right


def _ends(left: Text, right: Text) -> list[tuple[int, int]] | None:
    """All pairs of a lowest or highest value of both, if they are known."""
    if None in (left.low, left.high, right.low, right.high):
        return None
    return [(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]  # type: ignore[misc]


@writer("add")
def _add(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = _both(w, op, scope)
    ends = _ends(left, right)
    return _checked(
        f"{left.code} + {right.code}", None if ends is None else [a + b for a, b in ends]
    )


@writer("subtract")
def _subtract(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = _both(w, op, scope)
    ends = _ends(left, right)
    return _checked(
        f"{left.code} - {right.code}", None if ends is None else [a - b for a, b in ends]
    )


@writer("times")
def _times(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = _both(w, op, scope)
    ends = _ends(left, right)
    return _checked(
        f"{left.code} * {right.code}", None if ends is None else [a * b for a, b in ends]
    )


@writer("divide")
def _divide(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = _both(w, op, scope)
    return Text(f"quotient({left.code}, positive(s, {right.code}))")


@writer("modulo")
def _modulo(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = _both(w, op, scope)
    return Text(f"rest_of({left.code}, positive(s, {right.code}))")


@writer("abs")
def _abs(w: Scribe, op: Op, scope: Scope) -> Text:
    value = w.simple(op.args[0], scope)
    return Text(f"checked(s, {value.code} < 0 ? -{value.code} : {value.code})")


def _of_two(name: str, function: str) -> None:
    @writer(name)
    def write(w: Scribe, op: Op, scope: Scope) -> Text:
        texts = list(_both(w, op, scope))
        low, high = _span(texts)
        return Text(f"{function}({texts[0].code}, {texts[1].code})", low=low, high=high)


_of_two("min_of_two", "least")
_of_two("max_of_two", "most")


# ---- Comparisons ---------------------------------------------------------------------------------


@writer("equal")
def _equal(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = (w.text(each, scope.strictly()) for each in op.args)
    if left.form == right.form and left.form in ("number", "mask", "single", "perhaps"):
        return Text(f"({left.code} == {right.code})")
    if "number" in (left.form, right.form):
        raise Unsupported("a set compared with one value")
    left, right = as_list(left, scope), as_list(right, scope)
    return Text(f"same_list(&{left.code}, &{right.code})")


@writer("is_none")
def _is_none(w: Scribe, op: Op, scope: Scope) -> Text:
    value = w.text(op.args[0], scope.strictly())
    if value.form == "number":
        return Text(f"({value.code} == NONE)")
    return Text(f"({as_list(value, scope).code}.n < 0)")


def is_some(w: Scribe, op: Op, scope: Scope) -> str:
    """Whether a set has an element."""
    values = w.text(op, scope.loosely())
    match values.form:
        case "mask":
            return f"({values.code} != 0)"
        case "list" | "pile":
            return f"({values.code}.n > 0)"
        case "single":
            return "1"
        case "perhaps":
            return f"({values.code} != NONE)"
    raise Unsupported(f"whether {values.form} is empty")


@writer("empty")
def _empty(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"!{is_some(w, op.args[0], scope)}")


@writer("same_set")
def _same_set(w: Scribe, op: Op, scope: Scope) -> Text:
    left, right = (w.text(each, scope.loosely()) for each in op.args)
    if "mask" in (left.form, right.form):
        return Text(f"({w.as_mask(left)} == {w.as_mask(right)})")
    left, right = as_list(left, scope), as_list(right, scope)
    return Text(f"same_set(&{left.code}, &{right.code})")


def _ordered(name: str, sign: str) -> None:
    @writer(name)
    def write(w: Scribe, op: Op, scope: Scope) -> Text:
        if op.args[0].name == "count" and sign == ">" and w.known(op.args[1]) == (True, 0):
            return Text(is_some(w, op.args[0].args[0], scope))
        if op.args[0].name == "count_family" and sign == ">" and w.known(op.args[1]) == (True, 0):
            family = into_form(w, w.text(op.args[0].args[0], scope), "family", scope)
            return Text(f"has_member(s, &{family.code})")
        left, right = (w.code_of(each, scope) for each in op.args[:2])
        rank = w.ranks(op.args[2])
        if rank is not None:
            size = len(w.code.members)
            left, right = (f"{rank}[{w.index(each, size)}]" for each in (left, right))
        return Text(f"({left} {sign} {right})")


_ordered("less", "<")
_ordered("at_most", "<=")
_ordered("greater", ">")
_ordered("at_least", ">=")


@writer("in")
def _in(w: Scribe, op: Op, scope: Scope) -> Text:
    subject, values = op.args
    if values.name == "numbers":
        left = w.simple(subject, scope)
        low, high = (w.code_of(each, scope) for each in values.args)
        return Text(f"({left.code} != NONE && {low} <= {left.code} && {left.code} <= {high})")
    left = w.number(subject, scope)
    right = w.text(values, scope.loosely())
    if right.form in ("mask", "pile"):
        return Text(f"has({w.as_mask(right)}, {left.code})")
    if right.form in ("single", "perhaps"):
        left = named(left, scope)
        return Text(f"({left.code} != NONE && {left.code} == {right.code})")
    return Text(f"holds(&{as_list(right, scope).code}, {left.code})")

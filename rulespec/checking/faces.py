"""An expression -> where its pieces may lie, and whose faces it reads, with functions inlined.

Counts (`#hand[p]`) and the identities of pieces are no faces; selection by kind, member or face, an
attribute and a comparison with a face are.
"""

from typing import assert_never

from attrs import evolve

from rulespec.checking.knowledge import (
    PLAIN,
    Pair,
    Place,
    Read,
    Term,
    Value,
    join_values,
    rename,
    rename_reads,
)
from rulespec.checking.world import (
    Env,
    Invocation,
    as_called,
    choice_of,
    current,
    element_of,
    is_index,
    is_too_deep,
    look,
    neighbour,
    outputs,
    part,
    site,
    spine,
    tells_nothing,
    top,
    type_name,
    zone_value,
)
from rulespec.source import Span, text_of
from rulespec.syntax import nodes

NEIGHBOURS = frozenset({"next", "left", "right"})
NUMBERS = Value(type="Int")


# ---- Values --------------------------------------------------------------------------------------


def evaluate(env: Env, expr: nodes.Expr) -> Value:
    """What is known of the value of an expression here."""
    match expr:
        case nodes.Name():
            return _named(env, expr)
        case nodes.Number():
            return NUMBERS
        case nodes.Face():
            return Value(has_faces=True)
        case nodes.Where():
            return _filtered(env, expr, None)
        case nodes.Conditional(value, condition, otherwise):
            tested = evaluate(env, condition)
            one = evaluate(assuming(env, condition, holds=True), value)
            other = evaluate(assuming(env, condition, holds=False), otherwise)
            both = join_values(one, other, site(env, expr.span))
            family = one.family if one.family == other.family else None
            return evolve(both, reads=both.reads | tested.reads, family=family)
        case nodes.And(operands) | nodes.Or(operands):
            reads: frozenset[Read] = frozenset()
            for operand in operands:
                reads |= evaluate(env, operand).reads
                env = assuming(env, operand, holds=isinstance(expr, nodes.And))
            return Value(reads=reads, type="Bool")
        case nodes.Not(operand):
            return Value(reads=evaluate(env, operand).reads, type="Bool")
        case nodes.Compare(left, _, right):
            one, other = evaluate(env, left), evaluate(env, right)
            reads = one.reads | other.reads
            if other.has_faces:
                reads |= look(env, one, expr.span)
            if one.has_faces:
                reads |= look(env, other, expr.span)
            return Value(reads=reads, type="Bool")
        case nodes.Range(left, right) | nodes.Product(left, _, right):
            return Value(reads=evaluate(env, left).reads | evaluate(env, right).reads, type="Int")
        case nodes.Sum():
            return _sum(env, expr)
        case nodes.Count(operand) | nodes.Negative(operand):
            return Value(reads=evaluate(env, operand).reads, type="Int")
        case nodes.Get(subject, name):
            return _attribute(env, expr, subject, name.text)
        case nodes.At(subject, key):
            return _selected(env, expr, subject, key)
        case nodes.Having(subject, _, value):
            base = evaluate(env, subject)
            reads = base.reads | evaluate(env, value).reads | look(env, base, expr.span)
            return evolve(part(env, base, expr.span), reads=reads)
        case nodes.Call():
            return _called(env, expr)
        case nodes.Fold(function, value, name, values):
            base = _filtered(env, values, name.text)
            element = element_of(env, base, name.text, expr.span)
            inner = evaluate(_binding(env, {name.text: element}), value)
            reads = base.reads | inner.reads
            if function.text in ("best", "least"):
                first = element_of(env, base, function.text, expr.span)  # of all, so none of them
                return evolve(first, reads=reads | first.reads, has_faces=False)
            return Value(reads=reads, type="Int")
        case nodes.Build(value, name, values):
            base = _filtered(env, values, name.text)
            element = element_of(env, base, name.text, expr.span)
            inner = evaluate(_binding(env, {name.text: element}), value)
            return evolve(inner, reads=inner.reads | base.reads, term=None, apart=frozenset())
        case nodes.List(items):
            return _listed(env, expr, [evaluate(env, item) for item in items])
        case nodes.Constant():
            return PLAIN
        case _:
            assert_never(expr)


def _listed(env: Env, expr: nodes.List, items: list[Value]) -> Value:
    value = items[0] if items else PLAIN
    for item in items[1:]:
        value = join_values(value, item, site(env, expr.span))
    return evolve(value, family=None, term=None)


def _sum(env: Env, expr: nodes.Sum) -> Value:
    one, other = evaluate(env, expr.left), evaluate(env, expr.right)
    reads = one.reads | other.reads
    if other.has_faces:
        reads |= look(env, one, expr.span)
    if expr.operator == "+":
        both = join_values(one, other, site(env, expr.span))
        return evolve(both, reads=reads, family=None, term=None)
    apart = one.apart
    if expr.operator == "-" and isinstance(expr.right, nodes.List):
        terms = [evaluate(env, item).term for item in expr.right.items]
        apart |= {term.id for term in terms if term is not None}
    return evolve(part(env, one, expr.span), reads=reads, apart=apart, term=None)


def _filtered(env: Env, expr: nodes.Expr, name: str | None) -> Value:
    """A set, in whose filter an element may go by its own name."""
    if not isinstance(expr, nodes.Where):
        return evaluate(env, expr)
    base = _filtered(env, expr.values, name)
    element = element_of(env, base, name or "it", expr.condition.span)
    bound = {"it": element} if name is None else {"it": element, name: element}
    inner = _binding(env, bound)
    reads = evaluate(inner, expr.condition).reads
    term = element.term
    if term is None:
        return base
    pairs = facts_of(inner, expr.condition, holds=True)
    apart = {other for pair in pairs if term.id in pair for other in pair - {term.id}}
    narrowed = evolve(part(env, base, expr.span), term=None, apart=base.apart | apart)
    if reads:
        older = rename_reads(base.reads, base.element, term)
        narrowed = evolve(narrowed, reads=older | reads, element=term.id)
    return narrowed


def choose_from(env: Env, expr: nodes.Expr, name: str) -> Value:
    """The options of a choice, or the values of a loop, whose element is called `name`."""
    return _filtered(env, expr, name)


def _binding(env: Env, names: dict[str, Value]) -> Env:
    return evolve(env, bound={**env.bound, **names})


# ---- What a test says of players -----------------------------------------------------------------


def assuming(env: Env, condition: nodes.Expr, *, holds: bool) -> Env:
    """The same place where a condition holds, or does not."""
    pairs = facts_of(env, condition, holds=holds)
    if not pairs:
        return env
    return evolve(env, state=evolve(env.state, apart=env.state.apart | pairs))


def facts_of(env: Env, condition: nodes.Expr, *, holds: bool) -> frozenset[Pair]:
    """Pairs of players that differ if a condition holds, or does not."""
    match condition:
        case nodes.And(operands) if holds:
            return frozenset().union(*(facts_of(env, each, holds=True) for each in operands))
        case nodes.Or(operands) if not holds:
            return frozenset().union(*(facts_of(env, each, holds=False) for each in operands))
        case nodes.Not(operand):
            return facts_of(env, operand, holds=not holds)
        case nodes.Compare(left, nodes.Relation(sign), right) if sign in ("==", "!="):
            if holds != (sign == "!="):
                return frozenset()
            one, other = evaluate(env, left).term, evaluate(env, right).term
            if one is not None and other is not None and one != other:
                return frozenset({frozenset((one.id, other.id))})
            return frozenset()
        case _ if isinstance(condition, nodes.OfAKind):
            return frozenset()
        case _:
            assert_never(condition)


# ---- Names ---------------------------------------------------------------------------------------


def _named(env: Env, name: nodes.Name) -> Value:
    text = name.text
    program = env.world.program
    if text in env.bound:
        return env.bound[text]
    local = env.state.values.get((env.frame, text))
    if local is not None:
        if local.is_reference:
            return current(env, local)
        return as_called(local, text)
    if text in program.variables:
        return _variable(env, text, ())
    if text in program.zones or text == "box":
        return zone_value(env, Place(text))
    if text in program.routines:
        return _function(env, Invocation(program.routines[text], (), name.span))
    if text == "Player" or text in env.world.members:
        return Value(type=text)
    if text in program.kinds:
        return Value(has_faces=True, type="Piece")
    if text == "first":
        return Value(term=Term("first", "first"), type="Player")
    for enum, members in env.world.members.items():
        if text in members:
            return Value(term=Term(f"member:{text}", text), type=enum)
    return PLAIN


def _variable(env: Env, name: str, keys: tuple[Value, ...]) -> Value:
    """A state variable. What it holds is public, but for the faces of pieces."""
    index = "".join(f"[{key.term.id if key.term else '?'}]" for key in keys)
    exact = env.state.values.get(("", name + index))
    if exact is not None:
        return as_called(exact, name)
    kind = type_name(env.world.program.variables[name].node.node.type)
    general = env.state.values.get(("", name))
    if general is not None and keys:
        if general.element is not None and keys[0].term is not None:
            return evolve(rename(general, general.element, keys[0].term), element=None)
        return evolve(general, term=None)
    return Value(term=Term(f"{name}{index}", name), type=kind)


# ---- Parts of pieces and of families -------------------------------------------------------------


def _attribute(env: Env, expr: nodes.Get, subject: nodes.Expr, name: str) -> Value:
    routine = None
    arguments: tuple[nodes.Expr, ...] = ()
    if isinstance(subject, nodes.Call):
        routine, arguments = (
            env.world.program.routines.get(subject.function.text),
            subject.arguments,
        )
    elif isinstance(subject, nodes.Name) and not _is_local(env, subject.text):
        routine = env.world.program.routines.get(subject.text)
    if routine is not None and name in outputs(routine):
        values = tuple(evaluate(env, argument) for argument in arguments)
        invocation = Invocation(routine, values, subject.span, output=name)
        return _function(env, invocation)
    base = evaluate(env, subject)
    reads = base.reads | look(env, base, expr.span)
    return Value(reads=reads, type=env.world.attributes.get(name), element=base.element)


def _is_local(env: Env, name: str) -> bool:
    return name in env.bound or (env.frame, name) in env.state.values


def _selected(env: Env, expr: nodes.At, subject: nodes.Expr, key: nodes.Expr) -> Value:
    chosen = evaluate(env, key)
    base_name, keys = spine(expr)
    if base_name is not None and base_name not in env.bound:
        local = env.state.values.get((env.frame, base_name))
        if local is not None and local.element is not None and chosen.term is not None:
            member = choice_of(env, base_name, local, chosen.term)
            return evolve(member, reads=member.reads | chosen.reads)
        variable = env.world.program.variables.get(base_name)
        if local is None and variable is not None and len(keys) <= len(variable.node.node.indices):
            values = tuple(evaluate(env, each) for each in keys)
            found = as_called(_variable(env, base_name, values), text_of(expr.span))
            return _reading(found, frozenset().union(*(each.reads for each in values)))
    base = evaluate(env, subject)
    reads = base.reads | chosen.reads
    if base.family is not None and is_index(env, base.family, key, chosen):
        term = chosen.term or Term(f"? {site(env, key.span)}", text_of(key.span))
        zone = base.family
        place = Place(zone.zone, (*zone.indices, term), zone.is_top)
        return _reading(zone_value(env, place), reads)
    if not tells_nothing(env, base, key):
        reads |= look(env, base, expr.span)
    return _reading(part(env, base, expr.span), reads)


def _reading(value: Value, reads: frozenset[Read]) -> Value:
    """The value, computed from these faces and no others."""
    return evolve(value, reads=reads) if reads or value.reads else value


# ---- Functions -----------------------------------------------------------------------------------


def _called(env: Env, call: nodes.Call) -> Value:
    name = call.function.text
    if name == "super" and env.below is not None:
        routine, number = env.below
        values = tuple(evaluate(env, argument) for argument in call.arguments)
        return _function(env, Invocation(routine, values, call.span, number))
    called = env.world.program.routines.get(name)
    values = tuple(evaluate(env, argument) for argument in call.arguments)
    if called is not None:
        return _function(env, Invocation(called, values, call.span))
    reads: frozenset[Read] = frozenset().union(*(value.reads for value in values))
    base = values[0] if values else PLAIN
    match name:
        case "others" | "order":
            apart = frozenset({base.term.id}) if base.term and name == "others" else frozenset()
            return Value(reads=reads, type="Player", apart=apart)
        case _ if name in NEIGHBOURS:
            return neighbour(env, name, base)
        case "top":
            return top(call, base, reads)
        case "subsets":
            return evolve(part(env, base, call.span), reads=reads)
        case "alike" | "runs":
            looked = reads | look(env, base, call.span)
            return evolve(part(env, base, call.span), reads=looked)
        case _:
            return Value(reads=reads, type="Int")


def _function(env: Env, invoked: Invocation) -> Value:
    """The value of a `let` or a table, inlined; of a table with several outputs, one or all of them."""
    routine, span = invoked.routine, invoked.span
    if span is None or routine.kind != "function" or is_too_deep(env.world, env.depth):
        return PLAIN
    version = invoked.version % len(routine.versions)
    node = routine.versions[version].node
    bound = {
        param.name.text: value for param, value in zip(node.params, invoked.arguments, strict=False)
    }
    below = (routine, version - 1) if version > 0 else None
    path = f"{span.start}/{env.path}"
    inner = Env(env.world, env.state, "-", path, bound, below, env.depth + 1)
    if isinstance(node, nodes.Let):
        return _through(evaluate(inner, node.value), routine.name, span)
    if not isinstance(node, nodes.Table):
        return PLAIN
    reads: frozenset[Read] = frozenset().union(
        *(evaluate(inner, each).reads for each in node.header.inputs)
    )
    column = (
        [name.text for name in node.header.outputs].index(invoked.output)
        if invoked.output
        else None
    )
    value: Value | None = None
    tables = [*(rows.node.rows for rows in routine.rows if version == len(routine.versions) - 1)]
    for row in (row for rows in (*tables, node.rows) for row in rows):
        if isinstance(row, nodes.Doc) or not isinstance(row.body, nodes.Cells):
            continue
        cells = row.body.values if column is None else row.body.values[column : column + 1]
        for cell in cells:
            given = evaluate(inner, cell)
            value = given if value is None else join_values(value, given, path)
    value = value or PLAIN
    return _through(evolve(value, reads=value.reads | reads), routine.name, span)


def _through(value: Value, name: str, span: Span) -> Value:
    """The value with the function by which faces were read, for whoever asks how."""
    if not value.reads:
        return value
    reads = frozenset(evolve(read, via=(*read.via, (name, span))) for read in value.reads)
    return evolve(value, reads=reads)

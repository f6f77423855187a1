"""A variable or one of its members -> its value as the information check sees it, and who may know it."""

from collections.abc import Iterable

from attrs import evolve

from rulespec.core.tree import Op
from rulespec.secrets.facts import trim
from rulespec.secrets.knowledge import Key, Place, Source, Sources, Value
from rulespec.secrets.parts import Env
from rulespec.secrets.visibility import who_sees_variable


def secret(env: Env, op: Op, key: Key, keys: tuple[Key, ...]) -> Sources:
    """The value of a hidden variable, known to players who see the variable or were told the value."""
    own = Source(
        key,
        who_sees_variable(env.run, op.word, keys),
        kind="secret",
        place=Place(op.word, keys),
        span=op.span,
        via=env.via,
        is_value=True,
    )
    return trim(env.run, env.state, frozenset({own}))


def decided(value: Value, which: Sources) -> Value:
    """The value, which now also depends on these sources."""
    if not which:
        return value
    return evolve(value, which=value.which | which, size=value.size | which)


def indexed_name(name: str, keys: Iterable[Key]) -> str:
    """A member of a family as an author writes it: `bid[p]`."""
    return name + "".join(f"[{key.shown}]" for key in keys)


def family_entries(env: Env, op: Op) -> tuple[tuple[tuple[Key, int], Value], ...]:
    """The values that were assigned to members of a local family one by one."""
    slot = op.operands[0]
    if slot.name != "slot" or env.arguments is not None:
        return ()
    name = f"slot {env.frame} {slot.place}"
    return tuple(
        ((keys[0], 0), value) for (owner, keys), value in env.state.members.items() if owner == name
    )

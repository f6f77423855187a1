"""A condition that holds, or does not -> what follows for values and zones in the state of that way."""

from rulespec.core.tree import Op
from rulespec.secrets.facts import count_sources, knowers, teach_faces
from rulespec.secrets.knowledge import State
from rulespec.secrets.parts import Env, is_optional
from rulespec.secrets.reading import evaluate


def learn_from_condition(env: Env, way: State, condition: Op, *, holds: bool) -> None:
    """Add what follows from whether a condition holds: which values are equal, and which zones are empty."""
    match condition.name:
        case "not":
            learn_from_condition(env, way, condition.operands[0], holds=not holds)
        case "and" if holds:
            for each in condition.operands:
                learn_from_condition(env, way, each, holds=True)
        case "or" if not holds:
            for each in condition.operands:
                learn_from_condition(env, way, each, holds=False)
        case "equal":
            one, other = (evaluate(env, each) for each in condition.operands)
            pair = frozenset((one.key, other.key))
            if len(pair) == 2 and holds:
                way.same |= {pair}
            elif len(pair) == 2 and not any(is_optional(each.type) for each in condition.operands):
                way.apart |= {pair}
            for mine, of in ((one, condition.operands[1]), (other, condition.operands[0])):
                if holds and not is_optional(
                    of.type
                ):  # it is equal to something that exists, so it is not `none`
                    way.apart |= {frozenset((mine.key, env.run.keys.make("literal", "None")))}
            if holds and condition.operands[0].name == "count" and other.key.parts == ("0",):
                _learn_empty(env, way, condition.operands[0].operands[0])
        case "is_none" if not holds:
            none = env.run.keys.make("literal", "None")
            way.apart |= {frozenset((evaluate(env, condition.operands[0]).key, none))}
        case "empty":
            if holds:
                _learn_empty(env, way, condition.operands[0])
            else:
                _learn_some(env, way, condition.operands[0])
        case "greater" | "at_least" if holds and _is_one_or_more(condition):
            _learn_some(env, way, condition.operands[0].operands[0])
        case _:
            pass


def _is_one_or_more(condition: Op) -> bool:
    """Whether a condition says that there is at least one: `#S > 0`, `#S >= 1`."""
    one, other = condition.operands
    least = 0 if condition.name == "greater" else 1
    return one.name == "count" and other.name == "literal" and other.value in range(least, 1000)


def _learn_some(env: Env, way: State, op: Op) -> None:
    """Add that a set that is not empty is not `none`: nobody has declined to choose it."""
    while op.name in {"single", "perhaps", "or_empty", "needed"}:
        op = op.operands[0]
    none = env.run.keys.make("literal", "None")
    way.apart |= {frozenset((evaluate(env, op).key, none))}


def _learn_empty(env: Env, way: State, op: Op) -> None:
    found = evaluate(env, op)
    aware = knowers(env.run, way, count_sources(found.size))
    for part in found.parts:
        teach_faces(env.run, way, part, aware)

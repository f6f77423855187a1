"""What an expression reads: the zones and variables on which its value depends."""

from collections.abc import Iterator
from typing import Any

from rulespec.lowering.code import Code, Op


def operations(code: Code, op: Any) -> Iterator[Op]:
    """All operations of an expression, or of several; functions are looked into, each once."""
    seen: set[str] = set()
    waiting: list[Any] = [op]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting.extend(each)
        elif isinstance(each, Op):
            yield each
            if each.name in ("call", "row"):
                for name, fn in code.functions.items():
                    if name.split(".")[0] == each.args[0] and name not in seen:
                        seen.add(name)
                        waiting.extend((fn.inputs, *(row.cell for row in fn.rows)))
            waiting.extend(each.args)


def reads(code: Code, op: Op) -> tuple[set[str] | None, set[str]]:
    """The names of the zones, None for any, and of the variables; functions are looked into."""
    zones: set[str] = set()
    any_zone = False
    variables: set[str] = set()
    for each in operations(code, op):
        match each.name:
            case "zone":
                zones.add(each.args[0])
            case "variable":
                variables.add(each.args[0])
            case "contents" | "gather" | "zone_of" if each.args[0].name in ("slot", "bound"):
                any_zone = True
    return (None if any_zone else zones), variables

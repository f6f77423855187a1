"""What an expression reads: the zones and variables on which its value depends."""

from typing import Any

from rulespec.lowering.code import Code, Op


def reads(code: Code, op: Op) -> tuple[set[str] | None, set[str]]:
    """The names of the zones, None for any, and of the variables; functions are looked into."""
    zones: set[str] = set()
    any_zone = False
    variables: set[str] = set()
    seen: set[str] = set()
    waiting: list[Any] = [op]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting.extend(each)
        if not isinstance(each, Op):
            continue
        match each.name:
            case "zone":
                zones.add(each.args[0])
            case "variable":
                variables.add(each.args[0])
            case "contents" | "gather" | "zone_of" if each.args[0].name in ("slot", "bound"):
                any_zone = True
            case "call" | "row":
                for name, fn in code.functions.items():
                    if name.split(".")[0] == each.args[0] and name not in seen:
                        seen.add(name)
                        waiting.extend((fn.inputs, *(row.cell for row in fn.rows)))
        waiting.extend(each.args)
    return (None if any_zone else zones), variables

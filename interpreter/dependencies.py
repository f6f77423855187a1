"""An expression -> the zones and variables on which its value depends, so that triggers are tested only when needed."""

from collections.abc import Iterator

from interpreter.flat import Code
from rulespec.core.tree import Op, walk_operations


def operations(code: Code, *ops: Op) -> Iterator[Op]:
    """All operations of expressions, including those in called functions, each function once."""
    seen: set[str] = set()
    waiting = [*ops]
    while waiting:
        for each in walk_operations(waiting.pop()):
            yield each
            if each.name in ("call", "row"):
                for name, fn in code.functions.items():
                    if name.split(".")[0] == each.word and name not in seen:
                        seen.add(name)
                        waiting += [*fn.inputs, *(row.cell for row in fn.rows)]


def reads(code: Code, op: Op) -> tuple[set[str] | None, set[str]]:
    """The names of the zones (None: any zone may be read) and of the variables, including those in called functions."""
    zones: set[str] = set()
    any_zone = False
    variables: set[str] = set()
    for each in operations(code, op):
        match each.name:
            case "zone":
                zones.add(each.word)
            case "variable":
                variables.add(each.word)
            case "contents" | "gather" | "zone_of" if each.operands[0].name in ("slot", "bound"):
                any_zone = True
    return (None if any_zone else zones), variables

"""A step -> the triggers that it may fire, by what their conditions read."""

from rulespec.core import tree
from rulespec.core.operations import VARYING
from rulespec.core.tree import walk_operations
from rulespec.secrets.check_run import Run, Touched

# Operations that vary, but that no step changes that could fire a trigger, or only a step on a zone they name.
CALM = frozenset({"slot", "bound", "first", "ended", "contents", "gather"})


def watched_triggers(run: Run, touched: Touched) -> list[tree.TriggerRow]:
    """The triggers that a step may fire."""
    zones = touched.zones
    if not zones <= run.zones.keys():  # it may be any zone
        zones = frozenset(run.zones)
    found = []
    for trigger in run.core.triggers:
        if trigger.block not in run.firing:
            names, places = _reads_of(run, trigger)
            if touched.begins or names & touched.variables or places & zones:
                found.append(trigger)
    return found


def _reads_of(run: Run, trigger: tree.TriggerRow) -> tuple[frozenset[str], frozenset[str]]:
    """The variables and zones that the condition of a trigger reads, also inside functions."""
    if trigger.block not in run.watching:
        names: set[str] = set()
        zones: set[str] = set()
        waiting, seen = [trigger.condition], set[str]()
        while waiting:
            for op in walk_operations(waiting.pop()):
                if op.name == "variable":
                    names.add(op.word)
                elif op.name == "zone":
                    zones.add(op.word)
                elif op.name in {"call", "row"}:
                    for name, function in run.core.functions.items():
                        if name not in seen and (name == op.word or name.startswith(f"{op.word}.")):
                            seen.add(name)
                            waiting += [*function.inputs, *(row.cell for row in function.rows)]
                elif op.name in VARYING - CALM:  # it may read anything
                    zones |= run.zones.keys()
                    names |= run.variables.keys()
        run.watching[trigger.block] = (frozenset(names), frozenset(zones))
    return run.watching[trigger.block]

"""The statements of a way -> what they disclose on purpose, so that players do not learn it only by accident."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from rulespec.core import tree
from rulespec.core.tree import Op
from rulespec.secrets.check_run import Run
from rulespec.secrets.knowledge import Place
from rulespec.secrets.visibility import who_sees
from rulespec.source import text_of


def discloses(run: Run, rule: str, body: tree.Body) -> frozenset[str]:
    """The zones and locals whose pieces a body always shows to everyone; `*` if it always asks, announces or ends."""
    found = run.disclosed.get(id(body))
    if found is None:
        told: set[str] = set()
        for each in body:
            told |= _tells(run, rule, each)
            if _may_leave(each):
                break
        found = run.disclosed[id(body)] = frozenset(told)
    return found


def _may_leave(node: tree.Statement, *, in_loop: bool = False) -> bool:
    """Whether a statement may prevent the rest of its body from being reached although the game goes on."""
    match node:
        case tree.Return():
            return True
        case tree.Stop():
            return not in_loop
        case tree.If(_, body, otherwise):
            return any(_may_leave(each, in_loop=in_loop) for each in (*body, *(otherwise or ())))
        case tree.For() | tree.Repeat():
            return any(_may_leave(each, in_loop=True) for each in node.body)
        case (
            tree.Call() | tree.Enter() | tree.End()
        ):  # a rule leaves only itself; `end` ends the game
            return False
        case tree.Choose() | tree.Each() | tree.Draw() | tree.Assign() | tree.Clear():
            return False
        case tree.Move() | tree.Shuffle() | tree.Show() | tree.Announce() | tree.Tell():
            return False
        case _:
            assert_never(node)


def tells_apart(run: Run, branches: list[tuple[str, tree.Body]]) -> frozenset[str]:
    """What tells several ways apart, each given with its rule: all ways disclose it, or all but one.

    If all ways ask, nobody can tell which of them asked, unless their words differ; `?` stands for that.
    """
    ways = [discloses(run, rule, body) for rule, body in branches]
    asked = [_questions(run, body) for _, body in branches]
    found = frozenset(
        name
        for name in frozenset[str]().union(*ways)
        if sum(name in way for way in ways) >= len(ways) - 1
    )
    if len(ways) > 2 or all("*" in way for way in ways):
        found -= {"*"}
    if len(set(asked)) > 1 and (len(ways) > 2 or all(asked)):
        found |= {"?"}
    return found


def asks_nobody(run: Run, bodies: Iterable[tree.Body]) -> bool:
    """Whether none of these bodies asks a question that others may hear."""
    return not any(_questions(run, body) for body in bodies)


def _questions(run: Run, body: tree.Body) -> frozenset[str]:
    """The words of all questions that others may hear when a body runs."""
    found = run.questions.get(id(body))
    if found is None:
        asked = (_asks(run, each) for each in body)
        found = run.questions[id(body)] = frozenset[str]().union(*asked)
    return found


def is_asked_once(run: Run, node: tree.Choose) -> bool:
    """Whether no other statement of the game asks with the same words."""
    if not run.askers:
        for block in run.core.blocks.values():
            for each in _asking(block.body):
                run.askers.setdefault(_asks(run, each), set()).add(id(each))
    return run.askers.get(_asks(run, node), set()) <= {id(node)}


def _asking(body: tree.Body) -> Iterator[tree.Choose | tree.Each]:
    for node in body:
        match node:
            case tree.Choose() | tree.Each():
                yield node
            case tree.If(_, inner, otherwise):
                yield from _asking((*inner, *(otherwise or ())))
            case tree.For() | tree.Repeat():
                yield from _asking(node.body)
            case tree.Assign() | tree.Clear() | tree.Move() | tree.Shuffle() | tree.Show():
                pass
            case tree.Announce() | tree.Tell() | tree.Draw() | tree.Call() | tree.Enter():
                pass
            case tree.Return() | tree.Stop() | tree.End():
                pass
            case _:
                assert_never(node)


def _asks(run: Run, node: tree.Statement) -> frozenset[str]:
    match node:
        case tree.Choose() | tree.Each():
            words = "…".join(each for each in node.prompt if isinstance(each, str))
            return frozenset({words}) if is_heard(run, node) else frozenset()
        case tree.If(_, body, otherwise):
            return _questions(run, body) | _questions(run, otherwise or ())
        case tree.For() | tree.Repeat():
            return _questions(run, node.body)
        case tree.Call(block):
            return _questions(run, run.core.blocks[block].body)
        case tree.Enter(_, rows):
            return frozenset[str]().union(
                *(_questions(run, run.core.blocks[name].body) for _, name in rows)
            )
        case tree.End() | tree.Stop() | tree.Return() | tree.Clear() | tree.Tell():
            return frozenset()
        case tree.Shuffle() | tree.Draw() | tree.Assign() | tree.Show() | tree.Move():
            return frozenset()
        case tree.Announce():
            return frozenset()
        case _:
            assert_never(node)


def is_heard(run: Run, node: tree.Choose | tree.Each) -> bool:
    """Whether others may hear that somebody was asked: not if only the owner of the variable sees the choice."""
    variable = node.target.variable
    return variable not in run.hidden or run.variables[variable].seen_by == "others"


def _tells(run: Run, rule: str, node: tree.Statement) -> frozenset[str]:
    match node:
        case tree.Choose() | tree.Each():
            if not is_heard(run, node):
                return frozenset()
            # The owner of a variable that only others see may not learn of the choice, so it is not public.
            is_quiet = node.may or node.target.variable in run.hidden
            return frozenset() if is_quiet else frozenset({"*"})
        case tree.End():
            return frozenset({"*"})
        case tree.Show(pieces, players) if players.name == "seats" and _is_noticed(run, pieces):
            return _mentioned(run, rule, pieces)
        case tree.Announce(_, players):
            return frozenset({"*"}) if players.name == "seats" else frozenset()
        case tree.Move(_, pieces, zone) if (
            zone.name == "zone"
            and who_sees(run, Place(zone.word)).everyone
            and _is_noticed(run, pieces)
        ):
            return _mentioned(run, rule, pieces)
        case tree.Call(block):
            return discloses(run, block, run.core.blocks[block].body)
        case tree.Enter(_, rows):
            told = [discloses(run, name, run.core.blocks[name].body) for _, name in rows]
            return frozenset.intersection(*told) if told else frozenset()
        case tree.If(_, body, otherwise):
            return discloses(run, rule, body) & discloses(run, rule, otherwise or ())
        case tree.For() | tree.Repeat() | tree.Stop() | tree.Return() | tree.Clear():
            return frozenset()
        case tree.Tell():
            return frozenset()
        case tree.Shuffle() | tree.Draw() | tree.Assign() | tree.Show() | tree.Move():
            return frozenset()
        case _:
            assert_never(node)


def _is_noticed(run: Run, pieces: Op) -> bool:
    """Whether everyone notices this move or show: not if there may be no pieces and not everyone knows that."""
    return not run.uncounted or pieces.name == "single"


def _mentioned(run: Run, rule: str, op: Op) -> frozenset[str]:
    """The zones and locals that a set contains completely."""
    match op.name:
        case "zone":
            indices = "".join(f"[{text_of(index.span)}]" for index in op.operands)
            return frozenset({op.word + indices})
        case "slot":
            slots = run.core.blocks[rule].slots
            return frozenset({slots[op.place][0]}) if op.place < len(slots) else frozenset()
        case (
            "contents" | "gather" | "single" | "perhaps" | "needed" | "or_empty" | "list" | "union"
        ):
            return frozenset[str]().union(*(_mentioned(run, rule, each) for each in op.operands))
        case _:  # at most some of their pieces
            return frozenset()

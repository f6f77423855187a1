"""A new kind of node is forgotten by nobody: each pass that must know it is named by the type checker.

A pass that passes over what it does not know is the worst that could happen to a language that promises
that nothing leaks. So each union has a stranger added to it in a copy of the packages, and mypy must name
every module that is listed here; and no `match` over nodes may end in a `case _` that says nothing.
"""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import frozen

ROOT = Path(__file__).parents[1]
NODES = "rulespec/syntax/nodes.py"
CORE = "rulespec/core/tree.py"
FLAT = "interpreter/flat.py"


# ---- Strangers -------------------------------------------------------------------------------------


@frozen
class Stranger:
    """A class that is added to a union, and the modules that have to know it."""

    file: str
    union: str
    wanted: frozenset[str]

    @property
    def name(self):
        return f"Strange{Path(self.file).stem.title()}{self.union}"


def _in(folder, *modules):
    found = {f"{folder}/{module}.py" for module in modules}
    assert all((ROOT / each).is_file() for each in found), "a module of this list is gone"
    return found


# A simple statement says what it does in one place, and means something in three.
ACTIONS = (
    _in("rulespec/checking", "deeds", "statements")
    | _in("rulespec/elaboration", "statements")
    | _in("rulespec/docgen", "statements")
    | _in("rulespec/syntax", "statement_printer")
)
# One that holds others has to be walked through, too.
STATEMENTS = (
    ACTIONS
    | _in("rulespec/checking", "calls", "control_flow", "name_checks")
    | _in("rulespec/docgen", "derived_sentences", "course_of_play", "sentences")
)
INSTRUCTIONS = _in("interpreter", "examples", "exchanges", "fitness", "step_building", "steps")
# A statement of the core is printed, and followed to see whom it tells what.
FOLLOWED = _in("rulespec/core", "printer") | _in(
    "rulespec/secrets", "computing", "disclosing", "holding", "loop_bodies", "programs", "running"
)
STRANGERS = [
    Stranger(
        NODES,
        "Expr",
        _in("rulespec/checking", "constants", "estimates", "size_facts", "expressions")
        | _in("rulespec/checking", "faces", "example_pieces", "expression_names", "narrowing")
        | _in("rulespec/docgen", "zone_kinds", "noun_phrases", "expressions")
        | _in("rulespec/elaboration", "expressions")
        | _in("rulespec/syntax", "phrases"),
    ),
    Stranger(NODES, "Action", ACTIONS),
    Stranger(NODES, "Statement", STATEMENTS),
    Stranger(
        NODES,
        "Named",
        _in("rulespec/checking", "citations", "overlays")
        | _in("rulespec/docgen", "differences", "entries", "glossary", "rules")
        | _in("rulespec/editing", "vocabulary")
        | _in("rulespec/syntax", "printer"),
    ),
    Stranger(
        NODES,
        "Pattern",
        _in("rulespec/checking", "constants", "name_checks")
        | _in("rulespec/docgen", "wording")
        | _in("rulespec/elaboration", "routines")
        | _in("rulespec/syntax", "printer"),
    ),
    Stranger(
        NODES,
        "Step",
        _in("rulespec/checking", "examples", "name_checks", "type_checks")
        | _in("rulespec/docgen", "worked_examples")
        | _in("rulespec/elaboration", "examples")
        | _in("rulespec/syntax", "printer"),
    ),
    Stranger(
        NODES,
        "Scalar",
        _in("rulespec/checking", "domains", "expression_names", "supply")
        | _in("rulespec/docgen", "options_and_rulings", "wording")
        | _in("rulespec/syntax", "phrases"),
    ),
    Stranger(
        CORE,
        "Simple",
        INSTRUCTIONS | FOLLOWED | _in("interpreter/wasm", "program_analysis", "rule_writer"),
    ),
    Stranger(
        CORE,
        "Statement",
        FOLLOWED
        | _in("interpreter", "flattening")
        | _in("interpreter/wasm", "program_analysis", "frames", "rule_writer"),
    ),
    Stranger(FLAT, "Instruction", INSTRUCTIONS | _in("interpreter", "flat_listing")),
]


@pytest.fixture
def complaints(tmp_path):
    """What mypy says of the packages with all strangers: of each, the modules that do not know it.

    It begins with what it knows from the last time, if there was one.
    """
    for package in ("rulespec", "interpreter"):
        shutil.copytree(ROOT / package, tmp_path / package)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for stranger in STRANGERS:
        _add(tmp_path / stranger.file, stranger)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--no-pretty",
        "--cache-dir",
        str(ROOT / ".mypy_cache/strangers"),
    ]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 1, found.stdout + found.stderr
    told = {stranger.name: set() for stranger in STRANGERS}
    for line in found.stdout.splitlines():
        place = re.match(
            r'(\S+?):\d+: error: Argument 1 to "assert_never" has .* type "(.*)";', line
        )
        for name in re.findall(r"Strange\w+", place[2]) if place else ():
            told[name].add(place[1])
    return told


def _add(file, stranger):
    text = file.read_text()
    head = re.search(rf"^{stranger.union}: TypeAlias = \(?", text, re.MULTILINE)
    own = f"@frozen\nclass {stranger.name}:\n    span: object\n\n\n"
    file.write_text(f"{text[: head.start()]}{own}{head[0]}{stranger.name} | {text[head.end() :]}")


@pytest.mark.check
def test_every_pass_is_named_that_does_not_know_a_stranger(complaints):
    wanted = {stranger.name: stranger.wanted for stranger in STRANGERS}

    assert complaints == wanted


# ---- Matches ---------------------------------------------------------------------------------------

# Each with the reason why it need not know all nodes.
OPEN = {
    "rulespec/checking/calls.py _collect": "walks through the parts of any node",
    "rulespec/checking/citations.py _inside": "walks through the parts of any node",
    "rulespec/checking/substitution.py _replace": "walks through the parts of any node",
    "rulespec/checking/usage.py _read_names": "walks through the parts of any node",
    "rulespec/mutants.py _nodes": "is given every node of a tree, and changes some",
    "rulespec/checking/soundness.py _asked": "is given every node of a tree, and knows what names",
    "rulespec/editing/text_analysis.py _inside": "is given every node of a tree, and knows what binds",
    "rulespec/editing/mentions.py _inside": "is given every node of a tree, and knows what names",
    "rulespec/editing/vocabulary.py _bound": "is given every node of a tree, and knows what binds",
    "rulespec/syntax/node_checks.py _check_perform": "tells of any value that is no call",
    "rulespec/varying.py _items": "goes into what holds declarations, and passes on the others",
    "rulespec/varying.py _sites": "is given every declaration, and knows which have numbers",
    "interpreter/lab/unused.py _called_in": "follows jumps and calls; all others go on",
    "interpreter/lab/unused.py _targets": "is given every instruction, and knows which call",
}
# These are being rewritten.
LATER = ()
TREES = re.compile(r"(nodes|flat|tree)\.[A-Z]\w+")


def _matches():
    """All matches over nodes or instructions: where, and whether they are closed."""
    for package in ("rulespec", "interpreter"):
        for file in sorted((ROOT / package).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            if not path.startswith(LATER):
                for function in ast.walk(ast.parse(file.read_text())):
                    if isinstance(function, ast.FunctionDef):
                        yield from ((path, function, each) for each in _own_matches(function))


def _own_matches(function):
    for each in ast.walk(function):
        if isinstance(each, ast.Match):
            kinds = [kind for case in each.cases for kind in _kinds(case.pattern)]
            if any(TREES.fullmatch(kind) for kind in kinds):
                yield each


def _kinds(pattern):
    """The classes of which what is matched may be one; not those of its parts."""
    match pattern:
        case ast.MatchClass():
            yield ast.unparse(pattern.cls)
        case ast.MatchOr():
            for each in pattern.patterns:
                yield from _kinds(each)
        case ast.MatchAs() if pattern.pattern is not None:
            yield from _kinds(pattern.pattern)


def _is_closed(function, found):
    """The last case is for what cannot be, and the type checker knows what can."""
    last = found.cases[-1]
    subject = ast.unparse(found.subject)
    never = ast.unparse(last).strip() == f"case _:\n    assert_never({subject})"
    arguments = [*function.args.args, *function.args.kwonlyargs]
    typed = all(
        each.annotation is None or ast.unparse(each.annotation) != "Any"
        for each in arguments
        if each.arg == subject
    )
    return never and typed


def test_no_match_over_nodes_ends_in_silence():
    found = [
        (f"{path} {function.name}", _is_closed(function, each))
        for path, function, each in _matches()
    ]

    assert len(found) > 60
    assert {place for place, closed in found if not closed} == OPEN.keys()

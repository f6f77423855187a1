"""The import contracts -> the picture of the architecture, `docs/assets/architecture.svg`.

`python docs/architecture.py` draws it anew; a test compares. The order of the packages is that of the contracts in
`pyproject.toml`, so a picture cannot say anything else than `make check` enforces. What each package makes is said
here.
"""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs/assets/architecture.svg"
PIPELINE = "Imports point down the pipeline"
MACHINE = "The machine is built step by step"

# The path of a game, in the order of the path: package, what it does, and what it gives to the next one.
PATH = (
    ("rulespec.syntax", "grammar, tree, messages for lines that do not parse", "tree"),
    ("rulespec.checking", "layers, names, types, tables, flow", "program"),
    ("rulespec.elaboration", "every type and every conversion written out", "core"),
    ("rulespec.secrets", "who knows what, and what nobody should learn", "checked core"),
    ("interpreter", "the reference: flat code, steps, options, observations", "state and story"),
    ("interpreter.shown", "pictures, offers, reasons", "what is shown"),
)
# What stands beside the path: what it begins with, and what it is for.
BESIDE = (
    ("rulespec.core", "rulespec.elaboration", "what the core is: types, operations, statements"),
    ("rulespec.editing", "rulespec.checking", "what editors ask about a text"),
    ("rulespec.docgen", "rulespec.secrets", "rulebooks and this site"),
    ("interpreter.wasm", "interpreter", "the fast engine, from the same core"),
)
# What uses the engines, and shows nothing.
USERS = (
    ("interpreter.bots", "players"),
    ("interpreter.lab", "measures"),
    ("interpreter.verifying", "proves"),
    ("interpreter.research", "tensors, batches"),
)
# Where the path ends.
FACES = (
    ("rulespec.lsp", "an editor"),
    ("rulespec.cli", "a terminal"),
    ("rulespec.playground", "a page"),
)
WIDTH, ROW, HIGH = 880, 78, 48


def layers(name: str) -> list[str]:
    """The layers of a contract, the highest first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    found = next(each["layers"] for each in contracts["contracts"] if each["name"] == name)
    return [one for layer in found for one in layer.split(" | ")]


def draw() -> str:
    """The picture, if the contracts say the same."""
    _check()
    rows = [_text(20, 24, "a text of rules")]
    for n, (package, what, gives) in enumerate(PATH):
        y = 36 + n * ROW
        rows += [_box(20, y, 420, package, what), _arrow(60, y + HIGH, y + ROW)]
        rows.append(_text(74, y + HIGH + 20, gives))
        for other, beside, about in BESIDE:
            if beside == package:
                rows += [_box(480, y, 380, other, about), _side(440, 480, y + HIGH // 2)]
    low = 36 + len(PATH) * ROW
    rows += _row(FACES, low)
    rows.append(_text(20, low + HIGH + 28, "beside it, on the engines alone"))
    rows += _row(USERS, low + HIGH + 40)
    height = low + 2 * HIGH + 52
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="architecture" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="Packages from the text of a game down to what players see of it" '
        'fill="none" stroke="currentColor" font-family="inherit" font-size="13">'
    )
    return "\n".join([head, *rows, "</svg>", ""])


def _check() -> None:
    """A package on the path imports from those above it in the picture, and never the other way round."""
    order, inner = layers(PIPELINE), layers(MACHINE)
    path = [package for package, *_ in PATH if package in order]
    if path != sorted(path, key=order.index, reverse=True):
        raise ValueError("the contracts have another order than the picture")
    drawn = {each[0] for rows in (PATH, BESIDE, USERS, FACES) for each in rows}
    missing = {each for each in drawn if each not in order}
    if any(each.removeprefix("interpreter.") not in inner for each in missing):
        raise ValueError("a package of the picture is in no contract")
    faces = [order.index(package) for package, _ in FACES]
    if max(faces) > order.index("interpreter"):
        raise ValueError("a face of the project stands below the engine")


def _row(cells: tuple[tuple[str, str], ...], y: int) -> list[str]:
    wide = (WIDTH - 40 - 12 * (len(cells) - 1)) // len(cells)
    return [_box(20 + n * (wide + 12), y, wide, *cell) for n, cell in enumerate(cells)]


def _box(x: int, y: int, wide: int, name: str, what: str) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{wide}" height="{HIGH}" rx="6"/>'
        f"{_text(x + 12, y + 20, name, 'bold')}{_text(x + 12, y + 38, what)}"
    )


def _text(x: int, y: int, words: str, weight: str = "normal") -> str:
    return f'<text x="{x}" y="{y}" font-weight="{weight}" fill="currentColor" stroke="none">{words}</text>'


def _arrow(x: int, top: int, low: int) -> str:
    return f'<path d="M{x} {top}V{low}m-4 -6l4 6l4 -6"/>'


def _side(left: int, right: int, y: int) -> str:
    return f'<path d="M{left} {y}H{right}"/>'


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")

"""The tree-sitter grammar for Helix, Zed and Neovim, written from the words of the language.

`python editors/tree-sitter/write.py` writes the grammar; if `tree-sitter` is installed, version 0.25 or later, the
parser too, which is kept because these editors compile it themselves.
"""

import shutil
import subprocess
from pathlib import Path

from rulespec.docgen.treesitter import HIGHLIGHTS, about_text, tree_sitter_text

HOME = Path(__file__).parent
FILES = {
    "src/grammar.json": tree_sitter_text,
    "queries/highlights.scm": lambda: HIGHLIGHTS,
    "tree-sitter.json": about_text,
}


def main() -> None:
    """Write what has changed, and the parser if the grammar has."""
    before = (HOME / "src/grammar.json").read_text("utf-8")
    for name, text in FILES.items():
        (HOME / name).write_text(text(), "utf-8")
    if before == tree_sitter_text():
        return
    command = shutil.which("tree-sitter")
    if command is None:
        print("the words have changed: install tree-sitter, and run this again, for a new parser")
        (HOME / "src/grammar.json").write_text(before, "utf-8")
        return
    subprocess.run([command, "generate", "src/grammar.json"], cwd=HOME, check=True)  # noqa: S603 - found above


if __name__ == "__main__":
    main()

"""How long an editor waits after a key: the language server on The Deadlies, through a real client.

Types a name letter by letter in a rule, and after each letter measures the time until what does not parse is told,
until completion, the outline and the colours are there, and, after a pause, until the whole file has been checked.
"""

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from lsprotocol import types

from lsp_editor import Editor  # the tests' own
from rulespec.loading import GAMES

WORD = "move top(deck, 2) to hand[p]"
MOST = 0.1  # seconds, on a machine that does nothing else


def main() -> None:
    """Measure, and print the median and the worst of each."""
    times: dict[str, list[float]] = {}

    def note(what: str, begun: float) -> None:
        times.setdefault(what, []).append(time.perf_counter() - begun)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deadlies.rules"
        shutil.copy(GAMES / "deadlies.rules", path)
        editor = Editor()
        begun = time.perf_counter()
        uri = editor.open(path)
        editor.findings(uri, lambda _: True)
        note("opening, first findings", begun)
        line = "  shuffle deck\n"
        editor.type(uri, line, f"{line}  |\n")
        for number in range(len(WORD)):
            told = len(editor.published[uri])
            begun = time.perf_counter()
            editor.type(uri, f"  {WORD[:number]}|", f"  {WORD[: number + 1]}|")
            while len(editor.published[uri]) == told:
                time.sleep(0.0005)
            note("a key, until what does not parse is told", begun)
            begun = time.perf_counter()
            place = editor.at(uri, f"  {WORD[: number + 1]}|", 3 + number)
            editor.ask(types.TEXT_DOCUMENT_COMPLETION, **place)
            note("completion", begun)
            begun = time.perf_counter()
            editor.ask(types.TEXT_DOCUMENT_HOVER, **place)
            note("what a name is", begun)
            begun = time.perf_counter()
            editor.ask(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, **editor.text(uri))
            note("the outline", begun)
            begun = time.perf_counter()
            editor.ask(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, **editor.text(uri))
            note("the colours", begun)
            if number % 3 == 0:
                time.sleep(0.3)  # so that a check of the whole file begins, and is in the way
        told = len(editor.published[uri])
        begun = time.perf_counter()
        editor.type(uri, f"  {WORD}|", f"  {WORD}")
        while len(editor.published[uri]) < told + 2:
            time.sleep(0.0005)
        note("a key, until all is checked (with the pause of 0.25 s)", begun)
        editor.leave()
    for what, found in times.items():
        middle, worst = 1000 * statistics.median(found), 1000 * max(found)
        print(f"{what:56} {middle:7.1f} ms   at worst {worst:7.1f} ms   of {len(found)}")


if __name__ == "__main__":
    main()

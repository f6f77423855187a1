"""A file of rules -> a splash screen with its title, while the rules are read and checked.

It appears on the screen that the table takes over, and imports next to nothing: call `show_splash` before the slow
imports, and `close_splash` if there will be no table after all.
"""

import re
import shutil
import sys

from rulespec import loading

# To the alternate screen without a cursor, and back. Textual sends the same again, which does no harm.
_ENTER, _LEAVE = "\033[?1049h\033[?25l\033[H\033[2J", "\033[?25h\033[?1049l"
_TITLE = re.compile(r'^game "(?P<title>[^"]+)"', re.MULTILINE)


def glanced_title(file: str) -> str:
    """The title in the first lines of a file; the name of the file if there is none.

    >>> glanced_title("sins.rules")
    '7 – The Sins'
    """
    try:
        text = loading.read_bytes(loading.find_rules(file)).decode("utf-8", "replace")
    except loading.NotFound:
        return file
    found = _TITLE.search(text)
    return found["title"] if found is not None else file


def show_splash(file: str) -> None:
    """Show the title of a game in the middle of the screen."""
    width, height = shutil.get_terminal_size()
    lines = (glanced_title(file), "", "The table is being laid.")
    top = max(1, (height - len(lines)) // 2)
    placed = [
        f"\033[{top + n};{max(1, (width - len(line)) // 2 + 1)}H{line[:width]}"
        for n, line in enumerate(lines)
    ]
    sys.stdout.write(_ENTER + "".join(placed))
    sys.stdout.flush()


def close_splash() -> None:
    """Go back to the normal screen, to print what is wrong."""
    sys.stdout.write(_LEAVE)
    sys.stdout.flush()

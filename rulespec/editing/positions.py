"""Places as an editor counts them -> as the language does, and back.

Editors count UTF-16 units, and keep letters as they were typed, where the language reads composed ones. Both
matter only in texts that are not plain.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from rulespec import loading

# What is composed by itself: nothing composes with an ASCII character before which it stands.
_RUN = re.compile(r"\r\n|\ufeff|[\x00-\x7f]?[^\x00-\x7f\ufeff]*")


def units(text: str) -> int:
    """How many UTF-16 units a text has.

    >>> units("aé𝄞")
    4
    """
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


@lru_cache(maxsize=4)
def _is_tidy(typed: str) -> bool:
    """Whether a text is read as it was typed, as nearly all are."""
    return loading.tidy(typed) == typed


def to_units(typed: str, offset: int) -> int:
    """Where in the text that was typed something stands that was read at an offset.

    >>> to_units("a𝄞b", 2), to_units("e\u0301x", 1), to_units("a\\r\\nb", 2)
    (3, 2, 3)
    """
    if _is_tidy(typed):
        return units(typed[:offset])
    read = counted = 0
    for run, tidied in _runs(typed):
        if read + len(tidied) > offset:
            # In the middle of a run that was composed nobody knows better than its beginning.
            return counted + (units(run[: offset - read]) if run == tidied else 0)
        read += len(tidied)
        counted += units(run)
    return counted


def from_units(typed: str, unit: int) -> int:
    """The offset in the text that was read of a unit of the text that was typed.

    >>> from_units("a𝄞b", 3), from_units("e\u0301x", 2), from_units("a\\r\\nb", 3)
    (2, 1, 2)
    """
    if _is_tidy(typed):
        counted = typed.encode("utf-16-le", "surrogatepass")[: 2 * max(0, unit)]
        begin = counted.decode("utf-16-le", "surrogatepass")
        # Half of a letter does not count.
        return len(begin) if typed.startswith(begin) else len(begin) - 1
    read = passed = 0
    for run, tidied in _runs(typed):
        if passed + units(run) > unit:
            break
        passed += units(run)
        read += len(tidied)
    return read


def _runs(typed: str) -> Iterator[tuple[str, str]]:
    """Parts of a text that was changed by reading, each with what it became."""
    plain = typed.removeprefix("\ufeff").replace("\r\n", "\n")
    is_composed = loading.tidy(typed) != plain
    for place, run in enumerate(_RUN.findall(typed)):
        if run == "\r\n":
            yield run, "\n"
        elif run == "\ufeff" and place == 0:
            yield run, ""
        else:
            yield run, unicodedata.normalize("NFC", run) if is_composed else run


def line_and_column(typed: str, offset: int) -> tuple[int, int]:
    """The line of something that was read at an offset, and its column in units; both count from 0.

    >>> line_and_column("a\\n𝄞b", 3), line_and_column("a\\r\\n𝄞b", 3)
    ((1, 2), (1, 2))
    """
    if _is_tidy(typed):
        line = bisect_right(_starts(typed), offset) - 1
        return line, units(typed[_starts(typed)[line] : offset])
    unit = to_units(typed, offset)
    before = typed.encode("utf-16-le", "surrogatepass")[: 2 * unit].decode("utf-16-le", "replace")
    return before.count("\n"), units(before[before.rfind("\n") + 1 :])


def offset_of(typed: str, line: int, column: int) -> int:
    """The offset in the text that was read of a line and a column in units.

    >>> offset_of("a\\n𝄞b", 1, 2), offset_of("a\\r\\n𝄞b", 1, 2), offset_of("a", 7, 0)
    (3, 3, 1)
    """
    starts = _starts(typed)
    if line >= len(starts):
        return len(loading.tidy(typed))
    end = starts[line + 1] - 1 if line + 1 < len(starts) else len(typed)
    text = typed[starts[line] : end]
    if _is_tidy(typed):
        return starts[line] + from_units(text, min(column, units(text)))
    return from_units(typed, units(typed[: starts[line]]) + min(column, units(text)))


@lru_cache(maxsize=8)
def _starts(typed: str) -> list[int]:
    """Where lines begin."""
    return [0, *(found.end() for found in re.finditer("\n", typed))]

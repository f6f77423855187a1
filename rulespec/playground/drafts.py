"""Rules as they are sent -> what the language reads, by the name under which its author knows it.

The text in the editor is one file. What it extends or uses is found among the shipped files, and nowhere
else: the folder in which it seems to lie is never there.
"""

from functools import lru_cache
from pathlib import Path, PurePosixPath

from attrs import frozen

from rulespec import loading
from rulespec.source import Source

FOLDER = Path("/playground")
LONGEST_NAME = 60
FALLBACK = "draft.rules"


@frozen
class Draft:
    """What is in the editor, and how it is to be played."""

    file: str
    text: str
    variants: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def path(self) -> Path:
        """Where its neighbours are looked for."""
        return FOLDER / self.file

    @property
    def source(self) -> Source:
        """The text as the language reads it."""
        return _source(self.file, self.text)


@lru_cache(maxsize=4)
def _source(file: str, text: str) -> Source:
    return Source(file, loading.tidy(text))


def file_name(wish: str) -> str:
    """A name that can stand for a file: the last part of a path, if that will do.

    >>> file_name("mine/my sins.rules"), file_name("../.."), file_name("well")
    ('my sins.rules', 'draft.rules', 'well.rules')
    """
    name = PurePosixPath(wish.replace("\\", "/")).name
    if not name.isprintable() or name.strip(". ") != name or not 0 < len(name) <= LONGEST_NAME:
        return FALLBACK
    return name if name.endswith(".rules") else f"{name}.rules"

"""Work that makes a great many objects, none of which go in circles: without looking for circles meanwhile.

Python looks through all young objects whenever some hundreds have been made, and now and then through all
there are. While a tree grows every look finds all of it alive, and that is a tenth of the time of a check.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def leave_garbage() -> Iterator[None]:
    """Collect no garbage inside of this; whatever is no longer used is freed all the same.

    >>> with leave_garbage():
    ...     gc.isenabled()
    False
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def collect_garbage() -> None:
    """If it was left, collect garbage from now on, but never among what is there: programs and rules stay.

    >>> with leave_garbage():
    ...     collect_garbage()
    ...     gc.isenabled()
    True
    """
    if not gc.isenabled():
        gc.freeze()
        gc.enable()

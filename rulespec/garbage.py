"""Work that makes a great many objects, none of which go in circles: without looking for circles meanwhile.

Python looks through all young objects whenever some hundreds have been made, and now and then through all
there are. While a tree grows every look finds all of it alive, and that is a tenth of the time of a check.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

OFTEN = 30
_times = count(1)


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
            _grow_old()
            gc.enable()


def _grow_old() -> None:
    """Let all objects count as old: what was made is in use, and the next look would go through all of it.

    Python looks at everything when enough objects have grown old by themselves, which does not come true
    where this is done all the time: now and then everything is looked at here. Whoever has frozen objects
    keeps them so.
    """
    if next(_times) % OFTEN == 0:
        gc.collect()
    elif hasattr(gc, "freeze") and not gc.get_freeze_count():  # PyPy has another collector
        gc.freeze()
        gc.unfreeze()


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

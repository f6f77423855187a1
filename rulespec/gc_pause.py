"""A block of code -> the same block, while Python's cyclic garbage collector is paused.

The collector goes through young objects whenever some hundreds have been made, and now and then through all. While a
tree or a program is built all of them are in use, so it finds nothing, and loading a game takes a tenth longer.
Objects that are not in a cycle are freed at once all the same: by their reference count.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Pause the collector inside the block; an outer block that has paused it keeps it paused.

    >>> with pause_garbage_collection():
    ...     with pause_garbage_collection():
    ...         pass
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()

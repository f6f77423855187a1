"""Whether each of several looks can have a piece of its own.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def pair_up(l: List, looks: Masks, count: i64) -> bool:
    # Whether each look can have a piece of its own: paths that make room are searched, one look after the other.
    if l.n != count:
        return False
    for i in range(count):
        PLACE[i] = -1
    for n in range(count):
        if not make_room(l, looks, count, n):
            return False
    return True


def make_room(l: List, looks: Masks, count: i64, n: i64) -> bool:
    # Breadth first: TAKEN is the look from which each piece was reached, or -1.
    for i in range(count):
        TAKEN[i] = -1
    WAYS[0] = n
    head = 0
    end = 1
    spend(count * count)
    while head < end:
        look = WAYS[head]
        head += 1
        for i in range(count):
            if TAKEN[i] < 0:
                if l.v[i] in looks.m[look]:
                    TAKEN[i] = look
                    if PLACE[i] < 0:
                        # Go back along the path, and let everybody change places.
                        while True:
                            owner = TAKEN[i]
                            before = 0 - 1
                            for k in range(count):
                                if PLACE[k] == owner:
                                    before = k
                            PLACE[i] = owner
                            if before < 0:
                                return True
                            PLACE[before] = 0 - 1
                            i = before
                    else:
                        WAYS[end] = PLACE[i]
                        end += 1
    return False

"""Records of what happens: LOG is the address of the next word, or 0, followed by the end of the room.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def log(v: i64):
    w: Word = LOG[0]
    if LOG[0] >= LOG[1]:
        fault()
    w.w = v
    LOG[0] = LOG[0] + 8


def log_list(l: List):
    log(l.n)
    for i in range(l.n):
        log(l.v[i])


def log_sets(sets: Sets):
    log(sets.n)
    for n in range(sets.n):
        log_list(member(sets, n))

"""Who wins, and options written down. `rank` is that of a game.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def tell(s: State, v: i64):
    w: Word = s.told
    if i64(s.told) >= MAIL[3]:
        fault()
    w.w = v
    s.told = s.told + 8


def tell_list(s: State, l: List):
    tell(s, l.n)
    for i in range(l.n):
        tell(s, l.v[i])


def winners(rows: Numbers) -> i64:
    # Who has won: a bit for each seat. What is none is worse than any value.
    found = 0
    for p in range(PLAYERS):
        order = 0
        for q in range(PLAYERS):
            order = 0
            row = 0
            while row < COMPARED and order == 0:
                mine = rows.v[row + 1 + p]
                other = rows.v[row + 1 + q]
                if mine != other:
                    if mine == NONE or other == NONE:
                        order = 1 if mine == NONE else -1
                    else:
                        order = 1 if (mine < other) == (rows.v[row] == 1) else -1
                row += PLAYERS + 1
            if order > 0:
                break
        # WON and DRAWN are where these keys begin, or 0.
        if order <= 0 and (WON == 0 or rows.v[WON + p] != 0) and (DRAWN == 0 or rows.v[DRAWN + p] == 0):
            found |= 1 << p
    return found


def list_winners(s: State, l: List):
    rank(s, RANKS)
    found = winners(RANKS)
    l.n = 0
    for p in range(PLAYERS):
        if (found >> p & 1) != 0:
            add(l, p)

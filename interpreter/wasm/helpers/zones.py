"""Where pieces lie.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


# ---- Where pieces lie ----------------------------------------------------------------------------


@inline
def top_of(p: Pile) -> i64:
    n = p.n
    return p.v[n - 1] if n > 0 else NONE


@inline
def drop_top(p: Pile):
    p.n -= 1


@inline
def put_on(p: Pile, c: i64):
    n = p.n
    p.v[n] = c
    p.n = n + 1


def put_under(p: Pile, c: i64):
    for i in range(p.n, 0, -1):
        p.v[i] = p.v[i - 1]
    p.v[0] = c
    p.n += 1


def insert(p: Pile, c: i64, position: i64):
    # At a position, which is 1 at the top; those beyond the last are the bottom.
    at = p.n - position + 1
    if at < 0:
        at = 0
    for i in range(p.n, at, -1):
        p.v[i] = p.v[i - 1]
    p.v[at] = c
    p.n += 1


def put_mask_on(p: Pile, m: mask):
    # The lowest piece ends up on top.
    n = p.n + bits(m)
    p.n = n
    for c in m:
        n -= 1
        p.v[n] = c


def add_zone(s: State, l: List, z: i64):
    if IS_POOL[z]:
        pool: Pool = s + ZONE_AT[z]
        for c in pool.m:
            add(l, c)
    else:
        p: Pile = s + ZONE_AT[z]
        for i in range(p.n, 0, -1):
            add(l, p.v[i - 1])


def add_zones(s: State, l: List, first: i64, count: i64):
    for n in range(count):
        add_zone(s, l, first + n)


def position_of(p: Pile, c: i64) -> i64:
    # Where a piece lies in a pile, from 0 at the bottom, or -1: eight bytes are looked at together.
    n = p.n
    ones: u64 = 0x0001000100010001 if WIDE else 0x0101010101010101
    wanted = u64(c) * ones
    i = 0
    while i < n:
        w: Word = p + 4 + (i << WIDE)
        x = u64(w.w) ^ wanted
        # The lowest part of a number that is 0 keeps the highest bit of that part.
        found = (x - ones) & ~x & (ones << (15 if WIDE else 7))
        if found:
            i += ctz(found) >> (3 + WIDE)
            return i if i < n else 0 - 1
        i += 8 >> WIDE
    return 0 - 1


def take_at(p: Pile, i: i64):
    n = p.n - 1
    p.n = n
    for k in range(i, n):
        p.v[k] = p.v[k + 1]


def scoop(s: State, m: mask):
    if not m:
        return
    for z in range(ZONES):
        if IS_POOL[z]:
            pool: Pool = s + ZONE_AT[z]
            found = pool.m & m
            if found:
                pool.m = pool.m ^ found
                m ^= found
    if not m:
        return
    for z in range(ZONES):
        if not IS_POOL[z]:
            p: Pile = s + ZONE_AT[z]
            kept: i64 = 0
            for i in range(p.n):
                c = p.v[i]
                if c not in m:
                    p.v[kept] = c
                    kept += 1
            p.n = kept


def put(s: State, c: i64, z: i64, under: i64):
    if IS_POOL[z]:
        put_in(s + ZONE_AT[z], c)
    elif under:
        put_under(s + ZONE_AT[z], c)
    else:
        put_on(s + ZONE_AT[z], c)


def put_at(s: State, c: i64, z: i64, position: i64):
    if IS_POOL[z]:
        put_in(s + ZONE_AT[z], c)
    else:
        insert(s + ZONE_AT[z], c, position)


def distinct(s: State, out: List, l: List):
    # Pieces without those that look like an earlier one: in a pile the place counts.
    out.n = 0
    for i in range(l.n):
        c = l.v[i]
        z = zone_of(s, c)
        again = 0
        if IS_POOL[z]:
            for k in range(out.n):
                if FACE[out.v[k]] == FACE[c]:
                    if zone_of(s, out.v[k]) == z:
                        again = 1
        if again == 0:
            add(out, c)


def turn_round(l: List):
    i = 0
    k = l.n - 1
    while i < k:
        kept = l.v[i]
        l.v[i] = l.v[k]
        l.v[k] = kept
        i += 1
        k -= 1


def put_pile_on(p: Pile, more: Pile):
    for i in range(more.n):
        put_on(p, more.v[i])

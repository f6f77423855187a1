"""Sets of pieces as masks, small sets of numbers, and lists.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


# ---- Masks ---------------------------------------------------------------------------------------


@inline
def first_of(m: mask) -> i64:
    return lowest(m) if m else NONE


def nth(m: mask, n: i64) -> i64:
    while n > 0:
        m = rest(m)
        n -= 1
    return lowest(m) if m else NONE


def first_bits(m: mask, count: i64) -> mask:
    found: mask = 0
    for c in m:
        if count <= 0:
            break
        found |= bit(c)
        count -= 1
    return found


def first_alike(m: mask) -> mask:
    for c in m & COPIES[0]:
        if m & EARLIER[c]:
            m &= ~bit(c)
    return m


@inline
def flip(at: Pool, c: i64):
    w: Word = at + (c >> 6 << 3)
    w.w ^= 1 << c


@inline
def put_in(at: Pool, c: i64):
    w: Word = at + (c >> 6 << 3)
    w.w |= 1 << c


@inline
def lies_in(at: Pool, c: i64) -> bool:
    w: Word = at + (c >> 6 << 3)
    return (w.w >> c & 1) != 0


# ---- Small sets: numbers below 64, in their order ------------------------------------------------


@inline
def small_has(x: u64, v: i64) -> bool:
    return u64(v) < 64 and (x >> u64(v) & 1) != 0


def nth_small(x: u64, n: i64) -> i64:
    while n > 0:
        x &= x - 1
        n -= 1
    return ctz(x)


# ---- Lists ---------------------------------------------------------------------------------------


@inline
def add(l: List, v: i64):
    n = l.n
    l.v[n] = v
    l.n = n + 1


def holds(l: List, v: i64) -> bool:
    for i in range(l.n):
        if l.v[i] == v:
            return True
    return False


def position_in(l: List, v: i64) -> i64:
    # From 1, or none.
    for i in range(l.n):
        if l.v[i] == v:
            return i + 1
    return NONE


def add_new(l: List, v: i64):
    if not holds(l, v):
        add(l, v)


def add_in_order(l: List, v: i64):
    i = l.n
    while i > 0 and l.v[i - 1] >= v:
        i -= 1
    add_at(l, i, v)


def add_at(l: List, i: i64, v: i64):
    # Before those from here on, unless it is there.
    if i < l.n and l.v[i] == v:
        return
    add(l, v)
    for k in range(l.n - 1, i, -1):
        l.v[k] = l.v[k - 1]
    l.v[i] = v


def add_by_rank(l: List, v: i64, ranks: Numbers):
    # As `add_in_order`, where members have an order of their own.
    i = l.n
    while i > 0 and ranks.v[l.v[i - 1]] >= ranks.v[v]:
        i -= 1
    add_at(l, i, v)


def add_numbers(l: List, low: i64, high: i64):
    while low <= high:
        add(l, low)
        low += 1


def shorten(l: List, most: i64):
    if most < 0:
        most = 0
    if l.n > most:
        l.n = most


def same_list(a: List, b: List) -> bool:
    if a.n != b.n:
        return False
    for i in range(a.n):
        if a.v[i] != b.v[i]:
            return False
    return True


def same_set(a: List, b: List) -> bool:
    if a.n != b.n:
        return False
    for i in range(a.n):
        if not holds(b, a.v[i]):
            return False
    return True


def list_of_mask(l: List, m: mask):
    n: i64 = 0
    for c in m:
        l.v[n] = c
        n += 1
    l.n = n


def list_of_small(l: List, x: u64):
    n: i64 = 0
    while x:
        l.v[n] = ctz(x)
        x &= x - 1
        n += 1
    l.n = n


def list_of_pile(l: List, p: Pile):
    l.n = p.n
    for i in range(p.n):
        l.v[i] = p.v[p.n - 1 - i]


def mask_of_list(l: List) -> mask:
    m: mask = 0
    for i in range(l.n):
        m |= bit(l.v[i])
    return m


def mask_of_pile(p: Pile) -> mask:
    m: mask = 0
    for i in range(p.n):
        m |= bit(p.v[i])
    return m


def small_of_list(l: List) -> u64:
    x: u64 = 0
    for i in range(l.n):
        x |= 1 << u64(l.v[i])
    return x


def copy_list(to: List, source: List):
    # Most are so short that a call of `memory.copy` would take longer.
    n = source.n
    to.n = n
    for i in range(n):
        to.v[i] = source.v[i]


@inline
def head_of(l: List) -> i64:
    return l.v[0] if l.n > 0 else NONE


# ---- Room for lists ------------------------------------------------------------------------------


def room(size: i64) -> i32:
    # The arena grows down: a game that needs too much runs out of memory and traps.
    if size > ARENA:
        fault()
    SP[0] = SP[0] - i32(size)
    return SP[0]


def spend(cost: i64):
    FUEL[0] = FUEL[0] - cost
    if FUEL[0] < 0:
        fault()

"""Chance of the game, and dice of those who choose at random.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


# ---- Chance of the game: SplitMix64 --------------------------------------------------------------


@inline
def draw(s: State) -> u64:
    z = s.rng + 0x9E3779B97F4A7C15
    s.rng = z
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB
    return z ^ (z >> 31)


def below(s: State, n: u64) -> u64:
    if n == 1:
        return 0
    while True:
        drawn = draw(s)
        # So many of the highest draws are refused that all numbers are as likely.
        if drawn < 0xFFFFFFFFFFFFFFFF - n:
            return drawn % n
        if drawn <= 0xFFFFFFFFFFFFFFFF - (0xFFFFFFFFFFFFFFFF % n + 1) % n:
            return drawn % n
    return 0


def shuffle(s: State, p: Pile):
    last = p.n - 1
    for i in range(last, 0, -1):
        j = i64(below(s, u64(i + 1)))
        c = p.v[last - i]
        p.v[last - i] = p.v[last - j]
        p.v[last - j] = c


def shuffle_zone(s: State, z: i64):
    if IS_POOL[z]:
        fault()
    shuffle(s, s + ZONE_AT[z])


# ---- Dice of those who choose at random: the Mersenne Twister as Python seeds and reads it -------
# Eight games are seeded side by side: eight lanes are two vectors.


def gather_dice(cup: i32, seeds: i32, count: i64):
    for g in range(8):
        w: Word = seeds + (g if g < count else 0) * 8
        seed = u64(w.w)
        low: Cell = KEYS + g * 4
        high: Cell = KEYS + 32 + g * 4
        low.c = u32(seed)
        high.c = u32(seed >> 32) + 1 if seed >> 32 else u32(seed)
    first: u32 = 19650218
    at: Lane = cup
    for n in range(624):
        if n:
            first = (first ^ (first >> 30)) * 1812433253 + u32(n)
        at.a = splat(first)
        at.b = splat(first)
        at = at + 32
    keys: Lane = KEYS
    more: Lane = KEYS + 32
    a = splat(19650218)
    b = splat(19650218)
    at = cup + 32
    for n in range(312):
        a = (at.a ^ ((a ^ (a >> 30)) * 1664525)) + keys.a
        b = (at.b ^ ((b ^ (b >> 30)) * 1664525)) + keys.b
        at.a = a
        at.b = b
        at = at + 32
        if n == 311:
            at = cup + 32
        a = (at.a ^ ((a ^ (a >> 30)) * 1664525)) + more.a
        b = (at.b ^ ((b ^ (b >> 30)) * 1664525)) + more.b
        at.a = a
        at.b = b
        at = at + 32
    for n in range(2, 625):
        i = n
        if n == 624:
            i = 1
            at = cup + 32
        a = (at.a ^ ((a ^ (a >> 30)) * 1566083941)) - splat(u32(i))
        b = (at.b ^ ((b ^ (b >> 30)) * 1566083941)) - splat(u32(i))
        at.a = a
        at.b = b
        at = at + 32
    at = cup
    at.a = splat(0x80000000)
    at.b = splat(0x80000000)


@inline
def throw_die(s: State) -> u32:
    i = s.thrown
    after = 0 if i == 623 else i + 1
    far = i + 397 if i < 227 else i - 227
    cup = s.cup
    mine: Cell = cup + i * 32
    other: Cell = cup + after * 32
    third: Cell = cup + far * 32
    y = (mine.c & 0x80000000) | (other.c & 0x7FFFFFFF)
    y = third.c ^ (y >> 1) ^ ((0 - (y & 1)) & 0x9908B0DF)
    mine.c = y
    s.thrown = after
    y ^= y >> 11
    y ^= (y << 7) & 0x9D2C5680
    y ^= (y << 15) & 0xEFC60000
    return y ^ (y >> 18)


@inline
def scaled(x: u64, n: u64) -> u64:
    # The upper half of a product, for n below 2 ** 32.
    return ((x >> 32) * n + ((x & 0xFFFFFFFF) * n >> 32)) >> 32


@inline
def try_luck(s: State, count: i64) -> i64:
    luck = s.luck * 6364136223846793005 + 1442695040888963407
    s.luck = luck
    return i64(scaled(luck, u64(count)))


def choose(s: State, count: i64) -> i64:
    # The number of an option, or -1: then the game waits.
    n = s.chosen
    if n >= 0:
        s.chosen = -1
        s.count += 1
        if n >= count:
            fault()
        return n
    if s.most <= 0:
        s.options = count
        return -1
    s.most -= 1
    s.count += 1
    FUEL[0] = MOST_WORK
    if s.cup == 0:
        return try_luck(s, count)
    a = throw_die(s) >> 5
    b = throw_die(s) >> 6
    return i64((f64(a) * 67108864.0 + f64(b)) * 1.1102230246251565e-16 * f64(count))

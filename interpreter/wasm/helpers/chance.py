"""Chance of the game, and luck of players who choose at random.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


# ---- Chance of the game: SplitMix64 --------------------------------------------------------------


@inline
def mixed(z: u64) -> u64:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB
    return z ^ (z >> 31)


@inline
def draw(s: State) -> u64:
    z = s.rng + 0x9E3779B97F4A7C15
    s.rng = z
    return mixed(z)


def below(s: State, n: u64) -> u64:
    if n == 1:
        return 0
    while True:
        drawn = draw(s)
        # Reject the highest draws, so that all numbers are equally likely.
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


# ---- Luck of players who choose at random -----------------------------------------------------------


@inline
def scaled(x: u64, n: u64) -> u64:
    # The upper half of a product, for n below 2 ** 32.
    return ((x >> 32) * n + ((x & 0xFFFFFFFF) * n >> 32)) >> 32


def luck_for(seed: u64) -> u64:
    return mixed((seed ^ 0xFFFFFFFFFFFFFFFF) + 0x9E3779B97F4A7C15)


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
    return try_luck(s, count)


def ln(x: f64) -> f64:
    # The natural logarithm, the same on every machine: exponent, and a series for the rest.
    raw = bits_of(x)
    e = f64(i64(raw >> 52 & 0x7FF) - 1023)
    m = from_bits(raw & 0xFFFFFFFFFFFFF | 0x3FF0000000000000)
    z = (m - 1.0) / (m + 1.0)
    q = z * z
    t = (
        2.0
        * z
        * (
            1.0
            + q
            * (
                0.3333333333333333
                + q
                * (
                    0.2
                    + q * (0.14285714285714285 + q * (0.1111111111111111 + q * 0.09090909090909091))
                )
            )
        )
    )
    return t + e * 0.6931471805599453

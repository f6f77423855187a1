"""The subsets of one set, by size: how many there are, and the one with a number, by arithmetic.

The subsets of a size come in the order of their elements: those with the first element before those without it.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def ways(count: i64, size: i64) -> i64:
    # In how many ways so many can be taken of `count`; never more than MANY.
    if size < 0 or size > count:
        return 0
    if size > count - size:
        size = count - size
    if size < 2:
        return count if size else 1
    found = 1
    for n in range(1, size + 1):
        found = found * (count - size + n) // n
        if found > MANY:
            return MANY
    return found


def count_subsets(count: i64, low: i64, high: i64) -> i64:
    found = 0
    if low < 0:
        low = 0
    if high > count:
        high = count
    for size in range(low, high + 1):
        found += ways(count, size)
        if found > MANY:
            return MANY
    return found


def nth_subset(out: List, of: List, low: i64, number: i64):
    size = low if low > 0 else 0
    count = of.n
    some = ways(count, size)
    while number >= some:
        number -= some
        size += 1
        some = ways(count, size)
    out.n = 0
    i = 0
    while size > 0:
        some = ways(count - i - 1, size - 1)
        if number < some:
            add(out, of.v[i])
            size -= 1
        else:
            number -= some
        i += 1


def nth_small_subset(of: u64, low: i64, number: i64) -> u64:
    size = low if low > 0 else 0
    count = popcount(of)
    some = ways(count, size)
    while number >= some:
        number -= some
        size += 1
        some = ways(count, size)
    found: u64 = 0
    while size > 0:
        count -= 1
        some = ways(count, size - 1)
        if number < some:
            found |= of & (0 - of)
            size -= 1
        else:
            number -= some
        of &= of - 1
    return found

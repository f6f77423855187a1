"""Families whose members are listed: lists one after the other.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def member(sets: Sets, n: i64) -> i32:
    return sets + 8 + n * sets.stride


def new_sets(most: i64, stride: i64) -> i32:
    if most * stride > ARENA:
        fault()
    found: Sets = room(8 + most * stride)
    found.n = 0
    found.stride = stride
    return found


def list_family(f: Family) -> i32:
    count = count_family(f)
    if count > MOST_LISTED:
        fault()
    stride = 4 + 4 * bits(f.every)
    found: Sets = new_sets(count, stride)
    for n in range(count):
        nth_member(member(found, n), f, n)
        one: List = member(found, n)
        spend(1 + one.n)
    found.n = count
    return found


def list_subsets(of: List, low: i64, high: i64) -> i32:
    count = count_subsets(of.n, low, high)
    if count > MOST_LISTED:
        fault()
    found: Sets = new_sets(count, 4 + 4 * of.n)
    for n in range(count):
        nth_subset(member(found, n), of, low, n)
        one: List = member(found, n)
        spend(1 + one.n)
    found.n = count
    return found


def copy_sets(sets: Sets) -> i32:
    found: Sets = new_sets(sets.n, sets.stride)
    copy(found, sets, 8 + sets.n * sets.stride)
    return found


def has_set(sets: Sets, l: List) -> bool:
    for n in range(sets.n):
        spend(l.n + 1)
        if same_set(member(sets, n), l):
            return True
    return False


def add_set(sets: Sets, l: List):
    copy_list(member(sets, sets.n), l)
    sets.n += 1


def add_new_set(sets: Sets, l: List):
    if not has_set(sets, l):
        add_set(sets, l)


def join_sets(a: Sets, b: Sets) -> i32:
    stride = a.stride if a.stride > b.stride else b.stride
    found: Sets = new_sets(a.n + b.n, stride)
    for n in range(a.n):
        add_new_set(found, member(a, n))
    for n in range(b.n):
        add_new_set(found, member(b, n))
    return found


def sift_sets(a: Sets, b: Sets, among: i64) -> i32:
    # The members of a family that are in another one, or that are not.
    found: Sets = new_sets(a.n, a.stride)
    for n in range(a.n):
        if i64(has_set(b, member(a, n))) == among:
            add_set(found, member(a, n))
    return found


def look_alike(s: State, a: List, b: List) -> bool:
    # Whether two sets look alike: they have equally many pieces of every look.
    if a.n != b.n:
        return False
    for i in range(a.n):
        spend(a.n + b.n)
        mine = 0
        other = 0
        for k in range(a.n):
            if is_twin(s, a.v[k], a.v[i]):
                mine += 1
        for k in range(b.n):
            if is_twin(s, b.v[k], a.v[i]):
                other += 1
        if mine != other:
            return False
    return True


def first_looks(s: State, sets: Sets) -> i32:
    # The members without those that look like an earlier one.
    found: Sets = new_sets(sets.n, sets.stride)
    for n in range(sets.n):
        again = 0
        for k in range(found.n):
            if look_alike(s, member(found, k), member(sets, n)):
                again = 1
                break
        if again == 0:
            add_set(found, member(sets, n))
    return found


def keep_sets(to: Sets, sets: Sets, most: i64):
    # A permanent copy, if there is room for it.
    size = 8 + sets.n * sets.stride
    if size > most:
        fault()
    copy(to, sets, size)

"""Families of subsets: counted and numbered, and listed only where there is no other way.

`interpreter/families.py` says in which order their members are. A member is a mask of places in the list `of`.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


# ---- A family ------------------------------------------------------------------------------------


def begin_family(f: Family, kind: i64, every: mask, of: i32):
    # Members are masks of places in a list; of pieces themselves, if that list is EVERY_PIECE.
    f.kind = kind
    f.groups = 0
    f.overlap = 0
    f.alike = 0
    f.every = every
    f.of = of


def subsets_family(f: Family, of: List, low: i64, high: i64):
    if of.n > PLACES:
        fault()
    every: mask = 0
    for i in range(of.n):
        every |= bit(i)
    begin_family(f, SUBSETS, every, f + OF)
    f.low = low if low > 0 else 0
    f.high = high if high < of.n else of.n
    copy_list(f + OF, of)


def subsets_of_pieces(f: Family, pieces: mask, low: i64, high: i64):
    # The same of pieces in their own order.
    begin_family(f, SUBSETS, pieces, EVERY_PIECE)
    count = bits(pieces)
    f.low = low if low > 0 else 0
    f.high = high if high < count else count


def grouped(f: Family, of: List, kind: i64, values: i64, value: Numbers, having: Masks):
    # Pieces by a value: `having` are all pieces with each value, in the order of the values.
    subsets_family(f, of, 0, 0)
    f.kind = kind
    pieces: mask = 0
    for i in range(of.n):
        PLACE[of.v[i]] = i
        pieces |= bit(of.v[i])
    seen: mask = 0
    twice: mask = 0
    count = 0
    for k in range(values):
        places: mask = 0
        for c in pieces & having.m[k]:
            places |= bit(PLACE[c])
        if is_group(kind, places):
            f.value[count] = value.v[k]
            f.group[count] = places
            count += 1
            twice |= seen & places
            seen |= places
    end_groups(f, count, twice)


def grouped_pieces(f: Family, pieces: mask, kind: i64, values: i64, value: Numbers, having: Masks):
    # The same of pieces in their own order.
    begin_family(f, kind, pieces, EVERY_PIECE)
    seen: mask = 0
    twice: mask = 0
    count = 0
    nothing: mask = 0
    for k in range(values):
        # Without a branch, which would be unpredictable: the next one overwrites one that is no group.
        places = pieces & having.m[k]
        f.value[count] = value.v[k]
        f.group[count] = places
        kept = places if is_group(kind, places) else nothing
        count += 1 if kept else 0
        twice |= seen & kept
        seen |= kept
    end_groups(f, count, twice)


@inline
def is_group(kind: i64, places: mask) -> bool:
    # A single piece has no look-alikes.
    return bits(places) > (1 if kind == ALIKE else 0)


@inline
def end_groups(f: Family, count: i64, twice: mask):
    f.groups = count
    f.overlap = 1 if twice else 0
    if f.kind == RUNS and twice:
        fault()


# ---- Look-alikes ---------------------------------------------------------------------------------


def is_twin(s: State, c: i64, d: i64) -> bool:
    # Whether two pieces look alike: they have the same face, and lie in the same pool.
    if c == d:
        return True
    if FACE[c] != FACE[d]:
        return False
    z = zone_of(s, c)
    if not IS_POOL[z]:
        return False
    return zone_of(s, d) == z


def note_twins(s: State, f: Family):
    # Of each place the first one that looks like it, and whether two places look alike.
    of: List = f.of
    f.alike = 0
    for i in f.every:
        KEY[i] = i
        for k in f.every:
            if k >= i:
                break
            if KEY[k] == k:
                if is_twin(s, of.v[k], of.v[i]):
                    KEY[i] = k
                    f.alike = 1
                    break


@inline
def note_none(f: Family):
    f.alike = 0


# ---- Subsets of a size, by arithmetic ------------------------------------------------------------


def nth_of(places: mask, size: i64, number: i64):
    # The subset of a size with a number, if no two places look alike.
    found: mask = 0
    count = bits(places)
    for i in places:
        if size == 0:
            break
        count -= 1
        some = ways(count, size - 1)
        if number < some:
            found |= bit(i)
            size -= 1
        else:
            number -= some
    FOUND[0] = found


def fill_rooms(every: mask, places: mask):
    for i in every:
        ROOM[i] = 0
    for i in places:
        ROOM[KEY[i]] = ROOM[KEY[i]] + 1


def selections(every: mask, size: i64) -> i64:
    # The number of ways to take `size` pieces, of each look at most its room.
    WAYS[0] = 1
    for n in range(1, size + 1):
        WAYS[n] = 0
    spend(bits(every) * (size + 1))
    for k in every:
        most = ROOM[k]
        if most > 0:
            for n in range(size, 0, -1):
                total = WAYS[n]
                for m in range(1, most + 1):
                    if m > n:
                        break
                    total += WAYS[n - m]
                WAYS[n] = total if total < MANY else MANY
    return WAYS[size]


def nth_pick(every: mask, places: mask, size: i64, number: i64):
    # The member with a number, of those that are picked from places; of look-alikes the first come first.
    fill_rooms(every, places)
    found: mask = 0
    shut: mask = 0
    for i in places:
        if size == 0:
            break
        key = KEY[i]
        if key not in shut:
            ROOM[key] = ROOM[key] - 1
            some = selections(every, size - 1)
            if number < some:
                found |= bit(i)
                size -= 1
            else:
                number -= some
                shut |= bit(key)
                ROOM[key] = 0
    FOUND[0] = found


# ---- Groups that share elements: walked through --------------------------------------------------


def is_first(f: Family, m: mask, places: mask) -> bool:
    # Of look-alike sets, the first one has the first of all look-alike elements.
    if not f.alike:
        return True
    for i in m:
        for k in places:
            if k >= i:
                break
            if KEY[k] == KEY[i] and k not in m:
                return False
    return True


def walk_group(f: Family, group: i64, size: i64, number: i64) -> i64:
    # Through the subsets of a group that no earlier one has, up to the one with a number; how many were met.
    places = f.group[group]
    count = 0
    for i in places:
        PLACE[count] = i
        count += 1
    if count > MOST_WALKED:
        fault()
    for i in range(size):
        TAKEN[i] = i
    met = 0
    while True:
        m: mask = 0
        for i in range(size):
            m |= bit(PLACE[TAKEN[i]])
        spend(size + group)
        fresh = i64(is_first(f, m, places))
        for g in range(group):
            if not m & ~f.group[g]:
                fresh = 0
        if fresh:
            met += 1
            if met - 1 == number:
                FOUND[0] = m
                return met
        i = size - 1
        while i >= 0 and TAKEN[i] == count - size + i:
            i -= 1
        if i < 0:
            return met
        TAKEN[i] = TAKEN[i] + 1
        for k in range(i + 1, size):
            TAKEN[k] = TAKEN[k - 1] + 1
    return met


# ---- Runs ----------------------------------------------------------------------------------------


def note_columns(f: Family):
    # Of each group the elements of which a run may have one: of look-alikes the first.
    for k in range(f.groups):
        COLUMNS[k] = f.group[k]
        if f.alike:
            column: mask = 0
            seen: mask = 0
            for i in f.group[k]:
                if KEY[i] not in seen:
                    column |= bit(i)
                    seen |= bit(KEY[i])
            COLUMNS[k] = column


def nth_run(first: i64, last: i64, number: i64):
    # One element out of each of several groups whose values are next to each other.
    found: mask = 0
    for k in range(last, first - 1, -1):
        count = bits(COLUMNS[k])
        found |= bit(nth(COLUMNS[k], number % count))
        number = number // count
    FOUND[0] = found


def walk_runs(f: Family, number: i64) -> i64:
    note_columns(f)
    met = 0
    for first in range(f.groups):
        count = bits(COLUMNS[first])
        last = first + 1
        while last < f.groups and f.value[last] == f.value[last - 1] + 1:
            count *= bits(COLUMNS[last])
            if count > MANY:
                return MANY
            if number >= 0 and number < met + count:
                nth_run(first, last, number - met)
                return met + count
            met += count
            last += 1
    return met if met < MANY else MANY


# ---- The members of a family ---------------------------------------------------------------------


def picked(f: Family, places: mask, group: i64, size: i64, number: i64) -> i64:
    # The subsets of a size in a group: how many there are; the one with the number, if it is among them.
    if f.overlap:
        return walk_group(f, group, size, number)
    if not f.alike:
        some = ways(bits(places), size)
        if number >= 0 and number < some:
            nth_of(places, size, number)
        return some
    fill_rooms(f.every, places)
    some = selections(f.every, size)
    if number >= 0 and number < some:
        nth_pick(f.every, places, size, number)
    return some


def walk_sizes(f: Family, places: mask, group: i64, low: i64, high: i64, number: i64) -> i64:
    # The subsets of some sizes in a group, up to the one with a number, which is found; how many were met.
    met = 0
    for size in range(low, high + 1):
        if number >= 0 and met > number:
            break
        met += picked(f, places, group, size, number if number < 0 else number - met)
        if met > MANY:
            return MANY
    return met


def walk(f: Family, number: i64) -> i64:
    # All members, or those up to the one with a number, which is found; how many were met.
    if f.kind == SUBSETS:
        return walk_sizes(f, f.every, 0, f.low, f.high, number)
    if f.kind == RUNS:
        return walk_runs(f, number)
    met = 0
    by_count = not f.overlap and not f.alike
    for g in range(f.groups):
        if number >= 0 and met > number:
            break
        count = bits(f.group[g])
        every = (1 << count) - count - 1
        if by_count and count < 32 and (number < 0 or number >= met + every):
            met += every
        else:
            met += walk_sizes(f, f.group[g], g, 2, count, number if number < 0 else number - met)
        if met > MANY:
            return MANY
    return met


def has_member(f: Family) -> bool:
    if f.kind == SUBSETS:
        return f.low <= f.high
    if f.kind == ALIKE:
        return f.groups > 0
    for g in range(1, f.groups):
        if f.value[g] == f.value[g - 1] + 1:
            return True
    return False


def count_family(f: Family) -> i64:
    note_none(f)
    return walk(f, -1)


def at_places(out: List, of: List, m: mask):
    n = 0
    for i in m:
        out.v[n] = of.v[i]
        n += 1
    out.n = n


def nth_member(out: List, f: Family, number: i64):
    # Look-alikes are those that were noted last.
    walk(f, number)
    at_places(out, f.of, FOUND[0])


def in_family(l: List, f: Family) -> bool:
    # Whether a set is a member.
    of: List = f.of
    m: mask = 0
    for i in range(l.n):
        known = 0
        if f.of == EVERY_PIECE:
            if l.v[i] in f.every:
                m |= bit(l.v[i])
                known = 1
        else:
            for k in f.every:
                if of.v[k] == l.v[i]:
                    m |= bit(k)
                    known = 1
        if known == 0:
            return False
    size = bits(m)
    if f.kind == SUBSETS:
        return f.low <= size and size <= f.high
    if size < 2:
        return False
    if f.kind == ALIKE:
        for g in range(f.groups):
            if not m & ~f.group[g]:
                return True
        return False
    last = -1
    for g in range(f.groups):
        here = bits(m & f.group[g])
        if here > 1:
            return False
        if here == 1:
            if last >= 0:
                if last != g - 1 or f.value[g] != f.value[last] + 1:
                    return False
            last = g
    # A piece without a value is in no run.
    seen: mask = 0
    for g in range(f.groups):
        seen |= m & f.group[g]
    return bits(seen) == size

// Families of subsets: they are never listed, but walked through; see interpreter/families.py for their order.
// A member is a mask of places in the list `of`.

enum { SUBSETS, ALIKE, RUNS };
#define GROUPS 32  // values by which pieces can be grouped
#define MOST_WALKED 20  // places of a group: it has a million subsets

typedef struct {
    int32_t kind, groups;
    num low, high;  // of subsets: the sizes
    list of;
    num value[GROUPS];  // of runs: of each group the value, ascending
    mask group[GROUPS];
} family;

static inline list at_places(const list *of, mask m) {
    list found;
    found.n = 0;
    for (; m; m &= m - 1) found.v[found.n++] = of->v[lowest(m)];
    return found;
}

static family subsets_family(state *s, const list *of, num low, num high) {
    family f;
    if (of->n > (int)(8 * sizeof(mask))) leave(s, FAULT_LARGE);
    f.kind = SUBSETS;
    f.groups = 0;
    f.low = most(low, 0);
    f.high = least(high, of->n);
    f.of = *of;
    return f;
}

// Pieces by a value: `having` are all pieces with each value, in the order of the values.
static family grouped(state *s, const list *of, int kind, int values, const num *value, const mask *having) {
    family f = subsets_family(s, of, 0, 0);
    mask every = mask_of(of);
    f.kind = kind;
    for (int k = 0; k < values; k++) {
        mask places = 0;
        if (!(every & having[k])) continue;
        for (int i = 0; i < of->n; i++) places |= (mask)((having[k] & BIT(of->v[i])) != 0) << i;
        if (f.groups == GROUPS) leave(s, FAULT_LARGE);
        f.value[f.groups] = value[k];
        f.group[f.groups++] = places;
    }
    if (kind == RUNS) {  // of a piece with two values Python knows
        mask seen = 0;
        for (int k = 0; k < f.groups; seen |= f.group[k++]) if (seen & f.group[k]) leave(s, FAULT_LARGE);
    }
    return f;
}

// Of each place the earlier ones that look alike: in one pool pieces with the same face do. Whether there are any.
static int note_twins(state *s, const family *f, mask *twins) {
    if (!(mask_of(&f->of) & COPIES)) return 0;
    for (int i = 0; i < f->of.n; i++) {
        twins[i] = 0;
        for (int k = 0; k < i; k++)
            if (FACE[f->of.v[i]] == FACE[f->of.v[k]]) {
                num z = zone_of(s, f->of.v[i]);
                if (IS_POOL[z] && z == zone_of(s, f->of.v[k])) twins[i] |= BIT(k);
            }
    }
    return 1;
}

// Of sets that look alike the first has the first of all elements that do.
static inline int is_first(const mask *twins, mask m) {
    if (twins)
        for (mask rest = m; rest; rest &= rest - 1) if (twins[lowest(rest)] & ~m) return 0;
    return 1;
}

// Walk through the subsets of a size, in the order of their elements, up to the one with a number; how many were met.
static num walk_group(const family *f, const mask *twins, int group, num size, num number, mask *found) {
    mask places = group < 0 ? BIT(f->of.n) - 1 : f->group[group];
    int place[LIST], taken[LIST], count = 0;
    num met = 0;
    if (group < 0 && f->of.n == (int)(8 * sizeof(mask))) places = ~(mask)0;
    for (mask rest = places; rest; rest &= rest - 1) place[count++] = (int)lowest(rest);
    for (int i = 0; i < size; i++) taken[i] = i;
    while (1) {
        mask m = 0;
        for (int i = 0; i < size; i++) m |= BIT(place[taken[i]]);
        int fresh = is_first(twins, m);
        for (int g = 0; g < group && fresh; g++) fresh = (m & ~f->group[g]) != 0;
        if (fresh && met++ == number) { *found = m; return met; }
        int i = (int)size - 1;
        while (i >= 0 && taken[i] == count - size + i) i--;
        if (i < 0) return met;
        for (taken[i]++; ++i < size;) taken[i] = taken[i - 1] + 1;
    }
}

// Of runs: one element out of each of several groups with values next to each other.
static num walk_run(const family *f, const mask *twins, int first, int last, num number, mask *found) {
    num ways = 1;
    mask columns[GROUPS];
    for (int k = first; k <= last; k++) {
        columns[k] = f->group[k];
        for (mask rest = f->group[k]; rest && twins; rest &= rest - 1)
            if (twins[lowest(rest)] & f->group[k]) columns[k] ^= rest & -rest;
        ways *= bits(columns[k]);
    }
    if (number < 0 || number >= ways) return ways;
    *found = 0;
    for (int k = last; k >= first; k--) {
        num count = bits(columns[k]);
        *found |= BIT(nth(columns[k], number % count));
        number /= count;
    }
    return ways;
}

// All members up to the one with a number, or all if that is -1; how many were met.
static num walk(state *s, const family *f, const mask *twins, num number, mask *found) {
    num met = 0;
    if (f->kind == SUBSETS && f->of.n > MOST_WALKED && f->high > 2) leave(s, FAULT_LARGE);
    if (f->kind == SUBSETS)
        for (num size = f->low; size <= f->high && (number < 0 || met <= number); size++)
            met += walk_group(f, twins, -1, size, number < 0 ? -1 : number - met, found);
    if (f->kind == ALIKE)
        for (int g = 0; g < f->groups; g++) {
            if (bits(f->group[g]) > MOST_WALKED) leave(s, FAULT_LARGE);
            for (num size = 2; size <= bits(f->group[g]) && (number < 0 || met <= number); size++)
                met += walk_group(f, twins, g, size, number < 0 ? -1 : number - met, found);
        }
    if (f->kind == RUNS)
        for (int low = 0; low < f->groups; low++)
            for (int last = low + 1; last < f->groups && f->value[last] == f->value[last - 1] + 1; last++) {
                if (number >= 0 && met > number) return met;
                met += walk_run(f, twins, low, last, number < 0 ? -1 : number - met, found);
                if (met > MOST) leave(s, FAULT_LARGE);
            }
    return met;
}

static num count_members(state *s, const family *f) {
    mask none;
    return walk(s, f, NULL, -1, &none);
}

static num has_member(state *s, const family *f) {
    if (f->of.n > 30) leave(s, FAULT_LARGE);  // then there may be more than a number can be
    if (f->kind == SUBSETS) return f->low <= f->high;
    for (int g = 0; g < f->groups; g++) {
        if (f->kind == ALIKE && bits(f->group[g]) > 1) return 1;
        if (f->kind == RUNS && g && f->value[g] == f->value[g - 1] + 1) return 1;
    }
    return 0;
}

static list pick_member(state *s, const family *f, num pieces, num may) {
    mask twins[LIST], found = 0;
    const mask *alike = pieces && note_twins(s, f, twins) ? twins : NULL;
    num n = 0, all = walk(s, f, alike, -1, &found), count = all + may;
    if (count > 1) n = choose(s, count);
    else if (!count) leave(s, FAULT_EMPTY);
    if (n == all) return NOTHING;
    walk(s, f, alike, n, &found);
    return at_places(&f->of, found);
}

static list draw_member(state *s, const family *f) {
    mask found = 0;
    num all = count_members(s, f);
    if (!all) leave(s, FAULT_EMPTY);
    walk(s, f, NULL, (num)below(s, (uint64_t)all), &found);
    return at_places(&f->of, found);
}

// What all generated games stand on: sets of pieces, lists, piles, chance, dice and faults.
// Before this, a game has defined PIECES, ZONES, LIST, SHARE and MOST_CHOICES, and the type `mask`.

// ---- Values --------------------------------------------------------------------------------------

typedef int64_t num;  // numbers, seats, members and pieces alike
#define NONE INT64_MIN
#define LEAST (-2147483648LL)
#define MOST 2147483647LL
#define LANES 8  // games that are seeded side by side

typedef struct { int32_t n; int32_t v[LIST]; } list;  // a set in its order; n is -1 for none
typedef struct { int32_t n; uint8_t v[PIECES + 1]; } pile;  // the top is the last one

// ---- The variables of the game stand here ---------------------------------------------------------

enum { BEFORE = -1, SETUP, PLAY, FINISH, OVER };
enum {
    ENDED = 1,  // no fault: the rules say `end`
    WAITING,  // somebody is asked
    TOLD,  // an option was told
    FAULT_NONE, FAULT_RANGE, FAULT_ROW, FAULT_EMPTY, FAULT_STEPS, FAULT_END, FAULT_LARGE,
};

typedef struct {
    num options, asked, site;  // while the game waits: how many there are, who is asked, and where
    uint64_t rng;
    mask pool[ZONES];
    pile pile[ZONES];
    variables var;
    frames in;  // where rules are that can wait, and what they keep
    num phase, first, count, left, seen;
    num chosen, most;  // an option that was chosen, or -1; so many more are chosen by chance
    num *told;  // where options are told, if they are
    unsigned running;
    uint64_t luck;
    uint32_t (*dice)[LANES];  // of several games, each in its lane; without them it is luck
    int lane, thrown;
    jmp_buf out;
} state;

static const num IS_POOL[];
static const mask HOLDS[];

// ---- Faults --------------------------------------------------------------------------------------

static __attribute__((noreturn, noinline, cold)) void leave(state *s, int how) { _longjmp(s->out, how); }

static inline num need(state *s, num v) { if (v == NONE) leave(s, FAULT_NONE); return v; }

static inline num checked(state *s, num v) {
    if (v < LEAST || v > MOST) leave(s, FAULT_RANGE);
    return v;
}

static inline num within(state *s, num v, num low, num high) {
    if (v != NONE && (v < low || v > high)) leave(s, FAULT_RANGE);
    return v;
}

// A place in a table: whatever the rules do, nothing is read beside it.
static inline num at(state *s, num v, num size) {
    if ((uint64_t)v >= (uint64_t)size) leave(s, FAULT_RANGE);
    return v;
}

static inline num positive(state *s, num v) { if (v < 1) leave(s, FAULT_RANGE); return v; }

// Nobody may wait forever for a loop that asks nobody: what a turn can cost is taken from what is left.
static inline void count_down(state *s, num cost) {
    if ((s->left -= cost) >= 0) return;
    s->left += SHARE;
    if (s->count == s->seen || s->left < 0) leave(s, FAULT_STEPS);
    s->seen = s->count;
}

// ---- Numbers -------------------------------------------------------------------------------------

static inline num least(num a, num b) { return a < b ? a : b; }
static inline num most(num a, num b) { return a > b ? a : b; }
static inline num quotient(num a, num b) { return a / b - (a % b < 0); }
static inline num rest_of(num a, num b) { return a % b + (a % b < 0 ? b : 0); }

// ---- Sets of pieces as masks ---------------------------------------------------------------------

#define BIT(c) ((mask)1 << (c))

static inline num bits(mask m) {
    num n = __builtin_popcountll((uint64_t)m);
    if (sizeof m > 8) n += __builtin_popcountll((uint64_t)(m >> (sizeof m * 4)));
    return n;
}

static inline num lowest(mask m) {
    if ((uint64_t)m || sizeof m == 8) return __builtin_ctzll((uint64_t)m);
    return 64 + __builtin_ctzll((uint64_t)(m >> (sizeof m * 4)));
}

static inline num first_of(mask m) { return m ? lowest(m) : NONE; }
static inline num has(mask m, num c) { return c != NONE && (m >> c & 1); }
static inline mask bit_of(num c) { return c == NONE ? 0 : BIT(c); }

static inline num nth(mask m, num n) {
    while (n-- && m) m &= m - 1;
    return first_of(m);
}

static inline mask first_bits(mask m, num count) {
    mask found = 0;
    while (m && count-- > 0) { found |= m & -m; m &= m - 1; }
    return found;
}

// ---- Lists ---------------------------------------------------------------------------------------

static inline void add(state *s, list *l, num v) {
    if (l->n >= LIST) leave(s, FAULT_LARGE);
    l->v[l->n++] = (int32_t)v;
}

static inline num holds(const list *l, num v) {
    for (int i = 0; i < l->n; i++) if (l->v[i] == v) return 1;
    return 0;
}

static inline void add_new(state *s, list *l, num v) { if (!holds(l, v)) add(s, l, v); }

// Keep a set in canonical order, by rank if there is one.
static inline void add_in_order(state *s, list *l, num v, const num *rank) {
    int i = l->n;
    num height = rank ? rank[v] : v;
    while (i > 0 && (rank ? rank[l->v[i - 1]] : l->v[i - 1]) >= height) i--;
    if (i < l->n && l->v[i] == v) return;
    add(s, l, v);
    for (int k = l->n - 1; k > i; k--) l->v[k] = l->v[k - 1];
    l->v[i] = (int32_t)v;
}

static inline num same_list(const list *a, const list *b) {
    if (a->n != b->n) return 0;
    for (int i = 0; i < a->n; i++) if (a->v[i] != b->v[i]) return 0;
    return 1;
}

static inline num same_set(const list *a, const list *b) {
    if (a->n != b->n) return 0;
    for (int i = 0; i < a->n; i++) if (!holds(b, a->v[i])) return 0;
    return 1;
}

static inline list of_one(num v) { list l; l.n = v != NONE; l.v[0] = (int32_t)v; return l; }

static inline list of_mask(mask m) {
    list l;
    l.n = 0;
    for (; m; m &= m - 1) l.v[l.n++] = (int32_t)lowest(m);
    return l;
}

static inline list of_pile(const pile *p) {
    list l;
    l.n = p->n;
    for (int i = 0; i < p->n; i++) l.v[i] = p->v[p->n - 1 - i];
    return l;
}

static inline mask mask_of(const list *l) {
    mask m = 0;
    for (int i = 0; i < l->n; i++) m |= BIT(l->v[i]);
    return m;
}

static inline mask mask_of_pile(const pile *p) {
    mask m = 0;
    for (int i = 0; i < p->n; i++) m |= BIT(p->v[i]);
    return m;
}

static inline num top_of(const pile *p) { return p->n ? p->v[p->n - 1] : NONE; }
static inline num head_of(const list *l) { return l->n > 0 ? l->v[0] : NONE; }

static inline void add_zone(state *s, list *l, num z) {
    list found = IS_POOL[z] ? of_mask(s->pool[z]) : of_pile(&s->pile[z]);
    for (int i = 0; i < found.n; i++) add(s, l, found.v[i]);
}

// ---- Where pieces lie ----------------------------------------------------------------------------

static inline num zone_of(state *s, num c) {
    mask b = BIT(c);
    for (num z = 0; z < ZONES; z++) if (s->pool[z] & b) return z;
    for (num z = 0; z < ZONES; z++)
        for (int i = 0; i < s->pile[z].n; i++) if (s->pile[z].v[i] == c) return z;
    leave(s, FAULT_RANGE);
}

static inline void take_from(state *s, num c, num z) {
    if (IS_POOL[z]) { s->pool[z] &= ~BIT(c); return; }
    pile *p = &s->pile[z];
    int i = 0, kept = 0;
    for (; i < p->n; i++) if (p->v[i] != c) p->v[kept++] = p->v[i];
    p->n = kept;
}

// Take a piece from where it most likely lies, or else from anywhere.
static inline void take(state *s, num c, num guess) {
    if (s->pool[guess] & BIT(c)) s->pool[guess] ^= BIT(c);
    else take_from(s, c, zone_of(s, c));
}

// Take pieces away from wherever they lie.
static inline void scoop(state *s, mask m) {
    for (num z = 0; z < ZONES && m; z++) {
        mask found = s->pool[z] & m;
        s->pool[z] ^= found;
        m ^= found;
    }
    for (num z = 0; z < ZONES && m; z++) {
        pile *p = &s->pile[z];
        int kept = 0;
        for (int i = 0; i < p->n; i++) {
            if (m & BIT(p->v[i])) m ^= BIT(p->v[i]);
            else p->v[kept++] = p->v[i];
        }
        p->n = kept;
    }
}

// A family of zones has nothing left in it.
static inline void empty(state *s, num first, num size) {
    for (num z = first; z < first + size; z++) { s->pool[z] = 0; s->pile[z].n = 0; }
}

static inline void put_on(pile *p, num c) { p->v[p->n++] = (uint8_t)c; }

static inline void put_under(pile *p, num c) {
    for (int i = p->n++; i > 0; i--) p->v[i] = p->v[i - 1];
    p->v[0] = (uint8_t)c;
}

static inline void put(state *s, num c, num z, num under) {
    if (IS_POOL[z]) s->pool[z] |= BIT(c);
    else if (under) put_under(&s->pile[z], c);
    else put_on(&s->pile[z], c);
}

static inline void fit(state *s, mask m, num z) { if (m & ~HOLDS[z]) leave(s, FAULT_RANGE); }

// ---- Chance of the game: see interpreter/chance.py -----------------------------------------------

static inline uint64_t draw(state *s) {
    s->rng += 0x9E3779B97F4A7C15ULL;
    uint64_t z = s->rng;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static inline uint64_t below(state *s, uint64_t n) {
    if (n == 1) return 0;
    while (1) {
        uint64_t drawn = draw(s);
        // So many of the highest draws are refused that all numbers are as likely.
        if (drawn < UINT64_MAX - n || drawn <= UINT64_MAX - (UINT64_MAX % n + 1) % n) return drawn % n;
    }
}

static void shuffle(state *s, pile *p) {
    int last = p->n - 1;
    for (int i = last; i > 0; i--) {
        int j = (int)below(s, (uint64_t)i + 1);
        uint8_t c = p->v[last - i];
        p->v[last - i] = p->v[last - j];
        p->v[last - j] = c;
    }
}

// ---- Dice of those who choose at random: the Mersenne Twister as Python seeds and reads it ---------

// Seeding is one long chain; of several games side by side the processor does as much at once.

typedef uint32_t cup[624][LANES];

static void gather_dice(cup mt, const uint64_t *seeds, num count) {
    uint32_t last[LANES], key[2][LANES];
    for (int g = 0; g < LANES; g++) {
        uint64_t seed = seeds[g < count ? g : 0];
        key[0][g] = (uint32_t)seed;
        key[1][g] = seed >> 32 ? (uint32_t)(seed >> 32) + 1 : (uint32_t)seed;
    }
    uint32_t first = 19650218u;
    for (int n = 0; n < 624; n++) {
        if (n) first = 1812433253u * (first ^ (first >> 30)) + (uint32_t)n;
        for (int g = 0; g < LANES; g++) mt[n][g] = first;
    }
    memcpy(last, mt[0], sizeof last);
    for (int n = 0; n < 624; n++) {
        int i = 1 + n % 623;
        for (int g = 0; g < LANES; g++)
            last[g] = mt[i][g] = (mt[i][g] ^ ((last[g] ^ (last[g] >> 30)) * 1664525u)) + key[n & 1][g];
    }
    for (int n = 0; n < 623; n++) {
        int i = 1 + (n + 1) % 623;
        for (int g = 0; g < LANES; g++)
            last[g] = mt[i][g] = (mt[i][g] ^ ((last[g] ^ (last[g] >> 30)) * 1566083941u)) - (uint32_t)i;
    }
    for (int g = 0; g < LANES; g++) mt[0][g] = 0x80000000u;
}

// The twister turns each word when it is wanted: most games need few of its 624.
static inline uint32_t throw_die(state *s) {
    int i = s->thrown, g = s->lane, next = i == 623 ? 0 : i + 1;
    uint32_t y = (s->dice[i][g] & 0x80000000u) | (s->dice[next][g] & 0x7fffffffu);
    y = s->dice[i < 227 ? i + 397 : i - 227][g] ^ (y >> 1) ^ (-(y & 1) & 0x9908b0dfu);
    s->dice[i][g] = y;
    s->thrown = next;
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

// See interpreter/chance.py, and change both.
static inline num try_luck(state *s, num count) {
    s->luck = s->luck * 6364136223846793005ULL + 1442695040888963407ULL;
    return (num)((unsigned __int128)s->luck * (uint64_t)count >> 64);
}

// The number of an option: one that was chosen, else any; if nobody chooses, the game waits here.
static inline num choose(state *s, num count) {
    num n = s->chosen;
    s->count++;
    if (n >= 0) {
        s->chosen = -1;
        return at(s, n, count);
    }
    if (s->most-- <= 0) {
        s->options = count;
        leave(s, WAITING);
    }
    if (!s->dice) return try_luck(s, count);
    uint32_t a = throw_die(s) >> 5, b = throw_die(s) >> 6;
    return (num)((a * 67108864.0 + b) * (1.0 / 9007199254740992.0) * (double)count);
}

// Options as numbers, one after the other; a set comes with its size.
static __attribute__((noreturn, noinline, cold)) void tell(state *s, num v) {
    *s->told++ = v;
    leave(s, TOLD);
}

static __attribute__((noreturn, noinline, cold)) void tell_set(state *s, const list *l) {
    *s->told++ = l->n;
    for (int i = 0; i < l->n; i++) *s->told++ = l->v[i];
    leave(s, TOLD);
}

// ---- Choices -------------------------------------------------------------------------------------
// Somebody is asked only if there are several options; declining, if one may, is the last of them.

static inline num pick_piece(state *s, mask o, num may) {
    num count = bits(o) + may;
    if (count > 1) return nth(o, choose(s, count));
    if (!count) leave(s, FAULT_EMPTY);
    return first_of(o);
}

static inline num pick_value(state *s, const list *o, num may) {
    num n = 0, count = o->n + may;
    if (count > 1) n = choose(s, count);
    else if (!count) leave(s, FAULT_EMPTY);
    return n < o->n ? o->v[n] : NONE;
}

static inline num draw_piece(state *s, mask o) {
    if (!o) leave(s, FAULT_EMPTY);
    return nth(o, (num)below(s, (uint64_t)bits(o)));
}

static inline num draw_value(state *s, const list *o) {
    if (o->n < 1) leave(s, FAULT_EMPTY);
    return o->v[below(s, (uint64_t)o->n)];
}

// How many ways there are to take some of several; with more than 60 the numbers get too large.
static inline num ways(num count, num size) {
    if (size < 0 || size > count) return 0;
    num found = 1;
    if (size > count - size) size = count - size;
    for (num n = 1; n <= size; n++) found = (num)((unsigned __int128)found * (uint64_t)(count - size + n) / (uint64_t)n);
    return found;
}

static inline num count_subsets(state *s, num count, num low, num high) {
    if (count > 60) leave(s, FAULT_LARGE);
    num found = 0;
    for (num size = most(low, 0); size <= least(high, count); size++) found += ways(count, size);
    return found;
}

static list nth_subset(const list *values, num low, num number) {
    list found;
    num size = most(low, 0), count = values->n, i = 0;
    for (num some; number >= (some = ways(count, size)); size++) number -= some;
    found.n = 0;
    for (; size; i++) {
        num some = ways(count - i - 1, size - 1);
        if (number < some) { found.v[found.n++] = values->v[i]; size--; }
        else number -= some;
    }
    return found;
}

static list pick_subset(state *s, const list *values, num low, num high, num may) {
    num n = 0, all = count_subsets(s, values->n, low, high), count = all + may;
    if (count > 1) n = choose(s, count);
    else if (!count) leave(s, FAULT_EMPTY);
    if (n < all) return nth_subset(values, low, n);
    list none;
    none.n = -1;
    return none;
}

static list draw_subset(state *s, const list *values, num low, num high) {
    num all = count_subsets(s, values->n, low, high);
    if (!all) leave(s, FAULT_EMPTY);
    return nth_subset(values, low, (num)below(s, (uint64_t)all));
}

"""What one player observes, compared with what that player knows; and chance that follows a given past.

WATCH is the seat of that player and one more, or 0 while nobody looks. An observation is one number, made of all that the
player learns by it; `interpreter.worlds.sounds` makes the same number of an observation that is known.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


# ---- Observations as numbers ---------------------------------------------------------------------


def blend(h: u64, v: i64) -> u64:
    return mixed((h ^ u64(v)) + 0x9E3779B97F4A7C15)


@inline
def part_of(v: i64) -> u64:
    # A member of a set: their order does not count.
    return blend(SOUND_MEMBER, v)


def sound_of_list(l: List) -> i64:
    if l.n < 0:
        return NONE
    total: u64 = 0
    for i in range(l.n):
        total = total + part_of(l.v[i])
    return i64(blend(blend(SOUND_SET, l.n), i64(total)))


def sound_of_small(x: i64) -> i64:
    if x == NONE:
        return NONE
    left = u64(x)
    total: u64 = 0
    n: i64 = 0
    while left:
        total = total + part_of(ctz(left))
        left = left & (left - 1)
        n += 1
    return i64(blend(blend(SOUND_SET, n), i64(total)))


def sound_of_sets(sets: Sets) -> i64:
    if sets.n < 0:
        return NONE
    total: u64 = 0
    for n in range(sets.n):
        total = total + part_of(sound_of_list(member(sets, n)))
    return i64(blend(blend(SOUND_SET, sets.n), i64(total)))


@inline
def eye() -> u64:
    return u64(WATCH[0] - 1)


def sees_zone(z: i64) -> bool:
    return (INTO[z] >> eye() & 1) != 0


def counts_zone(z: i64) -> bool:
    return (COUNTERS[z] >> eye() & 1) != 0


def look_of(s: State, c: i64, how: i64) -> i64:
    # A piece as the player sees it: by its face if AS_FACES, or if it was shown and AS_TOLD.
    if c == NONE:
        return NONE
    if how == AS_FACES or sees_zone(zone_of(s, c)):
        return FACE[c]
    if how == AS_TOLD and c in s.shown:
        return FACE[c]
    return 0 - 1


def look_of_list(s: State, l: List, how: i64) -> i64:
    if l.n < 0:
        return NONE
    total: u64 = 0
    for i in range(l.n):
        total = total + part_of(look_of(s, l.v[i], how))
    return i64(blend(blend(SOUND_SET, l.n), i64(total)))


def hear(h: u64):
    # The player observes something: it must be what comes next in what the player knows.
    if DEAD[0] == 0:
        at = HEARD[0]
        if at >= KNOWN[0]:
            DEAD[0] = 1
        else:
            known: Sound = SOUNDS[0] + at * SOUND
            if known.h == h:
                HEARD[0] = at + 1
            else:
                DEAD[0] = 1


# ---- What happens --------------------------------------------------------------------------------


@inline
def sound_of_move(source: i64, place: i64, zone: i64, end: i64, face: i64) -> u64:
    # There are many moves, and small numbers in them: they are joined first, and mixed once.
    h = SOUND_MOVE + u64(source)
    h = h * SOUND_FACTOR + u64(place)
    h = h * SOUND_FACTOR + u64(zone)
    h = h * SOUND_FACTOR + u64(end)
    return mixed(h * SOUND_FACTOR + u64(face))


def place_from_top(p: Pile, c: i64) -> i64:
    if top_of(p) == c:
        return 0
    i = position_of(p, c)
    return p.n - 1 - i if i >= 0 else 0


def take_for(s: State, c: i64, others: mask):
    # Of a pool the player sees a face, and was shown one that looks like it: it is taken for that one.
    if c in s.shown:
        return
    for other in others & s.shown:
        if other != c and FACE[other] == FACE[c]:
            s.shown = s.shown & ~bit(other) | bit(c)
            return


def arrives(s: State, c: i64, zone: i64):
    source = SOURCE[0]
    who = sees_zone(source) or sees_zone(zone)
    end = NONE
    if not IS_POOL[zone]:
        target: Pile = s + ZONE_AT[zone]
        end = place_from_top(target, c)
        if end > 0 and end == target.n - 1:
            end = 0 - 1
    if IS_POOL[source]:
        pool: Pool = s + ZONE_AT[source]
        if who:
            take_for(s, c, pool.m)
        else:
            s.shown = s.shown & ~(pool.m | bit(c))
    if not counts_zone(zone):
        # From here it can leave unnoticed.
        s.shown = s.shown & ~bit(c)
        if not counts_zone(source):
            return
    if who:
        SAW[0] = SAW[0] | bit(c)
    if DEAD[0] == 0:
        hear(sound_of_move(source, SOURCE[1], zone, end, FACE[c] if who else NONE))
        if DEAD[0] != 0:
            CULPRIT[0] = c


def shuffled(s: State, zone: i64):
    p: Pile = s + ZONE_AT[zone]
    h = blend(SOUND_SHUFFLE, zone)
    if sees_zone(zone):
        for i in range(p.n, 0, -1):
            h = blend(h, FACE[p.v[i - 1]])
    else:
        s.shown = s.shown & ~mask_of_pile(p)
    hear(h)


def shows(s: State, l: List, players: List):
    if l.n <= 0:
        return
    to_me = holds(players, WATCH[0] - 1)
    pieces = mask_of_list(l)
    lasting = pieces
    total: u64 = 0
    for i in range(l.n):
        c = l.v[i]
        z = zone_of(s, c)
        place = NONE
        if not counts_zone(z):
            if not to_me:
                return
            lasting = lasting & ~bit(c)
        if IS_POOL[z]:
            if to_me:
                pool: Pool = s + ZONE_AT[z]
                take_for(s, c, pool.m & ~pieces)
        else:
            place = place_from_top(s + ZONE_AT[z], c)
        face = FACE[c] if to_me else NONE
        total = total + blend(blend(part_of(z), place), face)
    if to_me:
        s.shown = s.shown | lasting
        SAW[0] = SAW[0] | pieces
    hear(blend(blend(SOUND_SHOW, i64(total)), sound_of_list(players)))


def announces(name: i64, value: i64, players: List):
    if holds(players, WATCH[0] - 1):
        hear(blend(blend(blend(SOUND_ANNOUNCE, name), value), sound_of_list(players)))


def chooses(s: State, player: i64, value: i64, statement: i64, asked: i64, hidden: i64):
    h = blend(SOUND_CHOSE, player)
    if player == WATCH[0] - 1:
        if asked and s.phase != 2:
            s.shown = s.shown & ~s.shown
        hear(blend(blend(h, statement), value))
    elif value != NONE:
        h = blend(blend(h, NONE), value)
        if hidden:
            UNTOLD[0] = i64(h)
        else:
            hear(h)


def seals(s: State, player: i64, value: i64, statement: i64, asked: i64):
    if player == WATCH[0] - 1:
        chooses(s, player, value, statement, asked, 0)


def opens(player: i64, value: i64, variable: i64):
    # What was sealed; `variable` is the hidden one that it goes to, or -1.
    if player != WATCH[0] - 1 and value != NONE:
        if variable < 0 or (SIGHT[variable] >> eye() & 1) != 0:
            hear(blend(blend(blend(SOUND_CHOSE, player), NONE), value))


def draws(value: i64, hidden: i64):
    h = blend(SOUND_RANDOM, value)
    if hidden:
        UNTOLD[0] = i64(h)
    else:
        hear(h)


def tells_of(variable: i64):
    # What was decided for a hidden variable, as soon as it is known which one.
    if UNTOLD[0] != 0:
        h = u64(UNTOLD[0])
        UNTOLD[0] = 0
        if (SIGHT[variable] >> eye() & 1) != 0:
            hear(h)


def sets_to(variable: i64, value: i64, is_new: i64):
    tells_of(variable)
    if is_new and (SIGHT[variable] >> eye() & 1) != 0:
        hear(blend(blend(SOUND_SET_TO, variable), value))


# ---- Chance --------------------------------------------------------------------------------------


def roll(n: i64) -> i64:
    # The dice of whoever imagines.
    DICE[0] = DICE[0] + 0x9E3779B97F4A7C15
    return i64(scaled(mixed(u64(DICE[0])), u64(n)))


def share() -> f64:
    DICE[0] = DICE[0] + 0x9E3779B97F4A7C15
    return f64(i64(mixed(u64(DICE[0])) >> 11)) / 9007199254740992.0


def site_at(past: i32, n: i64) -> i32:
    at: Words = past
    return i32(at.w[n])


def new_site(kind: i64, address: u64) -> i32:
    # A moment at which something is decided; what the player saw belongs to the one before.
    n = MADE[0]
    if n > 0:
        before: Site = site_at(NEXT[0], n - 1)
        before.seen = before.seen | SAW[0]
    SAW[0] = SAW[0] & ~SAW[0]
    if n >= ROOM_FOR[0]:
        fault()
    site: Site = site_at(NEXT[0], n)
    MADE[0] = n + 1
    site.kind = kind
    site.at = HEARD[0]
    site.address = address
    site.seen = SAW[0]
    site.number = 0
    site.count = 0
    site.fitting = 0
    site.pieces = 0
    site.word = NONE
    site.weight = 0.0
    site.base = LAST[0]
    site.run = 0
    return site


def find_old(address: u64) -> i32:
    # The same decision in the past that is told again, if nothing else was taken for it.
    last = SITES[0]
    first = CHANGED[0] + 1
    n = HINT[0]
    if n < first or n >= last:
        n = first
    for k in range(last - first):
        site: Site = site_at(PAST[0], n)
        if site.address == address and (site.run != RUN[0] or site.by >= MADE[0] - 1):
            site.run = RUN[0]
            site.by = MADE[0] - 1
            HINT[0] = n + 1
            return site
        n += 1
        if n >= last:
            n = first
    return 0


def arrange(p: Pile, order: List) -> bool:
    # Bring a pile into an order, the top first, in which PERMUTATION may put other pieces.
    if order.n != p.n:
        return False
    left = mask_of_pile(p)
    for i in range(order.n):
        c = PERMUTATION[order.v[i]]
        if c not in left:
            return False
        left = left & ~bit(c)
    for i in range(order.n):
        p.v[p.n - 1 - i] = PERMUTATION[order.v[i]]
    return True


def arrange_likely(p: Pile, faces: List):
    # What is wanted on top of a pile, the rest by chance.
    for i in range(p.n - 1, 0, -1):
        j = roll(i + 1)
        c = p.v[i]
        p.v[i] = p.v[j]
        p.v[j] = c
    if faces.n != p.n:
        return
    fixed: mask = 0
    for i in range(faces.n):
        if faces.v[i] >= 0:
            at = p.n - 1 - i
            if FACE[p.v[at]] == faces.v[i]:
                fixed = fixed | bit(p.v[at])
                continue
            for j in range(p.n):
                c = p.v[j]
                if FACE[c] == faces.v[i] and c not in fixed:
                    p.v[j] = p.v[at]
                    p.v[at] = c
                    fixed = fixed | bit(c)
                    break
    return


def keep_order(site: Site, p: Pile):
    order: List = site + SITE_ORDER
    order.n = p.n
    for i in range(p.n):
        order.v[i] = p.v[p.n - 1 - i]


def shuffle_watched(s: State, zone: i64):
    p: Pile = s + ZONE_AT[zone]
    if IS_POOL[zone]:
        fault()
    if WATCH[0] == 0 or p.n < 2 or DRY[0] != 0:
        shuffle(s, p)
        return
    n = MADE[0]
    site: Site = new_site(SHUFFLE, blend(blend(17, HEARD[0]), SHUFFLE))
    if n < CHANGED[0]:
        before: Site = site_at(PAST[0], n)
        keep_permutation()
        arrange(p, before + SITE_ORDER)
        give_permutation()
    elif n == CHANGED[0]:
        keep_permutation()
        if not arrange(p, FORCED[0]):
            DEAD[0] = 1
        give_permutation()
    else:
        old: Site = find_old(site.address)
        found = False
        if old != 0:
            found = arrange(p, old + SITE_ORDER)
            if not found and MENDS[0] == 0:
                DEAD[0] = 1
        elif MENDS[0] == 0:
            DEAD[0] = 1
        if not found:
            at = HEARD[0]
            if at < KNOWN[0]:
                known: Sound = SOUNDS[0] + at * SOUND
                arrange_likely(p, known.wanted)
            else:
                arrange_likely(p, NO_LIST)
    keep_order(site, p)


def keep_permutation():
    # Put no other piece anywhere for a moment.
    SWAPS[0] = i64(PERMUTATION_ON[0])
    if PERMUTATION_ON[0] != 0:
        for c in range(PLACES):
            PERMUTATION_KEPT[c] = PERMUTATION[c]
            PERMUTATION[c] = c
        PERMUTATION_ON[0] = 0


def give_permutation():
    if SWAPS[0] != 0:
        for c in range(PLACES):
            PERMUTATION[c] = PERMUTATION_KEPT[c]
        PERMUTATION_ON[0] = 1


def swap(c: i64, d: i64):
    # Two pieces change places from here on.
    if c != d:
        PERMUTATION[c] = d
        PERMUTATION[d] = c
        UNDO[c] = d
        UNDO[d] = c
        PERMUTATION_ON[0] = 1


def offer(n: i64, word: i64, sound: i64):
    if n < MOST_OFFERED:
        OFFERS[n] = word
        OFFERED_AS[n] = sound


def keep_drawn(l: List):
    # The set that chance has decided.
    if DRAWN_AT[0] >= 0:
        site: Site = site_at(NEXT[0], DRAWN_AT[0])
        copy_list(site + SITE_ORDER, l)
        site.pieces = 2


def different(s: State, count: i64, kind: i64) -> i64:
    # Of what was offered the first of each look, and how many look like it.
    found = 0
    for i in range(count):
        again = 0 - 1
        if kind == 2:
            for k in range(found):
                if is_twin(s, OFFERS[FIRSTS[k]], OFFERS[i]):
                    again = k
                    break
        if again < 0:
            FIRSTS[found] = i
            ALIKES[found] = 1
            found += 1
        else:
            ALIKES[again] = ALIKES[again] + 1
    return found


def drawn(s: State, count: i64, kind: i64, statement: i64) -> i64:
    # The number of what chance decides: `kind` is 2 for a piece, 5 for several, 0 or 3 for what all learn, 1 or 4 for what may be hidden.
    DRAWN_AT[0] = 0 - 1
    if WATCH[0] == 0 or count < 2 or DRY[0] != 0:
        return i64(below(s, u64(count)))
    DRAWN_AT[0] = MADE[0]
    if count > MOST_OFFERED:
        fault()
    n = MADE[0]
    at = HEARD[0]
    site: Site = new_site(RANDOM, blend(blend(blend(19, at), RANDOM), statement))
    every = different(s, count, kind)
    site.count = every
    site.fitting = every
    site.pieces = 1 if kind == 2 else 0
    if kind > 2:
        site.pieces = 2 if kind == 5 else 3
    chosen = 0 - 1
    if (kind == 0 or kind == 3) and at < KNOWN[0]:
        known: Sound = SOUNDS[0] + at * SOUND
        for i in range(every):
            if blend(SOUND_RANDOM, OFFERED_AS[FIRSTS[i]]) == known.h:
                chosen = i
                site.fitting = 1
                break
    if n < CHANGED[0]:
        before: Site = site_at(PAST[0], n)
        chosen = before.number
    elif n == CHANGED[0]:
        chosen = FORCED_NUMBER[0]
        if FORCED_WORD[0] != NONE:
            chosen = every
            for i in range(every):
                if OFFERS[FIRSTS[i]] == FORCED_WORD[0]:
                    chosen = i
        if chosen < every and SWAPPED[0] != 0 and kind == 2:
            was: Site = site_at(PAST[0], n)
            swap(was.word, OFFERS[FIRSTS[chosen]])
    else:
        old: Site = find_old(site.address)
        if chosen < 0 and old != 0:
            chosen = offered_like(every, old, kind)
            if chosen < 0 and MENDS[0] == 0:
                DEAD[0] = 1
        if chosen < 0 and MENDS[0] != 0 and kind != 0 and roll(8):
            chosen = likely_offer(every, at)
        if chosen < 0:
            chosen = roll(every)
            FRESH[0] = FRESH[0] + ln(f64(every))
    if chosen >= every:
        DEAD[0] = 1
        chosen = 0
    site.number = chosen
    site.weight = ln(f64(ALIKES[chosen]) / f64(count))
    site.word = OFFERS[FIRSTS[chosen]]
    return FIRSTS[chosen]


def likely_offer(every: i64, at: i64) -> i64:
    # What will soon be seen, if that is offered; or else -1.
    for k in range(at, at + 4):
        if k >= KNOWN[0]:
            break
        known: Sound = SOUNDS[0] + k * SOUND
        for i in range(every):
            sound = OFFERED_AS[FIRSTS[i]]
            if sound != NONE and (sound == known.face or sound == known.value):
                return i
    return 0 - 1


def offered_like(every: i64, old: Site, kind: i64) -> i64:
    # What was drawn before, with another piece where PERMUTATION puts one, or what looks like it.
    word = old.word
    if kind == 2:
        word = PERMUTATION[word]
    elif kind == 5:
        before: List = old + SITE_ORDER
        total: u64 = 0
        for i in range(before.n):
            total = total + part_of(PERMUTATION[before.v[i]])
        word = i64(blend(blend(SOUND_SET, before.n), i64(total)))
    for i in range(every):
        if OFFERS[FIRSTS[i]] == word:
            return i
    if kind == 2:
        for i in range(every):
            if FACE[OFFERS[FIRSTS[i]]] == FACE[word]:
                return i
    return 0 - 1

"""Chance while a past is replayed: shuffles and draws as they were, as a change wants them, or anew; each becomes a site.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def roll(n: i64) -> i64:
    # A random number below `n`, for the search itself: the chance of the game is another one.
    DICE[0] = DICE[0] + 0x9E3779B97F4A7C15
    return i64(scaled(mixed(u64(DICE[0])), u64(n)))


def random_share() -> f64:
    DICE[0] = DICE[0] + 0x9E3779B97F4A7C15
    return f64(i64(mixed(u64(DICE[0])) >> 11)) / 9007199254740992.0


def site_at(past: i32, n: i64) -> i32:
    at: Words = past
    return i32(at.w[n])


def new_site(kind: i64, address: u64) -> i32:
    # A new site; what the player saw since the last one belongs to that.
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
    # The same decision in the past that is replayed, unless another site stands for it already.
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
    # Bring a pile into an order, top first, with pieces replaced by PERMUTATION; false if it has other pieces.
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
    # Shuffle a pile, then bring the wanted faces to their places.
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
    # Suspend PERMUTATION until `give_permutation`.
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
    # Swap two pieces from here on.
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
    # Keep the set that chance has drawn.
    if DRAWN_AT[0] >= 0:
        site: Site = site_at(NEXT[0], DRAWN_AT[0])
        copy_list(site + SITE_ORDER, l)
        site.pieces = 2


def different(s: State, count: i64, kind: i64) -> i64:
    # Merge outcomes that look alike: FIRSTS has the first of each look, ALIKES how many there are.
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
    # The outcome that the log soon shows; -1 if it is not offered.
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
    # The outcome of the old site, with pieces replaced by PERMUTATION, or one that looks like it; -1 if not offered.
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

"""A random walk from one past to another, which visits each as often as it is probable; as `interpreter.worlds.walk`.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def unseen_positions(k: i64) -> mask:
    # The pieces of a shuffle that the player did not see until they were shuffled again.
    site: Site = site_at(PAST[0], k)
    every = mask_of_list(site + SITE_ORDER)
    left = every
    seen = left & site.seen
    for n in range(k + 1, SITES[0]):
        each: Site = site_at(PAST[0], n)
        if each.kind == SHUFFLE:
            left = left & ~mask_of_list(each + SITE_ORDER)
            if not left:
                break
        seen = seen | left & each.seen
    return every & ~seen


def note_changeable(turn: i64):
    # Note the sites at which something can be changed: shuffles, and hidden decisions.
    shuffles = 0
    hidden = 0
    for n in range(SITES[0]):
        site: Site = site_at(PAST[0], n)
        if site.kind == SHUFFLE:
            if bits(unseen_positions(n)) > 1:
                where: Words = i32(SHUFFLES[0]) + turn * ROOM_FOR[0] * 8
                where.w[shuffles] = n
                shuffles += 1
        elif site.kind != OWN and site.fitting > 1:
            there: Words = i32(SHUFFLES[0]) + (turn * 2 + 1) * ROOM_FOR[0] * 4
            there.w[hidden] = n
            hidden += 1
    COUNTS[turn * 2] = shuffles
    COUNTS[turn * 2 + 1] = hidden


def changeable(turn: i64, which: i64, n: i64) -> i64:
    there: Words = i32(SHUFFLES[0]) + (turn * 2 + which) * ROOM_FOR[0] * 4
    return there.w[n]


def chance_of(turn: i64, which: i64) -> f64:
    # The logarithm of the probability that the walk chooses a certain site.
    shuffles = COUNTS[turn * 2]
    hidden = COUNTS[turn * 2 + 1]
    if which == 0:
        return ln((0.75 if hidden > 0 else 1.0) / f64(shuffles))
    return ln((0.25 if shuffles > 0 else 1.0) / f64(hidden))


def weigh(past: i32, first: i64, last: i64) -> f64:
    total = 0.0
    for n in range(first, last):
        site: Site = site_at(past, n)
        total = total + site.weight
    return total


def left_out() -> f64:
    # The logarithm of how many choices there were at sites of PAST that the new past does not reach.
    total = 0.0
    for n in range(CHANGED[0] + 1, SITES[0]):
        site: Site = site_at(PAST[0], n)
        if site.fitting > 1 and site.run != RUN[0]:
            total = total + ln(f64(site.fitting))
    return total


def choose_places(site: Site, k: i64) -> bool:
    # Permute some pieces of a shuffle; FORCED is the new order. Returns whether all of them are unseen.
    order: List = site + SITE_ORDER
    forced: List = i32(FORCED[0])
    chosen: List = LIST_A
    free = unseen_positions(k)
    mode = roll(10)
    count = bits(free)
    wanted = 2
    if mode == 9:
        free = mask_of_list(order)
        count = order.n
    elif mode >= 7:
        wanted = count
    elif mode >= 5:
        wanted = 3 + roll(4)
    if wanted > count:
        wanted = count
    list_of_mask(chosen, free)
    for i in range(wanted):
        j = i + roll(count - i)
        kept = chosen.v[i]
        chosen.v[i] = chosen.v[j]
        chosen.v[j] = kept
    if wanted == 2:
        swap(chosen.v[0], chosen.v[1])
    else:
        there: List = LIST_B
        for i in range(wanted):
            there.v[i] = chosen.v[i]
        for i in range(wanted - 1, 0, -1):
            j = roll(i + 1)
            kept = there.v[i]
            there.v[i] = there.v[j]
            there.v[j] = kept
        for i in range(wanted):
            PERMUTATION[chosen.v[i]] = there.v[i]
            UNDO[there.v[i]] = chosen.v[i]
        PERMUTATION_ON[0] = 1
    forced.n = order.n
    for i in range(order.n):
        forced.v[i] = PERMUTATION[order.v[i]]
    UNSEEN[0] = free
    return mode != 9


def choose_other(s: State, site: Site) -> bool:
    # Choose another outcome for a hidden decision.
    if site.kind == RANDOM:
        count = site.fitting
        FORCED_NUMBER[0] = roll(count - 1)
        if FORCED_NUMBER[0] >= site.number:
            FORCED_NUMBER[0] = FORCED_NUMBER[0] + 1
    else:
        copy(s, site + SITE_STATE, STATE)
        HEARD[0] = site.at
        DEAD[0] = 0
        list_again(s)
        count = find_fitting(s)
        if count < 2:
            return False
        FORCED_NUMBER[0] = site.number
        for k in range(64):
            if FORCED_NUMBER[0] == site.number:
                FORCED_NUMBER[0] = FITTING[roll(count)]
        if FORCED_NUMBER[0] == site.number:
            return False
        if ASKS[s.question * ASKED + ASKS_LISTS]:
            return True
    SWAPPED[0] = 1 if site.pieces == 1 and roll(2) else 0
    return True


def walk_on(s: State) -> bool:
    # Take one step to another past, or stay: each past is visited as often as it is probable (Metropolis-Hastings).
    turn = LISTED[0]
    if COUNTS[turn * 2] == 0 and COUNTS[turn * 2 + 1] == 0:
        return False
    clear_permutation()
    SWAPPED[0] = 0
    FORCED_WORD[0] = NONE
    MENDS[0] = 0
    DRY[0] = 0
    which = 0
    if COUNTS[turn * 2] == 0 or (COUNTS[turn * 2 + 1] > 0 and random_share() >= 0.75):
        which = 1
    k = changeable(turn, which, roll(COUNTS[turn * 2 + which]))
    site: Site = site_at(PAST[0], k)
    are_unseen = False
    if which == 0:
        are_unseen = choose_places(site, k)
        if PERMUTATION_ON[0] == 0:
            return False
    elif not choose_other(s, site):
        return False
    free = UNSEEN[0]
    if replay_from(s, k) != 1:
        return False
    ratio = weigh(NEXT[0], SHARED[0], MADE[0]) - weigh(PAST[0], SHARED[0], SITES[0])
    ratio = ratio + FRESH[0] - left_out() - chance_of(turn, which)
    return accept(s, k, which, ratio, free, are_unseen)


def accept(s: State, k: i64, which: i64, ratio: f64, free: mask, are_unseen: bool) -> bool:
    # Accept a step if the way back exists too, and with the probability that the ratio gives.
    turn = LISTED[0]
    before = SITES[0]
    most = before if before > MADE[0] else MADE[0]
    exchange_tails(most)
    SITES[0] = MADE[0]
    note_changeable(1 - turn)
    taken = False
    for n in range(COUNTS[(1 - turn) * 2 + which]):
        if changeable(1 - turn, which, n) == k:
            taken = True
            break
    if taken and are_unseen:
        # The way back must be as likely: by the same places, out of as many.
        taken = same_places(k, free)
    if taken:
        ratio = ratio + chance_of(1 - turn, which)
        taken = ratio >= 0.0 or ln(random_share() + 1e-300) < ratio
    if taken:
        LISTED[0] = 1 - turn
        copy(WORLD, s, STATE)
    else:
        exchange_tails(most)
        SITES[0] = before
    return taken


def same_places(k: i64, free: mask) -> bool:
    # Whether as many places of a shuffle are unseen as before, and those that were changed among them.
    now = unseen_positions(k)
    if bits(now) != bits(free):
        return False
    new: Site = site_at(PAST[0], k)
    order: List = new + SITE_ORDER
    for i in range(order.n):
        c = order.v[i]
        if UNDO[c] != c and c not in now:
            return False
    return True


def wander(s: State, steps: i32) -> i32:
    taken: i64 = 0
    for n in range(i64(steps)):
        if walk_on(s):
            taken += 1
    return i32(taken)

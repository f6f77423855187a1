"""Changes a past that does not explain all that is known until it does. The changes need not be fair: a walk follows.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def random_of(m: mask) -> i64:
    count = bits(m)
    return nth(m, roll(count)) if count > 0 else 0 - 1


def pieces_in(s: State, z: i64) -> mask:
    if IS_POOL[z]:
        pool: Pool = s + ZONE_AT[z]
        return pool.m
    return mask_of_pile(s + ZONE_AT[z])


def pieces_of(s: State, player: i64) -> mask:
    # The pieces in zones of a player into which the watcher does not see.
    found: mask = 0
    for z in range(ZONES):
        if OWNER[z] == player + 1 and not sees_zone(z):
            found = found | pieces_in(s, z)
    return found


def all_unseen() -> mask:
    found: mask = 0
    for n in range(SITES[0]):
        site: Site = site_at(PAST[0], n)
        if site.kind == SHUFFLE:
            found = found | unseen_positions(n)
    return found


def with_face(face: i64) -> mask:
    found: mask = 0
    for c in range(PIECES):
        if FACE[c] == face:
            found = found | bit(c)
    return found


def source_of(s: State, known: Sound, i: i64, is_first: bool) -> mask:
    # The pieces among which there must be one with a face that is soon seen.
    if known.who > 0:
        return pieces_of(s, known.who - 1)
    zones: List = known.zones
    if i >= zones.n:
        return LIST_NONE[0]
    z = zones.v[i]
    if is_first and known.place != NONE and not IS_POOL[z]:
        p: Pile = s + ZONE_AT[z]
        if known.place < p.n:
            return bit(p.v[p.n - 1 - known.place])
    return pieces_in(s, z)


def supply_missing(s: State, free: mask, first: i64, most: i64) -> bool:
    # The log soon shows faces that come from where they do not lie: swap pieces that have them there.
    used: mask = 0
    found = 0
    for at in range(first, first + SOON):
        if at >= KNOWN[0] or found >= most:
            break
        known: Sound = SOUNDS[0] + at * SOUND
        wanted: List = known.faces
        for i in range(wanted.n):
            alike = with_face(wanted.v[i]) & ~used
            here = source_of(s, known, i, at <= FROM[0] + 1) & ~used
            if alike & here:
                used = used | bit(lowest(alike & here))
                continue
            if alike & free:
                alike = alike & free
            if here & free:
                here = here & free
            c = random_of(alike)
            d = random_of(here)
            if c < 0 or d < 0 or found >= most:
                continue
            swap(c, d)
            used = used | bit(c) | bit(d)
            found += 1
    return found > 0


def lift_duty(s: State, free: mask) -> bool:
    # The player did something that the rules forbid with these pieces: swap one of them for another.
    if s.options == 0:
        return False
    held: mask = 0
    q = s.question * ASKED
    if ASKS[q + ASKS_PIECES] and roll(4):
        list_again(s)
        count = s.options if s.options < MOST_TRIED else MOST_TRIED
        for n in range(count):
            load_pieces(s, LIST_A, n)
            held = held | mask_of_list(LIST_A)
    else:
        held = pieces_of(s, s.asked)
    c = random_of(held & free)
    d = random_of(free & ~held)
    if c < 0 or d < 0:
        return False
    swap(c, d)
    return True


def swap_contradiction(free: mask) -> bool:
    # The log shows one face, and this past another: swap the two.
    c = CULPRIT_KEPT[0]
    at = REACHED[0]
    if c < 0 or at >= KNOWN[0]:
        return False
    known: Sound = SOUNDS[0] + at * SOUND
    wanted: List = known.faces
    d = 0 - 1
    if wanted.n > 0 and roll(2):
        d = random_of(with_face(wanted.v[roll(wanted.n)]))
    else:
        d = random_of(free)
    if d < 0 or c == d:
        return False
    swap(c, d)
    return True


def nearby(s: State) -> mask:
    # The pieces that the log is about where the past is stuck: those of the source, or of the player who chose.
    at = REACHED[0] + roll(NEARBY) - NEARBY // 2
    if at < 0 or at >= KNOWN[0]:
        return LIST_NONE[0]
    known: Sound = SOUNDS[0] + at * SOUND
    return source_of(s, known, 0, at >= REACHED[0])


def swap_anything(s: State, free: mask) -> bool:
    # Something announced does not hold, and nothing tells which piece is wrong: swap two with different faces.
    c = random_of(nearby(s) & free)
    if c < 0:
        c = random_of(free)
    if c < 0:
        return False
    d = random_of(free & ~with_face(FACE[c]))
    if d < 0:
        return False
    swap(c, d)
    if roll(4) == 0:
        # Often a single swap breaks what another one repairs.
        free = free & ~(bit(c) | bit(d))
        c = random_of(free)
        if c >= 0:
            d = random_of(free & ~with_face(FACE[c]))
            if d >= 0:
                swap(c, d)
    return True


def site_of_swap(s: State) -> i64:
    # The site from which two pieces are swapped: the last shuffle with both, or a hidden choice of one of them.
    pair: mask = 0
    for c in range(PIECES):
        if PERMUTATION[c] != c:
            pair = pair | bit(c)
    ways = 0
    found = 0 - 1
    for n in range(SITES[0] - 1, 0 - 1, -1):
        site: Site = site_at(PAST[0], n)
        if site.kind == SHUFFLE:
            if not pair & ~mask_of_list(site + SITE_ORDER):
                ways += 1
                if roll(ways) == 0:
                    found = n
                break
        elif site.kind != OWN and site.pieces == 1 and site.fitting > 1 and site.word != NONE:
            if PERMUTATION[site.word] != site.word:
                if site.kind == RANDOM or can_be(s, site, PERMUTATION[site.word]):
                    ways += 1
                    if roll(ways) == 0:
                        found = n
                        FORCED_NUMBER[0] = FOUND_NUMBER[0]
                        FORCED_WORD[0] = PERMUTATION[site.word]
    if found < 0:
        return found
    chosen: Site = site_at(PAST[0], found)
    if chosen.kind == SHUFFLE:
        order: List = chosen + SITE_ORDER
        forced: List = i32(FORCED[0])
        forced.n = order.n
        for i in range(order.n):
            forced.v[i] = PERMUTATION[order.v[i]]
    return found


def can_be(s: State, site: Site, word: i64) -> bool:
    # Whether another piece could have been chosen at a site; FOUND_NUMBER is its option.
    copy(s, site + SITE_STATE, STATE)
    if ASKS[s.question * ASKED + ASKS_LISTS]:
        return False
    list_again(s)
    count = s.options if s.options < MOST_OFFERED else MOST_OFFERED
    for n in range(count):
        if word_of(n) == word:
            FOUND_NUMBER[0] = n
            return True
    return False


def other_decision(s: State) -> i64:
    # Change a hidden decision: a value at any time, or any decision among the RECENT ones.
    values = roll(2) == 0
    found = 0 - 1
    ways = 0
    for n in range(SITES[0]):
        site: Site = site_at(PAST[0], n)
        if (site.kind == OTHER or site.kind == RANDOM) and site.fitting > 1:
            if (values and site.pieces == 0) or (not values and n + RECENT >= SITES[0]):
                ways += 1
                if roll(ways) == 0:
                    found = n
    if found >= 0:
        chosen: Site = site_at(PAST[0], found)
        if not choose_other(s, chosen):
            return 0 - 1
    return found


def mend_once(s: State) -> i64:
    # Choose a change after which more of the log may hold: the site at which it is made, or -1.
    clear_permutation()
    SWAPPED[0] = 0
    FORCED_WORD[0] = NONE
    mode = roll(10)
    if mode < 3:
        found = other_decision(s)
        if found >= 0:
            return found
    free = all_unseen()
    world: State = WORLD
    done = False
    if mode < 8 and not (world.options == 0 and CULPRIT_KEPT[0] < 0 and roll(2)):
        first = FROM[0]
        most: i64 = 8
        if roll(2):
            most = 1
            first = REACHED[0] if roll(2) else FROM[0] + roll(SOON)
        done = supply_missing(world, free, first, most)
    if not done and mode < 9:
        done = swap_contradiction(free)
    if not done:
        copy(s, world, STATE)
        done = lift_duty(s, free)
    if not done:
        done = swap_anything(world, free)
    if not done:
        return 0 - 1
    return site_of_swap(s)


def mend(s: State, patience: i32) -> i32:
    # Change a past that is stuck until it is whole, or until `patience` changes in a row have led no further than any before.
    left = i64(patience)
    furthest = REACHED[0]
    while left > 0 and WHOLE[0] == 0:
        left -= 1
        k = mend_once(s)
        if k < 0:
            continue
        MENDS[0] = 1
        duties = OPTIONS_NOW[0]
        found = replay_from(s, k)
        if found > 1:
            return i32(found)
        reached = STUCK[0]
        better = found == 1 or reached > REACHED[0]
        if better or (reached == REACHED[0] and s.options <= duties) or (roll(24) == 0 and reached + 12 * (1 + roll(6)) > REACHED[0] and reached > 0):
            if reached > furthest:
                left = i64(patience)
                furthest = reached
            take_over(s, found)
            OPTIONS_NOW[0] = s.options
            CULPRIT_KEPT[0] = CULPRIT[0]
    return i32(WHOLE[0])


def copy_past(to: i32, source: i32, count: i64):
    for n in range(count):
        copy(site_at(to, n), site_at(source, n), SITE)


def keep_past():
    copy_past(KEPT[0], PAST[0], SITES[0])
    KEPT_SITES[0] = SITES[0]
    KEPT_FROM[0] = FROM[0]
    copy(KEPT_WORLD, WORLD, STATE)


def bring_back():
    copy_past(PAST[0], KEPT[0], KEPT_SITES[0])
    SITES[0] = KEPT_SITES[0]
    FROM[0] = KEPT_FROM[0]
    WHOLE[0] = 1
    copy(WORLD, KEPT_WORLD, STATE)


def imagine(s: State, command: i32) -> i32:
    # 0: begin a past; 1: go on from the one before; 2: note what can be changed in it; 3: keep it; 4: bring it back.
    if command == 0:
        found = begin_past(s)
        OPTIONS_NOW[0] = s.options
        CULPRIT_KEPT[0] = CULPRIT[0]
        return i32(found)
    if command == 1:
        found = extend_past(s)
        OPTIONS_NOW[0] = s.options
        CULPRIT_KEPT[0] = CULPRIT[0]
        return i32(found)
    if command == 2:
        LISTED[0] = 0
        note_changeable(0)
    if command == 3:
        keep_past()
    if command == 4:
        bring_back()
    return 0

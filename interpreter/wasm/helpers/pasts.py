"""Pasts that explain what a player knows: played by the rules, compared with every observation, changed step by step.

A past is a row of sites: moments at which a player or chance decided. The site of a player's decision keeps the state
before it, so that another past can branch off there; a decision of chance is replayed from the player's decision before
it. PAST has the addresses of the sites of the current past, NEXT those of the past that is tried; the two exchange
addresses if it is accepted. `interpreter.worlds.fast` calls all this, and says why it is done.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def clear_permutation():
    if PERMUTATION_ON[0] != 0 or PERMUTATION[PLACES] != 1:
        for c in range(PLACES):
            PERMUTATION[c] = c
            UNDO[c] = c
        PERMUTATION[PLACES] = 1
        PERMUTATION_ON[0] = 0


def decide_again(s: State, site: Site) -> i64:
    # The decision at a site of a replayed past: as before if there was one, otherwise drawn; -1 if none fits.
    old: Site = find_old(site.address)
    if old == 0:
        if site.fitting == 0:
            return 0 - 1
        FRESH[0] = FRESH[0] + ln(f64(site.fitting))
        return FITTING[roll(site.fitting)]
    if site.fitting == 1:
        if old.fitting > 1 and not leads_back(s, old, FITTING[0]):
            return 0 - 1
        return FITTING[0]
    return find_option(s, old)


def is_likely(s: State, n: i64) -> bool:
    # Whether an option has a piece with a face that the log soon shows in a move.
    q = s.question * ASKED
    if ASKS[q + ASKS_PIECES] == 0:
        return False
    at = HEARD[0]
    end = at + SOON if at + SOON < KNOWN[0] else KNOWN[0]
    load_pieces(s, LIST_A, n)
    a: List = LIST_A
    for i in range(a.n):
        for k in range(at, end):
            known: Sound = SOUNDS[0] + k * SOUND
            if known.face == FACE[a.v[i]]:
                return True
    return False


def try_options(s: State, site: Site) -> bool:
    # Take the first option after which the log holds up to the next site; the likely ones are tried first.
    n = MADE[0]
    at = HEARD[0]
    count = site.fitting
    for i in range(count):
        TO_TRY[i] = FITTING[i]
    for i in range(count - 1, 0, -1):
        j = roll(i + 1)
        kept = TO_TRY[i]
        TO_TRY[i] = TO_TRY[j]
        TO_TRY[j] = kept
    likely = 0
    if count > 1:
        for i in range(count):
            if is_likely(s, TO_TRY[i]):
                kept = TO_TRY[i]
                TO_TRY[i] = TO_TRY[likely]
                TO_TRY[likely] = kept
                likely += 1
    old: Site = find_old(site.address)
    first = 0 - 1
    if old != 0:
        first = find_option(s, old)
    state: State = site + SITE_STATE
    tried = 0
    for i in range(0 - 1, count):
        if i < 0 and first < 0:
            continue
        chosen = first if i < 0 else TO_TRY[i]
        if i >= 0 and chosen == first:
            continue
        tried += 1
        if tried > MOST_TRIED:
            break
        keep_option(s, site, chosen)
        play_option(s, chosen, told_at(1 - TURN[0]))
        if DEAD[0] == 0:
            TURN[0] = 1 - TURN[0]
            return True
        if HEARD[0] > STUCK[0]:
            STUCK[0] = HEARD[0]
        copy(s, state, STATE)
        DEAD[0] = 0
        UNTOLD[0] = 0
        HEARD[0] = at
        MADE[0] = n
        LAST[0] = n - 1
        SAW[0] = SAW[0] & ~SAW[0]
        read_options(s)
    return False


def unfold(s: State) -> i64:
    # Go on as long as the log holds: 1 if all of it does, 2 if there are too many options, 3 if there is no room, else 0.
    while True:
        if DEAD[0] != 0:
            # A change that fails at once leads nowhere; but a first past has to begin somewhere.
            STUCK[0] = HEARD[0] if MADE[0] > 0 and SHARED[0] == 0 and LAST[0] < 0 else 0
            return 0
        if s.options == 0:
            STUCK[0] = HEARD[0] if HEARD[0] > STUCK[0] else STUCK[0]
            return 0
        if s.options > MOST_OFFERED and (HEARD[0] < KNOWN[0] or s.asked != WATCH[0] - 1):
            return 2
        if MADE[0] + 8 > ROOM_FOR[0]:
            return 3
        read_options(s)
        if HEARD[0] == KNOWN[0] and s.asked == WATCH[0] - 1:
            STUCK[0] = HEARD[0]
            return 1 if same_question(s) else 0
        n = MADE[0]
        is_own = s.asked == WATCH[0] - 1
        address = blend(blend(blend(23, HEARD[0]), s.asked), ASKS[s.question * ASKED + ASKS_STATEMENT])
        site: Site = new_site(OWN if is_own else OTHER, address)
        LAST[0] = n
        site.base = n
        site.count = s.options
        copy(site + SITE_STATE, s, STATE)
        if not is_own:
            site.weight = 0.0 - ln(f64(s.options))
        site.fitting = find_fitting(s)
        if MENDS[0] != 0 and n != CHANGED[0]:
            if not try_options(s, site):
                MADE[0] = n
                STUCK[0] = HEARD[0] if HEARD[0] > STUCK[0] else STUCK[0]
                return 0
            continue
        chosen = FORCED_NUMBER[0] if n == CHANGED[0] else decide_again(s, site)
        if chosen < 0 or chosen >= s.options:
            MADE[0] = n
            return 0
        keep_option(s, site, chosen)
        if n == CHANGED[0] and SWAPPED[0] != 0:
            was: Site = site_at(PAST[0], n)
            if was.word != NONE and is_piece(s.question * ASKED, site.word):
                swap(was.word, site.word)
        play_option(s, chosen, told_at(1 - TURN[0]))
        TURN[0] = 1 - TURN[0]


def note_last_seen():
    if MADE[0] > 0:
        last: Site = site_at(NEXT[0] if MADE[0] > SHARED[0] else PAST[0], MADE[0] - 1)
        last.seen = last.seen | SAW[0]
    SAW[0] = SAW[0] & ~SAW[0]


def begin_attempt(changed: i64):
    RUN[0] = RUN[0] + 1
    CHANGED[0] = changed
    HINT[0] = changed + 1
    FRESH[0] = 0.0
    STUCK[0] = 0
    UNTOLD[0] = 0
    DEAD[0] = 0
    DRY[0] = 0
    CULPRIT[0] = 0 - 1
    SAW[0] = SAW[0] & ~SAW[0]


def begin_again(s: State):
    # Start the game, up to the first question.
    MADE[0] = 0
    HEARD[0] = 0
    LAST[0] = 0 - 1
    SHARED[0] = 0
    lay_out(s, u64(DICE[0]), FIRST[0])
    s.told = told_at(TURN[0])
    MAIL[1] = 0
    MAIL[2] = MOST_OFFERED
    MAIL[3] = i64(s.told) + TOLD_SIZE
    go_on(s, 0)


def replay_from(s: State, k: i64) -> i64:
    # Replay PAST up to site `k`, decide there as FORCED or FORCED_NUMBER says, and go on.
    begin_attempt(k)
    site: Site = site_at(PAST[0], k)
    base = site.base
    if base < 0:
        begin_again(s)
    else:
        before: Site = site_at(PAST[0], base)
        SHARED[0] = base
        HEARD[0] = before.at
        copy(s, before + SITE_STATE, STATE)
        LAST[0] = base - 1
        MADE[0] = base
        if base < k:
            again: Site = site_at(NEXT[0], base)
            copy(again, before, SITE)
            again.seen = again.seen & ~again.seen
            MADE[0] = base + 1
            LAST[0] = base
            play_option(s, again.number, told_at(TURN[0]))
        else:
            list_again(s)
    found = unfold(s)
    note_last_seen()
    return found


def exchange_tails(last: i64):
    # Exchange the sites that the two pasts do not share.
    past: Words = i32(PAST[0])
    other: Words = i32(NEXT[0])
    for n in range(SHARED[0], last):
        kept = past.w[n]
        past.w[n] = other.w[n]
        other.w[n] = kept


def take_over(s: State, found: i64):
    # Accept the past that was tried; the site at which it is stuck lies behind its end.
    most = SITES[0] if SITES[0] > MADE[0] else MADE[0]
    exchange_tails(most + 2 if most + 2 < ROOM_FOR[0] else most)
    SITES[0] = MADE[0]
    WHOLE[0] = found
    REACHED[0] = STUCK[0]
    FROM[0] = HEARD[0]
    copy(WORLD, s, STATE)


def begin_past(s: State) -> i64:
    # Find a first past; shuffles bring on top what the log wants there.
    clear_permutation()
    MENDS[0] = 1
    SITES[0] = 0
    begin_attempt(0 - 1)
    begin_again(s)
    found = unfold(s)
    note_last_seen()
    take_over(s, found)
    return found


def extend_past(s: State) -> i64:
    # Go on from the previous question, as more is known now.
    clear_permutation()
    MENDS[0] = 1
    for n in range(SITES[0]):
        site: Site = site_at(PAST[0], n)
        if site.kind == OTHER:
            state: State = site + SITE_STATE
            if ASKS[state.question * ASKED + ASKS_SEALED]:
                copy(s, state, STATE)
                HEARD[0] = site.at
                list_again(s)
                site.fitting = find_fitting(s)
    begin_attempt(SITES[0] - 1)
    HEARD[0] = FROM[0]
    MADE[0] = SITES[0]
    SHARED[0] = SITES[0]
    LAST[0] = SITES[0] - 1
    while LAST[0] >= 0:
        last: Site = site_at(PAST[0], LAST[0])
        if last.kind == OWN or last.kind == OTHER:
            break
        LAST[0] = LAST[0] - 1
    copy(s, WORLD, STATE)
    list_again(s)
    found = unfold(s)
    note_last_seen()
    take_over(s, found)
    return found

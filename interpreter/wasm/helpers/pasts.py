"""Pasts that explain what a player knows: played by the rules, compared with every observation, changed step by step.

A past is a row of sites, moments at which somebody or chance decided. A site of a decision keeps the state before it,
so that another past can branch off there; what chance decides is told again from the decision before it. PAST are the
sites of the past that holds, NEXT those of one that is tried: each a row of addresses, which change places if it is
taken. `interpreter.worlds.fast` calls all this, and says why it is done.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


# ---- Steps ---------------------------------------------------------------------------------------


def told_at(turn: i64) -> i32:
    return i32(TOLD[0] + turn * TOLD_SIZE)


def play_option(s: State, n: i64, told: i32) -> i64:
    # A step; the options of the next question are listed, if there is a place for them.
    s.told = told
    MAIL[1] = 0
    MAIL[2] = MOST_OFFERED
    MAIL[3] = i64(told) + TOLD_SIZE
    s.chosen = n
    s.most = 0
    return go_on(s, 1)


def list_again(s: State):
    # The options of a question that waits.
    play_option(s, 0 - 1, told_at(TURN[0]))
    read_options(s)


def read_options(s: State):
    at = told_at(TURN[0])
    count = s.options if s.options < MOST_OFFERED else MOST_OFFERED
    is_list = ASKS[s.question * ASKED + ASKS_LISTS]
    for n in range(count):
        OPTION_AT[n] = i64(at)
        word: Word = at
        at = at + 8
        if is_list and word.w > 0:
            at = at + word.w * 8


def word_of(n: i64) -> i64:
    word: Word = i32(OPTION_AT[n])
    return word.w


def is_piece(q: i64, word: i64) -> bool:
    # Whether an option is a piece: nobody has declined, and it is no action beside pieces.
    return ASKS[q + ASKS_PIECES] != 0 and word >= 0 and word < PIECES


def load_option(to: List, n: i64):
    words: Numbers = i32(OPTION_AT[n])
    to.n = words.v[0]
    for i in range(words.v[0]):
        to.v[i] = words.v[i + 1]


def look_of_option(s: State, n: i64, how: i64) -> i64:
    q = s.question * ASKED
    if ASKS[q + ASKS_LISTS]:
        load_option(LIST_A, n)
        if ASKS[q + ASKS_PIECES]:
            return look_of_list(s, LIST_A, how)
        return sound_of_list(LIST_A)
    word = word_of(n)
    if ASKS[q + ASKS_SMALL]:
        return sound_of_small(word)
    if is_piece(q, word):
        return look_of(s, word, how)
    return word


def keep_option(s: State, site: Site, n: i64):
    q = s.question * ASKED
    site.number = n
    order: List = site + SITE_ORDER
    order.n = 0
    site.pieces = ASKS[q + ASKS_PIECES] * (1 + ASKS[q + ASKS_LISTS])
    if ASKS[q + ASKS_LISTS]:
        load_option(order, n)
        site.word = sound_of_list(order)
    else:
        site.word = word_of(n)
        if site.word != NONE and not is_piece(q, site.word):
            site.pieces = 0


def find_option(s: State, old: Site) -> i64:
    # What was decided before, with other pieces where PERMUTATION puts them; -1 if it is no option.
    q = s.question * ASKED
    count = s.options if s.options < MOST_OFFERED else MOST_OFFERED
    FUEL[0] = MOST_WORK
    if ASKS[q + ASKS_LISTS]:
        before: List = old + SITE_ORDER
        a: List = LIST_A
        a.n = before.n
        for i in range(before.n):
            a.v[i] = PERMUTATION[before.v[i]] if ASKS[q + ASKS_PIECES] else before.v[i]
        for n in range(count):
            words: Numbers = i32(OPTION_AT[n])
            if words.v[0] == a.n:
                load_option(LIST_B, n)
                if a.n <= 0:
                    return n
                if ASKS[q + ASKS_PIECES]:
                    if look_alike(s, a, LIST_B):
                        return n
                elif same_set(a, LIST_B):
                    return n
        return 0 - 1
    word = old.word
    of_piece = is_piece(q, word)
    if of_piece:
        word = PERMUTATION[word]
    for n in range(count):
        if word_of(n) == word:
            return n
    if of_piece:
        for n in range(count):
            if is_piece(q, word_of(n)) and is_twin(s, word_of(n), word):
                return n
    return 0 - 1


def leads_back(s: State, old: Site, n: i64) -> bool:
    # Whether an option, with the pieces put back, is what was decided before, or looks like it.
    q = s.question * ASKED
    state: State = old + SITE_STATE
    FUEL[0] = MOST_WORK
    if ASKS[q + ASKS_LISTS]:
        before: List = old + SITE_ORDER
        load_option(LIST_A, n)
        a: List = LIST_A
        if a.n != before.n:
            return False
        if a.n <= 0:
            return True
        if ASKS[q + ASKS_PIECES] == 0:
            return same_set(a, before)
        for i in range(a.n):
            a.v[i] = UNDO[a.v[i]]
        return look_alike(state, a, before)
    word = word_of(n)
    if not is_piece(q, word) or not is_piece(q, old.word):
        return word == old.word
    return is_twin(state, UNDO[word], old.word)


# ---- What fits -----------------------------------------------------------------------------------


def goes_on_without(s: State) -> bool:
    # Whether the log may go on if somebody declines, which is not told, and is asked again.
    trial: State = TRIAL
    copy(trial, s, STATE)
    at = HEARD[0]
    saw = SAW[0]
    player = s.asked
    DRY[0] = 1
    play_option(trial, s.options - 1, 0)
    DRY[0] = 0
    fits = DEAD[0] == 0 and (HEARD[0] > at or (trial.options > 0 and trial.asked == player))
    HEARD[0] = at
    SAW[0] = saw
    DEAD[0] = 0
    UNTOLD[0] = 0
    return fits


def add_every(count: i64) -> i64:
    for n in range(count):
        FITTING[n] = n
    return count


def find_fitting(s: State) -> i64:
    # The options by which the log may go on as it does, as far as one sees at once.
    q = s.question * ASKED
    count = s.options if s.options < MOST_OFFERED else MOST_OFFERED
    player = s.asked
    me = WATCH[0] - 1
    at = HEARD[0]
    found = 0
    known: Sound = SOUNDS[0] + at * SOUND
    is_next = at < KNOWN[0] and known.who == player + 1
    if player == me:
        if is_next:
            h = blend(blend(SOUND_CHOSE, me), ASKS[q + ASKS_STATEMENT])
            for n in range(count):
                if blend(h, look_of_option(s, n, AS_FACES)) == known.h:
                    FITTING[found] = n
                    found += 1
        return found
    if (ASKS[q + ASKS_SIGHT + player] >> u64(me) & 1) == 0:
        return add_every(count)
    may = ASKS[q + ASKS_MAY]
    if ASKS[q + ASKS_SEALED]:
        later: Sound = 0
        for k in range(at, KNOWN[0]):
            each: Sound = SOUNDS[0] + k * SOUND
            if each.who == player + 1:
                later = each
                break
        if later == 0:
            return add_every(count)
        for n in range(count):
            if look_of_option(s, n, AS_SEEN) == later.value and word_of(n) != NONE:
                FITTING[found] = n
                found += 1
        if may:
            FITTING[found] = s.options - 1
            found += 1
        return found if found > 0 else add_every(count)
    if is_next:
        for n in range(count - may):
            if look_of_option(s, n, AS_SEEN) == known.value:
                FITTING[found] = n
                found += 1
        if may and goes_on_without(s):
            FITTING[found] = s.options - 1
            found += 1
        return found
    if may:
        FITTING[0] = s.options - 1
        return 1
    return 0


def same_question(s: State) -> bool:
    # Whether the player is asked the same, with the same options in the same order.
    q = s.question * ASKED
    if s.options != QUESTION[0] or ASKS[q + ASKS_STATEMENT] != QUESTION[1]:
        return False
    count = s.options if s.options < MOST_OFFERED else MOST_OFFERED
    h: u64 = SOUND_SET
    for n in range(count):
        h = blend(h, look_of_option(s, n, AS_FACES))
    return i64(h) == QUESTION[2]


# ---- Telling a past ------------------------------------------------------------------------------


def clear_permutation():
    if PERMUTATION_ON[0] != 0 or PERMUTATION[PLACES] != 1:
        for c in range(PLACES):
            PERMUTATION[c] = c
            UNDO[c] = c
        PERMUTATION[PLACES] = 1
        PERMUTATION_ON[0] = 0


def follow(s: State, site: Site) -> i64:
    # What is decided where a past is told again: as before, or drawn anew; -1 if that cannot be.
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
    # Whether a piece of an option has a face that will soon be seen to move.
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


def load_pieces(s: State, to: List, n: i64):
    if ASKS[s.question * ASKED + ASKS_LISTS]:
        load_option(to, n)
    else:
        to.n = 1
        to.v[0] = word_of(n)
        if not is_piece(s.question * ASKED, word_of(n)):
            to.n = 0


def try_options(s: State, site: Site) -> bool:
    # Take the first option after which the log comes true up to the next site, the likeliest first.
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
    # Go on as far as the log comes true: 1 if all of it did, 2 if there is too much to choose from, or else 0.
    while True:
        if DEAD[0] != 0:
            # A change that fails at once leads nowhere; the very first beginning has to be somewhere.
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
        chosen = FORCED_NUMBER[0] if n == CHANGED[0] else follow(s, site)
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


def see_last():
    if MADE[0] > 0:
        last: Site = site_at(NEXT[0] if MADE[0] > SHARED[0] else PAST[0], MADE[0] - 1)
        last.seen = last.seen | SAW[0]
    SAW[0] = SAW[0] & ~SAW[0]


def prepare(changed: i64):
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
    # The game before anybody has decided anything, up to the first question.
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


def retell(s: State, k: i64) -> i64:
    # Another past, which is as PAST up to site `k`, where FORCED or FORCED_NUMBER decides.
    prepare(k)
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
    see_last()
    return found


def exchange(last: i64):
    # The sites that are not shared change places with those of the other past.
    past: Words = i32(PAST[0])
    other: Words = i32(NEXT[0])
    for n in range(SHARED[0], last):
        kept = past.w[n]
        past.w[n] = other.w[n]
        other.w[n] = kept


def take_over(s: State, found: i64):
    # What was told becomes the past; the site at which it is stuck lies behind its end.
    most = SITES[0] if SITES[0] > MADE[0] else MADE[0]
    exchange(most + 2 if most + 2 < ROOM_FOR[0] else most)
    SITES[0] = MADE[0]
    WHOLE[0] = found
    REACHED[0] = STUCK[0]
    FROM[0] = HEARD[0]
    copy(WORLD, s, STATE)


def begin_past(s: State) -> i64:
    # A first past, as likely as what is wanted of the shuffles makes it.
    clear_permutation()
    MENDS[0] = 1
    SITES[0] = 0
    prepare(0 - 1)
    begin_again(s)
    found = unfold(s)
    see_last()
    take_over(s, found)
    return found


def extend_past(s: State) -> i64:
    # Go on from the question before, as more is known by now.
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
    prepare(SITES[0] - 1)
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
    see_last()
    take_over(s, found)
    return found

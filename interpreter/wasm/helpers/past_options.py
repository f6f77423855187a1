"""Options while a past is replayed: listed after each step, found again in another past, and compared with the log.

An option fits if what the player knows can go on as it does, as far as one sees before the step is taken.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


# ---- Steps and options ---------------------------------------------------------------------------------


def told_at(turn: i64) -> i32:
    return i32(TOLD[0] + turn * TOLD_SIZE)


def play_option(s: State, n: i64, told: i32) -> i64:
    # Take a step. If there is room at `told`, the options of the next question are listed there.
    s.told = told
    MAIL[1] = 0
    MAIL[2] = MOST_OFFERED
    MAIL[3] = i64(told) + TOLD_SIZE
    s.chosen = n
    s.most = 0
    return go_on(s, 1)


def list_again(s: State):
    # List the options of the pending question again.
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
    # Whether an option is a piece: not a refusal, and not an action that is offered beside pieces.
    return ASKS[q + ASKS_PIECES] != 0 and word >= 0 and word < PIECES


def load_option(to: List, n: i64):
    words: Numbers = i32(OPTION_AT[n])
    to.n = words.v[0]
    for i in range(words.v[0]):
        to.v[i] = words.v[i + 1]


def look_of_option(s: State, n: i64, mode: i64) -> i64:
    q = s.question * ASKED
    if ASKS[q + ASKS_LISTS]:
        load_option(LIST_A, n)
        if ASKS[q + ASKS_PIECES]:
            return look_of_list(s, LIST_A, mode)
        return sound_of_list(LIST_A)
    word = word_of(n)
    if ASKS[q + ASKS_SMALL]:
        return sound_of_small(word)
    if is_piece(q, word):
        return look_of(s, word, mode)
    return word


def load_pieces(s: State, to: List, n: i64):
    if ASKS[s.question * ASKED + ASKS_LISTS]:
        load_option(to, n)
    else:
        to.n = 1
        to.v[0] = word_of(n)
        if not is_piece(s.question * ASKED, word_of(n)):
            to.n = 0


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
    # The option that was chosen at an old site, with its pieces replaced by PERMUTATION; -1 if it is not offered.
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
    # Whether an option, with PERMUTATION undone, is what was chosen at an old site, or looks like it.
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


# ---- Options that fit -----------------------------------------------------------------------------------


def goes_on_without(s: State) -> bool:
    # Whether the log can go on if the player declines: nobody is told, and the player may be asked again.
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
    # Find the options after which the log can go on as it does, as far as can be seen before the step.
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
    # Whether the player is asked the same question, with the same options in the same order.
    q = s.question * ASKED
    if s.options != QUESTION[0] or ASKS[q + ASKS_STATEMENT] != QUESTION[1]:
        return False
    count = s.options if s.options < MOST_OFFERED else MOST_OFFERED
    h: u64 = SOUND_SET
    for n in range(count):
        h = blend(h, look_of_option(s, n, AS_FACES))
    return i64(h) == QUESTION[2]

"""Games as a whole, and step by step. `run` and `rank` are those of a game.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def lay_out(s: State, seed: u64, first: i64):
    fill(s, 0, STATE)
    s.rng = seed
    s.first = first
    if first < 0:
        s.first = i64(below(s, PLAYERS))
    s.phase = BEFORE
    s.chosen = -1


def go_on(s: State, resume: i32) -> i64:
    # How many options there are now; none if the game is over.
    s.options = 0
    FUEL[0] = MOST_WORK
    SP[0] = ARENA
    run(s, resume)
    return s.options


def play(s: State, seed: u64, first: i64, most: i64, found: Numbers):
    lay_out(s, seed, first)
    s.luck = luck_for(seed)
    s.most = most
    if go_on(s, 0) > 0:
        # It was cut off: nobody has won.
        found.v[0] = s.count
        found.v[1] = 0 - 1
        return
    rank(s, found + 16)
    found.v[0] = s.count
    found.v[1] = winners(found + 16)


# ---- What is called from outside: 64 bits go through MAIL, as a browser has no such number ---------


def play_many(s: State, seeds: i32, begin: i32, count: i32, first: i32, found: i32):
    # Whole random games, by their seeds, of at most MAIL[1] choices; MAIL reports the progress.
    most = MAIL[1]
    for n in range(i64(begin), i64(count)):
        w: Word = seeds + n * 8
        MAIL[0] = n
        who = i64(first) if first != NOBODY else 0 - 1
        play(s, u64(w.w), who, most, found + n * (ROWS + 2) * 8)
    MAIL[0] = i64(count)


def start_game(s: State, first: i32) -> i32:
    copy(BACKUP, s, STATE)
    lay_out(s, u64(MAIL[0]), i64(first) if first != NOBODY else 0 - 1)
    return i32(go_on(s, 0))


def step(s: State, n: i32) -> i32:
    copy(BACKUP, s, STATE)
    s.chosen = i64(n)
    s.most = 0
    return i32(go_on(s, 1))


def begin_told(s: State, first: i32) -> i32:
    copy(BACKUP, s, STATE)
    lay_out(s, u64(MAIL[0]), i64(first) if first != NOBODY else 0 - 1)
    return report(s, 0)


def step_told(s: State, n: i32) -> i32:
    copy(BACKUP, s, STATE)
    s.chosen = i64(n) if n != NOBODY else 0 - 1
    s.most = 0
    return report(s, 1)


def report(s: State, resume: i32) -> i32:
    # A step, and a report after it: the number of words listed, the question, who is asked, and the options
    # in short; or, if the game is over, who has won, and the ranking.
    r: Numbers = REPORT
    s.told = REPORT + 24
    MAIL[1] = 0
    MAIL[2] = -1
    MAIL[3] = REPORT_END
    found = go_on(s, resume)
    r.v[0] = (i64(s.told) - REPORT) // 8 - 3
    r.v[1] = s.question
    r.v[2] = s.asked
    s.told = 0
    if found == 0:
        r.v[0] = ROWS + 1
        r.v[2] = TERMINAL
        rank_now(s, REPORT + 24)
    return i32(found)


def step_many(states: Words, numbers: Words, begin: i32, count: i32):
    # A step of each of many states; numbers of options go in, and how many there are then comes out.
    for n in range(i64(begin), i64(count)):
        MAIL[0] = n
        numbers.w[n] = i64(step(i32(states.w[n]), i32(numbers.w[n])))
    MAIL[0] = i64(count)


def rank_now(s: State, found: Numbers):
    FUEL[0] = MOST_WORK
    SP[0] = ARENA
    rank(s, found + 8)
    found.v[0] = winners(found + 8)


def begin_game(s: State, seed: u64) -> i64:
    lay_out(s, seed, 0 - 1)
    return go_on(s, 0)


def start_many(states: Words, seeds: i32, counts: Words, begin: i32, count: i32):
    # Many games at their first decision, by their seeds; how many options each has comes out.
    for n in range(i64(begin), i64(count)):
        MAIL[0] = n
        w: Word = seeds + n * 8
        counts.w[n] = begin_game(i32(states.w[n]), u64(w.w))
    MAIL[0] = i64(count)


def rank_many(states: Words, begin: i32, count: i32, found: i32):
    # The ranking of many games as they stand, row by row as in `rank_now`.
    for n in range(i64(begin), i64(count)):
        MAIL[0] = n
        rank_now(i32(states.w[n]), found + n * (ROWS + 1) * 8)
    MAIL[0] = i64(count)


def play_on(s: State, most: i32) -> i32:
    copy(BACKUP, s, STATE)
    s.luck = u64(MAIL[0])
    s.chosen = -1
    s.most = i64(most)
    found = go_on(s, 1)
    s.most = 0
    return i32(found)


def list_options(s: State, at: i32) -> i32:
    # Options from MAIL[1] to before MAIL[2], up to the address in MAIL[3]; how many words were written.
    copy(BACKUP, s, STATE)
    s.told = at
    s.chosen = -1
    s.most = 0
    go_on(s, 1)
    count = i64(s.told) - i64(at)
    copy(s, BACKUP, STATE)
    return i32(count // 8)

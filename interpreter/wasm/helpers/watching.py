"""What one player observes while rules run, compared at once with what that player knows.

WATCH is one more than the seat of that player, or 0 while nobody watches. An observation is a single number, computed from
all that the player learns by it; `interpreter.worlds.sounds` computes the same number for an observation that is known.
HEARD counts the observations that have come true so far; DEAD is 1 as soon as one differs.

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
def watcher() -> u64:
    return u64(WATCH[0] - 1)


def sees_zone(z: i64) -> bool:
    return (INTO[z] >> watcher() & 1) != 0


def counts_zone(z: i64) -> bool:
    return (COUNTERS[z] >> watcher() & 1) != 0


def look_of(s: State, c: i64, mode: i64) -> i64:
    # A piece as the player sees it: by its face if AS_FACES, or if it was shown and AS_TOLD.
    if c == NONE:
        return NONE
    if mode == AS_FACES or sees_zone(zone_of(s, c)):
        return FACE[c]
    if mode == AS_TOLD and c in s.shown:
        return FACE[c]
    return 0 - 1


def look_of_list(s: State, l: List, mode: i64) -> i64:
    if l.n < 0:
        return NONE
    total: u64 = 0
    for i in range(l.n):
        total = total + part_of(look_of(s, l.v[i], mode))
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
    # A player who sees a face in a pool, and was shown a look-alike, takes it for that one.
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
        # The player will not notice when it leaves this zone.
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
        if variable < 0 or (SIGHT[variable] >> watcher() & 1) != 0:
            hear(blend(blend(blend(SOUND_CHOSE, player), NONE), value))


def draws(value: i64, hidden: i64):
    h = blend(SOUND_RANDOM, value)
    if hidden:
        UNTOLD[0] = i64(h)
    else:
        hear(h)


def tells_of(variable: i64):
    # A decision for a hidden variable, as soon as the variable is known.
    if UNTOLD[0] != 0:
        h = u64(UNTOLD[0])
        UNTOLD[0] = 0
        if (SIGHT[variable] >> watcher() & 1) != 0:
            hear(h)


def sets_to(variable: i64, value: i64, is_new: i64):
    tells_of(variable)
    if is_new and (SIGHT[variable] >> watcher() & 1) != 0:
        hear(blend(blend(SOUND_SET_TO, variable), value))

"""Thinking ahead: one tree over many worlds, in which everybody is taken to look after themselves (ISMCTS).

A node is known by a number that is made of the way to it, what was chosen by whom, by faces; and of what only the
chooser sees, if that is little, as in poker: then they do not act as if they did not know it. All worlds share the tree;
in each only those options are looked at that this world has. CANDIDATES are the numbers of the options that are looked
at now, PROMISING those of them that are still tried. `interpreter.bots.search` calls this, and says why it is done.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def node_for(key: u64, makes: bool) -> i32:
    # The node with a number, made if it is not there; 0 if there is none, or no room.
    at = i64(key & u64(ROOM_NODES[0] - 1))
    for n in range(ROOM_NODES[0]):
        node: Thought = NODES[0] + at * THOUGHT
        if node.key == key:
            return node
        if node.key == 0:
            if not makes or NODES_USED[0] * 4 > ROOM_NODES[0] * 3:
                return 0
            NODES_USED[0] = NODES_USED[0] + 1
            node.key = key
            return node
        at = (at + 1) & (ROOM_NODES[0] - 1)
    return 0


def judge_now(s: State):
    # What the game is worth to each, from 0 to 1: to win above all, and a little by how much.
    FUEL[0] = MOST_WORK
    SP[0] = ARENA
    rank(s, RANKS)
    rows: Numbers = RANKS
    won = winners(RANKS)
    sides = 0
    for p in range(PLAYERS):
        first = (won >> p & 1) != 0
        for q in range(p):
            if (won >> q & 1) != 0 and TEAM != 0 and rows.v[TEAM + p] == rows.v[TEAM + q]:
                first = False
        if first:
            sides += 1
    largest = 0.0
    for p in range(PLAYERS):
        part = 0.0
        if (won >> p & 1) != 0:
            part = 1.0 / f64(sides)
        elif DRAWN != 0 and rows.v[DRAWN + p] != 0 and rows.v[DRAWN + p] != NONE:
            part = 0.5
        GAINED[p] = part
        if SCORE != 0:
            value = rows.v[SCORE + p]
            shown = 0 if value == NONE else value
            SCORED[p] = f64(shown)
            SIGNED[p] = f64(shown) if rows.v[SCORE - 1] == 1 else 0.0 - f64(shown)
    if SCORE != 0:
        # Players who have lost together against the game are behind nobody: their whole score counts.
        together = won == 0
        for p in range(PLAYERS):
            if SIGNED[p] != SIGNED[0]:
                together = False
        for p in range(PLAYERS):
            best = 0.0
            others = 0
            for q in range(PLAYERS):
                if q != p and (TEAM == 0 or rows.v[TEAM + p] != rows.v[TEAM + q]):
                    if others == 0 or SIGNED[q] > best:
                        best = SIGNED[q]
                    others += 1
            lead = SIGNED[p] if together else SIGNED[p] - best
            WORTHS[p] = lead
            size = lead if lead > 0.0 else 0.0 - lead
            if size > largest:
                largest = size
        LEADS[0] = LEADS[0] + largest
        LEADS[1] = LEADS[1] + 1.0
    usual = LEADS[0] / LEADS[1] if LEADS[0] > 0.0 else 1.0
    for p in range(PLAYERS):
        lead = 0.0
        if SCORE != 0:
            lead = WORTHS[p] / usual
        size = lead if lead > 0.0 else 0.0 - lead
        WORTHS[p] = 0.8 * GAINED[p] + 0.2 * (0.5 + 0.5 * lead / (1.0 + size))


def own_secret(s: State) -> u64:
    # What only the player who is asked sees, if that is little: then it decides what that player does.
    found: mask = 0
    for z in range(ZONES):
        if (INTO[z] >> u64(s.asked) & 1) != 0 and INTO[z] != EVERYONE:
            found = found | pieces_in(s, z)
    if bits(found) > FEW:
        return 0
    total: u64 = 0
    for c in found:
        total = total + part_of(FACE[c])
    return total


def tree_step(s: State, key: u64) -> i64:
    # The option to try in a node: one that was never tried, or else what promises most. Its number, and its node in CHILD.
    count = s.options
    q = s.question * ASKED
    way = blend(blend(key, s.asked), ASKS[q + ASKS_STATEMENT])
    secret = own_secret(s)
    SECRET[0] = i64(secret)
    fresh = 0
    for n in range(count):
        k = blend(way, look_of_option(s, n, AS_FACES))
        KEY_OF[n] = i64(k)
        child: Thought = node_for(blend(k, i64(secret)), False)
        CHILD_OF[n] = i64(i32(child))
        if child == 0:
            fresh += 1
            if roll(fresh) == 0:
                CHILD[0] = n
        else:
            child.available = child.available + 1.0
    if fresh > 0:
        return CHILD[0]
    best = 0.0 - 1.0
    found = 0
    for n in range(count):
        child = i32(CHILD_OF[n])
        promise = 2.0
        if child.tried > 0.0:
            promise = child.total / child.tried + CURIOSITY[0] * sqrt(ln(child.available) / child.tried)
        if promise > best:
            best = promise
            found = n
    return found


def think_once(s: State):
    copy(s, WORLD, STATE)
    WATCH[0] = 0
    DRY[0] = 0
    DICE[0] = DICE[0] + 0x9E3779B97F4A7C15
    s.rng = mixed(u64(DICE[0]))
    s.luck = mixed(s.rng ^ 0xD1B54A32D192ED03)
    promising: List = i32(PROMISING[0])
    chosen = promising.v[0]
    for n in range(promising.n):
        if BEGUN[promising.v[n]] < BEGUN[chosen]:
            chosen = promising.v[n]
    BEGUN[chosen] = BEGUN[chosen] + 1
    candidates: List = i32(CANDIDATES[0])
    number = candidates.v[chosen]
    me = s.asked
    depth = 0
    if DEEP[0] == 0:
        count = play_option(s, number, 0)
    else:
        key = blend(1, chosen)
        node: Thought = node_for(key, True)
        TURN[0] = 0
        PATH[0] = node
        WHO[0] = me
        depth = 1
        count = play_option(s, number, told_at(0) if node != 0 and node.tried > 0.0 else 0)
        while node != 0 and node.tried > 0.0 and count > 0 and count <= MOST_LOOKED and depth < 200:
            read_options(s)
            player = s.asked
            n = tree_step(s, key)
            key = u64(KEY_OF[n])
            node = node_for(blend(key, SECRET[0]), True)
            if node == 0:
                break
            if node.available == 0.0:
                node.available = 1.0
            PATH[depth] = node
            WHO[depth] = player
            depth += 1
            count = play_option(s, n, told_at(0) if node.tried > 0.0 else 0)
    if count > 0:
        s.told = 0
        s.chosen = 0 - 1
        s.most = HORIZON[0]
        go_on(s, 1)
        s.most = 0
    judge_now(s)
    for n in range(depth):
        visited: Thought = PATH[n]
        if visited != 0:
            visited.tried = visited.tried + 1.0
            visited.total = visited.total + WORTHS[WHO[n]]
    TALLIES[chosen * 5] = TALLIES[chosen * 5] + 1.0
    TALLIES[chosen * 5 + 1] = TALLIES[chosen * 5 + 1] + WORTHS[me]
    TALLIES[chosen * 5 + 2] = TALLIES[chosen * 5 + 2] + GAINED[me]
    TALLIES[chosen * 5 + 3] = TALLIES[chosen * 5 + 3] + SCORED[me]
    TALLIES[chosen * 5 + 4] = TALLIES[chosen * 5 + 4] + WORTHS[me] * WORTHS[me]


def ponder(s: State, games: i32) -> i32:
    # Play this many more games; PLAYED counts them, as a fault of the rules may stop a game.
    for n in range(i64(games)):
        if GAMES_LEFT[0] <= 0:
            WATCH[0] = SEATS[0]
            for step in range(WORLD_STEPS[0]):
                walk_on(s)
            WATCH[0] = 0
            WORLDS[0] = WORLDS[0] + 1
            GAMES_LEFT[0] = WORLD_GAMES[0]
        GAMES_LEFT[0] = GAMES_LEFT[0] - 1
        PLAYED[0] = PLAYED[0] + 1
        think_once(s)
    return 0

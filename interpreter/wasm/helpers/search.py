"""A tree of what may be done, searched inside of the module: UCT over a state whose future is drawn anew each time.

Restricted Python: `interpreter.wasm.restricted` translates it, Python never runs it. See docs/restricted-python.md.
"""

# mypy: ignore-errors


def best_child(node: Node, curiosity: f64, s: State) -> i64:
    # One that was never tried, by luck; or else the one that promises most.
    count = node.count
    fresh = 0
    child: Node = node.child
    for n in range(count):
        if child.tried == 0:
            fresh += 1
        child = child + NODE
    if fresh > 0:
        wanted = try_luck(s, fresh)
        child = node.child
        for n in range(count):
            if child.tried == 0:
                if wanted == 0:
                    return n
                wanted -= 1
            child = child + NODE
    height = ln(f64(node.tried))
    best = -1.0
    found = 0
    child = node.child
    for n in range(count):
        tried = f64(child.tried)
        promise = child.total / tried + curiosity * sqrt(height / tried)
        if promise > best:
            best = promise
            found = n
        child = child + NODE
    return found


def think(root: State, work: State, tree: i32, room: i32, games: i32, horizon: i32) -> i32:
    # Search so many games more. MAIL[0] is luck, MAIL[1] curiosity, MAIL[2] where free room for nodes begins: 0 at first.
    if MAIL[2] == 0:
        fill(tree, 0, NODE)
        MAIL[2] = i64(tree) + NODE
    curiosity = from_bits(u64(MAIL[1]))
    for game in range(i64(games)):
        copy(work, root, STATE)
        MAIL[0] = MAIL[0] + 0x9E3779B97F4A7C15
        seed = u64(MAIL[0])
        z = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9
        work.rng = z ^ (z >> 27)
        work.luck = z
        node: Node = tree
        depth = 0
        PATH[0] = tree
        count = work.options
        while count > 0:
            if node.count == 0:
                if count > MOST_CHILDREN or MAIL[2] + count * NODE > i64(room):
                    break
                node.child = i32(MAIL[2])
                node.count = count
                fill(node.child, 0, count * NODE)
                MAIL[2] = MAIL[2] + count * NODE
            if node.count != count:
                break
            n = best_child(node, curiosity, work)
            player = work.asked
            node = node.child + n * NODE
            depth += 1
            PATH[depth] = node
            WHO[depth] = player
            work.chosen = n
            work.most = 0
            count = go_on(work, 1)
            if node.tried == 0 or depth >= 255:
                break
        if count > 0 and horizon > 0:
            work.luck = z * 0x94D049BB133111EB
            work.chosen = -1
            work.most = i64(horizon)
            go_on(work, 1)
        rank(work, RANKS)
        won = winners(RANKS)
        share = 1.0 / f64(popcount(won)) if won != 0 else 0.0
        for k in range(depth + 1):
            each: Node = PATH[k]
            each.tried += 1
            if k > 0 and (won >> WHO[k] & 1) != 0:
                each.total += share
    return i32((MAIL[2] - i64(tree)) // NODE)

"""What modules do on this machine, as a text: the same one on every machine.

It is run by the Python of the tests, and by Pyodide, which knows nothing of tests: it imports none of them.
"""

import gc
import hashlib
import json
import sys

from interpreter.actions import Action
from interpreter.chance import try_luck
from interpreter.engines import find_fast, why_slow
from interpreter.game_loading import load
from interpreter.views import view
from interpreter.wasm.hosts import Trapped, make_host
from interpreter.wasm.programs import write_program
from interpreter.worlds import sampler

NUMBERS = (0, 1, -1, 1 << 31, -(1 << 31), (1 << 32) - 1, 1 << 32, (1 << 63) - 1, -(1 << 63))


def report(task):
    """`task` has tables, each a file and a number of players, and says how many games are played."""
    asked = json.loads(task)
    tables = [report_table(*table, asked["games"], asked["walks"]) for table in asked["tables"]]
    worlds = [imagine(*table) for table in asked["worlds"]]
    module = write_program(load("sins.rules").machine(2))
    told = {"tables": tables, "worlds": worlds, "host": use(module), "left": count_left(module)}
    return json.dumps(told)


# ---- Games -----------------------------------------------------------------------------------------


def report_table(name, players, games, walks):
    game = load(name)
    fast = find_fast(game, players)
    if fast is None:
        return [name, players, why_slow(game, players)]
    found = [None if end is None else [*end] for end in fast.games(range(games))]
    walked = [walk(fast, seed) for seed in range(walks)]
    return [
        name,
        players,
        hashlib.sha256(fast.written.content).hexdigest(),
        found,
        walked,
        play_on(fast),
    ]


def walk(fast, seed):
    """A game step by step: who had how many options, the first and the last of them, and how it ended."""
    state, luck, told = fast.start(seed, seed % fast.players), seed, []
    while count := fast.count(state):
        options = [fast.option(state, 0), fast.options(state)[-1]]
        told.append([fast.player(state), count, repr([*map(plain, options)])])
        if len(told) % 5 == 0:  # the same moment, by way of the reference
            state = fast.from_reference(fast.to_reference(state))
        luck, number = try_luck(luck, count)
        fast.apply(state, number)
    result = fast.result(state)
    return [told, result.places, repr(result.scores)]


def plain(option):
    """An option without its type, which lists members in an order that differs from machine to machine."""
    return ("action", option.value) if isinstance(option, Action) else option


def play_on(fast):
    """More states than there is room for at first, each with chance of its own, to the end."""
    begin = fast.start(5)
    states = [fast.future(begin, seed) for seed in range(len(fast.free) + 9)]
    for seed, state in enumerate(states[-20:]):
        fast.playout(state, seed, 10_000)
    return [fast.result(state).places for state in states[-20:]]


# ---- Players that think ----------------------------------------------------------------------------


def imagine(name, players):
    """What players imagine in a game, and how good their options look: all told by modules that watch one player."""
    match, luck, minds, told = load(name).start(players, 3), 3, {}, []
    while (decision := match.decision) is not None and len(told) < 12:
        player, count = decision.player, len(decision.options)
        known = match.information(player)
        mind = sampler(match.engine, known, 5, minds.get(player), patient=False)
        minds[player] = mind
        worlds = [mind.world() for _ in range(2)]
        views = [repr(view(match.engine, world.state, player)) for world in worlds]
        looked = range(min(count, 6))
        mind.begin_thought(looked, deep=True, games=40)
        mind.think(looked, 40)
        told.append(
            [
                player,
                repr([world.decided for world in worlds]),
                views,
                mind.tallies(len(looked)),
            ]
        )
        luck, number = try_luck(luck, count)
        match.apply(number)
    return told


# ---- What runs modules -----------------------------------------------------------------------------


def use(module):
    """All that can be done with a module, but playing with it."""
    host = make_host(module.content)
    size, at = host.size, module.top
    host.write(at, bytes(range(48)))
    host.grow(3)
    host.copy(at + 64, at + 8, 16)
    told = [host.size - size, host.read(at, 80).hex(), host.read(at, 0).hex(), host.numbers(at, 0)]
    for value in NUMBERS:
        host.set_number(at, value)
        host.set_numbers(at + 8, (value, value & (1 << 64) - 1))
        told.append([host.number(at), host.numbers(at, 3)])
    step = host.function("step", 2)
    for _ in range(3):
        try:
            told.append(step(-64, 0))
        except Trapped:
            told.append("trapped")
    return told


def count_left(module):
    """How many more things of JavaScript Python holds after modules were made, used and dropped."""
    if sys.platform != "emscripten":
        return 0
    import pyodide_js  # noqa: PLC0415 - only Pyodide has it

    gc.collect()
    count = pyodide_js._module._hiwire_num_refs  # noqa: SLF001 - nothing else counts them
    before = count()
    for _ in range(3):
        use(module)
    gc.collect()
    return count() - before

"""A program at a table -> one file of C: whole random games of it, or one from decision to decision."""

from pathlib import Path

from attrs import frozen

from interpreter import flat
from interpreter.compiled.ceilings import SHARE, Ceilings
from interpreter.compiled.flow import FINISH, PLAY, SETUP, Flow, analyse
from interpreter.compiled.writing import Unsupported
from interpreter.machine import Machine
from interpreter.native import operations
from interpreter.native.blocks import BlockWriter, Program, variable_by_number, write_reset
from interpreter.native.frames import Frame, Question, declare_frames
from interpreter.native.moves import Site, fire
from interpreter.native.scribe import MOST_PIECES, WORD, Scribe, form_of, into_form
from interpreter.native.writing import TYPES, Lines, Scope, Text, remark
from rulespec.core import tree
from rulespec.limits import MOST_CHOICES

RUNTIME = Path(__file__).with_name("runtime.h")
FAMILIES = Path(__file__).with_name("families.h")
MOST_TRIGGERS = 31  # a bit for each
LONGEST_LIST = 1024  # every rule that runs may keep several on the stack
HERE = "// ---- The variables of the game stand here"


@frozen
class Written:
    """A program as C, and what has to be known to fill its states."""

    text: str
    frames: dict[str, Frame]  # of blocks that can wait
    questions: list[Question]
    steps: bool  # whether it can be driven from decision to decision


def write_source(machine: Machine) -> str:
    """The file; `Unsupported` if something in the program is not written in C."""
    return write_native(machine).text


def write_native(machine: Machine) -> Written:
    """As `write_source`, with all that is known about states."""
    assert operations.MODULES  # noqa: S101 - so that all writers are there
    ceilings = Ceilings(machine)
    if not ceilings.allows:
        raise Unsupported("somebody may wait too long to be asked, which the reference judges")
    w = Scribe(machine)
    if len(w.code.triggers) > MOST_TRIGGERS:
        raise Unsupported(f"{len(w.code.triggers)} triggers, and {MOST_TRIGGERS} are the most")
    flow = analyse(machine, w.known, asks=True)
    steps = not flow.triggers_wait
    if not steps:  # a move of several pieces would have to wait between two of them
        flow = analyse(machine, w.known, asks=False)
    blocks = w.code.blocks
    program = Program(
        w,
        flow,
        ceilings,
        {name: w.names.make(f"do_{name}") for name in blocks},
        _results(w, flow),
    )
    places = _write_places(w)
    tests = _write_tests(w)
    roots = [each for each in (SETUP, PLAY, FINISH) if each in blocks]
    for name in (*roots, *(row.block for row in w.code.triggers)):
        program.function(name)
    for name in program.called:  # the list grows while it is run through
        BlockWriter(program, blocks[name]).write()
    triggers = _write_triggers(program)
    ranking = _write_ranking(w)
    run = _write_run(program)
    tables = _write_tables(w)
    places += declare_frames(list(program.frames.values()))
    if w.longest > LONGEST_LIST:
        raise Unsupported(f"a list of {w.longest:,}, and {LONGEST_LIST:,} are the most")
    text = "\n".join(
        [
            *_write_head(w),
            *_read_runtime(places),
            "// ---- Tables " + "-" * 85,
            "",
            *tables,
            *FAMILIES.read_text("utf-8").splitlines(),
            "",
            *w.data.lines,
            "",
            "// ---- Rules " + "-" * 86,
            "",
            "static unsigned holding(state *s, unsigned watched);",
            "static void fire(state *s, unsigned due);",
            "static void move_watched(state *s, num c, num z, num under);",
            *w.heads.lines,
            "",
            *w.done.lines,
            *tests,
            *triggers,
            *ranking,
            *run,
            *(_write_stepping(program) if steps else []),
            "",
        ]
    )
    return Written(text, program.frames, program.questions, steps)


def _read_runtime(places: list[str]) -> list[str]:
    """What all games stand on, with what a state of this one has."""
    lines = RUNTIME.read_text("utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(HERE))
    return [*lines[:at], *places, *lines[at + 1 :], ""]


def _results(w: Scribe, flow: Flow) -> dict[str, str]:
    """Of blocks whose value is wanted, in which form."""
    found: dict[str, str] = {}
    for name, block in w.code.blocks.items():
        for at in flow.reached[name]:
            here = block.code[at]
            if isinstance(here, tree.Call) and here.into is not None:
                form = form_of(block.slots[here.into][1])
                if form == "nothing":
                    continue
                target = w.code.blocks[here.block]
                for each in (here.block, *_rows(target)):
                    if found.setdefault(each, form) != form:
                        raise Unsupported("a rule whose value is taken in two ways")
    return found


def _rows(block: flat.Block) -> list[str]:
    first = block.code[0]
    return [row for _, row in first.rows] if isinstance(first, tree.Enter) else []


# ---- What a state has ----------------------------------------------------------------------------


def _write_head(w: Scribe) -> list[str]:
    out = Lines()
    pieces = len(w.layout.pieces)
    kind = "uint64_t" if pieces <= WORD else "unsigned __int128"
    out.add(
        remark(
            f"{w.code.title}, {w.layout.players} players: generated from its rules; do not edit."
        ),
        "",
        "#include <setjmp.h>",
        "#include <stddef.h>",
        "#include <stdint.h>",
        "#include <string.h>",
        "",
        f"#define PIECES {pieces}",
        f"#define ZONES {len(w.layout.zones)}",
        f"#define LIST {w.longest}",
        f"#define SHARE {SHARE}",
        f"#define MOST_CHOICES {MOST_CHOICES}",
        "",
        f"typedef {kind} mask;  // bit n is piece n",
    )
    assert pieces <= MOST_PIECES  # noqa: S101 - see there
    if pieces > WORD:
        out.add("#define MASK(high, low) ((mask)(high) << 64 | (low))")
    out.add("")
    return out.lines


def _write_places(w: Scribe) -> list[str]:
    """Zones by number, variables by name."""
    out = Lines()
    out.add("// Where zones begin.")
    with out.block("enum"):
        for name, family in w.layout.zone_families.items():
            w.zone_names[name] = w.names.make(name.upper())
            out.add(f"{w.zone_names[name]} = {family.base},")
    out.lines[-1] += ";"
    out.add("", "typedef struct {")
    out.depth += 1
    for name, family in w.layout.variable_families.items():
        w.variable_names[name] = w.names.make(name)
        row = w.layout.variables[family.base][0] if family.size else None
        form = "number" if row is None else form_of(row.type)
        if form not in TYPES:
            raise Unsupported(f"a variable that is a {form}")
        size = f"[{family.size}]" if family.domains else ""
        out.add(f"{TYPES[form]} {w.variable_names[name]}{size};")
    out.add("char none;")
    out.depth -= 1
    out.add("} variables;", "")
    return out.lines


def _write_tables(w: Scribe) -> list[str]:
    """What the runtime asks about zones and pieces."""
    layout = w.layout
    count = len(layout.pieces)
    whole = (1 << count) - 1
    holds = [whole if each is None else sum(1 << c for c in each) for each in layout.holds]
    same: dict[int, int] = {}
    earlier = []
    for c, face in enumerate(layout.faces):
        earlier.append(same.get(face, 0))
        same[face] = same.get(face, 0) | 1 << c
    copies = sum(1 << c for c, before in enumerate(earlier) if before)
    watched = [sum(1 << t for t in each) for each in w.machine.making.zone_triggers]
    out = Lines()
    out.add(
        "static const list EMPTY = {0, {0}}, NOTHING = {-1, {0}};",
        f"static const num IS_POOL[ZONES] = {{{', '.join(str(int(each)) for each in layout.is_pool)}}};",
        f"static const mask HOLDS[ZONES] = {{{', '.join(map(w.constant, holds))}}};",
        f"static const mask COPIES = {w.constant(copies)};",
        f"static const mask EARLIER[PIECES + 1] = {{{', '.join(map(w.constant, [*earlier, 0]))}}};",
        f"static const num FACE[PIECES + 1] = {{{', '.join(map(str, [*layout.faces, -1]))}}};",
        f"static const unsigned WATCHED[ZONES] = {{{', '.join(map(str, watched))}}};",
        "",
        *_ALIKE.splitlines(),
    )
    return out.lines


_ALIKE = """\
// A pool without the pieces that look like an earlier one of it.
static inline mask first_alike(mask m) {
    for (mask again = m & COPIES; again; again &= again - 1)
        if (m & EARLIER[lowest(again)]) m &= ~(again & -again);
    return m;
}

// Pieces without those that look like an earlier one: in a pile the place counts.
static list distinct(state *s, const list *l) {
    list found;
    found.n = 0;
    for (int i = 0; i < l->n; i++) {
        num z = zone_of(s, l->v[i]), again = 0;
        for (int k = 0; k < found.n && IS_POOL[z] && !again; k++)
            again = FACE[found.v[k]] == FACE[l->v[i]] && zone_of(s, found.v[k]) == z;
        if (!again) add(s, &found, l->v[i]);
    }
    return found;
}
"""


# ---- Triggers ------------------------------------------------------------------------------------


def _write_tests(w: Scribe) -> list[str]:
    out = Lines()
    for t, row in enumerate(w.code.triggers):
        out.add(remark(f"when {row.name}"))
        with out.block(f"static num test_{t}(state *s)"):
            code = w.code_of(row.condition, Scope(out))
            out.add(f"return {code};")
        out.add("")
    return out.lines


def _write_triggers(program: Program) -> list[str]:
    """Which triggers hold, their blocks, and a move that they look at."""
    out = Lines()
    rows = program.w.code.triggers
    with out.block("static unsigned holding(state *s, unsigned watched)"):
        out.add("unsigned found = 0;")
        for t in range(len(rows)):
            out.add(f"if (watched & {1 << t} && test_{t}(s)) found |= {1 << t};")
        out.add("return found;")
    out.add("", "// The blocks of triggers, the first declared first; none while it runs already.")
    with out.block("static void fire(state *s, unsigned due)"):
        out.add("due &= ~s->running;", "if (!due) return;", "s->running |= due;")
        for t, row in enumerate(rows):
            name = program.names[row.block]
            with out.block(f"if (due & {1 << t})"):
                out.add(f"count_down(s, {program.ceilings.block(row.block)});")
                out.add(f"{name}(s);", f"s->running &= ~{1 << t}u;")
    out.add("")
    with out.block("static void move_watched(state *s, num c, num z, num under)"):
        out.add(
            "num home = zone_of(s, c);",
            "unsigned watched = s->phase == PLAY ? WATCHED[home] | WATCHED[z] : 0;",
            "unsigned held = holding(s, watched);",
            "take_from(s, c, home);",
            "put(s, c, z, under);",
            "fire(s, holding(s, watched) & ~held);",
        )
    out.add("")
    return out.lines


# ---- Games ---------------------------------------------------------------------------------------


def _write_ranking(w: Scribe) -> list[str]:
    """Of every row whether the most wins, and the keys of all players, one after the other."""
    out = Lines()
    body = Lines(depth=1)
    for n, row in enumerate(w.code.ranking):
        with out.block(f"static num key_{n}(state *s, num p)"):
            scope = Scope(out, {0: Text("p", low=0, high=w.layout.players - 1)})
            out.add(f"return {w.code_of(row.key, scope)};")
        out.add("")
        with body.block(""):
            body.add(f"*found++ = {w.code_of(row.order, Scope(body))} == 1;")
            body.add(f"for (num p = 0; p < {w.layout.players}; p++) *found++ = key_{n}(s, p);")
    with out.block("static void rank(state *s, num *found)"):
        out.lines += body.lines
    out.add("")
    return out.lines


def _write_run(program: Program) -> list[str]:
    """A game from its beginning to its end, and many of them."""
    w, out = program.w, Lines()
    with out.block("static void begin(state *s)"):
        whole = w.constant((1 << len(w.layout.pieces)) - 1)
        out.add("memset(s->pool, 0, sizeof s->pool);")
        out.add("for (num z = 0; z < ZONES; z++) s->pile[z].n = 0;")
        out.add(f"s->pool[{w.zone_names['box']}] = {whole};")
        for n, (row, _) in enumerate(w.layout.variables):
            with out.block(""):
                scope = Scope(out)
                value = into_form(w, w.text(row.start, scope), form_of(row.type), scope)
                out.add(_assigned(variable_by_number(w, n), value))
    out.add("")
    out.add("// From the beginning, or from where it waits, to where it waits or to its end.")
    with out.block("static int run(state *s)"):
        out.add("int how = _setjmp(s->out);", "if (how > ENDED) return how;")
        out.add("if (how == ENDED) goto ended;")
        with out.block("switch (s->phase)"):
            for phase in (SETUP, PLAY, FINISH):
                if program.waits(phase):
                    out.add(f"case {phase.upper()}: goto in_{phase};")
        out.add("begin(s);", "s->phase = SETUP;")
        _write_rule(program, out, SETUP)
        out.add("s->phase = PLAY;")
        _write_rule(program, out, PLAY)
        out.add("ended:", "s->running = 0;")
        if FINISH in w.code.blocks:
            out.add("s->phase = FINISH;")
            _write_rule(program, out, FINISH)
        out.add("s->phase = OVER;", "return 0;")
    rows = len(w.code.ranking) * (w.layout.players + 1)
    out.add(
        "", *_PLAY.replace("ROWS", str(rows)).replace("PLAYERS", str(w.layout.players)).splitlines()
    )
    return out.lines


def _assigned(place: str, value: Text) -> str:
    return f"{place} = {value.code};"


def _write_rule(program: Program, out: Lines, rule: str) -> None:
    block = program.w.code.blocks.get(rule)
    if block is None:
        return
    with out.block(""):
        site = Site(program.w, program.flow, block)
        scope = Scope(out)
        watched = write_reset(program, site, rule, scope)
        if rule == PLAY:
            out.add(f"fire(s, holding(s, {(1 << len(program.w.code.triggers)) - 1}));")
        else:
            fire(watched, scope)
        if program.waits(rule):
            out.add(f"s->in.{program.frame(rule).name}.at = 0;", f"in_{rule}:;")
        out.add(f"{program.names[rule]}(s);")


_PLAY = """\
// Who is in the first place: a bit for each seat. What is none is worse than any value.
static num winners(const num *rows) {
    num found = 0;
    for (int p = 0; p < PLAYERS; p++) {
        int order = 0;
        for (int q = 0; q < PLAYERS && order <= 0; q++) {
            order = 0;
            for (const num *row = rows; row < rows + ROWS && !order; row += PLAYERS + 1) {
                num mine = row[1 + p], other = row[1 + q];
                if (mine == other) continue;
                if (mine == NONE || other == NONE) order = mine == NONE ? 1 : -1;
                else order = (mine < other) == (*row == 1) ? 1 : -1;
            }
        }
        if (order <= 0) found |= 1LL << p;
    }
    return found;
}

// A game before its beginning.
static void lay_out(state *s, uint64_t seed, int first) {
    s->rng = seed;
    s->first = first < 0 ? (num)below(s, PLAYERS) : first;
    s->phase = BEFORE;
    s->count = s->most = s->thrown = 0;
    s->chosen = s->seen = -1;
    s->left = SHARE;
    s->running = 0;
    s->dice = NULL;
    s->told = NULL;
}

// A whole game: how many decisions were made, who has won, and the rows of the ranking.
// A fault, or 0, is given back.
static int play(uint64_t seed, int first, cup dice, int lane, num *found) {
    state s;
    lay_out(&s, seed, first);
    s.dice = dice;
    s.lane = lane;
    s.most = MOST_CHOICES;
    int how = run(&s);
    if (how) return how;
    how = _setjmp(s.out);
    if (how) return how;
    rank(&s, found + 2);
    found[0] = s.count;
    found[1] = winners(found + 2);
    return 0;
}

// Many games; `found` has room for each, one after the other.
void play_many(const uint64_t *seeds, num count, int first, int *how, num *found) {
    cup dice;
    for (num n = 0; n < count; n++) {
        if (n % LANES == 0) gather_dice(dice, seeds + n, count - n);
        how[n] = play(seeds[n], first, dice, n % LANES, found + n * (ROWS + 2));
    }
}
"""


# ---- From decision to decision -------------------------------------------------------------------


def _write_stepping(program: Program) -> list[str]:
    """What is called from outside, and where in a state everything lies; `stepping` reads it in the same order."""
    w, out = program.w, Lines()
    out.add("", *_STEPS.splitlines(), "")
    out.add("// The sizes of a state, a mask, a pile and a list; then where everything begins.")
    with out.block("const uint64_t places[] ="):
        out.add("sizeof(state), sizeof(mask), sizeof(pile), sizeof(list),")
        out.add("offsetof(state, pool), offsetof(state, pile), offsetof(state, phase),")
        for n in range(len(w.layout.variables)):
            out.add(f"offsetof(state, {variable_by_number(w, n).removeprefix('s->')}),")
        for frame in program.frames.values():
            for name in ("at", *(each.name for each in frame.members)):
                out.add(f"offsetof(state, in.{frame.name}.{name}),")
    out.lines[-1] += ";"
    return out.lines


_STEPS = """\
static int run_on(state *s) {
    s->options = 0;
    s->left = SHARE;
    int how = run(s);
    return how == WAITING ? 0 : how;
}

void clear_state(state *s, uint64_t seed, int first) {
    memset(s, 0, sizeof *s);
    lay_out(s, seed, first);
}

int start_game(state *s, uint64_t seed, int first) {
    clear_state(s, seed, first);
    return run_on(s);
}

// Run up to where the rules have stopped; a fault, or 0, is given back.
int ask_again(state *s) {
    s->chosen = -1;
    s->most = 0;
    return run_on(s);
}

// Choose an option and run on to the next decision; there may be no such option.
int go_on(state *s, num n) {
    if ((uint64_t)n >= (uint64_t)s->options) return -1;
    s->chosen = n;
    s->most = 0;
    return run_on(s);
}

// Everybody tries their luck, so many times at most.
int play_on(state *s, uint64_t luck, num most) {
    if (!s->options || most <= 0) return 0;
    s->luck = luck;
    s->dice = NULL;
    s->chosen = -1;
    s->most = most;
    return run_on(s);
}

// Options from one number on, as far as there is room for them; the number of the next one.
num tell_options(state *s, num n, num *told, num room) {
    num options = s->options, count = s->count, *end = told + room;
    s->told = told;
    for (; n < options && end - s->told > LIST; n++) {
        s->chosen = n;
        if (run(s) != TOLD) break;
    }
    s->told = NULL;
    s->count = count;
    return n;
}

// Who has won as the game stands now, and the rows of the ranking.
int rank_now(state *s, num *found) {
    int how = _setjmp(s->out);
    if (how) return how;
    rank(s, found + 1);
    found[0] = winners(found + 1);
    return 0;
}"""

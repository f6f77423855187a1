"""Hypothesis strategies: trees of the language, and texts that almost are."""

from hypothesis import strategies as st

from rulespec.syntax import nodes

# Some names are keywords elsewhere: that must not matter.
WORDS = [
    "a",
    "deck",
    "hand_2",
    "Vice",
    "größe",
    "order",
    "type",
    "players",
    "first",
    "state",
    "game",
]
PROSE = [
    "The",
    "cards",
    "go",
    "back",
    "–",
    "@S-19",
    "x--y",
    "{sin}",
    "'so'",
    "naïve",
    "a;b",
    "(",
    "]",
]

names = st.builds(nodes.Name, st.sampled_from(WORDS))
texts = st.builds(nodes.Text, st.lists(st.sampled_from(PROSE), max_size=25).map(" ".join))
integers = st.builds(nodes.Integer, st.integers(-50, 999_999_999))
clauses = st.from_regex(r"[A-Z]{1,2}-[A-Z]?[0-9]{1,2}", fullmatch=True)
cites = st.builds(nodes.Cite, clauses, st.none() | clauses)
docs = st.builds(
    nodes.Doc, st.lists(cites, min_size=1, max_size=3).map(tuple), st.none() | texts
) | st.builds(nodes.Doc, st.just(()), texts)


def tuples(elements, least=0, most=3):
    return st.lists(elements, min_size=least, max_size=most).map(tuple)


def documented(elements, most=3):
    """Items with doc lines between them, the last of which is no doc line."""
    return st.tuples(tuples(docs | elements, most=most), elements).map(
        lambda pair: (*pair[0], pair[1])
    )


# ---- Types ---------------------------------------------------------------------------------------

scalars = st.builds(nodes.NamedType, names, st.none() | names) | st.builds(
    nodes.RangeType, integers, integers
)
types = scalars | st.builds(nodes.OptionalType, scalars) | st.builds(nodes.SetType, scalars)

# ---- Expressions ---------------------------------------------------------------------------------

numbers = st.builds(nodes.Number, st.integers(0, 999_999_999))
constants = st.builds(nodes.Constant, st.sampled_from(["yes", "no", "none"]))
faces = st.builds(
    nodes.Face,
    st.tuples(names, st.builds(nodes.Name, st.sampled_from(["clubs", "king"])) | numbers),
)
relations = st.builds(
    nodes.Relation, st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in", "not in"])
)


def _compound(inner):
    return st.one_of(
        st.builds(nodes.Where, inner, inner),
        st.builds(nodes.Conditional, inner, inner, inner),
        st.builds(nodes.Or, tuples(inner, 2)),
        st.builds(nodes.And, tuples(inner, 2)),
        st.builds(nodes.Not, inner),
        st.builds(nodes.Compare, inner, relations, inner),
        st.builds(nodes.Range, inner, inner),
        st.builds(nodes.Sum, inner, st.sampled_from(["+", "-", "&"]), inner),
        st.builds(nodes.Product, inner, st.sampled_from(["*", "/", "%"]), inner),
        st.builds(nodes.Count, inner),
        st.builds(nodes.Negative, inner),
        st.builds(nodes.Get, inner, names),
        st.builds(nodes.At, inner, inner),
        st.builds(nodes.Having, inner, names, inner),
        st.builds(nodes.Call, names, tuples(inner)),
        st.builds(nodes.Fold, names, inner, names, inner),
        st.builds(nodes.Described, names, tuples(st.builds(nodes.Fixed, names, inner), 1)),
        st.builds(nodes.List, tuples(inner)),
        st.builds(nodes.Build, inner, names, inner),
    )


_exprs = st.recursive(names | numbers | constants | faces, _compound, max_leaves=8)
# Deferred only to keep the strategies below from printing all of this.
exprs = st.deferred(lambda: _exprs)
calls = st.builds(nodes.Call, names, tuples(exprs))

# ---- Statements ----------------------------------------------------------------------------------

targets = st.builds(nodes.Target, names, st.none() | exprs)
places = st.recursive(names, lambda inner: st.builds(nodes.At, inner, exprs), max_leaves=3)
sentences = st.sampled_from(
    [
        ("{deck} goes on", (nodes.Name("deck"),)),
        ("it's {a}'s turn: {#Vice} cards", (nodes.Name("a"), nodes.Count(nodes.Name("Vice")))),
        ("Round # · nobody leads", ()),
    ]
).map(lambda pair: nodes.Told(*pair))
prompts = st.tuples(texts, st.none() | texts) | st.just((None, None))
actions = st.one_of(
    st.builds(nodes.Move, exprs, st.sampled_from(["to", "under"]), exprs),
    st.builds(nodes.Move, exprs, st.just("to"), exprs, exprs),
    st.builds(nodes.Shuffle, exprs),
    st.builds(nodes.Random, targets, exprs),
    st.builds(nodes.Show, exprs, exprs),
    st.builds(nodes.Reveal, exprs),
    st.builds(nodes.Announce, names, exprs, st.none() | exprs),
    st.builds(nodes.Tell, sentences, st.none() | exprs),
    st.builds(nodes.Heading, sentences),
    st.builds(
        nodes.Choose,
        *(exprs, targets, exprs, st.none() | st.builds(nodes.Alternative, targets, exprs)),
        st.none() | texts,
    ),
    st.builds(
        lambda player, target, options, prompt: nodes.MayChoose(player, target, options, *prompt),
        *(exprs, targets, exprs, prompts),
    ),
    st.builds(nodes.Each, names, exprs, targets, exprs, st.none() | texts),
    st.builds(
        lambda name, players, target, options, prompt: nodes.EachMay(
            name, players, target, options, *prompt
        ),
        *(names, exprs, targets, exprs, prompts),
    ),
    st.builds(nodes.Assign, places, st.sampled_from(["=", "+=", "-="]), exprs),
    st.builds(nodes.Return, st.none() | exprs),
    st.sampled_from([nodes.Stop(), nodes.End(), nodes.Nothing()]),
)
_simples = actions | st.builds(nodes.Perform, calls)
simples = st.deferred(lambda: _simples)
severals = st.builds(nodes.Several, tuples(simples, 2))
one_lines = st.builds(nodes.OneLine, simples | severals)


def _lines(blocks):
    ifs = st.deferred(lambda: st.builds(nodes.If, exprs, blocks, st.none() | elses))
    elses = st.deferred(lambda: st.builds(nodes.Else, blocks | ifs))
    return st.one_of(
        simples,
        severals,
        ifs,
        st.builds(nodes.For, names, exprs, blocks),
        st.builds(nodes.Repeat, st.none() | exprs, blocks),
    )


_blocks = st.recursive(
    one_lines | st.builds(nodes.Suite, documented(simples | severals)),
    lambda inner: st.builds(nodes.Suite, documented(_lines(inner))),
    max_leaves=3,
)
blocks = st.deferred(lambda: _blocks)
suites = st.builds(nodes.Suite, documented(_lines(blocks)))

# ---- Tables --------------------------------------------------------------------------------------

patterns = st.one_of(
    st.just(nodes.Anything()),
    st.builds(nodes.KeyName, names | constants, st.none() | names),
    st.builds(nodes.KeyNumber, integers, st.none() | integers),
    st.builds(nodes.AtLeast, integers),
    st.builds(nodes.AtMost, integers),
)
keys = st.builds(nodes.Key, tuples(patterns, 1))


def _rows(inputs, outputs):
    cells = st.builds(nodes.Cells, tuples(exprs, outputs, outputs))
    body = cells | actions | severals | suites if outputs == 1 else cells
    return documented(st.builds(nodes.Row, tuples(keys, inputs, inputs), body))


@st.composite
def _tables(draw):
    inputs, outputs = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    header = nodes.Header(
        draw(tuples(exprs, inputs, inputs)), draw(tuples(names, outputs, outputs))
    )
    return nodes.Table(draw(names), draw(params), header, draw(_rows(inputs, outputs)))


params = tuples(st.builds(nodes.Param, names, types))
tables = _tables()

# ---- Declarations --------------------------------------------------------------------------------

attributes = st.builds(nodes.Ranged, names, types) | st.builds(nodes.Fixed, names, exprs)
pieces = st.one_of(
    st.builds(
        nodes.Pieces,
        st.none(),
        documented(st.builds(nodes.Piece, names, tuples(attributes), exprs, st.none())),
    ),
    st.builds(
        nodes.Pieces,
        st.just(nodes.ShownAs()),
        documented(st.builds(nodes.Piece, names, tuples(attributes), exprs, st.none() | texts)),
    ),
)


def _zones(counted_by, counters, holds, kinds):
    row = st.builds(
        nodes.Zone,
        names,
        tuples(types),
        st.sampled_from(["pile", "pool"]),
        viewers,
        counters,
        kinds,
    )
    return st.builds(nodes.Zones, st.just(counted_by), st.just(holds), documented(row))


viewers = st.builds(
    nodes.Viewers, st.sampled_from(["everyone", "owner", "others", "top", "nobody"])
)
zones = st.one_of(
    _zones(None, st.none(), None, st.just(())),
    _zones(None, st.none(), nodes.Holds(), tuples(names)),
    _zones(nodes.CountedBy(), st.none() | viewers, None, st.just(())),
    _zones(nodes.CountedBy(), viewers, nodes.Holds(), tuples(names)),
)
variables = st.builds(nodes.Variable, names, tuples(types), types, exprs, st.none())
seen_variables = st.builds(nodes.Variable, names, tuples(types), types, exprs, st.none() | viewers)
_named = st.one_of(
    st.builds(
        nodes.Players,
        *(integers, st.none() | integers),
        st.sampled_from([None, "clockwise", "counterclockwise"]),
    ),
    st.builds(nodes.Enum, names, tuples(st.builds(nodes.Member, names, st.none() | texts), 1, 9)),
    st.builds(nodes.Option, names, types, st.none() | exprs, exprs),
    pieces,
    zones,
    st.builds(nodes.State, st.none() | names, st.none(), documented(variables)),
    st.builds(nodes.State, st.none() | names, st.just(nodes.SeenBy()), documented(seen_variables)),
    tables,
    st.builds(nodes.Let, names, params, exprs),
    st.builds(nodes.Rule, names, params, st.none() | types, blocks),
    st.builds(nodes.Trigger, names, blocks),
    st.builds(nodes.Always, names, exprs),
    st.builds(nodes.Ranking, names, documented(st.builds(nodes.Criterion, exprs, exprs))),
)
named = st.deferred(lambda: _named)
bindings = st.builds(nodes.Binding, names, exprs)
settings = tuples(st.builds(nodes.Setting, names, st.none() | exprs))
picks = st.builds(nodes.Pick, names, exprs, st.none() | exprs) | st.builds(
    nodes.Asked, names, st.none() | exprs
)
uses = st.builds(nodes.Use, tuples(st.builds(nodes.Used, names, tuples(bindings)), 1))
removals = st.builds(
    nodes.Remove,
    st.sampled_from(
        ["enum", "option", "pieces", "zones", "state", "table", "let", "rule", "when", "always"]
    ),
    names,
)
steps = st.one_of(
    st.builds(nodes.Seats, tuples(names, 1)),
    st.builds(nodes.Given, exprs, exprs),
    st.builds(nodes.Run, calls, tuples(picks)),
    st.builds(nodes.Expect, exprs),
)
namings = st.builds(
    nodes.Naming,
    tuples(names, 1),
    st.builds(nodes.Words, texts, st.none() | texts) | st.just(nodes.Untold()),
)
_declarations = st.one_of(
    named,
    st.builds(nodes.Override, named | uses),
    removals,
    st.builds(nodes.Game, texts, st.none() | texts),
    st.builds(nodes.About, texts),
    st.builds(nodes.Goal, texts),
    st.builds(nodes.Turn, texts),
    st.builds(nodes.Minutes, integers, st.none() | integers),
    st.builds(nodes.Ages, integers),
    st.builds(nodes.Advice, tuples(cites), texts),
    st.builds(nodes.Called, tuples(namings, 1)),
    st.builds(nodes.First, tuples(cites), texts),
    st.builds(nodes.Rulebook, texts, tuples(st.builds(nodes.Section, cites, texts), 1)),
    uses,
    st.builds(nodes.Ruling, tuples(cites, 1), texts),
    st.builds(nodes.Omit, tuples(cites, 1), texts),
    st.integers(1, 3).flatmap(lambda inputs: st.builds(nodes.Rows, names, _rows(inputs, 1))),
    st.builds(nodes.Hook, st.sampled_from(["before", "after"]), names, blocks),
    st.builds(nodes.Example, tuples(cites), texts, settings, tuples(steps, 1)),
)
declarations = st.deferred(lambda: _declarations)
slots = st.builds(nodes.Slot, names, types, st.none() | exprs)
items = st.one_of(
    declarations,
    st.builds(nodes.Variant, names, st.none() | texts, documented(declarations)),
    st.builds(nodes.Extends, texts, settings),
    st.builds(nodes.Mechanism, names, tuples(slots)),
)
files = st.builds(nodes.File, documented(items) | st.just(()))

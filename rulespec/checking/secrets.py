"""A choice -> what the chooser must be able to see, and what is known of the result.

`visibility` runs the statements around it and knows how it is reached; `leaks` puts what is found into words.
"""

from collections.abc import Iterator
from typing import Literal, assert_never

from attrs import define, evolve, field, frozen

from rulespec.checking.declarations import Routine
from rulespec.checking.faces import choose_from, evaluate
from rulespec.checking.knowledge import (
    EVERYONE,
    NOBODY,
    Audience,
    Place,
    Read,
    State,
    Term,
    Value,
    includes,
    join_values,
    place_key,
    rename,
    unite,
)
from rulespec.checking.leaks import (
    Call,
    Choice,
    asked_by_secret,
    offers_secret,
    public_secret,
    shows_secret,
)
from rulespec.checking.world import Env, World, element_of, offered
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import Span, text_of
from rulespec.syntax import nodes


@define
class Scope:
    """What decides whether the statements in it are reached, and the states in which it is left."""

    kind: Literal["root", "call", "loop", "branch"]
    reads: frozenset[Read] = frozenset()
    later: frozenset[Read] = frozenset()  # of ways beside this one
    exits: list[State] = field(factory=list)
    result: Value | None = None


@define
class Run:
    """One run through the procedures that can be reached from a root."""

    world: World
    scopes: list[Scope]
    calls: list[Call]
    found: "dict[tuple[str, str, int] | tuple[Span, str], Diagnostic]"
    makers: dict[Span, tuple[Call, ...]] = field(
        factory=dict
    )  # the calls that led to an assignment


@frozen
class Frame:
    """The part of a procedure that is run."""

    name: str
    path: str
    below: tuple[Routine, int] | None = None


def env_of(run: Run, state: State, frame: Frame) -> Env:
    return Env(run.world, state, frame.path or "0", frame.path, below=frame.below)


# ---- Choices -------------------------------------------------------------------------------------


def judge_choice(
    run: Run,
    state: State,
    frame: Frame,
    node: nodes.Choice,
) -> None:
    """A choice: what the chooser must be able to see, and what is known of the result."""
    publish(run, state)
    env = env_of(run, state, frame)
    target = node.target
    if isinstance(node, nodes.Choose | nodes.MayChoose):
        chooser = evaluate(env, node.player)
        shown = text_of(node.player.span)
    else:
        players = choose_from(env, node.players, node.name.text)
        chooser = element_of(env, players, node.name.text, node.players.span)
        shown = node.name.text
        env = evolve(env, bound={**env.bound, shown: chooser})
    options = choose_from(env, node.options, target.name.text)
    if chooser.term is not None:
        choice = Choice(run.world, node, shown, chooser.term.id, tuple(run.calls))
        _judge(run, env, choice, options, chooser.reads)
    value = taken(env, options, target, node.options)
    if isinstance(node, nodes.Each | nodes.EachMay):
        element = chooser.term.id if chooser.term else None
        value = evolve(value, element=element, term=None, domain=text_of(node.players.span))
        value = traced(value, target.name.text, target.span)
        _drop_older(state, frame.path or "0", target.name.text)
        is_variable = target.name.text in run.world.program.variables
        if not is_variable or target.name.text in run.world.telling:
            state.values["" if is_variable else frame.path or "0", target.name.text] = value
    else:
        give(env, target, value)


def _drop_older(state: State, frame: str, name: str) -> None:
    """Choices made at the same time before are no longer meant."""
    for slot in [each for each in state.values if each[1].startswith(f"{name}[")]:
        if slot[0] in ("", frame):
            del state.values[slot]


def _judge(
    run: Run,
    env: Env,
    choice: Choice,
    options: Value,
    asked: frozenset[Read],
) -> None:
    """Report what a chooser would learn by being asked."""
    node, chooser = choice.node, choice.term
    for read in _secrets(run, env.state, chooser, options.reads - asked):
        _report(run, shows_secret(choice, read, node.options.span, "options"))
        break
    else:
        contents = offered(env, evolve(options, reads=frozenset()), node.options.span)
        for read in _secrets(run, env.state, chooser, contents):
            _report(run, offers_secret(choice, read))
            break
    if node.prompt is not None:
        for name, span in named_in(node.prompt):
            value = evaluate(env, nodes.Name(name, span=span))
            for read in _secrets(run, env.state, chooser, offered(env, value, span)):
                _report(run, shows_secret(choice, read, span, "prompt"))
                break
    for read in _secrets(run, env.state, chooser, asked | reasons(run)):
        told = (
            read.span,
            choice.chooser,
        )  # one condition is told once, not for every choice under it
        if told not in run.found:
            run.found[told] = asked_by_secret(choice, read)
        break


def named_in(prompt: nodes.Text) -> Iterator[tuple[str, Span]]:
    """The names in braces of a prompt, and where they stand."""
    text = prompt.span.source.text
    start = prompt.span.start
    while (start := text.find("{", start, prompt.span.end) + 1) > 0:
        end = text.find("}", start, prompt.span.end)
        if end > 0 and text[start:end].isidentifier():
            yield text[start:end], Span(prompt.span.source, start - 1, end + 1)


def reasons(run: Run, *, around: bool = False) -> frozenset[Read]:
    """What decides whether this place is reached; or only the conditions and loops around it."""
    kinds = ("branch", "loop") if around else ("branch", "loop", "call", "root")
    return frozenset().union(*(scope.reads for scope in run.scopes if scope.kind in kinds))


def _secrets(run: Run, state: State, player: str, reads: frozenset[Read]) -> list[Read]:
    """The reads of faces that a player cannot know, in the order of the text."""
    hidden = [
        read
        for read in reads
        if not includes(run.world.facts, state, _audience_now(state, read), player)
    ]
    return sorted(hidden, key=lambda read: (read.span.source.name, read.span.start))


def publish(run: Run, state: State) -> None:
    """Time for what has been computed from secrets to have become public: report what has not."""
    for (name, span), reads in state.pending.items():
        first = min(reads, key=lambda read: (read.span.source.name, read.span.start))
        _report(run, public_secret(run.world, name, span, first, run.makers.get(span, ())))
    state.pending.clear()


def _report(run: Run, diagnostic: Diagnostic) -> None:
    place = (diagnostic.code.number, diagnostic.span.source.name, diagnostic.span.start)
    run.found.setdefault(place, diagnostic)


# ---- Values given --------------------------------------------------------------------------------


def hidden(state: State, reads: frozenset[Read]) -> frozenset[Read]:
    """The reads of faces that not everyone knows by now."""
    return frozenset(read for read in reads if not _audience_now(state, read).everyone)


def _audience_now(state: State, read: Read) -> Audience:
    audience = read.audience
    for key in read.keys & state.known.keys():
        audience = unite(audience, state.known[key][0])
    return audience


def store(env: Env, name: str, keys: list[nodes.Expr], value: Value) -> None:
    """A state variable is given a value, which is public but for the faces of pieces."""
    if name not in env.world.telling:
        return
    values = env.state.values
    public = evolve(value, reads=frozenset(), family=None)
    if not keys:
        values["", name] = public
        return
    terms = [evaluate(env, key).term for key in keys]
    index = "".join(f"[{term.id if term else '?'}]" for term in terms)
    older = values.get(("", name))
    general = public if older is None else join_values(older, public, name)
    for slot in [slot for slot in values if slot[0] == "" and slot[1].startswith(f"{name}[")]:
        del values[slot]
    values["", name] = evolve(general, element=None)
    if "?" not in index:
        values["", name + index] = public


def traced(value: Value, name: str, span: Span) -> Value:
    """The value of a local, with the place where it got its pieces."""
    lots = frozenset(
        evolve(lot, name=name, path=(Related(f"`{name}` gets its pieces here", span),))
        for lot in value.lots
    )
    return evolve(value, lots=lots)


def taken(env: Env, base: Value, target: nodes.Target, options: nodes.Expr) -> Value:
    """One of the options. Which it is, is observed; but of pieces only by those who see them."""
    value = element_of(env, base, target.name.text, options.span)
    return evolve(value, reads=frozenset(), has_faces=False)


def give(env: Env, target: nodes.Target, value: Value) -> None:
    """What a choice or chance has decided goes to its variable or local."""
    name = target.name.text
    if name in env.world.program.variables:
        store(env, name, [target.index] if target.index is not None else [], value)
    else:
        env.state.values[env.frame, name] = traced(value, name, target.span)


def audience_of(env: Env, players: nodes.Expr) -> Audience:
    """To whom something is shown; a set that is not plain counts as nobody."""
    match players:
        case nodes.Name("Player"):
            return EVERYONE
        case nodes.Call(nodes.Name("order"), _):
            return EVERYONE
        case nodes.Call(nodes.Name("others"), (player,)):
            term = evaluate(env, player).term
            return NOBODY if term is None else Audience(but=frozenset({term.id}))
        case nodes.List(items):
            audience = NOBODY
            for item in items:
                audience = unite(audience, audience_of(env, item))
            return audience
        case _ if isinstance(players, nodes.OfAKind):
            term = evaluate(env, players).term
            return NOBODY if term is None else Audience(players=frozenset({term.id}))
        case _:
            assert_never(players)


# ---- Loops over all players ----------------------------------------------------------------------


def sum_up(before: State, turn: State, after: State, frame: Frame, node: nodes.For) -> None:
    """What each turn of a loop over all players has done is done for all players."""
    values = text_of(node.values.span)
    everyone = values == "Player" or values.startswith("order(")
    if isinstance(node.values, nodes.Where):
        return
    mine = f"{node.name.text} "  # how the terms of this loop begin
    for slot, family in [*after.values.items()]:
        if family.element is None or not (everyone or family.domain == values):
            continue
        prefix = f"{slot[1]}["
        own = [
            (name.removeprefix(prefix).removesuffix("]"), value)
            for (owner, name), value in turn.values.items()
            if owner == slot[0] == frame.path and name.startswith(prefix + mine)
        ]
        for player, value in own:
            _drop_older(after, slot[0], slot[1])
            done = rename(value, player, Term(family.element, node.name.text))
            after.values[slot] = evolve(done, element=family.element, domain=family.domain)
    for key, (audience, places) in turn.known.items() if everyone else ():
        for place in places:
            untouched = before.versions.get(place.zone) == turn.versions.get(place.zone)
            of_turn = len(place.indices) == 1 and place.indices[0].id.startswith(mine)
            if audience.everyone and untouched and of_turn and key == place_key(place):
                after.known[place_key(place, 0)] = (audience, frozenset({Place(place.zone)}))

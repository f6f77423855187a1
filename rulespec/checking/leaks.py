"""A leak -> a diagnostic: who cannot see what, where it lies, and how it got there."""

from attrs import evolve, frozen

from rulespec import codes
from rulespec.checking.knowledge import Place, Read
from rulespec.checking.world import World
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import Span, text_of
from rulespec.syntax import nodes

UNSEEN = {
    "owner": "which only its owner sees",
    "others": "which its owner does not see",
    "nobody": "which nobody sees",
    "top": "of which only the top is seen",
}


@frozen
class Call:
    """A procedure that is running: its name, whether a mechanism wrote it, and where it is called."""

    name: str
    in_mechanism: bool
    span: Span | None


@frozen
class Choice:
    """A choice that is judged: who chooses, and the calls that lead there."""

    world: World
    node: nodes.Choice
    chooser: str
    term: str
    calls: tuple[Call, ...]


def shows_secret(choice: Choice, read: Read, span: Span, what: str) -> Diagnostic:
    """The options, or the prompt, tell something that the chooser cannot see."""
    does = "the options depend on" if what == "options" else "the prompt shows"
    text = _read(read) if what == "options" else f"`{text_of(span).strip('{}')}`"
    message = f"{does} {text}, which `{choice.chooser}` cannot see: {_lies(choice.world, read)}"
    found = Diagnostic(codes.HIDDEN_OPTIONS, message, span, hint=_remedy(choice, read))
    return _placed(found, choice.calls, read)


def offers_secret(choice: Choice, read: Read) -> Diagnostic:
    """The options are pieces that the chooser cannot see."""
    span = choice.node.options.span
    unseen = f"the pieces in {_lies(choice.world, read).removeprefix('it lies in ')}"
    if read.lot.name is not None:
        unseen = f"`{text_of(span)}` unseen: {_lies(choice.world, read)}"
    message = f"`{choice.chooser}` is offered {unseen}"
    found = Diagnostic(codes.HIDDEN_OPTIONS, message, span, hint=_remedy(choice, read))
    return _placed(found, choice.calls, read)


def asked_by_secret(choice: Choice, read: Read) -> Diagnostic:
    """Whoever is asked learns something that they cannot see."""
    message = (
        f"whether `{choice.chooser}` is asked depends on {_read(read)}, which they cannot "
        f"see: {_lies(choice.world, read)}"
    )
    span = choice.node.span
    hint = _remedy(choice, read, may_be_chance=False)
    found = Diagnostic(codes.HIDDEN_REASON, message, span, hint=hint)
    return _placed(found, choice.calls, read)


def public_secret(
    world: World, name: str, span: Span, read: Read, calls: tuple[Call, ...]
) -> Diagnostic:
    """A state variable tells everyone what not everyone can see."""
    message = (
        f"everyone sees the variable `{name}`, and it is computed from {_read(read)}: "
        f"{_lies(world, read)}"
    )
    hint = f"write `reveal {_piece(read)}` before it, or keep it in a local"
    found = Diagnostic(codes.PUBLIC_SECRET, message, span, hint=hint, severity="warning")
    return _placed(found, calls, read)


def shown(place: Place) -> str:
    """A zone as the author writes it."""
    return place.zone + "".join(f"[{term.shown}]" for term in place.indices)


def _read(read: Read) -> str:
    """The text that reads the faces, and the function in which it stands."""
    inside = f" in `{read.via[0][0]}`" if read.via else ""
    return f"`{text_of(read.span)}`{inside}"


def _piece(read: Read) -> str:
    """How to name the pieces in a statement before the choice."""
    name = read.lot.name
    return name if name is not None and read.lot.path else shown(read.place)


def _lies(world: World, read: Read) -> str:
    """Where the pieces lie, and who sees them there."""
    zone = world.program.zones.get(read.place.zone)
    who = zone.node.viewers.who if zone is not None else "nobody"
    whole = zone is not None and len(read.place.indices) < len(zone.node.indices)
    seen = UNSEEN.get(who, UNSEEN["nobody"])
    if whole and who in ("owner", "others"):
        seen = "of which nobody sees all"
    piece = f"`{read.lot.name}` lies" if read.lot.name else "it lies"
    return f"{piece} in `{shown(read.place)}`, {seen}"


def _remedy(choice: Choice, read: Read, *, may_be_chance: bool = True) -> str:
    piece = _piece(read)
    if choice.calls and choice.calls[-1].in_mechanism:
        return f"write `reveal {piece}` before it"
    hint = f"write `reveal {piece}` or `show {piece} to {choice.chooser}` before it"
    if not may_be_chance:
        return hint
    target = choice.node.target.name.text
    return (
        f"{hint}, or let chance choose: `random {target} from {text_of(choice.node.options.span)}`"
    )


def _placed(found: Diagnostic, calls: tuple[Call, ...], read: Read) -> Diagnostic:
    """The diagnostic where the author of the game can mend it, with the way of the secret."""
    span = found.span
    related = [*read.lot.path]
    related += [Related(f"by way of `{name}`", place) for name, place in reversed(read.via)]
    if not (span.source is read.span.source and span.start <= read.span.start < span.end):
        related.append(Related("its face is read here", read.span))
    told = span
    if calls and calls[-1].in_mechanism:
        for call in reversed(calls):
            if not call.in_mechanism:
                break
            told = call.span or told
    message = found.message
    if told is not span:
        related.append(Related("it happens here", span))
        message = f"in `{calls[-1].name}`, {message}"
    return evolve(found, message=message, span=told, related=tuple(related))

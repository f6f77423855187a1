"""Options and their conditions -> diagnostics for default and chosen values that are not allowed.

`option spies: 1..5 where it < players = 1`: the default of an option must be allowed for every number of players, and
a chosen value for at least one. A game that is started with a value that is not allowed is refused at that time.
"""

from collections.abc import Iterator, Mapping

from rulespec import codes
from rulespec.checking.attributes import root_scope
from rulespec.checking.constants import ConstantInputs, NotConstant, constant_value
from rulespec.checking.declarations import Declarations
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import text_of
from rulespec.syntax import nodes

Settings = Mapping[str, nodes.Expr]


def check_settings(program: Declarations) -> Iterator[Diagnostic]:
    """Report values of options that their conditions do not allow."""
    options = [each.node for each in program.options.values() if each.node.condition is not None]
    if not options or program.players is None:
        return
    least, most = program.players.node.least, program.players.node.most
    counts = range(least.value, (most or least).value + 1)
    for option in options:
        refused = [n for n in counts if _refuses(program, option, n, {})]
        if refused:
            yield _bad_default(option, refused, len(counts))
    chosen = {name: each.value for name, each in program.chosen.items()}
    if not chosen or not counts:
        return
    refusing = [
        [option for option in options if _refuses(program, option, n, chosen)] for n in counts
    ]
    if all(refusing):
        yield _bad_setting(program, refusing[-1][0])


def _refuses(program: Declarations, option: nodes.Option, players: int, settings: Settings) -> bool:
    """Whether the condition of an option refuses its value for so many players; `False` if that is unknown."""
    if option.condition is None:
        return False
    ground = ConstantInputs(root_scope(program).known, players, settings, frozenset())
    try:
        value = constant_value(ground, {}, settings.get(option.name.text, option.default))
        return constant_value(ground, {"it": value}, option.condition) is False
    except NotConstant:
        return False


def _bad_default(option: nodes.Option, refused: list[int], many: int) -> Diagnostic:
    assert option.condition is not None  # noqa: S101 - it has refused something
    told = ", ".join(map(str, refused))
    where = "" if len(refused) == many else f" with {told} player{'' if refused == [1] else 's'}"
    message = f"`{option.name.text}` cannot be {text_of(option.default.span)}{where}"
    related = (Related("what it needs", option.condition.span),)
    hint = "give it a value that every table allows; it may depend on `players`"
    return Diagnostic(codes.OPTION_NOT_ALLOWED, message, option.default.span, related, hint)


def _bad_setting(program: Declarations, option: nodes.Option) -> Diagnostic:
    assert option.condition is not None  # noqa: S101 - it has refused something
    setting = program.chosen.get(option.name.text) or next(iter(program.chosen.values()))
    message = f"no number of players allows `{setting.name.text} = {text_of(setting.value.span)}`"
    related = (Related("what it needs", option.condition.span),)
    return Diagnostic(codes.OPTION_NOT_ALLOWED, message, setting.value.span, related)

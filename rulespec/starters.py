"""Files of rules to start from, for `rulespec new`: a tiny game that checks, tests and plays, and an overlay of another file."""

from collections.abc import Iterator
from pathlib import Path

from rulespec import loading
from rulespec.catalogue import read_game
from rulespec.checking.layers import stack_layers
from rulespec.source import text_of
from rulespec.syntax import nodes

MOST = 5  # examples of each kind of change

TINY = """\
game "{title}"  -- say in a few words what it is about
players 2..4

-- Cards of three colours, numbered from 1 to 5, each of them twice.
enum Colour = red, green, blue
pieces                               | copies
  Card(colour: Colour, number: 1..5) | 2

-- Where cards lie, and who sees them. All of them begin in the `box`.
zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
  won[Player]  | pool  | everyone
  middle       | pile  | everyone

rule setup
  move box to deck
  shuffle deck
  for p in order(first): move top(deck, 3) to hand[p]

-- Players take turns: a card of the colour on top of the middle wins all that lies there.
use turns
rule turn(p: Player)
  p chooses card from hand[p] "Which card do you play?"
  fits = card.colour == top(middle).colour
  move card to middle
  if fits: move middle to won[p]
  move top(deck) to hand[p]
  if #hand == 0: end

-- What a card is worth. Change a number, and `rulespec compare` shows what that does.
table worth(number: 1..5)
  number => points
  1..4   => 1
  5      => 3

let score(p: Player) = sum(worth(c.number) for c in won[p])

ranking of p
  most | score(p)
  most | #won[p]

-- An example is run by `rulespec test`.
example "A card of the same colour wins what lies in the middle"
  players Ada, Ben
  given hand[Ada] = [red 5, blue 2]
  given middle = [red 1, green 3]
  when turn(Ada)
    Ada picks red 5 of [red 5, blue 2]
  expect #middle == 0 and score(Ada) == 5
"""


def write_overlay(base: Path, name: str, title: str) -> Iterator[str]:
    """An overlay that changes nothing yet, and shows in comments what it could change."""
    yield f'extends "{name}"'
    yield f'game "{title}"  -- say in a few words what is different'
    yield ""
    yield "-- All rules are those of the file above, until you change them here."
    yield "-- What follows shows how: take away the dashes, and write what you like."
    chosen = list(_choices(base))
    if chosen:
        yield ""
        yield "-- Variants and options can be chosen in the first line:"
        yield f'-- extends "{name}" with {", ".join(chosen)}'
    tables = list(_rows(base))[:MOST]
    if tables:
        yield ""
        yield "-- Added rows come before the other rows of the table, and the first that matches counts."
        yield from (line for table in tables for line in table)
    lets = list(_lets(base))[:MOST]
    if lets:
        yield ""
        yield "-- Anything with a name can be replaced; `super` is what it was before."
        yield from lets


def _choices(base: Path) -> Iterator[str]:
    game = read_game(base)
    yield from (variant.name for variant in game.variants[:1])
    yield from (f"{option.name} = {option.default}" for option in game.options)


def _declared(base: Path) -> Iterator[nodes.Plain | nodes.Override]:
    stack = stack_layers(base, loading.read(str(base)))
    for layer in stack.layers:
        if layer.origin == "file":
            yield from (item.declaration for item in layer.items)


def _rows(base: Path) -> Iterator[tuple[str, str]]:
    """The last row of each value table."""
    for item in _declared(base):
        if isinstance(item, nodes.Table):
            rows = [row for row in item.rows if isinstance(row, nodes.Row)]
            if rows and isinstance(rows[-1].body, nodes.Cells):
                yield f"-- rows {item.name.text}", f"--   {text_of(rows[-1].span)}"


def _lets(base: Path) -> Iterator[str]:
    """For each `let` with parameters, a commented override that keeps it as it is."""
    for item in _declared(base):
        if isinstance(item, nodes.Let) and item.params:
            given = ", ".join(text_of(param.span) for param in item.params)
            same = ", ".join(param.name.text for param in item.params)
            yield f"-- override let {item.name.text}({given}) = super({same})"

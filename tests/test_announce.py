"""`announce`: who is told a value learns it, and nothing else; the others learn nothing."""

from pathlib import Path
from typing import Any

import pytest
from pygments.token import Keyword

from games import at_random, from_text
from interpreter.display_names import Listener
from interpreter.errors import IllegalMove
from interpreter.machine import apply, decide_chance
from interpreter.match import Game, Match
from interpreter.options import Decision
from interpreter.session import Seat, Session, begin
from interpreter.state import State
from interpreter.story import tell_event, tell_match
from interpreter.views import Observation, information
from interpreter.worlds import World, sampler
from interpreter.worlds.observed_replay import ObservedReplay, overheard, start_again
from lockstep import assert_in_step, assert_whole_games, make_fast, traps_of
from rulespec.checks import Checked, check
from rulespec.core import tree
from rulespec.core.printer import print_core
from rulespec.editing.vocabulary import locals_at
from rulespec.elaboration.programs import elaborate_program
from rulespec.highlighting import RulesLexer
from rulespec.mutants import mutants, mutate
from rulespec.source import Source
from rulespec.syntax import nodes
from rulespec.syntax.formatter import format_source
from rulespec.syntax.parser import parse

HEAD = """\
game "Follow"
players 3 clockwise

enum Suit = clubs, hearts

pieces                          | copies
  Card(suit: Suit, value: 1..6) | 1

zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
  trick        | pile  | everyone

state  | type  | start
  mark | 0..99 | 0

rule setup
  move box[Card] to deck
  shuffle deck
  for p in Player: move top(deck, 3) to hand[p]

rule play
  p = first
  repeat 6
    if #hand[p] > 0: turn(p)
    p = next(p)
  end

ranking of p
  most | #hand[p] + #trick + mark

rule turn(p: Player)
"""

FOLLOW = """\
  led = hearts
  if #trick > 0: led = top(trick).suit
  announce can_follow = #hand[p][led] > 0
  if can_follow: p chooses card from hand[p][led] "Which {led}?"
  else: p chooses card from hand[p] "Which card?"
  move card to trick
"""
WHISPER = """\
  announce best_card = max(c.value for c in hand[p]) to [p, next(p)]
  next(p) chooses guess from 1..best_card
  mark = guess
  p chooses card from hand[p]
  move card to trick
"""


def checked(turn: str) -> Checked:
    return check(Path("follow.rules"), Source("follow.rules", HEAD + turn))


def codes(turn: str) -> list[str]:
    """What a turn draws."""
    return sorted(each.code.number for each in checked(turn).diagnostics)


def game_of(turn: str) -> Game:
    return from_text(HEAD + turn)


def play(turn: str, seed: int = 3) -> Match:
    match = game_of(turn).start(seed=seed)
    policy = at_random(seed)
    while match.decision is not None:
        match.apply(policy(match.decision))
    return match


def announced(match: Match, player: int) -> list[tuple[object, ...]]:
    """What a player was told in announcements."""
    log = information(match.engine, match.state, player).log
    return [each for each in log if each[0] == "announce"]


# ---- Text ----------------------------------------------------------------------------------------


def test_an_announcement_names_a_value_and_may_name_players() -> None:
    file = parse(Source("", HEAD + FOLLOW + WHISPER)).file
    assert file is not None
    rule = file.items[-1]
    assert isinstance(rule, nodes.Rule)
    assert isinstance(rule.body, nodes.Suite)
    one, other = [each for each in rule.body.lines if isinstance(each, nodes.Announce)]
    assert one.name.text == "can_follow"
    assert one.players is None
    assert isinstance(other.players, nodes.List)


@pytest.mark.parametrize("turn", [FOLLOW, WHISPER], ids=["to all", "to some"])
def test_the_formatter_keeps_announcements(turn: str) -> None:
    source = Source("follow.rules", HEAD + turn)
    assert format_source(source) == source.text
    crowded = source.text.replace("announce can_follow = ", "announce   can_follow=")
    assert format_source(Source("follow.rules", crowded)) == source.text


def test_the_word_is_a_keyword_and_the_name_is_completed() -> None:
    text = HEAD + FOLLOW
    at = text.index("announce")
    (colour,) = [
        colour for start, colour, _ in RulesLexer().get_tokens_unprocessed(text) if start == at
    ]
    assert colour in Keyword
    file = parse(Source("follow.rules", text)).file
    assert file is not None
    words = locals_at(file, len(text))
    assert "can_follow" in {each.text for each in words}


def test_without_the_announcement_the_name_still_has_its_value() -> None:
    found = [
        each
        for turn in (FOLLOW, WHISPER)
        for each in mutants(Source("follow.rules", HEAD + turn))
        if each.what == "an announcement"
    ]
    assert [mutate(each).text.splitlines()[-5:][0].strip() for each in found] == [
        "if #trick > 0: led = top(trick).suit",
        "best_card = max(c.value for c in hand[p])",
    ]
    # And then the check tells what is secret.
    left_out = mutate(found[1]).text.removeprefix(HEAD)
    assert any(code.startswith("RS40") for code in codes(left_out))


# ---- Types ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        "#hand[p]",
        "#hand[p] > 2",
        "top(trick).suit",
        "next(p)",
        "hand[p].suit",
        "hand[p].value",
        "[q for q in Player where #hand[q][hearts] > 0]",
    ],
)
def test_plain_values_and_sets_of_them_are_announced(value: str) -> None:
    kept = "  move top(hand[p]) to trick\n  if fact == fact: mark += 1\n"
    assert not [code for code in codes(f"  announce fact = {value}\n{kept}") if code < "RS4"]


@pytest.mark.parametrize(
    "value", ["hand[p]", "hand", "top(deck)", "hand[p][hearts]", "subsets(hand[p], 2)", "hearts 3"]
)
def test_pieces_zones_and_families_are_not_announced(value: str) -> None:
    assert "RS310" in codes(f"  announce fact = {value}\n  move top(hand[p]) to trick\n")


def hint_of(turn: str) -> str | None:
    (found,) = [each for each in checked(turn).diagnostics if each.code.number == "RS310"]
    return found.hint


def test_who_would_announce_pieces_is_told_to_show_them() -> None:
    hint = hint_of("  announce fact = hand[p][hearts]\n  move fact to trick\n")
    assert (
        hint == "write `reveal hand[p][hearts]` for all to see it, or `show hand[p][hearts] to …`"
    )
    hint = hint_of("  announce fact = top(deck) to p\n  move fact to trick\n")
    assert hint == "write `reveal top(deck)` for all to see it, or `show top(deck) to p`"


def test_a_state_variable_needs_no_announcement() -> None:
    hint = hint_of("  announce mark = #hand[p]\n  move top(hand[p]) to trick\n")
    assert hint == "write `mark = #hand[p]`, or announce it by another name"


def test_only_players_are_told() -> None:
    assert codes("  announce fact = #hand[p] to hand[p]\n  mark = fact\n") == ["RS301"]


def test_what_a_rule_gives_back_is_announced_if_it_is_plain() -> None:
    rule = "\nrule found(q: Player) -> {}\n  return {}\n"
    number = "  announce fact = found(p)\n  mark = fact\n" + rule.format("0..9", "#hand[q]")
    assert codes(number) == []
    card = "  announce fact = found(p)\n  move fact to trick\n"
    assert "RS310" in codes(card + rule.format("Piece?", "top(trick)"))


def test_an_announced_name_that_nobody_reads_is_no_mistake_of_a_name() -> None:
    assert codes("  announce fact = #hand[p][hearts]\n  nothing\n") == []


# ---- The core ------------------------------------------------------------------------------------


def test_in_the_core_the_value_is_given_and_then_announced() -> None:
    program = checked(WHISPER).program
    assert program is not None
    core = elaborate_program(program.declared)
    given, told, *_ = core.blocks["turn"].body
    assert isinstance(given, tree.Assign)
    assert isinstance(told, tree.Announce)
    assert given.target.slot == told.value.place
    assert "  announce best_card to set([p], [next(p)])" in print_core(core).splitlines()


# ---- Play ----------------------------------------------------------------------------------------


def test_everybody_is_told_the_same() -> None:
    match = play(FOLLOW)
    logs = [announced(match, player) for player in range(3)]
    assert logs[0] == logs[1] == logs[2]
    assert {each[:2] for each in logs[0]} == {("announce", "can_follow")}
    assert {each[2] for each in logs[0]} == {True, False}


def test_only_those_who_are_named_are_told() -> None:
    match = play(WHISPER)
    for player in range(3):
        told = announced(match, player)
        assert len(told) == 4
        assert all(player in players for *_, players in told)
        texts = [line.text for line in tell_match(match, player)]
        assert sum("earn: best card " in each for each in texts) == 4


def test_announcements_are_told_in_plain_words() -> None:
    match = play(FOLLOW)
    event = next(each for each in match.events if each.kind == "announce")
    told = tell_event(Listener(match.engine.layout), event)
    assert told == f"Can follow: {'yes' if event.data[1] else 'no'}."
    match = play(WHISPER)
    event = next(each for each in match.events if each.kind == "announce")
    told = tell_event(Listener(match.engine.layout, ("Ada", "Ben", "Cleo")), event)
    assert told == f"Ada and Ben learn: best card {event.data[1]}."


def test_an_announcement_is_part_of_a_transcript_that_is_replayed() -> None:
    match = play(FOLLOW)
    again = game_of(FOLLOW).start(match.names, match.seed, match.first)
    for choice in match.choices:
        again.apply(choice.number)
    assert [announced(again, p) for p in range(3)] == [announced(match, p) for p in range(3)]


def test_the_fast_engine_plays_it_as_the_reference_does() -> None:
    for rules in (FOLLOW, GUESS):
        game = game_of(rules)
        fast = make_fast(game, 3)
        for seed in range(3):
            assert assert_in_step(game, 3, seed, at_random(seed), fast=fast)
        assert assert_whole_games(game, 3, range(5), fast=fast) == 5
        assert not traps_of(fast)


# ---- Worlds and undo -----------------------------------------------------------------------------


GUESS = """\
  announce reds = #hand[p][hearts]
  announce best_card = max(c.value for c in hand[p]) to next(p)
  next(p) chooses guess from 1..6
  mark = guess
"""


def played_again(match: Match, player: int, world: World) -> list[Observation]:
    """What a player observes where everything is decided as in a world."""
    to = ObservedReplay(match.engine, match.information(player))
    state = start_again(to)
    heard = [each for each, _ in overheard(to, state)]
    for _, value in world.decided:
        pending = state.pending
        if isinstance(pending, Decision):
            apply(match.engine, state, [*pending.options].index(value))
        else:
            decide_chance(match.engine, state, value)
        heard += [each for each, _ in overheard(to, state)]
    return heard


def first_hand(match: Match, state: State) -> list[dict[str, Any]]:
    """What the cards of the first player are."""
    layout = match.engine.layout
    (hand,) = [
        state.zones[n]
        for n, zone in enumerate(layout.zones)
        if zone.row.name == "hand" and zone.owner == state.first
    ]
    return [layout.pieces[each].attributes for each in hand]


def test_in_every_imagined_world_the_same_was_announced() -> None:
    """Of all hands only those are imagined of which what was announced is true."""
    for seed in range(4):
        match = game_of(GUESS).start(seed=seed)
        layout, asked = match.engine.layout, match.decision
        assert asked is not None
        known = match.information(asked.player)
        reds, best = [each[2] for each in known.log if each[0] == "announce"]
        hands = set()
        found = sampler(match.engine, known, seed=1)
        for _ in range(20):
            world = found.world()
            assert tuple(played_again(match, asked.player, world)) == known.log
            hand = first_hand(match, world.state)
            members = [layout.code.members[each["suit"]].name for each in hand]
            assert members.count("hearts") == reds
            assert max(each["value"] for each in hand) == best
            hands.add(str(hand))
        assert len(hands) > 1


def test_the_others_imagine_whatever_may_have_been_told() -> None:
    """Who was told nothing imagines worlds in which something else was told to another."""
    turn = GUESS.replace("  next(p) chooses", "  next(next(p)) chooses").replace(
        "  announce reds = #hand[p][hearts]\n", ""
    )
    match = game_of(turn).start(seed=1)
    assert match.decision is not None
    known = match.information(match.decision.player)
    assert not [each for each in known.log if each[0] == "announce"]
    found = sampler(match.engine, known, seed=1)
    best = {
        max(each["value"] for each in first_hand(match, found.world().state)) for _ in range(20)
    }
    assert len(best) > 1


TAKE_BACK = """\
  p chooses one from 1..2
  announce best_card = max(c.value for c in hand[next(p)]) to {}
  p chooses two from 1..2
  mark = one + two
"""


def table_of(turn: str, seed: int = 3) -> Session:
    return begin(game_of(turn), [Seat(name, "human") for name in "ABC"], seed, keep=False)


def test_what_was_announced_to_all_is_not_taken_back() -> None:
    table = table_of(TAKE_BACK.format("Player"))
    table.choose(0)
    assert not table.may_undo
    with pytest.raises(IllegalMove, match="Best card: "):
        table.undo()


def test_who_was_told_nothing_may_take_back() -> None:
    told, untold = table_of(TAKE_BACK.format("p")), table_of(TAKE_BACK.format("next(p)"))
    for table in (told, untold):
        table.choose(0)
    assert not told.may_undo
    assert untold.may_undo


# ---- Secrets -------------------------------------------------------------------------------------

ACCEPTED = {
    "who cannot follow says so": FOLLOW,
    "a hint to some": WHISPER,
    "anybody is asked for an announced reason": """\
  announce has = #hand[p][hearts] > 0
  q = next(p)
  if has
    q chooses card from hand[q]
    move card to trick
""",
    "the same value, computed again": """\
  announce has = #hand[p][hearts]
  if has > 0: mark = 1
  if #hand[p][hearts] > 1
    next(p) chooses n from 1..#hand[p][hearts]
    mark = n
""",
    "a public step for an announced reason": """\
  announce has = #hand[next(p)][hearts] > 1
  if has: shuffle deck
  if has: move top(deck) to hand[p]
""",
    "what follows from an announced set": """\
  announce suits = hand[next(p)].suit
  p chooses suit from suits
  if suit == clubs: mark = 1
""",
    "by everybody, one after the other": """\
  for q in order(p)
    announce has = #hand[q][hearts] > 0
    if not has
      next(q) chooses n from 1..3
      mark += n
""",
    "by a function": """\
  announce count = reds(p)
  next(p) chooses n from 0..reds(p)
  mark = n + count

let reds(q: Player) = #hand[q][hearts]
""",
    "two hands are compared": """\
  announce more = #hand[p][hearts] > #hand[next(p)][hearts]
  winner = p if more else next(p)
  winner chooses card from hand[winner]
  move card to trick
""",
}
REJECTED = {
    "told to p only, and q is asked": """\
  announce has = #hand[p][hearts] > 0 to p
  q = next(p)
  if has
    q chooses card from hand[q]
    move card to trick
""",
    "another value of the same hand": """\
  announce has = #hand[p][hearts] > 0
  q = next(p)
  if #hand[p][clubs] > 1 and has
    q chooses card from hand[q]
    move card to trick
""",
    "the hand has changed since": """\
  announce has = #hand[p][hearts]
  if has > 5: mark = 1
  move top(deck) to hand[p]
  next(p) chooses n from 1..#hand[p][hearts] + 1
  mark = n
""",
    "not announced": """\
  has = #hand[p][hearts] > 0
  q = next(p)
  if has
    q chooses card from hand[q]
    move card to trick
""",
    "a number behind an announced set": """\
  announce suits = hand[next(p)].suit
  if hearts in suits: mark = 1
  p chooses n from 0..#hand[next(p)][hearts]
  mark = n
""",
    "the third player was not told": """\
  announce count = #hand[p][hearts] to [p, next(p)]
  next(next(p)) chooses n from 0..count
  mark = n
""",
    "announced on one way only": """\
  if #trick > 0: announce count = #hand[p][hearts]
  next(p) chooses n from 0..#hand[p][hearts]
  mark = n
""",
    "another announcement for the same reason": """\
  if #hand[p][hearts] > 1
    announce count = #hand[p]
    next(p) chooses n from 0..count
    mark = n
""",
    "announced afterwards": """\
  has = #hand[p][hearts] > 0
  q = next(p)
  if has
    q chooses card from hand[q]
    move card to trick
  announce had = has
  if had: mark = 1
""",
    "told to a player whom a secret decides": """\
  q = next(p) if #hand[p][hearts] > 1 else p
  announce fact = #hand[next(p)][hearts] to q
  if fact == fact: mark = 1
""",
    "a public step for what is told to one player": """\
  announce has = #hand[next(p)][hearts] > 1 to p
  if has: shuffle deck
""",
}


@pytest.mark.parametrize("turn", ACCEPTED.values(), ids=ACCEPTED)
def test_what_follows_from_an_announcement_is_accepted(turn: str) -> None:
    assert codes(turn) == []


@pytest.mark.parametrize("turn", REJECTED.values(), ids=REJECTED)
def test_what_does_not_follow_from_it_is_refused(turn: str) -> None:
    assert [code for code in codes(turn) if code.startswith("RS40")]

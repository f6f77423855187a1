"""What the table draws, before there is a screen: pictures, rows, choices by ticking, reasons, the menu."""

import random
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import small_programs
from exchanges import draw_exchange
from games import at_random, from_text, shipped
from interpreter.display_names import Listener, on_table
from interpreter.errors import IllegalMove, RuleFault
from interpreter.exchanges import exchange_pieces
from interpreter.game_loading import load
from interpreter.headings import Heading
from interpreter.hindsight import ChoiceMoment
from interpreter.machine import apply, run
from interpreter.options import Options
from interpreter.results import explain_result
from interpreter.session import Seat, begin
from interpreter.shown import audience, palette, reasons, selection
from interpreter.shown.beats import find_beats
from interpreter.shown.explanations import explain, item_at
from interpreter.shown.marked_words import find_words
from interpreter.shown.offers import make_offer, mark_targets
from interpreter.shown.open_values import add_values
from interpreter.shown.palette import contrast, paint
from interpreter.shown.picture import draw_picture, set_scene
from interpreter.shown.player_aids import card_description, list_facts
from interpreter.shown.reference import lay_reference, make_reference
from interpreter.shown.sights import current_sight as look_at
from interpreter.shown.subjects import (
    Marks,
    OfCards,
    OfCounter,
    OfElement,
    OfOption,
    OfPlayer,
    OfZone,
)
from interpreter.views import observed
from rulespec import loading
from rulespec.catalogue import shipped_files
from rulespec.cli.table import menu, splash
from rulespec.cli.table.answer_rows import Opinion, lay_answers
from rulespec.cli.table.board import lay_board
from rulespec.cli.table.chips import lines_of, shorten_text, wrap_text
from rulespec.cli.table.number_keys import key_of, typed
from rulespec.cli.table.result_screen import lay_result
from rulespec.cli.table.screen_parts import divide, lay_foot, lay_head, lay_prompt
from rulespec.cli.table.story_rows import lay_story
from rulespec.cli.table.text_screens import lay_reason
from test_families import cases, look

GAMES = ("sins", "seven7s", "deadlies", "siegel")
PLAYERS = {"sins": 2, "seven7s": 3, "deadlies": 4, "siegel": 3}


def a_session(name, choices, seed=1, kind="random"):
    """A table at which so many random choices were made."""
    names = ["Ada", "Ben", "Cleo", "Dan"][: PLAYERS[name]]
    seats = [Seat("Ada"), *(Seat(each, kind) for each in names[1:])]
    session = begin(shipped(f"{name}.rules"), seats, seed=seed, keep=False)
    choose_at_random(session, lambda: len(session.match.choices) >= choices)
    return session


def to_be_asked(session):
    """Random choices until a human is asked, or the game is over."""
    choose_at_random(session, lambda: session.is_human(session.asked))
    return session


def choose_at_random(session, is_enough):
    policy = at_random(session.match.seed)
    while session.asked is not None and not is_enough():
        decision = session.match.decision
        session.match.apply(policy(decision))


def outcome_of(session):
    """The result and how it came about."""
    match = session.match
    return explain_result(match, Listener(match.engine.layout, match.names))


few = settings(max_examples=15)  # a moment of a game takes its time
moments = st.builds(a_session, st.sampled_from(GAMES), st.integers(0, 60), st.integers(0, 20))


# ---- Colours -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ground", [*palette.WORDS.values(), *palette.SERIES])
def test_every_face_can_be_read(ground):
    tone = palette.tone(ground)

    assert contrast(tone.ground, tone.ink) >= 4.5


@pytest.mark.parametrize("name", GAMES)
def test_what_belongs_together_has_one_colour_and_the_rest_has_others(name):
    layout = shipped(f"{name}.rules").machine(PLAYERS[name]).layout

    tones = paint(layout).members

    assert len(set(tones.values())) == len(tones) >= 5


def test_members_that_are_colours_have_these():
    layout = shipped("siegel.rules").machine(3).layout

    tones = {layout.code.members[n].name: tone for n, tone in paint(layout).members.items()}

    assert {name: tone.ground for name, tone in tones.items()} == {
        name: palette.WORDS[name]
        for name in ("red", "yellow", "green", "blue", "violet", "white", "black")
    }


def test_a_joker_of_all_colours_has_none():
    layout = shipped("deadlies.rules").machine(3).layout
    joker = next(n for n, piece in enumerate(layout.pieces) if piece.kind == "Corruption")

    assert layout.faces[joker] not in paint(layout).faces


def test_a_single_member_with_the_name_of_a_colour_is_no_colour():
    game = from_text("""
game "Mines"
players 2
enum Good = gold, wood, stone
pieces | copies
  Card(good: Good) | 2
rule play
  end
""")
    tones = paint(game.machine(2).layout).members

    assert palette.WORDS["gold"] not in {tone.ground for tone in tones.values()}


# ---- The picture ---------------------------------------------------------------------------------


@few
@given(moments, st.integers(0, 3))
def test_a_picture_has_what_the_view_has_and_nothing_else(session, seat):
    match = session.match
    seat %= len(match.names)
    view = match.view(seat)
    picture = draw_picture(set_scene(match), view, seat)

    areas = {area.zone: area for group in picture.groups for area in group.areas}
    layout = match.engine.layout
    told = {n for n, each in enumerate(layout.zones) if on_table(layout.code, each.row.name)}
    assert set(areas) == told - {0}  # all but the box, and what is there for bookkeeping alone
    for number, area in areas.items():
        zone, shown = view.zones[number], Counter()
        for stack in area.stacks:
            shown[stack.text] += stack.count
        assert shown == Counter(card.text for card in zone.cards)


@few
@given(moments, st.integers(0, 3))
def test_nobody_changes_seats_whoever_looks(session, viewer):
    count = len(session.seats)
    scene = set_scene(session.match, home=1)

    seats = [
        [group.seat for group in draw_picture(scene, view, who).groups if group.seat is not None]
        for view, who in (
            (session.match.view(viewer % count), viewer % count),
            (audience.common_view([session.match.view(n) for n in range(count)]), None),
        )
    ]

    assert seats == [[(2 + n) % count for n in range(count)]] * 2


def test_things_are_called_as_people_call_them_and_bookkeeping_is_left_out():
    session = begin(
        shipped("seven7s.rules"), [Seat("You"), Seat("Tess", "random")], seed=1, keep=False
    )
    picture = draw_picture(set_scene(session.match), session.match.view(0), 0)

    areas = {area.title for group in picture.groups for area in group.areas}
    counters = {counter.title for group in picture.groups for counter in group.counters}
    assert areas >= {"cards out of play", "bonus cards", "Seas", "hand"}
    assert not {"last colour", "another", "draws", "scorer"} & counters


# ---- Beats ---------------------------------------------------------------------------------------


@few
@given(moments)
def test_the_last_moment_of_a_move_is_the_table_before_the_next_question(session):
    scene = set_scene(session.match)
    match = session.match
    for number in range(max(0, len(match.choices) - 8), len(match.choices)):
        beats = find_beats(session, scene, number, last=True)
        nows = [each.state for each in match.moments[number + 1 :]] or [match.state]
        view = audience.seen_at(session, match.engine, nows[0])
        to = audience.listener(session)
        found = add_values(draw_picture(scene, view, 0), scene, match.engine, nows[0], to).groups

        assert not beats or beats[-1].picture.groups == found or session.over
        ends = [*match.marks, len(match.events)]
        assert all(ends[number] <= each.until <= ends[number + 1] for each in beats)
        assert [each.until for each in beats] == sorted(each.until for each in beats)


@few
@given(moments, st.integers(0, 2**32))
def test_beats_tell_nothing_that_the_player_does_not_observe(session, seed):
    match, scene = session.match, set_scene(session.match)
    engine = match.engine
    for number in range(max(0, len(match.choices) - 8), len(match.choices)):
        moment = match.moments[number]
        chance = random.Random(seed)  # noqa: S311 - a game needs no secrecy
        places = draw_exchange(engine, moment.state, 0, chance, all_of_them=False)
        other = exchange_pieces(engine, moment.state, places)
        first = beats_of(session, scene, number, moment.state)
        try:
            second = beats_of(session, scene, number, other)
        except (RuleFault, IllegalMove):
            continue
        if first[0] == second[0]:
            assert first[1] == second[1]


def beats_of(session, scene, number, state):
    """What the first player observes after a choice in a state, and the moments that are shown."""
    match, engine = session.match, session.match.engine
    state = state.clone()
    run(engine, state)
    went_on = state.clone()
    before = len(went_on.watch.events)
    apply(engine, went_on, match.moments[number].number)
    events = [each for each in went_on.watch.events[before:] if each.told & 1]
    known = [observed(engine.layout, each, 0) for each in events]
    kept = match.moments[number]
    match.moments[number] = ChoiceMoment(state, kept.player, kept.number)
    try:
        beats = find_beats(session, scene, number)
    finally:
        match.moments[number] = kept
    return known, [(each.picture, each.marks) for each in beats]


def test_what_has_moved_since_the_own_choice_is_marked():
    session = to_be_asked(a_session("sins", 12))
    sight = look_at(session, set_scene(session.match))

    since = session.since_choice(0)
    moves = [each.data for each in session.match.events[since:] if each.kind == "move"]
    gone = Counter(source for _, source, _, _, _ in moves)
    came = Counter(zone for _, _, _, zone, _ in moves)
    assert moves
    assert sight.marks.grown == {
        zone: came[zone] - gone[zone] for zone in came | gone if came[zone] != gone[zone]
    }


# ---- What should be in sight ---------------------------------------------------------------------


def facts_of(name):
    facts = list_facts(set_scene(a_session(name, 0).match))
    return {fact.title: [text for text, _ in fact.words] for fact in facts}


def test_trump_point_tables_and_the_end_are_in_sight():
    assert facts_of("siegel")["trump"] == ["red"]
    assert facts_of("siegel")["penalty points by kind of seal"] == [
        *("red to violet: 2", "black: 3", "white: 4")
    ]
    assert facts_of("sins")["points by cards"][-1] == "7+: 10"
    assert "Last Judgment" in facts_of("sins")["end"][0]


def test_rounds_are_counted_and_it_is_said_how_many_there_are():
    session = a_session("siegel", 5)

    where = look_at(session, set_scene(session.match)).where

    assert where[0].startswith("Round 1 of 6 · ")


@pytest.mark.parametrize(
    ("name", "word"), [("seven7s", "(Seas): Take the top"), ("deadlies", "Wrath")]
)
def test_a_card_has_a_text(name, word):
    session = a_session(name, 0)
    scene = set_scene(session.match)

    texts = {card_description(scene, face) for face in session.match.engine.layout.faces}

    assert any(word in text for text in texts)


def test_players_and_cards_have_their_colours_in_sentences():
    scene = set_scene(a_session("siegel", 0).match)

    words = find_words(scene, "Ben wins the trick with red 12, not red 1.")

    assert [(each.text, each.seat, each.tone is not None) for each in words] == [
        ("Ben", 1, False),
        (" wins the trick with ", None, False),
        ("red 12", None, True),
        (", not ", None, False),
        ("red 1", None, True),
        (".", None, False),
    ]


def test_options_are_chosen_where_their_zones_lie():
    session = a_session("sins", 0)
    while session.match.decision.prompt == "Which sin do you take?" or session.asked != 0:
        session.match.apply(0)
    sight = look_at(session, set_scene(session.match))
    zones = {zone.row.name: n for n, zone in enumerate(sight.scene.layout.zones) if not zone.owner}

    chosen = {name: item_at(sight, None, OfZone(zones[name])) for name in ("abyss", "reserve")}

    assert [each.text for each in chosen.values()] == ["the Abyss of Souls", "the reserve"]
    assert item_at(sight, None, OfZone(zones["deck"])) is None


def test_the_trick_lies_in_the_middle_and_empty_bookkeeping_is_not_drawn():
    session = a_session("siegel", 12)
    picture = look_at(session, set_scene(session.match)).picture

    trick = next(group for group in picture.groups if group.title == "trick")
    text = "\n".join(lines_of(lay_board(picture, Marks(), 100, 30), 100))
    assert trick.seat is None
    assert [area.seat for area in trick.areas] == [0, 1, 2]
    assert "deck" not in text


# ---- Rows ----------------------------------------------------------------------------------------


def assert_fits(rows, width):
    for row in rows:
        for (x, one), (y, _) in pairwise(row.chips):
            assert x + one.width < y or x + one.width == y
        assert all(x + chip.width <= width for x, chip in row.chips)


@few
@given(moments, st.integers(56, 200), st.integers(8, 60), st.booleans())
def test_a_board_fits_its_width_and_shows_every_player(session, width, height, everything):
    scene = set_scene(session.match)
    picture = draw_picture(scene, session.match.view(0), 0)

    rows = lay_board(picture, Marks(), width, height, everything=everything)

    assert_fits(rows, width)
    text = "\n".join(lines_of(rows, width))
    assert all(name in text for name in scene.names)
    backs = sum(s.text is None for g in picture.groups for a in g.areas for s in a.stacks)
    assert text.count("▒▒") <= backs
    assert text.count("▒▒") == backs or not everything


def test_everything_is_everything():
    session = a_session("deadlies", 40)
    scene = set_scene(session.match)
    picture = draw_picture(scene, session.match.view(0), 0)

    few = "\n".join(lines_of(lay_board(picture, Marks(), 100, 20), 100))
    everything = "\n".join(lines_of(lay_board(picture, Marks(), 100, 20, everything=True), 100))

    assert "cards played before" not in few
    assert "cards played before ╌╌" in everything
    assert all(
        f"{name} ╌╌" in everything for name in scene.names
    )  # nobody was dealt cards by Greed


def test_a_pile_shows_its_top_and_how_many_lie_below():
    session = a_session("deadlies", 60)
    scene = set_scene(session.match)
    discard = session.match.view(0).zones[2]
    assert (discard.name, len(discard.cards) > 10) == ("discard", True)

    text = "\n".join(
        lines_of(lay_board(draw_picture(scene, session.match.view(0), 0), Marks(), 100, 9), 100)
    )

    assert f"discard pile  {discard.cards[0].text}  +{len(discard.cards) - 1}" in text


def test_a_large_screen_has_tall_cards_and_a_small_one_has_not():
    session = a_session("deadlies", 20)
    picture = draw_picture(set_scene(session.match), session.match.view(0), 0)

    large, small = lay_board(picture, Marks(), 120, 60), lay_board(picture, Marks(), 79, 8)

    assert any(chip.level for row in large for _, chip in row.chips)
    assert not any(chip.level for row in small for _, chip in row.chips)
    assert len(small) < len(large)


@few
@given(moments, st.integers(56, 160))
def test_everything_around_the_board_fits_as_well(session, width):
    to_be_asked(session)
    scene = set_scene(session.match)
    sight = look_at(session, scene)

    rows = [*lay_head(sight, width), *lay_story(sight.story, 0, width)]
    rows += lay_foot(sight, None, "", width)
    if sight.offer is not None:
        started = (
            selection.empty_selection(sight.decision.options) if sight.offer.is_ticking else None
        )
        opinions = {0: Opinion(0.5, is_best=True)}
        rows += lay_prompt(sight, started, width)
        rows += lay_answers(sight.offer, started, opinions, width)
    else:
        rows += lay_result(outcome_of(session), width)

    assert_fits(rows, width)


@given(
    st.integers(60, 250),
    st.integers(18, 90),
    st.tuples(st.integers(1, 60), st.integers(1, 60)),
    st.integers(1, 3),
    st.integers(0, 40),
)
def test_no_line_of_the_screen_is_lost_and_the_question_is_always_seen(
    width, height, board, prompt, answers
):
    room = divide(width, height, (min(board), max(board)), prompt, answers)

    beside = 0 if room.is_wide else room.story
    assert room.board + beside + room.prompt + room.answers == height - 2
    assert room.prompt == prompt
    assert room.answers >= min(answers, 3)
    assert room.board >= min(5, max(board))
    assert room.story >= 3


def test_long_texts_are_cut_and_wrapped_by_columns():
    assert shorten_text("七つの大罪", 6) == "七つ…"
    assert wrap_text("a " * 3 + "x" * 12, 5) == ["a a a", "xxxxx", "xxxxx", "xx"]
    assert wrap_text("", 10) == [""]
    assert wrap_text("七つ", 1) == ["七", "つ"]
    assert wrap_text("ab", -3) == ["a", "b"]


# ---- Ticking -------------------------------------------------------------------------------------


@given(cases(), st.data())
def test_ticking_leads_to_a_member_and_to_any_of_them(case, data):
    listed = len({frozenset(look(case, member).items()) for member in case.listed})
    options = Options(None, case.family, case.twins, (), size=listed)
    now = selection.empty_selection(options)
    goal = look(case, data.draw(st.sampled_from(case.listed))) if case.listed else Counter()

    for _ in range(12):
        have = look(case, now.chosen)
        for element in case.elements:
            grown = have + look(case, [element])
            fits = any(grown <= look(case, member) for member in case.listed)
            is_free = element not in now.chosen
            if fits and is_free:
                assert selection.may_tick(now, element)
            if selection.may_tick(now, element):
                assert fits
                assert is_free
        number = selection.chosen_option(now)
        assert (number is not None) == any(have == look(case, member) for member in case.listed)
        if number is not None:
            assert look(case, options[number]) == have
        towards = [
            element
            for element in case.elements
            if selection.may_tick(now, element) and have + look(case, [element]) <= goal
        ]
        if have == goal or not towards:
            break
        now = selection.toggle(now, data.draw(st.sampled_from(towards)))

    assert not case.listed or look(case, now.chosen) == goal


@given(cases(), st.data())
def test_a_tick_can_be_taken_away_and_what_does_not_fit_is_refused(case, data):
    options = Options(None, case.family, case.twins, (), size=len(case.listed))
    now = selection.empty_selection(options)
    for _ in range(3):
        free = [element for element in case.elements if selection.may_tick(now, element)]
        for element in set(case.elements) - set(free) - set(now.chosen):
            assert selection.toggle(now, element) is None
        if not free:
            break
        element = data.draw(st.sampled_from(free))
        after = selection.toggle(now, element)

        assert selection.toggle(after, element).chosen == now.chosen
        now = after


def test_what_is_still_needed_is_told():
    from interpreter.families import Subsets  # noqa: PLC0415 - only here

    def need(low, high, *ticked):
        options = Options(None, Subsets((1, 2, 3, 4), low, high), None, (), size=9)
        now = selection.empty_selection(options)
        for element in ticked:
            now = selection.toggle(now, element)
        return selection.tell_need(now)

    assert need(2, 2) == "tick 2"
    assert need(2, 3) == "tick 2 to 3"
    assert need(2, 3, 1) == "tick 1 more"
    assert need(2, 3, 1, 2) == "Enter takes these, or tick more"
    assert need(2, 2, 1, 2) == "Enter takes these"
    assert need(0, 2) == "Enter takes none, or tick more"


def test_billions_of_answers_are_not_listed():
    game = from_text("""
game "Heap"
players 2
pieces | copies
  Card(value: 1..40) | 1
zones | order | seen by
  hand[Player] | pool | owner
rule setup
  move box to hand[first]
rule play
  first chooses cards from subsets(hand[first], 0..8) "Which cards do you play?"
  end
""")
    session = begin(game, [Seat("Ada"), Seat("Ben")], seed=1, first=0, keep=False)
    decision = session.match.decision
    offer = make_offer(set_scene(session.match), session.match, decision)
    assert len(decision.options) > 10**8

    now = selection.empty_selection(decision.options)
    for item in offer.items[:8]:
        now = selection.toggle(now, item.number)

    assert len(offer.items) == 40
    assert not any(selection.may_tick(now, item.number) for item in offer.items)
    assert decision.text(selection.chosen_option(now)) == "1, 2, 3, 4, 5, 6, 7, 8"


# ---- Offers --------------------------------------------------------------------------------------


@few
@given(moments)
def test_every_option_is_offered_and_can_be_chosen_where_it_lies(session):
    to_be_asked(session)
    decision = session.match.decision
    if decision is None:
        return
    scene = set_scene(session.match)
    sight = look_at(session, scene)
    offer = sight.offer

    if not offer.is_ticking:
        assert [item.text for item in offer.items] == [
            option.text for option in decision.listed() if option.value is not None
        ]
    started = selection.empty_selection(decision.options) if offer.is_ticking else None
    for item in offer.items:
        for zone, face in item.spots:
            found = item_at(sight, started, OfCards(zone, (face,)))
            assert found is not None
            assert face in {spot[1] for spot in found.spots}
        if item.seat is not None:
            assert item_at(sight, started, OfPlayer(item.seat)) == item


def test_players_that_can_be_chosen_are_chosen_where_they_sit():
    session = a_session("deadlies", 0)
    policy, seats = at_random(1), set()
    while to_be_asked(session).asked is not None:
        sight = look_at(session, set_scene(session.match))
        if not sight.offer.is_ticking:
            for item in sight.offer.items:
                if item.seat is not None:
                    assert item_at(sight, None, OfPlayer(item.seat)) == item
                    seats.add(item.seat)
        session.match.apply(policy(session.match.decision))

    assert seats == {1, 2, 3}


@few
@given(moments)
def test_only_what_the_viewer_sees_is_marked(session):
    to_be_asked(session)
    sight = look_at(session, set_scene(session.match))
    if sight.offer is None:
        return

    marks = mark_targets(sight.offer, None, sight.picture).cards

    faces = {
        (area.zone, face)
        for group in sight.picture.groups
        for area in group.areas
        for stack in area.stacks
        for face in stack.faces
    }
    lit = {spot for item in sight.offer.items for spot in item.spots}
    assert {spot for spot, mark in marks.items() if mark == "dim"} <= faces
    assert {spot for spot, mark in marks.items() if mark == "lit"} == lit


def test_a_sin_is_chosen_by_pointing_at_its_cards():
    session = to_be_asked(a_session("sins", 0, seed=3))
    sight = look_at(session, set_scene(session.match))
    centre = next(a for g in sight.picture.groups for a in g.areas if a.title == "centre")

    for stack in centre.stacks:
        item = item_at(sight, None, OfCards(centre.zone, stack.faces))

        assert item.text == stack.text


def test_numbers_are_typed_as_they_stand_there():
    session = a_session("seven7s", 0)
    scene = set_scene(session.match)
    offer = make_offer(scene, session.match, session.match.decision)
    assert len(offer.items) == 3

    assert [key_of(offer, n) for n in range(3)] == ["1", "2", "3"]
    assert typed(offer, "3") == (2, False)
    assert typed(offer, "4") == (None, False)
    assert typed(offer, "0") == (None, False)


def test_a_number_that_is_chosen_is_typed_itself():
    game = from_text("""
game "Bid"
players 2
rule play
  first chooses bid from 0..12 "How much?"
  end
""")
    session = begin(game, [Seat("Ada"), Seat("Ben")], seed=1, keep=False)
    offer = make_offer(set_scene(session.match), session.match, session.match.decision)

    assert typed(offer, "0") == (0, False)
    assert typed(offer, "1") == (1, True)
    assert typed(offer, "12") == (12, False)
    assert typed(offer, "13") == (None, False)
    assert lines_of(lay_answers(offer, None, {}, 60), 60)[0].split() == [str(n) for n in range(13)]


# ---- Who may see what ----------------------------------------------------------------------------


@few
@given(moments)
def test_who_watches_sees_what_all_players_see(session):
    match = session.match
    views = [match.view(seat) for seat in range(len(match.names))]

    common = audience.common_view(views)

    for number, zone in enumerate(common.zones):
        for view in views:
            seen = Counter(view.zones[number].cards)
            shown = Counter(card for card in zone.cards if card.face is not None)
            assert shown <= seen
            assert len(zone.cards) == len(view.zones[number].cards)
    assert common.question is None


def test_bots_alone_are_watched_without_their_hands_until_the_end():
    seats = [Seat("Ada", "random"), Seat("Ben", "random"), Seat("Cleo", "random")]
    session = begin(shipped("deadlies.rules"), seats, seed=1, keep=False)
    scene = set_scene(session.match)

    picture = look_at(session, scene).picture
    hands = [a for g in picture.groups for a in g.areas if a.title == "hand"]
    assert all(stack.text is None for area in hands for stack in area.stacks)

    while session.asked is not None:
        session.bot_move()
    sight = look_at(session, scene)
    assert sight.over
    assert all(s.text is not None for g in sight.picture.groups for a in g.areas for s in a.stacks)


def test_players_are_told_of_the_round_being_played_and_the_one_before():
    session = begin(
        shipped("sins.rules"), [Seat("Ada"), Seat("Ben", "random")], seed=7, first=0, keep=False
    )
    scene = set_scene(session.match)
    while len(session.match.choices) < 26:
        session.choose(0) if session.is_human(session.asked) else session.bot_move()
    headings = [entry.text for entry in look_at(session, scene).story if isinstance(entry, Heading)]

    assert len(headings) == 2
    assert headings[0] != "Round 1"


def test_a_choice_of_somebody_else_is_not_on_the_screen():
    session = begin(
        shipped("sins.rules"), [Seat("Ada"), Seat("Ben", "random")], seed=7, first=1, keep=False
    )

    sight = look_at(session, set_scene(session.match))

    assert (sight.viewer, sight.offer, sight.decision) == (0, None, None)


# ---- Why -----------------------------------------------------------------------------------------


@few
@given(moments)
def test_everything_on_the_table_has_a_reason(session):
    to_be_asked(session)
    scene = set_scene(session.match)
    sight = look_at(session, scene)
    subjects = [
        *(OfZone(n) for n in range(1, len(scene.layout.zones))),
        *(OfCounter(n) for n in range(len(scene.layout.variables))),
        *(OfPlayer(n) for n in range(len(scene.names))),
    ]
    started = None
    if sight.offer is not None:
        subjects.append(OfOption(0))
        if sight.offer.is_ticking:
            started = selection.empty_selection(sight.decision.options)
            subjects = [*subjects[:-1], *(OfElement(item.number) for item in sight.offer.items)]
    for group in sight.picture.groups:
        for area in group.areas:
            subjects += [OfCards(area.zone, stack.faces) for stack in area.stacks]

    for subject in subjects:
        reason = explain(sight, started, subject)

        assert reason.title
        assert reason.quotes or isinstance(subject, OfPlayer)
        assert_fits(lay_reason(reason, 74), 200)
    for entry in sight.story:
        assert reasons.why_told(scene, entry).quotes


@pytest.mark.parametrize("name", GAMES)
def test_every_score_has_a_reason(name):
    session = a_session(name, 100_000)
    scene = set_scene(session.match)

    for seat, scores in enumerate(session.match.result().scores):
        for score in scores:
            reason = reasons.why_score(scene, scene.names[seat], score)

            assert scene.names[seat] in reason.title
            assert reason.clauses
            assert reason.quotes


def test_the_points_of_the_sins_are_at_hand():
    found = make_reference(set_scene(a_session("sins", 0).match))

    (points,) = found.points
    assert points.columns == ("cards", "points")
    assert points.rows[3:5] == (("3", "6"), ("4", "−1"))
    assert points.rows[-1] == ("7 or more", "10")


def test_what_seals_cost_and_what_sins_do_is_at_hand():
    seals = make_reference(set_scene(a_session("siegel", 0).match))
    sins = make_reference(set_scene(a_session("deadlies", 0).match))
    sevens = make_reference(set_scene(a_session("seven7s", 0).match))

    assert [each.rows for each in seals.points] == [
        (("red, yellow, green, blue or violet", "2"), ("black", "3"), ("white", "4"))
    ]
    pride = next(each for each in sins.cards if each.startswith("Pride: "))
    assert pride.startswith("Pride: Ask an opponent for a Pride card.")
    assert "If they reveal one, you draw a card." in pride
    assert {each.partition(":")[0] for each in sins.cards} >= {"Halo", "Purity", "Wrath"}
    assert not any(each.startswith("a single card") for each in sins.cards)
    assert any(
        each.startswith("A card is worth its number, in the joker") for each in sevens.scoring
    )
    assert [each.partition(":")[0] for each in seals.cards] == ["white", "black"]


@pytest.mark.parametrize("name", GAMES)
def test_what_one_should_know_to_play_is_at_hand(name):
    found = make_reference(set_scene(a_session(name, 0).match))
    texts = [line for _, lines in lay_reference(found) for line in lines]

    assert found.goal
    assert found.turn
    assert found.ending
    assert found.winning
    assert not [text for text in texts if set(text) & set("`#[]_…")]


def test_what_a_card_does_is_told_with_its_clause():
    scene = set_scene(a_session("deadlies", 0).match)
    pride = next(n for n, piece in enumerate(scene.layout.pieces) if piece.kind == "Vice")

    reason = reasons.what_card(scene, scene.layout.faces[pride])

    assert reason.title == "Pride 1"
    assert "D-27" in {clause.name for clause in reason.clauses}
    assert any(quote.text.startswith("pride") for quote in reason.quotes)


def test_why_a_card_cannot_be_chosen_is_told_with_the_words_of_the_rule():
    session = a_session("deadlies", 0, seed=2)
    match = session.match
    flush = next(o.number for o in match.decision.listed() if "colour" in o.text)
    match.apply(flush)
    scene = set_scene(match)
    decision = match.decision
    offer = make_offer(scene, match, decision)
    started = selection.empty_selection(decision.options)
    lit = next(item for item in offer.items if selection.may_tick(started, item.number))
    ticked = selection.toggle(started, lit.number)
    dim = next(
        item for item in offer.items if item != lit and not selection.may_tick(ticked, item.number)
    )

    reason = reasons.why_not(scene, decision, offer, ticked, dim.text)

    assert reason.title == f"{dim.text} cannot be chosen"
    assert f"does not go with {lit.text}" in reason.sentences[0]
    assert "chooses cards from" in reason.quotes[0].text


# ---- The menu ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", shipped_files(), ids=lambda path: path.stem)
def test_whatever_is_settled_before_a_game_can_be_played(path):
    form = changed = menu.open_form(path)
    for line in menu.form_lines(form):
        changed = menu.change_line(changed, line.name, -1)

    for each in (form, changed):
        choice = menu.finish_setup(each)
        game = load(choice.file, choice.variants, dict(choice.options))

        assert len(choice.seats) in game.players
        assert len({seat.name for seat in choice.seats}) == len(choice.seats)


def test_two_humans_are_called_by_name_and_one_is_spoken_to():
    form = menu.open_form(loading.find_rules("sins.rules"))

    alone = [seat.name for seat in menu.seats_of(form)]
    both = [seat.name for seat in menu.seats_of(menu.change_line(form, "seat 1", 1))]

    assert alone[0] == "You"
    if menu.seats_of(menu.change_line(form, "seat 1", 1))[1].kind == "human":
        assert both == ["Ada", "Ben"]


def test_a_variant_may_ask_for_another_number_of_players():
    form = menu.change_line(
        menu.open_form(loading.find_rules("deadlies.rules")), "variant sixth_player", 1
    )

    assert form.players == 6
    assert menu.change_line(form, "variant sixth_player", 1).players == 5


# ---- The opening ---------------------------------------------------------------------------------


def test_the_title_is_shown_at_once_and_taken_away_if_something_is_wrong(capsys):
    splash.show_splash("seven7s.rules")
    shown = capsys.readouterr().out
    splash.close_splash()

    assert "Seven7s" in shown
    assert "The table is being laid." in shown
    assert capsys.readouterr().out.endswith("\033[?1049l")
    assert splash.glanced_title("no such game") == "no such game"


def test_the_opening_does_not_wait_for_anything():
    code = "import sys; from rulespec.cli.table import splash; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    loaded = {name.partition(".")[0] for name in found.stdout.split()}
    assert not {"textual", "rich", "interpreter"} & loaded


# ---- Any game at all -----------------------------------------------------------------------------


@given(small_programs.programs(), st.integers(0, 2**32), st.integers(58, 130))
@settings(max_examples=10)
def test_any_game_can_be_laid_out_and_asked_about(text, seed, width):
    game = from_text(text)
    policy = at_random(seed)
    try:
        seats = [Seat(name) for name in ("Ada", "Ben", "Cleo", "Dan")[: game.players[-1]]]
        session = begin(game, seats, seed=seed, keep=False)
        scene = set_scene(session.match)
        for _ in range(20):
            session.take_screen()
            sight = look_at(session, scene)
            started = None
            rows = lay_board(sight.picture, Marks(), width, 20, everything=bool(seed % 2))
            if sight.offer is not None:
                if sight.offer.is_ticking:
                    started = selection.empty_selection(sight.decision.options)
                rows += lay_answers(sight.offer, started, {}, width)
                rows += lay_prompt(sight, started, width)
            assert_fits([*rows, *lay_story(sight.story, 0, width)], width)
            for subject in {chip.subject for row in rows for _, chip in row.chips}:
                assert subject is None or explain(sight, started, subject) is not None
            if session.asked is None:
                assert_fits(lay_result(outcome_of(session), width), width)
                break
            session.choose(policy(session.match.decision))
    except RuleFault:
        return  # of which a program made by chance may have some


@pytest.mark.parametrize(("players", "highest", "begins"), [(3, "9", "4"), (4, "12", "4")])
def test_what_players_and_options_settle_is_in_sight(players, highest, begins):
    scene = set_scene(load("siegel.rules").start(players, seed=1))
    facts = {fact.title: [text for text, _ in fact.words] for fact in list_facts(scene)}

    assert facts["highest card"] == [highest]
    assert facts["the saboteur begins with"] == [begins]
    assert facts["trump"] == ["red"]

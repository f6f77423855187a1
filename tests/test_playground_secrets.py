"""What crosses to the page for a player is the same whatever that player cannot know.

Two desks have the same game, but in one of them pieces that the player cannot name have changed places, or
pieces that look alike have, and hidden variables have other values. Then both are asked the same, and every text that comes across is compared: frames,
reasons, hints, refusals and progress. That this finds leaks is shown by some that are planted in the backend.
"""

import random
from collections import defaultdict

import pytest
from attrs import define, evolve

from exchanges import draw_exchange
from games import GAMES
from interpreter import machine, views
from interpreter.errors import RuleFault
from interpreter.exchanges import Exchange, exchange_pieces, vary_hidden
from interpreter.machine import Machine
from interpreter.options import Decision
from interpreter.session import Session
from interpreter.shown import audience, sights
from interpreter.state import State
from playground_page import Page, draft, one_and_bots, people, rules_of, subjects
from playground_rules import BIDS, FISTS, PAIRS
from rulespec.playground import playing, questions
from rulespec.playground.backend import Backend
from rulespec.playground.backend_state import BackendState
from rulespec.playground.open_game import OpenGame
from sizes import few, tries

MOMENTS = tries(12, soak=25)  # of a game, at which pieces are exchanged
SUBJECTS = 5  # at which is pointed, at each of them


def draw_twins(engine: Machine, chance: random.Random) -> Exchange:
    """Pieces that look alike change their numbers, whoever has seen them."""
    alike = defaultdict(list)
    for piece, face in enumerate(engine.layout.faces):
        alike[face].append(piece)
    pairs = ((old, new) for twins in alike.values() for old, new in _shuffled(twins, chance))
    return {old: new for old, new in pairs if old != new}


def _shuffled(twins: list[int], chance: random.Random) -> list[tuple[int, int]]:
    return list(zip(twins, chance.sample(twins, len(twins)), strict=True))


def copy(page: Page, places: Exchange) -> Page | None:
    """Another backend with the same game, in which these pieces are exchanged; none if that cannot be."""
    game = page.backend.memory.game
    session = game.session
    match = session.match.clone()
    if places:
        match.state = exchange_pieces(match.engine, match.state, places)
        vary_hidden(match.engine, match.state, session.viewer, len(match.choices))
        if session.asked == session.viewer and not _runs(match.engine, match.state):
            return None
    again = Session(match, session.seats)
    again.holder = session.holder
    return Page(Backend(BackendState(evolve_game(game, again))), page.checker)


def _runs(engine: Machine, state: State) -> bool:
    """Compute what is asked after an exchange; it must still be the same question."""
    before, events = state.pending, len(state.watch.events)
    try:
        machine.run(engine, state)
    except RuleFault:
        return False
    now = state.pending
    return (
        isinstance(now, Decision)
        and (now.player, now.origin.span) == (before.player, before.origin.span)
        and len(state.watch.events) == events
    )


def evolve_game(game: OpenGame, session: Session) -> OpenGame:
    return evolve(game, session=session, sight=None)


@define
class Both:
    """Two desks that are asked the same; so many `texts` were compared, and `leak` is the first that differs."""

    one: Page
    other: Page
    viewer: int
    texts: int = 0
    leak: tuple | None = None

    def same(self, kind: str, **fields: object) -> dict:
        """The reply of the first one; what crosses is compared as long as nothing was learnt by right."""
        reply, otherwise = self.one.ask(kind, **fields), self.other.ask(kind, **fields)
        if self.is_open(reply, otherwise):
            return {}
        self.texts += len(self.one.crossed)
        if self.one.crossed != self.other.crossed and self.leak is None:
            self.leak = (kind, fields, self.one.crossed, self.other.crossed)
        return reply

    def is_open(self, reply: dict, otherwise: dict) -> bool:
        """Whether the worlds differ in what the player has observed, or is asked, by now."""
        matches = [each.backend.memory.game.session.match for each in (self.one, self.other)]
        if any(each.get("fault") == "rules" for each in (reply, otherwise)):
            return True  # a rule or an invariant that no other world could break
        if any(match.over for match in matches):
            return True
        logs = [match.information(self.viewer).log for match in matches]
        asked = [match.decision.player for match in matches]
        return logs[0] != logs[1] or asked[0] != asked[1]


def compare(page: Page, frame: dict, chance: random.Random, places: Exchange) -> Both | None:
    """Ask two desks the same things about one moment, and go on a little."""
    one, other = copy(page, {}), copy(page, places)
    if other is None or not places:
        return None
    both = Both(one, other, frame["viewer"])
    shown = both.same("take")["frame"]
    every = subjects(shown)
    for subject in chance.sample(every, min(len(every), SUBJECTS)):
        both.same("why", subject=subject)
    if not shown["may_undo"]:
        both.same("undo")
    question = shown["question"]
    if question is None:
        return both
    both.same("choose", item=10**6)
    both.same("choose", ticked=[0, 0])
    both.same("tick", chosen=[len(question["items"])])
    both.same("why", subject={"of": "item", "number": 0}, chosen=[1])
    both.same("hint", bot="random")
    if chance.random() < 0.1:
        both.same("hint", bot="search:2")
    reply = both.same("choose", **one.answer(question, chance), beats=True)
    for _ in range(3):
        if not reply.get("ok") or reply["frame"]["hand_to"] is not None:
            break
        if reply["frame"]["waiting"] is not None:
            reply = both.same("bot", beats=True)
    return both


def find_leak(rules: dict, seats: list, seed: int) -> tuple[tuple | None, int]:
    """The first text that differs in a random game, and how many were compared."""
    chance = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    page = Page()
    frame = page.start(rules, seats, seed=str(seed))
    engine = page.backend.memory.game.session.match.engine
    texts = moments = 0
    while not frame["over"] and moments < MOMENTS:
        assert str(seed) not in "".join(page.crossed)
        if frame["hand_to"] is None and frame["viewer"] is not None and chance.random() < 0.5:
            moments += 1
            state = page.backend.memory.game.session.match.state
            for places in (
                draw_exchange(engine, state, frame["viewer"], chance),
                draw_twins(engine, chance),
            ):
                both = compare(page, frame, chance, places)
                texts += both.texts if both is not None else 0
                if both is not None and both.leak is not None:
                    return both.leak, texts
        frame = page.click(frame, chance)
    return None, texts


SEED = 7_310_582_946  # long enough not to stand in a text by chance


@pytest.mark.parametrize(("name", "variants", "players"), few(GAMES, 3), ids=str)
def test_nothing_crosses_that_the_player_may_not_know(name, variants, players):
    leak, texts = find_leak(rules_of(name, *variants), one_and_bots(players[0]), SEED)

    assert leak is None
    assert texts > 80


@pytest.mark.parametrize("name", few(["seven7s.rules", "siegel.rules", "deadlies.rules"], 1))
def test_nor_where_several_people_share_the_screen(name):
    leak, texts = find_leak(rules_of(name), people(3), SEED + 1)

    assert leak is None
    assert texts > 80


def test_nor_what_hidden_variables_hold():
    leak, texts = find_leak(draft(BIDS), one_and_bots(3), SEED + 2)

    assert leak is None
    assert texts > 40


def test_nor_how_many_lie_where_a_player_does_not_count():
    found = [find_leak(draft(FISTS), one_and_bots(3), SEED + n) for n in range(tries(2, soak=20))]

    assert not any(leak for leak, _ in found)
    assert sum(texts for _, texts in found) > 30


def test_how_often_and_how_long_bots_think_is_not_told():
    page = Page()
    frame = page.start(rules_of("siegel.rules"), one_and_bots(3, "search:3"), first=1)
    bots = 0
    while bots < 3:
        if frame["waiting"] is not None:
            bots += 1
            frame = page.frame("bot")
            assert page.crossed[:-1] == ['{"share": null, "text": "The others are thinking"}']
        else:
            frame = page.click(frame, random.Random(1))  # noqa: S311 - as above


# ---- Planted leaks ---------------------------------------------------------------------------------


def open_table(session):
    """All cards lie open."""
    return audience.open_view(session.match)


def number_pieces(item, _number):
    """Items go by the numbers of pieces, by which look-alikes are told apart."""
    return {**ITEM(item, _number), "number": item.number}


def tell_top(session):
    """Progress tells what a bot may choose from."""
    decision = session.match.decision
    return f"{WAITING(session)} {[option.text for option in decision.listed(3)]}"


def unmasked_text(_engine, s, _player, number):
    """Hidden variables are shown."""
    return f"{s.variables[number]}"


ITEM, WAITING = questions._item, playing.tell_waiting  # noqa: SLF001 - as above


def counted_zone(machine, s, number, player, shown):
    """A zone in which everybody counts the backs."""
    found = ZONE(machine, s, number, player, shown)
    return evolve(found, cards=(views.BACK,) * len(s.zones[number]), counted=True)


ZONE = views._zone  # noqa: SLF001 - what is planted there needs it
PLANTED = [
    (sights.audience, "visible_view", open_table, rules_of("siegel.rules")),
    (questions, "_item", number_pieces, draft(PAIRS)),
    (playing, "tell_waiting", tell_top, rules_of("deadlies.rules")),
    (views, "_masked_text", unmasked_text, draft(BIDS)),
    (views, "_zone", counted_zone, draft(FISTS)),
]


@pytest.mark.parametrize(
    ("module", "name", "leaky", "rules"),
    PLANTED,
    ids=["view", "numbers", "progress", "variables", "counts"],
)
def test_a_planted_leak_is_found(monkeypatch, module, name, leaky, rules):
    monkeypatch.setattr(module, name, leaky)

    assert any(find_leak(rules, one_and_bots(3), SEED + n)[0] for n in range(9))


def test_a_refusal_that_tells_too_much_is_found(monkeypatch):
    def refuse(game):
        hidden = game.session.match.state.zones
        raise playing.IllegalMove(f"this cannot be taken back: {hidden}")

    monkeypatch.setattr(
        playing, "answer_undo", lambda memory, *_: refuse(playing.current_game(memory))
    )

    assert find_leak(rules_of("sins.rules"), one_and_bots(2), SEED)[0][0] == "undo"

"""Requests about the game under way: begin it, answer, let bots answer, take back, ask a bot.

Whatever is told is a frame for whoever looks. How many choices bots make until there is something to see may
be a secret, so the page is not told of each of them.
"""

import time
from collections.abc import Callable
from typing import Any

from interpreter import session as sessions
from interpreter.chance import MASK
from interpreter.errors import IllegalMove, RuleFault
from interpreter.options import Decision
from interpreter.playthroughs import check_length
from interpreter.seating import check_kind, seat_players
from interpreter.session import HUMAN, Seat, Session
from interpreter.shown.audience import tell_waiting
from interpreter.shown.hints import tell_bot_advice
from interpreter.shown.offers import Offer
from interpreter.shown.picture import set_scene
from interpreter.shown.sights import Sight, current_sight
from rulespec.playground.backend_state import BackendState, game_from_draft
from rulespec.playground.open_game import OpenGame
from rulespec.playground.protocol.explanations import HintReply, Opinion
from rulespec.playground.protocol.moves import FrameReply, LeaveReply, MoveReply
from rulespec.playground.protocol.screen import Ticks
from rulespec.playground.questions import (
    answer_of,
    item_of,
    option_of,
    select_items,
    ticked_places,
    ticks_data,
)
from rulespec.playground.requests import BadRequest, Request, Tell
from rulespec.playground.screens import beats_of, frame_of, sight_data

LONGEST_NAME = 40
PATIENCE = 20.0  # seconds that bots may think, whatever they were asked for
STEP = 0.02  # of a thought, between two times that it is told of
LAYING = "The table is being laid"


def answer_start(memory: BackendState, request: Request, tell: Tell) -> FrameReply:
    """A new game; the old one stays if this one cannot begin."""
    tell(None, LAYING)
    draft = request.draft()
    game = game_from_draft(draft)
    wanted = [_seat(each) for each in request.parts("seats")]
    if not wanted:
        raise BadRequest("somebody has to play")
    seats = seat_players(game, wanted, len(wanted))
    first = request.number("first", most=len(seats) - 1) if request.has("first") else None
    seed = _seed(request.text("seed")) if request.has("seed") else None
    try:
        session = sessions.begin(game, seats, seed, first, keep=False)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    memory.game = OpenGame(draft, session, set_scene(session.match, next(iter(session.humans), 0)))
    return {"frame": frame_of(memory.game)}


def _seat(request: Request) -> Seat:
    name = request.text("name").strip()
    if len(name) > LONGEST_NAME:
        raise BadRequest(f"a name has at most {LONGEST_NAME} letters")
    return Seat(name, request.text("kind"))


def _seed(text: str) -> int:
    if not text.isdecimal() or len(text) > 20 or int(text) > MASK:
        raise BadRequest("a seed is a number from 0 to 2⁶⁴ - 1")
    return int(text)


def current_game(memory: BackendState) -> OpenGame:
    """The game under way."""
    if memory.game is None:
        raise BadRequest("there is no game under way")
    if memory.game.is_broken:
        raise BadRequest("this game cannot go on, because its rules failed; begin another one")
    return memory.game


def asked_of(open_game: OpenGame) -> tuple[Decision, Offer]:
    """What whoever looks is asked."""
    sight = open_game.sight
    if sight is None or sight.decision is None or sight.offer is None:
        raise IllegalMove("nothing is asked now")
    return sight.decision, sight.offer


def _change(open_game: OpenGame, request: Request, change: Callable[[], Any]) -> MoveReply:
    """Change the game, and show it: every moment of it if that is wanted, and what came of it."""
    choices = open_game.session.match.choices
    before = len(choices)
    try:
        change()
    except RuleFault:
        open_game.is_broken = True
        raise
    made = range(before, len(choices))
    beats = beats_of(open_game, made, wanted=request.fields.get("beats") is True)
    return {"beats": beats, "frame": frame_of(open_game)}


# ---- Choosing ------------------------------------------------------------------------------------


def answer_take(memory: BackendState, _request: Request, _tell: Tell) -> FrameReply:
    """The person who is asked has the screen."""
    open_game = current_game(memory)
    open_game.session.take_screen()
    return {"frame": frame_of(open_game)}


def answer_tick(memory: BackendState, request: Request, _tell: Tell) -> Ticks:
    """What goes with what is ticked."""
    decision, offer = asked_of(current_game(memory))
    return ticks_data(offer, select_items(decision, offer, request.numbers("chosen")))


def answer_choose(memory: BackendState, request: Request, _tell: Tell) -> MoveReply:
    """A person's answer."""
    open_game = current_game(memory)
    decision, offer = asked_of(open_game)
    if request.has("ticked"):
        number = answer_of(decision, offer, request.numbers("ticked"))
    else:
        number = option_of(offer, request.number("item"))
    return _change(open_game, request, lambda: open_game.session.choose(number))


def answer_bot(memory: BackendState, request: Request, tell: Tell) -> MoveReply:
    """Bots choose until there is something to see."""
    open_game = current_game(memory)
    session = open_game.session
    if session.asked is None or session.is_human(session.asked):
        raise IllegalMove("no bot is asked now")
    return _change(open_game, request, lambda: _let_bots_choose(open_game, tell))


def _let_bots_choose(open_game: OpenGame, tell: Tell) -> None:
    session = open_game.session
    before = _visible(open_game) if open_game.sight is None else _shown(open_game.sight)
    end = time.monotonic() + PATIENCE
    # Told once: how often somebody thinks, and for how long, may be a secret.
    tell(None, tell_waiting(session))
    while (decision := session.match.decision) is not None and not session.is_human(
        decision.player
    ):
        check_length(len(session.match.choices), decision)
        session.bot_move(lambda _share: time.monotonic() < end)
        is_seen = session.passes_to is None and _visible(open_game) != before
        # Where there is nothing to see for long, the page may ask again, or not.
        if is_seen or time.monotonic() > end:
            return


def _visible(open_game: OpenGame) -> Any:
    """What the page would show, to tell whether it changed."""
    return _shown(current_sight(open_game.session, open_game.scene, open_game.read))


def _shown(sight: Sight) -> Any:
    return sight_data(sight), [each.text for each in sight.story]


def answer_undo(memory: BackendState, _request: Request, _tell: Tell) -> FrameReply:
    """Take back the last choice of a person."""
    open_game = current_game(memory)
    open_game.session.undo()
    open_game.read = 0
    return {"frame": frame_of(open_game)}


def answer_leave(memory: BackendState, _request: Request, _tell: Tell) -> LeaveReply:
    """Forget the game."""
    memory.game = None
    return {}


# ---- Asking a bot --------------------------------------------------------------------------------


def answer_hint(memory: BackendState, request: Request, tell: Tell) -> HintReply:
    """What a bot would choose with what this player knows."""
    open_game = current_game(memory)
    decision, offer = asked_of(open_game)
    session = open_game.session
    word = request.text("bot") if request.has("bot") else None
    if word is not None:
        _check_bot(session, word)

    advice = session.hint(_telling(tell), word)
    ticked = ticked_places(decision, offer, advice.choice) if offer.is_ticking else None
    opinions: list[Opinion] = [
        {"item": each.number, "share": each.value, "tried": each.tried} for each in advice.estimates
    ]
    return {
        "text": tell_bot_advice(session, advice),
        "item": item_of(offer, advice.choice) if ticked is None else None,
        "ticked": ticked or [],
        "opinions": [] if offer.is_ticking else opinions,
    }


def _telling(tell: Tell) -> Callable[[float], bool]:
    """Tells how far a thought is, not too often; and that it is enough when it takes too long."""
    end = time.monotonic() + PATIENCE
    told = -1.0

    def progress(share: float) -> bool:
        nonlocal told
        if share >= told + STEP:
            told = share
            tell(share, "Thinking about it")
        return time.monotonic() < end

    return progress


def _check_bot(session: Session, word: str) -> None:
    if word == HUMAN:
        raise BadRequest("a person cannot be asked for a hint")
    check_kind(session.match.game, len(session.seats), word)

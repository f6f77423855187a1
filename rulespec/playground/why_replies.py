"""A request about something on the page -> why it is so, from what that player was shown."""

from interpreter.display_names import Listener
from interpreter.errors import IllegalMove
from interpreter.results import explain_result
from interpreter.shown import reasons
from interpreter.shown.explanations import explain
from interpreter.shown.reasons import Reason
from interpreter.shown.selection import Selection
from interpreter.shown.sights import Sight
from interpreter.shown.subjects import (
    OfCards,
    OfCounter,
    OfDone,
    OfElement,
    OfOption,
    OfPlayer,
    OfSentence,
    OfZone,
    Subject,
)
from rulespec.playground.backend_state import BackendState
from rulespec.playground.drafts import Draft
from rulespec.playground.open_game import OpenGame
from rulespec.playground.places import page_span
from rulespec.playground.playing import current_game
from rulespec.playground.protocol.explanations import Quote, WhyReply
from rulespec.playground.questions import select_items
from rulespec.playground.requests import BadRequest, Request, Tell


def answer_why(memory: BackendState, request: Request, _tell: Tell) -> WhyReply:
    """An explanation of one thing."""
    open_game = current_game(memory)
    sight = open_game.sight
    if sight is None:
        raise IllegalMove("there is nothing to see now")
    subject = request.part("subject")
    if subject.text("of") == "score":
        reason: Reason | None = _why_score(open_game, subject)
    else:
        selection = None
        if sight.decision is not None and sight.offer is not None and sight.offer.is_ticking:
            selection = select_items(sight.decision, sight.offer, request.numbers("chosen"))
        reason = _why(sight, selection, subject)
    if reason is None:
        raise BadRequest("there is nothing to say about this")
    return reason_data(open_game.draft, reason)


def _why(sight: Sight, selection: Selection | None, request: Request) -> Reason | None:
    return explain(sight, selection, _subject(sight, request))


def _subject(sight: Sight, request: Request) -> Subject:
    """What is pointed at; only what was shown can be."""
    zones = len(sight.scene.layout.zones) - 1
    match request.text("of"):
        case "zone":
            return OfZone(request.number("zone", 1, zones))
        case "cards":
            zone = request.number("zone", 1, zones)
            return OfCards(zone, _faces(sight, zone, request.numbers("faces")))
        case "counter":
            last = len(sight.scene.layout.variables) - 1
            return OfCounter(request.number("variable", 0, last))
        case "player":
            return OfPlayer(request.number("seat", 0, len(sight.scene.names) - 1))
        case "sentence":
            return OfSentence(request.number("number", 0, len(sight.story) - 1))
        case "question":
            return OfDone()
        case "item":
            number = request.number("number")
            offer = sight.offer
            if offer is not None and offer.is_ticking and number < len(offer.items):
                return OfElement(offer.items[number].number)
            return OfOption(number)
    raise BadRequest("nobody knows this kind of thing")


def _faces(sight: Sight, zone: int, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Faces that lie there to be seen."""
    areas = (area for group in sight.picture.groups for area in group.areas if area.zone == zone)
    there = {face for area in areas for stack in area.stacks for face in stack.faces}
    if not there.issuperset(wanted):
        raise BadRequest("no such card is seen there")
    return wanted


def _why_score(open_game: OpenGame, request: Request) -> Reason:
    session, scene = open_game.session, open_game.scene
    if not session.over:
        raise IllegalMove("scores are shown when the game is over")
    result = session.match.result()
    seat = request.number("seat", 0, len(scene.names) - 1)
    row = request.number("row", 0, len(result.scores[seat]) - 1)
    outcome = explain_result(session.match, Listener(scene.layout, scene.names))
    return reasons.why_score(scene, scene.names[seat], result.scores[seat][row], outcome)


def reason_data(draft: Draft, reason: Reason) -> WhyReply:
    """An explanation for the page."""
    quotes: list[Quote] = []
    for quote in reason.quotes:
        span = page_span(draft, quote.span)
        place = f"{span['file']}:{span['line']}:{span['column']}"
        quotes.append(
            {"place": place, "text": quote.text, "sentence": quote.sentence, "span": span}
        )
    return {
        "title": reason.title,
        "sentences": list(reason.sentences),
        "quotes": quotes,
        "clauses": [
            {"name": each.name, "section": each.section, "texts": list(each.texts)}
            for each in reason.clauses
        ],
    }

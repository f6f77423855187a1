"""The game under way -> what everybody has in sight: pictures of all cards, what they do, trump and points."""

from interpreter.labels import piece_label
from interpreter.shown.cards import draw_back, draw_card, face_of
from interpreter.shown.palette import PLAIN
from interpreter.shown.player_aids import Fact, card_description, list_facts
from rulespec.playground.backend_state import BackendState
from rulespec.playground.playing import current_game
from rulespec.playground.protocol import explanations
from rulespec.playground.protocol.explanations import CardPicture, CardsReply, FactWord
from rulespec.playground.questions import tone_data
from rulespec.playground.requests import Request, Tell


def answer_cards(memory: BackendState, _request: Request, _tell: Tell) -> CardsReply:
    """A picture of each face, by the number that stacks have for it, and one of a back; and what should be in sight."""
    scene = current_game(memory).scene
    tones = scene.palette.faces
    pieces = {face: piece for piece, face in enumerate(scene.layout.faces)}
    cards: list[CardPicture] = [
        {
            "face": face,
            "svg": draw_card(
                face_of(piece_label(scene.layout, piece, scene.names), tones.get(face, PLAIN))
            ),
            "does": card_description(scene, face),
        }
        for face, piece in sorted(pieces.items())
    ]
    return {
        "cards": cards,
        "back": draw_back(),
        "facts": [_fact(each) for each in list_facts(scene)],
    }


def _fact(fact: Fact) -> explanations.Fact:
    words: list[FactWord] = [
        {"text": text, "tone": None if tone is None else tone_data(tone)}
        for text, tone in fact.words
    ]
    return {"title": fact.title, "words": words}

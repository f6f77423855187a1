"""The game on the desk -> pictures of all its cards. Everybody knows which cards there are."""

from interpreter.labels import piece_label
from interpreter.shown.cards import draw_back, draw_card, face_of
from interpreter.shown.palette import PLAIN
from rulespec.playground.memory import Memory
from rulespec.playground.playing import sitting_of
from rulespec.playground.requests import Data, Request, Tell


def answer_cards(memory: Memory, _request: Request, _tell: Tell) -> Data:
    """A picture of each face, by the number that stacks have for it, and one of a back."""
    scene = sitting_of(memory).scene
    tones = scene.palette.faces
    pieces = {face: piece for piece, face in enumerate(scene.layout.faces)}
    cards = [
        {
            "face": face,
            "svg": draw_card(
                face_of(piece_label(scene.layout, piece, scene.names), tones.get(face, PLAIN))
            ),
        }
        for face, piece in sorted(pieces.items())
    ]
    return {"cards": cards, "back": draw_back()}

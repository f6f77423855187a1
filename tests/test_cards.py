"""Pictures of cards: every face of every game has one, its words fit on it, and no text becomes markup."""

from xml.etree import ElementTree as ET

import pytest

from interpreter.game_loading import load
from interpreter.labels import piece_label
from interpreter.shown.cards import HEIGHT, WIDTH, draw_back, draw_card, face_of
from interpreter.shown.palette import PLAIN
from interpreter.shown.picture import set_scene
from rulespec import loading
from sizes import few

GAMES = sorted(path.name for path in loading.GAMES.rglob("*.rules"))
LETTER = 0.5  # the breadth of a letter in parts of its height, as fonts have it on average


def texts_of(svg: str) -> list[tuple[str, float, float, float]]:
    """The texts on a card: what, where, and how high."""
    found = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 - ours
    return [
        (each.text or "", *(float(each.get(name)) for name in ("x", "y", "font-size")))
        for each in found
    ]


@pytest.mark.parametrize("game", few(GAMES, 4))
def test_every_face_has_a_picture_with_all_of_its_words(game):
    match = load(game).start(seed=1)
    layout = set_scene(match).layout
    for piece in range(len(layout.faces)):
        label = piece_label(layout, piece, match.names)
        texts = texts_of(draw_card(face_of(label, PLAIN)))
        said = {word for text, *_ in texts for word in text.split()}

        assert said == {word.strip("()") for word in label.split()}
        for text, x, y, size in texts:
            half = len(text) * size * LETTER / 2
            assert x - half > 0
            assert x + half < WIDTH
            assert size / 2 <= y <= HEIGHT - size / 2


@pytest.mark.parametrize(
    "label", ["<script>alert(1)</script>", '"&"', "</text>", "a" * 300, "1 2 3", "()"]
)
def test_no_text_becomes_markup(label):
    texts = [text for text, *_ in texts_of(draw_card(face_of(label, PLAIN)))]

    assert "".join(texts).replace(" ", "") == label.replace(" ", "")


def test_all_backs_are_alike():
    assert texts_of(draw_back()) == []

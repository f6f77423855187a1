"""Cards to cut out: as many as the game has pieces, nine to a page, for the paper and the table that are asked for."""

import re

import pytest

from games import shipped
from rulespec import cli

GAMES = ["sins.rules", "seven7s.rules", "deadlies.rules", "siegel.rules"]


def printed(folder, *arguments: str) -> str:
    page = folder / "cards.html"
    assert cli.main(["print", *arguments, "--out", str(page)]) == cli.FINE
    return page.read_text("utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_is_a_card_and_nine_are_a_page(game, tmp_path):
    text = printed(tmp_path, game)
    found = shipped(game)
    pieces = found.machine(min(found.players)).layout.pieces

    assert text.count("<svg ") == len(pieces)
    assert text.count('class="page"') == -(-len(pieces) // 9)
    assert not re.search(r"<script|src=|url\(", text)


def test_each_page_has_its_backs_behind_it(tmp_path):
    text = printed(tmp_path, "sins.rules", "--backs")
    kinds = re.findall(r'<section class="([\w ]+)">', text)

    assert kinds == ["page", "page back"] * (len(kinds) // 2)
    pages = re.findall(r'<section class="[\w ]+">(.*?)</section>', text)
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        assert front.count("<svg ") == back.count("<svg ")


def test_the_paper_and_the_table_are_chosen(tmp_path):
    assert "size: letter;" in printed(tmp_path, "sins.rules", "--paper", "letter")
    assert "size: A4;" in printed(tmp_path, "sins.rules", "--players", "5")


def test_what_cannot_be_printed_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    assert cli.main(["print", "sins.rules", "--players", "9"]) == cli.WRONG_USAGE
    assert "7 – The Sins is for 2 to 5 players" in capsys.readouterr().err
    assert cli.main(["print", "nowhere.rules"]) == cli.WRONG_USAGE
    assert cli.main(["print", "sins.rules", "--out", "no/such/folder.html"]) == cli.WRONG_USAGE
    assert "cannot be written" in capsys.readouterr().err


def test_names_are_only_text(tmp_path):
    rules = tmp_path / "bad.rules"
    rules.write_text(
        'game "<script>x</script>"\nplayers 2\npieces | copies | shown as\n'
        '  Card | 2 | "<b>bold</b>"\nzones | order | seen by\n  pot | pool | everyone\n'
        "rule play\n  move box to pot\nranking of p\n  most | #pot\n",
        "utf-8",
    )
    text = printed(tmp_path, str(rules))

    assert "<script>" not in text
    assert "<b>" not in text

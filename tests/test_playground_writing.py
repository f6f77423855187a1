"""What the backend says of a text in the editor: places, words that fit, canonical form, examples, files."""

import re
import shlex

import pytest

from interpreter.game_loading import load
from playground_page import Page, draft, rules_of
from playground_rules import DOUBLE, LUCK, MISSPELT, TOO_MUCH
from rulespec import cli, loading
from rulespec.catalogue import shipped_files
from rulespec.source import Source
from rulespec.syntax.formatter import format_source
from sizes import few

NAMES = [path.name for path in shipped_files()]


def at(text: str, span: dict) -> str:
    """What stands at a place, as an editor in a browser counts."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * span["start"] : 2 * span["end"]].decode("utf-16-le", "surrogatepass")


def wrong(text: str) -> list:
    return Page().get("check", rules=draft(text))["diagnostics"]


# ---- Places ----------------------------------------------------------------------------------------

SLIP = LUCK.replace("move box to deck", "move box to dekc")


@pytest.mark.parametrize(
    "text",
    [
        SLIP,
        SLIP.replace("\n", "\r\n"),
        f"\ufeff{SLIP}",
        SLIP.replace("Luck", "Lu𝄞ck 🂡"),
        SLIP.replace("Luck", "Lu\u0308ck"),
        SLIP.replace("game", "-- e\u0301𝄞 is no mistake\ngame").replace("\n", "\r\n"),
        SLIP.replace("rule setup", "rule setup  -- 🂡🂡🂡"),
    ],
    ids=["plain", "other lines", "mark", "letters of two units", "composed", "all", "above"],
)
def test_a_mistake_is_underlined_where_it_stands_however_it_was_typed(text):
    (found,) = wrong(text)
    line = text.replace("\r\n", "\n").split("\n")[found["span"]["line"] - 1]

    assert at(text, found["span"]) == "dekc"
    assert line[found["span"]["column"] - 1 :].startswith("dekc")
    assert found["span"]["own"]
    assert found["hint"] == "did you mean `deck`?"
    assert found["page"] == f"language/diagnostics/#{found['code'].lower()}"


def test_both_declarations_are_told():
    (found,) = wrong(DOUBLE)

    assert [at(DOUBLE, each["span"]) for each in found["related"]] == ["one"]
    assert found["related"][0]["span"]["line"] < found["span"]["line"]


def test_a_mistake_that_shows_in_another_file_is_told_in_this_one():
    text = 'extends "sins.rules"\n\nremove table points\n'
    found = wrong(text.replace("remove table points", "override let points = 3"))

    assert found
    assert all(each["span"]["own"] for each in found)


@pytest.mark.parametrize("name", few(NAMES, 4))
def test_what_is_shipped_has_no_mistakes_and_can_be_played(name):
    reply = Page().get("check", rules=rules_of(name))

    assert reply["diagnostics"] == []
    assert (reply["summary"], reply["correct"], reply["playable"]) == ("no errors", True, True)
    players = load(name).players
    assert reply["menu"]["players"] == [players[0], players[-1]]


def test_how_many_mistakes_there_are_is_said_in_words():
    page = Page()

    assert page.get("check", rules=draft(MISSPELT))["summary"] == "1 error"
    assert not page.get("check", rules=draft(MISSPELT))["playable"]
    assert page.get("check", rules=draft("let x = 1\n"))["correct"]
    assert not page.get("check", rules=draft("let x = 1\n"))["playable"]


# ---- What there is ---------------------------------------------------------------------------------


def test_all_that_is_shipped_is_there_with_its_text():
    games = Page().get("games")["games"]

    assert [each["file"] for each in games] == NAMES
    assert all(each["text"] == loading.read(each["file"]).text for each in games)
    sins = next(each for each in games if each["file"] == "sins.rules")
    assert [each["name"] for each in sins["menu"]["variants"]] == ["penitenziagite"]
    extends = {each["file"]: each["extends"] for each in games}
    assert extends["sins.rules"] is None
    assert extends["my_sins.rules"] == "sins.rules with penitenziagite, stone_optional = yes"


@pytest.mark.parametrize("name", few(NAMES, 4))
def test_a_new_overlay_of_anything_shipped_is_right_and_named_otherwise(name):
    page = Page()
    made = page.get("overlay", file=name, title="Mine")
    checked = page.get("check", rules=draft(made["text"], made["file"]))

    assert made["file"] not in NAMES
    assert (checked["diagnostics"], checked["playable"]) == ([], True)
    assert checked["menu"]["title"] == "Mine"


@pytest.mark.parametrize(
    ("file", "title"), [("none.rules", "x"), ("sins.rules", ""), ("sins.rules", 'a "b"')]
)
def test_an_overlay_that_cannot_be_is_refused(file, title):
    assert Page().refuse("overlay", file=file, title=title)["fault"] == "request"


# ---- Words that fit --------------------------------------------------------------------------------

CURSOR = "‸"


def meaning(text: str, word: str) -> dict | None:
    return Page().get("name", rules=draft(text), at=text.index(word) + 1)["meaning"]


def test_a_name_is_explained():
    found = meaning(LUCK, "deck\n")
    text = LUCK[found["start"] : found["end"]]

    assert text == "deck"
    assert found["code"].startswith("deck ")
    assert found["sentences"][0] == "It is a zone."
    assert meaning(LUCK, "\n") is None


def test_a_name_leads_to_its_declaration_and_to_all_places():
    found = Page().get("places", rules=draft(LUCK), at=LUCK.index("deck\n") + 1)

    assert found["name"] == "deck"
    assert [at(LUCK, each) for each in found["definitions"]] == ["deck"]
    assert found["definitions"][0]["start"] == LUCK.index("deck ")
    assert len(found["uses"]) == len(re.findall(r"\bdeck\b", LUCK))
    assert Page().get("places", rules=draft(LUCK), at=0)["name"] is None


def test_names_lead_into_the_files_below():
    text = 'extends "sins.rules"\ngame "Mine"\nrows points\n  4 => 2\n'
    (found,) = Page().get("places", rules=draft(text), at=text.index("points"))["definitions"]
    (file,) = Page().get("places", rules=draft(text), at=text.index("sins"))["definitions"]
    lines = loading.read("sins.rules").text.split("\n")

    assert (found["file"], found["own"]) == ("sins.rules", False)
    assert lines[found["line"] - 1].startswith("table points")
    assert (file["file"], file["line"]) == ("sins.rules", 1)


def test_a_name_is_renamed_everywhere_or_it_is_said_why_not():
    spot = LUCK.index("deck\n")
    found = Page().get("rename", rules=draft(LUCK), at=spot, name="stock")
    text = LUCK
    for each in sorted(found["changes"], key=lambda each: each["start"], reverse=True):
        text = text[: each["start"]] + each["text"] + text[each["end"] :]
    taken = Page().get("rename", rules=draft(LUCK), at=spot, name="if")
    below = 'extends "sins.rules"\ngame "Mine"\nrows points\n  4 => 2\n'
    foreign = Page().get("rename", rules=draft(below), at=below.index("points"), name="worth")

    assert text == re.sub(r"\bdeck\b", "stock", LUCK)
    assert wrong(text) == []
    assert (taken["changes"], taken["refused"]) == ([], "`if` cannot be a name")
    assert "declared in `sins.rules`" in foreign["refused"]


def test_a_hint_is_applied():
    page = Page()
    (found,) = page.get("check", rules=draft(SLIP))["diagnostics"]
    start, code = found["span"]["start"], found["code"]
    change = page.get("mend", rules=draft(SLIP), at=start, code=code)["change"]

    assert SLIP[: change["start"]] + change["text"] + SLIP[change["end"] :] == LUCK
    assert page.get("mend", rules=draft(LUCK), at=start, code=code)["change"] is None


def complete(text: str) -> dict:
    """What fits at the cursor: words by kind."""
    place = text.index(CURSOR)
    plain = text.replace(CURSOR, "")
    reply = Page().get(
        "complete", rules=draft(plain), at=len(plain[:place].encode("utf-16-le")) // 2
    )
    begun = plain.encode("utf-16-le")[2 * reply["start"] :].decode("utf-16-le")
    begun = begun[: place - len(plain) or None] if place < len(plain) else begun
    assert all(item["text"].casefold().startswith(begun.casefold()) for item in reply["items"])
    found: dict = {}
    for item in reply["items"]:
        found.setdefault(item["kind"], set()).add(item["text"])
    return found


@pytest.mark.parametrize(
    ("old", "new", "kind", "wanted"),
    [
        ("move box to deck", "move box to ‸", "zone", {"deck", "hand", "spot"}),
        ("move box to deck", "move box to de‸", "zone", {"deck"}),
        ("earn(p)\nrule", "ea‸\nrule", "rule", {"earn"}),
        ("score[p] + high", "score[p] + hi‸", "option", {"high"}),
        ("score[p] + high", "score[p] + ‸", "local", {"p"}),
        ("c from hand[p]", "c from hand[p].‸", "attribute", {"of"}),
        ("of: Colour", "of: Col‸", "enum", {"Colour"}),
        ("rule setup", "ru‸ setup", "keyword", {"rule", "ruling", "rulebook"}),
    ],
)
def test_names_fit_where_they_may_stand(old, new, kind, wanted):
    assert complete(LUCK.replace(old, new, 1)).get(kind) == wanted


def test_names_of_what_is_below_fit_as_well():
    assert "penitenziagite" in complete('extends "sins.rules" with ‸\n').get("variant", ())
    assert "sins.rules" in complete('extends "‸"\n')["file"]
    assert "points" in complete('extends "sins.rules"\nrows ‸\n').get("table", ())
    assert "turns" in complete("use ‸\n").get("file", ())


@pytest.mark.parametrize("text", ["-- mo‸ve\n", 'game "mo‸"\n', "let x = 12‸\n"])
def test_nothing_fits_in_comments_texts_and_numbers(text):
    assert complete(text) == {}


def test_mistakes_elsewhere_do_not_matter():
    text = LUCK.replace("rule play", "rul play (((").replace("move box to deck", "move box to 🂡‸")

    assert complete(text.replace("🂡", "")).get("zone") == {"deck", "hand", "spot"}


# ---- Canonical form, examples, files ---------------------------------------------------------------


def test_the_canonical_form_is_that_of_the_command():
    page = Page()
    ragged = LUCK.replace(" | ", "|").replace("  most", "      most")
    expected = format_source(Source("draft.rules", ragged))
    reply = page.get("format", rules=draft(ragged))

    assert (reply["text"], reply["changed"]) == (expected, True)
    assert not page.get("format", rules=draft(expected))["changed"]
    assert page.refuse("format", rules=draft(MISSPELT))["diagnostics"]


@pytest.mark.parametrize("name", few(NAMES, 3))
def test_the_examples_of_what_is_shipped_hold(name):
    reply = Page().get("examples", rules=rules_of(name))

    assert reply["examples"]
    assert all(each["passed"] for each in reply["examples"])
    assert reply["summary"].endswith(("hold", "holds"))


def test_an_example_that_does_not_hold_is_told_with_its_place():
    text = LUCK + TOO_MUCH
    reply = Page().get("examples", rules=draft(text))
    broken = reply["examples"][-1]

    assert reply["summary"] == "1 of 2 examples hold"
    assert at(text, broken["span"]) == 'example "Too much"'
    assert broken["running"] == ["earn"]
    assert at(text, broken["diagnostics"][0]["span"]).startswith("score[p]")


def test_examples_of_a_variant_are_told_as_its_own():
    found = Page().get("examples", rules=rules_of("sins.rules"))["examples"]
    own = Page().get("examples", rules=rules_of("sins.rules", "penitenziagite"))["examples"]

    assert {each["variant"] for each in found} == {None, "penitenziagite"}
    assert [each["title"] for each in own] == [e["title"] for e in found if e["variant"]]


def test_an_exported_file_is_taken_by_the_command(tmp_path, monkeypatch, capsys):
    made = Page().get("overlay", file="sins.rules", title="Mine")
    rules = {**draft(made["text"], "My sins (2).rules"), "variants": ["penitenziagite"]}
    found = Page().get("export", rules=rules)
    (tmp_path / found["file"]).write_text(found["text"], "utf-8")
    monkeypatch.chdir(tmp_path)
    words = shlex.split(found["command"])

    assert words == ["rulespec", "play", "my_sins_2.rules", "--variant", "penitenziagite"]
    assert found["playable"]
    assert cli.main(["check", *words[2:]]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("name", ["sins.rules", "con.rules", "../x.rules", "a b.rules", "𝄞", ""])
def test_an_exported_file_has_a_name_that_is_good_everywhere(name):
    file = Page().get("export", rules=draft(LUCK, name))["file"]

    assert file.removesuffix(".rules").replace("_", "").isalnum()
    assert file.isascii()
    assert file not in (*NAMES, "con.rules")

"""The pages of games say what their rules say: all of it, linked, escaped and drawn.

Pages are made once for each game and compared with the program they come from.
"""

import html
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import takewhile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from attrs import evolve

from games import shipped
from interpreter.display_names import word_for
from interpreter.game_loading import load
from interpreter.shown.picture import set_scene
from interpreter.shown.reference import make_reference
from rulespec import cli, loading
from rulespec.booklets import read_passages
from rulespec.checking.declarations import walk
from rulespec.cli.docs import make
from rulespec.cli.play_data_collection import curves_of
from rulespec.docgen.components import SEEN
from rulespec.docgen.html import write_html
from rulespec.docgen.pages import GamePages, as_html, as_markdown
from rulespec.docgen.wording import called as words
from rulespec.docgen.wording import is_for_people, titled
from rulespec.source import Source
from rulespec.syntax import nodes
from rulespec.syntax.parser import parse

GAMES = [path.name for path in loading.shipped_game_files()]
OVERLAYS = ["my_sins.rules", "steep_sins.rules", "open_sins.rules", "indulgence.rules"]
VOID = {"br", "meta", "link", "hr", "img", "input"}


class Reader(HTMLParser):
    """A page as a reader has it: its text, its ids, its links, the rows of its tables, its tags."""

    def __init__(self, page: str):
        super().__init__()
        self.text, self.ids, self.links, self.tags, self.attributes = "", [], [], [], []
        self.rows: list[list[str]] = []
        self.formal: list[str] = []
        self.open: list[str] = []
        self.in_row = self.in_cell = self.in_pre = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append(tag)
        self.attributes.append((tag, found))
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if tag == "a" and "href" in found else []
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "pre":
            self.formal.append("")
        if tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag  # every tag is closed where it should be

    def handle_data(self, data):
        if self.open and self.open[-1] in ("script", "style"):
            return
        self.text += data
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data
        if "pre" in self.open:
            self.formal[-1] += data


@cache
def pages(game: str) -> GamePages:
    return make(game, ())


def law_of(found: GamePages) -> str:
    """One page without what is there to learn the game from."""
    return as_html(evolve(found, learn=()))


@cache
def one_page(game: str) -> str:
    return law_of(pages(game))


@cache
def page(game: str) -> Reader:
    return Reader(one_page(game))


@cache
def markdown(game: str) -> dict[str, str]:
    return as_markdown([pages(game)])


def files_of(game: str) -> tuple[nodes.File, ...]:
    return shipped(game).program.declared.files


def said(text: str) -> str:
    return " ".join(text.split())


def unescaped(text: str) -> str:
    """Markdown as it is read, without tags and the addresses of links."""
    return html.unescape(re.sub(r"<[^>]*>|\]\([^)]*\)(\{[^}]*\})?|\[", "", text))


def sentences(files: tuple[nodes.File, ...]) -> list[str]:
    found = []
    for node in walk(files):
        match node:
            case nodes.Doc(_, nodes.Text(text)):
                found.append(text)
            case nodes.Ruling(_, text) | nodes.Omit(_, text) | nodes.First(_, text):
                found.append(text.value)
            case nodes.Advice(_, text) | nodes.About(text) | nodes.Goal(text):
                found.append(text.value)
            case nodes.Example(_, title) | nodes.Section(_, title) | nodes.Rulebook(title):
                found.append(title.value)
    return found


# ---- All of it -----------------------------------------------------------------------------------


def test_there_are_games():
    assert len(GAMES) >= 4


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_ruling_omission_and_example_stands_on_the_page(game):
    text = said(page(game).text)
    written = said(unescaped("".join(markdown(game).values())))

    found = sentences(files_of(game))
    assert len(found) > 100
    assert [each for each in found if said(each) not in text] == []
    assert [each for each in found if said(each) not in written] == []


def spelt(value: int) -> str:
    return f"−{-value}" if value < 0 else str(value)


def words_of(game: str, row: nodes.Row) -> list[str]:
    """The numbers and members that a row names before and after its arrow."""
    enums = shipped(game).program.declared.enums
    labels = {m.name.text: m.label for e in enums.values() for m in e.node.members}
    found = []
    for node in walk(row.keys):
        if isinstance(node, nodes.Integer):
            found.append(spelt(node.value))
        elif isinstance(node, nodes.Name) and node.text in labels:
            label = labels[node.text]
            found.append(label.value if label else node.text.replace("_", " "))
    cells = row.body.values if isinstance(row.body, nodes.Cells) else ()
    for cell in cells:
        match cell:
            case nodes.Number(value):
                found.append(spelt(value))
            case nodes.Negative(nodes.Number(value)):
                found.append(spelt(-value))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_row_of_every_table_is_a_row_of_the_page(game):
    shown = [said(" | ".join(row)) for row in page(game).rows]
    rows = [node for node in walk(files_of(game)) if isinstance(node, nodes.Row)]

    assert len(rows) > 8
    for row in rows:
        wanted = words_of(game, row)
        assert any(all(word in line for word in wanted) for line in shown), wanted


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_is_declared_has_a_place(game):
    ids = set(page(game).ids)
    kinds = (nodes.Rule, nodes.Table, nodes.Let)
    for node in walk(files_of(game)):
        name = getattr(getattr(node, "name", None), "text", "")
        if isinstance(node, kinds):
            assert any(each.endswith(f"rule-{name}") for each in ids), name
        elif isinstance(node, nodes.Variant | nodes.Option | nodes.Enum):
            assert f"{type(node).__name__.lower()}-{name}" in ids
        elif isinstance(node, nodes.Always):
            assert any(each.endswith(f"always-{name}") for each in ids), name
        elif isinstance(node, nodes.Zone | nodes.Variable):
            assert any(each.endswith(f"-{name}") for each in ids), name


@pytest.mark.parametrize("game", GAMES)
def test_every_question_is_told(game):
    text = said(page(game).text)
    choosing = (nodes.Choose, nodes.MayChoose, nodes.Each, nodes.EachMay)
    prompts = [n.prompt.value for n in walk(files_of(game)) if isinstance(n, choosing) and n.prompt]

    assert prompts
    for prompt in prompts:
        for part in re.split(r"\{\w+\}", prompt):
            assert said(part) in text


@pytest.mark.parametrize("game", GAMES)
def test_every_example_was_run_and_holds(game):
    examples = [node for node in walk(files_of(game)) if isinstance(node, nodes.Example)]
    text = page(game).text

    assert examples
    assert text.count("✓ ") >= len(examples)
    assert "✗" not in text
    assert f"All {len(examples)} were run, and hold." in text


@pytest.mark.parametrize("game", GAMES)
def test_the_formal_text_is_text_of_the_language_and_all_of_it(game):
    found = page(game).formal
    for text in found:
        assert list(parse(Source("page", text)).diagnostics) == [], text
    shown = "\n".join(found)
    for node in walk(files_of(game)):
        if isinstance(node, nodes.Rule | nodes.Table | nodes.Let):
            word = type(node).__name__.lower()
            assert re.search(rf"\b{word} {node.name.text}\b", shown), node.name.text
    fences = re.findall(
        r"^```rules$(.*?)^```$", markdown(game)[f"{stem(game)}/law.md"], re.MULTILINE | re.DOTALL
    )
    assert [said(each) for each in fences] == [said(html.unescape(each)) for each in found]


def stem(game: str) -> str:
    return game.removesuffix(".rules")


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_leads_to_what_is_said_and_back(game):
    ids, text = set(page(game).ids), markdown(game)[f"{stem(game)}/clauses.md"]
    sections = [node for node in walk(files_of(game)) if isinstance(node, nodes.Section)]
    for section in sections:
        assert f"clause-{section.clauses.first.lower()}" in ids
    clauses = re.findall(
        r'^\| <span class="rs-anchor" id="(clause-[\w-]+)">(.*)$', text, re.MULTILINE
    )
    assert len(clauses) > 40
    index = markdown(game)[f"{stem(game)}/law.md"]
    for clause, row in clauses:
        places = re.findall(r"\(law\.md#([\w.-]+)\)", row)
        assert places, clause
        # Where it is told there is a link to it; a range has one to its first clause.
        told = [each for each in places if f'id="{each}"' in index]
        assert told, clause


@pytest.mark.parametrize("game", GAMES)
def test_what_play_has_used_was_measured(game):
    rows = [row for row in page(game).rows if len(row) == 6 and re.fullmatch(r"[A-Z]+-\w+", row[0])]
    used = [row[5] for row in rows if row[5]]

    assert len(used) > 15
    assert any(re.search(r"\d+ examples?, \d+ of \d+ games", each) for each in used)


# ---- Links and drawings --------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_all_links_of_the_one_page_resolve_and_no_id_is_used_twice(game):
    found = page(game)

    assert len(found.ids) == len(set(found.ids))
    assert [link for link in found.links if link.removeprefix("#") not in found.ids] == []


@cache
def ids_in(text: str) -> set[str]:
    return {*re.findall(r"\{ #([^ ]+) \}", text), *re.findall(r' id="([^"]+)"', text)}


@pytest.mark.parametrize("game", GAMES)
def test_all_links_between_pages_resolve(game):
    files = markdown(game)
    links = 0
    for name, text in files.items():
        if not name.endswith(".md"):
            continue
        for address in [*re.findall(r"\]\(([^)]*)\)", text), *re.findall(r'href="([^"]*)"', text)]:
            path, _, id_ = address.partition("#")
            folder = Path(name).parent
            goal = name if not path else str(folder / path).replace(f"{folder.name}/../", "")
            assert goal in files, address
            assert not id_ or id_ in ids_in(files[goal]), address
            links += 1
    assert links > 300


@pytest.mark.parametrize("game", GAMES)
def test_drawings_are_well_formed_and_say_what_they_show(game):
    drawings = re.findall(r"<svg.*?</svg>", one_page(game), re.DOTALL)

    assert drawings
    for drawing in drawings:
        root = ET.fromstring(drawing)  # noqa: S314 - we have drawn it
        title, described = root[0], root[1]
        assert (title.tag, described.tag) == ("title", "desc")
        assert title.text
        assert described.text
        # A drawing with links in it is no picture to those who hear the page.
        assert root.get("role") == ("group" if "<a " in drawing else "img")
        assert root.get("aria-labelledby") == f"{title.get('id')} {described.get('id')}"
        assert "#" not in "".join(
            each.get("fill", "") + each.get("stroke", "") for each in root.iter()
        )


@pytest.mark.parametrize("game", GAMES)
def test_the_one_page_needs_nothing_else(game):
    text, found = one_page(game), page(game)

    assert found.tags.count("script") == 1
    assert not re.search(r"https?:|@import|url\(", text)
    assert all("src" not in attributes for _, attributes in found.attributes)
    links = [a["href"] for tag, a in found.attributes if tag == "link"]
    assert links == ["data:,"]


def test_the_curve_of_a_table_is_drawn_with_its_values():
    drawings = re.findall(r"<desc[^>]*>([^<]*)</desc>", one_page("sins.rules"))

    wanted = "0: 0, 1: 1, 2: 3, 3: 6, 4: −1, 5: −3, 6: −6, 7: 10"
    assert any(wanted in each for each in drawings)


# ---- Changes -------------------------------------------------------------------------------------


CURVE = """
example "Three of a sin"
  expect points(3) == 6
"""


def changed(tmp_path, old: str, new: str) -> str:
    """The page of a copy of The Sins with one example and one change."""
    text = loading.read("sins.rules").text
    text = text[: text.index("-- ---- Examples: setup")] + CURVE
    assert text.count(old) == 1
    path = tmp_path / "ours.rules"
    path.write_text(text.replace(old, new), "utf-8")
    return Reader(law_of(make(str(path), ()))).text


def test_a_changed_row_changes_the_page_and_what_contradicts_it_is_told(tmp_path):
    text = changed(tmp_path, "  3     => 6\n", "  3     => 5\n")

    assert "3: 5, 4: −1" in text
    assert "✗" in text
    assert "It fails: expected points(3) == 6" in text.replace("`", "")


def test_a_changed_sentence_changes_the_page(tmp_path):
    text = changed(tmp_path, "They go into your reserve, face down.", "Into the cellar they go.")

    assert "Into the cellar they go." in text
    assert "They go into your reserve, face down." not in text


# ---- Other files ---------------------------------------------------------------------------------

HOSTILE = (
    "<script>alert(1)</script> *b* _i_ [x](javascript:alert) ![i](y) <img src=x onerror=alert(2)>"
)
HOSTILE_GAME = """game "TEXT" by "TEXT"
rulebook "TEXT"
  @X-01..X-04 "TEXT"
@X-01 "TEXT"
players 2
first "--8<-- `TEXT`"
@X-01 "# TEXT"
enum Hue = red "TEXT", blue "| TEXT |"
@X-02 "--8<-- `file` ::: x ``` TEXT"
pieces           | copies | shown as
  Card(hue: Hue) | 2      | "TEXT"
@X-02 "1. TEXT"
zones  | order | seen by
  heap | pool  | everyone
  hand[Player] | pool | owner
@X-03 "- TEXT"
rule setup
  move box to heap
rule play
  @X-03 "> TEXT"
  for p in Player
    p chooses card from heap "TEXT?"
    move card to hand[p]
@X-03 "&lt;b&gt; TEXT {{ 7 * 7 }} $x$ ==m== ^^u^^ ~~s~~ ++k++"
ranking of p
  most | #hand[p]
ruling @X-01 "TEXT"
omit @X-04 "TEXT"
example @X-03 "TEXT"
  players Ada, Ben
  when setup()
  expect #heap == 4
"""


def hostile(tmp_path) -> GamePages:
    path = tmp_path / "hostile.rules"
    path.write_text(HOSTILE_GAME.replace("TEXT", HOSTILE), "utf-8")
    return make(str(path), ())


def assert_harmless(found: Reader) -> None:
    assert "img" not in found.tags
    assert all(
        not name.startswith("on") for _, attributes in found.attributes for name in attributes
    )
    assert all("javascript" not in link for link in found.links)
    assert "b" not in found.tags
    assert found.text.count("<script>alert(1)</script>") > 10
    assert "&lt;b&gt;" in found.text
    assert "{{ 7 * 7 }} $x$ ==m== ^^u^^ ~~s~~ ++k++" in said(found.text)


def test_hostile_texts_are_only_texts_on_the_one_page(tmp_path):
    found = Reader(law_of(hostile(tmp_path)))

    assert found.tags.count("script") == 1
    assert_harmless(found)


def test_hostile_texts_are_only_texts_on_a_site(tmp_path):
    library = pytest.importorskip("markdown")
    pytest.importorskip("pymdownx")
    extensions = ["attr_list", "md_in_html", "tables", "toc", "admonition", "pymdownx.superfences"]
    extensions += ["pymdownx.highlight", "pymdownx.snippets", "pymdownx.keys", "pymdownx.tilde"]
    extensions += ["pymdownx.caret", "pymdownx.mark", "pymdownx.magiclink", "pymdownx.emoji"]
    settings = {"pymdownx.snippets": {"check_paths": True, "base_path": [str(tmp_path)]}}
    for name, whole in as_markdown([hostile(tmp_path)]).items():
        if name in ("hostile/index.md", "hostile/law.md"):
            text = re.sub(r"\A---\n.*?\n---\n", "", whole, flags=re.DOTALL)  # which mkdocs reads
            found = Reader(
                library.markdown(text, extensions=extensions, extension_configs=settings)
            )

            assert "script" not in found.tags
            assert "em" not in found.tags
            assert_harmless(found)


SMALL = """game "The Well"
players 2..3
pieces  | copies
  Token | 6
zones         | order | seen by
  well        | pile  | everyone
  own[Player] | pool  | everyone
state    | type | start
  rounds | 0..9 | 0
rule setup
  move box to well
let dry = #well == 0
when dry: end
table draw(p: Player, many: Bool)
  many => does
  yes  => move top(well, 2) to own[p]
  no   => move top(well) to own[p]
rule play
  repeat
    rounds += 1
    for p in Player
      p chooses many from Bool "Two of them?"
      draw(p, many)
    if rounds == 5: stop
ranking of p
  most | #own[p]
"""


def test_a_game_without_a_rulebook_is_told_by_what_happens_when(tmp_path):
    (tmp_path / "well.rules").write_text(SMALL, "utf-8")
    found = make(str(tmp_path / "well.rules"), ())
    text = said(Reader(law_of(found)).text)

    assert "The Well" in text
    assert "Course of the game" in text
    assert "Two of them?" in text
    assert "cite no clauses" in text
    assert text.index("Setup") < text.index("Course of the game") < text.index("Who wins")


def test_an_overlay_alone_tells_what_it_changes_and_then_the_whole_game():
    found = Reader(law_of(make("steep_sins.rules", ())))
    text = said(found.text)

    assert "What is different in The Sins with a steep curve" in text
    assert "Up to five cards each is worth more than the one before" in text
    assert "5: 15, 6: −18" in text
    assert "before: 0: 0, 1: 1" in text
    assert "You must do one of two things with the cards of one sin" in text
    assert "All 2 were run, and hold." in text
    assert [link for link in found.links if link.removeprefix("#") not in found.ids] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_clauses_say_where_the_booklet_has_them(game):
    rows = {row[0]: row for row in page(game).rows if len(row) > 3}
    for number, each in read_passages(loading.find_rules(game)).items():
        assert [said(cell) for cell in rows[number][1:3]] == [said(each.place), said(each.words)]


@pytest.mark.parametrize("game", OVERLAYS)
def test_beside_its_base_an_overlay_repeats_nothing(game):
    text = said(Reader(law_of(make(game, (), ["sins.rules"]))).text)

    assert "What is different in" in text
    assert "Everything else is as in the law of 7 – The Sins." in text
    assert "You must do one of two things with the cards of one sin" not in text
    assert [each for each in sentences(files_of(game)[-1:]) if said(each) not in text] == []


@pytest.mark.parametrize("game", ["indulgence.rules", "my_sins.rules"])
def test_every_sentence_of_an_overlay_stands_on_its_page(game):
    text = said(Reader(law_of(make(game, ()))).text)

    found = sentences(files_of(game)[-1:])
    assert len(found) > 5
    assert [each for each in found if said(each) not in text] == []


def test_what_a_variant_in_force_changes_says_so():
    text = said(Reader(law_of(make("sins.rules", ("penitenziagite",)))).text)

    assert "rulespec play sins.rules --variant penitenziagite" in text
    assert "It is in force in this game." in text
    assert text.count("Changed by Penitenziagite.") == 2


def test_a_variant_is_told_as_what_it_changes():
    rows = page("deadlies.rules").rows

    assert ["Players", "3 to 5 players", "6 players"] in rows
    assert ["Start malice", "6", "4"] in rows


def test_a_clause_that_no_game_has_used_says_so(tmp_path):
    text = SMALL.replace("players 2..3", 'rulebook "R"\n  @R-01..R-02 "All"\nplayers 2..3')
    text = text.replace("rule setup", '@R-01 "Begin."\nrule setup')
    text = text.replace(
        "    if rounds == 5: stop", '    if rounds == 5\n      @R-02 "Enough."\n      stop'
    )
    (tmp_path / "well.rules").write_text(text, "utf-8")
    found = Reader(law_of(make(str(tmp_path / "well.rules"), ())))
    rows = {row[0]: row for row in found.rows if len(row) == 3}

    # Six tokens are drawn long before the fifth round.
    assert rows["R-01"][2] == "6 of 6 games"
    assert rows["R-02"][2] == "nothing"


# ---- The command ---------------------------------------------------------------------------------


def test_pages_lead_to_the_playground_where_there_is_one():
    files = as_markdown([make("sins.rules", (), has_playground=True)])
    line = 1 + loading.read("sins.rules").text[
        : loading.read("sins.rules").text.index("table points")
    ].count("\n")

    assert '<a href="../../playground/#open=sins.rules">' in files["sins/index.md"]
    assert f'<a href="../../../playground/#open=sins.rules:{line}">' in files["sins/law.md"]
    assert "playground" not in "".join(markdown("sins.rules").values())


def test_the_command_writes_pages_and_assets(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("well.rules").write_text(SMALL, "utf-8")

    assert (
        cli.main(["docs", "well.rules", "--out", "site/games", "--html", "well.html"]) == cli.FINE
    )
    assert "1 game (The Well)" in capsys.readouterr().err
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*") if path.is_file()}
    assert written == {
        "well.rules",
        "well.html",
        "site/games/index.md",
        "site/games/well/index.md",
        "site/games/well/law.md",
        "site/games/well/clauses.md",
        "site/games/assets/game.css",
        "site/games/assets/game.js",
    }
    assert "[The Well](well/index.md)" in Path("site/games/index.md").read_text("utf-8")


def test_what_cannot_be_told_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("well.rules").write_text(SMALL.replace("#well == 0", "#wall == 0"), "utf-8")

    assert cli.main(["docs", "well.rules"]) == cli.WRONG_RULES
    assert "`wall`" in capsys.readouterr().err
    assert cli.main(["docs", "turns.rules"]) == cli.WRONG_USAGE
    assert "is a mechanism" in capsys.readouterr().err
    Path("right.rules").write_text(SMALL, "utf-8")
    assert cli.main(["docs", "right.rules", "well.rules", "--jobs", "2"]) == cli.WRONG_RULES
    assert "`wall`" in capsys.readouterr().err
    assert cli.main(["docs", "nowhere.rules"]) == cli.WRONG_USAGE
    assert cli.main(["docs", "sins.rules", "siegel.rules", "--html", "x.html"]) == cli.WRONG_USAGE
    assert not Path("pages").exists()


# ---- To learn a game from ------------------------------------------------------------------------


@cache
def learned(game: str) -> str:
    return write_html(pages(game).title, pages(game).learn)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_learned_from_its_table_a_turn_and_an_example(game):
    text = said(Reader(learned(game)).text)
    declared = shipped(game).program.declared

    assert declared.goal.node.text.value in text
    assert declared.turn.node.text.value in text
    for part in ("What you need", "Setting up", "A turn", "Reference card", "To settle a dispute"):
        assert part in text, part
    assert learned(game).count("rs-drawn-table") >= 2
    assert "@" not in text
    assert "…" not in text


@pytest.mark.parametrize("game", GAMES)
def test_what_is_drawn_for_who_learns_is_well_formed_and_says_what_it_shows(game):
    drawings = re.findall(r"<figure[^>]*>(<svg.*?</svg>)</figure>", learned(game), re.DOTALL)

    assert len(drawings) >= 3
    for drawing in drawings:
        root = ET.fromstring(drawing)  # noqa: S314 - we have drawn it
        assert root.get("role") == "img"
        assert root[0].tag == "title"
        assert root[0].text


@pytest.mark.parametrize("game", GAMES)
def test_all_of_a_game_on_one_page_has_each_place_once_and_needs_nothing_else(game):
    text = as_html(pages(game))
    found = Reader(text)

    assert len(found.ids) == len(set(found.ids))
    assert not re.search(r"https?:|@import|url\(", text)


def test_hostile_texts_are_only_texts_for_who_learns(tmp_path):
    found = Reader(write_html("hostile", hostile(tmp_path).learn))

    assert found.tags.count("script") == 1
    assert_harmless(found)


@pytest.mark.parametrize("game", ["my_sins.rules", "steep_sins.rules", "open_sins.rules"])
def test_what_stands_on_another_game_says_only_what_is_different(game):
    text = said(Reader(learned(game)).text)

    assert "What is different in" in text
    assert "Everything else is as in 7 – The Sins." in text
    assert "Setting up" not in text


@pytest.mark.parametrize("game", [*GAMES, *OVERLAYS])
def test_tables_for_who_learns_say_what_the_engine_does(game):
    found = shipped(game)
    curves = {name: dict(curve) for name, curve in curves_of(found).items()}
    scene = set_scene(found.start(max(found.players), seed=1))
    code = found.code
    tried = 0
    for table in make_reference(scene).points:
        names = [name for name in curves if word_for(code, name) == table.title]
        for name in names:
            for number, value in curves[name].items():
                fitting = [text for key, text in table.rows if holds(key, number)]
                assert fitting == [str(value).replace("-", "−")], (table.title, number)
                tried += 1

    assert tried or game not in ("sins.rules", "my_sins.rules")


@pytest.mark.parametrize(
    ("game", "variants"),
    [*((each, ()) for each in OVERLAYS), ("sins.rules", ()), ("sins.rules", ("penitenziagite",))],
)
def test_the_law_says_who_sees_what_and_what_counts_as_the_engine_does(game, variants):
    rows = Reader(law_of(make(game, variants))).rows
    found = load(game, variants)
    declared = found.program.declared
    sight = {
        titled(words(declared, name)): SEEN[zone.node.viewers.who]
        for name, zone in declared.zones.items()
        if is_for_people(declared, name)
    }
    where = [n for n, row in enumerate(rows) if row[:2] == ["Where", "Seen by"]]
    told = [row for n in where for row in takewhile(lambda row: row[0] != "What", rows[n + 1 :])]
    for row in told:
        name = max((each for each in sight if said(row[0]).startswith(each)), key=len, default="")
        if name and said(row[1]) in SEEN.values():
            assert said(row[1]) == sight.pop(name), name
    assert sight == {}
    for name, curve in curves_of(found).items():
        key = declared.routines[name].versions[-1].node.params[0].name.text
        head = [titled(words(declared, key)), titled(words(declared, name))]
        tables = [n for n, row in enumerate(rows) if row[:2] == head]
        assert tables, name
        for number, value in curve:
            # Of rows that fit, the first counts; what is added on top stands above.
            fitting = [row for n in tables for row in rows_below(rows, n) if holds(row[0], number)]
            if not any(each.isalpha() for each in fitting[0][1]):  # no formula
                assert said(fitting[0][1]) == str(value).replace("-", "−"), (name, number)


def rows_below(rows: list[list[str]], head: int) -> Iterator[list[str]]:
    """The rows of a table: the next one has a head of its own."""
    return takewhile(
        lambda row: len(row) == len(rows[head]) and row[0][:1].isdecimal(), rows[head + 1 :]
    )


def holds(key: str, number: int) -> bool:
    """Whether `3`, `7 to 8` or `9 or more` speaks of a number."""
    low, _, high = key.partition(" to ")
    if key.endswith(" or more"):
        return number >= int(key.split(maxsplit=1)[0])
    return int(low) <= number <= int(high or low) if low.isdecimal() else False

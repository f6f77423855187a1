"""The playground in a browser: many games are counted, and edited rules are compared with the shipped ones."""

import json

import pytest

from playground_hands import click_text, pick_file, read_mail, set_value, show, text_of, write_rules
from rulespec import loading

pytestmark = pytest.mark.usefixtures("playground")

SINS = loading.read("sins.rules").text
ROW = "  3     => 6\n"


def count_games(page, sort, games):
    """Press the button, and wait until all games are played."""
    show(page, sort)
    set_value(page, f"#pg-{sort} [data-key=games]", str(games))
    page.click(f"#pg-{sort} .pg-main")
    page.wait(
        f"document.querySelector('#pg-{sort} .pg-meter').hidden"
        f" && !!document.querySelector('#pg-{sort} :is(.pg-report pre, .pg-refusal)')"
    )
    return text_of(page, f"#pg-{sort} .pg-report pre")


def test_a_changed_row_of_the_scoring_changes_what_is_counted_and_how_it_compares(bench):
    pick_file(bench, "sins.rules")
    before = count_games(bench, "simulate", 100)
    same = count_games(bench, "compare", 100)
    verdict_of_same = text_of(bench, "#pg-compare .pg-verdict")

    assert SINS.count(ROW) == 1
    write_rules(bench, SINS.replace(ROW, "  3     => 60\n"))
    aged = text_of(bench, "#pg-compare .pg-age")
    after = count_games(bench, "simulate", 100)
    other = count_games(bench, "compare", 100)
    verdict = text_of(bench, "#pg-compare .pg-verdict")

    assert before != after
    assert "changed since" in aged
    assert "mean score rises" in verdict
    assert "rises" not in verdict_of_same
    assert "falls" not in verdict_of_same
    assert same != other
    assert text_of(bench, "#pg-compare .pg-age") == ""


def test_thousands_of_games_take_no_time(bench):
    """The reference would play them for minutes: the browser runs a module."""
    pick_file(bench, "sins.rules")
    told = count_games(bench, "simulate", 20_000)

    assert "20,000 games" in told


def test_the_same_rules_give_the_same_numbers(bench):
    pick_file(bench, "seven7s.rules")
    one = count_games(bench, "simulate", 40)
    other = count_games(bench, "simulate", 40)

    assert one == other
    assert "40" in one


def test_plots_are_drawn_and_say_in_words_what_they_show(bench):
    pick_file(bench, "sins.rules")
    count_games(bench, "simulate", 40)
    drawn = bench.run(
        """[...document.querySelectorAll('#pg-simulate figure')].map(e => {
          const svg = e.querySelector('svg'), box = svg.getBoundingClientRect();
          const marks = svg.querySelectorAll('rect, path, line, circle').length;
          return [svg instanceof SVGElement, box.width > 200 && box.height > 60, marks > 3,
            !!svg.querySelector('title')?.textContent, e.querySelector('figcaption').innerText.length > 10];
        })"""
    )

    assert len(drawn) >= 3
    assert all(all(each) for each in drawn), drawn


def test_counting_can_be_stopped_and_what_was_counted_stays(bench):
    pick_file(bench, "siegel.rules")
    show(bench, "simulate")
    set_value(bench, "#pg-simulate [data-key=games]", "100000")
    read_mail(bench)
    bench.click("#pg-simulate .pg-main")
    bench.wait("!!document.querySelector('#pg-simulate .pg-report pre')")
    click_text(bench, "Stop", "#pg-simulate .pg-meter")
    bench.wait("document.querySelector('#pg-simulate .pg-meter').hidden")
    report = text_of(bench, "#pg-simulate .pg-report")
    asked = [json.loads(text)["kind"] for way, _, text in read_mail(bench) if way == "out"]
    pick_file(bench, "sins.rules")

    assert "of 100000 games so far" in report
    assert "more" in asked
    assert text_of(bench, ".pg-summary") == "no errors"


def test_rules_with_mistakes_are_not_counted(bench):
    pick_file(bench, "sins.rules")
    write_rules(bench, 'extends "sins.rules"\ngame "Mine"\nrows poinst\n  3 => 4\n')
    show(bench, "simulate")

    assert bench.run("document.querySelector('#pg-simulate .pg-main').disabled")
    assert "no mistakes" in text_of(bench, "#pg-simulate form")

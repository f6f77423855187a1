"""Settings for all tests."""

import itertools
import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from browser import EXECUTABLE, Browser
from playground_hands import LISTEN, leave_game, open_playground
from site_pages import build_site, serve
from sizes import tries

# What needs OpenSpiel is collected only where it is installed.
collect_ignore = [] if find_spec("pyspiel") else ["spiel.py"]

# The machines are noisy, so no test has a deadline; trees of whole files are large.
HEALTH = [HealthCheck.too_slow, HealthCheck.data_too_large]
# `make test` and `make check` try the same examples each time, so that they fail only when something has
# changed.
settings.register_profile(
    "same",
    deadline=None,
    suppress_health_check=HEALTH,
    derandomize=True,
    max_examples=tries(50, soak=100),
)
# `make soak` looks for new ones.
settings.register_profile("new", deadline=None, suppress_health_check=HEALTH)


def pytest_configure(config):
    settings.load_profile("new" if config.option.markexpr == "soak" else "same")


# ---- Nothing is left to chance ---------------------------------------------------------------------

SEEDLESS = Path(__file__).parent / "seedless"


@pytest.fixture(autouse=True, scope="session")
def commands_need_seeds():
    """Commands that a test runs in a process of their own find `seedless/sitecustomize.py`."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(SEEDLESS), *([before] if before else [])])


@pytest.fixture(autouse=True)
def games_need_seeds(monkeypatch):
    """A game that is started without a seed fails: some deals would pass the test, and others not.

    What is done without a seed is tested with `drawn_seeds`.
    """

    def refuse(_below):
        pytest.fail("a test has started a game without a seed")

    monkeypatch.setattr("secrets.randbelow", refuse)


@pytest.fixture
def drawn_seeds(monkeypatch):
    """Games that are started without a seed get these, one after the other."""
    seeds = itertools.count(1)
    drawn = []

    def draw(_below):
        drawn.append(next(seeds))
        return drawn[-1]

    monkeypatch.setattr("secrets.randbelow", draw)
    return drawn


@pytest.fixture(autouse=True, scope="session")
def state_folder(tmp_path_factory):
    """Games that are kept while testing are none that somebody wants to go on with."""
    os.environ["RULESPEC_STATE"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True, scope="session")
def cache_folder(tmp_path_factory):
    """Nothing that a test makes is kept for the games that somebody plays."""
    os.environ["RULESPEC_CACHE"] = str(tmp_path_factory.mktemp("cache"))


# ---- The site, and a browser to look at it ---------------------------------------------------------


@pytest.fixture(scope="session")
def site(tmp_path_factory, request):
    """The folder with the built site."""
    base = tmp_path_factory.getbasetemp()
    return build_site(base.parent if hasattr(request.config, "workerinput") else base)


@pytest.fixture(scope="session")
def address(site):
    """Where a plain static server has it."""
    with serve(site) as address:
        yield address


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A Chromium of our own."""
    if EXECUTABLE is None:
        pytest.skip("there is no chromium on this machine")
    with Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def page(browser, address):
    """A page that must not complain, nor ask anybody but our own server."""
    opened = browser.open_page()
    opened.prefer("light")
    yield opened
    opened.close()

    assert opened.complaints == []
    assert opened.strangers(address) == []
    assert opened.requests


@pytest.fixture(scope="session")
def playground():
    """The part of the site that `make playground` has built. Modules mark it: without it, no site is needed."""
    folder = Path(os.environ.get("RULESPEC_SITE", "missing")) / "playground"
    if not (folder / "playground.js").exists():
        pytest.skip(
            "RULESPEC_SITE names no site with a playground: `make check` builds one if there is npm"
        )
    return folder


@pytest.fixture(scope="session")
def opened_playground(browser, address):
    """Python takes some seconds to start, so most tests share a page."""
    opened = browser.open_page()
    opened.prefer("light")
    opened.send("Page.addScriptToEvaluateOnNewDocument", source=LISTEN)
    open_playground(opened, address)
    yield opened
    opened.close()


@pytest.fixture
def bench(opened_playground, address):
    """The playground, with no game on the table. It must not complain, nor ask anybody else."""
    leave_game(opened_playground)
    yield opened_playground

    complaints, opened_playground.complaints = opened_playground.complaints, []
    assert complaints == []
    assert opened_playground.strangers(address) == []

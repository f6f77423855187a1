"""The built site for tests: made once a run, read as HTML, served from a plain static server."""

import functools
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).parent.parent
PATIENCE = 600  # seconds in which another worker must have built the site


def build_site(shared: Path) -> Path:
    """The site as `make docs` builds it; `make check` has done so already and says where."""
    if built := os.environ.get("RULESPEC_SITE"):
        return Path(built)
    site, lock = shared / "site", shared / "site.lock"
    try:
        lock.touch(exist_ok=False)
    except FileExistsError:
        return _wait_for(site, shared / "site.failed")
    try:
        _build(shared / "copy")
    except AssertionError:
        (shared / "site.failed").touch()
        raise
    (shared / "copy" / "site").rename(site)
    return site


def _build(folder: Path) -> None:
    """Build in a copy of what the site is made of: other tests read the checkout meanwhile."""
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=lambda *_: ["games"])
    for name in ("mkdocs.yml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "games", folder / "games")
    for shown in ("tests/adding", "interpreter", "rulespec"):  # of which pages show parts
        shutil.copytree(ROOT / shown, folder / shown, ignore=lambda *_: ["__pycache__"])
    games = sorted((folder / "games").glob("**/*.rules"))
    _run(folder, "-m", "rulespec", "docs", *map(str, games), "--out", "docs/games", "--playground")
    _run(folder, "-m", "mkdocs", "build", "--strict", "--quiet")


def _run(folder: Path, *words: str) -> None:
    ran = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr


def _wait_for(site: Path, failed: Path) -> Path:
    end = time.monotonic() + PATIENCE
    while not site.exists():
        assert not failed.exists(), "another worker could not build the site"
        assert time.monotonic() < end, "another worker takes too long to build the site"
        time.sleep(0.2)
    return site


class Quiet(SimpleHTTPRequestHandler):
    """A static server that keeps no log, and has no icon to offer where none is asked for."""

    def log_message(self, *_):
        pass


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """The address of a server for a folder, as long as it is needed."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class Document(HTMLParser):
    """What matters of a page: its tags with their attributes, in order, and its title."""

    def __init__(self, text: str):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ids: set[str] = set()
        self.title = ""
        self._in_title = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        self._in_title = tag == "title" and not self.title
        for key in ("id", "name"):
            if attributes.get(key) and (key == "id" or tag == "a"):
                self.ids.add(attributes[key] or "")

    def handle_endtag(self, tag):
        if tag == "title":
            self._in_title = False

    def handle_data(self, data):
        if self._in_title:
            self.title += data

    def values(self, attribute: str) -> list[str]:
        """The values that some attribute has, wherever it stands."""
        return [value for _, attributes in self.tags if (value := attributes.get(attribute))]


@cache
def read(path: Path) -> Document:
    """A page of the site."""
    return Document(path.read_text("utf-8"))


def pages_of(site: Path) -> list[str]:
    """The addresses of all pages, relative to the first one."""
    found = [path.relative_to(site).parent for path in site.glob("**/index.html")]
    return sorted("" if str(path) == "." else f"{path}/" for path in found)

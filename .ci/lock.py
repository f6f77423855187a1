"""What the site is built with -> .ci/requirements.txt: every package in one version, every file by its hash.

`make lock` runs it, on Linux with Python 3.11 as on the machine that publishes the site. The lock names no
place from which packages come: that is a setting of whoever installs them.
"""

import hashlib
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / ".ci/requirements.txt"
HEAD = """\
# Made by `make lock`; do not edit. What the site is built with, on Linux with Python 3.11.
"""


def wanted() -> list[str]:
    """What rulespec, its site and its wheel need, as the project says it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needs = project["project"]["dependencies"]
    return [
        *needs,
        *project["project"]["optional-dependencies"]["docs"],
        *project["build-system"]["requires"],
        "editables>=0.5",  # for a checkout that is installed as it lies
    ]


def lock() -> str:
    """The lock as a text, from the packages as they can be had now."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
        command = [sys.executable, "-m", "pip", "download", *words, "--dest", folder, *wanted()]
        subprocess.run(command, check=True)
        rows = sorted(_row(path) for path in Path(folder).iterdir())
    return HEAD + "".join(rows)


def _row(wheel: Path) -> str:
    name, version = wheel.name.split("-")[:2]
    plain = re.sub(r"[-_.]+", "-", name).lower()
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return f"{plain}=={version} \\\n    --hash=sha256:{digest}\n"


if __name__ == "__main__":
    LOCK.write_text(lock(), "utf-8")

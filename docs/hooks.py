"""Hooks of mkdocs: pages write `REPOSITORY` for the address of the project; the semantics show their code."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from excerpts import add_code

UNKNOWN = "ADDRESS_OF_THE_REPOSITORY"  # if neither `RULESPEC_REPOSITORY` nor mkdocs.yml gives one
SEMANTICS = "language/13-semantics.md"


def on_page_markdown(markdown: str, config: Any, page: Any = None, **_: Any) -> str:
    """Put the address into a page, and the code into the semantics."""
    if page is not None and page.file.src_uri == SEMANTICS:
        markdown = add_code(markdown)
    return markdown.replace("REPOSITORY", config.repo_url or UNKNOWN)

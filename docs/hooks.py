"""Hooks of mkdocs: pages write `REPOSITORY` where the address of the project belongs."""

from typing import Any

UNKNOWN = "ADDRESS_OF_THE_REPOSITORY"  # if neither `RULESPEC_REPOSITORY` nor mkdocs.yml gives one


def on_page_markdown(markdown: str, config: Any, **_: Any) -> str:
    """Put the address into a page."""
    return markdown.replace("REPOSITORY", config.repo_url or UNKNOWN)

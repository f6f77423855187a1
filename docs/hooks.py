"""What mkdocs does to pages: the address of the project stands in them as `REPOSITORY`."""

from typing import Any

UNKNOWN = "ADDRESS_OF_THE_REPOSITORY"  # where whoever builds the site has not said it


def on_page_markdown(markdown: str, config: Any, **_: Any) -> str:
    """The text of a page with the address in it."""
    return markdown.replace("REPOSITORY", config.repo_url or UNKNOWN)

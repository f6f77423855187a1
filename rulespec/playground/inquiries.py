"""Games that are being counted, as they are kept between slices."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import define

from rulespec.playground.drafts import Draft

if TYPE_CHECKING:
    from interpreter.lab.studies import Study


@define(eq=False)
class Inquiry:
    """The rules, the study so far, and what makes a report of it; `number` tells it from others."""

    number: int
    draft: Draft
    study: "Study"
    work: Callable[[], dict[str, Any]]
    total: int  # games, of all numbers of players

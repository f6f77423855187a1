"""A study under way, as the backend keeps it between slices."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulespec.playground.drafts import Draft

if TYPE_CHECKING:
    from interpreter.lab.plans import Plan
    from interpreter.lab.studies import Study


@define(eq=False)
class StudyRun:
    """The rules, the plan, the study so far, and the function that continues it and makes a report.

    `number` identifies it for the page. `played` counts finished games, by the kind of task and the number of players;
    `text` says how far it is.
    """

    number: int
    draft: Draft
    plan: "Plan"
    study: "Study"
    work: "Callable[[Plan, Study], dict[str, Any]]"
    played: dict[tuple[str, int], int] = field(factory=dict)
    text: str = ""

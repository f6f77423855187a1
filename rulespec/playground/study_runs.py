"""Games that are being counted, as they are kept between slices."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulespec.playground.drafts import Draft

if TYPE_CHECKING:
    from interpreter.lab.plans import Plan
    from interpreter.lab.studies import Study


@define(eq=False)
class StudyRun:
    """The rules, the plan, the study so far, and what plays on and makes a report of it.

    `number` tells it from others. `played` has the games that are done, by the kind of task and the number
    of players, and `text` says how far it is.
    """

    number: int
    draft: Draft
    plan: "Plan"
    study: "Study"
    work: "Callable[[Plan, Study], dict[str, Any]]"
    played: dict[tuple[str, int], int] = field(factory=dict)
    text: str = ""

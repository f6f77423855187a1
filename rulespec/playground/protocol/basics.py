"""What all messages are made of: rules, places in them, what is wrong with them, and why there is no answer."""

from typing import Literal, NotRequired, TypedDict


class Rules(TypedDict):
    """A text of rules and how it is to be played."""

    # The name of the file: `my_sins.rules`.
    file: str
    # What stands in the editor.
    text: str
    # Variants by name; none if it is left out.
    variants: NotRequired[list[str]]
    # Values of options, as they are written in the rules; the defaults if it is left out.
    options: NotRequired[dict[str, str]]


class Span(TypedDict):
    """A place in a file. Offsets and columns count UTF-16 units, as editors in browsers do."""

    # The file; it may be another one than that in the editor, such as the file that this
    # one extends.
    file: str
    # Whether it is the file in the editor: only then the offsets belong to its text.
    own: bool
    # The first unit, counted from 0.
    start: int
    # The unit behind the last one.
    end: int
    # The line on which it begins, counted from 1.
    line: int
    # The column in which it begins, counted from 1.
    column: int


class Related(TypedDict):
    message: str
    span: Span


class Diagnostic(TypedDict):
    """One sentence about one place, as `rulespec check` prints it."""

    # The public code, such as `RS201`.
    code: str
    severity: Literal["error", "warning"]
    # What is wrong, in the author's words.
    message: str
    # Something to type, if there is something.
    hint: str | None
    # Where.
    span: Span
    # Other places that matter, and why they do.
    related: list[Related]
    # What this kind of mistake is called.
    title: str
    # Why it is a mistake.
    why: str
    # Its entry in the reference, from the root of the site: `language/diagnostics/#rs201`.
    page: str


class Refusal(TypedDict):
    """Why there is no answer."""

    ok: Literal[False]
    # A sentence for people.
    error: str
    # Whose fault it is: that of the rules, of the player, of the request, or a bug of ours.
    fault: Literal["rules", "player", "request", "bug"]
    # What is wrong with the rules, if they are at fault.
    diagnostics: list[Diagnostic]


class Progress(TypedDict):
    """Told while a request is worked on."""

    # How much is done, from 0 to 1; null if nobody knows.
    share: float | None
    # What is being done.
    text: str

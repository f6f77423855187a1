"""Writing rules: what is wrong, what could be typed, the canonical form, examples, and the file."""

from typing import Literal, TypedDict

from rulespec.editing.vocabulary import WordKind
from rulespec.playground.protocol.basics import Diagnostic, Rules, Span
from rulespec.playground.protocol.shipped import Menu


class CheckRequest(TypedDict):
    """All that is wrong with a text."""

    kind: Literal["check"]
    rules: Rules


class CheckReply(TypedDict):
    diagnostics: list[Diagnostic]
    # `1 error, 2 warnings`, or `no errors`.
    summary: str
    # Whether it has no error.
    correct: bool
    # Whether it can be played: it has no error, and is a whole game.
    playable: bool
    # What can be chosen in it; null as long as it cannot be told.
    menu: Menu | None


class CompleteRequest(TypedDict):
    """Names and words that fit at a place."""

    kind: Literal["complete"]
    rules: Rules
    # Where, as an offset in UTF-16 units.
    at: int


class Completion(TypedDict):
    # What is written.
    text: str
    kind: WordKind
    # A few words to stand beside it: how it is declared.
    detail: str
    # A sentence about it, or nothing.
    about: str


class CompleteReply(TypedDict):
    # Where the word begins that would be replaced; it ends at `at`.
    start: int
    items: list[Completion]


class NameRequest(TypedDict):
    """What the name at a place is."""

    kind: Literal["name"]
    rules: Rules
    # Where, as an offset in UTF-16 units.
    at: int


class Meaning(TypedDict):
    # Where the name stands.
    start: int
    end: int
    # The line by which it is declared, or nothing.
    code: str
    # What is said of it; names stand in backticks.
    sentences: list[str]


class NameReply(TypedDict):
    # Null if there is no name, or nobody knows it.
    meaning: Meaning | None


class PlacesRequest(TypedDict):
    """Where the name at a place is declared, and where else it stands."""

    kind: Literal["places"]
    rules: Rules
    # Where, as an offset in UTF-16 units.
    at: int


class PlacesReply(TypedDict):
    # Null if there is no name.
    name: str | None
    # The last one is in force. Of a clause its place in the rulebook, of a file its beginning.
    definitions: list[Span]
    # All places, those of its declarations among them, also in files on which this one builds.
    uses: list[Span]


class RenameRequest(TypedDict):
    """Another name for what has a name at a place."""

    kind: Literal["rename"]
    rules: Rules
    # Where, as an offset in UTF-16 units.
    at: int
    # The new name.
    name: str


class Change(TypedDict):
    """What stands between two places of the text is replaced."""

    start: int
    end: int
    text: str


class RenameReply(TypedDict):
    # In this text; none if it cannot be renamed.
    changes: list[Change]
    # Why it cannot be renamed; null if it can.
    refused: str | None


class MendRequest(TypedDict):
    """What the hint of a finding asks for."""

    kind: Literal["mend"]
    rules: Rules
    # Where the finding begins, as an offset in UTF-16 units, and its code.
    at: int
    code: str


class MendReply(TypedDict):
    # Null if nothing that was tried mends it.
    change: Change | None


class FormatRequest(TypedDict):
    """The text in its canonical form."""

    kind: Literal["format"]
    rules: Rules


class FormatReply(TypedDict):
    text: str
    # Whether it differs from what was sent.
    changed: bool


class ExamplesRequest(TypedDict):
    """Run the examples of a text, and those of its variants."""

    kind: Literal["examples"]
    rules: Rules


class Example(TypedDict):
    title: str
    # The variant to which it belongs, if any.
    variant: str | None
    # Where it stands.
    span: Span
    passed: bool
    # What went wrong, and where.
    diagnostics: list[Diagnostic]
    # The rules that were running then, the innermost first.
    running: list[str]


class ExamplesReply(TypedDict):
    examples: list[Example]
    # `12 of 13 examples hold`.
    summary: str


class ExportRequest(TypedDict):
    """The text as a file that `rulespec play` takes."""

    kind: Literal["export"]
    rules: Rules


class ExportReply(TypedDict):
    # A name that is good on every system, and that of no shipped file.
    file: str
    text: str
    # What to type: `rulespec play my_sins.rules`.
    command: str
    # Whether it can be played as it is.
    playable: bool

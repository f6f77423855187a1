"""A game -> a text that can be read, kept and replayed, and back.

Implements docs/language/13-semantics.md, "Transcripts". A transcript names the rules, the options, the seats, the
seed and the real choices, without forced ones. Each choice has its number, which decides, and its text, which tells a
reader what it was and shows where a transcript no longer fits.
"""

import re

from attrs import frozen

VERSION = 1


class BadTranscript(ValueError):  # noqa: N818 - it is the text that is wrong
    """A text that is no transcript, with the line where that shows."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.message, self.line = message, line


@frozen
class Choice:
    """Who chose, the number of the option, and its text."""

    player: str
    number: int
    text: str
    line: int = 0


@frozen
class Transcript:
    """All that determines a game."""

    game: str
    fingerprint: str
    variants: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    first: str | None
    seed: int
    choices: tuple[Choice, ...]


# [transcript.write]
def write(transcript: Transcript) -> str:
    """A transcript as text.

    >>> print(write(Transcript("sins.rules", "1b88", (), (), ("Ada", "Ben"), None, 7,
    ...                        (Choice("Ada", 2, "Ira"),))), end="")
    rulespec transcript 1
    game sins.rules
    version 1b88
    players Ada, Ben
    seed 7
    <BLANKLINE>
    Ada: 2 Ira
    """
    lines = [
        f"rulespec transcript {VERSION}",
        f"game {transcript.game}",
        f"version {transcript.fingerprint}",
        *(f"variant {name}" for name in transcript.variants),
        *(f"set {name} = {value}" for name, value in transcript.options),
        f"players {', '.join(transcript.players)}",
        *([f"first {transcript.first}"] if transcript.first is not None else []),
        f"seed {transcript.seed}",
        "",
        *(f"{choice.player}: {choice.number} {choice.text}" for choice in transcript.choices),
    ]
    return "\n".join(lines) + "\n"


_CHOICE = re.compile(r"(?P<player>[^:]+): (?P<number>\d{1,18})(?: (?P<text>.*))?")


# [transcript.read]
def read(text: str) -> Transcript:
    """A transcript from text; comments begin with `#`."""
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.strip().startswith("#")
    ]
    if not lines or lines[0][1] != f"rulespec transcript {VERSION}":
        message = f"a transcript begins with `rulespec transcript {VERSION}`"
        raise BadTranscript(message, lines[0][0] if lines else 1)
    head: dict[str, str] = {}
    variants, options, choices = [], [], []
    for number, line in lines[1:]:
        word, _, rest = line.partition(" ")
        match = _CHOICE.fullmatch(line)
        if match is not None:
            found = Choice(match["player"], int(match["number"]), match["text"] or "", number)
            choices.append(found)
        elif choices:
            raise BadTranscript("a choice is `Name: number text`", number)
        elif word == "variant":
            variants.append(rest)
        elif word == "set" and " = " in rest:
            name, _, value = rest.partition(" = ")
            options.append((name, value))
        elif word in ("game", "version", "players", "first", "seed") and word not in head:
            head[word] = rest
        else:
            raise BadTranscript(f"`{line}` has no meaning here", number)
    for word in ("game", "players", "seed"):
        if word not in head:
            raise BadTranscript(f"a transcript has a line `{word} …`", lines[-1][0])
    if not re.fullmatch(r"\d{1,20}", head["seed"]):
        raise BadTranscript(f"`{head['seed']}` is not a seed", lines[-1][0])
    players = tuple(name.strip() for name in head["players"].split(","))
    if head.get("first", players[0]) not in players:
        raise BadTranscript(f"`{head['first']}` is first, but does not play", lines[-1][0])
    return Transcript(
        game=head["game"],
        fingerprint=head.get("version", ""),
        variants=tuple(variants),
        options=tuple(options),
        players=players,
        first=head.get("first"),
        seed=int(head["seed"]),
        choices=tuple(choices),
    )

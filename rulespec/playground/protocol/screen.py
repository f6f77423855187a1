"""Everything that may be on the screen of whoever looks."""

from typing import TypedDict

from rulespec.playground.protocol.scores import Result


class Seat(TypedDict):
    # One who is called `You` is spoken to.
    name: str
    # `human`, or the word of a bot.
    kind: str


class Badge(TypedDict):
    text: str
    # The variable that it stands for, to ask why; null for who begins.
    variable: int | None


class Tone(TypedDict):
    """Colours of a card: `#rrggbb`. They never tell more than the text does."""

    ground: str
    ink: str


class Coloured(TypedDict):
    text: str
    tone: Tone


class Counter(TypedDict):
    """A variable of the rules."""

    variable: int
    title: str
    text: str
    # Whether it says no or nothing, and may be left out where room is scarce.
    idle: bool
    # Its values one by one, if they have colours.
    values: list[Coloured]


class Stack(TypedDict):
    """Equal cards that lie together."""

    # What stands on them; null if only their backs are seen.
    text: str | None
    count: int
    # Which faces these are, to match with `Item.spots` and to ask why; none for backs.
    faces: list[int]
    tone: Tone
    # Whether one of them has come here since the viewer chose.
    moved: bool
    # Whether something was just said about one of them, such as that it wins the trick.
    told: bool


class Zone(TypedDict):
    zone: int
    # Whose it is, though it lies in the middle.
    seat: int | None
    # Whether anything has ever lain there.
    used: bool
    # How many cards have come there since the viewer chose.
    grown: int
    title: str
    # A pile has an order, and its first card is the top one.
    pile: bool
    # How many cards there are; null if the viewer does not count them.
    count: int | None
    stacks: list[Stack]


class Group(TypedDict):
    """What lies together: a player's things, the zones of a family, or the rest."""

    title: str
    seat: int | None
    # Such as `dealer` or `first`.
    badges: list[Badge]
    counters: list[Counter]
    zones: list[Zone]


class Spot(TypedDict):
    zone: int
    face: int


class Item(TypedDict):
    # What `choose`, `tick` and `why` call it.
    number: int
    text: str
    tone: Tone | None
    # Where it lies on the table: it may be chosen by a click there.
    spots: list[Spot]
    # The player that it is, if it is one.
    seat: int | None
    # The zones that it stands for.
    zones: list[int]


class Ticks(TypedDict):
    """What may be ticked beside what is ticked."""

    # Numbers of items that go with what is ticked.
    more: list[int]
    # Whether what is ticked is an answer.
    complete: bool
    # What is still to be done, in a few words.
    need: str


class Question(TypedDict):
    prompt: str
    # Whether several things are ticked for one answer; otherwise one item is the answer.
    ticking: bool
    items: list[Item]
    # The item for declining, if that is allowed.
    decline: Item | None
    # How many answers there are; with more than a thousand only the first are among the items.
    count: int
    # If `ticking`: what `tick` replies as long as nothing is ticked.
    ticks: Ticks | None


class Word(TypedDict):
    """A part of a sentence: it may name a player, or something that has a colour."""

    text: str
    tone: Tone | None
    seat: int | None


class Sentence(TypedDict):
    """Something that happened, or a heading above it."""

    text: str
    # The same text in parts.
    words: list[Word]
    # Of a heading how deep it stands; null for what happened.
    level: int | None
    # What it consists of, step by step.
    details: list[str]
    # The clauses of the rulebook that the rule cites: `S-30`.
    cites: list[str]
    # The rule that made it happen.
    rule: str


class Frame(TypedDict):
    """Everything that may be on the screen now."""

    title: str
    # All players by seat.
    players: list[Seat]
    # Whose eyes these are; null if everybody may see it, as when the game is over or only
    # bots play.
    viewer: int | None
    # The person to whom the screen must be handed before anything is shown; then there is
    # nothing else.
    hand_to: int | None
    # What to say while bots think; null if none does.
    waiting: str | None
    over: bool
    # The headings that are open: the round, the turn, the trick.
    where: list[str]
    # Whose move it is, if that may be known.
    turn: int | None
    # The table: what belongs to nobody first, then the players; whoever looks comes last.
    groups: list[Group]
    # What the viewer is asked.
    question: Question | None
    # What happened, as far as the viewer may look back.
    story: list[Sentence]
    # The first sentence of the story that was not told before.
    fresh: int
    # Whether the last choice can be taken back.
    may_undo: bool
    # Who won, when the game is over.
    result: Result | None

"""Small games full of secrets, the same each time: some keep them, some give them away.

A number makes a game. What is drawn is public, or seen by the player for whom it is meant, as a cautious author
would have it; and now and then, more often in some games than in others, it is whatever comes along. What was shown
is remembered by its text, so that games ask for it again when it may have changed.
"""

import random
from collections.abc import Callable
from contextlib import contextmanager
from typing import TypeVar

from attrs import define, evolve, field

Value = TypeVar("Value")
DEEPEST = 3
EVERYONE, OWNER, OTHERS, TOP, NOBODY = "everyone", "owner", "others", "top", "nobody"
# Of every zone its index, its order and who sees it.
ZONES = {
    "deck": ("", "pile", NOBODY),
    "hand": ("Player", "pool", OWNER),
    "row": ("", "pool", EVERYONE),
    "line": ("", "pile", EVERYONE),
    "trash": ("", "pile", TOP),
    "stash": ("", "pool", NOBODY),
    "hole": ("Player", "pile", NOBODY),
    "brow": ("Player", "pool", OTHERS),
    "mine": ("Player", "pile", OWNER),
    "tent": ("Player", "pool", NOBODY),
    "front": ("Player", "pile", TOP),
    "well": ("Suit", "pile", TOP),
    "lake": ("Suit", "pool", EVERYONE),
    "mire": ("Suit", "pile", NOBODY),
}
# From this number on some zones are not counted by everybody; of each of these, by whom.
COUNTED = 20_000_000
# From this number on cards are also counted in groups, and by folds over several variables.
GROUPED = 40_000_000
COUNTERS = {
    "hand": (OWNER,),
    "stash": (NOBODY,),
    "brow": (OTHERS,),
    "tent": (OWNER, OWNER, OTHERS, NOBODY),
}
STATE = {
    "omen": ("", "0..99", "0"),
    "flag": ("", "Bool", "no"),
    "tint": ("", "Suit", "red"),
    "leader": ("", "Player", "first"),
    "mark": ("", "Piece?", "none"),
    "lot": ("", "set Piece", "[]"),
    "score": ("Player", "0..99", "0"),
    "tally": ("Suit", "0..99", "0"),
    "bet": ("Player", "Piece?", "none"),
    "hues": ("", "set Suit", "[]"),
}
STATE_OF_TURN = {
    "turns": ("", "0..99", "0"),
    "held": ("", "Piece?", "none"),
}
# Of every hidden variable its index, its type, its start, who sees it, and of what a choice for it is made.
HIDDEN = {
    "stake": ("Player", "0..9", "0", OWNER),
    "role": ("Player", "Suit", "red", OWNER),
    "bluff": ("Player", "Bool", "no", OWNER),
    "wish": ("Player", "0..9?", "none", OWNER),
    "brand": ("Player", "0..9", "0", OTHERS),
    "rumour": ("Player", "Bool", "no", NOBODY),
    "fate": ("", "0..9", "0", NOBODY),
    "twist": ("", "Bool", "no", NOBODY),
    "spy": ("", "Player", "first", NOBODY),
}
HIDDEN_OF_TURN = {"plan": ("", "0..9", "0", NOBODY)}
SIMPLE_QUESTIONS = ("More?", "Go on?")


@define
class Scope:
    """Names that have a value here, by their types, and what players were shown, by its text."""

    players: list[str] = field(factory=list)
    numbers: list[str] = field(factory=list)
    truths: list[str] = field(factory=list)
    suits: list[str] = field(factory=list)
    cards: list[str] = field(factory=list)  # never none
    maybe: list[str] = field(factory=list)  # cards, or none
    sets: list[str] = field(factory=list)
    known: dict[str, list[str]] = field(
        factory=dict
    )  # cards or sets of them, by who was shown them
    loops: int = 0
    rule: str = "play"

    def inner(self) -> "Scope":
        """What is named in a block is not named after it."""
        return evolve(
            self,
            players=[*self.players],
            numbers=[*self.numbers],
            truths=[*self.truths],
            suits=[*self.suits],
            cards=[*self.cards],
            maybe=[*self.maybe],
            sets=[*self.sets],
            known={who: [*what] for who, what in self.known.items()},
        )


class Maker:
    """Draws one game."""

    def __init__(self, number: int) -> None:
        self.luck = random.Random(number)  # noqa: S311 - games need no secrecy
        self.wild = self.luck.choice((0.0, 0.03, 0.08, 0.15, 0.3))
        self.players = self.luck.choice((2, 2, 2, 3, 3, 4))
        self.suits = ["red", "blue", "green"][: self.luck.choice((2, 2, 2, 3))]
        self.zones = ["deck", "hand"]
        self.state: list[str] = []
        self.helpers: dict[str, list[str]] = {}
        self.names = 0
        self.scope = Scope()
        others = [name for name in ZONES if name not in self.zones]
        self.allowed = ["deck", "hand", *self.luck.sample(others, self.luck.randint(1, 3))]
        self.variables = self.luck.sample([*STATE], self.luck.randint(1, 4))
        self.busy = False  # a helper is being made, so no other one is begun
        # Half of the games keep values hidden as well; the others are as they were before there were any.
        apart = random.Random(number + 7_000_000)  # noqa: S311 - it keeps no secret
        self.hidden: list[str] = []
        if apart.random() < 0.5:
            self.hidden = apart.sample([*HIDDEN, *HIDDEN_OF_TURN], apart.randint(1, 4))
        self.grouped = number >= GROUPED
        self.counters: dict[str, str] = {}
        if number >= COUNTED:
            self.counters = {name: apart.choice(who) for name, who in COUNTERS.items()}
            self.allowed += [name for name in COUNTERS if name not in self.allowed][:2]

    # ---- Luck ----

    def pick(self, values: "list[Value] | tuple[Value, ...]") -> Value:
        return self.luck.choice(values)

    def odds(self, chance: float) -> bool:
        return self.luck.random() < chance

    def is_wild(self) -> bool:
        return self.odds(self.wild)

    def new(self, base: str) -> str:
        self.names += 1
        return f"{base}{self.names}"

    def bind(self, base: str, names: list[str]) -> str:
        """A name to be assigned: a new one, or one that has a value already."""
        own = [name for name in names if name[-1].isdigit() and name.startswith(base)]
        if own and self.odds(0.3):
            name = self.pick(own)
            for known in self.scope.known.values():
                if self.odds(0.7):
                    known[:] = [each for each in known if each != name]
            return name
        return self.new(base)

    # ---- Places ----

    def zone(self, name: str, who: str) -> str:
        """A zone, with its index."""
        if name not in self.zones:
            self.zones.append(name)
        index = ZONES[name][0]
        if index == "Player":
            return f"{name}[{who}]"
        return f"{name}[{self.suit(who)}]" if index else name

    def some_zone(self, who: str) -> str:
        owner = who if self.odds(0.6) else self.player(who)
        return self.zone(self.pick(self.allowed), owner)

    def pile(self, who: str) -> str:
        piles = [name for name in self.allowed if ZONES[name][1] == "pile"]
        return self.zone(self.pick(piles), who if self.odds(0.6) else self.player(who))

    def variable(self, *names: str) -> str | None:
        """One of the variables of these names that the game has."""
        has = [name for name in names if name in self.variables]
        if self.scope.rule == "turn":
            has += [name for name in names if name in STATE_OF_TURN]
        if not has:
            return None
        name = self.pick(has)
        if name not in self.state:
            self.state.append(name)
        return name

    # ---- Hidden values ----

    def kept(self, who: str, *types: str) -> str | None:
        """A hidden value that this player sees; or any, by the way."""
        if not self.hidden or not self.odds(0.3):
            return None
        named = {**HIDDEN, **HIDDEN_OF_TURN}
        found = []
        for name in self.hidden:
            index, kind, _, seen = named[name]
            if kind not in types or (name in HIDDEN_OF_TURN and self.scope.rule != "turn"):
                continue
            if self.is_wild():
                found.append(f"{name}[{self.player(who)}]" if index else name)
            elif seen == OWNER:
                found.append(f"{name}[{who}]")
            elif seen == OTHERS:
                found.append(f"{name}[next({who})]")
        if not found:
            return None
        value = self.pick(found)
        return f"(0 if {value} == none else 1)" if value.startswith("wish") else value

    def hides(self, who: str, depth: int) -> list[str]:
        """A hidden variable is chosen, drawn, assigned or announced."""
        named = {**HIDDEN, **HIDDEN_OF_TURN}
        name = self.pick(self.hidden)
        if name in HIDDEN_OF_TURN and self.scope.rule != "turn":
            return self.moves(who, depth)
        index, kind, _, seen = named[name]
        owner = who if self.odds(0.75) else self.player(who)
        target = f"{name}[{owner}]" if index else name
        asked = owner if index and self.odds(0.8) else self.asked(who)
        values = {"0..9": f"0..min(9, {self.number(asked, 1)})", "0..9?": "0..2"}
        options = {**values, "Suit": "Suit", "Bool": "Bool", "Player": "Player"}[kind]
        may = kind == "0..9?"
        text = self.question()
        match self.luck.randrange(10):
            case 0 | 1 | 2:
                if may:
                    return [f'{asked} may choose {target} from {options} {text} or "none"']
                return [f"{asked} chooses {target} from {options} {text}"]
            case 3 | 4 if index:
                group = self.pick(("Player", "Player", f"others({who})"))
                if self.is_wild():
                    group = f"(Player where {self.truth('it', 1)})"
                if kind == "0..9":
                    options = f"0..min(9, {self.number('y', 2)})"
                if may:
                    return [
                        f'each y in {group} may choose {name}[y] from {options} {text} or "none"'
                    ]
                return [f"each y in {group} chooses {name}[y] from {options} {text}"]
            case 5 | 6:
                if kind == "0..9" and not self.is_wild():
                    options = "0..3"
                return [f"random {target} from {options}"]
            case 7:
                if may:
                    new = self.new("b")
                    self.scope.truths.append(new)
                    return [f"announce {new} = {target} == none"]
                base = {"0..9": "n", "Suit": "s", "Bool": "b", "Player": "q"}[kind]
                new = self.new(base)
                scope = self.scope
                names = {
                    "n": scope.numbers,
                    "s": scope.suits,
                    "b": scope.truths,
                    "q": scope.players,
                }
                whom = f" to {self.audience(who)}" if self.odds(0.4) else ""
                if not whom or self.odds(0.5):
                    names[base].append(new)
                return [f"announce {new} = {target}{whom}"]
            case _:
                viewer = owner if seen != NOBODY else self.player(who)
                value = {
                    "0..9": f"min(9, {self.number(viewer, 1)})",
                    "0..9?": self.pick(("none", "1", "2")),
                    "Suit": self.suit(viewer),
                    "Bool": self.truth(viewer, 1),
                    "Player": self.player(viewer),
                }[kind]
                return [f"{target} = {value}"]

    # ---- Players ----

    def player(self, who: str) -> str:
        if self.hidden and "spy" in self.hidden and self.is_wild() and self.odds(0.3):
            return "spy"
        found = [who, f"next({who})", f"left({who})", f"right({who})", "first", "next(first)"]
        found += self.scope.players
        if self.odds(0.1):
            variable = self.variable("leader")
            if variable:
                return variable
        if self.is_wild() and self.odds(0.4):
            return self.pick(
                (
                    f"best(sum(c.value for c in hand[x]) for x in order({who}))",
                    f"({who} if {self.truth(who)} else next({who}))",
                )
            )
        return self.pick(found)

    def audience(self, who: str) -> str:
        return self.pick(
            (
                who,
                who,
                f"others({who})",
                f"next({who})",
                "Player",
                f"[{who}, {self.player(who)}]",
                self.player(who),
            )
        )

    def learn(self, who: str, what: str) -> None:
        """Somebody was shown something, and the author counts on it from now on."""
        self.scope.known.setdefault(who, []).append(what)

    # ---- Cards ----

    def cards(self, who: str, depth: int = 0) -> str:
        """A set of cards that this player sees; or of any, by the way."""
        if depth < 2 and self.odds(0.35):
            return self.made_of(who, depth + 1)
        remembered = [*self.scope.sets, *(f"[{name}]" for name in self.scope.cards)]
        remembered += [f"top({name}, 1)" for name in self.scope.sets]
        if remembered and self.odds(0.15):
            return self.pick(remembered)
        if self.is_wild():
            hidden = ["deck", f"hand[next({who})]", f"top(deck, {self.luck.randint(1, 3)})"]
            hidden += [f"[{name}]" for name in (*self.scope.cards,)] + self.scope.sets
            variable = self.variable("lot")
            if variable:
                hidden.append(variable)
            return self.pick([*hidden, self.some_zone(who)])
        found = [f"hand[{who}]"] * 3
        for name in self.allowed:
            match ZONES[name]:
                case ("Player", _, "owner"):
                    found.append(self.zone(name, who))
                case (_, _, "everyone"):
                    found.append(self.zone(name, who))
                case (_, "pile", "top"):
                    found.append(f"top({self.zone(name, who)}, 1)")
                case ("Player", _, "others"):
                    found.append(self.zone(name, f"next({who})"))
        known = [*self.scope.known.get(who, []), *self.scope.known.get("", [])]
        found += known * 2
        return self.pick(found)

    def made_of(self, who: str, depth: int) -> str:
        one = self.cards(who, depth)
        match self.luck.randrange(8):
            case 0:
                return f"({one} + {self.cards(who, depth)})"
            case 1:
                return f"({one} - {self.cards(who, depth)})"
            case 2:
                return f"({one} & {self.cards(who, depth)})"
            case 3 | 4:
                return f"{one}[{self.suit(who)}]" if one[0] != "[" else one
            case 5:
                return f"({one} where it.value {self.pick(('>', '<', '=='))} {self.number(who, 2)})"
            case 6:
                return f"({one} if {self.truth(who, 2)} else {self.cards(who, depth)})"
            case _:
                return f"top({one}, {self.luck.randint(1, 2)})"

    def card(self) -> str | None:
        """A card that there is."""
        return self.pick(self.scope.cards) if self.scope.cards else None

    def maybe_card(self, who: str) -> str:
        found = [f"top({self.cards(who)})"] * 2 + self.scope.cards + self.scope.maybe
        if self.is_wild():
            found = [f"top({self.pile(who)})", *found]
            variable = self.variable("mark", "held")
            if variable:
                found.append(variable)
        found.append(
            f"{self.pick(('best', 'least'))}(c.{self.pick(('value', 'value', 'suit'))} for c in {self.cards(who)})".replace(
                "c.suit", "index(c.suit)"
            )
        )
        return self.pick(found)

    # ---- Plain values ----

    def suit(self, who: str, depth: int = 0) -> str:
        kept = self.kept(who, "Suit")
        if kept:
            return kept
        found = [*self.suits, *self.suits, *self.scope.suits]
        if self.is_wild() and self.scope.cards:
            found += [f"{c}.suit" for c in self.scope.cards] * 3
        if self.odds(0.15):
            variable = self.variable("tint")
            if variable:
                return variable
        if depth < 1 and self.odds(0.1):
            return f"({self.suit(who, 1)} if {self.truth(who, 2)} else {self.suit(who, 1)})"
        return self.pick(found)

    def number(self, who: str, depth: int = 0) -> str:
        """A number that is not below 0."""
        kept = self.kept(who, "0..9", "0..9?")
        if kept:
            return kept
        if self.grouped and depth < 2 and self.odds(0.25):
            return self.grouping(who)
        kind = self.luck.randrange(14 if depth < 2 else 6)
        match kind:
            case 0:
                return str(self.luck.randint(0, 3))
            case 1 | 2:
                return f"#{self.some_zone(who)}"
            case 3:
                variable = self.variable("omen", "score", "tally", "turns")
                index = {**STATE, **STATE_OF_TURN}[variable][0] if variable else ""
                if variable and index:
                    return f"{variable}[{self.player(who) if index == 'Player' else self.suit(who, 1)}]"
                return variable or "players"
            case 4 | 5:
                return self.pick(self.scope.numbers) if self.scope.numbers else "#deck"
            case 6 | 7:
                return f"#{self.cards(who)}"
            case 8:
                return f"sum(c.value for c in {self.cards(who, 1)})"
            case 9:
                return f"({self.number(who, 2)} if {self.truth(who, 1)} else {self.number(who, 2)})"
            case 10:
                card = self.card()
                if card and self.is_wild():
                    return f"{card}.value"
                known = [c for c in self.scope.cards if c in self.scope.known.get(who, [])]
                if known:
                    return f"{self.pick(known)}.value"
                return f"max(0, {self.number(who, 1)} - {self.number(who, 2)})"
            case 11:
                return self.valued(who)
            case 12 if self.scope.maybe:
                names = [*self.scope.maybe, *self.scope.cards]
                return (
                    f"#{self.pick(names)}"
                    if self.odds(0.5)
                    else f"#[{self.pick(names)}, {self.pick(names)}]"
                )
            case _:
                return f"#({self.cards(who, 1)}.{self.pick(('suit', 'value'))})"

    def grouping(self, who: str) -> str:
        """How much there is in groups of cards."""
        a, b, group = self.new("a"), self.new("b"), self.new("g")
        one, other = self.cards(who, 1), self.cards(who, 1)
        size = self.pick(("", ", 2", ", 2..3"))
        groups = f"{self.pick(('alike', 'runs'))}({one}, value{size})"
        match self.luck.randrange(6):
            case 0:
                return f"sum({a}.value * {b}.value for {a} in {one}, {b} in {other})"
            case 1:
                return f"sum(1 for {a} in {one}, {b} in {one} - [{a}] where it.suit == {a}.suit)"
            case 2:
                return f"sum(#{group} for {group} in {groups})"
            case 3:
                return f"max(#{a} + #{b} for {a} in subsets({one}, 0..1), {b} in subsets({other} - {a}, 0..1))"
            case 4:
                self.helpers.setdefault(
                    "spread",
                    [
                        "let spread(cards: set Piece) = whole - lowest * #cards",
                        "    with lowest = min(1, min(c.value for c in box + cards)) if #cards > 0 else 0,",
                        "         whole = sum(c.value for c in cards)",
                    ],
                )
                return f"spread({one})"
            case _:
                inside = f"{one if one[0] != '[' else f'hand[{who}]'}[suit = {group}]"
                return f"#[runs({inside}, value{size}) for {group} in Suit]"

    def valued(self, who: str) -> str:
        """What a table or a function says."""
        card = self.card()
        match self.luck.randrange(4):
            case 0 if card and (self.is_wild() or card in self.scope.known.get(who, [])):
                self.helpers.setdefault(
                    "worth",
                    [
                        "table worth(c: Piece)",
                        *self.pick(
                            (
                                ["  c.suit => worth", "  red => 2", "  * => c.value"],
                                ["  c.value => worth", "  2+ => 3", "  * => 1"],
                                ["  c.suit | c.value => worth", "  red | 2+ => 1", "  * | * => 2"],
                            )
                        ),
                    ],
                )
                return f"worth({card})"
            case 1:
                if "reach" not in self.helpers:
                    with self.apart({"players": ["x"]}):
                        self.helpers["reach"] = [f"let reach(x: Player) = {self.number('x', 2)}"]
                return f"reach({self.player(who)})"
            case 2:
                self.helpers.setdefault(
                    "least_of",
                    ["let reds_of(s: set Piece) = #s[red]"],
                )
                return f"reds_of({self.cards(who)})"
            case _:
                if "sized" not in self.helpers:
                    self.helpers["sized"] = [
                        "table sized(n: 0..999)",
                        "  n => sized",
                        "  0 => 1",
                        f"  1..{self.luck.randint(2, 3)} => 2",
                        "  * => 3",
                    ]
                return f"sized({self.number(who, 2)})"

    def truth(self, who: str, depth: int = 0) -> str:
        kept = self.kept(who, "Bool")
        if kept:
            return kept
        kind = self.luck.randrange(12 if depth < 2 else 5)
        match kind:
            case 0 | 1:
                sign = self.pick((">", "==", "<", "!=", ">=", "<="))
                return f"{self.number(who, depth + 1)} {sign} {self.luck.randint(0, 3)}"
            case 2:
                variable = self.variable("flag")
                return variable or f"{self.player(who)} == first"
            case 3 | 4:
                return self.pick(self.scope.truths) if self.scope.truths else "#deck > 2"
            case 5:
                return f"#{self.cards(who, 1)} > 0"
            case 6:
                return f"{self.player(who)} {self.pick(('==', '!='))} {self.player(who)}"
            case 7:
                quantifier = self.pick(("any", "all"))
                return f"{quantifier}(c.value > 1 for c in {self.cards(who, 1)})"
            case 8:
                return f"{self.maybe_card(who)} {self.pick(('==', '!='))} none"
            case 9:
                card = self.card()
                return (
                    f"{card} in {self.cards(who, 1)}"
                    if card
                    else f"{self.suit(who)} in {self.cards(who, 1)}.suit"
                )
            case 10:
                return f"{self.maybe_card(who)} == {self.maybe_card(who)}"
            case _:
                return f"({self.truth(who, 2)} {self.pick(('and', 'or'))} {self.truth(who, 2)})"

    # ---- Statements ----

    @contextmanager
    def apart(self, names: dict[str, list[str]], rule: str = ""):
        """Draw what another declaration consists of, with names of its own."""
        before, busy = self.scope, self.busy
        self.scope, self.busy = Scope(**names, rule=rule), True
        try:
            yield
        finally:
            self.scope, self.busy = before, busy

    def block(self, who: str, depth: int, most: int = 3, *, loop: bool = False) -> list[str]:
        before = self.scope
        self.scope = before.inner()
        self.scope.loops += loop
        try:
            return [
                f"  {line}"
                for _ in range(self.luck.randint(1, most))
                for line in self.statement(who, depth + 1)
            ]
        finally:
            self.scope = before

    def statement(self, who: str, depth: int = 0) -> list[str]:
        makers: list[tuple[int, Callable[[str, int], list[str]]]] = [
            (6, self.moves),
            (5, self.chooses_card),
            (4, self.chooses_plain),
            (2, self.chooses_each),
            (3, self.draws),
            (4, self.shows),
            (2, self.announces),
            (2, self.tells),
            (3, self.names_local),
            (3, self.assigns),
            (2, self.calls),
            (1, self.shuffles),
            (3, self.probes),
        ]
        if self.hidden:
            makers += [(9, self.hides)]
        if depth < DEEPEST:
            makers += [(4, self.branches), (2, self.loops)]
        if depth > 0:
            makers += [(1, self.leaves)]
        weights = [weight for weight, _ in makers]
        (_, make), *_ = self.luck.choices(makers, weights)
        return make(who, depth)

    def moved(self, who: str) -> str:
        """What is moved; cards that nobody names are moved from places that everybody knows."""
        places = [f"top({self.pile(who)})"] * 3
        places += [f"top({self.pile(who)}, {self.number(who, 2)})", self.some_zone(who)]
        places += [*self.scope.cards, *self.scope.maybe] * 2 + self.scope.sets
        if self.is_wild():
            places += [self.cards(who)] * 4
        elif self.odds(0.15):
            places += [self.cards("first")] * 2
        return self.pick(places)

    def moves(self, who: str, _depth: int) -> list[str]:
        if self.odds(0.15):
            return [f"move top({self.pile(who)}) to {self.pile(who)} at {self.position(who)}"]
        return [
            f"move {self.moved(who)} {self.pick(('to', 'to', 'to', 'under'))} {self.some_zone(who)}"
        ]

    def position(self, who: str) -> str:
        """Where in a pile: mostly what everybody knows, and now and then where a card lies in it."""
        if self.scope.cards and self.odds(0.3):
            where = f"position({self.pick(self.scope.cards)}, {self.some_zone(who)})"
            return f"(1 if {where} == none else {where})"
        return f"max(1, {self.number(who, 2)})"

    def question(self) -> str:
        """The text of a question, now and then with a name in it."""
        names = []
        if self.odds(0.25):
            names = [*self.scope.numbers, *self.scope.suits, *self.scope.players]
            names = [name for name in names if name.isidentifier() and name != "first"]
            if self.is_wild():
                names += [*self.scope.cards]
        if names:
            return f'"Is it {{{self.pick(names)}}}?"'
        return f'"{self.pick(SIMPLE_QUESTIONS)}"'

    def asked(self, who: str) -> str:
        """Who is asked: mostly the player of the rule."""
        return who if self.odds(0.75) else self.player(who)

    def chooses_card(self, who: str, _depth: int) -> list[str]:
        asked = self.asked(who)
        options = self.cards(asked)
        text = self.question()
        if self.odds(0.25):
            name = self.bind("few", self.scope.sets)
            amount = self.pick(("1", "1..2", "0..1", "2"))
            line = f'{asked} may choose {name} from subsets({options}, {amount}) {text} or "none"'
            self.scope.sets.append(name)
            self.learn(asked, name)
            return [line, *self.follows(who, name)]
        if self.odds(0.5):
            name = self.bind("maybe", self.scope.maybe)
            line = f'{asked} may choose {name} from {options} {text} or "none"'
            if self.odds(0.3):
                line = (
                    f"{asked} chooses {name} from {options}, or {self.new('way')} from Suit {text}"
                )
            self.scope.maybe.append(name)
            return [line, *self.follows(who, name)]
        before = self.scope
        self.scope = before.inner()
        name = self.bind("card", self.scope.cards)
        self.scope.cards.append(name)
        self.learn(asked, name)
        body = [f"{asked} chooses {name} from {options} {text}", *self.follows(who, name)]
        for _ in range(self.luck.randint(0, 2)):
            body += self.statement(who, DEEPEST)
        self.scope = before
        return [f"if #{options} > 0", *(f"  {line}" for line in body)]

    def follows(self, who: str, name: str) -> list[str]:
        """What becomes of a card that was chosen."""
        match self.luck.randrange(6):
            case 0 | 1 | 2:
                return [f"move {name} {self.pick(('to', 'to', 'under'))} {self.some_zone(who)}"]
            case 3:
                self.learn("", name)
                return [f"reveal {name}"]
            case _:
                return []

    def chooses_plain(self, who: str, _depth: int) -> list[str]:
        asked = self.asked(who)
        text = self.question()
        match self.luck.randrange(7):
            case 0 | 1 | 2:
                name = self.bind("n", self.scope.numbers)
                options = self.pick(
                    (f"0..{self.number(asked)}", f"0..{self.number(asked)}", "1..3")
                )
                line = f"{asked} chooses {name} from {options} {text}"
                self.scope.numbers.append(name)
            case 3:
                name = self.bind("s", self.scope.suits)
                line = f"{asked} chooses {name} from Suit {text}"
                self.scope.suits.append(name)
            case 4:
                name = self.bind("q", self.scope.players)
                options = self.pick(
                    (
                        f"others({asked})",
                        "Player",
                        f"[{asked}] + (Player where {self.number('it', 2)} > {self.luck.randint(0, 2)})",
                    )
                )
                line = f"{asked} chooses {name} from {options} {text}"
                self.scope.players.append(name)
            case 5:
                variable = self.variable("omen", "turns")
                if variable is None:
                    return self.chooses_card(who, _depth)
                return [f"{asked} chooses {variable} from 0..{self.number(asked)} {text}"]
            case _:
                name = self.bind("b", self.scope.truths)
                line = f"{asked} chooses {name} from Bool {text}"
                self.scope.truths.append(name)
        return [line]

    def chooses_each(self, who: str, _depth: int) -> list[str]:
        text = self.question()
        group = self.pick(("Player", "Player", f"others({who})", f"[{who}, next({who})]"))
        someone = self.player(who)
        if self.is_wild():
            group = f"(Player where {self.truth('it', 1)})"
        match self.luck.randrange(4):
            case 0:
                name = self.new("bid")
                amount = self.number("y", 2) if self.odds(0.5) else "2"
                self.scope.truths += [f"{name}[{who}] == 1", f"{name}[{who}] == {name}[{someone}]"]
                return [f"each y in {group} chooses {name}[y] from 0..{amount} {text}"]
            case 1:
                name = self.new("vote")
                self.scope.truths += [f"{name}[{someone}] == yes", f"{name}[{who}] == no"]
                return [f"each y in {group} chooses {name}[y] from Bool {text}"]
            case 2:
                variable = self.variable("bet")
                if variable:
                    self.scope.maybe.append(f"{variable}[{someone}]")
                    self.learn(who, f"{variable}[{who}]")
                    return [
                        f'each y in {group} may choose {variable}[y] from hand[y] {text} or "none"'
                    ]
        name = self.new("gift")
        self.scope.maybe += [f"{name}[{who}]", f"{name}[{someone}]"]
        lines = [
            f'each y in {group} may choose {name}[y] from {self.cards("y", 1)} {text} or "none"'
        ]
        if self.odds(0.5):
            lines.append(f"move {name}[{someone}] to {self.some_zone(who)}")
        return lines

    def draws(self, who: str, _depth: int) -> list[str]:
        """Chance."""
        if self.odds(0.3):
            name = self.bind("n", self.scope.numbers)
            self.scope.numbers.append(name)
            return [f"random {name} from 1..{self.luck.randint(2, 4)}"]
        if self.odds(0.1):
            name = self.bind("q", self.scope.players)
            self.scope.players.append(name)
            return [f"random {name} from Player"]
        source = self.some_zone(who) if self.odds(0.7) else self.cards(who)
        before = self.scope
        self.scope = before.inner()
        if self.is_wild() and self.odds(0.5):
            name = self.bind("n", self.scope.numbers)
            body = [f"random {name} from {source}.value"]
            self.scope.numbers.append(name)
        elif self.odds(0.2):
            name = self.bind("few", self.scope.sets)
            body = [f"random {name} from subsets({source}, 1)", *self.follows(who, name)]
            self.scope.sets.append(name)
        else:
            name = self.bind("card", self.scope.cards)
            self.scope.cards.append(name)
            body = [f"random {name} from {source}", *self.follows(who, name)]
        if self.odds(0.4):
            body.append(f"show {name} to {who}") if not name.startswith("n") else None
            self.learn(who, name) if not name.startswith("n") else None
        for _ in range(self.luck.randint(0, 2)):
            body += self.statement(who, DEEPEST)
        self.scope = before
        return [f"if #{source} > 0", *(f"  {line}" for line in body)]

    def shows(self, who: str, _depth: int) -> list[str]:
        what = self.pick(
            [
                f"top({self.pile(who)})",
                f"top({self.pile(who)}, {self.luck.randint(1, 3)})",
                self.some_zone(who),
                f"hand[{self.player(who)}]",
                *self.scope.cards,
                *self.scope.maybe,
                *self.scope.sets,
                *([self.cards(who)] * 2),
            ]
        )
        known = (
            f"{what.replace(')', ', 1)', 1)}"
            if what.startswith("top(") and what.count(")") == 1 and "," not in what
            else what
        )
        if self.odds(0.3):
            self.learn("", known)
            return [f"reveal {what}"]
        whom = self.audience(who)
        if whom == "Player":
            self.learn("", known)
        elif whom.startswith("others("):
            self.learn(f"next({who})", known)
        elif not whom.startswith("["):
            self.learn(whom, known)
        else:
            self.learn(who, known)
        return [f"show {what} to {whom}"]

    def probes(self, who: str, _depth: int) -> list[str]:
        """A question that depends on something that was named or shown before, and may have changed since."""
        known = [(asked, each) for asked, found in self.scope.known.items() for each in found]
        names = [(who, f"[{each}]") for each in self.scope.cards]
        names += [(who, each) for each in self.scope.sets]
        if not known or (names and self.odds(0.15)):
            known = names or [(who, f"hand[{who}]")]
        asked, what = self.pick(known)
        asked = asked or self.player(who)
        if what in self.scope.cards:
            amount = self.pick((f"{what}.value", f"#{what}[{self.suit(asked, 1)}]", f"#{what}"))
        elif what.endswith("]") and what.startswith(("bet[", "gift")):
            amount = f"#{what}"
        else:
            amount = self.pick(
                (
                    f"#{what}",
                    f"sum(c.value for c in {what})",
                    f"#({what} & {self.cards(asked, 2)})",
                    f"#({what} - {self.cards(asked, 2)})",
                    f"#({what} where it.suit == {self.suit(asked, 1)})",
                )
            )
        name = self.new("n")
        self.scope.numbers.append(name)
        line = f"{asked} chooses {name} from 0..{amount} {self.question()}"
        if self.odds(0.3):
            self.scope.numbers.remove(name)
            return [
                f"if {amount} > 1",
                f"  {asked} chooses {self.new('b')} from Bool {self.question()}",
            ]
        return [line]

    def announces(self, who: str, _depth: int) -> list[str]:
        """Something is said of anything."""
        wild, self.wild = self.wild, 0.5
        try:
            match self.luck.randrange(3):
                case 0:
                    name, value, names = self.new("n"), self.number(who), self.scope.numbers
                case 1:
                    name, value, names = self.new("b"), self.truth(who), self.scope.truths
                case _:
                    name, value = self.new("s"), self.suit(who)
                    names = self.scope.suits
        finally:
            self.wild = wild
        names.append(name)
        if self.odds(0.4):
            whom = self.audience(who)
            if not self.odds(0.7):
                names.remove(name)
            return [f"announce {name} = {value} to {whom}"]
        return [f"announce {name} = {value}"]

    def tells(self, who: str, _depth: int) -> list[str]:
        """A sentence with some value in it, or a heading."""
        value = self.luck.choice((self.number, self.suit, self.player, self.cards))(who)
        if self.odds(0.2):
            return [f'heading "Turn #: {{{value}}}"']
        whom = f" to {self.audience(who)}" if self.odds(0.25) else ""
        return [f'tell "Look: {{{value}}}"{whom}']

    def names_local(self, who: str, _depth: int) -> list[str]:
        match self.luck.randrange(5):
            case 0:
                value = self.number(who)
                name = self.bind("n", self.scope.numbers)
                self.scope.numbers.append(name)
            case 1:
                value = self.truth(who)
                name = self.bind("b", self.scope.truths)
                self.scope.truths.append(name)
            case 2:
                value = self.player(who)
                name = self.bind("q", self.scope.players)
                self.scope.players.append(name)
            case 3:
                value = self.maybe_card(who) if self.odds(0.6) else f"top({self.pile(who)})"
                name = self.bind("maybe", self.scope.maybe)
                self.scope.maybe.append(name)
            case _:
                value = self.cards(who) if self.odds(0.6) else self.some_zone(who)
                value = f"top({value}, 9)" if "[" not in value and "(" not in value else value
                name = self.bind("few", self.scope.sets)
                self.scope.sets.append(name)
        return [f"{name} = {value}"]

    def assigns(self, who: str, depth: int) -> list[str]:
        variable = self.variable(*STATE, *STATE_OF_TURN)
        if variable is None:
            return self.names_local(who, depth)
        index, kind, _ = {**STATE, **STATE_OF_TURN}[variable]
        target = variable
        if index == "Player":
            target = f"{variable}[{self.player(who)}]"
        elif index:
            target = f"{variable}[{self.suit(who)}]"
        viewer = "first" if self.odds(0.2) else who
        before, self.scope = self.scope, self.scope.inner()
        try:
            if not self.is_wild():
                # A variable is seen by everyone, so it is made of what everyone sees.
                self.scope.cards, self.scope.known = [], {"": before.known.get("", [])}
            match kind:
                case "0..99":
                    if self.odds(0.4):
                        value = f"min(99, {target} + 1)"
                    else:
                        value = f"min(99, {self.number_for_all(viewer)})"
                case "Bool":
                    value = (
                        self.truth(viewer) if self.is_wild() else f"{self.number_for_all(who)} > 1"
                    )
                case "Suit":
                    value = self.suit(viewer)
                case "Player":
                    value = self.player(viewer)
                case "set Suit":
                    value = f"{self.cards(viewer) if self.is_wild() else self.open_cards(who)}.suit"
                case "set Piece":
                    value = self.pick(
                        [self.cards(viewer), self.open_cards(who), *before.sets, "deck[red]"]
                    )
                case _:
                    value = self.pick(
                        [
                            f"top({self.pile(who)})",
                            self.maybe_card(viewer),
                            *before.cards,
                            *before.maybe,
                        ]
                    )
        finally:
            self.scope = before
        return [f"{target} = {value}"]

    def open_cards(self, who: str) -> str:
        """Cards that everybody sees."""
        found = [self.zone(name, who) for name in self.allowed if ZONES[name][2] == EVERYONE]
        found += self.scope.known.get("", [])
        return self.pick(found) if found else "box"

    def number_for_all(self, who: str) -> str:
        if self.is_wild():
            return self.number(who)
        return self.pick(
            (
                f"#{self.some_zone(who)}",
                f"sum(c.value for c in {self.open_cards(who)})",
                f"#{self.open_cards(who)}[{self.suits[0]}]"
                if not self.open_cards(who).startswith("[")
                else "1",
            )
        )

    def shuffles(self, who: str, _depth: int) -> list[str]:
        return [f"shuffle {self.pile(who)}"]

    def calls(self, who: str, depth: int) -> list[str]:
        """Rules and action tables, made when they are first called."""
        if self.busy:
            return self.moves(who, depth)
        card = self.card()
        match self.luck.randrange(7):
            case 0:
                self.helper("visit", "rule visit(x: Player)", {"players": ["x"]}, "x")
                return [f"visit({self.player(who)})"]
            case 1:
                self.helper(
                    "treat",
                    "rule treat(x: Player, s: set Piece)",
                    {"players": ["x"], "sets": ["s"]},
                    "x",
                )
                return [f"treat({self.player(who)}, {self.cards(who)})"]
            case 2 if card:
                self.helper(
                    "handle",
                    "rule handle(x: Player, c: Piece)",
                    {"players": ["x"], "cards": ["c"]},
                    "x",
                )
                return [f"handle({self.player(who)}, {card})"]
            case 3:
                if "refill" not in self.helpers:
                    with self.apart({"numbers": ["n"]}):
                        body = self.pick(
                            (
                                ["  repeat n: move top(deck) to z"],
                                [
                                    "  move top(deck, n) to z",
                                    f"  {self.pick(('nothing', 'reveal top(z, 1)'))}",
                                ],
                                ["  if #z < n: move top(deck) to z"],
                                ["  show top(z, n) to next(first)"],
                            )
                        )
                    self.helpers["refill"] = ["rule refill(z: Zone, n: 0..999)", *body]
                return [f"refill({self.some_zone(who)}, {self.number(who, 1)})"]
            case 4:
                if "test" not in self.helpers:
                    with self.apart({"players": ["x"]}):
                        body = []
                        for _ in range(self.luck.randint(0, 2)):
                            body += [f"  {line}" for line in self.statement("x", DEEPEST)]
                        self.helpers["test"] = [
                            "rule test(x: Player) -> Bool",
                            *body,
                            f"  if {self.truth('x')}: return yes",
                            *(
                                [f"  {line}" for line in self.statement("x", DEEPEST)]
                                if self.odds(0.4)
                                else []
                            ),
                            "  return no",
                        ]
                name = self.bind("b", self.scope.truths)
                value = f"test({self.player(who)})"
                self.scope.truths.append(name)
                return [f"{name} = {value}"]
            case 5 if card:
                if "use" not in self.helpers:
                    with self.apart({"players": ["x"], "cards": ["c"]}):
                        column = self.pick(("c.suit", "c.value", "c"))
                        keys = {"c.suit": ("red", "*"), "c.value": ("1", "2+"), "c": ("Card", "*")}[
                            column
                        ]
                        rows = []
                        for key in keys:
                            rows.append(f"  {key} =>")
                            rows += [f"    {line}" for line in self.statement("x", DEEPEST)]
                    self.helpers["use"] = [
                        "table use(x: Player, c: Piece)",
                        f"  {column} => does",
                        *rows,
                    ]
                return [f"use({self.player(who)}, {card})"]
            case _:
                if "act" not in self.helpers:
                    with self.apart({"players": ["x"]}):
                        rows = []
                        for key in ("0", "1", "2+"):
                            rows.append(f"  {key} =>")
                            rows += [f"    {line}" for line in self.statement("x", DEEPEST)]
                    self.helpers["act"] = ["table act(x: Player, n: 0..999)", "  n => does", *rows]
                return [f"act({self.player(who)}, {self.number(who, 1)})"]

    def helper(self, name: str, head: str, names: dict[str, list[str]], who: str) -> None:
        if name not in self.helpers:
            with self.apart(names, name):
                self.helpers[name] = [head, *self.block(who, 1)]

    def branches(self, who: str, depth: int) -> list[str]:
        viewer = who if self.odds(0.7) else self.player(who)
        condition = self.truth(viewer)
        if self.odds(0.4) and not self.is_wild():
            condition = self.pick(
                (
                    f"#{self.some_zone(who)} > {self.luck.randint(0, 2)}",
                    f"{self.number_for_all(who)} > {self.luck.randint(0, 3)}",
                )
            )
        body = self.block(who, depth, 2)
        match self.luck.randrange(6):
            case 0:
                return [f"if {condition}", *body, "else", *body]
            case 1 | 2:
                return [f"if {condition}", *body, "else", *self.block(who, depth, 2)]
            case 3 if self.scope.maybe:
                name = self.pick(self.scope.maybe)
                return [f"if {name} != none", *body]
            case _:
                return [f"if {condition}", *body]

    def loops(self, who: str, depth: int) -> list[str]:
        before, self.scope = self.scope, self.scope.inner()
        try:
            match self.luck.randrange(6):
                case 0 | 1:
                    name = self.new("q")
                    group = self.pick(("Player", f"others({who})", f"order({who})"))
                    if self.is_wild():
                        group = f"(Player where {self.truth('it', 1)})"
                    self.scope.players.append(name)
                    inner = name if self.odds(0.7) else who
                    return [f"for {name} in {group}", *self.block(inner, depth, 2, loop=True)]
                case 2 | 3:
                    name = self.new("card")
                    source = self.cards(who)
                    if self.odds(0.3):
                        source = self.some_zone(who)
                    self.scope.cards.append(name)
                    if source in self.scope.known.get(who, []) or source == f"hand[{who}]":
                        self.learn(who, name)
                    return [f"for {name} in {source}", *self.block(who, depth, 2, loop=True)]
                case 4:
                    count = self.pick(("2", self.number(who, 2)))
                    return [f"repeat min(3, {count})", *self.block(who, depth, 2, loop=True)]
                case _:
                    name = self.new("k")
                    leave = f"  if {name} > 2 or {self.truth(who, 1)}: stop"
                    return [
                        f"{name} = 0",
                        "repeat",
                        f"  {name} += 1",
                        leave,
                        *self.block(who, depth, 2, loop=True),
                    ]
        finally:
            self.scope = before

    def leaves(self, who: str, _depth: int) -> list[str]:
        ways = ["end"] if not self.busy or self.odds(0.3) else []
        if self.scope.loops:
            ways += ["stop"] * 2
        if self.scope.rule in {"turn", "visit", "treat", "handle"}:
            ways += ["return"] * 2
        if not ways:
            return self.moves(who, _depth)
        return [f"if {self.truth(who, 1)}: {self.pick(ways)}"]

    # ---- The whole ----

    def trigger(self) -> None:
        name = self.new("omen_of")
        with self.apart({"players": ["first"]}, "when"):
            wild, self.wild = self.wild, self.wild * 2
            condition = f"{self.number_for_all('first')} > {self.luck.randint(1, 3)}"
            if self.odds(self.wild):
                condition = self.truth("first")
            self.wild = wild
            body = self.block("first", 2, 2)
        self.helpers[name] = [f"let {name} = {condition}", f"when {name}", *body]

    def game(self) -> str:
        in_turns = self.odds(0.6)
        if not in_turns:
            self.hidden = [name for name in self.hidden if name not in HIDDEN_OF_TURN]
        who = "p" if in_turns else "first"
        self.scope = Scope(players=[who], rule="turn" if in_turns else "play")
        body: list[str] = []
        for _ in range(self.luck.randint(2, 6)):
            body += self.statement(who)
        setup = self.setup()
        if self.odds(0.3):
            self.trigger()
        turn, play = [], ["rule play", *(f"  {line}" for line in body)]
        if in_turns:
            turn = ["rule turn(p: Player)", *(f"  {line}" for line in body)]
            rounds = self.pick(
                (
                    ["  for p in order(first): turn(p)"],
                    ["  repeat 2", "    for p in order(first): turn(p)"],
                )
            )
            play = ["rule play", *rounds]
        finish = (
            ["rule finish", f"  {self.pick(('reveal deck', 'reveal hand[first]'))}"]
            if self.odds(0.1)
            else []
        )
        parts = [self.head(), *self.helpers.values()]
        lines = [line for part in (*parts, turn, setup, play, finish) for line in part]
        return "\n".join(lines) + "\n"

    def setup(self) -> list[str]:
        lines = ["rule setup"]
        if "lot" in self.variables and self.odds(0.4):
            self.variable("lot")
            lines.append("  lot = box[red]")
        lines += ["  move box to deck", "  shuffle deck"]
        lines.append(
            f"  for x in Player: move top(deck, {1 if self.players > 2 else self.luck.randint(1, 2)}) to hand[x]"
        )
        for name in [*self.zones]:
            if name in {"deck", "hand"} or self.odds(0.2):
                continue
            index = ZONES[name][0]
            if index == "Player":
                lines.append(f"  for x in Player: move top(deck) to {name}[x]")
            elif index:
                lines.append(f"  for s in Suit: move top(deck) to {name}[s]")
            else:
                lines.append(f"  move top(deck, {self.luck.randint(1, 2)}) to {name}")
        if "mark" in self.state and self.odds(0.4):
            lines.append("  mark = top(deck)")
        return lines

    def head(self) -> list[str]:
        most = self.luck.choice((2, 2, 3)) if len(self.suits) == 2 else 2
        copies = 1 if most == 3 or self.odds(0.6) else 2
        lines = [
            'game "Drawn"',
            f"players {self.players}",
            f"enum Suit = {', '.join(self.suits)}",
            "pieces | copies",
            f"  Card(suit: Suit, value: 1..{most}) | {copies}",
        ]
        if self.odds(0.3) or "use" in self.helpers:
            lines.append(
                f"  Joker(suit = red, value = {self.luck.randint(1, 3)}) | {self.luck.randint(1, 2)}"
            )
        lines.append(f"zones | order | seen by{' | counted by' if self.counters else ''}")
        for name in self.zones:
            index, order, seen = ZONES[name]
            counters = f" | {self.counters[name]}" if name in self.counters else ""
            lines.append(f"  {name}{f'[{index}]' if index else ''} | {order} | {seen}{counters}")
        for title, rows in (("state", STATE), ("state of turn", STATE_OF_TURN)):
            used = [name for name in self.state if name in rows]
            if used:
                lines.append(f"{title} | type | start")
            for name in used:
                index, kind, start = rows[name]
                lines.append(f"  {name}{f'[{index}]' if index else ''} | {kind} | {start}")
        for title, hidden in (("state", HIDDEN), ("state of turn", HIDDEN_OF_TURN)):
            used = [name for name in self.hidden if name in hidden]
            if used:
                lines.append(f"{title} | type | start | seen by")
            for name in used:
                index, kind, start, seen = hidden[name]
                lines.append(f"  {name}{f'[{index}]' if index else ''} | {kind} | {start} | {seen}")
        return lines


def secret_game(number: int) -> str:
    """The game with this number."""
    return Maker(number).game()

"""What somebody has typed -> the option that is meant, or how far a choice of several things has come.

An option is meant by its number in the list, by `#` and its number, or by its text as far as that is clear. If
the options are sets of things, and too many to be listed, the things are picked: one by one, or several
in a line. `done` ends it.
"""

import re
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from interpreter.labels import label
from interpreter.options import Decision
from interpreter.shown import selection
from interpreter.shown.selection import Selection
from rulespec.core.types import Several, Type, present

MOST_SETS = 12  # that are listed as a whole; of more of them the things are picked
MOST_LISTED = 200  # options; whoever wants another one types its number or its text


class Unclear(Exception):  # noqa: N818 - it says what is wrong
    """What was typed means no option, or several; the argument says so in a sentence."""


@frozen
class TypedItem:
    """Something to choose: what to type for it, its text, and an option's number or a thing."""

    key: str
    text: str
    value: int


@frozen
class TypedQuestion:
    """A question, and what may be answered now; things are picked if there is a selection."""

    decision: Decision
    items: tuple[TypedItem, ...]
    picked: Selection | None = None

    @property
    def is_numeric(self) -> bool:
        """Whether the texts are numbers themselves, which are typed as they are."""
        return any(item.key == item.text for item in self.items)


def ask_typed(decision: Decision) -> TypedQuestion:
    """What the player who is asked may answer."""
    options = decision.options
    if selection.is_set_choice(options) and len(options) > MOST_SETS:
        return _picking(decision, selection.empty_selection(options))
    texts = [decision.text(number) for number in range(min(len(options), MOST_LISTED))]
    own = texts[:-1] if decision.may and len(options) <= MOST_LISTED else texts
    # Nobody should have to type 1 for a 0.
    is_numeric = bool(own) and all(re.fullmatch(r"-?\d+", text) for text in own)
    keys = [
        text if is_numeric and number < len(own) else str(number + 1)
        for number, text in enumerate(texts)
    ]
    if is_numeric and len(own) < len(texts):
        keys[-1] = "-"
    items = (
        TypedItem(key, text, number)
        for number, (key, text) in enumerate(zip(keys, texts, strict=True))
    )
    return TypedQuestion(decision, tuple(items))


def _picking(decision: Decision, picked: Selection) -> TypedQuestion:
    """The things that can be picked now; declining only before anything is."""
    inner = present(decision.of)
    of = inner.of if isinstance(inner, Several) else inner
    things = [
        each
        for each in selection.tickable_elements(decision.options)
        if selection.may_tick(picked, each)
    ]
    items = [
        TypedItem(str(number), thing_text(decision, each, of), each)
        for number, each in enumerate(things, 1)
    ]
    return TypedQuestion(decision, tuple(items), picked)


def thing_text(decision: Decision, thing: Any, of: Type | None = None) -> str:
    """The text of one thing that is picked."""
    if of is None:
        inner = present(decision.of)
        of = inner.of if isinstance(inner, Several) else inner
    return label(decision.layout, thing, of, decision.names)


def understand(offer: TypedQuestion, line: str) -> TypedQuestion | int:
    """The number of an option, or the question as it is after some things were picked."""
    if offer.picked is None:
        return _option(offer, line)
    return _pick(offer, offer.picked, line)


# ---- One option ----------------------------------------------------------------------------------


def _option(offer: TypedQuestion, line: str) -> int:
    count = len(offer.decision.options)
    for item in offer.items:
        if item.key == line:
            return item.value
    number = re.fullmatch(r"#?(\d{1,18})", line)
    if number is not None and (line.startswith("#") or not offer.is_numeric):
        if not 1 <= int(number[1]) <= count:
            raise Unclear(f"there is no option {number[1]}; they are {_range(count)}")
        return int(number[1]) - 1
    found = _by_text(offer.items, line)
    return found.value


def _range(count: int) -> str:
    return "only 1" if count == 1 else f"1 to {count:,}"


def _by_text(items: Sequence[TypedItem], line: str) -> TypedItem:
    """The item that is called so, or the only one whose text begins so."""
    wanted = line.casefold()
    exact = [item for item in items if item.text.casefold() == wanted]
    begun = [item for item in items if item.text.casefold().startswith(wanted)]
    found = exact or begun
    # Equal texts may be different options, such as equal cards in a pile: one of them will do only
    # if the number says which.
    if len(found) == 1:
        return found[0]
    if not found:
        raise Unclear(f"`{line}` is not an option here; type a number of the list, or `help`")
    several = ", ".join(f"{item.key} {item.text}" for item in found[:5])
    raise Unclear(f"`{line}` may mean {several}{', …' if len(found) > 5 else ''}; type a number")


# ---- Several things ------------------------------------------------------------------------------


def _pick(offer: TypedQuestion, picked: Selection, line: str) -> TypedQuestion | int:
    words = _words(line)
    if not words:
        raise Unclear("this names nothing; type numbers of the list, or `help`")
    is_done = words[-1:] == ["done"]
    if words == ["back"]:
        if not picked.chosen:
            raise Unclear("nothing is picked yet")
        last = selection.toggle(picked, picked.chosen[-1])
        return _picking(offer.decision, last or picked)
    if len(words) == 1 and offer.decision.may and words[0] == offer.decision.decline.casefold():
        return len(offer.decision.options) - 1
    for word in words[:-1] if is_done else words:
        item = _thing(offer, picked, word)
        grown = selection.toggle(picked, item.value)
        if grown is None:
            raise Unclear(f"{item.text} does not go with the others; nothing was picked")
        picked = grown
    if is_done and not picked.is_complete:
        raise Unclear("this is not enough yet" if picked.growth.more else "this is not an option")
    answer = selection.chosen_option(picked)
    if answer is not None and (is_done or not picked.growth.more):
        return answer
    return _picking(offer.decision, picked)


def _words(line: str) -> list[str]:
    """What is picked in a line, by numbers or, with commas between them, by texts."""
    if re.fullmatch(r"[#\d\s,;]+(done)?", line):
        return [word.removeprefix("#") for word in re.split(r"[\s,;]+", line) if word]
    return [word.strip() for word in line.split(",") if word.strip()]


def _thing(offer: TypedQuestion, picked: Selection, word: str) -> TypedItem:
    if word.isdecimal():
        for item in offer.items:
            if item.key == word:
                if item.value in picked.chosen:
                    raise Unclear(f"{word} is picked twice")
                return item
        raise Unclear(f"there is no {word} in the list; it goes from {_range(len(offer.items))}")
    free = [item for item in offer.items if item.value not in picked.chosen]
    # Of things that look alike any will do.
    alike: dict[str, TypedItem] = {}
    for item in free:
        alike.setdefault(item.text.casefold(), item)
    return _by_text(list(alike.values()), word)

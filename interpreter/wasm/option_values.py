"""The words by which a module lists options go in; the options come out as the values that the reference uses."""

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.actions import Action
from interpreter.wasm.memory import ACTION, NONE
from rulespec.core import tree
from rulespec.core.types import Bool, Several, present


def decode_options(here: tree.Choose | tree.Each, form: str, words: Sequence[int]) -> Iterator[Any]:
    """The options of a question; `form` says how the module writes one of them."""
    of = here.of
    is_bool = isinstance(present(of.of if isinstance(of, Several) else of), Bool)
    other = here.other if isinstance(here, tree.Choose) else None
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word >= ACTION >> 1 and other is not None:
            yield action_of(other, word)
        elif form == "number":
            yield None if word == NONE else bool(word) if is_bool else word
        elif form == "small":
            yield None if word == NONE else tuple(n for n in range(63) if word >> n & 1)
        elif word < 0:
            yield None
        else:
            yield tuple(words[at : at + word])
            at += word


def action_of(other: tree.Other, word: int) -> Action:
    """The action that a word encodes."""
    found = word - ACTION
    return Action(bool(found) if isinstance(present(other.of), Bool) else found, other.of)

"""Functions and labels."""

from typing import Any

from attrs import define, field

from interpreter.wasm.expressions import Local


@define(eq=False, slots=True)
class Label:
    name: str = ""


@define(eq=False)
class Fn:
    """A function; `inline` if it is written where it is called."""

    name: str
    params: list[Local]
    results: list[int]
    body: list[Any] = field(factory=list)
    inline: bool = False
    number: int | None = None
    facts: Any = None  # once its body is complete: the locals that are set, those that begin at 0, how it returns

"""What a page does with the backend, without a page: it asks, clicks at random, and holds all to the protocol."""

import json
import random
from collections.abc import Iterator
from typing import Any

from attrs import define, field
from messages import replies, requests

from protocol_types import Checker
from rulespec import loading
from rulespec.playground.backend import Backend
from rulespec.playground.protocol.basics import Progress, Refusal

Data = dict[str, Any]


def rules_of(name: str, *variants: str, **options: str) -> Data:
    """The rules of a shipped file, as the page sends them."""
    rules = {"file": name, "text": loading.read(name).text}
    return {**rules, "variants": list(variants), "options": options}


def draft(text: str, file: str = "draft.rules") -> Data:
    """Rules from a text."""
    return {"file": file, "text": text}


def people(count: int) -> list[Data]:
    """Seats for so many who share a screen."""
    return [{"name": f"Person {n + 1}", "kind": "human"} for n in range(count)]


def one_and_bots(count: int, bot: str = "random") -> list[Data]:
    """You, and bots in the other seats."""
    bots = [{"name": f"Bot {n}", "kind": bot} for n in range(1, count)]
    return [{"name": "You", "kind": "human"}, *bots]


@define
class Page:
    """Asks, and keeps the texts that came across for the last request."""

    backend: Backend = field(factory=Backend)
    checker: Checker = field(factory=Checker)
    crossed: list[str] = field(factory=list)

    def ask(self, kind: str, **fields: Any) -> Data:
        """The reply, whatever it is; the request, what was told and the reply must be as the protocol has them.

        A game gets a seed, so that it is the same each time.
        """
        request = {"kind": kind, **({"seed": "1"} if kind == "start" else {}), **fields}
        assert not self.checker.wrong(request, requests()[kind])
        reply = self.send(json.dumps(request))
        for told in self.crossed[:-1]:
            assert not self.checker.wrong(json.loads(told), Progress)
        if reply["ok"] is False:
            assert not self.checker.wrong(reply, Refusal)
        else:
            content = {name: value for name, value in reply.items() if name != "ok"}
            assert not self.checker.wrong(content, replies()[kind])
        return reply

    def send(self, text: str) -> Data:
        """The reply to any text; a bug of ours is never one."""
        self.crossed = []
        answer = self.backend.answer(text, self.crossed.append)
        assert isinstance(answer, str)
        self.crossed.append(answer)
        reply: Data = json.loads(answer)
        assert isinstance(reply["ok"], bool)
        assert reply.get("fault") != "bug", reply["error"]
        return reply

    def get(self, kind: str, **fields: Any) -> Data:
        """What was asked for."""
        reply = self.ask(kind, **fields)
        assert reply["ok"], reply["error"]
        return reply

    def refuse(self, kind: str, **fields: Any) -> Data:
        """Why it was not given."""
        reply = self.ask(kind, **fields)
        assert not reply["ok"]
        return reply

    def start(self, rules: Data, seats: list[Data], **more: Any) -> Data:
        """The first frame of a game."""
        frame: Data = self.get("start", rules=rules, seats=seats, **more)["frame"]
        return frame

    def frame(self, kind: str, **fields: Any) -> Data:
        """The frame after a request."""
        frame: Data = self.get(kind, **fields)["frame"]
        return frame

    def click(self, frame: Data, chance: random.Random) -> Data:
        """Do anything that goes on with the game."""
        if frame["hand_to"] is not None:
            return self.frame("take")
        if frame["waiting"] is not None:
            return self.frame("bot", **self.beats(chance))
        return self.frame("choose", **self.answer(frame["question"], chance), **self.beats(chance))

    def beats(self, chance: random.Random) -> Data:
        """Sometimes every moment is wanted."""
        return {"beats": chance.random() < 0.5} if chance.random() < 0.2 else {}

    def answer(self, question: Data, chance: random.Random) -> Data:
        """Any answer: an item, or ticks that go together."""
        decline = question["decline"]
        if not question["ticking"]:
            items = question["items"] + ([decline] if decline else [])
            return {"item": chance.choice(items)["number"]}
        if decline and chance.random() < 0.2:
            return {"item": decline["number"]}
        chosen: list[int] = []
        ticks = question["ticks"]
        while ticks["more"] and not (ticks["complete"] and chance.random() < 0.4):
            chosen.append(chance.choice(ticks["more"]))
            ticks = self.get("tick", chosen=chosen)
        assert ticks["complete"], "what may be ticked leads to an answer"
        return {"ticked": chosen}


def subjects(frame: Data) -> list[Data]:
    """All that can be pointed at."""
    found = [subject for group in frame["groups"] for subject in _subjects_in(group)]
    if frame["question"] is not None:
        found.append({"of": "question"})
        found += [{"of": "item", "number": each["number"]} for each in frame["question"]["items"]]
    found += [{"of": "sentence", "number": number} for number in range(len(frame["story"]))]
    if frame["result"] is not None:
        found += [
            {"of": "score", "seat": row["seat"], "row": n}
            for row in frame["result"]["rows"]
            for n in range(len(row["scores"]))
        ]
    return found


def _subjects_in(group: Data) -> Iterator[Data]:
    if group["seat"] is not None:
        yield {"of": "player", "seat": group["seat"]}
    for each in group["counters"] + group["badges"]:
        if each["variable"] is not None:
            yield {"of": "counter", "variable": each["variable"]}
    for zone in group["zones"]:
        yield {"of": "zone", "zone": zone["zone"]}
        for stack in zone["stacks"]:
            yield {"of": "cards", "zone": zone["zone"], "faces": stack["faces"]}

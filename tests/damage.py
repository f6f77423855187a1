"""Damage to what is kept: of a valid text, bytes or JSON something that a fault, or a stranger, might make of it."""

import copy
import json
import random

HUGE = "9" * 5_000
STRANGE = (
    None, True, False, 0, 1, -1, 255, 2**31, 2**63, 2**64, 10**30, 1.5, float("nan"),
    "", "x", "0" * 300, [], {}, [[]], [None], {"a": 1},
)  # fmt: skip


def damage_bytes(chance: random.Random, content: bytes) -> bytes:
    """Bits that flipped; parts that are missing, doubled, exchanged or from elsewhere."""
    found = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        size = len(found)
        if not size:
            break
        at, other = chance.randrange(size), chance.randrange(size)
        length = chance.choice((1, 2, 7, 30))
        match chance.randrange(8):
            case 0:
                found[at] ^= 1 << chance.randrange(8)
            case 1:
                found[at] = chance.randrange(256)
            case 2:
                del found[at:]
            case 3:
                del found[at : at + length]
            case 4:
                found[at:at] = found[other : other + length]
            case 5:
                found[at : at + length], found[other : other + length] = (
                    found[other : other + length],
                    found[at : at + length],
                )
            case 6:
                found[at:at] = chance.choice((HUGE.encode(), b"[" * 3_000, b"\xff" * 30, b"\x00"))
            case _:
                found[at:at] = chance.randbytes(length)
    return bytes(found)


def damage_text(chance: random.Random, text: str) -> str:
    """Lines and words that are missing, doubled, exchanged or different."""
    lines = text.splitlines(keepends=True)
    for _ in range(chance.choice((1, 1, 2, 3))):
        if not lines:
            break
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        match chance.randrange(7):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                del lines[at:]
            case 4:
                words = lines[at].split(" ")
                words[chance.randrange(len(words))] = chance.choice(
                    ("", HUGE, "-1", "Ada", "x" * 5_000, "0", "7", "..", "(" * 2_000, "\x00", "=")
                )
                lines[at] = " ".join(words)
            case 5:
                words = lines[at].split(" ")
                chance.shuffle(words)
                lines[at] = " ".join(words)
            case _:
                return damage_bytes(chance, "".join(lines).encode()).decode("utf-8", "replace")
    return "".join(lines)


def damage_data(chance: random.Random, data: object) -> object:
    """Values of the wrong type, too large, missing, doubled or exchanged, anywhere in a tree of JSON."""
    found = copy.deepcopy(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        places = list(_places(found))
        if not places:
            break
        holder, key = chance.choice(places)
        match chance.randrange(8):
            case 0:
                holder[key] = copy.deepcopy(chance.choice(STRANGE))
            case 1:
                del holder[key]
            case 2 if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(holder[key]))
            case 3:
                other, there = chance.choice(places)
                one, two = copy.deepcopy(holder[key]), copy.deepcopy(other[there])
                other[there] = one
                if _is_there(holder, key):
                    holder[key] = two
            case 4 if type(holder[key]) is int:
                holder[key] += chance.choice((-1, 1, 2, 7, 2**40))
            case 5 if isinstance(holder[key], list):
                chance.shuffle(holder[key])
            case 6:
                holder[key] = nested(holder[key], chance.choice((1, 5, 40)))
            case _:
                holder[key] = chance.choice(STRANGE[:6])
    return found


def nested(value: object, depth: int) -> object:
    """A value in so many lists."""
    for _ in range(depth):
        value = [value]
    return value


def _places(value):
    """Of every value in a tree what holds it, and where."""
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _is_there(holder, key):
    return key in holder if isinstance(holder, dict) else key < len(holder)


def as_json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)

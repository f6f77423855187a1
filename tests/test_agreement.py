"""Agreement: no game that the check of secrets accepts is caught by the judge who plays it.

`secret_games` draws the games. The check calls one a leak that only might be one, the judge finds only what
happens in play; so they may differ, but in one way only. Every game in which they did not is kept in
`secrets/leaks/`, and named `drawn_` and what went wrong.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from attrs import define

from interpreter.judge import Leak, judge
from interpreter.leaks import diagnose, side_by_side
from interpreter.machine import Machine, build_machine
from interpreter.playthroughs import Playthrough, random_games
from rulespec.checks import check
from rulespec.diagnostics import Diagnostic
from rulespec.source import Source
from secret_games import COUNTED, GROUPED, secret_game
from sizes import some, tries
from unchecked import unchecked

GAMES = 12  # that are played of each program
PAIRS = 40
MOST_WORK = 3_000_000
CHUNKS = 16
SOAK = some(400_000)  # programs in all chunks: 20,000 in `make soak`
FAR = 1_000_000  # the number of the first program of the soak

Record: TypeAlias = Callable[[str, str], None]


@define
class Count:
    """How many programs were tried, and what came of them."""

    discarded: int = 0
    accepted: int = 0  # by the check; the judge has found nothing
    alarmed: int = 0  # by the check alone
    caught: int = 0  # by both

    @property
    def tried(self) -> int:
        return self.accepted + self.alarmed + self.caught

    def __str__(self) -> str:
        clean = self.accepted + self.alarmed
        share = 100 * self.accepted // max(1, clean)
        return (
            f"{self.tried} programs, {self.discarded} discarded: {self.accepted} "
            f"accepted, {self.alarmed + self.caught} flagged; in {clean} of them the judge finds nothing, "
            f"{share} % of these are accepted"
        )


def wrongs(source: Source) -> list[Diagnostic]:
    return list(check(Path(source.name), source).diagnostics)


def is_secret(found: Diagnostic) -> bool:
    return found.code.number.startswith("RS4")


def machine_of(source: Source) -> Machine:
    code = unchecked(Path(source.name), source)
    return build_machine(code, code.least_players)


def played(machine: Machine, games: int) -> list[Playthrough] | None:
    """Some games, if all of them come to an end."""
    found: list[Playthrough] = []
    for each in random_games(machine, range(1, games + 1)):
        if not each.over:
            return None
        found.append(each)
    return found


def first_leak(machine: Machine, games: list[Playthrough], pairs: int) -> Leak | None:
    for verdict in judge(machine, iter(games), pairs, 1, MOST_WORK):
        if verdict.leaks:
            return verdict.leaks[0]
    return None


def tell(number: int, text: str, leak: Leak) -> str:
    parts = (f"game {number}", text, diagnose(leak).message, side_by_side(leak))
    return "\n".join(map(str, parts))


def assert_agreement(number: int, count: Count, pairs: int = PAIRS) -> None:
    """The game with this number: if the check accepts it, the judge finds nothing."""
    text = secret_game(number)
    source = Source("drawn.rules", text)
    found = wrongs(source)
    if any(each.severity == "error" and not is_secret(each) for each in found):
        count.discarded += 1
        return
    machine = machine_of(source)
    games = played(machine, GAMES)
    if games is None:
        count.discarded += 1
        return
    leak = first_leak(machine, games, pairs)
    if any(is_secret(each) for each in found):
        count.alarmed += leak is None
        count.caught += leak is not None
        return
    assert leak is None, tell(number, text, leak)
    count.accepted += 1


@pytest.mark.parametrize("chunk", range(4))
def test_what_is_accepted_keeps_its_secrets(chunk: int) -> None:
    count = Count()
    for n in range(tries(3, soak=16)):
        assert_agreement(4 * n + chunk, count)

    assert count.tried


@pytest.mark.parametrize("chunk", range(2))
def test_what_is_accepted_keeps_hidden_counts(chunk: int) -> None:
    count = Count()
    for n in range(tries(3, soak=200)):
        assert_agreement(COUNTED + 2 * n + chunk, count)

    assert count.tried


def test_what_is_accepted_keeps_what_is_counted_in_groups() -> None:
    count = Count()
    for n in range(tries(3, soak=200)):
        assert_agreement(GROUPED + n, count)

    assert count.tried


def test_the_check_accepts_some_games_and_refuses_others() -> None:
    """Counted over more games than are played here: of a few, all may happen to be accepted."""
    found = [wrongs(Source("drawn.rules", secret_game(n))) for n in range(60)]
    right = [
        each
        for each in found
        if not any(wrong.severity == "error" and not is_secret(wrong) for wrong in each)
    ]
    flagged = sum(any(map(is_secret, each)) for each in right)

    assert len(right) - flagged > len(right) // 5
    assert flagged > len(right) // 10


def test_a_number_always_makes_the_same_game() -> None:
    assert [secret_game(n) for n in range(20)] == [secret_game(n) for n in range(20)]


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_agreement_over_many_programs(chunk: int, record_property: Record) -> None:
    """What was counted is told with `-rA`, or stands in a report of the tests."""
    count = Count()
    for n in range(SOAK // CHUNKS):
        assert_agreement(FAR + CHUNKS * n + chunk, count)

    print(count)  # noqa: T201 - a soak tells what it has done
    record_property("agreement", str(count))
    assert count.accepted > count.tried // 5

"""What players keep in mind, as features of a state and an action: for any game, and for The Sins.

`features` gets the games that go on, who is asked in each, what they see, and pairs of a game's row and an action; it gives
a row of numbers for each pair. `note` is told what is done.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from interpreter.research import Table

Array = npt.NDArray[np.float32]
Ints = npt.NDArray[Any]


class Sights:
    """For any game: what is seen now, and which action it is."""

    def __init__(self, table: Table, _games: int) -> None:
        self.actions = table.num_distinct_actions()
        self.size = table.observation_tensor_size() + self.actions

    def features(
        self, _games: Ints, _players: Ints, seen: Array, rows: Ints, actions: Ints
    ) -> Array:
        """What is seen, and a one for the action."""
        return np.concatenate([seen[rows], np.eye(self.actions, dtype=np.float32)[actions]], axis=1)

    def note(self, games: Ints, players: Ints, seen: Array, chosen: Ints) -> None:
        """Nothing is kept in mind."""


SIN, ACT, STONES = "Which sin do you take? ", "Where do the … cards go? ", "On which sins"
MOST = 8  # of a sin that are told apart: 0 to 7


class Sins:
    """For The Sins: what everybody could see being taken, which nobody may look at again.

    All sins are alike, so that an action is described by the sins that it is about: how many cards of them a player has
    kept, the Abyss has, the others have, and lie at the centre. So what is learnt about one sin holds for all.
    """

    def __init__(self, table: Table, games: int) -> None:
        texts = [table.action_to_string(n) for n in range(table.num_distinct_actions())]
        sins = [text.removeprefix(SIN) for text in texts if text.startswith(SIN)]
        self.first = texts.index(SIN + sins[0])
        self.keep, self.feed = (n for n, text in enumerate(texts) if text.startswith(ACT))
        placed = [text.startswith(STONES) for text in texts]
        kinds = [[text.startswith(SIN) for text in texts], placed]
        kinds += [[n == each for n in range(len(texts))] for each in (self.keep, self.feed)]
        self.kinds = np.array(kinds, np.float32).T
        self.about = np.array(
            [[sin in text and not text.startswith("With") for sin in sins] for text in texts],
            np.float32,
        )
        names = table.observation.names()
        self.centre = np.array(
            [[name == f"centre: {sin}" for sin in sins] for name in names],
            np.float32,
        )
        self.judged = [name.startswith("centre: Last Judgment") for name in names]
        self.counts = [names.index(each) for each in ("deck, backs: count", "abyss, backs: count")]
        self.counts.append(names.index("stones: Stone of Forgiveness"))
        self.owned = [
            [
                names.index(f"reserve[Player {n + 1}], backs: count"),
                names.index(f"pardons[Player {n + 1}]: Stone of Forgiveness"),
            ]
            for n in range(table.players)
        ]
        self.taken = np.zeros((games, table.players + 1, len(sins)), np.float32)  # last, the Abyss
        self.waits = np.full(games, -1)  # the sin whose cards are taken, until they go somewhere
        self.size = self.features(
            *(np.zeros(1, int),) * 2,
            np.zeros((1, len(names)), np.float32),
            *(np.zeros(1, int),) * 2,
        ).shape[1]

    def features(self, games: Ints, players: Ints, seen: Array, rows: Ints, actions: Ints) -> Array:
        """The sins that an action is about, how things stand, and what kind of action it is."""
        mine, abyss = self.taken[games, players], self.taken[games, -1]
        others = self.taken[games].sum(axis=1) - mine - abyss
        centre = seen @ self.centre
        sins = [_hot(each) for each in (mine, mine + centre, abyss, abyss + centre, others)]
        by_sin = np.concatenate([*sins, centre[:, :, None] / 3], axis=2)
        owned = seen[:, self.owned]
        own = owned[np.arange(len(games)), players]
        stand = np.concatenate(
            [
                *(_hot(each).sum(axis=1) for each in (mine, abyss, others)),
                seen[:, self.counts] / (40, 20, 4),
                seen[:, self.judged].sum(axis=1, keepdims=True),
                own / (20, 4),
                (owned.sum(axis=1) - own) / (20, 4),
            ],
            axis=1,
        )
        about, kinds = self.about[actions], self.kinds[actions]
        moves = np.flatnonzero(kinds[:, 2:].any(axis=1))
        about[moves, self._taking(games, centre)[rows[moves]]] = 1
        told = np.einsum("rs,rsf->rf", about, by_sin[rows])
        parts = [told, told * kinds[:, 2:3], told * kinds[:, 3:], kinds, stand[rows]]
        return np.concatenate(parts, axis=1).astype(np.float32)

    def note(self, games: Ints, players: Ints, seen: Array, chosen: Ints) -> None:
        """The cards of a sin are chosen, or go where everybody can see them go."""
        picked = (chosen >= self.first) & (chosen < self.first + self.about.shape[1])
        self.waits[games[picked]] = chosen[picked] - self.first
        for action in (self.keep, self.feed):
            now = np.flatnonzero(chosen == action)
            centre = (seen @ self.centre)[now]
            at, sin = games[now], self._taking(games[now], centre)
            to = players[now] if action == self.keep else -1
            self.taken[at, to, sin] += centre[np.arange(len(now)), sin]
            self.waits[at] = -1

    def _taking(self, games: Ints, centre: Array) -> Ints:
        """The sin whose cards are taken: the one that was chosen, or the only one, as then nobody is asked."""
        found: Ints = np.where(self.waits[games] < 0, centre.argmax(axis=1), self.waits[games])
        return found


def _hot(counts: Array) -> Array:
    """Numbers as ones in their places: three cards are good, and four are bad."""
    found: Array = (np.minimum(counts, MOST - 1)[:, :, None] == np.arange(MOST)).astype(np.float32)
    return found

"""A real Dask scheduler with two workers, one of which is killed on the way: run by test_lab_cluster.py.

    python tests/lab_cluster.py

Prints what came out of a study there; and of all that is asked of players who think, both there and here, in other
pieces.
"""

import json
import os
import signal
import sys

from distributed import LocalCluster

from interpreter.game_loading import load
from interpreter.lab import comparison, plans, simulation
from interpreter.lab.clusters import cluster_crew
from interpreter.lab.comparison import Contender, compare
from interpreter.lab.crews import local_crew
from interpreter.lab.simulation import Plan, simulate
from interpreter.lab.studies import Study
from lab_games import PICK, TWO_TAKE, game

ASKED = Plan(20, (2,), seed=3, sample=5, thinking=6, thinkers=(2,), skill=4, restricted=4)


def ask(study: Study) -> list:
    """A simulation and a comparison with everything that is asked of players who think: these think only a little."""
    plans.USUAL = "greedy:4"
    simulation.ladder = comparison.ladder = lambda: (("greedy:4", "random"),)
    sides = Contender("A", game(TWO_TAKE)), Contender("B", game(PICK))
    return [simulate(sides[1].game, ASKED, study), compare(sides, ASKED, study)]


def main() -> None:
    sins = load("sins.rules")
    plan = Plan(600, (2, 3), seed=4, sample=10)
    with LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        victim = cluster.workers[0].pid
        killed = []

        def tell(_errand, done):
            if done.games >= 100 and not killed:
                killed.append(victim)
                os.kill(victim, signal.SIGKILL)

        crew = cluster_crew(cluster.scheduler_address)
        far = simulate(sins, plan, Study(crew, told=tell, chunk=20))
        asked = [ask(Study(crew, chunk=3)), ask(Study(local_crew(1), chunk=7))]
        json.dump(
            {"width": crew.width, "killed": len(killed), "far": far, "asked": asked}, sys.stdout
        )


if __name__ == "__main__":
    main()

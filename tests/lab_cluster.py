"""A real Dask scheduler with two workers, one of which is killed on the way: run by test_lab_cluster.py.

    python tests/lab_cluster.py

Prints what came out of the same study, played here and by the cluster.
"""

import json
import os
import signal
import sys

from distributed import LocalCluster

from interpreter.lab.clusters import cluster_crew
from interpreter.lab.simulation import Plan, simulate
from interpreter.lab.studies import Study
from interpreter.match import load


def main() -> None:
    game = load("sins.rules")
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
        far = simulate(game, plan, Study(crew, told=tell, chunk=20))
        json.dump({"width": crew.width, "killed": len(killed), "far": far}, sys.stdout)


if __name__ == "__main__":
    main()

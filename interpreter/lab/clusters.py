"""The address of a Dask scheduler -> a crew that plays on its workers.

Workers need rulespec of the same version, and no files: games are sent to them. Dask is the extra
`rulespec[cluster]`, and imported only here.
"""

from concurrent.futures import Executor

from interpreter.lab.crews import Crew

SECONDS = 10  # to wait for an answer


class NoCluster(ValueError):  # noqa: N818 - it says what is missing
    """Nobody plays for us there; the argument says so in a sentence."""


def cluster_crew(address: str) -> Crew:
    """All workers of a cluster that runs already."""
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise NoCluster("a cluster needs Dask: `pip install rulespec[cluster]`") from error
    try:
        client = Client(address, timeout=SECONDS, set_as_default=False)
        width = sum(client.nthreads().values())
    except (OSError, ValueError) as error:
        raise NoCluster(f"no Dask scheduler answers at `{address}`") from error
    if not width:
        raise NoCluster(f"the Dask scheduler at `{address}` has no workers")

    def make() -> Executor:
        # A chunk whose worker died is another try, and not the same failure once more.
        found: Executor = client.get_executor(pure=False)
        return found

    return Crew(make, width)

"""The address of a Dask scheduler -> a crew that plays on its workers.

Workers need the same version of rulespec, but no files: the lab sends them the games. Dask is the extra
`rulespec[cluster]`; only this module imports it.
"""

from concurrent.futures import Executor

from interpreter.lab.crews import Crew

SECONDS = 10  # the timeout for an answer


class NoCluster(ValueError):  # noqa: N818 - it says what is missing
    """The cluster cannot play; the argument says why in a sentence."""


def cluster_crew(address: str) -> Crew:
    """All workers of a running cluster."""
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
        # A chunk whose worker died must run again, not return the cached failure.
        found: Executor = client.get_executor(pure=False)
        return found

    return Crew(make, width)

"""Settings for all tests."""

import os

import pytest
from hypothesis import HealthCheck, settings

# The machines are noisy, so no test has a deadline; trees of whole files are large.
settings.register_profile(
    "default",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("default")


@pytest.fixture(autouse=True, scope="session")
def state_folder(tmp_path_factory):
    """Games that are kept while testing are none that somebody wants to go on with."""
    os.environ["RULESPEC_STATE"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True, scope="session")
def cache_folder(tmp_path_factory):
    """Nothing that a test makes is kept for the games that somebody plays."""
    os.environ["RULESPEC_CACHE"] = str(tmp_path_factory.mktemp("cache"))

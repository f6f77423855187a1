"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# The machines are noisy, so no test has a deadline; trees of whole files are large.
settings.register_profile(
    "default",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("default")

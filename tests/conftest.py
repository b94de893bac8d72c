"""What holds for every test: no window opens, and on CI random tests repeat and none is skipped."""

import os

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "Agg")

UNJITTED = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"
ON_CI = os.environ.get("CI", "") not in ("", "0", "false")

# A first call may compile for seconds, so no deadline. On CI the examples are the same on every run: a change
# must not fail there for what it did not touch.
settings.register_profile(
    "designlab",
    deadline=None,
    derandomize=ON_CI,
    max_examples=10 if UNJITTED else 100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("designlab")


def _skipped(config: pytest.Config) -> list:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return reporter.stats.get("skipped", []) if reporter else []


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """On CI a skipped test is a failed one. What is too slow un-jitted is deselected, not skipped."""
    if ON_CI and session.exitstatus == pytest.ExitCode.OK and _skipped(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    """Say which tests that was about (reasons are in the short summary above)."""
    skipped = _skipped(config)
    if ON_CI and skipped:
        terminalreporter.section("skipped, which fails on CI", red=True)
        for report in skipped:
            terminalreporter.line(report.nodeid)

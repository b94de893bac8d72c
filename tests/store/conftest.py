"""An experiment that tests of the run store share."""

import pytest
from store_help import SETTINGS

from designlab.experiments import experiment


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """An experiment that nothing interrupted; not to be changed."""
    return experiment(tmp_path_factory.mktemp("whole") / "runs", **SETTINGS)

"""Beyond one machine: a real Dask cluster of processes, and a worker killed midway."""

import os
import signal
import sys

import pandas as pd
import pytest
from store_help import PRINTED, SETTINGS, assert_same
from typer.testing import CliRunner

import designlab
from designlab.cards import DataError
from designlab.cli.app import app
from designlab.experiments import cluster as clusters
from designlab.experiments import experiment
from designlab.experiments.cluster import cluster

pytestmark = pytest.mark.filterwarnings("ignore")  # what a killed worker leaves open is Dask's to say


@pytest.fixture(scope="module")
def local():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as found:
        yield found


def test_frames_are_identical_and_progress_is_told(tmp_path, local):
    whole = experiment(tmp_path / "whole", **SETTINGS)
    told = []
    with cluster(local.scheduler_address) as executor:
        assert executor.workers == 2
        kept = experiment(
            tmp_path / "a", executor=executor, progress=lambda *now: told.append(now), **SETTINGS
        )
        result = designlab.simulate(PRINTED, plays=40, executor=executor)
    assert_same(kept, whole)
    assert told[0] == (0, 480) and told[-1] == (480, 480) and len({done for done, _ in told}) > 3
    pd.testing.assert_frame_equal(result.seats, designlab.simulate(PRINTED, plays=40).seats)


def test_the_command_line_takes_the_address(tmp_path, monkeypatch, local):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cats.toml").write_text('game = "kimono"\nplays = 40\npart = 10\n')
    done = CliRunner().invoke(app, ["experiment", "run", "cats.toml", "--scheduler", local.scheduler_address])
    assert done.exit_code == 0, done.output
    assert done.stderr == f"designlab: 2 worker threads at {local.scheduler_address}\n"
    assert "finished" in done.stdout


def test_a_worker_killed_midway_changes_nothing(tmp_path, local):
    settings = {**SETTINGS, "plays": 700}
    whole = experiment(tmp_path / "whole", **settings)
    killed = []
    with cluster(local.scheduler_address) as executor:

        def kill(done, total):
            if done > total / 4 and not killed:
                killed.extend(executor.client.run(os.getpid).values())
                os.kill(killed[0], signal.SIGKILL)

        kept = experiment(tmp_path / "a", executor=executor, progress=kill, **settings)
    assert killed and not len(kept.failures)
    assert_same(kept, whole)


def test_no_scheduler_and_other_code(monkeypatch, local):
    monkeypatch.setattr(clusters, "WAIT_SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense", ""):
        with pytest.raises(DataError, match=r"scheduler: found .*, where no Dask scheduler answers"):
            cluster(address).__enter__()
    words = rf"worker tcp.*: found designlab {designlab.__version__} \(.*; allowed: the same as here, 0.0.2"
    monkeypatch.setattr(designlab, "__version__", "0.0.2")  # here, not in the workers' processes
    with pytest.raises(DataError, match=words):
        cluster(local.scheduler_address).__enter__()


def test_without_dask_and_without_workers(monkeypatch):
    from distributed import LocalCluster

    monkeypatch.setattr(clusters, "WAIT_SECONDS", 1)
    words = r"scheduler: found no worker at .*; allowed: one or more, see the README"
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=None, silence_logs=50) as empty,
        pytest.raises(DataError, match=words),
    ):
        cluster(empty.scheduler_address).__enter__()
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(DataError, match=r'found no Dask; allowed: after pip install "designlab\[cluster\]"'):
        cluster("tcp://127.0.0.1:9").__enter__()

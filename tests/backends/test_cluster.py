"""An ensemble on real worker processes, some of which do not live to see its end."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys

import numpy as np
import pandas
import pytest
import xarray

import rocksteady as rs
from rocksteady.analysis.statistics import SPECIMEN, stochastic_motions, validate_statistically
from rocksteady.analysis.timestep import campaign
from rocksteady.ensembles import cluster, plan
from rocksteady.ensembles.api import ensemble, open_ensemble
from rocksteady.ensembles.study import Study

distributed = pytest.importorskip("distributed")

PART = 2.5e-8 * 1000 * 20  # 20 runs of 1000 samples


@pytest.fixture(scope="module")
def workers():
    """Two processes of one thread each; a lost one is started again."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as two:
        yield two


@pytest.fixture
def client(workers):
    with distributed.Client(workers) as client:
        yield client


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(plan, "PART_SECONDS", PART)


def inputs(count=200):
    rng = np.random.default_rng(1)
    bodies = [rs.Block.from_parameters(p=p, alpha=0.2) for p in rng.uniform(1, 4, count)]
    motions = [rs.Motion(rng.normal(0, 2, 1000), 0.02, name=f"noise {i}") for i in range(2)]
    return bodies, motions


@pytest.fixture(scope="module")
def alone():
    return ensemble(*inputs(), progress=False)


def test_equals_one_process(client, alone):
    shared = ensemble(*inputs(), executor=client, progress=False)
    xarray.testing.assert_identical(shared, alone)


def test_by_the_scheduler_address(workers, alone):
    shared = ensemble(*inputs(), executor=workers.scheduler_address, progress=False)
    xarray.testing.assert_identical(shared, alone)


def test_every_worker_takes_part_and_writes(client, tmp_path, monkeypatch):
    """The workers write: with a shared folder no numbers come back."""
    came = []
    made = cluster.made

    def watched(*arguments):
        for part, columns in made(*arguments):
            came.append(columns)
            yield part, columns

    monkeypatch.setattr(cluster, "made", watched)
    data = ensemble(*inputs(), executor=client, store=tmp_path / "s", progress=False)
    xarray.testing.assert_identical(data, open_ensemble(tmp_path / "s"))
    assert len(came) == 20 and all(columns is None for columns in came)


def test_a_store_that_workers_cannot_see(client, tmp_path, alone, monkeypatch):
    """Then the numbers come back and are written here."""
    submit = cluster._Shared._submit

    def elsewhere(self, part, to_store):
        store, self.store = self.store, None
        try:
            return submit(self, part, to_store)
        finally:
            self.store = store

    monkeypatch.setattr(cluster._Shared, "_submit", elsewhere)
    data = ensemble(*inputs(), executor=client, store=tmp_path / "s", progress=False)
    xarray.testing.assert_identical(data, alone)


def test_campaigns_portfolios_and_validations(client, tmp_path):
    """They are studies, too: the workers give the bits of one process and write the stores."""
    few = {"blocks": [rs.Block(2.1, 0.3), rs.Block(1.2, 0.3)], "stiffnesses": [25e8]}
    few |= {"steps": [0.01, 0.02], "ratios": [0.9, 0.95], "progress": False}
    shared = campaign(**few, executor=client, store=tmp_path / "campaign")
    assert np.array_equal(shared.errors, campaign(**few).errors)
    assert len(list((tmp_path / "campaign" / "runs").iterdir())) == 2

    house, count = rs.MasonryBuilding.casalotti2025(4e4), 40
    town = pandas.DataFrame({"lon": np.linspace(13, 14, count), "lat": 42.0})
    town = town.assign(**dataclasses.asdict(house), scale=np.linspace(0.2, 3.0, count))
    shocks = {name: rs.pulses.sine(3.0, float(name), dt=0.001) for name in ("0.3", "0.6")}
    options = {"intensity": "scale", "progress": False}
    shared = rs.portfolio(town, shocks, **options, executor=client, store=tmp_path / "town")
    pandas.testing.assert_frame_equal(shared.table, rs.portfolio(town, shocks, **options).table)
    assert len(list((tmp_path / "town" / "runs").iterdir())) > 1

    motions = stochastic_motions(SPECIMEN, n=3)
    alone = validate_statistically(motions, 0.95, progress=False)
    shared = validate_statistically(motions, 0.95, executor=client, progress=False)
    for name in ("classical", "at_law", "coarse"):
        assert np.array_equal(getattr(shared, name), getattr(alone, name))


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_worker_is_killed(workers, client, tmp_path, alone):
    """SIGKILL one of two during the run: complete, and equal."""
    client.wait_for_workers(2)
    victim, killed = next(iter(workers.workers.values())).pid, []

    def tell(done, total):
        if done >= 100 and not killed:
            killed.append(done)
            os.kill(victim, signal.SIGKILL)

    data = ensemble(*inputs(), executor=client, store=tmp_path / "s", progress=tell)
    assert killed and killed[0] < data.peak.size
    xarray.testing.assert_identical(data, alone)
    assert not list((tmp_path / "s" / "runs").glob(".*"))


@pytest.mark.skipif(os.name != "posix", reason="kills processes")
def test_all_workers_are_killed(workers, client, alone):
    """Nobody has the study any more: it is sent again to those that come instead."""
    client.wait_for_workers(2)
    killed = []

    def tell(done, total):
        if done >= 100 and not killed:
            for worker in workers.workers.values():
                killed.append(worker.pid)
                os.kill(worker.pid, signal.SIGKILL)

    data = ensemble(*inputs(), executor=client, progress=tell)
    assert len(killed) == 2
    xarray.testing.assert_identical(data, alone)


def test_what_a_cluster_began_one_process_ends(client, tmp_path, alone):
    def stop(done, total):
        if done > 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ensemble(*inputs(), executor=client, store=tmp_path / "s", progress=stop)
    data = ensemble(*inputs(), store=tmp_path / "s", progress=False)
    xarray.testing.assert_identical(data, alone)


def test_an_error_on_a_worker_is_told(client, tmp_path):
    """As here: the disk of the store is full, say."""
    bodies, motions = inputs(10)
    folder = tmp_path / "s"
    ensemble(bodies, motions, store=folder, progress=False)
    for file in (folder / "runs").iterdir():
        file.unlink()
    (folder / "runs").rmdir()
    (folder / "runs").write_text("in the way")
    with pytest.raises(rs.InputError, match="0 of 20 runs are safe"):
        ensemble(bodies, motions, executor=client, store=folder, progress=False)


def test_the_study_travels_once_per_worker(client):
    """Tasks carry numbers only: the motions are scattered."""
    study = Study.of(*inputs())
    shared = cluster._Shared(client, study, None)
    assert isinstance(shared.sent, distributed.Future)
    assert len(client.who_has(shared.sent)[shared.sent.key]) == len(client.nthreads())


def test_another_program_on_a_worker_is_refused(client):
    study = Study.of(*inputs(2))
    object.__setattr__(study, "step", "of another version")
    with pytest.raises(rs.InputError, match="another version of Housner"):
        list(cluster.made(study, list(plan.Plan.of(study)), client, None))


def test_nobody_at_that_address(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    with pytest.raises(rs.InputError, match=r"No Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        ensemble(*inputs(2), executor="tcp://127.0.0.1:9", progress=False)
    with pytest.raises(rs.InputError, match="'node1' is not the address of a Dask scheduler"):
        ensemble(*inputs(2), executor="node1", progress=False)


def test_without_dask_it_says_what_to_install():
    program = (
        "import sys; sys.modules['distributed'] = None\n"
        "import rocksteady as rs\n"
        "from rocksteady.ensembles.api import ensemble\n"
        "ensemble(rs.Block(height=1.8, width=0.5), rs.pulses.sine(amplitude=3.0, period=0.8),\n"
        "         executor='tcp://127.0.0.1:9')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert 'pip install "rocksteady[dask]"' in done.stderr

"""What it costs to watch: samples at once and one by one, and a second of live samples for each of
many buildings, from bytes to the log.

    make bench
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.monitor import Monitor
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.session import Session
from rocksteady.monitor.settings import Settings, new_watch

DT = 0.01
HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)
ALARMS = {"wear": 0.9, "drift": 1.0, "hardening": 1.0, "frequency_drop": 0.9}
SETTINGS = Settings(
    system=HOUSE,
    dt=DT,
    columns=("time", "a_h"),
    unit="m/s2",
    alarms={"wear": 0.9, "drift": 1.0},
    sync=1e9,
)


def noise(count):
    return 0.02 * np.random.default_rng(1).standard_normal(count)


@pytest.mark.parametrize("alarms", [None, ALARMS], ids=["no alarms", "four alarms"])
def test_samples_at_once(benchmark, alarms):
    monitor, a_h = Monitor(HOUSE, dt=DT, alarms=alarms), noise(100_000)
    benchmark(monitor.push_block, a_h)
    benchmark.extra_info["samples per call"] = len(a_h)


def test_samples_one_by_one(benchmark):
    monitor = Monitor(HOUSE, dt=DT)
    benchmark(monitor.push, 0.01)


@pytest.mark.parametrize("at_a_time", [1, 5, 100])
@pytest.mark.parametrize("buildings", [1, 100])
def test_a_second_of_samples(benchmark, buildings, at_a_time, tmp_path):
    """Elapsed time per second of samples, for all buildings."""
    watches = [
        new_watch(
            str(i), SETTINGS, SETTINGS.monitor(), tmp_path / str(i), LineReader(SETTINGS.columns)
        )
        for i in range(buildings)
    ]
    session = Session(LineReader(SETTINGS.columns), watches)
    samples, count = noise(100).tolist(), itertools.count()

    def second():
        for _ in range(0, 100, at_a_time):
            rows = (next(count) for _ in range(at_a_time))
            lines = "".join(f"{k * DT:.2f},{samples[k % 100]:.5f}\n" for k in rows)
            session.take(lines.encode(), lambda watch, raised: None)

    session.commit()
    benchmark(second)
    for watch in watches:
        watch.log.close()


def test_a_commit(benchmark, tmp_path):
    """With the time that the disk takes."""
    reader = LineReader(SETTINGS.columns)
    watch = new_watch("house", SETTINGS, SETTINGS.monitor(), tmp_path, reader)
    watch.feed.take(noise(1000))
    benchmark(watch.commit, reader.to_dict())
    watch.log.close()

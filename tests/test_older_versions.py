"""What version 0.2 wrote is read, or one sentence says why not (tests/data/version-0.2)."""

from pathlib import Path

import pytest

import rocksteady as rs

OLD = Path(__file__).parent / "data" / "version-0.2"
PUSH = rs.pulses.sine(amplitude=4.0, period=0.5, dt=0.02)


def test_a_monitor_is_restored():
    monitor = rs.Monitor.restore(OLD / "monitor.json")
    assert monitor.samples == 20 and monitor.values["drift"] == pytest.approx(0.04736442, rel=1e-6)
    fresh = rs.Monitor(monitor.system, dt=0.02, alarms={"drift": 1e-4})
    fresh.push_block(PUSH.accel[:20])
    assert fresh.state == pytest.approx(monitor.state, rel=1e-9)

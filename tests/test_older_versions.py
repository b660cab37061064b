"""What version 0.2 wrote is read, or one sentence says why not (tests/data/version-0.2)."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

OLD = Path(__file__).parent / "data" / "version-0.2"
PUSH = rs.pulses.sine(amplitude=4.0, period=0.5, dt=0.02)
BLOCK = rs.Block(1.2, 0.25)
RUNS = {
    "springs.nc": (BLOCK, rs.RigidBodySpring(), 1.0),
    "dissipation.csv": (BLOCK, rs.NumericalDissipation(r=0.9), 0.6),
    "nonsmooth.csv": (BLOCK, rs.Nonsmooth(epsilon=0.2, friction=0.5), 1.0),
    "building.nc": (rs.MasonryBuilding.casalotti2025(4e4), rs.Masonry(), 1.0),
}


@pytest.mark.filterwarnings("ignore::rocksteady.RocksteadyWarning")
@pytest.mark.parametrize("name", RUNS)
def test_saved_responses(name):
    """The same run now, but for rounding on another processor; a soft bed's impacts are counted
    again, by the definition that there is now."""
    system, how, until = RUNS[name]
    old, now = rs.Response.load(OLD / name), rs.simulate(system, PUSH, how, until=until)
    assert (old.system, old.formulation, old.status) == (now.system, now.formulation, now.status)
    assert old.columns == now.columns and old.states.shape == now.states.shape
    np.testing.assert_allclose(old.states[:20], now.states[:20], rtol=1e-6, atol=1e-9)
    assert len(old.impacts) == len(now.impacts)
    assert old.fall == now.fall or old.fall.time == pytest.approx(now.fall.time, rel=1e-3)


def test_a_store_opens_but_another_program_does_not_go_on_with_it(tmp_path):
    store = shutil.copytree(OLD / "store", tmp_path / "store")
    data = rs.open_ensemble(store)
    assert data.status.values.ravel().tolist() == [0, 2, 2, 0, 0, 2]
    assert data.fell.values.ravel().tolist() == [False, True, True, False, False, True]
    assert data.peak.values[1, 0, 1] == pytest.approx(0.10294455078341745)
    rs.plot_ensemble(data)
    with pytest.raises(rs.InputError, match=r"another version of the program began it \(0\.2\.0\)"):
        rs.ensemble([BLOCK, rs.Block(1.2, 0.4)], {"push": PUSH}, scales=[0.5, 1, 2], store=store)


def test_a_monitor_is_restored():
    monitor = rs.Monitor.restore(OLD / "monitor.json")
    assert monitor.samples == 20 and monitor.values["drift"] == pytest.approx(0.04736442, rel=1e-6)
    fresh = rs.Monitor(monitor.system, dt=0.02, alarms={"drift": 1e-4})
    fresh.push_block(PUSH.accel[:20])
    assert fresh.state == pytest.approx(monitor.state, rel=1e-9)

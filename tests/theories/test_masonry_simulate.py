"""A masonry building through the same doors as a block: simulate, stream, save, plot."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.theories.contract import TURN

HOUSE = rs.MasonryBuilding.casalotti2025(mass=40e3)
SHAKING = rs.Motion(
    np.interp(
        np.arange(800) * 0.01, np.arange(0, 8.1, 0.1), np.random.default_rng(4).standard_normal(81)
    ),
    0.01,
    name="noise",
)


@pytest.fixture(scope="module")
def response():
    return rs.simulate(HOUSE, SHAKING)


def test_masonry_is_the_usual_formulation_of_a_building(response):
    assert response.formulation == rs.Masonry()
    assert response.status in (rs.Status.AT_REST, rs.Status.MOVING)
    u = np.concatenate([response.column("u"), response.events[:, 2]])
    assert response.peak == pytest.approx(np.abs(u).max() / HOUSE.elastic_displacement)
    assert "wear" in repr(response)


def test_energies_add_up(response):
    scale = max(response.energy.max(), response.column("work").max())
    assert np.abs(response.energy_balance).max() < 1e-6 * scale


def test_saved_loaded_and_drawn(response, tmp_path):
    again = rs.Response.load(response.save(tmp_path / "house.nc"))
    np.testing.assert_array_equal(again.states, response.states)
    assert again.system == HOUSE
    assert len(response.plot(tmp_path / "house.png").axes) >= 4


def test_a_stream_follows_the_same_path(response):
    live = rs.Monitor(HOUSE, dt=SHAKING.dt)
    for a_h in SHAKING.accel:
        live.push(a_h)
    np.testing.assert_array_equal(live.state, response.states[len(SHAKING) - 1])


def test_collapse_is_a_status_of_its_own():
    run = rs.simulate(HOUSE, SHAKING.scaled(6.0))
    assert run.status is rs.Status.COLLAPSED
    assert np.isfinite(run.states).all()
    assert run.events[-1, 0] <= run.time[-1]


def test_a_building_does_not_rock(response):
    with pytest.raises(rs.InputError, match="needs a Rocker, not a MasonryBuilding"):
        response.decay()
    with pytest.raises(rs.InputError, match="Masonry moves a MasonryBuilding, not a Block"):
        rs.simulate(rs.Block(2.0, 0.5), SHAKING, rs.Masonry())


def test_the_explicit_update_tells_turning_points_within_its_steps():
    """No ground, no slip: the peaks are the oscillator's amplitude A, of which a sample every
    h = 0.3/ω may miss 1 − cos(0.15). The cubic misses 0.3⁴/384 A, Runge–Kutta about as much."""
    rate, amplitude = HOUSE.natural_frequency, 0.3 * HOUSE.elastic_displacement
    how, dt = rs.Masonry(update="explicit"), 0.3 / rate
    still = rs.Motion(np.zeros(60), dt)
    house = rs.simulate(HOUSE, still, how, v0=amplitude * rate, duration=still.duration)
    turns, u = house.events[house.events[:, 1] == TURN], np.abs(house.column("u"))
    assert len(turns) == 6 and u[:8].max() < 0.998 * amplitude
    assert turns[0, 0] * rate == pytest.approx(np.pi / 2, abs=1e-3)
    assert turns[0, 2] == pytest.approx(amplitude, rel=1e-4)
    before = (turns[:, 0] / dt).astype(int)
    assert (np.abs(turns[:, 2]) > np.maximum(u[before], u[before + 1])).all()


def test_a_shaken_building_obeys_its_laws():
    push = rs.pulses.sine(7.0, period=0.18, dt=0.001)
    found = rs.analysis.audit(rs.simulate(rs.MasonryBuilding.casalotti2025(4e4), push))
    assert found.ok and not found.unchecked, found

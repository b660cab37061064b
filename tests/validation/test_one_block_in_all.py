"""The same block in every formulation: what they share, and how they are told apart."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.theories.registry import theories_for

COLUMN = rs.Block(4.2, 0.6)
ALL = {kind.title or kind.name: kind.like(eta=None, friction=None) for kind in theories_for(COLUMN)}


@pytest.mark.parametrize("name", ALL)
def test_free_decay_is_housner_like(name):
    """Released at α/2, swings shrink by one r along the closed form's period–amplitude curve."""
    response = rs.simulate(COLUMN, None, ALL[name], theta0=COLUMN.alpha / 2, duration=14.0)
    measured = rs.measure_r(response, impacts=6)
    assert measured.r == pytest.approx(COLUMN.r, abs=0.01)
    assert measured.error < 0.02
    decay = response.decay()[:6]
    assert np.all(np.diff(decay.peak) < 0)
    assert np.all(np.diff(decay.half_period) < 0)
    np.testing.assert_allclose(decay.r, COLUMN.r, atol=0.03)


@pytest.mark.parametrize("name", ALL)
def test_mirrored_motion_gives_the_mirrored_response(name):
    """Bit for bit where events are located; to 1e-9 α where each step is iterated."""
    amplitude = 1.4 * COLUMN.g * math.tan(COLUMN.alpha)
    push = rs.pulses.ricker(amplitude, period=1.2, dt=0.01)
    ours, theirs = (
        rs.simulate(COLUMN, motion, ALL[name], duration=8.0) for motion in (push, push.mirrored())
    )
    assert ours.peak > 0.1
    iterated = name == "Numerical dissipation"
    np.testing.assert_allclose(
        ours.theta, -theirs.theta, rtol=0, atol=1e-9 * COLUMN.alpha if iterated else 0
    )


@pytest.mark.parametrize("name", ALL)
def test_stays_at_rest_on_still_ground(name):
    still = rs.Motion.zeros(2.0, 0.01)
    response = rs.simulate(COLUMN, still, ALL[name])
    assert response.status is rs.Status.AT_REST
    assert response.peak < 1e-9


@pytest.mark.parametrize("name", ALL)
def test_saved_and_loaded(name, tmp_path):
    response = rs.simulate(COLUMN, None, ALL[name], theta0=0.03, duration=1.0)
    again = rs.Response.load(response.save(tmp_path / "run.nc"))
    np.testing.assert_array_equal(again.states, response.states)
    assert again.formulation == response.formulation


@pytest.mark.parametrize("name", ALL)
def test_falls_and_says_so(name):
    push = rs.pulses.sine(3 * COLUMN.g * math.tan(COLUMN.alpha), period=2.0, dt=0.01)
    response = rs.simulate(COLUMN, push, ALL[name])
    assert response.status is rs.Status.OVERTURNED
    assert response.peak > 1


def test_compare_measures_against_the_first():
    push = rs.pulses.sine(1.5 * COLUMN.g * math.tan(COLUMN.alpha), period=0.8, dt=0.01)
    comparison = rs.compare(COLUMN, push, duration=8.0)
    rows = {row["formulation"]: row for row in comparison.rows()}
    assert list(rows) == list(ALL)
    assert rows["Housner"]["peak_difference"] == 0
    assert abs(rows["Nonsmooth"]["peak_difference"]) < 1e-8
    assert abs(rows["Complex potential"]["peak_difference"]) < 1e-3
    assert abs(rows["Rigid body spring"]["peak_difference"]) < 0.005
    # near uplift the undamped soft bed rocks early: a stated limit
    assert 0.01 < rows["Numerical dissipation"]["peak_difference"] < 0.3
    assert all(row["seconds"] > 0 and row["status"] == "moving" for row in rows.values())


def test_compare_says_why_a_formulation_does_not_apply():
    stocky = rs.Block(1.0, 0.6)
    comparison = rs.compare(stocky, theta0=0.1, duration=1.0)
    assert "too stocky" in comparison["Rigid body spring"].reason
    housner = comparison["Housner"].response
    assert housner is not None
    table = str(comparison).splitlines()  # what print(comparison) shows
    assert len(table) == 6 and "too stocky" in table[4]
    assert f"{housner.peak:.4f}" in table[1] and str(housner.status) in table[1]
    peaks = [entry.response.peak for entry in comparison if entry.response is not None]
    refused = 5 - len(peaks)
    assert refused > 0 and repr(comparison) == (
        f"<Comparison: 5 formulations, {refused} of them not applicable, peak |θ|/α from "
        f"{min(peaks):.4g} to {max(peaks):.4g}, 0 overturned>"
    )


@pytest.mark.parametrize(
    ("formulation", "parameter", "r"),
    [
        (rs.NumericalDissipation(k_n=5e8), "dt", 0.94),
        (rs.NumericalDissipation(k_n=25e8), "dt", 0.90),
        (rs.RigidBodySpring(), "beta", 0.955),
        (rs.ComplexPotential(), "eta", 0.92),
        (rs.Housner(), "eta", 0.90),
    ],
)
def test_calibrate_finds_the_loss_parameter(formulation, parameter, r):
    found = rs.calibrate(COLUMN, formulation, r)
    assert found.parameter == parameter
    assert found.r == pytest.approx(r, abs=5e-4)
    assert found.scatter < 0.02
    response = rs.simulate(COLUMN, None, found.formulation, theta0=COLUMN.alpha / 2, duration=14)
    assert rs.measure_r(response, impacts=6).r == pytest.approx(found.r, abs=1e-9)


def test_epsilon_and_l_can_be_sought_where_they_matter():
    """Of a slender block they hardly change r: the loss of the base formulation is all there is."""
    stocky = rs.Block(2.4, 0.6)
    by_l = rs.calibrate(stocky, rs.ComplexPotential(), 0.834, parameter="l")
    assert by_l.parameter == "l"
    assert by_l.r == pytest.approx(0.834, abs=2e-4)
    by_epsilon = rs.calibrate(stocky, rs.Nonsmooth(), 0.8319)
    assert (by_epsilon.parameter, by_epsilon.r) == ("epsilon", pytest.approx(0.8319, abs=2e-4))


def test_calibrate_says_what_can_be_reached():
    with pytest.raises(rs.InputError, match="choose from eta"):
        rs.calibrate(COLUMN, rs.Housner(), 0.9, parameter="beta")
    with pytest.raises(rs.InputError, match="cannot be reached"):
        rs.calibrate(COLUMN, rs.RigidBodySpring(), 0.5)
    with pytest.raises(rs.InputError, match="between 0 and 1"):
        rs.calibrate(COLUMN, rs.Housner(), 1.2)


def test_a_formulation_refuses_a_body_it_cannot_move():
    tank = rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 1e4, natural_frequency=5.0)
    with pytest.raises(rs.InputError, match="Housner moves a Block, not a FlexibleOscillator"):
        rs.simulate(tank, rs.pulses.sine(3.0, period=1.0), rs.Housner())


def test_a_stream_keeps_the_physical_time_step():
    with pytest.raises(rs.InputError, match="would change the physics"):
        rs.Monitor(COLUMN, rs.NumericalDissipation(dt=0.013), dt=0.01)


@pytest.mark.parametrize("name", ALL)
def test_a_run_that_rocks_and_one_that_falls_obey_their_laws(name):
    for strength in (1.4, 3.0):
        push = rs.pulses.sine(strength * COLUMN.g * math.tan(COLUMN.alpha), period=1.0, dt=0.01)
        found = rs.analysis.audit(rs.simulate(COLUMN, push, ALL[name], until=6.0))
        assert found.ok, found

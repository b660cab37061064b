"""The law of the time step (Eqs. 9 and 10), and r read from a history (Eqs. 7 and 8)."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.decay.measure import measure_r
from rocksteady.analysis.decay.swings import decay_error, swings
from rocksteady.errors import InputError, RocksteadyWarning
from rocksteady.theories.dissipation import NumericalDissipation
from rocksteady.theories.dissipation.time_step import time_step

SPECIMEN = rs.Block.from_parameters(p=4.8883, alpha=math.atan(0.15))  # section 4.2


@pytest.mark.parametrize(
    ("form", "r", "dt"),
    [
        ("size", 0.9532, 0.0027774),
        ("size", 0.9465, 0.0031861),
        ("frequency", 0.9532, 0.0027767),
        ("frequency", 0.9465, 0.0031853),
    ],
)
def test_equations_9_and_10(form, r, dt):
    """The two steps of the earthquake tests, to all digits known; the paper rounds to 0.0032."""
    assert round(time_step(SPECIMEN, 5e8, r, form=form).dt, 7) == dt


def test_the_equivalent_cuboid():
    """Section 4.2: 2H = 0.609 m, 2B = 0.09135 m, whose own r is not the specimen's."""
    assert SPECIMEN.height == pytest.approx(0.609, abs=5e-4)
    assert SPECIMEN.width == pytest.approx(0.09135, abs=5e-5)
    assert SPECIMEN.r == pytest.approx(0.9351, abs=5e-5)
    assert time_step(SPECIMEN, 5e8) == time_step(SPECIMEN, 5e8, SPECIMEN.r)


def test_the_formulation_uses_the_law():
    block = rs.Block(4.2, 0.6)
    assert NumericalDissipation(k_n=1e9, r=0.9).time_step(block) == time_step(block, 1e9, 0.9).dt
    assert NumericalDissipation().time_step(block) == time_step(block, 5e8, block.r).dt
    assert NumericalDissipation(dt=0.013).time_step(block) == 0.013


@pytest.mark.parametrize("r", [0.0, 1.0, -0.1, 1.2, math.nan])
def test_no_step_for_such_r(r):
    with pytest.raises(InputError, match="r = "):
        time_step(SPECIMEN, 5e8, r)
    with pytest.raises(InputError, match="r = "):
        NumericalDissipation(r=r)


@pytest.mark.parametrize("name", ["k_n", "dt", "spacing", "friction"])
@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan])
def test_bad_parameters(name, value):
    with pytest.raises(InputError, match=f"{name} = .* a positive, finite number"):
        NumericalDissipation(**{name: value})


def test_bad_choices():
    with pytest.raises(InputError, match=r"dt = 0.01 and r = 0.9 were both given"):
        NumericalDissipation(dt=0.01, r=0.9)
    with pytest.raises(InputError, match=r"form = 'p'"):
        time_step(SPECIMEN, 5e8, 0.9, form="p")
    with pytest.raises(InputError, match="k_n = -1"):
        time_step(SPECIMEN, -1.0, 0.9)
    with pytest.raises(InputError, match="springs under a base"):
        NumericalDissipation(spacing=1e-12).base(SPECIMEN)


def test_a_step_that_resolves_no_impact_is_refused():
    """Fewer than four steps from θ = α/2 to the first impact, at acosh(2)/p."""
    block = rs.Block(1.2, 0.3)
    longest = math.acosh(2) / block.p / 4
    assert NumericalDissipation(dt=0.99 * longest).time_step(block) == 0.99 * longest
    with pytest.raises(InputError, match=r"too long to resolve an impact.*at most 0.095"):
        NumericalDissipation(dt=1.01 * longest).time_step(block)
    with pytest.raises(InputError, match="too long"), pytest.warns(RocksteadyWarning):
        rs.simulate(block, None, NumericalDissipation(r=0.01), theta0=0.1)


def test_a_bed_too_soft_to_stand_on():
    """K_θ = k_n t (2b)³/12 must exceed m g h."""
    block = rs.Block(4.2, 0.6)
    limit = block.mass * block.g * block.com_height / (block.width**3 / 12)
    with pytest.raises(InputError, match="too soft a bed"):
        NumericalDissipation(k_n=0.9 * limit, spacing=0.01).parameters(block)
    NumericalDissipation(k_n=1.1 * limit, spacing=0.01).parameters(block)


def test_outside_the_range_of_the_fit_it_says_so():
    stocky = rs.Block(1.0, 0.5)
    with pytest.warns(RocksteadyWarning, match="h/b of 4 to 10"):
        NumericalDissipation().time_step(stocky)


# -- r from a history -----------------------------------------------------------------------


@pytest.mark.parametrize("r", [0.82, 0.9, 0.97])
@pytest.mark.parametrize("impacts", [None, 6])
def test_r_of_a_block_that_has_it(r, impacts):
    """Housner's slender block obeys the closed forms (Eq. 3): its r must come back."""
    block = rs.Block(4.2, 0.6)
    motion = rs.Motion.zeros(60.0, 0.005)
    run = rs.simulate(block, motion, rs.Housner(r=r, slender=True), theta0=block.alpha / 2)
    found = measure_r(run, impacts=impacts)
    assert found.r == pytest.approx(r, abs=2e-5)
    assert found.error < 1e-3
    assert found.error == math.hypot(found.error_angle, found.error_period)
    assert found.impacts == (6 if impacts else math.ceil(math.log(0.0658333) / math.log(r)))
    test, mirrored = (measure_r((run.time, s * run.theta), block, impacts=impacts) for s in (1, -1))
    assert (
        test.r == mirrored.r == pytest.approx(r, abs=5e-4)
    )  # fitted by a block that is not slender


def test_errors_of_equation_7():
    """By hand: one angle wrong by 0.1 θ_0, one half period by 20 %, N = 2."""
    block = rs.Block(4.2, 0.6)
    time = np.arange(0, 20, 0.001)
    run = rs.simulate(
        block, rs.Motion(0 * time, 0.001), rs.Housner(r=0.9, slender=True), theta0=block.alpha / 2
    )
    found = swings(run.time, run.theta)
    found.peaks[1] += 0.1 * found.peaks[0]
    found.half_periods[2] += 0.2 * found.half_periods[0]
    e_theta, e_period = decay_error(found, block, 0.9, 2)
    assert e_theta == pytest.approx(0.1 / math.sqrt(2), abs=1e-4)
    assert e_period == pytest.approx(0.2 / math.sqrt(2), abs=1e-4)


def test_histories_that_tell_nothing():
    block = rs.Block(4.2, 0.6)
    run = rs.simulate(block, None, rs.Housner(r=0.95), theta0=block.alpha / 2, duration=8.0)
    with pytest.raises(InputError, match="too few to measure r until"):
        measure_r(run)
    with pytest.raises(InputError, match="too few to measure r over 30 impacts"):
        measure_r(run, impacts=30)
    whole = measure_r((run.time, run.theta), block)  # a test cannot be made longer
    assert whole.impacts == len(run.impacts) - 1 and whole.r == pytest.approx(0.95, abs=2e-3)
    with pytest.raises(InputError, match="must be released at a lean"):
        measure_r((run.time, 0 * run.theta), block)
    with pytest.raises(InputError, match="not a history"):
        swings(run.time, run.theta[:-1])
    with pytest.raises(InputError, match="not a history"):
        measure_r((run.time, []), block)
    with pytest.raises(InputError, match=r"degrees, give numpy\.radians"):
        measure_r((run.time, np.degrees(run.theta)), block)
    with pytest.raises(InputError, match=r"'test\.csv' is neither a response.*calibrate measure"):
        measure_r("test.csv", block)
    with pytest.raises(InputError, match=r"two arrays, time \[s\] and θ \[rad\]"):
        measure_r((run.time, run.theta.astype(str)), block)
    for time, theta in ((run.time[::-1], run.theta), (run.time, run.theta * np.nan)):
        with pytest.raises(InputError, match="gaps or goes back in time"):
            measure_r((time, theta), block)
    with pytest.raises(InputError, match="needs a Block"):
        measure_r((run.time, run.theta))
    with pytest.raises(InputError, match="symmetric blocks only"):
        measure_r((run.time, run.theta), rs.Block(4.2, 0.6, offset=0.1))

"""What analyses say of runs at the edge of their meaning, and of wrong arguments."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis import body_history, statistics, timestep
from rocksteady.analysis.calibrate import calibrate
from rocksteady.analysis.portfolio import assess as portfolio
from rocksteady.errors import InputError
from rocksteady.motion.generate.tones import tones
from validation.daltri2024.law_errors import errors_in_r

BLOCK = rs.Block(2.0, 0.4)
HOUSE = rs.MasonryBuilding.casalotti2025(mass=40e3)
PUSH = rs.pulses.sine(amplitude=3.0, period=0.8, dt=0.005)


def far_and_back():
    """A pulse that lets the block lean to 1.51 α and takes it back."""
    return rs.pulses.sine(amplitude=7.366069652629219, period=0.7600855357565965, dt=0.005)


# -- overturned or not -----------------------------------------------------------------------------


def test_beyond_its_balance_point_it_has_not_fallen_while_the_ground_moves():
    motion = far_and_back()
    whole = rs.simulate(BLOCK, motion)
    assert whole.status is rs.Status.AT_REST
    first = float(whole.time[np.argmax(np.abs(whole.theta) > BLOCK.alpha)])
    assert first < motion.duration - 0.1
    cut = rs.simulate(BLOCK, motion, duration=first)
    assert abs(cut.theta[-1]) > BLOCK.alpha
    assert cut.status is rs.Status.MOVING


def test_one_that_falls_is_told_at_the_end_of_the_motion():
    motion = rs.pulses.sine(amplitude=9.0, period=0.76, dt=0.005)
    end = rs.simulate(BLOCK, motion, duration=motion.duration)
    assert abs(end.theta[-1]) < math.pi / 2
    assert end.status is rs.simulate(BLOCK, motion).status is rs.Status.OVERTURNED


def test_one_that_comes_back_from_far_has_not_overturned():
    motions = [far_and_back(), rs.pulses.sine(amplitude=9.0, period=0.76, dt=0.005)]
    back, fell = statistics.largest_rotations(BLOCK, motions)
    assert rs.simulate(BLOCK, motions[0]).peak > statistics.OVERTURNED
    assert back == pytest.approx(statistics.OVERTURNED)
    assert back < fell == statistics.OVERTURNED


def test_confidence_band_covers_at_every_abscissa():
    """Of 500 samples of 30, each of F's values lies inside in 90 % or more (3 σ: 0.86)."""
    rng, at = np.random.default_rng(5), np.linspace(0.05, 0.95, 19)
    inside = np.zeros(len(at))
    for _ in range(500):
        band = statistics.confidence_band(rng.random(30), at)
        inside += (band.low <= at) & (at <= band.high)
    assert inside.min() / 500 > 0.86
    assert inside.mean() / 500 < 0.97


# -- calibration -----------------------------------------------------------------------------------


def test_a_loss_that_jumps_over_the_wanted_one_is_refused():
    """Bouncing near ε = 0.95 changes r of a slender block by jumps: it stays 0.005 off."""
    with pytest.raises(InputError, match=r"jumps at .* nearest value is 0\.85[2-7]"):
        calibrate(rs.Block(1.2, 0.3), rs.Nonsmooth(), 0.85)
    found = calibrate(rs.Block(1.2, 0.3), rs.Nonsmooth(), 0.85, tolerance=0.008)
    assert abs(found.r - 0.85) <= 0.008


def test_a_step_at_which_nothing_rocks_on_is_no_answer():
    """r = 1 − x, not to be measured between 0.3 and 0.5: 0.6 lies there and 0.8 does not."""
    from rocksteady.analysis import calibrate as module
    from rocksteady.theories.contract import LossParameter

    def measured(x):
        return math.nan if 0.3 < x < 0.5 else 1 - x

    name = LossParameter("x", 0.0, 1.0)
    assert module._search(measured, 0.8, name, 1e-6) == pytest.approx(0.2, abs=1e-6)
    with pytest.raises(InputError, match="cannot be reached"):
        module._search(measured, 0.6, name, 1e-6)


# -- comparison ------------------------------------------------------------------------------------


def test_a_building_can_be_compared():
    hows = {"accurate": rs.Masonry(), "explicit": rs.Masonry(update="explicit")}
    first, second = rs.compare(HOUSE, PUSH.scaled(0.3), hows).rows()
    assert first["history_difference"] == 0
    assert 0 < second["history_difference"] < 0.5
    assert "accurate" in str(rs.compare(HOUSE, PUSH.scaled(0.3), hows))


def test_only_theories_that_move_the_body_are_compared():
    assert [entry.name for entry in rs.compare(HOUSE, PUSH)] == ["Masonry"]


def test_where_no_formulation_applies_all_say_why():
    hows = {"rocking": rs.Housner(), "impacts": rs.Nonsmooth()}
    with pytest.raises(InputError, match=r"Housner moves a Block(?s:.*)Nonsmooth moves"):
        rs.compare(HOUSE, PUSH, hows)


def test_leans_of_an_asymmetric_block_are_compared_each_by_its_side():
    leaning = rs.Block(2.0, 0.4, offset=0.05)
    hows = {"η": rs.Housner(), "less": rs.Housner(eta=0.9)}
    one, two = rs.compare(leaning, PUSH, hows, duration=1.0)
    found = rs.compare(leaning, PUSH, hows, duration=1.0).rows()[1]["history_difference"]
    lean = [leaning.relative(each.response.theta) for each in (one, two)]
    assert found == pytest.approx(np.abs(lean[0] - lean[1]).max(), rel=1e-12)


# -- the law of the time step ----------------------------------------------------------------------


def test_no_r_is_told_where_none_fits():
    """Asked for r = 0.4, far below what a law is for: no r from 0.7 on has an error below 20 %."""
    found = errors_in_r(
        "daltri2024", blocks=[rs.Block(1.2, 0.3)], stiffnesses=[2.5e8], ratios=[0.9, 0.4]
    )
    assert abs(found[0, 0, 0]) < 0.05
    assert math.isnan(found[0, 0, 1])


# -- in short, and wrong ---------------------------------------------------------------------------


def test_results_are_shown_in_short():
    small = timestep.campaign(blocks=[BLOCK], stiffnesses=[5e8], steps=[0.01], ratios=[0.9])
    assert repr(small).startswith("<Campaign: 1 runs of a rigid body, best steps for ")
    motions = statistics.stochastic_motions(statistics.SPECIMEN, n=2)
    shown = repr(statistics.validate_statistically(motions, 0.95))
    assert shown.startswith("<StatisticalValidation: 2 motions, inside the band at ")
    how = rs.NumericalDissipation(body="elastic", dt=0.01)
    run = rs.simulate(BLOCK, None, how, theta0=0.05, duration=0.1)
    assert repr(body_history.body_history(run)).startswith("<BodyHistory: 11 samples of ")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: rs.compare(BLOCK, PUSH, {}), "dictionary of names and formulations"),
        (lambda: rs.compare(BLOCK, PUSH, [rs.Housner()]), "dictionary of names and formulations"),
        (lambda: rs.measure_r(([0, 1, 2], [0.1, 0.05, 0.0]), "block"), "needs a Block"),
        (lambda: calibrate(BLOCK, rs.Housner(), 0.9, tolerance="small"), "tolerance = 'small'"),
        (lambda: statistics.distribution(["a"]), "sequence of numbers"),
        (lambda: statistics.confidence_band([0.1], level="90 %"), "level = '90 %'"),
        (lambda: statistics.stochastic_motions(BLOCK, n=2, strength=3), "two positive numbers"),
        (lambda: statistics.validate_statistically([], 0.95), "no motions"),
        (lambda: tones([], [], 3.0), "0 amplitudes and 0 frequencies"),
        (lambda: tones([[1.0]], [[2.0]], 3.0), "two lists of the same length"),
        (lambda: tones(["a"], [2.0], 3.0), "must be numbers"),
        (lambda: tones([1.0, 2.0], [2.0], 3.0), "2 amplitudes and 1 frequencies"),
        (lambda: rs.pushover(HOUSE, ["0", "0.001"]), "contains text"),
        (lambda: rs.pushover(HOUSE, np.array([0, 1e-3j])), "complex"),
        (lambda: timestep.campaign(blocks="ab"), "needs blocks"),
        (lambda: timestep.campaign(blocks=[BLOCK], steps=["a"]), "positive, finite numbers"),
        (lambda: timestep.campaign(rs.Housner(), blocks=[BLOCK]), "NumericalDissipation"),
        (lambda: timestep.error_curves(BLOCK, [0.9], rs.Housner()), "NumericalDissipation"),
        (lambda: portfolio.DamageStates(wear=("a", 2, 3, 4)), "Limits of wear"),
        (lambda: rs.simulate(HOUSE, x0=math.nan), r"x0 = nan m "),
    ],
)
def test_a_wrong_argument_is_named(call, told):
    with pytest.raises(InputError, match=told):
        call()


def test_a_building_is_let_go_in_metres():
    """2 m is too far."""
    with pytest.raises(InputError, match="collapses on the way there"):
        rs.simulate(HOUSE, x0=2.0)

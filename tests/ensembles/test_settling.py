"""Runs followed to rest in compiled code: every number is that of `simulate`, bit for bit."""

import warnings

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.ensembles import shake
from rocksteady.ensembles.outcome import empty, quantities, write_response
from rocksteady.ensembles.settling import can_settle
from rocksteady.ensembles.study import Study
from rocksteady.status import Status

pytestmark = pytest.mark.filterwarnings("ignore::rocksteady.errors.RocksteadyWarning")


def noise(seed, seconds, dt, vertical=False):
    """Filtered noise that fades out, as an earthquake does."""
    rng, t = np.random.default_rng(seed), np.arange(0, seconds, dt)
    phases, tones = rng.uniform(0, 2 * np.pi, (2, 8, 1)), np.linspace(0.4, 4, 8)[:, None]
    a, v = (np.sin(2 * np.pi * tones * t + phase).sum(axis=0) for phase in phases)
    fade = np.minimum(1, t) * np.minimum(1, (seconds - t) / 2)
    return rs.Motion(fade * a, dt, vertical=0.3 * fade * v if vertical else None)


MOTIONS = [noise(1, 6, 0.01), noise(2, 4, 0.02, vertical=True), noise(3, 3, 0.005)]
LEVEL = [MOTIONS[0], noise(4, 5, 0.01)]
SCALES = [0.0, 0.2, -0.6, 1.0, 1.4]
SYMMETRIC = [rs.Block(2.4, 0.5), rs.Block(1.0, 0.2)]
BLOCKS = [*SYMMETRIC, rs.Block(1.6, 0.4, offset=0.03)]
TANK = rs.FlexibleOscillator(
    height=5.0,
    width=1.2,
    top_mass=1e4,
    base_mass=2e4,
    column_mass=1e4,
    natural_frequency=9.0,
    damping_ratio=0.05,
)

CASES = {
    "springs": (rs.RigidBodySpring(), BLOCKS, MOTIONS),
    "soft springs that slide": (
        rs.RigidBodySpring(K=2e6, beta=2e-3, friction=0.25),
        BLOCKS[1:],
        MOTIONS,
    ),
    "dissipation": (rs.NumericalDissipation(k_n=25e8), BLOCKS, MOTIONS),
    "dissipation, newmark": (
        rs.NumericalDissipation(alpha_hht=0.0, beta_hht=0.5, gamma_hht=0.9, dt=0.012, friction=0.3),
        SYMMETRIC,
        MOTIONS,
    ),
    "elastic": (rs.NumericalDissipation(body="elastic"), SYMMETRIC[:1], LEVEL),
    "complex": (rs.ComplexPotential(), SYMMETRIC, LEVEL),
    "complex, as printed": (rs.ComplexPotential(variant="paper", l=1e-3), SYMMETRIC[:1], LEVEL),
    "nonsmooth": (rs.Nonsmooth(), BLOCKS, MOTIONS),
    "flexible": (rs.Nonsmooth(), [TANK], [motion.scaled(4.0) for motion in LEVEL]),
    "flexible that slides": (
        rs.Nonsmooth(epsilon=(0.2, 0.4), friction=(0.15, 0.2)),
        [TANK],
        [motion.scaled(4.0) for motion in MOTIONS],
    ),
    "nonsmooth that slides": (rs.Nonsmooth(friction=0.4), BLOCKS, MOTIONS),
}


def rows(study, numbers):
    """The columns that `simulate` gives for these runs."""
    columns = empty(quantities(study), len(numbers))
    for row, number in enumerate(numbers):
        system, motion = study.run(int(number))
        response = rs.simulate(system, motion, study.formulation, until=study.until)
        write_response(study, response, columns, row)
    return columns


def assert_same(study):
    numbers = np.arange(len(study))
    ours, theirs = study.compute(numbers), rows(study, numbers)
    assert ours.keys() == theirs.keys()
    for name, column in theirs.items():
        np.testing.assert_array_equal(ours[name], column, err_msg=name)
        assert ours[name].dtype == column.dtype
    return ours


@pytest.mark.parametrize("until", ["rest", "motion", 9.0])
@pytest.mark.parametrize("case", CASES)
def test_every_number_is_that_of_simulate(case, until):
    how, bodies, motions = CASES[case]
    scales = SCALES[1::2] if case == "elastic" else SCALES
    found = assert_same(Study.of(bodies, motions, how, scales=scales, until=until))
    if until == "rest":
        assert {Status.AT_REST, Status.OVERTURNED} <= set(found["status"])
        assert found["impacts"].max() > 2


@pytest.mark.parametrize("how", [rs.RigidBodySpring(beta=0.0), rs.RigidBodySpring(beta=1e-6)])
def test_a_body_that_trembles_for_ten_minutes(how):
    """Without dashpots it never rests, with weak ones late."""
    body, knock = rs.Block(4.2, 0.9), rs.pulses.sine(amplitude=1.0, period=0.5, dt=0.05)
    found = assert_same(Study.of(body, knock, how, scales=[0.5, 1.0]))
    assert set(found["status"]) == {Status.MOVING if how.beta == 0 else Status.AT_REST}


@pytest.mark.parametrize(
    ("how", "when"),
    [
        (rs.RigidBodySpring(K=1e12), 0),
        (rs.NumericalDissipation(k_n=25e8), 99),
        (rs.Nonsmooth(friction=0.5), 99),
    ],
)
def test_runs_that_fail_among_others(how, when):
    """Pressed down so hard that numbers overflow."""
    good = noise(5, 3, 0.01, vertical=True)
    blow = 1e306 * (np.arange(len(good)) == when)
    pressed = rs.Motion(good.accel, good.dt, vertical=blow)
    study = Study.of(SYMMETRIC[0], [good, pressed], how, scales=[0.5, 1.0, 150.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = assert_same(study)
    assert (found["status"] == Status.FAILED).any() and (found["status"] != Status.FAILED).any()


@pytest.mark.parametrize("case", ["springs", "dissipation", "elastic", "complex", "flexible"])
def test_a_run_cut_short_may_still_be_saved(case):
    """Beyond its balance point while the ground still moves: not yet lost, as in `simulate`."""
    how, bodies, _ = CASES[case]
    push = rs.Motion(np.repeat([6.0, 0.0], [80, 220]), 0.01)
    study = Study.of(bodies[0], push, how, scales=np.linspace(0.4, 1.0, 7), until=1.0)
    found = assert_same(study)
    assert ((found["status"] == Status.MOVING) & (found["peak"] > 1)).any()


def test_which_theories_are_followed_in_compiled_code(monkeypatch):
    """None of these calls `simulate`."""

    def refuse(*_, **__):
        raise AssertionError("simulate was called")

    monkeypatch.setattr(shake, "simulate", refuse)
    followed = ("springs", "dissipation", "elastic", "complex", "flexible", "flexible that slides")
    for case in followed:
        how, bodies, motions = CASES[case]
        for until in ("rest", "motion", 2.0, 7.0):
            study = Study.of(bodies[0], motions[0], how, scales=[0.2], until=until)
            assert can_settle(study)
            study.compute(np.arange(1))


@pytest.mark.parametrize("case", ["springs", "soft springs that slide", "dissipation", "elastic"])
def test_the_compiled_test_of_rest_is_at_rest(case):
    """From far above the threshold to far below it, and not a number."""
    how, bodies, _ = CASES[case]
    body, rng = bodies[-1], np.random.default_rng(0)
    resting, params, rest = how.resting_for(body), how.parameters(body), how.start(body)
    states = np.tile(rest, (3000, 1))
    states[:, :7] += 10 ** rng.uniform(-14, -2, (3000, 1)) * rng.standard_normal((3000, 7))
    states[0, 0] = np.nan
    told = how.at_rest(body, states)
    assert 100 < told.sum() < 2900
    assert [bool(resting(tuple(state), params)) for state in states] == told.tolist()


def test_each_run_of_a_body_has_a_bed_of_its_own():
    """What one run does to the anchors of its springs is not seen by the next, nor by the study."""
    how, body = rs.NumericalDissipation(k_n=25e8), SYMMETRIC[0]
    study = Study.of(body, MOTIONS[0], how, scales=[1.4, 0.2, 0.2, 1.4])
    found = study.compute(np.arange(4))
    again = study.compute(np.arange(4))
    for name, column in found.items():
        np.testing.assert_array_equal(column, again[name])
        np.testing.assert_array_equal(column, column[::-1])
    assert np.isnan(study.tables[1][0].anchors).all()


def test_a_window_of_a_study_and_pairs_are_the_same_runs():
    how = rs.RigidBodySpring()
    study = Study.of(BLOCKS, MOTIONS, how, scales=SCALES)
    whole, part = study.compute(np.arange(len(study))), study.compute(np.arange(7, 31))
    pairs = Study.of(BLOCKS, MOTIONS, how, scales=[1.0, 0.2, -0.6], paired=True)
    paired = pairs.compute(np.arange(3))
    for name, column in whole.items():
        np.testing.assert_array_equal(part[name], column[7:31])
        by_axes = column.reshape(3, 3, 5)
        expected = [by_axes[0, 0, 3], by_axes[1, 1, 1], by_axes[2, 2, 2]]
        np.testing.assert_array_equal(paired[name], expected)

"""Properties of rocking that no choice of block, motion or restitution may break."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import rocksteady as rs
from rocksteady.theories.contract import EVENT_NAMES

blocks = st.builds(
    lambda p, alpha, shift: _shifted(rs.Block.from_parameters(p=p, alpha=alpha), shift),
    st.floats(0.8, 8.0),
    st.floats(0.05, 0.6),
    st.sampled_from([0.0, 0.0, 0.2, -0.3]),
)
accelerations = arrays(
    float, st.integers(4, 60), elements=st.floats(-12, 12, allow_subnormal=False)
)
motions = st.builds(rs.Motion, accelerations, st.sampled_from([0.005, 0.01, 0.05, 0.2]))
losses = st.one_of(st.none(), st.floats(0.3, 1.0))


def _shifted(block, shift):
    return rs.Block(block.height, block.width, offset=shift * block.width)


def run(block, motion, r, **options):
    return rs.simulate(block, motion, rs.Housner(r=r), duration=motion.duration + 2, **options)


@given(block=blocks, motion=motions, r=losses)
def test_energy_is_accounted_for(block, motion, r):
    """Input work − impact losses − change of energy = 0, the work being integrated on its own."""
    response = run(block, motion, r)
    largest = max(response.energy.max(), np.abs(response.column("work")).max(), 1e-300)
    assert np.abs(response.energy_balance).max() <= 1e-8 * largest
    assert np.all(np.diff(response.column("loss")) >= 0)


@given(block=blocks, motion=motions, r=losses)
def test_no_impact_gains_energy(block, motion, r):
    response = run(block, motion, r)
    impacts = response.impacts
    to_left = impacts.omega_before < 0
    before = np.where(to_left, block.right.inertia, block.left.inertia) * impacts.omega_before**2
    after = np.where(to_left, block.left.inertia, block.right.inertia) * impacts.omega_after**2
    assert np.all(after <= before * (1 + 1e-12))
    assert np.all(impacts.omega_before * impacts.omega_after >= 0)


@given(block=blocks, motion=motions, r=losses)
def test_mirrored_motion_and_body_give_the_mirrored_response(block, motion, r):
    """Bit for bit."""
    mirror = dataclasses.replace(block, offset=-block.offset)
    ours, theirs = run(block, motion, r), run(mirror, motion.mirrored(), r)
    assert ours.status is theirs.status
    np.testing.assert_array_equal(ours.theta, -theirs.theta)
    np.testing.assert_array_equal(ours.omega, -theirs.omega)
    np.testing.assert_array_equal(ours.energy, theirs.energy)
    np.testing.assert_array_equal(ours.events[:, 0], theirs.events[:, 0])


@given(block=blocks, motion=motions, r=losses, cut=st.floats(0.1, 0.9))
def test_a_run_can_be_stopped_and_gone_on_with(block, motion, r, cut):
    """The state says everything: sample by sample as in one go, bit for bit."""
    how = rs.Housner(r=r)
    whole = rs.simulate(block, motion, how, duration=motion.duration)
    live = rs.Monitor(block, how, dt=motion.dt)
    for i, a_h in enumerate(motion.accel[: len(whole.theta)]):
        sample = live.push(a_h)
        assert (sample.theta, sample.omega) == (whole.theta[i], whole.omega[i])
    assert live.state == tuple(whole.states[-1])


def test_runs_and_monitors_say_what_they_are():
    live = rs.Monitor(BLOCK, dt=0.01)
    live.push(0.0)
    assert repr(live) == f"<Monitor of a {BLOCK.label}: at rest, 1 sample of 0.01 s, lean 0>"
    once = rs.simulate(BLOCK, theta0=BLOCK.alpha / 2)
    first = rs.simulate(BLOCK, theta0=BLOCK.alpha / 2, duration=float(once.impacts.time[0]) + 0.01)
    assert repr(first).startswith("<Response: moving, peak |θ|/α = 0.5, 1 impact in ")


@given(block=blocks, motion=motions)
def test_events_come_in_a_sensible_order(block, motion):
    response = run(block, motion, None)
    kinds = [EVENT_NAMES[int(kind)] for kind in response.events[:, 1]]
    assert np.all(np.diff(response.events[:, 0]) >= 0)
    assert kinds[:1] in ([], ["uplift"])
    if "overturn" in kinds:
        assert kinds.index("overturn") == len(kinds) - 1
        assert abs(response.theta[-1]) == pytest.approx(math.pi / 2)
    turns = response.events[response.events[:, 1] == EVENT_NAMES.index("turn")]
    assert np.all(turns[:, 4] == 0)


@given(share=st.floats(0.01, 0.999))
def test_stands_still_below_the_uplift_acceleration(share):
    block = rs.Block(2.0, 0.5)
    motion = rs.pulses.sine(share * block.g * math.tan(block.alpha), period=0.7)
    response = rs.simulate(block, motion)
    assert response.peak == 0
    assert response.status is rs.Status.AT_REST


def test_uplift_instant_is_exact():
    """a_h grows linearly, so uplift comes at t = g tan α / slope, to the side away from a_h."""
    block = rs.Block(2.0, 0.5)
    slope = 10.0
    motion = rs.Motion(slope * np.arange(0, 1, 0.07), 0.07)
    response = rs.simulate(block, motion, duration=0.5)
    assert response.events[0, 0] == pytest.approx(
        block.g * math.tan(block.alpha) / slope, abs=1e-14
    )
    assert response.theta[-1] < 0


def test_vertical_motion_shifts_uplift():
    """|a_h| > (g + a_v) tan α."""
    block = rs.Block(2.0, 0.5)
    motion = rs.pulses.rectangular(0.9 * block.g * math.tan(block.alpha), 0.5)
    down = motion.with_vertical(np.full(len(motion), -0.2 * block.g))
    assert rs.simulate(block, motion).peak == 0
    assert rs.simulate(block, down).peak > 0


def test_chatter_ends_and_the_block_lifts_again():
    block = rs.Block(2.0, 0.5)
    knock = rs.pulses.sine(1.3 * block.g * math.tan(block.alpha), period=0.4, dt=0.01)
    response = rs.simulate(block, knock.then(knock, gap=30.0))
    kinds = response.events[:, 1]
    uplifts = response.events[kinds == EVENT_NAMES.index("uplift"), 0]
    assert response.status is rs.Status.AT_REST
    assert np.any(uplifts > 30)
    quiet = (response.time > 28) & (response.time < 30)
    assert np.all(response.theta[quiet] == 0)
    assert len(response.impacts) < 2000


def test_chatter_ends_before_the_ground_lifts_the_block_in_the_same_interval():
    block = rs.Block.from_parameters(p=1.0, alpha=math.atan(0.25))
    ramp = rs.Motion(block.g * 0.25 * np.array([-0.5, -1.5, -1.5]), 0.5)
    response = rs.simulate(block, ramp, theta0=1e-5 * block.alpha, duration=1.0)
    assert response.status is not rs.Status.FAILED
    kinds = [EVENT_NAMES[int(kind)] for kind in response.events[:, 1]]
    assert kinds[-1] == "uplift"
    assert len(response.impacts) < 100
    assert response.events[-1, 0] == pytest.approx(0.25, abs=1e-12)  # a_h = g tan α


def test_energy_kept_at_impacts_rocks_for_ever():
    block = rs.Block(2.0, 0.5)
    response = rs.simulate(block, None, rs.Housner(eta=1.0), theta0=0.3 * block.alpha, duration=60)
    assert response.status is rs.Status.MOVING
    np.testing.assert_allclose(response.energy, response.energy[0], rtol=1e-9)


def test_stocky_block_rests_at_its_first_impact_and_says_so():
    block = rs.Block(height=0.5, width=1.0)
    with pytest.warns(rs.RocksteadyWarning, match="stocky"):
        response = rs.simulate(block, theta0=0.1)
    assert len(response.impacts) == 1
    assert response.status is rs.Status.AT_REST


def test_decay_of_an_asymmetric_block_takes_each_side_by_its_own_measure():
    block = rs.Block(3.0, 0.6, offset=0.08)

    def decay(how):
        theta0 = 0.5 * block.right.alpha
        return rs.simulate(block, None, how, theta0=theta0, duration=8.0).decay()[:4]

    classical, springs = decay(rs.Housner()), decay(rs.RigidBodySpring())
    np.testing.assert_allclose(springs.r, classical.r, atol=2e-3)
    np.testing.assert_allclose(springs.peak, classical.peak, atol=2e-3)
    assert (
        np.ptp(decay(rs.NumericalDissipation()).r) < 0.04
    )  # its own r, but the same on both sides


def test_the_motion_of_a_response_gives_the_response_again():
    """Also one that ends off zero: the ground stops dead there."""
    push = rs.pulses.rectangular(3.0, 0.3, dt=0.05)
    once = rs.simulate(BLOCK, push)
    again = rs.simulate(BLOCK, once.motion)
    assert once.peak == again.peak > 0
    assert len(once.ground[0]) == len(once.time) > len(once.motion)
    assert np.all(once.events[:, 0] <= once.time[-1])


def test_asymmetric_block_falls_to_its_weak_side():
    block = rs.Block(2.0, 0.5, offset=0.12)
    push = rs.pulses.sine(1.0, period=1.2, cycles=0.5)
    factors = np.arange(1, 12, 0.1)

    def first_fall(pulse):
        return next(
            f for f in factors if rs.simulate(block, pulse.scaled(f)).status is rs.Status.OVERTURNED
        )

    assert first_fall(push.mirrored()) < first_fall(push)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (lambda: rs.Housner(eta=0), "eta = 0 "),
        (lambda: rs.Housner(eta=1.2), "eta = 1.2"),
        (lambda: rs.Housner(slender="false"), "give True or False"),
        (lambda: rs.Housner(r=-0.1), "r = -0.1"),
        (lambda: rs.Housner(eta=0.9, r=0.81), "both given"),
        (lambda: rs.Housner(eta=math.nan), "eta = nan"),
        (lambda: rs.simulate(BLOCK), "Nothing would move"),
        (lambda: rs.simulate(BLOCK, theta0=2.0), "on its side"),
        (lambda: rs.simulate(BLOCK, theta0=math.inf), "theta0 = inf"),
        (lambda: rs.simulate(BLOCK, theta0=0.1, duration=0), "duration = 0"),
        (lambda: rs.simulate(BLOCK, theta0=0.1, duration=math.nan), "duration = nan"),
        (lambda: rs.simulate(BLOCK, theta0=0.1, duration=1e12), "at most 1e\\+08"),
        (lambda: rs.simulate(BLOCK, "record.AT2"), "A str is not a motion: read a file"),
        (lambda: rs.simulate(BLOCK, [0.0, 1.0]), "A list is not a motion"),
        (lambda: rs.simulate(BLOCK, PUSH, rs.Housner), r"did you mean Housner\(\)"),
        (lambda: rs.simulate(BLOCK, PUSH, 0.9), "0.9 is not a formulation"),
        (lambda: rs.simulate(PUSH, BLOCK), "is not a body"),
        (lambda: rs.Block("1.8", 0.5), "height = '1.8'"),
        (lambda: rs.Monitor(BLOCK, dt=0), "dt = 0"),
        (lambda: rs.Monitor(BLOCK, dt=0.01).push(math.nan), "not finite"),
        (lambda: rs.Monitor(BLOCK, dt=0.01).push(0, -10), "leave the ground"),
        (
            lambda: rs.simulate(BLOCK, PUSH.with_vertical(np.full(len(PUSH), -9.9))),
            "leave the ground",
        ),
        (
            lambda: rs.simulate(
                BLOCK, PUSH.with_vertical(np.ones(len(PUSH))), rs.Housner(slender=True)
            ),
            "no vertical",
        ),
        (
            lambda: rs.simulate(rs.Block(2, 0.5, offset=0.1), PUSH, rs.Housner(eta=0.999)),
            "add energy",
        ),
    ],
)
def test_bad_input_is_refused_in_words(how, says):
    with pytest.raises(rs.InputError, match=says):
        how()


BLOCK = rs.Block(2.0, 0.5)
PUSH = rs.pulses.sine(3.0, period=0.5, dt=0.01)


ABSURD = rs.Motion(np.full(200, 1e300), 0.01)  # m/s²: beyond what floating point can follow


def test_numbers_that_are_none_are_a_failure():
    response = rs.simulate(rs.Block(1.8, 0.5), ABSURD)
    assert response.status is rs.Status.FAILED
    assert len(response.states) == 1 and np.isfinite(response.states).all()
    assert np.isfinite(response.events).all() and EVENT_NAMES[int(response.events[-1, 1])] == (
        "failure"
    )
    assert response.peak == 0.0


def test_a_failure_keeps_what_was_followed_before():
    motion = rs.Motion(np.r_[rs.pulses.sine(3.0, 0.8, dt=0.01).accel, ABSURD.accel], 0.01)
    response, short = rs.simulate(rs.Block(1.8, 0.5), motion), rs.pulses.sine(3.0, 0.8, dt=0.01)
    before = rs.simulate(rs.Block(1.8, 0.5), short, duration=short.duration)
    assert response.status is rs.Status.FAILED
    np.testing.assert_array_equal(response.states, before.states)
    assert response.peak == before.peak and response.events[-1, 0] == before.time[-1]


@pytest.mark.parametrize("up", [0.0, 4.0])
def test_a_shaken_run_obeys_its_laws(up):
    push = rs.pulses.ricker(5.0, period=0.8, dt=0.004)
    vertical = up * push.accel / push.pga if up else None
    shaken = rs.Motion(push.accel, push.dt, vertical=vertical)
    found = rs.analysis.audit(rs.simulate(rs.Block(1.8, 0.5, offset=0.04), shaken))
    assert found.ok and not {"momentum", "impacts"} & {law.name for law in found.unchecked}, found

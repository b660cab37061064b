"""The implicit step itself: against independent solutions, in its limits and symmetries."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.engine.drivers import make_trace
from rocksteady.formulations.contract import FAILURE, OVERTURN, Formulation
from rocksteady.formulations.dissipation import NumericalDissipation
from validation.daltri2024.hht_reference import ALPHA, particles, rigid

BLOCK = rs.Block(2.4, 0.6)


def shaking(seed, strength, block=BLOCK, duration=4.0, dt=0.01):
    """Noise with 10 knots a second, `strength` times what uplifts the block."""
    knots = np.random.default_rng(seed).standard_normal(int(10 * duration) + 2)
    knots[0] = 0
    accel = np.interp(np.arange(0, duration, dt), 0.1 * np.arange(len(knots)), knots)
    return rs.Motion(accel * strength * block.g * math.tan(block.alpha) / np.abs(accel).max(), dt)


# -- against other solutions ------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "weight"), [("hht", ALPHA), ("newmark", 0.0)])
def test_free_rocking_against_scipy(variant, weight):
    how = NumericalDissipation(dt=0.01, variant=variant)
    run = rs.simulate(BLOCK, None, how, theta0=BLOCK.alpha / 2, duration=2.0)
    theta, x = rigid(how, BLOCK, np.zeros(len(run.time)), 0.01, BLOCK.alpha / 2, weight)
    np.testing.assert_allclose(run.theta, theta, atol=1e-8 * BLOCK.alpha)
    np.testing.assert_allclose(run.column("x"), x, atol=1e-9)


@pytest.mark.parametrize(("friction", "slides"), [(1.0, False), (0.22, True)])
def test_shaking_against_scipy(friction, slides):
    how = NumericalDissipation(dt=0.01, friction=friction)
    run = rs.simulate(BLOCK, shaking(0, 2.0), how, duration=3.0)
    theta, x = rigid(how, BLOCK, run.motion.accel, 0.01)
    np.testing.assert_allclose(run.theta, theta, atol=2e-8 * BLOCK.alpha)
    np.testing.assert_allclose(run.column("x"), x, atol=1e-8)
    assert run.peak > 0.2
    assert (run.column("slip loss")[-1] > 10) == slides


def test_it_is_the_limit_of_an_elastic_body():
    """Four masses on stiff bars under the textbook HHT rule (Eq. 4, contact unweighted): the lagged
    internal forces act on the rigid block through their virial alone."""
    b, h, mass, spring, dt, steps = 0.3, 1.2, 3000.0, 2e8, 0.01, 250
    theta0 = math.atan(b / h) / 2
    body = rs.Block(2 * h, 2 * b, mass=mass, inertia=mass * (b**2 + h**2))

    def rocking(variant):
        how = NumericalDissipation(dt=dt, friction=1e6, variant=variant)
        params, state = list(how.parameters(body)), list(how.start(body, theta0, 0.0))
        params[5:8] = np.array([-b, b]), np.array([spring, spring]), np.full(2, np.nan)
        c, s = math.cos(theta0), math.sin(theta0)
        state[3] = -mass * body.g / spring + b * s - h * (1 - c)
        state[10] = -mass * body.g * (b * c - h * s) / body.inertia
        state[11] = 0.0  # the bars are not stressed yet
        states, still = np.empty((steps + 1, len(state))), np.zeros(steps + 1)
        make_trace(how.advance_for(body))(
            tuple(state), tuple(params), still, still, dt, 0.0, states
        )
        return states[:, 0]

    rigid_block = rocking("hht")
    soft, stiff = (
        np.abs(particles(b, h, mass, spring, bar, dt, steps, theta0) - rigid_block).max()
        for bar in (1e10, 1e12)
    )
    assert rigid_block.min() < -0.3 * theta0 < 0  # it has gone through impacts
    assert stiff < 2e-6 * body.alpha
    assert stiff < 0.1 * soft
    plain = np.abs(rocking("newmark") - rigid_block).max()
    assert plain > 0.02 * body.alpha  # the difference the virial makes


# -- statics ------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0.0, 0.1, -0.12])
@pytest.mark.parametrize("variant", ["hht", "newmark"])
def test_at_rest_nothing_moves(offset, variant):
    block = rs.Block(1.8, 0.5, offset=offset)
    how = NumericalDissipation(dt=0.01, variant=variant)
    run = rs.simulate(block, rs.Motion.zeros(5.0, 0.01), how, duration=5.0)
    for name in ("theta", "omega", "x", "y"):
        assert np.ptp(run.column(name)) < 1e-13
    assert np.sign(run.theta[0]) == np.sign(offset)
    assert abs(run.theta[0]) < 0.01 * block.alpha
    assert np.abs(run.energy).max() < 1e-9
    assert run.status is rs.Status.AT_REST
    sunk = block.mass * block.g / (how.k_n * block.width)
    assert offset or -run.column("y")[0] == pytest.approx(sunk, rel=1e-12)


def test_the_base():
    """Springs about every 0.1 m, corners included, five at least, trapezoid weights."""
    for width, points in ((0.3, 5), (0.6, 7), (1.2, 13), (0.04, 5)):
        block = rs.Block(4 * width, width, thickness=0.7, offset=0.1 * width)
        distance, stiffness = NumericalDissipation(k_n=1e9).base(block)
        assert len(distance) == points
        assert distance[[0, -1]] == pytest.approx([-block.left.b, block.right.b], rel=1e-14)
        assert stiffness.sum() == pytest.approx(1e9 * width * 0.7, rel=1e-14)
        assert stiffness[0] == stiffness[-1] == stiffness[1] / 2


@pytest.mark.parametrize("offset", [0.0, 0.08])
@pytest.mark.parametrize("side", [1, -1])
def test_it_decays_to_rest_on_either_side(offset, side):
    """Housner-like: swings get shorter and smaller, and end at rest where it stands."""
    block = rs.Block(2.4, 0.6, offset=offset)
    run = rs.simulate(block, None, NumericalDissipation(dt=0.01), theta0=side * 0.25 * block.alpha)
    assert run.status is rs.Status.AT_REST
    assert run.energy[-1] < 1e-3 * run.energy[0]
    crossings = np.flatnonzero(np.diff(np.sign(run.theta)))[:6]
    assert np.all(np.diff(crossings[::2], 2) <= 1)
    assert np.all(np.diff(np.abs(run.theta[crossings[:-1] + np.diff(crossings) // 2])[::2]) < 0)


# -- motion ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("friction", [1.0, 0.22])
def test_mirrored_motion_gives_the_mirrored_response(friction):
    """To 1e-9 α over 10 s; sums run in another order, so not to the last bit."""
    how = NumericalDissipation(dt=0.01, friction=friction)
    motion = shaking(0, 1.5, duration=10.0)
    run, image = (rs.simulate(BLOCK, m, how, duration=10.0) for m in (motion, motion.scaled(-1)))
    assert len(run.time) > 600
    assert run.peak > 0.1
    np.testing.assert_allclose(run.theta, -image.theta, atol=1e-9 * BLOCK.alpha)
    np.testing.assert_allclose(run.column("x"), -image.column("x"), atol=1e-9)


def slide_on_rigid_ground(motion, friction, g, parts=200):
    """Coulomb's block by small steps: displacement relative to the ground at the end."""
    h = motion.dt / parts
    at = np.arange((len(motion) - 1) * parts) * h + h / 2
    x = v = 0.0
    for a in np.interp(at, motion.time, motion.accel):
        if v == 0 and abs(a) <= friction * g:
            continue
        way = math.copysign(1.0, v) if v else -math.copysign(1.0, a)
        new = v - h * (a + way * friction * g)
        new = 0.0 if v * new < 0 else new
        x, v = x + h * (v + new) / 2, new
    return x


def test_low_friction_slides():
    """A stocky block on a rectangular pulse slides as far as Coulomb's law says; the bed's lag in
    taking up friction adds to it, and falls like 1/√k_n."""
    block, friction, dt = rs.Block(1.0, 1.0), 0.25, 0.001
    motion = rs.Motion(np.r_[0, np.full(300, 4.0), np.zeros(600)], dt)
    expected = slide_on_rigid_ground(motion, friction, block.g)
    excess = []
    for k_n in (5e8, 45e8):
        how = NumericalDissipation(k_n=k_n, dt=dt, friction=friction)
        run = rs.simulate(block, motion, how)
        assert run.status is rs.Status.AT_REST
        assert run.peak < 1e-3
        excess.append(run.column("x")[-1] / expected - 1)
        loss = friction * block.mass * block.g * abs(run.column("x")[-1])
        assert run.column("slip loss")[-1] == pytest.approx(loss, rel=0.01)
    assert 0 < excess[1] < 0.01
    assert excess[0] / excess[1] == pytest.approx(3, rel=0.15)
    rough = rs.simulate(block, motion, NumericalDissipation(dt=dt, friction=1.0))
    assert abs(rough.column("x")[-1]) < 1e-3 * abs(expected)


def test_it_flies_when_the_ground_falls_away():
    """a_v = −2 g for 0.1 s: upwards relative to the ground, with g; and it lands again."""
    block, dt = rs.Block(0.5, 0.5), 0.001
    vertical = np.r_[0, np.full(100, -2 * 9.81), np.zeros(400)]
    how = NumericalDissipation(k_n=1e11, dt=dt)
    run = rs.simulate(block, rs.Motion(0 * vertical, dt, vertical), how, duration=0.5)
    t = run.time[20:101]  # the rule takes the ground at the end of each step: −2 g from t = 0 on
    np.testing.assert_allclose(run.column("y")[20:101], block.g * t**2 / 2, rtol=0.02)
    apex = block.g * 0.1**2  # as much again while slowed down by g
    assert run.column("y").max() == pytest.approx(apex, rel=0.02)
    assert run.column("y")[-1] < 0.2 * apex
    assert np.abs(run.theta).max() < 1e-12


def test_work_and_energy():
    """What the ground puts in is in the block, slid away or lost to the rule; less of the last with
    smaller steps."""
    block = rs.Block(4.2, 0.6)
    lost = []
    for dt in (0.004, 0.002, 0.001):
        how = NumericalDissipation(dt=dt)
        run = rs.simulate(block, shaking(2, 1.6, block).resampled(dt), how, duration=3.9)
        gone = run.column("work") - run.column("slip loss") - run.energy
        assert gone.min() > -1e-3 * run.energy.max()
        lost.append(gone[-1] / run.energy.max())
    assert run.energy.max() > 0.1 * block.mass * block.g * block.R * (1 - math.cos(block.alpha))
    assert lost[0] > lost[1] > lost[2] > 0


def test_overturning():
    how = NumericalDissipation(dt=0.005)
    run = rs.simulate(BLOCK, None, how, theta0=1.1 * BLOCK.alpha)
    assert run.status is rs.Status.OVERTURNED
    assert run.events[-1, 1] == OVERTURN
    assert run.theta[-1] >= math.pi / 2
    early = rs.simulate(BLOCK, None, how, theta0=1.1 * BLOCK.alpha, duration=0.2)
    assert early.status is rs.Status.OVERTURNED  # doomed, though it still stands
    back = rs.simulate(BLOCK, None, how, theta0=0.9 * BLOCK.alpha, duration=0.2)
    assert back.status is rs.Status.MOVING
    pushed = rs.simulate(BLOCK, None, how, omega0=1.1 * 2 * BLOCK.p * math.sin(BLOCK.alpha / 2))
    assert pushed.status is rs.Status.OVERTURNED
    held = rs.simulate(BLOCK, None, how, omega0=-0.9 * 2 * BLOCK.p * math.sin(BLOCK.alpha / 2))
    assert held.status is rs.Status.AT_REST
    assert held.peak > 0.4


def test_a_live_stream_gives_the_same():
    how, motion = NumericalDissipation(dt=0.01, friction=0.22), shaking(0, 2.0)
    run = rs.simulate(BLOCK, motion, how, duration=2.0)
    live = rs.Stream(BLOCK, how, dt=0.01)
    samples = [live.push(a).theta for a in run.motion.accel]
    np.testing.assert_array_equal(samples, run.theta)
    assert live.state == tuple(run.states[-1])


# -- Newton's method --------------------------------------------------------------------------


def test_it_counts_its_iterations_and_hardly_ever_cuts():
    """Newton failures nearly none for μ ≤ 1: here none in 200 000 steps."""
    steps = iterations = cuts = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        width = rng.uniform(0.1, 1.5)
        block = rs.Block(width * rng.uniform(1, 10), width)
        dt = 10 ** rng.uniform(-3.2, -2.2)
        how = NumericalDissipation(
            k_n=10 ** rng.uniform(8, 9.5), dt=dt, friction=rng.choice([0.2, 0.5, 1.0])
        )
        motion = shaking(seed, rng.uniform(1, 4), block, duration=10.0, dt=dt)
        run = rs.simulate(block, motion, how, duration=motion.duration)
        steps += len(run.time) - 1
        iterations += run.column("newton iterations")[-1]
        cuts += run.column("cuts")[-1]
        assert run.status is not rs.Status.FAILED
    assert steps > 100_000
    assert cuts == 0
    assert 0.5 < iterations / steps < 3


def test_a_run_of_cuts_is_called_doubtful():
    block = rs.Block(2.0, 0.5)
    stiff = rs.NumericalDissipation(k_n=1e13, dt=0.025)
    with pytest.warns(rs.RocksteadyWarning, match=r"halved \d+ times in 40 steps.*k_n = 1e\+13"):
        rs.simulate(block, None, stiff, theta0=0.5 * block.alpha, duration=1.0)


def test_a_cut_is_counted_and_the_samples_stay():
    """μ = 5 is discontinuous at lift-off: some steps have to be halved."""
    cuts = 0
    for seed in range(12):
        block = rs.Block(0.9, 0.3)
        motion = shaking(seed, 4.0, block, duration=6.0, dt=0.01)
        run = rs.simulate(
            block, motion, NumericalDissipation(k_n=3e9, dt=0.01, friction=5.0), duration=5.9
        )
        cuts += run.column("cuts")[-1]
        assert run.status is not rs.Status.FAILED
        assert np.all(np.isfinite(run.states))
        assert np.all(np.diff(run.column("cuts")) >= 0)
        np.testing.assert_allclose(np.diff(run.time), 0.01, rtol=1e-9)
    assert cuts > 0


def test_no_answer_is_a_failure_not_a_number():
    how = NumericalDissipation(dt=0.01)
    state = how.start(BLOCK, 0.0, 0.0)
    accel, states = np.array([0.0, math.nan, 0.0]), np.empty((3, len(state)))
    rows, events, last = make_trace(how.advance_for(BLOCK))(
        state, how.parameters(BLOCK), accel, np.zeros(3), 0.01, 0.0, states
    )
    assert rows == 2
    assert events[-1, 1] == FAILURE
    assert last[:15] == state[:15]
    assert last[16] == 12


def test_it_keeps_the_contract():
    assert isinstance(NumericalDissipation(), Formulation)
    assert len(NumericalDissipation().start(BLOCK)) == len(NumericalDissipation().columns(BLOCK))

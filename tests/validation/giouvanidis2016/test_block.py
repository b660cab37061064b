"""The rigid block: Figs. 5 and 6 of Giouvanidis & Dimitrakopoulos (2016), and Housner's block."""

import math

import numpy as np
import pytest

import rocksteady as rs
import standins
from rocksteady.theories.housner.rocking import NEGLIGIBLE
from rocksteady.theories.nonsmooth.striking import FLIGHT, Rates, negligible, strike

SLENDER = rs.Block(height=9.8, width=1.4)  # Fig. 5b: 2b = 1.4 m, h/b = 7
STOCKY = rs.Block(height=0.98, width=1.4)  # Fig. 5a at h/b = 0.70: at 1/√2 both regimes hold


def random_block(rng):
    alpha, R, lopsided = rng.uniform(0.08, 0.5), rng.uniform(0.3, 4), rng.choice([0.0, 0.08])
    height, width = 2 * R * math.cos(alpha), 2 * R * math.sin(alpha)
    return rs.Block(height, width, offset=lopsided * width)


def same_as_housner(block, motion):
    """None if Housner's block does not come to rest; else whether (peak, impacts) agree."""
    housner = rs.simulate(block, motion)
    if housner.status is not rs.Status.AT_REST:
        return None
    ours = rs.simulate(block, motion, rs.Nonsmooth())

    def hard(response):
        hit = np.abs(response.impacts.omega_before) > 1e-3 * block.p
        return response.impacts.time[hit][:20]

    a, b = hard(ours), hard(housner)
    times = len(a) == len(b) and np.allclose(a, b, 0, 1e-8)
    return abs(ours.peak - housner.peak) < 1e-8, times


def assert_same(agree):
    """The peak of every block, and the impact times of 95 % of them."""
    peaks, times = np.transpose(agree)
    assert np.all(peaks)
    assert np.mean(times) >= 0.95


def test_equals_housner_on_pulses():
    rng = np.random.default_rng(4)
    agree = []
    while len(agree) < 60:
        block = random_block(rng)
        strength = rng.uniform(1.1, 4) * block.g * math.tan(block.alpha)
        same = same_as_housner(block, rs.pulses.sine(strength, rng.uniform(0.2, 1.2), dt=0.005))
        if same is not None:
            agree.append(same)
    assert_same(agree)


@pytest.mark.parametrize("file", ["AT2/NGA_no_1063_RRS228.AT2", "AT2/RSN1106_KOBE_KJM000.AT2"])
def test_equals_housner_on_a_real_record(records, file):
    assert_same_under(rs.read_motion(records / file))


@pytest.mark.parametrize("file", [standins.PULSE, standins.ACROSS])
def test_equals_housner_on_a_generated_record(generated_records, file):
    assert_same_under(rs.read_motion(generated_records / file))


def assert_same_under(record):
    rng = np.random.default_rng(5)
    agree = []
    while len(agree) < 40:
        block = random_block(rng)
        shaking = record.scaled_to(pga=rng.uniform(1.2, 3) * block.g * math.tan(block.alpha))
        same = same_as_housner(block, shaking)
        if same is not None:
            agree.append(same)
    assert_same(agree)


def test_figure_5a_stocky_block_bounces_on_one_corner():
    """Eq. 21: φ'⁺ = −ε φ'⁻ without change of pivot; ε = 0 stays down, ε = 1 loses nothing."""
    alpha = STOCKY.alpha
    still = rs.simulate(STOCKY, None, rs.Nonsmooth(epsilon=0.0), theta0=alpha / 3)
    assert len(still.impacts) == 1
    assert still.status is rs.Status.AT_REST
    half = rs.simulate(STOCKY, None, rs.Nonsmooth(epsilon=0.5), theta0=alpha / 3)
    hard = half.impacts[:5]
    np.testing.assert_allclose(hard.omega_after, -0.5 * hard.omega_before, rtol=1e-12)
    assert half.theta.min() >= 0
    assert half.status is rs.Status.AT_REST
    ever = rs.simulate(STOCKY, None, rs.Nonsmooth(epsilon=1.0), theta0=alpha / 3, duration=10.0)
    # a step of the series may leave out 5e-11 p: 1.8e-10 in these 10 s
    np.testing.assert_allclose(ever.energy, ever.energy[0], rtol=5e-10)
    assert len(ever.impacts) > 10


def test_figure_5b_slender_block_rocks():
    """Eq. 20 at ε = 0 is Housner's 1 − (3/2) sin²α: 0.97 for h/b = 7."""
    response = rs.simulate(SLENDER, None, rs.Nonsmooth(), theta0=SLENDER.alpha / 3)
    hard = response.impacts[:10]
    np.testing.assert_allclose(hard.omega_after / hard.omega_before, 0.97, rtol=1e-12)
    assert set(response.column("contact")) <= {-1.0, 0.0, 1.0}
    assert response.status is rs.Status.AT_REST


def test_figure_6_is_housner_with_eta_097():
    pulse = rs.pulses.sine(0.45 * 9.81, omega=5.75 * SLENDER.p, tail=8.0)
    ours = rs.simulate(SLENDER, pulse, rs.Nonsmooth(), duration=8.0)
    housner = rs.simulate(SLENDER, pulse, rs.Housner(eta=0.97), duration=8.0)
    np.testing.assert_allclose(ours.theta, housner.theta, rtol=0, atol=1e-12)
    assert ours.peak > 0.1


def test_equation_20_flight():
    """ε > 0: both corners leave the ground, with φ'⁺/φ'⁻ = 1 − (3/2)(1 + ε) sin²α."""
    block, epsilon = rs.Block(height=2.0, width=0.6), 0.4
    response = rs.simulate(block, None, rs.Nonsmooth(epsilon=epsilon), theta0=0.1, duration=3.0)
    first = response.impacts[0]
    eta = 1 - 1.5 * (1 + epsilon) * math.sin(block.alpha) ** 2
    assert first.omega_after / first.omega_before == pytest.approx(eta, rel=1e-12)
    assert (response.column("contact") == 2).any()
    assert response.column("lift").max() > 0


def com_velocities(response):
    """Velocity of the centre of mass, from those of the lower corner."""
    block, side = response.system, np.where(response.theta > 0, 1.0, -1.0)
    lean = block.alpha - np.abs(response.theta)
    vx = response.column("slide_rate") + block.R * np.cos(lean) * response.omega
    vy = response.column("lift_rate") + block.R * np.sin(lean) * side * response.omega
    return vx, vy


def test_flight_conserves_energy_and_momentum():
    block = rs.Block(height=1.0, width=0.6)
    motion = rs.Motion.zeros(2.0, 0.001)
    response = rs.simulate(block, motion, rs.Nonsmooth(epsilon=0.9), theta0=0.4, duration=2.0)
    flying = response.column("contact") == 2
    hits = np.searchsorted(response.time, response.impacts.time)
    calm = flying[:-1] & flying[1:]
    calm[np.clip(hits - 1, 0, len(calm) - 1)] = False  # both samples in one flight
    assert calm.sum() > 100
    vx, vy = com_velocities(response)
    np.testing.assert_allclose(np.diff(vx)[calm], 0, atol=1e-14)
    np.testing.assert_allclose(np.diff(vy)[calm], -block.g * 0.001, atol=1e-14)
    np.testing.assert_allclose(np.diff(response.omega)[calm], 0, atol=0)
    np.testing.assert_allclose(np.diff(response.energy)[calm], 0, atol=1e-12 * response.energy[0])
    assert np.all(response.column("lift") >= 0)


def test_thrown_up_by_the_ground():
    """The ground falls at 15 m/s²: the block stays behind by (15 − g) t²/2."""
    drop = np.concatenate([[0.0], np.full(30, -15.0), np.zeros(60)])
    motion = rs.Motion(np.zeros(91), 0.01, vertical=drop)
    response = rs.simulate(rs.Block(1.0, 0.4), motion, rs.Nonsmooth(), duration=0.9)
    ramp = 9.81 / 15 * 0.01  # when it lifts off, inside the first interval
    end = 0.01 - ramp
    rate0 = (15 - 9.81) * end / 2
    lift0 = (15 - 9.81) * end**2 / 6
    t = response.time[1:31] - 0.01
    expected = lift0 + rate0 * t + (15 - 9.81) * t**2 / 2
    np.testing.assert_allclose(response.column("lift")[1:31], expected, rtol=1e-12)
    assert response.status is rs.Status.AT_REST
    assert response.peak == 0.0


@pytest.mark.parametrize("friction", [None, 0.4])
def test_leaning_it_is_thrown_up_as_it_is(friction):
    """The ground falls at 15 m/s² from under a block on its corner: no force, no turning."""
    block, n = rs.Block(1.0, 0.4, offset=0.05), 31
    motion = rs.Motion(np.zeros(n), 0.01, vertical=np.full(n, -15.0))
    how = rs.Nonsmooth(epsilon=0.0, friction=friction)
    response = rs.simulate(block, motion, how, theta0=0.1, duration=0.3)
    assert np.all(response.column("contact")[1:] == 2)
    expected = (15 - block.g) * response.time**2 / 2
    np.testing.assert_allclose(response.column("lift"), expected, atol=1e-14)
    np.testing.assert_array_equal(response.theta, 0.1)
    assert np.abs(response.energy_balance).max() < 1e-12 * response.energy.max()


def test_called_at_rest_only_if_all_hops_fit_in():
    """ε = 0.5, stocky: each hop takes half as long as the last, 4v/a together. A run with long
    intervals may stop early, but never before a fine one has come to rest, too."""
    fine = rs.simulate(
        STOCKY, rs.Motion.zeros(3.0, 2e-4), rs.Nonsmooth(epsilon=0.5), theta0=STOCKY.alpha / 3
    )
    rest = fine.time[np.flatnonzero(fine.column("contact"))[-1] + 1]
    assert len(fine.impacts) > 10
    called = []
    for dt in np.linspace(0.05, 0.35, 60):
        motion = rs.Motion.zeros(6.0, dt)
        run = rs.simulate(STOCKY, motion, rs.Nonsmooth(epsilon=0.5), theta0=STOCKY.alpha / 3)
        called.append(run.time[np.flatnonzero(run.column("contact"))[-1] + 1])
    assert min(called) > rest - 1e-3
    assert len(np.unique(called)) > 5


@pytest.mark.parametrize("a_v", [-5.0, 0.0, 8.0])
@pytest.mark.parametrize(("share", "hops"), [(0.99, False), (1.01, True)])
def test_a_hop_is_none_if_it_is_too_low(share, hops, a_v):
    """v²/2(g + a_v) below `NEGLIGIBLE` of the width, leaning; of the width times α, upright."""
    block, epsilon, ground = rs.Block(1.0, 0.4), 0.5, (0.0, a_v)
    params, closing = rs.Nonsmooth(epsilon=epsilon).parameters(block), block.g + a_v
    speed = share * math.sqrt(2 * NEGLIGIBLE * block.width * closing)
    state = (0.1, 0.0, FLIGHT, 0.0, 0.0, 0.0, -speed / epsilon, 0.0, 0.0, 0.0, 0.0)
    after, _, _ = strike(state, params, ground, ground, 1e-9)
    assert (after[2] == FLIGHT) == hops
    speed *= math.sqrt(block.alpha)
    assert negligible(1.0, Rates(speed, speed, 0.0, 0.0), params, ground) != hops


@pytest.mark.parametrize("friction", [None, 0.4])
@pytest.mark.parametrize("epsilon", [0.0, 0.5])
def test_mirror_and_energy(epsilon, friction):
    """Mirrored body and motion: mirrored response, bit for bit. Energy is accounted for, and no
    impact and no slip adds any."""
    rng = np.random.default_rng(8)
    how = rs.Nonsmooth(epsilon=epsilon, friction=friction)
    phases = set()
    for _ in range(12):
        noise = np.convolve(rng.normal(size=(400)), np.ones(8) / 8, "same")
        shake = rs.Motion(noise * rng.uniform(4, 25), 0.01, 6 * rng.normal(size=400))
        width = rng.uniform(0.3, 1.5)
        block = rs.Block(1.5, width, offset=0.1 * width)
        mirrored = rs.Block(1.5, width, offset=-0.1 * width)
        ours = rs.simulate(block, shake, how, duration=6.0)
        theirs = rs.simulate(
            mirrored, rs.Motion(-shake.accel, 0.01, shake.vertical), how, duration=6.0
        )
        sign = np.array([-1, -1, 1, -1, 1, -1, 1, -1, 1, 1, 1])
        sides = np.where(np.abs(ours.states[:, 2]) == 1, -1.0, 1.0)
        expected = ours.states * sign
        expected[:, 2] = sides * ours.states[:, 2]
        np.testing.assert_array_equal(theirs.states, expected)
        scale = max(ours.energy.max(), ours.column("loss").max())
        assert np.abs(ours.energy_balance).max() < 1e-9 * scale
        assert np.diff(ours.column("loss")).min() >= -1e-12 * scale
        assert ours.status is not rs.Status.FAILED
        phases |= set(np.unique(ours.column("contact")))
    assert phases == {-1.0, 0.0, 1.0, 2.0}


def test_stream_agrees_with_simulate():
    rng = np.random.default_rng(3)
    block, how = rs.Block(1.2, 0.5), rs.Nonsmooth(epsilon=0.3, friction=0.5)
    motion = rs.Motion(6 * np.convolve(rng.normal(size=300), np.ones(5) / 5, "same"), 0.01)
    response = rs.simulate(block, motion, how, duration=motion.duration)
    live = rs.Monitor(block, how, dt=0.01)
    states = [live.push(a) and live.state for a in motion.accel]
    np.testing.assert_array_equal(np.array(states), response.states)


def test_what_is_refused():
    with pytest.raises(rs.InputError, match=r"epsilon = 1.5.*\[0, 1\]"):
        rs.Nonsmooth(epsilon=1.5)
    with pytest.raises(rs.InputError, match=r"epsilon = -0.1"):
        rs.Nonsmooth(epsilon=-0.1)
    with pytest.raises(rs.InputError, match=r"friction = 0.*positive"):
        rs.Nonsmooth(friction=0.0)

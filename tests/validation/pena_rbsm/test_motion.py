"""What a body on springs does (pena-rbsm): how it starts from
rest, the six motion states, asymmetric bodies, mirrored motions, overturning."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.engine.drivers import make_peaks
from rocksteady.theories.contract import OVERTURN, TURN, Formulation
from rocksteady.theories.springs import RigidBodySpring, motion_states
from rocksteady.theories.springs.motion import STATE_NAMES, lifted, motion_state

BLOCK = rs.Block(height=2.0, width=0.4)


def steady(block, A, duration, dt=1e-3):
    """A ground that is accelerated by A g from the first instant on."""
    return rs.Motion(np.full(round(duration / dt) + 1, A * block.g), dt)


def shaken(block, how, a_h, a_v, dt, **start):
    """A run that ends with the motion."""
    motion = rs.Motion(a_h, dt, vertical=a_v)
    return rs.simulate(block, motion, how, duration=motion.duration, **start)


def test_is_a_formulation():
    assert isinstance(RigidBodySpring(), Formulation)
    assert RigidBodySpring().columns(BLOCK)[:2] == ("theta [rad]", "omega [rad/s]")


# -- how it starts: section 8 --------------------------------------------------------------------


def critical_friction(A, s):
    """Between slide-rocking and rocking (0.248598 at A = 0.4, s = 5; 0.415584 at A = 1, s = 4)."""
    return (A * (4 + s**2) + 3 * s) / (1 + 4 * s**2 + 3 * A * s)


def expected_start(A, s, mu):
    if min(mu, 1 / s) >= A:
        return "rest"
    if mu < 1 / s:
        return "slide"
    return "rotation" if mu >= critical_friction(A, s) else "slide-rotation"


def away_from_boundaries(A, s, mu):
    boundaries = [A * s, mu * s, A / mu] + ([mu / critical_friction(A, s)] if A * s > 1 else [])
    return all(abs(ratio - 1) >= 0.0999 for ratio in boundaries)


def grid(s):
    """Points (A, μ) at least 10 % off the boundaries."""
    for A in np.array([0.5, 0.7, 0.9, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0]) / s:
        critical = critical_friction(A, s)
        frictions = np.array([0.3, 0.6, 0.9, 1.1, 1.2, 1.5, 2.0, 4.0]) / s
        for mu in (*frictions, critical / 1.11, critical * 1.11):
            if away_from_boundaries(A, s, mu):
                yield A, mu


@pytest.mark.parametrize("s", [2.8, 3.5, 4.0, 5.0, 7.0, 10.0])
def test_starts_as_section_8_says(s):
    """Under a step load, ξ = 1, on a bed 100 times the default: the same state at every sample
    from 0.05/p, when the springs have come to rest, to 0.4/p. (Later a block that rocks far may
    begin to slide: μ_c is that of the start.)"""
    block = rs.Block(height=2.0, width=2.0 / s)
    K = 100 * RigidBodySpring().bed(block).K
    seen = dict.fromkeys(("rest", "slide", "rotation", "slide-rotation"), 0)
    for A, mu in grid(s):
        motion = steady(block, A, 0.4 / block.p)
        how = RigidBodySpring(K=K, friction=mu)
        response = rs.simulate(block, motion, how, duration=motion.duration)
        codes = response.column("motion state")[response.time >= 0.05 / block.p]
        expected = expected_start(A, s, mu)
        assert {STATE_NAMES[int(code)] for code in codes} == {expected}, (A, s, mu)
        seen[expected] += 1
    assert critical_friction(0.4, 5) == pytest.approx(0.248598, abs=5e-7)
    assert critical_friction(1, 4) == pytest.approx(0.415584, abs=5e-7)
    assert min(seen.values()) >= 4, seen


@pytest.mark.parametrize("s", [2.8, 4.0, 7.0, 10.0])
def test_step_load_below_uplift_lifts_by_a_hair_at_most(s):
    """On the default bed a sudden load of 0.9 g/s swings the springs past their static tilt: their
    rocking mode is damped by 1.2 ξ/s only. An edge lifts for a moment, by less than 0.2 % of α."""
    block = rs.Block(height=2.0, width=2.0 / s)
    response = rs.simulate(
        block, steady(block, 0.9 / s, 1 / block.p), RigidBodySpring(), duration=1 / block.p
    )
    codes = response.column("motion state")
    assert (codes == STATE_NAMES.index("rotation")).any()
    assert response.peak < 2e-3
    assert (codes[response.time > 0.8 / block.p] == STATE_NAMES.index("rest")).all()


def test_slides_as_coulomb_says():
    """On the whole base: s = −(A − μ) g t²/2, and on until friction has stopped it."""
    A, mu, t_d = 0.15, 0.08, 0.5
    pulse = rs.pulses.rectangular(A * BLOCK.g, t_d, dt=1e-3)
    response = rs.simulate(BLOCK, pulse, RigidBodySpring(friction=mu))
    assert response.status is rs.Status.AT_REST
    # decelerated by μ g once the ground has stopped: total A (A − μ) g t_d²/ 2μ
    total = A * (A - mu) * BLOCK.g * t_d**2 / (2 * mu)
    assert response.column("slide")[-1] == pytest.approx(-total, rel=0.01)
    assert response.peak < 0.01


def test_slide_rocks_like_the_rigid_body():
    """First accelerations of slide-rocking: N from m(g + b ψ'') = N, I ψ'' = −b N + μ h N, about
    the left corner."""
    A, s, mu = 1.0, 4.0, 0.33
    block = rs.Block(height=2.0, width=0.5)
    b, h, m, inertia, g = 0.25, 1.0, block.mass, block.inertia, block.g
    N = g / (1 / m + (b - mu * h) * b / inertia)
    psi, slip = (mu * h - b) * N / inertia, mu * N / m - A * g + h * (mu * h - b) * N / inertia
    assert 1 / s < mu < critical_friction(A, s)
    K = 100 * RigidBodySpring().bed(block).K
    how = RigidBodySpring(K=K, friction=mu)
    response = rs.simulate(block, steady(block, A, 0.05), how, duration=0.05)
    t = response.time[-1]
    assert response.theta[-1] == pytest.approx(-psi * t**2 / 2, rel=0.02)
    assert response.column("slide")[-1] == pytest.approx(slip * t**2 / 2, rel=0.02)


# -- the six states ------------------------------------------------------------------------------


def longest(response):
    return max(motion_states(response), key=lambda state: state[1] - state[0])[2]


@pytest.mark.parametrize(
    ("A", "mu", "name"),
    [
        (0.1, 1.0, "rest"),
        (0.15, 0.1, "slide"),
        (0.4, 1.0, "rotation"),
        (1.0, 0.22, "slide-rotation"),
    ],
)
def test_states_on_the_ground(A, mu, name):
    how = RigidBodySpring(friction=mu)
    response = rs.simulate(BLOCK, steady(BLOCK, A, 0.2), how, duration=0.2)
    assert longest(response) == name


def test_translation_jump():
    """The ground falls away at 2 g: it flies by itself, lands, and stands."""
    a_v = np.concatenate([np.full(200, -2 * BLOCK.g), np.full(200, 3 * BLOCK.g), np.zeros(600)])
    response = shaken(BLOCK, RigidBodySpring(), np.zeros(1000), a_v, 1e-3)
    names = [name for *_, name in motion_states(response)]
    assert names[0] == "translation-jump"
    assert names[-1] == "rest"
    v = response.column("v")  # relative to the ground, after 0.15 s: g t²/2
    assert v[150] == pytest.approx(BLOCK.g * 0.15**2 / 2, rel=1e-2)
    assert np.abs(response.theta).max() < 1e-12


def test_rotation_jump():
    """Thrown up while it rocks: in the air it turns at a constant rate and falls freely."""
    a_v = np.full(200, -2 * BLOCK.g)
    response = shaken(BLOCK, RigidBodySpring(), np.zeros(200), a_v, 1e-3, omega0=0.5)
    assert longest(response) == "rotation-jump"
    air = response.column("motion state") == STATE_NAMES.index("rotation-jump")
    air[: np.flatnonzero(air)[0] + 1] = False
    omega, v = response.omega[air], response.column("v_rate")[air]
    assert air.sum() > 150
    assert np.ptp(omega) < 1e-12
    np.testing.assert_allclose(np.diff(v), BLOCK.g * 1e-3, rtol=1e-9)
    d = response.column("u")[air] - BLOCK.com_height * response.theta[air]
    np.testing.assert_allclose(response.column("slide")[air], d, atol=1e-12)


def test_a_jump_is_a_translation_only_if_it_is_upright_and_does_not_turn():
    """FLAT: a hundredth of α, and of pα."""
    params = RigidBodySpring().parameters(BLOCK)
    lean, turn = 0.01 * BLOCK.alpha, 0.01 * BLOCK.alpha * BLOCK.p
    for theta in (-1.1 * lean, 0.9 * lean, 1.1 * lean):
        for omega in (-1.1 * turn, 0.9 * turn, 1.1 * turn):
            code = motion_state(theta, omega, 0.0, 0.0, False, params)
            flat = abs(theta) < lean and abs(omega) < turn
            assert STATE_NAMES[int(code)] == ("translation-jump" if flat else "rotation-jump")


def test_lifted_is_where_a_corner_is_above_the_bed():
    """δ_i = v + x_i ψ + hψ²/2 > 0."""
    how, block = RigidBodySpring(), rs.Block(height=2.0, width=0.4, offset=0.05)
    states = np.zeros((200, 11))
    states[:, 0], states[:, 4] = np.random.default_rng(1).normal(size=(2, 200)) * [[0.2], [0.05]]
    psi, v = -states[:, 0], states[:, 4]
    gaps = [v + x * psi + block.com_height * psi**2 / 2 for x in (-block.left.b, block.right.b)]
    expected = np.maximum(*gaps) > 0
    assert 50 < expected.sum() < 190
    params = how.parameters(block)
    assert [lifted(tuple(state), params) for state in states] == expected.tolist()


def test_minimum_duration_of_a_state():
    """What lasts too short belongs to the state before it, or at the start to the next."""
    codes = np.array([0, 2, 2, 2, 0, 2, 2, 2, 0, 0, 0, 1, 1, 1], float)
    response = SimpleNamespace(time=0.01 * np.arange(14), column=lambda name: codes)
    raw = motion_states(response, minimum=0.0)
    assert [name for *_, name in raw] == ["rest", "rotation", "rest", "rotation", "rest", "slide"]
    states = motion_states(response, minimum=0.015)
    assert [(round(a, 3), round(b, 3), c) for a, b, c in states] == [
        (0.0, 0.08, "rotation"),
        (0.08, 0.11, "rest"),
        (0.11, 0.13, "slide"),
    ]
    with pytest.raises(rs.InputError, match="minimum = -1"):
        motion_states(response, minimum=-1)


# -- directions ----------------------------------------------------------------------------------


def noise(samples=1500, seed=3):
    rng = np.random.default_rng(seed)
    return np.interp(np.arange(samples), 20 * np.arange(90), 4 * rng.standard_normal(90))


@pytest.mark.parametrize("offset", [0.0, 0.04])
@pytest.mark.parametrize("mu", [1.0, 0.25])
def test_mirrored_motion_gives_the_mirrored_response(offset, mu):
    """Bit for bit, the body mirrored as well if it is asymmetric."""
    a_h, a_v = noise(), 0.5 * noise(seed=4)
    how = RigidBodySpring(friction=mu)
    block = rs.Block(height=2.0, width=0.4, offset=offset)
    mirror = rs.Block(height=2.0, width=0.4, offset=-offset)
    one = shaken(block, how, a_h, a_v, 0.005)
    other = shaken(mirror, how, -a_h, a_v, 0.005)
    assert np.abs(one.theta).max() > 0.1 * BLOCK.alpha  # it did rock
    for name in ("theta", "omega", "u", "u_rate", "slide", "shear"):
        assert np.array_equal(one.column(name), -other.column(name)), name
    for name in ("v", "v_rate", "motion state"):
        assert np.array_equal(one.column(name), other.column(name)), name
    assert np.array_equal(one.column("N_left"), other.column("N_right"))
    assert np.array_equal(one.events[:, 0], other.events[:, 0])


def test_direction_matters_for_an_asymmetric_body():
    """It rocks further, or falls, towards its weak side; Housner's theory says the same."""
    block = rs.Block(height=2.0, width=0.4, offset=0.05)
    pulse = rs.pulses.sine(amplitude=1.5 * block.g * math.tan(block.alpha), period=1.0, dt=2e-3)
    for motion, status in ((pulse, rs.Status.AT_REST), (pulse.scaled(-1), rs.Status.OVERTURNED)):
        ours = rs.simulate(block, motion, RigidBodySpring())
        theirs = rs.simulate(block, motion)
        assert ours.status is theirs.status is status
        if status is rs.Status.AT_REST:
            assert ours.peak == pytest.approx(theirs.peak, rel=0.02)


# -- extremes and ends ---------------------------------------------------------------------------


@pytest.mark.parametrize("amplitude", [1.1, 1.2, 1.3])
def test_peak_under_a_pulse_tends_to_housner(amplitude):
    """For K → ∞, but for the first-order geometry. On the default bed within 2 %, unless it hardly
    lifts off (amplitude 1.1: by 1.7 % of α)."""
    block = rs.Block.from_parameters(p=2.0, alpha=0.1)
    push = amplitude * block.g * math.tan(block.alpha)
    pulse = rs.pulses.sine(amplitude=push, period=1.0, dt=2e-3)
    housner, K = rs.simulate(block, pulse), RigidBodySpring().bed(block).K
    for factor, within in ((1.0, 0.02), (100.0, 0.005)):
        ours = rs.simulate(block, pulse, RigidBodySpring(K=factor * K))
        assert ours.status is housner.status
        if amplitude > 1.1 or factor > 1:
            assert ours.peak == pytest.approx(housner.peak, rel=within)


def test_turning_points_are_caught_between_samples():
    """The peak of a coarsely sampled run is that of a finely sampled one."""
    how = RigidBodySpring()
    start = how.start(BLOCK, 0.0, 0.4)
    fine, coarse = (
        shaken(BLOCK, how, np.zeros(n), np.zeros(n), 1.0 / (n - 1), omega0=0.4) for n in (1001, 21)
    )
    assert fine.peak == pytest.approx(coarse.peak, rel=1e-4)
    assert np.abs(coarse.theta).max() < np.abs(fine.theta).max() * (1 - 1e-4)
    turns = coarse.events[coarse.events[:, 1] == TURN]
    first = turns[np.argmax(np.abs(turns[:, 2]))]
    assert (
        abs(first[3]) < how.bed(BLOCK).step * BLOCK.p**2 * BLOCK.alpha * 2
    )  # ω within a step of 0
    a = np.zeros(21)
    high = make_peaks(how.advance_for(BLOCK))(start, how.parameters(BLOCK), (a, a), 0.05)[2]
    assert high == pytest.approx(np.abs(fine.theta).max(), rel=1e-5)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("offset", [0.0, 0.05])
def test_overturned_is_twenty_degrees_beyond_balance(offset, side):
    block = rs.Block(height=2.0, width=0.4, offset=offset)
    push = rs.pulses.rectangular(-side * 1.0 * block.g, 1.0, dt=1e-3)
    response = rs.simulate(block, push, RigidBodySpring())
    assert response.status is rs.Status.OVERTURNED
    assert response.events[-1, 1] == OVERTURN
    limit = 0.2 - side * offset + math.radians(20)  # b/h + 20°
    assert limit <= side * response.theta[-1] < limit + 1e-3


def test_doomed_is_what_happens_if_one_waits():
    """Cut short at any time after the ground has stopped, the verdict is that of the whole run."""
    how, verdicts = RigidBodySpring(), set()
    for theta0, omega0 in [(0.0, w) for w in (0.3, 0.5, 0.54, 0.6, 0.9)] + [
        (0.19, 0.02),
        (0.21, 0.0),
        (0.21, -0.01),  # beyond the balance point and too slow to come back
        (0.21, -0.1),  # fast enough
    ]:
        end = rs.simulate(BLOCK, None, how, theta0=theta0, omega0=omega0).status
        for duration in (0.05, 0.3):
            cut = rs.simulate(BLOCK, None, how, theta0=theta0, omega0=omega0, duration=duration)
            assert (cut.status is rs.Status.OVERTURNED) == (end is rs.Status.OVERTURNED)
        verdicts.add(end)
    assert len(verdicts) == 2


def test_sliding_fast_is_not_falling():
    """Much energy, none of it in rotation."""
    how = RigidBodySpring(friction=0.05)
    state = list(how.start(BLOCK, 0.0, 0.0))
    state[3] = 5.0  # m/s
    assert not how.doomed(BLOCK, np.array(state))


def test_energy_is_conserved_without_dashpots():
    """In free rocking about one corner, before the first impact: to second order in the step."""
    drift = []
    for share in (0.2, 0.1):
        K = RigidBodySpring().bed(BLOCK).K / 100
        limit = RigidBodySpring(K=K, beta=0.0).bed(BLOCK).step / 0.2
        how = RigidBodySpring(K=K, beta=0.0, dt=share * limit)
        run = rs.simulate(BLOCK, None, how, theta0=BLOCK.alpha / 2, duration=0.25)
        assert run.theta[-1] > 0
        drift.append(np.ptp(run.energy) / run.energy[0])
    assert drift[0] < 1e-3
    assert drift[1] < 0.4 * drift[0]


def test_energy_only_falls_in_free_rocking():
    run = rs.simulate(BLOCK, None, RigidBodySpring(), theta0=BLOCK.alpha / 2)
    assert run.status is rs.Status.AT_REST
    assert np.diff(run.energy).max() < 2e-3 * run.energy[0]
    assert run.energy[-1] < 1e-6 * run.energy[0]

"""Sliding, rocking and slide-rocking with Coulomb friction."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import rocksteady as rs

G = 9.81


def step_load(A, n=20, dt=0.002):
    return rs.Motion(np.full(n, A * G), dt)


def expected_start(A, s, mu):
    """Rest, slide, rock or slide-rock, and how far the nearest boundary is."""
    critical = (A * (4 + s**2) + 3 * s) / (1 + 4 * s**2 + 3 * A * s)
    if min(mu, 1 / s) >= A:
        return "rest", min(mu / A, 1 / (s * A)) - 1
    if mu < 1 / s:
        return "slide", min(A / mu, 1 / (s * mu)) - 1
    if mu >= critical:
        return "rock", min(A * s, mu / critical) - 1
    return "slide-rock", min(A * s, mu * s, critical / mu) - 1


def test_critical_friction_of_the_notes():
    for A, s, mu in [(0.4, 5, 0.248598), (1.0, 4, 0.415584)]:
        assert expected_start(A, s, mu + 1e-6)[0] == "rock"
        assert expected_start(A, s, mu - 1e-6)[0] == "slide-rock"


def test_start_of_the_motion_on_a_grid():
    """Every point at least 10 % from a boundary starts as section 8 says."""
    names = {(0, 0): "rest", (0, 1): "slide", (1, 0): "rock", (1, 1): "slide-rock"}
    seen = []
    for s in (1.5, 2.5, 4.0, 6.0):
        block = rs.Block(height=2.0, width=2.0 / s)
        for A in np.geomspace(0.05, 2.5, 12):
            for mu in np.geomspace(0.04, 1.2, 12):
                kind, distance = expected_start(A, s, mu)
                if distance < 0.1:
                    continue
                run = rs.simulate(
                    block, step_load(A, 3), rs.Nonsmooth(epsilon=0.0, friction=mu), duration=0.004
                )
                _, _, contact, _, _, _, _, slip, *_ = run.states[1]
                assert names[abs(contact), abs(slip)] == kind, (A, s, mu)
                assert contact in (0, -1)  # to the side away from a_h
                assert slip in (0, -1)
                seen.append(kind)
    assert min(seen.count(kind) for kind in names.values()) > 20


def test_the_critical_friction_is_sharp():
    """One part in 10⁵ on either side of μ_c = 0.248598 (A = 0.4, s = 5), at the first instant."""
    block = rs.Block(height=2.0, width=0.4)
    for factor, slip in [(1 + 1e-5, 0), (1 - 1e-5, -1)]:
        live = rs.Monitor(block, rs.Nonsmooth(epsilon=0.0, friction=0.248598 * factor), dt=1e-7)
        for _ in range(2):
            live.push(0.4 * G)
        assert live.state[2] == -1
        assert live.state[7] == slip


def test_slide_in_closed_form():
    """A rectangular pulse a of length t_d: it lags by a (a − μg) t_d² / 2μg, then sticks."""
    block, a, t_d, mu = rs.Block(0.5, 1.0), 4.0, 0.3, 0.25
    run = rs.simulate(block, rs.pulses.rectangular(a, t_d), rs.Nonsmooth(epsilon=0.0, friction=mu))
    slide = a * (a - mu * G) * t_d**2 / (2 * mu * G)
    assert run.column("slide")[-1] == pytest.approx(-slide, rel=1e-12)
    assert run.status is rs.Status.AT_REST
    assert run.column("loss")[-1] == pytest.approx(block.mass * mu * G * slide, rel=1e-12)


def slide_rock_by_scipy(block, A, mu, t):
    """Newton–Euler with the corner held on the ground by N and dragged by −sμN, solved as a linear
    system at every instant: (θ, slide)."""
    h, b, m, inertia = block.com_height, block.width / 2, block.mass, block.inertia

    def rates(_, z):
        _, vx, phi, spin = z  # centre of mass, φ counter-clockwise; the left corner is in contact
        c, s = math.cos(phi), math.sin(phi)
        rx, ry = -b * c + h * s, -b * s - h * c
        slip = np.sign(vx - ry * spin) or -1.0
        # unknowns x'', y'', φ'', N;  T = −slip μ N
        system = np.array(
            [
                [m, 0, 0, slip * mu],
                [0, m, 0, -1],
                [0, 0, inertia, -(rx + slip * mu * ry)],
                [0, 1, rx, 0],
            ]
        )
        # the corner's height y + ry stays zero: y'' + rx φ'' − ry φ'² = 0
        right = np.array([-m * A * G, -m * G, 0, ry * spin**2])
        ax, _, turn, _ = np.linalg.solve(system, right)
        return [vx, ax, spin, turn]

    run = solve_ivp(rates, (0, t[-1]), [0, -1e-12, 0, 0], t_eval=t, rtol=1e-11, atol=1e-13)
    x, _, phi, _ = run.y
    corner = x - b * np.cos(phi) + h * np.sin(phi) + b
    return -phi, corner


def test_slide_rock_against_scipy():
    block, A, mu = rs.Block(height=2.0, width=0.5), 1.0, 0.33
    run = rs.simulate(
        block, step_load(A, 81), rs.Nonsmooth(epsilon=0.0, friction=mu), duration=0.16
    )
    theta, slide = slide_rock_by_scipy(block, A, mu, run.time)
    assert np.all(np.abs(run.column("slip")[1:]) == 1)
    assert np.all(run.column("contact")[1:] == -1)
    np.testing.assert_allclose(run.theta, theta, atol=1e-9)
    np.testing.assert_allclose(run.column("slide"), slide, atol=1e-9)
    assert abs(slide[-1]) > 0.01
    whole = rs.Motion(np.full(2, A * G), 0.16)  # in one interval as exactly as in eighty
    one = rs.simulate(block, whole, rs.Nonsmooth(epsilon=0.0, friction=mu), duration=0.16)
    np.testing.assert_allclose(one.states[-1, :2], run.states[-1, :2], rtol=0, atol=1e-12)


def test_large_friction_is_sticking():
    block = rs.Block(height=2.0, width=0.5)
    pulse = rs.pulses.sine(4.0, 0.5, dt=0.005)
    rough = rs.simulate(block, pulse, rs.Nonsmooth(epsilon=0.0, friction=50.0))
    stuck = rs.simulate(block, pulse, rs.Nonsmooth())
    assert stuck.status is rs.Status.AT_REST
    assert stuck.peak > 0.1
    # a step that cannot slip may leave out 5e-11 p, one with friction a five-hundredth of that
    assert rough.peak == pytest.approx(stuck.peak, abs=1e-11)
    np.testing.assert_allclose(rough.impacts.time[:10], stuck.impacts.time[:10], atol=1e-10)
    assert rough.column("slide")[-1] == 0.0


@pytest.mark.parametrize(
    ("height", "width", "amplitude", "period"),
    [(2.4, 1.8, 12.0, 0.4), (2.9, 1.9, 15.0, 0.5), (1.7, 1.7, 12.0, 0.7), (1.4, 1.2, 20.0, 0.4)],
)
def test_what_only_slides_does_not_lift_off(height, width, amplitude, period):
    """μ = b/h: friction and weight give way at once. It slides, and no rounding lifts a corner."""
    pulse = rs.pulses.sine(amplitude, period, dt=0.005)
    run = rs.simulate(
        rs.Block(height, width), pulse, rs.Nonsmooth(epsilon=0.0, friction=width / height)
    )
    assert np.abs(run.slide_history).max() > 0.01
    assert run.peak == 0 and len(run.impacts) == 0


def test_friction_sheds_rocking():
    """Lower friction: it slides more and rocks less; all work ends in friction and impacts."""
    block = rs.Block(height=2.0, width=0.5)
    pulse = rs.pulses.sine(4.5, 0.5, dt=0.005)
    runs = [
        rs.simulate(block, pulse, rs.Nonsmooth(epsilon=0.0, friction=mu))
        for mu in (0.15, 0.26, 0.8)
    ]
    peaks = [run.peak for run in runs]
    assert peaks[0] == 0
    assert peaks[1] < peaks[2]
    slides = [abs(run.column("slide")[-1]) for run in runs]
    assert slides[0] > slides[1] > slides[2]
    for run in runs:
        assert run.status is rs.Status.AT_REST
        assert run.column("loss")[-1] == pytest.approx(run.column("work")[-1], rel=1e-9)


@given(
    slenderness=st.floats(0.8, 8.0),
    friction=st.floats(0.05, 1.2),
    epsilon=st.sampled_from([0.0, 0.0, 0.3, 0.8]),
    strength=st.floats(0.5, 12.0),
    seed=st.integers(0, 999),
)
def test_whatever_slides_rocks_and_bounces_finds_an_answer(
    slenderness, friction, epsilon, strength, seed
):
    """No jam between sticking and slipping, and the energies add up."""
    block = rs.Block(height=1.5, width=1.5 / slenderness)
    noise = np.random.default_rng(seed).standard_normal(60)
    shaking = rs.Motion(strength * noise / np.abs(noise).max(), 0.02)
    run = rs.simulate(
        block, shaking, rs.Nonsmooth(epsilon=epsilon, friction=friction), duration=1.5
    )
    assert run.status is not rs.Status.FAILED
    largest = max(run.energy.max(), np.abs(run.column("work")).max())
    assert np.abs(run.energy_balance).max() <= 1e-7 * largest
    assert np.all(np.diff(run.column("loss")) >= -1e-9 * largest)


def test_a_run_that_slips_rocks_and_hops_obeys_the_laws():
    push = rs.pulses.sine(7.0, period=0.5, dt=0.002)
    shaken = rs.Motion(push.accel, push.dt, vertical=1.6 * push.accel)
    how = rs.Nonsmooth(friction=0.4, epsilon=0.2)
    found = rs.analysis.audit(rs.simulate(rs.Block(1.6, 0.7), shaken, how))
    assert found.ok and not found.unchecked, found

"""The flexible oscillator with every kind of contact: ε and friction of each edge, slip, flight."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocksteady as rs
from one_interval import make_stream
from rocksteady.theories.nonsmooth import column, column_body
from rocksteady.theories.nonsmooth.column_striking import strike
from validation.giouvanidis2016.moreau_column import time_stepping
from validation.giouvanidis2016.random_columns import Case, G, case

OWN = rs.Nonsmooth(epsilon=(0.2, 0.4), friction=(0.3, 0.5))


def oscillator(times_p=5.0, damping=0.01):
    """The body of Fig. 7: H/b = 10, m_b/m = 2, m_c/m = 1, ω_n = times_p · p."""
    p = math.sqrt(G / math.hypot(10.0, 1.0))
    return rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 1e4, times_p * p, damping)


def pulse(body, strength=5.0):
    return rs.pulses.sine(strength * G * body.b / body.height, omega=7 * body.p, dt=0.005)


# -- random runs ---------------------------------------------------------------------------------


def obeys(this: Case, run: rs.Response) -> None:
    """It ends, its energies add up, nothing is gained at contacts, and none pulls."""
    assert run.status is not rs.Status.FAILED
    largest = max(run.energy.max(), np.abs(run.column("work")).max())
    assert np.abs(run.energy_balance).max() <= 1e-7 * largest
    assert np.diff(run.column("loss")).min() >= -1e-12 * largest
    assert run.column("lift").min() >= 0
    if this.how.friction is not None:
        assert run.column("least_normal")[-1] >= -1e-9 * this.body.mass * G


def campaign(seeds: range) -> None:
    for seed in seeds:
        this = case(seed)
        obeys(this, this.run())


def test_random_runs_end_and_their_energies_add_up():
    campaign(range(250))


@pytest.mark.slow
def test_two_thousand_random_runs():
    campaign(range(250, 2500))


def test_samples_do_not_matter():
    """One and seven intervals on every line of the motion."""
    differing = []
    for seed in range(60):
        this = case(seed)
        coarse, fine = this.run(), this.run(7)
        assert fine.status is coarse.status
        n = min(len(coarse.theta), len(fine.theta[::7]))  # fewer where it has fallen
        lean = np.abs(fine.theta[::7][:n] - coarse.theta[:n]) / this.body.alpha
        if lean.max() > 1e-6:
            differing.append(seed)
    assert len(differing) <= 2  # hops of ε > 0.5 on a swinging column are chaotic


def apart(this: Case, run: rs.Response, steps: int) -> float:
    """How far time stepping with so many steps per sample comes from the run, over α and width."""
    epsilon, mu = this.how.pairs()
    theirs = time_stepping(this.body, this.motion, epsilon, mu, this.theta0, steps=steps)
    n = min(len(theirs), len(run.theta))
    lean = np.abs(theirs[:n, 0] - run.theta[:n]) / this.body.alpha
    slide = np.abs(theirs[:n, 1] - run.column("slide")[:n]) / this.body.width
    bend = np.abs(theirs[:n, 2] - run.column("u")[:n]) / this.body.width
    return float(max(lean.max(), slide.max(), bend.max()))


def converges(seeds: range, most: int) -> None:
    """Time stepping with ever shorter steps comes ever nearer, in proportion to the step. (Where an
    edge hops often a single run may need shorter steps than others.)"""
    errors: list[list[float]] = []
    for seed in seeds:
        this = case(seed)
        if this.how.friction is None or column_body.fastest(this.body) > 60:
            continue
        run = this.run()
        coarse, fine = (apart(this, run, steps) for steps in (200, 1600))
        near = max(2e-3, coarse / 3)
        assert fine < near or apart(this, run, 12_800) < near, seed
        errors.append([coarse, fine])
        if len(errors) == most:
            break
    assert len(errors) == most
    moved = np.array([e for e in errors if e[0] > 1e-6])
    order = np.log(np.median(moved[:, 0] / moved[:, 1])) / math.log(8)
    assert order == pytest.approx(1.0, abs=0.25)


def test_time_stepping_converges_to_the_same_motion():
    converges(range(100), 15)


@pytest.mark.slow
def test_time_stepping_converges_to_the_same_motion_in_many_runs():
    converges(range(100, 600), 60)


# -- limits --------------------------------------------------------------------------------------


def test_with_much_friction_and_no_bounce_it_is_the_one_on_the_ground():
    """Fig. 7, where no edge is ever pulled: two sets of equations, one motion."""
    body = oscillator()
    bare = rs.simulate(body, pulse(body), rs.Nonsmooth(), duration=15.0)
    rough = rs.simulate(body, pulse(body), rs.Nonsmooth(friction=5.0), duration=15.0)
    assert bare.column("least_normal")[-1] > 0 and len(bare.impacts) > 15
    for name in ("theta", "u", "work", "loss"):
        size = np.abs(bare.column(name)).max()
        np.testing.assert_allclose(rough.column(name), bare.column(name), atol=1e-10 * size)


def _ramped(shape):
    """On a ramp of 1 s, so that the column is not set swinging by the start of the motion."""
    time = np.linspace(0, 3, 3001)
    ramp = np.sin(np.minimum(time, 1) * np.pi / 2) ** 2
    push, vertical = shape(time, ramp)
    return rs.Motion(push, time[1], vertical)


RIGID = {
    "slides": (0.1, lambda t, ramp: (1.5 * ramp * np.sin(np.pi * t), None)),
    "rocks": (0.8, lambda t, ramp: (3.5 * ramp * np.cos(t), None)),
    "slips and rocks": (0.27, lambda t, ramp: (4.5 * ramp, None)),
    "slides and flies": (
        0.5,
        lambda t, ramp: (0.5 * ramp, -18 * np.sin(np.pi * np.minimum(t / 0.8, 1)) ** 2),
    ),
}


@pytest.mark.parametrize("what", list(RIGID))
def test_a_rigid_column_is_the_rigid_body_until_the_first_impact(what):
    """Within 1e-4 of α and of the width from ω_n = 800 p; the error falls with 1/ω_n², as the
    column's bending does. (At an impact u' jumps however stiff the column: from there the two
    differ.)"""
    mu, shape = RIGID[what]
    motion, how = _ramped(shape), rs.Nonsmooth(friction=mu)
    rigid = rs.simulate(oscillator().rigid(), motion, how, duration=3.0)
    moved = np.abs(rigid.theta).max() + np.abs(rigid.column("slide")).max()
    assert moved > 1e-3
    errors = []
    for times_p in (800, 1600):
        run = rs.simulate(oscillator(times_p, 0.05), motion, how, duration=3.0)
        first = min([3.0, *rigid.impacts.time[:1], *run.impacts.time[:1]])
        before = run.time < first - 2e-3  # the instants of impact differ a little
        assert before.sum() > 1000
        apart = [
            np.abs(run.column(name) - rigid.column(name))[before].max() / size
            for name, size in (("theta", rigid.system.alpha), ("slide", 2.0), ("lift", 2.0))
        ]
        errors.append(max(apart))
    assert errors[0] < 1e-4
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)


def test_equal_coefficients_are_a_single_one():
    assert rs.Nonsmooth(epsilon=(0.2, 0.2), friction=[0.5, 0.5]) == rs.Nonsmooth(
        epsilon=0.2, friction=0.5
    )
    body = oscillator()
    one = rs.simulate(body, pulse(body), rs.Nonsmooth(epsilon=0.2, friction=0.3), duration=8.0)
    edges = rs.Nonsmooth(epsilon=(0.2, 0.2), friction=(0.3, 0.3 * (1 + 1e-15)))
    assert isinstance(edges.friction, tuple)
    two = rs.simulate(body, pulse(body), edges, duration=8.0)
    np.testing.assert_allclose(two.theta, one.theta, atol=1e-9)


def test_mirrored():
    """Bit for bit, with the edges' coefficients exchanged."""
    body = oscillator(10)
    other = rs.Nonsmooth(epsilon=(0.4, 0.2), friction=(0.5, 0.3))
    right = rs.simulate(body, pulse(body, 4.0), OWN, duration=8.0)
    left = rs.simulate(body, pulse(body, -4.0), other, duration=8.0)
    assert abs(right.slide) > 0 and right.peak > 0.05
    turned = np.array([1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0], bool)
    expected = np.where(turned, -right.states, right.states)
    expected[:, 2] = np.where(
        np.abs(right.states[:, 2]) == 1, -right.states[:, 2], right.states[:, 2]
    )
    np.testing.assert_array_equal(left.states, expected)


# -- impacts and smooth motion -------------------------------------------------------------------


def matrices(body, u, phi):
    """M, W_N and W_T of q = (u, x, y, φ), φ clockwise, for the edges on the ground, from points of
    mass (science: the full Lagrangian). The lower edge is the right one."""
    at, weight = np.polynomial.legendre.leggauss(6)
    zeta = np.append((1 + at) / 2, [1.0, 0.0])
    mass = np.append(body.column_mass * weight / 2, [body.top_mass, body.base_mass])
    psi, S, C = (3 * zeta**2 - zeta**3) / 2, math.sin(phi), math.cos(phi)
    M = np.zeros((4, 4))
    for z, s, m in zip(zeta * body.height, psi, mass, strict=True):
        J = np.array([[s * C, 1, 0, z * C - s * u * S], [-s * S, 0, 1, -z * S - s * u * C]])
        M += m * J.T @ J
    M[3, 3] += body.base_mass * body.b**2 / 3
    edges = [body.b, -body.b] if phi == 0 else [body.b]
    W_N = np.array([[0.0, 0.0, 1.0, -b * C] for b in edges]).T
    return M, W_N, np.array([[0.0], [1.0], [0.0], [-body.b * S]])


@pytest.mark.parametrize("phi", [0.0, 0.05], ids=["upright", "leaning"])
def test_impacts_are_those_of_the_full_mass_matrix(phi):
    """The step's impact against `rs.impact`, ε and μ of each edge, oblique landings."""
    rng = np.random.default_rng(3)
    body = oscillator()
    params = column_body.parameters(body, (0.2, 0.4), (0.3, 0.5))
    own, ends = column.Oscillator(*params[:13]), column.Ends(*params[13:])
    for _ in range(100):
        u, rate, slide, rise = rng.normal(size=4) * [0.2, 1.0, 0.3, 0.5]
        spin = rng.normal() * 0.2
        rise = -abs(rise)
        state = (phi, spin, 2.0, u, rate, 0.0, 0.0, slide, rise, 0.0, 0.0, 0.0, 0.0)
        (_, omega, contact, _, bent_rate, _, _, sliding, rising, *_, loss, _), used, _ = strike(
            state, 1.0, own, ends
        )
        assert used == 0
        M, W_N, W_T = matrices(body, u, phi)
        b, S, C = body.b, math.sin(phi), math.cos(phi)
        # of the middle of the base, from those of its right edge
        before = np.array([rate, slide + b * S * spin, rise + b * C * spin, spin])
        k = W_N.shape[1]
        after, _, _ = rs.impact(M, W_N, W_T, before, [0.2, 0.4][:k], [0.3, 0.5][:k])
        np.testing.assert_allclose([bent_rate, omega], [after[0], after[3]], atol=1e-9)
        assert sliding == pytest.approx(after[1] - b * S * after[3], abs=1e-9)
        gaps = W_N.T @ after
        lowest = min(gaps) if contact == 2 else 0.0
        assert rising == pytest.approx(lowest, abs=1e-9)
        lost = (before @ M @ before - after @ M @ after) / 2
        assert loss == pytest.approx(lost, abs=1e-6) and loss >= -1e-9
        assert (contact == 2) == (gaps.min() > 1e-12)


@pytest.mark.parametrize("phase", ["slides", "slips on an edge", "flies"])
def test_the_order_of_the_integrator(phase):
    """Smooth motion in 0.4 s, with steps of fixed length: the error falls with the eighth power."""
    body = oscillator(5, damping=0.02)
    mass = body.mass * G
    start, steps = {
        "slides": ((0.0, 0.0, 0.0, 0.02, 0.1, 0.0, 0.0, 3.0, 0.0, 1.0), 4),
        "slips on an edge": ((0.05, 0.3, 1.0, 0.05, 0.2, 0.0, 0.0, 3.0, 0.0, 1.0), 16),
        "flies": ((0.05, 0.3, 2.0, 0.05, 0.2, 0.0, 0.5, 3.0, 4.0, 0.0), 16),
    }[phase]
    params = list(column_body.parameters(body, (0.3, 0.3), (0.1, 0.1)))
    fields = column.Oscillator._fields
    params[fields.index("tolerance")] = 1e9
    follow = make_stream(column.advance)
    ends = []
    for count in (steps, 2 * steps, 8 * steps):
        params[fields.index("longest")] = 0.4 / count * (1 + 1e-12)
        state = (*start, 0.0, 0.0, mass)
        state, used, *_ = follow(state, tuple(params), (0.3, 0.2), (0.6, -0.4), 0.4)
        assert used == 0.4 and state[2] == start[2] and state[9] == start[9]
        ends.append(np.array(state[:10]))
    coarse, fine = (np.abs(end - ends[-1]).max() for end in ends[:2])
    assert fine < 1e-7
    assert math.log2(coarse / fine) == pytest.approx(8.0, abs=0.5)


def test_thrown_off_the_ground_it_falls_freely():
    """a_v = −1.5 g from the first sample, straight and undamped: h = (a_v + g) t²/2, no turn."""
    body = oscillator(5, damping=0.0)
    motion = rs.Motion(np.zeros(51), 0.01, np.full(51, -1.5 * G))
    run = rs.simulate(body, motion, OWN, duration=0.5)
    assert run.column("contact")[-1] == 2
    np.testing.assert_allclose(run.column("lift"), 0.25 * G * run.time**2, atol=1e-12)
    assert not run.theta.any() and not run.column("u").any()


def test_what_a_block_does_not_take():
    with pytest.raises(rs.InputError, match=r"epsilon = \(0.2, 0.4\).*one for both corners"):
        rs.simulate(rs.Block(2.0, 0.5), rs.pulses.sine(4.0, 0.5), OWN)
    with pytest.raises(rs.InputError, match="3 numbers for 2"):
        rs.Nonsmooth(epsilon=(0.1, 0.2, 0.3))
    with pytest.raises(rs.InputError, match=r"\[0, 1\]"):
        rs.Nonsmooth(epsilon=(0.1, 1.2))

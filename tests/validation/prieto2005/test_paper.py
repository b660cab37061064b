"""The system as printed (Prieto and Lourenço 2005, Eq. 37): ``variant="paper"``."""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rocksteady as rs
from rocksteady.theories.complex.formulation import ComplexPotential

ALPHA, MU = math.atan(1 / 4), 0.925  # Figs. 4 and 5
BLOCK = rs.Block.from_parameters(p=1.0, alpha=ALPHA)  # p = 1: seconds are the paper's time
EXACT = (1.3193, 3.5287, 5.4408, 7.1262, 8.6292, 9.9803, 11.2020)  # impacts of Fig. 4


def free(l, eta=MU, theta0=0.5, omega0=0.0, duration=13.0, variant="paper"):
    formulation = ComplexPotential(l=l, eta=eta, variant=variant)
    start = {"theta0": theta0 * ALPHA, "omega0": omega0 * ALPHA}
    return rs.simulate(BLOCK, formulation=formulation, duration=duration, **start)


def housner(theta0=0.5, omega0=0.0, duration=13.0):
    start = {"theta0": theta0 * ALPHA, "omega0": omega0 * ALPHA}
    return rs.simulate(BLOCK, formulation=rs.Housner(eta=MU), duration=duration, **start)


def eq_37(block, l, mu, motion, chi):
    """θ at every sample from Eq. 37 by SciPy, from sample to sample; ground 0 unless given."""
    alpha, p, g = block.alpha, block.p, block.g
    c, dt = 2 * math.log(mu) / math.pi, p * motion.dt
    a_v = np.zeros(len(motion)) if motion.vertical is None else motion.vertical

    def rhs(t, y, h0, h1, v0, v1):
        a_h, up = h0 + (h1 - h0) * t / dt, v0 + (v1 - v0) * t / dt
        sine, cosine = math.sin(alpha - alpha * y[0]), math.cos(alpha - alpha * y[0])
        spin = l / y[0] ** 2
        ground = -a_h / (alpha * g) * math.cos(y[2]) * cosine
        pull = -(1 + up / g) * sine / alpha
        return [y[1], l**2 / y[0] ** 3 + pull + c * y[1] * spin + ground, spin]

    state, theta = np.array([chi, 0.0, 0.0]), [alpha * chi]
    for i in range(len(motion) - 1):
        ground = (*motion.accel[i : i + 2], *a_v[i : i + 2])
        run = solve_ivp(rhs, (0, dt), state, "DOP853", rtol=1e-11, atol=1e-14, args=ground)
        state = run.y[:, -1]
        theta.append(alpha * state[0] * math.cos(state[2]))
    return np.array(theta)


def test_the_exact_block_of_fig_4():
    np.testing.assert_allclose(housner().impacts.time[:7], EXACT, atol=6e-5)


def test_fig_4_agrees_with_housner_at_small_l():
    difference = free(1e-5).impacts.time[:7] - housner().impacts.time[:7]
    assert np.abs(difference).max() < 4e-4


def test_fig_4_at_l_1e_2_lags_behind():
    """Where x = χ cos ψ passes zero."""
    assert free(1e-2).impacts.time[4] == pytest.approx(8.974, abs=1e-3)


def test_fig_4_improves_as_l_decreases():
    exact = housner()
    errors = [np.abs(free(l).theta - exact.theta).max() / ALPHA for l in (1e-2, 1e-3, 1e-4, 1e-5)]
    assert all(later < earlier / 3 for earlier, later in itertools.pairwise(errors))
    assert errors[-1] < 4e-4


def test_fig_5_initial_conditions_follow_housner():
    """(0.061, −0.061), l = 1e-5. The figure's harmonic forcing is lost from the text: free here."""
    start = {"theta0": 0.061, "omega0": -0.061, "duration": 3.0}
    exact = housner(**start)
    difference = free(1e-5, **start).theta - exact.theta
    assert len(exact.impacts) >= 4
    assert np.abs(difference).max() < 0.01 * exact.peak * ALPHA


def test_fig_6_the_phase_is_a_staircase_of_half_turns():
    """Eq. 58: ψ = π times the number of impacts so far, seen in the middle of each swing. At
    l = 1e-5 it is; at 1e-2 the phase also creeps between impacts, by 1.3 rad after seven."""
    for l, least, most in ((1e-2, 1.2, 1.5), (1e-5, 0.0, 0.013)):
        run = free(l)
        times = np.concatenate([[0.0], run.impacts.time[:8]])
        psi = np.interp((times[1:] + times[:-1]) / 2, run.time, run.column("psi"))
        assert least < np.abs(psi - math.pi * np.arange(8)).max() < most


@pytest.mark.parametrize("variant", ["paper", "corrected"])
@pytest.mark.parametrize("mu", [0.925, 0.8, 0.6])
def test_what_an_impact_really_loses(mu, variant):
    """The printed system realises μ^{1/√(1 − (ln μ/π)²)}, not μ; the corrected one μ.

    Measured by the energy in the middle of each swing. The phase turns by more than π.
    """
    run = free(1e-8, eta=mu, duration=5.0, variant=variant)
    times = np.concatenate([[0.0], run.impacts.time[:3]])
    energy = np.interp((times[1:] + times[:-1]) / 2, run.time, run.energy)
    measured = np.sqrt(energy[1:] / energy[:-1])
    root = math.sqrt(1 - (math.log(mu) / math.pi) ** 2)
    expected = mu ** (1 / root) if variant == "paper" else mu
    np.testing.assert_allclose(measured, expected, atol=2e-6)
    assert abs(mu ** (1 / root) - mu) > 2e-5  # the difference is far above the tolerance
    before, after = run.impacts.omega_before, run.impacts.omega_after
    np.testing.assert_allclose(after[:2] / before[:2], expected, rtol=1e-12)
    impulse = housner_speed(0.5)
    assert abs(before[0]) == pytest.approx(impulse, rel=1e-5)
    turned = run.column("psi")[np.searchsorted(run.time, run.impacts.time[0]) + 20]
    turn = math.pi / root if variant == "paper" else math.hypot(math.pi, math.log(mu))
    assert turned == pytest.approx(turn, abs=1e-5)


def housner_speed(theta0):
    """|ω⁻| of the first impact after release from θ0 (in α), from the energy, p = 1."""
    return math.sqrt(2 * (math.cos(ALPHA - theta0 * ALPHA) - math.cos(ALPHA)))


@pytest.mark.parametrize("l", [1e-2, 1e-4])
def test_free_rocking_solves_eq_37(l):
    run = free(l, duration=6.0)
    still = rs.Motion(run.ground[0], run.motion.dt)
    expected = eq_37(BLOCK, l, MU, still, 0.5)
    np.testing.assert_allclose(run.theta, expected, atol=2e-8)


def test_forced_rocking_solves_eq_37():
    """Harmonic ground motion, with a vertical component."""
    block = rs.Block.from_parameters(p=2.0, alpha=0.2)
    time = 0.02 * np.arange(201)
    level = block.g * math.tan(block.alpha)
    motion = rs.Motion(1.5 * level * np.cos(9 * time), 0.02, 2.0 * np.sin(14 * time))
    formulation = ComplexPotential(l=1e-3, eta=0.9, variant="paper")
    run = rs.simulate(block, motion, formulation, theta0=0.4 * block.alpha, duration=4.0)
    assert len(run.impacts) >= 5
    expected = eq_37(block, 1e-3, 0.9, motion, 0.4)
    np.testing.assert_allclose(run.theta, expected, atol=1e-7)


def test_eq_40_the_printed_block_never_rests_but_circles():
    l = 1e-4
    formulation = ComplexPotential(l=l, eta=MU, variant="paper")
    still = rs.simulate(BLOCK, rs.Motion(np.zeros(201), 0.02), formulation, duration=4.0)
    chi = formulation.circling(BLOCK)
    assert math.sin(ALPHA - ALPHA * chi) * chi**3 == pytest.approx(ALPHA * l**2, rel=1e-12)
    assert chi == pytest.approx(l ** (2 / 3), rel=0.02)  # Eq. 41
    np.testing.assert_allclose(still.column("chi"), chi, rtol=1e-9)
    np.testing.assert_allclose(still.column("psi"), l / chi**2 * still.time, rtol=1e-7)
    released = rs.simulate(BLOCK, formulation=formulation, theta0=0.1 * ALPHA)
    assert released.status is rs.Status.AT_REST  # it ends in that circle
    assert released.column("chi")[-1] == pytest.approx(chi, rel=0.01)


def test_circling_is_rest():
    """χ and χ' within a hundredth of the circle: χ' in units of the speed l/χ along it."""
    formulation = ComplexPotential(l=1e-4, eta=MU, variant="paper")
    circle = np.array(formulation.start(BLOCK))
    chi, along = circle[5], 1e-4 / circle[5]
    assert formulation.at_rest(BLOCK, circle)
    for change, rests in ((0.009, True), (0.011, False)):
        wider, faster = circle.copy(), circle.copy()
        wider[5] += change * chi
        faster[6] += change * along
        assert formulation.at_rest(BLOCK, wider) == rests
        assert formulation.at_rest(BLOCK, faster) == rests


def test_the_printed_forced_answer_depends_on_an_arbitrary_phase():
    """From rest, the same pulse a little later gives another answer; corrected, the same."""
    peaks = {}
    for variant in ("paper", "corrected"):
        formulation = ComplexPotential(l=1e-5, eta=MU, variant=variant)
        for start in (0.0, 0.05):
            amplitude = 1.5 * BLOCK.g * math.tan(ALPHA)
            pulse = rs.pulses.sine(amplitude, omega=4.0, dt=0.01, start=start, tail=3.0)
            run = rs.simulate(BLOCK, pulse, formulation, duration=pulse.duration)
            peaks[variant, start] = run.peak
    assert peaks["corrected", 0.05] == pytest.approx(peaks["corrected", 0.0], abs=1e-6)
    assert abs(peaks["paper", 0.05] - peaks["paper", 0.0]) > 0.1

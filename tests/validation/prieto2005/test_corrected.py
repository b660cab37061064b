"""The corrected complex formulation: it tends to Housner's block as l goes to zero."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.decay.swings import closed_form_half_periods, closed_form_peaks
from rocksteady.theories import Formulation
from rocksteady.theories.complex import motion as complex_motion
from rocksteady.theories.complex.formulation import ComplexPotential
from rocksteady.theories.contract import IMPACT, TURN, UPLIFT

ALPHA, ETA = math.atan(1 / 4), 0.925  # Fig. 4
BLOCK = rs.Block.from_parameters(p=1.0, alpha=ALPHA)
STEPS = (1e-3, 1e-4, 1e-5, 1e-6)


def slope(errors):
    """Order of convergence: d log(error) / d log(l), by least squares."""
    return np.polyfit(np.log(STEPS), np.log(errors), 1)[0]


def one_sine():
    """α = 0.2, R = 1 m, T_p = 0.5 s, A = 2 g tan α: it stands."""
    g = 9.80665
    block = rs.Block.from_parameters(p=math.sqrt(3 * g / 4), alpha=0.2, g=g)
    return block, rs.pulses.sine(2 * g * math.tan(0.2), 0.5)


def shaking(block, level, seconds=12.0, seed=3):
    """Filtered noise with a vertical component, ``level`` times what lifts the block off."""
    rng = np.random.default_rng(seed)
    n = int(seconds / 0.01) + 1
    knots = np.interp(np.arange(n), 12 * np.arange(n // 12 + 2), rng.standard_normal(n // 12 + 2))
    vertical = np.interp(np.arange(n), 7 * np.arange(n // 7 + 2), rng.standard_normal(n // 7 + 2))
    horizontal = level * block.g * math.tan(block.alpha) * knots / np.abs(knots).max()
    return rs.Motion(horizontal, 0.01, vertical)


# -- convergence ------------------------------------------------------------------------------


def test_impact_times_converge_to_housner():
    """Order 0.85–1.05 (l ln 1/l), first seven impacts of Fig. 4's block."""
    exact = rs.simulate(BLOCK, formulation=rs.Housner(eta=ETA), theta0=ALPHA / 2, duration=13.0)
    errors = []
    for l in STEPS:
        how = ComplexPotential(l=l, eta=ETA)
        run = rs.simulate(BLOCK, formulation=how, theta0=ALPHA / 2, duration=13.0)
        errors.append(np.abs(run.impacts.time[:7] - exact.impacts.time[:7]).max())
    assert 0.85 < slope(errors) < 1.05
    assert errors[-1] < 2e-4


def test_peaks_under_a_one_sine_pulse_converge_to_housner():
    """2.3e-3, 2.3e-4 and at most 3.0e-5 at l = 1e-4, 1e-5, 1e-6."""
    block, pulse = one_sine()
    exact = rs.simulate(block, pulse).peak
    errors = [abs(rs.simulate(block, pulse, ComplexPotential(l=l)).peak - exact) for l in STEPS]
    np.testing.assert_allclose(errors[1:3], [2.3e-3, 2.3e-4], rtol=0.06)
    assert 1e-5 < errors[3] < 3.0e-5
    assert 0.85 < slope(errors) < 1.05


def test_events_are_those_of_housner_under_both_components():
    """Random shaking with a vertical component: the same turning points and impacts, at nearly
    the same angles and times, until a swing is small (then rocking is too sensitive)."""
    rng = np.random.default_rng(7)
    compared = 0
    for seed in range(12):
        block = rs.Block.from_parameters(p=rng.uniform(1, 4), alpha=rng.uniform(0.1, 0.3))
        motion = shaking(block, rng.uniform(1, 2), 3.0, seed)
        run, exact = (
            rs.simulate(block, motion, how, theta0=0.5 * block.alpha, duration=3.0)
            for how in (ComplexPotential(l=1e-7), rs.Housner())
        )
        small = (exact.events[:, 1] == TURN) & (np.abs(exact.events[:, 2]) < 0.05 * block.alpha)
        n = min(8, *np.flatnonzero(small), len(exact.events))
        np.testing.assert_array_equal(run.events[:n, 1], exact.events[:n, 1])
        np.testing.assert_allclose(run.events[:n, 0], exact.events[:n, 0], atol=1e-4)
        np.testing.assert_allclose(run.events[:n, 2], exact.events[:n, 2], atol=1e-4 * block.alpha)
        rates = exact.events[:n, 3:5]
        np.testing.assert_allclose(run.events[:n, 3:5], rates, atol=1e-3 * block.alpha * block.p)
        compared += np.count_nonzero(exact.events[:n, 1] == IMPACT)
    assert compared >= 20


# -- rest, uplift, events ------------------------------------------------------------------------


def test_it_lifts_off_when_housner_does_and_is_housner_until_it_first_turns():
    block, pulse = one_sine()
    exact = rs.simulate(block, pulse)
    run = rs.simulate(block, pulse, ComplexPotential(l=1e-4))
    np.testing.assert_array_equal(run.events[:2, 1], [UPLIFT, TURN])
    np.testing.assert_allclose(run.events[:2, :3], exact.events[:2, :3], rtol=1e-8)
    moving = run.column("side") != 0
    before = run.time < exact.events[1, 0]
    assert not run.column("l")[before].any() and (run.column("l")[~before & moving] == 1e-4).any()
    assert np.ptp(run.column("psi")[before & moving]) == 0  # the phase is frozen


@pytest.mark.parametrize("side", [1, -1])
def test_a_kick_outwards_is_housner_until_it_first_turns(side):
    """l = 0 on the way out; a kick inwards starts with l, as a release does."""
    start = {"theta0": side * 0.2 * ALPHA, "omega0": side * 0.3 * ALPHA}
    how = ComplexPotential(l=1e-2)
    exact = rs.simulate(BLOCK, duration=1.5, **start)
    run = rs.simulate(BLOCK, formulation=how, duration=1.5, **start)
    assert run.events[0, 1] == exact.events[0, 1] == TURN
    np.testing.assert_allclose(run.events[0, :3], exact.events[0, :3], rtol=1e-7)
    inwards = how.start(BLOCK, start["theta0"], -start["omega0"])
    assert inwards[10] == 1e-2


def test_error_estimate_is_of_fifth_order():
    """Dormand and Prince's 5(4): half the step, a 32nd of the estimate; on a swing with the ground
    moving both ways."""
    forces = complex_motion.Forces(0.02, -0.05, 0.99, ALPHA, 1e-9, 1.1, -0.2, 0.3, 0.4)
    steps = np.array([0.2, 0.1, 0.05, 0.025])
    errors = [complex_motion.step((0.6, -0.3, 0.1), h, forces)[6] for h in steps]
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(5, abs=0.3)


def test_it_comes_to_rest_and_lifts_off_again():
    block, pulse = one_sine()
    how = ComplexPotential()
    once = rs.simulate(block, pulse, how)
    assert once.status is rs.Status.AT_REST
    assert once.energy[-1] == 0 and once.theta[-1] == 0
    last = once.events[once.events[:, 1] == TURN][-1, 2]
    assert abs(last) < 1.5 * how.rest_amplitude * block.alpha
    again = rs.simulate(block, pulse.then(pulse, gap=once.time[-1]), how)
    assert again.peak == pytest.approx(once.peak, abs=1e-7)
    assert len(again.impacts) == 2 * len(once.impacts)


def test_a_small_bounce_before_uplift_ends_without_chatter():
    """The ground will lift it off within the same interval: it rests first, then lifts off."""
    level = BLOCK.g * math.tan(ALPHA)
    motion = rs.Motion(level * np.array([-0.5, -1.5, -1.5]), 0.5)
    run = rs.simulate(BLOCK, motion, ComplexPotential(), theta0=1e-5 * ALPHA, duration=1.0)
    assert [int(kind) for kind in run.events[:2, 1]] == [IMPACT, UPLIFT]
    assert run.events[1, 0] == pytest.approx(0.25, abs=1e-12)
    assert run.events[0, 4] == 0 and len(run.impacts) == 1


def test_peak_is_the_true_extremum():
    """Not the largest sample: two samplings of one motion agree, though the samples do not."""
    peaks, samples = [], []
    for every in (1, 5):
        motion = rs.Motion(np.zeros(400 // every + 1), 0.01 * every)
        start = {"omega0": 0.25 * BLOCK.p * ALPHA, "duration": 4.0}
        run = rs.simulate(BLOCK, motion, ComplexPotential(), **start)
        peaks.append(run.peak)
        samples.append(np.abs(run.theta).max() / ALPHA)
    assert peaks[0] == pytest.approx(peaks[1], abs=1e-9)
    assert peaks[1] - samples[1] > 1e-6


def test_a_swing_turned_back_by_the_ground_is_no_impact():
    """A push outwards before it has come down: a turning point at a minimum of χ."""
    time = np.arange(0, 1.2, 0.01)
    push = np.where((time > 0.8) & (time < 1.1), -6.0 * BLOCK.g * ALPHA, 0.0)
    motion = rs.Motion(push, 0.01)
    run = rs.simulate(BLOCK, motion, ComplexPotential(), theta0=0.5 * ALPHA, duration=1.1)
    exact = rs.simulate(BLOCK, motion, theta0=0.5 * ALPHA, duration=1.1)
    assert [int(kind) for kind in run.events[:, 1]] == [TURN]
    assert 0.05 < run.events[0, 2] / ALPHA < 0.4
    np.testing.assert_allclose(run.events[0, :3], exact.events[0, :3], rtol=1e-3)


@pytest.mark.parametrize("level", [1.5, 3.0, 6.0])
def test_it_overturns_when_housner_does(level):
    pulse = rs.pulses.sine(level * BLOCK.g * math.tan(ALPHA), omega=4.0, dt=0.005)
    exact, run = rs.simulate(BLOCK, pulse), rs.simulate(BLOCK, pulse, ComplexPotential())
    assert run.status is exact.status
    if run.status is rs.Status.OVERTURNED:
        assert abs(run.theta[-1]) == math.pi / 2


@pytest.mark.parametrize(
    ("theta0", "omega0"), [(1.2, 0.0), (0.5, 0.8), (0.9, -2.0), (1.1, -0.05), (0.3, 0.2), (0, 0.3)]
)
def test_doomed_as_housner(theta0, omega0):
    start = {"theta0": theta0 * ALPHA, "omega0": omega0 * ALPHA}
    how = ComplexPotential(eta=ETA)
    state = np.array(how.start(BLOCK, **start))
    exact = np.array(rs.Housner().start(BLOCK, **start))
    assert how.doomed(BLOCK, state) == rs.Housner().doomed(BLOCK, exact)


# -- symmetry, energy, decay -------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["corrected", "paper"])
def test_mirrored_motion_gives_the_mirrored_response_bit_for_bit(variant):
    block = rs.Block.from_parameters(p=1.5, alpha=0.25)
    motion = shaking(block, 1.8)
    mirrored = rs.Motion(-motion.accel, motion.dt, motion.vertical)
    how, start = ComplexPotential(variant=variant), 0.3 * block.alpha
    right = rs.simulate(block, motion, how, theta0=start, duration=12.0)
    left = rs.simulate(block, mirrored, how, theta0=-start, duration=12.0)
    assert len(right.impacts) > 10
    np.testing.assert_array_equal(right.theta, -left.theta)
    np.testing.assert_array_equal(right.omega, -left.omega)
    np.testing.assert_array_equal(right.events[:, :2], left.events[:, :2])
    np.testing.assert_array_equal(right.events[:, 2:], -left.events[:, 2:])


def test_energy_balances():
    """Work of the ground − losses = change of energy, integrated independently."""
    block = rs.Block.from_parameters(p=1.5, alpha=0.25)
    run = rs.simulate(block, shaking(block, 1.8), ComplexPotential(), duration=12.0)
    assert len(run.impacts) > 10
    assert np.abs(run.energy_balance).max() < 1e-6 * run.energy.max()
    free = rs.simulate(block, formulation=ComplexPotential(), theta0=0.1)
    assert (np.diff(free.column("loss")) >= 0).all()
    assert free.column("loss")[-1] == pytest.approx(free.energy[0], rel=1e-7)


@pytest.mark.parametrize("side", [1, -1])
def test_an_impact_without_l_loses_what_housners_does(side):
    """Thrown down from below the amplitude of rest it strikes before l is switched on: ω⁺ = η ω⁻,
    and I ω²(1 − η²)/2 is lost."""
    start = {"theta0": side * 0.01 * ALPHA, "omega0": -side * 0.5 * ALPHA}
    run = rs.simulate(BLOCK, formulation=ComplexPotential(l=1e-2, eta=ETA), duration=0.5, **start)
    first = run.impacts[0]
    assert len(run.impacts) == 1 and not run.column("l").any()
    assert first.omega_after / first.omega_before == pytest.approx(ETA, rel=1e-12)
    lost = BLOCK.right.inertia * first.omega_before**2 * (1 - ETA**2) / 2
    assert run.column("loss")[-1] == pytest.approx(lost, rel=1e-9)
    assert np.abs(run.energy_balance).max() < 1e-7 * run.energy.max()


def test_free_decay_like_the_closed_forms():
    """Slender block: θ_n and T_n/2 in closed form; r = eta² at every impact."""
    block = rs.Block(height=4.2, width=0.6)
    run = rs.simulate(block, formulation=ComplexPotential(), theta0=block.alpha / 2)
    swings = run.decay()
    n = np.arange(8)
    np.testing.assert_allclose(swings.peak[:8], closed_form_peaks(0.5, block.r, n), rtol=3e-3)
    expected = closed_form_half_periods(0.5, block.r, block.p, n)
    np.testing.assert_allclose(swings.half_period[:8], expected, rtol=3e-3)
    np.testing.assert_allclose(swings.r[:8], block.r, rtol=1e-9)
    assert run.status is rs.Status.AT_REST


def test_without_loss_the_energy_stays():
    run = rs.simulate(BLOCK, formulation=ComplexPotential(eta=1.0), theta0=ALPHA / 2, duration=20.0)
    assert len(run.impacts) >= 7
    np.testing.assert_allclose(run.energy, run.energy[0], rtol=2e-8)
    assert (run.column("loss") == 0).all()


@pytest.mark.parametrize(("eta", "seconds"), [(ETA, 4), (0.7, 2)])
@pytest.mark.parametrize("theta0", [0.4, -0.4])
def test_real_part(theta0, eta, seconds):
    """θ = α χ cos κψ, and ω is its rate."""
    still = rs.Motion(np.zeros(1000 * seconds + 1), 1e-3)
    how = ComplexPotential(l=1e-2, eta=eta)
    run = rs.simulate(BLOCK, still, how, theta0=theta0 * ALPHA, duration=seconds)
    kappa = math.pi / math.hypot(math.pi, math.log(eta))
    expected = ALPHA * run.column("chi") * np.cos(kappa * run.column("psi"))
    np.testing.assert_allclose(run.theta, expected, atol=1e-15)
    np.testing.assert_allclose(np.gradient(run.theta, 1e-3)[1:-1], run.omega[1:-1], atol=2e-4)
    assert len(run.impacts) > 0
    assert (np.diff(run.column("psi")) > 0).all()


def test_a_stream_gives_the_same_numbers():
    block = rs.Block.from_parameters(p=2.5, alpha=0.2)
    motion = shaking(block, 2.5, 4.0)
    run = rs.simulate(block, motion, ComplexPotential(), duration=4.0)
    live = rs.Monitor(block, ComplexPotential(), dt=motion.dt)
    theta = [live.push(a, v).theta for a, v in zip(motion.accel, motion.vertical, strict=True)]
    np.testing.assert_array_equal(theta, run.theta)


# -- what it refuses ---------------------------------------------------------------------------


@pytest.mark.parametrize("l", [0.0, -1e-5, 0.1, 1.0, 1e-12, math.nan, math.inf])
def test_bad_l(l):
    with pytest.raises(rs.InputError, match=r"l = .* must lie between 1e-08 and 0.1.*1e-5"):
        ComplexPotential(l=l)


@pytest.mark.parametrize("eta", [0.0, -0.5, 1.01, math.nan])
def test_bad_eta(eta):
    with pytest.raises(rs.InputError, match=r"eta = .* must lie in \(0, 1\]"):
        ComplexPotential(eta=eta)


def test_bad_variant():
    with pytest.raises(rs.InputError, match=r"'printed' is not known: give \"corrected\""):
        ComplexPotential(variant="printed")


def test_bodies_and_motions_it_does_not_cover():
    assert isinstance(ComplexPotential(), Formulation)
    with pytest.raises(rs.InputError, match=r"symmetric blocks only.*Use Housner"):
        rs.simulate(rs.Block(2.0, 0.5, offset=0.05), theta0=0.01, formulation=ComplexPotential())
    stocky = rs.Block(0.5, 1.0)
    with pytest.raises(rs.InputError, match=r"so stocky.*Give eta="):
        rs.simulate(stocky, theta0=0.01, formulation=ComplexPotential())
    assert rs.simulate(stocky, theta0=0.01, formulation=ComplexPotential(eta=0.5)).impacts.size
    falling = rs.Motion(np.zeros(3), 0.01, np.array([0.0, -10.0, 0.0]))
    with pytest.raises(rs.InputError, match="leave the ground"):
        rs.simulate(BLOCK, falling, ComplexPotential())


def test_a_shaken_run_obeys_its_laws():
    push = rs.pulses.ricker(4.0, period=0.9, dt=0.004)
    found = rs.analysis.audit(rs.simulate(rs.Block(1.8, 0.5), push, rs.ComplexPotential(l=1e-4)))
    assert found.ok and [law.name for law in found.unchecked] == ["friction"], found

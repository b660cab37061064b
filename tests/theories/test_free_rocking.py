"""Free rocking against closed forms (Housner 1963; daltri2024 Eqs. 1–3)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

import rocksteady as rs
from rocksteady.analysis.decay.noise import passages_through_zero
from rocksteady.analysis.decay.swings import closed_form_half_periods, closed_form_peaks, swings

blocks = st.builds(
    lambda p, alpha: rs.Block.from_parameters(p=p, alpha=alpha),
    st.floats(0.8, 8.0),
    st.floats(0.05, 0.5),
)


def exact_quarter_period(block, lean):
    """Time from rest at `lean` to upright: an elliptic integral of the energy equation.

    ω² = 2 p² [cos(α − y₀) − cos(α − y)] = 4 p² sin(α − (y₀+y)/2) sin((y₀−y)/2); the substitution
    y = y₀ (1 − u²) takes the singular end away.
    """

    def integrand(u):
        y = lean * (1 - u * u)
        half = math.sin(block.alpha - (lean + y) / 2)
        drop = lean * u * u / 2
        return 2 * lean / (2 * block.p * math.sqrt(half * lean / 2 * np.sinc(drop / math.pi)))

    return quad(integrand, 0, 1, epsabs=1e-14, epsrel=1e-13)[0]


@given(block=blocks, share=st.floats(0.05, 0.95))
def test_half_periods_are_the_elliptic_integrals(block, share):
    response = rs.simulate(block, theta0=share * block.alpha)
    decay = response.decay()[:10]
    exact = [2 * exact_quarter_period(block, peak * block.alpha) for peak in decay.peak]
    np.testing.assert_allclose(decay.half_period, exact, rtol=0, atol=1e-8)


def test_a_swing_ends_with_its_impact_also_if_the_next_one_is_the_end():
    """Shaken until it falls: it falls in the swing after the last impact, not in the one before."""
    block = rs.Block(1.8, 0.5)
    response = rs.simulate(block, rs.pulses.sine(3.6, 0.9, cycles=3, dt=0.005))
    assert response.status is rs.Status.OVERTURNED and response.peak > 5
    decay, lean = response.decay(), np.abs(response.theta) / block.alpha
    inside = response.time <= response.impacts.time[-1]
    assert decay.peak[-1] == pytest.approx(
        lean[inside & (response.time >= response.impacts.time[-2])].max(), rel=0.01
    )
    assert decay.peak.max() < 1


@pytest.mark.filterwarnings("error")
def test_a_soft_bed_pushed_from_rest_swings_like_its_mirror_image():
    """θ = 0 before the push is on neither side: the swing to the pushed side is the first. Its r
    is not known: the ground still works on the block before it turns again."""
    block = rs.Block(4.2, 0.6)
    push = rs.pulses.sine(2.5, 0.8, dt=0.005)
    left, right = (rs.simulate(block, push.scaled(s), rs.RigidBodySpring()) for s in (1, -1))
    assert len(left.impacts) == len(right.impacts) > 10
    np.testing.assert_allclose(left.impacts.time[:10], right.impacts.time[:10], rtol=1e-9)
    np.testing.assert_allclose(left.decay().peak[:10], right.decay().peak[:10], rtol=1e-9)
    assert left.decay().peak[0] > 0 and np.isfinite(left.decay().r[1:10]).all()
    assert left.impacts.time[0] < push.duration and np.isnan(left.decay().r[0])


@pytest.mark.parametrize("how", [rs.RigidBodySpring(), rs.NumericalDissipation()])
def test_trembling_at_rest_on_a_soft_bed_is_no_impact(how):
    tremor = rs.pulses.sine(1e-4, 0.3, cycles=10, dt=0.005)
    response = rs.simulate(rs.Block(4.2, 0.6), tremor, how)
    assert np.sum(response.theta[1:] * response.theta[:-1] < 0) > 5
    assert len(response.impacts) == len(response.decay()) == 0


SOFT_BEDS = [
    rs.RigidBodySpring(),
    rs.NumericalDissipation(),
    rs.NumericalDissipation(body="elastic"),
]


@pytest.mark.parametrize("how", SOFT_BEDS)
def test_vibration_with_the_whole_base_on_a_soft_bed_is_no_impact(how):
    """0.1 m/s² are a fourteenth of what lifts a rigid block of this shape."""
    block = rs.Block(4.2, 0.6)
    response = rs.simulate(block, rs.pulses.sine(0.1, 0.5, cycles=4, dt=0.005), how)
    moving = ~how.at_rest(block, response.states)
    assert np.sum((response.theta[1:] * response.theta[:-1] < 0) & moving[1:] & moving[:-1]) > 5
    assert len(response.impacts) == len(response.decay()) == 0


@pytest.mark.parametrize("how", SOFT_BEDS)
def test_an_impact_on_a_soft_bed_ends_a_swing_with_a_corner_in_the_air(how):
    """The same by a walk along the samples, through rocking into mere vibration."""
    block = rs.Block(4.2, 0.6)
    response = rs.simulate(block, rs.pulses.sine(2.0, 0.5, cycles=4, dt=0.005), how)
    lifted, params = how.advance_for(block).lifted, how.parameters(block)
    found, passages, side, in_air = [], 0, 0.0, False
    for i, theta in enumerate(response.theta):
        if theta * side < 0:
            passages += 1
            if in_air:
                found.append(i)
            in_air = False
        in_air |= bool(lifted(tuple(response.states[i, :-1]), params))
        side = theta or side
    assert 10 < len(found) < passages
    samples = np.searchsorted(response.time, response.impacts.time)
    assert samples.tolist() == found
    assert len(response.decay()) == len(found)


def test_the_peak_of_a_swing_is_measured_by_the_side_it_leans_to():
    """Also where swings without an impact at their end lie between two of the table."""
    theta = np.array([0.0, 3.0, 1.0, -1.0, -2.0, 1.0, 2.0, -1.0, -4.0, 1.0, 1.0])
    found = swings(np.arange(11.0), theta, np.array([2.5, 8.8]))
    assert found.passages.tolist() == [2.5, 8.8]
    assert found.rightwards.tolist() == [True, False, True]
    assert len(swings(np.arange(11.0), theta).passages) == 4


def test_passages_through_zero_are_those_of_the_mirror_image():
    theta = np.array([0.0, 0.0, -1.0, 0.0, -1.0, 0.0, 0.0, 2.0, -2.0, 0.0])
    time = np.arange(10.0)
    for side in (1, -1):
        when, before = passages_through_zero(time, side * theta)
        assert when.tolist() == [6.0, 7.5] and before.tolist() == [6, 7]
    assert [len(part) for part in passages_through_zero(time, np.zeros(10))] == [0, 0]


@given(block=blocks, share=st.floats(0.05, 0.95))
def test_each_impact_keeps_housners_share_of_energy(block, share):
    response = rs.simulate(block, theta0=share * block.alpha)
    decay = response.decay()
    r = block.r
    np.testing.assert_allclose(decay.r[:-1], r, rtol=1e-12)
    # and so do the peaks: potential energy there, 2 sin(α − y/2) sin(y/2) per m g R
    lean = decay.peak[:20] * block.alpha
    energy = 2 * np.sin(block.alpha - lean / 2) * np.sin(lean / 2)
    np.testing.assert_allclose(energy[1:] / energy[:-1], r, rtol=1e-9)


@given(block=blocks, share=st.floats(0.05, 0.9), r=st.floats(0.7, 0.99))
def test_slender_decay_is_the_closed_form(block, share, r):
    """daltri2024 Eqs. 1–3: θ_n and T_n/2 of the linearised block."""
    response = rs.simulate(block, None, rs.Housner(r=r, slender=True), theta0=share * block.alpha)
    decay = response.decay()[:12]
    np.testing.assert_allclose(decay.peak, closed_form_peaks(share, r, decay.n), rtol=1e-9)
    closed = closed_form_half_periods(share, r, block.p, decay.n)
    np.testing.assert_allclose(decay.half_period, closed, rtol=1e-8)
    first_quarter = math.acosh(1 / (1 - share)) / block.p
    assert response.impacts.time[0] == pytest.approx(first_quarter, rel=1e-10)


def test_slender_and_nonlinear_differ_by_what_the_notes_say():
    """4.2 × 0.6 m, θ₀ = α/2: about 0.1–0.2 %, neither less nor more."""
    block = rs.Block(4.2, 0.6)
    r = block.r
    nonlinear = rs.simulate(block, theta0=block.alpha / 2).decay()[:8]
    closed = closed_form_half_periods(0.5, r, block.p, nonlinear.n)
    worst = np.max(np.abs(nonlinear.half_period / closed - 1))
    assert 1e-3 < worst < 2.5e-3


def test_separatrix():
    """|ω| = 2 p sin(α/2) at θ = 0 just reaches the balance point; a hair less comes back."""
    block = rs.Block(3.0, 0.5)
    edge = 2 * block.p * math.sin(block.alpha / 2)
    assert rs.simulate(block, omega0=edge * (1 - 1e-6)).status is rs.Status.AT_REST
    assert rs.simulate(block, omega0=edge * (1 + 1e-6)).status is rs.Status.OVERTURNED
    assert rs.simulate(block, omega0=edge * (1 - 1e-6)).peak == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("share", [1.0 - 1e-9, 1.0 + 1e-9])
def test_balance_point_divides(share):
    block = rs.Block(3.0, 0.5)
    fell = rs.simulate(block, theta0=share * block.alpha).status is rs.Status.OVERTURNED
    assert fell == (share > 1)


def test_comes_back_from_beyond_the_balance_point_if_it_moves_inward():
    """E > E_c moving inward: through upright, η, and on the other side judged again."""
    block = rs.Block(3.0, 0.5)
    lean, out = 1.1 * block.alpha, rs.Status.OVERTURNED
    climb = block.p * math.sqrt(2 * (1 - math.cos(lean - block.alpha)))  # just to cross α again
    assert rs.simulate(block, theta0=lean, omega0=-0.99 * climb).status is out
    back = rs.simulate(block, theta0=lean, omega0=-1.001 * climb)
    assert back.status is rs.Status.AT_REST  # the first impact takes what was left above E_c
    fast = -1.5 * 2 * block.p * math.sin(block.alpha / 2)
    assert rs.simulate(block, theta0=lean, omega0=fast).status is out  # over to the far side


def test_short_runs_are_judged_by_energy():
    """A run that ends early, the ground at rest, knows whether the block is doomed."""
    block = rs.Block(3.0, 0.5)
    edge = 2 * block.p * math.sin(block.alpha / 2)
    early = {"duration": 0.05}
    assert rs.simulate(block, omega0=1.01 * edge, **early).status is rs.Status.OVERTURNED
    assert rs.simulate(block, omega0=0.99 * edge, **early).status is rs.Status.MOVING
    inward = rs.simulate(block, theta0=1.1 * block.alpha, omega0=-2 * edge, **early)
    assert inward.status is rs.Status.MOVING

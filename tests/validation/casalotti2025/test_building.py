"""The building under ground motion: m u'' + c u' + A_c τ = −m a_h (eq. 5), with SciPy beside it."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.engine.batch import batch_peaks
from rocksteady.engine.drivers import make_peaks, make_trace
from rocksteady.engine.ground import Ground, Runs
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.theories.contract import OVERTURN, TURN, UPLIFT, Formulation
from rocksteady.theories.masonry.formulation import (
    Masonry,
    slip_function,
    slip_limit,
    stored_energy,
)

HOUSE = MasonryBuilding.casalotti2025(mass=40e3)
DAMPED = replace(HOUSE, damping=2 * 0.05 * 40e3 * HOUSE.natural_frequency)


def ground(amplitude=2.2, frequency=2.1, duration=6.0, dt=0.04):
    """A harmonic that builds up within a second; straight between its samples."""
    t = np.arange(round(duration / dt) + 1) * dt
    return amplitude * np.cos(2 * np.pi * frequency * t) * np.minimum(1, t), dt


def finer(accel, dt, factor):
    n = (len(accel) - 1) * factor + 1
    return np.interp(np.arange(n) / factor, np.arange(len(accel)), accel), dt / factor


def run(building, accel, dt, update="accurate", state=None):
    """(states, events, last state)"""
    how = Masonry(update=update)
    states = np.empty((len(accel), 10))
    rows, events, last = make_trace(how.advance_for(building))(
        state or how.start(building),
        how.parameters(building),
        (np.array(accel, dtype=float), np.zeros(len(accel))),
        dt,
        0.0,
        states,
    )
    return states[:rows], events, last


def balance(building, states):
    kinetic = building.mass * states[:, 1] ** 2 / 2
    return states[:, 7] - states[:, 8] - kinetic - stored_energy(building, states)


# -- adhering: a linear oscillator ----------------------------------------------------------------


@pytest.mark.parametrize("ratio", [0.0, 0.05, 0.7, 1.0, 1.5])
@pytest.mark.parametrize("dt", [0.004, 0.05])
def test_free_vibration_is_exact(ratio, dt):
    """Against the closed form; under-, critically and overdamped; few or many steps a period."""
    omega, u0 = HOUSE.natural_frequency, 5e-4
    building = replace(HOUSE, damping=2 * ratio * HOUSE.mass * omega)
    state = (u0, *Masonry().start(building)[1:])
    states, _, _ = run(building, np.zeros(round(1 / dt) + 1), dt, state=state)
    t, root = np.arange(len(states)) * dt, np.sqrt(complex(1 - ratio**2)) * omega
    phase = root * t
    wave = np.cos(phase) + (ratio * omega * np.sin(phase) / root if root else omega * t)
    exact = u0 * np.exp(-ratio * omega * t) * wave.real
    assert states[:, 0] == pytest.approx(exact, abs=1e-11 * u0)


def test_resonance_grows_as_t():
    """Undamped at ω: u ≈ −(A/2ω) t sin ωt while the interface adheres."""
    omega, dt = HOUSE.natural_frequency, 2e-4
    t = np.arange(0, 1, dt)
    states, _, _ = run(HOUSE, 0.03 * np.cos(omega * t), dt)
    assert not states[:, 6].any()
    exact = -0.03 / (2 * omega) * t * np.sin(omega * t)
    assert states[:, 0] == pytest.approx(exact, abs=2e-5 * np.abs(exact).max())


def test_turning_points_lie_between_samples():
    """The extremum is found though samples are coarse: the amplitude, to rounding."""
    state = (5e-4, *Masonry().start(HOUSE)[1:])
    _, events, _ = run(HOUSE, np.zeros(40), 0.011, state=state)
    assert (events[:, 1] == TURN).all() and len(events) >= 6
    assert np.abs(events[:, 2]) == pytest.approx(5e-4, rel=1e-12)


# -- slipping: against an independent solver ------------------------------------------------------


def solve(building, accel, dt):
    """(u, v, g, α, w) by DOP853 at tight tolerances, stopped at every change of regime."""
    b = building

    def hardening(alpha, w):
        q = 1 - w
        e = math.exp(-b.hardening_rate * alpha / q)
        A = b.hardening_limit * q * (1 - q * e)
        bracket = alpha + ((3 * q + b.hardening_rate * alpha) * q * e - 3) / b.hardening_rate
        slope = b.hardening_rate * b.hardening_limit * q * e
        return A, slope, b.hardening_limit * ((2 * q + b.hardening_rate * alpha) * e - 1), bracket

    def rates(t, y, slips, a0, a1):
        u, v, g, alpha, w = y
        tau = b.stiffness * (1 - w) * (u - g)
        pull = -(b.contact_area * tau + b.damping * v) / b.mass - (a0 + a1 * t)
        if not slips:
            return [v, pull, 0, 0, 0]
        _, A_alpha, A_w, bracket = hardening(alpha, w)
        W = b.stiffness * (u - g) ** 2 / 2 + b.hardening_limit * bracket
        D = (max(W, 0) / b.wear_energy) ** b.wear_exponent
        inverse_H = A_alpha + (A_w - abs(tau) / (1 - w) ** 2) * D  # the notes' 1/H
        side = math.copysign(1, tau)
        grows = side * b.stiffness * v / (inverse_H + b.stiffness * (1 + D * abs(u - g)) / (1 - w))
        return [v, pull, side * grows / (1 - w), grows, D * grows]

    def starts(t, y, *_):
        return b.stiffness * abs(y[0] - y[2]) - b.threshold - hardening(y[3], y[4])[0]

    def ends(t, y, *_):
        return y[1] * math.copysign(1, y[0] - y[2])

    starts.terminal, starts.direction, ends.terminal, ends.direction = True, 1, True, -1
    y, slips, rows = np.zeros(5), False, [np.zeros(5)]
    for i in range(len(accel) - 1):
        a1, t = (accel[i + 1] - accel[i]) / dt, 0.0
        while t < dt:
            got = solve_ivp(
                rates, (t, dt), y, "DOP853", args=(slips, accel[i], a1),
                events=ends if slips else starts, rtol=1e-11, atol=1e-14, max_step=dt / 8,
            )  # fmt: skip
            t, y = got.t[-1], got.y[:, -1]
            if got.status == 1:
                slips = not slips
        rows.append(y)
    return np.array(rows)


@pytest.mark.parametrize("building", [HOUSE, DAMPED], ids=["undamped", "damped"])
def test_against_scipy(building):
    accel, dt = ground(duration=2.0)
    reference = solve(building, accel, dt)
    fine, step = finer(accel, dt, 16)
    states = run(building, fine, step)[0][::16]
    assert np.ptp(reference[:, 2]) > 5e-4  # it slips to and fro
    scale = np.abs(reference).max(axis=0)
    for column in range(4):
        assert np.abs(states[:, column] - reference[:, column]).max() < 1e-7 * scale[column]
    assert np.abs(states[:, 4] - reference[:, 4]).max() < 1e-4 * scale[4]


@pytest.mark.parametrize("building", [HOUSE, DAMPED], ids=["undamped", "damped"])
def test_fourth_order_through_reversals_and_onsets(building):
    """Half the step, a sixteenth of the error, though slip starts and ends inside steps."""
    accel, dt = ground()
    ends = {k: np.array(run(building, *finer(accel, dt, k))[2]) for k in (8, 16, 32, 64, 512)}
    _, events, _ = run(building, accel, dt)
    assert (events[:, 1] == UPLIFT).sum() >= 4
    for column in (0, 2, 3):  # u, g, α
        errors = [abs(ends[k][column] - ends[512][column]) for k in (8, 16, 32, 64)]
        order = -np.polyfit(np.log([8, 16, 32, 64]), np.log(errors), 1)[0]
        assert order == pytest.approx(4, abs=0.3), errors
    assert abs(ends[64][4] - ends[512][4]) < 1e-7


def test_explicit_is_of_first_order_and_has_the_same_limit():
    """Fitted over 24 step counts: the error is a sawtooth."""
    accel, dt = ground(duration=2.0)
    exact = np.array(run(HOUSE, *finer(accel, dt, 512))[2])
    counts = np.unique(np.geomspace(20, 3000, 24).astype(int))
    assert len(counts) >= 20
    errors = [
        abs(run(HOUSE, *finer(accel, dt, int(k)), "explicit")[2][3] - exact[3]) for k in counts
    ]
    assert -np.polyfit(np.log(counts), np.log(errors), 1)[0] == pytest.approx(1, abs=0.25)
    assert errors[-1] < 2e-3 * exact[3]


def test_ordinary_sampling_is_enough():
    """At dt = 0.01 s, what an accelerograph gives, the end is right to 1e-4 of the peak."""
    rng = np.random.default_rng(1)
    accel = np.interp(np.arange(3001), np.arange(0, 3001, 12), rng.standard_normal(251))
    accel *= 2.4 / np.abs(accel).max()
    states, _, last = run(HOUSE, accel, 0.01)
    exact = run(HOUSE, *finer(accel, 0.01, 32))[2]
    assert last[3] > 2e-3
    assert np.array(last[:4]) == pytest.approx(
        np.array(exact[:4]), abs=1e-4 * np.abs(states[:, :4]).max(axis=0).max()
    )


# -- what must hold always ------------------------------------------------------------------------


@pytest.mark.parametrize("building", [HOUSE, DAMPED], ids=["undamped", "damped"])
def test_slip_function_and_energy_balance(building):
    accel, dt = finer(*ground(), 8)
    states, _, _ = run(building, accel, dt)
    F, slips = slip_function(building, states), states[:, 6] != 0
    assert slips.sum() > 50
    assert np.abs(F[slips]).max() < 1e-6 * building.threshold
    assert F.max() < 1e-6 * building.threshold
    assert np.abs(balance(building, states)).max() < 1e-6 * states[-1, 7]
    assert (np.diff(states[:, 8]) >= -1e-12 * states[-1, 8]).all()
    assert (states[:, 9] > 0).any() == (building.damping > 0)


def test_energy_balance_improves_at_fourth_order():
    accel, dt = ground()
    errors = []
    for k in (8, 16, 32):
        states = run(HOUSE, *finer(accel, dt, k))[0]
        errors.append(np.abs(balance(HOUSE, states)).max())
    assert errors[0] / errors[2] > 100


masses = st.floats(5e3, 3e5)
shakes = st.lists(st.floats(-6, 6), min_size=3, max_size=40)


@given(masses, shakes, st.sampled_from([0.005, 0.01, 0.05]), st.sampled_from([0.0, 0.03]))
def test_any_motion(mass, accel, dt, ratio):
    """Finite, on or below the slip surface, α and w never decrease, energy balanced; mirrored."""
    building = MasonryBuilding.casalotti2025(mass)
    building = replace(building, damping=2 * ratio * mass * building.natural_frequency)
    states, events, _ = run(building, accel, dt)
    assert np.isfinite(states).all() and np.isfinite(events).all()
    assert slip_function(building, states).max() < 1e-6 * building.threshold
    assert (np.diff(states[:, 3]) >= 0).all() and (np.diff(states[:, 4]) >= 0).all()
    scale = np.abs(states[:, 7:9]).max() + 1e-3
    coarse = dt * building.natural_frequency > 1  # a fourth-order rule over a sixth of a period
    assert np.abs(balance(building, states)).max() < (1e-2 if coarse else 1e-3) * scale
    mirrored, _, _ = run(building, -np.array(accel), dt)
    assert np.abs(mirrored[:, :3] + states[:, :3]).max() == 0


def test_collapse_ends_the_run_with_its_time():
    accel, dt = ground(amplitude=8.0)
    for update in ("explicit", "accurate"):
        states, events, last = run(HOUSE, *finer(accel, dt, 4), update)
        assert events[-1, 1] == OVERTURN and 0 < events[-1, 0] < 6.0
        assert len(states) < len(finer(accel, dt, 4)[0])
        assert np.isfinite(states).all() and last[5] == 0 and last[6] == 2
        assert Masonry().doomed(HOUSE, np.array(last))
    assert last[4] == 0.999
    assert run(HOUSE, accel, dt, state=last)[2] == last  # and stays what it is
    times = [run(HOUSE, *finer(accel, dt, k))[1][-1, 0] for k in (4, 64)]
    assert times[0] == pytest.approx(times[1], abs=1e-3)


BRITTLE = replace(HOUSE, wear_energy=0.02, stiffness=2e5)


def test_brittle_building_collapses():
    states, events, _ = run(BRITTLE, *ground(amplitude=4.0))
    assert events[-1, 1] == OVERTURN and np.isfinite(states).all()


@pytest.mark.parametrize("building", [HOUSE, DAMPED, BRITTLE], ids=["worn", "damped", "brittle"])
@pytest.mark.parametrize("dt", [0.01, 1e-3, 1e-4])
def test_no_energy_is_missing_after_a_collapse(building, dt):
    """What the springs held is lost with them; of the rest nothing goes astray in the last step."""
    states, events, last = run(building, np.full(round(1.0 / dt), 3.0), dt)
    assert events[-1, 1] == OVERTURN and last[6] == 2
    held = building.contact_area * building.stiffness * slip_limit(building, 0, 0) ** 2 / 2
    assert np.abs(balance(building, states)).max() < 1e-5 * held


def test_a_brittle_building_breaks_where_softening_has_eaten_up_the_springs():
    """k_a + q(A_α + A_w D) = k_a/100 where D is large and α small: A_w = A∞(2q − 1) ≈ 0, w = 1/2.
    It does not wear on after that, however long the steps."""
    for dt in (0.01, 1e-3, 1e-4):
        _, _, last = run(BRITTLE, np.full(round(1.0 / dt), 3.0), dt)
        assert last[3] < 1e-6 and last[4] == pytest.approx(0.5, abs=5e-3)


def test_at_rest_means_no_more_damage():
    """Elastic vibration below the slip limit: ten more seconds change neither g, α nor w."""
    how = Masonry()
    accel, dt = finer(*ground(), 4)
    states, _, last = run(HOUSE, np.concatenate([accel, np.zeros(400)]), dt)
    assert how.at_rest(HOUSE, states[-1]) and not how.at_rest(HOUSE, states).all()
    on, _, later = run(HOUSE, np.zeros(1000), dt, state=last)
    assert later[2:5] == last[2:5] and np.abs(on[:, 1]).max() > 1e-4
    assert np.abs(on[:, 0] - on[:, 2]).max() <= slip_limit(HOUSE, last[3], last[4])


@pytest.mark.parametrize(("share", "rests"), [(0.79, True), (0.81, False)])
def test_at_rest_knows_that_a_worn_building_swings_slower(share, rests):
    """w = 0.36: at 0.8 of the frequency, so the velocity share · ω x_limit leads to share/0.8 of
    the stretch at which it slips."""
    alpha, w = 0.004, 0.36
    v = share * HOUSE.natural_frequency * slip_limit(HOUSE, alpha, w)
    state = (0.0, float(v), 0.0, alpha, w, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert Masonry().at_rest(HOUSE, np.array(state)) == rests
    last = run(HOUSE, np.zeros(200), 0.01, state=state)[2]
    assert (last[3] == alpha) == rests


@pytest.mark.parametrize("ahead", [0.01, 0.05, 0.09])
@pytest.mark.parametrize("side", [1, -1])
def test_explicit_turning_point_on_the_cubic(ahead, side):
    """Free vibration A cos ωt, a tenth of a radian a step: when it turns, and how far out."""
    omega, A, dt = HOUSE.natural_frequency, side * 5e-4, 0.1 / HOUSE.natural_frequency
    u, v = A * math.cos(ahead), A * omega * math.sin(ahead)
    state = (u, v, 0.0, 0.0, 0.0, HOUSE.stiffness * u, 0.0, 0.0, 0.0, 0.0)
    still, how = (0.0, 0.0), Masonry(update="explicit")
    time, place = how.advance_for(HOUSE).turning(state, how.parameters(HOUSE), still, still, dt, dt)
    assert omega * time == pytest.approx(ahead, abs=1e-5)
    assert place == pytest.approx(A, rel=1e-6)


def test_it_keeps_the_contract():
    how = Masonry()
    assert isinstance(how, Formulation) and HOUSE.__class__ in how.bodies
    assert len(how.columns(HOUSE)) == len(how.start(HOUSE, 0.0, 0.0))
    assert how.columns(HOUSE)[:2] == ("u [m]", "v [m/s]")
    assert how.time_step(HOUSE) is None and how.check_vertical(HOUSE, np.ones(3)) is None


def test_start_pushed_aside():
    how = Masonry()
    u, v, g, alpha, w, tau, *_ = how.start(HOUSE, 0.003, 0.1)
    assert (u, v) == (0.003, 0.1) and g > 0 and alpha > 0 and w > 0
    assert tau == pytest.approx(HOUSE.stiffness * (1 - w) * (u - g))
    with pytest.raises(InputError, match="collapses on the way"):
        how.start(HOUSE, 0.2)
    with pytest.raises(InputError, match="'explicit'"):
        Masonry(update="exact")


# -- many at once ---------------------------------------------------------------------------------


def test_batch_is_the_peaks_driver_bit_for_bit():
    how, (accel, dt) = Masonry(), finer(*ground(), 4)
    buildings = [MasonryBuilding.casalotti2025(mass) for mass in np.linspace(2e4, 9e4, 7)]
    scales = np.linspace(0.5, 2.0, 7)
    params = np.array([how.parameters(building) for building in buildings])
    starts = np.array([how.start(building) for building in buildings])
    seen = []
    got = batch_peaks(
        how.advance_for(HOUSE), starts, params, Ground.of([Motion(accel, dt)]),
        Runs(np.arange(7), np.zeros(7, dtype=int), scales),
        progress=lambda done, runs: seen.append((done, runs)),
    )  # fmt: skip
    assert seen == [(7, 7)]
    peaks = make_peaks(how.advance_for(HOUSE))
    for i, building in enumerate(buildings):
        one = peaks(
            how.start(building), how.parameters(building), (scales[i] * accel, 0 * accel), dt
        )
        assert one[0] == tuple(got.states[i])
        assert one[1:] == tuple(column[i] for column in got[1:])
    assert (starts == 0).all()  # what was given is left alone
    assert (got.event == OVERTURN).any() and (got.event != OVERTURN).any()


def test_batches_from_several_threads_do_not_disturb_each_other():
    from concurrent.futures import ThreadPoolExecutor

    how, (accel, dt) = Masonry(), ground()
    params, starts = np.array([how.parameters(HOUSE)] * 50), np.zeros((50, 10))

    def batch(scale):
        runs = Runs(np.arange(50), np.zeros(50, dtype=int), np.full(50, scale))
        motions = Ground.of([Motion(accel, dt)])
        return batch_peaks(how.advance_for(HOUSE), starts, params, motions, runs).states[0, 3]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(batch, [0.9, 1.0] * 4))
    assert together == [batch(0.9), batch(1.0)] * 4

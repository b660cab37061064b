"""The flexible oscillator: Figs. 2b and 7 of Giouvanidis & Dimitrakopoulos (2016)."""

import math

import numpy as np
import pytest

import rocksteady as rs
from one_interval import make_stream
from rocksteady.engine.drivers import make_trace
from rocksteady.theories.nonsmooth import flexible

HOW = rs.Nonsmooth()


def oscillator(times_p, damping=0.01, height=10.0):
    """The body of Fig. 7: H/b = 10, m_b/m = 2, m_c/m = 1, ω_n = times_p · p."""
    p = math.sqrt(9.81 / math.hypot(height, height / 10))
    return rs.FlexibleOscillator(height, height / 5, 1e4, 2e4, 1e4, times_p * p, damping)


def pulse(body, strength=5.0, **options):
    return rs.pulses.sine(
        strength * body.g * body.b / body.height, omega=7 * body.p, dt=0.002, **options
    )


# -- the equations -------------------------------------------------------------------------------


def particles(body, n=8):
    """The body as point masses (ζ, ψ, mass): Gauss points along the column, base as two points."""
    x, w = np.polynomial.legendre.leggauss(n)
    zeta = (1 + x) / 2
    psi = (3 * zeta**2 - zeta**3) / 2
    column = [(z, s, body.column_mass * v / 2) for z, s, v in zip(zeta, psi, w, strict=True)]
    return [*column, (1.0, 1.0, body.top_mass)]


def position(body, zeta, psi, u, phi):
    """Of a point of the column, from the right edge it rocks about; φ clockwise."""
    tangent = np.array([np.cos(phi), -np.sin(phi)])
    axis = np.array([np.sin(phi), np.cos(phi)])
    return (psi * u - body.b) * tangent + zeta * body.height * axis


def lagrange(body, u, phi, du, dphi, a_h, a_v):
    """(φ'', u'') from positions alone, by numerical derivatives: Σ m Jᵀ (J q'' + J̇ q' + a) = F."""
    h = 1e-4
    M, Q = np.zeros((2, 2)), np.zeros(2)
    gravity = np.array([-a_h, -(body.g + a_v)])
    q, dq = np.array([phi, u]), np.array([dphi, du])

    def add(place, mass):
        nonlocal M, Q
        J = np.empty((2, 2))
        for i in range(2):
            e = np.eye(2)[i] * h
            J[:, i] = (8 * (place(q + e) - place(q - e)) - place(q + 2 * e) + place(q - 2 * e)) / (
                12 * h
            )
        t = h
        path = [place(q + k * t * dq) for k in (-2, -1, 0, 1, 2)]
        curve = (-path[0] + 16 * path[1] - 30 * path[2] + 16 * path[3] - path[4]) / (12 * t**2)
        M += mass * J.T @ J
        Q += mass * J.T @ (gravity - curve)

    for zeta, psi, mass in particles(body):
        add(lambda q, z=zeta, s=psi: position(body, z, s, q[1], q[0]), mass)
    add(lambda q: position(body, 0.0, 0.0, q[1], q[0]), body.base_mass)
    M[0, 0] += body.base_mass * body.b**2 / 3
    Q[1] -= body.stiffness * u + body.damping * du
    return np.linalg.solve(M, Q)


def test_rocking_equations_follow_from_the_positions():
    rng = np.random.default_rng(1)
    body = oscillator(5)
    params = flexible.parameters(body)
    for _ in range(20):
        phi, u = rng.uniform(0, 0.3), rng.uniform(-0.5, 0.5)
        du, dphi, a_h, a_v = rng.normal(size=4)
        ours = flexible.accelerations((phi, dphi, du, u, 0.0, 0.0), params, a_h, a_v)
        np.testing.assert_allclose(ours[:2], lagrange(body, u, phi, du, dphi, a_h, a_v), rtol=1e-6)


def test_normal_force_carries_what_the_body_does():
    """N = Σ m (g + a_v + z''), with z'' from the positions along the motion."""
    rng = np.random.default_rng(3)
    body, h = oscillator(5), 1e-3
    params = flexible.parameters(body)
    points = [*particles(body), (0.0, 0.0, body.base_mass)]
    for _ in range(20):
        phi, u = rng.uniform(0, 0.3), rng.uniform(-0.5, 0.5)
        du, dphi, a_h, a_v = rng.normal(size=4)
        spin, bend, normal, _, _ = flexible.accelerations(
            (phi, dphi, du, u, 0.0, 0.0), params, a_h, a_v
        )
        t = h * np.arange(-2, 3)
        u_t, phi_t = u + t * du + t**2 / 2 * bend, phi + t * dphi + t**2 / 2 * spin
        z = sum(m * position(body, z, s, u_t, phi_t)[1] for z, s, m in points)
        rise = (-z[0] + 16 * z[1] - 30 * z[2] + 16 * z[3] - z[4]) / (12 * h**2)
        assert normal == pytest.approx(body.mass * (body.g + a_v) + rise, rel=1e-6)


@pytest.mark.parametrize(("edge", "side"), [(1, 1), (2, -1)])
def test_uplift_is_where_an_edge_carries_all(edge, side):
    """Standing, moments of weight and inertia about an edge: Σ m [(g + a_v)(b − ψu) + (ψu'' + a_h)
    ζH] for the right one; below zero the base would turn about it."""
    rng = np.random.default_rng(4)
    body = oscillator(5, damping=0.03)
    params = flexible.parameters(body)
    for _ in range(10):
        u, du, a_h, a_v = rng.normal(size=4) * [0.3, 1.0, 2.0, 3.0]
        force = body.damping * du + body.stiffness * u + body.modal_participation * a_h
        bend = -force / body.modal_mass
        moment = body.base_mass * (body.g + a_v) * body.b
        for zeta, psi, mass in particles(body):
            moment += mass * (body.g + a_v) * (body.b - side * psi * u)
            moment += mass * side * (psi * bend + a_h) * zeta * body.height
        ours = flexible.hold(edge, (u, du, 0.0, 0.0, 0.0, 0.0), params, a_h, a_v)
        assert ours == pytest.approx(moment, rel=1e-9)


def test_full_contact_is_a_fixed_base_oscillator():
    """μ2 u'' + c u' + k u = −μ1 a_h: free vibration against its closed form."""
    body = oscillator(5, damping=0.03)
    state = (0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0, body.mass * body.g)
    still, t = (0.0, 0.0), 3.0
    run = make_stream(HOW.advance_for(body))
    state, used, *_ = run(state, HOW.parameters(body), still, still, t)
    assert used == t
    w, z = body.natural_frequency, body.damping_ratio
    wd = w * math.sqrt(1 - z**2)
    u = 0.01 * math.exp(-z * w * t) * (math.cos(wd * t) + z * w / wd * math.sin(wd * t))
    assert state[3] == pytest.approx(u, abs=1e-9 * 0.01)  # the method's tolerance


def test_impact_is_that_of_the_full_mass_matrix():
    """The step's impact against `rs.impact` with the matrices of docs/formulations/nonsmooth.md."""
    rng = np.random.default_rng(2)
    body = oscillator(5)
    b, H, mu1, mu2 = body.b, body.height, body.modal_participation, body.modal_mass
    for _ in range(50):
        u, du, spin = rng.uniform(-0.3, 0.3), rng.normal(), -rng.uniform(0.01, 1)
        M = np.zeros((4, 4))
        M[np.triu_indices(4)] = [
            mu2, mu1, 0, body.modal_moment,
            body.mass, 0, H * (body.top_mass + body.column_mass / 2),
            body.mass, -mu1 * u,
            body.inertia_about_base + mu2 * u**2,
        ]  # fmt: skip
        M = M + np.triu(M, 1).T
        W_N = np.array([[0, 0], [0, 0], [1, 1], [b, -b]])
        before = np.array([du, 0.0, b * spin, spin])
        after, normal, _ = rs.impact(M, W_N, [[0], [1], [0], [0]], before, 0.0)
        state = (0.0, spin, 1.0, u, du, 0.0, 0.0, 0.0)
        ours, used, _ = flexible.strike(state, flexible.parameters(body))
        assert used == 0
        np.testing.assert_allclose([ours[4], ours[1]], [after[0], after[3]], atol=1e-12)
        lost = (before @ M @ before - after @ M @ after) / 2
        assert ours[6] == pytest.approx(lost, rel=1e-9)
        assert np.all(normal > 0) == (ours[2] == 0)


# -- the motion ----------------------------------------------------------------------------------


def test_tends_to_the_rigid_body_until_the_first_impact():
    """Uplift instant, time and velocity of the first impact; the error falls with ω_n."""
    rigid_body = oscillator(5).rigid()

    def first(response):
        uplift = response.events[response.events[:, 1] == 1][0, 0]
        return np.array([uplift, response.impacts.time[0], response.impacts.omega_before[0]])

    push = pulse(oscillator(5), 5.0)
    # on a smooth ramp, so that the column is not set swinging by the motion's own kink
    time = push.time
    ramp = rs.Motion(push.accel * np.sin(np.minimum(time / time[-1], 0.5) * np.pi) ** 2, push.dt)
    rigid = first(rs.simulate(rigid_body, ramp, duration=6.0))
    errors = []
    for times_p in (50, 100, 200, 400):
        ours = first(rs.simulate(oscillator(times_p, 0.05), ramp, HOW, duration=6.0))
        errors.append(np.abs(ours / rigid - 1))
    errors = np.array(errors)
    assert errors[-1].max() < 3e-3
    order = np.log2(errors[1:-1] / errors[2:])
    np.testing.assert_allclose(order, 2.0, atol=0.2)  # the column bends by a_h/ω_n²


def test_settles_above_the_rigid_bodys_loss():
    """r ≈ 0.905–0.908 for ω_n = 50–100 p against 0.887 rigid: u' jumps, too."""
    for times_p in (50, 100):
        body = oscillator(times_p)
        free = rs.simulate(body, None, HOW, theta0=0.6 * body.rigid().alpha)
        swing = free.impacts.omega_before
        swing = swing[np.concatenate([[True], np.sign(swing[1:]) != np.sign(swing[:-1])])]
        r = (swing[1:6] / swing[:5]) ** 2
        assert 0.904 < r.min() < r.max() < 0.909
    assert oscillator(5).rigid().r == pytest.approx(0.8874, abs=1e-4)


def test_every_impact_ends_in_full_contact():
    for times_p in (5, 20, 100):
        body = oscillator(times_p)
        response = rs.simulate(body, pulse(body), HOW, duration=12.0)
        assert len(response.impacts) > 5
        assert not np.any(response.impacts.omega_after)


@pytest.mark.parametrize("times_p", [5, 50])
def test_energy(times_p):
    """Undamped it is conserved between impacts, damped it is accounted for."""
    body = oscillator(times_p, damping=0.0)
    free = rs.simulate(body, None, HOW, theta0=0.04, duration=10.0)
    hits = np.searchsorted(free.time, free.impacts.time)
    parts = [p for p in np.split(free.energy, hits) if len(p)]
    assert len(parts) > 3
    for part in parts:
        np.testing.assert_allclose(part, part[0], rtol=1e-8)
    assert np.all(np.diff([p[0] for p in parts]) < 0)
    shaken = rs.simulate(oscillator(times_p), pulse(body), HOW, duration=10.0)
    assert np.abs(shaken.energy_balance).max() < 1e-9 * shaken.energy.max()
    assert np.diff(shaken.column("loss")).min() >= 0


def test_energy_under_both_components():
    """The vertical ground does work on what rises, and none on what stands."""
    body = oscillator(5)
    push = pulse(body)
    vertical = 4 * np.sin(3 * np.pi * np.arange(len(push)) / (len(push) - 1))
    shaken = rs.simulate(body, rs.Motion(push.accel, push.dt, vertical), HOW, duration=6.0)
    plain = rs.simulate(body, push, HOW, duration=6.0)
    assert shaken.peak > 0.08 and abs(shaken.peak - plain.peak) > 0.004
    assert np.abs(shaken.energy_balance).max() < 1e-9 * shaken.energy.max()


def test_least_normal_force_of_a_body_that_stands():
    """M (g + a_v) at its least."""
    body = oscillator(5)
    vertical = np.array([0.0, 3.0, -2.0, 1.0, 0.0])
    still = rs.simulate(body, rs.Motion(np.zeros(5), 0.01, vertical), HOW, duration=0.04)
    assert still.column("least_normal")[-1] == pytest.approx(body.mass * (body.g - 2), rel=1e-12)


@pytest.mark.parametrize(("share", "rests"), [(0.9, True), (1.1, False)])
def test_at_rest_if_its_vibration_lifts_no_edge(share, rests):
    """Bent and let go, a stiff column lifts its base if M_uφ ω_n² u > M g b, about: the column's
    own weight, μ1 u g, helps by ω_p²/ω_n²."""
    body = oscillator(50, damping=0.0)
    u = share * body.mass * body.g * body.b / (body.modal_moment * body.natural_frequency**2)
    state = (0.0, 0.0, 0.0, u, 0.0, 0.0, 0.0, body.mass * body.g)
    assert HOW.at_rest(body, np.array(state)) == rests
    still = (0.0, 0.0)
    after, *_ = make_stream(HOW.advance_for(body))(
        state, HOW.parameters(body), still, still, 4 / body.natural_frequency
    )
    assert (after[0] == 0 and after[6] == 0) == rests


def test_figure_7_is_pure_rocking():
    """ω_n = 5 p, sine pulse 5 g tan α at 7 p: it rocks to both sides, stands, and never flies."""
    body = oscillator(5)
    response = rs.simulate(body, pulse(body), HOW, duration=20 / body.p)
    assert response.column("least_normal")[-1] > 0
    assert response.theta.min() < -0.2 * math.atan2(body.b, body.height)
    assert response.theta.max() > 0.2 * math.atan2(body.b, body.height)
    assert response.peak < 1
    assert response.status is not rs.Status.OVERTURNED


def test_mirrored():
    body = oscillator(10)
    right, left = (
        rs.simulate(body, pulse(body, strength), HOW, duration=8.0) for strength in (4.0, -4.0)
    )
    np.testing.assert_array_equal(left.states, right.states * [-1, -1, -1, -1, -1, 1, 1, 1])


def test_falls_and_comes_to_rest():
    body = oscillator(5)
    fallen = rs.simulate(body, pulse(body, 20.0), HOW)
    assert fallen.status is rs.Status.OVERTURNED
    calm = rs.simulate(oscillator(5, 0.05), pulse(body, 3.0), HOW)
    assert calm.status is rs.Status.AT_REST
    assert calm.theta[-1] == 0


# -- where it balances ----------------------------------------------------------------------------


def let_go(body, theta0, u=0.0):
    """Whether it falls, let go at rest with the column bent by u, before it strikes."""
    state = list(HOW.start(body, theta0, 0.0))
    state[3] = u
    still = np.zeros(6000)
    states = np.empty((len(still), len(state)))
    trace = make_trace(HOW.advance_for(body))
    rows, _, _ = trace(tuple(state), HOW.parameters(body), (still, still), 0.01, 0.0, states)
    theta = states[:rows, 0]
    assert theta.min() <= 0 or theta[-1] >= math.pi / 2
    return theta.min() > 0


@pytest.mark.parametrize("damping", [0.0, 0.05])
@pytest.mark.parametrize("frequency", [2.0, 5.0, 20.0])
def test_alpha_is_where_it_balances(frequency, damping):
    """tan φ_cr = M b/S = 4/15 for these masses. Let go straight it falls from beyond α and comes
    back from below; the softest column takes it back from 1.3 % beyond. Let go bent by its weight
    it does so at the smaller `bent_balance`, exactly."""
    body = rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 1e4, frequency, damping)
    assert body.alpha == pytest.approx(math.atan(4 / 15), rel=1e-14) == body.rigid().alpha
    assert not let_go(body, 0.999 * body.alpha)
    assert let_go(body, (1 + 0.08 / frequency**2) * body.alpha)
    assert body.bent_balance < body.alpha
    for share, falls in ((0.9999, False), (1.0001, True)):
        angle = share * body.bent_balance
        sag = body.g * body.modal_participation * math.sin(angle) / body.stiffness
        assert let_go(body, angle, sag) == falls


def test_a_stiff_column_balances_as_the_rigid_body():
    stiff = rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 1e4, 1e4)
    assert stiff.bent_balance == pytest.approx(stiff.alpha, rel=1e-7)


def test_a_run_that_ends_at_rest_has_not_passed_its_balance():
    """Peaks are over α: up to the pulse that fells it none exceeds 1 by more than 0.3 %, what a
    column of ω_n = 5 rad/s takes to bend."""
    body = rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 1e4, 5.0, 0.01)
    runs = [
        rs.simulate(body, rs.pulses.sine(a, period=2.0), until=60) for a in np.arange(2, 3.1, 0.05)
    ]
    stand = [run.peak for run in runs if not run.fell]
    assert 0 < len(stand) < len(runs)
    assert 0.5 < max(stand) < 1.003
    assert all(run.peak == abs(run.peak_angle) / body.alpha for run in runs)


def test_what_is_refused():
    body = oscillator(5)
    thrown = rs.Motion(np.zeros(5), 0.01, np.full(5, -15.0))
    with pytest.raises(rs.InputError, match="oscillator"):
        rs.simulate(body, thrown, HOW)
    with pytest.raises(rs.InputError, match="damping_ratio = 5"):
        rs.FlexibleOscillator(10.0, 2.0, 1.0, 1.0, 1.0, 5.0, damping_ratio=5)
    with pytest.raises(rs.InputError, match="top_mass"):
        rs.FlexibleOscillator(10.0, 2.0, 0.0, 1.0, 1.0, 5.0)


def test_figure_7_obeys_the_laws():
    body = oscillator(5)
    found = rs.analysis.audit(rs.simulate(body, pulse(body), HOW, duration=20 / body.p))
    assert found.ok and [law.name for law in found.unchecked] == ["friction"], found

"""A body in space that slides on a corner, tumbles, bounces or flies: Moreau's time steps."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import rocksteady as rs
from rocksteady.engine.drivers import make_trace
from rocksteady.errors import InputError
from rocksteady.numerics.scratch import scratch
from rocksteady.status import Status
from rocksteady.theories.contract import IMPACT, TURN, kernel
from rocksteady.theories.spatial.loose.contacts import (
    OPEN,
    SLIPS,
    STICKS,
    TABLE,
    impulse_at,
    one_contact,
    solve,
)
from rocksteady.theories.spatial.loose.forces import margin, sticking_force
from rocksteady.theories.spatial.loose.settling import body_of, loosened
from rocksteady.theories.spatial.loose.step import strike, strikes, tumble
from rocksteady.theories.spatial.state import (
    AHEAD,
    EDGE,
    LOOSE,
    MODE,
    MORE,
    PIVOT,
    PLACE,
    REST,
    SPIN,
    UP,
    VERTEX,
)

BOX = rs.Body.box(0.45, 0.45, 1.8)
SLIPPERY = rs.Spatial(friction=0.2)
BOTH = (rs.Spatial(), rs.Spatial(friction=0.5))
RELEASE = {"theta0": math.atan(math.sqrt(2) / 4) / 2, "direction": 30.0}  # half the corner's limit


def attitude(states):
    """R: from the body's axes to the ground's."""
    up, ahead = states[..., UP : UP + 3], states[..., AHEAD : AHEAD + 3]
    return np.stack([ahead, np.cross(up, ahead), up], axis=-2)


def loose_state(place, velocity, spin, turn=None):
    """A loose body; ``spin`` in its own axes, ``turn``: its attitude."""
    R = np.eye(3) if turn is None else turn.as_matrix()
    state = np.zeros(22)
    state[UP : UP + 3], state[AHEAD : AHEAD + 3], state[SPIN : SPIN + 3] = R[2], R[0], spin
    state[PLACE : PLACE + 2], state[MORE], state[MODE] = place[:2], place[2], LOOSE
    state[MORE + 1 :] = velocity
    return tuple(state.tolist())


def history(body, how, state, duration, dt=0.005, accel=None):
    """(States at every sample, events) from any state on."""
    n = round(duration / dt) + 1
    ground = accel or tuple(np.zeros(n) for _ in range(3))
    states = np.empty((n, len(state)))
    trace = make_trace(how.advance_for(body))
    rows, events, _ = trace(state, how.parameters(body), ground, dt, 0.0, states)
    return states[:rows], events


def shaken(seed, pga, n=800, dt=0.005):
    rng, t = np.random.default_rng(seed), np.arange(n) * dt
    waves = [
        sum(
            rng.normal() * np.sin(2 * np.pi * f * t + rng.uniform(0, 7))
            for f in rng.uniform(0.3, 5, 12)
        )
        * np.sin(np.pi * t / t[-1])
        for _ in range(3)
    ]
    x, z, y = (
        pga * part * wave / np.abs(wave).max()
        for part, wave in zip((1, 0.6, 1), waves, strict=True)
    )
    return rs.Motion(x, dt, vertical=z, transverse=y)


# -- one contact, and several --------------------------------------------------------------------


def test_one_contact():
    """Open, sticking or slipping: what is found obeys the law, and all three occur."""
    rng, seen = np.random.default_rng(0), set()
    for _ in range(3000):
        root = rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-1, 1, 3)
        G, f = root @ root.T + 0.05 * np.eye(3), rng.normal(size=3)
        mu, target = 10.0 ** rng.uniform(-2, 1), max(rng.normal(), 0.0)
        packed = (G[0, 0], G[1, 1], G[2, 2], G[0, 1], G[0, 2], G[1, 2])
        push, does = one_contact(tuple(map(float, packed)), tuple(f.tolist()), target, mu)
        u, (x, y, z) = G @ push + f, push
        seen.add(does)
        size = np.abs(G).max() * np.linalg.norm(push) + 1
        assert u[2] >= target - 1e-11 * size
        assert math.hypot(x, y) <= mu * z * (1 + 1e-12)
        assert does == OPEN or abs(u[2] - target) < 1e-11 * size
        if does == STICKS:
            assert np.hypot(*u[:2]) < 1e-11 * size
        if does == SLIPS:  # |λ_T| = μ λ_N, straight against the slip
            slip = np.hypot(*u[:2])
            assert math.hypot(x, y) == pytest.approx(mu * z, rel=1e-12)
            assert u[0] * x + u[1] * y == pytest.approx(-slip * mu * z, rel=1e-9, abs=1e-11 * size)
    assert seen == {OPEN, STICKS, SLIPS}


@kernel
def landing(moves, where, params, out):
    table = scratch(TABLE)
    moves, pressing, _, residual = solve(moves, moves, where, params, table)
    for k in range(4):
        out[k, 0], out[k, 1], out[k, 2] = impulse_at(table, k)
    return moves, pressing, residual


def test_four_corners_land_at_once():
    """Every corner obeys contact and friction once Gauss and Seidel have done."""
    rng = np.random.default_rng(1)
    params = SLIPPERY.parameters(BOX)
    J = 1 / np.array(params[3:6])
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    for _ in range(200):
        v, w = rng.normal(size=3), rng.normal(size=3)
        push = np.zeros((4, 3))
        where = (axes, (*J.tolist(), 0.0, 0.0, 0.0), 0.9, 1e-6)
        before = tuple(v.tolist()), tuple(w.tolist())
        (after, turn), _, residual = landing(before, where, params, push)
        arms = np.column_stack([BOX.corners, np.full(4, -0.9)])
        u = np.array(after) + np.cross(turn, arms)
        assert residual < 1e-9
        np.testing.assert_allclose(after, v + push.sum(axis=0), atol=1e-12)
        np.testing.assert_allclose(turn, w + J * np.cross(arms, push).sum(axis=0), atol=1e-11)
        assert u[:, 2].min() > -1e-8
        np.testing.assert_allclose(u[:, 2] * push[:, 2], 0, atol=1e-7)
        slip, rubs = np.hypot(u[:, 0], u[:, 1]), np.hypot(push[:, 0], push[:, 1])
        assert (rubs <= 0.2 * push[:, 2] + 1e-12).all()
        np.testing.assert_allclose((slip * (0.2 * push[:, 2] - rubs)), 0, atol=1e-7)
        assert 0.5 * (v @ v + w @ (w / J)) >= 0.5 * (np.dot(after, after) + turn @ (turn / J))


# -- the release of the science's table ----------------------------------------------------------


def test_release_on_a_slippery_floor():
    """Science, section 6: μ = 0.2, at 0.9 s. The yaw of that row is that of the body's x axis seen
    from above."""
    run = rs.simulate(BOX, rs.Motion.zeros(0.9, 0.005), SLIPPERY, until="motion", **RELEASE)
    R = attitude(run.states[-1])
    moved = [run.column(name)[-1] - run.column(name)[0] for name in ("x", "y")]
    np.testing.assert_allclose(moved, (-0.2073, -0.1418), rtol=1e-2)
    assert run.column("tilt")[-1] == pytest.approx(0.0708, rel=1e-2)
    assert math.atan2(R[1, 0], R[0, 0]) == pytest.approx(-0.0577, rel=1e-2)
    assert run.column("yaw")[-1] == pytest.approx(-0.0577, rel=1e-2)


@kernel
def in_steps_of(state, params, span, step):
    """The body after ``span``, loose all the time."""
    left, ground = span, (0.0, 0.0, 0.0)
    while left > 1e-12:
        if state[MODE] != LOOSE:
            state = loosened(state, params)
        if strikes(body_of(state), params, step):
            state = strike(state, params, step)
        else:
            state, used, _, _ = tumble(state, params, ground, ground, min(step, left), step)
            left -= used
    return state


def test_order():
    """The error of place and attitude falls at least like the step."""
    state, params = SLIPPERY.start(BOX, **RELEASE), SLIPPERY.parameters(BOX)

    def end(step):
        last = np.array(in_steps_of(state, params, 0.9, step))
        return np.concatenate([last[PLACE : PLACE + 2], attitude(last).ravel()])

    exact, steps = end(6.25e-6), np.array([1e-3, 5e-4, 2.5e-4, 1.25e-4])
    errors = [np.abs(end(step) - exact).max() for step in steps]
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] > 1
    assert errors[2] < 1e-3  # at the step that is taken


@pytest.mark.parametrize("mu", [0.4, 3.0])
def test_enough_friction_is_no_slip(mu):
    """To the last bit where no force leaves the cone."""
    still = rs.Motion.zeros(1.5, 0.005)
    rough, stuck = (
        rs.simulate(BOX, still, how, until="motion", **RELEASE)
        for how in (rs.Spatial(friction=mu), rs.Spatial())
    )
    assert len(rough.impacts) >= 3
    np.testing.assert_array_equal(rough.states[:, :MORE], stuck.states)


def test_much_friction_tends_to_no_slip():
    """Shaken, with μ = 3 only what has no solution without slip is different (pitfall 1)."""
    peaks = []
    for seed in range(6):
        motion = shaken(seed, 3.5)
        runs = [rs.simulate(BOX, motion, how) for how in (rs.Spatial(friction=3.0), rs.Spatial())]
        assert runs[0].status == runs[1].status
        peaks.append([run.peak for run in runs])
    ratios = np.array(peaks)[:, 0] / np.array(peaks)[:, 1]
    assert abs(np.median(ratios) - 1) < 0.01


# -- flight and restitution ----------------------------------------------------------------------


def test_flight():
    """The centre of mass on a parabola, the attitude by Euler's equations."""
    body, spin = rs.Body.box(0.3, 0.5, 0.9), np.array([0.5, -1.5, 5.0])
    turn = Rotation.from_rotvec([0.1, 0.2, -0.3])
    begin = loose_state((0.1, 0.2, 5.0), (1.0, -2.0, 3.0), spin, turn)
    states, _ = history(body, SLIPPERY, begin, 0.8)
    t = np.arange(len(states)) * 0.005
    np.testing.assert_allclose(states[:, PLACE], 0.1 + t, atol=1e-12)
    np.testing.assert_allclose(states[:, MORE], 5 + 3 * t - body.g / 2 * t**2, atol=1e-11)
    J = np.diag(body.inertia)

    # R' = R [w]: column j of [w] is w × e_j
    def rate(_, z):
        w, R = z[:3], z[3:].reshape(3, 3)
        skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        return np.concatenate([np.cross(J * w, w) / J, (R @ skew).ravel()])

    first = np.concatenate([spin, turn.as_matrix().ravel()])
    exact = solve_ivp(rate, (0, 0.8), first, "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    np.testing.assert_allclose(states[-1, SPIN : SPIN + 3], exact[:3], atol=2e-5)
    np.testing.assert_allclose(attitude(states[-1]), exact[3:].reshape(3, 3), atol=2e-5)
    momentum = np.einsum("tij,tj->ti", attitude(states), J * states[:, SPIN : SPIN + 3])
    np.testing.assert_allclose(momentum, momentum[0] * np.ones((len(t), 1)), rtol=1e-10)
    energy = SLIPPERY.energy(body, states)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-7)


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 0.8])
def test_restitution(epsilon):
    """Dropped flat a body bounces back with ε times its speed, to ε² of the height."""
    how = rs.Spatial(friction=0.5, restitution=epsilon)
    states, events = history(BOX, how, loose_state((0, 0, 1.0), (0, 0, 0), (0, 0, 0)), 0.5, dt=1e-3)
    first = int(np.ceil(math.sqrt(2 * 0.1 / BOX.g) / 1e-3))
    x, y, z = (how.derived(BOX, states)[name] for name in ("x [m]", "y [m]", "z [m]"))
    bounce, fall = z[first:].max() - 0.9, 0.1
    assert bounce == pytest.approx(epsilon**2 * fall, rel=3e-3, abs=1e-9)
    assert max(np.abs(x).max(), np.abs(y).max()) < 1e-9
    assert events[0, 0] == pytest.approx(math.sqrt(2 * fall / BOX.g), abs=5e-5)
    if epsilon == 0:
        assert states[-1, MODE] == REST


def test_a_ground_that_falls_away():
    """Where the ground accelerates down faster than g the body flies, and lands again."""
    t = np.arange(400) * 0.005
    drop = np.where((t > 0.5) & (t < 0.6), -2 * BOX.g, 0.0)
    run = rs.simulate(BOX, rs.Motion(0 * t, 0.005, vertical=drop), SLIPPERY)
    assert run.status == Status.AT_REST
    # at first the ground leaves with −g relative to free fall: the body rises by v²/2g in all
    assert run.column("z").max() - 0.9 == pytest.approx(0.1, abs=0.02)
    assert run.column("tilt").max() < 1e-6
    with pytest.raises(InputError, match="leave the ground"):
        rs.simulate(BOX, rs.Motion(0 * t, 0.005, vertical=drop), rs.Spatial())


# -- when it begins to slide ---------------------------------------------------------------------


def corner_forces(state, params, ground):
    """(Force of corner k in ground axes, of the next one, along the edge) by Newton and Euler on
    six freedoms, with the part along the edge all on corner k. Independent of the code."""
    state, J = np.array(state), np.diag(params[3:6])
    R, W = attitude(state), state[SPIN : SPIN + 3]
    corners = np.array(params[15:]).reshape(-1, 2)
    k = int(state[PIVOT])
    c, following = (
        np.array([*corners[k], -params[2]]),
        np.array([*corners[(k + 1) % 4], -params[2]]),
    )
    e = (following - c) / np.linalg.norm(following - c)
    pull = np.array([ground[0], ground[2], params[0] + ground[1]])
    fixed = np.array([-c, -following])
    # unknown: W', and the forces (body axes). Corner k does not accelerate; on an edge the next
    # one neither, across the edge.
    A, b = np.zeros((12, 9)), np.zeros(12)

    def skew(v):
        return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])

    d = fixed[0]
    # W' × d + W × (W × d) + s = f_k + f_next
    A[:3, :3], A[:3, 3:6], A[:3, 6:] = -skew(d), -np.eye(3), -np.eye(3)
    b[:3] = -(np.cross(W, np.cross(W, d)) + R.T @ pull)
    # J W' + W × J W = c × f_k + c_next × f_next
    A[3:6, :3], A[3:6, 3:6], A[3:6, 6:] = J, -skew(c), -skew(following)
    b[3:6] = -np.cross(W, J @ W)
    if state[MODE] == EDGE:
        A[6, 6:] = e  # its part along the edge is put on corner k
        A[7:10, :3] = np.eye(3) - np.outer(e, e)
    else:
        A[6:9, 6:] = np.eye(3)
    z = np.linalg.lstsq(A, b, rcond=None)[0]
    assert np.abs(A @ z - b).max() < 1e-9
    return R @ z[3:6], R @ z[6:], R @ e


def bears(state, params, ground, mu):
    """Whether some way of sharing the force along the edge keeps both corners in their cones."""
    one, other, e = corner_forces(state, params, ground)

    def inside(force):
        return np.hypot(force[..., 0], force[..., 1]) <= mu * force[..., 2]

    if state[MODE] == VERTEX:
        return bool(inside(one))
    share = np.linspace(-1, 1, 20_001)[:, None] * 20 * e
    return bool((inside(one - share) & inside(other + share)).any())


@pytest.mark.parametrize("mode", [EDGE, VERTEX])
def test_force_against_the_cone(mode):
    """The sign of the margin, against Newton and Euler solved for the forces of both corners."""
    rng, agree, kinds = np.random.default_rng(3), 0, set()
    for _ in range(300):
        direction = 0.0 if mode == EDGE else rng.uniform(5, 85)
        mu = rng.uniform(0.05, 1.0)
        how = rs.Spatial(friction=mu)
        spin = (0.0, rng.normal(), 0.0) if mode == EDGE else tuple(rng.normal(size=3).tolist())
        state = how.leaning(BOX, rng.uniform(0.01, 0.3), direction, spin=spin)
        assert state[MODE] == mode
        params, ground = how.parameters(BOX), tuple(rng.normal(size=3).tolist())
        spare = margin(state, params, ground)
        if abs(spare) > 0.02:
            holds = bears(state, params, ground, mu)
            agree += holds == (spare > 0)
            kinds.add(holds)
            assert holds == (spare > 0)
    assert kinds == {True, False}
    assert agree > 200


def test_an_edge_without_a_solution_slips():
    """Pitfall 1: pushed along its edge with 2.5 m/s² the body can neither keep the edge (a corner
    would have to pull) nor lift the corner (it would sink). Without friction the edge is held;
    with it the corner slips."""
    state = rs.Spatial().leaning(BOX, 1e-3, 0.0)
    push = (np.zeros(41), np.zeros(41), np.full(41, 2.5))
    held, _ = history(BOX, rs.Spatial(), state, 0.04, dt=1e-3, accel=push)
    assert held[1, MODE] == EDGE
    how = rs.Spatial(friction=3.0)
    slides, _ = history(BOX, how, (*state, 0.0, 0.0, 0.0, 0.0), 0.04, dt=1e-3, accel=push)
    assert slides[1, MODE] == LOOSE
    R = attitude(slides[-1])
    corners = np.column_stack([BOX.corners, np.full(4, -0.9)]) @ R.T
    assert np.isfinite(slides).all()
    assert np.ptp(corners[:2, 2]) > 0


def test_friction_that_is_needed():
    """Pitfall 8: T/N while rocking, PGA twice what uplifts. 99 % below 0.5, never above 0.7."""
    ratios = []
    for seed in range(12):
        motion = shaken(100 + seed, 2 * 2.4525)
        run = rs.simulate(BOX, motion, rs.Spatial(), until="motion")
        params = rs.Spatial().parameters(BOX)
        rows = run.states[: len(motion)]
        for i in np.flatnonzero(np.isin(rows[:, MODE], (EDGE, VERTEX)) & (rows[:, 2] < 0.5)):
            a = motion.accel[i], motion.vertical[i], motion.transverse[i]
            force, _ = sticking_force(tuple(rows[i].tolist()), params, tuple(map(float, a)))
            normal = np.dot(force, rows[i, UP : UP + 3])
            ratios.append(math.sqrt(max(np.dot(force, force) - normal**2, 0)) / normal)
    assert len(ratios) > 1000
    assert min(ratios) > 0  # N never negative
    assert np.quantile(ratios, 0.99) < 0.5
    assert max(ratios) < 0.7


# -- all together --------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
def test_shaken_bodies(epsilon):
    """Energy is accounted for and friction and impacts only take; every run ends properly."""
    rng, modes = np.random.default_rng(5), set()
    hexagon = [(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)]
    for i in range(45):
        x, y, h = *rng.uniform(0.3, 0.6, 2), rng.uniform(0.5, 1.8)
        body = rs.Body.box(x, y, h) if i % 3 else rs.Body.prism(0.5 * x * np.array(hexagon), h)
        if i % 4 == 1:
            body = replace(body, centre=(0.1 * x, -0.05 * y, 0.5 * h))
        how = rs.Spatial(friction=(0.1, 0.2, 0.3, 0.5, 0.7)[i % 5], restitution=epsilon)
        run = rs.simulate(body, shaken(i, (3, 6, 9)[i % 3], 400), how, until="motion")
        assert run.status != Status.FAILED
        scale = body.mass * body.g * body.centre[2]
        energy, loss = how.energy(body, run.states) / scale, run.column("loss") / scale
        np.testing.assert_allclose(energy + loss - run.column("work") / scale, 0, atol=1e-8)
        assert np.diff(loss).min() > -1e-5  # what a time step may err
        modes |= set(run.column("mode"))
    assert modes == {REST, EDGE, VERTEX, LOOSE}


def test_a_knock_in_which_the_lean_turns_has_a_peak():
    """An impact takes no time, and the lean may turn in it."""
    knocks = 0
    for seed in range(8):
        how = rs.Spatial(friction=0.3, restitution=0.5)
        run = rs.simulate(BOX, shaken(seed, 6), how, until="motion")
        assert np.isfinite(run.events).all() and math.isfinite(run.peak)
        time, kind = run.events[:, 0], run.events[:, 1]
        knocks += np.sum((kind[:-1] == TURN) & (kind[1:] == IMPACT) & (time[:-1] == time[1:]))
    assert knocks > 0


@pytest.mark.slow  # twenty corners compile long
def test_a_base_of_many_corners_tips():
    """It slips a little when it begins to tip, and must not be laid flat after every time step: the
    lean is that of a body that never slides."""
    angles = np.sort(np.random.default_rng(3).uniform(0, 2 * np.pi, 28))
    body = rs.Body.prism(0.1 * np.column_stack([np.cos(angles), np.sin(angles)]), 3.0)
    push = 1.15 * body.g * math.tan(body.limit(30.0)) * np.clip(np.arange(1200) / 300, 0, 1)
    x, y = (-push * part(math.radians(30)) for part in (math.cos, math.sin))
    motion = rs.Motion(x, 1e-3, transverse=y)
    sticks, slips = (rs.simulate(body, motion, how, until="motion").peak for how in BOTH)
    assert slips == pytest.approx(sticks, rel=2e-3) and sticks > 0.4


def test_no_impact_is_passed_over():
    """Close above the ground and fast: what comes down within a small part of a time step strikes,
    too, and rises again as fast as it came."""
    how = rs.Spatial(friction=0.2, restitution=1.0)
    state = list(how.start(BOX))
    reach = BOX.g * 0.25e-3**2
    for part in (4.5, 6.0, 20.0):
        state[MODE], state[PLACE : PLACE + 2] = LOOSE, (0.0, 0.0)
        state[MORE : MORE + 4] = 0.9 + part * reach, 0.0, 0.0, -1.0
        states, events = history(BOX, how, tuple(state), 0.005)
        assert events[:, 1].tolist() == [IMPACT]
        assert states[-1, MORE + 3] == pytest.approx(1.0, abs=BOX.g * 0.005)


def test_what_slides_falls_over_a_corner():
    run = rs.simulate(BOX, None, SLIPPERY, theta0=0.3, direction=10.0)
    assert run.column("mode")[-1] == LOOSE
    assert run.fall.direction.startswith(f"over corner {run.column('pivot')[-1]:.0f} towards ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"friction": -0.1}, "friction"),
        ({"friction": math.nan}, "friction"),
        ({"friction": 0.5, "restitution": 1.5}, "restitution"),
        ({"restitution": 0.5}, "without friction"),
    ],
)
def test_bad_coefficients(options, message):
    with pytest.raises(InputError, match=message):
        rs.Spatial(**options)


def test_a_fall_while_it_slides_is_over_the_lowest_corner():
    body = rs.Body.box(0.45, 0.45, 1.8)
    theory = rs.Spatial(friction=0.4)
    state = np.array(theory.start(body, 0.5, direction=75))
    assert theory.fell_to(body, state) == "over corner 2 towards 75°"
    state[MODE] = LOOSE
    assert theory.fell_to(body, state) == "over corner 2 towards 75°"


def test_a_body_that_slips_and_flies_obeys_the_laws():
    theory = rs.Spatial(friction=0.2)
    body = rs.Body.box(0.45, 0.6, 1.8)
    found = rs.analysis.audit(rs.simulate(body, None, theory, theta0=0.15, direction=30))
    assert found.ok and found["contacts"].verdict == "holds", found

"""The step of the elastic block: against an independent solution, in its limits and symmetries."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.analysis.body_history import body_history
from rocksteady.engine.drivers import make_trace
from rocksteady.errors import InputError
from rocksteady.theories.contract import FAILURE, Formulation
from rocksteady.theories.dissipation.elastic import block as elastic
from rocksteady.theories.dissipation.elastic.body import A, D, F, Q, V, begin
from rocksteady.theories.dissipation.formulation import NumericalDissipation
from rocksteady.theories.dissipation.rule import OPTIMAL
from validation.daltri2024.elastic_reference import WholeBody, times_stiffness, whole_body
from validation.daltri2024.hht_reference import NEWMARK, classical
from validation.daltri2024.test_hht_step import shaking

SMALL = rs.Block(1.2, 0.3)
COLUMN = rs.Block(4.2, 0.6)


def bending(**options):
    return NumericalDissipation(body="elastic", **options)


@cache
def release(block, share=0.5, duration=3.0, **options):
    how = NumericalDissipation(**options)
    return rs.simulate(block, None, how, theta0=share * block.alpha, duration=duration)


# -- against another solution ---------------------------------------------------------------------


def test_internal_forces_are_the_slope_of_the_strain_energy():
    """Of the reference solution, by central differences, at a large rotation and large strains."""
    body = WholeBody(bending(E=1e8), SMALL)
    rng = np.random.default_rng(3)
    turn = np.array([[math.cos(1), math.sin(1)], [-math.sin(1), math.cos(1)]])
    q = (body.X + 1e-3 * rng.standard_normal(body.X.shape)) @ turn.T
    way = rng.standard_normal(q.shape)
    slope = (body.energy(q + 1e-7 * way) - body.energy(q - 1e-7 * way)) / 2e-7
    assert (body.force(q) * way).sum() == pytest.approx(slope, rel=1e-6)
    arms = q - (body.m[:, None] * q).sum(axis=0) / body.m.sum()
    force = body.force(q)
    assert (
        abs((arms[:, 1] * force[:, 0] - arms[:, 0] * force[:, 1]).sum())
        < 1e-9 * np.abs(force).sum() * np.abs(arms).max()
    )


def test_free_rocking_against_all_equations_at_once():
    """E = 2e9 and 2e8, through an impact. What differs is the twist, which the step takes from the
    step before: of first order in 1/E."""
    difference = []
    for E in (2e9, 2e8):
        how = bending(E=E, dt=0.005)
        run = rs.simulate(SMALL, None, how, theta0=SMALL.alpha / 2, duration=0.9)
        theta, strain = whole_body(how, SMALL, 0 * run.time, 0.005, SMALL.alpha / 2)
        assert len(run.impacts) == 1
        assert run.column("strain energy").max() > 0.005 * run.energy[0]
        difference.append(np.abs(run.theta - theta).max() / SMALL.alpha)
        strain_error = np.abs(run.column("strain energy") - strain).max() / strain.max()
        assert strain_error < 2e-3
    assert difference[0] < 3e-5
    assert difference[1] < 3e-4


def test_shaking_against_all_equations_at_once():
    how = bending(E=2e9, dt=0.005)
    motion = shaking(4, 1.5, SMALL, duration=1.0, dt=0.005)
    run = rs.simulate(SMALL, motion, how, theta0=1e-3, duration=0.9)
    theta, _ = whole_body(how, SMALL, run.motion.accel, 0.005, 1e-3)
    assert run.peak > 0.05
    np.testing.assert_allclose(run.theta, theta, atol=5e-5 * SMALL.alpha)


@pytest.mark.parametrize("alpha", [-0.2, 0.0])
def test_other_rules_against_all_equations_at_once(alpha):
    """α other than the paper's, β and γ its usual ones: 1/2 − β no longer vanishes."""
    how = bending(E=2e9, dt=0.005, alpha_hht=alpha)
    motion = shaking(4, 1.5, SMALL, duration=1.0, dt=0.005)
    run = rs.simulate(SMALL, motion, how, theta0=1e-3, duration=0.5)
    theta, _ = whole_body(how, SMALL, run.motion.accel, 0.005, 1e-3, classical(alpha))
    assert run.peak > 0.02
    np.testing.assert_allclose(run.theta, theta, atol=5e-5 * SMALL.alpha)


# -- limits ---------------------------------------------------------------------------------------


def test_the_stiff_limit_is_the_rigid_body():
    """E → ∞: the HHT-rigid block with the virial, to first order in 1/E, through two impacts."""
    rigid = release(COLUMN, dt=0.013)
    assert len(rigid.impacts) == 2
    gap = [
        np.abs(release(COLUMN, dt=0.013, body="elastic", E=E).theta - rigid.theta).max()
        for E in (1e11, 1e12, 1e13)
    ]
    assert gap[0] < 0.005 * COLUMN.alpha
    assert gap[1] / gap[0] == pytest.approx(0.1, rel=0.2)
    assert gap[2] < 5e-5 * COLUMN.alpha
    stiff = release(COLUMN, dt=0.013, body="elastic", E=1e13)
    np.testing.assert_allclose(
        stiff.column("virial")[1:60], rigid.column("virial")[1:60], rtol=2e-3
    )
    plain = release(COLUMN, dt=0.013, **NEWMARK)  # what the virial does is far larger
    assert np.abs(plain.theta - rigid.theta).max() > 100 * gap[2]


def test_the_stiff_limit_under_both_components():
    """The same work and height of the centre of mass, vertical shaking included."""
    motion = shaking(0, 2.0, SMALL, duration=1.0, dt=0.005)
    motion = rs.Motion(motion.accel, 0.005, shaking(5, 2.0, SMALL, 1.0, 0.005).accel)
    rigid, stiff = (
        rs.simulate(SMALL, motion, NumericalDissipation(dt=0.005, **options), duration=0.9)
        for options in ({}, {"body": "elastic", "E": 1e13})
    )
    plain = rs.simulate(SMALL, rs.Motion(motion.accel, 0.005), rigid.formulation, duration=0.9)
    assert rigid.peak > 0.05
    assert np.abs(plain.theta - rigid.theta).max() > 0.02 * SMALL.alpha
    np.testing.assert_allclose(stiff.theta, rigid.theta, atol=1e-4 * SMALL.alpha)
    np.testing.assert_allclose(stiff.column("y"), rigid.column("y"), atol=1e-6)
    work = rigid.column("work")
    np.testing.assert_allclose(stiff.column("work"), work, atol=1e-3 * np.abs(work).max())


@pytest.mark.parametrize(("theta", "omega"), [(0.0, 3.0), (0.1, -3.0), (-0.1, 3.0)])
def test_start_with_a_rotation(theta, omega):
    """What the state says of the body at time zero is what its fields are: strain energy ½ d·K d,
    virial X·f in the frame, and f = R K d but for the twist, of second order."""
    how = bending(dt=0.005, E=1e10)
    state, params = how.start(SMALL, theta, omega), how.parameters(SMALL)
    begin(state, params)
    body, d = elastic.mesh(how, SMALL), params.field[D]
    hooke = times_stiffness(body, d)
    assert state[7] == pytest.approx(d @ hooke / 2, rel=1e-9)
    c, s = math.cos(theta), math.sin(theta)
    frame = np.kron(np.eye(len(body.nodes)), [[c, -s], [s, c]])
    force = frame @ params.field[F]
    assert state[11] == pytest.approx(params.places @ force, rel=1e-9)
    np.testing.assert_allclose(force, hooke, atol=1e-4 * np.abs(hooke).max())
    masses = params.masses
    speed = masses @ (params.field[V] ** 2) / 2
    assert state[6] == pytest.approx(speed, rel=1e-9)


def test_a_rigid_turn_by_60_degrees_makes_no_stress():
    """Afloat and weightless, at rest: turned by 60° it stays as it is, free of stress. A linear
    theory would see strains of 1 − cos 60°."""
    how, angle = bending(dt=0.01), math.pi / 3
    params, state = how.parameters(COLUMN), list(how.start(COLUMN))
    c, s = math.cos(angle), math.sin(angle)
    turned = params.places.reshape(-1, 2) @ np.array([[c, -s], [s, c]])
    params.field[Q] = (turned + np.array([0.0, 10.0])).ravel()
    params.clock[1] = 1.0  # the fields are set
    state[0] = angle
    still, weightless = np.zeros(21), np.full(21, -COLUMN.g)
    states = np.empty((21, len(state)))
    trace = make_trace(how.advance_for(COLUMN))
    trace(tuple(state), params, (still, weightless), 0.01, 0.0, states)
    np.testing.assert_allclose(states[:, 0], angle, atol=1e-12)
    stress = elastic.mesh(how, COLUMN).stresses(params.field[D])
    assert np.abs(stress).max() < 1e-12 * how.E
    assert np.abs(params.field[[V, A]]).max() < 1e-9


def test_a_spinning_bar_is_stressed_by_its_own_inertia():
    """Afloat and weightless, turning by 60° at ω: the longitudinal stress in the middle is
    ρ ω² L²/8 as in a bar, whatever the angle; so the large turn itself adds nothing."""
    block, omega, dt = rs.Block(6.0, 0.6), 2.0, 0.002
    how = bending(dt=dt, nu=0.0)
    params, state = how.parameters(block), list(how.start(block))
    x, y = params.places.reshape(-1, 2).T
    d = omega**2 * params.bulge
    params.field[Q] = params.places + d + np.tile([0.0, 10.0], len(x))
    params.field[V] = omega * np.stack([y, -x], axis=1).ravel()
    params.field[A] = -(omega**2) * params.places
    params.field[F] = params.masses * omega**2 * params.places
    params.clock[1] = 1.0
    steps = math.ceil(math.pi / 3 / omega / dt)
    still, weightless = np.zeros(steps + 1), np.full(steps + 1, -block.g)
    states = np.empty((steps + 1, len(state)))
    trace = make_trace(how.advance_for(block))
    trace(tuple(state), params, (still, weightless), dt, 0.0, states)
    assert states[-1, 0] == pytest.approx(math.pi / 3, rel=1e-2)
    assert states[-1, 1] == pytest.approx(omega, rel=1e-3)
    body = elastic.mesh(how, block)
    middle = np.abs(body.centres[:, 1]) < 0.3
    along = body.stresses(params.field[D])[middle, 1].mean()
    assert along == pytest.approx(2600 * omega**2 * 6**2 / 8, rel=0.02)


# -- rest, energy, symmetry ------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0.0, 0.05, -0.06])
@pytest.mark.parametrize("E", [3e10, 1e9])
def test_at_rest_nothing_moves(offset, E):
    block = rs.Block(1.8, 0.5, offset=offset)
    how = bending(dt=0.01, E=E)
    run = rs.simulate(block, rs.Motion.zeros(3.0, 0.01), how, duration=3.0)
    for name in ("theta", "x", "y"):
        assert np.ptp(run.column(name)) < 1e-13
    assert np.abs(run.omega).max() < 1e-10
    assert np.sign(run.theta[0]) == np.sign(offset)
    assert np.abs(run.energy).max() < 1e-7
    assert run.status is rs.Status.AT_REST
    history = body_history(run)
    weight = (history.pressure * history._areas).sum(axis=1)
    np.testing.assert_allclose(weight, block.mass * block.g, rtol=1e-9)


@pytest.mark.parametrize("k_n", [5e8, 5e9, 5e10])
def test_a_corner_in_the_air_presses_on_nothing(k_n):
    """The state's "corner gap", before uplift, rocking and after, on soft and stiff beds."""
    how = bending(k_n=k_n, dt=0.01)
    shaking = rs.pulses.sine(2.6, 0.5, cycles=4, dt=0.005)
    run = rs.simulate(rs.Block(1.8, 0.5), shaking, how, duration=3.0)
    corners = body_history(run).pressure[:, [0, -1]]
    in_air = (corners == 0).any(axis=1)
    assert 0.1 < np.mean(in_air) < 1
    np.testing.assert_array_equal(run.column("corner gap") > 0, in_air)
    resting = how.start(run.system)
    assert resting[16] == pytest.approx(-corners[0, 0] / k_n, rel=1e-9)


def test_stress_of_own_weight():
    """At rest each row of elements carries the weight above its middle, to the lumping of masses;
    and the strain energy is ½ d·K d."""
    how = bending(dt=0.01, nu=0.0)
    run = rs.simulate(COLUMN, rs.Motion.zeros(0.1, 0.01), how, duration=0.1)
    history = body_history(run)
    body = history.mesh
    rows = history.stress[-1, :, 1].reshape(len(body.y) - 1, -1).mean(axis=1)
    above = np.array([body.masses[body.nodes[:, 1] > y].sum() for y in body.y[:-1]])
    np.testing.assert_allclose(rows, -above * COLUMN.g / COLUMN.width, rtol=1e-9)
    middle = (body.y[1:] + body.y[:-1]) / 2 + COLUMN.com_height
    np.testing.assert_allclose(
        rows, -2600 * COLUMN.g * (4.2 - middle), atol=0.01 * 2600 * COLUMN.g * 4.2
    )
    d = history.displacement[-1].ravel()
    energy = d @ times_stiffness(body, d) / 2
    assert run.column("strain energy")[-1] == pytest.approx(energy, rel=1e-9)


@pytest.mark.parametrize(
    ("height", "width", "k_n", "dt", "E"),
    [
        (4.2, 0.6, 5e8, 0.013, 3e10),
        (6.0, 0.6, 10e8, 0.01, 1e10),
        (12.0, 1.2, 25e8, 0.02, 3e10),
        (2.4, 0.6, 2.5e8, 0.02, 3e9),
        (2.4, 0.6, 25e8, 0.01, 3e10),
        (7.2, 1.8, 25e8, 0.003, 3e10),
    ],
)
def test_energy_never_grows(height, width, k_n, dt, E):
    """Kinetic, gravitational, of strain and in the springs: never above what it was at the start,
    and from its lowest value so far it never rises by more than 1e-4 of that, stocky blocks that
    bounce on a stiff bed included; the others by 1e-5."""
    block = rs.Block(height, width)
    run = release(block, k_n=k_n, dt=dt, body="elastic", E=E, duration=15.0)
    share = run.energy / run.energy[0]
    assert share.max() <= 1.0
    rise = (share - np.minimum.accumulate(share)).max()
    assert rise < (1e-4 if height / width < 5 else 1e-5)
    assert share[-1] < 0.7
    assert run.column("cuts")[-1] == 0


def most_added(block, theta0, dt):
    """The most energy [J] that the first step after a release can add, on a bed that is stiff for
    this step.

    Let go with its weight on the corner, the block turns about its centre of mass at first, at 4
    times θ̈ = p² sin(α − θ₀); with the corner held, about that, at θ̈. With M a² = 4 I θ̈² before
    and I θ̈² after, and 3 I θ̈² for their difference, where I is about the corner, the identity of
    Newmark's rule with γ = 1/2 + η, β = (1 + η)²/4 and η = -α_H, [E + η² dt²/8 M a²] =
    -η³ dt²/4 M Δa², gives 3 η² (1 - 2 η)/8 I θ̈² dt²; and 1 - 2 η = η².

    The springs of the bed lose half of what they are stretched by then, whatever the step: so a
    fine step adds nothing.
    """
    push = block.p**2 * math.sin(block.alpha - abs(theta0))
    return 3 / 8 * OPTIMAL.alpha**4 * (block.inertia + block.mass * block.R**2) * (push * dt) ** 2


def test_what_a_release_adds_goes_with_the_square_of_the_step():
    """Coarse steps on a stiff bed: `most_added`, less what the springs lose."""
    block = rs.Block(1.09375, 0.4375)
    theta0 = 0.05 * block.alpha
    steps = [math.acosh(2) / block.p / n for n in (15, 16, 17, 18)]
    runs = [
        rs.simulate(block, None, bending(k_n=3e9, E=3e9, dt=dt), theta0=theta0, duration=0.5)
        for dt in steps
    ]
    assert all(np.argmax(run.energy) == 1 for run in runs)
    added = [run.energy.max() - run.energy[0] for run in runs]
    slope, at_zero = np.polyfit(np.square(steps), added, 1)
    assert slope == pytest.approx(most_added(block, theta0, 1.0), rel=0.03)
    assert at_zero < 0


@settings(max_examples=12, deadline=None)
@given(
    slenderness=st.floats(2.5, 10),
    width=st.floats(0.2, 1.0),
    k_n=st.floats(1e8, 3e9),
    E=st.floats(3e9, 1e11),
    share=st.floats(-0.8, 0.8),
    steps=st.floats(15, 100),
)
@example(slenderness=2.5, width=0.4375, k_n=1204818613.0, E=3e9, share=0.0, steps=15.0)
@example(slenderness=10.0, width=0.5, k_n=3e9, E=3e9, share=0.05, steps=17.0)
@example(slenderness=10.0, width=1.0, k_n=3e9, E=3e9, share=0.05, steps=60.0)
def test_any_block_loses_energy_and_stays_whole(slenderness, width, k_n, E, share, steps):
    block = rs.Block(slenderness * width, width)
    dt = math.acosh(2) / block.p / steps
    if abs(share) < 0.05:
        share = 0.05
    theta0 = share * block.alpha
    run = rs.simulate(block, None, bending(k_n=k_n, E=E, dt=dt), theta0=theta0, duration=3.0)
    assert run.status is not rs.Status.FAILED
    rise = most_added(block, theta0, dt) if steps < 60 else 1e-6 * run.energy[0]
    assert run.energy.max() <= run.energy[0] + rise
    assert run.peak <= abs(share) * (1 + 1e-3)
    assert np.all(np.isfinite(run.states))


def test_mirrored_motion_gives_the_mirrored_response():
    how = bending(dt=0.005)
    motion = shaking(0, 2.0, SMALL, duration=3.0, dt=0.005)
    run, image = (rs.simulate(SMALL, m, how, duration=2.9) for m in (motion, motion.scaled(-1)))
    assert run.peak > 0.1
    np.testing.assert_allclose(run.theta, -image.theta, atol=1e-7 * SMALL.alpha)
    np.testing.assert_allclose(run.column("x"), -image.column("x"), atol=1e-8)


def test_it_slides_as_the_rigid_body_does():
    """Friction 0.2 under a rectangular pulse of 0.4 g: a stocky block slides by Coulomb's law."""
    block = rs.Block(1.0, 1.0)
    motion = rs.Motion(np.r_[0, np.full(300, 4.0), np.zeros(600)], 0.001)
    far = [
        rs.simulate(block, motion, NumericalDissipation(dt=0.001, friction=0.2, **options))
        for options in ({}, {"body": "elastic"})
    ]
    rigid, soft = (run.column("x")[-1] for run in far)
    assert soft == pytest.approx(rigid, rel=0.01)
    assert abs(soft) > 0.05
    loss = 0.2 * block.mass * block.g * abs(soft)
    assert far[1].column("slip loss")[-1] == pytest.approx(loss, rel=0.02)


def test_work_and_energy():
    """What the ground puts in is in the block, slid away or lost to the rule."""
    how = bending(dt=0.002)
    run = rs.simulate(COLUMN, shaking(2, 1.6, COLUMN).resampled(0.002), how, duration=3.9)
    gone = run.column("work") - run.column("slip loss") - run.energy
    assert gone.min() > -2e-3 * run.energy.max()
    assert 0 < gone[-1] < run.column("work").max()


def test_overturning_and_a_live_stream():
    how = bending(dt=0.005)
    assert rs.simulate(SMALL, None, how, theta0=1.1 * SMALL.alpha).status is rs.Status.OVERTURNED
    pushed = rs.simulate(SMALL, None, how, omega0=1.1 * 2 * SMALL.p * math.sin(SMALL.alpha / 2))
    assert pushed.status is rs.Status.OVERTURNED
    held = rs.simulate(SMALL, None, how, omega0=-0.9 * 2 * SMALL.p * math.sin(SMALL.alpha / 2))
    assert held.status is rs.Status.AT_REST
    assert held.peak > 0.4
    motion = shaking(0, 2.0, SMALL, duration=1.0, dt=0.005)
    run = rs.simulate(SMALL, motion, how, duration=0.9)
    live = rs.Monitor(SMALL, how, dt=0.005)
    np.testing.assert_array_equal([live.push(a).theta for a in run.motion.accel], run.theta)


# -- Newton's method, errors --------------------------------------------------------------------


def test_cuts_are_rare_and_counted():
    """None in 10 000 steps of strong shaking with μ ≤ 1; μ = 5 is discontinuous at lift-off."""
    steps = cuts = rough = 0
    for seed in range(8):
        motion = shaking(seed, 3.0, SMALL, duration=6.0, dt=0.004)
        for friction in (0.3, 1.0):
            run = rs.simulate(SMALL, motion, bending(dt=0.004, friction=friction), duration=5.9)
            assert run.status is not rs.Status.FAILED
            steps += len(run.time) - 1
            cuts += run.column("cuts")[-1]
        run = rs.simulate(SMALL, motion, bending(k_n=3e9, dt=0.008, friction=5.0), duration=5.9)
        assert np.all(np.isfinite(run.states))
        rough += run.column("cuts")[-1]
    assert steps > 10_000
    assert cuts == 0
    assert rough > 0


def test_no_answer_is_a_failure_not_a_number():
    how = bending(dt=0.01)
    state = how.start(SMALL, 0.0, 0.0)
    accel, states = np.array([0.0, math.nan, 0.0]), np.empty((3, len(state)))
    rows, events, last = make_trace(how.advance_for(SMALL))(
        state, how.parameters(SMALL), (accel, np.zeros(3)), 0.01, 0.0, states
    )
    assert rows == 2
    assert events[-1, 1] == FAILURE
    assert last[:14] == state[:14]
    assert last[15] == 12


def test_it_keeps_the_contract():
    how = bending()
    assert isinstance(how, Formulation)
    assert len(how.start(SMALL)) == len(how.columns(SMALL))
    first, second = how.parameters(SMALL), how.parameters(SMALL)
    assert first.field is not second.field  # each run has its own workspace


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"body": "soft"}, "'soft' is not known"),
        ({"body": "elastic", "E": -1.0}, "E = -1.0 Pa is not allowed"),
        ({"body": "elastic", "E": math.inf}, "must be a positive, finite number"),
        ({"body": "elastic", "nu": 0.5}, "nu = 0.5 is not allowed"),
        ({"E": 1e10}, "the body is rigid"),
    ],
)
def test_bad_options(options, words):
    with pytest.raises(InputError, match=words):
        NumericalDissipation(**options)


def test_bad_bodies_and_histories():
    with pytest.raises(InputError, match="Give a larger spacing"):
        bending(spacing=0.002).parameters(COLUMN)
    with pytest.raises(InputError, match="too soft a bed"):
        bending(k_n=1e4).parameters(COLUMN)
    with pytest.raises(InputError, match="body='elastic'"):
        body_history(release(COLUMN, dt=0.013))
    run = release(COLUMN, dt=0.013, body="elastic", E=1e12)
    with pytest.raises(InputError, match="selects no samples"):
        body_history(run, (7.0, 8.0))

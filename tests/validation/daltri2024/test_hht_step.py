"""The implicit step itself: against independent solutions, in its limits and symmetries."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.engine.drivers import make_trace
from rocksteady.theories.contract import FAILURE, OVERTURN, Formulation
from rocksteady.theories.dissipation import step as dissipation_step
from rocksteady.theories.dissipation.formulation import NumericalDissipation
from validation.daltri2024.hht_reference import NEWMARK, PAPER, classical, particles, rigid

BLOCK = rs.Block(2.4, 0.6)


def shaking(seed, strength, block=BLOCK, duration=4.0, dt=0.01):
    """Noise with 10 knots a second, `strength` times what uplifts the block."""
    knots = np.random.default_rng(seed).standard_normal(int(10 * duration) + 2)
    knots[0] = 0
    accel = np.interp(np.arange(0, duration, dt), 0.1 * np.arange(len(knots)), knots)
    return rs.Motion(accel * strength * block.g * math.tan(block.alpha) / np.abs(accel).max(), dt)


# -- against other solutions ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({}, PAPER),
        (NEWMARK, (0.0, *PAPER[1:])),
        ({"alpha_hht": -0.3}, classical(-0.3)),
        ({"alpha_hht": -0.05}, classical(-0.05)),
        ({"alpha_hht": 0.0}, (0.0, 0.25, 0.5)),
        ({"alpha_hht": -0.2, "beta_hht": 0.45, "gamma_hht": 0.8}, (-0.2, 0.45, 0.8)),
    ],
)
def test_free_rocking_against_scipy(options, rule):
    """Eqs. 4 and 5, and other α, β and γ."""
    how = NumericalDissipation(dt=0.01, **options)
    run = rs.simulate(BLOCK, None, how, theta0=BLOCK.alpha / 2, duration=2.0)
    theta, x = rigid(how, BLOCK, np.zeros(len(run.time)), 0.01, BLOCK.alpha / 2, rule)
    np.testing.assert_allclose(run.theta, theta, atol=1e-8 * BLOCK.alpha)
    np.testing.assert_allclose(run.column("x"), x, atol=1e-9)


@pytest.mark.parametrize(("friction", "slides"), [(1.0, False), (0.22, True)])
def test_shaking_against_scipy(friction, slides):
    how = NumericalDissipation(dt=0.01, friction=friction)
    run = rs.simulate(BLOCK, shaking(0, 2.0), how, duration=3.0)
    theta, x = rigid(how, BLOCK, run.motion.accel, 0.01)
    np.testing.assert_allclose(run.theta, theta, atol=2e-8 * BLOCK.alpha)
    np.testing.assert_allclose(run.column("x"), x, atol=1e-8)
    assert run.peak > 0.2
    assert (run.column("slip loss")[-1] > 10) == slides


@pytest.mark.parametrize("rule", [PAPER, classical(-0.2)])
def test_it_is_the_limit_of_an_elastic_body(rule):
    """Four masses on stiff bars under the textbook HHT rule (Eq. 4, contact unweighted): the lagged
    internal forces act on the rigid block through their virial alone."""
    b, h, mass, spring, dt, steps = 0.3, 1.2, 3000.0, 2e8, 0.01, 250
    theta0 = math.atan(b / h) / 2
    body = rs.Block(2 * h, 2 * b, mass=mass, inertia=mass * (b**2 + h**2))

    def rocking(**options):
        how = NumericalDissipation(dt=dt, friction=1e6, **options)
        state = list(how.start(body, theta0, 0.0))
        feet, stiff = np.array([-b, b]), np.array([spring, spring])
        params = how.parameters(body)
        params = params._replace(distance=feet, stiffness=stiff, anchors=np.full(2, np.nan))
        c, s = math.cos(theta0), math.sin(theta0)
        state[3] = -mass * body.g / spring + b * s - h * (1 - c)
        state[10] = -mass * body.g * (b * c - h * s) / body.inertia
        state[11] = 0.0  # the bars are not stressed yet
        states, still = np.empty((steps + 1, len(state))), np.zeros(steps + 1)
        make_trace(how.advance_for(body))(
            tuple(state), tuple(params), (still, still), dt, 0.0, states
        )
        return states[:, 0]

    rigid_block = rocking(**({} if rule == PAPER else {"alpha_hht": rule[0]}))
    soft, stiff = (
        np.abs(particles(b, h, mass, spring, bar, dt, steps, theta0, rule) - rigid_block).max()
        for bar in (1e10, 1e12)
    )
    assert rigid_block.min() < -0.3 * theta0 < 0  # it has gone through impacts
    assert stiff < 2e-6 * body.alpha
    assert stiff < 0.1 * soft
    without = {"alpha_hht": 0.0, "beta_hht": rule[1], "gamma_hht": rule[2]}
    plain = np.abs(rocking(**without) - rigid_block).max()
    assert plain > 0.02 * body.alpha  # the difference the virial makes


# -- statics ------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0.0, 0.1, -0.12])
@pytest.mark.parametrize("options", [{}, NEWMARK, {"alpha_hht": -0.1}])
def test_at_rest_nothing_moves(offset, options):
    block = rs.Block(1.8, 0.5, offset=offset)
    how = NumericalDissipation(dt=0.01, **options)
    run = rs.simulate(block, rs.Motion.zeros(5.0, 0.01), how, duration=5.0)
    for name in ("theta", "omega", "x", "y"):
        assert np.ptp(run.column(name)) < 1e-13
    assert np.sign(run.theta[0]) == np.sign(offset)
    assert abs(run.theta[0]) < 0.01 * block.alpha
    assert np.abs(run.energy).max() < 1e-9
    assert run.status is rs.Status.AT_REST
    sunk = block.mass * block.g / (how.k_n * block.width)
    assert offset or -run.column("y")[0] == pytest.approx(sunk, rel=1e-12)


def test_the_base():
    """Springs about every 0.1 m, corners included, five at least, trapezoid weights."""
    for width, points in ((0.3, 5), (0.6, 7), (1.2, 13), (0.04, 5)):
        block = rs.Block(4 * width, width, thickness=0.7, offset=0.1 * width)
        distance, stiffness = NumericalDissipation(k_n=1e9).base(block)
        assert len(distance) == points
        assert distance[[0, -1]] == pytest.approx([-block.left.b, block.right.b], rel=1e-14)
        assert stiffness.sum() == pytest.approx(1e9 * width * 0.7, rel=1e-14)
        assert stiffness[0] == stiffness[-1] == stiffness[1] / 2


@pytest.mark.parametrize("offset", [0.0, 0.08])
@pytest.mark.parametrize("side", [1, -1])
def test_it_decays_to_rest_on_either_side(offset, side):
    """Housner-like: swings get shorter and smaller, and end at rest where it stands."""
    block = rs.Block(2.4, 0.6, offset=offset)
    run = rs.simulate(block, None, NumericalDissipation(dt=0.01), theta0=side * 0.25 * block.alpha)
    assert run.status is rs.Status.AT_REST
    assert run.energy[-1] < 1e-3 * run.energy[0]
    crossings = np.flatnonzero(np.diff(np.sign(run.theta)))[:6]
    assert np.all(np.diff(crossings[::2], 2) <= 1)
    assert np.all(np.diff(np.abs(run.theta[crossings[:-1] + np.diff(crossings) // 2])[::2]) < 0)


# -- motion ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("friction", [1.0, 0.22])
def test_mirrored_motion_gives_the_mirrored_response(friction):
    """To 1e-9 α over 10 s; sums run in another order, so not to the last bit."""
    how = NumericalDissipation(dt=0.01, friction=friction)
    motion = shaking(0, 1.5, duration=10.0)
    run, image = (rs.simulate(BLOCK, m, how, duration=10.0) for m in (motion, motion.scaled(-1)))
    assert len(run.time) > 600
    assert run.peak > 0.1
    np.testing.assert_allclose(run.theta, -image.theta, atol=1e-9 * BLOCK.alpha)
    np.testing.assert_allclose(run.column("x"), -image.column("x"), atol=1e-9)


def slide_on_rigid_ground(motion, friction, g, parts=200):
    """Coulomb's block by small steps: displacement relative to the ground at the end."""
    h = motion.dt / parts
    at = np.arange((len(motion) - 1) * parts) * h + h / 2
    x = v = 0.0
    for a in np.interp(at, motion.time, motion.accel):
        if v == 0 and abs(a) <= friction * g:
            continue
        way = math.copysign(1.0, v) if v else -math.copysign(1.0, a)
        new = v - h * (a + way * friction * g)
        new = 0.0 if v * new < 0 else new
        x, v = x + h * (v + new) / 2, new
    return x


def test_low_friction_slides():
    """A stocky block on a rectangular pulse slides as far as Coulomb's law says; the bed's lag in
    taking up friction adds to it, and falls like 1/√k_n."""
    block, friction, dt = rs.Block(1.0, 1.0), 0.25, 0.001
    motion = rs.Motion(np.r_[0, np.full(300, 4.0), np.zeros(600)], dt)
    expected = slide_on_rigid_ground(motion, friction, block.g)
    excess = []
    for k_n in (5e8, 45e8):
        how = NumericalDissipation(k_n=k_n, dt=dt, friction=friction)
        run = rs.simulate(block, motion, how)
        assert run.status is rs.Status.AT_REST
        assert run.peak < 1e-3
        excess.append(run.column("x")[-1] / expected - 1)
        loss = friction * block.mass * block.g * abs(run.column("x")[-1])
        assert run.column("slip loss")[-1] == pytest.approx(loss, rel=0.01)
    assert 0 < excess[1] < 0.01
    assert excess[0] / excess[1] == pytest.approx(3, rel=0.15)
    rough = rs.simulate(block, motion, NumericalDissipation(dt=dt, friction=1.0))
    assert abs(rough.column("x")[-1]) < 1e-3 * abs(expected)


def test_it_flies_when_the_ground_falls_away():
    """a_v = −2 g for 0.1 s: upwards relative to the ground, with g; and it lands again."""
    block, dt = rs.Block(0.5, 0.5), 0.001
    vertical = np.r_[0, np.full(100, -2 * 9.81), np.zeros(400)]
    how = NumericalDissipation(k_n=1e11, dt=dt)
    run = rs.simulate(block, rs.Motion(0 * vertical, dt, vertical), how, duration=0.5)
    t = run.time[20:101]  # the rule takes the ground at the end of each step: −2 g from t = 0 on
    np.testing.assert_allclose(run.column("y")[20:101], block.g * t**2 / 2, rtol=0.02)
    apex = block.g * 0.1**2  # as much again while slowed down by g
    assert run.column("y").max() == pytest.approx(apex, rel=0.02)
    assert run.column("y")[-1] < 0.2 * apex
    assert np.abs(run.theta).max() < 1e-12


def test_work_and_energy():
    """What the ground puts in is in the block, slid away or lost to the rule; less of the last with
    smaller steps."""
    block = rs.Block(4.2, 0.6)
    lost = []
    for dt in (0.004, 0.002, 0.001):
        how = NumericalDissipation(dt=dt)
        run = rs.simulate(block, shaking(2, 1.6, block).resampled(dt), how, duration=3.9)
        gone = run.column("work") - run.column("slip loss") - run.energy
        assert gone.min() > -1e-3 * run.energy.max()
        lost.append(gone[-1] / run.energy.max())
    assert run.energy.max() > 0.1 * block.mass * block.g * block.R * (1 - math.cos(block.alpha))
    assert lost[0] > lost[1] > lost[2] > 0


def test_overturning():
    how = NumericalDissipation(dt=0.005)
    run = rs.simulate(BLOCK, None, how, theta0=1.1 * BLOCK.alpha)
    assert run.status is rs.Status.OVERTURNED
    assert run.events[-1, 1] == OVERTURN
    assert run.theta[-1] >= math.pi / 2
    early = rs.simulate(BLOCK, None, how, theta0=1.1 * BLOCK.alpha, duration=0.2)
    assert early.status is rs.Status.OVERTURNED  # doomed, though it still stands
    back = rs.simulate(BLOCK, None, how, theta0=0.9 * BLOCK.alpha, duration=0.2)
    assert back.status is rs.Status.MOVING
    pushed = rs.simulate(BLOCK, None, how, omega0=1.1 * 2 * BLOCK.p * math.sin(BLOCK.alpha / 2))
    assert pushed.status is rs.Status.OVERTURNED
    held = rs.simulate(BLOCK, None, how, omega0=-0.9 * 2 * BLOCK.p * math.sin(BLOCK.alpha / 2))
    assert held.status is rs.Status.AT_REST
    assert held.peak > 0.4


def test_a_live_stream_gives_the_same():
    how, motion = NumericalDissipation(dt=0.01, friction=0.22), shaking(0, 2.0)
    run = rs.simulate(BLOCK, motion, how, duration=2.0)
    live = rs.Monitor(BLOCK, how, dt=0.01)
    samples = [live.push(a).theta for a in run.motion.accel]
    np.testing.assert_array_equal(samples, run.theta)
    assert live.state == tuple(run.states[-1])


def test_work_of_both_components():
    """−m ∫ a·dx by the trapezoid rule, from the samples alone."""
    how, motion = NumericalDissipation(dt=0.01), shaking(0, 2.0)
    motion = rs.Motion(motion.accel, motion.dt, 0.5 * shaking(5, 2.0).accel)
    run = rs.simulate(BLOCK, motion, how, duration=3.0)
    assert run.peak > 0.2 and run.column("cuts")[-1] == 0
    done = 0.0
    for accel, place in zip(run.ground, (run.column("x"), run.column("y")), strict=True):
        done -= BLOCK.mass * ((accel[1:] + accel[:-1]) / 2 * np.diff(place)).sum()
    assert run.column("work")[-1] == pytest.approx(done, rel=1e-9)


@pytest.mark.parametrize("body", ["rigid", "elastic"])
@pytest.mark.parametrize("theta", [0.1, -0.1])
@pytest.mark.parametrize("offset", [0.0, 0.04])
def test_slide_is_the_way_of_the_lower_corner(offset, theta, body):
    """Zero where it leans without having slid; and as far as it is moved."""
    block = rs.Block(2.4, 0.6, offset=offset)
    how = NumericalDissipation(dt=0.01, body=body)
    state = np.array(how.start(block, theta))
    assert how.slide(block, state) == pytest.approx(0, abs=1e-15)
    state[2] += 0.25
    assert how.slide(block, state) == pytest.approx(0.25, rel=1e-12)
    resting = np.array(how.start(block))
    assert abs(how.slide(block, resting)) < 1e-6


def test_lifted_is_where_a_corner_is_above_the_bed():
    block = rs.Block(2.4, 0.6, offset=0.08)
    how = NumericalDissipation(dt=0.01)
    states = np.zeros((200, 17))
    states[:, 0], states[:, 3] = np.random.default_rng(1).normal(size=(2, 200)) * [[0.2], [0.1]]
    theta, y = states[:, 0], states[:, 3]
    corners = np.array([-block.left.b, block.right.b])[:, None]
    heights = y + block.com_height * (1 - np.cos(theta)) - corners * np.sin(theta)
    expected = heights.max(axis=0) > 0
    assert 50 < expected.sum() < 190
    params = how.parameters(block)
    assert [dissipation_step.lifted(tuple(state), params) for state in states] == expected.tolist()


def test_energy_of_each_part():
    """½m v² + ½I_c ω² + m g y + the springs', and ½I_c times the square of the stretch rate: what
    the rule's error puts into e = (cos θ, sin θ) is moving mass, too."""
    how = NumericalDissipation(dt=0.01)
    rest = np.array(how.start(BLOCK))
    moved = rest.copy()
    moved[[1, 3, 4, 5, 6, 14]] += [0.2, 0.01, 0.3, -0.4, 0.5, 70.0]
    gained = BLOCK.mass * (0.3**2 + 0.4**2) / 2 + BLOCK.inertia * (0.2**2 + 0.5**2) / 2
    gained += BLOCK.mass * BLOCK.g * 0.01 + 70
    assert how.energy(BLOCK, moved) == pytest.approx(gained, rel=1e-12)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize(
    ("lean", "rate"), [(0.5, 0.8), (0.5, -0.8), (0.5, 0.1), (1.1, 0.0), (1.1, -0.02), (1.1, -2.0)]
)
def test_doomed_as_housner(lean, rate, side):
    start = side * lean * BLOCK.alpha, side * rate * BLOCK.p * BLOCK.alpha
    how, exact = NumericalDissipation(dt=0.005), rs.Housner()
    expected = exact.doomed(BLOCK, np.array(exact.start(BLOCK, *start)))
    assert how.doomed(BLOCK, np.array(how.start(BLOCK, *start))) == expected


@pytest.mark.parametrize("theta", [0.0, 0.1])
def test_start_with_a_rotation(theta):
    """Turned about its lower corner, which is at rest; and internal forces hold the body together:
    without a lag (1 + α_H) V − α_H V = Σ r·F + I ω²."""
    how = NumericalDissipation(dt=0.01)
    _, omega, _, y, v_x, v_y, *_, virial = how.start(BLOCK, theta, 0.5)[:12]
    c, s, b, h = math.cos(theta), math.sin(theta), BLOCK.width / 2, BLOCK.com_height
    assert [v_x, v_y] == pytest.approx([(b * s + h * c) * omega, (b * c - h * s) * omega])
    distance, stiffness = how.base(BLOCK)
    normal = stiffness * np.maximum(0, distance * s - y - h * (1 - c))
    assert normal.sum() == pytest.approx(BLOCK.mass * BLOCK.g, rel=1e-9)
    expected = ((-distance * s - h * c) * normal).sum() + BLOCK.inertia * omega**2
    assert virial == pytest.approx(expected, rel=1e-9)


# -- Newton's method --------------------------------------------------------------------------


@pytest.mark.parametrize("friction", [0.1, 10.0])
def test_slopes_of_the_contact_forces(friction):
    """Derivatives of −(T, N, M) by (x, y, θ) that Newton's method is given, by differences."""
    params = NumericalDissipation(dt=0.01, friction=friction).parameters(BLOCK)
    bed = params.height, params.friction, params.distance, params.stiffness, params.anchors
    x0, theta0, step = 0.0, 0.02, 1e-7

    c0, s0 = math.cos(theta0), math.sin(theta0)
    dissipation_step.take_hold(x0, c0, s0, params.height, params.distance, params.anchors)

    def forces(x, y, theta):
        c, s = math.cos(theta), math.sin(theta)
        return np.array(dissipation_step.contact(x, y, c, s, *bed))

    at = np.array([1e-4, -0.002, 0.0215])  # part of the base presses
    T_x, T_y, T_t, N_y, N_t, M_x, M_y, M_t = forces(*at)[4:]
    given = np.array([[T_x, T_y, T_t], [0.0, N_y, N_t], [M_x, M_y, M_t]])
    for k, way in enumerate(step * np.eye(3)):
        slope = -(forces(*(at + way)) - forces(*(at - way)))[:3] / (2 * step)
        np.testing.assert_allclose(given[:, k], slope, atol=1e-6 * np.abs(given).max())


def test_it_counts_its_iterations_and_hardly_ever_cuts():
    """Newton failures nearly none for μ ≤ 1: here none in 200 000 steps."""
    steps = iterations = cuts = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        width = rng.uniform(0.1, 1.5)
        block = rs.Block(width * rng.uniform(1, 10), width)
        dt = 10 ** rng.uniform(-3.2, -2.2)
        how = NumericalDissipation(
            k_n=10 ** rng.uniform(8, 9.5), dt=dt, friction=rng.choice([0.2, 0.5, 1.0])
        )
        motion = shaking(seed, rng.uniform(1, 4), block, duration=10.0, dt=dt)
        run = rs.simulate(block, motion, how, duration=motion.duration)
        steps += len(run.time) - 1
        iterations += run.column("newton iterations")[-1]
        cuts += run.column("cuts")[-1]
        assert run.status is not rs.Status.FAILED
    assert steps > 100_000
    assert cuts == 0
    assert 0.5 < iterations / steps < 3


def test_a_run_of_cuts_is_called_doubtful():
    block = rs.Block(2.0, 0.5)
    stiff = rs.NumericalDissipation(k_n=1e13, dt=0.025)
    with pytest.warns(rs.RocksteadyWarning, match=r"halved \d+ times in 40 steps.*k_n = 1e\+13"):
        rs.simulate(block, None, stiff, theta0=0.5 * block.alpha, duration=1.0)


def test_a_cut_is_counted_and_the_samples_stay():
    """μ = 5 is discontinuous at lift-off: some steps have to be halved."""
    cuts = 0
    for seed in range(12):
        block = rs.Block(0.9, 0.3)
        motion = shaking(seed, 4.0, block, duration=6.0, dt=0.01)
        run = rs.simulate(
            block, motion, NumericalDissipation(k_n=3e9, dt=0.01, friction=5.0), duration=5.9
        )
        cuts += run.column("cuts")[-1]
        assert run.status is not rs.Status.FAILED
        assert np.all(np.isfinite(run.states))
        assert np.all(np.diff(run.column("cuts")) >= 0)
        np.testing.assert_allclose(np.diff(run.time), 0.01, rtol=1e-9)
    assert cuts > 0


def test_a_cut_step_is_a_shorter_step():
    """It ends on the ground of that instant: as if it had been asked for no more."""
    block, how = rs.Block(0.9, 0.3), NumericalDissipation(k_n=3e9, dt=0.01, friction=5.0)
    accel, rise = shaking(0, 4.0, block, duration=6.0).accel, shaking(5, 1.0, block).accel
    params, state, cuts = how.parameters(block), how.start(block), 0
    for i in range(len(rise) - 1):
        ground0, ground1, left = (accel[i], rise[i]), (accel[i + 1], rise[i + 1]), 0.01
        while left > 0:
            anchors = params.anchors.copy()
            after, used, event = how.advance_for(block)(state, params, ground0, ground1, left)
            assert event != FAILURE
            ground = tuple(a + (b - a) * used / left for a, b in zip(ground0, ground1, strict=True))
            if used < left:
                again = params._replace(anchors=anchors)
                short, whole, _ = how.advance_for(block)(state, again, ground0, ground, used)
                assert whole == used
                np.testing.assert_allclose(short[:15], after[:15], rtol=1e-9, atol=1e-12)
                cuts += 1
            state, ground0, left = after, ground, left - used
    assert cuts > 0


def test_no_answer_is_a_failure_not_a_number():
    how = NumericalDissipation(dt=0.01)
    state = how.start(BLOCK, 0.0, 0.0)
    accel, states = np.array([0.0, math.nan, 0.0]), np.empty((3, len(state)))
    rows, events, last = make_trace(how.advance_for(BLOCK))(
        state, how.parameters(BLOCK), (accel, np.zeros(3)), 0.01, 0.0, states
    )
    assert rows == 2
    assert events[-1, 1] == FAILURE
    assert last[:15] == state[:15]
    assert last[16] == 12


def test_it_keeps_the_contract():
    assert isinstance(NumericalDissipation(), Formulation)
    assert len(NumericalDissipation().start(BLOCK)) == len(NumericalDissipation().columns(BLOCK))

"""The particle in the plane: effective potential, the torque of the ground, two blocks."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rocksteady as rs
from rocksteady.analysis.complex_plane import EffectivePotential, stack_motion, varying_momentum
from rocksteady.analysis.complex_plane.stack import StackForm

ALPHA, MU = math.atan(1 / 4), 0.925
BLOCK = rs.Block.from_parameters(p=1.0, alpha=ALPHA)
BETA, OMEGA = 0.3, 4.0
TIME = np.linspace(0, 3, 1201)
GROUND = rs.Motion(-BETA * ALPHA * BLOCK.g * np.cos(OMEGA * TIME), float(TIME[1]))

# -- Eqs. 12, 13, 40 -------------------------------------------------------------------------------


@pytest.mark.parametrize("l", [1e-2, 1e-4, 1e-6])
def test_turning_points_are_those_of_the_motion(l):
    """Eq. 34 without loss, in the plane's own x and y, between its nearest and farthest point."""
    well = EffectivePotential(BLOCK, l=l)
    near, far = well.turning_points(well.released(0.5))

    def slope(t, z):
        r = math.hypot(z[0], z[1])
        pull = -math.sin(ALPHA * (1 - r)) / ALPHA
        return [z[2], z[3], pull * z[0] / r, pull * z[1] / r]

    def radial(t, z):
        return z[0] * z[2] + z[1] * z[3]

    run = solve_ivp(slope, (0, 2.5), (0.5, 0, 0, l / 0.5), "DOP853", rtol=1e-12, atol=1e-8 * l,
                    events=radial, max_step=0.05)  # fmt: skip
    turns = np.hypot(*run.y_events[0][:, :2].T)
    assert far == pytest.approx(0.5, rel=1e-12)
    assert turns.min() == pytest.approx(near, rel=1e-5)
    assert near == pytest.approx(well.nearest(well.released(0.5)), rel=5 * l)


def test_the_potential_in_the_papers_own_symbols():
    block = rs.Block(height=4.0, width=1.0)
    well = EffectivePotential(block, l=2e-3)
    side, r = block.right, 0.3 * block.alpha
    weight = block.mass * block.g * side.R
    barrier = well.l0**2 / (2 * side.inertia * r**2)
    assert float(well(0.3)) == pytest.approx(
        barrier + weight * math.cos(block.alpha - r), rel=1e-12
    )
    chi = well.chi_c
    assert math.sin(block.alpha * (1 - chi)) * chi**3 == pytest.approx(block.alpha * well.l**2)
    top = well.chi_top
    assert well(top) > max(well(top - 1e-3), well(top + 1e-3))
    assert well.turning_points(float(well(top)) * 1.001)[1] == math.inf


def test_what_has_no_potential_or_no_such_energy():
    with pytest.raises(rs.InputError, match="symmetric block"):
        EffectivePotential(rs.Block(height=3.0, width=0.6, offset=0.1), l=1e-3)
    with pytest.raises(rs.InputError, match=r"l = 0\.5 is not allowed"):
        EffectivePotential(BLOCK, l=0.5)
    well = EffectivePotential(BLOCK, l=1e-3)
    with pytest.raises(rs.InputError, match=r"at least .* at χ_c = 0\.01007"):
        well.turning_points(well.U0)
    with pytest.raises(rs.InputError, match="infinite at χ = 0"):
        well([0.0, 0.5])
    with pytest.raises(rs.InputError, match="not above U0"):
        well.nearest(well.U0)


def test_the_potential_is_drawn(tmp_path):
    EffectivePotential(BLOCK, l=1e-3).plot(tmp_path / "well.png", x=[0.3, 0.6])
    assert (tmp_path / "well.png").stat().st_size > 10_000


# -- Eqs. 14b and 26 to 30 -------------------------------------------------------------------------


def in_the_plane(about, l):
    """x(3) by other means: the particle's x and y, under the force −∂V/∂(x, y) of the potential
    V = −F X/α whose derivatives are Q_r and Q_ψ. Constant l: only its radial part."""
    shift = math.sin(ALPHA) if about == "ground" else 0.0
    c = 2 * math.log(MU) / math.pi

    def slope(t, z):
        x, y, vx, vy = z
        r = math.hypot(x, y)
        cosine, sine = x / r, y / r
        F = BETA * math.cos(OMEGA * t)
        away = (x * vx + y * vy) / r
        spin = (x * vy - y * vx) / r**2
        lever = math.sin(ALPHA * (1 - r))
        radial = -lever / ALPHA + c * away * abs(spin) + F * math.cos(ALPHA * (1 - r)) * cosine
        across = F * (lever - shift) / ALPHA * sine / r if about else 0.0
        return [vx, vy, radial * cosine - across * sine, radial * sine + across * cosine]

    run = solve_ivp(slope, (0, 3), (0.5, 0, 0, l / 0.5), "DOP853", rtol=1e-11, atol=1e-5 * l)
    return run.y[0, -1]


@pytest.mark.parametrize(("about", "x"), [(None, -0.282), ("pivot", -1.128), ("ground", -0.282)])
@pytest.mark.parametrize("l", [1e-3, 1e-4, 1e-5])
def test_the_torque_about_the_pivot_has_another_limit(about, x, l):
    run = varying_momentum(BLOCK, GROUND, about=about, l=l, eta=MU, theta0=0.5 * ALPHA)
    assert run.x[-1] == pytest.approx(in_the_plane(about, l), abs=2e-5)  # cos ωt drawn in chords
    assert run.x[-1] == pytest.approx(x, abs=0.005)  # with l = 10⁻³ 0.004 off
    assert np.array_equal(run.l == l, np.full(len(TIME), True)) == (about is None)


def test_about_a_fixed_point_the_limit_is_housners():
    exact = rs.simulate(BLOCK, GROUND, rs.Housner(eta=MU), theta0=0.5 * ALPHA, duration=3.0)
    for variant in ("paper", "corrected"):
        off = [
            varying_momentum(BLOCK, GROUND, about="ground", l=l, eta=MU, theta0=0.5 * ALPHA,
                             variant=variant).x[-1] - exact.theta[-1] / ALPHA
            for l in (1e-3, 1e-4, 1e-5)
        ]  # fmt: skip
        assert abs(off[0]) < 3.5e-3 and abs(off[1]) < abs(off[0]) / 5
        # the printed loss is 0.92498, not 0.925: 5e-5 in x(3)
        assert abs(off[2]) < (1e-4 if variant == "paper" else abs(off[1]) / 5)


def test_work_of_the_torque_at_an_impact():
    """2β cos ωt sin α/α: without loss, Housner's block whose energy jumps by that at its impact."""
    p2a2 = BLOCK.right.inertia * ALPHA**2
    ends = []
    for l in (1e-4, 1e-5, 1e-6):
        run = varying_momentum(BLOCK, GROUND, l=l, eta=1.0, theta0=0.5 * ALPHA)
        ends.append((run.x[-1], run.torque_work[-1] / p2a2))

    def slope(t, z, side):
        lean = ALPHA * (1 - abs(z[0]))
        return [z[1], -side * math.sin(lean) / ALPHA + np.interp(t, TIME, push) * math.cos(lean)]

    def upright(t, z, side):
        return z[0]

    push = -GROUND.accel / (ALPHA * BLOCK.g)
    upright.terminal = True
    first = solve_ivp(slope, (0, 3), (0.5, 0), "DOP853", args=(1,), rtol=1e-10, atol=1e-12,
                      events=upright, max_step=0.01)  # fmt: skip
    impact, speed = first.t[-1], first.y[1, -1]
    work = 2 * np.interp(impact, TIME, push) * math.sin(ALPHA) / ALPHA
    speed = -math.sqrt(speed**2 + 2 * work)
    last = solve_ivp(slope, (impact, 3), (-1e-15, speed), "DOP853", args=(-1,), rtol=1e-10,
                     atol=1e-12, max_step=0.01)  # fmt: skip
    assert ends[-1][1] == pytest.approx(work, rel=1e-3)
    errors = [abs(x - last.y[0, -1]) for x, _ in ends]
    assert max(errors) < 2e-3 and errors[2] < 1e-4


def test_what_the_plane_refuses():
    with pytest.raises(rs.InputError, match="about = 'edge' is not known"):
        varying_momentum(BLOCK, GROUND, about="edge", theta0=0.1)
    with pytest.raises(rs.InputError, match=r"theta0.*starts in motion"):
        varying_momentum(BLOCK, GROUND, theta0=0.0)
    with pytest.raises(rs.InputError, match="symmetric blocks only"):
        varying_momentum(rs.Block(height=3.0, width=0.6, offset=0.1), GROUND, theta0=0.05)


# -- a stack of two --------------------------------------------------------------------------------


def classical(lower, upper, start, until, ground=lambda t: 0.0):
    """Two slender blocks with an equation for each pair of sides and a jump at each impact: the
    upper block's angular momentum about its corner and the stack's about the new one are kept.
    Written without the complex form. Rows (t, θ_1, θ_2 − θ_1) on a fine grid, and the impacts."""
    m1, m2, H = lower.mass, upper.mass, lower.height
    h1, h2, g = lower.com_height, upper.com_height, lower.g
    b1, b2 = lower.width / 2, min(lower.width, upper.width) / 2

    def motion_of(sides):
        """Rows: velocities of m_1 (x, y) and m_2 (x, y) for unit rates of θ_1 and θ_2 − θ_1."""
        return np.array([
            [h1, 0], [b1 * sides[0], 0], [H + h2, h2], [b1 * sides[0], b2 * sides[1]]
        ])  # fmt: skip

    masses, turning = np.array([m1, m1, m2, m2]), np.array([[1, 0], [1, 1]])
    spins = np.array([lower.inertia, upper.inertia])

    def inertia(left, right):
        rows = motion_of(left).T * masses
        return rows @ motion_of(right) + turning.T * spins @ turning

    softening = g * np.array([[m1 * h1 + m2 * (H + h2), m2 * h2], [m2 * h2, m2 * h2]])
    weight = g * np.array([(m1 + m2) * b1, m2 * b2])
    q, rate, t, sides = np.array(start, float), np.zeros(2), 0.0, np.sign(start)
    rows, impacts = [], []
    while t < until and len(impacts) < 20:
        stiff = inertia(sides, sides)

        def slope(s, z, stiff=stiff, sides=sides):
            force = -weight * sides + softening @ z[:2] - softening[:, 0] / g * ground(s)
            return np.concatenate([z[2:], np.linalg.solve(stiff, force)])

        events = []
        for k in (0, 1):
            events.append(lambda s, z, k=k, t=t, sides=sides: z[k] * sides[k] + 1e-14 * (s == t))
            events[k].terminal, events[k].direction = True, -1
        run = solve_ivp(slope, (t, until), [*q, *rate], "DOP853", rtol=1e-11, atol=1e-14,
                        events=events, max_step=0.002)  # fmt: skip
        rows.append(np.column_stack([run.t, run.y[:2].T]))
        t, q, rate = run.t[-1], run.y[:2, -1].copy(), run.y[2:, -1]
        if run.status == 1:
            k = 0 if len(run.t_events[0]) else 1
            after = sides.copy()
            after[k] = -after[k]
            q[k], impacts = 0.0, [*impacts, (t, k)]
            # angular momenta about the corners after the impact, of the motion before it
            rate = np.linalg.solve(inertia(after, after), inertia(after, sides) @ rate)
            sides = after
    return np.concatenate(rows), impacts


def slender(ratio):
    return rs.Block(height=2.0, width=2.0 / ratio)


@pytest.mark.parametrize("lean", [(0.3, 0.3), (0.3, -0.5)])
def test_a_stack_with_open_joints(lean):
    """Until the fourth impact: within 10⁻³ of b/h."""
    block, ratio = slender(10), 10
    start = np.array(lean) / ratio
    exact, impacts = classical(block, block, start, 1.0)
    until = impacts[3][0]
    run = stack_motion(block, block, theta0=start, l=1e-6, duration=until)
    for k in (0, 1):
        known = np.interp(run.time, exact[:, 0], exact[:, 1 + k])
        np.testing.assert_allclose(run.theta[:, k], known, atol=1e-3 / ratio)


def test_a_stack_that_is_shaken():
    block, ratio = slender(20), 20
    start = np.array([0.3, 0.3]) / ratio
    time = np.arange(401) * 1e-3
    accel = 0.5 * np.sin(12 * time)
    exact, impacts = classical(block, block, start, 0.4, lambda t: np.interp(t, time, accel))
    run = stack_motion(block, block, rs.Motion(accel, 1e-3), theta0=start, l=1e-6)
    assert len(impacts) >= 1
    for k in (0, 1):
        known = np.interp(run.time, exact[:, 0], exact[:, 1 + k])
        np.testing.assert_allclose(run.theta[:, k], known, atol=1e-3 / ratio)


def test_one_loss_for_both_pairs_of_sides():
    """e is what the laws of an impact ask for beside the passage, whichever way the other leans."""
    form = StackForm.of(slender(6), rs.Block(height=1.2, width=0.25))
    M, c = form.M, form.c
    for k in (0, 1):
        for sides in (1, -1):
            before, after = M[0, 1] + sides * c, M[0, 1] - sides * c
            kept = M[k, k] - 2 * form.d[k] - before * after / M[1 - k, 1 - k]
            eta = kept / form.radial_mass(k, -sides)  # both angular momenta
            passage = math.sqrt(form.radial_mass(k, sides) / form.radial_mass(k, -sides))
            assert eta == pytest.approx(form.losses[k] * passage, rel=1e-12)


def test_a_light_upper_block_leaves_housners_loss():
    lower = slender(8)
    form = StackForm.of(lower, rs.Block(height=0.5, width=0.1, density=1e-6))
    assert form.losses[0] == pytest.approx(lower.eta, rel=1e-6)


def test_a_joint_that_comes_to_rest_ends_the_run():
    block = slender(4)
    start = 0.3 * np.array([1, 1]) / 4
    run = stack_motion(block, block, theta0=start, l=1e-4, duration=3.0)
    assert run.closed == "the upper block on the lower one"
    assert 0.7 < run.time[-1] < 1.0


def test_stacks_that_are_refused():
    block = slender(8)
    with pytest.raises(rs.InputError, match="no closed joint"):
        stack_motion(block, block, theta0=(0.05, 0.0), duration=1.0)
    with pytest.raises(rs.InputError, match="too stocky"):
        stack_motion(slender(1.2), slender(1.2), theta0=(0.1, 0.1), duration=1.0)
    with pytest.raises(rs.InputError, match="Give a motion, or duration"):
        stack_motion(block, block, theta0=(0.05, 0.02))
    with pytest.raises(rs.InputError, match="symmetric blocks"):
        stack_motion(rs.Block(3.0, 0.6, offset=0.1), block, theta0=(0.05, 0.02), duration=1.0)

"""Bodies on several interfaces: Peña's Eqs. 1–4 with r of them, each with its own K and β."""

import dataclasses
import math
import re

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rocksteady as rs
from rocksteady.theories.springs import Interface, RigidBodySpring, stable_step
from rocksteady.theories.springs.interfaces import mass_matrix, stable_step_of

BLOCK = rs.Block(height=2.0, width=0.4, density=2000.0)
LOPSIDED = rs.Block(height=4.2, width=0.6, offset=0.05)


def between_walls(friction=0.0):
    """5 mm from a hard wall on the right, 8 mm from a softer one on the left."""
    return [
        Interface.base(BLOCK, K=4e6, beta=2e-3),
        Interface.wall(BLOCK, "right", 1.6, 2.0, gap=5e-3, K=2e6, beta=1e-3, friction=friction),
        Interface.wall(BLOCK, "left", 1.4, 1.8, gap=8e-3, K=5e5, beta=4e-3, friction=friction),
    ]


def on_a_step():
    """The left half of the base on the floor, the right one on fill that reaches 0.1 m higher."""
    return [
        Interface.pad(-0.2, -0.02, K=6e6, beta=1e-3, name="floor"),
        Interface.pad(0.02, 0.2, y=0.1, K=2e6, beta=3e-3, name="step"),
    ]


def on_three_pads():
    return [
        Interface.pad(-0.2, -0.16, K=3e6, beta=2e-3, name="left"),
        Interface.pad(-0.02, 0.02, K=1e6, beta=1e-3, name="middle"),
        Interface.pad(0.15, 0.18, K=4e6, beta=1e-3, name="right"),
    ]


CASES = {"walls": between_walls, "step": on_a_step, "pads": on_three_pads}


def theory(interfaces, **options):
    return RigidBodySpring(interfaces=interfaces, **{"friction": 5.0} | options)


def shaking(level=3.0, dt=0.002, seconds=1.2):
    t = dt * np.arange(round(seconds / dt) + 1)
    return rs.Motion(level * np.sin(9 * t) * np.sin(2.5 * t), dt, vertical=0.6 * np.sin(31 * t))


# -- one interface ---------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [BLOCK, LOPSIDED], ids=["symmetric", "lopsided"])
@pytest.mark.parametrize("start", [{}, {"theta0": 0.05}, {"theta0": -0.01, "omega0": 0.1}])
@pytest.mark.parametrize(
    "options", [{}, {"friction": 0.2}, {"K": 5e7, "K_s": 2e7, "beta": 1e-3, "dt": 2e-5}]
)
def test_one_interface_is_todays_bed_bit_for_bit(block, start, options):
    rng = np.random.default_rng(1)
    ground = rs.Motion(4 * rng.standard_normal(400), 0.01, 6 * rng.standard_normal(400))
    old = rs.simulate(block, ground, RigidBodySpring(**options), until="motion", **start)
    how = RigidBodySpring(interfaces=[Interface.base(block)], **options)
    new = rs.simulate(block, ground, how, until="motion", **start)
    names = {"N_left": "N start base", "N_right": "N end base", "shear": "shear base",
             "slide": "slide base"}  # fmt: skip
    for label in old.columns:
        name = label.split(" [")[0]
        assert np.array_equal(old.column(name), new.column(names.get(name, name))), name
    assert np.array_equal(old.events, new.events)
    assert (old.status, old.peak) == (new.status, new.peak)


def test_own_springs_of_the_interface_are_those_of_the_theory():
    ground = shaking()
    one = theory([Interface.base(BLOCK, K=5e7, K_s=3e7, beta=1e-3, friction=0.3)], friction=9.0)
    old = RigidBodySpring(K=5e7, K_s=3e7, beta=1e-3, friction=0.3)
    runs = [rs.simulate(BLOCK, ground, how, until="motion") for how in (one, old)]
    assert np.array_equal(runs[0].theta, runs[1].theta)


# -- Eqs. 1–4 against SciPy ------------------------------------------------------------------------


class Independent:
    """Eqs. 1–4 written out for a list of springs, integrated by SciPy: no [B], no steps of ours.
    Friction holds as long as anything presses: a shear spring is anchored where its interface
    lands, and let go where it lifts."""

    def __init__(self, interfaces, ground):
        m, g, h = BLOCK.mass, BLOCK.g, BLOCK.com_height
        self.ground, self.weight, self.contacts = ground, m * g, []
        for one in interfaces:
            (x0, y0), (x1, y1) = one.start, one.end
            t = np.array([x1 - x0, y1 - y0]) / math.hypot(x1 - x0, y1 - y0)
            ends = [np.array([x, y - h]) for x, y in (one.start, one.end)]
            holds = one.friction != 0
            self.contacts.append((ends, t, np.array([-t[1], t[0]]), one, holds))

    def presses(self, i, z):
        """The largest force of an axial spring and its dashpot [N]; below 0 nothing touches."""
        return max(self.force(end, self.contacts[i], z)[0] for end in self.contacts[i][0])

    def force(self, p, contact, z):
        _, _, n, one, _ = contact
        u, v, psi, du, dv, dpsi = z
        # displacement to second order in ψ, and its derivative
        d = n[0] * (u - p[1] * psi - p[0] * psi**2 / 2) + one.gap
        d += n[1] * (v + p[0] * psi - p[1] * psi**2 / 2)
        arm = n[0] * (-p[1] - p[0] * psi) + n[1] * (p[0] - p[1] * psi)
        push = -one.K * (d + (one.beta * (n[0] * du + n[1] * dv + arm * dpsi) if d < 0 else 0.0))
        return push, arm

    def along(self, contact, z):
        ends, t, *_ = contact
        p = (ends[0] + ends[1]) / 2
        arm = -t[0] * p[1] + t[1] * p[0]
        return t @ z[:2] + arm * z[2], t @ z[3:5] + arm * z[5], arm

    def forces(self, z, anchors):
        total = np.array([0.0, -self.weight, 0.0])
        for contact, anchor in zip(self.contacts, anchors, strict=True):
            ends, t, n, one, _ = contact
            for p in ends:
                push, arm = self.force(p, contact, z)
                if push > 0:
                    total += push * np.array([n[0], n[1], arm])
            if anchor is not None:
                d, rate, arm = self.along(contact, z)
                total -= one.K * (d - anchor + one.beta * rate) * np.array([t[0], t[1], arm])
        return total

    def slope(self, t, z, anchors):
        fx, fy, moment = self.forces(z, anchors)
        a_h = np.interp(t, self.ground.time, self.ground.accel)
        a_v = np.interp(t, self.ground.time, self.ground.vertical)
        return [*z[3:], fx / BLOCK.mass - a_h, fy / BLOCK.mass - a_v, moment / BLOCK.inertia]

    def theta(self, start):
        """At each sample."""
        end, t = self.ground.time[-1], 0.0
        z = np.array([start[2], start[4], -start[0], 0.0, 0.0, 0.0])
        anchors = [self.along(c, z)[0] if c[4] and self.presses(i, z) > 0 else None
                   for i, c in enumerate(self.contacts)]  # fmt: skip
        assert np.abs(self.forces(z, anchors) / self.weight).max() < 1e-9  # in equilibrium
        theta = np.full(len(self.ground.time), np.nan)
        while t < end:
            events = []
            for i, contact in enumerate(self.contacts):
                if contact[4]:
                    events.append(lambda s, z, _, i=i: self.presses(i, z))
                    events[-1].terminal = True
                    events[-1].direction = 1 if anchors[i] is None else -1
            run = solve_ivp(self.slope, (t, end), z, "RK45", args=(anchors,), events=events,
                            rtol=1e-7, atol=1e-11, max_step=1e-4, dense_output=True)  # fmt: skip
            inside = (self.ground.time >= t) & (self.ground.time <= run.t[-1])
            theta[inside] = -run.sol(self.ground.time[inside])[2]
            t, z = run.t[-1], run.y[:, -1]
            if run.status == 1:
                held = [i for i, contact in enumerate(self.contacts) if contact[4]]
                i = held[next(k for k, times in enumerate(run.t_events) if len(times))]
                lands = anchors[i] is None
                anchors[i] = self.along(self.contacts[i], z)[0] if lands else None
        return theta


@pytest.mark.parametrize("name", CASES)
def test_against_scipy(name):
    """Within 10⁻³ of the peak at a hundredth of the stable step, and first order in the step (the
    instants of contact fall anywhere inside a step, which scatters the fit)."""
    interfaces, ground = CASES[name](), shaking(seconds=0.6)
    start = theory(interfaces).start(BLOCK)
    exact = Independent(interfaces, ground).theta(start)
    limit = stable_step_of(BLOCK, theory(interfaces).springs(BLOCK))
    errors, shares = [], np.array([0.16, 0.08, 0.04, 0.02, 0.01])
    for share in shares:
        how = theory(interfaces, dt=share * limit, friction=1e6)
        run = rs.simulate(BLOCK, ground, how, until="motion")
        errors.append(np.abs(run.theta - exact).max() / np.abs(exact).max())
    assert np.abs(exact).max() > 0.03 * BLOCK.alpha
    if name == "walls":
        assert min(run.column(f"N end {side} wall").max() for side in ("left", "right")) > 100
    assert errors[-1] < 1e-3
    assert 0.7 < np.polyfit(np.log(shares), np.log(errors), 1)[0] < 1.5


# -- energy ----------------------------------------------------------------------------------------


def imbalance(interfaces, share, friction):
    """Largest energy that work and loss do not account for, over the largest of all energies."""
    limit = stable_step_of(BLOCK, theory(interfaces).springs(BLOCK))
    how = theory(interfaces, dt=share * limit, friction=friction)
    run = rs.simulate(BLOCK, shaking(3.0, seconds=0.6), how, until="motion")
    work, loss, energy = run.column("work"), run.column("loss"), run.energy
    size = max(np.ptp(energy), np.abs(work).max(), np.abs(loss).max())
    assert np.ptp(run.column(f"slide {run.formulation.interfaces[0].name}")) > 1e-3  # it slides
    assert loss[-1] > 0.03 * size
    return np.abs(energy - energy[0] - work + loss).max() / size


@pytest.mark.parametrize("name", CASES)
def test_energy_is_balanced(name):
    """Dashpots, friction and impacts included: second order in the step, below 10⁻⁷."""
    interfaces = CASES[name](friction=0.3) if name == "walls" else CASES[name]()
    friction = 0.3 if name == "walls" else 0.15
    shares = 0.2 / 4.0 ** np.arange(5)
    off = [imbalance(interfaces, share, friction) for share in shares]
    assert off[-1] < 1e-7
    assert 1.6 < np.polyfit(np.log(shares), np.log(off), 1)[0] < 2.4


def test_without_dashpots_and_friction_nothing_is_lost():
    """And without them the rule is of second order."""
    interfaces = [
        Interface.base(BLOCK, K=4e7, beta=0.0),
        Interface.wall(BLOCK, "right", 1.0, 1.5, gap=0.02, K=2e6, beta=0.0, friction=0.0),
    ]
    how = theory(interfaces, friction=1e6)
    limit = stable_step_of(BLOCK, how.springs(BLOCK))
    ends = []
    for share in (0.04, 0.02, 0.01, 0.005):
        fine = theory(interfaces, friction=1e6, dt=share * limit)
        run = rs.simulate(BLOCK, shaking(1.0, seconds=0.5), fine, until="motion")
        assert np.abs(run.column("loss")).max() < 1e-9 * np.ptp(run.energy)
        ends.append(run.theta[-1])
    steps = np.abs(np.diff(ends))
    assert 3 < steps[0] / steps[1] < 5 and 3 < steps[1] / steps[2] < 5


# -- matrices and stability ------------------------------------------------------------------------


def test_matrices_of_the_paper():
    """[B] is 3r × 3, δ its product with small displacements, and [C] = [B]ᵀ[A][B]."""
    interfaces = between_walls()
    springs = theory(interfaces).springs(BLOCK)
    assert springs.B.shape == (9, 3)
    tiny = np.array([1e-7, -2e-7, 3e-7])
    moved = springs.B @ tiny
    for i, one in enumerate(interfaces):
        for j, (x, y) in enumerate((one.start, one.end)):
            arm = np.array([x, y - BLOCK.com_height])
            shift = tiny[:2] + tiny[2] * np.array([-arm[1], arm[0]])
            assert moved[3 * i + j] == pytest.approx(shift @ one.inwards, rel=1e-12)
        assert springs.K[3 * i] == one.K and springs.A[3 * i] == one.beta * one.K
    C = sum(a * np.outer(row, row) for a, row in zip(springs.A, springs.B, strict=True))
    np.testing.assert_allclose(springs.damping, C, rtol=1e-12, atol=1e-9)


def largest_growth(springs, h):
    """Spectral radius of one step of the rule with every spring closed, written out."""
    inverse = np.linalg.inv(mass_matrix(BLOCK))
    K, C = inverse @ springs.stiffness, inverse @ springs.damping
    rates = np.hstack([-h * K, np.eye(3) - h * C])
    step = np.vstack([np.hstack([np.eye(3), np.zeros((3, 3))]) + h * rates, rates])
    return np.abs(np.linalg.eigvals(step)).max()


@pytest.mark.parametrize("name", CASES)
def test_stability_limit(name):
    springs = theory(CASES[name]()).springs(BLOCK)
    limit = stable_step_of(BLOCK, springs)
    assert largest_growth(springs, 0.999 * limit) <= 1 + 1e-9
    with pytest.raises(rs.InputError, match=f"dt ≤ {limit:.4g} s"):
        theory(CASES[name](), dt=1.001 * limit).parameters(BLOCK)
    same = theory([Interface.pad(x, x + 0.1, K=1e6, beta=2e-3) for x in (-0.2, 0.1)])
    alone = theory([Interface.base(BLOCK, K=1e6, beta=2e-3)])
    for how in (same, alone):  # one β: the limit is sharp
        limit = stable_step_of(BLOCK, how.springs(BLOCK))
        assert largest_growth(how.springs(BLOCK), 1.001 * limit) > 1
    assert limit == pytest.approx(stable_step(BLOCK, 1e6, 1e6, 2e-3), rel=1e-12)


# -- what bodies do --------------------------------------------------------------------------------


def test_walls_keep_a_block_from_falling():
    """Against a near wall it bounces and stands again; a far one catches it beyond its balance
    point, and it rests there: N H = m g (h θ − b), with small rotations, without friction."""
    block, push = rs.Block(height=2.0, width=0.4), rs.Motion(np.full(40, -5.0), 0.01)
    runs = []
    for gap in (0.25, 0.45, None):
        contacts = [Interface.base(block)]
        if gap is not None:
            contacts.append(Interface.wall(block, "right", 1.5, 2.0, gap=gap, friction=0.0))
        runs.append(rs.simulate(block, push, RigidBodySpring(interfaces=contacts, friction=0.8)))
    bounces, leans, falls = runs
    assert bounces.status is leans.status is rs.Status.AT_REST and falls.fell
    assert "stands" in bounces.outcome.words and not bounces.outcome.leans
    theta, N = leans.theta[-1], leans.column("N end right wall")[-1]
    assert 1.05 < theta / 0.2 < 1.2 and leans.outcome.leans == theta and not leans.outcome.in_place
    assert leans.outcome.words.startswith("comes to rest leaning by 13° to the right")
    # the push of the wall turns with first-order arms: H − b θ above the corner
    arm = block.height - block.width / 2 * theta
    assert N * arm == pytest.approx(block.mass * block.g * (theta - 0.2), rel=0.02)


def test_mirrored_pads_give_the_mirrored_motion():
    pads = on_three_pads()
    mirrored = [
        Interface.pad(-one.end[0], -one.start[0], K=one.K, beta=one.beta, name=one.name)
        for one in pads
    ]
    ground = shaking()
    other = rs.Motion(-ground.accel, ground.dt, ground.vertical)
    here = rs.simulate(BLOCK, ground, theory(pads, friction=0.4), until="motion")
    there = rs.simulate(BLOCK, other, theory(mirrored, friction=0.4), until="motion")
    np.testing.assert_allclose(here.theta, -there.theta, atol=1e-9)


@pytest.mark.parametrize("lean", [0.97, 1.03])
def test_pads_balance_where_the_outermost_does(lean):
    """The right pad ends at 0.18 m: let go below its balance point the block comes back."""
    balance = 0.18 / BLOCK.com_height
    how = theory(on_three_pads())
    run = rs.simulate(BLOCK, None, how, theta0=lean * balance)
    assert run.fell == (lean > 1)
    longer = rs.simulate(BLOCK, None, how, theta0=lean * balance, duration=6.0)
    assert (np.abs(longer.theta).max() > 0.5) == (lean > 1)


def test_a_slide_between_hard_pads_is_coulombs():
    """Steady push: (a − μ g) t²/2, two pads with the same friction."""
    pads = [Interface.pad(-0.2, -0.1), Interface.pad(0.1, 0.2)]
    ground = rs.Motion(np.full(601, -1.5), 1e-3)
    run = rs.simulate(BLOCK, ground, RigidBodySpring(interfaces=pads, friction=0.1), until="motion")
    expected = (1.5 - 0.1 * BLOCK.g) * 0.6**2 / 2
    assert abs(run.slide) == pytest.approx(expected, rel=0.01)


# -- stores, ensembles, refusals -------------------------------------------------------------------


def test_saved_and_loaded(tmp_path):
    how = theory(between_walls(friction=0.2))
    run = rs.simulate(BLOCK, shaking(), how, until="motion")
    run.save(tmp_path / "run.nc")
    back = rs.Response.load(tmp_path / "run.nc")
    assert back.formulation == how and np.array_equal(back.states, run.states)


def test_ensembles_give_the_numbers_of_single_runs():
    motions, scales = [shaking(level) for level in (1.0, 2.5)], [1.0, 1.4]
    how = theory(on_a_step(), friction=0.4)
    data = rs.ensemble(BLOCK, motions, formulation=how, scales=scales, progress=False)
    alone = [[rs.simulate(BLOCK, m.scaled(s), how).peak for s in scales] for m in motions]
    assert np.array_equal(data.peak.values.squeeze(), alone)
    with pytest.raises(rs.InputError, match="several interfaces is followed by processors only"):
        rs.ensemble(BLOCK, motions, formulation=how, backend="cuda", progress=False)


def test_runs_obey_the_laws():
    for name in CASES:
        run = rs.simulate(BLOCK, shaking(3.0), theory(CASES[name](), friction=0.3), until="motion")
        broken = [law for law in rs.analysis.audit(run).laws if not (law.ok or law.unchecked)]
        assert not broken, (name, broken)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (lambda: Interface((0, 0), (0, 0)), "the same point"),
        (lambda: Interface((0, math.nan), (1, 0)), r"start = \(0, nan\) is not a point"),
        (lambda: Interface(1.0, (1, 0)), r"start = 1\.0 is not a point"),
        (lambda: Interface((0, 0), (1, 0), K=-1.0), r"K = -1\.0 N/m is not allowed"),
        (lambda: Interface((0, 0), (1, 0), gap=-0.1), r"gap = -0\.1 is not allowed"),
        (lambda: Interface.wall(BLOCK, "front"), "side = 'front' is not known"),
        (lambda: RigidBodySpring(interfaces=[]), "needs an interface to stand on"),
        (lambda: RigidBodySpring(interfaces="base"), "give a list"),
        (lambda: RigidBodySpring(interfaces=[3]), "3 is not an interface"),
        (lambda: RigidBodySpring(interfaces=[Interface.base(BLOCK)] * 2), "give each a name"),
        (lambda: theory(on_a_step(), r=0.9), r"r = 0\.9 and interfaces were both given"),
        (lambda: theory(on_a_step()).bed(BLOCK), "no single bed"),
    ],
)
def test_bad_interfaces(bad, says):
    with pytest.raises(rs.InputError, match=says):
        bad()


@pytest.mark.parametrize(
    ("interfaces", "says"),
    [
        ([Interface((0.2, 0.0), (-0.2, 0.0))], "does not stand"),  # clockwise: it would push down
        ([Interface.pad(0.05, 0.2)], "does not stand|cannot carry"),  # on one side only
        ([Interface.base(BLOCK, K=100.0)], "falls over on its springs|does not stand"),
    ],
)
def test_bodies_that_do_not_stand(interfaces, says):
    with pytest.raises(rs.InputError, match=says):
        theory(interfaces).start(BLOCK)


def test_a_body_that_would_start_inside_a_wall():
    with pytest.raises(rs.InputError, match=r"mm into the interface 'right wall'"):
        theory(between_walls()).start(BLOCK, 0.05)


# -- in words and tables ---------------------------------------------------------------------------

FORMS = [
    ("base", {"kind": "base"}, lambda block: rs.Interface.base(block)),
    (
        "wall,side=right,bottom=1.6,gap=0.005,K=2e7",
        {"kind": "wall", "side": "right", "bottom": 1.6, "gap": 0.005, "K": 2e7},
        lambda block: rs.Interface.wall(block, "right", bottom=1.6, gap=0.005, K=2e7),
    ),
    (
        "wall, side = left, gap = 0.008, name = chimney",
        {"kind": "wall", "side": "left", "gap": 0.008, "name": "chimney"},
        lambda block: rs.Interface.wall(block, "left", gap=0.008, name="chimney"),
    ),
    (
        "pad,left=-0.05,right=0.05,y=0,friction=0.3",
        {"kind": "pad", "left": -0.05, "right": 0.05, "friction": 0.3},
        lambda block: rs.Interface.pad(-0.05, 0.05, friction=0.3),
    ),
    (
        "line,x0=0.2,y0=0.5,x1=0.2,y1=1,beta=0.001,K_s=1e6",
        {"start": [0.2, 0.5], "end": [0.2, 1.0], "beta": 0.001, "K_s": 1e6},
        lambda block: rs.Interface((0.2, 0.5), (0.2, 1.0), beta=0.001, K_s=1e6),
    ),
]


@pytest.mark.parametrize("form", FORMS, ids=[form[0].partition(",")[0] for form in FORMS])
@pytest.mark.parametrize("block", [rs.Block(2.0, 0.4), rs.Block(2.4, 0.4)])
def test_words_and_tables_are_the_interfaces_of_each_block(form, block):
    words, table, made = form
    for given in (words, table):
        (one,) = rs.RigidBodySpring(interfaces=[given]).interfaces_of(block)
        assert one == made(block) or one == dataclasses.replace(made(block), name="1")


def test_a_run_on_words_is_that_on_interfaces_bit_for_bit():
    block, push = rs.Block(2.0, 0.4), rs.pulses.sine(4.0, period=0.4)
    words = rs.RigidBodySpring(interfaces=[FORMS[0][0], FORMS[1][0]], friction=0.7)
    own = rs.RigidBodySpring(interfaces=[FORMS[0][2](block), FORMS[1][2](block)], friction=0.7)
    one, other = (rs.simulate(block, push, how) for how in (words, own))
    assert one.columns == other.columns
    assert one.states.tobytes() == other.states.tobytes()
    assert rs.analysis.audit(one).ok


def test_the_base_in_words_is_the_theory_without_interfaces():
    block, push = rs.Block(2.0, 0.4), rs.pulses.sine(4.0, period=0.4)
    one = rs.simulate(block, push, rs.RigidBodySpring(interfaces=["base"]), until=1.0)
    other = rs.simulate(block, push, rs.RigidBodySpring(), until=1.0)
    assert one.theta.tobytes() == other.theta.tobytes()


def test_what_was_given_is_kept_as_plain_values():
    how = rs.RigidBodySpring(interfaces=["base", "wall,side=right,gap=0.005"])
    values = how.as_values()["interfaces"]
    assert values == [{"kind": "base"}, {"kind": "wall", "side": "right", "gap": 0.005}]
    assert rs.RigidBodySpring(interfaces=values) == how and hash(how)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("base", "give a list"),
        ([], "needs an interface to stand on"),
        (["base", "base"], "give each a name of its own"),
        ([""], "says nothing"),
        (["roof"], "'roof' is not known as an interface"),
        (["wall"], "it lacks side"),
        (["wall,side=top"], "give 'left' or 'right'"),
        (["wall,side=right,gap=wide"], "gap = 'wide' is not a number"),
        (["wall,side=right,gap=-1"], "gap = -1.0 is not allowed"),
        (["wall,side=right,height=2"], "'height' is not known for wall"),
        (["wall,side=right,bottom=nan"], "bottom = nan m is not allowed"),
        (["pad,left=0.1"], "it lacks right"),
        (["base,K=0"], "K = 0.0 N/m is not allowed"),
        (["base,K"], "as NAME=VALUE"),
        ([{"start": (0, 0)}], "it lacks end"),
        ([{"start": (0, 0), "end": (1, 0), "colour": 3}], "'colour' is not known"),
        ([{"kind": "wall", "side": True}], "give 'left' or 'right'"),
        ([{"kind": "pad", "left": "a", "right": 1}], "left = 'a' m is not allowed"),
        ([3.0], "is not an interface"),
    ],
)
def test_odd_words_are_refused(given, said):
    with pytest.raises(rs.errors.InputError, match=re.escape(said)):
        rs.RigidBodySpring(interfaces=given)


def test_a_wall_without_a_length_is_refused_by_its_block():
    how = rs.RigidBodySpring(interfaces=["base", "wall,side=right,bottom=2"])
    with pytest.raises(rs.errors.InputError, match="the same point"):
        rs.simulate(rs.Block(2.0, 0.4), rs.pulses.sine(4.0, period=0.4), how)

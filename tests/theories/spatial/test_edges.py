"""On an edge a body is Housner's block, and the edge across takes the impact of its base."""

from itertools import chain

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.engine.drivers import make_impacts
from rocksteady.numerics.decorators import driver
from rocksteady.theories.contract import LANDS
from rocksteady.theories.spatial.edge import needed
from rocksteady.theories.spatial.flat import make_bounce
from rocksteady.theories.spatial.pivots import ALLOWED, HEIGHT, INERTIA, make_pivot
from rocksteady.theories.spatial.state import EDGE, LEVEL, LOSS, MODE, PIVOT, WORK
from rocksteady.theories.spatial.strike import blow_of, make_strike
from theories.spatial.cases import BODIES, random_body, shaking

HOW = rs.Spatial()
BOX = BODIES["rectangle"]
FOLLOWED = [k for k in range(LOSS + 1) if k != WORK]


def along_x(body, seed):
    """A motion along x and up that rocks a body on its edges: half as much again as lifts it."""
    motion = shaking(seed, pga=1.5 * body.g * np.tan(body.limit(0.0)), seconds=12.0)
    return rs.Motion(motion.accel, motion.dt, vertical=motion.vertical)


def intervals(run):
    """(State at its beginning, ground there, ground at its end) of each that begins on an edge."""
    motion = run.motion
    ground = np.column_stack([motion.accel, motion.vertical, np.zeros(len(motion))]).tolist()
    for state, here, there in zip(run.states, ground, ground[1:], strict=False):
        if state[MODE] == EDGE:
            yield tuple(state.tolist()), tuple(here), tuple(there)


def test_an_attempt_has_the_bits_of_a_single_step():
    """On edges, and a landing those of two; the attempt succeeds but for impacts, and the landing
    for most of them."""
    glide, params, dt = HOW.glide_for(BOX), HOW.parameters(BOX), 0.005
    step, impacts = HOW.advance_for(BOX), make_impacts(HOW.advance_for(BOX))
    taken = landed = struck = other = 0
    runs = [rs.simulate(BOX, along_x(BOX, seed), HOW, until="motion") for seed in range(4)]
    for state, here, there in chain.from_iterable(map(intervals, runs)):
        given = state, params + glide.prepare(state, params), here, there, dt
        after, reach, ok = glide.otherwise.attempt(*given, 1 / dt)
        sides = impacts(state, params, here, there, dt)
        struck += len(sides) > 0
        if ok:
            alone, used, _ = step(state, params, here, there, dt)
            assert used == dt
            assert [after[k] for k in FOLLOWED] == [alone[k] for k in FOLLOWED]
            taken += 1
        elif reach == LANDS:
            after, prepared, used, coordinate, ok = glide.otherwise.land(*given)
            if ok:
                assert list(np.array(after)[FOLLOWED]) == list(sides[0, len(state) :][FOLLOWED])
                assert prepared == glide.prepare(after, params)
                assert 0 < used < dt and coordinate >= 0
                landed += 1
        else:
            other += 1
    assert struck > 80 and taken > 2000
    assert landed > 0.9 * struck
    assert other < 0.02 * taken


@pytest.mark.parametrize("name", ["rectangle", "eccentric", "square"])
def test_energy_is_accounted_for_on_edges(name):
    body = BODIES[name]
    run = rs.simulate(body, along_x(body, 1), HOW, until="motion")
    assert np.mean(run.column("mode") == EDGE) > 0.1 and len(run.impacts) > 20
    closes = run.energy - run.energy[0] - run.column("work") + run.column("loss")
    assert np.abs(closes).max() < 1e-9 * max(run.energy.max(), np.abs(run.column("work")).max())
    assert (np.diff(run.column("loss")) >= 0).all()


def make_outcomes(size):
    """Both ways to work out the impact of the base after a turn about edge k."""
    pivot_of, bounce, (_, flat) = make_pivot(size), make_bounce(size), make_strike(size)

    def outcomes(params, k):
        here = pivot_of(params, EDGE, k)
        spin = -3.0 * here.r[0], -3.0 * here.r[1], 0.0
        blow = blow_of(LEVEL, spin, here, params[INERTIA:ALLOWED])
        pull = 0.0, 0.0, params[0]
        ahead, place, ground = (1.0, 0.0, 0.0), (0.0, 0.0), (0.0, 0.0, 0.0)
        found = bounce(params, k, ahead, spin, place, ground, 1e-3)
        general = flat(params, blow, params[INERTIA:ALLOWED], pull, params[HEIGHT])
        return found.goes_on, found.edge, found.spin, general

    return driver(outcomes)


def test_the_edge_across_is_what_the_search_through_all_corners_and_edges_finds():
    """Bodies with 3 to 8 corners and an eccentric centre of mass, from every edge. In less than one
    case of a hundred a corner of that edge could take the impact alone as well, and the search
    tries corners first. A box always goes on over the edge across."""
    outcomes, rng, agreed, two, none, others = (
        make_outcomes(8), np.random.default_rng(3), 0, 0, 0, 0,
    )  # fmt: skip
    for body in [*(random_body(rng) for _ in range(400)), BOX]:
        params, count = HOW.parameters_like(body, BODIES["octagon"]), len(body.corners)
        for k in range(count):
            goes_on, edge, spin, (mode, other, after) = outcomes(params, float(k))
            if not goes_on:
                others += 1
                none += mode == EDGE  # no solution is consistent: the one that pulls least
            elif mode == EDGE:
                agreed += 1
                assert other == edge
                np.testing.assert_allclose(spin, after, rtol=1e-10, atol=1e-16)
            else:
                two += 1
                assert other in (edge, (edge + 1) % count)
        assert goes_on or body is not BOX
    assert two < 0.01 * agreed and none < 0.01 * others
    assert agreed > 0.2 * (agreed + others)


def test_a_box_chatters_to_rest_on_its_edges():
    """Ever faster over two edges in turn; at rest it keeps no energy."""
    run = rs.simulate(BOX, rs.Motion.zeros(8.0, 0.005), HOW, theta0=0.1, until="rest")
    assert run.status is rs.Status.AT_REST
    assert run.energy[-1] == 0 and run.states[-1][MODE] == 0
    assert run.column("loss")[-1] == pytest.approx(run.energy[0], rel=1e-9)
    assert set(run.column("pivot")[run.column("mode") == EDGE]) == {1.0, 3.0}
    assert run.states[-1][PIVOT] in (1.0, 3.0)


def test_a_box_shaken_in_space_obeys_its_laws():
    t = np.arange(400) * 0.005
    motion = rs.Motion(3.5 * np.sin(8 * t), 0.005, transverse=3.0 * np.sin(11 * t))
    found = rs.analysis.audit(rs.simulate(rs.Body.box(0.45, 0.6, 1.8), motion, rs.Spatial()))
    assert found.ok and found["impacts"].extent, found


def test_the_least_acceleration_of_a_corner_that_rises():
    """a t² + b t³ + c t⁴ has its first maximum at the height asked for, by the roots of its
    derivative; for any signs and sizes of b and c."""
    rng, checked = np.random.default_rng(0), 0
    for _ in range(2000):
        b = rng.choice([-1.0, 1.0]) * 10 ** rng.uniform(-12, 2)
        c = -(10 ** rng.uniform(-12, 2)) if rng.random() < 0.8 else 0.0
        low = 10 ** rng.uniform(-14, -6)
        a = needed(b, c, low)
        if a == 0.0:  # with b alone it rises at least as high
            top = 27 / 256 * b**4 / abs(c) ** 3 if c else np.inf
            assert b > 0 and top >= low
            continue
        times = np.roots([4 * c, 3 * b, 2 * a]).real
        time = min(times[times > 0])
        assert time**2 * (a + time * (b + time * c)) == pytest.approx(low, rel=1e-12)
        checked += 1
    assert checked > 1000

"""What is easily got wrong about a body in space on corners that stick."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import rocksteady as rs
from rocksteady.theories.contract import IMPACT
from theories.spatial import checked
from theories.spatial.attitudes import UP, leaning, quaternion
from theories.spatial.cases import (
    BODIES,
    STANDARD,
    earthquake,
    impact_times,
    random_body,
    random_case,
    released,
    rotation,
    solid_of,
    step_of,
    struck,
)
from theories.spatial.contacts import strike

EDGE, VERTEX = 1.0, 2.0


def state_of(solid, tilt, azimuth, contacts, spin=(0, 0, 0)):
    """The independent solution's state of a body on these corners."""
    R = leaning(tilt, azimuth)
    y = np.zeros(14)
    y[3:7], y[10:13] = quaternion(R), R @ np.array(spin, float)
    y[:3] = -R @ solid.corners[contacts[0]]
    y[7:10] = np.cross(y[10:13], y[:3])
    return y


class TestNeitherEdgeNorCorner:
    """1. Where endless friction has no solution the edge holds."""

    tilt = 0.05

    def bounds(self):
        """Accelerations along the edge at which one corner's force vanishes, and at which it would
        rise if it were let go."""
        solid = solid_of(STANDARD)
        y = state_of(solid, self.tilt, 0.0, (1, 2))
        load = lambda a: solid.g * UP + np.array([0, a, 0])  # noqa: E731
        empty = brentq(lambda a: solid.accelerations(y, load(a), (1, 2))[1][1], 0, 9)
        rises = brentq(lambda a: solid.lift(y, load(a), 2, 1), 0, 9)
        return empty, rises

    def test_there_is_a_gap(self):
        empty, rises = self.bounds()
        assert (empty, rises) == pytest.approx((2.36, 2.74), abs=0.15)

    def after(self, a):
        step = step_of(STANDARD)
        state = rs.Spatial().leaning(STANDARD, self.tilt, 0.0)
        ground, steps = (0.0, 0.0, a), 0
        passed = 0.0
        while passed < 0.002:
            state, used, _ = step(state, ground, ground, 0.002 - passed)
            passed, steps = passed + used, steps + 1
        return state, steps

    def test_edge_holds_in_the_gap_and_lets_go_beyond(self):
        empty, rises = self.bounds()
        for a in (0.9 * empty, empty + 1e-3, (empty + rises) / 2, rises - 0.02):
            state, steps = self.after(a)
            assert state[14] == EDGE and steps < 5
        for a in (rises + 0.02, 1.5 * rises):
            state, steps = self.after(a)
            assert (state[14], state[15]) == (VERTEX, 1.0) and steps < 5

    @pytest.mark.parametrize("seed", [982, 1177])
    def test_no_endless_exchange_of_edge_and_corner(self, seed):
        """A corner that rises if it is let go, but would fall back at once: the step once went to
        and fro between edge and corner here, without end."""
        body, motion = random_case(np.random.default_rng(seed))
        run = rs.simulate(body, motion, rs.Spatial(), until="motion")
        assert run.status is not rs.Status.FAILED

    def test_samples_held_this_way(self):
        """About one in a hundred samples on an edge of slender bodies, as the prototype counted."""
        solid, held, total = solid_of(STANDARD), 0, 0
        for seed in range(6):
            run = rs.simulate(STANDARD, earthquake(seed), rs.Spatial(), until="motion")
            samples = np.flatnonzero(run.column("mode") == EDGE)
            for i in samples[:: max(1, len(samples) // 150)]:
                k = int(run.column("pivot")[i])
                pair, R = (k, (k + 1) % 4), rotation(run, i)
                y = np.zeros(14)
                y[3:7] = quaternion(R)
                y[10:13] = R @ [run.column(f"spin_{axis}")[i] for axis in "xyz"]
                load = solid.g * UP + [part[i] for part in motion_at(run)]
                forces = solid.accelerations(y, load, pair)[1]
                held, total = held + (forces.min() < 0), total + 1
        assert total > 500 and held / total < 0.05


def motion_at(run):
    x, z, y = run.ground
    return x, y, z


class TestFlatImpacts:
    """2. All corners at once: not always unique."""

    def trials(self, count):
        rng = np.random.default_rng(11)
        theory = rs.Spatial()
        for _ in range(count):
            body = random_body(rng)
            k = int(rng.integers(len(body.corners)))
            state = list(theory.leaning(body, 0.1, 0.0, spin=(0.1, 0.0, 0.0)))
            ahead, behind = (
                body.corners[(k + way) % len(body.corners)] - body.corners[k] for way in (1, -1)
            )
            spin = rng.normal(size=3)
            down = [-(spin[1] * r[0] - spin[0] * r[1]) for r in (ahead, behind)]
            if max(down) > -1e-3:  # both neighbours must come down: -(W x r)·z
                continue
            state[:12] = [0, 0, 0, 0, 0, 1, 1, 0, 0, *spin]
            state[14:16] = [VERTEX, float(k)]
            still = (0.0, 0.0, 0.0)
            after, used, event = step_of(body)(tuple(state), still, still, 0.01)
            assert (used, event) == (0.0, IMPACT)
            solid = solid_of(body)
            yield solid, k, spin, after

    def test_it_is_one_of_the_consistent_solutions(self):
        counts = {0: 0, 1: 0, 2: 0}
        for solid, k, spin, after in self.trials(1200):
            before = -np.cross(spin, solid.corners[k])
            hit = strike(solid, np.eye(3), before, spin, range(len(solid.corners)))
            counts[min(hit.solutions, 2)] += 1
            found = np.array(after[9:12])
            own = np.concatenate([-np.cross(found, solid.corners[int(after[15])]), found])
            spread = [np.abs(own - hit.within(contacts)).max() for contacts in hit.consistent]
            if spread:
                assert min(spread) < 1e-10
            kinetic = lambda v, w: v @ v + w @ solid.inertia @ w  # noqa: E731, B023
            assert kinetic(own[:3], own[3:]) <= kinetic(before, spin) * (1 + 1e-12)
        total = sum(counts.values())
        assert total > 200
        assert counts[0] <= 0.05 * total and counts[2] <= 0.1 * total

    def test_from_an_edge_it_is_unique(self):
        """Boxes and regular polygons; of a few irregular ones none is consistent, but never two."""
        rng = np.random.default_rng(5)
        regular = [BODIES[name] for name in ("square", "rectangle", "hexagon", "octagon")]
        bodies = [*regular, *(random_body(rng) for _ in range(150))]
        counts = [0, 0]
        for i, body in enumerate(bodies):
            solid, k = solid_of(body), int(rng.integers(len(body.corners)))
            along = solid.corners[(k + 1) % len(solid.corners)] - solid.corners[k]
            spin = -along / np.linalg.norm(along)  # the whole base comes down
            before = -np.cross(spin, solid.corners[k])
            hit = strike(solid, np.eye(3), before, spin, range(len(solid.corners)))
            assert hit.solutions <= 1
            assert hit.solutions == 1 or i >= len(regular)
            counts[hit.solutions] += 1
        assert counts[0] < 0.1 * len(bodies)


def test_simultaneous_is_not_the_limit_of_successive():
    """3. A square block that falls about its diagonal keeps 0.69 of its energy if all corners land
    at once, and 0.83 if one is first, however little."""
    shares = {}
    for off in (0.0, 1e-6, 1e-3, 0.1):
        hits = struck(STANDARD, 0.05, 45.0 - off, until=0.3, dt=0.001)
        shares[off] = math.prod(hit.share for hit in hits[: 1 if off == 0 else 2])
    assert shares[0.0] == pytest.approx(float(checked.DIAGONAL_AT_ONCE[4]), rel=1e-12)
    for off in (1e-6, 1e-3, 0.1):
        assert shares[off] == pytest.approx(checked.DIAGONAL_PRODUCT[4], abs=1e-3 * off + 1e-8)


class TestKnocks:
    """4. Ever quicker knocks end, near an edge and near flat."""

    @pytest.mark.parametrize("off", [1e-6, 1e-3, 0.03, 1.0])
    def test_near_an_edge(self, off):
        """Let go half a degree or less beside an edge: two corners knock in turn."""
        run = released(STANDARD, 0.1, off, until="rest", motion=rs.Motion(np.zeros(400), 0.01))
        assert run.status is rs.Status.AT_REST
        assert len(run.impacts) < 2000
        planar = released(STANDARD, 0.1, 0.0, until="rest", motion=rs.Motion(np.zeros(400), 0.01))
        assert run.time[-1] == pytest.approx(planar.time[-1], rel=0.3)

    @pytest.mark.parametrize("name", BODIES)
    def test_near_flat(self, name):
        """Every body comes to rest after a small push in any direction, whatever the sampling."""
        body = BODIES[name]
        for direction in (10.0, 100.0, 250.0):
            ends = []
            for dt in (0.01, 0.0023):
                run = rs.simulate(
                    body, rs.Motion(np.zeros(2), dt), rs.Spatial(), theta0=0.1 * body.alpha,
                    direction=direction,
                )  # fmt: skip
                assert run.status is rs.Status.AT_REST
                ends.append(impact_times(run)[-1])
            assert ends[0] == pytest.approx(ends[1], rel=0.1)  # it wobbles unforeseeably


class TestJustReleased:
    """7. A corner that has just left the ground does not strike it at once."""

    @pytest.mark.parametrize("noise", [-1e-16, -1e-17, 0.0, 1e-17, 1e-16])
    def test_height_within_rounding(self, noise):
        """On corner 1, corner 2 on the ground but for rounding and pulled upward."""
        theory = rs.Spatial()
        state = list(theory.leaning(STANDARD, 0.05, 0.0))
        state[14:16] = [VERTEX, 1.0]
        state[4] += noise
        ground = (0.0, 0.0, 4.0)  # along the edge, beyond the gap
        state, used, event = step_of(STANDARD)(tuple(state), ground, ground, 0.01)
        assert used > 1e-4 and event != IMPACT and state[14] == VERTEX

    def test_no_impact_right_after_uplift(self):
        for seed in range(20):
            run = rs.simulate(STANDARD, earthquake(seed), rs.Spatial(), until="motion")
            uplifts = run.events[run.events[:, 1] == 1, 0]
            impacts = impact_times(run)
            later = impacts[np.minimum(np.searchsorted(impacts, uplifts), len(impacts) - 1)]
            assert (later - uplifts)[later > uplifts].min() > 1e-7


def test_the_ground_never_pulls():
    """8. Without friction's limit the ground could pull; it does not, with 0.3 of the acceleration
    upward and twice what lifts the body."""
    least = math.inf
    for k in (3, 4, 6):
        body = rs.Body.box(0.45, 0.45, 0.45 * k)
        solid = solid_of(body)
        for seed in range(3):
            motion = earthquake(seed, pga=2 * body.g / k)
            run = rs.simulate(body, motion, rs.Spatial(), until="motion")
            moving = np.flatnonzero(run.column("mode") > 0)
            for i in moving[::10]:
                y, R = np.zeros(14), rotation(run, i)
                y[3:7] = quaternion(R)
                y[10:13] = R @ [run.column(f"spin_{axis}")[i] for axis in "xyz"]
                load = solid.g * UP + [part[i] for part in motion_at(run)]
                held = (int(run.column("pivot")[i]),)
                if run.column("mode")[i] == EDGE:
                    held = (held[0], (held[0] + 1) % 4)
                least = min(least, solid.accelerations(y, load, held)[1].sum() / solid.g)
    assert 0 < least < 1

"""`joint_forces` of stones in motion: with the weight and the ground's push they make the change of
momentum that the stored velocities show."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.bodies.assembly import Assembly, Stone
from rocksteady.theories.assembly.link_energy import broken_links
from rocksteady.theories.contract import IMPACT
from theories.assembly.cases import G, block, portal, run, standing, still

DT = 1e-4  # s: the rule is of second order, so differences of velocities err by some 1e-8 g
SPAN = 4  # samples on each side of the moment: no impact may lie between


def shaken(accel, period, seconds=1.0):
    """One cycle of a sine."""
    time = np.arange(round(seconds / DT) + 1) * DT
    pulse = np.where(time <= period, accel * np.sin(2 * math.pi * time / period), 0.0)
    return rs.Motion(pulse, DT)


def column(count, theta0=0.0, friction=0.7):
    """Drums of 1 m × 3 m in all, which lean as one, let go."""
    stones = Assembly.drums(count, 3.0, 1.0).stones
    ground, drums = stones[0], stones[1:]
    corner = (max(x for x, _ in drums[0].corners), 0.0)
    return Assembly((ground, *(d.turned(-theta0, about=corner) for d in drums)), friction=friction)


CASES = {
    "falling block": lambda: run(
        block(0.25, 1.0, 0.30), still(DT), step=DT, until=1.3, rubble=True
    ),
    "rocking block": lambda: run(block(0.25, 1.0, 0.12), still(DT), step=DT, until=1.0),
    "two drums": lambda: run(column(2, 0.15), still(DT), step=DT, until=0.8),
    "three drums": lambda: run(column(3), shaken(8.0, 0.4), step=DT, until=0.7),
    "drum that slides off a leaning one": lambda: run(
        column(2, 0.25, friction=0.2), still(DT), step=DT, until=0.5
    ),
    "frame": lambda: run(portal(0.25, 0.12), still(DT), step=DT, until=1.0),
    "trilith": lambda: run(
        Assembly.trilith(0.5, 2.0, 1.0, 0.5), shaken(3.6, 0.9), step=DT, until=1.2
    ),
    "sliding block": lambda: run(
        standing(Stone.box(-0.5, 0.0, 1.0, 0.5), friction=0.3), shaken(6.0, 0.5), step=DT
    ),
}


def differences(response, row):
    """ẍ, ÿ, θ̈ of the moving stones from the stored velocities, of fourth order."""
    rates = response.states[:, -3 * response.system.stone_count :]
    near = (rates[row + 2] - rates[row - 2]) / (4 * DT)
    far = (rates[row + 4] - rates[row - 4]) / (8 * DT)
    return ((4 * near - far) / 3).reshape(-1, 3)


def pushes(found):
    """Force [N] and moment about the centre [N m] of all joints on each stone."""
    total = np.zeros((len(found.assembly.stones), 3))
    for joint, (n0, n1, t) in zip(found.joints, found.forces, strict=True):
        normal, tangent = np.array(joint.normal), np.array(joint.tangent)
        share = t / (n0 + n1) if n0 + n1 > 0 else 0.0  # T acts where N does
        for point, n in zip(joint.ends, (n0, n1), strict=True):
            push = n * (normal + share * tangent)
            for stone, sign in ((joint.a, 1.0), (joint.b, -1.0)):
                arm = np.subtract(point, found.poses[stone, :2])
                total[stone, :2] += sign * push
                total[stone, 2] += sign * (arm[0] * push[1] - arm[1] * push[0])
    return total


def quiet_rows(response, count):
    """Samples with no impact near them; an uplift shows as a jump of the third difference."""
    rates = response.states[:, -3 * response.system.stone_count :]
    hits = response.event_column("time")[response.event_column("kind") == IMPACT]
    rows = np.arange(3 * SPAN, len(response.time) - 3 * SPAN)
    apart = np.abs(rows[:, None] * DT - hits).min(axis=1, initial=1.0)
    rough = np.abs(np.diff(rates, 3, axis=0)).max(axis=1)
    rough = np.array([rough[row - SPAN - 1 : row + SPAN].max() for row in rows])
    rows = rows[(apart > (SPAN + 1) * DT) & (rough < 1e-3 * DT * G)]
    return rows[np.linspace(0, len(rows) - 1, count).astype(int)]


@pytest.mark.parametrize("name", CASES)
def test_forces_are_the_change_of_momentum(name):
    """Within 1e-6 of the weight, and of the weight times the height in moments."""
    response = CASES[name]()
    stones = response.system.stones
    weight = G * response.system.mass
    worst = fastest = 0.0
    for row in quiet_rows(response, 40):
        found = rs.analysis.joint_forces(response, response.time[row])
        assert found.residual < 1e-6
        total = pushes(found)
        for joint, (n0, n1, t) in zip(found.joints, found.forces, strict=True):
            assert min(n0, n1) >= 0 and abs(t) <= joint.friction * (n0 + n1) * (1 + 1e-9)
        moving = [i for i, stone in enumerate(stones) if not stone.fixed]
        spins = response.states[row, -3 * len(moving) :][2::3]
        fastest = max(fastest, float(np.max(spins**2)) * min(s.reach for s in stones))
        a_h, a_v = (values[row] for values in response.ground[:2])
        for i, change in zip(moving, differences(response, row), strict=True):
            stone = stones[i]
            needs = stone.mass * np.add(change[:2], [a_h, G + a_v])
            worst = max(worst, np.abs(total[i, :2] - needs).max() / weight)
            moment = stone.inertia * change[2]
            worst = max(worst, abs(total[i, 2] - moment) / (weight * stone.reach))
    assert worst < 1e-6
    assert fastest > 1e-4 * G or name == "sliding block"  # or centripetal terms would be rounding


def test_a_block_that_falls_presses_less():
    """A block of 0.5 × 2 m let go at 0.30 rad: N and T of the equation of motion about its corner,
    with the centripetal term."""
    response = CASES["falling block"]()
    stone = response.system.stones[1]
    R, alpha = math.hypot(0.25, 1.0), math.atan2(0.25, 1.0)
    angle = 0.30 - response.column(f"theta {stone.name}")
    omega = -response.column(f"omega {stone.name}")
    row = int(np.argmin(np.abs(omega - 2.02)))
    assert omega[row] == pytest.approx(2.02, abs=0.001)
    from_vertical = angle[row] - alpha
    turn = 0.75 * G / R * math.sin(from_vertical)
    normal = stone.mass * (
        G - R * (turn * math.sin(from_vertical) + omega[row] ** 2 * math.cos(from_vertical))
    )
    along = (
        stone.mass
        * R
        * (turn * math.cos(from_vertical) - omega[row] ** 2 * math.sin(from_vertical))
    )
    found = rs.analysis.joint_forces(response, response.time[row])
    assert found.forces[0, :2].sum() == pytest.approx(normal, rel=1e-7)
    sign = 1 if found.joints[0].a == 1 else -1
    assert sign * found.joints[0].tangent[0] * found.forces[0, 2] == pytest.approx(along, rel=1e-6)


def test_the_stepped_rule_too():
    """Its gaps and speeds are those of the middle of a step of 1 ms: forces within 1 %."""
    lean = block(0.25, 1.0, 0.12)
    fine = CASES["rocking block"]()
    coarse = run(lean, still(0.001), rule="stepped", until=0.4)
    for time in (0.0, 0.1, 0.2, 0.3, 0.4):
        exact, near = (rs.analysis.joint_forces(one, time).between(0, 1) for one in (fine, coarse))
        assert near == pytest.approx(exact, abs=0.01 * exact[0])


def test_a_tie_that_broke_pulls_no_more():
    """A tie of 2 kN breaks at 20 mm. When the block slides back, friction alone slows it down where
    the tie would pull with less than its strength."""
    stone = Stone.box(-0.5, 0.0, 1.0, 0.5, name="block")
    ends = ((-1.0, 0.25), (-0.5, 0.25))
    tie = rs.Tie(stones=("ground", "block"), points=ends, stiffness=1e5, strength=2e3)
    time = np.arange(501) * 0.001
    push = rs.Motion(-12.0 * np.cos(4 * math.pi * time), 0.001)
    tied = run(standing(stone, friction=0.3, links=(tie,)), push, step=0.001)
    moved, rate = tied.column("x block"), tied.column("x rate block")
    assert moved.max() > 0.03
    row = int(np.argmax((rate < -0.1) & (moved < 0.019)))
    assert moved[row] > 0.015
    change = (rate[row + 1] - rate[row - 1]) / 0.002
    found = rs.analysis.joint_forces(tied, tied.time[row])
    assert pushes(found)[1, 0] == pytest.approx(0.3 * stone.mass * G, rel=1e-6)
    assert pushes(found)[1, 0] == pytest.approx(
        stone.mass * (change + tied.ground[0][row]), abs=1e-3 * stone.mass * G
    )
    assert broken_links(tied.system, tied.formulation.poses(tied.system, tied.states)) == [True]

"""Loads at which a mechanism without dilatancy is in equilibrium."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.limit_analysis import limit_load, mechanism_loads
from rocksteady.bodies.assembly import Assembly, Stone, Tie
from rocksteady.errors import InputError

FLOOR = Stone.box(-5, -0.5, 10, 0.5, fixed=True, name="ground")


def turning(assembly, names, about):
    """(stones, 3): these stones turn clockwise as one about a point, all others rest."""
    velocities = np.zeros((len(assembly), 3))
    for i, stone in enumerate(assembly.stones):
        if stone.name in names:
            x, y = np.subtract(stone.centre, about)
            velocities[i] = y, -x, -1.0
    return velocities


def test_a_block_tips_or_slides_at_one_load():
    block = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 2.0, name="block")), friction=0.4)
    tips = mechanism_loads(block, turning(block, {"block"}, (0.25, 0.0)))
    assert tips == pytest.approx((0.25, 0.25), abs=1e-9)
    squat = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 0.5, name="block")), friction=0.4)
    slides = mechanism_loads(squat, np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]))
    assert slides == pytest.approx((0.4, 0.4), abs=1e-9)
    back = mechanism_loads(block, turning(block, {"block"}, (-0.25, 0.0)) * -1)
    assert back == pytest.approx((-0.25, -0.25), abs=1e-9)


def test_a_tie_pulls_between_nothing_and_its_strength():
    """Its lever about the toe is 0.5 m, that of the load 1 m."""
    tie = Tie(stones=("ground", "block"), points=((-0.25, -0.1), (-0.25, 1.0)), stiffness=1e6,
              strength=3000.0)  # fmt: skip
    stone = Stone.box(-0.25, 0, 0.5, 2.0, name="block")
    block = Assembly((FLOOR, stone), friction=10.0, links=(tie,))
    loads = mechanism_loads(block, turning(block, {"block"}, (0.25, 0.0)))
    assert loads == pytest.approx((0.25, 0.25 + 3000.0 * 0.5 / (block.mass * block.g)), abs=1e-9)


PIER = {  # wall 4 of Ferris and Tin-Loi, right of a stepped crack: by course, from below
    1: (6,), 2: (5,), 3: (5, 6), 4: (3,), 5: (5, 6), 6: (3,), 7: (5, 6), 8: (3,), 9: (5, 6),
    10: (4, 5), 11: (4, 5, 6),
}  # fmt: skip


def test_a_pier_that_slides_down_a_head_joint_has_a_range_of_loads():
    """How hard stone 1-5 presses stone 1-6, which slides down beside it as the pier turns, is not
    determined. Not at all: the pier turns as a free one, λ = Σ m x / Σ m y = 24/91. As hard as the
    wall can: 0.307, the load at which another program saw the wall give way in motion."""
    wall = Assembly.ferris_tin_loi(4)
    names = {f"stone {row}-{i}" for row, places in PIER.items() for i in places}
    pier = [stone for stone in wall.stones if stone.name in names]
    toe = max(x for stone in pier for x, _ in stone.corners), 0.0
    assert len(pier) == 18
    free = sum(s.mass * (toe[0] - s.centre[0]) for s in pier) / sum(
        s.mass * s.centre[1] for s in pier
    )
    least, greatest = mechanism_loads(wall, turning(wall, names, toe))
    assert free == pytest.approx(24 / 91, rel=1e-12)
    assert least == pytest.approx(24 / 91, abs=1e-9)
    assert greatest == pytest.approx(0.307, abs=5e-4)
    assert greatest < limit_load(wall).multiplier


@pytest.mark.parametrize("rule", ["associated", "estimate"])
@pytest.mark.parametrize(
    "assembly",
    [
        Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 0.5, name="block")), friction=0.4),
        Assembly.ferris_tin_loi(1),
        Assembly.ferris_tin_loi(4),
        Assembly.wall(6, 5, 0.4, 0.2, friction=0.65),
        Assembly.arch(16, 1.5, radius=10.0, embrace=180.0, friction=0.4),
    ],
    ids=["block", "wall 1", "wall 4", "bond", "arch"],
)
def test_the_mechanism_of_a_limit_load_is_accepted(assembly, rule):
    """In associated friction a joint that slides opens by μ times the slip. Without it the forces
    of the limit load stay in equilibrium with the mechanism, so that λ is one of its loads; as it
    bounds all loads from above, it is the greatest."""
    limit = limit_load(assembly, friction_rule=rule)
    assert limit.sliding_joints
    least, greatest = mechanism_loads(assembly, limit.velocities)
    upper = limit_load(assembly).multiplier
    assert least <= greatest <= upper * (1 + 1e-6)
    if rule == "associated":
        assert greatest == pytest.approx(upper, rel=1e-6)


@pytest.mark.parametrize("size", [1e-4, 1e4])
def test_a_model_has_the_loads_of_what_it_is_a_model_of(size):
    """A wall and an arch in mechanisms that slide and turn."""
    for made in (
        lambda r: Assembly.wall(6, 5, 0.4 * r, 0.2 * r, friction=0.65),
        lambda r: Assembly.arch(16, 0.15 * r, radius=r, embrace=180.0, friction=0.4),
    ):
        full, model = (
            mechanism_loads(stones, limit_load(stones, friction_rule="estimate").velocities)
            for stones in (made(1.0), made(size))
        )
        assert 0 < full[0] <= full[1]
        assert model == pytest.approx(full, rel=1e-6)


@pytest.mark.parametrize("rule", ["associated", "estimate"])
@pytest.mark.parametrize("speed", [1e-6, 1e6])
def test_how_fast_a_mechanism_moves_does_not_matter(rule, speed):
    wall = Assembly.wall(6, 5, 0.4, 0.2, friction=0.65)
    velocities = limit_load(wall, friction_rule=rule).velocities
    one, other = (mechanism_loads(wall, k * velocities) for k in (1.0, speed))
    assert other == pytest.approx(one, rel=1e-9)


@pytest.mark.parametrize(("height", "expected"), [(0.5, 0.4), (2.0, 0.25)])
def test_the_velocities_of_a_run_that_begins_to_move_are_accepted(height, expected):
    """A block that slides, or rocks, under a push that grows."""
    block = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, height, name="block")), friction=0.4)
    push = rs.Motion(np.linspace(0.0, -6.0, 201), 0.005)
    how = rs.BlockDynamics()
    response = rs.simulate(block, push, how, until="motion")
    poses = how.poses(block, response.states)
    first = int(np.argmax(response.column("displacement") > 1e-4))
    loads = mechanism_loads(block, poses[first + 1] - poses[first])
    assert loads == pytest.approx((expected, expected), rel=1e-3)


def test_what_is_no_mechanism():
    block = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 2.0, name="block")))
    with pytest.raises(InputError, match="for each of the 2 stones"):
        mechanism_loads(block, np.zeros((1, 3)))
    with pytest.raises(InputError, match="no mechanism"):
        mechanism_loads(block, np.zeros((2, 3)))
    with pytest.raises(InputError, match="cannot move in this way"):
        mechanism_loads(block, np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))  # it flies up

"""What the theory of assemblies refuses, and what it counts."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.errors import InputError

G = rs.Stone.box(-50, -1, 100, 1, fixed=True, name="ground")


def stand(*stones: rs.Stone, **options: object) -> rs.Assembly:
    return rs.Assembly((*stones, G), **options)


@pytest.mark.parametrize("option", [{"share": 0.1}, {"restitution": 0.5}])
def test_impacts_of_the_stepped_rule_have_no_share_and_no_restitution(option):
    block = stand(rs.Stone.box(0, 0, 1, 2))
    with pytest.raises(InputError, match="needs located impacts"):
        rs.BlockDynamics(rule="stepped", **option).parameters(block)


def test_stones_on_a_national_grid_are_refused():
    x, y = 4.5e5, 5.1e6
    stones = (rs.Stone.box(x, y, 1, 2, name="drum"), rs.Stone.box(x, y - 1, 5, 1, fixed=True))
    with pytest.raises(InputError, match=r"'drum' lies 5\.1e\+06 m from the origin"):
        rs.BlockDynamics().parameters(rs.Assembly(stones))


def test_a_start_is_refused():
    block = stand(rs.Stone.box(0, 0, 1, 2))
    with pytest.raises(InputError, match="starts where its stones are"):
        rs.simulate(block, rs.Motion.zeros(0.1, 0.005), x0=0.1)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"pretension": 2e4, "strength": 1e4}, "would break at once"),
        ({"stones": ("a", "a")}, "to itself holds nothing"),
    ],
)
def test_links_that_cannot_hold(values, words):
    given = {"stones": ("a", "b"), "points": ((0, 0), (1, 0)), "stiffness": 1e6} | values
    with pytest.raises(InputError, match=words):
        rs.Tie(**given)


def test_what_a_tie_holds_when_it_breaks_is_lost():
    """Energy balance closes over the break: the tie held F²/2k."""
    block = rs.Stone.box(-0.5, 0, 1, 1, name="block")
    tie = rs.Tie(
        stones=("block", "ground"), points=((0, 0.5), (-5, 0.5)), stiffness=1e6, strength=5e3
    )
    assembly = stand(block, friction=0.2, links=(tie,))
    n = 401
    accel = np.zeros(n)
    accel[:200] = -6.0
    response = rs.simulate(assembly, rs.Motion(accel, 0.001), until="motion")
    held = 5e3**2 / (2 * 1e6)
    assert response.column("x block")[-1] > 0.1  # it broke and slid
    assert abs(response.energy_balance[-1]) < 0.1 * held
    assert response.column("loss")[-1] > held


def test_the_step_that_ran_is_told():
    block = stand(rs.Stone.box(0, 0, 1, 2))
    response = rs.simulate(block, rs.Motion.zeros(0.1, 0.0005), until="motion")
    assert "steps of 0.5 ms" in response.formulation.told(response)

"""A peak of 1 is where a body balances: let go at rest from below it comes back, from beyond it
falls, in every theory, for lopsided bodies and in every direction."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import rocksteady as rs

STATUE, SLENDER = rs.Block(1.8, 0.5), rs.Block(1.8, 0.4)
LOPSIDED = rs.Block(1.8, 0.4, offset=0.04)
COLUMN = rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 1e4, 20.0, 0.02)
BOX = rs.Body.box(0.45, 0.6, 1.8)
ASIDE = rs.Body.box(0.45, 0.6, 1.8, offset=(0.05, 0.03))
ROUND = rs.Body.cylinder(0.45, 1.8)
NEAR = 5e-4  # of the balance; a column of 20 rad/s bends for 2e-4 of it

PLANAR = {
    "Housner": (STATUE, rs.Housner()),
    "slender": (STATUE, rs.Housner(slender=True)),
    "nonsmooth": (STATUE, rs.Nonsmooth()),
    "complex": (STATUE, rs.ComplexPotential()),
    "dissipation": (SLENDER, rs.NumericalDissipation()),
    "elastic": (SLENDER, rs.NumericalDissipation(body="elastic")),
    "flexible": (COLUMN, None),
    "Housner, lopsided": (LOPSIDED, rs.Housner()),
    "nonsmooth, lopsided": (LOPSIDED, rs.Nonsmooth(friction=0.8)),
}


def let_go(body, theory, share, side=1.0, direction=0.0):
    """(θ over where it balances at the start, the least it comes back to)."""
    toward = {"direction": direction} if body.spatial else {}
    angle = side * share * body.balance_angle(side, direction)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocksteadyWarning)
        run = rs.simulate(body, None, theory, theta0=angle, until=14 / body.p, **toward)
    lean = np.abs(run.relative)
    return float(lean[0]), float(lean.min())


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("name", PLANAR)
def test_a_peak_of_one_is_where_it_balances(name, side):
    body, theory = PLANAR[name]
    below, back = let_go(body, theory, 1 - NEAR, side)
    beyond, away = let_go(body, theory, 1 + NEAR, side)
    assert below == pytest.approx(1 - NEAR, abs=1e-9) and back < 0.5
    assert beyond == pytest.approx(1 + NEAR, abs=1e-9) and away > 0.99


@pytest.mark.parametrize(
    ("body", "theory", "direction"),
    [
        *[(BOX, rs.Spatial(), direction) for direction in (0.0, 90.0)],
        *[(ASIDE, rs.Spatial(), direction) for direction in (0.0, 90.0, 180.0, 270.0)],
        *[(ROUND, rs.Spatial(rolling=how), 45.0) for how in ("restrained", "free")],
        (BOX, rs.Spatial(friction=0.9), 0.0),
    ],
)
def test_in_space_too(body, theory, direction):
    below, back = let_go(body, theory, 1 - NEAR, direction=direction)
    beyond, away = let_go(body, theory, 1 + NEAR, direction=direction)
    assert below == pytest.approx(1 - NEAR, abs=1e-9) and back < 0.5
    assert beyond == pytest.approx(1 + NEAR, abs=1e-9) and away > 0.99


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("body", [SLENDER, LOPSIDED], ids=["symmetric", "lopsided"])
def test_the_spring_model_balances_at_the_tangent(body, side):
    """It keeps small rotations only, so that it balances at b/h = tan α: 1.6 % beyond α here."""
    alpha = body.balance_angle(side)
    share = math.tan(alpha) / alpha
    assert 1.005 < share < 1.03
    assert let_go(body, rs.RigidBodySpring(), share * (1 - NEAR), side)[1] < 0.5
    assert let_go(body, rs.RigidBodySpring(), share * (1 + NEAR), side)[1] > 0.99

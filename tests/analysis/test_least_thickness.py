"""The least thickness of round arches: Milankovitch's number and its approach by voussoirs."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import rocksteady as rs
from rocksteady.analysis.limit_analysis import least_thickness, limit_load
from rocksteady.bodies.assembly import Assembly
from rocksteady.errors import InputError


def test_row_semicircular_arch_true_weights():
    """Milankovitch 1907: 0.1075; thrust line with mpmath in §4."""
    found = least_thickness()
    assert found.ratio == pytest.approx(0.10747803810748, abs=1e-14)
    assert found.hinge_angle == pytest.approx(54.4839740, abs=5e-8)
    assert found.thrust == pytest.approx(0.6208812062, abs=5e-11)
    assert "0.107478" in found.words and "54.48°" in found.words


@pytest.mark.parametrize(
    ("voussoirs", "sectors", "row"),
    [
        (16, True, 0.1072373),
        (32, True, 0.1072372),
        (64, True, 0.1073944),
        (16, False, 0.1070761),
        (32, False, 0.1071969),
        (64, False, 0.1073832),
    ],
)
def test_row_least_thickness_of_some_voussoirs(voussoirs, sectors, row):
    """§4 gives the lower end of a bisection to 1e-7."""
    found = least_thickness(voussoirs=voussoirs, sectors=sectors)
    assert found.ratio == pytest.approx(row, abs=1.1e-7)
    # the joint nearest to Milankovitch's hinge
    step = 180 / voussoirs
    assert abs(found.hinge_angle - 54.484) < step
    assert found.hinge_angle / step == pytest.approx(round(found.hinge_angle / step))


@pytest.mark.parametrize("embrace", [60.0, 120.0, 150.0])
def test_many_voussoirs_approach_the_line_of_thrust(embrace):
    limit = least_thickness(embrace)
    many = least_thickness(embrace, 96)
    assert many.ratio == pytest.approx(limit.ratio, rel=2e-3)
    assert many.ratio < limit.ratio  # fewer joints can open
    assert many.thrust == pytest.approx(limit.thrust, rel=2e-3)
    step = embrace / 96  # of the voussoirs, between whose faces the hinge is
    assert many.hinge_angle == pytest.approx(limit.hinge_angle, abs=step)
    assert many.hinge_angle / step == pytest.approx(round(many.hinge_angle / step), abs=1e-9)


@pytest.mark.parametrize("embrace", [5.0, 45.0, 100.0, 157.5, 179.0, 180.0])
def test_the_line_of_thrust_touches_three_times(embrace):
    """From the top of the crown, under the weight of the ring summed in small pieces: the thrust
    that takes it to the top of the springing is just enough to keep it above the inner face, which
    it touches at the hinge."""
    found, half = least_thickness(embrace), math.radians(embrace) / 2
    inner, outer = 1 - found.ratio / 2, 1 + found.ratio / 2
    radii = inner + (np.arange(200) + 0.5) / 200 * found.ratio

    def thrust(angle, radius):
        """That takes the line through the point at this angle and radius: moments about it."""
        angles = (np.arange(400) + 0.5) / 400 * angle
        weights = np.outer(radii, np.full(400, angle / 400 * found.ratio / 200))
        arms = radius * math.sin(angle) - np.outer(radii, np.sin(angles))
        return (weights * arms).sum() / (outer - radius * math.cos(angle))

    asked = minimize_scalar(
        lambda angle: -thrust(angle, inner), bounds=(0.1 * half, half), method="bounded",
        options={"xatol": 1e-9 * half},
    )  # fmt: skip
    springing = thrust(half, outer)
    assert -asked.fun == pytest.approx(springing, rel=1e-4)
    assert found.thrust * found.ratio == pytest.approx(springing, rel=1e-4)
    assert math.radians(found.hinge_angle) == pytest.approx(asked.x, rel=1e-3)


def test_it_stands_just_above_and_falls_just_below():
    least = least_thickness(voussoirs=20).ratio
    for share, stands in ((1 + 1e-6, True), (1 - 1e-6, False)):
        arch = Assembly.arch(20, share * least, radius=1.0, embrace=180.0)
        assert limit_load(arch, sliding=False).stands is stands


@pytest.mark.parametrize("embrace", [0.0, -10.0, 181.0, math.nan, "wide"])
def test_embraces_that_are_none(embrace):
    with pytest.raises(InputError, match="embrace"):
        least_thickness(embrace)


@pytest.mark.parametrize("voussoirs", [3, 8.5, -1, math.inf])
def test_numbers_of_voussoirs_that_are_none(voussoirs):
    with pytest.raises(InputError, match="voussoirs"):
        least_thickness(voussoirs=voussoirs)


def test_it_is_among_the_functions():
    assert rs.analysis.least_thickness is least_thickness

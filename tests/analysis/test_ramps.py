"""The load histories of Table 2 of Casalotti et al. 2025, and the comparison of solvers on them."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.ramps import RAMPS, Ramp

TABLE_2 = {  # u_max [mm], k, β, as the table has them
    "1.1": (50, None, 0),
    "1.2": (3, 2, 0),
    "1.3": (2, 5, 0),
    "2a.1": (1, 1, 1),
    "2a.2": (1, 3, 1),
    "2a.3": (1, 4, 1),
    "2b.1": (1, 3, 1.25),
    "2b.2": (1, 3, 0.75),
}


@pytest.mark.parametrize("name", TABLE_2)
def test_each_ramp_is_the_expression_of_the_table(name):
    u_max, k, beta = TABLE_2[name]
    found, t = rs.analysis.ramp(name), np.linspace(0, 500, 101)
    wave = 1.0 if k is None else np.sin((math.pi / 2 + 2 * math.pi * k) / 500 * t)
    power = 1 if k is None else beta
    assert found.history(100) == pytest.approx(1e-3 * u_max * (t / 500) ** power * wave, abs=1e-15)
    assert found.history(100)[-1] == pytest.approx(1e-3 * u_max)
    assert set(TABLE_2) == set(RAMPS) and found.t_max == 500.0


@pytest.mark.parametrize("name", TABLE_2)
def test_the_rate_is_the_derivative(name):
    found = rs.analysis.ramp(name)
    for t in (1.0, 123.4, 499.0):
        slope = (found.at(t + 1e-4) - found.at(t - 1e-4)) / 2e-4
        assert found.rate(t) == pytest.approx(slope, rel=1e-6, abs=1e-12)


def test_set_3_and_other_durations():
    assert rs.analysis.ramp("3") == RAMPS["2b.2"]
    quick = Ramp(0.002, k=5, t_max=50.0)
    assert quick.history(40) == pytest.approx(RAMPS["1.3"].history(40))
    assert quick.rate(12.3) == pytest.approx(10 * RAMPS["1.3"].rate(123.0))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: rs.analysis.ramp("1.4"), "no ramp '1.4': use 1.1, 1.2"),
        (lambda: Ramp(0.0), "u_max"),
        (lambda: Ramp(0.01, t_max=-1.0), "t_max"),
        (lambda: Ramp(0.01, k=-1), "k = -1"),
        (lambda: Ramp(0.01, k=1.5), "k = 1.5"),
        (lambda: Ramp(0.01, k=1, beta=-1.0), "beta"),
        (lambda: Ramp(0.01, beta=1.0), "beta = 1.0 needs k"),
        (lambda: Ramp(0.01).history(0), "steps = 0"),
        (lambda: Ramp(0.01).history(2.5), "steps = 2.5"),
        (lambda: rs.analysis.compare_solvers(solvers=("ode45",)), "no solver 'ode45' here: use RK"),
        (lambda: rs.analysis.compare_solvers(history="9"), "no ramp '9'"),
        (lambda: rs.analysis.compare_solvers(rtol=0.0), "rtol"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(rs.InputError, match=words):
        make()


def test_the_mass_does_not_matter_to_a_comparison():
    light, heavy = (
        rs.analysis.compare_solvers(
            rs.MasonryBuilding.casalotti2025(mass), Ramp(0.003, k=1, t_max=20.0), solvers=("RK23",)
        )
        for mass in (1.0, 1e6)
    )
    keys = ("solver", "events", "steps", "missed returns", "missed slips", "error [%]", "F [%]")
    assert [[row[key] for key in keys] for row in light] == [
        [row[key] for key in keys] for row in heavy
    ]
    assert abs(light[1]["error [%]"]) < 1 and abs(light[-1]["error [%]"]) < 0.1

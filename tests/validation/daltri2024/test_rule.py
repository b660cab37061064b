"""The integration rule: α, β and γ (Eqs. 4 and 5), which are stable, the laws of their steps."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.analysis import timestep
from rocksteady.errors import InputError, RocksteadyWarning
from rocksteady.theories import NumericalDissipation
from rocksteady.theories.dissipation.laws import LAWS
from rocksteady.theories.dissipation.rule import OPTIMAL, Rule, family
from rocksteady.theories.dissipation.time_step import time_step
from validation.daltri2024.hht_reference import PAPER
from validation.daltri2024.law_errors import error_table, errors_in_r

COLUMN = rs.Block(4.2, 0.6)


def growth(alpha, beta, gamma, omega):
    """Largest factor by which an oscillator grows in a step, Ω = ω Δt: eigenvalues of the rule for
    (u, Δt v, Δt² a), Eq. 4 with M = 1, K Δt² = Ω² and no load, solved for the new values."""
    square = omega**2
    new = np.array([[1, 0, -beta], [0, 1, -gamma], [square * (1 + alpha), 0, 1]])
    old = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [square * alpha, 0, 0]])
    return np.abs(np.linalg.eigvals(np.linalg.solve(new, old))).max()


def stable(alpha, beta, gamma):
    return all(growth(alpha, beta, gamma, omega) < 1 + 1e-6 for omega in np.logspace(-1, 4, 200))


@settings(max_examples=300, deadline=None)
@given(st.floats(-0.6, 0.1), st.floats(0.05, 1.2), st.floats(0.3, 1.3))
def test_what_is_refused_grows_and_nothing_else(alpha, beta, gamma):
    """Routh and Hurwitz against eigenvalues over five decades of Ω, of the body and of contact."""
    A, G, B = 1 + 2 * alpha, 2 * gamma - 1, 4 * beta - 2 * gamma
    conditions = (B, G, A * B, B + A * G, A + G - 1, G * (B + A**2 + A * G))
    if min(abs(value) for value in conditions) < 0.02:
        return  # too close to the limit for a list of Ω
    assert (Rule(alpha, beta, gamma).fault() == "") == (
        stable(alpha, beta, gamma) and stable(0.0, beta, gamma)
    )


def test_the_paper_s_is_of_the_classical_family():
    """Eq. 5 is β = (1 − α)²/4 and γ = 1/2 − α at α = 1 − √2."""
    assert OPTIMAL == PAPER
    assert family(OPTIMAL.alpha) == pytest.approx(OPTIMAL, abs=1e-15)
    assert NumericalDissipation().rule == OPTIMAL
    assert NumericalDissipation(alpha_hht=-0.1).rule == pytest.approx((-0.1, 0.3025, 0.6))
    assert NumericalDissipation(alpha_hht=0).rule == (0.0, 0.25, 0.5)
    assert NumericalDissipation(beta_hht=0.6).rule == (OPTIMAL.alpha, 0.6, OPTIMAL.gamma)


@pytest.mark.parametrize("body", ["rigid", "elastic"])
def test_the_paper_s_numbers_give_the_same_bits(body):
    alpha, beta, gamma = OPTIMAL
    motion = rs.pulses.sine(3.0, period=0.8)
    plain, given = (
        rs.simulate(rs.Block(2.4, 0.6), motion, NumericalDissipation(body=body, **options), until=3)
        for options in ({}, {"alpha_hht": alpha, "beta_hht": beta, "gamma_hht": gamma})
    )
    assert plain.peak > 0.05
    np.testing.assert_array_equal(plain.states, given.states)


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ({"alpha_hht": -0.6}, "α is less than −1/2"),
        ({"alpha_hht": -0.2, "gamma_hht": 0.6}, "γ is less than 1/2 − α"),
        ({"alpha_hht": 0.0, "gamma_hht": 0.4}, "γ is less than 1/2"),
        ({"alpha_hht": 0.0, "beta_hht": 0.2}, "β is less than γ/2"),
        ({"alpha_hht": math.nan}, "must be a finite number"),
        ({"beta_hht": True}, "must be a finite number"),
        ({"gamma_hht": "large"}, "must be a finite number"),
    ],
)
def test_unstable_rules_are_refused(rule, reason):
    with pytest.raises(InputError, match=reason):
        NumericalDissipation(**rule)


@pytest.mark.parametrize("alpha", [OPTIMAL.alpha, -0.3, -0.2, -0.1])
def test_order_of_a_swing(alpha):
    """Before the first impact the rule is of second order. The bed is stiff: its own vibration
    after the release dies out within a few steps, whatever their length, and shifts all runs
    alike. So the change from one halving of the step to the next falls by four."""
    theta0, end = 0.4 * COLUMN.alpha, 0.32
    steps, theta = (0.016, 0.008, 0.004, 0.002), []
    for dt in steps:
        how = NumericalDissipation(k_n=1e10, dt=dt, alpha_hht=alpha)
        run = rs.simulate(COLUMN, rs.Motion.zeros(1.0, dt), how, theta0=theta0, until=end)
        theta.append(run.theta[round(end / dt)])
        assert run.column("cuts")[-1] == 0
    order = -np.polyfit(np.log2(1 / np.array(steps[1:])), np.log2(np.abs(np.diff(theta))), 1)[0]
    assert order == pytest.approx(2, abs=0.1)


# -- laws -----------------------------------------------------------------------------------------


def test_each_rule_has_its_own_law():
    for alpha, name in {-0.3: "hht-0.3", -0.2: "hht-0.2", -0.1: "hht-0.1"}.items():
        how = NumericalDissipation(alpha_hht=alpha, r=0.95)
        assert how.step_law() is LAWS[name]
        assert how.time_step(COLUMN) == time_step(COLUMN, how.k_n, 0.95, law=name).dt
    assert NumericalDissipation().step_law() is LAWS["daltri2024"]
    assert NumericalDissipation(dt=0.01, alpha_hht=-0.15).time_step(COLUMN) == 0.01
    with pytest.raises(InputError, match=r"No law gives .*α = -0.15.* alpha_hht = -0.4142, -0.3"):
        NumericalDissipation(alpha_hht=-0.15).time_step(COLUMN)
    with pytest.raises(InputError, match="No law gives the time step"):
        NumericalDissipation(beta_hht=0.6).time_step(COLUMN)
    with pytest.warns(RocksteadyWarning, match="daltri2024 was fitted to α = -0.4142"):
        NumericalDissipation(alpha_hht=-0.1, law="daltri2024", r=0.95).time_step(COLUMN)
    with pytest.warns(RocksteadyWarning, match=r"was not fitted for r = 0.85.*0.9 to 0.99"):
        NumericalDissipation(alpha_hht=-0.1, r=0.85).time_step(COLUMN)


@pytest.mark.parametrize("name", LAWS)
def test_both_forms_give_the_same_step(name):
    """Eq. 10 from Eq. 9: R h/b = (3g/4) cot α/p² for rectangles."""
    size, frequency = (time_step(COLUMN, 5e8, 0.95, law=name, form=form).dt for form in FORMS)
    assert frequency == pytest.approx(size, rel=3e-4 if name == "daltri2024" else 1e-12)


FORMS = ("size", "frequency")


@pytest.mark.parametrize("alpha", [-0.3, -0.2, -0.1, -0.05])
def test_constants_of_the_laws(alpha):
    """The campaign with steps of 1 to 80 ms gives the constants in `laws.py` again."""
    how, law = NumericalDissipation(alpha_hht=alpha), LAWS[f"hht{alpha:g}"]
    made = timestep.campaign(how, steps=timestep.LONG_STEPS, progress=False)
    found = made.fit()
    assert found.alpha_hht == alpha
    assert found.coefficients == pytest.approx(law.coefficients, rel=2e-3)
    assert found.r2 == pytest.approx(law.r2, abs=1e-3)
    assert made.r2(law) == pytest.approx(found.r2, abs=1e-5)


@pytest.mark.parametrize("alpha", [-0.3, -0.2])
def test_errors_of_the_laws(alpha):
    """`TimeStepLaw.errors`, made again for a fifth of the r."""
    law, ratios = LAWS[f"hht{alpha:g}"], timestep.RATIOS[2::5]
    found = error_table(
        errors_in_r(law, NumericalDissipation(alpha_hht=alpha), ratios=ratios), ratios
    )
    np.testing.assert_allclose(found, law.errors["rigid"], atol=0.02)
    assert np.median(np.abs(found - np.array(law.errors["rigid"]))) < 0.004

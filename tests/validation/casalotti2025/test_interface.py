"""The interface's law under slow displacement: Casalotti et al. 2025, sections 2 and 4.1."""

import math
from dataclasses import astuple, fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocksteady.analysis.pushover import pushover
from rocksteady.analysis.ramps import RAMPS
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.errors import InputError
from rocksteady.theories.masonry import interface as masonry_step
from rocksteady.theories.masonry.formulation import stored_energy, wear_energy

HOUSE = MasonryBuilding.casalotti2025(mass=40e3)
PARAMS = masonry_step.Building(*astuple(HOUSE))
COUNTS = [21 * j + 10 for j in (19, 23, 28, 34, 41, 50, 61, 74, 90, 109, 132, 160, 194, 235)] + [
    21 * j + 10 for j in (285, 346, 419, 508, 616, 747, 906, 1098)
]  # 22 of them, from 400 to 20 000 as in Fig. 5, none of which samples an extremum exactly


def stretched(x, alpha, w):
    """The state of a building whose interface adheres, stretched by x."""
    return np.array([x, 0.0, 0.0, alpha, w, 0.0, 0.0])


def order(counts, errors):
    return -np.polyfit(np.log(counts), np.log(errors), 1)[0]


# -- closed forms and reference values -------------------------------------------------------------


def test_table_1_building():
    """Elastic limit 60.0 kN at 0.580 mm, undamaged cap 100.0 kN."""
    assert HOUSE.elastic_force == pytest.approx(60.0e3, abs=50)
    assert 1e3 * HOUSE.elastic_displacement == pytest.approx(0.580, abs=5e-4)
    assert HOUSE.strength == pytest.approx(100.0e3, abs=50)
    assert HOUSE.natural_frequency == pytest.approx(math.sqrt(16.07 * 6.438e6 / 40e3))
    assert HOUSE.worn_frequency(0.36) == pytest.approx(0.8 * HOUSE.natural_frequency)


def test_elastic_until_the_limit():
    u = np.linspace(0, HOUSE.elastic_displacement, 7)
    response = pushover(HOUSE, u)
    assert response.force == pytest.approx(HOUSE.elastic_stiffness * u, rel=1e-14)
    assert not response.wear.any() and not response.hardening[:-1].any()
    assert response.work[-1] == pytest.approx(HOUSE.elastic_force * u[-1] / 2, rel=1e-12)


def test_monotonic_to_18_mm():
    """Fig. 3: peak 98.485 kN at 8.4526 mm; at the end τ = 4561.2 N/m², w = 0.20246."""
    response = pushover(HOUSE, np.linspace(0, 0.018, 180_001))
    assert response.peak_force == pytest.approx(98.485e3, abs=1)
    assert response.displacement_at_peak == pytest.approx(8.4526e-3, abs=2e-7)
    assert response.stress[-1] == pytest.approx(4561.2, abs=0.05)
    assert response.wear[-1] == pytest.approx(0.20246, abs=5e-6)


def test_hardening_without_wear_has_a_closed_form():
    """With Γ → ∞ no wear: k d|u| = (k + a A∞ exp(−aα)) dα, so k|u| = τ_0 + kα + A∞(1 − e^{−aα})."""
    strong = replace(HOUSE, wear_energy=1e12)
    response = pushover(strong, [0.0, 0.004, 0.01])
    alpha = response.hardening[1:]
    reached = strong.threshold + strong.hardening_limit * (1 - np.exp(-500 * alpha))
    assert response.displacement[1:] == pytest.approx(alpha + reached / strong.stiffness, rel=1e-9)
    assert response.stress[1:] == pytest.approx(reached, rel=1e-9)


def test_perfect_plasticity():
    """No hardening, no wear: the force stays at its limit, all but the springs' energy is lost."""
    plain = replace(HOUSE, hardening_limit=0.0, wear_energy=1e12)
    response = pushover(plain, [0.0, 0.005, -0.005])
    assert response.force[1:] == pytest.approx([plain.elastic_force, -plain.elastic_force])
    slipped = (0.005 - 0.00058) + (0.010 - 2 * 0.00058)
    assert response.dissipated[-1] == pytest.approx(plain.elastic_force * slipped, rel=1e-4)


def test_consistent_hardening_function():
    """1/H as corrected keeps dF = 0 along slip; the one printed in eq. (3) does not."""
    a, limit, k = HOUSE.hardening_rate, HOUSE.hardening_limit, HOUSE.stiffness
    alpha, w, q = 0.012, 0.08, 0.92
    A, _, _, _ = masonry_step.hardening(alpha, w, PARAMS)
    tau, e = q * (HOUSE.threshold + A), math.exp(-a * alpha / q)
    W = float(wear_energy(HOUSE, stretched(tau / (k * q), alpha, w)))
    D = masonry_step.wear_rate(W, PARAMS)
    wanted = a * (limit - A / q) - D * (limit - 2 * limit * (q + a * alpha / 2) * e + tau / q**2)
    printed = a * (limit - A / q) + D * ((limit - 2 * limit * q + a / 2 * alpha) * e + tau / q**2)

    def F_after(inverse_H, step=1e-7):
        grown = step  # Δα; Δ|τ| = q Δα / H
        after = masonry_step.hardening(alpha + grown, w + D * grown, PARAMS)[0]
        return (tau + q * inverse_H * grown) / (q - D * grown) - HOUSE.threshold - after

    assert abs(F_after(wanted)) < 1e-6 * abs(F_after(wanted + k) - F_after(wanted))
    assert abs(F_after(printed)) > 100 * abs(F_after(wanted))


def test_contact_area_cannot_be_told_from_the_force():
    """A_c → c A_c with k_a, τ_0, A∞, Γ → /c leaves the force as it is."""
    c = 3.7
    other = replace(
        HOUSE,
        contact_area=c * HOUSE.contact_area,
        stiffness=HOUSE.stiffness / c,
        threshold=HOUSE.threshold / c,
        hardening_limit=HOUSE.hardening_limit / c,
        wear_energy=HOUSE.wear_energy / c,
    )
    for ramp in ("1.1", "1.3"):
        history = RAMPS[ramp].history(1000)
        one, two = pushover(HOUSE, history), pushover(other, history)
        assert two.force == pytest.approx(one.force, rel=1e-9, abs=1e-6)
        assert two.wear == pytest.approx(one.wear, rel=1e-9, abs=1e-15)
        assert two.dissipated == pytest.approx(one.dissipated, rel=1e-9, abs=1e-9)


# -- the two updates ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RAMPS)
def test_slip_function_is_held(name):
    response = pushover(HOUSE, RAMPS[name].history(2000))
    slips = np.abs(response.mode) == 1
    assert slips.any()
    assert np.abs(response.slip_function[slips]).max() < 1e-6 * HOUSE.threshold
    assert response.slip_function.max() < 1e-6 * HOUSE.threshold


@pytest.mark.parametrize("name", ["1.2", "1.3"])
def test_order_of_both_updates_and_their_common_limit(name):
    """Fitted over 22 step counts. The explicit error is a sawtooth of first order, the accurate one
    of second: what is left is that samples miss the extrema of the sine."""
    ramp = RAMPS[name]
    exact = pushover(HOUSE, ramp.history(2_000_000)).wear[-1]
    errors = {
        update: [abs(pushover(HOUSE, ramp.history(n), update).wear[-1] - exact) for n in COUNTS]
        for update in ("explicit", "accurate")
    }
    assert order(COUNTS, errors["explicit"]) == pytest.approx(1.0, abs=0.15)
    assert order(COUNTS, errors["accurate"]) > 1.95
    assert errors["explicit"][-1] < 1e-3 * exact
    assert errors["accurate"][-1] < 1e-6 * exact
    assert pushover(HOUSE, ramp.history(1_000_000), "explicit").wear[-1] == pytest.approx(
        exact, rel=2e-5
    )


def test_explicit_drifts_off_the_slip_surface_at_first_order():
    counts = np.array([20 * 2**j for j in range(10)]) + 7
    drift = []
    for n in counts:
        response = pushover(HOUSE, np.linspace(0, 0.018, n + 1), "explicit")
        drift.append(np.abs(response.slip_function[response.mode == 1]).max())
    assert drift[-1] > 1e-4 * HOUSE.threshold
    assert order(counts, drift) == pytest.approx(1.0, abs=0.25)


def test_explicit_energies_balance_with_small_steps():
    """Work = lost + stored, ∫(τ_0 dα + W dw) lost; where yield falls inside a step makes what is
    missing a sawtooth, as of all errors of this update."""
    for n, missing in ((4000, 1e-2), (64_000, 1e-4)):
        response = pushover(HOUSE, np.linspace(0, 0.018, n + 1), "explicit")
        assert abs(response.energy_balance[-1]) < missing * response.dissipated[-1]


def test_steps_do_not_matter_on_a_straight_way():
    """The accurate update divides long steps itself: ten steps are as good as ten thousand."""
    fine = pushover(HOUSE, np.linspace(0, 0.018, 10_001))
    for n in (1, 10, 160):
        coarse = pushover(HOUSE, np.linspace(0, 0.018, n + 1))
        assert coarse.stress[-1] == pytest.approx(fine.stress[-1], abs=5e-6)
        assert coarse.wear[-1] == pytest.approx(fine.wear[-1], rel=5e-9)
        assert coarse.work[-1] == pytest.approx(fine.work[-1], rel=1e-9)


@pytest.mark.parametrize("name", ["1.1", "1.2", "1.3"])
def test_set_1_with_2000_steps(name):
    """Fig. 5: beyond 2000 steps the explicit update is within 1 % of the final wear."""
    ramp = RAMPS[name]
    exact = pushover(HOUSE, ramp.history(400_000)).wear[-1]
    assert pushover(HOUSE, ramp.history(2000), "explicit").wear[-1] == pytest.approx(
        exact, rel=0.01
    )
    assert pushover(HOUSE, ramp.history(2000)).wear[-1] == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize("name", ["2a.1", "2a.2", "2a.3", "2b.1", "2b.2"])
def test_sets_2_and_3_converge(name):
    """Figs. 7 to 9: E_int and W; steps four times as long change the stress by less than 3 %."""
    ramp = RAMPS[name]
    exact = pushover(HOUSE, ramp.history(64 * 3000))
    for update, of_work, of_W in (("accurate", 1e-5, 4e-5), ("explicit", 0.005, 0.05)):
        fine = pushover(HOUSE, ramp.history(3000), update)
        assert fine.work == pytest.approx(exact.work[::64], abs=of_work * exact.work[-1])
        scale = of_W * exact.wear_energy.max()
        assert fine.wear_energy == pytest.approx(exact.wear_energy[::64], abs=scale)
        coarse = pushover(HOUSE, ramp.history(750), update)
        assert np.abs(coarse.stress - fine.stress[::4]).max() < 0.03 * np.abs(fine.stress).max()


# -- what must hold for any history ---------------------------------------------------------------

histories = st.lists(st.floats(-0.01, 0.01), min_size=2, max_size=12)
buildings = st.builds(
    lambda a, limit, wear, exponent: replace(
        HOUSE, hardening_rate=a, hardening_limit=limit, wear_energy=wear, wear_exponent=exponent
    ),
    st.floats(50, 2000),
    st.floats(0, 5000),
    st.floats(2, 50),
    st.floats(0.5, 3),
)


@given(buildings, histories)
def test_thermodynamics(building, history):
    """α, w and the loss never decrease; work = lost + stored; F ≤ 0 up to rounding."""
    response = pushover(building, history)
    for grows in (response.hardening, response.wear, response.dissipated):
        assert (np.diff(grows) >= 0).all()
    stands = response.mode != 2
    scale = 1e-6 * max(response.work.max(), 1e-3)
    assert np.abs(response.energy_balance[stands]).max(initial=0) < scale
    assert response.slip_function[stands].max(initial=-1) <= 1e-6 * building.threshold
    assert np.isfinite(response.points).all()
    assert (response.stress[~stands] == 0).all()


@given(buildings, histories)
def test_left_is_right_mirrored(building, history):
    one, two = pushover(building, history), pushover(building, -np.array(history))
    assert (one.stress == -two.stress).all() and (one.slip == -two.slip).all()
    assert (one.wear == two.wear).all() and (one.work == two.work).all()


@given(histories)
def test_points_on_the_way_change_nothing(history):
    finer = np.interp(np.arange(8 * len(history) - 7) / 8, np.arange(len(history)), history)
    one, two = pushover(HOUSE, history), pushover(HOUSE, finer)
    # where W passes zero, D = (W⁺/Γ)² has a kink in its slope: w is off by 1e-9 there
    assert two.wear[-1] == pytest.approx(one.wear[-1], rel=1e-7, abs=1e-8)
    assert two.stress[-1] == pytest.approx(one.stress[-1], abs=1e-3)


def test_wear_feeds_on_the_positive_part_of_its_energy():
    """W may dip below zero (worn and little hardened): no wear then, for any γ."""
    for exponent in (2.0, 1.5, 3.0):
        house = replace(HOUSE, wear_exponent=exponent)
        params = masonry_step.Building(*astuple(house))
        assert wear_energy(house, stretched(0.0, 0.0, 0.5)) < 0
        assert masonry_step.wear_rate(-1.0, params) == 0.0


# -- collapse and bad input -----------------------------------------------------------------------


@pytest.mark.parametrize("update", ["accurate", "explicit"])
def test_collapse_is_reported_and_nothing_is_nan(update):
    response = pushover(HOUSE, np.linspace(0, 0.2, 400_001), update)
    assert response.collapse == pytest.approx(0.0700, abs=2e-4)
    after = response.displacement > response.collapse + 1e-4
    assert (response.stress[after] == 0).all() and (response.mode[after] == 2).all()
    assert np.isfinite(response.points).all()
    assert "collapses at" in repr(response)


def test_the_dashed_line_is_named_for_what_it_is():
    """No force reaches the unworn limit: the figure must not call it the strength."""
    response = pushover(HOUSE, [0.0, 0.018])
    assert response.peak_force < HOUSE.strength
    force = response.plot().axes[0]
    assert [text.get_text() for text in force.get_legend().get_texts()][-1] == "unworn limit"
    assert force.get_lines()[0].get_ydata()[0] == pytest.approx(HOUSE.strength / 1e3)


def test_collapse_does_not_depend_on_the_steps():
    places = [pushover(HOUSE, np.linspace(0, 0.2, n)).collapse for n in (2, 50, 4001)]
    assert places == pytest.approx([places[0]] * 3, abs=2e-6)


def test_brittle_building_breaks_at_once():
    """Softening steeper than the springs (1 + q(A_α + A_w D)/k → 0): the stress drops, no NaN."""
    brittle = replace(HOUSE, wear_energy=0.02, stiffness=2e5)
    response = pushover(brittle, np.linspace(0, 0.2, 400))
    assert response.collapse is not None and np.isfinite(response.points).all()


def test_what_the_springs_hold_is_lost_when_it_collapses():
    """Of the work only what hardening has stored, Ψ(α, w), is not lost."""
    response = pushover(HOUSE, np.linspace(0, 0.1, 400))
    last = np.argmax(response.mode == 2)
    alpha, w = response.hardening[last], response.wear[last]
    held, stored = (
        stored_energy(HOUSE, stretched(x, alpha, w))
        for x in (masonry_step.slip_limit(alpha, w, PARAMS), 0.0)
    )
    kept = response.work[last] - response.dissipated[last]
    assert kept == pytest.approx(stored, abs=1e-3 * (held - stored))


@pytest.mark.parametrize("points", [2, 400, 40_001])
@pytest.mark.parametrize("changes", [{}, {"wear_energy": 0.02, "stiffness": 2e5}])
def test_no_energy_is_missing_after_a_collapse(changes, points):
    """Neither where it wears out nor where it breaks, nor as it is pushed on."""
    building = replace(HOUSE, **changes)
    response = pushover(building, np.linspace(0, 0.2, points))
    assert response.mode[-1] == 2 and response.collapse < 0.1
    held = building.elastic_force * building.elastic_displacement / 2
    assert np.abs(response.energy_balance).max() < 1e-7 * held


@pytest.mark.parametrize("name", [field.name for field in fields(HOUSE)])
@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf, "forty"])
def test_bad_parameters_are_named(name, value):
    with pytest.raises(InputError, match=f"{name} = .* is not allowed"):
        replace(HOUSE, **{name: value})


def test_zero_damping_and_hardening_are_buildings_but_zero_mass_is_none():
    replace(HOUSE, damping=0.0, hardening_limit=0.0)
    with pytest.raises(InputError, match="mass = 0"):
        replace(HOUSE, mass=0)
    with pytest.raises(InputError, match=r"wear = 1\.2"):
        HOUSE.worn_frequency(1.2)


@pytest.mark.parametrize(
    ("history", "words"),
    [
        ([0.0, math.nan], r"displacement\[1\] = nan"),
        ([0.0, 18e3], "metres"),
        ([0.001], "at least 2"),
        ([[0.0, 1.0]], "one-dimensional"),
        (["a", "b"], "sequence of numbers"),
    ],
)
def test_bad_histories(history, words):
    with pytest.raises(InputError, match=words):
        pushover(HOUSE, history)


def test_bad_update_and_bad_body():
    with pytest.raises(InputError, match="'accurate'"):
        pushover(HOUSE, [0, 1e-3], update="implicit")
    with pytest.raises(InputError, match="MasonryBuilding"):
        pushover("house", [0, 1e-3])

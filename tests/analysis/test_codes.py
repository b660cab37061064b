"""Checks by code: every digit that was worked out by hand, laws of scale, and honest printing."""

import csv
import io
import json
import math
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.analysis import codes
from rocksteady.analysis.codes import asce43, fema_p58, histories
from rocksteady.analysis.codes.result import INPUT, as_csv
from rocksteady.analysis.codes.site import bears
from rocksteady.analysis.stripes import stripes
from rocksteady.errors import InputError, RocksteadyWarning
from rocksteady.motion import floor_spectra
from rocksteady.motion.code_spectra import Eurocode8, Ntc2018
from rocksteady.motion.floors import Floor
from rocksteady.motion.scaling import scale_to_spectrum
from rocksteady.motion.spectra import response_spectrum

G = 9.81
PARAPET = rs.Block(height=1.2, width=0.25)
STATUE = rs.Block(height=1.8, width=0.5)
GROUND = Eurocode8(ag=0.25 * G, soil="B")
ITALY = Ntc2018(ag=0.25 * G, F0=2.4, Tc_star=0.35, soil="B")
ROOF = Floor(period=0.5, storeys=4)
DIGITS = {"rel": 1e-6}


@pytest.fixture(scope="module")
def ten():
    """Ten motions, scaled to the spectrum."""
    kinds = [
        rs.stochastic.Parameters(1.0, 10.0, 6.0, frequency, 0.0, 0.3)
        for frequency in (1.0, 2.0, 3.0, 5.0, 8.0)
    ]
    drawn = [motion for kind in kinds for motion in rs.stochastic.ensemble(2, 1, kind)]
    named = [motion.renamed(f"motion {i}") for i, motion in enumerate(drawn)]
    return codes.matched(named, codes.Site(GROUND))


# -- Circolare, kinematic: a parapet worked out by hand --------------------------------------------


def test_parapet_on_the_ground():
    check = codes.check(PARAPET, GROUND)
    assert check["α_0"] == pytest.approx(0.2083333, **DIGITS)
    assert check["e*"] == pytest.approx(1, rel=1e-12)
    assert check["FC"] == 1.35
    assert check["a_0"] == pytest.approx(1.5138889, **DIGITS)
    assert check["d_0"] == pytest.approx(0.125, rel=1e-12)
    assert check["T_SLV"] == pytest.approx(1.2382876, **DIGITS)
    assert check["S_De,SLV"] == pytest.approx(0.1012023, **DIGITS)
    assert check["d/S_De,SLV"] == pytest.approx(0.4940599, **DIGITS)
    assert check["a_g(d_SLV)"] == pytest.approx(0.1235150, **DIGITS)
    assert check["T_SLC"] == pytest.approx(1.7247578, **DIGITS)
    assert check["S_De,SLC"] == pytest.approx(0.1312269, **DIGITS)
    assert check["a_g(d_SLC)"] == pytest.approx(0.1428822, **DIGITS)
    assert check.limit("SLV, linear").bears == pytest.approx(0.2572016, **DIGITS)
    assert check.limit("SLD").bears == pytest.approx(0.1286008, **DIGITS)


def test_lift_off_governs_where_the_displacement_check_bears_less():
    check = codes.check(PARAPET, GROUND)
    assert check["a_g(d_SLV)"] < check["a_g,SLD"]
    assert check.limit("SLV, nonlinear").bears == check["a_g,SLD"]
    assert "SLD governs" in str(check)
    assert check.limit("SLC, nonlinear").bears == check["a_g(d_SLC)"]  # there it does not


def test_parapet_by_the_exact_curve():
    check = codes.check(PARAPET, GROUND, curve="exact")
    assert check["T_SLV"] == pytest.approx(1.2467987, **DIGITS)
    assert check["T_SLC"] == pytest.approx(1.7402677, **DIGITS)


def test_parapet_in_slices():
    """The same body with its mass spread: the capacity is a third higher, the period the same."""
    lumped, slices = (codes.check(PARAPET, GROUND, e_star=how) for how in ("lumped", "slices"))
    assert slices["e*"] == pytest.approx(0.75, abs=1e-9)
    assert slices["a_g(d_SLV)"] == pytest.approx(0.1646866, **DIGITS)
    assert slices["T_SLV"] == pytest.approx(lumped["T_SLV"], rel=1e-9)
    assert slices["a_0"] / lumped["a_0"] == pytest.approx(4 / 3, rel=1e-9)
    assert "spread over the height" in str(slices) and "all in the centroid" in str(lumped)


def test_parapet_on_a_roof():
    check = codes.check(PARAPET, GROUND, floor=ROOF)
    assert check["S_e(T_1)"] == pytest.approx(7.3575, **DIGITS)
    assert check["a_Z"] == pytest.approx(9.8589280, **DIGITS)
    assert check["A_SLV"] == pytest.approx(4.3145550, **DIGITS)
    assert check["S_eZ(T_SLV)"] == pytest.approx(7.9683298, **DIGITS)
    assert check["S_DeZ(T_SLV)"] == pytest.approx(0.3094929, **DIGITS)
    assert check["least d_SLV"] == pytest.approx(0.3259353, **DIGITS)
    assert check["S_De,SLV"] == check["least d_SLV"]  # it governs


def test_parapet_by_the_italian_spectrum():
    check = codes.check(PARAPET, ITALY)
    assert check["S"] == pytest.approx(1.16, **DIGITS)
    assert check["C_C"] == pytest.approx(1.35699759, **DIGITS)
    assert check["T_C"] == pytest.approx(0.47494916, **DIGITS)
    assert check["S_De,SLV"] == pytest.approx(0.08921040, **DIGITS)
    at_limit = codes.Site(ITALY).at(check["a_g(d_SLV)"])
    assert at_limit.displacement(check["T_SLV"], 0.08) == pytest.approx(0.05, rel=1e-12)


def test_building_damping_is_a_ratio_in_the_amplification():
    """C7.2.6 says per cent. Then the floor's spectrum in resonance would be 0.49 of the floor's own
    peak; but an oscillator in resonance moves more than the floor that drives it."""
    ratio = floor_spectra.circolare_amplification(0.05, 0.05)
    per_cent = 1.1 * 5**-0.5
    assert ratio == pytest.approx(4.9193, abs=1e-4) and per_cent == pytest.approx(0.49, abs=2e-3)
    motion = rs.pulses.sine(amplitude=1.0, period=0.4, cycles=3, dt=0.005)
    roof = ROOF.motion(motion)
    shown = response_spectrum(roof, [0.5], 0.05, exact=True).psa[0] / roof.pga
    assert shown > 2
    check = codes.check(PARAPET, GROUND, floor=ROOF)
    assert check["A_SLV"] > 4 and "as a ratio" in str(check)


def test_demand_beyond_the_longest_period_keeps_its_displacement():
    site = codes.Site(GROUND)
    assert site.displacement(5.0, 0.05) == pytest.approx(site.displacement(4.0, 0.05), rel=1e-12)
    tower = codes.check(rs.Block(height=20.0, width=1.0), GROUND)
    assert tower["T_SLC"] > 4 and math.isfinite(tower.limit("SLC").bears)


def test_element_free_to_vibrate():
    """T_0 = κ λ L √(W/(E g)) = 6.2 · 4.8 · 1.2 · √(2600/1e9), and the spectrum there."""
    rigid, free = codes.check(PARAPET, GROUND), codes.check(PARAPET, GROUND, modulus=1e9)
    T_0 = 6.2 * (1.2 / 0.25) * 1.2 * math.sqrt(2600 / 1e9)
    assert free["T_0"] == pytest.approx(T_0, rel=1e-12)
    assert free["S_eZ(T_0)"] == pytest.approx(float(GROUND.acceleration(T_0)), rel=1e-12)
    share = GROUND.pga / float(GROUND.acceleration(T_0))
    assert free.limit("SLD").bears == pytest.approx(rigid.limit("SLD").bears * share, rel=1e-9)
    soft = codes.check(PARAPET, GROUND, modulus=1e5)  # so soft that the branch matters at d_SLV
    assert soft["a(d_SLV)"] == pytest.approx(4 * math.pi**2 * 0.05 / soft["T_0"] ** 2)


# -- mechanisms in general -------------------------------------------------------------------------


def test_block_is_a_chain_of_one():
    weight = PARAPET.mass * PARAPET.g
    chain = codes.Mechanism.of_chain([weight], [0.6], [0.125], d_c0=0.125)
    by_hand, block = codes.check(chain, GROUND), codes.check(PARAPET, GROUND)
    for symbol in ("α_0", "e*", "a_0", "d_0", "T_SLV", "a_g(d_SLV)", "a_g,SLC"):
        assert by_hand[symbol] == pytest.approx(block[symbol], rel=1e-12)


def test_chain_with_tie_load_and_force_by_hand():
    """Wall 10 kN, floor 4 kN that rests on it and pushes with 3 kN more, thrust 0.5 kN, tie."""
    P, Q, x, y = [10.0, 4.0], [0.0, 3.0], [1.5, 3.0], [0.2, 0.3]
    chain = codes.Mechanism.of_chain(
        P, x, y, masses=Q, forces=[0.5], force_displacements=[3.0], internal=0.9, d_c0=0.35,
        control=3.0,
    )  # fmt: skip
    first = 10 * 1.5 + 7 * 3
    second = 10 * 1.5**2 + 7 * 3**2
    assert chain.alpha0 == pytest.approx((10 * 0.2 + 4 * 0.3 - 0.5 * 3 + 0.9) / first)
    assert chain.e_star == pytest.approx(first**2 / (17 * second))
    assert chain.spectral == pytest.approx(second / (3 * first))
    assert chain.d0 == pytest.approx(0.35 * second / (3 * first))
    assert chain.multiplier(chain.d0 / 4) == pytest.approx(0.75 * chain.alpha0)
    centroid = codes.Mechanism.of_chain(P, x, y, masses=Q, d_c0=0.35).control
    assert centroid == pytest.approx((10 * 1.5 + 7 * 3) / 17)  # of all that is shaken


def test_ties_that_break_and_beams_that_fall():
    """C8.7.1.2.1.6: a rupture limits the SLV, what falls limits both limit states."""
    usual = {"weights": [10.0], "horizontal": [1.5], "vertical": [0.2], "d_c0": 0.2}
    plain, breaks, falls = (
        codes.check(codes.Mechanism.of_chain(**usual, **limits), GROUND)
        for limits in ({}, {"rupture": 0.05}, {"unseats": 0.06})
    )
    found = [(check["d_SLV"], check["d_SLC"]) for check in (plain, breaks, falls)]
    assert found == [pytest.approx(d) for d in ((0.08, 0.12), (0.05, 0.12), (0.06, 0.06))]
    assert breaks["a_g(d_SLV)"] < plain["a_g(d_SLV)"]
    assert "where something breaks" in str(breaks) and "where something" not in str(plain)


def test_control_point_does_not_change_the_oscillator():
    """The same chain by two control points: d_C scales with δ_C, and the check is the same."""
    P, x, y = [10.0, 4.0], [1.5, 3.0], [0.2, 0.3]
    by = [
        codes.check(codes.Mechanism.of_chain(P, x, y, control=c, d_c0=0.1 * c), GROUND)
        for c in (1.5, 3.0)
    ]
    assert by[0]["a_g(d_SLV)"] == pytest.approx(by[1]["a_g(d_SLV)"], rel=1e-12)


def test_exact_curve_of_a_block_is_its_statics():
    """α(θ) = tan(α − θ) at d = R [sin α − sin(α − θ)]."""
    chain = codes.Mechanism.of_block(STATUE)
    for share in (0.0, 0.3, 0.7, 1.0):
        theta = share * STATUE.alpha
        d = STATUE.R * (math.sin(STATUE.alpha) - math.sin(STATUE.alpha - theta))
        found = float(chain.multiplier(d, "exact"))
        assert found == pytest.approx(math.tan(STATUE.alpha - theta), abs=1e-12)


# -- laws ------------------------------------------------------------------------------------------

SIZES = st.floats(0.5, 6.0)
SLOPES = st.floats(0.05, 0.5)


@settings(max_examples=40)
@given(SIZES, SLOPES, st.floats(1.1, 3.0))
def test_similar_bodies(height, slope, factor):
    """α_0 and lift-off are those of the shape; periods grow with the root of the size, and the
    larger body bears more."""
    small, large = (rs.Block(k * height, k * height * slope) for k in (1.0, factor))
    a, b = (codes.check(block, GROUND) for block in (small, large))
    assert b["α_0"] == pytest.approx(a["α_0"], rel=1e-12)
    assert b["a_g,SLD"] == pytest.approx(a["a_g,SLD"], rel=1e-9)
    assert b["T_SLV"] == pytest.approx(math.sqrt(factor) * a["T_SLV"], rel=1e-9)
    assert b["a_g(d_SLV)"] >= a["a_g(d_SLV)"] * (1 - 1e-9)


@settings(max_examples=40)
@given(SIZES, SLOPES, st.floats(1.05, 1.5))
def test_wider_bodies_bear_more(height, slope, factor):
    narrow, wide = (rs.Block(height, k * height * slope) for k in (1.0, factor))
    for code in ("circolare", "ec8", "asce43"):
        a, b = (codes.check(block, GROUND, code) for block in (narrow, wide))
        for before, after in zip(a.limits, b.limits, strict=True):
            assert after.bears >= before.bears * (1 - 1e-9)


@settings(max_examples=40)
@given(st.floats(0.05, 0.6), st.sampled_from("ABCDE"))
def test_required_acceleration_does_not_change_what_is_borne(ag, soil):
    one, other = (codes.check(PARAPET, Eurocode8(ag=a * G, soil=soil)) for a in (ag, 0.3))
    for mine, theirs in zip(one.limits, other.limits, strict=True):
        assert mine.bears == pytest.approx(theirs.bears, rel=1e-9)
    assert one.limit("SLV, linear").ratio == pytest.approx(one.limit("SLV, linear").bears / ag)


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_higher_floors_ask_for_more(low, high):
    lower, upper = sorted((low, high))
    levels = [Floor(period=0.5, storeys=100, level=round(100 * z)) for z in (lower, upper)]
    a, b = (codes.check(PARAPET, GROUND, "ec8", floor=floor) for floor in levels)
    assert b.limits[0].bears <= a.limits[0].bears * (1 + 1e-9)


def test_ground_floor_is_the_ground():
    on_ground = codes.check(PARAPET, GROUND)
    level_0 = codes.check(PARAPET, GROUND, floor=Floor(period=0.5, storeys=4, level=0))
    assert [limit.bears for limit in level_0.limits] == [limit.bears for limit in on_ground.limits]


def test_first_crossing_where_the_soil_factor_falls():
    """On soil D of the NTC a_g S falls from F_0 a_g = 0.8 to 1: the smallest a_g counts."""
    site = codes.Site(Ntc2018(ag=0.3 * G, F0=2.5, Tc_star=0.3, soil="D"), g=G)
    peak = [site.at(ag).peak() for ag in (0.32, 0.40)]
    assert peak[1] < peak[0]
    found = bears(site, codes.Site.peak, peak[1])
    assert found < 0.32 and site.at(found).peak() == pytest.approx(peak[1], rel=1e-12)
    assert bears(site, codes.Site.peak, 1e6) == math.inf


# -- time histories --------------------------------------------------------------------------------


@pytest.mark.parametrize("ag", [0.19, 0.25])
def test_time_histories_by_hand(ten, ag):
    """C8.7.1.2.1.9 on ten motions from nothing but the peaks of `rs.simulate`."""
    motions = [motion.scaled(ag / 0.25) for motion in ten]
    spectrum = Eurocode8(ag=ag * G, soil="B")
    check = codes.check(PARAPET, spectrum, "histories", motions=motions)
    R, alpha, d0 = PARAPET.R, PARAPET.alpha, 0.125
    by_hand = []
    for motion in motions:
        peak = rs.simulate(PARAPET, motion).peak
        theta = min(peak, 1.0) * alpha
        by_hand.append(R * (math.sin(alpha) - math.sin(alpha - theta)))
    found = [line.value for line in check.lines if re.fullmatch(r"d_\d+", line.symbol)][1:]
    assert found == pytest.approx(by_hand, rel=1e-9, abs=1e-12)
    none = all(d < d0 * (1 - 1e-12) for d in by_hand)
    assert check["N_0"] == sum(d >= d0 * (1 - 1e-12) for d in by_hand)
    assert check["mean d"] == pytest.approx(np.mean(by_hand), rel=1e-9)
    assert check.limit("SLV").satisfied is (none and float(np.mean(by_hand)) <= 0.4 * d0)


def test_levels_of_the_time_histories(ten):
    """What it bears is the last level before the first at which a motion reaches d_0, or the mean
    is too large: from an ensemble of the same motions at the same factors."""
    found = codes.compare(
        PARAPET, GROUND, use=["histories"], motions=ten, levels=[0.1, 0.15, 0.2, 0.3]
    )
    peaks = rs.ensemble(PARAPET, ten, scales=[0.4, 0.6, 0.8, 1.2], progress=False).peak.values[0]
    there = (peaks >= 1).any(axis=0)
    d = PARAPET.R * (np.sin(PARAPET.alpha) - np.sin(PARAPET.alpha * (1 - np.minimum(peaks, 1))))
    broken = there | (d.mean(axis=0) > 0.05)
    first = int(np.argmax(broken))
    assert broken.any() and first > 0
    assert found["histories"].limit("SLV").bears == [0.1, 0.15, 0.2, 0.3][first - 1]
    share = (peaks >= 1).mean(axis=0)
    assert found.level(0.1) == [0.1, 0.15, 0.2, 0.3][int(np.argmax(share >= 0.1))]


def test_time_histories_on_a_floor(ten):
    few = ten[:3]
    check = codes.check(PARAPET, GROUND, "histories", motions=few, floor=ROOF)
    peaks = [rs.simulate(PARAPET, ROOF.motion(motion)).peak for motion in few]
    expected = histories.displacement(PARAPET, np.array(peaks))
    found = [line.value for line in check.lines if re.fullmatch(r"d_\d+", line.symbol)][1:]
    assert found == pytest.approx(expected.tolist(), rel=1e-9)
    assert "3 motions are few" in str(check)


def test_collapse_limit_has_its_own_acceleration(ten):
    check = codes.check(PARAPET, GROUND, "histories", motions=ten, ag_slc=0.1)
    assert check.limit("SLC").required == 0.1 and check.limit("SLC").satisfied is True
    assert check.limit("SLV").satisfied is False
    both = codes.compare(
        PARAPET, GROUND, use=["histories"], motions=ten, levels=[0.1, 0.25], ag_slc=0.1
    )
    assert [line.value for line in both["histories"].lines if line.symbol == "mean d"] == [
        line.value for line in check.lines if line.symbol == "mean d"
    ]


def test_few_motions_can_show_that_it_fails_but_not_that_it_holds(ten):
    few = codes.check(PARAPET, GROUND, "histories", motions=ten[:6], ag_slc=0.1)
    assert few.limit("SLC").satisfied is None and few.limit("SLV").satisfied is False
    assert "SLC: no verdict, since 6 motions are too few for a mean: 7" in few.text()
    seven = codes.check(PARAPET, GROUND, "histories", motions=ten[:7], ag_slc=0.1)
    assert seven.limit("SLC").satisfied is True


@pytest.mark.parametrize(
    ("use", "given", "said"),
    [
        (["ec8"], {"fc": 1.4}, "fc is read by the check circolare, which is not made"),
        (["ec8"], {"ag_slc": 0.2}, "the checks circolare and histories, which are not made"),
        (["circolare"], {"importance": 1.5}, "importance is read by the check ec8"),
        (None, {"clearance": 0.1}, "clearance is read by the check asce43-sliding"),
    ],
)
def test_a_choice_that_no_check_reads_is_refused(use, given, said):
    with pytest.raises(InputError, match=said):
        codes.compare(PARAPET, GROUND, use=use, **given)


def test_every_choice_is_read_by_some_check():
    from dataclasses import fields

    from rocksteady.analysis.codes.settings import READ_BY, Settings

    assert set(READ_BY) == set(codes.CODES)
    assert {n for names in READ_BY.values() for n in names} == {f.name for f in fields(Settings)}


ANOTHER = {  # beside what the check needs
    "circolare": (
        {}, {"fc": 1.5, "e_star": "slices", "curve": "exact", "q": 3.0, "ag_sld": 0.1,
             "ag_slc": 0.3, "modulus": 1e8},
    ),
    "histories": ({}, {"ag_slc": 0.3}),
    "ec8": ({}, {"importance": 1.5, "behaviour": 2.0, "element_period": 0.3}),
    "asce43": ({}, {"vertical": 0.5}),
    "asce43-sliding": (
        {"friction": 0.15}, {"friction": 0.14, "vertical": 0.5, "clearance": 0.1, "horizontal": 1.2}
    ),
    "fema": ({"pfv": 0.4}, {"pfv": 0.5, "item": "E.20.22.104a"}),
}  # fmt: skip


@pytest.mark.parametrize("code", ANOTHER)
def test_every_choice_changes_what_its_check_says(code, ten):
    from rocksteady.analysis.codes.settings import READ_BY

    needs, others = ANOTHER[code]
    assert set(others) | {"crushing"} == set(READ_BY[code]) | {"crushing"}

    def said(**choices):
        more = {"histories": {"motions": ten[:1]}, "ec8": {"floor": ROOF}}.get(code, {})
        return codes.check(PARAPET, GROUND, code, **more, **needs | choices).text()

    usual = said()
    for name, value in others.items():
        assert said(**{name: value}) != usual, name
    if code == "circolare":  # a survey of crushing alone changes nothing, but allows a lower factor
        assert said(crushing=True, fc=1.2) != usual


def test_runs_that_exist_are_not_made_again(ten, monkeypatch):
    """Those at the required a_g decide the verdict, the others the a_g at the limits."""
    site, two = codes.Site(GROUND, None, PARAPET.g), list(ten[:2])
    at_ag = histories.runs_in_ag(PARAPET, two, site, levels=[site.ag])
    runs = histories.runs_in_ag(PARAPET, two, site, levels=[0.1, site.ag, 0.4])
    expected = histories.time_histories(PARAPET, site, two, runs=runs)

    def again(*_, **options):
        raise AssertionError(f"run again at {options}")

    monkeypatch.setattr(histories, "runs_in_ag", again)
    found = histories.time_histories(PARAPET, site, two, runs=runs, at_ag=at_ag)
    assert found.lines == expected.lines and found.limits == expected.limits
    with pytest.raises(AssertionError, match=r"levels': \[0.25, 0.3\]"):  # another a_g is asked
        histories.time_histories(
            PARAPET, site, two, codes.Settings(ag_slc=0.3), runs=runs, at_ag=at_ag
        )


def test_matching_is_that_of_the_motions_room(ten):
    periods = np.geomspace(0.15, 2.0, 400)
    target = GROUND.acceleration(periods)
    raw = [motion.scaled(factor) for motion, factor in zip(ten[:2], (0.3, 4.0), strict=True)]
    for ours, motion in zip(codes.matched(raw, codes.Site(GROUND)), raw, strict=True):
        theirs = scale_to_spectrum(motion, periods, target, 0.15, 2.0)
        assert ours.pga == pytest.approx(theirs.pga, rel=1e-4)
    with pytest.raises(InputError, match="all zeros"):
        codes.matched([rs.Motion(np.zeros(500), 0.01)], codes.Site(GROUND))


def test_motions_that_do_not_fit_the_spectrum(ten):
    weak = [motion.scaled(0.3) for motion in ten[:2]]
    with pytest.warns(RocksteadyWarning, match=r"0\.3. of the code's .* --match"):
        codes.compare(PARAPET, GROUND, use=["fema"], motions=weak, levels=[0.25])
    check = codes.check(PARAPET, GROUND, "histories", motions=ten)
    assert check["mean ratio"] == pytest.approx(
        float(codes.spectrum_ratio(codes.Site(GROUND), ten).mean())
    )
    assert 0.9 < check["mean ratio"] < 1.3


def test_runs_that_fail_count_as_falls(ten):
    from dataclasses import replace

    runs = stripes(PARAPET, ten[:3], levels=[0.05, 0.06], progress=False)
    unknown = np.array([[True, True], [True, False], [True, True]])
    broken = replace(runs, known=unknown, peak=np.where(unknown, runs.peak, np.nan))
    assert not histories.reached(runs).any()
    assert histories.reached(broken)[1, 1]


# -- the other codes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "T_a", "T_1", "S_a"),
    [(4, 0.0, 1.0, 0.75), (4, 1.0, 1.0, 1.65), (2, 0.1, 0.5, 0.673170732)],
)
def test_eurocode_force(level, T_a, T_1, S_a):
    floor = Floor(period=T_1, storeys=4, level=level)
    check = codes.check(PARAPET, GROUND, "ec8", floor=floor, element_period=T_a)
    assert check["S_a"] == pytest.approx(S_a, **DIGITS)
    assert check["F_a"] == pytest.approx(S_a * PARAPET.mass * G, **DIGITS)
    assert check.limits[0].bears == pytest.approx(0.25 * (0.125 / 0.6) / S_a, rel=1e-9)


def test_eurocode_factors():
    plain = codes.check(PARAPET, GROUND, "ec8")
    assert plain["S_a"] == pytest.approx(0.3)  # αS on the ground
    assert plain["W_a"] == pytest.approx(2600 * 1.2 * 0.25 * 9.81, rel=1e-12)
    both = codes.check(PARAPET, GROUND, "ec8", importance=1.5, behaviour=2.0)
    assert both.limits[0].bears == pytest.approx(plain.limits[0].bears * 2 / 1.5, rel=1e-9)


def test_reserve_energy_of_a_statue():
    half = asce43.at_angle(STATUE, STATUE.alpha / 2)
    assert pytest.approx(0.8925501, **DIGITS) == half.C_R
    assert pytest.approx(STATUE.eta, rel=1e-12) == half.C_R  # Housner's
    assert half.damping == pytest.approx(0.0361594, rel=2e-6)
    assert half.capacity / G == pytest.approx(0.4121085, **DIGITS)
    assert half.frequency == pytest.approx(0.7707116, **DIGITS)


def test_reserve_energy_of_any_body():
    """C_I is 4/3 (1 + a²) for a rectangle; a body with an inertia of its own has its own."""
    a = 0.25 / 0.9
    assert pytest.approx(4 / 3 * (1 + a**2), rel=1e-12) == asce43.at_angle(STATUE, 0.1).C_I
    heavy = rs.Block(1.8, 0.5, inertia=2 * STATUE.inertia)
    assert pytest.approx(heavy.eta, rel=1e-12) == asce43.at_angle(heavy, 0.1).C_R
    assert asce43.at_angle(heavy, 0.1).frequency < asce43.at_angle(STATUE, 0.1).frequency


def test_reserve_energy_is_energy():
    """f_1 h is how far the centroid rises, f_2 h how far it goes sideways, at any angle."""
    for share in (0.2, 0.6, 1.0):
        theta = share * STATUE.alpha
        step = asce43.at_angle(STATUE, theta)
        rise = STATUE.R * (math.cos(STATUE.alpha - theta) - math.cos(STATUE.alpha))
        way = STATUE.R * (math.sin(STATUE.alpha) - math.sin(STATUE.alpha - theta))
        assert step.f1 * 0.9 == pytest.approx(rise, rel=1e-12)
        assert step.f2 * 0.9 == pytest.approx(way, rel=1e-12)


def test_rotation_balances_demand_and_capacity():
    check = codes.check(STATUE, Eurocode8(ag=0.35 * G, soil="B"), "asce43")
    assert 0 < check["θ_0"] < STATUE.alpha
    assert check["SA_cap"] == pytest.approx(check["SA(f_e, β_e)"], rel=1e-9)
    border = Eurocode8(ag=check.limits[0].bears * G * 1.0001, soil="B")
    assert codes.check(STATUE, border, "asce43")["θ_0"] == math.inf
    still = codes.check(STATUE, Eurocode8(ag=0.2 * G, soil="B"), "asce43")
    assert still["θ_0"] == 0 and still.limits[0].ratio > 1  # 0.24 g does not lift it off


def test_reserve_energy_is_not_less_than_lift_off():
    """A body of 0.6 × 0.12 m would "overturn" before it lifts off."""
    check = codes.check(rs.Block(0.6, 0.12), GROUND, "asce43")
    assert check["a_g(α)"] < check["a_g,lifts"] == check["a_g,lim"]


def test_sliding_by_hand():
    check = codes.check(
        PARAPET, GROUND, "asce43-sliding", friction=0.15, vertical=0.6, clearance=0.1
    )
    mu_e = 0.15 * (1 - 0.4 * 0.6 * 0.3)
    c_s = 2 * mu_e * G
    assert check["μ_e"] == pytest.approx(mu_e, rel=1e-12)
    # in the branch 1/T the spectrum with 10 % is a_g S 2.5 η T_C/T
    T = 0.25 * G * 1.2 * 2.5 * math.sqrt(10 / 15) * 0.5 / c_s
    assert 0.5 < T < 2
    assert check["δ_s"] == pytest.approx(c_s * (T / (2 * math.pi)) ** 2, rel=1e-9)
    slides = Eurocode8(ag=check["a_g,lim"] * G, soil="B")
    again = codes.check(PARAPET, slides, "asce43-sliding", friction=0.15, vertical=0.6)
    assert again["δ_s"] == pytest.approx(0.1, rel=1e-6)
    rests = codes.check(PARAPET, GROUND, "asce43-sliding", friction=0.5)
    assert rests["δ_s"] == 0 and rests.limits[0].ratio > 1
    # μ_e just above the peak of 0.3 g: it stays, though the plateau of 0.612 g exceeds c_s, 0.601 g
    stays = codes.check(
        PARAPET, GROUND, "asce43-sliding", friction=0.3003 / (1 - 0.4 * 0.6 * 0.3), vertical=0.6
    )
    assert stays["c_s"] == pytest.approx(0.6006 * G) and stays["δ_s"] == 0


def test_contents():
    for item, (_, median) in fema_p58.ITEMS.items():
        assert fema_p58.probability(item, median) == pytest.approx(0.5)
        assert fema_p58.probability(item, median * math.exp(0.5)) == pytest.approx(0.8413447)
    check = codes.check(STATUE, GROUND, "fema", pfv=0.4, item="E.20.22.104a")
    assert check["a_g,50"] == pytest.approx(0.25 * 0.361 / 0.4)
    assert not check.limits and "comparison" in str(check)


def test_contents_from_motions(ten):
    check = codes.check(STATUE, GROUND, "fema", motions=ten)
    speeds = [rs.intensity.pgv(motion) for motion in ten]
    assert check["PFV"] == pytest.approx(float(np.median(speeds)))


# -- codes beside real records: the table in docs/codes.md -----------------------------------------


@pytest.fixture(scope="module")
def real(records):
    """The distinct horizontal components above 0.2 g: miniSEED repeats Ridgecrest, IELC180 is El
    Centro once more."""
    with warnings.catch_warnings():  # of verticals that are copies, which are not used
        warnings.simplefilter("ignore", RocksteadyWarning)
        found = rs.read_motions(records, unreadable="skip")
    again = ("MSEED", "AT2/IELC180")
    return [
        rs.Motion(motion.accel, motion.dt, name=name)
        for name, motion in found.items()
        if motion.pga > 0.2 * G and not name.startswith(again)
    ]


def documented():
    """The table's rows: block, and the numbers."""
    page = (Path(__file__).parents[2] / "docs" / "codes.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d\.\d) × (0\.\d+) \|(.+)\|$", page, re.MULTILINE)
    assert len(rows) == 5
    return [
        (*map(float, row[:2]), [float(n) for n in re.findall(r"\d\.\d+", row[2])]) for row in rows
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("height", "width", "numbers"), documented())
def test_table_of_the_documentation(real, height, width, numbers):
    assert len(real) == 28
    found = codes.compare(
        rs.Block(height, width), GROUND, use=["circolare", "histories", "asce43", "ec8"],
        motions=real, match=True, fc=1.0, crushing=True,
    )  # fmt: skip
    _, linear, slv, slc = (limit.bears for limit in found["circolare"].limits)
    ours = [linear, slv, slc, found["histories"].limit("SLV").bears]
    ours += [found.level(0.1), found.level(0.5)]
    ours += [found["asce43"].limits[0].bears, found["ec8"].limits[0].bears]
    assert [round(value, 3) for value in ours] == numbers


# -- printing --------------------------------------------------------------------------------------

NUMBER = re.compile(r"\d")
CLAUSED = re.compile(r"\[[^\]]+\][.]?$")


@pytest.fixture(scope="module")
def everything(ten):
    return codes.compare(PARAPET, GROUND, floor=ROOF, motions=ten, friction=0.3, levels=20)


def test_every_number_has_its_clause(everything):
    assert [check.code for check in everything.checks] == list(codes.CODES)
    for check in everything.checks:
        for line in check.lines:
            assert line.clause and line.symbol and line.words and line.part
            assert line.clause.startswith(INPUT) or NUMBER.search(line.clause), line
        title, *printed = check.text().splitlines()
        assert check.body in title
        for text in printed:
            if NUMBER.search(text) and text.startswith("  "):
                assert CLAUSED.search(text), text


def test_printed_numbers_are_those_of_the_lines(everything):
    check = everything["circolare"]
    text = check.text()
    assert re.search(r"T_SLV .* 1\.2383 s +\[C8\.7\.1\.10\]", text)
    assert "e*" in text and "all in the centroid" in text and "LC1" in text


def test_comparison_says_all_in_one_table(everything):
    rows = everything.rows
    assert len(rows) > 10
    assert {row.clause for row in rows} >= {"C8.7.1.2.1.7", "C8.7.1.2.1.9", "A.2", "4.3.5.2"}
    assert rows[-1].limit == "50 % reach d_0" and rows[-1].bears == everything.level(0.5)
    text = str(everything)
    for row in rows:
        assert row.limit in text
    count = int(histories.reached(everything.at_ag).sum())
    assert f"reaches d_0 in {count} of 10 motions" in text


@pytest.mark.parametrize(
    ("code", "choices", "note"),
    [
        (
            "circolare",
            {},
            "The building is elastic. At ultimate limit states masonry buildings have periods 50 "
            "to 100 % longer and 10 to 20 % damping: give those of the floor [C8.7.1.2.1.4].",
        ),
        (
            "asce43",
            {},
            "The standard asks for in-structure spectra from an analysis; those of C7.2.5 to "
            "C7.2.10 were used instead [A.2].",
        ),
        (
            "asce43-sliding",
            {"friction": 0.3},
            "The standard asks for in-structure spectra from an analysis; those of C7.2.5 to "
            "C7.2.10 were used instead [A.2].",
        ),
        ("ec8", {}, None),
    ],
)
def test_what_a_floor_adds_to_the_notes(code, choices, note):
    ground, roof = (
        codes.check(PARAPET, GROUND, code, floor=floor, **choices).notes for floor in (None, ROOF)
    )
    assert [each for each in roof if each not in ground] == ([note] if note else [])
    assert [each for each in ground if each not in roof] == []


def test_summary_is_plain(everything):
    plain = json.loads(json.dumps(everything.summary(), allow_nan=False))
    assert plain["a_g required [g]"] == 0.25
    table = {(row["method"], row["limit"]): row for row in plain["table"]}
    linear = table["Circolare 2019, kinematic", "SLV, linear, q = 2"]
    assert linear["a_g at the limit [g]"] == everything["circolare"].limit("SLV, linear").bears
    assert plain["checks"][0]["lines"][0]["clause"] == "input"


def test_files(everything, tmp_path):
    rows = list(csv.DictReader(io.StringIO(as_csv(everything.checks))))
    found = {(row["check"], row["symbol"]): row for row in rows}
    title = everything["circolare"].title
    assert float(found[title, "T_SLV"]["value"]) == everything["circolare"]["T_SLV"]
    page = everything.write(tmp_path / "check.md").read_text(encoding="utf-8")
    assert page.startswith("# Checks by code: 1.2 × 0.25 m block") and "| C8.7.1.10 |" in page
    assert "written by rocksteady" in page
    for path in (tmp_path / "all.svg", tmp_path / "one.png"):
        (everything if path.suffix == ".svg" else everything["circolare"]).plot(path)
        assert path.stat().st_size > 5000


def test_what_cannot_be_checked_is_told():
    found = codes.compare(PARAPET, GROUND)
    assert set(found.skipped) == {"histories", "asce43-sliding", "fema"}
    assert "friction" in found.skipped["asce43-sliding"] and "motions" in found.skipped["fema"]
    assert "Not checked, fema" in str(found) and math.isnan(found.level(0.1))


def test_shares_from_stripes_in_pga(ten):
    runs = stripes(PARAPET, ten, levels=[0.2, 0.3, 0.5], progress=False)
    found = codes.compare(PARAPET, GROUND, use=["ec8"], stripes=runs)
    share = (runs.peak >= 1).mean(axis=0)
    half = runs.levels[int(np.argmax(share >= 0.5))]
    assert found.level(0.5) == pytest.approx(half / 1.2 * 9.80665 / 9.81)
    by_velocity = stripes(PARAPET, ten[:1], levels=[0.2], measure="pgv", progress=False)
    with pytest.raises(InputError, match="run them in PGA"):
        codes.compare(PARAPET, GROUND, stripes=by_velocity)


def test_verdicts():
    strong = codes.check(PARAPET, Eurocode8(ag=0.26 * G, soil="B"), ag_sld=0.1, ag_slc=0.2)
    verdicts = {limit.name: limit.satisfied for limit in strong.limits}
    assert verdicts == {
        "SLD": True,
        "SLV, linear, q = 2": False,
        "SLV, nonlinear": False,
        "SLC, nonlinear": False,
    }
    assert not strong.satisfied
    without = codes.check(PARAPET, GROUND).limit("SLC")
    assert without.satisfied is None and "no verdict" in without.sentence


READ = ("circolare", "histories")  # standards whose text we have


def test_only_a_standard_whose_text_we_have_gives_a_verdict(ten):
    """In Python, in print, in tables, in files and in JSON."""
    for ag in (0.02, 0.6):  # far below what any of them allows, and far above
        ground = Eurocode8(ag=ag * G, soil="B")
        found = codes.compare(
            STATUE, ground, motions=ten, levels=4, friction=0.3, clearance=0.1, pfv=0.3
        )
        assert {check.code for check in found.checks} == set(codes.CODES)
        for check in found.checks:
            verdicts = {limit.satisfied for limit in check.limits} - {None}
            assert bool(verdicts) is (check.code in READ), check.title
            assert check.satisfied is (None if check.code not in READ else verdicts == {True})
            if check.code not in READ:
                assert check.summary()["satisfied"] is None
                for text in (str(check), check.markdown()):
                    assert "satisfied" not in text
                assert not check.limits or "no verdict, since we do not have" in str(check)
        for text in (found.table_text(), found.markdown(), *found.sentences):
            for line in text.splitlines():
                assert "satisfied" not in line or "Circolare" in line, line
        for row in found.summary()["table"]:
            assert row["satisfied"] is None or "Circolare" in row["method"]


# -- bad inputs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fc": 1.2}, "fc = 1.2 is not allowed.*LC1, 1.35.*crushing=True"),
        ({"e_star": "half"}, "'lumped'.*'slices'"),
        ({"curve": "round"}, "'straight' or 'exact'"),
        ({"q": 0}, "q = 0 is not allowed"),
        ({"modulus": -1.0}, "modulus = -1.0"),
        ({"vertical": -0.1}, "vertical = -0.1"),
        ({"colour": 3}, "colour is not known for a check. Allowed are fc, "),
    ],
)
def test_settings_that_are_not_allowed(options, words):
    with pytest.raises(InputError, match=words):
        codes.check(PARAPET, GROUND, **options)


def test_crushing_allows_another_confidence_factor():
    check = codes.check(PARAPET, GROUND, fc=1.2, crushing=True)
    assert check["FC"] == 1.2 and "crushing is modelled" in str(check)


def test_calls_that_are_not_allowed(ten):
    with pytest.raises(InputError, match="code = 'nzsee' is not known: choose from circolare"):
        codes.check(PARAPET, GROUND, "nzsee")
    with pytest.raises(InputError, match="give Eurocode8"):
        codes.check(PARAPET, 0.25)
    with pytest.raises(InputError, match="needs a Block"):
        codes.check("parapet", GROUND)
    with pytest.raises(InputError, match="is for blocks"):
        codes.check(codes.Mechanism.of_block(PARAPET), GROUND, "ec8")
    with pytest.raises(InputError, match="homogeneous rectangle"):
        codes.check(rs.Block(1.2, 0.25, com_height=0.4), GROUND, e_star="slices")
    with pytest.raises(InputError, match="needs motions"):
        codes.check(PARAPET, GROUND, "histories")
    with pytest.raises(InputError, match=r"choose E\.20"):
        codes.check(PARAPET, GROUND, "fema", pfv=0.3, item="sofa")
    by_modes = Floor.of_modes([0.5], [1.2])
    with pytest.raises(InputError, match="given by its modes"):
        codes.check(PARAPET, GROUND, "ec8", floor=by_modes)
    with pytest.raises(InputError, match="too stocky"):
        codes.check(rs.Block(1.0, 1.9), GROUND, "asce43")
    with pytest.raises(KeyError, match="T_SLV"):
        codes.check(PARAPET, GROUND)["T_slv"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"weights": [1.0, 2.0]}, "2 weights, 1 horizontal"),
        ({"weights": [-1.0]}, "negative"),
        ({"horizontal": [-0.6]}, "not positive"),
        ({"d_c0": 0.0}, "d_c0 = 0.0"),
        ({"forces": [1.0]}, "1 forces and 0"),
    ],
)
def test_chains_that_are_not_allowed(change, words):
    usual = {"weights": [1.0], "horizontal": [0.6], "vertical": [0.1], "d_c0": 0.1}
    with pytest.raises(InputError, match=words):
        codes.Mechanism.of_chain(**{**usual, **change})


def test_asce43_says_why_nothing_rocks():
    """At 0.2 g it does not lift off, although its capacity at some rotation is below the demand."""
    body = rs.Block(height=1.7, width=0.45, com_height=0.8, offset=0.05, mass=600, inertia=150)
    found = codes.check(body, Eurocode8(ag=0.18 * 9.81, soil="C"), "asce43")
    line = next(line for line in found.lines if line.symbol == "θ_0")
    assert line.value == 0 and "does not lift off" in line.words


def test_lift_off_of_given_stripes_is_eurocode_8s_limit():
    """Both are a_g S = g b/h: the unit g of records must not come between them."""
    body, spectrum = rs.Block(height=1.2, width=0.3), Eurocode8(ag=0.25 * 9.81, soil="C")
    pulses = [rs.pulses.sine(amplitude=1.0, period=T) for T in (0.4, 0.8)]
    found = codes.compare(
        body, spectrum, use=["ec8"], stripes=stripes(body, pulses, levels=6, progress=False)
    )
    assert found.runs.gate == pytest.approx(found["ec8"]["a_g,lim"], rel=1e-12)

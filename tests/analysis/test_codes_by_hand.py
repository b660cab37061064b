"""Checks by code line by line: each printed number from geometry, energy and the spectrum's own
branches, not from the formula that is printed beside it."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis import codes
from rocksteady.analysis.codes.site import bears
from rocksteady.motion.code_spectra import Eurocode8
from rocksteady.motion.floors import Floor

G = 9.81
STATUE = rs.Block(height=1.8, width=0.5)
PARAPET = rs.Block(height=1.2, width=0.25)
ROOF = Floor(period=0.5, storeys=4)


def falling_branch(ag, T, damping):
    """Eurocode 8, type 1, ground B (S = 1.2, T_C = 0.5 s, T_D = 2 s) beyond T_C [m/s²]."""
    assert T >= 0.5
    plateau = 1.2 * ag * G * 2.5 * math.sqrt(10 / (5 + 100 * damping))
    return plateau * (0.5 / T if T <= 2 else 0.5 * 2 / T**2)


@pytest.mark.parametrize("vertical", [0.0, 2 / 3, 2.0])
def test_reserve_energy_line_by_line(vertical):
    """At θ_0 twice the energy that it lacks, over the way of its centroid, is the capacity; a
    vertical component comes in as the square root of squares, on the arm b."""
    check = codes.check(STATUE, Eurocode8(ag=0.35 * G, soil="B"), "asce43", vertical=vertical)
    theta, R, alpha = check["θ_0"], math.hypot(0.25, 0.9), math.atan2(0.25, 0.9)
    assert 0 < theta < alpha
    rise = R * (math.cos(alpha - theta) - math.cos(alpha))
    way = R * (math.sin(alpha) - math.sin(alpha - theta))
    turned = 0.25 / 0.9 * vertical
    about_toe = 4 / 3 * R**2  # I/m of a rectangle
    assert check["F_V"] == pytest.approx(math.hypot(1, turned), rel=1e-12)
    assert check["f_1"] == pytest.approx(rise / 0.9, rel=1e-9)
    assert check["f_2"] == pytest.approx(way / 0.9, rel=1e-9)
    assert check["SA_cap"] == pytest.approx(2 * G * rise / way / math.hypot(1, turned), rel=1e-9)
    assert check["C_I"] == pytest.approx(about_toe / 0.9**2, rel=1e-12)
    assert check["C_R"] == pytest.approx(1 - 1.5 * math.sin(alpha) ** 2, rel=1e-12)  # Housner
    f = math.sqrt(2 * G * rise / (about_toe * theta**2)) / (2 * math.pi)
    lost = 2 * math.log(1 / check["C_R"])  # the logarithmic decrement of a whole cycle
    beta = lost / math.hypot(2 * math.pi, lost)
    assert check["f_e"] == pytest.approx(f, rel=1e-9)
    assert check["β_e"] == pytest.approx(beta, rel=1e-9)
    assert check["SA(f_e, β_e)"] == pytest.approx(falling_branch(0.35, 1 / f, beta), rel=1e-9)
    # at the point of balance the centroid has gone b sideways and R − h up
    edge = 2 * G * (R - 0.9) / 0.25 / math.hypot(1, turned)
    assert check["SA_cap(α)"] == pytest.approx(edge, rel=1e-9)
    f_edge = math.sqrt(2 * G * (R - 0.9) / (about_toe * alpha**2)) / (2 * math.pi)
    assert check["f_e(α)"] == pytest.approx(f_edge, rel=1e-9)
    at_edge = edge / falling_branch(1.0, 1 / f_edge, beta)
    assert check["a_g(α)"] == pytest.approx(at_edge, rel=1e-9)
    assert check["a_g,lifts"] == pytest.approx(0.25 / 0.9 / 1.2, rel=1e-9)
    assert check["a_g,lim"] == max(check["a_g(α)"], check["a_g,lifts"])


def test_a_demand_that_grows_with_the_ground_is_asked_at_three_levels():
    """a_g in the ratio of capacity and demand, and at half of it half the demand: no search."""
    asked = []

    def demand(site):
        asked.append(site.ag)
        return 3.0 * site.ag

    site = codes.Site(Eurocode8(ag=0.25 * G, soil="B"))
    assert bears(site, demand, 1.2) == pytest.approx(0.4, rel=1e-14)
    assert asked == pytest.approx([0.25, 0.4, 0.2])


@pytest.mark.parametrize("ag", [0.15, 0.25])
def test_the_first_crossing_of_a_demand_that_falls_again_counts(ag):
    """Highest at 0.2 g, so 0.15 and 0.25 g ask for the same."""
    site = codes.Site(Eurocode8(ag=ag * G, soil="B"))
    found = bears(site, lambda s: 1 - 100 * (s.ag - 0.2) ** 2, 0.75)
    assert found == pytest.approx(0.15, rel=1e-12)


@pytest.mark.parametrize(
    ("floor", "wanted", "clause"),
    [
        (None, "S_De(T, ξ)", "EN 1998-1, eq. 3.7"),
        (ROOF, "S_eZ(T, ξ) T²/4π², or that at b T_1", "C8.7.1.12"),
    ],
)
def test_displacement_demand_names_its_spectrum(floor, wanted, clause):
    check = codes.check(PARAPET, Eurocode8(ag=0.25 * G, soil="B"), floor=floor)
    for state in ("SLV", "SLC"):
        (line,) = (line for line in check.lines if line.symbol == f"S_De,{state}")
        assert (line.words, line.clause) == (f"demand, {wanted}", clause)
        (ratio,) = (line for line in check.lines if line.symbol == f"d/S_De,{state}")
        assert ratio.value == pytest.approx(check[f"d_{state}"] / line.value, rel=1e-12)


def test_histories_of_an_asymmetric_body_say_whose_displacements_they_give():
    pulse = [rs.pulses.sine(amplitude=2.0, period=0.6)]
    ground = Eurocode8(ag=0.25 * G, soil="B")
    notes = [
        codes.check(rs.Block(1.2, 0.25, offset=offset), ground, "histories", motions=pulse).notes
        for offset in (0.0, 0.02)
    ]
    assert [note for note in notes[1] if note not in notes[0]] == [
        "The body is asymmetric: displacements are those of its weaker side at the same share of α "
        "[C8.7.1.2.1.9]."
    ]
    assert set(notes[0]) <= set(notes[1])


def test_periods_stand_left_of_the_end_of_their_rays():
    """Above it, and within the panel."""
    figure = codes.check(PARAPET, Eurocode8(ag=0.25 * G, soil="B")).plot()
    axes = figure.axes[0]
    figure.canvas.draw()
    labels = [text for text in axes.texts if text.get_text() in ("1.24 s", "1.72 s")]
    assert len(labels) == 2
    for label in labels:
        end, box = axes.transData.transform(label.xy), label.get_window_extent()
        assert box.x1 < end[0] <= axes.bbox.x1 and box.y0 > end[1]


def test_the_points_of_a_drawn_check_are_its_lines():
    """Limit states on the capacity curve, demands on the axis, each on the ray of its period."""
    check = codes.check(PARAPET, Eurocode8(ag=0.25 * G, soil="B"))
    axes = check.plot().axes[0]
    marks = {kind: [line for line in axes.lines if line.get_marker() == kind] for kind in "ov"}
    rays = [line for line in axes.lines if line.get_xdata()[0] == 0 and len(line.get_xdata()) == 2]
    assert len(marks["o"]) == len(marks["v"]) == len(rays) == 2
    for state, at, demand, ray in zip(("SLV", "SLC"), marks["o"], marks["v"], rays, strict=True):
        d, a, T = check[f"d_{state}"], check[f"a(d_{state})"], check[f"T_{state}"]
        assert at.get_xydata() == pytest.approx(np.array([[1e3 * d, a]]))
        assert demand.get_xydata() == pytest.approx(np.array([[1e3 * check[f"S_De,{state}"], 0]]))
        end = ray.get_xydata()[1]
        assert end[1] / (1e-3 * end[0]) == pytest.approx((2 * math.pi / T) ** 2)
        assert at.get_label() == f"{state}: {1e3 * d:.3g} mm"
        assert demand.get_label() == f"demand: {1e3 * check[f'S_De,{state}']:.3g} mm"


def test_the_required_strength_is_written_clear_of_the_bars():
    figure = codes.compare(PARAPET, Eurocode8(ag=0.25 * G, soil="B")).plot()
    above, axes = figure.axes
    assert above.get_xlabel() == "spectral displacement d [mm]"
    figure.canvas.draw()
    (said,) = (text for text in axes.texts if text.get_text() == "required 0.25 g")
    label, bars = said.get_window_extent(), [bar.get_window_extent() for bar in axes.patches]
    assert len(bars) >= 5 and not any(label.overlaps(bar) for bar in bars)
    assert said.xy[0] == pytest.approx(0.25)


def test_contents_are_in_the_table_by_their_weakest_and_their_strongest():
    """Medians of 0.251 and 1.229 m/s; a_g grows with the velocity, 0.25 g at 0.4 m/s."""
    ground = Eurocode8(ag=0.25 * G, soil="B")

    def rows(**more):
        found = codes.compare(PARAPET, ground, use=["fema"], pfv=0.4, **more)
        return [(row.limit, row.bears, row.clause) for row in found.rows]

    assert rows() == [
        ("bookcase, 6 shelves: half of them fall", pytest.approx(0.251 / 0.4 / 4), "E.20.22.106a"),
        ("vertical filing cabinet: half of them fall", pytest.approx(1.229 / 0.4 / 4),
         "E.20.22.112a"),
    ]  # fmt: skip
    assert rows(item="E.20.22.124a") == [
        ("lateral filing cabinet: half of them fall", pytest.approx(0.688 / 0.4 / 4),
         "E.20.22.124a"),
    ]  # fmt: skip


def test_a_floor_velocity_says_where_it_comes_from():
    site = Eurocode8(ag=0.25 * 9.81, soil="B")
    given = codes.check(STATUE, site, "fema", pfv=0.4, item="E.20.22.104a")
    lines = {line.symbol: line.clause for line in given.lines}
    assert lines["PFV"] == lines["a_g"] == "input"
    sines = [rs.pulses.sine(2.0, period, dt=0.01) for period in (0.6, 0.8, 1.0)]
    measured = codes.check(STATUE, site, "fema", motions=sines, item="E.20.22.104a")
    lines = {line.symbol: line.clause for line in measured.lines}
    assert lines["PFV"] == "input, median of the motions"

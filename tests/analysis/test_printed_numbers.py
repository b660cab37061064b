"""Numbers and sentences of results, each against a calculation of its own."""

from __future__ import annotations

import dataclasses
import math
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.colors import to_hex
from scipy import optimize, stats
from scipy.integrate import quad

import rocksteady as rs
from rocksteady.analysis import codes
from rocksteady.analysis.codes import asce43, fit, histories
from rocksteady.analysis.fragilities.cloud import _fitted, _logistic
from rocksteady.analysis.fragilities.curve import fitted_curve
from rocksteady.analysis.fragilities.measures import (
    Dependence,
    MeasureRow,
    MeasureTable,
    _dependence,
    compare_measures,
)
from rocksteady.analysis.fragilities.shares import effective_draws
from rocksteady.analysis.fragilities.tolerances import LOSS, bodies_within, tolerated
from rocksteady.analysis.fragilities.two_measures import TwoMeasures, values_of_runs
from rocksteady.analysis.fragilities.words import _axes
from rocksteady.analysis.hazard import Hazard
from rocksteady.analysis.hazard.bodies import on_plinth
from rocksteady.analysis.hazard.measures import _anchor, _level_above, value_reaching
from rocksteady.analysis.hazard.words import percent, rounded
from rocksteady.analysis.stripes import Stripes
from rocksteady.ensembles.labels import ARIAS, PGA, PGA_ROTD100, PGV
from rocksteady.errors import RocksteadyWarning
from rocksteady.motion.code_spectra import Eurocode8
from rocksteady.motion.floors import Floor
from rocksteady.view import codes as drawings
from rocksteady.view import style

G = 9.81
GROUND = Eurocode8(ag=0.25 * G, soil="B")
PARAPET = rs.Block(height=1.2, width=0.25)
STATUE = rs.Block(height=1.8, width=0.5)


def runs_of(fell, levels, *, gate=math.nan, motions=None, floor=None):
    """Stripes of given outcomes in PGA; each motion a cluster of its own."""
    fell = np.asarray(fell, dtype=bool)
    n = len(fell)
    return Stripes(
        system=STATUE,
        formulation=rs.Housner(),
        motions=tuple(motions or [rs.Motion([0.0, 1.0, 0.0], 0.01)] * n),
        floor=floor,
        measure=PGA,
        levels=np.asarray(levels, dtype=float),
        peak=np.where(fell, 5.0, 0.3),
        fell=fell,
        known=np.ones_like(fell),
        clusters=np.arange(n),
        lifts=np.full(n, gate),
    )


# -- hazard curves ---------------------------------------------------------------------------------


LEVELS, RATES = np.array([0.1, 0.2, 0.4, 0.8]), np.array([0.02, 0.005, 0.001, 0.0001])


@pytest.mark.parametrize("rate", [0.1, 0.02, 0.01, 0.003, 0.0001, 0.00002])
def test_the_level_of_a_rate_is_where_the_curve_has_that_rate(rate):
    """Beyond both ends along the first and the last slope, here 2 and ln 10/ln 2."""
    curve = Hazard(LEVELS, RATES, continued=True)
    if rate > 0.02:
        expected = 0.1 * (rate / 0.02) ** (-1 / 2)
    elif rate < 0.0001:
        expected = 0.8 * (rate / 0.0001) ** (-math.log(2) / math.log(10))
    else:
        i = int(np.searchsorted(-RATES, -rate, side="right")) - 1
        i = min(i, len(RATES) - 2)
        k = math.log(RATES[i] / RATES[i + 1]) / math.log(2)
        expected = LEVELS[i] * (rate / RATES[i]) ** (-1 / k)
    assert curve.level(rate) == pytest.approx(expected, rel=1e-12)
    assert curve.rate(curve.level(rate)) == pytest.approx(rate, rel=1e-12)
    ends = Hazard(LEVELS, RATES)
    if RATES[-1] <= rate <= RATES[0]:
        assert ends.level(rate) == pytest.approx(expected, rel=1e-12)
    else:
        assert math.isnan(ends.level(rate))


def test_a_flat_end_of_a_hazard_is_nowhere_reached():
    flat = Hazard([0.1, 0.2, 0.4, 0.8], [0.01, 0.01, 0.001, 0.001], continued=True)
    assert math.isnan(flat.level(0.02)) and math.isnan(flat.level(0.0001))


def test_a_hazard_is_continued_by_its_first_and_last_slope():
    """Slopes 2 and ln 10/ln 2; within its ends it stays as it is."""
    curve = Hazard(LEVELS, RATES)
    wider = curve.reaching(low=0.05, high=2.0)
    assert wider.levels.tolist() == [0.05, *LEVELS, 2.0]
    assert wider.rates[0] == pytest.approx(0.02 * 2.0**2, rel=1e-12)
    assert wider.rates[-1] == pytest.approx(1e-4 * 2.5 ** (-math.log(10) / math.log(2)), rel=1e-12)
    same = curve.reaching(low=0.15, high=0.3)
    assert same.levels.tolist() == LEVELS.tolist() and same.rates.tolist() == RATES.tolist()


@pytest.mark.parametrize(
    "rows",
    [
        "pga [g],rate [1/year]\n0.4,0.001\n0.2,0.005\n0.1,0.02\n",
        "pga [g],return period [years]\n0.4,1000\n0.2,200\n0.1,50\n",
        "pga [g],return period [years]\n0.1,50\n0.2,200\n0.4,1000\n",
    ],
)
def test_tables_of_a_hazard_may_begin_at_either_end(rows, tmp_path):
    path = tmp_path / "hazard.csv"
    path.write_text(rows)
    read = Hazard.read(path)
    assert read.levels.tolist() == [0.1, 0.2, 0.4]
    assert read.rates == pytest.approx([0.02, 0.005, 0.001], rel=1e-12)


# -- risk ------------------------------------------------------------------------------------------


def rate_between(hazard, nodes, shares, low, high):
    """∫ P |dλ| from one level to another, by quadrature [1/year]."""

    def slope(u):
        step = 1e-6
        return float(hazard.rate(math.exp(u - step)) - hazard.rate(math.exp(u + step))) / (2 * step)

    def integrand(u):
        return np.interp(u, np.log(nodes), shares, left=0.0) * slope(u)

    inner = [float(np.log(x)) for x in (*nodes, *hazard.levels) if low < x < high]
    return quad(integrand, math.log(low), math.log(high), points=inner, limit=400)[0]


def test_the_rate_is_split_up_by_levels_where_the_hazard_goes_on():
    """A continued hazard and shares of 0, 0.5, 1: contributions to three times the last level and
    more, and all of it together is the rate."""
    hazard = Hazard.power(level=0.25, rate=1 / 475, k=2.5)
    levels, fell = [0.3, 0.5, 1.0], [[0, 0, 1], [0, 1, 1]]
    found = rs.analysis.risk(runs_of(fell, levels, gate=0.25), hazard)
    parts, nodes, shares = found.contributions, [0.25, 0.3, 0.5, 1.0], [0.0, 0.0, 0.5, 1.0]
    assert parts.edges[0] == pytest.approx(0.25) and parts.edges[-1] > 3.0
    for k in range(0, len(parts.rates), 4):
        low, high = parts.edges[k], parts.edges[k + 1]
        expected = rate_between(hazard, nodes, shares, low, high)
        assert parts.rates[k] == pytest.approx(expected, rel=1e-4, abs=1e-3 * found.rate)
    assert parts.rates.sum() + parts.beyond == pytest.approx(found.rate, rel=1e-9)
    assert parts.beyond < 0.01 * found.rate
    low, high, most = parts.most
    assert most == parts.rates.max() and low in parts.edges and high in parts.edges
    for level, share in ((parts.low, 0.1), (parts.high, 0.9)):
        below = rate_between(hazard, nodes, shares, 0.25, level)
        assert below == pytest.approx(share * found.rate, rel=0.02)


def test_levels_are_split_up_to_the_last_one_where_nothing_worth_telling_lies_beyond():
    hazard = Hazard.power(level=0.25, rate=1 / 475, k=4.0)
    found = rs.analysis.risk(runs_of([[1, 1, 1]] * 20, [0.3, 0.5, 30.0], gate=0.25), hazard)
    assert found.contributions.edges[-1] == 30.0
    assert found.contributions.beyond == pytest.approx(float(hazard.rate(30.0)), rel=1e-9)


def test_what_is_stronger_than_all_edges_may_add_most():
    """A hazard that ends at 0.5 g while all bodies fall only there: the rest lies beyond."""
    hazard = Hazard([0.1, 0.5], [0.02, 0.01])
    found = rs.analysis.risk(runs_of([[0, 1]] * 20, [0.49, 0.5], gate=0.25), hazard)
    low, high, most = found.contributions.most
    assert (low, high) == (0.5, math.inf) and most == pytest.approx(0.01)
    assert "PGA above 0.5 g contributes most (more than 99 % of the rate)." in found.sentences


def test_a_rate_of_lifting_off_has_a_band_where_motions_differ():
    runs = dataclasses.replace(runs_of(np.zeros((20, 2)), [0.2, 2.0], gate=0.3), lifts=LIFTS_OFF)
    law = Hazard.power(level=0.25, rate=1 / 475, k=2.5)
    found = rs.analysis.risk(runs, law, limit="lifts off")
    assert found.rate == pytest.approx(float(law.rate(LIFTS_OFF).mean()), rel=1e-9)
    assert found.band[0] < 0.95 * found.rate and 1.05 * found.rate < found.band[1]


LIFTS_OFF = np.linspace(0.3, 0.9, 20)  # g


def test_what_peak_acceleration_does_not_tell_is_said_of_falls_in_pga_alone():
    said, law = "PGA alone does not tell whether it falls", Hazard.power(0.25, 1 / 475, 2.5)

    def told(runs, hazard=law, **how):
        return any(said in one for one in rs.analysis.risk(runs, hazard, **how).sentences)

    fell = runs_of([[0, 1], [1, 1]], [0.4, 0.8], gate=0.25)
    assert told(fell)
    lifting = dataclasses.replace(fell, lifts=np.array([0.25, 0.35]))
    assert not told(lifting, limit="lifts off")
    assert not told(runs_of([[0, 0], [0, 0]], [0.4, 0.8], gate=0.25))  # the rate is zero


def test_a_part_of_a_rate_is_told_in_per_cent_or_by_the_year():
    found = rs.analysis.risk(
        runs_of([[0, 1], [1, 1]], [0.4, 0.8], gate=0.25), Hazard.power(0.25, 1 / 475, 2.5)
    )
    assert found._part(0.03 * found.rate) == "3.0 % to the rate"
    assert found._part(20 * found.rate) == f"{rounded(20 * found.rate)} 1/year"


def test_half_of_a_rate_lies_above_the_level_of_an_anchor():
    law = Hazard.power(level=0.25, rate=1 / 475, k=2.5)
    found = rs.analysis.risk(runs_of([[0, 0, 1], [0, 1, 1]], [0.3, 0.5, 1.0], gate=0.25), law)
    nodes, shares = [0.25, 0.3, 0.5, 1.0], [0.0, 0.0, 0.5, 1.0]
    for factor in (0.5, 0.2):
        level = _level_above(found, factor)
        above = found.rate - rate_between(law, nodes, shares, 0.25, level)
        assert above == pytest.approx(factor * found.rate, rel=0.02)


@pytest.mark.parametrize(("vertical", "measure", "holds"), [
    (False, PGA, True), (True, PGA, False), (False, PGV, False),
])  # fmt: skip
def test_an_anchor_is_told_in_pga_without_vertical_motion(vertical, measure, holds):
    ground = rs.Motion([0.0, 1.0, 0.0], 0.01)
    if vertical:
        ground = dataclasses.replace(ground, vertical=np.array([0.0, 0.5, 0.0]))
    runs = runs_of([[0, 0, 1], [0, 1, 1]], [0.3, 0.5, 1.0], gate=0.25, motions=[ground] * 2)
    runs = dataclasses.replace(runs, measure=measure)
    law = Hazard.power(level=0.25, rate=1 / 475, k=2.5, measure=measure)
    assert (_anchor(rs.analysis.risk(runs, law), 0.5) is not None) is holds


def test_a_last_level_without_an_answer_is_part_of_what_was_run():
    """At 2 g no run gave an answer: what is not counted is what lies beyond it."""
    law = Hazard.power(level=0.25, rate=1 / 475, k=2.5)
    runs = runs_of([[0, 0, 0], [0, 1, 0]], [0.3, 0.5, 2.0], gate=0.25)
    known = runs.known.copy()
    known[:, 2] = False
    found = rs.analysis.risk(dataclasses.replace(runs, known=known), law)
    held = next(one for one in found.unknowns if "is held beyond" in one.what)
    assert held.at_most == pytest.approx(0.5 * float(law.rate(2.0)), rel=1e-12)


def test_weaker_shaking_than_was_run_is_told_where_the_hazard_has_it():
    """A body of unknown lift-off that falls at the first level: λ(0.1) − λ(0.4) at most."""
    curve = Hazard(LEVELS, RATES)
    fell = runs_of([[1, 1]] * 20, [0.4, 0.8])
    found = rs.analysis.risk(fell, curve)
    weak = next(one for one in found.unknowns if "weaker shaking is not counted" in one.what)
    assert weak.at_most == pytest.approx(0.02 - 0.001, rel=1e-12)
    low = rs.analysis.risk(runs_of([[1, 1]] * 20, [0.05, 0.8]), curve)
    assert not any("already get there" in one.what for one in low.unknowns)


@pytest.mark.parametrize("continued", [False, True])
@pytest.mark.parametrize("falls", [False, True])
def test_a_hazard_begins_too_late_only_where_something_falls_at_its_first_level(falls, continued):
    """It begins at 0.1 g: the body falls from 0.05 g on, or stands there and at 0.2 g."""
    runs = runs_of([[falls, falls, True]] * 20, [0.05, 0.2, 0.8])
    found = rs.analysis.risk(runs, Hazard(LEVELS, RATES, continued=continued))
    late = any("curve begins at" in one.what for one in found.unknowns)
    assert late is (falls and not continued)


def test_the_lognormal_curve_is_compared_with_the_shares_in_words():
    law = Hazard.power(level=0.25, rate=1 / 475, k=2.5)
    levels = np.geomspace(0.3, 3.0, 10)
    capacity = np.exp(0.4 * np.random.default_rng(3).standard_normal(40))
    found = rs.analysis.risk(runs_of(capacity[:, None] <= levels, levels, gate=0.2), law)
    more = found.lognormal / found.rate
    told = next(said for said in found.sentences if "lognormal curve" in said)
    if abs(more - 1) < 0.01:
        assert "the same within 1 %" in told
    else:
        assert f"{percent(abs(more - 1))} {'more' if more > 1 else 'less'}" in told
    other = dataclasses.replace(found, lognormal=1.25 * found.rate)
    assert any("gives 25 % more" in said for said in other.sentences)
    other = dataclasses.replace(found, lognormal=3.5 * found.rate)
    assert any("3.5 times that rate and should not be used" in said for said in other.sentences)


def test_the_value_at_which_rates_come_down():
    """Straight in ln rate between two values; zero rates end it at once."""
    values = np.array([1.0, 2.0, 3.0])
    at = value_reaching(values, np.array([1e-2, 1e-3, 1e-5]), 1e-4)
    assert at == pytest.approx(2.5)
    assert value_reaching(values, np.array([1e-2, 1e-3, 0.0]), 1e-4) == 3.0
    assert value_reaching(values, np.array([1e-2, 1e-3, 1e-5]), 1e-2) == 1.0
    assert math.isnan(value_reaching(values, np.array([1e-2, 1e-3, 1e-3]), 1e-4))


def test_a_plinth_of_the_bodys_own_density_and_depth():
    """Two boxes of one density: mass, centre and inertia by hand."""
    body = rs.Block(height=1.8, width=0.5, mass=450.0, thickness=0.4)
    both = on_plinth(body, 0.7, 0.3)
    density = 450 / (1.8 * 0.5 * body.thickness)
    mass = density * 0.7 * 0.3 * body.thickness
    centre = (450 * (0.3 + 0.9) + mass * 0.15) / (450 + mass)
    own = mass * (0.7**2 + 0.3**2) / 12 + 450 * (0.5**2 + 1.8**2) / 12
    moved = mass * (centre - 0.15) ** 2 + 450 * (1.2 - centre) ** 2
    assert both.mass == pytest.approx(450 + mass, rel=1e-12)
    assert both.com_height == pytest.approx(centre, rel=1e-12)
    assert both.inertia == pytest.approx(own + moved, rel=1e-12)


# -- fragilities -----------------------------------------------------------------------------------


def some_curve(levels, n=40):
    capacity = np.exp(0.4 * np.random.default_rng(3).standard_normal(n)) * np.median(levels)
    beyond = capacity[:, None] <= levels
    return fitted_curve(levels, beyond, np.ones_like(beyond), np.arange(n))


def test_intervals_of_median_and_scatter_are_the_delta_methods():
    """Slopes of −a/b and −ln b by finite differences, Student's t with 38 degrees of freedom."""
    curve = some_curve(np.geomspace(0.3, 3.0, 10))
    t = stats.t.ppf((1 + curve.level) / 2, 38)

    def slopes(f):
        c, step = np.array(curve.coefficients), 1e-6
        return np.array([(f(c + m) - f(c - m)) / (2 * step) for m in np.eye(2) * step])

    logs = (
        (lambda c: -c[0] / c[1], curve.median_interval),
        (lambda c: -np.log(c[1]), curve.beta_interval),
    )
    for log, (low, high) in logs:
        slope = slopes(log)
        half = t * math.sqrt(slope @ curve.covariance @ slope)
        centre = log(curve.coefficients)
        assert low == pytest.approx(math.exp(centre - half), rel=1e-6)
        assert high == pytest.approx(math.exp(centre + half), rel=1e-6)


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e5])
def test_a_curve_is_the_same_in_other_units(unit):
    levels = np.geomspace(0.3, 3.0, 10)
    one, other = some_curve(levels), some_curve(unit * levels)
    assert other.median == pytest.approx(unit * one.median, rel=1e-9)
    assert other.beta == pytest.approx(one.beta, rel=1e-9)


def test_one_share_between_none_and_all_is_a_curve_where_shares_overlap():
    """None, all, half, all: not a step from none to all, so there is a scatter."""
    beyond = np.array([[0, 1, k % 2, 1] for k in range(20)], dtype=bool)
    curve = fitted_curve(
        np.array([0.2, 0.4, 0.6, 0.8]), beyond, np.ones_like(beyond), np.arange(20)
    )
    assert curve.beta > 0.1


def test_the_design_effect_by_hand():
    """Ten clusters of four motions that are alike but for one: the variance of the mean of cluster
    means over that of forty, in all levels together, and Student's t for fewer draws."""
    alike = [[0, 0], [0, 1], [1, 1], [0, 1], [1, 1], [0, 0], [0, 1], [1, 1], [0, 0], [0, 1]]
    fell = np.repeat(alike, 4, axis=0).astype(bool)
    fell[::4] = ~fell[::4]
    found = effective_draws(fell, np.ones_like(fell), np.repeat(np.arange(10), 4))
    p = fell.mean(axis=0)
    between = fell.reshape(10, 4, 2).mean(axis=1).var(axis=0, ddof=1) / 10
    effect = between.sum() / (p * (1 - p) / 40).sum()
    expected = 40 / effect * (stats.t.ppf(0.95, 39) / stats.t.ppf(0.95, 9)) ** 2
    assert 12 < expected < 35
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("again", [1, 3])
def test_motions_that_stand_at_a_stronger_level_are_counted_in_words(again):
    """Twenty motions; ``again`` of them fall at one level and stand at the next one. The medians of
    both curves are those that the sentence compares."""
    levels = np.geomspace(0.3, 1.5, 8)
    capacity = np.exp(0.3 * np.random.default_rng(1).standard_normal(20)) * 0.7
    fell = capacity[:, None] <= levels
    early = np.flatnonzero(~fell[:, 2])[:again]
    fell[early, 1] = True
    found = rs.analysis.fragility(runs_of(fell, levels), limits="overturned")
    first, curve = found.main.first, found.main.curve
    assert first.stands_again == again
    told = [said for said in found.sentences if "of 20 motions" in said]
    assert told and f"{again} of 20 motions" in told[0]
    assert f"at one scale and {'does' if again == 1 else 'do'} not" in told[0]
    less = 100 * (1 - first.median / curve.median)
    side = "below" if less > 0 else "above"
    assert any(f"{abs(less):.0f} % {side} that of the shares" in said for said in found.sentences)


def test_no_motion_is_said_to_stand_again_where_none_does():
    levels = np.geomspace(0.3, 1.5, 8)
    capacity = np.exp(0.3 * np.random.default_rng(1).standard_normal(20)) * 0.7
    found = rs.analysis.fragility(runs_of(capacity[:, None] <= levels, levels), limits="overturned")
    assert not any("at one scale" in said or "First falls" in said for said in found.sentences)


def test_the_main_limit_is_overturning_where_it_was_asked_for():
    levels = np.geomspace(0.3, 1.5, 8)
    fell = np.exp(0.3 * np.random.default_rng(1).standard_normal(20))[:, None] * 0.7 <= levels
    runs = runs_of(fell, levels)
    both = rs.analysis.fragility(runs, limits=["overturned", 0.5])
    assert both.main.limit == "overturned"
    assert rs.analysis.fragility(runs, limits=[0.1, 0.5]).main.limit == 0.5


def test_dependence_is_a_regression_with_clustered_errors():
    """Slope by NumPy; its error by the sum of scores of clusters, groups/(groups − 2)."""
    rng = np.random.default_rng(2)
    x, clusters = rng.standard_normal(40), np.repeat(np.arange(20), 2)
    y = 3.0 + 0.2 * x + rng.standard_normal(40)
    found = _dependence("x", y, x, clusters, np.ones(40, dtype=bool))
    slope, constant = np.polyfit(x, y, 1)
    rest = (y - constant - slope * x) * (x - x.mean())
    scores = np.array([rest[clusters == k].sum() for k in range(20)])
    error = math.sqrt((scores**2).sum() * 20 / 18) / ((x - x.mean()) ** 2).sum()
    assert found.slope == pytest.approx(slope, rel=1e-9)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(slope) / error, 18), rel=1e-9)
    assert 0.001 < found.p_value < 0.9


@pytest.mark.parametrize(("groups", "same"), [(3, False), (20, True)])
def test_dependence_is_not_known_of_few_draws_or_of_one_value(groups, same):
    x = np.full(groups, 2.0) if same else np.arange(groups, dtype=float)
    found = _dependence("x", np.arange(groups) ** 2.0, x, np.arange(groups), np.full(groups, True))
    assert math.isnan(found.slope) and math.isnan(found.p_value) and found.motions == groups


def test_a_tolerance_in_per_cent_refers_to_what_follows_from_the_height():
    """A block 2.0 instead of 1.8 m high has its centre at 1.0 m; 5 % more of the centre is then
    1.05 m, and its mass grows with the height."""
    names, relative = ("height", "com_height", "mass"), {"height", "com_height", "mass"}
    points = np.array([[2.0, 0.945, STATUE.mass * 1.1]])
    (body,), _ = bodies_within(STATUE, rs.Housner(), names, points, relative)
    assert body.height == 2.0 and body.com_height == pytest.approx(1.05, rel=1e-12)
    assert body.mass == pytest.approx(1.1 * STATUE.mass * 2.0 / 1.8, rel=1e-12)


@pytest.mark.parametrize("slope", [0.02, 0.5])
def test_the_usual_tolerance_of_the_loss_lies_on_both_sides_of_it(slope):
    """η ± LOSS, not above 1: here by Housner's 1 − 1.5 sin²α."""
    body = rs.Block(height=2.0, width=2.0 * slope)
    eta = 1 - 1.5 * math.sin(math.atan(slope)) ** 2
    spread, _, _ = tolerated(body, rs.Housner(), {})
    ends = spread["eta"].ppf(0.0), spread["eta"].ppf(1.0)
    assert ends == pytest.approx((eta - LOSS, min(eta + LOSS, 1.0)), rel=1e-12)


def surface(weight, spread):
    """A fit whose weight has this standard deviation."""
    covariance = np.zeros((3, 3))
    covariance[2, 2] = (2.0 * spread) ** 2
    runs = runs_of([[0, 1]] * 30, [0.3, 0.5])
    return TwoMeasures(
        runs, "overturned", np.array([0.0, 2.0, 2.0 * weight]), covariance, 0.0, 30, 0.9, 0.5
    )


@pytest.mark.parametrize(
    ("weight", "spread", "words"),
    [
        (0.90, 0.01, "peak velocity tells nearly all"),
        (0.70, 0.30, "peak velocity tells nearly all"),  # 1 lies in the interval
        (0.50, 0.01, "velocity and acceleration both count"),
        (0.10, 0.01, "peak acceleration tells nearly all"),
    ],
)
def test_which_measure_is_said_to_tell_most(weight, spread, words):
    found = surface(weight, spread)
    t = stats.t.ppf(0.95, 28)
    assert found.weight_interval == pytest.approx((weight - t * spread, weight + t * spread))
    assert words in found.sentence and f"is {weight:.2f} (90 %:" in found.sentence


def test_the_gate_of_two_measures_is_lift_off_where_that_is_the_bodys_own():
    rng = np.random.default_rng(8)
    plain = [rs.pulses.sine(amplitude=1.0, period=T) for T in np.geomspace(0.2, 2.0, 60)]
    upward = [
        dataclasses.replace(motion, vertical=0.3 * np.asarray(motion.accel)) for motion in plain
    ]
    levels = np.geomspace(0.3, 3.0, 8)
    fell = np.exp(0.4 * rng.standard_normal(60))[:, None] <= levels
    slope = STATUE.width / STATUE.height  # g
    for motions, floor, gate in (
        (plain, None, slope * STATUE.g / G * PGA_UNIT),
        (upward, None, 0.0),
        (plain, Floor(period=0.5, storeys=4), 0.0),
    ):
        runs = runs_of(fell, levels, motions=motions, floor=floor)
        found = rs.analysis.fragility(runs, limits="overturned").two_measures()
        assert found.gate == pytest.approx(gate, rel=1e-9)


PGA_UNIT = G / 9.80665  # of g = 9.81 m/s² in units of 9.80665 m/s²


def test_probability_by_two_measures_is_its_formula():
    found = surface(0.6, 0.01)
    found = dataclasses.replace(found, coefficients=np.array([0.3, 2.0, 1.2]), gate=0.2)
    pga, pgv = np.array([0.1, 0.4, 0.8]), np.array([0.5, 0.3, 0.9])
    eta = 0.3 + 2.0 * np.log(pga) + 1.2 * np.log(pgv / (pga * 9.80665))
    expected = np.where(pga >= 0.2, stats.norm.cdf(eta), 0.0)
    np.testing.assert_allclose(found.probability(pga, pgv), expected, rtol=1e-12)


def test_a_measure_of_each_run_grows_with_its_power_of_the_scale():
    """Stripes in Arias intensity, which is four times as large where PGV is twice."""
    some = [rs.pulses.sine(amplitude=1.0, period=T) for T in (0.3, 0.6)]
    runs = dataclasses.replace(
        runs_of([[0, 1], [0, 1]], [1.0, 4.0], motions=some),
        measure=ARIAS,
        levels=np.array([1.0, 4.0]),
    )
    pgv = [motion.pgv for motion in some]
    found = values_of_runs(runs, pgv, 1.0)
    arias = [ARIAS.of(motion) for motion in some]
    expected = [
        [v * math.sqrt(x / own) for x in (1.0, 4.0)] for v, own in zip(pgv, arias, strict=True)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def row(name, sigma, dependence=()):
    return MeasureRow(name, "g", 1.0, sigma, 0.3, tuple(dependence))


def test_measures_are_compared_in_a_sentence():
    weak, strong = Dependence("M", 0.1, 0.6, 40), Dependence("ln(PGV/PGA)", -0.8, 1e-5, 40)
    pga, pgv = row("PGA", 0.5, [strong]), row("PGV", 0.3, [weak])
    told = MeasureTable("overturned", (pga, pgv), 40).sentence
    assert told.startswith(
        "PGV is the most efficient of these measures: its logarithm scatters by 0.30"
    )
    assert ", that of PGA by 0.50;" in told and "no dependence on anything else" in told
    alone = MeasureTable("overturned", (pga._replace(sigma=0.2), pgv), 40).sentence
    assert "that of PGA" not in alone
    assert "not sufficient: the rest depends on ln(PGV/PGA) (slope -0.80)" in alone
    few = MeasureTable("overturned", (pga, pgv._replace(dependence=())), 4).sentence
    assert "too few motions to tell whether it is sufficient" in few


def test_a_cloud_is_a_regression_with_its_residual():
    """Line and residual standard deviation, n − 2 degrees of freedom, by NumPy."""
    rng = np.random.default_rng(4)
    x = np.geomspace(0.3, 3.0, 60)
    peak = 0.2 * x**1.3 * np.exp(0.25 * rng.standard_normal(60))
    fell = x > 1.5
    rocked, known = ~fell, np.ones(60, dtype=bool)
    a, b, spread, zero, slope = _fitted(x, peak, fell, rocked, known, np.ones((1, 60)))[0]
    line, (rest,), *_ = np.polyfit(np.log(x[rocked]), np.log(peak[rocked]), 1, full=True)
    assert (b, a) == pytest.approx(tuple(line), rel=1e-9)
    assert spread == pytest.approx(math.sqrt(rest / (rocked.sum() - 2)), rel=1e-9)
    assert slope > 0 and -zero / slope == pytest.approx(math.log(1.5), abs=0.05)
    # runs without an answer, between the others, are as if they had not been made
    known[[7, 30, 31, 50]] = False
    less = _fitted(x, peak, fell & known, rocked & known, known, np.ones((1, 60)))
    without = (each[known] for each in (x, peak, fell, rocked, known))
    np.testing.assert_allclose(less, _fitted(*without, np.ones((1, 56))), rtol=1e-9)


@pytest.mark.parametrize("symmetric", [True, False])
def test_below_lift_off_nothing_falls_only_of_a_symmetric_body_in_pga(symmetric):
    levels = np.geomspace(0.2, 1.5, 8)
    fell = np.exp(0.3 * np.random.default_rng(1).standard_normal(20))[:, None] * 0.7 <= levels
    runs = runs_of(fell, levels, gate=0.27)
    if not symmetric:
        body = rs.Block(height=1.8, width=0.5, offset=0.05)
        runs = dataclasses.replace(runs, system=body)
    text = " ".join(rs.analysis.fragility(runs, limits="overturned").sentences)
    assert ("Below PGA 0.27 g nothing lifts off" in text) is symmetric
    assert ("None of these motions lifts it off below PGA 0.27 g" in text) is not symmetric


@pytest.mark.parametrize("more", [{"motions": []}, {"formulation": rs.Housner()}, {"levels": 5}])
def test_stripes_are_not_run_again(more):
    with pytest.raises(rs.InputError, match="leave out motions, formulation and levels"):
        rs.analysis.fragility(runs_of([[0, 1]] * 20, [0.3, 0.5]), **more)


def test_a_median_between_levels_far_apart_is_no_extrapolation():
    levels = np.geomspace(1e-5, 10.0, 7)
    capacity = np.exp(1.5 * np.random.default_rng(3).standard_normal(40)) * 0.8
    beyond = capacity[:, None] <= levels
    curve = fitted_curve(levels, beyond, np.ones_like(beyond), np.arange(40))
    assert 0.3 < curve.median < 2.0


def test_nothing_falls_without_any_shaking_by_two_measures():
    assert surface(0.6, 0.01).probability(0.0, 0.0) == 0.0


@pytest.mark.parametrize("copies", [1, 2])
def test_few_draws_are_named_for_what_they_are(copies):
    levels = np.geomspace(0.3, 1.5, 8)
    capacity = np.exp(0.3 * np.random.default_rng(1).standard_normal(20)) * 0.7
    runs = runs_of(capacity[:, None] <= levels, levels)
    runs = dataclasses.replace(runs, clusters=np.arange(20) // copies)
    text = " ".join(rs.analysis.fragility(runs, limits="overturned").sentences)
    words = "20 motions are few" if copies == 1 else "10 clusters of motions are few"
    assert words in text


# -- codes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("storeys", "level"), [(1, 1), (4, 2), (9, 9)])
def test_participation_of_the_first_mode_by_hand(storeys, level):
    """γ₁ = 3n/(2n + 1) as printed [C7.2.10], and γ₁ ψ₁ with ψ₁ = z/H."""
    floor = Floor(period=0.5, storeys=storeys, level=level)
    check = codes.check(PARAPET, GROUND, floor=floor)
    expected = {1: 1.0, 4: 12 / 9, 9: 27 / 19}[storeys]
    assert check["γ_1"] == pytest.approx(expected, rel=1e-12)
    assert check["n"] == storeys and check["z/H"] == pytest.approx(level / storeys)
    assert check["γ_1 ψ_1"] == pytest.approx(level / storeys * expected, rel=1e-12)


def pulses():
    return [rs.pulses.sine(amplitude=1.0, period=T) for T in np.geomspace(0.2, 1.5, 8)]


@pytest.mark.parametrize(("factor", "told"), [(1.0, False), (1.5, True), (1 / 1.5, True)])
def test_motions_that_are_too_strong_or_too_weak_for_a_spectrum_are_told(factor, told):
    site = codes.Site(GROUND)
    fitted = [motion.scaled(factor) for motion in codes.matched(pulses(), site)]
    ratio = fit.spectrum_ratio(site, fitted)
    low, high = fit.UNLIKE
    mean = float(ratio.mean())
    assert (low <= mean <= high) is not told
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit.warn_of_misfit(site, fitted)
    heard = [str(w.message) for w in caught if issubclass(w.category, RocksteadyWarning)]
    assert bool(heard) is told
    if told:
        assert f"mean spectrum is {mean:.2f} of the code's" in heard[0]


def test_the_limit_of_displacement_by_time_histories_is_a_share_of_d_0():
    """0.4 d_0 [C8.7.1.2.1.6], d_0 = R sin α."""
    fitted = codes.matched(pulses(), codes.Site(GROUND))
    check = codes.check(PARAPET, GROUND, "histories", motions=fitted)
    d_0 = math.hypot(0.6, 0.125) * math.sin(math.atan(0.125 / 0.6))
    assert check["d_0"] == pytest.approx(d_0, rel=1e-12)
    assert check["d_SLV"] == pytest.approx(0.4 * d_0, rel=1e-12)


def test_sliding_goes_on_where_the_demand_is_above_at_the_longest_period():
    """Little friction: the spectrum exceeds c_s at every period, so δ_s is at the longest one."""
    body = rs.Block(height=1.0, width=0.9)
    check = codes.check(body, GROUND, "asce43-sliding", friction=1e-4)
    T, c_s = 40.0, check["c_s"]
    assert float(codes.Site(GROUND).acceleration(T, 0.10)) > c_s
    assert check["δ_s"] == pytest.approx(c_s * (T / (2 * math.pi)) ** 2, rel=1e-9)


def test_a_comparison_is_not_called_a_verification():
    ours = codes.check(PARAPET, GROUND, "fema", pfv=0.5)
    clauses = codes.check(PARAPET, GROUND)
    told = "none: this is a comparison, not a verification."
    assert not ours.limits and told in str(ours)
    assert clauses.limits and told not in str(clauses)


def test_drawn_demand_is_the_spectrum_over_its_displacement():
    """S_De = S_e (T/2π)² at each damping, and the point at T_SLV lies on it."""
    drawn = codes.check(PARAPET, GROUND).capacity
    periods = np.geomspace(0.03, 4.0, len(drawn.demands["SLV"][0]))
    for state, damping in (("SLV", 0.08), ("SLC", 0.10)):
        d, a = drawn.demands[state]
        expected = GROUND.with_damping(damping).acceleration(periods)
        np.testing.assert_allclose(a, expected, rtol=1e-12)
        np.testing.assert_allclose(d, a * (periods / (2 * math.pi)) ** 2, rtol=1e-12)


@pytest.mark.parametrize("ag", [0.05, 0.5])
def test_a_drawn_check_holds_capacity_and_demand(ag):
    """Both panels end beyond what is drawn in them; a period's ray has the slope (2π/T)²."""
    check = codes.check(PARAPET, Eurocode8(ag=ag * G, soil="B"))
    curve, bars = check.plot().axes
    points = check.capacity.points
    widest = max(0.125, *(demand for *_, demand in points.values()))
    assert (widest > 0.125) is (ag == 0.5)
    assert curve.get_xlim() == pytest.approx((0, 1150 * widest), rel=1e-9)
    for (*_, period, _), words in zip(points.values(), curve.texts, strict=True):
        x, y = words.xy
        assert y / (x / 1e3) == pytest.approx((2 * math.pi / period) ** 2, rel=1e-9)
        assert words.get_text() == f"{period:.2f} s"
        inside = 0.9 * curve.get_ylim()[1]  # the ray goes on to the edge, its label does not
        assert y == pytest.approx(min(inside, (2 * math.pi / period) ** 2 * 1.15 * widest))
    edge = 1.15 * max(ag, *(limit.bears for limit in check.limits))
    assert bars.get_xlim() == pytest.approx((0, edge), rel=1e-9)
    required = bars.texts[-1]
    assert required.get_text() == f"required {ag:g} g" and required.xy[0] == pytest.approx(ag)
    left = ag > 0.7 * edge  # of the line, where there is room
    assert (required.get_ha(), required.xyann[0]) == (("right", -3) if left else ("left", 3))
    for limit, bar in zip(check.limits, bars.patches, strict=True):
        assert bar.get_width() == pytest.approx(limit.bears, rel=1e-9)


def test_a_check_without_a_capacity_curve_is_drawn_as_bars_alone():
    (bars,) = codes.check(PARAPET, GROUND, "ec8").plot().axes
    assert [tick.get_text() for tick in bars.get_yticklabels()] == ["static stability"]


@pytest.mark.parametrize(
    ("rows", "required", "edge"),
    [
        ([(0.05, None)], math.nan, 0.115),  # 0.1 g at least
        ([(0.3, True), (0.2, False), (math.inf, None)], 0.25, 0.345),
        ([(0.1, False), (-0.2, None), (0.0, None), (math.nan, None)], 0.4, 0.46),
        ([(7.0, True), (1.9, True), (math.inf, True)], 0.3, 2.0),  # longer bars end there
    ],
)
def test_bars_of_any_limits(rows, required, edge):
    """Within 88 % of the width a bar has its number at its end, and beyond it there."""
    named = [(f"limit {i}", *row) for i, row in enumerate(rows)]
    figure = drawings._drawn("a block", None, named, required, None)
    assert figure.get_figheight() * 25.4 == pytest.approx(24 + 5.2 * max(len(rows), 2) + 8)
    (bars,) = figure.axes
    assert bars.get_xlim() == pytest.approx((0, edge))
    assert bars.get_ylim() == pytest.approx((len(rows) - 0.4, -1.1))
    assert [tick.get_text() for tick in bars.get_yticklabels()] == [name for name, *_ in named]
    lines = [line.get_xdata()[0] for line in bars.lines]
    assert lines == ([] if math.isnan(required) else [required])
    colours = {True: style.GREEN, False: style.VERMILLION, None: style.QUIET}
    patches = zip(rows, bars.patches, bars.texts[: len(rows)], strict=True)
    for place, ((value, satisfied), bar, text) in enumerate(patches):
        width = min(value, edge) if value > 0 else 0.0
        assert (bar.get_x(), bar.get_width()) == pytest.approx((0, width))
        assert bar.get_y() + bar.get_height() / 2 == pytest.approx(place)
        assert to_hex(bar.get_facecolor()) == to_hex(colours[satisfied])
        assert text.get_text() == (f"{value:g}" if math.isfinite(value) else "not reached")
        assert text.xy == pytest.approx((min(width, 0.88 * edge), place))


def test_the_rotation_of_asce43_is_the_largest_of_several():
    """On a floor demand and capacity cross four times; beyond the last one demand stays below."""
    body, site = rs.Block(height=0.3, width=0.09), Eurocode8(ag=0.15 * G, soil="B")
    floor = Floor(period=0.2, storeys=8, level=4)
    check = codes.check(body, site, "asce43", floor=floor)
    place, vertical = codes.Site(site, floor), codes.Settings().vertical
    theta = np.linspace(body.alpha / 4000, body.alpha, 4000)
    steps = [asce43.at_angle(body, float(t), vertical) for t in theta]
    demand = [float(place.acceleration(1 / one.frequency, one.damping)) for one in steps]
    above = np.array(demand) > [one.capacity for one in steps]
    crossings = np.flatnonzero(np.diff(above))
    assert len(crossings) == 4 and not above[-1]
    assert theta[crossings[-1]] <= check["θ_0"] <= theta[crossings[-1] + 1]
    assert check["a"] == pytest.approx(0.3, rel=1e-12)


def test_the_ratio_that_starts_a_mechanism_is_named():
    block = str(codes.check(PARAPET, GROUND))
    assert "multiplier that starts it, b/h" in block
    chain = codes.Mechanism.of_chain([1000.0], [1.0], [0.2], d_c0=0.2, control=1.0)
    assert "multiplier that starts it, [ΣPδ_y" in str(codes.check(chain, GROUND))


def test_the_share_of_our_own_runs_has_its_exact_interval():
    """3 of 10 motions that count as ten draws: Clopper and Pearson's 90 % interval."""
    fitted = codes.matched(pulses(), codes.Site(GROUND))
    found = codes.compare(
        PARAPET, GROUND, use=["histories"], motions=fitted, levels=[0.1, 0.25, 0.6]
    )
    runs = found.at_ag or found.runs
    column = int(np.argmin(np.abs(np.log(runs.levels / 0.25))))
    count, n = int(histories.reached(runs)[:, column].sum()), len(fitted)
    assert 0 < count < n and runs.draws == n
    low, high = stats.beta.ppf([0.05, 0.95], [count, count + 1], [n - count + 1, n - count])
    assert f"{count} of {n} motions ({100 * count / n:.0f} %" in found.sentences[-1]
    assert f"90 % interval {100 * low:.0f} % to {100 * high:.0f} %" in found.sentences[-1]


def test_our_own_runs_are_told_at_the_acceleration_that_is_asked_for():
    """Not at the nearest of the levels that were run for what it bears."""
    fitted = codes.matched(pulses(), codes.Site(GROUND))
    found = codes.compare(PARAPET, GROUND, use=["histories"], motions=fitted, levels=[0.1, 0.6])
    assert found.sentences[-1].endswith("at a_g = 0.25 g.")


def test_given_runs_are_told_at_the_nearest_of_their_accelerations():
    """a_g is PGA/S with S = 1.2; none, 2 and 4 of 4 motions fall at 0.08, 0.25 and 0.75 g."""
    fell = np.array([[0, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 1]], dtype=bool)
    runs = dataclasses.replace(runs_of(fell, [0.1, 0.3, 0.9]), system=PARAPET)
    for ag, words in ((0.07, "0 of 4"), (0.28, "2 of 4"), (0.6, "4 of 4")):
        site = Eurocode8(ag=ag * G, soil="B")
        found = codes.compare(PARAPET, site, use=["ec8"], stripes=runs)
        assert f"reaches d_0 in {words} motions" in found.sentences[-1]


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ([0.1, 0.15, 0.225], "by one factor, in steps of 50 % [C8.7.1.2.1.9]."),
        ([0.1, 0.15, 0.2], "by one factor, in steps of 33 to 50 % ["),
        ([0.25], "by one factor [C8.7.1.2.1.9]."),
    ],
)
def test_steps_between_levels_are_told(levels, words):
    fitted = codes.matched(pulses()[:2], codes.Site(GROUND))
    found = codes.compare(PARAPET, GROUND, use=["histories"], motions=fitted, levels=levels)
    assert words in found["histories"].notes[0]


def test_the_mean_displacement_is_compared_with_its_share_of_d_0():
    """0.4 d_0 [C8.7.1.2.1.6] with d_0 = R sin α: none falls, the mean is just below and above."""
    R, alpha = math.hypot(0.6, 0.125), math.atan(0.125 / 0.6)
    wanted = 0.4 * R * math.sin(alpha)
    peak = (alpha - math.asin((R * math.sin(alpha) - wanted) / R)) / alpha
    runs = runs_of(np.zeros((4, 2), dtype=bool), [0.25, 0.3])
    runs = dataclasses.replace(
        runs, system=PARAPET, peak=np.tile([0.99 * peak, 1.01 * peak], (4, 1))
    )
    assert histories._holds("SLV", PARAPET, runs).tolist() == [True, False]


def test_displacements_are_printed_under_the_names_of_their_motions():
    fitted = codes.matched(pulses()[:2], codes.Site(GROUND))
    check = codes.check(
        PARAPET, GROUND, "histories", motions=[fitted[0].renamed("a"), fitted[1].renamed("")]
    )
    lines = [line for line in check.lines if line.part == "Largest displacements"]
    assert [line.words for line in lines] == ["a", "motion without a name"]


def test_only_a_straight_capacity_curve_is_called_straight():
    for curve in ("straight", "exact"):
        check = codes.check(PARAPET, GROUND, curve=curve)
        assert any("is a straight line to d_0" in note for note in check.notes) is (
            curve == "straight"
        )


@pytest.mark.parametrize("lumping", ["lumped", "slices"])
def test_the_weights_of_a_chain_are_those_of_the_block(lumping):
    chain = codes.Mechanism.of_block(PARAPET, lumping)
    assert chain.weights.sum() == pytest.approx(2600 * 1.2 * 0.25 * 9.81, rel=1e-12)


def test_a_rupture_limits_the_spectral_displacement():
    """Two weights whose displacements are 1 and 3: d/d_C = ΣPδ²/(δ_C ΣPδ), by C8.7.1.4."""
    chain = codes.Mechanism.of_chain(
        [10.0, 10.0], [1.0, 3.0], [0.3, 0.3], d_c0=0.4, control=3.0, rupture=0.03, unseats=0.2
    )
    ratio = (10 * 1 + 10 * 9) / (3.0 * (10 * 1 + 10 * 3))
    check = codes.check(chain, GROUND)
    assert check["d_SLV"] == pytest.approx(0.03 * ratio, rel=1e-12)
    assert check["d_SLC"] == pytest.approx(min(0.6 * 0.4, 0.2) * ratio, rel=1e-12)


def test_the_period_of_an_element_does_not_depend_on_its_depth():
    deep, shallow = (
        codes.check(rs.Block(height=1.2, width=0.25, thickness=depth), GROUND, modulus=1e9)
        for depth in (1.0, 0.4)
    )
    assert shallow["T_0"] == pytest.approx(deep["T_0"], rel=1e-12)


def test_a_measure_without_a_dimension_is_its_velocity_over_that_of_the_body():
    """p·PGV/(g tan α) at the first falls: the row of PGV times p/(g b/h), with the same scatter."""
    some = [rs.pulses.sine(amplitude=1.0, period=T) for T in (0.3, 0.5, 0.8, 1.2)]
    levels = [0.2, 0.4, 0.8]
    fell = [[0, 0, 1], [0, 1, 1], [0, 1, 1], [1, 1, 1]]
    rows = {each.name: each for each in compare_measures(runs_of(fell, levels, motions=some)).rows}
    between = [math.sqrt(0.4 * 0.8), math.sqrt(0.2 * 0.4), math.sqrt(0.2 * 0.4)]  # not the last one
    at = [x * PGA.si * m.pgv / m.pga for x, m in zip(between, some[:3], strict=True)]
    middle = math.exp(np.mean(np.log(at)))
    assert rows["PGV"].median == pytest.approx(middle, rel=1e-9)
    p = math.sqrt(3 * G / (4 * math.hypot(0.25, 0.9)))
    own = rows["p·PGV/(g tan α)"]
    assert own.median == pytest.approx(middle * p / (G * 0.25 / 0.9), rel=1e-9)
    assert own.sigma == pytest.approx(rows["PGV"].sigma, rel=1e-12)


@pytest.mark.parametrize(("steep", "weight"), [(0.02, 1), (0.3, 1), (2.0, 1), (0.001, 30)])
def test_a_logistic_curve_with_a_quarter_of_a_fall_at_both_ends(steep, weight):
    """The maximum of the likelihood by another method, also where falls and stands are apart."""
    rng = np.random.default_rng(5)
    x = np.linspace(-3.0, 2.0, 400)
    y = (x + steep * rng.logistic(size=400) > 0.4).astype(float)
    at = np.concatenate([x, [-3.0, 2.0, -3.0, 2.0]])
    fell = np.concatenate([y, [1, 1, 0, 0]])
    share = np.concatenate([np.full(400, weight), np.full(4, 0.25)])

    def lost(c):
        eta = c[0] + c[1] * at
        return share @ (np.logaddexp(0, eta) - fell * eta)

    best = optimize.minimize(lost, (0.0, 1.0), method="Nelder-Mead",
                             options={"xatol": 1e-9, "fatol": 1e-13, "maxiter": 4000})  # fmt: skip
    zero, slope = _logistic(x, y, np.full((1, 400), float(weight)))
    assert (zero[0], slope[0]) == pytest.approx(tuple(best.x), rel=1e-5)


def test_a_power_law_has_a_name():
    law = Hazard.power(0.2, 1 / 475, 2.5)
    assert law.name == "power law, PGA 0.2 g once in 475 years, k 2.5"
    assert law.rate(0.4) == pytest.approx(0.5**2.5 / 475, rel=1e-12)
    fast = Hazard.power(0.3, 0.01, 2, measure="pgv")
    assert fast.name == "power law, PGV 0.3 m/s once in 100 years, k 2"
    assert Hazard.power(0.2, 1 / 475, 2.5, name="Rieti").name == "Rieti"


def test_measures_at_first_falls_of_stripes_in_arias_intensity():
    """Four times the intensity is twice the velocity; its own row is that of its root."""
    some = [rs.pulses.sine(amplitude=1.0, period=T) for T in (0.3, 0.5, 0.8)]
    levels = np.array([0.25, 1.0, 4.0])
    runs = runs_of([[0, 0, 1], [0, 1, 1], [0, 1, 1]], levels, motions=some)
    rows = {
        each.name: each for each in compare_measures(dataclasses.replace(runs, measure=ARIAS)).rows
    }
    falls = np.array([2.0, 0.5, 0.5])  # between levels, by their geometric mean
    scales = np.sqrt(falls / [ARIAS.of(motion) for motion in some])
    for name, own in (("PGV", "pgv"), ("PGA", "pga")):
        unit = PGA.si if name == "PGA" else 1.0
        at = [k * getattr(motion, own) / unit for k, motion in zip(scales, some, strict=True)]
        assert rows[name].median == pytest.approx(math.exp(np.mean(np.log(at))), rel=1e-9)
    root = rows[f"√{ARIAS.short}"]
    assert root.median == pytest.approx(math.exp(np.mean(np.log(np.sqrt(falls)))), rel=1e-9)
    assert root.unit == "(m/s)^½" and rows["PGV"].unit == "m/s"


@pytest.mark.parametrize("spatial", [False, True])
def test_in_space_a_measure_of_one_component_is_told_to_be_that(spatial):
    body = rs.Body.box(0.5, 0.5, 1.8) if spatial else STATUE
    planar = rs.Motion([0.0, 1.0, 0.0], 0.01)
    ground = planar.with_transverse(0.5 * planar.accel)
    for measure in (PGA, PGA_ROTD100):
        for motion in (planar, ground):
            runs = dataclasses.replace(
                runs_of([[0, 1]] * 3, [0.3, 0.6], motions=[motion] * 3),
                system=body,
                measure=measure,
            )
            said = _axes(SimpleNamespace(stripes=runs))
            assert bool(said) is (spatial and measure == PGA and motion is ground)
            assert not said or said[0].startswith("PGA is that of the component along x alone.")


def test_the_weight_of_a_measure_has_the_interval_of_a_ratio():
    """c2/c1 with both uncertain and correlated: the delta method by finite differences."""
    root = np.array([[0.3, 0.0, 0.0], [0.1, 0.4, 0.0], [-0.2, 0.25, 0.3]])
    found = dataclasses.replace(surface(0.6, 0.0), covariance=root @ root.T)
    c, step = np.array(found.coefficients), 1e-6 * np.eye(3)
    slope = [((c + h)[2] / (c + h)[1] - (c - h)[2] / (c - h)[1]) / 2e-6 for h in step]
    half = stats.t.ppf(0.95, 28) * np.linalg.norm(slope @ root)
    assert found.weight_interval == pytest.approx((0.6 - half, 0.6 + half), rel=1e-8)

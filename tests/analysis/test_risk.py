"""Yearly rates: closed forms, quadrature, and bands that hold what they promise."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import chi2, norm

import rocksteady as rs
from rocksteady.analysis.hazard import Hazard, lognormal_rate, poe_of_rate, rate_of_poe
from rocksteady.analysis.hazard.band import FEW, Tallies, rate_band, resampled
from rocksteady.analysis.hazard.integrals import node_weights, shares_at
from rocksteady.analysis.hazard.result import Unknown
from rocksteady.analysis.hazard.words import often, percent, rounded
from rocksteady.analysis.stripes import Stripes, stripes
from rocksteady.ensembles.labels import PGA, PGV

LAW = Hazard.power(level=0.25, rate=1 / 475, k=2.5)
STATUE = rs.Block(height=1.8, width=0.5)


def runs_of(fell, levels, *, known=None, clusters=None, gate=math.nan, measure=PGA) -> Stripes:
    """Stripes of given outcomes; the rest does not matter here."""
    fell = np.asarray(fell, dtype=bool)
    n = len(fell)
    ground = rs.Motion([0.0, 1.0, 0.0], 0.01)
    return Stripes(
        system=STATUE,
        formulation=rs.Housner(),
        motions=(ground,) * n,
        floor=None,
        measure=measure,
        levels=np.asarray(levels, dtype=float),
        peak=np.where(fell, 5.0, 0.3),
        fell=fell,
        known=np.ones_like(fell) if known is None else np.asarray(known, dtype=bool),
        clusters=np.arange(n) if clusters is None else np.asarray(clusters),
        lifts=np.full(n, gate),
    )


# -- closed forms -------------------------------------------------------------------------------


def test_the_closed_form_of_a_power_law():
    """Every digit of k₀θ^−k e^{k²β²/2}."""
    found = lognormal_rate(LAW, median=0.6, beta=0.5)
    k0 = 1 / 475 * 0.25**2.5
    assert k0 == pytest.approx(6.5789474e-5, rel=1e-7)
    exact = k0 * 0.6**-2.5 * math.exp(2.5**2 * 0.5**2 / 2)
    assert found.rate == pytest.approx(exact, rel=1e-10)
    assert found.rate == pytest.approx(5.1531270e-4, rel=1e-7)
    assert poe_of_rate(found.rate, 50) == pytest.approx(0.02543653, abs=5e-9)
    assert found.at_gate == found.continued == 0


@pytest.mark.parametrize(("gate", "above"), [(0.2, 0.8282), (0.3, 0.5542)])
def test_a_gate_cuts_what_lies_below(gate, above):
    """∫ λ dP from the gate on, and beside it what P has there already: a curve that is zero below
    the gate and Φ above it jumps at the gate, and all that is stronger meets at least that."""
    whole, found = (lognormal_rate(LAW, 0.6, 0.5, x).rate for x in (0.0, gate))
    parts = lognormal_rate(LAW, 0.6, 0.5, gate)
    assert parts.above / whole == pytest.approx(above, abs=5e-5)
    jump = norm.cdf(math.log(gate / 0.6) / 0.5) * LAW.rate(gate)
    assert parts.at_gate == pytest.approx(jump, rel=1e-12)
    by_parts = quad(
        lambda u: norm.cdf((u - math.log(0.6)) / 0.5) * 2.5 * LAW.rate(math.exp(u)),
        math.log(gate), math.log(100), epsabs=0, epsrel=1e-12, limit=400,
    )[0]  # fmt: skip
    assert found == pytest.approx(by_parts + float(LAW.rate(100)), rel=1e-9)


def test_probabilities_and_rates():
    assert rate_of_poe(0.1, 50) == pytest.approx(2.1072103e-3, rel=1e-7)
    assert 1 / rate_of_poe(0.1, 50) == pytest.approx(474.561, rel=1e-6)
    assert rate_of_poe(0.4553861, 1) == pytest.approx(0.6076782, rel=1e-6)
    assert poe_of_rate(rate_of_poe(1e-9, 50), 50) == pytest.approx(1e-9, rel=1e-12)
    with pytest.raises(rs.InputError, match="years = 0 is not allowed"):
        rate_of_poe(0.1, 0)


curves = st.builds(
    lambda first, steps, rate, drops: (
        first * np.exp(np.cumsum([0.0, *steps[: len(drops)]])),
        rate * np.exp(-np.cumsum([0.0, *drops[: len(steps)]])),
    ),
    st.floats(0.01, 0.5),
    st.lists(st.floats(0.05, 1.5), min_size=6, max_size=6),
    st.floats(1e-4, 0.5),
    st.lists(st.one_of(st.just(0.0), st.floats(1e-9, 6.0)), min_size=1, max_size=6),
)


def by_quad(hazard: Hazard, P, breaks=()) -> float:
    """∫ P |dλ| from the first to the last point, plus P of the last point for what is stronger."""
    ends = np.unique(np.log(np.concatenate([hazard.levels, breaks])))
    inside = ends[(ends >= math.log(hazard.levels[0])) & (ends <= math.log(hazard.levels[-1]))]
    total = 0.0
    for a, b in itertools.pairwise(inside):
        rate_a, rate_b = hazard.rate(np.exp([a, b]))
        k = math.log(rate_a / rate_b) / (b - a)
        middle = 0.5 * (a + b)
        total += quad(
            lambda u, k=k, a=a, rate=rate_a: P(math.exp(u)) * k * rate * math.exp(-k * (u - a)),
            a, b, epsabs=0, epsrel=1e-12, limit=200, points=[middle],
        )[0]  # fmt: skip
    return total + P(hazard.levels[-1]) * hazard.rates[-1]


@given(curves, st.floats(0.05, 2.0), st.floats(0.1, 1.0), st.floats(0.0, 1.0))
def test_any_straight_hazard_is_exact_with_a_lognormal(points, median, beta, gate):
    hazard = Hazard(*points)

    def P(x):
        return norm.cdf(math.log(x / median) / beta) if x >= gate else 0.0

    expected = by_quad(hazard, P, [gate] if gate > 0 else [])
    found = lognormal_rate(hazard, median, beta, gate)
    assert found.rate == pytest.approx(expected, rel=1e-9, abs=1e-18)


@given(
    curves,
    st.lists(st.floats(0.0, 1.0), min_size=1, max_size=8),
    st.floats(0.02, 3.0),
    st.floats(1.02, 1.6),
)
def test_any_straight_hazard_is_exact_with_shares(points, shares, first, ratio):
    hazard = Hazard(*points)
    nodes = first * ratio ** np.arange(len(shares))
    values = np.array(shares)

    def P(x):
        return float(shares_at(x, nodes, values))

    found = float(node_weights(hazard, nodes) @ values)
    assert found == pytest.approx(by_quad(hazard, P, nodes), rel=1e-9, abs=1e-15)
    assert node_weights(hazard, nodes).sum() <= hazard.rates[0] * (1 + 1e-12)


def test_steep_hazards_do_not_overflow():
    """k = 60: e^{k²β²/2} alone is 10^400, and the hazard is gone within a few per cent."""
    hazard = Hazard([0.1, 0.2, 0.22], [0.01, 0.005, 0.005 * 1.1**-60])
    found = lognormal_rate(hazard, 0.8, 0.8)
    assert found.rate == pytest.approx(
        by_quad(hazard, lambda x: norm.cdf(math.log(x / 0.8) / 0.8)), rel=1e-9
    )


def test_a_continued_table_equals_the_power_law():
    """A table of a power law, and what it adds beyond its ends, are the law itself."""
    levels = np.geomspace(0.05, 1.0, 7)
    table = Hazard(levels, LAW.rate(levels))
    parts = lognormal_rate(table, 0.6, 0.5)
    whole = lognormal_rate(LAW, 0.6, 0.5).rate
    below = quad(
        lambda u: norm.cdf((u - math.log(0.6)) / 0.5) * 2.5 * LAW.rate(math.exp(u)),
        math.log(1e-4), math.log(0.05), epsabs=0, epsrel=1e-12, limit=400,
    )[0]  # fmt: skip
    assert parts.rate + parts.continued + below == pytest.approx(whole, rel=1e-9)


# -- the hazard itself --------------------------------------------------------------------------


def test_a_hazard_is_straight_in_logarithms():
    curve = Hazard([0.1, 0.4], [0.01, 0.0001])
    assert curve.rate(0.2) == pytest.approx(0.001)
    assert curve.rate(0.01) == pytest.approx(0.01) and math.isnan(curve.rate(0.5))
    assert curve.level(0.001) == pytest.approx(0.2) and math.isnan(curve.level(1.0))
    assert curve.poe(0.2, 50) == pytest.approx(1 - math.exp(-0.05))
    assert LAW.level(1 / 475) == pytest.approx(0.25) and LAW.rate(1e-3) > 1
    assert LAW.level(float(LAW.rate(7.0))) == pytest.approx(7.0)
    farther = curve.reaching(0.05, 0.8)
    assert farther.rates[[0, -1]] == pytest.approx([0.1, 1e-5])
    with pytest.raises(ValueError):
        curve.levels[0] = 1.0


@pytest.mark.parametrize(
    ("levels", "rates", "why"),
    [
        ([0.1], [0.1], "two or more"),
        ([0.1, 0.2], [0.1], "2 levels and 1 rates"),
        ([0.0, 0.2], [0.1, 0.01], "the level 0: a number above zero"),
        ([0.2, 0.1], [0.1, 0.01], "levels that increase"),
        ([0.1, 0.2], [0.01, 0.02], "cannot grow with the level"),
        ([0.1, 0.2], [0.01, 0.0], "the rate 0 at 0.2 g: a number above zero"),
        ([0.1, math.nan], [0.01, 0.001], "the level nan"),
        (["a", 0.2], [0.1, 0.01], "levels must be a sequence of numbers"),
    ],
)
def test_no_hazard_has_such_points(levels, rates, why):
    with pytest.raises(rs.InputError, match=why):
        Hazard(levels, rates)


# -- risk ---------------------------------------------------------------------------------------


def test_the_rate_of_known_shares():
    """Ten motions, capacities known: the rate is that of the shares, linear in ln x from lift-off
    on, by quadrature; probability and return period follow."""
    levels = np.geomspace(0.2, 2.0, 12)
    capacities = np.geomspace(0.35, 1.9, 10)
    runs = runs_of(levels >= capacities[:, None], levels, gate=0.25)
    found = rs.analysis.risk(runs, LAW, years=50)
    nodes = np.append(0.25, levels[levels > 0.25])
    shares = np.append(0.0, (nodes[1:, None] >= capacities).mean(axis=1))
    assert found.nodes == pytest.approx(nodes) and found.shares == pytest.approx(shares)
    inside = LAW.reaching(high=nodes[-1])
    table = dataclasses.replace(
        inside, levels=np.geomspace(0.25, nodes[-1], 5), continued=False,
        rates=LAW.rate(np.geomspace(0.25, nodes[-1], 5)),
    )  # fmt: skip
    expected = by_quad(table, lambda x: float(np.interp(math.log(x), np.log(nodes), shares)), nodes)
    assert found.rate == pytest.approx(expected, rel=1e-9)
    assert found.probability == pytest.approx(1 - math.exp(-50 * found.rate))
    assert found.return_period == pytest.approx(1 / found.rate)
    assert found.band[0] < found.rate < found.band[1]
    total = found.contributions.rates.sum() + found.contributions.beyond
    assert total == pytest.approx(found.rate, rel=1e-12)


def test_nothing_below_lift_off_counts():
    """A hazard that ends where the body lifts off cannot fell it; nor does the level below it."""
    levels = [0.2, 0.4, 0.8]
    runs = runs_of([[0, 1, 1]] * 5, levels, gate=0.39)
    weak = Hazard([0.05, 0.39], [0.1, 0.001])
    assert rs.analysis.risk(runs, weak).rate == 0
    low = Hazard([0.05, 0.38], [0.1, 0.001])
    assert rs.analysis.risk(runs, low).rate == 0
    without = rs.analysis.risk(runs_of([[0, 1, 1]] * 5, levels), weak).rate
    assert without > 0.001  # linear from 0.2 g on, which lift-off forbids


def test_lifting_off_is_known_at_every_level():
    """By each motion's own threshold, not by the levels that were run."""
    runs = runs_of(np.zeros((4, 2)), [0.2, 2.0], gate=0.3)
    runs = dataclasses.replace(runs, lifts=np.array([0.3, 0.3, 0.5, np.inf]))
    found = rs.analysis.risk(runs, LAW, limit="lifts off")
    assert found.rate == pytest.approx(float(LAW.rate([0.3, 0.3, 0.5]).sum()) / 4, rel=1e-9)
    assert "it lifts off with a probability" in found.sentence


def test_runs_without_an_answer_are_no_runs_that_stood():
    levels = [0.3, 0.6, 1.2]
    fell = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 1], [0, 0, 0]])
    known = np.ones_like(fell)
    known[3] = 0
    lost = rs.analysis.risk(runs_of(fell, levels, known=known, gate=0.25), LAW)
    alone = rs.analysis.risk(runs_of(fell[:3], levels, gate=0.25), LAW)
    assert lost.rate == pytest.approx(alone.rate, rel=1e-12)
    assert "3 of 12 runs gave no answer and are left out." in lost.sentences


def test_what_the_ends_could_add_is_told():
    levels = np.geomspace(0.3, 2.4, 15)
    capacities = np.geomspace(0.35, 3.5, 40)
    runs = runs_of(levels >= capacities[:, None], levels, gate=0.28)
    short = Hazard([0.5, 0.7, 1.0], LAW.rate([0.5, 0.7, 1.0]))
    found = rs.analysis.risk(runs, short)
    begins, ends = found.unknowns
    whole = rs.analysis.risk(runs, LAW).rate
    assert found.rate + begins.adds + ends.adds == pytest.approx(whole, rel=1e-9)
    assert ends.at_most == pytest.approx(short.rates[-1] * (1 - found.share(1.0)))
    told = " ".join(found.sentences)
    assert "begins at PGA 0.5 g, above the 0.28 g from which on it can lift off" in told
    assert "ends at PGA 1 g, and all stronger shaking" in told
    later = rs.analysis.risk(runs, LAW)
    assert [part.what[:35] for part in later.unknowns] == ["The body was run up to PGA 2.4 g, a"]
    last = later.unknowns[0]
    assert last.at_most == pytest.approx(float(LAW.rate(2.4)) * (1 - later.shares[-1]))
    small = Hazard([0.01, 0.05, 3.0], [0.1, 0.01, 1e-9])
    assert len(rs.analysis.risk(runs, small).unknowns) == 1  # told in the summary, not in words
    assert len(rs.analysis.risk(runs, small).sentences) < len(found.sentences)


def test_a_body_that_never_falls_is_not_said_to_be_safe(tmp_path):
    """None of twenty: 0.139 of them at the most, by 95 %, which Poisson's 3.0 of 20 is near."""
    runs = runs_of(np.zeros((20, 3)), [0.3, 0.6, 1.2], gate=0.28)
    found = rs.analysis.risk(runs, LAW)
    most = node_weights(LAW, found.nodes).sum()
    assert found.rate == 0 and found.band[0] == 0
    assert found.band[1] == pytest.approx(most / 20 * chi2.ppf(0.95, 2) / 2, rel=1e-12)
    assert found.sentence.startswith("No motion gets it that far")
    assert found.summary()["return_period_years"] is None
    found.plot(tmp_path / "none.png")
    early = rs.analysis.risk(runs, Hazard([0.01, 0.05], [0.1, 0.01]))  # ends before it lifts off
    assert early.rate == early.band[1] == 0
    assert "ends at 0.05 g, before it can lift off at 0.28 g" in early.sentence
    assert early.sentence.endswith("at most once in 100 years: in 50 years it falls with a "
                                   "probability of at most 39 %.")  # fmt: skip
    told = early.summary()
    assert (
        told["rate_low_per_year"]
        is told["probability_high"]
        is told["contributes_most_from"]
        is None
    )
    assert not any("The band" in sentence for sentence in early.sentences)
    assert "at which it falls under 0 % of the motions" in early.sentences[-1]
    early.plot(tmp_path / "early.png")
    json.dumps([found.summary(), told], allow_nan=False)


def test_the_measure_must_be_the_hazards():
    runs = runs_of([[0, 1]] * 3, [0.3, 0.6], measure=PGV)
    with pytest.raises(rs.InputError, match=r"PGA \[g\] and the body's levels are PGV \[m/s\]"):
        rs.analysis.risk(runs, LAW)
    speed = Hazard.power(0.2, 0.002, 2.0, "pgv")
    assert rs.analysis.risk(runs, speed).hazard.measure.unit == "m/s"
    assert "must suit the site" not in " ".join(rs.analysis.risk(runs, speed).sentences)
    by_pga = rs.analysis.risk(runs_of([[0, 1]] * 3, [0.3, 0.6]), LAW)
    assert "must suit the site" in " ".join(by_pga.sentences)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"level": 1.0}, "level = 1.0 is not allowed"),
        ({"years": -1}, "years = -1 years is not allowed"),
        ({"limit": "falls"}, "limit = 'falls' is not known"),
    ],
)
def test_nonsense_is_refused(change, why):
    with pytest.raises(rs.InputError, match=why):
        rs.analysis.risk(runs_of([[0, 1]] * 3, [0.3, 0.6]), LAW, **change)
    with pytest.raises(rs.InputError, match="risk needs the runs of a body"):
        rs.analysis.risk(STATUE, LAW)


# -- bands --------------------------------------------------------------------------------------


def population(rng, n, clusters=1, beta=0.5):
    """(n, L) falls of motions with lognormal capacities, above a gate at 0.278 g."""
    levels = np.geomspace(0.278, 3.0, 30)
    own, common = rng.standard_normal((2, n))
    common = np.repeat(common[: n // clusters], clusters)
    share = 0.9 if clusters > 1 else 0.0
    capacities = 0.9 * np.exp(beta * (math.sqrt(share) * common + math.sqrt(1 - share) * own))
    fell = levels >= capacities[:, None]
    fell[:, 0] = False
    return levels, fell, np.repeat(np.arange(n // clusters), clusters)


def coverage(n, clusters=1, told=True, times=200):
    """How often the 90 % band holds the rate of the population."""
    rng = np.random.default_rng(7)
    levels = population(rng, 2)[0]
    weights = node_weights(LAW, levels)
    truth = norm.cdf(np.log(levels / 0.9) / 0.5)[1:] @ weights[1:]
    held = 0
    for _ in range(times):
        _, fell, groups = population(rng, n, clusters)
        tallies = Tallies.of(fell, np.ones_like(fell), groups if told else np.arange(n))
        low, high = rate_band(tallies, weights, resampled(tallies, 400, 3), 0.90)
        held += low <= truth <= high
    return held / times


@pytest.mark.parametrize(("n", "clusters"), [(20, 1), (60, 1), (150, 5)])
def test_bands_hold_the_rate_of_the_population(n, clusters):
    assert 0.84 <= coverage(n, clusters) <= 0.97


def test_a_band_that_ignores_clusters_is_too_narrow():
    assert coverage(150, 5, told=False, times=100) < 0.70


def test_few_falls_are_judged_by_their_number():
    """Where fewer than ten independent motions fall the interval is Fay and Feuer's, with the rate
    of one that falls at once as the largest weight."""
    levels = np.geomspace(0.3, 3.0, 10)
    weights = node_weights(LAW, levels)
    fell = np.zeros((40, 10), dtype=bool)
    fell[:3, 6:] = True
    tallies = Tallies.of(fell, np.ones_like(fell), np.arange(40))
    assert tallies.fallen == 3 < FEW
    rate, v, w = 3 * weights[6:].sum() / 40, 3 * (weights[6:].sum() / 40) ** 2, weights.sum() / 40
    low, high = rate_band(tallies, weights, resampled(tallies, 10), 0.90)
    assert low == pytest.approx(v / 2 / rate * chi2.ppf(0.05, 2 * rate**2 / v))
    assert high == pytest.approx((v + w**2) / 2 / (rate + w) * chi2.ppf(0.95, 2 * (rate + w) ** 2 / (v + w**2)))  # fmt: skip  # noqa: E501


def test_a_cluster_with_most_of_the_motions_counts_as_what_it_is():
    """Twenty motions of one parameter set beside one motion of nineteen others."""
    rng, sizes, inside = np.random.default_rng(3), [20] + [1] * 19, 0
    clusters, levels = np.repeat(np.arange(20), sizes), np.geomspace(0.2, 3.0, 20)
    weights = node_weights(LAW, levels)
    true = norm.cdf(np.log(levels / 0.6) / 0.4) @ weights
    for seed in range(100):
        capacity = 0.6 * np.exp(0.4 * rng.normal(size=20)[clusters])
        tallies = Tallies.of(fell := levels > capacity[:, None], np.ones_like(fell), clusters)
        low, high = rate_band(tallies, weights, resampled(tallies, 300, seed), 0.9)
        inside += low <= true <= high
    assert inside >= 85  # where each cluster weighed the same 73


def test_falls_beyond_the_end_of_the_hazard_tell_nothing_of_its_rate():
    """All forty fall in the end, but one of them where the hazard reaches."""
    levels, ends = np.geomspace(0.3, 3.0, 11), Hazard([0.1, 0.45], [0.02, 0.001])
    fell = np.tile(levels > 1.0, (40, 1))
    fell[0] = levels > 0.4
    found = rs.analysis.risk(runs_of(fell, levels, gate=0.25), ends)
    assert found.fallen == 40
    assert found.band[0] < 0.2 * found.rate
    assert found.band[1] > 3 * found.rate


def test_a_hazard_that_ends_before_the_first_fall_is_told():
    """The motions do fell it, but where the hazard does not reach."""
    levels, ends = [0.3, 0.5, 1.0], Hazard([0.1, 0.4], [0.02, 0.001])
    found = rs.analysis.risk(runs_of([[0, 0, 1]] * 20, levels, gate=0.25), ends)
    assert found.rate == 0
    assert "No motion gets it that far up to 0.4 g, where the hazard ends" in found.sentence
    body = rs.Block(height=0.9, width=0.3)
    pulses = [rs.pulses.sine(amplitude=1.0, period=T) for T in (0.3, 0.35, 0.4)]
    tried = rs.analysis.measures(body, pulses, ends, tries=["width"], levels=6, progress=False)
    assert tried.sentences[0].startswith("No rate was found for the body as it is")


@pytest.mark.parametrize(
    ("ends", "fell"),
    [
        (0.2, [[0, 0, 1]] * 20),  # before it can lift off
        (0.2, np.zeros((20, 3))),
        (0.4, [[0, 0, 1]] * 20),  # where no motion fells it
        (0.4, np.zeros((20, 3))),
    ],
)
def test_where_the_hazard_ends_early_a_bound_is_known_and_no_rate(ends, fell):
    """All that is known of stronger shaking is how often it comes: all of it may fell the body."""
    levels, site = [0.3, 0.5, 1.0], Hazard([0.1, ends], [0.02, 0.001])
    found = rs.analysis.risk(runs_of(fell, levels, gate=0.25), site)
    about = found.summary()
    assert found.rate == 0
    assert about["rate_per_year"] is about["probability"] is about["return_period_years"] is None
    assert about["rate_at_most_per_year"] == pytest.approx(found.band[1] + 0.001)
    bound = 1 - math.exp(-50 * (found.band[1] + 0.001))
    assert about["probability_at_most"] == pytest.approx(bound)
    assert found.sentence.endswith(f"with a probability of at most {percent(bound)}.")
    assert f"{ends:g} g" in found.sentence and "hazard" in found.sentence


def test_where_more_may_lie_beyond_the_hazard_the_answer_says_so_first(tmp_path):
    """One of forty falls within the curve, all of them beyond it, once in 1000 years."""
    levels, site = np.geomspace(0.3, 3.0, 11), Hazard([0.1, 0.45], [0.02, 0.001])
    fell = np.tile(levels > 1.0, (40, 1))
    fell[0] = levels > 0.4
    found = rs.analysis.risk(runs_of(fell, levels, gate=0.25), site)
    within, bound = percent(found.probability), percent(found.summary()["probability_at_most"])
    assert found.rate_at_most == pytest.approx(found.band[1] + 0.001 * (1 - found.share(0.45)))
    assert found.sentence.startswith(
        "Counting no shaking as stronger than 0.45 g, where the hazard "
    )
    assert f"in 50 years it falls with a probability of {within} (" in found.sentence
    assert found.sentence.endswith(
        "Stronger shaking comes once in 1000 years, and how strong it is, is not known: with it "
        f"the probability is at most {bound}."
    )
    assert "on average" not in found.sentence
    found.plot(tmp_path / "open.png")
    one = np.zeros((40, 3))
    one[0, 2] = 1
    runs = runs_of(one, [0.3, 0.4, 0.5], gate=0.25)
    short = rs.analysis.risk(runs, Hazard([0.1, 0.49, 5.0], [0.1, 0.09, 0.08]))
    assert short.sentence.startswith(
        "As far as the body was run, up to 0.5 g, in 50 years it falls"
    )


def test_motions_that_all_do_the_same_leave_a_doubt():
    """Thirty of thirty fell: one in thirty-one may not."""
    levels = [0.3, 0.5]
    found = rs.analysis.risk(runs_of(np.ones((30, 2)), levels, gate=0.25), LAW)
    assert found.band[0] == pytest.approx(found.rate * 0.05 ** (1 / 30))
    assert found.rate < found.band[1] < 1.05 * found.rate
    sure = rs.analysis.risk(runs_of(np.ones((30, 2)), levels, gate=0.25), LAW, limit="lifts off")
    assert sure.band == (sure.rate, sure.rate)


def test_no_answer_is_no_rate_of_zero():
    fell = np.zeros((4, 2))
    with pytest.raises(rs.InputError, match="No run gave an answer"):
        rs.analysis.risk(runs_of(fell, [0.3, 0.5], known=fell, gate=0.25), LAW)


def test_the_bound_of_a_body_that_stood_holds_what_was_not_run():
    """Run to 0.3 g only, and no motion fell it: it may well fall at 0.4 g."""
    found = rs.analysis.risk(runs_of(np.zeros((100, 2)), [0.27, 0.3], gate=0.25), LAW)
    told = float(found.sentence.rsplit("at most ", 1)[1].removesuffix(" %.")) / 100
    assert told > poe_of_rate(float(LAW.rate(0.3)), 50)
    short = Hazard([0.01, 0.02], [1.0, 0.5])
    assert "at most more than" not in rs.analysis.risk(found.stripes, short).sentence


def test_the_same_seed_gives_the_same_band():
    _, fell, groups = population(np.random.default_rng(1), 40)
    levels = population(np.random.default_rng(1), 2)[0]
    runs = runs_of(fell, levels, clusters=groups, gate=0.278)
    one, again, other = (rs.analysis.risk(runs, LAW, seed=seed).band for seed in (1, 1, 2))
    assert one == again != other


# -- a statue, all the way ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def statue_runs() -> Stripes:
    shaking = rs.stochastic.Parameters(1.0, 10.0, 6.0, 2.0, -0.05, 0.3)
    return stripes(STATUE, rs.stochastic.ensemble(40, 3, shaking), levels=25, progress=False)


def test_a_statue(statue_runs, tmp_path):
    found = rs.analysis.risk(statue_runs, LAW)
    gate = 0.5 / 1.8 * 9.81 / PGA.si  # the body's g and the unit's differ a little
    assert found.nodes[0] == pytest.approx(gate)
    assert found.band[0] < found.rate < found.band[1]
    assert found.lognormal == pytest.approx(found.rate, rel=0.15)
    assert found.curve.gate == found.nodes[0]
    assert "In 50 years it falls with a probability of" in found.sentence
    first, last, most = found.contributions.most
    assert first < last and 0 < most < found.rate
    about = json.loads(json.dumps(found.summary(), allow_nan=False))
    assert about["rate_per_year"] == found.rate and about["unit"] == "g"
    assert repr(found) == f"<Risk: {found.sentence}>"
    figure = found.plot(tmp_path / "risk.svg")
    assert [axes.get_title(loc="left")[:3] for axes in figure.axes[:3]] == ["(a)", "(b)", "(c)"]
    bars = figure.axes[2].patches[:20]
    drawn = sum(bar.get_height() for bar in bars)
    assert drawn == pytest.approx(100 * found.contributions.rates.sum() / found.rate)
    assert (tmp_path / "risk.svg").stat().st_size > 10_000


def test_a_fragility_gives_the_same(statue_runs):
    by_fragility = rs.analysis.risk(rs.analysis.fragility(statue_runs), LAW)
    assert by_fragility.rate == rs.analysis.risk(statue_runs, LAW).rate


# -- words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0254, "2.5 %"), (0.3, "30 %"), (0.000012, "0.0012 %"), (0.0999, "10 %"), (0.0, "0 %"),
        (0.9996, "more than 99 %"), (1.0, "100 %"), (3e-10, "3.0e-08 %"),
    ],
)  # fmt: skip
def test_percentages_as_people_say_them(share, text):
    assert percent(share) == text


def test_rates_as_people_say_them():
    assert often(1 / 1942.0) == "once in 1900 years" and often(3.0) == "3.0 times a year"
    assert rounded(0.0995, 2) == "0.10" and rounded(123456, 3) == "123000"


def test_a_body_of_unknown_lift_off_is_told_where_its_levels_begin():
    levels = [0.3, 0.6, 1.2]
    runs = runs_of([[1, 1, 1]] * 4 + [[0, 1, 1]] * 12, levels)
    found = rs.analysis.risk(runs, Hazard([0.1, 0.3, 2.0], [0.02, 0.002, 1e-6]))
    first = next(part for part in found.unknowns if "run from" in part.what)
    assert first.at_most == pytest.approx(0.25 * (0.02 - 0.002))
    assert "weaker shaking is not counted" in " ".join(found.sentences)


def test_of_two_similar_blocks_the_larger_is_safer(statue_runs):
    motions = statue_runs.motions
    larger = stripes(rs.Block(3.6, 1.0), motions, levels=25, progress=False)
    rates = [rs.analysis.risk(runs, LAW).band for runs in (larger, statue_runs)]
    assert rates[0][1] < rates[1][0]


@pytest.mark.slow
def test_a_statue_under_300_motions_of_as_many_kinds():
    """A curve that is zero below lift-off comes near the shares, a plain one is a fifth too high;
    and the width and centre of mass found to halve the rate do so when they are run."""
    motions = rs.stochastic.ensemble(300, 5)
    tries = {"width": np.linspace(0.5, 0.7, 9), "com_height": np.linspace(0.9, 0.6, 9)}
    helps = rs.analysis.measures(STATUE, motions, LAW, tries=tries, progress=False)
    found, curve = helps.base, helps.base.curve
    assert found.draws == 300
    assert found.lognormal == pytest.approx(found.rate, rel=0.06)
    assert lognormal_rate(LAW, curve.median, curve.beta).rate > 1.12 * found.rate
    width, lower = helps.tried
    for name, reaches in (("width", width.reaches), ("com_height", lower.reaches)):
        changed = dataclasses.replace(STATUE, **{name: reaches})
        runs = stripes(changed, motions, levels=helps.base.nodes, progress=False)
        assert rs.analysis.risk(runs, LAW).rate == pytest.approx(found.rate / 2, rel=0.05), name


def test_where_nothing_can_fall_the_share_is_known_and_elsewhere_it_is_bounded():
    """Clopper and Pearson: of 20 motions none, the share may be 1 − 0.05^(1/20)."""
    levels = np.array([0.4, 0.6, 0.9])
    found = rs.analysis.risk(runs_of([[0, 0, 1]] * 20, levels, gate=0.25), LAW)
    assert found.nodes[0] == 0.25
    known = found.nodes <= 0.25
    assert (found.intervals[:, known] == 0).all()
    low, high = found.intervals[:, np.isin(found.nodes, levels)]
    assert low[:2].tolist() == [0, 0] and high[:2] == pytest.approx(1 - 0.05 ** (1 / 20))
    assert (low[2], high[2]) == pytest.approx((0.05 ** (1 / 20), 1.0))
    assert not any("is held beyond" in one.what for one in found.unknowns)  # for all fall
    some = rs.analysis.risk(runs_of([[0, 0, 1]] * 19 + [[0, 0, 0]], levels, gate=0.25), LAW)
    assert any("the share there, 95 %, is held beyond" in one.what for one in some.unknowns)


def test_tall_bodies_are_told_that_velocity_says_more():
    """From 1 m on; where the acceleration decides, the motions must suit the site all the same."""
    runs = runs_of([[0, 1]] * 20, [0.3, 0.6], gate=0.25)
    said = []
    for height in (0.5, 0.99, 1.0, 4.0):
        body = rs.Block(height=height, width=height / 3.6)
        text = rs.analysis.risk(dataclasses.replace(runs, system=body), LAW)
        assert "the motions must suit the site in this range" in " ".join(text.sentences)
        said.append(
            "by peak velocity the answer would depend on them less" in " ".join(text.sentences)
        )
    assert said == [False, False, True, True]


def test_what_lies_beyond_the_end_of_a_hazard_is_told_by_its_last_point():
    """Of three points, so that the last is not the second."""
    site = Hazard([0.2, 0.5, 1.0], [0.02, 0.005, 0.001])
    fell = [[0, 1, 1, 1]] + [[0, 0, 0, 1]] * 19
    found = rs.analysis.risk(runs_of(fell, [0.3, 0.5, 1.0, 2.0], gate=0.25), site)
    (said,) = (
        text for text in found.sentences if "where the hazard" in text and "Stronger" in text
    )
    assert "Counting no shaking as stronger than 1 g, where the hazard curve ends" in said
    assert f"Stronger shaking comes {often(0.001)}, and how strong it is" in said


def test_a_hazard_that_ends_before_lift_off_is_told_by_its_last_point():
    site = Hazard([0.05, 0.1, 0.2], [0.1, 0.03, 0.004])
    found = rs.analysis.risk(runs_of([[0, 1]] * 20, [0.3, 0.6], gate=0.25), site, years=50)
    bound = percent(float(poe_of_rate(0.004, 50)))
    assert found.sentence == (
        "The hazard curve ends at 0.2 g, before it can lift off at 0.25 g, and stronger shaking "
        f"comes at most {often(0.004)}: in 50 years it falls with a probability of at most {bound}."
    )


def test_what_is_unknown_is_told_where_it_matters():
    """Or where it is not known how much it may be."""
    found = rs.analysis.risk(runs_of([[0, 1]] * 20, [0.3, 0.6], gate=0.25), LAW)
    little, much = 1e-6 * found.rate, 10 * found.rate
    for adds, at_most, told in (
        (None, None, True), (little, None, False), (None, little, False), (little, much, True),
        (much, None, True),
    ):  # fmt: skip
        assert found._matters(Unknown("", adds, at_most)) is told


def test_a_body_that_lifts_off_above_all_its_levels_is_known_up_to_there():
    """The hazard ends between its last level and lift-off: nothing of it is unknown."""
    hazard = Hazard(np.array([0.1, 0.4, 0.8]), np.array([0.1, 0.01, 0.001]), "pga")
    runs = runs_of([[0, 0]] * 20, np.array([0.4, 0.6]), gate=0.9)
    told = " ".join(rs.analysis.risk(runs, hazard).sentences)
    assert "The body was run up to" not in told
    lower = runs_of([[0, 0]] * 20, np.array([0.4, 0.6]), gate=0.2)
    assert "The body was run up to" in " ".join(rs.analysis.risk(lower, hazard).sentences)


def test_what_a_hazard_would_add_has_the_slope_of_its_last_piece():
    """Of four pieces with slopes of their own: ∫ λ dP above the last point, by quadrature."""
    levels, rates = np.array([0.05, 0.2, 0.5, 1.0]), np.array([0.1, 0.01, 1e-3, 1e-4])
    found = lognormal_rate(Hazard(levels, rates, "pga"), median=0.6, beta=0.5)
    k = np.log(10) / np.log(2)
    curve = norm(np.log(0.6), 0.5)

    def added(x):
        return 1e-4 * np.exp(-k * x) * curve.pdf(x)

    assert found.continued == pytest.approx(quad(added, 0.0, 8.0)[0], rel=1e-8)

"""Fragility: intervals that cover, curves that know their limits, first falls kept apart."""

import dataclasses
import json
import math
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pandas
import pytest
from scipy import optimize, stats

import rocksteady as rs
from rocksteady.analysis.draws import cluster_numbers
from rocksteady.analysis.fragilities import export, probit
from rocksteady.analysis.fragilities.curve import fitted_curve, misfit
from rocksteady.analysis.fragilities.first_falls import first_falls
from rocksteady.analysis.fragilities.shares import shares
from rocksteady.analysis.fragilities.tolerances import BlockWithLoss
from rocksteady.analysis.fragilities.uncertainty import WIDER, _indices, ln_median
from rocksteady.analysis.shares.interval import interval
from rocksteady.analysis.stripes import Stripes, stripes, stripes_of
from rocksteady.ensembles.labels import ARIAS, PGA, PGV, measure_named
from rocksteady.errors import InputError
from rocksteady.motion.units import GRAVITY_UNIT

STATUE = rs.Block(height=1.8, width=0.5)
LEVELS = np.geomspace(0.4, 2.5, 10)
AT = np.array([0.5, 0.75, 1.0, 1.5, 2.0])  # of the median
BETA = 0.4


@pytest.fixture(scope="module")
def motions():
    """300 motions of 60 sets of parameters, which here are the whole population."""
    drawn = rs.stochastic.sample_parameters(60, 5)
    return rs.stochastic.ensemble(300, 5, [drawn[i // 5] for i in range(300)])


@pytest.fixture(scope="module")
def population(motions):
    """Three blocks under all of them."""
    blocks = [rs.Block(0.6, 0.12), STATUE, rs.Block(4.2, 0.6)]
    each = np.arange(len(motions))
    return [stripes(block, motions, clusters=each, progress=False) for block in blocks]


def made_up(beyond, levels=LEVELS, clusters=None, known=None, lifts=0.0, motions=None):
    """Stripes with outcomes that nobody ran."""
    n = len(beyond)
    some = motions or (rs.pulses.sine(amplitude=1.0, period=0.5),) * n
    return Stripes(
        STATUE,
        rs.Housner(),
        tuple(some),
        None,
        PGA,
        np.asarray(levels, dtype=float),
        np.where(beyond, 2.0, 0.05),
        np.asarray(beyond),
        np.ones_like(beyond) if known is None else known,
        np.arange(n) if clusters is None else clusters,
        np.full(n, lifts),
    )


# -- the bands cover --------------------------------------------------------------------------


def coverage(n, repetitions, *, clustered, seed=0):
    """How often a nominal 90 % band holds the truth at five levels, where the same ``n`` motions,
    of lognormal capacities, are used in each of ten stripes."""
    capacity = np.exp(BETA * np.random.default_rng(seed).standard_normal((repetitions, n)))
    y = (capacity[..., None] <= LEVELS).astype(float)
    x = np.stack([np.ones(10), np.log(LEVELS)], axis=-1)
    fitted = probit.fit(x, y.mean(axis=1), np.full((repetitions, 10), float(n)))
    assert fitted.converged.all()
    covariance, t = fitted.bread, stats.norm.ppf(0.95)
    if clustered:
        covariance = probit.sandwich(fitted, x, y, np.ones_like(y), np.arange(n))
        t = probit.quantile(0.90, n)
    row = np.stack([np.ones(5), np.log(AT)], axis=-1)
    spread = np.sqrt(np.einsum("ak,rkl,al->ra", row, covariance, row))
    return np.mean(np.abs(fitted.coefficients @ row.T - np.log(AT) / BETA) <= t * spread, axis=0)


@pytest.mark.parametrize("n", [20, 40, 100])
def test_bands_by_motion_cover_where_stripes_share_their_motions(n):
    found = coverage(n, 1000, clustered=True)
    assert (found >= 0.85).all() and (found <= 0.93).all(), found


@pytest.mark.parametrize("n", [20, 40, 100])
def test_bands_that_take_every_run_for_a_draw_do_not(n):
    assert (coverage(n, 1000, clustered=False) < 0.75).all()


def test_the_curve_of_the_package_has_these_bands():
    """The same numbers through the door that users take."""
    capacity = np.exp(BETA * np.random.default_rng(3).standard_normal(40))
    beyond = capacity[:, None] <= LEVELS
    curve = fitted_curve(LEVELS, beyond, np.ones_like(beyond), np.arange(40))
    x = np.stack([np.ones(10), np.log(LEVELS)], axis=-1)
    fitted = probit.fit(x, beyond.mean(axis=0), np.full(10, 40.0))
    expected = probit.sandwich(
        fitted, x, beyond.astype(float), np.ones_like(beyond, dtype=float), np.arange(40)
    )
    np.testing.assert_allclose(curve.covariance, expected, rtol=1e-12)
    low, high = curve.band(AT)
    assert (low < curve.probability(AT)).all() and (curve.probability(AT) < high).all()
    row = np.stack([np.ones(5), np.log(AT)], axis=-1)
    half = stats.t.ppf(0.95, 38) * np.sqrt(np.einsum("ak,kl,al->a", row, expected, row))
    np.testing.assert_allclose(high, stats.norm.cdf(row @ fitted.coefficients + half), rtol=1e-12)


def test_the_sandwich_is_the_sum_over_motions_of_what_the_likelihood_says():
    """Meat and bread by finite differences of the log-likelihood: n/(n − 2), H observed."""
    rng = np.random.default_rng(5)
    y = (np.exp(0.5 * rng.standard_normal(12))[:, None] <= LEVELS).astype(float)
    x = np.stack([np.ones(10), np.log(LEVELS)], axis=-1)
    fitted = probit.fit(x, y.mean(axis=0), np.full(10, 12.0))

    def loglik(c, rows):
        eta = x @ c
        return np.sum(rows * stats.norm.logcdf(eta) + (1 - rows) * stats.norm.logcdf(-eta))

    c, step = fitted.coefficients, 1e-4

    def gradient(rows, at):
        moves = np.eye(2) * step
        return np.array([(loglik(at + m, rows) - loglik(at - m, rows)) / (2 * step) for m in moves])

    scores = np.array([gradient(row, c) for row in y])
    hessian = np.array(
        [(gradient(y, c + m) - gradient(y, c - m)) / (2 * step) for m in np.eye(2) * step]
    )
    bread = np.linalg.inv(-hessian)
    expected = bread @ scores.T @ scores @ bread * 12 / 10
    found = probit.sandwich(fitted, x, y, np.ones_like(y), np.arange(12))
    np.testing.assert_allclose(found, expected, rtol=1e-4)


@pytest.mark.parametrize("n", [30, 100])
def test_exact_intervals_cover_true_rocking_shares(population, n):
    """Samples of motions from the population; the share of all 300 is the truth, level by level."""
    for runs in population:
        truth = runs.fell.mean(axis=0)
        draws = np.random.default_rng(n).multinomial(n, np.full(300, 1 / 300), 1000)
        low, high = interval(draws @ runs.fell, n)
        covered = np.mean((low <= truth + 1e-12) & (truth <= high + 1e-12), axis=0)
        assert covered.mean() >= 0.90
        assert covered.min() >= 0.88  # 1000 samples: 0.90 within 2.1 standard errors


def test_a_lognormal_does_not_describe_a_small_block_and_a_sentence_says_so(population):
    found = rs.analysis.fragility(population[0])
    told = [sentence for sentence in found.sentences if "leaves the shares' 90 %" in sentence]
    assert len(told) == 1 and "Read probabilities from the shares" in told[0]
    off, state = found.main.misfit, found.main
    for level in off.levels:
        j = int(np.searchsorted(found.stripes.levels, level))
        p = state.curve.probability(level)
        assert p < state.shares.low[j] or p > state.shares.high[j]
    assert off.largest > 0.05


@pytest.mark.slow
def test_300_sets_of_parameters_give_the_numbers_of_the_page():
    """docs/fragility.md: 300 stochastic motions, seed 5, each with parameters of its own."""
    motions = rs.stochastic.ensemble(300, 5)
    told = {(0.6, 0.12): (0.377, 0.466, 0.11), (1.8, 0.5): (0.970, 0.597, 0.03),
            (4.2, 0.6): (0.541, 0.673, 0.04)}  # fmt: skip
    for size, (median, beta, off) in told.items():
        found = rs.analysis.fragility(rs.Block(*size), motions, progress=False)
        assert found.main.curve.median == pytest.approx(median, abs=0.002)
        assert found.main.curve.beta == pytest.approx(beta, abs=0.002)
        assert found.main.misfit.largest == pytest.approx(off, abs=0.006)
        assert any("leaves the shares' 90 %" in sentence for sentence in found.sentences)


def test_no_such_sentence_where_the_curve_is_true():
    """Ten sets of lognormal capacities: a false alarm now and then, no more."""
    alarms = 0
    for seed in range(10):
        capacity = np.exp(BETA * np.random.default_rng(seed).standard_normal(100))
        found = rs.analysis.fragility(made_up(capacity[:, None] <= LEVELS), limits="overturned")
        alarms += any("leaves the shares'" in sentence for sentence in found.sentences)
    assert alarms <= 2


# -- the numbers of others --------------------------------------------------------------------


def test_median_and_beta_are_those_of_maximum_likelihood_by_scipy():
    rng = np.random.default_rng(11)
    beyond = np.exp(0.5 * rng.standard_normal(60))[:, None] <= LEVELS
    z = beyond.sum(axis=0)
    curve = fitted_curve(LEVELS, beyond, np.ones_like(beyond), np.arange(60))
    found = optimize.minimize(
        lambda q: (
            -stats.binom.logpmf(
                z, 60, stats.norm.cdf(np.log(LEVELS / np.exp(q[0])) / np.exp(q[1]))
            ).sum()
        ),
        [0.0, -1.0],
        method="Nelder-Mead",
        options={"xatol": 1e-10, "fatol": 1e-12, "maxiter": 4000},
    )
    assert curve.median == pytest.approx(math.exp(found.x[0]), rel=1e-6)
    assert curve.beta == pytest.approx(math.exp(found.x[1]), rel=1e-6)
    runs = 60 * len(LEVELS)
    p = curve.probability(LEVELS)
    loss = -np.sum(z * np.log(p) + (60 - z) * np.log(1 - p)) / runs
    assert curve.log_loss == pytest.approx(loss, rel=1e-12)


def test_first_falls_are_numpys_mean_and_standard_deviation():
    beyond = np.exp(0.3 * np.random.default_rng(2).standard_normal(50))[:, None] <= LEVELS
    found = first_falls(LEVELS, beyond, np.ones_like(beyond))
    j = np.argmax(beyond, axis=1)
    middle = np.log(np.sqrt(LEVELS[j] * LEVELS[j - 1]))
    assert found.median == pytest.approx(np.exp(np.mean(middle)), rel=1e-12)
    assert found.beta == pytest.approx(np.std(middle, ddof=1), rel=1e-12)
    assert found.never == found.at_once == found.stands_again == 0


def test_first_falls_beyond_the_levels_are_censored_not_dropped():
    capacity = np.exp(0.5 * np.random.default_rng(1).standard_normal(400))
    short = np.geomspace(0.7, 1.2, 12)
    beyond = capacity[:, None] <= short
    found = first_falls(short, beyond, np.ones_like(beyond))
    assert found.never > 50 and found.at_once > 50
    assert found.median == pytest.approx(1.0, abs=0.06)
    assert found.beta == pytest.approx(0.5, abs=0.07)
    assert np.isnan(found.capacities).sum() == found.never + found.at_once


def test_intervals_are_scipys_clopper_and_pearson():
    for count, n in ((0, 20), (3, 20), (20, 20), (57, 300)):
        ends = stats.binomtest(count, n).proportion_ci(0.90, method="exact")
        np.testing.assert_allclose(interval(count, n), [ends.low, ends.high], rtol=1e-10)
    beyond = np.arange(20)[:, None] < [0, 3, 20]
    found = shares(beyond, np.ones_like(beyond), np.arange(20))
    np.testing.assert_allclose([found.low, found.high], interval([0, 3, 20], 20))
    assert not found.clustered


# -- clusters ---------------------------------------------------------------------------------


def test_clusters_that_are_copies_count_once():
    """Ten motions, each five times: the interval is that of ten."""
    single = np.exp(0.5 * np.random.default_rng(4).standard_normal(10))[:, None] <= LEVELS
    beyond, labels = np.repeat(single, 5, axis=0), np.repeat(np.arange(10), 5)
    found = shares(beyond, np.ones_like(beyond), labels)
    np.testing.assert_allclose(found.draws, 10)
    np.testing.assert_allclose([found.low, found.high], interval(single.sum(axis=0), 10))
    copies = fitted_curve(LEVELS, beyond, np.ones_like(beyond), labels)
    alone = fitted_curve(LEVELS, single, np.ones_like(single), np.arange(10))
    np.testing.assert_allclose(copies.covariance, alone.covariance, rtol=1e-9)
    assert copies.draws == 10


def test_intervals_of_clustered_motions_cover_and_plain_ones_do_not():
    rng, levels = np.random.default_rng(0), np.geomspace(0.4, 2.5, 9)
    labels, truth = np.repeat(np.arange(20), 10), stats.norm.cdf(np.log(levels) / 0.5)
    inside, plain = [], []
    for _ in range(200):
        common, own = rng.standard_normal(20), rng.standard_normal(200)
        capacity = 0.5 * (np.repeat(common, 10) * 0.8 + 0.6 * own)
        beyond = capacity[:, None] <= np.log(levels)
        found = shares(beyond, np.ones_like(beyond), labels)
        inside.append((found.low <= truth) & (truth <= found.high))
        low, high = interval(beyond.sum(axis=0), 200)
        plain.append((low <= truth) & (truth <= high))
    assert np.mean(inside, axis=0).min() >= 0.87
    assert np.mean(plain, axis=0).max() < 0.75


def test_intervals_know_that_clusters_differ_in_size():
    rng, levels = np.random.default_rng(0), np.array([0.8, 1.0, 1.25])
    labels = np.repeat(np.arange(20), [20] * 5 + [1] * 15)
    truth, inside = stats.norm.cdf(np.log(levels) / 0.4), []
    for _ in range(200):
        beyond = 0.4 * rng.standard_normal(20)[labels][:, None] <= np.log(levels)
        found = shares(beyond, np.ones_like(beyond), labels)
        inside.append((found.low <= truth) & (truth <= found.high))
    assert np.mean(inside, axis=0).min() >= 0.87  # taken as 20 draws 0.7


def test_motions_of_one_parameter_set_or_one_record_are_one_cluster():
    one = rs.stochastic.Parameters(1.0, 10.0, 6.0, 2.0, -0.05, 0.3)
    other = rs.stochastic.Parameters(1.0, 10.0, 6.0, 3.0, -0.05, 0.3)
    mixed = rs.stochastic.ensemble(5, 1, [one, one, one, other, other])
    assert cluster_numbers(mixed).tolist() == [0, 0, 0, 1, 1]
    assert cluster_numbers([m.scaled(2.0) for m in mixed]).tolist() == [0, 0, 0, 1, 1]
    # where all come from one set, that set is the population
    assert cluster_numbers(mixed[:3]).tolist() == [0, 1, 2]
    facts = [{"station": "A", "event": "X"}, {"station": "A", "event": "X"}, {"station": "B"}, {}]
    plain = [rs.Motion([0.0, 1.0, 0.0], 0.1, meta=meta) for meta in facts]
    assert cluster_numbers(plain).tolist() == [0, 0, 1, 2]
    assert cluster_numbers(plain, ["a", "b", "a", "b"]).tolist() == [0, 1, 0, 1]
    with pytest.raises(InputError, match="3 labels for 4 motions"):
        cluster_numbers(plain, "abc")


def test_files_of_one_name_in_two_folders_are_two_records(tmp_path):
    read = []
    for i, folder in enumerate(("first", "second")):
        (tmp_path / folder).mkdir()
        values = np.random.default_rng(i).normal(size=(300, 3)).tolist()
        lines = ["NS [m/s2],EW [m/s2],UD [m/s2]", *(",".join(map(str, row)) for row in values)]
        path = tmp_path / folder / "acc.csv"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        read += [rs.read_motion(path, dt=0.01, component=name) for name in ("NS", "EW")]
    assert cluster_numbers(read).tolist() == [0, 0, 1, 1]
    assert cluster_numbers([*read, read[0].scaled(-2.0)]).tolist() == [0, 0, 1, 1, 0]


# -- the gate ---------------------------------------------------------------------------------


def test_nothing_falls_below_lift_off(population):
    for runs in population:
        block = runs.system
        gate = block.g * math.tan(block.alpha) / GRAVITY_UNIT
        assert runs.gate == pytest.approx(gate, rel=1e-12)
        found = rs.analysis.fragility(runs)
        below = np.linspace(0.0, gate * (1 - 1e-9), 50)
        for state in found.states.values():
            assert not state.shares.count[runs.levels < gate].any()
            if state.curve is not None:
                assert not np.any(state.curve.probability(below))
                assert not np.any(state.curve.band(below))
        assert found.main.curve.probability(gate) > 0


def test_lift_off_is_where_the_body_lifts_off(motions):
    """With a vertical component, on a floor and off the middle, against what the runs show."""
    some = [m.with_vertical(0.5 * np.roll(m.accel, 40)) for m in motions[:12]]
    block, floor = rs.Block(1.8, 0.5, offset=0.06), rs.Floor(period=0.4, storeys=3)
    runs = stripes(block, some, levels=np.geomspace(0.05, 0.6, 12), floor=floor, progress=False)
    np.testing.assert_array_equal(runs.beyond("lifts off"), runs.peak > 0)
    assert 0 < runs.beyond("lifts off").mean() < 1
    for i, motion in enumerate(some):
        at_one = motion.scaled(runs.lifts[i] / PGA.of(motion))
        for factor, lifts in ((1 - 1e-6, False), (1 + 1e-6, True)):
            peak = rs.simulate(block, floor.motion(at_one.scaled(factor)), until="motion").peak
            assert (peak > 0) is lifts


@pytest.mark.parametrize(
    "how",
    [rs.Nonsmooth(), rs.Nonsmooth(friction=0.5), rs.ComplexPotential(), rs.Housner(slender=True)],
)
def test_every_theory_with_a_threshold_knows_it(how):
    some = [rs.pulses.sine(amplitude=1.0, period=T) for T in (0.4, 0.8)]
    runs = stripes(STATUE, some, how, levels=np.geomspace(0.2, 0.4, 7), progress=False)
    slope = STATUE.alpha if getattr(how, "slender", False) else math.tan(STATUE.alpha)
    assert runs.gate == pytest.approx(slope * STATUE.g / GRAVITY_UNIT, rel=1e-12)
    np.testing.assert_array_equal(runs.peak > 0, np.tile(runs.levels > runs.gate, (2, 1)))


def test_a_body_that_slides_does_not_lift_off(motions):
    """Friction below tan α: it slides, however strong the motion."""
    runs = stripes(
        STATUE, motions[:3], rs.Nonsmooth(friction=0.2), levels=[0.2, 0.5], progress=False
    )
    assert not runs.beyond("lifts off").any()
    assert runs.gate == math.inf
    found = rs.analysis.fragility(runs, limits=["lifts off", "overturned"])
    assert not any("lifts" in said for said in [*found.sentences, found["lifts off"].why])
    site = rs.analysis.hazard.Hazard.power(level=0.25, rate=1 / 475, k=2.5)
    assert rs.analysis.risk(runs, site, limit="lifts off").rate == 0


def test_the_gate_of_an_asymmetric_body_is_that_of_the_motions():
    """Pulses towards its strong side lift it off later than others would."""
    body = rs.Block(1.5, 0.4, offset=0.08)
    pulses = [rs.pulses.ricker(amplitude=1.0, period=T) for T in (0.6, 0.9, 1.2, 1.5)]
    found = rs.analysis.fragility(body, pulses, levels=8, progress=False)
    assert found.stripes.gate > 1.5 * body.g * math.tan(body.alpha) / GRAVITY_UNIT
    assert not any("nothing lifts off" in said for said in found.sentences)


def test_levels_below_lift_off_are_said_to_be_so(motions):
    found = rs.analysis.fragility(STATUE, motions[:3], levels=[0.05, 0.1], progress=False)
    assert "below 0.278, where the first motion lifts it off" in found.sentence


def test_a_building_collapses(motions):
    house = rs.MasonryBuilding.casalotti2025(50e3)
    found = rs.analysis.fragility(house, motions[:40], levels=12, progress=False)
    assert [state.words for state in found.states.values()] == ["collapsed"]
    assert "bring it down" in found.sentence and math.isnan(found.stripes.gate)
    assert found.main.shares.share[0] < 0.2 < 0.8 < found.main.shares.share[-1]


def test_a_theory_without_a_threshold_has_no_gate(motions):
    runs = stripes(STATUE, motions[:2], rs.RigidBodySpring(), levels=[0.2, 0.4], progress=False)
    assert math.isnan(runs.gate)
    with pytest.raises(InputError, match="no threshold at which a body lifts off"):
        runs.beyond("lifts off")
    assert "lifts off" not in rs.analysis.fragility(runs).states


# -- shares and first falls -------------------------------------------------------------------


def test_motions_that_stand_again_are_counted_and_told(population):
    runs = population[1]
    found = rs.analysis.fragility(runs)
    again = sum(
        bool((row[j:] < 1).any()) for row in runs.fell for j in [int(np.argmax(row))] if row.any()
    )
    assert found.main.first.stands_again == again > 100
    assert any(f"{again} of 300 motions" in sentence for sentence in found.sentences)
    # what fell at a level is never more than what has fallen up to it
    first = found.main.first.fallen_up_to(runs.levels)
    assert (first >= found.main.shares.share).all() and (first > found.main.shares.share).any()
    assert found.main.first.median < found.main.curve.median
    rows = found.table()
    assert {"share [-]", "first falls up to here (IDA) [-]"} <= rows[0].keys()


def test_limit_states_are_nested(population):
    found = rs.analysis.fragility(population[2])
    every = list(found.states.values())
    assert [state.words for state in every] == [
        "lifts off", "θ/α > 0.1", "θ/α > 0.5", "θ/α > 1", "overturned",
    ]  # fmt: skip
    for lower, higher in pairwise(every):
        assert (lower.shares.count >= higher.shares.count).all()
    # a few lean past the balance point and come back
    assert (every[3].shares.count > every[4].shares.count).any()


def test_a_run_without_an_answer_is_no_run_that_stood():
    beyond = np.exp(0.5 * np.random.default_rng(7).standard_normal(40))[:, None] <= LEVELS
    known = np.ones_like(beyond)
    known[:10, 4] = False
    found = rs.analysis.fragility(made_up(beyond, known=known), limits="overturned")
    state = found.main
    assert state.shares.of[4] == 30
    assert state.shares.share[4] == pytest.approx(beyond[10:, 4].mean())
    assert any("10 of 400 runs gave no answer" in sentence for sentence in found.sentences)
    known[:, 4] = False
    state = rs.analysis.fragility(made_up(beyond, known=known), limits="overturned").main
    assert np.isnan(state.shares.share[4]) and state.curve is not None


# -- where there is no curve ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("capacities", "words"),
    [
        ([9.0] * 30, "No motion gets there up to 2.5"),
        ([0.1] * 30, "Every motion gets there from 0.4 on"),
        ([1.0] * 30, "goes from none at 0.903 to all at 1.11 with hardly a level between"),
        ([1.0] * 20 + [1.2] * 10, "hardly a level between"),
    ],
)
def test_degenerate_shares_have_words_instead_of_a_curve(capacities, words):
    found = rs.analysis.fragility(
        made_up(np.array(capacities)[:, None] <= LEVELS), limits="overturned"
    )
    assert found.main.curve is None and words in found.main.why
    assert words in found.sentence
    assert json.dumps(found.summary())
    found.plot()
    with pytest.raises(InputError, match="There is no curve to write"):
        export.pelicun_row(found)


def test_a_share_that_falls_with_the_measure_has_no_curve():
    beyond = np.arange(30)[:, None] >= np.linspace(5, 25, 10)
    found = fitted_curve(LEVELS, beyond, np.ones_like(beyond), np.arange(30))
    assert "does not grow" in found


def test_a_median_beyond_the_levels_is_called_extrapolated():
    beyond = np.exp(0.5 * np.random.default_rng(7).standard_normal(80))[:, None] <= LEVELS / 4
    found = rs.analysis.fragility(made_up(beyond), limits="overturned")
    assert found.main.curve.median > LEVELS[-1]
    assert "That is extrapolated: above the levels, which end at PGA 2.5 g." in found.sentence


def test_one_motion_or_two_give_no_band_and_say_so():
    found = rs.analysis.fragility(made_up(np.array([[0] * 5 + [1] * 5], dtype=bool)))
    assert any("One draw has no share" in sentence for sentence in found.sentences)
    two = np.array([[0, 1, 0, 1, 0, 1, 1, 1, 1, 1], [0, 0, 1, 0, 1, 1, 0, 1, 1, 1]], dtype=bool)
    found = rs.analysis.fragility(made_up(two))
    assert found.main.curve is not None and np.isnan(found.main.curve.band(1.0)).all()
    assert any("no band can be given" in sentence for sentence in found.sentences)
    assert "nan" not in " ".join(found.sentences)


def test_a_misfit_is_not_sought_below_the_gate():
    beyond = np.exp(0.5 * np.random.default_rng(7).standard_normal(100))[:, None] <= LEVELS
    beyond[:, LEVELS < 0.7] = False
    curve = fitted_curve(LEVELS, beyond, np.ones_like(beyond), np.arange(100), gate=0.7)
    found = misfit(curve, LEVELS, shares(beyond, np.ones_like(beyond), np.arange(100)))
    assert found.of == (LEVELS >= 0.7).sum() and (found.levels >= 0.7).all()
    a, b = curve.coefficients
    off = {x: abs(stats.norm.cdf(a + b * np.log(x)) - np.mean(beyond[:, i]))
           for i, x in enumerate(LEVELS) if x >= 0.7}  # fmt: skip
    assert found.largest == pytest.approx(max(off.values()), rel=1e-9)
    assert found.at == max(off, key=off.get)


# -- stripes ----------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["pga", "pgv", "arias", "SA(0.5)"])
def test_each_run_is_that_of_simulate(motions, measure):
    by = measure_named(measure)
    runs = stripes(STATUE, motions[:4], levels=5, measure=measure, progress=False)
    for i, j in ((0, 3), (2, 2), (3, 4)):
        motion = motions[i]
        factor = (runs.levels[j] / by.of(motion)) ** (1 / by.power)
        scaled = motion.scaled(factor)
        assert by.of(scaled) == pytest.approx(runs.levels[j], rel=1e-9)
        alone = rs.simulate(STATUE, scaled)
        assert alone.status.fell == runs.fell[i, j]
        if not runs.fell[i, j]:
            assert runs.peak[i, j] == pytest.approx(alone.peak, rel=1e-6, abs=1e-12)


def test_default_levels_go_from_lift_off_to_where_nearly_all_fall(population):
    for runs in population:
        assert len(runs.levels) == 40
        np.testing.assert_allclose(np.diff(np.log(runs.levels), 2), 0, atol=1e-12)
        assert 0.95 < runs.levels[0] / runs.gate < 1
        assert runs.fell[:, -1].mean() > 0.90
        assert runs.fell[:, -2].mean() < 1


def test_bodies_together_are_bodies_alone(motions):
    blocks, at = [rs.Block(1.0, 0.3), rs.Block(1.0, 0.4)], [0.5, 1.0, 1.5]
    both = stripes_of(blocks, motions[:6], levels=at, progress=False)
    for block, runs in zip(blocks, both, strict=True):
        alone = stripes(block, motions[:6], levels=at, progress=False)
        np.testing.assert_array_equal(runs.peak, alone.peak)
        np.testing.assert_array_equal(runs.lifts, alone.lifts)


def test_what_is_stored_says_that_only_outcomes_were_sought(motions, tmp_path):
    pytest.importorskip("pyarrow")
    runs = stripes(STATUE, motions[:3], levels=[0.5, 1.0], store=tmp_path / "runs", progress=False)
    kept = rs.open_ensemble(tmp_path / "runs")
    assert kept.attrs["until"] == "outcome"
    np.testing.assert_array_equal(kept.fell.values[0], runs.fell)


def test_levels_stop_before_a_vertical_motion_lifts_the_whole_body(motions):
    some = [m.with_vertical(2 * m.accel) for m in motions[:5]]
    with pytest.warns(rs.errors.RocksteadyWarning, match="weightless"):
        runs = stripes(STATUE, some, progress=False)
    assert 0.3 < runs.levels[-1] < 0.5 * 9.81 / GRAVITY_UNIT


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"levels": [0.4, 0.2]}, "that increase"),
        ({"levels": 1}, "two or more"),
        ({"levels": 2.5}, "two or more"),
        ({"measure": "pgx"}, "'pgx' is not known"),
        ({"clusters": [1]}, "1 labels for 3 motions"),
    ],
)
def test_bad_inputs_are_refused_in_words(motions, wrong, words):
    with pytest.raises(InputError, match=words):
        stripes(STATUE, motions[:3], **({"levels": [0.5]} | wrong), progress=False)


def test_limits_and_levels_of_confidence_are_checked_before_the_runs(motions):
    for wrong, words in (({"limits": "fallen"}, "'fallen' is not known"), ({"level": 90}, "level")):
        with pytest.raises(InputError, match=words):
            rs.analysis.fragility(STATUE, motions * 1000, **wrong)
    with pytest.raises(InputError, match="cannot be scaled"):
        stripes(STATUE, rs.Motion(np.zeros(10), 0.1), progress=False)


# -- physics ----------------------------------------------------------------------------------


def test_of_two_similar_blocks_the_larger_is_safer(population, motions):
    small = stripes(
        rs.Block(0.9, 0.25),
        motions,
        levels=population[1].levels,
        clusters=range(300),
        progress=False,
    )
    large = population[1]
    assert small.system.alpha == pytest.approx(large.system.alpha)
    assert (small.fell.mean(axis=0) >= large.fell.mean(axis=0) - 0.02).all()
    medians = [rs.analysis.fragility(runs).main.curve.median for runs in (small, large)]
    assert medians[1] > 1.15 * medians[0]


def test_shares_over_lift_off_agree_for_any_slenderness(motions):
    """At fixed p and η only PGA/(g tan α) counts, within 0.1."""
    ratios, found = np.geomspace(1.1, 8.0, 12), []
    for alpha in (0.08, 0.15, 0.25, 0.35):
        block = rs.Block.from_parameters(p=2.8, alpha=alpha)
        at = ratios * math.tan(alpha) * block.g / GRAVITY_UNIT
        runs = stripes(block, motions, rs.Housner(eta=0.92), levels=at, progress=False)
        found.append(runs.fell.mean(axis=0))
    assert np.ptp(found, axis=0).max() <= 0.1
    assert np.min(found) < 0.1 and np.max(found) > 0.7  # over all that matters


@pytest.fixture(scope="module")
def table(motions):
    """The measures of a statue under a third of the motions."""
    runs = stripes(STATUE, motions[::3], clusters=range(100), progress=False)
    return runs, rs.analysis.fragility(runs, limits="overturned").measures()


def test_velocity_says_most_of_a_statue(population, table):
    """Once it lifts off, ln PGV explains all (Π_v = p PGV/(g tan α)), and PGA scatters twice as
    much; at 0.6 m acceleration counts, too."""
    _, table = table
    rows = {row.name: row for row in table.rows}
    assert rows["PGV"].sigma < 0.6 * rows["PGA"].sigma
    assert rows["PGV"].log_loss < rows["PGA"].log_loss
    assert rows["Housner intensity"].sigma < 0.6 * rows["PGA"].sigma
    assert rows["p·PGV/(g tan α)"].sigma == rows["PGV"].sigma
    factor = STATUE.p / (STATUE.g * math.tan(STATUE.alpha))
    assert rows["p·PGV/(g tan α)"].median == pytest.approx(factor * rows["PGV"].median)
    assert not rows["PGA"].sufficient
    on_shape = {one.on: one for one in rows["PGA"].dependence}["ln(PGV/PGA)"]
    assert on_shape.slope < -0.7 and on_shape.p_value < 1e-6
    table.plot()
    assert json.loads(json.dumps(table.summary()))["motions_with_a_first_fall"] == table.motions
    both = [rs.analysis.fragility(one).two_measures() for one in population]
    both[0].plot()
    assert json.dumps(both[0].summary())
    weights = [one.weight for one in both]
    assert weights[0] < 0.85 < weights[1] < 1.15 and 0.85 < weights[2] < 1.15


# -- measures, against numbers that are known -------------------------------------------------


def test_two_measures_find_what_the_runs_were_made_from():
    """Outcomes drawn from Φ(c0 + c1 ln PGA + c2 ln(PGV/PGA)): c2/c1 comes back."""
    rng = np.random.default_rng(8)
    some = [rs.pulses.sine(amplitude=1.0, period=T) for T in np.geomspace(0.2, 2.0, 150)]
    ratio = np.log([m.pgv / m.pga for m in some])
    capacity = np.exp(0.3 * rng.standard_normal(150) - 0.8 * (ratio - ratio.mean()))
    runs = made_up(capacity[:, None] <= LEVELS, motions=some, clusters=np.arange(150))
    found = rs.analysis.fragility(runs, limits="overturned").two_measures()
    assert found.weight == pytest.approx(0.8, abs=0.1)
    low, high = found.weight_interval
    assert low < 0.8 < high
    p = found.probability(1.0, 0.5 * GRAVITY_UNIT * np.exp(ratio.mean()) * np.array([1.0, 4.0]))
    assert p[0] < p[1]
    with pytest.raises(InputError, match="same PGV/PGA"):
        rs.analysis.fragility(made_up(runs.fell), limits="overturned").two_measures()


def test_the_scatter_of_each_measure_is_that_of_its_values_at_first_falls(table):
    runs, table = table
    first = first_falls(runs.levels, runs.fell, runs.known)
    at = np.isfinite(first.capacities)
    factors = np.array([c / PGA.of(m) for c, m in zip(first.capacities, runs.motions, strict=True)])
    rows = {row.name: row for row in table.rows}
    for measure, name, root in ((PGV, "PGV", 1.0), (ARIAS, "√Arias", 0.5)):
        pairs = [(m, f) for m, f in zip(runs.motions, factors, strict=True) if f == f]
        values = [measure.of(m.scaled(f)) ** root for m, f in pairs]
        assert rows[name].sigma == pytest.approx(np.std(np.log(values), ddof=1), rel=1e-9)
        assert rows[name].median == pytest.approx(np.exp(np.mean(np.log(values))), rel=1e-9)
    assert table.motions == at.sum()


# -- cloud ------------------------------------------------------------------------------------


def test_a_cloud_with_collapse_follows_its_formula(motions):
    found = rs.analysis.cloud(STATUE, motions, scale=8.0, clusters=range(300), progress=False)
    a, b, spread, zero, slope = found.parameters
    x, falls = 1.2, 1 / (1 + math.exp(-(zero + slope * math.log(1.2))))
    beyond = stats.norm.sf(math.log(0.5), a + b * math.log(x), spread)
    expected = beyond * (1 - falls) + falls
    assert found.probability(x, 0.5) == pytest.approx(expected, rel=1e-12)
    assert found.probability(x) == pytest.approx(falls, rel=1e-12)
    # the regression is NumPy's, over those that rock and stand
    rocked = ~found.fell & (found.peak > 0)
    line = np.polyfit(np.log(found.x[rocked]), np.log(found.peak[rocked]), 1)
    np.testing.assert_allclose([b, a], line, rtol=1e-9)
    # zero below lift-off, and about what the stripes say above it
    assert not np.any(found.probability([0.1, 0.27])) and found.gate == pytest.approx(
        0.278, abs=1e-3
    )
    low, high = found.band(1.0)
    assert low < found.probability(1.0) < high
    assert found.probability(found.median) == pytest.approx(0.5)
    assert json.dumps(found.summary()) and "(cloud)" in found.sentence
    found.plot()
    with pytest.raises(InputError, match="a cloud needs"):
        rs.analysis.cloud(STATUE, motions[:5], progress=False)


# -- tolerances -------------------------------------------------------------------------------


def test_a_block_may_have_its_own_loss(motions):
    """Bodies of one ensemble differ in η: each equals the theory told that η."""
    own = BlockWithLoss(1.8, 0.5, keeps=0.92 / STATUE.eta)
    assert own.eta == pytest.approx(0.92)
    told = stripes(STATUE, motions[:3], rs.Housner(eta=0.92), levels=[0.4, 0.8], progress=False)
    found = stripes(own, motions[:3], levels=[0.4, 0.8], progress=False)
    np.testing.assert_allclose(found.peak, told.peak, rtol=1e-9)


def test_sobol_indices_of_a_known_function(population):
    """Of f = 3 (width − w)/σ_w + 1 (h − h0)/σ_h the indices are 0.9 and 0.1."""

    def outcome(runs):
        body = runs.system
        return 3 * (body.width - 0.5) / 0.0075 + (body.com_height - 0.9) / 0.0225

    found = rs.analysis.uncertainty(
        population[1],
        {"width": 0.03, "com_height": 0.05, "eta": (0.85, 0.95)},
        outcome,
        motions=1,
        levels=2,
        samples=128,
        progress=False,
    )
    assert found.names == ("width", "com_height", "eta")
    np.testing.assert_allclose(found.first, [0.9, 0.1, 0.0], atol=0.06)
    np.testing.assert_allclose(found.total, [0.9, 0.1, 0.0], atol=0.06)
    assert found.nominal == pytest.approx(0.0, abs=1e-9)
    # the Latin hypercube has one body in each of 128 layers
    layer = np.sort(stats.norm(0.5, 0.0075).cdf(found.values[:, 0]) * 128).astype(int)
    assert layer.tolist() == list(range(128))
    assert found.values[:, 2].min() > 0.85 and found.values[:, 2].max() < 0.95
    assert np.std(found.sample) == pytest.approx(math.sqrt(10), rel=0.05)
    assert found.sentence.startswith("The width accounts for about ")


def test_one_tolerance_alone_explains_all():
    """By hand: with one property f(A) and f(B) are all there is, so both indices are 1."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 4096))
    first, total = _indices(a, b, b[None], [None])
    assert first == pytest.approx([1], abs=0.05) and total == pytest.approx([1], abs=0.05)


@pytest.mark.parametrize(("words", "said"), [(None, "the outcome"), ("ln b", "ln b")])
def test_bodies_that_vary_are_run_from_below_the_first_level_to_the_last(population, words, said):
    """By a fifth, for some lift off before the body itself does."""
    runs, seen = population[1], []

    def outcome(one):
        seen.append(one.levels)
        return float(np.log(one.system.width))

    found = rs.analysis.uncertainty(
        runs, {"width": 0.1}, outcome, words=words, samples=4, motions=2, levels=5, progress=False
    )
    assert found.outcome == said
    for levels in seen:
        assert levels[[0, 2, 4]] == pytest.approx(
            [
                runs.levels[0] / 1.25,
                np.sqrt(runs.levels[0] * runs.levels[-1] / 1.25),
                runs.levels[-1],
            ]
        )


def test_a_height_tolerance_does_what_another_height_does(population):
    """The body of a sample is the block that one would make: a taller one is more slender."""
    runs = population[1]
    found = rs.analysis.uncertainty(
        runs, {"height": 0.2, "mass": 0.3}, samples=16, motions=20, levels=10, progress=False
    )
    chosen = np.linspace(0, len(runs.motions) - 1, 20).round().astype(int)
    shaken = [runs.motions[i] for i in chosen]
    levels = np.geomspace(runs.levels[0] / WIDER, runs.levels[-1], 10)
    heights = (1.62, 1.98)  # one standard deviation to either side
    low, high = (
        ln_median(stripes(rs.Block(height, 0.5), shaken, levels=levels, progress=False))
        for height in heights
    )
    slope = np.polyfit(found.values[:, 0], found.sample, 1)[0]
    assert slope < 0 and slope == pytest.approx((high - low) / (1.98 - 1.62), rel=0.25)
    assert np.std(found.sample) == pytest.approx(abs(high - low) / 2, rel=0.25)
    assert found.total[0] > 0.5 and found.total[1] < 0.01  # p is the same under any mass


def test_the_loss_at_impacts_dominates(population):
    few = dataclasses.replace(population[1], motions=population[1].motions)
    found = rs.analysis.uncertainty(
        few, {"width": 0.03, "eta": (0.85, 0.95)}, samples=16, motions=20, levels=10, progress=False
    )
    assert found.total[1] > 0.6 > found.total[0]
    low, high = found.interval()
    assert low < found.nominal < high
    found.plot()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"weight": 0.1}, "'weight', which Housner"),
        ({"width": 3}, "relative tolerance"),
        ({"eta": (0.95, 0.85)}, "two ends"),
    ],
)
def test_tolerances_are_checked(population, given, words):
    with pytest.raises(InputError, match=words):
        rs.analysis.uncertainty(population[1], given)


# -- files for others -------------------------------------------------------------------------

NRML = "{http://openquake.org/xmlns/nrml/0.5}"


def test_openquake_reads_the_shares(population, tmp_path):
    found = rs.analysis.fragility(population[1])
    model = ElementTree.parse(found.write(tmp_path / "f.xml", name="statue <&>")).getroot()[0]
    assert model.tag == f"{NRML}fragilityModel" and model.get("lossCategory") == "contents"
    states = model.find(f"{NRML}limitStates").text.split()
    assert states == ["lifts_off", "rocks_10pct", "rocks_50pct", "rocks_100pct", "overturned"]
    function = model.find(f"{NRML}fragilityFunction")
    assert function.get("format") == "discrete" and function.get("id") == "statue"
    levels = function.find(f"{NRML}imls")
    assert levels.get("imt") == "PGA"
    assert float(levels.get("noDamageLimit")) == pytest.approx(found.stripes.gate, rel=1e-5)
    np.testing.assert_allclose(
        np.array(levels.text.split(), dtype=float), found.stripes.levels, rtol=1e-5
    )
    poes = {one.get("ls"): one.text.split() for one in function.findall(f"{NRML}poes")}
    assert list(poes) == states
    np.testing.assert_allclose(
        np.array(poes["overturned"], dtype=float), found.main.shares.share, atol=1e-6
    )


def test_openquake_reads_the_curve_with_its_own_mean_and_unit(motions):
    found = rs.analysis.fragility(
        STATUE, motions[:60], measure="pgv", limits=[0.5, "overturned"], levels=12, progress=False
    )
    function = ElementTree.fromstring(export.nrml(found, curve=True)).find(
        f".//{NRML}fragilityFunction"
    )
    assert function.get("format") == "continuous" and function.get("shape") == "logncdf"
    assert function.find(f"{NRML}imls").get("imt") == "PGV"  # cm/s
    params = function.findall(f"{NRML}params")[-1]
    mean, deviation = float(params.get("mean")), float(params.get("stddev"))
    beta = math.sqrt(math.log(1 + (deviation / mean) ** 2))
    assert beta == pytest.approx(found.main.curve.beta, rel=1e-6)
    assert mean * math.exp(-(beta**2) / 2) == pytest.approx(100 * found.main.curve.median, rel=1e-6)
    arias = rs.analysis.fragility(STATUE, motions[:20], measure="arias", levels=8, progress=False)
    with pytest.raises(InputError, match="not for Arias"):
        export.nrml(arias)


def test_pelicun_finds_its_columns(population, tmp_path):
    found = rs.analysis.fragility(population[1])
    row = pandas.read_csv(found.write(tmp_path / "statue_pelicun.csv", name="statue")).iloc[0]
    assert list(row.index[:6]) == [
        "ID", "Incomplete", "Demand-Type", "Demand-Unit", "Demand-Offset", "Demand-Directional",
    ]  # fmt: skip
    assert row["ID"] == "statue" and row["Incomplete"] == 0
    assert (row["Demand-Type"], row["Demand-Unit"]) == ("Peak Ground Acceleration", "g")
    assert row["LS4-Family"] == "lognormal"
    assert row["LS4-Theta_0"] == pytest.approx(found.main.curve.median, rel=1e-5)
    assert row["LS4-Theta_1"] == pytest.approx(found.main.curve.beta, rel=1e-5)


def test_the_table_has_a_row_for_each_limit_and_level(population, tmp_path):
    found = rs.analysis.fragility(population[1])
    table = pandas.read_csv(found.write(tmp_path / "f.csv"))
    assert len(table) == 5 * 40
    fallen = table[table["limit"] == "overturned"]
    np.testing.assert_array_equal(fallen["beyond"], found.main.shares.count)
    np.testing.assert_allclose(fallen["low 90 % [-]"], found.main.shares.low, atol=1e-6)
    from rocksteady.marks import ours

    assert ours(tmp_path / "f.csv")
    assert json.loads(json.dumps(found.summary()))["limits"]["overturned"]["first_falls"]


def test_shares_and_first_falls_are_never_in_one_frame(population):
    """The figure has first falls in a frame of their own, with a name that says so."""
    fig = rs.analysis.fragility(population[1]).plot()
    first = [axes for axes in fig.axes if "first falls" in axes.get_title(loc="left")]
    assert len(first) == 1 and "not shares" in first[0].get_title(loc="left")
    lines = [line.get_ydata() for line in first[0].lines]
    state = rs.analysis.fragility(population[1]).main
    assert not any(len(y) == 40 and np.allclose(y, state.shares.share) for y in lines)


def test_stripes_that_are_shown_meanwhile_are_the_same(motions, tmp_path):
    """Batches of motions; a floor and motions that share parameters make no difference."""
    floor = rs.Floor(period=0.4, storeys=3)
    options = {"levels": LEVELS, "floor": floor, "progress": False}
    whole, shown, done = stripes(STATUE, motions[:45], **options), [], []
    again = stripes(
        STATUE,
        motions[:45],
        **options | {"progress": lambda made, total: done.append((made, total))},
        store=tmp_path / "runs",
        show=shown.append,
    )
    for name in ("levels", "peak", "fell", "known", "clusters", "lifts"):
        assert getattr(again, name).tobytes() == getattr(whole, name).tobytes()
    assert [len(each.motions) for each in shown] == [*range(3, 46, 3)]
    assert np.array_equal(shown[1].peak, whole.peak[:6], equal_nan=True)
    assert done == sorted(done) and done[-1] == (450, 450)


THREE_SINES = [rs.pulses.sine(2.0, period, dt=0.01) for period in (0.6, 0.8, 1.0)]


def test_a_tolerance_of_what_has_none_is_refused():
    """A block has a density, but no answer depends on it; nobody has a colour."""
    runs = stripes(STATUE, THREE_SINES, levels=3, progress=False)
    for name in ("density", "colour"):
        with pytest.raises(rs.InputError, match=f"tolerances has '{name}', which .* choose from"):
            rs.analysis.uncertainty(runs, {name: 0.1}, progress=False)


def test_motions_that_are_all_draws_of_their_own_have_no_clusters():
    found = rs.analysis.fragility(STATUE, THREE_SINES, levels=3, progress=False)
    assert found.stripes.draws == len(THREE_SINES)
    assert "clusters" not in " ".join(found.sentences)

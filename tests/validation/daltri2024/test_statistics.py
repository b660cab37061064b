"""Distributions of the largest rotation over 100 motions (section 4.2, Fig. 17d)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import rocksteady as rs
from rocksteady.analysis.statistics import (
    ABSCISSAE,
    CLASSICAL_R,
    OVERTURNED,
    SPECIMEN,
    TESTED_R,
    Band,
    confidence_band,
    distribution,
    largest_rotations,
    share_inside,
    stochastic_motions,
    validate_statistically,
)
from rocksteady.errors import InputError
from rocksteady.view.statistics import plot_distributions

pytestmark = pytest.mark.filterwarnings("ignore::rocksteady.errors.RocksteadyWarning")


# -- the band -------------------------------------------------------------------------------


@given(n=st.integers(1, 200), data=st.data())
def test_clopper_pearson_by_its_definition(n, data):
    """At either end of the band the count seen is as extreme as 5 % of binomial draws."""
    k = data.draw(st.integers(0, n))
    sample = np.concatenate([np.zeros(k), np.ones(n - k)])
    low, high = (float(end[0]) for end in confidence_band(sample, np.array([0.5])))
    assert low < k / n or k == low == 0
    assert high > k / n or (k == n and high == 1)
    if k > 0:
        assert binom.sf(k - 1, n, low) == pytest.approx(0.05, rel=1e-6)
    if k < n:
        assert binom.cdf(k, n, high) == pytest.approx(0.05, rel=1e-6)


def test_the_band_covers_what_it_should():
    """300 samples of 100 from a known distribution: at each abscissa the truth is inside for at
    least 90 % of them, up to the scatter of 300 draws (three standard deviations)."""
    rng = np.random.default_rng(11)
    at = np.array([0.05, 0.2, 0.5, 0.8, 0.95])
    bands = [confidence_band(rng.random(100), at) for _ in range(300)]
    covered = np.mean([(band.low <= at) & (at <= band.high) for band in bands], axis=0)
    assert np.all(covered > 0.9 - 3 * math.sqrt(0.9 * 0.1 / 300))


def test_distribution_and_share():
    sample = np.array([0.1, 0.2, 0.2, OVERTURNED])
    at = np.array([0.05, 0.1, 0.2, 1.0, 1.5])
    np.testing.assert_array_equal(distribution(sample, at), [0, 0.25, 0.75, 0.75, 1])
    assert share_inside(sample, confidence_band(sample)) == 1.0
    assert share_inside(sample, Band(np.full(5, 0.3), np.full(5, 0.8)), at) == 0.4


@pytest.mark.parametrize("bad", [[], [math.nan], [[0.1, 0.2]]])
def test_no_sample(bad):
    with pytest.raises(InputError, match=r"A sample (must be|has shape)"):
        distribution(np.array(bad))


def test_no_level():
    with pytest.raises(InputError, match=r"level = 90"):
        confidence_band(np.ones(3), level=90)


# -- the motions ----------------------------------------------------------------------------------


def test_motions():
    """PGA from 2.5 to 5 times g tan α, 12 Hz unless told otherwise, the same for the same seed."""
    motions = stochastic_motions(SPECIMEN, n=5)
    lifts = SPECIMEN.g * math.tan(SPECIMEN.alpha)
    strength = [motion.pga / lifts for motion in motions]
    assert strength == pytest.approx(np.linspace(2.5, 5.0, 5))
    assert motions == stochastic_motions(SPECIMEN, n=5)
    assert motions[0] != stochastic_motions(SPECIMEN, n=5, seed=1)[0]
    crossings = [np.sum(np.diff(np.signbit(m.accel[250:750]))) / 2 / 2.0 for m in motions]
    assert 8 < np.mean(crossings) < 14  # Hz, from 1 s to 3 s


def test_largest_rotations():
    """One that never lifts off, one that rocks, one that goes over; as single runs say."""
    motions = [
        stochastic_motions(SPECIMEN, n=1, strength=(a, a), frequency=4.0)[0]
        for a in (0.5, 1.2, 20.0)
    ]
    calls = []
    found = largest_rotations(SPECIMEN, motions, progress=lambda *a: calls.append(a))
    assert found[0] == 0
    assert found[1] == rs.simulate(SPECIMEN, motions[1]).peak
    assert found[2] == OVERTURNED
    assert calls == [(0, 3), (3, 3)]


# -- the claim ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def motions():
    return stochastic_motions(SPECIMEN)


@pytest.mark.parametrize("r", [TESTED_R, CLASSICAL_R])
def test_figure_17d(motions, r):
    """100 motions around 12 Hz with PGA of 2.5 to 5 g tan α: at the law's step the distribution
    lies inside the 90 % band of the classical one at 90 % of the abscissae or more; at ten times
    that step it does not."""
    found = validate_statistically(motions, r)
    classical, at_law, coarse = found.overturned
    assert 0.1 < classical < 0.9
    inside, inside_coarse = found.inside
    assert inside >= 0.90
    assert inside_coarse < 0.5
    assert abs(at_law - classical) < 0.1
    assert coarse < classical - 0.1
    assert float(found.dt) == pytest.approx(0.0027774 if r == TESTED_R else 0.0031861, abs=1e-7)


def test_near_uplift_it_fails():
    """A limit, not a success: where PGA is 1.2 g tan α the lightly damped bed lets the block rock
    early, and far more motions overturn it."""
    weak = stochastic_motions(SPECIMEN, 3.0, strength=(1.2, 1.2), d5_95=8.0, t_mid=5.0, damping=0.3)
    found = validate_statistically(weak, TESTED_R)
    classical, at_law, _ = found.overturned
    assert at_law > classical + 0.3
    assert found.inside[0] < 0.1


def test_a_validation_is_kept_and_resumed(motions, tmp_path, monkeypatch):
    few = motions[::25]
    kept = validate_statistically(few, TESTED_R, store=tmp_path / "kept")
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {"classical", "law", "coarse"}
    monkeypatch.setattr("rocksteady.ensembles.shake.shake", None)  # calling it would fail
    again = validate_statistically(few, TESTED_R, store=tmp_path / "kept")
    np.testing.assert_array_equal(again.at_law, kept.at_law)
    fallen = rs.open_ensemble(tmp_path / "kept" / "classical").fell.values.ravel()
    np.testing.assert_array_equal(fallen, kept.classical == OVERTURNED)


def test_figure(motions, tmp_path):
    found = validate_statistically(motions[::10], TESTED_R)
    one = found.plot(tmp_path / "one.png")
    assert one.axes[0].get_xlabel() == "x = max |θ|/α [–]"
    two = plot_distributions([found, found], tmp_path / "two.svg", titles=["A", "B"])
    assert two.axes[1].get_title(loc="left") == "(b)  B"
    assert {path.name for path in tmp_path.iterdir()} == {"one.png", "two.svg"}
    assert len(ABSCISSAE) == 100
